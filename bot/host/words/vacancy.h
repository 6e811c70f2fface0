/*
 * Vacancies: the post with which a game's free seats are offered in its place.
 */
#ifndef BOT_HOST_WORDS_VACANCY_H
#define BOT_HOST_WORDS_VACANCY_H

#include "bot/host/words/speech.h"

/* If seats have become free, offer them in the place; if fewer or more are, or
 * none any more, edit that post.  Nothing, unless the game has a thread of its
 * own and its settings want it. */
void vacancy_write(struct ruling *ruling);

/* Where the same question stays open, say what follows for it from who has
 * come or gone: the majority, unless that is said already, and who can be
 * chosen now, or can't any more. */
void vacancy_say_change(const struct ruling *ruling, struct speech *speech,
                        bool majority, struct rich *out);

#endif
