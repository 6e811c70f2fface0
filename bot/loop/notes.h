/*
 * What a host saves once a minute for the commands beside it, and what it tells
 * of its disk.
 */
#ifndef BOT_LOOP_NOTES_H
#define BOT_LOOP_NOTES_H

#include "bot/loop/loop.h"

/* With less left than this the operator is told; and, when twice as much is
 * left again, that it is over. */
#define DISK_LEFT_LEAST INT64_C(100000000) /* bytes */

/* If a minute has passed, save when each place was last polled, and of each
 * service how many operations have failed and what is left of its rate; and
 * look at what the disk has left. */
void notes_save(struct loop *loop);

#endif
