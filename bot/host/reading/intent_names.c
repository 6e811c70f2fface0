/* R12 to R16: whom a post names. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    PREFIX_RED = 2, /* code points of a name's beginning that is asked about */
    PREFIX_BOLD = 3,
};

/* ---- judging one stretch ------------------------------------------------- */

static struct finding
ask(uint32_t values, enum question_back question, const char *rule,
    const char *says)
{
    return (struct finding){
        .values = values, .question = question, .rule = rule, .says = says};
}

/* The text names somebody, but not in the required way. */
static struct finding
ask_whom(uint32_t players, const char *rule, const char *says)
{
    return ask(players,
               values_count(players) > 1 ? ASK_SEVERAL_NAMES : ASK_OWN_LINE,
               rule, says);
}

static struct finding
silence(const char *rule, const char *says)
{
    return (struct finding){.rule = rule, .says = says};
}

/* R5: the text names one player exactly; whether it counts depends on what
 * touches it. */
static struct finding
judge_edge(const struct names *names, const struct rich *post,
           const struct stretch *stretch, uint32_t player)
{
    switch (stretch_edge(post, stretch)) {
    case EDGE_PIECE:
        return ask(player, ASK_UNCLEAR_NAME, "R5",
                   "is a piece of a longer word");
    case EDGE_QUESTION:
        return ask(player, ASK_OWN_LINE, "R5", "has a question mark behind it");
    case EDGE_LABEL:
        return ask(player, ASK_OWN_LINE, "R5",
                   "has a colon behind it, as if to speak to somebody");
    case EDGE_COMMA:
        if (!stretch->red && names->reading->bold_names) {
            return ask(player, ASK_OWN_LINE, "R5",
                       "has a comma behind it, as if to speak to somebody");
        }
        break;
    case EDGE_FREE:
        break;
    }
    return (struct finding){.acts = true, .values = player};
}

/* The mentions in a stretch. */
struct mentions {
    unsigned count;
    uint32_t players; /* those of the game */
    const struct run *first;
    size_t shown; /* bytes of text that are part of the first mention */
    bool more;    /* text beside them */
};

/* Is there more in a run than blanks and R4's marks? */
static bool
says_more(const struct rich *post, const struct run *run)
{
    struct buf key = BUF_INIT;

    name_key(rich_run_text(post, run), run->len, &key);
    bool more = slice_strip(slice_of(&key)).len > 0;
    buf_release(&key);
    return more;
}

static bool
same_user(const struct rich *post, const struct run *one,
          const struct run *other)
{
    return one->id_len == other->id_len &&
           memcmp(rich_run_id(post, one), rich_run_id(post, other),
                  one->id_len) == 0;
}

static struct mentions
find_mentions(const struct names *names, const struct rich *post,
              const struct stretch *stretch)
{
    struct mentions found = {.count = 0};
    const struct run *before = NULL; /* the run before, if a mention */

    for (size_t i = stretch->run; i < stretch->past; i++) {
        const struct run *run = &post->runs[i];
        if ((run->marks & MARK_MENTION) == 0) {
            found.more = found.more || says_more(post, run);
            before = NULL;
            continue;
        }
        bool again = before != NULL && same_user(post, before, run);
        unsigned player =
            player_with_id(names->reading, rich_run_id(post, run), run->id_len);
        if (player < names->reading->player_count) {
            found.players |= player_bit(player);
        }
        found.count += again ? 0 : 1;
        found.first = found.first == NULL ? run : found.first;
        found.shown += found.count == 1 ? run->len : 0;
        before = run;
    }
    return found;
}

/* R15: whose name, or what looks like it, a mention shows without being that
 * player's. */
static uint32_t
players_shown(const struct names *names, const struct rich *post,
              const struct mentions *mentions)
{
    struct slice text = {rich_run_text(post, mentions->first), mentions->shown};
    struct buf whole = BUF_INIT;

    name_key(text.text, text.len, &whole);
    struct slice key = name_without_at(slice_of(&whole));
    uint32_t players = players_named(names, key);
    bool honest = (players & mentions->players) != 0;
    players |= players_contained(names, key) | players_alike(names, text);
    buf_release(&whole);
    return honest ? 0 : players & ~mentions->players;
}

