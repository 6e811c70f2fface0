/*
 * The adapter of Discourse: its table of errands, and who is who there.
 * discourse_probe.c asks what the account may do, discourse_read.c reads,
 * discourse_open.c opens topics and private talks, discourse_write.c writes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- who am I? ----------------------------------------------------------- */

static enum turn
turn_who(struct trip *trip)
{
    const char *name = jdoc_string(jdoc_get(trip->value, "user"), "username");

    if (trip->service->user[0] == '\0') {
        return outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: an API key needs the account's name beside "
                            "it: write user = \"NAME\" into the service",
                            trip->service->name);
    }
    if (trip->reply == NULL) {
        discourse_ask_user(trip, trip->service->user);
        return TURN_REQUEST;
    }
    char *id = heard_well(trip) ? forum_user(name) : NULL;

    if (id == NULL) {
        return discourse_refused(trip);
    }
    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, name);
    free(id);
    return TURN_DONE;
}

/* ---- who is that? -------------------------------------------------------- */

/* "Anna", "@Anna", or the address of her page: "https://…/u/anna/summary". */
static char *
name_in(const char *text)
{
    const char *page = strstr(text, "/u/");
    struct buf name = BUF_INIT;

    text = page != NULL ? page + 3 : text;
    text += *text == '@' ? 1 : 0;
    buf_add(&name, text, strcspn(text, "/?# "));
    return buf_take(&name);
}

static enum turn
turn_user(struct trip *trip)
{
    const char *shown = jdoc_string(jdoc_get(trip->value, "user"), "username");

    if (trip->reply == NULL) {
        char *name = name_in(trip->errand->text);

        discourse_ask_user(trip, *name == '\0' ? "-" : name);
        free(name);
        return TURN_REQUEST;
    }
    if (discourse_said(trip, 404)) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the forum has nobody called \"%s\"",
                            trip->service->name, trip->errand->text);
    }
    char *id = heard_well(trip) ? forum_user(shown) : NULL;

    if (id == NULL) {
        return discourse_refused(trip);
    }
    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, shown);
    free(id);
    return TURN_DONE;
}

/* ---- a configured topic -------------------------------------------------- */

static enum turn
turn_place(struct trip *trip)
{
    char *number = discourse_topic_of(trip->errand->text);
    const char *archetype = jdoc_string(trip->value, "archetype");
    enum turn turn = TURN_REQUEST;

    if (number == NULL) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: \"%s\" is no topic: write its address, "
                            "%s/t/name/NUMBER, or its number",
                            trip->service->name, trip->errand->text,
                            trip->service->base);
    } else if (trip->reply == NULL) {
        discourse_ask_topic(trip, number, false);
    } else if (discourse_stream(trip) == NULL) {
        turn = discourse_refused(trip);
    } else if (archetype != NULL && strcmp(archetype, "regular") != 0) {
        turn = outcome_fail(trip->out, trip->why, ERR_CONFIG,
                            "%s: the topic %s is a private message: games are "
                            "hosted in topics that all players see",
                            trip->service->name, number);
    } else {
        buf_add_text(&trip->out->id, number);
        turn = TURN_DONE;
    }
    free(number);
    return turn;
}

/* ---- the adapter --------------------------------------------------------- */

static enum turn
take_turn(struct trip *trip)
{
    switch (trip->errand->kind) {
    case ERRAND_WHO:
        return turn_who(trip);
    case ERRAND_PLACE:
        return turn_place(trip);
    case ERRAND_PROBE:
        return discourse_probe(trip);
    case ERRAND_READ:
        return discourse_read(trip);
    case ERRAND_SEND:
        return discourse_send(trip);
    case ERRAND_EDIT:
        return discourse_edit(trip);
    case ERRAND_FIND:
        return discourse_find(trip);
    case ERRAND_TALK:
    case ERRAND_OPEN:
        return discourse_open(trip);
    case ERRAND_DELETE:
        return discourse_delete(trip);
    case ERRAND_REACT:
        return forum_deny(trip,
                          "reactions but a heart, which says more than seen");
    case ERRAND_PIN:
        return forum_deny(trip, "pinned posts, for pinned topics alone");
    case ERRAND_LOCK:
        return discourse_lock(trip);
    case ERRAND_NEWS:
        return forum_deny(trip, "news of several topics");
    case ERRAND_USER:
        return turn_user(trip);
    }
    return TURN_FAILED;
}

static enum turn
discourse_turn(const struct service *service, const struct errand *errand,
               struct buf *work, const struct reply *reply, struct outcome *out,
               struct buf *why)
{
    return trip_turn(take_turn, service, errand, work, reply, out, why);
}

/* /p/ID leads to a post wherever it stands. */
static void
discourse_link(const struct service *service, const char *place,
               const char *post, struct buf *link)
{
    buf_addf(link, "%s/%c/", service->base, *post == '\0' ? 't' : 'p');
    url_add_part(link, *post == '\0' ? place : post);
}

const struct adapter adapter_discourse = {
    .name = "discourse",
    .dialect = &dialect_markdown,
    .traits =
        {
            .longest = 30000, /* max_post_length is 32,000 at first,
                                 of private messages, too */
            .shortest = DISCOURSE_SHORTEST,
            .mentions = 10, /* max_mentions_per_post, but for staff */
            .dedupe = 0,
            .margin = FORUM_MARGIN_MS + SECOND_MS,
            .pause = FORUM_PAUSE_MS,
            .reactions = false,
            .edits = true,
            .deletes = true,
            .pins = false,
            .uploads = true,
            .locks = true,
            .pages = false, /* authorized_extensions has no "html" at first */
            .threads = true,
            .shows_edits = true,
            .edits_follow = false,
            .rereads = true,
            .tells_talks = true,
            .disorder = false,
            /* A plugin alone has colour (discourse-bbcode-color). */
            .red = false,
            .red_required = false,
            .finds = true,
            /* max_admin_api_reqs_per_minute is 60 at first, of all the site's
             * keys together: others get some of them, too. */
            .rate = 45,
        },
    .token_header = "Api-Key: %s",
    .token_names_user = true,
    .turn = discourse_turn,
    .feed = forum_feed,
    .link = discourse_link,
};
