/*
 * Secrets at rest: the store, its log and its backup give nothing away, neither
 * by what is in them nor by how long it is; and what becomes of a store whose
 * key is lost, or another's.
 */
/* For memmem.  NOLINTNEXTLINE */
#define _GNU_SOURCE

#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/db.h"
#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/base/seal.h"
#include "bot/store/recover.h"
#include "bot/store/store.h"
#include "tests/support/engine_game.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;
static struct buf why;

static void
set_up(void)
{
    room_init(&room);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&why);
}

/* ---- searching ----------------------------------------------------------- */

/* All bytes of the store's files, and of a backup of it. */
static void
read_files(struct buf *out)
{
    static const char *const names[] = {"store.db", "store.db-wal",
                                        "store.db-shm", "backup.db"};
    sqlite3 *db = NULL;
    char sql[128];
    ck_assert_int_eq(sqlite3_open(room_path(&room, "store.db"), &db),
                     SQLITE_OK);
    ck_assert_int_eq(db_add_functions(db), SQLITE_OK);
    snprintf(sql, sizeof sql, "VACUUM INTO '%s'",
             room_path(&room, "backup.db"));
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct buf bytes = BUF_INIT;
        ck_assert_int_eq(file_read(room_path(&room, names[i]), &bytes, &why),
                         ERR_NONE);
        buf_add(out, buf_text(&bytes), bytes.len);
        buf_release(&bytes);
    }
    ck_assert_int_eq(unlink(room_path(&room, "backup.db")), 0);
}

static bool
holds(const struct buf *bytes, const void *needle, size_t len)
{
    return memmem(bytes->data, bytes->len, needle, len) != NULL;
}

static void
assert_none(const struct buf *bytes, const struct buf *needle, const char *how,
            const char *what)
{
    ck_assert_msg(!holds(bytes, needle->data, needle->len), "%s is there, %s",
                  what, how);
}

enum encoding {
    PLAIN,
    UPPER,
    LOWER,
    REVERSED,
    UTF16_LE,
    UTF16_BE,
    HEX_LOWER,
    HEX_UPPER,
    JSON_ESCAPED,
    PERCENT,
    SPACED,
    QUOTED,
    ENCODINGS
};

static const char *const encoding_names[ENCODINGS] = {
    "plain",   "in capitals",  "in small letters", "reversed",
    "UTF-16",  "UTF-16BE",     "in hex",           "in capital hex",
    "escaped", "with percent", "with blanks",      "as a list",
};

static void
encode(enum encoding encoding, const char *bytes, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char byte =
            (unsigned char)bytes[encoding == REVERSED ? len - 1 - i : i];
        switch (encoding) {
        case UPPER:
            byte = (unsigned char)toupper(byte);
            break;
        case LOWER:
            byte = (unsigned char)tolower(byte);
            break;
        case UTF16_BE:
            buf_add_char(out, '\0');
            break;
        case HEX_LOWER:
            buf_addf(out, "%02x", byte);
            continue;
        case HEX_UPPER:
            buf_addf(out, "%02X", byte);
            continue;
        case JSON_ESCAPED:
            buf_addf(out, "\\u%04x", byte);
            continue;
        case PERCENT:
            buf_addf(out, "%%%02X", byte);
            continue;
        case QUOTED:
            buf_addf(out, "%s\"%c\"", i == 0 ? "" : ",", byte);
            continue;
        case SPACED:
            buf_addf(out, "%s%c", i == 0 ? "" : " ", byte);
            continue;
        case PLAIN:
        case REVERSED:
        case UTF16_LE:
        case ENCODINGS:
            break;
        }
        buf_add_char(out, (char)byte);
        if (encoding == UTF16_LE) {
            buf_add_char(out, '\0');
        }
    }
}

/* In base64 a text looks otherwise at each of three places; what depends on its
 * neighbours is left out. */
static void
assert_no_base64(const struct buf *bytes, const char *text, size_t len,
                 const char *what)
{
    static const int variants[] = {sodium_base64_VARIANT_ORIGINAL_NO_PADDING,
                                   sodium_base64_VARIANT_URLSAFE_NO_PADDING};
    for (size_t shift = 0; shift < 3; shift++) {
        for (size_t i = 0; i < 2; i++) {
            unsigned char shifted[128] = {0};
            char encoded[256];
            struct buf needle = BUF_INIT;
            size_t skip = shift == 0 ? 0 : shift + 1;
            ck_assert_uint_lt(len + shift, sizeof shifted);
            memcpy(shifted + shift, text, len);
            (void)sodium_bin2base64(encoded, sizeof encoded, shifted,
                                    len + shift, variants[i]);
            size_t end = 4 * (len + shift) / 3;
            ck_assert_uint_gt(end, skip + 5);
            buf_add(&needle, encoded + skip, end - skip);
            assert_none(bytes, &needle, "in base64", what);
            buf_release(&needle);
        }
    }
}

