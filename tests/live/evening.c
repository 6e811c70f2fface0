#include "tests/live/evening.h"

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
    /* Many times what it takes on a quiet machine: it is no measure of speed,
     * and ends a test that has lost something. */
    PATIENCE_MS = 20 * MINUTE_MS,
    LOG_TAIL = 2000, /* bytes */
    TELL_MS = 15 * SECOND_MS,
    CALM_MS =
        5 * SECOND_MS, /* without anything new, so that nothing is cut off */
    PARTIES = 10,
    LATE_SEATS = 5,
};

static const char users[] =
    "bot bot2 mo zach anna ben carl dora emil frida gert "
    "hanna ida jan kurt lena max nora otto pia quin rosa sven tina udo vera "
    "wim xena yves zoe abel gus hugo beth cleo doug edna finn "
    "gina hank ivo juno kai lou maud rhea saul thea ugo vito "
    "bot3 mona aude basile clara denis elsa";
static const char users_limited[] = "bot mo anna ben carl dora emil";
static const char users_veiled[] =
    "bot mo anna ben carl dora emil frida gert hanna ida jan";

struct evening evening;

/* In the order in which they begin; the last does so later. */
static const struct {
    struct party *party;
    const char *name;
} parties[PARTIES] = {
    {&evening.slow, "slow"},     {&evening.late, "late"},
    {&evening.absent, "absent"}, {&evening.seven, "seven"},
    {&evening.ten, "ten"},       {&evening.killed, "killed"},
    {&evening.hasty, "hasty"},   {&barred.party, "barred"},
    {&evening.secret, "secret"}, {&evening.locked, "locked"},
};

/* ---- the cast ------------------------------------------------------------ */

static struct account *
invite(const struct home *home, const char *name)
{
    struct account *account = &evening.accounts[evening.count];

    ck_assert_uint_lt(evening.count, ACCOUNTS_MAX_LIVE);
    *account = home_account(home, name);
    evening.list[evening.count++] = account;
    return account;
}

/* A party of the people in a list of names with blanks between. */
static void
gather(struct party *party, const struct home *home, struct account *mo,
       const struct account *bot, const char *names, const char *options)
{
    char copy[256];
    char *save = NULL;

    party->mo = mo;
    party->bot = bot->user;
    party->options = options;
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strtok_r(copy, " ", &save); name != NULL;
         name = strtok_r(NULL, " ", &save)) {
        party->players[party->count++] = invite(home, name);
    }
}

static void
add_place(struct buf *places, const char *name, const struct party *party,
          const char *settings)
{
    buf_addf(places,
             "%s  { name = \"%s\"; service = \"matrix\"; address = \"%s\"; "
             "moderators = [ \"%s\" ]; %s }",
             places->len > 0 ? ",\n" : "", name, party->room, party->mo->user,
             settings);
}

static const char *
path_of(const char *name)
{
    static char path[256];

    snprintf(path, sizeof(path), "%s/%s", evening.folder, name);
    return path;
}

static void
set_host(unsigned number, const struct home *home, const struct buf *places)
{
    char name[16];

    snprintf(name, sizeof(name), "host%u", number);
    host_set(&evening.hosts[number], path_of(name), home, &evening.bots[number],
             buf_text(places));
    host_start(&evening.hosts[number]);
}

/* Who does not come to the DM: one never accepts, one ignores the
 * host; one comes, and leaves (see take_leave). */
static void
set_absent(void)
{
    struct account *const *players = evening.absent.players;
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    players[2]->accepts = false;
    buf_add_text(&path, "/user/");
    path_add(&path, players[4]->user);
    buf_add_text(&path, "/account_data/m.ignored_user_list");
    buf_addf(&body, "{\"ignored_users\":{\"%s\":{}}}", evening.bots[1].user);
    json_object_put(
        account_ask(players[4], "PUT", buf_text(&path), buf_text(&body), NULL));
    evening.absent.deaf = 1U << 0 | 1U << 2 | 1U << 4;
    evening.absent.defers = true;
    buf_release(&path);
    buf_release(&body);
}

