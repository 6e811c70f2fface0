#include "tests/live/matrix_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/live/barred.h"
#include "tests/live/look.h"

enum {
    /* Many times what a quiet machine needs: after that something is lost. */
    PATIENCE_MS = 12 * MINUTE_MS,
    LOG_TAIL = 2000, /* bytes */
    TELL_MS = 15 * SECOND_MS,
    CALM_MS = 5 * SECOND_MS, /* without anything new, before the end */
    GROUPS = 10,
    LATE_SEATS = 5,
};

static const char users[] =
    "bot bot2 mo zach anna ben carl dora emil frida gert "
    "hanna ida jan kurt lena max nora otto pia quin rosa sven tina udo vera "
    "wim xena yves zoe abel gus hugo beth cleo doug edna finn "
    "gina hank ivo juno kai lou maud rhea saul thea ugo vito "
    "bot3 mona aude basile clara denis elsa fanny gilles";
static const char users_limited[] = "bot mo anna ben carl dora emil";
static const char users_encrypting[] =
    "bot mo anna ben carl dora emil frida gert hanna ida jan";

struct matrix_run run;

/* In the order in which they begin; the last does so later. */
static const struct {
    struct group *group;
    const char *name;
} groups[GROUPS] = {
    {&run.slow, "slow"},     {&run.late, "late"},       {&run.absent, "absent"},
    {&run.seven, "seven"},   {&run.ten, "ten"},         {&run.killed, "killed"},
    {&run.quick, "quick"},   {&barred.group, "barred"}, {&run.secret, "secret"},
    {&run.locked, "locked"},
};

/* ---- the groups -----------------------------------------------------------
 */

static struct account *
invite(const struct home *home, const char *name)
{
    struct account *account = &run.accounts[run.count];

    ck_assert_uint_lt(run.count, ACCOUNTS_MAX_LIVE);
    *account = home_account(home, name);
    run.list[run.count++] = account;
    return account;
}

/* A group of the people in a list of names with blanks between. */
static void
set_group(struct group *group, const struct home *home, struct account *mo,
          const struct account *bot, const char *names, const char *options)
{
    char copy[256];
    char *save = NULL;

    group->mo = mo;
    group->bot = bot->user;
    group->options = options;
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name != NULL;
         name = strtok_r(NULL, " ", &save)) {
        group->players[group->count++] = invite(home, name);
    }
}

static void
add_place(struct buf *places, const char *name, const struct group *group,
          const char *settings)
{
    buf_addf(places,
             "%s  { name = \"%s\"; service = \"matrix\"; address = \"%s\"; "
             "moderators = [ \"%s\" ]; style = \"full\"; %s }",
             places->len > 0 ? ",\n" : "", name, group->room, group->mo->user,
             settings);
}

static const char *
path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", run.folder, name);
    return path;
}

static void
set_host(unsigned number, const struct home *home, const struct buf *places)
{
    char name[16];

    snprintf(name, sizeof(name), "host%u", number);
    host_set(&run.hosts[number], path_of(name), home, &run.bots[number],
             buf_text(places));
    host_start(&run.hosts[number]);
}

/* Set who is not in the DM: one never accepts, one ignores the host, one leaves
 * (leave_dm). */
static void
set_absent(void)
{
    struct account *const *players = run.absent.players;
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    players[2]->accepts = false;
    buf_add_text(&path, "/user/");
    path_add(&path, players[4]->user);
    buf_add_text(&path, "/account_data/m.ignored_user_list");
    buf_addf(&body, "{\"ignored_users\":{\"%s\":{}}}", run.bots[1].user);
    json_object_put(
        account_ask(players[4], "PUT", buf_text(&path), buf_text(&body), NULL));
    run.absent.deaf = 1U << 0 | 1U << 2 | 1U << 4;
    run.absent.defers = true;
    buf_release(&path);
    buf_release(&body);
}

