#include "adapters/phpbb/phpbb_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/markup/html/html_mention.h"
#include "bot/base/civil.h"

enum {
    DIGITS_MAX = 18,
    SECONDS_MAX = 12, /* digits of a time */
    FORMS_MAX = 16    /* of a page: each is read to its end */
};

/* ---- tags ---------------------------------------------------------------- */

static void
cut(struct html_span *rest, size_t len)
{
    rest->text += len;
    rest->len -= len;
}

/* In these elements no tag is one but their own closing one. */
static bool
is_raw(struct html_span name)
{
    static const char *const names[] = {"script", "style", "textarea", "title"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (html_is(name, names[i])) {
            return true;
        }
    }
    return false;
}

/* `raw`: what stands in an element without tags. */
static bool
next_tag(struct html_span *rest, struct html_tag *tag, struct html_span *raw)
{
    while (rest->len > 0) {
        const char *at = memchr(rest->text, '<', rest->len);

        cut(rest, at == NULL ? rest->len : (size_t)(at - rest->text));
        size_t comment = html_comment_len(rest->text, rest->len);

        if (comment > 0) {
            cut(rest, comment);
        } else if (rest->len > 0 && html_read_tag(rest->text, rest->len, tag)) {
            cut(rest, tag->len);
            *raw = *rest;
            raw->len = !tag->closing && is_raw(tag->name)
                           ? html_raw_len(rest->text, rest->len, tag->name)
                           : 0;
            cut(rest, raw->len);
            return true;
        } else if (rest->len > 0) {
            cut(rest, 1);
        }
    }
    return false;
}

bool
page_next_tag(struct html_span *rest, struct html_tag *tag)
{
    struct html_span raw;

    return next_tag(rest, tag, &raw);
}

bool
page_attribute(const struct html_tag *tag, const char *name, struct buf *value)
{
    struct html_tag copy = *tag;
    struct html_attribute attribute;

    buf_clear(value);
    while (html_next_attribute(&copy, &attribute)) {
        if (html_is(attribute.name, name)) {
            html_add_decoded(value, attribute.value, true);
            return true;
        }
    }
    return false;
}

bool
page_has_class(const struct html_tag *tag, const char *word)
{
    struct buf class = BUF_INIT;
    bool has =
        page_attribute(tag, "class", &class) && html_class_has(&class, word);

    buf_release(&class);
    return has;
}

static bool
same_name(struct html_span one, struct html_span two)
{
    char name[32];

    if (two.len >= sizeof(name)) {
        return false;
    }
    for (size_t i = 0; i < two.len; i++) {
        bool upper = two.text[i] >= 'A' && two.text[i] <= 'Z';

        name[i] = (char)(upper ? two.text[i] | 0x20 : two.text[i]);
    }
    name[two.len] = '\0';
    return html_is(one, name);
}

struct html_span
page_content(const struct html_tag *tag, struct html_span rest)
{
    struct html_span content = rest;
    struct html_tag next;
    size_t depth = 1;

    while (page_next_tag(&rest, &next)) {
        if (!same_name(next.name, tag->name) || next.self_closing) {
            continue;
        }
        depth = next.closing ? depth - 1 : depth + 1;
        if (depth == 0) {
            content.len = (size_t)(rest.text - content.text) - next.len;
            break;
        }
    }
    return content;
}

void
page_add_text(struct html_span content, struct buf *text)
{
    struct buf decoded = BUF_INIT;
    struct html_tag tag;
    bool blank = false;

    while (content.len > 0) {
        struct html_span before = content;
        const char *at = memchr(content.text, '<', content.len);

        before.len = at == NULL ? content.len : (size_t)(at - content.text);
        html_add_decoded(&decoded, before, false);
        buf_add_char(&decoded, ' ');
        cut(&content, before.len);
        if (!page_next_tag(&content, &tag)) {
            break;
        }
    }
    for (size_t i = 0; i < decoded.len; i++) {
        if (html_is_space(decoded.data[i])) {
            blank = true;
            continue;
        }
        if (blank && text->len > 0) {
            buf_add_char(text, ' ');
        }
        blank = false;
        buf_add_char(text, decoded.data[i]);
    }
    buf_release(&decoded);
}

bool
page_find(struct html_span page, const char *element, const char *class,
          struct html_span *content)
{
    struct html_tag tag;

    while (page_next_tag(&page, &tag)) {
        if (!tag.closing && html_is(tag.name, element) &&
            page_has_class(&tag, class)) {
            *content = page_content(&tag, page);
            return true;
        }
    }
    return false;
}

/* Find the tag with that id; false: there is none.  `rest` is behind it. */
static bool
find_id(struct html_span *rest, const char *id, struct html_tag *tag)
{
    struct buf value = BUF_INIT;
    bool found = false;

    while (!found && page_next_tag(rest, tag)) {
        found = !tag->closing && page_attribute(tag, "id", &value) &&
                buf_equals(&value, id);
    }
    buf_release(&value);
    return found;
}

