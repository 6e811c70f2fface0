/*
 * Discourse: the forum's description, and the adapter.  discourse_quirks.c has
 * what only Discourse does; discourse_read.c reads topics by their streams,
 * discourse_open.c opens topics and DMs, discourse_write.c writes,
 * discourse_probe.c asks what the account may do, and discourse_bus.c hears
 * what is new.
 */
#include "adapters/discourse/discourse_bus.h"
#include "adapters/discourse/discourse_inner.h"

/* A text that the forum doesn't take, for a reason that it names. */
static const struct forum_refusal refusals[] = {
    {422, NULL, ERR_DENIED, REFUSED_WORDS, 0},
    {0},
};

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = discourse_who},
    [OP_PLACE] = {.take = forum_place},
    [OP_PROBE] = {.take = forum_probe},
    [OP_READ] = {.take = discourse_read},
    [OP_SEND] = {.take = discourse_send},
    [OP_EDIT] = {.take = discourse_edit},
    [OP_FIND] = {.take = discourse_find},
    [OP_DM] = {.take = discourse_open},
    [OP_OPEN] = {.take = discourse_open},
    [OP_DELETE] = {.take = forum_delete},
    [OP_REACT] =
        {.lacks = "its one reaction is a heart, which says more than \"seen\""},
    [OP_PIN] = {.lacks = "only topics can be pinned"},
    [OP_LOCK] = {.take = discourse_lock},
    [OP_UPDATES] = {.lacks = "it does not tell where topics have new posts"},
    [OP_USER] = {.take = forum_user_of},
    [OP_BELL] = {.take = discourse_bell},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = forum_places},
    [OP_INVITE] = {.take = discourse_open},
};

#define POST                                                                   \
    {                                                                          \
        .id = "id", .member = "user_id", .name = "username",                   \
        .slug = "username", .body = "cooked", .stamp = "created_at",           \
        .deleted = "user_deleted", .answered = "reply_to_post_number",         \
        .position = "post_number", .first = 1, .time = FORUM_TIMESTAMP,        \
        .finish = discourse_finish_post                                        \
    }

const struct forum forum_discourse = {
    .ops = ops,
    .headers = "Api-Username: {account}\nAccept: application/json\n",
    .ask =
        {
            .self = FORUM_GET("/u/{account}.json"),
            .users = {FORUM_GET("/u/{user}.json")},
            .topic = FORUM_GET("/t/{topic}.json"),
            .position = FORUM_GET("/t/{topic}/{number}.json?include_raw=1"),
            .recent = FORUM_GET("/latest.json"),
            /* The inbox leaves out DMs in which nobody else has posted, as a
             * job counts them some seconds after the first answer; the list of
             * DMs that one has posted in has them all
             * (lib/topic_query/private_message_lists.rb). */
            .dms = {FORUM_GET("/topics/private-messages/{account}.json"
                              "[?page={number}]"),
                    FORUM_GET("/topics/private-messages-sent/{account}.json"
                              "[?page={number}]")},
            .send = {.method = "POST",
                     .path = "/posts.json",
                     .body = "{\"topic_id\":{topic},\"raw\":\"{text}\"}",
                     .route = DISCOURSE_ROUTE_POST},
            .send_dm = {.method = "POST",
                        .path = "/posts.json",
                        .body = "{\"topic_id\":{topic},\"raw\":\"{text}\"}",
                        .route = DISCOURSE_ROUTE_POST,
                        .urgent = true},
            /* Without a bump, where the account may ask for that: the status
             * post changes often. */
            .edit = {.method = "PUT",
                     .path = "/posts/{post}.json",
                     .body =
                         "{\"post\":{\"raw\":\"{text}\"},\"bypass_bump\":true}",
                     .route = DISCOURSE_ROUTE_EDIT},
            .erase = {.method = "DELETE", .path = "/posts/{post}.json"},
            .queue = FORUM_GET("/posts/{account}/pending.json"),
            /* The last ones in the topic (topic_view.rb:
             * filter_posts_by_post_number). */
            .own = FORUM_GET("/t/{topic}/posts.json?post_number=1000000"
                             "&username_filters={user}&include_raw=1"),
        },
    .shape =
        {
            .person = {.member = "user.id",
                       .name = "user.username",
                       .slug = "user.username"},
            .topic = {.id = "id",
                      .name = "title",
                      .finish = discourse_finish_topic},
            .post = POST,
            .message = POST,
            /* One whose posts were all deleted has no last one. */
            .dm = {.id = "id",
                   .stamp = "last_posted_at",
                   .time = FORUM_TIMESTAMP},
        },
    .path =
        {
            .topic = "",
            .recent = "topic_list.topics",
            .posts = "post_stream.posts",
            .probed = "category_id",
            .dms = "topic_list.topics",
            .queue = "pending_posts",
            .said = "errors",
            .wait = "extras.wait_seconds",
        },
    .refusals = refusals,
    .stages = discourse_stages,
    .address = {.topic = "/t/", .post = "/p/", .form = "/t/name/NUMBER"},
    .mark = {.before = "<!-- ", .after = " -->"},
    .self_by_name = true,
    .no_inbox = DISCOURSE_GALLERIES,
    .write = discourse_show,
    .add_slug = discourse_add_name,
    .refuse_self = forum_refused,
    .check_place = discourse_check_place,
    .visit = discourse_visit,
    .explain = discourse_explain,
};

/* ---- the adapter --------------------------------------------------------- */

static enum advance
discourse_advance(const struct service *service, const struct op *op,
                  struct buf *scratch, const struct reply *reply,
                  struct outcome *out, struct buf *why)
{
    return forum_advance(&forum_discourse, service, op, scratch, reply, out,
                         why);
}

/* /p/ID leads to a post wherever it stands. */
static void
discourse_link(const struct service *service, const char *place,
               const char *post, struct buf *link)
{
    buf_addf(link, "%s/%c/", service->base, *post == '\0' ? 't' : 'p');
    url_add_part(link, *post == '\0' ? place : post);
}

const struct adapter adapter_discourse = {
    .name = "discourse",
    .dialect = &dialect_markdown,
    .capabilities =
        {
            .longest =
                30000, /* max_post_length is 32,000 by default, also for DMs */
            .shortest = DISCOURSE_SHORTEST,
            .mentions = 10, /* max_mentions_per_post, but for staff */
            .margin = FORUM_MARGIN_MS,
            .pause = FORUM_PAUSE_MS,
            .edits = true,
            .deletes = true,
            .uploads = true,
            .locks = true,
            .pages = false, /* authorized_extensions has no "html" by default */
            .threads = true,
            .galleries = true,
            .rereads = true,
            .disorder = DISCOURSE_DISORDER_MS,
            .red = false, /* but for a plugin's, discourse-bbcode-color */
            .finds = true,
            .merges = true,
            .leaves = true,
            /* max_admin_api_reqs_per_minute is 60 at first, of all the site's
             * keys together, and counts those of the last 60 seconds: others
             * get some of them, too. */
            .rate = 40,
            .burst = 12,
        },
    .token_header = "Api-Key: %s",
    .token_names_user = true,
    .advance = discourse_advance,
    .feed = forum_feed,
    .link = discourse_link,
    .doorbell = &discourse_bus,
};