/* R12: is a mention that is bold and no more meant to name somebody? */
static bool
names_somebody(struct sentence *sentence, const struct stretch *stretch)
{
    return stretch->red || sentence_is_alone(sentence, stretch) ||
           (sentence->named && !sentence_is_talk(sentence, stretch));
}

static struct finding
judge_mention(const struct names *names, struct sentence *sentence,
              const struct stretch *stretch, const struct mentions *mentions)
{
    const struct rich *post = sentence->post;

    if (mentions->count > 1 || mentions->more) {
        struct buf key = BUF_INIT;
        stretch_key(post, stretch, &key);
        uint32_t players = players_contained(names, slice_of(&key));
        buf_release(&key);
        return ask_whom(players | mentions->players, "R15",
                        "is more than one mention alone");
    }
    uint32_t shown = players_shown(names, post, mentions);
    if (mentions->players == 0) {
        return ask(shown, ASK_UNKNOWN_NAME, "R15",
                   "mentions somebody who is no player of this game");
    }
    if (shown != 0) {
        struct finding finding =
            ask(shown | mentions->players, ASK_SPOOFED, "R15",
                "shows another player's name than the one it points to");
        finding.shown = players_first(shown);
        finding.pointed = players_first(mentions->players);
        return finding;
    }
    struct finding finding =
        judge_edge(names, post, stretch, mentions->players);
    if (finding.acts && !names_somebody(sentence, stretch)) {
        return ask(mentions->players, ASK_TALKED_ABOUT, "R12",
                   "is a mention in a sentence that names nobody");
    }
    if (finding.acts) {
        finding.rule = "R15";
        finding.says = "is a bold mention of a player";
    }
    return finding;
}

/* R16: a text that names nobody: whom does it mention? */
static struct finding
judge_unresolved(const struct names *names, const struct stretch *stretch,
                 struct slice key, struct slice original)
{
    struct slice core = slice_core(key);

    uint32_t players = players_contained(names, key);
    if (players != 0) {
        return ask_whom(players, "R16",
                        "has more in it than one player's name");
    }
    uint32_t alike = players_alike(names, original);
    if (alike != 0 && name_has_foreign_letter(original.text, original.len)) {
        struct finding finding =
            ask(alike, ASK_DISGUISE, "R10",
                "has letters that only look like those of the name");
        const char *name = names->reading->players[players_first(alike)].name;
        finding_set_word(&finding, (struct slice){name, strlen(name)});
        return finding;
    }
    players =
        players_begun(names, core, stretch->red ? PREFIX_RED : PREFIX_BOLD);
    if (players != 0) {
        return ask(players, ASK_UNCLEAR_NAME, "R16",
                   "is only the beginning of a name");
    }
    players = players_misspelt(names, core);
    players = players == 0 ? alike : players;
    if (players != 0) {
        return ask(players, ASK_UNCLEAR_NAME, "R16",
                   "is only nearly a player's name");
    }
    if (stretch->red) {
        return ask(0, ASK_UNKNOWN_NAME, "R16", "is no player of this game");
    }
    return silence("R16", "is bold, but no player's name");
}

/* Does the key end as people end an address to somebody: "Anna:"? */
static bool
ends_speaking(struct slice key, bool comma)
{
    struct slice rest = slice_strip(key);

    return rest.len > 0 && (rest.text[rest.len - 1] == ':' ||
                            (comma && rest.text[rest.len - 1] == ','));
}

/* R20: does the line say no more than that this is the name? */
static bool
is_in_formula(const struct rich *post, const struct reading *reading,
              const struct stretch *stretch)
{
    bool nomination = reading->phase == PHASE_NOMINATION;

    return stretch_is_formula(post, reading, stretch,
                              nomination ? FORMULA_NOMINATION
                                         : FORMULA_POWER) ||
           (reading->special &&
            stretch_is_formula(post, reading, stretch, FORMULA_SPECIAL));
}

