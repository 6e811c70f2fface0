/*
 * Discourse: topics that the bot opens, for a game, a DM or a gallery, which is
 * a private message to whom others are added.
 *
 * Each has an external id made of what it is for: a forum takes such an id
 * once, and leads from it to the topic ("description", /t/external_id).  So one
 * whose answer got lost is found again.  The id of a topic that was deleted is
 * still taken, though nothing is found by it, and titles are unique on the
 * whole forum: where a topic is refused, a later id and another title are
 * tried, for the forum gives its reasons in its own language alone.
 *
 * The ids end in a number that counts up.  Of the DMs with one person the first
 * is looked at; if that can't be used (closed, left, shared with others), then
 * the last.  That one is found by steps that double, and halves of the last
 * step, for its number has no limit, and the requests of an operation have.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/discourse/discourse_inner.h"
#include "bot/base/json.h"

enum {
    REFUSED_DMS_MAX = 20, /* each takes two requests of ADVANCES_MAX */
    REFUSED_GAMES_MAX = 4,
    TITLE_MIN = 15 /* min_topic_title_length, in code points */
};

#define DM_TITLE "Private messages of the host of your games"
#define DM_TEXT                                                                \
    "In this talk the host of your games writes to you alone. Answer here. "   \
    "Please ask nobody else into it: the host then begins another."

struct opening {
    unsigned asked;                   /* the number in the id */
    unsigned taken;                   /* the numbers below it are */
    unsigned vacant;                  /* no topic has it; UINT_MAX: unknown */
    bool found;                       /* the last DM, which was not looked at */
    bool passes;                      /* the last number was refused */
    unsigned refused;                 /* how many were */
    bool named;                       /* the user is called as was thought */
    forum_step *then;                 /* what is done when that is known */
    char refusal[DISCOURSE_SAID_MAX]; /* of the one before; "": none */
    char number[FORUM_ID_MAX + 1];
    char category[FORUM_ID_MAX + 1]; /* of the place that a game comes from */
};

static struct opening *
opening_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct opening));
}

static const struct forum_endpoint post_topic = {.method = "POST",
                                                 .path = "/posts.json"};

static bool
is_gallery(const struct exchange *exchange)
{
    return exchange->op->kind == OP_INVITE;
}

/* Is it a private message, and no public topic? */
static bool
is_message(const struct exchange *exchange)
{
    return exchange->op->kind == OP_DM || is_gallery(exchange);
}

/* At most 50 bytes of [A-Za-z0-9_-] (Topic::EXTERNAL_ID_MAX_LENGTH). */
static void
add_external_id(const struct exchange *exchange, const struct opening *opening,
                struct buf *out)
{
    const struct op *op = exchange->op;
    const char *const texts[] = {exchange->service->self,
                                 op->kind == OP_DM      ? "talk"
                                 : is_gallery(exchange) ? "gallery"
                                                        : "game",
                                 op->kind == OP_DM ? op->user : op->key};

    buf_add_text(out, "placard-");
    exchange_add_name(texts, sizeof(texts) / sizeof(texts[0]), out);
    buf_addf(out, "-%u", opening->asked);
}

static forum_step parse_external;

static enum advance
ask_external(struct exchange *exchange, const struct opening *opening)
{
    static const struct forum_endpoint by_id =
        FORUM_GET("/t/external_id/{user}.json");
    struct buf id = BUF_INIT;

    add_external_id(exchange, opening, &id);
    enum advance advance = forum_ask_for(
        exchange, &by_id, (struct forum_values){.user = buf_text(&id)},
        parse_external);

    buf_release(&id);
    return advance;
}

