/* What moderators do to help a game along, and a table that moderates itself.
 */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/lots.h"
#include "bot/host/reading/names.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/private.h"
#include "bot/host/words/problem.h"

enum {
    TABLE_EXTENSIONS = 2, /* that a table may give itself in a game */
};

/* Does a game run?  Else say that this can't be done now. */
static bool
is_running(struct order *order)
{
    if (order->docket->table->state == TABLE_RUNNING) {
        return true;
    }
    (void)order_answer_quoting(order, "command_late");
    return false;
}

/* ---- time ---------------------------------------------------------------- */

/* Set the open question's deadline, and tell. */
static void
set_deadline(struct order *order, int64_t until, int64_t session)
{
    struct docket *docket = order->docket;
    struct speech speech;
    struct move move =
        docket_move(docket, MOVE_EXTEND, order->hearing->post->stamp);
    move.until = until;
    move.session = session;
    bool by_table = order->by_table || order->confirmed;
    move.number = by_table ? EXTENDED_BY_TABLE : EXTENDED_BY_MODERATOR;
    speech_init(&speech, docket->house, docket->table, NULL);
    params_number(&speech.params, "by_table", by_table);
    params_person(&speech.params, "moderator", order->hearing->post->author,
                  order->hearing->post->author_name);
    speech_reason(&speech, "extend_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, docket->table, NULL);
    params_text(&speech.params, "reason", move.text);
    struct rich text = {.count = 0};
    speech_say(&speech, "extended", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

/* Is there a deadline that can be moved? */
static bool
has_deadline(struct order *order)
{
    const struct table *table = order->docket->table;
    if (!is_running(order)) {
        return false;
    }
    /* An execution that was announced waits for no deadline. */
    if (table->paused || table_due(table) == 0 || table->aim != NO_SEAT) {
        (void)order_answer(order,
                           table->paused ? "paused_already" : "extend_nothing");
        return false;
    }
    return true;
}

void
order_extend(struct order *order)
{
    const struct table *table = order->docket->table;
    struct speech speech;
    int64_t length = 0;
    if (!has_deadline(order)) {
        return;
    }
    if (order->confirmed && order->asked_phase != table->phase) {
        (void)order_answer(order, "extend_over");
        return;
    }
    if (!vocabulary_read_duration(order->docket->house->catalogue,
                                  buf_text(&order->rest), &length) ||
        length < SECOND_MS || length > 14 * DAY_MS) {
        (void)order_answer(order, "extend_bad");
        return;
    }
    if (order->by_table) {
        if (table->extensions >= TABLE_EXTENSIONS) {
            (void)order_answer(order, "extend_enough");
            return;
        }
        speech_init(&speech, order->docket->house, table, NULL);
        struct buf text = BUF_INIT;
        catalogue_duration(order->docket->house->catalogue, length, &text);
        params_text(&speech.params, "length", buf_text(&text));
        bool waits = order_must_wait(order, &speech, "will_extend");
        speech_release(&speech);
        buf_release(&text);
        if (waits) {
            return;
        }
    }
    set_deadline(order, table->deadline + length, 0);
}

/* Move the deadline that is told.  In a session one is told for both choices,
 * so that nobody knows whose turn it is: the open one has as much less, but at
 * least half of the time. */
static void
move_deadline(struct order *order, int64_t told)
{
    const struct table *table = order->docket->table;
    enum question question = (enum question)table->game.question;
    if (question != QUESTION_DISCARD && question != QUESTION_ENACT) {
        set_deadline(order, told, 0);
        return;
    }
    int64_t now = order->docket->house->now;
    int64_t half = now + (told - now) / 2;
    int64_t until = told - (table->session_ends - table->deadline);
    set_deadline(order, until > half ? until : half, told);
}

void
order_deadline(struct order *order)
{
    const struct docket *docket = order->docket;
    char *text = must_copy(buf_text(&order->rest));
    int64_t until = 0;
    size_t len = strlen(text);
    char *bare = text;
    if (len >= 2 && text[0] == '"' && text[len - 1] == '"') {
        text[len - 1] = '\0';
        bare++;
    }
    bool check = docket->table->state == TABLE_CHECK;
    if (check || has_deadline(order)) {
        bool good = vocabulary_read_moment(docket->house->catalogue, bare,
                                           docket->house->now,
                                           docket->house->zone, &until) &&
                    until < docket->house->now + 30 * DAY_MS;
        if (good && check) {
            ready_deadline(order, until);
        } else if (good) {
            move_deadline(order, until);
        } else {
            (void)order_answer(order, "deadline_bad");
        }
    }
    free(text);
}

void
order_pause(struct order *order)
{
    struct docket *docket = order->docket;
    struct speech speech;
    struct buf reason = BUF_INIT;
    if (!is_running(order)) {
        return;
    }
    if (docket->table->paused) {
        (void)order_answer(order, "paused_already");
        return;
    }
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_quote(docket->table, buf_text(&order->rest), &reason);
    params_text(&speech.params, "reason", buf_text(&reason));
    if (!order->by_table || !order_must_wait(order, &speech, "will_pause")) {
        struct move move =
            docket_move(docket, MOVE_PAUSE, order->hearing->post->stamp);
        (void)snprintf(move.text, sizeof move.text, "%.200s",
                       buf_text(&reason));
        struct rich text = {.count = 0};
        (void)docket_play(docket, &move);
        speech_say(&speech, "paused", &text);
        docket_post(docket, &text);
        rich_release(&text);
    }
    speech_release(&speech);
    buf_release(&reason);
}

void
order_resume(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    struct speech speech;
    struct rich text = {.count = 0};
    if (!is_running(order)) {
        return;
    }
    if (!table->paused) {
        (void)order_answer(order, "resume_nothing");
        return;
    }
    struct move move =
        docket_move(docket, MOVE_RESUME, order->hearing->post->stamp);
    int64_t left = table->deadline - table->paused_at;
    move.until = table->deadline == 0 ? 0 : move.now + (left > 0 ? left : 0);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_say(&speech, "resumed", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

/* ---- people -------------------------------------------------------------- */

void
order_vacate(struct order *order)
{
    struct docket *docket = order->docket;
    unsigned seat = 0;
    if (!is_running(order) || !order_find_seat(order, buf_text(&order->rest),
                                               order->rest.len, &seat)) {
        return;
    }
    struct speech speech;
    struct move move =
        docket_move(docket, MOVE_PLAY, order->hearing->post->stamp);
    move.command.kind = COMMAND_VACATE;
    move.command.target = (uint8_t)seat;
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "target", seat);
    enum refusal refusal = docket_play(docket, &move);
    if (refusal != REFUSAL_NONE) {
        struct buf key = BUF_INIT;
        buf_addf(&key, "refused_%s", refusal_key(refusal));
        (void)order_answer_speech(order, &speech, buf_text(&key));
        buf_release(&key);
    }
    speech_release(&speech);
}

/* Split "OLD with NEW" (or the catalogue's word for it); *in stays NULL where
 * the first reserve is meant. */
static void
split_replace(struct order *order, char **out, char **in)
{
    const struct catalogue *catalogue = order->docket->house->catalogue;
    struct buf word = BUF_INIT;
    struct buf old = BUF_INIT;
    *in = NULL;
    while (order_next_word(order, &word)) {
        if (strcmp(buf_text(&word), "with") == 0 ||
            catalogue_is_word(catalogue, "word_with", buf_text(&word))) {
            *in = must_copy(buf_text(&order->rest));
            break;
        }
        if (old.len > 0) {
            buf_add_char(&old, ' ');
        }
        buf_add_buf(&old, &word);
    }
    *out = buf_take(&old);
    buf_release(&word);
}

/* Who of the reserve is meant; NO_SEAT: nobody. */
static unsigned
find_reserve(const struct table *table, const char *name)
{
    if (name == NULL) {
        return table->reserve_count > 0 ? 0 : NO_SEAT;
    }
    for (unsigned i = 0; i < table->reserve_count; i++) {
        if (names_compare(table->reserves[i].name, name) == NAMES_CLASH ||
            strcmp(table->reserves[i].user, name) == 0) {
            return i;
        }
    }
    return NO_SEAT;
}

/* Of a table that moderates itself: only a seat that missed a deadline. */
static bool
may_be_replaced(struct order *order, unsigned seat)
{
    const struct table *table = order->docket->table;
    if (!(table->game.living & seat_bit(seat))) {
        (void)order_answer(order, "replace_executed");
        return false;
    }
    if (order->by_table && table_misses(table, seat) == 0 &&
        !(table->game.vacant & seat_bit(seat))) {
        (void)order_answer(order, "replace_not_missed");
        return false;
    }
    return true;
}

void
order_replace(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    unsigned seat = 0;
    char *out = NULL;
    char *in = NULL;
    struct buf rest = BUF_INIT;
    if (!is_running(order)) {
        return;
    }
    buf_add_buf(&rest, &order->rest);
    split_replace(order, &out, &in);
    buf_clear(&order->rest);
    buf_add_buf(&order->rest, &rest);
    buf_release(&rest);
    unsigned reserve = find_reserve(table, in);
    if (order_find_seat(order, out, strlen(out), &seat) &&
        may_be_replaced(order, seat)) {
        if (reserve == NO_SEAT) {
            (void)order_answer(order, in == NULL ? "replace_no_reserve"
                                                 : "replace_not_reserve");
        } else {
            struct speech speech;
            speech_init(&speech, docket->house, table, NULL);
            speech_seat(&speech, "target", seat);
            params_person(&speech.params, "newcomer",
                          table->reserves[reserve].user,
                          table->reserves[reserve].name);
            if (!order_must_wait(order, &speech, "will_replace")) {
                order_seat(order, seat, &table->reserves[reserve]);
            }
            speech_release(&speech);
        }
    }
    free(out);
    free(in);
}

void
order_moderator(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    struct speech speech;
    struct move move =
        docket_move(docket, MOVE_MODERATOR, order->hearing->post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%.*s", ADAPTER_ID_MAX,
                   buf_text(&order->rest));
    speech_init(&speech, docket->house, table, NULL);
    params_person(&speech.params, "moderator", move.user, move.user);
    if (move.user[0] == '\0' || strchr(move.user, ' ') != NULL) {
        (void)order_answer(order, "moderator_bad");
    } else if (!table_may(table, &move)) {
        (void)order_answer_quoting(order, "command_late");
    } else {
        (void)docket_play(docket, &move);
        order_tell(order, &speech, "moderator_added");
    }
    speech_release(&speech);
}

void
order_warnings(struct order *order)
{
    const struct table *table = order->docket->table;
    struct speech speech;
    struct rich list = {.count = 0};
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct params params = {.count = 0};
        if (table->warnings[seat] == 0) {
            continue;
        }
        params_text(&params, "name", table->people[seat].name);
        params_number(&params, "count", table->warnings[seat]);
        if (list.text.len > 0) {
            catalogue_say(order->docket->house->catalogue, "list_separator",
                          NULL, &list);
        }
        catalogue_say(order->docket->house->catalogue, "warnings_of", &params,
                      &list);
    }
    speech_init(&speech, order->docket->house, table, NULL);
    params_rich(&speech.params, "list", &list);
    params_number(&speech.params, "strangers", table->strangers);
    (void)order_answer_speech(order, &speech, "warnings");
    speech_release(&speech);
    rich_release(&list);
}

/* ---- in place of an absent player ------------------------------------------
 */

static void
play_for(struct order *order, const struct command *command)
{
    struct docket *docket = order->docket;
    struct speech speech;
    struct move move =
        docket_move(docket, MOVE_PLAY, order->hearing->post->stamp);
    move.command = *command;
    (void)snprintf(move.user, sizeof move.user, "%s",
                   order->hearing->post->author);
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "target", command->target);
    enum refusal refusal = docket_play(docket, &move);
    if (refusal != REFUSAL_NONE) {
        struct buf key = BUF_INIT;
        buf_addf(&key, "refused_%s", refusal_key(refusal));
        (void)order_answer_speech(order, &speech, buf_text(&key));
        buf_release(&key);
    }
    speech_release(&speech);
}

/* What `!choose NAME nominate|target OTHER` or `… lots` would do; false, with
 * an answer, where it can't be. */
static bool
read_choice(struct order *order, struct command *command, bool *lots)
{
    const struct table *table = order->docket->table;
    const struct catalogue *catalogue = order->docket->house->catalogue;
    struct awaits awaits = game_awaits(&table->game);
    struct buf name = BUF_INIT;
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    unsigned seat = NO_SEAT;
    unsigned target = NO_SEAT;
    bool good = false;
    bool nominate = false;
    *lots = false;
    buf_add_buf(&rest, &order->rest);
    while (order_next_word(order, &word)) {
        const char *text = buf_text(&word);
        *lots = strcmp(text, "lots") == 0 ||
                catalogue_is_word(catalogue, "word_lots", text);
        nominate = strcmp(text, "nominate") == 0 ||
                   catalogue_is_word(catalogue, "word_nominate", text);
        if (*lots || nominate || strcmp(text, "target") == 0 ||
            catalogue_is_word(catalogue, "word_target", text)) {
            good = true;
            break;
        }
        if (name.len > 0) {
            buf_add_char(&name, ' ');
        }
        buf_add_buf(&name, &word);
    }
    if (!good) {
        (void)order_answer(order, "choose_bad");
    }
    good = good && order_find_seat(order, buf_text(&name), name.len, &seat) &&
           (*lots || order_find_seat(order, buf_text(&order->rest),
                                     order->rest.len, &target));
    bool fits = *lots ? awaits.cards > 0 || awaits.choices != 0
                      : nominate == (awaits.question == QUESTION_NOMINATE) &&
                            awaits.choices != 0;
    if (good && (!(awaits.seats & seat_bit(seat)) || !fits ||
                 awaits.question == QUESTION_VOTE ||
                 (*lots && awaits.question == QUESTION_NOMINATE))) {
        (void)order_answer(order, "choose_not_due");
        good = false;
    }
    command->kind = nominate ? COMMAND_NOMINATE : COMMAND_TARGET;
    command->seat = (uint8_t)seat;
    command->target = (uint8_t)target;
    buf_clear(&order->rest);
    buf_add_buf(&order->rest, &rest);
    buf_release(&name);
    buf_release(&word);
    buf_release(&rest);
    return good;
}

void
order_choose(struct order *order)
{
    struct docket *docket = order->docket;
    struct command command = {.kind = COMMAND_NOMINATE};
    struct speech speech;
    bool lots = false;
    if (!is_running(order) || !read_choice(order, &command, &lots)) {
        return;
    }
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "chooser", command.seat);
    speech_seat(&speech, "target", command.target);
    params_number(&speech.params, "lots", lots);
    if (!order_must_wait(order, &speech, "will_choose")) {
        order_tell(order, &speech, "chosen");
        if (lots) {
            lots_draw(docket, order->hearing->post->author,
                      order->hearing->post->stamp);
        } else {
            play_for(order, &command);
        }
    }
    speech_release(&speech);
}

/* ---- the end --------------------------------------------------------------
 */

void
order_end(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    bool coming = table_is_coming(table);
    struct speech speech;
    struct buf reason = BUF_INIT;
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        order_answer_none(order);
        return;
    }
    speech_init(&speech, docket->house, table, NULL);
    speech_quote(table, buf_text(&order->rest), &reason);
    params_text(&speech.params, "reason", buf_text(&reason));
    params_number(&speech.params, "running", !coming);
    if (!order_must_wait(order, &speech, "will_end")) {
        struct move move = docket_move(docket, coming ? MOVE_CLOSE : MOVE_PLAY,
                                       order->hearing->post->stamp);
        move.command.kind = COMMAND_ABANDON;
        order_tell(order, &speech, "ending");
        (void)docket_play(docket, &move);
    }
    speech_release(&speech);
    buf_release(&reason);
}

