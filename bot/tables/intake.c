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

/* How often a page is tried as a whole, then each of its posts alone; and how
 * often a deferred post and a deadline are tried. */
enum {
    PAGE_TRIES = 2,
    POST_TRIES = 1,
    DEFERRED_TRIES = 3,
    DEADLINE_TRIES = 3
};

/* ---- posts --------------------------------------------------------------- */

/* A post on its way through the tables. */
struct intake {
    struct tables *tables;
    struct service *service;
    const struct post *post;
    struct rich rich;
    int64_t now;
    struct buf verdict; /* how it was read, as a line for people */
    unsigned signups;   /* as in struct host_env */
    bool aside;         /* as in struct input */
    bool edited;        /* it is an edit: it changes nothing */
};

/* Save what became of a table; once it is over, nothing is due there. */
static enum err
save(struct tables *tables, const struct ruling *ruling, struct buf *why)
{
    const struct table *table = ruling->table;
    enum err err = tables_save(tables, ruling, why);
    tables->ended = tables->ended || table->state == TABLE_OVER;
    return err == ERR_NONE && table->state == TABLE_OVER &&
                   ruling->row_count > 0
               ? store_forget_words(tables->store, ruling->env->service->name,
                                    table->thread, why)
               : err;
}

static void
hear(struct intake *intake, struct ruling *ruling)
{
    struct input input = {intake->post, &intake->rich, false, intake->aside};
    struct buf next_id = BUF_INIT;
    bool answered = false;
    if (intake->edited) {
        conduct_edited(ruling, &input);
        return;
    }
    buf_add_number(&next_id, intake->tables->games + 1);
    input.ordered = chat_commands_run(ruling, &input, buf_text(&next_id));
    buf_release(&next_id);
    if (input.ordered) {
        buf_add_text(&intake->verdict, "a command");
    }
    if (intake->aside) {
        notice_write(ruling);
        return;
    }
    if (ruling->table->state == TABLE_CHECK && ruling->row_count == 0) {
        buf_clear(&intake->verdict);
        (void)signup_take(ruling, &input, &intake->verdict);
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0) {
        buf_clear(&intake->verdict);
        answered =
            referee_judge(ruling, &input, &intake->verdict) != HEARD_NOTHING;
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0) {
        conduct_watch(ruling, &input, answered);
    }
    signup_name(ruling, &input);
    notice_write(ruling);
}

/* Judge a post at a table.  `table` may be a blank one, or one whose game is
 * over, which a command fills. */
static enum err
judge(struct intake *intake, struct table *table, const struct place *place,
      struct buf *why)
{
    struct tables *tables = intake->tables;
    struct ruling ruling;
    struct host_env env = tables_env_for(tables, intake->service, place,
                                         &table->settings, intake->now);
    char before[TABLE_ID_MAX + 1];
    env.signups = intake->signups;
    (void)snprintf(before, sizeof before, "%s", table->id);
    bool on = before[0] != '\0';
    ruling_init(&ruling, &env, table);
    ruling.cause = intake->post->id;
    if (on) {
        tables_unlist(tables, table);
    }
    hear(intake, &ruling);
    flood_limit(tables, intake->service, &ruling, intake->post);
    if (on) {
        tables_list(tables, table);
    }
    enum err err = save(tables, &ruling, why);
    tables->acted = tables->acted || ruling.row_count > 0;
    ruling_release(&ruling);
    if (strcmp(before, table->id) != 0) {
        tables->games++;
    }
    if (!on && table->id[0] != '\0') {
        tables_add(tables, table);
    }
    return err;
}

/* The place of a game that is over and had this thread; NULL: none. */
static enum err
place_of_past(struct intake *intake, const struct place **place,
              struct buf *why)
{
    struct store_game game;
    bool found = false;
    enum err err = store_game_of(intake->tables->store, intake->post->place,
                                 &game, &found, why);
    *place = NULL;
    if (err == ERR_NONE && found && game.over &&
        tables_service(intake->tables, game.place) == intake->service) {
        *place = tables_place(intake->tables, game.place);
    }
    return err;
}

/* The table that a post in a thread is for; NULL: none.  Where games have their
 * own threads, people may also sign up in the place. */