static void
set_groups(void)
{
    const struct account *bots = run.bots;
    const struct home *home = &run.home;

    run.bots[0] = home_account(home, "bot");
    run.bots[1] = home_account(home, "bot2");
    run.bots[2] = home_account(&run.limited, "bot");
    run.bots[3] = home_account(&run.encrypting, "bot");
    run.mo = invite(home, "mo");
    run.zach = invite(home, "zach");
    run.mo_limited = invite(&run.limited, "mo");
    run.mo_encrypting = invite(&run.encrypting, "mo");
    set_group(&run.seven, home, run.mo, &bots[0],
              "anna ben carl dora emil frida gert", "");
    set_group(&run.ten, home, run.mo, &bots[0],
              "hanna ida jan kurt lena max nora otto pia quin", "");
    set_group(&run.killed, home, run.mo, &bots[1], "rosa sven tina udo vera",
              "ballot=sealed vote_closes=all");
    set_group(&run.absent, home, run.mo, &bots[1],
              "wim xena yves zoe abel gus hugo", "");
    set_group(&run.late, home, run.mo, &bots[1], "beth cleo doug edna finn",
              "");
    set_group(&run.quick, home, run.mo, &bots[0],
              "gina hank ivo juno kai lou maud", "");
    set_group(&barred.group, home, run.mo, &bots[0], "rhea saul thea ugo vito",
              "");
    set_group(&run.slow, &run.limited, run.mo_limited, &bots[2],
              "anna ben carl dora emil", "");
    set_group(&run.secret, &run.encrypting, run.mo_encrypting, &bots[3],
              "anna ben carl dora emil", "");
    set_group(&run.locked, &run.encrypting, run.mo_encrypting, &bots[3],
              "frida gert hanna ida jan", "");
    run.seven.mischief = true;
    run.seven.stranger = run.zach;
    run.ten.moderated = true;
    run.quick.gone = 1U << 1 | 1U << 3 | 1U << 5;
    run.late.silent = (1U << LATE_SEATS) - 1;
    run.slow.all_nein = true;
    barred_set();
    run.secret.watch = "I can't read ";
    run.locked.watch = "my private messages don't reach you";
}

/* A room in which the moderator and the host are alone. */
static void
make_staff_room(void)
{
    struct buf body = BUF_INIT;

    buf_addf(&body, "{\"preset\":\"private_chat\",\"invite\":[\"%s\"]}",
             run.bots[0].user);
    json_object *made =
        account_ask(run.mo, "POST", "/createRoom", buf_text(&body), NULL);

    snprintf(run.staff_room, sizeof(run.staff_room), "%s",
             jdoc_string(made, "room_id"));
    json_object_put(made);
    buf_release(&body);
}

/* A room that its maker has encrypted, with the host invited. */
static void
make_sealed_room(void)
{
    struct buf body = BUF_INIT;

    buf_addf(&body,
             "{\"preset\":\"public_chat\",\"invite\":[\"%s\"],"
             "\"initial_state\":[{\"type\":\"m.room.encryption\",\"content\":"
             "{\"algorithm\":\"m.megolm.v1.aes-sha2\"}}]}",
             run.bots[3].user);
    json_object *made = account_ask(run.mo_encrypting, "POST", "/createRoom",
                                    buf_text(&body), NULL);

    snprintf(run.sealed_room, sizeof(run.sealed_room), "%s",
             jdoc_string(made, "room_id"));
    json_object_put(made);
    buf_release(&body);
}

