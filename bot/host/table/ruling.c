#include "bot/host/table/ruling.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/memory.h"
#include "bot/host/table/deadline.h"

/* ---- chance -------------------------------------------------------------- */

static void
fair_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    (void)context;
    deal_generate_secret(secret);
}

static struct command
fair_deal(void *context, const struct table *table)
{
    (void)context;
    return deal_game(table->key, table->seated);
}

static struct command
fair_reshuffle(void *context, const struct table *table)
{
    (void)context;
    struct awaits awaits = game_awaits(&table->game);
    return deal_reshuffle(table->key, table->reshuffles + 1, awaits.due_liberal,
                          awaits.due_fascist);
}

static unsigned
fair_lots(void *context, const struct table *table, unsigned choices)
{
    (void)context;
    return deal_lots(table->key, table->lots + 1, choices);
}

const struct dealer dealer_fair = {NULL,           fair_secret, fair_deal,
                                   fair_reshuffle, fair_lots,   NULL};

struct before *
before_new(void)
{
    struct before *before = must_alloc(sizeof *before);
    table_init(&before->table);
    return before;
}

void
before_free(struct before *before)
{
    table_release(&before->table);
    free(before);
}

void
env_link(const struct host_env *env, const char *place, const char *post,
         struct buf *link)
{
    const struct service *service = env->service;
    if (service != NULL && service->adapter->link != NULL) {
        service->adapter->link(service, place, post, link);
    }
}

const struct zone *
env_reader_zone(const struct host_env *env)
{
    return env->reader_zone != NULL ? env->reader_zone : env->zone;
}

const char *
place_moderator(const struct place *place, const struct table *table,
                unsigned number)
{
    if (number < place_moderators(place)) {
        return place->moderators[number];
    }
    number -= place_moderators(place);
    return number < table->moderator_count ? table->moderators[number] : NULL;
}

bool
place_moderates(const struct place *place, const struct table *table,
                const char *user)
{
    const char *moderator = NULL;
    if (table->id[0] != '\0' && table->state != TABLE_OVER &&
        table_seat(table, user) != NO_SEAT) {
        return false;
    }
    unsigned i = 0;
    do {
        moderator = place_moderator(place, table, i++);
    } while (moderator != NULL && strcmp(moderator, user) != 0);
    return moderator != NULL;
}

/* ---- moves --------------------------------------------------------------- */

void
ruling_init(struct ruling *ruling, const struct host_env *env,
            struct table *table)
{
    memset(ruling, 0, offsetof(struct ruling, events));
    ruling->env = env;
    ruling->table = table;
    ruling->first_round = table->game.round;
    ruling->first_phase = table->phase;
    ruling->first_asked = table_phase(table);
    ruling->first_told = table_told(table);
    ruling->first_paused = table->paused;
    ruling->first_open = table_open_seats(table);
    ruling->first_voted = table->game.voted;
    ruling->first_ja = table->game.ja;
    ruling->first_tracker = table->game.tracker;
    ruling->first_present = game_present(&table->game);
    ruling->first_choices = game_awaits(&table->game).choices;
}

void
ruling_release(struct ruling *ruling)
{
    for (unsigned i = 0; i < ruling->row_count; i++) {
        buf_wipe(&ruling->rows[i].move);
        buf_wipe(&ruling->rows[i].lines);
    }
    for (unsigned i = 0; i < ruling->message_count; i++) {
        message_release(&ruling->messages[i]);
    }
    rich_wipe(&ruling->opening);
    buf_release(&ruling->votes);
    ruling->row_count = 0;
    ruling->message_count = 0;
}

struct move
ruling_move(const struct ruling *ruling, enum move_kind kind, int64_t at)
{
    struct move move;
    memset(&move, 0, sizeof move);
    move.kind = kind;
    move.now = ruling->env->now;
    move.at = at != 0 ? at : move.now;
    if (ruling->cause != NULL && !ruling->pressed) {
        (void)snprintf(move.post, sizeof move.post, "%s", ruling->cause);
    }
    return move;
}

void
ruling_unseen(const struct ruling *ruling, struct move *move)
{
    move->since = ruling->env->shown > move->at ? ruling->env->shown : 0;
}

static void
gather(struct ruling *ruling, const struct events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        assert(ruling->event_count < RULING_EVENTS_MAX);
        ruling->events[ruling->event_count++] = events->list[i];
        ruling->lots_fell =
            ruling->lots_fell || events->list[i].kind == EVENT_LOTS;
    }
}

