/*
 * The services as configured: which adapter, where, as whom, with which secret.
 */
#ifndef BOT_TABLES_SERVICES_H
#define BOT_TABLES_SERVICES_H

#include "adapters/adapter.h"
#include "config/config.h"
#include "config/secrets.h"

/* The adapter state that is the account's token (adapters/adapter.h). */
#define STATE_TOKEN "secret.token"

/* Fill in the service that places call by this name: CONF_BOARD, or the name of
 * an account in the configuration.  Its password, if it has one, is borrowed
 * from the secrets, its classes from the configuration. */
void service_set(struct service *service, const struct conf *conf,
                 const struct secrets *secrets, const char *name);

#endif
