/* Corrects mistakes: misread posts, and moves to take back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/private.h"

/* ---- posts -----------------------------------------------------------------
 */

/* May the command be about this post: is it in the thread, or the author's own
 * in the same place?  Any other answer would reveal what somebody has written
 * in private. */
static bool
may_speak_of(const struct chat_command *chat, const struct read_post *post)
{
    const struct post *asked = chat->input->post;
    return strcmp(post->place, chat->ruling->table->thread) == 0 ||
           (strcmp(post->author, asked->author) == 0 &&
            strcmp(post->place, asked->place) == 0);
}

bool
chat_find_post(struct chat_command *chat, const char *text,
               struct read_post *post)
{
    const struct history *history = chat->ruling->env->history;
    struct buf id = BUF_INIT;
    enum meant meant = chat_read_address(text, &id);
    if (meant == MEANT_NOTHING) {
        buf_add_text(&id, chat->input->post->reply_to);
    }
    bool found = id.len > 0 && history != NULL &&
                 history->post(history->context, chat->ruling->table,
                               buf_text(&id), post) &&
                 may_speak_of(chat, post);
    if (!found) {
        (void)chat_answer(chat, meant == MEANT_POSITION ? "post_position"
                                                        : "post_unknown");
    }
    buf_release(&id);
    return found;
}

/* ---- how a post was read ---------------------------------------------------
 *
 * For each post a line for the operator is kept: the number of a rule of
 * reading, or a few words, and its subject in quotation marks.  People get it
 * in the catalogue's words.
 */

/* The key for each rule; rules without a number are known by their beginning.
 */
static const struct {
    const char *rule, *key;
} verdicts[] = {
    {"a command", "verdict_command"},
    {"at no table", "verdict_no_game"},
    {REFEREE_NO_PLAYER, "verdict_stranger"},
    {REFEREE_NOT_AWAITED, "verdict_not_awaited"},
    {"moved here too late", "verdict_moved_late"},
    {"moved here", "verdict_moved"},
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
    {"R20:", "verdict_name"},
    {"R21:", "verdict_word"},
    {"D3:", "verdict_card"},
    {"D4:", "verdict_no_choice"},
    {"D5:", "verdict_no_card"},
    {"D6:", "verdict_ballot"},
    {"D7:", "verdict_veto"},
};

/* Append the text in quotation marks in a verdict. */
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

/* Put a verdict under {verdict} and the number of its rule under {rule}. */
static void
say_verdict(struct speech *speech, const char *verdict)
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
        buf_add(speech_text(speech, "rule"), verdict, colon);
    }
    add_quoted(verdict, speech_text(speech, "text"));
    params_number(&speech->params, "counts",
                  strstr(verdict, ", so it counts") != NULL);
    if (key != NULL) {
        speech_add(speech, key, speech_rich(speech, "verdict"));
    } else {
        rich_add_text(speech_rich(speech, "verdict"), verdict, 0);
    }
}

void
chat_why(struct chat_command *chat)
{
    struct read_post post;
    if (!chat_find_post(chat, buf_text(&chat->rest), &post)) {
        return;
    }
    if (post.verdict[0] == '\0') {
        bool past = post.stamp < chat->ruling->table->began;
        (void)chat_answer(chat, past ? "why_past" : "why_unjudged");
        return;
    }
    say_verdict(chat_speech(chat), post.verdict);
    (void)chat_answer(chat, "why");
}

/* ---- taking back ------------------------------------------------------------
 */

/* Find the table's earlier state; false, with an answer: it can't be restored.
 */
static bool
find_before(struct chat_command *chat, const char *id, struct before *before)
{
    const struct history *history = chat->ruling->env->history;
    const struct table *table = chat->ruling->table;
    if (history == NULL ||
        !history->before(history->context, table, id, chat->asked, before) ||
        before->table.state != TABLE_RUNNING || before->table.game.round == 0) {
        (void)chat_answer(chat, "undo_nothing");
        return false;
    }
    if (before->people_came) {
        (void)chat_answer(chat, "undo_people");
        return false;
    }
    if ((table->gallery & before->table.game.living) != 0) {
        (void)chat_answer(chat, "undo_gallery");
        return false;
    }
    return true;
}

/* Take the game back. */
static void
rewind_to(struct chat_command *chat, const struct before *before)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_begin_move(chat, MOVE_REWIND);
    move.row = before->row;
    move.past = &before->table;
    (void)ruling_play(ruling, &move);
    ruling->undone = true;
    ruling->undone_to = before->row;
}

/* Ask again those whose answer is due in private. */
static void
ask_again(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        private_ask(ruling, seat);
    }
}

