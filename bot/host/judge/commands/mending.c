/* Mending a mistake: what was misread, and moves that are taken back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/words/private.h"

/* ---- posts -----------------------------------------------------------------
 */

/* Is it a post that the command may speak of: of the thread, or of the author's
 * own, where it stands?  What is said of any other would tell others what
 * somebody has written in private. */
static bool
may_speak_of(const struct order *order, const struct read_post *post)
{
    const struct post *asked = order->hearing->post;
    return strcmp(post->place, order->docket->table->thread) == 0 ||
           (strcmp(post->author, asked->author) == 0 &&
            strcmp(post->place, asked->place) == 0);
}

/* Find the post that a command is about, by a link, an id, or the post that it
 * replies to; false, with an answer: not known. */
static bool
find_post(struct order *order, const char *text, struct read_post *post)
{
    const struct annals *annals = order->docket->house->annals;
    struct buf id = BUF_INIT;
    enum meant meant = order_read_address(text, &id);
    if (meant == MEANT_NOTHING) {
        buf_add_text(&id, order->hearing->post->reply_to);
    }
    bool found = id.len > 0 && annals != NULL &&
                 annals->post(annals->context, order->docket->table,
                              buf_text(&id), post) &&
                 may_speak_of(order, post);
    if (!found) {
        (void)order_answer(order, meant == MEANT_POSITION ? "post_position"
                                                          : "post_unknown");
    }
    buf_release(&id);
    return found;
}

/* ---- how a post was read ---------------------------------------------------
 *
 * What is kept of a post is a line for whoever looks after the host: the number
 * of a rule of reading, or a few words, and what it is about in quotation
 * marks.  People get it in the catalogue's words.
 */

/* Which rule is told how; of those without a number, how they begin. */
static const struct {
    const char *rule, *key;
} verdicts[] = {
    {"a command", "verdict_command"},
    {"not a player", "verdict_stranger"},
    {"nothing of that kind", "verdict_not_awaited"},
    {"R0:", "verdict_unread"},
    {"E1:", "verdict_edited"},
    {"R2:", "verdict_hidden"},
    {"R3:", "verdict_not_bold"},
    {"R4:", "verdict_word"},
    {"R5:", "verdict_edge"},
    {"R6:", "verdict_more"},
    {"R7:", "verdict_nearly"},
    {"R8:", "verdict_both"},
    {"R10:", "verdict_disguise"},
    {"R11:", "verdict_other_words"},
    {"R12:", "verdict_form"},
    {"R14:", "verdict_name"},
    {"R15:", "verdict_mention"},
    {"R16:", "verdict_unclear"},
    {"R18:", "verdict_no_word"},
    {"R19:", "verdict_talk"},
    {"D3:", "verdict_card"},
    {"D4:", "verdict_no_choice"},
    {"D5:", "verdict_no_card"},
    {"D6:", "verdict_ballot"},
    {"D7:", "verdict_veto"},
};

/* Append what stands in quotation marks in a verdict. */
static void
add_quoted(const char *verdict, struct buf *out)
{
    static const char open[] = "“";
    static const char close[] = "”";
    const char *from = strstr(verdict, open);
    const char *end = NULL;
    for (const char *at = from; at != NULL; at = strstr(at + 1, close)) {
        end = at;
    }
    if (from != NULL && end > from) {
        from += strlen(open);
        buf_add(out, from, (size_t)(end - from));
    }
}

/* A verdict in the catalogue's words: what is said borrows from it. */
struct told {
    struct rich verdict;
    struct buf rule, text;
};

/* Say a verdict as {verdict} and the number of its rule as {rule}. */
static void
say_verdict(struct speech *speech, const char *verdict, struct told *told)
{
    size_t count = sizeof verdicts / sizeof verdicts[0];
    size_t colon = strcspn(verdict, ":");
    const char *key = NULL;
    for (size_t i = 0; i < count && key == NULL; i++) {
        if (strncmp(verdict, verdicts[i].rule, strlen(verdicts[i].rule)) == 0) {
            key = verdicts[i].key;
        }
    }
    if (verdict[colon] == ':') {
        buf_add(&told->rule, verdict, colon);
    }
    add_quoted(verdict, &told->text);
    params_text(&speech->params, "text", buf_text(&told->text));
    params_number(&speech->params, "counts",
                  strstr(verdict, ", so it counts") != NULL);
    if (key != NULL) {
        speech_add(speech, key, &told->verdict);
    } else {
        rich_add_text(&told->verdict, verdict, 0);
    }
    params_rich(&speech->params, "verdict", &told->verdict);
    params_text(&speech->params, "rule", buf_text(&told->rule));
}

