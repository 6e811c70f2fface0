/*
 * People press buttons and give slash commands, and are answered, where
 * Discord's gateway tells of that.  Who is not answered, or is told that it
 * does not count, writes what they would have written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/memory.h"
#include "tests/bench/fake_gateway.h"
#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"
#include "tests/support/fake_presses.h"

enum {
    LOOK_MS = 5000,   /* people look again for an answer that is not there */
    LOOKS = 12,       /* … and then write */
    LOOKS_MAX = 180,  /* an answer that has not come by then is none */
    ODDLY_IN = 8,     /* one in so many is told twice, and one a bit late */
    TWICE_MS = 10000, /* apart, at most */
    BEHIND_MS = 2000, /* so late it is in time */
};

/* What the host has taken, and not answered by then, it does not answer. */
#define TAKEN_MS (20 * MINUTE_MS)

#define REGISTERED_MS (10 * MINUTE_MS)

/* A host that was in trouble until then has not recovered yet. */
#define RECOVERY_MS (5 * MINUTE_MS)

static struct fake_presses *all;
static unsigned busy; /* bits of people who look for an answer */
/* Bits of people who were told that their vote in a round counts. */
static unsigned votes_that_count[TABLES][ROUNDS_MAX];

/* A slash command, and what is given with it; "": nothing. */
struct slash {
    char name[32], value[192];
};

void
presses_open(void)
{
    if (world.plan->buttons || world.plan->commands) {
        all = fake_presses_new(world.people.server);
    }
}

bool
fault_presses_counted(unsigned table, unsigned round, unsigned who)
{
    return round < ROUNDS_MAX &&
           (votes_that_count[table][round] & 1U << who) != 0;
}

const struct fake_press *
fault_presses_at(size_t at)
{
    return all == NULL ? NULL : fake_presses_at(all, at);
}

/* ---- what Discord tells ---------------------------------------------------
 */

static void
plan_telling(const struct act *act, const char *event, int64_t after)
{
    people_plan(act->who, act->table, act->topic, after)->event =
        must_copy(event);
}

/* Events are told once or more, and not in their order (D "Gateway"); one that
 * comes too late is of no use. */
static void
tell_event(const struct act *act, const char *event)
{
    unsigned odd = world.spoiled ? world_dice(FAULT_PRESSES, ODDLY_IN) : 2;
    if (world_strikes(FAULT_LATE_REPLY)) {
        plan_telling(act, event, world_dice(FAULT_LATE_REPLY, MINUTE_MS));
        return;
    }
    if (odd == 0) {
        plan_telling(act, event, world_dice(FAULT_PRESSES, BEHIND_MS));
        return;
    }
    if (odd == 1) {
        plan_telling(act, event, world_dice(FAULT_PRESSES, TWICE_MS));
    }
    fake_gateway_send("INTERACTION_CREATE", event, world.now);
}

void
presses_tell(const struct act *act)
{
    fake_gateway_send("INTERACTION_CREATE", act->event, world.now);
    free(act->event);
}

/* Somebody has pressed; then they look for what they are shown. */
static void
look_later(const struct act *act, const struct fake_press *pressed,
           const char *what, enum pressing step, const char *event)
{
    struct act look = *act;
    world_tell("%s presses “%s”", people_name(act->who), what);
    tell_event(act, event);
    look.at = world.now + LOOK_MS;
    look.pressed = pressed;
    look.step = step;
    look.pressed_at = world.now;
    look.tries = 0;
    *people_plan(act->who, act->table, act->topic, LOOK_MS) = look;
}

/* False: there is no such button; `channel` 0: under what they were shown. */
static bool
press(const struct act *act, uint64_t channel, const char *label,
      enum pressing step)
{
    struct buf event = BUF_INIT;
    const struct fake_press *pressed =
        *label == '\0' ? NULL
                       : fake_presses_press(all, people_name(act->who), channel,
                                            label, world_service_now(), &event);
    if (pressed != NULL) {
        look_later(act, pressed, label, step, buf_text(&event));
    }
    buf_release(&event);
    return pressed != NULL;
}

/* ---- slash commands -------------------------------------------------------
 */

/* A command as it is posted. */
static void
split_command(const char *text, struct slash *slash)
{
    size_t len = strcspn(text, " ");
    const char *rest = text + len + strspn(text + len, " \"");
    (void)snprintf(slash->name, sizeof slash->name, "%.*s", (int)len, text);
    (void)snprintf(slash->value, sizeof slash->value, "%.*s",
                   (int)strcspn(rest, "\""), rest);
    if (strcmp(slash->name, "role") == 0) {
        (void)snprintf(slash->name, sizeof slash->name, "hand");
    }
    if (strcmp(slash->name, "pause") == 0) {
        slash->value[0] = '\0'; /* no reason can be given */
    }
}