static void
start_all(void)
{
    struct buf places[HOSTS] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};
    struct buf settings = BUF_INIT;

    for (size_t i = 0; i < GROUPS; i++) {
        group_meet(groups[i].group);
    }
    make_staff_room();
    make_sealed_room();
    set_absent();
    account_listen(run.mo);
    account_listen(run.zach);
    account_listen(run.mo_limited);
    account_listen(run.mo_encrypting);
    buf_addf(&settings, "second_thought = \"0\"; moderators_talk = \"%s\";",
             run.staff_room);
    add_place(&places[0], "seven", &run.seven, buf_text(&settings));
    add_place(&places[0], "ten", &run.ten,
              "second_thought = \"0\"; removal = \"delete\";");
    add_place(&places[0], "quick", &run.quick,
              "nomination = \"8s\"; election = \"16s\"; president = \"8s\"; "
              "chancellor = \"8s\"; veto = \"8s\"; power = \"8s\"; "
              "second_thought = \"2s\"; reminders = \"3s\";");
    buf_clear(&settings);
    buf_addf(&settings, "nomination = \"%ds\"; election = \"%ds\";",
             BARRED_PHASE_S, BARRED_PHASE_S);
    add_place(&places[0], "barred", &barred.group, buf_text(&settings));
    add_place(&places[1], "killed", &run.killed, "second_thought = \"0\";");
    add_place(&places[1], "absent", &run.absent,
              "ready_check = \"off\"; undeliverable = \"45s\"; "
              "president = \"30s\"; chancellor = \"30s\";");
    add_place(&places[1], "late", &run.late,
              "ready_check = \"off\"; nomination = \"90s\"; "
              "election = \"90s\";");
    add_place(&places[2], "slow", &run.slow, "ready_check = \"off\";");
    add_place(&places[3], "secret", &run.secret, "");
    add_place(&places[3], "locked", &run.locked, "ready_check = \"off\";");
    buf_addf(&places[3],
             ",\n  { name = \"sealed\"; service = \"matrix\"; address = "
             "\"%s\"; }",
             run.sealed_room);
    set_host(0, &run.home, &places[0]);
    set_host(1, &run.home, &places[1]);
    set_host(2, &run.limited, &places[2]);
    set_host(3, &run.encrypting, &places[3]);
    for (unsigned i = 0; i < HOSTS; i++) {
        buf_release(&places[i]);
    }
    buf_release(&settings);
}

/* ---- what happens -------------------------------------------------------- */

static int64_t newest; /* when something new last came */

static void
take_event(struct account *account, const char *room, json_object *event)
{
    newest = live_now();
    for (size_t i = 0; i < GROUPS; i++) {
        if (group_take_event(groups[i].group, account, room, event)) {
            return;
        }
    }
}

static void
begin_when_open(struct group *group, bool *begun)
{
    if (!*begun && group_is_open(group)) {
        *begun = true;
        group_begin(group);
    }
}

/* The first of the absent leaves the DM as soon as there is one. */
static void
leave_dm(void)
{
    static bool gone;
    struct account *wim = run.absent.players[0];
    json_object *rooms = gone ? NULL : look_rooms(wim);

    for (size_t i = 0; !gone && i < json_object_array_length(rooms); i++) {
        if (strcmp(look_at(rooms, i), run.absent.room) != 0) {
            wim->accepts = false;
            gone = true;
            account_leave(wim, look_at(rooms, i));
        }
    }
    json_object_put(rooms);
}

static void
restart(struct home *home)
{
    home_stop(home);
    home_restart(home);
}

enum late_step {
    LATE_BEGIN,
    LATE_VOTED,   /* one has voted in time */
    LATE_ALONE,   /* the host is dead, one more has voted in time */
    LATE_RESTART, /* and the homeserver was stopped, too */
    LATE_OVER,    /* two more have voted, too late, and the host is back */
};
static enum late_step late;

/* Of the five who vote late: one votes in time.  Then the host is killed; one
 * more votes in time, the homeserver is stopped and started, and two, who would
 * make it a majority, vote after the deadline.  Then the host is started
 * again. */
