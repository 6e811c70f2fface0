#include "bot/host/judge/commands/chat_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/referee.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/times.h"

enum {
    NOON = 12 * 60, /* in minutes after midnight */
};

void
chat_end_speech(struct chat_command *chat)
{
    if (chat->speaks) {
        speech_release(&chat->speech);
    }
    chat->speaks = false;
}

struct speech *
chat_speech(struct chat_command *chat)
{
    chat_end_speech(chat);
    speech_init(&chat->speech, chat->ruling->env, chat->ruling->table, NULL);
    chat->speaks = true;
    return &chat->speech;
}

/* The speech that was begun, or a new one, with the author as {player}. */
static struct speech *
speech_by_author(struct chat_command *chat)
{
    struct speech *speech = chat->speaks ? &chat->speech : chat_speech(chat);
    const struct post *post = chat->input->post;
    const struct table *table = chat->ruling->table;
    unsigned seat =
        table->id[0] == '\0' ? NO_SEAT : table_seat(table, post->author);
    const char *name = post->author_name;
    if (seat != NO_SEAT && chat_name_deceives(chat, name)) {
        name = table->seats[seat].name;
    }
    params_person(&speech->params, "player", post->author, name);
    return speech;
}

static bool
is_pressed(const struct chat_command *chat)
{
    return chat->input->post->kind == POST_PRESSED;
}

/* Answer where the command was given: in the thread, or in the DM. */
struct message *
chat_answer_text(struct chat_command *chat, struct rich *text)
{
    const struct post *post = chat->input->post;
    chat_end_speech(chat);
    if (is_pressed(chat)) {
        return ruling_reply(chat->ruling, text);
    }
    if (post->dm) {
        return ruling_private(chat->ruling, post->author, text);
    }
    struct message *message = ruling_post(chat->ruling, text);
    if (strcmp(post->place, chat->ruling->table->thread) != 0) {
        message->place = must_copy(post->place);
    }
    return message;
}

struct message *
chat_answer(struct chat_command *chat, const char *key)
{
    struct rich text = {.count = 0};
    speech_say(speech_by_author(chat), key, &text);
    return chat_answer_text(chat, &text);
}

struct message *
chat_post(struct chat_command *chat, const char *key)
{
    struct message *message = speech_post(&chat->speech, chat->ruling, key);
    chat_end_speech(chat);
    return message;
}

struct message *
chat_announce(struct chat_command *chat, const char *key)
{
    if (!is_pressed(chat)) {
        return chat_answer(chat, key);
    }
    (void)speech_by_author(chat);
    return chat_post(chat, key);
}

void
chat_answer_with(struct chat_command *chat, const char *key, const char *name,
                 const char *text)
{
    params_text(&chat_speech(chat)->params, name, text);
    (void)chat_answer(chat, key);
}

void
chat_answer_none(struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    if (env->on_hold != NULL) {
        chat_answer_with(chat, "signup_on_hold", "table", env->on_hold);
    } else {
        (void)chat_answer(chat,
                          env->signups > 1 ? "signup_several" : "signup_none");
    }
}

/* Is there somebody who may moderate?  Who plays may not. */
static bool
is_moderated(const struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const struct place *place = chat->ruling->env->place;
    const char *moderator = NULL;
    unsigned i = 0;
    do {
        moderator = place_moderator(place, table, i++);
    } while (moderator != NULL && !place_moderates(place, table, moderator));
    return moderator != NULL || place->moderator_role[0] != '\0';
}

/* Answer with the command as it was given, cut short. */
struct message *
chat_answer_quoting(struct chat_command *chat, const char *key)
{
    struct speech *speech = chat_speech(chat);
    speech_cut(speech, "word", buf_text(&chat->word), 40);
    params_number(&speech->params, "moderated", is_moderated(chat));
    params_number(&speech->params, "together",
                  chat->ruling->table->settings.table_moderates &&
                      chat_by_player(chat));
    return chat_answer(chat, key);
}

struct move
chat_begin_move(const struct chat_command *chat, enum move_kind kind)
{
    return ruling_move(chat->ruling, kind, chat->input->post->stamp);
}

