/*
 * Reaching people: what the host says if a private message does not arrive, and
 * to people whose posts the host can't read or others can't see yet.
 */
#ifndef BOT_HOST_JUDGE_REACHABILITY_H
#define BOT_HOST_JUDGE_REACHABILITY_H

#include "bot/host/table/ruling.h"

enum reachability {
    REACH_UNSEEN,  /* it is in the DM, but they have not joined that */
    REACH_REFUSED, /* it can't be delivered */
    REACH_BARRED,  /* the service does not let the host send any */
};

/* Ask a player of the table, in the thread, to accept the host's private
 * messages, or tell them that it is not their fault; once a round.  If their
 * answer is due in private, the host waits for them, once a game, as long as
 * the table's settings say (`undeliverable`).  Tell the moderators what can't
 * be delivered: in their own place, or by a ping.  Where the buttons don't work
 * either that they would do with, that is told, too. */
void reach_missed(struct ruling *ruling, const char *user,
                  enum reachability reach);

/* Tell the thread that a player has left the DM; once a round. */
void reach_left(struct ruling *ruling, const char *user);

/* Write to a player who was invited into the DM again. */
void reach_back(struct ruling *ruling, const char *user);

/* Answer a player's post that is sealed, hidden, or was deleted before it was
 * read: in the thread, or in the DM; there, too, one that others read.  Once a
 * round; strangers are not answered. */
void reach_sealed(struct ruling *ruling, const struct post *post);

/* Is a post that waits for approval by a player whose answer is due, and
 * written since the question was asked? */
bool reach_awaits(const struct table *table, const struct post *post);

/* Tell the moderators about such a post: in their own place, or by a ping in
 * the thread. */
void reach_pending(struct ruling *ruling, const struct post *post);

/* Tell its author that it was approved too late, and changes nothing. */
void reach_approved_late(struct ruling *ruling, const struct post *post);

/* The thread was encrypted: pause the game, and tell the table and, in private,
 * its moderators that no post counts there any more; once. */
void reach_encrypted(struct ruling *ruling);

/* The thread can't be found: tell the moderators in private, once per question.
 */
void reach_thread_gone(struct ruling *ruling);

/* A game has ended whose thread can't be found: tell `user`, by whose message,
 * and its moderators in private what else would be told there. */
void reach_ended_unseen(struct ruling *ruling, const char *user);

/* The game goes on in another thread, which is already the table's: say so
 * there. */
void reach_moved(struct ruling *ruling);

/* Ask a player who sits at several tables which of them a message is about. */
void reach_which(struct ruling *ruling, const char *user,
                 const struct table *const *tables, unsigned count);

/* Send the operator a sentence of the log: in private, or (user "") in the
 * thread. */
void reach_operator(struct ruling *ruling, const char *user, const char *text);

/* Tell a thread that these words are not shown as they were written. */
void reach_changed_words(struct ruling *ruling, const char *words);

/* Tell a thread that the messages that could not be posted since `since` are
 * there now. */
void reach_again(struct ruling *ruling, const char *thread, int64_t since);

/* Tell the moderators, if they have a place of their own, that a post of the
 * host waits for their approval. */
void reach_unapproved(struct ruling *ruling);

/* Say that the service refuses the words of a message. */
void reach_refused_words(const struct host_env *env, const struct table *table,
                         bool dm, struct rich *out);

#endif
