/*
 * Whole games on Discord: a host in a process of its own, over HTTP, with the
 * guild of tests/support/guild.h, which loses replies, turns away, and limits;
 * and the host is killed again and again.
 *
 * The host is what `placard run` runs, but for its clock, which is the test's:
 * it stands while anything is asked or answered, and jumps to what is due next
 * where nothing is.  The host takes a turn when it is told to, so that it does
 * nothing while the clock moves.
 *
 * The players act on what the host posts and nothing else.  They play for six
 * fascist policies, so that every kind of question comes.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/commands/command.h"
#include "bot/courier.h"
#include "bot/desk.h"
#include "bot/loop.h"
#include "bot/services.h"
#include "tests/base/scratch.h"
#include "tests/support/guild.h"
#include "tests/support/httpd.h"
#include "tests/support/runner.h"

enum {
    PLAYERS = 10,
    DEEDS_MAX = 256,
    QUIET = 4,              /* turns without any request: nothing is asked */
    JUMP_MS = 500,          /* where requests wait for a limit */
    GAME_MS = 60 * 24 * 60, /* minutes: by then each game has ended */
};

/* What both processes see. */
struct shared {
    int64_t now;
    int64_t wake;   /* when the host has something to do again */
    unsigned turns; /* that it has taken */
    unsigned busy;  /* its errands under way */
};

/* What somebody will do. */
struct deed {
    int64_t at;
    char who[32], text[256];
    uint64_t channel;        /* 0: in private */
    uint64_t edits, deletes; /* a message, instead of a new one */
    bool vote;
    unsigned tries;
};

/* A kind of game, and what it meets. */
struct evening {
    const char *options; /* of `!new` */
    const char *settings;
    unsigned players;
    struct guild_habits habits;
    unsigned kills, losses, storms; /* one request in so many; 0: never */
};

static struct {
    const struct evening *evening;
    struct shared *shared;
    struct guild *guild;
    struct httpd *httpd;
    pid_t host;
    int bell[2];    /* the host takes a turn for each byte */
    unsigned turns; /* that it was told to take */
    struct deed deeds[DEEDS_MAX];
    unsigned deed_count;
    size_t heard; /* messages that the players have looked at */
    unsigned hitler, joined, roles, hands, rounds;
    bool over;
    char president[32];
    unsigned requests, starts;
    uint64_t chance;
} evening;

static const char *const names[PLAYERS] = {"Anna", "Bob",   "Carl", "Dora",
                                           "Emil", "Frida", "Gert", "Hanna",
                                           "Ida",  "Jan"};

static unsigned
dice(unsigned bound)
{
    evening.chance = evening.chance * UINT64_C(6364136223846793005) +
                     UINT64_C(1442695040888963407);
    return (unsigned)((evening.chance >> 33) % bound);
}

/* ---- the host -------------------------------------------------------------
 */

/* Host until it is killed: what `run` does. */
static void
host(void)
{
    static struct conf conf;
    static struct desk desk;
    struct secrets secrets = {NULL};
    struct buf why = BUF_INIT;
    struct loop loop = {.desk = &desk, .courier = courier_new(NULL)};
    struct shared *shared = evening.shared;
    if (!options_conf(scratch_path("placard.cfg"), &conf) ||
        !options_secrets(&conf, &secrets)) {
        _exit(3);
    }
    enum err err = desk_open(&desk, &conf, &secrets, &dealer_fair, &why);
    for (unsigned i = 0; err == ERR_NONE && i < desk.service_count; i++) {
        service_authorize(&desk.services[i], &conf, &secrets, loop.courier);
    }
    char byte = 0;
    while (err == ERR_NONE && read(evening.bell[0], &byte, 1) == 1) {
        err = loop_turn(&loop, shared->now, 0, &why);
        shared->busy = courier_busy(loop.courier);
        shared->wake = loop_wake(&loop, shared->now);
        shared->turns++;
    }
    (void)fprintf(stderr, "%s\n", buf_text(&why));
    _exit(4);
}

