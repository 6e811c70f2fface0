#include "tests/bench/fake_gateway.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/http/web_socket.h"
#include "bot/base/json.h"
#include "bot/base/splitmix.h"
#include "tests/support/payloads.h"

enum {
    EVENTS_MAX = 1 << 16, /* that can be told once more */
    HEARTBEAT_MS = 41250
};

/* One that is under way to the client. */
struct coming {
    int64_t at;
    enum socket_event_kind kind;
    char *text;
};

struct web_socket {
    struct coming *list;
    size_t first, count, room; /* `first`: of those that are left */
    char *taken;               /* the text that was taken last */
    int64_t now;
    bool ready; /* in a session: it is told of events */
};

static struct {
    int64_t latency;
    struct web_socket *socket; /* NULL: nobody is connected */
    char *events[EVENTS_MAX];  /* by their numbers, from 1 */
    int64_t seq;
    bool forgotten;  /* the session, and none was opened since */
    size_t told;     /* messages */
    unsigned missed; /* one message in so many is not told; 0: none */
} gateway;

/* ---- to the client ------------------------------------------------------- */

static void
send_text(struct web_socket *socket, enum socket_event_kind kind, int64_t now,
          const char *text)
{
    if (socket->count == socket->room) {
        socket->room = socket->room == 0 ? 16 : 2 * socket->room;
        socket->list =
            must_grow(socket->list, socket->room * sizeof *socket->list);
    }
    if (kind == SOCKET_TEXT) {
        payloads_keep_received(text);
    }
    socket->list[socket->count++] =
        (struct coming){now + gateway.latency, kind, must_copy(text)};
}

/* An event has a number, and can be told once more. */
static void
send_event(const char *name, const char *data, int64_t now)
{
    struct buf text = BUF_INIT;
    char **slot = &gateway.events[++gateway.seq % EVENTS_MAX];
    buf_addf(&text, "{\"t\":\"%s\",\"s\":%" PRId64 ",\"op\":0,\"d\":%s}", name,
             gateway.seq, data);
    free(*slot);
    *slot = buf_take(&text);
    if (gateway.socket != NULL && gateway.socket->ready) {
        send_text(gateway.socket, SOCKET_TEXT, now, *slot);
    }
}

void
fake_gateway_open(int64_t latency)
{
    gateway.latency = latency;
}

void
fake_gateway_miss(unsigned one_in)
{
    gateway.missed = one_in;
}

bool
fake_gateway_misses(uint64_t message)
{
    return gateway.missed > 0 && splitmix_below(&message, gateway.missed) == 0;
}

void
fake_gateway_tell(struct fake_discord *discord, int64_t now)
{
    struct buf data = BUF_INIT;
    for (; gateway.told < fake_discord_count(discord); gateway.told++) {
        const struct fake_discord_message *message =
            fake_discord_at(discord, gateway.told);
        if (fake_gateway_misses(message->id)) {
            continue;
        }
        buf_clear(&data);
        fake_discord_announce(discord, message, &data);
        send_event("MESSAGE_CREATE", buf_text(&data), now);
    }
    buf_release(&data);
}

void
fake_gateway_send(const char *name, const char *data, int64_t now)
{
    send_event(name, data, now);
}

int64_t
fake_gateway_next(void)
{
    const struct web_socket *socket = gateway.socket;
    return socket == NULL || socket->first == socket->count
               ? INT64_MAX
               : socket->list[socket->first].at;
}

void
fake_gateway_break(bool forgets, int64_t now)
{
    struct web_socket *socket = gateway.socket;
    gateway.forgotten = gateway.forgotten || forgets;
    if (socket == NULL) {
        return;
    }
    for (size_t i = socket->first; i < socket->count; i++) {
        free(socket->list[i].text);
    }
    socket->first = socket->count = 0;
    socket->ready = false;
    send_text(socket, SOCKET_CLOSED, now, "");
}

/* ---- from the client ----------------------------------------------------- */

