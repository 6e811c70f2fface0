/*
 * Thousands of random games in which people come late, stay away, misbehave and
 * leave, moderators use all they have, the service fails and the host is
 * restarted.  After each post and each timer all of this must hold:
 *
 *   - no deadline has moved but for a question that opened, an act of a
 *     moderator or of the table, an outage, a player who can't be reached, or
 *     a power that was not used; and it was told, with the reason;
 *   - nobody who is executed, whose seat is vacant, or who was replaced is
 *     reminded, rung by the clock, or counted;
 *   - every secret is sent to exactly those who may have it;
 *   - the journal, read again, gives the same table; what is taken back is as
 *     it was;
 *
 * and at the end the verifier finds the record legal.  PLACARD_GAME=163
 * plays that one alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/table/deadline.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "tests/support/bare_host.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    PARTS = 20, /* each with a process of its own */
    GAMES = 120,
    STEPS_MAX = 300,
};

static struct bare_host bare_host;
static struct dice dice;
static unsigned seed;
static int64_t clock_at;            /* the service's, of the newest post */
static int64_t absent[PLAYERS_MAX]; /* by seat, until when */
static char text[256];
static const char *const outsiders[] = {"Ida", "Jan", "Kim", "Lea"};

static unsigned
below(unsigned bound)
{
    return dice_below(&dice, bound);
}

static bool
once_in(unsigned of)
{
    return below(of) == 0;
}

/* Fail, and tell what the host has just said. */
static void
complain(const char *what)
{
    struct buf said = BUF_INIT;
    for (unsigned i = 0; i < bare_host.ruling.message_count; i++) {
        const struct message *message = &bare_host.ruling.messages[i];
        if (message->kind == MESSAGE_POST || message->kind == MESSAGE_PRIVATE) {
            buf_addf(&said, "\n  | %s: %.400s",
                     message->kind == MESSAGE_POST ? "thread" : message->user,
                     message->text);
        }
    }
    ck_abort_msg("game %u, post %u (“%s”): %s%s", seed, bare_host.post_count,
                 text, what, buf_text(&said));
}

#define MUST(condition) ((condition) ? (void)0 : complain(#condition))

/* ---- the newest ruling --------------------------------------------------- */

static struct move
row_move(unsigned row)
{
    struct move move;
    struct buf why = BUF_INIT;
    const struct buf *written = &bare_host.ruling.rows[row].move;
    enum err err = move_read(buf_text(written), written->len, &move, &why);
    ck_assert_int_eq(err, ERR_NONE);
    return move;
}

/* The first row of a kind, from 0; -1: none. */
static int
find_row(enum move_kind kind, struct move *found)
{
    for (unsigned i = 0; i < bare_host.ruling.row_count; i++) {
        struct move move = row_move(i);
        if (move.kind == kind) {
            if (found != NULL) {
                *found = move;
            }
            return (int)i;
        }
    }
    return -1;
}

static bool
is_told(const char *what)
{
    for (unsigned i = 0; i < bare_host.ruling.message_count; i++) {
        const struct message *message = &bare_host.ruling.messages[i];
        if (message->kind == MESSAGE_POST &&
            strstr(message->text, what) != NULL) {
            return true;
        }
    }
    return false;
}

static bool
is_told_time(int64_t instant)
{
    struct buf out = BUF_INIT;
    catalogue_time(&bare_host.catalogue, instant, bare_host.env.zone, &out);
    bool told = is_told(buf_text(&out));
    buf_release(&out);
    return told;
}

/* ---- no deadline moves without cause ------------------------------------- */

static int64_t
computed_deadline(const struct table *table)
{
    return deadline_open(table, bare_host.env.zone);
}

/* What is told in public: in a session one time for both choices, and none
 * where the table waits without end. */
static bool
is_told_deadline(const struct table *table)
{
    return table_waits(table) || is_told_time(table_told(table));
}

static bool
may_moderate(const char *author)
{
    return author != NULL && strcmp(author, "Mo") == 0;
}

