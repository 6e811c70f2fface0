#include "bot/tables/services.h"

#include <assert.h>
#include <stdio.h>

void
service_set(struct service *service, const struct conf *conf,
            const struct secrets *secrets, const char *name)
{
    const struct account *account = conf_account(conf, name);
    *service =
        (struct service){.adapter = adapter_find(conf_kind_of(conf, name))};
    assert(service->adapter != NULL); /* conf_load has made sure */
    const char *base = account == NULL || account->url[0] == '\0'
                           ? service->adapter->base
                           : account->url;
    (void)snprintf(service->name, sizeof service->name, "%s", name);
    (void)snprintf(service->base, sizeof service->base, "%s", base);
    service->bold_classes = account == NULL ? NULL : account->bold_classes;
    if (account != NULL && account->user[0] != '\0') {
        (void)snprintf(service->user, sizeof service->user, "%s",
                       account->user);
        service->password = service->adapter->token_names_user
                                ? NULL
                                : secrets_find(secrets, account);
    }
}
