#include "bot/tables/replies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
replies_take(struct replies *replies, const struct post *post,
             struct ruling *ruling, bool opened, bool noted)
{
    struct buf text = BUF_INIT;
    if (!ruling->pressed) {
        return;
    }
    take_text(ruling, &text);
    replies->list = must_grow(replies->list, (replies->count + 1) *
                                                 sizeof(struct press_reply));
    struct press_reply *reply = &replies->list[replies->count++];
    memset(reply, 0, sizeof *reply);
    reply->service = ruling->env->service;
    (void)snprintf(reply->press, sizeof reply->press, "%s", post->id);
    reply->buttons = ruling->buttons;
    reply->noted = noted;
    reply->text = buf_take(&text);
    (void)snprintf(reply->opened, sizeof reply->opened, "%s",
                   opened ? ruling->table->id : "");
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
replies_release(struct replies *replies)
{
    for (size_t i = 0; i < replies->count; i++) {
        reply_release(&replies->list[i]);
    }
    free(replies->list);
    *replies = (struct replies){.list = NULL};
}
