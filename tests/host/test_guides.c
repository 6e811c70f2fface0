/*
 * The guides for players and moderators quote what the host writes: each quoted
 * line (one that begins with "> ") is what it writes in the game below.
 * PLACARD_SHOW=1 prints all of that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct hall hall;
static struct buf said; /* all that the host has ever said, blanks folded */

static void
set_up(void)
{
    hall_init(&hall);
    hall_set(&hall, "reminders", "6h");
    hall.deck = "FFLFFLFFLFFLFFLFL";
    hall_open(&hall);
}

static void
tear_down(void)
{
    hall_release(&hall);
    buf_release(&said);
}

/* Append a text as people see it: with each stretch of white space as one
 * blank, and without the marks of code. */
static void
add_folded(const char *text, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        bool blank = strchr(" \t\n", text[i]) != NULL;
        if (text[i] == '`') {
            continue;
        }
        if (!blank) {
            buf_add_char(out, text[i]);
        } else if (out->len > 0 && out->data[out->len - 1] != ' ') {
            buf_add_char(out, ' ');
        }
    }
}

/* A status post is edited, so it is listened to on the way. */
static void
listen(void)
{
    hall_read(&hall);
    for (size_t i = 0; i < hall.post_count; i++) {
        const struct seen_post *post = &hall.posts[i];
        if (strcmp(post->author, BOARD_HOST) == 0) {
            add_folded(post->text, strlen(post->text), &said);
            buf_add_char(&said, '\n');
        }
    }
}

/* Mo confirms what the host has just asked, by the number it told. */
static void
confirm(void)
{
    const char *number = strstr(hall_said(&hall), "!yes ");
    char text[16];
    ck_assert_ptr_nonnull(number);
    snprintf(text, sizeof text, "!yes %lu", strtoul(number + 5, NULL, 10));
    hall_says(&hall, "Mo", text);
}

static void
play(void)
{
    hall_says(&hall, "Mo", "!new players=5");
    listen();
    hall_says(&hall, "Mo", "!set ballot=sealed");
    hall_says(&hall, "Mo", "!set ballot=open");
    for (unsigned i = 0; i < 5; i++) {
        hall_says(&hall, hall_player(i), "!join");
    }
    hall_says(&hall, "Anna", "!help");
    hall_says(&hall, "Anna", "I nominate Bob.");
    hall_says(&hall, "Anna", "[b][color=red]Bob[/color][/b]");
    hall_says(&hall, "Carl", "Ja!");
    hall_says(&hall, "Dora", "**Ja!** or **Nein!**");
    hall_says(&hall, "Anna", "**Ja!**");
    hall_says(&hall, "Bob", "**Ja!**");
    listen();
    hall_waits(&hall, 19 * HOUR_MS);
    hall_says(&hall, "Carl", "**Ja!**");
    listen();
    hall_tells(&hall, "Anna", "2");
    hall_tells(&hall, "Anna", "discard 2");
    hall_tells(&hall, "Bob", "enact 1");
    hall_says(&hall, "Anna", "!claim FFL FL");
    hall_says(&hall, "Dora", "!history");
    hall_says(&hall, "Dora", "!role");
    hall_tells(&hall, "Dora", "!role");
    hall_tells(&hall, "Dora", "!ask may I have a day more?");
    hall_tells(&hall, "Mo", "!answer Dora of course");
    hall_says(&hall, "Mo", "!extend 12h");
    hall_says(&hall, "Mo", "!pause holidays");
    hall_says(&hall, "Mo", "!resume");
    hall_says(&hall, "Mo", "!undo");
    hall_says(&hall, "Frida", "!reserve");
    hall_says(&hall, "Mo", "!replace Emil with Frida");
    confirm();
    hall_says(&hall, "Carl", "Secret Hitler, table 1: your role is below.");
    hall_says(&hall, "Mo", "!warnings");
    hall_says(&hall, "Mo", "!end nobody has time");
    confirm();
    listen();
}

/* Is each quoted line of a guide what the host has said?  "…" stands for some
 * words that are left out.  Answers how many lines there were. */
static unsigned
check_guide(const char *path)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    char *save = NULL;
    unsigned lines = 0;
    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    for (char *line = strtok_r(text.data, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        char *part = strncmp(line, "> ", 2) == 0 ? line + 2 : NULL;
        while (part != NULL) {
            char *gap = strstr(part, "…");
            struct buf folded = BUF_INIT;
            size_t len = gap == NULL ? strlen(part) : (size_t)(gap - part);
            add_folded(part, len, &folded);
            ck_assert_msg(strstr(buf_text(&said), buf_text(&folded)) != NULL,
                          "%s: the host does not say “%s”", path,
                          buf_text(&folded));
            buf_release(&folded);
            part = gap == NULL ? NULL : gap + strlen("…");
            lines++;
        }
    }
    buf_release(&text);
    return lines;
}

START_TEST(the_guides_quote_the_host_as_it_speaks)
{
    play();
    if (getenv("PLACARD_SHOW") != NULL) {
        printf("%s", buf_text(&said));
    }
    ck_assert_uint_ge(check_guide("bot/host/PLAYERS.md"), 8);
    ck_assert_uint_ge(check_guide("bot/host/MODERATORS.md"), 8);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/guides");
    TCase *tests = tcase_create("guides");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_guides_quote_the_host_as_it_speaks);
    suite_add_tcase(suite, tests);
    return suite;
}
