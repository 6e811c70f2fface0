/*
 * Discord: the gateway, which is its doorbell (D "Gateway").
 *
 * It tells that a message was written, in which channel, and by whom (with the
 * name and the roles that they have there).  What the
 * message says is read by REST: so the bot needs no privileged intent here, and
 * nothing depends on an event that may be missed (D "Gateway", "Guild
 * Availability" and "Resuming": events may be lost or come twice).
 *
 * A press of a button comes here alone, whole, and needs no intent (D "Gateway
 * Intents").  One that is missed has failed: its author is told so by Discord.
 *
 * A session outlives its connection, and the process.  After a connection is
 * lost the session is resumed, and what was missed comes again.  To open a new
 * one (Identify) is what Discord counts: a bot that does so a thousand times a
 * day loses its token (D "Identifying").  So a new session is opened once a
 * minute at most, and when that was is saved before it is done.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "adapters/doorbell.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* D "Gateway Opcodes". */
enum opcode {
    OPCODE_DISPATCH = 0,
    OPCODE_HEARTBEAT = 1,
    OPCODE_IDENTIFY = 2,
    OPCODE_RESUME = 6,
    OPCODE_RECONNECT = 7,
    OPCODE_INVALID_SESSION = 9,
    OPCODE_HELLO = 10,
    OPCODE_HEARTBEAT_ACK = 11,
};

/* D "Gateway Intents": guilds, their messages, direct messages.  None of them
 * is privileged. */
enum {
    INTENTS = 1 << 0 | 1 << 9 | 1 << 12
};

enum {
    HELLO_MS = 20000, /* until the service has said hello */
    BEAT_LEAST_MS = 1000,
    BEAT_MOST_MS = 10 * 60000,
    IDENTIFY_APART_MS = 60000,
    STARTS_LEFT = 20, /* sessions of a day that are left to people who look into
                         the same bot by hand */
    SESSION_MAX = 128,
    URL_MAX = 256,
    PAUSE_MS = 1000,
    TOKEN_PAUSE_MS = 15 * 60000, /* until a token is tried again: a session that
                                    is refused counts, too */
    UNANSWERED_MAX = 3,
    CLOSE_RESUMABLE = 4000, /* with 1000 or 1001 the session would end */
};

#define STATE_SESSION    "secret.gateway"
#define STATE_IDENTIFIED "gateway.identified"

struct gateway {
    bool greeted;        /* hello has come */
    bool answered;       /* the last heartbeat was */
    bool changed;        /* `seq` is not saved */
    unsigned unanswered; /* connections in a row without a hello */
    int64_t beat;        /* when the next heartbeat is due */
    int64_t interval;
    int64_t seq;                   /* of the last event; 0: none yet */
    char session[SESSION_MAX + 1]; /* "": a new one is to be opened */
    char url[URL_MAX + 1];         /* where it can be resumed */
};

/* ---- where it is --------------------------------------------------------- */

/* The saved session: "SEQ ID URL"; false: there is none. */
static bool
parse_session(const char *text, struct gateway *gateway)
{
    char *end = NULL;
    int64_t seq = strtoll(text, &end, 10);
    size_t id = *end == ' ' ? strcspn(end + 1, " ") : 0;

    if (id == 0 || id > SESSION_MAX || end[1 + id] != ' ' || seq < 0 ||
        strlen(end + 2 + id) > URL_MAX || strspn(text, "0123456789") == 0) {
        return false;
    }
    gateway->seq = seq;
    memcpy(gateway->session, end + 1, id);
    gateway->session[id] = '\0';
    (void)snprintf(gateway->url, sizeof(gateway->url), "%s", end + 2 + id);
    return true;
}

static void
add_version(struct buf *url)
{
    const char *text = buf_text(url);

    buf_add_text(url, strchr(text, '?') != NULL       ? "&"
                      : text[strlen(text) - 1] == '/' ? "?"
                                                      : "/?");
    buf_add_text(url, "v=10&encoding=json");
}

