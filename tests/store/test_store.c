/*
 * The store: what is saved is there again, in order, and only whole.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/db.h"
#include "bot/base/files.h"
#include "bot/base/name.h"
#include "bot/store/backup.h"
#include "bot/store/store.h"
#include "tests/base/scratch.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct store *store;
static struct outbox outbox;
static struct buf why;

/* A ruling to be filled by hand, and its table. */
static struct table table;
static struct ruling ruling;

static void
must(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%d: %s", (int)err, buf_text(&why));
}

static void
open_store(void)
{
    must(store_open(scratch_path("store.db"), "", STORE_HOST, &store, &why));
    memset(&outbox, 0, sizeof outbox);
    store_load_outbox(store, &outbox);
}

static void
close_store(void)
{
    must(store_err(store, &why));
    outbox_release(&outbox);
    store_close(store);
    store = NULL;
}

static void
reopen_store(void)
{
    close_store();
    open_store();
}

static void
begin_ruling(const char *game)
{
    ruling_release(&ruling);
    table_init(&table);
    TEXT_COPY(table.id, game);
    name_set(&table.place, "board");
    name_set(&table.thread, "thread");
    memset(&ruling, 0, sizeof ruling);
    ruling.table = &table;
}

static void
set_up(void)
{
    scratch_make();
    open_store();
    memset(&ruling, 0, sizeof ruling);
    begin_ruling("1");
}

static void
tear_down(void)
{
    ruling_release(&ruling);
    close_store();
    buf_release(&why);
    scratch_remove();
}

static void
add_row(const char *move, const char *lines)
{
    struct ruling_row *row = &ruling.rows[ruling.row_count++];
    memset(row, 0, sizeof *row);
    buf_add_text(&row->move, move);
    buf_add_text(&row->lines, lines);
}

static struct message *
add_message(enum message_kind kind, const char *text)
{
    struct message *message = &ruling.messages[ruling.message_count++];
    memset(message, 0, sizeof *message);
    message->kind = kind;
    message->text = must_copy(text);
    if (kind == MESSAGE_PRIVATE) {
        message->user = must_copy("Anna");
    }
    if (kind == MESSAGE_REACT) {
        message->post = must_copy("17");
        message->place = must_copy("thread");
    }
    return message;
}

/* Save the ruling in a transaction and begin another of the same game. */
static void
save(void)
{
    char game[TABLE_ID_MAX + 1];
    store_begin(store);
    store_save_ruling(store, &ruling, &outbox);
    store_commit(store);
    TEXT_COPY(game, table.id);
    begin_ruling(game);
}

/* ---- opening ------------------------------------------------------------- */

/* ---- pieces of a message ------------------------------------------------- */

START_TEST(the_pieces_of_a_message_share_its_fate)
{
    for (unsigned i = 0; i < 3; i++) {
        struct message *message = add_message(MESSAGE_POST, "one");
        message->once = must_copy("matter");
        message->user = must_copy("Anna");
        message->again = i == 2 ? AGAIN_DROP : AGAIN_PRIVATE;
        message->place = must_copy("elsewhere");
        add_message(MESSAGE_POST, "two")->follows = true;
        save();
    }
    /* Said, said again in private, and dropped. */
    ck_assert_uint_eq(outbox.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct queued_message *queued = outbox.list[i];
        ck_assert_int_eq(queued->message.kind,
                         i < 2 ? MESSAGE_POST : MESSAGE_PRIVATE);
        ck_assert_str_eq(queued->message.text, i % 2 == 0 ? "one" : "two");
        ck_assert_str_eq(queued->message.user, "Anna");
        ck_assert_str_eq(queued->thread, "elsewhere");
    }
}
END_TEST

START_TEST(one_host_at_a_time)
{
    struct store *second = NULL;
    ck_assert_int_eq(
        store_open(scratch_path("store.db"), "", STORE_HOST, &second, &why),
        ERR_DENIED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "store.db.lock"));
    ck_assert_ptr_null(second);
    close_store();
    open_store();
}
END_TEST

START_TEST(readers_read_beside_the_host)
{
    struct store *reader = NULL;
    int64_t count = 0;
    must(store_open(scratch_path("store.db"), "", STORE_READ, &reader, &why));
    count = store_count_games(reader);
    ck_assert_int_eq(count, 0);
    add_row("{}", "");
    save();
    count = store_count_games(reader);
    ck_assert_int_eq(count, 1);
    store_close(reader);
}
END_TEST

START_TEST(a_reader_makes_no_store)
{
    struct store *reader = NULL;
    ck_assert_int_eq(
        store_open(scratch_path("none.db"), "", STORE_READ, &reader, &why),
        ERR_GONE);
    ck_assert(!file_exists(scratch_path("none.db")));
}
END_TEST

START_TEST(a_store_keeps_its_id)
{
    char id[16];
    ck_assert_uint_eq(strlen(store_id(store)), 8);
    TEXT_COPY(id, store_id(store));
    reopen_store();
    ck_assert_str_eq(store_id(store), id);
}
END_TEST

START_TEST(closing_nothing_is_harmless)
{
    store_close(NULL);
}
END_TEST

/* ---- games and journal --------------------------------------------------- */

static enum err
note_game(void *context, const struct store_game *game, struct buf *out)
{
    (void)out;
    buf_addf(context, "%s@%s/%s%s ", game->id, game->place, game->thread,
             game->over ? " over" : "");
    return ERR_NONE;
}

static enum err
stop_at_once(void *context, const struct store_game *game, struct buf *out)
{
    buf_addf(context, "%s ", game->id);
    return err_say(out, ERR_GONE, "enough");
}