struct move
chat_move(const struct chat_command *chat, enum move_kind kind)
{
    struct move move = chat_begin_move(chat, kind);
    (void)snprintf(move.user, sizeof move.user, "%s",
                   chat->input->post->author);
    return move;
}

void
chat_acknowledge(struct chat_command *chat)
{
    ruling_acknowledge(chat->ruling, chat->input->post);
}

bool
chat_by_player(const struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    return table->id[0] != '\0' && table->state != TABLE_OVER &&
           table_seat(table, chat->input->post->author) != NO_SEAT;
}

bool
chat_by_moderator(const struct chat_command *chat)
{
    return place_moderates(chat->ruling->env->place, chat->ruling->table,
                           chat->input->post->author);
}

/* ---- what must be confirmed ---------------------------------------------- */

enum {
    CONFIRM_MS = 30 * 60 * 1000,    /* `!yes` */
    AGREE_MS = 12 * 60 * 60 * 1000, /* `!agree` */
};

void
chat_keep_beginning(char *to, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size) {
        len = size - 1;
        while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80) {
            len--;
        }
    }
    memcpy(to, text, len);
    to[len] = '\0';
}

bool
chat_must_wait_for(struct chat_command *chat, const struct rich *what)
{
    struct ruling *ruling = chat->ruling;
    struct speech *speech = &chat->speech;
    struct move move = chat_move(chat, MOVE_ASK);
    struct buf command = BUF_INIT;
    if (chat->confirmed) {
        return false;
    }
    move.until = move.now + (chat->by_table ? AGREE_MS : CONFIRM_MS);
    move.request = table_next_ask(ruling->table);
    buf_addf(&command, "%s%s%s", buf_text(&chat->word),
             chat->rest.len > 0 ? " " : "", buf_text(&chat->rest));
    chat_keep_beginning(move.text, TABLE_ASKED_MAX + 1, buf_text(&command));
    buf_release(&command);
    if (!table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "ask_enough");
        return true;
    }
    (void)ruling_play(ruling, &move);
    speech_set_time(speech, "until", move.until);
    params_rich(&speech->params, "what", what);
    params_number(&speech->params, "request", move.request);
    struct message *asks = chat->by_table ? chat_announce(chat, "ask_table")
                                          : chat_answer(chat, "ask_confirm");
    if (chat->by_table && asks != NULL && asks->once == NULL) {
        /* A reply to it names the request. */
        struct buf once = BUF_INIT;
        buf_addf(&once, "%s/request %u", ruling->table->id, move.request);
        asks->once = buf_take(&once);
        asks->again = AGAIN_POST;
    }
    return true;
}

bool
chat_must_wait(struct chat_command *chat, const char *key)
{
    struct rich what = {.count = 0};
    speech_add(&chat->speech, key, &what);
    bool waits = chat_must_wait_for(chat, &what);
    rich_release(&what);
    return waits;
}

void
chat_tell(struct chat_command *chat, const char *key)
{
    struct ruling *ruling = chat->ruling;
    struct rich text = {.count = 0};
    struct move move = chat_begin_move(chat, MOVE_NOTE);
    speech_say(speech_by_author(chat), key, &text);
    chat_end_speech(chat);
    chat_keep_beginning(move.text, sizeof move.text, buf_text(&text.text));
    if (ruling->table->state == TABLE_RUNNING) {
        (void)ruling_play(ruling, &move);
        ruling_begin_notice(ruling, &text);
    } else {
        ruling_post(ruling, &text);
    }
}

/* ---- reading what a command says -------------------------------------------
 */

bool
chat_find_seat(struct chat_command *chat, const char *text, size_t len,
               unsigned *seat)
{
    const struct table *table = chat->ruling->table;
    struct reading reading = {.player_count = 0};
    referee_players(table, &reading);
    if (intent_find_player(&reading, text, len, seat)) {
        return true;
    }
    struct buf *quoted = speech_text(chat_speech(chat), "text");
    buf_init(quoted, 60);
    buf_add(quoted, text, len);
    (void)chat_answer(chat, "command_nobody");
    return false;
}

