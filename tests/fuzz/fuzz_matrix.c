/*
 * What the Matrix adapter makes of any replies.  The first byte is the
 * operation's kind (a message, 'a' the first); each line behind it is a reply:
 * a message for its status (of the table below), then its body.
 */
#include <stdint.h>

#include "tests/adapters/matrix_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const int statuses[] = {200, 0, 302, 400, 401, 403, 404, 413, 429, 500};

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Each operation in the form that asks for most. */
static struct op
op_of(uint8_t kind)
{
    static const char *const users[] = {"@anna:hs.test"};
    static const struct adapter_state states[] = {
        {"device", "DEVICE"},
        {"secret.token", "syt_token"},
        {"secret.code", "device-grant CLIENT DEVICE CODE 5000"}};
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'};
    bool grants = kind == '|' || kind == '}' || kind == '~';
    struct op op = script_op(!grants ? (enum op_kind)(kind % (OP_PROBE + 1))
                             : kind == '|' ? OP_WHO
                                           : OP_GRANT);

    op.dm = kind >= 'A' && kind <= 'Z';
    op.pings = (struct pings){users, 1, false, NULL};
    op.picture = (struct picture){png, sizeof(png), 4, 4, "The board", NULL};
    op.states = states;
    op.state_count = kind == '~' ? 3 : 2; /* a log-in is under way */
    return op;
}

static void
parse_line(struct script *script, const char *line, size_t len)
{
    size_t status = (size_t)(unsigned char)line[0] - 'a';

    status %= sizeof(statuses) / sizeof(statuses[0]);
    script_reply(script, statuses[status], line + 1, len - 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct service with_password = {
        .adapter = &adapter_matrix,
        .name = "matrix",
        .base = "https://hs.test",
        .user = "bot",
        .password = "a secret word",
        .self = "@bot:hs.test",
    };
    struct service with_grant = with_password;
    struct script script;

    with_grant.password = "device-grant CLIENT DEVICE TOKEN";
    if (size < 2) {
        return 0;
    }
    struct op op = op_of(data[0]);
    const char *line = (const char *)data + 1;
    const char *end = (const char *)data + size;

    script_begin(&script,
                 data[0] == '|'  ? &with_grant
                 : data[0] > 'm' ? &with_password
                                 : &script_service,
                 &op);
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
    return 0;
}
