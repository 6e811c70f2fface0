/* Discord: what to do about refusals, and what people can do. */
#include <stdlib.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/*
 * By code (D "JSON Error Codes"), for other servers of this API send the codes
 * with other statuses: what to do about it, how long to wait at least, and what
 * a person has to do if the service's own words do not say it.
 */
static const struct remedy {
    int64_t code;
    enum err err;
    int64_t wait; /* ms */
    const char *words;
} remedies[] = {
    {10003, ERR_GONE, 0,
     "there is no such channel any more, or the bot was put out of its server"},
    {10004, ERR_GONE, 0, "there is no such server, or the bot is not in it"},
    {CODE_UNKNOWN_MESSAGE, ERR_GONE, 0, "the message was deleted"},
    {10013, ERR_GONE, 0, "there is no such user"},
    {CODE_UNKNOWN_EMOJI, ERR_DENIED, 0, ""},
    {20001, ERR_DENIED, 0, "the token is not a bot's"},
    {20009, ERR_DENIED, 0,
     "the server's filter for explicit content has stopped the post: let the "
     "bot's role pass it"},
    {20016, ERR_LIMITED, MINUTE_MS, "the channel is in slow mode"},
    {20026, ERR_DENIED, 0,
     "Discord has taken the bot for a spammer: see the Developer Portal"},
    {20028, ERR_LIMITED, 5000, ""},
    {20029, ERR_LIMITED, 5000, ""},
    {30003, ERR_DENIED, 0,
     "the channel has as many pins as it can have: take one off"},
    {30010, ERR_DENIED, 0, ""},
    {30046, ERR_LIMITED, 10 * MINUTE_MS, ""},
    {CODE_UNAUTHORIZED, ERR_DENIED, 0, ""},
    {40002, ERR_DENIED, 0,
     "the bot's owner has to verify their Discord account"},
    {40003, ERR_LIMITED, 10 * MINUTE_MS,
     "DMs are being opened too fast; the host waits"},
    {40005, ERR_FULL, 0, ""},
    {40058, ERR_CONFIG, 0,
     "the place is a forum: write a post in it, and configure that post"},
    {40062, ERR_LIMITED, 5000, ""},
    {40066, ERR_DENIED, 0,
     "the forum wants a tag on each post, and lets only moderators set one: add "
     "a tag for everybody, or give the bot \"Manage Threads\""},
    {40067, ERR_DENIED, 0,
     "the forum wants a tag on each post: turn \"Require people to select "
     "tags\" off"},
    {40333, ERR_LATER, 0, ""},
    {50001, ERR_DENIED, 0, ""},
    {50006, ERR_GARBLED, 0, ""},
    {50007, ERR_DENIED, 0,
     "the user takes no direct messages from the bot: they have to allow "
     "\"Direct Messages\" in the server's privacy settings, and not block it"},
    {50008, ERR_CONFIG, 0, "nothing can be written in a channel of that kind"},
    {50013, ERR_DENIED, 0, ""},
    {CODE_TOKEN, ERR_DENIED, 0, ""},
    {50033, ERR_DENIED, 0, "nobody with that id can be written to"},
    {50045, ERR_FULL, 0, ""},
    {CODE_ARCHIVED, ERR_DENIED, 0,
     "the thread was put away: open it again, or give the bot \"Manage "
     "Threads\""},
    {50278, ERR_DENIED, 0, "the user is in no server together with the bot"},
    {90001, ERR_DENIED, 0, "the user has blocked the bot"},
    {130000, ERR_LATER, 0, ""},
    {CODE_THREAD_THERE, ERR_DENIED, 0, ""},
    {160005, ERR_DENIED, 0,
     "the thread is locked: unlock it, or give the bot \"Manage Threads\""},
    {160006, ERR_DENIED, 0,
     "the server has as many threads as it can have: put some away"},
    {160007, ERR_DENIED, 0,
     "the server has as many announcement threads as it can have: put some "
     "away"},
    {200000, ERR_DENIED, 0,
     "an AutoMod rule of the server has stopped the post: exempt the bot's "
     "role or the channel from it"},
    {200001, ERR_DENIED, 0, "an AutoMod rule of the server forbids the title"},
    {240000, ERR_DENIED, 0,
     "the server's filter for links has stopped the post"},
};

