/*
 * A ruling at a table: begun, and saved with all that follows from it.
 *
 *     struct rule rule;
 *     rule_begin(tables, hosted, time, &rule);
 *     reach_back(&rule.ruling, user);
 *     return rule_end(tables, &rule, why);
 */
#ifndef BOT_TABLES_RULE_H
#define BOT_TABLES_RULE_H

#include "bot/host/table/ruling.h"
#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"

struct rule {
    struct hosted_table *hosted;
    struct host_env env;
    struct ruling ruling;
};

/* Begin to rule at a table.  `time`: by its service's clock.  It MUST be
 * ended. */
void rule_begin(struct tables *tables, struct hosted_table *hosted,
                int64_t time, struct rule *rule);

/* The same where people are asked something from now on; `now` by our clock
 * (tables_asking_time). */
void rule_begin_now(struct tables *tables, struct hosted_table *hosted,
                    int64_t now, struct rule *rule);

/* The same at the table of a message; false: its game is over, and nothing was
 * begun. */
bool rule_begin_for(struct tables *tables, const struct queued_message *queued,
                    int64_t now, struct rule *rule);

/* The list follows what the table has become, and the ruling is saved.  Within
 * a transaction. */
void rule_end(struct tables *tables, struct rule *rule);

/* Say something about a post at a table.  `now` by its service's clock.  Within
 * a transaction. */
void rule_say(struct tables *tables, struct hosted_table *hosted,
              const struct post *post,
              void (*say)(struct ruling *ruling, const struct post *post),
              int64_t now);

/*
 * Save a ruling, and release it: also one at a table that is not in the list.
 * If it has moved the deadline of the open question, what was posted about that
 * is edited.  Of a game that is over, posts are not needed any more.
 */
void rule_save(struct tables *tables, struct ruling *ruling);

#endif
