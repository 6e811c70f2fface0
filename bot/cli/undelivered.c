#include "bot/cli/undelivered.h"

#include <stdio.h>
#include <stdlib.h>

#include "bot/base/civil.h"
#include "bot/store/recover.h"

struct printing {
    struct store *store;
    unsigned lines;
};

/* What a kind of message is called: one, and more. */
static const char *const names[][2] = {
    [LETTER_POST] = {"post", "posts"},
    [LETTER_PRIVATE] = {"private message", "private messages"},
    [LETTER_STATUS] = {"status post", "status posts"},
    [LETTER_REACT] = {"reaction", "reactions"},
    [LETTER_DELETE] = {"deletion", "deletions"},
    [LETTER_TRANSCRIPT] = {"transcript of the deal", "transcripts of the deal"},
    [LETTER_OPEN] = {"thread of its own", "threads of their own"},
    [LETTER_LOCK] = {"lock on a post", "locks on posts"},
};

/* Is a game in session, or can't that be told? */
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
print_letter(void *context, const struct store_letter *letter, struct buf *why)
{
    struct printing *printing = context;
    struct buf since = BUF_INIT;
    (void)why;
    if (letter->kind == LETTER_PRIVATE && letter->game[0] != '\0' &&
        is_in_session(printing->store, letter->game)) {
        return ERR_NONE;
    }
    instant_write(letter->written, &since);
    if (printing->lines++ == 0) {
        (void)printf("Not delivered, and tried again:\n");
    }
    (void)printf("%-6s %-16s %lld %s, since %s%s%s%s\n",
                 letter->game[0] == '\0' ? "-" : letter->game, letter->place,
                 (long long)letter->count,
                 names[letter->kind][letter->count > 1], buf_text(&since),
                 letter->queued != 0 ? "; waits for a moderator's approval"
                                     : "",
                 letter->trouble[0] == '\0' ? "" : ": ", letter->trouble);
    buf_release(&since);
    return ERR_NONE;
}

enum err
undelivered_print(struct store *store, int64_t now, struct buf *why)
{
    struct printing printing = {.store = store};
    return store_undelivered(store, now - MINUTE_MS, print_letter, &printing,
                             why);
}
