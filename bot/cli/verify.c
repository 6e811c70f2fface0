#include "bot/record/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bot/cli/command.h"
#include "bot/record/record_stream.h"

static const char *
legality_words(enum legality legality)
{
    switch (legality) {
    case LEGALITY_FINISHED:
        return "legal and finished";
    case LEGALITY_SO_FAR:
        return "legal so far (unfinished)";
    case LEGALITY_BROKEN:
        break;
    }
    return "";
}

static const char *
proof_words(enum proof proof)
{
    switch (proof) {
    case PROOF_NONE:
        return "no fairness proof";
    case PROOF_OPEN:
        return "its fairness can be proved once the seed is revealed";
    case PROOF_KEY:
        return "its deal follows from the key in it; a player was forgotten, "
               "so the transcript is not in it";
    case PROOF_HOLDS:
        return "its fairness proof holds";
    }
    return "";
}

static void
print_verdict(const struct record_game *game, const struct verdict *verdict)
{
    if (verdict->legality != LEGALITY_BROKEN) {
        (void)printf("%s: %s; %s\n", game->id,
                     legality_words(verdict->legality),
                     proof_words(verdict->proof));
        return;
    }
    (void)printf("%s: line %zu, seq %u: %s breaks %s: %s\n", game->id,
                 verdict->number, verdict->seq, verdict->kind, verdict->rule,
                 buf_text(&verdict->why));
}

/* Verify the game that was read, as far as it could be read. Is it legal? */
static bool
judge(const struct record_game *game, bool whole)
{
    struct verdict verdict;
    verify_game(game, &verdict);
    bool legal = verdict.legality != LEGALITY_BROKEN;
    if (whole || !legal) {
        print_verdict(game, &verdict);
    }
    verdict_release(&verdict);
    return legal;
}

/* Game by game to the end of the file; *legal: all of them were. */
static enum err
judge_games(FILE *file, bool *legal, struct buf *why)
{
    struct record_stream stream;
    enum err err = ERR_NONE;
    bool more = true;
    *legal = true;
    record_stream_init(&stream, file);
    while (more) {
        struct record record;
        err = record_stream_next(&stream, &record, why);
        more = err == ERR_NONE && record.game_count > 0;
        if (record.game_count > 0 && !judge(&record.games[0], more)) {
            *legal = false;
        }
        record_release(&record);
    }
    record_stream_release(&stream);
    return err;
}

static int
verify_file(FILE *file, const char *name)
{
    struct buf why = BUF_INIT;
    bool legal = false;
    buf_addf(&why, "%s: ", name);
    enum err err = judge_games(file, &legal, &why);
    if (fflush(stdout) != 0 && err == ERR_NONE) {
        buf_clear(&why);
        err = err_say(&why, ERR_FULL, "the verdicts can't be written out");
    }
    if (err != ERR_NONE) {
        legal = false;
        (void)command_fail(&why);
    }
    buf_release(&why);
    return legal ? EXIT_DONE : EXIT_FAULT;
}

int
command_verify(int argc, char **argv)
{
    const struct option_row rows[] = {{.name = NULL}};
    const char *name = options_word(
        rows, argc, argv, "which record? FILE, or - for standard input");
    if (name == NULL) {
        return EXIT_USAGE;
    }
    if (strcmp(name, "-") == 0) {
        return verify_file(stdin, "standard input");
    }
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        (void)fprintf(stderr, "placard: %s: %s\n", name, strerror(errno));
        return EXIT_FAULT;
    }
    int code = verify_file(file, name);
    (void)fclose(file);
    return code;
}
