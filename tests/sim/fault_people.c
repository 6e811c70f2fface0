#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"
#include "tests/sim/fault_twins.h"
#include "tests/support/fake_matrix.h"

enum {
    SHARED = 2,     /* sit at both tables */
    TRIES_MAX = 20, /* to take back what was not counted yet */
    LAZY_IN = 12,   /* one in so many stays away */
    SLOW_STEP_MS = 40 * 60000,
    NO_THREAD_MS = 20 * 60000, /* so long people wait for a table's thread */
    BURST_MS = 2000,
    TOGETHER_MS = 10 * 60000,
};

struct crowd crowd;

const struct fake_service *
people_service(void)
{
    return world.people.service;
}

const char *
people_name(unsigned who)
{
    return who < PEOPLE ? people[who] : moderators[who - PEOPLE];
}

bool
fault_people_vote(unsigned table, unsigned round, unsigned who)
{
    return world_hash(FOR_VOTE, table, round, who) % 3 != 0;
}

bool
fault_people_skip(unsigned table, unsigned round, enum question_asked asked,
                  unsigned who)
{
    bool cards = asked == ASKED_DISCARD || asked == ASKED_ENACT;
    return world.plan->lazy && !(cards && world.plan->twin != 0) &&
           world_hash(FOR_SKIP + (unsigned)asked, table, round, who) %
                   LAZY_IN ==
               0;
}

int64_t
fault_people_asked(unsigned table, unsigned round, enum question_asked asked)
{
    return round < ROUNDS_MAX ? crowd.tables[table].asked[round][asked] : 0;
}

void
people_note_choice(unsigned table, unsigned round, enum question_asked asked,
                   unsigned chosen)
{
    if (round < ROUNDS_MAX) {
        crowd.tables[table].chosen[round][asked] |= 1U << chosen;
    }
}

bool
fault_people_chose(unsigned table, unsigned round, enum question_asked asked,
                   unsigned choices)
{
    return round < ROUNDS_MAX &&
           (crowd.tables[table].chosen[round][asked] & choices) != 0;
}

bool
fault_people_drew_lots(unsigned table, unsigned round,
                       enum question_asked asked)
{
    return round < ROUNDS_MAX &&
           (crowd.tables[table].lots[round] & 1U << asked) != 0;
}

bool
fault_people_may_vote(unsigned table, unsigned round, unsigned who, bool ja)
{
    bool counted = round < ROUNDS_MAX &&
                   (crowd.tables[table].counted[round] & 1U << who) != 0;
    bool may = counted || fault_people_vote(table, round, who) == ja;
    for (unsigned other = 0; !may && other < ROUNDS_MAX; other++) {
        bool mixed = round < ROUNDS_MAX &&
                     (crowd.tables[table].mixed[round] >> other & 1) != 0;
        may = mixed && fault_people_vote(table, other, who) == ja;
    }
    return may;
}

bool
fault_people_was_voided(unsigned table, unsigned round, unsigned who)
{
    return round < ROUNDS_MAX &&
           (crowd.tables[table].voided[round] & 1U << who) != 0;
}

bool
fault_people_put_out(unsigned table, unsigned who)
{
    return (crowd.tables[table].put_out & 1U << who) != 0;
}

bool
fault_people_begun(void)
{
    return crowd.heard > WORLD_START;
}

unsigned
fault_people_asked_for(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        count += crowd.tables[i].asked_for || crowd.tables[i].topic != 0;
    }
    return count;
}

unsigned
fault_people_rounds(void)
{
    unsigned rounds = 0;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        rounds += crowd.tables[i].rounds;
    }
    return rounds;
}

bool
fault_people_have_cards(void)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        if (crowd.tables[i].rounds == 0) {
            return false;
        }
    }
    return true;
}

int64_t
fault_people_heard(void)
{
    return crowd.heard;
}

/* ---- what they will do ----------------------------------------------------
 */

/* How long somebody takes. */
int64_t
people_delay(unsigned who)
{
    uint64_t chance = world_next(FOR_DELAY, who, fault_people_rounds());
    int64_t step = world.plan->pace == PACE_SLOW ? SLOW_STEP_MS : MINUTE_MS;
    int64_t most = chance % 8 == 0 ? 10 * step : step;
    int64_t then = SECOND_MS + (int64_t)((chance >> 8) % (uint64_t)most);
    if (world.plan->pace == PACE_QUICK) {
        return then;
    }
    int64_t at = (world.now + then) / MINUTE_MS * MINUTE_MS + MINUTE_MS;
    return at + (int64_t)((chance >> 40) % BURST_MS) - world.now;
}

struct act *
people_plan(unsigned who, unsigned table, uint64_t topic, int64_t after)
{
    struct act *act = &crowd.acts[crowd.act_count++];
    if (crowd.act_count == ACTS_MAX) {
        world_fail("too much is to be done");
    }
    memset(act, 0, sizeof *act);
    act->at = world.now + after;
    act->who = who;
    act->table = table;
    act->round = crowd.tables[table].rounds;
    act->topic = topic;
    return act;
}