static struct table *
table_for(struct intake *intake, const struct place *place)
{
    struct tables *tables = intake->tables;
    const struct post *post = intake->post;
    struct table *table =
        tables_of_thread(tables, intake->service, post->place);
    if (table != NULL || place == NULL) {
        return table;
    }
    struct host_env env = tables_env_for(tables, intake->service, place,
                                         &place->settings, intake->now);
    table = tables_signup_of(tables, intake->service, post->place,
                             &intake->signups);
    return intake->signups == 1 && !office_opens(&env, &intake->rich) ? table
                                                                      : NULL;
}

static enum err
judge_in_thread(struct intake *intake, struct buf *why)
{
    const struct post *post = intake->post;
    const struct place *place =
        tables_place_of_thread(intake->tables, intake->service, post->place);
    struct table *table = table_for(intake, place);
    enum err err = ERR_NONE;
    if (table != NULL) {
        return judge(intake, table, tables_place(intake->tables, table->place),
                     why);
    }
    if (place == NULL) {
        err = place_of_past(intake, &place, why);
    }
    if (place == NULL) {
        return err; /* a thread that is not ours */
    }
    struct table blank;
    memset(&blank, 0, sizeof blank);
    blank.settings = place->settings;
    (void)snprintf(blank.place, sizeof blank.place, "%s", place->name);
    (void)snprintf(blank.thread, sizeof blank.thread, "%s", post->place);
    return judge(intake, &blank, place, why);
}

static enum err
ask_which(struct intake *intake, struct table *table, struct buf *why)
{
    struct tables *tables = intake->tables;
    struct ruling ruling;
    struct host_env env = tables_env(tables, table, intake->now);
    ruling_init(&ruling, &env, table);
    tables_ask_which(tables, intake->service, &ruling, intake->post->author);
    buf_add_text(&intake->verdict, "of which game it is was not told");
    enum err err =
        store_save_ruling(tables->store, &ruling, &tables->outbox, why);
    ruling_release(&ruling);
    return err;
}

/* A moderator has answered somebody's question. */
static enum err
pass_on(struct intake *intake, struct table *table, const char *asker,
        struct buf *why)
{
    struct tables *tables = intake->tables;
    struct input input = {intake->post, &intake->rich, false, intake->aside};
    struct ruling ruling;
    struct host_env env = tables_env(tables, table, intake->now);
    ruling_init(&ruling, &env, table);
    chat_commands_pass_on(&ruling, &input, asker, buf_text(&intake->rich.text));
    enum err err =
        store_save_ruling(tables->store, &ruling, &tables->outbox, why);
    ruling_release(&ruling);
    return err;
}

static enum err
judge_in_dm(struct intake *intake, struct buf *why)
{
    struct table *table = NULL;
    struct buf asker = BUF_INIT;
    bool unclear = false;
    enum err err =
        tables_hear_answer(intake->tables, intake->service, intake->post,
                           &intake->rich, &table, &asker, why);
    if (err == ERR_NONE && table != NULL) {
        err = pass_on(intake, table, buf_text(&asker), why);
        buf_release(&asker);
        return err;
    }
    buf_release(&asker);
    if (err != ERR_NONE) {
        return err;
    }
    err = tables_note_dm_post(intake->tables, intake->service, intake->post,
                              &intake->rich, &table, &unclear, why);
    if (err != ERR_NONE || table == NULL) {
        return err;
    }
    return unclear ? ask_which(intake, table, why)
                   : judge(intake, table,
                           tables_place(intake->tables, table->place), why);
}

/* Read what a post says; false: it can't be read at all. */
static bool
read_rich(struct intake *intake)
{
    const struct post *post = intake->post;
    bool unread = false;
    const struct dialect *dialect = post->dialect != NULL
                                        ? post->dialect
                                        : intake->service->adapter->dialect;
    dialect->read(post->body, post->body_len, &intake->rich, &unread);
    return !unread;
}

static enum err
judge_post(struct intake *intake, struct buf *why)
{
    const struct post *post = intake->post;
    if (!read_rich(intake)) {
        buf_add_text(&intake->verdict, "R0: can't be read at all");
        log_line(LOG_LEVEL_WARNING, "%s: post %s can't be read",
                 intake->service->name, post->id);
        return ERR_NONE;
    }
    intake->aside =
        !post->dm &&
        tables_place_of_moderators(intake->tables, intake->service,
                                   post->place) != NULL &&
        tables_of_thread(intake->tables, intake->service, post->place) == NULL;
    return post->dm || intake->aside ? judge_in_dm(intake, why)
                                     : judge_in_thread(intake, why);
}

