#include "bot/host/table/outline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS = 8,
    DIGITS = 16, /* of each number, in hex: their length tells nothing */
    HEAD = NUMBERS * (DIGITS + 1),
};

/* The first of the numbers.  Raise it if a new version would take another
 * outline of the same table. */
#define VERSION 5

/* ---- taking it ----------------------------------------------------------- */

/* Point the strings into the texts; false: there are not so many. */
static bool
set_strings(struct outline *outline)
{
    const char *at = outline->texts;
    const char *past = at + outline->texts_len;
    const char **strings[2 + PLAYERS_MAX + TABLE_MODERATORS_MAX] = {
        &outline->thread, &outline->home};
    unsigned count = 2;
    memset(outline->people, 0, sizeof outline->people);
    memset(outline->moderators, 0, sizeof outline->moderators);
    for (unsigned i = 0; i < outline->seated; i++) {
        strings[count++] = &outline->people[i];
    }
    for (unsigned i = 0; i < outline->moderator_count; i++) {
        strings[count++] = &outline->moderators[i];
    }
    for (unsigned i = 0; i < count && at < past; i++) {
        *strings[i] = at;
        at += strlen(at) + 1;
    }
    return at == past && *strings[count - 1] != NULL;
}

/* Copy the texts; false: they are not as many as there are people. */
static bool
set_texts(struct outline *outline, const char *texts, size_t len)
{
    free(outline->texts);
    outline->texts = must_alloc(len);
    outline->texts_len = len;
    memcpy(outline->texts, texts, len);
    return set_strings(outline);
}

static void
add_string(struct buf *texts, const char *string)
{
    buf_add(texts, string, strlen(string) + 1);
}

static void
take_texts(struct outline *outline, const struct table *table)
{
    struct buf texts = BUF_INIT;
    add_string(&texts, table->thread);
    add_string(&texts, table->home);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        add_string(&texts, table->seats[seat].user);
    }
    for (unsigned i = 0; i < table->moderator_count; i++) {
        add_string(&texts, table->moderators[i]);
    }
    outline->seated = table->seated;
    outline->moderator_count = table->moderator_count;
    (void)set_texts(outline, texts.data, texts.len);
    buf_release(&texts);
}

/* Does time end what is open at a table? */
static bool
has_end(const struct table *table)
{
    return table_is_coming(table) ? table_coming_ends(table) != 0
                                  : table->state == TABLE_RUNNING &&
                                        !table->paused && table->deadline != 0;
}

/* When what is open was put: the question, or the execution that was announced
 * later; 0: no time ends it. */
static int64_t
put_at(const struct table *table)
{
    bool aimed = table->state == TABLE_RUNNING && table->announced != NO_SEAT;
    int64_t announced = aimed ? table->announced_due - table->thought : 0;
    int64_t last = announced > table->opened ? announced : table->opened;
    return has_end(table) ? last : 0;
}

/* Does the next vote not end the open one?  The host may end it before the
 * engine would. */
static bool
vote_goes_on(const struct table *table)
{
    struct game game = table->game;
    if (table->held_until != 0) {
        game.rules.vote_closes = table->vote_closes;
    }
    return game_vote_goes_on(&game);
}

/* Is a free seat offered where the table was opened? */
static bool
offers_seat(const struct table *table)
{
    return table->state == TABLE_RUNNING && table->home[0] != '\0' &&
           table->settings.advertises && table_open_seats(table) != 0;
}

void
outline_take(struct outline *outline, const struct table *table)
{
    bool running = table->state == TABLE_RUNNING;
    take_texts(outline, table);
    outline->state = table->state;
    outline->opening = table->opening;
    outline->offers = offers_seat(table);
    outline->timer = table_timer(table);
    outline->since = table->since;
    outline->opened = put_at(table);
    outline->untold_since = table->untold_since;
    outline->secret = table_is_secret(table);
    outline->voting = running && !outline->secret && vote_goes_on(table);
    outline->private_seats = table_private_seats(table);
    outline->asked = running ? game_awaits(&table->game).seats : 0;
}