static void
play_late(void)
{
    struct group *group = &run.late;
    struct host *host = &run.hosts[1];
    int64_t now = live_now();

    if (strstr(group->last, " nominates ") == NULL) {
        return;
    }
    /* The time runs from the opening, which may be a while before the post;
     * votes close to the deadline are not tried here. */
    int64_t due = group->opened + LATE_MS;

    if (late == LATE_BEGIN) {
        group_vote(group, 0, true);
        late = LATE_VOTED;
    } else if (late == LATE_VOTED && now >= due - 40 * SECOND_MS) {
        host_kill(host);
        group_vote(group, 1, true);
        late = LATE_ALONE;
    } else if (late == LATE_ALONE) {
        restart(&run.home);
        run.stops++;
        late = LATE_RESTART;
    } else if (late == LATE_RESTART && now >= due + 5 * SECOND_MS) {
        group_vote(group, 2, true);
        group_vote(group, 3, true);
        host_start(host);
        group->stopped = true;
        late = LATE_OVER;
    }
}

/* Kill the second host now and then, once it has posted at all its tables: it
 * ignores what was posted before its first look. */
static void
kill_sometimes(void)
{
    static int64_t next;
    struct host *host = &run.hosts[1];
    int64_t now = live_now();
    bool here =
        run.killed.posts > 0 && run.absent.posts > 0 && run.late.posts > 0;

    if (!here || host->pid == 0 || run.kills >= KILLS || now < next) {
        return;
    }
    next = now + 100 + rand_r(&run.seed) % 1900;
    host_kill(host);
    run.kills++;
    host_start(host);
}

/* Stop the homeserver once while both its hosts run, after the games that are
 * measured. */
static void
stop_alone(void)
{
    static bool stopped;

    if (!stopped && run.seven.over && run.ten.over && run.quick.over &&
        run.hosts[1].pid != 0) {
        restart(&run.home);
        run.stops++;
        stopped = true;
    }
}

/* A player whose app encrypts what is written in the room; one who opens a DM
 * with the host. */
static void
write_sealed(const struct group *group)
{
    struct buf body = BUF_INIT;

    account_send(
        group->players[0], group->room, "m.room.encrypted",
        "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"ciphertext\":"
        "\"AwgAEnACgAkLmt6qF84IK\",\"session_id\":\"X3lUlvLELLYxeTx\"}",
        NULL);
    buf_addf(&body,
             "{\"preset\":\"trusted_private_chat\",\"is_direct\":true,"
             "\"invite\":[\"%s\"]}",
             group->bot);
    json_object_put(account_ask(group->players[1], "POST", "/createRoom",
                                buf_text(&body), NULL));
    buf_release(&body);
}

enum question_step {
    QUESTION_STEP_BEGIN,
    QUESTION_STEP_ASKED,
    QUESTION_STEP_ANSWERED,
    QUESTION_STEP_OVER,
};
static enum question_step question;

/* Write a text in a room, as an answer to an event. */
static void
reply(const struct account *account, const char *room, const char *text,
      const char *event)
{
    struct buf content = BUF_INIT;

    buf_addf(&content,
             "{\"msgtype\":\"m.text\",\"body\":\"%s\",\"m.relates_to\":"
             "{\"m.in_reply_to\":{\"event_id\":\"%s\"}}}",
             text, event);
    account_send(account, room, "m.room.message", buf_text(&content), NULL);
    buf_release(&content);
}

/* A player of seven asks the moderators; one of them answers, by a reply. */
static void
play_question(void)
{
    const struct group *group = &run.seven;
    static int64_t next;
    char dm[128];
    char id[128];

    if (group->calls == 0 || question == QUESTION_STEP_OVER ||
        live_now() < next) {
        return;
    }
    next = live_now() + SECOND_MS;
    look_dm(group, 0, dm, sizeof(dm));
    if (question == QUESTION_STEP_BEGIN) {
        account_send(group->players[0], dm, "m.room.message",
                     "{\"msgtype\":\"m.text\",\"body\":\"!ask " QUESTION "\"}",
                     NULL);
        question = QUESTION_STEP_ASKED;
    } else if (question == QUESTION_STEP_ASKED &&
               look_find(group->mo, run.staff_room, group->bot, QUESTION, id) >
                   0) {
        reply(group->mo, run.staff_room, ANSWER, id);
        question = QUESTION_STEP_ANSWERED;
    } else if (question == QUESTION_STEP_ANSWERED &&
               look_find(group->players[0], dm, group->bot, ANSWER, id) > 0) {
        question = QUESTION_STEP_OVER;
    }
}

