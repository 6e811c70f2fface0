#include "bot/store/forget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/base/log.h"
#include "bot/host/reading/names.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"
#include "bot/store/store_queued.h"
#include "bot/store/store_sealed.h"

#define PSEUDONYM_USER "anon-"
#define PSEUDONYM_NAME "Anon "

/* ---- what somebody is called --------------------------------------------- */

/* An id is a word like a name, unless it is only a number. */
static bool
is_number(const char *user)
{
    return strspn(user, "0123456789") == strlen(user);
}

static void
note_name(struct forget_names *names, const char *name)
{
    struct buf key = BUF_INIT;
    name_key(name, strlen(name), &key);
    bool known = key.len == 0 || names->count == FORGET_NAMES_MAX;
    for (unsigned i = 0; !known && i < names->count; i++) {
        known = buf_equals(&key, names->keys[i]);
    }
    if (!known) {
        names->keys[names->count++] = must_copy(buf_text(&key));
    }
    buf_release(&key);
}

void
forget_names_release(struct forget_names *names)
{
    while (names->count > 0) {
        free(names->keys[--names->count]);
    }
}

/* Is the name of a move what its user is called? */
static bool
is_naming(enum move_kind kind)
{
    return kind == MOVE_OPEN || kind == MOVE_JOIN || kind == MOVE_RESERVE ||
           kind == MOVE_ALIAS || kind == MOVE_REPLACE || kind == MOVE_RENAME;
}

/* Letters, digits, and all that is not ASCII belong to words. */
static bool
is_word_byte(char byte)
{
    unsigned char code = (unsigned char)byte;
    return code >= 0x80 || (code >= '0' && code <= '9') ||
           (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

/* Does a text that begins here read like that name, whatever its case?  *len:
 * how long it is there. */
static bool
reads_like(const char *at, const char *key, size_t *len)
{
    bool same = false;
    struct buf read = BUF_INIT;
    size_t most = strnlen(at, 2 * strlen(key) + 4);
    if ((unsigned char)at[0] < 0x80 && (unsigned char)key[0] < 0x80 &&
        (at[0] | 0x20) != (key[0] | 0x20)) {
        return false;
    }
    for (*len = 1; !same && *len <= most; *len += same ? 0 : 1) {
        if (at[*len] == ' ' || at[*len - 1] == ' ' || !is_word_byte(at[*len]) ||
            !is_word_byte(at[*len - 1])) {
            buf_clear(&read);
            name_key(at, *len, &read);
            same = at[*len - 1] != ' ' && buf_equals(&read, key);
        }
    }
    buf_release(&read);
    return same;
}

/* The length of a name that stands at `at` as a word; 0: none does. */
static size_t
name_at(const struct forget_names *names, const char *text, const char *at)
{
    size_t longest = 0;
    for (unsigned i = 0; i < names->count && *at != ' '; i++) {
        size_t len = 0;
        if ((at == text || !is_word_byte(at[-1]) || !is_word_byte(at[0])) &&
            reads_like(at, names->keys[i], &len) && len > longest) {
            longest = len;
        }
    }
    return longest;
}

/* Replace the names in what people wrote, cut to its room. */
static void
replace_names(const struct forget_names *names, const char *new_name,
              char *text, size_t size)
{
    struct buf changed = BUF_INIT;
    buf_init(&changed, size - 1);
    for (const char *at = text; *at != '\0';) {
        size_t len = name_at(names, text, at);
        if (len > 0) {
            buf_add_text(&changed, new_name);
            at += len;
        } else {
            buf_add_char(&changed, *at++);
        }
    }
    const char *words = buf_text(&changed);
    size_t len = changed.len;
    if (changed.cut) { /* at the end of a character */
        while (len > 0 && ((unsigned char)words[len - 1] & 0xC0) == 0x80) {
            len--;
        }
        len -= len > 0 && (unsigned char)words[len - 1] >= 0xC0;
    }
    memmove(text, words, len);
    text[len] = '\0';
    buf_wipe(&changed);
}

/* ---- who is where -------------------------------------------------------- */

/* Reading the moves of all games. */
struct search {
    struct store *store;
    const struct forgetting *whom;
    struct forget_found *found;
    bool here; /* they are in the game that is read */
    bool fair, joined, keyed;
};

/* A text that is a pseudonym, or like one, takes its number. */
static void
note_taken(struct search *search, const char *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(text, prefix, len) == 0) {
        unsigned long number = strtoul(text + len, NULL, 10);
        if (number >= search->found->number && number < UINT16_MAX) {
            search->found->number = (unsigned)number + 1;
        }
    }
}

static void
search_move(void *context, const struct move *move)
{
    struct search *search = context;
    bool own = strcmp(move->user, search->whom->user) == 0;
    search->here =
        search->here || own || strcmp(move->out, search->whom->user) == 0;
    search->fair = search->fair || (move->kind == MOVE_OPEN && move->fair);
    if (own && (move->kind == MOVE_JOIN || move->kind == MOVE_LEAVE)) {
        search->joined = move->kind == MOVE_JOIN;
    }
    search->keyed = search->keyed || (move->kind == MOVE_START &&
                                      search->fair && search->joined);
    if (own && is_naming(move->kind)) {
        note_name(&search->found->names, move->name);
    }
    note_taken(search, move->user, PSEUDONYM_USER);
    note_taken(search, move->name, PSEUDONYM_NAME);
}

static enum err
search_game(void *context, const struct store_game *game, struct buf *why)
{
    struct search *search = context;
    const struct forgetting *whom = search->whom;
    struct forget_found *found = search->found;
    struct buf trouble = BUF_INIT;
    const char *service = whom->service_of(whom->context, game->place);
    search->here = search->fair = search->joined = search->keyed = false;
    enum err err =
        store_moves(search->store, game->id, search_move, search, &trouble);
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        log_line(LOG_LEVEL_WARNING, "it is left as it is: %s",
                 buf_text(&trouble));
        found->unread++;
        err = ERR_NONE;
    } else if (err != ERR_NONE) {
        buf_add_buf(why, &trouble);
    } else if (search->here &&
               (whom->service == NULL || strcmp(service, whom->service) == 0)) {
        if (found->service.len > 0 && !buf_equals(&found->service, service)) {
            err = err_say(why, ERR_CONFIG,
                          "%s: an id at %s and at %s, which may be two people; "
                          "say which with --service",
                          whom->user, buf_text(&found->service), service);
        }
        buf_clear(&found->service);
        buf_add_text(&found->service, service);
        struct buf *list = game->over ? &found->over : &found->on;
        buf_addf(list, "%s%s", list->len > 0 ? "\n" : "", game->id);
        if (search->keyed && game->over) {
            buf_addf(&found->keyed, "%s%s", found->keyed.len > 0 ? ", " : "",
                     game->id);
        }
    }
    buf_release(&trouble);
    return err;
}

