/*
 * A service made up for tests, and its adapter: whatever an adapter has to do
 * with HTTP, in lines of text.  Registered in the tests' own program alone
 * (tests/support/program).
 *
 *   GET  /who                        the account's id
 *   POST /login     USER LF PASSWORD its token, by which it is authorized
 *   GET  /place?NAME                 the id of a place
 *   GET  /feed?CURSOR                a long poll: cursor LF through LF, and a
 *                                    line "id place author stamp text" a post
 *   POST /posts?PLACE&KEY  text      the id of the post
 *   GET  /find?KEY                   the id of the post, or ""
 *   POST /talks?USER                 the id of its place
 *   GET  /probe?PLACE                rights LF shortest LF longest LF advice
 * All but the login are authorized: "Authorization: Key TOKEN".  A refusal
 * of the login that names a captcha is one of the login alone.
 */
#ifndef TESTS_MADE_UP_H
#define TESTS_MADE_UP_H

#include "adapters/adapter.h"

extern const struct adapter adapter_made_up;

/* The same, but a log-in gives a session and no token. */
extern const struct adapter adapter_made_up_session;

#endif
