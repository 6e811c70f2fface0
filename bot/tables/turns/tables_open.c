/*
 * The tables are opened for hosting: what is in the store is taken up, and what
 * the host can look up is loaded.
 */
#include "bot/tables/turns/tables_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/store/forget.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/deferred.h"
#include "bot/tables/turns/threads.h"

/* ---- what is configured -------------------------------------------------- */

static unsigned
number_of_service(void *context, const char *place)
{
    struct tables *tables = context;
    const struct service *service = places_service(&tables->places, place);
    return service == NULL ? NO_SERVICE : service->number;
}

/* Each place has words. */
static enum err
open_catalogues(struct tables *tables, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < tables->conf->place_count;
         i++) {
        const struct settings *settings = &tables->conf->places[i].settings;
        const struct catalogue *catalogue = NULL;
        err = catalogues_open(tables->catalogues, settings->language,
                              settings->theme, &catalogue, why);
    }
    return err;
}

static void
load_members(struct tables *tables)
{
    tables->members = (struct members){
        .store = tables->store,
        .services = &tables->services,
        .places = &tables->places,
        .context = tables,
        .name_moderator = hosted_name_moderator,
    };
    members_load(&tables->members);
}

/* ---- games --------------------------------------------------------------- */

/* Was that found out?  Else it is logged, and the game goes on without. */
static bool
worked(enum err err, const char *game, const char *place, struct buf *why)
{
    if (err != ERR_NONE) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.table = game, .place = place}, "%s",
                  buf_text(why));
    }
    buf_release(why);
    return err == ERR_NONE;
}

static const struct service *
service_of(void *context, const struct table *table)
{
    const struct tables *tables = context;
    return places_service(&tables->places, table->place);
}

static bool
find_post(void *context, const struct table *table, const char *id,
          struct read_post *post)
{
    struct tables *tables = context;
    bool found =
        store_find_post(tables->store, service_of(context, table)->name,
                        table->thread, id, post);
    if (found) {
        threads_follow_post(tables, table, post);
    }
    return found;
}

static bool
find_user(void *context, const struct table *table, const char *user)
{
    const struct tables *tables = context;
    return store_has_author(tables->store, service_of(context, table)->name,
                            user);
}

static const char *
find_known(void *context, const struct table *table, const char *id)
{
    const struct tables *tables = context;
    return members_user(&tables->members, service_of(context, table), id);
}

static const char *
find_now(void *context, const struct table *table, const char *user)
{
    const struct tables *tables = context;
    return members_name(&tables->members, service_of(context, table), user);
}

static int64_t
find_wrote(void *context, const struct table *table, const char *user,
           int64_t before)
{
    const struct tables *tables = context;
    return store_wrote(tables->store, service_of(context, table)->name,
                       table->thread, user, before);
}

static bool
find_before(void *context, const struct table *table, const char *id,
            unsigned asked, struct before *before)
{
    const struct tables *tables = context;
    struct buf why = BUF_INIT;
    bool found = false;
    enum err err = recover_before(tables->store, table->id, id, asked, before,
                                  &found, &why);
    return worked(err, table->id, table->place, &why) && found;
}

static unsigned
find_request(void *context, const struct table *table, const char *id)
{
    const struct tables *tables = context;
    return store_request(tables->store, table->id, id);
}

static bool
find_last(void *context, const char *thread, const struct place *place,
          struct table *table)
{
    const struct tables *tables = context;
    struct store_game game;
    struct buf why = BUF_INIT;
    return store_last_game(tables->store, thread, place->name, &game) &&
           worked(recover_table(tables->store, game.id, table, &why), NULL,
                  place->name, &why);
}

static void
read_blocked(void *context, const struct place *place,
             store_blocked_reader *each, void *reader)
{
    const struct tables *tables = context;
    store_blocked(tables->store, place->name, each, reader);
}

static bool
has_hosted(void *context, const struct place *place)
{
    const struct tables *tables = context;
    return store_has_hosted(tables->store, place->name);
}

/* Whose games are counted, and where the counts go. */
struct counting {
    const char *user;
    struct wins *wins;
    struct score *own;
};

