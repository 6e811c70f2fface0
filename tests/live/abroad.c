#include "tests/live/abroad.h"

#include <stdio.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/live/look.h"

enum {
    PATIENCE_MS = 4 * MINUTE_MS, /* no measure of speed */
    CALM_MS = 2 * SECOND_MS,     /* without anything new */
};

/* Where the host puts a narrow space, French people put one, or none. */
static const struct phrases french_prison = {
    .candidate = "Candidat à la place de porte-parole : ",
    .possible = "Possibles : ",
    .shall = "faut-il élire le porte-parole ",
    .with = " et l’intendant ",
    .govern = " ?",
    .secret = "Ce vote est secret",
    .session = "Le gouvernement siège jusqu’au",
    .veto = "acceptez-vous le veto",
    .powers = {" doit enquêter sur un joueur",
               " doit choisir qui sera le prochain candidat",
               " doit exécuter un joueur"},
    .executes = " fait exécuter ",
    .voted = "Votes : ",
    .ends = {"Tous les votes, mains et déclarations",
             "La partie de la table 1 s’achève sans vainqueur"},
    .show = "Écrivez ce mot en gras",
    .hitler = "Votre rôle : le Directeur",
    .hand = "vous êtes porte-parole ; vos cartes",
    .handed = "vous transmet deux cartes",
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
    .hand = "you are Speaker; your cards are below",
    .handed = "hands you two cards",
    .ballot = "Answer with one word",
    .liberal = "Reform",
    .fascist = "Sanction",
    .discard = "discard",
    .enact = "enact",
};

struct party abroad = {
    .options = "vote_closes=all",
    .phrases = &french_prison,
    .other = &english_prison,
    .asks = "!language en",
    .others = 1U << ABROAD_ENGLISH,
    .averse = 1U << ABROAD_AVERSE,
    .count = ABROAD_PLAYERS,
};

static struct account accounts[1 + ABROAD_PLAYERS];
static struct account *list[1 + ABROAD_PLAYERS];
static int64_t heard; /* when something new last came */

static void
hear(struct account *account, const char *room, json_object *event)
{
    heard = live_now();
    (void)party_hear(&abroad, account, room, event);
}

static void
gather(void)
{
    static const char *const names[] = {"mona",  "aude",  "basile",
                                        "clara", "denis", "elsa"};

    evening.bots[ABROAD] = home_account(&evening.home, "bot3");
    for (unsigned i = 0; i <= ABROAD_PLAYERS; i++) {
        accounts[i] = home_account(&evening.home, names[i]);
        list[i] = &accounts[i];
    }
    abroad.bot = evening.bots[ABROAD].user;
    abroad.mo = list[0];
    for (unsigned i = 0; i < ABROAD_PLAYERS; i++) {
        abroad.players[i] = list[1 + i];
    }
}

static void
set_host(void)
{
    struct buf place = BUF_INIT;
    char folder[256];

    snprintf(folder, sizeof(folder), "%s/abroad", evening.folder);
    buf_addf(&place,
             "{ name = \"abroad\"; service = \"matrix\"; address = \"%s\"; "
             "moderators = [ \"%s\" ]; language = \"fr\"; theme = \"prison\"; "
             "zone = \"Europe/Paris\"; second_thought = \"0\"; }",
             abroad.room, abroad.mo->user);
    host_set(&evening.hosts[ABROAD], folder, &evening.home,
             &evening.bots[ABROAD], buf_text(&place));
    host_start(&evening.hosts[ABROAD]);
    buf_release(&place);
}

void
abroad_play(void)
{
    int64_t begun = live_now();
    bool open = false;

    gather();
    party_meet(&abroad);
    account_listen(abroad.mo);
    set_host();
    while (!abroad.over || live_now() < heard + CALM_MS) {
        if (!open && party_is_open(&abroad)) {
            open = true;
            party_begin(&abroad);
        }
        ck_assert_msg(live_now() < begun + PATIENCE_MS, "after %u rounds: %s",
                      abroad.rounds, abroad.last);
        accounts_wait(list, 1 + ABROAD_PLAYERS, 50, hear);
    }
    ck_assert_int_eq(host_stop(&evening.hosts[ABROAD]), 0);
    printf("  the game in French took %.0f s, for %u rounds\n",
           (double)(live_now() - begun) / SECOND_MS, abroad.rounds);
    (void)fflush(stdout);
}

void
abroad_release(void)
{
    for (unsigned i = 0; i <= ABROAD_PLAYERS; i++) {
        account_close(&accounts[i]);
    }
}
