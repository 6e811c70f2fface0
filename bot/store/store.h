/*
 * The store: everything a host must not forget, in one SQLite file.
 *
 * It has journal rows (a move and the record lines it made), posts seen,
 * cursors and adapter states, DMs, and messages.  A page of posts is one
 * transaction; the state of a game is its moves, replayed.  Only one host at a
 * time may open it, by the lock file <store>.lock; `games`, `show` and `record`
 * read beside it.
 *
 * Secrets are only in columns of the type SEALED, encrypted with the key from a
 * file that is not part of the store (bot/base/seal.h), each value for its own
 * row:
 *
 *   journal.move, journal.lines   moves (R, deals, cards, ballots), and what
 *                                 they wrote into the record
 *   packed_journal.rows           the same, of games that are over
 *   message.text                  until it is sent; then NULL
 *   message.delivery              in a session: to whom a private message goes,
 *                                 and what became of it
 *                                 (bot/store/store_session.c)
 *   deferred.body                 deferred posts
 *   press.secret                  with which a press is answered
 *   post.verdict                  how a post was read; NULL: nothing was
 *                                 awaited of its author then
 *   adapter_state.value           of services: tokens
 *
 * What a public post says is not stored; only a number is, made from it with
 * the key (post.fingerprint), which shows edits until its game is over.
 *
 * So without the key the file, its log and a backup give nothing away, and
 * nobody can put a value in.  Sealed values have only a few sizes, the same
 * whatever somebody is or holds.  What else is in the clear tells who played
 * where, who was written to, and when.
 *
 * In a session not even that: of a private message it is sealed, too.  That
 * rows are there can't be hidden.  Somebody who reads the file again and again
 * sees the journal, the posts read and the messages grow, and so that something
 * was done; of a private post also by whom.
 *
 * If the key is lost, its games are lost with it: a host does not begin without
 * it, unless there are none.  Games of another key are held, and say so.
 */
#ifndef BOT_STORE_STORE_H
#define BOT_STORE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/host/table/outbox.h"
#include "bot/host/table/ruling.h"

struct store;

/* The format of the file.  A change of the schema raises it, and
 * store_upgrade.c must learn to rebuild the format before. */
enum {
    STORE_FORMAT = 15
};

/* Open for hosting (takes the lock), or for reading beside a host. */
enum store_mode {
    STORE_HOST,         /* the file is read whole first; ERR_GARBLED: it is
                           damaged */
    STORE_HOST_AT_ONCE, /* the same only if a check has found damage before
                           (store_note_damage) */
    STORE_READ,
    STORE_TRY /* store_may_host alone */
};
/* `key_file`: where the key is; "": <path>.key.  A host makes a key that is
 * missing if there are no games yet; otherwise ERR_GONE.  A reader without the
 * key reads what is not sealed.  ERR_CONFIG: others may read the key. */
enum err store_open(const char *path, const char *key_file,
                    enum store_mode mode, struct store **store,
                    struct buf *why) MUST_USE;
void store_close(struct store *store);

/* ERR_GONE, with what to do: it holds games, and the key is missing. */
enum err store_require_key(struct store *store, struct buf *why) MUST_USE;

/* Could a host open a store, but for its lock?  If not, `why` says what to do.
 * Nothing is made or changed. */
enum err store_may_host(const char *path, const char *key_file,
                        struct buf *why) MUST_USE;

/* A check has found the file at `path` damaged: hosts check it before they go
 * on, until it is found good.  A file beside it, <path>.damaged, says so. */
enum err store_note_damage(const char *path, struct buf *why) MUST_USE;

/*
 * Check a store beside a running host, or without one: read the whole file
 * and, unless `key_file` is NULL, replay every game that is on.  ERR_GARBLED:
 * the file is damaged.  `each` gets the games that can't be hosted, with a
 * sentence, and ("") what else is odd; *count: how many games are on.  `stop`:
 * when another thread has set it, the check ends soon, with ERR_LATER; NULL: it
 * does not stop.
 */
struct store_check {
    const char *path, *key_file;
    const atomic_bool *stop;
    void (*each)(void *context, const char *game, const char *trouble);
    void *context;
};
enum err store_check(const struct store_check *check, unsigned *count,
                     struct buf *why) MUST_USE;

/* The store's first failure lasts: from then on every function that returns no
 * `enum err` does nothing, and finds nothing.  So a turn is decided to its end,
 * and what was decided is given up if the store has failed: nothing of it was
 * saved, and nothing may be sent.  The host ends with that sentence (`why`, or
 * NULL). */
