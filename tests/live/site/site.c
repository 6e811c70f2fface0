/*
 * The tests' own services as a process on loopback, for players who come by
 * HTTP: a Discourse, a NodeBB, a phpBB and a Discord, each on a port of its
 * own, at a clock that goes faster than real time.  A Matrix homeserver is
 * there for the host alone: `placard setup` is tried with it.
 *
 *     site ENVIRONMENT CLOCK SPEED
 *
 * writes into the file ENVIRONMENT what tests/live/game.h asks for, as lines of
 * a shell; and into CLOCK, again and again, how many ms the clock is ahead, as
 * tests/support/shim/fault_shim.c reads it.  It serves until it is ended.
 *
 * A player's key or token is "key-of-NAME".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/files.h"
#include "bot/base/json.h"
#include "tests/support/on_loopback.h"

enum {
    PLAYERS = 6,
    PATIENCE_MS = 2,
    TICK_MS = 20, /* real ones, between two times that the clock is set */
    SERVICES = 5
};

/* View Channel, Send Messages, Read Message History, Send Messages in Threads.
 */
#define PLAYERS_MAY                                                            \
    (UINT64_C(1) << 10 | UINT64_C(1) << 11 | UINT64_C(1) << 16 |               \
     UINT64_C(1) << 38)

static const char *const players[PLAYERS] = {"Mo",   "Anna", "Ben",
                                             "Carl", "Dora", "Emil"};

static struct discourse *discourse;
static struct nodebb *nodebb;
static struct phpbb *phpbb;
static struct fake_discord *fake_discord;
static struct homeserver *homeserver;

/* ---- the clock ----------------------------------------------------------- */

static int64_t begun, ahead;

static int64_t
now(void)
{
    /* The shim counts in whole seconds. */
    return clock_now() + ahead / SECOND_MS * SECOND_MS;
}

static void
set_clock(const char *path, int64_t speed)
{
    static int64_t last;
    int64_t real = clock_now();
    char text[32];
    struct buf why = BUF_INIT;

    if (real < last + TICK_MS) {
        return;
    }
    last = real;
    ahead = (real - begun) * (speed - 1);
    int len = snprintf(text, sizeof(text), "%lld", (long long)ahead);

    if (file_write(path, text, (size_t)len, 0600, &why) != ERR_NONE) {
        die("%s", buf_text(&why));
    }
}

/* ---- the services -------------------------------------------------------- */

/* Ask as the bot: what a player may read the bot may read as well. */
static json_object *
ask_guild(const char *method, const char *target, const char *text)
{
    struct request request = {.authorized = true};
    struct reply reply;
    struct buf body = BUF_INIT;

    snprintf(request.method, sizeof(request.method), "%.7s", method);
    buf_addf(&request.url, GUILD_BASE "%s", target);
    buf_add_text(&request.headers, "User-Agent: DiscordBot (x, 1)\n");
    if (text != NULL) {
        snprintf(request.type, sizeof(request.type), "application/json");
        buf_add_text(&request.body, text);
    }
    fake_discord_serve(fake_discord, now(), &request, &body, &reply);
    json_object *value = json_tokener_parse(buf_text(&body));

    request_clear(&request);
    buf_release(&body);
    return value;
}

/* The channel in which a user and the bot talk; yours to put. */
static json_object *
dm_with(const char *user)
{
    struct buf text = BUF_INIT;

    buf_addf(&text, "{\"recipient_id\":\"%s\"}",
             fake_discord_user(fake_discord, user));
    json_object *dm =
        ask_guild("POST", "/api/v10/users/@me/channels", buf_text(&text));

    buf_release(&text);
    return dm;
}

/* A user posts in the channel of games, or in private; or edits, or reads. */
static json_object *
answer_channel(const struct httpd_request *from, const char *user,
               const char *channel)
{
    json_object *dm = dm_with(user);
    const char *private = jdoc_string(dm, "id");
    json_object *body = json_tokener_parse(buf_text(&from->body));
    const char *content = jdoc_string(body, "content");
    const char *message = strstr(channel, "/messages/");
    json_object *made = NULL;
    bool in_private = strncmp(channel, private, strlen(private)) == 0;
    uint64_t place = in_private ? 0 : strtoull(channel, NULL, 10);

    if (!in_private && place != strtoull(GUILD_CHANNEL, NULL, 10)) {
        made = NULL; /* somebody else's */
    } else if (strcmp(from->method, "POST") == 0) {
        const struct fake_discord_message *posted =
            fake_discord_post(fake_discord, user, place, content, now());
        char id[32];

        snprintf(id, sizeof(id), "%llu", (unsigned long long)posted->id);
        made = json_object_new_object();
        json_object_object_add(made, "id", json_object_new_string(id));
    } else if (strcmp(from->method, "PATCH") == 0 && message != NULL) {
        fake_discord_edit(fake_discord, strtoull(message + 10, NULL, 10),
                          content, now());
        made = json_object_new_object();
    } else {
        made = ask_guild("GET", buf_text(&from->target), NULL);
    }
    json_object_put(dm);
    json_object_put(body);
    return made;
}

