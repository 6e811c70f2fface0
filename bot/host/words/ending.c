#include "bot/host/words/ending.h"

#include <string.h>

#include "bot/host/words/speech.h"

static const char *
ending_key(enum ending ending)
{
    switch (ending) {
    case ENDING_FIVE_LIBERAL:
        return "end_five_liberal";
    case ENDING_HITLER_EXECUTED:
        return "end_hitler_executed";
    case ENDING_SIX_FASCIST:
        return "end_six_fascist";
    case ENDING_HITLER_CHANCELLOR:
        return "end_hitler_chancellor";
    case ENDING_ABANDONED:
    case ENDING_NONE:
        break;
    }
    return "end_abandoned";
}

/* One session: what was drawn, passed on, enacted. */
static void
say_session(const struct host_env *env, const struct table *table,
            const struct past_round *round, struct rich *out)
{
    struct buf drawn = BUF_INIT;
    struct buf passed = BUF_INIT;
    struct buf policy = BUF_INIT;
    speech_letters(env, round->drawn, &drawn);
    speech_letters(env, round->passed, &passed);
    if (round->outcome == PAST_ENACTED) {
        struct pile one = {round->liberal, 1};
        speech_letters(env, one, &policy);
    } else {
        catalogue_text(env->catalogue, "end_session_veto", NULL, &policy);
    }
    struct params params = {.count = 0};
    params_number(&params, "round", round->round);
    params_text(&params, "president",
                table_name_then(table, round->president, round->passed_was));
    params_text(
        &params, "chancellor",
        table_name_then(table, round->chancellor, round->chancellor_was));
    params_text(&params, "drawn", buf_text(&drawn));
    params_text(&params, "passed", buf_text(&passed));
    params_text(&params, "policy", buf_text(&policy));
    if (out->text.len > 0) {
        rich_add_text(out, "\n", 0);
    }
    catalogue_say(env->catalogue, "end_session", &params, out);
    buf_release(&drawn);
    buf_release(&passed);
    buf_release(&policy);
}

void
ending_say(const struct host_env *env, const struct table *table,
           struct rich *out)
{
    const struct game *game = &table->game;
    struct rich sessions = {.count = 0};
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        if (round->outcome == PAST_ENACTED || round->outcome == PAST_VETOED) {
            say_session(env, table, round, &sessions);
        }
    }
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    seat_set all = (seat_set)((1U << table->seated) - 1);
    speech_seat(&speech, "hitler", game->hitler);
    speech_seats(&speech, "fascists", game->fascists);
    speech_seats(&speech, "liberals",
                 (seat_set)(all & ~game->fascists & ~seat_bit(game->hitler)));
    params_number(&speech.params, "fascist_count",
                  game_fascist_count(table->seated));
    params_rich(&speech.params, "sessions", &sessions);
    speech_say(&speech, ending_key((enum ending)game->ending), out);
    if (game->fascists != 0) { /* there was a deal */
        speech_say(&speech, "end_roles", out);
    }
    if (sessions.text.len > 0) {
        speech_say(&speech, "end_sessions", out);
    }
    if (game->fascists != 0) {
        speech_say(&speech, "end_report", out);
    }
    speech_say(&speech, "end_thanks", out);
    speech_release(&speech);
    rich_release(&sessions);
}
