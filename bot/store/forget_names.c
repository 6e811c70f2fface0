/* Where somebody's names stand in a text. */
#include <ctype.h>
#include <string.h>

#include "bot/host/reading/names.h"
#include "bot/store/forget.h"

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

/* Letters, digits, and all that is not ASCII belong to words. */
static bool
is_word_byte(char byte)
{
    return (unsigned char)byte >= 0x80 || isalnum((unsigned char)byte);
}

/* Does a word end between `at` and the byte before it? */
static bool
is_edge(const char *start, const char *at, const char *end)
{
    return at == start || at == end || !is_word_byte(at[-1]) ||
           !is_word_byte(at[0]);
}

/* The length of the longest name that stands at `at` as a word; 0: none
 * does. */
static size_t
name_at(const struct buf *names, const char *start, const char *at,
        const char *end)
{
    size_t len = (size_t)(end - at);
    len = len < (size_t)2 * NAME_BYTES_MAX ? len : (size_t)2 * NAME_BYTES_MAX;
    len = *at != ' ' && is_edge(start, at, end) ? len : 0;
    for (; len > 0; len--) {
        struct buf key = BUF_INIT;
        add_key(at, len, &key);
        bool found = at[len - 1] != ' ' && is_edge(start, at + len, end) &&
                     key.len > 2 &&
                     strstr(buf_text(names), buf_text(&key)) != NULL;
        buf_release(&key);
        if (found) {
            return len;
        }
    }
    return 0;
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
    while (changed.cut && len > 0 && (unsigned char)words[len - 1] >= 0x80) {
        len--; /* a character may have been cut in two */
    }
    memmove(text, words, len);
    text[len] = '\0';
    buf_wipe(&changed);
}

/* The same in a text that is a key itself. */
static bool
stands_at(const struct buf *names, const char *start, const char *at,
          const char *end)
{
    size_t len = 0;
    for (const char *name = buf_text(names); *name != '\0'; name += len + 2) {
        len = strcspn(name + 1, "\n");
        if (len <= (size_t)(end - at) && memcmp(name + 1, at, len) == 0 &&
            is_edge(start, at + len, end)) {
            return true;
        }
    }
    return false;
}

bool
forget_names_find(const struct buf *names, const char *user, const char *text,
                  size_t size)
{
    struct buf key = BUF_INIT;
    bool found = false;
    name_key(text, size, &key);
    const char *start = buf_text(&key);
    const char *end = start + key.len;
    for (const char *at = start; !found && at < end; at++) {
        found = is_edge(start, at, end) && stands_at(names, start, at, end);
    }
    buf_wipe(&key);
    size_t len = strlen(user);
    size_t last =
        strspn(user, "0123456789") == len && len <= size ? size - len + 1 : 0;
    for (size_t i = 0; !found && i < last; i++) {
        found = memcmp(text + i, user, len) == 0 &&
                (i == 0 || strchr("\n\"@!/", text[i - 1]) != NULL) &&
                (i + len == size || strchr("\n\">/", text[i + len]) != NULL);
    }
    return found;
}
