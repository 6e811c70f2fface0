#include "bot/store/recover.h"

#include <sodium.h>
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
    uint32_t *rounds;   /* by row, from 0; NULL: not wanted */
    struct past *pasts; /* by row; each once */
    unsigned past_count, past_room;
    recover_changer *change; /* NULL: as they are */
    void *context;
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

static enum err
note_past(void *context, const char *text, size_t len, const char *lines,
          size_t lines_len, struct buf *why)
{
    static const char rewind[] =
        "{\"move\":\"rewind\""; /* as all rewinds are written */
    struct replay *replay = context;
    struct move move;
    struct buf unsaid = BUF_INIT;
    (void)lines;
    (void)lines_len;
    (void)why;
    if (len < sizeof rewind || memcmp(text, rewind, sizeof rewind - 1) != 0) {
        return ERR_NONE;
    }
    if (move_read(text, len, &move, &unsaid) == ERR_NONE &&
        move.kind == MOVE_REWIND && find_past(replay, move.number) == NULL) {
        if (replay->past_count == replay->past_room) {
            replay->past_room = 2 * replay->past_room + 1;
            replay->pasts = must_grow(replay->pasts, replay->past_room *
                                                         sizeof *replay->pasts);
        }
        replay->pasts[replay->past_count].row = move.number;
        table_init(&replay->pasts[replay->past_count++].table);
    }
    sodium_memzero(&move, sizeof move);
    buf_release(&unsaid);
    return ERR_NONE;
}

static void
forget_pasts(struct replay *replay)
{
    for (unsigned i = 0; i < replay->past_count; i++) {
        table_release(&replay->pasts[i].table);
    }
    free(replay->pasts);
}

/* ---- rows ------------------------------------------------------------------
 */