static enum err
intake_post(struct tables *tables, struct service *service,
            const struct post *post, int64_t now, struct buf *why)
{
    struct intake intake = {
        .tables = tables, .service = service, .post = post, .now = now};
    enum err err = judge_post(&intake, why);
    bool again = false;
    if (err == ERR_NONE) {
        err = store_see(tables->store, service->name, post,
                        buf_text(&intake.verdict), &again, why);
    }
    rich_wipe(&intake.rich);
    buf_release(&intake.verdict);
    return err;
}

/* Did somebody write it whose words are kept from us?  That also holds if it
 * was deleted before it was ever read. */
static bool
is_unread(const struct post *post)
{
    return post->kind == POST_SEALED || post->kind == POST_HIDDEN ||
           (post->kind == POST_DELETED && post->author[0] != '\0');
}

/* What nobody wrote, or a machine did, does not count; and we are a machine. */
static bool
is_own(const struct post *post)
{
    return (post->kind != POST_WRITTEN && !is_unread(post)) || post->own ||
           post->machine;
}

/* Tell people at a table that what they wrote can't be read. */
static enum err
answer_sealed(struct tables *tables, struct service *service,
              const struct post *post, int64_t now, struct buf *why)
{
    struct table *table = post->dm
                              ? tables_of_dm(tables, service, post->author)
                              : tables_of_thread(tables, service, post->place);
    struct ruling ruling;
    if (table == NULL) {
        return ERR_NONE;
    }
    struct host_env env = tables_env(tables, table, now);
    ruling_init(&ruling, &env, table);
    reach_sealed(&ruling, post);
    enum err err =
        store_save_ruling(tables->store, &ruling, &tables->outbox, why);
    ruling_release(&ruling);
    return err;
}

/* Is it an edit of something written before our time?  Old posts are not
 * read. */
static bool
is_old(const struct service *service, const struct post *post)
{
    return post->edited != 0 && service->adapter->capabilities.edits_follow;
}

/* Does a post in a running game's thread say something else than before?  If
 * what it said was not saved, its service's mark must tell. */
static enum err
note_words(struct intake *intake, bool again, struct buf *why)
{
    struct buf words = BUF_INIT;
    enum wording before = WORDING_UNKNOWN;
    enum err err = ERR_NONE;
    if (read_rich(intake)) {
        intent_words(&intake->rich, &words);
        err = store_note_words(intake->tables->store, intake->service->name,
                               intake->post, &words, &before, why);
    }
    intake->edited =
        again && (before == WORDING_OTHER ||
                  (before == WORDING_UNKNOWN && intake->post->edited != 0));
    buf_release(&words);
    return err;
}

/* Was it edited before it could be judged?  Then nobody has been told yet
 * whether its author has voted. */
static enum err
forgive_deferred(struct intake *intake, struct buf *why)
{
    bool deferred = false;
    enum err err =
        store_is_deferred(intake->tables->store, intake->service->name,
                          intake->post->id, &deferred, why);
    intake->edited = intake->edited && !deferred;
    return err;
}

/* A post in the thread of a running game is seen.  If it was read before and
 * edited since, it is looked at, whether its service marks edits or not: once
 * for each edit. */
static enum err
watch_edits(struct tables *tables, struct service *service,
            const struct post *post, bool again, int64_t now, struct buf *why)
{
    struct intake intake = {
        .tables = tables, .service = service, .post = post, .now = now};
    const struct table *table =
        post->dm || post->kind != POST_WRITTEN
            ? NULL
            : tables_of_thread(tables, service, post->place);
    enum err err = ERR_NONE;
    if (table != NULL && table->state == TABLE_RUNNING) {
        err = note_words(&intake, again, why);
    }
    if (err == ERR_NONE && intake.edited) {
        err = forgive_deferred(&intake, why);
    }
    if (err == ERR_NONE && intake.edited) {
        err = judge_post(&intake, why);
    }
    rich_wipe(&intake.rich);
    buf_release(&intake.verdict);
    return err;
}