/* A new session is opened there, unless too many were opened today. */
static enum advance
parse_gateway(struct exchange *exchange)
{
    const char *url = jdoc_string(exchange->value, "url");
    json_object *limit = jdoc_get(exchange->value, "session_start_limit");
    int64_t left = STARTS_LEFT + 1;
    int64_t wait = 0;

    if (!is_success(exchange) || url == NULL || strlen(url) > URL_MAX) {
        return discord_lacking(exchange);
    }
    if (jdoc_integer(limit, "remaining", &left) && left <= STARTS_LEFT &&
        jdoc_integer(limit, "reset_after", &wait) && wait > 0) {
        exchange->out->wait = wait;
        return outcome_fail(exchange->out, exchange->why, ERR_LIMITED,
                            "%s: the bot has opened too many gateway sessions "
                            "today; it opens no more until the limit is reset",
                            exchange->service->name);
    }
    buf_add_text(&exchange->out->id, url);
    add_version(&exchange->out->id);
    return ADVANCE_DONE;
}

enum advance
discord_bell(struct exchange *exchange)
{
    struct gateway saved;
    int64_t identified =
        strtoll(exchange_state(exchange, STATE_IDENTIFIED), NULL, 10);
    int64_t wait = identified + IDENTIFY_APART_MS - exchange->op->now;

    if (exchange->reply != NULL) {
        return parse_gateway(exchange);
    }
    if (parse_session(exchange_state(exchange, STATE_SESSION), &saved)) {
        buf_add_text(&exchange->out->id, saved.url);
        add_version(&exchange->out->id);
        return ADVANCE_DONE;
    }
    /* A clock that was set back must not keep it closed for longer. */
    if (identified > 0 && wait > 0 && wait <= IDENTIFY_APART_MS) {
        exchange->out->wait = wait;
        return outcome_fail(exchange->out, exchange->why, ERR_LIMITED,
                            "%s: a gateway session was opened less than a "
                            "minute ago",
                            exchange->service->name);
    }
    discord_ask(exchange, "GET", "/gateway/bot");
    return ADVANCE_REQUEST;
}

/* ---- what is said -------------------------------------------------------- */

static void
save_session(struct gateway *gateway, struct bell_output *output)
{
    struct buf value = BUF_INIT;

    if (gateway->session[0] != '\0') {
        buf_addf(&value, "%" PRId64 " %s %s", gateway->seq, gateway->session,
                 gateway->url);
    }
    bell_set_state(output, STATE_SESSION, buf_text(&value));
    gateway->changed = false;
    buf_wipe(&value);
}

static void
forget_session(struct gateway *gateway, struct bell_output *output)
{
    gateway->session[0] = '\0';
    gateway->seq = 0;
    save_session(gateway, output);
}

static void
beat(struct gateway *gateway, int64_t now, struct bell_output *output)
{
    struct bell_text *text = bell_add_text(output);

    if (gateway->seq == 0) {
        buf_addf(&text->text, "{\"op\":%d,\"d\":null}", OPCODE_HEARTBEAT);
    } else {
        buf_addf(&text->text, "{\"op\":%d,\"d\":%" PRId64 "}", OPCODE_HEARTBEAT,
                 gateway->seq);
    }
    gateway->answered = false;
    gateway->beat = now + gateway->interval;
    output->wake = gateway->beat;
    if (gateway->changed) {
        save_session(gateway, output);
    }
}

static void
identify(int64_t now, struct bell_output *output)
{
    struct bell_text *text = bell_add_text(output);
    char time[32];

    buf_addf(&text->text, "{\"op\":%d,\"d\":{\"token\":\"", OPCODE_IDENTIFY);
    text->token_at = text->text.len;
    buf_addf(&text->text,
             "\",\"intents\":%d,\"properties\":{\"os\":\"linux\","
             "\"browser\":\"placard\",\"device\":\"placard\"}}}",
             INTENTS);
    (void)snprintf(time, sizeof(time), "%" PRId64, now);
    bell_set_state(output, STATE_IDENTIFIED, time);
}

