/*
 * Leaks: nothing that the host does differs by role, hand or party before the
 * reveal.
 *
 * Games are hosted in pairs: the same people do the same in public at the same
 * times, and roles, hands and what is handed on in secret are others.  All that
 * is public must be the same to the byte: posts, their times, reactions, the
 * status post's edits; and so must be the first lines, the lengths and the
 * times of private messages.  In every second pair the two of a government take
 * their time otherwise: then the public part must be the same all the same.  In
 * most of those they take no private messages for a while, and the host is
 * started anew; then, as they are asked to, they post once they take some
 * again.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "tests/support/caught_log.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    ROOMS = 2,
    ROUNDS = 7, /* of a pair, at most */
    STEPS = 60, /* … so long as it goes on */
    PAIRS = 6,  /* of a preset */
};

static const char *const presets[] = {"play-by-post", "official", "french"};

static struct room rooms[ROOMS];
static struct command casts[ROOMS];
static struct dice dice;
static bool dawdles; /* who of a government does differs */

/* Things go wrong in sessions of this pair, at the same moments in both rooms;
 * no private message reaches president, or chancellor. */
static bool faulty;
static bool blocked[2];

static const char *const long_names[PLAYERS_MAX] = {
    "Al",        "Bartholomew Maximilian",
    "Cy",        "Dorothea",
    "Eve-Marie", "Frederick",
    "Gus",       "Ivy",
    "Jo",        "Konstantin",
};

/* ---- two rooms ----------------------------------------------------------- */

static void
deal_roles(struct command *cast, unsigned players)
{
    unsigned seats[PLAYERS_MAX] = {0};
    unsigned liberal = LIBERAL_TILES;
    unsigned fascist = FASCIST_TILES;
    memset(cast, 0, sizeof *cast);
    cast->kind = COMMAND_DEAL;
    for (unsigned i = 0; i < players; i++) {
        unsigned at = dice_below(&dice, i + 1);
        seats[i] = seats[at];
        seats[at] = i;
    }
    cast->hitler = (uint8_t)seats[0];
    for (unsigned i = 0; i < game_fascist_count(players); i++) {
        cast->fascists |= seat_bit(seats[i + 1]);
    }
    while (liberal + fascist > 0) {
        bool is_liberal = dice_below(&dice, liberal + fascist) < liberal;
        pile_add(&cast->tiles, is_liberal);
        liberal -= is_liberal ? 1 : 0;
        fascist -= is_liberal ? 0 : 1;
    }
    cast->first = 0;
}

static void
says(const char *who, const char *text)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        room_says(&rooms[at], who, text);
    }
}

static void
wait_for(int64_t time)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        room_waits(&rooms[at], time);
    }
}

static void
open_rooms(unsigned pair, const char *preset)
{
    unsigned players = PLAYERS_MIN + dice_below(&dice, 6);
    char order[64];
    for (unsigned at = 0; at < ROOMS; at++) {
        room_init(&rooms[at]);
        room_set(&rooms[at], "rules", preset);
        room_set(&rooms[at], "reminders", "6h, 1h");
        room_set(&rooms[at], "moderation", "table");
        if (pair % 3 == 0) {
            room_set(&rooms[at], "second_thought", "15m");
        }
        deal_roles(&casts[at], players);
        casts[at].first = casts[0].first;
        rooms[at].cast = &casts[at];
        rooms[at].keeps_log = true;
    }
    caught_log_begin();
    for (unsigned at = 0; at < ROOMS; at++) {
        room_open(&rooms[at]);
    }
    snprintf(order, sizeof order, "!new players=%u", players);
    says("Mo", order);
    for (unsigned i = 0; i < players; i++) {
        says(long_names[i], "!join");
    }
}

static void
close_rooms(void)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        room_release(&rooms[at]);
    }
    caught_log_end();
}

/* ---- what people do, the same in both ------------------------------------ */

static const struct game *
game(void)
{
    return room_game(&rooms[0]);
}

static const char *
name(unsigned seat)
{
    return room_name(&rooms[0], seat);
}

static unsigned
seated(void)
{
    return room_table(&rooms[0])->seated;
}

/* ---- what goes wrong -----------------------------------------------------
 */

