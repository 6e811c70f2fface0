#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/reading/names.h"
#include "tests/support/runner.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

typedef void maker(const char *text, size_t len, struct buf *key);

static void
assert_makes(maker *make, const char *text, const char *expected)
{
    struct buf key = BUF_INIT;

    buf_add_text(&key, "|");
    make(text, strlen(text), &key);
    ck_assert_msg(strcmp(buf_text(&key) + 1, expected) == 0, "%s: %s, not %s",
                  text, buf_text(&key) + 1, expected);
    buf_release(&key);
}

/* ---- keys ---------------------------------------------------------------- */

static const struct key_case {
    const char *text, *key;
} keys[] = {
    {"", ""},
    {" \t\r\n ", ""},
    {"Anna", "anna"},
    {"  Anna \t Lee\n", "anna lee"},
    {"NEIN!", "nein!"},
    {"Ｎｅｉｎ！", "nein!"},
    {"𝐉𝐚", "ja"},
    {"J\u00ADa", "ja"},
    {"J\u200Ba\u2060", "ja"},
    {"\u202EJa\u202C", "ja"},
    {"Ja\uFE0F", "ja"},
    {"a\u00A0b\u2003c\u3000d", "a b c d"},
    {"Ja…", "ja..."},
    {"‼", "!!"},
    {"Straße", "strasse"},
    {"ﬁ", "fi"},
    {"Zoe\u0308", "zo\u00EB"},
    {"ZOË", "zoë"},
    {"NE\u0130N", "nein"},
    {"ne\u0131n", "nein"},
    {"I\u0307", "i"},
    {"ΓΙΏΡΓΟΣ", "γιώργοσ"},
    {"\xFFx", "\uFFFDx"},
    {"🎉", "🎉"},
};

START_TEST(a_key_is_what_people_compare)
{
    assert_makes(name_key, keys[_i].text, keys[_i].key);
}
END_TEST

static const struct key_case loose_keys[] = {
    {"jo ann", "joann"},
    {"Jo-Ann", "joann"},
    {"J.R.", "jr"},
    {"Zoë", "zoe"},
    {"Anna!", "anna"},
    {"Γιώργος", "γιωργοσ"},
    {"ΓΙΩΡΓΟΣ", "γιωργοσ"},
    {"Fox🦊", "fox🦊"},
    {"a+b=c", "abc"},
    {"P1", "p1"},
    {"...", ""},
    {"x²", "x2"},
    {"Ⅳ", "iv"},
};

START_TEST(a_loose_key_has_letters_digits_and_symbols_only)
{
    assert_makes(name_loose_key, loose_keys[_i].text, loose_keys[_i].key);
}
END_TEST

static const struct key_case skeletons[] = {
    {"Nеin", "nein"},   /* Cyrillic e */
    {"Јa", "ja"},       /* Cyrillic J */
    {"ΗΑΝΝΑ", "hanna"}, /* Greek, all of it */
    {"Αnna", "anna"},   {"Β0b", "b0b"},   {"Anna", "anna"}, {"Ｂоb", "bob"},
    {"j\u200Bа", "ja"}, {"Нина", "hиha"}, {"Ꭻa", "ja"},
};

START_TEST(a_skeleton_is_what_letters_look_like)
{
    assert_makes(name_skeleton, skeletons[_i].text, skeletons[_i].key);
}
END_TEST

/* Sorting floods of marks is what takes utf8proc quadratic time. */
START_TEST(a_flood_of_marks_is_cut)
{
    static const char *const floods[] = {"\u0316\u0301", "\u0F73", "\u0344",
                                         "\u0301\u200B"};
    for (size_t i = 0; i < COUNT(floods); i++) {
        struct buf text = BUF_INIT;
        struct buf key = BUF_INIT;

        buf_add_text(&text, "a");
        while (text.len < 190000) {
            buf_add_text(&text, floods[i]);
        }
        name_key(text.data, text.len, &key);
        name_loose_key(text.data, text.len, &key);
        name_skeleton(text.data, text.len, &key);
        ck_assert_uint_lt(key.len, 1000);
        buf_release(&text);
        buf_release(&key);
    }
}
END_TEST

START_TEST(foreign_letters_are_told)
{
    ck_assert(!name_has_foreign_letter("Zoë 123 🎉 Łódź ñ ﬁ", 24));
    ck_assert(!name_has_foreign_letter("", 0));
    ck_assert(name_has_foreign_letter("Nеin", 5));
    ck_assert(name_has_foreign_letter("Γ", 2));
}
END_TEST

/* ---- likeness ------------------------------------------------------------ */

static const struct slip_case {
    const char *one, *other;
    bool slip;
} slips[] = {
    {"nein", "nien", true},   {"karl", "carl", true},  {"nein", "neinn", true},
    {"nein", "nin", true},    {"nein", "ein", true},   {"nein", "nein", false},
    {"nein", "neni", true},   {"nein", "niee", false}, {"abcd", "badc", false},
    {"", "a", true},          {"", "", false},         {"", "ab", false},
    {"zoë", "zoe", true},     {"ab", "ba", true},      {"abc", "cba", false},
    {"nein", "eniin", false}, {"aab", "aba", true},
};

