/* What Mo and Zoe, who moderate, do: all that a moderator may. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"

enum {
    YES_IN = 5, /* all but one in so many is meant after all */
};

static unsigned
dice(enum fault_kind kind, unsigned bound)
{
    return world_dice(kind, bound);
}

/* The two of them, if there are two. */
static unsigned
other_moderator(unsigned who)
{
    return world.plan->two_moderators ? MO + ZOE - who : who;
}

/* What the other asks for at the same moment: the same, or what may go badly
 * with it. */
static void
give_another(unsigned who, unsigned table, int64_t after, const char *command)
{
    static const char *const others[] = {"!pause lunch", "!resume",
                                         "!extend 3h", "!set style=full",
                                         "!warnings"};
    enum {
        OTHERS = sizeof others / sizeof others[0]
    };
    unsigned which = dice(FAULT_TOGETHER, 2 * OTHERS);
    if (which < OTHERS) {
        command = others[which];
    }
    if (strncmp(command, "!pause", 6) == 0) {
        crowd.tables[table].paused_at = world.now + after;
    }
    people_plan_command(who, table, after, "%s", command);
}

/* One of them gives a command, and at times both do. */
static void give(unsigned table, int64_t after, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void
give(unsigned table, int64_t after, const char *format, ...)
{
    char command[256];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(command, sizeof command, format, values);
    va_end(values);
    unsigned who = dice(FAULT_TOGETHER, 2) == 0 ? MO : other_moderator(MO);
    unsigned other = other_moderator(who);
    people_plan_command(who, table, after, "%s", command);
    if (other != who && world_strikes(FAULT_TOGETHER)) {
        give_another(other, table, after, command);
    }
}

/* Somebody at a table, by chance. */
static unsigned
somebody(unsigned table, enum fault_kind kind)
{
    const struct table_there *there = &crowd.tables[table];
    return there->seats[dice(kind, there->players)];
}

/* The address of a post, as people copy it. */
static void
copy_link(uint64_t post, char *link, size_t size)
{
    struct buf text = BUF_INIT;
    people_service()->link(world.people.server, post, &text);
    (void)snprintf(link, size, "%s", buf_text(&text));
    buf_release(&text);
}

/* A vote of this round, by chance; false: there is none. */
static bool
find_vote(unsigned table, enum fault_kind kind, unsigned *who, char *link,
          size_t size)
{
    const struct table_there *there = &crowd.tables[table];
    *who = somebody(table, kind);
    if (there->votes[*who].post == 0 ||
        there->votes[*who].round != there->rounds) {
        return false;
    }
    copy_link(there->votes[*who].post, link, size);
    return true;
}

/* ---- time, and what changes nothing ----------------------------------------
 */

static void
keep_time(unsigned table)
{
    static const char *const commands[] = {
        "!pause tea", "!resume", "!extend 2h", "!status", "!history", "!help"};
    enum {
        COMMANDS = sizeof commands / sizeof commands[0]
    };
    struct table_there *there = &crowd.tables[table];
    bool resumes =
        there->paused_at != 0 &&
        (!world.spoiled || world.now > there->paused_at + 20 * MINUTE_MS);
    if (!resumes && (world.tally.count[FAULT_MODERATION] >= ASKED_MAX ||
                     !world_strikes(FAULT_MODERATION))) {
        return;
    }
    unsigned which = resumes ? 1 : dice(FAULT_MODERATION, COMMANDS);
    there->paused_at = which == 0   ? world.now
                       : which == 1 ? 0
                                    : there->paused_at;
    give(table, 0, "%s", commands[which]);
}

/* A day of the week that is three days off. */
static const char *
day_to_come(void)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun",
                                       "Mon", "Tue", "Wed"};
    return days[(world.now / DAY_MS + 3) % 7];
}

/* A second moderator, who has posted there and does not play. */
static void
name_moderator(unsigned table)
{
    struct buf id = BUF_INIT;
    people_service()->user(world.people.server, "Zoe", &id);
    give(table, 0, "!moderator %s", buf_text(&id));
    buf_release(&id);
}

