#include "bot/host/words/gallery.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"

/* Everybody's role, in private and in the asker's own language. */
static void
tell_roles(struct chat_command *chat, unsigned seat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    struct speech speech;
    speech_init_for(&speech, ruling->env, table, NULL, seat);
    speech_roles(&speech);
    speech_say(&speech, "gallery_roles", &text);
    ruling_private(ruling, table->seats[seat].user, &text)->about = ABOUT_SEAT;
    speech_release(&speech);
}

static bool
is_open(const struct chat_command *chat)
{
    return chat->ruling->env->capabilities->galleries;
}

/* Why somebody without a seat is not let in; NULL: they may be.  A role that
 * opens the door of the place is seen only with a press. */
static const char *
refusal_of_watcher(const struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    const struct table *table = chat->ruling->table;
    const char *author = chat->input->post->author;
    return !is_open(chat) ? "gallery_none"
           : env->place->join_role_count > 0 && env->capabilities->roles
               ? "gallery_door"
           : table_reserve(table, author) != NO_SEAT ? "gallery_reserve"
           : table->watcher_count == TABLE_WATCHERS_MAX &&
                   !table_is_watcher(table, author)
               ? "gallery_full"
               : NULL;
}

/* The same of anybody. */
static const char *
refusal(const struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    unsigned seat = table_seat(table, chat->input->post->author);
    if (table->id[0] == '\0') {
        return "gallery_where";
    }
    if (strcmp(table->settings.gallery, "off") == 0) {
        return "gallery_off";
    }
    if (table->state != TABLE_RUNNING ||
        (seat != NO_SEAT && seat_in(seat, table->game.living))) {
        return "gallery_seated";
    }
    if (seat == NO_SEAT) {
        return refusal_of_watcher(chat);
    }
    return gallery_has_something(chat->ruling->env, table) ? NULL
                                                           : "gallery_none";
}

static void
answer_coming(struct chat_command *chat, unsigned seat)
{
    params_number(&chat_speech(chat)->params, "executed", seat != NO_SEAT);
    (void)chat_answer(chat, "gallery_coming");
}

/* The executed, and people without a seat, are let into the gallery; the
 * executed are also told the roles where that is set.  What they learn belongs
 * to no seat: the executed sit in theirs to the end, and the others never take
 * one.  Who asks again is let in again, for they may have left. */
void
chat_gallery(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(table, post->author);
    struct move move = chat_move(chat, MOVE_GALLERY);
    const char *why_not = refusal(chat);
    if (why_not != NULL) {
        (void)chat_answer(chat, why_not);
        return;
    }
    if (seat == NO_SEAT && !chat_may_join(chat)) {
        return;
    }
    bool known = seat != NO_SEAT ? seat_in(seat, table->gallery)
                                 : table_is_watcher(table, post->author);
    if (!known && table_may(table, &move)) {
        (void)ruling_play(ruling, &move);
    }
    if (is_open(chat)) {
        answer_coming(chat, seat);
        gallery_invite(ruling, post->author);
    }
    if (seat != NO_SEAT && strcmp(table->settings.gallery, "roles") == 0) {
        tell_roles(chat, seat);
        if (!post->dm && !is_open(chat)) {
            chat_acknowledge(chat);
        }
    }
}
