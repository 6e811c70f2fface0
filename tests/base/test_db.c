#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/db.h"
#include "bot/base/files.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

static const char schema[] =
    "CREATE TABLE post ("
    " id INTEGER PRIMARY KEY, author TEXT, body BLOB) STRICT;"
    "CREATE INDEX post_author ON post (author)";

static const char insert[] =
    "INSERT INTO post (id, author, body) VALUES (?, ?, ?)";

static struct buf why;

static void
set_up(void)
{
    scratch_make();
    buf_init(&why, 0);
}

static void
tear_down(void)
{
    buf_release(&why);
    scratch_remove();
}

static void
assert_none(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%d: %s", (int)err, buf_text(&why));
}

/* Nothing has failed. */
static void
works(const struct db *db)
{
    assert_none(db_err(db, &why));
}

/* What has failed is told, and given up. */
static void
fails(struct db *db, enum err err)
{
    buf_clear(&why);
    ck_assert_int_eq(db_err(db, &why), err);
    db_rollback(db);
}

static struct db *
open_db(const char *name, enum db_mode mode)
{
    struct db *db;

    assert_none(db_open(scratch_path(name), mode, 3, schema, &db, &why));
    return db;
}

static void
add_post(struct db *db, int64_t id, const char *author)
{
    db_run(db, insert, "itb", id, author, "x", (size_t)1);
    works(db);
}

static int64_t
count_posts(struct db *db)
{
    int64_t count = 0;

    (void)db_row(db, "SELECT count(*) FROM post", ">i", &count);
    works(db);
    return count;
}

/* Step to the next row: is there one? */
static bool
next_row(struct db *db, sqlite3_stmt *rows)
{
    bool more = db_next(db, rows);

    works(db);
    return more;
}

static void
put(const char *name, const char *text)
{
    assert_none(file_write(scratch_path(name), text, strlen(text), 0600, &why));
}

/* ---- opening ------------------------------------------------------------- */

START_TEST(a_new_file_is_its_owners_alone)
{
    struct stat there;
    struct db *db = open_db("a.db", DB_CREATE);

    add_post(db, 1, "Anna");
    ck_assert_int_eq(stat(scratch_path("a.db"), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
    ck_assert_int_eq(stat(scratch_path("a.db-wal"), &there), 0);
    ck_assert_uint_eq(there.st_mode & 0777, 0600);
    db_close(db);
}
END_TEST

START_TEST(it_is_durable_and_wipes_what_is_deleted)
{
    static const struct {
        const char *pragma, *value;
    } wanted[] = {{"PRAGMA journal_mode", "wal"},
                  {"PRAGMA synchronous", "2"},
                  {"PRAGMA secure_delete", "1"},
                  {"PRAGMA user_version", "3"}};
    struct db *db = open_db("a.db", DB_CREATE);

    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        char value[16];
        (void)db_row(db, wanted[i].pragma, ">s", value, sizeof(value));
        works(db);
        ck_assert_str_eq(value, wanted[i].value);
    }
    db_close(db);
}
END_TEST

START_TEST(what_was_written_is_there_when_it_is_opened_again)
{
    struct db *db = open_db("a.db", DB_CREATE);

    add_post(db, 1, "Anna");
    db_close(db);
    db = open_db("a.db", DB_CREATE);
    add_post(db, 2, "Bob");
    ck_assert_int_eq(count_posts(db), 2);
    db_close(db);
}
END_TEST

START_TEST(a_reader_reads_beside_the_writer_and_writes_nothing)
{
    struct db *writer = open_db("a.db", DB_CREATE);
    struct db *reader = open_db("a.db", DB_READ);

    db_begin(writer);
    works(writer);
    add_post(writer, 1, "Anna");
    ck_assert_int_eq(count_posts(reader), 0);
    db_commit(writer);
    works(writer);
    ck_assert_int_eq(count_posts(reader), 1);

    db_run(reader, "DELETE FROM post", "");
    fails(reader, ERR_DENIED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "a.db: may not be"));
    db_close(reader);
    db_close(writer);
}
END_TEST

