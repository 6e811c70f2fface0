/* What health_look has found, in Prometheus's text-based format. */
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/cli/health.h"

/* One metric, with its samples. */
struct metric {
    const char *name; /* after "placard_"; what only grows ends in "_total" */
    struct buf text;
};

static struct metric
begin(const char *name, const char *help)
{
    struct metric metric = {name, BUF_INIT};
    buf_addf(&metric.text, "# HELP placard_%s %s\n# TYPE placard_%s %s\n", name,
             help, name, strstr(name, "_total") != NULL ? "counter" : "gauge");
    return metric;
}

/* Labels: a name and a value each.  Of values backslash and quote are escaped,
 * as in JSON; names of places have no characters of control. */
static void
add(struct metric *metric, const char *const labels[4], int64_t value)
{
    struct buf *out = &metric->text;
    buf_addf(out, "placard_%s", metric->name);
    for (unsigned i = 0; i < 4 && labels[i] != NULL; i += 2) {
        buf_addf(out, "%c%s=", i == 0 ? '{' : ',', labels[i]);
        jtext_string(out, labels[i + 1]);
    }
    buf_addf(out, "%s %lld\n", labels[0] == NULL ? "" : "}", (long long)value);
}

static void
end(struct metric *metric, struct buf *out)
{
    buf_add_buf(out, &metric->text);
    buf_release(&metric->text);
}

static void
add_places(const struct health *health, struct buf *out)
{
    struct metric polled =
        begin("last_poll_timestamp_seconds",
              "When the place was last polled with success; 0: never.");
    struct metric behind =
        begin("clock_behind_seconds",
              "By how much the service's clock is behind this machine's.");
    for (unsigned i = 0; i < health->place_count; i++) {
        const struct health_place *place = &health->places[i];
        const char *const labels[] = {"place", place->name, "service",
                                      place->service};
        add(&polled, labels, place->polled / SECOND_MS);
        add(&behind, labels, place->behind_by / SECOND_MS);
    }
    end(&polled, out);
    end(&behind, out);
}

static void
add_services(const struct health *health, struct buf *out)
{
    struct metric refused =
        begin("account_refused",
              "Whether the service refuses the account, or what it writes.");
    struct metric failed =
        begin("failed_operations_total",
              "Operations that failed since the host began: reading, logging "
              "in, all but sending.");
    struct metric left =
        begin("requests_left", "Requests of the service's rate that were not "
                               "used in the last minute.");
    for (unsigned i = 0; i < health->service_count; i++) {
        const struct health_service *service = &health->services[i];
        const char *const labels[4] = {"service", service->name};
        add(&refused, labels, service->refused);
        add(&failed, labels, service->failed);
        if (service->left >= 0) {
            add(&left, labels, service->left);
        }
    }
    end(&refused, out);
    end(&failed, out);
    end(&left, out);
}

void
health_add_metrics(const struct health *health, struct buf *out)
{
    int64_t waited = health->undelivered_since == 0
                         ? 0
                         : health->now - health->undelivered_since;
    const struct {
        const char *name, *help;
        int64_t value; /* -1: unknown */
    } ones[] = {
        {"status_timestamp_seconds", "When these metrics were written.",
         health->now / SECOND_MS},
        {"up", "Whether a host runs.", health->running},
        {"places", "Places of the configuration.", health->place_count},
        {"undelivered_messages", "Messages that could not be delivered yet.",
         health->undelivered},
        {"undelivered_age_seconds",
         "How long the oldest of them has waited; 0: none waits.",
         waited / SECOND_MS},
        {"store_bytes", "The size of the store.", health->store_bytes},
        {"store_damaged", "Whether a check has found the store damaged.",
         health->damaged},
        {"disk_left_bytes", "What is left of the store's disk.",
         health->free_bytes},
        {"last_backup_timestamp_seconds",
         "When placard backup last made one; 0: none is known of.",
         health->backup / SECOND_MS},
    };
    const char *const none[4] = {NULL};
    for (unsigned i = 0; i < sizeof ones / sizeof ones[0]; i++) {
        struct metric metric = begin(ones[i].name, ones[i].help);
        if (ones[i].value >= 0) {
            add(&metric, none, ones[i].value);
        }
        end(&metric, out);
    }
    struct metric games = begin("games", "Games in the store, by how they "
                                         "stand.");
    for (unsigned i = 0; i < HEALTH_STATES; i++) {
        const char *const labels[4] = {"state", health_states[i]};
        add(&games, labels, health->games[i]);
    }
    end(&games, out);
    add_services(health, out);
    add_places(health, out);
}