/* Somebody shows Mo what another has written, in their DM. */
static void
flag(unsigned table)
{
    char link[256];
    unsigned who = 0;
    unsigned other = somebody(table, FAULT_ORDER);
    if (find_vote(table, FAULT_ORDER, &who, link, sizeof link) &&
        who != other && (crowd.told & 1U << other) != 0) {
        people_plan_private(other, table, people_delay(other),
                            "!flag %s that went too far", link);
    }
}

/* Warnings, who may join, settings, more time, questions. */
static void
keep_order(unsigned table)
{
    const char *name = people[somebody(table, FAULT_ORDER)];
    switch (dice(FAULT_ORDER, 11)) {
    case 0:
        give(table, 0, "!warn %s no insults here", name);
        break;
    case 1:
        give(table, 0, "!warnings");
        break;
    case 2:
        give(table, 0, "!block Zoe");
        give(table, HOUR_MS, "!unblock Zoe");
        break;
    case 3:
        give(table, 0, "!block %s", name); /* refused */
        break;
    case 4:
        give(table, 0, "!set reminders=6h,1h");
        break;
    case 5:
        give(table, 0, "!set claims=off");
        break;
    case 6:
        give(table, 0, "!deadline \"%s 21:00\"", day_to_come());
        break;
    case 7:
        give(table, 0, "!set prod=36h");
        break;
    case 8:
        name_moderator(table);
        break;
    case 9:
        flag(table);
        break;
    default:
        give(table, 0, "!block");
        break;
    }
}

/* ---- what was played ------------------------------------------------------
 */

static void
undo(unsigned table)
{
    char link[256];
    unsigned who = 0;
    if (dice(FAULT_UNDO, 2) == 0 &&
        find_vote(table, FAULT_UNDO, &who, link, sizeof link)) {
        give(table, 0, "!undo %s", link);
    } else {
        give(table, 0, "!undo");
    }
}

/* A vote is taken back, and at times it counts after all. */
static void
void_vote(unsigned table)
{
    char link[256];
    unsigned who = 0;
    if (!find_vote(table, FAULT_VOID, &who, link, sizeof link)) {
        return;
    }
    bool ja = fault_people_vote(table, crowd.tables[table].rounds, who);
    give(table, 0, "!void %s", link);
    if (dice(FAULT_VOID, 2) == 0) {
        give(table, dice(FAULT_VOID, 2 * MINUTE_MS), "!count %s %s", link,
             ja ? "ja" : "nein");
    }
}

static unsigned
worth(const void *context, const char *name)
{
    const unsigned *salt = context;
    unsigned who = people_find(name);
    return 1 + (unsigned)(world_hash(FOR_MO, *salt, who, 0) % 1000);
}

/* Mo chooses for somebody who is asked for a name, or lets lots do it. */
static void
choose(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    const struct task *open = &there->open;
    unsigned salt = dice(FAULT_CHOOSE, 1000);
    bool names = open->kind == TASK_NOMINEE;
    bool cards = open->kind == TASK_SESSION && there->holder != PEOPLE;
    if (cards || (open->kind == TASK_TARGET && salt % 2 == 0)) {
        give(table, 0, "!choose %s lots",
             cards ? people[there->holder] : open->who);
    } else if (names || open->kind == TASK_TARGET) {
        char chosen[64];
        player_choose(open->list, worth, &salt, chosen);
        give(table, 0, "!choose %s %s %s", open->who,
             names ? "nominate" : "target", chosen);
    }
}

/* ---- seats ----------------------------------------------------------------
 */

/* Somebody who does not play, and has not; PEOPLE: nobody is left. */
static unsigned
find_spare(void)
{
    unsigned who = 0;
    bool taken = true;
    while (taken && who < PEOPLE) {
        taken = (crowd.left & 1U << who) != 0;
        for (unsigned i = 0; i < world.plan->tables; i++) {
            taken = taken || people_sit(i, who);
        }
        who += taken ? 1 : 0;
    }
    return who;
}

