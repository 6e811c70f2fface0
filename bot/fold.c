#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/desk_inner.h"
#include "bot/host/clock.h"
#include "bot/host/office/office.h"
#include "bot/host/referee.h"
#include "bot/host/words/notice.h"

/* A page is tried so often before it is taken post by post; a deadline so often
 * in all. */
enum {
    TRIES_WHOLE = 2,
    TRIES_MAX = 3
};

/* ---- posts --------------------------------------------------------------- */

/* A post on its way through the desk. */
struct fold {
    struct desk *desk;
    struct service *service;
    const struct post *post;
    struct rich rich;
    int64_t now;
    struct buf verdict; /* how it was read: a line for people */
    bool keep;          /* to be judged again, once a deadline has fired */
    bool kept;          /* judged again: its commands were obeyed before */
};

static void
hear(struct fold *fold, struct docket *docket)
{
    struct hearing hearing = {fold->post, &fold->rich, false};
    struct buf next_id = BUF_INIT;
    buf_add_number(&next_id, fold->desk->games + 1);
    if (!fold->kept) {
        hearing.ordered = office_hear(docket, &hearing, buf_text(&next_id));
    }
    buf_release(&next_id);
    if (hearing.ordered) {
        buf_add_text(&fold->verdict, "a command");
    }
    if (docket->table->state == TABLE_CHECK && docket->row_count == 0) {
        buf_clear(&fold->verdict);
        (void)signup_hear(docket, &hearing, &fold->verdict);
    }
    if (docket->table->state == TABLE_RUNNING && docket->row_count == 0) {
        buf_clear(&fold->verdict);
        fold->keep =
            referee_hear(docket, &hearing, &fold->verdict) == HEARD_EARLY;
    }
    notice_write(docket);
}

/* Judge a post at a table; `table` may be a blank one, or one whose game is
 * over, that a command fills. */
static enum err
judge(struct fold *fold, struct table *table, const struct place *place,
      struct buf *why)
{
    struct desk *desk = fold->desk;
    struct docket docket;
    struct house house =
        desk_house_for(desk, fold->service, place, &table->settings, fold->now);
    char before[TABLE_ID_MAX + 1];
    (void)snprintf(before, sizeof before, "%s", table->id);
    docket_init(&docket, &house, table);
    docket.cause = fold->post->id;
    hear(fold, &docket);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    desk->acted = desk->acted || docket.row_count > 0;
    docket_release(&docket);
    if (strcmp(before, table->id) != 0) {
        desk->games++;
    }
    if (before[0] == '\0' && table->id[0] != '\0') {
        desk_add_table(desk, table);
    }
    return err;
}

static enum err
judge_in_thread(struct fold *fold, struct buf *why)
{
    const struct post *post = fold->post;
    const struct place *place =
        desk_place_of_thread(fold->desk, fold->service, post->place);
    struct table *table =
        desk_table_of_thread(fold->desk, fold->service, post->place);
    if (table != NULL) {
        return judge(fold, table, desk_place(fold->desk, table->place), why);
    }
    if (place == NULL) {
        return ERR_NONE; /* a thread that is not ours */
    }
    struct table blank;
    memset(&blank, 0, sizeof blank);
    blank.settings = place->settings;
    (void)snprintf(blank.place, sizeof blank.place, "%s", place->name);
    (void)snprintf(blank.thread, sizeof blank.thread, "%s", post->place);
    return judge(fold, &blank, place, why);
}

static enum err
judge_post(struct fold *fold, struct buf *why)
{
    const struct post *post = fold->post;
    bool unread = false;
    const struct dialect *dialect =
        post->dialect != NULL ? post->dialect : fold->service->adapter->dialect;
    dialect->read(post->body, post->body_len, &fold->rich, &unread);
    if (unread) {
        buf_add_text(&fold->verdict, "R0: can't be read at all");
        log_line(LOG_LEVEL_WARNING, "%s: post %s can't be read",
                 fold->service->name, post->id);
        return ERR_NONE;
    }
    if (!post->talk) {
        return judge_in_thread(fold, why);
    }
    struct table *table =
        desk_table_of_talk(fold->desk, fold->service, post->author);
    return table == NULL
               ? ERR_NONE
               : judge(fold, table, desk_place(fold->desk, table->place), why);
}

