#include "bot/base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fputs("placard: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

void *
must_alloc(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);

    if (memory == NULL) {
        die("out of memory");
    }
    return memory;
}

void *
must_grow(void *old, size_t size)
{
    void *memory = realloc(old, size == 0 ? 1 : size);

    if (memory == NULL) {
        die("out of memory");
    }
    return memory;
}

char *
must_copy(const char *text)
{
    size_t size = text == NULL ? 0 : strlen(text) + 1;

    return text == NULL ? NULL : memcpy(must_alloc(size), text, size);
}

void
must_replace(char **text, const char *by)
{
    if (*text == NULL || strcmp(*text, by) != 0) {
        char *copy = must_copy(by);

        free(*text);
        *text = copy;
    }
}
