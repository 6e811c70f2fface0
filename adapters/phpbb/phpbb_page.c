#include "adapters/phpbb/phpbb_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/markup/html/html_mention.h"
#include "bot/base/civil.h"

enum {
    DIGITS_MAX = 18,
    SECONDS_MAX = 12 /* digits of a time */
};

/* ---- parts of a page ----------------------------------------------------- */

long long
page_forum(struct html_span page)
{
    struct html_span crumbs;
    struct html_tag tag;
    struct buf href = BUF_INIT;
    long long forum = 0;

    if (!page_find(page, "li", "breadcrumbs", &crumbs)) {
        return 0;
    }
    while (page_next_tag(&crumbs, &tag)) {
        if (!tag.closing && page_attribute(&tag, "href", &href) &&
            strstr(buf_text(&href), "viewforum.php") != NULL) {
            forum = page_number(buf_text(&href), "f=");
        }
    }
    buf_release(&href);
    return forum;
}

bool
page_find_message(struct html_span page, struct html_span *content)
{
    struct html_tag tag;
    bool found = false;

    if (!page_next_id(&page, "message", &tag)) {
        return false;
    }
    /* Behind its title, "Information". */
    struct html_span panel = page_content(&tag, page);

    while (!found && page_next_tag(&panel, &tag)) {
        found = !tag.closing && html_is(tag.name, "p");
    }
    *content = panel;
    return found;
}

struct html_span
page_head(struct html_span page)
{
    struct html_span rest = page;
    struct html_tag tag;

    if (page_next_id(&rest, "page-body", &tag)) {
        page.len = (size_t)(rest.text - page.text);
    }
    return page;
}

struct html_span
page_body(struct html_span page)
{
    size_t head = page_head(page).len;

    if (head < page.len) {
        page.text += head;
        page.len -= head;
    }
    return page;
}

/* ---- posts --------------------------------------------------------------- */

void
page_post_release(struct page_post *post)
{
    buf_release(&post->name);
    buf_release(&post->time);
    *post = (struct page_post){.id = 0};
}

/* Is it a name?  That of a guest, or of somebody who is gone, is no link. */
static bool
is_name(const struct html_tag *tag)
{
    return (html_is(tag->name, "a") || html_is(tag->name, "span")) &&
           (page_has_class(tag, "username") ||
            page_has_class(tag, "username-coloured"));
}

static void
cut_blanks(struct html_span *rest)
{
    while (rest->len > 0 && html_is_space(*rest->text)) {
        page_cut(rest, 1);
    }
}

/* Take the tag that a stretch begins with; false: it begins with none of that
 * name. */
static bool
begins_with(struct html_span *rest, const char *name, struct html_tag *tag)
{
    cut_blanks(rest);
    return rest->len > 0 && *rest->text == '<' && page_next_tag(rest, tag) &&
           !tag->closing && html_is(tag->name, name);
}

/* Does the notice below a post tell of an edit?  That of a post that was pushed
 * up begins with empty lines, that of a deleted one has a class. */
static bool
tells_of_edit(const struct html_tag *notice, struct html_span rest)
{
    struct html_span content = page_content(notice, rest);
    struct html_tag tag;

    return !page_has_class(notice, "post_deleted_msg") &&
           !begins_with(&content, "br", &tag);
}

/* How many people, and groups, are named there. */
static unsigned
count_names(struct html_span rest)
{
    struct html_tag tag;
    unsigned count = 0;

    while (page_next_tag(&rest, &tag)) {
        count += !tag.closing && (html_is(tag.name, "a") || is_name(&tag));
    }
    return count;
}

