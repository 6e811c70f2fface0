#include "bot/cli/questions.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "bot/base/err.h"
#include "config/secrets.h"

enum {
    WIDTH = 78,
    DIGITS_MAX = 4,
    KEY_INTERRUPT = 3 /* Ctrl-C */
};

bool
questions_can_be_asked(void)
{
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

void
questions_init(struct questions *questions)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    prompt_init(&questions->prompt, STDIN_FILENO);
    questions->bold = (no_colour == NULL || no_colour[0] == '\0') &&
                      term != NULL && strcmp(term, "dumb") != 0;
}

void
questions_release(struct questions *questions)
{
    prompt_release(&questions->prompt);
}

/* ---- saying -------------------------------------------------------------- */

/* How many columns a text takes: its code points, for it is mostly ASCII. */
static size_t
columns(const char *text, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++) {
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    }
    return count;
}

/* One line of a paragraph, wrapped. */
static void
print_wrapped(const char *line, size_t len, const char *indent)
{
    size_t column = 0;
    size_t at = 0;
    while (at < len) {
        size_t word = strcspn(line + at, " \n");
        size_t wide = columns(line + at, word);
        if (column > 0 && column + 1 + wide > WIDTH) {
            (void)printf("\n%s", indent);
            column = strlen(indent);
        } else if (column > 0) {
            (void)putchar(' ');
            column++;
        }
        (void)printf("%.*s", (int)word, line + at);
        column += wide;
        at += word;
        at += strspn(line + at, " ");
    }
    (void)putchar('\n');
}

static void
print_paragraph(const char *text, const char *indent)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        if (*text == ' ') {
            (void)printf("%.*s\n", (int)len, text);
        } else {
            print_wrapped(text, len, indent);
        }
        text += len + (text[len] == '\n');
    }
    (void)fflush(stdout);
}

void
questions_say(struct questions *questions, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    (void)questions;
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    print_paragraph(buf_text(&text), "");
    buf_release(&text);
}

void
questions_complain(struct questions *questions, const char *format, ...)
{
    struct buf text = BUF_INIT;
    va_list args;
    (void)questions;
    buf_add_text(&text, "! ");
    va_start(args, format);
    buf_vaddf(&text, format, args);
    va_end(args);
    while (text.len > 0 && text.data[text.len - 1] == '\n') {
        buf_truncate(&text, text.len - 1);
    }
    if (strchr(".?!:", text.data[text.len - 1]) == NULL) {
        buf_add_char(&text, '.');
    }
    print_paragraph(buf_text(&text), "  ");
    buf_release(&text);
}

/* ---- asking -------------------------------------------------------------- */

static void
print_question(const struct questions *questions, const char *question,
               const char *normal)
{
    (void)printf("%s%s", questions->bold ? "\033[1m" : "", question);
    if (normal != NULL && normal[0] != '\0') {
        (void)printf(" [%s]", normal);
    }
    (void)printf(":%s ", questions->bold ? "\033[0m" : "");
    (void)fflush(stdout);
}

/* Is it a word that leads elsewhere? */
static enum answered
way_of(const char *text)
{
    return strcasecmp(text, "back") == 0   ? ANSWERED_BACK
           : strcasecmp(text, "quit") == 0 ? ANSWERED_QUIT
                                           : ANSWERED;
}

static enum answered
read_line(struct questions *questions, struct buf *answer)
{
    for (;;) {
        switch (prompt_read(&questions->prompt, -1, answer)) {
        case PROMPT_LINE:
            return way_of(buf_text(answer));
        case PROMPT_NOTHING:
        case PROMPT_BROKEN:
            break;
        case PROMPT_END:
            (void)putchar('\n');
            return ANSWERED_QUIT;
        }
    }
}

enum answered
questions_text(struct questions *questions, const char *question,
               const char *normal, struct buf *answer)
{
    print_question(questions, question, normal);
    enum answered answered = read_line(questions, answer);
    while (answered == ANSWERED && answer->cut) {
        questions_complain(questions, "That is too long; type less.");
        print_question(questions, question, normal);
        answered = read_line(questions, answer);
    }
    if (answer->len == 0 && normal != NULL) {
        buf_add_text(answer, normal);
    }
    return answered;
}

/* ---- a secret ------------------------------------------------------------ */

/* Ask for a line that the terminal does not show: it stops to before it asks.
 * What was typed ahead is not lost.  Ctrl-C ends the line, too, so that the
 * terminal is left as it was. */