struct act *
people_plan_post(unsigned who, unsigned table, int64_t after, const char *way,
                 const char *word, const char *name)
{
    struct act *act = people_plan(who, table, crowd.tables[table].topic, after);
    struct buf text = BUF_INIT;
    people_fill(&world.people, way, word, name, &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
    return act;
}

static struct act *plan_command(unsigned who, unsigned table, int64_t after,
                                const char *format, va_list values)
    __attribute__((format(printf, 4, 0)));

static struct act *
plan_command(unsigned who, unsigned table, int64_t after, const char *format,
             va_list values)
{
    char command[256];
    (void)vsnprintf(command, sizeof command, format, values);
    return people_plan_post(who, table, after, people_service()->command,
                            command, "");
}

void
people_plan_private(unsigned who, unsigned table, int64_t after,
                    const char *format, ...)
{
    va_list values;
    va_start(values, format);
    plan_command(who, table, after, format, values)->topic = 0;
    va_end(values);
}

void
people_plan_command(unsigned who, unsigned table, int64_t after,
                    const char *format, ...)
{
    va_list values;
    va_start(values, format);
    (void)plan_command(who, table, after, format, values);
    va_end(values);
}

static void
plan_answer(unsigned who, unsigned table, const char *word, unsigned card)
{
    char number[16] = "";
    char answer[96];
    struct buf text = BUF_INIT;
    struct act *act = people_plan(who, table, 0, people_delay(who));
    act->answer = true;
    act->card = card;
    (void)snprintf(act->press, sizeof act->press, "Show my cards");
    if (card != CHOSE_VETO) {
        (void)snprintf(number, sizeof number, " %u", card);
    }
    (void)snprintf(answer, sizeof answer, "%s%s", word, number);
    if (world.plan->tables > 1) {
        (void)snprintf(answer, sizeof answer, "#%u %s%s", table + 1, word,
                       number);
    }
    people_fill(&world.people, people_service()->answer, answer, "", &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
}

/* ---- what they are asked --------------------------------------------------
 */

bool
people_sit(unsigned table, unsigned who)
{
    const struct table_there *there = &crowd.tables[table];
    unsigned seat = 0;
    while (seat < there->players && there->seats[seat] != who) {
        seat++;
    }
    return seat < there->players;
}

struct choice {
    unsigned table, round;
    enum purpose purpose;
};

static unsigned
worth(const void *context, const char *name)
{
    const struct choice *choice = context;
    unsigned who = people_find(name);
    if (!people_sit(choice->table, who)) {
        return 1; /* that they have the seat, or have it back, is not told yet
                   */
    }
    return 2 + (unsigned)(world_hash(choice->purpose, choice->table,
                                     choice->round, who) %
                          1000);
}

/* Note that something is asked; does somebody stay away?  In private it may be
 * asked anew before it is said in public that the game is back in that round.
 */
static bool
skips(unsigned table, unsigned round, enum question_asked asked, unsigned who)
{
    struct table_there *there = &crowd.tables[table];
    if (round < ROUNDS_MAX && there->asked[round][asked] == 0) {
        there->asked[round][asked] = world.now;
    }
    bool skip = fault_people_skip(table, round, asked, who);
    if (skip) {
        world_tell("%s stays away", people[who]);
    }
    return skip;
}

/* They say it in one of their ways; or plainly, where those were not
 * understood. */
static void
choose_so(unsigned table, const struct task *task, bool plainly)
{
    bool names = task->kind == TASK_NOMINEE;
    struct choice choice = {table, crowd.tables[table].rounds,
                            names ? FOR_NOMINEE : FOR_TARGET};
    unsigned who = people_find(task->who);
    char chosen[64];
    if (skips(table, choice.round, names ? ASKED_NOMINEE : ASKED_TARGET, who)) {
        return;
    }
    player_choose(task->list, worth, &choice, chosen);
    unsigned named = people_find(chosen);
    people_note_choice(table, choice.round,
                       names ? ASKED_NOMINEE : ASKED_TARGET, named);
    const char *const *ways = people_service()->names;
    struct act *act = people_plan_post(
        who, table, people_delay(who),
        ways[plainly ? 0 : named % people_ways(ways)], "", people[named]);
    act->nominates = names;
    act->targets = !names;
    (void)snprintf(act->press, sizeof act->press, "%s", people[named]);
}

static void
choose(unsigned table, const struct task *task)
{
    choose_so(table, task, false);
}

static void
chatter(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    for (unsigned i = 0; people_service()->idle[i] != NULL; i++) {
        (void)people_plan_post(there->seats[i % 4], table, 1,
                               people_service()->idle[i], "", "");
    }
    people_service()->intrude(world.people.server, there->topic,
                              world_service_now());
}

/* One of the seats votes. */
static void
plan_vote(unsigned table, unsigned seat)
{
    const struct table_there *there = &crowd.tables[table];
    const char *const *ways = people_service()->votes;
    unsigned who = there->seats[seat];
    bool ja = fault_people_vote(table, there->rounds, who);
    if (!skips(table, there->rounds, ASKED_VOTE, who)) {
        const char *word = ja ? "Ja!" : "Nein!";
        struct act *act = people_plan_post(
            who, table, people_delay(who),
            ways[(seat + there->rounds) % people_ways(ways)], word,
            people[there->seats[(seat + 1) % there->players]]);
        act->vote = true;
        (void)snprintf(act->press, sizeof act->press, "%s", word);
    }
}

static void
judge_vote(unsigned table, const struct task *task)
{
    struct table_there *there = &crowd.tables[table];
    (void)snprintf(there->president, sizeof there->president, "%s",
                   task->president);
    if (there->rounds == 1) {
        chatter(table);
    }
    for (unsigned seat = 0; seat < there->players; seat++) {
        plan_vote(table, seat);
    }
}

/* One in so many chancellors wants neither card; as many presidents agree. */
static bool
wants_veto(unsigned table, unsigned round, unsigned who)
{
    return world_hash(FOR_VETO, table, round, who) % 2 == 0;
}

static void
answer_veto(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    unsigned who = people_find(there->president);
    bool yes = wants_veto(table, there->rounds, who);
    if (skips(table, there->rounds, ASKED_VETO, who)) {
        return;
    }
    people_note_choice(table, there->rounds, ASKED_VETO,
                       yes ? VETO_APPROVED : VETO_DECLINED);
    struct act *act =
        people_plan_post(who, table, people_delay(who), people_service()->word,
                         yes ? "Approved" : "Declined", "");
    act->answer = true;
    (void)snprintf(act->press, sizeof act->press, "%s",
                   yes ? "Approve" : "Decline");
}

/* A table there has a thread of its own. */
bool
people_have_threads(void)
{
    return adapter_find(people_service()->adapter)->capabilities.threads;
}

/* Post the word of the ready check, if there is one. */
static void
post_word(unsigned table, unsigned who)
{
    const char *word = crowd.tables[table].words[who];
    if (*word != '\0') {
        struct act *act = people_plan_post(who, table, people_delay(who),
                                           people_service()->word, word, "");
        (void)snprintf(act->press, sizeof act->press, "I'm ready");
    }
}

/* A table is announced where it was asked for, and then in its own thread. */
static void
join(unsigned table, uint64_t topic)
{
    struct table_there *there = &crowd.tables[table];
    bool joined = there->topic != 0;
    bool moved = joined && there->topic != topic;
    there->topic = topic;
    for (unsigned i = 0; !joined && i < there->players; i++) {
        people_plan_command(there->seats[i], table, 20000 + 1000 * (int64_t)i,
                            "!join");
    }
    for (unsigned who = 0; moved && who < PEOPLE; who++) {
        post_word(table, who); /* it was not looked for elsewhere */
    }
}

static void
parse_open(unsigned table, const struct shown_post *shown)
{
    struct table_there *there = &crowd.tables[table];
    there->status = crowd.taken;
    if (shown->topic != people_service()->topic || !people_have_threads()) {
        join(table, shown->topic);
    } else {
        there->announced = world.now;
    }
}

/* A table that gets no thread is played where it was asked for. */
static void
join_without_thread(void)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        const struct table_there *there = &crowd.tables[i];
        if (there->topic == 0 && there->announced != 0 &&
            world.now > there->announced + NO_THREAD_MS) {
            join(i, people_service()->topic);
        }
    }
}

