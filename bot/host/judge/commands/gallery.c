#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"

/* Everybody's role, in private and in the asker's own language. */
static void
tell_roles(struct chat_command *chat, unsigned seat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct host_env env = *ruling->env;
    struct rich text = {.count = 0};
    struct speech speech;
    seat_set all = (seat_set)((1U << table->seated) - 1);
    seat_set fascists = table->game.fascists;
    unsigned hitler = table->game.hitler;
    env.catalogue = speech_catalogue(&env, table, seat);
    speech_init(&speech, &env, table, NULL);
    speech_seat(&speech, "hitler", hitler);
    speech_seats(&speech, "fascists", fascists);
    speech_seats(&speech, "liberals",
                 (seat_set)(all & ~fascists & ~seat_bit(hitler)));
    params_number(&speech.params, "fascist_count",
                  game_fascist_count(table->seated));
    speech_say(&speech, "gallery_roles", &text);
    (void)ruling_private(ruling, table->people[seat].user, &text);
    speech_release(&speech);
    rich_wipe(&text);
}

/* Who was executed may ask for the roles where that is set.  They sit in their
 * seat to the end, so they never take another one. */
void
chat_gallery(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(table, post->author);
    struct move move = ruling_move(ruling, MOVE_GALLERY, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (!table->settings.gallery) {
        (void)chat_answer(chat, "gallery_off");
        return;
    }
    if (seat == NO_SEAT || table->state != TABLE_RUNNING ||
        !table_may(table, &move)) {
        (void)chat_answer(chat, "gallery_executed");
        return;
    }
    if (!seat_in(seat, table->gallery)) {
        (void)ruling_play(ruling, &move);
    }
    tell_roles(chat, seat);
    if (!post->dm) {
        chat_acknowledge(chat);
    }
}
