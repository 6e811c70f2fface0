#include "tests/sim/fault_checks.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bot/base/files.h"
#include "bot/base/memory.h"
#include "bot/record/record.h"
#include "bot/record/verify.h"
#include "bot/store/store.h"
#include "tests/sim/fault_people.h"
#include "tests/sim/fault_places.h"
#include "tests/sim/fault_world.h"
#include "tests/support/fake_presses.h"

enum {
    LOGGED_MIN = 12,
    LINE_MIN = 30, /* bytes of a private line that tells something */
    SENT = 2,      /* the state of a message */
    SEATS_MAX = 10
};

/* What stands at the service in the end, read once. */
static struct {
    struct shown_post *posts;
    size_t count;
    struct buf public; /* the host's public posts, one after the other */
} there;

static bool
is_of_host(const struct shown_post *shown)
{
    return shown->author[0] == '\0';
}

static void
look_round(void)
{
    const struct fake_service *service = world.people.service;
    struct shown_post shown;
    for (; service->look(world.people.server, there.count, &shown);
         there.count++) {
        there.posts =
            must_grow(there.posts, (there.count + 1) * sizeof *there.posts);
        there.posts[there.count] = shown;
        if (is_of_host(&shown) && *shown.dm == '\0') {
            buf_addf(&there.public, "%s\n\n", shown.text);
        }
    }
}

/* Where the host's post with a key stands, from 1; 0: nowhere.  A message that
 * was sent line by line stands where its first line does. */
static size_t
place_of_key(const char *key)
{
    size_t len = strlen(key);
    for (size_t i = 0; i < there.count; i++) {
        const char *its = there.posts[i].key;
        if (strncmp(its, key, len) == 0 &&
            (its[len] == '\0' || its[len] == '.')) {
            return i + 1;
        }
    }
    return 0;
}

/* ---- what stands at the service -------------------------------------------
 */

static int
compare_keys(const void *one, const void *other)
{
    const struct shown_post *left = one;
    const struct shown_post *right = other;
    int order = strcmp(left->key, right->key);
    return order != 0
               ? order
               : (left->topic > right->topic) - (left->topic < right->topic);
}

/* Is it the same message?  What was under way to a room when that was upgraded
 * may stand in the new one, too; and what was in a topic when that was merged
 * stands in another, where it is not looked for. */
static bool
is_doubled(const struct shown_post *one, const struct shown_post *other)
{
    return one->key[0] != '\0' && strcmp(one->key, other->key) == 0 &&
           ((world.tally.count[FAULT_UPGRADED] == 0 &&
             world.tally.count[FAULT_MERGED] == 0) ||
            one->topic == other->topic);
}

/* A host that knows nothing of what was sent after its copy of the store was
 * made may send it once more.  So may one that has died between sending and
 * saving by a clock that was hours ahead and is set right: what it had sent
 * stands before the time from which it is looked for. */
static void
check_none_doubled(void)
{
    size_t most = 1 + world.copies + world.misled;
    struct shown_post *posts = must_alloc((there.count + 1) * sizeof *posts);
    if (there.count > 0) {
        memcpy(posts, there.posts, there.count * sizeof *posts);
    }
    qsort(posts, there.count, sizeof *posts, compare_keys);
    for (size_t i = most; i < there.count; i++) {
        if (is_doubled(&posts[i], &posts[i - most])) {
            world_fail("sent %zu times, %s: %s", most + 1, posts[i].key,
                       posts[i].text);
        }
    }
    free(posts);
}

/* What somebody was shown for a press, as a message to them; false: no more. */
static bool
look_at_press(size_t at, struct shown_post *shown)
{
    const struct fake_press *press = fault_presses_at(at);
    if (press == NULL) {
        return false;
    }
    *shown = (struct shown_post){
        .author = "",
        .dm = press->user,
        .text = press->content == NULL ? "" : press->content};
    return true;
}

/* Lines of what was said to somebody stand nowhere else. */
static void
check_line(const char *line, size_t len, const struct shown_post *message)
{
    char copy[512];
    if (len < LINE_MIN) {
        return;
    }
    (void)snprintf(copy, sizeof copy, "%.*s", (int)len, line);
    if (strstr(buf_text(&there.public), copy) != NULL) {
        world_fail("in public stands what is %s's: %s", message->dm, copy);
    }
}

