#include "tests/live/cue.h"

#include <stdio.h>
#include <string.h>

const struct tongue tongue_english = {
    .candidate = "Candidate for president: ",
    .possible = "Possible: ",
    .shall = "shall President ",
    .with = " and Chancellor ",
    .govern = " govern?",
    .secret = "This vote is secret",
    .session = "is in session",
    .veto = "do you agree to the veto?",
    .powers = {" must investigate one player",
               " must choose the next candidate", " must execute one player"},
    .executes = " executes ",
    .voted = " have voted",
    .ends = {"The Liberals win", "The Fascists win"},
    .show = "Post this word in bold",
    .hitler = "You are Hitler",
    .hand = "you are President; your cards are below",
    .handed = "hands you two cards",
    .ballot = "Answer with one word",
    .liberal = "Liberal",
    .fascist = "Fascist",
    .discard = "discard",
    .enact = "enact",
    .ja = {"Ja!", "Ja!", "Ja!"},
    .nein = {"Nein!", "Nein!", "Nein!"},
    .declined = "Declined",
};

void
cue_between(const char *text, const char *before, const char *behind, char *out,
            size_t size)
{
    const char *from = strstr(text, before);
    const char *to =
        from == NULL ? NULL : strstr(from + strlen(before), behind);

    out[0] = '\0';
    if (to != NULL) {
        from += strlen(before);
        snprintf(out, size, "%.*s", (int)(to - from), from);
    }
}

/* The name before a text, and before what is said of it in brackets; "" where
 * that is not there. */
static void
name_before(const char *text, const char *behind, char *out, size_t size)
{
    const char *end = strstr(text, behind);
    const char *start = end;

    out[0] = '\0';
    if (end == NULL) {
        return;
    }
    if (end > text && end[-1] == ')') {
        while (end > text && strncmp(end, " (", 2) != 0) {
            end--;
        }
        start = end;
    }
    while (start > text && start[-1] != ' ' && start[-1] != '\n') {
        start--;
    }
    snprintf(out, size, "%.*s", (int)(end - start), start);
}

static void
read_vote(const char *text, const struct tongue *tongue, struct cue *cue)
{
    cue->kind = strstr(text, tongue->secret) == NULL ? CUE_VOTE : CUE_SECRET;
    cue_between(text, tongue->shall, tongue->with, cue->president,
                sizeof(cue->president));
    cue_between(text, tongue->with, tongue->govern, cue->chancellor,
                sizeof(cue->chancellor));
}

void
cue_read(const char *text, const struct tongue *tongue, struct cue *cue)
{
    memset(cue, 0, sizeof(*cue));
    cue_between(text, tongue->executes, ".", cue->executed,
                sizeof(cue->executed));
    cue_between(text, tongue->possible, ".", cue->list, sizeof(cue->list));
    for (size_t i = 0; i < sizeof(tongue->powers) / sizeof(tongue->powers[0]);
         i++) {
        name_before(text, tongue->powers[i], cue->who, sizeof(cue->who));
        if (cue->who[0] != '\0') {
            cue->kind = CUE_POWER;
            return;
        }
    }
    if (strstr(text, tongue->ends[0]) != NULL ||
        strstr(text, tongue->ends[1]) != NULL) {
        cue->kind = CUE_OVER;
    } else if (strstr(text, tongue->veto) != NULL) {
        cue->kind = CUE_VETO;
    } else if (strstr(text, tongue->shall) != NULL) {
        read_vote(text, tongue, cue);
    } else if (strstr(text, tongue->candidate) != NULL) {
        cue->kind = CUE_ROUND;
        cue_between(text, tongue->candidate, ".", cue->who, sizeof(cue->who));
        cue->who[strcspn(cue->who, "(")] = '\0';
        if (cue->who[0] != '\0' && cue->who[strlen(cue->who) - 1] == ' ') {
            cue->who[strlen(cue->who) - 1] = '\0'; /* a seat that is vacant */
        }
    } else if (strstr(text, tongue->session) != NULL) {
        cue->kind = CUE_SESSION;
    }
}

enum cue_private
cue_private(const char *text, const struct tongue *tongue)
{
    if (strstr(text, tongue->show) != NULL) {
        return PRIVATE_WORD;
    }
    if (strstr(text, tongue->hand) != NULL) {
        return PRIVATE_DISCARD;
    }
    if (strstr(text, tongue->handed) != NULL) {
        return PRIVATE_ENACT;
    }
    return strstr(text, tongue->ballot) != NULL ? PRIVATE_BALLOT : PRIVATE_NONE;
}

unsigned
cue_card(const char *text, const char *party)
{
    for (unsigned number = 1; number <= 3; number++) {
        char card[32];

        snprintf(card, sizeof(card), "\n%u %s", number, party);
        if (strstr(text, card) != NULL) {
            return number;
        }
    }
    return 1;
}