static void
assert_secret(const struct buf *bytes, const char *text, size_t len,
              const char *what)
{
    for (unsigned i = 0; i < ENCODINGS; i++) {
        struct buf needle = BUF_INIT;
        encode((enum encoding)i, text, len, &needle);
        assert_none(bytes, &needle, encoding_names[i], what);
        buf_release(&needle);
    }
    if (len >= 6) {
        assert_no_base64(bytes, text, len, what);
    }
}

static void
assert_secret_text(const struct buf *bytes, const char *text)
{
    assert_secret(bytes, text, strlen(text), text);
}

/* Bytes that nobody may see; also a part of them, and as text in hex. */
static void
assert_secret_bytes(const struct buf *bytes, const unsigned char *secret,
                    size_t len, const char *what)
{
    struct buf hex = BUF_INIT;
    buf_add_hex(&hex, secret, len);
    for (size_t at = 0; at + 8 <= len; at += 4) {
        assert_secret(bytes, (const char *)secret + at, 8, what);
    }
    assert_secret_text(bytes, buf_text(&hex));
    buf_release(&hex);
}

/* Tiles in letters, both ways round, with words and with numbers for them. */
static void
assert_secret_pile(const struct buf *bytes, struct pile pile, const char *what)
{
    static const char *const alphabets[] = {"FL", "fl", "01", "10"};
    for (size_t i = 0; i < sizeof alphabets / sizeof alphabets[0]; i++) {
        char text[TILES + 1] = "";
        for (unsigned at = 0; at < pile.count; at++) {
            text[at] = alphabets[i][pile_is_liberal(pile, at)];
        }
        if (pile.count >= 8) {
            assert_secret(bytes, text, pile.count, what);
        }
    }
}

/* What would tell a role, a card or a vote wherever it stood. */
static const char *const telling[] = {
    "liberal",  "fascist",    "hitler",    "\"cards\"",        "\"roles\"",
    "\"deck\"", "discard 1",  "discard 2", "discard 3",        "enact 1",
    "enact 2",  "\"vote\"",   "\"ja\"",    "\"nein\"",         "\"card\"",
    "\"do\"",   "\"secret\"", "your role", "you're President",
};

static void
assert_sealed(const struct table *table)
{
    struct buf bytes = BUF_INIT;
    struct buf key = BUF_INIT;
    unsigned char raw[32];
    read_files(&bytes);
    ck_assert_uint_gt(bytes.len, 100000);
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++) {
        assert_secret_text(&bytes, telling[i]);
    }
    assert_secret_bytes(&bytes, table->secret, sizeof table->secret, "R");
    assert_secret_bytes(&bytes, table->key, sizeof table->key, "K");
    assert_secret_pile(&bytes, table->game.draw, "the deck");
    for (unsigned seat = 0; seat < table->seated; seat++) {
        static const char *const between[] = {"\":\"", " ", ": ", ",", "="};
        for (size_t i = 0; i < 5; i++) {
            char text[128];
            snprintf(text, sizeof text, "%s%s%s", table->seats[seat].name,
                     between[i],
                     record_role_name(game_role(&table->game, seat)));
            assert_secret_text(&bytes, text);
        }
    }
    ck_assert_int_eq(file_read(room_path(&room, "store.db.key"), &key, &why),
                     ERR_NONE);
    ck_assert_int_eq(
        sodium_hex2bin(raw, sizeof raw, buf_text(&key), 64, NULL, NULL, NULL),
        0);
    assert_secret_bytes(&bytes, raw, sizeof raw, "the key");
    buf_release(&key);
    buf_release(&bytes);
}

