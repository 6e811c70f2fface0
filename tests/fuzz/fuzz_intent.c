/*
 * What a post means: the first byte chooses what is read for, the second the
 * dialect, the rest is the post.  Whatever it says, the verdict is whole, fits
 * what was asked, and without bold text nobody has acted in public.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "tests/support/markdown/markdown_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const roster[] = {"Ann", "Ann Lee", "Anna", "Zoë",  "P1",
                                     "P10", "Karl",    "J.R.", "Нина", "Ja"};
static const struct dialect *const dialects[] = {
    &dialect_bbcode, &dialect_board,  &dialect_discord, &dialect_html,
    &forum_markdown, &dialect_matrix, &dialect_plain};
static const char *const hands[] = {"FLF", "LLF", "FFF", "FL"};

enum {
    PLAYERS = sizeof roster / sizeof roster[0],
    DIALECTS = sizeof dialects / sizeof dialects[0],
    TEXT_MAX = 41, /* code points, with the ellipsis */
};

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static struct reading
reading_of(uint8_t choice)
{
    static const char *const ids[PLAYERS] = {"1", "2", "3", "4", "5",
                                             "6", "7", "8", "9", "10"};
    struct reading reading = {.phase = choice % (PHASE_DM_BALLOT + 1),
                              .player_count = PLAYERS,
                              .prefix = "!",
                              .bold_names = (choice & 8) != 0,
                              .mention_names = (choice & 16) != 0};

    for (unsigned i = 0; i < PLAYERS; i++) {
        reading.players[i].name = roster[i];
        reading.players[i].id = ids[i];
    }
    reading.players[0].aliases[0] = "Annie";
    reading.players[0].alias_count = 1;
    if ((choice & 32) != 0) {
        reading.ja[reading.ja_count++] = "oui";
        reading.nein[reading.nein_count++] = "pas du tout";
        reading.approved = "entendu d'accord";
        reading.declined = "Nein!";
        reading.question = "qu pourquoi as";
        reading.doubt = "n pas s'il";
        reading.but = "mais";
        reading.naming = "nomme choisis";
        reading.voting = "je vote";
    }
    memcpy(reading.hand, hands[choice >> 6], strlen(hands[choice >> 6]));
    return reading;
}

static size_t
codepoints(const char *text)
{
    size_t len = strlen(text);
    size_t count = 0;

    for (size_t at = 0; at < len; count++) {
        utf8proc_int32_t codepoint;
        utf8proc_ssize_t used =
            utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                             (utf8proc_ssize_t)(len - at), &codepoint);
        demand(used > 0);
        at += (size_t)used;
    }
    return count;
}

/* Is this kind an answer to what was read for? */
static bool
kind_fits(enum intent_kind kind, enum phase phase)
{
    switch (kind) {
    case INTENT_NONE:
    case INTENT_AMBIGUOUS:
        return true;
    case INTENT_VOTE:
        return phase == PHASE_VOTING || phase == PHASE_DM_BALLOT;
    case INTENT_NOMINATE:
        return phase == PHASE_NOMINATION;
    case INTENT_TARGET:
        return phase == PHASE_EXECUTIVE;
    case INTENT_VETO:
        return phase == PHASE_VETO_CHANCELLOR || phase == PHASE_DM_CHANCELLOR;
    case INTENT_VETO_REPLY:
        return phase == PHASE_VETO_PRESIDENT;
    case INTENT_PASS:
        return phase == PHASE_DM_PRESIDENT;
    case INTENT_ENACT:
        return phase == PHASE_DM_CHANCELLOR;
    }
    return false;
}

static bool
has_bold(const struct rich *post)
{
    unsigned marks = 0;

    for (size_t i = 0; i < post->count; i++) {
        if ((post->runs[i].marks & MARKS_EXCLUDED) == 0) {
            marks |= post->runs[i].marks;
        }
    }
    return (marks & MARK_BOLD) != 0;
}

