/*
 * phpBB: who the account is, and what it may do.
 *
 * A board tells nobody's permissions.  Each is seen by what it shows: the forms
 * for a reply, a new topic, a private message, and the links of a topic's page.
 * One without a right comes as 403 here and there.
 */
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"

#define PROBED(address)                                                        \
    .ask = {.method = "GET",                                                   \
            .path = (address),                                                 \
            .route = "form",                                                   \
            .apart = PHPBB_APART_MS},                                          \
    .path = "", .untold = {403, 0}

enum {
    MODERATES = 1,
    FEEDS = 2,
    REPLIES = 4,
    WRITES = 8
};

/* ---- who am I? ----------------------------------------------------------- */

static enum advance
parse_self(struct exchange *exchange)
{
    const char *language = forum_text(exchange->value, "language");
    int64_t number = forum_member(exchange);

    if (number == 0 || reply_err(exchange->reply) != ERR_NONE) {
        return forum_refused(exchange);
    }
    buf_add_number(&exchange->out->id, number);
    buf_add_text(&exchange->out->shown, exchange->service->user);
    if (language == NULL || strncmp(language, "en", 2) != 0) {
        buf_addf(&exchange->out->advice,
                 "Set the board's language to English for %s (User Control "
                 "Panel → Board preferences → My language): the host reads "
                 "what the board refuses.\n",
                 exchange->service->user);
    }
    return ADVANCE_DONE;
}

enum advance
phpbb_who(struct exchange *exchange)
{
    static const struct forum_endpoint inbox =
        PHPBB_PAGE("/ucp.php?i=pm&folder=inbox");

    return forum_ask(exchange, &inbox, parse_self);
}

/* ---- what may I do in a topic? ------------------------------------------- */

/* A moderator has the link to the control panel in the page's head, and one to
 * delete below posts. */
static enum advance
take_links(struct exchange *exchange)
{
    struct forum_probing *probing = forum_memory(exchange, sizeof(*probing));
    struct html_span page = {exchange->reply->body, exchange->reply->len};
    struct html_span head = page;
    struct page_element found;

    if (page_find(page, "#page-body", PAGE_FIRST, &found) > 0) {
        head.len = (size_t)(found.rest.text - page.text);
    }
    if (page_find(head, "a[href*=mcp.php]", PAGE_FIRST, &found) > 0) {
        probing->facts |= MODERATES;
        if (page_find(page, "a[href*=mode=soft_delete],a[href*=mode=delete]",
                      PAGE_FIRST, &found) > 0) {
            exchange->out->rights |= RIGHT_DELETE;
        }
    }
    return ADVANCE_DONE;
}

/* No page tells the limits.  The interval is for moderators as well
 * (posting.php, includes/ucp/ucp_pm_compose.php: u_ignoreflood); 15 seconds are
 * its default. */
static const struct forum_check topic_rows[] = {
    {.gives = RIGHT_READ},
    {.limits =
         "15 seconds between two posts or messages at first (ACP → "
         "General → Post settings: Flood interval), unless {account} may "
         "ignore that (ACP → Permissions → Users' permissions → {account} "
         "→ Misc: Can ignore flood limit)."},
    {.limits = "A post of one character is enough at first (ACP → General → "
               "Post settings: Minimum characters per post)."},
    {.limits = "What newly registered users post waits for a moderator: they "
               "are in a group of that name (ACP → Users and Groups → Manage "
               "groups)."},
    {.limits = "Votes can't be read whose words the board replaces: nein and "
               "hitler must not be there (ACP → Posting → Word censoring)."},
    {.unless = MODERATES,
     .advice = "Make {account} a moderator of the forum (ACP → Forums → Forum "
               "moderators, role Standard Moderator): then it can edit its "
               "posts however old they are, see posts that wait for approval, "
               "and delete posts where a place asks for that."},
    {.path = "feed", .notes = FEEDS},
    {.unless = FEEDS,
     .advice = "Turn the board's feeds on (ACP → General → Feed settings: "
               "Enable feeds, Enable per-topic feeds): without them nobody can "
               "tell when a post was edited, and a vote that was edited before "
               "it was read counts nothing."},
    {0},
};

static const struct forum_check reply_rows[] = {
    {.path = "form", .notes = REPLIES, .gives = RIGHT_POST | RIGHT_EDIT},
    {.unless = REPLIES,
     .advice = "Let the host's account reply in the topic's forum, and see "
               "that the topic is not locked{said}."},
    {0},
};

static const struct forum_check new_rows[] = {
    {.path = "form", .gives = RIGHT_OPEN},
    {0},
};

/* Members who are new to a board may send none, as it is at first. */
static const struct forum_check compose_rows[] = {
    {.path = "form", .notes = WRITES, .gives = RIGHT_DM},
    {.unless = WRITES,
     .advice = "Let the host's account send private messages (ACP → Users and "
               "Groups → Manage users → Groups: not \"Newly registered "
               "users\"){said}."},
    {0},
};

static const struct forum_check delete_rows[] = {
    {.when = FORUM_UNTOLD,
     .advice = "Let {account} delete private messages (ACP → Permissions → "
               "Users' permissions → Private messages): it keeps the last ten "
               "of its inbox, which takes 50 at first and holds back what "
               "comes then."},
    {0},
};

const struct forum_stage phpbb_stages[] = {
    {.ask = PHPBB_PAGE("/viewtopic.php?t={topic}"),
     .path = "total",
     .take = take_links,
     .rows = topic_rows},
    {PROBED("/posting.php?mode=reply&t={topic}"), .rows = reply_rows},
    {PROBED("/posting.php?mode=post&f={number}"), .rows = new_rows},
    {PROBED("/ucp.php?i=pm&mode=compose"), .rows = compose_rows},
    /* Of no message: who may delete none is told that first. */
    {.ask = PHPBB_PAGE("/ucp.php?i=pm&mode=compose&action=delete&f=0&p=0"),
     .path = "",
     .untold = {403, 0},
     .missing = true,
     .when = WRITES,
     .rows = delete_rows},
    {.path = NULL},
};
