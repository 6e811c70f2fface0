/*
 * What the files of the Matrix adapter share; nobody else includes it.
 *
 * Facts come from the Client-Server API, version 1.12 ("C-S" and a section);
 * those that the specification lacks, from trying Synapse 1.160.
 */
#ifndef ADAPTERS_MATRIX_INNER_H
#define ADAPTERS_MATRIX_INNER_H

#include "adapters/exchange.h"

/* The member of m.room.create's content that says whose DM the room is. */
#define DM_KEY "org.placard.talk"
/* The one that says of which game it is the gallery: its key. */
#define GALLERY_KEY "org.placard.gallery"

enum {
    MARGIN_MS = 2000,
    LONG_POLL_MS = 10000, /* how long a read waits for something new */
};

/* ---- asking -------------------------------------------------------------- */

/* Begin a request about a room: "/join" is below it. */
void ask_room(struct exchange *exchange, const char *method, const char *room,
              const char *path);

/* Routes (Synapse: rc_message for everything that sends, and one limit each for
 * the others). */
#define ROUTE_SEND   "send"
#define ROUTE_CREATE "create room"
#define ROUTE_INVITE "invite"
#define ROUTE_JOIN   "join"
#define ROUTE_LOGIN  "log in"
#define ROUTE_SEARCH "search"

/* A name hashed from two texts: always the same for the same two, and nobody
 * can guess it without knowing the device; 32 hexadecimal digits. */
void exchange_name(const struct exchange *exchange, const char *first,
                   const char *second, struct buf *name);

/* ---- replies ------------------------------------------------------------- */

/* Is the reply a refusal of that status and errcode ("": any), by the
 * homeserver and not a proxy? */
bool is_refusal(const struct exchange *exchange, int status,
                const char *errcode);

/* Fail because of the reply: by its status and what that refuses, else as
 * garbled. */
enum advance exchange_refused(struct exchange *exchange);

/* The content of the state event of that type and key in a list; NULL: none. */
json_object *parse_state(json_object *events, const char *type,
                         const char *key);

/* The server in a user's id; "": none. */
const char *server_of(const char *user);

/* ---- the account ----------------------------------------------------------
 */

#define WHOAMI "/_matrix/client/v3/account/whoami"

/* Read the account from the reply to a log-in or a token check. */
enum advance parse_account(struct exchange *exchange);

/* Ask what the service that keeps the accounts can do, and whether that is to
 * give a grant (false: it can't, or there is none). */
enum advance ask_metadata(struct exchange *exchange);
bool offers_grant(const struct exchange *exchange);

/* ---- addresses ----------------------------------------------------------- */

/* A room as an operator names it. */
struct address {
    struct buf id;  /* "#alias:server" or "!id" */
    struct buf via; /* a server that knows the room; "": none */
};

/* Read an alias, an id, a matrix.to link or a URI; false: it names no room.
 * Release the address either way. */
bool read_room(const char *text, struct address *address);
void address_release(struct address *address);

/* Append a user's id, read from an id, a link or a URI; false: it is none of
 * them (something may have been appended all the same). */
bool read_user(const char *text, struct buf *user);

/* ---- DMs ------------------------------------------------------- */

/* Who is in a room, by its member events. */
struct occupants {
    bool here;    /* the user is in it */
    bool invited; /* or is invited */
    bool banned;
    bool others; /* the same for anybody but that user and the bot */
};
struct occupants parse_occupants(const struct exchange *exchange,
                                 json_object *events);

/* ---- the operations ------------------------------------------------------ */

enum advance matrix_who(struct exchange *exchange);
enum advance matrix_place(struct exchange *exchange);
enum advance matrix_probe(struct exchange *exchange);
enum advance matrix_dm(struct exchange *exchange);
enum advance matrix_read(struct exchange *exchange);
enum advance matrix_send(struct exchange *exchange);
enum advance matrix_find(struct exchange *exchange);
enum advance matrix_edit(struct exchange *exchange);
enum advance matrix_react(struct exchange *exchange);
enum advance matrix_delete(struct exchange *exchange);
enum advance matrix_pin(struct exchange *exchange);
enum advance matrix_user(struct exchange *exchange);
enum advance matrix_places(struct exchange *exchange);
enum advance matrix_site(struct exchange *exchange);
enum advance matrix_appoint(struct exchange *exchange);
/* Also WHO for an account that has such a log-in: renews its token. */
enum advance matrix_grant(struct exchange *exchange);

#endif
