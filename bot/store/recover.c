#include "bot/store/recover.h"

#include <stdlib.h>
#include <string.h>

#include "bot/store/store_inner.h"
#include "bot/store/store_journal.h"

/* A table as it was after a row that the game was later taken back to. */
struct past {
    unsigned row;
    struct table table;
};

struct replay {
    struct table *table;
    const char *game;
    unsigned rows;
    unsigned last;      /* row to stop after; 0: the last */
    struct buf saved;   /* all rows, packed */
    struct past *pasts; /* by row; each once */
    unsigned past_count;
    recover_changer *each; /* gets each move before it is played; or NULL */
    void *context;
    struct buf *changed; /* the rows as `each` makes them, packed; or NULL: it
                            changes none */
};

/* ---- the rows that games were taken back to ------------------------------ */

static struct past *
find_past(const struct replay *replay, unsigned row)
{
    for (unsigned i = 0; i < replay->past_count; i++) {
        if (replay->pasts[i].row == row) {
            return &replay->pasts[i];
        }
    }
    return NULL;
}

/* Keep a row, and note where it goes back to. */
static enum err
note_row(void *context, const struct store_row *row, struct buf *why)
{
    static const char rewind[] =
        "{\"move\":\"rewind\""; /* as all rewinds are written */
    struct replay *replay = context;
    struct move move;
    (void)why;
    store_pack_row(row, &replay->saved);
    if (row->move_len < sizeof rewind ||
        memcmp(row->move, rewind, sizeof rewind - 1) != 0) {
        return ERR_NONE;
    }
    if (move_read(row->move, row->move_len, &move, NULL) == ERR_NONE &&
        move.kind == MOVE_REWIND && find_past(replay, move.row) == NULL) {
        replay->pasts = must_grow(replay->pasts, (replay->past_count + 1) *
                                                     sizeof *replay->pasts);
        replay->pasts[replay->past_count].row = move.row;
        table_init(&replay->pasts[replay->past_count++].table);
    }
    wipe(&move, sizeof move);
    return ERR_NONE;
}

/* ---- rows ------------------------------------------------------------------
 */

/* Play a move; false: it can't be played. */
static bool
play(struct replay *replay, struct move *move, struct buf *made)
{
    struct events events;
    if (move->kind == MOVE_REWIND && move->row < replay->rows) {
        const struct past *past = find_past(replay, move->row);
        move->past = past == NULL ? NULL : &past->table;
    }
    return table_may(replay->table, move) &&
           table_apply(replay->table, move, &events, made) == REFUSAL_NONE;
}

/* Keep the table as it is now, if it is gone back to. */
static void
keep_past(struct replay *replay)
{
    struct past *past = find_past(replay, replay->rows);
    if (past != NULL) {
        table_release(&past->table);
        table_clone(&past->table, replay->table);
    }
}

static unsigned
count_lines(const char *lines, size_t len)
{
    unsigned count = 0;
    for (size_t i = 0; i < len; i++) {
        count += lines[i] == '\n';
    }
    return count;
}

/* Did a row make the lines that were saved or, if its move was changed, as
 * many? */
static bool
are_right(const struct replay *replay, const struct buf *lines,
          const struct store_row *row)
{
    return replay->changed != NULL
               ? count_lines(buf_text(lines), lines->len) ==
                     count_lines(row->lines, row->lines_len)
               : lines->len == row->lines_len &&
                     memcmp(buf_text(lines), row->lines, row->lines_len) == 0;
}

/* Play one row; false: it is no move, can't be played, or makes other lines. */
static bool
plays(struct replay *replay, const struct store_row *row)
{
    struct move move;
    struct buf text = BUF_INIT;
    struct buf lines = BUF_INIT;
    bool good = move_read(row->move, row->move_len, &move, NULL) == ERR_NONE;
    if (good && replay->each != NULL) {
        replay->each(replay->context, replay->table, &move, row);
    }
    if (good && replay->changed != NULL) {
        move_write(&move, &text);
    }
    good =
        good && play(replay, &move, &lines) && are_right(replay, &lines, row);
    if (good && replay->changed != NULL) {
        const struct store_row changed = {.number = row->number,
                                          .move = buf_text(&text),
                                          .move_len = text.len,
                                          .lines = buf_text(&lines),
                                          .lines_len = lines.len};
        store_pack_row(&changed, replay->changed);
    }
    wipe(&move, sizeof move);
    buf_wipe(&text);
    buf_wipe(&lines);
    return good;
}

static enum err
replay_row(void *context, const struct store_row *row, struct buf *why)
{
    struct replay *replay = context;
    if (replay->last != 0 && replay->rows == replay->last) {
        return ERR_NONE;
    }
    replay->rows++;
    if (plays(replay, row)) {
        keep_past(replay);
        return ERR_NONE;
    }
    return err_say(why, ERR_GARBLED,
                   replay->changed != NULL
                       ? "game %s: row %u of its journal can't be changed, so "
                         "nothing is; only the version of placard that saved "
                         "it can do that"
                       : "game %s: row %u of its journal gives something else "
                         "now than when it was saved, so the game is on hold; "
                         "use the version of placard that saved it, or "
                         "restore the store from a backup",
                   replay->game, replay->rows);
}

/* Replay a game into the table of `replay`, whose content is replaced. */
static enum err
replay_game(struct store *store, struct replay *replay, struct buf *why)
{
    table_release(replay->table);
    enum err err = store_journal(store, replay->game, note_row, replay, why);
    ERR_THEN(err, store_take_rows(replay->game, &replay->saved, INT64_MAX,
                                  replay_row, replay, why));
    buf_wipe(&replay->saved);
    for (unsigned i = 0; i < replay->past_count; i++) {
        table_release(&replay->pasts[i].table);
    }
    free(replay->pasts);
    return err;
}

