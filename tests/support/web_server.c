#include "tests/support/web_server.h"

#include <openssl/evp.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

#include <check.h>

#include "bot/base/memory.h"

struct text {
    struct text *next;
    struct buf bytes;
};

struct web_server {
    struct httpd_request *request;
    wslay_event_context_ptr frames;
    struct text *first, **last;
};

static ssize_t
take_bytes(wslay_event_context_ptr frames, uint8_t *bytes, size_t room,
           int flags, void *context)
{
    struct web_server *server = context;
    struct buf *in = httpd_beyond(server->request);
    size_t len = in->len < room ? in->len : room;

    (void)flags;
    if (len == 0) {
        wslay_event_set_error(frames, WSLAY_ERR_WOULDBLOCK);
        return -1;
    }
    memcpy(bytes, in->data, len);
    memmove(in->data, in->data + len, in->len - len);
    buf_truncate(in, in->len - len);
    return (ssize_t)len;
}

static ssize_t
give_bytes(wslay_event_context_ptr frames, const uint8_t *bytes, size_t size,
           int flags, void *context)
{
    struct web_server *server = context;

    (void)frames;
    (void)flags;
    httpd_send(server->request, bytes, size);
    return (ssize_t)size;
}

static void
take_message(wslay_event_context_ptr frames,
             const struct wslay_event_on_msg_recv_arg *message, void *context)
{
    struct web_server *server = context;
    struct text *text = must_alloc(sizeof *text);

    (void)frames;
    if (message->opcode == WSLAY_CONNECTION_CLOSE) {
        buf_addf(&text->bytes, "close %u", (unsigned)message->status_code);
    } else {
        buf_add_text(&text->bytes,
                     message->opcode == WSLAY_PONG ? "pong " : "");
        buf_add(&text->bytes, message->msg, message->msg_length);
    }
    *server->last = text;
    server->last = &text->next;
}

static void
add_answer(const struct httpd_request *request, struct buf *reply)
{
    unsigned char hash[20];
    char answer[29];
    unsigned size = 0;
    struct buf key = BUF_INIT;

    ck_assert(httpd_header(request, "sec-websocket-key", &key));
    buf_add_text(&key, "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    ck_assert_int_eq(
        EVP_Digest(key.data, key.len, hash, &size, EVP_sha1(), NULL), 1);
    sodium_bin2base64(answer, sizeof answer, hash, sizeof hash,
                      sodium_base64_VARIANT_ORIGINAL);
    buf_add_text(reply, answer);
    buf_release(&key);
}

struct web_server *
web_server_new(struct httpd_request *request)
{
    static const struct wslay_event_callbacks callbacks = {
        .recv_callback = take_bytes,
        .send_callback = give_bytes,
        .on_msg_recv_callback = take_message,
    };
    struct web_server *server = must_alloc(sizeof *server);
    struct buf reply = BUF_INIT;

    server->request = request;
    server->last = &server->first;
    ck_assert_int_eq(
        wslay_event_context_server_init(&server->frames, &callbacks, server),
        0);
    buf_add_text(&reply, "HTTP/1.1 101 Switching Protocols\r\n"
                         "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Accept: ");
    add_answer(request, &reply);
    buf_add_text(&reply, "\r\n\r\n");
    httpd_send(request, reply.data, reply.len);
    buf_release(&reply);
    return server;
}

struct httpd_request *
web_server_request(const struct web_server *server)
{
    return server->request;
}

void
web_server_free(struct web_server *server)
{
    if (server == NULL) {
        return;
    }
    wslay_event_context_free(server->frames);
    while (server->first != NULL) {
        struct text *text = server->first;
        server->first = text->next;
        buf_release(&text->bytes);
        free(text);
    }
    free(server);
}

static void
give(struct web_server *server, uint8_t opcode, const char *text)
{
    const struct wslay_event_msg message = {.opcode = opcode,
                                            .msg = (const uint8_t *)text,
                                            .msg_length = strlen(text)};

    ck_assert_int_eq(wslay_event_queue_msg(server->frames, &message), 0);
    ck_assert_int_eq(wslay_event_send(server->frames), 0);
}

void
web_server_say(struct web_server *server, const char *text)
{
    give(server, WSLAY_TEXT_FRAME, text);
}

void
web_server_ping(struct web_server *server, const char *text)
{
    give(server, WSLAY_PING, text);
}

void
web_server_close(struct web_server *server, unsigned code)
{
    ck_assert_int_eq(
        wslay_event_queue_close(server->frames, (uint16_t)code, NULL, 0), 0);
    ck_assert_int_eq(wslay_event_send(server->frames), 0);
}

bool
web_server_next(struct web_server *server, struct buf *out)
{
    ck_assert_int_eq(wslay_event_recv(server->frames), 0);
    (void)wslay_event_send(server->frames);
    struct text *text = server->first;
    if (text == NULL) {
        return false;
    }
    server->first = text->next;
    if (server->first == NULL) {
        server->last = &server->first;
    }
    buf_clear(out);
    buf_add_buf(out, &text->bytes);
    buf_release(&text->bytes);
    free(text);
    return true;
}