void
order_why(struct order *order)
{
    struct speech speech;
    struct told told = {.text = BUF_INIT};
    struct read_post post;
    if (!find_post(order, buf_text(&order->rest), &post)) {
        return;
    }
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    say_verdict(&speech, post.verdict, &told);
    (void)order_answer_speech(order, &speech, "why");
    rich_release(&told.verdict);
    buf_release(&told.rule);
    buf_release(&told.text);
    speech_release(&speech);
}

/* ---- taking back ------------------------------------------------------------
 */

/* Find how the table was; false, with an answer, where it can't be so again. */
static bool
find_before(struct order *order, const char *id, struct before *before)
{
    const struct annals *annals = order->docket->house->annals;
    const struct table *table = order->docket->table;
    if (annals == NULL || !annals->before(annals->context, table, id, before) ||
        before->table.state != TABLE_RUNNING || before->table.game.round == 0) {
        (void)order_answer(order, "undo_nothing");
        return false;
    }
    if (before->people_came) {
        (void)order_answer(order, "undo_people");
        return false;
    }
    return true;
}

/* Take the game back. */
static void
rewind_to(struct order *order, const struct before *before)
{
    struct docket *docket = order->docket;
    struct move move =
        docket_move(docket, MOVE_REWIND, order->hearing->post->stamp);
    move.number = before->row;
    move.past = &before->table;
    (void)docket_play(docket, &move);
    docket->undone = true;
    docket->undone_to = before->row;
}

/* Ask those again in private who are awaited there. */
static void
ask_again(struct docket *docket)
{
    const struct table *table = docket->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        secrets_ask(docket, seat);
    }
}

static void
undo(struct order *order, const char *id)
{
    struct docket *docket = order->docket;
    struct before *before = must_alloc(sizeof *before);
    struct speech speech;
    if (!find_before(order, id, before)) {
        free(before);
        return;
    }
    bool session =
        docket->table->game.in_session && !before->table.game.in_session;
    speech_init(&speech, docket->house, docket->table, NULL);
    params_number(&speech.params, "fallen", before->fallen);
    params_number(&speech.params, "session", session);
    params_number(&speech.params, "to_round", before->table.game.round);
    if (!order_must_wait(order, &speech, "will_undo")) {
        struct rich text = {.count = 0};
        bool known = docket->table->shown != before->table.shown;
        speech_release(&speech);
        rewind_to(order, before);
        speech_init(&speech, docket->house, docket->table, NULL);
        params_number(&speech.params, "known", known);
        params_number(&speech.params, "fallen", before->fallen);
        params_number(&speech.params, "to_round", before->table.game.round);
        speech_say(&speech, "undone", &text);
        docket_post(docket, &text);
        rich_release(&text);
        ask_again(docket);
    }
    speech_release(&speech);
    free(before);
}

void
order_undo(struct order *order)
{
    const struct table *table = order->docket->table;
    struct read_post post;
    if (table->id[0] == '\0') {
        order_answer_none(order);
    } else if (order->rest.len == 0 &&
               order->hearing->post->reply_to[0] == '\0') {
        undo(order, "");
    } else if (find_post(order, buf_text(&order->rest), &post)) {
        undo(order, post.id);
    }
}

/* ---- one vote
 * ---------------------------------------------------------------- */

/* The author's seat, if their vote is open; else NO_SEAT with an answer. */
static unsigned
voter(struct order *order, const struct read_post *post)
{
    const struct table *table = order->docket->table;
    unsigned seat = table_seat(table, post->author);
    if (table->state != TABLE_RUNNING ||
        table->game.question != QUESTION_VOTE || seat == NO_SEAT ||
        !(game_present(&table->game) & seat_bit(seat))) {
        (void)order_answer(order, "count_not_due");
        return NO_SEAT;
    }
    return seat;
}

