#include "tests/sim/fault_people.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/fault_world.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/player.h"

enum {
    ACTS_MAX = 1024,
    TABLES = FAULT_TABLES_MAX,
    ROUNDS_MAX = 64,
    SHARED = 2,     /* sit at both tables */
    TRIES_MAX = 20, /* to take back what was not counted yet */
    LAZY_IN = 12,   /* one in so many stays away */
    SLOW_STEP_MS = 40 * 60000,
    NO_THREAD_MS = 20 * 60000, /* so long people wait for a table's thread */
    BURST_MS = 2000,
};

/* What a number of the seed is for. */
enum purpose {
    FOR_VOTE = 100,
    FOR_NOMINEE,
    FOR_TARGET,
    FOR_DISCARD,
    FOR_ENACT,
    FOR_DELAY,
    FOR_SKIP = 200,
};

/* What somebody will do. */
struct act {
    int64_t at;
    unsigned who, table, round;
    uint64_t topic; /* 0: in private */
    char text[512];
    uint64_t edits, deletes; /* a post, instead of a new one */
    bool vote, marked;
    unsigned tries;
};

struct table_there {
    unsigned first, players; /* of the people */
    uint64_t topic;          /* 0: not open yet */
    int64_t announced;       /* when, where it was asked for; 0: not yet */
    size_t status;           /* the post that tells how things stand */
    unsigned rounds;
    char president[64];
    int64_t asked[ROUNDS_MAX][ASKED_TARGET + 1];
    /* A person or a card, from 1; 0: none yet. */
    unsigned chosen[ROUNDS_MAX][ASKED_TARGET + 1];
    int64_t paused_at; /* 0: it is not, as far as Mo knows */
    bool over, asked_for;
};

static struct {
    struct act acts[ACTS_MAX];
    unsigned act_count;
    size_t taken; /* posts that were looked at */
    struct table_there tables[TABLES];
    int64_t heard;
    int64_t next_look;
    int64_t closed_until[PEOPLE]; /* DMs; 0: they are open */
    int64_t shut_until;           /* a topic; 0: it is open */
} crowd;

static const struct fake_service *
service(void)
{
    return world.people.service;
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
    return world.plan->lazy &&
           world_hash(FOR_SKIP + (unsigned)asked, table, round, who) %
                   LAZY_IN ==
               0;
}

int64_t
fault_people_asked(unsigned table, unsigned round, enum question_asked asked)
{
    return round < ROUNDS_MAX ? crowd.tables[table].asked[round][asked] : 0;
}

static void
note_choice(unsigned table, unsigned round, enum question_asked asked,
            unsigned chosen)
{
    if (round < ROUNDS_MAX) {
        crowd.tables[table].chosen[round][asked] = chosen;
    }
}

unsigned
fault_people_card(unsigned table, unsigned round, enum question_asked asked)
{
    return round < ROUNDS_MAX ? crowd.tables[table].chosen[round][asked] : 0;
}

unsigned
fault_people_chosen(unsigned table, unsigned round, enum question_asked asked)
{
    unsigned chosen = fault_people_card(table, round, asked);
    return chosen == 0 ? PEOPLE : chosen - 1;
}