static void
start_host(void)
{
    ck_assert_int_eq(pipe(evening.bell), 0);
    evening.turns = 0;
    evening.shared->turns = 0;
    evening.host = fork();
    ck_assert_int_ge(evening.host, 0);
    if (evening.host == 0) {
        int log =
            open(scratch_path("log"), O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)dup2(log, STDERR_FILENO);
        (void)setenv("PLACARD_TEST_TOKEN", GUILD_TOKEN, 1);
        (void)unsetenv("http_proxy");
        host();
    }
    evening.starts++;
}

static void
kill_host(void)
{
    int status = 0;
    (void)kill(evening.host, SIGKILL);
    ck_assert_int_eq(waitpid(evening.host, &status, 0), evening.host);
    (void)close(evening.bell[0]);
    (void)close(evening.bell[1]);
    if (!WIFSIGNALED(status)) {
        struct buf log = BUF_INIT;
        struct buf why = BUF_INIT;
        (void)!file_read(scratch_path("log"), &log, &why);
        ck_abort_msg("the host ended: %s", buf_text(&log));
    }
}

/* Let the host take a turn. */
static void
ring(void)
{
    evening.turns++;
    ck_assert_int_eq(write(evening.bell[1], "!", 1), 1);
}

/* ---- what people do -------------------------------------------------------
 */

static struct deed *
plan(const char *who, uint64_t channel, int64_t delay)
{
    struct deed *deed = &evening.deeds[evening.deed_count++];
    ck_assert_uint_lt(evening.deed_count, DEEDS_MAX);
    memset(deed, 0, sizeof *deed);
    deed->at = evening.shared->now + delay;
    deed->channel = channel;
    (void)snprintf(deed->who, sizeof deed->who, "%s", who);
    return deed;
}

__attribute__((format(printf, 4, 5))) static struct deed *
plan_post(const char *who, uint64_t channel, int64_t delay, const char *format,
          ...)
{
    struct deed *deed = plan(who, channel, delay);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(deed->text, sizeof deed->text, format, args);
    va_end(args);
    return deed;
}

/* A vote in one of the ways in which people write one. */
static void
plan_vote(unsigned player, uint64_t channel, bool ja)
{
    static const struct {
        const char *before, *behind;
    } ways[] = {
        {"**", "**"},
        {"***", "***"},
        {"__**", "**__"},
        {"Well, then.\n**", "**"},
        {"<@" GUILD_BOT "> **", "**"},
        {"_**", "**_ I say"},
        {"> so **Nein!**?\n**", "**"},
    };
    unsigned way = player % 7;
    plan_post(names[player], channel, 1000 + dice(20000), "%s%s%s",
              ways[way].before, ja ? "Ja!" : "Nein!", ways[way].behind)
        ->vote = true;
}

/* What must not count: a vote in a quote, struck out, in code; by a stranger, a
 * webhook under a player's name, a bot, or handed on. */
static void
plan_mischief(uint64_t channel)
{
    static const char *const texts[] = {"> **Nein!**", "~~**Nein!**~~",
                                        "`**Nein!**`", "\\*\\*Nein!\\*\\*"};
    for (unsigned i = 0; i < 4; i++) {
        plan_post(names[i], channel, 1, "%s", texts[i]);
    }
    plan_post("Zoe", channel, 1, "**Nein!**");
    plan_post("webhook Anna", channel, 1, "**Nein!**");
    plan_post("robot", channel, 1, "**Nein!**");
    plan_post("forward Bob", channel, 1, "**Nein!**");
}

static unsigned
find_player(const char *name)
{
    unsigned player = 0;
    while (player < evening.evening->players &&
           strcmp(names[player], name) != 0) {
        player++;
    }
    return player;
}

/* Of "A, B, C" the first who is not Hitler, or the first. */
static unsigned
choose(const char *list)
{
    char copy[512];
    char *save = NULL;
    unsigned chosen = PLAYERS;
    (void)snprintf(copy, sizeof copy, "%s", list);
    for (char *each = strtok_r(copy, ",", &save); each != NULL;
         each = strtok_r(NULL, ",", &save)) {
        unsigned player = find_player(each + (*each == ' '));
        if (player < evening.evening->players &&
            (chosen == PLAYERS || chosen == evening.hitler)) {
            chosen = player;
        }
    }
    ck_assert_msg(chosen < PLAYERS, "nobody to choose: %s", list);
    return chosen;
}