static bool
is_refused(const struct op *op)
{
    const struct table *table = stage_table(rooms[0].stage);
    bool writes = op->dm && (op->kind == OP_SEND || op->kind == OP_FIND);
    if (!writes || table == NULL || table->state != TABLE_RUNNING) {
        return false;
    }
    const unsigned seats[] = {table->game.president, table->game.chancellor};
    for (unsigned i = 0; i < 2; i++) {
        if (blocked[i] && seats[i] < table->seated &&
            strcmp(op->user, table->seats[seats[i]].user) == 0) {
            return true;
        }
    }
    return false;
}

static enum advance
troubled_advance(const struct service *service, const struct op *op,
                 struct buf *work, const struct reply *reply,
                 struct outcome *out, struct buf *why)
{
    if (is_refused(op)) {
        out->refused = REFUSED_PERSON;
        return outcome_fail(out, why, ERR_DENIED, "this user does not want it");
    }
    return adapter_board.advance(service, op, work, reply, out, why);
}

static void
spoil(void)
{
    static struct adapter troubled;
    troubled = adapter_board;
    troubled.advance = troubled_advance;
    for (unsigned at = 0; at < ROOMS && faulty; at++) {
        rooms[at].stage->tables.services.list[0].adapter = &troubled;
    }
}

/* Somebody takes no more private messages, or does again; or the host is ended
 * and started again. */
static void
disturb(void)
{
    unsigned what = faulty ? dice_below(&dice, 6) : 6;
    if (what < 2) {
        blocked[what] = !blocked[what];
    } else if (what == 2) {
        for (unsigned at = 0; at < ROOMS; at++) {
            room_reopen(&rooms[at]);
        }
        spoil();
    }
}

/* ---- what people say ------------------------------------------------------
 */

/* Somebody says something that is no act. */
static void
chat(void)
{
    static const char *const lines[] = {
        "I wonder about that.",
        "!status",
        "!help",
        "!votes",
        "!history",
        "!dance",
        "!role",
        "discard 2",
        "enact 1",
        "FL",
        "!claim",
        "!rules",
        "[b]Ja![/b] or [b]Nein![/b]?",
        "!fair",
        "!why",
        "Secret Hitler, table 1: your role is below.",
        "!warnings",
        "I **say** Liberal",
        "!receipts on"};
    unsigned seat = dice_below(&dice, seated() + 1);
    says(seat == seated() ? "Zed" : name(seat),
         lines[dice_below(&dice, sizeof lines / sizeof lines[0])]);
}

/* A moderator takes the game back: before the last move, or to before the post
 * in which the chancellor was named, and (`sure`) confirms it. */
static void
take_back(bool to_name, bool sure)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        struct room *room = &rooms[at];
        const char *president = name(game()->president);
        char text[64] = "!undo";
        room_read(room);
        for (size_t i = 0; to_name && i < room->post_count; i++) {
            const struct seen_post *post = &room->posts[i];
            if (strstr(post->raw, "[color=red]") != NULL &&
                strcmp(post->author, president) == 0) {
                snprintf(text, sizeof text, "!undo %lld", (long long)post->id);
            }
        }
        unsigned request = table_next_ask(room_table(room));
        room_says(room, "Mo", text);
        if (sure) {
            snprintf(text, sizeof text, "!yes %u", request);
            room_says(room, "Mo", text);
        }
    }
}

/* Time passes, unless somebody's time would run out: lots are public. */
static void
wait_in_time(int64_t time)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        int64_t due = table_due(room_table(&rooms[at]));
        if (due != 0 && due <= rooms[at].stage->now + time) {
            return;
        }
    }
    wait_for(time);
}

/* A player asks the table for more time, for a pause, or for somebody else's
 * seat; another may agree, to the newest request. */
static void
ask_table(void)
{
    static const char *const lines[] = {"!extend 2h", "!pause", "!resume"};
    char text[32];
    says(name(dice_below(&dice, seated())), lines[dice_below(&dice, 3)]);
    for (unsigned seat = 0; seat < seated(); seat++) {
        unsigned request = table_next_ask(room_table(&rooms[0])) - 1;
        snprintf(text, sizeof text, "!agree %u", request);
        if (dice_below(&dice, 2) == 0) {
            says(name(seat), text);
        }
    }
}

