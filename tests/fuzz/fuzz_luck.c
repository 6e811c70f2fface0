/*
 * Words of the players' own: whatever was typed, what is kept fits on the line
 * of a transcript, is shown by every service as it is, and stays so.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/record/deal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void
check_words(const char *words)
{
    size_t len = strlen(words);
    demand(len <= DEAL_WORDS_MAX);
    demand(words[0] != ' ' && (len == 0 || words[len - 1] != ' '));
    demand(strstr(words, "  ") == NULL);
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)words[i];
        demand(byte >= ' ' && byte != 0x7F);
        demand(strchr("`[]<>@*|", byte) == NULL);
    }
    utf8proc_uint8_t *composed = utf8proc_NFC((const utf8proc_uint8_t *)words);
    demand(composed != NULL && strcmp((const char *)composed, words) == 0);
    free(composed);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char first[DEAL_WORDS_MAX + 1];
    char second[DEAL_WORDS_MAX + 1];
    char *typed = malloc(size + 1);
    demand(typed != NULL);
    memcpy(typed, data, size);
    typed[size] = '\0';
    deal_clean(typed, first);
    check_words(first);
    deal_clean(first, second);
    demand(strcmp(first, second) == 0);
    free(typed);
    return 0;
}