/* The text between two others; "" where they are not there. */
static void
between(const char *text, const char *before, const char *behind, char *out,
        size_t size)
{
    const char *from = strstr(text, before);
    const char *to =
        from == NULL ? NULL : strstr(from + strlen(before), behind);
    out[0] = '\0';
    if (to != NULL) {
        from += strlen(before);
        (void)snprintf(out, size, "%.*s", (int)(to - from), from);
    }
}

/* The word before a text; "" where it is not there. */
static void
word_before(const char *text, const char *behind, char *out, size_t size)
{
    const char *end = strstr(text, behind);
    const char *start = end;
    out[0] = '\0';
    while (start != NULL && start > text && start[-1] != ' ' &&
           start[-1] != '\n') {
        start--;
    }
    if (end != NULL) {
        (void)snprintf(out, size, "%.*s", (int)(end - start), start);
    }
}

/* What people see of a message: without marks, with names for mentions. */
static void
show(const char *content, struct buf *out)
{
    struct rich rich = {.count = 0};
    bool unread = false;
    char id[32];
    dialect_discord.read(content, strlen(content), &rich, &unread);
    ck_assert(!unread);
    for (size_t i = 0; i < rich.count; i++) {
        const struct run *run = &rich.runs[i];
        if ((run->marks & MARK_MENTION) != 0) {
            (void)snprintf(id, sizeof id, "%.*s", (int)run->id_len,
                           rich_run_id(&rich, run));
            buf_add_text(out, guild_name(evening.guild, id));
        } else {
            buf_add(out, rich_run_text(&rich, run), run->len);
        }
    }
    rich_release(&rich);
}

static void
hear_choice(const char *text, const char *who, uint64_t channel)
{
    char list[512];
    between(text, "Possible: ", ".", list, sizeof list);
    unsigned named = choose(list);
    /* A bold mention, or the bold name alone on its line. */
    if (named % 2 == 0) {
        plan_post(who, channel, 1000 + dice(15000), "I choose **<@%s>**",
                  guild_user(evening.guild, names[named]));
    } else {
        plan_post(who, channel, 1000 + dice(15000), "Well:\n**%s**",
                  names[named]);
    }
}

static void
hear_vote(const char *text, uint64_t channel)
{
    between(text, "shall President ", " and Chancellor", evening.president,
            sizeof evening.president);
    if (evening.rounds++ == 0) {
        plan_mischief(channel);
    }
    for (unsigned i = 0; i < evening.evening->players; i++) {
        plan_vote(i, channel, true); /* the dead try as well */
    }
}

static void
hear_public(const char *text, uint64_t channel)
{
    static const char *const powers[] = {" must investigate one player",
                                         " must choose the next candidate",
                                         " must execute one player"};
    char who[32];
    for (unsigned i = 0; i < 3; i++) {
        word_before(text, powers[i], who, sizeof who);
        if (*who != '\0') {
            hear_choice(text, who, channel);
            return;
        }
    }
    if (strstr(text, "The Liberals win") != NULL ||
        strstr(text, "The Fascists win") != NULL) {
        evening.over = true;
    } else if (strstr(text, "do you agree to the veto?") != NULL) {
        plan_post(evening.president, channel, 5000, "**Declined**");
    } else if (strstr(text, "shall President") != NULL) {
        hear_vote(text, channel);
    } else if (strstr(text, "Candidate for president: ") != NULL) {
        between(text, "Candidate for president: ", ".", who, sizeof who);
        hear_choice(text, who, channel);
    } else if (strstr(text, "!join") != NULL && evening.joined == 0) {
        for (unsigned i = 0; i < evening.evening->players; i++) {
            plan_post(names[i], channel, 20000 + 1000 * (int64_t)i, "!join");
        }
        evening.joined = evening.evening->players;
    }
}

/* The number of the first card of that party in "1 Fascist\n2 Liberal". */
static unsigned
find_card(const char *text, const char *party)
{
    for (unsigned number = 1; number <= 3; number++) {
        char card[32];
        (void)snprintf(card, sizeof card, "\n%u %s", number, party);
        if (strstr(text, card) != NULL) {
            return number;
        }
    }
    return 1;
}

