/*
 * Discourse's message bus, as a doorbell.
 *
 * A poll names channels, each with the number of the last message that came
 * there, and its reply brings those that have come since; then it stays open
 * for 25 seconds (long_polling_interval) and brings more, as they are
 * published.  Each text of it is a list of messages.  Behind a proxy that holds
 * replies back, a poll ends with its first messages instead (`Dont-Chunk`).
 *
 * Channels: /topic/ID of each topic that is read, and one on which everything
 * new in private messages is told (its publisher is
 * app/models/private_message_topic_tracking_state.rb).  /notification/ID is
 * silent for an account that only uses the API
 * (User#allow_live_notifications?).
 *
 * A key that is not accepted, or whose limit is used up, is answered as a
 * stranger's: what a stranger may not see is only counted, in /__status.  So a
 * poll asks for the last private message once more: if that is counted, nobody
 * knows the account, and the doorbell does not listen.  If the account has
 * none, that can't be seen; but then the next poll finds what this one was not
 * told.
 */
#include "adapters/discourse/discourse_bus.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    TOPICS_MAX = 1000,
    FIRST_MS = 3000,     /* until something comes, if it is a list of nothing */
    HASTY_MS = 1000,     /* a reply that ends sooner was no long poll */
    WHOLE_MS = 3000,     /* between two polls that end with a message */
    STRANGER_MS = 60000, /* until it is tried again */
    OFF_MS = 3600000,
};

/* Positions that are no message's number (lib/message_bus/client.rb). */
enum {
    FROM_NOW = -1,
    LAST_ONE = -2, /* the last message, and what follows */
};

#define PRIVATE_CHANNEL "/private-message-topic-tracking-state/user/"

struct channel {
    int64_t topic;
    int64_t asked, position;
    int64_t post; /* the new one, or the DM that it is in; 0: it is not known */
    bool rings;
};

struct bus {
    int64_t account;
    struct channel inbox; /* topic 0 */
    struct channel topics[TOPICS_MAX];
    unsigned count;
    bool whole;  /* polls are not streamed */
    bool opened; /* this one */
    bool stranger, news;
    unsigned texts;
    int64_t polled_at, opened_at;
};

/* ---- asking -------------------------------------------------------------- */

static enum advance
parse_bell(struct exchange *exchange)
{
    char number[FORUM_ID_MAX + 1];
    char now[FORUM_ID_MAX + 2];
    const char *const salt[] = {exchange->service->base,
                                exchange->service->user, now};

    if (!is_success(exchange) ||
        !forum_id(exchange->value, "user.id", number)) {
        return forum_refused(exchange);
    }
    /* Whoever knows the name of a client could end its polls. */
    (void)snprintf(now, sizeof(now), "%lld", (long long)exchange->op->now);
    buf_addf(&exchange->out->id, "%s/", number);
    exchange_add_name(salt, 3, &exchange->out->id);
    return ADVANCE_DONE;
}

enum advance
discourse_bell(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_discourse.ask.self, parse_bell);
}

static struct channel *
find_topic(struct bus *bus, int64_t topic)
{
    for (unsigned i = 0; i < bus->count; i++) {
        if (bus->topics[i].topic == topic) {
            return &bus->topics[i];
        }
    }
    return NULL;
}

/* Poll for these feeds, from where each was; false: they are too many. */
static bool
set_topics(struct bus *bus, const struct bell_feeds *feeds)
{
    for (size_t i = 0; i < feeds->count; i++) {
        int64_t topic = forum_is_number(feeds->names[i])
                            ? strtoll(feeds->names[i], NULL, 10)
                            : 0;
        if (topic == 0 || find_topic(bus, topic) != NULL) {
            continue;
        }
        if (bus->count == TOPICS_MAX) {
            return false;
        }
        bus->topics[bus->count++] =
            (struct channel){.topic = topic, .position = FROM_NOW};
    }
    return true;
}

static void
add_channel(struct buf *body, const char *name, int64_t number,
            int64_t position)
{
    struct buf channel = BUF_INIT;

    buf_addf(&channel, "%s%lld", name, (long long)number);
    buf_add_text(body, body->len == 0 ? "" : "&");
    url_add_part(body, buf_text(&channel));
    buf_addf(body, "=%lld", (long long)position);
    buf_release(&channel);
}

static void
write_body(struct bus *bus, struct buf *body)
{
    int64_t last = bus->inbox.position;

    /* A poll that is not streamed would end with what is known already. */
    bus->inbox.asked = last <= 0 ? LAST_ONE : bus->whole ? last : last - 1;
    add_channel(body, PRIVATE_CHANNEL, bus->account, bus->inbox.asked);
    for (unsigned i = 0; i < bus->count; i++) {
        struct channel *channel = &bus->topics[i];

        channel->asked = channel->position;
        add_channel(body, "/topic/", channel->topic, channel->asked);
    }
}

