#include "bot/tables/flood.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/memory.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/referee.h"

enum {
    FLOOD_ANSWERS = 5, /* in ten minutes */
    FLOOD_MOST = 50,   /* the same of a moderator's commands, and of those of
                          somebody whom the table waits for */
    FLOOD_TABLES = 10, /* that one person opens */
    FLOOD_MS = 10 * 60000,
    FLOOD_PEOPLE = 256,  /* remembered; the one answered first goes */
    FLOOD_WAITING = 1000 /* messages of a game: far more than its moves cause */
};

/* Somebody who was answered lately, and when. */
struct answered {
    const struct service *service;
    char user[ADAPTER_ID_MAX + 1];
    int64_t at[FLOOD_MOST];       /* the latest last */
    int64_t told;                 /* when they were told that it is enough */
    int64_t opened[FLOOD_TABLES]; /* when they opened tables; the latest last */
};

void
flood_release(struct flood *flood)
{
    free(flood->people);
    *flood = (struct flood){.people = NULL};
}

/* An answer to its author, or a question of theirs to the moderators. */
static bool
is_answer(const struct message *message, const char *author)
{
    bool said = message->kind == MESSAGE_POST ||
                (message->kind == MESSAGE_PRIVATE && message->user != NULL &&
                 strcmp(message->user, author) == 0);
    bool asked = message->post != NULL && strcmp(message->post, author) == 0;
    return (said || asked) &&
           (message->once == NULL || message->again != AGAIN_DROP);
}

/* Has a post brought nothing but such messages?  What only a presser sees costs
 * nobody anything. */
static bool
answers_only(const struct ruling *ruling, const char *author)
{
    bool replies = true;
    for (unsigned i = 0; i < ruling->message_count; i++) {
        if (!is_answer(&ruling->messages[i], author)) {
            return false;
        }
        replies = replies && ruling->messages[i].reply;
    }
    return ruling->row_count == 0 && !replies;
}

/* Does that wait already, word for word, to go to the same person? */
static bool
is_waiting(const struct outbox *outbox, const struct ruling *ruling,
           const struct message *message)
{
    const struct queued_message *queued = NULL;
    size_t at = 0;
    if (message->kind != MESSAGE_PRIVATE || message->reply) {
        return false;
    }
    do {
        queued = outbox_next_to(outbox, message->user, &at);
    } while (queued != NULL &&
             (queued->state != QUEUED_WAITING || queued->batch > 0 ||
              queued->message.kind != MESSAGE_PRIVATE ||
              strcmp(queued->place, ruling->env->place->name) != 0 ||
              strcmp(queued->message.text, message->text) != 0));
    return queued != NULL;
}

/* Do so many messages of a game wait that no more may? */
static bool
is_full(const struct outbox *outbox, const char *game)
{
    unsigned count = 0;
    size_t at = 0;
    while (count < FLOOD_WAITING &&
           outbox_next_of_game(outbox, game, &at) != NULL) {
        count++;
    }
    return count == FLOOD_WAITING;
}

/* Drop answers that wait already; and of a game that is full all answers, and
 * what only marks posts. */
static void
drop_needless(const struct outbox *outbox, struct ruling *ruling, bool answers)
{
    unsigned kept = 0;
    bool full = is_full(outbox, ruling->table->id);
    for (unsigned i = 0; i < ruling->message_count; i++) {
        struct message *message = &ruling->messages[i];
        if (answers ? full || is_waiting(outbox, ruling, message)
                    : full && message->kind == MESSAGE_REACT) {
            message_release(message);
        } else {
            ruling->messages[kept++] = *message;
        }
    }
    ruling->message_count = kept;
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
find_person(struct flood *flood, const struct service *service,
            const char *user)
{
    size_t oldest = 0;
    for (size_t i = 0; i < flood->count; i++) {
        struct answered *person = &flood->people[i];
        if (person->service == service && strcmp(person->user, user) == 0) {
            return person;
        }
        if (person->at[FLOOD_MOST - 1] <
            flood->people[oldest].at[FLOOD_MOST - 1]) {
            oldest = i;
        }
    }
    if (flood->count < FLOOD_PEOPLE) {
        oldest = flood->count++;
        flood->people =
            must_grow(flood->people, flood->count * sizeof *flood->people);
    }
    struct answered *person = &flood->people[oldest];
    memset(person, 0, sizeof *person);
    person->service = service;
    (void)snprintf(person->user, sizeof person->user, "%s", user);
    return person;
}

static void
add_time(int64_t *times, unsigned count, int64_t now)
{
    memmove(times, times + 1, (count - 1) * sizeof *times);
    times[count - 1] = now;
}

/* How many answers somebody gets; 0: any number. */
static unsigned
limit_of(const struct ruling *ruling, const struct input *input)
{
    const char *author = input->post->author;
    if (is_waited_for(ruling->table, author)) {
        return input->ordered ? FLOOD_MOST : 0;
    }
    return place_moderates(ruling->env->place, ruling->table, author)
               ? FLOOD_MOST
               : FLOOD_ANSWERS;
}

/* Say once that it is enough, and mark what gets no answer. */
static void
say_enough(struct ruling *ruling, const struct input *input,
           struct answered *person, int64_t until)
{
    const struct host_env *env = ruling->env;
    for (unsigned i = 0; i < ruling->message_count; i++) {
        message_release(&ruling->messages[i]);
    }
    ruling->message_count = 0;
    if (ruling->pressed || person->told == 0 ||
        env->now - person->told >= FLOOD_MS) {
        person->told = env->now;
        chat_commands_enough(ruling, input, until);
    }
    if (!ruling->pressed && env->capabilities->reactions &&
        ruling->table->settings.reactions) {
        struct buf emoji = BUF_INIT;
        catalogue_text(env->catalogue, "ack_enough", NULL, &emoji);
        ruling_react(ruling, input->post, buf_text(&emoji));
        buf_release(&emoji);
    }
}

void
flood_limit(struct flood *flood, const struct outbox *outbox,
            struct ruling *ruling, const struct input *input)
{
    unsigned limit = limit_of(ruling, input);
    bool answers = answers_only(ruling, input->post->author);
    drop_needless(outbox, ruling, answers);
    if (!answers || limit == 0 || ruling->message_count == 0) {
        return;
    }
    struct answered *person =
        find_person(flood, ruling->env->service, input->post->author);
    int64_t now = ruling->env->now;
    int64_t since = person->at[FLOOD_MOST - limit];
    if (since != 0 && now - since < FLOOD_MS) {
        say_enough(ruling, input, person, since + FLOOD_MS);
        return;
    }
    add_time(person->at, FLOOD_MOST, now);
}

bool
flood_stops_opening(struct flood *flood, const struct service *service,
                    const char *user, int64_t now)
{
    const struct answered *person = find_person(flood, service, user);
    return person->opened[0] != 0 && now - person->opened[0] < FLOOD_MS;
}

void
flood_opened(struct flood *flood, const struct service *service,
             const char *user, int64_t now)
{
    add_time(find_person(flood, service, user)->opened, FLOOD_TABLES, now);
}
