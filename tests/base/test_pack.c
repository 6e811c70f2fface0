/*
 * Bytes are packed and come back as they were, or not at all.
 */
#include <string.h>

#include <check.h>

#include "bot/base/pack.h"
#include "tests/support/runner.h"

static struct buf text, packed, back;

static void
set_up(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        buf_addf(&text, "{\"round\":%u,\"vote\":\"ja\"}\n", i);
    }
    pack_put(buf_text(&text), text.len, &packed);
}

static void
tear_down(void)
{
    buf_release(&text);
    buf_release(&packed);
    buf_release(&back);
}

START_TEST(what_was_packed_comes_back)
{
    ck_assert_uint_lt(packed.len, text.len / 4);
    ck_assert(pack_take(buf_text(&packed), packed.len, text.len, &back));
    ck_assert_uint_eq(back.len, text.len);
    ck_assert_mem_eq(buf_text(&back), buf_text(&text), text.len);
}
END_TEST

START_TEST(nothing_comes_back_as_nothing)
{
    buf_clear(&packed);
    pack_put("", 0, &packed);
    ck_assert(pack_take(buf_text(&packed), packed.len, 0, &back));
    ck_assert_uint_eq(back.len, 0);
}
END_TEST

START_TEST(more_than_is_allowed_is_refused)
{
    ck_assert(!pack_take(buf_text(&packed), packed.len, text.len - 1, &back));
}
END_TEST

START_TEST(what_is_not_whole_is_refused)
{
    for (size_t len = 0; len < packed.len; len += 7) {
        ck_assert(!pack_take(buf_text(&packed), len, text.len, &back));
    }
    buf_add_char(&packed, 'x');
    ck_assert(!pack_take(buf_text(&packed), packed.len, text.len, &back));
}
END_TEST

START_TEST(what_was_changed_is_refused)
{
    for (size_t at = 0; at < packed.len; at += 5) {
        packed.data[at] ^= 1;
        bool good = pack_take(buf_text(&packed), packed.len, text.len, &back);
        packed.data[at] ^= 1;
        ck_assert_msg(!good || (back.len == text.len &&
                                memcmp(back.data, text.data, text.len) == 0),
                      "byte %zu", at);
        buf_clear(&back);
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/pack");
    TCase *tcase = tcase_create("pack");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_was_packed_comes_back);
    tcase_add_test(tcase, nothing_comes_back_as_nothing);
    tcase_add_test(tcase, more_than_is_allowed_is_refused);
    tcase_add_test(tcase, what_is_not_whole_is_refused);
    tcase_add_test(tcase, what_was_changed_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