/* What moderators, and the table, do while secrets are out. */
static void
moderate(void)
{
    static const char *const lines[] = {
        "!extend 3h",
        "!deadline \"Fri 21:00\"",
        "!deadline \"Sun 12:00\"",
        "!deadline \"23:00\"",
        "!pause",
        "!resume",
        "!status",
        "!votes",
        "!set reminders=6h",
        "!set grace=2h",
        "!set discard=30h",
        "!set chancellor=30h",
    };
    char text[RECORD_NAME_MAX + 32];
    unsigned seats[] = {game()->president, game()->chancellor,
                        dice_below(&dice, seated())};
    for (unsigned i = dice_below(&dice, 4); i > 0; i--) {
        says("Mo", lines[dice_below(&dice, sizeof lines / sizeof lines[0])]);
        wait_in_time(dice_below(&dice, 2) * MINUTE_MS);
    }
    snprintf(text, sizeof text, "!choose %s lots",
             name(seats[dice_below(&dice, 3)]));
    says("Mo", text);
    ask_table();
    says(name(seats[dice_below(&dice, 3)]),
         dice_below(&dice, 2) == 0 ? "!away 1d" : "!back");
    says("Mo", "!resume");
}

/* Whoever wants to know who of a government dawdles asks the same again and
 * again. */
static void
probe(void)
{
    says(name(game()->president), "discard 2");
    says(name(game()->chancellor), "!dance");
    says("Mo", "!end");
    moderate();
    take_back(false, false);
    take_back(true, false);
    says(name(dice_below(&dice, seated())), "!help");
    says("Zed", "!status");
}

/* They take private messages again, and post, as they were asked to. */
static void
take_messages(const char *const who[2])
{
    memset(blocked, 0, sizeof blocked);
    for (unsigned i = 0; i < 2 && faulty; i++) {
        says(who[i], "Here I am.");
    }
}

static void
chat_a_while(void)
{
    for (unsigned i = dice_below(&dice, 3); i > 0; i--) {
        chat();
    }
    if (dice_below(&dice, 4) == 0) {
        wait_in_time((int64_t)dice_below(&dice, 5) * HOUR_MS);
    }
}

/* Seats that may be chosen in both rooms and are Hitler in neither. */
static seat_set
neutral(void)
{
    seat_set choices = game_awaits(game()).choices;
    for (unsigned at = 0; at < ROOMS; at++) {
        choices &= game_awaits(room_game(&rooms[at])).choices;
        choices &= (seat_set)~seat_bit(casts[at].hitler);
    }
    return choices;
}

/* The awaited one names somebody, or lets the time pass; false: nobody could
 * be named without telling the rooms apart. */
static bool
choose(void)
{
    seat_set choices = neutral();
    char text[RECORD_NAME_MAX + 32];
    if (choices == 0) {
        return false;
    }
    snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
             name(dice_seat(&dice, choices)));
    says(room_awaited(&rooms[0]), text);
    if (game()->question == QUESTION_EXECUTION) {
        wait_for(HOUR_MS); /* an execution takes effect */
    }
    return true;
}

static void
all_vote(void)
{
    uint32_t round = game()->round;
    bool sealed = game()->rules.ballot == BALLOT_SEALED;
    bool fails = game()->tracker < 2 && dice_below(&dice, 4) == 0;
    while (stage_table(rooms[0].stage) != NULL &&
           game()->question == QUESTION_VOTE && game()->round == round) {
        bool ja = !fails && dice_below(&dice, 8) != 0;
        const char *who = room_awaited(&rooms[0]);
        ja = ja || (!fails && game()->tracker == 2);
        if (sealed) {
            for (unsigned at = 0; at < ROOMS; at++) {
                room_tells(&rooms[at], who, ja ? "Ja" : "Nein");
            }
        } else {
            says(who, ja ? "**Ja!**" : "**Nein!**");
        }
        if (dice_below(&dice, 6) == 0) {
            chat();
        }
    }
}

/* Could a government enact that policy in both rooms? */
static bool
may_enact(bool liberal)
{
    for (unsigned at = 0; at < ROOMS; at++) {
        struct pile hand = room_game(&rooms[at])->hand;
        unsigned liberals = pile_liberals(hand);
        if ((liberal ? liberals : hand.count - liberals) == 0) {
            return false;
        }
    }
    return true;
}

