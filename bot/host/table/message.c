#include "bot/host/table/message.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

void
letter_release(struct letter *letter)
{
    if (letter->text != NULL) {
        sodium_memzero(letter->text, strlen(letter->text));
    }
    free(letter->text);
    free(letter->user);
    free(letter->post);
    free(letter->place);
    free(letter->rings);
    free(letter->once);
    free(letter->report);
    memset(letter, 0, sizeof *letter);
}
