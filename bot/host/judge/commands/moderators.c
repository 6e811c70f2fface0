/* Commands with which moderators, or a table that moderates itself, help a game
 * along. */
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
#include "bot/host/words/status.h"

enum {
    TABLE_EXTENSIONS = 2, /* that a table may give itself in a game */
};

/* Is a game running?  If not, say that this can't be done now. */
static bool
is_running(struct chat_command *chat)
{
    if (chat->ruling->table->state == TABLE_RUNNING) {
        return true;
    }
    (void)chat_answer_quoting(chat, "command_late");
    return false;
}

/* ---- time ---------------------------------------------------------------- */

/* Set the open question's deadline, and tell everybody. */
static void
set_deadline(struct chat_command *chat, int64_t until, int64_t session)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_begin_move(chat, MOVE_EXTEND);
    move.until = until;
    move.session = session;
    bool by_table = chat->by_table || chat->confirmed;
    move.extended = by_table ? EXTENDED_BY_TABLE : EXTENDED_BY_MODERATOR;
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "by_table", by_table);
    params_person(&speech->params, "moderator", chat->input->post->author,
                  chat->input->post->author_name);
    speech_reason(speech, "extend_reason", &move);
    (void)ruling_play(ruling, &move);
    params_text(&chat_speech(chat)->params, "reason", move.text);
    chat_post(chat, "extended");
}

/* A time so much later, where a day is a day, even one of 23 hours. */
static int64_t
extended(const struct ruling *ruling, int64_t time, int64_t by)
{
    const struct host_env *env = ruling->env;
    return deadline_moved(deadline_days_later(time, by / DAY_MS, env->zone),
                          by % DAY_MS, &ruling->table->settings, env->zone);
}

/* Is there a deadline that can be moved? */
static bool
has_deadline(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    if (!is_running(chat)) {
        return false;
    }
    /* An execution that was announced waits for no deadline. */
    if (table->paused || table_due(table) == 0 || table->announced != NO_SEAT) {
        (void)chat_answer(chat,
                          table->paused ? "paused_already" : "extend_nothing");
        return false;
    }
    return true;
}

void
chat_extend(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    int64_t length = 0;
    if (!has_deadline(chat)) {
        return;
    }
    if (chat->confirmed && chat->asked_phase != table_phase(table)) {
        (void)chat_answer(chat, "extend_over");
        return;
    }
    const char *unread = chat_after(chat, chat_read_length(chat, &length));
    if (*unread != '\0' || length < SECOND_MS || length > 14 * DAY_MS) {
        chat_answer_unread(chat, "extend_bad", unread);
        return;
    }
    if (chat->by_table) {
        if (table->extensions >= TABLE_EXTENSIONS) {
            (void)chat_answer(chat, "extend_enough");
            return;
        }
        catalogue_duration(chat->ruling->env->catalogue, length,
                           speech_text(chat_speech(chat), "length"));
        if (chat_must_wait(chat, "will_extend")) {
            return;
        }
    }
    set_deadline(chat, extended(chat->ruling, table->deadline, length),
                 table_in_session(table)
                     ? extended(chat->ruling, table->session_ends, length)
                     : 0);
}

/* Move the announced deadline.  In a session one deadline is announced for both
 * choices, so that nobody knows whose turn it is: the open question's is moved
 * by as much, but keeps at least half of its time. */
static void
move_deadline(struct chat_command *chat, int64_t told)
{
    const struct table *table = chat->ruling->table;
    enum question question = (enum question)table->game.question;
    if (question != QUESTION_DISCARD && question != QUESTION_ENACT) {
        set_deadline(chat, told, 0);
        return;
    }
    int64_t now = chat->ruling->env->now;
    int64_t half = now + (told - now) / 2;
    int64_t until = told - (table->session_ends - table->deadline);
    set_deadline(chat, until > half ? until : half, told);
}

