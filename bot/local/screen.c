#include "bot/local/screen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include "adapters/markup/rich.h"
#include "bot/base/civil.h"

enum {
    SCREEN_WIDTH = 80,
    SCREEN_INDENT = 6,
    CODEPOINT_UNKNOWN = 0xFFFD,
};

/* The style of a character: the marks that show, and what is no part of a
 * post's text. */
enum style {
    STYLE_FAINT = 1 << 16,
    STYLE_NAME = 1 << 17,
    STYLE_HOST = 1 << 18,
    STYLE_OWN = 1 << 19,
    STYLE_MARKS = MARK_BOLD | MARK_RED | MARK_CODE | MARK_STRUCK | MARK_QUOTED |
                  MARK_SPOILER,
};

/* How a style looks in a terminal (SGR), and without one. */
static const struct look {
    unsigned style;
    const char *sgr, *open, *close;
} looks[] = {
    {MARK_BOLD, ";1", "**", "**"},    {MARK_RED, ";31", "[", "]"},
    {MARK_CODE, ";36", "`", "`"},     {MARK_STRUCK, ";9", "~~", "~~"},
    {MARK_SPOILER, ";7", "||", "||"}, {STYLE_FAINT, ";2", "", ""},
    {STYLE_NAME, ";36;1", "", ""},    {STYLE_HOST, ";33;1", "", ""},
    {STYLE_OWN, ";32;1", "", ""},
};

enum {
    LOOKS = sizeof(looks) / sizeof(looks[0])
};

/* A post being written: words are collected and wrapped. */
struct pen {
    bool colour;
    const char *margin; /* of every line except the header */
    unsigned margin_width;
    struct buf out;
    unsigned column;
    bool fresh;  /* there is nothing on this line yet, not even the margin */
    bool quoted; /* this line belongs to a quote */
    struct buf word;
    unsigned word_width;
    unsigned word_style;            /* that is set in `out` before the word */
    bool blank_before, blank_after; /* around the word */
    unsigned style;                 /* of the last character */
};

/* ---- styles -------------------------------------------------------------- */

static void
add_sgr(struct buf *out, unsigned style)
{
    buf_add_text(out, "\033[0");
    for (unsigned i = 0; i < LOOKS; i++) {
        if (style & looks[i].style) {
            buf_add_text(out, looks[i].sgr);
        }
    }
    buf_add_char(out, 'm');
}

static void
add_mark(struct pen *pen, const char *mark)
{
    buf_add_text(&pen->word, mark);
    pen->word_width += (unsigned)strlen(mark);
}

/* End the styles that the next character doesn't have; the marks belong to this
 * word. */
static void
close_style(struct pen *pen, unsigned style)
{
    unsigned ended = pen->style & ~style;
    if (ended == 0) {
        return;
    }
    if (pen->colour) {
        add_sgr(&pen->word, pen->style & style);
    }
    for (unsigned i = LOOKS; !pen->colour && i-- > 0;) {
        if (ended & looks[i].style) {
            add_mark(pen, looks[i].close);
        }
    }
    pen->style &= style;
}

static void
open_style(struct pen *pen, unsigned style)
{
    unsigned begun = style & ~pen->style;
    if (begun == 0) {
        return;
    }
    if (pen->colour) {
        add_sgr(&pen->word, style);
    }
    for (unsigned i = 0; !pen->colour && i < LOOKS; i++) {
        if (begun & looks[i].style) {
            add_mark(pen, looks[i].open);
        }
    }
    pen->style = style;
}

/* ---- lines --------------------------------------------------------------- */

static void
begin_line(struct pen *pen)
{
    buf_add_text(&pen->out, pen->margin);
    pen->column = pen->margin_width;
    if (pen->quoted) {
        buf_add_text(&pen->out, "> ");
        pen->column += 2;
    }
    pen->fresh = false;
}

/* End a line; an empty one keeps only the visible part of the margin. */
static void
end_line(struct pen *pen)
{
    if (pen->fresh) {
        begin_line(pen);
    }
    while (pen->out.len > 0 && pen->out.data[pen->out.len - 1] == ' ') {
        buf_truncate(&pen->out, pen->out.len - 1);
    }
    buf_add_char(&pen->out, '\n');
    pen->fresh = true;
    pen->blank_before = false;
    pen->column = 0;
}

