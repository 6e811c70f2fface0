#include "bot/host/words/absence.h"

void
absence_call(struct speech *speech, const char *name, seat_set seats)
{
    const struct table *table = speech->table;
    seat_set away = table_away(table, speech->env->now);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, seats & away)) {
            params_person(&speech->params, name, "", table->seats[seat].name);
        } else if (seat_in(seat, seats)) {
            speech_seat(speech, name, seat);
        }
    }
}

void
absence_say_remedy(struct speech *speech, struct rich *out)
{
    params_number(&speech->params, "together",
                  speech->table->settings.table_moderates);
    speech_add(speech, "away_remedy", out);
}

/* Of a session both are asked: which of them is slow is nobody's business. */
static seat_set
asked_seats(const struct table *table)
{
    const struct game *game = &table->game;
    if (table_in_session(table)) {
        return seat_bit(game->president) | seat_bit(game->chancellor);
    }
    return game_awaits(game).seats;
}

void
absence_add(struct speech *speech, struct rich *out)
{
    const struct table *table = speech->table;
    seat_set away = asked_seats(table) & table_away(table, speech->env->now);
    if (away == 0) {
        return;
    }
    struct rich *list = speech_rich(speech, "list");
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (!seat_in(seat, away)) {
            continue;
        }
        if (list->text.len > 0) {
            speech_add(speech, "list_separator", list);
        }
        params_text(&speech->params, "name", table->seats[seat].name);
        speech_set_time(speech, "until", table->seats[seat].away);
        speech_add(speech, "away_one", list);
    }
    speech_say(speech, "away_now", out);
    rich_add_text(out, " ", 0);
    absence_say_remedy(speech, out);
}
