/*
 * The Discourse adapter at a forum of the tests' own: what its tests share.
 */
#ifndef TESTS_DISCOURSE_SITE_H
#define TESTS_DISCOURSE_SITE_H

#include <stdlib.h>

#include "adapters/forum/forum.h"
#include "bot/base/civil.h"
#include "tests/adapters/forum_run.h"
#include "tests/support/fake_discourse.h"

static struct site site;

static inline void
serve(void *forum, int64_t now, const struct request *request, struct buf *body,
      struct reply *reply)
{
    discourse_serve(forum, now, request, body, reply);
}

static inline void
set_up(void)
{
    site_open(&site, "discourse", DISCOURSE_BASE, NULL, discourse_new(), serve);
}

static inline void
tear_down(void)
{
    discourse_free(site.forum);
    adapter_states_release(&site.states);
    buf_release(&site.urls);
}

static inline int64_t
post(const char *user, const char *text)
{
    site.now += 1000;
    return discourse_post(site.forum, user, false, text, site.now);
}

static inline void
assert_refused(struct op op, enum err err, enum refused refused)
{
    struct ran ran = site_run(&site, op);

    ck_assert_msg(ran.advance == ADVANCE_FAILED && ran.out.err == err, "%d, %s",
                  (int)ran.out.err, buf_text(&ran.why));
    ck_assert_int_eq(ran.out.refused, refused);
    ran_release(&ran);
}

#endif
