/*
 * The embedded board as a service: requests as its adapter and others would
 * make them, and the door for people.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>
#include <json-c/json.h>

#include "adapters/board/board_server.h"
#include "bot/base/json.h"
#include "tests/support/runner.h"

/* A board in a folder of its own, and the last reply to a request. */
struct table {
    char folder[32];
    char path[64];
    struct board *board;
    struct buf why;
    struct buf body;
    struct reply reply;
    json_object *answer; /* the reply's body */
};

static void
table_open(struct table *table)
{
    *table = (struct table){.folder = "/tmp/placard-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(table->folder));
    snprintf(table->path, sizeof(table->path), "%s/board.db", table->folder);
    ck_assert_int_eq(board_open(table->path, true, &table->board, &table->why),
                     ERR_NONE);
}

static void
table_close(struct table *table)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[80];

    json_object_put(table->answer);
    board_close(table->board);
    buf_release(&table->why);
    buf_release(&table->body);
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s%s", table->path, ends[i]);
        (void)unlink(path);
    }
    ck_assert_int_eq(rmdir(table->folder), 0);
}

/* Make a request and read its reply; answers the status. */
static int
ask(struct table *table, const char *caller, int64_t now, const char *method,
    const char *url, const char *body)
{
    struct request request = {0};

    snprintf(request.method, sizeof(request.method), "%s", method);
    buf_add_text(&request.url, url);
    buf_add_text(&request.body, body);
    board_serve(table->board, caller, now, &request, &table->body,
                &table->reply);
    request_clear(&request);
    json_object_put(table->answer);
    ck_assert_int_eq(jdoc_parse(table->reply.body, table->reply.len, true,
                                &table->answer, &table->why),
                     ERR_NONE);
    ck_assert((table->reply.status == 200) ==
              (jdoc_string(table->answer, "error") == NULL));
    return table->reply.status;
}

static int64_t
number(const struct table *table, const char *key)
{
    int64_t value = -1;

    ck_assert_msg(jdoc_integer(table->answer, key, &value), "%s", key);
    return value;
}

