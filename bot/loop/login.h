/*
 * Logging in: who the host is at each service.  Until a service has said so,
 * nothing else is asked of it.
 */
#ifndef BOT_LOOP_LOGIN_H
#define BOT_LOOP_LOGIN_H

#include "bot/loop/loop.h"

/* Ask the services that have not told it yet. */
void login_ask(struct loop *loop);

/* Take who we are there, or why the service does not say so. */
enum err login_take(struct loop *loop, const struct delivery *delivery,
                    struct buf *why) MUST_USE;

/* A delivery says that a service no longer accepts our token: it is asked anew
 * who we are. */
enum err login_close(struct loop *loop, const struct delivery *delivery,
                     struct buf *why) MUST_USE;

/* Log what the operator has to change at a service. */
void login_log_advice(const struct service *service,
                      const struct outcome *outcome);

#endif