/* The slash command that does the same as an act; false: there is none. */
static bool
find_slash(const struct act *act, struct slash *slash)
{
    *slash = (struct slash){.name = ""};
    if (act->vote) {
        (void)snprintf(slash->name, sizeof slash->name, "vote");
        (void)snprintf(slash->value, sizeof slash->value, "%s",
                       act->press[0] == 'J' ? "ja" : "nein");
    } else if (act->nominates) {
        (void)snprintf(slash->name, sizeof slash->name, "nominate");
        (void)snprintf(slash->value, sizeof slash->value, "%s", act->press);
    } else if (act->card != 0 || act->peeks) {
        (void)snprintf(slash->name, sizeof slash->name, "hand");
    } else if (act->text[0] == '!' && act->topic != 0) {
        split_command(act->text + 1, slash);
    }
    return world.plan->commands &&
           fake_presses_takes(all, slash->name, slash->value);
}

static bool
give_slash(const struct act *act)
{
    struct slash slash;
    struct buf event = BUF_INIT;
    char what[256];
    if (!find_slash(act, &slash)) {
        return false;
    }
    const struct fake_press *given = fake_presses_command(
        all, people_name(act->who), crowd.tables[act->table].topic, slash.name,
        slash.value, world_service_now(), &event);
    (void)snprintf(what, sizeof what, "/%s %s", slash.name, slash.value);
    look_later(act, given, what, PRESSING_FIRST, buf_text(&event));
    buf_release(&event);
    return true;
}

/* ---- pressing -------------------------------------------------------------
 */

/* Is the thread there, so that something can be pressed in it? */
static bool
is_thread_open(unsigned table)
{
    uint64_t topic = crowd.tables[table].topic;
    return topic != 0 && fault_places_takes_posts(topic);
}

/* The button that does the same as an act; "": there is none. */
static const char *
find_button(const struct act *act)
{
    static const char *const commands[][2] = {
        {"!join", "Join"}, {"!leave", "Leave"}, {"!role", "Show my role"}};
    const char *label = act->press;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        bool same = act->topic != 0 && strcmp(act->text, commands[i][0]) == 0;
        label = same ? commands[i][1] : label;
    }
    return label;
}

/* A call for a table that Mo gives so. */
struct call {
    bool decided, wanted;
    const struct fake_press *pressed;
    int64_t at; /* when it was given */
};

/* Discord tells of it at once, or not at all: a host that would take a late one
 * for a call of its own would open a table too many. */
static void
give_call(struct call *call, const struct slash *slash)
{
    struct buf event = BUF_INIT;
    world_tell("Mo gives /%s %s", slash->name, slash->value);
    call->at = world.now;
    call->pressed = fake_presses_command(
        all, people_name(MO), people_service()->topic, slash->name,
        slash->value, world_service_now(), &event);
    fake_gateway_send("INTERACTION_CREATE", buf_text(&event), world.now);
    buf_release(&event);
}

bool
presses_ask_for(unsigned table, const char *command)
{
    static struct call calls[TABLES];
    struct call *call = &calls[table];
    struct slash slash;
    split_command(command + 1, &slash);
    if (!call->decided) {
        call->decided = true;
        call->wanted = all != NULL && world.plan->commands &&
                       world_hash(FOR_MO, table, 0, 0) % 2 == 0;
    }
    if (call->wanted && call->pressed == NULL &&
        fault_places_takes_posts(people_service()->topic) &&
        fake_presses_takes(all, slash.name, slash.value)) {
        give_call(call, &slash);
    }
    if (call->pressed == NULL) {
        /* The host gives Discord its commands soon after it was started. */
        return call->wanted && world.now < WORLD_START + REGISTERED_MS;
    }
    return world.now <
           call->at + (call->pressed->acknowledged ? TAKEN_MS : MINUTE_MS);
}

bool
presses_begin(const struct act *act)
{
    struct slash slash;
    unsigned bit = 1U << act->who;
    if (all == NULL || (busy & bit) != 0 || !is_thread_open(act->table) ||
        (find_button(act)[0] == '\0' && !find_slash(act, &slash)) ||
        !world_strikes(FAULT_PRESSES)) {
        return false;
    }
    uint64_t topic = crowd.tables[act->table].topic;
    bool begun = world_dice(FAULT_PRESSES, 2) == 0 && give_slash(act);
    begun = begun || press(act, topic, find_button(act), PRESSING_FIRST) ||
            give_slash(act);
    busy |= begun ? bit : 0;
    return begun;
}

/* Plan an act once more. */
static void
plan_again(const struct act *act, int64_t after)
{
    struct act *again = people_plan(act->who, act->table, act->topic, after);
    int64_t at = again->at;
    *again = *act;
    again->at = at;
}

/* They write instead, unless that is not asked any more. */
static void
write_instead(const struct act *act)
{
    struct act post = *act;
    busy &= ~(1U << act->who);
    post.pressed = NULL;
    post.press[0] = '\0';
    post.tries = 0;
    post.writes = true;
    if (post.text[0] != '\0') {
        plan_again(&post, 0);
    }
}

