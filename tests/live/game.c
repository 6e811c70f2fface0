#include "tests/live/game.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "tests/support/player.h"

enum {
    /* How long nothing new may come: several times the slowest step. */
    PATIENCE_MS = 15 * MINUTE_MS,
    AGAIN_MS = MINUTE_MS,        /* between two requests to open a table */
    THOUGHT_MS = 45 * SECOND_MS, /* by then the host has read a post */
    CALM_MS = 30 * SECOND_MS,
    LOG_TAIL = 2000
};

/* ---- what is set --------------------------------------------------------- */

static const char *
setting(const struct guest_kind *kind, const char *what)
{
    char name[64] = "PLACARD_LIVE_";
    size_t len = strlen(name);

    for (const char *at = kind->name; *at != '\0'; at++) {
        name[len++] = (char)(*at + 'A' - 'a');
    }
    snprintf(name + len, sizeof(name) - len, "_%s", what);
    return getenv(name);
}

/* Take "name:secret" apart. */
static void
take_account(const char *text, size_t len, char name[64],
             char secret[SECRET_SIZE])
{
    const char *colon = memchr(text, ':', len);

    if (colon == NULL || colon - text >= 64 ||
        len - (size_t)(colon - text) > SECRET_SIZE) {
        die("PLACARD_LIVE_…: an account is written name:SECRET");
    }
    snprintf(name, 64, "%.*s", (int)(colon - text), text);
    snprintf(secret, SECRET_SIZE, "%.*s",
             (int)(len - 1 - (size_t)(colon - text)), colon + 1);
}

bool
game_is_set(struct live_game *game, const struct guest_kind *kind)
{
    const char *host = setting(kind, "HOST");
    const char *players = setting(kind, "PLAYERS");
    const char *pause = getenv("PLACARD_LIVE_PAUSE");
    const char *votes = getenv("PLACARD_LIVE_VOTES");
    const char *kills = getenv("PLACARD_LIVE_KILLS");
    const char *night = getenv("PLACARD_LIVE_NIGHT");

    memset(game, 0, sizeof(*game));
    game->kind = kind;
    game->base = setting(kind, "URL");
    game->host_base = setting(kind, "HOST_BASE");
    game->host_base = game->host_base == NULL ? game->base : game->host_base;
    game->topic = setting(kind, "TOPIC");
    game->votes = votes == NULL ? "open" : votes;
    game->kills = kills == NULL ? 0 : strtol(kills, NULL, 10);
    game->night = night == NULL ? 0 : strtol(night, NULL, 10);
    game->pause = pause == NULL ? 5000 : strtol(pause, NULL, 10);
    if (game->base == NULL || game->topic == NULL || host == NULL ||
        players == NULL) {
        printf("  SKIP  %s: no server of it is named (tests/README.md says "
               "how)\n",
               kind->name);
        return false;
    }
    take_account(host, strlen(host), game->host_name, game->host_secret);
    while (*players != '\0' && game->count < GUESTS_MAX) {
        struct guest *guest = &game->guests[game->count++];
        size_t len = strcspn(players, " \n");

        guest->base = game->base;
        guest->topic = game->topic;
        guest->host = game->host_name;
        take_account(players, len, guest->name, guest->secret);
        players += len;
        players += strspn(players, " \n");
    }
    if (game->count < 6) {
        die("PLACARD_LIVE_…_PLAYERS: a moderator and five players at least");
    }
    return true;
}

/* ---- writing ------------------------------------------------------------- */

/* Say something on a line of its own; no two posts are the same, nor very
 * short. */
static void
say(struct live_game *game, unsigned number, const char *text, char *id)
{
    struct buf post = BUF_INIT;

    buf_addf(&post, "%s\n\nThat is all that I have to say here, %u.", text,
             ++game->said);
    game->kind->say(&game->guests[number], buf_text(&post), id);
    buf_release(&post);
}

static void
say_bold(struct live_game *game, unsigned number, const char *form,
         const char *word)
{
    const char *at = strstr(form, "%s");
    struct buf text = BUF_INIT;

    buf_addf(&text, "%.*s%s%s", (int)(at - form), form, word, at + 2);
    say(game, number, buf_text(&text), NULL);
    buf_release(&text);
}

static void
answer(struct live_game *game, unsigned number, const char *text)
{
    struct buf post = BUF_INIT;

    buf_addf(&post, "%s, if you please", text);
    for (unsigned i = ++game->said % 20; i > 0; i--) {
        buf_add_char(&post, '.');
    }
    game->kind->answer(&game->guests[number], buf_text(&post));
    buf_release(&post);
}

/* ---- what the topic says ------------------------------------------------- */

/* A guest by a name in a post, "@anna" or "Anna"; 0: none of the players. */
static unsigned
find(const struct live_game *game, const char *name)
{
    name += strspn(name, "@ ");
    for (unsigned i = 1; i < game->count; i++) {
        if (guest_is(name, game->guests[i].name) ||
            guest_is(name, game->guests[i].user)) {
            return i;
        }
    }
    return 0;
}

