#include "tests/sim/fault_world.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/index.h"
#include "bot/base/memory.h"
#include "bot/base/splitmix.h"
#include "tests/sim/fault_people.h"
#include "tests/sim/fault_twins.h"

enum {
    ID_DIGITS = 15 /* an id with so many holds its time, as Discord's do */
};

#define SLOWED 250 /* a part of so many */

struct fault_world world;

/* What the service's clock showed, and when. */
static struct {
    int64_t time, at;
} clock_shown;

/* What chance follows from. */
static struct {
    uint64_t about;         /* what is dealt with */
    uint64_t message;       /* the last that the host has sent */
    unsigned syncs, writes; /* since then, and since the last sync */
    struct index asked;     /* numbers of counts, from 1 */
    unsigned *counts;       /* how often something was asked for */
    size_t count;
    uint64_t draws, secrets;
} chance;

/* One that is ahead and is set right loses a part (SLOWED) of its time until it
 * is, as a clock is set on which others depend: Discord's ids hold their time
 * and rise, and NodeBB and phpBB show posts in the order of their times. */
int64_t
world_service_now(void)
{
    int64_t right = world.now + world.service_skew;
    int64_t passed = world.now - clock_shown.at;
    clock_shown.time += passed - passed / SLOWED;
    clock_shown.at = world.now;
    clock_shown.time = right > clock_shown.time ? right : clock_shown.time;
    return clock_shown.time;
}

static void
tell_time(void)
{
    int64_t since = (world.now - WORLD_START) / SECOND_MS;
    (void)fprintf(stderr, "| %lld %02lld:%02lld:%02lld ",
                  (long long)(since / 86400), (long long)(since / 3600 % 24),
                  (long long)(since / 60 % 60), (long long)(since % 60));
}

void
world_tell(const char *format, ...)
{
    char line[4096];
    va_list values;
    if (!world.plan->told) {
        return;
    }
    va_start(values, format);
    (void)vsnprintf(line, sizeof line, format, values);
    va_end(values);
    tell_time();
    for (const char *at = line; *at != '\0'; at++) {
        (void)fputs(*at == '\n' ? "\n|   " : (char[]){*at, '\0'}, stderr);
    }
    (void)fputs("\n", stderr);
}

_Noreturn void
world_fail(const char *format, ...)
{
    va_list values;
    tell_time();
    (void)fputs("FAILED: ", stderr);
    va_start(values, format);
    (void)vfprintf(stderr, format, values);
    va_end(values);
    (void)fputs("\n", stderr);
    fault_people_tell();
    (void)fflush(stderr);
    _exit(1);
}

/* ---- chance ---------------------------------------------------------------
 */

static uint64_t
mix(uint64_t before, uint64_t part)
{
    return splitmix_next(&before) ^ part;
}

uint64_t
world_hash(unsigned purpose, unsigned one, unsigned two, unsigned three)
{
    uint64_t state =
        mix(mix(mix(mix(world.plan->seed, purpose), one), two), three);
    return splitmix_next(&state);
}

/* How often it was asked for before. */
static unsigned
count_asked(uint64_t key)
{
    size_t at = 0;
    size_t number = index_next(&chance.asked, key, &at);
    if (number == 0) {
        if ((chance.count & (chance.count - 1)) == 0) {
            chance.counts = must_grow(chance.counts, (2 * chance.count + 1) *
                                                         sizeof *chance.counts);
        }
        chance.counts[chance.count] = 0;
        number = ++chance.count;
        index_add(&chance.asked, key, number);
    }
    return chance.counts[number - 1]++;
}

uint64_t
world_next(unsigned purpose, unsigned one, unsigned two)
{
    uint64_t key = world_hash(purpose, one, two, 0);
    uint64_t state = mix(key, count_asked(key));
    return splitmix_next(&state);
}

uint64_t
world_chance(enum fault_kind kind)
{
    uint64_t key = mix(mix(world.plan->seed, kind), chance.about);
    return mix(key, count_asked(key));
}

unsigned
world_dice(enum fault_kind kind, unsigned bound)
{
    uint64_t state = world_chance(kind);
    return splitmix_below(&state, bound);
}

/* Does it keep the host from its work?  What people and moderators do does not.
 */
static bool
troubles(enum fault_kind kind)
{
    static const enum fault_kind calm[] = {
        FAULT_REGRETS,  FAULT_REPEATS, FAULT_CLOSED,   FAULT_MODERATION,
        FAULT_COMMANDS, FAULT_UNDO,    FAULT_VOID,     FAULT_REPLACE,
        FAULT_VACATE,   FAULT_CHOOSE,  FAULT_ORDER,    FAULT_END,
        FAULT_SECOND,   FAULT_RENAMED, FAULT_TOGETHER, FAULT_LEFT,
        FAULT_PRESSES,  FAULT_MOMENT};
    for (size_t i = 0; i < sizeof calm / sizeof calm[0]; i++) {
        if (calm[i] == kind) {
            return false;
        }
    }
    return true;
}

