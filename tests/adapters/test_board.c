/*
 * The board's adapter alone: what it asks, and what it makes of replies that
 * were written by hand.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"
#include "tests/support/runner.h"

static const struct service service = {
    .adapter = &adapter_board,
    .name = "board",
    .base = "board:",
    .self = "placard",
};

/* An operation with all its texts; each test changes what it is about. */
static struct op
op_of(enum op_kind kind)
{
    return (struct op){
        .kind = kind,
        .feed = "board",
        .cursor = "",
        .place = "thread",
        .post = "12",
        .user = "Anna",
        .text = "Ja!",
        .key = "g1-31-0",
    };
}

/* One operation as it goes on: release it at the end. */
struct exchange {
    struct op op;
    struct buf scratch;
    struct outcome out;
    struct buf why;
};

static enum advance
exchange_advance(struct exchange *exchange, const struct reply *reply)
{
    request_clear(&exchange->out.request);
    return adapter_board.advance(&service, &exchange->op, &exchange->scratch,
                                 reply, &exchange->out, &exchange->why);
}

static void
exchange_release(struct exchange *exchange)
{
    outcome_release(&exchange->out);
    buf_release(&exchange->scratch);
    buf_release(&exchange->why);
}

/* Ask, and read a reply of `len` bytes. */
static enum advance
exchange_reply(struct exchange *exchange, int status, const char *body,
               size_t len)
{
    struct reply reply = {
        .status = status, .body = body, .len = len, .retry_after = -1};

    ck_assert_int_eq(exchange_advance(exchange, NULL), ADVANCE_REQUEST);
    return exchange_advance(exchange, &reply);
}

static enum advance
exchange_body(struct exchange *exchange, const char *body)
{
    return exchange_reply(exchange, 200, body, strlen(body));
}

/* The reply makes the operation fail as garbled, with a sentence. */
static void
assert_garbled(const struct op *op, const char *body, size_t len)
{
    struct exchange exchange = {.op = *op};

    ck_assert_msg(exchange_reply(&exchange, 200, body, len) == ADVANCE_FAILED,
                  "%s", body);
    ck_assert_int_eq(exchange.out.err, ERR_GARBLED);
    ck_assert_msg(exchange.why.len > 10, "%s", body);
    exchange_release(&exchange);
}

static const struct asked {
    enum op_kind kind;
    const char *method, *url, *body;
} asked[] = {
    {OP_WHO, "GET", "board:/who", ""},
    {OP_PROBE, "GET", "board:/who", ""},
    {OP_READ, "GET", "board:/posts?after=0&limit=100", ""},
    {OP_SEND, "POST", "board:/posts",
     "{\"place\":\"thread\",\"text\":\"Ja!\",\"key\":\"g1-31-0\"}"},
    {OP_EDIT, "PUT", "board:/posts/12", "{\"text\":\"Ja!\"}"},
    {OP_FIND, "GET", "board:/keys/g1-31-0", ""},
    {OP_DM, "POST", "board:/dms", "{\"user\":\"Anna\"}"},
    {OP_REACT, "POST", "board:/posts/12/reactions", "{\"text\":\"Ja!\"}"},
    {OP_DELETE, "DELETE", "board:/posts/12", ""},
};

START_TEST(each_operation_is_one_request)
{
    const struct asked *row = &asked[_i];
    struct exchange exchange = {.op = op_of(row->kind)};

    ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_REQUEST);
    ck_assert_str_eq(exchange.out.request.method, row->method);
    ck_assert_str_eq(buf_text(&exchange.out.request.url), row->url);
    ck_assert_str_eq(buf_text(&exchange.out.request.body), row->body);
    ck_assert_str_eq(exchange.out.request.type,
                     *row->body == '\0' ? "" : "application/json");
    ck_assert_uint_eq(exchange.why.len, 0);
    exchange_release(&exchange);
}
END_TEST

START_TEST(odd_ids_and_keys_are_encoded)
{
    struct exchange exchange = {.op = op_of(OP_EDIT)};

    exchange.op.post = "1/2?é%";
    ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_REQUEST);
    ck_assert_str_eq(buf_text(&exchange.out.request.url),
                     "board:/posts/1%2F2%3F%C3%A9%25");
    exchange_release(&exchange);
}
END_TEST

