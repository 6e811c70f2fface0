#include "bot/host/judge/press.h"

#include <string.h>

#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/words/buttons.h"
#include "bot/host/words/private.h"
#include "bot/host/words/speech.h"

bool
press_is_command(const struct post *post)
{
    return post->kind == POST_PRESSED && post->body[0] == '/';
}

/* Slash commands that change nothing. */
static bool
only_asks(const char *body)
{
    static const char *const words[] = {"/hand", "/status", "/help"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        found = found || strcmp(body, words[i]) == 0;
    }
    return found;
}

bool
press_waits(const struct post *post)
{
    struct press press;
    if (press_is_command(post)) {
        return !only_asks(post->body);
    }
    return press_read(post->body, &press) && press_moves(&press);
}

void
press_answer(struct ruling *ruling, const struct post *post, const char *key)
{
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init_for(&speech, ruling->env, ruling->table, NULL,
                    table_seat(ruling->table, post->author));
    if (strcmp(ruling->table->thread, post->place) != 0) {
        speech_link(&speech, ruling->table->thread, "");
    }
    speech_say(&speech, key, &text);
    (void)ruling_reply(ruling, &text);
    speech_release(&speech);
}

void
press_tell_done(struct ruling *ruling, const struct post *post,
                const char *done, const char *not_done)
{
    if (!press_is_answered(ruling)) {
        press_answer(ruling, post, ruling->row_count > 0 ? done : not_done);
    }
}

bool
press_is_answered(const struct ruling *ruling)
{
    for (unsigned i = 0; i < ruling->message_count; i++) {
        if (ruling->messages[i].reply) {
            return true;
        }
    }
    return false;
}

/* Show a player of a game what they may know in private. */
static void
show_role(struct ruling *ruling, const struct table *table,
          const struct post *post)
{
    unsigned seat = table_player(table, post->author);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT || table->game.round == 0) {
        press_answer(ruling, post, "press_not_asked");
        return;
    }
    private_memory(ruling->env, table, seat, &text);
    (void)ruling_reply(ruling, &text);
}

/* Show the cards to whoever has to choose one, with a button for each.  False:
 * that is somebody else, or nobody. */
static bool
show_cards(struct ruling *ruling, const struct post *post)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    unsigned seat = table_player(table, post->author);
    struct rich text = {.count = 0};
    bool cards =
        game->question == QUESTION_DISCARD || game->question == QUESTION_ENACT;
    if (!cards || seat == NO_SEAT ||
        !private_question(ruling->env, table, seat, &text)) {
        return false;
    }
    struct speech speech;
    speech_init_for(&speech, ruling->env, table, NULL, seat);
    buttons_of_hand(&speech, &ruling->buttons);
    (void)ruling_reply(ruling, &text);
    speech_release(&speech);
    return true;
}

void
press_show_hand(struct ruling *ruling, const struct post *post)
{
    if (ruling->table->state != TABLE_RUNNING) {
        press_answer(ruling, post, "press_not_asked");
    } else if (!show_cards(ruling, post)) {
        show_role(ruling, ruling->table, post);
    }
}

/* The same of the game that is over there.  False: the button is not of it. */
static bool
show_past_role(struct ruling *ruling, const struct post *post,
               const struct press *press)
{
    const struct history *history = ruling->env->history;
    struct table past;
    table_init(&past);
    bool found = press->choice == PRESS_SHOW_ROLE &&
                 ruling->table->state != TABLE_RUNNING && history != NULL &&
                 history->last(history->context, post->place,
                               ruling->env->place, &past) &&
                 strcmp(past.id, press->table) == 0;
    if (found) {
        show_role(ruling, &past, post);
    }
    table_release(&past);
    return found;
}

/* Is the game over for which the button was made, or what it is part of? */
static bool
is_of_another_time(const struct table *table, const struct press *press)
{
    bool signup = press->choice == PRESS_JOIN || press->choice == PRESS_LEAVE ||
                  press->choice == PRESS_READY;
    return strcmp(table->id, press->table) != 0 ||
           (signup ? !table_is_coming(table) : table->state != TABLE_RUNNING);
}

/* Is the question over for which the button was made?  What only shows
 * something goes on doing so: after a declined veto the cards are still to be
 * chosen from. */
static bool
is_over(const struct table *table, const struct press *press)
{
    return is_of_another_time(table, press) ||
           (table_phase(table) != press->phase &&
            press->choice != PRESS_SHOW_ROLE &&
            press->choice != PRESS_SHOW_CARDS);
}

static void
judge(struct ruling *ruling, const struct input *input,
      const struct press *press)
{
    switch (press->choice) {
    case PRESS_JOIN:
        chat_commands_press(ruling, input, "join", "", "");
        press_tell_done(ruling, input->post, "press_joined", "press_not_asked");
        break;
    case PRESS_LEAVE:
        chat_commands_press(ruling, input, "leave", "", "");
        press_tell_done(ruling, input->post, "press_left", "press_not_asked");
        break;
    case PRESS_READY:
        press_answer(ruling, input->post,
                     signup_press(ruling, input->post) ? "press_ready"
                                                       : "press_not_asked");
        break;
    case PRESS_BACK:
        press_answer(ruling, input->post, "press_back");
        break;
    case PRESS_SHOW_ROLE:
        show_role(ruling, ruling->table, input->post);
        break;
    case PRESS_SHOW_CARDS:
        if (!show_cards(ruling, input->post)) {
            press_answer(ruling, input->post, "press_no_cards");
        }
        break;
    case PRESS_VOTE:
    case PRESS_NAME:
    case PRESS_ANSWER_VETO:
    case PRESS_CARD:
    case PRESS_ASK_VETO:
        referee_press(ruling, input, press);
        break;
    }
}

/* A button of the table that is on hold here?  A newer one may be over. */
static bool
is_on_hold(const struct host_env *env, const struct press *press)
{
    return env->on_hold != NULL && strcmp(env->on_hold, press->table) == 0;
}

void
press_judge(struct ruling *ruling, const struct input *input)
{
    struct press press = {.table = ""};
    if (press_read(input->post->body, &press) &&
        show_past_role(ruling, input->post, &press)) {
        return;
    }
    if (!press_read(input->post->body, &press) ||
        is_over(ruling->table, &press)) {
        press_answer(ruling, input->post,
                     is_on_hold(ruling->env, &press) ? "press_on_hold"
                                                     : "press_over");
        return;
    }
    judge(ruling, input, &press);
    press_tell_done(ruling, input->post, "press_counts", "press_not_asked");
}
