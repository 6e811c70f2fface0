#include "adapters/adapter.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/markup/dialects.h"

enum {
    DEFAULT_WAIT_MS = 5000,
    SAID_MAX = 200
};

bool
picture_is_page(const struct picture *picture)
{
    return picture->page != NULL && picture->page[0] != '\0';
}

const char *
picture_name(const struct picture *picture)
{
    return picture_is_page(picture) ? picture->page : "board.png";
}

const char *
picture_type(const struct picture *picture)
{
    return picture_is_page(picture) ? "text/html" : "image/png";
}

struct post *
page_add(struct page *page)
{
    /* The room is the next power of two, so it need not be kept. */
    if ((page->count & (page->count - 1)) == 0) {
        size_t room = page->count == 0 ? 1 : 2 * page->count;

        page->posts = must_grow(page->posts, room * sizeof(*page->posts));
    }
    struct post *post = &page->posts[page->count++];

    memset(post, 0, sizeof(*post));
    return post;
}

int64_t
post_time(const struct post *post)
{
    return post->edited > post->stamp ? post->edited : post->stamp;
}

void
post_read(const struct service *service, const struct post *post,
          struct rich *out, bool *unread)
{
    const struct dialect *dialect =
        post->dialect != NULL ? post->dialect : service->adapter->dialect;

    dialects_read(dialect, post->body, post->body_len, service->bold_classes,
                  out, unread);
}

/* Turn a text that is NULL into "". */
static void
finish_text(char **text)
{
    if (*text == NULL) {
        *text = must_copy("");
    }
}

void
page_finish(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        struct post *post = &page->posts[i];

        finish_text(&post->id);
        finish_text(&post->place);
        finish_text(&post->author);
        finish_text(&post->author_name);
        finish_text(&post->body);
        finish_text(&post->reply_to);
        finish_text(&post->roles);
        finish_text(&post->language);
    }
}

void
page_release(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        struct post *post = &page->posts[i];

        free(post->id);
        free(post->place);
        free(post->author);
        free(post->author_name);
        free(post->body);
        free(post->reply_to);
        free(post->roles);
        free(post->language);
    }
    free(page->posts);
    *page = (struct page){0};
}

void
request_clear(struct request *request)
{
    /* Messages may hold a role or a hand. */
    buf_wipe(&request->url);
    buf_wipe(&request->body);
    buf_wipe(&request->headers);
    *request = (struct request){0};
}

void
url_add_part(struct buf *url, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789._~-";

    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL) {
            buf_add_char(url, *text);
        } else {
            buf_addf(url, "%%%02X", (unsigned)(unsigned char)*text);
        }
    }
}

bool
reply_header(const struct reply *reply, const char *name, struct buf *value)
{
    size_t len = strlen(name);
    const char *line = reply->headers;

    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n');

        if (strncmp(line, name, len) == 0 && line[len] == ':') {
            line += len + 1;
            line += strspn(line, " \t");
            buf_add(value, line,
                    end != NULL ? (size_t)(end - line) : strlen(line));
            return true;
        }
        line = end != NULL ? end + 1 : NULL;
    }
    return false;
}

enum err
reply_err(const struct reply *reply)
{
    if (reply->status >= 200 && reply->status <= 299) {
        return ERR_NONE;
    }
    if (reply->status == 0 || (reply->status >= 500 && reply->status <= 599)) {
        return ERR_LATER;
    }
    switch (reply->status) {
    case 429:
        return ERR_LIMITED;
    case 401:
    case 403:
        return ERR_DENIED;
    case 404:
    case 410:
        return ERR_GONE;
    case 413:
        return ERR_FULL;
    default:
        return ERR_GARBLED;
    }
}

struct update *
outcome_add_update(struct outcome *outcome, const char *feed, int64_t last)
{
    size_t count = outcome->news_count;

    if (strlen(feed) > ADAPTER_ID_MAX) {
        return NULL;
    }
    /* The room is the next power of two, so it need not be kept. */
    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;

        outcome->updates =
            must_grow(outcome->updates, room * sizeof(struct update));
    }
    struct update *update = &outcome->updates[outcome->news_count++];

    memcpy(update->feed, feed, strlen(feed) + 1);
    update->last = last;
    update->state = 0;
    return update;
}

