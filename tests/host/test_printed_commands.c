/*
 * A command that the host prints works as it is printed, for those who read it:
 * whole games, in which each one is given at once by a reader, at a copy of the
 * table, and is not refused.
 *
 * Who reads a private message is its user; who reads an answer is its author;
 * of any other post somebody must be able to do it: one of those it pings, a
 * player, a newcomer; or a moderator, if the line says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/board/board_server.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "tests/support/bare_host.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    PLAYERS = 7,
    STEPS = 260,
    GAMES = 12, /* in each language */
};

/* One has a name of two words, one has accents. */
static const char *const players[PLAYERS] = {
    "Anna", "Eva Marie", "Carl", "Chlo\xc3\xa9", "Emil", "Frida", "Gert"};
static const char *const newcomers[] = {"Nina", "Otto"};

/* How a line says that a command is a moderator's. */
static const struct {
    const char *language, *moderator, *name, *other;
} languages[] = {
    {"en", "oderator", "NAME", "OTHER"},
    {"nl", "oderator", "NAAM", "ANDER"},
    {"nb", "oderator", "NAVN", "ANNEN"},
    {"fr", "mod\xc3\xa9rat", "NOM", "AUTRE"},
    {"de", "oderat", "NAME", "ANDERER"},
};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0]
};

static struct bare_host bare_host;
static struct catalogue catalogue;
static struct dice dice;
static unsigned language;
static unsigned printed; /* commands that were tried */

/* ---- what a refusal says ------------------------------------------------- */

/* These say that a command can't be given, or not so, or not by them.  (Too few
 * to start, nobody in reserve, no deadline, sign-up over: the sentence that
 * prints the command says so.) */
static const char *const refusal_keys[] = {
    "command_in_thread", "command_moderators",
    "unknown_command",   "command_late",
    "command_nobody",    "claim_bad",
    "claim_no_party",    "claim_no_peek",
    "claim_in_session",  "away_bad",
    "extend_bad",        "deadline_bad",
    "catchup_bad",       "set_bad",
    "set_wrong",         "set_rule",
    "alias_bad",         "alias_taken",
    "alias_word",        "warn_bad",
    "choose_bad",        "receipts_bad",
    "zone_bad",          "remind_bad",
    "moderator_bad",     "answer_bad",
    "new_not_allowed",   "new_bad",
    "again_none",        "yes_nothing",
    "yes_not_yours",     "not_begun",
    "signup_not_in",     "signup_none",
    "signup_too_late",   "reserve_full",
    "join_former",       "join_gallery",
    "gallery_seated",    "gallery_off",
    "vacate_whom",       "resume_nothing",
    "replace_whom",      "paused_already",
    "claim_no_session",  "page_none",
    "page_later",        "preference_players",
    "agree_nothing",     "signup_not_yours",

    "language_bad",      "signup_joined_already",
};
enum {
    SAID_NO = sizeof refusal_keys / sizeof refusal_keys[0]
};
/* The plain words of each, outside what may be left out: a run a line. */
static struct buf refusals[SAID_NO];

static void
find_plain_words(const char *template, struct buf *runs)
{
    unsigned depth = 0;
    bool code = false;
    for (const char *at = template; *at != '\0'; at++) {
        depth += *at == '{' || *at == '<';
        code = code != (*at == '`');
        if (depth == 0 && !code && strchr("*`\n", *at) == NULL) {
            buf_add_char(runs, *at);
        } else if (runs->len > 0 && runs->data[runs->len - 1] != '\n') {
            buf_add_char(runs, '\n');
        }
        depth -= *at == '}' || *at == '>';
    }
}

/* Does a text have all these runs, in their order? */
static bool
has_runs(const char *text, const char *runs)
{
    while (text != NULL && *runs != '\0') {
        struct buf run = BUF_INIT;
        size_t len = strcspn(runs, "\n");
        buf_add(&run, runs, len);
        text = strstr(text, buf_text(&run));
        if (text != NULL) {
            text += len;
        }
        buf_release(&run);
        runs += len;
        runs += *runs == '\n';
    }
    return text != NULL;
}

static void
load(void)
{
    struct buf why = BUF_INIT;
    ck_assert(catalogue_load(&catalogue, languages[language].language,
                             THEME_ORIGINAL, &why) == ERR_NONE);
    for (unsigned i = 0; i < SAID_NO; i++) {
        const char *template =
            language_find(&catalogue.language, refusal_keys[i]);
        ck_assert_msg(template != NULL, "%s", refusal_keys[i]);
        buf_clear(&refusals[i]);
        find_plain_words(template, &refusals[i]);
        ck_assert_msg(refusals[i].len >= 6, "%s: %s", refusal_keys[i],
                      buf_text(&refusals[i]));
    }
}