static void
gather_all(void)
{
    const struct account *bots = evening.bots;
    const struct home *home = &evening.home;

    evening.bots[0] = home_account(home, "bot");
    evening.bots[1] = home_account(home, "bot2");
    evening.bots[2] = home_account(&evening.limited, "bot");
    evening.bots[3] = home_account(&evening.veiled, "bot");
    evening.mo = invite(home, "mo");
    evening.zach = invite(home, "zach");
    evening.mo_limited = invite(&evening.limited, "mo");
    evening.mo_veiled = invite(&evening.veiled, "mo");
    gather(&evening.seven, home, evening.mo, &bots[0],
           "anna ben carl dora emil frida gert", "");
    gather(&evening.ten, home, evening.mo, &bots[0],
           "hanna ida jan kurt lena max nora otto pia quin", "");
    gather(&evening.killed, home, evening.mo, &bots[1],
           "rosa sven tina udo vera", "ballot=sealed");
    gather(&evening.absent, home, evening.mo, &bots[1],
           "wim xena yves zoe abel gus hugo", "ballot=sealed");
    gather(&evening.late, home, evening.mo, &bots[1],
           "beth cleo doug edna finn", "");
    gather(&evening.hasty, home, evening.mo, &bots[0],
           "gina hank ivo juno kai lou maud", "");
    gather(&barred.party, home, evening.mo, &bots[0], "rhea saul thea ugo vito",
           "");
    gather(&evening.slow, &evening.limited, evening.mo_limited, &bots[2],
           "anna ben carl dora emil", "");
    gather(&evening.secret, &evening.veiled, evening.mo_veiled, &bots[3],
           "anna ben carl dora emil", "");
    gather(&evening.locked, &evening.veiled, evening.mo_veiled, &bots[3],
           "frida gert hanna ida jan", "");
    evening.seven.mischief = true;
    evening.seven.stranger = evening.zach;
    evening.ten.moderated = true;
    evening.hasty.gone = 1U << 1 | 1U << 3 | 1U << 5;
    evening.late.silent = (1U << LATE_SEATS) - 1;
    evening.slow.all_nein = true;
    barred_set();
    evening.secret.watch = "I can't read ";
    evening.locked.watch = "my private messages don't reach you";
}

/* A room in which the moderator and the host are alone. */
static void
make_office(void)
{
    struct buf body = BUF_INIT;

    buf_addf(&body, "{\"preset\":\"private_chat\",\"invite\":[\"%s\"]}",
             evening.bots[0].user);
    json_object *made =
        account_ask(evening.mo, "POST", "/createRoom", buf_text(&body), NULL);

    snprintf(evening.office, sizeof(evening.office), "%s",
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
             evening.bots[3].user);
    json_object *made = account_ask(evening.mo_veiled, "POST", "/createRoom",
                                    buf_text(&body), NULL);

    snprintf(evening.sealed_room, sizeof(evening.sealed_room), "%s",
             jdoc_string(made, "room_id"));
    json_object_put(made);
    buf_release(&body);
}

static void
meet(void)
{
    struct buf places[HOSTS] = {BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT};
    struct buf office = BUF_INIT;

    for (size_t i = 0; i < PARTIES; i++) {
        party_meet(parties[i].party);
    }
    make_office();
    make_sealed_room();
    set_absent();
    account_listen(evening.mo);
    account_listen(evening.zach);
    account_listen(evening.mo_limited);
    account_listen(evening.mo_veiled);
    buf_addf(&office, "second_thought = \"0\"; moderators_talk = \"%s\";",
             evening.office);
    add_place(&places[0], "seven", &evening.seven, buf_text(&office));
    add_place(&places[0], "ten", &evening.ten,
              "second_thought = \"0\"; removal = \"delete\";");
    add_place(&places[0], "hasty", &evening.hasty,
              "nomination = \"8s\"; election = \"16s\"; president = \"8s\"; "
              "chancellor = \"8s\"; veto = \"8s\"; power = \"8s\"; "
              "second_thought = \"2s\"; reminders = \"3s\";");
    buf_clear(&office);
    buf_addf(&office, "nomination = \"%ds\"; election = \"%ds\";",
             BARRED_PHASE_S, BARRED_PHASE_S);
    add_place(&places[0], "barred", &barred.party, buf_text(&office));
    add_place(&places[1], "killed", &evening.killed, "second_thought = \"0\";");
    add_place(&places[1], "absent", &evening.absent,
              "ready_check = \"off\"; undeliverable = \"45s\"; "
              "president = \"30s\"; chancellor = \"30s\";");
    add_place(&places[1], "late", &evening.late,
              "ready_check = \"off\"; nomination = \"90s\"; "
              "election = \"90s\";");
    add_place(&places[2], "slow", &evening.slow, "ready_check = \"off\";");
    add_place(&places[3], "secret", &evening.secret, "");
    add_place(&places[3], "locked", &evening.locked, "ready_check = \"off\";");
    buf_addf(&places[3],
             ",\n  { name = \"sealed\"; service = \"matrix\"; address = "
             "\"%s\"; }",
             evening.sealed_room);
    set_host(0, &evening.home, &places[0]);
    set_host(1, &evening.home, &places[1]);
    set_host(2, &evening.limited, &places[2]);
    set_host(3, &evening.veiled, &places[3]);
    for (unsigned i = 0; i < HOSTS; i++) {
        buf_release(&places[i]);
    }
    buf_release(&office);
}

