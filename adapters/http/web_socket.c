#include "adapters/http/web_socket.h"

#include <assert.h>
#include <openssl/evp.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wslay/wslay.h>

#include "adapters/http/http_curl.h"
#include "adapters/http/http_url.h"
#include "bot/base/version.h"

enum {
    UPGRADE_MAX = 16 << 10, /* bytes of the reply to the upgrade */
    UPGRADE_MS = 15000,     /* until it is open, from the start */
    KEY_SIZE = 16,
    KEY_TEXT = 25, /* in base 64, with the NUL */
    SHA1_SIZE = 20,
    SHA1_TEXT = 29,
};

enum socket_state {
    STATE_CONNECTING, /* libcurl connects */
    STATE_UPGRADING,  /* HTTP, until 101 */
    STATE_OPEN,
    STATE_OVER,
};

struct text {
    struct text *next;
    struct buf bytes;
};

struct web_socket {
    enum socket_state state;
    CURLM *multi;
    CURL *easy;
    CURLU *url;
    int descriptor; /* once it is connected */
    int64_t until;  /* while it is not open */
    char key[KEY_TEXT];
    struct buf out; /* of the upgrade, from `sent` on */
    size_t sent;
    struct buf in; /* what came until the upgrade's end; then what came behind
                      it, from `taken` on */
    size_t taken;
    wslay_event_context_ptr frames;
    struct text *first, *last; /* that came */
    struct text *shown;        /* by web_socket_next */
    unsigned waiting;          /* texts that came and were not taken, */
    size_t waiting_bytes;      /* and their bytes */
    bool cut;
    bool opened_told, closed_told;
    unsigned code;
    struct buf trouble;
    char error[CURL_ERROR_SIZE];
};

static void
fail(struct web_socket *socket, const char *sentence)
{
    if (socket->state != STATE_OVER) {
        socket->state = STATE_OVER;
        buf_add_text(&socket->trouble, sentence);
    }
}

/* ---- bytes --------------------------------------------------------------- */

enum flow {
    FLOW_SOME,
    FLOW_LATER, /* it would block */
    FLOW_ENDED, /* the other side has cut the connection, or it broke */
};

static enum flow
read_bytes(struct web_socket *socket, void *bytes, size_t room, size_t *len)
{
    CURLcode code = curl_easy_recv(socket->easy, bytes, room, len);

    if (code == CURLE_AGAIN) {
        return FLOW_LATER;
    }
    return code == CURLE_OK && *len > 0 ? FLOW_SOME : FLOW_ENDED;
}

static enum flow
write_bytes(struct web_socket *socket, const void *bytes, size_t size,
            size_t *len)
{
    CURLcode code = curl_easy_send(socket->easy, bytes, size, len);

    if (code == CURLE_AGAIN) {
        return FLOW_LATER;
    }
    return code == CURLE_OK ? FLOW_SOME : FLOW_ENDED;
}

/* ---- frames -------------------------------------------------------------- */

/* Does the other side read what we send?  It is not read otherwise: each of its
 * pings would add an answer to what waits. */
static bool
is_read(const struct web_socket *socket)
{
    return wslay_event_get_queued_msg_count(socket->frames) < SOCKET_UNSENT_MAX;
}

static bool
may_read(const struct web_socket *socket)
{
    return socket->waiting < SOCKET_TEXTS_MAX &&
           socket->waiting_bytes < SOCKET_BYTES_MAX && is_read(socket);
}

static ssize_t
take_bytes(wslay_event_context_ptr frames, uint8_t *bytes, size_t room,
           int flags, void *context)
{
    struct web_socket *socket = context;
    size_t len = socket->in.len - socket->taken;

    (void)flags;
    if (len > 0) { /* they came with the upgrade's reply */
        len = len < room ? len : room;
        memcpy(bytes, socket->in.data + socket->taken, len);
        socket->taken += len;
        return (ssize_t)len;
    }
    enum flow flow =
        may_read(socket) ? read_bytes(socket, bytes, room, &len) : FLOW_LATER;
    if (flow == FLOW_SOME) {
        return (ssize_t)len;
    }
    socket->cut = flow == FLOW_ENDED;
    wslay_event_set_error(frames, flow == FLOW_LATER
                                      ? WSLAY_ERR_WOULDBLOCK
                                      : WSLAY_ERR_CALLBACK_FAILURE);
    return -1;
}

