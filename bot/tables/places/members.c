#include "bot/tables/places/members.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/base/memory.h"

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
find(const struct members *members, const struct service *service, enum by by,
     const char *text)
{
    size_t at = 0;
    struct member *member = NULL;
    uint64_t key = index_key(service->name, text);
    while ((member = index_next_pointer(&members->by[by], key, &at)) != NULL) {
        if (is_it(member, service, by, text)) {
            return member;
        }
    }
    return NULL;
}

static struct member *
find_number(const struct members *members, const struct service *service,
            int64_t number)
{
    char text[24];
    write_number(number, text);
    return find(members, service, BY_NUMBER, text);
}

const char *
members_user(const struct members *members, const struct service *service,
             const char *name)
{
    const struct member *member = find(members, service, BY_NAME, name);
    return member == NULL || strcmp(member->user, name) == 0 ? NULL
                                                             : member->user;
}

const char *
members_name(const struct members *members, const struct service *service,
             const char *user)
{
    const struct member *member = find(members, service, BY_USER, user);
    return member == NULL || strcmp(member->name, user) == 0 ? NULL
                                                             : member->name;
}

int64_t
members_number(const struct members *members, const struct service *service,
               const char *user)
{
    const struct member *member = find(members, service, BY_USER, user);
    return member == NULL ? 0 : member->number;
}

struct reader {
    const struct members *members;
    const struct service *service;
};

/* Names are ids in lower case, but Discourse writes one that somebody has taken
 * as they have typed it into the mentions of before
 * (app/jobs/regular/update_username.rb). */
static const char *
id_of(void *context, const char *name)
{
    const struct reader *reader = context;
    const char *user = members_user(reader->members, reader->service, name);
    if (user != NULL) {
        return user;
    }
    struct buf lower = BUF_INIT;
    for (const char *at = name; *at != '\0'; at++) {
        bool capital = *at >= 'A' && *at <= 'Z';
        buf_add_char(&lower, (char)(capital ? *at - 'A' + 'a' : *at));
    }
    const struct member *member =
        find(reader->members, reader->service, BY_NAME, buf_text(&lower));
    buf_release(&lower);
    return member == NULL || strcmp(member->user, name) == 0 ? NULL
                                                             : member->user;
}

void
members_read_mentions(const struct members *members,
                      const struct service *service, struct rich *rich)
{
    struct reader reader = {members, service};
    rich_map_mentions(rich, id_of, &reader);
}

/* ---- keeping them -------------------------------------------------------- */