/* ---- confirming and agreeing ------------------------------------------------
 */

/* Do what was asked for. */
static void
do_asked(struct order *order, const struct asked *asked)
{
    struct docket *docket = order->docket;
    struct move move =
        docket_move(docket, MOVE_ANSWERED, order->hearing->post->stamp);
    struct buf text = BUF_INIT;
    move.number = asked->number;
    buf_add_text(&text, asked->text);
    order->asked_phase = asked->phase;
    (void)docket_play(docket, &move);
    buf_clear(&order->rest);
    buf_add_buf(&order->rest, &text);
    buf_release(&text);
    order->confirmed = true;
    if (order_next_word(order, &order->word)) {
        (void)order_obey(order);
    }
}

/* The number behind a command; false: there is none, or something else. */
static bool
take_request(const struct order *order, unsigned *number)
{
    const char *text = buf_text(&order->rest);
    text += *text == '#';
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return end != text && *end == '\0' && value != 0 && value <= UINT_MAX;
}

void
order_yes(struct order *order)
{
    const struct table *table = order->docket->table;
    const char *author = order->hearing->post->author;
    unsigned number = 0;
    const struct asked *asked = NULL;
    if (take_request(order, &number)) {
        asked = table_asked(table, number);
    }
    /* What a player asks is the table's to agree to. */
    bool open = asked != NULL && asked->phase == table_phase(table) &&
                table_seat(table, asked->user) == NO_SEAT &&
                order->docket->house->now < asked->until;
    if (!order_by_moderator(order)) {
        (void)order_answer_quoting(order, "command_moderators");
    } else if (!open) {
        (void)order_answer(order, "yes_nothing");
    } else if (strcmp(asked->user, author) != 0) {
        (void)order_answer(order, "yes_not_yours");
    } else {
        do_asked(order, asked);
    }
}

