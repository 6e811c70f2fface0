#include "tests/support/scripted.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/err.h"
#include "tests/support/verdicts.h"

const char *const tale_names[PLAYERS_MAX] = {"A", "B", "C", "D", "E",
                                             "F", "G", "H", "I", "J"};

const char tale_deck[] = "FFFFFFFFFLLFLLFLL";

/* ---- telling ------------------------------------------------------------- */

struct record_head
tale_head(struct tale *tale)
{
    return (struct record_head){tale->seq++, 0};
}

void
tell(struct tale *tale, struct command command)
{
    trial_do(&tale->trial, command);
    for (unsigned i = 0; i < tale->trial.events.count; i++) {
        record_write_event(&tale->text, tale_head(tale),
                           &tale->trial.events.list[i], &tale->trial.game,
                           tale_names);
    }
}

void
tell_line(struct tale *tale, struct record_line line)
{
    line.seq = tale->seq++;
    record_write_line(&tale->text, &line, tale_names, tale->trial.game.players);
}

void
tell_noted(struct tale *tale)
{
    tell_line(tale, (struct record_line){.kind = RECORD_NOTED, .text = "so"});
}

struct tale *
tale_begin(unsigned players, const char *preset, const char *top)
{
    struct tale *tale = must_alloc(sizeof *tale);
    trial_open(&tale->trial, players, preset);
    record_write_opened(&tale->text, tale_head(tale), "tale", preset,
                        &tale->trial.game.rules, NULL);
    record_write_seated(&tale->text, tale_head(tale), tale_names, players,
                        NULL);
    tell(tale, deal(players, top));
    return tale;
}

void
tale_end(struct tale *tale)
{
    record_release(&tale->record);
    buf_release(&tale->text);
    free(tale);
}

struct record_game *
told(struct tale *tale)
{
    record_release(&tale->record);
    read_text(&tale->text, &tale->record);
    const struct record_game *game = &tale->record.games[0];
    ck_assert_uint_lt(game->line_count, TALE_LINES_MAX / 2);
    tale->game = *game;
    tale->game.lines = tale->lines;
    memcpy(tale->lines, game->lines, game->line_count * sizeof game->lines[0]);
    return &tale->game;
}

void
tell_votes(struct tale *tale, bool ja)
{
    for (unsigned seat = 0; tale->trial.game.question == QUESTION_VOTE;
         seat++) {
        if (seat_in(seat, game_awaits(&tale->trial.game).seats)) {
            tell(tale, vote(seat, ja));
        }
    }
}

void
tell_elected(struct tale *tale, unsigned chancellor)
{
    tell(tale, nominate(tale->trial.game.president, chancellor));
    tell_votes(tale, true);
}

unsigned
tale_nominee(const struct tale *tale)
{
    unsigned seat = 0;
    while (!seat_in(seat, game_eligible(&tale->trial.game))) {
        seat++;
    }
    return seat;
}

void
tell_rejected(struct tale *tale)
{
    tell(tale, nominate(tale->trial.game.president, tale_nominee(tale)));
    tell_votes(tale, false);
}

void
tell_reshuffled(struct tale *tale)
{
    char tiles[TILES + 1] = "";
    struct awaits awaits = game_awaits(&tale->trial.game);
    if (awaits.question == QUESTION_RESHUFFLE) {
        memset(tiles, 'F', awaits.due_fascist);
        memset(tiles + awaits.due_fascist, 'L', awaits.due_liberal);
        tell(tale, reshuffle(tiles));
    }
}

void
tell_session(struct tale *tale, bool liberal)
{
    const struct game *game = &tale->trial.game;
    unsigned card = 0;
    while (card < 2 && pile_is_liberal(game->hand, card) == liberal) {
        card++;
    }
    tell(tale, discard(game->president, card));
    card = pile_is_liberal(game->hand, 0) == liberal ? 0 : 1;
    tell(tale, enact(game->chancellor, card));
    tell_reshuffled(tale);
}

void
tell_policy(struct tale *tale, unsigned chancellor, bool liberal)
{
    tell_elected(tale, chancellor);
    tell_session(tale, liberal);
}

void
tell_fascist(struct tale *tale, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        tell_policy(tale, tale_nominee(tale), false);
        if (tale->trial.game.due_power != POWER_NONE) {
            tell(tale, plain(COMMAND_FORFEIT));
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