static unsigned
table_of(uint64_t written)
{
    uint64_t topic = fault_places_newest(written);
    unsigned table = 0;
    while (table < world.plan->tables &&
           (crowd.tables[table].topic != topic || crowd.tables[table].over)) {
        table++;
    }
    return table;
}

/* Tell of an answer in the topic of a game that is over. */
static void
read_late(const struct shown_post *shown, const char *before, const char *text)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        if (crowd.tables[i].over && shown->topic == crowd.tables[i].topic) {
            commands_read(i, before, text);
        }
    }
}

/* Two tables in one topic are told apart by their number. */
static void
act_on(unsigned table, const struct task *task)
{
    crowd.tables[table].open = *task;
    if (task->kind == TASK_OVER) {
        crowd.tables[table].over = true;
        world_tell("table %u is over", table + 1);
    } else if (task->kind == TASK_VETO) {
        answer_veto(table);
    } else if (task->kind == TASK_VOTE) {
        judge_vote(table, task);
    } else if (task->kind == TASK_NOMINEE || task->kind == TASK_TARGET) {
        choose(table, task);
    }
}

/* Does a message say that, which it did not before? */
static bool
is_new(const char *before, const char *text, const char *phrase)
{
    return strstr(text, phrase) != NULL && strstr(before, phrase) == NULL;
}

/* What somebody (PEOPLE: any player) was to write in public is not asked any
 * more; `votes`: votes neither. */
static void
drop_acts(unsigned table, unsigned who, bool votes)
{
    for (unsigned i = 0; i < crowd.act_count;) {
        const struct act *act = &crowd.acts[i];
        bool theirs = who == PEOPLE ? act->who < PEOPLE : act->who == who;
        bool is_dropped = act->table == table && theirs && act->topic != 0 &&
                          act->event == NULL && (votes || !act->vote);
        if (is_dropped && act->pressed != NULL) {
            crowd.acts[i++].text[0] = '\0'; /* they write nothing instead */
        } else if (is_dropped) {
            crowd.acts[i] = crowd.acts[--crowd.act_count];
        } else {
            i++;
        }
    }
}

/* Mo has chosen for somebody, who then need not. */
static void
choose_no_more(unsigned table, const char *before, const char *text)
{
    static const char phrase[] = " counts as ";
    char name[64];
    if (!is_new(before, text, phrase)) {
        return;
    }
    player_between(text, phrase, "'s choice", name, sizeof name);
    unsigned who = people_find(name);
    if (who != PEOPLE) {
        drop_acts(table, who, false);
    }
}

/* Mo has taken moves back.  What people wrote before they were told may count
 * for what is asked now. */
