#include "bot/store/forget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/base/log.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"

#define PSEUDONYM_USER "anon-"
#define PSEUDONYM_NAME "Anon "

/* ---- who is where -------------------------------------------------------- */

/* Reading the moves of all games. */
struct search {
    struct store *store;
    const char *user; /* who is looked for */
    bool here;        /* they are in the game that is read */
    unsigned taken;   /* the highest number of a pseudonym */
    store_game_reader *each;
    void *context;
    unsigned unread;
};

/* A text that is a pseudonym, or like one, takes its number. */
static void
note_taken(struct search *search, const char *text, const char *prefix)
{
    size_t len = strlen(prefix);
    if (strncmp(text, prefix, len) == 0) {
        unsigned long number = strtoul(text + len, NULL, 10);
        if (number > search->taken && number < UINT16_MAX) {
            search->taken = (unsigned)number;
        }
    }
}

static void
search_move(void *context, const struct move *move)
{
    struct search *search = context;
    search->here = search->here || strcmp(move->user, search->user) == 0 ||
                   strcmp(move->out, search->user) == 0;
    note_taken(search, move->user, PSEUDONYM_USER);
    note_taken(search, move->name, PSEUDONYM_NAME);
}

static enum err
search_game(void *context, const struct store_game *game, struct buf *why)
{
    struct search *search = context;
    struct buf trouble = BUF_INIT;
    search->here = false;
    enum err err =
        store_moves(search->store, game->id, search_move, search, &trouble);
    if (err == ERR_GARBLED || err == ERR_DENIED) {
        log_line(LOG_LEVEL_WARNING, "it is left as it is: %s",
                 buf_text(&trouble));
        search->unread++;
        err = ERR_NONE;
    } else if (err != ERR_NONE) {
        buf_add_buf(why, &trouble);
    } else if (search->here && search->each != NULL) {
        err = search->each(search->context, game, why);
    }
    buf_release(&trouble);
    return err;
}

enum err
forget_find(struct store *store, const char *user, store_game_reader *each,
            void *context, unsigned *unread, struct buf *why)
{
    struct search search = {
        .store = store, .user = user, .each = each, .context = context};
    enum err err = store_games(store, search_game, &search, why);
    *unread = search.unread;
    return err;
}

/* ---- one game ------------------------------------------------------------ */

enum {
    NAMES_MAX = 32 /* that one person had at one table */
};

struct changing {
    const char *user;
    const char *new_user, *new_name;
    char names[NAMES_MAX][RECORD_NAME_MAX + 1]; /* what they were called */
    unsigned name_count;
    bool keyed;
};

static void
note_name(struct changing *changing, const char *name)
{
    for (unsigned i = 0; i < changing->name_count; i++) {
        if (strcmp(changing->names[i], name) == 0) {
            return;
        }
    }
    if (name[0] != '\0' && changing->name_count < NAMES_MAX) {
        (void)snprintf(changing->names[changing->name_count++],
                       sizeof changing->names[0], "%s", name);
    }
}

/* Is the name of a move what its user is called? */
static bool
is_naming(enum move_kind kind)
{
    return kind == MOVE_OPEN || kind == MOVE_JOIN || kind == MOVE_RESERVE ||
           kind == MOVE_ALIAS || kind == MOVE_REPLACE || kind == MOVE_RENAME;
}

static void
note_names(void *context, const struct move *move)
{
    struct changing *changing = context;
    if (is_naming(move->kind) && strcmp(move->user, changing->user) == 0) {
        note_name(changing, move->name);
    }
}