START_TEST(games_are_listed_in_the_order_in_which_they_were_opened)
{
    struct buf seen = BUF_INIT;
    static const char *const ids[] = {"1", "2", "9", "10"};
    for (size_t i = 0; i < 4; i++) {
        begin_ruling(ids[i]);
        add_row("{}", "");
        save();
    }
    begin_ruling("9");
    table.state = TABLE_OVER;
    add_row("{}", "");
    save();
    reopen_store();
    must(store_games(store, note_game, &seen, &why));
    ck_assert_str_eq(buf_text(&seen),
                     "1@board/thread 2@board/thread 9@board/thread over "
                     "10@board/thread ");
    buf_clear(&seen);
    ck_assert_int_eq(store_games(store, stop_at_once, &seen, &why), ERR_GONE);
    ck_assert_str_eq(buf_text(&seen), "1 ");
    int64_t count = 0;
    count = store_count_games(store);
    ck_assert_int_eq(count, 4);
    buf_release(&seen);
}
END_TEST

static enum err
note_row(void *context, const struct store_row *row, struct buf *out)
{
    (void)out;
    buf_add(context, row->move, row->move_len);
    buf_add_char(context, ':');
    buf_add(context, row->lines, row->lines_len);
    buf_add_char(context, ' ');
    return ERR_NONE;
}

static bool
has_hosted(const char *place)
{
    bool hosted = false;
    hosted = store_has_hosted(store, place);
    return hosted;
}

START_TEST(a_place_has_hosted_once_a_game_that_began_has_ended_there)
{
    begin_ruling("1");
    add_row("{}", "");
    save();
    ck_assert(!has_hosted("board"));
    begin_ruling("1");
    table.state = TABLE_OVER;
    add_row("{}", "");
    save();
    ck_assert(!has_hosted("board"));
    begin_ruling("2");
    table.state = TABLE_OVER;
    table.game.ending = ENDING_ABANDONED;
    add_row("{}", "");
    save();
    ck_assert(has_hosted("board"));
    ck_assert(!has_hosted("elsewhere"));
}
END_TEST

START_TEST(a_journal_is_read_in_the_order_of_its_rows)
{
    struct buf rows = BUF_INIT;
    struct buf record = BUF_INIT;
    add_row("{a}", "A\n");
    add_row("{b}", "");
    save();
    begin_ruling("2");
    add_row("{x}", "X\n");
    save();
    begin_ruling("1");
    add_row("{c}", "C\nD\n");
    save();
    reopen_store();
    must(store_journal(store, "1", note_row, &rows, &why));
    ck_assert_str_eq(buf_text(&rows), "{a}:A\n {b}: {c}:C\nD\n ");
    must(store_record(store, "1", &record, &why));
    ck_assert_str_eq(buf_text(&record), "A\nC\nD\n");
    buf_clear(&record);
    must(store_record(store, "3", &record, &why));
    ck_assert_uint_eq(record.len, 0);
    buf_release(&rows);
    buf_release(&record);
}
END_TEST

START_TEST(what_is_not_committed_never_was)
{
    int64_t count = 0;
    struct post post = {.id = NULL};
    bool again = true;
    char id[] = "5";
    post.id = post.place = post.author = post.author_name = post.body = id;
    add_row("{a}", "A\n");
    (void)add_message(MESSAGE_POST, "hello");
    store_begin(store);
    store_save_ruling(store, &ruling, &outbox);
    again = store_see(store, "board", &post, 0, "");
    store_set_cursor(store, "board", "board", "7");
    reopen_store();
    count = store_count_games(store);
    ck_assert_int_eq(count, 0);
    ck_assert_uint_eq(outbox.count, 0);
    again = store_see(store, "board", &post, 0, "");
    ck_assert(!again);
}
END_TEST

/* ---- messages ------------------------------------------------------------ */

START_TEST(messages_come_back_as_they_were)
{
    struct message *message = NULL;
    add_row("{a}", "");
    (void)add_message(MESSAGE_PRIVATE, "for you");
    message = add_message(MESSAGE_POST, "for all");
    message->waits = true;
    message->not_after = 99;
    (void)add_message(MESSAGE_REACT, "✅");
    (void)add_message(MESSAGE_STATUS, "status");
    save();
    ck_assert_uint_eq(outbox.count, 4);
    int64_t batch = outbox.list[0]->batch;
    reopen_store();
    ck_assert_uint_eq(outbox.count, 4);
    struct queued_message *const *list = outbox.list;
    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(list[i]->batch, batch);
        ck_assert_int_eq(list[i]->state, QUEUED_WAITING);
        ck_assert(!queued_is_doubtful(list[i]));
        ck_assert_str_eq(list[i]->game, "1");
        ck_assert_str_eq(list[i]->place, "board");
        ck_assert_str_eq(list[i]->thread, "thread");
    }
    ck_assert_int_eq(list[0]->message.kind, MESSAGE_PRIVATE);
    ck_assert_str_eq(list[0]->message.user, "Anna");
    ck_assert_str_eq(list[0]->message.text, "for you");
    ck_assert(!list[0]->message.waits);
    ck_assert(list[1]->message.waits);
    ck_assert_int_eq(list[1]->message.not_after, 99);
    ck_assert_ptr_null(list[1]->message.user);
    ck_assert_str_eq(list[2]->message.post, "17");
    ck_assert_str_eq(list[2]->message.place, "thread");
    ck_assert_str_eq(list[3]->message.text, "status");
}
END_TEST

START_TEST(messages_without_a_move_belong_to_no_batch_of_another)
{
    (void)add_message(MESSAGE_POST, "answer one");
    save();
    (void)add_message(MESSAGE_POST, "answer two");
    save();
    add_row("{a}", "");
    (void)add_message(MESSAGE_POST, "result");
    save();
    struct queued_message *const *list = outbox.list;
    ck_assert_int_ne(list[0]->batch, list[1]->batch);
    ck_assert_int_ne(list[1]->batch, list[2]->batch);
    ck_assert_int_ne(list[0]->batch, list[2]->batch);
    ck_assert_int_lt(list[0]->batch, 0);
    ck_assert_int_gt(list[2]->batch, 0);
}
END_TEST

