/*
 * The board picture: its facts, whatever the font's pixels.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/words/board_words.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

static struct catalogue catalogue;
static struct buf why;

static void
load_dressed(const char *language, const char *theme)
{
    catalogue_release(&catalogue);
    ck_assert_msg(catalogue_load(&catalogue, language, theme, &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

static void
load(const char *language)
{
    load_dressed(language, THEME_ORIGINAL);
}

static void
set_up(void)
{
    load("en");
}

static void
tear_down(void)
{
    catalogue_release(&catalogue);
    buf_release(&why);
}

/* A board in the middle of a game, with every mark there is. */
static struct public_board
board_of(unsigned players)
{
    struct public_board board = {.players = players,
                                 .round = 12,
                                 .liberal = 2,
                                 .fascist = 3,
                                 .tracker = 1,
                                 .deck = 9,
                                 .discards = 3};
    for (unsigned seat = 0; seat < players; seat++) {
        (void)snprintf(board.seats[seat].name, sizeof board.seats[seat].name,
                       "Name %u", seat);
        board.seats[seat].mark = (enum seat_mark)(seat % SEAT_MARKS);
    }
    return board;
}

static struct board_picture
draw(const struct public_board *board)
{
    struct board_labels labels;
    struct board_picture picture;
    board_words(&catalogue, board, &labels);
    ck_assert_msg(board_picture_draw(board, &labels, &picture, &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
    board_labels_release(&labels);
    return picture;
}

/* Its pixels, three bytes each; yours to free. */
static unsigned char *
pixels_of(const struct board_picture *picture)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    ck_assert_int_ne(png_image_begin_read_from_memory(&image, picture->png.data,
                                                      picture->png.len),
                     0);
    image.format = PNG_FORMAT_RGB;
    ck_assert_uint_eq(image.width, picture->width);
    ck_assert_uint_eq(image.height, picture->height);
    unsigned char *pixels = malloc((size_t)image.width * image.height * 3);
    ck_assert_int_ne(png_image_finish_read(&image, NULL, pixels, 0, NULL), 0);
    return pixels;
}

START_TEST(a_picture_is_a_png_file_of_at_most_60_kB)
{
    struct public_board board = board_of((unsigned)_i);
    for (board.fascist = 0; board.fascist <= FASCIST_WIN; board.fascist++) {
        board.liberal = board.fascist % (LIBERAL_WIN + 1);
        struct board_picture picture = draw(&board);
        free(pixels_of(&picture));
        ck_assert_uint_eq(picture.width, BOARD_PICTURE_WIDTH);
        ck_assert_uint_le(picture.png.len, BOARD_PICTURE_MAX);
        board_picture_release(&picture);
    }
}
END_TEST

START_TEST(the_same_board_is_the_same_file)
{
    struct public_board board = board_of(8);
    struct board_picture one = draw(&board);
    struct board_picture other = draw(&board);
    ck_assert_uint_eq(one.png.len, other.png.len);
    ck_assert_mem_eq(one.png.data, other.png.data, one.png.len);
    board_picture_release(&one);
    board_picture_release(&other);
}
END_TEST

/* The colour of the first tile of each track, below its top edge. */
static void
assert_tiles(unsigned liberal, unsigned fascist)
{
    struct public_board board = board_of(7);
    struct board_picture picture = draw(&board);
    unsigned char *pixels = pixels_of(&picture);
    const unsigned lines[] = {124, 280};
    unsigned seen[2] = {0};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned char *pixel =
            pixels + 3 * ((size_t)lines[i] * picture.width + 60);
        seen[i] = (unsigned)pixel[0] << 16 | (unsigned)pixel[1] << 8 | pixel[2];
    }
    ck_assert_uint_eq(seen[0], liberal);
    ck_assert_uint_eq(seen[1], fascist);
    free(pixels);
    board_picture_release(&picture);
}

START_TEST(policies_have_the_colours_of_the_theme)
{
    assert_tiles(0x77BBFF, 0xFF9966);
    load_dressed("en", "prison");
    assert_tiles(0x66DD88, 0xFFAA33);
}
END_TEST

