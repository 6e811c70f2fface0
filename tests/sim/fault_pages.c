#include "tests/sim/fault_pages.h"

#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "bot/base/json.h"
#include "tests/sim/fault_world.h"
#include "tests/support/fake_matrix.h"

enum {
    PAGE_POSTS_MAX = 32, /* of a phpBB */
    SHORT_SYNC = 4       /* events of a room */
};

/* ---- lists ----------------------------------------------------------------
 */

/* Is it a list of posts, or events? */
static bool
has_posts(json_object *value)
{
    static const char *const members[] = {"content", "cooked"};
    bool list = json_object_is_type(value, json_type_array) &&
                json_object_array_length(value) > 0;
    json_object *first = list ? json_object_array_get_idx(value, 0) : NULL;
    return first != NULL && (jdoc_get(first, members[0]) != NULL ||
                             jdoc_get(first, members[1]) != NULL);
}

/* Where they stand in a reply; NULL: it has none. */
static json_object *
find_posts(json_object *value)
{
    static const char *const names[] = {"posts", "messages", "chunk"};
    json_object *stream = jdoc_get(value, "post_stream");
    value = stream == NULL ? value : stream;
    if (has_posts(value)) {
        return value;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (has_posts(jdoc_get(value, names[i]))) {
            return jdoc_get(value, names[i]);
        }
    }
    return NULL;
}

/* Is it a post, or a message?  Other events of a room have an order. */
static bool
is_post(json_object *post)
{
    const char *type = jdoc_string(post, "type");
    return type == NULL || strcmp(type, "m.room.message") == 0;
}

static bool
swap_posts(json_object *posts)
{
    size_t count = json_object_array_length(posts);
    if (count < 2 || !world_strikes(FAULT_DISORDER)) {
        return false;
    }
    size_t at = world_dice(FAULT_DISORDER, (unsigned)count - 1);
    json_object *one = json_object_array_get_idx(posts, at);
    json_object *other = json_object_array_get_idx(posts, at + 1);
    if (!is_post(one) || !is_post(other)) {
        return false;
    }
    (void)json_object_get(one);
    (void)json_object_array_put_idx(posts, at, json_object_get(other));
    (void)json_object_array_put_idx(posts, at + 1, one);
    return true;
}

static bool
double_post(json_object *posts)
{
    if (!world_strikes(FAULT_TWICE)) {
        return false;
    }
    size_t at =
        world_dice(FAULT_TWICE, (unsigned)json_object_array_length(posts));
    (void)json_object_array_add(
        posts, json_object_get(json_object_array_get_idx(posts, at)));
    return true;
}

static bool
disarrange_list(json_object *posts)
{
    bool swapped = posts != NULL && swap_posts(posts);
    bool doubled = posts != NULL && double_post(posts);
    return swapped || doubled;
}

/* ---- a homeserver ---------------------------------------------------------
 */

/* An event that a sync has brought: it comes again in the next sync of its
 * room, or in what is asked for because the sync has left events out. */
static struct {
    char room[64];
    json_object *event; /* NULL: none */
} brought;

/* Put it before, or behind, the events of its room. */
static bool
bring_again(json_object *events, bool before)
{
    size_t count = json_object_array_length(events);
    if (brought.event == NULL || !world_strikes(FAULT_TWICE)) {
        return false;
    }
    world_tell("--- %s comes once more",
               jdoc_string(brought.event, "event_id"));
    (void)json_object_array_add(events, json_object_get(brought.event));
    for (size_t i = count; before && i > 0; i--) {
        (void)json_object_array_put_idx(
            events, i,
            json_object_get(json_object_array_get_idx(events, i - 1)));
    }
    if (before) {
        (void)json_object_array_put_idx(events, 0,
                                        json_object_get(brought.event));
    }
    return true;
}

/* Is an address one of something in the room of that event? */
static bool
is_in_its_room(const char *url)
{
    char part[96];
    size_t len = strcspn(brought.room, ":");
    if (len == 0 || brought.room[len] == '\0') {
        return false;
    }
    (void)snprintf(part, sizeof part, "/rooms/%%21%.*s%%3A%s/", (int)len - 1,
                   brought.room + 1, brought.room + len + 1);
    return strstr(url, part) != NULL;
}

static void
note_brought(const char *room, json_object *events)
{
    size_t at = 0;
    size_t count = json_object_array_length(events);
    while (at < count && !is_post(json_object_array_get_idx(events, at))) {
        at++;
    }
    if (at == count) {
        return;
    }
    json_object_put(brought.event);
    brought.event = json_object_get(json_object_array_get_idx(events, at));
    (void)snprintf(brought.room, sizeof brought.room, "%s", room);
}