/* What tells somebody a role, a hand, or what a power has shown. */
static void
check_told_nobody_else(const struct shown_post *message)
{
    static const char *const telling[] = {"You are ", "your cards are below",
                                          "two cards are below"};
    bool tells = false;
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++) {
        tells = tells || strstr(message->text, telling[i]) != NULL;
    }
    if (!tells) {
        return;
    }
    for (const char *line = message->text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        check_line(line, len, message);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
}

/* Where that stands in public; NULL: nowhere.  A government is told that it is
 * still in session, too. */
static const char *
find_secret(const char *secret)
{
    const char *found = strstr(buf_text(&there.public), secret);
    while (found != NULL && strncmp(found, "You are both", 12) == 0) {
        found = strstr(found + 1, secret);
    }
    return found;
}

static void
check_secrets(void)
{
    static const char *const secrets[] = {
        "You are ",    "your cards are below", "hands you two",
        "\n1 Fascist", "\n1 Liberal",          " has flagged a post"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        const char *found = find_secret(secrets[i]);
        if (found != NULL) {
            world_fail("a secret stands in public: %.200s", found);
        }
    }
    struct shown_post pressed;
    for (size_t i = 0; look_at_press(i, &pressed); i++) {
        check_told_nobody_else(&pressed);
    }
    for (size_t i = 0; i < there.count; i++) {
        const struct shown_post *shown = &there.posts[i];
        if (strstr(shown->text, world.people.service->secret) != NULL) {
            world_fail("the token stands in: %s", shown->text);
        }
        if (is_of_host(shown) && *shown->dm != '\0') {
            check_told_nobody_else(shown);
        }
    }
}

/* ---- what stands in the store ---------------------------------------------
 */

/* Is it the thread that was deleted for good?  What was to be said there stays
 * unsaid. */
static bool
is_in_gone(const char *thread)
{
    const char *number = strrchr(thread, '/');
    number = number == NULL ? thread : number + 1;
    return fault_places_is_gone(strtoull(number, NULL, 10));
}

/* Only posts and private messages are looked at, and what waits since a moment
 * ago may wait on.  Of a session's messages nothing is told while it is on, as
 * it may be for one of two hosts when the other's game is over. */
static bool
is_of_no_concern(sqlite3_stmt *row)
{
    int kind = sqlite3_column_int(row, 4);
    const char *thread = (const char *)sqlite3_column_text(row, 6);
    int64_t written = sqlite3_column_int64(row, 7);
    bool recent =
        written > world_service_now() - 4 * world.plan->nap - 10 * MINUTE_MS ||
        (written == 0 && world.restored);
    return (kind != 0 && kind != 1) || (kind == 0 && is_in_gone(thread)) ||
           (recent && sqlite3_column_int(row, 3) != SENT);
}

/* Every message was sent; the calls and results
 * of a table in the order in which they were written. */
static void
check_messages(const char *path)
{
    sqlite3 *store = NULL;
    sqlite3_stmt *rows = NULL;
    size_t last[FAULT_TABLES_MAX + 1] = {0};
    (void)sqlite3_open_v2(path, &store, SQLITE_OPEN_READWRITE, NULL);
    int code = sqlite3_prepare_v2(
        store,
        "SELECT key, CAST(game AS INTEGER), batch > 0, state, kind, trouble,"
        " thread, written"
        " FROM message ORDER BY id",
        -1, &rows, NULL);
    if (code != SQLITE_OK) {
        world_fail("the store can't be read: %s", sqlite3_errmsg(store));
    }
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(rows, 0);
        int table = sqlite3_column_int(rows, 1);
        bool calls = sqlite3_column_int(rows, 2) != 0;
        int kind = sqlite3_column_int(rows, 4);
        if (is_of_no_concern(rows)) {
            continue;
        }
        if (sqlite3_column_int(rows, 3) != SENT) {
            world_fail("not sent: %s, of kind %d: %s", key, kind,
                       (const char *)sqlite3_column_text(rows, 5));
        }
        size_t at = place_of_key(key);
        /* A copy may have found what the other host had sent. */
        if (calls && at == 0 && !world.restored) {
            world_fail("never posted: %s, of kind %d of table %d", key, kind,
                       table);
        }
        if (kind != 0 || !calls || table > FAULT_TABLES_MAX || world.restored) {
            continue;
        }
        if (at < last[table]) {
            world_fail("out of order: %s", key);
        }
        last[table] = at;
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(store);
}

