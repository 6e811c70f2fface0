/*
 * What `placard check` says of how a forum shows a bold word.
 */
#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "bot/cli/check_bold.h"
#include "tests/support/runner.h"

struct row {
    const char *bold_classes, *bodies[2], *said, *advice;
};

static const struct row rows[] = {
    {"", {"talk", "<b>Ja!</b>"}, "is read, as in post 2", ""},
    {"", {"<strong>a</strong>", "talk"}, "is read, as in post 1", ""},
    {"", {"", "talk"}, "not seen in the last posts", "run check again"},
    {"",
     {"<blockquote><b>Ja!</b></blockquote>", "talk"},
     "not seen in the last posts",
     "run check again"},
    {"",
     {"<span class=\"x strong-text\">Ja!</span>",
      "<p class=\"x\"><span class=\"strong-text my-bold\">a</span>"},
     "not seen in the last posts",
     "bold_classes = \"strong-text my-bold\""},
    {"strong-text",
     {"<span class=\"strong-text\">Ja!</span>", "talk"},
     "is read, as in post 1",
     ""},
    {"", {"<b class=\"", "class=\"bold"}, "not seen", "bold"},
};

START_TEST(a_bold_word_is_found_or_what_may_be_its_class)
{
    const struct row *row = &rows[_i];
    char ids[2][2] = {"1", "2"};
    char nothing[] = "";
    struct post posts[2];
    struct service service = {.adapter = &adapter_phpbb,
                              .bold_classes = row->bold_classes};
    struct buf said = BUF_INIT;
    struct buf advice = BUF_INIT;
    struct buf bodies[2] = {BUF_INIT, BUF_INIT};

    for (unsigned i = 0; i < 2; i++) {
        buf_add_text(&bodies[i], row->bodies[i]);
        posts[i] = (struct post){.id = ids[i],
                                 .place = nothing,
                                 .author = nothing,
                                 .author_name = nothing,
                                 .reply_to = nothing,
                                 .body = bodies[i].data,
                                 .body_len = bodies[i].len,
                                 .dialect = &dialect_html};
        if (posts[i].body == NULL) {
            posts[i].body = nothing;
        }
    }
    check_bold_say(&service, &(struct page){.posts = posts, .count = 2}, &said,
                   &advice);
    ck_assert_ptr_nonnull(strstr(buf_text(&said), row->said));
    ck_assert_ptr_nonnull(strstr(buf_text(&advice), row->advice));
    ck_assert_int_eq(advice.len == 0, *row->advice == '\0');
    buf_release(&bodies[0]);
    buf_release(&bodies[1]);
    buf_release(&advice);
    buf_release(&said);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("cli/check_bold");
    TCase *tests = tcase_create("check_bold");
    tcase_add_loop_test(tests, a_bold_word_is_found_or_what_may_be_its_class, 0,
                        sizeof rows / sizeof rows[0]);
    suite_add_tcase(suite, tests);
    return suite;
}
