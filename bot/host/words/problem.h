/*
 * Tells people what is wrong with a setting: the complaints of
 * config/settings.h in the words of a catalogue.
 */
#ifndef BOT_HOST_WORDS_PROBLEM_H
#define BOT_HOST_WORDS_PROBLEM_H

#include "bot/host/words/catalogue.h"
#include "config/settings.h"

/* Append one whole sentence; `settings`: the ones that were tried. */
void problem_say(const struct catalogue *catalogue,
                 const struct complaint *complaint,
                 const struct settings *settings, struct buf *out);

#endif