/* ---- the record -----------------------------------------------------------
 */

/* How far a record was walked through. */
struct walk {
    const struct record_game *game;
    unsigned table, round;
    const char *names[SEATS_MAX]; /* at this line */
    unsigned sat[SEATS_MAX];      /* bits of all who have sat there */
    unsigned
        touched; /* bits of seats that a moderator has emptied, or that have
                    changed hands, in this round; and of the empty ones */
    unsigned vacant;
    unsigned president; /* the candidate */
    unsigned chancellor;
    unsigned voted;              /* a bit for each seat */
    unsigned ja;                 /* the same */
    struct pile hand;            /* of who chooses a card */
    unsigned pressed[PEOPLE][2]; /* votes with a button: nein, ja */
    bool nominated;              /* there is a vote in this round */
    bool lots;                   /* the next choice is by lots */
    int64_t at;
};

static unsigned
person(const struct walk *walk, unsigned seat)
{
    unsigned who = people_find(walk->names[seat]);
    if (who == PEOPLE) {
        world_fail("nobody is called %s", walk->names[seat]);
    }
    return who;
}

/* Something was decided because somebody stayed away: they did, and had their
 * time. */
static void
check_missed(const struct walk *walk, unsigned seat, enum question_asked asked)
{
    const char *name = walk->names[seat];
    bool nobody_eligible = asked == ASKED_NOMINEE && walk->touched != 0;
    if ((walk->touched & 1U << seat) != 0 || nobody_eligible ||
        fault_people_was_voided(walk->table, walk->round, person(walk, seat)) ||
        fault_people_drew_lots(walk->table, walk->round, asked)) {
        return;
    }
    if (!fault_people_skip(walk->table, walk->round, asked,
                           person(walk, seat))) {
        world_fail("table %u, round %u: %s did answer, yet it was decided "
                   "without them (%d)",
                   walk->table + 1, walk->round, name, (int)asked);
    }
    int64_t since = fault_people_asked(walk->table, walk->round, asked);
    /* A host that sleeps through the end of one question is late with the
     * next. */
    int64_t least = HOUR_MS * 19 / 20 - world.plan->nap;
    if (since == 0) {
        world_fail("table %u, round %u: %s was not asked", walk->table + 1,
                   walk->round, name);
    }
    if (fault_plan_clocks_are_right(world.plan) && walk->at < since + least) {
        world_fail("table %u, round %u: %s had %" PRId64 " s alone",
                   walk->table + 1, walk->round, name,
                   (walk->at - since) / SECOND_MS);
    }
}

/* What was chosen is what was asked for, by whom it was asked. */
static void
check_choice(struct walk *walk, unsigned seat, unsigned target,
             enum question_asked asked)
{
    bool lots = walk->lots;
    walk->lots = false;
    if (!lots && !fault_people_chose(walk->table, walk->round, asked,
                                     walk->sat[target])) {
        world_fail("table %u, round %u: %s chose somebody else than %s",
                   walk->table + 1, walk->round, walk->names[seat],
                   walk->names[target]);
    }
}

static void
check_card(struct walk *walk, unsigned seat, bool liberal,
           enum question_asked asked)
{
    bool lots = walk->lots;
    unsigned same = 0; /* cards that come to the same */
    walk->lots = false;
    for (unsigned card = 0; card < walk->hand.count; card++) {
        bool alike = pile_is_liberal(walk->hand, card) == liberal;
        same |= (alike ? 1U : 0U) << (card + 1);
    }
    if (!lots && !fault_people_chose(walk->table, walk->round, asked, same)) {
        world_fail("table %u, round %u: %s chose another card", walk->table + 1,
                   walk->round, walk->names[seat]);
    }
}

/* No answer declines the veto. */
static void
check_veto(const struct walk *walk, const struct event *event)
{
    unsigned answer = event->yes ? VETO_APPROVED : VETO_DECLINED;
    if (fault_people_chose(walk->table, walk->round, ASKED_VETO,
                           1U << answer)) {
        return;
    }
    if (event->yes) {
        world_fail("table %u, round %u: %s agrees to no veto", walk->table + 1,
                   walk->round, walk->names[event->seat]);
    }
    check_missed(walk, event->seat, ASKED_VETO);
}

