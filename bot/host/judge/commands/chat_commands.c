#include "bot/host/judge/commands/chat_commands.h"

#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/intent.h"

/* Whose command it is.  To strangers most are silent: they may be talking to
 * another bot. */
enum whose {
    ANYBODY,
    AT_THE_TABLE, /* players and moderators */
    MODERATORS,
    MODERATORS_OR_TABLE, /* or the players together, where the table moderates
                          */
};

/* To add a command: its function, its row, its words in every catalogue. */
static const struct row {
    const char *words;   /* the catalogue's key */
    const char *english; /* always understood */
    bool in_private;     /* may be given in a private talk too */
    enum whose whose;
    void (*obey)(struct order *order);
} commands[] = {
    {"command_new", "new", false, ANYBODY, order_new},
    {"command_again", "again", false, ANYBODY, order_again},
    {"command_join", "join", false, ANYBODY, order_join},
    {"command_reserve", "reserve", false, ANYBODY, order_reserve},
    {"command_leave", "leave", false, AT_THE_TABLE, order_leave},
    {"command_alias", "alias", false, AT_THE_TABLE, order_alias},
    {"command_start", "start", false, AT_THE_TABLE, order_start},
    {"command_status", "status", true, AT_THE_TABLE, order_status},
    {"command_help", "help", true, ANYBODY, order_help},
    {"command_rules", "rules", true, ANYBODY, order_rules},
    {"command_fair", "fair", true, ANYBODY, order_fair},
    {"command_luck", "luck", false, ANYBODY, order_luck},
    {"command_report", "report", false, ANYBODY, order_report},
    {"command_votes", "votes", true, AT_THE_TABLE, order_votes},
    {"command_history", "history", true, ANYBODY, order_history},
    {"command_claim", "claim", false, AT_THE_TABLE, order_claim},
    {"command_away", "away", false, AT_THE_TABLE, order_away},
    {"command_role", "role", true, AT_THE_TABLE, order_role},
    {"command_receipts", "receipts", true, AT_THE_TABLE, order_receipts},
    {"command_ask", "ask", true, AT_THE_TABLE, order_ask},
    {"command_answer", "answer", true, MODERATORS, order_give_answer},
    {"command_language", "language", true, AT_THE_TABLE, order_language},
    {"command_why", "why", true, AT_THE_TABLE, order_why},
    {"command_pause", "pause", false, MODERATORS_OR_TABLE, order_pause},
    {"command_resume", "resume", false, MODERATORS_OR_TABLE, order_resume},
    {"command_extend", "extend", false, MODERATORS_OR_TABLE, order_extend},
    {"command_deadline", "deadline", false, MODERATORS, order_deadline},
    {"command_vacate", "vacate", false, MODERATORS, order_vacate},
    {"command_replace", "replace", false, MODERATORS_OR_TABLE, order_replace},
    {"command_choose", "choose", false, MODERATORS, order_choose},
    {"command_void", "void", false, MODERATORS, order_void},
    {"command_count", "count", false, MODERATORS, order_count},
    {"command_undo", "undo", false, MODERATORS, order_undo},
    {"command_moderator", "moderator", false, MODERATORS, order_moderator},
    {"command_set", "set", false, MODERATORS, order_set},
    {"command_warnings", "warnings", false, MODERATORS, order_warnings},
    {"command_end", "end", true, MODERATORS, order_end},
    {"command_yes", "yes", true, AT_THE_TABLE, order_yes},
    {"command_agree", "agree", false, AT_THE_TABLE, order_agree},
};
enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0]
};

static const struct row *
find_row(const struct order *order)
{
    const struct catalogue *own = order->docket->house->catalogue;
    const char *word = buf_text(&order->word);
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].english) == 0 ||
            catalogue_is_word(own, commands[i].words, word) ||
            catalogue_is_word(order->table_catalogue, commands[i].words,
                              word)) {
            return &commands[i];
        }
    }
    return NULL;
}

/* Say once per person and question that this is not possible. */
static void
answer_once(struct order *order, const char *key)
{
    struct letter *letter = order_answer_quoting(order, key);
    docket_once(order->docket, letter, order->hearing->post->author, key,
                AGAIN_DROP);
}

/* May the author give this command?  Sets by_table. */
static bool
may_give(struct order *order, enum whose whose)
{
    const struct table *table = order->docket->table;
    switch (whose) {
    case ANYBODY:
        return true;
    case AT_THE_TABLE:
        return order_by_player(order) || order_by_moderator(order);
    case MODERATORS_OR_TABLE:
        order->by_table = table->settings.table_moderates &&
                          order_by_player(order) && !order_by_moderator(order);
        if (order->by_table) {
            return true;
        }
        break;
    case MODERATORS:
        break;
    }
    return order_by_moderator(order);
}

bool
order_obey(struct order *order)
{
    const struct row *row = find_row(order);
    bool known_person = order_by_player(order) || order_by_moderator(order);
    if (row == NULL || ((order->hearing->post->talk || order->hearing->aside) &&
                        !row->in_private)) {
        if (known_person) {
            answer_once(order,
                        row == NULL ? "unknown_command" : "command_in_thread");
        }
        return false;
    }
    if (order->confirmed || may_give(order, row->whose)) {
        row->obey(order);
    } else if (known_person) {
        answer_once(order, "command_moderators");
    }
    return true;
}

/* More commands than this in one post are not read. */
enum {
    COMMANDS_A_POST = 4
};

bool
office_opens(const struct house *house, const struct rich *rich)
{
    const char *prefix = house->place->settings.prefix;
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t line = 0;
    bool opens = false;
    while (!opens &&
           intent_command(rich, prefix, house->self, &line, &word, &rest)) {
        opens =
            strcmp(buf_text(&word), "new") == 0 ||
            catalogue_is_word(house->catalogue, "command_new", buf_text(&word));
        buf_clear(&word);
        buf_clear(&rest);
    }
    buf_release(&word);
    buf_release(&rest);
    return opens;
}

static unsigned
obey_lines(struct order *order)
{
    const struct docket *docket = order->docket;
    const char *prefix = docket->house->place->settings.prefix;
    size_t line = 0;
    unsigned count = 0;
    while (count < COMMANDS_A_POST &&
           intent_command(order->hearing->rich, prefix, docket->house->self,
                          &line, &order->word, &order->rest)) {
        (void)order_obey(order);
        buf_clear(&order->word);
        buf_clear(&order->rest);
        order->by_table = false;
        order->confirmed = false;
        count++;
    }
    buf_release(&order->word);
    buf_release(&order->rest);
    return count;
}

bool
office_hear(struct docket *docket, const struct hearing *hearing,
            const char *next_id)
{
    const struct house *house = docket->house;
    struct house private = *house;
    struct order order = {.docket = docket,
                          .hearing = hearing,
                          .table_catalogue = house->catalogue,
                          .next_id = next_id};
    if (!hearing->post->talk) {
        return obey_lines(&order) > 0;
    }
    /* Alone with somebody, the host speaks their language. */
    private.catalogue = speech_catalogue(
        house, docket->table, table_seat(docket->table, hearing->post->author));
    docket->house = &private;
    unsigned count = obey_lines(&order);
    docket->house = house;
    return count > 0;
}