/* Wrap inside a post: bold and red continue after the margin. */
static void
wrap_line(struct pen *pen)
{
    bool styled = pen->colour && pen->word_style != 0;
    if (styled) {
        add_sgr(&pen->out, 0);
    }
    end_line(pen);
    begin_line(pen);
    if (styled) {
        add_sgr(&pen->out, pen->word_style);
    }
}

/* Write the collected word. */
static void
set_word(struct pen *pen)
{
    unsigned width = pen->word_width + (pen->blank_before ? 1 : 0);
    if (pen->word.len > 0) {
        if (pen->fresh) {
            begin_line(pen);
        } else if (pen->column + width > SCREEN_WIDTH) {
            wrap_line(pen);
        } else if (pen->blank_before) {
            buf_add_char(&pen->out, ' ');
            pen->column++;
        }
        buf_add_buf(&pen->out, &pen->word);
        pen->column += pen->word_width;
        buf_clear(&pen->word);
    }
    pen->word_width = 0;
    pen->word_style = pen->style;
    pen->blank_before = pen->blank_after;
    pen->blank_after = false;
}

static void
set_line(struct pen *pen)
{
    close_style(pen, 0);
    set_word(pen);
    end_line(pen);
    pen->quoted = false;
}

/* ---- characters ---------------------------------------------------------- */

/* Would it control the terminal, or reverse the rest of a line? */
static bool
is_hostile(int32_t codepoint)
{
    return codepoint < 0x20 || (codepoint >= 0x7F && codepoint < 0xA0) ||
           codepoint == 0x2028 || codepoint == 0x2029 || codepoint == 0x061C ||
           codepoint == 0x200E || codepoint == 0x200F || codepoint == 0xFEFF ||
           (codepoint >= 0x202A && codepoint <= 0x202E) ||
           (codepoint >= 0x2066 && codepoint <= 0x2069);
}

static void
add_visible(struct pen *pen, int32_t codepoint, unsigned style)
{
    unsigned look = style & ~(unsigned)MARK_QUOTED;
    int width = utf8proc_charwidth(codepoint);
    unsigned columns = width > 0 ? (unsigned)width : 0;
    unsigned room = SCREEN_WIDTH - pen->margin_width - (pen->quoted ? 2 : 0);
    close_style(pen, look);
    if (pen->blank_after || pen->word_width + columns > room) {
        set_word(pen);
    }
    if (pen->fresh) {
        pen->quoted = (style & MARK_QUOTED) != 0;
    } else if (style & MARK_QUOTED && !pen->quoted) {
        pen->quoted = true; /* a quote after the name */
        add_mark(pen, "> ");
    }
    open_style(pen, look);
    buf_add_codepoint(&pen->word, (uint32_t)codepoint);
    pen->word_width += columns;
}

static void
add_codepoint(struct pen *pen, int32_t codepoint, unsigned style)
{
    if (codepoint == '\n') {
        set_line(pen);
    } else if (codepoint == ' ' || codepoint == '\t') {
        bool within = pen->word.len > 0;
        pen->blank_after = pen->blank_after || within;
        pen->blank_before = pen->blank_before || !(within || pen->fresh);
    } else if (is_hostile(codepoint)) {
        add_visible(pen, CODEPOINT_UNKNOWN, style);
    } else if (codepoint != 0x200B) { /* the escape of the board's dialect */
        add_visible(pen, codepoint, style);
    }
}

/* Take the next character off a text that is not empty. */
static int32_t
next_codepoint(const char **text, size_t *len)
{
    utf8proc_int32_t codepoint = 0;
    utf8proc_ssize_t used = utf8proc_iterate(
        (const utf8proc_uint8_t *)*text, (utf8proc_ssize_t)*len, &codepoint);
    if (used <= 0) {
        codepoint = CODEPOINT_UNKNOWN;
        used = 1;
    }
    *text += used;
    *len -= (size_t)used;
    return codepoint;
}

