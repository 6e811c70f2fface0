#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/words/absence.h"
#include "bot/host/words/ending.h"
#include "bot/host/words/gallery.h"
#include "bot/host/words/private.h"
#include "bot/host/words/rulebook.h"
#include "bot/host/words/status.h"
#include "bot/host/words/vocabulary.h"
#include "config/language.h"

void
chat_status(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0') {
        chat_answer_none(chat);
        return;
    }
    status_say(chat->ruling->env, table, &text);
    (void)chat_answer_text(chat, &text);
}

/* Does the table wait for a seat, and may everybody know? */
static bool
is_waited_for(const struct table *table, unsigned seat)
{
    return !table_in_session(table) &&
           seat_in(seat, game_awaits(&table->game).seats);
}

/* For a player, or for whoever moderates (NO_SEAT). */
static const char *
help_key(const struct host_env *env, const struct table *table, unsigned seat)
{
    const struct game *game = &table->game;
    if (seat == NO_SEAT) {
        return "help_moderator";
    }
    if (table->state == TABLE_SIGNUP) {
        return "help_signup";
    }
    if (table->state == TABLE_CHECK) {
        return seat_in(seat, table->ready) ? "help_ready" : "help_check";
    }
    if (table->state == TABLE_SEATED) {
        return "help_wait";
    }
    if (!(game->living & seat_bit(seat))) {
        return gallery_has_something(env, table) ? "help_gallery"
                                                 : "help_executed";
    }
    if (seat_in(seat, game->vacant)) {
        return "seat_vacant";
    }
    bool session =
        game->question == QUESTION_DISCARD || game->question == QUESTION_ENACT;
    /* In a session everybody gets the same answer: it would give away whose
     * turn it is. */
    if (session || (game_awaits(game).seats & seat_bit(seat))) {
        return status_asks(game);
    }
    return game->question == QUESTION_VOTE ? "help_voted" : "help_wait";
}

/* Add what a player can do besides what is asked of them. */
static void
add_choices(struct speech *speech, unsigned seat, struct rich *out)
{
    const struct table *table = speech->table;
    params_number(&speech->params, "here",
                  seat_in(seat, game_present(&table->game)));
    params_number(&speech->params, "claims", chat_may_claim(table, seat));
    params_number(&speech->params, "returns",
                  seat_in(seat, table_open_seats(table)));
    speech_say(speech, "help_choices", out);
}

void
chat_help(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    unsigned seat = table_seat(table, chat->input->post->author);
    struct speech *speech = chat_speech(chat);
    bool open = table->id[0] != '\0';
    params_number(&speech->params, "signup",
                  open && table_is_coming(table) &&
                      table->seated < table->players_max);
    params_number(&speech->params, "running",
                  open && table->state != TABLE_OVER);
    params_number(&speech->params, "gallery",
                  table->state == TABLE_RUNNING &&
                      gallery_is_offered(chat->ruling->env, table));
    const char *key = "help_out";
    if (open && table->state != TABLE_OVER &&
        (seat != NO_SEAT || chat_by_moderator(chat))) {
        params_number(&speech->params, "coming", table_is_coming(table));
        key = help_key(chat->ruling->env, table, seat);
        if (chat->input->post->dm && table_in_session(table) &&
            seat_in(seat, game_awaits(&table->game).seats)) {
            key = "catchup_cards"; /* nobody else sees it */
        }
        status_line(chat->ruling->env, table, speech_rich(speech, "line"));
        speech_seat(speech, "player", seat);
        params_number(&speech->params, "put_out",
                      seat != NO_SEAT && seat_in(seat, table->put_out));
        params_number(
            &speech->params, "voted",
            speech_count(table->game.voted & game_present(&table->game)));
    }
    struct rich text = {.count = 0};
    speech_say(speech, key, &text);
    if (seat != NO_SEAT && table->state == TABLE_RUNNING &&
        !is_waited_for(table, seat)) {
        add_choices(speech, seat, &text);
    }
    (void)chat_answer_text(chat, &text);
}

/* ---- the past ------------------------------------------------------------ */

/* Has the game begun?  If not, say that there is nothing to tell. */
static bool
has_begun(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    if (table->id[0] == '\0') {
        chat_answer_none(chat);
    } else if (table->past_count == 0) {
        (void)chat_answer(chat, "not_begun");
    }
    return table->past_count > 0;
}

/* Say the votes of a round; those of a secret ballot only once it is closed.
 * Could there be any yet? */
