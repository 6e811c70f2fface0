/*
 * Forgetting a person: in games that are over they get a pseudonym, "Anon 1".
 *
 * Their user id and names are replaced in the moves, and the record is written
 * anew from these; so it is as it would be had they played under the pseudonym.
 * What they wrote themselves goes: words for the deal, why they were away.  In
 * what others wrote their names are replaced where they stand as words, in
 * whatever case.  The transcript of a deal that names them becomes the key that
 * followed from it (bot/record/FAIRNESS.md).  Messages to them go, and how the
 * host knew them and where it wrote to them: it meets them anew.
 *
 * Whoever asks for it gets a mark in the store: a number made with its key.
 * They are forgotten when a host opens it, once they are in no game that is on.
 * The mark stays, in the store and so in its backups, and in <store>.forgotten:
 * whoever has been forgotten since a backup was made is forgotten again when it
 * is put back.
 *
 * What stands at the service is not touched.
 */
#ifndef BOT_STORE_FORGET_H
#define BOT_STORE_FORGET_H

#include "bot/store/store.h"

/* What is to be done.  `service_of`: whose ids a place's are; never NULL. */
struct forget {
    struct store *store;
    const char *(*service_of)(const void *context, const char *place);
    const void *context;
    const char *user;    /* who is forgotten */
    const char *service; /* whose id it is; NULL: in games of one service */
    const char *path;    /* where the store is */
    int64_t now;
    struct buf *left; /* what forget_left finds of them is added; or NULL */
};

/* Where they played, stood by, or moderated.  Release it. */
struct forget_found {
    struct buf names;    /* as below */
    const char *service; /* of service_of; NULL: in no game */
    struct buf over, on; /* games, with commas between */
    unsigned number;     /* that their pseudonym gets */
    bool unread;         /* a game can't be read, which is logged */
};

/* Find somebody.  ERR_CONFIG: the id is in games of several services. */
enum err forget_find(const struct forget *forget, struct forget_found *found,
                     struct buf *why) MUST_USE;
void forget_found_release(struct forget_found *found);

/* Forget somebody, unless they are in a game that is on: then its id is
 * appended to `game`. */
enum err forget_person(struct forget *forget, struct buf *game,
                       struct buf *why) MUST_USE;

/* Note that somebody is to be forgotten once a game is over ("": now), in an
 * open store; or beside a host that runs, at `path`. */
void forget_note(struct store *store, const char *service, const char *user,
                 const char *game);
enum err forget_ask(struct store *store, const char *path, const char *service,
                    const char *user, struct buf *why) MUST_USE;

/* How many are to be forgotten, and not only once a game is over and its last
 * messages are out. */
int64_t forget_waiting(struct store *store);

/* Forget all who are to be forgotten and are in no game that is on, in one
 * transaction; *count: how many.  `forget` is to be filled but for who it
 * is; its store is open for hosting. */
enum err forget_all(struct forget *forget, unsigned *count,
                    struct buf *why) MUST_USE;

/* Search all columns of all tables, what is sealed too, and the pages of sites
 * that were written, and append where somebody's id or one of their names is
 * or, in what can't be opened, may be, and in how many rows or pages: "; "
 * between. */
enum err forget_left(const struct forget *forget, const struct buf *names,
                     struct buf *left, struct buf *why) MUST_USE;

/* What one person is called: their names' keys (bot/host/reading/names.h) in a
 * buffer, each between two line feeds. */

/* Add a name, or an id: one that is only a number is no name. */
void forget_names_add(struct buf *names, const char *name);

/* Put another name in the place of each that stands in a text as whole words,
 * in whatever case; the text is cut to `size` bytes. */
void forget_names_replace(const struct buf *names, const char *new_name,
                          char *text, size_t size);

/* Does a text have a name, or the id `user`?  An id that is only a number is
 * none within a word or a row of digits: it stands alone, quoted, in a path, or
 * as a mention. */
bool forget_names_find(const struct buf *names, const char *user,
                       const char *text, size_t len);

#endif
