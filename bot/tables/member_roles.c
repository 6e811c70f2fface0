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

/* Cut a line "USER ROLE" of what is noted in two; NULL: there is none. */
static char *
next_given(char *list, char **save, char **role)
{
    char *user = strtok_r(list, "\n", save);
    *role = user == NULL ? NULL : user + strcspn(user, " ");
    if (user != NULL && **role != '\0') {
        *(*role)++ = '\0';
    }
    return user;
}

/* Is it to be given to somebody who has none? */
static bool
is_missing(const struct tables *tables, const struct hosted_place *place,
           const char *given, const char *user, struct role_change *change)
{
    char *list = must_copy(given);
    char *save = NULL;
    char *role = NULL;
    char *other = next_given(list, &save, &role);
    while (other != NULL && strcmp(other, user) != 0) {
        other = next_given(NULL, &save, &role);
    }
    bool missing = other == NULL &&
                   set_change(user, role_of(tables, place, user), "", change);
    free(list);
    return missing;
}

static bool
is_missing_at(const struct tables *tables, const struct hosted_table *hosted,
              const char *given, struct role_change *change)
{
    const struct table *table = &hosted->table;
    const struct hosted_place *place = hosted->place;
    bool found = false;
    for (unsigned i = 0; !found && i < table->seated; i++) {
        found = is_missing(tables, place, given, table->seats[i].user, change);
    }
    for (unsigned i = 0; !found && i < table->former_count; i++) {
        found = is_missing(tables, place, given, table->former[i].user, change);
    }
    for (unsigned i = 0; !found && i < table->watcher_count; i++) {
        found = is_missing(tables, place, given, table->watchers[i], change);
    }
    return found;
}

bool
member_roles_next(const struct tables *tables, const struct hosted_place *place,
                  struct role_change *change)
{
    struct buf given = BUF_INIT;
    bool found = false;
    char *save = NULL;
    char *role = NULL;
    store_noted(tables->store, kind, place->id, &given);
    char *list = must_copy(buf_text(&given));
    for (char *user = next_given(list, &save, &role); user != NULL && !found;
         user = next_given(NULL, &save, &role)) {
        found = set_change(user, role_of(tables, place, user), role, change);
    }
    for (size_t i = 0; !found && place->conf->member_role_count > 0 &&
                       i < tables->hosted.count;
         i++) {
        found = tables->hosted.list[i]->place == place &&
                is_missing_at(tables, tables->hosted.list[i], buf_text(&given),
                              change);
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
    char *save = NULL;
    char *role = NULL;
    store_noted(tables->store, kind, place->id, &given);
    char *list = buf_take(&given);
    for (char *user = next_given(list, &save, &role); user != NULL;
         user = next_given(NULL, &save, &role)) {
        if (strcmp(user, change->user) != 0) {
            buf_addf(&kept, "%s %s\n", user, role);
        }
    }
    if (change->give[0] != '\0') {
        buf_addf(&kept, "%s %s\n", change->user, change->give);
    }
    store_note(tables->store, kind, place->id, 0,
               kept.len == 0 ? NULL : buf_text(&kept));
    free(list);
    buf_release(&kept);
}
