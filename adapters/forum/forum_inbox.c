/*
 * The inbox: rounds through all DMs with something new.
 *
 * The list of DMs says where that is.  Those are visited one after the other,
 * and read back, a page at a time, to what was read before.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    LIST_PAGES_MAX = 4,
    CHAT_PAGES_MAX = 4 /* of a DM, in one visit */
};

/* ---- rounds -------------------------------------------------------------- */

static bool
begin_reading(struct forum_inbox *inbox, const char *cursor)
{
    int64_t times[2] = {0, 0};

    if (*cursor != '\0' &&
        (!forum_read_numbers(cursor, times, 2) || times[1] < times[0])) {
        return false;
    }
    inbox->first = *cursor == '\0';
    inbox->from = times[0];
    inbox->done = times[1];
    return true;
}

/* What is read was so when the oldest of the replies was given: a cache on the
 * way, or a copy of the forum's database, may answer with what was true a while
 * ago. */
void
forum_note_date(struct forum_inbox *inbox, const struct exchange *exchange)
{
    int64_t date;

    if (forum_parse_date(exchange, &date) && date < inbox->date) {
        inbox->date = date;
        inbox->stale = true;
    }
}

/* Does the DM that was visited lack the post of which the list tells?  Then the
 * reply was an old one, whatever its date. */
static void
note_missing(struct forum_inbox *inbox)
{
    int64_t last = inbox->next == 0 ? 0 : inbox->dms[inbox->next - 1].last;
    int64_t before = last - 1 + FORUM_MARGIN_MS;

    if (inbox->shown != 0 && inbox->shown < last &&
        last > inbox->date - FORUM_MISSING_MS && before < inbox->date) {
        inbox->date = before;
        inbox->stale = true;
    }
    inbox->shown = 0;
}

/* Was it read up to a time that is yet to come, by the forum's clock and by
 * ours?  Then the forum's was wrong. */
static bool
is_ahead(const struct forum_inbox *inbox, const struct exchange *exchange)
{
    return inbox->from > inbox->date + FORUM_ASTRAY_MS &&
           inbox->from > exchange->op->now + FORUM_ASTRAY_MS;
}

/* The first page of the first list says what time it is; false: it doesn't. */
static bool
begin_list(struct forum_inbox *inbox, const struct exchange *exchange)
{
    if (inbox->pages++ > 0 || inbox->date > 0) {
        forum_note_date(inbox, exchange);
        return true;
    }
    if (!forum_parse_date(exchange, &inbox->date)) {
        return false;
    }
    if (inbox->first || is_ahead(inbox, exchange)) {
        int64_t since = exchange->op->since;

        inbox->from =
            inbox->date > FORUM_FIRST_MS ? inbox->date - FORUM_FIRST_MS : 0;
        inbox->from = since > 0 && since < inbox->from ? since : inbox->from;
        inbox->done = inbox->from;
    }
    return true;
}

/* Take a DM of the list; false: it has nothing new, nor has any with an older
 * last post. */
static bool
offer(struct forum_inbox *inbox, const struct forum_dm *dm)
{
    unsigned at = inbox->count;

    inbox->newest = dm->last > inbox->newest ? dm->last : inbox->newest;
    if (dm->last <= inbox->done) {
        return false;
    }
    for (unsigned i = 0; i < inbox->count; i++) {
        if (strcmp(inbox->dms[i].number, dm->number) == 0) {
            return true;
        }
    }
    while (at > 0 && inbox->dms[at - 1].last > dm->last) {
        at--;
    }
    if (inbox->count == FORUM_VISITS_MAX) {
        inbox->more = true;
        if (at == inbox->count) {
            return true;
        }
    } else {
        inbox->count++;
    }
    memmove(&inbox->dms[at + 1], &inbox->dms[at],
            (inbox->count - 1 - at) * sizeof(inbox->dms[0]));
    inbox->dms[at] = *dm;
    return true;
}

