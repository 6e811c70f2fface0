/*
 * phpBB: where things are on its pages.
 *
 * Facts come from trying phpBB 3.3.15 with its own style, prosilver.  Other
 * styles keep its ids and classes, for extensions rely on them.  What else a
 * busy board shows comes from its templates (styles/prosilver/template) and in
 * phpbb/textformatter/s9e/utils.php.
 */
#include "adapters/phpbb/phpbb_inner.h"

/* That of a guest, or of somebody who is gone, is no link. */
#define NAMES                                                                  \
    "a.username,a.username-coloured,span.username,span.username-coloured"

const struct forum_part phpbb_parts[] = {
    /* Beside a form (login_body.html, posting_editor.html); in place of a page,
     * or after an action (message_body.html); what a control panel says in
     * place of a form, alone in its paragraph (ucp_pm_message_header.html). */
    {"said", "div.error", FORUM_WORDS, NULL, NULL},
    {"said", "p.error", FORUM_WORDS, NULL, NULL},
    {"said", "#message p", FORUM_WORDS, NULL, NULL},
    {"said", "#cp-main p >strong", FORUM_WORDS, NULL, NULL},
    {"language", "html", FORUM_WORDS, "lang", NULL},
    {"logout", "a[href*=mode=logout]", FORUM_WORDS, "href", NULL},
    {"notice", "#information", FORUM_WORDS, NULL, NULL},
    /* How many posts a topic has, or a folder messages; a link to the first
     * unread one may come before the number. */
    {"total", "div.pagination", FORUM_NUMBER, NULL, ""},
    {"forum", "$li.breadcrumbs a[href*=viewforum.php]", FORUM_NUMBER, "href",
     "f="},
    {"feed", "link[href*=/feed/topic/]", FORUM_THERE, NULL, NULL},
    /* navbar_header.html */
    {"unread", "a[href*=i=pm][href*=folder=inbox] .badge", FORUM_NUMBER, NULL,
     ""},
    {"held", "a[href*=release=1]", FORUM_THERE, NULL, NULL},
    /* Whose profile it is: the name is the first value of its list. */
    {"person", "link[rel=canonical][href*=mode=viewprofile]", FORUM_NUMBER,
     "href", "u="},
    {"called", "#viewprofile span", FORUM_WORDS, NULL, NULL},
    {"form", "form [name=message]", FORUM_THERE, NULL, NULL},
    {"subject", "form [name=subject]", FORUM_WORDS, "value", NULL},
    {"confirm", "form [name=confirm_uid]", FORUM_THERE, NULL, NULL},
    {"key", "form[action*=confirm_key=]", FORUM_WORDS, "action",
     "confirm_key="},
    /* A new post or topic is led to.  After a message was sent, or something
     * deleted, a page of its own tells of that, with a link which one that
     * refuses has not (ucp_pm_compose.php). */
    {"sent", "", FORUM_LOCATION, NULL, "p="},
    {"created", "", FORUM_LOCATION, NULL, "t="},
    {"sent_dm", "#message a[href*=mode=view&]", FORUM_NUMBER, "href", "p="},
    {"erased", "#message a[href*=viewforum.php]", FORUM_NUMBER, "href", "f="},
    {"emptied", "#message a[href*=folder=]", FORUM_THERE, NULL, NULL},
    {0},
};

/* A post that a search has found has its number in the link to it alone
 * (search_results.html).  The notice below a post tells of an edit, or, behind
 * empty lines, that the topic was pushed up.  That below a private message
 * tells of an edit alone, and begins with empty lines, too
 * (ucp_pm_viewmessage.html). */
static const struct forum_part post[] = {
    {"id", "&[id*=p]", FORUM_NUMBER, "id", "p"},
    {"id", "h3 a[href*=viewtopic.php]", FORUM_NUMBER, "href", "p="},
    {"deleted", "&.deleted", FORUM_THERE, NULL, NULL},
    {"name", NAMES, FORUM_WORDS, NULL, NULL},
    {"member", NAMES, FORUM_NUMBER, "href", "u="},
    {"stamp", "time", FORUM_WORDS, "datetime", NULL},
    {"pending", "p.unapproved", FORUM_THERE, NULL, NULL},
    {"people", "p.author a,span.username,span.username-coloured", FORUM_COUNT,
     NULL, NULL},
    {"body", "div.content", FORUM_BODY, NULL, NULL},
    {"edited", "div.notice!post_deleted_msg >a,span", FORUM_THERE, NULL, NULL},
    {"changed", "div.notice", FORUM_THERE, NULL, NULL},
    {0},
};

/* A topic (search_results.html, viewforum_body.html) or a message. */
static const struct forum_part row[] = {
    {"topic", "a.topictitle", FORUM_NUMBER, "href", "t="},
    {"title", "a.topictitle", FORUM_WORDS, NULL, NULL},
    {"last", "$a!topictitle[href*=#p]", FORUM_NUMBER, "href", "p="},
    {"replies", "dd.posts", FORUM_NUMBER, NULL, ""},
    {"time", "$time", FORUM_WORDS, "datetime", NULL},
    {"message", "a[href*=mode=view&]", FORUM_NUMBER, "href", "p="},
    {"unread", "dl.pm_unread", FORUM_THERE, NULL, NULL},
    {0},
};

static const struct forum_part entry[] = {
    {"post", "id", FORUM_NUMBER, NULL, "p="},
    {"updated", "updated", FORUM_WORDS, NULL, NULL},
    {0},
};

const struct forum_list phpbb_lists[] = {
    {"posts", "div.post", NULL, post},
    {"rows", "li.row", NULL, row},
    /* The search for active topics lists those that the account may read, the
     * one with the newest post first, 25 on a page; it is not one of the
     * searches that a board limits (search.php).  It leaves out forums in which
     * that is turned off. */
    {"active", "li.row", "h2.searchresults-title", row},
    {"folder", "li.row", "#viewfolder", row},
    {"entries", "entry", NULL, entry}, /* of a feed */
    {0},
};