static void
hear_private(const char *text, const char *who, uint64_t table)
{
    int64_t delay = 1000 + dice(20000);
    if (strstr(text, "You are ") != NULL) {
        evening.roles++;
    }
    if (strstr(text, "You are Hitler") != NULL) {
        evening.hitler = find_player(who);
    }
    if (strstr(text, "Post this word in bold") != NULL) {
        plan_post(who, table, delay, "**%s**", strrchr(text, ' ') + 1);
    } else if (strstr(text, "you are President; your cards") != NULL) {
        evening.hands++;
        plan_post(who, 0, delay, "discard %u", find_card(text, "Liberal"));
    } else if (strstr(text, "hands you two cards") != NULL) {
        plan_post(who, 0, delay, "enact %u", find_card(text, "Fascist"));
    }
}

/* Look at what the host has posted since. */
static void
hear(void)
{
    static uint64_t table; /* where it was posted last in public */
    for (; evening.heard < guild_count(evening.guild); evening.heard++) {
        const struct guild_message *message =
            guild_at(evening.guild, evening.heard);
        const char *talk = guild_talk(evening.guild, message->channel);
        struct buf text = BUF_INIT;
        if (message->author[0] != '\0') {
            continue;
        }
        show(message->content, &text);
        if (*talk != '\0') {
            hear_private(buf_text(&text), talk, table);
        } else {
            table = message->channel;
            hear_public(buf_text(&text), message->channel);
        }
        buf_release(&text);
    }
}

static struct guild_message *
write_post(const struct deed *deed)
{
    static const char *const kinds[] = {"webhook ", "robot", "forward "};
    const char *who = deed->who;
    unsigned kind = 0;
    while (kind < 3 && strncmp(who, kinds[kind], strlen(kinds[kind])) != 0) {
        kind++;
    }
    who += kind == 0 || kind == 2 ? strlen(kinds[kind]) : 0;
    struct guild_message *message = guild_post(
        evening.guild, who, deed->channel, deed->text, evening.shared->now);
    message->webhook = kind == 0;
    message->bot = kind == 1;
    message->forward = kind == 2;
    return message;
}

/* Some change their minds, too late, and some delete what they wrote. */
static void
regret(const struct guild_message *message, const struct deed *deed)
{
    unsigned how = dice(5);
    if (how == 0) {
        plan_post(deed->who, deed->channel, 45000, "**Nein!**")->edits =
            message->id;
    } else if (how == 1) {
        plan(deed->who, deed->channel, 45000)->deletes = message->id;
    }
}

/* Nobody takes back what the host has not marked as counted: else it would
 * never have been there.  True: it waits, or is given up. */
static bool
comes_too_early(const struct deed *deed)
{
    uint64_t id = deed->edits != 0 ? deed->edits : deed->deletes;
    for (size_t i = 0; id != 0 && i < guild_count(evening.guild); i++) {
        const struct guild_message *message = guild_at(evening.guild, i);
        if (message->id == id && message->reactions[0] == '\0') {
            struct deed *again = plan(deed->who, deed->channel, 0);
            *again = *deed;
            again->at = evening.shared->now + MINUTE_MS;
            again->tries++;
            evening.deed_count -= again->tries > 10;
            return true;
        }
    }
    return false;
}

static void
perform(const struct deed *deed)
{
    if (comes_too_early(deed)) {
        return;
    }
    if (deed->edits != 0) {
        guild_edit(evening.guild, deed->edits, deed->text, evening.shared->now);
        return;
    }
    for (size_t i = 0; deed->deletes != 0 && i < guild_count(evening.guild);
         i++) {
        struct guild_message *message = guild_at(evening.guild, i);
        message->deleted = message->deleted || message->id == deed->deletes;
    }
    if (deed->deletes == 0) {
        struct guild_message *message = write_post(deed);
        if (deed->vote) {
            regret(message, deed);
        }
    }
}

/* Do what is due; when the next is. */
static int64_t
perform_due(void)
{
    int64_t next = INT64_MAX;
    for (unsigned i = 0; i < evening.deed_count;) {
        if (evening.deeds[i].at > evening.shared->now) {
            next = evening.deeds[i].at < next ? evening.deeds[i].at : next;
            i++;
            continue;
        }
        struct deed deed = evening.deeds[i];
        evening.deeds[i] = evening.deeds[--evening.deed_count];
        perform(&deed);
        next = INT64_MAX;
        i = 0;
    }
    return next;
}

/* ---- the evening ----------------------------------------------------------
 */

