#include "bot/host/judge/referee.h"

#include <assert.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/buttons.h"
#include "bot/host/words/speech.h"

/* The judging of one post. */
struct judging {
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
begin_answer(struct judging *judging, struct speech *speech)
{
    speech_init_for(speech, judging->ruling->env, judging->table, NULL,
                    judging->seat);
    speech_seat(speech, "player", judging->seat);
}

/* What the author has to mend need not be said once the question is over; but
 * who has lost their seat is told how to get it back. */
static struct message *
end_with_question(const struct judging *judging, struct message *message)
{
    if (!seat_in(judging->seat, judging->table->game.vacant)) {
        ruling_about(judging->ruling, message);
    }
    return message;
}

/* Answer by private message, once per matter and question; an attempt, once a
 * minute. */
static void
answer_privately(struct judging *judging, struct speech *speech,
                 const char *key, bool attempt)
{
    struct ruling *ruling = judging->ruling;
    const struct post *post = judging->input->post;
    struct rich text = {.count = 0};
    struct buf matter = BUF_INIT;
    speech_say(speech, key, &text);
    if (attempt) {
        buf_addf(&matter, "attempt %lld",
                 (long long)(post_time(post) / MINUTE_MS));
    } else {
        buf_addf(&matter, "%s_private", key);
    }
    struct message *message =
        end_with_question(judging, ruling_private(ruling, post->author, &text));
    ruling_once(ruling, message, post->author, buf_text(&matter), AGAIN_DROP);
    buf_release(&matter);
    rich_release(&text);
}

static bool
is_pressed(const struct judging *judging)
{
    return judging->input->post->kind == POST_PRESSED;
}

/* Answer the author: in the thread once per matter and question, and after that
 * by private message; in a DM if the post came there; a press as often as it
 * comes.  AGAIN_DROP: only once in any case.  AGAIN_ATTEMPT: all matters are
 * one. */
static void
answer_there(struct judging *judging, struct speech *speech, const char *key,
             enum message_again again)
{
    struct ruling *ruling = judging->ruling;
    const char *user = judging->input->post->author;
    struct rich text = {.count = 0};
    bool dm = judging->input->post->dm;
    if (dm && again == AGAIN_ATTEMPT) {
        answer_privately(judging, speech, key, true);
        return;
    }
    speech_say(speech, key, &text);
    if (is_pressed(judging)) {
        (void)ruling_reply(ruling, &text);
    } else {
        struct message *message =
            end_with_question(judging, dm ? ruling_private(ruling, user, &text)
                                          : ruling_post(ruling, &text));
        if (!dm &&
            strcmp(judging->input->post->place, judging->table->thread) != 0) {
            message->place = must_copy(judging->input->post->place);
        }
        if (!dm || again == AGAIN_DROP) {
            ruling_once(ruling, message, user,
                        again == AGAIN_ATTEMPT ? "attempt" : key, again);
        }
    }
    rich_release(&text);
}

/* The same of what the author has to mend: in private too, for who looks in
 * twice a day must not lose half a day. */
static void
answer(struct judging *judging, struct speech *speech, const char *key,
       enum message_again again)
{
    answer_there(judging, speech, key, again);
    if (!judging->input->post->dm && !is_pressed(judging)) {
        answer_privately(judging, speech, key, again == AGAIN_ATTEMPT);
    }
}

/* That a vote is secret is told in private: in the thread it would show who has
 * not voted yet. */
static void
answer_sealed(struct judging *judging)
{
    struct speech speech;
    begin_answer(judging, &speech);
    answer_privately(judging, &speech, "hint_sealed", true);
    speech_release(&speech);
}

/* Show in private how a player is named, by name: in the thread that could act
 * when it is copied. */
static void
show_name(struct judging *judging, const char *slip, unsigned player)
{
    struct speech speech;
    begin_answer(judging, &speech);
    speech_slip(&speech, slip);
    speech_example(&speech, player);
    speech_seat(&speech, "target", player);
    params_number(&speech.params, "nominates",
                  judging->reading.phase == PHASE_NOMINATION);
    answer_privately(judging, &speech, "hint_paste", true);
    speech_release(&speech);
}

static void
answer_simply(struct judging *judging, const char *key,
              enum message_again again)
{
    struct speech speech;
    begin_answer(judging, &speech);
    answer(judging, &speech, key, again);
    speech_release(&speech);
}

static const char *
ask_key(const struct judging *judging)
{
    bool veto = judging->reading.phase == PHASE_VETO_PRESIDENT;
    switch (judging->intent.question) {
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
    case ASK_OWN_LINE:
        return "ask_own_line";
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

/* The card that a president has answered by its number alone, which says
 * neither to keep it nor to discard it; 0: it is something else. */
static unsigned
bare_number(const struct judging *judging)
{
    const char *text = judging->intent.text;
    bool bare = text[0] >= '1' && text[0] <= '3' && text[1] == '\0';
    return bare && judging->reading.phase == PHASE_DM_PRESIDENT
               ? (unsigned)(text[0] - '0')
               : 0;
}

static void
ask_back(struct judging *judging)
{
    enum question_back question = judging->intent.question;
    struct speech speech;
    if (judging->reading.phase == PHASE_VOTING &&
        judging->table->game.rules.ballot == BALLOT_SEALED) {
        answer_sealed(judging);
        return;
    }
    begin_answer(judging, &speech);
    struct params *params = &speech.params;
    params_text(params, "text", judging->intent.text);
    params_text(params, "word", judging->intent.word);
    params_number(params, "president_asks",
                  judging->reading.phase == PHASE_DM_PRESIDENT);
    params_number(params, "number", bare_number(judging));
    for (unsigned i = 0; i < judging->intent.player_count; i++) {
        speech_seat(&speech, "candidates", judging->intent.players[i]);
    }
    params_number(params, "nominates",
                  judging->reading.phase == PHASE_NOMINATION);
    bool talk = question == ASK_DM || question == ASK_TALKED_ABOUT;
    if (judging->input->post->dm) {
        answer_there(judging, &speech, ask_key(judging), AGAIN_PRIVATE);
    } else {
        answer_there(judging, &speech, ask_key(judging),
                     talk ? AGAIN_DROP : AGAIN_ATTEMPT);
        if (question == ASK_OWN_LINE) {
            show_name(judging, NULL, judging->intent.players[0]);
        } else {
            answer_privately(judging, &speech, ask_key(judging), true);
        }
    }
    speech_release(&speech);
}

static void
answer_refusal(struct judging *judging, enum refusal refusal, unsigned target)
{
    struct speech speech;
    struct buf key = BUF_INIT;
    begin_answer(judging, &speech);
    speech_seat(&speech, "target", target);
    buf_addf(&key, "refused_%s", refusal_key(refusal));
    if (refusal == REFUSAL_VOTED_ALREADY) {
        answer_there(judging, &speech, buf_text(&key), AGAIN_PRIVATE);
    } else {
        answer(judging, &speech, buf_text(&key), AGAIN_PRIVATE);
    }
    buf_release(&key);
    speech_release(&speech);
}

/* Would the engine refuse it?  Then say so. */
static bool
is_refused(struct judging *judging, const struct command *command)
{
    struct game tried = judging->table->game;
    struct events events;
    enum refusal refusal = game_step(&tried, command, &events);
    if (refusal != REFUSAL_NONE) {
        answer_refusal(judging, refusal, command->target);
    }
    return refusal != REFUSAL_NONE;
}

/* Could the player whom the author means not be named? */
static bool
is_refused_name(struct judging *judging, unsigned player)
{
    struct command command = {
        .kind = (uint8_t)(judging->reading.phase == PHASE_NOMINATION
                              ? COMMAND_NOMINATE
                              : COMMAND_TARGET),
        .seat = (uint8_t)judging->seat,
        .target = (uint8_t)player};
    return is_refused(judging, &command);
}

/* ---- what a post is read as ---------------------------------------------- */

/* The phase in which a seat's posts in the thread are read; false: none. */
static bool
public_phase(const struct judging *judging, enum phase *phase)
{
    const struct game *game = &judging->table->game;
    bool awaited = (judging->awaits.seats & seat_bit(judging->seat)) != 0;
    switch (judging->awaits.question) {
    case QUESTION_NOMINATE:
        *phase = PHASE_NOMINATION;
        return awaited;
    case QUESTION_VOTE:
        *phase = PHASE_VOTING;
        return (game_present(game) & seat_bit(judging->seat)) != 0;
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
private_phase(const struct judging *judging, enum phase *phase)
{
    if (!seat_in(judging->seat, table_private_seats(judging->table))) {
        return false;
    }
    *phase = PHASE_DM_BALLOT;
    if (judging->awaits.question == QUESTION_DISCARD) {
        *phase = PHASE_DM_PRESIDENT;
    } else if (judging->awaits.question == QUESTION_ENACT) {
        *phase = PHASE_DM_CHANCELLOR;
    }
    return true;
}

/* The host understands the words that it shows. */
void
referee_words(const struct ruling *ruling, struct vocabulary *words,
              struct reading *reading)
{
    vocabulary_init(words, ruling->env->catalogue, &ruling->table->settings);
    vocabulary_lend(words, reading);
}

/* Is what somebody is called now no name of another's? */
static bool
is_called_alone(const struct table *table, unsigned seat)
{
    const char *now = table->people[seat].now;
    bool alone = now[0] != '\0';
    for (unsigned other = 0; alone && other < table->seated; other++) {
        const struct person *person = &table->people[other];
        alone = other == seat ||
                (names_compare(now, person->name) != NAMES_CLASH &&
                 names_compare(now, person->alias) != NAMES_CLASH &&
                 names_compare(now, person->now) != NAMES_CLASH);
    }
    return alone;
}

void
referee_players(const struct table *table, struct reading *reading)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const struct person *person = &table->people[seat];
        struct nameable *player = &reading->players[seat];
        player->name = person->name;
        player->id = person->user;
        player->alias_count = 0;
        if (person->alias[0] != '\0') {
            player->aliases[player->alias_count++] = person->alias;
        }
        if (is_called_alone(table, seat)) {
            player->aliases[player->alias_count++] = person->now;
        }
    }
    reading->player_count = table->seated;
}

/* In private, cards are named in the player's own language. */
static void
set_words(struct judging *judging)
{
    const struct host_env *env = judging->ruling->env;
    referee_words(judging->ruling, &judging->vocabulary, &judging->reading);
    if (judging->input->post->dm) {
        vocabulary_set_cards(
            &judging->vocabulary,
            speech_catalogue(env, judging->table, judging->seat));
        vocabulary_lend(&judging->vocabulary, &judging->reading);
    }
}

static void
set_reading(struct judging *judging)
{
    const struct table *table = judging->table;
    struct reading *reading = &judging->reading;
    referee_players(table, reading);
    set_words(judging);
    const struct host_env *env = judging->ruling->env;
    reading->bold_names =
        !capabilities_require_red(env->capabilities, table->settings.red);
    reading->mention_names = env->dialect->mention_names;
    reading->special = judging->awaits.question == QUESTION_SPECIAL_ELECTION;
    reading->prefix = table->settings.prefix;
    struct pile hand = table->game.hand;
    uint8_t order[3];
    speech_order(hand, reading->phase == PHASE_DM_CHANCELLOR, order);
    for (unsigned i = 0; i < hand.count && i < 3; i++) {
        reading->hand[i] = pile_is_liberal(hand, order[i]) ? 'L' : 'F';
    }
}

/* ---- acts ---------------------------------------------------------------- */

static enum judgement
obey(struct judging *judging, const struct command *command)
{
    struct move move = ruling_move(judging->ruling, MOVE_PLAY,
                                   post_time(judging->input->post));
    move.command = *command;
    move.command.seat = (uint8_t)judging->seat;
    move.pressed = is_pressed(judging);
    /* A discard opens a question that is put and answered in private. */
    if ((judging->input->post->dm || move.pressed) &&
        command->kind != COMMAND_DISCARD) {
        ruling_unseen(judging->ruling, &move);
    }
    ruling_answered(judging->ruling, judging->input->post->author);
    enum refusal refusal = ruling_play(judging->ruling, &move);
    if (refusal == REFUSAL_NONE) {
        ruling_lock(judging->ruling, judging->input->post);
        return HEARD_ACT;
    }
    judging->ruling->answered[0] = '\0';
    answer_refusal(judging, refusal, command->target);
    return HEARD_ANSWERED;
}

static enum judgement
judge_vote(struct judging *judging)
{
    const struct game *game = &judging->table->game;
    const struct input *input = judging->input;
    seat_set bit = seat_bit(judging->seat);
    bool yes = judging->intent.yes;
    if (game->rules.ballot == BALLOT_SEALED && !input->post->dm &&
        !is_pressed(judging)) {
        answer_sealed(judging);
        return HEARD_ANSWERED;
    }
    if (game->voted & bit && ((game->ja & bit) != 0) == yes) {
        return HEARD_NOTHING; /* said again, and nothing has changed */
    }
    struct command command = {.kind = COMMAND_VOTE, .yes = yes};
    enum judgement heard = obey(judging, &command);
    if (heard == HEARD_ACT) {
        ruling_acknowledge(judging->ruling, input->post);
    }
    return heard;
}

static enum judgement
judge_card(struct judging *judging)
{
    uint8_t order[3];
    bool enact = judging->intent.kind == INTENT_ENACT;
    speech_order(judging->table->game.hand, enact, order);
    assert(judging->intent.card < 3);
    struct command command = {
        .kind = enact ? COMMAND_ENACT : COMMAND_DISCARD,
        .card = order[judging->intent.card],
    };
    return obey(judging, &command);
}

enum {
    FORMULA_LEAST_MS =
        15 * 60 * 1000 /* to take back what a sentence has named */
};

/* How long the president may name another; 0: not at all. */
static int64_t
second_thought(const struct judging *judging)
{
    int64_t thought = judging->table->settings.second_thought;
    bool least = judging->intent.formula && thought < FORMULA_LEAST_MS;
    return least ? FORMULA_LEAST_MS : thought;
}

/* The time until which the president can change their mind.  A post that was
 * read late moves it. */
static int64_t
thought_ends(const struct judging *judging, const struct move *move)
{
    int64_t thought = second_thought(judging);
    bool late = move->now - move->at > thought / 20;
    return (late ? move->now : move->at) + thought;
}

/* An execution can't be taken back, so it is announced first; another name
 * replaces the first. */
static enum judgement
announced(struct judging *judging, struct command *command)
{
    struct ruling *ruling = judging->ruling;
    bool again = judging->table->announced != NO_SEAT;
    command->seat = (uint8_t)judging->seat;
    if (judging->table->announced == command->target) {
        return HEARD_NOTHING;
    }
    if (is_refused(judging, command)) {
        return HEARD_ANSWERED;
    }
    struct move move =
        ruling_move(ruling, MOVE_ANNOUNCE, post_time(judging->input->post));
    move.number = command->target + 1U;
    move.until = thought_ends(judging, &move);
    ruling_answered(ruling, judging->input->post->author);
    (void)ruling_play(ruling, &move);
    struct speech speech;
    struct buf until = BUF_INIT;
    speech_init(&speech, ruling->env, judging->table, NULL);
    speech_seat(&speech, "target", command->target);
    speech_time(ruling->env, judging->table, move.until, &until);
    params_text(&speech.params, "until", buf_text(&until));
    params_number(&speech.params, "again", again);
    const char *key = judging->intent.formula ? "aimed_formula" : "aimed";
    speech_post(&speech, ruling, key)->calls = judging->table->phase;
    buf_release(&until);
    speech_release(&speech);
    return HEARD_ACT;
}

/* Is what is unclear a command that was given in bold?  With a mark in it that
 * turns the direction of writing, it reads as one and as a disguised word. */
static bool
is_a_command(const struct judging *judging)
{
    const char *prefix = judging->table->settings.prefix;
    return strncmp(judging->intent.text, prefix, strlen(prefix)) == 0;
}

static enum judgement
judge_act(struct judging *judging)
{
    struct command command = {.kind = COMMAND_NOMINATE};
    switch (judging->intent.kind) {
    case INTENT_VOTE:
        return judge_vote(judging);
    case INTENT_PASS:
    case INTENT_ENACT:
        return judge_card(judging);
    case INTENT_NOMINATE:
        command.target = (uint8_t)judging->intent.player;
        return obey(judging, &command);
    case INTENT_TARGET:
        command.kind = COMMAND_TARGET;
        command.target = (uint8_t)judging->intent.player;
        return judging->awaits.question == QUESTION_EXECUTION &&
                       second_thought(judging) > 0
                   ? announced(judging, &command)
                   : obey(judging, &command);
    case INTENT_VETO:
        command.kind = COMMAND_ASK_VETO;
        return obey(judging, &command);
    case INTENT_VETO_REPLY:
        command.kind = COMMAND_ANSWER_VETO;
        command.yes = judging->intent.yes;
        return obey(judging, &command);
    case INTENT_AMBIGUOUS:
        if (judging->input->ordered &&
            (judging->reading.phase == PHASE_DM_BALLOT ||
             is_a_command(judging))) {
            return HEARD_NOTHING; /* the command was answered already */
        }
        if (judging->intent.question != ASK_OWN_LINE ||
            !is_refused_name(judging, judging->intent.players[0])) {
            ask_back(judging);
        }
        return HEARD_ANSWERED;
    case INTENT_NONE:
        break;
    }
    return HEARD_NOTHING;
}

/* Is something in it marked as code, as the host's own examples are? */
static bool
has_code(const struct rich *rich)
{
    unsigned marks = 0;
    for (size_t i = 0; i < rich->count; i++) {
        marks |= rich->runs[i].marks;
    }
    return (marks & MARK_CODE) != 0;
}

/* A player who is asked for a card, or a sealed vote, and writes something else
 * is told so. */
static enum judgement
hint_private(struct judging *judging)
{
    struct speech speech;
    begin_answer(judging, &speech);
    params_number(&speech.params, "president_asks",
                  judging->reading.phase == PHASE_DM_PRESIDENT);
    speech_slip(&speech, has_code(judging->input->rich) ? "slip_code" : NULL);
    answer(judging, &speech,
           judging->reading.phase == PHASE_DM_BALLOT ? "ask_ballot"
                                                     : "hint_cards",
           AGAIN_ATTEMPT);
    speech_release(&speech);
    return HEARD_ANSWERED;
}

/* Does the post speak of the veto? */
static bool
speaks_of_veto(const struct judging *judging)
{
    struct reading reading = {.phase = PHASE_VETO_CHANCELLOR};
    unsigned player = 0;
    struct intent intent;
    struct buf why = BUF_INIT;
    vocabulary_lend(&judging->vocabulary, &reading);
    intent_read(judging->input->rich, &reading, &intent, &why);
    buf_release(&why);
    return intent.kind != INTENT_NONE ||
           intent_nearly(judging->input->rich, &reading, &player) != SLIP_NONE;
}

/* Does it choose a card, whatever is in the hand, in code or not? */
static bool
chooses_card(const struct judging *judging)
{
    struct buf why = BUF_INIT;
    struct rich rich = {.count = 0};
    bool found = false;
    rich_add_rich(&rich, judging->input->rich);
    for (size_t i = 0; i < rich.count; i++) {
        rich.runs[i].marks &= ~(unsigned)MARK_CODE;
    }
    for (unsigned i = 0; i < 2; i++) {
        struct reading reading = {.phase = PHASE_DM_PRESIDENT, .hand = "FLF"};
        vocabulary_lend(&judging->vocabulary, &reading);
        struct intent intent;
        if (i == 1) {
            reading.phase = PHASE_DM_CHANCELLOR;
            memcpy(reading.hand, "LF", sizeof "LF");
        }
        intent_read(&rich, &reading, &intent, &why);
        found =
            found || intent.kind == INTENT_PASS || intent.kind == INTENT_ENACT;
    }
    rich_release(&rich);
    buf_release(&why);
    return found;
}

/* Answer one of the government who posts in the session what belongs in a
 * private message.  Nothing of it may depend on the hand or on whose turn it
 * is. */
static bool
tell_private(struct judging *judging)
{
    const struct game *game = &judging->table->game;
    if (judging->input->post->dm || judging->input->ordered ||
        !table_in_session(judging->table) ||
        (judging->seat != game->president &&
         judging->seat != game->chancellor)) {
        return false;
    }
    bool card = chooses_card(judging);
    if (!card && !speaks_of_veto(judging)) {
        return false;
    }
    struct speech speech;
    begin_answer(judging, &speech);
    params_number(&speech.params, "veto_power", game->veto_power);
    answer(judging, &speech,
           card || game->veto_power ? "hint_private" : "refused_veto_not_due",
           AGAIN_ATTEMPT);
    speech_release(&speech);
    return true;
}

/* Does the next candidate, or the one at the time of the post, name a
 * chancellor before the round is open? */
static bool
names_early(const struct judging *judging)
{
    const struct game *game = &judging->table->game;
    struct reading reading = judging->reading;
    struct intent intent;
    struct buf why = BUF_INIT;
    bool just_opened = game->question == QUESTION_NOMINATE &&
                       seat_in(judging->seat, judging->awaits.seats) &&
                       post_time(judging->input->post) < judging->table->since;
    if (judging->input->post->dm ||
        (!just_opened && judging->seat != game_next_candidate(game))) {
        return false;
    }
    reading.phase = PHASE_NOMINATION;
    intent_read(judging->input->rich, &reading, &intent, &why);
    buf_release(&why);
    return intent.kind == INTENT_NOMINATE;
}

/* The round whose vote was closed last; NULL: none was. */
static const struct past_round *
last_closed(const struct table *table)
{
    for (unsigned i = table->past_count; i-- > 0;) {
        if (table->past[i].present != 0) {
            return &table->past[i];
        }
    }
    return NULL;
}

/* Would the post be a vote if there were one? */
static bool
reads_as_vote(const struct judging *judging)
{
    struct reading reading = {
        .phase = judging->input->post->dm ? PHASE_DM_BALLOT : PHASE_VOTING};
    struct intent intent;
    struct buf why = BUF_INIT;
    vocabulary_lend(&judging->vocabulary, &reading);
    intent_read(judging->input->rich, &reading, &intent, &why);
    buf_release(&why);
    return intent.kind == INTENT_VOTE;
}

/* Is it a vote of somebody who has not voted, after the vote was closed? */
static bool
votes_late(const struct judging *judging)
{
    const struct game *game = &judging->table->game;
    const struct past_round *round = last_closed(judging->table);
    bool sealed = game->rules.ballot == BALLOT_SEALED;
    if (judging->input->post->dm != sealed || round == NULL ||
        game->question == QUESTION_VOTE || game->question == QUESTION_VETO ||
        round->chancellor == NO_SEAT ||
        !seat_in(judging->seat, round->present & (seat_set)~round->voted)) {
        return false;
    }
    return reads_as_vote(judging);
}

/* Say so once; in the thread to the first of them, below the result: it is the
 * same for all. */
static void
tell_closed(struct judging *judging)
{
    const struct past_round *round = last_closed(judging->table);
    struct ruling *ruling = judging->ruling;
    int64_t number = round == NULL ? 0 : round->round;
    struct speech speech;
    if (judging->input->post->dm) {
        begin_answer(judging, &speech);
        params_number(&speech.params, "closed_round", number);
        answer(judging, &speech, "hint_closed", AGAIN_DROP);
    } else {
        speech_init(&speech, ruling->env, judging->table, NULL);
        speech_seat(&speech, "player", judging->seat);
        params_number(&speech.params, "closed_round", number);
        struct message *message =
            speech_post(&speech, ruling,
                        judging->input->moved ? "hint_moved" : "hint_closed");
        message->waits = true;
        ruling_once(ruling, message, "", "hint_closed", AGAIN_DROP);
    }
    speech_release(&speech);
}

/* Is it a vote before anybody is nominated? */
static bool
votes_early(const struct judging *judging)
{
    return !judging->input->post->dm &&
           judging->table->game.question == QUESTION_NOMINATE &&
           judging->awaits.seats != 0 && reads_as_vote(judging);
}

static void
tell_early(struct judging *judging)
{
    struct speech speech;
    begin_answer(judging, &speech);
    speech_seat(&speech, "candidate", judging->table->game.president);
    answer(judging, &speech, "hint_vote_early", AGAIN_DROP);
    speech_release(&speech);
}

/* Is it a command that is none, such as "!vote ja"? */
static bool
orders_act(const struct judging *judging)
{
    const char *prefix = judging->table->settings.prefix;
    return !judging->input->ordered &&
           strncmp(buf_text(&judging->input->rich->text), prefix,
                   strlen(prefix)) == 0;
}

/* Tell somebody who writes in private, and is asked nothing there, where what
 * they are asked belongs. */
static enum judgement
point_to_thread(struct judging *judging)
{
    struct speech speech;
    enum phase phase = PHASE_DM_BALLOT;
    bool asked = !table_in_session(judging->table) &&
                 seat_in(judging->seat, judging->awaits.seats) &&
                 public_phase(judging, &phase);
    begin_answer(judging, &speech);
    params_number(&speech.params, "asks", asked);
    params_number(&speech.params, "votes", asked && phase == PHASE_VOTING);
    params_number(&speech.params, "vetoes",
                  asked && phase == PHASE_VETO_PRESIDENT);
    answer(judging, &speech, "private_nothing",
           asked ? AGAIN_ATTEMPT : AGAIN_DROP);
    speech_release(&speech);
    return HEARD_ANSWERED;
}

/* Reply once to an answer that nobody asked for. */
static enum judgement
judge_unasked(struct judging *judging)
{
    const struct input *input = judging->input;
    const struct game *game = &judging->table->game;
    if (votes_late(judging)) {
        tell_closed(judging);
        return HEARD_ANSWERED;
    }
    if (input->moved) {
        return HEARD_NOTHING; /* it is no answer to what is asked by now */
    }
    if (input->post->dm && !input->ordered) {
        return point_to_thread(judging);
    }
    if (tell_private(judging)) {
        return HEARD_ANSWERED;
    }
    if (votes_early(judging)) {
        tell_early(judging);
        return HEARD_ANSWERED;
    }
    if (names_early(judging)) {
        answer_simply(judging, "hint_early", AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    if (orders_act(judging)) {
        answer_simply(judging,
                      game->question == QUESTION_VOTE &&
                              seat_in(judging->seat, game->voted)
                          ? "refused_voted_already"
                          : "refused_not_now",
                      AGAIN_DROP);
        return HEARD_ANSWERED;
    }
    return HEARD_NOTHING;
}

bool
referee_looks_like_answer(const struct rich *rich)
{
    const char *text = buf_text(&rich->text);
    size_t begin = strspn(text, " \n");
    size_t len = strcspn(text + begin, " \n");
    bool found = len > 0 &&
                 text[begin + len + strspn(text + begin + len, " \n")] == '\0';
    for (size_t i = 0; i < rich->count; i++) {
        unsigned marks = rich->runs[i].marks;
        found = found || ((marks & MARK_BOLD) && !(marks & MARKS_EXCLUDED));
    }
    return found;
}

/* Is it somebody's name, nearly, or a name that is nobody's?  A vote, or the
 * answer to a veto, is no name. */
static bool
guesses_name(struct judging *judging)
{
    static const enum phase others[] = {PHASE_VOTING, PHASE_VETO_CHANCELLOR,
                                        PHASE_VETO_PRESIDENT};
    struct buf why = BUF_INIT;
    bool other = false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct reading reading = {.phase = others[i]};
        struct intent intent;
        vocabulary_lend(&judging->vocabulary, &reading);
        intent_read(judging->input->rich, &reading, &intent, &why);
        other = other || intent.kind != INTENT_NONE;
    }
    buf_release(&why);
    return !other && intent_guess(judging->input->rich, &judging->reading,
                                  &judging->intent);
}

/* The sentences that say what was wrong; NULL: that it is not bold. */
static const char *const slips[] = {
    [SLIP_NONE] = NULL,
    [SLIP_BLACK] = "slip_black",
    [SLIP_THIN] = "slip_thin",
    [SLIP_UNCLOSED] = "slip_unclosed",
    [SLIP_MARKS] = "slip_marks",
    [SLIP_CODE] = "slip_code",
    [SLIP_HIDDEN] = "slip_hidden",
    [SLIP_COMMAND] = "slip_command",
};

/* Somebody is named as it doesn't count. */
static void
hint_name(struct judging *judging, enum slip slip, unsigned player)
{
    bool named = player < judging->reading.player_count;
    struct speech speech;
    if (named && slip != SLIP_TALK && is_refused_name(judging, player)) {
        return;
    }
    begin_answer(judging, &speech);
    speech_slip(&speech, slips[slip]);
    if (slip == SLIP_TALK) {
        speech_seat(&speech, "candidates", player);
        answer(judging, &speech, "ask_talked_about", AGAIN_DROP);
    } else if (!named) {
        answer(judging, &speech, "hint_name", AGAIN_ATTEMPT);
    } else {
        answer_there(judging, &speech, "hint_name", AGAIN_ATTEMPT);
        show_name(judging, slips[slip], player);
    }
    speech_release(&speech);
}

/* Tell a player who almost acted what was wrong and how to do it, never in a
 * way that could count (READING.md E9). */
static enum judgement
hint(struct judging *judging)
{
    enum phase phase = judging->reading.phase;
    unsigned player = 0;
    if (judging->input->post->dm) {
        return hint_private(judging);
    }
    if (!seat_in(judging->seat, judging->awaits.seats)) {
        return judge_unasked(judging);
    }
    if (guesses_name(judging)) {
        ask_back(judging);
        return HEARD_ANSWERED;
    }
    enum slip slip =
        intent_nearly(judging->input->rich, &judging->reading, &player);
    if (slip == SLIP_NONE) {
        return judge_unasked(judging);
    }
    if (phase == PHASE_VOTING &&
        judging->table->game.rules.ballot == BALLOT_SEALED) {
        answer_sealed(judging);
    } else if (phase == PHASE_VOTING || phase == PHASE_VETO_PRESIDENT) {
        struct speech speech;
        begin_answer(judging, &speech);
        speech_slip(&speech, slips[slip]);
        answer(judging, &speech,
               phase == PHASE_VOTING ? "hint_vote" : "hint_veto",
               AGAIN_ATTEMPT);
        speech_release(&speech);
    } else {
        hint_name(judging, slip, player);
    }
    return HEARD_ANSWERED;
}

/* A player who has answered already is not asked about an unclear post. */
static bool
has_answered(const struct judging *judging)
{
    return judging->intent.kind == INTENT_AMBIGUOUS &&
           !(judging->awaits.seats & seat_bit(judging->seat));
}

/* Would an answer tell that it is the chancellor's turn? */
static bool
tells_turn(const struct judging *judging)
{
    return judging->intent.kind != INTENT_VETO &&
           judging->reading.phase == PHASE_VETO_CHANCELLOR;
}

/* A player who lost the seat, by absence or by a moderator's command, and is
 * back, is told how to get it back. */
static enum judgement
judge_absent(struct judging *judging)
{
    if (judging->input->ordered) {
        return HEARD_NOTHING;
    }
    struct speech speech;
    begin_answer(judging, &speech);
    params_number(&speech.params, "put_out",
                  seat_in(judging->seat, judging->table->put_out));
    answer(judging, &speech, "seat_vacant", AGAIN_DROP);
    speech_release(&speech);
    return HEARD_ANSWERED;
}

/* ---- presses ------------------------------------------------------------- */

/* Is that choice asked for, and of this player? */
static bool
is_asked_for(const struct judging *judging, enum press_choice choice)
{
    bool awaited = seat_in(judging->seat, judging->awaits.seats);
    switch (judging->awaits.question) {
    case QUESTION_VOTE:
        return choice == PRESS_VOTE &&
               seat_in(judging->seat, game_present(&judging->table->game));
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return choice == PRESS_NAME && awaited;
    case QUESTION_VETO:
        return choice == PRESS_ANSWER_VETO && awaited;
    case QUESTION_DISCARD:
        return choice == PRESS_CARD && awaited;
    case QUESTION_ENACT:
        return awaited &&
               (choice == PRESS_CARD ||
                (choice == PRESS_ASK_VETO && judging->table->game.veto_power));
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

/* What a press means, as if it had been written. */
static void
read_intent(struct judging *judging, const struct press *press)
{
    struct intent *intent = &judging->intent;
    enum question question = judging->awaits.question;
    intent->yes = press->number == 1;
    intent->player = press->number;
    intent->card = press->number;
    switch (press->choice) {
    case PRESS_VOTE:
        intent->kind = INTENT_VOTE;
        break;
    case PRESS_NAME:
        intent->kind =
            question == QUESTION_NOMINATE ? INTENT_NOMINATE : INTENT_TARGET;
        break;
    case PRESS_CARD:
        intent->kind =
            question == QUESTION_DISCARD ? INTENT_PASS : INTENT_ENACT;
        break;
    case PRESS_ASK_VETO:
        intent->kind = INTENT_VETO;
        break;
    case PRESS_ANSWER_VETO:
        intent->kind = INTENT_VETO_REPLY;
        break;
    case PRESS_JOIN:
    case PRESS_LEAVE:
    case PRESS_READY:
    case PRESS_SHOW_ROLE:
    case PRESS_SHOW_CARDS:
        break;
    }
}

/* The act of each intent, and the sentence that asks about it. */
static const struct {
    enum command_kind command;
    const char *sure;
} acts[] = {
    [INTENT_VOTE] = {COMMAND_VOTE, "press_vote"},
    [INTENT_NOMINATE] = {COMMAND_NOMINATE, "press_nominate"},
    [INTENT_TARGET] = {COMMAND_TARGET, "press_target"},
    [INTENT_VETO] = {COMMAND_ASK_VETO, "press_ask_veto"},
    [INTENT_VETO_REPLY] = {COMMAND_ANSWER_VETO, "press_veto"},
    [INTENT_PASS] = {COMMAND_DISCARD, "press_discard"},
    [INTENT_ENACT] = {COMMAND_ENACT, "press_enact"},
};

/* The card of a press, as its position in the hand. */
static uint8_t
card_of(const struct judging *judging, const struct press *press)
{
    uint8_t order[3];
    speech_order(judging->table->game.hand,
                 judging->intent.kind == INTENT_ENACT, order);
    return order[press->number];
}

static void
ask_whether(struct judging *judging, const struct press *press)
{
    struct ruling *ruling = judging->ruling;
    struct rich text = {.count = 0};
    struct speech speech;
    begin_answer(judging, &speech);
    params_number(&speech.params, "agrees", press->number);
    if (press->choice == PRESS_NAME) {
        speech_seat(&speech, "target", press->number);
    }
    if (press->choice == PRESS_CARD) {
        params_number(&speech.params, "number", press->number + 1);
        params_text(&speech.params, "policy",
                    speech_policy(speech.env,
                                  pile_is_liberal(judging->table->game.hand,
                                                  card_of(judging, press)),
                                  false));
    }
    speech_say(&speech, acts[judging->intent.kind].sure, &text);
    (void)ruling_reply(ruling, &text);
    buttons_to_confirm(&speech, press, &ruling->buttons);
    rich_release(&text);
    speech_release(&speech);
}

/* Would the engine refuse it?  Then there is nothing to confirm. */
static bool
is_refused_press(struct judging *judging, const struct press *press)
{
    struct command command = {.kind =
                                  (uint8_t)acts[judging->intent.kind].command,
                              .seat = (uint8_t)judging->seat,
                              .yes = press->number == 1};
    if (press->choice == PRESS_NAME) {
        command.target = (uint8_t)press->number;
    }
    if (press->choice == PRESS_CARD) {
        command.yes = false;
        command.card = card_of(judging, press);
    }
    return is_refused(judging, &command);
}

/* Does it choose one of those that there are? */
static bool
is_possible(const struct judging *judging, const struct press *press)
{
    return (press->choice != PRESS_NAME ||
            press->number < judging->table->seated) &&
           (press->choice != PRESS_CARD ||
            press->number < judging->table->game.hand.count);
}

void
referee_press(struct ruling *ruling, const struct input *input,
              const struct press *press)
{
    const struct table *table = ruling->table;
    struct judging judging = {.ruling = ruling, .table = table, .input = input};
    judging.seat = table_player(table, input->post->author);
    judging.awaits = game_awaits(&table->game);
    if (judging.seat == NO_SEAT || !is_asked_for(&judging, press->choice) ||
        !is_possible(&judging, press)) {
        answer_simply(&judging, "press_not_asked", AGAIN_POST);
        return;
    }
    read_intent(&judging, press);
    if (is_refused_press(&judging, press)) {
        return;
    }
    if (!press->confirmed) {
        ask_whether(&judging, press);
    } else if (judge_act(&judging) != HEARD_ANSWERED) {
        answer_simply(&judging, "press_counts", AGAIN_POST);
    }
}

/* ---- posts --------------------------------------------------------------- */

enum judgement
referee_judge(struct ruling *ruling, const struct input *input, struct buf *why)
{
    const struct table *table = ruling->table;
    struct judging judging = {.ruling = ruling, .table = table, .input = input};
    judging.seat = table_seat(table, input->post->author);
    if (table->state != TABLE_RUNNING || judging.seat == NO_SEAT ||
        !seat_in(judging.seat, table->game.living)) {
        buf_add_text(why, REFEREE_NO_PLAYER);
        return HEARD_NOTHING;
    }
    if (seat_in(judging.seat, table->game.vacant)) {
        buf_add_text(why, "the player's seat is vacant");
        return judge_absent(&judging);
    }
    if (input->post->edited < 0) {
        buf_add_text(why, "E1: edited before it was read, and nobody can "
                          "say when");
        return HEARD_NOTHING;
    }
    judging.awaits = game_awaits(&table->game);
    bool read = input->post->dm
                    ? private_phase(&judging, &judging.reading.phase)
                    : public_phase(&judging, &judging.reading.phase);
    set_reading(&judging);
    /* Who has taken over a seat may have written in private before that. */
    if (!read || post_time(input->post) < table->since ||
        post_time(input->post) < table->people[judging.seat].came) {
        buf_add_text(why, input->moved && post_time(input->post) < table->since
                              ? "moved here too late"
                              : REFEREE_NOT_AWAITED);
        return judge_unasked(&judging);
    }
    intent_read(input->rich, &judging.reading, &judging.intent, why);
    if (judging.intent.question == ASK_UNKNOWN_NAME) {
        (void)guesses_name(&judging);
    }
    if (tells_turn(&judging)) {
        buf_clear(why); /* anybody may ask how it was read */
        buf_add_text(why, REFEREE_NOT_AWAITED);
        return judge_unasked(&judging);
    }
    if (has_answered(&judging)) {
        return judge_unasked(&judging);
    }
    enum judgement heard = judge_act(&judging);
    if (judging.intent.kind == INTENT_NONE && !input->ordered) {
        heard = hint(&judging);
    }
    return heard;
}

void
referee_show_way(struct ruling *ruling, const struct input *input)
{
    const struct table *table = ruling->table;
    struct judging judging = {.ruling = ruling, .table = table, .input = input};
    struct buf why = BUF_INIT;
    judging.seat = table_seat(table, input->post->author);
    judging.awaits = game_awaits(&table->game);
    /* In a session nothing may show who is awaited. */
    if (input->ordered || input->aside || table_in_session(table) ||
        judging.seat == NO_SEAT ||
        !seat_in(judging.seat, judging.awaits.seats) ||
        !public_phase(&judging, &judging.reading.phase) ||
        post_time(input->post) < table->since) {
        return;
    }
    set_reading(&judging);
    intent_read(input->rich, &judging.reading, &judging.intent, &why);
    buf_release(&why);
    if (judging.intent.kind == INTENT_VOTE &&
        table->game.rules.ballot == BALLOT_SEALED) {
        answer_sealed(&judging);
    } else if (judging.intent.kind != INTENT_NONE) {
        struct speech speech;
        begin_answer(&judging, &speech);
        speech_link(&speech, table->thread, "");
        answer(&judging, &speech, "hint_beside", AGAIN_DROP);
        speech_release(&speech);
    }
}
