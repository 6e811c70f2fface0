/*
 * Players nobody hears from: one private message, and later their names for the
 * moderators (the setting `prod`).
 */
#ifndef BOT_HOST_JUDGE_PRODS_H
#define BOT_HOST_JUDGE_PRODS_H

#include "bot/host/table/ruling.h"

/* Look who has been silent for too long, and when to look next. */
void prods_look(struct ruling *ruling);

#endif