START_TEST(a_reader_makes_no_file)
{
    struct db *db;

    ck_assert_int_eq(
        db_open(scratch_path("none.db"), DB_READ, 3, schema, &db, &why),
        ERR_GONE);
    ck_assert_ptr_null(db);
    ck_assert_int_eq(scratch_count(), 0);
}
END_TEST

START_TEST(a_file_in_no_folder_is_denied)
{
    struct db *db;

    ck_assert_int_eq(
        db_open(scratch_path("none/a.db"), DB_CREATE, 3, schema, &db, &why),
        ERR_DENIED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "can't be made"));
}
END_TEST

START_TEST(another_format_is_refused_with_both_numbers)
{
    struct db *db = open_db("a.db", DB_CREATE);

    db_close(db);
    for (int mode = DB_CREATE; mode <= DB_READ; mode++) {
        buf_clear(&why);
        ck_assert_int_eq(db_open(scratch_path("a.db"), (enum db_mode)mode, 4,
                                 schema, &db, &why),
                         ERR_GARBLED);
        ck_assert_ptr_null(db);
        ck_assert_ptr_nonnull(strstr(
            buf_text(&why),
            "was made by an earlier version of placard (its format is 3, this one's 4)"));
    }
}
END_TEST

START_TEST(a_database_of_another_program_is_left_alone)
{
    sqlite3 *other;
    struct db *db;

    ck_assert_int_eq(sqlite3_open(scratch_path("a.db"), &other), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(other, "CREATE TABLE mine (x)", NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(other);
    ck_assert_int_eq(
        db_open(scratch_path("a.db"), DB_CREATE, 3, schema, &db, &why),
        ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "not a file of placard's"));
}
END_TEST

START_TEST(a_file_that_is_no_database_is_garbled)
{
    struct db *db;

    put("a.db", "This is a text, and by no means a database of any kind.");
    ck_assert_int_eq(
        db_open(scratch_path("a.db"), DB_CREATE, 3, schema, &db, &why),
        ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "restore it from a backup"));
}
END_TEST

/* Copy a file, with so many bytes more (or less) at its end. */
static void
copy(const char *from, const char *to, int more)
{
    struct buf bytes = BUF_INIT;

    assert_none(file_read(scratch_path(from), &bytes, &why));
    for (int i = 0; i < more; i++) {
        buf_add_char(&bytes, 'x');
    }
    if (more < 0) {
        buf_truncate(&bytes, bytes.len - (size_t)-more);
    }
    assert_none(
        file_write(scratch_path(to), buf_text(&bytes), bytes.len, 0600, &why));
    buf_release(&bytes);
}

START_TEST(a_file_that_has_lost_its_end_is_garbled)
{
    struct db *db = open_db("a.db", DB_CREATE);

    add_post(db, 1, "Anna");
    db_close(db);
    copy("a.db", "b.db", -100);
    ck_assert_int_eq(
        db_open(scratch_path("b.db"), DB_CREATE, 3, schema, &db, &why),
        ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "restore it from a backup"));
}
END_TEST

START_TEST(a_page_that_a_checkpoint_left_half_written_is_written_again)
{
    struct db *db = open_db("a.db", DB_CREATE);

    add_post(db, 1, "Anna");
    copy("a.db", "b.db", 100);
    copy("a.db-wal", "b.db-wal", 0);
    db_close(db);
    db = open_db("b.db", DB_CREATE);
    ck_assert_int_eq(count_posts(db), 1);
    db_close(db);
}
END_TEST

START_TEST(a_schema_with_a_mistake_leaves_no_half_of_it)
{
    struct db *db;

    ck_assert_int_eq(db_open(scratch_path("a.db"), DB_CREATE, 3,
                             "CREATE TABLE one (x); CREATE TABLE one (x)", &db,
                             &why),
                     ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "already exists"));
    db = open_db("a.db", DB_CREATE);
    ck_assert_int_eq(count_posts(db), 0);
    db_close(db);
}
END_TEST

