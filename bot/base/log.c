#include "bot/base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/buf.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    LINE_MAX_BYTES = 2000
};

static const struct level {
    const char *word;
    unsigned priority; /* as syslog(3) counts them */
} levels[] = {
    [LOG_LEVEL_NONE] = {"", 0},           [LOG_LEVEL_ERROR] = {"error", 3},
    [LOG_LEVEL_WARNING] = {"warning", 4}, [LOG_LEVEL_INFO] = {"info", 6},
    [LOG_LEVEL_DEBUG] = {"debug", 7},
};

static enum log_level highest = LOG_LEVEL_WARNING;
static enum log_form current_form = LOG_FORM_TEXT;

void
log_set_level(enum log_level level)
{
    highest = level;
}

void
log_set_form(enum log_form form)
{
    current_form = form;
}

/* Is standard error the stream that systemd made for the journal?  It tells its
 * device and inode: systemd.exec(5), JOURNAL_STREAM. */
static bool
leads_to_journal(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat info;
    char here[64];
    if (stream == NULL || fstat(STDERR_FILENO, &info) != 0) {
        return false;
    }
    (void)snprintf(here, sizeof here, "%llu:%llu",
                   (unsigned long long)info.st_dev,
                   (unsigned long long)info.st_ino);
    return strcmp(stream, here) == 0;
}

bool
log_find_form(const char *name, enum log_form *form)
{
    static const char *const names[] = {[LOG_FORM_TEXT] = "text",
                                        [LOG_FORM_JOURNAL] = "journal",
                                        [LOG_FORM_JSON] = "json"};
    if (name == NULL) {
        *form = leads_to_journal() ? LOG_FORM_JOURNAL : LOG_FORM_TEXT;
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0) {
            *form = (enum log_form)i;
            return true;
        }
    }
    return false;
}

/* What came from outside must not look like a second line, nor reach the
 * operator's terminal as an escape sequence. */
static void
blank_controls(struct buf *text)
{
    for (size_t i = 0; i < text->len; i++) {
        unsigned char byte = (unsigned char)text->data[i];
        if (byte < ' ' || byte == 127) {
            text->data[i] = ' ';
        }
    }
}

static void
add_member(struct buf *out, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0') {
        jtext_key(out, key);
        jtext_string(out, value);
    }
}

static void
print_json(const struct level *level, const struct log_subject *subject,
           const char *text)
{
    struct buf line = BUF_INIT;
    struct buf instant = BUF_INIT;
    instant_write(clock_now(), &instant);
    buf_add_char(&line, '{');
    add_member(&line, "time", buf_text(&instant));
    add_member(&line, "level", level->word);
    if (subject != NULL) {
        add_member(&line, "service", subject->service);
        add_member(&line, "place", subject->place);
        add_member(&line, "table", subject->table);
        add_member(&line, "person", subject->person);
        add_member(&line, "event", subject->event);
        if (subject->round != 0) {
            jtext_key(&line, "round");
            buf_add_number(&line, subject->round);
        }
    }
    add_member(&line, "text", text);
    buf_add_text(&line, "}\n");
    (void)fputs(buf_text(&line), stderr);
    buf_release(&instant);
    buf_release(&line);
}

static void __attribute__((format(printf, 3, 0)))
print(enum log_level level, const struct log_subject *subject,
      const char *format, va_list args)
{
    const struct level *kind = &levels[level];
    struct buf text;
    buf_init(&text, LINE_MAX_BYTES);
    buf_vaddf(&text, format, args);
    blank_controls(&text);
    text.max = 0;
    buf_add_text(&text, text.cut ? " …" : "");
    if (current_form == LOG_FORM_JSON) {
        print_json(kind, subject, buf_text(&text));
    } else {
        if (current_form == LOG_FORM_JOURNAL) {
            (void)fprintf(stderr, "<%u>", kind->priority);
        }
        (void)fprintf(stderr, "%s: %s\n", kind->word, buf_text(&text));
    }
    buf_release(&text);
}

void
log_line(enum log_level level, const char *format, ...)
{
    va_list args;
    if (level <= highest) {
        va_start(args, format);
        print(level, NULL, format, args);
        va_end(args);
    }
}

void
log_about(enum log_level level, const struct log_subject *subject,
          const char *format, ...)
{
    va_list args;
    if (level <= highest) {
        va_start(args, format);
        print(level, subject, format, args);
        va_end(args);
    }
}