static void
add_text(struct pen *pen, const char *text, size_t len, unsigned style)
{
    while (len > 0) {
        add_codepoint(pen, next_codepoint(&text, &len), style);
    }
}

/* A text meant to be copied: on lines of its own, which are not wrapped. */
static void
add_exact(struct pen *pen, const char *text, size_t len)
{
    if (!pen->fresh || pen->word.len > 0) {
        set_line(pen);
    }
    begin_line(pen);
    while (len > 0) {
        int32_t codepoint = next_codepoint(&text, &len);
        if (codepoint == '\n') {
            end_line(pen);
            begin_line(pen);
        } else {
            bool hostile = is_hostile(codepoint);
            buf_add_codepoint(&pen->out, hostile ? CODEPOINT_UNKNOWN
                                                 : (uint32_t)codepoint);
        }
    }
}

static void
add_plain(struct pen *pen, const char *text, unsigned style)
{
    add_text(pen, text, strlen(text), style);
}

/* ---- posts --------------------------------------------------------------- */

/* A text of the catalogue. */
static void
add_words(struct pen *pen, const struct screen *screen, const char *key,
          unsigned style)
{
    struct buf text = BUF_INIT;
    catalogue_text(screen->catalogue, key, NULL, &text);
    add_plain(pen, buf_text(&text), style);
    buf_release(&text);
}

static void
add_run(struct pen *pen, const struct screen *screen, const struct rich *rich,
        const struct run *run)
{
    const char *text = rich_run_text(rich, run);
    unsigned style = run->marks & STYLE_MARKS;
    if (run->marks & MARK_OBJECT) {
        add_words(pen, screen, "play_picture", style);
        return;
    }
    if (run->marks == (MARK_CODE | MARK_SPOILER)) {
        add_exact(pen, text, run->len);
        return;
    }
    if (run->marks & MARK_MENTION && run->len > 0 && text[0] != '@') {
        add_plain(pen, "@", style);
    }
    add_text(pen, text, run->len, style);
}

static void
add_rich(struct pen *pen, const struct screen *screen, const struct rich *rich)
{
    for (size_t i = 0; i < rich->count; i++) {
        add_run(pen, screen, rich, &rich->runs[i]);
    }
}

static void
add_body(struct pen *pen, const struct screen *screen, const char *text)
{
    struct rich rich = {.count = 0};
    bool unread = false;
    dialect_board.read(text, strlen(text), &rich, &unread);
    if (unread) {
        add_words(pen, screen, "play_unread", STYLE_FAINT);
    }
    add_rich(pen, screen, &rich);
    rich_wipe(&rich);
}

/* "(✅)": the host's own reactions need no name. */
static void
add_reactions(struct pen *pen, const char *reactions)
{
    static const char by_host[] = " by " BOARD_HOST;
    if (reactions[0] == '\0') {
        return;
    }
    add_plain(pen, " (", STYLE_FAINT);
    for (const char *found; (found = strstr(reactions, by_host)) != NULL;
         reactions = found + strlen(by_host)) {
        add_text(pen, reactions, (size_t)(found - reactions), STYLE_FAINT);
    }
    add_plain(pen, reactions, STYLE_FAINT);
    add_plain(pen, ")", STYLE_FAINT);
}

static void
add_date(struct pen *pen, const struct screen *screen, int64_t stamp)
{
    struct buf line = BUF_INIT;
    buf_add_text(&line, "── ");
    catalogue_date(screen->catalogue, stamp, &line);
    buf_add_text(&line, " ──");
    add_plain(pen, buf_text(&line), STYLE_FAINT);
    set_line(pen);
    buf_release(&line);
}

static void
add_clock(struct pen *pen, int64_t stamp)
{
    struct civil civil = civil_at(stamp, zone_utc());
    struct buf clock = BUF_INIT;
    buf_addf(&clock, "%02d:%02d", civil.hour, civil.minute);
    add_plain(pen, buf_text(&clock), STYLE_FAINT);
    buf_release(&clock);
}

