/*
 * Matrix: reading.  One /sync for all rooms (C-S, "Syncing").
 *
 * The cursor is "<time> <token> <room> <event>": when the service was read
 * last, by its clock, the token to go on from, and the newest event that is
 * known, once there is one.  A server that was restored from a backup does not
 * have that event any more, but takes the token: Synapse goes on from its own
 * newest, and what was written before is never told.
 *
 * `through` is the time of a reply, so the reply must not be an old one.
 * Synapse keeps an answer for two minutes and gives it to whoever asks the same
 * again, and a host that was killed, or whose connection broke, does ask the
 * same again.  So no two readings ask the same: their timeouts differ.
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
    GAP_REQUESTS_MAX = 40, /* of ADVANCES_MAX: 4000 events */
    EDITS_MAX = 12,        /* of other people, that are looked at in one page */
    CURSOR_AGE_MS = MINUTE_MS,
    DOUBT_AGE_MS = 2 * MINUTE_MS, /* not read for so long, it may be another */
    STEP_MS = 1200, /* of a shorter wait: its tenths are below it */
};

#define TYPES                                                                  \
    "\"types\":[\"m.room.message\",\"m.room.encrypted\",\"m.reaction\","       \
    "\"m.sticker\",\"m.poll.*\",\"org.matrix.msc3381.poll.*\","                \
    "\"m.room.redaction\",\"m.room.member\",\"m.room.create\","                \
    "\"m.room.encryption\",\"m.room.tombstone\"]"
#define LAZY "\"lazy_load_members\":true,\"include_redundant_members\":true"

enum read_step {
    READ_BEGIN,
    READ_NOW,   /* where to begin: nothing old is read */
    READ_KNOWN, /* does the server have the newest event that is known? */
    READ_SYNC,  /* what is new */
    READ_ANEW,  /* the same after the token was no longer known */
    READ_GAP,   /* what a room's timeline left out */
    READ_FIRST, /* what was edited, as it was first written */
};

/* A room whose timeline leaves out earlier events. */
struct gap {
    char room[ADAPTER_ID_MAX + 1];
    char from[ADAPTER_ID_MAX + 1], to[ADAPTER_ID_MAX + 1];
    size_t at; /* in the page: before the room's posts */
    /* The bot has come into the room since it was read last, and may have been
     * there before.  Then the gap is read backwards. */
    bool back;
    bool out;     /* it was there before, and has left or was put out */
    bool arrived; /* it was found where it came */
    bool over;    /* no more is to be read */
    size_t older; /* posts in the page that are older than that */
};

struct reading {
    enum read_step step;
    int64_t last, date; /* when it was read last, and now */
    char since[ADAPTER_ID_MAX + 1], next[ADAPTER_ID_MAX + 1];
    char room[ADAPTER_ID_MAX + 1], event[ADAPTER_ID_MAX + 1]; /* "": none */
    int64_t event_stamp; /* of an event in this page that is taken for it */
    bool few;            /* ask for less: it was too long */
    bool checked;  /* whether the server has that event, if it can be told */
    bool lost;     /* the token was not known: what is older was read */
    bool gappy;    /* there was a gap */
    size_t edited; /* in the page: where the next edit is looked for */
    unsigned requests, edits;
    unsigned gap_count;
    struct gap gaps[GAPS_MAX];
};

_Static_assert(sizeof(struct reading) <= ADAPTER_SCRATCH_MAX, "too many gaps");

/* ---- asking -------------------------------------------------------------- */

/* Take a blank and a word of a cursor; false: it is no id. */
static bool
take_word(const char **at, char id[ADAPTER_ID_MAX + 1])
{
    size_t len = **at == ' ' ? strcspn(*at + 1, " ") : 0;

    if (len == 0 || len > ADAPTER_ID_MAX) {
        return false;
    }
    memcpy(id, *at + 1, len);
    *at += len + 1;
    return is_id(id);
}

static bool
read_cursor(const char *cursor, struct reading *reading)
{
    char *end = NULL;

    reading->last = strtoll(cursor, &end, 10);
    const char *at = end;

    return at != cursor && reading->last >= 0 &&
           reading->last <= EXCHANGE_TIME_MAX &&
           take_word(&at, reading->since) &&
           (*at == '\0' || (take_word(&at, reading->room) &&
                            take_word(&at, reading->event) && *at == '\0'));
}