/* ---- many at once -------------------------------------------------------- */

enum {
    WRITERS = 8,
    READERS = 2,
    ROUNDS = 10
};

/* What a process of its own does with the file: open it, write, close it. */
static void
come_and_go(unsigned number)
{
    struct db *db;
    enum db_mode mode = number < WRITERS ? DB_CREATE : DB_READ;
    enum err err = db_open(scratch_path("a.db"), mode, 3, schema, &db, &why);

    if (err == ERR_NONE && mode == DB_CREATE) {
        db_run(db, insert, "itb", (int64_t)number, "Anna", "x", (size_t)1);
        err = db_err(db, &why);
    }
    if (err == ERR_NONE) {
        db_close(db);
    }
    /* A reader may come before there is anything to read. */
    if (err != ERR_NONE && !(mode == DB_READ && err == ERR_GONE)) {
        (void)fprintf(stderr, "process %u: %s\n", number, buf_text(&why));
        _exit(1);
    }
    _exit(0);
}

/* Processes that all begin when `gate` is closed. */
static void
start_at(const int gate[2], pid_t children[WRITERS + READERS])
{
    for (unsigned i = 0; i < WRITERS + READERS; i++) {
        children[i] = fork();
        ck_assert_int_ge(children[i], 0);
        if (children[i] == 0) {
            char byte;
            (void)close(gate[1]);
            (void)!read(gate[0], &byte, 1);
            come_and_go(i);
        }
    }
}

static void
assert_all_ended_well(const pid_t children[WRITERS + READERS])
{
    unsigned failed = 0;

    for (unsigned i = 0; i < WRITERS + READERS; i++) {
        int status;
        ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
        failed += status != 0;
    }
    ck_assert_uint_eq(failed, 0);
}

START_TEST(many_may_find_a_new_file_at_once)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        int gate[2];
        pid_t children[WRITERS + READERS];
        ck_assert_int_eq(pipe(gate), 0);
        start_at(gate, children);
        (void)close(gate[0]);
        (void)close(gate[1]);
        assert_all_ended_well(children);
        struct db *db = open_db("a.db", DB_CREATE);
        ck_assert_int_eq(count_posts(db), WRITERS);
        db_close(db);
        ck_assert_int_eq(remove(scratch_path("a.db")), 0);
    }
}
END_TEST

/* ---- statements ---------------------------------------------------------- */

START_TEST(every_kind_of_value_comes_back)
{
    static const unsigned char bytes[] = {0, 255, 7};
    struct db *db = open_db("a.db", DB_CREATE);
    sqlite3_stmt *rows;
    size_t len;

    db_run(db, insert, "itb", INT64_MAX, "Ann\xC3\xA9", bytes, sizeof(bytes));
    works(db);
    ck_assert_int_eq(db_last_row(db), INT64_MAX);
    db_run(db, insert, "itb", (int64_t)-5, (const char *)NULL,
           (const void *)NULL, (size_t)0);
    works(db);
    db_run(db, insert, "itb", (int64_t)1, "", "", (size_t)0);
    works(db);

    rows = db_query(db, "SELECT id, author, body FROM post ORDER BY id", "");
    works(db);
    ck_assert(next_row(db, rows));
    ck_assert_int_eq(db_int(rows, 0), -5);
    ck_assert(db_is_null(rows, 1));
    ck_assert_str_eq(db_text(rows, 1), "");
    ck_assert(db_is_null(rows, 2));
    ck_assert_ptr_nonnull(db_blob(rows, 2, &len));
    ck_assert_uint_eq(len, 0);

    ck_assert(next_row(db, rows));
    ck_assert(!db_is_null(rows, 1));
    ck_assert(!db_is_null(rows, 2));

    ck_assert(next_row(db, rows));
    ck_assert_int_eq(db_int(rows, 0), INT64_MAX);
    ck_assert_str_eq(db_text(rows, 1), "Ann\xC3\xA9");
    ck_assert_mem_eq(db_blob(rows, 2, &len), bytes, sizeof(bytes));
    ck_assert_uint_eq(len, sizeof(bytes));

    ck_assert(!next_row(db, rows));
    db_close(db);
}
END_TEST

