#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "adapters/markup/markdown.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    TOPIC_MAX = 60 /* bytes of a subject */
};

static size_t
count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* ---- numbers, names and times -------------------------------------------- */

bool
forum_is_number(const char *text)
{
    size_t len = count_digits(text);

    return len > 0 && len <= FORUM_ID_MAX && text[len] == '\0' &&
           strspn(text, "0") < len;
}

bool
forum_read_numbers(const char *text, int64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        size_t len = count_digits(text);

        if (len == 0 || len >= FORUM_ID_MAX ||
            text[len] != (i + 1 < count ? '.' : '\0')) {
            return false;
        }
        numbers[i] = strtoll(text, NULL, 10);
        text += len + 1;
    }
    return true;
}

bool
forum_read_head(const char **rest, int64_t numbers[3])
{
    char head[ADAPTER_ID_MAX + 1];
    size_t len = 0;

    for (int dots = 0; (*rest)[len] != '\0'; len++) {
        dots += (*rest)[len] == '.';
        if (dots == 3) {
            break;
        }
    }
    (void)snprintf(head, sizeof(head), "%.*s", (int)len, *rest);
    *rest += len;
    return forum_read_numbers(head, numbers, 3);
}

bool
forum_read_next(const char **rest, int64_t *number)
{
    size_t len = **rest == '.' ? count_digits(*rest + 1) : 0;

    if (len == 0 || len >= FORUM_ID_MAX) {
        return false;
    }
    *number = strtoll(*rest + 1, NULL, 10);
    *rest += len + 1;
    return true;
}

void
forum_add_next(struct outcome *out, int64_t number)
{
    size_t len = out->cursor.len;

    buf_addf(&out->cursor, ".%lld", (long long)number);
    if (out->cursor.len > ADAPTER_ID_MAX) {
        buf_truncate(&out->cursor, len);
    }
}

const char *
forum_number_of(const char *place, bool *dm)
{
    size_t prefix = strlen(FORUM_DM);

    *dm = strncmp(place, FORUM_DM, prefix) == 0;
    place += *dm ? prefix : 0;
    return forum_is_number(place) ? place : NULL;
}

void
forum_feed(const struct service *service, const char *place, struct buf *feed)
{
    bool dm;

    (void)service;
    (void)forum_number_of(place, &dm);
    buf_add_text(feed, dm ? FORUM_INBOX : place);
}

char *
forum_user(const char *name)
{
    struct buf id = BUF_INIT;

    if (name == NULL || *name == '\0' || strlen(name) > ADAPTER_ID_MAX / 2) {
        return NULL;
    }
    markdown_add_id(&id, name, strlen(name));
    return buf_take(&id);
}

bool
forum_parse_time(json_object *object, const char *key, int64_t *time)
{
    const char *text = jdoc_string(object, key);

    return text != NULL && timestamp_read(text, time);
}

bool
forum_parse_date(const struct exchange *exchange, int64_t *date)
{
    *date = exchange->reply->date;
    return *date > 0 && *date <= EXCHANGE_TIME_MAX;
}

enum advance
forum_undated(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                        "%s: the reply does not say what time it is",
                        exchange->service->name);
}

/* ---- answers ------------------------------------------------------------- */

bool
forum_is_self(const struct exchange *exchange, int64_t member, const char *name)
{
    const struct service *service = exchange->service;

    if (member > 0 && service->member > 0) {
        return member == service->member;
    }
    char *id = forum_user(name);
    bool is = id != NULL && strcmp(id, service->self) == 0;

    free(id);
    return is;
}

enum advance
forum_answer_user(struct exchange *exchange, char *id, const char *shown)
{
    buf_add_text(&exchange->out->id, id);
    buf_add_text(&exchange->out->shown, shown);
    free(id);
    return ADVANCE_DONE;
}

enum advance
forum_answer_dm(struct exchange *exchange, const char *number)
{
    buf_clear(&exchange->out->id);
    buf_addf(&exchange->out->id, "%s%s", FORUM_DM, number);
    return ADVANCE_DONE;
}

enum {
    NOTES_MAX = 1200 /* bytes of a state: numbers of sixty places, or more */
};

/* The latest value of a key. */
static const char *
state_of(const struct exchange *exchange, const char *key)
{
    const struct adapter_states *states = &exchange->out->states;
    const char *set = adapter_states_find(states->list, states->count, key);

    return *set != '\0' ? set : exchange_state(exchange, key);
}

bool
forum_is_noted(const struct exchange *exchange, const char *key,
               const char *number)
{
    size_t len = strlen(number);
    const char *at = state_of(exchange, key);

    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");

        if (word == len && strncmp(at, number, len) == 0) {
            return true;
        }
        at += word;
    }
    return false;
}

