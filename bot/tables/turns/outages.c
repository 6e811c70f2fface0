/*
 * The tables: times in which nothing could be read
 * (bot/tables/feeds/reached.h).  The players are told whether it was the
 * service or the host, and lose no time by either.
 */
#include "bot/tables/turns/outages.h"

#include "bot/base/log.h"
#include "bot/host/judge/outage.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/feeds/reached.h"
#include "bot/tables/feeds/readings.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"

/* A thread that was never read has brought nothing since its first question was
 * put; 0: there is none. */
static int64_t
first_question(const struct tables *tables, const struct feed *feed)
{
    const struct hosted_table *hosted = NULL;
    int64_t first = 0;
    size_t at = 0;
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        int64_t opened = table_put_at(&hosted->table);
        first = opened != 0 && (first == 0 || opened < first) ? opened : first;
    }
    return first;
}

static void
tell(struct tables *tables, const struct feed *feed, const struct outage *gap,
     int64_t now)
{
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    while ((hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        const struct table *table = &hosted->table;
        struct rule rule;
        if (table->state != TABLE_RUNNING && !table_is_coming(table)) {
            continue;
        }
        rule_begin_now(tables, hosted, now, &rule);
        outage_tell(&rule.ruling, gap);
        rule_end(tables, &rule);
    }
}

/* Was a question of a service put at a time that is yet to come?  A clock was
 * wrong by more than a day. */
static bool
any_ahead(const struct tables *tables, const struct service *service,
          int64_t now)
{
    return tables->hosted.last_opened[service->number] >
           tables_service_now(tables, service, now) + CLOCK_FAR_BACK;
}

/* Questions that were put by a wrong clock begin anew, by the one that is
 * believed.  Those that were put at a time that is yet to come would never end.
 * The clock may also have been behind, as it was before it leapt: what was
 * asked by it may have named a later deadline than its own. */
static void
set_right(struct tables *tables, const struct service *service,
          const struct reached *reached, int64_t now)
{
    const struct service_clock *before = &reached->before;
    int64_t time = tables_service_now(tables, service, now);
    int64_t until = before->time + (tables_steady(tables, now) - before->at);
    hosted_forget_opened(tables, service);
    for (size_t i = 0; i < tables->hosted.count; i++) {
        struct hosted_table *hosted = tables->hosted.list[i];
        int64_t opened = table_put_at(&hosted->table);
        bool behind =
            reached->leapt && opened >= before->time && opened <= until;
        if (hosted->service == service &&
            (behind || opened > time + CLOCK_FAR_BACK)) {
            struct rule rule;
            rule_begin(tables, hosted, time, &rule);
            outage_begin_anew(&rule.ruling);
            rule_end(tables, &rule);
        }
    }
}

void
outages_reached(struct tables *tables, struct feed *feed,
                const struct outcome *outcome, int64_t asked_at, int64_t now)
{
    struct reached reached;
    struct feeds *feeds = &tables->feeds;
    int64_t steady = tables_steady(tables, now);
    if (!reached_note(feeds, feed, outcome, asked_at, now, &reached) ||
        feed->user[0] != '\0') {
        return;
    }
    int64_t forgotten = outcome->forgotten;
    const struct outage gap = {
        .from = reached.from != 0 ? reached.from : first_question(tables, feed),
        .to = forgotten != 0 && forgotten < reached.to ? forgotten : reached.to,
        .outage = reached.outage,
        .lost = forgotten != 0,
    };
    bool found =
        gap.from != 0 && gap.to - gap.from >= (gap.lost ? 1 : OUTAGE_LEAST);
    /* What time it is has to be told, and agree with what was told before: at a
     * start it may be known by our clock alone, which may be wrong. */
    bool wrong = reached.leapt ||
                 (reached.tells && any_ahead(tables, feed->service, now));
    bool apart = found || wrong;
    bool taken = outcome->page.count == 0; /* else it is saved once it is */
    if (!apart && (!taken || !readings_due(feeds, feed, steady))) {
        return;
    }
    store_begin(tables->store);
    if (apart) {
        readings_save_apart(feeds, feed, taken);
    } else {
        readings_save(feeds, feed, steady);
    }
    if (wrong) {
        set_right(tables, feed->service, &reached, now);
    }
    if (found) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = feed->service->name,
                                        .event = "gap"},
                  "%s: nothing of %s could be read for %lld minutes",
                  feed->service->name, feed->name,
                  (long long)((gap.to - gap.from) / MINUTE_MS));
        tell(tables, feed, &gap, now);
    }
    store_commit(tables->store);
}