static void
identify(struct web_socket *socket, int64_t now)
{
    socket->ready = true;
    gateway.forgotten = false;
    send_event(
        "READY",
        "{\"v\":10,\"user\":{\"id\":\"" GUILD_BOT "\",\"avatar\":null,"
        "\"username\":\"placard\",\"discriminator\":\"0\","
        "\"global_name\":null,\"bot\":true},\"guilds\":[],"
        "\"application\":{\"id\":\"400000000000000009\",\"flags\":0,\"flags_new\":\"0\"},"
        "\"session_id\":\"session\","
        "\"resume_gateway_url\":\"ws://127.0.0.1:9\"}",
        now);
}

static void
resume(struct web_socket *socket, json_object *data, int64_t now)
{
    int64_t seq = 0;
    (void)jdoc_integer(data, "seq", &seq);
    if (gateway.forgotten || gateway.seq - seq >= EVENTS_MAX) {
        send_text(socket, SOCKET_TEXT, now,
                  "{\"t\":null,\"s\":null,\"op\":9,\"d\":false}");
        return;
    }
    for (int64_t i = seq + 1; i <= gateway.seq; i++) {
        send_text(socket, SOCKET_TEXT, now, gateway.events[i % EVENTS_MAX]);
    }
    socket->ready = true;
    send_event("RESUMED", "{}", now);
}

void
web_socket_send(struct web_socket *socket, const char *text, size_t len)
{
    struct buf why = BUF_INIT;
    json_object *value = NULL;
    int64_t opcode = -1;
    payloads_keep_sent(text);
    if (jdoc_parse(text, len, false, &value, &why) != ERR_NONE ||
        !jdoc_integer(value, "op", &opcode)) {
        die("the bench's gateway was told: %s", text);
    }
    if (opcode == 1) {
        send_text(socket, SOCKET_TEXT, socket->now,
                  "{\"t\":null,\"s\":null,\"op\":11}");
    } else if (opcode == 2) {
        identify(socket, socket->now);
    } else if (opcode == 6) {
        resume(socket, jdoc_get(value, "d"), socket->now);
    }
    json_object_put(value);
    buf_release(&why);
}

/* ---- the socket ---------------------------------------------------------- */

struct web_socket *
web_socket_new(const char *address, int64_t now, struct buf *why)
{
    struct web_socket *socket = must_alloc(sizeof *socket);
    struct buf hello = BUF_INIT;
    (void)address;
    (void)why;
    gateway.socket = socket;
    socket->now = now;
    buf_addf(
        &hello,
        "{\"t\":null,\"s\":null,\"op\":10,\"d\":{\"heartbeat_interval\":%d}}",
        HEARTBEAT_MS);
    send_text(socket, SOCKET_OPENED, now, "");
    send_text(socket, SOCKET_TEXT, now, buf_text(&hello));
    buf_release(&hello);
    return socket;
}

void
web_socket_free(struct web_socket *socket)
{
    if (gateway.socket == socket) {
        gateway.socket = NULL;
    }
    for (size_t i = socket->first; i < socket->count; i++) {
        free(socket->list[i].text);
    }
    free(socket->list);
    free(socket->taken);
    free(socket);
}

void
web_socket_close(struct web_socket *socket, unsigned code)
{
    (void)code;
    socket->ready = false;
}

void
web_socket_work(struct web_socket *socket, int64_t now)
{
    socket->now = now;
}

bool
web_socket_next(struct web_socket *socket, struct socket_event *event)
{
    if (socket->first == socket->count ||
        socket->list[socket->first].at > socket->now) {
        return false;
    }
    const struct coming *coming = &socket->list[socket->first++];
    free(socket->taken);
    socket->taken = coming->text;
    *event = (struct socket_event){.kind = coming->kind,
                                   .text = coming->text,
                                   .len = strlen(coming->text),
                                   .trouble = ""};
    if (socket->first == socket->count) {
        socket->first = socket->count = 0;
    }
    return true;
}

unsigned
web_socket_descriptors(struct web_socket *socket, int64_t now,
                       struct curl_waitfd *descriptors, int64_t *patience)
{
    (void)descriptors;
    if (socket->first < socket->count &&
        socket->list[socket->first].at <= now) {
        *patience = 0; /* it was told something already */
    }
    return 0;
}