START_TEST(an_argument_may_be_gone_before_the_first_step)
{
    struct db *db = open_db("a.db", DB_CREATE);
    char name[] = "Anna";
    sqlite3_stmt *rows;

    add_post(db, 1, "Anna");
    rows = db_query(db, "SELECT id FROM post WHERE author = ?", "t", name);
    works(db);
    strcpy(name, "Bob");
    ck_assert(next_row(db, rows));
    db_done(rows);
    db_close(db);
}
END_TEST

START_TEST(a_statement_is_ready_again_after_its_end_or_when_done)
{
    static const char sql[] = "SELECT id FROM post WHERE id >= ? ORDER BY id";
    struct db *db = open_db("a.db", DB_CREATE);
    sqlite3_stmt *first;
    sqlite3_stmt *again;

    add_post(db, 1, "Anna");
    add_post(db, 2, "Bob");
    first = db_query(db, sql, "i", (int64_t)1);
    works(db);
    while (next_row(db, first)) {
    }
    again = db_query(db, sql, "i", (int64_t)2);
    works(db);
    ck_assert_ptr_eq(first, again);
    ck_assert(next_row(db, again));
    ck_assert_int_eq(db_int(again, 0), 2);
    db_done(again);
    again = db_query(db, sql, "i", (int64_t)1);
    works(db);
    ck_assert_ptr_eq(first, again);
    db_done(again);
    db_close(db);
}
END_TEST

START_TEST(the_same_query_may_run_inside_itself)
{
    static const char sql[] = "SELECT id FROM post WHERE id >= ? ORDER BY id";
    struct db *db = open_db("a.db", DB_CREATE);
    sqlite3_stmt *outer;
    sqlite3_stmt *inner;

    add_post(db, 1, "Anna");
    add_post(db, 2, "Bob");
    outer = db_query(db, sql, "i", (int64_t)1);
    works(db);
    ck_assert(next_row(db, outer));
    inner = db_query(db, sql, "i", (int64_t)2);
    works(db);
    ck_assert(next_row(db, inner));
    ck_assert_int_eq(db_int(inner, 0), 2);
    ck_assert_int_eq(db_int(outer, 0), 1);
    db_done(inner);
    ck_assert(next_row(db, outer));
    ck_assert_int_eq(db_int(outer, 0), 2);
    db_done(outer);
    db_close(db);
}
END_TEST

START_TEST(one_row_is_read_into_what_follows_the_arguments)
{
    struct db *db = open_db("a.db", DB_CREATE);
    static const char sql[] =
        "SELECT id, author, author, body FROM post WHERE id >= ? ORDER BY id";
    struct buf text = BUF_INIT;
    char cut[3] = "";
    int64_t id = 0;
    bool found = false;

    add_post(db, 1, "Anna");
    add_post(db, 2, "Bob");
    buf_add_text(&text, "by ");
    found = db_row(db, sql, "i>its", (int64_t)1, &id, &text, cut, sizeof(cut));
    works(db);
    ck_assert(found);
    ck_assert_int_eq(id, 1);
    ck_assert_str_eq(buf_text(&text), "by Anna");
    ck_assert_str_eq(cut, "An");

    /* The columns may be fewer, or none. */
    found = db_row(db, sql, "i", (int64_t)2);
    works(db);
    ck_assert(found);
    (void)db_row(db, sql, "i>i", (int64_t)2, &id);
    works(db);
    ck_assert_int_eq(id, 2);

    found = db_row(db, sql, "i>it", (int64_t)3, &id, &text);
    works(db);
    ck_assert(!found);
    ck_assert_int_eq(id, 2);
    ck_assert_str_eq(buf_text(&text), "by Anna");
    buf_release(&text);
    db_close(db);
}
END_TEST

