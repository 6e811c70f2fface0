/*
 * What the files of the loop share: what they look up and note (loop.c), the
 * clock (loop_time.c), and what each does in a turn.
 */
#ifndef BOT_LOOP_LOOP_INNER_H
#define BOT_LOOP_LOOP_INNER_H

#include "bot/base/log.h"
#include "bot/loop/loop.h"

/* Has a service said who we are, and does it accept us? */
bool loop_is_open(const struct loop *loop, const struct service *service);

/* Submit an operation that has no message, with its service's adapter
 * states. */
void loop_ask(struct loop *loop, const struct service *service, struct op *op,
              struct ticket ticket);

/* Save the adapter states of a finished operation; a token is used from now
 * on. */
void loop_take_states(struct loop *loop, const struct service *service,
                      const struct outcome *outcome);

/* A number from 0 to 1, so that operations that failed together are not tried
 * again together. */
double loop_chance(struct loop *loop);

/* ---- what fails ---------------------------------------------------------- */

/* The answer has come, so the job is done, or it has failed. */
void loop_note(struct loop *loop, struct job *job,
               const struct delivery *delivery);

/* It has failed, and is tried again after a pause. */
void loop_fail(struct loop *loop, struct job *job,
               const struct delivery *delivery);

/* Does what has failed not pass by itself? */
bool loop_lacks(const struct delivery *delivery);

/* The pause (ms) after so many failures in a row. */
int64_t loop_pause(unsigned failures);

/* How loudly the last of so many failures in a row is logged: the first is a
 * warning. */
enum log_level loop_level(unsigned failures);

/* The same, but quietly if it was refused because of the token: that is told
 * where the token is asked for, and only there. */
enum log_level loop_level_of(unsigned failures,
                             const struct delivery *delivery);

/* Tell the operator of the first failure of a row, if somebody has to do
 * something about it. */
void loop_alarm(struct loop *loop, unsigned failures,
                const struct delivery *delivery);

/* ---- loop_time.c --------------------------------------------------------- */

/* It is `now`. */
void loop_follow_clock(struct loop *loop, int64_t now);

/* ---- bells.c ------------------------------------------------------------- */

/* The doorbells of a process: one for each service that has one
 * (adapters/doorbell.h).
 *
 * While a doorbell listens, the feeds of its service are polled rarely and read
 * as soon as it rings.  When it falls silent they are polled as without it, and
 * it is opened again, after a pause that grows with the failures. */

/* Make them, not open yet. */
void bells_open(struct loop *loop);

/* Close them all. */
void bells_release(struct loop *loop);

/* Ask where doorbells hang that are to be opened now. */
void bells_ask(struct loop *loop);

/* That was answered: open it. */
void bells_take(struct loop *loop, const struct delivery *delivery);

/* Take what the open ones say. */
void bells_work(struct loop *loop);

/* Where doorbells have been silent for long nothing that is pressed comes: tell
 * the tables so, and when it does again.  Within a transaction. */
void bells_follow_presses(struct loop *loop);

/* When there is something to do, at the latest at `wake` (tables_steady). */
int64_t bells_wake(const struct loop *loop, int64_t wake);

/* ---- locating.c ---------------------------------------------------------- */

/* Where the configured places are, and how long posts may be there. */

/* The places have changed: look at all of them.  There may be thousands, so it
 * is not done in every turn. */
void locating_follow(struct loop *loop);

/* Ask what is not known yet of places whose service is open. */
void locating_ask(struct loop *loop);

/* When something is asked about a place, at the latest at `wake`. */
int64_t locating_wake(const struct loop *loop, int64_t wake);

/* May feeds of a service be read: is it open, and has each of its places been
 * found, and where its moderators talk, or did that prove impossible?  Before
 * that, a feed that brings several places' posts would bring some that belong
 * to no place yet, and they would be lost.  Where there are no such feeds,
 * nothing waits for the places. */
bool locating_can_read(const struct loop *loop, const struct service *service);

/* Take an answer to what was asked about a place: where it is, where its
 * moderators talk, how long posts may be there, its slash commands (or why
 * there are none), or where the thread of its game has gone. */
void locating_take(struct loop *loop, const struct delivery *delivery);

/* ---- login.c ------------------------------------------------------------- */

/* Who the host is at each service: until a service has said so, nothing else is
 * asked of it. */

/* Ask the services that have not told it yet. */
void login_ask(struct loop *loop);

/* Take who we are there, or why the service does not say so. */
void login_take(struct loop *loop, const struct delivery *delivery);

/* A delivery says that a service no longer accepts our token: it is asked anew
 * who we are. */
void login_close(struct loop *loop, const struct delivery *delivery);

/* Log what the operator has to change at a service. */
void login_log_advice(const struct service *service,
                      const struct outcome *outcome);

#endif
