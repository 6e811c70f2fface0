/* What moderators have asked for in public, and what they are answered. */
#include <stdio.h>
#include <string.h>

#include "tests/sim/fault_people_inner.h"

enum {
    GIVEN_MAX = 1024,
    REQUESTS = 1024, /* their numbers are below that */
    WORDS_MAX = 8,
    ANSWERS_MAX = 32,
};

/* Commands that are answered in some of the same ways: pieces of the answers.
 * What the host announces and what it answers may overtake each other, so it
 * can't be told which of these an answer is to. */
struct answers {
    const char *words[WORDS_MAX + 1], *texts[ANSWERS_MAX + 1];
};

static const struct answers all_answers[] = {
    {{"!pause", "!extend", "!deadline"},
     {"game is paused", "deadline was moved by", "no deadline is",
      "give a time within"}},
    {{"!resume"}, {"The game goes on", "the game isn't paused"}},
    {{"!undo", "!void", "!count", "!vacate", "!replace", "!choose", "!yes"},
     {"would be undone",
      "We are back in round ",
      "nothing to take back",
      "somebody has left or taken a seat",
      "I don't know that post",
      "was misread and doesn't count",
      "post counts as",
      "no vote open right now",
      "already counted",
      "taken you out of the game",
      "seat is vacant",
      "seat is empty already",
      "has been executed",
      "somebody has to be left",
      "would take ",
      "! You take ",
      "has to agree first",
      "I don't know who",
      "would count as",
      "counts as",
      "I would draw ",
      "I draw lots for",
      "nobody is waiting for that",
      "several requests are open",
      "The game has been ended"}},
    {{"!warn"}, {"a warning from", "I don't know who"}},
    {{"!warnings"}, {"Warnings so far"}},
    {{"!block", "!unblock"},
     {"People who can't join", "can't join games here", "plays here",
      "I don't know anybody", "may join games here again", "is blocked"}},
    {{"!set"}, {" sets ", "it's like that already"}},
    {{"!moderator"},
     {"moderates this table too", "I don't know anybody with the id",
      "plays in this game"}},
    {{"!end"}, {"The game would end without"}},
};

enum {
    KINDS = sizeof all_answers / sizeof all_answers[0]
};

/* A command, and the post that answers it. */
struct given {
    unsigned who, table;
    unsigned number; /* of the request that it confirms; 0: none */
    unsigned answer; /* from 1; 0: none yet */
    const char *word;
    unsigned kind; /* of all_answers */
    bool undone;   /* before it was answered: what it did may never be told */
    char text[128];
};

static struct given given[GIVEN_MAX];
static unsigned given_count;
/* A post that answers a command: bits of those that it may answer. */
static uint64_t may_answer[GIVEN_MAX][GIVEN_MAX / 64];
static unsigned answer_count;
static unsigned askers[TABLES][REQUESTS]; /* moderators, from 1; 0: nobody */

static bool
is_new(const char *before, const char *text, const char *piece)
{
    return strstr(text, piece) != NULL && strstr(before, piece) == NULL;
}

/* Is it that command? */
static bool
is_command(const char *text, const char *word)
{
    size_t len = strlen(word);
    return strncmp(text, word, len) == 0 && strchr(" <\n", text[len]) != NULL;
}

/* What answers a command, and its word; KINDS: there is no such answer. */
static unsigned
kind_of(const char *command, const char **word)
{
    for (unsigned i = 0; i < KINDS; i++) {
        for (unsigned n = 0; all_answers[i].words[n] != NULL; n++) {
            *word = all_answers[i].words[n];
            if (is_command(command, *word)) {
                return i;
            }
        }
    }
    return KINDS;
}

void
commands_give(unsigned who, unsigned table, const char *text)
{
    const char *command = strchr(text, '!');
    const char *word = NULL;
    unsigned kind = command == NULL ? KINDS : kind_of(command, &word);
    if (kind == KINDS) {
        return;
    }
    if (given_count == GIVEN_MAX) {
        world_fail("too much is to be answered");
    }
    struct given *new = &given[given_count++];
    *new =
        (struct given){.who = who, .table = table, .word = word, .kind = kind};
    new->number = people_number(command, "!yes ");
    (void)snprintf(new->text, sizeof new->text, "%.*s",
                   (int)strcspn(command, "<\n"), command);
}

/* A moderator whom a message addresses; PEOPLE + MODERATORS: none. */
static unsigned
addressed(const char *text)
{
    unsigned who = 0;
    while (who < MODERATORS &&
           (strncmp(text, moderators[who], strlen(moderators[who])) != 0 ||
            text[strlen(moderators[who])] != ',')) {
        who++;
    }
    return PEOPLE + who;
}

unsigned
commands_asker(unsigned table, unsigned number)
{
    unsigned asker = number < REQUESTS ? askers[table][number] : 0;
    return asker == 0 ? PEOPLE : asker - 1;
}

/* What a post says, as far as it may be an answer. */
struct saying {
    const char *before, *text;
    unsigned to;       /* a moderator; PEOPLE + MODERATORS: none */
    unsigned kinds;    /* bits of all_answers */
    bool not_theirs;   /* "that was somebody else's request" */
    bool no_request;   /* … or there is none */
    bool late, nobody; /* it can't be done right now; no table is open */
};

static void
listen(const char *before, const char *text, struct saying *saying)
{
    *saying = (struct saying){.before = before, .text = text};
    saying->to = addressed(text);
    for (unsigned i = 0; i < KINDS; i++) {
        bool found = false;
        for (unsigned n = 0; !found && all_answers[i].texts[n] != NULL; n++) {
            found = is_new(before, text, all_answers[i].texts[n]);
        }
        saying->kinds |= (unsigned)found << i;
    }
    saying->not_theirs =
        is_new(before, text, "that was somebody else's request");
    saying->no_request = is_new(before, text, "no request with that number");
    saying->late = is_new(before, text, "can't be done right now");
    saying->nobody = is_new(before, text, "no table is open here");
}