/* Which refusal a message is; NULL: none.  Who gives a bare word is told what
 * is missing. */
static const char *
refusal_in(const char *text, bool bare)
{
    for (unsigned i = 0; i < SAID_NO; i++) {
        const char *key = refusal_keys[i];
        size_t len = strlen(key);
        bool usage = bare && (strcmp(key + len - 4, "_bad") == 0 ||
                              strcmp(key + len - 5, "_whom") == 0);
        /* The opening post tells how to step back to those who have joined. */
        bool first = strcmp(key, "signup_not_in") == 0 &&
                     table_is_coming(&bare_host.table);
        /* A reminder tells how to leave those who are leaving, too. */
        first = first || (strcmp(key, "command_late") == 0 &&
                          bare_host.table.leaving != 0);
        if (has_runs(text, buf_text(&refusals[i])) && !usage && !first) {
            return key;
        }
    }
    return NULL;
}

/* ---- giving a command ---------------------------------------------------- */

/* Give it at a copy of the table.  What is wrong; NULL: it is obeyed. */
static const char *
try(const char *who, bool dm, const char *line)
{
    struct table table;
    struct host_env env = bare_host.env;
    struct ruling ruling;
    struct rich rich = {.count = 0};
    bool unread = false;
    char *author = must_copy(who);
    char *place = must_copy(dm ? "talk" : "thread");
    char *body = must_copy(line);
    char id[] = "9999";
    char none[] = "";
    struct post post = {.kind = POST_WRITTEN,
                        .id = id,
                        .place = place,
                        .author = author,
                        .author_name = author,
                        .body = body,
                        .body_len = strlen(line),
                        .reply_to = none,
                        .stamp = env.now,
                        .dm = dm};
    struct input input = {.post = &post, .rich = &rich};
    const char *wrong = NULL;
    dialect_board.read(body, strlen(body), &rich, &unread);
    table_clone(&table, &bare_host.table);
    ruling_init(&ruling, &env, &table);
    ruling.cause = id;
    bool obeyed = chat_commands_run(&ruling, &input, "2");
    bool bare = strchr(line, ' ') == NULL;
    for (unsigned i = 0; wrong == NULL && i < ruling.message_count; i++) {
        struct buf seen = BUF_INIT;
        visible_text(ruling.messages[i].text, &seen);
        wrong = refusal_in(buf_text(&seen), bare);
        buf_release(&seen);
    }
    if (!obeyed || (ruling.message_count == 0 && ruling.row_count == 0)) {
        wrong = "silence";
    }
    ruling_release(&ruling);
    table_release(&table);
    rich_wipe(&rich);
    free(author);
    free(place);
    free(body);
    return wrong;
}

static bool
works(const char *who, const char *line)
{
    return try(who, false, line) == NULL || try(who, true, line) == NULL;
}

/* ---- who reads it -------------------------------------------------------- */

static bool
works_for_list(const char *pings, const char *line)
{
    char list[1024];
    char *save = NULL;
    bool good = false;
    snprintf(list, sizeof list, "%s", pings == NULL ? "" : pings);
    for (char *user = strtok_r(list, "\n", &save); user != NULL && !good;
         user = strtok_r(NULL, "\n", &save)) {
        good = works(user, line);
    }
    return good;
}

static bool
works_for_anybody(const char *line)
{
    for (unsigned i = 0; i < PLAYERS; i++) {
        if (works(players[i], line)) {
            return true;
        }
    }
    return works(newcomers[0], line) || works(newcomers[1], line);
}

/* An answer to a command, or to a question: nothing has happened. */
static bool
is_answer(void)
{
    return bare_host.author != NULL && bare_host.ruling.event_count == 0;
}

static bool
works_for_readers(const struct message *message, const char *line,
                  const char *sentence)
{
    bool moderators = strstr(sentence, languages[language].moderator) != NULL ||
                      strstr(sentence, "Mo ") != NULL;
    if (moderators && works("Mo", line)) {
        return true;
    }
    if (message->kind == MESSAGE_PRIVATE) {
        return works(message->user, line);
    }
    if (is_answer() && message->kind == MESSAGE_POST &&
        works(bare_host.author, line)) {
        return true;
    }
    return works_for_list(message->pings, line) || works_for_anybody(line);
}

/* ---- what is printed ----------------------------------------------------- */

/* Put names in place of the words that stand for them.  False: it speaks of a
 * link. */
