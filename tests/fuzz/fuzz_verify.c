/*
 * Judging a record: whatever its games are, a verdict is given, of a line that
 * is there; read whole or game by game, it is the same; and what comes before
 * the first wrong line is legal.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/record/record_stream.h"
#include "bot/record/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void
check_verdict(const struct record_game *game, const struct verdict *verdict)
{
    bool broken = verdict->legality == LEGALITY_BROKEN;
    demand(broken == (verdict->rule != NULL));
    demand(broken == (verdict->why.len > 0));
    if (broken) {
        demand(verdict->seq < game->line_count);
        demand(verdict->number == game->lines[verdict->seq].number);
    }
}

/* Append the verdict. */
static void
judge(struct record_game *game, struct buf *out)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    check_verdict(game, &verdict);
    buf_addf(out, "%s %d %zu %s\n", game->id, (int)verdict.legality,
             verdict.number, buf_text(&verdict.why));
    /* Of a proof any line may be wrong, however legal by the rules. */
    bool proof = game->commitment[0] != '\0' || game->seed[0] != '\0' ||
                 game->transcript != NULL;
    if (verdict.legality == LEGALITY_BROKEN && !proof) {
        struct verdict before;
        game->line_count = verdict.seq;
        verify_game(game, &before);
        demand(before.legality != LEGALITY_BROKEN);
        verdict_release(&before);
    }
    verdict_release(&verdict);
}

static enum err
judge_whole(const uint8_t *data, size_t size, struct buf *out)
{
    struct record record;
    struct buf why = BUF_INIT;
    enum err err = record_read((const char *)data, size, &record, &why);
    for (size_t i = 0; i < record.game_count; i++) {
        judge(&record.games[i], out);
    }
    record_release(&record);
    buf_add_buf(out, &why);
    buf_release(&why);
    return err;
}

static enum err
judge_streamed(FILE *file, struct buf *out)
{
    struct record_stream stream;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    bool more = true;
    record_stream_init(&stream, file);
    while (more) {
        struct record record;
        err = record_stream_next(&stream, &record, &why);
        more = err == ERR_NONE && record.game_count > 0;
        if (record.game_count > 0) {
            judge(&record.games[0], out);
        }
        record_release(&record);
    }
    record_stream_release(&stream);
    buf_add_buf(out, &why);
    buf_release(&why);
    return err;
}

/* The bytes as a file. */
static enum err
judge_as_file(const uint8_t *data, size_t size, struct buf *out)
{
    struct buf copy = BUF_INIT;
    buf_add(&copy, data, size);
    /* There is no empty file in memory. */
    FILE *file = size == 0 ? tmpfile() : fmemopen(copy.data, size, "r");
    demand(file != NULL);
    enum err err = judge_streamed(file, out);
    (void)fclose(file);
    buf_release(&copy);
    return err;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct buf whole = BUF_INIT;
    struct buf streamed = BUF_INIT;
    enum err one = judge_whole(data, size, &whole);
    enum err other = judge_as_file(data, size, &streamed);
    demand(one == other);
    demand(buf_equals(&whole, buf_text(&streamed)));
    buf_release(&whole);
    buf_release(&streamed);
    return 0;
}