enum err
forget_find(struct store *store, const struct forgetting *whom,
            struct forget_found *found, struct buf *why)
{
    struct search search = {.store = store, .whom = whom, .found = found};
    found->number = 1;
    if (!is_number(whom->user)) {
        note_name(&found->names, whom->user);
    }
    return store_games(store, search_game, &search, why);
}

void
forget_found_release(struct forget_found *found)
{
    forget_names_release(&found->names);
    buf_release(&found->service);
    buf_release(&found->over);
    buf_release(&found->on);
    buf_release(&found->keyed);
}

/* ---- one game ------------------------------------------------------------ */

struct changing {
    const char *user;
    char new_user[32], new_name[32];
    const struct forget_names *names;
};

/* Is the text of a move what people wrote? */
static bool
is_free_text(enum move_kind kind)
{
    return kind == MOVE_NOTE || kind == MOVE_PAUSE || kind == MOVE_EXTEND ||
           kind == MOVE_RING || kind == MOVE_CALLED || kind == MOVE_AWAY ||
           kind == MOVE_ASK;
}

/* Put the key that followed from the transcript of this line into the move. */
static void
put_key(const struct table *table, struct move *move, const char *lines,
        size_t len)
{
    json_object *line = NULL;
    struct buf hex = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    unsigned char key[DEAL_KEY];
    const char *transcript =
        jdoc_parse(lines, len, false, &line, &unsaid) == ERR_NONE
            ? jdoc_string(line, "transcript")
            : NULL;
    if (transcript != NULL) {
        deal_key(table->secret, transcript, strlen(transcript), key);
        buf_add_hex(&hex, key, sizeof key);
        (void)snprintf(move->text, sizeof move->text, "%s", buf_text(&hex));
    }
    json_object_put(line);
    wipe(key, sizeof key);
    buf_wipe(&hex);
    buf_release(&unsaid);
}

