/*
 * phpBB: the board's description, and the adapter.  phpbb_read.c reads;
 * phpbb_write.c and phpbb_open.c write; phpbb_page.c knows how pages are laid
 * out; phpbb_probe.c finds out what the account may do.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"

/* ---- the session --------------------------------------------------------- */

/* Only members can log out; and the link to it has the session's id
 * (functions.php), which nobody else can write into a post. */
static bool
is_inside(const struct exchange *exchange)
{
    const char *at = strstr(forum_cookies(exchange), "_sid=");
    struct html_span head = page_head(phpbb_page(exchange));
    struct buf sid = BUF_INIT;
    struct buf href = BUF_INIT;

    if (at != NULL) {
        at += sizeof("_sid=") - 1;
        buf_addf(&sid, "sid=%.*s", (int)strcspn(at, ";"), at);
    }
    bool inside = exchange->reply->status == 200 && at != NULL &&
                  page_find_link(head, "mode=logout", &href) &&
                  strstr(buf_text(&href), buf_text(&sid)) != NULL;

    buf_wipe(&sid);
    buf_wipe(&href);
    return inside;
}

static const struct forum_login login = {
    .page = PHPBB_FORM("/ucp.php?mode=login"),
    .send = PHPBB_SEND("/ucp.php?mode=login"),
    .user = "username",
    .password = "password",
    .own = " login redirect ",
    .fields = {{"redirect", "index.php"},
               {"autologin", "on"},
               {"login", "Login"}},
    .cookies = {"_u", "_k", "_sid"},
    .member = "_u=",
    .is_inside = is_inside,
};

struct html_span
phpbb_page(const struct exchange *exchange)
{
    struct html_span page = {exchange->reply->body, exchange->reply->len};

    return page;
}

/* ---- a configured topic -------------------------------------------------- */

static long long
topic_of(const char *address)
{
    return forum_is_number(address) ? strtoll(address, NULL, 10)
                                    : page_number(address, "t=");
}

static enum advance
parse_place(struct exchange *exchange)
{
    if (page_total(phpbb_page(exchange)) < 0) {
        return forum_refused(exchange);
    }
    buf_addf(&exchange->out->id, "%lld", topic_of(exchange->op->text));
    return ADVANCE_DONE;
}

static enum advance
do_place(struct exchange *exchange)
{
    static const struct forum_endpoint topic =
        PHPBB_PAGE("/viewtopic.php?t={number}");
    long long number = topic_of(exchange->op->text);

    return number == 0 ? forum_no_topic(exchange, "/viewtopic.php?t=NUMBER")
                       : forum_ask_for(exchange, &topic,
                                       (struct forum_values){.number = number},
                                       parse_place);
}

/* ---- the adapter --------------------------------------------------------- */

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = phpbb_who},
    [OP_PLACE] = {.take = do_place},
    [OP_PROBE] = {.take = phpbb_probe},
    [OP_READ] = {.take = phpbb_read},
    [OP_SEND] = {.take = phpbb_send},
    [OP_EDIT] = {.take = phpbb_edit},
    [OP_FIND] = {.take = phpbb_find},
    [OP_DM] = {.take = phpbb_dm},
    [OP_DELETE] = {.take = phpbb_delete},
    [OP_OPEN] = {.take = phpbb_open},
    [OP_REACT] = {.lacks = "it has no reactions"},
    [OP_PIN] = {.lacks = "it has no pinned posts"},
    [OP_LOCK] = {.lacks = "it has no locked posts"},
    [OP_UPDATES] = {.take = phpbb_updates},
    [OP_USER] = {.take = phpbb_person},
    [OP_BELL] = {.lacks = "it has no doorbell"},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = phpbb_places},
    [OP_INVITE] = {.lacks = "nobody can be let into a private message later"},
};

const struct forum forum_phpbb = {
    .ops = ops,
    .login = &login,
    .refusals = phpbb_refusals,
    .add_words = phpbb_add_words,
    .explain = phpbb_explain,
    .ask =
        {
            .page = PHPBB_PAGE("/viewtopic.php?t={topic}" PHPBB_ORDER
                               "&start={number}"),
            .recent = PHPBB_PAGE("/search.php?search_id=active_topics"),
        },
    /* Too small to be seen, and still in the text that is looked through. */
    .mark = {.before = "[size=1]", .after = "[/size]"},
};

static enum advance
phpbb_advance(const struct service *service, const struct op *op,
              struct buf *scratch, const struct reply *reply,
              struct outcome *out, struct buf *why)
{
    return forum_advance(&forum_phpbb, service, op, scratch, reply, out, why);
}

/* One page tells of all topics, and of the inbox. */
static void
phpbb_updates_feed(const struct service *service, const char *feed,
                   struct buf *updates)
{
    (void)service;
    (void)feed;
    buf_add_text(updates, PHPBB_ACTIVE);
}

static void
phpbb_link(const struct service *service, const char *place, const char *post,
           struct buf *link)
{
    if (*post == '\0') {
        buf_addf(link, "%s/viewtopic.php?t=%s", service->base, place);
    } else {
        buf_addf(link, "%s/viewtopic.php?p=%s#p%s", service->base, post, post);
    }
}

const struct adapter adapter_phpbb = {
    .name = "phpbb",
    .dialect = &dialect_phpbb,
    .capabilities =
        {
            .longest =
                50000, /* max_post_chars is 60,000 by default, also for DMs */
            .shortest = 1, /* min_post_chars */
            .margin = FORUM_MARGIN_MS,
            .pause = FORUM_PAUSE_MS,
            .edits = true,
            .deletes = true,
            .threads = true,
            .rereads = true,
            .anyway = FORUM_EDITS_MS,
            .red = true,
            .finds = true,
            .merges = true,
        },
    .advance = phpbb_advance,
    .feed = forum_feed,
    .updates_feed = phpbb_updates_feed,
    .link = phpbb_link,
};
