#include "bot/tables/rule.h"

#include <string.h>

#include "bot/tables/dms.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/game_log.h"

/* ---- saving -------------------------------------------------------------- */

/* In a session its post is edited whichever choice is open; in a pause not at
 * all, whoever chooses then, but at its end. */
static bool
has_moved_deadline(const struct ruling *ruling)
{
    const struct table *table = ruling->table;
    bool stands = table->phase == ruling->first_phase ||
                  table_phase(table) == ruling->first_phase;
    return table->state == TABLE_RUNNING && ruling->first_told != 0 && stands &&
           !table->paused &&
           (ruling->first_paused || table_told(table) != ruling->first_told);
}

/* Is another game than that one on in a thread? */
static bool
is_played_in(const struct tables *tables, const struct service *service,
             const char *thread, const char *game)
{
    const struct hosted_table *hosted = NULL;
    size_t at = 0;
    do {
        hosted = hosted_next_in_thread(tables, service, thread, &at);
    } while (hosted != NULL && strcmp(hosted->table.id, game) == 0);
    return hosted != NULL;
}

/* A table is over: how its posts were read is not needed any more.  Nor are the
 * posts in the threads of earlier games of its place, once these are not read
 * any more, and none can be moved from there into another. */
static void
forget_posts(struct tables *tables, const struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct service *service = ruling->env->service;
    dms_forget(tables, service, table);
    if (!is_played_in(tables, service, table->thread, table->id)) {
        store_forget_readings(tables->store, service->name, table->thread);
    }
    if (!service->adapter->capabilities.merges) {
        store_forget_threads(tables->store, service->name, table->place,
                             ruling->env->now - FEED_LISTEN_MS);
    }
}

void
rule_save(struct tables *tables, struct ruling *ruling)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    store_save_ruling(tables->store, ruling, &tables->outbox);
    game_log(ruling);
    if (has_moved_deadline(ruling)) {
        store_recall(tables->store, table->id, table_phase(table), "",
                     &tables->outbox);
    }
    if (over && ruling->row_count > 0) {
        forget_posts(tables, ruling);
    }
    tables->hosted.ended = tables->hosted.ended || over;
    tables->acted = tables->acted || ruling->row_count > 0;
    ruling_release(ruling);
}

/* ---- ruling -------------------------------------------------------------- */

void
rule_begin(struct tables *tables, struct hosted_table *hosted, int64_t time,
           struct rule *rule)
{
    rule->hosted = hosted;
    rule->env = tables_env(tables, &hosted->table, time);
    ruling_init(&rule->ruling, &rule->env, &hosted->table);
}

void
rule_begin_now(struct tables *tables, struct hosted_table *hosted, int64_t now,
               struct rule *rule)
{
    rule_begin(tables, hosted, tables_asking_time(tables, hosted->service, now),
               rule);
}

bool
rule_begin_for(struct tables *tables, const struct queued_message *queued,
               int64_t now, struct rule *rule)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    if (hosted != NULL) {
        rule_begin_now(tables, hosted, now, rule);
    }
    return hosted != NULL;
}

void
rule_end(struct tables *tables, struct rule *rule)
{
    hosted_note(tables, rule->hosted);
    rule_save(tables, &rule->ruling);
}

void
rule_say(struct tables *tables, struct hosted_table *hosted,
         const struct post *post,
         void (*say)(struct ruling *ruling, const struct post *post),
         int64_t now)
{
    struct rule rule;
    rule_begin(tables, hosted, now, &rule);
    say(&rule.ruling, post);
    rule_end(tables, &rule);
}
