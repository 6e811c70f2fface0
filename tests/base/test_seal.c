/*
 * Sealed values: they open with their key, in their place, unchanged; with
 * anything else they say which of these it is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/seal.h"
#include "tests/base/scratch.h"
#include "tests/support/runner.h"

#define SECRET "Anna is Hitler"
#define PLACE  "row 17 of the journal"

static struct seal *seal;
static struct buf sealed, opened, why;

static void
open_seal(const char *name, bool make)
{
    bool made = false;
    enum err err = seal_open(scratch_path(name), make, &seal, &made, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

static void
set_up(void)
{
    scratch_make();
    open_seal("key", true);
}

static void
tear_down(void)
{
    seal_close(seal);
    buf_release(&sealed);
    buf_wipe(&opened);
    buf_release(&why);
    scratch_remove();
}

static void
put(const char *place, const char *text, size_t size)
{
    buf_clear(&sealed);
    seal_put(seal, place, text, strlen(text), size, &sealed);
}

static enum err
take(const char *place)
{
    buf_clear(&opened);
    buf_clear(&why);
    return seal_take(seal, place, buf_text(&sealed), sealed.len, &opened, &why);
}

static void
assert_says(const char *part)
{
    ck_assert_msg(strstr(buf_text(&why), part) != NULL, "%s", buf_text(&why));
}

/* ---- values -------------------------------------------------------------- */

START_TEST(what_was_sealed_comes_back)
{
    put(PLACE, SECRET, 64);
    ck_assert_int_eq(take(PLACE), ERR_NONE);
    ck_assert_str_eq(buf_text(&opened), SECRET);
    put(PLACE, "", 0);
    ck_assert_int_eq(take(PLACE), ERR_NONE);
    ck_assert_uint_eq(opened.len, 0);
    ck_assert_uint_eq(sealed.len, SEAL_LONGER);
}
END_TEST

START_TEST(its_length_is_that_it_was_padded_to)
{
    put(PLACE, "ja", 64);
    ck_assert_uint_eq(sealed.len, 64 + SEAL_LONGER);
    put(PLACE, "nein", 64);
    ck_assert_uint_eq(sealed.len, 64 + SEAL_LONGER);
}
END_TEST

START_TEST(the_same_value_is_never_sealed_alike)
{
    struct buf first = BUF_INIT;
    put(PLACE, SECRET, 64);
    buf_add_buf(&first, &sealed);
    put(PLACE, SECRET, 64);
    ck_assert(!buf_equals(&first, buf_text(&sealed)) ||
              first.len != sealed.len);
    buf_release(&first);
}
END_TEST

START_TEST(a_flipped_bit_anywhere_is_found)
{
    put(PLACE, SECRET, 20);
    for (size_t bit = 0; bit < 8 * sealed.len; bit++) {
        sealed.data[bit / 8] = (char)(sealed.data[bit / 8] ^ 1 << bit % 8);
        enum err err = take(PLACE);
        /* In the number of the key it is another key's. */
        ck_assert_int_eq(err, bit < 32 ? ERR_DENIED : ERR_GARBLED);
        ck_assert_uint_eq(opened.len, 0);
        sealed.data[bit / 8] = (char)(sealed.data[bit / 8] ^ 1 << bit % 8);
    }
    ck_assert_int_eq(take(PLACE), ERR_NONE);
}
END_TEST

START_TEST(a_value_that_is_cut_short_is_found)
{
    put(PLACE, SECRET, 20);
    while (sealed.len > 0) {
        buf_truncate(&sealed, sealed.len - 1);
        ck_assert_int_ne(take(PLACE), ERR_NONE);
    }
}
END_TEST

START_TEST(a_value_of_another_place_does_not_open)
{
    put(PLACE, SECRET, 64);
    ck_assert_int_eq(take("row 18 of the journal"), ERR_GARBLED);
    assert_says("row 18 of the journal was changed, or belongs elsewhere");
}
END_TEST

START_TEST(a_value_of_another_key_says_so)
{
    put(PLACE, SECRET, 64);
    seal_close(seal);
    open_seal("other", true);
    ck_assert_int_eq(take(PLACE), ERR_DENIED);
    assert_says(PLACE " was sealed with another key than that in ");
    assert_says("other; put the key file back");
}
END_TEST

/* ---- the file ------------------------------------------------------------ */

/* A search does not know the place. */
START_TEST(a_look_needs_the_key_alone)
{
    put(PLACE, SECRET, 64);
    ck_assert(seal_look(seal, buf_text(&sealed), sealed.len, &opened));
    ck_assert_str_eq(buf_text(&opened), SECRET);
    for (size_t len = 0; len < sealed.len; len++) {
        buf_clear(&opened);
        (void)!seal_look(seal, buf_text(&sealed), len, &opened);
        ck_assert_uint_le(opened.len, len);
    }
    seal_close(seal);
    open_seal("other", true);
    ck_assert(!seal_look(seal, buf_text(&sealed), sealed.len, &opened));
    ck_assert(!seal_look(seal, "Anna", 4, &opened));
}
END_TEST