/* The president discards so that the policy can be enacted. */
static void
discard_for(struct room *room, bool liberal)
{
    struct pile hand = room_game(room)->hand;
    unsigned others =
        liberal ? hand.count - pile_liberals(hand) : pile_liberals(hand);
    room_discards(room, others > 0 ? !liberal : liberal);
}

/* The session; false: it would tell the rooms apart, or end the game. */
static bool
govern(void)
{
    bool liberal = dice_below(&dice, 2) == 0;
    bool last = game()->liberal == 4;
    bool veto = game()->fascist == 5;
    liberal = may_enact(liberal) ? liberal : !liberal;
    if (!may_enact(liberal) || (liberal && last) || veto) {
        return false;
    }
    const char *const government[] = {long_names[game()->president],
                                      long_names[game()->chancellor]};
    chat_a_while();
    spoil();
    if (dawdles) {
        probe();
        disturb();
        discard_for(&rooms[0], liberal);
        room_waits(&rooms[1], SECOND_MS);
        disturb();
        probe();
        if (dice_below(&dice, 4) == 0) {
            take_messages(government);
            take_back(dice_below(&dice, 2) == 0, true);
            return true;
        }
        wait_in_time((1 + (int64_t)dice_below(&dice, 12)) * HOUR_MS);
        disturb();
        discard_for(&rooms[1], liberal);
        room_waits(&rooms[0], SECOND_MS);
        disturb();
        probe();
    } else {
        discard_for(&rooms[0], liberal);
        discard_for(&rooms[1], liberal);
    }
    chat_a_while();
    room_enacts(&rooms[0], liberal);
    room_enacts(&rooms[1], liberal);
    take_messages(government);
    return true;
}

/* One step of both games; false: no further. */
static bool
step(void)
{
    switch ((enum question)game()->question) {
    case QUESTION_NOMINATE:
        if (game()->tracker < 2 && dice_below(&dice, 12) == 0) {
            wait_for(game()->round < 3 ? 25 * HOUR_MS : 13 * HOUR_MS);
            return true;
        }
        return choose();
    case QUESTION_VOTE:
        all_vote();
        return true;
    case QUESTION_DISCARD:
        return govern();
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return choose();
    case QUESTION_ENACT:
    case QUESTION_VETO:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

/* ---- what is to be seen -------------------------------------------------- */

static bool
is_public(const struct seen_post *post)
{
    return strncmp(post->place, "talk/", 5) != 0;
}

/* All that a reader of the thread sees, and when.  Which post a moderator means
 * is left out: the board's ids count private messages, too. */
static void
add_public(struct room *room, struct buf *out)
{
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        const struct seen_post *post = &room->posts[i];
        bool means = strncmp(post->raw, "!undo ", 6) == 0;
        if (is_public(post)) {
            buf_addf(out, "%lld %lld %s %s: %s [%s]\n", (long long)post->stamp,
                     (long long)post->edited, post->place, post->author,
                     means ? "!undo …" : post->raw, post->reactions);
        }
    }
}

static size_t
points(const char *text)
{
    return length_of(LENGTH_POINTS, text, strlen(text));
}

/* The host's private messages as a lock screen shows them: to whom, when, and
 * the first line of those that have more; how long they are, but not of the
 * roles, which take more or fewer words. */
static void
add_private(struct room *room, struct buf *out)
{
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        const struct seen_post *post = &room->posts[i];
        const char *end = strchr(post->text, '\n');
        if (!is_public(post) && strcmp(post->author, BOARD_HOST) == 0) {
            bool role = strstr(post->text, "your role is below") != NULL;
            buf_addf(out, "%lld %s %zu %.*s\n", (long long)post->stamp,
                     post->place, role ? 0 : points(post->text),
                     end == NULL ? 0 : (int)(end - post->text), post->text);
        }
    }
}

