/*
 * What the host says can't act when it is pasted back: the visible text of
 * every sentence, as typed text of an awaited player, is no act, nor a command,
 * in any dialect (READING.md E7).
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/index.h"
#include "bot/host/reading/intent.h"
#include "bot/host/words/speech.h"
#include "tests/support/effort.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct room room;

/* Each language in its own words, and in a theme's. */
static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0],
    CATALOGUES = 2 * LANGUAGES,
    SELDOM = 24, /* one in how many moments and dialects is tried */
    OFTEN = 6,   /* the same in English */
};
static struct catalogue catalogues[CATALOGUES];
/* What is pasted now: the words by which it would be read. */
static struct vocabulary vocabulary;

static void
load_catalogues(void)
{
    struct buf why = BUF_INIT;
    for (unsigned i = 0; i < CATALOGUES; i++) {
        const char *theme = i % 2 == 0 ? THEME_ORIGINAL : "prison";
        ck_assert_msg(catalogue_load(&catalogues[i], languages[i / 2], theme,
                                     &why) == ERR_NONE,
                      "%s", buf_text(&why));
    }
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    load_catalogues();
}

static void
tear_down(void)
{
    for (unsigned i = 0; i < CATALOGUES; i++) {
        catalogue_release(&catalogues[i]);
    }
    room_release(&room);
}

/* The private questions, and what is asked back there: who answers may send
 * them along.  All visible text is read for cards (READING.md D1), so any other
 * sentence that speaks of one card may be an answer there, as if typed. */
static bool
is_card_question(const char *key)
{
    return strcmp(key, "hand") == 0 || strcmp(key, "hand_chancellor") == 0 ||
           strcmp(key, "ask_cards") == 0 || strcmp(key, "hint_cards") == 0 ||
           strcmp(key, "ask_not_in_hand") == 0;
}

/* What shows a player in private how a name is posted acts where it is to be
 * posted. */
static bool
is_to_be_pasted(const char *key)
{
    return strcmp(key, "hint_paste") == 0;
}

/* Words that people write, and parts of them that are shown. */
static bool
is_own_word(const char *key)
{
    return strncmp(key, "word_", 5) == 0 || strncmp(key, "read_", 5) == 0 ||
           strncmp(key, "command_", 8) == 0 || strcmp(key, "slash_yes") == 0 ||
           strcmp(key, "slash_no") == 0;
}

static bool
is_pasted_into(enum phase phase, const char *key)
{
    switch (phase) {
    case PHASE_DM_PRESIDENT:
    case PHASE_DM_CHANCELLOR:
        return is_card_question(key);
    case PHASE_DM_BALLOT:
        return !is_own_word(key);
    case PHASE_NOMINATION:
    case PHASE_EXECUTIVE:
        return !is_to_be_pasted(key);
    case PHASE_VOTING:
    case PHASE_VETO_CHANCELLOR:
    case PHASE_VETO_PRESIDENT:
        break;
    }
    return true;
}

/* ---- pasting ------------------------------------------------------------- */

static void
set_players(struct reading *reading, const struct table *table)
{
    for (unsigned seat = 0; seat < table->seated; seat++) {
        reading->players[seat].name = table->seats[seat].name;
        reading->players[seat].id = table->seats[seat].user;
    }
    reading->player_count = table->seated;
}

static void
assert_inert(const struct rich *typed, const char *key,
             const struct table *table)
{
    static const char *const hands[] = {"FLF", "LF", "FFF", "LL"};
    struct buf why = BUF_INIT;
    for (int phase = PHASE_NOMINATION; phase <= PHASE_DM_BALLOT; phase++) {
        unsigned ways =
            phase == PHASE_DM_PRESIDENT || phase == PHASE_DM_CHANCELLOR ? 4 : 2;
        for (unsigned i = 0; i < ways; i++) {
            struct reading reading = {.phase = (enum phase)phase};
            struct intent intent;
            if (!is_pasted_into((enum phase)phase, key)) {
                break;
            }
            set_players(&reading, table);
            vocabulary_lend(&vocabulary, &reading);
            reading.bold_names = i % 2 == 0;
            TEXT_COPY(reading.hand, hands[i]);
            intent_read(typed, &reading, &intent, &why);
            if (intent.kind != INTENT_NONE && intent.kind != INTENT_AMBIGUOUS) {
                ck_abort_msg("%s, in phase %d, is %s (%s):\n%s", key, phase,
                             intent_name(&intent), buf_text(&why),
                             buf_text(&typed->text));
            }
            buf_clear(&why);
        }
    }
    buf_release(&why);
}

