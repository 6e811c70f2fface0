#include "bot/host/table/ruling.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/table/deadline.h"

/* ---- chance -------------------------------------------------------------- */

static void
fair_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    (void)context;
    deal_throw(secret);
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

void
house_link(const struct house *house, const char *place, const char *post,
           struct buf *link)
{
    const struct service *service = house->service;
    if (service != NULL && service->adapter->link != NULL) {
        service->adapter->link(service, place, post, link);
    }
}

bool
house_moderates(const struct place *place, const struct table *table,
                const char *user)
{
    bool found = false;
    if (table->id[0] != '\0' && table->state != TABLE_OVER &&
        table_seat(table, user) != NO_SEAT) {
        return false;
    }
    for (unsigned i = 0; !found && i < table->moderator_count; i++) {
        found = strcmp(table->moderators[i], user) == 0;
    }
    for (unsigned i = 0; !found && i < place->moderator_count; i++) {
        found = strcmp(place->moderators[i], user) == 0;
    }
    return found;
}

/* ---- moves --------------------------------------------------------------- */

void
docket_init(struct docket *docket, const struct house *house,
            struct table *table)
{
    memset(docket, 0, sizeof *docket);
    docket->house = house;
    docket->table = table;
    docket->first_round = table->game.round;
    docket->first_phase = table->phase;
    docket->first_told = table_told(table);
    docket->first_tracker = table->game.tracker;
}

void
docket_release(struct docket *docket)
{
    for (unsigned i = 0; i < docket->row_count; i++) {
        buf_wipe(&docket->rows[i].move);
        buf_wipe(&docket->rows[i].lines);
    }
    for (unsigned i = 0; i < docket->letter_count; i++) {
        letter_release(&docket->letters[i]);
    }
    docket->row_count = 0;
    docket->letter_count = 0;
}

struct move
docket_move(const struct docket *docket, enum move_kind kind, int64_t at)
{
    struct move move;
    memset(&move, 0, sizeof move);
    move.kind = kind;
    move.now = docket->house->now;
    move.at = at != 0 ? at : move.now;
    if (docket->cause != NULL) {
        (void)snprintf(move.post, sizeof move.post, "%s", docket->cause);
    }
    return move;
}

static void
gather(struct docket *docket, const struct events *events)
{
    for (unsigned i = 0; i < events->count; i++) {
        assert(docket->event_count < DOCKET_EVENTS_MAX);
        docket->events[docket->event_count++] = events->list[i];
        docket->lots_fell =
            docket->lots_fell || events->list[i].kind == EVENT_LOTS;
    }
}

/* From here on the table is spoken to in the language and theme it has now. */
static void
change_language(struct docket *docket)
{
    const struct settings *settings = &docket->table->settings;
    const struct catalogue *found = NULL;
    struct buf why = BUF_INIT;
    if (docket->house->library != NULL &&
        library_open(docket->house->library, settings->language,
                     settings->theme, &found, &why) == ERR_NONE &&
        found != docket->house->catalogue) {
        docket->own = *docket->house;
        docket->own.catalogue = found;
        docket->house = &docket->own;
    }
    buf_release(&why);
}

static enum refusal
play_one(struct docket *docket, const struct move *move)
{
    assert(docket->row_count < DOCKET_ROWS_MAX);
    struct docket_row *row = &docket->rows[docket->row_count];
    memset(row, 0, sizeof *row);
    struct events events;
    struct move timed = *move;
    deadline_give(docket->table, &timed, docket->house->zone);
    enum refusal refusal =
        table_apply(docket->table, &timed, &events, &row->lines);
    if (refusal != REFUSAL_NONE) {
        buf_release(&row->lines);
        return refusal;
    }
    move_write(&timed, &row->move);
    docket->row_count++;
    if (move->kind == MOVE_REPLACE && strcmp(move->out, move->user) != 0) {
        (void)snprintf(docket->dismissed, sizeof docket->dismissed, "%s",
                       move->out);
    }
    gather(docket, &events);
    if (timed.kind == MOVE_OPEN || timed.kind == MOVE_SET) {
        change_language(docket);
    }
    return REFUSAL_NONE;
}

/* Chance answers at once: its moves follow the one that made it due. */
static void
play_chance(struct docket *docket, int64_t at)
{
    const struct dealer *dealer = docket->house->dealer;
    struct table *table = docket->table;
    for (;;) {
        struct move move = docket_move(docket, MOVE_PLAY, at);
        if (table->state == TABLE_SEATED && !table->fair) {
            move.command = dealer->deal(dealer->context, table);
        } else if (table->state == TABLE_RUNNING &&
                   table->game.question == QUESTION_RESHUFFLE) {
            move.command = dealer->reshuffle(dealer->context, table);
        } else {
            return;
        }
        enum refusal refusal = play_one(docket, &move);
        assert(refusal == REFUSAL_NONE);
        (void)refusal;
    }
}

enum refusal
docket_play(struct docket *docket, const struct move *move)
{
    enum refusal refusal = play_one(docket, move);
    if (refusal == REFUSAL_NONE) {
        play_chance(docket, move->at);
    }
    return refusal;
}

void
docket_deal(struct docket *docket)
{
    const struct dealer *dealer = docket->house->dealer;
    struct move move = docket_move(docket, MOVE_PLAY, docket->table->since);
    move.command = dealer->deal(dealer->context, docket->table);
    enum refusal refusal = docket_play(docket, &move);
    assert(refusal == REFUSAL_NONE);
    (void)refusal;
}

/* ---- letters ------------------------------------------------------------- */

