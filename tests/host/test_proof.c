/*
 * The fair deal as a table sees it: the posts that let it be checked, words of
 * the players' own, and a proof that holds whatever happens between.
 */
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/markup/rich.h"
#include "bot/record/deal.h"
#include "tests/support/effort.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"
#include "tests/support/verdicts.h"

#define SECRET                                                                 \
    "00000000000000000000000000000000000000000000000000000000005eed42"

static struct room room;
static struct buf record;

static void
open_room(struct room *of)
{
    room_init(of);
    of->fair = true;
    of->seed = "5eed42";
}

static void
set_up(void)
{
    open_room(&room);
    memset(&record, 0, sizeof record);
}

static void
tear_down(void)
{
    room_release(&room);
    buf_release(&record);
}

/* The only post of the host in the thread that holds a text, and what stands
 * folded in it. */
static const char *
folded(const char *text, struct buf *out)
{
    const struct seen_post *found = NULL;
    struct rich rich = {.count = 0};
    bool unread = false;
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->author, BOARD_HOST) == 0 &&
            strcmp(post->place, "thread") == 0 &&
            strstr(post->text, text) != NULL) {
            ck_assert_msg(found == NULL, "“%s” is said twice", text);
            found = post;
        }
    }
    ck_assert_msg(found != NULL, "“%s” is not said", text);
    dialect_board.read(found->raw, strlen(found->raw), &rich, &unread);
    buf_clear(out);
    for (size_t i = 0; i < rich.count; i++) {
        if (rich.runs[i].marks == (MARK_CODE | MARK_SPOILER)) {
            buf_add(out, rich_run_text(&rich, &rich.runs[i]), rich.runs[i].len);
        }
    }
    rich_release(&rich);
    return buf_text(out);
}

#define FINGERPRINT "fingerprint of the deal"
#define TRANSCRIPT  "transcript of the sign-up"
#define REVEALED    "the secret I dealt from"

static struct record_game *
read_record(struct record *read)
{
    struct buf text = BUF_INIT;
    room_record(&room, "1", &text);
    read_text(&text, read);
    buf_release(&text);
    return &read->games[0];
}

/* The game that is over has a proof, and it holds. */
static void
assert_proved(void)
{
    struct record read;
    struct verdict verdict;
    verify_game(read_record(&read), &verdict);
    ck_assert_msg(verdict.legality == LEGALITY_FINISHED, "seq %u, %s: %s",
                  verdict.seq, verdict.kind, buf_text(&verdict.why));
    ck_assert_int_eq(verdict.proof, PROOF_HOLDS);
    verdict_release(&verdict);
    record_release(&read);
}

static void
sign_up(unsigned players)
{
    char order[32];
    snprintf(order, sizeof order, "!new players=%u", players);
    room_says(&room, "Mo", order);
    for (unsigned i = 0; i + 1 < players; i++) {
        room_says(&room, room_player(i), "!join");
    }
}

static void
improvise(struct dice *dice)
{
    while (room_improvise(&room, dice)) {
        room_settle(&room);
    }
}

/* ---- the posts ----------------------------------------------------------- */

START_TEST(a_table_opens_with_the_fingerprint_of_its_secret)
{
    struct buf exact = BUF_INIT;
    struct record read;
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    const struct record_game *game = read_record(&read);
    ck_assert_uint_eq(strlen(game->commitment), DEAL_HEX);
    ck_assert_str_eq(folded(FINGERPRINT, &exact), game->commitment);
    buf_clear(&exact);
    buf_addf(&exact, "explains: %s", game->commitment); /* in one line */
    assert_holds(room_said(&room), buf_text(&exact));
    ck_assert_uint_eq(room_count_said(&room, SECRET), 0);
    room_says(&room, "Anna", "!fair");
    assert_holds(room_said(&room), game->commitment);
    record_release(&read);
    buf_release(&exact);
}
END_TEST

