/*
 * What is asked of texts that the library of C has no function for.
 */
#ifndef BOT_BASE_TEXT_H
#define BOT_BASE_TEXT_H

#include <stdbool.h>

bool text_begins(const char *text, const char *with);

/* How often a part, which isn't empty, stands in a text; without overlaps. */
unsigned text_count(const char *text, const char *part);

/* The value of a hexadecimal digit, small or large; -1: it is none. */
int text_hex(char digit);

#endif
