/*
 * Every language, and every theme over every language: nothing for a translator
 * to put right, words that can be typed, and nothing left of the original where
 * a theme is laid over it.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/reading/names.h"
#include "bot/host/words/speech.h"
#include "bot/host/words/translation.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    FILES_MAX = 32,
    WORDS_MAX = 100
};

/* The names of the files in a folder of config. */
static char languages[FILES_MAX][16], themes[FILES_MAX][16];
static unsigned language_count, theme_count;
static struct language english, other;

static unsigned
list_files(const char *folder, char names[][16])
{
    DIR *open = opendir(folder);
    const struct dirent *entry = NULL;
    unsigned count = 0;
    ck_assert_ptr_nonnull(open);
    while ((entry = readdir(open)) != NULL) {
        const char *dot = strchr(entry->d_name, '.');
        if (dot != NULL && strcmp(dot, ".cfg") == 0) {
            ck_assert_uint_lt(count, FILES_MAX);
            snprintf(names[count++], 16, "%.*s", (int)(dot - entry->d_name),
                     entry->d_name);
        }
    }
    closedir(open);
    return count;
}

/* Load a language's texts as they stand in its file. */
static void
load(struct language *language, const char *name)
{
    char file[64];
    struct buf why = BUF_INIT;
    snprintf(file, sizeof file, "config/languages/%s.cfg", name);
    ck_assert_msg(language_load(language, file, &why) == ERR_NONE, "%s",
                  buf_text(&why));
}

static void
set_up(void)
{
    language_count = list_files("config/languages", languages);
    theme_count = list_files("config/themes", themes);
    ck_assert_uint_ge(language_count, 5);
    ck_assert_uint_ge(theme_count, 1);
    load(&english, "en");
}

static void
tear_down(void)
{
    language_release(&english);
    language_release(&other);
}

/* Call `each` for every language's file, English too. */
static void
for_each_language(void (*each)(const char *name, struct buf *wrong))
{
    struct buf wrong = BUF_INIT;
    for (unsigned i = 0; i < language_count; i++) {
        load(&other, languages[i]);
        each(languages[i], &wrong);
        language_release(&other);
    }
    ck_assert_msg(wrong.len == 0, "\n%s", buf_text(&wrong));
    buf_release(&wrong);
}

/* ---- what a translator is told ------------------------------------------- */

START_TEST(every_language_says_what_english_does)
{
    for (unsigned i = 0; i < language_count; i++) {
        struct buf why = BUF_INIT;
        ck_assert_msg(translation_check(languages[i], &why) == ERR_NONE, "%s",
                      buf_text(&why));
        buf_release(&why);
    }
}
END_TEST

/* ---- what people type ---------------------------------------------------- */

/* Take the next word of a list with blanks between; false: no more. */
static bool
next_word(const char **list, char word[WORDS_MAX])
{
    *list += strspn(*list, " ");
    size_t len = strcspn(*list, " ");
    ck_assert_uint_lt(len, WORDS_MAX);
    memcpy(word, *list, len);
    word[len] = '\0';
    *list += len;
    return len > 0;
}

static bool
is_listed(const char *list, const char *word)
{
    char one[WORDS_MAX];
    while (next_word(&list, one)) {
        if (strcmp(one, word) == 0) {
            return true;
        }
    }
    return false;
}

static void
make_loose(const char *word, struct buf *loose)
{
    buf_clear(loose);
    name_loose_key(word, strlen(word), loose);
}

/* A word of a list, or several for the same with "/" between. */
static void
check_words(const char *name, const struct language_entry *entry, char *words,
            struct buf *wrong)
{
    struct buf loose = BUF_INIT;
    char *save = NULL;
    for (char *word = strtok_r(words, "/", &save); word != NULL;
         word = strtok_r(NULL, "/", &save)) {
        make_loose(word, &loose);
        if (strcmp(buf_text(&loose), word) != 0) {
            buf_addf(wrong, "%s.cfg:%d: %s: “%s” must be “%s”\n", name,
                     entry->line, entry->key, word, buf_text(&loose));
        }
    }
    buf_release(&loose);
}

