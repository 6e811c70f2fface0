/*
 * Matrix: reading.  One /sync for all rooms (C-S, "Syncing").
 *
 * The cursor is "<time> <token>": when the service was read last, by its clock,
 * and the token to go on from.
 *
 * Up to when.  `through` is the time of a reply, so a reply must not be older
 * than that.  Synapse keeps an answer for two minutes and gives it to whoever
 * asks the same again, and a host that was killed, or whose connection broke,
 * does ask the same again.  So no two readings ask the same: their timeouts
 * differ.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_event.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

#define SYNC "/_matrix/client/v3/sync"

enum {
    PAGE_EVENTS = 100,     /* of a room in a sync; Synapse gives no more */
    PAGE_EVENTS_FEW = 10,  /* where so many were too long together */
    GAPS_MAX = 48,         /* rooms whose timeline has one, in one page */
    GAP_REQUESTS_MAX = 40, /* of TURNS_MAX: 4000 events */
    EDITS_MAX = 12,        /* of other people, that are looked at in one page */
    CURSOR_AGE_MS = MINUTE_MS,
    STEP_MS = 1200, /* of a shorter wait: its tenths are below it */
};

#define TYPES                                                                  \
    "\"types\":[\"m.room.message\",\"m.room.encrypted\",\"m.reaction\","       \
    "\"m.room.redaction\",\"m.room.member\",\"m.room.create\","                \
    "\"m.room.encryption\",\"m.room.tombstone\"]"
#define LAZY "\"lazy_load_members\":true,\"include_redundant_members\":true"

enum read_step {
    READ_BEGIN,
    READ_NOW,   /* where to begin: nothing old is read */
    READ_SYNC,  /* what is new */
    READ_ANEW,  /* the same where the token was not known any more */
    READ_GAP,   /* what a room's timeline left out */
    READ_FIRST, /* what was edited, as it was first written */
};

/* A room whose timeline leaves out what came first. */
struct gap {
    char room[ADAPTER_ID_MAX + 1];
    char from[ADAPTER_ID_MAX + 1], to[ADAPTER_ID_MAX + 1];
    size_t at; /* in the page: before the room's posts */
};

struct reading {
    enum read_step step;
    int64_t last, date; /* when it was read last, and now */
    char since[ADAPTER_ID_MAX + 1], next[ADAPTER_ID_MAX + 1];
    bool few;      /* ask for less: it was too long */
    bool lost;     /* the token was not known: what is older was read */
    bool gappy;    /* there was a gap */
    size_t edited; /* in the page: where the next edit is looked for */
    unsigned requests, edits;
    unsigned gap_count;
    struct gap gaps[GAPS_MAX];
};

_Static_assert(sizeof(struct reading) <= ADAPTER_WORK_MAX, "too many gaps");

/* ---- asking -------------------------------------------------------------- */

/* Read "<time> <token>". */
static bool
read_cursor(const char *cursor, struct reading *reading)
{
    char *end = NULL;

    reading->last = strtoll(cursor, &end, 10);
    if (end == cursor || *end != ' ' || reading->last < 0 ||
        reading->last > TRIP_TIME_MAX || !is_id(end + 1)) {
        return false;
    }
    memcpy(reading->since, end + 1, strlen(end + 1) + 1);
    return true;
}

static int
page_events(const struct reading *reading)
{
    return reading->few ? PAGE_EVENTS_FEW : PAGE_EVENTS;
}

/* How long a reading is to wait for news: no longer than until something is
 * due. */
static int
patience(const struct errand *errand)
{
    int64_t steps = (errand->due - errand->now + STEP_MS - 1) / STEP_MS;

    if (errand->due == 0 || (steps + 1) * STEP_MS > LONG_POLL_MS) {
        return LONG_POLL_MS;
    }
    return (int)(steps < 1 ? 1 : steps) * STEP_MS;
}

/* So long as a reading may wait: a different time for each of two minutes'
 * tenths of a second. */
