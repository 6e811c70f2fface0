#include "bot/host/office.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/speech.h"
#include "bot/host/words/status.h"

/* One command as it came. */
struct order {
    struct docket *docket;
    const struct hearing *hearing;
    const char *next_id;
    struct buf word; /* without the prefix */
    struct buf rest; /* of the line */
};

/* ---- answers ------------------------------------------------------------- */

static void
say_player(struct order *order, struct speech *speech)
{
    const struct post *post = order->hearing->post;
    params_person(&speech->params, "player", post->author, post->author_name);
}

/* Answer where it was asked: in the thread, or in the private talk. */
static struct letter *
answer_text(struct order *order, struct rich *text)
{
    const struct post *post = order->hearing->post;
    return post->talk ? docket_private(order->docket, post->author, text)
                      : docket_post(order->docket, text);
}

static struct letter *
answer_speech(struct order *order, struct speech *speech, const char *key)
{
    struct rich text = {.count = 0};
    say_player(order, speech);
    speech_say(speech, key, &text);
    struct letter *letter = answer_text(order, &text);
    rich_release(&text);
    return letter;
}

static struct letter *
answer(struct order *order, const char *key)
{
    struct speech speech;
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    struct letter *letter = answer_speech(order, &speech, key);
    speech_release(&speech);
    return letter;
}

/* Answer with the command as it was given, cut short. */
static struct letter *
answer_quoting(struct order *order, const char *key)
{
    struct speech speech;
    struct buf word = BUF_INIT;
    buf_init(&word, 40);
    buf_add_buf(&word, &order->word);
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    params_text(&speech.params, "word", buf_text(&word));
    struct letter *letter = answer_speech(order, &speech, key);
    speech_release(&speech);
    buf_release(&word);
    return letter;
}

static void
acknowledge(struct order *order)
{
    const struct house *house = order->docket->house;
    struct buf emoji = BUF_INIT;
    if (house->traits->reactions) {
        catalogue_text(house->catalogue, "ack_vote", NULL, &emoji);
        docket_react(order->docket, order->hearing->post, buf_text(&emoji));
    }
    buf_release(&emoji);
}

static bool
is_moderator(const struct order *order)
{
    const struct place *place = order->docket->house->place;
    for (unsigned i = 0; i < place->moderator_count; i++) {
        if (strcmp(place->moderators[i], order->hearing->post->author) == 0) {
            return true;
        }
    }
    return false;
}

static bool
is_player(const struct order *order)
{
    const struct table *table = order->docket->table;
    return table->state != TABLE_OVER &&
           table_seat(table, order->hearing->post->author) != NO_SEAT;
}

/* ---- opening a table ----------------------------------------------------- */

/* "7-10", "7" */
static bool
read_players(const char *text, struct move *move)
{
    char *end = NULL;
    unsigned long least = strtoul(text, &end, 10);
    unsigned long most = least;
    if (end == text) {
        return false;
    }
    if (*end == '-') {
        const char *second = end + 1;
        most = strtoul(second, &end, 10);
        if (end == second) {
            return false;
        }
    }
    if (*end != '\0' || least < PLAYERS_MIN || most > PLAYERS_MAX ||
        least > most) {
        return false;
    }
    move->players_min = (unsigned)least;
    move->players_max = (unsigned)most;
    return true;
}

/* Read one option=value of `!new`; else append what is wrong with it. */
static bool
read_option(struct order *order, char *option, struct move *move,
            struct buf *problem)
{
    const struct catalogue *catalogue = order->docket->house->catalogue;
    char *value = strchr(option, '=');
    if (value == NULL) {
        struct params params = {.count = 0};
        params_text(&params, "word", option);
        catalogue_text(catalogue, "bad_word", &params, problem);
        return false;
    }
    *value++ = '\0';
    if (strcmp(option, "players") == 0) {
        if (!read_players(value, move)) {
            catalogue_text(catalogue, "bad_players", NULL, problem);
            return false;
        }
        return true;
    }
    return settings_set(&move->settings, option, value, problem) == ERR_NONE;
}