/* Save that a message has come so far. */
static void
set_state(size_t at, enum queued_state state, const char *sent)
{
    outbox.list[at]->state = state;
    TEXT_COPY(outbox.list[at]->sent, sent);
    store_save_queued(store, outbox.list[at]);
}

START_TEST(a_message_found_in_flight_is_doubtful)
{
    (void)add_message(MESSAGE_POST, "one");
    (void)add_message(MESSAGE_POST, "two");
    (void)add_message(MESSAGE_POST, "three");
    (void)add_message(MESSAGE_POST, "four");
    save();
    set_state(0, QUEUED_IN_FLIGHT, "");
    set_state(1, QUEUED_SENT, "77");
    outbox.list[2]->refused_at = 5;
    set_state(2, QUEUED_WAITING, "");
    reopen_store();
    ck_assert_uint_eq(outbox.count, 3);
    ck_assert_str_eq(outbox.list[0]->message.text, "one");
    ck_assert_int_eq(outbox.list[0]->state, QUEUED_DOUBTFUL);
    ck_assert_str_eq(outbox.list[1]->message.text, "three");
    ck_assert_int_eq(outbox.list[1]->state, QUEUED_WAITING);
    ck_assert(!queued_is_doubtful(outbox.list[1]));
    ck_assert_int_eq(outbox.list[1]->refused_at, 5);
    ck_assert_str_eq(outbox.list[2]->message.text, "four");
    ck_assert(!queued_is_doubtful(outbox.list[2]));
}
END_TEST

/* A number that a query gives. */
static int64_t
query(const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(sqlite3_open(scratch_path("store.db"), &db), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(rows), SQLITE_ROW);
    int64_t found = sqlite3_column_int64(rows, 0);
    sqlite3_finalize(rows);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    return found;
}

START_TEST(the_text_of_a_sent_message_is_wiped)
{
    (void)add_message(MESSAGE_PRIVATE, "secret one");
    (void)add_message(MESSAGE_PRIVATE, "secret two");
    save();
    set_state(0, QUEUED_IN_FLIGHT, "");
    ck_assert_int_eq(query("SELECT count(*) FROM message WHERE text IS NULL"),
                     0);
    set_state(0, QUEUED_SENT, "77");
    ck_assert_int_eq(query("SELECT count(*) FROM message WHERE text IS NULL"),
                     1);
    reopen_store();
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_str_eq(outbox.list[0]->message.text, "secret two");
}
END_TEST

/* One that may be there is looked for among posts that are none of these. */
START_TEST(posts_of_a_game_that_is_over_are_known_while_one_waits)
{
    struct buf posts = BUF_INIT;
    for (unsigned i = 0; i < 3; i++) {
        (void)add_message(MESSAGE_POST, "no vote is open");
    }
    (void)add_message(MESSAGE_PRIVATE, "your role");
    add_row("{}", "");
    table.state = TABLE_OVER;
    save();
    struct queued_message *last = outbox.list[2];
    for (size_t i = 0; i < 2; i++) {
        set_state(i, QUEUED_SENT, i == 0 ? "77" : "78");
    }
    set_state(3, QUEUED_SENT, "79");
    ck_assert_int_eq(query("SELECT count(*) FROM message"), 3);
    store_sent_posts(store, "1", last->thread, &posts);
    ck_assert_str_eq(buf_text(&posts), "78\n77\n");
    set_state(2, QUEUED_SENT, "80");
    ck_assert_int_eq(query("SELECT count(*) FROM message"), 0);
    buf_release(&posts);
}
END_TEST

/* Nor is it an answer to somebody at no table, that it may be taken for. */
START_TEST(posts_of_a_game_that_is_over_are_known_while_an_answer_beside_waits)
{
    struct buf posts = BUF_INIT;
    (void)add_message(MESSAGE_STATUS, "the game is over");
    (void)add_message(MESSAGE_POST, "no vote is open");
    add_row("{}", "");
    table.state = TABLE_OVER;
    save();
    begin_ruling("");
    (void)add_message(MESSAGE_POST, "no vote is open");
    (void)add_message(MESSAGE_POST, "no vote is open");
    save();
    ck_assert_uint_eq(outbox.count, 4);
    struct queued_message *last = outbox.list[3];
    ck_assert_str_eq(last->game, "");
    set_state(0, QUEUED_SENT, "76");
    set_state(1, QUEUED_SENT, "77");
    set_state(2, QUEUED_SENT, "78");
    store_sent_posts(store, "", last->thread, &posts);
    ck_assert_str_eq(buf_text(&posts), "78\n77\n");
    set_state(3, QUEUED_SENT, "79");
    ck_assert_int_eq(query("SELECT count(*) FROM message WHERE kind <> 2"), 0);
    ck_assert_int_eq(query("SELECT count(*) FROM message WHERE kind = 2"), 1);
    buf_release(&posts);
}
END_TEST

START_TEST(what_is_said_once_is_not_said_again)
{
    for (int i = 0; i < 3; i++) {
        struct message *message = add_message(MESSAGE_POST, "hint");
        message->once = must_copy("1/4/hint/Anna");
        message->user = must_copy("Anna");
        message->again = AGAIN_DROP;
        save();
    }
    ck_assert_uint_eq(outbox.count, 1);
    set_state(0, QUEUED_SENT, "3");
    reopen_store();
    struct message *message = add_message(MESSAGE_POST, "hint");
    message->once = must_copy("1/4/hint/Anna");
    save();
    ck_assert_uint_eq(outbox.count, 0);
    message = add_message(MESSAGE_POST, "hint");
    message->once = must_copy("1/5/hint/Anna");
    save();
    ck_assert_uint_eq(outbox.count, 1);
}
END_TEST

