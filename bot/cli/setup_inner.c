#include "bot/cli/setup_inner.h"

bool
setup_is_board(const struct setup *setup)
{
    return setup->adapter == &adapter_board;
}

bool
setup_has_password(const struct setup *setup)
{
    return setup->account.user[0] != '\0' && !setup->adapter->token_names_user;
}

enum answered
setup_skip(struct setup *setup)
{
    setup->skipped = true;
    return ANSWERED;
}