static ssize_t
give_bytes(wslay_event_context_ptr frames, const uint8_t *bytes, size_t size,
           int flags, void *context)
{
    struct web_socket *socket = context;
    size_t len = 0;
    enum flow flow = write_bytes(socket, bytes, size, &len);

    (void)flags;
    if (flow == FLOW_SOME) {
        return (ssize_t)len;
    }
    wslay_event_set_error(frames, flow == FLOW_LATER
                                      ? WSLAY_ERR_WOULDBLOCK
                                      : WSLAY_ERR_CALLBACK_FAILURE);
    return -1;
}

static int
make_mask(wslay_event_context_ptr frames, uint8_t *mask, size_t size,
          void *context)
{
    (void)frames;
    (void)context;
    randombytes_buf(mask, size);
    return 0;
}

static void
take_message(wslay_event_context_ptr frames,
             const struct wslay_event_on_msg_recv_arg *message, void *context)
{
    struct web_socket *socket = context;

    (void)frames;
    if (message->opcode == WSLAY_CONNECTION_CLOSE) {
        socket->code = message->status_code;
    }
    if (message->opcode != WSLAY_TEXT_FRAME ||
        (message->msg_length > 0 &&
         memchr(message->msg, '\0', message->msg_length) != NULL)) {
        return;
    }
    struct text *text = must_alloc(sizeof *text);
    buf_init(&text->bytes, SOCKET_TEXT_MAX);
    buf_add(&text->bytes, message->msg, message->msg_length);
    if (socket->last != NULL) {
        socket->last->next = text;
    } else {
        socket->first = text;
    }
    socket->last = text;
    socket->waiting++;
    socket->waiting_bytes += text->bytes.len;
}

static const struct wslay_event_callbacks callbacks = {
    .recv_callback = take_bytes,
    .send_callback = give_bytes,
    .genmask_callback = make_mask,
    .on_msg_recv_callback = take_message,
};

static void
send_frames(struct web_socket *socket)
{
    if (wslay_event_send(socket->frames) != 0) {
        fail(socket, "the connection broke");
    }
}

static void
exchange_frames(struct web_socket *socket)
{
    int code = wslay_event_recv(socket->frames);

    send_frames(socket);
    if (wslay_event_get_close_received(socket->frames)) {
        fail(socket, "");
    } else if (socket->cut) {
        fail(socket, "the connection was cut");
    } else if (code != 0 || !wslay_event_get_read_enabled(socket->frames)) {
        fail(socket, "what came does not follow RFC 6455");
    }
}

/* ---- the upgrade (RFC 6455, section 4) ----------------------------------- */

/* The path and query that are asked for. */
static void
add_target(struct web_socket *socket, struct buf *out)
{
    size_t before = out->len;

    url_part(socket->url, CURLUPART_PATH, out);
    if (out->len == before) {
        buf_add_char(out, '/');
    }
    before = out->len;
    buf_add_char(out, '?');
    url_part(socket->url, CURLUPART_QUERY, out);
    if (out->len == before + 1) {
        buf_truncate(out, before);
    }
}

static void
ask_upgrade(struct web_socket *socket)
{
    unsigned char key[KEY_SIZE];
    struct buf *out = &socket->out;

    randombytes_buf(key, sizeof key);
    sodium_bin2base64(socket->key, sizeof socket->key, key, sizeof key,
                      sodium_base64_VARIANT_ORIGINAL);
    buf_add_text(out, "GET ");
    add_target(socket, out);
    buf_add_text(out, " HTTP/1.1\r\nHost: ");
    url_part(socket->url, CURLUPART_HOST, out);
    buf_add_char(out, ':');
    url_part(socket->url, CURLUPART_PORT, out);
    buf_addf(out,
             "\r\nUser-Agent: placard (%s, %s)\r\n"
             "Upgrade: websocket\r\nConnection: Upgrade\r\n"
             "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n",
             placard_url, placard_version, socket->key);
}

