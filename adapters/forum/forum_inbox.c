/*
 * The inbox: rounds through all DMs with something new.
 *
 * The list of DMs says where that is.  Those are visited one after the other,
 * and read back, a page at a time, to what was read before.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"

enum {
    LIST_PAGES_MAX = 4,
    CHAT_PAGES_MAX = 4 /* of a DM, in one visit */
};

/* ---- rounds -------------------------------------------------------------- */

bool
forum_inbox_begin(struct forum_inbox *inbox, const char *cursor)
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
forum_inbox_note(struct forum_inbox *inbox, const struct exchange *exchange)
{
    int64_t date;

    if (forum_parse_date(exchange, &date) && date < inbox->date) {
        inbox->date = date;
        inbox->stale = true;
    }
}

void
forum_inbox_see(struct forum_inbox *inbox, int64_t stamp)
{
    inbox->shown = stamp > inbox->shown ? stamp : inbox->shown;
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
        forum_inbox_note(inbox, exchange);
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

enum advance
forum_inbox_parse(struct forum_inbox *inbox, struct exchange *exchange,
                  const struct forum_list *list, json_object *dms)
{
    bool goes_on = false;

    if (!is_success(exchange) || !json_object_is_type(dms, json_type_array)) {
        return list->refused(exchange);
    }
    if (!begin_list(inbox, exchange)) {
        return forum_undated(exchange);
    }
    /* A pinned one may come first, so a whole page is looked at. */
    for (size_t i = 0; i < json_object_array_length(dms); i++) {
        struct forum_dm dm = {.last = 0};

        if (!list->read(exchange, json_object_array_get_idx(dms, i), &dm)) {
            return list->refused(exchange);
        }
        if (dm.last != 0) {
            goes_on = offer(inbox, &dm);
        }
    }
    return goes_on && inbox->pages < LIST_PAGES_MAX ? ADVANCE_REQUEST
                                                    : ADVANCE_DONE;
}

void
forum_inbox_advance(struct forum_inbox *inbox)
{
    inbox->pages = 0;
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

enum advance
forum_inbox_visit(struct forum_inbox *inbox, const struct exchange *exchange,
                  char number[FORUM_ID_MAX + 1])
{
    forum_inbox_note(inbox, exchange);
    note_missing(inbox);
    if (inbox->next == inbox->count) {
        return end_inbox(inbox, exchange->out);
    }
    memcpy(number, inbox->dms[inbox->next].number, FORUM_ID_MAX + 1);
    inbox->next++;
    return ADVANCE_REQUEST;
}

bool
forum_inbox_has_company(const struct forum_inbox *inbox)
{
    return inbox->next > 0 && inbox->dms[inbox->next - 1].company;
}

/* ---- the list ------------------------------------------------------------ */

struct reading {
    struct forum_inbox inbox;
    char dm[FORUM_ID_MAX + 1]; /* that is visited */
    unsigned pages;            /* of it that were asked for */
    size_t from;               /* where its posts begin in the page */
};

static struct reading *
reading_of(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct reading));
}

static forum_step parse_messages;
static forum_step parse_dms;

static enum advance
ask_messages(struct exchange *exchange, struct reading *reading)
{
    const struct forum *forum = forum_of(exchange);

    return forum_ask(exchange, &forum->ask.messages,
                     (struct forum_values){.topic = reading->dm,
                                           .number = (int64_t)reading->pages++ *
                                                     (int64_t)forum->messages},
                     parse_messages);
}

static enum advance
visit_next(struct exchange *exchange, struct reading *reading)
{
    if (forum_inbox_visit(&reading->inbox, exchange, reading->dm) ==
        ADVANCE_DONE) {
        return ADVANCE_DONE;
    }
    reading->pages = 0;
    reading->from = exchange->out->page.count;
    return ask_messages(exchange, reading);
}

/* One in which nothing was written has no time. */
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

static enum advance
ask_dms(struct exchange *exchange, int64_t from)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.dms,
                     (struct forum_values){.number = from}, parse_dms);
}

static enum advance
parse_dms(struct exchange *exchange)
{
    static const struct forum_list list = {read_dm, forum_refused};
    const struct forum *forum = forum_of(exchange);
    struct reading *reading = reading_of(exchange);
    int64_t next = 0;
    enum advance advance =
        forum_inbox_parse(&reading->inbox, exchange, &list,
                          forum_list(exchange, forum->path.dms));

    if (advance == ADVANCE_FAILED) {
        return ADVANCE_FAILED;
    }
    if (forum->see_dms != NULL) {
        forum->see_dms(exchange, reading->inbox.date);
    }
    if (advance == ADVANCE_REQUEST &&
        forum_number(exchange->value, forum->path.next_dms, &next) &&
        next > 0) {
        return ask_dms(exchange, next);
    }
    return visit_next(exchange, reading);
}

/* ---- a DM ---------------------------------------------------------------- */

/* Take in the messages that were not read before; false: one of them is none
 * that a forum gives.  *older: some were read before. */
static bool
take_messages(struct exchange *exchange, struct reading *reading,
              json_object *messages, bool *older)
{
    struct forum_item message;

    for (size_t i = 0; forum_read_nth(&forum_of(exchange)->shape.message,
                                      messages, i, &message);
         i++) {
        if (message.stamp <= 0) {
            return false;
        }
        forum_inbox_see(&reading->inbox, message.stamp);
        if (message.stamp <= reading->inbox.from) {
            *older = true;
        } else if (!message.elsewhere &&
                   !forum_add_item(exchange, &message, reading->dm, true,
                                   forum_inbox_has_company(&reading->inbox))) {
            return false;
        }
    }
    return true;
}

static enum advance
parse_messages(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    struct reading *reading = reading_of(exchange);
    json_object *messages = forum_list(exchange, forum->path.messages);
    bool older = false;

    if (messages == NULL ||
        !take_messages(exchange, reading, messages, &older)) {
        return forum_refused(exchange);
    }
    if (!older && json_object_array_length(messages) >= forum->messages &&
        reading->pages < CHAT_PAGES_MAX) {
        forum_inbox_note(&reading->inbox, exchange);
        return ask_messages(exchange, reading);
    }
    forum_sort_posts(&exchange->out->page, reading->from);
    return visit_next(exchange, reading);
}

enum advance
forum_read_inbox(struct exchange *exchange)
{
    return forum_inbox_begin(&reading_of(exchange)->inbox, exchange->op->cursor)
               ? ask_dms(exchange, 0)
               : forum_lost_cursor(exchange);
}