START_TEST(the_files_of_a_whole_game_tell_no_secret)
{
    static const char *const presets[] = {"official", "play-by-post"};
    struct dice dice = {(uint64_t)_i + 3};
    unsigned acts = 0;
    room.fair = true;
    room.seed =
        "93c1f0a77be2d4568811aa29e0d3b5c67f0192837465acbd5e1c77f20b8d94a3";
    room_set(&room, "rules", presets[_i % 2]);
    room_open(&room);
    room_begin(&room, 7);
    assert_sealed(room_table(&room));
    while (room_improvise(&room, &dice) && acts < 60) {
        if (acts % 20 == 12 && stage_table(room.stage) != NULL) {
            /* What was written in private, and is not sent yet. */
            ck_assert_int_eq(
                loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                ERR_NONE);
            if (stage_table(room.stage) != NULL) {
                assert_sealed(room_table(&room));
            }
        }
        room_settle(&room);
        acts++;
    }
    ck_assert_uint_gt(acts, 20);
}
END_TEST

START_TEST(the_search_would_find_them)
{
    static const char secret[] = "your role is below";
    struct buf bytes = BUF_INIT;
    for (unsigned i = 0; i < ENCODINGS; i++) {
        struct buf needle = BUF_INIT;
        buf_clear(&bytes);
        buf_add_text(&bytes, "some bytes ");
        encode((enum encoding)i, secret, sizeof secret - 1, &bytes);
        encode((enum encoding)i, secret + 5, 4, &needle);
        ck_assert_msg(i == REVERSED || holds(&bytes, needle.data, needle.len),
                      "%s", encoding_names[i]);
        buf_release(&needle);
    }
    buf_release(&bytes);
}
END_TEST

/* ---- lengths ------------------------------------------------------------- */

/* Every value of the columns that are sealed, as long as it is. */
static void
list_lengths(struct room *of, struct buf *out)
{
    static const char *const queries[] = {
        "SELECT length(move) || '/' || length(lines) FROM journal ORDER BY row",
        "SELECT kind || '/' || coalesce(length(text), 0) FROM message"
        " WHERE kind = 1 ORDER BY id",
        "SELECT length(verdict) FROM " SQL_POSTS " WHERE place LIKE 'talk%'"
        " ORDER BY id",
        "SELECT length(body) FROM deferred ORDER BY number",
    };
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(room_path(of, "store.db"), &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        sqlite3_stmt *rows = NULL;
        ck_assert_int_eq(sqlite3_prepare_v2(db, queries[i], -1, &rows, NULL),
                         SQLITE_OK);
        while (sqlite3_step(rows) == SQLITE_ROW) {
            buf_addf(out, "%zu %s\n", i, sqlite3_column_text(rows, 0));
        }
        sqlite3_finalize(rows);
    }
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

/* Play the same acts with this deal, after which the lengths are listed. */
static void
play_dealt(const struct command *cast, unsigned card, bool ja, struct buf *out)
{
    struct room other;
    char text[32];
    room_init(&other);
    other.cast = cast;
    room_set(&other, "rules", "official");
    room_open(&other);
    room_begin(&other, 7);
    room_names(&other, 1);
    room_votes(&other, true);
    snprintf(text, sizeof text, "discard %u", card + 1);
    room_tells(&other, room_awaited(&other), text);
    list_lengths(&other, out);
    room_enacts(&other, false);
    room_names(&other, 2);
    for (unsigned i = 0; i < 3; i++) {
        room_tells(&other, room_player(i), ja ? "Ja" : "Nein");
        list_lengths(&other, out);
    }
    /* What waits to be sent. */
    room_writes(&other, room_player(3), ja ? "Ja" : "Nein");
    feeds_plan(&other.stage->tables.feeds, other.stage->tables.feeds.list[0],
               0);
    ck_assert_int_eq(loop_turn(&other.stage->loop, other.stage->now, 0, &why),
                     ERR_NONE);
    list_lengths(&other, out);
    room_release(&other);
}

START_TEST(lengths_are_the_same_whoever_is_what_and_holds_what)
{
    struct buf first = BUF_INIT;
    struct command casts[] = {
        deal(7, "FFLFFLFFL"), deal(7, "LFFLFLFLF"), deal(7, "FLFFFFFLL"),
        deal(7, "FFFLLFFFF"), deal(7, "FFLFFLFFL"),
    };
    casts[1].hitler = 0;
    casts[1].fascists = (seat_set)(seat_bit(3) | seat_bit(6));
    casts[2].hitler = 4;
    casts[2].fascists = (seat_set)(seat_bit(1) | seat_bit(2));
    casts[3].hitler = 2;
    casts[3].fascists = (seat_set)(seat_bit(0) | seat_bit(1));
    play_dealt(&casts[0], 0, true, &first);
    ck_assert_uint_gt(first.len, 500);
    for (unsigned i = 0; i < 5; i++) {
        for (unsigned card = 0; card < 3; card++) {
            struct buf lengths = BUF_INIT;
            play_dealt(&casts[i], card, i % 2 == 0, &lengths);
            ck_assert_str_eq(buf_text(&lengths), buf_text(&first));
            buf_release(&lengths);
        }
    }
    buf_release(&first);
}
END_TEST

/* All are dealt, and told their roles, but nothing is sent yet. */
static void
assert_one_length(int players)
{
    feeds_plan(&room.stage->tables.feeds, room.stage->tables.feeds.list[0], 0);
    ck_assert_int_eq(loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                     ERR_NONE);
    ck_assert_int_eq(room_query(&room, "store.db",
                                "SELECT count(*) FROM message WHERE kind = 1"
                                " AND text IS NOT NULL"),
                     players);
    ck_assert_int_eq(
        room_query(&room, "store.db",
                   "SELECT count(DISTINCT length(text)) FROM message"
                   " WHERE kind = 1 AND text IS NOT NULL"),
        1);
}

START_TEST(private_messages_are_of_one_length)
{
    room.deck = "FFLFFLFFL";
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_posts(&room, room_player(i), "!join");
    }
    assert_one_length(5);
}
END_TEST

