/* Which post an address means, as people copy it from their apps. */
#include <string.h>

#include "bot/base/text.h"
#include "bot/host/judge/commands/chat_command.h"

/* A piece of an address, borrowed. */
struct piece {
    const char *text;
    size_t len;
};

/* Append a piece, percent signs decoded; a NUL is left out. */
static void
add_decoded(struct piece piece, struct buf *out)
{
    for (size_t i = 0; i < piece.len; i++) {
        const char *at = piece.text + i;
        int high = *at == '%' && i + 2 < piece.len ? text_hex(at[1]) : -1;
        int low = high >= 0 ? text_hex(at[2]) : -1;
        if (low >= 0 && (high > 0 || low > 0)) {
            buf_add_char(out, (char)(high * 16 + low));
            i += 2;
        } else {
            buf_add_char(out, *at);
        }
    }
}

static bool
is_number(struct piece piece)
{
    for (size_t i = 0; i < piece.len; i++) {
        if (piece.text[i] < '0' || piece.text[i] > '9') {
            return false;
        }
    }
    return piece.len > 0;
}

/* Does the path go on from here with a topic's posts by position? */
static bool
leads_to_topic(struct piece part)
{
    static const char *const words[] = {"topic", "t"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        found = found || (part.len == strlen(words[i]) &&
                          memcmp(part.text, words[i], part.len) == 0);
    }
    return found;
}

/* Take the last part off a path. */
static struct piece
take_last(struct piece *path)
{
    while (path->len > 0 && path->text[path->len - 1] == '/') {
        path->len--;
    }
    size_t from = path->len;
    while (from > 0 && path->text[from - 1] != '/') {
        from--;
    }
    struct piece last = {path->text + from, path->len - from};
    path->len = from;
    return last;
}

/* "viewtopic.php?t=3&p=107", "viewtopic.php?t=3&start=90#p107": the number. */
static bool
read_query(const char *text, size_t len, struct piece *post)
{
    for (size_t i = 0; i + 2 < len; i++) {
        bool value =
            strchr("?&", text[i]) && strncmp(text + i + 1, "p=", 2) == 0;
        bool anchor = strncmp(text + i, "#p", 2) == 0;
        const char *number = text + i + (value ? 3 : 2);
        *post = (struct piece){number, strspn(number, "0123456789")};
        if ((value || anchor) && post->len > 0) {
            return true;
        }
    }
    return false;
}

/* "/topic/3/slug/107", "/t/slug/3/107": the last part is a position in the
 * topic; as a post's id it would be another post. */
static bool
is_position(struct piece path, struct piece last)
{
    bool found = false;
    for (int i = 0; i < 3; i++) {
        found = found || leads_to_topic(take_last(&path));
    }
    return found && is_number(last);
}

static struct piece
without_frame(const char *text)
{
    text += *text == '<';
    return (struct piece){text, strcspn(text, " >")};
}

enum meant
chat_read_address(const char *text, struct buf *id)
{
    static const char matrix[] = "matrix:";
    static const char to[] = "matrix.to/#/";
    struct piece whole = without_frame(text);
    struct piece post;
    const char *fragment = strstr(whole.text, to);
    /* phpBB shows links to itself without what leads there. */
    if (read_query(whole.text, whole.len, &post)) {
        buf_add(id, post.text, post.len);
        return MEANT_POST;
    }
    if (strchr(whole.text, '/') == NULL) {
        whole.text += *whole.text == '#';
        /* Words without a number are none: some forums refuse short posts. */
        whole.len = strpbrk(whole.text, "0123456789$") == NULL
                        ? 0
                        : strcspn(whole.text, " >");
        buf_add(id, whole.text, whole.len);
        return whole.len > 0 ? MEANT_POST : MEANT_NOTHING;
    }
    size_t path_end = strcspn(whole.text, fragment == NULL ? "?# >" : "? >");
    struct piece path = {whole.text, path_end};
    struct piece last = take_last(&path);
    if (strncmp(whole.text, matrix, strlen(matrix)) == 0) {
        buf_add_char(id, '$'); /* "matrix:roomid/…/e/…" leaves it out */
    } else if (is_position(path, last)) {
        return MEANT_POSITION;
    }
    add_decoded(last, id);
    return MEANT_POST;
}
