#include "bot/host/office/order.h"

#include <string.h>

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
    return post->talk ? docket_private(order->docket, post->author, text)
                      : docket_post(order->docket, text);
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
    const struct house *house = order->docket->house;
    struct buf emoji = BUF_INIT;
    if (house->traits->reactions) {
        catalogue_text(house->catalogue, "ack_vote", NULL, &emoji);
        docket_react(order->docket, order->hearing->post, buf_text(&emoji));
    }
    buf_release(&emoji);
}

bool
order_by_moderator(const struct order *order)
{
    const struct place *place = order->docket->house->place;
    for (unsigned i = 0; i < place->moderator_count; i++) {
        if (strcmp(place->moderators[i], order->hearing->post->author) == 0) {
            return true;
        }
    }
    return false;
}

bool
order_by_player(const struct order *order)
{
    const struct table *table = order->docket->table;
    return table->state != TABLE_OVER &&
           table_seat(table, order->hearing->post->author) != NO_SEAT;
}
