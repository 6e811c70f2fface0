#include "tests/support/virtual_host.h"

#include <string.h>

#include "bot/cli/command.h"
#include "bot/loop/authorize.h"
#include "bot/tables/turns/tables_open.h"

enum err
virtual_host_open(struct virtual_host *host, const char *conf, struct buf *why)
{
    struct catalogues *catalogues =
        host->lent != NULL ? host->lent : &host->catalogues;
    const struct dealer *dealer =
        host->dealer != NULL ? host->dealer : &dealer_fair;
    if (options_conf(conf, &host->conf) != EXIT_DONE ||
        options_secrets(&host->conf, &host->secrets) != EXIT_DONE) {
        return err_say(why, ERR_CONFIG, "%s: see above", conf);
    }
    enum err err = tables_open(&host->tables, &host->conf, catalogues,
                               &host->secrets, dealer, OPEN_UNCHECKED, why);
    if (err != ERR_NONE) {
        return err;
    }
    host->dispatch = dispatch_new(NULL);
    loop_open(&host->loop, &host->tables, host->dispatch);
    for (unsigned i = 0; i < host->tables.services.count; i++) {
        service_authorize(&host->tables.services.list[i], &host->conf,
                          &host->secrets, host->dispatch);
    }
    return err;
}

enum err
virtual_host_turn(struct virtual_host *host, int64_t now, struct buf *why)
{
    bool waits = host->sleeps && dispatch_waits(host->dispatch);
    int64_t patience = waits ? loop_wake(&host->loop, now) - now : 0;
    enum err err = loop_turn(&host->loop, now, patience, why);
    host->wake = loop_wake(&host->loop, now);
    host->busy = dispatch_busy(host->dispatch);
    return err;
}

void
virtual_host_close(struct virtual_host *host)
{
    loop_close(&host->loop);
    dispatch_free(host->dispatch);
    tables_close(&host->tables);
    catalogues_release(&host->catalogues);
    conf_release(&host->conf);
    secrets_release(&host->secrets);
    memset(host, 0, sizeof *host);
}
