/*
 * Adapter states, as the store has them, in memory: each operation needs those
 * of its service, and opening a sealed value takes longer than most do.
 *
 * They hold tokens: they are wiped when the tables are closed.
 */
#ifndef BOT_TABLES_STATES_H
#define BOT_TABLES_STATES_H

#include "adapters/adapter.h"
#include "bot/tables/tables.h"

/* Load those of all services from the open store. */
enum err tables_load_states(struct tables *tables, struct buf *why) MUST_USE;
void tables_wipe_states(struct tables *tables); /* also of zeroed tables */

/* Those of a service; borrowed until the next are saved. */
const struct adapter_states *tables_states(const struct tables *tables,
                                           const struct service *service);

/* Save those that an operation or a doorbell gave, within a transaction or not.
 * One that has not changed is not written again.  If the transaction is given
 * up, the tables MUST be closed. */
enum err tables_save_states(struct tables *tables,
                            const struct service *service,
                            const struct adapter_states *states,
                            struct buf *why) MUST_USE;

#endif