START_TEST(or_it_is_said_again_in_private)
{
    for (int i = 0; i < 3; i++) {
        struct message *message = add_message(MESSAGE_POST, "ask");
        message->once = must_copy("1/4/ask/Anna");
        message->user = must_copy("Anna");
        message->again = AGAIN_PRIVATE;
        save();
    }
    ck_assert_uint_eq(outbox.count, 3);
    ck_assert_int_eq(outbox.list[0]->message.kind, MESSAGE_POST);
    for (size_t i = 1; i < 3; i++) {
        ck_assert_int_eq(outbox.list[i]->message.kind, MESSAGE_PRIVATE);
        ck_assert_str_eq(outbox.list[i]->message.user, "Anna");
        ck_assert_ptr_null(outbox.list[i]->message.once);
    }
}
END_TEST

START_TEST(twice_in_one_ruling_is_once_too)
{
    for (int i = 0; i < 2; i++) {
        struct message *message = add_message(MESSAGE_POST, "hint");
        message->once = must_copy("1/4/hint/Anna");
    }
    save();
    ck_assert_uint_eq(outbox.count, 1);
}
END_TEST

/* ---- the status post ----------------------------------------------------- */

static void
save_status(const char *text)
{
    (void)add_message(MESSAGE_STATUS, text);
    save();
}

START_TEST(there_is_one_status_post_a_game)
{
    add_row("{a}", "");
    save_status("one");
    int64_t id = outbox.list[0]->id;
    save_status("two");
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_int_eq(outbox.list[0]->id, id);
    ck_assert_str_eq(outbox.list[0]->message.text, "two");
    ck_assert_int_eq(outbox.list[0]->state, QUEUED_WAITING);
    begin_ruling("2");
    save_status("another");
    ck_assert_uint_eq(outbox.count, 2);
}
END_TEST

START_TEST(a_status_that_was_sent_waits_again_with_new_words_only)
{
    struct buf post = BUF_INIT;
    add_row("{a}", "");
    save_status("one");
    store_status_post(store, "1", "thread", &post);
    ck_assert_uint_eq(post.len, 0);
    int64_t id = outbox.list[0]->id;
    set_state(0, QUEUED_SENT, "77");
    outbox_done(&outbox, id);
    store_status_post(store, "1", "thread", &post);
    ck_assert_str_eq(buf_text(&post), "77");
    save_status("one");
    ck_assert_uint_eq(outbox.count, 0);
    save_status("two");
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_int_eq(outbox.list[0]->id, id);
    ck_assert_int_eq(outbox.list[0]->state, QUEUED_WAITING);
    ck_assert_str_eq(outbox.list[0]->sent, "77");
    reopen_store();
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_str_eq(outbox.list[0]->sent, "77");
    ck_assert_str_eq(outbox.list[0]->message.text, "two");
    buf_release(&post);
}
END_TEST

START_TEST(a_status_in_flight_is_marked_as_changed)
{
    add_row("{a}", "");
    save_status("one");
    set_state(0, QUEUED_IN_FLIGHT, "");
    save_status("two");
    ck_assert_int_eq(outbox.list[0]->state, QUEUED_IN_FLIGHT);
    ck_assert(outbox.list[0]->changed);
    ck_assert_str_eq(outbox.list[0]->message.text, "two");
    reopen_store();
    ck_assert(queued_is_doubtful(outbox.list[0]));
    ck_assert_str_eq(outbox.list[0]->message.text, "two");
}
END_TEST

START_TEST(a_status_that_was_sent_is_found_after_a_new_start)
{
    add_row("{a}", "");
    save_status("one");
    int64_t id = outbox.list[0]->id;
    begin_ruling("2");
    table.state = TABLE_OVER;
    add_row("{b}", "");
    save_status("other");
    set_state(0, QUEUED_SENT, "77");
    set_state(1, QUEUED_SENT, "78");
    reopen_store();
    ck_assert_uint_eq(outbox.count, 0);
    begin_ruling("1");
    save_status("two");
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_int_eq(outbox.list[0]->id, id);
    ck_assert_str_eq(outbox.list[0]->sent, "77");
}
END_TEST

/* The part of a key behind its first eight digits. */
static const char *
behind_digits(size_t at)
{
    const char *key = outbox.list[at]->key;
    ck_assert_uint_le(strlen(key), 25);
    ck_assert_uint_eq(strspn(key, "0123456789abcdef"), 8);
    ck_assert_int_eq(key[8], '.');
    return key + 9;
}

START_TEST(a_messages_key_tells_its_game_row_and_number)
{
    (void)add_message(MESSAGE_POST, "one");
    (void)add_message(MESSAGE_POST, "two");
    save();
    ck_assert_str_ne(behind_digits(0), behind_digits(1));
    char key[32];
    TEXT_COPY(key, outbox.list[1]->key);
    reopen_store();
    ck_assert_str_eq(outbox.list[1]->key, key);
}
END_TEST

/* Of no game that is on: its number behind two dots, in base 36, for it must
 * differ from the keys that earlier hosts gave. */
