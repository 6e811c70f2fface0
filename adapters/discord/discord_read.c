/*
 * Discord: reading a channel, a thread or a DM, and finding where something is
 * new.
 *
 * The cursor is a snowflake: everything posted before it has been read.  It
 * stays OVERLAP_MS behind the service's clock, for ids are only roughly in
 * order of time, and clocks may differ; posts read twice are known by their
 * ids.  If nothing was posted it does not move.
 *
 * A page has its messages newest first at Discord, or oldest first elsewhere:
 * they are sorted here.  With `after` it is the page next to that id; elsewhere
 * it may be the newest page instead (Spacebar,
 * src/api/routes/channels/#channel_id/ messages/index.ts, until it ordered them
 * by time), so a full page is checked for a gap before it.
 *
 * Where ids don't hold the time (a server may only count them), the message's
 * own time is used, and the cursor is the last id that was read.
 *
 * Edits and deletions don't move anything in such a list: to see them, posts
 * are read once more from op.since on.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

enum {
    OVERLAP_MS = 30000,
    YOUNG_MS = 10 * 60000, /* a place may be first read so long after it was
                              made or opened */
    ASTRAY_MS =
        10 *
        60000, /* an id this far from its message's time does not hold it */
    PAGE_LEAST = 20,  /* elsewhere, a page that is full */
    ASTRAY_IDS = 300, /* such are read once more */
    FEW = 10,         /* messages, where a hundred are too long */
    REQUESTS_MAX = 10,
    GAP_REQUESTS_MAX = ADVANCES_MAX - 4,
};

/* D "Message Types": what people write by hand. */
enum {
    TYPE_DEFAULT = 0,
    TYPE_REPLY = 19,
    REFERENCE_FORWARD = 1,
    FLAG_EPHEMERAL = 1 << 6,
    FLAG_HAS_SNAPSHOT = 1 << 14,
};

/* ---- a message ----------------------------------------------------------- */

/* All that is looked at here of a page of messages (jdoc_parse_members).  The
 * first is looked at only elsewhere. */
const char *const discord_read_keys[] = {"timestamp",
                                         "id",
                                         "author",
                                         "username",
                                         "?global_name",
                                         "bot",
                                         "system",
                                         "content",
                                         "?edited_timestamp",
                                         "type",
                                         "flags",
                                         "webhook_id",
                                         "message_reference",
                                         "message_id",
                                         "?message_snapshots",
                                         "?attachments",
                                         "?embeds",
                                         "?components",
                                         "?sticker_items",
                                         "?stickers",
                                         "poll",
                                         NULL};

/* Elsewhere ids need not be made of the time: a server may only count them. */
int64_t
message_time(const struct exchange *exchange, json_object *message, uint64_t id)
{
    const char *text =
        is_discord(exchange) ? NULL : jdoc_string(message, "timestamp");
    int64_t made = snowflake_time(id);
    int64_t told;

    return text != NULL && timestamp_read(text, &told) &&
                   (told > made + ASTRAY_MS || told < made - ASTRAY_MS)
               ? told
               : made;
}

static bool
is_astray(const struct exchange *exchange, json_object *message, uint64_t id)
{
    return message_time(exchange, message, id) != snowflake_time(id);
}

static size_t
count_of(json_object *object, const char *key)
{
    json_object *list = jdoc_get(object, key);

    return json_object_is_type(list, json_type_array)
               ? json_object_array_length(list)
               : 0;
}

/* No person wrote this: it is by a webhook, whose author is made up, a bot or
 * Discord (D "Message Object"). */
static bool
is_machine(json_object *message)
{
    json_object *author = jdoc_get(message, "author");
    bool bot = false;
    bool system = false;
    int64_t type = TYPE_DEFAULT;
    int64_t flags = 0;

    (void)jdoc_bool(author, "bot", &bot);
    (void)jdoc_bool(author, "system", &system);
    (void)jdoc_integer(message, "type", &type);
    (void)jdoc_integer(message, "flags", &flags);
    return bot || system || jdoc_get(message, "webhook_id") != NULL ||
           (type != TYPE_DEFAULT && type != TYPE_REPLY) ||
           (flags & FLAG_EPHEMERAL) != 0;
}

