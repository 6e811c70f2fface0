#include "bot/host/office/office.h"

#include <string.h>

#include "bot/host/office/order.h"
#include "bot/host/reading/intent.h"

/* To add a command: its function, its row, its words in every catalogue. */
static const struct {
    const char *words;   /* the catalogue's key */
    const char *english; /* always understood */
    bool in_private;     /* may be given in a private talk too */
    bool by_anybody;     /* else by players and moderators alone: strangers may
                            be talking to another bot */
    void (*obey)(struct order *order);
} commands[] = {
    {"command_new", "new", false, true, order_new},
    {"command_join", "join", false, true, order_join},
    {"command_leave", "leave", false, false, order_leave},
    {"command_start", "start", false, false, order_start},
    {"command_status", "status", true, false, order_status},
    {"command_help", "help", true, true, order_help},
};
enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static void
answer_unknown(struct order *order)
{
    struct letter *letter = order_answer_quoting(order, "unknown_command");
    docket_once(order->docket, letter, order->hearing->post->author, "unknown",
                AGAIN_DROP);
}

static void
obey(struct order *order)
{
    const struct catalogue *catalogue = order->docket->house->catalogue;
    const char *word = buf_text(&order->word);
    bool known_person = order_by_player(order) || order_by_moderator(order);
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        if ((strcmp(word, commands[i].english) == 0 ||
             catalogue_is_word(catalogue, commands[i].words, word)) &&
            (commands[i].in_private || !order->hearing->post->talk)) {
            if (commands[i].by_anybody || known_person) {
                commands[i].obey(order);
            }
            return;
        }
    }
    if (known_person) {
        answer_unknown(order);
    }
}

/* More commands than this in one post are not read. */
enum {
    COMMANDS_A_POST = 4
};

bool
office_hear(struct docket *docket, const struct hearing *hearing,
            const char *next_id)
{
    struct order order = {docket, hearing, next_id, BUF_INIT, BUF_INIT};
    const char *prefix = docket->house->place->settings.prefix;
    size_t line = 0;
    unsigned count = 0;
    while (count < COMMANDS_A_POST &&
           intent_command(hearing->rich, prefix, docket->house->self, &line,
                          &order.word, &order.rest)) {
        obey(&order);
        buf_clear(&order.word);
        buf_clear(&order.rest);
        count++;
    }
    buf_release(&order.word);
    buf_release(&order.rest);
    return count > 0;
}
