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
static int64_t
next_row(struct store *store, const char *table)
{
    int64_t last = 0;
    (void)db_row(store->db, "SELECT seq FROM sqlite_sequence WHERE name = ?",
                 "t>i", table, &last);
    return last + 1;
}

/* A game's place in the list of games. */
static void
save_game(struct store *store, const struct ruling *ruling)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    db_run(
        store->db,
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
    db_run(store->db,
           "UPDATE game SET thread = ?1 WHERE id = ?2 AND thread <> ?1", "tt",
           table->thread, table->id);
}

/* Returns the number of the newest row; 0: there is none. */
static int64_t
save_rows(struct store *store, const struct ruling *ruling)
{
    int64_t batch = 0;
    for (unsigned i = 0; i < ruling->row_count; i++) {
        batch = next_row(store, "journal");
        store_add_row(store, ruling->table->id, &ruling->rows[i], batch);
    }
    if (ruling->row_count > 0) {
        save_game(store, ruling);
    }
    return batch;
}

/* ---- messages that are there --------------------------------------------- */

/* Find a message in the outbox, or load one that was sent into it again, for it
 * may have to be edited.  NULL: nobody knows where it is. */
static struct queued_message *
find_message(struct store *store, int64_t id, struct outbox *outbox)
{
    struct queued_message *there = outbox_find(outbox, id);
    if (there != NULL) {
        return there;
    }
    sqlite3_stmt *rows = db_query(store->db,
                                  "SELECT " QUEUED_COLUMNS " FROM message"
                                  " WHERE id = ? AND (sent <> '' OR kind = 2)",
                                  "i", id);
    if (db_next(store->db, rows)) {
        struct queued_message queued;
        struct buf trouble = BUF_INIT;
        /* One that can't be opened differs from the new one. */
        if (store_load_queued(store, rows, &queued, &trouble) != ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&trouble));
            queued.message.text = must_copy("");
        }
        there = outbox_add(outbox, &queued);
        db_done(rows);
        buf_release(&trouble);
    }
    return there;
}

/* The queued message of a game's status post in a thread.  NULL: none was
 * written yet. */
static struct queued_message *
find_status(struct store *store, const char *game, const char *thread,
            struct outbox *outbox)
{
    int64_t id = 0;
    return db_row(store->db,
                  "SELECT id FROM message WHERE game = ? AND thread = ?"
                  " AND kind = 2",
                  "tt>i", game, thread, &id)
               ? find_message(store, id, outbox)
               : NULL;
}

/* What a message in the outbox says has changed at that time.  If it was sent,
 * it is edited. */
static void
renew(struct store *store, struct outbox *outbox, struct queued_message *there,
      int64_t written)
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
    db_run(store->db,
           "UPDATE message SET text = ?, changed = ?, state = ?, written = ?"
           " WHERE id = ?",
           "biiii", sealed.data, sealed.len, (int64_t)there->changed,
           (int64_t)queued_saved_state(there), there->message.written,
           there->id);
    buf_release(&sealed);
}

/* Have a message that is in the outbox say something else. */
static void
set_text(struct store *store, struct outbox *outbox,
         struct queued_message *there, const struct message *message)
{
    free(there->message.text);
    there->message.text = must_copy(message->text);
    renew(store, outbox, there, message->written);
}

/* A status post gets the new text.  The same text is not sent again: in a
 * session even an edit would tell that somebody has acted. */
static void
update_status(struct store *store, struct outbox *outbox,
              struct queued_message *there, const struct message *message)
{
    const char *text = there->message.text; /* NULL: wiped with its game */
    if (text == NULL || strcmp(text, message->text) != 0) {
        set_text(store, outbox, there, message);
    } else if (there->state == QUEUED_SENT) {
        outbox_done(outbox, there->id); /* loaded for nothing */
    }
}

/* The next message of a call for votes after that one; 0: there is none. */
static int64_t
next_call(struct store *store, const char *game, unsigned calls, int64_t after)
{
    int64_t id = 0;
    (void)db_row(store->db,
                 "SELECT id FROM message WHERE game = ? AND calls = ?"
                 " AND calls <> 0 AND kind = 0 AND text IS NOT NULL"
                 " AND id > ? ORDER BY id LIMIT 1",
                 "tii>i", game, (int64_t)calls, after, &id);
    return id;
}

