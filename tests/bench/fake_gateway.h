/*
 * Discord's gateway in memory, and the WebSocket to it: the bench is linked
 * with this instead of adapters/http/web_socket.c.
 *
 * It greets, opens sessions and resumes them, answers heartbeats, and tells of
 * each message that is written, as the documentation says ("Gateway"); a
 * session that is resumed is told what it has missed.
 */
#ifndef TESTS_BENCH_FAKE_GATEWAY_H
#define TESTS_BENCH_FAKE_GATEWAY_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/fake_discord.h"

/* Begin, or begin anew: nobody is connected.  What is told is there so many ms
 * later. */
void fake_gateway_open(int64_t latency);

/* From now on it never tells of one message in so many; 0: it tells of all. */
void fake_gateway_miss(unsigned one_in);
bool fake_gateway_misses(uint64_t message);

/* Tell of what was written since this was called last. */
void fake_gateway_tell(struct fake_discord *discord, int64_t now);

/* Tell of something else: an event of that name, with its data. */
void fake_gateway_send(const char *name, const char *data, int64_t now);

/* When something comes to the client next; INT64_MAX: nothing is under way. */
int64_t fake_gateway_next(void);

/* The connection is lost, with what is under way on it.  `forgets`: the session
 * can't be resumed either, so nobody is told of what was said meanwhile. */
void fake_gateway_break(bool forgets, int64_t now);

#endif
