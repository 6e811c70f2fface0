/*
 * Pages of HTML, made what replies in JSON are: an object with the parts that
 * the description names.  So shapes and paths lead to them.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"

/* The value of an attribute, or the text of the element; a link that it begins
 * with has no number of its own. */
static void
add_words(const struct forum_part *part, const struct page_element *found,
          struct buf *words)
{
    struct page_element link;

    if (part->attribute != NULL) {
        (void)page_attribute(&found->tag, part->attribute, words);
        return;
    }
    struct html_span rest = page_content(&found->tag, found->rest);

    while (rest.len > 0 && html_is_space(*rest.text)) {
        page_cut(&rest, 1);
    }
    if (part->take == FORUM_NUMBER && rest.len > 0 && *rest.text == '<' &&
        page_find(rest, ">a", PAGE_FIRST, &link) > 0) {
        page_pass(&rest, page_content(&link.tag, link.rest));
    }
    page_add_text(rest, words);
}

/* NULL: there are none. */
static json_object *
words_of(const struct forum_part *part, const char *words)
{
    const char *at = part->before == NULL ? words : strstr(words, part->before);

    if (at == NULL || *at == '\0') {
        return NULL;
    }
    at += part->before == NULL ? 0 : strlen(part->before);
    return json_object_new_string_len(
        at, (int)(part->before == NULL ? strlen(at) : strcspn(at, "&;#")));
}

/* A link that leads to nobody is a guest's; a text without a number has none.
 */
static json_object *
number_of(const struct forum_part *part, const char *words)
{
    int64_t number = 0;
    bool has = page_number(words, part->before, &number);

    return has || part->attribute != NULL ? json_object_new_int64(number)
                                          : NULL;
}

static json_object *
value_of(const struct forum_part *part, const struct page_element *found,
         unsigned count)
{
    struct buf words = BUF_INIT;
    json_object *value = NULL;

    switch (part->take) {
    case FORUM_THERE:
        return json_object_new_boolean(true);
    case FORUM_COUNT:
        return json_object_new_int64(count);
    case FORUM_BODY:
    case FORUM_LOCATION:
        break;
    case FORUM_WORDS:
    case FORUM_NUMBER:
        add_words(part, found, &words);
        value = part->take == FORUM_WORDS ? words_of(part, buf_text(&words))
                                          : number_of(part, buf_text(&words));
        break;
    }
    buf_wipe(&words);
    return value;
}

/* Take the body out of an item: nothing in it is the forum's own.  Returns what
 * is behind it. */
static struct html_span
take_body(json_object *item, const struct forum_part *parts,
          struct html_span *before)
{
    struct html_span behind = {before->text + before->len, 0};
    struct page_element found;

    for (; parts->key != NULL; parts++) {
        if (parts->take == FORUM_BODY &&
            page_find(*before, parts->at, PAGE_FIRST, &found) > 0) {
            struct html_span body = page_content(&found.tag, found.rest);

            json_object_object_add(
                item, parts->key,
                json_object_new_string_len(body.text, (int)body.len));
            behind = found.rest;
            page_pass(&behind, body);
            before->len = (size_t)(body.text - before->text);
        }
    }
    return behind;
}

/* The parts of a page, or of an item, that were found. */
struct parts {
    const struct forum_part *list;
    json_object *into;
    bool found[FORUM_PARTS_MAX];
    unsigned tries[FORUM_PARTS_MAX];
};

/* Put one in, unless an earlier row has found the same. */
static void
add_part(struct parts *parts, size_t nth, const struct page_element *found,
         unsigned count)
{
    const struct forum_part *part = &parts->list[nth];
    json_object *value = value_of(part, found, count);

    parts->found[nth] = value != NULL && *part->at != '$';
    for (size_t i = 0; value != NULL && i < nth; i++) {
        if (parts->found[i] && strcmp(parts->list[i].key, part->key) == 0) {
            json_object_put(value);
            return;
        }
    }
    if (value != NULL) {
        json_object_object_add(parts->into, part->key, value);
    }
}

/* Look at a tag, and what is behind it, for a part that was not found yet. */
static void
try_part(struct parts *parts, size_t nth, const struct html_tag *tag,
         struct html_span rest)
{
    const struct forum_part *part = &parts->list[nth];
    bool last = *part->at == '$';
    const char *at = part->at + (last ? 1 : 0);
    struct page_element found;

    if (parts->found[nth] || *at == '&' || *at == '\0' ||
        parts->tries[nth] == PAGE_TRIES_MAX || !page_is(tag, at)) {
        return;
    }
    /* What is read to its end is not read too often. */
    parts->tries[nth] += part->attribute == NULL || strchr(at, ' ') != NULL;
    unsigned count = page_find_at(
        tag, rest, at,
        last || part->take == FORUM_COUNT ? PAGE_LAST : PAGE_FIRST, &found);

    if (count > 0) {
        add_part(parts, nth, &found, count);
    }
}

static void
add_parts(struct parts *parts, struct html_span rest)
{
    struct html_tag tag;

    while (page_next_tag(&rest, &tag)) {
        for (size_t i = 0; parts->list[i].key != NULL; i++) {
            try_part(parts, i, &tag, rest);
        }
    }
}

static json_object *
read_item(const struct forum_part *list, const struct html_tag *own,
          struct html_span inner)
{
    struct parts parts = {.list = list, .into = json_object_new_object()};
    struct page_element self = {*own, inner};
    struct html_span behind = take_body(parts.into, list, &inner);

    for (size_t i = 0; list[i].key != NULL; i++) {
        if (*list[i].at == '&' && page_is(own, list[i].at + 1)) {
            add_part(&parts, i, &self, 1);
        }
    }
    add_parts(&parts, inner);
    add_parts(&parts, behind);
    return parts.into;
}

/* NULL: it is not on the page. */
static json_object *
read_list(const struct forum_list *pages, struct html_span rest)
{
    struct page_element before = {.rest = rest};
    struct html_tag tag;
    struct html_span inner;

    if (pages->after != NULL &&
        page_find(rest, pages->after, PAGE_FIRST, &before) == 0) {
        return NULL;
    }
    json_object *list = json_object_new_array();

    while (json_object_array_length(list) < FORUM_LIST_MAX &&
           page_next(&before.rest, pages->at, &tag, &inner)) {
        json_object_array_add(list, read_item(pages->parts, &tag, inner));
    }
    return list;
}

/* Where the forum leads to after something was sent. */
static void
add_location(const struct forum_part *part, const struct reply *reply,
             json_object *into)
{
    struct buf location = BUF_INIT;
    int64_t number;

    if (reply->status / 100 != 3 ||
        !reply_header(reply, "location", &location)) {
        return;
    }
    for (; part->key != NULL; part++) {
        if (part->take == FORUM_LOCATION &&
            page_number(buf_text(&location), part->before, &number)) {
            json_object_object_add(into, part->key,
                                   json_object_new_int64(number));
        }
    }
    buf_release(&location);
}

json_object *
forum_read_page(const struct forum *forum, const struct reply *reply)
{
    struct html_span page = {reply->body, reply->len};
    json_object *object = json_object_new_object();
    struct parts parts = {.list = forum->parts, .into = object};

    add_parts(&parts, page);
    for (const struct forum_list *list = forum->lists; list->key != NULL;
         list++) {
        json_object *items = read_list(list, page);

        if (items != NULL) {
            json_object_object_add(object, list->key, items);
        }
    }
    add_location(forum->parts, reply, object);
    return object;
}
