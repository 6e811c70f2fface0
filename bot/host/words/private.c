#include "bot/host/words/private.h"

#include "bot/host/words/speech.h"
#include "bot/host/words/style.h"

/* Tell the player of a seat what nobody else may know. */
static void
tell(struct ruling *ruling, unsigned seat, struct rich *text)
{
    const char *user = ruling->table->seats[seat].user;
    ruling_private(ruling, user, text)->about = ABOUT_SEAT;
    rich_wipe(text);
}

/* A message to a seat's player about what was asked of them in a round, in
 * their language. */
struct draft {
    struct ruling *ruling;
    unsigned seat;
    struct speech speech;
};

static void
begin(struct draft *draft, struct ruling *ruling,
      const struct past_round *round, unsigned seat, enum question question)
{
    draft->ruling = ruling;
    draft->seat = seat;
    speech_init_for(&draft->speech, ruling->env, ruling->table, round, seat);
    speech_set_style(&draft->speech, round, question, seat);
}

/* Send a key; a vacant seat has nobody to read it. */
static void
send(struct draft *draft, const char *key)
{
    const struct table *table = draft->ruling->table;
    struct rich text = {.count = 0};
    if (!(table->game.vacant & seat_bit(draft->seat))) {
        speech_say(&draft->speech, key, &text);
        tell(draft->ruling, draft->seat, &text);
    }
    speech_release(&draft->speech);
}

/* ---- roles --------------------------------------------------------------- */

static void
say_role(const struct host_env *env, const struct table *table, unsigned seat,
         struct rich *out)
{
    const struct game *game = &table->game;
    enum role role = game_role(game, seat);
    struct speech speech;
    speech_init_for(&speech, env, table, NULL, seat);
    speech_set_style(&speech, table_round(table), QUESTION_VOTE, seat);
    params_number(&speech.params, "is_liberal", role == ROLE_LIBERAL);
    params_number(&speech.params, "is_fascist", role == ROLE_FASCIST);
    params_number(&speech.params, "is_hitler", role == ROLE_HITLER);
    params_number(&speech.params, "hitler_knows", game_hitler_knows(game));
    if (role != ROLE_LIBERAL) {
        speech_seat(&speech, "hitler", game->hitler);
        speech_seats(&speech, "mates",
                     (seat_set)(game->fascists & ~seat_bit(seat)));
    }
    speech_say(&speech, "role", out);
    speech_release(&speech);
}

static void
send_roles(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct rich text = {.count = 0};
        say_role(ruling->env, table, seat, &text);
        tell(ruling, seat, &text);
    }
}

/* ---- cards --------------------------------------------------------------- */

/* Add cards to a speech as lines "1 Fascist". */
static void
say_cards(struct speech *speech, struct pile cards, bool chancellor)
{
    struct rich *lines = speech_rich(speech, "cards");
    uint8_t order[3];
    speech_order(cards, chancellor, order);
    for (unsigned i = 0; i < cards.count; i++) {
        struct params params = {.count = 0};
        params_number(&params, "number", i + 1);
        params_text(&params, "policy",
                    speech_policy(speech->env, pile_is_liberal(cards, order[i]),
                                  false));
        if (i > 0) {
            rich_add_text(lines, "\n", 0);
        }
        catalogue_say(speech->env->catalogue, "card", &params, lines);
    }
}

static void
say_question(struct speech *speech, struct rich *out)
{
    const struct game *game = &speech->table->game;
    bool chancellor = game->question == QUESTION_ENACT;
    say_cards(speech, game->hand, chancellor);
    speech_say(speech, chancellor ? "hand_chancellor" : "hand", out);
}

static bool
say_asked(const struct host_env *env, const struct table *table, unsigned seat,
          bool slots, struct rich *out)
{
    const struct game *game = &table->game;
    struct awaits awaits = game_awaits(game);
    if (!(awaits.seats & seat_bit(seat)) || !table_is_secret(table)) {
        return false;
    }
    struct speech speech;
    speech_init_for(&speech, env, table, NULL, seat);
    if (slots) {
        speech_open_slots(&speech);
    }
    speech_set_style(&speech, table_round(table), (enum question)game->question,
                     seat);
    if (game->question == QUESTION_VOTE) {
        speech_say(&speech, "ballot", out);
    } else {
        say_question(&speech, out);
    }
    speech_release(&speech);
    return true;
}

bool
private_question(const struct host_env *env, const struct table *table,
                 unsigned seat, struct rich *out)
{
    return say_asked(env, table, seat, false, out);
}

void
private_ask(struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    if (!(table->game.vacant & seat_bit(seat)) &&
        say_asked(ruling->env, table, seat, true, &text)) {
        struct message *message =
            ruling_private(ruling, table->seats[seat].user, &text);
        message->calls = table->phase;
        message->deadline = table_waits(table) ? 0 : table->deadline;
    }
    rich_wipe(&text);
}