static void
check_cause(const struct move *move)
{
    const struct table *before = &bare_host.before;
    bool by_table =
        before->settings.table_moderates &&
        table_seat(before, bare_host.author == NULL ? "" : bare_host.author) !=
            NO_SEAT;
    switch (move->extended) {
    case EXTENDED_BY_MODERATOR:
        MUST(may_moderate(bare_host.author));
        break;
    case EXTENDED_BY_TABLE:
        MUST(by_table);
        MUST(bare_host.table.extensions == before->extensions + 1);
        MUST(bare_host.table.extensions <= 2);
        break;
    case EXTENDED_FOR_OUTAGE:
    case EXTENDED_FOR_TOO_FEW:
    case EXTENDED_FOR_CALL:
        MUST(bare_host.author == NULL);
        break;
    case EXTENDED_FOR_PLAYER:
        MUST(bare_host.author == NULL);
        MUST(before->waited_for != bare_host.table.waited_for);
        break;
    }
    MUST(move->text[0] != '\0');
}

/* The game goes on with the time that it had left, but ends at no quiet hour.
 */
static void
check_resumed(void)
{
    const struct table *before = &bare_host.before;
    const struct table *after = &bare_host.table;
    int64_t left = before->deadline - before->paused_at;
    int64_t due = deadline_moved(bare_host.env.now, left > 0 ? left : 0,
                                 &after->settings, bare_host.env.zone);
    MUST(after->deadline == due || (left < 0 && after->deadline <= due));
}

static void
check_time(void)
{
    const struct table *before = &bare_host.before;
    const struct table *after = &bare_host.table;
    struct move move;
    if (before->state != TABLE_RUNNING || after->state != TABLE_RUNNING) {
        return;
    }
    bool rewound = find_row(MOVE_REWIND, NULL) >= 0;
    bool opens = after->phase != before->phase;
    bool chosen = before->game.question == QUESTION_DISCARD &&
                  after->game.question == QUESTION_ENACT &&
                  find_row(MOVE_PLAY, &move) >= 0 && !move.command.lots;
    if (opens && chosen) {
        int64_t stood =
            before->paused ? bare_host.env.now - before->paused_at : 0;
        MUST(after->deadline == before->session_ends + stood);
    } else if (opens && !rewound) {
        MUST(after->deadline == computed_deadline(after));
    }
    if (find_row(MOVE_EXTEND, &move) >= 0) {
        check_cause(&move);
        MUST(is_told_deadline(after));
    } else if (find_row(MOVE_RING, &move) >= 0) {
        MUST(bare_host.author == NULL && !before->rung);
        MUST(is_told_time(after->deadline));
    } else if (find_row(MOVE_RESUME, &move) >= 0) {
        MUST(may_moderate(bare_host.author) ||
             before->settings.table_moderates);
        check_resumed();
        MUST(after->announced == NO_SEAT ? is_told_deadline(after)
                                         : is_told_time(after->announced_due));
    } else if (!opens) {
        MUST(after->deadline == before->deadline);
        MUST(after->session_ends == before->session_ends);
        MUST(after->opened == before->opened);
    } else if (after->game.question != QUESTION_ENACT || rewound) {
        MUST(is_told_deadline(after) || after->paused);
    }
}

/* ---- who is awaited ------------------------------------------------------ */

/* May somebody be rung who is not at the table: in reserve, a moderator, who
 * has just posted, come, been warned, or been executed? */
static bool
is_called_otherwise(const char *user)
{
    const struct ruling *ruling = &bare_host.ruling;
    struct move move;
    for (unsigned i = 0; i < ruling->event_count; i++) {
        if (ruling->events[i].kind == EVENT_EXECUTED &&
            table_seat(&bare_host.table, user) == ruling->events[i].target) {
            return true;
        }
    }
    return strcmp(user, "Mo") == 0 ||
           (bare_host.author != NULL && strcmp(user, bare_host.author) == 0) ||
           (find_row(MOVE_REPLACE, &move) >= 0 &&
            strcmp(user, move.user) == 0) ||
           (find_row(MOVE_WARN, &move) >= 0 && strcmp(user, move.user) == 0) ||
           table_reserve(&bare_host.before, user) != NO_SEAT ||
           table_reserve(&bare_host.table, user) != NO_SEAT;
}

static void
check_pings(const struct message *message)
{
    char list[2048];
    char *save = NULL;
    const struct table *table = &bare_host.before;
    snprintf(list, sizeof list, "%s",
             message->pings == NULL ? "" : message->pings);
    for (char *user = strtok_r(list, "\n", &save); user != NULL;
         user = strtok_r(NULL, "\n", &save)) {
        unsigned seat = table_seat(table, user);
        bool present = seat != NO_SEAT &&
                       seat_in(seat, game_present(&table->game) |
                                         game_present(&bare_host.table.game));
        MUST(present || is_called_otherwise(user));
        if (find_row(MOVE_REMIND, NULL) >= 0) {
            MUST(seat != NO_SEAT &&
                 seat_in(seat, game_awaits(&table->game).seats));
        }
    }
}