static struct finding
judge_typed(const struct names *names, const struct rich *post,
            const struct stretch *stretch, struct slice key)
{
    struct slice original = {post->text.data + stretch->start, stretch->len};
    bool comma = !stretch->red && names->reading->bold_names;
    uint32_t exact = players_exactly(names, key);
    uint32_t players = players_named(names, key);

    if (players == 0) {
        return judge_unresolved(names, stretch, key, original);
    }
    if (values_count(players) > 1) {
        return ask_whom(players, "R14", "fits the names of several players");
    }
    if (exact == 0 && ends_speaking(key, comma)) {
        return ask(players, ASK_OWN_LINE, "R14",
                   "ends as if to speak to somebody");
    }
    struct finding finding = judge_edge(names, post, stretch, players);
    if (!finding.acts) {
        return finding;
    }
    finding.formula = !stretch->red && !stretch_is_alone(post, stretch);
    if (finding.formula &&
        (exact == 0 || !is_in_formula(post, names->reading, stretch))) {
        return ask(players, ASK_OWN_LINE, "R12",
                   "is bold, but not alone on its line");
    }
    if (finding.formula) {
        finding.rule = "R20";
        finding.says = "is a player's name, and the rest of the line says only "
                       "what for";
    } else if (exact == 0) {
        finding.rule = "R14";
        finding.says = "fits the name of one player alone";
    } else {
        finding.rule = "R12";
        finding.says = stretch->red
                           ? "is exactly a player's name in bold red"
                           : "is exactly a player's name, alone on its line";
    }
    return finding;
}

/* Is there a player of whom no user id is known? */
static bool
lacks_an_id(const struct reading *reading)
{
    unsigned player = 0;

    while (player < reading->player_count &&
           reading->players[player].id != NULL) {
        player++;
    }
    return player < reading->player_count;
}

/* R14, R15: if no user id is known, "@Anna" is just a name with an @ before
 * it. */
static struct finding
judge_unknown_mention(const struct names *names, struct sentence *sentence,
                      const struct stretch *stretch,
                      const struct mentions *mentions, struct slice key)
{
    struct finding finding = {.acts = false};

    if (lacks_an_id(names->reading) &&
        (stretch->red || names->reading->bold_names)) {
        finding = judge_typed(names, sentence->post, stretch, key);
    }
    if (!finding.acts && finding.question == ASK_NONE) {
        finding = judge_mention(names, sentence, stretch, mentions);
    }
    return finding;
}

static struct finding
judge(const struct names *names, struct sentence *sentence,
      const struct stretch *stretch)
{
    const struct rich *post = sentence->post;
    const struct reading *reading = names->reading;
    struct mentions mentions = find_mentions(names, post, stretch);
    bool mentioned =
        mentions.count > 0 &&
        (stretch->red || reading->bold_names || reading->mention_names);
    struct finding finding;

    if (!mentioned && !stretch_says_something(post, stretch)) {
        return silence(NULL, NULL);
    }
    if (!stretch->red && !reading->bold_names && !mentioned) {
        return silence("R12", names->reading->mention_names
                                  ? "is bold, but neither red nor a mention"
                                  : "is bold, but not red");
    }
    struct buf whole = BUF_INIT;
    stretch_key(post, stretch, &whole);
    struct slice key = name_without_at(slice_of(&whole));
    if (stretch_is_turned(post, stretch)) {
        uint32_t players = players_contained(names, key) | mentions.players;
        finding =
            ask(players, players == 0 ? ASK_UNKNOWN_NAME : ASK_UNCLEAR_NAME,
                "R10", "has marks that turn the direction of writing");
    } else if (mentioned && mentions.players == 0) {
        finding =
            judge_unknown_mention(names, sentence, stretch, &mentions, key);
    } else if (mentioned) {
        finding = judge_mention(names, sentence, stretch, &mentions);
    } else {
        finding = judge_typed(names, post, stretch, key);
    }
    buf_release(&whole);
    return finding;
}

/* ---- the post ------------------------------------------------------------ */

static void
set_candidates(struct intent *intent, uint32_t players)
{
    for (unsigned i = 0; i < INTENT_PLAYERS_MAX; i++) {
        if ((players & player_bit(i)) != 0 && intent->player_count < 3) {
            intent->players[intent->player_count++] = i;
        }
    }
}

static void
set_question(struct intent *intent, const struct tally *tally)
{
    const struct finding *ask = &tally->ask;

    intent->kind = INTENT_AMBIGUOUS;
    if (intent->question == ASK_SPOOFED) {
        intent->players[0] = ask->shown;
        intent->players[1] = ask->pointed;
        intent->player_count = 2;
        return;
    }
    set_candidates(intent, tally->acts | tally->dms);
}

static void
conclude_several(struct intent *intent, const struct tally *tally,
                 struct buf *why)
{
    /* If one stretch fits several players, the question is which of them. */
    bool one = tally->asked == 1 && tally->acts == 0;