static int
page_events(const struct reading *reading)
{
    return reading->few ? PAGE_EVENTS_FEW : PAGE_EVENTS;
}

/* How long a read waits for something new: at most until something is due. */
static int
poll_time(const struct op *op)
{
    int64_t steps = (op->due - op->now + STEP_MS - 1) / STEP_MS;

    if (op->due == 0 || (steps + 1) * STEP_MS > LONG_POLL_MS) {
        return LONG_POLL_MS;
    }
    return (int)(steps < 1 ? 1 : steps) * STEP_MS;
}

/* How long a read may wait: different for each tenth of a second within two
 * minutes. */
static int
ask_timeout(struct exchange *exchange)
{
    int64_t tenths = exchange->op->now / 100 % STEP_MS;
    int timeout =
        poll_time(exchange->op) + (int)(tenths < 0 ? -tenths : tenths);
    struct buf text = BUF_INIT;

    buf_add_number(&text, timeout);
    ask_query(exchange, "timeout", buf_text(&text));
    buf_release(&text);
    return timeout;
}

static enum advance
ask_now(struct exchange *exchange, struct reading *reading)
{
    reading->step = READ_NOW;
    ask(exchange, "GET", SYNC);
    ask_query(exchange, "filter",
              "{\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]},"
              "\"room\":{\"rooms\":[]}}");
    ask_query(exchange, "set_presence", "offline");
    (void)ask_timeout(exchange); /* it is answered at once all the same */
    return ADVANCE_REQUEST;
}

static enum advance
ask_sync(struct exchange *exchange, struct reading *reading)
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
    ask(exchange, "GET", SYNC);
    ask_query(exchange, "filter", buf_text(&filter));
    ask_query(exchange, "set_presence", "offline");
    int timeout = ask_timeout(exchange);

    buf_release(&filter);
    if (!reading->lost) {
        ask_query(exchange, "since", reading->since);
        exchange->out->request.long_poll = true;
        exchange->out->request.timeout = timeout + MINUTE_MS / 2;
    }
    return ADVANCE_REQUEST;
}