/* What those codes refuse, if not a right. */
static const struct {
    int64_t code;
    enum refused refused;
} kinds[] = {
    {CODE_UNKNOWN_EMOJI, REFUSED_EXTRA},
    {20001, REFUSED_ACCOUNT},
    {20009, REFUSED_WORDS},
    {20026, REFUSED_WRITING},
    {40002, REFUSED_LOCKED},
    {50007, REFUSED_PERSON},
    {50033, REFUSED_PERSON},
    {50278, REFUSED_PERSON},
    {90001, REFUSED_PERSON},
    {200000, REFUSED_WORDS},
    {200001, REFUSED_WORDS},
    {240000, REFUSED_WORDS},
};

enum {
    FORM_DEPTH_MAX = 8, /* of an error in a form */
    CODE_LEAST =
        10000 /* the least of Discord's codes: a lower one repeats the status,
                 as at Spacebar (src/api/middlewares/ErrorHandler.ts) */
};

int64_t
refusal_code(const struct exchange *exchange)
{
    int64_t code = 0;

    if (exchange->reply == NULL || reply_err(exchange->reply) == ERR_NONE) {
        return 0;
    }
    (void)jdoc_integer(exchange->value, "code", &code);
    return code < CODE_LEAST ? 0 : code;
}

/* JSON that was cut off is nobody's reply. */
static bool
is_cut(const struct exchange *exchange)
{
    const struct reply *reply = exchange->reply;
    size_t at = 0;

    if (exchange->value != NULL || reply->status < 400 || reply->status > 428) {
        return false;
    }
    while (at < reply->len && (unsigned char)reply->body[at] <= ' ') {
        at++;
    }
    return at < reply->len &&
           (reply->body[at] == '{' || reply->body[at] == '[');
}

/* Another server need not answer in JSON if it has nothing at an address;
 * Discord does, so a reply without JSON comes from a proxy before it. */
bool
is_unavailable(const struct exchange *exchange)
{
    int status = exchange->reply->status;
    bool missing = status == 404 || status == 405 || status == 501;

    if (exchange->value == NULL) {
        return missing && !is_discord(exchange) && !is_cut(exchange);
    }
    return missing || status == 400 || status == 403 || status == 422;
}

/* A token that is not valid is 401 at Discord; Spacebar answers 400 with a
 * code, and had none for years (src/api/middlewares/Authentication.ts). */
static bool
is_token_refused(const struct exchange *exchange)
{
    const char *message = jdoc_string(exchange->value, "message");
    int64_t code = refusal_code(exchange);

    return code == CODE_UNAUTHORIZED || code == CODE_TOKEN ||
           (!is_discord(exchange) && exchange->reply->status == 400 &&
            code == 0 && message != NULL &&
            (strstr(message, "token") != NULL ||
             strstr(message, "Token") != NULL));
}

/* Why a form was refused: the errors of one of its members, as text (D "Error
 * Messages"); "": not for that. */
static const char *
refusal_errors(const struct exchange *exchange, const char *member)
{
    json_object *errors = jdoc_get(jdoc_get(exchange->value, "errors"), member);

    return errors == NULL ? "" : json_object_to_json_string(errors);
}

/* Spacebar's limit for all messages of a channel in a minute comes as an error
 * of the form (src/api/routes/channels/#channel_id/messages). */
static bool
is_flood(const struct exchange *exchange)
{
    return strstr(refusal_errors(exchange, "channel_id"),
                  "TOO_MANY_MESSAGES") != NULL;
}

/* The text itself is refused, as too long or otherwise; it would be without its
 * extras as well.  Spacebar has no code for the length
 * (src/api/util/handlers/Message.ts). */
static bool
is_about_words(const struct exchange *exchange)
{
    const char *message = jdoc_string(exchange->value, "message");

    return *refusal_errors(exchange, "content") != '\0' ||
           *refusal_errors(exchange, "name") != '\0' ||
           (!is_discord(exchange) && message != NULL &&
            strstr(message, "max character limit") != NULL);
}

