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

static void
save_reading(struct tables *tables, struct feed *feed,
             const struct outcome *outcome)
{
    if (is_cursor_needed(feed, outcome)) {
        store_set_cursor(tables->store, feed->service->name, feed->name,
                         buf_text(&outcome->cursor));
    }
    services_save_states(&tables->services, tables->store, feed->service,
                         &outcome->states);
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
static void
intake_one_by_one(struct tables *tables, struct service *service,
                  const struct page *page, int64_t now)
{
    for (size_t i = 0; i < page->count; i++) {
        if (!posts_is_own(&page->posts[i])) {
            attempt_post(tables, service, &page->posts[i], 0, PAGE_POST_TRIES,
                         now);
            hosted_clear(tables);
        }
    }
}

static void
intake_page(struct tables *tables, struct feed *feed, const struct page *page,
            const struct outcome *outcome, int64_t now)
{
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    buf_addf(&what, "feed %s %s", feed->service->name, feed->name);
    if (page->count > 0 && !is_by_machines(page)) { /* it may die of that */
        tries = store_try(tables->store, buf_text(&what), feed->cursor);
    }
    if (tries > PAGE_TRIES) {
        intake_one_by_one(tables, feed->service, page, now);
    }
    store_begin(tables->store);
    for (size_t i = 0; i < page->count; i++) {
        posts_take(tables, feed->service, &page->posts[i], now);
    }
    save_reading(tables, feed, outcome);
    attempt_end(tables, buf_text(&what));
    buf_release(&what);
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
static void
look_over(struct tables *tables, const struct service *service,
          struct page *page)
{
    const struct account *account = conf_account(tables->conf, service->name);
    bool tells = account != NULL && account->doorbell;
    for (size_t i = 0; i < page->count; i++) {
        struct post *post = &page->posts[i];
        post->unmet = post->unmet && tells;
        members_meet(&tables->members, service, post);
        if (!post->dm) {
            struct buf owner = BUF_INIT;
            store_dm_user(tables->store, service->name, post->place, &owner);
            post->dm = owner.len > 0;
            buf_release(&owner);
        }
        threads_leave_place(tables, service, post);
        if (post->own && !post->pending && post->kind == POST_WRITTEN) {
            look_again(tables, service, post->place);
        }
    }
}

void
intake_take_page(struct tables *tables, struct feed *feed,
                 const struct outcome *outcome, int64_t now)
{
    struct page fresh;
    reached_read(&tables->feeds, feed, outcome, now);
    if (tables->places.astray > 0 &&
        feed->service->adapter->capabilities.moves) {
        places_change(&tables->places); /* games may follow theirs */
    }
    now = tables_asking_time(tables, feed->service, now);
    for (size_t i = 0; i < outcome->called_count; i++) {
        members_call(&tables->members, feed->service, outcome->called[i].member,
                     outcome->called[i].name);
    }
    repeats_leave_out(tables, feed, &outcome->page, &fresh);
    if (fresh.count > 0 || outcome->states.count > 0 ||
        strcmp(buf_text(&outcome->cursor), feed->cursor) != 0) {
        look_over(tables, feed->service, &fresh);
        sort_page(&fresh);
        intake_page(tables, feed, &fresh, outcome, now);
    }
    free(fresh.posts);
    feed_set_cursor(feed, buf_text(&outcome->cursor));
    hosted_clear(tables);
}

/* By their roles, the author of a press or of POST_AUTHOR moderates where it
 * stands, or where those who moderate there talk; or doesn't. */
void
intake_meet(struct tables *tables, const struct service *service,
            const struct post *post)
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
        return;
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
    members_moderate(&tables->members, place, post, moderates);
}

void
intake_take_press(struct tables *tables, struct service *service,
                  const struct post *post, int64_t now)
{
    struct post met = *post;
    now = tables_asking_time(tables, service, now);
    if (!post->unmet) {
        intake_meet(tables, service, post);
    }
    members_meet(&tables->members, service, &met);
    attempt_post(tables, service, &met, 0, ALONE_TRIES, now);
    hosted_clear(tables);
}
