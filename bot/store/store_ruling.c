/* What a ruling leaves in the store: journal rows, and messages to send. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/slot.h"
#include "bot/store/forget.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"
#include "bot/store/store_session.h"

/* ---- journal rows -------------------------------------------------------- */

/* The number of the next row of a table that never uses a number again. */
static enum err
next_row(struct store *store, const char *table, int64_t *row, struct buf *why)
{
    int64_t last = 0;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT seq FROM sqlite_sequence WHERE name = ?",
                          "t>i", table, &last);
    *row = last + 1;
    return err;
}

/* A game's place in the list of games. */
static enum err
save_game(struct store *store, const struct ruling *ruling, struct buf *why)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    enum err err = db_run(
        store->db, why,
        "INSERT INTO game(id, place, thread, over, rows, ended, round, ending)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET over = excluded.over,"
        " rows = excluded.rows, ended = excluded.ended,"
        " round = excluded.round, ending = excluded.ending",
        "tttiiiii", table->id, table->place, table->thread, (int64_t)over,
        (int64_t)table->rows,
        over && table->home[0] != '\0' ? ruling->env->now : 0,
        (int64_t)table->game.round, over ? (int64_t)table->game.ending : -1);
    /* Apart: SQLite writes an index whose column is set, changed or not. */
    return err == ERR_NONE ? db_run(store->db, why,
                                    "UPDATE game SET thread = ?1"
                                    " WHERE id = ?2 AND thread <> ?1",
                                    "tt", table->thread, table->id)
                           : err;
}

static enum err
save_rows(struct store *store, const struct ruling *ruling, int64_t *batch,
          struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < ruling->row_count; i++) {
        err = next_row(store, "journal", batch, why);
        ERR_THEN(err, store_add_row(store, ruling->table->id, &ruling->rows[i],
                                    *batch, why));
    }
    return err == ERR_NONE && ruling->row_count > 0
               ? save_game(store, ruling, why)
               : err;
}

/* ---- messages that are there --------------------------------------------- */

/* Find a message in the outbox, or load one that was sent into it again, for it
 * may have to be edited.  NULL: nobody knows where it is. */
static enum err
find_message(struct store *store, int64_t id, struct outbox *outbox,
             struct queued_message **there, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    *there = outbox_find(outbox, id);
    if (*there != NULL) {
        return ERR_NONE;
    }
    enum err err = db_query(store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS " FROM message"
                            " WHERE id = ? AND (sent <> '' OR kind = 2)",
                            "i", id);
    if (db_next(store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened differs from the new one. */
        if (store_load_queued(store, rows, &queued, &trouble) != ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
            queued.message.text = must_copy("");
        }
        *there = outbox_add(outbox, &queued);
        db_done(rows);
        buf_release(&trouble);
    }
    return err;
}

/* The queued message of a game's status post in a thread.  NULL: none was
 * written yet. */
static enum err
find_status(struct store *store, const char *game, const char *thread,
            struct outbox *outbox, struct queued_message **status,
            struct buf *why)
{
    int64_t id = 0;
    *status = NULL;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT id FROM message WHERE game = ? AND thread = ?"
                          " AND kind = 2",
                          "tt>i", game, thread, &id);
    return err == ERR_NONE && id != 0
               ? find_message(store, id, outbox, status, why)
               : err;
}

/* What a message in the outbox says has changed at that time.  If it was sent,
 * it is edited. */
static enum err
renew(struct store *store, struct outbox *outbox, struct queued_message *there,
      int64_t written, struct buf *why)
{
    if (queued_flies(there)) {
        there->changed = true;
    } else {
        if (there->state == QUEUED_SENT) {
            there->message.written = written;
            there->waiting = written;
        }
        /* A post may be found as it was before. */
        there->changed =
            queued_is_doubtful(there) && there->message.kind != MESSAGE_STATUS;
        there->state =
            queued_is_doubtful(there) ? QUEUED_DOUBTFUL : QUEUED_WAITING;
        outbox_changed(outbox, there);
    }
    struct buf sealed = store_seal_text(store, there);
    enum err err = db_run(
        store->db, why,
        "UPDATE message SET text = ?, changed = ?, state = ?, written = ?"
        " WHERE id = ?",
        "biiii", sealed.data, sealed.len, (int64_t)there->changed,
        (int64_t)queued_saved_state(there), there->message.written, there->id);
    buf_release(&sealed);
    return err;
}

