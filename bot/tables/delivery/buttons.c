#include "bot/tables/delivery/buttons.h"

#include "bot/host/words/buttons.h"
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
    if ((message->kind != MESSAGE_POST && message->kind != MESSAGE_STATUS) ||
        queued->shape > SHAPE_PLAIN || hosted == NULL ||
        !services_have_buttons(&tables->services, hosted->service) ||
        goes_on(tables, queued)) {
        return false;
    }
    struct host_env env = tables_env(tables, &hosted->table, now);
    return set_buttons(&env, &hosted->table, message, buttons);
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
