/* Discord: DMs, a thread for a game, and its gallery: a private thread. */
#include <inttypes.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* ---- DMs ----------------------------------------------------------------- */

/* Whoever opens many in a row is blocked for it (D "Create DM"). */
enum {
    DM_APART_MS = 4000
};

/* For years Spacebar took only the list (src/api/routes/users/@me/channels.ts).
 */
static enum advance
ask_dm(struct exchange *exchange, bool listed)
{
    struct buf list = BUF_INIT;

    discord_ask(exchange, "POST", "/users/@me/channels");
    if (listed) {
        buf_add_char(&list, '[');
        jtext_string(&list, exchange->op->user);
        buf_add_char(&list, ']');
        ask_json(exchange, "recipients", buf_text(&list));
    } else {
        ask_text(exchange, "recipient_id", exchange->op->user);
    }
    buf_release(&list);
    ask_end(exchange, "talk");
    exchange->out->request.apart = DM_APART_MS;
    exchange->out->request.urgent = true;
    return ADVANCE_REQUEST;
}

/* Reading it begins now, so that it need not be asked for where.  Nothing was
 * written there if its last message is null. */
static void
give_first(struct exchange *exchange)
{
    int64_t date = discord_date(exchange);
    struct channel_id where = {0, 0};
    uint64_t last = 0;
    bool told =
        json_object_object_get_ex(exchange->value, "last_message_id", NULL);

    if (is_discord(exchange) && told && date > 0 && date <= EXCHANGE_TIME_MAX &&
        parse_snowflake(exchange->value, "id", &where.channel)) {
        (void)parse_snowflake(exchange->value, "last_message_id", &last);
        buf_addf(&exchange->out->cursor, "%" PRIu64,
                 discord_first(date, where, last));
    }
}

enum advance
discord_dm(struct exchange *exchange)
{
    bool *listed = exchange_memory(exchange, sizeof(*listed));

    if (exchange->reply == NULL) {
        return ask_dm(exchange, false);
    }
    if (parse_own_id(exchange)) {
        give_first(exchange);
        return ADVANCE_DONE;
    }
    if (!*listed && is_too_strict(exchange)) {
        *listed = true;
        return ask_dm(exchange, true);
    }
    return discord_lacking(exchange);
}

/* ---- threads ------------------------------------------------------------- */

enum {
    TITLE_MAX = 100, /* code points (D "Start Thread from Message") */
    FORUM_WANTS_TAG = 1 << 4,
};

enum open_step {
    OPEN_BEGIN,
    OPEN_LOOK, /* has it been opened before, where that is not refused? */
    OPEN_ON_POST,
    OPEN_THERE,   /* it was refused: because there is one already? */
    OPEN_CHANNEL, /* what is the place? */
    OPEN_PARENT,  /* and the channel of which it is a thread? */
    OPEN_LIST,    /* has it been opened before? */
    OPEN_MAKE,
    OPEN_ADD,   /* somebody is let into the gallery, */
    OPEN_AGAIN, /* which was archived */
};

struct opening {
    enum open_step step;
    uint64_t channel; /* in which it is opened */
    int64_t type;
    uint64_t tag; /* that the forum wants; 0: none */
    int status;   /* of the refusal */
    uint64_t gallery;
    bool revived; /* it is not archived any more */
    bool anew;    /* it was deleted, so another is opened */
};

static bool
is_gallery(const struct exchange *exchange)
{
    return exchange->op->kind == OP_INVITE;
}

static void
add_title(const struct exchange *exchange, struct buf *title)
{
    const char *text = exchange->op->text;
    size_t points = 0;
    size_t len = 0;

    for (; text[len] != '\0'; len++) {
        points += ((unsigned char)text[len] & 0xC0) != 0x80;
        if (points > TITLE_MAX) {
            break;
        }
    }
    buf_add(title, text, len);
}

static enum advance
opened(struct exchange *exchange, struct channel_id where, uint64_t thread)
{
    where.channel = thread;
    buf_clear(&exchange->out->id);
    channel_id_write(where, &exchange->out->id);
    /* Its id holds the time it was made; elsewhere threads may have another
     * series of ids than messages, but everything in a thread of ours is new.
     */
    buf_clear(&exchange->out->cursor);
    buf_addf(&exchange->out->cursor, "%" PRIu64,
             is_discord(exchange) ? thread : 1);
    return ADVANCE_DONE;
}

static void
ask_thread(struct exchange *exchange)
{
    struct buf text = BUF_INIT;

    add_title(exchange, &text);
    ask_text(exchange, "name", buf_text(&text));
    buf_clear(&text);
    buf_add_number(&text, DISCORD_ARCHIVE_MINUTES);
    ask_json(exchange, "auto_archive_duration", buf_text(&text));
    buf_release(&text);
}

