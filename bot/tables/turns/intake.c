#include "bot/tables/turns/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/words/catalogue.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/feeds/reached.h"
#include "bot/tables/hosted.h"
#include "bot/tables/places/members.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/threads.h"
#include "bot/tables/turns/turns_inner.h"

/* Does a page bring nothing but what we or other machines wrote? */
static bool
is_by_machines(const struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct post *post = &page->posts[i];
        if (post->kind != POST_WRITTEN || !posts_is_own(post)) {
            return false;
        }
    }
    return page->count > 0;
}

/* Has its cursor to be saved?  A host that starts may read once more what
 * machines wrote, for nothing comes of it: so a post of ours in each of
 * thousands of DMs need not be written down when it is seen there.  The first
 * cursor has to be: without one the adapter would start later. */
static bool
is_cursor_needed(const struct feed *feed, const struct outcome *outcome)
{
    return strcmp(buf_text(&outcome->cursor), feed->cursor) != 0 &&
           (feed->cursor[0] == '\0' || outcome->more ||
            !is_by_machines(&outcome->page));
}

static enum err
save_reading(struct tables *tables, struct feed *feed,
             const struct outcome *outcome, struct buf *why)
{
    enum err err = ERR_NONE;
    if (is_cursor_needed(feed, outcome)) {
        err = store_set_cursor(tables->store, feed->service->name, feed->name,
                               buf_text(&outcome->cursor), why);
    }
    return err != ERR_NONE
               ? err
               : services_save_states(&tables->services, tables->store,
                                      feed->service, &outcome->states, why);
}

/* Put the posts of a page in order of time; those of one time stay in order. */
static void
sort_page(struct page *page)
{
    for (size_t i = 1; i < page->count; i++) {
        const struct post post = page->posts[i];
        size_t at = i;
        while (at > 0 && post_time(&page->posts[at - 1]) > post_time(&post)) {
            page->posts[at] = page->posts[at - 1];
            at--;
        }
        page->posts[at] = post;
    }
}

/* Take in the posts of a page one by one: the page then finds nothing new in
 * them. */
static enum err
intake_one_by_one(struct tables *tables, struct service *service,
                  const struct page *page, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        if (!posts_is_own(&page->posts[i])) {
            err = attempt_post(tables, service, &page->posts[i], 0,
                               PAGE_POST_TRIES, now, why);
            hosted_clear(tables);
        }
    }
    return err;
}

static enum err
intake_page(struct tables *tables, struct feed *feed, const struct page *page,
            const struct outcome *outcome, int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    enum err err = ERR_NONE;
    buf_addf(&what, "feed %s %s", feed->service->name, feed->name);
    if (page->count > 0 && !is_by_machines(page)) { /* it may die of that */
        err = store_try(tables->store, buf_text(&what), feed->cursor, &tries,
                        why);
    }
    if (err == ERR_NONE && tries > PAGE_TRIES) {
        err = intake_one_by_one(tables, feed->service, page, now, why);
    }
    ERR_THEN(err, store_begin(tables->store, why));
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        err = posts_take(tables, feed->service, &page->posts[i], now, why);
    }
    ERR_THEN(err, save_reading(tables, feed, outcome, why));
    err = attempt_end(tables, buf_text(&what), err, why);
    buf_release(&what);
    return err;
}

/* A post of ours has appeared in a thread: what waits for approval there may
 * have been approved. */
static void
look_again(struct tables *tables, const struct service *service,
           const char *thread)
{
    struct queued_message *queued = NULL;
    size_t at = 0;
    while ((queued = outbox_next_in_thread(&tables->outbox, thread, &at)) !=
           NULL) {
        if (queued_waits(queued) && queued->unapproved != 0 &&
            places_service(&tables->places, queued->place) == service) {
            queued->job.next = 0;
            outbox_changed(&tables->outbox, queued);
        }
    }
}

/* Look a page over before it is taken in: meet who has written (members.h),
 * mark what was written in DMs that the bot has opened, and give up places
 * where the bot no longer is. */