/* The key that tells of a move; NULL: it is not told. */
static const char *
move_key(enum command_kind kind)
{
    switch (kind) {
    case COMMAND_NOMINATE:
        return "undo_nomination";
    case COMMAND_VOTE:
        return "undo_votes";
    case COMMAND_ENACT:
        return "undo_policy";
    case COMMAND_ASK_VETO:
        return "undo_veto_asked";
    case COMMAND_ANSWER_VETO:
        return "undo_veto_answered";
    case COMMAND_TARGET:
        return "undo_target";
    case COMMAND_CLOSE:
    case COMMAND_FORFEIT:
        return "undo_deadline";
    case COMMAND_DEAL:
    case COMMAND_RESHUFFLE:
    case COMMAND_DISCARD:
    case COMMAND_VACATE:
    case COMMAND_FILL:
    case COMMAND_KNOWN:
    case COMMAND_ABANDON:
        break;
    }
    return NULL;
}

/* Are two moves told as one: votes of one round, or an execution and that it
 * was announced? */
static bool
told_as_one(const struct fallen *one, const struct fallen *other)
{
    return one->kind == other->kind && one->round == other->round &&
           (one->kind == COMMAND_VOTE ||
            (one->kind == COMMAND_TARGET && one->target == other->target));
}

/* Append one move, or all the votes of a round, to a list. */
static void
add_move(const struct host_env *env, const struct table *table,
         const struct fallen *moves, unsigned count, struct rich *list)
{
    const char *key = move_key(moves->kind);
    struct speech speech;
    if (key == NULL) {
        return;
    }
    speech_init(&speech, env, table, NULL);
    params_number(&speech.params, "of_round", moves->round);
    for (unsigned i = 0; moves->kind == COMMAND_VOTE && i < count; i++) {
        speech_seat(&speech, "player", moves[i].seat);
    }
    if (moves->kind != COMMAND_VOTE) {
        speech_seat(&speech, "player", moves->seat);
    }
    speech_seat(&speech, "target", moves->target);
    if (list->text.len > 0) {
        speech_add(&speech, "undo_separator", list);
    }
    speech_add(&speech, key, list);
    speech_release(&speech);
}

/* Append which moves fall, as a line of its own in the words of the key. */
static void
add_moves(const struct host_env *env, const struct table *table,
          const struct before *before, const char *key, struct rich *out)
{
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    struct rich *list = speech_rich(&speech, "moves");
    for (unsigned i = 0; i < before->move_count;) {
        unsigned count = 1;
        while (i + count < before->move_count &&
               told_as_one(&before->moves[i], &before->moves[i + count])) {
            count++;
        }
        add_move(env, table, &before->moves[i], count, list);
        i += count;
    }
    if (list->text.len > 0) {
        speech_add(&speech, key, out);
    }
    speech_release(&speech);
}

static void
undo(struct chat_command *chat, const char *id)
{
    struct ruling *ruling = chat->ruling;
    struct before *before = before_new();
    if (!find_before(chat, id, before)) {
        before_free(before);
        return;
    }
    bool session =
        ruling->table->game.in_session && !before->table.game.in_session;
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "fallen", before->fallen);
    params_number(&speech->params, "session", session);
    params_number(&speech->params, "to_round", before->table.game.round);
    struct rich what = {.count = 0};
    speech_add(speech, "will_undo", &what);
    add_moves(ruling->env, ruling->table, before, "will_undo_moves", &what);
    if (!chat_must_wait_for(chat, &what)) {
        bool known = ruling->table->shown != before->table.shown;
        struct rich text = {.count = 0};
        rewind_to(chat, before);
        speech = chat_speech(chat);
        params_number(&speech->params, "known", known);
        params_number(&speech->params, "fallen", before->fallen);
        params_number(&speech->params, "to_round", before->table.game.round);
        speech_add(speech, "undone", &text);
        add_moves(ruling->env, ruling->table, before, "undo_moves", &text);
        speech_say(speech, "boards", &text); /* as they were then */
        ruling_begin_notice(ruling, &text);
        ask_again(ruling);
    }
    rich_release(&what);
    before_free(before);
}

void
chat_undo(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    struct read_post post;
    if (table->id[0] == '\0') {
        chat_answer_none(chat);
    } else if (chat->rest.len == 0 &&
               (chat->confirmed || chat->input->post->reply_to[0] == '\0')) {
        undo(chat, "");
    } else if (chat_find_post(chat, buf_text(&chat->rest), &post)) {
        /* Whoever confirms it does not reply to that post. */
        buf_clear(&chat->rest);
        buf_add_text(&chat->rest, post.id);
        undo(chat, post.id);
    }
}

