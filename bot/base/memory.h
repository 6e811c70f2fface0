/*
 * Memory, and the end of a program that has none left.
 */
#ifndef BOT_BASE_MEMORY_H
#define BOT_BASE_MEMORY_H

#include <stddef.h>

/* Say why on standard error and end the program with exit code 1. */
void die(const char *format, ...)
    __attribute__((format(printf, 1, 2), noreturn));

/* malloc, realloc, strdup that die without memory; free the result. */
void *must_alloc(size_t size); /* zeroed */
void *must_grow(void *old, size_t size);
char *must_copy(const char *text); /* NULL stays NULL */

/* Make *text, which is owned (NULL: none yet), a copy of another text. */
void must_replace(char **text, const char *by);

#endif
