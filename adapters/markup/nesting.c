#include "adapters/markup/nesting.h"

#include <string.h>

/* Is this mark open as the run wants it: a mention, of the same user? */
static bool
stays(const struct nesting *nesting, const struct run *run, unsigned want,
      unsigned mark)
{
    const char *ids = buf_text(&nesting->rich->ids);

    if (((nesting->open ^ want) & mark) != 0) {
        return false;
    }
    return mark != MARK_MENTION || (want & mark) == 0 ||
           (nesting->id_len == run->id_len &&
            memcmp(ids + nesting->id, ids + run->id, run->id_len) == 0);
}

const struct nesting_level *
nesting_close(struct nesting *nesting, const struct run *run, unsigned want)
{
    const struct nesting_level *level = nesting->levels;
    const struct nesting_level *innermost = NULL;

    while (level->mark != 0 && stays(nesting, run, want, level->mark)) {
        level++;
    }
    for (; level->mark != 0; level++) {
        innermost = (nesting->open & level->mark) != 0 ? level : innermost;
    }
    nesting->open &= innermost == NULL ? ~0U : ~innermost->mark;
    return innermost;
}

const struct nesting_level *
nesting_open(struct nesting *nesting, const struct run *run, unsigned want)
{
    const struct nesting_level *level = nesting->levels;

    while (level->mark != 0 && (want & ~nesting->open & level->mark) == 0) {
        level++;
    }
    if (level->mark == 0) {
        return NULL;
    }
    if (level->mark == MARK_MENTION) {
        nesting->id = run->id;
        nesting->id_len = run->id_len;
    }
    nesting->open |= level->mark;
    return level;
}