/* Post in a place as somebody; answers the id, 0 where it is refused. */
static int64_t
post(struct table *table, const char *author, const char *place,
     const char *text, const char *key, int64_t now)
{
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{");
    jtext_key(&body, "place");
    jtext_string(&body, place);
    jtext_key(&body, "text");
    jtext_string(&body, text);
    jtext_key(&body, "key");
    jtext_string(&body, key);
    buf_add_text(&body, "}");
    int status =
        ask(table, author, now, "POST", "board:/posts", buf_text(&body));

    buf_release(&body);
    return status == 200 ? number(table, "id") : 0;
}

/* What a caller reads after an id, as "id place author text|…". */
static void
read_posts(struct table *table, const char *caller, int64_t after,
           struct buf *out)
{
    struct buf url = BUF_INIT;

    buf_addf(&url, "board:/posts?after=%lld", (long long)after);
    ck_assert_int_eq(ask(table, caller, 0, "GET", buf_text(&url), ""), 200);
    json_object *posts = jdoc_get(table->answer, "posts");
    size_t count = json_object_array_length(posts);

    buf_clear(out);
    for (size_t i = 0; i < count; i++) {
        json_object *one = json_object_array_get_idx(posts, i);
        int64_t id = 0;

        ck_assert(jdoc_integer(one, "id", &id));
        buf_addf(out, "%s%lld %s %s %s", i > 0 ? "|" : "", (long long)id,
                 jdoc_string(one, "place"), jdoc_string(one, "author"),
                 jdoc_string(one, "text"));
    }
    buf_release(&url);
}

static void
assert_reads(struct table *table, const char *caller, const char *expected)
{
    struct buf out = BUF_INIT;

    read_posts(table, caller, 0, &out);
    ck_assert_str_eq(buf_text(&out), expected);
    buf_release(&out);
}

START_TEST(ids_rise_over_thread_and_dms)
{
    struct table table;

    table_open(&table);
    ck_assert_int_eq(post(&table, "Anna", "thread", "a", "", 10), 1);
    ck_assert_int_eq(post(&table, "placard", "talk/Anna", "b", "", 20), 2);
    ck_assert_int_eq(post(&table, "Anna", "talk/Anna", "c", "", 30), 3);
    ck_assert_int_eq(post(&table, "placard", "thread", "d", "k", 40), 4);
    assert_reads(&table, "placard",
                 "1 thread Anna a|2 talk/Anna placard b|3 talk/Anna Anna c|"
                 "4 thread placard d");
    table_close(&table);
}
END_TEST

START_TEST(ids_are_not_used_again_after_a_post_is_deleted)
{
    struct table table;

    table_open(&table);
    post(&table, "Anna", "thread", "a", "", 10);
    ck_assert_int_eq(ask(&table, "placard", 20, "DELETE", "board:/posts/1", ""),
                     200);
    ck_assert_int_eq(post(&table, "Anna", "thread", "b", "", 30), 2);
    table_close(&table);
}
END_TEST

START_TEST(the_same_key_of_the_same_author_posts_once)
{
    struct table table;

    table_open(&table);
    ck_assert_int_eq(post(&table, "placard", "thread", "a", "k1", 10), 1);
    ck_assert_int_eq(post(&table, "placard", "thread", "a", "k1", 20), 1);
    /* Even with another text, which stays what it was. */
    ck_assert_int_eq(post(&table, "placard", "talk/Anna", "z", "k1", 30), 1);
    ck_assert_int_eq(post(&table, "Anna", "thread", "b", "k1", 40), 2);
    ck_assert_int_eq(post(&table, "placard", "thread", "c", "k2", 50), 3);
    assert_reads(&table, "placard",
                 "1 thread placard a|2 thread Anna b|3 thread placard c");
    table_close(&table);
}
END_TEST

START_TEST(without_a_key_each_request_posts)
{
    struct table table;

    table_open(&table);
    ck_assert_int_eq(post(&table, "Anna", "thread", "a", "", 10), 1);
    ck_assert_int_eq(post(&table, "Anna", "thread", "a", "", 10), 2);
    ck_assert_int_eq(ask(&table, "Anna", 10, "POST", "board:/posts",
                         "{\"place\":\"thread\",\"text\":\"a\"}"),
                     200);
    ck_assert_int_eq(number(&table, "id"), 3);
    table_close(&table);
}
END_TEST

START_TEST(a_key_finds_ones_own_post_only)
{
    struct table table;

    table_open(&table);
    post(&table, "Anna", "thread", "a", "", 10);
    post(&table, "placard", "talk/Anna", "b", "g1-2.0", 20);
    ck_assert_int_eq(ask(&table, "placard", 0, "GET", "board:/keys/g1-2.0", ""),
                     200);
    ck_assert_int_eq(number(&table, "id"), 2);
    ck_assert_int_eq(
        ask(&table, "placard", 0, "GET", "board:/keys/%67%31-2.0", ""), 200);
    ck_assert_int_eq(number(&table, "id"), 2);
    ck_assert_int_eq(ask(&table, "Anna", 0, "GET", "board:/keys/g1-2.0", ""),
                     200);
    ck_assert_int_eq(number(&table, "id"), 0);
    table_close(&table);
}
END_TEST

START_TEST(a_dm_is_seen_by_its_user_and_the_host_alone)
{
    struct table table;

    table_open(&table);
    ck_assert_int_eq(
        ask(&table, "placard", 1, "POST", "board:/dms", "{\"user\":\"Anna\"}"),
        200);
    ck_assert_str_eq(jdoc_string(table.answer, "place"), "talk/Anna");
    post(&table, "placard", "talk/Anna", "you are liberal", "", 10);
    post(&table, "Anna", "talk/Anna", "thanks", "", 20);
    post(&table, "placard", "talk/Ben", "you are Hitler", "", 30);
    post(&table, "Ben", "thread", "hi", "", 40);

    assert_reads(&table, "Anna",
                 "1 talk/Anna placard you are liberal|2 talk/Anna Anna thanks|"
                 "4 thread Ben hi");
    assert_reads(&table, "Ben",
                 "3 talk/Ben placard you are Hitler|4 thread Ben hi");
    assert_reads(&table, "Cleo", "4 thread Ben hi");
    /* Names that would match by a pattern, or differ in case, are others. */
    assert_reads(&table, "%", "4 thread Ben hi");
    assert_reads(&table, "ben", "4 thread Ben hi");
    table_close(&table);
}
END_TEST

START_TEST(nobody_writes_in_anothers_dm)
{
    struct table table;

    table_open(&table);
    ck_assert_int_eq(post(&table, "Ben", "talk/Anna", "psst", "", 10), 0);
    ck_assert_int_eq(table.reply.status, 403);
    ck_assert_int_eq(
        ask(&table, "Ben", 1, "POST", "board:/dms", "{\"user\":\"Anna\"}"),
        403);
    ck_assert_int_eq(
        ask(&table, "Ben", 1, "POST", "board:/dms", "{\"user\":\"Ben\"}"), 200);
    assert_reads(&table, "placard", "");
    table_close(&table);
}
END_TEST

START_TEST(a_post_in_anothers_dm_is_as_good_as_none)
{
    struct table table;

    table_open(&table);
    post(&table, "placard", "talk/Anna", "you are liberal", "", 10);
    ck_assert_int_eq(
        ask(&table, "Ben", 20, "PUT", "board:/posts/1", "{\"text\":\"x\"}"),
        404);
    ck_assert_int_eq(ask(&table, "Ben", 20, "POST", "board:/posts/1/reactions",
                         "{\"text\":\"x\"}"),
                     404);
    ck_assert_int_eq(ask(&table, "Ben", 20, "DELETE", "board:/posts/1", ""),
                     404);
    assert_reads(&table, "placard", "1 talk/Anna placard you are liberal");
    table_close(&table);
}
END_TEST

/* The first text of a post, as the file keeps it. */
static void
read_first_text(const struct table *table, struct buf *out)
{
    sqlite3 *file;
    sqlite3_stmt *rows;

    ck_assert_int_eq(sqlite3_open(table->path, &file), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_prepare_v2(file, "SELECT first_text FROM posts WHERE id = 1",
                           -1, &rows, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(rows), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(rows, 0);

    buf_add_text(out, text == NULL ? "" : text);
    sqlite3_finalize(rows);
    sqlite3_close(file);
}

START_TEST(an_edit_shows_and_keeps_the_first_version)
{
    struct table table;
    struct buf first = BUF_INIT;
    int64_t edited = -1;

    table_open(&table);
    post(&table, "Anna", "thread", "Ja!", "", 10);
    ck_assert_int_eq(ask(&table, "Anna", 20, "PUT", "board:/posts/1",
                         "{\"text\":\"Nein!\"}"),
                     200);
    ck_assert_int_eq(
        ask(&table, "Anna", 30, "PUT", "board:/posts/1", "{\"text\":\"Hm.\"}"),
        200);
    /* The same again is no edit. */
    ck_assert_int_eq(
        ask(&table, "Anna", 40, "PUT", "board:/posts/1", "{\"text\":\"Hm.\"}"),
        200);
    assert_reads(&table, "Ben", "1 thread Anna Hm.");

    json_object *posts = jdoc_get(table.answer, "posts");

    ck_assert(
        jdoc_integer(json_object_array_get_idx(posts, 0), "edited", &edited));
    ck_assert_int_eq(edited, 30);
    read_first_text(&table, &first);
    ck_assert_str_eq(buf_text(&first), "Ja!");
    buf_release(&first);
    table_close(&table);
}
END_TEST

START_TEST(only_its_author_edits_a_post)
{
    struct table table;

    table_open(&table);
    post(&table, "Anna", "thread", "Ja!", "", 10);
    ck_assert_int_eq(
        ask(&table, "Ben", 20, "PUT", "board:/posts/1", "{\"text\":\"Nein!\"}"),
        403);
    ck_assert_int_eq(ask(&table, "placard", 20, "PUT", "board:/posts/1",
                         "{\"text\":\"Nein!\"}"),
                     403);
    assert_reads(&table, "Ben", "1 thread Anna Ja!");
    table_close(&table);
}
END_TEST

START_TEST(only_the_host_deletes_and_the_file_keeps_it)
{
    struct table table;
    int64_t newest = -1;

    table_open(&table);
    post(&table, "Anna", "thread", "psst", "k", 10);
    ck_assert_int_eq(ask(&table, "Anna", 20, "DELETE", "board:/posts/1", ""),
                     403);
    ck_assert_int_eq(ask(&table, "placard", 20, "DELETE", "board:/posts/1", ""),
                     200);
    assert_reads(&table, "placard", "");
    ck_assert_int_eq(ask(&table, "placard", 30, "DELETE", "board:/posts/1", ""),
                     404);
    ck_assert_int_eq(
        ask(&table, "Anna", 30, "PUT", "board:/posts/1", "{\"text\":\"x\"}"),
        404);
    /* What was sent once is not sent again because it was deleted. */
    ck_assert_int_eq(post(&table, "Anna", "thread", "psst", "k", 40), 1);
    ck_assert_int_eq(board_newest(table.board, &newest, &table.why), ERR_NONE);
    ck_assert_int_eq(newest, 10);
    table_close(&table);
}
END_TEST

/* A call-back that notes "id reactions|…". */
static void
note_reactions(void *context, const struct board_post *one)
{
    buf_addf(context, "%lld %s|", (long long)one->id, one->reactions);
}

START_TEST(a_thread_is_opened_by_the_host_alone_and_once_by_its_key)
{
    static const char body[] = "{\"title\":\"Table 1\",\"key\":\"a.1\"}";
    static const char other[] = "{\"title\":\"Table 1\",\"key\":\"a.2\"}";
    static const char *const wrong[] = {
        "{}", "{\"title\":\"x\"}", "{\"title\":\"\",\"key\":\"k\"}",
        "{\"title\":\"x\",\"key\":\"\"}", "{\"title\":1,\"key\":\"k\"}"};
    struct table table;
    struct buf title = BUF_INIT;
    int64_t id = 0;

    table_open(&table);
    ck_assert_int_eq(ask(&table, "Anna", 5, "POST", "board:/threads", body),
                     403);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_int_eq(
            ask(&table, "placard", 5, "POST", "board:/threads", wrong[i]), 400);
    }
    ck_assert_int_eq(post(&table, "Anna", "thread/1", "x", "", 5), 0);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(
            ask(&table, "placard", 5, "POST", "board:/threads", body), 200);
        ck_assert_str_eq(jdoc_string(table.answer, "place"), "thread/1");
    }
    ck_assert_int_eq(ask(&table, "placard", 5, "POST", "board:/threads", other),
                     200);
    ck_assert_str_eq(jdoc_string(table.answer, "place"), "thread/2");
    ck_assert_int_eq(post(&table, "Anna", "thread/1", "x", "", 5), 1);
    ck_assert_int_eq(post(&table, "Anna", "thread/3", "x", "", 5), 0);
    ck_assert_int_eq(post(&table, "Anna", "thread/01", "x", "", 5), 0);
    /* People write in the newest, unless they say where. */
    ck_assert_int_eq(
        board_write(table.board, "Ben", false, "y", NULL, 6, &id, &table.why),
        ERR_NONE);
    ck_assert_int_eq(board_write_in(table.board, "Ben", "thread", "y", NULL, 6,
                                    &id, &table.why),
                     ERR_NONE);
    ck_assert_int_eq(board_write_in(table.board, "Ben", "thread/9", "y", NULL,
                                    6, &id, &table.why),
                     ERR_GONE);
    ck_assert_int_eq(board_write_in(table.board, "Ben", "talk/Ben", "y", NULL,
                                    6, &id, &table.why),
                     ERR_GONE);
    ck_assert_int_eq(ask(&table, "Zed", 7, "GET", "board:/posts?after=1", ""),
                     200);
    json_object *posts = jdoc_get(table.answer, "posts");
    ck_assert_uint_eq(json_object_array_length(posts), 2);
    ck_assert_str_eq(jdoc_string(json_object_array_get_idx(posts, 0), "place"),
                     "thread/2");
    ck_assert_int_eq(board_title(table.board, "thread/2", &title, &table.why),
                     ERR_NONE);
    ck_assert_str_eq(buf_text(&title), "Table 1");
    buf_release(&title);
    table_close(&table);
}
END_TEST

/* Answer a post as a person; the new post's id, or 0 with the error. */
static int64_t
answer(struct table *table, const char *author, int64_t reply,
       enum err expected)
{
    int64_t id = 0;

    ck_assert_int_eq(
        board_reply(table->board, author, reply, "y", 7, &id, &table->why),
        expected);
    return id;
}

static void
note_replies(void *context, const struct board_post *one)
{
    buf_addf(context, "%lld>%lld|", (long long)one->id, (long long)one->reply);
}

/* Let somebody into the gallery of a key, as the caller; answers the status. */
static int
let_in(struct table *table, const char *caller, const char *key,
       const char *user)
{
    char body[128];

    snprintf(body, sizeof(body),
             "{\"title\":\"Gallery\",\"key\":\"%s\",\"user\":\"%s\"}", key,
             user);
    return ask(table, caller, 5, "POST", "board:/galleries", body);
}

START_TEST(only_those_who_were_let_in_see_a_gallery)
{
    struct table table;
    struct buf seen = BUF_INIT;

    table_open(&table);
    ck_assert_int_eq(let_in(&table, "Anna", "k1", "Anna"), 403);
    ck_assert_int_eq(let_in(&table, "placard", "k1", ""), 400);
    ck_assert_int_eq(let_in(&table, "placard", "k1", "Anna"), 200);
    ck_assert_str_eq(jdoc_string(table.answer, "place"), "gallery/1");
    ck_assert_int_eq(let_in(&table, "placard", "k1", "Anna"), 200);
    ck_assert_str_eq(jdoc_string(table.answer, "place"), "gallery/1");
    ck_assert_int_eq(let_in(&table, "placard", "k2", "Bob"), 200);
    ck_assert_str_eq(jdoc_string(table.answer, "place"), "gallery/2");

    ck_assert_int_eq(post(&table, "placard", "gallery/1", "hush", "a", 6), 1);
    ck_assert_int_eq(post(&table, "Anna", "gallery/1", "yes", "b", 7), 2);
    ck_assert_int_eq(post(&table, "Bob", "gallery/1", "me too", "c", 8), 0);
    ck_assert_int_eq(table.reply.status, 403);
    ck_assert_int_eq(post(&table, "placard", "gallery/3", "?", "d", 8), 0);
    ck_assert_int_eq(table.reply.status, 404);
    read_posts(&table, "Anna", 0, &seen);
    ck_assert_ptr_nonnull(strstr(buf_text(&seen), "hush"));
    buf_clear(&seen);
    read_posts(&table, "Bob", 0, &seen);
    ck_assert_str_eq(buf_text(&seen), "");
    ck_assert_int_eq(
        board_reply(table.board, "Bob", 1, "me", 9, NULL, &table.why),
        ERR_GONE);
    buf_clear(&table.why);
    ck_assert_int_eq(board_write_in(table.board, "Bob", "gallery/1", "me", NULL,
                                    9, NULL, &table.why),
                     ERR_GONE);
    buf_clear(&table.why);
    ck_assert_int_eq(
        board_reply(table.board, "Anna", 1, "quite", 9, NULL, &table.why),
        ERR_NONE);
    buf_release(&seen);
    table_close(&table);
}
END_TEST

START_TEST(an_answer_stands_where_the_post_does_and_names_it)
{
    static const char body[] = "{\"title\":\"Table 1\",\"key\":\"a.1\"}";
    struct table table;
    struct buf seen = BUF_INIT;
    int64_t number = 0;

    table_open(&table);
    post(&table, "Anna", "thread", "a", "", 5);
    post(&table, "placard", "talk/Anna", "b", "", 5);
    ck_assert_int_eq(ask(&table, "placard", 5, "POST", "board:/threads", body),
                     200);
    ck_assert_int_eq(answer(&table, "Ben", 1, ERR_NONE), 3);
    ck_assert_int_eq(answer(&table, "Anna", 2, ERR_NONE), 4);
    /* There is no such post, or none that one can see. */
    answer(&table, "Ben", 9, ERR_GONE);
    answer(&table, "Ben", 2, ERR_GONE);
    answer(&table, "placard", 1, ERR_CONFIG);
    assert_reads(&table, "placard",
                 "1 thread Anna a|2 talk/Anna placard b|3 thread Ben y|"
                 "4 talk/Anna Anna y");
    ck_assert_int_eq(
        ask(&table, "placard", 7, "GET", "board:/posts?after=2", ""), 200);
    json_object *posts = jdoc_get(table.answer, "posts");
    ck_assert(
        jdoc_integer(json_object_array_get_idx(posts, 0), "reply", &number));
    ck_assert_int_eq(number, 1);
    ck_assert_int_eq(
        board_read(table.board, 0, "*", note_replies, &seen, &table.why),
        ERR_NONE);
    ck_assert_str_eq(buf_text(&seen), "1>0|2>0|3>1|4>2|");
    buf_release(&seen);
    table_close(&table);
}
END_TEST

START_TEST(a_file_from_before_there_were_answers_takes_them)
{
    struct table table;
    sqlite3 *file;

    table_open(&table);
    post(&table, "Anna", "thread", "a", "", 5);
    board_close(table.board);
    ck_assert_int_eq(sqlite3_open(table.path, &file), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(file, "DROP TABLE replies", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(file);
    ck_assert_int_eq(board_open(table.path, false, &table.board, &table.why),
                     ERR_NONE);
    ck_assert_int_eq(answer(&table, "Ben", 1, ERR_NONE), 2);
    table_close(&table);
}
END_TEST

START_TEST(a_reaction_counts_once_per_author_and_text)
{
    struct table table;
    struct buf out = BUF_INIT;

    table_open(&table);
    post(&table, "Anna", "thread", "Ja!", "", 10);
    post(&table, "Ben", "thread", "Ja!", "", 10);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(ask(&table, "placard", 20, "POST",
                             "board:/posts/1/reactions", "{\"text\":\"✓\"}"),
                         200);
        ck_assert_int_eq(ask(&table, "Ben", 20, "POST",
                             "board:/posts/1/reactions", "{\"text\":\"✓\"}"),
                         200);
    }
    ck_assert_int_eq(
        board_read(table.board, 0, NULL, note_reactions, &out, &table.why),
        ERR_NONE);
    ck_assert_str_eq(buf_text(&out), "1 ✓ by placard, ✓ by Ben|2 |");
    buf_release(&out);
    table_close(&table);
}
END_TEST

START_TEST(stamps_never_go_back_behind_the_newest_post)
{
    struct table table;
    int64_t newest = -1;

    table_open(&table);
    ck_assert_int_eq(board_newest(table.board, &newest, &table.why), ERR_NONE);
    ck_assert_int_eq(newest, 0);
    post(&table, "Anna", "thread", "a", "", 5000);
    ck_assert_int_eq(number(&table, "time"), 5000);
    /* The computer's clock was put back. */
    post(&table, "Ben", "thread", "b", "", 3000);
    ck_assert_int_eq(number(&table, "time"), 5000);
    ck_assert_int_eq(board_newest(table.board, &newest, &table.why), ERR_NONE);
    ck_assert_int_eq(newest, 5000);
    ck_assert_int_eq(ask(&table, "Ben", 3000, "GET", "board:/who", ""), 200);
    ck_assert_int_eq(number(&table, "time"), 5000);
    ck_assert_int_eq(table.reply.date, 5000);
    ck_assert_int_eq(ask(&table, "Ben", 7000, "GET", "board:/posts", ""), 200);
    ck_assert_int_eq(number(&table, "time"), 7000);
    table_close(&table);
}
END_TEST

START_TEST(a_page_ends_at_its_limit_and_says_that_there_is_more)
{
    struct table table;
    bool more = true;

    table_open(&table);
    for (int i = 0; i < 101; i++) {
        ck_assert_int_eq(board_write(table.board, "Anna", false, "x", NULL,
                                     1000 + i, NULL, &table.why),
                         ERR_NONE);
    }
    static const struct {
        const char *url;
        size_t count;
        bool more;
    } rows[] = {
        {"board:/posts", 100, true},
        {"board:/posts?after=0&limit=100", 100, true},
        {"board:/posts?after=1&limit=100", 100, false},
        {"board:/posts?limit=1000&after=2", 99, false},
        {"board:/posts?after=98&limit=2", 2, true},
        {"board:/posts?after=99&limit=2", 2, false},
        {"board:/posts?after=101", 0, false},
        {"board:/posts?after=999", 0, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_int_eq(ask(&table, "Ben", 0, "GET", rows[i].url, ""), 200);
        ck_assert_uint_eq(
            json_object_array_length(jdoc_get(table.answer, "posts")),
            rows[i].count);
        ck_assert(jdoc_bool(table.answer, "more", &more));
        ck_assert(more == rows[i].more);
    }
    table_close(&table);
}
END_TEST

START_TEST(a_page_of_long_posts_ends_early_and_nothing_is_lost)
{
    struct table table;
    struct buf text = BUF_INIT;
    int64_t after = 0;
    size_t seen = 0;
    bool more = true;

    table_open(&table);
    /* Control characters are the longest thing in JSON. */
    for (int i = 0; i < BOARD_TEXT_MAX; i++) {
        buf_add_char(&text, '\x01');
    }
    for (int i = 0; i < 30; i++) {
        ck_assert_int_eq(board_write(table.board, "Anna", false,
                                     buf_text(&text), NULL, 1000, NULL,
                                     &table.why),
                         ERR_NONE);
    }
    while (more) {
        struct buf url = BUF_INIT;

        buf_addf(&url, "board:/posts?after=%lld", (long long)after);
        ck_assert_int_eq(ask(&table, "Ben", 0, "GET", buf_text(&url), ""), 200);
        ck_assert_uint_lt(table.reply.len, 2 << 20);
        json_object *posts = jdoc_get(table.answer, "posts");
        size_t count = json_object_array_length(posts);

        ck_assert_uint_gt(count, 0);
        seen += count;
        ck_assert(jdoc_integer(json_object_array_get_idx(posts, count - 1),
                               "id", &after));
        ck_assert(jdoc_bool(table.answer, "more", &more));
        buf_release(&url);
    }
    ck_assert_uint_eq(seen, 30);
    buf_release(&text);
    table_close(&table);
}
END_TEST

START_TEST(two_handles_on_one_file_see_each_others_posts)
{
    struct table table;
    struct board *other;
    struct buf body = BUF_INIT;
    int64_t id = 0;

    table_open(&table);
    ck_assert_int_eq(board_open(table.path, false, &other, &table.why),
                     ERR_NONE);
    for (int64_t i = 1; i <= 20; i += 2) {
        ck_assert_int_eq(post(&table, "placard", "thread", "a", "", 100 * i),
                         i);
        /* The other one's clock is behind. */
        ck_assert_int_eq(
            board_write(other, "Anna", false, "b", NULL, 50, &id, &table.why),
            ERR_NONE);
        ck_assert_int_eq(id, i + 1);
    }
    ck_assert_int_eq(board_newest(other, &id, &table.why), ERR_NONE);
    ck_assert_int_eq(id, 1900);
    buf_release(&body);
    board_close(other);
    table_close(&table);
}
END_TEST

START_TEST(a_key_used_through_one_handle_is_known_to_the_other)
{
    struct table table;
    struct board *other;
    int64_t id = 0;

    table_open(&table);
    ck_assert_int_eq(board_open(table.path, true, &other, &table.why),
                     ERR_NONE);
    ck_assert_int_eq(
        board_write(other, "Anna", true, "b", "k", 50, &id, &table.why),
        ERR_NONE);
    ck_assert_int_eq(post(&table, "Anna", "talk/Anna", "b", "k", 60), id);
    board_close(other);
    table_close(&table);
}
END_TEST

/* Post so many times through a handle of one's own. */
static bool
post_many(const char *path, const char *author, int64_t count)
{
    struct buf why = BUF_INIT;
    struct board *board;

    if (board_open(path, false, &board, &why) != ERR_NONE) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (board_write(board, author, false, "x", NULL, 1000 + i, NULL,
                        &why) != ERR_NONE) {
            return false;
        }
    }
    board_close(board);
    return true;
}

static void
count_post(void *context, const struct board_post *one)
{
    int64_t *counts = context; /* posts, the last id, the last stamp */

    ck_assert_int_gt(one->id, counts[1]);
    ck_assert_int_ge(one->stamp, counts[2]);
    counts[0]++;
    counts[1] = one->id;
    counts[2] = one->stamp;
}

START_TEST(two_processes_post_side_by_side)
{
    const int64_t posts = 40;
    struct table table;
    int64_t counts[3] = {0};
    int status = -1;

    table_open(&table);
    pid_t child = fork();

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        _exit(post_many(table.path, "Ben", posts) ? 0 : 1);
    }
    ck_assert(post_many(table.path, "Anna", posts));
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(
        board_read(table.board, 0, NULL, count_post, counts, &table.why),
        ERR_NONE);
    ck_assert_int_eq(counts[0], 2 * posts);
    table_close(&table);
}
END_TEST

START_TEST(a_damaged_file_is_a_fault_of_the_service)
{
    struct table table;
    sqlite3 *file;

    table_open(&table);
    ck_assert_int_eq(sqlite3_open(table.path, &file), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(file, "ALTER TABLE posts RENAME TO gone",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(file);
    ck_assert_int_eq(ask(&table, "placard", 1, "GET", "board:/posts", ""), 500);
    ck_assert_int_eq(ask(&table, "placard", 1, "GET", "board:/keys/k", ""),
                     500);
    ck_assert_int_eq(post(&table, "placard", "thread", "x", "k", 1), 0);
    ck_assert_int_eq(table.reply.status, 500);
    ck_assert_int_eq(
        ask(&table, "placard", 1, "PUT", "board:/posts/1", "{\"text\":\"x\"}"),
        500);
    table_close(&table);
}
END_TEST

START_TEST(everything_is_there_again_after_the_file_is_reopened)
{
    struct table table;

    table_open(&table);
    post(&table, "Anna", "thread", "a", "", 10);
    post(&table, "placard", "talk/Anna", "b", "k", 20);
    board_close(table.board);
    ck_assert_int_eq(board_open(table.path, false, &table.board, &table.why),
                     ERR_NONE);
    assert_reads(&table, "placard", "1 thread Anna a|2 talk/Anna placard b");
    ck_assert_int_eq(post(&table, "placard", "talk/Anna", "b", "k", 30), 2);
    table_close(&table);
}
END_TEST

START_TEST(the_file_is_for_its_owner_alone)
{
    struct table table;
    struct stat status;

    table_open(&table);
    ck_assert_int_eq(stat(table.path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    table_close(&table);
}
END_TEST

START_TEST(a_missing_board_is_told_and_not_made)
{
    struct buf why = BUF_INIT;
    struct board *board;

    ck_assert_int_eq(
        board_open("/nonexistent/placard/board.db", false, &board, &why),
        ERR_GONE);
    ck_assert_uint_gt(why.len, 0);
    buf_release(&why);
}
END_TEST

START_TEST(a_file_of_another_format_is_refused)
{
    struct table table;
    struct board *board;
    sqlite3 *file;

    table_open(&table);
    ck_assert_int_eq(sqlite3_open(table.path, &file), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(file, "PRAGMA user_version = 99", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(file);
    ck_assert_int_eq(board_open(table.path, true, &board, &table.why),
                     ERR_GARBLED);
    table_close(&table);
}
END_TEST

static const struct wrong {
    const char *method, *url, *body;
    int status;
} wrongs[] = {
    {"GET", "", "", 400},
    {"GET", "https://example.org/who", "", 400},
    {"GET", "board:", "", 404},
    {"GET", "board:/", "", 400},
    {"GET", "board://who", "", 400},
    {"GET", "board:who", "", 400},
    {"GET", "board:/who/", "", 400},
    {"GET", "board:/what", "", 404},
    {"GET", "board:/posts/1/reactions/2", "", 400},
    {"POST", "board:/who", "", 405},
    {"get", "board:/who", "", 405},
    {"GET", "board:/posts/1", "", 405},
    {"GET", "board:/keys", "", 404},
    {"GET", "board:/keys/%", "", 400},
    {"GET", "board:/keys/%4", "", 400},
    {"GET", "board:/keys/%4g", "", 400},
    {"GET", "board:/keys/a%00b", "", 400},
    {"GET", "board:/keys/%ff", "", 400},
    {"GET", "board:/keys/%C3%28", "", 400},
    {"GET", "board:/keys/a b", "", 400},
    {"GET", "board:/keys/\xc3\xa9", "", 400},
    {"GET", "board:/posts?", "", 200},
    {"GET", "board:/posts?after", "", 400},
    {"GET", "board:/posts?after=", "", 400},
    {"GET", "board:/posts?after=-1", "", 400},
    {"GET", "board:/posts?after=1x", "", 400},
    {"GET", "board:/posts?after=1&&limit=2", "", 400},
    {"GET", "board:/posts?after=1234567890123456789", "", 400},
    {"GET", "board:/posts?limit=0", "", 400},
    {"GET", "board:/posts?before=1", "", 400},
    {"POST", "board:/posts", "", 400},
    {"POST", "board:/posts", "[]", 400},
    {"POST", "board:/posts", "null", 400},
    {"POST", "board:/posts", "{\"place\":\"thread\"}", 400},
    {"POST", "board:/posts", "{\"text\":\"x\"}", 400},
    {"POST", "board:/posts", "{\"place\":\"thread\",\"text\":7}", 400},
    {"POST", "board:/posts", "{\"place\":\"thread\",\"text\":\"\"}", 400},
    {"POST", "board:/posts", "{\"place\":\"thread\",\"text\":\"a\\u0000\"}",
     400},
    {"POST", "board:/posts",
     "{\"place\":\"thread\",\"place\":\"thread\",\"text\":\"x\"}", 400},
    {"POST", "board:/posts", "{\"place\":\"thread\",\"text\":\"x\",\"key\":7}",
     400},
    {"POST", "board:/posts",
     "{\"place\":\"thread\",\"text\":\"x\",\"key\":\"a\\nb\"}", 400},
    {"POST", "board:/posts",
     "{\"place\":\"thread\",\"text\":\"x\",\"key\":"
     "\"0123456789012345678901234567890123456789012345678901234567890123x\"}",
     400},
    {"POST", "board:/posts", "{\"place\":\"cellar\",\"text\":\"x\"}", 404},
    {"POST", "board:/posts", "{\"place\":\"talk/\",\"text\":\"x\"}", 404},
    {"POST", "board:/posts", "{\"place\":\"talk/placard\",\"text\":\"x\"}",
     404},
    {"PUT", "board:/posts/1", "{}", 400},
    {"PUT", "board:/posts/1", "{\"text\":\"\"}", 400},
    {"PUT", "board:/posts/1", "{\"text\":\"x\"}", 404},
    {"PUT", "board:/posts/x", "{\"text\":\"x\"}", 404},
    {"PUT", "board:/posts/-1", "{\"text\":\"x\"}", 404},
    {"DELETE", "board:/posts/1", "", 404},
    {"POST", "board:/posts/1/reactions", "", 400},
    {"POST", "board:/posts/1/reactions", "{\"text\":\"\"}", 400},
    {"POST", "board:/posts/1/reactions", "{\"text\":\"a\\nb\"}", 400},
    {"POST", "board:/posts/1/reactions", "{\"text\":\"x\"}", 404},
    {"POST", "board:/dms", "{}", 400},
    {"POST", "board:/dms", "{\"user\":\"\"}", 400},
    {"POST", "board:/dms", "{\"user\":\"*\"}", 400},
    {"POST", "board:/dms", "{\"user\":\"a\\u001bb\"}", 400},
    {"POST", "board:/dms", "{\"user\":\"placard\"}", 400},
};

START_TEST(a_bad_request_is_refused_and_changes_nothing)
{
    const struct wrong *row = &wrongs[_i];
    struct table table;

    table_open(&table);
    ck_assert_int_eq(
        ask(&table, "placard", 1, row->method, row->url, row->body),
        row->status);
    assert_reads(&table, "placard", "");
    table_close(&table);
}
END_TEST

START_TEST(a_text_has_a_longest_length)
{
    struct table table;
    struct buf text = BUF_INIT;
    int64_t id = 0;

    table_open(&table);
    for (int i = 0; i < BOARD_TEXT_MAX; i++) {
        buf_add_char(&text, 'x');
    }
    ck_assert_int_eq(post(&table, "Anna", "thread", buf_text(&text), "", 1), 1);
    ck_assert_int_eq(board_write(table.board, "Anna", false, buf_text(&text),
                                 NULL, 1, &id, &table.why),
                     ERR_NONE);
    buf_add_char(&text, 'x');
    ck_assert_int_eq(post(&table, "Anna", "thread", buf_text(&text), "", 1), 0);
    ck_assert_int_eq(table.reply.status, 413);
    ck_assert_int_eq(board_write(table.board, "Anna", false, buf_text(&text),
                                 NULL, 1, &id, &table.why),
                     ERR_FULL);
    buf_release(&text);
    table_close(&table);
}
END_TEST

START_TEST(names_are_any_text_but_not_the_hosts)
{
    static const struct {
        const char *name;
        bool good;
    } rows[] = {
        {"Anna", true},       {"Ann-Kathrin O'Neil", true},
        {"Ægir/?&#%", true},  {"\xe6\x97\xa5\xe6\x9c\xac", true},
        {"talk/Anna", true},  {"", false},
        {"*", false},         {"placard", false},
        {"a\nb", false},      {"a\x7f", false},
        {"\xc2\x85", false},  {"\xff", false},
        {"\xc0\x80", false},  {"\xed\xa0\x80", false},
        {"a\xe6\x97", false},
    };
    struct table table;
    struct buf why = BUF_INIT;

    table_open(&table);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum err err = board_write(table.board, rows[i].name, true, "x", NULL,
                                   1, NULL, &why);

        ck_assert_msg((err == ERR_NONE) == rows[i].good, "%s", rows[i].name);
        ck_assert(err == ERR_NONE || err == ERR_CONFIG);
        ck_assert((err == ERR_NONE) == (why.len == 0));
        buf_clear(&why);
    }
    ck_assert_int_eq(ask(&table, "\xff", 1, "GET", "board:/who", ""), 400);
    ck_assert_int_eq(ask(&table, "*", 1, "GET", "board:/who", ""), 400);
    buf_release(&why);
    table_close(&table);
}
END_TEST

START_TEST(the_longest_name_still_makes_an_id)
{
    struct table table;
    struct buf name = BUF_INIT;

    table_open(&table);
    for (int i = 0; i < BOARD_NAME_MAX; i++) {
        buf_add_char(&name, 'n');
    }
    ck_assert_int_eq(board_write(table.board, buf_text(&name), true, "x", NULL,
                                 1, NULL, &table.why),
                     ERR_NONE);
    ck_assert_uint_le(strlen("talk/") + name.len, ADAPTER_ID_MAX);
    buf_add_char(&name, 'n');
    ck_assert_int_eq(board_write(table.board, buf_text(&name), true, "x", NULL,
                                 1, NULL, &table.why),
                     ERR_CONFIG);
    buf_release(&name);
    table_close(&table);
}
END_TEST

static void
note_post(void *context, const struct board_post *one)
{
    buf_addf(context, "%lld %s %s %s %lld|", (long long)one->id, one->place,
             one->author, one->text, (long long)one->stamp);
}

START_TEST(people_read_the_thread_and_the_dms_they_ask_for)
{
    static const struct {
        const char *dms;
        int64_t after;
        const char *expected;
    } rows[] = {
        {NULL, 0, "1 thread Anna a 10|4 thread placard d 40|"},
        {"Anna", 0,
         "1 thread Anna a 10|2 talk/Anna Anna b 20|4 thread placard d 40|"},
        {"Anna", 2, "4 thread placard d 40|"},
        {"*", 0,
         "1 thread Anna a 10|2 talk/Anna Anna b 20|3 talk/Ben Ben c 30|"
         "4 thread placard d 40|"},
        {"Cleo", 0, "1 thread Anna a 10|4 thread placard d 40|"},
        {"", 3, "4 thread placard d 40|"},
    };
    struct table table;
    struct buf out = BUF_INIT;

    table_open(&table);
    ck_assert_int_eq(board_write(table.board, "Anna", false, "a", NULL, 10,
                                 NULL, &table.why),
                     ERR_NONE);
    ck_assert_int_eq(
        board_write(table.board, "Anna", true, "b", NULL, 20, NULL, &table.why),
        ERR_NONE);
    ck_assert_int_eq(
        board_write(table.board, "Ben", true, "c", NULL, 30, NULL, &table.why),
        ERR_NONE);
    post(&table, "placard", "thread", "d", "", 40);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ck_assert_int_eq(board_read(table.board, rows[i].after, rows[i].dms,
                                    note_post, &out, &table.why),
                         ERR_NONE);
        ck_assert_str_eq(buf_text(&out), rows[i].expected);
        buf_clear(&out);
    }
    buf_release(&out);
    table_close(&table);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/board_server");
    TCase *tcase = tcase_create("board_server");

    tcase_add_test(tcase,
                   a_thread_is_opened_by_the_host_alone_and_once_by_its_key);
    tcase_add_test(tcase, only_those_who_were_let_in_see_a_gallery);
    tcase_add_test(tcase, ids_rise_over_thread_and_dms);
    tcase_add_test(tcase, ids_are_not_used_again_after_a_post_is_deleted);
    tcase_add_test(tcase, the_same_key_of_the_same_author_posts_once);
    tcase_add_test(tcase, without_a_key_each_request_posts);
    tcase_add_test(tcase, a_key_finds_ones_own_post_only);
    tcase_add_test(tcase, a_dm_is_seen_by_its_user_and_the_host_alone);
    tcase_add_test(tcase, nobody_writes_in_anothers_dm);
    tcase_add_test(tcase, a_post_in_anothers_dm_is_as_good_as_none);
    tcase_add_test(tcase, an_edit_shows_and_keeps_the_first_version);
    tcase_add_test(tcase, only_its_author_edits_a_post);
    tcase_add_test(tcase, only_the_host_deletes_and_the_file_keeps_it);
    tcase_add_test(tcase, an_answer_stands_where_the_post_does_and_names_it);
    tcase_add_test(tcase, a_file_from_before_there_were_answers_takes_them);
    tcase_add_test(tcase, a_reaction_counts_once_per_author_and_text);
    tcase_add_test(tcase, stamps_never_go_back_behind_the_newest_post);
    tcase_add_test(tcase, a_page_ends_at_its_limit_and_says_that_there_is_more);
    tcase_add_test(tcase, a_page_of_long_posts_ends_early_and_nothing_is_lost);
    tcase_add_test(tcase, two_handles_on_one_file_see_each_others_posts);
    tcase_add_test(tcase, a_key_used_through_one_handle_is_known_to_the_other);
    tcase_add_test(tcase, two_processes_post_side_by_side);
    tcase_add_test(tcase, a_damaged_file_is_a_fault_of_the_service);
    tcase_add_test(tcase, everything_is_there_again_after_the_file_is_reopened);
    tcase_add_test(tcase, the_file_is_for_its_owner_alone);
    tcase_add_test(tcase, a_missing_board_is_told_and_not_made);
    tcase_add_test(tcase, a_file_of_another_format_is_refused);
    tcase_add_loop_test(tcase, a_bad_request_is_refused_and_changes_nothing, 0,
                        COUNT(wrongs));
    tcase_add_test(tcase, a_text_has_a_longest_length);
    tcase_add_test(tcase, names_are_any_text_but_not_the_hosts);
    tcase_add_test(tcase, the_longest_name_still_makes_an_id);
    tcase_add_test(tcase, people_read_the_thread_and_the_dms_they_ask_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