/* Hitler is named if nobody else may be. */
static unsigned
worth(const void *context, const char *name)
{
    const struct live_game *game = context;
    unsigned player = find(game, name);

    return player == 0 ? 0 : player == game->hitler ? 1 : 2;
}

static void
vote_all(struct live_game *game)
{
    for (unsigned i = 1; i < game->count; i++) {
        if (!(game->executed >> i & 1U)) {
            say_bold(game, i, game->kind->bold, "Ja!");
        }
    }
}

/* All of them talk while the host is down. */
static void
pass_night(struct live_game *game)
{
    for (; game->night > 0; game->night--) {
        say(game, (unsigned)game->night % game->count, "Good night!", NULL);
    }
}

/* The host that is started again goes on with the vote. */
static void
kill_host(struct live_game *game)
{
    if (game->kills > 0) {
        game->kills--;
        host_kill(&game->host);
        pass_night(game);
        host_start(&game->host);
    }
}

/* The ballots come in private. */
static void
judge_secret_vote(struct live_game *game, const struct task *task)
{
    memcpy(game->president, task->president, sizeof(game->president));
    memcpy(game->chancellor, task->chancellor, sizeof(game->chancellor));
    game->rounds++;
    kill_host(game);
}

/* In the first round somebody writes what is no vote, and edits it into one
 * later. */
static void
judge_vote(struct live_game *game, const struct task *task)
{
    memcpy(game->president, task->president, sizeof(game->president));
    memcpy(game->chancellor, task->chancellor, sizeof(game->chancellor));
    game->rounds++;
    if (game->rounds == 1 && game->kind->told_soon) {
        say(game, game->count - 1, "Let me think.", game->thought);
        game->due = live_now() + THOUGHT_MS;
    } else {
        kill_host(game);
        vote_all(game);
    }
}

/* Edit the post when it is time; all vote once the host has spoken of it. */
static void
play_edit(struct live_game *game)
{
    struct buf text = BUF_INIT;

    if (game->thought[0] == '\0' || live_now() < game->due) {
        return;
    }
    if (!game->edited) {
        const char *at = strstr(game->kind->bold, "%s");

        buf_addf(&text, "%.*sJa!%s\n\nSo I have thought.",
                 (int)(at - game->kind->bold), game->kind->bold, at + 2);
        game->kind->alter(&game->guests[game->count - 1], game->thought,
                          buf_text(&text));
        game->edited = true;
    } else if (game->told) {
        game->thought[0] = '\0';
        vote_all(game);
    }
    buf_release(&text);
}

static void
parse_choice(struct live_game *game, const struct task *task)
{
    char chosen[64];

    ck_assert_msg(find(game, task->who) != 0, "%s", task->who);
    player_choose(task->list, worth, game, chosen);
    say_bold(game, find(game, task->who), game->kind->named,
             game->guests[find(game, chosen)].name);
}

static void
parse_public(struct live_game *game, const char *text)
{
    struct task task;

    player_read(text, &phrases_english, &task);
    snprintf(game->last, sizeof(game->last), "%s", text);
    game->opened = true;
    game->told =
        game->told || strstr(text, "editing it changes nothing") != NULL;
    if (task.executed[0] != '\0') {
        game->executed |= 1U << find(game, task.executed);
    }
    switch (task.kind) {
    case TASK_NOMINEE:
    case TASK_TARGET:
        parse_choice(game, &task);
        break;
    case TASK_VOTE:
        judge_vote(game, &task);
        break;
    case TASK_SECRETLY:
        judge_secret_vote(game, &task);
        break;
    case TASK_VETO:
        say_bold(game, find(game, game->president), game->kind->bold,
                 "Declined");
        break;
    case TASK_OVER:
        game->over = true;
        break;
    case TASK_NOTHING:
    case TASK_SESSION:
    case TASK_WORD:
    case TASK_DISCARD:
    case TASK_ENACT:
    case TASK_BALLOT:
        break;
    }
}

static void
parse_private(struct live_game *game, unsigned number, const char *text)
{
    struct task task;

    player_read_private(text, &phrases_english, &task);
    if (strstr(text, phrases_english.hitler) != NULL) {
        game->hitler = number;
    }
    if (task.kind == TASK_WORD) {
        say_bold(game, number, game->kind->bold, task.answer);
    } else if (task.kind == TASK_BALLOT) {
        game->kind->answer(&game->guests[number], "Ja!");
    } else if (task.answer[0] != '\0') {
        answer(game, number, task.answer);
    }
}

/* ---- playing ------------------------------------------------------------- */

/* Act on what an account has seen since. */
static bool
take_in(struct live_game *game, unsigned number)
{
    struct guest *guest = &game->guests[number];
    bool any = false;

    while (guest->taken < guest->count) {
        const struct guest_post *post = &guest->posts[guest->taken++];

        if (post->by_host && !game->over) {
            any = true;
            if (post->dm) {
                parse_private(game, number, post->text);
            } else if (number == 0) {
                parse_public(game, post->text);
            }
        }
    }
    return any;
}