/* An answer that does not come in time is missing where nothing was wrong. */
static void
check_answered(const struct act *act)
{
    static const char *const steps[] = {"", " a card and", " “Yes” for"};
    if (world.troubled + RECOVERY_MS < act->pressed_at && !world.restored &&
        fault_plan_clocks_are_right(world.plan)) {
        world_fail("%s has pressed%s “%s%s” in vain: %s", people_name(act->who),
                   steps[act->step], act->press,
                   act->press[0] == '\0' ? act->text : "",
                   act->pressed->acknowledged ? "no answer came"
                                              : "it was not acknowledged");
    }
}

static void
look_again(const struct act *act)
{
    struct act later = *act;
    later.tries++;
    if (later.tries == LOOKS) {
        write_instead(act);
    }
    if (later.tries < LOOKS_MAX) {
        plan_again(&later, LOOK_MS);
    } else {
        check_answered(act);
    }
}

/* ---- what they are shown --------------------------------------------------
 */

/* Press what there is to be pressed under it; false: nothing. */
static bool
press_on(const struct act *act, const char *shown)
{
    char choice[16] = "Ask for a veto";
    char label[FAKE_LABEL_MAX];
    if (act->step != PRESSING_YES && strstr(shown, "sure?") != NULL) {
        if (!press(act, 0, "Yes", PRESSING_YES)) {
            world_fail("%s can't say that it is meant", people_name(act->who));
        }
        return true;
    }
    if (act->card != CHOSE_VETO) {
        (void)snprintf(choice, sizeof choice, "%u ", act->card);
    }
    return act->card != 0 && act->step == PRESSING_FIRST &&
           fake_presses_label(act->pressed, choice, label) &&
           press(act, 0, label, PRESSING_CARD);
}

/* What is neither a question nor an answer to one: of commands, of buttons that
 * only show something. */
static bool
is_done(const struct act *act)
{
    return act->peeks || act->text[0] == '!' || act->text[0] == '\0';
}

/* Is it said that an act was done? */
static bool
says_done(const char *shown)
{
    static const char *const ends[] = {
        "your vote counts",  " is nominated.", "), done.",
        ", done.",           "is discarded.",  "is enacted.",
        "and I pass it on.", " to the veto.",  "decline the veto.",
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        if (strstr(shown, ends[i]) != NULL) {
            return true;
        }
    }
    return false;
}

/* Is it to be done again, as the host was interrupted?  To do twice what people
 * do by a command does no harm. */
static bool
is_to_be_done_again(const struct act *act, const char *shown)
{
    return strncmp(shown, "I was interrupted", 17) == 0 && act->who < PEOPLE &&
           !act->peeks && act->text[0] != '\0';
}

static void
take_answer(const struct act *act, const char *shown)
{
    unsigned bit = 1U << act->who;
    if (act->peeks) {
        people_read_private(act->who, shown);
    } else if (act->who >= PEOPLE) {
        commands_show(act->who, act->table, act->text, shown);
        moderator_read(act->table, "", shown);
    }
    if (says_done(shown)) {
        votes_that_count[act->table][act->round % ROUNDS_MAX] |=
            act->vote ? bit : 0;
        busy &= ~bit;
    } else if (is_done(act) && !is_to_be_done_again(act, shown)) {
        busy &= ~bit;
    } else {
        write_instead(act);
    }
}

void
presses_look(const struct act *act)
{
    struct buf text = BUF_INIT;
    if (act->pressed->answers == 0) {
        look_again(act);
        return;
    }
    people_show(&world.people, act->pressed->content, &text);
    const char *shown = buf_text(&text);
    world_tell("%s is shown%s: %s", people_name(act->who),
               act->tries < LOOKS ? "" : " too late", shown);
    if (act->who < PEOPLE) {
        people_see_hand(act->who, shown);
    }
    if (act->tries < LOOKS && !press_on(act, shown)) {
        take_answer(act, shown);
    }
    buf_release(&text);
}

/* Has somebody no private message to know their cards from? */
static bool
has_to_peek(unsigned table, unsigned who)
{
    const struct table_there *there = &crowd.tables[table];
    unsigned bit = 1U << who;
    unsigned round = there->rounds % ROUNDS_MAX;
    bool asked =
        (there->named[round][0] & ~there->dealt[round][0] & bit) != 0 ||
        (there->named[round][1] & ~there->dealt[round][1] & bit) != 0;
    return there->open.kind == TASK_SESSION && !there->over && asked &&
           people_sit(table, who) && crowd.closed_until[who] != 0 &&
           (crowd.told & bit) != 0;
}

void
presses_act(void)
{
    for (unsigned who = 0; all != NULL && who < PEOPLE; who++) {
        for (unsigned table = 0; table < world.plan->tables; table++) {
            if ((busy & 1U << who) == 0 && has_to_peek(table, who) &&
                is_thread_open(table)) {
                struct act act = {.who = who,
                                  .table = table,
                                  .topic = crowd.tables[table].topic,
                                  .peeks = true,
                                  .press = "Show my cards"};
                (void)presses_begin(&act);
            }
        }
    }
}
