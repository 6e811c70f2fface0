#include "bot/host/words/style.h"

#include <string.h>

enum {
    FIRST_ROUNDS = 2, /* that are full for everybody */
    FIRST_TIMES = 2   /* that are full for one player */
};

/* Did a seat's present player govern in a round, as President? */
static bool
presided(const struct past_round *round, unsigned seat)
{
    return round->president == seat && round->president_was == 0;
}

/* Did the government's policy in a round bring a power?  `nth`: it was that
 * fascist policy. */
static bool
brought_power(const struct table *table, const struct past_round *round,
              unsigned nth)
{
    return round->outcome == PAST_ENACTED && !round->liberal && nth <= 5 &&
           game_track_power(table->game.players, nth) != POWER_NONE;
}

/* Did a seat's present player do in a round what a question asks? */
static bool
has_done(const struct table *table, const struct past_round *round,
         enum question question, unsigned seat, unsigned nth)
{
    switch (question) {
    case QUESTION_NOMINATE:
        return presided(round, seat) && round->chancellor != NO_SEAT;
    case QUESTION_DISCARD:
        return round->president == seat && round->passed_was == 0 &&
               round->passed.count > 0;
    case QUESTION_ENACT:
        return round->chancellor == seat && round->chancellor_was == 0 &&
               round->passed.count > 0;
    case QUESTION_VETO: /* that a veto was declined is not kept */
        return presided(round, seat) && round->outcome == PAST_VETOED;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return presided(round, seat) && brought_power(table, round, nth);
    case QUESTION_VOTE:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return false;
}

/* How often a seat's present player did it before a round. */
static unsigned
times_done(const struct table *table, const struct past_round *before,
           enum question question, unsigned seat)
{
    unsigned times = 0;
    unsigned nth = table->game.fascist;
    for (unsigned i = table->past_count; i-- > 0;) {
        const struct past_round *round = &table->past[i];
        nth -= round->chaos && !round->chaos_liberal ? 1 : 0;
        times += round->round < before->round &&
                 has_done(table, round, question, seat, nth);
        nth -= round->outcome == PAST_ENACTED && !round->liberal ? 1 : 0;
    }
    return times;
}

/* The last round that was somebody else's at a seat; 0: none was. */
static unsigned
last_of_another(const struct table *table, unsigned seat)
{
    unsigned last = 0;
    for (unsigned i = 0; i < table->past_count; i++) {
        if (table->past[i].voter_was[seat] != 0) {
            last = table->past[i].round;
        }
    }
    return last;
}

static bool
is_new_to(const struct table *table, const struct past_round *round,
          enum question question, unsigned seat)
{
    if (question == QUESTION_VOTE) {
        return round->round <= last_of_another(table, seat) + FIRST_ROUNDS;
    }
    return times_done(table, round, question, seat) < FIRST_TIMES;
}

static bool
is_auto(const struct table *table)
{
    return strcmp(table->settings.style, "auto") == 0;
}

bool
style_is_full(const struct table *table, const struct past_round *round)
{
    if (!is_auto(table)) {
        return strcmp(table->settings.style, "short") != 0;
    }
    return round == NULL || round->round <= FIRST_ROUNDS;
}

bool
style_is_full_for(const struct table *table, const struct past_round *round,
                  enum question question, unsigned seat)
{
    return style_is_full(table, round) ||
           (is_auto(table) && is_new_to(table, round, question, seat));
}