START_TEST(a_number_stands_for_its_bytes_its_place_and_its_key)
{
    uint64_t number = seal_number(seal, PLACE, SECRET, 4);
    ck_assert_uint_eq(seal_number(seal, PLACE, SECRET, 4), number);
    ck_assert_uint_ne(seal_number(seal, PLACE, SECRET, 5), number);
    ck_assert_uint_ne(seal_number(seal, PLACE, "", 0), number);
    ck_assert_uint_ne(seal_number(seal, "row 18", SECRET, 4), number);
    /* Where the one ends and the other begins is told apart. */
    ck_assert_uint_ne(seal_number(seal, "row", "1x", 2),
                      seal_number(seal, "row1", "x", 1));
    seal_close(seal);
    open_seal("key", false);
    ck_assert_uint_eq(seal_number(seal, PLACE, SECRET, 4), number);
    seal_close(seal);
    open_seal("another", true);
    ck_assert_uint_ne(seal_number(seal, PLACE, SECRET, 4), number);
}
END_TEST

START_TEST(the_key_is_made_once_and_is_its_owners_alone)
{
    struct stat there;
    bool made = true;
    ck_assert_int_eq(stat(scratch_path("key"), &there), 0);
    ck_assert_int_eq(there.st_mode & 0777, 0600);
    ck_assert_int_eq(there.st_size, 65);
    put(PLACE, SECRET, 64);
    seal_close(seal);
    seal = NULL;
    ck_assert_int_eq(seal_open(scratch_path("key"), true, &seal, &made, &why),
                     ERR_NONE);
    ck_assert(!made);
    ck_assert_int_eq(take(PLACE), ERR_NONE);
    ck_assert_str_eq(buf_text(&opened), SECRET);
}
END_TEST

START_TEST(a_missing_key_is_not_made_unasked)
{
    struct seal *none = NULL;
    bool made = true;
    ck_assert_int_eq(seal_open(scratch_path("none"), false, &none, &made, &why),
                     ERR_GONE);
    ck_assert(!made);
    ck_assert(!file_exists(scratch_path("none")));
    assert_says("none: no such file");
}
END_TEST

START_TEST(a_key_that_others_can_read_is_refused)
{
    static const mode_t modes[] = {0640, 0604, 0620, 0666, 0601};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        struct seal *none = NULL;
        bool made = false;
        buf_clear(&why);
        ck_assert_int_eq(chmod(scratch_path("key"), modes[i]), 0);
        ck_assert_int_eq(
            seal_open(scratch_path("key"), true, &none, &made, &why),
            ERR_CONFIG);
        ck_assert_ptr_null(none);
        assert_says("others may read the key of all secrets; type: chmod 600 ");
    }
}
END_TEST

START_TEST(a_file_that_is_no_key_is_refused_and_left_as_it_is)
{
    static const char *const texts[] = {
        "",
        "\n",
        "00112233",
        "0000000000000000000000000000000000000000000000000000000000000000\n\n",
        "000000000000000000000000000000000000000000000000000000000000000g\n",
        "00000000000000000000000000000000000000000000000000000000000000000",
        "000000000000000000000000000000000000000000000000000000000000000\n",
        "00:00000000000000000000000000000000000000000000000000000000000000",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct seal *none = NULL;
        struct buf left = BUF_INIT;
        bool made = false;
        buf_clear(&why);
        ck_assert_int_eq(file_write(scratch_path("bad"), texts[i],
                                    strlen(texts[i]), 0600, &why),
                         ERR_NONE);
        ck_assert_int_eq(
            seal_open(scratch_path("bad"), true, &none, &made, &why),
            ERR_CONFIG);
        assert_says("bad: is no key (one line of 64 hex digits)");
        ck_assert_int_eq(file_read(scratch_path("bad"), &left, &why), ERR_NONE);
        ck_assert_str_eq(buf_text(&left), texts[i]);
        buf_release(&left);
    }
}
END_TEST

START_TEST(closing_nothing_is_harmless)
{
    seal_close(NULL);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("base/seal");
    TCase *tcase = tcase_create("seal");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_was_sealed_comes_back);
    tcase_add_test(tcase, its_length_is_that_it_was_padded_to);
    tcase_add_test(tcase, the_same_value_is_never_sealed_alike);
    tcase_add_test(tcase, a_flipped_bit_anywhere_is_found);
    tcase_add_test(tcase, a_value_that_is_cut_short_is_found);
    tcase_add_test(tcase, a_value_of_another_place_does_not_open);
    tcase_add_test(tcase, a_look_needs_the_key_alone);
    tcase_add_test(tcase, a_value_of_another_key_says_so);
    tcase_add_test(tcase, a_number_stands_for_its_bytes_its_place_and_its_key);
    tcase_add_test(tcase, the_key_is_made_once_and_is_its_owners_alone);
    tcase_add_test(tcase, a_missing_key_is_not_made_unasked);
    tcase_add_test(tcase, a_key_that_others_can_read_is_refused);
    tcase_add_test(tcase, a_file_that_is_no_key_is_refused_and_left_as_it_is);
    tcase_add_test(tcase, closing_nothing_is_harmless);
    suite_add_tcase(suite, tcase);
    return suite;
}
