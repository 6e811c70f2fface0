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
 *
 * Stamps.  An event's time is what the sender's server says (C-S,
 * origin_server_ts), and a player's own server can lie.  The times of the bot's
 * own server are taken as they are; any other must lie between those of its
 * neighbours in the room that are, or, where there are none, between the last
 * reading and this one.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
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
    "\"m.room.redaction\",\"m.room.member\",\"m.room.create\"]"
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
             "\"m.room.member\",\"m.room.create\"]," LAZY "}}}",
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

/* ---- stamps -------------------------------------------------------------- */

/* The events of one room, in the order in which they came there. */
struct stretch {
    const char *room;
    json_object *events, *state; /* state: the members that it needs */
    size_t count;
    int64_t *stamps; /* of each event */
};

static bool
is_trusted(const struct trip *trip, json_object *event, int64_t *stamp)
{
    const char *sender = jdoc_string(event, "sender");

    return sender != NULL && hear_time(event, "origin_server_ts", stamp) &&
           strcmp(server_of(sender), server_of(trip->service->self)) == 0;
}

/* A time that is told by a server that may lie, held between two. */
static int64_t
hold(int64_t told, int64_t earliest, int64_t latest)
{
    if (told > latest) {
        told = latest;
    }
    return told < earliest ? earliest : told;
}

static void
settle_stamps(const struct trip *trip, const struct reading *reading,
              struct stretch *stretch)
{
    int64_t earliest = reading->last;
    int64_t latest = reading->date + SECOND_MS - 1;
    int64_t stamp;

    /* Backwards: the latest that each may be; then forwards. */
    for (size_t i = stretch->count; i > 0; i--) {
        json_object *event = json_object_array_get_idx(stretch->events, i - 1);

        if (is_trusted(trip, event, &stamp) && stamp < latest) {
            latest = stamp;
        }
        stretch->stamps[i - 1] = latest;
    }
    for (size_t i = 0; i < stretch->count; i++) {
        json_object *event = json_object_array_get_idx(stretch->events, i);

        if (is_trusted(trip, event, &stamp)) {
            earliest = stamp > earliest ? stamp : earliest;
            stretch->stamps[i] = stamp;
        } else {
            bool told = hear_time(event, "origin_server_ts", &stamp);

            stretch->stamps[i] =
                hold(told ? stamp : earliest, earliest, stretch->stamps[i]);
        }
    }
}

/* ---- events -------------------------------------------------------------- */

static const char *
membership(json_object *content)
{
    const char *is = jdoc_string(content, "membership");

    return is != NULL ? is : "";
}

/* What an event says of a user's membership; "" where it is none of that. */
static const char *
membership_in(json_object *event, const char *user)
{
    const char *type = jdoc_string(event, "type");
    const char *key = jdoc_string(event, "state_key");

    return type != NULL && key != NULL && strcmp(key, user) == 0 &&
                   strcmp(type, "m.room.member") == 0
               ? membership(jdoc_get(event, "content"))
               : "";
}

/* What it was before. */
static const char *
membership_before(json_object *event)
{
    return membership(jdoc_get(jdoc_get(event, "unsigned"), "prev_content"));
}

/* The name of a member in a list of events, the latest before `end`; NULL: it
 * has none there. */
static const char *
name_in(json_object *events, size_t end, const char *user)
{
    for (size_t i = end; i > 0; i--) {
        json_object *event = json_object_array_get_idx(events, i - 1);
        const char *is = membership_in(event, user);

        /* Who leaves keeps the name of before. */
        if (strcmp(is, "join") == 0 || strcmp(is, "invite") == 0) {
            return jdoc_string(jdoc_get(event, "content"), "displayname");
        }
    }
    return NULL;
}

/* How a user is called in the room where something came: by the name shown
 * there, or by the first part of the id. */
static char *
name_of(const struct stretch *stretch, size_t at, const char *user)
{
    const char *name = name_in(stretch->events, at + 1, user);
    struct buf part = BUF_INIT;

    if (name == NULL) {
        name = name_in(stretch->state, json_object_array_length(stretch->state),
                       user);
    }
    if (name != NULL && *name != '\0' && strlen(name) <= ADAPTER_ID_MAX) {
        return must_copy(name);
    }
    buf_add(&part, user + 1, strcspn(user + 1, ":"));
    return buf_take(&part);
}

/* Add a post of one kind, with what every one has. */
static struct post *
add_post(struct trip *trip, const struct stretch *stretch, size_t at,
         enum post_kind kind, const char *id, const char *author)
{
    struct post *post = page_add(&trip->out->page);

