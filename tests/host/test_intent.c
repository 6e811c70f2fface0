#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/host/reading/intent.h"
#include "tests/support/effort.h"
#include "tests/support/runner.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- what a post is read as ---------------------------------------------- */

/* A post, and what it is read as: the kind, its value or the question, the
 * rule ("vote ja R4", "none R5", "ambiguous both R8"). */
struct post_case {
    const char *body, *read;
};

static const char *const questions[] = {
    [ASK_NONE] = "",
    [ASK_BOTH] = "both",
    [ASK_NOT_ALONE] = "not-alone",
    [ASK_DM] = "talk",
    [ASK_OTHER_WORDS] = "other-words",
    [ASK_DISGUISE] = "disguise",
    [ASK_SEVERAL_NAMES] = "several",
    [ASK_UNCLEAR_NAME] = "unclear",
    [ASK_UNKNOWN_NAME] = "unknown",
    [ASK_OWN_LINE] = "own-line",
    [ASK_TALKED_ABOUT] = "talked-about",
    [ASK_SPOOFED] = "spoofed",
    [ASK_CARDS] = "cards",
    [ASK_NOT_IN_HAND] = "not-in-hand",
    [ASK_BALLOT] = "ballot",
};

static void
add_players(struct reading *reading, const char *const *names, unsigned count)
{
    static const char *const ids[] = {"1", "2", "3", "4", "5",
                                      "6", "7", "8", "9", "10"};

    for (unsigned i = 0; i < count; i++) {
        reading->players[i] = (struct nameable){.name = names[i], .id = ids[i]};
    }
    reading->player_count = count;
}

static struct reading
usual(enum phase phase)
{
    static const char *const names[] = {"Anna", "Bob",   "Carl", "Dora",
                                        "Emil", "Frida", "Gert"};
    struct reading reading = {.phase = phase};

    add_players(&reading, names, COUNT(names));
    return reading;
}

/* Names that are near one another, or odd. */
static struct reading
odd(enum phase phase)
{
    static const char *const names[] = {"Ann",  "Ann Lee", "Anna",      "Zoë",
                                        "P1",   "P10",     "Alexander", "J.R.",
                                        "🦊", "Ja"};
    struct reading reading = {.phase = phase};

    add_players(&reading, names, COUNT(names));
    reading.players[6].aliases[0] = "Zander";
    reading.players[6].aliases[1] = "@Al:ex";
    reading.players[6].alias_count = 2;
    return reading;
}

static void
read_post(const char *body, const struct reading *reading,
          struct intent *intent, struct buf *why)
{
    struct rich post = {.count = 0};
    bool unread = true;

    dialect_board.read(body, strlen(body), &post, &unread);
    ck_assert(!unread);
    intent_read(&post, reading, intent, why);
    rich_release(&post);
}

static void
assert_read(const struct post_case *now, const struct reading *reading)
{
    struct intent intent;
    struct buf why = BUF_INIT;
    struct buf got = BUF_INIT;

    read_post(now->body, reading, &intent, &why);
    buf_addf(&got, "%s ", intent_name(&intent));
    if (intent_value(&intent, reading, &got)) {
        buf_add_char(&got, ' ');
    } else if (intent.kind == INTENT_AMBIGUOUS) {
        buf_addf(&got, "%s ", questions[intent.question]);
    }
    buf_add(&got, buf_text(&why), strcspn(buf_text(&why), ":"));
    ck_assert_msg(buf_equals(&got, now->read), "%s: %s, not %s (%s)", now->body,
                  buf_text(&got), now->read, buf_text(&why));
    buf_release(&why);
    buf_release(&got);
}

