/*
 * Keeps what Discord and the host say to each other in a test, to be checked
 * against published type definitions (tests/live/types).
 */
#ifndef TESTS_PAYLOADS_H
#define TESTS_PAYLOADS_H

#include <stddef.h>

/* Keep the JSON body of a request of the host; `path` begins behind the API's
 * version.  The test fails if no type is known for it.  Nothing is done unless
 * the environment variable PLACARD_PAYLOADS names a file, which grows. */
void payloads_keep_request(const char *method, const char *path,
                           const char *json);

/* Likewise a frame on the gateway, of the host or to it. */
void payloads_keep_sent(const char *json);
void payloads_keep_received(const char *json);

#endif