/* Each changes one thing of a board. */
static void
more_liberal(struct public_board *board)
{
    board->liberal++;
}
static void
more_fascist(struct public_board *board)
{
    board->fascist++;
}
static void
more_tracker(struct public_board *board)
{
    board->tracker++;
}
static void
less_deck(struct public_board *board)
{
    board->deck--;
}
static void
more_discards(struct public_board *board)
{
    board->discards++;
}
static void
later_round(struct public_board *board)
{
    board->round++;
}
static void
fascists_won(struct public_board *board)
{
    board->over = true;
    board->ending = ENDING_HITLER_CHANCELLOR;
}
static void
abandoned(struct public_board *board)
{
    board->over = true;
    board->ending = ENDING_ABANDONED;
}
static void
executed(struct public_board *board)
{
    board->seats[0].mark = SEAT_EXECUTED;
}
static void
vacant(struct public_board *board)
{
    board->seats[0].mark = SEAT_VACANT;
}
static void
renamed(struct public_board *board)
{
    board->seats[0].name[0] = 'n';
}

static void (*const changes[])(struct public_board *board) = {
    more_liberal,  more_fascist, more_tracker, less_deck,
    more_discards, later_round,  fascists_won, abandoned,
    executed,      vacant,       renamed,
};
enum {
    CHANGES = sizeof changes / sizeof changes[0]
};

START_TEST(whatever_changes_on_the_board_is_seen_and_said)
{
    struct public_board board = board_of(8);
    struct board_picture before = draw(&board);
    struct buf said = BUF_INIT;
    struct buf says = BUF_INIT;
    board_alt(&catalogue, &board, &said);
    changes[_i](&board);
    struct board_picture after = draw(&board);
    board_alt(&catalogue, &board, &says);
    ck_assert(before.png.len != after.png.len ||
              memcmp(before.png.data, after.png.data, after.png.len) != 0);
    ck_assert_str_ne(buf_text(&said), buf_text(&says));
    board_picture_release(&before);
    board_picture_release(&after);
    buf_release(&said);
    buf_release(&says);
}
END_TEST

START_TEST(the_alternative_text_says_all_that_is_there)
{
    struct public_board board = board_of(5);
    struct buf alt = BUF_INIT;
    board.seats[4].mark = SEAT_EXECUTED;
    board_alt(&catalogue, &board, &alt);
    ck_assert_str_eq(
        buf_text(&alt),
        "The board. Round 12. Liberal: 2 of 5. Fascist: 3 of 6; powers: 3 "
        "policy peek, 4 execution, 5 execution + veto. "
        "Tracker: 1 of 3. Deck: 9 · discarded: 3. Seats: 1 Name 0, 2 Name 1 "
        "(candidate), 3 Name 2 (nominee), 4 Name 3 (President), 5 Name 4 "
        "(executed). With 3 Fascist policies out, electing Hitler ends the "
        "game.");
    buf_release(&alt);
}
END_TEST

/* ---- room ---------------------------------------------------------------- */

static void
assert_fits(const struct public_board *board, const char *language)
{
    struct board_picture picture = draw(board);
    ck_assert_msg(!picture.cut, "%s: a word does not fit, at %u players",
                  language, board->players);
    board_picture_release(&picture);
}

/* Each mark at each seat.  How many seats there are makes their places higher,
 * not wider. */
static void
assert_marks_fit(struct public_board board, const char *language)
{
    for (unsigned shift = 0; shift < SEAT_MARKS; shift++) {
        for (unsigned seat = 0; seat < board.players; seat++) {
            board.seats[seat].mark =
                (enum seat_mark)((seat + shift) % SEAT_MARKS);
        }
        assert_fits(&board, language);
    }
}

/* A title of each kind, and tiles of two digits. */
static void
assert_all_fit(unsigned players, const char *language)
{
    static const enum ending endings[] = {ENDING_NONE, ENDING_FIVE_LIBERAL,
                                          ENDING_SIX_FASCIST, ENDING_ABANDONED};
    struct public_board board = board_of(players);
    board.round = 60;
    board.deck = 14;
    board.discards = 14;
    if (players == PLAYERS_MAX) {
        assert_marks_fit(board, language);
    }
    for (unsigned i = 0; i < 4; i++) {
        board.ending = endings[i];
        board.over = endings[i] != ENDING_NONE;
        assert_fits(&board, language);
    }
}

START_TEST(every_word_of_every_language_and_theme_fits)
{
    struct buf names = BUF_INIT;
    unsigned number = (unsigned)_i; /* of a language at a size */
    language_names(&names);
    char *save = NULL;
    for (char *name = strtok_r(names.data, "\", ", &save); name != NULL;
         name = strtok_r(NULL, "\", ", &save)) {
        if (number++ % effort_one_in(1) != 0) {
            continue;
        }
        load(name);
        assert_all_fit((unsigned)_i, name);
        load_dressed(name, "prison");
        assert_all_fit((unsigned)_i, name);
    }
    buf_release(&names);
}
END_TEST