static void
change_move(void *context, const struct table *table, struct move *move,
            const char *lines, size_t len)
{
    struct changing *changing = context;
    bool own = strcmp(move->user, changing->user) == 0;
    if (is_free_text(move->kind)) {
        replace_names(changing->names, changing->new_name, move->text,
                      move->kind == MOVE_ASK ? TABLE_ASKED_MAX + 1
                                             : sizeof move->text);
    }
    if (own) {
        (void)snprintf(move->user, sizeof move->user, "%s", changing->new_user);
    }
    if (own && is_naming(move->kind) && move->name[0] != '\0') {
        (void)snprintf(move->name, sizeof move->name, "%s", changing->new_name);
    }
    if (own && (move->kind == MOVE_LUCK || move->kind == MOVE_AWAY)) {
        move->text[0] = '\0';
    }
    if (strcmp(move->out, changing->user) == 0) {
        (void)snprintf(move->out, sizeof move->out, "%s", changing->new_user);
    }
    if (move->kind == MOVE_START && table->fair && move->text[0] == '\0' &&
        table_seat(table, changing->new_user) != NO_SEAT) {
        put_key(table, move, lines, len);
    }
}

/* ---- all of them --------------------------------------------------------- */

static enum err
note_forgotten(struct store *store, int64_t now, struct buf *why)
{
    struct buf at = BUF_INIT;
    buf_addf(&at, "%lld", (long long)now);
    /* A count of 0: a host does not forget it with what it has tried. */
    enum err err = db_run(store->db, why,
                          "INSERT INTO attempt(what, at, count)"
                          " VALUES('forgot', ?, 0)"
                          " ON CONFLICT DO UPDATE SET at = excluded.at",
                          "t", buf_text(&at));
    buf_release(&at);
    return err;
}

enum err
forget_last(struct store *store, int64_t *at, struct buf *why)
{
    char text[24] = "";
    enum err err = db_row(store->db, why, NULL,
                          "SELECT at FROM attempt WHERE what = 'forgot'", ">s",
                          text, sizeof text);
    *at = strtoll(text, NULL, 10);
    return err;
}

/* What is of a person alone goes, and with a DM that it was read.  Somebody who
 * is blocked stays known by number, or they would not be blocked under their
 * next name. */
#define THEIR_DM                                                               \
    "(SELECT place FROM dm WHERE service = ?1 AND user = ?2 AND place <> '')"
static const char *const forgets_at_service[] = {
    "DELETE FROM post WHERE place IN (SELECT number FROM post_place"
    " WHERE service = ?1 AND place IN " THEIR_DM ")",
    "DELETE FROM post_place WHERE service = ?1 AND place IN " THEIR_DM,
    "DELETE FROM feed WHERE service = ?1 AND name IN " THEIR_DM,
    "DELETE FROM dm WHERE service = ?1 AND user = ?2",
    "DELETE FROM member WHERE service = ?1 AND user = ?2"
    " AND NOT EXISTS (SELECT 1 FROM blocked WHERE user = ?2)",
    "DELETE FROM deferred WHERE service = ?1 AND author = ?2",
};

/* Nobody is written to, called or quoted any more.  What is said once belongs
 * to games that are over. */
static const char *const forgets_at_place[] = {
    "DELETE FROM message WHERE place = ?1"
    " AND (user = ?2 OR post = ?2 AND kind <= 1)",
    "UPDATE message SET pings = NULL WHERE place = ?1"
    " AND instr(char(10) || pings || char(10), char(10) || ?2 || char(10)) > 0",
    "UPDATE message SET once = NULL WHERE place = ?1 AND instr(once, ?2) > 0"
    " AND game NOT IN (SELECT id FROM game WHERE over = 0)",
};

static enum err
run_each(struct store *store, const char *const *statements, size_t count,
         const char *where, const char *user, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < count; i++) {
        err = db_run(store->db, why, statements[i], "tt", where, user);
    }
    return err;
}

