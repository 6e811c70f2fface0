#include "bot/cli/enquiry.h"

#include "bot/base/civil.h"
#include "bot/loop/authorize.h"

/* What the bot may do, in the order in which it is listed. */
static const struct {
    enum right right;
    const char *words;
} rights[] = {
    {RIGHT_READ, "read"},
    {RIGHT_POST, "post"},
    {RIGHT_EDIT, "edit its posts"},
    {RIGHT_DM, "send private messages"},
    {RIGHT_REACT, "react"},
    {RIGHT_DELETE, "delete posts"},
    {RIGHT_PIN, "pin"},
    {RIGHT_UPLOAD, "upload"},
    {RIGHT_LOCK, "lock posts"},
    {RIGHT_OPEN, "open threads"},
};
enum {
    RIGHTS = sizeof rights / sizeof rights[0]
};

enum err
enquire(struct dispatch *dispatch, const struct service *service,
        struct adapter_states *states, struct op *op, struct delivery *delivery)
{
    op->states = states->list;
    op->state_count = states->count;
    op->now = clock_now();
    dispatch_submit(dispatch, service, op, (struct ticket){.kind = TICKET_WHO});
    while (!dispatch_next(dispatch, delivery)) {
        dispatch_work(dispatch, clock_now(), SECOND_MS);
    }
    const struct adapter_states *kept = &delivery->outcome.states;
    for (unsigned i = 0; delivery->err == ERR_NONE && i < kept->count; i++) {
        (void)adapter_states_set(states, kept->list[i].key,
                                 kept->list[i].value);
    }
    service_authorize_by(service, states, dispatch);
    return delivery->err;
}

void
enquiry_add_rights(unsigned held, struct buf *text)
{
    const char *between = "";
    for (unsigned i = 0; i < RIGHTS; i++) {
        if (held & rights[i].right) {
            buf_addf(text, "%s%s", between, rights[i].words);
            between = ", ";
        }
    }
}

unsigned
enquiry_needed_rights(const struct adapter *adapter, bool new_thread)
{
    unsigned needed = RIGHT_READ | RIGHT_POST | RIGHT_DM;
    if (new_thread && adapter->capabilities.threads) {
        needed |= RIGHT_OPEN;
    }
    return needed;
}

void
enquiry_advise_place(enum err err, struct buf *why)
{
    switch (err) {
    case ERR_DENIED:
        buf_add_text(why, "; let the bot in there, and let it read");
        break;
    case ERR_GONE:
        buf_add_text(why, "; look at the place's address");
        break;
    case ERR_LATER:
    case ERR_LIMITED:
        buf_add_text(why, "; try again later");
        break;
    case ERR_NONE:
    case ERR_GARBLED:
    case ERR_FULL:
    case ERR_CONFIG:
        break;
    }
}