static void
go_back(unsigned table, const char *before, const char *text)
{
    static const char phrase[] = "We are back in round ";
    struct table_there *there = &crowd.tables[table];
    unsigned to = people_number(text, phrase);
    if (!is_new(before, text, phrase) || to == 0 || to >= ROUNDS_MAX) {
        return;
    }
    /* In private some were asked again before the thread was told. */
    drop_acts(table, PEOPLE, true);
    for (unsigned round = to; round < ROUNDS_MAX; round++) {
        bool played = round > to && round <= there->rounds;
        unsigned named = there->chosen[round][ASKED_NOMINEE] |
                         there->chosen[round][ASKED_TARGET];
        there->mixed[to] |= (played ? UINT64_C(1) : 0) << round;
        there->mixed[to] |= played ? there->mixed[round] : 0;
        for (unsigned i = 0; i < ASKED_KINDS; i++) {
            there->chosen[to][i] |= there->chosen[round][i];
            there->chosen[round][i] &= round == to ? ~0U : 0;
            bool in_private = i == ASKED_DISCARD || i == ASKED_ENACT;
            there->asked[round][i] *= round == to && in_private;
        }
        /* A name for the next round may be read as the target of this one. */
        there->chosen[to][ASKED_NOMINEE] |= named;
        there->chosen[to][ASKED_TARGET] |= named;
        there->lots[to] |= there->lots[round];
    }
    there->rounds = to;
    there->open.kind = TASK_NOTHING; /* until it is said what is asked now */
}

static unsigned
seat_of(unsigned table, unsigned who)
{
    const struct table_there *there = &crowd.tables[table];
    unsigned seat = 0;
    while (seat < there->players && there->seats[seat] != who) {
        seat++;
    }
    return seat;
}

/* Mo has taken a vote back. */
static void
vote_again(unsigned table, const char *before, const char *text)
{
    char name[64];
    player_between(text, "doesn't count. ", ", please vote again", name,
                   sizeof name);
    unsigned seat = seat_of(table, people_find(name));
    if (is_new(before, text, ", please vote again") &&
        seat < crowd.tables[table].players) {
        crowd.tables[table].voided[crowd.tables[table].rounds % ROUNDS_MAX] |=
            1U << crowd.tables[table].seats[seat];
        plan_vote(table, seat);
    }
}

/* Put another name in the place of one in "A, B, C". */
static void
rename_in(char *list, size_t size, const char *old, const char *new)
{
    char before[1024];
    char *at = strstr(list, old);
    if (at != NULL) {
        (void)snprintf(before, sizeof before, "%s", list);
        size_t from = (size_t)(at - list);
        (void)snprintf(list, size, "%.*s%s%s", (int)from, before, new,
                       before + from + strlen(old));
    }
}

/* Whoever has taken a seat is asked what the seat was asked; who wanted to name
 * the one before names anew. */
static void
take_up(unsigned table, unsigned seat, const char *old)
{
    struct table_there *there = &crowd.tables[table];
    const char *name = people[there->seats[seat]];
    struct task *open = &there->open;
    bool same = strcmp(old, name) == 0;
    bool president = strcmp(there->president, old) == 0;
    bool asked = strcmp(open->who, old) == 0;
    bool listed = !same && strstr(open->list, old) != NULL;
    if (president) {
        (void)snprintf(there->president, sizeof there->president, "%s", name);
    }
    if (asked) {
        (void)snprintf(open->who, sizeof open->who, "%s", name);
    }
    rename_in(open->list, sizeof open->list, old, name);
    if (open->kind == TASK_VOTE) {
        plan_vote(table, seat);
    } else if (open->kind == TASK_VETO && president) {
        answer_veto(table);
    } else if ((open->kind == TASK_NOMINEE || open->kind == TASK_TARGET) &&
               (asked || listed)) {
        choose(table, open);
        /* An execution may be over by then, and the same person a candidate. */
        there->chosen[(there->rounds + 1) % ROUNDS_MAX][ASKED_NOMINEE] |=
            there->chosen[there->rounds % ROUNDS_MAX][ASKED_TARGET];
    }
}

/* Who was named can't be, or has no player just now: another is named. */
static void
name_another(unsigned table, const char *before, const char *text,
             const struct task *said)
{
    struct task *open = &crowd.tables[table].open;
    bool chancellor = is_new(before, text, " can't be Chancellor this time");
    bool vacant = is_new(before, text, "'s seat is vacant at the moment");
    if (is_new(before, text, "Nobody is eligible at the moment")) {
        open->kind = TASK_NOTHING;
    }
    if ((!chancellor && !vacant) || said->list[0] == '\0') {
        return;
    }
    if (chancellor) {
        open->kind = TASK_NOMINEE;
        (void)snprintf(open->who, sizeof open->who, "%.*s",
                       (int)strcspn(text, ","), text);
    }
    memcpy(open->list, said->list, sizeof open->list);
    if (open->kind == TASK_NOMINEE || open->kind == TASK_TARGET) {
        choose(table, open);
    }
}

/* The host has not met them by the name that they have taken. */
static void
name_plainly(unsigned table, const char *before, const char *text)
{
    const struct task *open = &crowd.tables[table].open;
    if ((open->kind == TASK_NOMINEE || open->kind == TASK_TARGET) &&
        is_new(before, text, ", there's no player called ")) {
        choose_so(table, open, true);
    }
}

/* What is dealt to a seat goes to whoever has taken it. */
static void
name_too(unsigned table, unsigned who, unsigned old)
{
    unsigned(*named)[2] = crowd.tables[table].named;
    for (unsigned i = 0; i < ROUNDS_MAX && who < PEOPLE && old < PEOPLE; i++) {
        named[i][0] |= (named[i][0] >> old & 1U) << who;
        named[i][1] |= (named[i][1] >> old & 1U) << who;
    }
}