void
chat_deadline(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    int64_t until = 0;
    int hour = -1;
    bool check = table->state == TABLE_CHECK;
    if (!check && !has_deadline(chat)) {
        return;
    }
    (void)hour_read(table->settings.daily, &hour);
    const char *unread = chat_after(chat, chat_read_moment(chat, hour, &until));
    if (*unread != '\0' || until <= chat->ruling->env->now ||
        until >= chat->ruling->env->now + 30 * DAY_MS) {
        chat_answer_unread(chat, "deadline_bad", unread);
    } else if (check) {
        ready_deadline(chat, until);
    } else {
        move_deadline(chat, until);
    }
}

/* What a pause says: when it ends (0: when somebody resumes it), and why. */
static int64_t
read_pause(const struct chat_command *chat, struct buf *reason)
{
    int64_t until = 0;
    size_t used = chat_read_end(chat, &until);
    if (used == 0 || until <= chat->ruling->env->now) {
        used = 0;
        until = 0;
    }
    speech_quote(chat->ruling->table,
                 used == 0 ? buf_text(&chat->rest) : chat_after(chat, used),
                 reason);
    return until;
}

void
chat_pause(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    if (!is_running(chat)) {
        return;
    }
    if (ruling->table->paused) {
        (void)chat_answer(chat, "paused_already");
        return;
    }
    struct move move = chat_begin_move(chat, MOVE_PAUSE);
    struct speech *speech = chat_speech(chat);
    struct buf *reason = speech_text(speech, "reason");
    move.until = read_pause(chat, reason);
    speech_set_time(speech, "until", move.until);
    params_number(&speech->params, "together",
                  ruling->table->settings.table_moderates);
    speech_moderators(speech);
    if (!chat->by_table || !chat_must_wait(chat, "will_pause")) {
        (void)snprintf(move.text, sizeof move.text, "%.200s", buf_text(reason));
        (void)ruling_play(ruling, &move);
        chat_post(chat, "paused");
    }
}

/* Let a paused game go on. */
static void
resume(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    struct speech speech;
    struct move move = ruling_move(ruling, MOVE_RESUME, at);
    int64_t by = move.now - table->paused_at;
    int64_t due = deadline_moved(table->deadline, by, &table->settings,
                                 ruling->env->zone);
    move.until = table->deadline == 0 ? 0 : due > move.now ? due : move.now;
    move.session = table_in_session(table)
                       ? deadline_moved(table->session_ends, by,
                                        &table->settings, ruling->env->zone)
                       : 0;
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    status_line(ruling->env, table, speech_rich(&speech, "line"));
    speech_post(&speech, ruling, "resumed");
    speech_release(&speech);
}

void
chat_resume(struct chat_command *chat)
{
    if (!is_running(chat)) {
        return;
    }
    if (chat->ruling->table->paused) {
        resume(chat->ruling, chat->input->post->stamp);
    } else {
        (void)chat_answer(chat, "resume_nothing");
    }
}

void
moderators_end_pause(struct ruling *ruling)
{
    resume(ruling, ruling->table->pause_ends);
}

/* ---- people -------------------------------------------------------------- */

/* The key that says why a seat can't be vacated. */
static const char *
vacate_refusal(enum refusal refusal)
{
    return refusal == REFUSAL_EXECUTED ? "replace_executed"
           : refusal == REFUSAL_VACANT ? "vacate_vacant"
                                       : "refused_last_present";
}

void
chat_vacate(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    unsigned seat = 0;
    if (!is_running(chat)) {
        return;
    }
    if (chat->rest.len == 0) {
        (void)chat_answer(chat, "vacate_whom");
        return;
    }
    if (!chat_find_seat(chat, buf_text(&chat->rest), chat->rest.len, &seat)) {
        return;
    }
    struct move move = chat_begin_move(chat, MOVE_PLAY);
    move.command.kind = COMMAND_VACATE;
    move.command.target = (uint8_t)seat;
    speech_seat(chat_speech(chat), "target", seat);
    enum refusal refusal = ruling_play(ruling, &move);
    if (refusal != REFUSAL_NONE) {
        (void)chat_answer(chat, vacate_refusal(refusal));
    }
}

/* A word that parts what stands before it in a command from what follows. */
struct divider {
    const char *key, *english;
};

/* Find the first of these words in the rest of the line: which it is (`count`:
 * none), the words before it, and what follows it, borrowed. */
