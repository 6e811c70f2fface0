#include "bot/host/judge/referee.h"

#include <assert.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/host/words/speech.h"

/* Everything that judging one post needs. */
struct trial {
    struct ruling *ruling;
    const struct table *table;
    const struct input *input;
    unsigned seat;
    struct awaits awaits;
    struct vocabulary vocabulary; /* which the reading borrows */
    struct reading reading;
    struct intent intent;
};

/* ---- answers ------------------------------------------------------------- */

/* Begin an answer, in the author's own language. */
static void
begin_answer(struct trial *trial, struct speech *speech)
{
    speech_init_for(speech, trial->ruling->env, trial->table, NULL,
                    trial->seat);
}

/* Answer the author: in the thread once per matter and question, and after that
 * by private message; in a DM there.  AGAIN_DROP: once in any case. */
static void
answer(struct trial *trial, struct speech *speech, const char *key,
       enum message_again again)
{
    struct ruling *ruling = trial->ruling;
    const char *user = trial->input->post->author;
    struct rich text = {.count = 0};
    speech_seat(speech, "player", trial->seat);
    speech_say(speech, key, &text);
    bool dm = trial->input->post->dm;
    struct message *message =
        dm ? ruling_private(ruling, user, &text) : ruling_post(ruling, &text);
    if (!dm || again == AGAIN_DROP) {
        ruling_once(ruling, message, user, key, again);
    }
    rich_release(&text);
}

static void
answer_simply(struct trial *trial, const char *key, enum message_again again)
{
    struct speech speech;
    begin_answer(trial, &speech);
    answer(trial, &speech, key, again);
    speech_release(&speech);
}

static const char *
ask_key(const struct trial *trial)
{
    bool veto = trial->reading.phase == PHASE_VETO_CHANCELLOR ||
                trial->reading.phase == PHASE_VETO_PRESIDENT;
    switch (trial->intent.question) {
    case ASK_BOTH:
        return "ask_both";
    case ASK_DM:
        return veto ? "ask_talk_veto" : "ask_talk";
    case ASK_OTHER_WORDS:
        return "ask_other_words";
    case ASK_DISGUISE:
        return "ask_disguise";
    case ASK_SEVERAL_NAMES:
        return "ask_several_names";
    case ASK_UNCLEAR_NAME:
        return "ask_unclear_name";
    case ASK_UNKNOWN_NAME:
        return "ask_unknown_name";
    case ASK_TALKED_ABOUT:
        return "ask_talked_about";
    case ASK_SPOOFED:
        return "ask_spoofed";
    case ASK_CARDS:
        return "ask_cards";
    case ASK_NOT_IN_HAND:
        return "ask_not_in_hand";
    case ASK_BALLOT:
        return "ask_ballot";
    case ASK_NOT_ALONE:
    case ASK_NONE:
        break;
    }
    return veto ? "ask_not_alone_veto" : "ask_not_alone";
}

/* R19, R12: a post that was taken for conversation is asked about once, and by
 * private message as well: somebody who meant it must not miss the question. */
static void
ask_about_dm(struct trial *trial, struct speech *speech)
{
    struct ruling *ruling = trial->ruling;
    const char *user = trial->input->post->author;
    struct rich text = {.count = 0};
    answer(trial, speech, ask_key(trial), AGAIN_DROP);
    speech_say(speech, ask_key(trial), &text);
    ruling_once(ruling, ruling_private(ruling, user, &text), user,
                "ask_talk_private", AGAIN_DROP);
    rich_release(&text);
}

static void
ask_back(struct trial *trial)
{
    enum question_back question = trial->intent.question;
    struct speech speech;
    begin_answer(trial, &speech);
    struct params *params = &speech.params;
    params_text(params, "text", trial->intent.text);
    params_text(params, "word", trial->intent.word);
    params_number(params, "president_asks",
                  trial->reading.phase == PHASE_DM_PRESIDENT);
    for (unsigned i = 0; i < trial->intent.player_count; i++) {
        speech_seat(&speech, "candidates", trial->intent.players[i]);
    }
    if (question == ASK_DM || question == ASK_TALKED_ABOUT) {
        ask_about_dm(trial, &speech);
    } else {
        answer(trial, &speech, ask_key(trial), AGAIN_PRIVATE);
    }
    speech_release(&speech);
}

static void
answer_refusal(struct trial *trial, enum refusal refusal, unsigned target)
{
    struct speech speech;
    struct buf key = BUF_INIT;
    begin_answer(trial, &speech);
    speech_seat(&speech, "target", target);
    buf_addf(&key, "refused_%s", refusal_key(refusal));
    answer(trial, &speech, buf_text(&key), AGAIN_PRIVATE);
    buf_release(&key);
    speech_release(&speech);
}