START_TEST(the_transcript_is_posted_as_it_is_in_the_record)
{
    struct buf exact = BUF_INIT;
    struct record read;
    room_set(&room, "seats", "random");
    room_open(&room);
    sign_up(7);
    room_says(&room, "Bob", "!luck horse  battery");
    room_says(&room, "Gert", "!join");
    const struct record_game *game = read_record(&read);
    folded(TRANSCRIPT, &exact);
    buf_add_char(&exact, '\n');
    ck_assert_str_eq(buf_text(&exact), game->transcript);
    assert_holds(game->transcript, "\nentropy: horse battery\n");
    assert_holds(game->transcript, "\nplayer: Anna ");
    ck_assert_ptr_null(strstr(game->transcript, " -\n"));
    record_release(&read);
    buf_release(&exact);
}
END_TEST

START_TEST(the_secret_is_told_after_the_end_and_not_before)
{
    struct buf exact = BUF_INIT;
    struct dice dice = {3};
    room_open(&room);
    room_begin(&room, 6);
    ck_assert_uint_eq(room_count_said(&room, "secret I dealt"), 0);
    improvise(&dice);
    ck_assert_str_eq(folded(REVEALED, &exact), SECRET);
    assert_proved();
    buf_release(&exact);
}
END_TEST

START_TEST(a_game_that_is_given_up_is_proved_too)
{
    struct buf exact = BUF_INIT;
    room_open(&room);
    room_begin(&room, 6);
    room_govern_to(&room, 1);
    room_says(&room, "Mo", "!end");
    char text[16];
    snprintf(text, sizeof text, "!yes %u", room_table(&room)->phase);
    room_says(&room, "Mo", text);
    ck_assert_ptr_null(stage_table(room.stage));
    ck_assert_str_eq(folded(REVEALED, &exact), SECRET);
    assert_proved();
    buf_release(&exact);
}
END_TEST

START_TEST(a_replay_has_no_proof_and_says_nothing_of_one)
{
    struct record read;
    room.fair = false;
    room_open(&room);
    room_begin(&room, 5);
    const struct record_game *game = read_record(&read);
    ck_assert_str_eq(game->commitment, "");
    ck_assert_ptr_null(game->transcript);
    ck_assert_uint_eq(room_count_said(&room, "fingerprint"), 0);
    ck_assert_uint_eq(room_count_said(&room, "transcript"), 0);
    record_release(&read);
}
END_TEST

/* ---- the deal waits ------------------------------------------------------ */

