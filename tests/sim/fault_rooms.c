/* What becomes of DMs, and of the places of games. */
#include <stdio.h>
#include <string.h>

#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"

enum {
    ASK_MS = 30 * 60000, /* who has no DM asks for their role so often */
};

static bool
is_at(const char *service)
{
    return strcmp(people_service()->adapter, service) == 0;
}

/* ---- DMs ------------------------------------------------------------------
 */

static const char *
id_of(unsigned who)
{
    static struct buf id;
    buf_clear(&id);
    people_service()->user(world.people.server, people[who], &id);
    return buf_text(&id);
}

bool
rooms_have_dm(unsigned who)
{
    void *server = world.people.server;
    bool shut = crowd.closed_until[who] > 0 && !is_at("discord");
    return !shut &&
           (!is_at("matrix") || homeserver_in_dm(server, id_of(who))) &&
           (!is_at("discourse") || discourse_in_dm(server, people[who]));
}

/* Some take no messages from the host, or all that they write in a DM is lost
 * to them: they leave it. */
static void
shut_dm(unsigned who, bool shut)
{
    void *server = world.people.server;
    if (is_at("discord")) {
        fake_discord_close(server, people[who], shut);
    } else if (is_at("nodebb")) {
        nodebb_close_chats(server, shut);
    } else if (is_at("phpbb")) {
        phpbb_spare(server, shut ? people[who] : NULL);
    } else if (is_at("discourse")) {
        discourse_habits(server)->hermit = shut ? people[who] : NULL;
        if (shut) {
            discourse_leave(server, people[who]);
        }
    } else if (shut) {
        homeserver_leave_dm(server, id_of(who), world_service_now());
    } else {
        homeserver_come_back(server, id_of(who), world_service_now());
    }
}

/* Can somebody shut theirs now?  Two services have one of all, or know of one
 * person alone. */
static bool
may_shut(unsigned who)
{
    bool any = false;
    for (unsigned other = 0; other < PEOPLE; other++) {
        any = any || crowd.closed_until[other] > 0;
    }
    bool leaves = is_at("matrix") || is_at("discourse");
    return (!any || is_at("discord") || is_at("matrix")) &&
           crowd.gone_until[who] == 0 && (!leaves || rooms_have_dm(who));
}

static void
close_dms(void)
{
    for (unsigned who = 0; who < PEOPLE; who++) {
        bool closed = crowd.closed_until[who] > 0;
        if (closed &&
            (world.now >= crowd.closed_until[who] || !world.spoiled)) {
            shut_dm(who, false);
            crowd.closed_until[who] = 0;
            world_tell("%s takes DMs again", people[who]);
        } else if (!closed && may_shut(who) && world_strikes(FAULT_CLOSED)) {
            int64_t most = world.plan->lazy ? HOUR_MS / 3 : HOUR_MS;
            shut_dm(who, true);
            crowd.closed_until[who] =
                world.now + (int64_t)world_dice(FAULT_CLOSED, (unsigned)most);
            world_tell("%s takes no DMs", people[who]);
        }
    }
}

bool
rooms_is_gone(unsigned who)
{
    return crowd.gone_until[who] > 0;
}

/* Somebody leaves the server, or all rooms; boards suspend an account.  Then
 * they are back, as who they were. */
static void
leave(unsigned who, bool gone)
{
    void *server = world.people.server;
    world_tell("%s %s", people[who], gone ? "is gone" : "is back");
    if (is_at("discord")) {
        fake_discord_leave(server, people[who], gone);
    } else if (is_at("matrix") && gone) {
        homeserver_leave(server, id_of(who), world_service_now());
    } else if (is_at("matrix")) {
        homeserver_return(server, id_of(who), world_service_now());
    }
}

static void
let_people_go(void)
{
    for (unsigned who = 0; who < PEOPLE; who++) {
        int64_t until = crowd.gone_until[who];
        bool may = crowd.closed_until[who] == 0 &&
                   (!is_at("matrix") || rooms_have_dm(who));
        if (until > 0 && (world.now >= until || !world.spoiled)) {
            crowd.gone_until[who] = 0;
            leave(who, false);
        } else if (until == 0 && may && world_strikes(FAULT_LEFT)) {
            int64_t most = world.plan->lazy ? HOUR_MS / 3 : 3 * HOUR_MS;
            crowd.gone_until[who] =
                world.now + 1 + (int64_t)world_dice(FAULT_LEFT, (unsigned)most);
            leave(who, true);
        }
    }
}

/* Who has left a DM asks in public what they are to do. */
void
rooms_ask_for_dm(unsigned who, unsigned table)
{
    if (crowd.closed_until[who] == 0 &&
        world.now >= crowd.asked_at[who] + ASK_MS) {
        crowd.asked_at[who] = world.now;
        people_plan_command(who, table, 0, "!role");
    }
}

/* ---- names ----------------------------------------------------------------
 */

/* Somebody is called otherwise, or as at first.  Boards let nobody have
 * another's name, and Discourse and NodeBB know people by theirs.  Not where
 * seats change hands, nor before the games begin: who takes a seat has it under
 * the new name, which nobody here knows. */
static void
rename_somebody(void)
{
    static const char *const forms[] = {"%s", "%s the Great", "the real %s",
                                        "%s Nein", "Ja %s"};
    enum {
        FORMS = sizeof forms / sizeof forms[0]
    };
    char name[64];
    void *server = world.people.server;
    bool unique = is_at("phpbb");
    bool change = world.plan->one_in[FAULT_VACATE] != 0 ||
                  world.plan->one_in[FAULT_REPLACE] != 0;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        change = change || crowd.tables[i].rounds == 0;
    }
    if (change || (!unique && !is_at("discord") && !is_at("matrix")) ||
        !world_strikes(FAULT_RENAMED)) {
        return;
    }
    unsigned who = world_dice(FAULT_RENAMED, PEOPLE);
    unsigned other = unique ? who : world_dice(FAULT_RENAMED, PEOPLE);
    const char *form = forms[world_dice(FAULT_RENAMED, FORMS)];
    size_t len = strcspn(form, "%");
    (void)snprintf(name, sizeof name, "%.*s%s%s", (int)len, form, people[other],
                   form + len + 2);
    world_tell("%s is called %s", people[who], name);
    if (is_at("discord")) {
        fake_discord_rename(server, people[who], name);
    } else if (unique) {
        phpbb_rename(server, people[who], name);
    } else {
        homeserver_rename(server, id_of(who), name, world_service_now());
    }
}

/* ---- places ---------------------------------------------------------------
 */

/* Something happens to the place of a table. */
static void
change_places(void)
{
    struct table_there *there = &crowd.tables[world.plan->tables - 1];
    if (there->topic != 0) {
        there->topic = fault_places_act(there->topic, there->rounds > 0);
    }
}

void
rooms_act(void)
{
    close_dms();
    let_people_go();
    rename_somebody();
    change_places();
}