static bool
read_options(struct order *order, struct move *move, struct buf *problem)
{
    char *rest = buf_take(&order->rest);
    char *save = NULL;
    bool good = true;
    for (char *option = strtok_r(rest, " \t", &save); good && option != NULL;
         option = strtok_r(NULL, " \t", &save)) {
        good = read_option(order, option, move, problem);
    }
    free(rest);
    return good && settings_check(&move->settings, problem) == ERR_NONE;
}

static void
refuse_new(struct order *order, const char *problem)
{
    struct speech speech;
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    params_text(&speech.params, "problem", problem);
    (void)answer_speech(order, &speech, "new_bad");
    speech_release(&speech);
}

static void
open_table(struct order *order)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    struct move move = docket_move(docket, MOVE_OPEN, post->stamp);
    struct buf problem = BUF_INIT;
    move.settings = docket->house->place->settings;
    move.players_min = PLAYERS_MIN;
    move.players_max = PLAYERS_MAX;
    (void)snprintf(move.id, sizeof move.id, "%s", order->next_id);
    (void)snprintf(move.place, sizeof move.place, "%s",
                   docket->house->place->name);
    (void)snprintf(move.thread, sizeof move.thread, "%s", post->place);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (!read_options(order, &move, &problem)) {
        refuse_new(order, buf_text(&problem));
    } else {
        const struct dealer *dealer = docket->house->dealer;
        dealer->throw_secret(dealer->context, move.secret);
        (void)docket_play(docket, &move);
        acknowledge(order);
    }
    buf_release(&problem);
}

static void
order_new(struct order *order)
{
    struct docket *docket = order->docket;
    const struct place *place = docket->house->place;
    const struct table *table = docket->table;
    if (place->moderator_count > 0 && !is_moderator(order)) {
        struct speech speech;
        speech_init(&speech, docket->house, table, NULL);
        for (unsigned i = 0; i < place->moderator_count; i++) {
            params_person(&speech.params, "moderators", place->moderators[i],
                          place->moderators[i]);
        }
        (void)answer_speech(order, &speech, "new_not_allowed");
        speech_release(&speech);
    } else if (table->id[0] != '\0' && table->state != TABLE_OVER) {
        (void)answer(order, "new_running");
    } else {
        open_table(order);
    }
}

/* ---- coming and going ---------------------------------------------------- */

static bool
signup_is_open(struct order *order)
{
    const struct table *table = order->docket->table;
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        (void)answer(order, "signup_none");
        return false;
    }
    return table->state == TABLE_SIGNUP;
}

/* Somebody at the table whose name reads the same, or NULL. */
static const char *
clashing_name(const struct table *table, const char *name)
{
    for (unsigned i = 0; i < table->seated; i++) {
        if (names_compare(table->people[i].name, name) == NAMES_CLASH) {
            return table->people[i].name;
        }
    }
    return NULL;
}

static void
start_table(struct order *order)
{
    struct docket *docket = order->docket;
    struct move move =
        docket_move(docket, MOVE_START, order->hearing->post->stamp);
    (void)docket_play(docket, &move);
}

static void
join_as(struct order *order, const char *name)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    const char *other = clashing_name(docket->table, name);
    if (other != NULL) {
        struct speech speech;
        speech_init(&speech, docket->house, docket->table, NULL);
        params_text(&speech.params, "other", other);
        (void)answer_speech(order, &speech, "signup_name_clash");
        speech_release(&speech);
        return;
    }
    struct move move = docket_move(docket, MOVE_JOIN, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)snprintf(move.name, sizeof move.name, "%s", name);
    (void)docket_play(docket, &move);
    acknowledge(order);
    if (docket->table->seated == docket->table->players_max) {
        start_table(order);
    }
}

static void
order_join(struct order *order)
{
    const struct table *table = order->docket->table;
    const struct post *post = order->hearing->post;
    if (!signup_is_open(order)) {
        if (table->state == TABLE_RUNNING) {
            (void)answer(order, "signup_too_late");
        }
        return;
    }
    if (table_seat(table, post->author) != NO_SEAT) {
        (void)answer(order, "signup_joined_already");
        return;
    }
    if (table->seated == table->players_max) {
        (void)answer(order, "signup_full");
        return;
    }
    struct buf name = BUF_INIT;
    if (name_clean(post->author_name, &name)) {
        join_as(order, buf_text(&name));
    } else {
        (void)answer(order, "signup_name_empty");
    }
    buf_release(&name);
}