START_TEST(each_letter_reads_a_column_into_its_type)
{
    struct db *db = open_db("a.db", DB_CREATE);
    sqlite3_stmt *rows = db_query(db, "SELECT -1, 2, 3, 0, 'Anna'", "");
    int number = 0;
    unsigned count = 0;
    bool yes = false;
    bool no = true;
    char *name = NULL;

    ck_assert(db_next(db, rows));
    db_read(rows, "nuyyo", &number, &count, &yes, &no, &name);
    ck_assert_int_eq(number, -1);
    ck_assert_uint_eq(count, 2);
    ck_assert(yes && !no);
    ck_assert_str_eq(name, "Anna");
    free(name);
    ck_assert(!next_row(db, rows));
    db_close(db);
}
END_TEST

START_TEST(one_row_that_is_written_is_committed)
{
    struct db *db = open_db("a.db", DB_CREATE);
    struct db *reader = open_db("a.db", DB_READ);
    int64_t id = 0;

    (void)db_row(db,
                 "INSERT INTO post(id, author, body)"
                 " VALUES(7, 'Anna', x'00') RETURNING id",
                 ">i", &id);
    works(db);
    ck_assert_int_eq(id, 7);
    ck_assert_int_eq(count_posts(reader), 1);
    db_close(reader);
    db_close(db);
}
END_TEST

START_TEST(a_query_whose_row_is_refused_ends)
{
    static const char sql[] = "SELECT id FROM post ORDER BY id";
    struct db *db = open_db("a.db", DB_CREATE);
    sqlite3_stmt *rows;
    sqlite3_stmt *again;

    add_post(db, 1, "Anna");
    add_post(db, 2, "Bob");
    rows = db_query(db, sql, "");
    works(db);
    enum err err = ERR_NONE;
    while (err == ERR_NONE && db_next(db, rows)) {
        ck_assert_int_eq(db_int(rows, 0), 1);
        err = err_say(&why, ERR_GARBLED, "no");
    }
    ck_assert_int_eq(db_end(db, rows, err, &why), ERR_GARBLED);
    ck_assert_str_eq(buf_text(&why), "no");
    again = db_query(db, sql, "");
    works(db);
    ck_assert_ptr_eq(again, rows);
    db_done(again);

    /* A query that could not begin has no rows. */
    /* One that can't begin has no rows, and fails for good. */
    rows = db_query(db, "SELEC 1", "");
    ck_assert_ptr_null(rows);
    ck_assert(!db_next(db, rows));
    ck_assert_int_eq(db_end(db, rows, ERR_NONE, &why), ERR_GARBLED);
    fails(db, ERR_GARBLED);
    db_close(db);
}
END_TEST

START_TEST(a_statement_that_fails_says_why_and_can_be_used_again)
{
    struct db *db = open_db("a.db", DB_CREATE);

    add_post(db, 1, "Anna");
    db_run(db, insert, "itb", (int64_t)1, "Bob", "x", (size_t)1);
    fails(db, ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "UNIQUE"));
    db_run(db, "SELEC 1", "");
    fails(db, ERR_GARBLED);
    add_post(db, 2, "Bob");
    ck_assert_int_eq(count_posts(db), 2);
    db_close(db);
}
END_TEST

/* ---- transactions -------------------------------------------------------- */

/* They are in files that earlier versions made.  FNV-1a, 64 bits, of each
 * value's type, and of an integer or a length and its bytes; numbers as eight
 * bytes, the lowest first. */
START_TEST(a_checksum_is_the_same_in_every_version)
{
    static const char sql[] =
        "SELECT checksum(0, 1, 255), checksum(256, -1, -9223372036854775808),"
        " checksum(NULL, '', 'a post', x'00FF'), checksum(?)";
    struct db *db = open_db("a.db", DB_CREATE);
    char text[301] = "";
    int64_t sums[4];

    memset(text, 'x', sizeof(text) - 1);
    (void)db_row(db, sql, "t>iiii", text, &sums[0], &sums[1], &sums[2],
                 &sums[3]);
    works(db);
    ck_assert_int_eq(sums[0], -831137305978534822);
    ck_assert_int_eq(sums[1], -8174436573178588873);
    ck_assert_int_eq(sums[2], 480135699195166046);
    ck_assert_int_eq(sums[3], 1262585441934565397);
    db_close(db);
}
END_TEST

