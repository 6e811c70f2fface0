#include "bot/host/table/refusal.h"

#include "bot/base/civil.h"
#include "bot/base/job.h"

/* A token is asked about again soon: that spends nothing.  A password is not:
 * services take many log-ins for an attack. */
static const struct {
    enum refusal_whom whom;
    int64_t first, longest;
} refusals[] = {
    [REFUSED_RIGHT] = {REFUSAL_PLACE, 10 * SECOND_MS, MINUTE_MS},
    [REFUSED_ACCOUNT] = {REFUSAL_ACCOUNT, SECOND_MS, MINUTE_MS},
    [REFUSED_LOCKED] = {REFUSAL_ACCOUNT, SECOND_MS, MINUTE_MS},
    [REFUSED_LOGIN] = {REFUSAL_ACCOUNT, 10 * MINUTE_MS, 10 * MINUTE_MS},
    [REFUSED_WRITING] = {REFUSAL_ACCOUNT, 5 * SECOND_MS, MINUTE_MS},
    [REFUSED_PERSON] = {REFUSAL_PERSON, HOUR_MS, HOUR_MS},
    [REFUSED_WORDS] = {REFUSAL_POST, SECOND_MS, MINUTE_MS},
    [REFUSED_EXTRA] = {REFUSAL_POST, SECOND_MS, MINUTE_MS},
};

enum refusal_whom
refusal_whom(enum refused refused)
{
    return refusals[refused].whom;
}

int64_t
refusal_pause(enum refused refused, unsigned attempts)
{
    return job_pause(attempts, refusals[refused].first,
                     refusals[refused].longest);
}