static int
ask_timeout(struct trip *trip)
{
    int64_t tenths = trip->errand->now / 100 % STEP_MS;
    int timeout = patience(trip->errand) + (int)(tenths < 0 ? -tenths : tenths);
    struct buf text = BUF_INIT;

    buf_add_number(&text, timeout);
    ask_query(trip, "timeout", buf_text(&text));
    buf_release(&text);
    return timeout;
}

static enum turn
ask_now(struct trip *trip, struct reading *reading)
{
    reading->step = READ_NOW;
    ask(trip, "GET", SYNC);
    ask_query(trip, "filter",
              "{\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]},"
              "\"room\":{\"rooms\":[]}}");
    ask_query(trip, "set_presence", "offline");
    (void)ask_timeout(trip); /* it is answered at once all the same */
    return TURN_REQUEST;
}

static enum turn
ask_sync(struct trip *trip, struct reading *reading)
{
    struct buf filter = BUF_INIT;

    reading->step = reading->lost ? READ_ANEW : READ_SYNC;
    buf_addf(&filter,
             "{\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]},"
             "\"room\":{\"account_data\":{\"types\":[]},"
             "\"ephemeral\":{\"types\":[]},"
             "\"timeline\":{\"limit\":%d," TYPES "},\"state\":{\"types\":["
             "\"m.room.member\",\"m.room.create\",\"m.room.encryption\","
             "\"m.room.tombstone\"]," LAZY "}}}",
             page_events(reading));
    ask(trip, "GET", SYNC);
    ask_query(trip, "filter", buf_text(&filter));
    ask_query(trip, "set_presence", "offline");
    int timeout = ask_timeout(trip);

    buf_release(&filter);
    if (!reading->lost) {
        ask_query(trip, "since", reading->since);
        trip->out->request.long_poll = true;
        trip->out->request.timeout = timeout + MINUTE_MS / 2;
    }
    return TURN_REQUEST;
}

static enum turn
ask_gap(struct trip *trip, struct reading *reading)
{
    const struct gap *gap = &reading->gaps[reading->gap_count - 1];
    struct buf limit = BUF_INIT;

    reading->step = READ_GAP;
    reading->requests++;
    buf_add_number(&limit, page_events(reading));
    ask_room(trip, "GET", gap->room, "/messages");
    ask_query(trip, "dir", "f");
    ask_query(trip, "from", gap->from);
    ask_query(trip, "to", gap->to);
    ask_query(trip, "limit", buf_text(&limit));
    ask_query(trip, "filter", "{" TYPES "," LAZY "}");
    trip->out->request.urgent = true;
    buf_release(&limit);
    return TURN_REQUEST;
}

/* ---- rooms --------------------------------------------------------------- */

/* An array of JSON, or an empty one: a room's part may be missing. */
static json_object *
list_of(json_object *object, const char *key)
{
    json_object *list = jdoc_get(object, key);

    return json_object_is_type(list, json_type_array) ? json_object_get(list)
                                                      : json_object_new_array();
}

/* Where the bot came into the room; the stretch's end: not in it. */
static size_t
own_arrival(const struct trip *trip, const struct stretch *stretch)
{
    for (size_t i = stretch->count; i > 0; i--) {
        json_object *event = json_object_array_get_idx(stretch->events, i - 1);

        if (strcmp(membership_in(event, trip->service->self), "join") == 0 &&
            strcmp(membership_before(event), "join") != 0) {
            return i - 1;
        }
    }
    return stretch->count;
}

/* Where the posts of a room begin that are to be read.  A room that comes with
 * its making is one that the bot has come into since: what is older than that
 * is none of its business. */
static size_t
first_of(const struct trip *trip, const struct stretch *stretch, bool *new)
{
    size_t arrival = own_arrival(trip, stretch);

    *new = hear_state(stretch->state, "m.room.create", "") != NULL ||
           hear_state(stretch->events, "m.room.create", "") != NULL;
    return *new &&arrival < stretch->count ? arrival : 0;
}