bool
chat_next_word(struct chat_command *chat, struct buf *word)
{
    const char *rest = buf_text(&chat->rest);
    size_t skip = strspn(rest, " \t");
    size_t len = strcspn(rest + skip, " \t");
    char *left = NULL;
    buf_clear(word);
    if (len == 0) {
        return false;
    }
    buf_add(word, rest + skip, len);
    skip += len;
    skip += strspn(rest + skip, " \t");
    left = must_copy(rest + skip);
    buf_clear(&chat->rest);
    buf_add_text(&chat->rest, left);
    free(left);
    return true;
}

/* Is what begins here, behind blanks, the rest of a value?  Then it is a word
 * that is no option itself: "hours" in `election=24 hours`. */
static bool
goes_on(const char *text)
{
    const char *word = text + strspn(text, " \t");
    size_t len = strcspn(word, " \t");
    return len > 0 && memchr(word, '=', len) == NULL;
}

bool
chat_next_option(const char **text, struct buf *option)
{
    bool quoted = false;
    bool valued = false;
    const char *at = *text + strspn(*text, " \t");
    buf_clear(option);
    while (*at != '\0' &&
           (quoted || !strchr(" \t", *at) || (valued && goes_on(at)))) {
        size_t len = chat_quotation_mark(at);
        if (len > 0) {
            quoted = !quoted;
            at += len;
        } else {
            valued = valued || *at == '=';
            buf_add_char(option, *at++);
        }
    }
    *text = at;
    return option->len > 0;
}

bool
chat_matches(const struct chat_command *chat, const char *word, const char *key,
             const char *english)
{
    return strcmp(word, english) == 0 ||
           catalogue_is_word(chat->ruling->env->catalogue, key, word) ||
           catalogue_is_word(chat->table_catalogue, key, word);
}

size_t
chat_read_length(const struct chat_command *chat, int64_t *length)
{
    return times_read_length(chat->ruling->env->catalogue,
                             buf_text(&chat->rest), length);
}

size_t
chat_read_moment(const struct chat_command *chat, int hour, int64_t *moment)
{
    const struct ruling *ruling = chat->ruling;
    unsigned seat = table_seat(ruling->table, chat->input->post->author);
    const struct times times = {
        .catalogue = ruling->env->catalogue,
        .now = ruling->env->now,
        .zone = ruling->env->zone,
        .own = speech_zone(ruling->env, ruling->table, seat),
        .hour = hour,
        .zones = ruling->env->zones};
    return times_read_moment(&times, buf_text(&chat->rest), moment);
}

size_t
chat_read_end(const struct chat_command *chat, int64_t *until)
{
    int64_t length = 0;
    bool moment =
        times_says_until(chat->ruling->env->catalogue, buf_text(&chat->rest));
    size_t used = moment ? 0 : chat_read_length(chat, &length);
    if (used > 0) {
        *until = chat->input->post->stamp + length;
        return used;
    }
    used = chat_read_moment(chat, NOON, until);
    /* "Monday" alone may be a reason, or a beginning. */
    bool sure = moment || strcspn(buf_text(&chat->rest), "0123456789") < used;
    return sure ? used : 0;
}

const char *
chat_after(const struct chat_command *chat, size_t used)
{
    const char *rest = buf_text(&chat->rest) + used;
    return rest + times_gap(rest);
}

void
chat_answer_unread(struct chat_command *chat, const char *key, const char *part)
{
    speech_cut(chat_speech(chat), "part", part, 60);
    (void)chat_answer(chat, key);
}

size_t
chat_quotation_mark(const char *text)
{
    static const char *const marks[] = {
        "\"",           "\xe2\x80\x9c", "\xe2\x80\x9d",
        "\xe2\x80\x9e", "\xc2\xab",     "\xc2\xbb",
    };
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        if (strncmp(text, marks[i], strlen(marks[i])) == 0) {
            return strlen(marks[i]);
        }
    }
    return 0;
}

void
chat_refuse_setting(struct chat_command *chat, const char *problem)
{
    chat_answer_with(chat, "set_wrong", "problem", problem);
}