enum err store_err(const struct store *store, struct buf *why) MUST_USE;

/* Transactions.  A commit outlives the process, but a power cut only once it is
 * synced, and a sync takes long.  So only those are synced that mark messages
 * as in flight, or after which somebody is told what came of a press: before
 * anything is sent that follows from what was committed.  After a power cut the
 * host is where it was a moment before; posts and timers since then are taken
 * in again, and nobody has seen anything else come of them. */
void store_begin(struct store *store);
void store_commit(struct store *store);

/* The transactions that follow are one, which store_flush commits (or
 * store_rollback gives up): a turn of the loop.  Until then nothing may be done
 * that can't be done again. */
void store_gather(struct store *store);
void store_flush(struct store *store, bool synced);

/* Give up what was begun; may also be called outside a transaction. */
void store_rollback(struct store *store);

/* The host may have sent what is sent now already: after this time (by its
 * clock), for the store is a copy of what it was then (bot/store/backup.h).
 * What is queued until it has caught up is doubtful.  0: it is no such copy. */
int64_t store_copied(const struct store *store);

/* It has caught up: all that was posted since then is read and decided. */
void store_note_caught_up(struct store *store);

/* A short id of this store, made when it was made. */
const char *store_id(const struct store *store);

/* A number that stands for what a post is like, made with the store's key.
 * Nobody can write another post of the same number. */
uint64_t store_number(const struct store *store, const struct buf *post);

/* ---- games and their journal --------------------------------------------- */

struct store_game {
    char id[TABLE_ID_MAX + 1];
    char place[64];
    char thread[ADAPTER_ID_MAX + 1];
    bool over;
    bool held;      /* by store_hold */
    int64_t ended;  /* when; 0: it is running, or had no thread of its own */
    unsigned round; /* 0: it has not begun */
    int ending;     /* an enum ending, ENDING_NONE: closed before it began; -1:
                       it is running, or was over before stores knew that */
};

/* Call `each` for every game, oldest first; it stops at an error. */
typedef enum err store_game_reader(void *context, const struct store_game *game,
                                   struct buf *why);
enum err store_games(struct store *store, store_game_reader *each,
                     void *context, struct buf *why) MUST_USE;

/* The same for games that are not over, or ended at most so many ms before a
 * feed was last read; -1: for every game. */
enum err store_games_since(struct store *store, int64_t past,
                           store_game_reader *each, void *context,
                           struct buf *why) MUST_USE;

/* How many games there are, ended ones too. */
int64_t store_count_games(struct store *store);

/* Save a ruling's rows and messages and its table's place in the list, and add
 * the queued messages to `outbox`. */
void store_save_ruling(struct store *store, const struct ruling *ruling,
                       struct outbox *outbox);

/* A row of a journal; its texts are borrowed. */
struct store_row {
    int64_t number;
    const char *move, *lines;
    size_t move_len, lines_len;
};

/* Call `each` for every row of a game in order.  ERR_GARBLED: the journal is
 * damaged; ERR_DENIED: it was sealed with another key, or there is none. */
typedef enum err store_row_reader(void *context, const struct store_row *row,
                                  struct buf *why);
enum err store_journal(struct store *store, const char *game,
                       store_row_reader *each, void *context,
                       struct buf *why) MUST_USE;

/* Add all record lines of a game, in order, to `out`, which is empty. */
enum err store_record(struct store *store, const char *game, struct buf *out,
                      struct buf *why) MUST_USE;

/* The same, up to the rows of a message's batch. */
enum err store_record_to(struct store *store, const char *game, int64_t batch,
                         struct buf *out, struct buf *why) MUST_USE;

/* The newest game that was, or is, in a thread; false: there is none. */
bool store_game_of(struct store *store, const char *thread,
                   struct store_game *game);

/* The newest game of a place that is over, in that thread if there was one;
 * false: there is none. */
bool store_last_game(struct store *store, const char *thread, const char *place,
                     struct store_game *game);

/* Has a game that began ended at a place? */
bool store_has_hosted(struct store *store, const char *place);

/* Is there such a game, and is it over? */
bool store_is_over(struct store *store, const char *game);

/* Hold a game: it is not hosted any more, and nothing of it is lost. */
void store_hold(struct store *store, const char *game);

/* ---- attempts ------------------------------------------------------------ */

