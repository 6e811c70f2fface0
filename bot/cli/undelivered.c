#include "bot/cli/undelivered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "bot/base/civil.h"
#include "bot/cli/archive.h"
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
    [MESSAGE_BARE] = {"removal of buttons", "removals of buttons"},
};

/* Is a game in session, or is that unknown? */
static bool
is_in_session(struct store *store, const char *game)
{
    struct table table;
    struct buf unsaid = BUF_INIT;
    table_init(&table);
    bool secret = recover_table(store, game, &table, &unsaid) != ERR_NONE ||
                  (table.state == TABLE_RUNNING && table_is_secret(&table));
    table_release(&table);
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
        "%-6s %-16s %lld %s, since %s%s%s%s",
        message->game[0] == '\0' ? "-" : message->game, message->place,
        (long long)message->count, undelivered_name(message), buf_text(&since),
        message->unapproved != 0 ? "; waits for a moderator's approval" : "",
        message->trouble[0] == '\0' ? "" : ": ", message->trouble);
    if (message->id != 0) {
        (void)printf("; it may have arrived: number %" PRId64, message->id);
    }
    (void)printf("\n");
    buf_release(&since);
    return ERR_NONE;
}

enum err
undelivered_print(struct store *store, int64_t now, struct buf *why)
{
    unsigned lines = 0;
    return undelivered_each(store, now, print_message, &lines, why);
}

/* ---- the command --------------------------------------------------------- */

struct settlement {
    const char *there, *again; /* the message's number, as it was typed */
    int64_t message;
    bool found;
};

static enum err
find_message(void *context, const struct store_message *message,
             struct buf *why)
{
    struct settlement *settlement = context;
    (void)why;
    settlement->found =
        settlement->found ||
        (message->id != 0 && message->id == settlement->message);
    return ERR_NONE;
}

static enum err
settle(struct archive *archive, struct settlement *settlement, struct buf *why)
{
    char *end = NULL;
    bool there = settlement->there != NULL;
    const char *number = there ? settlement->there : settlement->again;
    settlement->message = strtoll(number, &end, 10);
    enum err err = undelivered_each(archive->store, clock_now(), find_message,
                                    settlement, why);
    if (err == ERR_NONE && (*end != '\0' || !settlement->found)) {
        err = err_say(why, ERR_GONE,
                      "%s: no message of that number may have arrived; "
                      "`placard undelivered` lists those that may",
                      number);
    }
    ERR_THEN(err, store_note_settled(archive->conf.store, settlement->message,
                                     there, why));
    if (err == ERR_NONE) {
        (void)printf("Message %s counts as %s as soon as a host runs.\n",
                     number, there ? "delivered" : "not sent yet");
    }
    return err;
}

static enum err
settle_or_list(struct archive *archive, void *context, struct buf *why)
{
    struct settlement *settlement = context;
    unsigned lines = 0;
    if (settlement->there != NULL || settlement->again != NULL) {
        return settle(archive, settlement, why);
    }
    enum err err = undelivered_each(archive->store, clock_now(), print_message,
                                    &lines, why);
    if (lines == 0) {
        (void)printf("No message waits.\n");
    }
    return err;
}

int
command_undelivered(int argc, char **argv)
{
    const char *file = NULL;
    struct settlement settlement = {.found = false};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--there", .value = &settlement.there},
        {.name = "--again", .value = &settlement.again},
        {.name = NULL}};
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (settlement.there != NULL && settlement.again != NULL) {
        (void)fprintf(stderr, "placard undelivered: is it there, or is it to "
                              "be sent again? Give one of both\n");
        return EXIT_USAGE;
    }
    return archive_do(file, settle_or_list, &settlement);
}
