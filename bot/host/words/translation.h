/*
 * A language's file, held against the English one: what a translator has to
 * put right.
 */
#ifndef BOT_HOST_WORDS_TRANSLATION_H
#define BOT_HOST_WORDS_TRANSLATION_H

#include "bot/base/buf.h"
#include "bot/base/err.h"

/* Check a language, by its name or its file's path; `why` MUST be empty.
 * ERR_CONFIG with a line for each mistake, "file:line: key: …": of syntax the
 * first one; else keys, words, templates, what they speak of in English, marks,
 * lists, lengths and, in a file whose name begins with "fr", the spaces of
 * French. */
enum err translation_check(const char *language, struct buf *why) MUST_USE;

#endif
