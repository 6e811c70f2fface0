#include "bot/host/reading/intent.h"

#include <assert.h>
#include <string.h>

#include "bot/host/reading/intent_inner.h"

static const char english_acts[] =
    "vote voting unvote discard enact veto approve approved decline declined";

void
intent_read(const struct rich *post, const struct reading *reading,
            struct intent *intent, struct buf *why)
{
    assert(reading->player_count <= INTENT_PLAYERS_MAX);
    *intent = (struct intent){.kind = INTENT_NONE};
    switch (reading->phase) {
    case PHASE_NOMINATION:
    case PHASE_EXECUTIVE:
        names_read(post, reading, intent, why);
        break;
    case PHASE_VOTING:
    case PHASE_VETO_CHANCELLOR:
    case PHASE_VETO_PRESIDENT:
        votes_read(post, reading, intent, why);
        break;
    case PHASE_DM_PRESIDENT:
    case PHASE_DM_CHANCELLOR:
        cards_read(post, reading, intent, why);
        break;
    case PHASE_DM_BALLOT:
        votes_read_ballot(post, reading, intent, why);
        break;
    }
}

const char *
intent_name(const struct intent *intent)
{
    switch (intent->kind) {
    case INTENT_NONE:
        return "none";
    case INTENT_VOTE:
        return "vote";
    case INTENT_NOMINATE:
        return "nominate";
    case INTENT_TARGET:
        return "target";
    case INTENT_VETO:
        return "veto";
    case INTENT_VETO_REPLY:
        return "veto_reply";
    case INTENT_PASS:
        return "pass";
    case INTENT_ENACT:
        return "enact";
    case INTENT_AMBIGUOUS:
        return "ambiguous";
    }
    return "none";
}

/* The letters of the cards that are passed on, fascist ones first. */
static void
add_passed(const struct intent *intent, const struct reading *reading,
           struct buf *value)
{
    for (const char *kind = "FL"; *kind != '\0'; kind++) {
        for (unsigned i = 0; reading->hand[i] != '\0'; i++) {
            if (i != intent->card && reading->hand[i] == *kind) {
                buf_add_char(value, *kind);
            }
        }
    }
}

bool
intent_value(const struct intent *intent, const struct reading *reading,
             struct buf *value)
{
    switch (intent->kind) {
    case INTENT_VOTE:
        buf_add_text(value, intent->yes ? "ja" : "nein");
        return true;
    case INTENT_NOMINATE:
    case INTENT_TARGET:
        buf_add_text(value, reading->players[intent->player].name);
        return true;
    case INTENT_VETO_REPLY:
        buf_add_text(value, intent->yes ? "approved" : "declined");
        return true;
    case INTENT_PASS:
        add_passed(intent, reading, value);
        return true;
    case INTENT_ENACT:
        buf_add_char(value, reading->hand[intent->card]);
        return true;
    case INTENT_NONE:
    case INTENT_VETO:
    case INTENT_AMBIGUOUS:
        break;
    }
    return false;
}

enum slip
intent_nearly(const struct rich *post, const struct reading *reading,
              unsigned *player)
{
    return reading->phase == PHASE_NOMINATION ||
                   reading->phase == PHASE_EXECUTIVE
               ? names_nearly(post, reading, player)
               : votes_nearly(post, reading);
}

bool
intent_guess(const struct rich *post, const struct reading *reading,
             struct intent *intent)
{
    bool names =
        reading->phase == PHASE_NOMINATION || reading->phase == PHASE_EXECUTIVE;

    return (names && names_guess(post, reading, intent)) ||
           (reading->phase == PHASE_VOTING &&
            votes_guess(post, reading, intent));
}

bool
intent_is_act_word(const struct reading *reading, const char *text)
{
    struct slice word = {text, strlen(text)};
    unsigned player = 0;

    return list_has(english_acts, word) || list_has(reading->voting, word) ||
           word_is_naming(reading, word) || votes_has(reading, word) ||
           intent_find_player(reading, text, word.len, &player);
}