static void
check_vacated(const struct event *event)
{
    const struct table *after = &bare_host.table;
    if (bare_host.author == NULL) {
        MUST(after->settings.misses > 0 &&
             table_misses(after, event->seat) >= after->settings.misses);
    } else {
        MUST(may_moderate(bare_host.author));
    }
    MUST(after->state != TABLE_RUNNING || is_told("the seat") ||
         is_told("a seat"));
}

static void
check_people(void)
{
    const struct table *before = &bare_host.before;
    const struct table *after = &bare_host.table;
    const struct ruling *ruling = &bare_host.ruling;
    if (before->state != TABLE_RUNNING) {
        return;
    }
    struct awaits awaits = game_awaits(&after->game);
    MUST((awaits.seats & ~after->game.living) == 0);
    MUST((after->gallery & after->game.living) == 0);
    MUST((before->gallery & ~after->gallery) == 0);
    seat_set due =
        game_awaits(&before->game).seats & game_present(&before->game);
    for (unsigned seat = 0; seat < after->seated; seat++) {
        MUST(table_misses(after, seat) <= table_misses(before, seat) ||
             seat_in(seat, due) || ruling->undone);
    }
    for (unsigned i = 0; i < ruling->event_count; i++) {
        const struct event *event = &ruling->events[i];
        if (event->kind == EVENT_VACATED) {
            check_vacated(event);
        }
        if (event->kind == EVENT_ELECTION) {
            MUST(event->ja + event->nein <= seat_count(before->game.living));
            MUST(event->present <= seat_count(before->game.living));
        }
    }
    for (unsigned i = 0; i < ruling->message_count; i++) {
        if (after->state == TABLE_RUNNING &&
            ruling->messages[i].kind == MESSAGE_POST) {
            check_pings(&ruling->messages[i]);
        }
    }
}

/* ---- secrets ------------------------------------------------------------- */

/* Who may get a private message of the ruling, who must, and what with. */
struct mail {
    const char *user;
    char part[96]; /* the message holds it */
};
static struct mail mail[64];
static unsigned mail_count;

static void
expect(unsigned seat, const char *part)
{
    const struct table *table = &bare_host.table;
    if (seat >= table->seated || seat_in(seat, table->game.vacant)) {
        return;
    }
    ck_assert_uint_lt(mail_count, 64);
    mail[mail_count].user = table->seats[seat].user;
    TEXT_COPY(mail[mail_count].part, part);
    mail_count++;
}

/* "1 Fascist\n2 Liberal", a chancellor's Liberal first. */
static void
list_cards(struct pile cards, bool sorted, char *out, size_t size)
{
    unsigned liberals = pile_liberals(cards);
    size_t len = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < cards.count && i < 3; i++) {
        bool liberal = sorted ? i < liberals : pile_is_liberal(cards, i);
        len += (size_t)snprintf(out + len, size - len, "%s%u %s",
                                i == 0 ? "" : "\n", i + 1,
                                liberal ? "Liberal" : "Fascist");
    }
}

static bool
asks(unsigned seat)
{
    const struct game *game = &bare_host.table.game;
    return table_is_secret(&bare_host.table) &&
           bare_host.table.state == TABLE_RUNNING &&
           seat_in(seat, game_awaits(game).seats);
}

/* Everybody gets it, or everybody who is asked. */
static void
expect_all(bool asked, const char *part)
{
    for (unsigned seat = 0; seat < bare_host.table.seated; seat++) {
        if (!asked || asks(seat)) {
            expect(seat, part);
        }
    }
}