static enum err
fold_post(struct desk *desk, struct service *service, const struct post *post,
          bool kept, int64_t now, struct buf *why)
{
    struct fold fold = {.desk = desk,
                        .service = service,
                        .post = post,
                        .now = now,
                        .kept = kept};
    enum err err = judge_post(&fold, why);
    if (err == ERR_NONE && fold.keep) {
        err = store_keep(desk->store, service->name, post, why);
    }
    bool again = false;
    if (err == ERR_NONE) {
        err = store_see(desk->store, service->name, post,
                        buf_text(&fold.verdict), &again, why);
    }
    rich_wipe(&fold.rich);
    buf_release(&fold.verdict);
    return err;
}

/* Nothing counts that is no post, or is a machine's; and we are one. */
static bool
is_own(const struct post *post)
{
    return post->kind != POST_WRITTEN || post->own || post->machine;
}

/* A post that comes a second time changes nothing (markup.md E1). */
static enum err
fold_new_post(struct desk *desk, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    bool again = false;
    if (is_own(post)) {
        return ERR_NONE;
    }
    enum err err = store_see(desk->store, service->name, post, "", &again, why);
    if (err == ERR_NONE && !again) {
        err = fold_post(desk, service, post, false, now, why);
    }
    return err;
}

/* ---- posts on which the process dies ------------------------------------- */

/* Say a line in a table's thread. */
static enum err
tell_table(struct desk *desk, struct table *table, const char *key, int64_t now,
           struct buf *why)
{
    struct docket docket;
    struct rich text = {.count = 0};
    struct params params = {.count = 0};
    struct house house = desk_house(desk, table, now);
    params_text(&params, "table", table->id);
    docket_init(&docket, &house, table);
    catalogue_say(house.catalogue, key, &params, &text);
    docket_post(&docket, &text);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    rich_release(&text);
    return err;
}

/* Take a table from the desk for good; the others go on. */
static enum err
hold(struct desk *desk, struct table *table, int64_t now, struct buf *why)
{
    enum err err = tell_table(desk, table, "held", now, why);
    if (err == ERR_NONE) {
        err = store_hold(desk->store, table->id, why);
    }
    log_line(LOG_LEVEL_ERROR, "game %s is held: placard has died on it",
             table->id);
    table->state = TABLE_OVER; /* so the desk clears it away */
    return err;
}

/* What the attempts at a feed's pages are called. */
static void
name_attempt(const struct feed *feed, struct buf *what)
{
    buf_addf(what, "feed %s %s", feed->service->name, feed->name);
}

/* Commit an attempt that came to its end, or break off one in which `err` came
 * to pass: a full disk, say, is no fault of what was tried. */
