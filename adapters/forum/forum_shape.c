/*
 * Replies, read by shapes.  A value that is not of the expected type is none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/json.h"

enum {
    KEY_MAX = 63 /* bytes of a part of a path */
};

/* ---- paths --------------------------------------------------------------- */

/* The object that has the path's last member, and its key. */
static json_object *
parent_of(json_object *from, const char *path, const char **key)
{
    char part[KEY_MAX + 1];

    for (const char *dot = strchr(path, '.'); dot != NULL;
         dot = strchr(path, '.')) {
        (void)snprintf(part, sizeof(part), "%.*s", (int)(dot - path), path);
        from = jdoc_get(from, part);
        path = dot + 1;
    }
    *key = path;
    return from;
}

json_object *
forum_get(json_object *from, const char *path)
{
    if (path == NULL || *path == '\0') {
        return path == NULL ? NULL : from;
    }
    json_object *parent = parent_of(from, path, &path);

    return jdoc_get(parent, path);
}

const char *
forum_text(json_object *from, const char *path)
{
    if (path == NULL) {
        return NULL;
    }
    json_object *parent = parent_of(from, path, &path);

    return jdoc_string(parent, path);
}

bool
forum_number(json_object *from, const char *path, int64_t *number)
{
    if (path == NULL) {
        return false;
    }
    json_object *parent = parent_of(from, path, &path);

    return jdoc_integer(parent, path, number);
}

/* Some versions write 1 and 0. */
bool
forum_flag(json_object *from, const char *path)
{
    bool value = false;
    int64_t number = 0;

    if (path == NULL) {
        return false;
    }
    json_object *parent = parent_of(from, path, &path);

    return (jdoc_bool(parent, path, &value) && value) ||
           (jdoc_integer(parent, path, &number) && number != 0);
}

bool
forum_id(json_object *from, const char *path, char id[FORUM_ID_MAX + 1])
{
    const char *text = forum_text(from, path);
    int64_t number = 0;

    id[0] = '\0';
    if (text != NULL && forum_is_number(text)) {
        (void)snprintf(id, FORUM_ID_MAX + 1, "%s", text);
    } else if (forum_number(from, path, &number) && number > 0) {
        (void)snprintf(id, FORUM_ID_MAX + 1, "%lld", (long long)number);
    }
    return id[0] != '\0';
}

/* ---- replies ------------------------------------------------------------- */

bool
forum_is_guest(const struct exchange *exchange)
{
    json_object *known =
        forum_get(exchange->value, forum_of(exchange)->path.known);

    return json_object_is_type(known, json_type_boolean) &&
           !json_object_get_boolean(known);
}

json_object *
forum_list(const struct exchange *exchange, const char *path)
{
    json_object *list = forum_get(exchange->value, path);

    return is_success(exchange) && !forum_is_guest(exchange) &&
                   json_object_is_type(list, json_type_array) &&
                   json_object_array_length(list) <= FORUM_LIST_MAX
               ? list
               : NULL;
}

/* ---- items --------------------------------------------------------------- */

/* Does an object lack a member, and not only what is in that? */
static bool
lacks(json_object *from, const char *path)
{
    const char *key = path;
    json_object *parent = path == NULL ? NULL : parent_of(from, path, &key);

    return parent == NULL || (parent == from && jdoc_get(from, key) == NULL);
}

/* 0: there is none; -1: it is no time. */
static int64_t
read_time(const struct forum_shape *shape, json_object *from, const char *path)
{
    int64_t time = -1;
    const char *text = forum_text(from, path);

    if (lacks(from, path)) {
        return 0;
    }
    switch (shape->time) {
    case FORUM_MILLISECONDS:
        return forum_number(from, path, &time) && time >= 0 &&
                       time <= EXCHANGE_TIME_MAX
                   ? time
                   : -1;
    case FORUM_TIMESTAMP:
        break;
    }
    return text != NULL && timestamp_read(text, &time) ? time : -1;
}

/* A number that some versions write as text; of a guest, or of somebody at
 * another server, it is another text, or 0. */
static void
read_author(const struct forum_shape *shape, json_object *from,
            struct forum_item *item)
{
    const char *text = forum_text(from, shape->member);

    item->authored =
        text != NULL || forum_number(from, shape->member, &item->member);
    if (text != NULL) {
        item->member = forum_is_number(text) ? strtoll(text, NULL, 10) : 0;
    }
}

void
forum_read_item(const struct forum_shape *shape, json_object *from,
                struct forum_item *item)
{
    const char *address = forum_text(from, shape->id);

    *item = (struct forum_item){.from = from, .count = -1, .position = -1};
    item->elsewhere = address != NULL && strstr(address, "://") != NULL;
    if (forum_id(from, shape->id, item->id)) {
        item->number = strtoll(item->id, NULL, 10);
    }
    read_author(shape, from, item);
    item->name = forum_text(from, shape->name);
    item->slug = forum_text(from, shape->slug);
    item->body = forum_text(from, shape->body);
    item->stamp = read_time(shape, from, shape->stamp);
    int64_t edited = read_time(shape, from, shape->edited);