/* ---- what happens -------------------------------------------------------- */

static int64_t heard; /* when something new last came */

static void
hear(struct account *account, const char *room, json_object *event)
{
    heard = live_now();
    for (size_t i = 0; i < PARTIES; i++) {
        if (party_hear(parties[i].party, account, room, event)) {
            return;
        }
    }
}

static void
begin_when_open(struct party *party, bool *begun)
{
    if (!*begun && party_is_open(party)) {
        *begun = true;
        party_begin(party);
    }
}

/* The first of the absent leaves the DM as soon as there is one. */
static void
take_leave(void)
{
    static bool gone;
    struct account *wim = evening.absent.players[0];
    json_object *rooms = gone ? NULL : look_rooms(wim);

    for (size_t i = 0; !gone && i < json_object_array_length(rooms); i++) {
        if (strcmp(look_at(rooms, i), evening.absent.room) != 0) {
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
    struct party *party = &evening.late;
    struct host *host = &evening.hosts[1];
    int64_t now = live_now();

    if (strstr(party->last, "shall President") == NULL) {
        return;
    }
    /* From the opening, which may have been a while before it was posted; what
     * is near it is not tried here. */
    int64_t due = party->opened + LATE_MS;

    if (late == LATE_BEGIN) {
        party_vote(party, 0, true);
        late = LATE_VOTED;
    } else if (late == LATE_VOTED && now >= due - 40 * SECOND_MS) {
        host_kill(host);
        party_vote(party, 1, true);
        late = LATE_ALONE;
    } else if (late == LATE_ALONE) {
        restart(&evening.home);
        evening.stops++;
        late = LATE_RESTART;
    } else if (late == LATE_RESTART && now >= due + 5 * SECOND_MS) {
        party_vote(party, 2, true);
        party_vote(party, 3, true);
        host_start(host);
        party->tired = true;
        late = LATE_OVER;
    }
}

/* Kill the second host now and then, once it has come to all its tables: what
 * is written before it has read for the first time is none of its business. */
static void
harm(void)
{
    static int64_t next;
    struct host *host = &evening.hosts[1];
    int64_t now = live_now();
    bool here = evening.killed.heard > 0 && evening.absent.heard > 0 &&
                evening.late.heard > 0;

    if (!here || host->pid == 0 || evening.kills >= KILLS || now < next) {
        return;
    }
    next = now + 100 + rand_r(&evening.seed) % 1900;
    host_kill(host);
    evening.kills++;
    host_start(host);
}

/* Once the homeserver is stopped while both its hosts run: when what is
 * measured there is over. */
static void
stop_alone(void)
{
    static bool stopped;

    if (!stopped && evening.seven.over && evening.ten.over &&
        evening.hasty.over && evening.hosts[1].pid != 0) {
        restart(&evening.home);
        evening.stops++;
        stopped = true;
    }
}

/* A player whose app encrypts what is written in the room; one who opens a DM
 * with the host. */
static void
write_sealed(const struct party *party)
{
    struct buf body = BUF_INIT;

    account_send(
        party->players[0], party->room, "m.room.encrypted",
        "{\"algorithm\":\"m.megolm.v1.aes-sha2\",\"ciphertext\":"
        "\"AwgAEnACgAkLmt6qF84IK\",\"session_id\":\"X3lUlvLELLYxeTx\"}",
        NULL);
    buf_addf(&body,
             "{\"preset\":\"trusted_private_chat\",\"is_direct\":true,"
             "\"invite\":[\"%s\"]}",
             party->bot);
    json_object_put(account_ask(party->players[1], "POST", "/createRoom",
                                buf_text(&body), NULL));
    buf_release(&body);
}

enum office_step {
    OFFICE_BEGIN,
    OFFICE_ASKED,
    OFFICE_ANSWERED,
    OFFICE_OVER,
};
static enum office_step office;

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
play_office(void)
{
    const struct party *party = &evening.seven;
    static int64_t next;
    char dm[128];
    char id[128];

    if (party->calls == 0 || office == OFFICE_OVER || live_now() < next) {
        return;
    }
    next = live_now() + SECOND_MS;
    look_dm(party, 0, dm, sizeof(dm));
    if (office == OFFICE_BEGIN) {
        account_send(party->players[0], dm, "m.room.message",
                     "{\"msgtype\":\"m.text\",\"body\":\"!ask " QUESTION "\"}",
                     NULL);
        office = OFFICE_ASKED;
    } else if (office == OFFICE_ASKED &&
               look_find(party->mo, evening.office, party->bot, QUESTION, id) >
                   0) {
        reply(party->mo, evening.office, ANSWER, id);
        office = OFFICE_ANSWERED;
    } else if (office == OFFICE_ANSWERED &&
               look_find(party->players[0], dm, party->bot, ANSWER, id) > 0) {
        office = OFFICE_OVER;
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
    struct party *party = &evening.secret;

    party->tired = party->rounds >= 2;
    if (!written && party->calls > 0) {
        write_sealed(party);
        written = true;
    }
    if (!locked && party->tired && party->watched == 2) {
        evening.veiled.encrypt = "all";
        restart(&evening.veiled);
        party_begin(&evening.locked);
        locked = true;
    }
}

/* ---- the run ------------------------------------------------------------- */

/* What is not over yet; the first of several is enough. */
static const char *
missing(void)
{
    if (!evening.seven.over || !evening.ten.over) {
        return "the games of seven and ten";
    }
    if (!evening.hasty.over) {
        return "the end of the game with phases of seconds";
    }
    if (evening.kills < KILLS || !evening.killed.over) {
        return "the end of a game, and fifty kills";
    }
    if (evening.stops < 2 || late != LATE_OVER) {
        return "the late votes, and the homeserver's two stops";
    }
    if (evening.slow.rounds < SLOW_ROUNDS) {
        return "three rounds where the homeserver limits";
    }
    if (evening.locked.watched < evening.locked.count) {
        return "what is said where every room is encrypted";
    }
    if (office != OFFICE_OVER) {
        return "the moderators' answer";
    }
    if (!barred.over) {
        return "three rounds of a host that is muted and put out";
    }
    return evening.absent.tired ? NULL : "lots for those who do not answer";
}

static void
say_progress(void)
{
    printf(
        "  %3lld s: seven %s %u rounds; ten %s %u; hasty %s %u; killed %u "
        "times, %u games; late: %d of %d; slow: %u rounds; encrypted: %u, %u told; "
        "stops: %u; lots: %s\n",
        (long long)(live_now() - evening.begun) / SECOND_MS,
        evening.seven.over ? "over after" : "in", evening.seven.rounds,
        evening.ten.over ? "over after" : "in", evening.ten.rounds,
        evening.hasty.over ? "over after" : "in", evening.hasty.rounds,
        evening.kills, evening.killed.games, late, LATE_OVER,
        evening.slow.rounds, evening.secret.watched, evening.locked.watched,
        evening.stops, evening.absent.tired ? "drawn" : "awaited");
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

/* What came, where that which was waited for did not. */
static void
say_all(void)
{
    int64_t now = live_now();

    for (size_t i = 0; i < PARTIES; i++) {
        const struct party *party = parties[i].party;

        printf("%s: %s, %u rounds, %u calls; the last %lld s ago: %s\n",
               parties[i].name, party->over ? "over" : "not over",
               party->rounds, party->calls,
               (long long)(now - party->called) / SECOND_MS, party->last);
    }
    for (unsigned i = 0; i < ABROAD; i++) {
        char path[300];

        snprintf(path, sizeof(path), "%s/log", evening.hosts[i].folder);
        print_tail(path);
    }
    (void)fflush(stdout);
}

/* The seven absent: lots have to answer for a chancellor, of whose absence
 * nothing is said, and for a president, who is waited for. */
static void
watch_lots(void)
{
    struct party *party = &evening.absent;
    static bool asked;
    static bool of_president;
    bool session = strstr(party->last, "is in session") != NULL;
    unsigned president = party_find(party, party->president);

    if (session && !asked) {
        of_president = (party->deaf >> president & 1U) != 0;
    }
    if (asked && !session) {
        party->defers = false; /* one such chancellor is enough */
        party->tired = party->tired || of_president;
    }
    asked = session;
}

static void
play_on(void)
{
    if (evening.killed.over && evening.kills < KILLS) {
        party_begin(&evening.killed);
    }
    take_leave();
    play_late();
    play_office();
    play_secret();
    barred_play();
    harm();
    stop_alone();
    watch_lots();
    evening.slow.tired = evening.slow.rounds >= SLOW_ROUNDS;
    if (evening.cpu == 0 && evening.seven.over && evening.ten.over) {
        host_usage(&evening.hosts[0], &evening.cpu, &evening.memory);
        evening.minutes = (double)(live_now() - evening.begun) / MINUTE_MS;
    }
}

static void
play(void)
{
    bool begun[PARTIES] = {false};
    const char *what = NULL;
    int64_t told = evening.begun;

    while ((what = missing()) != NULL) {
        int64_t now = live_now();

        if (now - told > TELL_MS) {
            say_progress();
            told = now;
        }
        if (now > evening.begun + PATIENCE_MS) {
            say_all();
            ck_abort_msg("%s did not come", what);
        }
        for (size_t i = 0; i + 1 < PARTIES; i++) {
            begin_when_open(parties[i].party, &begun[i]);
        }
        accounts_wait(evening.list, evening.count, 50, hear);
        play_on();
    }
    evening.ended = live_now();
    while (live_now() < heard + CALM_MS) {
        accounts_wait(evening.list, evening.count, 50, hear);
    }
}

void
evening_play(void)
{
    const char *seed = getenv("PLACARD_LIVE_SEED");

    evening.seed =
        seed == NULL ? (unsigned)live_now() : (unsigned)strtoul(seed, NULL, 10);
    printf("  PLACARD_LIVE_SEED=%u\n", evening.seed);
    gather_all();
    meet();
    evening.begun = live_now();
    play();
    for (unsigned i = 0; i < HOSTS; i++) {
        ck_assert_int_eq(host_stop(&evening.hosts[i]), 0);
    }
}

/* ---- what runs ----------------------------------------------------------- */

static pid_t first;

/* Nothing is left behind, whatever ends the test. */
static void
clear_up(void)
{
    const struct home *const homes[] = {&evening.home, &evening.limited,
                                        &evening.veiled};

    if (getpid() != first) {
        return;
    }
    for (size_t i = 0; i < HOSTS; i++) {
        if (evening.hosts[i].pid > 1) {
            (void)kill(evening.hosts[i].pid, SIGKILL);
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
evening_set_up(const char *folder)
{
    snprintf(evening.folder, sizeof(evening.folder), "%s", folder);
    first = getpid();
    (void)atexit(clear_up);
    (void)signal(SIGINT, on_end);
    (void)signal(SIGTERM, on_end);
    return home_start(&evening.home, path_of("home"), "relaxed", "off",
                      users) &&
           home_start(&evening.limited, path_of("limited"), "normal", "off",
                      users_limited) &&
           home_start(&evening.veiled, path_of("veiled"), "relaxed", "invite",
                      users_veiled);
}

void
evening_release(void)
{
    for (unsigned i = 0; i < evening.count; i++) {
        account_close(evening.list[i]);
    }
    home_release(&evening.home);
    home_release(&evening.limited);
    home_release(&evening.veiled);
}
