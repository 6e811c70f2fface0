/*
 * The services of the tests over HTTP: each takes what has come to a server on
 * loopback, and answers it there.
 *
 * An account's key or token is "key-of-NAME", the host's name "placard"; at
 * phpBB passwords are those of tests/support/fake_phpbb.h, at Discord the bot's
 * token is GUILD_TOKEN, and others can't come.
 */
#ifndef TESTS_SUPPORT_ON_LOOPBACK_H
#define TESTS_SUPPORT_ON_LOOPBACK_H

#include <stdint.h>

#include "tests/support/fake_discord.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_grants.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/httpd.h"

/* The name that a secret is the key of; NULL: it is none. */
const char *loopback_owner(const char *secret);

/* The value of a header, in `value`; "": it was not sent. */
const char *loopback_header(const struct httpd_request *from, const char *name,
                            struct buf *value);

/* Answer a request at a time. */
void loopback_discourse(struct discourse *discourse, int64_t now,
                        struct httpd_request *from);
void loopback_nodebb(struct nodebb *nodebb, int64_t now,
                     struct httpd_request *from);
void loopback_phpbb(struct phpbb *phpbb, int64_t now,
                    struct httpd_request *from);
void loopback_discord(struct fake_discord *fake_discord, int64_t now,
                      struct httpd_request *from);
/* Of the host alone, which may log in with the password "pass-of-placard". */
void loopback_matrix(struct homeserver *server, int64_t now,
                     struct httpd_request *from);
/* … or by a browser (NULL: not). */
void loopback_matrix_with(struct homeserver *server, struct fake_grants *grants,
                          int64_t now, struct httpd_request *from);

#endif
