#include "bot/services.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void
service_set(struct service *service, const struct conf *conf,
            const struct secrets *secrets, const char *name)
{
    const struct account *account = conf_account(conf, name);
    *service =
        (struct service){.adapter = adapter_find(conf_kind_of(conf, name))};
    assert(service->adapter != NULL); /* conf_load has seen to it */
    const char *base = account == NULL || account->url[0] == '\0'
                           ? service->adapter->base
                           : account->url;
    (void)snprintf(service->name, sizeof service->name, "%s", name);
    (void)snprintf(service->base, sizeof service->base, "%s", base);
    if (account != NULL && account->user[0] != '\0') {
        (void)snprintf(service->user, sizeof service->user, "%s",
                       account->user);
        service->password = secrets_find(secrets, account);
    }
}

void
service_authorize(const struct service *service, const struct conf *conf,
                  const struct secrets *secrets, struct courier *courier)
{
    const struct account *account = conf_account(conf, service->name);
    if (account != NULL && service->password == NULL) {
        courier_set_token(courier, service->name,
                          secrets_find(secrets, account));
    }
}

void
service_authorize_by(const struct service *service, const struct note *notes,
                     unsigned count, struct courier *courier)
{
    for (unsigned i = 0; i < count && service->password != NULL; i++) {
        if (strcmp(notes[i].key, NOTE_TOKEN) == 0) {
            courier_set_token(courier, service->name, notes[i].value);
        }
    }
}
