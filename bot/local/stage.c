#include "bot/local/stage.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"

static void
seeded_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    const struct stage *stage = context;
    memcpy(secret, stage->secret, DEAL_SECRET);
}

bool
stage_seed(struct stage *stage, const char *hex)
{
    bool good = deal_read_secret(hex, stage->secret);
    stage->seeded = stage->seeded || good;
    return good;
}

static void
set_place(struct stage *stage, const char *folder)
{
    struct conf *conf = &stage->conf;
    conf_make_places(conf, 1);
    struct place *place = &conf->places[0];
    (void)snprintf(conf->store, sizeof conf->store, "%s/store.db", folder);
    (void)snprintf(conf->board, sizeof conf->board, "%s/board.db", folder);
    (void)snprintf(place->name, sizeof place->name, "board");
    (void)snprintf(place->service, sizeof place->service, "board");
    (void)snprintf(place->moderators[0], sizeof place->moderators[0], "%s",
                   STAGE_MODERATOR);
    place->moderator_count = 1;
    place->settings = conf->settings;
}

void
stage_settings(struct settings *settings)
{
    settings_defaults(settings);
    settings->ready_check = false;
    settings->new_thread = false;
    (void)snprintf(settings->red, sizeof settings->red, "accepted");
}

void
stage_settings_plain(struct settings *settings)
{
    stage_settings(settings);
    memset(settings->reminders, 0, sizeof settings->reminders);
    settings->second_thought = 0;
}

/* Unsent messages have the time at which they were decided: the stopped clock
 * must not be behind that. */
static int64_t
newest_message(const struct outbox *outbox)
{
    int64_t newest = 0;
    for (size_t i = 0; i < outbox->count; i++) {
        int64_t written = outbox->list[i]->message.written;
        newest = written > newest ? written : newest;
    }
    return newest;
}

enum err
stage_open(struct stage *stage, const char *folder, int64_t now,
           struct buf *why)
{
    int64_t newest = 0;
    if (strlen(folder) > SETTING_TEXT_MAX - 10) {
        return err_say(why, ERR_FULL, "%s: the path is too long", folder);
    }
    enum err err = folder_make(folder, why);
    if (err != ERR_NONE) {
        return err;
    }
    if (stage->dealer.deal == NULL) {
        stage->dealer = dealer_fair;
    }
    if (stage->seeded) {
        stage->dealer.generate_secret = seeded_secret;
        stage->dealer.context = stage;
    }
    set_place(stage, folder);
    err = board_open(stage->conf.board, true, &stage->board, why);
    ERR_THEN(err, board_newest(stage->board, &newest, why));
    ERR_THEN(err, tables_open(&stage->tables, &stage->conf, &stage->catalogues,
                              NULL, &stage->dealer, stage->opening, why));
    ERR_THEN(err, tables_match(&stage->tables, stage->board, why));
    if (err != ERR_NONE) {
        stage_close(stage);
        return err;
    }
    int64_t message = newest_message(&stage->tables.outbox);
    newest = message > newest ? message : newest;
    stage->now = newest > now ? newest : now;
    stage->dispatch = dispatch_new(stage->board);
    loop_open(&stage->loop, &stage->tables, stage->dispatch);
    stage->loop.leaps = true;
    return ERR_NONE;
}

void
stage_close(struct stage *stage)
{
    loop_close(&stage->loop);
    dispatch_free(stage->dispatch);
    tables_close(&stage->tables);
    catalogues_release(&stage->catalogues);
    board_close(stage->board);
    conf_release(&stage->conf);
    stage->dispatch = NULL;
    stage->board = NULL;
}

enum err
stage_settle(struct stage *stage, struct buf *why)
{
    return loop_settle(&stage->loop, stage->now, why);
}

enum err
stage_post(struct stage *stage, const char *author, bool in_private,
           const char *text, const char *key, struct buf *why)
{
    return board_write(stage->board, author, in_private, text, key, stage->now,
                       NULL, why);
}

int64_t
stage_due(const struct stage *stage)
{
    int64_t due = timers_due(&stage->tables);
    int64_t message = outbox_wake(&stage->tables.outbox, stage->now);
    if (due == 0 || (message != 0 && message < due)) {
        due = message;
    }
    return due;
}

enum err
stage_jump(struct stage *stage, int64_t now, struct buf *why)
{
    if (now > stage->now) {
        stage->now = now;
    }
    return stage_settle(stage, why);
}

const struct table *
stage_table(struct stage *stage)
{
    struct tables *tables = &stage->tables;
    return tables->hosted.count == 0 ? NULL : &tables->hosted.list[0]->table;
}

const struct catalogue *
stage_catalogue(struct stage *stage, const struct table *table)
{
    const struct catalogue *found = NULL;
    struct buf unsaid = BUF_INIT;
    const struct settings *settings =
        table == NULL ? &stage->conf.settings : &table->settings;
    enum err err = catalogues_open(&stage->catalogues, settings->language,
                                   settings->theme, &found, &unsaid);
    assert(err == ERR_NONE); /* it was set while the file existed */
    (void)err;
    buf_release(&unsaid);
    return found;
}