static void
check_intent(const struct intent *intent, const struct reading *reading)
{
    struct buf value = BUF_INIT;
    bool valued = intent_value(intent, reading, &value);

    demand(kind_fits(intent->kind, reading->phase));
    demand((intent->kind == INTENT_AMBIGUOUS) ==
           (intent->question != ASK_NONE));
    demand(intent->player < PLAYERS);
    demand(intent->card < strlen(reading->hand));
    demand(intent->player_count <= 3);
    for (unsigned i = 0; i < intent->player_count; i++) {
        demand(intent->players[i] < PLAYERS);
    }
    demand(codepoints(intent->text) <= TEXT_MAX);
    demand(strpbrk(intent->text, "\n\r") == NULL);
    demand(codepoints(intent->word) < sizeof intent->word);
    demand(valued == (value.len > 0));
    demand(intent->kind != INTENT_PASS ||
           value.len == strlen(reading->hand) - 1);
    buf_release(&value);
}

static void
check_why(const struct buf *why)
{
    const char *text = buf_text(why);

    demand(why->len > 4 && codepoints(text) > 4);
    demand((text[0] == 'R' || text[0] == 'D') &&
           isdigit((unsigned char)text[1]) && strchr(text, '\n') == NULL);
}

static void
check_commands(const struct rich *post)
{
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t from = 0;
    size_t before = 0;

    while (intent_command(post, "!", "77", &from, &word, &rest)) {
        demand(from > before && from <= post->text.len);
        demand(word.len > 0 && memchr(buf_text(&rest), '\n', rest.len) == NULL);
        codepoints(buf_text(&word));
        codepoints(buf_text(&rest));
        buf_clear(&word);
        buf_clear(&rest);
        before = from;
    }
    demand(from == post->text.len);
    buf_release(&word);
    buf_release(&rest);
}

/* Each run adds a blank, and its marks, at most.  A mention with marks in it is
 * several runs, each with the whole id. */
static void
check_words(const struct rich *post)
{
    struct buf words = BUF_INIT;
    size_t most = 0;

    for (size_t i = 0; i < post->count; i++) {
        const struct run *run = &post->runs[i];

        most += 3 + (run->len > run->id_len ? run->len : run->id_len);
    }
    intent_words(post, &words);
    demand(words.len <= most);
    buf_release(&words);
}

static void
check_names(const struct rich *post)
{
    struct buf name = BUF_INIT;
    struct buf again = BUF_INIT;

    if (name_clean(buf_text(&post->text), &name)) {
        demand(name.len > 0 && name.len <= NAME_BYTES_MAX);
        demand(codepoints(name.data) <= NAME_CODEPOINTS_MAX);
        demand(name_clean(name.data, &again) &&
               buf_equals(&again, buf_text(&name)));
        demand(names_compare(name.data, name.data) != NAMES_ALIKE);
    } else {
        demand(name.len == 0);
    }
    buf_release(&name);
    buf_release(&again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rich post = {.count = 0};
    struct buf why = BUF_INIT;
    struct intent intent;
    unsigned player = 0;
    bool unread;

    if (size < 2) {
        return 0;
    }
    struct reading reading = reading_of(data[0]);
    const struct dialect *dialect = dialects[data[1] % DIALECTS];
    dialect->read((const char *)data + 2, size - 2, &post, &unread);
    intent_read(&post, &reading, &intent, &why);
    check_intent(&intent, &reading);
    check_why(&why);
    demand(reading.phase >= PHASE_DM_PRESIDENT || has_bold(&post) ||
           intent.kind == INTENT_NONE);
    if (intent_nearly(&post, &reading, &player) != SLIP_NONE) {
        demand(player <= reading.player_count);
    }
    if (intent_guess(&post, &reading, &intent)) {
        demand(reading.phase == PHASE_NOMINATION ||
               reading.phase == PHASE_EXECUTIVE);
        check_intent(&intent, &reading);
    }
    (void)intent_says(&post, "!", "join", "in imin");
    check_commands(&post);
    check_words(&post);
    check_names(&post);
    rich_release(&post);
    buf_release(&why);
    return 0;
}
