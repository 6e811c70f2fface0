#include "bot/host/table/queued.h"

#include <assert.h>
#include <limits.h>

#include "bot/base/civil.h"
#include "bot/host/table/refusal.h"

enum rank
queued_rank(const struct queued_message *queued)
{
    switch (queued->message.kind) {
    case MESSAGE_STATUS:
        return RANK_STATUS;
    case MESSAGE_REACT:
    case MESSAGE_DELETE:
    case MESSAGE_LOCK:
    case MESSAGE_BARE:
        return RANK_MARK;
    case MESSAGE_INVITE:
        return RANK_ANSWER;
    case MESSAGE_POST:
    case MESSAGE_PRIVATE:
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_OPEN:
        break;
    }
    return queued->batch > 0 ? RANK_GAME : RANK_ANSWER;
}

unsigned
queued_line(const struct queued_message *queued)
{
    return queued->part % QUEUED_ANEW;
}

bool
queued_is_split(const struct queued_message *queued)
{
    return queued->message.kind != MESSAGE_STATUS &&
           (queued->shape == SHAPE_SPLIT || queued_line(queued) > 0);
}

bool
queued_waits(const struct queued_message *queued)
{
    return queued->state == QUEUED_WAITING || queued->state == QUEUED_DOUBTFUL;
}

bool
queued_flies(const struct queued_message *queued)
{
    return queued->state == QUEUED_IN_FLIGHT || queued->state == QUEUED_SOUGHT;
}

bool
queued_is_doubtful(const struct queued_message *queued)
{
    return queued->state == QUEUED_DOUBTFUL || queued->state == QUEUED_SOUGHT;
}

enum queued_state
queued_saved_state(const struct queued_message *queued)
{
    bool unapproved = queued->unapproved != 0;
    return queued->state == QUEUED_DOUBTFUL && unapproved ? QUEUED_WAITING
           : queued_is_doubtful(queued)                   ? QUEUED_IN_FLIGHT
                                                          : queued->state;
}

bool
queued_is_stale(const struct queued_message *queued, int64_t now)
{
    return queued->message.not_after != 0 && now >= queued->message.not_after;
}

/* A post that says what has happened is wanted though it asks, too. */
bool
queued_is_wanted(const struct queued_message *queued, const struct table *table)
{
    const struct message *message = &queued->message;
    bool private = message->kind == MESSAGE_PRIVATE;
    unsigned number = message->calls != 0 ? message->calls : message->about;
    if (number == 0 ||
        (!private && (message->waits || queued->delivered != 0))) {
        return true;
    }
    if (table == NULL) {
        return number == ABOUT_SEAT;
    }
    unsigned seat = private ? table_player(table, message->user) : NO_SEAT;
    if (private && seat == NO_SEAT) {
        return false;
    }
    return number == ABOUT_SEAT ||
           (number == CALLS_READY ? table->state == TABLE_CHECK
                                  : table->state == TABLE_RUNNING &&
                                        number == table_phase_of(table, seat));
}

/* ---- failures ------------------------------------------------------------ */

/* The next form in which words may be taken; after the last, the first again,
 * for a filter may have been changed: of a message of which lines are
 * delivered, the next line. */
static void
reshape(struct queued_message *queued)
{
    queued->shape = queued->shape != SHAPE_LINE
                        ? (enum shape)(queued->shape + 1)
                    : queued_is_split(queued) ? SHAPE_SPLIT
                                              : SHAPE_WHOLE;
    if (queued->shape == SHAPE_SPLIT &&
        queued->message.kind == MESSAGE_STATUS) {
        queued->shape = SHAPE_LINE;
    } else if (queued->shape == SHAPE_SPLIT &&
               queued->message.kind == MESSAGE_TRANSCRIPT) {
        queued->shape = SHAPE_WHOLE; /* its bytes are the proof */
    }
}

static int64_t
fail_refused(struct queued_message *queued, enum refused refused,
             unsigned attempts, int64_t now)
{
    queued->state = QUEUED_WAITING; /* it was turned away */
    queued->refused = refused;
    if (queued->refused_at == 0 && refusal_whom(refused) != REFUSAL_ACCOUNT) {
        queued->refused_at = now; /* for its own sake */
    }
    if (refusal_whom(refused) == REFUSAL_POST) {
        reshape(queued);
        /* each form at once, then all of them now and then */
        return refusal_pause(refused, attempts <= SHAPE_LINE ? 1 : UINT_MAX);
    }
    return refusal_pause(refused, attempts);
}

/* As what it was refused, where a service tells of something else.  What is too
 * long, or too big, is so wherever it is sent; and where it is gone, nobody is
 * there to write to, or no thread. */
static enum refused
refused_as(const struct queued_message *queued, const struct failure *failure)
{
    if (failure->err == ERR_FULL && failure->refused == REFUSED_RIGHT) {
        return REFUSED_WORDS;
    }
    if (failure->err == ERR_GONE) {
        return queued->message.kind == MESSAGE_PRIVATE ||
                       queued->message.kind == MESSAGE_INVITE
                   ? REFUSED_PERSON
                   : REFUSED_RIGHT;
    }
    return failure->refused;
}

void
queued_fail(struct queued_message *queued, const struct failure *failure,
            int64_t now, int64_t steady)
{
    unsigned attempts = queued->job.failures + 1;
    int64_t pause = 0;
    assert(queued_flies(queued));
    queued->state = QUEUED_DOUBTFUL;
    switch (failure->err) {
    case ERR_LIMITED:
        queued->state = QUEUED_WAITING; /* it was turned away */
        job_limit(&queued->job, failure->wait, failure->chance, steady);
        return;
    case ERR_LATER:
        pause = job_pause(attempts, SECOND_MS, MINUTE_MS);
        break;
    case ERR_DENIED:
    case ERR_FULL:
    case ERR_GONE:
        pause =
            fail_refused(queued, refused_as(queued, failure), attempts, now);
        break;
    case ERR_GARBLED:
    case ERR_CONFIG:
    case ERR_NONE:
        pause = job_pause(attempts, 2 * SECOND_MS, 5 * MINUTE_MS);
        break;
    }
    job_fail(&queued->job, pause, failure->chance, steady);
}