/* Where private rooms are encrypted, five play; when two have seen that the
 * host can't read them, the homeserver encrypts every room, and five more
 * begin. */
static void
play_secret(void)
{
    static bool written;
    static bool locked;
    struct group *group = &run.secret;

    group->stopped = group->rounds >= 2;
    if (!written && group->calls > 0) {
        write_sealed(group);
        written = true;
    }
    if (!locked && group->stopped && group->watched == 2) {
        run.encrypting.encrypt = "all";
        restart(&run.encrypting);
        group_begin(&run.locked);
        locked = true;
    }
}

/* ---- the run ------------------------------------------------------------- */

/* The first thing that is not over yet; NULL: all is. */
static const char *
missing(void)
{
    if (!run.seven.over || !run.ten.over) {
        return "the games of seven and ten";
    }
    if (!run.quick.over) {
        return "the end of the game with phases of seconds";
    }
    if (run.kills < KILLS || !run.killed.over) {
        return "the end of a game, and fifty kills";
    }
    if (run.stops < 2 || late != LATE_OVER) {
        return "the late votes, and the homeserver's two stops";
    }
    if (run.slow.rounds < SLOW_ROUNDS) {
        return "three rounds where the homeserver limits";
    }
    if (run.locked.watched < run.locked.count) {
        return "what is said where every room is encrypted";
    }
    if (question != QUESTION_STEP_OVER) {
        return "the moderators' answer";
    }
    if (!barred.over) {
        return "three rounds of a host that is muted and put out";
    }
    return run.absent.stopped ? NULL : "lots for those who do not answer";
}

static void
print_progress(void)
{
    printf(
        "  %3lld s: seven %s %u rounds; ten %s %u; quick %s %u; killed %u "
        "times, %u games; late: %d of %d; slow: %u rounds; encrypted: %u, %u told; "
        "stops: %u; lots: %s\n",
        (long long)(live_now() - run.begun) / SECOND_MS,
        run.seven.over ? "over after" : "in", run.seven.rounds,
        run.ten.over ? "over after" : "in", run.ten.rounds,
        run.quick.over ? "over after" : "in", run.quick.rounds, run.kills,
        run.killed.games, late, LATE_OVER, run.slow.rounds, run.secret.watched,
        run.locked.watched, run.stops,
        run.absent.stopped ? "drawn" : "awaited");
    (void)fflush(stdout);
}

static void
print_tail(const char *path)
{
    struct buf text = BUF_INIT;

    live_read(path, &text);
    size_t from = text.len > LOG_TAIL ? text.len - LOG_TAIL : 0;

    printf("%s ends:\n%s\n", path, buf_text(&text) + from);
    buf_release(&text);
}

/* Print the state of every group, for a run that got stuck. */
static void
print_all(void)
{
    int64_t now = live_now();

    for (size_t i = 0; i < GROUPS; i++) {
        const struct group *group = groups[i].group;

        printf("%s: %s, %u rounds, %u calls; the last %lld s ago: %s\n",
               groups[i].name, group->over ? "over" : "not over", group->rounds,
               group->calls, (long long)(now - group->called) / SECOND_MS,
               group->last);
    }
    for (unsigned i = 0; i < FRENCH; i++) {
        char path[300];

        snprintf(path, sizeof(path), "%s/log", run.hosts[i].folder);
        print_tail(path);
    }
    (void)fflush(stdout);
}

/* The seven absent: lots have to decide for a chancellor, whose absence is not
 * announced, and for a president, who is waited for. */