/* A seat changes hands, or has its player again. */
static void
change_hands(unsigned table, const char *before, const char *text)
{
    struct table_there *there = &crowd.tables[table];
    char out[64];
    char in[64];
    bool back = is_new(before, text, "! The seat is yours again");
    if (!back && !is_new(before, text, "! You take ")) {
        return;
    }
    player_between(text, back ? "Welcome back, " : "Welcome, ", "!", in,
                   sizeof in);
    player_between(text, "You take ", "'s seat", out, sizeof out);
    unsigned who = people_find(in);
    unsigned old = back ? who : people_find(out);
    unsigned seat = seat_of(table, old);
    name_too(table, who, old);
    if (who < PEOPLE && old < PEOPLE) {
        there->heirs[old] |= 1U << who;
    }
    if (world.restored && seat == there->players) {
        return;
    }
    if (who == PEOPLE || seat == there->players) {
        world_fail("who takes whose seat? %s", text);
    }
    there->seats[seat] = who;
    there->vacant = there->vacant == old ? PEOPLE : there->vacant;
    world_tell("%s has the seat of %s", people[who], people[old]);
    take_up(table, seat, people[old]);
}

/* A post tells of the round that has ended before the next. */
static unsigned
last_round(const char *text)
{
    unsigned last = 0;
    for (const char *at = text; (at = strstr(at, "Round ")) != NULL; at++) {
        unsigned round = people_number(at, "Round ");
        last = round > last ? round : last;
    }
    return last;
}

/* Note who were named as a government. */
static void
note_named(unsigned table, unsigned round, const struct task *task)
{
    const char *const names[] = {task->president, task->chancellor};
    for (unsigned i = 0; i < 2; i++) {
        unsigned who = people_find(names[i]);
        if (who != PEOPLE && round < ROUNDS_MAX) {
            crowd.tables[table].named[round][i] |= 1U << who;
        }
    }
}

/* Has the game been ended, or was there none, for somebody had not answered the
 * ready check?  A copy of the store may have no game yet where the other host
 * has one: then Mo closes the sign-up. */
static void
end_table(struct table_there *there, const char *before, const char *text)
{
    there->unheard =
        there->unheard || is_new(before, text, "I've heard nothing from");
    there->unplayed =
        there->unplayed ||
        ((there->unheard || world.restored) &&
         is_new(before, text, "Sign-up is closed: we were")) ||
        (world.restored && is_new(before, text, "Sign-up has been closed"));
    there->over = there->over || there->unplayed ||
                  is_new(before, text, "The game has been ended");
}

static void
parse_public(const struct shown_post *shown, const char *before,
             const char *text)
{
    unsigned opened = people_number(text, " players: table ");
    unsigned table = table_of(shown->topic);
    unsigned round = last_round(text);
    struct task task;
    struct task already;
    if (opened != 0) {
        if (people_number(before, " players: table ") == 0) {
            parse_open(opened - 1, shown);
        }
        return;
    }
    if (table == world.plan->tables) {
        read_late(shown, before, text);
        /* One that came too late has nothing but its title. */
        bool begun = strstr(text, "Seats: ") != NULL ||
                     strstr(text, " of you are here.") != NULL;
        unsigned named =
            begun ? people_number(text, "Secret Hitler, table ") : 0;
        if (named != 0 && shown->topic != people_service()->topic) {
            join(named - 1, shown->topic); /* its thread is there */
        }
        return;
    }
    rooms_read(before, text);
    choose_no_more(table, before, text);
    go_back(table, before, text);
    commands_read(table, before, text);
    moderator_read(table, before, text);
    vote_again(table, before, text);
    if (round > crowd.tables[table].rounds) {
        crowd.tables[table].rounds = round;
    }
    change_hands(table, before, text);
    player_read(before, &phrases_english, &already);
    player_read(text, &phrases_english, &task);
    if (task.kind == TASK_VOTE) {
        note_named(table, round, &task);
    }
    if (people_find(task.executed) < PEOPLE) {
        crowd.tables[table].dead |= 1U << people_find(task.executed);
    }
    if (task.kind != already.kind) {
        act_on(table, &task);
    }
    name_another(table, before, text, &task);
    name_plainly(table, before, text);
    end_table(&crowd.tables[table], before, text);
}

/* Which of so many cards, from 1. */
static unsigned
card(enum purpose purpose, unsigned table, unsigned who, unsigned cards)
{
    return 1 + (unsigned)(world_hash(purpose, table, crowd.tables[table].rounds,
                                     who) %
                          cards);
}

static unsigned
choose_discard(unsigned table, unsigned round, unsigned who, const char *text)
{
    bool *liberal = &crowd.tables[table].enacts[round % ROUNDS_MAX];
    return world.plan->twin == 0 ? card(FOR_DISCARD, table, who, 3)
                                 : fault_twins_discard(text, liberal);
}

static unsigned
choose_policy(unsigned table, unsigned round, unsigned who, const char *text)
{
    bool liberal = crowd.tables[table].enacts[round % ROUNDS_MAX];
    return world.plan->twin == 0 ? card(FOR_ENACT, table, who, 2)
                                 : fault_twins_enact(text, liberal);
}

/* They read no threads of a game that is over, though a backup may hold it once
 * more. */