static void
assert_no_command(const struct rich *typed, const char *key)
{
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t from = 0;
    ck_assert_msg(!intent_command(typed, "!", BOARD_HOST, &from, &word, &rest),
                  "%s is the command %s:\n%s", key, buf_text(&word),
                  buf_text(&typed->text));
    buf_release(&word);
    buf_release(&rest);
}

/* What a person sees of a post in this dialect. */
static void
add_seen(const struct dialect *dialect, const struct rich *said,
         struct buf *seen)
{
    struct buf written = BUF_INIT;
    struct rich shown = {.count = 0};
    bool unread = false;
    dialect->write(said, &written);
    dialect->read(buf_text(&written), written.len, &shown, &unread);
    ck_assert(!unread);
    add_without_guards(buf_text(&shown.text), shown.text.len, seen);
    buf_release(&written);
    rich_release(&shown);
}

/* Is this what people type where posts come in the other dialect?  Forums and
 * Matrix make HTML of what was typed. */
static bool
is_typed_for(const struct dialect *typed, const struct dialect *read)
{
    bool rendered = read == &dialect_html || read == &dialect_matrix;
    return typed == read ||
           (rendered && typed != &dialect_html && typed != &dialect_matrix);
}

/* What was pasted at this moment in these words: the same text, typed for the
 * same reader at the same place, is read alike. */
static struct index pasted;

static bool
was_pasted(const char *type, const char *key, const char *text)
{
    struct buf group = BUF_INIT;
    buf_addf(&group, "%s %d %d %d", type, is_card_question(key),
             is_own_word(key), is_to_be_pasted(key));
    uint64_t hash = index_key(buf_text(&group), text);
    size_t at = 0;
    bool known = index_next(&pasted, hash, &at) != 0;
    if (!known) {
        index_add(&pasted, hash, 1);
    }
    buf_release(&group);
    return known;
}

/* Write it, let somebody copy what they see, and paste that. */
static void
paste(const struct dialect *dialect, const struct rich *said, const char *key,
      const struct table *table)
{
    struct buf seen = BUF_INIT;
    const struct dialect *type = NULL;
    add_seen(dialect, said, &seen);
    for (size_t i = 0; (type = tested_dialect_at(i)) != NULL; i++) {
        struct rich typed = {.count = 0};
        bool unread = false;
        if (is_typed_for(type, dialect) &&
            !was_pasted(type->name, key, buf_text(&seen))) {
            type->read(buf_text(&seen), seen.len, &typed, &unread);
            assert_inert(&typed, key, table);
            assert_no_command(&typed, key);
        }
        rich_release(&typed);
    }
    buf_release(&seen);
}

/* Let somebody copy its source, as some apps do, and paste that: what is bold
 * stays bold. */
static void
paste_source(const struct dialect *dialect, const struct rich *said,
             const char *key, const struct table *table)
{
    const struct dialect *type = shown_as(dialect);
    struct buf written = BUF_INIT;
    struct rich typed = {.count = 0};
    bool unread = false;
    dialect->write(said, &written);
    if (!was_pasted(type->name, key, buf_text(&written))) {
        type->read(written.data, written.len, &typed, &unread);
        assert_inert(&typed, key, table);
        assert_no_command(&typed, key);
    }
    buf_release(&written);
    rich_release(&typed);
}

/* ---- every sentence ------------------------------------------------------ */

/* Numbers and yeses of a sentence's own; each sentence is said without and
 * with them. */
static const char *const numbers[] = {
    "ja",           "nein",          "tie",       "cleared",
    "tracker_now",  "tracker_two",   "over",      "tracker_reset",
    "timeout",      "fascist_count", "misses",    "hitler_knows",
    "is_liberal",   "is_fascist",    "is_hitler", "signup",
    "running",      "voted",         "lots",      "president_asks",
    "may_veto",     "day",           "number",    "again",
    "by_table",     "fallen",        "to_round",  "known",
    "phase",        "named",         "secret",    "voted_count",
    "voted_before", "not_voted",     "is_ja",     "count",
    "asks",         "votes",         "vetoes",    "nominates",
    "veto_power",   "private",
};