static unsigned
divide(const struct chat_command *chat, const struct divider *dividers,
       unsigned count, struct buf *before, const char **after)
{
    const char *at = buf_text(&chat->rest);
    struct buf word = BUF_INIT;
    unsigned which = count;
    while (which == count && *at != '\0') {
        size_t len = strcspn(at, " \t");
        buf_clear(&word);
        buf_add(&word, at, len);
        for (which = 0; which < count; which++) {
            if (chat_matches(chat, buf_text(&word), dividers[which].key,
                             dividers[which].english)) {
                break;
            }
        }
        if (which == count) {
            buf_add_text(before, before->len > 0 ? " " : "");
            buf_add_buf(before, &word);
        }
        at += len + strspn(at + len, " \t");
    }
    *after = at;
    buf_release(&word);
    return which;
}

/* The person in reserve who is meant; NO_SEAT: nobody. */
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

/* At a table that moderates itself: only a seat that missed a deadline. */
static bool
may_be_replaced(struct chat_command *chat, unsigned seat)
{
    const struct table *table = chat->ruling->table;
    if (!(table->game.living & seat_bit(seat))) {
        (void)chat_answer(chat, "replace_executed");
        return false;
    }
    if (chat->by_table && table_misses(table, seat) == 0 &&
        !(table->game.vacant & seat_bit(seat))) {
        (void)chat_answer(chat, "replace_not_missed");
        return false;
    }
    return true;
}

void
chat_replace(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    static const struct divider with = {"word_with", "with"};
    unsigned seat = 0;
    struct buf out = BUF_INIT;
    const char *in = NULL;
    if (!is_running(chat)) {
        return;
    }
    if (chat->rest.len == 0) {
        (void)chat_answer(chat, "replace_whom");
        return;
    }
    if (divide(chat, &with, 1, &out, &in) == 1) {
        in = NULL; /* the first in reserve is meant */
    }
    unsigned reserve = find_reserve(table, in);
    if (!chat_find_seat(chat, buf_text(&out), out.len, &seat) ||
        !may_be_replaced(chat, seat)) {
        buf_release(&out);
        return;
    }
    if (reserve == NO_SEAT) {
        (void)chat_answer(chat, in == NULL ? "replace_no_reserve"
                                           : "replace_not_reserve");
    } else {
        struct speech *speech = chat_speech(chat);
        speech_seat(speech, "target", seat);
        params_person(&speech->params, "newcomer",
                      table->reserves[reserve].user,
                      table->reserves[reserve].name);
        if (!chat_must_wait(chat, "will_replace")) {
            chat_seat(chat, seat, table->reserves[reserve].user,
                      table->reserves[reserve].name);
        }
    }
    buf_release(&out);
}

static bool
is_known(const struct chat_command *chat, const char *user)
{
    const struct ruling *ruling = chat->ruling;
    const struct history *history = ruling->env->history;
    const struct place *place = ruling->env->place;
    bool known = history != NULL && history->user != NULL &&
                 history->user(history->context, ruling->table, user);
    for (unsigned i = 0; !known && i < place_moderators(place); i++) {
        known = strcmp(place->moderators[i], user) == 0;
    }
    return known;
}

/* The user who has that id now. */
static const char *
user_with(const struct chat_command *chat, const char *id)
{
    const struct ruling *ruling = chat->ruling;
    const struct history *history = ruling->env->history;
    const char *user =
        history != NULL && history->known_as != NULL
            ? history->known_as(history->context, ruling->table, id)
            : NULL;
    user = user == NULL ? id : user;
    return is_known(chat, user) ? user : NULL;
}

const char *
chat_find_user(const struct chat_command *chat, const char *text)
{
    const char *user = user_with(chat, text);
    return user == NULL && text[0] == '@' ? user_with(chat, text + 1) : user;
}

/* The user who is to be a moderator; false, with an answer: it is nobody's id,
 * or a player's. */
