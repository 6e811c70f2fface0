#include "bot/host/words/private.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/words/speech.h"

/* A message to a seat's player about a round, in their language. */
struct draft {
    struct ruling *ruling;
    unsigned seat;
    struct speech speech;
};

static void
begin(struct draft *draft, struct ruling *ruling,
      const struct past_round *round, unsigned seat)
{
    draft->ruling = ruling;
    draft->seat = seat;
    speech_init_for(&draft->speech, ruling->env, ruling->table, round, seat);
}

/* Send a key; a vacant seat has nobody to read it. */
static void
send(struct draft *draft, const char *key)
{
    const struct table *table = draft->ruling->table;
    struct rich text = {.count = 0};
    if (!(table->game.vacant & seat_bit(draft->seat))) {
        speech_say(&draft->speech, key, &text);
        ruling_private(draft->ruling, table->people[draft->seat].user, &text);
        rich_release(&text);
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

/* Code points of a text: its length as people see it. */
static size_t
text_length(const struct rich *rich)
{
    size_t length = 0;
    const char *text = buf_text(&rich->text);
    for (size_t i = 0; i < rich->text.len; i++) {
        length += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return length;
}

/* Sort seats by the length of their names, the longest first. */
static void
sort_by_name(const struct table *table, unsigned order[PLAYERS_MAX])
{
    size_t lengths[PLAYERS_MAX];
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct rich name = {.count = 0};
        rich_add_text(&name, table->people[seat].name, 0);
        lengths[seat] = text_length(&name);
        rich_release(&name);
        unsigned at = seat;
        for (; at > 0 && lengths[order[at - 1]] < lengths[seat]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = seat;
    }
}

/* The length of the longest role message in any deal among these people: a
 * Fascist's or Hitler's, who may learn the most names. */
static size_t
longest_role(const struct host_env *env, const struct table *table)
{
    struct table *other = must_alloc(sizeof *other);
    unsigned order[PLAYERS_MAX] = {0};
    unsigned fascists = game_fascist_count(table->seated);
    size_t longest = 0;
    sort_by_name(table, order);
    for (unsigned hitler = 0; hitler <= fascists; hitler += fascists) {
        struct rich text = {.count = 0};
        *other = *table;
        other->game.hitler = (uint8_t)order[hitler];
        other->game.fascists = 0;
        for (unsigned i = 0; i <= fascists; i++) {
            if (i != hitler) {
                other->game.fascists |= seat_bit(order[i]);
            }
        }
        say_role(env, other, order[fascists], &text);
        size_t length = text_length(&text);
        longest = length > longest ? length : longest;
        rich_wipe(&text);
    }
    sodium_memzero(other, sizeof *other);
    free(other);
    return longest;
}

/* Every role message has the same first line and the same length, so that a
 * lock screen or a notification gives nothing away.  That length does not
 * depend on the deal, although the names in a Fascist's message do. */
static void
send_roles(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    size_t longest = longest_role(ruling->env, table);
    struct rich texts[PLAYERS_MAX];
    memset(texts, 0, sizeof texts);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        say_role(ruling->env, table, seat, &texts[seat]);
        size_t length = text_length(&texts[seat]);
        longest = length > longest ? length : longest;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        rich_add_text(&texts[seat], "\n", 0);
        for (size_t i = text_length(&texts[seat]); i < longest + 2; i++) {
            catalogue_say(ruling->env->catalogue, "role_padding", NULL,
                          &texts[seat]);
        }
        ruling_private(ruling, table->people[seat].user, &texts[seat]);
        rich_wipe(&texts[seat]);
    }
}

/* ---- cards --------------------------------------------------------------- */

/* Add cards to a speech as lines "1 Fascist". */
static void
say_cards(struct speech *speech, struct pile cards, bool chancellor,
          struct rich *lines)
{
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
    params_rich(&speech->params, "cards", lines);
}

static void
say_question(struct speech *speech, struct rich *out)
{
    const struct game *game = &speech->table->game;
    struct rich lines = {.count = 0};
    bool chancellor = game->question == QUESTION_ENACT;
    say_cards(speech, game->hand, chancellor, &lines);
    speech_say(speech, chancellor ? "hand_chancellor" : "hand", out);
    rich_wipe(&lines);
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
            ruling_private(ruling, table->people[seat].user, &text);
        message->calls = table->phase;
        message->deadline = table->deadline;
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
    struct buf pair = BUF_INIT;
    begin(&draft, ruling, round, event->seat);
    struct params *params = &draft.speech.params;
    const struct host_env *env = draft.speech.env;
    say_pair(&draft.speech, event->cards, &pair);
    params_text(params, "discarded",
                speech_policy(env, event->is_liberal, false));
    params_text(params, "passed", buf_text(&pair));
    send(&draft, ruling->lots_fell ? "lots_discard" : "echo_discard");
    buf_wipe(&pair);
}

static void
echo_enacted(struct ruling *ruling, const struct past_round *round,
             const struct event *event)
{
    struct draft draft;
    if (event->by_chaos || round == NULL) {
        return;
    }
    begin(&draft, ruling, round, round->chancellor);
    struct params *params = &draft.speech.params;
    const struct host_env *env = draft.speech.env;
    bool other = pile_liberals(round->passed) > (event->is_liberal ? 1U : 0U);
    params_text(params, "policy", speech_policy(env, event->is_liberal, false));
    params_text(params, "other", speech_policy(env, other, false));
    send(&draft, ruling->lots_fell ? "lots_enact" : "echo_enact");
}

static void
send_result(struct ruling *ruling, const struct past_round *round,
            const struct event *event)
{
    struct draft draft;
    struct rich lines = {.count = 0};
    begin(&draft, ruling, round, event->seat);
    if (event->kind == EVENT_PEEKED) {
        say_cards(&draft.speech, event->cards, false, &lines);
        send(&draft, "result_peek");
    } else {
        speech_seat(&draft.speech, "target", event->target);
        params_text(
            &draft.speech.params, "party",
            speech_party(draft.speech.env, event->party == PARTY_LIBERAL));
        send(&draft, "result_investigate");
    }
    rich_wipe(&lines);
}

static void
echo_ballot(struct ruling *ruling, const struct past_round *round,
            const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat);
    params_text(&draft.speech.params, "vote",
                speech_vote(&draft.speech, event->yes));
    send(&draft, "echo_ballot");
}

static void
echo_veto(struct ruling *ruling, const struct past_round *round,
          const struct event *event)
{
    struct draft draft;
    begin(&draft, ruling, round, event->seat);
    send(&draft, "echo_veto");
}

/* ---- what a player knows ----------------------------------------------------
 */

/* Say one thing that a seat learned in a round. */
static void
remember(const struct host_env *env, const struct table *table,
         const struct past_round *round, unsigned seat, const char *key,
         struct pile cards, struct rich *out)
{
    struct speech speech;
    struct buf messages = BUF_INIT;
    speech_init_for(&speech, env, table, round, seat);
    speech_government(&speech, round);
    speech_letters(speech.env, cards, &messages);
    params_text(&speech.params, "cards", buf_text(&messages));
    rich_add_text(out, "\n", 0);
    speech_add(&speech, key, out);
    buf_wipe(&messages);
    speech_release(&speech);
}

static void
remember_round(const struct host_env *env, const struct table *table,
               const struct past_round *round, unsigned seat, struct rich *out)
{
    if (seat == round->president && round->drawn.count > 0) {
        remember(env, table, round, seat, "memory_drawn", round->drawn, out);
    }
    if ((seat == round->president || seat == round->chancellor) &&
        round->passed.count > 0) {
        remember(env, table, round, seat,
                 seat == round->president ? "memory_passed" : "memory_given",
                 round->passed, out);
    }
    if (seat == round->president && round->peeked.count > 0) {
        remember(env, table, round, seat, "memory_peeked", round->peeked, out);
    }
}

static void
remember_parties(const struct host_env *env, const struct table *table,
                 unsigned seat, struct rich *out)
{
    for (unsigned target = 0; target < table->seated; target++) {
        struct speech speech;
        if (table->investigated_by[target] != seat) {
            continue;
        }
        speech_init_for(&speech, env, table, NULL, seat);
        speech_seat(&speech, "target", target);
        params_text(&speech.params, "party",
                    speech_party(speech.env, game_party(&table->game, target) ==
                                                 PARTY_LIBERAL));
        rich_add_text(out, "\n", 0);
        speech_add(&speech, "memory_party", out);
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

void
private_hand_over(struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    if (table->game.round > 0 && !(table->game.vacant & seat_bit(seat))) {
        private_memory(ruling->env, table, seat, &text);
        ruling_private(ruling, table->people[seat].user, &text);
    }
    rich_wipe(&text);
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
        if (sealed || seat_in(event->seat, ruling->table->receipts)) {
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
}