static void
set_name(struct members *members, struct member *member, const char *name)
{
    const char *service = member->service->name;
    struct index *index = &members->by[BY_NAME];
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
add(struct members *members, const struct service *service, int64_t number,
    const char *user, const char *name)
{
    struct member *member = must_alloc(sizeof *member);
    char text[24];
    *member = (struct member){
        .service = service, .number = number, .user = must_copy(user)};
    write_number(number, text);
    index_add(&members->by[BY_NUMBER], index_key(service->name, text),
              (uintptr_t)member);
    index_add(&members->by[BY_USER], index_key(service->name, user),
              (uintptr_t)member);
    set_name(members, member, name);
    members->list = must_grow(members->list,
                              (members->count + 1) * sizeof(struct member *));
    members->list[members->count++] = member;
    return member;
}

/* Moderators are called as they were when they last wrote or pressed: an id is
 * a number, or their name in lower case.  True: that is new. */
static bool
call_moderator(struct members *members, const struct service *service,
               const char *user, const char *name)
{
    bool fresh = false;
    for (unsigned i = 0; i < members->places->count; i++) {
        struct hosted_place *place = members->places->list[i];
        for (unsigned j = 0;
             place->service == service && j < place_moderators(place->conf);
             j++) {
            char *called = place->conf->moderator_names[j];
            if (strcmp(place->conf->moderators[j], user) == 0 &&
                strncmp(called, name, SETTING_TEXT_MAX - 1) != 0) {
                (void)snprintf(called, SETTING_TEXT_MAX, "%s", name);
                fresh = true;
            }
        }
    }
    return fresh;
}

/* The number under which a moderator is saved whose id is for good: no member
 * has one below zero. */
static int64_t
number_of_moderator(const struct service *service, const char *user)
{
    return -1 - (int64_t)(index_key(service->name, user) >> 1);
}

/* The same for one who was met at a place. */
static int64_t
number_at(const struct hosted_place *place, const char *user)
{
    return -1 - (int64_t)(index_key(place->id, user) >> 1);
}

/* Those who were met stand behind those who are configured.  If there is no
 * room, the last of them gives way, until they are met again.  True: that is
 * new. */
static bool
set_moderates(struct members *members, struct hosted_place *place,
              const char *user, bool moderates)
{
    struct place *conf = place->conf;
    unsigned past = place_moderators(conf);
    unsigned which = 0;
    char last[SETTING_TEXT_MAX];
    while (which < past && strcmp(conf->moderators[which], user) != 0) {
        which++;
    }
    if (which < conf->moderator_count || moderates == (which < past) ||
        conf->moderator_count == SETTING_LIST_MAX) {
        return false;
    }
    if (moderates) {
        which -= which == SETTING_LIST_MAX;
        conf->moderators_met = which + 1 - conf->moderator_count;
    } else {
        conf->moderators_met--;
        user = memcpy(last, conf->moderators[past - 1], sizeof last);
    }
    conf->moderator_names[which][0] = '\0';
    members->name_moderator(members->context, place, which, user);
    return true;
}

void
members_moderate(struct members *members, struct hosted_place *place,
                 const struct post *post, bool moderates)
{
    if (set_moderates(members, place, post->author, moderates)) {
        store_set_member(members->store, place->service->name,
                         number_at(place, post->author), post->author,
                         moderates ? post->author_name : "");
    }
}

static void
take_member(void *context, const char *service, int64_t number,
            const char *user, const char *name)
{
    struct members *members = context;
    const struct service *found = services_find(members->services, service);
    for (unsigned i = 0; number < 0 && i < members->places->count; i++) {
        struct hosted_place *place = members->places->list[i];
        if (place->service == found && number == number_at(place, user)) {
            (void)set_moderates(members, place, user, name[0] != '\0');
        }
    }
    if (found != NULL && number < 0) {
        (void)call_moderator(members, found, user, name);
    } else if (found != NULL) {
        (void)add(members, found, number, user, name);
    }
}

/* Moderators are configured by the names that they have now; of one who has the
 * id of another, the id counts. */
static void
know_moderators(struct members *members, const struct member *member)
{
    bool taken = find(members, member->service, BY_USER, member->name) != NULL;
    bool fits = strlen(member->user) < SETTING_TEXT_MAX;
    for (unsigned i = 0; !taken && fits && i < members->places->count; i++) {
        struct hosted_place *place = members->places->list[i];
        for (unsigned j = 0; place->service == member->service &&
                             j < place->conf->moderator_count;
             j++) {
            if (strcmp(place->conf->moderators[j], member->name) == 0) {
                members->name_moderator(members->context, place, j,
                                        member->user);
            }
        }
    }
}

void
members_load(struct members *members)
{
    store_members(members->store, take_member, members);
    for (size_t i = 0; i < members->count; i++) {
        know_moderators(members, members->list[i]);
    }
}

void
members_release(struct members *members)
{
    for (size_t i = 0; i < members->count; i++) {
        free(members->list[i]->user);
        free(members->list[i]->name);
        free(members->list[i]);
    }
    free(members->list);
    for (unsigned by = BY_NUMBER; by <= BY_NAME; by++) {
        index_release(&members->by[by]);
    }
}

/* ---- meeting them -------------------------------------------------------- */

/* Save somebody who is met by another name than before. */
static void
save(struct members *members, const struct member *member)
{
    know_moderators(members, member);
    store_set_member(members->store, member->service->name, member->number,
                     member->user, member->name);
}

/* Somebody has that name now, so whoever had it has another. */
static void
free_name(struct members *members, const struct service *service,
          const char *name)
{
    struct member *before = find(members, service, BY_NAME, name);
    if (before == NULL) {
        return;
    }
    set_name(members, before, "");
    save(members, before);
}

/* Their id is their name, unless another has that, who keeps it. */
static void
meet_new(struct members *members, const struct service *service,
         const struct post *post, struct member **member)
{
    struct buf user = BUF_INIT;
    free_name(members, service, post->author);
    buf_add_text(&user, post->author);
    if (find(members, service, BY_USER, post->author) != NULL) {
        buf_addf(&user, "#%" PRId64, post->member);
    }
    *member =
        add(members, service, post->member, buf_text(&user), post->author);
    save(members, *member);
    buf_release(&user);
}

static void
rename_member(struct members *members, struct member *member, const char *name)
{
    free_name(members, member->service, name);
    set_name(members, member, name);
    log_about(
        LOG_LEVEL_INFO, &(struct log_subject){.service = member->service->name},
        "%s: %s is called %s now", member->service->name, member->user, name);
    save(members, member);
}

void
members_call(struct members *members, const struct service *service,
             int64_t number, const char *name)
{
    struct member *member = find_number(members, service, number);
    if (member != NULL && strcmp(member->name, name) != 0) {
        rename_member(members, member, name);
    }
}

static uint64_t
key_of(const struct service *service, const struct post *post)
{
    return index_key(service->name, post->id);
}

void
members_hear(struct members *members, const struct service *service,
             const struct post *post)
{
    struct heard *heard = &members->heard[key_of(service, post) % HEARD_MAX];
    heard->post = key_of(service, post);
    (void)snprintf(heard->name, sizeof heard->name, "%s", post->author_name);
}

void
members_meet(struct members *members, const struct service *service,
             struct post *post)
{
    struct member *member =
        post->member == 0 ? NULL : find_number(members, service, post->member);
    bool same = post->member == 0 ||
                (member != NULL && strcmp(member->name, post->author) == 0);
    if (!same) {
        if (member == NULL) {
            meet_new(members, service, post, &member);
        } else {
            rename_member(members, member, post->author);
        }
    }
    if (member != NULL) {
        post->author = member->user;
    }
    if (post->unmet) {
        struct heard *heard =
            &members->heard[key_of(service, post) % HEARD_MAX];
        bool told = heard->post == key_of(service, post);
        post->author_name = told ? heard->name : post->author_name;
        post->unmet = !told;
    }
    if (!post->unmet &&
        call_moderator(members, service, post->author, post->author_name) &&
        post->member == 0) {
        store_set_member(members->store, service->name,
                         number_of_moderator(service, post->author),
                         post->author, post->author_name);
    }
}
