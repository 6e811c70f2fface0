#include "tests/support/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

enum {
    WORDS_MAX = 8
};

static void
become(const char *folder, const char *const *words,
       const char *const *environment)
{
    char *copies[WORDS_MAX + 1] = {NULL};

    for (; *environment != NULL; environment++) {
        char *copy = strdup(*environment);
        char *value = strchr(copy, '=');

        *value++ = '\0';
        (void)setenv(copy, value, 1);
        free(copy);
    }
    for (unsigned i = 0; i < WORDS_MAX && words[i] != NULL; i++) {
        copies[i] = strdup(words[i]);
    }
    if (chdir(folder) == 0) {
        (void)execv(words[0], copies);
    }
    _exit(126);
}

bool
terminal_is_there(void)
{
    int screen = -1;
    int other = -1;

    if (openpty(&screen, &other, NULL, NULL, NULL) != 0) {
        return false;
    }
    (void)close(screen);
    (void)close(other);
    return true;
}

void
terminal_open(struct terminal *terminal, const char *folder,
              const char *const *words, const char *const *environment)
{
    memset(terminal, 0, sizeof(*terminal));
    terminal->process = forkpty(&terminal->screen, NULL, NULL, NULL);
    ck_assert_int_ge(terminal->process, 0);
    if (terminal->process == 0) {
        become(folder, words, environment);
    }
    ck_assert_int_eq(fcntl(terminal->screen, F_SETFL, O_NONBLOCK), 0);
}

bool
terminal_work(struct terminal *terminal)
{
    char chunk[4096];
    ssize_t got =
        terminal->screen < 0 ? 0 : read(terminal->screen, chunk, sizeof(chunk));

    if (got <= 0) {
        /* EIO: the program has closed it. */
        if (got == 0 || errno == EIO) {
            (void)close(terminal->screen);
            terminal->screen = -1;
        }
        return false;
    }
    for (ssize_t i = 0; i < got; i++) {
        if (chunk[i] != '\r') {
            buf_add_char(&terminal->seen, chunk[i]);
        }
    }
    return true;
}

/* The end of a text that stands here; NULL: it does not. */
static const char *
end_of(const char *at, const char *text)
{
    for (; *text != '\0'; text++) {
        size_t blanks = strspn(at, " \n");

        if (*text == ' ' ? blanks == 0 : *at != *text) {
            return NULL;
        }
        /* at the end of the text the next line is not waited for */
        at += *text == ' ' && text[1] != '\0' ? blanks : 1;
    }
    return at;
}

bool
terminal_has_shown(struct terminal *terminal, const char *text)
{
    const char *from = buf_text(&terminal->seen);

    for (const char *at = from + terminal->read; *at != '\0'; at++) {
        const char *end = end_of(at, text);

        if (end != NULL) {
            terminal->read = (size_t)(end - from);
            return true;
        }
    }
    return false;
}

void
terminal_type(struct terminal *terminal, const char *keys)
{
    size_t len = strlen(keys);

    ck_assert_int_eq(write(terminal->screen, keys, len), (ssize_t)len);
}

int
terminal_end(struct terminal *terminal)
{
    int status = 0;

    ck_assert_int_lt(terminal->screen, 0);
    ck_assert_int_eq(waitpid(terminal->process, &status, 0), terminal->process);
    terminal->process = 0;
    ck_assert_msg(WIFEXITED(status), "%s", buf_text(&terminal->seen));
    return WEXITSTATUS(status);
}

void
terminal_close(struct terminal *terminal)
{
    if (terminal->process > 0) {
        (void)kill(terminal->process, SIGKILL);
        (void)waitpid(terminal->process, NULL, 0);
    }
    if (terminal->screen >= 0) {
        (void)close(terminal->screen);
    }
    buf_release(&terminal->seen);
    memset(terminal, 0, sizeof(*terminal));
    terminal->screen = -1;
}
