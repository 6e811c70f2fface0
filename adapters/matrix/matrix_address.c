/*
 * Matrix: rooms and people as an operator writes them: ids, aliases, links of
 * matrix.to, URIs.
 *
 * C-S appendices, "matrix.to navigation" and "Matrix URI scheme".  Whoever
 * copies such a link gets it with its signs percent-encoded, or not.
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"

/* Append a text whose %XX are bytes. */
static void
add_decoded(struct buf *out, const char *text, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        const char *high = NULL;
        const char *low = NULL;

        if (text[i] == '%' && i + 2 < len) {
            high = memchr(digits, text[i + 1] | 0x20, sizeof(digits) - 1);
            low = memchr(digits, text[i + 2] | 0x20, sizeof(digits) - 1);
        }
        if (high != NULL && low != NULL) {
            buf_add_char(out, (char)((high - digits) * 16 + (low - digits)));
            i += 2;
        } else {
            buf_add_char(out, text[i]);
        }
    }
}

/* How what a link leads to begins, and how its id does. */
static const struct form {
    const char *link, *sign;
} forms[] = {
    {"https://matrix.to/#/", ""}, {"http://matrix.to/#/", ""},
    {"matrix.to/#/", ""},         {"matrix:roomid/", "!"},
    {"matrix:r/", "#"},           {"matrix:u/", "@"},
};

/* What a text stands for; its end is at a slash, for a post's id may follow.
 * `query` is what stands behind it, "" if nothing does. */
static void
read_form(const char *text, struct buf *id, const char **query)
{
    *query = "";
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        const struct form *form = &forms[i];
        size_t len = strlen(form->link);

        if (strncmp(text, form->link, len) == 0) {
            buf_add_text(id, form->sign);
            add_decoded(id, text + len, strcspn(text + len, "/?"));
            *query = text + len + strcspn(text + len, "?");
            return;
        }
    }
    buf_add_text(id, text);
}

/* Is it an id, and one that begins with one of the signs? */
static bool
is_signed(const struct buf *id, const char *signs)
{
    const char *text = buf_text(id);

    return id->len > 1 && strchr(signs, text[0]) != NULL && is_id(text) &&
           id->len == strlen(text);
}

bool
read_room(const char *text, struct address *address)
{
    const char *query = "";

    read_form(text, &address->id, &query);
    const char *via = strstr(query, "via=");

    if (via != NULL) {
        add_decoded(&address->via, via + 4, strcspn(via + 4, "&"));
    } else if (buf_text(&address->id)[0] == '!') {
        /* The server of a room's maker, which ids of old rooms name. */
        buf_add_text(&address->via, server_of(buf_text(&address->id)));
    }
    return is_signed(&address->id, "!#");
}

bool
read_user(const char *text, struct buf *user)
{
    const char *query = "";

    read_form(text, user, &query);
    return is_signed(user, "@") && *server_of(buf_text(user)) != '\0';
}

void
address_release(struct address *address)
{
    buf_release(&address->id);
    buf_release(&address->via);
}