static const struct post_case vote_cases[] = {
    {"", "none R3"},
    {"Ja!", "none R3"},
    {"[quote][b]Ja![/b][/quote]", "none R2"},
    {"[b]...[/b]", "none R2"},
    /* R4, R9 */
    {"[b]Ja[/b]", "vote ja R4"},
    {"[b]ja!![/b]", "vote ja R4"},
    {"[b]Ja ![/b]", "vote ja R4"},
    {"[b]¡Nein![/b]", "vote nein R4"},
    {"[b]Ja❗️[/b]", "vote ja R4"},
    {"[b]Nein…[/b]", "vote nein R4"},
    {"[b]\xF0\x9D\x90\x89\xF0\x9D\x90\x9A[/b]", "vote ja R4"},
    {"[b]J[/b]a!", "none R4"},
    {"[b]I think so[/b]", "none R4"},
    {"[b]Ja![/b][i]x[/i]", "vote ja R4"},
    {"[b]Ja[s]mes[/s][/b]", "vote ja R4"},
    {"[b]Ja[/b][s]mes[/s]", "vote ja R4"},
    {"[b]Ja\nno more[/b]", "vote ja R4"},
    {"[b]Ja[img]x[/img][/b]", "vote ja R4"},
    {"[color=red][b]Ja[/b][/color][b]![/b]", "vote ja R4"},
    /* R5 */
    {"[b]Ja[/b]mes", "none R5"},
    {"Son[b]ja[/b]", "none R5"},
    {"[b]Ja[/b]-sager", "none R5"},
    {"neben-[b]ja[/b]", "none R5"},
    {"[b]Ja[/b]'s", "none R5"},
    {"[b]Ja[/b]’s", "none R5"},
    {"[b]Ja[/b]' said he", "vote ja R4"},
    {"- [b]Ja[/b] -", "vote ja R4"},
    {"[b]Ja[/b]\u200Bmes", "none R5"},
    {"[b]Ja![/b]nein", "vote ja R4"},
    {"[b]Ja [/b]mes", "vote ja R4"},
    {"[b]Ja\u0301[/b]", "ambiguous not-alone R7"},
    {"[b]Ja[/b]\u0301", "none R5"},
    {"[b]Ja[/b]?", "ambiguous not-alone R5"},
    {"[b]Ja[/b]!?", "ambiguous not-alone R5"},
    {"[b]Ja[/b]⁉", "ambiguous not-alone R5"},
    {"[b]Ja[/b]？", "ambiguous not-alone R5"},
    {"[b]Ja[/b]\u00A0?", "ambiguous not-alone R5"},
    {"[b]Ja[/b] or what?", "vote ja R4"},
    {"[b]Ja[/b]: Anna, Bob", "ambiguous not-alone R5"},
    {"[b]Ja[/b]:", "ambiguous not-alone R5"},
    {"[b]Ja[/b]：\nAnna", "ambiguous not-alone R5"},
    {"[b]Ja[/b] (3): Anna", "ambiguous not-alone R5"},
    {"[b]Ja[/b](12):", "ambiguous not-alone R5"},
    {"[b]Ja[/b] [3]: Anna", "ambiguous not-alone R5"},
    {"[b]Ja[/b] (I am sure): you", "vote ja R4"},
    {"[b]Ja[/b] ()", "vote ja R4"},
    {"[b]Ja[/b] (): a", "vote ja R4"},
    {"[b]Ja[/b] :tada:", "vote ja R4"},
    {"[b]Ja[/b]:)", "vote ja R4"},
    {"[b]Ja[/b]:p", "vote ja R4"},
    {"[b]Ja[/b], because", "vote ja R4"},
    /* R6 */
    {"[b]I vote Ja![/b]", "ambiguous not-alone R6"},
    {"[b]Ja! 🎉[/b]", "ambiguous not-alone R6"},
    {"[b]\"Ja!\"[/b]", "ambiguous not-alone R6"},
    {"[b]Ja/Nein[/b]", "ambiguous both R8"},
    {"[b]JA! JA![/b]", "ambiguous not-alone R6"},
    {"[b]Ninja Jahr[/b]", "none R4"},
    {"[b]Ja?[/b]", "ambiguous not-alone R6"},
    {"[b]I say ja[/b]mes", "ambiguous not-alone R6"},
    /* R7 */
    {"[b]Jaaa[/b]", "ambiguous not-alone R7"},
    {"[b]NEIIIN![/b]", "ambiguous not-alone R7"},
    {"[b]Nein1[/b]", "ambiguous not-alone R7"},
    {"[b]Ja11![/b]", "ambiguous not-alone R7"},
    {"[b]Nien[/b]", "ambiguous not-alone R7"},
    {"[b]Nien,[/b]", "ambiguous not-alone R7"},
    {"[b]Jo[/b]", "none R4"},
    {"[b]N.E.I.N.[/b]", "ambiguous not-alone R7"},
    {"[b]J a ![/b]", "ambiguous not-alone R7"},
    {"[b]Já[/b]", "ambiguous not-alone R7"},
    {"[b]*ja*[/b]", "ambiguous not-alone R6"},
    {"[b]Nien it is[/b]", "none R4"},
    {"[b]Jaa[/b]bc", "none R5"},
    /* R8 */
    {"[b]Ja![/b] ... [b]Nein![/b]", "ambiguous both R8"},
    {"[b]Ja![/b] ... [b]I said ja[/b]", "vote ja R4"},
    {"[b]Ja![/b] ... [b]not nein[/b]", "ambiguous both R8"},
    {"[b]Ja![/b] [b]Ja![/b]", "vote ja R4"},
    {"[b]Ja![/b] [b]hello[/b]", "vote ja R4"},
    {"[b]Ja?[/b] [b]Ja[/b]", "vote ja R4"},
    /* R10 */
    {"[b]Nеin![/b]", "ambiguous disguise R10"},
    {"[b]Ја[/b]", "ambiguous disguise R10"},
    {"[b]\u202EaJ[/b]", "ambiguous not-alone R10"},
    {"[b]\u202DJa[/b]", "ambiguous not-alone R10"},
    {"[b]Нет[/b]", "none R4"},
    /* R11 */
    {"[b]Yes![/b]", "ambiguous other-words R11"},
    {"[b]No[/b]", "ambiguous other-words R11"},
    {"[b]Nei[/b]", "ambiguous other-words R11"},
    {"[b]Yes[/b] [b]nein[/b]", "ambiguous both R8"},
    {"[b]No[/b]vember", "none R5"},
    {"[b]nope[/b]", "none R4"},
    {"[b]no way[/b]", "none R4"},
    /* R18 */
    {"[b]Veto[/b]", "none R4"},
    {"[b][color=red]Anna[/color][/b]", "none R4"},
    {"**[mention=5]Ja[/mention]**", "ambiguous not-alone R18"},
    {"**[mention=5]@Ja[/mention]**", "ambiguous not-alone R6"},
    {"**Ja** [mention=5]@Emil[/mention]", "vote ja R4"},
};

START_TEST(a_vote_is_a_bold_word_alone)
{
    struct reading reading = usual(PHASE_VOTING);

    assert_read(&vote_cases[_i], &reading);
}
END_TEST