static bool
disarrange_sync(json_object *rooms)
{
    bool changed = false;
    if (!json_object_is_type(rooms, json_type_object)) {
        return false;
    }
    json_object_object_foreach(rooms, room, part)
    {
        json_object *events = jdoc_get(jdoc_get(part, "timeline"), "events");
        if (has_posts(events)) {
            bool again =
                strcmp(brought.room, room) == 0 && bring_again(events, true);
            note_brought(room, events);
            changed = disarrange_list(events) || again || changed;
        }
    }
    return changed;
}

/* ---- a board --------------------------------------------------------------
 */

/* A page in pieces: what is before its posts, each of them, what is behind. */
struct pieces {
    const char *begin[PAGE_POSTS_MAX + 1]; /* of posts, and of what is behind */
    unsigned order[PAGE_POSTS_MAX + 1];
    unsigned count, shown;
};

static const char *
find_post(const char *page)
{
    static const char begin[] = "<div id=\"p";
    do {
        page = strstr(page, begin);
        page = page == NULL ? NULL : page + strlen(begin);
    } while (page != NULL && (*page < '0' || *page > '9'));
    return page == NULL ? NULL : page - strlen(begin);
}

static bool
take_apart(const char *page, struct pieces *pieces)
{
    const char *end = strstr(page, "</div><div id=\"page-footer\">");
    const char *at = find_post(page);
    for (; at != NULL && pieces->count < PAGE_POSTS_MAX;
         at = find_post(at + 1)) {
        pieces->order[pieces->count] = pieces->count;
        pieces->begin[pieces->count++] = at;
    }
    pieces->begin[pieces->count] = end;
    pieces->shown = pieces->count;
    return end != NULL && at == NULL && pieces->count > 0;
}

static bool
disarrange_board(struct buf *body)
{
    struct pieces pieces = {.count = 0};
    struct buf page = BUF_INIT;
    if (!take_apart(buf_text(body), &pieces)) {
        return false;
    }
    bool swapped = pieces.count > 1 && world_strikes(FAULT_DISORDER);
    bool doubled = world_strikes(FAULT_TWICE);
    if (swapped) {
        unsigned at = world_dice(FAULT_DISORDER, pieces.count - 1);
        pieces.order[at]++;
        pieces.order[at + 1]--;
    }
    if (doubled) {
        pieces.order[pieces.shown++] = world_dice(FAULT_TWICE, pieces.count);
    }
    buf_add(&page, buf_text(body), (size_t)(pieces.begin[0] - buf_text(body)));
    for (unsigned i = 0; i < pieces.shown; i++) {
        const char *begin = pieces.begin[pieces.order[i]];
        buf_add(&page, begin,
                (size_t)(pieces.begin[pieces.order[i] + 1] - begin));
    }
    buf_add_text(&page, pieces.begin[pieces.count]);
    buf_clear(body);
    buf_add_buf(body, &page);
    buf_release(&page);
    return swapped || doubled;
}

/* ---- replies --------------------------------------------------------------
 */

static bool
disarrange_json(const char *url, struct buf *body)
{
    json_object *value = json_tokener_parse(buf_text(body));
    json_object *rooms = jdoc_get(jdoc_get(value, "rooms"), "join");
    json_object *posts = find_posts(value);
    bool gap =
        posts != NULL && is_in_its_room(url) && strstr(url, "&dir=f") != NULL;
    bool changed = gap && bring_again(posts, false);
    changed = disarrange_sync(rooms) || changed;
    changed = disarrange_list(posts) || changed;
    if (changed) {
        buf_clear(body);
        buf_add_text(body, json_object_to_json_string(value));
    }
    json_object_put(value);
    return changed;
}

static bool
may_strike(void)
{
    const unsigned *one_in = world.plan->one_in;
    return one_in[FAULT_TWICE] + one_in[FAULT_DISORDER] > 0;
}

void
fault_pages_begin(void)
{
    if (may_strike() && strcmp(world.people.service->adapter, "matrix") == 0) {
        homeserver_shorten(world.people.server, SHORT_SYNC);
    }
}

void
fault_pages_disarrange(const struct request *request, struct buf *body,
                       struct reply *reply)
{
    const char *url = buf_text(&request->url);
    if (!world.spoiled || !may_strike() ||
        strcmp(request->method, "GET") != 0) {
        return;
    }
    bool changed = strstr(url, "/viewtopic.php") != NULL
                       ? disarrange_board(body)
                       : disarrange_json(url, body);
    if (changed) {
        reply->body = buf_text(body);
        reply->len = body->len;
    }
}