bool
fault_people_begun(void)
{
    return crowd.heard > WORLD_START;
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
static int64_t
delay(unsigned who)
{
    uint64_t chance = world_hash(FOR_DELAY, who, crowd.act_count,
                                 (unsigned)(world.now / SECOND_MS));
    int64_t step = world.plan->pace == PACE_SLOW ? SLOW_STEP_MS : MINUTE_MS;
    int64_t most = chance % 8 == 0 ? 10 * step : step;
    int64_t then = SECOND_MS + (int64_t)((chance >> 8) % (uint64_t)most);
    if (world.plan->pace == PACE_QUICK) {
        return then;
    }
    int64_t at = (world.now + then) / MINUTE_MS * MINUTE_MS + MINUTE_MS;
    return at + (int64_t)((chance >> 40) % BURST_MS) - world.now;
}

static struct act *
plan_act(unsigned who, unsigned table, uint64_t topic, int64_t after)
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

static struct act *
plan_post(unsigned who, unsigned table, int64_t after, const char *way,
          const char *word, const char *name)
{
    struct act *act = plan_act(who, table, crowd.tables[table].topic, after);
    struct buf text = BUF_INIT;
    people_fill(&world.people, way, word, name, &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
    return act;
}

static void
plan_answer(unsigned who, unsigned table, const char *word)
{
    char answer[96];
    struct buf text = BUF_INIT;
    struct act *act = plan_act(who, table, 0, delay(who));
    (void)snprintf(answer, sizeof answer, "%s", word);
    if (world.plan->tables > 1) {
        (void)snprintf(answer, sizeof answer, "#%u %s", table + 1, word);
    }
    people_fill(&world.people, service()->answer, answer, "", &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
}

/* ---- what they are asked --------------------------------------------------
 */

static bool
sits(unsigned table, unsigned who)
{
    const struct table_there *there = &crowd.tables[table];
    return who >= there->first && who < there->first + there->players;
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
    if (!sits(choice->table, who)) {
        return 0;
    }
    return 1 + (unsigned)(world_hash(choice->purpose, choice->table,
                                     choice->round, who) %
                          1000);
}

/* Note that something is asked; does somebody stay away? */
static bool
skips(unsigned table, enum question_asked asked, unsigned who)
{
    struct table_there *there = &crowd.tables[table];
    if (there->rounds < ROUNDS_MAX && there->asked[there->rounds][asked] == 0) {
        there->asked[there->rounds][asked] = world.now;
    }
    bool skip = fault_people_skip(table, there->rounds, asked, who);
    if (skip) {
        world_tell("%s stays away", people[who]);
    }
    return skip;
}

static void
choose(unsigned table, const struct task *task)
{
    bool names = task->kind == TASK_NOMINEE;
    struct choice choice = {table, crowd.tables[table].rounds,
                            names ? FOR_NOMINEE : FOR_TARGET};
    unsigned who = people_find(task->who);
    char chosen[64];
    if (skips(table, names ? ASKED_NOMINEE : ASKED_TARGET, who)) {
        return;
    }
    player_choose(task->list, worth, &choice, chosen);
    unsigned named = people_find(chosen);
    note_choice(table, choice.round, names ? ASKED_NOMINEE : ASKED_TARGET,
                named + 1);
    const char *const *ways = service()->names;
    (void)plan_post(who, table, delay(who), ways[named % people_ways(ways)], "",
                    people[named]);
}

static void
chatter(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    for (unsigned i = 0; service()->idle[i] != NULL; i++) {
        (void)plan_post(there->first + i % 4, table, 1, service()->idle[i], "",
                        "");
    }
    service()->intrude(world.people.server, there->topic, world_service_now());
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
    for (unsigned i = 0; i < there->players; i++) {
        unsigned who = there->first + i;
        unsigned way = (i + there->rounds) % people_ways(service()->votes);
        bool ja = fault_people_vote(table, there->rounds, who);
        if (!skips(table, ASKED_VOTE, who)) {
            plan_post(who, table, delay(who), service()->votes[way],
                      ja ? "Ja!" : "Nein!",
                      people[there->first + (i + 1) % there->players])
                ->vote = true;
        }
    }
}

/* A table there has a thread of its own. */
static bool
has_threads(void)
{
    return adapter_find(service()->adapter)->capabilities.threads;
}

/* A table is announced where it was asked for, and then in its own thread. */
static void
join(unsigned table, uint64_t topic)
{
    struct table_there *there = &crowd.tables[table];
    bool joined = there->topic != 0;
    there->topic = topic;
    for (unsigned i = 0; !joined && i < there->players; i++) {
        (void)plan_post(there->first + i, table, 20000 + 1000 * (int64_t)i,
                        service()->command, "!join", "");
    }
}

static void
parse_open(unsigned table, const struct shown_post *shown)
{
    struct table_there *there = &crowd.tables[table];
    there->status = crowd.taken;
    if (shown->topic != service()->topic || !has_threads()) {
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
            join(i, service()->topic);
        }
    }
}

static unsigned
table_of(uint64_t topic)
{
    unsigned table = 0;
    while (table < world.plan->tables && crowd.tables[table].topic != topic) {
        table++;
    }
    return table;
}

/* Two tables in one topic are told apart by their number. */
static void
act_on(unsigned table, const struct task *task)
{
    if (task->kind == TASK_OVER) {
        crowd.tables[table].over = true;
        world_tell("table %u is over", table + 1);
    } else if (task->kind == TASK_VETO) {
        (void)plan_post(people_find(crowd.tables[table].president), table, 5000,
                        service()->word, "Declined", "");
    } else if (task->kind == TASK_VOTE) {
        judge_vote(table, task);
    } else if (task->kind == TASK_NOMINEE || task->kind == TASK_TARGET) {
        choose(table, task);
    }
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
        unsigned named = people_number(text, "Secret Hitler, table ");
        if (named != 0 && shown->topic != service()->topic) {
            join(named - 1, shown->topic); /* its thread is there */
        }
        return;
    }
    if (round > crowd.tables[table].rounds) {
        crowd.tables[table].rounds = round;
    }
    player_read(before, &phrases_english, &already);
    player_read(text, &phrases_english, &task);
    if (task.kind != already.kind) {
        act_on(table, &task);
    }
}

/* Which of so many cards, from 1. */
static unsigned
card(enum purpose purpose, unsigned table, unsigned who, unsigned cards)
{
    return 1 + (unsigned)(world_hash(purpose, table, crowd.tables[table].rounds,
                                     who) %
                          cards);
}

static void
parse_private(const char *dm, const char *before, const char *text)
{
    unsigned who = people_find(dm);
    unsigned table = people_number(text, ", table ");
    struct task task;
    struct task already;
    char answer[32];
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
    if (task.kind == TASK_WORD) {
        (void)plan_post(who, table, delay(who), service()->word, task.answer,
                        "");
    } else if (task.kind == TASK_DISCARD && !skips(table, ASKED_DISCARD, who)) {
        unsigned which = card(FOR_DISCARD, table, who, 3);
        note_choice(table, round, ASKED_DISCARD, which);
        (void)snprintf(answer, sizeof answer, "discard %u", which);
        plan_answer(who, table, answer);
    } else if (task.kind == TASK_ENACT && !skips(table, ASKED_ENACT, who)) {
        unsigned which = card(FOR_ENACT, table, who, 2);
        note_choice(table, round, ASKED_ENACT, which);
        (void)snprintf(answer, sizeof answer, "enact %u", which);
        plan_answer(who, table, answer);
    }
}

/* Read what the host has posted since. */
static void
read_posts(void)
{
    struct shown_post shown;
    void *server = world.people.server;
    for (; service()->look(server, crowd.taken, &shown); crowd.taken++) {
        struct buf before = BUF_INIT;
        struct buf text = BUF_INIT;
        if (shown.author[0] != '\0') {
            continue;
        }
        crowd.heard = world.now;
        people_show_message(&world.people, crowd.taken, &before, &text);
        (void)service()->look(server, crowd.taken, &shown);
        world_tell("host%s%s [%s]: %s", *shown.dm == '\0' ? "" : " to ",
                   shown.dm, shown.key, shown.text);
        if (*shown.dm != '\0') {
            parse_private(shown.dm, buf_text(&before), buf_text(&text));
        } else {
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
    return service()->counted != NULL &&
           service()->counted(world.people.server, id);
}

/* A vote is taken back only once the host shows that it was counted. */
static bool
comes_too_early(const struct act *act)
{
    if ((act->edits == 0 && act->deletes == 0) || seems_counted(act)) {
        return false;
    }
    if (act->tries < TRIES_MAX) {
        struct act *again = plan_act(act->who, act->table, act->topic, 0);
        *again = *act;
        again->at = world.now + MINUTE_MS;
        again->tries++;
    }
    return true;
}

/* Some change their minds, too late, and some delete what they wrote. */
static void
regret(const struct act *act, uint64_t post)
{
    if (!world_strikes(FAULT_REGRETS) || service()->counted == NULL) {
        return;
    }
    unsigned how = world_dice(FAULT_REGRETS, 3);
    struct act *then = plan_post(act->who, act->table, 45000,
                                 service()->votes[0], "Nein!", "");
    then->round = act->round;
    then->marked = how == 0;
    *(how == 2 ? &then->deletes : &then->edits) = post;
}

/* Somebody writes where their table is by then. */
static void
write(const struct act *act)
{
    void *server = world.people.server;
    bool private = act->topic == 0;
    uint64_t topic = private ? 0 : crowd.tables[act->table].topic;
    uint64_t post = service()->post(server, people[act->who], topic, act->text,
                                    world_service_now());
    world_tell("%s%s writes %llu: %s", people[act->who],
               private ? " in private" : "", (unsigned long long)post,
               act->text);
    if (act->vote) {
        regret(act, post);
    }
    if (world_strikes(FAULT_REPEATS)) {
        (void)service()->post(server, people[act->who], topic, act->text,
                              world_service_now());
    }
}

static void
perform(const struct act *act)
{
    void *server = world.people.server;
    world.stirred = world.now;
    bool past = act->vote && act->round < crowd.tables[act->table].rounds;
    if (past || comes_too_early(act)) {
        return; /* nobody votes on what is decided */
    }
    if (act->edits != 0) {
        world_tell("%s edits %llu: %s", people[act->who],
                   (unsigned long long)act->edits, act->text);
        service()->change(server, act->edits, act->text, act->marked,
                          world_service_now());
    } else if (act->deletes != 0) {
        world_tell("%s deletes %llu", people[act->who],
                   (unsigned long long)act->deletes);
        service()->remove(server, act->deletes);
    } else {
        write(act);
    }
}

/* Mo does what moderators do, and nothing that changes what others decide. */
static void
moderate(void)
{
    static const char *const commands[] = {
        "!pause tea", "!resume", "!extend 2h", "!status", "!history", "!help"};
    enum {
        COMMANDS = sizeof commands / sizeof commands[0]
    };
    if (world.now < crowd.next_look) {
        return;
    }
    crowd.next_look = world.now + MINUTE_MS;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        const struct table_there *there = &crowd.tables[i];
        bool resumes =
            there->paused_at != 0 &&
            (!world.spoiled || world.now > there->paused_at + 20 * MINUTE_MS);
        if (there->topic == 0 || there->over || there->rounds == 0 ||
            (!resumes && !world_strikes(FAULT_MODERATION))) {
            continue;
        }
        unsigned which = resumes ? 1 : world_dice(FAULT_MODERATION, COMMANDS);
        struct buf text = BUF_INIT;
        people_fill(&world.people, service()->command, commands[which], "",
                    &text);
        crowd.tables[i].paused_at = which == 0   ? world.now
                                    : which == 1 ? 0
                                                 : there->paused_at;
        (void)service()->post(world.people.server, "Mo", there->topic,
                              buf_text(&text), world_service_now());
        world_tell("Mo writes at table %u: %s", i + 1, commands[which]);
        buf_release(&text);
    }
}

/* Some take no DMs for a while; only Discord has that here. */
static void
close_dms(void)
{
    bool discord = strcmp(service()->adapter, "discord") == 0;
    for (unsigned who = 0; discord && who < PEOPLE; who++) {
        bool closed = crowd.closed_until[who] > 0;
        if (closed &&
            (world.now >= crowd.closed_until[who] || !world.spoiled)) {
            fake_discord_close(world.people.server, people[who], false);
            crowd.closed_until[who] = 0;
            world_tell("%s takes DMs again", people[who]);
        } else if (!closed && world_strikes(FAULT_CLOSED)) {
            int64_t most = HOUR_MS;
            fake_discord_close(world.people.server, people[who], true);
            crowd.closed_until[who] =
                world.now + (int64_t)world_dice(FAULT_CLOSED, (unsigned)most);
            world_tell("%s takes no DMs", people[who]);
        }
    }
}

/* The topic of a table takes no posts of the host's for a while. */
static void
shut_topic(unsigned table, bool shut)
{
    void *server = world.people.server;
    if (strcmp(service()->adapter, "discord") == 0) {
        fake_discord_archive(server, crowd.tables[table].topic, shut, false);
    } else if (strcmp(service()->adapter, "nodebb") == 0) {
        nodebb_lock(server, shut);
    } else if (service()->shut != NULL) {
        service()->shut(server, shut);
    }
    world_tell("topics are %s", shut ? "closed" : "open again");
}

static void
shut_topics(void)
{
    unsigned table = world.plan->tables - 1;
    bool shut = crowd.shut_until > 0;
    if (crowd.tables[table].topic == 0 || !has_threads()) {
        return;
    }
    if (shut && (world.now >= crowd.shut_until || !world.spoiled)) {
        crowd.shut_until = 0;
        shut_topic(table, false);
    } else if (!shut && world_strikes(FAULT_SHUT)) {
        crowd.shut_until =
            world.now + (int64_t)world_dice(FAULT_SHUT, 2 * HOUR_MS);
        shut_topic(table, true);
    }
}

/* Somebody asks what anybody may, and changes nothing by it. */
static void
ask(unsigned table)
{
    static const char *const commands[] = {
        "!catchup", "!plan",  "!role",  "!votes",  "!receipts",
        "!history", "!stats", "!rules", "!status", "!fair"};
    enum {
        COMMANDS = sizeof commands / sizeof commands[0]
    };
    const struct table_there *there = &crowd.tables[table];
    if (there->rounds == 0 || there->over || !world_strikes(FAULT_COMMANDS)) {
        return;
    }
    unsigned who = there->first + world_dice(FAULT_COMMANDS, there->players);
    bool private = world_dice(FAULT_COMMANDS, 2) == 0;
    const char *command = commands[world_dice(FAULT_COMMANDS, COMMANDS)];
    struct act *act =
        plan_act(who, table, private ? 0 : there->topic, 1 + delay(who));
    struct buf text = BUF_INIT;
    people_fill(&world.people, service()->command, command, "", &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
}

/* Is a "!join" where tables are asked for no longer meant for this one? */
static bool
has_gone_elsewhere(unsigned table)
{
    const struct table_there *there = &crowd.tables[table];
    return there->topic != 0 &&
           (there->topic != service()->topic || there->rounds > 0);
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
        if (there->asked_for || !before ||
            world.now < WORLD_START + (i + 1) * MINUTE_MS) {
            continue;
        }
        there->asked_for = true;
        (void)snprintf(command, sizeof command, "!new players=%u",
                       there->players);
        people_fill(&world.people, service()->command, command, "", &text);
        (void)service()->post(world.people.server, "Mo", service()->topic,
                              buf_text(&text), world_service_now());
        world_tell("Mo writes: %s", command);
        buf_release(&text);
    }
}

int64_t
fault_people_act(void)
{
    int64_t next = INT64_MAX;
    read_posts();
    ask_for_tables();
    if (world.now >= crowd.next_look) {
        close_dms();
        shut_topics();
        join_without_thread();
        for (unsigned i = 0; i < world.plan->tables; i++) {
            ask(i);
        }
    }
    moderate();
    for (unsigned i = 0; i < crowd.act_count;) {
        if (crowd.acts[i].at > world.now) {
            next = crowd.acts[i].at < next ? crowd.acts[i].at : next;
            i++;
            continue;
        }
        struct act act = crowd.acts[i];
        crowd.acts[i] = crowd.acts[--crowd.act_count];
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
    while (service()->look(world.people.server, crowd.taken, &shown)) {
        crowd.taken++;
    }
    crowd.heard = world.now;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        crowd.tables[i].players = world.plan->players;
        crowd.tables[i].first =
            i == 0 ? 0 : crowd.tables[i - 1].players - SHARED;
    }
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
            service()->look(world.people.server, there->status, &shown)) {
            people_show(&world.people, shown.text, &told);
        }
        (void)fprintf(stderr, "table %u, round %u, %u acts to come: %s\n",
                      i + 1, there->rounds, crowd.act_count, buf_text(&told));
        buf_release(&told);
    }
}
