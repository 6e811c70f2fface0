/*
 * Discourse: topics that the bot opens, for a game or for a private talk.
 *
 * Each has an external id made of what it is for: a forum takes such an id
 * once, and leads from it to the topic ("description", /t/external_id).  So one
 * whose answer got lost is found again.  The id of a topic that was deleted is
 * still taken, though nothing is found by it, and titles are unique on the
 * whole forum: where a topic is refused, the next id and another title are
 * tried, for the forum gives its reasons in its own language alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    TALKS_MAX = 12, /* closed, deleted, or shared with others, one after the
                       other, before it is given up */
    GAMES_MAX = 4,  /* titles and ids that are taken */
    SAID_MAX = 512, /* bytes of a refusal */
    TITLE_MIN = 15  /* min_topic_title_length, in code points */
};

#define TALK_TITLE "Private messages of the host of your games"
#define TALK_TEXT                                                              \
    "In this talk the host of your games writes to you alone. Answer here. "   \
    "Please ask nobody else into it: the host then begins another."

enum open_step {
    OPEN_BEGIN,
    OPEN_LOOK,     /* is there one with that external id? */
    OPEN_FOUND,    /* is it as it has to be? */
    OPEN_CATEGORY, /* where is it to stand? */
    OPEN_CREATE,
    OPEN_PERSON /* it was refused: does that person take messages of ours? */
};

struct opening {
    enum open_step step;
    unsigned tries;         /* ids that can't be used any more */
    char refusal[SAID_MAX]; /* of the one before; "": none */
    char number[FORUM_ID_MAX + 1];
    char category[FORUM_ID_MAX + 1]; /* of the place that a game comes from */
};

/* At most 50 bytes of [A-Za-z0-9_-] (Topic::EXTERNAL_ID_MAX_LENGTH). */
static void
add_external_id(const struct trip *trip, const struct opening *opening,
                struct buf *out)
{
    const struct errand *errand = trip->errand;
    const char *const texts[] = {
        trip->service->self, errand->kind == ERRAND_TALK ? "talk" : "game",
        errand->kind == ERRAND_TALK ? errand->user : errand->key};

    buf_add_text(out, "placard-");
    trip_add_name(texts, sizeof(texts) / sizeof(texts[0]), out);
    buf_addf(out, "-%u", opening->tries);
}

static enum turn
ask_external(struct trip *trip, struct opening *opening)
{
    struct buf id = BUF_INIT;

    opening->step = OPEN_LOOK;
    add_external_id(trip, opening, &id);
    discourse_ask(trip, "GET", "/t/external_id");
    ask_part(trip, buf_text(&id));
    buf_add_text(&trip->out->request.url, ".json");
    buf_release(&id);
    return TURN_REQUEST;
}

static size_t
count_characters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

/* No two posts of a few minutes may be the same; and the forum answers the same
 * request as it did two minutes ago, though the topic was deleted since, or the
 * reason of a refusal is gone: so the time stands in it. */
static void
add_stamp(const struct trip *trip, const char *external, struct buf *text)
{
    buf_addf(text, "\n\n<!-- %s %lld -->", external,
             (long long)trip->reply->date);
}

static void
add_talk(struct trip *trip, const char *external)
{
    struct buf text = BUF_INIT;

    buf_add_text(&text, TALK_TEXT);
    add_stamp(trip, external, &text);
    ask_text(trip, "title", TALK_TITLE);
    ask_text(trip, "raw", buf_text(&text));
    ask_text(trip, "archetype", "private_message");
    ask_text(trip, "target_recipients", trip->errand->user);
    buf_release(&text);
}

