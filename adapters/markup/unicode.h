/*
 * What stands beside a mark: the few questions of a dialect about characters
 * that are not ASCII.
 */
#ifndef ADAPTERS_MARKUP_UNICODE_H
#define ADAPTERS_MARKUP_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character that begins at a place (MUST be before the end), or ends
 * before it (MUST be behind the beginning); U+FFFD: bytes that are none. */
int32_t unicode_at(const char *text, size_t at, size_t len);
int32_t unicode_before(const char *text, size_t at);

/* White space of any kind, line feeds too; not what has no width. */
bool unicode_is_blank(int32_t codepoint);

/* A letter, a digit, a mark upon one, or "_". */
bool unicode_is_word(int32_t codepoint);

#endif
