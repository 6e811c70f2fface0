#include "tests/live/barred.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/live/look.h"

#define DECLINED "you are not in our private chat"

enum barred_step {
    STEP_DECLINED, /* nobody has come to the DM, and that is awaited */
    STEP_VOTE,     /* the vote of the first round is awaited */
    STEP_MUTED,
    STEP_AGAIN, /* that of the second */
    STEP_OUT,   /* the host was removed, and finds its way back */
    STEP_LAST,  /* the vote of the third round is awaited */
};

struct barred barred;

/* Of five, these vote when the host is barred. */
static const unsigned late_voters = 1U << 2 | 1U << 3 | 1U << 4;

void
barred_set(void)
{
    struct account *shy = barred.party.players[BARRED_SHY];

    shy->accepts = false;
    shy->declines = true;
    barred.party.silent = late_voters;
}

/* ---- what the moderator does --------------------------------------------- */

/* Give the host a power level in the room. */
static void
set_level(int level)
{
    const struct party *party = &barred.party;
    struct buf path = BUF_INIT;
    json_object *levels =
        look_state(party->mo, party->room, "m.room.power_levels");
    json_object *users = jdoc_get(levels, "users");

    ck_assert_ptr_nonnull(users);
    json_object_object_add(users, party->bot, json_object_new_int(level));
    buf_add_text(&path, "/rooms/");
    path_add(&path, party->room);
    buf_add_text(&path, "/state/m.room.power_levels");
    json_object_put(account_ask(party->mo, "PUT", buf_text(&path),
                                json_object_to_json_string(levels), NULL));
    json_object_put(levels);
    buf_release(&path);
}

static void
put_out(void)
{
    const struct party *party = &barred.party;
    struct buf path = BUF_INIT;
    struct buf body = BUF_INIT;

    buf_add_text(&path, "/rooms/");
    path_add(&path, party->room);
    buf_add_text(&path, "/kick");
    buf_addf(&body, "{\"user_id\":\"%s\"}", party->bot);
    json_object_put(
        account_ask(party->mo, "POST", buf_text(&path), buf_text(&body), NULL));
    buf_release(&path);
    buf_release(&body);
}

/* ---- what happens -------------------------------------------------------- */

static bool
is_voting(unsigned round)
{
    const struct party *party = &barred.party;

    return party->rounds == round &&
           strstr(party->last, "shall President") != NULL;
}

static void
vote_late(void)
{
    for (unsigned i = 0; i < barred.party.count; i++) {
        if (late_voters >> i & 1U) {
            party_vote(&barred.party, i, true);
        }
    }
}

/* It is said in the thread that the DM was declined; whoever did that posts
 * there, and takes the invitation that comes then. */
static bool
is_offered_again(void)
{
    struct party *party = &barred.party;
    struct account *shy = party->players[BARRED_SHY];

    if (look_count(party, DECLINED) == 0) {
        return false;
    }
    shy->declines = false;
    shy->accepts = true;
    party_say(party, shy, "Nothing came here.", NULL, NULL);
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
        barred.called = barred.party.opened;
        put_out();
        return STEP_OUT;
    case STEP_OUT:
        if (!party_is_open(&barred.party)) {
            return step;
        }
        vote_late();
        return STEP_LAST;
    case STEP_LAST:
        /* The others may play on for long. */
        barred.over = is_voting(3);
        if (barred.over) {
            barred.party.tired = true;
            party_say(&barred.party, barred.party.mo, "!pause", NULL, NULL);
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

    if (now >= next && barred.party.heard > 0 && !barred.over) {
        next = now + SECOND_MS / 2;
        step = play(step, now);
    }
}