static void
expect_of_event(const struct event *event)
{
    const struct table *table = &bare_host.table;
    bool sealed = table->game.rules.ballot == BALLOT_SEALED;
    char cards[96];
    list_cards(event->cards, event->kind == EVENT_PASSED, cards, sizeof cards);
    switch ((enum event_kind)event->kind) {
    case EVENT_DEALT:
        expect_all(false, "your role is below");
        break;
    case EVENT_NOMINATED:
        if (sealed) {
            expect_all(true, "govern?");
        }
        break;
    case EVENT_VOTED:
        if (sealed) {
            expect(event->seat, "your vote is in");
        }
        break;
    case EVENT_HAND:
        if (asks(event->seat)) {
            expect(event->seat, cards);
        }
        break;
    case EVENT_PASSED:
        expect(event->seat, event->is_liberal ? "You discarded Liberal;"
                                              : "You discarded Fascist;");
        if (asks(event->target)) {
            expect(event->target, cards);
        }
        break;
    case EVENT_VETO_ASKED:
        expect(event->seat, "asked for a veto");
        break;
    case EVENT_VETO_ANSWERED:
        if (asks(table->game.chancellor)) {
            expect(table->game.chancellor, "you're Chancellor");
        }
        break;
    case EVENT_ENACTED:
        if (!event->by_chaos) {
            expect(event->target, "was discarded unseen");
        }
        break;
    case EVENT_INVESTIGATED:
        expect(event->seat, event->party == PARTY_LIBERAL
                                ? "belongs to the Liberal"
                                : "belongs to the Fascist");
        break;
    case EVENT_PEEKED:
        expect(event->seat, cards);
        break;
    case EVENT_ROUND:
    case EVENT_ELECTION:
    case EVENT_CLEARED:
    case EVENT_RESHUFFLED:
    case EVENT_POWER:
    case EVENT_SPECIAL_CALLED:
    case EVENT_EXECUTED:
    case EVENT_FORFEITED:
    case EVENT_LOTS:
    case EVENT_VACATED:
    case EVENT_FILLED:
    case EVENT_ENDED:
    case EVENT_KINDS:
        break;
    }
}

/* One nudge to a silent player; then their name to the moderators. */
static void
expect_of_prods(void)
{
    const struct place *place = &bare_host.place;
    for (unsigned i = 0; i < bare_host.ruling.row_count; i++) {
        struct move move = row_move(i);
        bool paused = move.kind == MOVE_PROD && bare_host.table.paused;
        if (move.kind != MOVE_PROD || (move.user[0] == '\0' && !paused)) {
            continue;
        }
        MUST(paused || move.prodded == PRODDED_PLAYER ||
             move.prodded == PRODDED_MODERATORS);
        if (move.prodded == PRODDED_PLAYER) {
            expect(table_seat(&bare_host.table, move.user),
                   "nobody has heard from you for ");
        }
        bool told = paused || move.prodded == PRODDED_MODERATORS;
        for (unsigned m = 0; told && m < place->moderator_count; m++) {
            ck_assert_uint_lt(mail_count, 64);
            mail[mail_count].user = place->moderators[m];
            TEXT_COPY(mail[mail_count].part, paused ? "has been paused since "
                                                    : "nobody has heard from ");
            mail_count++;
        }
    }
}

/* Who has been silent for a day is told with the reminder what happened. */
static void
expect_of_reminders(void)
{
    struct move move;
    if (find_row(MOVE_REMIND, &move) < 0) {
        return;
    }
    for (unsigned seat = 0; seat < bare_host.table.seated; seat++) {
        if (seat_in(seat, move.caught_up)) {
            expect(seat, "table 1: "); /* what has happened, or all */
        }
    }
}

static void
expect_of_rows(void)
{
    struct move move;
    expect_of_prods();
    expect_of_reminders();
    if (find_row(MOVE_REPLACE, &move) >= 0) {
        expect(table_seat(&bare_host.table, move.user), "You are ");
    }
    if (bare_host.ruling.undone) {
        for (unsigned seat = 0; seat < bare_host.table.seated; seat++) {
            if (asks(seat)) {
                expect(seat, "Answer ");
            }
        }
    }
    if (find_row(MOVE_REMIND, NULL) >= 0 &&
        bare_host.table.game.question != QUESTION_VOTE) {
        for (unsigned seat = 0; seat < bare_host.table.seated; seat++) {
            if (asks(seat)) {
                expect(seat, "The cards are in my last message");
            }
        }
    }
}

static bool
is_expected(const struct message *message)
{
    if (message->about != 0 && message->about != ABOUT_SEAT) {
        return true; /* how to do what the thread asks */
    }
    for (unsigned i = 0; i < mail_count; i++) {
        if (strcmp(mail[i].user, message->user) == 0) {
            return true;
        }
    }
    return false;
}

