/*
 * Forgetting a person: in games that are over they get a pseudonym, "Anon 1".
 *
 * Their user id and names are replaced in the moves, and the record is written
 * anew from these; so it is as it would be had they played under the pseudonym.
 * What they wrote themselves goes: words for the deal, why they were away.  In
 * what others wrote their names are replaced where they stand as words.  The
 * transcript of a deal that names them becomes the key that followed from it
 * (bot/record/FAIRNESS.md).  Where ids are names the host meets them anew.
 *
 * What stands at the service and in copies of the store is not touched.
 */
#ifndef BOT_STORE_FORGET_H
#define BOT_STORE_FORGET_H

#include "bot/store/store.h"

/* Call `each` for every game in which a user id is that of somebody who played,
 * stood by, or moderated, oldest first; ids are a service's, so the same one
 * may be two people.  A game whose journal can't be read is logged and left
 * out; `*unread` counts these. */
enum err forget_find(struct store *store, const char *user,
                     store_game_reader *each, void *context, unsigned *unread,
                     struct buf *why) MUST_USE;

struct forgetting {
    const char *user;
    const char *service; /* whose id it is; NULL: no longer configured */
    const char (*games)[TABLE_ID_MAX + 1]; /* all of them over */
    size_t game_count;
    int64_t now;
    bool only_try; /* nothing is changed in the end */
};

struct forgotten {
    char name[32];   /* the pseudonym */
    bool *keyed;     /* by game: the key stands in for its transcript; owned */
    size_t messages; /* to them, that waited, and are not sent any more */
};

/* Forget somebody in these games, in one transaction.  At an error nothing is
 * changed.  Release `done` in any case. */
enum err forget_person(struct store *store, const struct forgetting *forgetting,
                       struct forgotten *done, struct buf *why) MUST_USE;
void forgotten_release(struct forgotten *done);

/* When somebody was last forgotten; 0: never. */
enum err forget_last(struct store *store, int64_t *at,
                     struct buf *why) MUST_USE;

#endif
