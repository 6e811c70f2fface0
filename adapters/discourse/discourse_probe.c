/*
 * Discourse: what the account may do in a topic.
 *
 * The topic says whether it may write there, its account whether it is staff
 * and may open DMs, its inbox whether the API key is good for that, the
 * category whether it may open topics, and the forum's settings how long posts
 * may be.
 */
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    SHORTEST_WISHED = 5,       /* a vote: "Nein!" */
    SHORTEST_DM_WISHED = 2,    /* "ja" */
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
advise_on_topic(struct exchange *exchange)
{
    bool shut = forum_is_set(exchange->value, "closed") ||
                forum_is_set(exchange->value, "archived");

    if (shut) {
        buf_add_text(&exchange->out->advice,
                     "The topic is closed: open it again (the wrench below it "
                     "→ Open Topic).\n");
        return;
    }
    buf_addf(&exchange->out->advice,
             "Let %s reply in the topic's category (category → Edit → "
             "Security), and see that it is not silenced (Admin → Users → "
             "%s).\n",
             exchange->service->user, exchange->service->user);
}

static enum advance
parse_topic(struct exchange *exchange, struct probing *probing)
{
    if (discourse_stream(exchange) == NULL) {
        return discourse_refused(exchange);
    }
    exchange->out->rights |= RIGHT_READ;
    if (discourse_is_open(exchange)) {
        exchange->out->rights |= RIGHT_POST | RIGHT_EDIT;
    } else {
        advise_on_topic(exchange);
    }
    (void)forum_parse_number(exchange->value, "category_id", probing->category);
    probing->step = PROBE_ACCOUNT;
    discourse_ask_user(exchange, exchange->service->user);
    return ADVANCE_REQUEST;
}

/* ---- the account --------------------------------------------------------- */

/* What holds up posts.  Staff is exempt from all of it. */
static void
describe_limits(struct exchange *exchange, bool staff, int64_t level)
{
    buf_add_text(&exchange->out->limits,
                 staff ? "No pause between two posts, and no queue: it is a "
                         "moderator.\n"
                       : "5 seconds between two posts at first "
                         "(rate_limit_create_post); a new account's may wait "
                         "for a moderator (approve_post_count).\n");
    if (!staff && level == 0) {
        buf_add_text(
            &exchange->out->limits,
            "Ten replies on its first day (max_replies_in_first_day), "
            "and three in a topic unless somebody answers it "
            "(newuser_max_replies_per_topic): it has trust level 0.\n");
    }
}