static bool
find_moderator(struct chat_command *chat, struct move *move)
{
    const char *text = buf_text(&chat->rest);
    bool one = text[0] != '\0' && strpbrk(text, " \t") == NULL;
    const char *id = one ? chat_find_user(chat, text) : NULL;
    bool known = id != NULL;
    bool plays = known && table_seat(chat->ruling->table, id) != NO_SEAT;
    speech_cut(chat_speech(chat), "text", text, 60);
    if (!known || plays) {
        (void)chat_answer(chat, !one    ? "moderator_bad"
                                : plays ? "moderator_plays"
                                        : "moderator_unknown");
    }
    (void)snprintf(move->user, sizeof move->user, "%s", known ? id : "");
    return known && !plays;
}

void
chat_moderator(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_begin_move(chat, MOVE_MODERATOR);
    if (!find_moderator(chat, &move)) {
        return;
    }
    if (!table_may(table, &move)) {
        (void)chat_answer_quoting(chat, "command_late");
        return;
    }
    (void)ruling_play(ruling, &move);
    params_person(&chat_speech(chat)->params, "moderator", move.user,
                  move.user);
    chat_tell(chat, "moderator_added");
}

/* ---- in place of an absent player ---------------------------------------- */

static void
play_for(struct chat_command *chat, const struct command *command)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_move(chat, MOVE_PLAY);
    move.command = *command;
    speech_seat(chat_speech(chat), "target", command->target);
    enum refusal refusal = ruling_play(ruling, &move);
    if (refusal != REFUSAL_NONE) {
        struct buf key = BUF_INIT;
        buf_addf(&key, "refused_%s", refusal_key(refusal));
        (void)chat_answer(chat, buf_text(&key));
        buf_release(&key);
    }
}

/* Is that choice due from that seat?  In a session lots are due from both: no
 * answer may tell which of them has chosen, so they are drawn for the other. */
static bool
choice_is_due(const struct table *table, unsigned seat, bool nominate,
              bool lots)
{
    const struct game *game = &table->game;
    struct awaits awaits = game_awaits(game);
    if (table_in_session(table)) {
        return lots && (seat == game->president || seat == game->chancellor);
    }
    return seat_in(seat, awaits.seats) && awaits.choices != 0 &&
           awaits.question != QUESTION_VOTE &&
           nominate == (awaits.question == QUESTION_NOMINATE);
}

/* The command that `!choose NAME nominate|target OTHER` or `… lots` would play;
 * false, with an answer: it can't be done. */
static bool
read_choice(struct chat_command *chat, struct command *command, bool *lots)
{
    const struct table *table = chat->ruling->table;
    enum {
        NOMINATE,
        TARGET,
        LOTS,
        CHOICES
    };
    static const struct divider choices[] = {
        [NOMINATE] = {"word_nominate", "nominate"},
        [TARGET] = {"word_target", "target"},
        [LOTS] = {"word_lots", "lots"},
    };
    struct buf name = BUF_INIT;
    const char *other = NULL;
    unsigned seat = NO_SEAT;
    unsigned target = NO_SEAT;
    unsigned choice = divide(chat, choices, CHOICES, &name, &other);
    bool nominate = choice == NOMINATE;
    *lots = choice == LOTS;
    if (choice == CHOICES) {
        (void)chat_answer(chat, "choose_bad");
    }
    bool good = choice != CHOICES &&
                chat_find_seat(chat, buf_text(&name), name.len, &seat) &&
                (*lots || chat_find_seat(chat, other, strlen(other), &target));
    if (good && !choice_is_due(table, seat, nominate, *lots)) {
        (void)chat_answer(chat, "choose_not_due");
        good = false;
    } else if (good && *lots) {
        seat = lots_first_seat(game_awaits(&table->game).seats);
    }
    command->kind = nominate ? COMMAND_NOMINATE : COMMAND_TARGET;
    command->seat = (uint8_t)seat;
    command->target = (uint8_t)target;
    buf_release(&name);
    return good;
}

