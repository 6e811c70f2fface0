/*
 * One operation at a time, without a loop: what `check` and `setup` ask a
 * service, and in which words the answer is told.
 */
#ifndef BOT_CLI_ENQUIRY_H
#define BOT_CLI_ENQUIRY_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "bot/loop/dispatch.h"

/* Run an operation with these adapter states to its end, however long that
 * takes, and keep what it gives to keep among them; release the delivery.  The
 * operation's texts may be NULL. */
enum err enquire(struct dispatch *dispatch, const struct service *service,
                 struct adapter_states *states, struct op *op,
                 struct delivery *delivery);

/* Append the names of these rights, "read, post". */
void enquiry_add_rights(unsigned held, struct buf *text);

/* Without these no game can be hosted; `new_thread`: where a game opens a
 * thread of its own, if the service has threads. */
unsigned enquiry_needed_rights(const struct adapter *adapter, bool new_thread);

/* Append what the operator can do about a place that failed. */
void enquiry_advise_place(enum err err, struct buf *why);

#endif