static const struct {
    const char *name, *text;
} texts[] = {
    {"other", "Anna"},
    {"problem", "players: what is that?"},
    {"word", "dance"},
    {"policy", "LIBERAL"},
    {"discarded", "Liberal"},
    {"passed", "Liberal and Fascist"},
    {"party", "Fascist"},
    {"outcome", "rejected 1 to 4"},
    {"drawn", "FFL"},
    {"marks", "candidate"},
    {"name", "Anna"},
    {"chaos", "Fascist"},
    {"sessions", "Round 1"},
    {"seats", "1 Anna, 2 Bob"},
    {"weekday", "Sun"},
    {"month", "Nov"},
    {"clock", "21:00"},
    {"zone", "CET"},
    {"utc", "20:00"},
    {"line", "Anna is to name a chancellor."},
    {"left", "1h"},
    {"until", "Sun 22 Nov, 21:00 UTC"},
    {"length", "12h"},
    {"reason", "the cat was ill"},
    {"out", "Emil"},
    {"key", "reminders"},
    {"value", "6h, 1h"},
    {"verdict", "R4: “Ja!” is exactly a vote word"},
    {"what", "The game ends."},
    {"cards", "FFL"},
    {"list", "Anna 2"},
    {"text", "Berta"},
};

static void
add_people(struct speech *speech, const char *template, bool full)
{
    static const char *const lists[] = {
        "ja_people", "nein_people", "candidates", "mates",    "voters",
        "order",     "moderators",  "late",       "reserves", "unready"};
    static const char *const people[] = {
        "player", "target", "hitler", "first", "leaver", "newcomer", "chooser"};
    for (unsigned i = 0; i < sizeof people / sizeof people[0]; i++) {
        if (strstr(template, people[i]) != NULL) {
            speech_seat(speech, people[i], i);
        }
    }
    for (unsigned i = 0; full && i < sizeof lists / sizeof lists[0]; i++) {
        if (strstr(template, lists[i]) != NULL) {
            speech_seat(speech, lists[i], 0);
            speech_seat(speech, lists[i], i);
        }
    }
}

/* Add of a sentence's own what its template speaks of. */
static void
add_own(struct speech *speech, const char *template, bool full)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strstr(template, numbers[i]) != NULL) {
            params_number(&speech->params, numbers[i], full ? 2 : 0);
        }
    }
    for (size_t i = 0; full && i < sizeof texts / sizeof texts[0]; i++) {
        if (strstr(template, texts[i].name) != NULL) {
            params_text(&speech->params, texts[i].name, texts[i].text);
        }
    }
    add_people(speech, template, full);
}

/* How long posts are at services with short ones: so that a cut falls here and
 * there. */
static const size_t lengths[] = {250, 300, 400, 500};
enum {
    LENGTHS = sizeof lengths / sizeof lengths[0]
};

/* Paste each piece of it, as a service with shorter posts has it. */
static void
paste_pieces(const struct dialect *dialect, const struct rich *said,
             size_t longest, const char *key, const struct table *table)
{
    struct measure measure = {LENGTH_POINTS, longest, 0};
    size_t from = 0;
    while (from < said->text.len) {
        struct rich piece = {.count = 0};
        size_t next = 0;
        size_t end = rich_piece(said, from, dialect, &measure, &next);
        rich_add_part(&piece, said, from, end - from);
        paste(dialect, &piece, key, table);
        rich_release(&piece);
        from = next;
    }
}

/* Say and paste one key, with and without what may be left out. */
static void
say_and_paste(const struct host_env *env, const struct language_entry *entry,
              unsigned variant)
{
    static const char *const quotes[] = {"Ja!", "**Bob**", "discard 1",
                                         "I vote Ja!"};
    const struct table *table = room_table(&room);
    struct speech speech;
    struct rich said = {.count = 0};
    struct rich cards = {.count = 0};
    rich_add_text(&cards, "1 Fascist\n2 Liberal\n3 Fascist", 0);
    speech_init(&speech, env, table, NULL);
    add_own(&speech, entry->text, variant < 4);
    params_text(&speech.params, "text", quotes[variant % 4]);
    params_rich(&speech.params, "cards", &cards);
    speech_slip(&speech, variant % 2 == 0 ? "slip_marks" : NULL);
    speech_example(&speech, 1);
    speech_say(&speech, entry->key, &said);
    paste(env->dialect, &said, entry->key, table);
    paste_source(env->dialect, &said, entry->key, table);
    for (size_t i = 0; variant == 0 && i < LENGTHS; i++) {
        if (said.text.len > lengths[i]) {
            paste_pieces(env->dialect, &said, lengths[i], entry->key, table);
        }
    }
    speech_release(&speech);
    rich_release(&said);
    rich_release(&cards);
}

