/*
 * However the posts of a game arrive, it is the game of their order in time.
 *
 * A game is played at a host that reads one feed, each post as it is written:
 * that is the script.  Then the script comes to a second host, whose service
 * has a feed for each place: feeds alternate at random, are read late, in
 * pieces, and twice; the host is restarted in between.  Both hosts must write
 * the same record and the same messages.
 *
 * Some services show what was posted within a second in any order, but nobody's
 * own posts, and no command after what was written behind it.  There a vote may
 * be judged before an earlier one (bot/tables/turns/deferred.c): both records
 * and all messages must have the same lines, in any order, but for what was
 * counted when somebody was answered.
 *
 * The script is cut into stretches, at whose end everything was read; within
 * one the hosts' clocks stand still at its end, so that both open a question at
 * the same time.  The service's clock goes on all the while, and nothing is
 * posted until the end has surely been read.
 *
 * What somebody writes in private while nothing is asked is answered when it is
 * read (bot/tables/turns/deferred.c): that answer alone is left out here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/db.h"
#include "bot/base/name.h"
#include "bot/loop/loop.h"
#include "bot/loop/reader.h"
#include "bot/tables/feeds/feeds.h"
#include "bot/tables/hosted.h"
#include "bot/tables/places/places.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/deferred.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/tables_open.h"
#include "bot/tables/turns/threads.h"
#include "bot/tables/turns/timers.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    SEEDS = 16,
    POSTS_MAX = 1200,
    STRETCHES_MAX = 30,
    PEOPLE = 8, /* seven may play; then Zoe, in reserve, and Mo */
    FEEDS = PEOPLE + 2,
    MARGIN_MS = 5000,
    DISORDER_MS = 1000,
    LINES_MAX = 4000 /* of a record, or messages */
};

static const char *const people[FEEDS - 1] = {
    "Anna", "Bob", "Carl", "Dora", "Emil", "Frida", "Gert", "Zoe", "Mo"};

/* ---- the script ---------------------------------------------------------- */

struct line {
    int64_t stamp, edited; /* of its first version that is seen */
    const char *who;
    unsigned feed; /* 0: the thread; else the DM of people[feed - 1] */
    bool altered;  /* edited later: read again, it is another */
    bool came;     /* to the second host */
    char text[122];
};

struct stretch {
    int64_t begins, ends;
    size_t first, end; /* lines; those first seen edited may lie out of order */
};

static struct line lines[POSTS_MAX];
static size_t line_count;
static struct stretch stretches[STRETCHES_MAX];
static size_t stretch_count;

static int64_t
time_of(const struct line *line)
{
    return line->edited > line->stamp ? line->edited : line->stamp;
}

/* ---- hosts --------------------------------------------------------------- */

static struct room room; /* its folder */
static struct buf why;
static struct adapter single; /* the board, with one feed … */
static struct adapter parted; /* … and with one for each place */

struct host {
    const char *name;
    const struct adapter *adapter;
    struct conf conf;
    struct dealer dealer;
    struct catalogues catalogues;
    struct tables tables;
};
static struct host hosts[2];