/* A reaction is no act, but somebody who must keep silent is warned.  It waits
 * for no other post. */
static enum err
intake_reaction(struct tables *tables, struct service *service,
                const struct post *post, int64_t now, struct buf *why)
{
    struct table *table = tables_of_thread(tables, service, post->place);
    struct ruling ruling;
    bool again = false;
    if (table == NULL || !conduct_forbid(table, post)) {
        return ERR_NONE;
    }
    enum err err =
        store_see(tables->store, service->name, post, "", &again, why);
    if (err != ERR_NONE || again) {
        return err;
    }
    struct host_env env = tables_env(tables, table, now);
    ruling_init(&ruling, &env, table);
    tables_unlist(tables, table);
    conduct_reacted(&ruling, post);
    tables_list(tables, table);
    err = store_save_ruling(tables->store, &ruling, &tables->outbox, why);
    ruling_release(&ruling);
    return err;
}

/* Some posts of no person matter all the same. */
static enum err
fold_event(struct tables *tables, struct service *service,
           const struct post *post, int64_t now, struct buf *why)
{
    if (post->kind == POST_REACTED) {
        return intake_reaction(tables, service, post, now, why);
    }
    if (post->kind == POST_ENCRYPTED) {
        return tables_encrypted(tables, service, post, now, why);
    }
    if (post->dm && !post->own && post->kind == POST_LEFT) {
        return tables_left_dm(tables, service, post, now, why);
    }
    if (post->dm && !post->own && post->kind == POST_CAME) {
        return tables_came_back(tables, service, post, why);
    }
    return ERR_NONE;
}

/* A post that comes a second time changes nothing (READING.md E1). */
static enum err
intake_new_post(struct tables *tables, struct service *service,
                const struct post *post, int64_t now, struct buf *why)
{
    bool again = false;
    bool late = false;
    if (is_own(post)) {
        return fold_event(tables, service, post, now, why);
    }
    if (post->pending) {
        return pending_take(tables, service, post, now, why);
    }
    enum err err =
        store_see(tables->store, service->name, post, "", &again, why);
    if (err == ERR_NONE) {
        err = watch_edits(tables, service, post, again, now, why);
    }
    if (err != ERR_NONE || again || is_old(service, post)) {
        return err;
    }
    if (is_unread(post)) {
        return answer_sealed(tables, service, post, now, why);
    }
    err = pending_approved(tables, service, post, &late, now, why);
    if (err == ERR_NONE && !late) {
        err = tables_ask_back(tables, service, post, now, why);
    }
    if (err != ERR_NONE || late) {
        return err;
    }
    struct deferred_post deferred;
    deferred_describe(service, post, &deferred);
    return deferred_is_next(tables, &deferred)
               ? intake_post(tables, service, post, now, why)
               : deferred_add(tables, &deferred, post, why);
}

/* ---- attempts ------------------------------------------------------------ */

/* Begin a transaction, after saving that it is tried: *tries times by now since
 * it was last completed. */
static enum err
begin_attempt(struct tables *tables, const char *what, const char *at,
              int64_t *tries, struct buf *why)
{
    enum err err = store_try(tables->store, what, at, tries, why);
    return err == ERR_NONE ? store_begin(tables->store, why) : err;
}

/* Commit an attempt that was completed, or give up one that failed with `err`:
 * then the process ends as well, but has not died. */