START_TEST(a_game_may_have_its_own_words)
{
    static const struct post_case cases[] = {
        {"**Oui !**", "vote ja R4"},
        {"**oui mais non**", "ambiguous both R8"},
        {"**Nee**", "vote nein R4"},
        {"**Neee**", "ambiguous not-alone R7"},
        {"**Ja**", "ambiguous other-words R11"},
        {"**Nein**", "ambiguous other-words R11"},
        {"**Bien sûr**", "vote ja R4"},
        {"**bien sur**", "ambiguous not-alone R7"},
    };
    struct reading reading = usual(PHASE_VOTING);

    reading.ja[0] = "oui!";
    reading.ja[1] = "Bien sûr";
    reading.ja_count = 2;
    reading.nein[0] = "non";
    reading.nein[1] = "nee";
    reading.nein_count = 2;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(a_veto_is_asked_for_in_bold)
{
    static const struct post_case cases[] = {
        {"**Veto!**", "veto R4"},
        {"veto", "none R3"},
        {"**no veto today**", "ambiguous not-alone R6"},
        {"**Vetto**", "ambiguous not-alone R7"},
        {"**Veto**?", "ambiguous not-alone R5"},
        {"**Ja**", "none R4"},
        {"**No**", "none R4"},
        /* R21 */
        {"**I wish to veto this agenda.**", "veto R21"},
        {"**i wish to veto!**", "veto R21"},
        {"[b]I wish[/b] [b]to veto[/b] [i][b]this agenda[/b][/i]", "veto R21"},
        {"hm\n`x` **I wish to veto this agenda** !", "veto R21"},
        {"Sorry, all. **I wish to veto this agenda**", "veto R21"},
        {"[b]I wish[/b] to [b]veto[/b] this agenda", "veto R4"},
        {"I wish to veto this agenda", "none R3"},
        {"**I wish to veto this agenda, sorry**", "ambiguous not-alone R6"},
        {"**I do not wish to veto**", "ambiguous not-alone R6"},
        {"**I wish to veto**?", "ambiguous not-alone R5"},
        {"Should I say **I wish to veto this agenda** now?",
         "ambiguous talk R19"},
        {"**I agree to the veto**", "ambiguous not-alone R6"},
    };
    struct reading reading = usual(PHASE_VETO_CHANCELLOR);

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(a_veto_is_answered_in_bold)
{
    static const struct post_case cases[] = {
        {"**Approved.**", "veto_reply approved R4"},
        {"**approve**", "veto_reply approved R4"},
        {"**Declined**", "veto_reply declined R4"},
        {"**decline**", "veto_reply declined R4"},
        {"**Approved** **Declined**", "ambiguous both R8"},
        {"**Aproved**", "ambiguous not-alone R7"},
        {"**not approved**", "ambiguous not-alone R6"},
        {"**Yes**", "none R4"},
        {"**Angenommen**", "none R4"},
        /* R21 */
        {"**I agree to the veto.**", "veto_reply approved R21"},
        {"**I do not agree to the veto**", "veto_reply declined R21"},
        {"**I agree to the veto** and **Declined**", "ambiguous both R8"},
        {"**I don't agree to the veto**", "none R4"},
        {"**I wish to veto this agenda.**", "none R4"},
    };
    struct reading reading = usual(PHASE_VETO_PRESIDENT);

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(a_veto_is_answered_in_the_places_words_too)
{
    static const struct post_case cases[] = {
        {"**Angenommen!**", "veto_reply approved R4"},
        {"**abgelehnt**", "veto_reply declined R4"},
        {"**Approved**", "veto_reply approved R4"},
        {"**Approved, abgelehnt**", "ambiguous both R8"},
    };
    struct reading reading = usual(PHASE_VETO_PRESIDENT);

    reading.approved = "Angenommen";
    reading.declined = "Abgelehnt";
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(a_word_of_both_sides_is_a_question)
{
    struct reading reading = usual(PHASE_VOTING);

    reading.ja[reading.ja_count++] = "Da";
    reading.nein[reading.nein_count++] = "dá";
    reading.nein[reading.nein_count++] = "da!";
    assert_read(&(struct post_case){"**Da**", "ambiguous both R8"}, &reading);
    reading.phase = PHASE_DM_BALLOT;
    assert_read(&(struct post_case){"da", "ambiguous ballot D6"}, &reading);
}
END_TEST

/* ---- names --------------------------------------------------------------- */

#define RED(text) "[b][color=red]" text "[/color][/b]"

static const struct post_case red_cases[] = {
    {"Anna", "none R3"},
    {"**Anna**", "none R12"},
    {"[color=red]Anna[/color]", "none R3"},
    {RED("Anna"), "nominate Anna R12"},
    {"I say " RED("anna") " today", "nominate Anna R12"},
    {"**I say [color=red]Anna[/color] today**", "nominate Anna R12"},
    {RED("@Anna"), "nominate Anna R12"},
    {RED("Anna!"), "nominate Anna R14"},
    {RED("A n n a"), "nominate Anna R14"},
    {RED("Anná"), "nominate Anna R14"},
    {RED("Anna") " " RED("ANNA"), "nominate Anna R12"},
    {RED("...") RED("Anna"), "nominate Anna R14"},
    /* R5 */
    {RED("Anna") "bel", "ambiguous unclear R5"},
    {"**[color=red]Ann[/color]a**", "ambiguous unclear R16"},
    {"**[color=red]Anna[/color]bel**", "ambiguous unclear R5"},
    {RED("Anna") "'s", "ambiguous unclear R5"},
    {RED("Anna") "?", "ambiguous own-line R5"},
    {RED("Anna") ": what now", "ambiguous own-line R5"},
    {RED("Anna") ", please", "nominate Anna R12"},
    {RED("Anna,"), "nominate Anna R14"},
    {RED("Anna:"), "ambiguous own-line R14"},
    {RED("Anna?"), "ambiguous own-line R16"},
    /* R16 */
    {RED("I nominate Anna"), "ambiguous own-line R16"},
    {RED("Anna or Bob"), "ambiguous several R16"},
    {RED("Anna") " or " RED("Bob"), "ambiguous several R8"},
    {RED("Anna") " or " RED("Carl?"), "ambiguous several R8"},
    {RED("Fr"), "ambiguous unclear R16"},
    {RED("F"), "ambiguous unknown R16"},
    {RED("Karl"), "ambiguous unclear R16"},
    {RED("Rob"), "ambiguous unknown R16"},
    {RED("HURRY UP"), "ambiguous unknown R16"},
    {RED("🎉"), "ambiguous unknown R16"},
    {RED("HURRY UP") "\n" RED("Anna"), "nominate Anna R12"},
    /* R10 */
    {RED("Аnnа"), "ambiguous disguise R10"},
    {RED("\u202Eolleh"), "ambiguous unknown R10"},
    {RED("\u202DAnna"), "ambiguous unclear R10"},
    /* R15: by id; without colour only where mentions act. */
    {"[mention=1]@Anna[/mention]", "none R3"},
    {"**[mention=1]@Anna[/mention]**", "none R12"},
    {RED("[mention=1]@Anna[/mention]"), "nominate Anna R15"},
    {RED("[mention=1]who?[/mention]"), "nominate Anna R15"},
    {RED("[mention=99]@Anna[/mention]"), "ambiguous unknown R15"},
    {RED("[mention=2]@Anna[/mention]"), "ambiguous spoofed R15"},
    {RED("[mention=2]not Bob, Anna[/mention]"), "ambiguous spoofed R15"},
    {RED("[mention=2]Аnnа[/mention]"), "ambiguous spoofed R15"},
    {RED("[mention=2]the great Bob[/mention]"), "nominate Bob R15"},
};

START_TEST(a_name_is_bold_and_red)
{
    struct reading reading = usual(PHASE_NOMINATION);

    assert_read(&red_cases[_i], &reading);
}
END_TEST

static const struct post_case bold_cases[] = {
    {"Anna", "none R3"},
    {"**Anna**", "nominate Anna R12"},
    {"  **Anna** !\nfoo", "nominate Anna R12"},
    {"**@Anna!**", "nominate Anna R14"},
    {"[quote]x[/quote] **Anna** [img]x[/img]", "nominate Anna R12"},
    {"**Anna** ~~no~~ `x`", "nominate Anna R12"},
    {"I suspect **Bob**", "ambiguous own-line R12"},
    {"**Bob** it is", "ambiguous own-line R12"},
    {"**Anna** and **Bob**", "ambiguous several R8"},
    {"**Anna**\nnot **Bob**", "ambiguous several R8"},
    {"**Anna**\n**Anna**", "nominate Anna R12"},
    {"**Anna**, what?", "ambiguous own-line R5"},
    {"**Anna,**", "ambiguous own-line R14"},
    {"**Anna:**", "ambiguous own-line R14"},
    {"**Anna**bel", "ambiguous unclear R5"},
    {"**wow**", "none R16"},
    {"**Fr**", "none R16"},
    {"**Fri**", "ambiguous unclear R16"},
    {"**Karl**", "ambiguous unclear R16"},
    {"**I like Anna**", "ambiguous own-line R16"},
    {"**Аnnа**", "ambiguous disguise R10"},
    {"I say " RED("Anna"), "nominate Anna R12"},
    {"**I say [color=red]Anna[/color]**", "nominate Anna R12"},
    {RED("Anna") ", please", "nominate Anna R12"},
    {RED("hello"), "ambiguous unknown R16"},
    /* A mention acts anywhere. */
    {"I name **[mention=2]@Bob[/mention]**.", "nominate Bob R15"},
    {"**[mention=2]@Bob[/mention]**, hello", "ambiguous own-line R5"},
    {"**[mention=2]@Bob[/mention]**?", "ambiguous own-line R5"},
    {"**[mention=2]@Bob[/mention]!**", "nominate Bob R15"},
    {"**I say [mention=2]@Bob[/mention]**", "ambiguous own-line R15"},
    {"**[mention=2]@Bob[/mention] [mention=1]@Anna[/mention]**",
     "ambiguous several R15"},
    {"**[mention=2]@Bob[/mention] [mention=2]@Bob[/mention]**",
     "ambiguous own-line R15"},
    {"**[mention=9]@Zed[/mention]**", "ambiguous unknown R15"},
    {"**[mention=2]@Anna[/mention]**", "ambiguous spoofed R15"},
    {"**[mention=2]@[i]Bo[/i]b[/mention]**", "nominate Bob R15"},
    {"**[mention=2]...[/mention]**", "nominate Bob R15"},
    {"**[mention=2]@An[/mention][mention=1]na[/mention]**",
     "ambiguous several R15"},
};

/* R20 */
static const struct post_case formula_cases[] = {
    {"I nominate **Bob**", "nominate Bob R20"},
    {"NOMINATING **bob**!", "nominate Bob R20"},
    {"i hereby choose **@Bob** for my Chancellor.", "nominate Bob R20"},
    {"I name **Bob** Chancellor", "nominate Bob R20"},
    {"Well, I propose **Bob** as the Chancellor!", "nominate Bob R20"},
    {"ok I officially select **Bob**", "nominate Bob R20"},
    {"Fine. **Bob** for Chancellor", "nominate Bob R20"},
    {"**Bob** is my chancellor", "nominate Bob R20"},
    {"my chancellor will be **Bob**", "nominate Bob R20"},
    {"so, my Chancellor is **Bob** …", "nominate Bob R20"},
    {"Chancellor : **Bob**", "nominate Bob R20"},
    {"hm\nI pick **Bob**\nJa!", "nominate Bob R20"},
    {"`x` I pick **Bob** [img]x[/img]", "nominate Bob R20"},
    {"[quote]I pick **Anna**[/quote]I pick **Bob**", "nominate Bob R20"},
    {"Í  píck **Bob**", "nominate Bob R20"},
    {"I ~~never~~ pick **Bob**", "nominate Bob R20"},
    {"I pick **Bob**\n**Bob**", "nominate Bob R20"},
    /* One word more, or a mark that means something. */
    {"I pick **Bob**\n**Anna**", "ambiguous"},
    {"I pick **Bob**, **Anna**", "ambiguous"},
    {"I pick **Bob** or Anna", "ambiguous"},
    {"ok so I pick **Bob**", "ambiguous"},
    {", I pick **Bob**", "ambiguous"},
    {"I pick, **Bob**", "ambiguous"},
    {"I pick **Bob** :)", "ambiguous"},
    {"I pick “**Bob**”", "ambiguous"},
    {"I pick **Bob**?", "ambiguous"},
    {"I pick **Bob**, ok", "ambiguous"},
    {"I pick **Bob** …?", "ambiguous"},
    {"should I pick **Bob**", "ambiguous"},
    {"I'd pick **Bob**", "ambiguous"},
    {"I-pick **Bob**", "ambiguous"},
    {"I pick'd **Bob**", "ambiguous"},
    {"I might pick **Bob**", "ambiguous"},
    {"I pick **Bob** pick", "ambiguous"},
    {"I pick x **Bob**", "ambiguous"},
    {"pick **Bob** I", "ambiguous"},
    {"**Bob** for", "ambiguous"},
    {"**Bob**: Chancellor", "ambiguous"},
    {"**Bob** for President", "ambiguous"},
    {"I execute **Bob**", "ambiguous"},
    {"I pick **[mention=2]@Bob[/mention]**, I think", "ambiguous"},
    /* The name has to be exact, and all that is bold. */
    {"I pick **Bo**", "none R16"},
    {"I pick **Bób**", "ambiguous"},
    {"**I pick Bob**", "ambiguous"},
    {"I pick Bob", "none R3"},
};

/* Whatever is asked about it, if it is none. */
static void
assert_formula(const struct post_case *now, const struct reading *reading)
{
    struct intent intent;
    struct buf why = BUF_INIT;

    if (strcmp(now->read, "ambiguous") != 0) {
        assert_read(now, reading);
        return;
    }
    read_post(now->body, reading, &intent, &why);
    ck_assert_msg(intent.kind == INTENT_AMBIGUOUS, "%s: %s", now->body,
                  buf_text(&why));
    buf_release(&why);
}

START_TEST(a_bold_name_in_a_formula_is_enough_where_bold_alone_is)
{
    struct reading reading = usual(PHASE_NOMINATION);

    reading.bold_names = true;
    assert_formula(&formula_cases[_i], &reading);
    reading.bold_names = false;
    if (strstr(formula_cases[_i].read, "R20") != NULL) {
        assert_read(&(struct post_case){formula_cases[_i].body, "none R12"},
                    &reading);
    }
}
END_TEST

START_TEST(a_formula_for_a_power_is_another)
{
    static const struct post_case cases[] = {
        {"I formally execute **Bob**.", "target Bob R20"},
        {"executing **Bob**", "target Bob R20"},
        {"Ok, I investigate **Bob**", "target Bob R20"},
        {"shoot **Bob**!", "target Bob R20"},
        {"I nominate **Bob**", "ambiguous"},
        {"**Bob** for Chancellor", "ambiguous"},
        {"I didn't execute **Bob**", "ambiguous"},
        {"executing **Bob** would be silly", "ambiguous"},
    };
    static const char election[] = "**Bob** for President";
    struct reading reading = usual(PHASE_EXECUTIVE);

    reading.bold_names = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_formula(&cases[i], &reading);
    }
    assert_formula(&(struct post_case){election, "ambiguous"}, &reading);
    reading.special = true;
    assert_read(&(struct post_case){election, "target Bob R20"}, &reading);
}
END_TEST

/* Whoever names somebody by a formula alone may want it back. */
START_TEST(an_intent_tells_of_its_formula)
{
    struct reading reading = usual(PHASE_EXECUTIVE);
    struct intent intent;
    struct buf why = BUF_INIT;

    reading.bold_names = true;
    read_post("I execute **Bob**", &reading, &intent, &why);
    ck_assert(intent.formula);
    read_post("**Bob**", &reading, &intent, &why);
    ck_assert(!intent.formula);
    buf_release(&why);
}
END_TEST

START_TEST(a_bold_name_alone_on_its_line_is_enough_where_set_so)
{
    struct reading reading = usual(PHASE_NOMINATION);

    reading.bold_names = true;
    assert_read(&bold_cases[_i], &reading);
}
END_TEST

START_TEST(a_bold_mention_replaces_red_where_set_so)
{
    static const struct post_case cases[] = {
        {"I name **[mention=2]Bob[/mention]**", "target Bob R15"},
        {"**[mention=2]Bob[/mention]**, goodbye", "ambiguous talked-about R12"},
        {"[mention=2]Bob[/mention]", "none R3"},
        {"**Bob**", "none R12"},
        {RED("Bob"), "target Bob R12"},
        {RED("Anna") " **[mention=2]Bob[/mention]**", "ambiguous several R8"},
        {"**[mention=2]Anna[/mention]**", "ambiguous spoofed R15"},
    };
    struct reading reading = usual(PHASE_EXECUTIVE);

    reading.mention_names = true;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(without_ids_a_mention_is_a_typed_name)
{
    static const struct post_case cases[] = {
        {"**[mention=x]@Anna[/mention]**", "nominate Anna R12"},
        {"**[mention=x]@zander[/mention]!**", "nominate Alexander R14"},
        {"**[mention=x]@Ann[/mention] Lee**", "nominate Ann Lee R12"},
        {"I say **[mention=x]@Anna[/mention]**", "ambiguous own-line R12"},
        {"**[mention=x]@Anna[/mention]**, hi", "ambiguous own-line R5"},
        {"**[mention=x]@Zand[/mention]**", "ambiguous unclear R16"},
        {"**[mention=x]@nobody[/mention]**", "ambiguous unknown R15"},
        {"[mention=x]@Anna[/mention]", "none R3"},
    };
    struct reading reading = odd(PHASE_NOMINATION);

    reading.bold_names = true;
    for (unsigned i = 0; i < reading.player_count; i++) {
        reading.players[i].id = NULL;
    }
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
    /* Where a bold name is not enough, a mention of nobody is none either. */
    reading.bold_names = false;
    reading.mention_names = true;
    assert_read(&(struct post_case){"**[mention=x]@Anna[/mention]**",
                                    "ambiguous unknown R15"},
                &reading);
}
END_TEST

START_TEST(names_that_are_near_one_another_are_told_apart)
{
    static const struct post_case cases[] = {
        {RED("Ann"), "nominate Ann R12"},
        {RED("ANN LEE"), "nominate Ann Lee R12"},
        {RED("annlee"), "nominate Ann Lee R14"},
        {RED("Ann Lee or so"), "ambiguous own-line R16"},
        {RED("Ann, Lee"), "nominate Ann Lee R14"},
        {RED("An"), "ambiguous unclear R16"},
        {RED("Zoe"), "nominate Zoë R14"},
        {RED("P1"), "nominate P1 R12"},
        {RED("P10"), "nominate P10 R12"},
        {RED("P"), "ambiguous unknown R16"},
        {RED("Alexan"), "ambiguous unclear R16"},
        {RED("zander"), "nominate Alexander R12"},
        {RED("al:ex"), "nominate Alexander R12"},
        {RED("JR"), "nominate J.R. R14"},
        {RED("j.r"), "nominate J.R. R14"},
        {RED("🦊"), "nominate 🦊 R12"},
        {RED("🦊!!"), "nominate 🦊 R14"},
        {RED("the 🦊"), "ambiguous own-line R16"},
        {RED("Ja!"), "nominate Ja R14"},
    };
    struct reading reading = odd(PHASE_NOMINATION);

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(names_that_only_accents_tell_apart_are_asked_about)
{
    static const char *const names[] = {"Zoë", "Zoe", "Zoé!"};
    static const struct post_case cases[] = {
        {RED("Zoë"), "nominate Zoë R12"},
        {RED("zoe"), "nominate Zoe R12"},
        {RED("Zoè"), "ambiguous several R14"},
    };
    struct reading reading = {.phase = PHASE_NOMINATION};

    add_players(&reading, names, COUNT(names));
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

START_TEST(a_question_back_lists_candidates)
{
    struct reading reading = odd(PHASE_NOMINATION);
    struct buf why = BUF_INIT;
    struct intent intent;

    read_post(RED("An"), &reading, &intent, &why);
    ck_assert_uint_eq(intent.player_count, 3);
    ck_assert_uint_eq(intent.players[0], 0);
    ck_assert_uint_eq(intent.players[2], 2);
    ck_assert_str_eq(intent.text, "An");

    read_post(RED("[mention=1]@Anna[/mention]"), &reading, &intent, &why);
    ck_assert_int_eq(intent.question, ASK_SPOOFED);
    ck_assert_uint_eq(intent.player_count, 2);
    ck_assert_uint_eq(intent.players[0], 2);
    ck_assert_uint_eq(intent.players[1], 0);

    read_post(RED("Аnn"), &reading, &intent, &why);
    ck_assert_int_eq(intent.question, ASK_DISGUISE);
    ck_assert_str_eq(intent.word, "Ann");
    buf_release(&why);
}
END_TEST

START_TEST(what_was_read_is_quoted_in_short)
{
    struct reading reading = usual(PHASE_VOTING);
    struct buf why = BUF_INIT;
    struct intent intent;

    read_post("[b]ja  \t 34567890123456789012345678901234567890[/b]", &reading,
              &intent, &why);
    ck_assert_str_eq(intent.text, "ja 3456789012345678901234567890123456789…");
    read_post("[b]ja 4567890123456789012345678901234567890[/b]", &reading,
              &intent, &why);
    ck_assert_str_eq(intent.text, "ja 4567890123456789012345678901234567890");
    read_post("[b]ja\u202E\u200B 🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉"
              "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉[/b]",
              &reading, &intent, &why);
    ck_assert_str_eq(intent.text, "ja 🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉"
                                  "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉…");
    buf_release(&why);
}
END_TEST

START_TEST(a_player_is_found_for_a_command)
{
    struct reading reading = odd(PHASE_VOTING);
    unsigned player = 99;

    ck_assert(intent_find_player(&reading, "@ZOE", 4, &player));
    ck_assert_uint_eq(player, 3);
    ck_assert(intent_find_player(&reading, "zander", 6, &player));
    ck_assert_uint_eq(player, 6);
    ck_assert(!intent_find_player(&reading, "An", 2, &player));
    ck_assert(!intent_find_player(&reading, "", 0, &player));
}
END_TEST

/* ---- private messages ---------------------------------------------------- */

struct answer_case {
    const char *hand, *body, *read;
};

static const struct answer_case president_cases[] = {
    {"FLF", "discard 2", "pass FF D3"},
    {"FLF", "1 3", "pass FF D3"},
    {"FLF", "1, 2", "pass FL D3"},
    {"FLF", "fl", "pass FL D3"},
    {"FLF", "LF.", "pass FL D3"},
    {"FLF", "one liberal and one fascist", "pass FL D3"},
    {"FLF", "1F 1L", "pass FL D3"},
    {"FLF", "both reds", "pass FF D3"},
    {"FLF", "I discard the blue one", "pass FF D3"},
    {"FLF", "drop F, pass F and L", "pass FL D3"},
    {"FLF", "discard 1, pass 2", "pass FL D3"},
    {"FLF", "I'll throw away the 2nd", "pass FF D3"},
    {"FLF", "pass 1 and 2 [quote]discard 1[/quote]", "pass FL D3"},
    {"FLF", "discarding 2", "pass FF D3"},
    {"FLF", "１３", "pass FF D3"},
    {"FLF", "1️⃣ and 2️⃣", "pass FL D3"},
    {"FFF", "discard F", "pass FF D3"},
    {"FLF", "back in 2 hours, discard 1", "pass FL D3"},
    {"FLF", "", "none D5"},
    {"FLF", "let me think", "none D5"},
    {"FLF", "I don't know yet", "none D5"},
    {"FLF", "back in 2 hours", "none D5"},
    {"FLF", "[quote]discard 2[/quote]", "none D5"},
    {"FLF", "both", "none D5"},
    {"FLF", "1", "ambiguous cards D4"},
    {"FFF", "F", "ambiguous cards D4"},
    {"FLF", "pass 1", "ambiguous cards D4"},
    {"FLF", "2 discarded", "ambiguous cards D4"},
    {"FLF", "1, discard 2", "ambiguous cards D4"},
    {"FLF", "discard 1 and 2", "ambiguous cards D4"},
    {"FLF", "discarding 2 and 3", "ambiguous cards D4"},
    {"FLF", "discard both fascists", "ambiguous cards D4"},
    {"FLF", "discard 1, pass 1 and 3", "ambiguous cards D4"},
    {"FLF", "discard F, pass F and F", "ambiguous cards D4"},
    {"FLF", "1 2, pass 1 3", "ambiguous cards D4"},
    {"FLF", "1 2, pass 1 2", "pass FL D3"},
    {"FLF", "11", "ambiguous cards D4"},
    {"FLF", "123", "ambiguous cards D4"},
    {"FLF", "1 and L", "ambiguous cards D4"},
    {"FLF", "discard 2?", "ambiguous cards D4"},
    {"FLF", "do not discard 2", "ambiguous cards D4"},
    {"FLF", "I didn’t discard 2", "ambiguous cards D4"},
    {"FLF", "never discard 2", "ambiguous cards D4"},
    {"FLF", "veto", "ambiguous cards D4"},
    {"FLF", "discard 1 or veto", "ambiguous cards D4"},
    {"FLF", "4", "ambiguous not-in-hand D4"},
    {"FLF", "discard 0", "ambiguous not-in-hand D4"},
    {"FLF", "two liberals", "ambiguous not-in-hand D4"},
    {"FFF", "discard L", "ambiguous not-in-hand D4"},
    {"", "discard 1", "ambiguous not-in-hand D4"},
};

START_TEST(the_president_hands_two_cards_on)
{
    struct reading reading = {.phase = PHASE_DM_PRESIDENT};
    struct post_case now = {president_cases[_i].body, president_cases[_i].read};

    strncpy(reading.hand, president_cases[_i].hand, sizeof reading.hand - 1);
    assert_read(&now, &reading);
}
END_TEST

static const struct answer_case chancellor_cases[] = {
    {"FL", "1", "enact F D3"},
    {"FL", "enact card 2", "enact L D3"},
    {"FL", "the liberal, please", "enact L D3"},
    {"FL", "discard F", "enact L D3"},
    {"FL", "discard 2, enact 1", "enact F D3"},
    {"FL", "discard F and enact L", "enact L D3"},
    {"FF", "fascist", "enact F D3"},
    {"FF", "discard 1", "enact F D3"},
    {"FL", "1, drop the other", "enact F D3"},
    {"FL", "both", "none D5"},
    {"FL", "FL", "ambiguous cards D4"},
    {"FL", "1 2", "ambiguous cards D4"},
    {"FL", "discard 1, enact 1", "ambiguous cards D4"},
    {"FL", "discard L, enact L", "ambiguous cards D4"},
    {"FL", "3", "ambiguous not-in-hand D4"},
    {"FF", "L", "ambiguous not-in-hand D4"},
    {"FL", "L?", "ambiguous cards D4"},
    {"FL", "veto", "veto D7"},
    {"FL", "I ask for a **Veto**!", "veto D7"},
    {"FL", "no veto", "ambiguous cards D4"},
    {"FL", "I don't veto", "ambiguous cards D4"},
    {"FL", "veto?", "ambiguous cards D4"},
    {"FL", "veto, or else L", "ambiguous cards D4"},
};

START_TEST(the_chancellor_enacts_one_card)
{
    struct reading reading = {.phase = PHASE_DM_CHANCELLOR};
    struct post_case now = {chancellor_cases[_i].body,
                            chancellor_cases[_i].read};

    strncpy(reading.hand, chancellor_cases[_i].hand, sizeof reading.hand - 1);
    assert_read(&now, &reading);
}
END_TEST

START_TEST(the_card_is_the_one_at_its_place)
{
    static const struct {
        const char *hand, *body;
        enum phase phase;
        unsigned card;
    } cases[] = {
        {"FLF", "discard 3", PHASE_DM_PRESIDENT, 2},
        {"FLF", "1 3", PHASE_DM_PRESIDENT, 1},
        {"FFL", "discard L", PHASE_DM_PRESIDENT, 2},
        {"LFF", "pass F F", PHASE_DM_PRESIDENT, 0},
        {"LF", "discard 1", PHASE_DM_CHANCELLOR, 1},
        {"LF", "2", PHASE_DM_CHANCELLOR, 1},
        {"LF", "L", PHASE_DM_CHANCELLOR, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading reading = {.phase = cases[i].phase};
        struct buf why = BUF_INIT;
        struct intent intent;

        strncpy(reading.hand, cases[i].hand, sizeof reading.hand - 1);
        read_post(cases[i].body, &reading, &intent, &why);
        ck_assert_uint_eq(intent.card, cases[i].card);
        buf_release(&why);
    }
}
END_TEST

START_TEST(a_ballot_is_one_word)
{
    static const struct post_case cases[] = {
        {"ja", "vote ja D6"},
        {" **Nein!**\n", "vote nein D6"},
        {"[quote]your vote, please[/quote]\nJa!", "vote ja D6"},
        {"", "none D6"},
        {"[img]x[/img]", "none D6"},
        {"I vote ja", "ambiguous ballot D6"},
        {"ja nein", "ambiguous ballot D6"},
        {"ja?", "ambiguous ballot D6"},
        {"yes", "ambiguous ballot D6"},
    };
    struct reading reading = usual(PHASE_DM_BALLOT);

    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_read(&cases[i], &reading);
    }
}
END_TEST

/* ---- commands ------------------------------------------------------------ */

static const struct command_case {
    const char *body, *commands; /* "word(rest)" each */
} command_cases[] = {
    {"!join", "join()"},
    {"  !JOIN  ", "join()"},
    {"!claim FFL  FL ", "claim(FFL  FL)"},
    {"!join!", "join()"},
    {"!away 3d see you\nhello\n!status", "away(3d see you)status()"},
    {"**!join**", "join()"},
    {"hello !join", ""},
    {"! join", ""},
    {"!!!", ""},
    {"!", ""},
    {"", ""},
    {"join", ""},
    {"`!join`", ""},
    {"> !join\n!leave", "leave()"},
    {"[quote]!join\n!status[/quote]", ""},
    {"```\n!join\n```\n!leave", "leave()"},
    {"~~!join~~", ""},
    {"~~x~~ !join", ""},
    {"!join ~~x~~ y", "join(y)"},
    {"[mention=77]@placard[/mention] join", "join()"},
    {"[mention=77]@placard[/mention]: !Join now", "join(now)"},
    {"[mention=77]@pla[b]card[/b][/mention], help", "help()"},
    {"[mention=77]@pla~~card~~ ~~help~~[/mention] join", "join()"},
    {"[mention=77]@placard[/mention]", ""},
    {"[mention=77]@placard[/mention]: **Ja!**", ""},
    {"**[mention=77]@placard[/mention]** help", "help()"},
    {"[mention=77]@placard[/mention] !**help**", "help()"},
    {"[mention=77]@placard[/mention] replace **Emil**", "replace(Emil)"},
    {"[mention=78]@other[/mention] join", ""},
    {"hello [mention=77]@placard[/mention] join", ""},
    {"!replace [mention=5]@Emil[/mention] with [mention=6]@Frida[/mention]",
     "replace(@Emil with @Frida)"},
    {"!Ünïcode é", "ünïcode(é)"},
    {"!join\u00A0now\u00A0", "join(now)"},
};

/* The commands of a post, each as "word(rest)". */
static void
assert_commands(const struct dialect *dialect, const struct command_case *now)
{
    struct rich post = {.count = 0};
    struct buf found = BUF_INIT;
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t from = 0;
    bool unread;

    dialect->read(now->body, strlen(now->body), &post, &unread);
    while (intent_command(&post, "!", "77", &from, &word, &rest)) {
        buf_addf(&found, "%s(%s)", buf_text(&word), buf_text(&rest));
        buf_clear(&word);
        buf_clear(&rest);
    }
    ck_assert_uint_eq(from, post.text.len);
    ck_assert_msg(buf_equals(&found, now->commands), "%s: %s", now->body,
                  buf_text(&found));
    rich_release(&post);
    buf_release(&found);
    buf_release(&word);
    buf_release(&rest);
}

START_TEST(commands_are_found)
{
    assert_commands(&dialect_board, &command_cases[_i]);
}
END_TEST

/* On Discord an address is no text of its author's, but what a command is about
 * may be told by one. */
static const struct command_case address_cases[] = {
    {"!void https://discord.com/channels/5/6/7",
     "void(https://discord.com/channels/5/6/7)"},
    {"!why <https://discord.com/channels/5/6/7>",
     "why(https://discord.com/channels/5/6/7)"},
    {"!count https://discord.com/channels/5/6/7 Anna Ja",
     "count(https://discord.com/channels/5/6/7 Anna Ja)"},
    {"!pause see https://x.y/z, please", "pause(see https://x.y/z, please)"},
    {"> !void https://x.y/7", ""},
    {"!void ~~https://x.y/7~~", "void()"},
    {"https://x.y/!join", ""},
    {"https://x.y/z !join", ""},
};

START_TEST(a_command_may_be_about_an_address)
{
    assert_commands(&dialect_discord, &address_cases[_i]);
}
END_TEST

START_TEST(another_prefix_may_be_set)
{
    struct rich post = {.count = 0};
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t from = 0;

    rich_add_text(&post, "!join\n,,join me\n", 0);
    ck_assert(intent_command(&post, ",,", NULL, &from, &word, &rest));
    ck_assert_str_eq(buf_text(&word), "join");
    ck_assert_str_eq(buf_text(&rest), "me");
    ck_assert(!intent_command(&post, ",,", NULL, &from, &word, &rest));
    rich_release(&post);
    buf_release(&word);
    buf_release(&rest);
}
END_TEST

/* ---- edits --------------------------------------------------------------- */

/* Two versions of a post, and whether the second is an edit. */
static const struct version_case {
    const char *first, *second;
    bool edit;
} version_cases[] = {
    {"**Ja!**", "**Nein!**", true},
    {"**Ja!**", "Ja!", true},
    {"Ja!", "**Ja!**", true},
    {"**Ja!**", "not **Ja!**", true},
    {"[b]Bob[/b]", "[b][color=red]Bob[/color][/b]", true},
    {"one two", "onetwo", true},
    {"one\ntwo", "one two", true},
    {"**Ja!**", "~~**Ja!**~~", true},
    {"@Anna", "@Bob", true},
    {"**Ja!**", "**Ja!** ", false},
    {"\n **Ja!**\n", "**Ja!**", false},
    {"one\n\n\ntwo", "one\ntwo", false},
    {"one  two", "one\ttwo", false},
    {"[quote]a[/quote]b", "[quote=Bob, post: 3]c\nd[/quote]\nb", false},
    {"[b]Ja! [/b]now", "[b]Ja![/b] now", false},
    {"[color=red]Bob[/color]", "[color=#ff0000]Bob[/color]", false},
};

static void
words_of(const char *body, struct buf *words)
{
    struct rich post = {.count = 0};
    bool unread = true;

    buf_clear(words);
    dialect_board.read(body, strlen(body), &post, &unread);
    ck_assert(!unread);
    intent_words(&post, words);
    rich_release(&post);
}

START_TEST(an_edit_is_what_may_be_another_act)
{
    struct buf first = BUF_INIT;
    struct buf second = BUF_INIT;

    for (size_t i = 0; i < COUNT(version_cases); i++) {
        const struct version_case *version = &version_cases[i];

        words_of(version->first, &first);
        words_of(version->second, &second);
        ck_assert_msg((strcmp(buf_text(&first), buf_text(&second)) != 0) ==
                          version->edit,
                      "\"%s\", then \"%s\"", version->first, version->second);
    }
    buf_release(&first);
    buf_release(&second);
}
END_TEST

START_TEST(who_is_mentioned_is_known_by_id_whatever_is_shown)
{
    struct rich one = {.count = 0};
    struct rich other = {.count = 0};
    struct buf first = BUF_INIT;
    struct buf second = BUF_INIT;

    rich_add_mention(&one, "17", "@Anna", MARK_BOLD);
    rich_add_mention(&other, "17", "@Anna (away)", MARK_BOLD);
    intent_words(&one, &first);
    intent_words(&other, &second);
    ck_assert_str_eq(buf_text(&first), buf_text(&second));
    rich_release(&one);
    rich_release(&other);
    buf_release(&first);
    buf_release(&second);
}
END_TEST

/* ---- hostile posts ------------------------------------------------------- */

static const char *const hostile[] = {
    "[b]a[/b] ",
    "[b]ja ",
    "**ja** ",
    "**Ann** ",
    "[b][color=red]An[/color][/b]x",
    "**\u0301**\u0316",
    "**'**",
    "**Ann**[s]x[/s]",
    "\uFDFA",
    "1 ",
    "1'",
    "!a\n",
    "**[mention=1]a[/mention]**",
    "I pick **Ann** ",
};

/* Each phase reads as much of it as a post can have, in good time. */
START_TEST(a_hostile_post_is_read)
{
    struct rich post = {.count = 0};
    struct buf body = BUF_INIT;
    struct buf why = BUF_INIT;
    bool unread = true;

    buf_add_text(&body, "[b]");
    while (body.len < POST_MAX - 64) {
        buf_add_text(&body, hostile[_i]);
    }
    buf_add_text(&body, "[/b]");
    dialect_board.read(body.data, body.len, &post, &unread);
    ck_assert(!unread);
    for (unsigned phase = (unsigned)_i % effort_one_in(1);
         phase <= PHASE_DM_BALLOT; phase += effort_one_in(1)) {
        struct reading reading = odd((enum phase)phase);
        struct intent intent;
        unsigned player;

        memcpy(reading.hand, "FLF", 4);
        reading.bold_names = true;
        intent_read(&post, &reading, &intent, &why);
        intent_nearly(&post, &reading, &player);
    }
    rich_release(&post);
    buf_release(&body);
    buf_release(&why);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/intent");
    TCase *votes = tcase_create("votes");
    TCase *names = tcase_create("names");
    TCase *cards = tcase_create("cards");
    TCase *lines = tcase_create("lines");

    tcase_add_loop_test(votes, a_vote_is_a_bold_word_alone, 0,
                        COUNT(vote_cases));
    tcase_add_test(votes, a_game_may_have_its_own_words);
    tcase_add_test(votes, a_veto_is_asked_for_in_bold);
    tcase_add_test(votes, a_veto_is_answered_in_bold);
    tcase_add_test(votes, a_veto_is_answered_in_the_places_words_too);
    tcase_add_test(votes, a_word_of_both_sides_is_a_question);
    tcase_add_test(votes, what_was_read_is_quoted_in_short);
    suite_add_tcase(suite, votes);
    tcase_add_loop_test(names, a_name_is_bold_and_red, 0, COUNT(red_cases));
    tcase_add_loop_test(names,
                        a_bold_name_alone_on_its_line_is_enough_where_set_so, 0,
                        COUNT(bold_cases));
    tcase_add_test(names, a_bold_mention_replaces_red_where_set_so);
    tcase_add_loop_test(names,
                        a_bold_name_in_a_formula_is_enough_where_bold_alone_is,
                        0, COUNT(formula_cases));
    tcase_add_test(names, a_formula_for_a_power_is_another);
    tcase_add_test(names, an_intent_tells_of_its_formula);
    tcase_add_test(names, without_ids_a_mention_is_a_typed_name);
    tcase_add_test(names, names_that_are_near_one_another_are_told_apart);
    tcase_add_test(names, names_that_only_accents_tell_apart_are_asked_about);
    tcase_add_test(names, a_question_back_lists_candidates);
    tcase_add_test(names, a_player_is_found_for_a_command);
    suite_add_tcase(suite, names);
    tcase_add_loop_test(cards, the_president_hands_two_cards_on, 0,
                        COUNT(president_cases));
    tcase_add_loop_test(cards, the_chancellor_enacts_one_card, 0,
                        COUNT(chancellor_cases));
    tcase_add_test(cards, the_card_is_the_one_at_its_place);
    tcase_add_test(cards, a_ballot_is_one_word);
    suite_add_tcase(suite, cards);
    tcase_add_loop_test(lines, commands_are_found, 0, COUNT(command_cases));
    tcase_add_loop_test(lines, a_command_may_be_about_an_address, 0,
                        COUNT(address_cases));
    tcase_add_test(lines, another_prefix_may_be_set);
    tcase_add_test(lines, an_edit_is_what_may_be_another_act);
    tcase_add_test(lines, who_is_mentioned_is_known_by_id_whatever_is_shown);
    tcase_add_loop_test(lines, a_hostile_post_is_read, 0, COUNT(hostile));
    suite_add_tcase(suite, lines);
    return suite;
}