static bool
happens(unsigned one_in)
{
    return one_in != 0 && dice(one_in) == 0;
}

/* Answer a request, as the evening wants it. */
static void
answer(struct httpd_request *request)
{
    const struct evening *how = evening.evening;
    bool dies = happens(how->kills);
    bool lost = dies || happens(how->losses);
    evening.requests++;
    if (request->gone) {
        return;
    }
    if (happens(how->storms)) {
        guild_storm(evening.guild, 1 + dice(12));
    }
    guild_answer(evening.guild, evening.shared->now, request, lost);
    hear();
    if (dies) {
        kill_host();
        start_host();
        httpd_work(evening.httpd, 0);
        ring();
    }
}

/* Answer what comes until the host has taken its turn; true: something came. */
static bool
serve(void)
{
    struct httpd_request *request;
    bool any = false;
    bool idle = false;
    while (!idle) {
        idle = evening.shared->turns == evening.turns;
        httpd_work(evening.httpd, idle ? 0 : 1);
        while ((request = httpd_next(evening.httpd)) != NULL) {
            any = true;
            idle = false;
            answer(request);
        }
    }
    return any;
}

/* Nothing is asked: on to what is due next. */
static void
move_on(int64_t next)
{
    int64_t now = evening.shared->now;
    int64_t wake =
        evening.shared->busy > 0 ? now + JUMP_MS : evening.shared->wake;
    wake = wake < next ? wake : next;
    evening.shared->now = wake > now ? wake : now + 1;
}

static void
configure(const struct evening *how)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    buf_addf(&text,
             "store = \"placard.db\";\n"
             "services = ( { name = \"discord\"; url = \"%s\"; "
             "token_env = \"PLACARD_TEST_TOKEN\"; } );\n"
             "places = ( { name = \"parlour\"; service = \"discord\"; "
             "address = \"" GUILD_CHANNEL "\"; moderators = [ \"%s\" ]; "
             "%s } );\n",
             httpd_url(evening.httpd), guild_user(evening.guild, "Mo"),
             how->settings);
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&text),
                                text.len, 0600, &why),
                     ERR_NONE);
    buf_release(&text);
}

static void
play(const struct evening *how)
{
    unsigned quiet = 0;
    evening.evening = how;
    *guild_habits(evening.guild) = how->habits;
    guild_habits(evening.guild)->may = ~UINT64_C(0) & ~(UINT64_C(1) << 3);
    configure(how);
    evening.heard = guild_count(evening.guild);
    start_host();
    plan_post("Mo", strtoull(GUILD_CHANNEL, NULL, 10), 60000,
              "!new players=%u %s", how->players, how->options);
    int64_t end = evening.shared->now + GAME_MS * MINUTE_MS;
    /* A while longer than the game: nothing may come twice. */
    while (!evening.over || evening.deed_count > 0 ||
           evening.shared->now < end) {
        ck_assert_msg(evening.shared->now < end || evening.over,
                      "the game did not end; %u rounds", evening.rounds);
        if (evening.over && end > evening.shared->now + 10 * MINUTE_MS) {
            end = evening.shared->now + 10 * MINUTE_MS;
        }
        ring();
        quiet = serve() ? 0 : quiet + 1;
        if (quiet >= QUIET) {
            quiet = 0;
            move_on(perform_due());
        }
    }
    kill_host();
}

