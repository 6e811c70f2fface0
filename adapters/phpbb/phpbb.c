/*
 * phpBB: the board's description, and the adapter.  phpbb_pages.c says where
 * things are on its pages, phpbb_refused.c what it refuses; the other files do
 * what only phpBB does.
 */
#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

/* All posts of a topic, oldest first, whatever the account's preference. */
#define ORDER "&st=0&sk=t&sd=a"

/* A form of a post or message, from its page.  0: that somebody has posted
 * since is no reason to ask back. */
#define MESSAGE_FORM                                                           \
    .method = "POST", .form = "message",                                       \
    .own = " message post preview save load topic_cur_post_id lastclick "      \
           "subject icon status_switch add_to ",                               \
    .route = "form", .apart = PHPBB_APART_MS
#define POST_FORM(address, title)                                               \
    {                                                                           \
        MESSAGE_FORM,                                                           \
            .path = (address), .page = (address),                               \
            .body =                                                             \
                "message={text}&post=Submit&topic_cur_post_id=0&subject=" title \
    }

static const struct forum_login login = {
    .send = {.method = "POST",
             .path = "/ucp.php?mode=login",
             .page = "/ucp.php?mode=login",
             .form = "password",
             .own = " login redirect ",
             .body = "username={account}&password={password}"
                     "&redirect=index.php&autologin=on&login=Login",
             .route = "form",
             .apart = PHPBB_APART_MS},
    .cookies = {"_u", "_k", "_sid"},
    .member = "_u=",
    .is_inside = phpbb_is_inside,
};

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = phpbb_who},
    [OP_PLACE] = {.take = forum_place},
    [OP_PROBE] = {.take = forum_probe},
    [OP_READ] = {.take = phpbb_read},
    [OP_SEND] = {.take = forum_send},
    [OP_EDIT] = {.take = forum_edit},
    [OP_FIND] = {.take = phpbb_find},
    [OP_DM] = {.take = phpbb_dm},
    [OP_DELETE] = {.take = forum_delete},
    [OP_OPEN] = {.take = phpbb_open},
    [OP_REACT] = {.lacks = "it has no reactions"},
    [OP_PIN] = {.lacks = "it has no pinned posts"},
    [OP_LOCK] = {.lacks = "it has no locked posts"},
    [OP_UPDATES] = {.take = forum_updates},
    [OP_USER] = {.take = forum_user_of},
    [OP_BELL] = {.lacks = "it has no doorbell"},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = forum_places},
    [OP_INVITE] = {.lacks = "nobody can be let into a private message later"},
};

const struct forum forum_phpbb = {
    .ops = ops,
    .login = &login,
    .parts = phpbb_parts,
    .lists = phpbb_lists,
    .ask =
        {
            .users = {PHPBB_PAGE("/memberlist.php?mode=viewprofile&u={number}"),
                      PHPBB_PAGE("/memberlist.php?mode=viewprofile&un={user}")},
            .topic = PHPBB_PAGE("/viewtopic.php?t={topic}"),
            .page =
                PHPBB_PAGE("/viewtopic.php?t={topic}" ORDER "&start={number}"),
            .position = PHPBB_PAGE("/viewtopic.php?p={number}" ORDER),
            /* The number of a post that waits for approval is not told; but its
             * author sees it at the topic's end (display_unapproved_posts).
             * The last post first: such posts are on no page's account. */
            .newest = PHPBB_PAGE("/viewtopic.php?t={topic}&st=0&sk=t&sd=d"),
            .recent = PHPBB_PAGE("/search.php?search_id=active_topics"),
            /* Like that for active topics, this search is not limited to one
             * in so many seconds (search.php). */
            .own = PHPBB_PAGE("/search.php?search_id=egosearch&t={topic}"),
            .send = POST_FORM("/posting.php?mode=reply&t={topic}", "{subject}"),
            .send_dm = {MESSAGE_FORM,
                        .path = "/ucp.php?i=pm&mode=compose&action=post",
                        .page = "/ucp.php?i=pm&mode=compose&u={topic}",
                        .body = "message={text}&post=Submit"
                                "&address_list%5Bu%5D%5B{topic}%5D=to"
                                "&subject={about}&icon=0&status_switch=0",
                        .urgent = true},
            .edit = POST_FORM("/posting.php?mode=edit&p={post}", "{subject}"),
            .erase = {PHPBB_CONFIRM("/posting.php?mode=delete&p={post}"),
                      .page = "/posting.php?mode=delete&p={post}"},
            .create = POST_FORM("/posting.php?mode=post&f={number}", "{title}"),
        },
    .shape =
        {
            .person = {.member = "person", .name = "called"},
            .topic = {.id = "topic",
                      .name = "title",
                      .stamp = "time",
                      .count = "replies",
                      .last = "last",
                      .time = FORUM_TIMESTAMP},
            .post = {.id = "id",
                     .member = "member",
                     .name = "name",
                     .body = "body",
                     .stamp = "stamp",
                     .edited = "edited",
                     .deleted = "deleted",
                     .pending = "pending",
                     .time = FORUM_TIMESTAMP},
            .message = {.member = "member",
                        .name = "name",
                        .body = "body",
                        .stamp = "stamp",
                        .edited = "changed",
                        .count = "people",
                        .time = FORUM_TIMESTAMP},
        },
    .path =
        {
            .recent = "active",
            .posts = "posts",
            .own = "posts",
            .pages = "total",
            .probed = "forum",
            .sent = "sent",
            .sent_dm = "sent_dm",
            .created = "created",
            .erased = "erased",
            .said = "said",
            .unread = "unread",
        },
    .refusals = phpbb_refusals,
    .stale = "submitted form was invalid",
    .queued = "need to be approved by a moderator",
    .missing = "does not exist",
    .stages = phpbb_stages,
    .address = {.topic = "/viewtopic.php?t=",
                .query = "t=",
                .form = "/viewtopic.php?t=NUMBER"},
    /* Too small to be seen, and still in the text that is looked through. */
    .mark = {.before = "[size=1]", .after = "[/size]"},
    .twice = 6,
    .behind = 999999999,
    .quiet = 6 * DAY_MS, /* a day less than the list goes back */
    .members = 2,
    .titled = true,
    .dm_by_key = true,
    .date_edits = phpbb_date_edits,
    .check_page = phpbb_check_page,
    .explain = phpbb_explain,
};

/* ---- the adapter --------------------------------------------------------- */

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
    buf_add_text(updates, "active");
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
