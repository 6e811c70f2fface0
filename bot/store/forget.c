#include "bot/store/forget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/store/recover.h"
#include "bot/store/results.h"
#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"

#define PSEUDONYM_USER "anon-"
#define PSEUDONYM_NAME "Anon "

/* ---- who is where -------------------------------------------------------- */

/* Is the name of a move what its user is called? */
static bool
is_naming(enum move_kind kind)
{
    return kind == MOVE_OPEN || kind == MOVE_JOIN || kind == MOVE_RESERVE ||
           kind == MOVE_ALIAS || kind == MOVE_REPLACE || kind == MOVE_RENAME;
}

/* Reading the moves of all games. */
struct search {
    const struct forget *forget;
    struct forget_found *found;
    bool here; /* they are in the game that is read */
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

static enum err
search_row(void *context, const struct store_row *row, struct buf *why)
{
    struct search *search = context;
    const char *user = search->forget->user;
    struct move move;
    enum err err = move_read(row->move, row->move_len, &move, why);
    if (err == ERR_NONE) {
        bool own = strcmp(move.user, user) == 0;
        search->here = search->here || own || strcmp(move.out, user) == 0;
        if (own && is_naming(move.kind)) {
            forget_names_add(&search->found->names, move.name);
        }
        note_taken(search, move.user, PSEUDONYM_USER);
        note_taken(search, move.name, PSEUDONYM_NAME);
    }
    wipe(&move, sizeof move);
    return err;
}

static enum err
search_game(void *context, const struct store_game *game, struct buf *why)
{
    struct search *search = context;
    const struct forget *whom = search->forget;
    struct forget_found *found = search->found;
    struct buf trouble = BUF_INIT;
    const char *service = whom->service_of(whom->context, game->place);
    search->here = false;
    enum err err =
        store_journal(whom->store, game->id, search_row, search, &trouble);
    bool read = err == ERR_NONE;
    store_pass_over(whom->store, err, &trouble);
    err = store_err(whom->store, why);
    found->unread = found->unread || !read;
    if (read && search->here &&
        (whom->service == NULL || strcmp(service, whom->service) == 0)) {
        if (found->service != NULL && strcmp(found->service, service) != 0) {
            err = err_say(why, ERR_CONFIG,
                          "%s: an id at %s and at %s, which may be two people; "
                          "say which with --service",
                          whom->user, found->service, service);
        }
        found->service = service;
        struct buf *list = game->over ? &found->over : &found->on;
        buf_addf(list, "%s%s", list->len > 0 ? ", " : "", game->id);
    }
    return err;
}

enum err
forget_find(const struct forget *forget, struct forget_found *found,
            struct buf *why)
{
    struct search search = {.forget = forget, .found = found};
    found->number = 1;
    if (strspn(forget->user, "0123456789") < strlen(forget->user)) {
        forget_names_add(&found->names, forget->user);
    }
    return store_games(forget->store, search_game, &search, why);
}

void
forget_found_release(struct forget_found *found)
{
    buf_release(&found->names);
    buf_release(&found->over);
    buf_release(&found->on);
}

/* ---- one game ------------------------------------------------------------ */

struct changing {
    const char *user;
    char new_user[32], new_name[32];
    const struct buf *names;
};

/* Is the text of a move what people wrote? */
static bool
is_free_text(enum move_kind kind)
{
    return kind == MOVE_NOTE || kind == MOVE_PAUSE || kind == MOVE_EXTEND ||
           kind == MOVE_RING || kind == MOVE_CALLED || kind == MOVE_AWAY ||
           kind == MOVE_ASK;
}

/* Put the key that followed from the transcript of this row's line into the
 * move. */
static void
put_key(const struct table *table, struct move *move,
        const struct store_row *row)
{
    json_object *line = NULL;
    struct buf hex = BUF_INIT;
    unsigned char key[DEAL_KEY];
    const char *transcript =
        jdoc_parse(row->lines, row->lines_len, false, &line, NULL) == ERR_NONE
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
}

static void
change_move(void *context, const struct table *table, struct move *move,
            const struct store_row *row)
{
    struct changing *changing = context;
    bool own = strcmp(move->user, changing->user) == 0;
    if (is_free_text(move->kind)) {
        forget_names_replace(changing->names, changing->new_name, move->text,
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
        put_key(table, move, row);
    }
}

/* ---- one person ---------------------------------------------------------- */

/* What is of a person alone goes, and with a DM that it was read.  Somebody who
 * is blocked stays known by number, or they would not be blocked under their
 * next name. */
#define THEIR_DM                                                               \
    "(SELECT place FROM dm WHERE service = ?1 AND user = ?2 AND place <> '')"
#define AT_SERVICE " WHERE service_of(place) = ?1"
static const char *const forgets[] = {
    "DELETE FROM post WHERE place IN (SELECT number FROM post_place"
    " WHERE service = ?1 AND place IN " THEIR_DM ")",
    "DELETE FROM post_place WHERE service = ?1 AND place IN " THEIR_DM,
    "DELETE FROM pending_post WHERE author = ?2 AND place IN"
    " (SELECT number FROM post_place WHERE service = ?1)",
    "DELETE FROM feed WHERE service = ?1 AND name IN " THEIR_DM,
    "DELETE FROM dm WHERE service = ?1 AND user = ?2",
    "DELETE FROM member WHERE service = ?1 AND user = ?2"
    " AND NOT EXISTS (SELECT 1 FROM blocked WHERE user = ?2)",
    "DELETE FROM deferred WHERE service = ?1 AND author = ?2",
    /* nobody is written to, called or quoted any more; what is said once
     * belongs to games that are over */
    "DELETE FROM message" AT_SERVICE
    " AND (user = ?2 OR post = ?2 AND kind <= 1)",
    "UPDATE message SET pings = NULL" AT_SERVICE
    " AND instr(char(10) || pings || char(10), char(10) || ?2 || char(10)) > 0",
    "UPDATE message SET once = NULL" AT_SERVICE " AND instr(once, ?2) > 0"
    " AND game NOT IN (SELECT id FROM game WHERE over = 0)",
};

/* The SQL function of that name. */
static void
service_of(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct forget *forget = sqlite3_user_data(context);
    const char *place = (const char *)sqlite3_value_text(values[0]);
    (void)count;
    sqlite3_result_text(
        context,
        forget->service_of(forget->context, place == NULL ? "" : place), -1,
        SQLITE_TRANSIENT);
}

static void
forget_rows(struct forget *forget)
{
    struct db *db = forget->store->db;
    db_add_function(db, "service_of", 1, service_of, forget);
    for (size_t i = 0; i < sizeof forgets / sizeof *forgets; i++) {
        db_run(db, forgets[i], "tt", forget->service, forget->user);
    }
}

/* Change the games of a list.  One that only an earlier version could change is
 * logged, and stays as it is: that must not keep a host from beginning. */
static void
forget_games(struct store *store, char *list, struct changing *changing)
{
    struct table table;
    char *rest = NULL;
    table_init(&table);
    for (char *game = strtok_r(list, ", ", &rest); game != NULL;
         game = strtok_r(NULL, ", ", &rest)) {
        struct buf trouble = BUF_INIT;
        enum err err = recover_changed(store, game, change_move, changing,
                                       &table, &trouble);
        if (err == ERR_NONE) {
            store_save_result(store, game, &table);
        }
        store_pass_over(store, err, &trouble);
    }
    table_release(&table);
}

enum err
forget_person(struct forget *forget, struct buf *game, struct buf *why)
{
    struct forget_found found = {.number = 0};
    struct changing changing = {.user = forget->user, .names = &found.names};
    enum err err = forget_find(forget, &found, why);
    buf_add(game, buf_text(&found.on), strcspn(buf_text(&found.on), ","));
    if (err != ERR_NONE || game->len > 0) {
        forget_found_release(&found);
        return err;
    }
    (void)snprintf(changing.new_user, sizeof changing.new_user,
                   PSEUDONYM_USER "%u", found.number);
    (void)snprintf(changing.new_name, sizeof changing.new_name,
                   PSEUDONYM_NAME "%u", found.number);
    if (found.over.len > 0) {
        forget_games(forget->store, found.over.data, &changing);
    }
    forget_rows(forget);
    db_run(forget->store->db,
           "UPDATE post SET author = ? WHERE author = ? AND place IN"
           " (SELECT number FROM post_place WHERE service = ?)",
           "ttt", changing.new_user, forget->user, forget->service);
    err = store_err(forget->store, why);
    if (err == ERR_NONE && forget->left != NULL) {
        err = forget_left(forget, &found.names, forget->left, why);
    }
    forget_found_release(&found);
    return err;
}