/* A forward hands on what somebody else has written (D "Message Object"). */
static bool
is_forward(json_object *message)
{
    int64_t reference = 0;
    int64_t flags = 0;

    (void)jdoc_integer(jdoc_get(message, "message_reference"), "type",
                       &reference);
    (void)jdoc_integer(message, "flags", &flags);
    return reference == REFERENCE_FORWARD || (flags & FLAG_HAS_SNAPSHOT) != 0 ||
           count_of(message, "message_snapshots") > 0;
}

/* A message can't be empty: its text is hidden from the bot (D "Message Content
 * Intent"). */
static bool
is_hidden(json_object *message)
{
    static const char *const parts[] = {"attachments", "embeds", "components",
                                        "sticker_items", "stickers"};
    const char *content = jdoc_string(message, "content");
    bool empty = content != NULL && *content == '\0' && !is_forward(message) &&
                 jdoc_get(message, "poll") == NULL;

    for (size_t i = 0; empty && i < sizeof(parts) / sizeof(parts[0]); i++) {
        empty = count_of(message, parts[i]) == 0;
    }
    return empty;
}

/* A nickname comes before the names that somebody has everywhere. */
static char *
copy_name(json_object *user, json_object *member)
{
    const char *const names[] = {jdoc_string(member, "nick"),
                                 jdoc_string(user, "global_name"),
                                 jdoc_string(user, "username")};
    const char *name = NULL;

    for (int i = 0; i < 3 && (name == NULL || *name == '\0'); i++) {
        name = names[i];
    }
    return must_copy(name == NULL || strlen(name) > ADAPTER_ID_MAX ? "" : name);
}

static char *
copy_roles(json_object *member)
{
    json_object *roles = jdoc_get(member, "roles");
    struct buf list = BUF_INIT;

    buf_add_text(&list, may_manage(member) ? ROLE_MANAGES "\n" : "");
    for (size_t i = 0; json_object_is_type(roles, json_type_array) &&
                       i < json_object_array_length(roles);
         i++) {
        const char *text =
            json_object_get_string(json_object_array_get_idx(roles, i));
        uint64_t id = 0;

        if (text != NULL && snowflake_read(text, &id)) {
            buf_addf(&list, "%" PRIu64 "\n", id);
        }
    }
    return buf_take(&list);
}

void
meet_author(struct post *post, json_object *user, json_object *member)
{
    post->author_name = copy_name(user, member);
    post->roles = copy_roles(member);
    post->unmet = member == NULL;
}

char *
copy_id(uint64_t id)
{
    struct buf text = BUF_INIT;

    snowflake_write(id, &text);
    return buf_take(&text);
}

static int64_t
edited_at(json_object *message)
{
    const char *text = jdoc_string(message, "edited_timestamp");
    int64_t time;

    if (jdoc_get(message, "edited_timestamp") == NULL ||
        (text != NULL && *text == '\0')) {
        return 0;
    }
    return text != NULL && timestamp_read(text, &time) ? time : -1;
}

static void
add_reply(json_object *message, struct post *post)
{
    json_object *reference = jdoc_get(message, "message_reference");
    int64_t kind = 0;
    uint64_t id;

    (void)jdoc_integer(reference, "type", &kind);
    if (kind != REFERENCE_FORWARD &&
        parse_snowflake(reference, "message_id", &id)) {
        post->reply_to = copy_id(id);
    }
}

/* The text with its length: what follows a NUL is text too.  Whatever is no
 * text of its author is shown all the same. */
static void
add_body(json_object *message, struct post *post)
{
    json_object *content = jdoc_get(message, "content");
    struct buf body = BUF_INIT;

    if (json_object_is_type(content, json_type_string) &&
        !is_forward(message)) {
        buf_add(&body, json_object_get_string(content),
                (size_t)json_object_get_string_len(content));
    }
    if (body.len == 0 && !is_hidden(message)) {
        buf_add_text(&body, POST_OBJECT);
    }
    post->body_len = body.len;
    post->body = buf_take(&body);
}