static bool
fill_in(const char *code, struct buf *line)
{
    const char *name = languages[language].name;
    while (*code != '\0') {
        size_t len = strcspn(code, " ,");
        if (len >= 3 && (strncmp(code, "LINK", len) == 0 ||
                         strncmp(code, "LIEN", len) == 0 ||
                         strncmp(code, "LENKE", len) == 0)) {
            return false;
        }
        if (len == strlen(name) && strncmp(code, name, len) == 0) {
            buf_add_text(line, players[2]);
        } else {
            buf_add(line, code, len);
        }
        code += len;
        if (*code != '\0') {
            buf_add_char(line, *code++);
        }
    }
    return true;
}

/* The line of a text that has that position. */
static void
line_around(const struct rich *said, size_t at, struct buf *line)
{
    size_t from = at;
    size_t to = at;
    const char *text = said->text.data;
    while (from > 0 && text[from - 1] != '\n') {
        from--;
    }
    while (to < said->text.len && text[to] != '\n') {
        to++;
    }
    buf_add(line, text + from, to - from);
}

static void
check_run(const struct message *message, const struct rich *said,
          const struct run *run)
{
    struct buf code = BUF_INIT;
    struct buf line = BUF_INIT;
    struct buf around = BUF_INIT;
    add_without_guards(said->text.data + run->start, run->len, &code);
    if (buf_text(&code)[0] == '!' && fill_in(buf_text(&code), &line)) {
        line_around(said, run->start, &around);
        printed++;
        ck_assert_msg(
            works_for_readers(message, buf_text(&line), buf_text(&around)),
            "%s: %s to %s is refused (%s):\n%s", languages[language].language,
            buf_text(&line),
            message->kind == MESSAGE_PRIVATE ? message->user
            : is_answer()                    ? bare_host.author
                                             : "all",
            try(message->kind == MESSAGE_PRIVATE ? message->user
                : is_answer()                    ? bare_host.author
                                                 : players[0],
                false, buf_text(&line)),
            buf_text(&said->text));
    }
    buf_release(&code);
    buf_release(&line);
    buf_release(&around);
}

/* Try all that the newest ruling prints. */
static void
check_printed(void)
{
    for (unsigned i = 0; i < bare_host.ruling.message_count; i++) {
        const struct message *message = &bare_host.ruling.messages[i];
        struct rich said = {.count = 0};
        bool unread = false;
        if (message->kind == MESSAGE_POST || message->kind == MESSAGE_STATUS ||
            message->kind == MESSAGE_PRIVATE) {
            dialect_board.read(message->text, strlen(message->text), &said,
                               &unread);
        }
        for (size_t r = 0; r < said.count; r++) {
            if ((said.runs[r].marks & MARK_CODE) != 0) {
                check_run(message, &said, &said.runs[r]);
            }
        }
        rich_release(&said);
    }
}

/* ---- a game -------------------------------------------------------------- */

static const char *
name_of(unsigned seat)
{
    return bare_host.table.seats[seat].name;
}

static void
says(const char *who, bool dm, const char *text)
{
    bare_host.env.now += 60 * SECOND_MS;
    bare_host_post(&bare_host, who, dm, text, bare_host.env.now);
    check_printed();
    if (bare_host.table.state == TABLE_SEATED) {
        bare_host_deal(&bare_host);
        check_printed();
    }
}

static void
names(unsigned seat, unsigned target)
{
    char text[128];
    snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
             name_of(target));
    says(bare_host.table.seats[seat].user, false, text);
}

/* Somebody who is awaited answers. */
static void
answer(void)
{
    const struct game *game = &bare_host.table.game;
    struct awaits awaits = game_awaits(game);
    seat_set here = awaits.seats & game_present(game);
    if (here == 0) {
        return;
    }
    unsigned seat = dice_seat(&dice, here);
    const char *who = bare_host.table.seats[seat].user;
    if (awaits.question == QUESTION_VOTE) {
        bool sealed = game->rules.ballot == BALLOT_SEALED;
        says(who, sealed,
             dice_below(&dice, 4) > 0 ? sealed ? "Ja" : "[b]Ja![/b]"
             : sealed                 ? "Nein"
                                      : "[b]Nein![/b]");
    } else if (awaits.question == QUESTION_DISCARD) {
        says(who, true, "discard 1");
    } else if (awaits.question == QUESTION_ENACT) {
        bool veto = game->fascist == 5 && dice_below(&dice, 2) == 0;
        says(who, true, veto ? "veto" : "enact 2");
    } else if (awaits.question == QUESTION_VETO) {
        says(who, false,
             dice_below(&dice, 2) == 0 ? "[b]Approved[/b]" : "[b]Declined[/b]");
    } else if (awaits.choices != 0) {
        names(seat, dice_seat(&dice, awaits.choices));
    }
}