/* ---- what a post is read as ---------------------------------------------- */

/* In the thread: as part of which phase a seat's posts are read; false:
 * none. */
static bool
public_phase(const struct trial *trial, enum phase *phase)
{
    const struct game *game = &trial->table->game;
    bool awaited = (trial->awaits.seats & seat_bit(trial->seat)) != 0;
    switch (trial->awaits.question) {
    case QUESTION_NOMINATE:
        *phase = PHASE_NOMINATION;
        return awaited;
    case QUESTION_VOTE:
        *phase = PHASE_VOTING;
        return (game_present(game) & seat_bit(trial->seat)) != 0;
    case QUESTION_ENACT:
        *phase = PHASE_VETO_CHANCELLOR;
        return awaited && game->veto_power;
    case QUESTION_VETO:
        *phase = PHASE_VETO_PRESIDENT;
        return awaited;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        *phase = PHASE_EXECUTIVE;
        return awaited;
    case QUESTION_DISCARD:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

static bool
private_phase(const struct trial *trial, enum phase *phase)
{
    if (!seat_in(trial->seat, table_private_seats(trial->table))) {
        return false;
    }
    *phase = PHASE_DM_BALLOT;
    if (trial->awaits.question == QUESTION_DISCARD) {
        *phase = PHASE_DM_PRESIDENT;
    } else if (trial->awaits.question == QUESTION_ENACT) {
        *phase = PHASE_DM_CHANCELLOR;
    }
    return true;
}

/* The words that the host shows are those that it understands. */
void
referee_words(const struct ruling *ruling, struct vocabulary *words,
              struct reading *reading)
{
    vocabulary_init(words, ruling->env->catalogue, &ruling->table->settings);
    vocabulary_lend(words, reading);
}

/* In private, cards are named in the player's own language. */
static void
set_words(struct trial *trial)
{
    const struct host_env *env = trial->ruling->env;
    referee_words(trial->ruling, &trial->vocabulary, &trial->reading);
    if (trial->input->post->dm) {
        vocabulary_set_cards(&trial->vocabulary,
                             speech_catalogue(env, trial->table, trial->seat));
        vocabulary_lend(&trial->vocabulary, &trial->reading);
    }
}

static void
set_reading(struct trial *trial)
{
    const struct table *table = trial->table;
    struct reading *reading = &trial->reading;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        reading->players[seat].name = table->people[seat].name;
        reading->players[seat].id = table->people[seat].user;
        reading->players[seat].aliases[0] = table->people[seat].alias;
        reading->players[seat].alias_count =
            table->people[seat].alias[0] != '\0';
    }
    reading->player_count = table->seated;
    set_words(trial);
    const struct host_env *env = trial->ruling->env;
    reading->bold_names =
        !capabilities_require_red(env->capabilities, table->settings.red);
    reading->mention_names = env->dialect->mention_names;
    struct pile hand = table->game.hand;
    uint8_t order[3];
    speech_order(hand, reading->phase == PHASE_DM_CHANCELLOR, order);
    for (unsigned i = 0; i < hand.count && i < 3; i++) {
        reading->hand[i] = pile_is_liberal(hand, order[i]) ? 'L' : 'F';
    }
}

/* ---- acts ---------------------------------------------------------------- */

static enum judgement
obey(struct trial *trial, const struct command *command)
{
    struct move move =
        ruling_move(trial->ruling, MOVE_PLAY, post_time(trial->input->post));
    move.command = *command;
    move.command.seat = (uint8_t)trial->seat;
    ruling_answered(trial->ruling, trial->input->post->author);
    enum refusal refusal = ruling_play(trial->ruling, &move);
    if (refusal == REFUSAL_NONE) {
        ruling_lock(trial->ruling, trial->input->post);
        return HEARD_ACT;
    }
    trial->ruling->answered[0] = '\0';
    answer_refusal(trial, refusal, command->target);
    return HEARD_ANSWERED;
}

static enum judgement
judge_vote(struct trial *trial)
{
    const struct game *game = &trial->table->game;
    const struct input *input = trial->input;
    seat_set bit = seat_bit(trial->seat);
    bool yes = trial->intent.yes;
    if (game->rules.ballot == BALLOT_SEALED && !input->post->dm) {
        answer_simply(trial, "hint_sealed", AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    if (game->voted & bit && ((game->ja & bit) != 0) == yes) {
        return HEARD_NOTHING; /* said again, and nothing has changed */
    }
    struct command command = {.kind = COMMAND_VOTE, .yes = yes};
    enum judgement heard = obey(trial, &command);
    if (heard == HEARD_ACT) {
        ruling_acknowledge(trial->ruling, input->post);
    }
    return heard;
}

static enum judgement
judge_card(struct trial *trial)
{
    uint8_t order[3];
    bool enact = trial->intent.kind == INTENT_ENACT;
    speech_order(trial->table->game.hand, enact, order);
    assert(trial->intent.card < 3);
    struct command command = {
        .kind = enact ? COMMAND_ENACT : COMMAND_DISCARD,
        .card = order[trial->intent.card],
    };
    return obey(trial, &command);
}

/* When the president can't change their mind any more.  If the post was read
 * late, that is later, too. */
static int64_t
thought_ends(const struct table *table, const struct move *move)
{
    int64_t thought = table->settings.second_thought;
    bool late = move->now - move->at > thought / 20;
    return (late ? move->now : move->at) + thought;
}

/* An execution can't be taken back, so it is announced first; another name
 * replaces the first. */
static enum judgement
announced(struct trial *trial, struct command *command)
{
    struct ruling *ruling = trial->ruling;
    struct game tried = trial->table->game;
    struct events events;
    bool again = trial->table->announced != NO_SEAT;
    command->seat = (uint8_t)trial->seat;
    if (trial->table->announced == command->target) {
        return HEARD_NOTHING;
    }
    enum refusal refusal = game_step(&tried, command, &events);
    if (refusal != REFUSAL_NONE) {
        answer_refusal(trial, refusal, command->target);
        return HEARD_ANSWERED;
    }
    struct move move =
        ruling_move(ruling, MOVE_ANNOUNCE, post_time(trial->input->post));
    move.number = command->target + 1U;
    move.until = thought_ends(trial->table, &move);
    ruling_answered(ruling, trial->input->post->author);
    (void)ruling_play(ruling, &move);
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf until = BUF_INIT;
    speech_init(&speech, ruling->env, trial->table, NULL);
    speech_seat(&speech, "target", command->target);
    speech_time(ruling->env, trial->table, move.until, &until);
    params_text(&speech.params, "until", buf_text(&until));
    params_number(&speech.params, "again", again);
    speech_say(&speech, "aimed", &text);
    ruling_post(ruling, &text)->calls = trial->table->phase;
    buf_release(&until);
    rich_release(&text);
    speech_release(&speech);
    return HEARD_ACT;
}

static enum judgement
judge_act(struct trial *trial)
{
    struct command command = {.kind = COMMAND_NOMINATE};
    switch (trial->intent.kind) {
    case INTENT_VOTE:
        return judge_vote(trial);
    case INTENT_PASS:
    case INTENT_ENACT:
        return judge_card(trial);
    case INTENT_NOMINATE:
        command.target = (uint8_t)trial->intent.player;
        return obey(trial, &command);
    case INTENT_TARGET:
        command.kind = COMMAND_TARGET;
        command.target = (uint8_t)trial->intent.player;
        return trial->awaits.question == QUESTION_EXECUTION &&
                       trial->table->settings.second_thought > 0
                   ? announced(trial, &command)
                   : obey(trial, &command);
    case INTENT_VETO:
        command.kind = COMMAND_ASK_VETO;
        return obey(trial, &command);
    case INTENT_VETO_REPLY:
        command.kind = COMMAND_ANSWER_VETO;
        command.yes = trial->intent.yes;
        return obey(trial, &command);
    case INTENT_AMBIGUOUS:
        if (trial->reading.phase == PHASE_DM_BALLOT && trial->input->ordered) {
            return HEARD_NOTHING; /* the command was answered already */
        }
        ask_back(trial);
        return HEARD_ANSWERED;
    case INTENT_NONE:
        break;
    }
    return HEARD_NOTHING;
}

/* Somebody who is asked for a card and writes something else is told so,
 * once. */
static enum judgement
hint_cards(struct trial *trial)
{
    struct speech speech;
    begin_answer(trial, &speech);
    params_number(&speech.params, "president_asks",
                  trial->reading.phase == PHASE_DM_PRESIDENT);
    answer(trial, &speech, "hint_cards", AGAIN_DROP);
    speech_release(&speech);
    return HEARD_ANSWERED;
}

/* Is it an answer that belongs in a private message, by one of the government?
 * What is told depends neither on the hand nor on whose turn it is, so this
 * doesn't either. */
static bool
is_card_answer(const struct trial *trial)
{
    const struct game *game = &trial->table->game;
    struct buf why = BUF_INIT;
    bool found = false;
    if (trial->input->post->dm || !game->in_session ||
        (trial->seat != game->president && trial->seat != game->chancellor)) {
        return false;
    }
    for (unsigned i = 0; i < 2; i++) {
        struct reading reading = {.phase = PHASE_DM_PRESIDENT, .hand = "FLF"};
        vocabulary_lend(&trial->vocabulary, &reading);
        struct intent intent;
        if (i == 1) {
            reading.phase = PHASE_DM_CHANCELLOR;
            memcpy(reading.hand, "LF", sizeof "LF");
        }
        intent_read(trial->input->rich, &reading, &intent, &why);
        found =
            found || intent.kind == INTENT_PASS || intent.kind == INTENT_ENACT;
    }
    buf_release(&why);
    return found;
}

/* Does the next candidate, or the one when this was posted, name a chancellor
 * before the round is open? */
static bool
names_early(const struct trial *trial)
{
    const struct game *game = &trial->table->game;
    struct reading reading = trial->reading;
    struct intent intent;
    struct buf why = BUF_INIT;
    bool just_opened = game->question == QUESTION_NOMINATE &&
                       seat_in(trial->seat, trial->awaits.seats) &&
                       post_time(trial->input->post) < trial->table->since;
    if (trial->input->post->dm ||
        (!just_opened && trial->seat != game_next_candidate(game))) {
        return false;
    }
    reading.phase = PHASE_NOMINATION;
    intent_read(trial->input->rich, &reading, &intent, &why);
    buf_release(&why);
    return intent.kind == INTENT_NOMINATE;
}

/* What nobody asked for is answered once, if it looks like an answer. */
static enum judgement
judge_unasked(struct trial *trial)
{
    const struct input *input = trial->input;
    if (input->post->dm && !input->ordered) {
        answer_simply(trial, "private_nothing", AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    if (is_card_answer(trial)) {
        answer_simply(trial, "hint_private", AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    if (names_early(trial)) {
        answer_simply(trial, "hint_early", AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    return HEARD_NOTHING;
}

/* A player who almost acted is told how; once per question, and never in a way
 * that could count (READING.md E9). */
static enum judgement
hint(struct trial *trial)
{
    if (trial->input->post->dm) {
        return hint_cards(trial);
    }
    unsigned player = 0;
    enum phase phase = trial->reading.phase;
    const struct game *game = &trial->table->game;
    if (!(trial->awaits.seats & seat_bit(trial->seat)) ||
        !intent_nearly(trial->input->rich, &trial->reading, &player)) {
        return judge_unasked(trial);
    }
    if (phase != PHASE_VOTING) {
        answer_simply(trial, "hint_name", AGAIN_DROP);
    } else if (game->rules.ballot == BALLOT_SEALED) {
        answer_simply(trial, "hint_sealed", AGAIN_DROP);
    } else {
        answer_simply(trial, "hint_vote", AGAIN_DROP);
    }
    return HEARD_ANSWERED;
}

/* An unclear post asks nothing of somebody who has answered already. */
static bool
has_answered(const struct trial *trial)
{
    return trial->intent.kind == INTENT_AMBIGUOUS &&
           !(trial->awaits.seats & seat_bit(trial->seat));
}

/* Somebody who has lost the seat by absence, and is there again, is told how to
 * get it back. */
static enum judgement
judge_absent(struct trial *trial)
{
    if (trial->input->ordered) {
        return HEARD_NOTHING;
    }
    answer_simply(trial, "seat_vacant", AGAIN_DROP);
    return HEARD_ANSWERED;
}

enum judgement
referee_judge(struct ruling *ruling, const struct input *input, struct buf *why)
{
    const struct table *table = ruling->table;
    struct trial trial = {.ruling = ruling, .table = table, .input = input};
    trial.seat = table_seat(table, input->post->author);
    if (table->state != TABLE_RUNNING || trial.seat == NO_SEAT ||
        !seat_in(trial.seat, table->game.living)) {
        buf_add_text(why, "not a player of a running game");
        return HEARD_NOTHING;
    }
    if (seat_in(trial.seat, table->game.vacant)) {
        buf_add_text(why, "the player's seat is vacant");
        return judge_absent(&trial);
    }
    if (input->post->edited < 0) {
        buf_add_text(why, "E1: edited before it was read, and nobody can "
                          "say when");
        return HEARD_NOTHING;
    }
    trial.awaits = game_awaits(&table->game);
    bool read = input->post->dm ? private_phase(&trial, &trial.reading.phase)
                                : public_phase(&trial, &trial.reading.phase);
    set_reading(&trial);
    if (!read || post_time(input->post) < table->since) {
        buf_add_text(why, "nothing of that kind is awaited of this player");
        return judge_unasked(&trial);
    }
    intent_read(input->rich, &trial.reading, &trial.intent, why);
    if (has_answered(&trial)) {
        return judge_unasked(&trial);
    }
    enum judgement heard = judge_act(&trial);
    if (trial.intent.kind == INTENT_NONE && !input->ordered) {
        heard = hint(&trial);
    }
    return heard;
}
