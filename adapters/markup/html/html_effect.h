/*
 * What an element does to its content, by its kind and its attributes.
 *
 * If an attribute is given twice the first counts; of a declaration in a style,
 * the last, whether important or not.  Style sheets are not read.  Classes mark
 * quotes and spoilers everywhere ("quote" or "spoiler" in the class, in any
 * case), and the bold and struck text of Discourse (`bbcode-b`, `bbcode-s`) and
 * MyBB (`mycode_b`, `mycode_s`); a large phpBB board of such games shows bold
 * as `noboldsig`.
 *
 * Text that a forum adds to a post counts as a quote too: another site's words
 * in place of a link (Discourse, lib/oneboxer.rb: "onebox"; NodeBB,
 * nodebb-plugin-link-preview: "link-preview"), how large a picture is
 * (Discourse, lib/cooked_post_processor.rb: "lightbox"), and how often one was
 * viewed (phpBB, attachment.html: "inline-attachment").
 *
 * Matrix's clients drop styles: there a colour is `data-mx-color`, of a
 * `<font>` or `<span>`, or a `<font color>` (Client-Server API, "m.room.message
 * msgtypes").  Anything else in a style or class counts there as it does
 * elsewhere.
 */
#ifndef ADAPTERS_MARKUP_HTML_EFFECT_H
#define ADAPTERS_MARKUP_HTML_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "adapters/markup/html/html_elements.h"
#include "adapters/markup/html/html_tokens.h"
#include "bot/base/buf.h"

/* The attributes that matter. */
enum html_known {
    HTML_ALT,
    HTML_CLASS,
    HTML_COLOR,
    HTML_HIDDEN_FLAG,
    HTML_HREF,
    HTML_MX_COLOR,
    HTML_MX_SPOILER,
    HTML_STYLE,
    HTML_KNOWN_COUNT
};

/* Their values, references replaced.  A zeroed struct has none. */
struct html_attributes {
    struct buf values[HTML_KNOWN_COUNT];
    bool given[HTML_KNOWN_COUNT];
};

void html_attributes_read(struct html_attributes *attributes,
                          const struct html_tag *tag);
void html_attributes_release(struct html_attributes *attributes);

struct html_effect {
    unsigned set, clear; /* marks, cleared before they are set */
    bool hidden;         /* none of it is shown */
    bool pre;            /* white space is kept */
    size_t id, id_len;   /* of the user it mentions, in `ids`; len 0: none */
};

/* What an element with these attributes does; `matrix`: by Matrix's colours and
 * links to users; `bold_classes`: classes that are bold besides those above,
 * with blanks between.  The id of the user it mentions is appended to `ids`. */
struct html_effect html_effect_of(const struct html_element *element,
                                  const struct html_attributes *attributes,
                                  bool matrix, const char *bold_classes,
                                  struct buf *ids);

/* Is this picture an emoji whose `alt` can be read in its place?  Not if `alt`
 * is a name between colons. */
bool html_is_emoji(const struct html_attributes *attributes);

#endif