    post->kind = kind;
    post->id = must_copy(id);
    post->place = must_copy(stretch->room);
    post->stamp = stretch->stamps[at];
    if (*author != '\0') {
        post->author = must_copy(author);
        post->author_name = name_of(stretch, at, author);
        post->own = strcmp(author, trip->service->self) == 0;
    }
    return post;
}

/* Copy a text, which may have a NUL in it. */
static void
copy_body(struct post *post, json_object *text)
{
    size_t len = (size_t)json_object_get_string_len(text);

    post->body = must_alloc(len + 1);
    memcpy(post->body, json_object_get_string(text), len);
    post->body_len = len;
}

/* What a person wrote: of a text, or, where its name is not the caption, of
 * what goes with a picture or a file (C-S, "Media captions"). */
static bool
has_words(json_object *content, const char *type)
{
    const char *file = jdoc_string(content, "filename");
    const char *body = jdoc_string(content, "body");

    if (strcmp(type, "m.text") == 0 || strcmp(type, "m.emote") == 0 ||
        strcmp(type, "m.notice") == 0) {
        return true;
    }
    return file != NULL && (body == NULL || strcmp(file, body) != 0);
}

/* The words of a message: its HTML, or its text as it is (markup.md E5). */
static void
copy_words(struct post *post, json_object *content)
{
    const char *format = jdoc_string(content, "format");
    const char *type = jdoc_string(content, "msgtype");
    json_object *html = jdoc_get(content, "formatted_body");
    json_object *text = jdoc_get(content, "body");

    post->machine = type != NULL && strcmp(type, "m.notice") == 0;
    if (type == NULL || !has_words(content, type)) {
        post->dialect = &dialect_plain;
    } else if (format != NULL &&
               strcmp(format, "org.matrix.custom.html") == 0 &&
               json_object_is_type(html, json_type_string)) {
        copy_body(post, html);
    } else if (json_object_is_type(text, json_type_string)) {
        post->dialect = &dialect_plain;
        copy_body(post, text);
    }
}

/* What a message answers; a thread's messages name one for clients that know no
 * threads (C-S, "Fallback for unthreaded clients"). */
static const char *
answered(json_object *relation)
{
    json_object *reply = jdoc_get(relation, "m.in_reply_to");
    const char *id = hear_id(reply, "event_id");
    bool fallback = false;

    (void)jdoc_bool(relation, "is_falling_back", &fallback);
    return id == NULL || fallback ? "" : id;
}

/* Anybody may send an edit of anybody's message, and every client gets it: it
 * is one only if both are the same person's (C-S, "Validity of replacement
 * events").  One of somebody else is looked at later (READ_FIRST); until then
 * it has no stamp. */
static void
hear_edit(struct trip *trip, const struct stretch *stretch, size_t at,
          const char *sender, json_object *content)
{
    const char *first = hear_id(jdoc_get(content, "m.relates_to"), "event_id");
    json_object *words = jdoc_get(content, "m.new_content");

    if (first == NULL || !json_object_is_type(words, json_type_object)) {
        return;
    }
    struct post *post =
        add_post(trip, stretch, at, POST_WRITTEN, first, sender);

    post->edited = post->stamp;
    post->stamp = post->own ? post->edited : -1;
    copy_words(post, words);
}

static void
hear_message(struct trip *trip, const struct stretch *stretch, size_t at,
             const char *id, const char *sender)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    json_object *content = jdoc_get(event, "content");
    json_object *relation = jdoc_get(content, "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    if (jdoc_get(event, "state_key") != NULL) {
        return; /* state of the room, and nobody's message */
    }
    if (jdoc_get(jdoc_get(event, "unsigned"), "redacted_because") != NULL) {
        (void)add_post(trip, stretch, at, POST_DELETED, id, sender);
    } else if (kind != NULL && strcmp(kind, "m.replace") == 0) {
        hear_edit(trip, stretch, at, sender, content);
    } else {
        struct post *post =
            add_post(trip, stretch, at, POST_WRITTEN, id, sender);

        copy_words(post, content);
        post->reply_to = must_copy(answered(relation));
    }
}

