#include "tests/support/fake_phpbb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "bot/base/civil.h"
#include "tests/support/fake_request.h"
#include "tests/support/fake_service.h"
#include "tests/support/recordings.h"

enum {
    USERS_MAX = 64,
    NAME_LEN = 64,
    PAGE = 10,
    LIST = 25, /* messages on a page of a folder */
    FEED = 15,
    ACTIVE = 25, /* topics_per_page */
    INBOX = 50,  /* pm_max_msgs as it is at first */
    GUEST = 1,
    BOT = 2,
    MO = 3,
    TABLE = 7,
    TOPICS_MAX = 8,
    FORUM = 5,
    FORM_MAX = 7200,  /* seconds for which a form can be sent */
    NOTIFICATIONS = 5 /* that were read, in the head of a page */
};

/* A post of the topic, or a private message. */
struct article {
    int64_t id, stamp, edited;
    int64_t topic; /* 0: it is a private message */
    bool deleted, marked, pushed;
    bool placed; /* in the inbox; or else it is new, or */
    bool held;   /* there was no room for all the new ones */
    bool seen;
    bool received; /* it has left its sender's outbox */
    int64_t from, to;
    char *text;
    char subject[128];
};

struct phpbb {
    char users[USERS_MAX][NAME_LEN]; /* number 1: the guest */
    char shown[USERS_MAX][NAME_LEN]; /* what they are called now; "": so */
    int user_count;
    char topics[TOPICS_MAX][128]; /* titles; number TABLE comes first */
    bool purged[TOPICS_MAX], hidden[TOPICS_MAX];
    int topic_count;
    struct article *articles;
    size_t count;
    unsigned session, logins;
    int64_t seen; /* the last post that was shown to the bot */
    bool locked_out, captcha, silent, may_not_delete;
    int64_t hermit;    /* who takes no messages; 0: nobody */
    unsigned attempts; /* to log in */
    int feeds;         /* the status that feeds are answered with */
    int slow, inbox;
    int active; /* topics on the page of active ones */
    unsigned storm, storms;
};

struct visit {
    struct phpbb *board;
    const struct web *web;
    int64_t now;
    int status;
    bool member;
    bool notifies; /* as far as it was recorded: in an inbox */
    int64_t user;  /* who asks */
    struct buf *page;
    struct buf headers;
};

/* ---- people and articles ------------------------------------------------- */

int64_t
phpbb_user(struct phpbb *board, const char *user)
{
    for (int i = 0; i < board->user_count; i++) {
        if (strcasecmp(board->users[i], user) == 0) {
            return i + 1;
        }
    }
    ck_assert_int_lt(board->user_count, USERS_MAX);
    snprintf(board->users[board->user_count++], NAME_LEN, "%s", user);
    return board->user_count;
}

void
phpbb_rename(struct phpbb *board, const char *user, const char *shown)
{
    int64_t number = phpbb_user(board, user);

    snprintf(board->shown[number - 1], NAME_LEN, "%s", shown);
}

/* What somebody is called, in whatever they wrote. */
static const char *
name_of(const struct phpbb *board, int64_t user)
{
    const char *shown = board->shown[user - 1];

    return *shown == '\0' ? board->users[user - 1] : shown;
}

static int64_t
add_topic(struct phpbb *board, const char *title)
{
    ck_assert_int_lt(board->topic_count, TOPICS_MAX);
    snprintf(board->topics[board->topic_count], sizeof(board->topics[0]), "%s",
             title);
    return TABLE + board->topic_count++;
}

/* In a topic, or (0) to a user. */
static struct article *
add_article(struct phpbb *board, int64_t from, int64_t topic, int64_t to,
            const char *subject, const char *text, int64_t now)
{
    board->articles = must_grow(board->articles,
                                (board->count + 1) * sizeof(*board->articles));
    struct article *article = &board->articles[board->count];

    memset(article, 0, sizeof(*article));
    article->id = 100 + (int64_t)board->count++;
    article->topic = topic;
    article->from = from;
    article->to = to;
    article->stamp = now / 1000 * 1000; /* a board counts whole seconds */
    article->text = must_copy(text);
    snprintf(article->subject, sizeof(article->subject), "%s", subject);
    return article;
}

static struct article *
find_article(struct phpbb *board, int64_t id)
{
    return id < 100 || id >= 100 + (int64_t)board->count
               ? NULL
               : &board->articles[id - 100];
}

struct phpbb *
phpbb_new(void)
{
    struct phpbb *board = must_alloc(sizeof(*board));

    (void)phpbb_user(board, "Anonymous");
    (void)phpbb_user(board, "placard");
    add_article(board, phpbb_user(board, "Mo"), add_topic(board, "The table"),
                0, "The table", "Here we play, once the host is with us.",
                1000);
    (void)phpbb_user(board, "Anna"); /* 4 */
    board->session = 1;
    board->feeds = 200;
    board->inbox = INBOX;
    board->active = ACTIVE;
    return board;
}

void
phpbb_free(struct phpbb *board)
{
    for (size_t i = 0; i < board->count; i++) {
        free(board->articles[i].text);
    }
    free(board->articles);
    free(board);
}

/* ---- pages --------------------------------------------------------------- */

static void
add_escaped(struct buf *page, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("<>&\"", *text) != NULL) {
            buf_addf(page, "&#%d;", *text);
        } else {
            buf_add_char(page, *text);
        }
    }
}

/* The notifications of a member, which begin with all that were not read: here
 * of private messages alone.  Those that were read link to them. */
static void
add_notifications(struct visit *visit)
{
    int count = 0;

    buf_add_text(visit->page, "<li><div id=\"notification_list\"><ul>\n");
    for (size_t i = visit->board->count; i > 0; i--) {
        const struct article *article = &visit->board->articles[i - 1];

        if (article->topic != 0 || article->to != visit->user ||
            article->deleted || (article->seen && count++ >= NOTIFICATIONS)) {
            continue;
        }
        buf_add_text(visit->page, "<li><a class=\"notification-block\" ");
        buf_addf(visit->page,
                 article->seen
                     ? "href=\"./ucp.php?i=pm&amp;mode=view&amp;p=%" PRId64
                       "\">"
                     : "href=\"./index.php?mark_notification=1\" "
                       "data-real-url=\"./ucp.php?i=pm&amp;mode=view&amp;p="
                       "%" PRId64 "\">",
                 article->id);
        buf_add_text(visit->page, "Private Message</a></li>\n");
    }
    buf_add_text(visit->page, "</ul></div></li>\n");
}

