/*
 * The desk: places that were closed or encrypted while the host was there.
 *
 * A service that closes a place may say which one replaces it.  The host looks
 * for the configured place again, is led to the new one, and takes along
 * whatever games the old one had.
 */
#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/words/notice.h"
#include "bot/tables/tables_inner.h"

void
desk_topic(struct desk *desk, const struct envelope *envelope, int64_t now,
           struct buf *topic)
{
    const struct table *table = desk_table_named(desk, envelope->game);
    const struct place *place = desk_place(desk, envelope->place);
    struct house house = desk_house_for(
        desk, desk_service(desk, envelope->place), place,
        table != NULL ? &table->settings : &place->settings, now);
    catalogue_text(house.catalogue, "talk_topic", NULL, topic);
}

/* ---- places that are looked for again ------------------------------------ */

/* Forget where a configured place is, and where its moderators talk. */
static void
forget_place(struct desk *desk, const struct service *service,
             const char *thread, const char *words)
{
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        const char *name = desk->conf->places[i].name;
        if (desk_service_of(desk, i) != service) {
            continue;
        }
        if (strcmp(desk->threads[i], thread) == 0) {
            log_line(LOG_LEVEL_WARNING, "place \"%s\": %s", name, words);
            desk->threads[i][0] = '\0';
        }
        if (strcmp(desk->moderators_talks[i], thread) == 0) {
            log_line(LOG_LEVEL_WARNING, "place \"%s\", moderators_talk: %s",
                     name, words);
            desk->moderators_talks[i][0] = '\0';
        }
    }
}

void
desk_leave_place(struct desk *desk, const struct service *service,
                 const struct post *post)
{
    if (post->kind == POST_MOVED) {
        forget_place(desk, service, post->place,
                     "it was closed; the host looks for what replaces it");
    } else if (post->own && post->kind == POST_LEFT) {
        forget_place(desk, service, post->place,
                     "the host has left it, or was put out");
    }
}

/* ---- games that go along ------------------------------------------------- */

/* Is the thread of a game neither the place's, as that was found, nor its own?
 */
static bool
is_astray(const struct desk *desk, const struct table *table, unsigned number)
{
    return table->home[0] == '\0' && desk->threads[number][0] != '\0' &&
           strcmp(table->place, desk->conf->places[number].name) == 0 &&
           strcmp(table->thread, desk->threads[number]) != 0;
}

const char *
desk_astray(struct desk *desk, unsigned number)
{
    const struct service *service = desk_service_of(desk, number);
    for (size_t i = 0; service->adapter->traits.moves && i < desk->table_count;
         i++) {
        if (is_astray(desk, desk->tables[i], number)) {
            return desk->tables[i]->thread;
        }
    }
    return NULL;
}

/* What was not sent yet goes to the new place; what was to change a status post
 * that stands in the old one does not. */
static enum err
move_letters(struct desk *desk, const char *place, const char *old,
             const char *new, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = desk->outbox.count; err == ERR_NONE && i-- > 0;) {
        struct envelope *envelope = desk->outbox.list[i];
        if (strcmp(envelope->place, place) != 0 ||
            strcmp(envelope->thread, old) != 0) {
            continue;
        }
        if (envelope->letter.kind == LETTER_STATUS &&
            envelope->sent[0] != '\0') {
            outbox_done(&desk->outbox, envelope->id);
            continue;
        }
        err = store_move_letter(desk->store, envelope, new, why);
        envelope_hasten(envelope);
    }
    return err;
}

/* A game goes on in the new place, and says so there. */
static enum err
move_table(struct desk *desk, struct table *table, const char *new, int64_t now,
           struct buf *why)
{
    struct docket docket;
    struct house house = desk_house(desk, table, now);
    desk_unlist(desk, table);
    (void)snprintf(table->thread, sizeof table->thread, "%s", new);
    desk_list(desk, table);
    docket_init(&docket, &house, table);
    reach_moved(&docket);
    notice_status(&docket);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

enum err
desk_moved(struct desk *desk, unsigned number, const char *old, int64_t now,
           struct buf *why)
{
    const char *place = desk->conf->places[number].name;
    const char *new = desk->threads[number];
    char from[ADAPTER_ID_MAX + 1];
    (void)snprintf(from, sizeof from, "%s", old);
    enum err err = store_begin(desk->store, why);
    if (err != ERR_NONE) {
        return err;
    }
    err = store_move_games(desk->store, place, from, new, why);
    if (err == ERR_NONE) {
        err = move_letters(desk, place, from, new, why);
    }
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        struct table *table = desk->tables[i];
        if (is_astray(desk, table, number) &&
            strcmp(table->thread, from) == 0) {
            log_line(LOG_LEVEL_INFO, "game %s goes on in %s", table->id, new);
            err = move_table(desk, table, new, now, why);
        }
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(desk->store);
    }
    desk->acted = true;
    return err;
}

/* ---- posts of a place that a game has left ------------------------------- */

enum err
desk_follow_post(struct desk *desk, const struct table *table,
                 struct read_post *post, struct buf *why)
{
    struct buf status = BUF_INIT;
    enum err err = ERR_NONE;
    if (strcmp(post->place, table->thread) != 0) {
        err = store_status_post(desk->store, table->id, post->place, &status,
                                why);
    }
    if (status.len > 0) {
        (void)snprintf(post->place, sizeof post->place, "%s", table->thread);
    }
    buf_release(&status);
    return err;
}

/* ---- encryption ---------------------------------------------------------- */

enum err
desk_encrypted(struct desk *desk, struct service *service,
               const struct post *post, int64_t now, struct buf *why)
{
    struct table *table = desk_table_of_thread(desk, service, post->place);
    struct buf text = BUF_INIT;
    struct docket docket;
    bool again = false;
    enum err err = store_see(desk->store, service->name, post, "", &again, why);
    if (err != ERR_NONE || again ||
        (table == NULL &&
         desk_place_of_thread(desk, service, post->place) == NULL)) {
        return err;
    }
    buf_addf(&text,
             "%s: the room %s is encrypted from now on, so the host can read "
             "nothing there, and that can't be undone",
             service->name, post->place);
    log_line(LOG_LEVEL_WARNING, "%s", buf_text(&text));
    err = desk_alarm(desk, buf_text(&text), now, why);
    buf_release(&text);
    if (err != ERR_NONE || table == NULL) {
        return err;
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    docket.cause = post->id;
    desk_unlist(desk, table);
    reach_encrypted(&docket);
    desk_list(desk, table);
    err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    desk->acted = true;
    return err;
}
