#include "bot/tables/members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/base/memory.h"
#include "bot/tables/entry.h"

struct member {
    const struct service *service;
    int64_t number;
    char *user, *name; /* owned; name "": it is not known */
};

enum by {
    BY_NUMBER,
    BY_USER,
    BY_NAME
};

/* ---- finding them -------------------------------------------------------- */

static void
write_number(int64_t number, char text[24])
{
    (void)snprintf(text, 24, "%" PRId64, number);
}

static bool
is_it(const struct member *member, const struct service *service, enum by by,
      const char *text)
{
    char number[24];
    write_number(member->number, number);
    const char *const has[] = {
        [BY_NUMBER] = number,
        [BY_USER] = member->user,
        [BY_NAME] = member->name,
    };
    return member->service == service && strcmp(has[by], text) == 0;
}

static struct member *
find(const struct tables *tables, const struct service *service, enum by by,
     const char *text)
{
    size_t at = 0;
    struct member *member = NULL;
    uint64_t key = index_key(service->name, text);
    while ((member = index_next_pointer(&tables->members_by[by], key, &at)) !=
           NULL) {
        if (is_it(member, service, by, text)) {
            return member;
        }
    }
    return NULL;
}

static struct member *
find_number(const struct tables *tables, const struct service *service,
            int64_t number)
{
    char text[24];
    write_number(number, text);
    return find(tables, service, BY_NUMBER, text);
}

const char *
members_user(const struct tables *tables, const struct service *service,
             const char *name)
{
    const struct member *member = find(tables, service, BY_NAME, name);
    return member == NULL || strcmp(member->user, name) == 0 ? NULL
                                                             : member->user;
}

const char *
members_name(const struct tables *tables, const struct service *service,
             const char *user)
{
    const struct member *member = find(tables, service, BY_USER, user);
    return member == NULL || strcmp(member->name, user) == 0 ? NULL
                                                             : member->name;
}

int64_t
members_number(const struct tables *tables, const struct service *service,
               const char *user)
{
    const struct member *member = find(tables, service, BY_USER, user);
    return member == NULL ? 0 : member->number;
}

struct reader {
    const struct tables *tables;
    const struct service *service;
};

/* Names are ids in lower case, but Discourse writes one that somebody has taken
 * as they have typed it into the mentions of before
 * (app/jobs/regular/update_username.rb). */
static const char *
id_of(void *context, const char *name)
{
    const struct reader *reader = context;
    const char *user = members_user(reader->tables, reader->service, name);
    if (user != NULL) {
        return user;
    }
    struct buf lower = BUF_INIT;
    for (const char *at = name; *at != '\0'; at++) {
        bool capital = *at >= 'A' && *at <= 'Z';
        buf_add_char(&lower, (char)(capital ? *at - 'A' + 'a' : *at));
    }
    const struct member *member =
        find(reader->tables, reader->service, BY_NAME, buf_text(&lower));
    buf_release(&lower);
    return member == NULL || strcmp(member->user, name) == 0 ? NULL
                                                             : member->user;
}

void
members_read_mentions(const struct tables *tables,
                      const struct service *service, struct rich *rich)
{
    struct reader reader = {tables, service};
    rich_map_mentions(rich, id_of, &reader);
}

/* ---- keeping them -------------------------------------------------------- */

static void
set_name(struct tables *tables, struct member *member, const char *name)
{
    const char *service = member->service->name;
    struct index *index = &tables->members_by[BY_NAME];
    if (member->name != NULL && member->name[0] != '\0') {
        index_remove(index, index_key(service, member->name),
                     (uintptr_t)member);
    }
    must_replace(&member->name, name);
    if (name[0] != '\0') {
        index_add(index, index_key(service, name), (uintptr_t)member);
    }
}

static struct member *
add(struct tables *tables, const struct service *service, int64_t number,
    const char *user, const char *name)
{
    struct member *member = must_alloc(sizeof *member);
    char text[24];
    *member = (struct member){
        .service = service, .number = number, .user = must_copy(user)};
    write_number(number, text);
    index_add(&tables->members_by[BY_NUMBER], index_key(service->name, text),
              (uintptr_t)member);
    index_add(&tables->members_by[BY_USER], index_key(service->name, user),
              (uintptr_t)member);
    set_name(tables, member, name);
    if (tables->member_count == tables->member_room) {
        tables->member_room = 2 * tables->member_room + 16;
        tables->members = must_grow(
            tables->members, tables->member_room * sizeof(struct member *));
    }
    tables->members[tables->member_count++] = member;
    return member;
}

static void
take_member(void *context, const char *service, int64_t number,
            const char *user, const char *name)
{
    struct tables *tables = context;
    const struct service *found = tables_service_named(tables, service);
    if (found != NULL) {
        (void)add(tables, found, number, user, name);
    }
}

/* Moderators are configured by the names that they have now; of one who has the
 * id of another, the id counts. */
static void
know_moderators(struct tables *tables, const struct member *member)
{
    bool taken = find(tables, member->service, BY_USER, member->name) != NULL;
    bool fits = strlen(member->user) < SETTING_TEXT_MAX;
    for (unsigned i = 0; !taken && fits && i < tables->conf->place_count; i++) {
        struct place *place = &tables->conf->places[i];
        for (unsigned j = 0; tables->places[i].service == member->service &&
                             j < place->moderator_count;
             j++) {
            if (strcmp(place->moderators[j], member->name) == 0) {
                tables_name_moderator(tables, place, j, member->user);
            }
        }
    }
}

