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

static struct room room;
static struct buf said; /* all that the host has ever said, blanks folded */

static void
set_up(void)
{
    room_init(&room);
    room_set(&room, "reminders", "6h");
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
}

static void
tear_down(void)
{
    room_release(&room);
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
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
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
    const char *number = strstr(room_said(&room), "!yes ");
    char text[16];
    ck_assert_ptr_nonnull(number);
    snprintf(text, sizeof text, "!yes %lu", strtoul(number + 5, NULL, 10));
    room_says(&room, "Mo", text);
}

/* A player flags the newest post of another. */
static void
flag_newest(const char *who)
{
    char text[40] = "";
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        if (strcmp(room.posts[i].author, "Carl") == 0) {
            snprintf(text, sizeof text, "!flag %lld that was no quote",
                     (long long)room.posts[i].id);
        }
    }
    room_tells(&room, who, text);
}

static void
play(void)
{
    room_says(&room, "Mo", "!new players=5");
    listen();
    room_says(&room, "Mo", "!set vote_closes=all");
    room_says(&room, "Mo", "!set ballot=sealed");
    room_says(&room, "Mo", "!set ballot=open");
    room_says(&room, "Mo", "!set vote_closes=majority");
    room_says(&room, "Mo", "!set vote_min=1h");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Anna", "!help");
    room_says(&room, "Anna", "I nominate Bob.");
    room_says(&room, "Anna", "[b][color=red]Bob[/color][/b]");
    room_says(&room, "Carl", "Ja!");
    room_says(&room, "Dora", "**Ja!** or **Nein!**");
    room_says(&room, "Anna", "**Ja!**");
    room_says(&room, "Bob", "**Ja!**");
    listen();
    room_waits(&room, 19 * HOUR_MS);
    room_says(&room, "Carl", "**Ja!**");
    listen();
    room_tells(&room, "Anna", "2");
    room_tells(&room, "Anna", "discard 2");
    room_tells(&room, "Bob", "enact 1");
    room_says(&room, "Anna", "!claim FFL FL");
    room_says(&room, "Dora", "!history");
    room_says(&room, "Dora", "!role");
    room_tells(&room, "Dora", "!role");
    room_tells(&room, "Dora", "!ask may I have a day more?");
    room_tells(&room, "Mo", "!answer Dora of course");
    room_says(&room, "Mo", "!extend 12h");
    room_says(&room, "Mo", "!pause holidays");
    room_says(&room, "Mo", "!resume");
    room_says(&room, "Mo", "!set prod=1h");
    room_waits(&room, 5 * MINUTE_MS);
    room_waits(&room, 5 * MINUTE_MS);
    room_says(&room, "Mo", "!undo");
    room_says(&room, "Frida", "!reserve");
    room_says(&room, "Zed", "hello");
    room_says(&room, "Mo", "!replace Emil with Frida");
    confirm();
    room_says(&room, "Mo", "!set gallery=on");
    room_says(&room, "Yan", "!gallery");
    room_says(
        &room, "Carl",
        "Secret Hitler, table 1: your role is below, for your eyes only.");
    room_says(&room, "Mo", "!block Zed");
    room_says(&room, "Mo", "!warn Carl no insults here, please");
    room_says(&room, "Mo", "!warnings");
    flag_newest("Dora");
    room_says(&room, "Bob", "!away 3d");
    room_tells(&room, "Bob", "!plan Carl");
    room_waits(&room, 30 * HOUR_MS);
    room_tells(&room, "Carl", "!catchup 2d");
    room_says(&room, "Mo", "!end nobody has time");
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
