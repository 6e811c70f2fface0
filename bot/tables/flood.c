#include "bot/tables/flood.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"

enum {
    FLOOD_MS = 10 * 60000,
    FLOOD_PEOPLE = 256 /* that are remembered; the one answered first goes */
};

static bool
is_answer(const struct letter *letter, const char *author)
{
    bool said = letter->kind == LETTER_POST ||
                (letter->kind == LETTER_PRIVATE && letter->user != NULL &&
                 strcmp(letter->user, author) == 0);
    return said && (letter->once == NULL || letter->again != AGAIN_DROP);
}

/* Is all that a post has brought an answer to its author? */
static bool
answers_only(const struct docket *docket, const char *author)
{
    for (unsigned i = 0; i < docket->letter_count; i++) {
        if (!is_answer(&docket->letters[i], author)) {
            return false;
        }
    }
    return docket->row_count == 0 && docket->letter_count > 0;
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
find_person(struct desk *desk, const struct service *service, const char *user)
{
    size_t oldest = 0;
    for (size_t i = 0; i < desk->answered_count; i++) {
        struct answered *person = &desk->answered[i];
        if (person->service == service && strcmp(person->user, user) == 0) {
            return person;
        }
        if (person->at[0] < desk->answered[oldest].at[0]) {
            oldest = i;
        }
    }
    if (desk->answered_count < FLOOD_PEOPLE) {
        oldest = desk->answered_count++;
        desk->answered = must_grow(desk->answered, desk->answered_count *
                                                       sizeof *desk->answered);
    }
    struct answered *person = &desk->answered[oldest];
    memset(person, 0, sizeof *person);
    person->service = service;
    (void)snprintf(person->user, sizeof person->user, "%s", user);
    return person;
}

void
flood_limit(struct desk *desk, const struct service *service,
            struct docket *docket, const struct post *post)
{
    const struct house *house = docket->house;
    if (!answers_only(docket, post->author) ||
        house_moderates(house->place, docket->table, post->author) ||
        is_waited_for(docket->table, post->author)) {
        return;
    }
    struct answered *person = find_person(desk, service, post->author);
    /* The times of the last answers, the oldest first. */
    if (person->at[0] == 0 || house->now - person->at[0] >= FLOOD_MS) {
        memmove(person->at, person->at + 1,
                sizeof person->at - sizeof person->at[0]);
        person->at[FLOOD_ANSWERS - 1] = house->now;
        return;
    }
    for (unsigned i = 0; i < docket->letter_count; i++) {
        letter_release(&docket->letters[i]);
    }
    docket->letter_count = 0;
    if (house->traits->reactions && docket->table->settings.reactions) {
        struct buf emoji = BUF_INIT;
        catalogue_text(house->catalogue, "ack_enough", NULL, &emoji);
        docket_react(docket, post, buf_text(&emoji));
        buf_release(&emoji);
    }
}
