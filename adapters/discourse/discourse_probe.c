/*
 * Discourse: what the account may do in a topic.
 *
 * The topic says whether it may write there, its account whether it is staff
 * and may open private messages, its inbox whether the API key is good for
 * that, the category whether it may open topics, and the forum's settings how
 * long posts may be.
 */
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    SHORTEST_WISHED = 5,       /* a vote: "Nein!" */
    SHORTEST_TALK_WISHED = 2,  /* "ja" */
    CREATES = 1,               /* a category's permission: everything */
    LONGEST_MAX = 1000 * 1000, /* of a setting that can be meant */
};

enum probe_step {
    PROBE_BEGIN,
    PROBE_TOPIC,
    PROBE_ACCOUNT,
    PROBE_INBOX,
    PROBE_CATEGORY,
    PROBE_SETTINGS
};

struct probing {
    enum probe_step step;
    char category[FORUM_ID_MAX + 1];
};

static void
advise_on_topic(struct trip *trip)
{
    bool shut = forum_is_set(trip->value, "closed") ||
                forum_is_set(trip->value, "archived");

    if (shut) {
        buf_add_text(&trip->out->advice,
                     "The topic is closed: open it again (the wrench below it "
                     "→ Open Topic).\n");
        return;
    }
    buf_addf(&trip->out->advice,
             "Let %s reply in the topic's category (category → Edit → "
             "Security), and see that it is not silenced (Admin → Users → "
             "%s).\n",
             trip->service->user, trip->service->user);
}

static enum turn
hear_topic(struct trip *trip, struct probing *probing)
{
    if (discourse_stream(trip) == NULL) {
        return discourse_refused(trip);
    }
    trip->out->rights |= RIGHT_READ;
    if (discourse_is_open(trip)) {
        trip->out->rights |= RIGHT_POST | RIGHT_EDIT;
    } else {
        advise_on_topic(trip);
    }
    (void)forum_hear_number(trip->value, "category_id", probing->category);
    probing->step = PROBE_ACCOUNT;
    discourse_ask_user(trip, trip->service->user);
    return TURN_REQUEST;
}

/* ---- the account --------------------------------------------------------- */

/* What holds up posts.  Staff is exempt from all of it. */
static void
tell_limits(struct trip *trip, bool staff, int64_t level)
{
    buf_add_text(&trip->out->limits,
                 staff ? "No pause between two posts, and no queue: it is a "
                         "moderator.\n"
                       : "5 seconds between two posts at first "
                         "(rate_limit_create_post); a new account's may wait "
                         "for a moderator (approve_post_count).\n");
    if (!staff && level == 0) {
        buf_add_text(
            &trip->out->limits,
            "Ten replies on its first day (max_replies_in_first_day), "
            "and three in a topic unless somebody answers it "
            "(newuser_max_replies_per_topic): it has trust level 0.\n");
    }
}

static void
advise_on_account(struct trip *trip, bool staff)
{
    const char *user = trip->service->user;

    if ((trip->out->rights & RIGHT_TALK) == 0) {
        buf_addf(&trip->out->advice,
                 "%s may not send personal messages or pictures yet: raise its "
                 "trust level (Admin → Users → %s → Trust Level), or end its "
                 "silence.\n",
                 user, user);
    }
    if (!staff) {
        buf_addf(&trip->out->advice,
                 "Make %s a moderator: else the forum takes three posts in a "
                 "row from it and no more, twenty personal messages a day, "
                 "thirty edits a day, and each edit of its status post may "
                 "bump the topic, and is refused after a day; and it can't "
                 "delete posts, nor lock them against edits.\n",
                 user);
    }
}

/* Site settings, as they are at first: max_consecutive_replies 3,
 * max_personal_messages_per_day 20 and max_edits_per_day 30 but for staff,
 * editing without a bump from level 4, and for a day at most below level 2
 * (post_edit_time_limit). */
static enum turn
hear_account(struct trip *trip, struct probing *probing)
{
    struct outcome *out = trip->out;
    json_object *user = jdoc_get(trip->value, "user");
    bool staff = forum_is_set(user, "moderator") || forum_is_set(user, "admin");
    int64_t level = 0;

    if (!heard_well(trip) || user == NULL) {
        return discourse_refused(trip);
    }
    (void)jdoc_integer(user, "trust_level", &level);
    /* Who is silenced may not even write to himself. */
    if (forum_is_set(user, "can_send_private_messages") &&
        forum_is_set(user, "can_send_private_message_to_user")) {
        out->rights |= RIGHT_TALK | RIGHT_UPLOAD;
    }
    if (staff) {
        out->rights |= RIGHT_DELETE | RIGHT_LOCK;
    }
    tell_limits(trip, staff, level);
    advise_on_account(trip, staff);
    probing->step = PROBE_INBOX;
    discourse_ask_list(trip, "private-messages", 0);
    return TURN_REQUEST;
}

