/*
 * Something that is asked once, and again after a pause if it failed.
 */
#ifndef BOT_LOOP_ASKING_H
#define BOT_LOOP_ASKING_H

#include <stdbool.h>
#include <stdint.h>

#include "bot/base/log.h"
#include "bot/loop/dispatch.h"

struct tables;

struct asking {
    int64_t next; /* when; 0: at once */
    unsigned failures;
    bool busy;
    bool done;
    bool limited;  /* a service: it limits how much is sent, which was told */
    bool silenced; /* … or takes nothing that the account writes; likewise */
    unsigned failed; /* a service: operations that did, but for sending */
};

/* Is nobody asking, and has the time to ask come? */
bool asking_is_due(const struct asking *asking, int64_t now);

/* When to ask, at the latest at `wake`. */
int64_t asking_wake(const struct asking *asking, int64_t wake);

/* The answer has come, or a failure, which is followed by a pause. */
void asking_take(struct asking *asking, double chance,
                 const struct delivery *delivery, int64_t now);

/* The pause after so many failures in a row, before jitter. */
int64_t asking_pause(unsigned failures);

/* The pause after a delivery that is the last of so many failures in a row:
 * with jitter (`chance`: from 0 to 1), and never shorter than the service has
 * asked for. */
int64_t asking_pause_after(double chance, unsigned failures,
                           const struct delivery *delivery);

/* How loudly the last of so many failures in a row is logged: the first is a
 * warning. */
enum log_level asking_level(unsigned failures);

/* The same, but quietly if it was refused because of the token: that is told
 * where the token is asked for, and only there. */
enum log_level asking_level_of(unsigned failures,
                               const struct delivery *delivery);

/* Tell the operator of the first failure of a row, if somebody has to do
 * something about it. */
enum err asking_alarm(struct tables *tables, unsigned failures,
                      const struct delivery *delivery, int64_t now,
                      struct buf *why) MUST_USE;

#endif
