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
    CREATES = 1,               /* a category's permission: everything */
    LONGEST_MAX = 1000 * 1000, /* of a setting that can be meant */
};

/* Facts. */
enum {
    SHUT = 1 << 0,
    WRITES = 1 << 1,
    STAFF = 1 << 2,
    SENDS = 1 << 3,
    TRUSTED = 1 << 4
};

struct probing {
    unsigned facts;
    int64_t category;
};

static struct probing *
probing_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct probing));
}

static void
check(struct exchange *exchange, const struct forum_check *rows)
{
    forum_check(exchange, rows, &probing_of(exchange)->facts);
}

/* The forum itself keeps it to itself: nothing is known then. */
static bool
is_untold(const struct exchange *exchange)
{
    return discourse_said(exchange, 403) || discourse_said(exchange, 404);
}

/* ---- the settings -------------------------------------------------------- */

static const struct forum_check in_settings[] = {
    {.path = "min_post_length",
     .over = 5, /* a vote: "Nein!" */
     .otherwise = DISCOURSE_SHORTEST,
     .advice = "Lower min_post_length from {number} to 5 (Admin → Settings → "
               "Posting): a vote is one word; else players have to write a few "
               "more with it."},
    {.path = "min_personal_message_post_length",
     .over = 2, /* "ja" */
     .otherwise = DISCOURSE_SHORTEST_DM,
     .advice = "Lower min_personal_message_post_length from {number} to 2 "
               "(Admin → Settings → Posting): \"discard 2\" has 9 characters, "
               "and a sealed vote is one word."},
    {0}};

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

/* What is not told has its default. */
static enum advance
parse_settings(struct exchange *exchange)
{
    struct outcome *out = exchange->out;
    size_t shortest = parse_length(exchange, "min_post_length");

    if (!is_success(exchange) && !is_untold(exchange)) {
        return forum_refused(exchange);
    }
    out->shortest = shortest == 0 ? DISCOURSE_SHORTEST : shortest;
    out->longest = parse_length(exchange, "max_post_length");
    check(exchange, in_settings);
    return ADVANCE_DONE;
}

/* ---- the category, and the inbox ----------------------------------------- */

static enum advance
parse_category(struct exchange *exchange)
{
    static const struct forum_endpoint settings = {
        .method = "GET", .path = "/site/settings.json"};
    int64_t permission = 0;

    if (!is_success(exchange) && !is_untold(exchange)) {
        return forum_refused(exchange);
    }
    if (is_success(exchange) &&
        forum_number(exchange->value, "category.permission", &permission) &&
        permission == CREATES) {
        exchange->out->rights |= RIGHT_OPEN;
    }
    return forum_ask(exchange, &settings, (struct forum_values){0},
                     parse_settings);
}

static const struct forum_check without_inbox[] = {
    {.takes = RIGHT_DM | RIGHT_LOCK,
     .advice = "The API key does not open the private messages of {account}: "
               "make one with the scope Global for the single user {account} "
               "(Admin → API Keys); a Granular key can't read them."},
    {0}};

/* A Granular key has no scope for the inbox, nor for locks: only a Global one
 * is good for all that the host does (app/models/api_key_scope.rb). */
static enum advance
parse_inbox(struct exchange *exchange)
{
    static const struct forum_endpoint category = {
        .method = "GET", .path = "/c/{number}/show.json"};

    if (discourse_said(exchange, 403)) {
        check(exchange, without_inbox);
    } else if (!is_success(exchange)) {
        return forum_refused(exchange);
    }
    return forum_ask(
        exchange, &category,
        (struct forum_values){.number = probing_of(exchange)->category},
        parse_category);
}

/* ---- the account --------------------------------------------------------- */

/* Site settings, as they are at first: max_consecutive_replies 3,
 * max_personal_messages_per_day 20 and max_edits_per_day 30 but for staff,
 * editing without a bump from level 4, and for a day at most below level 2
 * (post_edit_time_limit).  Staff is exempt from all that holds up posts. */
static const struct forum_check in_account[] = {
    {.path = "user.moderator", .notes = STAFF},
    {.path = "user.admin", .notes = STAFF},
    {.path = "user.trust_level", .notes = TRUSTED},
    {.when = STAFF,
     .gives = RIGHT_DELETE | RIGHT_LOCK,
     .limits = "No pause between two posts, and no queue: it is a moderator."},
    {.unless = STAFF,
     .limits = "5 seconds between two posts at first (rate_limit_create_post); "
               "a new account's may wait for a moderator "
               "(approve_post_count)."},
    {.unless = STAFF | TRUSTED,
     .limits = "Ten replies on its first day (max_replies_in_first_day), and "
               "three in a topic unless somebody answers it "
               "(newuser_max_replies_per_topic): it has trust level 0."},
    /* A silenced account can't even write to itself. */
    {.path = "user.can_send_private_messages", .notes = SENDS},
    {.path = "user.can_send_private_message_to_user",
     .when = SENDS,
     .gives = RIGHT_DM | RIGHT_UPLOAD},
    {0}};

static const struct forum_check without_messages[] = {
    {.advice = "{account} may not send personal messages or pictures yet: "
               "raise its trust level (Admin → Users → {account} → Trust "
               "Level), or end its silence."},
    {0}};

static const struct forum_check no_staff[] = {
    {.unless = STAFF,
     .advice = "Make {account} a moderator: else the forum takes three posts "
               "in a row from it and no more, twenty personal messages a day, "
               "thirty edits a day, and each edit of its status post may bump "
               "the topic, and is refused after a day; and it can't delete "
               "posts, nor lock them against edits."},
    {0}};

static enum advance
parse_account(struct exchange *exchange)
{
    if (!is_success(exchange) || jdoc_get(exchange->value, "user") == NULL) {
        return forum_refused(exchange);
    }
    check(exchange, in_account);
    if ((exchange->out->rights & RIGHT_DM) == 0) {
        check(exchange, without_messages);
    }
    check(exchange, no_staff);
    return forum_ask(exchange, &forum_discourse.ask.dms[0],
                     (struct forum_values){0}, parse_inbox);
}

/* ---- the topic ----------------------------------------------------------- */

static const struct forum_check in_topic[] = {
    {.gives = RIGHT_READ},
    {.path = "closed", .notes = SHUT},
    {.path = "archived", .notes = SHUT},
    {.path = "details.can_create_post",
     .unless = SHUT,
     .notes = WRITES,
     .gives = RIGHT_POST | RIGHT_EDIT},
    {.when = SHUT,
     .advice = "The topic is closed: open it again (the wrench below it → Open "
               "Topic)."},
    {.unless = SHUT | WRITES,
     .advice = "Let {account} reply in the topic's category (category → Edit → "
               "Security), and see that it is not silenced (Admin → Users → "
               "{account})."},
    {0}};

static enum advance
parse_topic(struct exchange *exchange)
{
    if (discourse_stream(exchange) == NULL) {
        return forum_refused(exchange);
    }
    check(exchange, in_topic);
    (void)forum_number(exchange->value, "category_id",
                       &probing_of(exchange)->category);
    return forum_ask(exchange, &forum_discourse.ask.self,
                     (struct forum_values){0}, parse_account);
}

enum advance
discourse_probe(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_discourse.ask.topic,
                     (struct forum_values){0}, parse_topic);
}