/* A short title is made longer; one that was refused gets a number. */
static void
add_game(struct trip *trip, const struct opening *opening, const char *external)
{
    const char *title = trip->errand->text;
    struct buf text = BUF_INIT;

    buf_addf(&text, "%s%s", title,
             count_characters(title) < TITLE_MIN ? " · a game hosted here"
                                                 : "");
    if (opening->tries > 0) {
        buf_addf(&text, " (%u)", opening->tries + 1);
    }
    ask_text(trip, "title", buf_text(&text));
    buf_clear(&text);
    buf_addf(&text, "%s\n\n%s/t/%s", title, trip->service->base,
             trip->errand->place);
    add_stamp(trip, external, &text);
    ask_text(trip, "raw", buf_text(&text));
    if (opening->category[0] != '\0') {
        ask_json(trip, "category", opening->category);
    }
    buf_release(&text);
}

static enum turn
ask_create(struct trip *trip, struct opening *opening)
{
    struct buf external = BUF_INIT;

    opening->step = OPEN_CREATE;
    add_external_id(trip, opening, &external);
    discourse_ask(trip, "POST", "/posts.json");
    if (trip->errand->kind == ERRAND_TALK) {
        add_talk(trip, buf_text(&external));
    } else {
        add_game(trip, opening, buf_text(&external));
    }
    ask_text(trip, "external_id", buf_text(&external));
    ask_end(trip, DISCOURSE_ROUTE_OPEN);
    buf_release(&external);
    return TURN_REQUEST;
}

/* A game's topic is read from its first post on. */
static enum turn
end_opening(struct trip *trip, const struct opening *opening)
{
    if (trip->errand->kind == ERRAND_OPEN) {
        buf_clear(&trip->out->cursor);
        buf_add_text(&trip->out->cursor, DISCOURSE_FROM_FIRST);
    }
    buf_clear(&trip->out->id);
    buf_addf(&trip->out->id, "%s%s",
             trip->errand->kind == ERRAND_TALK ? FORUM_TALK : "",
             opening->number);
    return TURN_DONE;
}

/* It leads to the topic by a redirection, which nobody follows by himself. */
static enum turn
hear_external(struct trip *trip, struct opening *opening)
{
    bool talk = trip->errand->kind == ERRAND_TALK;
    int status = trip->reply->status;
    bool none = discourse_said(trip, 404);
    struct buf location = BUF_INIT;
    char *number = NULL;

    if (none && (talk || opening->category[0] != '\0')) {
        return ask_create(trip, opening);
    }
    if (none) {
        opening->step = OPEN_CATEGORY;
        discourse_ask_topic(trip, trip->errand->place, false);
        return TURN_REQUEST;
    }
    if (status >= 300 && status < 400 &&
        reply_header(trip->reply, "location", &location)) {
        number = discourse_topic_of(buf_text(&location));
    } else if (forum_hear_number(trip->value, "id", opening->number)) {
        number = must_copy(opening->number);
    }
    buf_release(&location);
    if (number == NULL) {
        return discourse_refused(trip);
    }
    memcpy(opening->number, number, strlen(number) + 1);
    free(number);
    if (!talk) {
        return end_opening(trip, opening);
    }
    opening->step = OPEN_FOUND;
    discourse_ask_topic(trip, opening->number, false);
    return TURN_REQUEST;
}

/* Try the next id; ends where there were too many. */
static enum turn
try_next(struct trip *trip, struct opening *opening)
{
    bool talk = trip->errand->kind == ERRAND_TALK;

    if (++opening->tries < (talk ? TALKS_MAX : GAMES_MAX)) {
        return ask_external(trip, opening);
    }
    if (opening->refusal[0] != '\0') {
        trip->out->refused = REFUSED_WORDS;
        return outcome_fail(trip->out, trip->why, ERR_DENIED, "%s",
                            opening->refusal);
    }
    trip->out->refused = REFUSED_PERSON;
    return outcome_fail(trip->out, trip->why, ERR_DENIED,
                        "%s: others are in each of the private talks with %s",
                        trip->service->name, trip->errand->user);
}