static enum err
end_attempt(struct desk *desk, const char *what, enum err err, struct buf *why)
{
    struct buf unsaid = BUF_INIT;
    if (err == ERR_NONE) {
        err = store_forget_attempt(desk->store, what, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(desk->store);
        (void)!store_forget_attempt(desk->store, what, &unsaid);
    }
    buf_release(&unsaid);
    return err;
}

/* Set a post aside, in a transaction. */
static enum err
set_aside(struct desk *desk, struct service *service, const struct post *post,
          int64_t now, struct buf *why)
{
    bool again = false;
    struct table *table =
        post->talk ? desk_table_of_talk(desk, service, post->author)
                   : desk_table_of_thread(desk, service, post->place);
    log_line(LOG_LEVEL_ERROR,
             "%s: post %s is set aside: placard has died on it", service->name,
             post->id);
    enum err err = store_see(desk->store, service->name, post,
                             "set aside: placard has died on it", &again, why);
    return err == ERR_NONE && table != NULL ? hold(desk, table, now, why) : err;
}

/* Fold one post in a transaction of its own, marked while it is on; one that
 * was found marked is what the process died on. */
static enum err
fold_alone(struct desk *desk, const struct feed *feed, const struct post *post,
           const char *died_on, int64_t now, struct buf *why)
{
    struct service *service = feed->service;
    struct buf what = BUF_INIT;
    struct buf mark = BUF_INIT;
    name_attempt(feed, &what);
    buf_addf(&mark, "%s %s", post->place, post->id);
    bool died = buf_equals(&mark, died_on);
    enum err err =
        store_mark(desk->store, buf_text(&what), buf_text(&mark), why);
    if (err == ERR_NONE) {
        err = store_begin(desk->store, why);
    }
    if (err == ERR_NONE) {
        err = died ? set_aside(desk, service, post, now, why)
                   : fold_new_post(desk, service, post, now, why);
    }
    if (err == ERR_NONE) {
        err = store_mark(desk->store, buf_text(&what), "", why);
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    buf_release(&what);
    buf_release(&mark);
    return err;
}

/* Commit that a page is tried.  Where it has failed twice, take it post by
 * post: what is folded here is no news to the page. */
static enum err
try_page(struct desk *desk, const struct feed *feed, const struct page *page,
         int64_t now, struct buf *why)
{
    struct attempt attempt = {.count = 0};
    struct buf what = BUF_INIT;
    bool foreign = false;
    enum err err = ERR_NONE;
    for (size_t i = 0; i < page->count; i++) {
        foreign = foreign || !is_own(&page->posts[i]);
    }
    if (foreign) {
        name_attempt(feed, &what);
        err = store_try(desk->store, buf_text(&what), feed->cursor, &attempt,
                        why);
        buf_release(&what);
    }
    if (attempt.count <= TRIES_WHOLE) {
        return err;
    }
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        if (!is_own(&page->posts[i])) {
            err =
                fold_alone(desk, feed, &page->posts[i], attempt.mark, now, why);
        }
    }
    return err;
}

/* ---- pages --------------------------------------------------------------- */

static enum err
save_reading(struct desk *desk, struct feed *feed,
             const struct outcome *outcome, struct buf *why)
{
    enum err err = ERR_NONE;
    const char *cursor = buf_text(&outcome->cursor);
    if (strcmp(cursor, feed->cursor) != 0) {
        err = store_set_cursor(desk->store, feed->service->name, feed->name,
                               cursor, why);
    }
    return err != ERR_NONE ? err : desk_note(desk, feed->service, outcome, why);
}

/* What time it is: no question may open in the past of the service, by whose
 * clock its deadline fires. */
static int64_t
later_of(int64_t through, int64_t now)
{
    return through > now ? through : now;
}

static enum err
fold_page(struct desk *desk, struct feed *feed, const struct outcome *outcome,
          int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    name_attempt(feed, &what);
    enum err err = try_page(desk, feed, &outcome->page, now, why);
    if (err == ERR_NONE) {
        err = store_begin(desk->store, why);
    }
    for (size_t i = 0; err == ERR_NONE && i < outcome->page.count; i++) {
        err = fold_new_post(desk, feed->service, &outcome->page.posts[i], now,
                            why);
    }
    if (err == ERR_NONE) {
        err = save_reading(desk, feed, outcome, why);
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    buf_release(&what);
    return err;
}

enum err
desk_fold(struct desk *desk, struct feed *feed, const struct outcome *outcome,
          int64_t now, struct buf *why)
{
    bool news = outcome->page.count > 0 || outcome->note_count > 0 ||
                strcmp(buf_text(&outcome->cursor), feed->cursor) != 0;
    now = later_of(feed->through, later_of(outcome->through, now));
    if (news) {
        enum err err = fold_page(desk, feed, outcome, now, why);
        if (err != ERR_NONE) {
            return err;
        }
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s",
                       buf_text(&outcome->cursor));
    }
    if (outcome->through > feed->through) {
        feed->through = outcome->through;
    }
    desk_clear_tables(desk);
    return ERR_NONE;
}

/* ---- time ---------------------------------------------------------------- */

/* The service's time up to which a table's posts have surely been read. */
static int64_t
table_through(struct desk *desk, const struct table *table)
{
    struct service *service = desk_service(desk, table->place);
    struct buf name = BUF_INIT;
    assert(service != NULL); /* else the game was not recovered */
    service->adapter->feed(service, table->thread, &name);
    const struct feed *feed = desk_find_feed(desk, service, buf_text(&name));
    buf_release(&name);
    return feed == NULL ? 0 : feed->through;
}

static bool
is_due(struct desk *desk, const struct table *table)
{
    struct timer timer = table_timer(table);
    return timer.kind != TIMER_NONE && table_through(desk, table) >= timer.at;
}

static enum err
fire(struct desk *desk, struct table *table, int64_t now, struct buf *why)
{
    struct house house = desk_house(desk, table, now);
    struct docket docket;
    docket_init(&docket, &house, table);
    clock_fire(&docket, table_through(desk, table));
    notice_write(&docket);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

/* Posts that came after a deadline which had not fired are judged now. */
static enum err
judge_kept(struct desk *desk, struct service *service, int64_t now,
           struct buf *why)
{
    struct page page = {NULL, 0};
    enum err err = store_take_kept(desk->store, service->name, &page, why);
    for (size_t i = 0; err == ERR_NONE && i < page.count; i++) {
        err = fold_post(desk, service, &page.posts[i], true, now, why);
    }
    page_release(&page);
    return err;
}

static enum err
fire_in_transaction(struct desk *desk, struct table *table, int64_t now,
                    struct buf *why)
{
    struct service *service = desk_service(desk, table->place);
    assert(service != NULL); /* else it was not recovered */
    struct attempt attempt;
    struct buf what = BUF_INIT;
    struct buf phase = BUF_INIT;
    buf_addf(&what, "deadline of %s", table->id);
    buf_add_number(&phase, table->phase);
    now = later_of(table_through(desk, table), now);
    enum err err = store_try(desk->store, buf_text(&what), buf_text(&phase),
                             &attempt, why);
    if (err == ERR_NONE) {
        err = store_begin(desk->store, why);
    }
    if (err == ERR_NONE && attempt.count > TRIES_MAX) {
        err = hold(desk, table, now, why);
    } else if (err == ERR_NONE) {
        err = fire(desk, table, now, why);
        if (err == ERR_NONE) {
            err = judge_kept(desk, service, now, why);
        }
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    buf_release(&what);
    buf_release(&phase);
    desk->acted = true;
    return err;
}

/* The operator looked at a running game's secrets: its thread is told. */
static enum err
tell_look(struct desk *desk, const char *game, int64_t now, struct buf *why)
{
    enum err err = store_begin(desk->store, why);
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        struct table *table = desk->tables[i];
        if (strcmp(table->id, game) != 0) {
            continue;
        }
        err = tell_table(desk, table, "looked", now, why);
    }
    if (err == ERR_NONE) {
        err = store_forget_look(desk->store, game, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    return err;
}

static enum err
tell_looks(struct desk *desk, int64_t now, struct buf *why)
{
    struct buf game = BUF_INIT;
    enum err err = store_next_look(desk->store, &game, why);
    if (err == ERR_NONE && game.len > 0) {
        err = tell_look(desk, buf_text(&game), now, why);
    }
    buf_release(&game);
    return err;
}

enum err
desk_time(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = tell_looks(desk, now, why);
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        while (err == ERR_NONE && is_due(desk, desk->tables[i])) {
            err = fire_in_transaction(desk, desk->tables[i], now, why);
        }
    }
    desk_clear_tables(desk);
    return err;
}
