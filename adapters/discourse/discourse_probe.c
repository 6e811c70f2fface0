/*
 * Discourse: what the account may do in a topic.
 *
 * The topic says whether it may write there, its account whether it is staff
 * and may open DMs, its inbox whether the API key is good for that, the
 * category whether it may open topics, and the forum's settings how long posts
 * may be.
 */
#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    LONGEST_MAX = 1000 * 1000, /* of a setting that can be meant */
};

/* Facts. */
enum {
    SHUT = 1 << 0,
    WRITES = 1 << 1,
    STAFF = 1 << 2,
    SENDS = 1 << 3,
    TRUSTED = 1 << 4,
    MESSAGES = 1 << 5
};

/* ---- rows ---------------------------------------------------------------- */

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
     .notes = MESSAGES,
     .gives = RIGHT_DM | RIGHT_UPLOAD},
    {.unless = MESSAGES,
     .advice = "{account} may not send personal messages or pictures yet: "
               "raise its trust level (Admin → Users → {account} → Trust "
               "Level), or end its silence."},
    {.unless = STAFF,
     .advice = "Make {account} a moderator: else the forum takes three posts "
               "in a row from it and no more, twenty personal messages a day, "
               "thirty edits a day, and each edit of its status post may bump "
               "the topic, and is refused after a day; and it can't delete "
               "posts, nor lock them against edits."},
    {0}};

/* A Granular key has no scope for the inbox, nor for locks: only a Global one
 * is good for all that the host does (app/models/api_key_scope.rb). */
static const struct forum_check in_inbox[] = {
    {.when = FORUM_UNTOLD,
     .takes = RIGHT_DM | RIGHT_LOCK,
     .advice = "The API key does not open the private messages of {account}: "
               "make one with the scope Global for the single user {account} "
               "(Admin → API Keys); a Granular key can't read them."},
    {0}};

static const struct forum_check in_category[] = {
    /* 1: everything. */
    {.path = "category.permission", .under = 2, .gives = RIGHT_OPEN},
    {0}};

/* What is not told has its default. */
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

/* ---- stages -------------------------------------------------------------- */

static enum advance
check_topic(struct exchange *exchange)
{
    return discourse_stream(exchange) != NULL ? ADVANCE_DONE
                                              : forum_refused(exchange);
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

static enum advance
take_lengths(struct exchange *exchange)
{
    size_t shortest = parse_length(exchange, "min_post_length");

    exchange->out->shortest = shortest == 0 ? DISCOURSE_SHORTEST : shortest;
    exchange->out->longest = parse_length(exchange, "max_post_length");
    return ADVANCE_DONE;
}

/* The forum itself keeps some to itself: nothing is known then. */
const struct forum_stage discourse_stages[] = {
    {.ask = FORUM_GET("/t/{topic}.json"),
     .path = "post_stream",
     .rows = in_topic,
     .take = check_topic},
    {.ask = FORUM_GET("/u/{account}.json"), .path = "user", .rows = in_account},
    {.ask = FORUM_GET("/topics/private-messages/{account}.json"),
     .path = "",
     .untold = {403},
     .rows = in_inbox},
    {.ask = FORUM_GET("/c/{number}/show.json"),
     .path = "",
     .untold = {403, 404},
     .rows = in_category},
    {.ask = FORUM_GET("/site/settings.json"),
     .path = "",
     .untold = {403, 404},
     .rows = in_settings,
     .take = take_lengths},
    {.path = NULL},
};