enum err
members_load(struct tables *tables, struct buf *why)
{
    enum err err = store_members(tables->store, take_member, tables, why);
    for (size_t i = 0; i < tables->member_count; i++) {
        know_moderators(tables, tables->members[i]);
    }
    return err;
}

void
members_release(struct tables *tables)
{
    for (size_t i = 0; i < tables->member_count; i++) {
        free(tables->members[i]->user);
        free(tables->members[i]->name);
        free(tables->members[i]);
    }
    free(tables->members);
    for (unsigned by = BY_NUMBER; by <= BY_NAME; by++) {
        index_release(&tables->members_by[by]);
    }
}

/* ---- meeting them -------------------------------------------------------- */

/* Save somebody who is met by another name than before. */
static enum err
save(struct tables *tables, const struct member *member, struct buf *why)
{
    know_moderators(tables, member);
    return store_set_member(tables->store, member->service->name,
                            member->number, member->user, member->name, why);
}

/* Somebody has that name now, so whoever had it has another. */
static enum err
free_name(struct tables *tables, const struct service *service,
          const char *name, struct buf *why)
{
    struct member *before = find(tables, service, BY_NAME, name);
    if (before == NULL) {
        return ERR_NONE;
    }
    set_name(tables, before, "");
    return save(tables, before, why);
}

/* Can it be the id of a member who is met: has no other it, and is somebody in
 * a game that is on known by it? */
static bool
is_missing(const struct tables *tables, const struct service *service,
           const char *user)
{
    size_t at = 0;
    return find(tables, service, BY_USER, user) == NULL &&
           tables_next_known(tables, service, user, &at) != NULL;
}

/* The id of a member who is met: whose post that is in a game that is on, as it
 * was saved before members had numbers; else the name.  One that another has
 * stays theirs. */
static enum err
choose_user(struct tables *tables, const struct service *service,
            const struct post *post, struct buf *user, struct buf *why)
{
    struct read_post read;
    bool found = false;
    enum err err = store_find_post(tables->store, service->name, post->place,
                                   post->id, &read, &found, why);
    const char *before =
        found && strcmp(read.place, post->place) == 0 ? read.author : "";
    if (before[0] != '\0' && is_missing(tables, service, before)) {
        buf_add_text(user, before);
        return err;
    }
    buf_add_text(user, post->author);
    if (find(tables, service, BY_USER, post->author) != NULL) {
        buf_addf(user, "#%" PRId64, post->member);
    }
    return err;
}

static enum err
meet_new(struct tables *tables, const struct service *service,
         const struct post *post, struct member **member, struct buf *why)
{
    struct buf user = BUF_INIT;
    enum err err = free_name(tables, service, post->author, why);
    if (err == ERR_NONE) {
        err = choose_user(tables, service, post, &user, why);
    }
    if (err == ERR_NONE) {
        *member =
            add(tables, service, post->member, buf_text(&user), post->author);
        err = save(tables, *member, why);
    }
    buf_release(&user);
    return err;
}

static enum err
rename_member(struct tables *tables, struct member *member, const char *name,
              struct buf *why)
{
    enum err err = free_name(tables, member->service, name, why);
    if (err != ERR_NONE) {
        return err;
    }
    set_name(tables, member, name);
    log_about(
        LOG_LEVEL_INFO, &(struct log_subject){.service = member->service->name},
        "%s: %s is called %s now", member->service->name, member->user, name);
    return save(tables, member, why);
}

enum err
members_call(struct tables *tables, const struct service *service,
             int64_t number, const char *name, struct buf *why)
{
    struct member *member = find_number(tables, service, number);
    return member == NULL || strcmp(member->name, name) == 0
               ? ERR_NONE
               : rename_member(tables, member, name, why);
}

/* Moderators are called as they were when they last posted: an id is a number,
 * or their name in lower case. */
static void
name_moderator(struct tables *tables, const struct service *service,
               const struct post *post)
{
    const struct place *found =
        tables_place_of_thread(tables, service, post->place);
    for (unsigned i = 0; found != NULL && i < found->moderator_count; i++) {
        struct place *place =
            &tables->conf->places[found - tables->conf->places];
        if (strcmp(place->moderators[i], post->author) == 0) {
            (void)snprintf(place->moderator_names[i],
                           sizeof place->moderator_names[i], "%s",
                           post->author_name);
        }
    }
}

enum err
members_meet(struct tables *tables, const struct service *service,
             struct post *post, struct buf *why)
{
    struct member *member =
        post->member == 0 ? NULL : find_number(tables, service, post->member);
    bool same = post->member == 0 ||
                (member != NULL && strcmp(member->name, post->author) == 0);
    enum err err = ERR_NONE;
    if (!same) {
        err = member == NULL ? meet_new(tables, service, post, &member, why)
                             : rename_member(tables, member, post->author, why);
    }
    if (err == ERR_NONE && member != NULL) {
        post->author = member->user;
    }
    name_moderator(tables, service, post);
    return err;
}