/* Have a message that is in the outbox say something else. */
static enum err
set_text(struct store *store, struct outbox *outbox,
         struct queued_message *there, const struct message *message,
         struct buf *why)
{
    free(there->message.text);
    there->message.text = must_copy(message->text);
    return renew(store, outbox, there, message->written, why);
}

/* A status post gets the new text.  The same text is not sent again: in a
 * session even an edit would tell that somebody has acted. */
static enum err
update_status(struct store *store, struct outbox *outbox,
              struct queued_message *there, const struct message *message,
              struct buf *why)
{
    const char *text = there->message.text; /* NULL: wiped with its game */
    if (text == NULL || strcmp(text, message->text) != 0) {
        return set_text(store, outbox, there, message, why);
    }
    if (there->state == QUEUED_SENT) {
        outbox_done(outbox, there->id); /* loaded for nothing */
    }
    return ERR_NONE;
}

/* The next message of a call for votes after that one; 0: there is none. */
static enum err
next_call(struct store *store, const char *game, unsigned calls, int64_t *id,
          struct buf *why)
{
    int64_t after = *id;
    *id = 0;
    return db_row(store->db, why, NULL,
                  "SELECT id FROM message WHERE game = ? AND calls = ?"
                  " AND calls <> 0 AND kind = 0 AND text IS NOT NULL"
                  " AND id > ? ORDER BY id LIMIT 1",
                  "tii>i", game, (int64_t)calls, after, id);
}

/* A call for votes shows those that are in now, if its post has room; what
 * waits to be edited is edited once. */
static enum err
set_votes(struct store *store, const struct ruling *ruling,
          struct outbox *outbox, struct queued_message *there, struct buf *why)
{
    const struct capabilities *capabilities = ruling->env->capabilities;
    char *text = there->message.text;
    struct buf whole = BUF_INIT;
    buf_add(&whole, text, (size_t)(slot_of_votes(text) - text));
    size_t base = whole.len;
    buf_add_buf(&whole, &ruling->votes);
    if (capabilities->longest != 0 &&
        length_of(capabilities->unit, buf_text(&whole), whole.len) >
            capabilities->longest) {
        buf_truncate(&whole, base);
    }
    free(text);
    there->message.text = buf_take(&whole);
    return renew(store, outbox, there, ruling->env->now, why);
}

static enum err
save_votes(struct store *store, const struct ruling *ruling,
           struct outbox *outbox, struct buf *why)
{
    int64_t id = 0;
    enum err err = ERR_NONE;
    bool set = false;
    do {
        struct queued_message *there = NULL;
        err = next_call(store, ruling->table->id, ruling->votes_of, &id, why);
        if (err == ERR_NONE && id != 0) {
            err = find_message(store, id, outbox, &there, why);
        }
        if (there != NULL && there->shape <= SHAPE_PLAIN &&
            slot_of_votes(there->message.text) != NULL) {
            err = set_votes(store, ruling, outbox, there, why);
            set = true;
        } else if (there != NULL && there->state == QUEUED_SENT) {
            outbox_done(outbox, there->id); /* loaded for nothing */
        }
    } while (err == ERR_NONE && id != 0 && !set);
    return err;
}

/* ---- messages that are withdrawn ----------------------------------------- */

/* Is it about what was taken back with all rows after that one?  A status post
 * is written anew. */
static bool
is_taken_back(const struct queued_message *queued, int64_t last)
{
    return queued->state == QUEUED_WAITING && queued->batch > last &&
           queued->message.kind != MESSAGE_STATUS &&
           queued->message.kind != MESSAGE_INVITE;
}

/* Has it ended with what this ruling does?  Once a game is over, all is told
 * that its players were not told before. */