static void
note_gap(struct reading *reading, const char *room, const char *to, size_t at)
{
    struct gap *gap = &reading->gaps[reading->gap_count];

    if (to == NULL || reading->gap_count == GAPS_MAX) {
        return;
    }
    memcpy(gap->room, room, strlen(room) + 1);
    memcpy(gap->from, reading->since, sizeof(gap->from));
    memcpy(gap->to, to, strlen(to) + 1);
    gap->at = at;
    reading->gap_count++;
}

/* A room's events, the caller's to put. */
static struct stretch
take_stretch(const struct reading *reading, const char *room,
             json_object *events, json_object *state)
{
    return (struct stretch){
        .room = room,
        .events = events,
        .state = state,
        .count = json_object_array_length(events),
        .last = reading->last,
        .date = reading->date,
        .lost = reading->lost,
    };
}

static void
put_stretch(struct stretch *stretch)
{
    json_object_put(stretch->events);
    json_object_put(stretch->state);
}

static void
hear_room(struct trip *trip, struct reading *reading, const char *room,
          json_object *part)
{
    json_object *timeline = jdoc_get(part, "timeline");
    struct stretch stretch =
        take_stretch(reading, room, list_of(timeline, "events"),
                     list_of(jdoc_get(part, "state"), "events"));
    size_t at = trip->out->page.count;
    bool limited = false;
    bool new = false;
    size_t first = first_of(trip, &stretch, &new);

    if (!new) {
        hear_shut(trip, &stretch);
    }
    hear_stretch(trip, &stretch, first);
    if (jdoc_bool(timeline, "limited", &limited) && limited) {
        reading->gappy = true;
        if (!new && !reading->lost) {
            note_gap(reading, room, hear_id(timeline, "prev_batch"), at);
        }
    }
    put_stretch(&stretch);
}

/* The invitation in which the bot is asked into somebody's direct talk; NULL:
 * it is none (C-S, m.room.member: is_direct). */
static json_object *
direct_invitation(const struct trip *trip, const struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++) {
        json_object *event = json_object_array_get_idx(stretch->events, i);
        bool direct = false;

        if (strcmp(membership_in(event, trip->service->self), "invite") == 0 &&
            jdoc_bool(jdoc_get(event, "content"), "is_direct", &direct) &&
            direct) {
            return event;
        }
    }
    return NULL;
}

/* A talk that a person opens is not entered: it may be encrypted, and others
 * can be asked in.  Rooms are entered where they are configured. */
static void
hear_invite(struct trip *trip, struct reading *reading, const char *room,
            json_object *part)
{
    struct stretch stretch = {
        .room = room,
        .events = list_of(jdoc_get(part, "invite_state"), "events"),
        .stamps = &reading->date,
    };
    stretch.count = json_object_array_length(stretch.events);
    stretch.state = stretch.events;
    json_object *event = direct_invitation(trip, &stretch);
    const char *sender = hear_id(event, "sender");

    if (sender != NULL && sender[0] == '@') {
        hear_post(trip, &stretch, 0, POST_SEALED, room, sender)->talk = true;
    }
    json_object_put(stretch.events);
}

static void
hear_rooms(struct trip *trip, struct reading *reading, const char *kind,
           void (*each)(struct trip *trip, struct reading *reading,
                        const char *room, json_object *part))
{
    json_object *rooms = jdoc_get(jdoc_get(trip->value, "rooms"), kind);

    if (!json_object_is_type(rooms, json_type_object)) {
        return;
    }
    json_object_object_foreach(rooms, room, part)
    {
        if (is_id(room)) {
            each(trip, reading, room, part);
        }
    }
}

/* ---- gaps ---------------------------------------------------------------- */

/* Move the posts from `first` on to `to`, before what stands there. */
static void
page_move(struct page *page, size_t first, size_t to)
{
    size_t count = page->count - first;
    struct post *moved;

    if (count == 0 || first == to) {
        return;
    }
    moved = must_alloc(count * sizeof(*moved));
    memcpy(moved, &page->posts[first], count * sizeof(*moved));
    memmove(&page->posts[to + count], &page->posts[to],
            (first - to) * sizeof(*moved));
    memcpy(&page->posts[to], moved, count * sizeof(*moved));
    free(moved);
}