static size_t
count_characters(const char *text)
{
    size_t count = 0;

    for (; *text != '\0'; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

/* No two posts of a few minutes may be the same; and the forum answers the same
 * request as it did two minutes ago, though the topic was deleted since, or the
 * reason of a refusal is gone: so the time stands in it. */
static void
add_stamp(const struct exchange *exchange, const char *external,
          struct buf *text)
{
    buf_addf(text, "\n\n<!-- %s %lld -->", external,
             (long long)exchange->reply->date);
}

static void
add_message(struct exchange *exchange, const char *external)
{
    struct buf text = BUF_INIT;
    const char *title = exchange->op->text;

    buf_add_text(&text, is_gallery(exchange) ? title : DM_TEXT);
    add_stamp(exchange, external, &text);
    ask_text(exchange, "title", is_gallery(exchange) ? title : DM_TITLE);
    ask_text(exchange, "raw", buf_text(&text));
    ask_text(exchange, "archetype", "private_message");
    ask_text(exchange, "target_recipients", exchange->op->user);
    buf_release(&text);
}

/* A short title is made longer; one that was refused gets a number. */
static void
add_game(struct exchange *exchange, const struct opening *opening,
         const char *external)
{
    const char *title = exchange->op->text;
    struct buf text = BUF_INIT;

    buf_addf(&text, "%s%s", title,
             count_characters(title) < TITLE_MIN ? " · a game hosted here"
                                                 : "");
    if (opening->asked > 0) {
        buf_addf(&text, " (%u)", opening->asked + 1);
    }
    ask_text(exchange, "title", buf_text(&text));
    buf_clear(&text);
    buf_addf(&text, "%s\n\n%s/t/%s", title, exchange->service->base,
             exchange->op->place);
    add_stamp(exchange, external, &text);
    ask_text(exchange, "raw", buf_text(&text));
    if (opening->category[0] != '\0') {
        ask_json(exchange, "category", opening->category);
    }
    buf_release(&text);
}

/* ---- who is that? -------------------------------------------------------- */

static enum advance
ask_user(struct exchange *exchange, forum_step *next)
{
    return forum_ask(exchange, &forum_discourse.ask.users[0], next);
}

/* Somebody was looked up; NULL: nobody, and the operation has failed. */
static json_object *
parse_user(struct exchange *exchange)
{
    json_object *user = jdoc_get(exchange->value, "user");

    if (discourse_said(exchange, 404)) {
        (void)forum_nobody(exchange, exchange->op->user);
        return NULL;
    }
    if (!is_success(exchange) || user == NULL) {
        (void)forum_refused(exchange);
        return NULL;
    }
    return user;
}

static enum advance
parse_name(struct exchange *exchange)
{
    json_object *user = parse_user(exchange);

    if (user == NULL) {
        return ADVANCE_FAILED;
    }
    if (!discourse_is_user(exchange, user)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: somebody else is called \"%s\" now",
                            exchange->service->name, exchange->op->user);
    }
    opening_of(exchange)->named = true;
    return opening_of(exchange)->then(exchange);
}

/* A forum is told names, not numbers, and somebody else may have the name by
 * now: what is for this user would reach them. */
static bool
is_in_doubt(const struct exchange *exchange)
{
    return is_message(exchange) && exchange->op->member != 0 &&
           !opening_of(exchange)->named;
}

static enum advance
ask_name(struct exchange *exchange, forum_step *then)
{
    opening_of(exchange)->then = then;
    return ask_user(exchange, parse_name);
}

/* ---- opening ------------------------------------------------------------- */

static forum_step parse_created;

static enum advance
ask_create(struct exchange *exchange)
{
    const struct opening *opening = opening_of(exchange);
    struct buf external = BUF_INIT;

    if (is_in_doubt(exchange)) {
        return ask_name(exchange, ask_create);
    }
    enum advance advance = forum_ask(exchange, &post_topic, parse_created);

    add_external_id(exchange, opening, &external);
    if (is_message(exchange)) {
        add_message(exchange, buf_text(&external));
    } else {
        add_game(exchange, opening, buf_text(&external));
    }
    ask_text(exchange, "external_id", buf_text(&external));
    ask_end(exchange, DISCOURSE_ROUTE_OPEN);
    buf_release(&external);
    return advance;
}

/* A game's topic is read from its first post, and a gallery not at all. */
static enum advance
end_opening(struct exchange *exchange, const struct opening *opening)
{
    if (is_gallery(exchange)) {
        forum_note(exchange, DISCOURSE_GALLERIES, opening->number);
        answer_id(exchange, opening->number);
        return ADVANCE_DONE;
    }
    if (exchange->op->kind == OP_DM) {
        return forum_answer_dm(exchange, opening->number);
    }
    buf_clear(&exchange->out->cursor);
    buf_add_text(&exchange->out->cursor, DISCOURSE_FROM_FIRST);
    answer_id(exchange, opening->number);
    return ADVANCE_DONE;
}

static forum_step parse_found;

static enum advance
ask_found(struct exchange *exchange, const struct opening *opening)
{
    return discourse_ask_topic(exchange, opening->number, parse_found);
}

/* Look for a topic, or open one.  A DM behind others that can't be used is
 * looked for in doubled steps.  Those that were deleted are not found, but
 * their numbers are refused: they are passed one by one. */
static enum advance
ask_next(struct exchange *exchange, struct opening *opening)
{
    bool dm = exchange->op->kind == OP_DM;

    if (opening->vacant == opening->taken && opening->found) {
        opening->found = false;
        return ask_found(exchange, opening);
    }
    opening->asked = opening->taken;
    if (opening->vacant == opening->taken) {
        return ask_create(exchange);
    }
    if (opening->vacant != UINT_MAX) {
        opening->asked += (opening->vacant - opening->taken) / 2;
    } else if (dm && !opening->passes && opening->taken > 0) {
        opening->asked += opening->taken - 1;
    }
    return ask_external(exchange, opening);
}

static enum advance
parse_category(struct exchange *exchange)
{
    if (discourse_stream(exchange) == NULL) {
        return forum_refused(exchange);
    }
    (void)forum_id(exchange->value, "category_id",
                   opening_of(exchange)->category);
    return ask_create(exchange);
}

/* No topic has the id. */
static enum advance
take_vacant(struct exchange *exchange, struct opening *opening)
{
    if (!is_message(exchange) && opening->category[0] == '\0') {
        return discourse_ask_topic(exchange, exchange->op->place,
                                   parse_category);
    }
    opening->vacant = opening->asked;
    return ask_next(exchange, opening);
}

static void
take_number(struct opening *opening)
{
    opening->taken = opening->asked + 1;
    opening->passes = false;
    opening->found = false;
}

/* A topic has the id.  Of many DMs not all are looked at. */
static enum advance
take_found(struct exchange *exchange, struct opening *opening)
{
    bool next = opening->asked == opening->taken;

    if (!is_message(exchange)) {
        return end_opening(exchange, opening);
    }
    take_number(opening);
    opening->found = !next;
    return next ? ask_found(exchange, opening) : ask_next(exchange, opening);
}

/* It redirects to the topic; the transport does not follow redirects.  A
 * private message from which the account was removed is refused. */
static enum advance
parse_external(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);
    int status = exchange->reply->status;
    struct buf location = BUF_INIT;
    char *number = NULL;

    if (discourse_said(exchange, 404)) {
        return take_vacant(exchange, opening);
    }
    if (is_message(exchange) && discourse_is_unseen(exchange)) {
        take_number(opening);
        return ask_next(exchange, opening);
    }
    if (status >= 300 && status < 400 &&
        reply_header(exchange->reply, "location", &location)) {
        number =
            forum_topic_of(buf_text(&location), forum_discourse.address.topic);
    } else if (forum_id(exchange->value, "id", opening->number)) {
        number = must_copy(opening->number);
    }
    buf_release(&location);
    if (number == NULL) {
        return forum_refused(exchange);
    }
    memcpy(opening->number, number, strlen(number) + 1);
    free(number);
    return take_found(exchange, opening);
}

