/*
 * The corpora of posts and answers: every line of a dialect that is built, and
 * the answers in others' dialects that hold no mark-up of theirs, are read as
 * the line expects.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "bot/host/reading/intent.h"
#include "tests/support/runner.h"

/* A line of a corpus, and what it points into. */
struct line {
    json_object *json;
    const char *id, *text;
    size_t len;
    const struct dialect *dialect;
    struct reading reading;
};

static const char *const phases[] = {
    [PHASE_NOMINATION] = "nomination",
    [PHASE_VOTING] = "voting",
    [PHASE_EXECUTIVE] = "executive",
    [PHASE_VETO_CHANCELLOR] = "veto_chancellor",
    [PHASE_VETO_PRESIDENT] = "veto_president",
    [PHASE_DM_PRESIDENT] = "dm_president",
    [PHASE_DM_CHANCELLOR] = "dm_chancellor",
    [PHASE_DM_BALLOT] = "dm_ballot",
};

static enum phase
phase_named(const char *name)
{
    unsigned phase = 0;

    while (strcmp(phases[phase], name) != 0) {
        phase++;
        ck_assert_msg(phase < sizeof phases / sizeof phases[0],
                      "no phase is called %s", name);
    }
    return phase;
}

static void
set_player(struct nameable *player, json_object *json)
{
    if (json_object_is_type(json, json_type_string)) {
        player->name = json_object_get_string(json);
        return;
    }
    json_object *aliases = jdoc_get(json, "aliases");
    player->name = jdoc_string(json, "name");
    player->id = jdoc_string(json, "id");
    for (size_t i = 0; aliases != NULL && i < json_object_array_length(aliases);
         i++) {
        player->aliases[player->alias_count++] =
            json_object_get_string(json_object_array_get_idx(aliases, i));
    }
}

static unsigned
set_words(const char **words, json_object *json, const char *side)
{
    json_object *list = jdoc_get(json, side);
    unsigned count = 0;

    while (list != NULL && count < json_object_array_length(list)) {
        words[count] =
            json_object_get_string(json_object_array_get_idx(list, count));
        count++;
    }
    return count;
}

static void
set_reading(struct reading *reading, json_object *json)
{
    json_object *players = jdoc_get(json, "players");
    json_object *words = jdoc_get(json, "words");
    json_object *hand = jdoc_get(json, "hand");
    bool red = true;

    reading->phase = phase_named(jdoc_string(json, "phase"));
    for (size_t i = 0; i < json_object_array_length(players); i++) {
        set_player(&reading->players[reading->player_count++],
                   json_object_array_get_idx(players, i));
    }
    reading->ja_count = set_words(reading->ja, words, "ja");
    reading->nein_count = set_words(reading->nein, words, "nein");
    jdoc_bool(json, "red", &red);
    reading->bold_names = !red;
    for (size_t i = 0; hand != NULL && i < json_object_array_length(hand);
         i++) {
        reading->hand[i] =
            json_object_get_string(json_object_array_get_idx(hand, i))[0];
    }
}

/* Is there nothing in the text that any dialect takes for a mark? */
static bool
is_unmarked(const char *text)
{
    return strpbrk(text, "*_~|`<>[]#\\") == NULL;
}

/* Take the next line of a corpus; false: it is not for the dialects here. */
static bool
take_line(struct line *line, const char *from, size_t len)
{
    struct buf why = BUF_INIT;

    *line = (struct line){.json = NULL};
    ck_assert_msg(jdoc_parse(from, len, true, &line->json, &why) == ERR_NONE,
                  "%s", buf_text(&why));
    json_object *text = jdoc_get(line->json, "text");
    const char *dialect = jdoc_string(line->json, "dialect");
    line->id = jdoc_string(line->json, "id");
    line->text = json_object_get_string(text);
    line->len = (size_t)json_object_get_string_len(text);
    line->dialect = dialect_find(dialect);
    set_reading(&line->reading, line->json);
    /* R12: there a bold mention replaces red. */
    line->reading.mention_names = strcmp(dialect, "matrix") == 0;
    if (line->dialect == NULL && line->reading.phase >= PHASE_DM_PRESIDENT &&
        is_unmarked(line->text)) {
        line->dialect = &dialect_bbcode;
    }
    if (line->dialect == NULL) {
        json_object_put(line->json);
    }
    return line->dialect != NULL;
}

static void
assert_read(const struct line *line)
{
    json_object *expect = jdoc_get(line->json, "expect");
    const char *value = jdoc_string(expect, "value");
    struct rich post = {.count = 0};
    struct buf got = BUF_INIT;
    struct buf why = BUF_INIT;
    struct intent intent;
    bool unread;

    line->dialect->read(line->text, line->len, &post, &unread);
    intent_read(&post, &line->reading, &intent, &why);
    ck_assert_msg(
        strcmp(intent_name(&intent), jdoc_string(expect, "kind")) == 0,
        "%s: read as %s (%s)", line->id, intent_name(&intent), buf_text(&why));
    ck_assert_int_eq(intent_value(&intent, &line->reading, &got),
                     value != NULL);
    ck_assert_str_eq(buf_text(&got), value == NULL ? "" : value);
    ck_assert_uint_gt(why.len, 0);
    ck_assert_int_eq(intent.kind == INTENT_AMBIGUOUS,
                     intent.question != ASK_NONE);
    rich_release(&post);
    buf_release(&got);
    buf_release(&why);
}

/* Read all lines of a corpus; returns how many. */
static unsigned
read_corpus(const char *path)
{
    struct buf corpus = BUF_INIT;
    struct buf why = BUF_INIT;
    unsigned count = 0;

    ck_assert_msg(file_read(path, &corpus, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    const char *from = corpus.data;
    const char *end = corpus.data + corpus.len;
    while (from < end) {
        const char *feed = memchr(from, '\n', (size_t)(end - from));
        size_t len = (size_t)((feed == NULL ? end : feed) - from);
        struct line line;
        if (len > 0 && take_line(&line, from, len)) {
            assert_read(&line);
            json_object_put(line.json);
            count++;
        }
        from += len + 1;
    }
    buf_release(&corpus);
    return count;
}

START_TEST(every_post_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/posts.jsonl"), 91);
}
END_TEST

START_TEST(every_answer_is_read_as_expected)
{
    ck_assert_uint_eq(read_corpus("tests/fixtures/answers.jsonl"), 25);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/posts");
    TCase *tcase = tcase_create("posts");

    tcase_add_test(tcase, every_post_is_read_as_expected);
    tcase_add_test(tcase, every_answer_is_read_as_expected);
    suite_add_tcase(suite, tcase);
    return suite;
}