static bool
is_ended(const struct queued_message *queued, const struct ruling *ruling)
{
    const struct message *message = &queued->message;
    bool seat = message->about == ABOUT_SEAT;
    bool answered = ruling->answered[0] != '\0' && message->user != NULL &&
                    strcmp(message->user, ruling->answered) == 0 &&
                    (message->calls != 0 || (message->about != 0 && !seat));
    return queued->state == QUEUED_WAITING &&
           (answered || !queued_is_wanted(queued, ruling->table) ||
            (seat && ruling->table->state == TABLE_OVER));
}

/* What was ended or taken back is not sent any more.  What may have gone out
 * already is settled first (bot/loop/sender.c). */
static enum err
withdraw_ended(struct store *store, const struct ruling *ruling,
               struct outbox *outbox, struct buf *why)
{
    const char *game = ruling->table->id;
    int64_t last = INT64_MAX;
    enum err err = ERR_NONE;
    struct queued_message *queued = NULL;
    size_t at = 0;
    if (ruling->undone) {
        err = db_row(store->db, why, NULL,
                     "SELECT row FROM journal WHERE game = ?"
                     " ORDER BY row LIMIT 1 OFFSET ?",
                     "ti>i", game, (int64_t)ruling->undone_to - 1, &last);
    }
    while (err == ERR_NONE &&
           (queued = outbox_next_of_game(outbox, game, &at)) != NULL) {
        if (is_ended(queued, ruling) || is_taken_back(queued, last)) {
            err = store_end_queued(store, outbox, queued, why);
            at = 0;
        }
    }
    return err;
}

/* ---- messages ------------------------------------------------------------ */

/* What the pieces of a message share. */
struct saving {
    const struct ruling *ruling;
    const struct message *first; /* the first of the pieces */
    bool said;                   /* it was said before … */
    int64_t said_by;             /* … by that message */
    enum message_again again;    /* what to do then */
    int64_t batch;
};

/* An answer to somebody's next attempt: find out whether it is still said.  If
 * it is, the one before keeps its count, but not its name. */
static enum err
attempt_again(struct store *store, struct saving *saving, struct buf *why)
{
    enum {
        POSTS_MOST = 3,
        PAUSE_MS = 60 * 1000
    };
    const struct message *message = saving->first;
    int64_t written = 0;
    int64_t posts = 0;
    enum err err =
        db_row(store->db, why, NULL,
               "SELECT written, (SELECT count(*) FROM message"
               " WHERE once >= ?2 || '/' AND once < ?2 || '0')"
               " FROM message WHERE id = ?1",
               "it>ii", saving->said_by, message->once, &written, &posts);
    saving->again = AGAIN_DROP;
    if (err == ERR_NONE && message->written - written < PAUSE_MS) {
        saving->again =
            saving->ruling->env->capabilities->edits ? AGAIN_EDIT : AGAIN_DROP;
    } else if (err == ERR_NONE && posts + 1 < POSTS_MOST) {
        saving->said = false;
        err = db_run(store->db, why,
                     "UPDATE message SET once = once || '/' || id WHERE id = ?",
                     "i", saving->said_by);
    }
    return err;
}

/* Begin with a message: was it said before, and what is to be done then? */
static enum err
begin_message(struct store *store, struct saving *saving,
              const struct message *message, struct buf *why)
{
    saving->first = message;
    saving->again = message->again;
    saving->said = false;
    if (message->once == NULL) {
        return ERR_NONE;
    }
    char sign[SIGN_SIZE];
    store_sign(store, SIGN_ONCE, message->once, sign);
    enum err err = db_row(store->db, why, &saving->said,
                          "SELECT id FROM message WHERE once = ? OR once = ?",
                          "tt>i", message->once, sign, &saving->said_by);
    return err == ERR_NONE && saving->said && saving->again == AGAIN_ATTEMPT
               ? attempt_again(store, saving, why)
               : err;
}