static void
turn(struct room *of)
{
    struct buf why = BUF_INIT;
    enum err err = loop_turn(&of->stage->loop, of->stage->now, 0, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

START_TEST(nothing_is_dealt_before_the_transcript_stands_there)
{
    bool waited = false;
    room_open(&room);
    sign_up(5);
    room_posts(&room, "Emil", "!join");
    feeds_plan(&room.stage->tables.feeds, room.stage->tables.feeds.list[0], 0);
    while (room_table(&room)->state != TABLE_RUNNING) {
        turn(&room);
        waited = waited || room_table(&room)->state == TABLE_SEATED;
        if (room_table(&room)->state == TABLE_SEATED) {
            ck_assert_int_eq(room_game(&room)->question, QUESTION_DEAL);
            ck_assert_int_eq(table_timer(room_table(&room)).kind, TIMER_NONE);
        }
        bool posted = room_count_said(&room, TRANSCRIPT) == 1;
        ck_assert(posted || room_table(&room)->state != TABLE_RUNNING);
    }
    ck_assert(waited);
}
END_TEST

/* The sign-up ends, and the host is cut off after so many steps. */
static void
begin_cut_off(struct room *of, unsigned turns)
{
    room_open(of);
    for (unsigned i = 0; i < 6; i++) {
        room_posts(of, i == 0 ? "Mo" : room_player(i - 1),
                   i == 0 ? "!new players=5" : "!join");
        feeds_plan(&of->stage->tables.feeds, of->stage->tables.feeds.list[0],
                   0);
        for (unsigned j = 0; j < turns; j++) {
            turn(of);
        }
        room_reopen(of);
    }
    room_settle(of);
}

START_TEST(cut_off_at_any_step_the_deal_is_the_same_and_nothing_is_doubled)
{
    struct buf exact = BUF_INIT;
    struct buf again = BUF_INIT;
    room_open(&room);
    room_begin(&room, 5);
    room_record(&room, "1", &record);
    room_transcript(&room, "thread", &again);
    room_release(&room);
    buf_clear(&exact);
    open_room(&room);
    begin_cut_off(&room, (unsigned)_i);
    struct buf other = BUF_INIT;
    room_record(&room, "1", &other);
    ck_assert_str_eq(buf_text(&other), buf_text(&record));
    ck_assert_uint_eq(room_count_said(&room, FINGERPRINT), 1);
    ck_assert_uint_eq(room_count_said(&room, TRANSCRIPT), 1);
    ck_assert_uint_eq(room_count_told(&room, "Anna", "your role is below"), 1);
    buf_release(&other);
    buf_release(&again);
    buf_release(&exact);
}
END_TEST

/* The host is there while the deal waits: nobody comes or goes. */
START_TEST(while_the_deal_waits_nobody_leaves_and_no_words_are_taken)
{
    room_open(&room);
    sign_up(5);
    /* In one page: the deal waits from the first of them on. */
    room_posts(&room, "Emil", "!join");
    room_posts(&room, "Anna", "!leave");
    room_posts(&room, "Bob", "!luck too late");
    room_posts(&room, "Carl", "!help");
    room_posts(&room, "Zoe", "!join");
    room_settle(&room);
    ck_assert_uint_eq(room_table(&room)->seated, 5);
    ck_assert_uint_eq(room_count_said(&room, "until sign-up closes"), 1);
    ck_assert_uint_eq(
        room_count_said(&room, "“!leave” can't be done right now"), 1);
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
}
END_TEST

START_TEST(a_table_that_is_ended_before_its_deal_tells_its_secret)
{
    struct buf exact = BUF_INIT;
    struct record read;
    room_open(&room);
    sign_up(5);
    room_says(&room, "Mo", "!end");
    room_posts(&room, "Emil", "!join");
    room_posts(&room, "Mo", "!yes 1");
    room_settle(&room);
    ck_assert_ptr_null(stage_table(room.stage));
    const struct record_game *game = read_record(&read);
    ck_assert_str_eq(game->seed, SECRET);
    ck_assert_int_eq(game->lines[game->line_count - 1].event.target, NO_SEAT);
    ck_assert_str_eq(folded(REVEALED, &exact), SECRET);
    record_release(&read);
    buf_release(&exact);
    assert_proved();
}
END_TEST

START_TEST(a_transcript_that_can_not_be_posted_is_tried_again)
{
    struct queued_message queued = {.state = QUEUED_IN_FLIGHT};
    queued.message.kind = MESSAGE_TRANSCRIPT;
    struct failure failure = {.err = ERR_DENIED};
    queued_fail(&queued, &failure, 1000, 1000);
    ck_assert_int_eq(queued.state, QUEUED_WAITING);
    ck_assert_int_gt(queued.job.next, 1000);
}
END_TEST

/* ---- the proof holds, whatever happens ----------------------------------- */

START_TEST(random_games_are_proved)
{
    struct dice dice = {(uint64_t)_i + 77};
    if ((unsigned)_i % effort_one_in(1) != 0) {
        return;
    }
    room_set(&room, "power_timeout", "lots");
    room_set(&room, "seats", _i % 2 == 0 ? "random" : "signup");
    room_open(&room);
    room_says(&room, "Zoe", "!luck not at the table");
    room_begin(&room, 5 + (unsigned)_i % 6);
    unsigned acts = 0;
    while (room_improvise(&room, &dice)) {
        room_settle(&room);
        if (++acts % 12 == 5 && stage_table(room.stage) != NULL) {
            char text[16];
            snprintf(text, sizeof text, "!yes %u", room_table(&room)->phase);
            room_says(&room, "Mo", "!undo");
            room_says(&room, "Mo", text);
        }
    }
    assert_proved();
}
END_TEST

/* ---- words of the players' own ------------------------------------------- */

static const struct {
    const char *given, *kept;
} words[] = {
    {"horse battery", "horse battery"},
    {"  horse \t battery ", "horse battery"},
    {"", ""},
    {"   ", ""},
    {"`code` \x01 and \x7f bells", "code and bells"},
    {"two\nlines\r\nor\xE2\x80\xA8three", "two lines or three"},
    {"[/code] <b> @everyone ** ||", "/code b everyone"},
    {"e\xCC\x81t\xC3\xA9", "\xC3\xA9t\xC3\xA9"}, /* NFC */
    {"\xE2\x84\xAB", "\xC3\x85"},                /* the Angstrom sign */
    {"zero\xE2\x80\x8Bwidth\xC2\xAD\xEF\xBB\xBF", "zerowidth"},
    {"a\xE2\x80\x8B\xCC\x8A", "\xC3\xA5"}, /* joined by what is dropped */
    {"\xC2\xA0no\xE3\x80\x80"
     "break",
     "no break"},
    {"broken \xC3( utf-8", ""},
    {"\xF3\xB0\x80\x80private use", "private use"},
    {"0123456789012345678901234567890123456789012345678901234567890123456",
     "0123456789012345678901234567890123456789012345678901234567890123"},
    {"012345678901234567890123456789012345678901234567890123456789012\xC3\xA9",
     "012345678901234567890123456789012345678901234567890123456789012"},
};

START_TEST(words_are_kept_on_one_line_in_one_form)
{
    char first[DEAL_WORDS_MAX + 1];
    char second[DEAL_WORDS_MAX + 1];
    deal_clean(words[_i].given, first);
    ck_assert_str_eq(first, words[_i].kept);
    deal_clean(first, second);
    ck_assert_str_eq(second, first);
}
END_TEST

START_TEST(the_last_words_of_those_who_signed_up_make_the_deal_another_one)
{
    struct buf exact = BUF_INIT;
    room_open(&room);
    room_says(&room, "Anna", "!luck before there is a table");
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Anna", "!luck before I join");
    ck_assert_uint_eq(room_count_said(&room, "Please join first"), 1);
    for (unsigned i = 0; i < 4; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Anna", "!luck");
    ck_assert_uint_eq(room_count_said(&room, "add any words"), 1);
    room_says(&room, "Carl", "!luck seven");
    room_says(&room, "Anna", "!luck first");
    room_says(&room, "Anna", "!luck horse");
    room_says(&room, "Emil", "!join");
    assert_holds(folded(TRANSCRIPT, &exact), "\nentropy: horse seven");
    room_says(&room, "Bob", "!luck now");
    ck_assert_uint_eq(room_count_said(&room, "until sign-up closes"), 1);
    buf_release(&exact);
}
END_TEST

START_TEST(who_moves_up_from_the_reserve_keeps_post_and_words)
{
    struct buf exact = BUF_INIT;
    room_set(&room, "ready_check", "on");
    room_open(&room);
    room_says(&room, "Mo", "!new players=5");
    room_says(&room, "Zoe", "!reserve");
    room_says(&room, "Zoe", "!luck spare");
    for (unsigned i = 0; i < 5; i++) {
        room_says(&room, room_player(i), "!join");
    }
    for (unsigned i = 0; i < 6; i++) {
        const char *who = i < 5 ? room_player(i) : "Zoe";
        char post[64];
        if (i == 4) { /* Emil sleeps, and is reminded twice */
            room_expires(&room);
            room_expires(&room);
            room_expires(&room);
            continue;
        }
        const char *word = strstr(room_told(&room, who), "of its own: ");
        ck_assert_ptr_nonnull(word);
        snprintf(post, sizeof post, "**%s**", word + strlen("of its own: "));
        room_says(&room, who, post);
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    folded(TRANSCRIPT, &exact);
    assert_holds(buf_text(&exact), "\nplayer: Zoe ");
    assert_lacks(buf_text(&exact), " -");
    assert_holds(buf_text(&exact), "\nentropy: spare");
    buf_release(&exact);
}
END_TEST

START_TEST(
    rules_that_are_set_are_in_the_transcript_and_what_was_committed_to_stays)
{
    struct buf exact = BUF_INIT;
    struct buf before = BUF_INIT;
    struct dice dice = {.state = 7};
    room_set(&room, "ready_check", "on");
    room_open(&room);
    sign_up(5);
    folded(FINGERPRINT, &before);
    room_says(&room, "Mo", "!set rules=official");
    room_says(&room, room_player(4), "!join");
    ck_assert_int_eq(room_table(&room)->state, TABLE_CHECK);
    room_says(&room, "Mo", "!set ballot=open");
    assert_holds(room_said(&room), "ballot=open (was sealed)");
    assert_holds(room_status(&room)->text,
                 "Rules: official. Different from the printed ones: votes are "
                 "open.");
    for (unsigned i = 0; i < 5; i++) {
        char post[64];
        const char *word =
            strstr(room_told(&room, room_player(i)), "of its own: ");
        ck_assert_ptr_nonnull(word);
        snprintf(post, sizeof post, "**%s**", word + strlen("of its own: "));
        room_says(&room, room_player(i), post);
    }
    ck_assert_int_eq(room_table(&room)->state, TABLE_RUNNING);
    ck_assert_str_eq(folded(FINGERPRINT, &exact), buf_text(&before));
    /* preset=official … ballot=open vote_closes=all, as sha256sum has it */
    assert_holds(
        folded(TRANSCRIPT, &exact),
        "\nrules: "
        "bf2f23005b7ac99f7a0be97c7b5f03a210f7ec9faab11c3a98abe6fd2afeba5d"
        "\n");
    improvise(&dice);
    assert_proved();
    buf_release(&exact);
    buf_release(&before);
}
END_TEST

/* ---- exact, wherever it is posted ---------------------------------------- */

/* With ids as the service that writes so has them, and others'. */
static void
some_transcript(const struct dialect *dialect, struct buf *out)
{
    struct deal_player players[PLAYERS_MAX];
    static const char *const users[] = {
        "anna",
        "Zo\xC3\xAB of the Hill",
        "81384788765712384",
        "a&b<c>\"d'",
        "under_score*star~x",
        "[b]Bob[/b]",
        "100%|pipe",
        "`tick`\t",
        "https://x.example/y",
        "0",
    };
    char clean[DEAL_WORDS_MAX + 1];
    struct rules rules;
    deal_clean("# > - 1. _under_ ~~x~~ \\ ![]() :smile: http://x.example & &lt;"
               " \xF0\x9F\x8D\x80",
               clean);
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        players[i] = (struct deal_player){users[i], "$a-b_c.123",
                                          i % 3 == 0 ? clean : ""};
    }
    if (dialect == &dialect_matrix) {
        players[0].user = "@anna:example.org";
    }
    ck_assert(rules_set_preset(&rules, "official"));
    deal_transcript("14", SECRET, "official", &rules, players, PLAYERS_MAX,
                    out);
}

/* Nothing is put in, and what a reader of the dialect sees is the same. */
START_TEST(a_transcript_is_shown_byte_for_byte_in_every_dialect)
{
    const struct dialect *dialect = NULL;
    for (size_t i = 0; (dialect = tested_dialect_at(i)) != NULL; i++) {
        struct buf transcript = BUF_INIT;
        struct buf raw = BUF_INIT;
        struct rich text = {.count = 0};
        struct rich seen = {.count = 0};
        bool unread = false;
        some_transcript(dialect, &transcript);
        rich_add_text(&text, "Here it is:\n", 0);
        rich_add(&text, buf_text(&transcript), transcript.len - 1,
                 MARK_CODE | MARK_SPOILER);
        dialect->write(&text, &raw);
        assert_lacks(buf_text(&raw), "\xE2\x80\x8B");
        dialect->read(buf_text(&raw), raw.len, &seen, &unread);
        ck_assert_msg(buf_equals(&seen.text, buf_text(&text.text)),
                      "%s: %s\n%s", dialect->name, buf_text(&raw),
                      buf_text(&seen.text));
        rich_release(&text);
        rich_release(&seen);
        buf_release(&transcript);
        buf_release(&raw);
    }
}
END_TEST

/* The longest that ten players with ids as long as Discord's can bring about;
 * elsewhere posts are longer by far. */
START_TEST(the_longest_transcript_fits_a_post_of_two_thousand)
{
    struct deal_player players[PLAYERS_MAX];
    struct rules rules;
    struct buf transcript = BUF_INIT;
    struct buf raw = BUF_INIT;
    struct rich text = {.count = 0};
    char words_max[DEAL_WORDS_MAX + 1];
    size_t length = 0;
    memset(words_max, 'w', DEAL_WORDS_MAX);
    words_max[DEAL_WORDS_MAX] = '\0';
    for (unsigned i = 0; i < PLAYERS_MAX; i++) {
        players[i] = (struct deal_player){"18446744073709551615",
                                          "18446744073709551615", words_max};
    }
    ck_assert(rules_set_preset(&rules, "play-by-post"));
    deal_transcript("12345678901234567890123456789012", SECRET, "play-by-post",
                    &rules, players, PLAYERS_MAX, &transcript);
    for (unsigned i = 0; i < 300; i++) { /* what stands above it */
        rich_add_text(&text, "x", 0);
    }
    rich_add_text(&text, "\n", 0);
    rich_add(&text, buf_text(&transcript), transcript.len - 1,
             MARK_CODE | MARK_SPOILER);
    dialect_discord.write(&text, &raw);
    for (size_t i = 0; i < raw.len; i++) {
        length += ((unsigned char)raw.data[i] & 0xC0) != 0x80;
    }
    ck_assert_uint_le(length, 2000);
    rich_release(&text);
    buf_release(&transcript);
    buf_release(&raw);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/proof");
    TCase *tcase = tcase_create("proof");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_table_opens_with_the_fingerprint_of_its_secret);
    tcase_add_test(tcase, the_transcript_is_posted_as_it_is_in_the_record);
    tcase_add_test(tcase, the_secret_is_told_after_the_end_and_not_before);
    tcase_add_test(tcase, a_game_that_is_given_up_is_proved_too);
    tcase_add_test(tcase, a_replay_has_no_proof_and_says_nothing_of_one);
    tcase_add_test(tcase, nothing_is_dealt_before_the_transcript_stands_there);
    tcase_add_loop_test(
        tcase, cut_off_at_any_step_the_deal_is_the_same_and_nothing_is_doubled,
        1, 9);
    tcase_add_test(tcase,
                   while_the_deal_waits_nobody_leaves_and_no_words_are_taken);
    tcase_add_test(tcase,
                   a_table_that_is_ended_before_its_deal_tells_its_secret);
    tcase_add_test(tcase, a_transcript_that_can_not_be_posted_is_tried_again);
    tcase_add_loop_test(tcase, random_games_are_proved, 0, 12);
    tcase_add_loop_test(tcase, words_are_kept_on_one_line_in_one_form, 0,
                        (int)(sizeof words / sizeof words[0]));
    tcase_add_test(
        tcase, the_last_words_of_those_who_signed_up_make_the_deal_another_one);
    tcase_add_test(tcase, who_moves_up_from_the_reserve_keeps_post_and_words);
    tcase_add_test(
        tcase,
        rules_that_are_set_are_in_the_transcript_and_what_was_committed_to_stays);
    tcase_add_test(tcase, a_transcript_is_shown_byte_for_byte_in_every_dialect);
    tcase_add_test(tcase, the_longest_transcript_fits_a_post_of_two_thousand);
    suite_add_tcase(suite, tcase);
    return suite;
}