static enum advance
ask_channel_of(struct exchange *exchange, struct opening *opening,
               enum open_step step, uint64_t channel)
{
    opening->step = step;
    opening->channel = channel;
    ask_channel(exchange, "GET", channel, "");
    limit_by(exchange, "channel", channel, 0);
    return ADVANCE_REQUEST;
}

static enum advance
ask_list(struct exchange *exchange, struct opening *opening,
         enum open_step step, struct channel_id where)
{
    opening->step = step;
    ask_guild(exchange, "GET", where.guild, "/threads/active");
    limit_by(exchange, "threads", where.guild, 0);
    return ADVANCE_REQUEST;
}

static enum advance
ask_on_post(struct exchange *exchange, struct opening *opening,
            struct channel_id where)
{
    uint64_t post = 0;

    (void)snowflake_read(exchange->op->post, &post);
    opening->step = OPEN_ON_POST;
    ask_channel(exchange, "POST", where.channel, "/messages");
    ask_id(exchange, post);
    buf_add_text(&exchange->out->request.url, "/threads");
    ask_thread(exchange);
    ask_end(exchange, "");
    limit_by(exchange, "open", where.channel, 0);
    return ADVANCE_REQUEST;
}

/* Adding somebody who is there already succeeds as well (D "Add Thread
 * Member"). */
static enum advance
ask_add(struct exchange *exchange, struct opening *opening, uint64_t gallery)
{
    opening->step = OPEN_ADD;
    opening->gallery = gallery;
    ask_channel(exchange, "PUT", gallery, "/thread-members");
    ask_part(exchange, exchange->op->user);
    limit_by(exchange, "members", gallery, 0);
    return ADVANCE_REQUEST;
}

static enum advance
begin_gallery(struct exchange *exchange, struct opening *opening,
              struct channel_id where)
{
    struct channel_id gallery;

    if (!is_discord(exchange)) {
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: a gallery is found again by the list of "
                            "threads, which another server may lack",
                            exchange->service->name);
    }
    if (opening->anew || *exchange->op->post == '\0') {
        return ask_channel_of(exchange, opening, OPEN_CHANNEL, where.channel);
    }
    if (!channel_id_read(exchange->op->post, &gallery)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: a saved gallery is none of this service's",
                            exchange->service->name);
    }
    return ask_add(exchange, opening, gallery.channel);
}

/* Elsewhere a message may get two threads, with ids of their own: the Discord
 * twin (src/server.ts).  So look for one first. */
static enum advance
begin(struct exchange *exchange, struct opening *opening,
      struct channel_id where)
{
    uint64_t post;

    if (is_gallery(exchange)) {
        return begin_gallery(exchange, opening, where);
    }
    if (*exchange->op->post == '\0') {
        return ask_channel_of(exchange, opening, OPEN_CHANNEL, where.channel);
    }
    if (!snowflake_read(exchange->op->post, &post)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                            "%s: a saved post is none of this service's",
                            exchange->service->name);
    }
    if (!is_discord(exchange)) {
        opening->channel = where.channel;
        return ask_list(exchange, opening, OPEN_LOOK, where);
    }
    return ask_on_post(exchange, opening, where);
}

/* After a final refusal the bot does without: the game is played where it was
 * opened. */
static enum advance
refuse_thread(struct exchange *exchange)
{
    bool wanting = is_discord(exchange) ? is_unavailable(exchange)
                                        : is_unsupported(exchange);

    (void)discord_refused(exchange);
    if (wanting && (exchange->out->err == ERR_GARBLED ||
                    exchange->out->err == ERR_LATER)) {
        exchange->out->err = ERR_DENIED;
        buf_add_text(exchange->why, "; without a thread");
    }
    return ADVANCE_FAILED;
}

/* Is it a special refusal, by a server that may have other names for things? */
static bool
may_be_there(const struct exchange *exchange)
{
    int status = exchange->reply->status;

    return is_unsupported(exchange) ||
           (!is_discord(exchange) && refusal_code(exchange) == 0 &&
            status == 409);
}

static enum advance
ask_there(struct exchange *exchange, struct opening *opening)
{
    uint64_t post = 0;

    (void)snowflake_read(exchange->op->post, &post);
    opening->step = OPEN_THERE;
    opening->status = exchange->reply->status;
    ask_channel(exchange, "GET", post, "");
    limit_by(exchange, "channel", post, 0);
    return ADVANCE_REQUEST;
}

/* Spacebar's threads have the ids of their messages, too. */
static enum advance
parse_whether_there(struct exchange *exchange, struct opening *opening,
                    struct channel_id where)
{
    int64_t type = CHANNEL_TEXT;
    uint64_t id = 0;

