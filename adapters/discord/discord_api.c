/*
 * Discord: what the whole adapter shares: ids, requests, places.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "adapters/discord/discord_inner.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"

/* The first second of 2015, from which snowflakes count (D "Snowflakes"). */
#define EPOCH_MS INT64_C(1420070400000)

enum {
    DIGITS_MAX = 20,
    TIME_BIT = 22,
};

bool
type_is_thread(int64_t type)
{
    return type == THREAD_ANNOUNCEMENT || type == THREAD_PUBLIC ||
           type == THREAD_PRIVATE;
}

bool
discord_is_home(const struct service *service)
{
    static const char home[] = "discord.com";
    const char *host = strstr(service->base, "://");
    size_t len = host == NULL ? 0 : strcspn(host + 3, "/:");
    size_t all = sizeof(home) - 1;

    return len >= all && memcmp(host + 3 + len - all, home, all) == 0 &&
           (len == all || host[3 + len - all - 1] == '.');
}

bool
is_discord(const struct exchange *exchange)
{
    return discord_is_home(exchange->service);
}

/* A server need not tell it (RFC 9110, 6.6.1): then it is ours, and is not
 * relied on where that could lose a post. */
int64_t
discord_date(const struct exchange *exchange)
{
    const struct reply *reply = exchange->reply;

    return reply->date > 0 ? reply->date : exchange->op->now;
}

/* ---- ids ----------------------------------------------------------------- */

/* Read `len` digits as an id. */
static bool
read_digits(const char *text, size_t len, uint64_t *id)
{
    uint64_t value = 0;

    for (size_t i = 0; i < len; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if (digit > 9 ||
            (i >= DIGITS_MAX - 1 && value > (UINT64_MAX - digit) / 10)) {
            return false;
        }
        value = value * 10 + digit;
    }
    *id = value;
    return len > 0 && len <= DIGITS_MAX && value > 0;
}

bool
snowflake_read(const char *text, uint64_t *id)
{
    return read_digits(text, strlen(text), id);
}

void
snowflake_write(uint64_t id, struct buf *text)
{
    if (id >= 10) {
        buf_add_number(text, (int64_t)(id / 10));
    }
    buf_add_char(text, (char)('0' + id % 10));
}

bool
parse_snowflake(json_object *object, const char *key, uint64_t *id)
{
    const char *text = jdoc_string(object, key);
    int64_t number;

    if (text != NULL) {
        return snowflake_read(text, id);
    }
    if (!jdoc_integer(object, key, &number) || number <= 0) {
        return false;
    }
    *id = (uint64_t)number;
    return true;
}

int64_t
snowflake_time(uint64_t id)
{
    return (int64_t)(id >> TIME_BIT) + EPOCH_MS;
}

uint64_t
snowflake_at(int64_t time)
{
    return time <= EPOCH_MS ? 1 : (uint64_t)(time - EPOCH_MS) << TIME_BIT;
}

bool
channel_id_read(const char *place, struct channel_id *where)
{
    size_t len = strcspn(place, "/");

    *where = (struct channel_id){0, 0};
    if (place[len] == '\0') {
        return read_digits(place, len, &where->channel);
    }
    return read_digits(place, len, &where->guild) &&
           snowflake_read(place + len + 1, &where->channel);
}

void
channel_id_write(struct channel_id where, struct buf *place)
{
    if (where.guild != 0) {
        snowflake_write(where.guild, place);
        buf_add_char(place, '/');
    }
    snowflake_write(where.channel, place);
}

bool
exchange_channel(struct exchange *exchange, struct channel_id *where)
{
    const struct op *op = exchange->op;
    const char *place = op->kind == OP_READ ? op->feed : op->place;

    if (!channel_id_read(place, where)) {
        (void)outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                           "%s: a saved place is none of this service's",
                           exchange->service->name);
        return false;
    }
    return true;
}

/* ---- asking -------------------------------------------------------------- */

/* Does the service's address already have the path to the API, "/api"? */
static bool
has_path(const char *base)
{
    const char *host = strstr(base, "://");
    const char *path = host == NULL ? NULL : strchr(host + 3, '/');

    return path != NULL && strstr(path, "/api") != NULL;
}

void
discord_ask(struct exchange *exchange, const char *method, const char *path)
{
    ask(exchange, method, has_path(exchange->service->base) ? "" : "/api/v10");
    buf_add_text(&exchange->out->request.url, path);
}

void
ask_id(struct exchange *exchange, uint64_t id)
{
    buf_addf(&exchange->out->request.url, "/%" PRIu64, id);
}

void
ask_channel(struct exchange *exchange, const char *method, uint64_t channel,
            const char *path)
{
    discord_ask(exchange, method, "/channels");
    ask_id(exchange, channel);
    buf_add_text(&exchange->out->request.url, path);
}

void
ask_guild(struct exchange *exchange, const char *method, uint64_t guild,
          const char *path)
{
    discord_ask(exchange, method, "/guilds");
    ask_id(exchange, guild);
    buf_add_text(&exchange->out->request.url, path);
}

/* A bucket holds for one channel or guild (D "Rate Limits": the top-level
 * resource), which is the second word here. */
void
limit_by(struct exchange *exchange, const char *kind, uint64_t id,
         int64_t apart)
{
    char route[ADAPTER_ROUTE_MAX];

    (void)snprintf(route, sizeof(route), "%s %" PRIu64, kind, id);
    ask_route(exchange, route);
    exchange->out->request.apart = apart;
}

/* ---- replies ------------------------------------------------------------- */

void
give_id(struct exchange *exchange, uint64_t id)
{
    buf_clear(&exchange->out->id);
    buf_addf(&exchange->out->id, "%" PRIu64, id);
}

bool
parse_own_id(struct exchange *exchange)
{
    uint64_t id;

    if (!is_success(exchange) || !parse_snowflake(exchange->value, "id", &id)) {
        return false;
    }
    give_id(exchange, id);
    return true;
}