static void
watch_lots(void)
{
    struct group *group = &run.absent;
    static bool asked;
    static bool of_president;
    bool session = strstr(group->last, "Not a word here") != NULL;
    unsigned president = group_find(group, group->president);

    if (session && !asked) {
        of_president = (group->deaf >> president & 1U) != 0;
    }
    if (asked && !session) {
        group->defers = false; /* one such chancellor is enough */
        group->stopped = group->stopped || of_president;
    }
    asked = session;
}

static void
play_on(void)
{
    if (run.killed.over && run.kills < KILLS) {
        group_begin(&run.killed);
    }
    leave_dm();
    play_late();
    play_question();
    play_secret();
    barred_play();
    kill_sometimes();
    stop_alone();
    watch_lots();
    run.slow.stopped = run.slow.rounds >= SLOW_ROUNDS;
    if (run.cpu == 0 && run.seven.over && run.ten.over) {
        host_usage(&run.hosts[0], &run.cpu, &run.memory);
        run.minutes = (double)(live_now() - run.begun) / MINUTE_MS;
    }
}

static void
play(void)
{
    bool begun[GROUPS] = {false};
    const char *what = NULL;
    int64_t told = run.begun;

    while ((what = missing()) != NULL) {
        int64_t now = live_now();

        if (now - told > TELL_MS) {
            print_progress();
            told = now;
        }
        if (now > run.begun + PATIENCE_MS) {
            print_all();
            ck_abort_msg("%s did not come", what);
        }
        for (size_t i = 0; i + 1 < GROUPS; i++) {
            begin_when_open(groups[i].group, &begun[i]);
        }
        accounts_wait(run.list, run.count, 50, take_event);
        play_on();
    }
    run.ended = live_now();
    while (live_now() < newest + CALM_MS) {
        accounts_wait(run.list, run.count, 50, take_event);
    }
}

void
matrix_run_play(void)
{
    const char *seed = getenv("PLACARD_LIVE_SEED");

    run.seed =
        seed == NULL ? (unsigned)live_now() : (unsigned)strtoul(seed, NULL, 10);
    printf("  PLACARD_LIVE_SEED=%u\n", run.seed);
    set_groups();
    start_all();
    run.begun = live_now();
    play();
    for (unsigned i = 0; i < HOSTS; i++) {
        ck_assert_int_eq(host_stop(&run.hosts[i]), 0);
    }
}

/* ---- what runs ----------------------------------------------------------- */

static pid_t first;

/* However the test ends, no process is left. */
static void
clear_up(void)
{
    const struct home *const homes[] = {&run.home, &run.limited,
                                        &run.encrypting};

    if (getpid() != first) {
        return;
    }
    for (size_t i = 0; i < HOSTS; i++) {
        if (run.hosts[i].pid > 1) {
            (void)kill(run.hosts[i].pid, SIGKILL);
        }
    }
    for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
        if (homes[i]->pid > 1) {
            (void)kill(homes[i]->pid, SIGTERM);
        }
    }
}

static void
on_end(int number)
{
    clear_up();
    _exit(128 + number);
}

bool
matrix_run_set_up(const char *folder)
{
    snprintf(run.folder, sizeof(run.folder), "%s", folder);
    first = getpid();
    (void)atexit(clear_up);
    (void)signal(SIGINT, on_end);
    (void)signal(SIGTERM, on_end);
    return home_start(&run.home, path_of("home"), "relaxed", "off", users) &&
           home_start(&run.limited, path_of("limited"), "normal", "off",
                      users_limited) &&
           home_start(&run.encrypting, path_of("encrypting"), "relaxed",
                      "invite", users_encrypting);
}

void
matrix_run_release(void)
{
    for (unsigned i = 0; i < run.count; i++) {
        account_close(run.list[i]);
    }
    home_release(&run.home);
    home_release(&run.limited);
    home_release(&run.encrypting);
}