/* Copy a message; what a piece shares with the first one comes from `first`. */
static void
copy_message(const struct message *text, const struct message *first,
             struct message *to)
{
    bool leads = text == first;
    *to = *first;
    to->text = must_copy(text->text);
    to->user = must_copy(first->user);
    to->post = must_copy(first->post);
    to->place = must_copy(first->place);
    to->pings = must_copy(text->pings);
    to->once = must_copy(leads ? first->once : NULL);
    to->picture = leads && first->picture;
    to->report = must_copy(leads ? first->report : NULL);
}

/* Append a number in base 36. */
static void
add_number(struct buf *out, int64_t number)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    char text[16];
    size_t at = sizeof text;
    do {
        text[--at] = digits[number % 36];
        number /= 36;
    } while (number > 0);
    buf_add(out, text + at, sizeof text - at);
}

/* Append what a message says, to whom, and where, without the times that it
 * names; a status post is the same whatever it says. */
static void
add_contents(const struct queued_message *queued, struct buf *out)
{
    const struct message *message = &queued->message;
    struct buf text = BUF_INIT;
    if (message->kind != MESSAGE_STATUS && message->text != NULL) {
        slot_fill(message->text, message->deadline, 0, "", &text);
    }
    buf_addf(out,
             "game %s, kind %d, calls %u, to " PART ", in " PART ", on " PART
             ": " PART,
             queued->game, (int)message->kind, message->calls,
             PART_OF(message->user), PART_OF(queued->thread),
             PART_OF(message->post), PART_OF(buf_text(&text)));
    buf_wipe(&text);
}

static void
write_key(const char *begin, const char *mark, int64_t number,
          struct queued_message *queued)
{
    struct buf key = BUF_INIT;
    buf_addf(&key, "%s.", begin);
    if (strlen(queued->game) <= 5) {
        buf_addf(&key, "%s.", queued->game);
    }
    buf_add_text(&key, mark);
    add_number(&key, number);
    assert(key.len <= KEY_MAX);
    (void)snprintf(queued->key, sizeof queued->key, "%s", buf_text(&key));
    buf_release(&key);
}

/* A key made from the contents, for the n-th time that a game says the same:
 * its messages stay in the store while it is on.  So a host that was given a
 * backup, and decides again what was decided since, makes the keys under which
 * that was sent; what it decides otherwise gets another one. */
static enum err
make_key_by_contents(struct store *store, struct queued_message *queued,
                     struct buf *why)
{
    struct buf contents = BUF_INIT;
    enum err err = ERR_NONE;
    bool used = true;
    add_contents(queued, &contents);
    size_t len = contents.len;
    for (unsigned n = 1; err == ERR_NONE && used; n++) {
        char begin[9];
        buf_truncate(&contents, len);
        buf_addf(&contents, ", %u", n);
        uint64_t number = seal_number(store->seal, "the key of a message",
                                      buf_text(&contents), contents.len);
        (void)snprintf(begin, sizeof begin, "%08x", (unsigned)(number >> 32));
        write_key(begin, "", (int64_t)(number & UINT32_MAX), queued);
        err = db_row(store->db, why, &used,
                     "SELECT 1 FROM message INDEXED BY message_key"
                     " WHERE game = ? AND kind <> 2 AND key = ?",
                     "tt>", queued->game, queued->key);
    }
    buf_wipe(&contents);
    return err;
}

static enum err
make_key(struct store *store, const struct table *table,
         struct queued_message *queued, struct buf *why)
{
    if (queued->game[0] != '\0' && table->state != TABLE_OVER) {
        return make_key_by_contents(store, queued, why);
    }
    /* Of no game, or of one that is over: its number differs from all before
     * it, and the epoch from that of a copy. */
    write_key(store->epoch, ".", queued->id, queued);
    return ERR_NONE;
}

/* The posts that asked the question before are not edited any more, so their
 * texts are wiped.  It states what the index message_calls states, or SQLite
 * would read the messages of all games. */
static enum err
forget_calls(struct store *store, const struct queued_message *queued,
             struct buf *why)
{
    return db_run(store->db, why,
                  "UPDATE message SET text = NULL WHERE game = ? AND state = 2"
                  " AND kind = 0 AND calls > 0 AND calls <> ?"
                  " AND calls <> 0 AND text IS NOT NULL",
                  "ti", queued->game, (int64_t)queued->message.calls);
}

