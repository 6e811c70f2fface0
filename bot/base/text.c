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
text_hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *found = digit == '\0' ? NULL : strchr(digits, digit);
    int at = found == NULL ? -1 : (int)(found - digits);
    return at > 15 ? at - 6 : at;
}

bool
text_read_hex(const char *text, unsigned char *bytes, size_t count)
{
    if (strlen(text) != 2 * count ||
        strspn(text, "0123456789abcdef") != 2 * count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (unsigned char)(16 * text_hex_digit(text[2 * i]) +
                                   text_hex_digit(text[2 * i + 1]));
    }
    return true;
}
