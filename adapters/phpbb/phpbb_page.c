#include "adapters/phpbb/phpbb_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/markup/html/html_mention.h"

enum {
    DIGITS_MAX = 18,
    FORMS_MAX = 16 /* of a page: each is read to its end */
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

bool
page_next_tag(struct html_span *rest, struct html_tag *tag)
{
    while (rest->len > 0) {
        const char *at = memchr(rest->text, '<', rest->len);

        cut(rest, at == NULL ? rest->len : (size_t)(at - rest->text));
        size_t comment = html_comment_len(rest->text, rest->len);

        if (comment > 0) {
            cut(rest, comment);
        } else if (rest->len > 0 && html_read_tag(rest->text, rest->len, tag)) {
            cut(rest, tag->len);
            if (!tag->closing && is_raw(tag->name)) {
                cut(rest, html_raw_len(rest->text, rest->len, tag->name));
            }
            return true;
        } else if (rest->len > 0) {
            cut(rest, 1);
        }
    }
    return false;
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

bool
page_find_message(struct html_span page, struct html_span *content)
{
    struct buf id = BUF_INIT;
    struct html_tag tag;
    bool found = false;

    while (!found && page_next_tag(&page, &tag)) {
        found = !tag.closing && html_is(tag.name, "div") &&
                page_attribute(&tag, "id", &id) && buf_equals(&id, "message");
    }
    buf_release(&id);
    if (!found) {
        return false;
    }
    /* Behind its title, "Information". */
    struct html_span panel = page_content(&tag, page);

    found = false;
    while (!found && page_next_tag(&panel, &tag)) {
        found = !tag.closing && html_is(tag.name, "p");
    }
    *content = panel;
    return found;
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
page_find_form(struct html_span page, const char *field, struct html_span *form)
{
    struct html_tag tag;
    struct buf value = BUF_INIT;
    int forms = 0;
    bool found = false;

    while (!found && forms < FORMS_MAX && page_next_tag(&page, &tag)) {
        if (!tag.closing && html_is(tag.name, "form")) {
            forms++;
            *form = page_content(&tag, page);
            found = page_field_value(*form, field, &value);
        }
    }
    buf_release(&value);
    return found;
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

/* What stands in the element of one post. */
static void
read_post(struct html_span inner, struct page_post *post)
{
    struct buf value = BUF_INIT;
    struct html_tag tag;
    bool content = false;
    bool named = false;

    while (page_next_tag(&inner, &tag)) {
        if (tag.closing) {
            continue;
        }
        if (html_is(tag.name, "a") && !named &&
            (page_has_class(&tag, "username") ||
             page_has_class(&tag, "username-coloured")) &&
            page_attribute(&tag, "href", &value)) {
            named = true;
            post->author = page_number(buf_text(&value), "u=");
            page_add_text(page_content(&tag, inner), &post->name);
        } else if (html_is(tag.name, "time") && post->time.len == 0) {
            (void)page_attribute(&tag, "datetime", &post->time);
        } else if (html_is(tag.name, "div") && !content &&
                   page_has_class(&tag, "content")) {
            post->content = page_content(&tag, inner);
            content = true;
            /* Nothing in it is the forum's own. */
            cut(&inner, post->content.len);
        } else if (html_is(tag.name, "div") && content &&
                   page_has_class(&tag, "notice")) {
            post->edited = true;
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

        read_post(inner, post);
        cut(rest, inner.len);
        found = true;
    }
    buf_release(&id);
    return found;
}

long long
page_total(struct html_span page)
{
    struct html_span pagination;
    struct buf text = BUF_INIT;
    long long total = -1;

    if (page_find(page, "div", "pagination", &pagination)) {
        page_add_text(pagination, &text);
        size_t digits = strspn(buf_text(&text), "0123456789");

        if (digits > 0 && digits <= DIGITS_MAX) {
            total = strtoll(buf_text(&text), NULL, 10);
        }
    }
    buf_release(&text);
    return total;
}