/* From here on the table is spoken to in its present language and theme. */
static void
change_language(struct ruling *ruling)
{
    const struct settings *settings = &ruling->table->settings;
    const struct catalogue *found = NULL;
    struct buf why = BUF_INIT;
    if (ruling->env->catalogues != NULL &&
        catalogues_open(ruling->env->catalogues, settings->language,
                        settings->theme, &found, &why) == ERR_NONE &&
        found != ruling->env->catalogue) {
        ruling->own = *ruling->env;
        ruling->own.catalogue = found;
        ruling->env = &ruling->own;
    }
    buf_release(&why);
}

static enum refusal
play_one(struct ruling *ruling, const struct move *move)
{
    assert(ruling->row_count < RULING_ROWS_MAX);
    struct ruling_row *row = &ruling->rows[ruling->row_count];
    memset(row, 0, sizeof *row);
    struct events events;
    struct move timed = *move;
    deadline_give(ruling->table, &timed, ruling->env->zone);
    enum refusal refusal =
        table_apply(ruling->table, &timed, &events, &row->lines);
    if (refusal != REFUSAL_NONE) {
        buf_release(&row->lines);
        return refusal;
    }
    move_write(&timed, &row->move);
    row->kind = timed.kind;
    row->extended = timed.extended;
    row->seat = (uint8_t)table_seat(ruling->table, timed.user);
    row->event_count = events.count;
    ruling->row_count++;
    gather(ruling, &events);
    if (timed.kind == MOVE_OPEN || timed.kind == MOVE_SET) {
        change_language(ruling);
    }
    return REFUSAL_NONE;
}