START_TEST(a_key_of_no_game_tells_the_number_of_the_message)
{
    table.state = TABLE_OVER;
    for (unsigned i = 0; i < 75; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%u", i);
        struct message *message = add_message(MESSAGE_PRIVATE, text);
        free(message->user);
        message->user = must_copy("Bob");
    }
    save();
    ck_assert_uint_eq(outbox.count, 75);
    for (size_t i = 0; i < outbox.count; i++) {
        const struct queued_message *queued = outbox.list[i];
        const char *number = strrchr(behind_digits(i), '.') + 1;
        char *end = NULL;
        ck_assert_int_eq(strtoll(number, &end, 36), queued->id);
        ck_assert_int_eq(*end, '\0');
        ck_assert_msg(queued->id < 36 || strlen(number) > 1, "%s", number);
    }
    ck_assert_int_eq(outbox.list[74]->id, 75);
    ck_assert_str_eq(strrchr(outbox.list[74]->key, '.'), ".23");
}
END_TEST

/* As a store from a backup: the row is free again. */
START_TEST(what_is_said_otherwise_after_a_backup_has_another_key)
{
    char key[32];
    (void)add_message(MESSAGE_POST, "one");
    store_begin(store);
    store_save_ruling(store, &ruling, &outbox);
    TEXT_COPY(key, outbox.list[0]->key);
    store_rollback(store);
    reopen_store();
    begin_ruling("1");
    (void)add_message(MESSAGE_POST, "another");
    save();
    ck_assert_uint_eq(outbox.count, 1);
    ck_assert_str_ne(outbox.list[0]->key, key);
}
END_TEST

/* `now`: when the backup is made; `made`: when it says that it was. */
static void
restore_backup(int64_t now, int64_t made)
{
    bool noted = false;
    struct restored restored;
    char copy[400];
    char path[400];
    (void)snprintf(copy, sizeof copy, "%s", scratch_path("copy.db"));
    (void)snprintf(path, sizeof path, "%s", scratch_path("store.db"));
    const struct backup backup = {.path = path, .to = copy, .now = now};
    const struct restore restore = {
        .path = path, .key_file = "", .from = copy, .now = made};
    must(backup_make(&backup, &noted, &why));
    close_store();
    must(backup_restore(&restore, &restored, &why));
    ck_assert_int_eq(restored.made, made);
    buf_release(&restored.old);
    open_store();
}

/* It may have been sent since the backup. */
START_TEST(a_copy_doubts_its_messages_until_it_has_caught_up)
{
    (void)add_message(MESSAGE_POST, "waits");
    save();
    ck_assert_int_eq(store_copied(store), 0);
    ck_assert(!queued_is_doubtful(outbox.list[0]));
    restore_backup(1000000, 1000000);
    ck_assert_int_eq(store_copied(store), 1000000);
    ck_assert(queued_is_doubtful(outbox.list[0]));
    begin_ruling("1");
    (void)add_message(MESSAGE_POST, "is new");
    save();
    ck_assert_uint_eq(outbox.count, 2);
    ck_assert(queued_is_doubtful(outbox.list[1]));

    /* It is still a copy after another start, until it has caught up. */
    reopen_store();
    ck_assert_int_eq(store_copied(store), 1000000);
    ck_assert_uint_eq(outbox.count, 2);
    ck_assert(queued_is_doubtful(outbox.list[1]));
    store_note_caught_up(store);
    begin_ruling("1");
    (void)add_message(MESSAGE_POST, "is newer");
    save();
    ck_assert(!queued_is_doubtful(outbox.list[2]));
    reopen_store();
    ck_assert_int_eq(store_copied(store), 0);
    ck_assert(!queued_is_doubtful(outbox.list[0]));
}
END_TEST

START_TEST(what_is_said_again_after_a_backup_has_the_same_key)
{
    char keys[2][32];
    (void)add_message(MESSAGE_POST, "one");
    (void)add_message(MESSAGE_POST, "one");
    store_begin(store);
    store_save_ruling(store, &ruling, &outbox);
    TEXT_COPY(keys[0], outbox.list[0]->key);
    TEXT_COPY(keys[1], outbox.list[1]->key);
    ck_assert_str_ne(keys[0], keys[1]);
    store_rollback(store);
    reopen_store();
    begin_ruling("1");
    (void)add_message(MESSAGE_POST, "one");
    (void)add_message(MESSAGE_POST, "one");
    save();
    ck_assert_str_eq(outbox.list[0]->key, keys[0]);
    ck_assert_str_eq(outbox.list[1]->key, keys[1]);
}
END_TEST

/* ---- posts --------------------------------------------------------------- */

static void
set_post(struct post *post, const char *id, int64_t stamp)
{
    *post = (struct post){.id = must_copy(id),
                          .place = must_copy("thread"),
                          .author = must_copy("Anna"),
                          .author_name = must_copy("Anna A."),
                          .body = must_copy("text"),
                          .reply_to = must_copy(""),
                          .body_len = 4,
                          .stamp = stamp,
                          .edited = 7,
                          .dm = true};
}

static void
free_post(struct post *post)
{
    struct page page = {must_alloc(sizeof *post), 1};
    page.posts[0] = *post;
    page_release(&page);
}

START_TEST(a_post_is_seen_once)
{
    struct post post;
    bool again = true;
    set_post(&post, "5", 100);
    again = store_see(store, "board", &post, 0, "");
    ck_assert(!again);
    again = store_see(store, "board", &post, 0, "R4: a vote");
    ck_assert(again);
    again = store_see(store, "board", &post, 0, "");
    ck_assert(again);
    struct read_post read;
    bool found = false;
    found = store_find_post(store, "board", "thread", "5", &read);
    ck_assert(found);
    ck_assert_str_eq(read.verdict, "R4: a vote");
    ck_assert_int_eq(read.stamp, 100);
    /* The same id elsewhere is another post. */
    again = store_see(store, "other", &post, 0, "");
    ck_assert(!again);
    free(post.place);
    post.place = must_copy("talk/Anna");
    again = store_see(store, "board", &post, 0, "");
    ck_assert(!again);
    reopen_store();
    again = store_see(store, "board", &post, 0, "");
    ck_assert(again);
    free_post(&post);
}
END_TEST

