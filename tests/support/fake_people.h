/*
 * People at a service of the tests' own (tests/support/fake_service.h): what
 * they type there, and what they see of the host's posts.
 */
#ifndef TESTS_FAKE_PEOPLE_H
#define TESTS_FAKE_PEOPLE_H

#include <stdbool.h>

#include "bot/base/buf.h"
#include "tests/support/fake_service.h"

enum {
    PEOPLE = 15,
    MODERATORS = 2
};

struct fake_people {
    const struct fake_service *service;
    void *server;
};

/* Their names; those of the moderators, who do not play. */
extern const char *const people[PEOPLE];
extern const char *const moderators[MODERATORS];

/* Whose name that is, with or without an @; PEOPLE: nobody's. */
unsigned people_find(const char *name);

/* Append a form, its placeholders filled in. */
void people_fill(const struct fake_people *at, const char *way,
                 const char *word, const char *name, struct buf *text);

/* How many forms there are. */
unsigned people_ways(const char *const *ways);

/* Append what people see of a post of the host: without marks, with names for
 * mentions, without the mark of its key. */
void people_show(const struct fake_people *at, const char *text,
                 struct buf *out);

/* Are two of the host's posts lines of one message, or one and the same? */
bool people_see_one(const struct shown_post *one,
                    const struct shown_post *other);

/* Append what people have read of the nth post's message, up to that post, and
 * to `before` what they had read without it: a message may be sent line by
 * line. */
void people_show_message(const struct fake_people *at, size_t post,
                         struct buf *before, struct buf *out);

/* The number behind a text; 0: it is not there. */
unsigned people_number(const char *text, const char *before);

#endif