START_TEST(odd_text_stays_json)
{
    struct exchange exchange = {.op = op_of(OP_EDIT)};

    exchange.op.text = "\"\\\n\x01\xff";
    ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_REQUEST);
    ck_assert_str_eq(buf_text(&exchange.out.request.body),
                     "{\"text\":\"\\\"\\\\\\n\\u0001\xef\xbf\xbd\"}");
    exchange_release(&exchange);
}
END_TEST

START_TEST(a_cursor_that_is_no_number_is_garbled)
{
    static const char *const cursors[] = {"x", "-1", "1 ", "0x10",
                                          "1234567890123456789"};

    for (size_t i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++) {
        struct exchange exchange = {.op = op_of(OP_READ)};

        exchange.op.cursor = cursors[i];
        ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_FAILED);
        ck_assert_int_eq(exchange.out.err, ERR_GARBLED);
        exchange_release(&exchange);
    }
}
END_TEST

START_TEST(a_board_has_no_pins)
{
    struct exchange exchange = {.op = op_of(OP_PIN)};

    ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_FAILED);
    ck_assert_int_eq(exchange.out.err, ERR_DENIED);
    ck_assert_uint_gt(exchange.why.len, 0);
    ck_assert(!adapter_board.capabilities.pins);
    exchange_release(&exchange);
}
END_TEST

static const char good_page[] =
    "{\"posts\":["
    "{\"id\":7,\"place\":\"thread\",\"author\":\"Anna\",\"text\":\"**Ja!**\","
    "\"stamp\":1000,\"edited\":0,\"reply\":5},"
    "{\"id\":9,\"place\":\"talk/Ben\",\"author\":\"placard\",\"text\":\"\","
    "\"stamp\":2000,\"edited\":2500}],"
    "\"more\":false,\"time\":60000}";

START_TEST(a_good_page_is_read)
{
    struct exchange exchange = {.op = op_of(OP_READ)};

    exchange.op.cursor = "6";
    ck_assert_int_eq(exchange_body(&exchange, good_page), ADVANCE_DONE);
    ck_assert_uint_eq(exchange.why.len, 0);
    ck_assert_uint_eq(exchange.out.page.count, 2);

    const struct post *post = &exchange.out.page.posts[0];

    ck_assert_str_eq(post->id, "7");
    ck_assert_str_eq(post->place, "thread");
    ck_assert_str_eq(post->author, "Anna");
    ck_assert_str_eq(post->author_name, "Anna");
    ck_assert_str_eq(post->body, "**Ja!**");
    ck_assert_uint_eq(post->body_len, 7);
    ck_assert_int_eq(post->stamp, 1000);
    ck_assert_int_eq(post->edited, 0);
    ck_assert(!post->dm && !post->own && !post->machine);
    ck_assert_str_eq(post->reply_to, "5");

    post = &exchange.out.page.posts[1];
    ck_assert_str_eq(post->id, "9");
    ck_assert_str_eq(post->place, "talk/Ben");
    ck_assert_int_eq(post->edited, 2500);
    ck_assert_ptr_null(post->reply_to);
    ck_assert(post->dm && post->own);

    ck_assert_str_eq(buf_text(&exchange.out.cursor), "9");
    ck_assert(!exchange.out.more);
    ck_assert_int_eq(exchange.out.through,
                     60000 - adapter_board.capabilities.margin);
    exchange_release(&exchange);
}
END_TEST

START_TEST(a_page_with_more_to_come_is_read_up_to_before_its_last_post)
{
    struct exchange exchange = {.op = op_of(OP_READ)};

    ck_assert_int_eq(
        exchange_body(&exchange,
                      "{\"posts\":[{\"id\":1,\"place\":\"thread\",\"author\":"
                      "\"A\",\"text\":\"x\",\"stamp\":5000,\"edited\":0}],"
                      "\"more\":true,\"time\":60000}"),
        ADVANCE_DONE);
    ck_assert(exchange.out.more);
    ck_assert_int_eq(exchange.out.through, 4999);
    exchange_release(&exchange);
}
END_TEST

START_TEST(an_empty_page_keeps_the_cursor)
{
    struct exchange exchange = {.op = op_of(OP_READ)};

    exchange.op.cursor = "31";
    ck_assert_int_eq(
        exchange_body(&exchange, "{\"posts\":[],\"more\":false,\"time\":9000}"),
        ADVANCE_DONE);
    ck_assert_uint_eq(exchange.out.page.count, 0);
    ck_assert_str_eq(buf_text(&exchange.out.cursor), "31");
    ck_assert_int_eq(exchange.out.through, 7000);
    exchange_release(&exchange);
}
END_TEST

