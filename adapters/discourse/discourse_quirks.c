/*
 * Discourse: what the whole adapter shares: refusals, what a topic's page
 * holds, posts, people.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

/* ---- asking -------------------------------------------------------------- */

enum advance
discourse_ask_topic(struct exchange *exchange, const char *topic,
                    forum_step *next)
{
    return forum_ask_for(exchange, &forum_discourse.ask.topic,
                         (struct forum_values){.topic = topic}, next);
}

enum advance
discourse_ask_end(struct exchange *exchange, const char *topic,
                  forum_step *next)
{
    return forum_ask_for(
        exchange, &forum_discourse.ask.position,
        (struct forum_values){.topic = topic, .number = DISCOURSE_BEYOND_END},
        next);
}

void
discourse_keep_ids(struct discourse_ids *ids, json_object *stream, size_t end,
                   size_t most)
{
    ids->left = 0;
    for (size_t i = end > most ? end - most : 0; i < end; i++) {
        ids->list[ids->left++] = discourse_stream_at(stream, i);
    }
}

enum advance
discourse_ask_ids(struct exchange *exchange, const char *topic,
                  struct discourse_ids *ids, forum_step *next)
{
    static const struct forum_endpoint posts =
        FORUM_GET("/t/{topic}/posts.json");
    size_t count = ids->left < DISCOURSE_BATCH ? ids->left : DISCOURSE_BATCH;
    char text[FORUM_ID_MAX + 2];

    enum advance advance = forum_ask_for(
        exchange, &posts, (struct forum_values){.topic = topic}, next);

    ids->left -= count;
    for (size_t i = ids->left; i < ids->left + count; i++) {
        (void)snprintf(text, sizeof(text), "%lld", (long long)ids->list[i]);
        ask_query(exchange, "post_ids%5B%5D", text);
    }
    ask_query(exchange, "include_raw", "1");
    return advance;
}

/* ---- refusals ------------------------------------------------------------ */

bool
discourse_said(const struct exchange *exchange, int status)
{
    return exchange->reply->status == status &&
           json_object_is_type(jdoc_get(exchange->value, "errors"),
                               json_type_array);
}

/* The forum names the account in a header of each reply to it, and of none
 * where it does not accept the key (lib/auth/default_current_user_provider.rb).
 */
static bool
knows_account(const struct exchange *exchange)
{
    struct buf name = BUF_INIT;
    bool known = reply_header(exchange->reply, "x-discourse-username", &name);

    buf_release(&name);
    return known;
}

bool
discourse_is_unseen(const struct exchange *exchange)
{
    return discourse_said(exchange, 403) && knows_account(exchange);
}

/* A key without the scope for the inbox is good for the topics, and no Granular
 * key can lock posts: it is only that which is refused. */
static bool
is_beyond_scope(const struct exchange *exchange)
{
    return exchange->op->kind == OP_LOCK ||
           (exchange->op->kind == OP_READ && forum_is_inbox(exchange));
}

void
discourse_explain(struct exchange *exchange)
{
    const char *user = exchange->service->user;

    if (discourse_is_deleted(exchange)) {
        buf_clear(exchange->why);
        (void)outcome_fail(exchange->out, exchange->why, ERR_GONE,
                           "%s: the topic was deleted",
                           exchange->service->name);
    } else if (discourse_is_unseen(exchange)) {
        buf_addf(exchange->why, "; %s may not do this there", user);
    } else if (discourse_said(exchange, 403)) {
        exchange->out->refused =
            is_beyond_scope(exchange) ? REFUSED_RIGHT : REFUSED_ACCOUNT;
        buf_addf(exchange->why,
                 "; the API key is not accepted: it has to be one of %s with "
                 "the scope Global, and %s must be the account's present name, "
                 "and not suspended",
                 user, user);
    }
}

void
discourse_keep_refusal(struct exchange *exchange,
                       char refusal[DISCOURSE_SAID_MAX])
{
    (void)snprintf(refusal, DISCOURSE_SAID_MAX, "%s", buf_text(exchange->why));
    buf_clear(exchange->why);
    exchange->out->err = ERR_NONE;
    exchange->out->refused = REFUSED_RIGHT;
}

/* ---- topics -------------------------------------------------------------- */

bool
discourse_is_closed(const struct exchange *exchange)
{
    return forum_flag(exchange->value, "closed") ||
           forum_flag(exchange->value, "archived");
}

bool
discourse_is_open(const struct exchange *exchange)
{
    return !discourse_is_closed(exchange) &&
           forum_flag(exchange->value, "details.can_create_post");
}

bool
discourse_is_deleted(const struct exchange *exchange)
{
    return is_success(exchange) &&
           jdoc_string(exchange->value, "deleted_at") != NULL &&
           jdoc_get(exchange->value, "post_stream") != NULL;
}

json_object *
discourse_posts(const struct exchange *exchange)
{
    return discourse_is_deleted(exchange)
               ? NULL
               : forum_list(exchange, forum_discourse.path.posts);
}

json_object *
discourse_stream(const struct exchange *exchange)
{
    json_object *stream = forum_get(exchange->value, "post_stream.stream");

    return discourse_posts(exchange) != NULL &&
                   json_object_is_type(stream, json_type_array)
               ? stream
               : NULL;
}