/* What was noted of a post before, now that it says this; was it seen? */
static enum wording
note_words(const struct post *post, const char *text, bool seen)
{
    struct buf words = BUF_INIT;
    enum wording before = WORDING_OTHER;
    bool again = !seen;
    buf_add_text(&words, text);
    int64_t fingerprint = store_fingerprint(store, "board", post, &words);
    again = store_look(store, "board", post, fingerprint, &before);
    ck_assert_int_eq(again, seen);
    if (!seen) {
        again = store_see(store, "board", post, fingerprint, "");
    }
    buf_release(&words);
    return before;
}

START_TEST(what_a_post_says_is_known_again_until_its_game_is_over)
{
    struct post one;
    struct post other;
    bool again = false;
    set_post(&one, "5", 100);
    set_post(&other, "6", 100);
    again = store_see(store, "board", &other, 0, "");
    ck_assert_int_eq(note_words(&one, "ja", false), WORDING_UNKNOWN);
    ck_assert_int_eq(note_words(&other, "ja", true), WORDING_UNKNOWN);
    ck_assert_int_eq(note_words(&one, "ja", true), WORDING_SAME);
    again = store_see(store, "board", &one, 0, "");
    ck_assert(again);
    reopen_store();
    ck_assert_int_eq(note_words(&one, "nein", true), WORDING_OTHER);
    ck_assert_int_eq(note_words(&one, "nein", true), WORDING_SAME);
    again = store_see(store, "board", &one, 0, "R4: a vote");
    ck_assert_int_eq(note_words(&one, "nein", true), WORDING_SAME);
    store_forget_readings(store, "board", "elsewhere");
    ck_assert_int_eq(note_words(&one, "nein", true), WORDING_SAME);
    store_forget_readings(store, "board", "thread");
    ck_assert_int_eq(note_words(&one, "nein", true), WORDING_UNKNOWN);
    ck_assert_int_eq(note_words(&other, "ja", true), WORDING_UNKNOWN);
    free_post(&one);
    free_post(&other);
}
END_TEST

static struct deferred_post deferred[4];
static unsigned deferred_count;

static void
note_deferred(void *context, const struct deferred_post *post)
{
    (void)context;
    ck_assert_uint_lt(deferred_count, 4);
    deferred[deferred_count++] = *post;
}

START_TEST(what_is_pressed_has_one_length)
{
    static const char *const pressed[] = {"/vote ja", "/vote nein", "1.2.v1!"};
    for (unsigned i = 0; i < 3; i++) {
        struct post post;
        char id[16];
        snprintf(id, sizeof id, "%u", i);
        set_post(&post, id, 100);
        post.kind = POST_PRESSED;
        post.dm = false;
        free(post.body);
        post.body = must_copy(pressed[i]);
        post.body_len = strlen(pressed[i]);
        (void)store_defer(store, "board", "feed", &post);
        free_post(&post);
    }
    ck_assert_int_eq(query("SELECT count(*) FROM deferred"), 3);
    ck_assert_int_eq(query("SELECT count(DISTINCT length(body)) FROM deferred"),
                     1);
}
END_TEST

START_TEST(deferred_posts_are_there_until_they_are_forgotten)
{
    int64_t numbers[3];
    for (int i = 0; i < 3; i++) {
        struct post post;
        char id[16];
        snprintf(id, sizeof id, "%d", i);
        set_post(&post, id, 100 - i);
        numbers[i] = store_defer(store, "board", "feed", &post);
        free_post(&post);
    }
    reopen_store();
    store_forget_deferred(store, numbers[1]);
    deferred_count = 0;
    store_deferred(store, note_deferred, NULL);
    ck_assert_uint_eq(deferred_count, 2);
    ck_assert_int_eq(deferred[0].number, numbers[0]);
    ck_assert_int_eq(deferred[1].number, numbers[2]);
    ck_assert_str_eq(deferred[1].service, "board");
    ck_assert_str_eq(deferred[1].feed, "feed");
    ck_assert_str_eq(deferred[1].place, "thread");
    ck_assert_str_eq(deferred[1].author, "Anna");
    ck_assert_int_eq(deferred[1].stamp, 98);
    ck_assert_int_eq(deferred[1].edited, 7);
    ck_assert(deferred[1].dm);
}
END_TEST

START_TEST(a_deferred_post_is_as_it_came)
{
    struct page page = {NULL, 0};
    struct post post;
    int64_t number = 0;
    set_post(&post, "31", 100);
    free(post.reply_to);
    post.reply_to = must_copy("17");
    post.kind = POST_SEALED;
    post.dialect = &dialect_matrix;
    post.dm = _i / 2 == 1;
    post.unmet = _i % 2 == 1;
    number = store_defer(store, "board", "feed", &post);
    free_post(&post);
    reopen_store();
    store_deferred_post(store, number + 1, &page);
    ck_assert_uint_eq(page.count, 0);
    store_deferred_post(store, number, &page);
    ck_assert_uint_eq(page.count, 1);
    const struct post *found = &page.posts[0];
    ck_assert_int_eq(found->kind, POST_SEALED);
    ck_assert(found->dm == (_i / 2 == 1));
    ck_assert(found->unmet == (_i % 2 == 1));
    ck_assert_str_eq(found->id, "31");
    ck_assert_str_eq(found->place, "thread");
    ck_assert_str_eq(found->author, "Anna");
    ck_assert_str_eq(found->author_name, "Anna A.");
    ck_assert_str_eq(found->body, "text");
    ck_assert_uint_eq(found->body_len, 4);
    ck_assert_str_eq(found->reply_to, "17");
    ck_assert_ptr_eq(found->dialect, &dialect_matrix);
    ck_assert_int_eq(found->stamp, 100);
    ck_assert_int_eq(found->edited, 7);
    page_release(&page);
}
END_TEST

