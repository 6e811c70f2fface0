#include "bot/tables/replies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tables/tables.h"

/* Take the messages that are replies off a ruling; the others keep their order.
 */
static void
take_text(struct ruling *ruling, struct buf *text)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < ruling->message_count; i++) {
        struct message *message = &ruling->messages[i];
        if (message->reply) {
            buf_add_text(text, text->len > 0 ? "\n\n" : "");
            buf_add_text(text, message->text);
            message_release(message);
        } else {
            ruling->messages[kept++] = *message;
        }
    }
    ruling->message_count = kept;
}

void
replies_take(struct tables *tables, const struct service *service,
             const struct post *post, struct ruling *ruling)
{
    struct buf text = BUF_INIT;
    if (!ruling->pressed) {
        return;
    }
    take_text(ruling, &text);
    tables->replies =
        must_grow(tables->replies,
                  (tables->reply_count + 1) * sizeof(struct press_reply));
    struct press_reply *reply = &tables->replies[tables->reply_count++];
    memset(reply, 0, sizeof *reply);
    reply->service = service;
    (void)snprintf(reply->press, sizeof reply->press, "%s", post->id);
    reply->buttons = ruling->buttons;
    reply->text = buf_take(&text);
}

bool
replies_next(struct tables *tables, struct press_reply *reply)
{
    if (tables->reply_count == 0) {
        return false;
    }
    *reply = tables->replies[0];
    tables->reply_count--;
    memmove(&tables->replies[0], &tables->replies[1],
            tables->reply_count * sizeof(struct press_reply));
    return true;
}

void
reply_release(struct press_reply *reply)
{
    if (reply->text != NULL) {
        wipe(reply->text, strlen(reply->text));
    }
    free(reply->text);
    reply->text = NULL;
}

void
replies_release(struct tables *tables)
{
    for (size_t i = 0; i < tables->reply_count; i++) {
        reply_release(&tables->replies[i]);
    }
    free(tables->replies);
    tables->replies = NULL;
    tables->reply_count = 0;
}