static void
send_ballots(struct ruling *ruling)
{
    for (unsigned seat = 0; seat < ruling->table->seated; seat++) {
        private_ask(ruling, seat);
    }
}

/* "Liberal and Fascist" */
static void
say_pair(const struct speech *speech, struct pile pair, struct buf *out)
{
    const struct host_env *env = speech->env;
    buf_add_text(out, speech_policy(env, pile_is_liberal(pair, 0), false));
    catalogue_text(env->catalogue, "and", NULL, out);
    buf_add_text(out, speech_policy(env, pile_is_liberal(pair, 1), false));
}

static void
echo_passed(struct ruling *ruling, const struct past_round *round,
            const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat, QUESTION_DISCARD);
    struct params *params = &draft.speech.params;
    const struct host_env *env = draft.speech.env;
    say_pair(&draft.speech, event->cards, speech_text(&draft.speech, "passed"));
    params_text(params, "discarded",
                speech_policy(env, event->is_liberal, false));
    params_number(params, "timeout", ruling->cause == NULL);
    send(&draft, ruling->lots_fell ? "lots_discard" : "echo_discard");
}

static void
echo_enacted(struct ruling *ruling, const struct past_round *round,
             const struct event *event)
{
    struct draft draft;
    if (event->by_chaos || round == NULL) {
        return;
    }
    begin(&draft, ruling, round, round->chancellor, QUESTION_ENACT);
    struct params *params = &draft.speech.params;
    const struct host_env *env = draft.speech.env;
    bool other = pile_liberals(round->passed) > (event->is_liberal ? 1U : 0U);
    params_text(params, "policy", speech_policy(env, event->is_liberal, false));
    params_text(params, "other", speech_policy(env, other, false));
    params_number(params, "timeout", ruling->cause == NULL);
    send(&draft, ruling->lots_fell ? "lots_enact" : "echo_enact");
}

static void
send_result(struct ruling *ruling, const struct past_round *round,
            const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat, QUESTION_INVESTIGATE);
    if (event->kind == EVENT_PEEKED) {
        say_cards(&draft.speech, event->cards, false);
        send(&draft, "result_peek");
    } else {
        speech_seat(&draft.speech, "target", event->target);
        params_text(
            &draft.speech.params, "party",
            speech_party(draft.speech.env, event->party == PARTY_LIBERAL));
        send(&draft, "result_investigate");
    }
}

static void
echo_ballot(struct ruling *ruling, const struct past_round *round,
            const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat, QUESTION_VOTE);
    params_text(&draft.speech.params, "vote",
                speech_vote(&draft.speech, event->yes));
    send(&draft, "echo_ballot");
}

static void
echo_veto(struct ruling *ruling, const struct past_round *round,
          const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat, QUESTION_ENACT);
    send(&draft, "echo_veto");
}

/* ---- what a player knows ----------------------------------------------------
 */

/* A thing that a seat learned: how it is told to whoever learned it, and to who
 * has the seat now. */
struct memory {
    const char *own, *former;
    unsigned was; /* who learned it, as in struct past_round */
};

/* Say it; {former} is whose seat it was. */
static void
say_memory(struct speech *speech, const struct memory *memory, unsigned seat,
           struct rich *out)
{
    params_text(&speech->params, "former",
                table_name_then(speech->table, seat, memory->was));
    rich_add_text(out, "\n", 0);
    speech_add(speech, memory->was == 0 ? memory->own : memory->former, out);
}

/* Say one thing that a seat learned in a round. */
static void
remember(const struct host_env *env, const struct table *table,
         const struct past_round *round, unsigned seat,
         const struct memory *memory, struct pile cards, struct rich *out)
{
    struct speech speech;
    speech_init_for(&speech, env, table, round, seat);
    speech_government(&speech, round);
    speech_letters(speech.env, cards, speech_text(&speech, "cards"));
    say_memory(&speech, memory, seat, out);
    speech_release(&speech);
}

static void
remember_round(const struct host_env *env, const struct table *table,
               const struct past_round *round, unsigned seat, struct rich *out)
{
    const struct memory drawn = {"memory_drawn", "memory_drawn_then",
                                 round->passed_was};
    const struct memory passed = {"memory_passed", "memory_passed_then",
                                  round->passed_was};
    const struct memory given = {"memory_given", "memory_given_then",
                                 round->chancellor_was};
    const struct memory peeked = {"memory_peeked", "memory_peeked_then",
                                  round->president_was};
    if (seat == round->president && round->drawn.count > 0) {
        remember(env, table, round, seat, &drawn, round->drawn, out);
    }
    if ((seat == round->president || seat == round->chancellor) &&
        round->passed.count > 0) {
        remember(env, table, round, seat,
                 seat == round->president ? &passed : &given, round->passed,
                 out);
    }
    if (seat == round->president && round->peeked.count > 0) {
        remember(env, table, round, seat, &peeked, round->peeked, out);
    }
}

