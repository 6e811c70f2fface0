/*
 * The deadlines of a round are one chain: what is given back to one phase is
 * taken from none, and it is given once.
 *
 * Games at random, in which outages, late questions, people who can't be
 * reached, moderators and pauses move the deadline of every kind of question.
 * A model beside them says by how much each of these moves it, and what that
 * leaves to the next question.  Without quiet hours, days off and a daily hour
 * each deadline is just that; with them it is no earlier, and no more than a
 * few days later.  Whatever is told in public is when time is up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/table/deadline.h"
#include "tests/support/bare_host.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    PARTS = 4, /* each with a process of its own */
    GAMES = 160,
    QUESTIONS_MAX = 60,
};

static struct bare_host bare_host;
static const struct table *const table = &bare_host.table;
static const struct settings *const set = &bare_host.table.settings;
static struct dice dice;
static unsigned seed;
static const char *act; /* the latest */
static char text[64];
static bool plain; /* no quiet hours, days off, daily hour */

/* What is expected. */
static struct {
    unsigned phase;
    enum question question;
    int64_t round;  /* when its nomination was put, later by its pauses */
    int64_t opened; /* the question */
    int64_t due, length;
    int64_t told, began; /* the end of the session; when its cards were there */
    int64_t late;        /* the chancellor's deadline, who was called late */
    int64_t paused_at;
    bool by_people; /* the deadline, or the end of the session, was set */
} model;

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

