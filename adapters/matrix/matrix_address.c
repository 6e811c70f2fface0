/*
 * Matrix: rooms and people as an operator writes them: ids, aliases, links of
 * matrix.to, URIs.
 *
 * C-S appendices, "matrix.to navigation" and "Matrix URI scheme".  Copied links
 * may or may not have their signs percent-encoded.
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"

/* Append a text, with each %XX decoded to a byte. */
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

/* The prefix in a link for each kind of thing, and the first sign of its id. */
static const struct form {
    const char *link, *sign;
} forms[] = {
    {"https://matrix.to/#/", ""}, {"http://matrix.to/#/", ""},
    {"matrix.to/#/", ""},         {"matrix:roomid/", "!"},
    {"matrix:r/", "#"},           {"matrix:u/", "@"},
};

/* The id that a text stands for; it ends at a slash, for a post's id may
 * follow. `query` is what comes after it, or "". */
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

/* Is it an id that begins with one of these signs? */
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
        /* The server of a room's creator, which ids of old rooms contain. */
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
