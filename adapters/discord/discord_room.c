/* Discord: private talks, and a thread for a game. */
#include <inttypes.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/json.h"

/* ---- private talks --------------------------------------------------------
 */

/* Whoever opens many in a row is blocked for it (D "Create DM"). */
enum {
    TALK_APART_MS = 4000
};

/* Spacebar took the list alone for years
 * (src/api/routes/users/@me/channels.ts). */
static enum turn
ask_talk(struct trip *trip, bool listed)
{
    struct buf list = BUF_INIT;

    discord_ask(trip, "POST", "/users/@me/channels");
    if (listed) {
        buf_add_char(&list, '[');
        jtext_string(&list, trip->errand->user);
        buf_add_char(&list, ']');
        ask_json(trip, "recipients", buf_text(&list));
    } else {
        ask_text(trip, "recipient_id", trip->errand->user);
    }
    buf_release(&list);
    ask_end(trip, "talk");
    trip->out->request.apart = TALK_APART_MS;
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

enum turn
discord_talk(struct trip *trip)
{
    bool *listed = trip_memory(trip, sizeof(*listed));

    if (trip->reply == NULL) {
        return ask_talk(trip, false);
    }
    if (hear_own_id(trip)) {
        return TURN_DONE;
    }
    if (!*listed && heard_strict(trip)) {
        *listed = true;
        return ask_talk(trip, true);
    }
    return discord_lacking(trip);
}

/* ---- threads --------------------------------------------------------------
 */

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
};

struct opening {
    enum open_step step;
    uint64_t channel; /* in which it is opened */
    int64_t type;
    uint64_t tag; /* that the forum wants; 0: none */
    bool plain;   /* its title is of letters, digits and dashes */
    int status;   /* of the refusal */
};

static bool
is_plain(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || ((unsigned char)byte & 0x80) != 0;
}

/* One dash for all that stands between letters. */
static void
add_plain_title(const char *text, size_t len, struct buf *title)
{
    size_t begin = title->len;

    for (size_t i = 0; i < len; i++) {
        if (is_plain(text[i])) {
            if (i > 0 && !is_plain(text[i - 1]) && title->len > begin) {
                buf_add_char(title, '-');
            }
            buf_add_char(title, text[i]);
        }
    }
}

static void
add_title(const struct trip *trip, bool plain, struct buf *title)
{
    const char *text = trip->errand->text;
    size_t points = 0;
    size_t len = 0;

    for (; text[len] != '\0'; len++) {
        points += ((unsigned char)text[len] & 0xC0) != 0x80;
        if (points > TITLE_MAX) {
            break;
        }
    }
    if (plain) {
        add_plain_title(text, len, title);
    } else {
        buf_add(title, text, len);
    }
}

static enum turn
opened(struct trip *trip, struct spot spot, uint64_t thread)
{
    spot.channel = thread;
    buf_clear(&trip->out->id);
    spot_write(spot, &trip->out->id);
    /* Its id was made when it was; elsewhere it may be of another row of ids
     * than a message's, and all that is in a thread of ours is new. */
    buf_clear(&trip->out->cursor);
    buf_addf(&trip->out->cursor, "%" PRIu64, is_discord(trip) ? thread : 1);
    return TURN_DONE;
}

static void
ask_thread(struct trip *trip, const struct opening *opening)
{
    struct buf text = BUF_INIT;

    add_title(trip, opening->plain, &text);
    ask_text(trip, "name", buf_text(&text));
    buf_clear(&text);
    buf_add_number(&text, DISCORD_ARCHIVE_MINUTES);
    ask_json(trip, "auto_archive_duration", buf_text(&text));
    buf_release(&text);
}

static enum turn
ask_channel_of(struct trip *trip, struct opening *opening, enum open_step step,
               uint64_t channel)
{
    opening->step = step;
    opening->channel = channel;
    ask_channel(trip, "GET", channel, "");
    limit_by(trip, "channel", channel, 0);
    return TURN_REQUEST;
}

static enum turn
ask_list(struct trip *trip, struct opening *opening, enum open_step step,
         struct spot spot)
{
    opening->step = step;
    ask_guild(trip, "GET", spot.guild, "/threads/active");
    limit_by(trip, "threads", spot.guild, 0);
    return TURN_REQUEST;
}

static enum turn
ask_on_post(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t post = 0;

    (void)snowflake_read(trip->errand->post, &post);
    opening->step = OPEN_ON_POST;
    ask_channel(trip, "POST", spot.channel, "/messages");
    ask_id(trip, post);
    buf_add_text(&trip->out->request.url, "/threads");
    ask_thread(trip, opening);
    ask_end(trip, "");
    limit_by(trip, "open", spot.channel, 0);
    return TURN_REQUEST;
}