static enum answered
read_hidden(const struct questions *questions, const char *question,
            struct buf *secret)
{
    struct termios before;
    struct termios hidden;
    char line[SECRET_MAX + 1];
    if (tcgetattr(STDIN_FILENO, &before) != 0) {
        return ANSWERED_QUIT;
    }
    hidden = before;
    hidden.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
    hidden.c_cc[VEOL] = KEY_INTERRUPT;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden);
    print_question(questions, question, NULL);
    ssize_t got = read(STDIN_FILENO, line, sizeof line);
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    bool ended = got <= 0 || line[got - 1] == KEY_INTERRUPT;
    buf_add(secret, line, ended ? 0 : (size_t)got);
    wipe(line, sizeof line);
    return ended ? ANSWERED_QUIT : ANSWERED;
}

/* Without the blanks around it, and the word that an HTTP header has before a
 * token. */
static void
tidy_secret(struct buf *secret)
{
    static const char *const schemes[] = {"Bot ", "Bearer "};
    size_t from = strspn(buf_text(secret), " \t");
    size_t end = secret->len;
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        size_t len = strlen(schemes[i]);
        if (strncmp(buf_text(secret) + from, schemes[i], len) == 0) {
            from += len;
        }
    }
    while (end > from && isspace((unsigned char)secret->data[end - 1])) {
        end--;
    }
    buf_truncate(secret, end);
    if (from > 0) {
        memmove(secret->data, secret->data + from, end - from);
        buf_truncate(secret, end - from);
    }
}

/* What is wrong with it; NULL: nothing. */
static const char *
trouble_with(const struct buf *secret)
{
    if (secret->len == 0) {
        return "Nothing has arrived. Paste it once more: in most terminals with "
               "Ctrl-Shift-V or the right mouse button.";
    }
    if (secret->cut) {
        return "That is too long for a token or a password; paste it alone.";
    }
    for (size_t i = 0; i < secret->len; i++) {
        if (iscntrl((unsigned char)secret->data[i])) {
            return "There is a sign in it that can't be typed, such as an arrow "
                   "key; type it once more.";
        }
    }
    return NULL;
}

enum answered
questions_secret(struct questions *questions, const char *question,
                 struct buf *secret)
{
    for (;;) {
        buf_wipe(secret);
        buf_init(secret, SECRET_MAX);
        enum answered answered = read_hidden(questions, question, secret);
        (void)putchar('\n');
        tidy_secret(secret);
        if (answered == ANSWERED) {
            answered = way_of(buf_text(secret));
        }
        const char *trouble = trouble_with(secret);
        if (answered != ANSWERED || trouble == NULL) {
            return answered;
        }
        questions_complain(questions, "%s", trouble);
    }
}

/* ---- one of several ------------------------------------------------------ */

unsigned
questions_number(const char *text, unsigned count)
{
    text += *text == '(' || *text == '#';
    size_t len = strspn(text, "0123456789");
    if (len == 0 || len > DIGITS_MAX ||
        strspn(text + len, ".) ") != strlen(text + len)) {
        return 0;
    }
    unsigned long number = strtoul(text, NULL, 10);
    return number > count ? 0 : (unsigned)number;
}

/* The number of the only thing that begins so; 0: none or several do. */
static unsigned
number_by_name(const char *text, const char *const *things, unsigned count)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (strncasecmp(things[i], text, strlen(text)) == 0) {
            if (found != 0) {
                return 0;
            }
            found = i + 1;
        }
    }
    return found;
}

enum answered
questions_choice(struct questions *questions, const char *const *things,
                 unsigned count, unsigned normal, unsigned *chosen)
{
    char usual[16] = "";
    struct buf answer = BUF_INIT;
    enum answered answered;
    unsigned number = 0;
    for (unsigned i = 0; i < count; i++) {
        (void)printf("%4u  %s\n", i + 1, things[i]);
    }
    if (normal < count) {
        (void)snprintf(usual, sizeof usual, "%u", normal + 1);
    }
    for (;;) {
        answered = questions_text(questions, "Number", usual, &answer);
        if (answered != ANSWERED) {
            break;
        }
        number = questions_number(buf_text(&answer), count);
        if (number == 0 && answer.len > 0) {
            number = number_by_name(buf_text(&answer), things, count);
        }
        if (number != 0) {
            *chosen = number - 1;
            break;
        }
        questions_complain(questions, "Type a number from 1 to %u.", count);
    }
    buf_release(&answer);
    return answered;
}

enum answered
questions_yes(struct questions *questions, const char *question, bool normal,
              bool *yes)
{
    struct buf answer = BUF_INIT;
    enum answered answered;
    for (;;) {
        answered =
            questions_text(questions, question, normal ? "yes" : "no", &answer);
        const char *text = buf_text(&answer);
        *yes = strcasecmp(text, "yes") == 0 || strcasecmp(text, "y") == 0;
        if (answered != ANSWERED || *yes || strcasecmp(text, "no") == 0 ||
            strcasecmp(text, "n") == 0) {
            break;
        }
        questions_complain(questions, "Type yes or no.");
    }
    buf_release(&answer);
    return answered;
}