/* Does another server refuse by status alone?  A known code says what is wrong.
 */
static bool
is_unspoken(const struct exchange *exchange)
{
    int64_t code = refusal_code(exchange);

    return !is_discord(exchange) && (code == 0 || code == CODE_FORM) &&
           !is_token_refused(exchange) && !is_flood(exchange) &&
           !is_about_words(exchange);
}

bool
is_too_strict(const struct exchange *exchange)
{
    int status = exchange->reply->status;

    if (exchange->value == NULL && (status == 500 || is_cut(exchange))) {
        return false;
    }
    return is_unspoken(exchange) &&
           (status == 400 || status == 415 || status == 422 || status == 500);
}

bool
is_unsupported(const struct exchange *exchange)
{
    return is_unspoken(exchange) &&
           (is_unavailable(exchange) ||
            (exchange->reply->status == 500 && exchange->value != NULL));
}

static const struct remedy *
find_remedy(int64_t code)
{
    for (size_t i = 0; i < sizeof(remedies) / sizeof(remedies[0]); i++) {
        if (remedies[i].code == code) {
            return &remedies[i];
        }
    }
    return NULL;
}

static enum refused
find_kind(int64_t code)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (kinds[i].code == code) {
            return kinds[i].refused;
        }
    }
    return REFUSED_RIGHT;
}

/* The permissions that an operation needs, by the names that people see. */
static const char *
permissions(const struct exchange *exchange)
{
    static const char *const needed[EXCHANGE_OPS] = {
        [OP_SEND] = ("\"View Channel\", \"Send Messages\", and in a thread "
                     "\"Send Messages in Threads\""),
        [OP_OPEN] =
            "\"Create Public Threads\", and in a forum \"Send Messages\"",
        [OP_INVITE] =
            "\"Create Private Threads\" and \"Send Messages in Threads\"",
        [OP_ROLES] =
            "\"Manage Roles\", and a role of its own above those it gives",
        [OP_REACT] = "\"Add Reactions\" and \"Read Message History\"",
        [OP_DELETE] = "\"Manage Messages\"",
        [OP_PIN] = "\"Pin Messages\"",
    };
    const char *names = needed[exchange->op->kind];

    if (exchange->op->kind == OP_PIN && !is_discord(exchange)) {
        return "\"Pin Messages\" or \"Manage Messages\"";
    }
    return names != NULL ? names
                         : "\"View Channel\" and \"Read Message History\"";
}

/* A rate limit's time is in the header and, with decimals, in the body: the
 * longer one counts. */
static void
parse_wait(struct exchange *exchange, const struct remedy *remedy)
{
    json_object *after = jdoc_get(exchange->value, "retry_after");
    double seconds = json_object_get_double(after);
    int64_t wait = remedy == NULL ? 0 : remedy->wait;

    if (exchange->reply->retry_after > wait) {
        wait = exchange->reply->retry_after;
    }
    if (seconds > 0 && seconds < 86400 && (int64_t)(seconds * 1000) >= wait) {
        wait = (int64_t)(seconds * 1000) + 1;
    }
    exchange->out->wait =
        wait > exchange->out->wait ? wait : exchange->out->wait;
}

static void
add_words(const struct exchange *exchange, const struct remedy *remedy)
{
    int64_t code = refusal_code(exchange);

    if (code == 50001 || code == 50013) {
        buf_addf(exchange->why, "; give the bot the permissions %s there",
                 permissions(exchange));
    } else if (exchange->reply->status == 401 || is_token_refused(exchange)) {
        buf_addf(exchange->why,
                 "; the bot's token is not valid: make a new one%s",
                 is_discord(exchange) ? " in the Developer Portal" : "");
    } else if (remedy != NULL && *remedy->words != '\0') {
        buf_addf(exchange->why, "; %s", remedy->words);
    } else if (is_about_words(exchange)) {
        buf_add_text(exchange->why,
                     "; the text is not taken as it is, it may be "
                     "too long");
    } else if (is_flood(exchange)) {
        buf_add_text(exchange->why, "; too much was written there in a minute");
    }
}