/* A page with a line of its own in its head. */
static void
begin_page_of(struct visit *visit, const char *title, const char *line)
{
    buf_addf(visit->page,
             "<!DOCTYPE html>\n<html dir=\"ltr\" lang=\"en-gb\"><head>"
             "<title>%s</title>\n%s<script>if (1 < 2) "
             "{ '<form>'; }</script></head><body id=\"phpbb\" "
             "class=\"nojs notouch\">\n<ul id=\"nav-main\">",
             title, line);
    if (visit->member) {
        buf_addf(visit->page,
                 "<li><a href=\"./ucp.php?mode=logout&amp;sid=%u\" "
                 "title=\"Logout\"><span>Logout [ <span "
                 "class=\"username\">somebody</span> ]</span></a></li>",
                 visit->board->session);
        if (visit->notifies) {
            add_notifications(visit);
        }
    } else {
        buf_add_text(visit->page,
                     "<li><a href=\"./ucp.php?mode=login\">Login</a></li>");
    }
    if (visit->member && visit->user == BOT) {
        buf_add_text(visit->page,
                     "<li><a href=\"./mcp.php?i=main\">MCP</a></li>");
    }
    buf_add_text(visit->page,
                 "</ul>\n<form action=\"./search.php\" method=\"get\"><input "
                 "type=\"search\" name=\"keywords\"></form>\n"
                 "<div id=\"page-body\" class=\"page-body\">\n");
}

static void
begin_page(struct visit *visit, const char *title)
{
    begin_page_of(visit, title, "");
}

/* How many messages the asker has not read; held ones count, too. */
static long long
count_unread(const struct visit *visit)
{
    long long count = 0;

    for (size_t i = 0; i < visit->board->count; i++) {
        const struct article *article = &visit->board->articles[i];

        count += article->topic == 0 && article->to == visit->user &&
                 !article->deleted && !article->seen;
    }
    return count;
}

static void
end_page(struct visit *visit)
{
    buf_add_text(visit->page, "</div><div id=\"page-footer\">phpBB</div>"
                              "</body>\n</html>\n<!-- 12 queries -->\n");
}

/* Words of the board's, up to a tag: they stand in a page that was recorded. */
static void
hold_words(const char *words)
{
    const struct recordings *recordings = recordings_of("phpbb");
    struct buf plain = BUF_INIT;
    bool found = false;

    buf_add(&plain, words, strcspn(words, "<"));
    for (size_t i = 0; !found && i < recordings_count(recordings); i++) {
        found = strstr(buf_text(&recordings_at(recordings, i)->body),
                       buf_text(&plain)) != NULL;
    }
    ck_assert_msg(found, "phpbb was never seen to say: %s", buf_text(&plain));
    buf_release(&plain);
}

/* A page with nothing but a message, in HTML (message_body.html). */
static void
tell(struct visit *visit, int status, const char *title, const char *words)
{
    hold_words(words);
    visit->status = status;
    begin_page(visit, title);
    buf_addf(visit->page,
             "<div class=\"panel\" id=\"message\"><div class=\"inner\"><h2 "
             "class=\"message-title\">%s</h2>\n<p>%s</p>\n</div></div>\n",
             title, words);
    end_page(visit);
}

/* Its fields have to come back, but not within the second. */
static void
begin_form(struct visit *visit, const char *action)
{
    bool login = strstr(action, "mode=login") != NULL;

    buf_addf(visit->page,
             "<form action=\"%s\" method=\"post\" id=\"%s\">\n"
             "<input type=\"hidden\" name=\"creation_time\" value=\"%" PRId64
             "\" />\n<input type=\"hidden\" name=\"form_token\" "
             "value=\"token&amp;%s&amp;%" PRId64 "\" />\n",
             action, login ? "login" : "postform", visit->now / 1000,
             strstr(action, "i=pm") != NULL ? "pm" : "posting",
             visit->now / 1000);
}

static const char *
field(const struct visit *visit, const char *key)
{
    const char *value = web_field(visit->web, key, 0);

    return value == NULL ? "" : value;
}

static bool
is_post(const struct visit *visit)
{
    return strcmp(visit->web->request->method, "POST") == 0;
}

static bool
form_is_valid(struct visit *visit, const char *kind)
{
    char token[64];
    int64_t made = strtoll(field(visit, "creation_time"), NULL, 10);
    int64_t now = visit->now / 1000;

    snprintf(token, sizeof(token), "token&%s&%" PRId64, kind, made);
    return strcmp(field(visit, "form_token"), token) == 0 && made < now &&
           made > now - FORM_MAX;
}

/* ---- logging in ---------------------------------------------------------- */

static void
show_login(struct visit *visit, const char *error)
{
    begin_page(visit, "Login");
    begin_form(visit, "./ucp.php?mode=login");
    hold_words(error);
    if (*error != '\0') {
        buf_addf(visit->page, "<div class=\"error\">%s</div>", error);
    }
    buf_add_text(visit->page,
                 "<input type=\"text\" name=\"username\" id=\"username\">"
                 "<input type=\"password\" name=\"password\">"
                 "<input type=\"hidden\" name=\"sid\" value=\"abc\" />"
                 "<input type=\"hidden\" name=\"redirect\" value=\"./x\" />"
                 "<input type=\"submit\" name=\"login\" value=\"Login\">"
                 "</form>\n");
    end_page(visit);
}