/* Letters, digits, and all that is not ASCII belong to words. */
static bool
is_word_byte(char byte)
{
    unsigned char code = (unsigned char)byte;
    return code >= 0x80 || (code >= '0' && code <= '9') ||
           (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

/* The length of a name that stands at `at` as a word; 0: none does. */
static size_t
name_at(const struct changing *changing, const char *text, const char *at)
{
    size_t longest = 0;
    for (unsigned i = 0; i < changing->name_count; i++) {
        size_t len = strlen(changing->names[i]);
        bool begins = at == text || !is_word_byte(at[-1]) ||
                      !is_word_byte(changing->names[i][0]);
        if (begins && len > longest &&
            strncmp(at, changing->names[i], len) == 0 &&
            (!is_word_byte(at[len]) || !is_word_byte(at[len - 1]))) {
            longest = len;
        }
    }
    return longest;
}

/* Replace the names in what people wrote, cut to its room. */
static void
replace_names(const struct changing *changing, char *text, size_t size)
{
    struct buf changed = BUF_INIT;
    buf_init(&changed, size - 1);
    for (const char *at = text; *at != '\0';) {
        size_t len = name_at(changing, text, at);
        if (len > 0) {
            buf_add_text(&changed, changing->new_name);
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
        replace_names(changing, move->text,
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
    if (move->kind == MOVE_START && table->fair &&
        table_seat(table, changing->new_user) != NO_SEAT) {
        if (move->text[0] == '\0') {
            put_key(table, move, lines, len);
        }
        changing->keyed = true;
    }
}

/* An id is a word like a name, unless it is only a number. */
static bool
is_number(const char *user)
{
    return strspn(user, "0123456789") == strlen(user);
}

/* Nobody is written to, or called, any more in a game that is over. */
static enum err
forget_messages(struct store *store, const char *game, const char *user,
                size_t *count, struct buf *why)
{
    int64_t waiting = 0;
    enum err err = db_row(store->db, why, NULL,
                          "SELECT count(*) FROM message"
                          " WHERE game = ? AND user = ?",
                          "tt>i", game, user, &waiting);
    *count += (size_t)waiting;
    if (err == ERR_NONE) {
        err = db_run(store->db, why,
                     "DELETE FROM message WHERE game = ? AND user = ?", "tt",
                     game, user);
    }
    if (err == ERR_NONE) {
        err = db_run(store->db, why,
                     "UPDATE message SET pings = NULL WHERE game = ?"
                     " AND instr(char(10) || pings,"
                     " char(10) || ? || char(10)) > 0",
                     "tt", game, user);
    }
    return err;
}

static enum err
forget_in_game(struct store *store, const char *game, struct changing *changing,
               size_t *messages, struct buf *why)
{
    changing->keyed = false;
    changing->name_count = 0;
    if (!is_number(changing->user)) {
        note_name(changing, changing->user);
    }
    enum err err = store_moves(store, game, note_names, changing, why);
    if (err == ERR_NONE) {
        err = recover_changed(store, game, change_move, changing, why);
    }
    if (err == ERR_NONE) {
        err = store_save_result(store, game, why);
    }
    return err == ERR_NONE
               ? forget_messages(store, game, changing->user, messages, why)
               : err;
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

/* Where ids are names: by which name the host knows them, and with it where it
 * writes to them in private, for whoever has that name next is somebody else.
 * Somebody who is blocked stays known, or they would not be blocked under their
 * next name. */
static enum err
forget_member(struct store *store, const struct forgetting *forgetting,
              struct buf *why)
{
    static const char *const forgets[] = {
        "DELETE FROM dm WHERE service = ?1 AND user = ?2"
        " AND EXISTS (SELECT 1 FROM member WHERE service = ?1 AND user = ?2)"
        " AND NOT EXISTS (SELECT 1 FROM blocked WHERE user = ?2)",
        "DELETE FROM member WHERE service = ?1 AND user = ?2"
        " AND NOT EXISTS (SELECT 1 FROM blocked WHERE user = ?2)",
    };
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < 2; i++) {
        err = db_run(store->db, why, forgets[i], "tt", forgetting->service,
                     forgetting->user);
    }
    return err;
}

static enum err
forget_all(struct store *store, const struct forgetting *forgetting,
           unsigned number, struct forgotten *done, struct buf *why)
{
    struct changing *changing = must_alloc(sizeof *changing);
    char user[32];
    enum err err = ERR_NONE;
    (void)snprintf(user, sizeof user, PSEUDONYM_USER "%u", number);
    (void)snprintf(done->name, sizeof done->name, PSEUDONYM_NAME "%u", number);
    changing->user = forgetting->user;
    changing->new_user = user;
    changing->new_name = done->name;
    for (size_t i = 0; err == ERR_NONE && i < forgetting->game_count; i++) {
        err = forget_in_game(store, forgetting->games[i], changing,
                             &done->messages, why);
        done->keyed[i] = changing->keyed;
    }
    if (err == ERR_NONE && forgetting->service != NULL) {
        err = db_run(
            store->db, why,
            "UPDATE post SET author = ? WHERE author = ?"
            " AND place IN (SELECT number FROM post_place WHERE service = ?)",
            "ttt", user, forgetting->user, forgetting->service);
    }
    if (err == ERR_NONE && forgetting->service != NULL) {
        err = forget_member(store, forgetting, why);
    }
    wipe(changing, sizeof *changing);
    free(changing);
    return err == ERR_NONE ? note_forgotten(store, forgetting->now, why) : err;
}

enum err
forget_person(struct store *store, const struct forgetting *forgetting,
              struct forgotten *done, struct buf *why)
{
    struct search search = {.store = store, .user = forgetting->user};
    memset(done, 0, sizeof *done);
    done->keyed =
        must_alloc((forgetting->game_count + 1) * sizeof *done->keyed);
    enum err err = store_games(store, search_game, &search, why);
    if (err == ERR_NONE) {
        err = db_begin(store->db, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    err = forget_all(store, forgetting, search.taken + 1, done, why);
    if (err != ERR_NONE || forgetting->only_try) {
        store_rollback(store);
        return err;
    }
    return db_commit(store->db, why);
}

void
forgotten_release(struct forgotten *done)
{
    free(done->keyed);
    done->keyed = NULL;
}