static void
check_lists(const char *name, struct buf *wrong)
{
    for (size_t i = 0; i < other.count; i++) {
        const struct language_entry *entry = &other.entries[i];
        const char *list = entry->text;
        char word[WORDS_MAX];
        if (strncmp(entry->key, "read_", 5) != 0) {
            continue;
        }
        while (next_word(&list, word)) {
            check_words(name, entry, word, wrong);
        }
    }
}

START_TEST(words_that_are_read_stand_without_accents_and_in_small_letters)
{
    for_each_language(check_lists);
}
END_TEST

static bool
is_command(const struct language_entry *entry)
{
    return strncmp(entry->key, "command_", 8) == 0 &&
           strchr(entry->text, '{') == NULL;
}

/* The key of the command that a word gives in a language, or in English; NULL:
 * none. */
static const char *
command_of(const char *word)
{
    for (size_t i = 0; i < other.count; i++) {
        const struct language_entry *entry = &other.entries[i];
        if (is_command(entry) && is_listed(entry->text, word)) {
            return entry->key;
        }
    }
    for (size_t i = 0; i < english.count; i++) {
        const struct language_entry *entry = &english.entries[i];
        if (is_command(entry) && is_listed(entry->text, word)) {
            return entry->key;
        }
    }
    return NULL;
}

static void
check_command(const char *name, const struct language_entry *entry,
              struct buf *wrong)
{
    struct buf loose = BUF_INIT;
    const char *list = entry->text;
    char word[WORDS_MAX];
    while (next_word(&list, word)) {
        const char *first = command_of(word);
        const struct language_entry *in_english = NULL;
        for (size_t i = 0; i < english.count; i++) {
            if (is_command(&english.entries[i]) &&
                is_listed(english.entries[i].text, word)) {
                in_english = &english.entries[i];
            }
        }
        if (strcmp(first, entry->key) != 0 ||
            (in_english != NULL && strcmp(in_english->key, entry->key) != 0)) {
            buf_addf(wrong, "%s.cfg:%d: %s: “%s” is another command too\n",
                     name, entry->line, entry->key, word);
        }
        make_loose(word, &loose);
        const char *bare = command_of(buf_text(&loose));
        if (bare == NULL || strcmp(bare, entry->key) != 0) {
            buf_addf(wrong, "%s.cfg:%d: %s: “%s” is not understood as “%s”\n",
                     name, entry->line, entry->key, word, buf_text(&loose));
        }
    }
    buf_release(&loose);
}

static void
check_commands(const char *name, struct buf *wrong)
{
    for (size_t i = 0; i < other.count; i++) {
        if (is_command(&other.entries[i])) {
            check_command(name, &other.entries[i], wrong);
        }
    }
}

START_TEST(every_command_word_is_one_commands_and_may_be_typed_without_accents)
{
    for_each_language(check_commands);
}
END_TEST

/* Commands as texts show them: `{prefix}join`. */
static void
check_shown_commands(const char *name, struct buf *wrong)
{
    static const char sign[] = "`{prefix}";
    for (size_t i = 0; i < other.count; i++) {
        const struct language_entry *entry = &other.entries[i];
        const char *at = entry->text;
        while ((at = strstr(at, sign)) != NULL) {
            char word[WORDS_MAX];
            at += strlen(sign);
            snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " `"), at);
            if (word[0] == '{') {
                continue; /* whichever was meant */
            }
            const char *key = command_of(word);
            const struct language_entry *own =
                key == NULL ? NULL : language_entry(&other, key);
            if (own == NULL || !is_listed(own->text, word)) {
                buf_addf(wrong, "%s.cfg:%d: %s: “%s” is no command of it\n",
                         name, entry->line, entry->key, word);
            }
        }
    }
}

START_TEST(every_command_that_is_shown_is_one_of_the_language)
{
    for_each_language(check_shown_commands);
}
END_TEST

/* ---- words in lists ------------------------------------------------------ */

static unsigned
count_words(const char *list)
{
    char word[WORDS_MAX];
    unsigned count = 0;
    while (next_word(&list, word)) {
        count++;
    }
    return count;
}

