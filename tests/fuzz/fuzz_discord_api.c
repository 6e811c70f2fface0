/*
 * What the Discord adapter makes of any replies, of Discord and of another
 * server.  The first byte is the
 * operation's kind (a message, 'a' the first); each line behind it is a reply:
 * a message for its status (of the table below), then its body.
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

/* Each operation in the form that asks for most; in capitals, of a DM, and
 * read from its beginning. */
static struct op
op_of(uint8_t kind)
{
    static const char *const users[] = {"300000000000000002"};
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    bool dm = kind >= 'A' && kind <= 'Z';
    unsigned number = (unsigned)(kind - (dm ? 'A' : 'a'));
    struct op op = script_op((enum op_kind)(number % (OP_LOCK + 1)));

    op.dm = dm;
    op.pings = (struct pings){users, 1, false, NULL};
    op.picture = (struct picture){png, sizeof(png), 4, 4, "The board", NULL};
    if (dm) {
        op.place = DM;
        op.feed = DM;
        op.cursor = "";
        op.post = "";
    }
    return op;
}

static void
parse_line(struct script *script, const char *line, size_t len)
{
    size_t status = (size_t)(unsigned char)line[0] - 'a';

    status %= sizeof(statuses) / sizeof(statuses[0]);
    script_reply(script, statuses[status], line + 1, len - 1);
}

static void
run(const struct service *service, const uint8_t *data, size_t size)
{
    struct script script;
    struct op op = op_of(data[0]);
    const char *line = (const char *)data + 1;
    const char *end = (const char *)data + size;

    script_begin(&script, service, &op);
    for (int i = 0;
         script.advance == ADVANCE_REQUEST && line < end && i < ADVANCES_MAX;
         i++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));

        stop = stop == NULL ? end : stop;
        if (stop > line) {
            parse_line(&script, line, (size_t)(stop - line));
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