/* Something that may end the process (a broken invariant) is tried only so
 * often. Save, at once, that `what` is tried at `at`.  Returns how often by
 * now, this time included, since it was last completed; elsewhere it is the
 * first.  A host that ended by an error, and did not die, has tried nothing;
 * and where the last host did not die, nothing is saved: if this one dies, the
 * next will see. */
int64_t store_try(struct store *store, const char *what, const char *at);

/* It was completed, which is committed with what came of it; then, at once, if
 * it was noted. */
void store_forget_attempt(struct store *store, const char *what);
void store_end_attempt(struct store *store);

/* ---- the operator looks at secrets --------------------------------------- */

/* Save in the store at `path`, beside a running host, that a running game was
 * looked at. */
enum err store_note_look(const char *path, const char *game,
                         struct buf *why) MUST_USE;

/* The game that was looked at first and has not been told; "" if none. */
void store_next_look(struct store *store, struct buf *game);
void store_forget_look(struct store *store, const char *game);

/* ---- who may not join ---------------------------------------------------- */

/* Call `each` for everybody who is blocked at a place, in the order of their
 * names; what it gets is borrowed. */
typedef void store_blocked_reader(void *context, const char *user,
                                  const char *name);
void store_blocked(struct store *store, const char *place,
                   store_blocked_reader *each, void *context);

/* ---- members ------------------------------------------------------------- */

/* Call `each` for every member of every service (bot/tables/members.h); what it
 * gets is borrowed. */
typedef void store_member_reader(void *context, const char *service,
                                 int64_t number, const char *user,
                                 const char *name);
void store_members(struct store *store, store_member_reader *each,
                   void *context);

/* Save a member, or what they are called now. */
void store_set_member(struct store *store, const char *service, int64_t number,
                      const char *user, const char *name);

/* ---- posts --------------------------------------------------------------- */

/* Save that a post was read, with its fingerprint (0: none), and how ("": that
 * is not known).  True: it was read before, and is as it was but for that. */
bool store_see(struct store *store, const char *service,
               const struct post *post, int64_t fingerprint,
               const char *verdict);

/* A number that stands for what a post says, made with the store's key
 * (bot/base/seal.h); never 0.  It is kept of public posts in the thread of a
 * running game. */
int64_t store_fingerprint(const struct store *store, const char *service,
                          const struct post *post, const struct buf *words);

/* Was a post read before, and how does its fingerprint compare with
 * the one that was saved last?  It takes the place of another one; 0: none. */
enum wording {
    WORDING_UNKNOWN, /* none was saved, or none is known now */
    WORDING_SAME,
    WORDING_OTHER
};
bool store_look(struct store *store, const char *service,
                const struct post *post, int64_t fingerprint,
                enum wording *before);

/* Was a post saved so before? */
bool store_was_seen(struct store *store, const char *service,
                    const struct post *post);

/* Save that the author of a post was told that it waits for approval; true:
 * they were told before.  And were they? */
bool store_set_pending(struct store *store, const char *service,
                       const struct post *post);
bool store_was_pending(struct store *store, const char *service,
                       const struct post *post);

/* In how many other places was it saved, from which it was moved, as topics are
 * merged?  By its id, its author and its time.  `before`: as it was in one of
 * them, if there is any. */
unsigned store_find_elsewhere(struct store *store, const char *service,
                              const struct post *post,
                              struct read_post *before);

/* The last game in a thread, or of whose DM it is, is over: what posts said
 * there, and how they were read, is not needed any more. */
void store_forget_readings(struct store *store, const char *service,
                           const char *place);

/* Forget the posts in the threads of a place's games that had their own, and
 * were over by then. */
void store_forget_threads(struct store *store, const char *service,
                          const char *place, int64_t over_by);

/* Has somebody written a post of a service that was read? */
bool store_has_author(struct store *store, const char *service,
                      const char *user);

/* The stamp of the newest post that a user wrote in a thread and that is older
 * than `before`; 0: none. */
int64_t store_wrote(struct store *store, const char *service,
                    const char *thread, const char *user, int64_t before);

/* A post of a service that was read, by its id (the thread of `thread` first);
 * False: there is none.  Its verdict is "" if that can't be opened. */
bool store_find_post(struct store *store, const char *service,
                     const char *thread, const char *id,
                     struct read_post *post);

/* The stamp of the newest post read at a service; 0: none. */
int64_t store_newest_post(struct store *store, const char *service);

/* A post that waits for its turn (bot/tables/turns/deferred.c), without its
 * text. */