    intent->question = one ? tally->ask.question : ASK_SEVERAL_NAMES;
    memcpy(intent->word, tally->ask.word, sizeof intent->word);
    set_question(intent, tally);
    if (one) {
        finding_explain(&tally->ask, intent, why);
    } else {
        buf_add_text(
            why,
            "R8: this post names more than one player, so nobody was named");
    }
}

void
names_read(const struct rich *post, const struct reading *reading,
           struct intent *intent, struct buf *why)
{
    struct names names;
    struct tally tally = {.acts = 0};
    struct sentence sentence;
    struct stretch stretch;
    size_t run = 0;

    names.count = 0;
    sentence_init(&sentence, post, reading);
    while (stretch_next(post, true, &run, &stretch)) {
        names_need(&names, reading);
        sentence_reach(&sentence, &stretch);
        struct finding finding = judge(&names, &sentence, &stretch);
        tally_add(&tally, &finding, &stretch);
        sentence_pass(&sentence, &stretch, false);
    }
    sentence_release(&sentence);
    names_release(&names);
    switch (tally_conclude(&tally, post, intent, why)) {
    case OUTCOME_NONE:
        break;
    case OUTCOME_ACT:
        intent->kind =
            reading->phase == PHASE_EXECUTIVE ? INTENT_TARGET : INTENT_NOMINATE;
        intent->player = players_first(tally.acts);
        intent->formula = tally.act.formula;
        break;
    case OUTCOME_ASK:
        set_question(intent, &tally);
        break;
    case OUTCOME_BOTH:
        conclude_several(intent, &tally, why);
        break;
    }
}

/* ---- hints --------------------------------------------------------------- */

bool
names_guess(const struct rich *post, const struct reading *reading,
            struct intent *intent)
{
    struct names names;
    struct stretch stretch;
    size_t run = 0;
    bool found = false;

    names.count = 0;
    while (!found && stretch_next(post, true, &run, &stretch)) {
        names_need(&names, reading);
        struct buf whole = BUF_INIT;
        stretch_key(post, &stretch, &whole);
        struct slice key = name_without_at(slice_of(&whole));
        struct slice core = slice_core(key);
        uint32_t players = players_near(&names, core);
        bool word = core.len > 0 && memchr(core.text, ' ', core.len) == NULL;
        /* A name that is right but not red is told of the colour alone. */
        bool right = !reading->bold_names && players_named(&names, key) != 0;
        bool meant =
            stretch.red || (!right && stretch_is_alone(post, &stretch));
        found = meant && (players != 0 || word || stretch.red);
        if (found) {
            intent->kind = INTENT_AMBIGUOUS;
            intent->question =
                players != 0 ? ASK_UNCLEAR_NAME : ASK_UNKNOWN_NAME;
            intent_set_text(intent, post->text.data + stretch.start,
                            stretch.len);
            set_candidates(intent, players);
        }
        buf_release(&whole);
    }
    names_release(&names);
    return found;
}

/* Is it a command to name somebody, "!nominate"? */
static bool
is_command_alone(const struct reading *reading, const struct meant *line)
{
    const char *words = buf_text(&line->words);
    struct slice word;

    return line->ordered && list_next(&words, &word) &&
           (word_is_naming(reading, word) || meant_is_voting(reading, word));
}

enum slip
names_nearly(const struct rich *post, const struct reading *reading,
             unsigned *player)
{
    struct names names;
    struct meant line = {.run = 0};
    enum slip slip = SLIP_NONE;
    bool ordered = false;
    uint32_t meant = 0;
    uint32_t all = 0;

    names_init(&names, reading);
    while (meant_next(post, reading, &line)) {
        uint32_t players =
            players_contained(&names, slice_of(&line.raw)) | line.mentioned;
        all |= players;
        ordered = ordered || is_command_alone(reading, &line);
        if (values_count(players) == 1 && !meant_is_talk(reading, &line)) {
            slip = meant == 0 ? line.slip : slip;
            meant |= players;
        }
    }
    meant_release(&line);
    names_release(&names);
    if (values_count(meant) == 1) {
        *player = players_first(meant);
        return slip;
    }
    if (all == 0 && ordered) {
        *player = reading->player_count;
        return SLIP_COMMAND;
    }
    if (values_count(all) != 1) {
        return SLIP_NONE;
    }
    *player = players_first(all);
    return SLIP_TALK;
}