/* Is this the answer of the proxy before the service, which for a while turns
 * away everybody who was refused too often? */
static bool
is_before_it(const struct exchange *exchange)
{
    int status = exchange->reply->status;

    return exchange->value == NULL && (status == 403 || status == 404) &&
           exchange->op->kind != OP_WHO;
}

/* Set what to do about a refusal, and what was refused. */
static void
set_remedy(struct exchange *exchange, const struct remedy *remedy)
{
    struct outcome *out = exchange->out;

    if (is_cut(exchange)) {
        out->err = ERR_GARBLED;
    } else if (is_before_it(exchange)) {
        out->err = ERR_LATER;
        buf_add_text(exchange->why, ": a page that is not the service's own");
    } else if (exchange->reply->status == 401 || is_token_refused(exchange)) {
        out->err = ERR_DENIED;
        out->refused = REFUSED_ACCOUNT;
    } else if (is_flood(exchange)) {
        out->err = ERR_LIMITED;
        out->wait = MINUTE_MS;
    } else if (is_about_words(exchange)) {
        out->err = ERR_DENIED;
        out->refused = REFUSED_WORDS;
    } else if (remedy != NULL && out->err != ERR_LIMITED) {
        out->err = remedy->err;
        out->refused = find_kind(remedy->code);
    }
    if (out->err == ERR_FULL) {
        out->refused =
            exchange->op->picture.bytes != NULL ? REFUSED_EXTRA : REFUSED_WORDS;
    }
}

/* Append of what member a form was refused, and for what (D "Error Messages"):
 * " (content: BASE_TYPE_MAX_LENGTH)".  Its sentence is left out, which may
 * repeat what was sent. */
static void
add_form_error(const struct exchange *exchange, struct buf *said)
{
    json_object *at = jdoc_get(exchange->value, "errors");
    json_object *list = NULL;
    const char *before = " (";

    for (int depth = 0; depth < FORM_DEPTH_MAX && list == NULL &&
                        json_object_is_type(at, json_type_object);
         depth++) {
        json_object *first = NULL;

        list = jdoc_get(at, "_errors");
        json_object_object_foreach(at, key, value)
        {
            if (list == NULL && first == NULL) {
                buf_addf(said, "%s%s", before, key);
                before = ".";
                first = value;
            }
        }
        at = first;
    }
    if (json_object_is_type(list, json_type_array)) {
        const char *code =
            jdoc_string(json_object_array_get_idx(list, 0), "code");

        buf_addf(said, ": %s)", code == NULL ? "?" : code);
    } else {
        buf_add_text(said, *before == '.' ? ")" : "");
    }
}

enum advance
discord_refused(struct exchange *exchange)
{
    bool refused = reply_err(exchange->reply) != ERR_NONE;
    int64_t code = refusal_code(exchange);
    const struct remedy *remedy = find_remedy(code);
    const char *message = jdoc_string(exchange->value, "message");
    struct buf said = BUF_INIT;

    if (message != NULL) {
        buf_add_text(&said, message);
    }
    if (code != 0) {
        buf_addf(&said, " (code %lld)", (long long)code);
    }
    add_form_error(exchange, &said);
    (void)exchange_refused_with(exchange, buf_text(&said));
    buf_release(&said);
    if (refused) {
        set_remedy(exchange, remedy);
    }
    if (exchange->out->err == ERR_LIMITED) {
        parse_wait(exchange, remedy);
    }
    if (refused) {
        add_words(exchange, remedy);
    }
    return ADVANCE_FAILED;
}

enum advance
discord_lacking(struct exchange *exchange)
{
    (void)discord_refused(exchange);
    if (is_unsupported(exchange) && exchange->reply->status != 500 &&
        (exchange->out->err == ERR_GARBLED ||
         exchange->out->err == ERR_LATER)) {
        exchange->out->err = ERR_DENIED;
    }
    return ADVANCE_FAILED;
}