void
people_see_hand(unsigned who, const char *text)
{
    unsigned table = people_number(text, ", table ");
    unsigned round = people_number(text, ", round ");
    struct task task;
    player_read_private(text, &phrases_english, &task);
    if ((task.kind == TASK_DISCARD || task.kind == TASK_ENACT) &&
        round < ROUNDS_MAX && table > 0 && table <= world.plan->tables &&
        !crowd.tables[table - 1].over) {
        crowd.tables[table - 1].dealt[round][task.kind == TASK_ENACT] |= 1U
                                                                         << who;
    }
}

static void
parse_private(const char *dm, const char *before, const char *text)
{
    unsigned who = people_find(dm);
    unsigned table = people_number(text, ", table ");
    struct task task;
    struct task already;
    if (who == PEOPLE) {
        bool zoe = strcasecmp(dm, moderators[1]) == 0;
        moderator_read_private(zoe ? ZOE : MO, before, text);
        return;
    }
    crowd.told |= 1U << who;
    if (table == 0 || table > world.plan->tables) {
        return;
    }
    table--;
    unsigned round = people_number(text, ", round ");
    player_read_private(before, &phrases_english, &already);
    player_read_private(text, &phrases_english, &task);
    if (task.kind == already.kind) {
        return;
    }
    people_see_hand(who, text);
    if (task.kind == TASK_WORD) {
        (void)snprintf(crowd.tables[table].words[who],
                       sizeof crowd.tables[table].words[who], "%s",
                       task.answer);
        post_word(table, who);
    } else if (task.kind == TASK_DISCARD &&
               !skips(table, round, ASKED_DISCARD, who)) {
        unsigned which = choose_discard(table, round, who, text);
        crowd.tables[table].holder = who;
        people_note_choice(table, round, ASKED_DISCARD, which);
        plan_answer(who, table, "discard", which);
    } else if (task.kind == TASK_ENACT &&
               !skips(table, round, ASKED_ENACT, who)) {
        bool veto = strstr(text, "Want neither? Answer") != NULL &&
                    wants_veto(table, round, who);
        unsigned which =
            veto ? CHOSE_VETO : choose_policy(table, round, who, text);
        crowd.tables[table].holder = who;
        people_note_choice(table, round, ASKED_ENACT, which);
        plan_answer(who, table, veto ? "veto" : "enact", which);
    }
}

void
people_read_private(unsigned who, const char *text)
{
    parse_private(people[who], "", text);
}

/* Read what the host has posted since. */
static void
read_posts(void)
{
    struct shown_post shown;
    void *server = world.people.server;
    for (; people_service()->look(server, crowd.taken, &shown); crowd.taken++) {
        struct buf before = BUF_INIT;
        struct buf text = BUF_INIT;
        if (shown.author[0] != '\0') {
            continue;
        }
        crowd.heard = world.now;
        world_about("reads", *shown.dm == '\0' ? shown.key : shown.dm, 0, 0);
        people_show_message(&world.people, crowd.taken, &before, &text);
        (void)people_service()->look(server, crowd.taken, &shown);
        world_tell("host%s%s [%s]: %s", *shown.dm == '\0' ? "" : " to ",
                   shown.dm, shown.key, shown.text);
        if (*shown.dm != '\0') {
            parse_private(shown.dm, buf_text(&before), buf_text(&text));
        } else {
            /* A place is read before the games of its old room are: a post to
             * one of them is nothing to the host until it says so. */
            if (is_new(buf_text(&before), buf_text(&text),
                       " goes on in this room")) {
                fault_places_read(shown.topic);
            }
            parse_public(&shown, buf_text(&before), buf_text(&text));
        }
        buf_release(&before);
        buf_release(&text);
    }
}

/* ---- what they do ---------------------------------------------------------
 */

/* Has the host counted a vote, as far as a player can see? */
static bool
seems_counted(const struct act *act)
{
    uint64_t id = act->edits != 0 ? act->edits : act->deletes;
    return people_service()->counted != NULL &&
           people_service()->counted(world.people.server, id);
}

/* They try again in a minute. */
static struct act *
try_later(const struct act *act)
{
    struct act *again = people_plan(act->who, act->table, act->topic, 0);
    *again = *act;
    again->at = world.now + MINUTE_MS;
    return again;
}

/* A vote is taken back only once the host shows that it was counted. */
static bool
comes_too_early(const struct act *act)
{
    if ((act->edits == 0 && act->deletes == 0) || seems_counted(act)) {
        return false;
    }
    if (act->tries < TRIES_MAX) {
        try_later(act)->tries++;
    }
    return true;
}

/* Some change their minds, too late, and some delete what they wrote. */
static void
regret(const struct act *act, uint64_t post)
{
    if (!world_strikes(FAULT_REGRETS) || people_service()->counted == NULL) {
        return;
    }
    unsigned how = world_dice(FAULT_REGRETS, 3);
    struct act *then = people_plan_post(
        act->who, act->table, 45000, people_service()->votes[0], "Nein!", "");
    then->round = act->round;
    then->marked = how == 0;
    *(how == 2 ? &then->deletes : &then->edits) = post;
}

