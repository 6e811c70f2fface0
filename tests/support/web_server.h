/*
 * The other end of a WebSocket, for tests: on a connection of
 * tests/support/httpd whose request asks for an upgrade.
 */
#ifndef TESTS_SUPPORT_WEB_SERVER_H
#define TESTS_SUPPORT_WEB_SERVER_H

#include <stdbool.h>

#include "tests/support/httpd.h"

struct web_server;

/* Answer a request with the upgrade that it asks for. */
struct web_server *web_server_new(struct httpd_request *request);
/* The request that it answered; borrowed. */
struct httpd_request *web_server_request(const struct web_server *server);
/* Without a close frame: the connection stays as it is. */
void web_server_free(struct web_server *server);

/* Send a text; a ping; a close frame (0: one without a code). */
void web_server_say(struct web_server *server, const char *text);
void web_server_ping(struct web_server *server, const char *text);
void web_server_close(struct web_server *server, unsigned code);

/* The next text that came, into `text`; false: none.  Pongs come as "pong
 * TEXT", a close as "close CODE". */
bool web_server_next(struct web_server *server, struct buf *text);

#endif
