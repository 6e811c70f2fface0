#include "tests/support/pressing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "adapters/doorbell.h"
#include "bot/base/civil.h"
#include "bot/loop/presses.h"

static struct pressing *only;
static struct adapter adapter;

/* It is never opened. */
static const struct doorbell doorbell;

static enum advance
fail_now(struct outcome *out, struct buf *why, enum err err, unsigned *left)
{
    --*left;
    return outcome_fail(out, why, err, "not now");
}

static void
keep_buttons(const struct op *op)
{
    if (op->buttons == NULL) {
        return;
    }
    if (op->kind == OP_EDIT) {
        only->edited = *op->buttons;
        only->bared += op->buttons->count == 0;
    } else if (op->buttons->count > 0 && !op->dm) {
        only->under = *op->buttons;
        if (only->role[0] == '\0' && strstr(op->text, "Welcome, all") != NULL) {
            TEXT_COPY(only->role, op->buttons->list[0].id);
        }
    }
}

static enum advance
acknowledge(struct outcome *out, struct buf *why)
{
    only->acknowledged++;
    return only->refusals > 0
               ? fail_now(out, why, only->refuse, &only->refusals)
               : ADVANCE_DONE;
}

static enum advance
answer(const struct op *op, struct outcome *out, struct buf *why)
{
    ck_assert(only->unsaved == NULL || !*only->unsaved);
    only->replied++;
    if (only->failures > 0) {
        return fail_now(out, why, only->unanswered, &only->failures);
    }
    only->shown.there = true;
    TEXT_COPY(only->shown.text, op->text);
    TEXT_COPY(only->to, op->post);
    only->shown.buttons = *op->buttons;
    return ADVANCE_DONE;
}

static enum advance
offer(const struct op *op, struct outcome *out, struct buf *why)
{
    ck_assert_str_eq(op->place, "thread");
    if (op->commands->count == 0) {
        only->taken_away++;
        return ADVANCE_DONE;
    }
    only->registered++;
    return only->unregistered == ERR_NONE
               ? ADVANCE_DONE
               : outcome_fail(out, why, only->unregistered,
                              "the scope is missing");
}

static enum advance
change_role(const struct op *op)
{
    size_t len = strlen(only->changed);
    int more = snprintf(only->changed + len, sizeof only->changed - len,
                        "%s +%s -%s\n", op->user, op->text, op->others);
    ck_assert_uint_lt(len + (size_t)more, sizeof only->changed);
    return ADVANCE_DONE;
}

/* What is pressed is answered with the secret that came with it. */
static enum advance
answer_press(const struct op *op, struct outcome *out, struct buf *why)
{
    ck_assert_str_eq(op->secret, "canary-5ecret of the press");
    if (op->kind == OP_SUGGEST) {
        only->suggested = *op->buttons;
        return ADVANCE_DONE;
    }
    return op->kind == OP_REPLY ? answer(op, out, why) : acknowledge(out, why);
}

static enum advance
advance(const struct service *service, const struct op *op, struct buf *scratch,
        const struct reply *reply, struct outcome *out, struct buf *why)
{
    if (op->kind == OP_COMMANDS) {
        return offer(op, out, why);
    }
    if (op->kind == OP_ROLES) {
        return change_role(op);
    }
    if (op->kind == OP_ACKNOWLEDGE || op->kind == OP_REPLY ||
        op->kind == OP_SUGGEST) {
        return answer_press(op, out, why);
    }
    adapter.capabilities.disorder = only->disordered ? SECOND_MS : 0;
    if (op->kind == OP_BELL) {
        return outcome_fail(out, why, ERR_LATER, "not now");
    }
    if (op->kind == OP_READ && only->unread) {
        return outcome_fail(out, why, ERR_LATER, "not now");
    }
    if ((op->kind == OP_SEND || op->kind == OP_EDIT) && !op->dm && only->mute) {
        return outcome_fail(out, why, ERR_LATER, "not now");
    }
    if (only->closed != NULL && op->dm && op->user != NULL &&
        (op->kind == OP_SEND || op->kind == OP_DM) &&
        strstr(only->closed, op->user) != NULL) {
        out->refused = REFUSED_PERSON;
        return outcome_fail(out, why, ERR_DENIED, "they take no messages");
    }
    if (op->kind == OP_EDIT && op->text[0] == '\0') {
        keep_buttons(op); /* the board has none */
        return ADVANCE_DONE;
    }
    if (reply == NULL) {
        keep_buttons(op);
    }
    return adapter_board.advance(service, op, scratch, reply, out, why);
}

/* ---- opening ------------------------------------------------------------- */

struct pressing *
pressing_new(void)
{
    ck_assert_ptr_null(only);
    only = calloc(1, sizeof *only);
    ck_assert_ptr_nonnull(only);
    room_init(&only->room);
    adapter = adapter_board;
    adapter.advance = advance;
    adapter.capabilities.buttons = true;
    adapter.capabilities.commands = true;
    adapter.capabilities.roles = true;
    return only;
}