int64_t
discourse_stream_at(json_object *stream, size_t index)
{
    json_object *id = json_object_array_get_idx(stream, index);

    return json_object_is_type(id, json_type_int) ? json_object_get_int64(id)
                                                  : 0;
}

void
discourse_finish_topic(struct forum_item *item)
{
    item->closed =
        forum_flag(item->from, "closed") || forum_flag(item->from, "archived");
}

enum advance
discourse_check_place(struct exchange *exchange)
{
    const char *archetype = jdoc_string(exchange->value, "archetype");

    if (discourse_stream(exchange) == NULL) {
        return forum_refused(exchange);
    }
    return archetype == NULL || strcmp(archetype, "regular") == 0
               ? ADVANCE_DONE
               : outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                              "%s: the topic %s is a private message: games "
                              "are hosted in topics that all players see",
                              exchange->service->name, exchange->op->text);
}

/* ---- posts --------------------------------------------------------------- */

/* When a post was last edited; 0: never; -1: unknown.  An edit in the grace
 * period (editing_grace_period) makes no version, but sets the time: what else
 * sets that, and not only a column, comes with the post's first second
 * (lib/post_revisor.rb, lib/post_locker.rb). */
static int64_t
parse_edited(json_object *post, int64_t stamp)
{
    int64_t updated = 0;
    int64_t version = 1;

    (void)jdoc_integer(post, "version", &version);
    if (!forum_parse_time(post, "updated_at", &updated)) {
        return version > 1 ? -1 : 0;
    }
    return version > 1 || updated > stamp + FORUM_MARGIN_MS ? updated : 0;
}

void
discourse_finish_post(struct forum_item *item)
{
    const char *action = jdoc_string(item->from, "action_code");
    const char *raw = jdoc_string(item->from, "raw");
    bool nobody = item->name == NULL && !item->authored;
    int64_t type = 0;

    /* Whose account was deleted has neither a name nor a number any more. */
    item->slug = nobody ? "" : item->slug;
    item->authored = (nobody || (item->name != NULL && item->authored)) &&
                     jdoc_integer(item->from, "post_type", &type);
    item->machine = type != 1 || nobody; /* 1: written by a person */
    /* What its writer takes back is not there for others. */
    item->deleted =
        item->deleted || jdoc_string(item->from, "deleted_at") != NULL;
    item->edited = parse_edited(item->from, item->stamp);
    item->left = action != NULL && strcmp(action, "user_left") == 0;
    /* Others don't see what was flagged until a moderator has looked at it. */
    item->pending = forum_flag(item->from, "hidden");
    /* What was written, where what is shown is a translation of it into the
     * account's language (content_localization_enabled).  The member's name is
     * not recorded (tests/fixtures/discourse/README.md).  Of its Markdown the
     * board's dialect has the marks that matter: `**`, quotes, code, what is
     * struck or hidden. */
    item->as_typed = raw != NULL && item->body != NULL &&
                     forum_flag(item->from, "is_localized");
    item->body = item->as_typed ? raw : item->body;
}

/* ---- people -------------------------------------------------------------- */

enum advance
discourse_who(struct exchange *exchange)
{
    return exchange->service->user[0] == '\0'
               ? outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                              "%s: an API key needs the account's name beside "
                              "it: write user = \"NAME\" into the service",
                              exchange->service->name)
               : forum_who(exchange);
}

/* "Anna", or the address of her page: "https://…/u/anna/summary". */
void
discourse_add_name(const char *text, struct buf *name)
{
    const char *page = strstr(text, "/u/");

    text = page != NULL ? page + 3 : text;
    buf_add(name, text, strcspn(text, "/?# "));
}

bool
discourse_is_user(const struct exchange *exchange, json_object *user)
{
    int64_t number = 0;

    if (exchange->op->member != 0) {
        return jdoc_integer(user, "id", &number) &&
               number == exchange->op->member;
    }
    char *id = forum_user(jdoc_string(user, "username"));
    char *wanted = forum_user(exchange->op->user);
    bool is = id != NULL && wanted != NULL && strcmp(id, wanted) == 0;

    free(id);
    free(wanted);
    return is;
}

struct discourse_readers
discourse_readers(const struct exchange *exchange)
{
    json_object *users = forum_list(exchange, "details.allowed_users");
    json_object *groups = forum_get(exchange->value, "details.allowed_groups");
    bool none =
        groups == NULL || (json_object_is_type(groups, json_type_array) &&
                           json_object_array_length(groups) == 0);
    struct discourse_readers in = {.others = users == NULL || !none,
                                   .many = !none};

    for (size_t i = 0; users != NULL && i < json_object_array_length(users);
         i++) {
        json_object *user = json_object_array_get_idx(users, i);
        int64_t number = 0;

        (void)jdoc_integer(user, "id", &number);
        if (discourse_is_user(exchange, user)) {
            in.user = true;
        } else {
            in.others =
                in.others ||
                !forum_is_self(exchange, number, jdoc_string(user, "username"));
        }
        in.many = in.many || i >= 2;
    }
    return in;
}

/* A topic of three is no DM; nor is one with an invited group, or one that its
 * user has left. */
bool
discourse_is_private(const struct exchange *exchange)
{
    const char *archetype = jdoc_string(exchange->value, "archetype");
    struct discourse_readers in = discourse_readers(exchange);

    return archetype != NULL && strcmp(archetype, "private_message") == 0 &&
           in.user && !in.others;
}