static bool
say_votes(const struct chat_command *chat, const struct past_round *round,
          struct rich *out)
{
    const struct table *table = chat->ruling->table;
    bool now = round == table_round(table);
    enum question question = (enum question)table->game.question;
    bool secret = now && question == QUESTION_VOTE &&
                  table->game.rules.ballot == BALLOT_SEALED;
    bool not_yet = now && question == QUESTION_NOMINATE;
    struct speech speech;
    speech_init(&speech, chat->ruling->env, table, round);
    speech_votes(&speech, table, round, secret);
    speech_say(&speech, not_yet ? "votes_not_yet" : "votes", out);
    speech_release(&speech);
    return !not_yet;
}

/* Add how a seat voted in a round, if that vote is closed. */
static void
add_vote_of(const struct chat_command *chat, const struct past_round *round,
            unsigned seat, struct rich *out)
{
    const struct table *table = chat->ruling->table;
    struct speech speech;
    if (round->chancellor == NO_SEAT || !seat_in(seat, round->present)) {
        return;
    }
    speech_init(&speech, chat->ruling->env, table, round);
    speech_government(&speech, round);
    params_number(&speech.params, "voted", seat_in(seat, round->voted));
    params_number(&speech.params, "ja", seat_in(seat, round->ja));
    params_number(&speech.params, "was", round->voter_was[seat]);
    params_text(&speech.params, "name",
                table_name_then(table, seat, round->voter_was[seat]));
    rich_add_text(out, "\n", 0);
    speech_add(&speech, "vote_of_round", out);
    speech_release(&speech);
}

/* How a player, by name or "@" and id, has voted so far. */
static void
answer_votes_of(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const char *who = buf_text(&chat->rest);
    bool by_id = chat->ruling->pressed && who[0] == '@';
    unsigned seat = by_id ? table_seat(table, who + 1) : NO_SEAT;
    struct rich votes = {.count = 0};
    struct rich text = {.count = 0};
    if (by_id && seat == NO_SEAT) {
        (void)chat_answer(chat, "votes_no_player");
        return;
    }
    if (!by_id && !chat_find_seat(chat, who, chat->rest.len, &seat)) {
        return;
    }
    for (unsigned i = 0; i < table->past_count; i++) {
        add_vote_of(chat, &table->past[i], seat, &votes);
    }
    struct speech *speech = chat_speech(chat);
    speech_seat(speech, "voter", seat);
    params_number(&speech->params, "none", votes.text.len == 0);
    speech_say(speech, "votes_of", &text);
    rich_add_rich(&text, &votes);
    rich_release(&votes);
    (void)chat_answer_text(chat, &text);
}

/* The votes of a round or of a player; if neither is named, of the current
 * round, or what they were last. */
void
chat_votes(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const struct past_round *round = NULL;
    struct rich text = {.count = 0};
    if (!has_begun(chat)) {
        return;
    }
    char *end = NULL;
    unsigned long number = strtoul(buf_text(&chat->rest), &end, 10);
    if (*end != '\0') {
        answer_votes_of(chat);
        return;
    }
    round = chat->rest.len > 0 ? speech_round(table, (unsigned)number)
                               : table_round(table);
    if (round == NULL) {
        (void)chat_answer(chat, "votes_no_round");
        return;
    }
    if (!say_votes(chat, round, &text) && chat->rest.len == 0 &&
        round > table->past) {
        (void)say_votes(chat, round - 1, &text);
    }
    (void)chat_answer_text(chat, &text);
}

/* The history of the game that was played in this thread, once it is over. */
static void
answer_past(struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    const struct history *history = env->history;
    const char *thread = chat->input->post->place;
    struct table old;
    table_init(&old);
    if (history != NULL &&
        history->last(history->context, thread, env->place, &old) &&
        strcmp(old.thread, thread) == 0 && old.past_count > 0) {
        struct rich text = {.count = 0};
        status_history(env, &old, &text);
        (void)chat_answer_text(chat, &text);
    }
    table_release(&old);
}

void
chat_history(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        answer_past(chat);
        return;
    }
    bool known = chat_by_player(chat) || chat_by_moderator(chat);
    if (!known || !has_begun(chat)) {
        return;
    }
    status_history(chat->ruling->env, table, &text);
    (void)chat_answer_text(chat, &text);
}

void
chat_rules(struct chat_command *chat)
{
    struct rich text = {.count = 0};
    rulebook_say(chat->ruling->env, chat->ruling->table, buf_text(&chat->rest),
                 &text);
    (void)chat_answer_text(chat, &text);
}

