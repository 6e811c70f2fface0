#include "bot/host/words/catchup.h"

#include <string.h>

#include "bot/host/words/speech.h"
#include "bot/host/words/status.h"
#include "bot/host/words/stories.h"

enum {
    CATCHUP_MAX = 1000 /* code points */
};

static bool
is_since(const struct past_round *round, int64_t since)
{
    return round->told > since;
}

/* Was something claimed since then about a round? */
static bool
was_claimed(const struct table *table, const struct past_round *round,
            int64_t since)
{
    for (unsigned i = 0; i < table->claim_count; i++) {
        if (table->claims[i].round == round->round &&
            table->claims[i].at > since) {
            return true;
        }
    }
    return false;
}

static bool
has_news(const struct table *table, const struct past_round *round,
         int64_t since)
{
    return is_since(round, since) || was_claimed(table, round, since);
}

bool
catchup_has_news(const struct table *table, int64_t since)
{
    for (unsigned i = 0; i < table->past_count; i++) {
        if (has_news(table, &table->past[i], since)) {
            return true;
        }
    }
    return false;
}

static const char *
power_key(const struct past_round *round)
{
    switch ((enum power)round->power) {
    case POWER_INVESTIGATE:
        return "catchup_investigated";
    case POWER_SPECIAL_ELECTION:
        return "catchup_special";
    case POWER_EXECUTION:
        return "catchup_executed";
    case POWER_NONE:
    case POWER_PEEK:
        break;
    }
    return round->peeked.count > 0 ? "catchup_peeked" : NULL;
}

/* What came of a round, what was claimed about it; and if that is new, who
 * voted how, and what its power did. */
static void
say_round(const struct speech *speech, unsigned seat,
          const struct past_round *round, int64_t since, struct rich *out)
{
    const struct table *table = speech->table;
    struct speech own;
    status_round(speech->env, table, round, true, out);
    if (!is_since(round, since)) {
        return;
    }
    speech_init_for(&own, speech->env, table, round, seat);
    speech_votes(&own, table, round, false);
    speech_seat(&own, "target", round->target);
    if (round->chancellor != NO_SEAT) {
        speech_add(&own, "catchup_votes", out);
    }
    if (power_key(round) != NULL) {
        speech_add(&own, power_key(round), out);
    }
    speech_release(&own);
}

/* Who took a seat since then; which are empty. */
static void
say_people(struct speech *speech, int64_t since, struct rich *out)
{
    const struct table *table = speech->table;
    seat_set came = 0;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (table->seats[seat].came > since) {
            came |= seat_bit(seat);
        }
    }
    seat_set empty = table->game.vacant & table->game.living;
    speech_seats(speech, "came", came);
    speech_seats(speech, "empty", empty);
    if (came != 0 || empty != 0) {
        speech_add(speech, "catchup_people", out);
    }
}

/* The round that is on, and what it asks of them. */
static void
say_now(struct speech *speech, unsigned seat, struct rich *out)
{
    const struct table *table = speech->table;
    const struct game *game = &table->game;
    const struct past_round *round = table_round(table);
    bool asked = seat != NO_SEAT && !table->paused &&
                 seat_in(seat, game_awaits(game).seats);
    if (round != NULL && round->outcome == PAST_NOT_YET &&
        round->chancellor != NO_SEAT) {
        struct speech own;
        bool secret = game->question == QUESTION_VOTE &&
                      game->rules.ballot == BALLOT_SEALED;
        speech_init_for(&own, speech->env, table, round, seat);
        speech_votes(&own, table, round, secret);
        speech_say(&own, "votes", out);
        speech_release(&own);
    }
    rich_add_text(out, "\n\n", 0);
    status_line(speech->env, table, out);
    if (asked) {
        speech_say(
            speech,
            table_in_session(table) ? "catchup_cards" : status_asks(game), out);
    } else {
        bool vacant = seat != NO_SEAT && seat_in(seat, game->vacant);
        speech_seat(speech, "player", seat);
        params_number(&speech->params, "put_out",
                      vacant && seat_in(seat, table->put_out));
        speech_say(speech, vacant ? "seat_vacant" : "catchup_unasked", out);
    }
}

static void
say_from(const struct speech *about, unsigned seat, int64_t since,
         unsigned from, struct rich *out)
{
    const struct table *table = about->table;
    struct speech speech;
    bool left_out = false;
    speech_init_for(&speech, about->env, table, NULL, seat);
    for (unsigned i = 0; i < from; i++) {
        left_out = left_out || has_news(table, &table->past[i], since);
    }
    params_number(&speech.params, "whole", since <= table->began);
    speech_set_time(&speech, "since", since);
    params_number(&speech.params, "nothing", !catchup_has_news(table, since));
    params_number(&speech.params, "left_out", left_out);
    speech_say(&speech, "catchup", out);
    rich_add_text(out, "\n", 0);
    for (unsigned i = from; i < table->past_count; i++) {
        if (has_news(table, &table->past[i], since)) {
            say_round(&speech, seat, &table->past[i], since, out);
        }
    }
    say_people(&speech, since, out);
    say_now(&speech, seat, out);
    speech_release(&speech);
}

void
catchup_say(const struct host_env *env, const struct table *table,
            unsigned seat, int64_t since, struct rich *out)
{
    struct speech speech;
    bool fits = false;
    speech_init_for(&speech, env, table, NULL, seat);
    for (unsigned from = 0; !fits && from <= table->past_count; from++) {
        rich_clear(out);
        say_from(&speech, seat, since, from, out);
        fits = length_of(LENGTH_POINTS, buf_text(&out->text), out->text.len) <=
               CATCHUP_MAX;
    }
    speech_release(&speech);
}