/* One in which nothing was written has no time; false: it is no DM. */
static bool
read_dm(const struct exchange *exchange, json_object *from, struct forum_dm *dm)
{
    struct forum_item item;

    forum_read_item(&forum_of(exchange)->shape.dm, from, &item);
    memcpy(dm->number, item.id, sizeof(dm->number));
    dm->last = item.stamp;
    dm->company = item.count > 2;
    return item.number != 0 && item.stamp >= 0;
}

/* Take a page of a list, the DMs with the newest posts first (NULL: it is no
 * list).  ADVANCE_REQUEST: those on the next page may have news, too. */
static enum advance
take_list(struct forum_inbox *inbox, struct exchange *exchange,
          json_object *dms)
{
    bool goes_on = false;

    if (dms == NULL) {
        return forum_refused(exchange);
    }
    if (!begin_list(inbox, exchange)) {
        return forum_undated(exchange);
    }
    /* A pinned one may come first, so a whole page is looked at. */
    for (size_t i = 0; i < json_object_array_length(dms); i++) {
        struct forum_dm dm;

        if (!read_dm(exchange, json_object_array_get_idx(dms, i), &dm)) {
            return forum_refused(exchange);
        }
        if (dm.last != 0) {
            goes_on = offer(inbox, &dm);
        }
    }
    return goes_on && inbox->pages < LIST_PAGES_MAX ? ADVANCE_REQUEST
                                                    : ADVANCE_DONE;
}

static enum advance
end_inbox(struct forum_inbox *inbox, struct outcome *out)
{
    int64_t through = inbox->date - FORUM_MARGIN_MS;
    int64_t read =
        inbox->newest != 0 && inbox->newest < through ? inbox->newest : through;

    if (inbox->more) {
        /* One less: the next one's last post may have the same time. */
        int64_t last = inbox->dms[inbox->count - 1].last;

        inbox->done = last - 1 > inbox->done ? last - 1 : last;
        if (inbox->stale && inbox->done > read) {
            inbox->done = read > inbox->from ? read : inbox->from;
        }
    } else if (read > inbox->from) {
        inbox->from = read;
        inbox->done = read;
    } else {
        inbox->done = inbox->from;
    }
    out->more = inbox->more;
    out->through = inbox->more || through < inbox->from ? inbox->from : through;
    buf_clear(&out->cursor);
    buf_addf(&out->cursor, "%lld.%lld", (long long)inbox->from,
             (long long)inbox->done);
    return ADVANCE_DONE;
}

/* ---- the lists ----------------------------------------------------------- */

static struct forum_reading *
reading_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct forum_reading));
}

static forum_step parse_dms;

static enum advance
ask_dms(struct exchange *exchange, int64_t from)
{
    return forum_ask_for(
        exchange, &forum_of(exchange)->ask.dms[reading_of(exchange)->list],
        (struct forum_values){.number = from}, parse_dms);
}

/* Where the next page of the list begins; 0: there is none. */
static int64_t
next_page(const struct exchange *exchange, const struct forum_reading *reading)
{
    const char *path = forum_of(exchange)->path.next_dms;
    int64_t next = 0;

    if (path == NULL) {
        return reading->inbox.pages;
    }
    (void)forum_number(exchange->value, path, &next);
    return next > 0 ? next : 0;
}

static enum advance
parse_dms(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    struct forum_reading *reading = reading_of(exchange);
    enum advance advance = take_list(&reading->inbox, exchange,
                                     forum_list(exchange, forum->path.dms));
    int64_t next = next_page(exchange, reading);

    if (advance == ADVANCE_FAILED) {
        return ADVANCE_FAILED;
    }
    if (forum->see_dms != NULL) {
        forum->see_dms(exchange, reading->inbox.date);
    }
    if (advance == ADVANCE_REQUEST && next > 0) {
        return ask_dms(exchange, next);
    }
    if (reading->list + 1 < FORUM_LISTS &&
        forum->ask.dms[reading->list + 1].method != NULL) {
        reading->list++;
        reading->inbox.pages = 0; /* those in both lists count once */
        return ask_dms(exchange, 0);
    }
    reading->from = exchange->out->page.count;
    return forum_visit_next(exchange);
}

/* ---- a DM ---------------------------------------------------------------- */

static forum_step parse_messages;