static void
replace(unsigned table)
{
    unsigned spare = find_spare();
    unsigned old = somebody(table, FAULT_REPLACE);
    if (spare == PEOPLE) {
        return;
    }
    crowd.left |= 1U << spare | 1U << old;
    people_plan_command(spare, table, SECOND_MS, "!reserve");
    if (dice(FAULT_REPLACE, 2) == 0) {
        people_plan_command(old, table, SECOND_MS, "!leave");
    }
    give(table, 2 * MINUTE_MS, "!replace %s with %s", people[old],
         people[spare]);
}

static void
vacate(unsigned table)
{
    struct table_there *there = &crowd.tables[table];
    unsigned who = somebody(table, FAULT_VACATE);
    if (there->vacant == PEOPLE) {
        there->put_out |= 1U << who;
        give(table, 0, "!vacate %s", people[who]);
    }
}

/* Who is named before a phrase that a message has, and had not before; PEOPLE:
 * nobody, or it has not. */
static unsigned
named_before(const char *before, const char *text, const char *phrase)
{
    char out[64];
    const char *at = strstr(text, phrase);
    if (at == NULL || strstr(before, phrase) != NULL) {
        return PEOPLE;
    }
    const char *name = at;
    while (name > text && name[-1] != ' ' && name[-1] != '\n') {
        name--;
    }
    (void)snprintf(out, sizeof out, "%.*s", (int)(at - name), name);
    return people_find(out);
}

static bool
will_join(unsigned who)
{
    unsigned i = 0;
    while (i < crowd.act_count &&
           (crowd.acts[i].who != who ||
            strstr(crowd.acts[i].text, "!join") == NULL)) {
        i++;
    }
    return i < crowd.act_count;
}

/* Whoever was put out comes back, or somebody else takes the seat. */
static void
read_vacant(unsigned table, const char *before, const char *text)
{
    unsigned hinted = named_before(before, text, ", your seat is empty: ");
    unsigned who = named_before(before, text,
                                ", a moderator has taken you out of the game");
    if (hinted != PEOPLE && !will_join(hinted)) {
        people_plan_command(hinted, table, people_delay(hinted), "!join");
    }
    if (who == PEOPLE) {
        return;
    }
    unsigned spare = dice(FAULT_VACATE, 3) == 0 ? find_spare() : PEOPLE;
    crowd.tables[table].vacant = who;
    crowd.left |= spare == PEOPLE ? 0 : 1U << spare | 1U << who;
    unsigned comes = spare == PEOPLE ? who : spare;
    people_plan_command(comes, table, people_delay(comes) + 2 * MINUTE_MS,
                        "!join");
}

/* ---- what the host asks ---------------------------------------------------
 */

/* What Mo does for somebody counts in the round in which the host says so. */
static void
note_what_mo_does(unsigned table, const char *before, const char *text)
{
    struct table_there *there = &crowd.tables[table];
    unsigned chosen = named_before(before, text, " would count as ");
    unsigned voter = named_before(before, text, "'s post counts as ");
    if (there->rounds >= ROUNDS_MAX) {
        return;
    }
    if (chosen != PEOPLE) {
        people_note_choice(table, there->rounds, ASKED_NOMINEE, chosen);
        people_note_choice(table, there->rounds, ASKED_TARGET, chosen);
    }
    if (voter != PEOPLE) {
        there->counted[there->rounds] |= 1U << voter;
    }
    if (strstr(text, "I would draw ") != NULL) {
        there->lots[there->rounds] = ~0U;
    }
}

/* Who has asked says that it is meant; at times the other moderator does, too,
 * or no one. */
static void
confirm_request(unsigned table, unsigned number)
{
    unsigned asker = commands_asker(table, number);
    unsigned other = other_moderator(asker);
    int64_t after = SECOND_MS + dice(FAULT_MODERATION, MINUTE_MS);
    if (dice(FAULT_MODERATION, YES_IN) > 0) {
        people_plan_command(asker, table, after, "!yes %u", number);
    }
    if (other != asker && world_strikes(FAULT_TOGETHER)) {
        people_plan_command(other, table, after, "!yes %u", number);
    }
}

