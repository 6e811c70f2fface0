/*
 * The desk is opened for hosting: what the store has is taken up, and what the
 * host can look up.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/tables/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_inner.h"

/* ---- what is configured -------------------------------------------------- */

static enum err
add_place(struct desk *desk, unsigned number, const struct secrets *secrets,
          struct buf *why)
{
    const struct place *place = &desk->conf->places[number];
    const struct settings *settings = &place->settings;
    const struct catalogue *catalogue = NULL;
    enum err err = library_open(&desk->library, settings->language,
                                settings->theme, &catalogue, why);
    if (err == ERR_NONE && strcmp(settings->zone, "UTC") != 0) {
        err = zone_load(settings->zone, &desk->zones[number], why);
    }
    if (err != ERR_NONE || desk_service_named(desk, place->service) != NULL) {
        return err;
    }
    if (strcmp(place->service, CONF_BOARD) != 0 &&
        conf_account(desk->conf, place->service) == NULL) {
        return err_say(why, ERR_CONFIG,
                       "place \"%s\": no service is called \"%s\"", place->name,
                       place->service);
    }
    service_set(&desk->services[desk->service_count++], desk->conf, secrets,
                place->service);
    return ERR_NONE;
}

/* ---- annals ---------------------------------------------------------------
 */

static bool
find_post(void *context, const struct table *table, const char *id,
          struct read_post *post)
{
    struct desk *desk = context;
    const struct service *service = desk_service(desk, table->place);
    struct buf why = BUF_INIT;
    bool found = false;
    if (service == NULL ||
        store_find_post(desk->store, service->name, table->thread, id, post,
                        &found, &why) != ERR_NONE ||
        (found && desk_follow_post(desk, table, post, &why) != ERR_NONE)) {
        log_line(LOG_LEVEL_WARNING, "game %s: %s", table->id, buf_text(&why));
        found = false;
    }
    buf_release(&why);
    return found;
}

static bool
find_before(void *context, const struct table *table, const char *id,
            struct before *before)
{
    struct desk *desk = context;
    struct buf why = BUF_INIT;
    bool found = false;
    if (recover_before(desk->store, table->id, id, before, &found, &why) !=
        ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        found = false;
    }
    buf_release(&why);
    return found;
}

static unsigned
find_request(void *context, const struct table *table, const char *id)
{
    struct desk *desk = context;
    struct buf why = BUF_INIT;
    unsigned number = 0;
    if (store_request(desk->store, table->id, id, &number, &why) != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        number = 0;
    }
    buf_release(&why);
    return number;
}

static bool
find_last(void *context, const char *thread, const struct place *place,
          struct table *table)
{
    struct desk *desk = context;
    struct store_game game;
    struct buf why = BUF_INIT;
    bool found = false;
    enum err err =
        store_last_game(desk->store, thread, place->name, &game, &found, &why);
    if (err == ERR_NONE && found) {
        err = recover_table(desk->store, game.id, table, &why);
    }
    if (err != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "%s", buf_text(&why));
        found = false;
    }
    buf_release(&why);
    return found;
}

/* ---- tables -------------------------------------------------------------- */

/* Its key is lost: it is held, and its thread is to be told. */
static void
lose_game(struct desk *desk, const struct store_game *game)
{
    desk->lost =
        must_grow(desk->lost, (desk->lost_count + 1) * sizeof desk->lost[0]);
    desk->lost[desk->lost_count++] = *game;
}

static enum err
recover_game(void *context, const struct store_game *game, struct buf *why)
{
    struct desk *desk = context;
    struct table table;
    struct buf trouble = BUF_INIT;
    enum err err = ERR_NONE;
    (void)why;
    desk_note_thread(desk, game->place, game->thread);
    if (game->over) {
        return ERR_NONE;
    }
    if (desk_service(desk, game->place) == NULL) {
        log_line(LOG_LEVEL_WARNING,
                 "game %s waits: its place \"%s\" is not in the "
                 "configuration",
                 game->id, game->place);
    } else if (game->held) {
        log_line(LOG_LEVEL_WARNING,
                 "game %s is held: placard has died on it before", game->id);
    } else if ((err = recover_table(desk->store, game->id, &table, &trouble)) !=
               ERR_NONE) {
        log_line(LOG_LEVEL_ERROR, "%s", buf_text(&trouble));
        if (err == ERR_DENIED) {
            lose_game(desk, game);
        }
    } else {
        if (table.home[0] == '\0') {
            /* It may have moved since it was opened. */
            (void)snprintf(table.thread, sizeof table.thread, "%s",
                           game->thread);
        }
        desk_add_table(desk, &table);
    }
    wipe(&table, sizeof table);
    buf_release(&trouble);
    return ERR_NONE;
}

