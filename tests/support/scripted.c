#include "tests/support/scripted.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "tests/support/verdicts.h"

const char *const scripted_names[PLAYERS_MAX] = {"A", "B", "C", "D", "E",
                                                 "F", "G", "H", "I", "J"};

const char scripted_deck[] = "FFFFFFFFFLLFLLFLL";

/* ---- playing ------------------------------------------------------------- */

struct record_head
scripted_head(struct scripted *scripted)
{
    return (struct record_head){scripted->seq++, 0};
}

void
scripted_do(struct scripted *scripted, struct command command)
{
    engine_game_do(&scripted->engine, command);
    for (unsigned i = 0; i < scripted->engine.events.count; i++) {
        record_write_event(&scripted->text, scripted_head(scripted),
                           &scripted->engine.events.list[i],
                           &scripted->engine.game, scripted_names);
    }
}

void
scripted_write(struct scripted *scripted, struct record_line line)
{
    line.seq = scripted->seq++;
    record_write_line(&scripted->text, &line, scripted_names,
                      scripted->engine.game.players);
}

void
scripted_noted(struct scripted *scripted)
{
    scripted_write(scripted,
                   (struct record_line){.kind = RECORD_NOTED, .text = "so"});
}

struct scripted *
scripted_begin(unsigned players, const char *preset, const char *top)
{
    struct scripted *scripted = must_alloc(sizeof *scripted);
    engine_game_open(&scripted->engine, players, preset);
    record_write_opened(&scripted->text, scripted_head(scripted), "scripted",
                        preset, &scripted->engine.game.rules, NULL);
    record_write_seated(&scripted->text, scripted_head(scripted),
                        scripted_names, players, NULL, NULL);
    scripted_do(scripted, deal(players, top));
    return scripted;
}

void
scripted_end(struct scripted *scripted)
{
    record_release(&scripted->record);
    buf_release(&scripted->text);
    free(scripted);
}

struct record_game *
scripted_game(struct scripted *scripted)
{
    record_release(&scripted->record);
    read_text(&scripted->text, &scripted->record);
    const struct record_game *game = &scripted->record.games[0];
    ck_assert_uint_lt(game->line_count, SCRIPTED_LINES_MAX / 2);
    scripted->game = *game;
    scripted->game.lines = scripted->lines;
    memcpy(scripted->lines, game->lines,
           game->line_count * sizeof game->lines[0]);
    return &scripted->game;
}

void
scripted_votes(struct scripted *scripted, bool ja)
{
    for (unsigned seat = 0; scripted->engine.game.question == QUESTION_VOTE;
         seat++) {
        if (seat_in(seat, game_awaits(&scripted->engine.game).seats)) {
            scripted_do(scripted, vote(seat, ja));
        }
    }
}

void
scripted_elected(struct scripted *scripted, unsigned chancellor)
{
    scripted_do(scripted,
                nominate(scripted->engine.game.president, chancellor));
    scripted_votes(scripted, true);
}

unsigned
scripted_nominee(const struct scripted *scripted)
{
    unsigned seat = 0;
    while (!seat_in(seat, game_eligible(&scripted->engine.game))) {
        seat++;
    }
    return seat;
}

void
scripted_rejected(struct scripted *scripted)
{
    scripted_do(scripted, nominate(scripted->engine.game.president,
                                   scripted_nominee(scripted)));
    scripted_votes(scripted, false);
}

void
scripted_reshuffled(struct scripted *scripted)
{
    char tiles[TILES + 1] = "";
    struct awaits awaits = game_awaits(&scripted->engine.game);
    if (awaits.question == QUESTION_RESHUFFLE) {
        memset(tiles, 'F', awaits.due_fascist);
        memset(tiles + awaits.due_fascist, 'L', awaits.due_liberal);
        scripted_do(scripted, reshuffle(tiles));
    }
}

void
scripted_session(struct scripted *scripted, bool liberal)
{
    const struct game *game = &scripted->engine.game;
    unsigned card = 0;
    while (card < 2 && pile_is_liberal(game->hand, card) == liberal) {
        card++;
    }
    scripted_do(scripted, discard(game->president, card));
    card = pile_is_liberal(game->hand, 0) == liberal ? 0 : 1;
    scripted_do(scripted, enact(game->chancellor, card));
    scripted_reshuffled(scripted);
}

void
scripted_policy(struct scripted *scripted, unsigned chancellor, bool liberal)
{
    scripted_elected(scripted, chancellor);
    scripted_session(scripted, liberal);
}

void
scripted_fascist(struct scripted *scripted, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        scripted_policy(scripted, scripted_nominee(scripted), false);
        if (scripted->engine.game.due_power != POWER_NONE) {
            scripted_do(scripted, plain(COMMAND_FORFEIT));
        }
    }
}

/* ---- altering ------------------------------------------------------------ */

struct record_line *
line_of(struct record_game *game, int kind, unsigned nth)
{
    struct record_line *last = NULL;
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == kind) {
            last = &game->lines[i];
            if (nth > 0 && --nth == 0) {
                return last;
            }
        }
    }
    ck_assert_uint_eq(nth, 0);
    ck_assert_ptr_nonnull(last);
    return last;
}

void
drop(struct record_game *game, struct record_line *line)
{
    size_t at = (size_t)(line - game->lines);
    memmove(line, line + 1, (game->line_count - at - 1) * sizeof *line);
    game->line_count--;
    renumber(game);
}

void
insert(struct record_game *game, const struct record_line *before,
       struct record_line line)
{
    size_t at = (size_t)(before - game->lines);
    memmove(&game->lines[at + 1], &game->lines[at],
            (game->line_count - at) * sizeof line);
    game->lines[at] = line;
    game->line_count++;
    renumber(game);
}