void
moderator_read(unsigned table, const char *before, const char *text)
{
    static const char confirm[] = "To go ahead, post !yes ";
    unsigned number = people_number(text, confirm);
    if (number != 0 && strstr(before, confirm) == NULL) {
        confirm_request(table, number);
    }
    note_what_mo_does(table, before, text);
    read_vacant(table, before, text);
    /* Mo's commands may be read in another order; and of what a copy of the
     * store says most may be there already. */
    static const char *const paused[] = {"The game is paused",
                                         "the game is paused, so no deadline"};
    for (size_t i = 0; i < sizeof paused / sizeof paused[0]; i++) {
        if (strstr(text, paused[i]) != NULL &&
            strstr(before, paused[i]) == NULL) {
            crowd.tables[table].paused_at = world.now;
        }
    }
}

/* In private the table is named where there are several. */
static void
plan_alone(unsigned table, const char *command)
{
    if (world.plan->tables > 1) {
        people_plan_private(MO, table, 2 * MINUTE_MS, "#%u %s", table + 1,
                            command);
    } else {
        people_plan_private(MO, table, 2 * MINUTE_MS, "%s", command);
    }
}

/* A game can't go on, and Mo is told how to end it; and is asked whether that
 * is meant, and perhaps to say it once more.  A thread that can't be found may
 * come back. */
static void
read_alarm(const char *before, const char *text)
{
    static const char confirm[] = "To go ahead, post !yes ";
    unsigned table = world.plan->tables - 1; /* where rooms change */
    unsigned number = people_number(text, confirm);
    char yes[32];
    bool gone = strstr(text, "can't find the game's thread") != NULL;
    bool ends = strstr(text, "end it in a private message") != NULL ||
                strstr(text, "give the command again") != NULL;
    (void)snprintf(yes, sizeof yes, "!yes %u", number);
    if (gone && !fault_places_is_gone(crowd.tables[table].topic)) {
        crowd.missed = true;
        return;
    }
    if (ends && *before == '\0') {
        plan_alone(table, "!end");
    } else if (number != 0 && strstr(before, confirm) == NULL) {
        plan_alone(table, yes);
    }
}

/* Somebody asks Mo something. */
void
moderator_read_private(unsigned who, const char *before, const char *text)
{
    if (who == MO) {
        read_alarm(before, text); /* so that there is always somebody */
    }
    unsigned asks =
        named_before(before, text, " has a question for the moderators");
    unsigned flags = named_before(before, text, " has flagged a post by ");
    unsigned from = asks != PEOPLE ? asks : flags;
    unsigned table = people_number(text, "Table ");
    if (from != PEOPLE && table != 0 && table <= world.plan->tables) {
        people_plan_private(who, table - 1, MINUTE_MS, "!answer %s as you like",
                            people[from]);
    }
}

/* It did come back when Mo was told, and is gone for good now. */
static void
end_what_is_gone(void)
{
    unsigned table = world.plan->tables - 1;
    if (crowd.missed && fault_places_is_gone(crowd.tables[table].topic)) {
        crowd.missed = false;
        plan_alone(table, "!end");
    }
}

void
moderator_act(void)
{
    static const struct {
        enum fault_kind kind;
        void (*act)(unsigned table);
    } deeds[] = {{FAULT_UNDO, undo},       {FAULT_VOID, void_vote},
                 {FAULT_REPLACE, replace}, {FAULT_VACATE, vacate},
                 {FAULT_CHOOSE, choose},   {FAULT_ORDER, keep_order}};
    end_what_is_gone();
    for (unsigned i = 0; i < world.plan->tables; i++) {
        const struct table_there *there = &crowd.tables[i];
        if (there->topic == 0 || there->over || there->rounds == 0) {
            continue;
        }
        world_about("moderates", "", i, there->rounds);
        keep_time(i);
        for (size_t deed = 0; deed < sizeof deeds / sizeof deeds[0]; deed++) {
            if (world.tally.count[deeds[deed].kind] < ASKED_MAX &&
                world_strikes(deeds[deed].kind)) {
                deeds[deed].act(i);
            }
        }
        if (world_strikes(FAULT_END)) {
            give(i, 0, "!end");
        }
    }
}
