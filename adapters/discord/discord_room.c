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

enum turn
discord_talk(struct trip *trip)
{
    if (trip->reply != NULL) {
        return hear_own_id(trip) ? TURN_DONE : discord_refused(trip);
    }
    discord_ask(trip, "POST", "/users/@me/channels");
    ask_text(trip, "recipient_id", trip->errand->user);
    ask_end(trip, "talk");
    trip->out->request.apart = TALK_APART_MS;
    trip->out->request.urgent = true;
    return TURN_REQUEST;
}

/* ---- threads --------------------------------------------------------------
 */

enum {
    TITLE_MAX = 100, /* code points (D "Start Thread from Message") */
    FORUM_WANTS_TAG = 1 << 4,
};

enum open_step {
    OPEN_BEGIN,
    OPEN_ON_POST,
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
};

static void
add_title(const struct trip *trip, struct buf *title)
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
    buf_add(title, text, len);
}

static enum turn
opened(struct trip *trip, struct spot spot, uint64_t thread)
{
    spot.channel = thread;
    buf_clear(&trip->out->id);
    spot_write(spot, &trip->out->id);
    /* Its id was made when it was. */
    buf_clear(&trip->out->cursor);
    buf_addf(&trip->out->cursor, "%" PRIu64, thread);
    return TURN_DONE;
}

static void
ask_thread(struct trip *trip)
{
    struct buf text = BUF_INIT;

    add_title(trip, &text);
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
    opening->step = OPEN_ON_POST;
    ask_channel(trip, "POST", spot.channel, "/messages");
    ask_id(trip, post);
    buf_add_text(&trip->out->request.url, "/threads");
    ask_thread(trip);
    ask_end(trip, "");
    limit_by(trip, "open", spot.channel, 0);
    return TURN_REQUEST;
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
    if (!heard_well(trip) || !hear_snowflake(trip->value, "id", &id)) {
        return discord_refused(trip);
    }
    return opened(trip, spot, id);
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
    opening->step = OPEN_LIST;
    ask_guild(trip, "GET", spot.guild, "/threads/active");
    limit_by(trip, "threads", spot.guild, 0);
    return TURN_REQUEST;
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
    bool found = false;

    add_title(trip, &title);
    for (size_t i = 0; i < count && !found; i++) {
        json_object *thread = json_object_array_get_idx(threads, i);

        found = is_ours(trip, opening, thread, buf_text(&title)) &&
                hear_snowflake(thread, "id", id);
    }
    buf_release(&title);
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
hear_list(struct trip *trip, struct opening *opening, struct spot spot)
{
    bool forum =
        opening->type == CHANNEL_FORUM || opening->type == CHANNEL_MEDIA;
    uint64_t id;

    if (!heard_well(trip) && !heard_lack(trip) && trip->reply->status != 404) {
        return discord_refused(trip);
    }
    if (find_ours(trip, opening, &id)) {
        return opened(trip, spot, id);
    }
    opening->step = OPEN_MAKE;
    ask_channel(trip, "POST", opening->channel, "/threads");
    ask_thread(trip);
    if (forum) {
        ask_forum_post(trip, opening);
    } else {
        ask_json(trip, "type", opening->type == CHANNEL_NEWS ? "10" : "11");
    }
    ask_end(trip, "");
    limit_by(trip, "open", opening->channel, 0);
    return TURN_REQUEST;
}

enum turn
discord_open(struct trip *trip)
{
    struct opening *opening = trip_memory(trip, sizeof(*opening));
    struct spot spot;
    uint64_t id;

    if (!trip_spot(trip, &spot)) {
        return TURN_FAILED;
    }
    switch (opening->step) {
    case OPEN_BEGIN:
        return begin(trip, opening, spot);
    case OPEN_ON_POST:
        return hear_on_post(trip, opening, spot);
    case OPEN_CHANNEL:
    case OPEN_PARENT:
        return hear_there(trip, opening, spot);
    case OPEN_LIST:
        return hear_list(trip, opening, spot);
    case OPEN_MAKE:
        break;
    }
    if (!heard_well(trip) || !hear_snowflake(trip->value, "id", &id)) {
        return discord_refused(trip);
    }
    return opened(trip, spot, id);
}
