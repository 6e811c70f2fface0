#include "bot/tables/dms.h"

#include <stdlib.h>
#include <string.h>

#include "bot/tables/hosted.h"

/* Is an answer of somebody's due in secret at a table? */
static bool
asks_in_secret(const struct hosted_table *hosted, const char *user)
{
    unsigned seat = table_seat(&hosted->table, user);
    return seat != NO_SEAT && table_is_secret(&hosted->table) &&
           seat_in(seat, table_awaited(&hosted->table));
}

/* Does one game have a lower number than the other?  Later games have higher
 * ones. */
static bool
is_older(const struct table *one, const struct table *two)
{
    size_t len = strlen(one->id);
    size_t other = strlen(two->id);
    return len != other ? len < other : strcmp(one->id, two->id) < 0;
}

/* The tables that somebody knows (`asked`: only where an answer of theirs is
 * due in secret); *count: how many.  The oldest of them, or NULL. */
static struct hosted_table *
oldest_of(const struct tables *tables, const struct service *service,
          const char *user, bool asked, unsigned *count)
{
    struct hosted_table *found = NULL;
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    *count = 0;
    while ((hosted = hosted_next_known(tables, service, user, &at)) != NULL) {
        if (!asked || asks_in_secret(hosted, user)) {
            found = found == NULL || is_older(&hosted->table, &found->table)
                        ? hosted
                        : found;
            ++*count;
        }
    }
    return found;
}

struct hosted_table *
dms_table(const struct tables *tables, const struct service *service,
          const char *user)
{
    unsigned count = 0;
    struct hosted_table *asked = oldest_of(tables, service, user, true, &count);
    return asked != NULL ? asked
                         : oldest_of(tables, service, user, false, &count);
}

/* ---- "#14", at the beginning --------------------------------------------- */

/* Where the first character stands that people see and that belongs to nobody
 * else. */
static size_t
find_beginning(const struct rich *rich)
{
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        const char *text = rich_run_text(rich, run);
        size_t skip = 0;
        while (skip < run->len && strchr(" \t\n", text[skip]) != NULL) {
            skip++;
        }
        if (!(run->marks & MARKS_EXCLUDED) && skip < run->len) {
            return run->start + skip;
        }
    }
    return rich->text.len;
}

/* Take the number of a game off the beginning of a message; false: there is
 * none. */
static bool
take_number(struct rich *rich, char id[TABLE_ID_MAX + 1])
{
    size_t from = find_beginning(rich);
    const char *text = buf_text(&rich->text) + from;
    size_t len = text[0] == '#' ? strcspn(text + 1, " \t\n") : 0;
    struct rich rest = {.count = 0};
    if (len == 0 || len > TABLE_ID_MAX) {
        return false;
    }
    memcpy(id, text + 1, len);
    id[len] = '\0';
    rich_add_part(&rest, rich, 0, from);
    from += len + 1;
    from += strspn(buf_text(&rich->text) + from, " \t");
    rich_add_part(&rest, rich, from, rich->text.len - from);
    rich_wipe(rich);
    *rich = rest;
    return true;
}

/* ---- which table --------------------------------------------------------- */

/* The table of that number that somebody knows, or NULL. */
static struct hosted_table *
table_of_number(struct tables *tables, const struct service *service,
                const char *user, const char *id)
{
    struct hosted_table *hosted = hosted_named(tables, id);
    return hosted != NULL && hosted_knows(hosted, user) &&
                   hosted->service == service
               ? hosted
               : NULL;
}

/* The table whose message to somebody (NULL: to anybody) this answers, or NULL;
 * and whose question that passed on (NULL: it does not matter). */
static struct hosted_table *
find_answered(struct tables *tables, const struct service *service,
              const struct post *post, const char *to, struct buf *asker)
{
    struct buf game = BUF_INIT;
    if (post->reply_to[0] != '\0') {
        store_game_of_message(tables->store, post->reply_to, to, &game, asker);
    }
    struct hosted_table *hosted =
        game.len == 0
            ? NULL
            : table_of_number(tables, service, post->author, buf_text(&game));
    buf_release(&game);
    return hosted;
}