START_TEST(a_word_that_is_too_long_is_told_of)
{
    struct public_board board = board_of(8);
    struct board_labels labels;
    struct board_picture picture;
    struct buf *const drawn[] = {&labels.powers[POWER_EXECUTION], &labels.veto,
                                 &labels.wins, &labels.chaos, &labels.danger};
    board_words(&catalogue, &board, &labels);
    for (unsigned i = 0; i < 40; i++) {
        buf_add_text(drawn[_i], "execution");
    }
    ck_assert_int_eq(board_picture_draw(&board, &labels, &picture, &why),
                     ERR_NONE);
    ck_assert(picture.cut);
    board_picture_release(&picture);
    board_labels_release(&labels);
}
END_TEST

/* The names that are hardest to set: each of 32 letters. */
static const char *const long_names[] = {
    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "ŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴŴ",
    "jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj", "ffffffffffffffffffffffffffffffff",
    "ЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩЩ", "Wilhelm Alexander van den Bergh.",
};
enum {
    LONG_NAMES = sizeof long_names / sizeof long_names[0]
};

/* Is a column of pixels of one colour, from a height on, but for the edge? */
static bool
is_empty(const unsigned char *pixels, const struct board_picture *picture,
         size_t x, size_t from)
{
    for (size_t y = from; y < picture->height - 4; y++) {
        const unsigned char *first = pixels + 3 * (from * picture->width + x);
        if (memcmp(pixels + 3 * (y * picture->width + x), first, 3) != 0) {
            return false;
        }
    }
    return true;
}

START_TEST(no_name_leaves_its_place)
{
    struct public_board board = board_of(10);
    for (unsigned seat = 0; seat < board.players; seat++) {
        (void)snprintf(board.seats[seat].name, sizeof board.seats[seat].name,
                       "%s", long_names[_i]);
    }
    struct board_picture picture = draw(&board);
    unsigned char *pixels = pixels_of(&picture);
    unsigned seats = picture.height - 5 * 70 - 14;
    /* Between the columns, and beside the second. */
    ck_assert(is_empty(pixels, &picture, 351, seats));
    ck_assert(is_empty(pixels, &picture, 683, seats));
    free(pixels);
    board_picture_release(&picture);
}
END_TEST

static const char *const odd_names[] = {
    "",
    " ",
    "🦊🦊",
    "דנה",
    "\xff\xfe",
    "e\u0301",
    "a\u0300\u0301\u0302\u0303\u0304",
    "\u202eevil",
    "<script>",
    "line\nfeed",
    "\u0644\u0645",
};
enum {
    ODD_NAMES = sizeof odd_names / sizeof odd_names[0]
};

START_TEST(a_name_that_can_not_be_set_leaves_the_number_of_its_seat)
{
    struct public_board board = board_of(5);
    (void)snprintf(board.seats[0].name, sizeof board.seats[0].name, "%s",
                   odd_names[_i]);
    struct board_picture picture = draw(&board);
    ck_assert(!picture.cut);
    board_picture_release(&picture);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("board_picture");
    TCase *tests = tcase_create("board_picture");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(tests, a_picture_is_a_png_file_of_at_most_60_kB,
                        PLAYERS_MIN, PLAYERS_MAX + 1);
    tcase_add_test(tests, the_same_board_is_the_same_file);
    tcase_add_test(tests, policies_have_the_colours_of_the_theme);
    tcase_add_loop_test(tests, whatever_changes_on_the_board_is_seen_and_said,
                        0, CHANGES);
    tcase_add_test(tests, the_alternative_text_says_all_that_is_there);
    tcase_add_loop_test(tests, every_word_of_every_language_and_theme_fits,
                        PLAYERS_MIN, PLAYERS_MAX + 1);
    tcase_add_loop_test(tests, a_word_that_is_too_long_is_told_of, 0, 5);
    tcase_add_loop_test(tests, no_name_leaves_its_place, 0, LONG_NAMES);
    tcase_add_loop_test(
        tests, a_name_that_can_not_be_set_leaves_the_number_of_its_seat, 0,
        ODD_NAMES);
    suite_add_tcase(suite, tests);
    return suite;
}