static enum advance
ask_messages(struct exchange *exchange, struct forum_reading *reading)
{
    const struct forum *forum = forum_of(exchange);

    return forum_ask_for(
        exchange, &forum->ask.messages,
        (struct forum_values){.topic = reading->dm,
                              .number = (int64_t)reading->pages++ *
                                        (int64_t)forum->messages},
        parse_messages);
}

static enum advance
visit(struct exchange *exchange, struct forum_reading *reading)
{
    const struct forum *forum = forum_of(exchange);

    reading->pages = 0;
    reading->from = exchange->out->page.count;

    return forum->visit != NULL ? forum->visit(exchange)
                                : ask_messages(exchange, reading);
}

static bool
is_gallery(const struct exchange *exchange, const char *dm)
{
    const char *state = forum_of(exchange)->no_inbox;

    return state != NULL && forum_is_noted(exchange, state, dm);
}

/* The other DMs were not looked at, so the cursor stays where it was. */
static enum advance
end_alone(struct exchange *exchange, const struct forum_reading *reading)
{
    buf_add_text(&exchange->out->cursor, exchange->op->cursor);
    exchange->out->through = reading->inbox.from;
    return ADVANCE_DONE;
}

enum advance
forum_visit_next(struct exchange *exchange)
{
    struct forum_reading *reading = reading_of(exchange);
    struct forum_inbox *inbox = &reading->inbox;

    forum_sort_posts(&exchange->out->page, reading->from);
    if (reading->alone) {
        return end_alone(exchange, reading);
    }
    do {
        forum_note_date(inbox, exchange);
        note_missing(inbox);
        if (inbox->next == inbox->count) {
            return end_inbox(inbox, exchange->out);
        }
        const struct forum_dm *dm = &inbox->dms[inbox->next++];

        memcpy(reading->dm, dm->number, sizeof(reading->dm));
        reading->company = dm->company;
    } while (is_gallery(exchange, reading->dm));
    return visit(exchange, reading);
}

bool
forum_take_messages(struct exchange *exchange, json_object *messages,
                    bool *older)
{
    const struct forum_reading *reading = reading_of(exchange);
    struct forum_inbox *inbox = &reading_of(exchange)->inbox;
    struct forum_item message;

    for (size_t i = 0; forum_read_nth(&forum_of(exchange)->shape.message,
                                      messages, i, &message);
         i++) {
        if (message.stamp <= 0) {
            return false;
        }
        if (message.stamp > inbox->shown) {
            inbox->shown = message.stamp;
        }
        if (message.stamp <= inbox->from) {
            *older = true;
        } else if (!message.elsewhere &&
                   !forum_add_item(exchange, &message, reading->dm, true,
                                   reading->company)) {
            return false;
        }
    }
    return true;
}

static enum advance
parse_messages(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    struct forum_reading *reading = reading_of(exchange);
    json_object *messages = forum_list(exchange, forum->path.messages);
    bool older = false;

    if (messages == NULL || !forum_take_messages(exchange, messages, &older)) {
        return forum_refused(exchange);
    }
    if (!older && json_object_array_length(messages) >= forum->messages &&
        reading->pages < CHAT_PAGES_MAX) {
        forum_note_date(&reading->inbox, exchange);
        return ask_messages(exchange, reading);
    }
    return forum_visit_next(exchange);
}

/* Somebody waits for an answer to what the doorbell has told of: one request
 * finds it.  A first reading looks at all DMs. */
enum advance
forum_read_inbox(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    struct forum_reading *reading = reading_of(exchange);
    bool dm = false;
    const char *number = forum_number_of(op->post, &dm);

    if (!begin_reading(&reading->inbox, op->cursor)) {
        return forum_lost_cursor(exchange);
    }
    if (number == NULL || !dm || reading->inbox.first ||
        is_gallery(exchange, number)) {
        return ask_dms(exchange, 0);
    }
    reading->alone = true;
    (void)snprintf(reading->dm, sizeof(reading->dm), "%s", number);
    enum advance advance = visit(exchange, reading);

    exchange->out->request.urgent = true;
    return advance;
}