START_TEST(a_reply_cut_short_anywhere_is_garbled)
{
    struct op op = op_of(OP_READ);

    for (size_t len = 0; len < sizeof(good_page) - 1; len++) {
        /* A copy, so that a reader that goes too far is caught. */
        char *part = malloc(len == 0 ? 1 : len);

        ck_assert_ptr_nonnull(part);
        memcpy(part, good_page, len);
        struct exchange exchange = {.op = op};

        ck_assert_int_eq(exchange_reply(&exchange, 200, part, len),
                         ADVANCE_FAILED);
        ck_assert_int_eq(exchange.out.err, ERR_GARBLED);
        ck_assert_uint_gt(exchange.why.len, 0);
        exchange_release(&exchange);
        free(part);
    }
}
END_TEST

#define POST(id, rest)                                                         \
    "{\"posts\":[{\"id\":" id ",\"place\":\"thread\",\"author\":\"A\"," rest   \
    "}],\"more\":false,\"time\":9}"
#define PAGE(posts) "{\"posts\":" posts ",\"more\":false,\"time\":9}"
#define REST        "\"text\":\"x\",\"stamp\":5,\"edited\":0"

static const char *const garbled_pages[] = {
    "",
    "null",
    "[]",
    "{}",
    "7",
    "\"posts\"",
    "<html>502</html>",
    PAGE("{}"),
    PAGE("null"),
    PAGE("[7]"),
    PAGE("[null]"),
    PAGE("[[]]"),
    PAGE("[{}]"),
    "{\"posts\":[],\"more\":false}",
    "{\"posts\":[],\"more\":false,\"time\":\"9\"}",
    "{\"posts\":[],\"more\":false,\"time\":9.5}",
    "{\"posts\":[],\"more\":false,\"time\":-1}",
    "{\"posts\":[],\"more\":false,\"time\":253402300800000}",
    "{\"posts\":[],\"more\":0,\"time\":9}",
    "{\"posts\":[],\"time\":9}",
    "{\"posts\":[],\"more\":true,\"time\":9}",
    "{\"posts\":[],\"more\":false,\"time\":9}{}",
    POST("\"1\"", REST),
    POST("0", REST),
    POST("-1", REST),
    POST("1.0", REST),
    POST("99999999999999999999", REST),
    POST("1", "\"text\":7,\"stamp\":5,\"edited\":0"),
    POST("1", "\"text\":\"a\\u0000b\",\"stamp\":5,\"edited\":0"),
    POST("1", "\"text\":\"x\",\"stamp\":\"5\",\"edited\":0"),
    POST("1", "\"text\":\"x\",\"stamp\":-5,\"edited\":0"),
    POST("1", "\"text\":\"x\",\"stamp\":5"),
    POST("1", "\"text\":\"x\",\"stamp\":5,\"edited\":true"),
    POST("1", "\"text\":\"x\",\"stamp\":5,\"edited\":0,\"reply\":\"5\""),
    POST("1", "\"text\":\"x\",\"stamp\":5,\"edited\":0,\"reply\":-5"),
    PAGE("[{\"id\":1,\"place\":\"cellar\",\"author\":\"A\"," REST "}]"),
    PAGE("[{\"id\":1,\"place\":\"talk/\",\"author\":\"A\"," REST "}]"),
    PAGE("[{\"id\":1,\"place\":\"\",\"author\":\"A\"," REST "}]"),
    PAGE("[{\"id\":1,\"place\":\"thread\",\"author\":\"\"," REST "}]"),
    PAGE("[{\"id\":1,\"place\":\"thread\",\"author\":[]," REST "}]"),
    PAGE("[{\"id\":2,\"place\":\"thread\",\"author\":\"A\"," REST "},"
         "{\"id\":2,\"place\":\"thread\",\"author\":\"A\"," REST "}]"),
    PAGE("[{\"id\":2,\"place\":\"thread\",\"author\":\"A\"," REST "},"
         "{\"id\":1,\"place\":\"thread\",\"author\":\"A\"," REST "}]"),
    PAGE("[{\"id\":2,\"place\":\"thread\",\"author\":\"\xff\"," REST "}]"),
};