    item->edited = edited > 0 ? edited : 0;
    if (shape->time == FORUM_TIMESTAMP && forum_flag(from, shape->edited)) {
        item->edited = -1;
    }
    (void)forum_id(from, shape->answers, item->answers);
    (void)forum_number(from, shape->count, &item->count);
    (void)forum_number(from, shape->last, &item->last);
    item->pending = forum_flag(from, shape->pending);
    (void)forum_number(from, shape->position, &item->position);
    item->deleted = forum_flag(from, shape->deleted);
    item->machine = forum_flag(from, shape->machine);
    if (shape->finish != NULL) {
        shape->finish(item);
    }
}

/* The id of the post with a place that came with it. */
static void
find_answered(const struct forum_shape *shape, json_object *list,
              struct forum_item *item)
{
    int64_t answered = 0;
    int64_t position;

    if (!forum_number(item->from, shape->answered, &answered)) {
        return;
    }
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *post = json_object_array_get_idx(list, i);

        if (forum_number(post, shape->position, &position) &&
            position == answered) {
            (void)forum_id(post, shape->id, item->answers);
        }
    }
}

bool
forum_read_nth(const struct forum_shape *shape, json_object *list, size_t nth,
               struct forum_item *item)
{
    if (list == NULL || nth >= json_object_array_length(list)) {
        return false;
    }
    forum_read_item(shape, json_object_array_get_idx(list, nth), item);
    find_answered(shape, list, item);
    return true;
}

bool
forum_read_reply(const struct exchange *exchange, struct forum_item *topic)
{
    const struct forum *forum = forum_of(exchange);
    json_object *from = forum_get(exchange->value, forum->path.topic);

    forum_read_item(&forum->shape.topic, from, topic);
    return is_success(exchange) && json_object_is_type(from, json_type_object);
}

json_object *
forum_posts(const struct exchange *exchange, int64_t *pages)
{
    const struct forum *forum = forum_of(exchange);

    return forum_number(exchange->value, forum->path.pages, pages) &&
                   *pages >= 0 && *pages < INT32_MAX
               ? forum_list(exchange, forum->path.posts)
               : NULL;
}

/* ---- posts --------------------------------------------------------------- */

/* A guest, or somebody whose account was deleted, has only a number. */
char *
forum_author(const struct forum *forum, const struct forum_item *item)
{
    char *id = forum->members > 0 ? NULL : forum_user(item->slug);
    struct buf number = BUF_INIT;

    if (id != NULL) {
        return id;
    }
    buf_addf(&number, "%s%lld",
             forum->members > 0 ? "" : "uid:", (long long)item->member);
    return buf_take(&number);
}

bool
forum_is_own(const struct exchange *exchange, const struct forum_item *item)
{
    char *author = forum_author(forum_of(exchange), item);
    bool own = forum_of(exchange)->members > 0
                   ? strcmp(author, exchange->service->self) == 0
                   : forum_is_self(exchange, item->member, item->slug);

    free(author);
    return own;
}

bool
forum_is_mine(struct exchange *exchange, const struct forum_item *item,
              const char *id)
{
    struct buf text = BUF_INIT;

    if (item->body == NULL || !forum_is_own(exchange, item)) {
        return false;
    }
    if (forum_of(exchange)->login != NULL) {
        page_add_text((struct html_span){item->body, strlen(item->body)},
                      &text);
    }
    bool mine = forum_is_marked(
        exchange, text.len > 0 ? buf_text(&text) : item->body, id);

    buf_release(&text);
    return mine;
}

/* Does it say enough of who wrote it? */
static bool
has_author(const struct forum *forum, const struct forum_item *item)
{
    return forum->members > 0 || (item->authored && item->slug != NULL);
}

bool
forum_add_item(struct exchange *exchange, const struct forum_item *item,
               const char *number, bool dm, bool company)
{
    const struct forum *forum = forum_of(exchange);
    int64_t members = forum->members > 0 ? forum->members : 1;

    if (item->number == 0 || item->stamp <= 0 || !has_author(forum, item) ||
        (item->body == NULL && !item->deleted && forum->login == NULL)) {
        return false;
    }
    struct post *post = forum_add_post(&exchange->out->page, number, dm);

    post->kind = item->deleted      ? POST_DELETED
                 : item->left && dm ? POST_LEFT
                                    : POST_WRITTEN;
    post->dialect = item->as_typed ? &dialect_board : post->dialect;
    post->pending = item->pending;
    post->id = must_copy(item->id);
    post->author = forum_author(forum, item);
    post->author_name = must_copy(item->name == NULL ? "" : item->name);
    post->body =
        must_copy(item->deleted || item->body == NULL ? "" : item->body);
    post->body_len = strlen(post->body);
    post->reply_to = must_copy(item->answers);
    post->stamp = item->stamp;
    post->edited = item->edited;
    post->company = company;
    post->own = forum_is_own(exchange, item);
    post->machine = item->machine || item->member < members;
    post->member = forum->members == 0 && item->member > 0 ? item->member : 0;
    return true;
}

/* One of them may be older where it was moved into the topic. */
bool
forum_look_through(struct exchange *exchange, const struct forum_shape *shape,
                   json_object *posts)
{
    struct forum_item post;
    bool goes_on = false;

    for (size_t i = 0; forum_read_nth(shape, posts, i, &post); i++) {
        if (post.number != 0 &&
            forum_is_mine(exchange, &post, post.pending ? "" : post.id)) {
            answer_id(exchange, post.id);
            exchange->out->unapproved = post.pending;
        }
        goes_on = goes_on || post.stamp <= 0 ||
                  post.stamp + FORUM_FIND_SLACK_MS >= exchange_since(exchange);
    }
    return goes_on;
}
