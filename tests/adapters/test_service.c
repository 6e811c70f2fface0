/*
 * How services are described.  Run in the source folder.
 */
#include <dirent.h>
#include <string.h>

#include <check.h>

#include "adapters/adapter.h"
#include "bot/base/files.h"
#include "tests/support/runner.h"

START_TEST(a_service_is_found_by_its_name)
{
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        const struct service_kind *kind = service_kinds[i];

        ck_assert_ptr_eq(service_find(kind->adapter->name), kind);
        ck_assert_ptr_eq(adapter_find(kind->adapter->name), kind->adapter);
    }
    ck_assert_ptr_eq(adapter_find("board"), &adapter_board);
    ck_assert_ptr_null(service_find("usenet"));
    ck_assert_ptr_null(adapter_find("usenet"));
}
END_TEST

/* Is it a folder of adapters, but no service's? */
static bool
is_shared(const char *folder)
{
    return folder[0] == '.' || strcmp(folder, "forum") == 0 ||
           strcmp(folder, "http") == 0 || strcmp(folder, "markup") == 0;
}

START_TEST(each_folder_of_a_service_has_its_row)
{
    DIR *folders = opendir("adapters");
    unsigned count = 0;

    ck_assert_ptr_nonnull(folders);
    for (struct dirent *at; (at = readdir(folders)) != NULL;) {
        if (strchr(at->d_name, '.') == NULL && !is_shared(at->d_name)) {
            ck_assert_msg(service_find(at->d_name) != NULL,
                          "adapters/service_list.h lacks %s", at->d_name);
            count++;
        }
    }
    ck_assert_uint_gt(count, 0);
    (void)closedir(folders);
}
END_TEST

/* All that `placard setup` says of it must be there. */
static void
assert_described(const struct service_kind *kind)
{
    const struct service_login *logins = kind->logins;

    ck_assert(kind->base != NULL || kind->site != NULL ||
              kind->address_help != NULL);
    ck_assert_ptr_nonnull(kind->place);
    ck_assert_ptr_nonnull(logins[0].secret);
    if (logins[1].secret != NULL) {
        ck_assert_ptr_nonnull(kind->login_question);
        ck_assert_ptr_nonnull(logins[0].label);
        ck_assert_ptr_nonnull(logins[1].label);
        /* By that it is known how an account logs in. */
        ck_assert((logins[0].user_help == NULL) !=
                  (logins[1].user_help == NULL));
    }
    /* A place is told by its link only where there are links. */
    ck_assert(!kind->links || kind->adapter->link != NULL);
}

START_TEST(each_service_says_how_it_is_set_up)
{
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        const struct service_kind *kind = service_kinds[i];

        ck_assert_ptr_nonnull(kind->label);
        if (kind->embedded) {
            ck_assert_ptr_nonnull(kind->base);
            ck_assert_ptr_null(kind->logins[0].secret);
        } else {
            assert_described(kind);
        }
        if (kind->elsewhere != NULL) {
            ck_assert_ptr_eq(kind->elsewhere->adapter, kind->adapter);
            ck_assert_ptr_null(kind->elsewhere->base);
            assert_described(kind->elsewhere);
        }
    }
}
END_TEST

/* … and the sample of a configuration names its folder. */
START_TEST(each_service_has_a_guide_for_its_operator)
{
    struct buf sample = BUF_INIT;
    struct buf why = BUF_INIT;

    ck_assert_int_eq(file_read("config/placard.cfg", &sample, &why), ERR_NONE);
    for (size_t i = 0; service_kinds[i] != NULL; i++) {
        const char *guide = service_kinds[i]->guide;
        char folder[64];

        ck_assert_msg(file_exists(guide), "%s is not there", guide);
        snprintf(folder, sizeof(folder), "%.*s",
                 (int)(strrchr(guide, '/') - guide), guide);
        ck_assert_msg(service_kinds[i]->embedded ||
                          strstr(buf_text(&sample), folder) != NULL,
                      "the sample does not name %s", folder);
    }
    buf_release(&sample);
    buf_release(&why);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("adapters/service");
    TCase *tcase = tcase_create("service");

    tcase_add_test(tcase, a_service_is_found_by_its_name);
    tcase_add_test(tcase, each_folder_of_a_service_has_its_row);
    tcase_add_test(tcase, each_service_says_how_it_is_set_up);
    tcase_add_test(tcase, each_service_has_a_guide_for_its_operator);
    suite_add_tcase(suite, tcase);
    return suite;
}