struct deferred_post {
    int64_t number; /* rises in the order in which they were deferred */
    char service[64];
    char feed[ADAPTER_ID_MAX + 1];
    char place[ADAPTER_ID_MAX + 1];
    char author[ADAPTER_ID_MAX + 1];
    int64_t stamp, edited;
    bool dm, pressed;
    bool quiet; /* as in struct post; not saved */
    bool
        command; /* it may give a command; not saved: after a start, each may */
};

/* Defer a post of a feed; returns the number that is its own from then on. */
int64_t store_defer(struct store *store, const char *service, const char *feed,
                    const struct post *post);

/* Call `each` for every deferred post. */
typedef void store_deferred_reader(void *context,
                                   const struct deferred_post *deferred);
void store_deferred(struct store *store, store_deferred_reader *each,
                    void *context);

/* Add a deferred post to a page as it came (nothing if there is none of that
 * number); and delete it. */
void store_deferred_post(struct store *store, int64_t number,
                         struct page *page);
bool store_is_deferred(struct store *store, const char *service,
                       const char *id);
void store_forget_deferred(struct store *store, int64_t number);

/* A press is to be answered, whatever becomes of this process; it came at that
 * time (by the host's clock).  Its secret is forgotten with it. */
void store_set_press(struct store *store, const char *service,
                     const struct post *post, int64_t came, const char *secret);
void store_forget_press(struct store *store, const char *service,
                        const char *id);

/* Call `each` for every press that is to be answered, and can be: its secret
 * can be opened. */
typedef void store_press_reader(void *context, const char *service,
                                const char *id, const char *place, int64_t came,
                                const char *secret);
void store_presses(struct store *store, store_press_reader *each,
                   void *context);

/* ---- feeds, adapter states, DMs ------------------------------------------ */

/* When a feed was last read to its end, as far as that was saved. */
struct feed_reading {
    int64_t at;      /* by the host's clock; 0: never, or more was to be read
                        then */
    int64_t through; /* by the service's; 0: never */
};

/* What is known of a feed: its cursor ("": none), which is appended, and when
 * it was read. */
void store_feed(struct store *store, const char *service, const char *feed,
                struct buf *cursor, struct feed_reading *reading);

/* Call `each` for all feeds of which anything is known; it gets what is
 * borrowed. */
typedef void store_feed_reader(void *context, const char *service,
                               const char *feed, const char *cursor,
                               const struct feed_reading *reading);
void store_feeds(struct store *store, store_feed_reader *each, void *context);

/* What a service's feed that was read last says of that, as store_feed does; 0:
 * none was.  Also beside a host, where many feeds may share it. */
void store_last_reading(struct store *store, const char *service, int64_t *at,
                        int64_t *through);
/* Notes for commands beside the host, about something or nothing (""):
 * README.md lists their kinds.  Each is a text or (NULL) a time; of 0: none any
 * more.  store_noted appends it, if there is one. */
void store_note(struct store *store, const char *kind, const char *about,
                int64_t at, const char *text);
enum err store_note_site(const char *path, const char *folder,
                         struct buf *why) MUST_USE;
void store_noted(struct store *store, const char *kind, const char *about,
                 struct buf *text);
void store_set_cursor(struct store *store, const char *service,
                      const char *feed, const char *cursor);
void store_set_reading(struct store *store, const char *service,
                       const char *feed, int64_t at, int64_t through);

/* The same for many feeds of a service in one row: how far those were read that
 * share it; and that one shares it from now on, which was read up to `through`,
 * at least as far. */
void store_set_shared_reading(struct store *store, const char *service,
                              int64_t at, int64_t through);
void store_share_reading(struct store *store, const char *service,
                         const char *feed, int64_t through);

/* Give each feed that shares it a time of its own, as it is now.  A host that
 * starts has to, before it asks what is known of them: it may not read all. */
void store_part_readings(struct store *store);

/* Replace a list by the states that were saved, without those that can't be
 * opened. */
void store_states(struct store *store, const char *service,
                  struct adapter_states *states);
void store_set_state(struct store *store, const char *service,
                     const struct adapter_state *state);
/* The place of a user's DM; "" if unknown. */
void store_dm(struct store *store, const char *service, const char *user,
              struct buf *place);
/* Each DM that was opened with a person who is wanted. */
typedef bool store_dm_filter(void *context, const char *service,
                             const char *user);
typedef void store_dm_reader(void *context, const char *service,
                             const char *user, const char *place);
void store_dms(struct store *store, store_dm_filter *wanted,
               store_dm_reader *each, void *context);