static enum err
forget_messages(struct store *store, const struct forgetting *whom,
                struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf places = BUF_INIT;
    enum err err = db_query(store->db, why, &rows,
                            "SELECT DISTINCT place FROM message", "");
    while (db_next(store->db, rows, &err, why)) {
        const char *place = db_text(rows, 0);
        if (strcmp(whom->service_of(whom->context, place), whom->service) ==
            0) {
            buf_add(&places, place, strlen(place) + 1);
        }
    }
    for (size_t at = 0; err == ERR_NONE && at < places.len;
         at += strlen(places.data + at) + 1) {
        err = run_each(store, forgets_at_place,
                       sizeof forgets_at_place / sizeof forgets_at_place[0],
                       places.data + at, whom->user, why);
    }
    buf_release(&places);
    return err;
}

/* Change the games of a list, a line each. */
static enum err
forget_games(struct store *store, char *list, struct changing *changing,
             struct buf *why)
{
    enum err err = ERR_NONE;
    char *rest = NULL;
    for (char *game = strtok_r(list, "\n", &rest);
         err == ERR_NONE && game != NULL; game = strtok_r(NULL, "\n", &rest)) {
        err = recover_changed(store, game, change_move, changing, why);
        if (err == ERR_NONE) {
            err = store_save_result(store, game, why);
        }
    }
    return err;
}

/* Forget somebody, or (*waits) find that they are in a game that is on. */
static enum err
forget_person(const struct forget *forget, const struct forgetting *whom,
              bool *waits, struct buf *why)
{
    struct store *store = forget->store;
    struct forget_found found = {.number = 0};
    struct changing changing = {.user = whom->user, .names = &found.names};
    enum err err = forget_find(store, whom, &found, why);
    *waits = found.on.len > 0;
    (void)snprintf(changing.new_user, sizeof changing.new_user,
                   PSEUDONYM_USER "%u", found.number);
    (void)snprintf(changing.new_name, sizeof changing.new_name,
                   PSEUDONYM_NAME "%u", found.number);
    if (err == ERR_NONE && !*waits && found.over.len > 0) {
        err = forget_games(store, found.over.data, &changing, why);
    }
    if (err == ERR_NONE && !*waits) {
        err = forget_messages(store, whom, why);
    }
    if (err == ERR_NONE && !*waits) {
        err = run_each(store, forgets_at_service,
                       sizeof forgets_at_service / sizeof forgets_at_service[0],
                       whom->service, whom->user, why);
    }
    if (err == ERR_NONE && !*waits) {
        err = db_run(
            store->db, why,
            "UPDATE post SET author = ? WHERE author = ?"
            " AND place IN (SELECT number FROM post_place WHERE service = ?)",
            "ttt", changing.new_user, whom->user, whom->service);
    }
    if (err == ERR_NONE && !*waits) {
        err = db_run(store->db, why,
                     "UPDATE forgotten SET service = NULL, user = NULL"
                     " WHERE service = ? AND user = ?",
                     "tt", whom->service, whom->user);
    }
    if (err == ERR_NONE && !*waits) {
        err = note_forgotten(store, forget->now, why);
    }
    if (err == ERR_NONE && !*waits && forget->left != NULL) {
        err = forget_left(store, whom, &found.names, forget->left, why);
    }
    forget_found_release(&found);
    return err;
}

/* ---- who is to be forgotten ---------------------------------------------- */

/* Somebody's mark: without the key nobody can tell whose it is. */
static void
mark_of(const struct store *store, const char *service, const char *user,
        char mark[17])
{
    struct buf who = BUF_INIT;
    store_add_part(&who, "who is forgotten, at ", service);
    (void)snprintf(mark, 17, "%016llx",
                   (unsigned long long)seal_number(store->seal, buf_text(&who),
                                                   user, strlen(user)));
    buf_release(&who);
}