static void
give_buttons(struct pressing *pressing)
{
    struct stage *stage = pressing->room.stage;
    stage->tables.services.list[0].adapter = &adapter;
    conf_make_accounts(&stage->conf, 1);
    TEXT_COPY(stage->conf.accounts[0].name,
              stage->tables.services.list[0].name);
    stage->conf.accounts[0].buttons = true;
    stage->conf.accounts[0].commands = pressing->commands;
    places_change(&stage->tables.places); /* its service can do more now */
}

void
pressing_open(struct pressing *pressing)
{
    room_open(&pressing->room);
    give_buttons(pressing);
}

void
pressing_reopen(struct pressing *pressing)
{
    /* The board is not older than the store; nothing happens at the table. */
    room_writes(&pressing->room, "Zoe", "Hm.");
    room_reopen(&pressing->room);
    give_buttons(pressing);
    room_settle(&pressing->room);
}

void
pressing_hears(struct pressing *pressing, bool hears)
{
    struct stage *stage = pressing->room.stage;
    struct bell *bell = &stage->loop.bells[0];
    adapter.doorbell = &doorbell;
    stage->loop.reader.rings[0] = hears;
    bell->presses = hears;
    bell->silent = stage->now;
}

void
pressing_free(struct pressing *pressing)
{
    ck_assert_ptr_eq(pressing, only);
    room_release(&pressing->room);
    free(pressing);
    only = NULL;
}

/* ---- pressing ------------------------------------------------------------ */

static const char *
find(const struct buttons *buttons, const char *label)
{
    for (unsigned i = 0; i < buttons->count; i++) {
        if (strcmp(buttons->list[i].label, label) == 0) {
            return buttons->list[i].id;
        }
    }
    ck_abort_msg("there is no button \"%s\"", label);
    return NULL;
}

const char *
pressing_button(const struct pressing *pressing, const char *label)
{
    return find(&pressing->under, label);
}

const char *
pressing_answer(const struct pressing *pressing, const char *label)
{
    return find(&pressing->shown.buttons, label);
}

/* What somebody does comes to the loop. */
struct coming {
    const char *press, *channel, *who, *body;
    enum post_kind kind;
};

static void
bring(struct pressing *pressing, const struct coming *coming, int64_t stamp)
{
    struct stage *stage = pressing->room.stage;
    struct bell_output output = {.text_count = 0};
    struct post *post = page_add(&output.pressed);
    post->kind = coming->kind;
    post->id = strdup(coming->press);
    post->place = strdup(coming->channel);
    post->author = strdup(coming->who);
    post->author_name = strdup(coming->who);
    post->body = strdup(coming->body);
    post->roles = pressing->roles == NULL ? NULL : strdup(pressing->roles);
    post->language =
        pressing->language == NULL ? NULL : strdup(pressing->language);
    post->body_len = strlen(coming->body);
    post->stamp = stamp;
    page_finish(&output.pressed);
    buf_add_text(&output.secret, "canary-5ecret of the press");
    stage->loop.now = stage->now;
    presses_come(&stage->loop, &stage->tables.services.list[0], &output);
    bell_output_release(&output);
}

void
pressing_comes(struct pressing *pressing, const char *press, const char *who,
               const char *button, int64_t stamp)
{
    struct coming coming = {press, "thread", who, button, POST_PRESSED};
    bring(pressing, &coming, stamp);
}

/* It comes a second after the last thing done; the host settles. */
static void
bring_next(struct pressing *pressing, struct coming coming)
{
    static unsigned number;
    struct stage *stage = pressing->room.stage;
    char press[32];
    char body[256];
    TEXT_COPY(body, coming.body);
    snprintf(press, sizeof press, "press-%u", ++number);
    coming.press = press;
    coming.body = body;
    pressing->shown.there = false;
    stage->now += SECOND_MS;
    bring(pressing, &coming, stage->now);
    room_settle(&pressing->room);
}

void
pressing_press(struct pressing *pressing, const char *who, const char *button)
{
    bring_next(pressing,
               (struct coming){"", "thread", who, button, POST_PRESSED});
}

void
pressing_slash(struct pressing *pressing, const char *who, const char *body)
{
    pressing_slash_in(pressing, "thread", who, body);
}

void
pressing_slash_in(struct pressing *pressing, const char *channel,
                  const char *who, const char *body)
{
    bring_next(pressing, (struct coming){"", channel, who, body, POST_PRESSED});
}

void
pressing_types(struct pressing *pressing, const char *who, const char *body)
{
    bring_next(pressing, (struct coming){"", "thread", who, body, POST_TYPED});
}

void
pressing_act(struct pressing *pressing, const char *who, const char *label)
{
    pressing_press(pressing, who, pressing_button(pressing, label));
    ck_assert(pressing->shown.there);
    pressing_press(pressing, who, pressing_answer(pressing, "Yes"));
    ck_assert(pressing->shown.there);
}