static void
hear_chunk(struct trip *trip, const struct reading *reading, struct gap *gap)
{
    struct page *page = &trip->out->page;
    size_t first = page->count;
    struct stretch stretch =
        take_stretch(reading, gap->room, list_of(trip->value, "chunk"),
                     list_of(trip->value, "state"));

    hear_stretch(trip, &stretch, 0);
    page_move(page, first, gap->at);
    gap->at += page->count - first;
    put_stretch(&stretch);
}

/* Is there more of the gap?  C-S, GET /messages: the end has no `end`. */
static bool
goes_on(const struct trip *trip, const struct reading *reading, struct gap *gap)
{
    const char *end = hear_id(trip->value, "end");
    json_object *chunk = jdoc_get(trip->value, "chunk");

    if (end == NULL || strcmp(end, gap->from) == 0 ||
        strcmp(end, gap->to) == 0 || json_object_array_length(chunk) == 0 ||
        reading->requests >= GAP_REQUESTS_MAX) {
        return false;
    }
    memcpy(gap->from, end, strlen(end) + 1);
    return true;
}

/* ---- edits --------------------------------------------------------------- */

/* The next edit in the page that was not looked at; its count: none. */
static size_t
next_edit(const struct trip *trip, const struct reading *reading)
{
    const struct page *page = &trip->out->page;
    size_t at = reading->edited;

    while (at < page->count && page->posts[at].stamp >= 0) {
        at++;
    }
    return at;
}

static void
page_drop(struct page *page, size_t at)
{
    struct page dropped = {must_alloc(sizeof(struct post)), 1};

    dropped.posts[0] = page->posts[at];
    page_release(&dropped);
    page->count--;
    memmove(&page->posts[at], &page->posts[at + 1],
            (page->count - at) * sizeof(*page->posts));
}

static enum turn
ask_first(struct trip *trip, struct reading *reading)
{
    const struct post *post = &trip->out->page.posts[reading->edited];

    reading->step = READ_FIRST;
    reading->edits++;
    ask_room(trip, "GET", post->place, "/event");
    ask_part(trip, post->id);
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* Is what was answered a message of that person, written and no edit? */
static bool
is_first(const struct trip *trip, const struct post *post, int64_t *stamp)
{
    const char *type = jdoc_string(trip->value, "type");
    const char *sender = jdoc_string(trip->value, "sender");
    json_object *relation =
        jdoc_get(jdoc_get(trip->value, "content"), "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    return type != NULL && strcmp(type, "m.room.message") == 0 &&
           sender != NULL && strcmp(sender, post->author) == 0 &&
           jdoc_get(trip->value, "state_key") == NULL &&
           (kind == NULL || strcmp(kind, "m.replace") != 0) &&
           hear_time(trip->value, "origin_server_ts", stamp);
}

/* ---- the errand ---------------------------------------------------------- */

/* A cursor is written anew where there was news, else once a minute. */
static void
write_cursor(struct trip *trip, const struct reading *reading)
{
    bool old = trip->out->page.count == 0 &&
               strcmp(reading->next, reading->since) == 0 &&
               reading->date - reading->last < CURSOR_AGE_MS;

    buf_add_number(&trip->out->cursor, old ? reading->last : reading->date);
    buf_addf(&trip->out->cursor, " %s", reading->next);
}

/* What there is to ask yet, or the end.  Where there was a gap the server may
 * have been busy for long with what it answered: the next reading says up to
 * when all was read. */
static enum turn
read_on(struct trip *trip, struct reading *reading)
{
    if (reading->gap_count > 0) {
        return ask_gap(trip, reading);
    }
    while ((reading->edited = next_edit(trip, reading)) <
           trip->out->page.count) {
        if (reading->edits < EDITS_MAX) {
            return ask_first(trip, reading);
        }
        page_drop(&trip->out->page, reading->edited);
    }
    write_cursor(trip, reading);
    if (trip->out->cursor.len > ADAPTER_ID_MAX) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: a sync token is too long to be kept",
                            trip->service->name);
    }
    trip->out->more = reading->gappy;
    if (!reading->gappy && reading->date > MARGIN_MS) {
        trip->out->through = reading->date - MARGIN_MS;
    }
    return TURN_DONE;
}

