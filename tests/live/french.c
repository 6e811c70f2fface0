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
    .candidate = ", qui sera votre intendant",
    .possible = "Vous pouvez choisir ",
    .or = " ou ",
    .names = " désigne ",
    .as = " comme intendant",
    .secret = "Ce vote est secret",
    .session = "Pas un mot de vous deux ici",
    .veto = "acceptez-vous le veto",
    .powers = {", vous devez enquêter sur quelqu’un",
               ", vous devez choisir le prochain candidat",
               ", vous devez faire exécuter quelqu’un"},
    .executes = " fait exécuter ",
    .voted = " ont voté",
    .ends = {"Toute la partie sur une page", "Il n’y a pas de vainqueur"},
    .show = "Écrivez ce mot en gras",
    .hitler = "Votre rôle : le Directeur",
    .hand = "vous êtes porte-parole ; vos cartes",
    .handed = "les deux cartes transmises par",
    .ballot = "Répondez par un seul mot",
    .liberal = "réforme",
    .fascist = "sanction",
    .discard = "défausse",
    .enact = "adopte",
    .ja = {"Pour !", "Pour!", "Pour !"},
    .nein = {"Contre !", "Contre !", "Contre!"},
    .declined = "Refusé",
};

static const struct phrases english_prison = {
    .show = "Écrivez ce mot en gras", /* English is asked for afterwards */
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
    .options = "vote_closes=all",
    .phrases = &french_prison,
    .other = &english_prison,
    .asks = "!language en",
    .others = 1U << FRENCH_ENGLISH,
    .averse = 1U << FRENCH_AVERSE,
    .count = FRENCH_PLAYERS,
};

static struct account accounts[1 + FRENCH_PLAYERS];
static struct account *list[1 + FRENCH_PLAYERS];
static int64_t newest; /* when something new last came */

static void
take_event(struct account *account, const char *room, json_object *event)
{
    newest = live_now();
    (void)group_take_event(&french, account, room, event);
}

static void
set_group(void)
{
    static const char *const names[] = {"mona",  "aude",  "basile",
                                        "clara", "denis", "elsa"};

    run.bots[FRENCH] = home_account(&run.home, "bot3");
    for (unsigned i = 0; i <= FRENCH_PLAYERS; i++) {
        accounts[i] = home_account(&run.home, names[i]);
        list[i] = &accounts[i];
    }
    french.bot = run.bots[FRENCH].user;
    french.mo = list[0];
    for (unsigned i = 0; i < FRENCH_PLAYERS; i++) {
        french.players[i] = list[1 + i];
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

    set_group();
    group_meet(&french);
    account_listen(french.mo);
    set_host();
    while (!french.over || live_now() < newest + CALM_MS) {
        if (!open && group_is_open(&french)) {
            open = true;
            group_begin(&french);
        }
        ck_assert_msg(live_now() < begun + PATIENCE_MS, "after %u rounds: %s",
                      french.rounds, french.last);
        accounts_wait(list, 1 + FRENCH_PLAYERS, 50, take_event);
    }
    ck_assert_int_eq(host_stop(&run.hosts[FRENCH]), 0);
    printf("  the game in French took %.0f s, for %u rounds\n",
           (double)(live_now() - begun) / SECOND_MS, french.rounds);
    (void)fflush(stdout);
}

void
french_release(void)
{
    for (unsigned i = 0; i <= FRENCH_PLAYERS; i++) {
        account_close(&accounts[i]);
    }
}