enum err
forget_ask(struct store *store, const char *path, const char *service,
           const char *user, struct buf *why)
{
    struct db *db = store->db;
    char mark[17];
    mark_of(store, service, user, mark);
    enum err err = path == NULL
                       ? ERR_NONE
                       : store_open_db(path, DB_CREATE_UNCHECKED, &db, why);
    if (err == ERR_NONE && path != NULL) {
        err = db_make(db, bot_store_schema_sql, why);
    }
    if (err == ERR_NONE) {
        err = db_run(db, why,
                     "INSERT INTO forgotten(mark, service, user)"
                     " VALUES(?, ?, ?) ON CONFLICT DO UPDATE SET"
                     " service = excluded.service, user = excluded.user",
                     "ttt", mark, service, user);
    }
    if (path != NULL && db != NULL && db != store->db) {
        db_close(db);
    }
    return err;
}

enum err
forget_waiting(struct store *store, int64_t *count, struct buf *why)
{
    return db_row(store->db, why, NULL,
                  "SELECT count(*) FROM forgotten WHERE user IS NOT NULL", ">i",
                  count);
}

/* Somebody of the store: are they among those of whom the file alone knows? */
static enum err
meet(struct store *store, const char *service, const char *user,
     struct buf *why)
{
    char mark[17];
    mark_of(store, service, user, mark);
    return db_run(store->db, why,
                  "UPDATE forgotten SET service = ?, user = ?"
                  " WHERE mark = ? AND service = ''",
                  "ttt", service, user, mark);
}

/* The people of a game's moves. */
struct meeting {
    struct store *store;
    const char *service;
    struct buf *why;
    enum err err;
};

static void
meet_move(void *context, const struct move *move)
{
    struct meeting *meeting = context;
    const char *const people[] = {move->user, move->out};
    for (unsigned i = 0; meeting->err == ERR_NONE && i < 2; i++) {
        meeting->err =
            meet(meeting->store, meeting->service, people[i], meeting->why);
    }
}

static enum err
meet_game(void *context, const struct store_game *game, struct buf *why)
{
    const struct forget *const *of = context;
    const struct forget *forget = *of;
    struct buf unsaid = BUF_INIT;
    struct meeting meeting = {
        .store = forget->store,
        .service = forget->service_of(forget->context, game->place),
        .why = why};
    (void)!store_moves(forget->store, game->id, meet_move, &meeting, &unsaid);
    buf_release(&unsaid);
    return meeting.err;
}

/* Those of whom the file alone knows are in this store, which is a copy, as
 * they were before. */
static enum err
meet_all(const struct forget *forget, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(forget->store->db, why, &rows,
                            "SELECT DISTINCT service, author FROM post"
                            " JOIN post_place ON number = post.place"
                            " UNION SELECT service, user FROM dm"
                            " UNION SELECT service, user FROM member",
                            "");
    while (db_next(forget->store->db, rows, &err, why)) {
        err = meet(forget->store, db_text(rows, 0), db_text(rows, 1), why);
    }
    if (err == ERR_NONE) {
        err = store_games(forget->store, meet_game, &forget, why);
    }
    return err == ERR_NONE ? db_run(forget->store->db, why,
                                    "UPDATE forgotten SET service = NULL"
                                    " WHERE service = ''",
                                    "")
                           : err;
}

static enum err
take_file(const struct forget *forget, const char *file, struct buf *marks,
          struct buf *why)
{
    struct buf missing = BUF_INIT;
    bool news = false;
    char mark[17];
    enum err err = file_read(file, marks, &missing);
    if (err != ERR_NONE && err != ERR_GONE) {
        buf_add_buf(why, &missing);
    } else {
        err = ERR_NONE;
    }
    for (const char *at = buf_text(marks);
         err == ERR_NONE && sscanf(at, "%16[0-9a-f]", mark) == 1; at += 17) {
        err = db_run(forget->store->db, why,
                     "INSERT OR IGNORE INTO forgotten(mark, service)"
                     " VALUES(?, '')",
                     "t", mark);
        news = news || db_changes(forget->store->db) > 0;
    }
    buf_release(&missing);
    return err == ERR_NONE && news ? meet_all(forget, why) : err;
}

static enum err
write_file(struct store *store, const char *file, const struct buf *before,
           struct buf *why)
{
    struct buf marks = BUF_INIT;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT group_concat(mark || char(10), '') FROM"
                          " (SELECT mark FROM forgotten WHERE user IS NULL"
                          " ORDER BY mark)",
                          ">t", &marks);
    if (err == ERR_NONE && !buf_equals(before, buf_text(&marks))) {
        err = file_write(file, marks.data, marks.len, 0600, why);
    }
    buf_release(&marks);
    return err;
}

