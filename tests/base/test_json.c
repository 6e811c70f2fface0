#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/json.h"
#include "tests/support/runner.h"

static const struct {
    const char *text;
    bool doubled; /* refused when strict only */
} legal[] = {
    {"{}", false},
    {" \t\r\n[1, 2.5, -0, 1e3, true, false, null, \"x\"] \n", false},
    {"\"text\"", false},
    {"12", false},
    {"[-12.50e-10, 0.0, 1E+2, 10]", false},
    {"null", false},
    {"{\"a\":1,\"b\":{\"a\":2},\"c\":[{\"a\":3},{\"a\":4}]}", false},
    {"{\"a:b\":\":\\\":\",\"\\\\\":\"\\\\\"}", false},
    {"{\"a\":1,\"a\":1}", true},
    {"{\"a\":{\"x\":1,\"y\":2},\"a\":2}", true},
    {"{\"a\":1,\"\\u0061\":2}", true},
    {"[[{\"k\":null,\"k\":null}]]", true},
};

enum {
    LEGAL = sizeof(legal) / sizeof(legal[0])
};

START_TEST(json_is_read_and_a_doubled_key_refused_on_request)
{
    struct buf why = BUF_INIT;
    json_object *value;
    const char *text = legal[_i].text;

    ck_assert_int_eq(jdoc_parse(text, strlen(text), false, &value, &why),
                     ERR_NONE);
    ck_assert_str_eq(buf_text(&why), "");
    json_object_put(value);

    enum err err = jdoc_parse(text, strlen(text), true, &value, &why);
    ck_assert_int_eq(err, legal[_i].doubled ? ERR_GARBLED : ERR_NONE);
    ck_assert_str_eq(
        buf_text(&why),
        legal[_i].doubled ? "JSON: an object has the same key twice" : "");
    json_object_put(value);
    buf_release(&why);
}
END_TEST

static const char *const illegal[] = {
    "",
    " ",
    "{",
    "[1,2",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "[1,]",
    "[\"\xC3\xA9\\n\" ,\n]",
    "{\"a\":{\"b\":[],\t}}",
    "{a:1}",
    "{'a':1}",
    "{} x",
    "{}{}",
    "1 2",
    "tru",
    "TRUE",
    "NaN",
    "Infinity",
    "/* no */ 1",
    "\"a",
    "\"\\q\"",
    "\"\\u12\"",
    "\"line\nfeed\"",
    "\"\xC3\x28\"",
    "\"\xFF\"",
    "-",
    "01",
    "-01",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "0x10",
    "1\v",
};

enum {
    ILLEGAL = sizeof(illegal) / sizeof(illegal[0])
};

START_TEST(what_is_not_json_is_garbled)
{
    struct buf why = BUF_INIT;
    json_object *value = NULL;
    const char *text = illegal[_i];

    ck_assert_msg(jdoc_parse(text, strlen(text), false, &value, &why) ==
                      ERR_GARBLED,
                  "taken: %s", text);
    ck_assert_ptr_null(value);
    ck_assert_uint_gt(why.len, 0);
    buf_release(&why);
}
END_TEST

/* Is this text read, or refused, as json-c does it?  Some of its releases are
 * too strict with large numbers, and with letters that are not ASCII. */
static void
assert_is_as_to_json_c(const char *text, bool strict)
{
    json_tokener *tokener = json_tokener_new();
    json_object *value = NULL;
    struct buf why = BUF_INIT;
    json_tokener_set_flags(tokener, strict ? JSON_TOKENER_STRICT : 0);
    json_object *theirs =
        json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
    bool good = json_tokener_get_error(tokener) == json_tokener_success;

    ck_assert_msg((jdoc_parse(text, strlen(text), false, &value, &why) ==
                   ERR_NONE) == good,
                  "%s: %s", text, buf_text(&why));
    ck_assert_str_eq(json_object_to_json_string_ext(value, 0),
                     json_object_to_json_string_ext(theirs, 0));
    json_object_put(value);
    json_object_put(theirs);
    json_tokener_free(tokener);
    buf_release(&why);
}