static void
check_vote(struct walk *walk, const struct event *event)
{
    if (!fault_people_may_vote(walk->table, walk->round,
                               person(walk, event->seat), event->yes)) {
        world_fail("table %u, round %u: %s voted otherwise", walk->table + 1,
                   walk->round, walk->names[event->seat]);
    }
    walk->voted |= 1U << event->seat;
    walk->ja |= (event->yes ? 1U : 0U) << event->seat;
}

/* How often it stands in public that somebody votes so: "Anna: Ja (…)". */
static unsigned
count_told(const char *name, bool ja)
{
    char told[128];
    unsigned count = 0;
    (void)snprintf(told, sizeof told, "%s: %s (", name, ja ? "Ja" : "Nein");
    for (const char *at = buf_text(&there.public);
         (at = strstr(at, told)) != NULL; at++) {
        count++;
    }
    return count;
}

/* Whoever votes with a button, the others are told how, where they can be: in
 * the post with the result at the latest, and no longer once it was taken back.
 */
static void
check_told(const struct walk *walk)
{
    const unsigned *one_in = world.plan->one_in;
    if (!fault_people_can_be_told(walk->table) || one_in[FAULT_UNDO] != 0 ||
        one_in[FAULT_VOID] != 0) {
        return;
    }
    for (unsigned who = 0; who < PEOPLE; who++) {
        for (unsigned ja = 0; ja < 2; ja++) {
            unsigned told = count_told(people[who], ja);
            if (told < walk->pressed[who][ja]) {
                world_fail("table %u: %s has voted %u times with a button, and "
                           "it was told %u times",
                           walk->table + 1, people[who], walk->pressed[who][ja],
                           told);
            }
        }
    }
}

/* A vote of which its presser was told that it counts is in the record, unless
 * a moderator has taken it back. */
static void
check_pressed(const struct walk *walk)
{
    const unsigned *one_in = world.plan->one_in;
    for (unsigned seat = 0; seat < walk->game->players; seat++) {
        unsigned bit = 1U << seat;
        if (one_in[FAULT_UNDO] == 0 && one_in[FAULT_VOID] == 0 &&
            ((walk->voted | walk->touched) & bit) == 0 &&
            fault_presses_counted(walk->table, walk->round,
                                  person(walk, seat))) {
            world_fail("table %u, round %u: %s was told that it counts",
                       walk->table + 1, walk->round, walk->names[seat]);
        }
    }
}

/* A vote that time has closed: who is missing has stayed away. */
static void
check_closed(const struct walk *walk, unsigned living)
{
    if (!walk->nominated) {
        check_missed(walk, walk->president, ASKED_NOMINEE);
        return;
    }
    for (unsigned seat = 0; seat < walk->game->players; seat++) {
        if ((living & ~walk->voted & 1U << seat) != 0) {
            check_missed(walk, seat, ASKED_VOTE);
        }
    }
}

/* Somebody takes a seat, or is back. */
static void
fill_seat(struct walk *walk, const struct record_line *line)
{
    unsigned seat = 0;
    while (seat < SEATS_MAX && walk->names[seat] != NULL &&
           strcmp(walk->names[seat], line->out) != 0) {
        seat++;
    }
    if (seat >= walk->game->players) {
        world_fail("table %u: %s had no seat", walk->table + 1, line->out);
    }
    walk->names[seat] = line->in;
    walk->sat[seat] |= 1U << person(walk, seat);
    walk->vacant &= ~(1U << seat);
    walk->touched |= 1U << seat;
}

static void
add_result(const char *text)
{
    char *result = world.tally.result;
    size_t len = strlen(result);
    if (len + strlen(text) >= FAULT_RESULT_MAX) {
        world_fail("there is more in a record than fits");
    }
    memcpy(result + len, text, strlen(text) + 1);
}

/* Is it a line of what people and cards have decided? */
static bool
is_result(int kind)
{
    static const int kinds[] = {
        EVENT_ROUND,          EVENT_NOMINATED, EVENT_ELECTION,
        EVENT_HAND,           EVENT_PASSED,    EVENT_VETO_ASKED,
        EVENT_VETO_ANSWERED,  EVENT_ENACTED,   EVENT_INVESTIGATED,
        EVENT_SPECIAL_CALLED, EVENT_PEEKED,    EVENT_EXECUTED,
        EVENT_FORFEITED,      EVENT_ENDED};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i] == kind) {
            return true;
        }
    }
    return false;
}