/* The next who is asked to be forgotten, after a row; false: nobody. */
static enum err
next_asked(struct store *store, int64_t *row, struct buf *service,
           struct buf *user, bool *found, struct buf *why)
{
    buf_clear(service);
    buf_clear(user);
    return db_row(
        store->db, why, found,
        "SELECT rowid, service, user FROM forgotten"
        " WHERE user IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT 1",
        "i>itt", *row, row, service, user);
}

static enum err
forget_asked(const struct forget *forget, unsigned *count, struct buf *why)
{
    struct buf service = BUF_INIT;
    struct buf user = BUF_INIT;
    int64_t row = 0;
    bool found = false;
    bool waits = false;
    enum err err =
        next_asked(forget->store, &row, &service, &user, &found, why);
    while (err == ERR_NONE && found) {
        const struct forgetting whom = {.user = buf_text(&user),
                                        .service = buf_text(&service),
                                        .service_of = forget->service_of,
                                        .context = forget->context};
        err = forget_person(forget, &whom, &waits, why);
        *count += !waits;
        if (err == ERR_NONE) {
            err = next_asked(forget->store, &row, &service, &user, &found, why);
        }
    }
    buf_release(&service);
    buf_release(&user);
    return err;
}

enum err
forget_all(const struct forget *forget, unsigned *count, struct buf *why)
{
    struct buf file = BUF_INIT;
    struct buf before = BUF_INIT;
    *count = 0;
    buf_addf(&file, "%s.forgotten", forget->path);
    enum err err = db_begin(forget->store->db, why);
    if (err == ERR_NONE) {
        err = take_file(forget, buf_text(&file), &before, why);
    }
    if (err == ERR_NONE) {
        err = forget_asked(forget, count, why);
    }
    /* The file first: who is in it and not in the store is forgotten again. */
    if (err == ERR_NONE) {
        err = write_file(forget->store, buf_text(&file), &before, why);
    }
    if (err == ERR_NONE) {
        err = db_commit(forget->store->db, why);
    } else {
        store_rollback(forget->store);
    }
    buf_release(&file);
    buf_release(&before);
    return err;
}

/* ---- what is left -------------------------------------------------------- */

/* Does a text name somebody?  An id that is only a number is none within a
 * word of digits, and stands alone, quoted or as a mention. */
static bool
names_them(const struct buf *text, const struct forgetting *whom,
           const struct forget_names *names)
{
    const char *start = buf_text(text);
    const char *end = start + text->len;
    size_t len = strlen(whom->user);
    bool number = is_number(whom->user);
    for (const char *at = start; at < end; at++) {
        if (number && strncmp(at, whom->user, len) == 0 &&
            (at == start || strchr("\n\"@!/", at[-1]) != NULL) &&
            (at + len == end || strchr("\n\">/", at[len]) != NULL)) {
            return true;
        }
        if (name_at(names, start, at) > 0) {
            return true;
        }
    }
    return false;
}

struct proof {
    struct store *store;
    const struct forgetting *whom;
    const struct forget_names *names;
    unsigned rows; /* of the table, or the game, that is searched */
    struct buf *left;
};

static void
look(struct proof *proof, const struct buf *text)
{
    proof->rows += names_them(text, proof->whom, proof->names);
}

static void
say_left(struct proof *proof, const char *what, const char *name)
{
    if (proof->rows > 0) {
        buf_addf(proof->left, "%s %s: %u\n", what, name, proof->rows);
    }
    proof->rows = 0;
}

static enum err
look_at_row(void *context, const char *move, size_t move_len, const char *lines,
            size_t lines_len, struct buf *why)
{
    struct buf text = BUF_INIT;
    (void)why;
    buf_add(&text, move, move_len);
    buf_add_char(&text, '\n');
    buf_add(&text, lines, lines_len);
    look(context, &text);
    buf_wipe(&text);
    return ERR_NONE;
}

