/*
 * The characters beside a mark: the few things that a dialect needs to know
 * about characters that are not ASCII.
 */
#ifndef ADAPTERS_MARKUP_UNICODE_H
#define ADAPTERS_MARKUP_UNICODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character that begins at a place (MUST be before the end), or ends before
 * it (MUST be after the beginning); U+FFFD: bytes that are not a character. */
int32_t unicode_at(const char *text, size_t at, size_t len);
int32_t unicode_before(const char *text, size_t at);

/* White space of any kind, including line feeds, but not characters without
 * width. */
bool unicode_is_blank(int32_t codepoint);

/* A letter, a digit, a combining mark, or "_". */
bool unicode_is_word(int32_t codepoint);

#endif
