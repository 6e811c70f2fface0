/* Order at the table: posts that players show to the moderators, and warnings.
 */
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"

enum {
    REASON_BYTES = 1000, /* of a flag */
};

/* ---- a post that the moderators should see --------------------------------
 */

/* Say it in the table's language; a player's own is for what is told to
 * them. */
static void
say_flag(const struct chat_command *chat, unsigned seat,
         const struct read_post *post, struct rich *out)
{
    const struct table *table = chat->ruling->table;
    struct host_env env = *chat->ruling->env;
    struct speech speech;
    unsigned author = table_seat(table, post->author);
    env.catalogue = chat->table_catalogue;
    speech_init(&speech, &env, table, NULL);
    struct buf *reason = speech_text(&speech, "reason");
    buf_init(reason, REASON_BYTES);
    speech_quote(table, buf_text(&chat->rest), reason);
    speech_seat(&speech, "asker", seat);
    params_text(&speech.params, "author",
                author == NO_SEAT ? post->author : table->seats[author].name);
    struct rich *link = speech_link(&speech, post->place, post->id);
    if (link->text.len == 0) { /* the service has no addresses */
        rich_add_text(link, "#", 0);
        rich_add_text(link, post->id, 0);
    }
    speech_say(&speech, "flags", out);
    speech_release(&speech);
}

/* Tell the moderators, and the player alone that they know.  A few a day: they
 * have other things to read. */
static void
pass_flag(struct chat_command *chat, unsigned seat,
          const struct read_post *post)
{
    struct ruling *ruling = chat->ruling;
    struct rich text = {.count = 0};
    struct move move = chat_move(chat, MOVE_FLAG);
    if (!table_may(ruling->table, &move)) {
        (void)chat_answer(chat, "flag_enough");
        return;
    }
    say_flag(chat, seat, post, &text);
    if (ruling_ask(ruling, move.user, &text) > 0) {
        (void)ruling_play(ruling, &move);
        (void)chat_answer(chat, "flag_sent");
    } else {
        (void)chat_answer(chat, "ask_nobody");
    }
}

void
chat_flag(struct chat_command *chat)
{
    const struct post *asked = chat->input->post;
    unsigned seat = table_seat(chat->ruling->table, asked->author);
    struct read_post post;
    struct buf link = BUF_INIT;
    if (!asked->dm) {
        (void)chat_answer(chat, "flag_private");
    } else if (seat == NO_SEAT || !chat_next_word(chat, &link)) {
        (void)chat_answer(chat, "flag_bad");
    } else if (chat_find_post(chat, buf_text(&link), &post)) {
        pass_flag(chat, seat, &post);
    }
    buf_release(&link);
}

/* ---- warnings ------------------------------------------------------------ */

/* Split "NAME reason"; false, with an answer: it names nobody, or has no
 * reason. */
static bool
read_warning(struct chat_command *chat, unsigned *seat, struct buf *reason)
{
    size_t skip = 0;
    struct buf word = BUF_INIT;
    bool good = true;
    *seat = chat_name_at_beginning(chat, &skip);
    if (*seat != NO_SEAT) {
        buf_add_text(reason, buf_text(&chat->rest) + skip);
    } else if (chat_next_word(chat, &word) && chat->rest.len > 0) {
        /* a mention, or a name in other letters */
        good = chat_find_seat(chat, buf_text(&word), word.len, seat);
        buf_add_buf(reason, &chat->rest);
    }
    if (good && reason->len == 0) {
        (void)chat_answer(chat, "warn_bad");
        good = false;
    }
    buf_release(&word);
    return good;
}

void
chat_warn(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_begin_move(chat, MOVE_WARN);
    struct buf said = BUF_INIT;
    struct buf reason = BUF_INIT;
    unsigned seat = NO_SEAT;
    if (table->state != TABLE_RUNNING) {
        (void)chat_answer_quoting(chat, "command_late");
    } else if (read_warning(chat, &seat, &said)) {
        speech_quote(table, buf_text(&said), &reason);
        chat_keep_beginning(move.text, TABLE_REASON_MAX + 1, buf_text(&reason));
        (void)snprintf(move.user, sizeof move.user, "%s",
                       table->seats[seat].user);
        move.by_moderator = true;
        (void)ruling_play(ruling, &move);
        struct speech *speech = chat_speech(chat);
        speech_seat(speech, "target", seat);
        params_text(&speech->params, "reason", move.text);
        chat_tell(chat, "warned");
    }
    buf_release(&said);
    buf_release(&reason);
}

/* Append how often each player was warned by the host. */
static void
list_counts(const struct chat_command *chat, struct rich *list)
{
    const struct table *table = chat->ruling->table;
    const struct catalogue *catalogue = chat->ruling->env->catalogue;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct params params = {.count = 0};
        if (table->seats[seat].warnings == 0) {
            continue;
        }
        params_text(&params, "name", table->seats[seat].name);
        params_number(&params, "count", table->seats[seat].warnings);
        if (list->text.len > 0) {
            catalogue_say(catalogue, "list_separator", NULL, list);
        }
        catalogue_say(catalogue, "warnings_of", &params, list);
    }
}

/* Append the moderators' own warnings, a line each. */
static void
list_reasons(const struct chat_command *chat, struct rich *list)
{
    const struct table *table = chat->ruling->table;
    for (unsigned i = 0; i < table->warned_count; i++) {
        const struct table_warning *warning = &table->warned[i];
        struct params params = {.count = 0};
        params_text(&params, "name", table->seats[warning->seat].name);
        params_text(&params, "reason", warning->reason);
        rich_add_text(list, "\n", 0);
        catalogue_say(chat->ruling->env->catalogue, "warnings_for", &params,
                      list);
    }
}

void
chat_warnings(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    struct rich text = {.count = 0};
    struct speech *speech = chat_speech(chat);
    list_counts(chat, speech_rich(speech, "list"));
    params_number(&speech->params, "strangers", table->strangers);
    speech_say(speech, "warnings", &text);
    list_reasons(chat, &text);
    (void)chat_answer_text(chat, &text);
}