/* The topic that was asked for can't be opened; ends where there were too many.
 */
static enum advance
skip_refused(struct exchange *exchange, struct opening *opening)
{
    bool dm = exchange->op->kind == OP_DM;

    if (++opening->refused < (dm ? REFUSED_DMS_MAX : REFUSED_GAMES_MAX)) {
        opening->taken = opening->asked + 1;
        opening->vacant = UINT_MAX;
        opening->passes = true;
        return ask_next(exchange, opening);
    }
    exchange->out->refused = REFUSED_WORDS;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                        opening->refusal);
}

/* ---- galleries, and what was found --------------------------------------- */

/* Somebody who takes no messages from the account is refused with 422
 * (Topic::NotAllowed); so is one too many (max_allowed_message_recipients). */
static enum advance
parse_added(struct exchange *exchange)
{
    if (is_success(exchange)) {
        return end_opening(exchange, opening_of(exchange));
    }
    (void)forum_refused(exchange);
    if (discourse_said(exchange, 422)) {
        exchange->out->refused = REFUSED_PERSON;
    }
    return ADVANCE_FAILED;
}

/* Who is in it already can't be added again (Topic::UserExists). */
static enum advance
ask_add(struct exchange *exchange)
{
    static const struct forum_endpoint invite = {
        .method = "POST",
        .path = "/t/{topic}/invite.json",
        .body = "{\"user\":\"{user}\"}",
        .route = DISCOURSE_ROUTE_OPEN};

    return is_in_doubt(exchange)
               ? ask_name(exchange, ask_add)
               : forum_ask_for(exchange, &invite,
                               (struct forum_values){
                                   .topic = opening_of(exchange)->number},
                               parse_added);
}