/* The words of the ready check: enough, no two alike, and none a vote. */
static void
check_code_words(const char *name, struct buf *wrong)
{
    const char *list = language_find(&other, "code_words");
    const char *at = list;
    char word[WORDS_MAX];
    if (count_words(list) < 50) {
        buf_addf(wrong, "%s.cfg: code_words: less than 50\n", name);
    }
    while (next_word(&at, word)) {
        const char *rest = at;
        char twin[WORDS_MAX];
        while (next_word(&rest, twin)) {
            if (names_compare(word, twin) != NAMES_APART) {
                buf_addf(wrong, "%s.cfg: code_words: %s and %s\n", name, word,
                         twin);
            }
        }
    }
}

START_TEST(the_words_of_the_ready_check_are_enough_and_unlike)
{
    for_each_language(check_code_words);
}
END_TEST

/* ---- French elisions ----------------------------------------------------- */

/* Parameters that are people's names. */
static const char *const names[] = {
    "player",   "target", "president", "chancellor", "leaver",
    "newcomer", "hitler", "opener",    "chooser",    "asker",
    "first",    "next",   "other",     "players",    "moderator",
    "out",      "p",      "c",         "t"};

/* "que Anna" is wrong, "qu’Bob" as well: no name stands behind such a word. */
START_TEST(french_has_no_word_before_a_name_that_would_be_elided)
{
    static const char *const words[] = {"que", "de", "le", "la",
                                        "je",  "ne", "se", "lorsque"};
    load(&other, "fr");
    for (size_t i = 0; i < other.count; i++) {
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
            for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
                char bad[48];
                snprintf(bad, sizeof bad, " %s {%s}", words[j], names[k]);
                ck_assert_msg(strstr(other.entries[i].text, bad) == NULL,
                              "fr.cfg:%d: %s: “%s”", other.entries[i].line,
                              other.entries[i].key, bad);
            }
        }
    }
}
END_TEST

/* Lengths and numbers of nothing, one, two and more, with bars between. */
static const struct {
    const char *language, *said;
} amounts[] = {
    {"en", "1d|2d1h|21d|21h|1h5m|2m|0 rounds|one round|2 rounds|21 rounds"},
    {"nl", "1 dag|2 dagen 1 uur|21 dagen|21 uur|1 uur 5 min|2 min|"
           "0 rondes|één ronde|2 rondes|21 rondes"},
    {"nb", "1 døgn|2 døgn 1 time|21 døgn|21 timer|1 time 5 min|2 min|"
           "0 runder|én runde|2 runder|21 runder"},
    {"fr", "1 j|2 j 1 h|21 j|21 h|1 h 05|2 min|"
           "une manche|une manche|2 manches|21 manches"},
    {"de", "1 Tag|2 Tage 1 Std.|21 Tage|21 Std.|1 Std. 5 Min.|2 Min.|"
           "0 Runden|eine Runde|2 Runden|21 Runden"},
};

/* How a report tells the number of rounds: between two commas. */
static void
add_rounds(const struct catalogue *catalogue, int64_t rounds, struct buf *out)
{
    struct params params = {.count = 0};
    struct buf text = BUF_INIT;
    params_number(&params, "rounds", rounds);
    catalogue_text(catalogue, "report_lead", &params, &text);
    const char *at = strstr(buf_text(&text), ", ");
    ck_assert_msg(at != NULL, "%s", buf_text(&text));
    buf_add(out, at + 2, strcspn(at + 2, ","));
    buf_release(&text);
}

START_TEST(lengths_and_numbers_are_told_as_the_language_does)
{
    static const int64_t lengths[] = {
        DAY_MS,       2 * DAY_MS + HOUR_MS,    21 * DAY_MS,
        21 * HOUR_MS, HOUR_MS + 5 * MINUTE_MS, 2 * MINUTE_MS};
    static const int64_t rounds[] = {0, 1, 2, 21};
    struct catalogues catalogues = {.count = 0};
    const struct catalogue *catalogue = NULL;
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_int_eq(catalogues_open(&catalogues, amounts[_i].language,
                                     THEME_ORIGINAL, &catalogue, &why),
                     ERR_NONE);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        catalogue_duration(catalogue, lengths[i], &out);
        buf_add_char(&out, '|');
    }
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        add_rounds(catalogue, rounds[i], &out);
        buf_add_text(&out, i + 1 < sizeof rounds / sizeof rounds[0] ? "|" : "");
    }
    ck_assert_str_eq(buf_text(&out), amounts[_i].said);
    buf_release(&out);
    buf_release(&why);
    catalogues_release(&catalogues);
}
END_TEST

