#include "adapters/markup/html/html_tokens.h"

#include <string.h>

#include "adapters/markup/ascii.h"

bool
html_is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' ||
           byte == '\r';
}

bool
html_is(struct html_span span, const char *name)
{
    size_t at = 0;

    while (at < span.len && name[at] != '\0' &&
           ascii_lower(span.text[at]) == name[at]) {
        at++;
    }
    return at == span.len && name[at] == '\0';
}

/* ---- tags ---------------------------------------------------------------- */

static size_t
skip_space(const char *text, size_t len, size_t at)
{
    while (at < len && html_is_space(text[at])) {
        at++;
    }
    return at;
}

/* The end of a name that begins at `at`: a "=" is a part of it only there. */
static size_t
attribute_name_end(const char *text, size_t len, size_t at)
{
    size_t end = at + 1;

    while (end < len && !html_is_space(text[end]) && text[end] != '/' &&
           text[end] != '>' && text[end] != '=') {
        end++;
    }
    return end;
}

/* Read the value that begins at `at`, behind the "=" and blanks; returns the
 * place behind it, and the end of the text if its quotation mark is missing. */
static size_t
read_value(const char *text, size_t len, size_t at, struct html_span *value)
{
    if (at < len && (text[at] == '"' || text[at] == '\'')) {
        const char *from = text + at + 1;
        const char *end = memchr(from, text[at], len - at - 1);
        if (end == NULL) {
            return len;
        }
        *value = (struct html_span){from, (size_t)(end - from)};
        return (size_t)(end - text) + 1;
    }
    size_t end = at;
    while (end < len && !html_is_space(text[end]) && text[end] != '>') {
        end++;
    }
    *value = (struct html_span){text + at, end - at};
    return end;
}

/* Read the attribute at `*next` and move behind it; false: the ">" or the end
 * of the text comes first. */
static bool
read_attribute(const char *text, size_t len, size_t *next,
               struct html_attribute *attribute)
{
    size_t at = *next;

    while (at < len && (html_is_space(text[at]) || text[at] == '/')) {
        at++;
    }
    *next = at;
    if (at == len || text[at] == '>') {
        return false;
    }
    size_t end = attribute_name_end(text, len, at);
    attribute->name = (struct html_span){text + at, end - at};
    attribute->value = (struct html_span){text + end, 0};
    at = skip_space(text, len, end);
    if (at < len && text[at] == '=') {
        end = read_value(text, len, skip_space(text, len, at + 1),
                         &attribute->value);
    }
    *next = end;
    return true;
}

bool
html_read_tag(const char *text, size_t len, struct html_tag *tag)
{
    struct html_attribute last = {.value = {text, 0}};
    bool closing = len > 1 && text[1] == '/';
    size_t name = closing ? 2 : 1;

    if (len <= name || text[0] != '<' || !ascii_is_letter(text[name])) {
        return false;
    }
    size_t inner = name;
    while (inner < len && !html_is_space(text[inner]) && text[inner] != '/' &&
           text[inner] != '>') {
        inner++;
    }
    size_t end = inner;
    while (read_attribute(text, len, &end, &last)) {
    }
    if (end >= len) {
        return false;
    }
    /* The "/" that ends an unquoted value is a part of it. */
    bool in_value = last.value.text + last.value.len == text + end;
    *tag = (struct html_tag){
        .len = end + 1,
        .closing = closing,
        .self_closing = text[end - 1] == '/' && !in_value,
        .name = {text + name, inner - name},
        .inner = {text + inner, end - inner},
    };
    return true;
}

bool
html_next_attribute(struct html_tag *tag, struct html_attribute *attribute)
{
    size_t next = 0;
    bool found =
        read_attribute(tag->inner.text, tag->inner.len, &next, attribute);

    tag->inner.text += next;
    tag->inner.len -= next;
    return found;
}

/* ---- what is no text ----------------------------------------------------- */

static bool
begins_with(const char *text, size_t len, const char *beginning)
{
    size_t want = strlen(beginning);

    return len >= want && memcmp(text, beginning, want) == 0;
}

/* Behind the next ">", or the end of the text. */
static size_t
behind_bracket(const char *text, size_t len)
{
    const char *end = memchr(text, '>', len);

    return end == NULL ? len : (size_t)(end - text) + 1;
}

/* Behind the "-->" or "--!>" of a comment.  `<!-->` and `<!--->` are whole. */
static size_t
behind_comment(const char *text, size_t len)
{
    for (size_t at = 4; at < len; at++) {
        if (text[at] != '>') {
            continue;
        }
        if (memcmp(text + at - 2, "--", 2) == 0 ||
            (at >= 7 && memcmp(text + at - 3, "--!", 3) == 0)) {
            return at + 1;
        }
    }
    return len;
}

size_t
html_comment_len(const char *text, size_t len)
{
    if (begins_with(text, len, "<!--")) {
        return behind_comment(text, len);
    }
    if (begins_with(text, len, "<!") || begins_with(text, len, "<?") ||
        (begins_with(text, len, "</") && len > 2 &&
         !ascii_is_letter(text[2]))) {
        return behind_bracket(text, len);
    }
    return 0;
}

size_t
html_raw_len(const char *text, size_t len, struct html_span name)
{
    size_t at = 0;

    while (at < len) {
        const char *next = memchr(text + at, '<', len - at);
        if (next == NULL) {
            break;
        }
        at = (size_t)(next - text);
        size_t end = at + 2 + name.len;
        size_t same = 0;
        while (end < len && text[at + 1] == '/' && same < name.len &&
               ascii_lower(text[at + 2 + same]) ==
                   ascii_lower(name.text[same])) {
            same++;
        }
        if (same == name.len && name.len > 0 &&
            (html_is_space(text[end]) || text[end] == '/' ||
             text[end] == '>')) {
            return at;
        }
        at++;
    }
    return len;
}
