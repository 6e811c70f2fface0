/*
 * The commented sample of a configuration (`config/placard.cfg`), made from the
 * table of settings, and services and places written in the same way.
 */
#ifndef CONFIG_SAMPLE_H
#define CONFIG_SAMPLE_H

#include "bot/base/buf.h"
#include "config/setting.h"

/* Append the sample. */
void conf_sample(struct buf *out);

/* A setting as it stands in the file: zone, "\"Europe/Berlin\"". */
struct conf_value {
    const char *key, *value;
};

/* Append a service or a place (SCOPE_SERVICE, SCOPE_PLACE) with all its
 * settings, each explained: those in `values` (key NULL: after the last) and,
 * in comments, the defaults of the others.  A setting of a game stands there
 * only if it has a value.  Without a line end. */
void conf_add_group(struct buf *out, enum setting_scope scope,
                    const struct conf_value *values);

/* Append a text in quotes; it MUST be without control characters. */
void conf_quote(struct buf *out, const char *text);

#endif
