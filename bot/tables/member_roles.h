/*
 * The roles that a place gives to people while they are in a game
 * (`member_roles`): what they should be follows from its tables, and what they
 * are is noted in the store.  The difference is what there is to do, so that it
 * is done after a restart or a refusal, too.
 */
#ifndef BOT_TABLES_MEMBER_ROLES_H
#define BOT_TABLES_MEMBER_ROLES_H

#include "bot/tables/tables.h"

/* Roles by name or id; "": none. */
struct role_change {
    char user[ADAPTER_ID_MAX + 1];
    char give[SETTING_TEXT_MAX], take[SETTING_TEXT_MAX];
};

/* What is to be done next at a place; false: nothing. */
bool member_roles_next(const struct tables *tables,
                       const struct hosted_place *place,
                       struct role_change *change);

/* It was done. */
void member_roles_note(struct tables *tables, const struct hosted_place *place,
                       const struct role_change *change);

#endif