/* ---- one vote ------------------------------------------------------------ */

/* The author's seat, if their vote is open, and was when the command was given;
 * otherwise NO_SEAT with an answer. */
static unsigned
voter(struct chat_command *chat, const struct read_post *post)
{
    const struct table *table = chat->ruling->table;
    unsigned seat = table_seat(table, post->author);
    if (table->state != TABLE_RUNNING ||
        table->game.question != QUESTION_VOTE || seat == NO_SEAT ||
        chat->input->post->stamp < table->since ||
        !(game_present(&table->game) & seat_bit(seat))) {
        (void)chat_answer(chat, "count_not_due");
        return NO_SEAT;
    }
    return seat;
}

void
chat_count(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct read_post post;
    struct buf link = BUF_INIT;
    struct buf word = BUF_INIT;
    (void)chat_next_word(chat, &link);
    if (!chat_next_word(chat, &word)) { /* "!count ja", as a reply */
        buf_add_buf(&word, &link);
        buf_clear(&link);
    }
    const char *vote = buf_text(&word);
    bool ja = chat_matches(chat, vote, "word_ja", "ja");
    bool nein = chat_matches(chat, vote, "word_nein", "nein");
    unsigned seat = NO_SEAT;
    if (!ja && !nein) {
        (void)chat_answer(chat, "count_bad");
    } else if (chat_find_post(chat, buf_text(&link), &post) &&
               (seat = voter(chat, &post)) != NO_SEAT) {
        struct move move = chat_begin_move(chat, MOVE_PLAY);
        move.command = (struct command){
            .kind = COMMAND_VOTE, .seat = (uint8_t)seat, .yes = ja};
        (void)snprintf(move.post, sizeof move.post, "%s", post.id);
        struct speech *speech = chat_speech(chat);
        speech_seat(speech, "target", seat);
        params_number(&speech->params, "is_ja", ja);
        bool sealed = ruling->table->game.rules.ballot == BALLOT_SEALED;
        if (sealed || ruling->table->game.voted & seat_bit(seat)) {
            (void)chat_answer(chat, "count_voted");
        } else {
            chat_tell(chat, "counted");
            (void)ruling_play(ruling, &move);
        }
    }
    buf_release(&link);
    buf_release(&word);
}

/* Cast again the other votes, besides the one that is undone. */
static void
vote_again(struct ruling *ruling, seat_set voted, seat_set ja, int64_t at)
{
    for (unsigned seat = 0; seat < ruling->table->seated; seat++) {
        struct move move = ruling_move(ruling, MOVE_PLAY, at);
        if (!(voted & seat_bit(seat)) ||
            ruling->table->game.question != QUESTION_VOTE) {
            continue;
        }
        move.post[0] = '\0';
        move.command = (struct command){.kind = COMMAND_VOTE,
                                        .seat = (uint8_t)seat,
                                        .yes = (ja & seat_bit(seat)) != 0};
        (void)ruling_play(ruling, &move);
    }
}

/* Until when: whoever must vote again has for it, at least, a quarter of the
 * least time for a vote. */
static int64_t
until_voted_again(const struct ruling *ruling)
{
    const struct table *table = ruling->table;
    int64_t now = ruling->env->now;
    int64_t until = table->paused ? now + table->deadline - table->paused_at
                                  : table->deadline;
    int64_t whole = table->settings.election - table->settings.nomination;
    int64_t least =
        deadline_moved(now, whole / 4, &table->settings, ruling->env->zone);
    return table->deadline == 0 || until > least ? until : least;
}

void
chat_void(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct game *game = &ruling->table->game;
    struct read_post post;
    unsigned seat = NO_SEAT;
    if (!chat_find_post(chat, buf_text(&chat->rest), &post) ||
        (seat = voter(chat, &post)) == NO_SEAT) {
        return;
    }
    struct before *before = before_new();
    seat_set voted = (seat_set)(game->voted & ~seat_bit(seat));
    seat_set ja = game->ja;
    if (!find_before(chat, post.id, before)) {
        before_free(before);
        return;
    }
    if (before->table.phase != ruling->table->phase) {
        (void)chat_answer(chat, "count_not_due"); /* not a vote of this one */
    } else {
        int64_t until = until_voted_again(ruling);
        voted &= (seat_set)~before->table.game.voted;
        struct move move = chat_begin_move(chat, MOVE_REWIND);
        move.row = before->row;
        move.past = &before->table;
        move.until = until;
        (void)ruling_play(ruling, &move);
        vote_again(ruling, voted, ja, chat->input->post->stamp);
        speech_seat(chat_speech(chat), "target", seat);
        chat_tell(chat, "voided");
    }
    before_free(before);
}