/* What the service must answer to our key. */
static void
expected_answer(const struct web_socket *socket, char answer[SHA1_TEXT])
{
    struct buf text = BUF_INIT;
    unsigned char hash[SHA1_SIZE];
    unsigned size = 0;

    buf_addf(&text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", socket->key);
    if (EVP_Digest(text.data, text.len, hash, &size, EVP_sha1(), NULL) != 1) {
        die("libcrypto has no SHA-1");
    }
    sodium_bin2base64(answer, SHA1_TEXT, hash, sizeof hash,
                      sodium_base64_VARIANT_ORIGINAL);
    buf_release(&text);
}

/* Has the reply a header with that value? */
static bool
has_header(const char *reply, const char *name, const char *value, bool blind)
{
    size_t len = strlen(name);
    bool found = false;

    for (const char *line = strstr(reply, "\r\n"); line != NULL && !found;
         line = strstr(line + 2, "\r\n")) {
        const char *at = line + 2;
        if (strncasecmp(at, name, len) != 0 || at[len] != ':') {
            continue;
        }
        at += len + 1;
        at += strspn(at, " \t");
        size_t size = strcspn(at, " \t\r");
        found =
            size == strlen(value) && (blind ? strncasecmp(at, value, size)
                                            : strncmp(at, value, size)) == 0;
    }
    return found;
}

/* Say what came instead of an upgrade: "HTTP/1.1 503 Service Unavailable". */
static void
refuse_upgrade(struct web_socket *socket)
{
    char sentence[128];
    const char *reply = buf_text(&socket->in);
    int len = (int)strcspn(reply, "\r\n");

    for (int i = 0; i < len; i++) {
        if ((unsigned char)reply[i] < ' ' || (unsigned char)reply[i] > '~') {
            len = i;
        }
    }
    (void)snprintf(sentence, sizeof sentence,
                   "it is no WebSocket; what answered is: %.*s",
                   len < 60 ? len : 60, reply);
    fail(socket, sentence);
}

static void
open_frames(struct web_socket *socket)
{
    if (wslay_event_context_client_init(&socket->frames, &callbacks, socket) !=
        0) {
        die("out of memory");
    }
    wslay_event_config_set_max_recv_msg_length(socket->frames, SOCKET_TEXT_MAX);
    socket->state = STATE_OPEN;
}

/* Take the reply to the upgrade, once it is there. */
static void
parse_upgrade(struct web_socket *socket)
{
    const char *reply = buf_text(&socket->in);
    const char *end = strstr(reply, "\r\n\r\n");
    char answer[SHA1_TEXT];

    if (end == NULL) {
        if (socket->in.len >= UPGRADE_MAX || strlen(reply) < socket->in.len) {
            refuse_upgrade(socket);
        }
        return;
    }
    socket->taken = (size_t)(end - reply) + 4;
    expected_answer(socket, answer);
    if (strncmp(reply, "HTTP/1.1 101", 12) != 0 ||
        !has_header(reply, "Upgrade", "websocket", true) ||
        !has_header(reply, "Sec-WebSocket-Accept", answer, false)) {
        refuse_upgrade(socket);
        return;
    }
    open_frames(socket);
}

static void
upgrade(struct web_socket *socket)
{
    char bytes[4096];
    size_t len = 0;
    enum flow flow = FLOW_SOME;

    while (flow == FLOW_SOME && socket->sent < socket->out.len) {
        flow = write_bytes(socket, socket->out.data + socket->sent,
                           socket->out.len - socket->sent, &len);
        socket->sent += flow == FLOW_SOME ? len : 0;
    }
    while (flow != FLOW_ENDED && socket->state == STATE_UPGRADING &&
           (flow = read_bytes(socket, bytes, sizeof bytes, &len)) ==
               FLOW_SOME) {
        buf_add(&socket->in, bytes, len);
        parse_upgrade(socket);
    }
    if (flow == FLOW_ENDED) {
        fail(socket, "the connection was cut before it was a WebSocket");
    }
}

/* ---- connecting ---------------------------------------------------------- */

/* libcurl knows of http: and https: here, whose ports and rules are the same
 * (RFC 6455, section 3). */
static CURLU *
parse_url(const char *text)
{
    CURLU *url = curl_url();
    struct buf http = BUF_INIT;
    bool good =
        strncmp(text, "ws", 2) == 0 &&
        (strncmp(text + 2, "s://", 4) == 0 || strncmp(text + 2, "://", 3) == 0);

    if (url == NULL) {
        die("out of memory");
    }
    buf_addf(&http, "http%s", good ? text + 2 : "");
    good = good && curl_url_set(url, CURLUPART_URL, buf_text(&http),
                                CURLU_DISALLOW_USER) == CURLUE_OK;
    buf_release(&http);
    if (!good) {
        curl_url_cleanup(url);
        return NULL;
    }
    return url;
}

static void
begin(struct web_socket *socket, bool encrypted)
{
    CURL *easy = curl_easy_init();
    CURLM *multi = curl_multi_init();

    if (easy == NULL || multi == NULL) {
        die("out of memory");
    }
    socket->easy = easy;
    socket->multi = multi;
    curl_set_safely(easy, encrypted);
    CURL_SET(easy, CURLOPT_CURLU, socket->url);
    CURL_SET(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    CURL_SET(easy, CURLOPT_CONNECT_ONLY, 1L);
    CURL_SET(easy, CURLOPT_FRESH_CONNECT, 1L);
    CURL_SET(easy, CURLOPT_ERRORBUFFER, socket->error);
    if (curl_multi_add_handle(multi, easy) != CURLM_OK) {
        die("out of memory");
    }
}

struct web_socket *
web_socket_new(const char *address, int64_t now, struct buf *why)
{
    CURLU *url = parse_url(address);

    if (url == NULL) {
        (void)err_say(why, ERR_CONFIG,
                      "the address of its doorbell is not valid");
        return NULL;
    }
    bool encrypted = url_is(url, CURLUPART_SCHEME, "https");
    if (!encrypted && !url_is_loopback(url)) {
        (void)err_say(why, ERR_CONFIG,
                      "the address of its doorbell is not encrypted");
        curl_url_cleanup(url);
        return NULL;
    }
    struct web_socket *socket = must_alloc(sizeof *socket);
    socket->url = url;
    socket->until = now + UPGRADE_MS;
    socket->descriptor = -1;
    buf_init(&socket->in, (size_t)2 * UPGRADE_MAX);
    begin(socket, encrypted);
    return socket;
}

static void
free_text(struct text *text)
{
    if (text != NULL) {
        buf_wipe(&text->bytes);
        free(text);
    }
}

void
web_socket_free(struct web_socket *socket)
{
    if (socket == NULL) {
        return;
    }
    if (socket->frames != NULL) {
        wslay_event_context_free(socket->frames);
    }
    (void)curl_multi_remove_handle(socket->multi, socket->easy);
    curl_easy_cleanup(socket->easy);
    (void)curl_multi_cleanup(socket->multi);
    curl_url_cleanup(socket->url);
    while (socket->first != NULL) {
        struct text *text = socket->first;
        socket->first = text->next;
        free_text(text);
    }
    free_text(socket->shown);
    buf_wipe(&socket->in);
    buf_release(&socket->out);
    buf_release(&socket->trouble);
    free(socket);
}

static void
connected(struct web_socket *socket, CURLcode code)
{
    curl_socket_t descriptor = CURL_SOCKET_BAD;

    if (code == CURLE_OK) {
        code =
            curl_easy_getinfo(socket->easy, CURLINFO_ACTIVESOCKET, &descriptor);
    }
    if (code != CURLE_OK || descriptor == CURL_SOCKET_BAD) {
        fail(socket, socket->error[0] != '\0' ? socket->error
                                              : curl_easy_strerror(code));
        return;
    }
    socket->descriptor = descriptor;
    socket->state = STATE_UPGRADING;
    ask_upgrade(socket);
}

static void
connect_on(struct web_socket *socket)
{
    int left = 0;
    const CURLMsg *message = NULL;

    if (curl_multi_perform(socket->multi, &left) != CURLM_OK) {
        fail(socket, "libcurl can't connect");
        return;
    }
    while (socket->state == STATE_CONNECTING &&
           (message = curl_multi_info_read(socket->multi, &left)) != NULL) {
        connected(socket, message->data.result);
    }
}

/* ---- a socket ------------------------------------------------------------ */

void
web_socket_work(struct web_socket *socket, int64_t now)
{
    if (socket->state == STATE_CONNECTING) {
        connect_on(socket);
    }
    if (socket->state == STATE_UPGRADING) {
        upgrade(socket);
    }
    if (socket->state == STATE_OPEN) {
        exchange_frames(socket);
    } else if (now >= socket->until) {
        fail(socket, "it was not open in time");
    }
}

void
web_socket_send(struct web_socket *socket, const char *text, size_t len)
{
    const struct wslay_event_msg message = {
        .opcode = WSLAY_TEXT_FRAME,
        .msg = (const uint8_t *)text,
        .msg_length = len,
    };

    if (socket->state == STATE_OPEN) {
        if (!is_read(socket) ||
            wslay_event_queue_msg(socket->frames, &message) != 0) {
            fail(socket, "the other side does not read what is sent");
            return;
        }
        send_frames(socket);
    }
}

void
web_socket_close(struct web_socket *socket, unsigned code)
{
    if (socket->state == STATE_OPEN) {
        (void)wslay_event_queue_close(socket->frames, (uint16_t)code, NULL, 0);
        send_frames(socket);
    }
    socket->state = STATE_OVER;
    socket->opened_told = true;
    socket->closed_told = true;
}

bool
web_socket_next(struct web_socket *socket, struct socket_event *event)
{
    *event = (struct socket_event){.text = "", .trouble = ""};
    free_text(socket->shown);
    socket->shown = NULL;
    if (socket->frames != NULL && !socket->opened_told) {
        socket->opened_told = true;
        event->kind = SOCKET_OPENED;
        return true;
    }
    if (socket->first != NULL && !socket->closed_told) {
        struct text *text = socket->first;
        socket->first = text->next;
        socket->last = socket->first == NULL ? NULL : socket->last;
        socket->waiting--;
        socket->waiting_bytes -= text->bytes.len;
        socket->shown = text;
        event->kind = SOCKET_TEXT;
        event->text = buf_text(&text->bytes);
        event->len = text->bytes.len;
        return true;
    }
    if (socket->state == STATE_OVER && !socket->closed_told) {
        socket->closed_told = true;
        event->kind = SOCKET_CLOSED;
        event->code = socket->code;
        event->trouble = buf_text(&socket->trouble);
        return true;
    }
    return false;
}

unsigned
web_socket_descriptors(struct web_socket *socket, int64_t now,
                       struct curl_waitfd *descriptors, int64_t *patience)
{
    bool writes = false;

    if (socket->state == STATE_OVER) {
        *patience = socket->closed_told ? *patience : 0;
        return 0;
    }
    if (socket->state != STATE_OPEN && socket->until - now < *patience) {
        *patience = socket->until > now ? socket->until - now : 0;
    }
    if (socket->state == STATE_CONNECTING) {
        return curl_descriptors(socket->multi, descriptors,
                                SOCKET_DESCRIPTORS_MAX, patience);
    }
    if (socket->first != NULL) {
        *patience = 0;
    }
    writes = socket->state == STATE_UPGRADING
                 ? socket->sent < socket->out.len
                 : wslay_event_want_write(socket->frames) != 0;
    bool reads = socket->state == STATE_UPGRADING || is_read(socket);
    descriptors[0] = (struct curl_waitfd){
        .fd = socket->descriptor,
        .events = (short)((reads ? CURL_WAIT_POLLIN : 0) |
                          (writes ? CURL_WAIT_POLLOUT : 0))};
    return 1;
}