/* ---- stops --------------------------------------------------------------- */

/* "6 Std.": where lengths of time are short for something, no stop follows. */
static void
check_stops(const char *name, struct buf *wrong)
{
    static const char *const lengths[] = {
        "{left}.", "{length}.", "{round_length}.", "{round_length}}{quick!"};
    const char *written = language_find(&other, "duration");
    if (strstr(written, ".}") == NULL) {
        return;
    }
    for (size_t i = 0; i < other.count; i++) {
        for (size_t j = 0; j < 4; j++) {
            if (strstr(other.entries[i].text, lengths[j]) != NULL) {
                buf_addf(wrong, "%s.cfg:%d: %s: two stops\n", name,
                         other.entries[i].line, other.entries[i].key);
            }
        }
    }
}

START_TEST(no_length_of_time_ends_with_two_stops)
{
    for_each_language(check_stops);
}
END_TEST

/* Give each placeholder of a text the name "J.R.". */
static void
set_names(const char *text, struct params *params)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    static char found[PARAMS_MAX][32];

    while ((text = strchr(text, '{')) != NULL) {
        text += 1 + (text[1] == '@');
        size_t len = strspn(text, letters);
        bool known = false;
        for (unsigned i = 0; i < params->count; i++) {
            known |= strlen(params->list[i].name) == len &&
                     strncmp(params->list[i].name, text, len) == 0;
        }
        if (!known) {
            char *name = found[params->count];
            snprintf(name, sizeof found[0], "%.*s", (int)len, text);
            params_text(params, name, "J.R.");
        }
    }
}

/* What a text says, without its code. */
static void
say_uncoded(const struct catalogue *catalogue, const char *key,
            const struct params *params, struct buf *said)
{
    struct rich rich = {.count = 0};
    catalogue_say(catalogue, key, params, &rich);
    for (size_t i = 0; i < rich.count; i++) {
        const struct run *run = &rich.runs[i];
        bool code = (run->marks & MARK_CODE) != 0;
        buf_add(said, code ? "`" : rich_run_text(&rich, run),
                code ? 1 : run->len);
    }
    rich_release(&rich);
}

START_TEST(a_name_that_ends_in_a_stop_gets_no_second_one)
{
    struct catalogues catalogues = {.count = 0};
    struct buf why = BUF_INIT;
    for (unsigned i = 0; i < language_count; i++) {
        const struct catalogue *catalogue = NULL;
        ck_assert_int_eq(catalogues_open(&catalogues, languages[i],
                                         THEME_ORIGINAL, &catalogue, &why),
                         ERR_NONE);
        for (size_t j = 0; j < catalogue->language.count; j++) {
            const struct language_entry *entry =
                &catalogue->language.entries[j];
            struct params params = {.count = 0};
            struct buf said = BUF_INIT;
            set_names(entry->text, &params);
            say_uncoded(catalogue, entry->key, &params, &said);
            ck_assert_msg(strstr(buf_text(&said), "J.R..") == NULL,
                          "%s: %s: %s", languages[i], entry->key,
                          buf_text(&said));
            buf_release(&said);
        }
    }
    catalogues_release(&catalogues);
    buf_release(&why);
}
END_TEST

/* ---- themes -------------------------------------------------------------- */

/* The original's words, as they begin: none is left under a theme. */
static const char *const original[] = {
    "Hitler", "iberal", "ibéral",   "IBERAL",   "IBÉRAL",   "ascis",
    "ASCIS",  "aschis", "ASCHIS",   "ancell",   "anselier", "ansler",
    "anzler", "hancel", "resident", "résident", "räsident"};

/* A text without what is not the theme's to change: whose game it is, and the
 * address of its rules. */
static void
add_own_text(const char *text, struct buf *out)
{
    static const char *const kept[] = {"secrethitler.com"};
    while (*text != '\0') {
        size_t len = strlen(kept[0]);
        if (strncmp(text, kept[0], len) == 0) {
            text += len;
        } else {
            buf_add_char(out, *text++);
        }
    }
}