START_TEST(one_slip_of_the_pen_is_told)
{
    const struct slip_case *now = &slips[_i];

    ck_assert_int_eq(name_is_slip(now->one, strlen(now->one), now->other,
                                  strlen(now->other)),
                     now->slip);
    ck_assert_int_eq(name_is_slip(now->other, strlen(now->other), now->one,
                                  strlen(now->one)),
                     now->slip);
}
END_TEST

START_TEST(a_long_text_is_no_slip)
{
    char text[100];

    memset(text, 'a', sizeof text);
    ck_assert(!name_is_slip(text, 65, text, 64));
    ck_assert(name_is_slip(text, 64, text, 63));
}
END_TEST

static const struct relation_case {
    const char *one, *other;
    enum name_relation relation;
} relations[] = {
    {"Anna", "Bob", NAMES_APART},   {"Anna", "ANNA", NAMES_CLASH},
    {"Anna", "@anna", NAMES_CLASH}, {"An\u200Bna", "Anna", NAMES_CLASH},
    {"Zoë", "Zoe", NAMES_ALIKE},    {"Jo Ann", "JoAnn", NAMES_ALIKE},
    {"Anna", "Аnna", NAMES_ALIKE},  {"P1", "P10", NAMES_APART},
    {"...", "!!!", NAMES_APART},    {"Ann", "Anna", NAMES_APART},
};

START_TEST(names_are_compared)
{
    const struct relation_case *now = &relations[_i];

    ck_assert_int_eq(names_compare(now->one, now->other), now->relation);
    ck_assert_int_eq(names_compare(now->other, now->one), now->relation);
}
END_TEST

/* ---- cleaning ------------------------------------------------------------ */

static const struct clean_case {
    const char *shown, *name; /* NULL: nothing is left */
} cleanings[] = {
    {"Anna", "Anna"},
    {"  An\tna \n", "An na"},
    {"An\u2028na\x01x", "An na x"},
    {"\u202EannA", "annA"},
    {"An\u200Bna", "Anna"},
    {"👩\u200D🚀", "👩\u200D🚀"},
    {"❤\uFE0F", "❤\uFE0F"},
    {"\uFFFCx", "x"},
    {"", NULL},
    {" \n\t", NULL},
    {"...", NULL},
    {"\u200B\u200D", NULL},
    {"\u0301\u0301", NULL},
    {"\u0301x\u0301\u0301\u0301\u0301\u0301\u0301",
     "x\u0301\u0301\u0301\u0301"},
    {"a\xFF", "a\uFFFD"},
    {"12345678901234567890123456789012345", "12345678901234567890123456789012"},
    {"1234567890123456789012345678901 2", "1234567890123456789012345678901"},
    {"ééééééééééééééééééééééééééééééééé", "éééééééééééééééééééééééééééééé"},
    {"日日日日日日日日日日日日日日日日日日日日日",
     "日日日日日日日日日日日日日日日日日日日日"},
};

START_TEST(a_shown_name_is_made_fit)
{
    const struct clean_case *now = &cleanings[_i];
    struct buf name = BUF_INIT;

    buf_add_text(&name, "|");
    ck_assert_int_eq(name_clean(now->shown, &name), now->name != NULL);
    ck_assert_str_eq(buf_text(&name) + 1, now->name == NULL ? "" : now->name);
    buf_release(&name);
}
END_TEST

START_TEST(characters_are_told_apart)
{
    ck_assert(letter_is_word('a') && letter_is_word('7') &&
              letter_is_word(0x301) && !letter_is_word('_') &&
              !letter_is_word('!') && !letter_is_word(0x1F389));
    ck_assert(letter_is_symbol('+') && letter_is_symbol(0x1F389) &&
              !letter_is_symbol('!'));
    ck_assert(letter_is_blank(' ') && letter_is_blank('\n') &&
              letter_is_blank(0xA0) && letter_is_blank(0x2028) &&
              !letter_is_blank(0x200B));
    ck_assert(letter_is_unseen(0x200B) && letter_is_unseen(0xAD) &&
              letter_is_unseen(0xFE0F) && !letter_is_unseen(' '));
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/names");
    TCase *tcase = tcase_create("names");

    tcase_add_loop_test(tcase, a_key_is_what_people_compare, 0, COUNT(keys));
    tcase_add_loop_test(tcase, a_loose_key_has_letters_digits_and_symbols_only,
                        0, COUNT(loose_keys));
    tcase_add_loop_test(tcase, a_skeleton_is_what_letters_look_like, 0,
                        COUNT(skeletons));
    tcase_add_test(tcase, a_flood_of_marks_is_cut);
    tcase_add_test(tcase, foreign_letters_are_told);
    tcase_add_loop_test(tcase, one_slip_of_the_pen_is_told, 0, COUNT(slips));
    tcase_add_test(tcase, a_long_text_is_no_slip);
    tcase_add_loop_test(tcase, names_are_compared, 0, COUNT(relations));
    tcase_add_loop_test(tcase, a_shown_name_is_made_fit, 0, COUNT(cleanings));
    tcase_add_test(tcase, characters_are_told_apart);
    suite_add_tcase(suite, tcase);
    return suite;
}
