#include "bot/tables/flood.h"

#include <stdio.h>
#include <string.h>

#include "bot/base/civil.h"

enum {
    FLOOD_MS = 10 * 60000,
    FLOOD_PEOPLE = 256 /* remembered; the one answered first goes */
};

static bool
is_answer(const struct message *message, const char *author)
{
    bool said = message->kind == MESSAGE_POST ||
                (message->kind == MESSAGE_PRIVATE && message->user != NULL &&
                 strcmp(message->user, author) == 0);
    return said && (message->once == NULL || message->again != AGAIN_DROP);
}

/* Has a post brought nothing but answers to its author? */
static bool
answers_only(const struct ruling *ruling, const char *author)
{
    for (unsigned i = 0; i < ruling->message_count; i++) {
        if (!is_answer(&ruling->messages[i], author)) {
            return false;
        }
    }
    return ruling->row_count == 0 && ruling->message_count > 0;
}

static bool
is_waited_for(const struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    const struct game *game = &table->game;
    if (seat == NO_SEAT || table->state == TABLE_CHECK) {
        return seat != NO_SEAT;
    }
    return table->state == TABLE_RUNNING &&
           (seat_in(seat, game_awaits(game).seats) ||
            (game->in_session &&
             (seat == game->president || seat == game->chancellor)));
}

static struct answered *
find_person(struct tables *tables, const struct service *service,
            const char *user)
{
    size_t oldest = 0;
    for (size_t i = 0; i < tables->answered_count; i++) {
        struct answered *person = &tables->answered[i];
        if (person->service == service && strcmp(person->user, user) == 0) {
            return person;
        }
        if (person->at[0] < tables->answered[oldest].at[0]) {
            oldest = i;
        }
    }
    if (tables->answered_count < FLOOD_PEOPLE) {
        oldest = tables->answered_count++;
        tables->answered =
            must_grow(tables->answered,
                      tables->answered_count * sizeof *tables->answered);
    }
    struct answered *person = &tables->answered[oldest];
    memset(person, 0, sizeof *person);
    person->service = service;
    (void)snprintf(person->user, sizeof person->user, "%s", user);
    return person;
}

void
flood_limit(struct tables *tables, const struct service *service,
            struct ruling *ruling, const struct post *post)
{
    const struct host_env *env = ruling->env;
    if (!answers_only(ruling, post->author) ||
        place_moderates(env->place, ruling->table, post->author) ||
        is_waited_for(ruling->table, post->author)) {
        return;
    }
    struct answered *person = find_person(tables, service, post->author);
    /* The times of the last answers, oldest first. */
    if (person->at[0] == 0 || env->now - person->at[0] >= FLOOD_MS) {
        memmove(person->at, person->at + 1,
                sizeof person->at - sizeof person->at[0]);
        person->at[FLOOD_ANSWERS - 1] = env->now;
        return;
    }
    for (unsigned i = 0; i < ruling->message_count; i++) {
        message_release(&ruling->messages[i]);
    }
    ruling->message_count = 0;
    if (env->capabilities->reactions && ruling->table->settings.reactions) {
        struct buf emoji = BUF_INIT;
        catalogue_text(env->catalogue, "ack_enough", NULL, &emoji);
        ruling_react(ruling, post, buf_text(&emoji));
        buf_release(&emoji);
    }
}
