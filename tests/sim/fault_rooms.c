#include <string.h>

#include "tests/sim/fault_people_inner.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_nodebb.h"

/* Some take no DMs for a while; only Discord has that here. */
static void
close_dms(void)
{
    bool discord = strcmp(people_service()->adapter, "discord") == 0;
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
    if (strcmp(people_service()->adapter, "discord") == 0) {
        fake_discord_archive(server, crowd.tables[table].topic, shut, false);
    } else if (strcmp(people_service()->adapter, "nodebb") == 0) {
        nodebb_lock(server, shut);
    } else if (people_service()->shut != NULL) {
        people_service()->shut(server, shut);
    }
    world_tell("topics are %s", shut ? "closed" : "open again");
}

static void
shut_topics(void)
{
    unsigned table = world.plan->tables - 1;
    bool shut = crowd.shut_until > 0;
    if (crowd.tables[table].topic == 0 || !people_have_threads()) {
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

void
rooms_act(void)
{
    close_dms();
    shut_topics();
}