/* A Granular key has no scope for the inbox, nor for locks: only a Global one
 * is good for all that the host does (app/models/api_key_scope.rb). */
static enum turn
hear_inbox(struct trip *trip, struct probing *probing)
{
    struct outcome *out = trip->out;

    if (discourse_said(trip, 403)) {
        out->rights &= ~(unsigned)(RIGHT_TALK | RIGHT_LOCK);
        buf_addf(&out->advice,
                 "The API key does not open the private messages of %s: make "
                 "one with the scope Global for the single user %s (Admin → "
                 "API Keys); a Granular key can't read them.\n",
                 trip->service->user, trip->service->user);
    } else if (!heard_well(trip)) {
        return discourse_refused(trip);
    }
    probing->step = PROBE_CATEGORY;
    discourse_ask(trip, "GET", "/c");
    ask_part(trip, probing->category[0] == '\0' ? "0" : probing->category);
    buf_add_text(&out->request.url, "/show.json");
    return TURN_REQUEST;
}

/* ---- the category and the settings --------------------------------------- */

/* The forum itself keeps it to itself: nothing is known then. */
static bool
is_untold(const struct trip *trip)
{
    return discourse_said(trip, 403) || discourse_said(trip, 404);
}

static enum turn
hear_category(struct trip *trip, struct probing *probing)
{
    int64_t permission = 0;

    if (!heard_well(trip) && !is_untold(trip)) {
        return discourse_refused(trip);
    }
    if (heard_well(trip) &&
        jdoc_integer(jdoc_get(trip->value, "category"), "permission",
                     &permission) &&
        permission == CREATES) {
        trip->out->rights |= RIGHT_OPEN;
    }
    probing->step = PROBE_SETTINGS;
    discourse_ask(trip, "GET", "/site/settings.json");
    return TURN_REQUEST;
}

/* A setting that is a length; 0: the forum doesn't tell. */
static size_t
hear_length(const struct trip *trip, const char *name)
{
    int64_t length = 0;

    return heard_well(trip) && jdoc_integer(trip->value, name, &length) &&
                   length > 0 && length <= LONGEST_MAX
               ? (size_t)length
               : 0;
}

static void
advise_on_length(struct trip *trip, const char *setting, size_t is,
                 size_t wished, const char *reason)
{
    if (is > wished) {
        buf_addf(&trip->out->advice,
                 "Lower %s from %zu to %zu (Admin → Settings → Posting): %s.\n",
                 setting, is, wished, reason);
    }
}

/* What is not told is as it is at first. */
static enum turn
hear_settings(struct trip *trip)
{
    struct outcome *out = trip->out;
    size_t shortest = hear_length(trip, "min_post_length");
    size_t talk = hear_length(trip, "min_personal_message_post_length");

    if (!heard_well(trip) && !is_untold(trip)) {
        return discourse_refused(trip);
    }
    out->shortest = shortest == 0 ? DISCOURSE_SHORTEST : shortest;
    out->longest = hear_length(trip, "max_post_length");
    advise_on_length(trip, "min_post_length", out->shortest, SHORTEST_WISHED,
                     "a vote is one word; else players have to write a few "
                     "more with it");
    advise_on_length(trip, "min_personal_message_post_length",
                     talk == 0 ? DISCOURSE_SHORTEST_TALK : talk,
                     SHORTEST_TALK_WISHED,
                     "\"discard 2\" has 9 characters, and a sealed vote is one "
                     "word");
    return TURN_DONE;
}

enum turn
discourse_probe(struct trip *trip)
{
    struct probing *probing = trip_memory(trip, sizeof(*probing));
    bool talk;
    const char *number = forum_number_of(trip->errand->place, &talk);

    switch (probing->step) {
    case PROBE_BEGIN:
        probing->step = PROBE_TOPIC;
        discourse_ask_topic(trip, number == NULL ? "0" : number, false);
        return TURN_REQUEST;
    case PROBE_TOPIC:
        return hear_topic(trip, probing);
    case PROBE_ACCOUNT:
        return hear_account(trip, probing);
    case PROBE_INBOX:
        return hear_inbox(trip, probing);
    case PROBE_CATEGORY:
        return hear_category(trip, probing);
    case PROBE_SETTINGS:
        break;
    }
    return hear_settings(trip);
}