/* A move that the rules allow. */
static void
play_surely(struct ruling *ruling, const struct move *move)
{
    enum refusal refusal = play_one(ruling, move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

/* Chance answers at once: its moves follow the one that made it due. */
static void
play_chance(struct ruling *ruling, int64_t at)
{
    const struct dealer *dealer = ruling->env->dealer;
    struct table *table = ruling->table;
    for (;;) {
        struct move move = ruling_move(ruling, MOVE_PLAY, at);
        if (table->state == TABLE_SEATED && !table->fair) {
            move.command = dealer->deal(dealer->context, table);
        } else if (table->state == TABLE_RUNNING &&
                   table->game.question == QUESTION_RESHUFFLE) {
            move.command = dealer->reshuffle(dealer->context, table);
            move.since = table->since > at ? table->since : 0;
        } else {
            return;
        }
        play_surely(ruling, &move);
    }
}

void
ruling_close_vote(struct ruling *ruling, int64_t at)
{
    struct move move = ruling_move(ruling, MOVE_PLAY, at);
    move.command.kind = COMMAND_CLOSE;
    move.unasked = NOBODY_MISSED;
    play_surely(ruling, &move);
    play_chance(ruling, at);
}

/* Has a decided vote been open for long enough?  No time passes in a pause. */
static bool
is_held_no_more(const struct table *table, int64_t at)
{
    return table->state == TABLE_RUNNING && table_is_held(table) &&
           (table->paused ? table->paused_at : at) >= table->held_until;
}

enum refusal
ruling_play(struct ruling *ruling, const struct move *move)
{
    enum refusal refusal = play_one(ruling, move);
    if (refusal == REFUSAL_NONE) {
        play_chance(ruling, move->at);
        if (is_held_no_more(ruling->table, move->at)) {
            ruling_close_vote(ruling, move->at);
        }
    }
    return refusal;
}

void
ruling_deal(struct ruling *ruling)
{
    const struct dealer *dealer = ruling->env->dealer;
    struct move move = ruling_move(ruling, MOVE_PLAY, ruling->table->since);
    move.command = dealer->deal(dealer->context, ruling->table);
    play_surely(ruling, &move);
    play_chance(ruling, move.at);
}

/* ---- messages -------------------------------------------------------------
 */

static struct message *
add_message(struct ruling *ruling, enum message_kind kind)
{
    assert(ruling->message_count < RULING_MESSAGES_MAX);
    struct message *message = &ruling->messages[ruling->message_count++];
    memset(message, 0, sizeof *message);
    message->kind = kind;
    message->written = ruling->env->now;
    return message;
}

static const char *
id_now(void *context, const char *user)
{
    const struct ruling *ruling = context;
    const struct history *history = ruling->env->history;
    return history->id_now(history->context, ruling->table, user);
}

/* Let it mention people by the ids that they have now. */
static void
renew_mentions(struct ruling *ruling, struct rich *text)
{
    const struct history *history = ruling->env->history;
    if (history != NULL && history->id_now != NULL) {
        rich_map_mentions(text, id_now, ruling);
    }
}

static char *
write_text(const struct ruling *ruling, struct rich *text)
{
    struct buf out = BUF_INIT;
    ruling->env->dialect->write(text, &out);
    rich_wipe(text);
    return buf_take(&out);
}

/* Whom a text mentions, each once; NULL: nobody. */
static char *
list_pings(const struct rich *text)
{
    struct buf list = BUF_INIT;
    for (size_t i = 0; i < text->count; i++) {
        const struct run *run = &text->runs[i];
        struct buf line = BUF_INIT;
        if (run->marks & MARK_MENTION) {
            buf_add(&line, rich_run_id(text, run), run->id_len);
            buf_add_char(&line, '\n');
            if (strstr(buf_text(&list), buf_text(&line)) == NULL) {
                buf_add_buf(&list, &line);
            }
        }
        buf_release(&line);
    }
    return list.len > 0 ? buf_take(&list) : NULL;
}

/* Add a message of what fits into one of a text from a byte on; *next: where
 * what is left begins. */
static struct message *
write_piece(struct ruling *ruling, enum message_kind kind,
            const struct rich *text, const struct measure *measure,
            size_t *next)
{
    struct rich piece = {.count = 0};
    size_t from = *next;
    size_t end = *next = text->text.len;
    if (measure->longest != 0 && from < end) {
        end = rich_piece(text, from, ruling->env->dialect, measure, next);
    }
    rich_add_part(&piece, text, from, end - from);
    struct message *message = add_message(ruling, kind);
    message->pings = kind == MESSAGE_POST ? list_pings(&piece) : NULL;
    message->text = write_text(ruling, &piece);
    return message;
}

/* Write a text in as many messages as it takes.  Returns the first of them. */
static struct message *
write_pieces(struct ruling *ruling, enum message_kind kind, struct rich *text)
{
    struct measure measure = capabilities_measure(ruling->env->capabilities,
                                                  kind == MESSAGE_PRIVATE);
    unsigned first = ruling->message_count;
    size_t from = 0;
    renew_mentions(ruling, text);
    do {
        bool follows = from > 0;
        write_piece(ruling, kind, text, &measure, &from)->follows = follows;
    } while (from < text->text.len);
    rich_wipe(text);
    return &ruling->messages[first];
}

struct message *
ruling_post(struct ruling *ruling, struct rich *text)
{
    return write_pieces(ruling, MESSAGE_POST, text);
}

struct message *
ruling_post_call(struct ruling *ruling, struct rich *text, size_t call)
{
    const char *words = buf_text(&text->text);
    if (call == 0 || call == text->text.len ||
        length_of(LENGTH_POINTS, words, text->text.len) <= NOTICE_MAX) {
        return ruling_post(ruling, text);
    }
    unsigned first = ruling->message_count;
    struct rich part = {.count = 0};
    rich_add_part(&part, text, 0, call);
    (void)ruling_post(ruling, &part);
    while (words[call] == '\n') {
        call++;
    }
    rich_add_part(&part, text, call, text->text.len - call);
    ruling_post(ruling, &part)->follows = true;
    rich_wipe(text);
    return &ruling->messages[first];
}

void
ruling_begin_notice(struct ruling *ruling, struct rich *text)
{
    if (ruling->opening.text.len > 0) {
        rich_add_text(&ruling->opening, "\n\n", 0);
    }
    rich_add_rich(&ruling->opening, text);
    rich_wipe(text);
}

struct message *
ruling_transcript(struct ruling *ruling, struct rich *text)
{
    struct message *message = add_message(ruling, MESSAGE_TRANSCRIPT);
    message->text = write_text(ruling, text);
    return message;
}

struct message *
ruling_private(struct ruling *ruling, const char *user, struct rich *text)
{
    struct message *message = write_pieces(ruling, MESSAGE_PRIVATE, text);
    message->user = must_copy(user);
    return message;
}

struct message *
ruling_reply(struct ruling *ruling, struct rich *text)
{
    assert(ruling->pressed);
    struct measure measure =
        capabilities_measure(ruling->env->capabilities, false);
    size_t from = 0;
    struct message *message =
        write_piece(ruling, MESSAGE_PRIVATE, text, &measure, &from);
    message->reply = true;
    rich_wipe(text);
    return message;
}

void
ruling_votes(struct ruling *ruling, struct rich *text)
{
    buf_clear(&ruling->votes);
    ruling->env->dialect->write(text, &ruling->votes);
    ruling->votes_of = ruling->table->vote_phase;
    rich_release(text);
}

struct message *
ruling_moderators(struct ruling *ruling, struct rich *text)
{
    struct message *message = ruling_post(ruling, text);
    message->place = must_copy(ruling->env->moderators_channel);
    return message;
}

static void
add_question(struct ruling *ruling, const char *moderator, const char *user,
             const struct rich *text)
{
    struct rich copy = {.count = 0};
    struct message *message = NULL;
    rich_add_rich(&copy, text);
    if (moderator == NULL) {
        message = ruling_moderators(ruling, &copy);
    } else {
        message = ruling_private(ruling, moderator, &copy);
    }
    message->post = must_copy(user);
}

unsigned
ruling_ask(struct ruling *ruling, const char *user, struct rich *text)
{
    const struct place *place = ruling->env->place;
    const struct table *table = ruling->table;
    unsigned before = ruling->message_count;
    bool together = ruling->env->moderators_channel[0] != '\0';
    if (together) {
        add_question(ruling, NULL, user, text);
    }
    for (unsigned i = 0; !together && i < place_moderators(place); i++) {
        if (table_seat(table, place->moderators[i]) == NO_SEAT) {
            add_question(ruling, place->moderators[i], user, text);
        }
    }
    rich_wipe(text);
    return ruling->message_count - before;
}

struct message *
ruling_status(struct ruling *ruling, const char *place, struct rich *text)
{
    struct message *message = add_message(ruling, MESSAGE_STATUS);
    renew_mentions(ruling, text);
    message->place = place == NULL ? NULL : must_copy(place);
    message->text = write_text(ruling, text);
    return message;
}

/* A title has no marks. */
void
ruling_open(struct ruling *ruling, struct rich *title)
{
    struct message *message = add_message(ruling, MESSAGE_OPEN);
    message->text = must_copy(buf_text(&title->text));
    rich_wipe(title);
}

void
ruling_invite(struct ruling *ruling, const char *user, struct rich *title)
{
    struct message *message = add_message(ruling, MESSAGE_INVITE);
    message->text = must_copy(buf_text(&title->text));
    message->user = must_copy(user);
    rich_wipe(title);
}

/* What is done to somebody's post. */
static struct message *
act_on(struct ruling *ruling, enum message_kind kind, const struct post *post,
       const char *text)
{
    struct message *message = add_message(ruling, kind);
    message->place = must_copy(post->place);
    message->post = must_copy(post->id);
    message->text = must_copy(text);
    return message;
}

struct message *
ruling_react(struct ruling *ruling, const struct post *post, const char *emoji)
{
    return act_on(ruling, MESSAGE_REACT, post, emoji);
}

void
ruling_delete(struct ruling *ruling, const struct post *post)
{
    (void)act_on(ruling, MESSAGE_DELETE, post, "");
}

void
ruling_lock(struct ruling *ruling, const struct post *post)
{
    if (ruling->env->capabilities->locks && ruling->table->settings.locks &&
        !post->dm && post->kind != POST_PRESSED) {
        (void)act_on(ruling, MESSAGE_LOCK, post, "");
    }
}

void
ruling_acknowledge(struct ruling *ruling, const struct post *post)
{
    const struct host_env *env = ruling->env;
    struct buf emoji = BUF_INIT;
    if (env->capabilities->reactions && ruling->table->settings.reactions &&
        post->kind != POST_PRESSED) {
        catalogue_text(env->catalogue, "ack_vote", NULL, &emoji);
        ruling_react(ruling, post, buf_text(&emoji));
    }
    buf_release(&emoji);
}

void
ruling_answered(struct ruling *ruling, const char *user)
{
    (void)snprintf(ruling->answered, sizeof ruling->answered, "%s", user);
}

void
ruling_about(const struct ruling *ruling, struct message *message)
{
    unsigned seat = message->kind == MESSAGE_PRIVATE
                        ? table_seat(ruling->table, message->user)
                        : NO_SEAT;
    message->about = table_phase_of(ruling->table, seat);
}

void
ruling_once(struct ruling *ruling, struct message *message, const char *user,
            const char *matter, enum message_again again)
{
    struct buf once = BUF_INIT;
    buf_addf(&once, "%s/%u/%s/%s", ruling->table->id,
             table_phase(ruling->table), matter, user);
    message->once = buf_take(&once);
    if (message->user == NULL) {
        message->user = must_copy(user);
    }
    message->again = again;
}
