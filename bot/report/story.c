#include "bot/report/story.h"

#include <stdlib.h>
#include <string.h>

#include "bot/record/record_board.h"
#include "bot/report/page.h"

/* ---- rounds -------------------------------------------------------------- */

/* Who holds a seat now; a record need not be legal, and name none. */
static size_t
holder(const struct story *story, unsigned seat)
{
    return seat < PLAYERS_MAX ? story->holders[seat] : 0;
}

static struct told_round *
last_round(struct story *story)
{
    return story->round_count == 0 ? NULL
                                   : &story->rounds[story->round_count - 1];
}

/* Tiles leave the current deck, which is the last one. */
static void
draw(struct story *story, unsigned count, bool chaos)
{
    const struct told_round *round = last_round(story);
    if (story->deck_count > 0) {
        story->draws[story->draw_count++] =
            (struct told_draw){.deck = story->deck_count - 1,
                               .round = round == NULL ? 0 : round->round,
                               .count = count,
                               .chaos = chaos};
    }
}

static void
add_person(struct story *story, unsigned seat, const char *name)
{
    struct told_person *person = &story->people[story->person_count];
    memset(person, 0, sizeof *person);
    person->seat = seat;
    buf_add_text(&person->name, PAGE_NAME);
    if (story->numbered == NULL) {
        page_clean(name, &person->name);
    } else {
        struct params params = {.count = 0};
        params_number(&params, "number", (int64_t)story->person_count + 1);
        catalogue_text(story->numbered, "report_player_number", &params,
                       &person->name);
    }
    buf_add_text(&person->name, PAGE_NAME_END);
    story->holders[seat] = story->person_count++;
}

/* The newcomer has a turn in whatever the round has not got from the seat
 * yet. */
static void
change_holder(struct story *story, const struct record_line *line)
{
    unsigned seat = line->event.seat;
    struct told_round *round = last_round(story);
    if (strcmp(line->out, line->in) == 0) {
        return; /* back in the same seat */
    }
    add_person(story, seat, line->in);
    if (round != NULL && !round->closed && !seat_in(seat, round->voted)) {
        round->voter_is[seat] = story->holders[seat];
    }
}

static void
begin_round(struct story *story, const struct record_line *line)
{
    seat_set executed = 0;
    for (unsigned seat = 0; seat < story->game->players; seat++) {
        if (story->executed_in[seat] != 0) {
            executed |= seat_bit(seat);
        }
    }
    struct told_round *round = &story->rounds[story->round_count++];
    *round =
        (struct told_round){.round = line->event.round,
                            .at = line->at,
                            .president = line->event.seat,
                            .president_is = holder(story, line->event.seat),
                            .chancellor = NO_SEAT,
                            .executed = executed};
    memcpy(round->voter_is, story->holders, sizeof round->voter_is);
}

static void
read_enacted(struct story *story, struct told_round *round,
             const struct event *event)
{
    if (event->by_chaos) {
        round->chaos = true;
        round->chaos_liberal = event->is_liberal;
        draw(story, 1, true);
    } else {
        round->enacted = true;
        round->liberal = event->is_liberal;
        round->chancellor_is = holder(story, round->chancellor);
    }
}

/* A line that belongs to a round. */
static void
read_in_round(struct story *story, struct told_round *round,
              const struct record_line *line)
{
    const struct event *event = &line->event;
    switch (line->kind) {
    case EVENT_NOMINATED:
        round->chancellor = event->target;
        round->president_is = holder(story, round->president);
        round->chancellor_is = holder(story, round->chancellor);
        break;
    case EVENT_VOTED:
        round->voted |= seat_bit(event->seat);
        round->ja |= event->yes ? seat_bit(event->seat) : 0;
        round->pressed |=
            line->by == RECORD_BY_PRESS ? seat_bit(event->seat) : 0;
        break;
    case EVENT_ELECTION:
        round->closed = true;
        break;
    case EVENT_HAND:
        round->drawn = event->cards;
        round->president_is = holder(story, round->president);
        draw(story, HAND_TILES, false);
        break;
    case EVENT_PASSED:
        round->passed = event->cards;
        round->president_is = holder(story, round->president);
        break;
    case EVENT_VETO_ASKED:
        round->chancellor_is = holder(story, round->chancellor);
        break;
    case EVENT_ENACTED:
        read_enacted(story, round, event);
        break;
    case EVENT_PEEKED:
        round->peeked = event->cards;
        break;
    case EVENT_EXECUTED:
        story->executed_in[event->target] = round->round;
        break;
    default:
        break;
    }
}