static enum err
count_result(void *context, const struct result *result, struct buf *why)
{
    struct counting *counting = context;
    (void)why;
    wins_add(counting->wins, result);
    for (unsigned seat = 0; seat < result->players; seat++) {
        if (strcmp(result->seats[seat].user, counting->user) == 0) {
            score_add(counting->own, result, seat);
        }
    }
    return ERR_NONE;
}

static bool
count_games(void *context, const struct place *place, const char *user,
            struct wins *wins, struct score *own)
{
    struct tables *tables = context;
    struct counting counting = {user, wins, own};
    struct buf why = BUF_INIT;
    enum err err = store_results(tables->store, place->name, count_result,
                                 &counting, &why);
    return worked(err, NULL, place->name, &why);
}

/* ---- tables -------------------------------------------------------------- */

/* Its key is lost: hold it, and have its thread told. */
static void
lose_game(struct tables *tables, const struct store_game *game)
{
    tables->upkeep.lost =
        must_grow(tables->upkeep.lost, (tables->upkeep.lost_count + 1) *
                                           sizeof tables->upkeep.lost[0]);
    tables->upkeep.lost[tables->upkeep.lost_count++] = *game;
}

/* Replay a game, or hold it if that can't be done. */
static void
replay_game(struct tables *tables, const struct store_game *game)
{
    struct table table;
    struct buf trouble = BUF_INIT;
    table_init(&table);
    enum err err = recover_table(tables->store, game->id, &table, &trouble);
    if (err == ERR_NONE) {
        if (table.home[0] == '\0') {
            /* It may have moved since it was opened. */
            table_set_thread(&table, game->thread);
        }
        hosted_add(tables, &table);
    } else {
        log_line(LOG_LEVEL_ERROR, "%s", buf_text(&trouble));
    }
    if (err == ERR_DENIED) {
        lose_game(tables, game);
    }
    table_release(&table);
    buf_release(&trouble);
}

static enum err
recover_game(void *context, const struct store_game *game, struct buf *why)
{
    struct tables *tables = context;
    struct hosted_place *place = places_find(&tables->places, game->place);
    (void)why;
    if (place != NULL) {
        places_set_id(&tables->places, place, PLACE_LAST_THREAD, game->thread);
    }
    if (game->over) {
        return ERR_NONE;
    }
    if (place == NULL) {
        log_about(
            LOG_LEVEL_WARNING,
            &(struct log_subject){.table = game->id, .place = game->place},
            "table %s waits: its place \"%s\" is not in the "
            "configuration",
            game->id, game->place);
    } else if (game->held) {
        log_about(
            LOG_LEVEL_WARNING,
            &(struct log_subject){.table = game->id, .place = game->place},
            "table %s is on hold: placard has crashed on it before", game->id);
    } else {
        replay_game(tables, game);
    }
    return ERR_NONE;
}

/* ---- feeds --------------------------------------------------------------- */

/* List the feeds of all games that run, and the thread of each place's last
 * game: its players may still ask there. */
static void
list_threads(struct tables *tables)
{
    for (size_t i = 0; i < tables->hosted.count; i++) {
        const struct hosted_table *hosted = tables->hosted.list[i];
        const char *thread = hosted->table.thread;
        if (hosted->table.home[0] == '\0') {
            (void)feeds_list(&tables->feeds, hosted->service, thread, "");
        } else {
            (void)feeds_list_thread(&tables->feeds, hosted->service, thread);
        }
    }
    for (unsigned i = 0; i < tables->places.count; i++) {
        const struct hosted_place *place = tables->places.list[i];
        const char *thread = place->ids[PLACE_LAST_THREAD];
        if (thread[0] != '\0') {
            (void)feeds_list_thread(&tables->feeds, place->service, thread);
        }
    }
}

/* Find the places whose address alone says where they are; the others must be
 * asked for. */
