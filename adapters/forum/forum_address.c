/*
 * Addresses that name a post by its place in a topic, as address bars do: 107
 * in "/topic/3/slug/107".  That changes as posts go, and is no id; so where a
 * command holds one the post is looked up, and its own address put there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    ADDRESSES_MAX = 4 /* looked up in one reading */
};

struct address {
    struct post *post;
    size_t from, len; /* in its body */
    char topic[FORUM_ID_MAX + 1];
    int64_t position;
};

#define SLUG   "%*[^/?#<>\"' \t\n]"
#define NUMBER "%18[0-9]"

/* Read one whose path begins there, behind its first word: "3/slug/107",
 * "slug/3/107", "3/107"; false: it is none. */
static bool
read_address(const char *at, struct address *address)
{
    char *topic = address->topic;
    char number[FORUM_ID_MAX + 1];
    int len;

    if (sscanf(at, NUMBER "/" SLUG "/" NUMBER "%n", topic, number, &len) < 2 &&
        sscanf(at, SLUG "/" NUMBER "/" NUMBER "%n", topic, number, &len) < 2 &&
        sscanf(at, NUMBER "/" NUMBER "%n", topic, number, &len) < 2) {
        return false;
    }
    address->len = (size_t)len;
    address->position = strtoll(number, NULL, 10);
    return true;
}

/* One in a link stands for all of that, whose words may be the topic's
 * title. */
static void
take_link(const char *body, struct address *address)
{
    static const char end[] = "</a>";
    size_t from = address->from;

    while (from > 0 && body[from] != '<' && body[from] != '>') {
        from--;
    }
    const char *close = strstr(body + address->from, end);

    if (strncmp(body + from, "<a ", 3) == 0 && close != NULL) {
        address->from = from;
        address->len = (size_t)(close - body) + sizeof(end) - 1 - from;
    }
}

/* The first one in a command: in other posts nobody follows it. */
static bool
find_address(const struct forum *forum, const struct page *page,
             struct address *address)
{
    size_t before = strlen(forum->address.topic);

    for (size_t i = 0; i < page->count; i++) {
        const char *body = page->posts[i].body;
        bool command =
            !page->posts[i].own && body != NULL && strchr(body, '!') != NULL;

        address->post = &page->posts[i];
        for (const char *at = command ? strstr(body, forum->address.topic)
                                      : NULL;
             at != NULL; at = strstr(at + before, forum->address.topic)) {
            if (read_address(at + before, address)) {
                address->from = (size_t)(at - body);
                address->len += before;
                take_link(body, address);
                return true;
            }
        }
    }
    return false;
}

static void
put_post(const struct forum *forum, const struct address *address,
         const char *id)
{
    struct post *post = address->post;
    struct buf body = BUF_INIT;

    buf_add(&body, post->body, address->from);
    buf_addf(&body, "%s%s", forum->address.post, id);
    buf_add_text(&body, post->body + address->from + address->len);
    free(post->body);
    post->body_len = body.len;
    post->body = buf_take(&body);
}

static enum advance replace(struct exchange *exchange, const char *id);

/* The post that stands at the position that was asked for. */
static enum advance
parse_position(struct exchange *exchange)
{
    const struct forum_shape *shape = &forum_of(exchange)->shape.post;
    int64_t position = forum_job(exchange)->lookup.position - 1 + shape->first;
    struct forum_item post;
    json_object *posts = forum_list(exchange, forum_of(exchange)->path.posts);
    const char *id = NULL;

    for (size_t i = 0; id == NULL && forum_read_nth(shape, posts, i, &post);
         i++) {
        id = post.position == position && post.number != 0 ? post.id : NULL;
    }
    return replace(exchange, id);
}

/* `id`: of the last one that was asked for; NULL: none, or nobody sees it. */
static enum advance
replace(struct exchange *exchange, const char *id)
{
    const struct forum *forum = forum_of(exchange);
    struct forum_lookup *lookup = &forum_job(exchange)->lookup;
    struct address address;

    while (find_address(forum, &exchange->out->page, &address)) {
        bool known = lookup->count > 0 &&
                     address.position == lookup->position &&
                     strcmp(address.topic, lookup->topic) == 0;

        if (!known && lookup->count < ADDRESSES_MAX) {
            lookup->count++;
            lookup->position = address.position;
            memcpy(lookup->topic, address.topic, sizeof(lookup->topic));
            return forum_ask_for(
                exchange, &forum->ask.position,
                (struct forum_values){.topic = lookup->topic,
                                      .number = address.position},
                parse_position);
        }
        /* Nobody has the number 0: no other post is taken for that one. */
        put_post(forum, &address, known && id != NULL ? id : "0");
    }
    return ADVANCE_DONE;
}

enum advance
forum_look_up(struct exchange *exchange)
{
    return replace(exchange, NULL);
}
