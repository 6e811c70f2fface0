/*
 * What is asked of texts that the library of C has no function for.
 */
#ifndef BOT_BASE_TEXT_H
#define BOT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

bool text_begins(const char *text, const char *with);

/* How often a part, which isn't empty, stands in a text; without overlaps. */
unsigned text_count(const char *text, const char *part);

/* The value of a hexadecimal digit, small or capital; -1: it is none. */
int text_hex_digit(char digit);

/* Read so many bytes from a text that is twice as many of 0-9a-f, and nothing
 * else; false: it is not. */
bool text_read_hex(const char *text, unsigned char *bytes, size_t count);

#endif