struct hosted_table *
dms_table_of_post(struct tables *tables, const struct service *service,
                  const struct post *post, struct rich *rich, bool *unclear)
{
    char id[TABLE_ID_MAX + 1];
    unsigned known = 0;
    unsigned asked = 0;
    *unclear = false;
    struct hosted_table *any =
        oldest_of(tables, service, post->author, false, &known);
    struct hosted_table *asking =
        oldest_of(tables, service, post->author, true, &asked);
    if (any == NULL) {
        return NULL;
    }
    if (take_number(rich, id)) {
        struct hosted_table *named =
            table_of_number(tables, service, post->author, id);
        *unclear = named == NULL;
        return named == NULL ? any : named;
    }
    struct hosted_table *answered =
        find_answered(tables, service, post, post->author, NULL);
    if (answered != NULL) {
        return answered;
    }
    /* A command is for any one of their games, an answer for one that asks. */
    *unclear = hosted_has_command(any, rich) ? known > 1 : asked > 1;
    return asking != NULL ? asking : any;
}

/* ---- answers of moderators ----------------------------------------------- */

struct hosted_table *
dms_find_asker(struct tables *tables, const struct service *service,
               const struct post *post, const struct rich *rich,
               struct buf *asker)
{
    struct hosted_table *hosted =
        find_answered(tables, service, post, NULL, asker);
    bool passes = hosted != NULL &&
                  table_seat(&hosted->table, post->author) == NO_SEAT &&
                  !hosted_has_command(hosted, rich);
    return passes ? hosted : NULL;
}

/* ---- the end of a game --------------------------------------------------- */

static bool
sits_elsewhere(const struct tables *tables, const struct service *service,
               const struct table *table, const char *user)
{
    const struct hosted_table *hosted = NULL;
    size_t at = 0;
    do {
        hosted = hosted_next_of_user(tables, service, user, &at);
    } while (hosted != NULL && strcmp(hosted->table.id, table->id) == 0);
    return hosted != NULL;
}

void
dms_forget(struct tables *tables, const struct service *service,
           const struct table *table)
{
    for (unsigned i = 0; i < table->seated; i++) {
        const char *user = table->seats[i].user;
        struct buf dm = BUF_INIT;
        if (!sits_elsewhere(tables, service, table, user)) {
            store_dm(tables->store, service->name, user, &dm);
        }
        if (dm.len > 0) {
            store_forget_readings(tables->store, service->name, buf_text(&dm));
        }
        buf_release(&dm);
    }
}

/* ---- asking back --------------------------------------------------------- */

static int
compare_age(const void *one, const void *two)
{
    const struct table *const *first = one;
    const struct table *const *second = two;
    return is_older(*first, *second) ? -1 : is_older(*second, *first);
}

void
dms_ask_which(struct tables *tables, const struct service *service,
              struct ruling *ruling, const char *user)
{
    const struct table **known =
        must_alloc((tables->hosted.count + 1) * sizeof(struct table *));
    const struct hosted_table *hosted = NULL;
    unsigned count = 0;
    size_t at = 0;
    while ((hosted = hosted_next_known(tables, service, user, &at)) != NULL) {
        known[count++] = &hosted->table;
    }
    qsort(known, count, sizeof(struct table *), compare_age);
    reach_which(ruling, user, known, count);
    free(known);
}

void
dms_topic(struct tables *tables, const struct queued_message *queued,
          int64_t now, struct buf *topic)
{
    const struct table *table = hosted_find(tables, queued->game);
    const struct hosted_place *place =
        places_find(&tables->places, queued->place);
    struct host_env env = tables_env_for(
        tables, place,
        table != NULL ? &table->settings : &place->conf->settings, now);
    catalogue_text(env.catalogue, "talk_topic", NULL, topic);
}
