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

int
text_hex(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = digit == '\0' ? NULL : strchr(digits, digit);
    return at == NULL ? -1 : (int)((at - digits) % 16);
}
