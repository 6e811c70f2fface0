/*
 * Records read, and what the verifier must say of them.
 */
#ifndef TESTS_VERDICTS_H
#define TESTS_VERDICTS_H

#include <string.h>

#include <check.h>

#include "bot/record/record.h"
#include "bot/record/verify.h"

static inline void
read_text(const struct buf *text, struct record *record)
{
    struct buf why = BUF_INIT;
    enum err err = record_read(buf_text(text), text->len, record, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
}

/* Renumber the lines, as somebody who altered a record would. */
static inline void
renumber(struct record_game *game)
{
    for (size_t i = 0; i < game->line_count; i++) {
        game->lines[i].seq = (unsigned)i;
        game->lines[i].number = i + 1;
    }
}

static inline void
assert_legal(const struct record_game *game)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_msg(verdict.legality != LEGALITY_BROKEN, "seq %u, %s: %s: %s",
                  verdict.seq, verdict.kind, verdict.rule,
                  buf_text(&verdict.why));
    verdict_release(&verdict);
}

/* The line of that seq is the first wrong one, and breaks that rule. */
static inline void
assert_broken(const struct record_game *game, unsigned seq, const char *rule)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    ck_assert_int_eq(verdict.legality, LEGALITY_BROKEN);
    ck_assert_msg(verdict.seq == seq && strcmp(verdict.rule, rule) == 0,
                  "seq %u, %s: %s: %s (and not seq %u: %s)", verdict.seq,
                  verdict.kind, verdict.rule, buf_text(&verdict.why), seq,
                  rule);
    verdict_release(&verdict);
}

#endif
