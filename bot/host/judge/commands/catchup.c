/* `!catchup`: what happened since somebody's last post, in private. */
#include "bot/host/words/catchup.h"

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/prods.h"

/* Since when: as long as they say, or since their last post but this one.
 * False: they say something else. */
static bool
read_since(struct chat_command *chat, int64_t *since)
{
    const struct post *post = chat->input->post;
    const struct table *table = chat->ruling->table;
    int64_t length = 0;
    if (chat->rest.len == 0) {
        *since = prods_heard(chat->ruling, post->author, post->stamp);
    } else if (chat_take_duration(chat, &length)) {
        *since = post->stamp - length;
    } else {
        return false;
    }
    *since = *since < table->began ? table->began : *since;
    return true;
}

void
chat_catchup(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    struct rich text = {.count = 0};
    int64_t since = 0;
    if (table->state != TABLE_RUNNING || table->past_count == 0) {
        (void)chat_answer(chat, "not_begun");
    } else if (!read_since(chat, &since)) {
        (void)chat_answer(chat, "catchup_bad");
    } else {
        catchup_say(ruling->env, table, table_seat(table, post->author), since,
                    &text);
        (void)ruling_private(ruling, post->author, &text);
        if (!post->dm) {
            chat_acknowledge(chat);
        }
    }
    rich_wipe(&text);
}