void
chat_choose(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct command command = {.kind = COMMAND_NOMINATE};
    bool lots = false;
    if (!is_running(chat) || !read_choice(chat, &command, &lots)) {
        return;
    }
    struct speech *speech = chat_speech(chat);
    speech_seat(speech, "chooser", command.seat);
    speech_seat(speech, "target", command.target);
    params_number(&speech->params, "lots", lots);
    params_number(&speech->params, "session", table_in_session(ruling->table));
    if (!chat_must_wait(chat, "will_choose")) {
        chat_tell(chat, "chosen");
        if (lots) {
            lots_draw(ruling, chat->input->post->author,
                      chat->input->post->stamp);
        } else {
            play_for(chat, &command);
        }
    }
}

/* ---- the end --------------------------------------------------------------
 */

void
chat_end(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    bool coming = table_is_coming(table);
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        chat_answer_none(chat);
        return;
    }
    struct speech *speech = chat_speech(chat);
    speech_quote(table, buf_text(&chat->rest), speech_text(speech, "reason"));
    params_number(&speech->params, "running", !coming);
    if (!chat_must_wait(chat, "will_end")) {
        struct move move =
            chat_begin_move(chat, coming ? MOVE_CLOSE : MOVE_PLAY);
        move.command.kind = COMMAND_ABANDON;
        chat_tell(chat, "ending");
        (void)ruling_play(ruling, &move);
    }
}

/* ---- confirming and agreeing --------------------------------------------- */

/* Carry out a request. */
static void
do_asked(struct chat_command *chat, const struct asked *asked)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_begin_move(chat, MOVE_ANSWERED);
    struct buf text = BUF_INIT;
    move.request = asked->number;
    buf_add_text(&text, asked->text);
    chat->asked_phase = asked->phase;
    chat->asked = asked->number;
    (void)ruling_play(ruling, &move);
    buf_clear(&chat->rest);
    buf_add_buf(&chat->rest, &text);
    buf_release(&text);
    chat->confirmed = true;
    if (chat_next_word(chat, &chat->word)) {
        (void)chat_obey(chat);
    }
}

/* The number after a command; false: there is none, or something else. */
static bool
take_request(const struct chat_command *chat, unsigned *number)
{
    const char *text = buf_text(&chat->rest);
    text += *text == '#';
    char *end = NULL;
    unsigned long value = strtoul(text, &end, 10);
    *number = (unsigned)value;
    return end != text && *end == '\0' && value != 0 && value <= UINT_MAX;
}

/* Can a request still be confirmed?  The table has to agree to a player's. */
static bool
is_open(const struct chat_command *chat, const struct asked *asked)
{
    const struct table *table = chat->ruling->table;
    return asked != NULL && asked->number != 0 &&
           asked->phase == table_phase(table) &&
           table_seat(table, asked->user) == NO_SEAT &&
           post_time(chat->input->post) < asked->until;
}

/* The newest open request of the author, who has so many; NULL: none. */
static const struct asked *
find_own(const struct chat_command *chat, unsigned *count)
{
    const struct asked *found = NULL;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &chat->ruling->table->asked[i];
        if (is_open(chat, asked) &&
            strcmp(asked->user, chat->input->post->author) == 0) {
            found =
                found == NULL || asked->number > found->number ? asked : found;
            ++*count;
        }
    }
    return found;
}

void
chat_yes(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const char *author = chat->input->post->author;
    unsigned number = 0;
    unsigned own = 0;
    const struct asked *asked = NULL;
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "named", chat->rest.len > 0);
    if (take_request(chat, &number)) {
        asked = table_asked(table, number);
    } else if (chat->rest.len == 0) {
        asked = find_own(chat, &own);
    }
    if (!chat_by_moderator(chat)) {
        (void)chat_answer_quoting(chat, "command_moderators");
    } else if (!is_open(chat, asked)) {
        (void)chat_answer(chat, "yes_nothing");
    } else if (own > 1 || (own == 1 && chat_needs_number(chat, asked->text))) {
        params_number(&speech->params, "request", asked->number);
        params_text(&speech->params, "word", asked->text);
        (void)chat_answer(chat, "yes_which");
    } else if (strcmp(asked->user, author) != 0) {
        (void)chat_answer(chat, "yes_not_yours");
    } else {
        do_asked(chat, asked);
    }
}