/* ---- feeds --------------------------------------------------------------- */

/* The thread of the last game of a place: its players may still ask. */
static enum err
read_last_thread(struct desk *desk, unsigned number, struct buf *why)
{
    const char *thread = desk->last_threads[number];
    return thread[0] == '\0'
               ? ERR_NONE
               : desk_read_thread(desk, desk_service_of(desk, number), thread,
                                  "", why);
}

/* Find the places whose address alone says where they are; the others have to
 * be asked for. */
static enum err
find_places(struct desk *desk, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < desk->conf->place_count; i++) {
        const struct service *service = desk_service_of(desk, i);
        struct errand errand = {.kind = ERRAND_PLACE,
                                .text = desk->conf->places[i].address};
        struct outcome out = {.err = ERR_NONE};
        struct buf work = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        if (service->adapter->turn(service, &errand, &work, NULL, &out,
                                   &unsaid) == TURN_DONE) {
            err = desk_found(desk, i, buf_text(&out.id), why);
        }
        outcome_release(&out);
        buf_release(&work);
        buf_release(&unsaid);
    }
    return err;
}

static enum err
add_talks(struct desk *desk, const struct table *table, struct buf *why)
{
    struct service *service = desk_service(desk, table->place);
    enum err err = ERR_NONE;
    for (unsigned seat = 0; err == ERR_NONE && seat < table->seated; seat++) {
        struct buf talk = BUF_INIT;
        err = desk_talk(desk, service, table->people[seat].user, &talk, why);
        buf_release(&talk);
    }
    const struct place *place = desk_place(desk, table->place);
    for (unsigned i = 0; err == ERR_NONE && i < place->moderator_count; i++) {
        struct buf talk = BUF_INIT;
        err = desk_talk(desk, service, place->moderators[i], &talk, why);
        buf_release(&talk);
    }
    return err;
}

/* The thread of a game that is over is listened to for a week. */
static enum err
listen_on(void *context, const struct store_game *game, struct buf *why)
{
    struct desk *desk = context;
    struct service *service = desk_service(desk, game->place);
    size_t before = desk->feed_count;
    enum err err = service == NULL
                       ? ERR_NONE
                       : desk_read_thread(desk, service, game->thread, "", why);
    if (err == ERR_NONE && desk->feed_count > before) {
        desk->feeds[before].listens_until = game->ended + FEED_LISTEN_MS;
    }
    return err;
}

/* The games that are on are read of at once, first their threads: a feed in
 * which one comes is no talk's alone. */
static enum err
add_feeds(struct desk *desk, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        const struct table *table = desk->tables[i];
        err = table->home[0] != '\0'
                  ? desk_add_thread(desk, table, "", why)
                  : desk_add_feed(desk, desk_service(desk, table->place),
                                  table->thread, "", why);
    }
    for (unsigned i = 0; err == ERR_NONE && i < desk->conf->place_count; i++) {
        err = read_last_thread(desk, i, why);
    }
    if (err == ERR_NONE) {
        err = store_games_since(desk->store, FEED_LISTEN_MS, listen_on, desk,
                                why);
    }
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        err = add_talks(desk, desk->tables[i], why);
    }
    return err;
}

/* ---- opening ------------------------------------------------------------- */