static bool
has_come(const struct mail *due)
{
    for (unsigned i = 0; i < bare_host.ruling.message_count; i++) {
        const struct message *message = &bare_host.ruling.messages[i];
        struct buf seen = BUF_INIT;
        bool found = false;
        if (message->kind == MESSAGE_PRIVATE &&
            strcmp(message->user, due->user) == 0) {
            visible_text(message->text, &seen);
            found = strstr(buf_text(&seen), due->part) != NULL;
        }
        buf_release(&seen);
        if (found) {
            return true;
        }
    }
    return false;
}

static void
check_public(const char *said)
{
    static const char *const secrets[] = {
        "belongs to the", "You are a ",   "You are [b]",  "1 Liberal\n",
        "1 Fascist\n",    "your role is", "You discarded"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        MUST(strstr(said, secrets[i]) == NULL);
    }
    MUST(strchr(said, '{') == NULL);
}

static void
check_secrets(void)
{
    const struct ruling *ruling = &bare_host.ruling;
    mail_count = 0;
    for (unsigned i = 0; i < ruling->event_count; i++) {
        expect_of_event(&ruling->events[i]);
    }
    expect_of_rows();
    for (unsigned i = 0; i < ruling->message_count; i++) {
        const struct message *message = &ruling->messages[i];
        if (message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS) {
            check_public(message->text);
        }
        if (message->kind == MESSAGE_PRIVATE) {
            MUST(is_expected(message) ||
                 (bare_host.author != NULL &&
                  strcmp(bare_host.author, message->user) == 0));
        }
    }
    for (unsigned i = 0; i < mail_count; i++) {
        ck_assert_msg(has_come(&mail[i]),
                      "game %u, post %u (“%s”): %s has not "
                      "got “%s”",
                      seed, bare_host.post_count, text, mail[i].user,
                      mail[i].part);
    }
}

/* ---- undone and replayed ------------------------------------------------- */

/* What was taken back is as it was, but for the cards that somebody knew, and
 * has its whole time again. */
static void
check_undone(void)
{
    struct move move;
    if (!bare_host.ruling.undone || find_row(MOVE_REWIND, &move) < 0) {
        return;
    }
    const struct table *past = &bare_host.tables[move.row - 1];
    struct game was = past->game;
    struct game is = bare_host.table.game;
    bool known = past->shown != bare_host.before.shown;
    if (known) {
        MUST(pile_liberals(was.draw) == pile_liberals(is.draw));
        was.draw = is.draw;
    }
    was.resume = is.resume = 0; /* of the reshuffle */
    was.resumed_question = is.resumed_question = 0;
    MUST(memcmp(&was, &is, sizeof was) == 0);
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        const struct seat *before = &past->seats[seat];
        const struct seat *now = &bare_host.table.seats[seat];
        MUST(before->misses == now->misses);
        MUST(before->votes_missed == now->votes_missed);
    }
    MUST(bare_host.table.deadline == computed_deadline(&bare_host.table));
    MUST(bare_host.table.opened == bare_host.env.now);
    MUST(bare_host.table.paused == bare_host.before.paused);
}

static void
check_replay(void)
{
    struct table again;
    table_init(&again);
    MUST(bare_host_replay(&bare_host, &again));
    MUST(table_equal(&again, &bare_host.table));
    table_release(&again);
}

static void
check_all(void)
{
    check_time();
    check_people();
    check_secrets();
    check_undone();
}

static void
check_record(void)
{
    struct buf lines = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record record = {.game_count = 0};
    struct verdict verdict;
    bare_host_record(&bare_host, &lines);
    enum err err = record_read(buf_text(&lines), lines.len, &record, &why);
    ck_assert_msg(err == ERR_NONE, "game %u: %s", seed, buf_text(&why));
    verify_game(&record.games[0], &verdict);
    ck_assert_msg(verdict.legality == (bare_host.table.state == TABLE_OVER
                                           ? LEGALITY_FINISHED
                                           : LEGALITY_SO_FAR),
                  "game %u: seq %u of the record, %s (%s): %s", seed,
                  verdict.seq, verdict.kind, verdict.rule,
                  buf_text(&verdict.why));
    verdict_release(&verdict);
    record_release(&record);
    buf_release(&lines);
}

/* ---- what happens -------------------------------------------------------- */

/* All timers fire that are due before an instant of the service's. */
static void
let_pass(int64_t until)
{
    for (;;) {
        struct timer timer = table_timer(&bare_host.table);
        if (timer.kind == TIMER_NONE || timer.at >= until) {
            return;
        }
        TEXT_COPY(text, "a timer");
        bare_host_fire(&bare_host, until - 1);
        check_all();
    }
}

