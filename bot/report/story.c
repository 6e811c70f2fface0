#include "bot/report/story.h"

#include <stdlib.h>
#include <string.h>

#include "bot/record/record_board.h"
#include "bot/report/page.h"

void
story_name(const char *name, struct buf *out)
{
    buf_clear(out);
    buf_add_text(out, PAGE_NAME);
    page_clean(name, out);
    buf_add_text(out, PAGE_NAME_END);
}

/* ---- rounds -------------------------------------------------------------- */

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
begin_round(struct story *story, const struct record_line *line)
{
    seat_set executed = 0;
    for (unsigned seat = 0; seat < story->game->players; seat++) {
        if (story->executed_in[seat] != 0) {
            executed |= seat_bit(seat);
        }
    }
    story->rounds[story->round_count++] =
        (struct told_round){.round = line->event.round,
                            .at = line->at,
                            .president = line->event.seat,
                            .chancellor = NO_SEAT,
                            .executed = executed};
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
        break;
    case EVENT_VOTED:
        round->voted |= seat_bit(event->seat);
        round->ja |= event->yes ? seat_bit(event->seat) : 0;
        break;
    case EVENT_ELECTION:
        round->elected = event->yes;
        break;
    case EVENT_HAND:
        round->drawn = event->cards;
        draw(story, HAND_TILES, false);
        break;
    case EVENT_PASSED:
        round->passed = event->cards;
        break;
    case EVENT_VETO_ANSWERED:
        round->vetoed = round->vetoed || event->yes;
        break;
    case EVENT_ENACTED:
        read_enacted(story, round, event);
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
        story_name(line->out, &story->former[event->seat]);
        story_name(line->in, &story->names[event->seat]);
        break;
    case RECORD_CLAIMED:
        story->claims[story->claim_count] = (struct told_claim){
            event->round, event->seat, event->cards, story->claim_count};
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
story_read(const struct record_game *game, struct story *story)
{
    size_t most = game->line_count;
    memset(story, 0, sizeof *story);
    story->game = game;
    story->hitler = NO_SEAT;
    story->stands = must_alloc(most * sizeof *story->stands);
    story->rounds = must_alloc(most * sizeof *story->rounds);
    story->decks = must_alloc(most * sizeof *story->decks);
    story->draws = must_alloc(most * sizeof *story->draws);
    story->claims = must_alloc(most * sizeof *story->claims);
    for (unsigned seat = 0; seat < game->players; seat++) {
        story_name(game->names[seat], &story->names[seat]);
    }
    story->began = game->lines[0].at;
    record_standing(game, most, story->stands);
    for (size_t i = 0; i < most; i++) {
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
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        buf_release(&story->names[seat]);
        buf_release(&story->former[seat]);
    }
    memset(story, 0, sizeof *story);
}
