/* Mishaps in a play: a host that is not there, a service that does not answer,
 * people whom no private message reaches. */
#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "tests/support/plays_inner.h"

enum {
    TRY_EVERY_MS = 5 * 60 * 1000, /* while a service does not answer */
};

/* The play that is performed: an adapter has no context of its own. */
static const struct play *performed;
static struct adapter troubled;

static bool
is_blocked(const struct op *op)
{
    bool to_person = (op->kind == OP_SEND || op->kind == OP_FIND) && op->dm;
    for (unsigned i = 0; to_person && i < performed->blocked_count; i++) {
        if (strcmp(performed->blocked[i], op->user) == 0) {
            return true;
        }
    }
    return false;
}

static enum advance
troubled_turn(const struct service *service, const struct op *op,
              struct buf *work, const struct reply *reply, struct outcome *out,
              struct buf *why)
{
    if (performed->trouble == TROUBLE_SERVICE) {
        return outcome_fail(out, why, ERR_LATER, "nobody answers");
    }
    if (is_blocked(op)) {
        out->refused = REFUSED_PERSON;
        return outcome_fail(out, why, ERR_DENIED, "this user does not want it");
    }
    return adapter_board.advance(service, op, work, reply, out, why);
}

void
play_trouble(struct play *play)
{
    performed = play;
    troubled = adapter_board;
    troubled.advance = troubled_turn;
    play->stage->tables.services.list[0].adapter = &troubled;
}

bool
play_pass_time(struct play *play, int64_t time)
{
    struct buf why = BUF_INIT;
    int64_t ends = play->stage->now + time;
    if (play->trouble == TROUBLE_HOST) {
        play->stage->now = ends;
        return true;
    }
    /* It is there all the while, so nothing leaps. */
    play->stage->loop.leaps = false;
    while (play->stage->now < ends) {
        int64_t left = ends - play->stage->now;
        play->stage->now += left < TRY_EVERY_MS ? left : TRY_EVERY_MS;
        if (!play_works(play, stage_settle(play->stage, &why), &why)) {
            return false;
        }
        play_catch_log(play);
    }
    return true;
}

/* "host away", "host back" */
bool
act_host(struct play *play, char *rest)
{
    if (play->trouble == TROUBLE_NONE && strcmp(rest, "away") == 0) {
        play->trouble = TROUBLE_HOST;
        return true;
    }
    if (play->trouble != TROUBLE_HOST || strcmp(rest, "back") != 0) {
        return play_fault(play, "`host` is away, and then back");
    }
    play_begin_act(play);
    play->trouble = TROUBLE_NONE;
    play->was_away = true;
    play_close(play);
    if (!play_open(play)) {
        return false;
    }
    play->was_away = false;
    play->stage->loop.leaps = true;
    return play_end_act(play);
}

/* "service down", "service up" */
bool
act_service(struct play *play, char *rest)
{
    if (play->trouble == TROUBLE_NONE && strcmp(rest, "down") == 0) {
        play->trouble = TROUBLE_SERVICE;
        return true;
    }
    if (play->trouble != TROUBLE_SERVICE || strcmp(rest, "up") != 0) {
        return play_fault(play, "`service` is down, and then up");
    }
    play_begin_act(play);
    play->trouble = TROUBLE_NONE;
    if (!play_jump(play, play->stage->now)) {
        return false;
    }
    play->stage->loop.leaps = true;
    return play_end_act(play);
}

/* "blocks Anna": the host's DMs don't reach her any more */
bool
act_blocks(struct play *play, char *rest)
{
    if (play->blocked_count == PLAYERS_MAX || strlen(rest) >= WORD_MAX) {
        return play_fault(play, "`blocks` has one name");
    }
    snprintf(play->blocked[play->blocked_count++], sizeof play->blocked[0],
             "%s", rest);
    return true;
}

/* "unblocks Anna" */
bool
act_unblocks(struct play *play, char *rest)
{
    for (unsigned i = 0; i < play->blocked_count; i++) {
        if (strcmp(play->blocked[i], rest) == 0) {
            play->blocked_count--;
            memmove(play->blocked[i], play->blocked[play->blocked_count],
                    sizeof play->blocked[0]);
            return true;
        }
    }
    return play_fault(play, "“%s” does not block the host", rest);
}
