#include "tests/sim/fault_pages.h"

#include <string.h>

#include <json-c/json.h>

#include "bot/base/json.h"
#include "tests/sim/fault_world.h"

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

static bool
swap_posts(json_object *posts)
{
    size_t count = json_object_array_length(posts);
    if (count < 2 || !world_strikes(FAULT_DISORDER)) {
        return false;
    }
    size_t at = world_dice(FAULT_DISORDER, (unsigned)count - 1);
    json_object *one = json_object_get(json_object_array_get_idx(posts, at));
    json_object *other =
        json_object_get(json_object_array_get_idx(posts, at + 1));
    (void)json_object_array_put_idx(posts, at, other);
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

void
fault_pages_disarrange(const struct request *request, struct buf *body,
                       struct reply *reply)
{
    const unsigned *one_in = world.plan->one_in;
    bool strikes = one_in[FAULT_TWICE] + one_in[FAULT_DISORDER] > 0;
    if (!world.spoiled || !strikes || strcmp(request->method, "GET") != 0) {
        return;
    }
    json_object *value = json_tokener_parse(buf_text(body));
    json_object *posts = find_posts(value);
    bool swapped = posts != NULL && swap_posts(posts);
    bool doubled = posts != NULL && double_post(posts);
    if (swapped || doubled) {
        buf_clear(body);
        buf_add_text(body, json_object_to_json_string(value));
        reply->body = buf_text(body);
        reply->len = body->len;
    }
    json_object_put(value);
}
