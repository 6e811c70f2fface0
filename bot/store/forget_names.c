#include "bot/store/forget_names.h"

#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/host/reading/names.h"

static bool
is_number(const char *user)
{
    return strspn(user, "0123456789") == strlen(user);
}

void
forget_names_add(struct forget_names *names, const char *name)
{
    struct buf key = BUF_INIT;
    name_key(name, strlen(name), &key);
    bool known = key.len == 0 || names->count == FORGET_NAMES_MAX;
    for (unsigned i = 0; !known && i < names->count; i++) {
        known = buf_equals(&key, names->keys[i]);
    }
    if (!known) {
        names->keys[names->count++] = must_copy(buf_text(&key));
    }
    buf_release(&key);
}

void
forget_names_release(struct forget_names *names)
{
    while (names->count > 0) {
        free(names->keys[--names->count]);
    }
}

/* Letters, digits, and all that is not ASCII belong to words. */
static bool
is_word_byte(char byte)
{
    unsigned char code = (unsigned char)byte;
    return code >= 0x80 || (code >= '0' && code <= '9') ||
           (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

/* Does a text that begins here read like that name, whatever its case?  *len:
 * how long it is there. */
static bool
reads_like(const char *at, const char *key, size_t *len)
{
    bool same = false;
    struct buf read = BUF_INIT;
    size_t most = strnlen(at, 2 * strlen(key) + 4);
    if ((unsigned char)at[0] < 0x80 && (unsigned char)key[0] < 0x80 &&
        (at[0] | 0x20) != (key[0] | 0x20)) {
        return false;
    }
    for (*len = 1; !same && *len <= most; *len += same ? 0 : 1) {
        if (!is_word_byte(at[*len]) || !is_word_byte(at[*len - 1])) {
            buf_clear(&read);
            name_key(at, *len, &read);
            same = at[*len - 1] != ' ' && buf_equals(&read, key);
        }
    }
    buf_release(&read);
    return same;
}

/* The length of a name that stands at `at` as a word; 0: none does. */
static size_t
name_at(const struct forget_names *names, const char *text, const char *at)
{
    size_t longest = 0;
    for (unsigned i = 0; i < names->count && *at != ' '; i++) {
        size_t len = 0;
        if ((at == text || !is_word_byte(at[-1]) || !is_word_byte(at[0])) &&
            reads_like(at, names->keys[i], &len) && len > longest) {
            longest = len;
        }
    }
    return longest;
}

void
forget_names_replace(const struct forget_names *names, const char *new_name,
                     char *text, size_t size)
{
    struct buf changed = BUF_INIT;
    buf_init(&changed, size - 1);
    for (const char *at = text; *at != '\0';) {
        size_t len = name_at(names, text, at);
        if (len > 0) {
            buf_add_text(&changed, new_name);
            at += len;
        } else {
            buf_add_char(&changed, *at++);
        }
    }
    const char *words = buf_text(&changed);
    size_t len = changed.len;
    if (changed.cut) { /* at the end of a character */
        while (len > 0 && ((unsigned char)words[len - 1] & 0xC0) == 0x80) {
            len--;
        }
        len -= len > 0 && (unsigned char)words[len - 1] >= 0xC0;
    }
    memmove(text, words, len);
    text[len] = '\0';
    buf_wipe(&changed);
}

bool
forget_names_find(const struct forget_names *names, const char *user,
                  const struct buf *text)
{
    const char *start = buf_text(text);
    const char *end = start + text->len;
    size_t len = strlen(user);
    bool number = is_number(user);
    for (const char *at = start; at < end; at++) {
        if (number && strncmp(at, user, len) == 0 &&
            (at == start || strchr("\n\"@!/", at[-1]) != NULL) &&
            (at + len == end || strchr("\n\">/", at[len]) != NULL)) {
            return true;
        }
        if (name_at(names, start, at) > 0) {
            return true;
        }
    }
    return false;
}