START_TEST(a_garbled_page_is_refused)
{
    struct op op = op_of(OP_READ);

    assert_garbled(&op, garbled_pages[_i], strlen(garbled_pages[_i]));
}
END_TEST

START_TEST(a_post_from_before_the_cursor_is_garbled)
{
    struct op op = op_of(OP_READ);

    op.cursor = "7";
    assert_garbled(&op, good_page, sizeof(good_page) - 1);
}
END_TEST

/* A page of `count` posts of `len` bytes each. */
static void
write_page(struct buf *page, int count, size_t len)
{
    buf_add_text(page, "{\"posts\":[");
    for (int i = 1; i <= count; i++) {
        buf_addf(page,
                 "%s{\"id\":%d,\"place\":\"thread\",\"author\":\"A\","
                 "\"stamp\":5,\"edited\":0,\"text\":\"",
                 i > 1 ? "," : "", i);
        for (size_t j = 0; j < len; j++) {
            buf_add_char(page, 'x');
        }
        buf_add_text(page, "\"}");
    }
    buf_add_text(page, "],\"more\":false,\"time\":9000}");
}

START_TEST(a_page_of_a_hundred_long_posts_is_read)
{
    struct exchange exchange = {.op = op_of(OP_READ)};
    struct buf page = BUF_INIT;

    write_page(&page, 100, BOARD_TEXT_MAX);
    ck_assert_int_eq(exchange_body(&exchange, buf_text(&page)), ADVANCE_DONE);
    ck_assert_uint_eq(exchange.out.page.count, 100);
    ck_assert_uint_eq(exchange.out.page.posts[99].body_len, BOARD_TEXT_MAX);
    exchange_release(&exchange);
    buf_release(&page);
}
END_TEST

START_TEST(a_page_of_more_posts_than_were_asked_for_is_garbled)
{
    struct op op = op_of(OP_READ);
    struct buf page = BUF_INIT;

    write_page(&page, 101, 1);
    assert_garbled(&op, buf_text(&page), page.len);
    buf_release(&page);
}
END_TEST

START_TEST(a_reply_nested_without_end_is_garbled)
{
    struct op op = op_of(OP_READ);
    struct buf page = BUF_INIT;

    for (int i = 0; i < 100000; i++) {
        buf_add_text(&page, "{\"posts\":[");
    }
    assert_garbled(&op, buf_text(&page), page.len);
    buf_release(&page);
}
END_TEST

START_TEST(an_id_too_long_to_keep_is_garbled_and_not_cut)
{
    struct op op = op_of(OP_WHO);
    struct exchange exchange = {.op = op};
    struct buf body = BUF_INIT;

    for (size_t len = ADAPTER_ID_MAX; len <= ADAPTER_ID_MAX + 1; len++) {
        buf_clear(&body);
        buf_add_text(&body, "{\"name\":\"x\",\"id\":\"");
        for (size_t i = 0; i < len; i++) {
            buf_add_char(&body, 'n');
        }
        buf_add_text(&body, "\"}");
        if (len <= ADAPTER_ID_MAX) {
            ck_assert_int_eq(exchange_body(&exchange, buf_text(&body)),
                             ADVANCE_DONE);
            ck_assert_uint_eq(exchange.out.id.len, len);
        } else {
            assert_garbled(&op, buf_text(&body), body.len);
        }
    }
    exchange_release(&exchange);
    buf_release(&body);
}
END_TEST

