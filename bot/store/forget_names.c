/* Where somebody's names stand in a text. */
#include <ctype.h>
#include <string.h>

#include "bot/host/reading/names.h"
#include "bot/store/forget.h"

static bool
is_number(const char *user)
{
    return strspn(user, "0123456789") == strlen(user);
}

/* Append the key of a text as it stands among names. */
static void
add_key(const char *text, size_t len, struct buf *key)
{
    buf_add_char(key, '\n');
    name_key(text, len, key);
    buf_add_char(key, '\n');
}

void
forget_names_add(struct buf *names, const char *name)
{
    struct buf key = BUF_INIT;
    add_key(name, strlen(name), &key);
    if (key.len > 2 && strstr(buf_text(names), buf_text(&key)) == NULL) {
        buf_add_buf(names, &key);
    }
    buf_release(&key);
}

static bool
is_ascii(char byte)
{
    return (unsigned char)byte < 0x80;
}

/* Letters, digits, and all that is not ASCII belong to words. */
static bool
is_word_byte(char byte)
{
    return !is_ascii(byte) || isalnum((unsigned char)byte);
}

/* The length of a name that stands at `at` (before `end`) as a word; 0: none
 * does.  Keys take long, so none is made where no name begins like the text. */
static size_t
name_at(const struct buf *names, const char *start, const char *at,
        const char *end)
{
    size_t longest = 0;
    struct buf key = BUF_INIT;
    const char begins[] = {'\n', (char)tolower((unsigned char)*at), '\0'};
    bool plain = is_ascii(at[0]) && (at + 1 == end || is_ascii(at[1]));
    size_t room = (size_t)(end - at);
    if (*at == ' ' ||
        (at > start && is_word_byte(at[-1]) && is_word_byte(at[0])) ||
        (plain && strstr(buf_text(names), begins) == NULL)) {
        return 0;
    }
    for (size_t len = 1; len <= room && len <= (size_t)2 * NAME_BYTES_MAX;
         len++) {
        if (at[len - 1] != ' ' && (len == room || !is_word_byte(at[len]) ||
                                   !is_word_byte(at[len - 1]))) {
            buf_clear(&key);
            add_key(at, len, &key);
            if (key.len > 2 &&
                strstr(buf_text(names), buf_text(&key)) != NULL) {
                longest = len;
            }
        }
    }
    buf_release(&key);
    return longest;
}

void
forget_names_replace(const struct buf *names, const char *new_name, char *text,
                     size_t size)
{
    struct buf changed = BUF_INIT;
    const char *end = text + strlen(text);
    buf_init(&changed, size - 1);
    for (const char *at = text; at < end;) {
        size_t len = name_at(names, text, at, end);
        if (len > 0) {
            buf_add_text(&changed, new_name);
            at += len;
        } else {
            buf_add_char(&changed, *at++);
        }
    }
    const char *words = buf_text(&changed);
    size_t len = changed.len;
    while (changed.cut && len > 0 && !is_ascii(words[len - 1])) {
        len--; /* a character may have been cut in two */
    }
    memmove(text, words, len);
    text[len] = '\0';
    buf_wipe(&changed);
}

bool
forget_names_find(const struct buf *names, const char *user, const char *text,
                  size_t size)
{
    const char *end = text + size;
    size_t len = strlen(user);
    bool number = is_number(user);
    for (const char *at = text; at < end; at++) {
        if (number && len <= (size_t)(end - at) && memcmp(at, user, len) == 0 &&
            (at == text || strchr("\n\"@!/", at[-1]) != NULL) &&
            (at + len == end || strchr("\n\">/", at[len]) != NULL)) {
            return true;
        }
        if (name_at(names, text, at, end) > 0) {
            return true;
        }
    }
    return false;
}