static void
remember_parties(const struct host_env *env, const struct table *table,
                 unsigned seat, struct rich *out)
{
    for (unsigned target = 0; target < table->seated; target++) {
        const struct memory memory = {"memory_party", "memory_party_then",
                                      table->seats[target].investigator_was};
        struct speech speech;
        if (table->seats[target].investigated_by != seat) {
            continue;
        }
        speech_init_for(&speech, env, table, NULL, seat);
        speech_seat(&speech, "target", target);
        params_text(&speech.params, "party",
                    speech_party(speech.env, game_party(&table->game, target) ==
                                                 PARTY_LIBERAL));
        say_memory(&speech, &memory, seat, out);
        speech_release(&speech);
    }
}

void
private_memory(const struct host_env *env, const struct table *table,
               unsigned seat, struct rich *out)
{
    struct rich question = {.count = 0};
    say_role(env, table, seat, out);
    rich_add_text(out, "\n", 0);
    for (unsigned i = 0; i < table->past_count; i++) {
        remember_round(env, table, &table->past[i], seat, out);
    }
    remember_parties(env, table, seat, out);
    if (private_question(env, table, seat, &question)) {
        rich_add_text(out, "\n\n", 0);
        rich_add_rich(out, &question);
    }
    rich_wipe(&question);
}

bool
private_hand_over(struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    bool dealt = table->state == TABLE_RUNNING && table->game.round > 0;
    if (!dealt || seat == NO_SEAT || seat_in(seat, table->game.vacant)) {
        return false;
    }
    private_memory(ruling->env, table, seat, &text);
    tell(ruling, seat, &text);
    return true;
}

/* ---- events -------------------------------------------------------------- */

static void
write_event(struct ruling *ruling, const struct event *event,
            const struct past_round *round)
{
    bool sealed = ruling->table->game.rules.ballot == BALLOT_SEALED;
    switch ((enum event_kind)event->kind) {
    case EVENT_DEALT:
        send_roles(ruling);
        break;
    case EVENT_NOMINATED:
        if (sealed) {
            send_ballots(ruling);
        }
        break;
    case EVENT_VOTED:
        if (sealed || ruling->table->seats[event->seat].receipts) {
            echo_ballot(ruling, round, event);
        }
        break;
    case EVENT_HAND:
        private_ask(ruling, event->seat);
        break;
    case EVENT_PASSED:
        echo_passed(ruling, round, event);
        private_ask(ruling, event->target);
        break;
    case EVENT_VETO_ASKED:
        echo_veto(ruling, round, event);
        break;
    case EVENT_VETO_ANSWERED:
        if (round != NULL) {
            private_ask(ruling, round->chancellor);
        }
        break;
    case EVENT_ENACTED:
        echo_enacted(ruling, round, event);
        break;
    case EVENT_INVESTIGATED:
    case EVENT_PEEKED:
        send_result(ruling, round, event);
        break;
    case EVENT_ROUND:
    case EVENT_ELECTION:
    case EVENT_CLEARED:
    case EVENT_RESHUFFLED:
    case EVENT_POWER:
    case EVENT_SPECIAL_CALLED:
    case EVENT_EXECUTED:
    case EVENT_FORFEITED:
    case EVENT_LOTS:
    case EVENT_VACATED:
    case EVENT_FILLED:
    case EVENT_ENDED:
    case EVENT_KINDS:
        break;
    }
}

/* ---- how to do what the thread asks -------------------------------------- */

/* The catalogue's text on how to answer the question that the thread asks now;
 * NULL: it asks none, or what it says is enough. */
static const char *
howto_key(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "howto_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? NULL : "howto_vote";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "howto_power";
    case QUESTION_VETO:
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return NULL;
}

static void
send_howto(struct ruling *ruling, unsigned seat, const char *key)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    struct speech speech;
    speech_init_for(&speech, ruling->env, table, NULL, seat);
    speech_say(&speech, key, &text);
    ruling_private(ruling, table->seats[seat].user, &text)->about =
        table->phase;
    speech_release(&speech);
}

/* The thread gets the short form; who is new to what it asks, the long one. */
static void
send_howtos(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    const struct past_round *round = table_round(table);
    const char *key = howto_key(game);
    if (key == NULL || ruling->env->buttons || style_is_full(table, round)) {
        return;
    }
    seat_set asked = (seat_set)(game_awaits(game).seats & ~game->vacant);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, asked) &&
            style_is_full_for(table, round, (enum question)game->question,
                              seat)) {
            send_howto(ruling, seat, key);
        }
    }
}

void
private_write(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct past_round *round = speech_round(table, ruling->first_round);
    for (unsigned i = 0; i < ruling->event_count; i++) {
        const struct event *event = &ruling->events[i];
        if (event->kind == EVENT_ROUND) {
            round = speech_round(table, event->round);
        }
        write_event(ruling, event, round);
    }
    if (table->state == TABLE_RUNNING && table->phase != ruling->first_phase) {
        send_howtos(ruling);
    }
}