    if (is_success(exchange) && jdoc_integer(exchange->value, "type", &type) &&
        type_is_thread(type) && parse_snowflake(exchange->value, "id", &id)) {
        return opened(exchange, where, id);
    }
    if (!is_unavailable(exchange) && !is_unsupported(exchange) &&
        reply_err(exchange->reply) != ERR_NONE) {
        return discord_refused(exchange);
    }
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: no thread can be opened: status %d",
                        exchange->service->name, opening->status);
}

/* A message has one thread, whose id is its own. */
static enum advance
parse_on_post(struct exchange *exchange, struct opening *opening,
              struct channel_id where)
{
    uint64_t id;

    if (refusal_code(exchange) == CODE_THREAD_THERE &&
        snowflake_read(exchange->op->post, &id)) {
        return opened(exchange, where, id);
    }
    if (refusal_code(exchange) == CODE_WRONG_CHANNEL) {
        /* No thread can be opened inside a thread: open one beside it. */
        return ask_channel_of(exchange, opening, OPEN_CHANNEL, where.channel);
    }
    if (is_success(exchange) && parse_snowflake(exchange->value, "id", &id)) {
        return opened(exchange, where, id);
    }
    return may_be_there(exchange) ? ask_there(exchange, opening)
                                  : refuse_thread(exchange);
}

/* The first tag that is not for moderators only. */
static uint64_t
find_tag(json_object *channel)
{
    json_object *tags = jdoc_get(channel, "available_tags");
    size_t count = json_object_is_type(tags, json_type_array)
                       ? json_object_array_length(tags)
                       : 0;
    int64_t flags = 0;

    (void)jdoc_integer(channel, "flags", &flags);
    for (size_t i = 0; i < count && (flags & FORUM_WANTS_TAG) != 0; i++) {
        json_object *tag = json_object_array_get_idx(tags, i);
        bool moderated = false;
        uint64_t id;

        (void)jdoc_bool(tag, "moderated", &moderated);
        if (!moderated && parse_snowflake(tag, "id", &id)) {
            return id;
        }
    }
    return 0;
}

static enum advance
parse_there(struct exchange *exchange, struct opening *opening,
            struct channel_id where)
{
    uint64_t parent;
    int64_t type = CHANNEL_TEXT;

    if (!is_success(exchange) ||
        !json_object_is_type(exchange->value, json_type_object)) {
        return discord_refused(exchange);
    }
    (void)jdoc_integer(exchange->value, "type", &type);
    if (opening->step == OPEN_CHANNEL && type_is_thread(type) &&
        parse_snowflake(exchange->value, "parent_id", &parent)) {
        return ask_channel_of(exchange, opening, OPEN_PARENT, parent);
    }
    opening->type = type;
    opening->tag = find_tag(exchange->value);
    if (is_gallery(exchange) && type != CHANNEL_TEXT) {
        /* D "Channel Types", PRIVATE_THREAD. */
        return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                            "%s: only a text channel can have private threads, "
                            "and so a gallery",
                            exchange->service->name);
    }
    return ask_list(exchange, opening, OPEN_LIST, where);
}

/* Could it be a gallery?  One of another table that had the same number is
 * older. */
static bool
may_be_gallery(const struct exchange *exchange, json_object *thread)
{
    int64_t type = CHANNEL_TEXT;
    uint64_t id = 0;

    return jdoc_integer(thread, "type", &type) && type == THREAD_PRIVATE &&
           parse_snowflake(thread, "id", &id) &&
           snowflake_time(id) >= exchange->op->since;
}

/* Is a thread the one that was to be opened? */
static bool
is_ours(const struct exchange *exchange, const struct opening *opening,
        json_object *thread, const char *title)
{
    const char *name = jdoc_string(thread, "name");
    uint64_t parent = 0;
    uint64_t owner = 0;
    uint64_t self = 0;

    return name != NULL && strcmp(name, title) == 0 &&
           parse_snowflake(thread, "parent_id", &parent) &&
           parent == opening->channel &&
           parse_snowflake(thread, "owner_id", &owner) &&
           snowflake_read(exchange->service->self, &self) && owner == self &&
           (!is_gallery(exchange) || may_be_gallery(exchange, thread));
}

static bool
find_ours(const struct exchange *exchange, const struct opening *opening,
          uint64_t *id)
{
    json_object *threads = jdoc_get(exchange->value, "threads");
    size_t count = json_object_is_type(threads, json_type_array)
                       ? json_object_array_length(threads)
                       : 0;
    struct buf title = BUF_INIT;
    bool found = false;

    add_title(exchange, &title);
    for (size_t i = 0; i < count && !found; i++) {
        json_object *thread = json_object_array_get_idx(threads, i);

        found = is_ours(exchange, opening, thread, buf_text(&title)) &&
                parse_snowflake(thread, "id", id);
    }
    buf_release(&title);
    return found;
}