enum err
desk_open(struct desk *desk, const struct conf *conf,
          const struct secrets *secrets, const struct dealer *dealer,
          struct buf *why)
{
    enum err err = ERR_NONE;
    memset(desk, 0, sizeof *desk);
    desk->conf = conf;
    desk->dealer = dealer;
    desk->annals = (struct annals){
        .context = desk,
        .post = find_post,
        .before = find_before,
        .request = find_request,
        .last = find_last,
    };
    desk->next_timer = INT64_MAX;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        err = add_place(desk, i, secrets, why);
    }
    if (err == ERR_NONE) {
        err = store_open(conf->store, conf->key_file, STORE_HOST, &desk->store,
                         why);
    }
    if (err == ERR_NONE) {
        err = store_count_games(desk->store, &desk->games, why);
    }
    if (err == ERR_NONE) {
        err = store_games(desk->store, recover_game, desk, why);
    }
    if (err == ERR_NONE) {
        err = store_load_outbox(desk->store, &desk->outbox, why);
    }
    if (err == ERR_NONE) {
        err = kept_load(desk, why);
    }
    if (err == ERR_NONE) {
        err = add_feeds(desk, why);
    }
    if (err == ERR_NONE) {
        err = find_places(desk, why);
    }
    if (err != ERR_NONE) {
        desk_close(desk);
    }
    return err;
}

void
desk_close(struct desk *desk)
{
    for (size_t i = 0; i < desk->table_count; i++) {
        desk_free_table(desk->tables[i]);
    }
    free(desk->tables);
    index_release(&desk->seatings);
    free(desk->feeds);
    index_release(&desk->feeds_by_name);
    free(desk->digests);
    free(desk->kept);
    free(desk->lost);
    free(desk->answered);
    for (unsigned i = 0; i < PLACES_MAX; i++) {
        if (desk->zones[i] != NULL) {
            zone_free(desk->zones[i]);
        }
    }
    library_release(&desk->library);
    outbox_release(&desk->outbox);
    store_close(desk->store);
    memset(desk, 0, sizeof *desk);
}

static void
note_host(void *context, const struct board_post *post)
{
    bool *hosted = context;
    *hosted = *hosted || strcmp(post->author, BOARD_HOST) == 0;
}

/* A store that has read nothing, and a board on which a host has posted. */
static enum err
match_new_store(const struct conf *conf, struct board *board, struct buf *why)
{
    bool hosted = false;
    enum err err = board_read(board, 0, "*", note_host, &hosted, why);
    if (err != ERR_NONE || !hosted) {
        return err;
    }
    return err_say(why, ERR_GARBLED,
                   "%s: knows nothing of the games on the board %s; restore it "
                   "from a backup, or remove both to begin anew",
                   conf->store, conf->board);
}

static enum err
match_feed(struct desk *desk, const struct feed *feed, struct board *board,
           struct buf *why)
{
    const struct conf *conf = desk->conf;
    int64_t read = 0;
    int64_t newest = 0;
    if (feed->cursor[0] == '\0') {
        return match_new_store(conf, board, why);
    }
    enum err err =
        store_newest_post(desk->store, feed->service->name, &read, why);
    if (err == ERR_NONE) {
        err = board_latest(board, &newest, why);
    }
    if (err != ERR_NONE || newest >= read) {
        return err;
    }
    return err_say(why, ERR_GARBLED,
                   "%s: lacks posts that %s has read; restore it from a "
                   "backup, or remove both to begin anew",
                   conf->board, conf->store);
}

enum err
desk_match(struct desk *desk, struct board *board, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->feed_count; i++) {
        if (desk->feeds[i].service->adapter == &adapter_board) {
            err = match_feed(desk, &desk->feeds[i], board, why);
        }
    }
    return err;
}

static int64_t
earlier_due(const struct desk *desk, const char *service, int64_t at,
            int64_t next)
{
    at += adapter_find(conf_kind_of(desk->conf, service))->traits.margin;
    return next == 0 || at < next ? at : next;
}

int64_t
desk_due(const struct desk *desk)
{
    int64_t next = 0;
    for (size_t i = 0; i < desk->table_count; i++) {
        const struct table *table = desk->tables[i];
        const struct place *place = desk_place(desk, table->place);
        struct timer timer = table_timer(table);
        if (timer.kind != TIMER_NONE && place != NULL) {
            next = earlier_due(desk, place->service, timer.at, next);
        }
    }
    for (size_t i = 0; i < desk->kept_count; i++) {
        const struct kept_post *kept = &desk->kept[i];
        next = earlier_due(desk, kept->service, kept_time(kept), next);
    }
    return next;
}
