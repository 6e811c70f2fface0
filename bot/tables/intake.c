#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/conduct.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/judge/referee.h"
#include "bot/host/judge/timers.h"
#include "bot/host/words/notice.h"
#include "bot/tables/flood.h"
#include "bot/tables/tables_inner.h"

/* How often a page is tried whole, then each post of it alone; and how often a
 * post that was kept is, and a deadline. */
enum {
    PAGE_TRIES = 2,
    POST_TRIES = 1,
    KEPT_TRIES = 3,
    DEADLINE_TRIES = 3
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
    unsigned signups;   /* as in struct house */
    bool aside;         /* as in struct hearing */
    bool edited;        /* it said something else: it changes nothing */
};

/* Save what became of a table; of one that is over nothing is awaited. */
static enum err
save(struct desk *desk, const struct docket *docket, struct buf *why)
{
    const struct table *table = docket->table;
    enum err err = desk_save(desk, docket, why);
    desk->ended = desk->ended || table->state == TABLE_OVER;
    return err == ERR_NONE && table->state == TABLE_OVER &&
                   docket->row_count > 0
               ? store_forget_words(desk->store, docket->house->service->name,
                                    table->thread, why)
               : err;
}

static void
hear(struct fold *fold, struct docket *docket)
{
    struct hearing hearing = {fold->post, &fold->rich, false, fold->aside};
    struct buf next_id = BUF_INIT;
    bool answered = false;
    if (fold->edited) {
        manners_edited(docket, &hearing);
        return;
    }
    buf_add_number(&next_id, fold->desk->games + 1);
    hearing.ordered = office_hear(docket, &hearing, buf_text(&next_id));
    buf_release(&next_id);
    if (hearing.ordered) {
        buf_add_text(&fold->verdict, "a command");
    }
    if (fold->aside) {
        notice_write(docket);
        return;
    }
    if (docket->table->state == TABLE_CHECK && docket->row_count == 0) {
        buf_clear(&fold->verdict);
        (void)signup_hear(docket, &hearing, &fold->verdict);
    }
    if (docket->table->state == TABLE_RUNNING && docket->row_count == 0) {
        buf_clear(&fold->verdict);
        answered =
            referee_hear(docket, &hearing, &fold->verdict) != HEARD_NOTHING;
    }
    if (docket->table->state == TABLE_RUNNING && docket->row_count == 0) {
        manners_watch(docket, &hearing, answered);
    }
    signup_name(docket, &hearing);
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
    house.signups = fold->signups;
    (void)snprintf(before, sizeof before, "%s", table->id);
    bool on = before[0] != '\0';
    docket_init(&docket, &house, table);
    docket.cause = fold->post->id;
    if (on) {
        desk_unlist(desk, table);
    }
    hear(fold, &docket);
    flood_limit(desk, fold->service, &docket, fold->post);
    if (on) {
        desk_list(desk, table);
    }
    enum err err = save(desk, &docket, why);
    desk->acted = desk->acted || docket.row_count > 0;
    docket_release(&docket);
    if (strcmp(before, table->id) != 0) {
        desk->games++;
    }
    if (!on && table->id[0] != '\0') {
        desk_add_table(desk, table);
    }
    return err;
}

/* The place of a game that is over, and had this thread; NULL: none. */
static enum err
place_of_past(struct fold *fold, const struct place **place, struct buf *why)
{
    struct store_game game;
    bool found = false;
    enum err err =
        store_game_of(fold->desk->store, fold->post->place, &game, &found, why);
    *place = NULL;
    if (err == ERR_NONE && found && game.over &&
        desk_service(fold->desk, game.place) == fold->service) {
        *place = desk_place(fold->desk, game.place);
    }
    return err;
}

/* The table that a post in a thread is for; NULL: none.  Where games have their
 * own threads, people may sign up in the place, too. */
static struct table *
table_for(struct fold *fold, const struct place *place)
{
    struct desk *desk = fold->desk;
    const struct post *post = fold->post;
    struct table *table =
        desk_table_of_thread(desk, fold->service, post->place);
    if (table != NULL || place == NULL) {
        return table;
    }
    struct house house =
        desk_house_for(desk, fold->service, place, &place->settings, fold->now);
    table = desk_signup_of(desk, fold->service, post->place, &fold->signups);
    return fold->signups == 1 && !office_opens(&house, &fold->rich) ? table
                                                                    : NULL;
}

