#include <string.h>

#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"
#include "tests/support/fake_discord.h"

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
    change_places();
}