static int64_t
later(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

#define MUST(condition)                                                        \
    ((condition)                                                               \
         ? (void)0                                                             \
         : ck_abort_msg("game %u, question %u (%d), %s: %s", seed,             \
                        table->phase, table->game.question, act, #condition))

static bool
in_session(void)
{
    return model.question == QUESTION_DISCARD ||
           model.question == QUESTION_ENACT;
}

static int64_t
now(void)
{
    return bare_host.env.now;
}

static void
goes_on(int64_t time)
{
    bare_host.env.now += time;
}

/* A part of so much time. */
static int64_t
some(int64_t time)
{
    return time / 1000 * (int64_t)below(1000);
}

/* ---- what must hold ------------------------------------------------------ */

/* It is as expected, or as much later as the calendar wants it. */
static void
must_be(int64_t found, int64_t *expected, int64_t daily)
{
    if (plain) {
        MUST(found == *expected);
    }
    MUST(found >= *expected - (set->daily[0] == '\0' ? 0 : daily));
    MUST(found <= *expected + 5 * DAY_MS);
    *expected = found;
}

static void
must_agree(void)
{
    must_be(table->deadline, &model.due, 0);
    MUST(table->called_until == 0 || model.late != 0);
    if (model.late != 0) {
        must_be(table->called_until, &model.late, 0);
    }
    if (in_session() || model.question == QUESTION_VETO) {
        must_be(table->session_ends, &model.told, 0);
    }
    MUST(table_told(table) == (in_session() ? model.told : model.due));
}

/* The open question has more time, and so has what comes after it. */
static void
is_given(int64_t time)
{
    model.due += time;
    model.told += time;
    model.late += model.late == 0 ? 0 : time;
    must_agree();
}

/* The chancellor has the rest of the session, and nobody sees when the
 * president chose; but never less than their own time, unless people set its
 * end. */
static void
expect_enact(bool chose)
{
    int64_t whole = set->chancellor - set->chancellor / 20;
    bool kept = model.told - now() >= (chose && model.by_people ? 1 : whole);
    model.by_people = model.by_people && chose;
    if (kept) {
        MUST(table->session_ends == model.told);
        model.due = model.told;
    } else {
        model.due = now() + set->chancellor;
        must_be(table->deadline, &model.due, set->chancellor / 24);
        model.told = model.due;
    }
}

static void
expect_vote(int64_t stood)
{
    int64_t given = model.due - (model.round + set->nomination);
    int64_t least = now() + set->election - set->nomination;
    int64_t whole = model.round + stood + later(given, 0) + set->election;
    model.due = later(least, whole);
    must_be(table->deadline, &model.due, set->election / 24);
}

/* Of another question its own time is expected. */
static void
expect(int64_t length)
{
    model.due = now() + length;
    must_be(table->deadline, &model.due, length / 24);
}

/* A question has opened. */
static void
opens(void)
{
    enum question before = model.question;
    int64_t stood = table->paused ? now() - model.paused_at : 0;
    model.question = (enum question)table->game.question;
    model.phase = table->phase;
    model.opened = now();
    model.paused_at = now();
    model.late = 0;
    model.told += stood;
    switch (model.question) {
    case QUESTION_NOMINATE:
        model.round = now();
        expect(set->nomination);
        break;
    case QUESTION_VOTE:
        expect_vote(stood);
        break;
    case QUESTION_DISCARD:
        expect(set->president);
        model.began = now();
        model.told = model.due + set->grace + set->chancellor;
        must_be(table->session_ends, &model.told, set->chancellor / 24);
        break;
    case QUESTION_ENACT:
        expect_enact(before == QUESTION_DISCARD);
        break;
    case QUESTION_VETO:
        expect(set->veto);
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        expect(set->power);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        MUST(false);
        break;
    }
    model.by_people = model.by_people && model.question == QUESTION_ENACT;
    model.length = model.due - now();
    must_agree();
}

/* Has something opened another question? */
static bool
has_opened(void)
{
    if (table->state != TABLE_RUNNING) {
        return true;
    }
    if (table->phase == model.phase) {
        return false;
    }
    opens();
    return true;
}

/* ---- what gives time ----------------------------------------------------- */

/* The question comes late; the chancellor's, before the session is over. */
static void
comes_late(void)
{
    bool enact = model.question == QUESTION_ENACT;
    int64_t length = enact && set->chancellor < model.length ? set->chancellor
                                                             : model.length;
    goes_on(enact ? some(model.due - now()) : some(2 * length));
    int64_t by = now() + length - model.due;
    bool stays = by <= length / 20 ||
                 (model.by_people && model.due - now() >= length / 2);
    bare_host_called(&bare_host);
    int64_t is = enact && table->called_until != 0 ? table->called_until
                                                   : table->deadline;
    if (!plain) { /* a daily hour may leave it where half is left */
        MUST(is >= model.due && is - now() >= length / 2);
        stays = is == model.due;
        by = is - model.due;
    }
    if (enact) {
        model.late = stays ? 0 : model.due + by;
        must_agree();
        return;
    }
    model.began = stays ? model.began : now();
    is_given(stays ? 0 : by);
}

/* Nothing could be read. */
static void
is_away(int64_t from, int64_t to)
{
    struct outage gap = {.from = from, .to = to};
    int64_t given = 0;
    if (table->paused) {
        given = 0;
    } else if (in_session()) {
        bool soon = to <= model.began + set->president / 20;
        given = from >= model.told || (from < model.began && soon)
                    ? 0
                    : to - later(from, model.began);
    } else if (from < model.due && to > model.due - model.length / 4) {
        given = to - from;
    }
    bare_host_gap(&bare_host, &gap);
    is_given(given);
}

static void
cannot_be_reached(void)
{
    bool asks =
        model.question == QUESTION_DISCARD || model.question == QUESTION_ENACT;
    unsigned seat = model.question == QUESTION_DISCARD ? table->game.president
                                                       : table->game.chancellor;
    int64_t until = now() + set->undeliverable;
    bool waits = asks && until > model.due && !seat_in(seat, table->waited_for);
    if (asks) {
        bare_host_missed(&bare_host, table->seats[seat].user);
        is_given(waits ? until - model.due : 0);
    }
}

static void
is_extended(void)
{
    unsigned hours = 1 + below(30);
    (void)snprintf(text, sizeof text, "!extend %uh", hours);
    bare_host_post(&bare_host, "Mo", false, text, now());
    model.by_people = true;
    is_given(hours * HOUR_MS);
}

/* In a session both choices end at once: the president's share is as much
 * before it, but at least half. */
static void
is_set(void)
{
    int64_t until = now() + (int64_t)(10 + below(3000)) * MINUTE_MS;
    until -= until % MINUTE_MS;
    struct civil civil = civil_at(until, bare_host.env.zone);
    (void)snprintf(text, sizeof text, "!deadline \"%04d-%02d-%02d %02d:%02d\"",
                   (int)civil.year, civil.month, civil.day, civil.hour,
                   civil.minute);
    int64_t due = until;
    if (in_session()) {
        due = later(until - (model.told - model.due),
                    now() + (until - now()) / 2);
    }
    bare_host_post(&bare_host, "Mo", false, text, now());
    MUST(table->deadline == due);
    MUST(!in_session() || table->session_ends == until);
    model.late += model.late == 0 ? 0 : due - model.due;
    model.by_people = true;
    model.told = in_session() ? until : model.told + due - model.due;
    model.due = due;
    must_agree();
}

/* ---- answers ------------------------------------------------------------- */

static void
answer_of(const struct awaits *awaits)
{
    switch (model.question) {
    case QUESTION_VOTE:
        TEXT_COPY(text, below(3) > 0 ? "**Ja!**" : "**Nein!**");
        break;
    case QUESTION_DISCARD:
        TEXT_COPY(text, "discard 1");
        break;
    case QUESTION_ENACT:
        TEXT_COPY(text, awaits->may_veto && once_in(2) ? "veto" : "enact 1");
        break;
    case QUESTION_VETO:
        TEXT_COPY(text, once_in(3) ? "**Approved**" : "**Declined**");
        break;
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        (void)snprintf(
            text, sizeof text, "**%s**",
            awaits->choices == 0
                ? "nobody"
                : table->seats[dice_seat(&dice, awaits->choices)].name);
        break;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        MUST(false);
        break;
    }
}

/* All who are awaited answer; false: nobody can. */
static bool
is_answered(void)
{
    while (!has_opened()) {
        struct awaits awaits = game_awaits(&table->game);
        if (model.question == QUESTION_NOMINATE && awaits.choices == 0) {
            return false;
        }
        act = "an answer";
        answer_of(&awaits);
        bare_host_post(&bare_host,
                       table->seats[dice_seat(&dice, awaits.seats)].user,
                       in_session(), text, now());
    }
    return true;
}

/* A pause, in which people may answer. */
static bool
is_paused(void)
{
    bool answered = false;
    bare_host_post(&bare_host, "Mo", false, "!pause", now());
    model.paused_at = now();
    goes_on(some(40 * HOUR_MS));
    if (once_in(3)) {
        int64_t from = now();
        goes_on(10 * HOUR_MS);
        act = "an outage in a pause";
        is_away(from, now());
    }
    if (once_in(3)) {
        answered = is_answered();
        goes_on(some(40 * HOUR_MS));
    }
    if (table->state == TABLE_RUNNING) {
        int64_t by = now() - model.paused_at;
        act = "the end of a pause";
        bare_host_post(&bare_host, "Mo", false, "!resume", now());
        model.round += by;
        is_given(by);
    }
    return answered;
}

/* Time is up when it was told, and not before. */
static void
expires(void)
{
    enum question before = model.question;
    bool grace = before != QUESTION_NOMINATE && before != QUESTION_VOTE &&
                 before != QUESTION_VETO;
    struct timer timer = table_timer(table);
    act = "the deadline";
    MUST(timer.kind == TIMER_DEADLINE);
    MUST(timer.at == model.due + (grace ? set->grace : 0));
    goes_on(timer.at - now());
    bare_host_fire(&bare_host, now());
    if (has_opened()) {
        return;
    }
    if (before == QUESTION_ENACT) {
        act = "the late cards";
        MUST(model.late > model.due);
        model.due = model.told = model.late;
        model.late = 0;
    } else {
        act = "the second time";
        expect(set->power);
    }
    must_agree();
}

/* ---- games --------------------------------------------------------------- */

/* True: it was answered. */
static bool
something_happens(void)
{
    goes_on(some((model.due - now()) / 3));
    int64_t from = now();
    switch (below(5)) {
    case 0:
        act = "an outage";
        goes_on(30 * MINUTE_MS + some(model.length + model.length / 2));
        is_away(from, now());
        break;
    case 1:
        act = "an unreachable player";
        cannot_be_reached();
        break;
    case 2:
        act = "an extension";
        is_extended();
        break;
    case 3:
        act = "a deadline";
        is_set();
        break;
    default:
        act = "a pause";
        return is_paused();
    }
    return false;
}

static void
question(void)
{
    if (once_in(4)) {
        act = "a late call";
        comes_late();
        if (once_in(2) && model.question != QUESTION_ENACT &&
            now() - model.opened >= OUTAGE_LEAST) {
            act = "the outage that made it late";
            is_away(model.opened, now());
        }
    }
    bool answered = false;
    for (unsigned i = below(4); i > 0 && !answered; i--) {
        answered = something_happens();
    }
    if (!answered && (once_in(5) || !is_answered())) {
        expires();
    }
}

static void
use(const char *key, const char *value)
{
    struct buf why = BUF_INIT;
    enum err err = settings_set(&bare_host.place.settings, key, value, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

static void
begin(void)
{
    static const char *const calendars[][2] = {
        {"quiet", "23:00-07:00"}, {"days_off", "Sat Sun"}, {"daily", "21:00"}};
    int64_t began = 0;
    dice.state = seed;
    settings_defaults(&bare_host.place.settings);
    use("ready_check", "off");
    use("thread", "here");
    use("red", "accepted");
    use("misses", "0");
    use("second_thought", "0");
    use("reminders", "");
    use("president", once_in(2) ? "12h" : "5h");
    use("chancellor", once_in(2) ? "12h" : "8h");
    use("grace", once_in(3) ? "1h" : "0");
    plain = once_in(2);
    for (unsigned i = 0; !plain && i < 3; i++) {
        if (once_in(2)) {
            use(calendars[i][0], calendars[i][1]);
        }
    }
    (void)instant_read("2026-11-21T10:00:00Z", &began);
    bare_host_clear(&bare_host, seed, began + (int64_t)below(168) * HOUR_MS);
    bare_host_post(&bare_host, "Mo", false, "!new players=5", now());
    for (unsigned i = 0; i < 5; i++) {
        bare_host_post(&bare_host, room_player(i), false, "!join", now());
    }
    bare_host_deal(&bare_host);
    memset(&model, 0, sizeof model);
    act = "the deal";
    ck_assert(has_opened());
}

START_TEST(what_is_given_to_one_is_taken_from_none_and_given_once)
{
    unsigned each = effort_of(GAMES) / PARTS + 1;
    bare_host_init(&bare_host);
    for (unsigned i = 0; i < each; i++) {
        struct table again;
        seed = (unsigned)_i * each + i;
        begin();
        for (unsigned k = 0; k < QUESTIONS_MAX && table->state == TABLE_RUNNING;
             k++) {
            question();
        }
        /* So it is after a restart. */
        table_init(&again);
        MUST(bare_host_replay(&bare_host, &again));
        MUST(again.deadline == table->deadline &&
             again.session_ends == table->session_ends &&
             again.round_from == table->round_from);
        table_release(&again);
    }
    bare_host_release(&bare_host);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/given_time");
    TCase *tcase = tcase_create("given time");
    tcase_add_loop_test(tcase,
                        what_is_given_to_one_is_taken_from_none_and_given_once,
                        0, PARTS);
    suite_add_tcase(suite, tcase);
    return suite;
}
