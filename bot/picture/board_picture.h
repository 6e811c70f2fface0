/*
 * The board as a picture: both tracks with their powers, the election tracker,
 * the tiles, and who sits where, with their offices.
 *
 * A pure function from what everybody may see to the bytes of a PNG file, at
 * most BOARD_PICTURE_MAX of them.  Colour never tells anything alone: liberal
 * tiles are round and have their letter, fascist ones triangles with theirs,
 * empty spaces are outlined and numbered, each mark of a seat is a word.  The
 * picture has a ground of its own with an edge, so that it can be read in a
 * light app and in a dark one, and no letter is smaller than 20 of its 720
 * pixels across (10 points on a phone).
 */
#ifndef BOT_PICTURE_BOARD_PICTURE_H
#define BOT_PICTURE_BOARD_PICTURE_H

#include "bot/base/buf.h"
#include "bot/base/err.h"
#include "bot/record/record_board.h"

enum {
    BOARD_PICTURE_WIDTH = 720,
    BOARD_PICTURE_MAX = 60000, /* bytes */
    BOARD_POWERS = POWER_EXECUTION + 1,
};

/* The colours that policies can have. */
enum tile_colour {
    TILE_OWN, /* blue and orange-red: the game's own */
    TILE_BLUE,
    TILE_RED,
    TILE_GREEN,
    TILE_ORANGE,
    TILE_YELLOW,
    TILE_PURPLE,
    TILE_BROWN,
    TILE_COLOURS
};

/* The words in the picture, and the policies' colours.  All are lines without
 * mark-up; a zeroed struct is one of empty ones.  Release it. */
struct board_labels {
    struct buf title;          /* "Round 5", "The Liberals win!" */
    struct buf liberal;        /* "Liberal: 2 of 5" */
    struct buf fascist;        /* "Fascist: 3 of 6" */
    struct buf tracker;        /* "Tracker: 1 of 3" */
    struct buf tiles;          /* "Deck 9 · discarded 3" */
    struct buf letter_liberal; /* on the tiles */
    struct buf letter_fascist;
    enum tile_colour colour_liberal, colour_fascist;
    struct buf powers[BOARD_POWERS]; /* what each is called, by enum power */
    struct buf veto;                 /* "veto" */
    struct buf wins;                 /* what the last space of a track does */
    struct buf chaos;                /* what the end of the tracker does */
    struct buf danger; /* what electing Hitler does from the mark on */
    struct buf marks[SEAT_MARKS];
};
void board_labels_release(struct board_labels *labels);

struct board_picture {
    struct buf png;
    unsigned width, height; /* pixels */
    bool cut; /* a word was too long for its place, and is not there whole */
};

/* Draw a board; release the picture either way.  It MUST have players. */
enum err board_picture_draw(const struct public_board *board,
                            const struct board_labels *labels,
                            struct board_picture *picture,
                            struct buf *why) MUST_USE;
void board_picture_release(struct board_picture *picture);

#endif
