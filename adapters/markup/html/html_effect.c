#include "adapters/markup/html/html_effect.h"

#include <string.h>

#include "adapters/markup/ascii.h"
#include "adapters/markup/colour.h"
#include "adapters/markup/html/html_mention.h"
#include "adapters/markup/rich.h"

enum {
    BOLD_FROM = 600
};

/* ---- attributes ---------------------------------------------------------- */

static const char *const known_names[HTML_KNOWN_COUNT] = {
    [HTML_ALT] = "alt",
    [HTML_CLASS] = "class",
    [HTML_COLOR] = "color",
    [HTML_HIDDEN_FLAG] = "hidden",
    [HTML_HREF] = "href",
    [HTML_MX_COLOR] = "data-mx-color",
    [HTML_MX_SPOILER] = "data-mx-spoiler",
    [HTML_STYLE] = "style",
};

void
html_attributes_read(struct html_attributes *attributes,
                     const struct html_tag *tag)
{
    struct html_tag left = *tag;
    struct html_attribute attribute;

    for (size_t i = 0; i < HTML_KNOWN_COUNT; i++) {
        buf_clear(&attributes->values[i]);
        attributes->given[i] = false;
    }
    while (html_next_attribute(&left, &attribute)) {
        size_t known = 0;
        while (known < HTML_KNOWN_COUNT &&
               !html_is(attribute.name, known_names[known])) {
            known++;
        }
        if (known < HTML_KNOWN_COUNT && !attributes->given[known]) {
            attributes->given[known] = true;
            html_add_decoded(&attributes->values[known], attribute.value, true);
        }
    }
}

void
html_attributes_release(struct html_attributes *attributes)
{
    for (size_t i = 0; i < HTML_KNOWN_COUNT; i++) {
        buf_release(&attributes->values[i]);
    }
    *attributes = (struct html_attributes){.given = {false}};
}

static struct html_span
trimmed(struct html_span span)
{
    while (span.len > 0 && html_is_space(span.text[0])) {
        span.text++;
        span.len--;
    }
    while (span.len > 0 && html_is_space(span.text[span.len - 1])) {
        span.len--;
    }
    return span;
}

/* Is the word, in lower case, anywhere in this? */
static bool
contains(struct html_span span, const char *word)
{
    size_t len = strlen(word);

    for (size_t at = 0; at + len <= span.len; at++) {
        if (html_is((struct html_span){span.text + at, len}, word)) {
            return true;
        }
    }
    return false;
}

static struct html_span
value_of(const struct html_attributes *attributes, enum html_known known)
{
    const struct buf *value = &attributes->values[known];

    return (struct html_span){buf_text(value), value->len};
}

/* ---- styles -------------------------------------------------------------- */

enum weight {
    WEIGHT_UNSAID,
    WEIGHT_BOLD,
    WEIGHT_NORMAL,
    WEIGHT_OUTSIDE, /* as outside */
};

/* What the declarations of a style say, each in its last word. */
struct style {
    enum colour colour;
    enum weight weight;
    bool coloured, struck, undisplayed, invisible;
};

/* The length of the string or comment at `at`, or 1. */
static size_t
style_step(struct html_span style, size_t at)
{
    const char *text = style.text + at;
    size_t len = style.len - at;

    if (text[0] == '"' || text[0] == '\'') {
        const char *end = memchr(text + 1, text[0], len - 1);
        return end == NULL ? len : (size_t)(end - text) + 1;
    }
    if (len < 2 || text[0] != '/' || text[1] != '*') {
        return 1;
    }
    size_t end = 3;
    while (end < len && (text[end - 1] != '*' || text[end] != '/')) {
        end++;
    }
    return end < len ? end + 1 : len;
}

static void
add_without_comments(struct buf *out, struct html_span style)
{
    size_t len = 0;

    for (size_t at = 0; at < style.len; at += len) {
        len = style_step(style, at);
        if (len == 1 || style.text[at] != '/') {
            buf_add(out, style.text + at, len);
        }
    }
}

