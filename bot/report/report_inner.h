/*
 * The sections of a report; nobody else includes it.
 */
#ifndef BOT_REPORT_REPORT_INNER_H
#define BOT_REPORT_REPORT_INNER_H

#include "bot/report/page.h"
#include "bot/report/story.h"

struct report {
    struct page page;
    const struct story *story;
    const size_t *holders; /* as in struct story, at the end or at the line
                              that is told */
};

/* report_tables.c */
void report_who(struct report *report);
void report_board(struct report *report);
void report_votes(struct report *report);
void report_hands(struct report *report);
void report_deck(struct report *report);

/* report_story.c: round by round; what happened when. */
void report_story(struct report *report);
void report_times(struct report *report);

/* report_proof.c */
void report_proof(struct report *report);

/* Name the holder of a seat. */
void report_seat(struct report *report, struct params *params, const char *name,
                 unsigned seat);

/* Name one of struct story's people; the government of a round. */
void report_person(struct report *report, struct params *params,
                   const char *name, size_t person);
void report_government(struct report *report, struct params *params,
                       const struct told_round *round);

/* Append the tiles of a pile, as signs of a sentence. */
void report_tiles(struct pile pile, struct buf *out);

/* Write as an element what somebody claimed to have seen, and whether that is
 * untrue; with the round, if it is told in another one, `told_in` (0: it is
 * not). */
void report_claim(struct report *report, const char *element,
                  const struct told_claim *claim, uint32_t told_in);

/* The policies that a round brought. */
struct pile report_policies(const struct told_round *round);

/* Write tiles outside of a sentence, or a dash for none. */
void report_write_tiles(struct report *report, struct pile pile);

#endif