START_TEST(tokens_in_any_order_are_as_to_json_c)
{
    enum {
        TOKENS = 9,
        MOST = 5
    };
    static const char *const tokens[TOKENS] = {"{", "}",     "[",  "]",   ",",
                                               ":", "\"a\"", "10", "null"};
    unsigned texts = 1;
    struct buf text = BUF_INIT;
    for (unsigned len = 1; len <= MOST; len++) {
        texts *= TOKENS;
        for (unsigned i = 0; i < texts; i++) {
            buf_clear(&text);
            for (unsigned left = len, rest = i; left > 0; left--) {
                buf_add_text(&text, tokens[rest % TOKENS]);
                buf_add_char(&text, ' ');
                rest /= TOKENS;
            }
            assert_is_as_to_json_c(buf_text(&text), true);
        }
    }
    buf_release(&text);
}
END_TEST

static const char *const same[] = {
    "{\"a\":[{\"b\":{}},[],[true,false]],\"\":\"\",\"c\":[1,\"two\",null]}",
    "{\"a\":{\"b\":1},\"c\":2,\"a\":3}",
    "[[[[[[[[[[[[[[[[16]]]]]]]]]]]]]]]]",
    "[[[[[[[[[[[[[[[[[17]]]]]]]]]]]]]]]]]",
    "[0,7,999999999999999999,1000000000000000000,99999999999999999999,-1,1.5]",
    "{\"a key of sixty-four bytes, which is as many as there is room for\":1}",
    "{\"a key of sixty-five bytes, which is more than there is room for..\":1}",
    "{\"\\u0061\":\"\\ud83d\\ude00\\n\",\"\xC3\xA9\":\"\xC3\xA9\x7F\"}",
    "[{\"a\":1}",
    "[{\"a\":[1}]",
    "{\"a\":{\"b\":1,\"c\"}}",
};

START_TEST(texts_are_as_to_json_c)
{
    assert_is_as_to_json_c(same[_i], false);
}
END_TEST

/* Strings are read several bytes at once. */
START_TEST(any_byte_at_any_place_of_a_string_is_as_to_json_c)
{
    for (unsigned at = 0; at < 20; at++) {
        for (unsigned byte = 1; byte < 0x80; byte++) {
            char text[] = "[\"abcdefghijklmnopqrst\"]";
            json_object *value = NULL;
            struct buf why = BUF_INIT;
            text[2 + at] = (char)byte;
            if (byte >= ' ') {
                assert_is_as_to_json_c(text, false);
            } else {
                ck_assert_int_eq(
                    jdoc_parse(text, strlen(text), false, &value, &why),
                    ERR_GARBLED);
            }
            buf_release(&why);
        }
    }
    for (unsigned at = 0; at < 19; at++) {
        char text[] = "[\"abcdefghijklmnopqrst\"]";
        text[2 + at] = (char)0xC3;
        text[3 + at] = (char)0xA9;
        assert_is_as_to_json_c(text, false);
    }
}
END_TEST

