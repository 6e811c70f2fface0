#include "tests/support/player.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

const struct phrases phrases_english = {
    .candidate = " is up for President",
    .possible = "You can choose ",
    .or = " or ",
    .names = " nominates ",
    .as = " as Chancellor",
    .secret = "This vote is secret",
    .session = "Not a word here from either of you",
    .veto = "do you agree?",
    .powers = {", you must investigate someone",
               ", you must choose the next candidate",
               ", you must execute someone"},
    .executes = " executes ",
    .voted = " have voted",
    .ends = {"The Liberals win", "The Fascists win"},
    .show = "Please post this word",
    .hitler = "You are Hitler",
    .hand = "you're President, and your cards are below",
    .handed = "two cards are below",
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
player_between(const char *text, const char *before, const char *behind,
               char *out, size_t size)
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
read_vote(const char *text, const struct phrases *phrases, struct task *task)
{
    bool secret = strstr(text, phrases->secret) != NULL;

    task->kind = secret ? TASK_SECRETLY : TASK_VOTE;
    name_before(text, phrases->names, task->president, sizeof(task->president));
    player_between(text, phrases->names, phrases->as, task->chancellor,
                   sizeof(task->chancellor));
    if (task->chancellor[0] == '\0') {
        task->kind = TASK_NOTHING;
    }
}

/* Is somebody to use a power? */
static bool
read_power(const char *text, const struct phrases *phrases, struct task *task)
{
    for (size_t i = 0; i < sizeof(phrases->powers) / sizeof(phrases->powers[0]);
         i++) {
        name_before(text, phrases->powers[i], task->who, sizeof(task->who));
        if (task->who[0] != '\0') {
            task->kind = task->list[0] == '\0' ? TASK_NOTHING : TASK_TARGET;
            return true;
        }
    }
    return false;
}

static void
read_candidate(const char *text, const struct phrases *phrases,
               struct task *task)
{
    task->kind = task->list[0] == '\0' ? TASK_NOTHING : TASK_NOMINEE;
    name_before(text, phrases->candidate, task->who, sizeof(task->who));
}

/* The names of a choice, "A, B or C", as "A, B, C". */
static void
read_list(const char *text, const struct phrases *phrases, struct task *task)
{
    char *last = NULL;

    player_between(text, phrases->possible, ".", task->list,
                   sizeof(task->list));
    last = strstr(task->list, phrases->or);
    if (last != NULL) {
        const char *name = last + strlen(phrases->or);

        last[0] = ',';
        last[1] = ' ';
        memmove(last + 2, name, strlen(name) + 1);
    }
}

void
player_read(const char *text, const struct phrases *phrases, struct task *task)
{
    memset(task, 0, sizeof(*task));
    player_between(text, phrases->executes, ".", task->executed,
                   sizeof(task->executed));
    read_list(text, phrases, task);
    if (read_power(text, phrases, task)) {
        return;
    }
    if (strstr(text, phrases->ends[0]) != NULL ||
        strstr(text, phrases->ends[1]) != NULL) {
        task->kind = TASK_OVER;
    } else if (strstr(text, phrases->veto) != NULL) {
        task->kind = TASK_VETO;
    } else if (strstr(text, phrases->names) != NULL) {
        read_vote(text, phrases, task);
    } else if (strstr(text, phrases->candidate) != NULL) {
        read_candidate(text, phrases, task);
    } else if (strstr(text, phrases->session) != NULL) {
        task->kind = TASK_SESSION;
    }
}

/* The number of the first card of that party in "1 Fascist\n2 Liberal"; 1 where
 * there is none. */
static unsigned
find_card(const char *text, const char *party)
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

/* Gone are liberal cards, as long as there are any. */
void
player_read_private(const char *text, const struct phrases *phrases,
                    struct task *task)
{
    bool two = strstr(text, "\n1 ") != NULL && strstr(text, "\n2 ") != NULL;
    bool three = two && strstr(text, "\n3 ") != NULL;

    memset(task, 0, sizeof(*task));
    if (strstr(text, phrases->show) != NULL) {
        task->kind = TASK_WORD;
        snprintf(task->answer, sizeof(task->answer), "%s",
                 strrchr(text, ' ') + 1); /* it stands last */
        task->answer[strcspn(task->answer, "\n")] = '\0';
    } else if (three && strstr(text, phrases->hand) != NULL) {
        task->kind = TASK_DISCARD;
        snprintf(task->answer, sizeof(task->answer), "%s %u", phrases->discard,
                 find_card(text, phrases->liberal));
    } else if (two && strstr(text, phrases->handed) != NULL) {
        task->kind = TASK_ENACT;
        snprintf(task->answer, sizeof(task->answer), "%s %u", phrases->enact,
                 find_card(text, phrases->fascist));
    } else if (strstr(text, phrases->ballot) != NULL) {
        task->kind = TASK_BALLOT;
    }
}

void
player_choose(const char *list,
              unsigned (*worth)(const void *context, const char *name),
              const void *context, char chosen[64])
{
    char names[1024];
    char *save = NULL;
    unsigned most = 0;

    snprintf(names, sizeof(names), "%s", list);
    for (char *each = strtok_r(names, ",", &save); each != NULL;
         each = strtok_r(NULL, ",", &save)) {
        const char *name = each + strspn(each, " ");

        if (worth(context, name) > most) {
            most = worth(context, name);
            snprintf(chosen, 64, "%s", name);
        }
    }
    ck_assert_msg(most > 0, "nobody to choose: %s", list);
}