/* Make the queued message of a piece, without its id and key; release its
 * message. */
static void
compose(const struct saving *saving, const struct message *message,
        const char *thread, struct queued_message *queued)
{
    const struct table *table = saving->ruling->table;
    memset(queued, 0, sizeof *queued);
    copy_message(message, saving->first, &queued->message);
    if (saving->said) {
        /* The same is said in public only once, after that by private
         * message. */
        if (saving->again == AGAIN_PRIVATE) {
            queued->message.kind = MESSAGE_PRIVATE;
            ruling_about(saving->ruling, &queued->message);
        }
        free(queued->message.once);
        queued->message.once = NULL;
    }
    queued->hidden = queued->message.kind == MESSAGE_PRIVATE &&
                     table->state == TABLE_RUNNING && table_is_secret(table);
    queued->batch = saving->batch;
    queued->waiting = queued->message.written;
    (void)snprintf(queued->game, sizeof queued->game, "%s", table->id);
    (void)snprintf(queued->place, sizeof queued->place, "%s", table->place);
    (void)snprintf(queued->thread, sizeof queued->thread, "%s", thread);
}

static enum err
save_new_message(struct store *store, const struct saving *saving,
                 const struct message *message, const char *thread,
                 struct outbox *outbox, struct buf *why)
{
    struct queued_message queued;
    compose(saving, message, thread, &queued);
    enum err err = next_row(store, "message", &queued.id, why);
    ERR_THEN(err, make_key(store, saving->ruling->table, &queued, why));
    if (err == ERR_NONE) {
        queued.state = store->copied != 0 ? QUEUED_DOUBTFUL : QUEUED_WAITING;
        err = store_insert_queued(store, &queued, why);
    }
    if (err == ERR_NONE && message->kind == MESSAGE_POST &&
        queued.message.calls != 0) {
        err = forget_calls(store, &queued, why);
    }
    if (err == ERR_NONE) {
        (void)outbox_add(outbox, &queued);
    } else {
        message_release(&queued.message);
    }
    return err;
}

/* A status post, or a post that was said before, may get the text. */
static enum err
save_message(struct store *store, const struct saving *saving,
             const struct message *message, struct outbox *outbox,
             struct buf *why)
{
    const struct table *table = saving->ruling->table;
    const char *place = saving->first->place;
    struct queued_message *there = NULL;
    enum err err = ERR_NONE;
    bool edits = saving->again == AGAIN_EDIT;
    bool placed =
        message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS;
    const char *thread = placed && place != NULL ? place : table->thread;
    if (saving->said && saving->again == AGAIN_DROP) {
        return ERR_NONE;
    }
    if (edits && saving->said && message == saving->first) {
        err = find_message(store, saving->said_by, outbox, &there, why);
    } else if (!edits && message->kind == MESSAGE_STATUS) {
        err = find_status(store, table->id, thread, outbox, &there, why);
    }
    if (err == ERR_NONE && there != NULL) {
        return edits ? set_text(store, outbox, there, message, why)
                     : update_status(store, outbox, there, message, why);
    }
    return err == ERR_NONE && !edits
               ? save_new_message(store, saving, message, thread, outbox, why)
               : err;
}

/* Append the thread and the id of each post whose buttons are of no use any
 * more, a line each: it asked the question that was open, or told of a session
 * while that was on; or, once the game begins, it asked for something before.
 * The call for a vote loses its buttons with its last votes. */
static enum err
list_settled(struct store *store, const struct ruling *ruling,
             struct buf *settled, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    int64_t first = ruling->first_asked;
    enum err err = db_query(
        store->db, why, &rows,
        "SELECT thread, sent FROM message WHERE game = ?1 AND kind <> 2"
        " AND kind = 0 AND state = 2 AND sent <> '' AND iif(?2 = 0,"
        " calls = ?4 OR calls = 0 AND ?5 AND pings IS NOT NULL AND once IS NULL,"
        " (calls = ?2 OR calls = -?2 AND waits) AND calls <> ?3)",
        "tiiii", ruling->table->id, first, (int64_t)ruling->votes_of,
        (int64_t)CALLS_READY, ruling->table->check_ends);
    while (db_next(store->db, rows, &err, why)) {
        buf_addf(settled, "%s\n%s\n", db_text(rows, 0), db_text(rows, 1));
    }
    return err;
}

