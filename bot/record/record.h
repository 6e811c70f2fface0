/*
 * The game record, `placard-record/1`: writing its lines, and reading a file
 * of them.  One JSON object a line, keys in the record's order, each line
 * ended by LF; the format is a contract with other programs (RECORD.md).
 *
 * Writers append one whole line.  `names` are the players' names in seat
 * order, as held when the line is written.
 */
#ifndef BOT_RECORD_RECORD_H
#define BOT_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "engine/game.h"

/* Bytes: a name has room for 32 code points of any kind and " (10)". */
enum {
    RECORD_NAME_MAX = 143,
    RECORD_GAME_MAX = 32,
    RECORD_PRESET_MAX = 15,
    RECORD_HEX = 64,          /* a commitment, a seed */
    RECORD_LINE_MAX = 1 << 20 /* without its LF */
};

/* What every line begins with. */
struct record_head {
    unsigned seq;
    int64_t at; /* ms; written in whole seconds */
};

/* How it was done, of what is mostly done by a post. */
enum record_by {
    RECORD_BY_POST,
    RECORD_BY_PRESS, /* a vote: with a button */
    RECORD_BY_PLAN,  /* a nomination: the candidate's time was up, and they had
                        left a plan */
};

/* Kinds of line: the engine's events, and those that only the host has. */
enum record_kind {
    RECORD_OPENED = EVENT_KINDS,
    RECORD_SEATED,
    RECORD_REVEALED,
    RECORD_PAUSED,
    RECORD_RESUMED,
    RECORD_EXTENDED,
    RECORD_REMINDED,
    RECORD_NOTED,
    RECORD_CLAIMED,
    RECORD_REWOUND,
    RECORD_KINDS,
};

/*
 * One line.  Players are seats by the names held at that line.  Members that
 * the line does not tell are zero: the president and chancellor of `election`
 * and `enacted`, the votes of `election`, the chancellor of `passed`.
 */
struct record_line {
    size_t number; /* of the line in the file, from 1; not written */
    unsigned seq;
    int64_t at; /* ms */
    int kind;   /* enum event_kind or enum record_kind */
    uint8_t by; /* voted, nominated: enum record_by */

    /* Of the engine's kinds as in engine/game.h.  claimed: seat, round, cards;
     * reminded: seats; revealed: as dealt without cards, and target NO_SEAT
     * where a game ended before its deal. */
    struct event event;
    uint32_t to;      /* rewound */
    int64_t deadline; /* resumed, extended; 0: none */
    const char *out;  /* replaced; borrowed from the record, as the next */
    const char *in;   /* replaced */
    const char *text; /* noted: text; paused, extended: reason, or NULL */
};

/* commitment, transcript, seed: NULL writes null. */
void record_write_opened(struct buf *out, struct record_head head,
                         const char *game, const char *preset,
                         const struct rules *rules, const char *commitment);
/* The member `rules` of a line or another object. */
void record_write_rules(struct buf *out, const char *preset,
                        const struct rules *rules);

/* Without a transcript, which names somebody who was forgotten: with the key K
 * that followed from it, in hex (NULL: none). */
void record_write_seated(struct buf *out, struct record_head head,
                         const char *const *names, unsigned players,
                         const char *transcript, const char *key);

/* Any event of the engine except EVENT_FILLED.  `game` is the game after the
 * step that made the event (its number of players is read). */
void record_write_event(struct buf *out, struct record_head head,
                        const struct event *event, const struct game *game,
                        const char *const *names);
/* The same, of what was not done by a post: only a vote says that it was
 * pressed, and only a nomination that it was planned. */
void record_write_event_by(struct buf *out, struct record_head head,
                           const struct event *event, const struct game *game,
                           const char *const *names, enum record_by by);

/* roles: null if `game` was never dealt. */
void record_write_revealed(struct buf *out, struct record_head head,
                           const char *seed, const struct game *game,
                           const char *const *names);

/* Any kind except opened, seated, revealed; line->kind decides which members
 * are read. */
void record_write_line(struct buf *out, const struct record_line *line,
                       const char *const *names, unsigned players);

/* Append the lines that one input of a game has made to its record.  If they
 * begin with the first line, they are a new beginning and replace what is in
 * `record` (rules were set before the game). */
void record_add(struct buf *record, const char *lines, size_t len);

/* One game of a file.  The line at lines[i] has seq i. */
struct record_game {
    char id[RECORD_GAME_MAX + 1];
    char preset[RECORD_PRESET_MAX + 1];
    struct rules rules;
    unsigned players;                             /* 0: no `seated` */
    char names[PLAYERS_MAX][RECORD_NAME_MAX + 1]; /* at sign-up */
    char commitment[RECORD_HEX + 1];              /* "": null */
    char seed[RECORD_HEX + 1];                    /* "": null or not revealed */
    const char *transcript;   /* borrowed from the record; NULL: null */
    char key[RECORD_HEX + 1]; /* in place of a transcript; "": none */
    struct record_line *lines;
    size_t line_count, line_room;
};

struct record {
    struct record_game *games;
    size_t game_count, game_room;
    char **texts; /* what lines and games borrow */
    size_t text_count, text_room;
};

/*
 * Read a whole file's text.  A file holds at least one game, a line at most
 * RECORD_LINE_MAX bytes (a transcript of ten players has some thousands).
 * Time and memory grow with `len` alone.
 *
 * ERR_GARBLED names the line and what is wrong with it: not JSON, a doubled
 * key, an unknown event, a key missing or of another type, an unknown player,
 * a gap in seq, no `opened` before it, no LF at the end.  `record` then holds
 * what was read before that line; release it either way.  Whether the lines
 * are a legal game is not judged here.
 */
enum err record_read(const char *text, size_t len, struct record *record,
                     struct buf *why) MUST_USE;
/* The same of the rest of a file, after that many lines. */
enum err record_read_from(size_t before, const char *text, size_t len,
                          struct record *record, struct buf *why) MUST_USE;
void record_release(struct record *record);

/* The record's words.  POWER_NONE and ENDING_NONE have none, and MUST NOT be
 * asked for. */
const char *record_kind_name(int kind);
const char *record_role_name(enum role role);
const char *record_party_name(enum party party);
const char *record_reason_name(enum election_reason reason);
const char *record_power_name(enum power power);
const char *record_ending_name(enum ending ending);

#endif
