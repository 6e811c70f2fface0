#include "bot/tables/delivery/buttons.h"

#include "bot/host/words/buttons.h"
#include "bot/host/words/speech.h"
#include "bot/tables/hosted.h"

/* Is the rest of a message another message, below which its buttons stand? */
static bool
goes_on(const struct tables *tables, const struct queued_message *queued)
{
    const struct queued_message *next =
        outbox_find(&tables->outbox, queued->id + 1);
    return next != NULL && next->batch == queued->batch &&
           next->message.follows;
}

/* Does it ask for something before the game: does it name somebody? */
static bool
asks_before_game(const struct message *message, const struct table *table)
{
    return table->state == TABLE_CHECK && message->pings != NULL &&
           message->place == NULL && message->once == NULL;
}

/* Is it news of a game, and asks nothing?  The first says that the roles were
 * sent.  What is said once is a hint, and no news. */
static bool
is_news(const struct message *message, const struct table *table)
{
    return table->state == TABLE_RUNNING && message->waits &&
           message->calls == 0 && message->once == NULL;
}

/* Does it say that the sign-up is open again? */
static bool
reopens(const struct message *message, const struct table *table)
{
    return table->state == TABLE_SIGNUP && message->calls == CALLS_READY;
}

/* Does it go with the open question?  In a session no post asks the chancellor,
 * not even when a veto was declined; and whether the president has chosen must
 * not show. */
static bool
goes_with_question(const struct message *message, const struct table *table)
{
    return table->state == TABLE_RUNNING &&
           (message->calls != 0
                ? message->calls == table_phase(table)
                : table_in_session(table) && is_news(message, table));
}

/* Has a private message buttons, and which?  That of a question answers it. */
static bool
set_private(const struct host_env *env, const struct table *table,
            const struct message *message, struct buttons *buttons)
{
    unsigned seat = table_player(table, message->user);
    struct speech speech;
    if (message->calls == 0 || message->calls != table->phase ||
        table->state != TABLE_RUNNING || seat == NO_SEAT ||
        !seat_in(seat, table_awaited(table))) {
        return false;
    }
    if (table->game.question == QUESTION_VOTE) {
        buttons_of_question(env, table, buttons);
        return true;
    }
    speech_init_for(&speech, env, table, NULL, seat);
    buttons_of_hand(&speech, buttons);
    speech_release(&speech);
    return true;
}

/* Has a post of ours buttons, and which? */
static bool
set_buttons(const struct host_env *env, const struct table *table,
            const struct message *message, struct buttons *buttons)
{
    if (goes_with_question(message, table)) {
        buttons_of_question(env, table, buttons);
        return buttons->count > 0;
    }
    buttons_of_status(env, table, buttons);
    return message->kind == MESSAGE_STATUS ||
           asks_before_game(message, table) || is_news(message, table) ||
           reopens(message, table);
}

bool
buttons_under(struct tables *tables, const struct queued_message *queued,
              int64_t now, struct buttons *buttons)
{
    const struct message *message = &queued->message;
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    if (message->kind == MESSAGE_BARE ||
        (message->kind == MESSAGE_POST && queued->delivered != 0 &&
         message->calls != 0 &&
         (hosted == NULL || message->calls != table_phase(&hosted->table)))) {
        buttons->count = 0; /* what it asked is settled */
        return true;
    }
    if (message->kind > MESSAGE_STATUS || queued->shape > SHAPE_PLAIN ||
        hosted == NULL ||
        !services_have_buttons(&tables->services, hosted->service) ||
        goes_on(tables, queued)) {
        return false;
    }
    struct host_env env = tables_env(tables, &hosted->table, now);
    return message->kind == MESSAGE_PRIVATE
               ? set_private(&env, &hosted->table, message, buttons)
               : set_buttons(&env, &hosted->table, message, buttons);
}

bool
buttons_ask(struct tables *tables, const struct table *table)
{
    const struct service *service =
        places_service(&tables->places, table->place);
    return table->state == TABLE_RUNNING &&
           services_have_buttons(&tables->services, service) &&
           !services_presses_lost(&tables->services, service);
}