static enum turn
begin(struct trip *trip, struct reading *reading)
{
    if (*trip->errand->cursor == '\0') {
        return ask_now(trip, reading);
    }
    if (!read_cursor(trip->errand->cursor, reading)) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the saved cursor is none of this service's",
                            trip->service->name);
    }
    return ask_sync(trip, reading);
}

static enum turn
hear_sync(struct trip *trip, struct reading *reading)
{
    const char *next = hear_id(trip->value, "next_batch");

    if (!heard_well(trip) || next == NULL) {
        return trip_refused(trip);
    }
    if (trip->reply->date <= 0 || trip->reply->date > TRIP_TIME_MAX) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: the reply does not say what time it is",
                            trip->service->name);
    }
    reading->date = trip->reply->date;
    memcpy(reading->next, next, strlen(next) + 1);
    if (reading->step == READ_NOW) {
        return read_on(trip, reading);
    }
    hear_rooms(trip, reading, "join", hear_room);
    hear_rooms(trip, reading, "leave", hear_room);
    hear_rooms(trip, reading, "invite", hear_invite);
    return read_on(trip, reading);
}

/* What is too long in all is asked for in smaller pieces, or it would be too
 * long for ever.  A token is not known any more where the server was set back
 * to a backup (Synapse: 400 M_UNKNOWN); then what is there is read, from the
 * time of the last reading on. */
static enum turn
hear_news(struct trip *trip, struct reading *reading)
{
    if (trip->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_sync(trip, reading);
    }
    if (heard_no(trip, 400, "M_UNKNOWN") && !reading->lost) {
        reading->lost = true;
        return ask_sync(trip, reading);
    }
    return hear_sync(trip, reading);
}

/* What people may not read any more is no gap. */
static enum turn
hear_gap(struct trip *trip, struct reading *reading)
{
    struct gap *gap = &reading->gaps[reading->gap_count - 1];
    bool forbidden = heard_no(trip, 403, "M_FORBIDDEN");

    if (trip->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_gap(trip, reading);
    }
    if (!forbidden && (!heard_well(trip) ||
                       !json_object_is_type(jdoc_get(trip->value, "chunk"),
                                            json_type_array))) {
        return trip_refused(trip);
    }
    if (!forbidden) {
        hear_chunk(trip, reading, gap);
    }
    if (forbidden || !goes_on(trip, reading, gap)) {
        reading->gap_count--;
    }
    return read_on(trip, reading);
}

static enum turn
hear_first(struct trip *trip, struct reading *reading)
{
    struct post *post = &trip->out->page.posts[reading->edited];
    int64_t stamp;

    if (!heard_well(trip) && !heard_no(trip, 404, "") &&
        !heard_no(trip, 403, "")) {
        return trip_refused(trip);
    }
    if (is_first(trip, post, &stamp)) {
        post->stamp = hold_stamp(stamp, 0, post->edited);
    } else {
        page_drop(&trip->out->page, reading->edited);
    }
    return read_on(trip, reading);
}

enum turn
turn_read(struct trip *trip)
{
    struct reading *reading = trip_memory(trip, sizeof(*reading));

    switch (reading->step) {
    case READ_BEGIN:
        return begin(trip, reading);
    case READ_NOW:
        return hear_sync(trip, reading);
    case READ_SYNC:
    case READ_ANEW:
        return hear_news(trip, reading);
    case READ_GAP:
        return hear_gap(trip, reading);
    case READ_FIRST:
        break;
    }
    return hear_first(trip, reading);
}
