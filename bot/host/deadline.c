#include "bot/host/deadline.h"

#include <sodium.h>

int64_t
deadline_length(enum question question, const struct settings *settings)
{
    switch (question) {
    case QUESTION_NOMINATE:
        return settings->nomination;
    case QUESTION_VOTE:
        return settings->election;
    case QUESTION_DISCARD:
        return settings->president;
    case QUESTION_ENACT:
        return settings->chancellor;
    case QUESTION_VETO:
        return settings->veto;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return settings->power;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return 0;
}

int64_t
deadline_of(enum question question, int64_t opened, int64_t round_opened,
            const struct settings *settings)
{
    int64_t length = deadline_length(question, settings);
    if (length == 0) {
        return 0;
    }
    bool from_round =
        question == QUESTION_NOMINATE || question == QUESTION_VOTE;
    return (from_round ? round_opened : opened) + length;
}

int64_t
deadline_after(const struct table *table, const struct move *move)
{
    struct table after = *table;
    struct events events;
    struct buf lines = BUF_INIT;
    int64_t deadline = 0;
    if (table_apply(&after, move, &events, &lines) == REFUSAL_NONE &&
        after.phase != table->phase) {
        deadline = deadline_of((enum question)after.game.question, after.opened,
                               after.round_opened, &after.settings);
    }
    buf_wipe(&lines);
    sodium_memzero(&after, sizeof after);
    return deadline;
}