/* ---- cursors, adapter state, DMs, looks ---------------------------------- */

static void
add_cursor(const char *service, const char *feed, struct buf *cursor)
{
    struct feed_reading reading;
    store_feed(store, service, feed, cursor, &reading);
    ck_assert_int_eq(reading.at, 0);
    ck_assert_int_eq(reading.through, 0);
}

START_TEST(cursors_are_kept_by_service_and_feed)
{
    struct buf cursor = BUF_INIT;
    add_cursor("board", "a", &cursor);
    ck_assert_uint_eq(cursor.len, 0);
    store_set_cursor(store, "board", "a", "1");
    store_set_cursor(store, "board", "b", "2");
    store_set_cursor(store, "other", "a", "3");
    store_set_cursor(store, "board", "a", "4");
    reopen_store();
    add_cursor("board", "a", &cursor);
    add_cursor("board", "b", &cursor);
    add_cursor("other", "a", &cursor);
    ck_assert_str_eq(buf_text(&cursor), "423");
    buf_release(&cursor);
}
END_TEST

START_TEST(when_a_feed_was_read_is_kept_beside_its_cursor)
{
    struct buf cursor = BUF_INIT;
    struct feed_reading reading;
    store_set_reading(store, "board", "a", 17, 16);
    store_set_cursor(store, "board", "a", "1");
    store_set_reading(store, "board", "a", 19, 18);
    store_feed(store, "board", "a", &cursor, &reading);
    ck_assert_str_eq(buf_text(&cursor), "1");
    ck_assert_int_eq(reading.at, 19);
    ck_assert_int_eq(reading.through, 18);
    buf_release(&cursor);
}
END_TEST

static void
assert_read(const char *service, const char *feed, int64_t at, int64_t through)
{
    struct buf cursor = BUF_INIT;
    struct feed_reading found;
    store_feed(store, service, feed, &cursor, &found);
    ck_assert_int_eq(found.at, at);
    ck_assert_int_eq(found.through, through);
    buf_release(&cursor);
}

/* Two of a service share it, a third does not; and another service. */
static void
share_readings(void)
{
    store_set_reading(store, "board", "own", 3, 2);
    store_share_reading(store, "board", "a", 10);
    store_share_reading(store, "board", "b", 11);
    store_set_shared_reading(store, "board", 17, 16);
    store_share_reading(store, "other", "a", 20);
    store_set_shared_reading(store, "other", 27, 26);
    store_set_shared_reading(store, "board", 19, 18);
}

START_TEST(feeds_that_share_how_far_they_were_read_have_it_after_a_start)
{
    int64_t at = 0;
    int64_t through = 0;
    share_readings();
    store_last_reading(store, "board", &at, &through);
    ck_assert_int_eq(at, 19);
    ck_assert_int_eq(through, 18);
    for (unsigned starts = 0; starts < 2; starts++) {
        reopen_store();
        store_part_readings(store);
        assert_read("board", "own", 3, 2);
        assert_read("board", "a", 19, 18);
        assert_read("board", "b", 19, 18);
        assert_read("other", "a", 27, 26);
    }
    store_last_reading(store, "board", &at, &through);
    ck_assert_int_eq(at, 19);
}
END_TEST

static void
write_feed(void *context, const char *service, const char *feed,
           const char *cursor, const struct feed_reading *reading)
{
    buf_addf(context, "%s %s '%s' %lld %lld; ", service, feed, cursor,
             (long long)reading->at, (long long)reading->through);
}

START_TEST(all_feeds_are_known_at_once)
{
    struct buf feeds = BUF_INIT;
    share_readings();
    store_set_cursor(store, "board", "a", "4");
    store_set_cursor(store, "another", "c", "7");
    store_part_readings(store);
    store_feeds(store, write_feed, &feeds);
    ck_assert_str_eq(buf_text(&feeds), "another c '7' 0 0; "
                                       "board a '4' 19 18; "
                                       "board b '' 19 18; "
                                       "board own '' 3 2; "
                                       "other a '' 27 26; ");
    buf_release(&feeds);
}
END_TEST

START_TEST(feeds_that_share_it_no_more_keep_what_was_shared)
{
    share_readings();
    store_part_readings(store);
    store_set_shared_reading(store, "board", 29, 28);
    assert_read("board", "own", 3, 2);
    assert_read("board", "a", 19, 18);
    assert_read("board", "b", 19, 18);
    assert_read("other", "a", 27, 26);
}
END_TEST

START_TEST(a_copy_without_a_date_is_one_of_when_it_last_read_something)
{
    share_readings();
    restore_backup(0, 27);
    ck_assert_int_eq(store_copied(store), 27);
}
END_TEST

START_TEST(notes_are_handed_in_as_they_were_told)
{
    struct adapter_states states = {.count = 0};
    struct adapter_state state = {.key = "device", .value = "one"};
    ck_assert(adapter_states_set(&states, "old", "1"));
    store_states(store, "board", &states);
    ck_assert_uint_eq(states.count, 0);
    store_set_state(store, "board", &state);
    state.value = "two";
    store_set_state(store, "board", &state);
    state.key = "a";
    store_set_state(store, "board", &state);
    store_set_state(store, "other", &state);
    reopen_store();
    store_states(store, "board", &states);
    ck_assert_uint_eq(states.count, 2);
    ck_assert_str_eq(states.list[0].key, "a");
    ck_assert_str_eq(states.list[1].key, "device");
    ck_assert_str_eq(states.list[1].value, "two");
    adapter_states_release(&states);
}
END_TEST