/* C-S, "Annotations".  The bot's own say nothing. */
static void
hear_reaction(struct trip *trip, const struct stretch *stretch, size_t at,
              const char *id, const char *sender)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    json_object *relation =
        jdoc_get(jdoc_get(event, "content"), "m.relates_to");
    const char *post = hear_id(relation, "event_id");

    if (post != NULL && strcmp(sender, trip->service->self) != 0) {
        add_post(trip, stretch, at, POST_REACTED, id, sender)->reply_to =
            must_copy(post);
    }
}

/* Since room version 11 the redacted event stands in the content. */
static void
hear_redaction(struct trip *trip, const struct stretch *stretch, size_t at)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *id = hear_id(jdoc_get(event, "content"), "redacts");

    id = id != NULL ? id : hear_id(event, "redacts");
    if (id != NULL) {
        (void)add_post(trip, stretch, at, POST_DELETED, id, "");
    }
}

static void
hear_member(struct trip *trip, const struct stretch *stretch, size_t at,
            const char *id)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *user = hear_id(event, "state_key");
    const char *is = membership(jdoc_get(event, "content"));
    const char *was = membership_before(event);
    bool came = strcmp(is, "join") == 0 && strcmp(was, "join") != 0;
    bool left = (strcmp(is, "leave") == 0 || strcmp(is, "ban") == 0) &&
                strcmp(was, "leave") != 0 && strcmp(was, "ban") != 0;

    if (user != NULL && (came || left)) {
        (void)add_post(trip, stretch, at, came ? POST_CAME : POST_LEFT, id,
                       user);
    }
}

/* Whatever is no event, or of no kind that is read, is passed over: others
 * choose what stands there, and no page may be lost to it. */
static void
hear_event(struct trip *trip, const struct stretch *stretch, size_t at)
{
    json_object *event = json_object_array_get_idx(stretch->events, at);
    const char *type = jdoc_string(event, "type");
    const char *id = hear_id(event, "event_id");
    const char *sender = hear_id(event, "sender");

    if (type == NULL || id == NULL || sender == NULL || sender[0] != '@') {
        return;
    }
    if (strcmp(type, "m.room.message") == 0) {
        hear_message(trip, stretch, at, id, sender);
    } else if (strcmp(type, "m.room.encrypted") == 0) {
        (void)add_post(trip, stretch, at, POST_SEALED, id, sender);
    } else if (strcmp(type, "m.reaction") == 0) {
        hear_reaction(trip, stretch, at, id, sender);
    } else if (strcmp(type, "m.room.redaction") == 0) {
        hear_redaction(trip, stretch, at);
    } else if (strcmp(type, "m.room.member") == 0) {
        hear_member(trip, stretch, at, id);
    }
}

/* Hear the events of a stretch from one on; with `after`, those that are not
 * older. */
static void
hear_stretch(struct trip *trip, const struct reading *reading,
             struct stretch *stretch, size_t first)
{
    stretch->stamps = must_alloc((stretch->count + 1) * sizeof(int64_t));
    settle_stamps(trip, reading, stretch);
    for (size_t i = first; i < stretch->count; i++) {
        if (!reading->lost || stretch->stamps[i] >= reading->last - MARGIN_MS) {
            hear_event(trip, stretch, i);
        }
    }
    free(stretch->stamps);
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

static void
hear_room(struct trip *trip, struct reading *reading, const char *room,
          json_object *part)
{
    json_object *timeline = jdoc_get(part, "timeline");
    struct stretch stretch = {
        .room = room,
        .events = list_of(timeline, "events"),
        .state = list_of(jdoc_get(part, "state"), "events"),
    };
    size_t at = trip->out->page.count;
    bool limited = false;
    bool new = false;

    stretch.count = json_object_array_length(stretch.events);
    hear_stretch(trip, reading, &stretch, first_of(trip, &stretch, &new));
    if (jdoc_bool(timeline, "limited", &limited) && limited) {
        reading->gappy = true;
        if (!new && !reading->lost) {
            note_gap(reading, room, hear_id(timeline, "prev_batch"), at);
        }
    }
    json_object_put(stretch.events);
    json_object_put(stretch.state);
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
        add_post(trip, &stretch, 0, POST_SEALED, room, sender)->talk = true;
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
    struct stretch stretch = {
        .room = gap->room,
        .events = list_of(trip->value, "chunk"),
        .state = list_of(trip->value, "state"),
    };

    stretch.count = json_object_array_length(stretch.events);
    hear_stretch(trip, reading, &stretch, 0);
    page_move(page, first, gap->at);
    gap->at += page->count - first;
    json_object_put(stretch.events);
    json_object_put(stretch.state);
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
        post->stamp = hold(stamp, 0, post->edited);
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
