/*
 * The services as configured (which adapter, where, as whom, with which secret)
 * and what the host knows of each: its adapter states, and whether presses come
 * from it.
 *
 * Each operation needs the adapter states of its service, and opening a sealed
 * value takes longer than most do, so they are in memory as the store has them.
 * They hold tokens, and are wiped when they are released.
 */
#ifndef BOT_TABLES_PLACES_SERVICES_H
#define BOT_TABLES_PLACES_SERVICES_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "bot/store/store.h"
#include "config/config.h"
#include "config/secrets.h"

struct services {
    const struct conf *conf; /* borrowed */
    struct service *list;    /* owned; those that places call by name */
    unsigned count, room;
    bool *presses_lost; /* owned; by service, as what follows: nothing that is
                           pressed comes */
    struct adapter_states *states; /* as the store has them, until the next are
                                      saved */
};

/* Fill in the service of an account of that kind.  The secret is borrowed as
 * its password, if it is one. */
void service_init(struct service *service, const struct service_kind *kind,
                  const struct account *account, const char *secret);

/* Fill in the service that places call by this name: CONF_BOARD, or the name of
 * an account in the configuration.  Its password, if it has one, is borrowed
 * from the secrets, its classes from the configuration. */
void service_set(struct service *service, const struct conf *conf,
                 const struct secrets *secrets, const char *name);

/* There are none yet, and room for all that are configured: they stay where
 * they are in memory. */
void services_init(struct services *services, const struct conf *conf);
void services_release(struct services *services); /* also of zeroed ones */

/* The one of that name; NULL: there is none. */
struct service *services_find(const struct services *services,
                              const char *name);

/* The same, added if need be; NULL: none is configured. */
struct service *services_take(struct services *services,
                              const struct secrets *secrets, const char *name);

/* Do the host's posts at a service have buttons?  Does nothing come that is
 * pressed there, though they have?  Are slash commands offered? */
bool services_have_buttons(const struct services *services,
                           const struct service *service);
bool services_presses_lost(const struct services *services,
                           const struct service *service);
bool services_have_commands(const struct services *services,
                            const struct service *service);

/* From now on nothing comes that is pressed there, or (`lost` false) it comes
 * again. */
void services_note_presses(struct services *services,
                           const struct service *service, bool lost);

/* Load the adapter states of all services. */
void services_load_states(struct services *services, struct store *store);

/* Save those that an operation or a doorbell gave, within a transaction or not.
 * One that has not changed is not written again.  If the transaction is given
 * up, the services MUST be released. */
void services_save_states(struct services *services, struct store *store,
                          const struct service *service,
                          const struct adapter_states *states);

#endif
