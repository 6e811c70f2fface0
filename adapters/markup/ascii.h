/*
 * The letters that mark-up is made of.  Mark-up is ASCII in every dialect, so
 * neither the locale nor Unicode matters here; people's words and names are
 * compared elsewhere.
 */
#ifndef ADAPTERS_MARKUP_ASCII_H
#define ADAPTERS_MARKUP_ASCII_H

#include <stdbool.h>

static inline char
ascii_lower(char byte)
{
    if (byte >= 'A' && byte <= 'Z') {
        return (char)(byte - 'A' + 'a');
    }
    return byte;
}

static inline bool
ascii_is_letter(char byte)
{
    return ascii_lower(byte) >= 'a' && ascii_lower(byte) <= 'z';
}

static inline bool
ascii_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

/* A blank within a line. */
static inline bool
ascii_is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* White space, including line ends. */
static inline bool
ascii_is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline bool
ascii_is_word(char byte)
{
    return ascii_is_letter(byte) || ascii_is_digit(byte) || byte == '_';
}

static inline bool
ascii_is_punctuation(char byte)
{
    return byte > ' ' && byte <= '~' && !ascii_is_letter(byte) &&
           !ascii_is_digit(byte);
}

#endif
