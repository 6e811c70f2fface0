#include "bot/tables/member_roles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/tables/hosted.h"

static const char kind[] = "roles";

/* What somebody's role should be at a place; "": none. */
static const char *
role_of(const struct tables *tables, const struct hosted_place *place,
        const char *user)
{
    enum table_part part = PART_NONE;
    for (size_t i = 0; part == PART_NONE && i < tables->hosted.count; i++) {
        const struct hosted_table *hosted = tables->hosted.list[i];
        if (hosted->place == place) {
            part = table_part(&hosted->table, user);
        }
    }
    return part == PART_NONE || part > place->conf->member_role_count
               ? ""
               : place->conf->member_roles[part - 1];
}

static bool
set_change(const char *user, const char *give, const char *take,
           struct role_change *change)
{
    (void)snprintf(change->user, sizeof change->user, "%s", user);
    (void)snprintf(change->give, sizeof change->give, "%s", give);
    (void)snprintf(change->take, sizeof change->take, "%s", take);
    return strcmp(give, take) != 0;
}

/* The line "USER ROLE" of what is noted about somebody, or its end. */
static const char *
find_given(const char *given, const char *user)
{
    size_t len = strlen(user);
    while (*given != '\0' &&
           (strncmp(given, user, len) != 0 || given[len] != ' ')) {
        given = strchr(given, '\n') + 1;
    }
    return given;
}

/* Everybody who has, or had, to do with a table; NULL: there are not so many.
 */
static const char *
person_of(const struct table *table, unsigned number)
{
    unsigned former = number - table->seated;
    unsigned watcher = former - table->former_count;
    return number < table->seated           ? table->seats[number].user
           : former < table->former_count   ? table->former[former].user
           : watcher < table->watcher_count ? table->watchers[watcher]
                                            : NULL;
}

/* Is somebody who has no role to get one? */
static bool
find_missing(const struct tables *tables, const struct hosted_table *hosted,
             const char *given, struct role_change *change)
{
    const char *user = NULL;
    bool found = false;
    for (unsigned i = 0;
         !found && (user = person_of(&hosted->table, i)) != NULL; i++) {
        found =
            *find_given(given, user) == '\0' &&
            set_change(user, role_of(tables, hosted->place, user), "", change);
    }
    return found;
}

bool
member_roles_next(const struct tables *tables, const struct hosted_place *place,
                  struct role_change *change)
{
    struct buf given = BUF_INIT;
    bool found = false;
    store_noted(tables->store, kind, place->id, &given);
    char *list = must_copy(buf_text(&given));
    char *save = NULL;
    for (char *user = strtok_r(list, " ", &save); user != NULL && !found;
         user = strtok_r(NULL, " ", &save)) {
        const char *role = strtok_r(NULL, "\n", &save);
        found = set_change(user, role_of(tables, place, user), role, change);
    }
    for (size_t i = 0; !found && i < tables->hosted.count; i++) {
        const struct hosted_table *hosted = tables->hosted.list[i];
        found = hosted->place == place &&
                find_missing(tables, hosted, buf_text(&given), change);
    }
    free(list);
    buf_release(&given);
    return found;
}

void
member_roles_note(struct tables *tables, const struct hosted_place *place,
                  const struct role_change *change)
{
    struct buf given = BUF_INIT;
    struct buf kept = BUF_INIT;
    store_noted(tables->store, kind, place->id, &given);
    const char *line = find_given(buf_text(&given), change->user);
    buf_add(&kept, buf_text(&given), (size_t)(line - buf_text(&given)));
    buf_add_text(&kept, *line == '\0' ? "" : strchr(line, '\n') + 1);
    if (change->give[0] != '\0') {
        buf_addf(&kept, "%s %s\n", change->user, change->give);
    }
    store_note(tables->store, kind, place->id, 0,
               kept.len == 0 ? NULL : buf_text(&kept));
    buf_release(&given);
    buf_release(&kept);
}
