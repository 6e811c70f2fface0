/*
 * Vacancies: the post with which a game's free seats are offered in its place.
 */
#ifndef BOT_HOST_WORDS_VACANCY_H
#define BOT_HOST_WORDS_VACANCY_H

#include "bot/host/table/ruling.h"

/* If seats have become free, offer them in the place; if fewer or more are, or
 * none any more, edit that post.  Nothing, unless the game has a thread of its
 * own and its settings want it. */
void vacancy_write(struct ruling *ruling);

#endif