/* A call for votes shows those that are in now, if its post has room; what
 * waits to be edited is edited once. */
static void
set_votes(struct store *store, const struct ruling *ruling,
          struct outbox *outbox, struct queued_message *there)
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
    renew(store, outbox, there, ruling->env->now);
}

static void
save_votes(struct store *store, const struct ruling *ruling,
           struct outbox *outbox)
{
    const char *game = ruling->table->id;
    bool set = false;
    for (int64_t id = next_call(store, game, ruling->votes_of, 0);
         id != 0 && !set; id = next_call(store, game, ruling->votes_of, id)) {
        struct queued_message *there = find_message(store, id, outbox);
        if (there != NULL && there->shape <= SHAPE_PLAIN &&
            slot_of_votes(there->message.text) != NULL) {
            set_votes(store, ruling, outbox, there);
            set = true;
        } else if (there != NULL && there->state == QUEUED_SENT) {
            outbox_done(outbox, there->id); /* loaded for nothing */
        }
    }
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
static void
withdraw_ended(struct store *store, const struct ruling *ruling,
               struct outbox *outbox)
{
    const char *game = ruling->table->id;
    int64_t last = INT64_MAX;
    struct queued_message *queued = NULL;
    size_t at = 0;
    if (ruling->undone) {
        (void)db_row(store->db,
                     "SELECT row FROM journal WHERE game = ?"
                     " ORDER BY row LIMIT 1 OFFSET ?",
                     "ti>i", game, (int64_t)ruling->undone_to - 1, &last);
    }
    while ((queued = outbox_next_of_game(outbox, game, &at)) != NULL) {
        if (is_ended(queued, ruling) || is_taken_back(queued, last)) {
            store_end_queued(store, outbox, queued);
            at = 0;
        }
    }
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
static void
attempt_again(struct store *store, struct saving *saving)
{
    enum {
        POSTS_MOST = 3,
        PAUSE_MS = 60 * 1000
    };
    const struct message *message = saving->first;
    int64_t written = 0;
    int64_t posts = 0;
    (void)db_row(store->db,
                 "SELECT written, (SELECT count(*) FROM message"
                 " WHERE once >= ?2 || '/' AND once < ?2 || '0')"
                 " FROM message WHERE id = ?1",
                 "it>ii", saving->said_by, message->once, &written, &posts);
    saving->again = AGAIN_DROP;
    if (message->written - written < PAUSE_MS) {
        saving->again =
            saving->ruling->env->capabilities->edits ? AGAIN_EDIT : AGAIN_DROP;
    } else if (posts + 1 < POSTS_MOST) {
        saving->said = false;
        db_run(store->db,
               "UPDATE message SET once = once || '/' || id WHERE id = ?", "i",
               saving->said_by);
    }
}

/* Begin with a message: was it said before, and what is to be done then? */
static void
begin_message(struct store *store, struct saving *saving,
              const struct message *message)
{
    saving->first = message;
    saving->again = message->again;
    saving->said = false;
    if (message->once == NULL) {
        return;
    }
    char sign[SIGN_SIZE];
    store_sign(store, SIGN_ONCE, message->once, sign);
    saving->said =
        db_row(store->db, "SELECT id FROM message WHERE once = ? OR once = ?",
               "tt>i", message->once, sign, &saving->said_by);
    if (saving->said && saving->again == AGAIN_ATTEMPT) {
        attempt_again(store, saving);
    }
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
static void
make_key_by_contents(struct store *store, struct queued_message *queued)
{
    struct buf contents = BUF_INIT;
    bool used = true;
    add_contents(queued, &contents);
    size_t len = contents.len;
    for (unsigned n = 1; used; n++) {
        char begin[9];
        buf_truncate(&contents, len);
        buf_addf(&contents, ", %u", n);
        uint64_t number = seal_number(store->seal, "the key of a message",
                                      buf_text(&contents), contents.len);
        (void)snprintf(begin, sizeof begin, "%08x", (unsigned)(number >> 32));
        write_key(begin, "", (int64_t)(number & UINT32_MAX), queued);
        used = db_row(store->db,
                      "SELECT 1 FROM message INDEXED BY message_key"
                      " WHERE game = ? AND kind <> 2 AND key = ?",
                      "tt>", queued->game, queued->key);
    }
    buf_wipe(&contents);
}

static void
make_key(struct store *store, const struct table *table,
         struct queued_message *queued)
{
    if (queued->game[0] != '\0' && table->state != TABLE_OVER) {
        make_key_by_contents(store, queued);
    } else {
        /* Of no game, or of one that is over: its number differs from all
         * before it, and the epoch from that of a copy. */
        write_key(store->epoch, ".", queued->id, queued);
    }
}

/* The posts that asked the question before are not edited any more, so their
 * texts are wiped.  It states what the index message_calls states, or SQLite
 * would read the messages of all games. */
static void
forget_calls(struct store *store, const struct queued_message *queued)
{
    db_run(store->db,
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

static void
save_new_message(struct store *store, const struct saving *saving,
                 const struct message *message, const char *thread,
                 struct outbox *outbox)
{
    struct queued_message queued;
    compose(saving, message, thread, &queued);
    queued.id = next_row(store, "message");
    make_key(store, saving->ruling->table, &queued);
    queued.state = store->copied != 0 ? QUEUED_DOUBTFUL : QUEUED_WAITING;
    store_insert_queued(store, &queued);
    if (message->kind == MESSAGE_POST && queued.message.calls != 0) {
        forget_calls(store, &queued);
    }
    if (store_err(store, NULL) == ERR_NONE) {
        (void)outbox_add(outbox, &queued);
    } else { /* it has no number of its own */
        message_release(&queued.message);
    }
}

/* A status post, or a post that was said before, may get the text. */
static void
save_message(struct store *store, const struct saving *saving,
             const struct message *message, struct outbox *outbox)
{
    const struct table *table = saving->ruling->table;
    const char *place = saving->first->place;
    struct queued_message *there = NULL;
    bool edits = saving->again == AGAIN_EDIT;
    bool placed =
        message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS;
    const char *thread = placed && place != NULL ? place : table->thread;
    if (saving->said && saving->again == AGAIN_DROP) {
        return;
    }
    if (edits && saving->said && message == saving->first) {
        there = find_message(store, saving->said_by, outbox);
    } else if (!edits && message->kind == MESSAGE_STATUS) {
        there = find_status(store, table->id, thread, outbox);
    }
    if (there != NULL && edits) {
        set_text(store, outbox, there, message);
    } else if (there != NULL) {
        update_status(store, outbox, there, message);
    } else if (!edits) {
        save_new_message(store, saving, message, thread, outbox);
    }
}

/* The session of a game is over: mark its messages that were sent, or dropped,
 * as sent.  Append the DM and the id of each that asked for something, a line
 * each.  The query is sorted, so that it is read before rows change. */
static void
reveal(struct store *store, const struct ruling *ruling,
       const struct outbox *outbox, struct buf *asked)
{
    sqlite3_stmt *rows =
        db_query(store->db,
                 "SELECT " QUEUED_COLUMNS " FROM message WHERE state <> 2"
                 " AND delivery IS NOT NULL AND game = ?"
                 " ORDER BY +id",
                 "t", ruling->table->id);
    while (db_next(store->db, rows)) {
        struct queued_message queued;
        struct buf dm = BUF_INIT;
        bool read = store_read_queued(store, rows, &queued, NULL) == ERR_NONE;
        if (outbox_find(outbox, queued.id) == NULL) {
            db_run(store->db,
                   "UPDATE message SET state = 2, text = NULL"
                   " WHERE id = ?",
                   "i", queued.id);
            if (read && queued.sent[0] != '\0' && queued.message.calls != 0) {
                store_dm(store, ruling->env->service->name, queued.message.user,
                         &dm);
            }
            if (dm.len > 0) {
                buf_addf(asked, "%s\n%s\n", buf_text(&dm), queued.sent);
            }
        }
        buf_release(&dm);
        message_release(&queued.message);
    }
}

/* Append the thread and the id of each post whose buttons are of no use any
 * more, a line each: it asked the question that was open, or told of a session
 * while that was on; or, once the game begins, it asked for something before.
 * The call for a vote loses its buttons with its last votes. */
static void
list_settled(struct store *store, const struct ruling *ruling,
             struct buf *settled)
{
    int64_t first = ruling->first_asked;
    sqlite3_stmt *rows = db_query(
        store->db,
        "SELECT thread, sent FROM message WHERE game = ?1 AND kind <> 2"
        " AND kind = 0 AND state = 2 AND sent <> '' AND iif(?2 = 0,"
        " calls = ?4 OR calls = 0 AND ?5 AND pings IS NOT NULL AND once IS NULL,"
        " (calls = ?2 OR calls = -?2 AND waits) AND calls <> ?3)",
        "tiiii", ruling->table->id, first, (int64_t)ruling->votes_of,
        (int64_t)CALLS_READY, ruling->table->check_ends);
    while (db_next(store->db, rows)) {
        buf_addf(settled, "%s\n%s\n", db_text(rows, 0), db_text(rows, 1));
    }
}

/* Take the buttons from posts: their places and ids, a line each. */
static void
bare(struct store *store, const struct ruling *ruling, struct outbox *outbox,
     const struct buf *posts)
{
    char *list = must_copy(buf_text(posts));
    char *save = NULL;
    char nothing[] = "";
    for (char *place = strtok_r(list, "\n", &save); place != NULL;
         place = strtok_r(NULL, "\n", &save)) {
        struct message message = {
            .kind = MESSAGE_BARE,
            .text = nothing,
            .place = place,
            .post = strtok_r(NULL, "\n", &save),
            .written = ruling->env->now,
        };
        struct saving saving = {.ruling = ruling, .first = &message};
        save_new_message(store, &saving, &message, ruling->table->thread,
                         outbox);
    }
    free(list);
}

static void
save_blocks(struct store *store, const struct ruling *ruling)
{
    for (unsigned i = 0; i < ruling->block_count; i++) {
        const char *place = ruling->env->place->name;
        const struct block *block = &ruling->blocks[i];
        if (block->lifted) {
            db_run(store->db,
                   "DELETE FROM blocked WHERE place = ? AND user = ?", "tt",
                   place, block->user);
        } else {
            db_run(store->db,
                   "INSERT INTO blocked(place, user, name)"
                   " VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET"
                   " name = excluded.name",
                   "ttt", place, block->user, block->name);
        }
    }
}

void
store_save_ruling(struct store *store, const struct ruling *ruling,
                  struct outbox *outbox)
{
    withdraw_ended(store, ruling, outbox);
    if (ruling->votes_of != 0) {
        save_votes(store, ruling, outbox);
    }
    save_blocks(store, ruling);
    if (ruling->forgets[0] != '\0') {
        forget_note(store, ruling->env->service->name, ruling->forgets, "");
    }
    int64_t batch = save_rows(store, ruling);
    /* A batch's number is that of its newest row.  A message without a row (an
     * answer) is a batch by itself, because no other message waits for it. */
    if (batch == 0 && ruling->message_count > 0) {
        batch = -next_row(store, "message");
    }
    struct saving saving = {
        .ruling = ruling, .first = ruling->messages, .batch = batch};
    for (unsigned i = 0; i < ruling->message_count; i++) {
        const struct message *message = &ruling->messages[i];
        if (!message->follows) {
            begin_message(store, &saving, message);
        }
        save_message(store, &saving, message, outbox);
    }
    const struct table *table = ruling->table;
    bool hidden = table->state == TABLE_RUNNING && table_is_secret(table);
    bool empty = ruling->row_count == 0 && ruling->message_count == 0;
    struct buf settled = BUF_INIT;
    bool over = table->state == TABLE_OVER;
    if (!hidden && !empty) {
        reveal(store, ruling, outbox, &settled);
    }
    if (ruling->row_count > 0 &&
        (over || table_phase(table) != ruling->first_asked)) {
        list_settled(store, ruling, &settled);
    }
    if (settled.len > 0 && ruling->env->buttons) {
        bare(store, ruling, outbox, &settled);
    }
    buf_release(&settled);
    if (over) {
        store_put_away(store, table->id, table->thread);
        store_save_result(store, table->id, table);
    }
}
