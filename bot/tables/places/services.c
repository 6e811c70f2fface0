#include "bot/tables/places/services.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"

void
service_init(struct service *service, const struct service_kind *kind,
             const struct account *account, const char *secret)
{
    bool password =
        account->user[0] != '\0' && !kind->adapter->token_names_user;
    *service = (struct service){.adapter = kind->adapter,
                                .password = password ? secret : NULL};
    (void)snprintf(service->name, sizeof service->name, "%s", account->name);
    (void)snprintf(service->base, sizeof service->base, "%s",
                   account->url[0] == '\0' ? kind->base : account->url);
    (void)snprintf(service->user, sizeof service->user, "%s", account->user);
}

void
service_set(struct service *service, const struct conf *conf,
            const struct secrets *secrets, const char *name)
{
    static const struct account board = {.name = CONF_BOARD};
    const struct account *account = conf_account(conf, name);
    const struct service_kind *kind = service_find(conf_kind_of(conf, name));
    assert(kind != NULL); /* conf_load has made sure */
    bool named = account != NULL && account->user[0] != '\0';
    service_init(service, kind, account == NULL ? &board : account,
                 named ? secrets_find(secrets, account) : NULL);
    service->bold_classes = account == NULL ? NULL : account->bold_classes;
}

void
services_init(struct services *services, const struct conf *conf)
{
    /* Each account is a service, and so is the board. */
    size_t room = (size_t)conf->account_count + 1;
    *services = (struct services){
        .conf = conf,
        .room = (unsigned)room,
        .list = must_alloc(room * sizeof(struct service)),
        .presses_lost = must_alloc(room * sizeof(bool)),
        .states = must_alloc(room * sizeof(struct adapter_states)),
    };
}

void
services_release(struct services *services)
{
    for (unsigned i = 0; i < services->count; i++) {
        adapter_states_release(&services->states[i]);
    }
    free(services->states);
    free(services->presses_lost);
    free(services->list);
    memset(services, 0, sizeof *services);
}

struct service *
services_find(const struct services *services, const char *name)
{
    for (unsigned i = 0; i < services->count; i++) {
        if (strcmp(services->list[i].name, name) == 0) {
            return &services->list[i];
        }
    }
    return NULL;
}

struct service *
services_take(struct services *services, const struct secrets *secrets,
              const char *name)
{
    struct service *service = services_find(services, name);
    if (service == NULL && (strcmp(name, CONF_BOARD) == 0 ||
                            conf_account(services->conf, name) != NULL)) {
        service = &services->list[services->count];
        service_set(service, services->conf, secrets, name);
        service->number = services->count++;
    }
    return service;
}

/* ---- what is pressed ----------------------------------------------------- */

bool
services_have_buttons(const struct services *services,
                      const struct service *service)
{
    const struct account *account = conf_account(services->conf, service->name);
    return account != NULL && account->buttons &&
           service->adapter->capabilities.buttons;
}

bool
services_presses_lost(const struct services *services,
                      const struct service *service)
{
    return services_have_buttons(services, service) &&
           services->presses_lost[service->number];
}

bool
services_have_commands(const struct services *services,
                       const struct service *service)
{
    const struct account *account = conf_account(services->conf, service->name);
    return account != NULL && account->commands &&
           service->adapter->capabilities.commands;
}

void
services_note_presses(struct services *services, const struct service *service,
                      bool lost)
{
    services->presses_lost[service->number] = lost;
}

/* ---- adapter states ------------------------------------------------------ */

void
services_load_states(struct services *services, struct store *store)
{
    for (unsigned i = 0; i < services->count; i++) {
        store_states(store, services->list[i].name, &services->states[i]);
    }
}

void
services_save_states(struct services *services, struct store *store,
                     const struct service *service,
                     const struct adapter_states *states)
{
    struct adapter_states *known = &services->states[service->number];
    for (unsigned i = 0; i < states->count; i++) {
        const struct adapter_state *state = &states->list[i];
        const char *old =
            adapter_states_find(known->list, known->count, state->key);
        if (old[0] != '\0' && strcmp(old, state->value) == 0) {
            continue;
        }
        store_set_state(store, service->name, state);
        (void)adapter_states_set(known, state->key, state->value);
    }
}