static const struct answer {
    enum op_kind kind;
    const char *body;
    const char *id; /* NULL: garbled */
} answers[] = {
    {OP_WHO, "{\"id\":\"placard\",\"name\":\"Host\"}", "placard"},
    {OP_WHO, "{\"id\":7,\"name\":\"Host\"}", NULL},
    {OP_WHO, "{\"id\":\"\",\"name\":\"Host\"}", NULL},
    {OP_WHO, "{\"id\":\"placard\"}", NULL},
    {OP_PROBE, "{\"id\":\"placard\",\"name\":\"Host\"}", ""},
    {OP_PROBE, "{\"rights\":255}", NULL},
    {OP_SEND, "{\"id\":31,\"time\":5}", "31"},
    {OP_SEND, "{\"id\":0,\"time\":5}", NULL},
    {OP_SEND, "{\"id\":-31,\"time\":5}", NULL},
    {OP_SEND, "{\"id\":\"31\",\"time\":5}", NULL},
    {OP_SEND, "[31]", NULL},
    {OP_FIND, "{\"id\":31}", "31"},
    {OP_FIND, "{\"id\":0}", ""},
    {OP_FIND, "{\"id\":\"\"}", NULL},
    {OP_FIND, "{}", NULL},
    {OP_DM, "{\"place\":\"talk/Anna\"}", "talk/Anna"},
    {OP_DM, "{\"place\":\"thread\"}", NULL},
    {OP_DM, "{\"place\":\"talk/\"}", NULL},
    {OP_DM, "{\"place\":7}", NULL},
    {OP_EDIT, "{\"time\":5}", ""},
    {OP_EDIT, "{}", NULL},
    {OP_REACT, "{\"time\":5}", ""},
    {OP_REACT, "OK", NULL},
    {OP_DELETE, "{\"time\":5}", ""},
    {OP_DELETE, "", NULL},
};

START_TEST(each_answer_is_read_or_refused)
{
    const struct answer *row = &answers[_i];
    struct exchange exchange = {.op = op_of(row->kind)};

    if (row->id == NULL) {
        assert_garbled(&exchange.op, row->body, strlen(row->body));
        return;
    }
    ck_assert_int_eq(exchange_body(&exchange, row->body), ADVANCE_DONE);
    ck_assert_str_eq(buf_text(&exchange.out.id), row->id);
    ck_assert_uint_eq(exchange.why.len, 0);
    exchange_release(&exchange);
}
END_TEST

START_TEST(the_board_allows_all_but_pins_uploads_and_locks)
{
    struct exchange exchange = {.op = op_of(OP_PROBE)};

    ck_assert_int_eq(exchange_body(&exchange, "{\"id\":\"a\",\"name\":\"a\"}"),
                     ADVANCE_DONE);
    ck_assert_uint_eq(exchange.out.rights,
                      RIGHT_READ | RIGHT_POST | RIGHT_EDIT | RIGHT_DM |
                          RIGHT_REACT | RIGHT_DELETE | RIGHT_OPEN);
    exchange_release(&exchange);
}
END_TEST

static const struct status {
    int status;
    enum err err;
} statuses[] = {
    {0, ERR_LATER},     {100, ERR_GARBLED}, {199, ERR_GARBLED},
    {300, ERR_GARBLED}, {302, ERR_GARBLED}, {400, ERR_GARBLED},
    {401, ERR_DENIED},  {403, ERR_DENIED},  {404, ERR_GONE},
    {405, ERR_GARBLED}, {410, ERR_GONE},    {413, ERR_FULL},
    {429, ERR_LIMITED}, {500, ERR_LATER},   {502, ERR_LATER},
    {503, ERR_LATER},   {599, ERR_LATER},   {600, ERR_GARBLED},
    {-1, ERR_GARBLED},
};

START_TEST(each_status_says_what_to_do)
{
    const struct status *row = &statuses[_i];
    /* Whatever the body is: proxies answer with pages of their own. */
    static const char *const bodies[] = {"", "{\"error\":\"no\"}", "<html>",
                                         "{\"error\":7}", good_page};

    for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
        struct exchange exchange = {.op = op_of(OP_READ)};

        ck_assert_int_eq(exchange_reply(&exchange, row->status, bodies[i],
                                        strlen(bodies[i])),
                         ADVANCE_FAILED);
        ck_assert_int_eq(exchange.out.err, row->err);
        ck_assert_uint_eq(exchange.out.page.count, 0);
        ck_assert_uint_gt(exchange.why.len, 0);
        exchange_release(&exchange);
    }
}
END_TEST

START_TEST(no_reply_at_all_is_told_with_the_reason)
{
    struct exchange exchange = {.op = op_of(OP_WHO)};
    struct reply reply = {.trouble = "the connection was cut",
                          .retry_after = -1};

    ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_REQUEST);
    ck_assert_int_eq(exchange_advance(&exchange, &reply), ADVANCE_FAILED);
    ck_assert_int_eq(exchange.out.err, ERR_LATER);
    ck_assert_str_eq(buf_text(&exchange.why),
                     "board: no answer: the connection was cut");
    exchange_release(&exchange);
}
END_TEST