/* Ten people with the longest names that there are: Fascists are told three. */
START_TEST(private_messages_are_of_one_length_however_long_the_names)
{
    enum {
        LETTERS = 35
    };
    static const char *const languages[] = {"de", "en", "fr", "nb", "nl"};
    char command[60];
    room_open(&room);
    (void)snprintf(command, sizeof command,
                   "!new players=10 style=full language=%s", languages[_i]);
    room_says(&room, "Mo", command);
    for (int i = 0; i < 10; i++) {
        struct buf name = BUF_INIT;
        buf_add_char(&name, (char)('A' + i));
        for (unsigned letters = 1; letters < LETTERS; letters++) {
            buf_add_text(&name, "\U00020000");
        }
        room_posts(&room, buf_text(&name), "!join");
        buf_release(&name);
    }
    assert_one_length(10);
}
END_TEST

/* ---- keys ---------------------------------------------------------------- */

/* Another key is where the store's was. */
static void
replace_key(void)
{
    char key[65];
    memset(key, '7', 64);
    key[64] = '\n';
    ck_assert_int_eq(file_write(room_path(&room, "store.db.key"), key,
                                sizeof key, 0600, &why),
                     ERR_NONE);
}

/* A game in which the first government is elected. */
static void
begin_game(void)
{
    room.deck = "FFLFFLFFL";
    room_open(&room);
    room_begin(&room, 5);
    room_elects(&room, 1);
}

START_TEST(a_game_whose_key_is_lost_is_held_in_words_and_another_goes_on)
{
    struct buf record = BUF_INIT;
    begin_game();
    room_shut(&room);
    replace_key();
    log_set_level(LOG_LEVEL_NONE);
    for (unsigned i = 0; i < 3; i++) {
        room_open(&room);
        ck_assert_ptr_null(stage_table(room.stage));
        ck_assert_uint_eq(
            room_count_said(&room,
                            "the key that unlocks its secrets is missing"),
            1);
        room_shut(&room);
    }
    room_open(&room);
    room_tells(&room, "Anna", "discard 1");
    room_says(&room, "Anna", "**Ja!**");
    room_says(&room, "Mo", "!new players=5");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    ck_assert_str_eq(room_table(&room)->id, "2");
    room_governs(&room, 1, false);
    room_reopen(&room);
    ck_assert_str_eq(room_table(&room)->id, "2");
    ck_assert_uint_eq(room_game(&room)->fascist, 1);
    room_record(&room, "2", &record);
    ck_assert_uint_gt(record.len, 1000);
    buf_release(&record);
}
END_TEST

START_TEST(a_key_that_comes_back_brings_its_game_back)
{
    struct buf key = BUF_INIT;
    begin_game();
    struct game before = *room_game(&room);
    room_shut(&room);
    ck_assert_int_eq(file_read(room_path(&room, "store.db.key"), &key, &why),
                     ERR_NONE);
    replace_key();
    log_set_level(LOG_LEVEL_NONE);
    room_open(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    room_shut(&room);
    ck_assert_int_eq(file_write(room_path(&room, "store.db.key"),
                                buf_text(&key), key.len, 0600, &why),
                     ERR_NONE);
    room_open(&room);
    ck_assert_mem_eq(room_game(&room), &before, sizeof before);
    room_discards(&room, false);
    buf_release(&key);
}
END_TEST

START_TEST(without_its_key_a_store_that_holds_games_is_not_hosted)
{
    struct store *store = NULL;
    const char *key = room_path(&room, "store.db.key");
    begin_game();
    room_shut(&room);
    ck_assert_int_eq(rename(key, room_path(&room, "aside")), 0);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_GONE);
    ck_assert_msg(strstr(buf_text(&why), "put it back") != NULL, "%s",
                  buf_text(&why));
    ck_assert(!file_exists(key));
    ck_assert_int_eq(rename(room_path(&room, "aside"), key), 0);
    room_open(&room);
    room_discards(&room, false);
}
END_TEST

