/* People who want to play, and don't know the command yet. */
#include <stdio.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"

/* Does a post say, in words or nearly by the command, that its author joins? */
static bool
wants_in(const struct ruling *ruling, const struct input *input)
{
    const struct language *language = &ruling->env->catalogue->language;
    const char *prefix = ruling->env->place->settings.prefix;
    const char *phrases = language_find(language, "read_join");
    const char *own = language_find(language, "command_join");
    bool english = intent_says(input->rich, prefix, "join", "");
    return english || intent_says(input->rich, prefix, own, phrases);
}

void
signup_hint(struct ruling *ruling, const struct input *input)
{
    const struct table *table = ruling->table;
    const char *user = input->post->author;
    if (!table_is_coming(table) || table->id[0] == '\0' || input->post->dm ||
        ruling->row_count > 0 || ruling->message_count > 0 ||
        table_seat(table, user) != NO_SEAT ||
        place_moderates(ruling->env->place, table, user) ||
        table_reserve(table, user) != NO_SEAT || !wants_in(ruling, input)) {
        return;
    }
    struct chat_command chat = {.ruling = ruling, .input = input};
    ruling_once(ruling, chat_answer(&chat, "hint_join"), user, "hint_join",
                AGAIN_DROP);
}

/* Say to somebody who is at no table where one is open, or will be. */
static struct message *
greet_stranger(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct speech *speech = chat_speech(chat);
    speech_link(speech, table->thread, "");
    params_text(&speech->params, "place", ruling->env->place->name);
    params_number(&speech->params, "open", table->id[0] != '\0');
    struct message *message = chat_answer(chat, "hint_stranger");
    return message;
}

void
signup_greet(struct ruling *ruling, const struct input *input,
             const char *next_id)
{
    const struct table *table = ruling->table;
    const struct host_env *env = ruling->env;
    const char *user = input->post->author;
    unsigned seat = table_seat(table, user);
    if (!input->post->dm || table->state != TABLE_SIGNUP ||
        ruling->row_count > 0 || ruling->message_count > 0 ||
        table_reserve(table, user) != NO_SEAT) {
        return;
    }
    char matter[sizeof "greeted " + TABLE_ID_MAX];
    (void)snprintf(matter, sizeof matter, "greeted %.*s", TABLE_ID_MAX,
                   next_id);
    struct host_env private = *env; /* in the person's own language */
    private.catalogue = speech_catalogue(env, table, seat);
    ruling->env = &private;
    struct chat_command chat = {.ruling = ruling, .input = input};
    struct message *message = seat == NO_SEAT
                                  ? greet_stranger(&chat)
                                  : chat_answer(&chat, "help_signup");
    ruling_once(ruling, message, user, matter, AGAIN_DROP);
    ruling->env = env;
}
