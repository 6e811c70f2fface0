/*
 * The Discourse adapter: its table of operations, and who is who.
 * discourse_probe.c asks what the account may do, discourse_read.c reads,
 * discourse_open.c opens topics and DMs, discourse_write.c writes, and
 * discourse_bus.c hears what is new.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_bus.h"
#include "adapters/discourse/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* ---- who am I? ----------------------------------------------------------- */

static enum advance
do_who(struct exchange *exchange)
{
    const char *name =
        jdoc_string(jdoc_get(exchange->value, "user"), "username");

    if (exchange->service->user[0] == '\0') {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: an API key needs the account's name beside "
                            "it: write user = \"NAME\" into the service",
                            exchange->service->name);
    }
    if (exchange->reply == NULL) {
        discourse_ask_user(exchange, exchange->service->user);
        return ADVANCE_REQUEST;
    }
    char *id = is_success(exchange) ? forum_user(name) : NULL;

    if (id == NULL) {
        return discourse_refused(exchange);
    }
    (void)jdoc_integer(jdoc_get(exchange->value, "user"), "id",
                       &exchange->out->member);
    return forum_answer_user(exchange, id, name);
}

/* ---- who is that? -------------------------------------------------------- */

/* "Anna", "@Anna", or the address of her page: "https://…/u/anna/summary". */
static char *
name_in(const char *text)
{
    const char *page = strstr(text, "/u/");
    struct buf name = BUF_INIT;

    text = page != NULL ? page + 3 : text;
    text += *text == '@' ? 1 : 0;
    buf_add(&name, text, strcspn(text, "/?# "));
    return buf_take(&name);
}

static enum advance
do_user(struct exchange *exchange)
{
    const char *shown =
        jdoc_string(jdoc_get(exchange->value, "user"), "username");

    if (exchange->reply == NULL) {
        char *name = name_in(exchange->op->text);

        discourse_ask_user(exchange, *name == '\0' ? "-" : name);
        free(name);
        return ADVANCE_REQUEST;
    }
    if (discourse_said(exchange, 404)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: the forum has nobody called \"%s\"",
                            exchange->service->name, exchange->op->text);
    }
    char *id = is_success(exchange) ? forum_user(shown) : NULL;

    if (id == NULL) {
        return discourse_refused(exchange);
    }
    return forum_answer_user(exchange, id, shown);
}

/* ---- a configured topic -------------------------------------------------- */

static enum advance
do_place(struct exchange *exchange)
{
    char *number = discourse_topic_of(exchange->op->text);
    const char *archetype = jdoc_string(exchange->value, "archetype");
    enum advance advance = ADVANCE_REQUEST;

    if (number == NULL) {
        advance = forum_no_topic(exchange, "/t/name/NUMBER");
    } else if (exchange->reply == NULL) {
        discourse_ask_topic(exchange, number);
    } else if (discourse_stream(exchange) == NULL) {
        advance = discourse_refused(exchange);
    } else if (archetype != NULL && strcmp(archetype, "regular") != 0) {
        advance =
            outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                         "%s: the topic %s is a private message: games are "
                         "hosted in topics that all players see",
                         exchange->service->name, number);
    } else {
        buf_add_text(&exchange->out->id, number);
        advance = ADVANCE_DONE;
    }
    free(number);
    return advance;
}

/* ---- topics to choose from ----------------------------------------------- */

static void
add_topic(struct exchange *exchange, json_object *topic)
{
    const char *title = jdoc_string(topic, "title");
    bool closed = forum_is_set(topic, "closed");
    char number[FORUM_ID_MAX + 1];
    struct buf address = BUF_INIT;

    if (title != NULL && !closed && !forum_is_set(topic, "archived") &&
        forum_parse_number(topic, "id", number)) {
        buf_addf(&address, "%s/t/%s", exchange->service->base, number);
        outcome_add_place(exchange->out, buf_text(&address), title);
    }
    buf_release(&address);
}

/* Those with the newest posts (openapi.json, "/latest.json"). */
static enum advance
do_places(struct exchange *exchange)
{
    json_object *topics =
        jdoc_get(jdoc_get(exchange->value, "topic_list"), "topics");

    if (exchange->reply == NULL) {
        discourse_ask(exchange, "GET", "/latest.json");
        return ADVANCE_REQUEST;
    }
    if (!is_success(exchange) ||
        !json_object_is_type(topics, json_type_array)) {
        return discourse_refused(exchange);
    }
    for (size_t i = 0; i < json_object_array_length(topics); i++) {
        add_topic(exchange, json_object_array_get_idx(topics, i));
    }
    return ADVANCE_DONE;
}

/* ---- the adapter --------------------------------------------------------- */

static const struct exchange_op ops[EXCHANGE_OPS] = {
    [OP_WHO] = {.take = do_who},
    [OP_PLACE] = {.take = do_place},
    [OP_PROBE] = {.take = discourse_probe},
    [OP_READ] = {.take = discourse_read},
    [OP_SEND] = {.take = discourse_send},
    [OP_EDIT] = {.take = discourse_edit},
    [OP_FIND] = {.take = discourse_find},
    [OP_DM] = {.take = discourse_open},
    [OP_OPEN] = {.take = discourse_open},
    [OP_DELETE] = {.take = discourse_delete},
    [OP_REACT] =
        {.lacks = "its one reaction is a heart, which says more than \"seen\""},
    [OP_PIN] = {.lacks = "only topics can be pinned"},
    [OP_LOCK] = {.take = discourse_lock},
    [OP_UPDATES] = {.lacks = "it does not tell where topics have new posts"},
    [OP_USER] = {.take = do_user},
    [OP_BELL] = {.take = discourse_bell},
    [OP_ACKNOWLEDGE] = {.lacks = "it has no buttons"},
    [OP_REPLY] = {.lacks = "it has no buttons"},
    [OP_SUGGEST] = {.lacks = "it has no slash commands"},
    [OP_COMMANDS] = {.lacks = "it has no slash commands"},
    [OP_PLACES] = {.take = do_places},
    [OP_INVITE] = {.take = discourse_open},
};

static enum advance
take_step(struct exchange *exchange)
{
    return exchange_take(exchange, ops);
}

static enum advance
discourse_advance(const struct service *service, const struct op *op,
                  struct buf *scratch, const struct reply *reply,
                  struct outcome *out, struct buf *why)
{
    return exchange_advance(take_step, NULL, service, op, scratch, reply, out,
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