/* Elsewhere a message may be given two threads, of ids of their own: the
 * Discord twin (src/server.ts).  So it is looked for first. */
static enum turn
begin(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t post;

    if (*trip->errand->post == '\0') {
        return ask_channel_of(trip, opening, OPEN_CHANNEL, spot.channel);
    }
    if (!snowflake_read(trip->errand->post, &post)) {
        return outcome_fail(trip->out, trip->why, ERR_GARBLED,
                            "%s: a saved post is none of this service's",
                            trip->service->name);
    }
    if (!is_discord(trip)) {
        opening->channel = spot.channel;
        return ask_list(trip, opening, OPEN_LOOK, spot);
    }
    return ask_on_post(trip, opening, spot);
}

/* For some time Spacebar took no other titles than its channels can have
 * (src/util/entities/Channel.ts, createChannel). */
static bool
may_be_title(const struct trip *trip, const struct opening *opening)
{
    int status = trip->reply->status;

    return !opening->plain && heard_want(trip) &&
           (status == 400 || status == 403 || status == 422);
}

/* Whatever is refused for good is done without: the game is played where it was
 * opened. */
static enum turn
refuse_thread(struct trip *trip)
{
    bool wanting = is_discord(trip) ? heard_lack(trip) : heard_want(trip);

    (void)discord_refused(trip);
    if (wanting &&
        (trip->out->err == ERR_GARBLED || trip->out->err == ERR_LATER)) {
        trip->out->err = ERR_DENIED;
        buf_add_text(trip->why, "; without a thread");
    }
    return TURN_FAILED;
}

/* Is it a refusal of its own kind, of a server that may call things otherwise?
 */
static bool
may_be_there(const struct trip *trip)
{
    int status = trip->reply->status;

    return heard_want(trip) ||
           (!is_discord(trip) && heard_code(trip) == 0 && status == 409);
}

static enum turn
ask_there(struct trip *trip, struct opening *opening)
{
    uint64_t post = 0;

    (void)snowflake_read(trip->errand->post, &post);
    opening->step = OPEN_THERE;
    opening->status = trip->reply->status;
    ask_channel(trip, "GET", post, "");
    limit_by(trip, "channel", post, 0);
    return TURN_REQUEST;
}

/* Spacebar's threads have the ids of their messages, too. */
static enum turn
hear_whether_there(struct trip *trip, struct opening *opening, struct spot spot)
{
    int64_t type = CHANNEL_TEXT;
    uint64_t id = 0;

    if (heard_well(trip) && jdoc_integer(trip->value, "type", &type) &&
        type_is_thread(type) && hear_snowflake(trip->value, "id", &id)) {
        return opened(trip, spot, id);
    }
    if (!heard_lack(trip) && !heard_want(trip) &&
        reply_err(trip->reply) != ERR_NONE) {
        return discord_refused(trip);
    }
    return outcome_fail(trip->out, trip->why, ERR_DENIED,
                        "%s: no thread can be opened: status %d",
                        trip->service->name, opening->status);
}

/* A message has one thread, whose id is its own. */
static enum turn
hear_on_post(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t id;

    if (heard_code(trip) == CODE_THREAD_THERE &&
        snowflake_read(trip->errand->post, &id)) {
        return opened(trip, spot, id);
    }
    if (heard_code(trip) == CODE_WRONG_CHANNEL) {
        /* In a thread none can be opened: beside it then. */
        return ask_channel_of(trip, opening, OPEN_CHANNEL, spot.channel);
    }
    if (heard_well(trip) && hear_snowflake(trip->value, "id", &id)) {
        return opened(trip, spot, id);
    }
    if (may_be_title(trip, opening)) {
        opening->plain = true;
        return ask_on_post(trip, opening, spot);
    }
    return may_be_there(trip) ? ask_there(trip, opening) : refuse_thread(trip);
}

/* The first tag that is not the moderators' alone. */
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
        if (!moderated && hear_snowflake(tag, "id", &id)) {
            return id;
        }
    }
    return 0;
}

static enum turn
hear_there(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t parent;
    int64_t type = CHANNEL_TEXT;

    if (!heard_well(trip) ||
        !json_object_is_type(trip->value, json_type_object)) {
        return discord_refused(trip);
    }
    (void)jdoc_integer(trip->value, "type", &type);
    if (opening->step == OPEN_CHANNEL && type_is_thread(type) &&
        hear_snowflake(trip->value, "parent_id", &parent)) {
        return ask_channel_of(trip, opening, OPEN_PARENT, parent);
    }
    opening->type = type;
    opening->tag = find_tag(trip->value);
    return ask_list(trip, opening, OPEN_LIST, spot);
}