static void
assert_same(const struct buf *one, const struct buf *other, const char *what,
            const char *preset, unsigned pair)
{
    const char *a = buf_text(one);
    const char *b = buf_text(other);
    size_t line = 0;
    size_t at = 0;
    while (a[at] == b[at] && a[at] != '\0') {
        line = a[at] == '\n' ? at + 1 : line;
        at++;
    }
    ck_assert_msg(a[at] == b[at],
                  "%s, pair %u: what is %s differs:\n%.600s\n"
                  "---- and ----\n%.600s",
                  preset, pair, what, a + line, b + line);
}

static void
compare(const char *preset, unsigned pair, unsigned *seen)
{
    struct buf public[ROOMS] = {BUF_INIT, BUF_INIT};
    struct buf private[ROOMS] = {BUF_INIT, BUF_INIT};
    for (unsigned at = 0; at < ROOMS; at++) {
        add_public(&rooms[at], &public[at]);
        add_private(&rooms[at], &private[at]);
    }
    assert_same(&public[0], &public[1], "public", preset, pair);
    assert_same(&rooms[0].log, &rooms[1].log, "logged", preset, pair);
    ck_assert_ptr_nonnull(strstr(buf_text(&rooms[0].log), "the candidate is"));
    if (!dawdles) {
        assert_same(&private[0], &private[1], "private", preset, pair);
    }
    *seen += (unsigned)public[0].len;
    for (unsigned at = 0; at < ROOMS; at++) {
        buf_release(&public[at]);
        buf_release(&private[at]);
    }
}

START_TEST(nothing_tells_one_secret_from_another)
{
    const char *preset = presets[_i];
    unsigned pairs = effort_of(PAIRS);
    unsigned seen = 0;
    unsigned rounds = 0;
    for (unsigned pair = 0; pair < pairs; pair++) {
        dice.state = (uint64_t)_i * 1000 + pair;
        dawdles = pair % 2 == 1;
        faulty = dawdles && pair % 6 != 1;
        memset(blocked, 0, sizeof blocked);
        open_rooms(pair, preset);
        unsigned steps = 0;
        while (game()->round <= ROUNDS && steps < STEPS && step()) {
            chat_a_while();
            steps++;
        }
        ck_assert_uint_lt(steps, STEPS);
        rounds += game()->round;
        compare(preset, pair, &seen);
        close_rooms();
    }
    if (pairs >= PAIRS) { /* one pair alone may be a short game */
        ck_assert_uint_gt(rounds / 2, pairs);
        ck_assert_uint_gt(seen / 5000, pairs);
    }
}
END_TEST

/* ---- sealed ballots -------------------------------------------------------
 */

/* Two votes come one after the other: of a seat and the next that is awaited,
 * or the other way round. */
static void
two_vote(unsigned at, bool backwards, const char *vote)
{
    seat_set seats = game_awaits(room_game(&rooms[at])).seats;
    unsigned first = (unsigned)__builtin_ctz(seats);
    unsigned second =
        (unsigned)__builtin_ctz(seats & ~(unsigned)seat_bit(first));
    room_tells(&rooms[at], name(backwards ? second : first), vote);
    room_tells(&rooms[at], name(backwards ? first : second), vote);
}

/* While a vote is open nothing tells what was voted, or that all voted alike:
 * in one room all vote Ja, in the other Nein.  Whose vote is missing is public;
 * who of two was first is gone from there, but `!undo` names who was last. */
START_TEST(sealed_ballots_tell_nothing_before_they_are_shown)
{
    bool backwards = true;
    dice.state = 7000 + (uint64_t)_i;
    dawdles = true;
    open_rooms(1, presets[_i]);
    ck_assert_int_eq(game()->rules.ballot, BALLOT_SEALED);
    ck_assert(choose());
    while (seat_count(game_awaits(game()).seats) > 2) {
        two_vote(0, false, "Ja");
        two_vote(1, backwards, "Nein");
        chat();
        moderate();
        if (!backwards) {
            says("Mo", "!undo");
        }
        backwards = !backwards;
        wait_in_time(HOUR_MS);
    }
    ck_assert_int_eq(game()->question, QUESTION_VOTE);
    compare(presets[_i], 0, &(unsigned){0});
    close_rooms();
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/leaks");
    TCase *tests = tcase_create("leaks");

    tcase_add_loop_test(tests, nothing_tells_one_secret_from_another, 0, 3);
    tcase_add_loop_test(
        tests, sealed_ballots_tell_nothing_before_they_are_shown, 1, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