void
chat_tips(struct chat_command *chat)
{
    (void)chat_answer(chat, "tips");
}

/* In private: repeat what the host told that player before. */
void
chat_role(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(table, post->author);
    if (!post->dm) {
        (void)chat_answer(chat, "role_private");
        return;
    }
    if (ready_repeat(ruling, post->author) || private_hand_over(ruling, seat)) {
        return;
    }
    bool vacant = seat != table_player(table, post->author);
    params_number(&chat_speech(chat)->params, "put_out",
                  vacant && seat_in(seat, table->put_out));
    (void)chat_answer(chat, vacant ? "seat_vacant" : "not_begun");
}

/* ---- who is away -------------------------------------------------------- */

/* Set {excused}: the time until which missed deadlines don't count, and whether
 * that is only {partly} the time of the absence. */
static void
say_excuse(const struct chat_command *chat, struct speech *speech,
           unsigned seat)
{
    const struct table *table = chat->ruling->table;
    params_number(&speech->params, "partly",
                  table->seats[seat].excused_until < table->seats[seat].away);
    if (table->seats[seat].excused_until > chat->input->post->stamp) {
        speech_set_time(speech, "excused", table->seats[seat].excused_until);
    }
}

void
chat_away(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(table, post->author);
    struct move move = chat_move(chat, MOVE_AWAY);
    bool off = chat_matches(chat, buf_text(&chat->rest), "word_off", "off");
    size_t used = off ? chat->rest.len : chat_read_end(chat, &move.until);
    if (off) {
        move.until = post->stamp;
    }
    int64_t time = used == 0 ? 0 : move.until - post->stamp;
    bool good = off || (time >= HOUR_MS && time <= 30 * DAY_MS);
    struct speech *speech = chat_speech(chat);
    if (!table_may(table, &move)) {
        (void)chat_answer_quoting(chat, "command_late");
    } else if (seat != NO_SEAT && seat_in(seat, table->game.vacant)) {
        chat_help(chat); /* how to get the seat back */
    } else if (!good) {
        chat_answer_unread(chat, "away_bad", chat_after(chat, used));
    } else {
        (void)snprintf(move.text, sizeof move.text, "%.200s",
                       chat_after(chat, used));
        (void)ruling_play(ruling, &move);
        speech_set_time(speech, "until", move.until);
        say_excuse(chat, speech, seat);
        params_number(&speech->params, "waited", is_waited_for(table, seat));
        absence_say_remedy(speech, speech_rich(speech, "remedy"));
        chat_tell(chat, off ? "away_over" : "away");
    }
}

/* The report of the game that ended here last: as a file if the service has
 * files, otherwise as posts. */
static void
answer_report(struct chat_command *chat, const struct table *old)
{
    const struct host_env *env = chat->ruling->env;
    struct rich text = {.count = 0};
    ending_report(env, old, &text);
    struct message *message = chat_answer_text(chat, &text);
    if (env->capabilities->pages) {
        message->report = must_copy(old->id);
    }
}

void
chat_report(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    const struct history *history = ruling->env->history;
    struct table old;
    if (ruling->table->state == TABLE_RUNNING && ruling->table->id[0] != '\0') {
        if (chat_by_player(chat) || chat_by_moderator(chat)) {
            (void)chat_answer(chat, "page_later");
        }
        return;
    }
    table_init(&old);
    if (history == NULL ||
        !history->last(history->context, chat->input->post->place,
                       ruling->env->place, &old) ||
        old.game.fascists == 0) {
        (void)chat_answer(chat, "page_none");
    } else {
        answer_report(chat, &old);
    }
    table_release(&old);
}

void
chat_receipts(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_move(chat, MOVE_RECEIPTS);
    struct buf word = BUF_INIT;
    (void)chat_next_word(chat, &word);
    bool on = chat_matches(chat, buf_text(&word), "word_on", "on");
    bool off = chat_matches(chat, buf_text(&word), "word_off", "off");
    move.receipts = on;
    if (!table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "not_begun");
    } else if (!on && !off) {
        (void)chat_answer(chat, "receipts_bad");
    } else {
        (void)ruling_play(ruling, &move);
        (void)chat_answer(chat, on ? "receipts_on" : "receipts_off");
    }
    buf_release(&word);
}

/* ---- questions to the moderators --------------------------------------------
 */

