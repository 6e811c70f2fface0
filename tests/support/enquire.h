/*
 * What the operator is told of a store, as the commands print it.
 */
#ifndef TESTS_ENQUIRE_H
#define TESTS_ENQUIRE_H

#include "bot/base/buf.h"

/* Append what `placard games` and `placard status` print with a configuration,
 * but not how long ago a place was read: that is told by the clock on the
 * wall.  Ends the process if nothing can be taken down. */
void enquire_host(const char *conf, struct buf *out);

#endif