static enum err
end_attempt(struct tables *tables, const char *what, enum err err,
            struct buf *why)
{
    if (err == ERR_NONE) {
        err = store_forget_attempt(tables->store, what, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(tables->store, why);
    }
    if (err != ERR_NONE) {
        store_rollback(tables->store);
    }
    return err;
}

/* Say a line in a table's thread; `once`: never again. */
static enum err
tell_table(struct tables *tables, struct table *table, const char *key,
           bool once, int64_t now, struct buf *why)
{
    struct ruling ruling;
    struct rich text = {.count = 0};
    struct params params = {.count = 0};
    struct host_env env = tables_env(tables, table, now);
    params_text(&params, "table", table->id);
    ruling_init(&ruling, &env, table);
    catalogue_say(env.catalogue, key, &params, &text);
    struct message *message = ruling_post(&ruling, &text);
    if (once) {
        ruling_once(&ruling, message, "", key, AGAIN_DROP);
    }
    enum err err =
        store_save_ruling(tables->store, &ruling, &tables->outbox, why);
    ruling_release(&ruling);
    rich_release(&text);
    return err;
}

/* Take a table out for good; the others go on. */
static enum err
hold(struct tables *tables, struct table *table, int64_t now, struct buf *why)
{
    enum err err = tell_table(tables, table, "held", false, now, why);
    if (err == ERR_NONE) {
        err = store_hold(tables->store, table->id, why);
    }
    log_line(LOG_LEVEL_ERROR, "game %s is held: placard has died on it",
             table->id);
    table->state = TABLE_OVER; /* so that it is cleared away */
    tables->ended = true;
    return err;
}

/* ---- posts on which the process dies ------------------------------------- */

/* Skip a post, and hold the game that would have got it. */
static enum err
set_aside(struct tables *tables, struct service *service,
          const struct post *post, int64_t now, struct buf *why)
{
    bool again = false;
    struct table *table = post->dm
                              ? tables_of_dm(tables, service, post->author)
                              : tables_of_thread(tables, service, post->place);
    log_line(LOG_LEVEL_ERROR,
             "%s: post %s is set aside: placard has died on it", service->name,
             post->id);
    enum err err = store_see(tables->store, service->name, post,
                             "set aside: placard has died on it", &again, why);
    return err == ERR_NONE && table != NULL ? hold(tables, table, now, why)
                                            : err;
}

static enum err
begin_alone(struct tables *tables, const struct service *service,
            const struct post *post, struct buf *what, int64_t *tries,
            struct buf *why)
{
    buf_addf(what, "post %s %s %s", service->name, post->place, post->id);
    return begin_attempt(tables, buf_text(what), "", tries, why);
}

/* Take in one post in a transaction of its own. */
static enum err
intake_alone(struct tables *tables, struct service *service,
             const struct post *post, int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = begin_alone(tables, service, post, &what, &tries, why);
    if (err == ERR_NONE) {
        err = tries > POST_TRIES
                  ? set_aside(tables, service, post, now, why)
                  : intake_new_post(tables, service, post, now, why);
    }
    err = end_attempt(tables, buf_text(&what), err, why);
    tables_clear(tables);
    buf_release(&what);
    return err;
}

/* Take in the posts of a page one by one: the page then finds nothing new in
 * them. */
static enum err
intake_one_by_one(struct tables *tables, struct service *service,
                  const struct post *const *posts, size_t count, int64_t now,
                  struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        if (!is_own(posts[i])) {
            err = intake_alone(tables, service, posts[i], now, why);
        }
    }
    return err;
}

/* Judge a deferred post whose turn has come. */
static enum err
judge_deferred(struct tables *tables, const struct deferred_post *deferred,
               const struct post *post, int64_t now, struct buf *why)
{
    struct service *service = tables_service_named(tables, deferred->service);
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = begin_alone(tables, service, post, &what, &tries, why);
    if (err == ERR_NONE) {
        err = store_forget_deferred(tables->store, deferred->number, why);
    }
    if (err == ERR_NONE) {
        err = tries > DEFERRED_TRIES
                  ? set_aside(tables, service, post, now, why)
                  : intake_post(tables, service, post, now, why);
    }
    err = end_attempt(tables, buf_text(&what), err, why);
    buf_release(&what);
    return err;
}

/* ---- pages --------------------------------------------------------------- */

static enum err
save_reading(struct tables *tables, struct feed *feed,
             const struct outcome *outcome, struct buf *why)
{
    enum err err = ERR_NONE;
    const char *cursor = buf_text(&outcome->cursor);
    if (strcmp(cursor, feed->cursor) != 0) {
        err = store_set_cursor(tables->store, feed->service->name, feed->name,
                               cursor, why);
    }
    return err != ERR_NONE
               ? err
               : tables_save_states(tables, feed->service, outcome, why);
}

/* What time it is.  No question may open in the service's past, because its
 * deadline fires by the service's clock. */
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

