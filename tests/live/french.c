#include "tests/live/french.h"

#include <stdio.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/live/look.h"

enum {
    PATIENCE_MS = 4 * MINUTE_MS, /* asserts no speed */
    CALM_MS = 2 * SECOND_MS,     /* without anything new */
};

/* Where the host puts a narrow space, French people put one, or none. */
static const struct phrases french_prison = {
    .candidate = ", qui sera ton intendant",
    .possible = "Tu peux choisir ",
    .or = " ou ",
    .names = " désigne ",
    .as = " comme intendant",
    .secret = "Ce vote est secret",
    .session = "Plus un mot de votre part ici",
    .veto = "acceptes-tu le veto",
    .powers = {", tu dois enquêter sur quelqu’un",
               ", tu dois choisir le prochain candidat",
               ", tu dois faire exécuter quelqu’un"},
    .executes = " fait exécuter ",
    .voted = " ont voté",
    .ends = {"Toute la partie sur une page", "Il n’y a pas de vainqueur"},
    .show = "Écris ce mot en gras",
    .hitler = "Ton rôle : le Directeur",
    .hand = "tu es porte-parole ; tes cartes",
    .handed = "les deux cartes transmises par",
    .ballot = "Réponds par un seul mot",
    .liberal = "réforme",
    .fascist = "sanction",
    .discard = "défausse",
    .enact = "adopte",
    .ja = {"Pour !", "Pour!", "Pour !"},
    .nein = {"Contre !", "Contre !", "Contre!"},
    .declined = "Refusé",
};

static const struct phrases english_prison = {
    .show = "Écris ce mot en gras", /* English is asked for afterwards */
    .hitler = "You are the Warden",
    .hand = "you're Speaker, and your cards are below",
    .handed = "two cards are below",
    .ballot = "Answer with one word",
    .liberal = "Reform",
    .fascist = "Sanction",
    .discard = "discard",
    .enact = "enact",
};

struct group french = {
    .options = "vote_closes=all gallery=on style=full",
    .phrases = &french_prison,
    .other = &english_prison,
    .asks = "!language en",
    .others = 1U << FRENCH_ENGLISH,
    .averse = 1U << FRENCH_AVERSE,
    .count = FRENCH_PLAYERS,
};

struct gallery gallery;

enum {
    PEOPLE = 1 + FRENCH_PLAYERS + FRENCH_WATCHERS
};

static struct account accounts[PEOPLE];
static struct account *list[PEOPLE];
static int64_t newest; /* when something new last came */

/* ---- the gallery --------------------------------------------------------- */

/* Ask for something below the gallery's room; the server's status. */
static long
try_gallery(const struct account *account, const char *method, const char *what,
            const char *body)
{
    struct buf path = BUF_INIT;
    long status = 0;

    buf_add_text(&path, "/rooms/");
    path_add(&path, gallery.room);
    buf_add_text(&path, what);
    json_object_put(
        account_ask(account, method, buf_text(&path), body, &status));
    buf_release(&path);
    return status;
}

static void
try_to_get_in(const struct account *watcher)
{
    const struct account *curious = french.players[FRENCH_CURIOUS];
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"user_id\":");
    jtext_string(&body, curious->user);
    buf_add_char(&body, '}');
    gallery.invited = try_gallery(watcher, "POST", "/invite", buf_text(&body));
    gallery.joined = try_gallery(curious, "POST", "/join", "{}");
    gallery.read = try_gallery(curious, "GET", "/messages?dir=b", NULL);
    buf_release(&body);
}

static void
write_there(const struct account *watcher, const char *text)
{
    struct buf content = BUF_INIT;

    buf_add_text(&content, "{\"msgtype\":\"m.text\",\"body\":");
    jtext_string(&content, text);
    buf_add_char(&content, '}');
    account_send(watcher, gallery.room, "m.room.message", buf_text(&content),
                 NULL);
    buf_release(&content);
}

/* Whoever reads the host's words in the gallery, writes there what counts
 * elsewhere. */
