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

static enum err
tell(struct tables *tables, const struct feed *feed, const struct outage *gap,
     int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    while (err == ERR_NONE &&
           (hosted = hosted_next_of_feed(tables, feed, &at)) != NULL) {
        const struct table *table = &hosted->table;
        struct rule rule;
        if (table->state != TABLE_RUNNING && !table_is_coming(table)) {
            continue;
        }
        rule_begin_now(tables, hosted, now, &rule);
        outage_tell(&rule.ruling, gap);
        err = rule_end(tables, &rule, why);
    }
    return err;
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
static enum err
set_right(struct tables *tables, const struct service *service,
          const struct reached *reached, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct service_clock *before = &reached->before;
    int64_t time = tables_service_now(tables, service, now);
    int64_t until = before->time + (tables_steady(tables, now) - before->at);
    hosted_forget_opened(tables, service);
    for (size_t i = 0; err == ERR_NONE && i < tables->hosted.count; i++) {
        struct hosted_table *hosted = tables->hosted.list[i];
        int64_t opened = table_put_at(&hosted->table);
        bool behind =
            reached->leapt && opened >= before->time && opened <= until;
        if (hosted->service == service &&
            (behind || opened > time + CLOCK_FAR_BACK)) {
            struct rule rule;
            rule_begin(tables, hosted, time, &rule);
            outage_begin_anew(&rule.ruling);
            err = rule_end(tables, &rule, why);
        }
    }
    return err;
}

enum err
outages_reached(struct tables *tables, struct feed *feed,
                const struct outcome *outcome, int64_t asked_at, int64_t now,
                struct buf *why)
{
    struct reached reached;
    struct feeds *feeds = &tables->feeds;
    int64_t steady = tables_steady(tables, now);
    if (!reached_note(feeds, feed, outcome, asked_at, now, &reached) ||
        feed->user[0] != '\0') {
        return ERR_NONE;
    }
    const struct outage gap = {
        .from = reached.from != 0 ? reached.from : first_question(tables, feed),
        .to = reached.to,
        .outage = reached.outage,
    };
    bool found = gap.from != 0 && gap.to - gap.from >= OUTAGE_LEAST;
    /* What time it is has to be told, and agree with what was told before: at a
     * start it may be known by our clock alone, which may be wrong. */
    bool wrong = reached.leapt ||
                 (reached.tells && any_ahead(tables, feed->service, now));
    bool apart = found || wrong;
    bool taken = outcome->page.count == 0; /* else it is saved once it is */
    if (!apart && (!taken || !readings_due(feeds, feed, steady))) {
        return ERR_NONE;
    }
    enum err err = store_begin(tables->store, why);
    if (err == ERR_NONE) {
        err = apart ? readings_save_apart(feeds, feed, taken, why)
                    : readings_save(feeds, feed, steady, why);
    }
    if (err == ERR_NONE && wrong) {
        err = set_right(tables, feed->service, &reached, now, why);
    }
    if (err == ERR_NONE && found) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = feed->service->name,
                                        .event = "gap"},
                  "%s: nothing of %s could be read for %lld minutes",
                  feed->service->name, feed->name,
                  (long long)((gap.to - gap.from) / MINUTE_MS));
        err = tell(tables, feed, &gap, now, why);
    }
    return tables_end(tables, err, why);
}
