#include "bot/host/table/message.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

void
message_release(struct message *message)
{
    if (message->text != NULL) {
        sodium_memzero(message->text, strlen(message->text));
    }
    free(message->text);
    free(message->user);
    free(message->post);
    free(message->place);
    free(message->pings);
    free(message->once);
    free(message->report);
    memset(message, 0, sizeof *message);
}