static void
add_message(struct exchange *exchange, json_object *message, uint64_t id)
{
    const char *feed = exchange->op->feed;
    json_object *author = jdoc_get(message, "author");
    uint64_t user;

    if (!parse_snowflake(author, "id", &user)) {
        return;
    }
    struct post *post = page_add(&exchange->out->page);

    post->id = copy_id(id);
    post->place = must_copy(feed);
    post->author = copy_id(user);
    meet_author(post, author, NULL); /* REST tells no member */
    post->stamp = message_time(exchange, message, id);
    post->edited = edited_at(message);
    post->dm = strchr(feed, '/') == NULL;
    post->own = strcmp(post->author, exchange->service->self) == 0;
    post->machine = is_machine(message);
    post->kind = !post->dm && !post->own && !post->machine && is_hidden(message)
                     ? POST_HIDDEN
                     : POST_WRITTEN;
    add_body(message, post);
    add_reply(message, post);
}

/* ---- a page -------------------------------------------------------------- */

struct message {
    json_object *object;
    uint64_t id;
};

static int
compare_messages(const void *one, const void *two)
{
    uint64_t first = ((const struct message *)one)->id;
    uint64_t second = ((const struct message *)two)->id;

    return (first > second) - (first < second);
}

/* The messages of a reply in order of id; yours to free. */
static struct message *
sort_messages(json_object *list, size_t *count)
{
    size_t length = json_object_array_length(list);
    struct message *messages = must_alloc((length + 1) * sizeof(*messages));

    *count = 0;
    for (size_t i = 0; i < length; i++) {
        struct message *message = &messages[*count];

        message->object = json_object_array_get_idx(list, i);
        *count += parse_snowflake(message->object, "id", &message->id) ? 1 : 0;
    }
    qsort(messages, *count, sizeof(*messages), compare_messages);
    return messages;
}

/* Another server may give less at a time than is asked for. */
bool
page_is_full(const struct exchange *exchange, size_t count, size_t asked)
{
    return count >= asked || (!is_discord(exchange) && count >= PAGE_LEAST);
}

/* ---- reading ------------------------------------------------------------- */

enum read_step {
    READ_BEGIN,
    READ_CLOCK, /* what time is it there? */
    READ_PAGE,
    READ_GAP, /* what lies between the cursor and the page */
};

struct reading {
    enum read_step step;
    unsigned requests;
    uint64_t cursor, after; /* what came behind it; the page asked for */
    uint64_t low, high;     /* the gap is between them */
    int64_t date;           /* of the first reply */
    bool undated;           /* that is by our clock */
    bool few;               /* a hundred messages are too long */
    bool walked;            /* a gap was read */
    bool astray;            /* ids tell no time */
};

static size_t
full_page(const struct reading *reading)
{
    return reading->few ? FEW : DISCORD_PAGE;
}

static enum advance
ask_messages(struct exchange *exchange, struct reading *reading,
             struct channel_id where, const char *key, uint64_t id)
{
    struct buf number = BUF_INIT;

    reading->requests++;
    ask_channel(exchange, "GET", where.channel, "/messages");
    buf_addf(&number, "%" PRIu64, id);
    ask_query(exchange, key, buf_text(&number));
    buf_clear(&number);
    buf_add_number(&number, (int64_t)full_page(reading));
    ask_query(exchange, "limit", buf_text(&number));
    buf_release(&number);
    limit_by(exchange, "read", where.channel, READ_APART_MS);
    return ADVANCE_REQUEST;
}

static enum advance
ask_page(struct exchange *exchange, struct reading *reading,
         struct channel_id where)
{
    reading->step = READ_PAGE;
    return ask_messages(exchange, reading, where, "after", reading->after);
}

static enum advance
ask_gap(struct exchange *exchange, struct reading *reading,
        struct channel_id where)
{
    reading->step = READ_GAP;
    return ask_messages(exchange, reading, where, "before", reading->high);
}

static enum advance
ask_clock(struct exchange *exchange, struct reading *reading,
          struct channel_id where)
{
    reading->step = READ_CLOCK;
    ask_channel(exchange, "GET", where.channel, "/messages");
    ask_query(exchange, "limit", "1");
    limit_by(exchange, "read", where.channel, READ_APART_MS);
    return ADVANCE_REQUEST;
}