/* The number of the member of that name and password; 0: there is none. */
static int64_t
member_of(const struct visit *visit)
{
    const struct phpbb *board = visit->board;
    char password[NAME_LEN + 16] = PHPBB_PASSWORD;

    for (int i = BOT - 1; i < board->user_count && !board->locked_out; i++) {
        if (i + 1 != BOT) {
            snprintf(password, sizeof(password), PHPBB_PASSWORD_OF "%s",
                     board->users[i]);
        }
        if (strcasecmp(board->users[i], field(visit, "username")) == 0 &&
            strcmp(field(visit, "password"), password) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void
serve_login(struct visit *visit)
{
    struct phpbb *board = visit->board;

    board->attempts += is_post(visit);
    if (!is_post(visit)) {
        show_login(visit, "");
    } else if (board->captcha) {
        buf_add_buf(
            visit->page,
            &recordings_named(recordings_of("phpbb"), "login_captcha")->body);
    } else if (!form_is_valid(visit, "posting")) {
        show_login(visit, "The submitted form was invalid. Try submitting "
                          "again.");
    } else if (member_of(visit) == 0) {
        show_login(visit, "You have specified an incorrect password.");
    } else {
        ck_assert_str_eq(field(visit, "sid"), "abc");
        board->logins++;
        visit->status = 302;
        buf_addf(&visit->headers,
                 "set-cookie: phpbb3_x_u=%" PRId64 "; path=/; HttpOnly\n"
                 "set-cookie: phpbb3_x_k=; path=/; HttpOnly\n"
                 "set-cookie: phpbb3_x_sid=%u; path=/; HttpOnly\n"
                 "location: " PHPBB_BASE "/index.php\n",
                 member_of(visit), board->session);
    }
}

/* ---- a topic ------------------------------------------------------------- */

static void
cook(const char *text, struct buf *html)
{
    if (text[0] == '<') {
        buf_add_text(html, text);
        return;
    }
    struct rich rich = {.count = 0};
    bool unread = false;

    dialects_find("bbcode")->read(text, strlen(text), &rich, &unread);
    dialects_find("html")->write(&rich, html);
    rich_release(&rich);
}

static void
add_member(struct visit *visit, int64_t user)
{
    buf_addf(visit->page,
             "<a href=\"./memberlist.php?mode=viewprofile&amp;u=%" PRId64
             "\" class=\"username\">",
             user);
    add_escaped(visit->page, name_of(visit->board, user));
    buf_add_text(visit->page, "</a>");
}

static void
show_article(struct visit *visit, const struct article *article)
{
    struct buf time = BUF_INIT;
    struct buf html = BUF_INIT;

    /* A topic has times for machines, a message for people alone. */
    if (article->topic == 0) {
        buf_add_text(&time, "<strong>Sent at:</strong> some time");
    } else {
        buf_add_text(&time, "<time datetime=\"");
        instant_write(article->stamp, &time);
        buf_truncate(&time, time.len - 1);
        buf_add_text(&time, "+00:00\">some time</time>");
    }
    cook(article->text, &html);
    buf_addf(visit->page,
             "<div id=\"%s%" PRId64 "\" class=\"post%s has-profile bg2\">\n"
             "<div class=\"inner\"><dl class=\"postprofile\"><dt>",
             article->topic == 0 ? "post-" : "p", article->id,
             article->topic == 0 ? " pm" : "");
    if (article->from == GUEST) {
        buf_add_text(visit->page, "<span class=\"username\">");
        add_escaped(visit->page, visit->board->users[article->from - 1]);
        buf_add_text(visit->page, "</span>");
    } else {
        add_member(visit, article->from);
    }
    buf_addf(visit->page,
             "</dt></dl>\n<div class=\"postbody\"><div><h3><a "
             "href=\"#\">x</a></h3><p class=\"author\">%s</p>\n"
             "<div class=\"content\">%s</div>\n",
             buf_text(&time), buf_text(&html));
    if (article->topic != 0 && visit->user == BOT) {
        buf_addf(visit->page,
                 "<a href=\"./posting.php?mode=soft_delete&amp;p=%" PRId64
                 "\" title=\"Delete post\">x</a>",
                 article->id);
    }
    if (article->marked) {
        buf_addf(visit->page, "<div class=\"notice\">%sLast edited by ",
                 article->topic == 0 ? "<br /><br />" : "\n");
        add_member(visit, MO);
        buf_add_text(visit->page, ", edited 1 time in total.</div>");
    }
    if (article->pushed) {
        buf_add_text(visit->page, "<div class=\"notice\"><br /><br />Bumped "
                                  "by somebody.</div>");
    }
    /* Each has a signature. */
    buf_addf(visit->page,
             "<div id=\"sig%" PRId64 "\" class=\"signature\"><strong "
             "class=\"text-strong\">Nein!</strong></div>",
             article->id);
    buf_add_text(visit->page, "</div></div></div></div>\n");
    buf_release(&time);
    buf_release(&html);
}

static bool
stands_in(const struct article *article, int64_t topic)
{
    return article->topic == topic && !article->deleted;
}

static long long
count_posts(const struct phpbb *board, int64_t topic)
{
    long long count = 0;

    for (size_t i = 0; i < board->count; i++) {
        count += stands_in(&board->articles[i], topic) ? 1 : 0;
    }
    return count;
}

/* Is there a post that the bot has not seen?  Then, and only the first time, a
 * link to it stands before the number of posts (viewtopic.php). */
static bool
has_unread(const struct phpbb *board, int64_t topic)
{
    bool unread = false;

    for (size_t i = 0; i < board->count; i++) {
        unread = unread || (stands_in(&board->articles[i], topic) &&
                            board->articles[i].id > board->seen);
    }
    return unread;
}

/* The number of a topic that is asked for; 0: there is none, which was told. */
static int64_t
asked_topic(struct visit *visit)
{
    int64_t topic = strtoll(field(visit, "t"), NULL, 10);

    if (topic < TABLE || topic >= TABLE + visit->board->topic_count ||
        visit->board->purged[topic - TABLE]) {
        tell(visit, 404, "Information", "The requested topic does not exist.");
        return 0;
    }
    return topic;
}

static void
add_crumbs(struct visit *visit)
{
    buf_addf(visit->page,
             "<ul id=\"nav-breadcrumbs\"><li class=\"breadcrumbs\"><span "
             "class=\"crumb\"><a href=\"./index.php\">Board index</a></span>"
             "<span class=\"crumb\" data-forum-id=\"1\"><a "
             "href=\"./viewforum.php?f=1\">Games</a></span><span "
             "class=\"crumb\" data-forum-id=\"%d\"><a "
             "href=\"./viewforum.php?f=%d\">Hitler</a></span></li></ul>\n",
             FORUM, FORUM);
}

static void
begin_topic(struct visit *visit, int64_t topic)
{
    char feed[128] = "";

    if (visit->board->feeds == 200) {
        snprintf(feed, sizeof(feed),
                 "<link rel=\"alternate\" type=\"application/atom+xml\" "
                 "href=\"/app.php/feed/topic/%" PRId64 "\">\n",
                 topic);
    }
    begin_page_of(visit, visit->board->topics[topic - TABLE], feed);
    add_crumbs(visit);
}

static void
show_topic(struct visit *visit)
{
    struct phpbb *board = visit->board;
    int64_t topic = asked_topic(visit);
    long long total = count_posts(board, topic);
    long long start = strtoll(field(visit, "start"), NULL, 10);
    long long at = 0;

    if (topic == 0) {
        return;
    }
    if (start >= total) {
        start = (total - 1) / PAGE * PAGE;
    }
    begin_topic(visit, topic);
    buf_addf(visit->page,
             "<div class=\"action-bar\"><div class=\"pagination\">\n%s%lld "
             "posts\n<ul><li>1</li></ul></div></div>\n",
             has_unread(board, topic)
                 ? "<a href=\"#unread\" class=\"mark\">First "
                   "unread post</a> &bull; "
                 : "",
             total);
    for (size_t i = 0; i < board->count; i++) {
        if (stands_in(&board->articles[i], topic)) {
            if (at >= start && at < start + PAGE) {
                show_article(visit, &board->articles[i]);
                board->seen =
                    visit->user == BOT ? board->articles[i].id : board->seen;
            }
            at++;
        }
    }
    end_page(visit);
}

/* The topics of the board in the order of their last posts, the newest first;
 * how many. */
static int
sort_topics(const struct phpbb *board, int64_t topics[TOPICS_MAX])
{
    int count = 0;

    for (size_t i = board->count; i > 0; i--) {
        const struct article *article = &board->articles[i - 1];
        int at = 0;

        if (article->topic == 0 || article->deleted ||
            board->hidden[article->topic - TABLE]) {
            continue;
        }
        while (at < count && topics[at] != article->topic) {
            at++;
        }
        topics[at] = article->topic;
        count = at == count ? count + 1 : count;
    }
    return count;
}

static const struct article *
last_of(const struct phpbb *board, int64_t topic)
{
    const struct article *last = NULL;

    for (size_t i = 0; i < board->count; i++) {
        if (stands_in(&board->articles[i], topic)) {
            last = &board->articles[i];
        }
    }
    return last;
}

static void
show_active_topic(struct visit *visit, int64_t topic)
{
    const struct phpbb *board = visit->board;
    const struct article *last = last_of(board, topic);

    buf_addf(visit->page,
             "<li class=\"row bg1\"><dl class=\"row-item topic_read\"><dt>"
             "<a href=\"./viewtopic.php?t=%" PRId64 "\" "
             "class=\"topictitle\">",
             topic);
    add_escaped(visit->page, board->topics[topic - TABLE]);
    buf_addf(visit->page,
             "</a> &raquo; <time datetime=\"2026-01-01T00:00:00+00:00\">once"
             "</time></dt><dd class=\"posts\">%lld <dfn>Replies</dfn></dd>"
             "<dd class=\"views\">7 <dfn>Views</dfn></dd>"
             "<dd class=\"lastpost\"><span><a href=\"./viewtopic.php?p=%" PRId64
             "#p%" PRId64 "\"></a><br><time datetime=\"",
             count_posts(board, topic) - 1, last->id, last->id);
    instant_write(last->stamp, visit->page);
    buf_add_text(visit->page, "\">now</time></span></dd></dl></li>\n");
}

/* The topics with new posts, and in the head how many messages are unread. */
static void
show_active(struct visit *visit)
{
    int64_t topics[TOPICS_MAX];
    char badge[256] = "";
    int count = sort_topics(visit->board, topics);

    ck_assert_str_eq(field(visit, "search_id"), "active_topics");
    if (visit->member) {
        snprintf(badge, sizeof(badge),
                 "<a href=\"./ucp.php?i=pm&amp;folder=inbox\"><span>Private "
                 "messages </span><strong class=\"badge%s\">%lld</strong></a>",
                 count_unread(visit) == 0 ? " hidden" : "",
                 count_unread(visit));
    }
    begin_page_of(visit, "Active topics", badge);
    buf_add_text(visit->page,
                 "<h2 class=\"searchresults-title\">Active topics</h2>\n");
    for (int i = 0; i < count && i < visit->board->active; i++) {
        show_active_topic(visit, topics[i]);
    }
    end_page(visit);
}

static void
show_found(struct visit *visit, const struct article *article)
{
    struct buf html = BUF_INIT;

    cook(article->text, &html);
    buf_add_text(visit->page,
                 "<div class=\"search post bg2\"><div class=\"inner\"><dl "
                 "class=\"postprofile\"><dt class=\"author\">by ");
    add_member(visit, article->from);
    buf_addf(visit->page,
             "</dt><dd class=\"search-result-date\">some time</dd><dd>Topic: "
             "<a href=\"./viewtopic.php?t=%" PRId64 "\">x</a></dd></dl>\n"
             "<div class=\"postbody\"><h3><a href=\"./viewtopic.php?p=%" PRId64
             "#p%" PRId64 "\">x</a></h3><div class=\"content\">%s</div></div>"
             "</div></div>\n",
             article->topic, article->id, article->id, buf_text(&html));
    buf_release(&html);
}

/* What the asker has posted in a topic, the latest first. */
static void
show_own(struct visit *visit)
{
    const struct phpbb *board = visit->board;
    int64_t topic = strtoll(field(visit, "t"), NULL, 10);
    int count = 0;

    if (!visit->member) {
        show_login(visit, "");
        return;
    }
    begin_page(visit, "Your posts");
    buf_add_text(visit->page,
                 "<h2 class=\"searchresults-title\">Your posts</h2>\n");
    for (size_t i = board->count; i > 0 && count < PAGE; i--) {
        const struct article *article = &board->articles[i - 1];

        if (stands_in(article, topic) && article->from == visit->user) {
            show_found(visit, article);
            count++;
        }
    }
    if (count == 0) {
        buf_add_text(visit->page, "<div class=\"panel\"><div class=\"inner\">"
                                  "<strong>No suitable matches were found."
                                  "</strong></div></div>\n");
    }
    end_page(visit);
}

/* The topics of the forum, the last first. */
static void
show_forum(struct visit *visit)
{
    const struct phpbb *board = visit->board;

    ck_assert_int_eq(strtoll(field(visit, "f"), NULL, 10), FORUM);
    begin_page(visit, "Hitler");
    add_crumbs(visit);
    for (int i = board->topic_count; i > 0; i--) {
        if (board->purged[i - 1]) {
            continue;
        }
        buf_addf(visit->page,
                 "<li class=\"row\"><dl class=\"row-item topic_read\"><dt><a "
                 "href=\"./viewtopic.php?t=%d\" class=\"topictitle\">",
                 TABLE + i - 1);
        add_escaped(visit->page, board->topics[i - 1]);
        buf_add_text(visit->page, "</a></dt></dl></li>\n");
    }
    end_page(visit);
}

static void
show_feed(struct visit *visit)
{
    struct phpbb *board = visit->board;
    int64_t topic = strtoll(visit->web->parts[3], NULL, 10);
    int count = 0;

    if (board->feeds != 200) {
        tell(visit, board->feeds, "Information",
             "Feeds are not available on this board.");
        return;
    }
    buf_add_text(visit->page, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<feed><id>x</id><updated>x</updated>\n");
    for (size_t i = board->count; i > 0 && count < FEED; i--) {
        const struct article *article = &board->articles[i - 1];
        struct buf time = BUF_INIT;

        if (!stands_in(article, topic)) {
            continue;
        }
        count++;
        instant_write(article->marked ? article->edited : article->stamp,
                      &time);
        buf_truncate(&time, time.len - 1);
        buf_addf(visit->page,
                 "<entry><author><name><![CDATA[x]]></name></author>"
                 "<updated>%s+00:00</updated><id>" PHPBB_BASE
                 "/viewtopic.php?p=%" PRId64 "#p%" PRId64
                 "</id><content type=\"html\"><![CDATA[x<br>]]></content>"
                 "</entry>\n",
                 buf_text(&time), article->id, article->id);
        buf_release(&time);
    }
    buf_add_text(visit->page, "</feed>\n");
}

/* ---- posting ------------------------------------------------------------- */

static bool
may_write(struct visit *visit)
{
    const struct phpbb *board = visit->board;

    for (size_t i = 0; i < board->count && board->slow > 0; i++) {
        if (board->articles[i].from == visit->user &&
            board->articles[i].stamp + INT64_C(1000) * board->slow >
                visit->now) {
            return false;
        }
    }
    return true;
}

static void
show_message_form(struct visit *visit, const char *action, const char *subject,
                  const char *error)
{
    begin_page(visit, "Post");
    begin_form(visit, action);
    hold_words(error);
    if (*error != '\0') {
        buf_addf(visit->page, "<p class=\"error\">%s</p>", error);
    }
    buf_addf(
        visit->page,
        "<input type=\"text\" name=\"subject\" value=\"%s\" />\n"
        "%s<textarea name=\"message\">old &lt;form&gt; text</textarea>\n"
        "<input type=\"submit\" name=\"preview\" value=\"Preview\" />\n"
        "<input type=\"submit\" name=\"post\" value=\"Submit\" /></form>\n",
        subject,
        strstr(action, "mode=reply") != NULL
            ? "<input type=\"hidden\" name=\"topic_cur_post_id\" value=\"1\" />\n"
            : "");
    end_page(visit);
}

static const char *
complaint(struct visit *visit, const char *kind)
{
    if (!form_is_valid(visit, kind)) {
        return "The submitted form was invalid. Try submitting again.";
    }
    /* What is sent besides is no post at all. */
    ck_assert_str_eq(field(visit, "post"), "Submit");
    ck_assert_str_ne(field(visit, "message"), "");
    return may_write(visit)
               ? NULL
               : "You cannot make another post so soon after your last.";
}

static void
lead_to(struct visit *visit, int64_t post)
{
    visit->status = 302;
    buf_addf(&visit->headers,
             "location: " PHPBB_BASE "/viewtopic.php?p=%" PRId64 "#p%" PRId64
             "\n",
             post, post);
}

static void
serve_reply(struct visit *visit)
{
    int64_t topic = asked_topic(visit);
    char subject[160];

    if (topic == 0) {
        return;
    }
    snprintf(subject, sizeof(subject), "Re: %s",
             visit->board->topics[topic - TABLE]);
    const char *wrong = is_post(visit) ? complaint(visit, "posting") : "";

    if (wrong != NULL) {
        show_message_form(visit, "./posting.php?mode=reply&amp;t=7", subject,
                          wrong);
        return;
    }
    ck_assert_str_eq(field(visit, "topic_cur_post_id"), "0");
    ck_assert_str_eq(field(visit, "subject"), subject);
    lead_to(visit, add_article(visit->board, visit->user, topic, 0,
                               field(visit, "subject"), field(visit, "message"),
                               visit->now)
                       ->id);
}

/* A new topic is led to by its own number. */
static void
serve_new(struct visit *visit)
{
    const char *wrong = is_post(visit) ? complaint(visit, "posting") : "";
    const char *subject = field(visit, "subject");

    ck_assert_int_eq(strtoll(field(visit, "f"), NULL, 10), FORUM);
    ck_assert(wrong != NULL || *subject != '\0');
    if (wrong != NULL) {
        show_message_form(visit, "./posting.php?mode=post&amp;f=5", "", wrong);
        return;
    }
    int64_t topic = add_topic(visit->board, subject);

    (void)add_article(visit->board, visit->user, topic, 0, subject,
                      field(visit, "message"), visit->now);
    visit->status = 302;
    buf_addf(&visit->headers,
             "location: " PHPBB_BASE "/viewtopic.php?t=%" PRId64 "\n", topic);
}

static void
serve_edit(struct visit *visit)
{
    const char *id = field(visit, "p");
    struct article *article = find_article(visit->board, strtoll(id, NULL, 10));

    if (article == NULL || article->deleted || article->from != visit->user) {
        tell(visit, 200, "Information", "The requested post does not exist.");
        return;
    }
    const char *wrong = is_post(visit) ? complaint(visit, "posting") : "";
    bool last = article->id == 99 + (int64_t)visit->board->count;

    if (wrong != NULL &&
        strcmp(wrong, "You cannot make another post so soon after your "
                      "last.") != 0) {
        show_message_form(visit, "./posting.php?mode=edit&amp;p=1", "Re: x",
                          wrong);
        return;
    }
    phpbb_change(visit->board, article->id, field(visit, "message"),
                 !last || visit->user == BOT, visit->now);
    lead_to(visit, article->id);
}

/* What can't be undone is asked back: the key of the answer stands in the
 * form's address.  True: it is answered. */
static bool
is_confirmed(struct visit *visit, const char *action)
{
    if (is_post(visit)) {
        ck_assert_str_eq(field(visit, "confirm_key"), "K3Y");
        ck_assert_str_eq(field(visit, "confirm_uid"), "2");
        ck_assert_str_eq(field(visit, "confirm"), "Yes");
        return true;
    }
    begin_page(visit, "Confirm");
    buf_addf(visit->page,
             "<form id=\"confirm\" action=\"%s&amp;confirm_key=K3Y\" "
             "method=\"post\">"
             "<input type=\"hidden\" name=\"confirm_uid\" value=\"2\">"
             "<input type=\"hidden\" name=\"sess\" value=\"s\">"
             "<input type=\"submit\" name=\"confirm\" value=\"Yes\">"
             "<input type=\"submit\" name=\"cancel\" value=\"No\"></form>",
             action);
    end_page(visit);
    return false;
}

static void
serve_delete(struct visit *visit)
{
    struct article *article =
        find_article(visit->board, strtoll(field(visit, "p"), NULL, 10));

    if (article == NULL || article->deleted) {
        tell(visit, 200, "Information", "The requested post does not exist.");
    } else if (is_confirmed(visit, "./posting.php?mode=delete&amp;p=1")) {
        if (visit->board->silent) {
            tell(visit, 200, "Information",
                 "You cannot delete posts in this forum.");
            return;
        }
        article->deleted = true;
        tell(visit, 200, "Information",
             "This message has been deleted successfully.<br /><br /><a "
             "href=\"./viewforum.php?f=2\">Return to the forum</a>");
    }
}

/* ---- private messages ---------------------------------------------------- */

/* Does a message to the bot wait for its place in the inbox? */
static bool
waits_outside(const struct article *article, bool release)
{
    return article->topic == 0 && article->to == BOT && !article->deleted &&
           !article->placed && (release || !article->held);
}

/* The new messages come in once the inbox is looked at, and with them those
 * that are held, if they are asked to: all of them or none, except that an
 * empty inbox takes them all (place_pm_into_folder). */
static void
place_messages(struct phpbb *board, bool release)
{
    int inside = phpbb_inbox(board);
    int outside = 0;

    for (size_t i = 0; i < board->count; i++) {
        outside += waits_outside(&board->articles[i], release);
    }
    bool room = inside == 0 || inside + outside <= board->inbox;

    for (size_t i = 0; i < board->count; i++) {
        struct article *article = &board->articles[i];

        if (waits_outside(article, release)) {
            article->placed = room;
            article->held = !room;
        }
    }
}

static int
count_held(const struct phpbb *board)
{
    int count = 0;

    for (size_t i = 0; i < board->count; i++) {
        count += board->articles[i].held && !board->articles[i].deleted;
    }
    return count;
}

/* Is it outside the inbox of who asks? */
static bool
is_outside(const struct article *article)
{
    return article->to == BOT && !article->placed;
}

/* Does a message lie in the folder that is asked for?  Of those that were sent
 * every other one was read, and lies among the sent ones. */
static bool
lies_in(const struct visit *visit, const struct article *article)
{
    bool sent = strcmp(field(visit, "folder"), "inbox") != 0;
    bool outbox = strcmp(field(visit, "folder"), "outbox") == 0;

    return article->topic == 0 && !article->deleted &&
           (sent || !is_outside(article)) &&
           (sent ? article->from : article->to) == visit->user &&
           (!sent || (article->id % 2 == 0 && !article->received) == outbox);
}

void
phpbb_read_sent(struct phpbb *board, int messages)
{
    for (size_t i = board->count; messages > 0 && i-- > 0;) {
        struct article *article = &board->articles[i];
        bool lies = article->topic == 0 && article->from == BOT &&
                    article->id % 2 == 0 && !article->received;

        article->received = article->received || lies;
        messages -= lies ? 1 : 0;
    }
}

/* All of an unread message's row is a link, and its subject is one as well. */
static void
show_row(struct visit *visit, const struct article *article)
{
    bool unread = !article->seen && article->from != visit->user;

    buf_addf(visit->page,
             "<li class=\"row bg1\"><dl class=\"row-item %s\"><dt>",
             unread ? "pm_unread" : "pm_read");
    if (unread) {
        buf_addf(visit->page,
                 "<a class=\"row-item-link\" "
                 "href=\"./ucp.php?i=pm&amp;mode=view&amp;f=0&amp;p=%" PRId64
                 "\"></a>",
                 article->id);
    }
    buf_addf(visit->page,
             "<a href=\"./ucp.php?i=pm&amp;mode=view&amp;f=0&amp;p=%" PRId64
             "\" class=\"topictitle\">",
             article->id);
    add_escaped(visit->page, article->subject);
    buf_add_text(visit->page, "</a></dt></dl></li>\n");
}

static void
list_messages(struct visit *visit)
{
    long long start = strtoll(field(visit, "start"), NULL, 10);
    long long count = 0;
    long long at = 0;

    if (visit->user == BOT) {
        place_messages(visit->board, strcmp(field(visit, "release"), "1") == 0);
    }
    for (size_t i = 0; i < visit->board->count; i++) {
        count += lies_in(visit, &visit->board->articles[i]) ? 1 : 0;
    }
    if (start >= count) {
        start = count > 0 ? (count - 1) / LIST * LIST : 0;
    }
    visit->notifies = strcmp(field(visit, "folder"), "inbox") == 0;
    begin_page(visit, "Messages");
    if (visit->user == BOT && count_held(visit->board) > 0) {
        buf_addf(visit->page,
                 "<p>You have %d private messages currently on hold because of "
                 "full folder.<br /><a href=\"./ucp.php?i=ucp_pm&amp;mode=view"
                 "&amp;folder=0&amp;release=1\">Release all on-hold messages"
                 "</a></p>\n",
                 count_held(visit->board));
    }
    buf_add_text(visit->page, "<form id=\"viewfolder\" method=\"post\">\n"
                              "<div class=\"pagination\">");
    if (count > 0) {
        buf_addf(visit->page, "%lld message%s", count, count == 1 ? "" : "s");
    }
    buf_add_text(visit->page, "</div>\n");
    for (size_t i = visit->board->count; i > 0; i--) {
        const struct article *article = &visit->board->articles[i - 1];

        if (!lies_in(visit, article)) {
            continue;
        }
        if (at >= start && at < start + LIST) {
            show_row(visit, article);
        }
        at++;
    }
    buf_add_text(visit->page, "</form>\n");
    end_page(visit);
}

/* A message to the bot that is asked for; NULL: there is none, which was told.
 */
static struct article *
asked_message(struct visit *visit)
{
    struct article *article =
        find_article(visit->board, strtoll(field(visit, "p"), NULL, 10));

    if (article == NULL || article->topic != 0 || article->to != visit->user ||
        article->deleted || is_outside(article)) {
        tell(visit, 404, "Information",
             "The requested private message does not exist.");
        return NULL;
    }
    return article;
}

static void
view_message(struct visit *visit)
{
    struct article *article = asked_message(visit);

    if (article != NULL) {
        article->seen = true;
        begin_page(visit, "Message");
        show_article(visit, article);
        end_page(visit);
    }
}

static void
delete_message(struct visit *visit)
{
    struct article *article =
        find_article(visit->board, strtoll(field(visit, "p"), NULL, 10));

    if (article == NULL || article->topic != 0 || article->to != visit->user ||
        article->deleted || is_outside(article)) {
        tell(visit, 200, "Information", "Private message could not be found.");
        return;
    }
    if (visit->board->may_not_delete) {
        tell(visit, 403, "Information",
             "You are not authorised to delete private messages.");
    } else if (is_confirmed(visit, "./ucp.php?i=pm&amp;mode=compose&amp;"
                                   "action=delete&amp;f=0&amp;p=1")) {
        article->deleted = true;
        tell(visit, 200, "Information",
             "This message has been deleted successfully.<br /><br /><a "
             "href=\"./ucp.php?i=pm&amp;folder=0\">Return to previous folder"
             "</a>");
    }
}

/* Its form begins with the message in a quotation, which has the time. */
static void
quote_message(struct visit *visit)
{
    const struct article *article =
        find_article(visit->board, strtoll(field(visit, "p"), NULL, 10));

    if (article == NULL || article->topic != 0 || article->to != visit->user ||
        article->from == GUEST) {
        tell(visit, 404, "Information",
             "The requested private message does not exist.");
        return;
    }
    begin_page(visit, "Compose");
    begin_form(visit, "./ucp.php?i=pm&amp;mode=compose&amp;action=quote");
    buf_addf(visit->page,
             "<textarea name=\"message\">[quote=&quot;%s [time=7]&quot; "
             "time=%" PRId64 " user_id=%" PRId64 "]\n",
             name_of(visit->board, article->from), article->stamp / 1000,
             article->from);
    add_escaped(visit->page, article->text);
    buf_add_text(visit->page, "\n[/quote]\n\n</textarea></form>");
    end_page(visit);
}

/* What the control panel says in place of a form. */
static void
tell_in_panel(struct visit *visit, const char *words)
{
    hold_words(words);
    begin_page(visit, "Compose");
    buf_addf(visit->page,
             "<div id=\"cp-main\"><p><strong>%s</strong></p></div>", words);
    end_page(visit);
}

static void
compose(struct visit *visit)
{
    struct phpbb *board = visit->board;
    int64_t to = strtoll(field(visit, "u"), NULL, 10);
    char name[64];

    if (strcmp(field(visit, "action"), "quote") == 0) {
        quote_message(visit);
        return;
    }
    if (!is_post(visit)) {
        if (*field(visit, "u") == '\0' && board->silent) {
            tell_in_panel(visit,
                          "You are not authorised to send private messages.");
            return;
        }
        if (*field(visit, "u") == '\0') {
            show_message_form(visit, "./ucp.php?i=pm&amp;mode=compose", "", "");
            return;
        }
        /* Whoever is silent is so from the form to somebody on. */
        if (to == board->hermit) {
            show_message_form(visit, "./ucp.php?i=pm&amp;mode=compose", "",
                              "Some users couldn’t be added as they have "
                              "disabled private message receipt.");
            return;
        }
        if (to < BOT || to == visit->user || to > board->user_count) {
            show_message_form(visit, "./ucp.php?i=pm&amp;mode=compose", "",
                              "Some users couldn’t be added as they do not "
                              "have permission to read private messages.");
            return;
        }
        begin_page(visit, "Compose");
        begin_form(visit, "./ucp.php?i=pm&amp;mode=compose&amp;action=post");
        buf_addf(visit->page,
                 "<input type=\"hidden\" name=\"address_list[u][%" PRId64
                 "]\" value=\"to\" />"
                 "<input type=\"text\" name=\"subject\" value=\"\" />"
                 "<textarea name=\"message\"></textarea></form>",
                 to);
        end_page(visit);
        return;
    }
    if (board->silent) {
        tell(visit, 200, "Information",
             "You are not authorised to send private messages.");
        return;
    }
    const char *wrong = complaint(visit, "pm");

    if (wrong != NULL) {
        show_message_form(visit, "./ucp.php?i=pm", "", wrong);
        return;
    }
    for (to = BOT; to <= board->user_count; to++) {
        snprintf(name, sizeof(name), "address_list[u][%" PRId64 "]", to);
        if (strcmp(field(visit, name), "to") == 0) {
            add_article(board, visit->user, 0, to, field(visit, "subject"),
                        field(visit, "message"), visit->now);
            tell(visit, 200, "Information",
                 "This message has been sent successfully.<br /><br /><a "
                 "href=\"./ucp.php?i=pm&amp;mode=view&amp;p=9\">View it</a>");
            return;
        }
    }
    ck_abort_msg("nobody is written to: %s",
                 buf_text(&visit->web->request->body));
}

/* ---- profiles ------------------------------------------------------------ */

/* Of the user of that number, or name; 0: there is none. */
static int64_t
asked_user(const struct visit *visit)
{
    const struct phpbb *board = visit->board;
    int64_t user = strtoll(field(visit, "u"), NULL, 10);

    for (int i = BOT - 1; i < board->user_count; i++) {
        if (user == i + 1 ||
            strcasecmp(board->users[i], field(visit, "un")) == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void
show_profile(struct visit *visit)
{
    int64_t user = asked_user(visit);
    char address[160];

    if (user == 0) {
        tell(visit, 404, "Information", "The requested user does not exist.");
        return;
    }
    snprintf(address, sizeof(address),
             "<link rel=\"canonical\" href=\"" PHPBB_BASE
             "/memberlist.php?mode=viewprofile&amp;u=%" PRId64 "\">\n",
             user);
    begin_page_of(visit, "Viewing profile", address);
    buf_add_text(visit->page, "<form method=\"post\" "
                              "action=\"./memberlist.php?mode=group\" "
                              "id=\"viewprofile\">\n<dl><dt>Username:</dt>\n"
                              "<dd><span>");
    add_escaped(visit->page, name_of(visit->board, user));
    buf_add_text(visit->page, "</span></dd></dl></form>\n");
    end_page(visit);
}

/* ---- serving ------------------------------------------------------------- */

static void
serve_member(struct visit *visit)
{
    const char *page = visit->web->parts[0];
    const char *mode = field(visit, "mode");

    if (strcmp(page, "posting.php") == 0) {
        if (strcmp(mode, "reply") == 0) {
            serve_reply(visit);
        } else if (strcmp(mode, "post") == 0) {
            serve_new(visit);
        } else if (strcmp(mode, "edit") == 0) {
            serve_edit(visit);
        } else {
            ck_assert_str_eq(mode, "delete");
            serve_delete(visit);
        }
    } else if (strcmp(page, "memberlist.php") == 0) {
        ck_assert_str_eq(mode, "viewprofile");
        show_profile(visit);
    } else {
        ck_assert_str_eq(page, "ucp.php");
        ck_assert_str_eq(field(visit, "i"), "pm");
        if (strcmp(field(visit, "action"), "delete") == 0) {
            delete_message(visit);
        } else if (strcmp(mode, "compose") == 0) {
            compose(visit);
        } else if (strcmp(mode, "view") == 0) {
            view_message(visit);
        } else {
            list_messages(visit);
        }
    }
}

/* All the ways in which a request is refused, by the board and by a proxy. */
static void
turn_away(struct visit *visit)
{
    struct phpbb *board = visit->board;

    board->storm--;
    switch (board->storms++ % 4) {
    case 0:
        board->session++;
        visit->member = false;
        show_login(visit, "");
        break;
    case 1:
        visit->status = 503;
        break;
    case 2:
        begin_page(visit, "Cut");
        break;
    default:
        visit->status = 429;
        buf_add_text(visit->page, "<html>Too many requests</html>");
        break;
    }
}

static void
serve(struct visit *visit)
{
    const char *page = visit->web->parts[0];

    if (visit->board->storm > 0) {
        turn_away(visit);
        return;
    }

    if (strcmp(page, "app.php") == 0) {
        show_feed(visit);
    } else if (strcmp(page, "viewtopic.php") == 0) {
        show_topic(visit);
    } else if (strcmp(page, "search.php") == 0) {
        (strcmp(field(visit, "search_id"), "egosearch") == 0
             ? show_own
             : show_active)(visit);
    } else if (strcmp(page, "viewforum.php") == 0) {
        show_forum(visit);
    } else if (strcmp(page, "ucp.php") == 0 &&
               strcmp(field(visit, "mode"), "login") == 0) {
        serve_login(visit);
    } else if (visit->member) {
        serve_member(visit);
    } else {
        show_login(visit, "");
    }
}

/* The real board has answered alike.  What a guest is shown who sends a private
 * message was not recorded: it is the page of one who opens the form, for
 * ucp.php asks who it is before anything else. */
static void
hold_page(const struct visit *visit, const struct request *request)
{
    const char *method = request->method;
    const char *path = buf_text(&request->url) + strlen(PHPBB_BASE);

    if (!visit->member && strcmp(field(visit, "mode"), "compose") == 0) {
        method = "GET";
        path = "/ucp.php?i=pm&mode=compose";
    }
    recordings_hold_text(recordings_of("phpbb"), method, path, visit->status,
                         buf_text(visit->page));
}

void
phpbb_serve(struct phpbb *board, int64_t now, const struct request *request,
            struct buf *body, struct reply *reply)
{
    static char headers[512];
    struct web web;
    struct buf room = BUF_INIT;
    char sid[32];
    struct visit visit = {
        .board = board, .web = &web, .now = now, .status = 200, .page = body};

    buf_clear(body);
    web_open(&web, PHPBB_BASE, request);
    snprintf(sid, sizeof(sid), "phpbb3_x_sid=%u", board->session);
    (void)web_header(&web, "Cookie", &room);
    const char *user = strstr(buf_text(&room), "phpbb3_x_u=");

    visit.user = user == NULL ? GUEST : strtoll(user + 11, NULL, 10);
    visit.member = board->logins > 0 && visit.user > GUEST &&
                   strstr(buf_text(&room), sid) != NULL;
    /* Whoever sends a form waits: so long the tests' clock goes on by itself.
     */
    visit.now += is_post(&visit) ? request->apart : 0;
    bool stormy = board->storm > 0;

    serve(&visit);
    if (!stormy) {
        hold_page(&visit, request);
    }
    snprintf(headers, sizeof(headers), "%s", buf_text(&visit.headers));
    *reply = (struct reply){.status = visit.status,
                            .body = buf_text(body),
                            .len = body->len,
                            .retry_after = -1,
                            .date = now / 1000 * 1000,
                            .headers = headers};
    buf_release(&room);
    buf_release(&visit.headers);
    web_close(&web);
}

/* ---- what people do ------------------------------------------------------ */

int64_t
phpbb_write_as(struct phpbb *board, const char *user, bool in_private,
               const char *text, int64_t now)
{
    return phpbb_write(board, user, in_private ? 0 : TABLE, text, now);
}

int64_t
phpbb_write(struct phpbb *board, const char *user, int64_t topic,
            const char *text, int64_t now)
{
    return add_article(board, phpbb_user(board, user), topic,
                       topic == 0 ? BOT : 0, "Re: x", text, now)
        ->id;
}

bool
phpbb_look(struct phpbb *board, size_t at, struct shown_post *shown)
{
    if (at >= board->count) {
        return false;
    }
    const struct article *article = &board->articles[at];
    bool own = article->from == BOT;
    const char *dm = "";

    if (article->topic == 0) {
        dm = board->users[(own ? article->to : article->from) - 1];
    }
    *shown = (struct shown_post){.id = (uint64_t)article->id,
                                 .topic = (uint64_t)article->topic,
                                 .author =
                                     own ? "" : board->users[article->from - 1],
                                 .dm = dm,
                                 .text = article->text};
    if (own) {
        shown_post_set_key(shown, article->topic == 0 ? article->subject
                                                      : article->text);
    }
    return true;
}

void
phpbb_storm(struct phpbb *board, unsigned requests)
{
    board->storm = requests;
}

void
phpbb_keep_messages(struct phpbb *board)
{
    board->may_not_delete = true;
}

unsigned
phpbb_topics(const struct phpbb *board)
{
    return (unsigned)board->topic_count - 1;
}

int
phpbb_inbox(const struct phpbb *board)
{
    int count = 0;

    for (size_t i = 0; i < board->count; i++) {
        count += board->articles[i].placed && !board->articles[i].deleted;
    }
    return count;
}

void
phpbb_visit_inbox(struct phpbb *board)
{
    place_messages(board, false);
}

void
phpbb_show_active(struct phpbb *board, int topics)
{
    board->active = topics;
}

void
phpbb_limit_inbox(struct phpbb *board, int messages)
{
    board->inbox = messages;
}

void
phpbb_change(struct phpbb *board, int64_t id, const char *text, bool marked,
             int64_t now)
{
    struct article *article = find_article(board, id);

    ck_assert_ptr_nonnull(article);
    free(article->text);
    article->text = must_copy(text);
    article->edited = now;
    article->marked = article->marked || marked;
}

void
phpbb_remove(struct phpbb *board, int64_t id)
{
    struct article *article = find_article(board, id);

    ck_assert_ptr_nonnull(article);
    article->deleted = true;
}

void
phpbb_move(struct phpbb *board, int64_t id, int64_t into)
{
    struct article *article = find_article(board, id);

    ck_assert_ptr_nonnull(article);
    article->topic = into;
}

void
phpbb_purge(struct phpbb *board, int64_t topic)
{
    for (size_t i = 0; i < board->count; i++) {
        struct article *article = &board->articles[i];

        article->deleted = article->deleted || article->topic == topic;
    }
    board->purged[topic - TABLE] = true;
}

void
phpbb_hide(struct phpbb *board, int64_t topic, bool hidden)
{
    board->hidden[topic - TABLE] = hidden;
}

void
phpbb_end_session(struct phpbb *board)
{
    board->session++;
}

void
phpbb_lock_out(struct phpbb *board)
{
    board->locked_out = true;
    board->session++;
}

void
phpbb_ask_captcha(struct phpbb *board, bool ask)
{
    board->captcha = ask;
}

unsigned
phpbb_attempts(const struct phpbb *board)
{
    return board->attempts;
}

void
phpbb_slow(struct phpbb *board, int seconds)
{
    board->slow = seconds;
}

void
phpbb_no_feeds(struct phpbb *board, int status)
{
    board->feeds = status;
}

void
phpbb_silence(struct phpbb *board)
{
    board->silent = true;
}

void
phpbb_spare(struct phpbb *board, const char *user)
{
    board->hermit = user == NULL ? 0 : phpbb_user(board, user);
}

void
phpbb_push(struct phpbb *board, int64_t id)
{
    struct article *article = find_article(board, id);

    ck_assert_ptr_nonnull(article);
    article->pushed = true;
}

unsigned
phpbb_logins(const struct phpbb *board)
{
    return board->logins;
}

const char *
phpbb_last(struct phpbb *board, const char *user)
{
    int64_t to = user == NULL ? 0 : phpbb_user(board, user);
    const char *text = NULL;

    for (size_t i = 0; i < board->count; i++) {
        const struct article *article = &board->articles[i];

        if (!article->deleted && article->to == to &&
            article->topic == (user == NULL ? TABLE : 0)) {
            text = article->text;
        }
    }
    return text;
}