static void
watch(unsigned number, const char *room, json_object *event)
{
    const struct account *watcher = gallery.watchers[number];

    if ((gallery.in >> number & 1U) != 0 || !look_is_by(event, french.bot) ||
        *look_text(event) == '\0') {
        return;
    }
    snprintf(gallery.room, sizeof(gallery.room), "%s", room);
    if (gallery.in == 0) {
        try_to_get_in(watcher);
    }
    gallery.in |= 1U << number;
    write_there(watcher, FRENCH_VOTE);
    write_there(watcher, FRENCH_ORDER);
}

static void
ask_for_gallery(void)
{
    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        group_say(&french, gallery.watchers[i], FRENCH_ORDER, NULL, NULL);
    }
}

/* ---- the game ------------------------------------------------------------ */

static void
take_event(struct account *account, const char *room, json_object *event)
{
    newest = live_now();
    (void)group_take_event(&french, account, room, event);
    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        if (account == gallery.watchers[i]) {
            watch(i, room, event);
        }
    }
}

static void
set_group(void)
{
    static const char *const names[] = {"mona",  "aude", "basile", "clara",
                                        "denis", "elsa", "fanny",  "gilles"};

    run.bots[FRENCH] = home_account(&run.home, "bot3");
    for (unsigned i = 0; i < PEOPLE; i++) {
        accounts[i] = home_account(&run.home, names[i]);
        list[i] = &accounts[i];
    }
    french.bot = run.bots[FRENCH].user;
    french.mo = list[0];
    for (unsigned i = 0; i < FRENCH_PLAYERS; i++) {
        french.players[i] = list[1 + i];
    }
    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        gallery.watchers[i] = list[1 + FRENCH_PLAYERS + i];
    }
}

/* They read the room no more once they have come: only the gallery. */
static void
meet(void)
{
    group_meet(&french);
    account_listen(french.mo);
    for (unsigned i = 0; i < FRENCH_WATCHERS; i++) {
        struct account *watcher = gallery.watchers[i];

        snprintf(watcher->ignored_room, sizeof(watcher->ignored_room), "%s",
                 french.room);
        account_join(watcher, french.room);
        account_listen(watcher);
    }
}

static void
set_host(void)
{
    struct buf place = BUF_INIT;
    char folder[256];

    snprintf(folder, sizeof(folder), "%s/french", run.folder);
    buf_addf(&place,
             "{ name = \"french\"; service = \"matrix\"; address = \"%s\"; "
             "moderators = [ \"%s\" ]; language = \"fr\"; theme = \"prison\"; "
             "style = \"full\"; "
             "zone = \"Europe/Paris\"; second_thought = \"0\"; }",
             french.room, french.mo->user);
    host_set(&run.hosts[FRENCH], folder, &run.home, &run.bots[FRENCH],
             buf_text(&place));
    host_start(&run.hosts[FRENCH]);
    buf_release(&place);
}

void
french_play(void)
{
    int64_t begun = live_now();
    bool open = false;
    bool watched = false;

    set_group();
    meet();
    set_host();
    while (!french.over || live_now() < newest + CALM_MS) {
        if (!open && group_is_open(&french)) {
            open = true;
            group_begin(&french);
        }
        if (!watched && french.rounds > 0) {
            watched = true;
            ask_for_gallery();
        }
        ck_assert_msg(live_now() < begun + PATIENCE_MS, "after %u rounds: %s",
                      french.rounds, french.last);
        accounts_wait(list, PEOPLE, 50, take_event);
    }
    ck_assert_int_eq(host_stop(&run.hosts[FRENCH]), 0);
    printf("  the game in French took %.0f s, for %u rounds\n",
           (double)(live_now() - begun) / SECOND_MS, french.rounds);
    (void)fflush(stdout);
}

void
french_release(void)
{
    for (unsigned i = 0; i < PEOPLE; i++) {
        account_close(&accounts[i]);
    }
}