/* Somebody writes where their table is by then. */
static void
write_post(const struct act *act)
{
    void *server = world.people.server;
    bool private = act->topic == 0;
    const char *name = people_name(act->who);
    struct table_there *there = &crowd.tables[act->table];
    uint64_t topic = private ? 0 : there->topic;
    uint64_t post = people_service()->post(server, name, topic, act->text,
                                           world_service_now());
    world_tell("%s%s writes %llu: %s", name, private ? " in private" : "",
               (unsigned long long)post, act->text);
    if (act->who == MO && private && fault_places_is_gone(there->topic) &&
        strstr(act->text, "!yes ") != NULL) {
        there->over = true; /* nobody can be told */
    }
    if (act->vote && act->who < PEOPLE) {
        there->votes[act->who].post = post;
        there->votes[act->who].round = act->round;
        regret(act, post);
    }
    if (act->who < PEOPLE && world_strikes(FAULT_REPEATS)) {
        (void)people_service()->post(server, name, topic, act->text,
                                     world_service_now());
    }
}

/* Their app encrypts what they write. */
static void
write_sealed(unsigned who, uint64_t topic)
{
    struct buf user = BUF_INIT;
    people_service()->user(world.people.server, people_name(who), &user);
    homeserver_write_sealed(world.people.server, buf_text(&user), topic,
                            world_service_now());
    buf_release(&user);
}

/* They are not there, or can't write in private now. */
static bool
is_shut_out(const struct act *act)
{
    if (act->who < PEOPLE && rooms_is_gone(act->who)) {
        if (!crowd.tables[act->table].over) {
            (void)try_later(act);
        }
        return true;
    }
    if (act->topic != 0 || act->who >= PEOPLE || rooms_have_dm(act->who)) {
        return false;
    }
    if (!crowd.tables[act->table].over) {
        rooms_ask_for_dm(act->who, act->table);
        (void)try_later(act);
    }
    return true;
}

/* Nobody can write there now, or what they write has to be repeated. */
static bool
is_held_up(const struct act *act)
{
    uint64_t topic = crowd.tables[act->table].topic;
    bool takes = fault_places_takes_posts(topic);
    bool is_new = act->edits == 0 && act->deletes == 0;
    if (fault_places_is_encrypted(topic)) {
        write_sealed(act->who, topic);
        return true;
    }
    if (takes && fault_places_is_read(topic)) {
        return false;
    }
    if (takes && is_new && act->tries == 0) {
        write_post(act);
    }
    if (!crowd.tables[act->table].over) {
        try_later(act)->tries += takes;
    }
    return true;
}

/* Is it decided, or has somebody been named already? */
static bool
is_past(const struct act *act, const struct table_there *there)
{
    enum task_kind open = there->open.kind;
    bool elected =
        open == TASK_SESSION || open == TASK_VETO || open == TASK_TARGET;
    return ((act->vote || act->answer) && act->round < there->rounds) ||
           (act->nominates && elected) ||
           (act->targets && open == TASK_NOMINEE);
}

static void
perform(const struct act *act)
{
    void *server = world.people.server;
    world.stirred = world.now;
    if (act->event != NULL) {
        presses_tell(act);
        return;
    }
    if (is_shut_out(act)) {
        return;
    }
    if (act->pressed != NULL) {
        presses_look(act);
        return;
    }
    if (act->topic != 0 && is_held_up(act)) {
        return;
    }
    const struct table_there *there = &crowd.tables[act->table];
    if (is_past(act, there) || comes_too_early(act)) {
        return;
    }
    if (act->edits != 0) {
        world_tell("%s edits %llu: %s", people_name(act->who),
                   (unsigned long long)act->edits, act->text);
        people_service()->change(server, act->edits, act->text, act->marked,
                                 world_service_now());
    } else if (act->deletes != 0) {
        world_tell("%s deletes %llu", people_name(act->who),
                   (unsigned long long)act->deletes);
        people_service()->remove(server, act->deletes);
    } else if (act->writes || !presses_begin(act)) {
        write_post(act);
        if (act->who >= PEOPLE && act->topic != 0) {
            commands_give(act->who, act->table, act->text);
        }
    }
}

/* Somebody asks what anybody may, and changes nothing by it. */
static void
ask(unsigned table)
{
    static const char *const commands[] = {"!catchup",
                                           "!plan",
                                           "!role",
                                           "!votes",
                                           "!receipts",
                                           "!history",
                                           "!stats",
                                           "!rules",
                                           "!status",
                                           "!fair",
                                           "!ask may I have a day more?",
                                           "!claim FFL FL",
                                           "!remind private",
                                           "!zone Europe/Oslo",
                                           "!away 3h",
                                           "!luck seven",
                                           "!help",
                                           "!receipts on"};
    enum {
        COMMANDS = sizeof commands / sizeof commands[0]
    };
    const struct table_there *there = &crowd.tables[table];
    if (there->rounds == 0 || there->over ||
        world.tally.count[FAULT_COMMANDS] >= ASKED_MAX ||
        !world_strikes(FAULT_COMMANDS)) {
        return;
    }
    unsigned who = there->seats[world_dice(FAULT_COMMANDS, there->players)];
    const char *command = commands[world_dice(FAULT_COMMANDS, COMMANDS)];
    bool private = world_dice(FAULT_COMMANDS, 2) == 0;
    if (private && (crowd.told & 1U << who) != 0) {
        people_plan_private(who, table, people_delay(who), "%s", command);
    } else {
        people_plan_command(who, table, people_delay(who), "%s", command);
    }
}

/* Is a "!join" where tables are asked for no longer meant for this one? */
static bool
has_gone_elsewhere(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    return there->topic != 0 &&
           (there->topic != people_service()->topic || there->over);
}