static const struct {
    const char *text, *kept; /* NULL: refused */
} parted[] = {
    {"{\"a\":1,\"x\":2,\"b\":3}", "{\"a\":1,\"b\":3}"},
    {"{\"x\":[{\"a\":[]},\"]\"],\"a\":{\"x\":{},\"b\":true}}",
     "{\"a\":{\"b\":true}}"},
    {"[ { \"x\" : null , \"b\" : [ 1 ] } , { \"x\" : \"\\\"\" } ]",
     "[{\"b\":[1]},{}]"},
    {"{\"x\":1,\"a\":\"\\u00e9\",\"x\":2}", "{\"a\":\"\xC3\xA9\"}"},
    {"{\"x\":-1.5e3,\"a\":2}", "{\"a\":2}"},
    {"{\"a\":{\"a\":1,\"b\":2,\"a\":3},\"b\":4}",
     "{\"a\":{\"a\":3,\"b\":2},\"b\":4}"},
    {"{\"\":1,\"ab\":2,\"b\":[{\"a\":3},{\"a\":4}]}",
     "{\"b\":[{\"a\":3},{\"a\":4}]}"},
    {"{\"a\":{\"x\":[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]}}", "{\"a\":{}}"},
    {"{\"c\":null,\"a\":[],\"c\":[ ],\"b\":null}", "{\"a\":[],\"b\":null}"},
    {"[{\"c\":[0]},{\"c\":{}},{\"c\":\"\"},{\"?c\":1}]",
     "[{\"c\":[0]},{\"c\":{}},{\"c\":\"\"},{}]"},
    {"{\"c\":nul}", NULL},
    {"{\"c\":[ }", NULL},
    {"{\"c\":[],}", NULL},
    {"{\"x\":[1,]}", NULL},
    {"{\"x\":,,\"a\":1}", NULL},
    {"{\"x\"::,\"a\":1}", NULL},
    {"{,\"x\":1}", NULL},
    {"{\"a\":1,,\"x\":1}", NULL},
    {"{\"a\":1 \"x\":1}", NULL},
    {"{\"x\":}", NULL},
    {"{\"x\":,\"a\":1}", NULL},
    {"{\"x\":1 2}", NULL},
    {"{\"x\":[1}", NULL},
    {"{\"x\":[1", NULL},
    {"{\"x\":tru}", NULL},
    {"{\"x\":\"\n\"}", NULL},
    {"{\"x\" 1}", NULL},
    {"{\"x\":1,}", NULL},
    {"{\"x\":]}", NULL},
};

START_TEST(members_that_nobody_asks_for_are_left_out)
{
    static const char *const keys[] = {"a", "b", "?c", NULL};
    const char *text = parted[_i].text;
    json_object *value = NULL;
    struct buf why = BUF_INIT;
    enum err err = jdoc_parse_members(text, strlen(text), keys, &value, &why);

    ck_assert_msg((err == ERR_NONE) == (parted[_i].kept != NULL), "%s: %s",
                  text, buf_text(&why));
    if (parted[_i].kept != NULL) {
        ck_assert_str_eq(json_object_to_json_string_ext(
                             value, JSON_C_TO_STRING_NOSLASHESCAPE),
                         parted[_i].kept);
    } else {
        ck_assert_ptr_null(value);
    }
    json_object_put(value);
    buf_release(&why);
}
END_TEST

START_TEST(a_mistake_is_named_with_its_byte)
{
    static const char nul[] = "[1,\0 2]";
    struct buf why = BUF_INIT;
    json_object *value;

    ck_assert_int_eq(jdoc_parse("[1,x]", 5, false, &value, &why), ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "byte 4"));
    buf_clear(&why);
    ck_assert_int_eq(jdoc_parse("[1 2]", 5, false, &value, &why), ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "byte 4"));
    buf_clear(&why);
    ck_assert_int_eq(jdoc_parse(nul, sizeof(nul) - 1, false, &value, &why),
                     ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "byte 4"));
    buf_clear(&why);
    ck_assert_int_eq(jdoc_parse("[1, 2", 5, false, &value, &why), ERR_GARBLED);
    ck_assert_str_eq(buf_text(&why), "JSON: cut off after 5 bytes");
    buf_release(&why);
}
END_TEST

START_TEST(only_so_many_bytes_are_read)
{
    struct buf why = BUF_INIT;
    json_object *value;

    ck_assert_int_eq(jdoc_parse("123456", 3, false, &value, &why), ERR_NONE);
    ck_assert_int_eq(json_object_get_int(value), 123);
    json_object_put(value);
    buf_release(&why);
}
END_TEST