/* Take the next declaration, `name: value`; false: there is none left. */
static bool
next_declaration(struct html_span *left, struct html_span *name,
                 struct html_span *value)
{
    const char *text = left->text;
    size_t colon = left->len;
    size_t brackets = 0;
    size_t at = 0;

    if (left->len == 0) {
        return false;
    }
    while (at < left->len && (brackets > 0 || text[at] != ';')) {
        if (text[at] == ':' && colon == left->len) {
            colon = at;
        }
        brackets += text[at] == '(' ? 1U : 0U;
        brackets -= text[at] == ')' && brackets > 0 ? 1U : 0U;
        at += style_step(*left, at);
    }
    /* The end of the value: "!" begins "!important". */
    size_t from = colon < at ? colon + 1 : at;
    const char *mark = memchr(text + from, '!', at - from);
    size_t end = mark == NULL ? at : (size_t)(mark - text);
    *name = trimmed((struct html_span){text, colon < at ? colon : at});
    *value = trimmed((struct html_span){text + from, end - from});
    at += at < left->len ? 1U : 0U;
    *left = (struct html_span){text + at, left->len - at};
    return true;
}

static enum weight
weigh(struct html_span value)
{
    size_t number = 0;
    size_t at = 0;

    if (html_is(value, "bold") || html_is(value, "bolder")) {
        return WEIGHT_BOLD;
    }
    if (html_is(value, "normal") || html_is(value, "lighter") ||
        html_is(value, "initial")) {
        return WEIGHT_NORMAL;
    }
    if (html_is(value, "inherit") || html_is(value, "unset")) {
        return WEIGHT_OUTSIDE;
    }
    while (at < value.len && at < 4 && ascii_is_digit(value.text[at])) {
        number = 10 * number + (size_t)(value.text[at] - '0');
        at++;
    }
    if (at == 0) {
        return WEIGHT_UNSAID;
    }
    return number >= BOLD_FROM ? WEIGHT_BOLD : WEIGHT_NORMAL;
}

static void
read_declaration(struct style *style, struct html_span name,
                 struct html_span value)
{
    if (value.len == 0) {
        return;
    }
    if (html_is(name, "color")) {
        style->coloured = true;
        style->colour = colour_read(value.text, value.len, false);
    } else if (html_is(name, "font-weight")) {
        enum weight weight = weigh(value);
        style->weight = weight == WEIGHT_UNSAID ? style->weight : weight;
    } else if (html_is(name, "text-decoration") ||
               html_is(name, "text-decoration-line")) {
        style->struck = contains(value, "line-through");
    } else if (html_is(name, "display")) {
        style->undisplayed = html_is(value, "none");
    } else if (html_is(name, "visibility")) {
        style->invisible =
            html_is(value, "hidden") || html_is(value, "collapse");
    }
}

static void
read_style(struct style *style, struct html_span value)
{
    struct buf plain = BUF_INIT;
    struct html_span name;

    add_without_comments(&plain, value);
    struct html_span left = {buf_text(&plain), plain.len};
    while (next_declaration(&left, &name, &value)) {
        read_declaration(style, name, value);
    }
    buf_release(&plain);
}

/* ---- the effect ---------------------------------------------------------- */

static void
set_weight(struct html_effect *effect, enum weight weight)
{
    if (weight == WEIGHT_UNSAID) {
        return;
    }
    effect->set &= ~(unsigned)MARK_BOLD;
    effect->set |= weight == WEIGHT_BOLD ? MARK_BOLD : 0U;
    effect->clear |= weight == WEIGHT_NORMAL ? MARK_BOLD : 0U;
}

/* An invalid colour is not red: we can't tell what people see. */
static void
set_colour(struct html_effect *effect, enum colour colour)
{
    if (colour == COLOUR_OUTSIDE) {
        return;
    }
    effect->set |= colour == COLOUR_RED ? MARK_RED : 0U;
    effect->clear |= MARK_RED;
}

/* Words that are not the writer's: quotes, and text that replaces a link or
 * stands below a picture, often added a while after the post itself. */