START_TEST(no_more_notes_are_handed_in_than_there_is_room_for)
{
    struct adapter_states states = {.count = 0};
    for (int i = 0; i < 20; i++) {
        char key[16];
        struct adapter_state state = {key, "x"};
        snprintf(key, sizeof key, "%d", i);
        store_set_state(store, "board", &state);
    }
    store_states(store, "board", &states);
    ck_assert_uint_eq(states.count, ADAPTER_STATES_MAX);
    adapter_states_release(&states);
}
END_TEST

START_TEST(dms_are_kept)
{
    struct buf place = BUF_INIT;
    store_dm(store, "board", "Anna", &place);
    ck_assert_uint_eq(place.len, 0);
    store_set_dm(store, "board", "Anna", "talk/Anna");
    store_set_dm(store, "board", "Anna", "talk/anna");
    reopen_store();
    store_dm(store, "board", "Anna", &place);
    ck_assert_str_eq(buf_text(&place), "talk/anna");
    buf_release(&place);
}
END_TEST

START_TEST(looks_are_noted_beside_the_host_and_told_one_after_the_other)
{
    struct buf game = BUF_INIT;
    store_next_look(store, &game);
    ck_assert_uint_eq(game.len, 0);
    must(store_note_look(scratch_path("store.db"), "7", &why));
    must(store_note_look(scratch_path("store.db"), "3", &why));
    must(store_note_look(scratch_path("store.db"), "7", &why));
    store_next_look(store, &game);
    ck_assert_str_eq(buf_text(&game), "7");
    store_forget_look(store, "7");
    buf_clear(&game);
    store_next_look(store, &game);
    ck_assert_str_eq(buf_text(&game), "3");
    store_forget_look(store, "3");
    buf_clear(&game);
    store_next_look(store, &game);
    ck_assert_uint_eq(game.len, 0);
    buf_release(&game);
}
END_TEST

static void
add_messages(Suite *suite)
{
    TCase *tcase = tcase_create("messages");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, messages_come_back_as_they_were);
    tcase_add_test(tcase,
                   messages_without_a_move_belong_to_no_batch_of_another);
    tcase_add_test(tcase, a_message_found_in_flight_is_doubtful);
    tcase_add_test(tcase, the_text_of_a_sent_message_is_wiped);
    tcase_add_test(tcase,
                   posts_of_a_game_that_is_over_are_known_while_one_waits);
    tcase_add_test(
        tcase,
        posts_of_a_game_that_is_over_are_known_while_an_answer_beside_waits);
    tcase_add_test(tcase, what_is_said_once_is_not_said_again);
    tcase_add_test(tcase, or_it_is_said_again_in_private);
    tcase_add_test(tcase, twice_in_one_ruling_is_once_too);
    tcase_add_test(tcase, there_is_one_status_post_a_game);
    tcase_add_test(tcase,
                   a_status_that_was_sent_waits_again_with_new_words_only);
    tcase_add_test(tcase, a_status_in_flight_is_marked_as_changed);
    tcase_add_test(tcase, a_status_that_was_sent_is_found_after_a_new_start);
    tcase_add_test(tcase, a_messages_key_tells_its_game_row_and_number);
    tcase_add_test(tcase, a_key_of_no_game_tells_the_number_of_the_message);
    tcase_add_test(tcase,
                   what_is_said_otherwise_after_a_backup_has_another_key);
    tcase_add_test(tcase, what_is_said_again_after_a_backup_has_the_same_key);
    tcase_add_test(tcase, a_copy_doubts_its_messages_until_it_has_caught_up);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/store");
    TCase *tcase = tcase_create("store");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_pieces_of_a_message_share_its_fate);
    tcase_add_test(tcase, one_host_at_a_time);
    tcase_add_test(tcase, readers_read_beside_the_host);
    tcase_add_test(tcase, a_reader_makes_no_store);
    tcase_add_test(tcase, a_store_keeps_its_id);
    tcase_add_test(tcase, closing_nothing_is_harmless);
    tcase_add_test(tcase,
                   games_are_listed_in_the_order_in_which_they_were_opened);
    tcase_add_test(tcase,
                   a_place_has_hosted_once_a_game_that_began_has_ended_there);
    tcase_add_test(tcase, a_journal_is_read_in_the_order_of_its_rows);
    tcase_add_test(tcase, what_is_not_committed_never_was);
    tcase_add_test(tcase, a_post_is_seen_once);
    tcase_add_test(tcase,
                   what_a_post_says_is_known_again_until_its_game_is_over);
    tcase_add_test(tcase, what_is_pressed_has_one_length);
    tcase_add_test(tcase, deferred_posts_are_there_until_they_are_forgotten);
    tcase_add_loop_test(tcase, a_deferred_post_is_as_it_came, 0, 4);
    tcase_add_test(tcase, cursors_are_kept_by_service_and_feed);
    tcase_add_test(tcase, when_a_feed_was_read_is_kept_beside_its_cursor);
    tcase_add_test(
        tcase, feeds_that_share_how_far_they_were_read_have_it_after_a_start);
    tcase_add_test(tcase, all_feeds_are_known_at_once);
    tcase_add_test(tcase, feeds_that_share_it_no_more_keep_what_was_shared);
    tcase_add_test(tcase,
                   a_copy_without_a_date_is_one_of_when_it_last_read_something);
    tcase_add_test(tcase, notes_are_handed_in_as_they_were_told);
    tcase_add_test(tcase, no_more_notes_are_handed_in_than_there_is_room_for);
    tcase_add_test(tcase, dms_are_kept);
    tcase_add_test(
        tcase, looks_are_noted_beside_the_host_and_told_one_after_the_other);
    suite_add_tcase(suite, tcase);
    add_messages(suite);
    return suite;
}