static void
resume(const struct gateway *gateway, struct bell_output *output)
{
    struct bell_text *text = bell_add_text(output);

    buf_addf(&text->text, "{\"op\":%d,\"d\":{\"token\":\"", OPCODE_RESUME);
    text->token_at = text->text.len;
    buf_add_text(&text->text, "\",\"session_id\":");
    jtext_string(&text->text, gateway->session);
    buf_addf(&text->text, ",\"seq\":%" PRId64 "}}", gateway->seq);
}

/* Close the connection so that the session, if there is one, can be resumed. */
static void
leave(int64_t pause, struct bell_output *output)
{
    output->shut = true;
    output->code = CLOSE_RESUMABLE;
    output->pause = pause;
}

/* ---- what is heard ------------------------------------------------------- */

static void
greet(struct gateway *gateway, json_object *data,
      const struct bell_input *input, struct bell_output *output)
{
    int64_t interval = 0;

    if (gateway->greeted ||
        !jdoc_integer(data, "heartbeat_interval", &interval)) {
        return;
    }
    interval = interval > BEAT_LEAST_MS ? interval : BEAT_LEAST_MS;
    gateway->interval = interval < BEAT_MOST_MS ? interval : BEAT_MOST_MS;
    gateway->greeted = true;
    gateway->unanswered = 0;
    gateway->answered = true;
    gateway->beat =
        input->now + (int64_t)(input->chance * (double)gateway->interval);
    output->wake = gateway->beat;
    if (gateway->session[0] != '\0') {
        resume(gateway, output);
    } else {
        identify(input->now, output);
    }
}

/* Another server need not tell everything: Spacebar is silent on DMs and
 * threads that were made after the log-in.  There the host goes on polling. */
static bool
tells_all(const struct service *service)
{
    return discord_is_home(service);
}

/* A new session is open. */
static void
take_ready(const struct service *service, struct gateway *gateway,
           json_object *data, struct bell_output *output)
{
    const char *session = jdoc_string(data, "session_id");
    const char *url = jdoc_string(data, "resume_gateway_url");

    output->listens = tells_all(service);
    output->missed = true;
    output->presses = true;
    gateway->session[0] = '\0';
    if (session != NULL && url != NULL && session[0] != '\0' &&
        strlen(session) <= SESSION_MAX && strpbrk(session, " \n") == NULL &&
        strlen(url) <= URL_MAX) {
        (void)snprintf(gateway->session, sizeof(gateway->session), "%s",
                       session);
        (void)snprintf(gateway->url, sizeof(gateway->url), "%s", url);
    }
    save_session(gateway, output);
}

/* Did the bot write it? */
static bool
is_own(const struct service *service, json_object *data)
{
    const char *author = jdoc_string(jdoc_get(data, "author"), "id");

    return author != NULL && strcmp(author, service->self) == 0;
}

/* A message was written: what its author is called in the server, and which
 * roles they have, comes with it, and nowhere else (D "Message Create"). */
static void
take_author(json_object *data, struct bell_output *output)
{
    json_object *author = jdoc_get(data, "author");
    json_object *member = jdoc_get(data, "member");
    uint64_t user = 0;

    if (member != NULL && output->post[0] != '\0' &&
        parse_snowflake(author, "id", &user)) {
        struct post *post = page_add(&output->pressed);

        post->kind = POST_AUTHOR;
        post->id = must_copy(output->post);
        post->place = must_copy(output->feed);
        post->author = copy_id(user);
        meet_author(post, author, member);
        page_finish(&output->pressed);
    }
}

/* Something happened in a channel, a thread or a DM. */
static void
ring(const struct service *service, json_object *data, bool written,
     struct bell_output *output)
{
    struct channel_id where = {0, 0};
    struct buf text = BUF_INIT;
    uint64_t post = 0;