START_TEST(a_rolled_back_transaction_never_was)
{
    struct db *db = open_db("a.db", DB_CREATE);

    db_rollback(db);
    db_begin(db);
    works(db);
    add_post(db, 1, "Anna");
    db_rollback(db);
    ck_assert_int_eq(count_posts(db), 0);
    db_begin(db);
    works(db);
    add_post(db, 1, "Anna");
    db_commit(db);
    works(db);
    ck_assert_int_eq(count_posts(db), 1);
    db_close(db);
}
END_TEST

START_TEST(what_is_gathered_is_one_transaction)
{
    struct db *db = open_db("a.db", DB_CREATE);
    struct db *reader = open_db("a.db", DB_READ);
    db_gather(db);
    add_post(db, 1, "Anna"); /* before any transaction begins */
    db_begin_unsynced(db);
    works(db);
    add_post(db, 2, "Bob");
    db_commit(db);
    works(db);
    db_begin(db);
    works(db);
    add_post(db, 3, "Carl");
    db_commit(db);
    works(db);
    ck_assert_int_eq(count_posts(db), 3);
    ck_assert_int_eq(count_posts(reader), 0);
    db_save(db);
    works(db);
    ck_assert_int_eq(count_posts(reader), 3);
    add_post(db, 4, "Dora");
    ck_assert_int_eq(count_posts(reader), 3);
    db_flush(db, true);
    works(db);
    ck_assert_int_eq(count_posts(reader), 4);
    add_post(db, 5, "Emil"); /* nothing is gathered any more */
    ck_assert_int_eq(count_posts(reader), 5);
    db_close(reader);
    db_close(db);
}
END_TEST

START_TEST(what_was_gathered_is_given_up_as_a_whole)
{
    struct db *db = open_db("a.db", DB_CREATE);
    db_gather(db);
    db_begin(db);
    works(db);
    add_post(db, 1, "Anna");
    db_commit(db);
    works(db);
    add_post(db, 2, "Bob");
    db_rollback(db);
    ck_assert_int_eq(count_posts(db), 0);
    db_gather(db); /* and another begins */
    db_flush(db, true);
    works(db);
    db_close(db);
}
END_TEST

START_TEST(a_second_writer_is_told_to_come_later)
{
    struct db *first = open_db("a.db", DB_CREATE);
    struct db *second = open_db("a.db", DB_CREATE);

    db_run(second, "PRAGMA busy_timeout = 0", "");
    works(second);
    db_begin(first);
    works(first);
    db_begin(second);
    fails(second, ERR_LATER);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "in use"));
    db_commit(first);
    works(first);
    db_begin(second);
    works(second);
    db_rollback(second);
    db_close(first);
    db_close(second);
}
END_TEST

START_TEST(a_full_disk_undoes_the_transaction)
{
    static const char big[100000];
    struct db *db = open_db("a.db", DB_CREATE);

    db_run(db, "PRAGMA max_page_count = 10", "");
    works(db);
    db_begin(db);
    works(db);
    add_post(db, 1, "Anna");
    db_run(db, insert, "itb", (int64_t)2, "Bob", big, sizeof(big));
    fails(db, ERR_FULL);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "a.db: disk full"));
    ck_assert_int_eq(count_posts(db), 0);
    db_close(db);
}
END_TEST