static void
find_places(struct tables *tables)
{
    for (unsigned i = 0; i < tables->places.count; i++) {
        struct hosted_place *place = tables->places.list[i];
        const struct service *service = place->service;
        struct op op = {.kind = OP_PLACE, .text = place->conf->address};
        struct outcome out = {.err = ERR_NONE};
        struct buf work = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        if (service->adapter->advance(service, &op, &work, NULL, &out,
                                      &unsaid) == ADVANCE_DONE) {
            tables_feeds_found(tables, place, buf_text(&out.id));
        }
        outcome_release(&out);
        buf_release(&work);
        buf_release(&unsaid);
    }
}

/* Does somebody sit at a table, or moderate one? */
static bool
is_known(void *context, const char *service, const char *user)
{
    struct tables *tables = context;
    const struct service *found = services_find(&tables->services, service);
    size_t at = 0;
    return found != NULL && hosted_next_known(tables, found, user, &at) != NULL;
}

static void
list_dm(void *context, const char *service, const char *user, const char *dm)
{
    struct tables *tables = context;
    (void)feeds_list(&tables->feeds, services_find(&tables->services, service),
                     dm, user);
}

/* The thread of a game that is over is read for another week, and that of one
 * on hold for as long as it is. */
static enum err
listen_on(void *context, const struct store_game *game, struct buf *why)
{
    struct tables *tables = context;
    struct service *service = places_service(&tables->places, game->place);
    struct feed *feed =
        service == NULL || hosted_named(tables, game->id) != NULL
            ? NULL
            : feeds_list_thread(&tables->feeds, service, game->thread);
    (void)why;
    if (feed != NULL) {
        feed_listen(feed,
                    game->over ? game->ended + FEED_LISTEN_MS : INT64_MAX);
    }
    return ERR_NONE;
}

/* All feeds are due at once.  The DMs in which nobody is asked come last: there
 * may be very many. */
static void
put_calm_last(struct tables *tables)
{
    for (size_t i = 0; i < tables->feeds.count; i++) {
        struct feed *feed = tables->feeds.list[i];
        if (feed->user[0] != '\0') {
            feeds_set_turns(&tables->feeds, feed,
                            deferred_awaits(tables, feed) ? TURNS_AWAITED
                                                          : TURNS_CALM);
        }
    }
}

/* Read for the running games at once, their threads first: a feed that brings a
 * thread is no DM's alone. */
static enum err
add_feeds(struct tables *tables, struct buf *why)
{
    list_threads(tables);
    enum err err = store_games_since(tables->store, FEED_LISTEN_MS, listen_on,
                                     tables, why);
    store_dms(tables->store, is_known, list_dm, tables);
    feeds_know(&tables->feeds);
    put_calm_last(tables);
    return err;
}

/* ---- opening ------------------------------------------------------------- */

static enum err
take_up_all(struct tables *tables, struct buf *why)
{
    services_load_states(&tables->services, tables->store);
    load_members(tables);
    tables->games = store_count_games(tables->store);
    enum err err = store_games(tables->store, recover_game, tables, why);
    outbox_init(&tables->outbox, tables->services.count, number_of_service,
                tables);
    store_load_outbox(tables->store, &tables->outbox);
    deferred_load(tables);
    ERR_THEN(err, add_feeds(tables, why));
    find_places(tables);
    return err;
}

/* Whoever asked to be forgotten is, before anything of them is taken up. */
static enum err
forget_people(struct tables *tables, struct buf *why)
{
    unsigned count = 0;
    struct buf left = BUF_INIT;
    struct forget forget = {.store = tables->store,
                            .path = tables->conf->store,
                            .service_of = conf_service_of,
                            .context = tables->conf,
                            .now = clock_now(),
                            .left = &left};
    enum err err = forget_all(&forget, &count, why);
    if (err == ERR_NONE && count > 0) {
        log_line(LOG_LEVEL_INFO,
                 "people who are forgotten now: %u; their ids and names are "
                 "still in: %s",
                 count, left.len > 0 ? buf_text(&left) : "nothing");
    }
    buf_release(&left);
    return err;
}

/* All within one transaction, or each of very many queries would lock the file
 * anew. */
static enum err
take_up(struct tables *tables, struct buf *why)
{
    store_begin(tables->store);
    enum err err = take_up_all(tables, why);
    store_commit(tables->store);
    return err == ERR_NONE ? store_err(tables->store, why) : err;
}

