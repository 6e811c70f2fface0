/* What the host has said last of each matter, in English, is still so. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bot/base/civil.h"
#include "tests/support/plays_inner.h"

#define NUMBER "([0-9]+)"
#define NAMES  "([^.:]*)"
#define TIME   "([A-Z][a-z]{2} [0-9]+ [A-Z][a-z]{2}, [0-9]{2}:[0-9]{2} UTC)"

enum {
    GROUPS = 5
};

/* Ways to speak of a matter, and which group is what is told of it. */
struct form {
    const char *pattern; /* NULL: no more */
    unsigned group;
};

static const struct form majority[] = {
    {"[Ii]t takes " NUMBER " Ja", 1},
    {NUMBER " of [0-9]+ must say Ja", 1},
    {NUMBER " Ja (elect|are enough)", 1},
    {NULL, 0},
};
static const struct form present[] = {
    {"[0-9] of " NUMBER " must say Ja", 1},
    {NUMBER " of you are left", 1},
    {"([A-Z][a-z]+) of you is left", 1},
    {"That (leaves|makes) ([a-z]+) of you", 2},
    {NULL, 0},
};
static const struct form tracker[] = {
    {"(The tracker goes to|The tracker is back to|Tracker:?) " NUMBER, 2},
    {NULL, 0},
};
static const struct form liberal[] = {{"Liberal " NUMBER " of 5", 1},
                                      {NULL, 0}};
static const struct form fascist[] = {{"Fascist " NUMBER " of 6", 1},
                                      {NULL, 0}};
static const struct form deck[] = {
    {"deck " NUMBER ", discarded", 1},
    {"discards back in: " NUMBER " in the deck", 1},
    {NULL, 0},
};
static const struct form discarded[] = {
    {"deck [0-9]+, discarded " NUMBER, 1},
    {NULL, 0},
};
static const struct form choices[] = {
    {"You can choose " NAMES "\\.", 1},
    {"Chancellor by [^.]*[0-9] [A-Z]+( \\([0-9:]+ UTC\\))?: " NAMES "\\.", 2},
    {"(someone|President)( by " TIME ")?: " NAMES ", in bold", 4},
    {NULL, 0},
};
static const struct form gained[] = {
    {"can choose " NAMES " now", 1},
    {NULL, 0},
};
static const struct form lost[] = {
    {"but not " NAMES " any more", 1},
    {"can no longer choose " NAMES "$", 1},
    {NULL, 0},
};
static const struct form due[] = {
    {"(vote|own,|else,|bold|someone|President|Chancellor|message,|policies) "
     "by " TIME,
     2},
    {"Nein![^ ]* by " TIME, 1},
    {"(session|and Chancellor [A-Za-z]+), until " TIME, 2},
    {"(have until|has until|left \\(until|again, until|still|deadline is) " TIME,
     2},
    {"policy is out(, please)? \\((by )?" TIME, 3},
    {NULL, 0},
};
static const struct form missing[] = {
    {"Missing: " NAMES "\\.", 1}, {"Not voted: " NAMES "\\.", 1}, {NULL, 0}};

/* What is told last of a matter, "" where nothing is; and where that ends. */
static const char *
last_said(const char *text, const struct form *forms, struct buf *told)
{
    const char *end = text;
    buf_clear(told);
    for (; forms->pattern != NULL; forms++) {
        regex_t pattern;
        regmatch_t groups[GROUPS];
        const char *at = text;
        if (regcomp(&pattern, forms->pattern, REG_EXTENDED) != 0) {
            abort();
        }
        while (regexec(&pattern, at, GROUPS, groups, 0) == 0) {
            const regmatch_t *group = &groups[forms->group];
            if (at + groups[0].rm_eo > end) {
                buf_clear(told);
                buf_add(told, at + group->rm_so,
                        (size_t)(group->rm_eo - group->rm_so));
                end = at + groups[0].rm_eo;
            }
            at += groups[0].rm_eo;
        }
        regfree(&pattern);
    }
    return end;
}

/* "6" or "six" */
static unsigned
number_of(const char *text)
{
    static const char *const words[] = {"no",    "one",  "two", "three",
                                        "four",  "five", "six", "seven",
                                        "eight", "nine", "ten"};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            return i;
        }
    }
    return (unsigned)strtoul(text, NULL, 10);
}

static bool
check_number(struct play *play, const char *what, const char *said,
             const struct form *forms, unsigned number)
{
    struct buf told = BUF_INIT;
    (void)last_said(said, forms, &told);
    bool good = told.len == 0 || number_of(buf_text(&told)) == number;
    if (!good) {
        play_fault(play, "the last word on %s is %s, and it is %u", what,
                   buf_text(&told), number);
    }
    buf_release(&told);
    return good;
}

/* The seats whose players are named in "Anna, Bob or Carl". */
static seat_set
named(const struct table *table, const char *text)
{
    seat_set seats = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, " ,");
        for (unsigned seat = 0; seat < table->seated; seat++) {
            const char *name = table->seats[seat].name;
            if (strlen(name) == len && memcmp(name, text, len) == 0) {
                seats |= (seat_set)(1U << seat);
            }
        }
        text += len;
        text += strspn(text, " ,");
    }
    return seats;
}

