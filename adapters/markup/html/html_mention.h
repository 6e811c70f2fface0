/*
 * Links that mention a user, read and written.
 *
 * Matrix: `https://matrix.to/#/@anna:example.org`, `matrix:u/anna:example.org`
 * (Matrix specification, appendices, "URIs"); the part after "?" says how to
 * get there.  Links to rooms mention nobody.  Forums: the link has the class
 * "mention" (Discourse) or "plugin-mentions-user" (NodeBB) and its address ends
 * in `/u/NAME`, `/user/NAME` or their like; NAME is the id.
 *
 * Ids are percent-encoded in links, and at most 255 bytes, none of them NUL.
 */
#ifndef ADAPTERS_MARKUP_HTML_MENTION_H
#define ADAPTERS_MARKUP_HTML_MENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "bot/base/buf.h"

/* Append the id of the user whom the link with this address mentions; false: it
 * mentions nobody. */
bool html_mention_read(const struct buf *href, const struct buf *class,
                       struct buf *ids);
bool matrix_mention_read(const struct buf *href, struct buf *ids);

/* Can a user have this id, so that the link below can be read? */
bool html_id_is_writable(const char *id, size_t len);
bool matrix_id_is_writable(const char *id, size_t len);

/* Append an id as it is written there. */
void html_mention_add_id(const char *id, size_t len, struct buf *out);

/* Is one of these words, with blanks between, a word of a class attribute? */
bool html_class_has(const struct buf *class, const char *words);

#endif
