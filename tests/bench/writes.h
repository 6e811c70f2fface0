/*
 * What SQLite writes to a store's files, counted before it goes to the disk.
 */
#ifndef TESTS_BENCH_WRITES_H
#define TESTS_BENCH_WRITES_H

struct store_writes {
    double bytes, syncs;
};

/* From now on count what is written to files whose names begin with `path`,
 * borrowed, and that are opened after this; once a process. */
void store_writes_count(const char *path);

/* So far. */
const struct store_writes *store_writes(void);

#endif
