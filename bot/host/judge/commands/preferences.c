/* What players choose for themselves: the zone in which they are told times,
 * how they are reminded, and whether they are shown emoji. */
#include <stdio.h>
#include <string.h>

#include "bot/base/zone.h"
#include "bot/host/judge/commands/chat_command.h"

/* Is the rest of the line that word? */
static bool
chose(const struct chat_command *chat, const char *key, const char *english)
{
    return chat_matches(chat, buf_text(&chat->rest), key, english);
}

/* ---- times ----------------------------------------------------------------
 */

/* Say which zone it is from now on, and the time that it is there. */
static void
say_zone(struct chat_command *chat, const struct zone *zone, const char *name)
{
    const struct host_env *env = chat->ruling->env;
    struct speech *speech = chat_speech(chat);
    params_text(&speech->params, "zone", name);
    catalogue_time(env->catalogue, chat->input->post->stamp, zone,
                   speech_text(speech, "time"));
    (void)chat_answer(chat, "zone_done");
}

void
chat_zone(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct host_env *env = ruling->env;
    struct move move = chat_move(chat, MOVE_ZONE);
    const char *name = buf_text(&chat->rest);
    bool off = chose(chat, "word_off", "off");
    const struct zone *zone = off ? env->zone : NULL;
    if (!off && *name != '\0' && env->zones != NULL) {
        zone = zones_find(env->zones, name);
    }
    (void)snprintf(move.text, sizeof move.text, "%s", off ? "" : name);
    if (table_seat(ruling->table, move.user) == NO_SEAT) {
        (void)chat_answer(chat, "preference_players");
    } else if (zone == NULL || !table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "zone_bad");
    } else {
        (void)ruling_play(ruling, &move);
        say_zone(chat, zone,
                 off ? ruling->env->place->settings.zone : move.text);
    }
}

/* ---- reminders ------------------------------------------------------------
 */

void
chat_remind(struct chat_command *chat)
{
    static const struct {
        const char *key, *english, *done;
    } choices[] = {
        [REMINDERS_THREAD] = {"word_thread", "thread", "remind_by_thread"},
        [REMINDERS_PRIVATE] = {"word_private", "private", "remind_by_private"},
        [REMINDERS_OFF] = {"word_off", "off", "remind_by_nothing"},
    };
    struct ruling *ruling = chat->ruling;
    struct move move = chat_move(chat, MOVE_REMINDERS);
    move.reminders = REMINDERS_OFF + 1;
    for (unsigned i = 0; i <= REMINDERS_OFF; i++) {
        if (chose(chat, choices[i].key, choices[i].english)) {
            move.reminders = (enum reminders)i;
        }
    }
    if (table_seat(ruling->table, move.user) == NO_SEAT) {
        (void)chat_answer(chat, "preference_players");
    } else if (!table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "remind_bad");
    } else {
        (void)ruling_play(ruling, &move);
        (void)chat_answer(chat, choices[move.reminders].done);
    }
}

/* ---- emoji ----------------------------------------------------------------
 */

void
chat_emoji(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_move(chat, MOVE_EMOJI);
    bool off = chose(chat, "word_off", "off");
    move.no_emoji = off;
    if (!table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "preference_players");
    } else if (!off && !chose(chat, "word_on", "on")) {
        (void)chat_answer(chat, "emoji_bad");
    } else {
        (void)ruling_play(ruling, &move);
        (void)chat_answer(chat, off ? "emoji_off" : "emoji_on");
    }
}