/* The service's time when the first reply came. */
static bool
parse_date(struct exchange *exchange, int64_t *date)
{
    int64_t now = discord_date(exchange);

    *date = *date == 0 ? now : *date;
    if (now > DISCORD_MARGIN_MS && now <= EXCHANGE_TIME_MAX) {
        return true;
    }
    (void)outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                       "%s: the reply does not say what time it is",
                       exchange->service->name);
    return false;
}

static void
write_cursor(struct exchange *exchange, uint64_t cursor)
{
    buf_clear(&exchange->out->cursor);
    buf_addf(&exchange->out->cursor, "%" PRIu64, cursor);
}

static uint64_t
a_few_before(uint64_t id)
{
    return id > ASTRAY_IDS ? id - ASTRAY_IDS : 1;
}

/* Where the reading of a place begins, by the service's time. */
static uint64_t
first_by_time(int64_t date, struct channel_id where)
{
    uint64_t young = snowflake_at(date - YOUNG_MS);

    if (where.channel > young) {
        return where.channel;
    }
    return where.guild == 0 ? young : snowflake_at(date - DISCORD_MARGIN_MS);
}

/* The service's clock may be wrong.  A server's channel may look empty because
 * a right is missing; a DM can't. */
uint64_t
discord_first(int64_t date, struct channel_id where, uint64_t last)
{
    uint64_t first = first_by_time(date, where);

    if (where.guild == 0 && last == 0) {
        return where.channel;
    }
    return last != 0 && last < first ? last : first;
}

static uint64_t
first_here(const struct exchange *exchange, const struct reading *reading,
           struct channel_id where)
{
    json_object *message = json_object_array_get_idx(exchange->value, 0);
    uint64_t last = 0;

    (void)parse_snowflake(message, "id", &last);
    return discord_first(reading->date, where, last);
}

/* The same elsewhere: after the last message, whatever its id is made of, or
 * from the beginning if there is none. */
static uint64_t
first_elsewhere(const struct exchange *exchange, const struct reading *reading,
                struct channel_id where)
{
    uint64_t by_time = first_by_time(reading->date, where);
    json_object *last = json_object_array_get_idx(exchange->value, 0);
    uint64_t id;

    if (!parse_snowflake(last, "id", &id)) {
        return 1;
    }
    if (exchange->reply->date > 0 && !is_astray(exchange, last, id)) {
        return by_time < id ? by_time : id;
    }
    return where.guild == 0 ? a_few_before(id) : id;
}

/* What was posted before the bot came is not read; but a place that was only
 * just opened for it may already hold an answer. */
static enum advance
parse_clock(struct exchange *exchange, struct reading *reading,
            struct channel_id where)
{
    if (!is_success(exchange) ||
        !json_object_is_type(exchange->value, json_type_array)) {
        return discord_refused(exchange);
    }
    if (!parse_date(exchange, &reading->date)) {
        return ADVANCE_FAILED;
    }
    write_cursor(exchange, is_discord(exchange)
                               ? first_here(exchange, reading, where)
                               : first_elsewhere(exchange, reading, where));
    exchange->out->more = true;
    return ADVANCE_DONE;
}

static enum advance
begin(struct exchange *exchange, struct reading *reading,
      struct channel_id where)
{
    const struct op *op = exchange->op;

    if (*op->cursor == '\0') {
        return ask_clock(exchange, reading, where);
    }
    if (!snowflake_read(op->cursor, &reading->cursor)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: the saved cursor is none of this service's",
                            exchange->service->name);
    }
    reading->after = reading->cursor;
    if (op->since > 0 && snowflake_at(op->since) < reading->after) {
        reading->after = snowflake_at(op->since);
    } else if (op->since > 0 && !is_discord(exchange)) {
        /* Perhaps because its ids are only counted: go back a few of them. */
        reading->after =
            reading->cursor > ASTRAY_IDS ? reading->cursor - ASTRAY_IDS : 1;
    }
    return ask_page(exchange, reading, where);
}