/* Say and paste all keys of a catalogue in one dialect. */
static void
paste_all(const struct catalogue *catalogue, const struct dialect *dialect)
{
    struct host_env env = {.catalogue = catalogue,
                           .dialect = dialect,
                           .capabilities = &adapter_board.capabilities,
                           .zone = zone_utc()};
    const struct language *language = &env.catalogue->language;
    struct capabilities capabilities = adapter_board.capabilities;
    capabilities.red = dialect->red_example != NULL;
    env.capabilities = &capabilities;
    /* All variants in one dialect, some of each kind in the others. */
    bool english = catalogue == &catalogues[0];
    unsigned step = dialect == &dialect_board ? 1 : 3;
    step = english ? step : 4;
    vocabulary_init(&vocabulary, catalogue, &room_table(&room)->settings);
    for (size_t i = 0; i < language->count; i++) {
        for (unsigned variant = 0; variant < 8; variant += step) {
            if (language->entries[i].word) {
                break;
            }
            say_and_paste(&env, &language->entries[i], variant);
        }
    }
}

/* Of the moments of a game, each catalogue has some in some dialects. */
static void
paste_everything(void)
{
    static size_t turn;
    for (unsigned i = 0; i < CATALOGUES; i++) {
        size_t every = effort_one_in(i == 0 ? OFTEN : SELDOM);
        const struct dialect *dialect = NULL;
        for (size_t j = 0; (dialect = tested_dialect_at(j)) != NULL; j++) {
            if ((7 * turn + i + j) % every == 0) {
                paste_all(&catalogues[i], dialect);
            }
        }
        index_release(&pasted);
        pasted = (struct index){.count = 0};
    }
    turn++;
}

START_TEST(no_sentence_acts_when_it_is_pasted_back)
{
    room_says(&room, "Mo", "!new players=7");
    for (unsigned i = 0; i < 7; i++) {
        room_says(&room, room_player(i), "!join");
    }
    paste_everything(); /* nominate */
    room_names(&room, 1);
    paste_everything(); /* vote */
    room_votes(&room, true);
    paste_everything(); /* discard */
    room_discards(&room, true);
    paste_everything(); /* enact */
    room_enacts(&room, false);
    room_govern_to(&room, 5);
    paste_everything(); /* a power */
    room_names(&room, 0);
    room_elects(&room, room_choice(&room));
    room_discards(&room, false);
    room_says(&room, room_awaited(&room), "**Veto**");
    paste_everything(); /* a veto */
}
END_TEST

/* ---- every post of a game ------------------------------------------------ */

static void
paste_posts(const struct table *table)
{
    room_read(&room);
    for (size_t i = 0; i < room.post_count; i++) {
        struct rich typed = {.count = 0};
        bool unread = false;
        const struct seen_post *post = &room.posts[i];
        if (strcmp(post->author, BOARD_HOST) == 0) {
            dialect_board.read(post->text, strlen(post->text), &typed, &unread);
            const char *key = strstr(post->text, "your cards are below") != NULL
                                  ? "hand"
                                  : "a post";
            assert_inert(&typed, key, table);
            assert_no_command(&typed, key);
        }
        rich_release(&typed);
    }
}

START_TEST(no_post_of_a_game_acts_when_it_is_pasted_back)
{
    room_says(&room, "Mo", "!new players=7");
    for (unsigned i = 0; i < 7; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_rejects(&room);
    room_expires(&room);
    room_expires(&room);
    room_says(&room, room_awaited(&room), "**Zoe**");
    room_says(&room, room_awaited(&room), "[b][color=red]Zoe[/color][/b]");
    room_says(&room, room_awaited(&room), "!help");
    room_says(&room, room_awaited(&room), "!status");
    room_says(&room, room_awaited(&room), "!what");
    room_govern_to(&room, 5);
    room_names(&room, room_choice(&room));
    room_elects(&room, room_choice(&room));
    room_expires(&room);
    room_says(&room, room_awaited(&room), "**Veto**");
    room_says(&room, room_awaited(&room), "**Declined**");
    struct table table;
    table_clone(&table, room_table(&room));
    room_tells(&room, room_awaited(&room), "enact F");
    paste_posts(&table);
    table_release(&table);
}
END_TEST

START_TEST(the_opening_post_is_no_command)
{
    room_says(&room, "Mo", "!new");
    room_says(&room, "Anna", room_status(&room)->text);
    ck_assert_uint_eq(room_table(&room)->seated, 0);
    ck_assert_uint_eq(room_count_said(&room, ""), 1);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/pasted_back");
    TCase *tcase = tcase_create("pasted_back");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, no_sentence_acts_when_it_is_pasted_back);
    tcase_add_test(tcase, no_post_of_a_game_acts_when_it_is_pasted_back);
    tcase_add_test(tcase, the_opening_post_is_no_command);
    suite_add_tcase(suite, tcase);
    return suite;
}