bool
page_find_id(struct html_span page, const char *id, struct html_span *content)
{
    struct html_tag tag;
    bool found = find_id(&page, id, &tag);

    if (found) {
        *content = page_content(&tag, page);
    }
    return found;
}

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

    if (!find_id(&page, "message", &tag)) {
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

    if (find_id(&rest, "page-body", &tag)) {
        page.len = (size_t)(rest.text - page.text);
    }
    return page;
}

struct html_span
page_body(struct html_span page)
{
    size_t head = page_head(page).len;

    if (head < page.len) {
        cut(&page, head);
    }
    return page;
}

bool
page_find_link(struct html_span page, const char *words, struct buf *href)
{
    struct html_tag tag;

    while (page_next_tag(&page, &tag)) {
        if (!tag.closing && html_is(tag.name, "a") &&
            page_attribute(&tag, "href", href) &&
            strstr(buf_text(href), words) != NULL) {
            return true;
        }
    }
    buf_clear(href);
    return false;
}

long long
page_number(const char *address, const char *key)
{
    size_t len = strlen(key);

    for (const char *at = strstr(address, key); at != NULL;
         at = strstr(at + 1, key)) {
        size_t digits = strspn(at + len, "0123456789");

        if (at > address && strchr("?&", at[-1]) != NULL && digits > 0 &&
            digits <= DIGITS_MAX) {
            return strtoll(at + len, NULL, 10);
        }
    }
    return 0;
}

/* ---- forms --------------------------------------------------------------- */

bool
page_field_value(struct html_span form, const char *field, struct buf *value)
{
    struct buf name = BUF_INIT;
    struct html_tag tag;
    bool has = false;

    buf_clear(value);
    while (!has && page_next_tag(&form, &tag)) {
        has = !tag.closing && page_attribute(&tag, "name", &name) &&
              buf_equals(&name, field);
    }
    if (has) {
        (void)page_attribute(&tag, "value", value);
    }
    buf_release(&name);
    return has;
}

bool
page_field_text(struct html_span form, const char *field, struct buf *text)
{
    struct buf name = BUF_INIT;
    struct html_tag tag;
    struct html_span raw = {NULL, 0};
    bool has = false;

    buf_clear(text);
    while (!has && next_tag(&form, &tag, &raw)) {
        has = !tag.closing && html_is(tag.name, "textarea") &&
              page_attribute(&tag, "name", &name) && buf_equals(&name, field);
    }
    if (has) {
        html_add_decoded(text, raw, false);
    }
    buf_release(&name);
    return has;
}

static bool
find_form(struct html_span page, const char *field, struct html_tag *tag,
          struct html_span *form)
{
    struct buf value = BUF_INIT;
    int forms = 0;
    bool found = false;

    while (!found && forms < FORMS_MAX && page_next_tag(&page, tag)) {
        if (!tag->closing && html_is(tag->name, "form")) {
            forms++;
            *form = page_content(tag, page);
            found = page_field_value(*form, field, &value);
        }
    }
    buf_release(&value);
    return found;
}

bool
page_find_form(struct html_span page, const char *field, struct html_span *form)
{
    struct html_tag tag;

    return find_form(page, field, &tag, form);
}

bool
page_form_action(struct html_span page, const char *field, struct buf *action)
{
    struct html_span form;
    struct html_tag tag;

    buf_clear(action);
    return find_form(page, field, &tag, &form) &&
           page_attribute(&tag, "action", action);
}

void
page_add_field(struct buf *query, const char *name, const char *value)
{
    if (query->len > 0) {
        buf_add_char(query, '&');
    }
    url_add_part(query, name);
    buf_add_char(query, '=');
    url_add_part(query, value);
}

static bool
is_own(const char *own, const char *name)
{
    struct buf word = BUF_INIT;

    buf_addf(&word, " %s ", name);
    bool is = strstr(own, buf_text(&word)) != NULL;

    buf_release(&word);
    return is;
}

void
page_add_hidden(struct html_span form, const char *own, struct buf *query)
{
    struct buf type = BUF_INIT;
    struct buf name = BUF_INIT;
    struct buf value = BUF_INIT;
    struct html_tag tag;

    while (page_next_tag(&form, &tag)) {
        if (!tag.closing && html_is(tag.name, "input") &&
            page_attribute(&tag, "type", &type) &&
            buf_equals(&type, "hidden") &&
            page_attribute(&tag, "name", &name) &&
            !is_own(own, buf_text(&name))) {
            (void)page_attribute(&tag, "value", &value);
            page_add_field(query, buf_text(&name), buf_text(&value));
        }
    }
    buf_release(&type);
    buf_release(&name);
    buf_release(&value);
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
        cut(rest, 1);
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
            cut(&inner, post->content.len);
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
        cut(rest, inner.len);
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
            cut(&link, page_content(&tag, link).len);
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