/* The end of a feed was read: up to the service's time. */
static enum advance
read_done(struct exchange *exchange, const struct reading *reading)
{
    uint64_t cursor = snowflake_at(reading->date - OVERLAP_MS);

    if (!reading->astray && reading->undated &&
        reading->after < snowflake_at(reading->date)) {
        cursor = snowflake_at(snowflake_time(reading->after) - OVERLAP_MS);
    } else if (reading->astray || reading->after < cursor) {
        cursor = reading->after; /* the time may be wrong */
    }
    bool moved = exchange->out->page.count > 0 && cursor > reading->cursor;

    write_cursor(exchange, moved ? cursor : reading->cursor);
    exchange->out->through = reading->date - DISCORD_MARGIN_MS;
    return ADVANCE_DONE;
}

/* The time up to which the pages so far have brought everything: Discord's ids
 * are in the order in which posts are delivered, and hold their times.  0: it
 * is not known. */
static int64_t
brought_through(const struct exchange *exchange, const struct reading *reading)
{
    int64_t last = snowflake_time(reading->after) - 1;
    int64_t surely = reading->date - DISCORD_MARGIN_MS;

    if (!is_discord(exchange) || reading->undated) {
        return 0;
    }
    return last < surely ? last : surely;
}

/* A page of it is done with: on to the next. */
static enum advance
read_on(struct exchange *exchange, struct reading *reading,
        struct channel_id where)
{
    if (reading->requests < REQUESTS_MAX) {
        return ask_page(exchange, reading, where);
    }
    write_cursor(exchange, reading->after > reading->cursor ? reading->after
                                                            : reading->cursor);
    exchange->out->through = brought_through(exchange, reading);
    exchange->out->more = true;
    return ADVANCE_DONE;
}

static int
compare_posts(const void *one, const void *two)
{
    const struct post *first = one;
    const struct post *second = two;

    return first->stamp != second->stamp
               ? (first->stamp > second->stamp) - (first->stamp < second->stamp)
               : strcmp(first->id, second->id);
}

/* What was read backwards is delivered in the order in which it was written. */
static void
put_in_order(struct exchange *exchange, const struct reading *reading)
{
    struct page *page = &exchange->out->page;

    if (reading->walked && page->count > 0) {
        qsort(page->posts, page->count, sizeof(*page->posts), compare_posts);
    }
}

static bool
parse_messages(struct exchange *exchange, struct reading *reading)
{
    return is_success(exchange) &&
           json_object_is_type(exchange->value, json_type_array) &&
           parse_date(exchange, &reading->date);
}

static enum advance
fail_unread(struct exchange *exchange)
{
    return exchange->out->err != ERR_NONE ? ADVANCE_FAILED
                                          : discord_refused(exchange);
}

static enum advance
parse_page(struct exchange *exchange, struct reading *reading,
           struct channel_id where)
{
    uint64_t after = reading->after;
    size_t count;

    if (exchange->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_page(exchange, reading, where);
    }
    if (!parse_messages(exchange, reading)) {
        return fail_unread(exchange);
    }
    reading->undated = exchange->reply->date <= 0;
    struct message *messages = sort_messages(exchange->value, &count);

    reading->low = after;
    reading->high = count > 0 ? messages[0].id : 0;
    for (size_t i = 0; i < count; i++) {
        if (messages[i].id > reading->after) {
            reading->after = messages[i].id;
            reading->astray =
                is_astray(exchange, messages[i].object, messages[i].id);
            add_message(exchange, messages[i].object, messages[i].id);
        }
    }
    free(messages);
    if (!page_is_full(exchange, count, full_page(reading)) ||
        reading->after == after) {
        put_in_order(exchange, reading);
        return read_done(exchange, reading);
    }
    return is_discord(exchange) || reading->high <= reading->low
               ? read_on(exchange, reading, where)
               : ask_gap(exchange, reading, where);
}

/* Read backwards, up to what was read before. */
static enum advance
parse_gap(struct exchange *exchange, struct reading *reading,
          struct channel_id where)
{
    uint64_t high = reading->high;
    size_t count;

    if (exchange->reply->too_long && !reading->few) {
        reading->few = true;
        return ask_gap(exchange, reading, where);
    }
    if (!parse_messages(exchange, reading)) {
        return fail_unread(exchange);
    }
    struct message *messages = sort_messages(exchange->value, &count);