enum err
tables_open(struct tables *tables, const struct conf *conf,
            struct catalogues *catalogues, const struct secrets *secrets,
            const struct dealer *dealer, enum opening opening, struct buf *why)
{
    enum err err = ERR_NONE;
    memset(tables, 0, sizeof *tables);
    tables->conf = conf;
    tables->catalogues = catalogues;
    tables->dealer = dealer;
    tables->history = (struct history){
        .context = tables,
        .post = find_post,
        .before = find_before,
        .request = find_request,
        .user = find_user,
        .known_as = find_known,
        .id_now = find_now,
        .wrote = find_wrote,
        .last = find_last,
        .blocked = read_blocked,
        .hosted = has_hosted,
        .counts = count_games,
    };
    services_init(&tables->services, conf);
    size_t services = tables->services.room;
    tables->hosted.timers = must_alloc(services * sizeof(struct heap));
    tables->hosted.asked_privately = must_alloc(services * sizeof(size_t));
    tables->hosted.last_opened = must_alloc(services * sizeof(int64_t));
    err = open_catalogues(tables, why);
    ERR_THEN(err, places_init(&tables->places, &tables->services, conf, secrets,
                              why));
    if (opening == OPEN_TRY) {
        tables_close(tables);
        return err != ERR_NONE
                   ? err
                   : store_may_host(conf->store, conf->key_file, why);
    }
    ERR_THEN(err, store_open(conf->store, conf->key_file,
                             opening == OPEN_CHECKED ? STORE_HOST
                                                     : STORE_HOST_AT_ONCE,
                             &tables->store, why));
    if (err == ERR_NONE) {
        feeds_init(&tables->feeds, &tables->services, tables->store,
                   &tables->clock);
        err = forget_people(tables, why);
    }
    ERR_THEN(err, take_up(tables, why));
    if (err != ERR_NONE) {
        tables_close(tables);
    }
    return err;
}

void
tables_close(struct tables *tables)
{
    hosted_release(tables);
    feeds_release(&tables->feeds);
    deferred_release(tables);
    free(tables->upkeep.lost);
    flood_release(&tables->flood);
    replies_release(&tables->replies);
    free(tables->commands);
    members_release(&tables->members);
    places_release(&tables->places);
    services_release(&tables->services);
    zones_release(&tables->zones);
    outbox_release(&tables->outbox);
    store_close(tables->store);
    memset(tables, 0, sizeof *tables);
}

static void
note_host(void *context, const struct board_post *post)
{
    bool *hosted = context;
    *hosted = *hosted || strcmp(post->author, BOARD_HOST) == 0;
}

/* Has the store read nothing, although a host has posted on the board; or has
 * the board not got what was read? */
static enum err
match_feed(struct tables *tables, const struct feed *feed, struct board *board,
           struct buf *why)
{
    const struct conf *conf = tables->conf;
    int64_t newest = 0;
    bool hosted = false;
    if (feed->cursor[0] == '\0') {
        enum err err = board_read(board, 0, "*", note_host, &hosted, why);
        return err != ERR_NONE || !hosted
                   ? err
                   : err_say(why, ERR_GARBLED,
                             "%s: knows nothing of the games on the board %s; "
                             "restore it from a backup, or remove both to "
                             "begin anew",
                             conf->store, conf->board);
    }
    int64_t read = store_newest_post(tables->store, feed->service->name);
    enum err err = store_err(tables->store, why);
    ERR_THEN(err, board_latest(board, &newest, why));
    return err != ERR_NONE || newest >= read
               ? err
               : err_say(why, ERR_GARBLED,
                         "%s: lacks posts that %s has read; restore it from a "
                         "backup, or remove both to begin anew",
                         conf->board, conf->store);
}

enum err
tables_match(struct tables *tables, struct board *board, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < tables->feeds.count; i++) {
        const struct feed *feed = tables->feeds.list[i];
        if (strcmp(feed->service->name, CONF_BOARD) == 0) {
            err = match_feed(tables, feed, board, why);
        }
    }
    return err;
}