/* What stands in the element of one post: first who wrote it. */
static void
read_element(struct html_span inner, struct page_post *post)
{
    struct buf value = BUF_INIT;
    struct html_tag tag;
    bool content = false;
    bool named = false;

    while (page_next_tag(&inner, &tag)) {
        if (tag.closing) {
            continue;
        }
        if (!named && is_name(&tag)) {
            named = true;
            (void)page_attribute(&tag, "href", &value);
            post->author = page_number(buf_text(&value), "u=");
            page_add_text(page_content(&tag, inner), &post->name);
        } else if (html_is(tag.name, "time") && post->time.len == 0) {
            (void)page_attribute(&tag, "datetime", &post->time);
        } else if (html_is(tag.name, "p") && !content &&
                   page_has_class(&tag, "unapproved")) {
            post->pending = true;
        } else if (html_is(tag.name, "p") && !content &&
                   page_has_class(&tag, "author")) {
            post->people = count_names(page_content(&tag, inner));
        } else if (html_is(tag.name, "div") && !content &&
                   page_has_class(&tag, "content")) {
            post->content = page_content(&tag, inner);
            content = true;
            /* Nothing in it is the forum's own. */
            page_cut(&inner, post->content.len);
        } else if (html_is(tag.name, "div") && content &&
                   page_has_class(&tag, "notice")) {
            post->edited = post->edited || tells_of_edit(&tag, inner);
        }
    }
    buf_release(&value);
}

bool
page_next_post(struct html_span *rest, struct page_post *post)
{
    struct buf id = BUF_INIT;
    struct html_tag tag;
    bool found = false;

    *post = (struct page_post){.id = 0};
    while (!found && page_next_tag(rest, &tag)) {
        if (tag.closing || !html_is(tag.name, "div") ||
            !page_has_class(&tag, "post")) {
            continue;
        }
        /* A private message has no number there. */
        if (page_attribute(&tag, "id", &id) && id.len <= DIGITS_MAX &&
            buf_text(&id)[0] == 'p') {
            post->id = strtoll(buf_text(&id) + 1, NULL, 10);
        }
        post->deleted = page_has_class(&tag, "deleted");
        struct html_span inner = page_content(&tag, *rest);

        read_element(inner, post);
        page_cut(rest, inner.len);
        found = true;
    }
    buf_release(&id);
    return found;
}

/* What is behind the value that a text begins with. */
static const char *
behind_value(const char *at)
{
    char mark = *at;

    if (mark != '"' && mark != '\'') {
        return at + strcspn(at, " ]");
    }
    for (at++; *at != '\0' && *at != mark; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        }
    }
    return *at == '\0' ? at : at + 1;
}

bool
page_quote_time(const char *text, int64_t *time)
{
    static const char opening[] = "[quote=";
    static const char field[] = " time=";

    if (strncmp(text, opening, sizeof(opening) - 1) != 0) {
        return false;
    }
    const char *at = behind_value(text + sizeof(opening) - 1);

    while (*at == ' ') {
        const char *value = at + strcspn(at, "=]");
        size_t digits;

        if (*value != '=') {
            return false;
        }
        digits = strspn(++value, "0123456789");
        if (strncmp(at, field, sizeof(field) - 1) == 0) {
            *time = strtoll(value, NULL, 10) * SECOND_MS;
            return digits > 0 && digits <= SECONDS_MAX;
        }
        at = behind_value(value);
    }
    return false;
}

long long
page_total(struct html_span page)
{
    struct html_span rest;
    struct html_tag tag;
    struct buf text = BUF_INIT;
    long long total = -1;

    if (page_find(page, "div", "pagination", &rest)) {
        struct html_span link = rest;

        if (begins_with(&link, "a", &tag)) {
            page_cut(&link, page_content(&tag, link).len);
            rest = link;
        }
        page_add_text(rest, &text);
        const char *number =
            buf_text(&text) + strcspn(buf_text(&text), "0123456789");
        size_t digits = strspn(number, "0123456789");

        if (digits > 0 && digits <= DIGITS_MAX) {
            total = strtoll(number, NULL, 10);
        }
    }
    buf_release(&text);
    return total;
}