/* Can this player agree to a request: one of another player? */
static bool
may_agree(const struct order *order, const struct asked *asked, unsigned seat)
{
    const struct table *table = order->docket->table;
    unsigned asker = table_seat(table, asked->user);
    return asked->number != 0 && asker != NO_SEAT && seat != NO_SEAT &&
           seat != asker && table->settings.table_moderates &&
           seat_in(seat, game_present(&table->game)) &&
           table->state == TABLE_RUNNING;
}

/* The request that a post of the host asks to agree to; 0: none. */
static unsigned
request_of(const struct order *order, const char *post)
{
    const struct annals *annals = order->docket->house->annals;
    return annals == NULL || annals->request == NULL
               ? 0
               : annals->request(annals->context, order->docket->table, post);
}

/* The request that somebody agrees to: named by its number, by a reply to it,
 * or to the host's post about it, or the only one there is; *several: it is not
 * clear which. */
static const struct asked *
find_request(const struct order *order, unsigned seat, bool *several)
{
    const struct table *table = order->docket->table;
    const char *reply = order->hearing->post->reply_to;
    const struct asked *found = NULL;
    unsigned number = 0;
    bool named = take_request(order, &number);
    unsigned asked_there = *reply == '\0' ? 0 : request_of(order, reply);
    *several = false;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        bool replied = *reply != '\0' &&
                       (strcmp(asked->post, reply) == 0 ||
                        (asked_there != 0 && asked->number == asked_there));
        if (!may_agree(order, asked, seat) ||
            (named && asked->number != number)) {
            continue;
        }
        if (replied || named) {
            *several = false;
            return asked;
        }
        *several = found != NULL;
        found = asked;
    }
    return *several ? NULL : found;
}