void
forum_note(struct exchange *exchange, const char *key, const char *number)
{
    const char *known = state_of(exchange, key);
    struct buf list = BUF_INIT;

    if (forum_is_noted(exchange, key, number)) {
        return;
    }
    if (strlen(known) > NOTES_MAX) {
        known = strchr(known + 1, ' '); /* the oldest goes */
    }
    known += strspn(known, " ");
    buf_addf(&list, " %s%s%s ", known,
             *known != '\0' && known[strlen(known) - 1] != ' ' ? " " : "",
             number);
    (void)exchange_set_state(exchange, key, buf_text(&list));
    buf_release(&list);
}

enum advance
forum_no_topic(struct exchange *exchange, const char *form)
{
    return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                        "%s: \"%s\" is no topic: write its address, %s%s, or "
                        "its number",
                        exchange->service->name, exchange->op->text,
                        exchange->service->base, form);
}

enum advance
forum_no_place(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: there is no topic %s", exchange->service->name,
                        exchange->op->place);
}

/* ---- reading a feed ------------------------------------------------------ */

bool
forum_is_inbox(const struct exchange *exchange)
{
    return strcmp(exchange->op->feed, FORUM_INBOX) == 0;
}

enum advance
forum_lost_cursor(struct exchange *exchange)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                        "%s: the saved cursor is none of this service's",
                        exchange->service->name);
}

struct post *
forum_add_post(struct page *page, const char *number, bool dm)
{
    struct post *post = page_add(page);
    struct buf place = BUF_INIT;

    buf_addf(&place, "%s%s", dm ? FORUM_DM : "", number);
    post->place = buf_take(&place);
    post->dm = dm;
    post->dialect = &dialect_html;
    return post;
}

void
forum_end_page(struct outcome *out, int64_t date, bool more)
{
    size_t count = out->page.count;

    out->more = more;
    out->through = date - FORUM_MARGIN_MS;
    if (more) {
        out->through = count > 0 ? out->page.posts[count - 1].stamp - 1 : 0;
    }
}

static int
compare_ids(const void *one, const void *two)
{
    const struct post *first = one;
    const struct post *second = two;
    int64_t difference =
        strtoll(first->id, NULL, 10) - strtoll(second->id, NULL, 10);

    return difference < 0 ? -1 : difference > 0;
}

void
forum_sort_posts(struct page *page, size_t from)
{
    if (page->count > from) {
        qsort(page->posts + from, page->count - from, sizeof(page->posts[0]),
              compare_ids);
    }
}

/* ---- the mark with the key ----------------------------------------------- */

/* No two hyphens may follow one another in a comment. */
static void
add_key(struct buf *text, const char *key)
{
    for (; *key != '\0'; key++) {
        buf_add_char(text, (char)(*key == '-' ? '_' : *key));
    }
}

void
forum_add_mark(const struct op *op, const char *before, const char *after,
               struct buf *text)
{
    buf_addf(text, "\n\n%s#", before);
    add_key(text, op->key);
    buf_add_text(text, after);
}

/* How much of a text says what it is about; 0: nothing does. */
static size_t
topic_len(const char *text)
{
    static const char narrow[] = "\u202F"; /* before a colon in French */
    const size_t narrow_len = sizeof(narrow) - 1;
    size_t len = strcspn(text, ":[\n");

    if (text[len] != ':' || len > TOPIC_MAX) {
        return 0;
    }
    return len >= narrow_len &&
                   memcmp(text + len - narrow_len, narrow, narrow_len) == 0
               ? len - narrow_len
               : len;
}

void
forum_add_subject(const struct op *op, struct buf *subject)
{
    size_t len = topic_len(op->text);

    if (len > 0) {
        buf_add(subject, op->text, len);
    } else {
        buf_add_text(subject, "A message from the host");
    }
    buf_add_text(subject, " #");
    add_key(subject, op->key);
}

bool
forum_is_marked(struct exchange *exchange, const char *text, const char *id)
{
    struct buf key = BUF_INIT;
    bool found = false;

    for (const char *at = strchr(text, '#'); at != NULL;
         at = strchr(at + 1, '#')) {
        size_t len = strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "abcdefghijklmnopqrstuvwxyz._");

        buf_clear(&key);
        for (size_t i = 1; i <= len; i++) {
            buf_add_char(&key, (char)(at[i] == '_' ? '-' : at[i]));
        }
        found = found || buf_equals(&key, exchange->op->key);
        buf_addf(&exchange->out->marks, "%s %s\n", buf_text(&key), id);
    }
    buf_release(&key);
    return found;
}
