/*
 * Time zones, from the system's time zone database (TZif files, RFC 8536).  We
 * read these ourselves, because libc's TZ is one global for the whole process.
 */
#ifndef BOT_BASE_ZONE_H
#define BOT_BASE_ZONE_H

#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* A time zone, loaded.  zone_utc() never fails and needs no release. */
struct zone;
const struct zone *zone_utc(void);

/* Load "Europe/Berlin" (letters, digits, _ + - / only), owned; "UTC" needs no
 * file.  ERR_CONFIG: there is no such zone. */
enum err zone_load(const char *name, struct zone **zone,
                   struct buf *why) MUST_USE;

/* The same from a TZif file's bytes; `name` is for the sentence in `why`. */
enum err zone_read(const char *name, const void *bytes, size_t len,
                   struct zone **zone, struct buf *why) MUST_USE;
void zone_free(struct zone *zone);

/* Zones by their names, each loaded when it is first asked for.  A zeroed
 * struct has none. */
struct zones {
    struct named_zone *list;
    size_t count;
};

/* The zone of a name, borrowed until `zones` is released; NULL: there is
 * none. */
const struct zone *zones_find(struct zones *zones, const char *name);
void zones_release(struct zones *zones);

/* One kind of local time: "CEST", two hours east, say. */
struct zone_kind {
    int offset; /* seconds east of UTC */
    char name[16];
};

enum {
    /* RFC 8536, section 3.2: offsets are -25:59:59 … 25:59:59. */
    ZONE_OFFSET_MAX_S = 26 * 3600
};

/* A stretch of time with one kind, to `until` (exclusive). */
struct zone_stretch {
    const struct zone_kind *kind; /* borrowed from the zone */
    int64_t until;                /* seconds since 1970 */
};

/* The stretch in which a second lies, counted since 1970 in UTC. */
struct zone_stretch zone_at(const struct zone *zone, int64_t second);

#endif