/* What is set, and who is blocked, is told by its name. */
static bool
is_about_another(const struct given *command, const struct saying *saying)
{
    static const char *const words[] = {"!set ", "!block ", "!unblock "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i]);
        if (strncmp(command->text, words[i], len) == 0) {
            char about[160];
            const char *name = command->text + len;
            (void)snprintf(about, sizeof about, "%.*s", (int)strcspn(name, "="),
                           name);
            return (saying->kinds >> command->kind & 1) != 0 &&
                   strstr(saying->text, "like that already") == NULL &&
                   strstr(saying->text, about) == NULL;
        }
    }
    return false;
}

/* May it be the answer to a command? */
static bool
answers(const struct given *command, const struct saying *saying)
{
    unsigned asker = commands_asker(command->table, command->number);
    bool confirms = command->number != 0;
    bool own = !confirms || asker == command->who;
    char late[64];
    bool found =
        saying->nobody || (own && (saying->kinds >> command->kind & 1) != 0) ||
        (confirms && saying->no_request) || (!own && saying->not_theirs);
    if (!found && saying->late) {
        (void)snprintf(late, sizeof late, "“%s” can't", command->word);
        found = strstr(saying->text, late) != NULL;
    }
    return found && !is_about_another(command, saying) &&
           (saying->to == PEOPLE + MODERATORS || saying->to == command->who);
}

/* Find a command for an answer: the first for which there is none, or whose
 * answer may be another's.  `seen`: bits of those that were tried; `undone`:
 * one that was undone will do. */
static bool
assign(unsigned answer, bool undone, uint64_t *seen)
{
    for (unsigned i = 0; i < given_count; i++) {
        uint64_t bit = UINT64_C(1) << i % 64;
        if ((may_answer[answer][i / 64] & ~seen[i / 64] & bit) == 0) {
            continue;
        }
        seen[i / 64] |= bit;
        bool is_open = given[i].answer == 0 && (undone || !given[i].undone);
        if (is_open || (given[i].answer != 0 &&
                        assign(given[i].answer - 1, undone, seen))) {
            given[i].answer = answer + 1;
            return true;
        }
    }
    return false;
}

static bool
find_command(unsigned answer)
{
    uint64_t seen[GIVEN_MAX / 64] = {0};
    uint64_t seen_again[GIVEN_MAX / 64] = {0};
    return assign(answer, false, seen) || assign(answer, true, seen_again);
}

/* A moderator has taken moves back, or somebody has given too many commands at
 * once: of those that were not told yet nothing is told any more. */
static void
note_undone(unsigned table, const char *before, const char *text)
{
    bool undone = is_new(before, text, "We are back in round ") ||
                  is_new(before, text, "that's a lot at once");
    for (unsigned i = 0; undone && i < given_count; i++) {
        given[i].undone = given[i].undone ||
                          (given[i].table == table && given[i].answer == 0);
    }
}

void
commands_read(unsigned table, const char *before, const char *text)
{
    unsigned number = people_number(text, "To go ahead, post !yes ");
    if (number != 0 && number < REQUESTS &&
        addressed(text) < PEOPLE + MODERATORS) {
        askers[table][number] = addressed(text) + 1;
    }
    if (answer_count == GIVEN_MAX) {
        return;
    }
    memset(may_answer[answer_count], 0, sizeof may_answer[answer_count]);
    struct saying saying;
    listen(before, text, &saying);
    for (unsigned i = 0; i < given_count; i++) {
        bool may = given[i].table == table && answers(&given[i], &saying);
        may_answer[answer_count][i / 64] |= (uint64_t)may << i % 64;
    }
    answer_count += find_command(answer_count);
    note_undone(table, before, text);
}

void
commands_show(unsigned who, unsigned table, const char *command,
              const char *text)
{
    unsigned number = people_number(text, "To go ahead, post !yes ");
    const char *word = NULL;
    unsigned kind = kind_of(command, &word);
    struct saying saying;
    if (number != 0 && number < REQUESTS) {
        askers[table][number] = who + 1;
    }
    listen("", text, &saying);
    /* The answer to what waits for its turn follows. */
    bool done = strncmp(text, "Done", 4) == 0 || strncmp(text, "You", 3) == 0 ||
                strncmp(text, "Table", 5) == 0 ||
                strncmp(text, "Noted", 5) == 0 ||
                strncmp(text, "I was", 5) == 0;
    if (kind != KINDS && (saying.kinds >> kind & 1) == 0 && !saying.late &&
        !saying.nobody && !done) {
        world_fail("%s is shown for “%s”: %s", people_name(who), command, text);
    }
}

/* Posts are read in their order, and nothing is answered where a game is over:
 * if one was, each before it was. */
void
fault_commands_check(void)
{
    unsigned last[TABLES] = {0};
    for (unsigned i = 0; i < given_count; i++) {
        last[given[i].table] = given[i].answer != 0 ? i : last[given[i].table];
    }
    for (unsigned i = 0; i < given_count; i++) {
        /* Nobody can be answered in a thread that is gone for good. */
        bool gone = !fault_people_can_be_told(given[i].table);
        if (given[i].answer == 0 && i < last[given[i].table] && !gone &&
            !given[i].undone) {
            world_fail("%s has no answer to “%s”", people_name(given[i].who),
                       given[i].text);
        }
    }
}
