/* What becomes of DMs, and of the places of games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/sim/fault_people_inner.h"
#include "tests/sim/fault_places.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"

enum {
    ASK_MS = 30 * 60000,  /* who has no DM asks for their role so often */
    TOLD_MS = 15 * 60000, /* … and so soon the thread is told of them */
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

/* In half of the games at NodeBB the chats of all are turned off. */
static bool
shuts_all(void)
{
    return is_at("nodebb") && world.plan->seed % 2 == 1;
}

/* Is a DM a room there, which people leave? */
static bool
leaves_dm(void)
{
    return is_at("matrix") || is_at("discourse") ||
           (is_at("nodebb") && !shuts_all());
}

bool
rooms_have_dm(unsigned who)
{
    void *server = world.people.server;
    bool shut = crowd.closed_until[who] > 0 && !is_at("discord");
    if (shut || !leaves_dm()) {
        return !shut;
    }
    return is_at("matrix")      ? homeserver_in_dm(server, id_of(who))
           : is_at("discourse") ? discourse_in_dm(server, people[who])
                                : nodebb_in_chat(server, people[who]);
}

/* Some take no messages from the host, or all that they write in a DM is lost
 * to them: they leave it. */
static void
shut_dm(unsigned who, bool shut)
{
    void *server = world.people.server;
    if (is_at("discord")) {
        fake_discord_close(server, people[who], shut);
    } else if (shuts_all()) {
        nodebb_close_chats(server, shut);
    } else if (is_at("nodebb")) {
        nodebb_block(server, shut ? people[who] : NULL);
        if (shut) {
            nodebb_leave(server, people[who]);
        }
    } else if (is_at("phpbb")) {
        phpbb_spare(server, shut ? people[who] : NULL);
    } else if (is_at("discourse")) {
        discourse_habits(server)->hermit = shut ? people[who] : NULL;
        if (shut) {
            discourse_leave(server, people[who], world_service_now());
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
    return (!any || is_at("discord") || is_at("matrix")) &&
           crowd.gone_until[who] == 0 && (!leaves_dm() || rooms_have_dm(who));
}

static void note_refused(unsigned who, int64_t at);

static void
close_dms(void)
{
    for (unsigned who = 0; who < PEOPLE; who++) {
        world_about("person", "", who, fault_people_rounds());
        bool closed = crowd.closed_until[who] > 0;
        if (closed &&
            (world.now >= crowd.closed_until[who] || !world.spoiled)) {
            shut_dm(who, false);
            crowd.closed_until[who] = 0;
            crowd.refused[who].at = is_at("matrix") ? 0 : crowd.refused[who].at;
            world_tell("%s takes DMs again", people[who]);
        } else if (!closed && may_shut(who) && world_strikes(FAULT_CLOSED)) {
            int64_t most = world.plan->lazy ? HOUR_MS / 3 : HOUR_MS;
            shut_dm(who, true);
            crowd.asked_at[who] = 0;
            crowd.closed_until[who] =
                world.now + (int64_t)world_dice(FAULT_CLOSED, (unsigned)most);
            world_tell("%s takes no DMs", people[who]);
            if (leaves_dm()) {
                /* The host reads that they have left, some naps later. */
                note_refused(who, world.now + 4 * world.plan->nap);
            }
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
        world_about("person", "", who, fault_people_rounds());
        int64_t until = crowd.gone_until[who];
        bool may = crowd.closed_until[who] == 0 &&
                   (!is_at("matrix") || rooms_have_dm(who));
        if (until > 0 && (world.now >= until || !world.spoiled)) {
            crowd.gone_until[who] = 0;
            leave(who, false);
        } else if (until == 0 && may && world_strikes(FAULT_LEFT)) {
            int64_t most = world.plan->lazy ? HOUR_MS / 3 : 3 * HOUR_MS;
            crowd.asked_at[who] = 0;
            crowd.gone_until[who] =
                world.now + 1 + (int64_t)world_dice(FAULT_LEFT, (unsigned)most);
            leave(who, true);
        }
    }
}

/* ---- who can't be reached -------------------------------------------------
 */

/* Does a President wait for their cards, as far as anybody can see? */
static bool
waits_for_cards(const struct table_there *there, unsigned who)
{
    const unsigned *dealt = there->dealt[there->rounds % ROUNDS_MAX];
    return people_find(there->president) == who &&
           (people_with_heirs(there, dealt[0]) & 1U << who) == 0;
}

/* Has the host to tell that its message does not reach somebody?  Not where
 * they have buttons for all that they are asked, and not if it would tell that
 * the President has chosen. */
static bool
is_to_be_told(unsigned who)
{
    const struct table_there *there = &crowd.tables[0];
    enum task_kind open = there->open.kind;
    /* Once a veto is declined, the session goes on; and it may be on where
     * moves were taken back. */
    bool session =
        open == TASK_SESSION || open == TASK_VETO || open == TASK_NOTHING;
    bool hidden = session && !waits_for_cards(there, who);
    return world.plan->tables == 1 && !world.plan->buttons &&
           there->topic != 0 && !there->over && there->rounds > 0 && !hidden &&
           people_sit(0, who) && (there->dead & 1U << who) == 0 &&
           !fault_people_put_out(0, who);
}

/* It is known to the host at a time. */
static void
note_refused(unsigned who, int64_t at)
{
    if (who < PEOPLE && crowd.refused[who].at == 0 && is_to_be_told(who)) {
        crowd.refused[who].at = at;
        crowd.refused[who].round = crowd.tables[0].rounds;
    }
}

void
fault_rooms_note(const char *url, int status, const char *body)
{
    const char *channel = strstr(url, "/channels/");
    if (!is_at("discord") || status != 403 || channel == NULL ||
        strstr(body, "Cannot send messages to this user") == NULL) {
        return;
    }
    unsigned who = people_find(
        fake_discord_dm(world.people.server,
                        strtoull(channel + strlen("/channels/"), NULL, 10)));
    note_refused(who, world.now);
}

void
rooms_read(const char *before, const char *text)
{
    static const char left[] = ", you aren't in our private chat";
    static const char refused[] = ", my private messages don't reach you";
    const char *phrase = strstr(text, left) != NULL ? left : refused;
    const char *at = strstr(text, phrase);
    char name[64];
    if (at == NULL || strstr(before, phrase) != NULL) {
        return;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)(at - text), text);
    unsigned who = people_find(name);
    bool asked =
        phrase == left || strstr(text, "please help, if you know ") != NULL;
    if (who < PEOPLE && asked) {
        crowd.told_round[who] = crowd.tables[0].rounds + 1;
    }
}

/* Does the host write where people are? */
static bool
can_be_told(void)
{
    uint64_t topic = crowd.tables[0].topic;
    return fault_places_takes_posts(topic) && fault_places_is_read(topic) &&
           !fault_places_is_encrypted(topic);
}

/* They are told once in a round, and soon, if nothing is wrong just then.  The
 * vote and the President's choice may have been read at once, and the message
 * to the Chancellor goes before the thread hears of either. */
static void
check_told(void)
{
    static int64_t out_at;  /* when the host was out of a place, last */
    static int64_t mute_at; /* … or could say nothing where people are */
    bool mute = !can_be_told() || fault_places_host_is_mute();
    mute_at = mute ? world.now : mute_at;
    out_at = fault_places_host_is_out() ? world.now : out_at;
    for (unsigned who = 0; who < PEOPLE; who++) {
        int64_t at = crowd.refused[who].at;
        if (at == 0 || world.now < at + TOLD_MS ||
            world.now < mute_at + TOLD_MS) {
            continue;
        }
        crowd.refused[who].at = 0;
        if (!is_at("matrix") && leaves_dm() && rooms_have_dm(who)) {
            continue; /* the host, or they, began another since */
        }
        if (world.troubled + TOLD_MS < at && out_at < at && !world.restored &&
            is_to_be_told(who) &&
            (crowd.told_round[who] == 0 ||
             crowd.told_round[who] < crowd.refused[who].round)) {
            world_fail("nobody is told that %s can't be reached", people[who]);
        }
    }
}

/* A member of a forum may begin a private message with the host; and at Matrix
 * anybody a chat, into which the host does not come. */
static void
begin_dm(unsigned who)
{
    void *server = world.people.server;
    struct buf text = BUF_INIT;
    people_fill(&world.people, people_service()->command, "!role", "", &text);
    world_tell("%s begins a DM", people[who]);
    if (is_at("discourse")) {
        (void)discourse_begin_dm(server, people[who], buf_text(&text),
                                 world_service_now());
    } else if (is_at("nodebb")) {
        (void)nodebb_begin_chat(server, people[who], buf_text(&text),
                                world_service_now());
    } else {
        homeserver_begin_chat(server, id_of(who), world_service_now());
    }
    buf_release(&text);
}

/* Who has left a DM asks in public what they are to do, or in another one; they
 * are told in public to do the latter.  At Matrix nobody may be in the other,
 * so they ask in public the next time. */
void
rooms_ask_for_dm(unsigned who, unsigned table)
{
    uint64_t chance =
        world_hash(FOR_DM, table, crowd.tables[table].rounds, who);
    uint64_t topic = crowd.tables[table].topic;
    bool asked = crowd.asked_at[who] != 0;
    bool begins = leaves_dm() && (asked ? is_at("discourse") : chance % 2 == 0);
    if (crowd.closed_until[who] != 0 || !fault_places_takes_posts(topic) ||
        world.now < crowd.asked_at[who] + ASK_MS) {
        return;
    }
    crowd.asked_at[who] = world.now;
    if (begins) {
        begin_dm(who);
    } else {
        people_plan_command(who, table, 0, "!role");
    }
}

/* ---- names ----------------------------------------------------------------
 */

/* Can a name be changed there now?  Not where seats change hands, nor before
 * the games begin: who takes a seat has it under the new name, which nobody
 * here knows. */
static bool
may_rename(void)
{
    bool change = world.plan->one_in[FAULT_VACATE] != 0 ||
                  world.plan->one_in[FAULT_REPLACE] != 0;
    for (unsigned i = 0; i < world.plan->tables; i++) {
        change = change || crowd.tables[i].rounds == 0;
    }
    return !change;
}

static void
call(unsigned who, const char *name)
{
    void *server = world.people.server;
    world_tell("%s is called %s", people[who], name);
    if (is_at("discord")) {
        fake_discord_rename(server, people[who], name);
    } else if (is_at("discourse")) {
        discourse_rename(server, people[who], name);
    } else if (is_at("nodebb")) {
        nodebb_rename(server, people[who], name);
    } else if (is_at("phpbb")) {
        phpbb_rename(server, people[who], name);
    } else {
        homeserver_rename(server, id_of(who), name, world_service_now());
    }
}

/* Somebody is called otherwise, or as at first.  Forums let nobody have
 * another's name, and in those of Discourse and NodeBB are no blanks here. */
static void
rename_somebody(void)
{
    static const char *const forms[] = {"%s", "%s the Great", "the real %s",
                                        "%s Nein", "Ja %s"};
    enum {
        FORMS = sizeof forms / sizeof forms[0]
    };
    char name[64];
    bool slugs = is_at("discourse") || is_at("nodebb");
    bool unique = slugs || is_at("phpbb");
    if (!may_rename() || !world_strikes(FAULT_RENAMED)) {
        return;
    }
    unsigned who = world_dice(FAULT_RENAMED, PEOPLE);
    unsigned other = unique ? who : world_dice(FAULT_RENAMED, PEOPLE);
    const char *form = forms[world_dice(FAULT_RENAMED, FORMS)];
    size_t len = strcspn(form, "%");
    (void)snprintf(name, sizeof name, "%.*s%s%s", (int)len, form, people[other],
                   form + len + 2);
    for (char *at = strchr(name, ' '); slugs && at != NULL;
         at = strchr(at, ' ')) {
        *at = '_';
    }
    call(who, name);
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
    check_told();
    world_about("places", "", fault_people_rounds(), 0);
    rename_somebody();
    change_places();
}
