/*
 * phpBB: who the account is, what it may do, and who others are.
 *
 * A board tells nobody's permissions.  Each is seen by what it shows: the forms
 * for a reply, a new topic, a private message, and the links of a topic's page.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"

/* ---- who am I? ----------------------------------------------------------- */

/* In which language does the account read the board?  "en-gb". */
static void
add_language(struct html_span page, struct buf *language)
{
    struct html_tag tag;
    bool found = false;

    while (!found && page_next_tag(&page, &tag)) {
        found = !tag.closing && html_is(tag.name, "html");
    }
    if (found) {
        (void)page_attribute(&tag, "lang", language);
    }
}

static enum advance
parse_self(struct exchange *exchange)
{
    struct buf language = BUF_INIT;
    int64_t number = forum_member(exchange);

    if (number == 0 || reply_err(exchange->reply) != ERR_NONE) {
        return forum_refused(exchange);
    }
    buf_add_number(&exchange->out->id, number);
    buf_add_text(&exchange->out->shown, exchange->service->user);
    add_language(phpbb_page(exchange), &language);
    if (strncmp(buf_text(&language), "en", 2) != 0) {
        buf_addf(&exchange->out->advice,
                 "Set the board's language to English for %s (User Control "
                 "Panel → Board preferences → My language): the host reads "
                 "what the board refuses.\n",
                 exchange->service->user);
    }
    buf_release(&language);
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

/* No page tells them.  The interval is for moderators as well (posting.php,
 * includes/ucp/ucp_pm_compose.php: u_ignoreflood); 15 seconds are its default.
 */
static void
describe_limits(struct exchange *exchange)
{
    buf_addf(&exchange->out->limits,
             "15 seconds between two posts or messages at first (ACP → General "
             "→ Post settings: Flood interval), unless %s may ignore that (ACP "
             "→ Permissions → Users' permissions → %s → Misc: Can ignore flood "
             "limit).\n",
             exchange->service->user, exchange->service->user);
    buf_add_text(
        &exchange->out->limits,
        "A post of one character is enough at first (ACP → General → "
        "Post settings: Minimum characters per post).\n"
        "What newly registered users post waits for a moderator: they "
        "are in a group of that name (ACP → Users and Groups → Manage "
        "groups).\n"
        "Votes can't be read whose words the board replaces: nein and "
        "hitler must not be there (ACP → Posting → Word censoring).\n");
}

/* Is it a page of the board's own, though it may say no?  One without a right
 * comes as 403 here and there. */
static bool
is_answer(const struct exchange *exchange)
{
    struct buf words = BUF_INIT;

    if (exchange->reply->status == 403) {
        phpbb_add_words(exchange, &words);
    }
    bool answer = exchange->reply->status == 200 || words.len > 0;

    buf_release(&words);
    return answer;
}

/* Is there the form of a post or message? */
static bool
has_form(const struct exchange *exchange)
{
    struct html_span form;

    return page_find_form(phpbb_page(exchange), "message", &form);
}

/* Advise something, with what the board says of it, if it says anything. */
static void
advise(struct exchange *exchange, const char *advice)
{
    struct buf words = BUF_INIT;

    phpbb_add_words(exchange, &words);
    while (words.len > 0 && words.data[words.len - 1] == '.') {
        buf_truncate(&words, words.len - 1);
    }
    buf_addf(&exchange->out->advice, "%s%s%.200s%s\n", advice,
             words.len > 0 ? " (the board says: " : "", buf_text(&words),
             words.len > 0 ? ")." : ".");
    buf_release(&words);
}

/* Does the page name the topic's own feed? */
static bool
has_feed(struct html_span page)
{
    struct buf href = BUF_INIT;
    struct html_tag tag;
    bool has = false;

    while (!has && page_next_tag(&page, &tag)) {
        has = !tag.closing && html_is(tag.name, "link") &&
              page_attribute(&tag, "href", &href) &&
              strstr(buf_text(&href), "/feed/topic/") != NULL;
    }
    buf_release(&href);
    return has;
}

/* A moderator has the link to the control panel in the page's head, and one to
 * delete below posts. */
static void
parse_moderator(struct exchange *exchange)
{
    struct html_span page = phpbb_page(exchange);
    struct buf href = BUF_INIT;
    bool moderator = page_find_link(page_head(page), "mcp.php", &href);

    if (moderator && (page_find_link(page, "mode=soft_delete", &href) ||
                      page_find_link(page, "mode=delete", &href))) {
        exchange->out->rights |= RIGHT_DELETE;
    }
    if (!moderator) {
        buf_addf(&exchange->out->advice,
                 "Make %s a moderator of the forum (ACP → Forums → Forum "
                 "moderators, role Standard Moderator): then it can edit its "
                 "posts however old they are, see posts that wait for "
                 "approval, and delete posts where a place asks for that.\n",
                 exchange->service->user);
    }
    buf_release(&href);
}

/* Of no message: who may delete none is told that first. */
static enum advance
parse_delete(struct exchange *exchange)
{
    if (!is_answer(exchange) && !phpbb_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    if (exchange->reply->status == 403) {
        buf_addf(&exchange->out->advice,
                 "Let %s delete private messages (ACP → Permissions → Users' "
                 "permissions → Private messages): it keeps the last ten of "
                 "its inbox, which takes 50 at first and holds back what comes "
                 "then.\n",
                 exchange->service->user);
    }
    return ADVANCE_DONE;
}

/* Members who are new to a board may send none, as it is at first. */
static enum advance
parse_compose(struct exchange *exchange)
{
    static const struct forum_endpoint erase =
        PHPBB_PAGE("/ucp.php?i=pm&mode=compose&action=delete&f=0&p=0");

    if (!is_answer(exchange)) {
        return forum_refused(exchange);
    }
    if (!has_form(exchange)) {
        advise(exchange,
               "Let the host's account send private messages (ACP → "
               "Users and Groups → Manage users → Groups: not \"Newly "
               "registered users\")");
        return ADVANCE_DONE;
    }
    exchange->out->rights |= RIGHT_DM;
    return forum_ask(exchange, &erase, parse_delete);
}

static enum advance
parse_new(struct exchange *exchange)
{
    static const struct forum_endpoint compose =
        PHPBB_FORM("/ucp.php?i=pm&mode=compose");

    if (!is_answer(exchange)) {
        return forum_refused(exchange);
    }
    exchange->out->rights |= has_form(exchange) ? RIGHT_OPEN : 0;
    return forum_ask(exchange, &compose, parse_compose);
}

static enum advance
parse_reply(struct exchange *exchange)
{
    static const struct forum_endpoint new =
        PHPBB_FORM("/posting.php?mode=post&f={number}");
    const int64_t *forum = forum_memory(exchange, sizeof(*forum));

    if (!is_answer(exchange)) {
        return forum_refused(exchange);
    }
    if (has_form(exchange)) {
        exchange->out->rights |= RIGHT_POST | RIGHT_EDIT;
    } else {
        advise(exchange,
               "Let the host's account reply in the topic's forum, and "
               "see that the topic is not locked");
    }
    return forum_ask_for(exchange, &new,
                         (struct forum_values){.number = *forum}, parse_new);
}

static enum advance
parse_topic(struct exchange *exchange)
{
    static const struct forum_endpoint reply =
        PHPBB_FORM("/posting.php?mode=reply&t={topic}");
    struct html_span page = phpbb_page(exchange);
    int64_t *forum = forum_memory(exchange, sizeof(*forum));

    if (exchange->reply->status != 200 || page_total(page) < 0) {
        return forum_refused(exchange);
    }
    exchange->out->rights = RIGHT_READ;
    describe_limits(exchange);
    parse_moderator(exchange);
    if (!has_feed(page)) {
        buf_add_text(&exchange->out->advice,
                     "Turn the board's feeds on (ACP → General → Feed "
                     "settings: Enable feeds, Enable per-topic feeds): without "
                     "them nobody can tell when a post was edited, and a vote "
                     "that was edited before it was read counts nothing.\n");
    }
    *forum = page_forum(page);
    return forum_ask(exchange, &reply, parse_reply);
}

enum advance
phpbb_probe(struct exchange *exchange)
{
    static const struct forum_endpoint topic =
        PHPBB_PAGE("/viewtopic.php?t={topic}");

    return forum_ask(exchange, &topic, parse_topic);
}

/* ---- who is somebody? ---------------------------------------------------- */

/* A profile says whose it is in its canonical address. */
static long long
profile_of(struct html_span page)
{
    struct buf text = BUF_INIT;
    struct html_tag tag;
    long long user = 0;

    while (user == 0 && page_next_tag(&page, &tag)) {
        if (!tag.closing && html_is(tag.name, "link") &&
            page_attribute(&tag, "rel", &text) &&
            buf_equals(&text, "canonical") &&
            page_attribute(&tag, "href", &text) &&
            strstr(buf_text(&text), "mode=viewprofile") != NULL) {
            user = page_number(buf_text(&text), "u=");
        }
    }
    buf_release(&text);
    return user;
}

/* The name is the first value of the profile's list. */
static void
add_name(struct html_span page, struct buf *name)
{
    struct html_span profile;
    struct html_tag tag;

    if (!page_find_id(page, "viewprofile", &profile)) {
        return;
    }
    while (page_next_tag(&profile, &tag)) {
        if (!tag.closing && html_is(tag.name, "span")) {
            page_add_text(page_content(&tag, profile), name);
            return;
        }
    }
}

static forum_step parse_person;

/* By its number; or by its name, where none has that number. */
static enum advance
ask_profile(struct exchange *exchange, bool by_name)
{
    static const struct forum_endpoint ways[] = {
        PHPBB_PAGE("/memberlist.php?mode=viewprofile&u={title}"),
        PHPBB_PAGE("/memberlist.php?mode=viewprofile&un={title}")};

    bool *asked_by_name = forum_memory(exchange, sizeof(bool));

    *asked_by_name = by_name;
    return forum_ask(exchange, &ways[by_name], parse_person);
}

static enum advance
parse_person(struct exchange *exchange)
{
    const bool *by_name = forum_memory(exchange, sizeof(*by_name));
    long long user =
        exchange->reply->status == 200 ? profile_of(phpbb_page(exchange)) : 0;

    if (user > 1) {
        buf_addf(&exchange->out->id, "%lld", user);
        add_name(phpbb_page(exchange), &exchange->out->shown);
        return ADVANCE_DONE;
    }
    if (!phpbb_is_missing(exchange)) {
        return forum_refused(exchange);
    }
    return *by_name ? forum_nobody(exchange, exchange->op->text)
                    : ask_profile(exchange, true);
}

enum advance
phpbb_person(struct exchange *exchange)
{
    return ask_profile(exchange, !forum_is_number(exchange->op->text));
}