/* Tables are asked for one after the other. */
static void
ask_for_tables(void)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        struct table_there *there = &crowd.tables[i];
        bool before = i == 0 || has_gone_elsewhere(i - 1);
        struct buf text = BUF_INIT;
        char command[64];
        (void)snprintf(command, sizeof command, "!new players=%u",
                       there->players);
        if (there->asked_for || !before ||
            world.now < WORLD_START + (i + 1) * MINUTE_MS) {
            continue;
        }
        if (there->topic == 0 && there->announced == 0 &&
            presses_ask_for(i, command)) {
            continue;
        }
        there->asked_for = true;
        if (there->topic != 0 || there->announced != 0) {
            continue; /* by a slash command */
        }
        people_fill(&world.people, people_service()->command, command, "",
                    &text);
        (void)people_service()->post(world.people.server, "Mo",
                                     people_service()->topic, buf_text(&text),
                                     world_service_now());
        world_tell("Mo writes: %s", command);
        buf_release(&text);
    }
}

/* Whatever others would do soon, they do now. */
static void
act_together(void)
{
    for (unsigned i = 0; i < crowd.act_count; i++) {
        struct act *act = &crowd.acts[i];
        if (act->tries == 0 && act->pressed == NULL && act->event == NULL &&
            act->at < world.now + TOGETHER_MS) {
            act->at = world.now;
        }
    }
}

int64_t
fault_people_act(void)
{
    int64_t next = INT64_MAX;
    read_posts();
    ask_for_tables();
    if (world.now >= crowd.next_look) {
        crowd.next_look = world.now + MINUTE_MS;
        rooms_act();
        join_without_thread();
        for (unsigned i = 0; i < world.plan->tables; i++) {
            world_about("asks", "", i, crowd.tables[i].rounds);
            ask(i);
        }
        presses_act();
        moderator_act();
    }
    for (unsigned i = 0; i < crowd.act_count;) {
        if (crowd.acts[i].at > world.now) {
            next = crowd.acts[i].at < next ? crowd.acts[i].at : next;
            i++;
            continue;
        }
        struct act act = crowd.acts[i];
        crowd.acts[i] = crowd.acts[--crowd.act_count];
        /* What is written in private may be another card for a twin. */
        world_about("acts", act.topic == 0 ? "" : act.text, act.who,
                    fault_people_rounds());
        /* Once: who can't do it now tries again later. */
        if (act.tries == 0 && act.event == NULL &&
            world.now > crowd.together_at && world_strikes(FAULT_MOMENT)) {
            crowd.together_at = world.now;
            act_together();
        }
        perform(&act);
        next = INT64_MAX;
        i = 0;
    }
    return next < crowd.next_look ? next : crowd.next_look;
}

void
fault_people_come(void)
{
    struct shown_post shown;
    while (people_service()->look(world.people.server, crowd.taken, &shown)) {
        crowd.taken++;
    }
    crowd.heard = world.now;
    presses_open();
    for (unsigned i = 0; i < world.plan->tables; i++) {
        struct table_there *there = &crowd.tables[i];
        there->players = world.plan->players;
        there->vacant = there->holder = PEOPLE;
        for (unsigned seat = 0; seat < there->players; seat++) {
            there->seats[seat] = i * (there->players - SHARED) + seat;
        }
    }
}

unsigned
people_with_heirs(const struct table_there *there, unsigned seated)
{
    unsigned before = 0;
    while (seated != before) {
        before = seated;
        for (unsigned who = 0; who < PEOPLE; who++) {
            seated |= (before >> who & 1U) != 0 ? there->heirs[who] : 0;
        }
    }
    return seated;
}

/* Who may have the cards of a round: a copy of the store gives a seat away
 * again in the same words, so that its post is there already. */
static unsigned
may_have_cards(const struct table_there *there, unsigned named)
{
    return world.restored ? people_with_heirs(there, named) : named;
}

void
fault_people_check_cards(void)
{
    for (unsigned table = 0; table < world.plan->tables; table++) {
        const struct table_there *there = &crowd.tables[table];
        for (unsigned i = 0; i < ROUNDS_MAX * 2; i++) {
            unsigned others =
                there->dealt[i / 2][i % 2] &
                ~may_have_cards(there, there->named[i / 2][i % 2]);
            /* A copy that takes over may never have named whom it dealt to;
             * and one whose thread is gone can name nobody there. */
            if (others != 0 && world.tally.count[FAULT_TWIN] == 0 &&
                !fault_places_is_gone(there->topic)) {
                world_fail("table %u, round %u: %s has the cards of another",
                           table + 1, i / 2, people[__builtin_ctz(others)]);
            }
        }
    }
}

bool
fault_people_can_be_told(unsigned table)
{
    return !fault_places_is_gone(crowd.tables[table].topic);
}

bool
fault_people_played(unsigned table)
{
    return !crowd.tables[table].unplayed;
}

bool
fault_people_are_done(void)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        if (!crowd.tables[i].over) {
            return false;
        }
    }
    return true;
}

void
fault_people_tell(void)
{
    for (unsigned i = 0; i < world.plan->tables; i++) {
        const struct table_there *there = &crowd.tables[i];
        struct buf told = BUF_INIT;
        struct shown_post shown;
        if (there->topic != 0 &&
            people_service()->look(world.people.server, there->status,
                                   &shown)) {
            people_show(&world.people, shown.text, &told);
        }
        (void)fprintf(stderr, "table %u, round %u, %u acts to come: %s\n",
                      i + 1, there->rounds, crowd.act_count, buf_text(&told));
        buf_release(&told);
    }
}