    (void)parse_snowflake(data, "guild_id", &where.guild);
    if (is_own(service, data) ||
        !parse_snowflake(data, "channel_id", &where.channel)) {
        return;
    }
    channel_id_write(where, &text);
    output->rings = true;
    (void)snprintf(output->feed, sizeof(output->feed), "%s", buf_text(&text));
    if (written && parse_snowflake(data, "id", &post)) {
        buf_clear(&text);
        snowflake_write(post, &text);
        (void)snprintf(output->post, sizeof(output->post), "%s",
                       buf_text(&text));
    }
    buf_release(&text);
}

/* A message is gone; whose it was is not told. */
static void
take_deleted(json_object *data, struct bell_output *output)
{
    struct channel_id where = {0, 0};
    struct buf place = BUF_INIT;
    uint64_t id = 0;

    (void)parse_snowflake(data, "guild_id", &where.guild);
    if (!parse_snowflake(data, "channel_id", &where.channel) ||
        !parse_snowflake(data, "id", &id)) {
        return;
    }
    struct post *post = page_add(&output->pressed);

    channel_id_write(where, &place);
    post->kind = POST_DELETED;
    post->id = copy_id(id);
    post->place = buf_take(&place);
    page_finish(&output->pressed);
}

/* Something was pressed: only of such an event all is needed. */
static void
take_press(const struct bell_input *input, struct bell_output *output)
{
    json_object *value = NULL;
    struct buf ignored = BUF_INIT;

    if (jdoc_parse(input->text, input->len, false, &value, &ignored) ==
        ERR_NONE) {
        (void)parse_press(jdoc_get(value, "d"), &output->pressed,
                          &output->secret);
    }
    json_object_put(value);
    buf_release(&ignored);
}

static void
take_event(const struct service *service, struct gateway *gateway,
           json_object *value, const struct bell_input *input,
           struct bell_output *output)
{
    const char *name = jdoc_string(value, "t");
    json_object *data = jdoc_get(value, "d");
    int64_t seq = 0;

    if (jdoc_integer(value, "s", &seq) && seq > 0) {
        gateway->seq = seq;
        gateway->changed = true;
    }
    if (name == NULL) {
        return;
    }
    if (strcmp(name, "READY") == 0) {
        take_ready(service, gateway, data, output);
    } else if (strcmp(name, "RESUMED") == 0) {
        output->listens = tells_all(service);
        output->presses = true;
    } else if (strcmp(name, "MESSAGE_CREATE") == 0) {
        ring(service, data, true, output);
        take_author(data, output);
    } else if (strcmp(name, "MESSAGE_UPDATE") == 0 ||
               strcmp(name, "MESSAGE_DELETE") == 0) {
        ring(service, data, false, output);
        if (strcmp(name, "MESSAGE_DELETE") == 0) {
            take_deleted(data, output);
        }
    } else if (strcmp(name, "INTERACTION_CREATE") == 0) {
        take_press(input, output);
    }
}

/* The session can't be resumed now; or never (D "Invalid Session"). */
static void
lose_session(struct gateway *gateway, json_object *value,
             const struct bell_input *input, struct bell_output *output)
{
    bool resumable = false;

    (void)jdoc_bool(value, "d", &resumable);
    if (!resumable) {
        forget_session(gateway, output);
    }
    leave(PAUSE_MS + (int64_t)(input->chance * 4 * PAUSE_MS), output);
}

static void
take_text(const struct service *service, struct gateway *gateway,
          const struct bell_input *input, struct bell_output *output,
          struct buf *why)
{
    /* Most of an event is what somebody wrote, which is not read here. */
    static const char *const keys[] = {"op",
                                       "t",
                                       "s",
                                       "d",
                                       "id",
                                       "author",
                                       "username",
                                       "?global_name",
                                       "member",
                                       "nick",
                                       "roles",
                                       "channel_id",
                                       "heartbeat_interval",
                                       "guild_id",
                                       "session_id",
                                       "resume_gateway_url",
                                       NULL};
    json_object *value = NULL;
    int64_t opcode = -1;
    struct buf ignored = BUF_INIT;

