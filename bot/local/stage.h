/*
 * The stage: a whole host on the embedded board in one folder, with a clock
 * that stands still until it is moved.  `play` and its replay run on it.
 *
 * Everything passes through the same adapter, parser, engine, store and outbox
 * as in a hosted game; only the clock and, in a replay, the dealer differ.
 */
#ifndef BOT_LOCAL_STAGE_H
#define BOT_LOCAL_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/board/board_server.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/loop.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/tables_open.h"
#include "config/config.h"

/* The person who opens tables on a stage, its only moderator. */
#define STAGE_MODERATOR "Mo"

struct stage {
    struct conf conf; /* one place, "board" */
    struct dealer dealer;
    unsigned char secret[DEAL_SECRET]; /* of a seeded stage */
    bool seeded;
    enum opening opening; /* zeroed: all is checked */
    struct board *board;
    struct dispatch *dispatch;
    struct catalogues catalogues;
    struct tables tables;
    struct loop loop;
    int64_t now;
};

/* The defaults of a stage's games.  They differ from the usual ones in three
 * ways: nobody has to show that messages reach them, games stay where they are
 * opened, and people at a terminal need no colour: bold alone names a
 * player. */
void stage_settings(struct settings *settings);

/* The same, but nothing is said or done unless somebody acts: no reminders, no
 * second thoughts. */
void stage_settings_plain(struct settings *settings);

/*
 * Set a stage up in `folder` (made if it is missing): existing files store.db
 * and board.db are continued.  Before that, the caller may set
 * stage->conf.settings (conf_defaults first), a dealer (dealer_fair if it has
 * no functions) and how games are taken up.  The clock is set to `now`, or to
 * the newest post or the newest unsent message if that is later.
 */
enum err stage_open(struct stage *stage, const char *folder, int64_t now,
                    struct buf *why) MUST_USE;
void stage_close(struct stage *stage);

/* Use a seed of 1 to 64 hex digits (padded on the left) as the secret R of the
 * deal; false: it is not one.  Call it before stage_open. */
bool stage_seed(struct stage *stage, const char *hex);

/* Post as a person at the stage's time; a post with a key (or NULL) is made
 * only once. */
enum err stage_post(struct stage *stage, const char *author, bool in_private,
                    const char *text, const char *key,
                    struct buf *why) MUST_USE;

/* Let the host read, judge and send until nothing is left to do at the stage's
 * time. */
enum err stage_settle(struct stage *stage, struct buf *why) MUST_USE;

/* The time at which the host has something to do next (a deadline, a message);
 * 0: nothing until a new post comes. */
int64_t stage_due(const struct stage *stage);

/* Move the clock on (never back) and settle. */
enum err stage_jump(struct stage *stage, int64_t now, struct buf *why) MUST_USE;

/* The table that is open or running, borrowed; NULL: none. */
const struct table *stage_table(struct stage *stage);

/* The catalogue with which a table is hosted, borrowed; without a table, the
 * one that the settings name. */
const struct catalogue *stage_catalogue(struct stage *stage,
                                        const struct table *table);

#endif