static bool
poll_bus(const struct service *service, void *session,
         const struct bell_feeds *feeds, int64_t now, struct request *request,
         struct buf *why)
{
    struct bus *bus = session;
    char *end;

    bus->account = strtoll(feeds->address, &end, 10);
    assert(*end == '/');
    if (!set_topics(bus, feeds)) {
        buf_addf(why, "its doorbell rings for at most %d topics", TOPICS_MAX);
        return false;
    }
    (void)snprintf(request->method, sizeof(request->method), "POST");
    buf_addf(&request->url, "%s/message-bus/", service->base);
    url_add_part(&request->url, end + 1);
    buf_add_text(&request->url, "/poll");
    /* What is packed may be held back until there is more of it. */
    buf_addf(&request->headers,
             "Api-Username: %s\nAccept: application/json\n"
             "Accept-Encoding: identity\n%s",
             service->user, bus->whole ? "Dont-Chunk: true\n" : "");
    (void)snprintf(request->type, sizeof(request->type),
                   "application/x-www-form-urlencoded");
    write_body(bus, &request->body);
    request->authorized = true;
    request->long_poll = true;
    bus->polled_at = now;
    bus->opened = false;
    bus->stranger = false;
    bus->news = false;
    bus->texts = 0;
    return true;
}

/* ---- messages ------------------------------------------------------------ */

/* The channel of that name; NULL: it was not asked for. */
static struct channel *
find_channel(struct bus *bus, const char *name)
{
    static const char topic[] = "/topic/";
    static const char inbox[] = PRIVATE_CHANNEL;

    if (strncmp(name, inbox, sizeof(inbox) - 1) == 0) {
        return &bus->inbox;
    }
    return strncmp(name, topic, sizeof(topic) - 1) == 0
               ? find_topic(bus, strtoll(name + sizeof(topic) - 1, NULL, 10))
               : NULL;
}

static bool
is_own(const struct bus *bus, json_object *object, const char *key)
{
    int64_t user = 0;

    return jdoc_integer(object, key, &user) && user == bus->account;
}

/* What happened in a topic: all else has a type too, or is only for browsers
 * (Post#publish_change_to_clients!, Topic.publish_stats_to_clients!). */
static void
take_topic(struct bus *bus, struct channel *channel, json_object *data)
{
    const char *type = jdoc_string(data, "type");
    bool created = type != NULL && strcmp(type, "created") == 0;

    if (created && !is_own(bus, data, "user_id")) {
        channel->rings = true;
        (void)jdoc_integer(data, "id", &channel->post);
    } else if ((type != NULL && strcmp(type, "recovered") == 0) ||
               (type == NULL && (forum_flag(data, "reload_topic") ||
                                 forum_flag(data, "refresh_stream")))) {
        channel->rings = true;
    }
}

static void
take_private(struct bus *bus, json_object *data)
{
    const char *type = jdoc_string(data, "message_type");

    if (type != NULL &&
        (strcmp(type, "new_topic") == 0 || strcmp(type, "unread") == 0) &&
        !is_own(bus, jdoc_get(data, "payload"), "created_by_user_id")) {
        struct channel *inbox = &bus->inbox;
        int64_t topic = 0;

        (void)jdoc_integer(data, "topic_id", &topic);
        inbox->post = !inbox->rings || inbox->post == topic ? topic : 0;
        inbox->rings = true;
    }
}

/* A message that was not told, or where a channel is that was asked for the
 * first time, or was emptied: it has to be looked at. */
static void
take_status(struct bus *bus, json_object *data)
{
    json_object_object_foreach(data, name, value)
    {
        struct channel *channel = find_channel(bus, name);
        int64_t id = json_object_is_type(value, json_type_int)
                         ? json_object_get_int64(value)
                         : -1;

        if (channel == NULL || id < 0) {
            continue;
        }
        if (channel == &bus->inbox && id > channel->asked && id > 0) {
            bus->stranger = true;
        }
        channel->position = id;
        channel->rings = true;
        channel->post = 0; /* anything may be new */
    }
}

static void
take_message(struct bus *bus, json_object *message)
{
    const char *name = jdoc_string(message, "channel");
    json_object *data = jdoc_get(message, "data");
    struct channel *channel = name == NULL ? NULL : find_channel(bus, name);
    int64_t id = 0;

    if (!json_object_is_type(data, json_type_object)) {
        return;
    }
    if (name != NULL && strcmp(name, "/__status") == 0) {
        take_status(bus, data);
    } else if (channel != NULL && jdoc_integer(message, "message_id", &id) &&
               id > channel->position) {
        channel->position = id;
        bus->news = true;
        if (channel == &bus->inbox) {
            take_private(bus, data);
        } else {
            take_topic(bus, channel, data);
        }
    }
}