/* Is it as it has to be?  One that is closed is full
 * (auto_close_messages_post_count). */
static enum advance
parse_found(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);

    if (discourse_said(exchange, 404) || discourse_is_deleted(exchange)) {
        return ask_next(exchange, opening);
    }
    if (discourse_stream(exchange) == NULL) {
        return forum_refused(exchange);
    }
    if (is_gallery(exchange)) {
        return discourse_readers(exchange).user ? end_opening(exchange, opening)
                                                : ask_add(exchange);
    }
    return discourse_is_private(exchange) &&
                   !forum_flag(exchange->value, "closed")
               ? end_opening(exchange, opening)
               : ask_next(exchange, opening);
}

/* ---- refusals ------------------------------------------------------------ */

/* Does that person take messages of ours? */
static enum advance
parse_person(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);
    json_object *user = parse_user(exchange);

    if (user == NULL) {
        return ADVANCE_FAILED;
    }
    if (forum_flag(user, "can_send_private_message_to_user")) {
        return skip_refused(exchange, opening);
    }
    exchange->out->refused = forum_flag(user, "can_send_private_messages")
                                 ? REFUSED_PERSON
                                 : REFUSED_RIGHT;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED, "%s",
                        opening->refusal);
}

/* A taken id or title is refused like a text that the forum does not want:
 * another is tried.  If a DM is refused the first time, its user may take none.
 */
static enum advance
parse_refused(struct exchange *exchange, struct opening *opening)
{
    bool dm = is_message(exchange);
    bool first = opening->refusal[0] == '\0';

    (void)forum_refused(exchange);
    bool same = strncmp(opening->refusal, buf_text(exchange->why),
                        sizeof(opening->refusal) - 1) == 0;

    if (!discourse_said(exchange, 422) || (same && !dm)) {
        return ADVANCE_FAILED;
    }
    discourse_keep_refusal(exchange, opening->refusal);
    if (!dm || !first) {
        return skip_refused(exchange, opening);
    }
    return ask_user(exchange, parse_person);
}

static enum advance
parse_created(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);

    if (discourse_said(exchange, 422)) {
        return parse_refused(exchange, opening);
    }
    enum advance advance = discourse_parse_written(exchange);

    if (advance != ADVANCE_DONE) {
        return advance;
    }
    if (exchange->out->unapproved) {
        exchange->out->refused = REFUSED_RIGHT;
        return outcome_fail(
            exchange->out, exchange->why, ERR_DENIED,
            "%s: the forum keeps the topics of %s until somebody approves "
            "them: raise its trust level, or make it a moderator",
            exchange->service->name, exchange->service->user);
    }
    if (!forum_id(exchange->value, "topic_id", opening->number)) {
        return forum_refused(exchange);
    }
    return end_opening(exchange, opening);
}

enum advance
discourse_open(struct exchange *exchange)
{
    struct opening *opening = opening_of(exchange);
    const char *gallery = is_gallery(exchange) ? exchange->op->post : "";

    opening->vacant = UINT_MAX;
    if (!forum_is_number(gallery)) {
        return ask_next(exchange, opening);
    }
    memcpy(opening->number, gallery, strlen(gallery) + 1);
    return ask_found(exchange, opening);
}
