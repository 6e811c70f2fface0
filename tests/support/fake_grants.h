/*
 * What keeps the accounts of a homeserver, as the specification has it (C-S,
 * "OAuth 2.0 API"; RFC 8628, 3.5): nothing of it is recorded, for there was no
 * such service to try.
 *
 * An account is "@placard:hs.test"; a token that was replaced is good until the
 * new ones are used, and who comes with one after that is logged out.
 */
#ifndef TESTS_FAKE_GRANTS_H
#define TESTS_FAKE_GRANTS_H

#include <stdbool.h>

#include "tests/support/httpd.h"

#define GRANTS_CODE "WDJB-MJHT"

struct fake_grants {
    bool allowed; /* somebody has allowed what is asked for */
    bool ended;   /* the log-in */
    unsigned clients, tokens, renewals;
    bool used;        /* the newest of the tokens */
    char client[32];  /* the newest */
    char device[128]; /* as the client has it */
    char access[32], refresh[32], previous[32];
};

/* Answer what is asked of it; false: it is asked of the homeserver. */
bool fake_grants_serve(struct fake_grants *grants, struct httpd_request *from);

/* Is it the access token of now?  Then it has been used. */
bool fake_grants_know(struct fake_grants *grants, const char *token);

/* The access token is no good any more: its time is over. */
void fake_grants_expire(struct fake_grants *grants);

#endif