static enum err
look_over(struct tables *tables, const struct service *service,
          struct page *page, struct buf *why)
{
    const struct account *account = conf_account(tables->conf, service->name);
    bool tells = account != NULL && account->doorbell;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < page->count; i++) {
        struct post *post = &page->posts[i];
        post->unmet = post->unmet && tells;
        err = members_meet(&tables->members, service, post, why);
        if (err == ERR_NONE && !post->dm) {
            struct buf owner = BUF_INIT;
            err = store_dm_user(tables->store, service->name, post->place,
                                &owner, why);
            post->dm = owner.len > 0;
            buf_release(&owner);
        }
        threads_leave_place(tables, service, post);
        if (post->own && !post->pending && post->kind == POST_WRITTEN) {
            look_again(tables, service, post->place);
        }
    }
    return err;
}

enum err
intake_take_page(struct tables *tables, struct feed *feed,
                 const struct outcome *outcome, int64_t now, struct buf *why)
{
    struct page fresh;
    enum err err = ERR_NONE;
    reached_read(&tables->feeds, feed, outcome, now);
    if (tables->places.astray > 0 &&
        feed->service->adapter->capabilities.moves) {
        places_change(&tables->places); /* games may follow theirs */
    }
    now = tables_asking_time(tables, feed->service, now);
    for (size_t i = 0; err == ERR_NONE && i < outcome->called_count; i++) {
        err = members_call(&tables->members, feed->service,
                           outcome->called[i].member, outcome->called[i].name,
                           why);
    }
    repeats_leave_out(tables, feed, &outcome->page, &fresh);
    if (err == ERR_NONE &&
        (fresh.count > 0 || outcome->states.count > 0 ||
         strcmp(buf_text(&outcome->cursor), feed->cursor) != 0)) {
        err = look_over(tables, feed->service, &fresh, why);
        sort_page(&fresh);
        ERR_THEN(err, intake_page(tables, feed, &fresh, outcome, now, why));
    }
    free(fresh.posts);
    if (err == ERR_NONE) {
        feed_set_cursor(feed, buf_text(&outcome->cursor));
        hosted_clear(tables);
    }
    return err;
}

/* By their roles, the author of a press or of POST_AUTHOR moderates where it
 * stands, or where those who moderate there talk; or doesn't. */
enum err
intake_meet(struct tables *tables, const struct service *service,
            const struct post *post, struct buf *why)
{
    struct hosted_place *place = posts_place(tables, service, post->place);
    const char *at = post->roles;
    members_hear(&tables->members, service, post);
    if (place == NULL) {
        place =
            places_at(&tables->places, service, PLACE_MODERATORS, post->place);
    }
    if (place == NULL || place->roles == NULL ||
        place->conf->moderator_role[0] == '\0') {
        return ERR_NONE;
    }
    bool moderates = catalogue_lists(place->roles, post->author) ||
                     catalogue_lists(at, place->conf->moderator_role);
    while (!moderates && *at != '\0') {
        char role[ADAPTER_ID_MAX + 1];
        size_t len = strcspn(at, "\n");
        (void)snprintf(role, sizeof role, "%.*s", (int)len, at);
        moderates = catalogue_lists(place->roles, role);
        at += len + (at[len] == '\n');
    }
    return members_moderate(&tables->members, place, post, moderates, why);
}

enum err
intake_take_press(struct tables *tables, struct service *service,
                  const struct post *post, int64_t now, struct buf *why)
{
    struct post met = *post;
    now = tables_asking_time(tables, service, now);
    enum err err =
        post->unmet ? ERR_NONE : intake_meet(tables, service, post, why);
    ERR_THEN(err, members_meet(&tables->members, service, &met, why));
    if (err == ERR_NONE) {
        err = attempt_post(tables, service, &met, 0, ALONE_TRIES, now, why);
    }
    hosted_clear(tables);
    return err;
}