static void
answer_guild(struct httpd_request *from)
{
    static const char channels[] = "/api/v10/channels/";
    struct buf value = BUF_INIT;
    const char *user =
        loopback_owner(loopback_header(from, "authorization", &value));
    const char *target = buf_text(&from->target);
    json_object *made = NULL;

    if (user == NULL) {
        loopback_discord(fake_discord, now(), from);
    } else {
        if (strcmp(target, "/api/v10/users/@me") == 0) {
            made = json_object_new_object();
            json_object_object_add(
                made, "id",
                json_object_new_string(fake_discord_user(fake_discord, user)));
        } else if (strcmp(target, "/api/v10/users/@me/channels") == 0) {
            made = dm_with(user);
        } else if (strncmp(target, channels, sizeof(channels) - 1) == 0) {
            made = answer_channel(from, user, target + sizeof(channels) - 1);
        }
        httpd_answer(from, made == NULL ? 403 : 200, "",
                     json_object_to_json_string(made));
        json_object_put(made);
    }
    buf_release(&value);
}

static void
answer_discourse(struct httpd_request *from)
{
    loopback_discourse(discourse, now(), from);
}

static void
answer_nodebb(struct httpd_request *from)
{
    loopback_nodebb(nodebb, now(), from);
}

static void
answer_phpbb(struct httpd_request *from)
{
    loopback_phpbb(phpbb, now(), from);
}

static void
answer_matrix(struct httpd_request *from)
{
    loopback_matrix(homeserver, now(), from);
}

/* ---- the program --------------------------------------------------------- */

struct service_here {
    const char *name, *topic, *host;
    void (*answer)(struct httpd_request *from);
    const char *password; /* of players, before their names; NULL: none come */
    struct httpd *httpd;
};

static struct service_here services[SERVICES] = {
    {"DISCOURSE", "7", "placard:key-of-placard", answer_discourse, "key-of-",
     NULL},
    {"NODEBB", "7", "placard:key-of-placard", answer_nodebb, "key-of-", NULL},
    {"PHPBB", "7", "placard:" PHPBB_PASSWORD, answer_phpbb, PHPBB_PASSWORD_OF,
     NULL},
    {"DISCORD", GUILD_CHANNEL, "placard:" GUILD_TOKEN, answer_guild, "key-of-",
     NULL},
    {"MATRIX", HOMESERVER_ROOM, "placard:pass-of-placard", answer_matrix, NULL,
     NULL},
};

static void
open_services(void)
{
    discourse = discourse_new();
    nodebb = nodebb_new();
    phpbb = phpbb_new();
    homeserver = homeserver_new();
    fake_discord = fake_discord_new();
    fake_discord_habits(fake_discord)->players_may = PLAYERS_MAY;
    for (unsigned i = 0; i < PLAYERS; i++) {
        discourse_admit(discourse, players[i]);
        (void)phpbb_user(phpbb, players[i]);
        (void)fake_discord_user(fake_discord, players[i]);
    }
}

static void
add_players(const struct service_here *service, struct buf *text)
{
    buf_addf(text, "export PLACARD_LIVE_%s_PLAYERS='", service->name);
    for (unsigned i = 0; i < PLAYERS; i++) {
        buf_addf(text, "%s%s:%s%s", i == 0 ? "" : " ", players[i],
                 service->password, players[i]);
    }
    buf_add_text(text, "'\n");
}

/* The last line is written with the others: who sees it sees all. */
static void
write_environment(const char *path)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;

    for (unsigned i = 0; i < SERVICES; i++) {
        const struct service_here *service = &services[i];
        const char *name = service->name;

        buf_addf(&text,
                 "export PLACARD_LIVE_%s_URL='%s'\n"
                 "export PLACARD_LIVE_%s_TOPIC='%s'\n"
                 "export PLACARD_LIVE_%s_HOST='%s'\n",
                 name, httpd_url(service->httpd), name, service->topic, name,
                 service->host);
        if (service->password != NULL) {
            add_players(service, &text);
        }
    }
    if (file_write(path, buf_text(&text), text.len, 0600, &why) != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    buf_release(&text);
}

static void
serve(struct service_here *service)
{
    struct httpd_request *request;

    httpd_work(service->httpd, PATIENCE_MS);
    while ((request = httpd_next(service->httpd)) != NULL) {
        if (!request->gone) {
            service->answer(request);
        }
    }
    httpd_work(service->httpd, 0);
}

static const char *environment, *clock_file;
static int64_t speed;

/* A test, for Check's assertions, of which the services are full, need one. */
START_TEST(whoever_comes_is_served)
{
    pid_t parent = getppid();

    begun = clock_now();
    open_services();
    for (unsigned i = 0; i < SERVICES; i++) {
        services[i].httpd = httpd_new();
    }
    set_clock(clock_file, speed);
    write_environment(environment);
    /* Until whoever has started it takes that away, or is gone. */
    while (getppid() == parent && access(environment, F_OK) == 0) {
        set_clock(clock_file, speed);
        for (unsigned i = 0; i < SERVICES; i++) {
            serve(&services[i]);
        }
    }
}
END_TEST

int
main(int count, char **words)
{
    Suite *suite = suite_create("live/site");
    TCase *tcase = tcase_create("site");
    SRunner *runner = srunner_create(suite);

    speed = count == 4 ? strtoll(words[3], NULL, 10) : 0;
    if (speed < 1) {
        die("site ENVIRONMENT CLOCK SPEED");
    }
    environment = words[1];
    clock_file = words[2];
    tcase_add_test(tcase, whoever_comes_is_served);
    suite_add_tcase(suite, tcase);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);

    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
