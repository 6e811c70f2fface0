/*
 * What has to hold after a game, whatever went wrong in it.
 */
#ifndef TESTS_FAULT_CHECKS_H
#define TESTS_FAULT_CHECKS_H

/* At the service, and in the host's store, which nobody has open. */
void fault_checks(const char *store);

#endif