/* Is there anything in it of which the process could die? */
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
intake_page(struct tables *tables, struct feed *feed,
            const struct outcome *outcome, int64_t now, struct buf *why)
{
    const struct page *page = &outcome->page;
    const struct post **posts = sort_page(page);
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = ERR_NONE;
    buf_addf(&what, "feed %s %s", feed->service->name, feed->name);
    if (has_news(page)) {
        err = store_try(tables->store, buf_text(&what), feed->cursor, &tries,
                        why);
    }
    if (err == ERR_NONE && tries > PAGE_TRIES) {
        err = intake_one_by_one(tables, feed->service, posts, page->count, now,
                                why);
    }
    if (err == ERR_NONE) {
        err = store_begin(tables->store, why);
    }
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        err = intake_new_post(tables, feed->service, posts[i], now, why);
    }
    if (err == ERR_NONE) {
        err = save_reading(tables, feed, outcome, why);
    }
    err = end_attempt(tables, buf_text(&what), err, why);
    buf_release(&what);
    free(posts);
    return err;
}

enum err
tables_take_page(struct tables *tables, struct feed *feed,
                 const struct outcome *outcome, int64_t now, struct buf *why)
{
    bool updates = outcome->page.count > 0 || outcome->state_count > 0 ||
                   strcmp(buf_text(&outcome->cursor), feed->cursor) != 0;
    if (!tables_clock(tables, feed->service)->doubted) {
        feed->through = later_of(outcome->through, feed->through);
    }
    now = tables_service_now(tables, feed->service, now);
    if (updates) {
        struct page page = outcome->page;
        enum err err = tables_look_over(tables, feed->service, &page, why);
        if (err == ERR_NONE) {
            err = intake_page(tables, feed, outcome, now, why);
        }
        if (err != ERR_NONE) {
            return err;
        }
        (void)snprintf(feed->cursor, sizeof feed->cursor, "%s",
                       buf_text(&outcome->cursor));
    }
    tables_clear(tables);
    return ERR_NONE;
}

/* ---- time ---------------------------------------------------------------- */

/* The latest time up to which any feed was read. */
static int64_t
latest_through(const struct tables *tables)
{
    int64_t latest = 0;
    for (size_t i = 0; i < tables->feed_count; i++) {
        latest = later_of(latest, tables->feeds[i].through);
    }
    return latest;
}

enum err
tables_deal(struct tables *tables, const char *game, int64_t now,
            struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < tables->table_count; i++) {
        struct table *table = tables->list[i];
        struct ruling ruling;
        if (strcmp(table->id, game) != 0 || table->state != TABLE_SEATED) {
            continue;
        }
        struct host_env env =
            tables_env(tables, table,
                       tables_service_now(
                           tables, tables_service(tables, table->place), now));
        ruling_init(&ruling, &env, table);
        tables_unlist(tables, table);
        ruling_deal(&ruling);
        tables_list(tables, table);
        notice_write(&ruling);
        err = store_save_ruling(tables->store, &ruling, &tables->outbox, why);
        ruling_release(&ruling);
        tables->acted = true;
    }
    return err;
}

static enum err
fire(struct tables *tables, struct table *table, int64_t through, int64_t now,
     struct buf *why)
{
    struct host_env env = tables_env(tables, table, now);
    struct ruling ruling;
    ruling_init(&ruling, &env, table);
    tables_note_unasked(tables, &ruling);
    tables_unlist(tables, table);
    timers_fire(&ruling, through);
    tables_list(tables, table);
    notice_write(&ruling);
    enum err err = save(tables, &ruling, why);
    ruling_release(&ruling);
    return err;
}

static enum err
fire_in_transaction(struct tables *tables, struct table *table, int64_t through,
                    int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    struct buf phase = BUF_INIT;
    int64_t tries = 0;
    buf_addf(&what, "deadline of %s", table->id);
    buf_add_number(&phase, table->phase);
    now = tables_service_now(tables, tables_service(tables, table->place), now);
    enum err err =
        begin_attempt(tables, buf_text(&what), buf_text(&phase), &tries, why);
    if (err == ERR_NONE) {
        err = tries > DEADLINE_TRIES ? hold(tables, table, now, why)
                                     : fire(tables, table, through, now, why);
    }
    err = end_attempt(tables, buf_text(&what), err, why);
    buf_release(&what);
    buf_release(&phase);
    tables->acted = true;
    return err;
}

