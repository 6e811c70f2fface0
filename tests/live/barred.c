#include "tests/live/barred.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/live/look.h"

#define DECLINED "you aren't in our private chat"

enum barred_step {
    STEP_DECLINED, /* the host has yet to notice who declined */
    STEP_VOTE,     /* waits for the vote of the first round */
    STEP_MUTED,
    STEP_AGAIN, /* that of the second */
    STEP_OUT,   /* the host was removed, and finds its way back */
    STEP_LAST,  /* waits for the vote of the third round */
};

struct barred barred;

/* Of five, these vote when the host is barred. */
static const unsigned late_voters = 1U << 2 | 1U << 3 | 1U << 4;

void
barred_set(void)
{
    struct account *shy = barred.group.players[BARRED_SHY];

    shy->accepts = false;
    shy->declines = true;
    barred.group.silent = late_voters;
}

/* ---- what the moderator does --------------------------------------------- */

/* Give the host a power level in the room. */
static void
set_level(int level)
{
    const struct group *group = &barred.group;
    struct buf path = BUF_INIT;
    json_object *levels =
        look_state(group->mo, group->room, "m.room.power_levels");
    json_object *users = jdoc_get(levels, "users");

    ck_assert_ptr_nonnull(users);
    json_object_object_add(users, group->bot, json_object_new_int(level));
    buf_add_text(&path, "/rooms/");
    path_add(&path, group->room);
    buf_add_text(&path, "/state/m.room.power_levels");
    json_object_put(account_ask(group->mo, "PUT", buf_text(&path),
                                json_object_to_json_string(levels), NULL));
    json_object_put(levels);
    buf_release(&path);
}

static void
put_out(void)
{
    const struct group *group = &barred.group;
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, group->room);
    buf_add_text(&path, "/kick");
    buf_addf(&body, "{\"user_id\":\"%s\"}", group->bot);
    json_object_put(
        account_ask(group->mo, "POST", buf_text(&path), buf_text(&body), NULL));
    buf_release(&path);
    buf_release(&body);
}

/* ---- what happens -------------------------------------------------------- */

static bool
is_voting(unsigned round)
{
    const struct group *group = &barred.group;

    return group->rounds == round && strstr(group->last, " nominates ") != NULL;
}

static void
vote_late(void)
{
    for (unsigned i = 0; i < barred.group.count; i++) {
        if (late_voters >> i & 1U) {
            group_vote(&barred.group, i, true);
        }
    }
}

/* It is said in the thread that the DM was declined; whoever did that posts
 * there, and takes the invitation that comes then. */
static bool
is_offered_again(void)
{
    struct group *group = &barred.group;
    struct account *shy = group->players[BARRED_SHY];

    if (look_count(group, DECLINED) == 0) {
        return false;
    }
    shy->declines = false;
    shy->accepts = true;
    group_say(group, shy, "Nothing came here.", NULL, NULL);
    return true;
}

/* The step that follows. */
static enum barred_step
play(enum barred_step step, int64_t now)
{
    switch (step) {
    case STEP_DECLINED:
        return is_offered_again() ? STEP_VOTE : step;
    case STEP_VOTE:
        if (!is_voting(1)) {
            return step;
        }
        set_level(-1);
        barred.muted = now;
        vote_late();
        return STEP_MUTED;
    case STEP_MUTED:
        if (now < barred.muted + BARRED_MUTE_MS) {
            return step;
        }
        set_level(0);
        barred.lifted = now;
        return STEP_AGAIN;
    case STEP_AGAIN:
        if (!is_voting(2)) {
            return step;
        }
        barred.called = barred.group.opened;
        put_out();
        return STEP_OUT;
    case STEP_OUT:
        if (!group_is_open(&barred.group)) {
            return step;
        }
        vote_late();
        return STEP_LAST;
    case STEP_LAST:
        /* The others may play on for long. */
        barred.over = is_voting(3);
        if (barred.over) {
            barred.group.stopped = true;
            group_say(&barred.group, barred.group.mo, "!pause", NULL, NULL);
        }
        break;
    }
    return step;
}

void
barred_play(void)
{
    static enum barred_step step;
    static int64_t next;
    int64_t now = live_now();

    if (now >= next && barred.group.posts > 0 && !barred.over) {
        next = now + SECOND_MS / 2;
        step = play(step, now);
    }
}