/* Note a line for the comparison with the same game without faults. */
static void
note_result(const struct walk *walk, const struct record_line *line)
{
    const struct event *event = &line->event;
    char text[128];
    if (!is_result(line->kind)) {
        return;
    }
    if (line->kind == EVENT_ELECTION) {
        add_result("votes ");
        for (unsigned seat = 0; seat < walk->game->players; seat++) {
            add_result((walk->voted & 1U << seat) == 0 ? "."
                       : (walk->ja & 1U << seat) != 0  ? "+"
                                                       : "-");
        }
        (void)snprintf(text, sizeof text, ": %selected\n",
                       event->yes ? "" : "not ");
    } else {
        (void)snprintf(text, sizeof text,
                       "table %u, round %u: %s %u %u %x %d\n", walk->table + 1,
                       walk->round, record_kind_name(line->kind), event->seat,
                       event->target, event->cards.liberal,
                       event->yes || event->is_liberal);
    }
    add_result(text);
}

static void
check_record_line(struct walk *walk, const struct record_line *line,
                  unsigned *living)
{
    const struct event *event = &line->event;
    walk->at = line->at;
    switch (line->kind) {
    case EVENT_ROUND:
        walk->round = event->round;
        walk->president = event->seat;
        walk->voted = walk->ja = 0;
        walk->touched = walk->vacant;
        walk->lots = walk->nominated = false;
        break;
    case EVENT_NOMINATED:
        walk->nominated = true;
        check_choice(walk, event->seat, event->target, ASKED_NOMINEE);
        break;
    case EVENT_INVESTIGATED:
    case EVENT_SPECIAL_CALLED:
        check_choice(walk, event->seat, event->target, ASKED_TARGET);
        break;
    case EVENT_HAND:
        walk->hand = event->cards;
        break;
    case EVENT_PASSED:
        check_card(walk, event->seat, event->is_liberal, ASKED_DISCARD);
        walk->chancellor = event->target;
        /* The chancellor is shown them Liberal first (RECORD.md). */
        walk->hand = event->cards;
        walk->hand.liberal = (1U << pile_liberals(event->cards)) - 1;
        break;
    case EVENT_ENACTED:
        if (!event->by_chaos) {
            check_card(walk, walk->chancellor, event->is_liberal, ASKED_ENACT);
        }
        break;
    case EVENT_VETO_ASKED:
        if (!fault_people_chose(walk->table, walk->round, ASKED_ENACT,
                                1U << CHOSE_VETO)) {
            world_fail("table %u, round %u: %s wants no veto", walk->table + 1,
                       walk->round, walk->names[event->seat]);
        }
        break;
    case EVENT_VETO_ANSWERED:
        check_veto(walk, event);
        break;
    case EVENT_VOTED:
        check_vote(walk, event);
        walk->pressed[person(walk, event->seat)][event->yes] +=
            line->by == RECORD_BY_PRESS;
        break;
    case EVENT_EXECUTED:
        check_choice(walk, event->seat, event->target, ASKED_TARGET);
        *living &= ~(1U << event->target);
        break;
    case EVENT_ELECTION:
        check_pressed(walk);
        if (event->reason == ELECTION_DEADLINE) {
            check_closed(walk, *living);
        }
        break;
    case EVENT_FORFEITED:
        check_missed(walk, event->seat, ASKED_TARGET);
        break;
    case EVENT_LOTS:
        walk->lots = true;
        check_missed(walk, event->seat,
                     event->power != 0   ? ASKED_TARGET
                     : event->discarding ? ASKED_DISCARD
                                         : ASKED_ENACT);
        break;
    case EVENT_VACATED:
        if (!fault_people_put_out(walk->table, person(walk, event->seat))) {
            world_fail("table %u: %s's seat is vacant", walk->table + 1,
                       walk->names[event->seat]);
        }
        walk->vacant |= 1U << event->seat;
        walk->touched |= walk->vacant;
        break;
    case EVENT_FILLED:
        fill_seat(walk, line);
        break;
    default:
        break;
    }
}

