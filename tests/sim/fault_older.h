/*
 * A store as a host of an earlier format would have left it.
 */
#ifndef TESTS_FAULT_OLDER_H
#define TESTS_FAULT_OLDER_H

enum {
    FAULT_OLDEST = 13 /* which can still be rebuilt */
};

/* Turn a store that nobody has open into one of a format from FAULT_OLDEST on,
 * with all that is in it and that format can hold. */
void fault_older_make(const char *path, int format);

#endif