/* Private messages come first: the topic may say that they were sent. */
static bool
look_around(struct live_game *game)
{
    bool any = false;

    for (unsigned i = 1; i < game->count; i++) {
        game->kind->look_private(&game->guests[i]);
        any = take_in(game, i) || any;
    }
    game->kind->look(&game->guests[0]);
    any = take_in(game, 0) || any;
    play_edit(game);
    return any;
}

static void
print_tail(const struct live_game *game)
{
    char path[300];
    struct buf log = BUF_INIT;

    snprintf(path, sizeof(path), "%s/log", game->host.folder);
    live_read(path, &log);
    printf("the host's log ends:\n%s\n",
           buf_text(&log) + (log.len > LOG_TAIL ? log.len - LOG_TAIL : 0));
    (void)fflush(stdout);
    buf_release(&log);
}

/* What each account has seen last: the moderator in the topic, the others in
 * private. */
static void
print_sights(const struct live_game *game)
{
    for (unsigned i = 0; i < game->count; i++) {
        const struct guest *guest = &game->guests[i];

        for (size_t n = guest->count; n > 0; n--) {
            if (guest->posts[n - 1].dm == (i > 0)) {
                printf("%s sees last: %s\n", guest->name,
                       guest->posts[n - 1].text);
                break;
            }
        }
    }
}

/* Play until *done. */
static void
play_until(struct live_game *game, const bool *done)
{
    int64_t updates = live_now();

    while (!*done) {
        if (look_around(game)) {
            updates = live_now();
        }
        if (live_now() > updates + PATIENCE_MS) {
            print_tail(game);
            print_sights(game);
            ck_abort_msg("%s: nothing came any more after: %s",
                         game->kind->name, game->last);
        }
        guest_wait(game->pause);
    }
}

/* The host ignores what was posted before its first look, so a table is asked
 * for until it is there. */
static void
open_table(struct live_game *game)
{
    char words[64];

    snprintf(words, sizeof(words), "!new players=%u", game->count - 1);
    game->kind->look(&game->guests[0]);
    game->guests[0].taken = game->guests[0].count;
    for (int tries = 0; !game->opened; tries++) {
        int64_t next = live_now() + AGAIN_MS;

        ck_assert_msg(tries < 10, "%s: the host does not answer",
                      game->kind->name);
        say(game, 0, words, NULL);
        while (!game->opened && live_now() < next) {
            guest_wait(game->pause);
            (void)look_around(game);
        }
    }
    for (unsigned i = 1; i < game->count; i++) {
        say(game, i, "!join", NULL);
    }
}

void
game_set_host(const struct live_game *game, struct host *host, const char *name,
              const char *user, const char *secret)
{
    struct buf service = BUF_INIT;
    struct buf places = BUF_INIT;
    char path[300];

    buf_addf(&service, "name = \"%s\"; url = \"%s\";", game->kind->name,
             game->host_base);
    if (game->kind->names_host) {
        buf_addf(&service, " user = \"%s\";", user);
    }
    buf_addf(
        &places,
        "{ name = \"hall\"; service = \"%s\"; address = \"%s\"; "
        "thread = \"here\"; style = \"full\"; second_thought = \"0\"; ballot = \"%s\"; "
        "vote_closes = \"%s\"; moderators = [ \"%s\" ]; }",
        game->kind->name, game->topic, game->votes,
        strcmp(game->votes, "sealed") == 0 ? "all" : "majority",
        game->guests[0].user);
    snprintf(path, sizeof(path), "%s/%s.%s", getenv("PLACARD_LIVE"),
             game->kind->name, name);
    host_set_at(host, path, buf_text(&service), secret, buf_text(&places));
    buf_release(&service);
    buf_release(&places);
}

/* Whose host is to be killed when the test ends. */
static struct live_game *running;

static void
clear_up(void)
{
    if (running != NULL && running->host.pid > 1) {
        (void)kill(running->host.pid, SIGKILL);
    }
}

/* Have every account read everything once more. */
static void
look_back(struct live_game *game)
{
    for (unsigned i = 0; i < game->count; i++) {
        game->kind->look(&game->guests[i]);
        game->kind->look_private(&game->guests[i]);
    }
}

void
game_play(struct live_game *game)
{
    running = game;
    (void)atexit(clear_up);
    for (unsigned i = 0; i < game->count; i++) {
        guest_enter(&game->guests[i], game->kind);
    }
    game->begun = live_now();
    game_set_host(game, &game->host, "host", game->host_name,
                  game->host_secret);
    host_start(&game->host);
    open_table(game);
    play_until(game, &game->over);
    guest_wait(CALM_MS);
    look_back(game);
    game->ended = live_now();
    ck_assert_int_eq(host_stop(&game->host), 0);
    running = NULL;
}

void
game_release(struct live_game *game)
{
    for (unsigned i = 0; i < game->count; i++) {
        guest_release(&game->guests[i]);
    }
}

unsigned
game_count(const struct guest *guest, bool dm, const char *text)
{
    unsigned count = 0;

    for (size_t i = 0; i < guest->count; i++) {
        const struct guest_post *post = &guest->posts[i];

        count +=
            post->by_host && post->dm == dm && strstr(post->text, text) != NULL;
    }
    return count;
}