static void
set_up(void)
{
    scratch_make();
    memset(&evening, 0, sizeof evening);
    int file = open(scratch_path("shared"), O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(ftruncate(file, sizeof *evening.shared), 0);
    evening.shared = mmap(NULL, sizeof *evening.shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED, file, 0);
    (void)close(file);
    ck_assert_ptr_ne(evening.shared, MAP_FAILED);
    evening.shared->now = GUILD_START;
    evening.guild = guild_new();
    evening.httpd = httpd_new();
}

static void
tear_down(void)
{
    guild_free(evening.guild);
    httpd_free(evening.httpd);
    (void)munmap(evening.shared, sizeof *evening.shared);
    scratch_remove();
}

/* ---- what came of it ------------------------------------------------------
 */

static void
assert_none_doubled(void)
{
    for (size_t i = 0; i < guild_count(evening.guild); i++) {
        const struct guild_message *one = guild_at(evening.guild, i);
        for (size_t j = 0; j < i && one->nonce[0] != '\0'; j++) {
            const struct guild_message *two = guild_at(evening.guild, j);
            ck_assert_msg(strcmp(one->nonce, two->nonce) != 0,
                          "sent twice, %s, %lld s apart:\n%s", one->nonce,
                          (long long)((one->id - two->id) >> 22) / 1000,
                          one->content);
        }
    }
}

/* Nothing in public says before the end who is what, or holds which cards. */
static void
assert_nothing_secret_in_public(void)
{
    static const char *const secrets[] = {
        "You are ",    "your cards are below", "hands you two",
        "\n1 Fascist", "\n1 Liberal",          GUILD_TOKEN};
    for (size_t i = 0; i < guild_count(evening.guild); i++) {
        const struct guild_message *message = guild_at(evening.guild, i);
        if (message->author[0] != '\0' ||
            *guild_talk(evening.guild, message->channel) != '\0') {
            continue;
        }
        for (size_t j = 0; j < sizeof secrets / sizeof secrets[0]; j++) {
            ck_assert_msg(strstr(message->content, secrets[j]) == NULL, "%s",
                          message->content);
        }
    }
}

/* A file of the host's does not hold a text. */
static void
assert_file_lacks(const char *name, const char *text)
{
    struct buf content = BUF_INIT;
    struct buf why = BUF_INIT;
    if (file_read(scratch_path(name), &content, &why) == ERR_NONE) {
        size_t len = strlen(text);
        for (size_t i = 0; i + len <= content.len; i++) {
            ck_assert_msg(memcmp(content.data + i, text, len) != 0,
                          "%s holds %s", name, text);
        }
    }
    buf_release(&content);
    buf_release(&why);
}

/* The real program exports the record and proves it. */
static void
assert_proved(void)
{
    char command[1024];
    (void)snprintf(command, sizeof command,
                   "PLACARD_DATA=config PLACARD_TEST_TOKEN=x %s record -c "
                   "%s/placard.cfg 1 -o %s/game.jsonl && %s verify "
                   "%s/game.jsonl > /dev/null",
                   TEST_PROGRAM, scratch, scratch, TEST_PROGRAM, scratch);
    ck_assert_int_eq(system(command), 0);
}

static const struct evening evenings[] = {
    /* Seven, and nothing out of the ordinary. */
    {.options = "",
     .settings = "thread = \"here\";",
     .players = 7,
     .habits = {.limits = true}},
    /* Ten, with everything that goes wrong. */
    {.options = "",
     .settings = "thread = \"here\";",
     .players = 10,
     .habits = {.limits = true},
     .kills = 250,
     .losses = 25,
     .storms = 90},
    /* Seven, at a server of another make. */
    {.options = "",
     .settings = "thread = \"here\";",
     .players = 7,
     .habits = {.ascending = true,
                .odd_statuses = true,
                .nulls = true,
                .no_nonce = true,
                .no_lists = true,
                .old_pins = true},
     .kills = 250,
     .losses = 25},
};

enum {
    EVENINGS = sizeof evenings / sizeof evenings[0]
};

START_TEST(a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret)
{
    const struct evening *how = &evenings[_i];
    evening.chance = 7919 * (uint64_t)(_i + 1);
    play(how);
    ck_assert_uint_eq(evening.roles, how->players);
    ck_assert_uint_gt(evening.hands, 0);
    ck_assert(how->kills == 0 || evening.starts > 3);
    assert_none_doubled();
    assert_nothing_secret_in_public();
    static const char *const files[] = {"placard.db", "placard.db-wal", "log"};
    for (size_t i = 0; i < 3; i++) {
        assert_file_lacks(files[i], GUILD_TOKEN);
    }
    assert_file_lacks("log", "Fascist");
    assert_file_lacks("log", "Hitler");
    assert_proved();
    /* A host that starts knows of no limit yet. */
    ck_assert(how->kills > 0 || guild_beyond(evening.guild) == 0);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("bot/discord_games");
    TCase *tests = tcase_create("discord_games");
    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_loop_test(
        tests, a_whole_game_loses_nothing_doubles_nothing_and_tells_no_secret,
        0, EVENINGS);
    suite_add_tcase(suite, tests);
    return suite;
}