enum {
    QUESTION_BYTES = 1000, /* of a question, or of an answer */
};

/* Say a key with somebody's own words in it, to a seat's player in their
 * language, or to the moderators in the table's (NO_SEAT). */
static void
say_words(const struct host_env *env, const struct table *table,
          unsigned reader, const char *key, unsigned asker, const char *words,
          struct rich *out)
{
    struct speech speech;
    speech_init_for(&speech, env, table, NULL, reader);
    speech_seat(&speech, "asker", asker);
    speech_cut(&speech, "text", words, QUESTION_BYTES);
    speech_say(&speech, key, out);
    speech_release(&speech);
}

void
chat_ask(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(ruling->table, post->author);
    struct rich text = {.count = 0};
    if (!post->dm) {
        (void)chat_answer(chat, "ask_private");
    } else if (chat->rest.len == 0 || seat == NO_SEAT) {
        (void)chat_answer(chat, "ask_bad");
    } else {
        /* In private the host speaks the player's own language. */
        struct host_env env = *ruling->env;
        env.catalogue = chat->table_catalogue;
        say_words(&env, ruling->table, NO_SEAT, "asks", seat,
                  buf_text(&chat->rest), &text);
        bool sent = ruling_ask(ruling, post->author, &text) > 0;
        (void)chat_answer(chat, sent ? "ask_sent" : "ask_nobody");
    }
    rich_wipe(&text);
}

void
chat_commands_pass_on(struct ruling *ruling, const struct input *input,
                      const char *user, const char *text)
{
    struct chat_command chat = {.ruling = ruling, .input = input};
    struct rich answer = {.count = 0};
    unsigned seat = table_seat(ruling->table, user);
    if (seat == NO_SEAT) {
        (void)chat_answer(&chat, "answer_bad");
        return;
    }
    say_words(ruling->env, ruling->table, seat, "answered", seat, text,
              &answer);
    ruling_private(ruling, user, &answer);
    speech_seat(chat_speech(&chat), "target", seat);
    (void)chat_answer(&chat, "answer_done");
}

unsigned
chat_name_at_beginning(const struct chat_command *chat, size_t *skip)
{
    const struct table *table = chat->ruling->table;
    const char *text = buf_text(&chat->rest);
    unsigned found = NO_SEAT;
    *skip = 0;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const char *const names[] = {table->seats[seat].name,
                                     table->seats[seat].alias,
                                     table->seats[seat].now};
        for (unsigned i = 0; i < 3; i++) {
            size_t len = strlen(names[i]);
            if (len > *skip && strncmp(text, names[i], len) == 0 &&
                strchr(" :,", text[len]) != NULL) {
                *skip = len;
                found = seat;
            }
        }
    }
    *skip += strspn(text + *skip, " :,");
    return found;
}

void
chat_give_answer(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    size_t skip = 0;
    unsigned seat = chat_name_at_beginning(chat, &skip);
    const char *text = buf_text(&chat->rest) + skip;
    if (seat == NO_SEAT || *text == '\0') {
        (void)chat_answer(chat, "answer_bad");
    } else {
        chat_commands_pass_on(chat->ruling, chat->input,
                              table->seats[seat].user, text);
    }
}

/* ---- a language of one's own -----------------------------------------------
 */

static void
answer_languages(struct chat_command *chat, const char *key)
{
    const struct ruling *ruling = chat->ruling;
    struct speech speech;
    struct rich text = {.count = 0};
    unsigned seat = table_seat(ruling->table, chat->input->post->author);
    speech_init_for(&speech, ruling->env, ruling->table, NULL, seat);
    language_names(speech_text(&speech, "languages"));
    speech_say(&speech, key, &text);
    (void)chat_answer_text(chat, &text);
    speech_release(&speech);
}

void
chat_language(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const char *theme = ruling->table->settings.theme;
    struct buf language = BUF_INIT;
    struct move move = chat_move(chat, MOVE_LANGUAGE);
    (void)chat_next_word(chat, &language);
    (void)snprintf(move.text, sizeof move.text, "%s", buf_text(&language));
    if (!chat->input->post->dm) {
        (void)chat_answer(chat, "language_private");
    } else if (!language_exists(move.text) || !theme_speaks(theme, move.text) ||
               !table_may(ruling->table, &move)) {
        answer_languages(chat, "language_bad");
    } else {
        (void)ruling_play(ruling, &move);
        answer_languages(chat, "language_done");
    }
    buf_release(&language);
}
