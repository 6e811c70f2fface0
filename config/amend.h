/*
 * Changes to the text of a configuration that leave the rest of it as somebody
 * wrote it, comments included.
 *
 * The text MUST be one that conf_load takes.  What is added is not looked at.
 */
#ifndef CONFIG_AMEND_H
#define CONFIG_AMEND_H

#include "bot/base/buf.h"

/* Add a group behind the others of the list of that name at the top level,
 * "services" or "places"; without such a list, one with this group comes at the
 * end. */
void amend_add(struct buf *text, const char *name, const char *group);

/* Take everything out of such a list. */
void amend_empty(struct buf *text, const char *name);

/* Set a setting at the top level to a value, as it stands in the file, unless
 * it is set: where a comment has its default, if any does. */
void amend_set_unset(struct buf *text, const char *key, const char *value);

#endif
