#include "bot/base/text.h"

#include <string.h>

bool
text_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

unsigned
text_count(const char *text, const char *part)
{
    unsigned count = 0;
    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        count++;
    }
    return count;
}