static void
advise_on_account(struct exchange *exchange, bool staff)
{
    const char *user = exchange->service->user;

    if ((exchange->out->rights & RIGHT_DM) == 0) {
        buf_addf(&exchange->out->advice,
                 "%s may not send personal messages or pictures yet: raise its "
                 "trust level (Admin → Users → %s → Trust Level), or end its "
                 "silence.\n",
                 user, user);
    }
    if (!staff) {
        buf_addf(&exchange->out->advice,
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
static enum advance
parse_account(struct exchange *exchange, struct probing *probing)
{
    struct outcome *out = exchange->out;
    json_object *user = jdoc_get(exchange->value, "user");
    bool staff = forum_is_set(user, "moderator") || forum_is_set(user, "admin");
    int64_t level = 0;

    if (!is_success(exchange) || user == NULL) {
        return discourse_refused(exchange);
    }
    (void)jdoc_integer(user, "trust_level", &level);
    /* A silenced account can't even write to itself. */
    if (forum_is_set(user, "can_send_private_messages") &&
        forum_is_set(user, "can_send_private_message_to_user")) {
        out->rights |= RIGHT_DM | RIGHT_UPLOAD;
    }
    if (staff) {
        out->rights |= RIGHT_DELETE | RIGHT_LOCK;
    }
    describe_limits(exchange, staff, level);
    advise_on_account(exchange, staff);
    probing->step = PROBE_INBOX;
    discourse_ask_list(exchange, "private-messages", 0);
    return ADVANCE_REQUEST;
}

/* A Granular key has no scope for the inbox, nor for locks: only a Global one
 * is good for all that the host does (app/models/api_key_scope.rb). */
static enum advance
parse_inbox(struct exchange *exchange, struct probing *probing)
{
    struct outcome *out = exchange->out;

    if (discourse_said(exchange, 403)) {
        out->rights &= ~(unsigned)(RIGHT_DM | RIGHT_LOCK);
        buf_addf(&out->advice,
                 "The API key does not open the private messages of %s: make "
                 "one with the scope Global for the single user %s (Admin → "
                 "API Keys); a Granular key can't read them.\n",
                 exchange->service->user, exchange->service->user);
    } else if (!is_success(exchange)) {
        return discourse_refused(exchange);
    }
    probing->step = PROBE_CATEGORY;
    discourse_ask(exchange, "GET", "/c");
    ask_part(exchange, probing->category[0] == '\0' ? "0" : probing->category);
    buf_add_text(&out->request.url, "/show.json");
    return ADVANCE_REQUEST;
}

/* ---- the category and the settings --------------------------------------- */

/* The forum itself keeps it to itself: nothing is known then. */
static bool
is_untold(const struct exchange *exchange)
{
    return discourse_said(exchange, 403) || discourse_said(exchange, 404);
}

static enum advance
parse_category(struct exchange *exchange, struct probing *probing)
{
    int64_t permission = 0;

    if (!is_success(exchange) && !is_untold(exchange)) {
        return discourse_refused(exchange);
    }
    if (is_success(exchange) &&
        jdoc_integer(jdoc_get(exchange->value, "category"), "permission",
                     &permission) &&
        permission == CREATES) {
        exchange->out->rights |= RIGHT_OPEN;
    }
    probing->step = PROBE_SETTINGS;
    discourse_ask(exchange, "GET", "/site/settings.json");
    return ADVANCE_REQUEST;
}

/* A setting that is a length; 0: the forum doesn't tell. */
static size_t
parse_length(const struct exchange *exchange, const char *name)
{
    int64_t length = 0;

    return is_success(exchange) &&
                   jdoc_integer(exchange->value, name, &length) && length > 0 &&
                   length <= LONGEST_MAX
               ? (size_t)length
               : 0;
}

static void
advise_on_length(struct exchange *exchange, const char *setting, size_t is,
                 size_t wished, const char *reason)
{
    if (is > wished) {
        buf_addf(&exchange->out->advice,
                 "Lower %s from %zu to %zu (Admin → Settings → Posting): %s.\n",
                 setting, is, wished, reason);
    }
}

/* What is not told has its default. */
static enum advance
parse_settings(struct exchange *exchange)
{
    struct outcome *out = exchange->out;
    size_t shortest = parse_length(exchange, "min_post_length");
    size_t dm = parse_length(exchange, "min_personal_message_post_length");

    if (!is_success(exchange) && !is_untold(exchange)) {
        return discourse_refused(exchange);
    }
    out->shortest = shortest == 0 ? DISCOURSE_SHORTEST : shortest;
    out->longest = parse_length(exchange, "max_post_length");
    advise_on_length(exchange, "min_post_length", out->shortest,
                     SHORTEST_WISHED,
                     "a vote is one word; else players have to write a few "
                     "more with it");
    advise_on_length(exchange, "min_personal_message_post_length",
                     dm == 0 ? DISCOURSE_SHORTEST_DM : dm, SHORTEST_DM_WISHED,
                     "\"discard 2\" has 9 characters, and a sealed vote is one "
                     "word");
    return ADVANCE_DONE;
}

enum advance
discourse_probe(struct exchange *exchange)
{
    struct probing *probing = exchange_memory(exchange, sizeof(*probing));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    switch (probing->step) {
    case PROBE_BEGIN:
        probing->step = PROBE_TOPIC;
        discourse_ask_topic(exchange, number == NULL ? "0" : number);
        return ADVANCE_REQUEST;
    case PROBE_TOPIC:
        return parse_topic(exchange, probing);
    case PROBE_ACCOUNT:
        return parse_account(exchange, probing);
    case PROBE_INBOX:
        return parse_inbox(exchange, probing);
    case PROBE_CATEGORY:
        return parse_category(exchange, probing);
    case PROBE_SETTINGS:
        break;
    }
    return parse_settings(exchange);
}
