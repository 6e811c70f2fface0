#include "adapters/forum/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/markup/html/html_mention.h"

enum {
    DIGITS_MAX = 18,
    FORMS_MAX = 16, /* of a page: each is read to its end */
    WORD_MAX = 63   /* bytes of a word in what names an element */
};

/* ---- tags ---------------------------------------------------------------- */

void
page_cut(struct html_span *rest, size_t len)
{
    rest->text += len;
    rest->len -= len;
}

void
page_pass(struct html_span *rest, struct html_span content)
{
    page_cut(rest, (size_t)(content.text + content.len - rest->text));
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

        page_cut(rest, at == NULL ? rest->len : (size_t)(at - rest->text));
        size_t comment = html_comment_len(rest->text, rest->len);

        if (comment > 0) {
            page_cut(rest, comment);
        } else if (rest->len > 0 && html_read_tag(rest->text, rest->len, tag)) {
            page_cut(rest, tag->len);
            *raw = *rest;
            raw->len = !tag->closing && is_raw(tag->name)
                           ? html_raw_len(rest->text, rest->len, tag->name)
                           : 0;
            page_cut(rest, raw->len);
            return true;
        } else if (rest->len > 0) {
            page_cut(rest, 1);
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

static bool
has_class(const struct html_tag *tag, const char *word)
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
        page_cut(&content, before.len);
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

/* ---- finding ------------------------------------------------------------- */

/* Is what an attribute has to be so? `rule`: "href*=mode=view", "id^=msg",
 * "rel=canonical". */
static bool
has_value(const struct html_tag *tag, const char *rule, size_t len)
{
    char name[WORD_MAX + 1];
    char words[WORD_MAX + 1];
    struct buf value = BUF_INIT;
    size_t equals = strcspn(rule, "=");
    char kind = rule[equals - 1];
    size_t end = strchr("*^", kind) != NULL ? equals - 1 : equals;

    (void)snprintf(name, sizeof(name), "%.*s", (int)end, rule);
    (void)snprintf(words, sizeof(words), "%.*s", (int)(len - equals - 1),
                   rule + equals + 1);
    bool has = page_attribute(tag, name, &value);
    const char *at = has ? strstr(buf_text(&value), words) : NULL;

    has = has && (kind == '*'   ? at != NULL
                  : kind == '^' ? at == buf_text(&value)
                                : buf_equals(&value, words));
    buf_release(&value);
    return has;
}

static bool
has_word(const struct html_tag *tag, char kind, const char *word, size_t len)
{
    char text[WORD_MAX + 1];
    struct buf value = BUF_INIT;

    (void)snprintf(text, sizeof(text), "%.*s", (int)len, word);
    bool has = kind == '#' ? page_attribute(tag, "id", &value) &&
                                 buf_equals(&value, text)
                           : has_class(tag, text) == (kind == '.');

    buf_release(&value);
    return has;
}

static bool
is_named(const struct html_tag *tag, const char *element)
{
    bool named = *element >= 'a' && *element <= 'z';

    if (tag->closing || (named && (*tag->name.text | 0x20) != *element)) {
        return false; /* most are not: in haste */
    }
    size_t len = strcspn(element, ".#![, ");
    struct html_span name = {element, len};
    bool is = (len == 0 || same_name(tag->name, name));

    for (element += len;
         is && strchr(".#![", *element) != NULL && *element != '\0';
         element += len) {
        char kind = *element++;

        len = strcspn(element, kind == '[' ? "]" : ".#![, ");
        is = kind == '[' ? has_value(tag, element, len)
                         : has_word(tag, kind, element, len);
        len += kind == '[' ? 1 : 0;
    }
    return is;
}

bool
page_is(const struct html_tag *tag, const char *at)
{
    while (!is_named(tag, at)) {
        at += strcspn(at, ", ");
        if (*at++ != ',') {
            return false;
        }
    }
    return true;
}

unsigned
page_find_at(const struct html_tag *tag, struct html_span rest, const char *at,
             enum page_which which, struct page_element *found)
{
    const char *next = strchr(at, ' ');

    if (next != NULL) {
        return page_find(page_content(tag, rest), next + 1, which, found);
    }
    *found = (struct page_element){*tag, rest};
    return 1;
}

unsigned
page_find(struct html_span page, const char *at, enum page_which which,
          struct page_element *found)
{
    bool begins = *at == '>';
    bool within = strchr(at, ' ') != NULL;
    unsigned count = 0;
    unsigned tries = 0;
    struct html_tag tag;

    at += begins ? 1 : 0;
    while (tries < PAGE_TRIES_MAX && page_next_tag(&page, &tag)) {
        if (page_is(&tag, at)) {
            tries += within;
            count += page_find_at(&tag, page, at, which, found);
        }
        if (begins || (count > 0 && which == PAGE_FIRST)) {
            break;
        }
    }
    return count;
}

bool
page_next(struct html_span *rest, const char *at, struct html_tag *tag,
          struct html_span *content)
{
    struct page_element found;

    if (page_find(*rest, at, PAGE_FIRST, &found) == 0) {
        return false;
    }
    *tag = found.tag;
    *content = page_content(tag, found.rest);
    *rest = found.rest;
    page_cut(rest, content->len);
    return true;
}

bool
page_number(const char *text, const char *before, int64_t *number)
{
    size_t len = strlen(before);
    const char *at =
        len == 0 ? text + strcspn(text, "0123456789") : strstr(text, before);

    for (; at != NULL; at = strstr(at + 1, before)) {
        size_t digits = strspn(at + len, "0123456789");

        if (digits > 0 && digits <= DIGITS_MAX &&
            (len == 0 || at == text || strchr("?&;", at[-1]) != NULL)) {
            *number = strtoll(at + len, NULL, 10);
            return true;
        }
        if (len == 0) {
            break;
        }
    }
    return false;
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

bool
page_find_form(struct html_span page, const char *field, struct html_span *form)
{
    struct buf value = BUF_INIT;
    struct html_tag tag;
    bool found = false;

    for (int forms = 0;
         !found && forms < FORMS_MAX && page_next(&page, "form", &tag, form);
         forms++) {
        found = page_field_value(*form, field, &value);
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
