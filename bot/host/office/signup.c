#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/office/order.h"
#include "bot/host/reading/names.h"

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
    (void)order_answer_speech(order, &speech, "new_bad");
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
        order_acknowledge(order);
    }
    buf_release(&problem);
}

void
order_new(struct order *order)
{
    struct docket *docket = order->docket;
    const struct place *place = docket->house->place;
    const struct table *table = docket->table;
    if (place->moderator_count > 0 && !order_by_moderator(order)) {
        struct speech speech;
        speech_init(&speech, docket->house, table, NULL);
        for (unsigned i = 0; i < place->moderator_count; i++) {
            params_person(&speech.params, "moderators", place->moderators[i],
                          place->moderators[i]);
        }
        (void)order_answer_speech(order, &speech, "new_not_allowed");
        speech_release(&speech);
    } else if (table->id[0] != '\0' && table->state != TABLE_OVER) {
        (void)order_answer(order, "new_running");
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
        (void)order_answer(order, "signup_none");
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
        (void)order_answer_speech(order, &speech, "signup_name_clash");
        speech_release(&speech);
        return;
    }
    struct move move = docket_move(docket, MOVE_JOIN, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)snprintf(move.name, sizeof move.name, "%s", name);
    (void)docket_play(docket, &move);
    order_acknowledge(order);
    if (docket->table->seated == docket->table->players_max) {
        start_table(order);
    }
}

void
order_join(struct order *order)
{
    const struct table *table = order->docket->table;
    const struct post *post = order->hearing->post;
    if (!signup_is_open(order)) {
        if (table->state == TABLE_RUNNING) {
            (void)order_answer(order, "signup_too_late");
        }
        return;
    }
    if (table_seat(table, post->author) != NO_SEAT) {
        (void)order_answer(order, "signup_joined_already");
        return;
    }
    if (table->seated == table->players_max) {
        (void)order_answer(order, "signup_full");
        return;
    }
    struct buf name = BUF_INIT;
    if (name_clean(post->author_name, &name)) {
        join_as(order, buf_text(&name));
    } else {
        (void)order_answer(order, "signup_name_empty");
    }
    buf_release(&name);
}

void
order_leave(struct order *order)
{
    const struct post *post = order->hearing->post;
    if (!order_by_player(order)) {
        (void)order_answer(order, "signup_not_in");
        return;
    }
    if (!signup_is_open(order)) {
        (void)order_answer(order, "signup_leave_late");
        return;
    }
    struct move move = docket_move(order->docket, MOVE_LEAVE, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)docket_play(order->docket, &move);
    order_acknowledge(order);
}

void
order_start(struct order *order)
{
    const struct table *table = order->docket->table;
    if (!signup_is_open(order)) {
        if (table->state == TABLE_RUNNING) {
            (void)order_answer_quoting(order, "command_late");
        }
        return;
    }
    if (!order_by_moderator(order) &&
        strcmp(table->opener, order->hearing->post->author) != 0) {
        (void)order_answer(order, "signup_not_yours");
        return;
    }
    if (table->seated < table->players_min) {
        struct speech speech;
        speech_init(&speech, order->docket->house, table, NULL);
        params_number(&speech.params, "missing",
                      table->players_min - table->seated);
        (void)order_answer_speech(order, &speech, "signup_too_few");
        speech_release(&speech);
        return;
    }
    start_table(order);
}
