/* The desk: who can be reached, and where the bot itself still is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/words/notice.h"
#include "bot/tables/tables_inner.h"

/* Does a private message to the author of a post wait since it was refused? */
static bool
is_missed(struct desk *desk, const struct service *service,
          const struct post *post, const struct envelope *envelope)
{
    return envelope->state == ENVELOPE_WAITING && envelope->refused_at != 0 &&
           envelope->letter.kind == LETTER_PRIVATE &&
           strcmp(envelope->letter.user, post->author) == 0 &&
           desk_service(desk, envelope->place) == service;
}

/* Whoever is there again gets what could not be delivered.  A post that is read
 * once more is no sign of its author. */
static enum err
try_again(struct desk *desk, const struct service *service,
          const struct post *post, struct buf *why)
{
    bool asked = false;
    bool seen = false;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->outbox.count; i++) {
        struct envelope *envelope = desk->outbox.list[i];
        if (!is_missed(desk, service, post, envelope)) {
            continue;
        }
        if (!asked && post->kind == POST_WRITTEN) {
            err = store_was_seen(desk->store, service->name, post, &seen, why);
        }
        asked = true;
        if (err == ERR_NONE && !seen) {
            envelope_hasten(envelope);
        }
    }
    return err;
}

/* A post of ours stands in a thread: what waits for approval there may have
 * been approved. */
static void
look_again(struct desk *desk, const struct service *service, const char *thread)
{
    for (size_t i = 0; i < desk->outbox.count; i++) {
        struct envelope *envelope = desk->outbox.list[i];
        if (envelope->state == ENVELOPE_WAITING && envelope->queued != 0 &&
            strcmp(envelope->thread, thread) == 0 &&
            desk_service(desk, envelope->place) == service) {
            envelope->not_before = 0;
        }
    }
}

enum err
desk_look_over(struct desk *desk, const struct service *service,
               struct page *page, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        struct post *post = &page->posts[i];
        if (!post->talk) {
            err = store_is_talk(desk->store, service->name, post->place,
                                &post->talk, why);
        }
        desk_leave_place(desk, service, post);
        if (err == ERR_NONE && !post->own && !post->machine && !post->pending &&
            (post->kind == POST_WRITTEN || post->kind == POST_CAME)) {
            err = try_again(desk, service, post, why);
        }
        if (post->own && !post->pending && post->kind == POST_WRITTEN) {
            look_again(desk, service, post->place);
        }
    }
    return err;
}

/* Once the president has chosen, nothing that is written to the government may
 * be told of: it would tell that.  (bot/host/judge/timers.c tells of the
 * chancellor's cards as the session would end.) */
bool
desk_is_hidden(const struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    return table->state == TABLE_RUNNING &&
           table->game.question == QUESTION_ENACT &&
           (seat == table->game.president || seat == table->game.chancellor);
}

enum err
desk_missed(struct desk *desk, const struct envelope *envelope,
            enum reach reach, int64_t now, struct buf *why)
{
    struct table *table = desk_table_named(desk, envelope->game);
    struct docket docket;
    if (table == NULL || desk_is_hidden(table, envelope->letter.user)) {
        return ERR_NONE; /* its game is over, or nobody is to know */
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    desk_unlist(desk, table);
    reach_missed(&docket, envelope->letter.user, reach);
    desk_list(desk, table);
    enum err err = desk_save(desk, &docket, why);
    docket_release(&docket);
    return err;
}

/* ---- threads of games ---------------------------------------------------- */

enum err
desk_opened(struct desk *desk, const struct envelope *envelope,
            const char *thread, const char *cursor, int64_t now,
            struct buf *why)
{
    struct table *table = desk_table_named(desk, envelope->game);
    struct docket docket;
    if (table == NULL || !table->opening) {
        log_line(LOG_LEVEL_WARNING,
                 "game %s has begun where it was opened: its own thread came "
                 "too late",
                 envelope->game);
        return ERR_NONE;
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    struct move move = docket_move(&docket, MOVE_THREAD, 0);
    (void)snprintf(move.thread, sizeof move.thread, "%s", thread);
    desk_unlist(desk, table);
    (void)docket_play(&docket, &move);
    desk_list(desk, table);
    notice_status(&docket);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    desk->acted = true;
    return err == ERR_NONE && table->home[0] != '\0'
               ? desk_add_thread(desk, table, cursor, why)
               : err;
}

bool
desk_wants(const struct desk *desk, const struct envelope *envelope)
{
    if (envelope->letter.kind != LETTER_OPEN) {
        return true;
    }
    const struct table *table = desk_table_named(desk, envelope->game);
    return table != NULL && table->opening;
}

bool
desk_pins(const struct desk *desk, const struct envelope *envelope)
{
    const struct table *table = desk_table_named(desk, envelope->game);
    return table == NULL ||
           (!table->opening && strcmp(table->thread, envelope->thread) == 0);
}

/* ---- the operator -------------------------------------------------------- */