/* Who has taken the seat of somebody on the list has been told with it. */
static seat_set
in_place(const struct table *table, const char *said, const char *list)
{
    static const char takes[] = "! You take ";
    seat_set seats = 0;
    while ((said = strstr(said, takes)) != NULL) {
        struct buf out = BUF_INIT;
        const char *name = said;
        said += sizeof takes - 1;
        buf_add(&out, said, strcspn(said, "'"));
        while (name[-1] != ' ') {
            name--;
        }
        if (strstr(list, buf_text(&out)) != NULL) {
            buf_clear(&out);
            buf_add(&out, name, strcspn(name, "!"));
            seats |= named(table, buf_text(&out));
        }
        buf_release(&out);
    }
    return seats;
}

static bool
check_choices(struct play *play, const struct table *table, const char *said)
{
    struct buf told = BUF_INIT;
    seat_set can = game_awaits(&table->game).choices;
    said = last_said(said, choices, &told);
    seat_set seats = named(table, buf_text(&told));
    bool good = can == 0 || seats == 0;
    seats |= in_place(table, said, buf_text(&told));
    /* Each change since then, in its order. */
    for (const char *at = said; (at = strstr(at, " choose ")) != NULL; at++) {
        const char *begin = at;
        while (begin > said && begin[-1] != '.' && begin[-1] != '\n') {
            begin--;
        }
        struct buf one = BUF_INIT;
        buf_add(&one, begin, strcspn(begin, ".\n"));
        (void)last_said(buf_text(&one), gained, &told);
        seats |= named(table, buf_text(&told));
        (void)last_said(buf_text(&one), lost, &told);
        seats &= (seat_set)~named(table, buf_text(&told));
        buf_release(&one);
    }
    if (!good && seats != can) {
        play_fault(play, "the last word on who can be chosen is %x, not %x",
                   (unsigned)seats, (unsigned)can);
    }
    buf_release(&told);
    return good || seats == can;
}

static bool
check_missing(struct play *play, const struct table *table, const char *status)
{
    struct buf told = BUF_INIT;
    (void)last_said(status, missing, &told);
    bool good =
        told.len == 0 || table->game.question != QUESTION_VOTE ||
        named(table, buf_text(&told)) == game_awaits(&table->game).seats;
    if (!good) {
        play_fault(play, "the status post misses %s", buf_text(&told));
    }
    buf_release(&told);
    return good;
}

static bool
check_due(struct play *play, const struct table *table, const char *said)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed",
                                   "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    struct buf told = BUF_INIT;
    struct buf so = BUF_INIT;
    int64_t instant = table_told(table);
    (void)last_said(said, due, &told);
    if (told.len > 0 && instant != 0 && !table->paused && !table_waits(table) &&
        instant % MINUTE_MS == 0) {
        struct civil civil = civil_at(instant, zone_utc());
        buf_addf(&so, "%s %d %s, %02d:%02d UTC", days[civil.weekday], civil.day,
                 months[civil.month - 1], civil.hour, civil.minute);
    }
    bool good = so.len == 0 || strcmp(buf_text(&so), buf_text(&told)) == 0;
    if (!good) {
        play_fault(play, "the last word on the deadline is %s, and it is %s",
                   buf_text(&told), buf_text(&so));
    }
    buf_release(&told);
    buf_release(&so);
    return good;
}

/* ---- all of it ----------------------------------------------------------- */

struct reading {
    struct play *play;
    struct buf said, status; /* of the game's thread; the status post's */
};

static void
read_post(void *context, const struct board_post *seen)
{
    struct reading *reading = context;
    if (strcmp(seen->author, BOARD_HOST) == 0 &&
        strcmp(seen->place, play_thread(reading->play)) == 0) {
        bool status = seen->id == reading->play->status;
        struct buf *out = status ? &reading->status : &reading->said;
        play_add_visible(seen->text, out);
        buf_add_char(out, '\n');
    }
}

/* A board is known to be of now only while no cards are out. */
static bool
check_piles(struct play *play, const struct game *game, const char *said)
{
    return play_in_session(play) || game->question == QUESTION_VETO ||
           (check_number(play, "the deck", said, deck, game->draw.count) &&
            check_number(play, "the discards", said, discarded,
                         game->discarded_liberal + game->discarded_fascist));
}

static bool
check_said(struct play *play, const struct table *table, const char *said)
{
    const struct game *game = &table->game;
    return check_number(play, "the majority", said, majority,
                        game_majority(game)) &&
           check_number(play, "who is left", said, present,
                        (unsigned)__builtin_popcount(game_present(game))) &&
           check_number(play, "the tracker", said, tracker, game->tracker) &&
           check_number(play, "Liberal policies", said, liberal,
                        game->liberal) &&
           check_number(play, "Fascist policies", said, fascist,
                        game->fascist) &&
           check_piles(play, game, said) && check_choices(play, table, said) &&
           check_due(play, table, said);
}

bool
play_check_facts(struct play *play)
{
    struct reading reading = {play, BUF_INIT, BUF_INIT};
    const struct table *table =
        play_game(play) == NULL ? NULL : stage_table(play->stage);
    struct buf why = BUF_INIT;
    if (table == NULL || play->trouble != TROUBLE_NONE ||
        strcmp(table->settings.language, "en") != 0) {
        return true;
    }
    enum err err =
        board_read(play->stage->board, 0, "*", read_post, &reading, &why);
    bool good = play_works(play, err, &why) &&
                check_said(play, table, buf_text(&reading.said)) &&
                check_missing(play, table, buf_text(&reading.status));
    buf_release(&reading.said);
    buf_release(&reading.status);
    return good;
}