/* The next timer fires. */
static void
waits(void)
{
    struct timer timer = table_timer(&bare_host.table);
    if (timer.kind != TIMER_NONE) {
        if (bare_host.env.now < timer.at) {
            bare_host.env.now = timer.at;
        }
        bare_host_fire(&bare_host, bare_host.env.now);
        check_printed();
    }
}

/* Somebody says something beside the game. */
static void
beside(void)
{
    static const char *const said[] = {
        "!help",           "!status",  "!votes",        "!history",
        "!rules",          "!fair",    "!claim",        "!claim FFL FL",
        "!claim peek FFL", "!away 3d", "!away someday", "!alias",
        "!what",           "!undo",    "!role",         "!catchup",
        "!gallery",        "!plan",    "!extend",       "!ask",
        "!remind",         "!fair",    "!receipts on",  "!receipts",
        "[b]Zoe[/b]",      "Ja!",      "!leave",        "!join",
        "!reserve",        "!again",   "!report",       "!stats",
        "!warnings",       "!why",     "!agree",        "!yes",
    };
    const char *text = said[dice_below(&dice, sizeof said / sizeof said[0])];
    bool dm = dice_below(&dice, 3) == 0;
    unsigned who = dice_below(&dice, PLAYERS + 3);
    says(who < PLAYERS       ? players[who]
         : who < PLAYERS + 2 ? newcomers[who - PLAYERS]
                             : "Mo",
         dm, text);
}

/* A moderator does something. */
static void
moderates(void)
{
    char text[128];
    switch (dice_below(&dice, 8)) {
    case 0:
        says("Mo", false, "!pause");
        break;
    case 1:
        says("Mo", false, "!pause 2d holidays");
        break;
    case 2:
        says("Mo", false, "!extend 12h");
        break;
    case 3:
        says("Mo", false, "!undo");
        break;
    case 4:
        snprintf(text, sizeof text, "!vacate %s",
                 players[dice_below(&dice, PLAYERS)]);
        says("Mo", false, text);
        break;
    case 5:
        says("Mo", false, "!help");
        break;
    default:
        if (bare_host.table.paused) {
            says("Mo", false, "!resume");
        }
        break;
    }
}

static bool
find_last(void *context, const char *thread, const struct place *place,
          struct table *table)
{
    (void)context;
    (void)thread;
    (void)place;
    table_release(table);
    table_clone(table, &bare_host.table);
    return bare_host.table.state == TABLE_OVER;
}

static void
play(unsigned seed)
{
    struct settings *settings = &bare_host.place.settings;
    settings_defaults(settings);
    settings->ready_check = seed % 3 == 0;
    settings->table_moderates = seed % 3 == 1;
    settings->prod = 36 * HOUR_MS;
    TEXT_COPY(settings->gallery, seed % 2 == 0 ? "on" : "off");
    TEXT_COPY(settings->zone, seed % 2 == 0 ? "UTC" : "Europe/Oslo");
    dice = (struct dice){seed + 1};
    bare_host_clear(&bare_host, seed, INT64_C(1795255200000));
    bare_host.history.last = find_last;
    bare_host.env.catalogue = &catalogue;
    says("Mo", false, "!new players=5-7");
    for (unsigned i = 0; i < PLAYERS; i++) {
        says(players[i], false, "!join");
        says(players[i], false, "!help");
    }
    for (unsigned i = 0; i < STEPS && bare_host.table.state != TABLE_OVER;
         i++) {
        unsigned what = dice_below(&dice, 24);
        if (what < 4) {
            beside();
        } else if (what == 4) {
            moderates();
        } else if (what == 5 || bare_host.table.state == TABLE_CHECK ||
                   game_awaits(&bare_host.table.game).seats == 0) {
            waits();
        } else {
            answer();
        }
        if (bare_host.table.state == TABLE_SEATED) {
            bare_host_deal(&bare_host);
            check_printed();
        }
    }
}

START_TEST(a_printed_command_works_for_who_reads_it)
{
    language = (unsigned)_i;
    load();
    bare_host_init(&bare_host);
    printed = 0;
    for (unsigned seed = 0; seed < effort_of(GAMES); seed++) {
        play(seed);
    }
    ck_assert_uint_gt(printed, effort_of(300));
    bare_host_release(&bare_host);
    catalogue_release(&catalogue);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/printed_commands");
    TCase *tcase = tcase_create("printed commands");
    tcase_add_loop_test(tcase, a_printed_command_works_for_who_reads_it, 0,
                        LANGUAGES);
    suite_add_tcase(suite, tcase);
    return suite;
}