/* Which requests can somebody agree to? */
static void
ask_which_request(struct order *order, unsigned seat)
{
    const struct table *table = order->docket->table;
    struct speech speech;
    struct buf list = BUF_INIT;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        if (may_agree(order, asked, seat)) {
            buf_addf(&list, "%s%u (%s)", list.len > 0 ? ", " : "",
                     asked->number,
                     table->people[table_seat(table, asked->user)].name);
        }
    }
    speech_init(&speech, order->docket->house, table, NULL);
    params_text(&speech.params, "list", buf_text(&list));
    (void)order_answer_speech(order, &speech, "agree_which");
    speech_release(&speech);
    buf_release(&list);
}

void
order_agree(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const char *author = order->hearing->post->author;
    unsigned seat = table_seat(table, author);
    bool several = false;
    const struct asked *asked = find_request(order, seat, &several);
    if (several) {
        ask_which_request(order, seat);
        return;
    }
    if (asked == NULL) {
        (void)order_answer(order, "agree_nothing");
        return;
    }
    struct move move =
        docket_move(docket, MOVE_AGREE, order->hearing->post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", author);
    move.number = asked->number;
    (void)docket_play(docket, &move);
    order_acknowledge(order);
    seat_set asker = seat_bit(table_seat(table, asked->user));
    seat_set others = (seat_set)(game_present(&table->game) & ~asker);
    if (2 * speech_count(asked->agreed & others) > speech_count(others)) {
        do_asked(order, asked);
    }
}

void
moderators_time(struct docket *docket)
{
    const struct asked *asked = table_asked_first(docket->table);
    assert(asked != NULL);
    struct move move = docket_move(docket, MOVE_ANSWERED, asked->until);
    bool table = table_seat(docket->table, asked->user) != NO_SEAT;
    struct speech speech;
    struct rich text = {.count = 0};
    move.number = asked->number;
    speech_init(&speech, docket->house, docket->table, NULL);
    params_number(&speech.params, "request", asked->number);
    (void)docket_play(docket, &move);
    if (table) {
        speech_say(&speech, "agree_lapsed", &text);
        docket_post(docket, &text);
        rich_release(&text);
    }
    speech_release(&speech);
}