/* It is later; the host may read it later still. */
static void
go_on(void)
{
    static const int64_t paces[] = {MINUTE_MS, 10 * MINUTE_MS, HOUR_MS,
                                    10 * HOUR_MS, 30 * HOUR_MS};
    unsigned pace = below(20);
    pace = pace < 10 ? 0 : pace < 16 ? 1 : pace < 18 ? 2 : pace == 18 ? 3 : 4;
    clock_at += 1 + (int64_t)(paces[pace] / 1000 * (1 + below(1000)));
    int64_t late = once_in(12) ? (int64_t)below(7200) * SECOND_MS : 0;
    if (bare_host.env.now < clock_at + late) {
        bare_host.env.now = clock_at + late;
    }
    let_pass(clock_at);
}

static void
says(const char *who, bool dm)
{
    bare_host_post(&bare_host, who, dm, text, clock_at);
    check_all();
}

/* What a person who is awaited answers; true: in private. */
static bool
answer(const struct awaits *awaits)
{
    const struct table *table = &bare_host.table;
    bool yes = below(3) > 0;
    switch (awaits->question) {
    case QUESTION_VOTE:
        if (table->game.rules.ballot == BALLOT_SEALED) {
            TEXT_COPY(text, yes ? "Ja" : "Nein");
            return true;
        }
        TEXT_COPY(text, yes ? "**Ja!**" : "**Nein!**");
        return false;
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        if (awaits->may_veto && once_in(2)) {
            TEXT_COPY(text, "veto");
        } else {
            snprintf(text, sizeof text, "%s %u",
                     awaits->question == QUESTION_DISCARD ? "discard" : "enact",
                     below(awaits->cards) + 1);
        }
        return true;
    case QUESTION_VETO:
        TEXT_COPY(text, yes ? "**Declined**" : "**Approved**");
        return false;
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        snprintf(text, sizeof text, "**%s**",
                 awaits->choices == 0
                     ? "nobody"
                     : table->seats[dice_seat(&dice, awaits->choices)].name);
        return false;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    TEXT_COPY(text, "hm");
    return false;
}

/* Somebody who is awaited and not away answers; false: nobody is there. */
static bool
somebody_answers(void)
{
    const struct table *table = &bare_host.table;
    struct awaits awaits = game_awaits(&table->game);
    seat_set there = awaits.seats & game_present(&table->game);
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (absent[seat] > clock_at) {
            there &= (seat_set)~seat_bit(seat);
        }
    }
    if (there == 0) {
        return false;
    }
    unsigned seat = dice_seat(&dice, there);
    bool dm = answer(&awaits);
    says(table->seats[seat].user, dm);
    return true;
}

static const char *
some_player(void)
{
    return bare_host.table.seats[below(bare_host.table.seated)].name;
}

/* Write a text in which @ is a player's name, # the number of a post. */
static void
write_command(const char *form)
{
    struct buf out = BUF_INIT;
    for (; *form != '\0'; form++) {
        if (*form == '@') {
            buf_add_text(&out, some_player());
        } else if (*form == '#') {
            unsigned posts = bare_host.post_count;
            buf_add_number(&out, posts - below(posts < 12 ? posts + 1 : 12));
        } else {
            buf_add_char(&out, *form);
        }
    }
    TEXT_COPY(text, buf_text(&out));
    buf_release(&out);
}

static void
player_interferes(void)
{
    static const char *const posts[] = {
        "**Ja!**",
        "**Nein!**",
        "**@**",
        "I would name @.",
        "!status",
        "!help",
        "!votes",
        "!history",
        "!claim FFL FL",
        "!away 3d",
        "!leave",
        "!join",
        "!reserve",
        "!agree",
        "!extend 6h",
        "!pause",
        "!resume",
        "!replace @",
        "!end",
        "**Veto**",
        "discard 1",
        "**Approved**",
        "!why #",
        "!undo",
        "Secret Hitler, table 1: I am it, says @"};
    static const char *const dms[] = {"discard 1", "enact F",     "Ja",
                                      "veto",      "!role",       "!status",
                                      "!gallery",  "who are you?"};
    const char *who = bare_host.table.seats[below(bare_host.table.seated)].user;
    if (once_in(4)) {
        TEXT_COPY(text, dms[below(sizeof dms / sizeof dms[0])]);
        says(who, true);
    } else {
        write_command(posts[below(sizeof posts / sizeof posts[0])]);
        says(who, false);
    }
}