/* One that is closed is full (auto_close_messages_post_count). */
static enum turn
hear_found(struct trip *trip, struct opening *opening)
{
    if (discourse_said(trip, 404) || discourse_is_deleted(trip)) {
        return try_next(trip, opening);
    }
    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    return discourse_is_private(trip) && !forum_is_set(trip->value, "closed")
               ? end_opening(trip, opening)
               : try_next(trip, opening);
}

static enum turn
hear_category(struct trip *trip, struct opening *opening)
{
    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    (void)forum_hear_number(trip->value, "category_id", opening->category);
    return ask_create(trip, opening);
}

/* Is it the same refusal as that of the last try?  Notes it. */
static bool
was_refused_so(struct trip *trip, struct opening *opening)
{
    bool same = strncmp(opening->refusal, buf_text(trip->why),
                        sizeof(opening->refusal) - 1) == 0;

    (void)snprintf(opening->refusal, sizeof(opening->refusal), "%s",
                   buf_text(trip->why));
    return same;
}

/* An id or a title that is taken is refused as a text is that the forum does
 * not want: another is tried.  Where a talk is refused the first time, its user
 * may take none. */
static enum turn
hear_refused(struct trip *trip, struct opening *opening)
{
    bool talk = trip->errand->kind == ERRAND_TALK;
    bool first = opening->refusal[0] == '\0';

    (void)discourse_refused(trip);
    if (!discourse_said(trip, 422)) {
        return TURN_FAILED;
    }
    if (was_refused_so(trip, opening) && !talk) {
        return TURN_FAILED;
    }
    buf_clear(trip->why);
    trip->out->err = ERR_NONE;
    trip->out->refused = REFUSED_RIGHT;
    if (!talk || !first) {
        return try_next(trip, opening);
    }
    opening->step = OPEN_PERSON;
    discourse_ask_user(trip, trip->errand->user);
    return TURN_REQUEST;
}

static enum turn
hear_person(struct trip *trip, struct opening *opening)
{
    json_object *user = jdoc_get(trip->value, "user");

    if (discourse_said(trip, 404)) {
        return outcome_fail(trip->out, trip->why, ERR_GONE,
                            "%s: the forum has nobody called \"%s\"",
                            trip->service->name, trip->errand->user);
    }
    if (!heard_well(trip) || user == NULL) {
        return discourse_refused(trip);
    }
    if (forum_is_set(user, "can_send_private_message_to_user")) {
        return try_next(trip, opening);
    }
    trip->out->refused = forum_is_set(user, "can_send_private_messages")
                             ? REFUSED_PERSON
                             : REFUSED_RIGHT;
    return outcome_fail(trip->out, trip->why, ERR_DENIED, "%s",
                        opening->refusal);
}

static enum turn
hear_created(struct trip *trip, struct opening *opening)
{
    if (discourse_said(trip, 422)) {
        return hear_refused(trip, opening);
    }
    enum turn turn = discourse_hear_written(trip);

    if (turn != TURN_DONE) {
        return turn;
    }
    if (trip->out->queued) {
        trip->out->refused = REFUSED_RIGHT;
        return outcome_fail(
            trip->out, trip->why, ERR_DENIED,
            "%s: the forum keeps the topics of %s until somebody approves "
            "them: raise its trust level, or make it a moderator",
            trip->service->name, trip->service->user);
    }
    if (!forum_hear_number(trip->value, "topic_id", opening->number)) {
        return discourse_refused(trip);
    }
    return end_opening(trip, opening);
}

enum turn
discourse_open(struct trip *trip)
{
    struct opening *opening = trip_memory(trip, sizeof(*opening));

    switch (opening->step) {
    case OPEN_BEGIN:
        return ask_external(trip, opening);
    case OPEN_LOOK:
        return hear_external(trip, opening);
    case OPEN_FOUND:
        return hear_found(trip, opening);
    case OPEN_CATEGORY:
        return hear_category(trip, opening);
    case OPEN_CREATE:
        return hear_created(trip, opening);
    case OPEN_PERSON:
        break;
    }
    return hear_person(trip, opening);
}