static void
must(enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

static void
feed_of_place(const struct service *service, const char *place,
              struct buf *feed)
{
    (void)service;
    buf_add_text(feed, place);
}

/* All DMs come in one. */
static void
feed_with_inbox(const struct service *service, const char *place,
                struct buf *feed)
{
    (void)service;
    buf_add_text(feed, strcmp(place, "thread") == 0 ? place : "inbox");
}

static void
random_seed(void *context, unsigned char secret[DEAL_SECRET])
{
    memset(secret, 0, DEAL_SECRET);
    memcpy(secret, context, sizeof(unsigned));
}

static void
name_place(unsigned feed, char place[32])
{
    snprintf(place, 32, feed == 0 ? "thread" : "talk/%s",
             feed == 0 ? "" : people[feed - 1]);
}

/* The service has another adapter now: its threads come in other feeds. */
static void
list_anew(struct tables *tables)
{
    struct table tables_so_far[4];
    size_t count = tables->hosted.count;
    ck_assert_uint_le(count, 4);
    for (size_t i = 0; i < count; i++) {
        table_clone(&tables_so_far[i], &tables->hosted.list[i]->table);
        tables->hosted.list[i]->table.state = TABLE_OVER;
    }
    tables->hosted.ended = true;
    hosted_clear(tables);
    for (size_t i = 0; i < count; i++) {
        hosted_add(tables, &tables_so_far[i]);
        table_release(&tables_so_far[i]);
    }
}

/* A service has several feeds from the first moment on; the thread's place MAY
 * not be found yet. */
static void
open_host_at(struct host *host, bool found)
{
    must(tables_open(&host->tables, &host->conf, &host->catalogues, NULL,
                     &host->dealer, OPEN_UNCHECKED, &why));
    struct service *service = &host->tables.services.list[0];
    service->adapter = host->adapter;
    /* Of the second host, every table is put to rest after each page. */
    if (host == &hosts[1]) {
    }
    feeds_release(&host->tables.feeds); /* the board's own */
    feeds_init(&host->tables.feeds, &host->tables.services, host->tables.store,
               &host->tables.clock);
    list_anew(&host->tables);
    TEXT_COPY(service->self, BOARD_HOST);
    places_set_id(&host->tables.places, host->tables.places.list[0],
                  PLACE_THREAD, "");
    for (unsigned feed = found ? 0 : 1; feed < FEEDS; feed++) {
        char place[32];
        name_place(feed, place);
        if (feed == 0) {
            tables_feeds_found(&host->tables, host->tables.places.list[0],
                               place);
        } else {
            feeds_open_dm(&host->tables.feeds, service, people[feed - 1], place,
                          "");
        }
    }
}

static void
open_host(struct host *host)
{
    open_host_at(host, true);
}

static void
set_host(struct host *host, const char *name, const struct adapter *adapter,
         unsigned *seed)
{
    memset(host, 0, sizeof *host);
    host->name = name;
    host->adapter = adapter;
    host->dealer = dealer_fair;
    host->dealer.generate_secret = random_seed;
    host->dealer.context = seed;
    conf_defaults(&host->conf);
    conf_make_places(&host->conf, 1);
    struct place *place = &host->conf.places[0];
    TEXT_COPY(host->conf.store, room_path(&room, name));
    TEXT_COPY(place->name, "board");
    TEXT_COPY(place->service, "board");
    TEXT_COPY(place->moderators[0], "Mo");
    place->moderator_count = 1;
    place->settings = room.settings;
    host->conf.settings = room.settings;
    open_host(host);
}

static struct feed *
find_feed(struct host *host, unsigned number)
{
    char place[32];
    struct buf name = BUF_INIT;
    struct feed *found = NULL;
    name_place(number, place);
    host->adapter->feed(&host->tables.services.list[0], place, &name);
    for (size_t i = 0; i < host->tables.feeds.count; i++) {
        if (buf_equals(&name, host->tables.feeds.list[i]->name)) {
            found = host->tables.feeds.list[i];
        }
    }
    ck_assert_ptr_nonnull(found);
    buf_release(&name);
    return found;
}

static void
add_line(struct page *page, const struct line *line, bool altered)
{
    char id[16];
    char place[32];
    struct post *post = page_add(page);
    const char *text = altered ? "[b]Bob[/b]\nenact 1\n!end" : line->text;
    snprintf(id, sizeof id, "%d", (int)(line - lines) + 1);
    name_place(line->feed, place);
    *post = (struct post){.id = must_copy(id),
                          .place = must_copy(place),
                          .author = must_copy(line->who),
                          .author_name = must_copy(line->who),
                          .body = must_copy(text),
                          .body_len = strlen(text),
                          .stamp = line->stamp,
                          .edited = altered ? line->stamp + 1 : line->edited,
                          .dm = line->feed > 0};
    page_finish(page);
}

/* Nothing is sent here; everything written counts as sent at once.  The store
 * is not told, so it keeps all texts. */
static void
deliver_messages(struct tables *tables, int64_t now)
{
    timers_deal(tables, "1", now);
    for (size_t i = 0; i < tables->outbox.count; i++) {
        struct queued_message *queued = tables->outbox.list[i];
        queued->delivered = now;
        if (queued->message.kind == MESSAGE_PRIVATE) {
            queued->state = QUEUED_SENT;
        }
    }
}

static void
deliver(struct host *host, unsigned feed, struct outcome *outcome, int64_t now)
{
    struct feed *read = find_feed(host, feed);
    buf_add_text(&outcome->cursor, read->cursor);
    deliver_messages(&host->tables, now);
    intake_take_page(&host->tables, read, outcome, now);
    deliver_messages(&host->tables, now);
    outcome_release(outcome);
}

static void
pass_time(struct tables *tables, int64_t now)
{
    /* Of several deadlines that have passed each calls the next question. */
    for (unsigned i = 0; i < 8; i++) {
        deliver_messages(tables, now);
        timers_work(tables, now);
    }
    deliver_messages(tables, now);
}

/* ---- the first host: everything in order, at once ------------------------ */

/* The service's clock goes on to an instant before which nothing was posted
 * that has not come. */
static void
go_on(int64_t instant, int64_t now)
{
    struct outcome outcome = {.through = instant};
    deliver(&hosts[0], 0, &outcome, now);
    pass_time(&hosts[0].tables, now);
}

static void
play_line(const struct line *line, int64_t now)
{
    struct outcome outcome = {.through = time_of(line)};
    add_line(&outcome.page, line, false);
    deliver(&hosts[0], 0, &outcome, now);
    ck_assert_uint_eq(hosts[0].tables.order.count, 0);
}

static const struct table *
table_on(void)
{
    struct tables *tables = &hosts[0].tables;
    return tables->hosted.count == 0 ? NULL : &tables->hosted.list[0]->table;
}

/* ---- what people write --------------------------------------------------- */

static void
write_line(struct line *line, const char *who, bool dm, const char *format,
           const char *word)
{
    unsigned number = 0;
    while (strcmp(people[number], who) != 0) {
        number++;
        ck_assert_uint_lt(number, FEEDS - 1);
    }
    line->who = people[number];
    line->feed = dm ? number + 1 : 0;
    const char *hole = strstr(format, "%s");
    if (hole == NULL) {
        snprintf(line->text, sizeof line->text, "%s", format);
    } else {
        snprintf(line->text, sizeof line->text, "%.*s%s%s",
                 (int)(hole - format), format, word, hole + 2);
    }
}

static const char *
somebody(struct dice *dice, const struct table *table)
{
    return table->seats[dice_below(dice, table->seated)].name;
}

/* Whoever is awaited answers. */
static void
write_answer(struct dice *dice, const struct table *table, struct line *line)
{
    static const char *const cards[] = {"%s 1", "%s 2", "veto"};
    struct awaits awaits = game_awaits(&table->game);
    seat_set seats = awaits.seats & game_present(&table->game);
    bool ja = dice_below(dice, 4) > 0;
    if (seats == 0) {
        write_line(line, "Mo", false, "Where are they?", NULL);
        return;
    }
    const char *who = table->seats[dice_seat(dice, seats)].name;
    if (awaits.cards > 0) {
        write_line(line, who, dice_below(dice, 20) > 0,
                   cards[dice_below(dice, awaits.may_veto ? 3 : 2)],
                   awaits.question == QUESTION_DISCARD ? "discard" : "enact");
    } else if (awaits.question == QUESTION_VOTE) {
        bool sealed = table->game.rules.ballot == BALLOT_SEALED;
        write_line(line, who, sealed, sealed ? "%s" : "**%s**",
                   ja ? "Ja!" : "Nein!");
    } else if (awaits.question == QUESTION_VETO) {
        write_line(line, who, false, "**%s**", ja ? "Declined" : "Approved");
    } else {
        unsigned target = awaits.choices == 0 ? dice_below(dice, table->seated)
                                              : dice_seat(dice, awaits.choices);
        write_line(line, who, false, "**%s**", table->seats[target].name);
    }
}

/* The number of a line of the thread, from 1: nobody knows the id of what
 * others have written in private. */
static unsigned
public_line(struct dice *dice)
{
    unsigned at = dice_below(dice, (unsigned)line_count);
    while (lines[at].feed != 0) {
        at--; /* the first one is */
    }
    return at + 1;
}

static void
write_command(struct dice *dice, const struct table *table, struct line *line)
{
    static const char *const commands[] = {
        "!pause",
        "!resume",
        "!extend 2h",
        "!vacate %s",
        "!undo",
        "!status",
        "!choose %s lots",
        "!deadline \"20:00\"",
        "!replace %s with Zoe",
        "!set grace=1h",
    };
    char text[32];
    switch (dice_below(dice, 4)) {
    case 0:
        snprintf(text, sizeof text, "!yes %u", table->phase);
        write_line(line, "Mo", false, text, NULL);
        break;
    case 1:
        snprintf(text, sizeof text, "!%s %u%s",
                 dice_below(dice, 2) == 0 ? "void" : "count", public_line(dice),
                 " ja");
        write_line(line, "Mo", false, text, NULL);
        break;
    default:
        write_line(line, "Mo", false, commands[dice_below(dice, 10)],
                   somebody(dice, table));
        break;
    }
}

/* Somebody writes something that may be due, or not. */
static void
write_noise(struct dice *dice, const struct table *table, struct line *line)
{
    static const char *const noise[] = {
        "**Ja!**",         "**Nein!**", "Ja!",       "**Ja! or Nein!**",
        "I would say %s.", "**%s**",    "discard 1", "!help",
        "!join",           "**Veto**",  "!reserve",
    };
    static const char *const whispers[] = {"discard 1", "enact 2", "Nein!",
                                           "What now, %s?", "veto"};
    const char *who = somebody(dice, table);
    if (dice_below(dice, 3) == 0) {
        write_line(line, dice_below(dice, 6) == 0 ? "Zoe" : who, true,
                   whispers[dice_below(dice, 5)], somebody(dice, table));
    } else {
        write_line(line, dice_below(dice, 8) == 0 ? "Zoe" : who, false,
                   noise[dice_below(dice, 11)], somebody(dice, table));
    }
}

static void
write_next(struct dice *dice, struct line *line)
{
    const struct table *table = table_on();
    if (table == NULL) {
        write_line(line, "Mo", false, "That was that.", NULL);
        return;
    }
    unsigned kind = dice_below(dice, 20);
    if (kind < 13) {
        write_answer(dice, table, line);
    } else if (kind < 15) {
        write_command(dice, table, line);
    } else {
        write_noise(dice, table, line);
    }
}

/* When the next post is written: at times at once, at times around the next
 * deadline. */
static int64_t
next_instant(struct dice *dice, int64_t last, const struct stretch *stretch)
{
    const struct table *table = table_on();
    int64_t at = last + (int64_t)dice_below(dice, 20) * 500;
    struct timer timer = {TIMER_NONE, 0};
    if (table != NULL) {
        timer = table_timer(table);
    }
    if (dice_below(dice, 8) == 0) {
        at = last + (int64_t)dice_below(dice, 5 * 60) * MINUTE_MS;
    } else if (timer.kind != TIMER_NONE && timer.at > last + 3 &&
               dice_below(dice, 4) == 0) {
        at = timer.at - 2 + dice_below(dice, 5);
    }
    return at > stretch->ends - SECOND_MS ? 0 : at;
}

/* A post that was edited before anybody could read it counts from then on;
 * another is edited later. */
static void
edit_line(struct dice *dice, struct line *line)
{
    unsigned kind = dice_below(dice, 12);
    if (kind == 0) {
        line->edited = line->stamp;
        line->stamp -= 1 + (int64_t)dice_below(dice, 60) * 500;
    } else if (kind == 1) {
        line->altered = true;
    }
}

/* Post a line at an instant, of two at one time in the order of their feeds. */
static void
add_to_script(struct dice *dice, struct line *line, int64_t at,
              const struct stretch *stretch)
{
    char place[2][32];
    const struct line *last = line_count == 0 ? NULL : &lines[line_count - 1];
    ck_assert_uint_lt(line_count, POSTS_MAX);
    name_place(line->feed, place[0]);
    name_place(last == NULL ? 0 : last->feed, place[1]);
    int order = strcmp(place[0], place[1]);
    line->stamp = at;
    if (stretch->first > 0 && parted.capabilities.disorder == 0) {
        edit_line(dice, line);
    }
    if (line->stamp <= stretch->begins) {
        line->stamp = stretch->begins + 1;
    }
    /* Of the instant at which a question is put, a message may answer it. */
    bool unclear = last != NULL && last->feed != 0 && line->feed == 0;
    if (last != NULL && time_of(last) == at &&
        (order < 0 || unclear || line->edited != 0 ||
         (order == 0 && parted.capabilities.disorder))) {
        line->stamp += line->edited == 0;
        line->edited += line->edited != 0;
    }
    if (last != NULL && time_of(line) > time_of(last)) {
        go_on(time_of(line) - 1, stretch->ends);
    }
    lines[line_count] = *line;
    play_line(&lines[line_count++], stretch->ends);
}

static void
begin_stretch(struct dice *dice, int64_t begins)
{
    static const int64_t lengths[] = {MINUTE_MS, 30 * MINUTE_MS, 6 * HOUR_MS,
                                      30 * HOUR_MS};
    struct stretch *stretch = &stretches[stretch_count++];
    int64_t length = lengths[dice_below(dice, 4)];
    *stretch = (struct stretch){.begins = begins,
                                .ends = begins + length,
                                .first = line_count,
                                .end = line_count};
}

static void
write_signup(struct dice *dice, unsigned players)
{
    struct stretch *stretch = &stretches[0];
    char text[32];
    for (unsigned i = 0; i <= players; i++) {
        struct line line = {.stamp = 0};
        snprintf(text, sizeof text, "!new players=%u", players);
        write_line(&line, i == 0 ? "Mo" : people[i - 1], false,
                   i == 0 ? text : "!join", NULL);
        add_to_script(dice, &line, stretch->begins + 1 + i * SECOND_MS,
                      stretch);
    }
    const struct table *table = table_on();
    ck_assert(table != NULL && table->state == TABLE_RUNNING);
}

static void
write_stretch(struct dice *dice, struct stretch *stretch)
{
    unsigned posts = dice_below(dice, 40);
    int64_t at = stretch->begins + 1;
    if (line_count > 0) {
        int64_t last = time_of(&lines[line_count - 1]);
        at = last > at ? last : at;
    }
    for (unsigned i = 0; i < posts && line_count < POSTS_MAX - 1; i++) {
        struct line line = {.stamp = 0};
        int64_t next = next_instant(dice, at, stretch);
        if (next == 0) {
            continue;
        }
        if (next > at) {
            go_on(next - 1, stretch->ends);
        }
        write_next(dice, &line);
        add_to_script(dice, &line, next, stretch);
        at = time_of(&lines[line_count - 1]);
    }
}

static void
write_script(struct dice *dice, unsigned players)
{
    int64_t begins = room.now;
    line_count = 0;
    stretch_count = 0;
    while (stretch_count < STRETCHES_MAX &&
           (stretch_count == 0 || table_on() != NULL)) {
        begin_stretch(dice, begins);
        struct stretch *stretch = &stretches[stretch_count - 1];
        if (stretch_count == 1) {
            write_signup(dice, players);
        } else {
            write_stretch(dice, stretch);
        }
        stretch->end = line_count;
        go_on(stretch->ends, stretch->ends);
        begins = stretch->ends + MARGIN_MS; /* when its end was surely read */
    }
}

/* ---- the second host: anyhow --------------------------------------------- */

/* Is the line to be seen at an instant?  One that was edited is not shown
 * before. */
static bool
is_shown(const struct line *line, int64_t clock)
{
    return time_of(line) <= clock;
}

/* Take what a feed has at an instant, or the beginning of it, in order of
 * stamps; `through` becomes what has surely come then. */
static void
take_in_order(struct dice *dice, const struct stretch *stretch, unsigned feed,
              int64_t clock, bool whole, struct outcome *outcome)
{
    unsigned most = whole ? POSTS_MAX : dice_below(dice, 6);
    int64_t last = 0;
    outcome->through = clock - (whole ? 0 : dice_below(dice, 3000));
    for (;;) {
        struct line *next = NULL;
        for (size_t i = stretch->first; i < stretch->end; i++) {
            struct line *line = &lines[i];
            if (line->feed == feed && !line->came && line->stamp <= clock &&
                (next == NULL || line->stamp < next->stamp)) {
                next = line;
            }
        }
        if (next == NULL) {
            break;
        }
        if (most-- == 0 || !is_shown(next, clock)) {
            outcome->through = next->stamp - 1; /* there is more */
            break;
        }
        ck_assert_int_ge(next->stamp, last);
        last = next->stamp;
        next->came = true;
        add_line(&outcome->page, next, false);
    }
}

/* Must a line come before another of its feed? */
static bool
comes_before(const struct line *line, const struct line *other)
{
    return line->feed == other->feed && !line->came &&
           time_of(line) <= time_of(other) && line != other &&
           (line->text[0] == '!' || strcmp(line->who, other->who) == 0);
}

static bool
may_come(const struct stretch *stretch, const struct line *line)
{
    for (size_t i = stretch->first; i < stretch->end; i++) {
        if (comes_before(&lines[i], line)) {
            return false;
        }
    }
    return true;
}

/* Of what was posted just now some is shown, in any order. */
static void
take_in_disorder(struct dice *dice, const struct stretch *stretch,
                 unsigned feed, int64_t clock, struct outcome *outcome)
{
    size_t count = stretch->end - stretch->first;
    size_t shift = count == 0 ? 0 : dice_below(dice, (unsigned)count);
    outcome->through = clock - MARGIN_MS;
    for (size_t i = 0; i < count; i++) {
        struct line *line = &lines[stretch->first + (i + shift) % count];
        if (line->feed != feed || line->came || line->stamp > clock) {
            continue;
        }
        if (!is_shown(line, clock)) {
            int64_t through = line->stamp - 1 - MARGIN_MS + DISORDER_MS;
            if (through < outcome->through) {
                outcome->through = through;
            }
        } else if (line->stamp <= clock - DISORDER_MS ||
                   (dice_below(dice, 2) == 0 && may_come(stretch, line))) {
            line->came = true;
            add_line(&outcome->page, line, false);
        }
    }
}

/* What was read already comes once more, and may have been edited since. */
static void
take_again(struct dice *dice, unsigned feed, struct outcome *outcome)
{
    size_t at = line_count < 12 ? 0 : line_count - 12;
    at = dice_below(dice, (unsigned)(at + 1));
    for (size_t i = at; i < line_count && i < at + 8; i++) {
        if (lines[i].came && lines[i].feed == feed) {
            add_line(&outcome->page, &lines[i], lines[i].altered);
        }
    }
}

static void
read_feed(struct dice *dice, const struct stretch *stretch, unsigned feed,
          int64_t clock, bool whole)
{
    struct outcome outcome = {.err = ERR_NONE};
    if (dice_below(dice, 4) == 0) {
        take_again(dice, feed, &outcome);
    }
    if (whole || !parted.capabilities.disorder) {
        take_in_order(dice, stretch, feed, clock, whole, &outcome);
    } else {
        take_in_disorder(dice, stretch, feed, clock, &outcome);
    }
    deliver(&hosts[1], feed, &outcome, stretch->ends);
}

/* An instant at which somebody posts, more or less. */
static int64_t
some_instant(struct dice *dice, const struct stretch *stretch, int64_t last)
{
    size_t count = stretch->end - stretch->first;
    int64_t at = last;
    if (count > 0) {
        const struct line *line =
            &lines[stretch->first + dice_below(dice, (unsigned)count)];
        at = time_of(line) - 2000 + dice_below(dice, 8000);
    }
    at = at < last ? last : at;
    return at > stretch->ends ? stretch->ends : at;
}

static void
read_stretch(struct dice *dice, const struct stretch *stretch)
{
    struct tables *tables = &hosts[1].tables;
    int64_t clock = stretch->begins;
    unsigned idle = dice_below(dice, FEEDS); /* is not read before the end */
    for (size_t n = 2 * (stretch->end - stretch->first); n > 0; n--) {
        unsigned feed = dice_below(dice, 2) == 0 ? 0 : dice_below(dice, FEEDS);
        if (dice_below(dice, 6) == 0) {
            clock = some_instant(dice, stretch, clock);
        }
        if (feed != idle) {
            read_feed(dice, stretch, feed, clock, false);
        }
        if (dice_below(dice, 3) == 0) {
            pass_time(tables, stretch->ends);
        }
        if (dice_below(dice, 20) == 0) {
            tables_close(tables);
            open_host(&hosts[1]);
        }
    }
    unsigned first = dice_below(dice, FEEDS);
    for (unsigned i = 0; i < FEEDS; i++) {
        read_feed(dice, stretch, (first + i) % FEEDS, stretch->ends, true);
    }
    pass_time(tables, stretch->ends);
    ck_assert_uint_eq(tables->order.count, 0);
}

/* ---- both are the same --------------------------------------------------- */

/* All messages of a host, by where they go.  If a game was taken back
 * (`rewound`), those to people are left out: what was not sent by then is
 * withdrawn, and of several posts that are judged at once nothing was. */
static void
add_messages(struct host *host, bool rewound, struct buf *out)
{
    sqlite3 *db = room_open_file(&room, host->name);
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(
        sqlite3_prepare_v2(
            db,
            "SELECT CASE kind WHEN 1 THEN user ELSE '' END AS whom, kind,"
            " coalesce(post, ''), " SQL_TEXT " FROM message"
            " WHERE coalesce(" SQL_TEXT
            ", '') NOT LIKE 'I''m not asking you %right now.%'"
            " AND coalesce(" SQL_TEXT ", '')"
            " NOT LIKE '%the first version of a post%'"
            " AND coalesce(" SQL_TEXT ", '')"
            " NOT LIKE '%Nothing you post counts%'"
            " AND coalesce(" SQL_TEXT ", '')"
            " NOT LIKE '%can''t be changed%voting ends%'"
            " AND coalesce(" SQL_TEXT ", '')"
            " NOT LIKE 'Hello! I host %'" /* whether a table is open yet */
            " AND (kind <> 1 OR text IS NOT NULL)" /* to who was replaced */
            " AND (kind <> 1 OR NOT ?)"
            /* What ends with a question, a seat or the game is not said if
             * that has ended before it could be. */
            " AND delivery IS NULL AND calls >= 0 AND (kind <> 1 OR calls = 0)"
            " ORDER BY whom, kind = 2, id",
            -1, &rows, NULL),
        SQLITE_OK);
    ck_assert_int_eq(sqlite3_bind_int(rows, 1, rewound), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        buf_addf(out, "to %s, kind %d, on %s: %s\n",
                 (const char *)sqlite3_column_text(rows, 0),
                 sqlite3_column_int(rows, 1),
                 (const char *)sqlite3_column_text(rows, 2),
                 (const char *)sqlite3_column_text(rows, 3));
    }
    sqlite3_finalize(rows);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

static int
compare_lines(const void *one, const void *two)
{
    return strcmp(*(char *const *)one, *(char *const *)two);
}

/* Sort the lines of a text; those of a record without their numbers and times:
 * an election is of the time of the vote that was judged last. */
static void
sort_lines(struct buf *text, bool record)
{
    static char *sorted[LINES_MAX];
    struct buf out = BUF_INIT;
    size_t count = 0;
    char *rest = NULL;
    char *whole = buf_take(text);
    for (char *line = strtok_r(whole, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        ck_assert_uint_lt(count, LINES_MAX);
        sorted[count++] = record ? strchr(strchr(line, ',') + 1, ',') : line;
    }
    qsort(sorted, count, sizeof sorted[0], compare_lines);
    for (size_t i = 0; i < count; i++) {
        buf_addf(&out, "%s\n", sorted[i]);
    }
    *text = out;
    free(whole);
}

static void
show_script(void)
{
    for (size_t i = 0; i < line_count; i++) {
        const struct line *line = &lines[i];
        fprintf(stderr, "%zu %lld %lld %s %u: %s\n", i + 1,
                (long long)(line->stamp - room.now),
                (long long)(line->edited == 0 ? 0 : line->edited - room.now),
                line->who, line->feed, line->text);
    }
}

static void
assert_same(const struct buf *found, const struct buf *expected)
{
    const char *one = buf_text(found);
    const char *two = buf_text(expected);
    size_t at = 0;
    size_t line = 0;
    for (; one[at] == two[at] && one[at] != '\0'; at++) {
        line = one[at] == '\n' ? at + 1 : line;
    }
    if (one[at] != two[at] && getenv("SHOW_SCRIPT") != NULL) {
        show_script();
    }
    ck_assert_msg(one[at] == two[at], "found: %.300s\nexpected: %.300s",
                  one + line, two + line);
}

static void
set_up(void)
{
    room_init(&room);
    single = adapter_board;
    parted = adapter_board;
    parted.feed = feed_of_place;
}

static void
tear_down(void)
{
    for (unsigned i = 0; i < 2; i++) {
        tables_close(&hosts[i].tables);
        catalogues_release(&hosts[i].catalogues);
    }
    room_release(&room);
    buf_release(&why);
}

START_TEST(a_game_is_that_of_the_order_in_time_however_posts_arrive)
{
    unsigned seed = (unsigned)_i;
    struct dice dice = {seed * 7919U + 1};
    struct buf records[2] = {BUF_INIT, BUF_INIT};
    struct buf messages[2] = {BUF_INIT, BUF_INIT};
    room_set(&room, "rules", seed % 3 == 0 ? "official" : "play-by-post");
    room_set(&room, "ballot", seed % 2 == 0 ? "sealed" : "open");
    room_set(&room, "second_thought", seed % 5 == 0 ? "10m" : "0");
    bool disorder = seed % 4 == 3;
    if (disorder) {
        parted.capabilities.margin = MARGIN_MS;
        parted.capabilities.disorder = DISORDER_MS;
        room_set(&room, "vote_closes", "all");
    }
    set_host(&hosts[0], "one.db", &single, &seed);
    set_host(&hosts[1], "many.db", &parted, &seed);
    write_script(&dice, 5 + seed % 3);
    for (size_t i = 0; i < stretch_count; i++) {
        read_stretch(&dice, &stretches[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        must(store_record(hosts[i].tables.store, "1", &records[i], &why));
        bool rewound =
            strstr(buf_text(&records[i]), "\"event\":\"rewound\"") != NULL;
        add_messages(&hosts[i], rewound, &messages[i]);
    }
    ck_assert_uint_gt(records[0].len, 0);
    for (unsigned i = 0; disorder && i < 2; i++) {
        sort_lines(&records[i], true);
        sort_lines(&messages[i], false);
    }
    assert_same(&records[1], &records[0]);
    assert_same(&messages[1], &messages[0]);
    for (unsigned i = 0; i < 2; i++) {
        buf_release(&records[i]);
        buf_release(&messages[i]);
    }
}
END_TEST

/* ---- what waits for what ------------------------------------------------- */

/* Somebody posts at an instant in a feed, which has then been read up to
 * another. */
static void
arrives(const char *who, bool dm, const char *text, int64_t at, int64_t through)
{
    struct outcome outcome = {.through = through};
    struct line *line = &lines[line_count++];
    *line = (struct line){.stamp = at};
    write_line(line, who, dm, "%s", text);
    add_line(&outcome.page, line, false);
    deliver(&hosts[1], line->feed, &outcome, room.now);
    pass_time(&hosts[1].tables, room.now);
}

static void
is_read(unsigned feed, int64_t through)
{
    struct outcome outcome = {.through = through};
    deliver(&hosts[1], feed, &outcome, room.now);
    pass_time(&hosts[1].tables, room.now);
}

static const struct game *
game_on(void)
{
    struct tables *tables = &hosts[1].tables;
    ck_assert_uint_eq(tables->hosted.count, 1);
    return &tables->hosted.list[0]->table.game;
}

/* Five sit down; the next post is later than the time that this gives. */
static int64_t
sit_down(void)
{
    static unsigned seed = 7;
    int64_t at = room.now;
    line_count = 0;
    set_host(&hosts[1], "many.db", &parted, &seed);
    room.now += HOUR_MS;
    arrives("Mo", false, "!new players=5", at++, 0);
    for (unsigned i = 0; i < 5; i++) {
        arrives(people[i], false, "!join", at++, 0);
    }
    return at;
}

/* The first two govern.  All is said by the second 60. */
static void
elect(void)
{
    int64_t at = sit_down();
    unsigned first = game_on()->president;
    arrives(people[first], false, first == 1 ? "**Anna**" : "**Bob**", at++, 0);
    for (unsigned i = 0; i < 3; i++) {
        arrives(people[i], false, "**Ja!**", at++, 0);
    }
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
}

/* The same at a service whose posts come in disorder.  The thread was read up
 * to the last one, so what comes next may not be the next. */
static int64_t
sit_down_in_disorder(void)
{
    int64_t at = sit_down();
    parted.capabilities.margin = MARGIN_MS;
    parted.capabilities.disorder = DISORDER_MS;
    return at;
}

/* The first president names the first of the others. */
static void
nominate(int64_t at)
{
    unsigned president = game_on()->president;
    arrives(people[president], false, president == 0 ? "**Bob**" : "**Anna**",
            at, at - MARGIN_MS);
}

START_TEST(in_disorder_who_is_asked_alone_is_heard_at_once)
{
    nominate(sit_down_in_disorder());
    ck_assert_int_eq(game_on()->question, QUESTION_VOTE);
}
END_TEST

START_TEST(in_disorder_a_vote_that_closes_nothing_counts_at_once)
{
    int64_t at = sit_down_in_disorder();
    nominate(at);
    arrives("Carl", false, "**Ja!**", at + 1, at + 1 - MARGIN_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
    ck_assert_uint_eq(seat_count(game_awaits(game_on()).seats), 4);
}
END_TEST

START_TEST(in_disorder_a_vote_waits_for_a_command_before_it)
{
    int64_t at = sit_down_in_disorder();
    nominate(at);
    arrives("Mo", false, "Hello.", at + 1, at + 1 - MARGIN_MS);
    arrives("Carl", false, "**Ja!**", at + 2, at + 2 - MARGIN_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 1);
    arrives("Dora", false, "!status", at + 3, at + 3 - MARGIN_MS);
    arrives("Emil", false, "**Ja!**", at + 4, at + 4 - MARGIN_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 3);
    ck_assert_uint_eq(seat_count(game_awaits(game_on()).seats), 4);
    is_read(0, at + 4 + DISORDER_MS - MARGIN_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
    ck_assert_uint_eq(seat_count(game_awaits(game_on()).seats), 3);
}
END_TEST

/* It may be an order that changes what the answer does. */
START_TEST(in_disorder_who_is_asked_alone_waits_for_what_was_deferred)
{
    int64_t at = sit_down_in_disorder();
    arrives("Carl", false, "Hello.", at, at - MARGIN_MS);
    nominate(at + 1);
    ck_assert_uint_eq(hosts[1].tables.order.count, 2);
    ck_assert_int_eq(game_on()->question, QUESTION_NOMINATE);
    is_read(0, at + 1 + DISORDER_MS - MARGIN_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
    ck_assert_int_eq(game_on()->question, QUESTION_VOTE);
}
END_TEST

/* The president has been asked for a card, at a service whose posts come in
 * disorder; the thread was read up to the time that this gives. */
static int64_t
govern_in_disorder(void)
{
    elect();
    int64_t at = room.now;
    room.now += MINUTE_MS;
    parted.capabilities.margin = MARGIN_MS;
    parted.capabilities.disorder = DISORDER_MS;
    is_read(0, at);
    return at;
}

/* Cards are given in a DM; their owner may also have written in the thread. */
START_TEST(in_disorder_a_private_answer_waits_for_the_thread)
{
    int64_t at = govern_in_disorder();
    const char *president = people[game_on()->president];
    arrives(president, true, "discard 1", at + MARGIN_MS + 1, at);
    ck_assert_uint_eq(hosts[1].tables.order.count, 1);
    is_read(0, at + 1);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

START_TEST(in_disorder_a_private_answer_waits_for_what_was_deferred)
{
    int64_t at = govern_in_disorder();
    arrives("Mo", false, "!pause", at + MARGIN_MS, at);
    arrives(people[game_on()->president], true, "discard 1", at + MARGIN_MS + 1,
            at + DISORDER_MS);
    is_read(0, at + 1);
    ck_assert_uint_eq(hosts[1].tables.order.count, 2);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    is_read(0, at + DISORDER_MS);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
    ck_assert(hosts[1].tables.hosted.list[0]->table.paused);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

/* The next page may bring what was written before the answer. */
START_TEST(in_disorder_a_page_tells_nothing_of_the_next_one)
{
    elect();
    int64_t at = room.now - MINUTE_MS;
    struct outcome outcome = {.through = at, .more = true};
    parted.capabilities.margin = MARGIN_MS;
    parted.capabilities.disorder = DISORDER_MS;
    deliver(&hosts[1], 0, &outcome, room.now);
    arrives(people[game_on()->president], true, "1", at + 1, at + 1);
    ck_assert_uint_eq(hosts[1].tables.order.count, 1);
    arrives("Mo", false, "!pause", at, at + 1 - MARGIN_MS + DISORDER_MS);
    ck_assert(hosts[1].tables.hosted.list[0]->table.paused);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
}
END_TEST

/* Whatever was read there meanwhile: it is read before all that is merely due,
 * as soon as the answer can be judged. */
START_TEST(the_thread_is_read_when_a_private_answer_is_ripe)
{
    bool rings[1] = {true};
    size_t looks[1] = {0};
    struct tables *tables = &hosts[1].tables;
    struct loop loop = {.tables = tables,
                        .reader = {.rings = rings, .looks = looks},
                        .now = room.now,
                        .steady = room.now};
    elect();
    parted.capabilities.pause = 10 * SECOND_MS;
    struct feed *thread = feeds_find(&tables->feeds, &tables->services.list[0],
                                     tables->hosted.list[0]->feed);
    int64_t at = room.now - MINUTE_MS;
    is_read(0, at);
    reader_plan(&loop, thread);
    ck_assert(!thread->hurried);
    arrives(people[game_on()->president], true, "1", at + SECOND_MS, at);
    ck_assert_uint_eq(tables->order.count, 1);
    reader_plan(&loop, thread);
    ck_assert(thread->hurried);
    ck_assert_int_lt(thread->job.next, room.now + SECOND_MS);
}
END_TEST

/* It is judged in the same turn. */
START_TEST(in_disorder_the_thread_is_not_read_again_for_a_private_answer)
{
    bool rings[1] = {true};
    size_t looks[1] = {0};
    struct tables *tables = &hosts[1].tables;
    struct loop loop = {.tables = tables,
                        .reader = {.rings = rings, .looks = looks},
                        .now = room.now,
                        .steady = room.now};
    elect();
    parted.capabilities.pause = 10 * SECOND_MS;
    parted.capabilities.margin = MARGIN_MS;
    parted.capabilities.disorder = DISORDER_MS;
    struct feed *thread = feeds_find(&tables->feeds, &tables->services.list[0],
                                     tables->hosted.list[0]->feed);
    int64_t at = room.now - MINUTE_MS;
    is_read(0, at);
    arrives(people[game_on()->president], true, "discard 1", at + MARGIN_MS + 1,
            at);
    struct outcome outcome = {.through = at + 1};
    deliver(&hosts[1], 0, &outcome, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    reader_plan(&loop, thread);
    ck_assert(!thread->hurried);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
}
END_TEST

START_TEST(a_question_of_the_thread_waits_for_no_dm)
{
    elect(); /* no DM was ever read */
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
}
END_TEST

START_TEST(a_private_answer_waits_for_the_thread)
{
    elect();
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    arrives(people[president], true, "discard 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    ck_assert_uint_eq(hosts[1].tables.order.count, 1);
    arrives("Mo", false, "Well?", at - 1, at - 1);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    is_read(0, at);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
    ck_assert_uint_eq(hosts[1].tables.order.count, 0);
}
END_TEST

/* The cards were handed on half an hour ago, which nobody could see: the host
 * could not read. */
START_TEST(a_name_before_the_policy_was_told_is_no_answer)
{
    elect();
    struct tables *tables = &hosts[1].tables;
    const char *president = people[game_on()->president];
    const char *chancellor = people[game_on()->chancellor];
    int64_t at = room.now - 30 * MINUTE_MS;
    (void)service_clock_observe(
        feeds_clock(&tables->feeds, &tables->services.list[0]), room.now,
        room.now);
    is_read(0, at + 20 * MINUTE_MS);
    arrives(president, true, "discard 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
    room.now += 2 * HOUR_MS;
    at = room.now - 30 * MINUTE_MS;
    (void)service_clock_observe(
        feeds_clock(&tables->feeds, &tables->services.list[0]), room.now,
        room.now);
    is_read(0, at + 20 * MINUTE_MS);
    arrives(chancellor, true, "enact 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_NOMINATE);
    const char *next = people[game_on()->president];
    arrives(next, false, "**Emil**", at + 25 * MINUTE_MS, 0);
    ck_assert_int_eq(game_on()->question, QUESTION_NOMINATE);
    arrives(next, false, "**Emil**", room.now, 0);
    ck_assert_int_eq(game_on()->question, QUESTION_VOTE);
}
END_TEST

START_TEST(what_was_written_before_its_author_had_the_seat_is_no_answer)
{
    elect();
    char yes[16];
    struct tables *tables = &hosts[1].tables;
    const char *president = people[game_on()->president];
    int64_t at = room.now - 30 * MINUTE_MS;
    is_read(game_on()->president + 1, at);
    snprintf(yes, sizeof yes, "!yes %u", tables->hosted.list[0]->table.phase);
    arrives("Zoe", false, "!reserve", at, at);
    arrives("Mo", false,
            strcmp(president, "Anna") == 0 ? "!replace Anna with Zoe"
                                           : "!replace Bob with Zoe",
            at, at);
    arrives("Mo", false, yes, at, at);
    ck_assert_uint_ne(table_seat(&tables->hosted.list[0]->table, "Zoe"),
                      NO_SEAT);
    arrives("Zoe", true, "discard 1", at - 1, at);
    ck_assert_uint_eq(tables->order.count, 0);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    arrives("Zoe", true, "discard 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

START_TEST(a_dm_that_is_denied_is_waited_for_no_more)
{
    elect();
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    arrives("Mo", false, "!pause", at, at);
    ck_assert(!hosts[1].tables.hosted.list[0]->table.paused);
    feed_lose(find_feed(&hosts[1], president + 1), "403");
    is_read(0, at + 1);
    ck_assert(hosts[1].tables.hosted.list[0]->table.paused);
}
END_TEST

START_TEST(a_thread_is_always_waited_for)
{
    elect();
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    feed_lose(find_feed(&hosts[1], 0), "403");
    arrives(people[president], true, "discard 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
}
END_TEST

/* How many private messages to somebody hold a text, in SQL's quotes. */
static int64_t
count_told(const char *who, const char *text)
{
    char sql[1200];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM message WHERE kind = 1 AND"
                   " user = '%s' AND instr(" SQL_TEXT ", '%s') > 0",
                   who, text);
    return room_query(&room, "many.db", sql);
}

/* … but who sits nowhere is heard, once the moderators were told. */
START_TEST(a_game_whose_thread_is_gone_is_ended_in_private)
{
    elect();
    struct tables *tables = &hosts[1].tables;
    int64_t at = room.now - 30 * MINUTE_MS;
    char yes[32];
    snprintf(yes, sizeof yes, "!yes %u", tables->hosted.list[0]->table.phase);
    threads_note_gone(tables, find_feed(&hosts[1], 0), ERR_GONE,
                      room.now - HOUR_MS);
    arrives("Mo", true, "!end", at, at);
    ck_assert_uint_eq(tables->order.count, 1);
    threads_note_gone(tables, find_feed(&hosts[1], 0), ERR_GONE, room.now);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
    arrives("Mo", true, yes, at, at + 1);
    ck_assert_uint_eq(tables->hosted.count, 0);
    ck_assert_int_eq(count_told("Mo", "There''s no winner."), 1);
    ck_assert_int_eq(count_told("Mo", "pass it on to the players"), 1);
}
END_TEST

/* Its address leads where the game is: nothing more will be known of it. */
START_TEST(a_game_whose_room_can_not_be_read_is_ended_in_private)
{
    elect();
    struct tables *tables = &hosts[1].tables;
    int64_t at = room.now - 30 * MINUTE_MS;
    parted.capabilities.moves = true;
    places_set_id(&tables->places, tables->places.list[0], PLACE_THREAD, "");
    is_read(game_on()->president + 1, at);
    is_read(0, at);
    arrives("Mo", true, "!end", at, at);
    ck_assert_uint_eq(tables->order.count, 1);
    places_set_id(&tables->places, tables->places.list[0], PLACE_UNREADABLE,
                  "elsewhere");
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    places_set_id(&tables->places, tables->places.list[0], PLACE_UNREADABLE,
                  tables->hosted.list[0]->table.thread);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
}
END_TEST

/* They may sit at another table, too, which goes on. */
START_TEST(players_are_heard_in_private_though_their_thread_is_gone)
{
    elect();
    struct feed *thread = find_feed(&hosts[1], 0);
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    threads_note_gone(&hosts[1].tables, thread, ERR_GONE, room.now - HOUR_MS);
    arrives(people[president], true, "discard 1", at, at);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    threads_note_gone(&hosts[1].tables, thread, ERR_GONE, room.now);
    pass_time(&hosts[1].tables, room.now);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

START_TEST(no_deadline_fires_before_the_dm_of_who_is_awaited_is_read)
{
    elect();
    unsigned president = game_on()->president;
    int64_t due = table_due(&hosts[1].tables.hosted.list[0]->table);
    room.now = due + MINUTE_MS;
    is_read(0, due);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    arrives(people[president], true, "discard 1", due, due - 1);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
    ck_assert_uint_eq(
        hosts[1].tables.hosted.list[0]->table.seats[president].misses, 0);
}
END_TEST

START_TEST(a_deferred_post_is_judged_after_a_new_start)
{
    elect();
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    arrives(people[president], true, "discard 1", at, at);
    tables_close(&hosts[1].tables);
    open_host(&hosts[1]);
    ck_assert_uint_eq(hosts[1].tables.order.count, 1);
    is_read(0, at);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

START_TEST(a_deferred_call_for_a_table_waits_until_its_place_is_found)
{
    static unsigned seed = 7;
    char place[32];
    struct tables *tables = &hosts[1].tables;
    line_count = 0;
    set_host(&hosts[1], "many.db", &parted, &seed);
    parted.capabilities.margin = MARGIN_MS;
    parted.capabilities.disorder = DISORDER_MS;
    arrives("Mo", false, "!new players=5", room.now, room.now - MARGIN_MS);
    tables_close(tables);
    open_host_at(&hosts[1], false);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    name_place(0, place);
    tables_feeds_found(tables, tables->places.list[0], place);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    is_read(0, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
    ck_assert_uint_eq(tables->hosted.count, 1);
}
END_TEST

/* They may be at no table, so that their DM is not read. */
START_TEST(a_dm_is_answered_though_a_place_is_missing)
{
    static unsigned seed = 7;
    struct tables *tables = &hosts[1].tables;
    struct outcome outcome = {.through = room.now - MARGIN_MS};
    line_count = 0;
    set_host(&hosts[1], "many.db", &parted, &seed);
    places_set_id(&tables->places, tables->places.list[0], PLACE_THREAD, "");
    lines[line_count++] =
        (struct line){.stamp = room.now, .who = "Zoe", .feed = 1};
    TEXT_COPY(lines[0].text, "!help");
    add_line(&outcome.page, &lines[0], false);
    free(outcome.page.posts[0].place);
    outcome.page.posts[0].place = must_copy("talk/Stranger");
    deliver(&hosts[1], 1, &outcome, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    places_miss(tables->places.list[0]);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
}
END_TEST

static void
note_feed(void *context, struct feed *other, int64_t time)
{
    const struct feed **visited = context;
    ck_assert_ptr_null(*visited);
    ck_assert_int_eq(time, room.now + parted.capabilities.margin);
    *visited = other;
}

START_TEST(who_joins_waits_only_until_the_place_of_the_call_is_read)
{
    static unsigned seed = 7;
    struct tables *tables = &hosts[1].tables;
    const struct feed *visited = NULL;
    set_host(&hosts[1], "many.db", &parted, &seed);
    arrives("Mo", false, "!new players=5", room.now++, 0);
    struct table *table = &tables->hosted.list[0]->table;
    name_set(&table->home, "home");
    hosted_note(tables, tables->hosted.list[0]);
    feeds_read(&tables->feeds, &tables->services.list[0], "home", "");
    struct feed *home = tables->feeds.list[tables->feeds.count - 1];
    arrives("Anna", false, "!join", room.now, room.now);
    ck_assert_uint_eq(tables->order.count, 1);
    deferred_visit(tables, find_feed(&hosts[1], 0), note_feed, &visited);
    ck_assert_ptr_eq(visited, home);
    feeds_read_through(&tables->feeds, home, room.now);
    pass_time(tables, room.now);
    ck_assert_uint_eq(tables->order.count, 0);
    ck_assert_uint_eq(tables->hosted.list[0]->table.seated, 1);
}
END_TEST

START_TEST(the_dms_of_those_at_a_table_alone_are_read)
{
    elect();
    struct tables *tables = &hosts[1].tables;
    ck_assert(tables_feeds_read(tables, find_feed(&hosts[1], 0)));
    ck_assert(tables_feeds_read(tables, find_feed(&hosts[1], 5)));
    ck_assert(!tables_feeds_read(tables, find_feed(&hosts[1], 6)));
}
END_TEST

/* At a start its feed may be listed as the thread of its last game. */
START_TEST(a_place_is_read_wherever_its_last_game_was)
{
    elect();
    struct tables *tables = &hosts[1].tables;
    struct hosted_place *place = tables->places.list[0];
    struct feed *feed = find_feed(&hosts[1], 0);
    feed_set_thread(feed, place->ids[PLACE_THREAD]);
    places_set_id(&tables->places, place, PLACE_LAST_THREAD, "own");
    name_set(&tables->hosted.list[0]->table.thread, "own");
    hosted_note(tables, tables->hosted.list[0]);
    ck_assert(tables_feeds_read(tables, feed));
}
END_TEST

START_TEST(an_inbox_of_all_dms_is_read_and_waited_for)
{
    parted.feed = feed_with_inbox;
    elect();
    unsigned president = game_on()->president;
    int64_t at = room.now - 30 * MINUTE_MS;
    ck_assert(tables_feeds_read(&hosts[1].tables, find_feed(&hosts[1], 6)));
    arrives("Mo", false, "!pause", at, at);
    ck_assert(!hosts[1].tables.hosted.list[0]->table.paused);
    arrives(people[president], true, "discard 1", at - 1, at + 1);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
    ck_assert(hosts[1].tables.hosted.list[0]->table.paused);
}
END_TEST

/* Moderators need not wait for it. */
START_TEST(while_the_inbox_of_all_dms_is_denied_nobodys_time_runs_out)
{
    parted.feed = feed_with_inbox;
    elect();
    struct tables *tables = &hosts[1].tables;
    unsigned president = game_on()->president;
    int64_t at = tables->hosted.list[0]->table.deadline;
    feed_lose(find_feed(&hosts[1], 6), "401");
    room.now = at + HOUR_MS;
    is_read(0, at + HOUR_MS);
    ck_assert_int_eq(game_on()->question, QUESTION_DISCARD);
    arrives("Mo", false, "!warnings", at + HOUR_MS, at + HOUR_MS + 1);
    ck_assert_uint_eq(tables->order.count, 0);
    feed_find_again(find_feed(&hosts[1], 6));
    arrives(people[president], true, "discard 1", at - 1, at + HOUR_MS);
    ck_assert_int_eq(game_on()->question, QUESTION_ENACT);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("tables/arrival");
    TCase *tcase = tcase_create("arrival");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_loop_test(
        tcase, a_game_is_that_of_the_order_in_time_however_posts_arrive, 0,
        (int)effort_of(SEEDS));
    tcase_add_test(tcase, in_disorder_who_is_asked_alone_is_heard_at_once);
    tcase_add_test(tcase,
                   in_disorder_a_vote_that_closes_nothing_counts_at_once);
    tcase_add_test(tcase, in_disorder_a_vote_waits_for_a_command_before_it);
    tcase_add_test(tcase,
                   in_disorder_who_is_asked_alone_waits_for_what_was_deferred);
    tcase_add_test(tcase, in_disorder_a_private_answer_waits_for_the_thread);
    tcase_add_test(tcase,
                   in_disorder_a_private_answer_waits_for_what_was_deferred);
    tcase_add_test(tcase, in_disorder_a_page_tells_nothing_of_the_next_one);
    tcase_add_test(tcase, the_thread_is_read_when_a_private_answer_is_ripe);
    tcase_add_test(
        tcase, in_disorder_the_thread_is_not_read_again_for_a_private_answer);
    tcase_add_test(tcase, a_question_of_the_thread_waits_for_no_dm);
    tcase_add_test(tcase, a_private_answer_waits_for_the_thread);
    tcase_add_test(tcase, a_name_before_the_policy_was_told_is_no_answer);
    tcase_add_test(
        tcase, what_was_written_before_its_author_had_the_seat_is_no_answer);
    tcase_add_test(tcase, a_dm_that_is_denied_is_waited_for_no_more);
    tcase_add_test(tcase, a_thread_is_always_waited_for);
    tcase_add_test(tcase, a_game_whose_thread_is_gone_is_ended_in_private);
    tcase_add_test(tcase,
                   a_game_whose_room_can_not_be_read_is_ended_in_private);
    tcase_add_test(tcase,
                   players_are_heard_in_private_though_their_thread_is_gone);
    tcase_add_test(tcase,
                   no_deadline_fires_before_the_dm_of_who_is_awaited_is_read);
    tcase_add_test(tcase, a_deferred_post_is_judged_after_a_new_start);
    tcase_add_test(tcase,
                   a_deferred_call_for_a_table_waits_until_its_place_is_found);
    tcase_add_test(tcase, a_dm_is_answered_though_a_place_is_missing);
    tcase_add_test(tcase,
                   who_joins_waits_only_until_the_place_of_the_call_is_read);
    tcase_add_test(tcase, the_dms_of_those_at_a_table_alone_are_read);
    tcase_add_test(tcase, a_place_is_read_wherever_its_last_game_was);
    tcase_add_test(tcase, an_inbox_of_all_dms_is_read_and_waited_for);
    tcase_add_test(tcase,
                   while_the_inbox_of_all_dms_is_denied_nobodys_time_runs_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