static void
check_dressed(const struct catalogue *catalogue, const char *theme,
              const char *language, struct buf *wrong)
{
    for (size_t i = 0; i < catalogue->language.count; i++) {
        const struct language_entry *entry = &catalogue->language.entries[i];
        struct buf text = BUF_INIT;
        if (strncmp(entry->key, "read_", 5) == 0) {
            continue;
        }
        /* The names of parameters are no words. */
        for (const char *at = entry->text; *at != '\0';) {
            size_t name = *at == '{' ? 1 + (at[1] == '@') : 0;
            at += name;
            at += name > 0 ? strspn(at, "abcdefghijklmnopqrstuvwxyz_") : 0;
            if (name == 0) {
                buf_add_char(&text, *at++);
            }
        }
        struct buf own = BUF_INIT;
        add_own_text(buf_text(&text), &own);
        for (size_t j = 0; j < sizeof original / sizeof original[0]; j++) {
            if (strstr(buf_text(&own), original[j]) != NULL) {
                buf_addf(wrong, "%s in %s: %s still says “%s”\n", theme,
                         language, entry->key, original[j]);
            }
        }
        buf_release(&text);
        buf_release(&own);
    }
}

static const struct {
    const char *language, *said;
} seconds[] = {
    {"en", "45s|1m30s|1h5s|Sat 21 Nov, 09:05:07 UTC"},
    {"nl", "45 sec|1 min 30 sec|1 uur 5 sec|za 21 nov, 09:05:07 uur UTC"},
    {"nb", "45 sek|1 min 30 sek|1 time 5 sek|lør. 21. nov. kl. 09.05.07 UTC"},
    {"fr", "45 s|1 min 30 s|1 h 5 s|"
           "samedi 21 novembre, 9 h 05 min 07 s (UTC)"},
    {"de", "45 Sek.|1 Min. 30 Sek.|1 Std. 5 Sek.|"
           "Sa, 21. Nov., 09:05:07 Uhr UTC"},
};

START_TEST(seconds_are_told_as_the_language_does)
{
    struct catalogues catalogues = {.count = 0};
    const struct catalogue *catalogue = NULL;
    struct buf out = BUF_INIT;
    struct buf why = BUF_INIT;
    int64_t instant = 0;
    ck_assert(instant_read("2026-11-21T09:05:07Z", &instant));
    ck_assert_int_eq(catalogues_open(&catalogues, seconds[_i].language,
                                     THEME_ORIGINAL, &catalogue, &why),
                     ERR_NONE);
    catalogue_duration(catalogue, 45 * SECOND_MS, &out);
    buf_add_char(&out, '|');
    catalogue_duration(catalogue, 90 * SECOND_MS, &out);
    buf_add_char(&out, '|');
    catalogue_duration(catalogue, HOUR_MS + 5 * SECOND_MS, &out);
    buf_add_char(&out, '|');
    catalogue_time_exact(catalogue, instant, zone_utc(), &out);
    ck_assert_str_eq(buf_text(&out), seconds[_i].said);
    buf_release(&out);
    buf_release(&why);
    catalogues_release(&catalogues);
}
END_TEST

START_TEST(nothing_of_the_original_is_left_under_a_theme)
{
    struct buf wrong = BUF_INIT;
    struct buf why = BUF_INIT;
    for (unsigned i = 0; i < theme_count; i++) {
        for (unsigned j = 0; j < language_count; j++) {
            struct catalogue catalogue;
            ck_assert_msg(catalogue_load(&catalogue, languages[j], themes[i],
                                         &why) == ERR_NONE,
                          "%s", buf_text(&why));
            check_dressed(&catalogue, themes[i], languages[j], &wrong);
            catalogue_release(&catalogue);
        }
    }
    ck_assert_msg(wrong.len == 0, "\n%s", buf_text(&wrong));
    buf_release(&wrong);
}
END_TEST

/* ---- first lines --------------------------------------------------------- */