START_TEST(depth_ends_at_512)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    json_object *value;

    for (int i = 0; i < 100000; i++) {
        buf_add_char(&text, '[');
    }
    ck_assert_int_eq(jdoc_parse(buf_text(&text), text.len, true, &value, &why),
                     ERR_GARBLED);
    buf_clear(&text);
    for (int i = 0; i < 500; i++) {
        buf_add_char(&text, '[');
    }
    for (int i = 0; i < 500; i++) {
        buf_add_char(&text, ']');
    }
    ck_assert_int_eq(jdoc_parse(buf_text(&text), text.len, true, &value, &why),
                     ERR_NONE);
    json_object_put(value);
    buf_release(&text);
    buf_release(&why);
}
END_TEST

START_TEST(any_depth_below_that_is_read)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    json_object *value;

    for (int depth = 1; depth < 512; depth++) {
        buf_clear(&text);
        for (int i = 0; i < depth; i++) {
            buf_add_text(&text, i % 2 == 0 ? "[" : "{\"a\":");
        }
        buf_add_char(&text, '1');
        for (int i = depth; i > 0; i--) {
            buf_add_text(&text, i % 2 == 1 ? ",2]" : ",\"b\":[]}");
        }
        ck_assert_msg(jdoc_parse(buf_text(&text), text.len, true, &value,
                                 &why) == ERR_NONE,
                      "%d: %s", depth, buf_text(&why));
        json_object_put(value);
    }
    buf_release(&text);
    buf_release(&why);
}
END_TEST

START_TEST(a_member_is_found_only_with_its_type)
{
    static const char text[] =
        "{\"s\":\"Anna\",\"nul\":\"a\\u0000b\",\"i\":-7,\"big\":"
        "9223372036854775807,\"over\":9223372036854775808,\"under\":"
        "-99999999999999999999,\"d\":1.5,\"b\":true,\"n\":null}";
    struct buf why = BUF_INIT;
    json_object *value;
    int64_t number = 0;
    bool yes = false;

    ck_assert_int_eq(jdoc_parse(text, sizeof(text) - 1, true, &value, &why),
                     ERR_NONE);
    ck_assert_str_eq(jdoc_string(value, "s"), "Anna");
    ck_assert_ptr_null(jdoc_string(value, "nul"));
    ck_assert_ptr_null(jdoc_string(value, "i"));
    ck_assert_ptr_null(jdoc_string(value, "n"));
    ck_assert_ptr_null(jdoc_string(value, "absent"));
    ck_assert_ptr_null(jdoc_string(NULL, "s"));
    ck_assert_ptr_null(jdoc_get(jdoc_get(value, "s"), "s"));

    ck_assert(jdoc_integer(value, "i", &number));
    ck_assert_int_eq(number, -7);
    ck_assert(jdoc_integer(value, "big", &number));
    ck_assert_int_eq(number, INT64_MAX);
    ck_assert(!jdoc_integer(value, "over", &number));
    ck_assert(!jdoc_integer(value, "under", &number));
    ck_assert(!jdoc_integer(value, "d", &number));
    ck_assert(!jdoc_integer(value, "s", &number));
    ck_assert_int_eq(number, INT64_MAX);

    ck_assert(jdoc_bool(value, "b", &yes));
    ck_assert(yes);
    ck_assert(!jdoc_bool(value, "i", &yes));
    json_object_put(value);
    buf_release(&why);
}
END_TEST