static void
add_number(struct pen *pen, const char *before, int64_t number)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, before);
    buf_add_number(&text, number);
    add_plain(pen, buf_text(&text), STYLE_FAINT);
    buf_release(&text);
}

static void
add_name(struct pen *pen, const struct screen *screen, const char *name)
{
    unsigned style = STYLE_NAME;
    if (strcmp(name, BOARD_HOST) == 0) {
        style = STYLE_HOST;
    } else if (screen->reader != NULL && strcmp(name, screen->reader) == 0) {
        style = STYLE_OWN;
    }
    add_plain(pen, name, style);
}

/* The user whose DM a place is, or NULL. */
static const char *
dm_of(const char *place)
{
    return strncmp(place, "talk/", 5) == 0 ? place + 5 : NULL;
}

/* When, who, to whom. */
static void
add_header(struct pen *pen, const struct screen *screen,
           const struct board_post *post)
{
    const char *dm = dm_of(post->place);
    if (screen->numbers) {
        add_number(pen, "#", post->id);
        add_plain(pen, " ", 0);
    }
    add_clock(pen, post->stamp);
    add_plain(pen, " ", 0);
    add_name(pen, screen, post->author);
    if (dm != NULL) {
        bool to_host = strcmp(post->author, dm) == 0;
        add_words(pen, screen, "play_to", STYLE_FAINT);
        add_name(pen, screen, to_host ? BOARD_HOST : dm);
        add_words(pen, screen, "play_in_private", STYLE_FAINT);
    }
    if (strncmp(post->place, "thread/", strlen("thread/")) == 0) {
        add_words(pen, screen, "play_in_thread", STYLE_FAINT);
        add_plain(pen, post->place + strlen("thread/"), STYLE_FAINT);
    }
    if (screen->numbers && post->reply != 0) {
        add_number(pen, ", to #", post->reply);
    }
    if (post->edited != 0) {
        add_words(pen, screen, "play_edited", STYLE_FAINT);
        add_clock(pen, post->edited);
    }
    add_words(pen, screen, "play_says", STYLE_FAINT);
}

static bool
same_day(int64_t one, int64_t other)
{
    return one / DAY_MS == other / DAY_MS;
}

void
screen_init(struct screen *screen, FILE *out)
{
    const char *no_colour = getenv("NO_COLOR");
    memset(screen, 0, sizeof(*screen));
    screen->out = out;
    screen->colour =
        isatty(fileno(out)) == 1 && (no_colour == NULL || no_colour[0] == '\0');
}

void
screen_post(struct screen *screen, const struct board_post *post)
{
    bool dm = dm_of(post->place) != NULL;
    bool apart = dm || strcmp(post->author, BOARD_HOST) == 0;
    bool new_day = screen->last == 0 || !same_day(screen->last, post->stamp);
    struct pen pen = {
        .colour = screen->colour,
        .margin = "",
        .fresh = true,
    };
    if (screen->apart || (screen->last != 0 && (apart || new_day))) {
        end_line(&pen);
    }
    if (new_day) {
        add_date(&pen, screen, post->stamp);
        end_line(&pen);
    }
    add_header(&pen, screen, post);
    if (apart) {
        set_line(&pen);
    } else {
        add_plain(&pen, " ", 0);
    }
    pen.margin = dm ? "    | " : "      ";
    pen.margin_width = SCREEN_INDENT;
    add_body(&pen, screen, post->text);
    add_reactions(&pen, post->reactions);
    set_line(&pen);
    (void)fwrite(buf_text(&pen.out), 1, pen.out.len, screen->out);
    screen->last = post->stamp;
    screen->apart = apart;
    buf_wipe(&pen.out);
    buf_wipe(&pen.word);
}

void
screen_note(struct screen *screen, const struct rich *note)
{
    struct pen pen = {
        .colour = screen->colour,
        .margin = "",
        .fresh = true,
    };
    if (screen->apart || screen->last != 0) {
        end_line(&pen);
    }
    add_rich(&pen, screen, note);
    set_line(&pen);
    (void)fwrite(buf_text(&pen.out), 1, pen.out.len, screen->out);
    screen->apart = true;
    buf_release(&pen.out);
    buf_release(&pen.word);
}
