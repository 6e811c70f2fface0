/*
 * Discourse's message bus, as a doorbell (adapters/doorbell.h).
 */
#ifndef ADAPTERS_DISCOURSE_DISCOURSE_BUS_H
#define ADAPTERS_DISCOURSE_DISCOURSE_BUS_H

#include "adapters/doorbell.h"
#include "adapters/exchange.h"

/* OP_BELL: the account's number, and a name for its polls. */
enum advance discourse_bell(struct exchange *exchange);

extern const struct doorbell discourse_bus;

#endif
