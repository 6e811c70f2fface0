#include "bot/local/prompt.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "bot/host/reading/names.h"

void
prompt_init(struct prompt *prompt, int file)
{
    memset(prompt, 0, sizeof(*prompt));
    prompt->file = file;
    prompt->terminal = isatty(file) == 1;
    buf_init(&prompt->gathered, PROMPT_LINE_MAX);
}

/* Whoever is in the background and reads or sets the terminal is stopped. */
static bool
in_front(const struct prompt *prompt)
{
    return prompt->terminal && tcgetpgrp(prompt->file) == getpgrp();
}

bool
prompt_take_keys(struct prompt *prompt)
{
    if (!in_front(prompt) || tcgetattr(prompt->file, &prompt->lines) != 0) {
        return false;
    }
    struct termios keys = prompt->lines;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    prompt->keys = tcsetattr(prompt->file, TCSANOW, &keys) == 0;
    return prompt->keys;
}

void
prompt_release(struct prompt *prompt)
{
    if (prompt->keys && in_front(prompt)) {
        (void)tcsetattr(prompt->file, TCSAFLUSH, &prompt->lines);
    }
    prompt->keys = false;
    buf_release(&prompt->gathered);
    prompt->ended = true;
}

/* Take the bytes read up to the end of a line; false: there is no end yet. */
static bool
gather(struct prompt *prompt)
{
    size_t len = prompt->end - prompt->at;
    const char *from = prompt->page + prompt->at;
    const char *end = len > 0 ? memchr(from, '\n', len) : NULL;
    if (end != NULL) {
        len = (size_t)(end - from);
        prompt->at++;
    }
    buf_add(&prompt->gathered, from, len);
    prompt->at += len;
    return end != NULL;
}

/* Drop a character that was cut in the middle. */
static void
drop_half(struct buf *line)
{
    size_t len = line->len;
    while (len > 0 && ((unsigned char)line->data[len - 1] & 0xC0) == 0x80) {
        len--;
    }
    bool half = len > 0 && (unsigned char)line->data[len - 1] >= 0xC0;
    buf_truncate(line, half ? len - 1 : line->len);
}

static void
hand_over(struct prompt *prompt, struct buf *line)
{
    struct buf *raw = &prompt->gathered;
    buf_clear(line);
    if (raw->cut) {
        drop_half(raw);
    }
    for (size_t at = 0; at < raw->len;) {
        int32_t codepoint = 0;
        at += letter_next(raw->data, raw->len, at, &codepoint);
        bool control =
            codepoint < 0x20 || (codepoint >= 0x7F && codepoint < 0xA0);
        bool blank = control || codepoint == ' ';
        if (!blank || line->len > 0) {
            buf_add_codepoint(line, blank ? ' ' : (uint32_t)codepoint);
        }
    }
    while (line->len > 0 && line->data[line->len - 1] == ' ') {
        buf_truncate(line, line->len - 1);
    }
    line->cut = raw->cut;
    buf_clear(raw);
    raw->cut = false;
}

/* Read more; PROMPT_LINE: some has arrived. */
static enum prompt_answer
fill(struct prompt *prompt, int patience)
{
    struct pollfd wait = {.fd = prompt->file, .events = POLLIN};
    int ready = poll(&wait, 1, patience);
    if (ready == 0) {
        return PROMPT_NOTHING;
    }
    ssize_t got =
        ready < 0 ? -1 : read(prompt->file, prompt->page, sizeof(prompt->page));
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return PROMPT_BROKEN;
    }
    if (got <= 0) {
        prompt->ended = true;
        return PROMPT_END;
    }
    prompt->at = 0;
    prompt->end = (size_t)got;
    return PROMPT_LINE;
}

enum prompt_answer
prompt_read(struct prompt *prompt, int patience, struct buf *line)
{
    while (!gather(prompt)) {
        enum prompt_answer answer =
            prompt->ended ? PROMPT_END : fill(prompt, patience);
        if (answer == PROMPT_END && prompt->gathered.len > 0) {
            break; /* a last line without a line end */
        }
        if (answer != PROMPT_LINE) {
            return answer;
        }
    }
    hand_over(prompt, line);
    return PROMPT_LINE;
}

void
prompt_pause(struct prompt *prompt, int pause)
{
    if (prompt->keys && !prompt->ended && in_front(prompt)) {
        (void)fill(prompt, pause);
        prompt->at = prompt->end; /* which keys they were doesn't matter */
    } else {
        (void)poll(NULL, 0, pause);
    }
}
