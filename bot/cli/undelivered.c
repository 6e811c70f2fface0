#include "bot/cli/undelivered.h"

#include <stdio.h>
#include <stdlib.h>

#include "bot/base/civil.h"
#include "bot/store/recover.h"

struct printing {
    struct store *store;
    unsigned lines;
};

/* The name of a kind of message: one, and more. */
static const char *const names[][2] = {
    [MESSAGE_POST] = {"post", "posts"},
    [MESSAGE_PRIVATE] = {"private message", "private messages"},
    [MESSAGE_STATUS] = {"status post", "status posts"},
    [MESSAGE_REACT] = {"reaction", "reactions"},
    [MESSAGE_DELETE] = {"deletion", "deletions"},
    [MESSAGE_TRANSCRIPT] = {"transcript of the deal",
                            "transcripts of the deal"},
    [MESSAGE_OPEN] = {"thread of its own", "threads of their own"},
    [MESSAGE_LOCK] = {"lock on a post", "locks on posts"},
};

/* Is a game in session, or is that unknown? */
static bool
is_in_session(struct store *store, const char *game)
{
    struct table *table = must_alloc(sizeof *table);
    struct buf unsaid = BUF_INIT;
    bool secret = recover_table(store, game, table, &unsaid) != ERR_NONE ||
                  (table->state == TABLE_RUNNING && table_is_secret(table));
    wipe(table, sizeof *table);
    free(table);
    buf_release(&unsaid);
    return secret;
}

static enum err
print_message(void *context, const struct store_message *message,
              struct buf *why)
{
    struct printing *printing = context;
    struct buf since = BUF_INIT;
    (void)why;
    if (message->kind == MESSAGE_PRIVATE && message->game[0] != '\0' &&
        is_in_session(printing->store, message->game)) {
        return ERR_NONE;
    }
    instant_write(message->written, &since);
    if (printing->lines++ == 0) {
        (void)printf("Not delivered, and tried again:\n");
    }
    (void)printf("%-6s %-16s %lld %s, since %s%s%s%s\n",
                 message->game[0] == '\0' ? "-" : message->game, message->place,
                 (long long)message->count,
                 names[message->kind][message->count > 1], buf_text(&since),
                 message->unapproved != 0 ? "; waits for a moderator's approval"
                                          : "",
                 message->trouble[0] == '\0' ? "" : ": ", message->trouble);
    buf_release(&since);
    return ERR_NONE;
}

enum err
undelivered_print(struct store *store, int64_t now, struct buf *why)
{
    struct printing printing = {.store = store};
    return store_undelivered(store, now - MINUTE_MS, print_message, &printing,
                             why);
}