static void
outsider_interferes(void)
{
    static const char *const posts[] = {"!reserve", "!join",     "!reserve",
                                        "!join",    "!help",     "!leave",
                                        "**Ja!**",  "!extend 2h"};
    TEXT_COPY(text, posts[below(sizeof posts / sizeof posts[0])]);
    says(outsiders[below(4)], once_in(8));
}

static void
moderator_interferes(void)
{
    static const char *const posts[] = {
        "!pause",
        "!pause a storm",
        "!resume",
        "!resume",
        "!extend 12h",
        "!extend 1m",
        "!deadline \"20:00\"",
        "!deadline \"Sun 03:00\"",
        "!deadline \"2026-01-01 10:00\"",
        "!vacate @",
        "!replace @",
        "!replace @ with Jan",
        "!choose @ nominate @",
        "!choose @ target @",
        "!choose @ lots",
        "!void #",
        "!count # ja",
        "!undo",
        "!undo",
        "!undo #",
        "!set grace=1h",
        "!set reminders=2h",
        "!set election=36h",
        "!set misses=1",
        "!set quiet=22:00-08:00",
        "!block @",
        "!block Jan",
        "!unblock Jan",
        "!warn @ no insults",
        "!warnings",
        "!why #",
    };
    write_command(posts[below(sizeof posts / sizeof posts[0])]);
    says("Mo", false);
}

/* What waits for a yes, or for agreement, mostly gets it. */
static void
somebody_confirms(void)
{
    const struct table *table = &bare_host.table;
    if (table_seat(table, table->asked[0].user) != NO_SEAT && !once_in(8)) {
        TEXT_COPY(text, "!agree");
        says(table->seats[below(table->seated)].user, false);
    } else {
        snprintf(text, sizeof text, "!yes %u", table->asked[0].number);
        says("Mo", false);
    }
}

static void
trouble(void)
{
    if (once_in(2)) {
        int64_t length = MINUTE_MS * (int64_t)(30 + below(400));
        struct outage gap = {.from = clock_at - length,
                             .to = clock_at,
                             .outage = once_in(2) ? length : 0};
        TEXT_COPY(text, "a gap");
        bare_host_gap(&bare_host, &gap);
    } else {
        TEXT_COPY(text, "a letter is refused");
        bare_host_missed(
            &bare_host,
            bare_host.table.seats[below(bare_host.table.seated)].user);
    }
    check_all();
}

static void
step(void)
{
    unsigned what = below(100);
    go_on();
    if (bare_host.table.state != TABLE_RUNNING) {
        return;
    }
    if (once_in(40)) {
        absent[below(bare_host.table.seated)] =
            clock_at + (int64_t)(1 + below(72)) * HOUR_MS;
    }
    if (bare_host.table.asked[0].number != 0 && what < 50) {
        somebody_confirms();
    } else if (what < 3) {
        trouble();
    } else if (what < 10) {
        moderator_interferes();
    } else if (what < 13) {
        outsider_interferes();
    } else if (what < 22 || !somebody_answers()) {
        player_interferes();
    }
}

/* ---- a game -------------------------------------------------------------- */