/* False: it is no list. */
static bool
take_list(struct bus *bus, const struct bell_input *input)
{
    struct buf ignored = BUF_INIT;
    json_object *list = NULL;
    bool good = jdoc_parse(input->text, input->len, false, &list, &ignored) ==
                    ERR_NONE &&
                json_object_is_type(list, json_type_array);

    for (size_t i = 0; good && i < json_object_array_length(list); i++) {
        take_message(bus, json_object_array_get_idx(list, i));
    }
    json_object_put(list);
    buf_release(&ignored);
    return good;
}

/* ---- ringing ------------------------------------------------------------- */

/* The first channel that rings; NULL: none does. */
static struct channel *
first_ringing(struct bus *bus)
{
    if (bus->inbox.rings) {
        return &bus->inbox;
    }
    for (unsigned i = 0; i < bus->count; i++) {
        if (bus->topics[i].rings) {
            return &bus->topics[i];
        }
    }
    return NULL;
}

static void
ring(struct bus *bus, struct bell_output *output)
{
    struct channel *channel = first_ringing(bus);

    if (channel == NULL) {
        return;
    }
    output->rings = true;
    if (channel == &bus->inbox) {
        (void)snprintf(output->feed, sizeof(output->feed), FORUM_INBOX);
    } else {
        (void)snprintf(output->feed, sizeof(output->feed), "%lld",
                       (long long)channel->topic);
    }
    if (channel->post > 0) {
        (void)snprintf(output->post, sizeof(output->post), "%s%lld",
                       channel == &bus->inbox ? FORUM_DM : "",
                       (long long)channel->post);
    }
    channel->rings = false;
    channel->post = 0;
    output->more = first_ringing(bus) != NULL;
}

/* ---- a poll -------------------------------------------------------------- */

/* It has failed: it is tried again after a pause, and meanwhile read without.
 */
static void
give_up(const struct service *service, int64_t pause, const char *said,
        struct bell_output *output, struct buf *why)
{
    output->shut = true;
    output->pause = pause;
    buf_addf(why, "%s: %s; the host reads by polling", service->name, said);
}

static void
take_text(const struct service *service, struct bus *bus,
          const struct bell_input *input, struct bell_output *output,
          struct buf *why)
{
    if (first_ringing(bus) != NULL) {
        ring(bus, output); /* this text was read already */
        return;
    }
    bus->texts++;
    if (!take_list(bus, input)) {
        give_up(service, STRANGER_MS, "what its message bus says can't be read",
                output, why);
    } else if (bus->stranger) {
        bus->inbox.rings = false;
        give_up(service, STRANGER_MS,
                "its message bus does not know the account; either the key is "
                "not accepted, or its requests of this minute are used up",
                output, why);
    } else {
        output->listens = true;
        ring(bus, output);
    }
}

/* Poll once more, so long after the last one was begun. */
static void
poll_again(const struct bus *bus, int64_t apart, int64_t now,
           struct bell_output *output)
{
    int64_t rest = bus->polled_at + apart - now;

    output->again = true;
    output->pause = rest > 0 && rest <= apart ? rest : 0;
}

static void
take_closed(const struct service *service, struct bus *bus,
            const struct bell_input *input, struct bell_output *output,
            struct buf *why)
{
    /* One that is not streamed opens when it ends, as does one that is held
     * back. */
    int64_t from = bus->whole ? bus->polled_at : bus->opened_at;
    bool hasty = input->now < from + HASTY_MS;

    if (!bus->opened || input->code != 0 || bus->texts == 0) {
        return; /* it has failed */
    }
    if (!hasty) {
        poll_again(bus, bus->whole ? WHOLE_MS : 0, input->now, output);
    } else if (!bus->whole) {
        bus->whole = true; /* it was held back, or is no long poll */
        poll_again(bus, 0, input->now, output);
    } else if (bus->news) {
        poll_again(bus, WHOLE_MS, input->now, output);
    } else {
        give_up(service, OFF_MS, "it has turned long polling off", output, why);
    }
}

static void
take_event(const struct service *service, void *session,
           const struct bell_input *input, struct bell_output *output,
           struct buf *why)
{
    struct bus *bus = session;

    switch (input->event) {
    case BELL_OPENED:
        bus->opened = true;
        bus->opened_at = input->now;
        output->wake = bus->whole ? 0 : input->now + FIRST_MS;
        break;
    case BELL_TEXT:
        take_text(service, bus, input, output, why);
        break;
    case BELL_TIME:
        if (bus->texts == 0) {
            bus->whole = true; /* somebody holds it back */
            output->shut = true;
            output->again = true;
        }
        break;
    case BELL_CLOSED:
        take_closed(service, bus, input, output, why);
        break;
    }
}

const struct doorbell discourse_bus = {
    .size = sizeof(struct bus),
    .poll = poll_bus,
    .delimiter = "\r\n|\r\n",
    .take = take_event,
};