static enum err
judge_in_thread(struct fold *fold, struct buf *why)
{
    const struct post *post = fold->post;
    const struct place *place =
        desk_place_of_thread(fold->desk, fold->service, post->place);
    struct table *table = table_for(fold, place);
    enum err err = ERR_NONE;
    if (table != NULL) {
        return judge(fold, table, desk_place(fold->desk, table->place), why);
    }
    if (place == NULL) {
        err = place_of_past(fold, &place, why);
    }
    if (place == NULL) {
        return err; /* a thread that is not ours */
    }
    struct table blank;
    memset(&blank, 0, sizeof blank);
    blank.settings = place->settings;
    (void)snprintf(blank.place, sizeof blank.place, "%s", place->name);
    (void)snprintf(blank.thread, sizeof blank.thread, "%s", post->place);
    return judge(fold, &blank, place, why);
}

static enum err
ask_which(struct fold *fold, struct table *table, struct buf *why)
{
    struct desk *desk = fold->desk;
    struct docket docket;
    struct house house = desk_house(desk, table, fold->now);
    docket_init(&docket, &house, table);
    desk_ask_which(desk, fold->service, &docket, fold->post->author);
    buf_add_text(&fold->verdict, "of which game it is was not told");
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

/* A moderator has answered somebody's question. */
static enum err
pass_on(struct fold *fold, struct table *table, const char *asker,
        struct buf *why)
{
    struct desk *desk = fold->desk;
    struct hearing hearing = {fold->post, &fold->rich, false, fold->aside};
    struct docket docket;
    struct house house = desk_house(desk, table, fold->now);
    docket_init(&docket, &house, table);
    office_pass_on(&docket, &hearing, asker, buf_text(&fold->rich.text));
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

static enum err
judge_in_talk(struct fold *fold, struct buf *why)
{
    struct table *table = NULL;
    struct buf asker = BUF_INIT;
    bool unclear = false;
    enum err err = desk_hear_answer(fold->desk, fold->service, fold->post,
                                    &fold->rich, &table, &asker, why);
    if (err == ERR_NONE && table != NULL) {
        err = pass_on(fold, table, buf_text(&asker), why);
        buf_release(&asker);
        return err;
    }
    buf_release(&asker);
    if (err != ERR_NONE) {
        return err;
    }
    err = desk_hear_talk(fold->desk, fold->service, fold->post, &fold->rich,
                         &table, &unclear, why);
    if (err != ERR_NONE || table == NULL) {
        return err;
    }
    return unclear
               ? ask_which(fold, table, why)
               : judge(fold, table, desk_place(fold->desk, table->place), why);
}

/* Read what a post says; false: it can't be read at all. */
static bool
read_rich(struct fold *fold)
{
    const struct post *post = fold->post;
    bool unread = false;
    const struct dialect *dialect =
        post->dialect != NULL ? post->dialect : fold->service->adapter->dialect;
    dialect->read(post->body, post->body_len, &fold->rich, &unread);
    return !unread;
}

static enum err
judge_post(struct fold *fold, struct buf *why)
{
    const struct post *post = fold->post;
    if (!read_rich(fold)) {
        buf_add_text(&fold->verdict, "R0: can't be read at all");
        log_line(LOG_LEVEL_WARNING, "%s: post %s can't be read",
                 fold->service->name, post->id);
        return ERR_NONE;
    }
    fold->aside =
        !post->talk &&
        desk_place_of_moderators(fold->desk, fold->service, post->place) !=
            NULL &&
        desk_table_of_thread(fold->desk, fold->service, post->place) == NULL;
    return post->talk || fold->aside ? judge_in_talk(fold, why)
                                     : judge_in_thread(fold, why);
}

static enum err
fold_post(struct desk *desk, struct service *service, const struct post *post,
          int64_t now, struct buf *why)
{
    struct fold fold = {
        .desk = desk, .service = service, .post = post, .now = now};
    enum err err = judge_post(&fold, why);
    bool again = false;
    if (err == ERR_NONE) {
        err = store_see(desk->store, service->name, post,
                        buf_text(&fold.verdict), &again, why);
    }
    rich_wipe(&fold.rich);
    buf_release(&fold.verdict);
    return err;
}

/* Written by somebody, and its words are kept from us; so they are once it was
 * deleted, if it was never read. */
static bool
is_unread(const struct post *post)
{
    return post->kind == POST_SEALED || post->kind == POST_HIDDEN ||
           (post->kind == POST_DELETED && post->author[0] != '\0');
}

/* Nothing counts that nobody wrote, or a machine; and we are one. */
static bool
is_own(const struct post *post)
{
    return (post->kind != POST_WRITTEN && !is_unread(post)) || post->own ||
           post->machine;
}

/* Who writes what can't be read is told so, at a table. */
static enum err
answer_sealed(struct desk *desk, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct table *table =
        post->talk ? desk_table_of_talk(desk, service, post->author)
                   : desk_table_of_thread(desk, service, post->place);
    struct docket docket;
    if (table == NULL) {
        return ERR_NONE;
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    reach_sealed(&docket, post);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

/* Is it an edit of what was written before our time?  What is old is not read.
 */
static bool
is_old(const struct service *service, const struct post *post)
{
    return post->edited != 0 && service->adapter->traits.edits_follow;
}

/* Does a post of a running game's thread say something else than it did?  Where
 * that was not noted, its service's mark must tell. */
static enum err
note_words(struct fold *fold, bool again, struct buf *why)
{
    struct buf words = BUF_INIT;
    enum wording before = WORDING_UNKNOWN;
    enum err err = ERR_NONE;
    if (read_rich(fold)) {
        intent_words(&fold->rich, &words);
        err = store_note_words(fold->desk->store, fold->service->name,
                               fold->post, &words, &before, why);
    }
    fold->edited =
        again && (before == WORDING_OTHER ||
                  (before == WORDING_UNKNOWN && fold->post->edited != 0));
    buf_release(&words);
    return err;
}

/* Was it edited before it could be judged?  Then it is not told yet whether
 * its author has voted. */
static enum err
forgive_kept(struct fold *fold, struct buf *why)
{
    bool kept = false;
    enum err err = store_is_kept(fold->desk->store, fold->service->name,
                                 fold->post->id, &kept, why);
    fold->edited = fold->edited && !kept;
    return err;
}

/* A post in the thread of a running game is seen.  One that was read before and
 * was edited since is looked at, whether its service marks edits or not: each
 * edit once. */
static enum err
watch_edits(struct desk *desk, struct service *service, const struct post *post,
            bool again, int64_t now, struct buf *why)
{
    struct fold fold = {
        .desk = desk, .service = service, .post = post, .now = now};
    const struct table *table =
        post->talk || post->kind != POST_WRITTEN
            ? NULL
            : desk_table_of_thread(desk, service, post->place);
    enum err err = ERR_NONE;
    if (table != NULL && table->state == TABLE_RUNNING) {
        err = note_words(&fold, again, why);
    }
    if (err == ERR_NONE && fold.edited) {
        err = forgive_kept(&fold, why);
    }
    if (err == ERR_NONE && fold.edited) {
        err = judge_post(&fold, why);
    }
    rich_wipe(&fold.rich);
    buf_release(&fold.verdict);
    return err;
}

/* A reaction is no act; who must keep silent is warned.  It waits for no other
 * post. */
static enum err
fold_reaction(struct desk *desk, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct table *table = desk_table_of_thread(desk, service, post->place);
    struct docket docket;
    bool again = false;
    if (table == NULL || !manners_forbid(table, post)) {
        return ERR_NONE;
    }
    enum err err = store_see(desk->store, service->name, post, "", &again, why);
    if (err != ERR_NONE || again) {
        return err;
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    desk_unlist(desk, table);
    manners_reacted(&docket, post);
    desk_list(desk, table);
    err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

/* What is no post of a person may have to be known all the same. */
static enum err
fold_event(struct desk *desk, struct service *service, const struct post *post,
           int64_t now, struct buf *why)
{
    if (post->kind == POST_REACTED) {
        return fold_reaction(desk, service, post, now, why);
    }
    if (post->kind == POST_ENCRYPTED) {
        return desk_encrypted(desk, service, post, now, why);
    }
    if (post->talk && !post->own && post->kind == POST_LEFT) {
        return desk_left_talk(desk, service, post, now, why);
    }
    if (post->talk && !post->own && post->kind == POST_CAME) {
        return desk_came_back(desk, service, post, why);
    }
    return ERR_NONE;
}

/* A post that comes a second time changes nothing (READING.md E1). */
static enum err
fold_new_post(struct desk *desk, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    bool again = false;
    bool late = false;
    if (is_own(post)) {
        return fold_event(desk, service, post, now, why);
    }
    if (post->pending) {
        return pending_fold(desk, service, post, now, why);
    }
    enum err err = store_see(desk->store, service->name, post, "", &again, why);
    if (err == ERR_NONE) {
        err = watch_edits(desk, service, post, again, now, why);
    }
    if (err != ERR_NONE || again || is_old(service, post)) {
        return err;
    }
    if (is_unread(post)) {
        return answer_sealed(desk, service, post, now, why);
    }
    err = pending_approved(desk, service, post, &late, now, why);
    if (err == ERR_NONE && !late) {
        err = desk_ask_back(desk, service, post, now, why);
    }
    if (err != ERR_NONE || late) {
        return err;
    }
    struct kept_post kept;
    kept_describe(service, post, &kept);
    return kept_is_next(desk, &kept) ? fold_post(desk, service, post, now, why)
                                     : kept_add(desk, &kept, post, why);
}

/* ---- attempts ------------------------------------------------------------ */

/* Begin a transaction, and have noted before that it is tried: *tries times
 * by now since it last came to its end. */
static enum err
begin_attempt(struct desk *desk, const char *what, const char *at,
              int64_t *tries, struct buf *why)
{
    enum err err = store_try(desk->store, what, at, tries, why);
    return err == ERR_NONE ? store_begin(desk->store, why) : err;
}

/* Commit an attempt that came to its end, or break off one in which `err` came
 * to pass: then the process ends as well, but has not died. */
static enum err
end_attempt(struct desk *desk, const char *what, enum err err, struct buf *why)
{
    if (err == ERR_NONE) {
        err = store_forget_attempt(desk->store, what, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(desk->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(desk->store);
    }
    return err;
}

/* Say a line in a table's thread; `once`: never again. */
static enum err
tell_table(struct desk *desk, struct table *table, const char *key, bool once,
           int64_t now, struct buf *why)
{
    struct docket docket;
    struct rich text = {.count = 0};
    struct params params = {.count = 0};
    struct house house = desk_house(desk, table, now);
    params_text(&params, "table", table->id);
    docket_init(&docket, &house, table);
    catalogue_say(house.catalogue, key, &params, &text);
    struct letter *letter = docket_post(&docket, &text);
    if (once) {
        docket_once(&docket, letter, "", key, AGAIN_DROP);
    }
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    rich_release(&text);
    return err;
}

/* Take a table from the desk for good; the others go on. */
static enum err
hold(struct desk *desk, struct table *table, int64_t now, struct buf *why)
{
    enum err err = tell_table(desk, table, "held", false, now, why);
    if (err == ERR_NONE) {
        err = store_hold(desk->store, table->id, why);
    }
    log_line(LOG_LEVEL_ERROR, "game %s is held: placard has died on it",
             table->id);
    table->state = TABLE_OVER; /* so the desk clears it away */
    desk->ended = true;
    return err;
}

/* ---- posts on which the process dies ------------------------------------- */

/* Set a post aside, and hold the game that would have had it. */
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

static enum err
begin_alone(struct desk *desk, const struct service *service,
            const struct post *post, struct buf *what, int64_t *tries,
            struct buf *why)
{
    buf_addf(what, "post %s %s %s", service->name, post->place, post->id);
    return begin_attempt(desk, buf_text(what), "", tries, why);
}

/* Fold one post in a transaction of its own. */
static enum err
fold_alone(struct desk *desk, struct service *service, const struct post *post,
           int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = begin_alone(desk, service, post, &what, &tries, why);
    if (err == ERR_NONE) {
        err = tries > POST_TRIES ? set_aside(desk, service, post, now, why)
                                 : fold_new_post(desk, service, post, now, why);
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    desk_clear_tables(desk);
    buf_release(&what);
    return err;
}

/* Fold the posts of a page one by one: they are no news to the page then. */
static enum err
fold_one_by_one(struct desk *desk, struct service *service,
                const struct post *const *posts, size_t count, int64_t now,
                struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        if (!is_own(posts[i])) {
            err = fold_alone(desk, service, posts[i], now, why);
        }
    }
    return err;
}

/* Judge a post that was kept, whose turn has come. */
static enum err
judge_kept(struct desk *desk, const struct kept_post *kept,
           const struct post *post, int64_t now, struct buf *why)
{
    struct service *service = desk_service_named(desk, kept->service);
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = begin_alone(desk, service, post, &what, &tries, why);
    if (err == ERR_NONE) {
        err = store_forget_kept(desk->store, kept->number, why);
    }
    if (err == ERR_NONE) {
        err = tries > KEPT_TRIES ? set_aside(desk, service, post, now, why)
                                 : fold_post(desk, service, post, now, why);
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    buf_release(&what);
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

static int
compare_posts(const void *one, const void *two)
{
    const struct post *const *first = one;
    const struct post *const *second = two;
    int64_t by = post_time(*first) - post_time(*second);
    by = by != 0 ? by : *first - *second;
    return by < 0 ? -1 : by > 0;
}

/* The posts of a page in order of time; yours to free. */
static const struct post **
sort_page(const struct page *page)
{
    const struct post **posts =
        must_alloc((page->count + 1) * sizeof(struct post *));
    for (size_t i = 0; i < page->count; i++) {
        posts[i] = &page->posts[i];
    }
    qsort(posts, page->count, sizeof(struct post *), compare_posts);
    return posts;
}

/* Is there anything in it on which the process could die? */
static bool
has_news(const struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        if (!is_own(&page->posts[i])) {
            return true;
        }
    }
    return false;
}

static enum err
fold_page(struct desk *desk, struct feed *feed, const struct outcome *outcome,
          int64_t now, struct buf *why)
{
    const struct page *page = &outcome->page;
    const struct post **posts = sort_page(page);
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = ERR_NONE;
    buf_addf(&what, "feed %s %s", feed->service->name, feed->name);
    if (has_news(page)) {
        err =
            store_try(desk->store, buf_text(&what), feed->cursor, &tries, why);
    }
    if (err == ERR_NONE && tries > PAGE_TRIES) {
        err =
            fold_one_by_one(desk, feed->service, posts, page->count, now, why);
    }
    if (err == ERR_NONE) {
        err = store_begin(desk->store, why);
    }
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        err = fold_new_post(desk, feed->service, posts[i], now, why);
    }
    if (err == ERR_NONE) {
        err = save_reading(desk, feed, outcome, why);
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    buf_release(&what);
    free(posts);
    return err;
}

enum err
desk_fold(struct desk *desk, struct feed *feed, const struct outcome *outcome,
          int64_t now, struct buf *why)
{
    bool news = outcome->page.count > 0 || outcome->note_count > 0 ||
                strcmp(buf_text(&outcome->cursor), feed->cursor) != 0;
    if (!desk_clock(desk, feed->service)->doubted) {
        feed->through = later_of(outcome->through, feed->through);
    }
    now = desk_service_now(desk, feed->service, now);
    if (news) {
        struct page page = outcome->page;
        enum err err = desk_look_over(desk, feed->service, &page, why);
        if (err == ERR_NONE) {
            err = fold_page(desk, feed, outcome, now, why);
        }
        if (err != ERR_NONE) {
            return err;
        }
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s",
                       buf_text(&outcome->cursor));
    }
    desk_clear_tables(desk);
    return ERR_NONE;
}

/* ---- time ---------------------------------------------------------------- */

/* The latest time up to which any feed was read. */
static int64_t
latest_through(const struct desk *desk)
{
    int64_t latest = 0;
    for (size_t i = 0; i < desk->feed_count; i++) {
        latest = later_of(latest, desk->feeds[i].through);
    }
    return latest;
}

enum err
desk_deal(struct desk *desk, const char *game, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        struct table *table = desk->tables[i];
        struct docket docket;
        if (strcmp(table->id, game) != 0 || table->state != TABLE_SEATED) {
            continue;
        }
        struct house house = desk_house(
            desk, table,
            desk_service_now(desk, desk_service(desk, table->place), now));
        docket_init(&docket, &house, table);
        desk_unlist(desk, table);
        docket_deal(&docket);
        desk_list(desk, table);
        notice_write(&docket);
        err = store_save_docket(desk->store, &docket, &desk->outbox, why);
        docket_release(&docket);
        desk->acted = true;
    }
    return err;
}

static enum err
fire(struct desk *desk, struct table *table, int64_t through, int64_t now,
     struct buf *why)
{
    struct house house = desk_house(desk, table, now);
    struct docket docket;
    docket_init(&docket, &house, table);
    desk_note_unasked(desk, &docket);
    desk_unlist(desk, table);
    clock_fire(&docket, through);
    desk_list(desk, table);
    notice_write(&docket);
    enum err err = save(desk, &docket, why);
    docket_release(&docket);
    return err;
}

static enum err
fire_in_transaction(struct desk *desk, struct table *table, int64_t through,
                    int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    struct buf phase = BUF_INIT;
    int64_t tries = 0;
    buf_addf(&what, "deadline of %s", table->id);
    buf_add_number(&phase, table->phase);
    now = desk_service_now(desk, desk_service(desk, table->place), now);
    enum err err =
        begin_attempt(desk, buf_text(&what), buf_text(&phase), &tries, why);
    if (err == ERR_NONE) {
        err = tries > DEADLINE_TRIES ? hold(desk, table, now, why)
                                     : fire(desk, table, through, now, why);
    }
    err = end_attempt(desk, buf_text(&what), err, why);
    buf_release(&what);
    buf_release(&phase);
    desk->acted = true;
    return err;
}

/* Judge the post at `at` of those that are kept. */
static enum err
take_kept(struct desk *desk, size_t at, int64_t now, struct buf *why)
{
    struct kept_post kept = desk->kept[at];
    struct page page = {NULL, 0};
    enum err err = store_kept_post(desk->store, kept.number, &page, why);
    kept_remove(desk, at);
    now = desk_service_now(desk, desk_service_named(desk, kept.service), now);
    if (err == ERR_NONE && page.count > 0) {
        err = judge_kept(desk, &kept, &page.posts[0], now, why);
    }
    page_release(&page);
    desk->acted = true;
    return err;
}

/* Judge the posts that are kept whose turn has come, in order. */
static enum err
judge_kept_posts(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    size_t at = 0;
    while (err == ERR_NONE && at < desk->kept_count) {
        if (kept_is_due(desk, &desk->kept[at], at)) {
            err = take_kept(desk, at, now, why);
        } else {
            at++;
        }
    }
    return err;
}

/* Let each table's next timer fire if its turn has come. */
static enum err
fire_timers(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t latest = latest_through(desk);
    int64_t next = INT64_MAX;
    if (desk->next_timer > latest) {
        return ERR_NONE; /* whatever their number, of most nothing is due */
    }
    for (size_t i = 0; err == ERR_NONE && i < desk->table_count; i++) {
        struct table *table = desk->tables[i];
        if (table_timer(table).at <= latest) {
            int64_t through = kept_timer_due(desk, table);
            if (through != 0) {
                err = fire_in_transaction(desk, table, through, now, why);
            }
        }
        next = desk_earlier_timer(table, next);
    }
    desk->next_timer = next;
    return err;
}

/* Do once whatever is next at each table: first posts, then timers. */
static enum err
take_turns(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = judge_kept_posts(desk, now, why);
    return err == ERR_NONE ? fire_timers(desk, now, why) : err;
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
        err = tell_table(desk, table, "looked", false, now, why);
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

/* Games whose key is lost are held, in words. */
static enum err
tell_lost(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    while (err == ERR_NONE && desk->lost_count > 0) {
        const struct store_game *game = &desk->lost[--desk->lost_count];
        struct table table;
        memset(&table, 0, sizeof table);
        table.settings = desk_place(desk, game->place)->settings;
        (void)snprintf(table.id, sizeof table.id, "%s", game->id);
        (void)snprintf(table.place, sizeof table.place, "%s", game->place);
        (void)snprintf(table.thread, sizeof table.thread, "%s", game->thread);
        err = store_begin(desk->store, why);
        if (err == ERR_NONE) {
            err = tell_table(desk, &table, "held_key", true, now, why);
        }
        if (err == ERR_NONE) {
            err = store_commit(desk->store, why);
        }
    }
    return err;
}

enum err
desk_time(struct desk *desk, int64_t now, struct buf *why)
{
    enum err err = tell_looks(desk, now, why);
    if (err == ERR_NONE) {
        err = tell_lost(desk, now, why);
    }
    bool acted_before = desk->acted;
    do {
        desk->acted = false;
        if (err == ERR_NONE) {
            err = take_turns(desk, now, why);
        }
        acted_before = acted_before || desk->acted;
        desk_clear_tables(desk);
    } while (err == ERR_NONE && desk->acted);
    desk->acted = acted_before;
    return err;
}