bool
world_strikes(enum fault_kind kind)
{
    unsigned one_in = world.plan->one_in[kind];
    bool strikes = world.spoiled && one_in > 0 && world_dice(kind, one_in) == 0;
    world.tally.count[kind] += strikes;
    if (strikes && troubles(kind)) {
        world.troubled = world.now;
    }
    if (strikes && kind != FAULT_LOST_REPLY && kind != FAULT_LOST_REQUEST) {
        world_tell("--- %s", fault_names[kind]);
    }
    return strikes;
}

/* ---- what is dealt with ---------------------------------------------------
 */

void
world_about(const char *what, const char *text, unsigned one, unsigned two)
{
    chance.about = mix(mix(index_key(what, text), one), two);
}

/* How many posts were there before an id that holds its time. */
static unsigned
count_posts_before(uint64_t id)
{
    const struct fake_people *there = &world.people;
    struct shown_post shown;
    size_t below = 0; /* so many are before it */
    size_t end = 1;
    while (there->service->look(there->server, end - 1, &shown) &&
           shown.id < id) {
        below = end;
        end *= 2;
    }
    while (below + 1 < end) {
        size_t middle = below + (end - below) / 2;
        bool before = there->service->look(there->server, middle - 1, &shown) &&
                      shown.id < id;
        *(before ? &below : &end) = middle;
    }
    return (unsigned)below;
}

/* Add an address to what is dealt with. */
static void
add_address(const char *url)
{
    while (*url != '\0') {
        size_t digits = strspn(url, "0123456789");
        bool timed = digits >= ID_DIGITS;
        unsigned part = timed ? count_posts_before(strtoull(url, NULL, 10))
                              : (unsigned char)*url;
        chance.about = mix(chance.about, part);
        url += timed ? digits : 1;
    }
}

/* Where the key of a message begins in the body that sends it: the nonce, or
 * what follows the mark of a forum's post; "": it has none. */
static const char *
find_key(const char *body)
{
    static const char *const marks[] = {"\"nonce\":\"", "%23", "#"};
    const char *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof marks / sizeof marks[0];
         i++) {
        for (const char *at = body; (at = strstr(at, marks[i])) != NULL;) {
            at += strlen(marks[i]);
            found = at;
        }
    }
    return found == NULL ? "" : found;
}

void
world_about_request(const struct request *request)
{
    char key[64];
    const char *begin = find_key(buf_text(&request->body));
    size_t len = strspn(begin, "0123456789abcdefghijklmnopqrstuvwxyz._-");
    (void)snprintf(key, sizeof key, "%.*s", (int)len, begin);
    bool hidden = world.plan->twin != 0 && fault_twins_is_private(request);
    /* The same is read again and again. */
    bool reads = strcmp(request->method, "GET") == 0;
    world_about(request->method, hidden ? "" : key,
                reads ? (unsigned)(world.now / MINUTE_MS) : 0, 0);
    add_address(hidden ? "" : buf_text(&request->url));
    if (!reads) {
        chance.message = chance.about;
        chance.syncs = chance.writes = 0;
    }
}

void
world_about_write(bool sync)
{
    chance.syncs += sync;
    chance.writes = sync ? 0 : chance.writes + 1;
    chance.about = mix(mix(chance.message, chance.syncs), chance.writes);
}

/* ---- libsodium's ----------------------------------------------------------
 */

/* Chance that follows from the seed, in libsodium's place. */
static uint32_t
draw(void)
{
    return (uint32_t)splitmix_next(&chance.draws);
}

static void
draw_bytes(void *bytes, size_t len)
{
    unsigned char *byte = bytes;
    for (size_t i = 0; i < len; i++) {
        byte[i] = (unsigned char)splitmix_next(&chance.draws);
    }
}

static const char *
draw_name(void)
{
    return "faults";
}

static randombytes_implementation draws = {
    .implementation_name = draw_name, .random = draw, .buf = draw_bytes};

void
world_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    (void)context;
    for (size_t i = 0; i < DEAL_SECRET; i++) {
        secret[i] = (unsigned char)splitmix_next(&chance.secrets);
    }
}

void
world_begin(const struct fault_plan *plan)
{
    world.plan = plan;
    world.now = clock_shown.at = WORLD_START;
    chance.draws = plan->seed;
    chance.secrets = ~plan->seed;
    (void)randombytes_set_implementation(&draws);
}