    for (size_t i = 0; i < count; i++) {
        if (messages[i].id > reading->low && messages[i].id < high) {
            add_message(exchange, messages[i].object, messages[i].id);
            reading->walked = true;
        }
    }
    if (count > 0 && messages[0].id < high) {
        reading->high = messages[0].id;
    }
    free(messages);
    if (!page_is_full(exchange, count, full_page(reading)) ||
        reading->high == high || reading->high <= reading->low) {
        put_in_order(exchange, reading);
        return read_on(exchange, reading, where);
    }
    if (reading->requests < GAP_REQUESTS_MAX) {
        return ask_gap(exchange, reading, where);
    }
    return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                        "%s: more is unread there than can be read at a time",
                        exchange->service->name);
}

enum advance
discord_read(struct exchange *exchange)
{
    struct reading *reading = exchange_memory(exchange, sizeof(*reading));
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    switch (reading->step) {
    case READ_BEGIN:
        return begin(exchange, reading, where);
    case READ_CLOCK:
        return parse_clock(exchange, reading, where);
    case READ_PAGE:
        return parse_page(exchange, reading, where);
    case READ_GAP:
        break;
    }
    return parse_gap(exchange, reading, where);
}

/* ---- updates ------------------------------------------------------------- */

enum updates_step {
    UPDATES_BEGIN,
    UPDATES_CHANNELS,
    UPDATES_THREADS,
};

/* Of a list of channels or threads. */
const char *const discord_updates_keys[] = {"id", "last_message_id", "threads",
                                            NULL};

struct gathering {
    enum updates_step step;
    int64_t date;
};

/* Each has the id of its last message (D "Channel Object"). */
static void
gather(struct exchange *exchange, json_object *list, uint64_t guild)
{
    struct buf feed = BUF_INIT;

    for (size_t i = 0; i < json_object_array_length(list); i++) {
        json_object *channel = json_object_array_get_idx(list, i);
        struct channel_id where = {guild, 0};
        uint64_t last = 0;

        if (parse_snowflake(channel, "id", &where.channel)) {
            bool posted = parse_snowflake(channel, "last_message_id", &last);
            buf_clear(&feed);
            channel_id_write(where, &feed);
            (void)outcome_add_update(exchange->out, buf_text(&feed),
                                     posted ? snowflake_time(last) : 0);
        }
    }
    buf_release(&feed);
}

static enum advance
parse_channels(struct exchange *exchange, struct gathering *gathering,
               uint64_t guild)
{
    if (!is_success(exchange) ||
        !json_object_is_type(exchange->value, json_type_array)) {
        return discord_refused(exchange);
    }
    if (!parse_date(exchange, &gathering->date)) {
        return ADVANCE_FAILED;
    }
    gather(exchange, exchange->value, guild);
    gathering->step = UPDATES_THREADS;
    ask_guild(exchange, "GET", guild, "/threads/active");
    limit_by(exchange, "threads", guild, READ_APART_MS);
    return ADVANCE_REQUEST;
}

/* Where the service has no such list, each thread is read by itself, as is
 * every feed without an update. */
static enum advance
parse_threads(struct exchange *exchange, const struct gathering *gathering,
              uint64_t guild)
{
    json_object *threads = jdoc_get(exchange->value, "threads");

    if (!is_unavailable(exchange) && exchange->reply->status != 404) {
        if (!is_success(exchange) ||
            !json_object_is_type(threads, json_type_array)) {
            return discord_refused(exchange);
        }
        gather(exchange, threads, guild);
    }
    exchange->out->through = gathering->date - DISCORD_MARGIN_MS;
    return ADVANCE_DONE;
}

enum advance
discord_updates(struct exchange *exchange)
{
    struct gathering *gathering = exchange_memory(exchange, sizeof(*gathering));
    uint64_t guild;

    if (!snowflake_read(exchange->op->feed, &guild)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: a saved place is none of this service's",
                            exchange->service->name);
    }
    switch (gathering->step) {
    case UPDATES_BEGIN:
        gathering->step = UPDATES_CHANNELS;
        ask_guild(exchange, "GET", guild, "/channels");
        limit_by(exchange, "channels", guild, READ_APART_MS);
        return ADVANCE_REQUEST;
    case UPDATES_CHANNELS:
        return parse_channels(exchange, gathering, guild);
    case UPDATES_THREADS:
        break;
    }
    return parse_threads(exchange, gathering, guild);
}