static enum advance
ask_known(struct exchange *exchange, struct reading *reading)
{
    reading->step = READ_KNOWN;
    reading->checked = true;
    ask_room(exchange, "GET", reading->room, "/event");
    ask_part(exchange, reading->event);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

static enum advance
ask_gap(struct exchange *exchange, struct reading *reading)
{
    const struct gap *gap = &reading->gaps[reading->gap_count - 1];
    struct buf limit = BUF_INIT;

    reading->step = READ_GAP;
    reading->requests++;
    buf_add_number(&limit, page_events(reading));
    ask_room(exchange, "GET", gap->room, "/messages");
    ask_query(exchange, "dir", gap->back ? "b" : "f");
    ask_query(exchange, "from", gap->from);
    if (!gap->back) {
        ask_query(exchange, "to", gap->to);
    }
    ask_query(exchange, "limit", buf_text(&limit));
    ask_query(exchange, "filter", "{" TYPES "," LAZY "}");
    exchange->out->request.urgent = true;
    buf_release(&limit);
    return ADVANCE_REQUEST;
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

/* What an event says of the bot: where it came into a room, whether it had been
 * there before and was outside, and whether it never was there. */
struct own_event {
    bool came, out, first;
    int64_t stamp;
};

static struct own_event
own_event(const struct exchange *exchange, json_object *event)
{
    struct own_event own = {.stamp = 0};
    const char *is = membership_in(event, exchange->service->self);

    if (*is == '\0') {
        return own;
    }
    const char *was = membership_before(event);
    bool joined = strcmp(was, "join") == 0;
    bool joins = strcmp(is, "join") == 0;

    (void)parse_time(event, "origin_server_ts", &own.stamp);
    own.came = joins && !joined;
    own.out = strcmp(was, "leave") == 0 || strcmp(was, "ban") == 0 ||
              (joined && !joins);
    own.first = *was == '\0';
    return own;
}

/* Where the bot joined in the stretch; its end: it did not. */
static size_t
own_arrival(const struct exchange *exchange, const struct stretch *stretch)
{
    for (size_t i = stretch->count; i > 0; i--) {
        if (own_event(exchange,
                      json_object_array_get_idx(stretch->events, i - 1))
                .came) {
            return i - 1;
        }
    }
    return stretch->count;
}

/* Go back by an event: where the bot had come before it was read last, and had
 * been outside since, or had come for the first time, nothing more is to be
 * read. */
static struct own_event
look_back(const struct exchange *exchange, json_object *event, int64_t last,
          struct gap *gap)
{
    struct own_event own = own_event(exchange, event);

    gap->over = gap->out && own.came && own.stamp <= last;
    gap->out = gap->out || own.out;
    gap->over = gap->over || (own.first && !gap->out);
    return own;
}

/* Where the bot had come into a room which it has left, or was put out of,
 * before it came back; 0: before the stretch; `arrival`: it never was there, as
 * far as the stretch shows.  If it came since the last reading, nothing was
 * read there: it may have been put out more than once. */
static size_t
first_arrival(const struct exchange *exchange, const struct stretch *stretch,
              size_t arrival, struct gap *gap)
{
    size_t at = arrival + 1;

    while (at > 0 && !gap->over) {
        at--;
        (void)look_back(exchange,
                        json_object_array_get_idx(stretch->events, at),
                        stretch->last, gap);
    }
    return gap->out ? at : arrival;
}

/* Where the posts of a room begin that are to be read.  If its creation is
 * included, the bot has joined since, and anything older than that is none of
 * its business.  If it is back, what was written meanwhile is; what it has read
 * before comes again, for nothing shows when it was put out (parse_invite). */
static size_t
first_of(const struct exchange *exchange, struct stretch *stretch,
         struct gap *gap)
{
    size_t arrival = own_arrival(exchange, stretch);

    gap->back = parse_state(stretch->state, "m.room.create", "") != NULL ||
                parse_state(stretch->events, "m.room.create", "") != NULL;
    gap->arrived = arrival < stretch->count;
    if (!gap->back || !gap->arrived) {
        return 0;
    }
    size_t first = first_arrival(exchange, stretch, arrival, gap);

    stretch->arrival = first < arrival ? arrival : 0;
    return first;
}

/* While the bot was outside, readings went on without the room: what it missed
 * may be older than the last of them. */
static void
note_gap(struct reading *reading, const struct gap *found, const char *room,
         const char *to)
{
    struct gap *gap = &reading->gaps[reading->gap_count];
    const char *from = found->back ? to : reading->since;

    if (to == NULL || reading->gap_count == GAPS_MAX) {
        return;
    }
    *gap = *found;
    memcpy(gap->room, room, strlen(room) + 1);
    memcpy(gap->from, from, strlen(from) + 1);
    memcpy(gap->to, to, strlen(to) + 1);
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

/* Was the bot put out of a room, and invited into it again?  Then /messages
 * tells nothing of the room until the bot is back. */
static bool
is_asked_back(const struct exchange *exchange, const char *room)
{
    json_object *rooms = jdoc_get(exchange->value, "rooms");

    return jdoc_get(jdoc_get(rooms, "leave"), room) != NULL &&
           jdoc_get(jdoc_get(rooms, "invite"), room) != NULL;
}

/* The newest event of a page is that of our own server with the latest time:
 * that comes from no other server again. */
static void
note_newest(const struct exchange *exchange, struct reading *reading,
            const struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++) {
        json_object *event = json_object_array_get_idx(stretch->events, i);
        const char *id = parse_id(event, "event_id");
        int64_t stamp;

        if (id != NULL && is_trusted(exchange, event, &stamp) &&
            stamp >= reading->event_stamp) {
            reading->event_stamp = stamp;
            memcpy(reading->event, id, strlen(id) + 1);
            memcpy(reading->room, stretch->room, strlen(stretch->room) + 1);
        }
    }
}

static void
parse_room(struct exchange *exchange, struct reading *reading, const char *room,
           json_object *part)
{
    json_object *timeline = jdoc_get(part, "timeline");
    struct stretch stretch =
        take_stretch(reading, room, list_of(timeline, "events"),
                     list_of(jdoc_get(part, "state"), "events"));
    struct gap gap = {.at = exchange->out->page.count};
    bool limited = false;
    size_t first = first_of(exchange, &stretch, &gap);

    limited = jdoc_bool(timeline, "limited", &limited) && limited;
    if (limited && !gap.back && !gap.arrived && is_asked_back(exchange, room)) {
        /* Once the bot is back all of it is read, in order. */
        put_stretch(&stretch);
        return;
    }
    if (!gap.back) {
        parse_shut(exchange, &stretch);
    }
    note_newest(exchange, reading, &stretch);
    parse_stretch(exchange, &stretch, first);
    if (limited) {
        reading->gappy = true;
        if (!gap.over && !reading->lost) {
            note_gap(reading, &gap, room, parse_id(timeline, "prev_batch"));
        }
    }
    put_stretch(&stretch);
}

/* The event that invites the bot into somebody's DM; NULL: none (C-S,
 * m.room.member: is_direct). */
static json_object *
direct_invitation(const struct exchange *exchange,
                  const struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++) {
        json_object *event = json_object_array_get_idx(stretch->events, i);
        bool direct = false;

        if (strcmp(membership_in(event, exchange->service->self), "invite") ==
                0 &&
            jdoc_bool(jdoc_get(event, "content"), "is_direct", &direct) &&
            direct) {
            return event;
        }
    }
    return NULL;
}

/* The bot does not join a DM that a person opens: it may be encrypted, and
 * others can be invited.  It joins only configured rooms.  One into which it is
 * invited it is not in: it may have been put out since the last reading, which
 * shows nowhere else. */
static void
parse_invite(struct exchange *exchange, struct reading *reading,
             const char *room, json_object *part)
{
    struct stretch stretch = {
        .room = room,
        .events = list_of(jdoc_get(part, "invite_state"), "events"),
        .stamps = &reading->date,
    };
    stretch.count = json_object_array_length(stretch.events);
    stretch.state = stretch.events;
    json_object *event = direct_invitation(exchange, &stretch);
    const char *sender = parse_id(event, "sender");

    if (sender != NULL && sender[0] == '@') {
        parse_post(exchange, &stretch, 0, POST_SEALED, room, sender)->dm = true;
    } else if (event == NULL) {
        (void)parse_post(exchange, &stretch, 0, POST_LEFT, room,
                         exchange->service->self);
    }
    json_object_put(stretch.events);
}

static void
parse_rooms(struct exchange *exchange, struct reading *reading,
            const char *kind,
            void (*each)(struct exchange *exchange, struct reading *reading,
                         const char *room, json_object *part))
{
    json_object *rooms = jdoc_get(jdoc_get(exchange->value, "rooms"), kind);

    if (!json_object_is_type(rooms, json_type_object)) {
        return;
    }
    json_object_object_foreach(rooms, room, part)
    {
        if (is_id(room)) {
            each(exchange, reading, room, part);
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
page_drop(struct page *page, size_t at)
{
    struct page dropped = {must_alloc(sizeof(struct post)), 1};

    dropped.posts[0] = page->posts[at];
    page_release(&dropped);
    page->count--;
    memmove(&page->posts[at], &page->posts[at + 1],
            (page->count - at) * sizeof(*page->posts));
}

/* Read a part of a chunk, whose events are the oldest first or, backwards, the
 * newest. */
static void
parse_part(struct exchange *exchange, const struct reading *reading,
           struct gap *gap, size_t begin, size_t end)
{
    struct page *page = &exchange->out->page;
    size_t first = page->count;
    json_object *chunk = jdoc_get(exchange->value, "chunk");
    json_object *events = json_object_new_array();

    for (size_t i = begin; i < end; i++) {
        json_object_array_add(
            events, json_object_get(json_object_array_get_idx(
                        chunk, gap->back ? end - 1 - (i - begin) : i)));
    }
    struct stretch stretch = take_stretch(reading, gap->room, events,
                                          list_of(exchange->value, "state"));

    stretch.arrival = gap->arrived ? stretch.count : 0;
    parse_stretch(exchange, &stretch, 0);
    size_t count = page->count - first;

    page_move(page, first, gap->at);
    gap->older += count;
    gap->at += gap->back ? 0 : count;
    put_stretch(&stretch);
}

/* Back to where the bot had come before it was read last, if it was there. */
static void
parse_back(struct exchange *exchange, const struct reading *reading,
           struct gap *gap)
{
    json_object *chunk = jdoc_get(exchange->value, "chunk");
    size_t count = json_object_array_length(chunk);
    size_t begin = 0;
    size_t end = 0;

    for (; end < count && !gap->over; end++) {
        struct own_event own =
            look_back(exchange, json_object_array_get_idx(chunk, end),
                      reading->last, gap);

        if (own.came && !gap->arrived) {
            parse_part(exchange, reading, gap, begin, end + 1);
            begin = end + 1;
            gap->arrived = true;
            gap->older = 0;
        }
    }
    parse_part(exchange, reading, gap, begin, end);
}

/* What was written before the bot came for the first time is dropped. */
static void
end_gap(struct exchange *exchange, struct reading *reading, struct gap *gap)
{
    while (gap->back && !gap->out && gap->older > 0) {
        page_drop(&exchange->out->page, gap->at);
        gap->older--;
    }
    reading->gap_count--;
}

/* Is there more of the gap?  C-S, GET /messages: the end has no `end`. */
static bool
goes_on(const struct exchange *exchange, const struct reading *reading,
        struct gap *gap)
{
    const char *end = parse_id(exchange->value, "end");
    json_object *chunk = jdoc_get(exchange->value, "chunk");

    if (end == NULL || gap->over || strcmp(end, gap->from) == 0 ||
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
next_edit(const struct exchange *exchange, const struct reading *reading)
{
    const struct page *page = &exchange->out->page;
    size_t at = reading->edited;

    while (at < page->count && page->posts[at].stamp >= 0) {
        at++;
    }
    return at;
}

static enum advance
ask_first(struct exchange *exchange, struct reading *reading)
{
    const struct post *post = &exchange->out->page.posts[reading->edited];

    reading->step = READ_FIRST;
    reading->edits++;
    ask_room(exchange, "GET", post->place, "/event");
    ask_part(exchange, post->id);
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* Is the reply a message that this person wrote, not an edit? */
static bool
is_first(const struct exchange *exchange, const struct post *post,
         int64_t *stamp)
{
    const char *type = jdoc_string(exchange->value, "type");
    const char *sender = jdoc_string(exchange->value, "sender");
    json_object *relation =
        jdoc_get(jdoc_get(exchange->value, "content"), "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    return type != NULL && strcmp(type, "m.room.message") == 0 &&
           sender != NULL && strcmp(sender, post->author) == 0 &&
           jdoc_get(exchange->value, "state_key") == NULL &&
           (kind == NULL || strcmp(kind, "m.replace") != 0) &&
           parse_time(exchange->value, "origin_server_ts", stamp);
}

/* ---- the newest event ---------------------------------------------------- */

/* Is a token older than another?  They are opaque, but servers begin them with
 * a number that only rises (Synapse: "s71_1_0"). */
static bool
goes_back(const char *since, const char *next)
{
    static const char digits[] = "0123456789";

    return strtoull(next + strcspn(next, digits), NULL, 10) <
           strtoull(since + strcspn(since, digits), NULL, 10);
}

/* The server does not have the event: everything is read from the time of the
 * last reading on.  If it can't be told (the bot is not in that room any more),
 * the reading goes on. */
static enum advance
parse_known(struct exchange *exchange, struct reading *reading)
{
    if (!is_success(exchange) && !is_refusal(exchange, 404, "") &&
        !is_refusal(exchange, 403, "")) {
        return exchange_refused(exchange);
    }
    reading->lost = is_refusal(exchange, 404, "");
    return ask_sync(exchange, reading);
}

/* ---- the operation ------------------------------------------------------- */

/* The cursor is updated when something was new, else once a minute. */
static void
write_cursor(struct exchange *exchange, const struct reading *reading)
{
    bool old = exchange->out->page.count == 0 &&
               strcmp(reading->next, reading->since) == 0 &&
               reading->date - reading->last < CURSOR_AGE_MS;

    buf_add_number(&exchange->out->cursor, old ? reading->last : reading->date);
    buf_addf(&exchange->out->cursor, " %s", reading->next);
    if (*reading->event != '\0' && exchange->out->cursor.len +
                                           strlen(reading->room) +
                                           strlen(reading->event) + 2 <=
                                       ADAPTER_ID_MAX) {
        buf_addf(&exchange->out->cursor, " %s %s", reading->room,
                 reading->event);
    }
}

/* The next request, or the end.  After a gap the server may have taken long to
 * reply: the next read says up to when everything was read. */
static enum advance
read_on(struct exchange *exchange, struct reading *reading)
{
    if (reading->gap_count > 0) {
        return ask_gap(exchange, reading);
    }
    while ((reading->edited = next_edit(exchange, reading)) <
           exchange->out->page.count) {
        if (reading->edits < EDITS_MAX) {
            return ask_first(exchange, reading);
        }
        page_drop(&exchange->out->page, reading->edited);
    }
    write_cursor(exchange, reading);
    if (exchange->out->cursor.len > ADAPTER_ID_MAX) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: a sync token is too long to be kept",
                            exchange->service->name);
    }
    exchange->out->more = reading->gappy;
    if (!reading->gappy && reading->date > MARGIN_MS) {
        exchange->out->through = reading->date - MARGIN_MS;
    }
    return ADVANCE_DONE;
}

static enum advance
begin(struct exchange *exchange, struct reading *reading)
{
    if (*exchange->op->cursor == '\0') {
        return ask_now(exchange, reading);
    }
    if (!read_cursor(exchange->op->cursor, reading)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the saved cursor is none of this service's",
                            exchange->service->name);
    }
    return *reading->event != '\0' &&
                   exchange->op->now - reading->last >= DOUBT_AGE_MS
               ? ask_known(exchange, reading)
               : ask_sync(exchange, reading);
}

static enum advance
parse_sync(struct exchange *exchange, struct reading *reading)
{
    const char *next = parse_id(exchange->value, "next_batch");

    if (!is_success(exchange) || next == NULL) {
        return exchange_refused(exchange);
    }
    if (exchange->reply->date <= 0 ||
        exchange->reply->date > EXCHANGE_TIME_MAX) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the reply does not say what time it is",
                            exchange->service->name);
    }
    reading->date = exchange->reply->date;
    memcpy(reading->next, next, strlen(next) + 1);
    if (reading->step == READ_NOW) {
        return read_on(exchange, reading);
    }
    if (!reading->lost && !reading->checked &&
        goes_back(reading->since, next)) {
        reading->lost = *reading->event == '\0';
        return reading->lost ? ask_sync(exchange, reading)
                             : ask_known(exchange, reading);
    }
    parse_rooms(exchange, reading, "join", parse_room);
    parse_rooms(exchange, reading, "leave", parse_room);
    parse_rooms(exchange, reading, "invite", parse_invite);
    return read_on(exchange, reading);
}

/* A reply that is too long is asked for in smaller pieces, or it would be too
 * long for ever.  A token is no longer known after the server was restored from
 * a backup (Synapse: 400 M_UNKNOWN); then everything is read from the time of
 * the last reading on. */
static enum advance
parse_updates(struct exchange *exchange, struct reading *reading)
{
    if (exchange->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_sync(exchange, reading);
    }
    if (is_refusal(exchange, 400, "M_UNKNOWN") && !reading->lost) {
        reading->lost = true;
        return ask_sync(exchange, reading);
    }
    return parse_sync(exchange, reading);
}

/* Events that may no longer be read are no gap. */
static enum advance
parse_gap(struct exchange *exchange, struct reading *reading)
{
    struct gap *gap = &reading->gaps[reading->gap_count - 1];
    bool forbidden = is_refusal(exchange, 403, "M_FORBIDDEN");

    if (exchange->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_gap(exchange, reading);
    }
    if (!forbidden && (!is_success(exchange) ||
                       !json_object_is_type(jdoc_get(exchange->value, "chunk"),
                                            json_type_array))) {
        return exchange_refused(exchange);
    }
    if (!forbidden && gap->back) {
        parse_back(exchange, reading, gap);
    } else if (!forbidden) {
        parse_part(
            exchange, reading, gap, 0,
            json_object_array_length(jdoc_get(exchange->value, "chunk")));
    }
    if (forbidden || !goes_on(exchange, reading, gap)) {
        end_gap(exchange, reading, gap);
    }
    return read_on(exchange, reading);
}

static enum advance
parse_first(struct exchange *exchange, struct reading *reading)
{
    struct post *post = &exchange->out->page.posts[reading->edited];
    int64_t stamp;

    if (!is_success(exchange) && !is_refusal(exchange, 404, "") &&
        !is_refusal(exchange, 403, "")) {
        return exchange_refused(exchange);
    }
    if (is_first(exchange, post, &stamp)) {
        post->stamp = hold_stamp(stamp, 0, post->edited);
    } else {
        page_drop(&exchange->out->page, reading->edited);
    }
    return read_on(exchange, reading);
}

enum advance
matrix_read(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));

    switch (reading->step) {
    case READ_BEGIN:
        return begin(exchange, reading);
    case READ_NOW:
        return parse_sync(exchange, reading);
    case READ_KNOWN:
        return parse_known(exchange, reading);
    case READ_SYNC:
    case READ_ANEW:
        return parse_updates(exchange, reading);
    case READ_GAP:
        return parse_gap(exchange, reading);
    case READ_FIRST:
        break;
    }
    return parse_first(exchange, reading);
}