enum err
recover_changed(struct store *store, const char *game, recover_changer *change,
                void *context, struct table *table, struct buf *why)
{
    struct buf changed = BUF_INIT;
    struct replay replay = {.table = table,
                            .game = game,
                            .each = change,
                            .context = context,
                            .changed = &changed};
    enum err err = replay_game(store, &replay, why);
    if (err == ERR_NONE) {
        store_save_packed(store, game, &changed);
    }
    buf_wipe(&changed);
    return err;
}

enum err
recover_table(struct store *store, const char *game, struct table *table,
              struct buf *why)
{
    unsigned saved = 0;
    struct replay replay = {.table = table, .game = game};
    enum err err = replay_game(store, &replay, why);
    bool there = db_row(store->db, "SELECT rows FROM game WHERE id = ?", "t>u",
                        game, &saved);
    ERR_THEN(err, store_check_messages(store, game, why));
    if (err != ERR_NONE) {
        return err;
    }
    if (there && table->id[0] == '\0') {
        return err_say(why, ERR_GARBLED,
                       "game %s: its journal is missing from the store, so the "
                       "game is on hold; restore the store from a backup",
                       game);
    }
    /* An older store does not know how many rows there were. */
    if (saved != 0 && saved != table->rows) {
        return err_say(why, ERR_GARBLED,
                       "game %s: its journal has %u rows, and %u were saved, "
                       "so the game is on hold; restore the store "
                       "from a backup",
                       game, table->rows, saved);
    }
    return ERR_NONE;
}

/* ---- what can be taken back ---------------------------------------------- */

/* What matters here of a row. */
struct act {
    bool by_game; /* a move of the game that everybody saw */
    bool people;  /* somebody left or took a seat */
    bool caused;  /* by the post that is looked for */
    bool fallen;  /* already taken back */
    struct fallen move;
};

struct search {
    const char *post;
    unsigned asked, asked_at; /* a request, and its row from 1; 0: none */
    struct act *acts;         /* by row, from 0 */
    unsigned count;
};

static void
let_fall(struct search *search, unsigned from)
{
    for (unsigned i = from; i < search->count; i++) {
        search->acts[i].fallen = true;
    }
}

/* What may be told of a move. */
static struct fallen
told_of(const struct move *move, unsigned round)
{
    struct fallen told = {.kind = (enum command_kind)move->command.kind,
                          .seat = move->command.seat,
                          .target = move->command.target,
                          .round = round};
    if (move->kind == MOVE_ANNOUNCE) {
        bool nobody = move->announced == NO_SEAT;
        told.kind = nobody ? COMMAND_KNOWN : COMMAND_TARGET;
        told.target = nobody ? 0 : move->announced;
    }
    return told;
}

static void
note_act(void *context, const struct table *table, struct move *move,
         const struct store_row *row)
{
    struct search *search = context;
    (void)row;
    search->acts =
        must_grow(search->acts, (search->count + 1) * sizeof *search->acts);
    if (move->kind == MOVE_REWIND) {
        let_fall(search, move->row);
    }
    if (move->kind == MOVE_ASK && move->request != 0 &&
        move->request == search->asked) {
        search->asked_at = search->count + 1;
    }
    search->acts[search->count++] = (struct act){
        .by_game = move_is_act(move) && !move_is_hidden(move),
        .people =
            move->kind == MOVE_REPLACE ||
            (move->kind == MOVE_PLAY && move->command.kind == COMMAND_VACATE),
        .caused = strcmp(move->post, search->post) == 0,
        .fallen = move->kind == MOVE_REWIND,
        .move = told_of(move, table->game.round),
    };
}

/* The row, from 1, of the act that is meant; 0: there is none. */
static unsigned
find_act(const struct search *search)
{
    bool last = search->post[0] == '\0';
    unsigned end =
        last && search->asked_at != 0 ? search->asked_at : search->count;
    for (unsigned i = end; i-- > 0;) {
        const struct act *act = &search->acts[i];
        if (!act->fallen && act->by_game && (last || act->caused)) {
            return i + 1;
        }
    }
    return 0;
}

/* Gather what would be undone from a row on. */
static void
gather_fallen(const struct search *search, unsigned from, struct before *before)
{
    for (unsigned i = from; i < search->count; i++) {
        const struct act *act = &search->acts[i];
        before->people_came =
            before->people_came || (!act->fallen && act->people);
        if (act->fallen || !act->by_game) {
            continue;
        }
        before->fallen++;
        if (before->move_count < FALLEN_MAX) {
            before->moves[before->move_count++] = act->move;
        }
    }
}

enum err
recover_before(struct store *store, const char *game, const char *post,
               unsigned asked, struct before *before, bool *found,
               struct buf *why)
{
    struct search search = {.post = post, .asked = asked};
    struct replay whole = {.table = &before->table,
                           .game = game,
                           .each = note_act,
                           .context = &search};
    enum err err = replay_game(store, &whole, why);
    unsigned row = err == ERR_NONE ? find_act(&search) : 0;
    *found = row > 1;
    if (*found) {
        struct replay part = {
            .table = &before->table, .game = game, .last = row - 1};
        before->row = row - 1;
        gather_fallen(&search, row - 1, before);
        err = replay_game(store, &part, why);
    }
    free(search.acts);
    return err;
}
