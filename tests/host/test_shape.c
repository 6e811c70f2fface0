/*
 * The shape of a post: the result in bold, a blank line, whom it concerns, and
 * the time in bold.  People see it so in the mark-up of every service.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/host/table/slot.h"
#include "bot/host/words/catalogue.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

#define INSTANT_MS INT64_C(1795341600000)

static const char *const times[] = {"Sat 22 Nov, 09:00 CET (08:00 UTC)",
                                    "Sat 22 Nov, 09:00 UTC"};

static char shape[] =
    "**Elected, 5 to 2:** {president}. Nein: {nein}.\n\n"
    "{president}, your cards are there; by **{deadline}**, please.\n"
    "**{deadline}**: no later (**{deadline}**).\n\n"
    "**Round 5.** The end is **{deadline}**";
static char key[] = "shape";
static struct language_entry entry = {.key = key, .text = shape};
static struct catalogue catalogue = {.language = {&entry, 1}};

/* Say the shape, with the time in a slot, or (`open`: false) as it is sent. */
static void
say(const char *time, bool open, struct rich *out)
{
    struct params params = {.count = 0};
    struct buf slot = BUF_INIT;
    buf_add_text(&slot, time);
    if (open) {
        slot_put(&slot);
    }
    params_text(&params, "president", "Frida");
    params_text(&params, "nein", "J.R.");
    params_text(&params, "deadline", buf_text(&slot));
    catalogue_say(&catalogue, key, &params, out);
    buf_release(&slot);
}

/* The text as people see it, bold in tags. */
static void
show(const struct rich *rich, struct buf *out)
{
    struct buf text = BUF_INIT;
    bool bold = false;
    for (size_t i = 0; i < rich->count; i++) {
        const struct run *run = &rich->runs[i];
        if (((run->marks & MARK_BOLD) != 0) != bold) {
            bold = !bold;
            buf_add_text(&text, bold ? "<b>" : "</b>");
        }
        buf_add(&text, rich_run_text(rich, run), run->len);
    }
    buf_add_text(&text, bold ? "</b>" : "");
    add_without_guards(buf_text(&text), text.len, out);
    buf_release(&text);
}

START_TEST(bold_and_blank_lines_are_seen_in_every_dialect)
{
    const struct dialect *dialect = tested_dialect_at((size_t)_i);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        struct rich said = {.count = 0};
        struct rich sent = {.count = 0};
        struct rich seen = {.count = 0};
        struct buf body = BUF_INIT;
        struct buf filled = BUF_INIT;
        struct buf expected = BUF_INIT;
        struct buf shown = BUF_INIT;
        bool unread = false;
        say(times[i], true, &said);
        say(times[i], false, &sent);
        dialect->write(&said, &body);
        slot_fill(buf_text(&body), 1000, 1000, times[i], &filled);
        dialect->read(filled.data, filled.len, &seen, &unread);
        show(&sent, &expected);
        show(&seen, &shown);
        ck_assert_msg(strcmp(buf_text(&shown), buf_text(&expected)) == 0,
                      "%s:\n%s\n%s", dialect->name, buf_text(&filled),
                      buf_text(&shown));
        ck_assert_ptr_nonnull(strstr(buf_text(&shown), "J.R.\n\nFrida"));
        rich_release(&said);
        rich_release(&sent);
        rich_release(&seen);
        buf_release(&body);
        buf_release(&filled);
        buf_release(&expected);
        buf_release(&shown);
    }
}
END_TEST

START_TEST(a_time_in_the_services_own_form_is_bold_too)
{
    struct params params = {.count = 0};
    struct rich time = {.count = 0};
    struct rich said = {.count = 0};
    struct buf body = BUF_INIT;
    rich_add_time(&time, INSTANT_MS, times[0], 0);
    params_rich(&params, "deadline", &time);
    catalogue_say(&catalogue, key, &params, &said);
    dialect_discord.write(&said, &body);
    assert_holds(buf_text(&body),
                 "by **<t:1795341600:f> (<t:1795341600:R>)**, please");
    rich_release(&time);
    rich_release(&said);
    buf_release(&body);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/shape");
    TCase *tests = tcase_create("shape");
    int dialects = 0;
    while (tested_dialect_at((size_t)dialects) != NULL) {
        dialects++;
    }
    tcase_add_loop_test(tests, bold_and_blank_lines_are_seen_in_every_dialect,
                        0, dialects);
    tcase_add_test(tests, a_time_in_the_services_own_form_is_bold_too);
    suite_add_tcase(suite, tests);
    return suite;
}