/* Is a thread the one that was to be opened? */
static bool
is_ours(const struct trip *trip, const struct opening *opening,
        json_object *thread, const char *title)
{
    const char *name = jdoc_string(thread, "name");
    uint64_t parent = 0;
    uint64_t owner = 0;
    uint64_t self = 0;

    return name != NULL && strcmp(name, title) == 0 &&
           hear_snowflake(thread, "parent_id", &parent) &&
           parent == opening->channel &&
           hear_snowflake(thread, "owner_id", &owner) &&
           snowflake_read(trip->service->self, &self) && owner == self;
}

static bool
find_ours(const struct trip *trip, const struct opening *opening, uint64_t *id)
{
    json_object *threads = jdoc_get(trip->value, "threads");
    size_t count = json_object_is_type(threads, json_type_array)
                       ? json_object_array_length(threads)
                       : 0;
    struct buf title = BUF_INIT;
    struct buf plain = BUF_INIT;
    bool found = false;

    add_title(trip, false, &title);
    add_title(trip, true, &plain);
    for (size_t i = 0; i < count && !found; i++) {
        json_object *thread = json_object_array_get_idx(threads, i);

        found = (is_ours(trip, opening, thread, buf_text(&title)) ||
                 (!is_discord(trip) &&
                  is_ours(trip, opening, thread, buf_text(&plain)))) &&
                hear_snowflake(thread, "id", id);
    }
    buf_release(&title);
    buf_release(&plain);
    return found;
}

/* A post of a forum has a first message. */
static void
ask_forum_post(struct trip *trip, const struct opening *opening)
{
    struct buf text = BUF_INIT;

    buf_add_text(&text, "{\"content\":");
    jtext_string(&text, trip->errand->text);
    buf_add_text(&text, ",\"allowed_mentions\":{\"parse\":[]}}");
    ask_json(trip, "message", buf_text(&text));
    if (opening->tag != 0) {
        buf_clear(&text);
        buf_addf(&text, "[\"%" PRIu64 "\"]", opening->tag);
        ask_json(trip, "applied_tags", buf_text(&text));
    }
    buf_release(&text);
}

static enum turn
ask_make(struct trip *trip, struct opening *opening)
{
    bool forum =
        opening->type == CHANNEL_FORUM || opening->type == CHANNEL_MEDIA;

    opening->step = OPEN_MAKE;
    ask_channel(trip, "POST", opening->channel, "/threads");
    ask_thread(trip, opening);
    if (forum) {
        ask_forum_post(trip, opening);
    } else {
        ask_json(trip, "type", opening->type == CHANNEL_NEWS ? "10" : "11");
    }
    ask_end(trip, "");
    limit_by(trip, "open", opening->channel, 0);
    return TURN_REQUEST;
}

static enum turn
hear_list(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t id;

    if (!heard_well(trip) && !heard_lack(trip) && !heard_want(trip) &&
        trip->reply->status != 404) {
        return discord_refused(trip);
    }
    if (find_ours(trip, opening, &id)) {
        return opened(trip, spot, id);
    }
    return opening->step == OPEN_LOOK ? ask_on_post(trip, opening, spot)
                                      : ask_make(trip, opening);
}

static enum turn
hear_made(struct trip *trip, struct opening *opening, struct spot spot)
{
    uint64_t id;

    if (heard_well(trip) && hear_snowflake(trip->value, "id", &id)) {
        return opened(trip, spot, id);
    }
    if (may_be_title(trip, opening)) {
        opening->plain = true;
        return ask_make(trip, opening);
    }
    return refuse_thread(trip);
}

enum turn
discord_open(struct trip *trip)
{
    struct opening *opening = trip_memory(trip, sizeof(*opening));
    struct spot spot;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    switch (opening->step) {
    case OPEN_BEGIN:
        return begin(trip, opening, spot);
    case OPEN_ON_POST:
        return hear_on_post(trip, opening, spot);
    case OPEN_THERE:
        return hear_whether_there(trip, opening, spot);
    case OPEN_CHANNEL:
    case OPEN_PARENT:
        return hear_there(trip, opening, spot);
    case OPEN_LOOK:
    case OPEN_LIST:
        return hear_list(trip, opening, spot);
    case OPEN_MAKE:
        break;
    }
    return hear_made(trip, opening, spot);
}
