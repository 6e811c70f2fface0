#include "bot/host/judge/commands/chat_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"

static void
say_player(struct order *order, struct speech *speech)
{
    const struct post *post = order->hearing->post;
    params_person(&speech->params, "player", post->author, post->author_name);
}

/* Answer where it was asked: in the thread, or in the private talk. */
struct letter *
order_answer_text(struct order *order, struct rich *text)
{
    const struct post *post = order->hearing->post;
    if (post->talk) {
        return docket_private(order->docket, post->author, text);
    }
    struct letter *letter = docket_post(order->docket, text);
    if (strcmp(post->place, order->docket->table->thread) != 0) {
        letter->place = must_copy(post->place);
    }
    return letter;
}

struct letter *
order_answer_speech(struct order *order, struct speech *speech, const char *key)
{
    struct rich text = {.count = 0};
    say_player(order, speech);
    speech_say(speech, key, &text);
    struct letter *letter = order_answer_text(order, &text);
    rich_release(&text);
    return letter;
}

struct letter *
order_answer(struct order *order, const char *key)
{
    struct speech speech;
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    struct letter *letter = order_answer_speech(order, &speech, key);
    speech_release(&speech);
    return letter;
}

void
order_answer_none(struct order *order)
{
    (void)order_answer(order, order->docket->house->signups > 1
                                  ? "signup_several"
                                  : "signup_none");
}

/* Answer with the command as it was given, cut short. */
struct letter *
order_answer_quoting(struct order *order, const char *key)
{
    struct speech speech;
    struct buf word = BUF_INIT;
    buf_init(&word, 40);
    buf_add_buf(&word, &order->word);
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    params_text(&speech.params, "word", buf_text(&word));
    struct letter *letter = order_answer_speech(order, &speech, key);
    speech_release(&speech);
    buf_release(&word);
    return letter;
}

void
order_acknowledge(struct order *order)
{
    docket_acknowledge(order->docket, order->hearing->post);
}

bool
order_by_player(const struct order *order)
{
    const struct table *table = order->docket->table;
    return table->id[0] != '\0' && table->state != TABLE_OVER &&
           table_seat(table, order->hearing->post->author) != NO_SEAT;
}

bool
order_by_moderator(const struct order *order)
{
    return house_moderates(order->docket->house->place, order->docket->table,
                           order->hearing->post->author);
}

/* ---- what has to be confirmed ----------------------------------------------
 */

enum {
    CONFIRM_MS = 30 * 60 * 1000,    /* `!yes` */
    AGREE_MS = 12 * 60 * 60 * 1000, /* `!agree` */
};

/* Copy a text, cut at the end of a character where it is too long. */
static void
keep_beginning(char *to, size_t size, const char *text)
{
    size_t len = strlen(text);
    if (len >= size) {
        len = size - 1;
        while (len > 0 && ((unsigned char)text[len] & 0xC0) == 0x80) {
            len--;
        }
    }
    memcpy(to, text, len);
    to[len] = '\0';
}

bool
order_must_wait(struct order *order, struct speech *speech, const char *key)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    struct move move = docket_move(docket, MOVE_ASK, post->stamp);
    struct rich what = {.count = 0};
    struct buf until = BUF_INIT;
    struct buf command = BUF_INIT;
    if (order->confirmed) {
        return false;
    }
    move.until = move.now + (order->by_table ? AGREE_MS : CONFIRM_MS);
    move.number = table_next_ask(docket->table);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    buf_addf(&command, "%s %s", buf_text(&order->word), buf_text(&order->rest));
    keep_beginning(move.text, TABLE_ASKED_MAX + 1, buf_text(&command));
    buf_release(&command);
    if (!table_may(docket->table, &move)) {
        (void)order_answer(order, "ask_enough");
        return true;
    }
    (void)docket_play(docket, &move);
    catalogue_time(docket->house->catalogue, move.until, docket->house->zone,
                   &until);
    speech_add(speech, key, &what);
    params_rich(&speech->params, "what", &what);
    params_text(&speech->params, "until", buf_text(&until));
    params_number(&speech->params, "request", move.number);
    struct letter *asks = order_answer_speech(
        order, speech, order->by_table ? "ask_table" : "ask_confirm");
    if (order->by_table && asks != NULL && asks->once == NULL) {
        /* A reply to it names the request. */
        struct buf once = BUF_INIT;
        buf_addf(&once, "%s/request %u", docket->table->id, move.number);
        asks->once = buf_take(&once);
        asks->again = AGAIN_POST;
    }
    buf_release(&until);
    rich_release(&what);
    return true;
}

void
order_tell(struct order *order, struct speech *speech, const char *key)
{
    struct docket *docket = order->docket;
    struct rich text = {.count = 0};
    struct move move =
        docket_move(docket, MOVE_NOTE, order->hearing->post->stamp);
    say_player(order, speech);
    speech_say(speech, key, &text);
    keep_beginning(move.text, sizeof move.text, buf_text(&text.text));
    if (docket->table->state == TABLE_RUNNING) {
        (void)docket_play(docket, &move);
    }
    docket_post(docket, &text);
    rich_release(&text);
}

/* ---- reading what a command says -------------------------------------------
 */

bool
order_find_seat(struct order *order, const char *text, size_t len,
                unsigned *seat)
{
    const struct table *table = order->docket->table;
    struct reading reading = {.player_count = table->seated};
    struct speech speech;
    struct buf quoted = BUF_INIT;
    for (unsigned i = 0; i < table->seated; i++) {
        struct nameable *player = &reading.players[i];
        player->name = table->people[i].name;
        player->id = table->people[i].user;
        player->alias_count = table->people[i].alias[0] != '\0';
        player->aliases[0] = table->people[i].alias;
    }
    if (intent_find_player(&reading, text, len, seat)) {
        return true;
    }
    buf_init(&quoted, 60);
    buf_add(&quoted, text, len);
    speech_init(&speech, order->docket->house, table, NULL);
    params_text(&speech.params, "text", buf_text(&quoted));
    (void)order_answer_speech(order, &speech, "command_nobody");
    speech_release(&speech);
    buf_release(&quoted);
    return false;
}

bool
order_next_word(struct order *order, struct buf *word)
{
    const char *rest = buf_text(&order->rest);
    size_t skip = strspn(rest, " \t");
    size_t len = strcspn(rest + skip, " \t");
    char *left = NULL;
    buf_clear(word);
    if (len == 0) {
        return false;
    }
    buf_add(word, rest + skip, len);
    skip += len;
    skip += strspn(rest + skip, " \t");
    left = must_copy(rest + skip);
    buf_clear(&order->rest);
    buf_add_text(&order->rest, left);
    free(left);
    return true;
}

/* ---- refusing, and names --------------------------------------------------
 */

void
order_refuse_setting(struct order *order, const char *problem)
{
    struct speech speech;
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    params_text(&speech.params, "problem", problem);
    (void)order_answer_speech(order, &speech, "set_wrong");
    speech_release(&speech);
}