static struct letter *
add_letter(struct docket *docket, enum letter_kind kind)
{
    assert(docket->letter_count < DOCKET_LETTERS_MAX);
    struct letter *letter = &docket->letters[docket->letter_count++];
    memset(letter, 0, sizeof *letter);
    letter->kind = kind;
    letter->written = docket->house->now;
    return letter;
}

static char *
write_text(const struct docket *docket, struct rich *text)
{
    struct buf out = BUF_INIT;
    docket->house->dialect->write(text, &out);
    rich_wipe(text);
    return buf_take(&out);
}

/* Whom a text mentions, each once; NULL: nobody. */
static char *
list_rings(const struct rich *text)
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

/* Write a text in as many letters as it takes; the first of them. */
static struct letter *
write_pieces(struct docket *docket, enum letter_kind kind, struct rich *text)
{
    struct measure measure =
        traits_measure(docket->house->traits, kind == LETTER_PRIVATE);
    unsigned first = docket->letter_count;
    size_t from = 0;
    do {
        struct rich piece = {.count = 0};
        size_t end = text->text.len;
        size_t next = end;
        if (measure.longest != 0 && from < end) {
            end =
                rich_piece(text, from, docket->house->dialect, &measure, &next);
        }
        rich_add_part(&piece, text, from, end - from);
        struct letter *letter = add_letter(docket, kind);
        letter->follows = from > 0;
        letter->rings = kind == LETTER_POST ? list_rings(&piece) : NULL;
        letter->text = write_text(docket, &piece);
        from = next;
    } while (from < text->text.len);
    rich_wipe(text);
    return &docket->letters[first];
}

struct letter *
docket_post(struct docket *docket, struct rich *text)
{
    return write_pieces(docket, LETTER_POST, text);
}

struct letter *
docket_transcript(struct docket *docket, struct rich *text)
{
    struct letter *letter = add_letter(docket, LETTER_TRANSCRIPT);
    letter->text = write_text(docket, text);
    return letter;
}

struct letter *
docket_private(struct docket *docket, const char *user, struct rich *text)
{
    struct letter *letter = write_pieces(docket, LETTER_PRIVATE, text);
    letter->user = must_copy(user);
    return letter;
}

struct letter *
docket_moderators(struct docket *docket, struct rich *text)
{
    struct letter *letter = docket_post(docket, text);
    letter->place = must_copy(docket->house->moderators_talk);
    return letter;
}

static void
add_question(struct docket *docket, const char *moderator, const char *user,
             const struct rich *text)
{
    struct rich copy = {.count = 0};
    struct letter *letter = NULL;
    rich_add_rich(&copy, text);
    if (moderator == NULL) {
        letter = docket_moderators(docket, &copy);
    } else {
        letter = docket_private(docket, moderator, &copy);
    }
    letter->post = must_copy(user);
}

unsigned
docket_ask(struct docket *docket, const char *user, struct rich *text)
{
    const struct place *place = docket->house->place;
    const struct table *table = docket->table;
    unsigned before = docket->letter_count;
    bool together = docket->house->moderators_talk[0] != '\0';
    if (together) {
        add_question(docket, NULL, user, text);
    }
    for (unsigned i = 0; !together && i < place->moderator_count; i++) {
        if (table_seat(table, place->moderators[i]) == NO_SEAT) {
            add_question(docket, place->moderators[i], user, text);
        }
    }
    rich_wipe(text);
    return docket->letter_count - before;
}

void
docket_status(struct docket *docket, const char *place, struct rich *text)
{
    struct letter *letter = add_letter(docket, LETTER_STATUS);
    letter->place = place == NULL ? NULL : must_copy(place);
    letter->text = write_text(docket, text);
}

/* A title has no marks. */
void
docket_open(struct docket *docket, struct rich *title)
{
    struct letter *letter = add_letter(docket, LETTER_OPEN);
    letter->text = must_copy(buf_text(&title->text));
    rich_wipe(title);
}

/* What is done to somebody's post. */
static struct letter *
act_on(struct docket *docket, enum letter_kind kind, const struct post *post,
       const char *text)
{
    struct letter *letter = add_letter(docket, kind);
    letter->place = must_copy(post->place);
    letter->post = must_copy(post->id);
    letter->text = must_copy(text);
    return letter;
}

struct letter *
docket_react(struct docket *docket, const struct post *post, const char *emoji)
{
    return act_on(docket, LETTER_REACT, post, emoji);
}

void
docket_delete(struct docket *docket, const struct post *post)
{
    (void)act_on(docket, LETTER_DELETE, post, "");
}

void
docket_lock(struct docket *docket, const struct post *post)
{
    if (docket->house->traits->locks && docket->table->settings.locks &&
        !post->talk) {
        (void)act_on(docket, LETTER_LOCK, post, "");
    }
}

void
docket_acknowledge(struct docket *docket, const struct post *post)
{
    const struct house *house = docket->house;
    struct buf emoji = BUF_INIT;
    if (house->traits->reactions && docket->table->settings.reactions) {
        catalogue_text(house->catalogue, "ack_vote", NULL, &emoji);
        docket_react(docket, post, buf_text(&emoji));
    }
    buf_release(&emoji);
}

void
docket_answered(struct docket *docket, const char *user)
{
    (void)snprintf(docket->answered, sizeof docket->answered, "%s", user);
    docket->answered_phase = table_phase(docket->table);
}

void
docket_once(struct docket *docket, struct letter *letter, const char *user,
            const char *matter, enum letter_again again)
{
    struct buf once = BUF_INIT;
    buf_addf(&once, "%s/%u/%s/%s", docket->table->id,
             table_phase(docket->table), matter, user);
    letter->once = buf_take(&once);
    if (letter->user == NULL) {
        letter->user = must_copy(user);
    }
    letter->again = again;
}