void
outcome_add_called(struct outcome *outcome, int64_t member, char *name)
{
    size_t count = outcome->called_count;

    if ((count & (count - 1)) == 0) {
        size_t room = count == 0 ? 1 : 2 * count;

        outcome->called =
            must_grow(outcome->called, room * sizeof(struct member_name));
    }
    outcome->called[outcome->called_count++] =
        (struct member_name){member, name};
}

void
outcome_add_place(struct outcome *outcome, const char *address,
                  const char *name)
{
    unsigned count = 0;

    for (const char *at = buf_text(&outcome->places); *at != '\0'; at++) {
        count += *at == '\n';
    }
    if (count == PLACES_MAX || strlen(address) > ADAPTER_ID_MAX ||
        strpbrk(address, "\t\n") != NULL) {
        return;
    }
    buf_addf(&outcome->places, "%s\t", address);
    for (; *name != '\0'; name++) {
        bool control = (unsigned char)*name < ' ' || *name == 0x7F;

        buf_add(&outcome->places, control ? " " : name, 1);
    }
    buf_add_char(&outcome->places, '\n');
}

void
outcome_release(struct outcome *outcome)
{
    free(outcome->updates);
    for (size_t i = 0; i < outcome->called_count; i++) {
        free(outcome->called[i].name);
    }
    free(outcome->called);
    request_clear(&outcome->request);
    buf_release(&outcome->id);
    buf_release(&outcome->shown);
    buf_release(&outcome->limits);
    buf_release(&outcome->roles);
    buf_release(&outcome->advice);
    buf_release(&outcome->places);
    buf_release(&outcome->cursor);
    buf_release(&outcome->marks);
    page_release(&outcome->page);
    adapter_states_release(&outcome->states);
    wipe(outcome, sizeof(*outcome));
}

bool
outcome_answers(const struct outcome *outcome, const struct op *op)
{
    bool found = outcome->id.len > 0;
    bool leads = outcome->cursor.len > 0;

    if (op->kind != OP_FIND) {
        return true;
    }
    switch (outcome->found) {
    case FOUND_UNTOLD:
        break;
    case FOUND_IT:
        return found && !leads;
    case FOUND_NOTHING:
        return !found && !leads;
    case FOUND_NOT_YET:
        return !found && (leads || *op->post != '\0');
    }
    return false;
}

enum advance
outcome_fail(struct outcome *out, struct buf *why, enum err err,
             const char *format, ...)
{
    va_list args;

    assert(err != ERR_NONE);
    out->err = err;
    va_start(args, format);
    buf_vaddf(why, format, args);
    va_end(args);
    return ADVANCE_FAILED;
}

/* Append what a service said as one line that is safe on a terminal.  It may
 * have repeated the password. */
static void
add_said(const struct service *service, const char *text, struct buf *why)
{
    struct buf hidden = BUF_INIT;

    buf_add_text(&hidden, text);
    if (service->password != NULL) {
        buf_hide(&hidden, service->password);
    }
    const char *said = buf_text(&hidden);
    size_t len = hidden.len;

    if (len > SAID_MAX) {
        /* Not in the middle of a character. */
        for (len = SAID_MAX; len > 0 && (said[len] & 0xC0) == 0x80; len--) {
        }
    }
    for (size_t i = 0; i < len; i++) {
        bool printable = (unsigned char)said[i] >= 0x20 && said[i] != 0x7F;

        buf_add_char(why, (char)(printable ? said[i] : ' '));
    }
    /* More text is added after a semicolon. */
    while (why->len > 0 && strchr(". ", why->data[why->len - 1]) != NULL) {
        buf_truncate(why, why->len - 1);
    }
    buf_wipe(&hidden);
}

enum advance
outcome_refused(const struct service *service, const struct reply *reply,
                const char *said, struct outcome *out, struct buf *why)
{
    enum err err = reply_err(reply);

    if (err == ERR_LIMITED) {
        out->wait = reply->retry_after >= 0 ? reply->retry_after
                                            : (int64_t)DEFAULT_WAIT_MS;
    }
    if (reply->status == 0) {
        outcome_fail(out, why, err, "%s: no answer", service->name);
        said = reply->trouble != NULL ? reply->trouble : "";
    } else {
        outcome_fail(out, why, err, "%s: status %d", service->name,
                     reply->status);
    }
    if (*said != '\0') {
        buf_add_text(why, ": ");
        add_said(service, said, why);
    }
    return ADVANCE_FAILED;
}
