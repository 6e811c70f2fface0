#include "bot/cli/setup_inner.h"

#include <string.h>

bool
setup_has_password(const struct setup *setup)
{
    return setup->account.user[0] != '\0' &&
           !setup->kind->adapter->token_names_user;
}

void
setup_say(struct setup *setup, const char *text, const char *account)
{
    const char *hole = strstr(text, "%s");
    if (hole == NULL) {
        questions_say(&setup->questions, "%s", text);
    } else {
        questions_say(&setup->questions, "%.*s%s%s", (int)(hole - text), text,
                      account, hole + 2);
    }
}

enum answered
setup_skip(struct setup *setup)
{
    setup->skipped = true;
    return ANSWERED;
}
