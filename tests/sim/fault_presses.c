/*
 * People press buttons, and are answered, where Discord's gateway tells of
 * presses.  Who is not answered, or is told that it does not count, writes what
 * they would have written.
 */
#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"
#include "tests/bench/fake_gateway.h"
#include "tests/sim/fault_people_inner.h"
#include "tests/support/fake_presses.h"

enum {
    LOOK_MS = 5000, /* people look again for an answer that is not there */
    LOOKS = 12,     /* … and then write */
    LOOKS_MAX = 180 /* an answer that has not come by then is none */
};

/* A host that was in trouble until then has not recovered yet. */
#define RECOVERY_MS (5 * MINUTE_MS)

static struct fake_presses *all;
static unsigned busy; /* bits of people who look for an answer */
/* Bits of people who were told that their vote in a round counts. */
static unsigned votes_that_count[TABLES][ROUNDS_MAX];

void
presses_open(void)
{
    if (world.plan->buttons) {
        all = fake_presses_new(world.people.server);
    }
}

bool
fault_presses_counted(unsigned table, unsigned round, unsigned who)
{
    return round < ROUNDS_MAX &&
           (votes_that_count[table][round] & 1U << who) != 0;
}

/* Somebody presses; then they look for what they are shown. */
static bool
press(const struct act *act, uint64_t topic, const char *label, bool confirms)
{
    struct buf event = BUF_INIT;
    struct fake_press *pressed = fake_presses_press(
        all, people_name(act->who), topic, label, world_service_now(), &event);
    if (pressed != NULL) {
        world_tell("%s presses “%s”", people_name(act->who), label);
        fake_gateway_send("INTERACTION_CREATE", buf_text(&event), world.now);
        struct act look = *act;
        look.pressed = pressed;
        look.confirms = confirms;
        look.pressed_at = world.now;
        look.tries = 0;
        *people_plan(act->who, act->table, act->topic, LOOK_MS) = look;
    }
    buf_release(&event);
    return pressed != NULL;
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

bool
presses_begin(const struct act *act)
{
    unsigned bit = act->who < PEOPLE ? 1U << act->who : 0;
    if (all == NULL || act->press[0] == '\0' || (busy & bit) != 0 ||
        !world_strikes(FAULT_PRESSES) ||
        !press(act, crowd.tables[act->table].topic, act->press, false)) {
        return false;
    }
    busy |= bit;
    return true;
}

/* They write instead. */
static void
write_instead(const struct act *act)
{
    struct act post = *act;
    busy &= ~(1U << act->who);
    post.pressed = NULL;
    post.press[0] = '\0';
    post.tries = 0;
    plan_again(&post, 0);
}

/* An answer that does not come in time is missing where nothing was wrong. */
static void
check_answered(const struct act *act)
{
    if (world.troubled + RECOVERY_MS < act->pressed_at && !world.restored &&
        fault_plan_clocks_are_right(world.plan)) {
        world_fail("%s has pressed “%s” in vain: %s", people_name(act->who),
                   act->confirms ? "Yes" : act->press,
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

void
presses_look(const struct act *act)
{
    const char *shown = act->pressed->content;
    if (act->pressed->answers == 0) {
        look_again(act);
    } else if (act->tries >= LOOKS) {
        world_tell("%s is shown too late: %s", people_name(act->who), shown);
    } else if (!act->confirms && strstr(shown, "sure?") != NULL) {
        world_tell("%s is shown: %s", people_name(act->who), shown);
        if (!press(act, 0, "Yes", true)) {
            world_fail("%s can't say that it is meant", people_name(act->who));
        }
    } else if (strstr(shown, "it counts") != NULL) {
        world_tell("%s is told that it counts", people_name(act->who));
        busy &= ~(1U << act->who);
        votes_that_count[act->table][act->round % ROUNDS_MAX] |=
            (act->vote ? 1U : 0U) << act->who;
    } else {
        world_tell("%s is shown: %s", people_name(act->who), shown);
        write_instead(act);
    }
}