static enum err
recover(const char *key_file)
{
    struct store *store = NULL;
    struct table table;
    table_init(&table);
    buf_clear(&why);
    enum err err = store_open(room_path(&room, "store.db"), key_file,
                              STORE_READ, &store, &why);
    if (err == ERR_NONE) {
        err = recover_table(store, "1", &table, &why);
        store_close(store);
    }
    table_release(&table);
    return err;
}

static void
assert_why(const char *part)
{
    ck_assert_msg(strstr(buf_text(&why), part) != NULL, "%s", buf_text(&why));
    ck_assert_ptr_null(strchr(buf_text(&why), '\n'));
}

START_TEST(a_reader_without_the_key_says_so_in_one_line)
{
    struct store *store = NULL;
    int64_t count = 0;
    begin_game();
    room_shut(&room);
    ck_assert_int_eq(recover(""), ERR_NONE);
    ck_assert_int_eq(recover(room_path(&room, "none")), ERR_DENIED);
    assert_why("game 1: row 1 of its journal (move) can't be read: ");
    assert_why("none: no such file");
    ck_assert(!file_exists(room_path(&room, "none")));
    ck_assert_int_eq(store_open(room_path(&room, "store.db"),
                                room_path(&room, "none"), STORE_READ, &store,
                                &why),
                     ERR_NONE);
    count = store_count_games(store);
    ck_assert_int_eq(count, 1);
    store_close(store);
}
END_TEST

START_TEST(a_key_that_others_can_read_is_refused_by_all)
{
    struct store *store = NULL;
    begin_game();
    room_shut(&room);
    ck_assert_int_eq(chmod(room_path(&room, "store.db.key"), 0644), 0);
    ck_assert_int_eq(recover(""), ERR_CONFIG);
    assert_why("others may read the key of all secrets; type: chmod 600 ");
    buf_clear(&why);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_CONFIG);
    assert_why("others may read the key of all secrets; type: chmod 600 ");
}
END_TEST

START_TEST(another_key_says_so_in_one_line)
{
    struct seal *seal = NULL;
    bool made = false;
    begin_game();
    room_shut(&room);
    ck_assert_int_eq(
        seal_open(room_path(&room, "other"), true, &seal, &made, &why),
        ERR_NONE);
    seal_close(seal);
    ck_assert_int_eq(recover(room_path(&room, "other")), ERR_DENIED);
    assert_why("game 1: row 1 of its journal (move) was sealed with another "
               "key than that in ");
}
END_TEST

/* As one would who knows the store and its checksums, but not the key. */
static void
alter(const char *sql)
{
    room_alter(&room, "store.db", sql);
}

START_TEST(rows_that_were_swapped_do_not_open)
{
    begin_game();
    room_shut(&room);
    alter("UPDATE journal SET move = (SELECT move FROM journal WHERE row = 3)"
          " WHERE row = 4");
    ck_assert_int_eq(recover(""), ERR_GARBLED);
    assert_why("game 1: row 4 of its journal (move) was changed, or belongs "
               "elsewhere; restore the store from a backup");
}
END_TEST

START_TEST(columns_that_were_swapped_do_not_open)
{
    begin_game();
    room_shut(&room);
    alter("UPDATE journal SET lines = move WHERE row = 4");
    ck_assert_int_eq(recover(""), ERR_GARBLED);
    assert_why("game 1: row 4 of its journal (lines) was changed");
}
END_TEST

START_TEST(a_row_of_another_game_does_not_open)
{
    begin_game();
    room_shut(&room);
    alter("UPDATE journal SET game = '2' WHERE game = '1'");
    alter("UPDATE game SET id = '2' WHERE id = '1'");
    ck_assert_int_eq(recover(""), ERR_NONE); /* there is no game 1 */
    struct store *store = NULL;
    struct table table;
    table_init(&table);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_READ, &store, &why),
        ERR_NONE);
    ck_assert_int_eq(recover_table(store, "2", &table, &why), ERR_GARBLED);
    table_release(&table);
    store_close(store);
}
END_TEST