/* Play a move; false: it can't be played. */
static bool
play(struct replay *replay, struct move *move, struct buf *made)
{
    struct events events;
    if (move->kind == MOVE_REWIND && move->number < replay->rows) {
        const struct past *past = find_past(replay, move->number);
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

/* Play one row; false: it is no move, can't be played, or makes other lines. */
static bool
plays(struct replay *replay, const char *text, size_t len, const char *lines,
      size_t lines_len)
{
    struct move move;
    struct buf made = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    bool good = move_read(text, len, &move, &unsaid) == ERR_NONE &&
                play(replay, &move, &made) && made.len == lines_len &&
                memcmp(buf_text(&made), lines, lines_len) == 0;
    sodium_memzero(&move, sizeof move);
    buf_release(&unsaid);
    buf_wipe(&made);
    return good;
}

static enum err
replay_row(void *context, const char *text, size_t len, const char *lines,
           size_t lines_len, struct buf *why)
{
    struct replay *replay = context;
    if (replay->last != 0 && replay->rows == replay->last) {
        return ERR_NONE;
    }
    if (replay->rounds != NULL) {
        replay->rounds[replay->rows] = replay->table->game.round;
    }
    replay->rows++;
    if (plays(replay, text, len, lines, lines_len)) {
        keep_past(replay);
        return ERR_NONE;
    }
    return err_say(why, ERR_GARBLED,
                   "game %s: row %u of its journal gives something else now "
                   "than when it was saved, so the game is on hold; use the "
                   "version of placard that saved it, or restore the store "
                   "from a backup",
                   replay->game, replay->rows);
}

/* Replay a game up to a row (0: the last); `rounds`, unless NULL, gets the
 * round that was on before each row. */
static enum err
replay_to(struct store *store, const char *game, unsigned last,
          struct table *table, uint32_t *rounds, struct buf *why)
{
    struct replay replay = {
        .table = table, .game = game, .last = last, .rounds = rounds};
    table_release(table);
    enum err err = store_journal(store, game, note_past, &replay, why);
    if (err == ERR_NONE) {
        err = store_journal(store, game, replay_row, &replay, why);
    }
    forget_pasts(&replay);
    return err;
}

/* ---- changing what was saved --------------------------------------------- */

static unsigned
count_lines(const char *lines, size_t len)
{
    unsigned count = 0;
    for (size_t i = 0; i < len; i++) {
        count += lines[i] == '\n';
    }
    return count;
}

static enum err
change_row(void *context, const char *text, size_t len, struct buf *new_move,
           const char *lines, size_t lines_len, struct buf *new_lines,
           struct buf *why)
{
    struct replay *replay = context;
    struct move move;
    enum err err = move_read(text, len, &move, why);
    if (err == ERR_NONE) {
        replay->change(replay->context, replay->table, &move, lines, lines_len);
        move_write(&move, new_move);
        replay->rows++;
        if (!play(replay, &move, new_lines) ||
            count_lines(buf_text(new_lines), new_lines->len) !=
                count_lines(lines, lines_len)) {
            err = err_say(why, ERR_GARBLED,
                          "game %s: row %u of its journal can't be changed, so "
                          "nothing is; only the version of placard that saved "
                          "it can do that",
                          replay->game, replay->rows);
        }
        keep_past(replay);
    }
    sodium_memzero(&move, sizeof move);
    return err;
}

enum err
recover_changed(struct store *store, const char *game, recover_changer *change,
                void *context, struct buf *why)
{
    struct table table;
    struct replay replay = {
        .table = &table, .game = game, .change = change, .context = context};
    table_init(&table);
    enum err err = store_journal(store, game, note_past, &replay, why);
    if (err == ERR_NONE) {
        err = store_change_journal(store, game, change_row, &replay, why);
    }
    forget_pasts(&replay);
    table_release(&table);
    return err;
}

enum err
recover_table(struct store *store, const char *game, struct table *table,
              struct buf *why)
{
    unsigned saved = 0;
    bool there = false;
    enum err err = replay_to(store, game, 0, table, NULL, why);
    if (err == ERR_NONE) {
        err = store_journal_rows(store, game, &there, &saved, why);
    }
    if (err == ERR_NONE) {
        err = store_check_messages(store, game, why);
    }
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
    unsigned count, room;
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
told_of(const struct move *move)
{
    struct fallen told = {.kind = (enum command_kind)move->command.kind,
                          .seat = move->command.seat,
                          .target = move->command.target};
    if (move->kind == MOVE_ANNOUNCE) {
        told.kind = move->number == 0 ? COMMAND_KNOWN : COMMAND_TARGET;
        told.target = (uint8_t)(move->number == 0 ? 0 : move->number - 1);
    }
    return told;
}

static void
note_act(void *context, const struct move *move)
{
    struct search *search = context;
    if (search->count == search->room) {
        search->room = 2 * search->room + 64;
        search->acts =
            must_grow(search->acts, search->room * sizeof *search->acts);
    }
    if (move->kind == MOVE_REWIND) {
        let_fall(search, move->number);
    }
    if (move->kind == MOVE_ASK && move->number != 0 &&
        move->number == search->asked) {
        search->asked_at = search->count + 1;
    }
    search->acts[search->count++] = (struct act){
        .by_game = move_is_act(move) && !move_is_hidden(move),
        .people =
            move->kind == MOVE_REPLACE ||
            (move->kind == MOVE_PLAY && move->command.kind == COMMAND_VACATE),
        .caused = strcmp(move->post, search->post) == 0,
        .fallen = move->kind == MOVE_REWIND,
        .move = told_of(move),
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
gather_fallen(const struct search *search, unsigned from,
              const uint32_t *rounds, struct before *before)
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
            before->moves[before->move_count] = act->move;
            before->moves[before->move_count++].round = rounds[i];
        }
    }
}

enum err
recover_before(struct store *store, const char *game, const char *post,
               unsigned asked, struct before *before, bool *found,
               struct buf *why)
{
    struct search search = {.post = post, .asked = asked};
    uint32_t *rounds = NULL;
    enum err err = store_moves(store, game, note_act, &search, why);
    unsigned row = err == ERR_NONE ? find_act(&search) : 0;
    *found = row > 1;
    if (*found) {
        rounds = must_alloc(search.count * sizeof *rounds);
        err = replay_to(store, game, 0, &before->table, rounds, why);
    }
    if (*found && err == ERR_NONE) {
        before->row = row - 1;
        gather_fallen(&search, row - 1, rounds, before);
        err = replay_to(store, game, before->row, &before->table, NULL, why);
    }
    free(rounds);
    free(search.acts);
    return err;
}