START_TEST(a_limit_lasts_as_long_as_the_header_says_or_five_seconds)
{
    static const int64_t headers[] = {-1, 0, 1500};
    static const int64_t waits[] = {5000, 0, 1500};

    for (size_t i = 0; i < 3; i++) {
        struct exchange exchange = {.op = op_of(OP_WHO)};
        struct reply reply = {
            .status = 429, .body = "", .retry_after = headers[i]};

        ck_assert_int_eq(exchange_advance(&exchange, NULL), ADVANCE_REQUEST);
        ck_assert_int_eq(exchange_advance(&exchange, &reply), ADVANCE_FAILED);
        ck_assert_int_eq(exchange.out.err, ERR_LIMITED);
        ck_assert_int_eq(exchange.out.wait, waits[i]);
        exchange_release(&exchange);
    }
}
END_TEST

START_TEST(the_boards_own_words_become_one_printable_line)
{
    struct exchange exchange = {.op = op_of(OP_EDIT)};
    struct buf body = BUF_INIT;

    buf_add_text(&body, "{\"error\":\"a\\n\\u001b[31mé");
    for (int i = 0; i < 500; i++) {
        buf_add_text(&body, "é");
    }
    buf_add_text(&body, "\"}");
    ck_assert_int_eq(exchange_reply(&exchange, 403, buf_text(&body), body.len),
                     ADVANCE_FAILED);
    ck_assert(strncmp(buf_text(&exchange.why), "board: status 403: a  [31mé",
                      26) == 0);
    ck_assert_uint_le(exchange.why.len, 230);
    /* Cut between two characters. */
    ck_assert_int_eq((unsigned char)exchange.why.data[exchange.why.len - 1],
                     0xA9);
    buf_release(&body);
    exchange_release(&exchange);
}
END_TEST

START_TEST(every_place_is_in_the_one_feed)
{
    struct buf feed = BUF_INIT;

    adapter_board.feed(&service, "talk/Anna", &feed);
    ck_assert_str_eq(buf_text(&feed), "board");
    buf_release(&feed);
}
END_TEST

#define COUNT(table) (int)(sizeof(table) / sizeof((table)[0]))

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/board");
    TCase *tcase = tcase_create("board");

    tcase_add_loop_test(tcase, each_operation_is_one_request, 0, COUNT(asked));
    tcase_add_test(tcase, odd_ids_and_keys_are_encoded);
    tcase_add_test(tcase, odd_text_stays_json);
    tcase_add_test(tcase, a_cursor_that_is_no_number_is_garbled);
    tcase_add_test(tcase, a_board_has_no_pins);
    tcase_add_test(tcase, a_good_page_is_read);
    tcase_add_test(tcase,
                   a_page_with_more_to_come_is_read_up_to_before_its_last_post);
    tcase_add_test(tcase, an_empty_page_keeps_the_cursor);
    tcase_add_test(tcase, a_reply_cut_short_anywhere_is_garbled);
    tcase_add_loop_test(tcase, a_garbled_page_is_refused, 0,
                        COUNT(garbled_pages));
    tcase_add_test(tcase, a_post_from_before_the_cursor_is_garbled);
    tcase_add_test(tcase, a_page_of_a_hundred_long_posts_is_read);
    tcase_add_test(tcase, a_page_of_more_posts_than_were_asked_for_is_garbled);
    tcase_add_test(tcase, a_reply_nested_without_end_is_garbled);
    tcase_add_test(tcase, an_id_too_long_to_keep_is_garbled_and_not_cut);
    tcase_add_loop_test(tcase, each_answer_is_read_or_refused, 0,
                        COUNT(answers));
    tcase_add_test(tcase, the_board_allows_all_but_pins_uploads_and_locks);
    tcase_add_loop_test(tcase, each_status_says_what_to_do, 0, COUNT(statuses));
    tcase_add_test(tcase, no_reply_at_all_is_told_with_the_reason);
    tcase_add_test(tcase,
                   a_limit_lasts_as_long_as_the_header_says_or_five_seconds);
    tcase_add_test(tcase, the_boards_own_words_become_one_printable_line);
    tcase_add_test(tcase, every_place_is_in_the_one_feed);
    suite_add_tcase(suite, tcase);
    return suite;
}