/* A post of a forum has a first message. */
static void
ask_forum_post(struct exchange *exchange, const struct opening *opening)
{
    struct buf text = BUF_INIT;

    buf_add_text(&text, "{\"content\":");
    jtext_string(&text, exchange->op->text);
    buf_add_text(&text, ",\"allowed_mentions\":{\"parse\":[]}}");
    ask_json(exchange, "message", buf_text(&text));
    if (opening->tag != 0) {
        buf_clear(&text);
        buf_addf(&text, "[\"%" PRIu64 "\"]", opening->tag);
        ask_json(exchange, "applied_tags", buf_text(&text));
    }
    buf_release(&text);
}

static enum advance
ask_make(struct exchange *exchange, struct opening *opening)
{
    bool forum =
        opening->type == CHANNEL_FORUM || opening->type == CHANNEL_MEDIA;

    opening->step = OPEN_MAKE;
    ask_channel(exchange, "POST", opening->channel, "/threads");
    ask_thread(exchange);
    if (is_gallery(exchange)) {
        ask_json(exchange, "type", "12");
        ask_json(exchange, "invitable", "false");
    } else if (forum) {
        ask_forum_post(exchange, opening);
    } else {
        ask_json(exchange, "type",
                 opening->type == CHANNEL_ANNOUNCEMENT ? "10" : "11");
    }
    ask_end(exchange, "");
    limit_by(exchange, "open", opening->channel, 0);
    return ADVANCE_REQUEST;
}

static enum advance
parse_list(struct exchange *exchange, struct opening *opening,
           struct channel_id where)
{
    uint64_t id;

    if (!is_success(exchange) && !is_unavailable(exchange) &&
        !is_unsupported(exchange) && exchange->reply->status != 404) {
        return discord_refused(exchange);
    }
    if (find_ours(exchange, opening, &id)) {
        return is_gallery(exchange) ? ask_add(exchange, opening, id)
                                    : opened(exchange, where, id);
    }
    return opening->step == OPEN_LOOK ? ask_on_post(exchange, opening, where)
                                      : ask_make(exchange, opening);
}

static enum advance
parse_made(struct exchange *exchange, struct opening *opening,
           struct channel_id where)
{
    uint64_t id;

    if (is_success(exchange) && parse_snowflake(exchange->value, "id", &id)) {
        return is_gallery(exchange) ? ask_add(exchange, opening, id)
                                    : opened(exchange, where, id);
    }
    return refuse_thread(exchange);
}

/* To an archived thread nobody can be added (D "Threads"). */
static enum advance
parse_added(struct exchange *exchange, struct opening *opening,
            struct channel_id where)
{
    if (reply_err(exchange->reply) == ERR_NONE) {
        return opened(exchange, where, opening->gallery);
    }
    if (refusal_code(exchange) == CODE_UNKNOWN_CHANNEL && !opening->anew) {
        opening->anew = true;
        return begin_gallery(exchange, opening, where);
    }
    if (refusal_code(exchange) != CODE_ARCHIVED || opening->revived) {
        return discord_lacking(exchange);
    }
    opening->step = OPEN_AGAIN;
    opening->revived = true;
    ask_channel(exchange, "PATCH", opening->gallery, "");
    ask_json(exchange, "archived", "false");
    ask_end(exchange, "");
    limit_by(exchange, "channel", opening->gallery, 0);
    return ADVANCE_REQUEST;
}

static enum advance
parse_again(struct exchange *exchange, struct opening *opening)
{
    return is_success(exchange) ? ask_add(exchange, opening, opening->gallery)
                                : discord_lacking(exchange);
}

enum advance
discord_open(struct exchange *exchange)
{
    struct opening *opening = exchange_memory(exchange, sizeof(*opening));
    struct channel_id where;

    if (!exchange_channel(exchange, &where)) {
        return ADVANCE_FAILED;
    }
    switch (opening->step) {
    case OPEN_BEGIN:
        return begin(exchange, opening, where);
    case OPEN_ON_POST:
        return parse_on_post(exchange, opening, where);
    case OPEN_THERE:
        return parse_whether_there(exchange, opening, where);
    case OPEN_CHANNEL:
    case OPEN_PARENT:
        return parse_there(exchange, opening, where);
    case OPEN_LOOK:
    case OPEN_LIST:
        return parse_list(exchange, opening, where);
    case OPEN_MAKE:
        return parse_made(exchange, opening, where);
    case OPEN_ADD:
        return parse_added(exchange, opening, where);
    case OPEN_AGAIN:
        break;
    }
    return parse_again(exchange, opening);
}
