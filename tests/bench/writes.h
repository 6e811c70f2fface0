/*
 * What SQLite writes to a store's files, and to all others, counted before it
 * goes to the disk.
 */
#ifndef TESTS_BENCH_WRITES_H
#define TESTS_BENCH_WRITES_H

struct store_writes {
    double bytes, syncs;
};

/* From now on count what is written to files that are opened after this; the
 * names of the store's begin with `path`, borrowed.  Once a process. */
void store_writes_count(const char *path);

/* So far: to the store, and to all other files. */
const struct store_writes *store_writes(void);
const struct store_writes *other_writes(void);

#endif