void
order_count(struct order *order)
{
    struct docket *docket = order->docket;
    const struct catalogue *catalogue = docket->house->catalogue;
    struct read_post post;
    struct buf link = BUF_INIT;
    struct buf rest = BUF_INIT;
    struct buf word = BUF_INIT;
    buf_add_buf(&rest, &order->rest);
    (void)order_next_word(order, &link);
    (void)order_next_word(order, &word);
    const char *vote = buf_text(&word);
    bool ja = strcmp(vote, "ja") == 0 ||
              catalogue_is_word(catalogue, "word_ja", vote);
    bool nein = strcmp(vote, "nein") == 0 ||
                catalogue_is_word(catalogue, "word_nein", vote);
    unsigned seat = NO_SEAT;
    if (!ja && !nein) {
        (void)order_answer(order, "count_bad");
    } else if (find_post(order, buf_text(&link), &post) &&
               (seat = voter(order, &post)) != NO_SEAT) {
        struct speech speech;
        struct move move =
            docket_move(docket, MOVE_PLAY, order->hearing->post->stamp);
        move.command = (struct command){
            .kind = COMMAND_VOTE, .seat = (uint8_t)seat, .yes = ja};
        (void)snprintf(move.post, sizeof move.post, "%s", post.id);
        speech_init(&speech, docket->house, docket->table, NULL);
        speech_seat(&speech, "target", seat);
        params_number(&speech.params, "is_ja", ja);
        bool sealed = docket->table->game.rules.ballot == BALLOT_SEALED;
        if (sealed || docket->table->game.voted & seat_bit(seat)) {
            (void)order_answer_speech(order, &speech, "count_voted");
        } else {
            order_tell(order, &speech, "counted");
            (void)docket_play(docket, &move);
        }
        speech_release(&speech);
    }
    buf_release(&link);
    buf_release(&rest);
    buf_release(&word);
}

/* Cast the votes again that stood beside the one that falls. */
static void
vote_again(struct docket *docket, seat_set voted, seat_set ja, int64_t at)
{
    for (unsigned seat = 0; seat < docket->table->seated; seat++) {
        struct move move = docket_move(docket, MOVE_PLAY, at);
        if (!(voted & seat_bit(seat)) ||
            docket->table->game.question != QUESTION_VOTE) {
            continue;
        }
        move.post[0] = '\0';
        move.command = (struct command){.kind = COMMAND_VOTE,
                                        .seat = (uint8_t)seat,
                                        .yes = (ja & seat_bit(seat)) != 0};
        (void)docket_play(docket, &move);
    }
}

void
order_void(struct order *order)
{
    struct docket *docket = order->docket;
    const struct game *game = &docket->table->game;
    struct read_post post;
    unsigned seat = NO_SEAT;
    if (!find_post(order, buf_text(&order->rest), &post) ||
        (seat = voter(order, &post)) == NO_SEAT) {
        return;
    }
    struct before *before = must_alloc(sizeof *before);
    seat_set voted = (seat_set)(game->voted & ~seat_bit(seat));
    seat_set ja = game->ja;
    if (!find_before(order, post.id, before)) {
        free(before);
        return;
    }
    if (before->table.phase != docket->table->phase) {
        (void)order_answer(order, "count_not_due"); /* no vote of this one */
    } else {
        struct speech speech;
        int64_t until = docket->table->deadline;
        voted &= (seat_set)~before->table.game.voted;
        struct move move =
            docket_move(docket, MOVE_REWIND, order->hearing->post->stamp);
        move.number = before->row;
        move.past = &before->table;
        move.until = until;
        speech_init(&speech, docket->house, docket->table, NULL);
        speech_seat(&speech, "target", seat);
        (void)docket_play(docket, &move);
        vote_again(docket, voted, ja, order->hearing->post->stamp);
        order_tell(order, &speech, "voided");
        speech_release(&speech);
    }
    free(before);
}
