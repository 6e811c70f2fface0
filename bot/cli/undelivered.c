#include "bot/cli/undelivered.h"

#include <stdio.h>
#include <stdlib.h>

#include "bot/base/civil.h"
#include "bot/store/recover.h"

struct listing {
    struct store *store;
    store_message_reader *each;
    void *context;
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
    [MESSAGE_INVITE] = {"way into the gallery", "ways into the gallery"},
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
list_message(void *context, const struct store_message *message,
             struct buf *why)
{
    const struct listing *listing = context;
    return message->kind == MESSAGE_PRIVATE && message->game[0] != '\0' &&
                   is_in_session(listing->store, message->game)
               ? ERR_NONE
               : listing->each(listing->context, message, why);
}

enum err
undelivered_each(struct store *store, int64_t now, store_message_reader *each,
                 void *context, struct buf *why)
{
    struct listing listing = {.store = store, .each = each, .context = context};
    return store_undelivered(store, now - MINUTE_MS, list_message, &listing,
                             why);
}

const char *
undelivered_name(const struct store_message *message)
{
    return names[message->kind][message->count > 1];
}

static enum err
print_message(void *context, const struct store_message *message,
              struct buf *why)
{
    unsigned *lines = context;
    struct buf since = BUF_INIT;
    (void)why;
    instant_write(message->written, &since);
    if ((*lines)++ == 0) {
        (void)printf("Not delivered, and tried again:\n");
    }
    (void)printf(
        "%-6s %-16s %lld %s, since %s%s%s%s\n",
        message->game[0] == '\0' ? "-" : message->game, message->place,
        (long long)message->count, undelivered_name(message), buf_text(&since),
        message->unapproved != 0 ? "; waits for a moderator's approval" : "",
        message->trouble[0] == '\0' ? "" : ": ", message->trouble);
    buf_release(&since);
    return ERR_NONE;
}

enum err
undelivered_print(struct store *store, int64_t now, struct buf *why)
{
    unsigned lines = 0;
    return undelivered_each(store, now, print_message, &lines, why);
}