/* Append whose DM a place is; nothing: nobody's. */
void store_dm_user(struct store *store, const char *service, const char *place,
                   struct buf *user);
void store_set_dm(struct store *store, const char *service, const char *user,
                  const char *place);

/* Somebody is not in their DM any more, or is asked back; whoever gets another
 * one is in it. */
void store_set_absent(struct store *store, const char *service,
                      const char *user, bool absent);
bool store_is_absent(struct store *store, const char *service,
                     const char *user);

/* ---- messages ------------------------------------------------------------ */

/* Load the messages that are not sent; those in flight are doubtful.  What
 * can't be opened stays where it is, and is logged. */
void store_load_outbox(struct store *store, struct outbox *outbox);

/* A message is delivered, or of no use any more: save that, and take it out of
 * the outbox.  Whoever drops one does it so. */
void store_end_queued(struct store *store, struct outbox *outbox,
                      struct queued_message *queued);

/* Save where a message is now (state, sent id); the text of a sent private one
 * is wiped, and once its game is over and no other post of it waits, the whole
 * of any but a status post.  A transaction of its own. */
void store_save_queued(struct store *store,
                       const struct queued_message *queued);

/* Save that whoever runs the host was told that a message waits. */
void store_alarmed(struct store *store, const struct queued_message *queued);

/* The id of a game's status post in a thread; "" before it was sent. */
void store_status_post(struct store *store, const char *game,
                       const char *thread, struct buf *post);

/* Append the ids of the posts of a game, and of others there, that are known to
 * stand in a thread, but for status posts, the newest of them, one per line. */
void store_sent_posts(struct store *store, const char *game, const char *thread,
                      struct buf *posts);

/* Append the ids of the status posts in a thread whose games are over, the
 * newest of them, one per line. */
void store_old_status(struct store *store, const char *thread,
                      struct buf *posts);

/* The running games of a place move from one thread to another; a status post
 * in the old one is left alone.  Within a transaction. */
void store_move_games(struct store *store, const char *place, const char *old,
                      const char *new);

/* A message that is not sent yet goes to another thread (outbox_move).  Within
 * a transaction. */
void store_move_message(struct store *store,
                        const struct queued_message *queued);

/* Append the game of the message that was sent as that post: a private one to a
 * user or (`to`: NULL) a question that moderators got, and then whoever asks;
 * nothing if it was none. */
void store_game_of_message(struct store *store, const char *post,
                           const char *to, struct buf *game, struct buf *asker);

/* Append the game of the public post of ours that has that id in a thread;
 * nothing if there is none. */
void store_game_of_post(struct store *store, const char *thread,
                        const char *post, struct buf *game);

/* The number of the request of a game that the host's post asks people to agree
 * to (its `once` is "14/request 3"); 0: it is no such post. */
unsigned store_request(struct store *store, const char *game, const char *post);

/* Have the delivered posts edited that asked a question of a game: they wait
 * again, in the outbox.  Nothing if there are none.  `gone`: a post that was
 * deleted, which is posted anew, once, if it is one of them; "": none was. */
void store_recall(struct store *store, const char *game, unsigned calls,
                  const char *gone, struct outbox *outbox);

/* Messages of one kind of a game that are neither delivered nor of no use any
 * more; one that may have arrived by itself. */
struct store_message {
    int64_t id; /* of one that may have arrived; 0: none of them */
    char game[TABLE_ID_MAX + 1]; /* "": none; to whoever runs the host */
    char place[64];
    char trouble[TROUBLE_MAX + 1]; /* why; "": nothing has failed yet */
    enum message_kind kind;
    bool calls;      /* one of them asks a question */
    int64_t written; /* the oldest */
    int64_t count;
    int64_t unapproved; /* how many of them wait for a moderator's approval */
};

/* Call `each` for those that were refused, or have waited since before a
 * time. */
typedef enum err store_message_reader(void *context,
                                      const struct store_message *message,
                                      struct buf *why);
enum err store_undelivered(struct store *store, int64_t before,
                           store_message_reader *each, void *context,
                           struct buf *why) MUST_USE;

/* Save in the store at `path`, beside a running host, whether a message that
 * may have arrived is there. */
enum err store_note_settled(const char *path, int64_t message, bool there,
                            struct buf *why) MUST_USE;

/* A message of which that was saved; 0: none. */
int64_t store_next_settled(struct store *store, bool *there);
void store_forget_settled(struct store *store, int64_t message);

#endif