    if (jdoc_parse_members(input->text, input->len, keys, &value, &ignored) !=
            ERR_NONE ||
        !jdoc_integer(value, "op", &opcode)) {
        buf_addf(why, "%s: what its gateway says can't be read", service->name);
        leave(PAUSE_MS, output);
    } else if (opcode == OPCODE_HELLO) {
        greet(gateway, jdoc_get(value, "d"), input, output);
    } else if (opcode == OPCODE_HEARTBEAT_ACK) {
        gateway->answered = true;
    } else if (opcode == OPCODE_HEARTBEAT) {
        beat(gateway, input->now, output);
    } else if (opcode == OPCODE_RECONNECT) {
        leave((int64_t)(input->chance * PAUSE_MS), output);
    } else if (opcode == OPCODE_INVALID_SESSION) {
        lose_session(gateway, value, input, output);
    } else if (opcode == OPCODE_DISPATCH) {
        take_event(service, gateway, value, input, output);
    }
    json_object_put(value);
    buf_release(&ignored);
}

/* No answer to a heartbeat: the connection is dead, though nobody has closed it
 * (D "Heartbeat Interval").  A clock that was set back must not keep it silent
 * for longer. */
static void
take_time(const struct service *service, struct gateway *gateway,
          const struct bell_input *input, struct bell_output *output,
          struct buf *why)
{
    int64_t left = gateway->beat - input->now;

    if (gateway->greeted && left > 0 && left <= gateway->interval) {
        output->wake = gateway->beat;
    } else if (gateway->greeted && gateway->answered) {
        beat(gateway, input->now, output);
    } else {
        buf_addf(why, "%s: its gateway does not answer", service->name);
        leave(PAUSE_MS, output);
    }
}

/* D "Gateway Close Event Codes". */
static void
take_close(const struct service *service, struct gateway *gateway,
           const struct bell_input *input, struct bell_output *output,
           struct buf *why)
{
    static const struct {
        unsigned code;
        const char *why;
    } final[] = {
        {4010, "it does not accept our shard"},
        {4011, "the bot is in so many servers that it would need several "
               "connections"},
        {4012, "it no longer speaks version 10"},
        {4013, "it does not know the intents we ask for"},
        {4014, "it does not allow the intents we ask for"},
    };

    bool token = input->code == 4004;

    if (token) {
        buf_addf(why,
                 "%s: the gateway does not accept the token; the host reads by "
                 "polling, and tries again in a quarter of an hour",
                 service->name);
    }
    for (size_t i = 0; i < sizeof(final) / sizeof(final[0]); i++) {
        if (input->code == final[i].code) {
            output->never = true;
            buf_addf(why,
                     "%s: the gateway is closed, because %s; the host reads by "
                     "polling",
                     service->name, final[i].why);
        }
    }
    /* A wrong sequence; a session that has timed out; an address that is no
     * longer there. */
    gateway->unanswered += !gateway->greeted;
    gateway->greeted = false;
    if (output->never || token || input->code == 4007 || input->code == 4009 ||
        gateway->unanswered == UNANSWERED_MAX) {
        gateway->unanswered = 0;
        forget_session(gateway, output);
    } else if (gateway->changed) {
        save_session(gateway, output);
    }
    output->pause = (token ? TOKEN_PAUSE_MS : PAUSE_MS) +
                    (int64_t)(input->chance * PAUSE_MS);
}

static void
gateway_take(const struct service *service, void *session,
             const struct bell_input *input, struct bell_output *output,
             struct buf *why)
{
    struct gateway *gateway = session;

    switch (input->event) {
    case BELL_OPENED:
        gateway->greeted = false;
        if (gateway->session[0] == '\0') {
            (void)parse_session(bell_state(input, STATE_SESSION), gateway);
        }
        output->wake = input->now + HELLO_MS;
        return;
    case BELL_TEXT:
        take_text(service, gateway, input, output, why);
        return;
    case BELL_TIME:
        take_time(service, gateway, input, output, why);
        return;
    case BELL_CLOSED:
        take_close(service, gateway, input, output, why);
        return;
    }
}

const struct doorbell discord_gateway = {
    .size = sizeof(struct gateway),
    .take = gateway_take,
};