/* Has no moderator gone back behind a line? */
static bool
stands(const struct record_game *game, size_t line)
{
    for (size_t i = line + 1; i < game->line_count; i++) {
        const struct record_line *later = &game->lines[i];
        if (later->kind == RECORD_REWOUND && later->to < line) {
            return false;
        }
    }
    return true;
}

static void
check_lines(const struct record_game *game, unsigned table)
{
    struct walk walk = {.game = game, .table = table};
    unsigned living = (1U << game->players) - 1;
    for (unsigned seat = 0; seat < game->players; seat++) {
        walk.names[seat] = game->names[seat];
        walk.sat[seat] = 1U << person(&walk, seat);
    }
    for (size_t i = 0; i < game->line_count; i++) {
        if (stands(game, i)) {
            check_record_line(&walk, &game->lines[i], &living);
            note_result(&walk, &game->lines[i]);
        }
    }
    check_told(&walk);
}

/* After a backup was put back the game may not have come to its end, and where
 * somebody did not answer the ready check, there was none. */
static void
check_record(struct store *store, unsigned table)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    struct record record = {.game_count = 0};
    struct verdict verdict;
    char id[16];
    (void)snprintf(id, sizeof id, "%u", table + 1);
    if (store_record(store, id, &text, &why) != ERR_NONE ||
        record_read(buf_text(&text), text.len, &record, &why) != ERR_NONE) {
        world_fail("the record of table %s: %s\n%s", id, buf_text(&why),
                   buf_text(&text));
    }
    verify_game(&record.games[0], &verdict);
    bool whole = !world.restored && fault_people_played(table);
    bool good = !whole ? verdict.legality != LEGALITY_BROKEN
                       : verdict.legality == LEGALITY_FINISHED &&
                             verdict.proof == PROOF_HOLDS;
    /* The second twin's roles are not those that it has committed to. */
    good = good ||
           (world.plan->twin == 2 && strncmp(verdict.rule, "fairness", 8) == 0);
    if (!good) {
        world_fail("the record of table %s, line %zu: %s: %s", id,
                   verdict.number, verdict.rule, buf_text(&verdict.why));
    }
    verdict_release(&verdict);
    if (whole) {
        check_lines(&record.games[0], table);
    }
    record_release(&record);
    buf_release(&text);
}

static void
check_records(const char *path)
{
    struct store *store = NULL;
    struct buf why = BUF_INIT;
    if (store_open(path, "", STORE_READ, &store, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    for (unsigned i = 0; i < world.plan->tables; i++) {
        check_record(store, i);
    }
    store_close(store);
}

/* ---- what was logged ------------------------------------------------------
 */

static void
check_unlogged(const char *log, const char *secret, size_t len)
{
    char copy[512];
    (void)snprintf(copy, sizeof copy, "%.*s", (int)len, secret);
    if (len >= LOGGED_MIN && strstr(log, copy) != NULL) {
        world_fail("in the log stands: %s", copy);
    }
}

static void
check_lines_unlogged(const char *log, const struct shown_post *message)
{
    for (const char *line = message->text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        check_unlogged(log, line, len);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
}

/* Tokens, and what was said in private. */
static void
check_log(void)
{
    struct buf log = BUF_INIT;
    struct buf why = BUF_INIT;
    (void)fflush(stderr);
    if (world.plan->told) {
        return; /* the story stands in it */
    }
    if (file_read(world.plan->log, &log, &why) != ERR_NONE) {
        world_fail("%s", buf_text(&why));
    }
    const char *token = world.people.service->secret;
    check_unlogged(buf_text(&log), token, strlen(token));
    for (size_t i = 0; i < there.count; i++) {
        const struct shown_post *shown = &there.posts[i];
        if (is_of_host(shown) && *shown->dm != '\0') {
            check_lines_unlogged(buf_text(&log), shown);
        }
    }
    struct shown_post pressed;
    for (size_t i = 0; look_at_press(i, &pressed); i++) {
        const char *its = fault_presses_at(i)->token;
        check_unlogged(buf_text(&log), its, strlen(its));
        check_lines_unlogged(buf_text(&log), &pressed);
    }
    buf_release(&log);
}

void
fault_checks(const char *store)
{
    look_round();
    check_secrets();
    check_log();
    check_records(store);
    check_none_doubled();
    fault_people_check_cards();
    if (!world.restored || fault_people_are_done()) {
        check_messages(store);
    }
    if (!world.restored) {
        fault_commands_check();
    }
}