static enum err
look_at_game(void *context, const struct store_game *game, struct buf *why)
{
    struct proof *proof = context;
    struct buf unsaid = BUF_INIT;
    (void)why;
    if (store_journal(proof->store, game->id, look_at_row, proof, &unsaid) !=
        ERR_NONE) {
        buf_addf(proof->left, "game %s can't be read\n", game->id);
    }
    say_left(proof, "rows of the journal of game", game->id);
    buf_release(&unsaid);
    return ERR_NONE;
}

/* What is sealed, and for which name; journals and messages have theirs by
 * other ways.  Who is to be forgotten, and waits, is known by that. */
static const struct {
    const char *table, *name, *value;
} sealed[] = {
    {"game", "'game ' || id || ': its outline'", "outline"},
    {"deferred", "'deferred post ' || number", "body"},
    {"adapter_state", "service || ': the adapter state ' || key", "value"},
    {"post",
     "(SELECT service || ': how post ' || id || ' in ' || p.place ||"
     " ' was read' FROM post_place p WHERE p.number = post.place)",
     "verdict"},
};

/* Look at all rows of a table: its texts, or what is sealed for a name. */
static enum err
look_at_table(struct proof *proof, const char *table, const char *name,
              const char *value, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    struct buf sql = BUF_INIT;
    buf_addf(&sql, "SELECT %s, %s FROM %s", name, value, table);
    enum err err = db_query(proof->store->db, why, &rows, buf_text(&sql), "");
    while (db_next(proof->store->db, rows, &err, why)) {
        struct buf text = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        if (db_is_null(rows, 0)) {
            buf_add_text(&text, db_text(rows, 1));
        } else {
            (void)!store_unseal(proof->store, db_text(rows, 0), rows, 1, &text,
                                &unsaid);
        }
        look(proof, &text);
        buf_wipe(&text);
        buf_release(&unsaid);
    }
    buf_release(&sql);
    return err;
}

static enum err
look_at_messages(struct proof *proof, struct buf *why)
{
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(proof->store->db, why, &rows,
                            "SELECT " QUEUED_COLUMNS " FROM message", "");
    while (db_next(proof->store->db, rows, &err, why)) {
        struct queued_message queued;
        struct buf text = BUF_INIT;
        struct buf unsaid = BUF_INIT;
        (void)!store_load_queued(proof->store, rows, &queued, &unsaid);
        const struct message *message = &queued.message;
        const char *const parts[] = {message->text, message->user,
                                     message->pings, message->post};
        for (unsigned i = 0; i < 4; i++) {
            buf_addf(&text, "%s\n", parts[i] == NULL ? "" : parts[i]);
        }
        look(proof, &text);
        message_release(&queued.message);
        buf_wipe(&text);
        buf_release(&unsaid);
    }
    return err;
}

/* The texts of all columns of each table that has any. */
#define ALL_TEXTS                                                              \
    "SELECT t.name, group_concat('coalesce(' || t.name || '.' || c.name ||"    \
    " ', '''')', ' || char(10) || ') FROM sqlite_schema t,"                    \
    " pragma_table_info(t.name) c WHERE t.type = 'table'"                      \
    " AND t.name NOT LIKE 'sqlite%' AND t.name NOT IN ('forgotten', 'made')"   \
    " AND c.type = 'TEXT' GROUP BY t.name"

enum err
forget_left(struct store *store, const struct forgetting *whom,
            const struct forget_names *names, struct buf *left, struct buf *why)
{
    struct proof proof = {store, whom, names, 0, left};
    sqlite3_stmt *rows = NULL;
    enum err err = db_query(store->db, why, &rows, ALL_TEXTS, "");
    while (db_next(store->db, rows, &err, why)) {
        const char *table = db_text(rows, 0);
        err = look_at_table(&proof, table, "NULL", db_text(rows, 1), why);
        for (size_t i = 0; i < sizeof sealed / sizeof sealed[0]; i++) {
            if (err == ERR_NONE && strcmp(sealed[i].table, table) == 0) {
                err = look_at_table(&proof, table, sealed[i].name,
                                    sealed[i].value, why);
            }
        }
        if (err == ERR_NONE && strcmp(table, "message") == 0) {
            err = look_at_messages(&proof, why);
        }
        say_left(&proof, "rows of the table", table);
    }
    return err == ERR_NONE ? store_games(store, look_at_game, &proof, why)
                           : err;
}