/* … until it is given up; and the first is told, not what follows from it. */
START_TEST(what_has_failed_lasts)
{
    struct db *db = open_db("a.db", DB_CREATE);
    int64_t id = 0;

    db_begin(db);
    add_post(db, 1, "Anna");
    db_run(db, insert, "itb", (int64_t)1, "Bob", "x", (size_t)1);
    db_run(db, "SELEC 1", "");
    db_run(db, insert, "itb", (int64_t)2, "Carl", "x", (size_t)1);
    ck_assert(!db_row(db, "SELECT id FROM post", ">i", &id));
    ck_assert_int_eq(id, 0);
    db_commit(db);
    fails(db, ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "UNIQUE"));
    ck_assert_ptr_null(strstr(buf_text(&why), "SELEC"));
    ck_assert_int_eq(count_posts(db), 0);
    db_gather(db);
    add_post(db, 1, "Anna");
    db_run(db, "SELEC 1", "");
    db_flush(db, true);
    fails(db, ERR_GARBLED);
    ck_assert_int_eq(count_posts(db), 0);
    db_close(db);
}
END_TEST

START_TEST(a_commit_that_fails_has_rolled_back)
{
    struct db *db = open_db("a.db", DB_CREATE);

    db_run(db, "PRAGMA foreign_keys = ON", "");
    works(db);
    db_run(db,
           "CREATE TABLE reply (post INTEGER REFERENCES post (id) "
           "DEFERRABLE INITIALLY DEFERRED) STRICT",
           "");
    works(db);
    db_begin(db);
    works(db);
    add_post(db, 1, "Anna");
    db_run(db, "INSERT INTO reply VALUES (9)", "");
    works(db);
    db_commit(db);
    fails(db, ERR_GARBLED);
    db_begin(db);
    works(db);
    ck_assert_int_eq(count_posts(db), 0);
    db_rollback(db);
    db_close(db);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/db");
    TCase *tcase = tcase_create("db");
    TCase *many = tcase_create("many");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_new_file_is_its_owners_alone);
    tcase_add_test(tcase, it_is_durable_and_wipes_what_is_deleted);
    tcase_add_test(tcase, what_was_written_is_there_when_it_is_opened_again);
    tcase_add_test(tcase, a_reader_reads_beside_the_writer_and_writes_nothing);
    tcase_add_test(tcase, a_reader_makes_no_file);
    tcase_add_test(tcase, a_file_in_no_folder_is_denied);
    tcase_add_test(tcase, another_format_is_refused_with_both_numbers);
    tcase_add_test(tcase, a_database_of_another_program_is_left_alone);
    tcase_add_test(tcase, a_file_that_is_no_database_is_garbled);
    tcase_add_test(tcase, a_file_that_has_lost_its_end_is_garbled);
    tcase_add_test(tcase,
                   a_page_that_a_checkpoint_left_half_written_is_written_again);
    tcase_add_test(tcase, a_schema_with_a_mistake_leaves_no_half_of_it);
    tcase_add_test(tcase, every_kind_of_value_comes_back);
    tcase_add_test(tcase, an_argument_may_be_gone_before_the_first_step);
    tcase_add_test(tcase,
                   a_statement_is_ready_again_after_its_end_or_when_done);
    tcase_add_test(tcase, the_same_query_may_run_inside_itself);
    tcase_add_test(tcase, one_row_is_read_into_what_follows_the_arguments);
    tcase_add_test(tcase, each_letter_reads_a_column_into_its_type);
    tcase_add_test(tcase, one_row_that_is_written_is_committed);
    tcase_add_test(tcase, a_query_whose_row_is_refused_ends);
    tcase_add_test(tcase,
                   a_statement_that_fails_says_why_and_can_be_used_again);
    tcase_add_test(tcase, a_checksum_is_the_same_in_every_version);
    tcase_add_test(tcase, a_rolled_back_transaction_never_was);
    tcase_add_test(tcase, what_is_gathered_is_one_transaction);
    tcase_add_test(tcase, what_was_gathered_is_given_up_as_a_whole);
    tcase_add_test(tcase, a_second_writer_is_told_to_come_later);
    tcase_add_test(tcase, a_full_disk_undoes_the_transaction);
    tcase_add_test(tcase, what_has_failed_lasts);
    tcase_add_test(tcase, a_commit_that_fails_has_rolled_back);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(many, set_up, tear_down);
    tcase_add_test(many, many_may_find_a_new_file_at_once);
    suite_add_tcase(suite, many);
    return suite;
}
