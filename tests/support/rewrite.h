/*
 * Writing again what was read: a game that was read must come out as the lines
 * it was read from, but for blanks, the order of keys and keys unknown.
 */
#ifndef TESTS_REWRITE_H
#define TESTS_REWRITE_H

#include "bot/record/record.h"

/* "" stands for null. */
static inline const char *
rewrite_hex(const char *hex)
{
    return hex[0] == '\0' ? NULL : hex;
}

static inline void
rewrite_line(const struct record_game *game, const struct record_line *line,
             const char *const *names, struct buf *out)
{
    struct record_head head = {line->seq, line->at};
    if (line->kind == RECORD_OPENED) {
        record_write_opened(out, head, game->id, game->preset, &game->rules,
                            rewrite_hex(game->commitment));
    } else if (line->kind == RECORD_SEATED && game->key[0] != '\0') {
        record_write_seated(out, head, names, game->players, NULL, game->key);
    } else if (line->kind == RECORD_SEATED) {
        record_write_seated(out, head, names, game->players, game->transcript,
                            NULL);
    } else if (line->kind == RECORD_REVEALED) {
        struct game roles = {.players = (uint8_t)game->players,
                             .round = line->event.target != NO_SEAT,
                             .hitler = line->event.target,
                             .fascists = line->event.seats};
        record_write_revealed(out, head, rewrite_hex(game->seed), &roles,
                              names);
    } else {
        record_write_line(out, line, names, game->players);
    }
}

/* Append a game's lines, each player under the name held at that line. */
static inline void
rewrite_game(const struct record_game *game, struct buf *out)
{
    const char *names[PLAYERS_MAX];
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        names[seat] = game->names[seat];
    }
    for (size_t i = 0; i < game->line_count; i++) {
        const struct record_line *line = &game->lines[i];
        rewrite_line(game, line, names, out);
        if (line->kind == EVENT_FILLED) {
            names[line->event.seat] = line->in;
        }
    }
}

#endif
