#include "bot/host/judge/referee.h"

#include <assert.h>
#include <string.h>

#include "bot/host/judge/answer.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/buttons.h"

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
    const char *now = table->seats[seat].now;
    bool alone = now[0] != '\0';
    for (unsigned other = 0; alone && other < table->seated; other++) {
        const struct seat *person = &table->seats[other];
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
        const struct seat *person = &table->seats[seat];
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

/* What the intent, which is an act, commands. */
static struct command
command_of(const struct judging *judging)
{
    const struct intent *intent = &judging->intent;
    enum intent_kind kind = intent->kind;
    struct command command = {.kind = (uint8_t)acts[kind].command,
                              .seat = (uint8_t)judging->seat};
    if (kind == INTENT_NOMINATE || kind == INTENT_TARGET) {
        command.target = (uint8_t)intent->player;
    } else if (kind == INTENT_PASS || kind == INTENT_ENACT) {
        uint8_t order[3];
        speech_order(judging->table->game.hand, kind == INTENT_ENACT, order);
        assert(intent->card < 3);
        command.card = order[intent->card];
    } else if (kind != INTENT_VETO) {
        command.yes = intent->yes;
    }
    return command;
}

static enum judgement
obey(struct judging *judging)
{
    struct move move = ruling_move(judging->ruling, MOVE_PLAY,
                                   post_time(judging->input->post));
    move.command = command_of(judging);
    move.pressed = judging->input->post->kind == POST_PRESSED;
    /* A discard opens a question that is put and answered in private. */
    if ((judging->input->post->dm || move.pressed) &&
        move.command.kind != COMMAND_DISCARD) {
        ruling_unseen(judging->ruling, &move);
    }
    ruling_answered(judging->ruling, judging->input->post->author);
    enum refusal refusal = ruling_play(judging->ruling, &move);
    if (refusal == REFUSAL_NONE) {
        ruling_lock(judging->ruling, judging->input->post);
        return HEARD_ACT;
    }
    judging->ruling->answered[0] = '\0';
    return answer_refusal(judging, refusal, move.command.target);
}

static enum judgement
judge_vote(struct judging *judging)
{
    const struct game *game = &judging->table->game;
    const struct input *input = judging->input;
    seat_set bit = seat_bit(judging->seat);
    bool yes = judging->intent.yes;
    if (game->rules.ballot == BALLOT_SEALED && !input->post->dm &&
        input->post->kind != POST_PRESSED) {
        return answer_sealed(judging);
    }
    if (game->voted & bit && ((game->ja & bit) != 0) == yes) {
        return HEARD_NOTHING; /* said again, and nothing has changed */
    }
    enum judgement heard = obey(judging);
    if (heard == HEARD_ACT) {
        ruling_acknowledge(judging->ruling, input->post);
    }
    return heard;
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
announced(struct judging *judging)
{
    struct command command = command_of(judging);
    struct ruling *ruling = judging->ruling;
    bool again = judging->table->announced != NO_SEAT;
    if (judging->table->announced == command.target) {
        return HEARD_NOTHING;
    }
    if (answer_if_refused(judging, &command)) {
        return HEARD_ANSWERED;
    }
    struct move move =
        ruling_move(ruling, MOVE_ANNOUNCE, post_time(judging->input->post));
    move.announced = command.target;
    move.until = thought_ends(judging, &move);
    ruling_answered(ruling, judging->input->post->author);
    (void)ruling_play(ruling, &move);
    struct speech speech;
    speech_init(&speech, ruling->env, judging->table, NULL);
    speech_seat(&speech, "target", command.target);
    speech_set_time(&speech, "until", move.until);
    params_number(&speech.params, "again", again);
    const char *key = judging->intent.formula ? "aimed_formula" : "aimed";
    speech_post(&speech, ruling, key)->calls = judging->table->phase;
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
    switch (judging->intent.kind) {
    case INTENT_VOTE:
        return judge_vote(judging);
    case INTENT_TARGET:
        return judging->awaits.question == QUESTION_EXECUTION &&
                       second_thought(judging) > 0
                   ? announced(judging)
                   : obey(judging);
    case INTENT_NOMINATE:
    case INTENT_PASS:
    case INTENT_ENACT:
    case INTENT_VETO:
    case INTENT_VETO_REPLY:
        return obey(judging);
    case INTENT_AMBIGUOUS:
        if (judging->input->ordered &&
            (judging->reading.phase == PHASE_DM_BALLOT ||
             is_a_command(judging))) {
            return HEARD_NOTHING; /* the command was answered already */
        }
        return answer_unclear(judging);
    case INTENT_NONE:
        break;
    }
    return HEARD_NOTHING;
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
    params_number(&answer_begin(judging)->params, "put_out",
                  seat_in(judging->seat, judging->table->put_out));
    return answer_say(judging, "seat_vacant", AGAIN_DROP);
}

/* ---- presses ------------------------------------------------------------- */

/* What each question asks people to press, and what that means. */
static const struct {
    enum press_choice choice;
    enum intent_kind kind;
} asked[] = {
    [QUESTION_NONE] = {.kind = INTENT_NONE},
    [QUESTION_DEAL] = {.kind = INTENT_NONE},
    [QUESTION_RESHUFFLE] = {.kind = INTENT_NONE},
    [QUESTION_NOMINATE] = {PRESS_NAME, INTENT_NOMINATE},
    [QUESTION_VOTE] = {PRESS_VOTE, INTENT_VOTE},
    [QUESTION_DISCARD] = {PRESS_CARD, INTENT_PASS},
    [QUESTION_ENACT] = {PRESS_CARD, INTENT_ENACT},
    [QUESTION_VETO] = {PRESS_ANSWER_VETO, INTENT_VETO_REPLY},
    [QUESTION_INVESTIGATE] = {PRESS_NAME, INTENT_TARGET},
    [QUESTION_SPECIAL_ELECTION] = {PRESS_NAME, INTENT_TARGET},
    [QUESTION_EXECUTION] = {PRESS_NAME, INTENT_TARGET},
};

/* What a choice means, as if it had been written; INTENT_NONE: it is not asked
 * for, or not of this player. */
static enum intent_kind
kind_of(const struct judging *judging, enum press_choice choice)
{
    const struct game *game = &judging->table->game;
    enum question question = judging->awaits.question;
    seat_set seats =
        question == QUESTION_VOTE ? game_present(game) : judging->awaits.seats;
    if (!seat_in(judging->seat, seats)) {
        return INTENT_NONE;
    }
    if (question == QUESTION_ENACT && choice == PRESS_ASK_VETO) {
        return game->veto_power ? INTENT_VETO : INTENT_NONE;
    }
    return choice == asked[question].choice ? asked[question].kind
                                            : INTENT_NONE;
}

/* What a press asks about or, once it is done, what it did. */
static void
say_press(struct judging *judging, const struct press *press, bool done,
          struct rich *text)
{
    struct speech *speech = answer_begin(judging);
    params_number(&speech->params, "agrees", press->number);
    params_number(&speech->params, "done", done);
    if (press->choice == PRESS_NAME) {
        speech_seat(speech, "target", press->number);
    }
    if (press->choice == PRESS_CARD) {
        params_number(&speech->params, "number", press->number + 1);
        params_text(&speech->params, "policy",
                    speech_policy(speech->env,
                                  pile_is_liberal(judging->table->game.hand,
                                                  command_of(judging).card),
                                  false));
    }
    speech_say(speech, acts[judging->intent.kind].sure, text);
    if (!done) {
        buttons_to_confirm(speech, press, &judging->ruling->buttons);
    }
    answer_end(judging);
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
    struct rich text = {.count = 0};
    judging.seat = table_player(table, input->post->author);
    judging.awaits = game_awaits(&table->game);
    judging.intent = (struct intent){.yes = press->number == 1,
                                     .player = press->number,
                                     .card = press->number};
    if (judging.seat != NO_SEAT && is_possible(&judging, press)) {
        judging.intent.kind = kind_of(&judging, press->choice);
    }
    if (judging.intent.kind == INTENT_NONE) {
        (void)answer_simply(&judging, "press_not_asked", AGAIN_POST);
        return;
    }
    struct command command = command_of(&judging);
    if (answer_if_refused(&judging, &command)) {
        return; /* there is nothing to confirm */
    }
    /* In the words of the question as it is now. */
    say_press(&judging, press, press->confirmed, &text);
    if (!press->confirmed || judge_act(&judging) != HEARD_ANSWERED) {
        (void)ruling_reply(ruling, &text);
    }
    rich_wipe(&text);
}

/* ---- posts --------------------------------------------------------------- */

static enum judgement
judge_post(struct ruling *ruling, const struct input *input, struct buf *why)
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
        post_time(input->post) < table->seats[judging.seat].came) {
        buf_add_text(why, input->moved && post_time(input->post) < table->since
                              ? "moved here too late"
                              : REFEREE_NOT_AWAITED);
        return answer_unasked(&judging);
    }
    intent_read(input->rich, &judging.reading, &judging.intent, why);
    if (judging.intent.question == ASK_UNKNOWN_NAME) {
        (void)answer_guess(&judging);
    }
    if (tells_turn(&judging)) {
        buf_clear(why); /* anybody may ask how it was read */
        buf_add_text(why, REFEREE_NOT_AWAITED);
        return answer_unasked(&judging);
    }
    if (has_answered(&judging)) {
        return answer_unasked(&judging);
    }
    enum judgement heard = judge_act(&judging);
    if (judging.intent.kind == INTENT_NONE && !input->ordered) {
        heard = answer_attempt(&judging);
    }
    return heard;
}

enum judgement
referee_judge(struct ruling *ruling, const struct input *input, struct buf *why)
{
    struct rich rest = {.count = 0};
    struct input own = *input;
    intent_without_bot(input->rich, ruling->env->self, &rest);
    own.rich = &rest;
    enum judgement heard = judge_post(ruling, &own, why);
    rich_wipe(&rest);
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
        (void)answer_sealed(&judging);
    } else if (judging.intent.kind != INTENT_NONE) {
        (void)speech_link(answer_begin(&judging), table->thread, "");
        (void)answer_say(&judging, "hint_beside", AGAIN_DROP);
    }
}
