/*
 * What the Discord adapter makes of any replies, of Discord and of another
 * server.  The first byte is the
 * errand's kind (a letter, 'a' the first); each line behind it is a reply: a
 * letter for its status (of the table below), then its body.
 */
#include <stdint.h>

#include "tests/adapters/discord_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int statuses[] = {200, 0,   204, 400, 401, 403, 404, 413,
                               429, 502, 405, 409, 422, 500, 501};

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Each errand in the form that asks for most; in capitals, of a talk, and read
 * from its beginning. */
static struct errand
errand_of(uint8_t kind)
{
    static const char *const users[] = {"300000000000000002"};
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    bool talk = kind >= 'A' && kind <= 'Z';
    unsigned number = (unsigned)(kind - (talk ? 'A' : 'a'));
    struct errand errand =
        script_errand((enum errand_kind)(number % (ERRAND_LOCK + 1)));

    errand.talk = talk;
    errand.rings = (struct rings){users, 1, false};
    errand.picture =
        (struct picture){png, sizeof(png), 4, 4, "The board", NULL};
    if (talk) {
        errand.place = TALK;
        errand.feed = TALK;
        errand.cursor = "";
        errand.post = "";
    }
    return errand;
}

static void
hear_line(struct script *script, const char *line, size_t len)
{
    size_t status = (size_t)(unsigned char)line[0] - 'a';

    status %= sizeof(statuses) / sizeof(statuses[0]);
    script_hear(script, statuses[status], line + 1, len - 1);
}

static void
run(const struct service *service, const uint8_t *data, size_t size)
{
    struct script script;
    struct errand errand = errand_of(data[0]);
    const char *line = (const char *)data + 1;
    const char *end = (const char *)data + size;

    script_begin(&script, service, &errand);
    for (int i = 0; script.turn == TURN_REQUEST && line < end && i < TURNS_MAX;
         i++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        stop = stop == NULL ? end : stop;
        if (stop > line) {
            hear_line(&script, line, (size_t)(stop - line));
        }
        line = stop < end ? stop + 1 : end;
    }
    page_finish(&script.out.page);
    demand(script_is_sane(&script));
    script_release(&script);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 2) {
        run(&script_service, data, size);
        run(&other_service, data, size);
    }
    return 0;
}