/* Can this player agree to a request, made by another player? */
static bool
may_agree(const struct chat_command *chat, const struct asked *asked,
          unsigned seat)
{
    const struct table *table = chat->ruling->table;
    unsigned asker = table_seat(table, asked->user);
    return asked->number != 0 && asker != NO_SEAT && seat != NO_SEAT &&
           seat != asker && table->settings.table_moderates &&
           seat_in(seat, game_present(&table->game)) &&
           table->state == TABLE_RUNNING;
}

/* The request that a post of the host asks people to agree to; 0: none. */
static unsigned
request_of(const struct chat_command *chat, const char *post)
{
    const struct history *history = chat->ruling->env->history;
    return history == NULL || history->request == NULL
               ? 0
               : history->request(history->context, chat->ruling->table, post);
}

/* The request that a player agrees to: named by its number, by a reply to it or
 * to the host's post about it, or the only one; *several: it is not clear
 * which. */
static const struct asked *
find_request(const struct chat_command *chat, unsigned seat, bool *several)
{
    const struct table *table = chat->ruling->table;
    const char *reply = chat->input->post->reply_to;
    const struct asked *found = NULL;
    unsigned number = 0;
    bool named = take_request(chat, &number);
    unsigned asked_there = *reply == '\0' ? 0 : request_of(chat, reply);
    *several = false;
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        bool replied = *reply != '\0' &&
                       (strcmp(asked->post, reply) == 0 ||
                        (asked_there != 0 && asked->number == asked_there));
        if (!may_agree(chat, asked, seat) ||
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

/* Say which requests a player can agree to. */
static void
ask_which_request(struct chat_command *chat, unsigned seat)
{
    const struct table *table = chat->ruling->table;
    struct buf *list = speech_text(chat_speech(chat), "list");
    for (unsigned i = 0; i < TABLE_ASKS_MAX; i++) {
        const struct asked *asked = &table->asked[i];
        if (may_agree(chat, asked, seat)) {
            buf_addf(list, "%s%u (%s)", list->len > 0 ? ", " : "",
                     asked->number,
                     table->seats[table_seat(table, asked->user)].name);
        }
    }
    (void)chat_answer(chat, "agree_which");
}

/* Say how many agree to a request by now, and which it is. */
static void
tell_agreed(struct chat_command *chat, const struct asked *asked,
            unsigned agreed, unsigned needed)
{
    const struct table *table = chat->ruling->table;
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "request", asked->number);
    params_text(&speech->params, "word", asked->text);
    speech_seat(speech, "asker", table_seat(table, asked->user));
    params_number(&speech->params, "agreed", agreed);
    params_number(&speech->params, "needed", needed);
    (void)chat_answer(chat, "agree_counted");
}

void
chat_agree(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_move(chat, MOVE_AGREE);
    unsigned seat = table_seat(table, move.user);
    bool several = false;
    const struct asked *asked = find_request(chat, seat, &several);
    if (several) {
        ask_which_request(chat, seat);
        return;
    }
    if (asked == NULL) {
        (void)chat_answer(chat, "agree_nothing");
        return;
    }
    move.request = asked->number;
    (void)ruling_play(ruling, &move);
    chat_acknowledge(chat);
    seat_set asker = seat_bit(table_seat(table, asked->user));
    seat_set others = (seat_set)(game_present(&table->game) & ~asker);
    unsigned agreed = speech_count(asked->agreed & others);
    unsigned needed = speech_count(others) / 2 + 1;
    if (agreed >= needed) {
        do_asked(chat, asked);
    } else {
        tell_agreed(chat, asked, agreed, needed);
    }
}

void
moderators_time(struct ruling *ruling)
{
    const struct asked *asked = table_asked_first(ruling->table);
    assert(asked != NULL);
    struct move move = ruling_move(ruling, MOVE_ANSWERED, asked->until);
    bool table = table_seat(ruling->table, asked->user) != NO_SEAT;
    struct speech speech;
    move.request = asked->number;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_number(&speech.params, "request", asked->number);
    (void)ruling_play(ruling, &move);
    if (table) {
        speech_post(&speech, ruling, "agree_lapsed");
    }
    speech_release(&speech);
}