static bool is_nobodys(struct html_span class)
{
    static const char *const names[] = {"quote", "onebox", "lightbox",
                                        "link-preview", "inline-attachment"};
    bool is = false;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !is; i++) {
        is = contains(class, names[i]);
    }
    return is;
}

static void
apply_class(struct html_effect *effect,
            const struct html_attributes *attributes, const char *bold_classes)
{
    const struct buf *class = &attributes->values[HTML_CLASS];
    struct html_span span = value_of(attributes, HTML_CLASS);

    if (html_class_has(class, "bbcode-b mycode_b noboldsig") ||
        html_class_has(class, bold_classes)) {
        set_weight(effect, WEIGHT_BOLD);
    }
    if (html_class_has(class, "bbcode-s mycode_s")) {
        effect->set |= MARK_STRUCK;
    }
    effect->set |= is_nobodys(span) ? MARK_QUOTED : 0U;
    effect->set |= contains(span, "spoiler") ? MARK_SPOILER : 0U;
}

static void
apply_style(struct html_effect *effect, const struct style *style)
{
    set_weight(effect, style->weight);
    effect->set |= style->struck ? MARK_STRUCK : 0U;
    effect->hidden = effect->hidden || style->undisplayed || style->invisible;
}

/* The attribute that colours the text, if one does. */
static bool
find_colour(const struct html_element *element,
            const struct html_attributes *attributes, bool matrix,
            struct html_span *value)
{
    bool font = element->name != NULL && strcmp(element->name, "font") == 0;
    bool span = element->name != NULL && strcmp(element->name, "span") == 0;

    if (matrix && (font || span) && attributes->given[HTML_MX_COLOR]) {
        *value = value_of(attributes, HTML_MX_COLOR);
    } else if (font && attributes->given[HTML_COLOR]) {
        *value = value_of(attributes, HTML_COLOR);
    } else {
        return false;
    }
    return value->len > 0;
}

static void
apply_colour(struct html_effect *effect, const struct html_element *element,
             const struct html_attributes *attributes,
             const struct style *style, bool matrix)
{
    struct html_span value;

    if (style->coloured && !matrix) {
        set_colour(effect, style->colour);
    } else if (find_colour(element, attributes, matrix, &value)) {
        set_colour(effect, colour_read(value.text, value.len, false));
    }
}

/* Only links mention. */
static void
apply_mention(struct html_effect *effect,
              const struct html_attributes *attributes, bool matrix,
              struct buf *ids)
{
    const struct buf *href = &attributes->values[HTML_HREF];
    size_t start = ids->len;
    bool found =
        matrix ? matrix_mention_read(href, ids)
               : html_mention_read(href, &attributes->values[HTML_CLASS], ids);

    if (found) {
        effect->id = start;
        effect->id_len = ids->len - start;
    }
}

struct html_effect
html_effect_of(const struct html_element *element,
               const struct html_attributes *attributes, bool matrix,
               const char *bold_classes, struct buf *ids)
{
    struct html_effect effect = {
        .set = element->marks,
        .hidden = (element->flags & HTML_HIDDEN) != 0 ||
                  attributes->given[HTML_HIDDEN_FLAG],
        .pre = (element->flags & HTML_PRE) != 0,
    };
    struct style style = {.weight = WEIGHT_UNSAID};

    read_style(&style, value_of(attributes, HTML_STYLE));
    apply_class(&effect, attributes, bold_classes);
    apply_style(&effect, &style);
    apply_colour(&effect, element, attributes, &style, matrix);
    effect.set |= attributes->given[HTML_MX_SPOILER] ? MARK_SPOILER : 0U;
    if (element->name != NULL && strcmp(element->name, "a") == 0) {
        apply_mention(&effect, attributes, matrix, ids);
    }
    return effect;
}

bool
html_is_emoji(const struct html_attributes *attributes)
{
    struct html_span alt = value_of(attributes, HTML_ALT);
    bool shortcode =
        alt.len > 1 && alt.text[0] == ':' && alt.text[alt.len - 1] == ':';

    return alt.len > 0 && !shortcode &&
           contains(value_of(attributes, HTML_CLASS), "emoji");
}