static void
set(const char *key, const char *value)
{
    struct buf why = BUF_INIT;
    enum err err = settings_set(&bare_host.place.settings, key, value, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

/* Choose one of a few settings, "" being the default. */
static void
choose(const char *key, const char *const *values, unsigned count)
{
    const char *value = values[below(count)];
    if (value[0] != '\0') {
        set(key, value);
    }
}

#define CHOOSE(key, ...)                                                       \
    choose((key), (const char *const[]){__VA_ARGS__},                          \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void
choose_settings(void)
{
    settings_defaults(&bare_host.place.settings);
    set("ready_check", "off");
    set("thread", "here");
    set("red", "accepted");
    CHOOSE("rules", "play-by-post", "official", "french");
    CHOOSE("ballot", "", "open", "sealed");
    CHOOSE("vote_closes", "", "majority", "decided", "all");
    CHOOSE("vote_min", "", "", "1h", "8h", "30h");
    CHOOSE("prod", "", "", "2h", "36h");
    CHOOSE("misses", "", "", "0", "1", "3");
    CHOOSE("cards_timeout", "", "", "", "wait");
    CHOOSE("power_timeout", "", "lots", "wait", "forfeit");
    CHOOSE("second_thought", "", "0");
    CHOOSE("reminders", "", "3h, 30m");
    CHOOSE("grace", "", "", "1h");
    CHOOSE("zone", "UTC", "UTC", "Europe/Berlin", "Australia/Lord_Howe");
    CHOOSE("quiet", "", "", "23:00-07:00", "01:00-05:00");
    CHOOSE("daily", "", "", "", "21:00");
    CHOOSE("days_off", "", "", "", "Sat Sun");
    CHOOSE("moderation", "moderators", "moderators", "table");
    CHOOSE("gallery", "", "on", "roles");
    CHOOSE("report", "", "", "on");
    CHOOSE("seats", "", "random");
    CHOOSE("election", "", "", "2d", "30m");
    if (bare_host.place.settings.election <
        bare_host.place.settings.nomination) {
        set("nomination", "10m");
    }
}

/* Before the start the rules may be set, and how many play. */
static void
somebody_sets(unsigned players)
{
    static const char *const posts[] = {
        "!set rules=play-by-post", "!set rules=official",
        "!set rules=french",       "!set ballot=open",
        "!set ballot=sealed",      "!set vote_closes=decided",
        "!set term_limit=",        "!set tracker_resets_on=policy",
        "!set players=5",          "!set misses=2",
        "!set vote_min=3h",        "!set prod=5h",
    };
    TEXT_COPY(text, posts[below(sizeof posts / sizeof posts[0])]);
    if (players == 5 || strcmp(text, "!set players=5") != 0) {
        says("Mo", false);
    }
}

static void
begin_game(void)
{
    unsigned players = 5 + below(6);
    memset(absent, 0, sizeof absent);
    choose_settings();
    /* Somewhere in the year, so that the clocks change now and then. */
    (void)instant_read("2026-01-01T10:00:00Z", &clock_at);
    clock_at += (int64_t)below(360 * 24) * HOUR_MS;
    bare_host_clear(&bare_host, seed, clock_at);
    snprintf(text, sizeof text, "!new players=%u", players);
    says("Mo", false);
    for (unsigned i = 0; i < players; i++) {
        clock_at += SECOND_MS;
        bare_host.env.now = clock_at;
        if (once_in(4)) {
            somebody_sets(players);
        }
        TEXT_COPY(text, "!join");
        says(room_player(i), false);
    }
    bare_host_deal(&bare_host);
    check_all();
    ck_assert_int_eq(bare_host.table.state, TABLE_RUNNING);
}

static void
end_game(void)
{
    for (unsigned i = 0; i < 8 && bare_host.table.state == TABLE_RUNNING; i++) {
        go_on();
        TEXT_COPY(text, "!end");
        says("Mo", false);
        /* Their own, the newest: players may have asked for something too. */
        snprintf(text, sizeof text, "!yes %u", bare_host.table.asks);
        says("Mo", false);
    }
    ck_assert_int_eq(bare_host.table.state, TABLE_OVER);
}

static void
play_game(void)
{
    dice.state = seed;
    begin_game();
    for (unsigned i = 0;
         i < STEPS_MAX && bare_host.table.state == TABLE_RUNNING; i++) {
        step();
        if (once_in(60)) {
            check_replay(); /* the host starts again */
        }
    }
    check_replay();
    if (once_in(2)) {
        check_record(); /* unfinished, or not */
    }
    if (bare_host.table.state == TABLE_RUNNING) {
        end_game();
    }
    check_replay();
    check_record();
}

START_TEST(whatever_happens_the_office_keeps_its_word)
{
    unsigned each = (effort_of(GAMES) + PARTS - 1) / PARTS;
    const char *one = getenv("PLACARD_GAME");
    bare_host_init(&bare_host);
    for (unsigned i = 0; i < each; i++) {
        seed = (unsigned)_i * each + i;
        if (one != NULL) {
            seed = (unsigned)strtoul(one, NULL, 10);
            i = each;
        }
        play_game();
    }
    bare_host_release(&bare_host);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("sim/chat_commands");
    TCase *tcase = tcase_create("chat commands");
    tcase_add_loop_test(tcase, whatever_happens_the_office_keeps_its_word, 0,
                        PARTS);
    suite_add_tcase(suite, tcase);
    return suite;
}
