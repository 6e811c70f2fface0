/* `!catchup`: what happened since somebody last acted, in private. */
#include "bot/host/words/catchup.h"

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/prods.h"

/* Since when, if they don't say: since their last act, or of a moderator the
 * last post but this one; who has taken a seat since then knows nothing.  If
 * nothing has happened since, the last round that was decided comes too. */
static int64_t
usual_since(const struct chat_command *chat)
{
    const struct post *post = chat->input->post;
    const struct table *table = chat->ruling->table;
    unsigned seat = table_seat(table, post->author);
    int64_t since = 0;
    int64_t last = 0;
    if (seat == NO_SEAT) {
        since = prods_heard(chat->ruling, post->author, post->stamp);
    } else if (table->seats[seat].came < table->seats[seat].acted) {
        since = table->seats[seat].acted;
    }
    for (unsigned i = 0; i < table->past_count; i++) {
        last = table->past[i].told > 0 ? table->past[i].told - 1 : last;
    }
    return catchup_has_news(table, since) ? since : last;
}

/* Since when: as long as they say, or as usual.  False: they say something
 * else. */
static bool
read_since(const struct chat_command *chat, int64_t *since, const char **unread)
{
    const struct post *post = chat->input->post;
    const struct table *table = chat->ruling->table;
    int64_t length = 0;
    *unread = chat_after(chat, chat_read_length(chat, &length));
    *since = length > 0 ? post->stamp - length : usual_since(chat);
    *since = *since < table->began ? table->began - 1 : *since;
    return **unread == '\0';
}

void
chat_catchup(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    struct rich text = {.count = 0};
    const char *unread = "";
    int64_t since = 0;
    if (table->state != TABLE_RUNNING || table->past_count == 0) {
        (void)chat_answer(chat, "not_begun");
    } else if (!read_since(chat, &since, &unread)) {
        chat_answer_unread(chat, "catchup_bad", unread);
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
