/*
 * With whose token a service is asked, and what the operator can do if that is
 * not accepted.
 */
#ifndef BOT_LOOP_AUTHORIZE_H
#define BOT_LOOP_AUTHORIZE_H

#include "adapters/adapter.h"
#include "bot/loop/dispatch.h"
#include "config/config.h"
#include "config/secrets.h"

/* Give the dispatch a service's configured token, if it has one. */
void service_authorize(const struct service *service, const struct conf *conf,
                       const struct secrets *secrets,
                       struct dispatch *dispatch);

/* Give the dispatch the token among the adapter states of a service that is
 * logged in to with a password, if it is there. */
void service_authorize_by(const struct service *service,
                          const struct adapter_states *states,
                          struct dispatch *dispatch);

/* May its token or password be wrong?  Not if it was refused for a captcha, or
 * the account is locked. */
bool service_doubts_secret(enum refused refused);

/* Append what the operator can do after a service failed to say who we are: ";
 * put the right token into loft.token". */
void service_advise(const struct service *service, const struct conf *conf,
                    enum err err, struct buf *why);

#endif