/* Take the buttons from posts: their places and ids, a line each. */
static enum err
bare(struct store *store, const struct ruling *ruling, struct outbox *outbox,
     const struct buf *posts, struct buf *why)
{
    char *list = must_copy(buf_text(posts));
    char *save = NULL;
    char *place = strtok_r(list, "\n", &save);
    char nothing[] = "";
    enum err err = ERR_NONE;
    while (err == ERR_NONE && place != NULL) {
        struct message message = {
            .kind = MESSAGE_BARE,
            .text = nothing,
            .place = place,
            .post = strtok_r(NULL, "\n", &save),
            .written = ruling->env->now,
        };
        struct saving saving = {.ruling = ruling, .first = &message};
        err = save_new_message(store, &saving, &message, ruling->table->thread,
                               outbox, why);
        place = strtok_r(NULL, "\n", &save);
    }
    free(list);
    return err;
}

static enum err
save_blocks(struct store *store, const struct ruling *ruling, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < ruling->block_count; i++) {
        const char *place = ruling->env->place->name;
        const struct block *block = &ruling->blocks[i];
        err = block->lifted
                  ? db_run(store->db, why,
                           "DELETE FROM blocked WHERE place = ? AND user = ?",
                           "tt", place, block->user)
                  : db_run(store->db, why,
                           "INSERT INTO blocked(place, user, name)"
                           " VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET"
                           " name = excluded.name",
                           "ttt", place, block->user, block->name);
    }
    return err;
}

enum err
store_save_ruling(struct store *store, const struct ruling *ruling,
                  struct outbox *outbox, struct buf *why)
{
    int64_t batch = 0;
    enum err err = withdraw_ended(store, ruling, outbox, why);
    if (err == ERR_NONE && ruling->votes_of != 0) {
        err = save_votes(store, ruling, outbox, why);
    }
    ERR_THEN(err, save_blocks(store, ruling, why));
    if (err == ERR_NONE && ruling->forgets[0] != '\0') {
        err = forget_ask(store, NULL, ruling->env->service->name,
                         ruling->forgets, why);
    }
    ERR_THEN(err, save_rows(store, ruling, &batch, why));
    /* A batch's number is that of its newest row.  A message without a row (an
     * answer) is a batch by itself, because no other message waits for it. */
    if (err == ERR_NONE && batch == 0 && ruling->message_count > 0) {
        err = next_row(store, "message", &batch, why);
        batch = -batch;
    }
    struct saving saving = {
        .ruling = ruling, .first = ruling->messages, .batch = batch};
    for (unsigned i = 0; err == ERR_NONE && i < ruling->message_count; i++) {
        const struct message *message = &ruling->messages[i];
        if (!message->follows) {
            err = begin_message(store, &saving, message, why);
        }
        ERR_THEN(err, save_message(store, &saving, message, outbox, why));
    }
    const struct table *table = ruling->table;
    bool hidden = table->state == TABLE_RUNNING && table_is_secret(table);
    bool empty = ruling->row_count == 0 && ruling->message_count == 0;
    struct buf settled = BUF_INIT;
    bool over = table->state == TABLE_OVER;
    if (err == ERR_NONE && !hidden && !empty) {
        err = store_reveal(store, ruling, outbox, &settled, why);
    }
    if (ruling->row_count > 0 &&
        (over || table_phase(table) != ruling->first_asked)) {
        ERR_THEN(err, list_settled(store, ruling, &settled, why));
    }
    if (settled.len > 0 && ruling->env->buttons) {
        ERR_THEN(err, bare(store, ruling, outbox, &settled, why));
    }
    buf_release(&settled);
    if (err == ERR_NONE && over) {
        err = store_put_away(store, table->id, table->thread, why);
    }
    return err == ERR_NONE && over
               ? store_save_result(store, table->id, table, why)
               : err;
}