static const struct {
    const char *text, *literal;
} strings[] = {
    {"", "\"\""},
    {"Anna", "\"Anna\""},
    {"\"\\/", "\"\\\"\\\\/\""},
    {"\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\""},
    {"é€🟦", "\"é€🟦\""},
    {"a\x80z", "\"a\xEF\xBF\xBDz\""},
    {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xE0\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xF4\x90\x80\x80",
     "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
    {"\xF0\x9F\x9F\xA6\xF0\x9F", "\"🟦\xEF\xBF\xBD\xEF\xBF\xBD\""},
};

enum {
    STRINGS = sizeof(strings) / sizeof(strings[0])
};

START_TEST(a_string_is_written_so_that_it_can_be_read)
{
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    json_object *value;

    jtext_string(&out, strings[_i].text);
    ck_assert_str_eq(buf_text(&out), strings[_i].literal);
    ck_assert_int_eq(jdoc_parse(buf_text(&out), out.len, true, &value, &why),
                     ERR_NONE);
    json_object_put(value);
    buf_release(&out);
    buf_release(&why);
}
END_TEST

START_TEST(a_nul_in_a_string_is_escaped)
{
    struct buf out = BUF_INIT;

    jtext_string_len(&out, "a\0b", 3);
    ck_assert_str_eq(buf_text(&out), "\"a\\u0000b\"");
    buf_release(&out);
}
END_TEST

START_TEST(members_are_written_with_their_types)
{
    struct buf out = BUF_INIT;

    buf_add_char(&out, '{');
    jtext_add_text(&out, "text", "a \"b\"");
    jtext_add_number(&out, "number", -5);
    jtext_add_bool(&out, "yes", true);
    jtext_add_bool(&out, "no", false);
    jtext_add_instant(&out, "when", 1000);
    jtext_add_instant(&out, "never", 0);
    jtext_begin_list(&out, "list");
    for (int i = 0; i < 2; i++) {
        jtext_begin_item(&out);
        buf_add_char(&out, '}');
    }
    buf_add_char(&out, ']');
    jtext_begin_object(&out, "object");
    buf_add_text(&out, "}}");
    ck_assert_str_eq(buf_text(&out),
                     "{\"text\":\"a \\\"b\\\"\",\"number\":-5,\"yes\":true,"
                     "\"no\":false,\"when\":\"1970-01-01T00:00:01Z\","
                     "\"never\":null,\"list\":[{},{}],\"object\":{}}");
    buf_release(&out);
}
END_TEST

START_TEST(keys_and_commas_keep_our_order)
{
    struct buf out = BUF_INIT;

    jtext_comma(&out);
    buf_add_char(&out, '{');
    jtext_key(&out, "z");
    buf_add_number(&out, 1);
    jtext_key(&out, "a");
    buf_add_char(&out, '[');
    for (int i = 0; i < 3; i++) {
        jtext_comma(&out);
        buf_add_number(&out, i);
    }
    buf_add_text(&out, "]}");
    ck_assert_str_eq(buf_text(&out), "{\"z\":1,\"a\":[0,1,2]}");
    buf_release(&out);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/json");
    TCase *tcase = tcase_create("json");

    tcase_add_loop_test(
        tcase, json_is_read_and_a_doubled_key_refused_on_request, 0, LEGAL);
    tcase_add_loop_test(tcase, what_is_not_json_is_garbled, 0, ILLEGAL);
    tcase_add_test(tcase, tokens_in_any_order_are_as_to_json_c);
    tcase_add_loop_test(tcase, texts_are_as_to_json_c, 0,
                        sizeof same / sizeof same[0]);
    tcase_add_test(tcase, any_byte_at_any_place_of_a_string_is_as_to_json_c);
    tcase_add_loop_test(tcase, members_that_nobody_asks_for_are_left_out, 0,
                        sizeof parted / sizeof parted[0]);
    tcase_add_test(tcase, a_mistake_is_named_with_its_byte);
    tcase_add_test(tcase, only_so_many_bytes_are_read);
    tcase_add_test(tcase, depth_ends_at_512);
    tcase_add_test(tcase, any_depth_below_that_is_read);
    tcase_add_test(tcase, a_member_is_found_only_with_its_type);
    tcase_add_loop_test(tcase, a_string_is_written_so_that_it_can_be_read, 0,
                        STRINGS);
    tcase_add_test(tcase, a_nul_in_a_string_is_escaped);
    tcase_add_test(tcase, members_are_written_with_their_types);
    tcase_add_test(tcase, keys_and_commas_keep_our_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