bool
outline_same_people(const struct outline *one, const struct outline *two)
{
    return one->seated == two->seated &&
           one->moderator_count == two->moderator_count &&
           one->texts_len == two->texts_len &&
           memcmp(one->texts, two->texts, one->texts_len) == 0;
}

void
outline_set_thread(struct outline *outline, const char *thread)
{
    struct buf texts = BUF_INIT;
    size_t old = strlen(outline->thread) + 1;
    add_string(&texts, thread);
    buf_add(&texts, outline->texts + old, outline->texts_len - old);
    (void)set_texts(outline, texts.data, texts.len);
    buf_release(&texts);
}

void
outline_release(struct outline *outline)
{
    free(outline->texts);
    memset(outline, 0, sizeof *outline);
}

/* ---- as it is saved ------------------------------------------------------ */

enum {
    FLAG_SECRET = 1,
    FLAG_VOTING = 2,
    FLAG_OPENING = 4,
    FLAG_UNTOLD = 8,
    FLAG_OFFERS = 16,
};

void
outline_write(const struct outline *outline, struct buf *out)
{
    int64_t flags = (outline->secret ? FLAG_SECRET : 0) |
                    (outline->voting ? FLAG_VOTING : 0) |
                    (outline->opening ? FLAG_OPENING : 0) |
                    (outline->untold_since != 0 ? FLAG_UNTOLD : 0) |
                    (outline->offers ? FLAG_OFFERS : 0);
    int64_t numbers[NUMBERS] = {
        VERSION,
        flags << 16 | (int64_t)outline->state << 8 | outline->timer.kind,
        outline->timer.at,
        outline->since,
        outline->opened,
        outline->private_seats,
        outline->asked,
        outline->seated << 8 | outline->moderator_count,
    };
    for (unsigned i = 0; i < NUMBERS; i++) {
        buf_addf(out, "%016" PRIx64 " ", (uint64_t)numbers[i]);
    }
    buf_add(out, outline->texts, outline->texts_len);
}

/* Read the numbers; false: they are none. */
static bool
read_numbers(const char *text, int64_t *numbers)
{
    for (unsigned i = 0; i < NUMBERS; i++) {
        const char *at = text + (size_t)i * (DIGITS + 1);
        char *end = NULL;
        numbers[i] = (int64_t)strtoull(at, &end, 16);
        if (end != at + DIGITS || *end != ' ') {
            return false;
        }
    }
    return numbers[0] == VERSION;
}

static bool
set_numbers(struct outline *outline, const int64_t *numbers)
{
    int64_t flags = numbers[1] >> 16;
    outline->secret = (flags & FLAG_SECRET) != 0;
    outline->voting = (flags & FLAG_VOTING) != 0;
    outline->opening = (flags & FLAG_OPENING) != 0;
    outline->untold_since = (flags & FLAG_UNTOLD) != 0;
    outline->offers = (flags & FLAG_OFFERS) != 0;
    outline->state = (enum table_state)(numbers[1] >> 8 & 0xFF);
    outline->timer.kind = (enum timer_kind)(numbers[1] & 0xFF);
    outline->timer.at = numbers[2];
    outline->since = numbers[3];
    outline->opened = numbers[4];
    outline->private_seats = (seat_set)numbers[5];
    outline->asked = (seat_set)numbers[6];
    outline->seated = (unsigned)(numbers[7] >> 8 & 0xFF);
    outline->moderator_count = (unsigned)(numbers[7] & 0xFF);
    return outline->state <= TABLE_OVER &&
           outline->timer.kind <= TIMER_DEADLINE &&
           outline->seated <= PLAYERS_MAX &&
           outline->moderator_count <= TABLE_MODERATORS_MAX;
}

bool
outline_read(const char *text, size_t len, struct outline *outline)
{
    int64_t numbers[NUMBERS];
    bool good = len > HEAD && text[len - 1] == '\0' &&
                read_numbers(text, numbers) && set_numbers(outline, numbers) &&
                set_texts(outline, text + HEAD, len - HEAD);
    if (!good) {
        outline_release(outline);
    }
    return good;
}
