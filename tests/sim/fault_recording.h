/*
 * What came of a game in which things go wrong, in files that can be held
 * against those of another build: recordings.sh.
 */
#ifndef TESTS_FAULT_RECORDING_H
#define TESTS_FAULT_RECORDING_H

/* Write, in plan->recordings and named after the seed, the records of all
 * tables
 * (.record), all that the host has posted in the order in which it stands at
 * the service (.posts), and what of that tells in public what was decided,
 * table by table and without ids (.rulings).  `store` is the host's, which
 * nobody has open. */
void fault_recording_write(const char *store);

#endif