/* Judge the deferred post at `at`. */
static enum err
take_deferred(struct tables *tables, size_t at, int64_t now, struct buf *why)
{
    struct deferred_post deferred = tables->deferred[at];
    struct page page = {NULL, 0};
    enum err err =
        store_deferred_post(tables->store, deferred.number, &page, why);
    deferred_remove(tables, at);
    now = tables_service_now(
        tables, tables_service_named(tables, deferred.service), now);
    if (err == ERR_NONE && page.count > 0) {
        err = judge_deferred(tables, &deferred, &page.posts[0], now, why);
    }
    page_release(&page);
    tables->acted = true;
    return err;
}

/* Judge the deferred posts whose turn has come, in order. */
static enum err
judge_deferred_posts(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    size_t at = 0;
    while (err == ERR_NONE && at < tables->deferred_count) {
        if (deferred_is_due(tables, &tables->deferred[at], at)) {
            err = take_deferred(tables, at, now, why);
        } else {
            at++;
        }
    }
    return err;
}

/* Let each table's next timer fire if its turn has come. */
static enum err
fire_timers(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    int64_t latest = latest_through(tables);
    int64_t next = INT64_MAX;
    if (tables->next_timer > latest) {
        return ERR_NONE; /* however many tables there are, at most of them
                            nothing is due */
    }
    for (size_t i = 0; err == ERR_NONE && i < tables->table_count; i++) {
        struct table *table = tables->list[i];
        if (table_timer(table).at <= latest) {
            int64_t through = deferred_timer_due(tables, table);
            if (through != 0) {
                err = fire_in_transaction(tables, table, through, now, why);
            }
        }
        next = tables_earlier_timer(table, next);
    }
    tables->next_timer = next;
    return err;
}

/* Do what is next at each table, once: first posts, then timers. */
static enum err
take_turns(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = judge_deferred_posts(tables, now, why);
    return err == ERR_NONE ? fire_timers(tables, now, why) : err;
}

/* The operator looked at a running game's secrets: tell its thread. */
static enum err
tell_look(struct tables *tables, const char *game, int64_t now, struct buf *why)
{
    enum err err = store_begin(tables->store, why);
    for (size_t i = 0; err == ERR_NONE && i < tables->table_count; i++) {
        struct table *table = tables->list[i];
        if (strcmp(table->id, game) != 0) {
            continue;
        }
        err = tell_table(tables, table, "looked", false, now, why);
    }
    if (err == ERR_NONE) {
        err = store_forget_look(tables->store, game, why);
    }
    if (err == ERR_NONE) {
        err = store_commit(tables->store, why);
    }
    return err;
}

static enum err
tell_looks(struct tables *tables, int64_t now, struct buf *why)
{
    struct buf game = BUF_INIT;
    enum err err = store_next_look(tables->store, &game, why);
    if (err == ERR_NONE && game.len > 0) {
        err = tell_look(tables, buf_text(&game), now, why);
    }
    buf_release(&game);
    return err;
}

/* Hold the games whose key is lost, and say so. */
static enum err
tell_lost(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    while (err == ERR_NONE && tables->lost_count > 0) {
        const struct store_game *game = &tables->lost[--tables->lost_count];
        struct table table;
        memset(&table, 0, sizeof table);
        table.settings = tables_place(tables, game->place)->settings;
        (void)snprintf(table.id, sizeof table.id, "%s", game->id);
        (void)snprintf(table.place, sizeof table.place, "%s", game->place);
        (void)snprintf(table.thread, sizeof table.thread, "%s", game->thread);
        err = store_begin(tables->store, why);
        if (err == ERR_NONE) {
            err = tell_table(tables, &table, "held_key", true, now, why);
        }
        if (err == ERR_NONE) {
            err = store_commit(tables->store, why);
        }
    }
    return err;
}

enum err
tables_time(struct tables *tables, int64_t now, struct buf *why)
{
    enum err err = tell_looks(tables, now, why);
    if (err == ERR_NONE) {
        err = tell_lost(tables, now, why);
    }
    bool acted_before = tables->acted;
    do {
        tables->acted = false;
        if (err == ERR_NONE) {
            err = take_turns(tables, now, why);
        }
        acted_before = acted_before || tables->acted;
        tables_clear(tables);
    } while (err == ERR_NONE && tables->acted);
    tables->acted = acted_before;
    return err;
}