/* What a locked screen must not show stands behind the first line. */
static void
check_first_lines(const char *name, struct buf *wrong)
{
    static const char *const keys[] = {
        "role",       "hand",         "hand_chancellor", "echo_ballot",
        "ask_ballot", "echo_discard", "lots_discard",    "echo_enact",
        "lots_enact", "ask_cards",    "ask_not_in_hand", "result_investigate",
        "asks",       "result_peek",  "gallery_roles",   "answered"};
    static const char *const secrets[] = {
        "{cards",  "{hitler", "{party",  "{discarded", "{passed",
        "{policy", "{other",  "{vote",   "{mates",     "{fascists",
        "{text",   "{number", "{target", "{liberals",  "{is_"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const struct language_entry *entry = language_entry(&other, keys[i]);
        const char *rest = entry == NULL ? NULL : strstr(entry->text, "\n\n");
        ck_assert_msg(rest != NULL, "%s, %s", name, keys[i]);
        for (size_t j = 0; j < sizeof secrets / sizeof secrets[0]; j++) {
            const char *secret = strstr(entry->text, secrets[j]);
            if (secret != NULL && secret < rest) {
                buf_addf(wrong, "%s: %s begins with %s\n", name, keys[i],
                         secrets[j]);
            }
        }
    }
}

START_TEST(no_private_message_begins_with_a_secret)
{
    for_each_language(check_first_lines);
}
END_TEST

/* ---- role messages ------------------------------------------------------- */

/* The host's private messages of a game that has just begun. */
static void
assert_roles_begin_alike(const struct room *room, const char *what)
{
    const char *first = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < room->post_count; i++) {
        const struct seen_post *post = &room->posts[i];
        if (strncmp(post->place, "talk/", 5) != 0) {
            continue;
        }
        first = first == NULL ? post->text : first;
        size_t line = strcspn(first, "\n");
        ck_assert_msg(strncmp(post->text, first, line + 1) == 0,
                      "%s: the first line of %s", what, post->text);
        count++;
    }
    ck_assert_uint_ge(count, 5);
}

static void
begin_in(const char *language, const char *theme, unsigned players)
{
    struct room room;
    char text[64];
    room_init(&room);
    room_set(&room, "language", language);
    room_set(&room, "theme", theme);
    room_set(&room, "ready_check", "off");
    room_open(&room);
    snprintf(text, sizeof text, "!new players=%u", players);
    room_says(&room, "Mo", text);
    for (unsigned i = 0; i < players; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_read(&room);
    snprintf(text, sizeof text, "%s, %s, %u players", language, theme, players);
    assert_roles_begin_alike(&room, text);
    room_release(&room);
}

START_TEST(role_messages_begin_alike_in_every_language_and_theme)
{
    for (unsigned i = 0; i < language_count; i++) {
        begin_in(languages[i], THEME_ORIGINAL, 7);
        for (unsigned j = 0; j < theme_count; j++) {
            begin_in(languages[i], themes[j], 5 + i);
        }
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/languages");
    TCase *tcase = tcase_create("languages");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_language_says_what_english_does);
    tcase_add_test(
        tcase, words_that_are_read_stand_without_accents_and_in_small_letters);
    tcase_add_test(
        tcase,
        every_command_word_is_one_commands_and_may_be_typed_without_accents);
    tcase_add_test(tcase, every_command_that_is_shown_is_one_of_the_language);
    tcase_add_test(tcase, the_words_of_the_ready_check_are_enough_and_unlike);
    tcase_add_loop_test(tcase, seconds_are_told_as_the_language_does, 0,
                        sizeof seconds / sizeof seconds[0]);
    tcase_add_loop_test(tcase,
                        lengths_and_numbers_are_told_as_the_language_does, 0,
                        sizeof amounts / sizeof amounts[0]);
    tcase_add_test(tcase,
                   french_has_no_word_before_a_name_that_would_be_elided);
    tcase_add_test(tcase, no_length_of_time_ends_with_two_stops);
    tcase_add_test(tcase, a_name_that_ends_in_a_stop_gets_no_second_one);
    tcase_add_test(tcase, nothing_of_the_original_is_left_under_a_theme);
    tcase_add_test(tcase, no_private_message_begins_with_a_secret);
    tcase_add_test(tcase,
                   role_messages_begin_alike_in_every_language_and_theme);
    suite_add_tcase(suite, tcase);
    return suite;
}