static void
order_leave(struct order *order)
{
    const struct post *post = order->hearing->post;
    if (!is_player(order)) {
        (void)answer(order, "signup_not_in");
        return;
    }
    if (!signup_is_open(order)) {
        (void)answer(order, "signup_leave_late");
        return;
    }
    struct move move = docket_move(order->docket, MOVE_LEAVE, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)docket_play(order->docket, &move);
    acknowledge(order);
}

static void
order_start(struct order *order)
{
    const struct table *table = order->docket->table;
    if (!signup_is_open(order)) {
        if (table->state == TABLE_RUNNING) {
            (void)answer_quoting(order, "command_late");
        }
        return;
    }
    if (!is_moderator(order) &&
        strcmp(table->opener, order->hearing->post->author) != 0) {
        (void)answer(order, "signup_not_yours");
        return;
    }
    if (table->seated < table->players_min) {
        struct speech speech;
        speech_init(&speech, order->docket->house, table, NULL);
        params_number(&speech.params, "missing",
                      table->players_min - table->seated);
        (void)answer_speech(order, &speech, "signup_too_few");
        speech_release(&speech);
        return;
    }
    start_table(order);
}

/* ---- questions ----------------------------------------------------------- */

static void
order_status(struct order *order)
{
    const struct table *table = order->docket->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0') {
        (void)answer(order, "signup_none");
        return;
    }
    status_say(order->docket->house, table, &text);
    (void)answer_text(order, &text);
    rich_release(&text);
}

/* What a player who is awaited can do now. */
static const char *
help_awaited(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "help_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "help_vote_sealed"
                                                   : "help_vote";
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        return "help_session";
    case QUESTION_VETO:
        return "help_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "help_power";
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return "help_wait";
}

static const char *
help_key(const struct table *table, unsigned seat)
{
    const struct game *game = &table->game;
    if (table->state == TABLE_SIGNUP) {
        return "help_signup";
    }
    if (!(game->living & seat_bit(seat))) {
        return "help_executed";
    }
    bool session =
        game->question == QUESTION_DISCARD || game->question == QUESTION_ENACT;
    /* In a session everybody gets the same answer: who is awaited is a tell. */
    if (session || (game_awaits(game).seats & seat_bit(seat))) {
        return help_awaited(game);
    }
    return game->question == QUESTION_VOTE ? "help_voted" : "help_wait";
}

static void
order_help(struct order *order)
{
    const struct table *table = order->docket->table;
    unsigned seat = table_seat(table, order->hearing->post->author);
    struct speech speech;
    struct rich line = {.count = 0};
    speech_init(&speech, order->docket->house, table, NULL);
    bool open = table->id[0] != '\0';
    params_number(&speech.params, "signup",
                  open && table->state == TABLE_SIGNUP);
    params_number(&speech.params, "running", table->state == TABLE_RUNNING);
    const char *key = "help_out";
    if (open && seat != NO_SEAT && table->state != TABLE_OVER) {
        key = help_key(table, seat);
        status_line(order->docket->house, table, &line);
        params_rich(&speech.params, "line", &line);
        params_number(
            &speech.params, "voted",
            speech_count(table->game.voted & game_present(&table->game)));
    }
    (void)answer_speech(order, &speech, key);
    rich_release(&line);
    speech_release(&speech);
}

/* ---- the commands -------------------------------------------------------- */

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
    struct letter *letter = answer_quoting(order, "unknown_command");
    docket_once(order->docket, letter, order->hearing->post->author, "unknown",
                AGAIN_DROP);
}

static void
obey(struct order *order)
{
    const struct catalogue *catalogue = order->docket->house->catalogue;
    const char *word = buf_text(&order->word);
    bool known_person = is_player(order) || is_moderator(order);
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