static void
add_deck(struct story *story, struct pile tiles)
{
    const struct told_round *round = last_round(story);
    story->decks[story->deck_count++] = (struct told_deck){
        .round = round == NULL ? 0 : round->round, .tiles = tiles};
}

static void
read_line(struct story *story, const struct record_line *line)
{
    const struct event *event = &line->event;
    struct told_round *round = last_round(story);
    switch (line->kind) {
    case EVENT_DEALT:
        story->hitler = event->target;
        story->fascists = event->seats;
        add_deck(story, event->cards);
        break;
    case EVENT_RESHUFFLED:
        add_deck(story, event->cards);
        break;
    case EVENT_ROUND:
        begin_round(story, line);
        break;
    case EVENT_ENDED:
        story->ending = (enum ending)event->reason;
        story->ended = line->at;
        break;
    case EVENT_VACATED:
        story->vacant |= seat_bit(event->seat);
        break;
    case EVENT_FILLED:
        story->vacant &= (seat_set)~seat_bit(event->seat);
        change_holder(story, line);
        break;
    case RECORD_CLAIMED:
        story->claims[story->claim_count] =
            (struct told_claim){.round = event->round,
                                .player_is = holder(story, event->seat),
                                .power = (enum power)event->power,
                                .target = event->target,
                                .target_is = holder(story, event->target),
                                .cards = event->cards,
                                .order = story->claim_count};
        story->claim_count++;
        break;
    default:
        if (round != NULL) {
            read_in_round(story, round, line);
        }
        break;
    }
}

unsigned
story_policies(const struct story *story, bool liberal)
{
    unsigned count = 0;
    for (size_t i = 0; i < story->round_count; i++) {
        const struct told_round *round = &story->rounds[i];
        count += (round->enacted && round->liberal == liberal) +
                 (round->chaos && round->chaos_liberal == liberal);
    }
    return count;
}

const char *
story_person(const struct story *story, size_t person)
{
    return buf_text(&story->people[person].name);
}

const char *
story_before(const struct story *story, size_t person)
{
    for (size_t i = person; i-- > 0;) {
        if (story->people[i].seat == story->people[person].seat) {
            return story_person(story, i);
        }
    }
    return "";
}

/* ---- the whole ----------------------------------------------------------- */

static int
compare_claims(const void *a, const void *b)
{
    const struct told_claim *left = a;
    const struct told_claim *right = b;
    if (left->round != right->round) {
        return left->round < right->round ? -1 : 1;
    }
    return left->order < right->order ? -1 : left->order > right->order;
}

void
story_read(const struct record_game *game, const struct catalogue *numbered,
           struct story *story)
{
    size_t most = game->line_count;
    memset(story, 0, sizeof *story);
    story->game = game;
    story->numbered = numbered;
    story->hitler = NO_SEAT;
    story->stands = must_alloc(most * sizeof *story->stands);
    story->rounds = must_alloc(most * sizeof *story->rounds);
    story->decks = must_alloc(most * sizeof *story->decks);
    story->draws = must_alloc(most * sizeof *story->draws);
    story->claims = must_alloc(most * sizeof *story->claims);
    story->people = must_alloc((PLAYERS_MAX + most) * sizeof *story->people);
    for (unsigned seat = 0; seat < game->players; seat++) {
        add_person(story, seat, game->names[seat]);
    }
    story->began = game->lines[0].at;
    record_standing(game, most, story->stands);
    for (size_t i = 0; i < most; i++) {
        if (numbered != NULL && game->lines[i].kind == RECORD_NOTED) {
            story->stands[i] = false; /* somebody's words, which may name */
        }
        if (story->stands[i]) {
            read_line(story, &game->lines[i]);
        }
    }
    qsort(story->claims, story->claim_count, sizeof *story->claims,
          compare_claims);
}

void
story_release(struct story *story)
{
    free(story->stands);
    free(story->rounds);
    free(story->decks);
    free(story->draws);
    free(story->claims);
    for (size_t i = 0; i < story->person_count; i++) {
        buf_release(&story->people[i].name);
    }
    free(story->people);
    memset(story, 0, sizeof *story);
}