START_TEST(a_flipped_bit_in_a_sealed_row_holds_its_game_alone)
{
    begin_game();
    room_shut(&room);
    alter("UPDATE journal SET move = CAST(substr(move, 1, 60) || "
          "CASE substr(move, 61, 1) WHEN x'00' THEN x'01' ELSE x'00' END || "
          "substr(move, 62) AS BLOB) WHERE row = 5");
    log_set_level(LOG_LEVEL_NONE);
    room.checks = true;
    room_open(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    room_says(&room, "Mo", "!new players=5");
    ck_assert_str_eq(room_table(&room)->id, "2");
}
END_TEST

START_TEST(messages_of_another_key_are_not_sent_and_no_token_is_told)
{
    char token[ADAPTER_STATE_MAX + 1] = "";
    struct adapter_state state = {"secret.token", token};
    struct adapter_states states = {.count = 0};
    struct store *store = NULL;
    struct outbox outbox = {.count = 0};
    memset(token, 't', ADAPTER_STATE_MAX);
    begin_game();
    room_writes(&room, room_awaited(&room), "discard 1");
    feeds_plan(&room.stage->tables.feeds, room.stage->tables.feeds.list[0], 0);
    ck_assert_int_eq(loop_turn(&room.stage->loop, room.stage->now, 0, &why),
                     ERR_NONE);
    store_set_state(room.stage->tables.store, "loft", &state);
    store_states(room.stage->tables.store, "loft", &states);
    ck_assert_uint_eq(states.count, 1);
    ck_assert_uint_eq(strlen(states.list[0].value), ADAPTER_STATE_MAX);
    room_shut(&room);
    replace_key();
    log_set_level(LOG_LEVEL_NONE);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_NONE);
    store_load_outbox(store, &outbox);
    ck_assert_uint_eq(outbox.count, 0);
    store_states(store, "loft", &states);
    ck_assert_uint_eq(states.count, 0);
    outbox_release(&outbox);
    store_close(store);
}
END_TEST

START_TEST(a_store_of_an_earlier_version_is_told_as_such)
{
    struct store *store = NULL;
    begin_game();
    room_shut(&room);
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(room_path(&room, "store.db"), &db),
                     SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(db, "PRAGMA user_version = 2", NULL, NULL, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    ck_assert_int_eq(
        store_open(room_path(&room, "store.db"), "", STORE_HOST, &store, &why),
        ERR_GARBLED);
    assert_why("was made by an earlier version of placard (its format is 2, ");
}
END_TEST

static void
add_keys(Suite *suite)
{
    TCase *tcase = tcase_create("keys");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(
        tcase, a_game_whose_key_is_lost_is_held_in_words_and_another_goes_on);
    tcase_add_test(tcase, a_key_that_comes_back_brings_its_game_back);
    tcase_add_test(tcase,
                   without_its_key_a_store_that_holds_games_is_not_hosted);
    tcase_add_test(tcase, a_reader_without_the_key_says_so_in_one_line);
    tcase_add_test(tcase, a_key_that_others_can_read_is_refused_by_all);
    tcase_add_test(tcase, another_key_says_so_in_one_line);
    tcase_add_test(tcase, rows_that_were_swapped_do_not_open);
    tcase_add_test(tcase, columns_that_were_swapped_do_not_open);
    tcase_add_test(tcase, a_row_of_another_game_does_not_open);
    tcase_add_test(tcase, a_flipped_bit_in_a_sealed_row_holds_its_game_alone);
    tcase_add_test(tcase,
                   messages_of_another_key_are_not_sent_and_no_token_is_told);
    tcase_add_test(tcase, a_store_of_an_earlier_version_is_told_as_such);
    suite_add_tcase(suite, tcase);
}

Suite *
test_suite(void)
{
    Suite *suite = suite_create("store/sealed");
    TCase *tcase = tcase_create("sealed");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(tcase, the_files_of_a_whole_game_tell_no_secret, 0, 2);
    tcase_add_test(tcase, the_search_would_find_them);
    tcase_add_test(tcase, lengths_are_the_same_whoever_is_what_and_holds_what);
    tcase_add_test(tcase, private_messages_are_of_one_length);
    tcase_add_loop_test(
        tcase, private_messages_are_of_one_length_however_long_the_names, 0, 5);
    suite_add_tcase(suite, tcase);
    add_keys(suite);
    return suite;
}
