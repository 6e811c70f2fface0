#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/problem.h"
#include "bot/host/words/proof.h"

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
    if (strcmp(option, "start") == 0) {
        const struct house *house = order->docket->house;
        if (!vocabulary_read_moment(catalogue, value, house->now, house->zone,
                                    &move->until)) {
            catalogue_text(catalogue, "bad_start", NULL, problem);
            return false;
        }
        return true;
    }
    struct complaint complaint;
    if (!settings_try(&move->settings, option, value, &complaint)) {
        problem_say(catalogue, &complaint, &move->settings, problem);
        return false;
    }
    return true;
}

/* Take the next option off a text: blanks part options, but not within
 * quotation marks, which fall away; also those that phones write. */
static bool
next_option(const char **text, struct buf *option)
{
    static const char *const marks[] = {"\"", "\xe2\x80\x9c", "\xe2\x80\x9d",
                                        "\xe2\x80\x9e"};
    bool quoted = false;
    const char *at = *text + strspn(*text, " \t");
    buf_clear(option);
    while (*at != '\0' && (quoted || (*at != ' ' && *at != '\t'))) {
        size_t len = 0;
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            if (strncmp(at, marks[i], strlen(marks[i])) == 0) {
                len = strlen(marks[i]);
            }
        }
        if (len > 0) {
            quoted = !quoted;
            at += len;
        } else {
            buf_add_char(option, *at++);
        }
    }
    *text = at;
    return option->len > 0;
}

static bool
read_options(struct order *order, struct move *move, struct buf *problem)
{
    const char *rest = buf_text(&order->rest);
    struct buf option = BUF_INIT;
    struct complaint complaint;
    bool good = true;
    while (good && next_option(&rest, &option)) {
        good = read_option(order, option.data, move, problem);
    }
    buf_release(&option);
    if (good && !settings_fit(&move->settings, &complaint)) {
        problem_say(order->docket->house->catalogue, &complaint,
                    &move->settings, problem);
        good = false;
    }
    return good;
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
call_for_thread(struct docket *docket)
{
    struct speech speech;
    struct rich title = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_say(&speech, "thread_title", &title);
    docket_open(docket, &title);
    rich_release(&title);
    speech_release(&speech);
}

/* Open a table with the options of `move`, and those that are given. */
static bool
open_table(struct order *order, struct move *options)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    struct move move = *options;
    struct buf problem = BUF_INIT;
    (void)snprintf(move.id, sizeof move.id, "%s", order->next_id);
    (void)snprintf(move.place, sizeof move.place, "%s",
                   docket->house->place->name);
    (void)snprintf(move.thread, sizeof move.thread, "%s",
                   docket->house->home[0] != '\0' ? docket->house->home
                                                  : post->place);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    bool good = read_options(order, &move, &problem);
    if (!good) {
        refuse_new(order, buf_text(&problem));
    } else {
        const struct dealer *dealer = docket->house->dealer;
        move.fair = dealer->throw_secret != NULL;
        if (move.fair) {
            dealer->throw_secret(dealer->context, move.secret);
        }
        move.number =
            move.settings.new_thread && docket->house->traits->threads;
        (void)docket_play(docket, &move);
        order_acknowledge(order);
        docket->opened = true;
        if (docket->table->opening) {
            call_for_thread(docket);
        }
    }
    sodium_memzero(&move, sizeof move);
    buf_release(&problem);
    return good;
}

/* May the author open a table here, now?  Else say why not. */
static bool
may_open(struct order *order)
{
    const struct docket *docket = order->docket;
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
        return true;
    }
    return false;
}

void
order_new(struct order *order)
{
    const struct docket *docket = order->docket;
    struct move move =
        docket_move(docket, MOVE_OPEN, order->hearing->post->stamp);
    move.settings = docket->house->place->settings;
    move.players_min = PLAYERS_MIN;
    move.players_max = PLAYERS_MAX;
    if (may_open(order)) {
        (void)open_table(order, &move);
    }
}

/* All who sat at a table that is over are called to the next. */
static void
invite(struct order *order, const struct table *old)
{
    struct docket *docket = order->docket;
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    params_text(&speech.params, "old", old->id);
    for (unsigned seat = 0; seat < old->seated; seat++) {
        params_person(&speech.params, "everybody", old->people[seat].user,
                      old->people[seat].name);
    }
    speech_say(&speech, "again", &text);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

void
order_again(struct order *order)
{
    const struct docket *docket = order->docket;
    const struct annals *annals = docket->house->annals;
    struct move move =
        docket_move(docket, MOVE_OPEN, order->hearing->post->stamp);
    struct table *old = must_alloc(sizeof *old);
    if (!may_open(order)) {
        free(old);
        return;
    }
    if (annals == NULL ||
        !annals->last(annals->context, order->hearing->post->place,
                      docket->house->place, old) ||
        old->seated == 0) {
        (void)order_answer(order, "again_none");
    } else {
        move.settings = old->settings;
        move.players_min = old->players_min;
        move.players_max = old->players_max;
        if (open_table(order, &move)) {
            invite(order, old);
        }
    }
    free(old);
}

/* ---- coming and going ---------------------------------------------------- */

/* Can people still come?  Else, where no table is on, say so. */
static bool
signup_is_open(struct order *order)
{
    const struct table *table = order->docket->table;
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        order_answer_none(order);
        return false;
    }
    return table_is_coming(table);
}

static void
join_as(struct order *order, const char *name)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    if (!order_own_name_is_free(order, name)) {
        return;
    }
    struct move move = docket_move(docket, MOVE_JOIN, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)snprintf(move.name, sizeof move.name, "%s", name);
    (void)docket_play(docket, &move);
    order_acknowledge(order);
    if (docket->table->state == TABLE_CHECK) {
        ready_welcome(docket, docket->table->seated - 1);
    } else if (docket->table->seated == docket->table->players_max) {
        ready_end_signup(order->docket, order->hearing->post->stamp);
    }
}

void
order_join(struct order *order)
{
    const struct table *table = order->docket->table;
    const struct post *post = order->hearing->post;
    if (table->id[0] != '\0' && table->state == TABLE_RUNNING) {
        order_take_seat(order);
        return;
    }
    if (!signup_is_open(order)) {
        if (table_is_seated(table)) {
            (void)order_answer(order, "signup_too_late");
        }
        return;
    }
    if (table_seat(table, post->author) != NO_SEAT) {
        (void)order_answer(order, "signup_joined_already");
        return;
    }
    if (table->seated == table->players_max) {
        (void)order_answer(order, table->state == TABLE_CHECK
                                      ? "signup_full_check"
                                      : "signup_full");
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
order_reserve(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    struct buf name = BUF_INIT;
    struct move move = docket_move(docket, MOVE_RESERVE, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        order_answer_none(order);
    } else if (!table_may(table, &move)) {
        (void)order_answer(order, table_reserve(table, post->author) != NO_SEAT
                                      ? "reserve_already"
                                  : table_is_former(table, post->author)
                                      ? "join_former"
                                      : "reserve_full");
    } else if (!name_clean(post->author_name, &name)) {
        (void)order_answer(order, "signup_name_empty");
    } else if (order_own_name_is_free(order, buf_text(&name))) {
        (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
        (void)docket_play(docket, &move);
        order_acknowledge(order);
    }
    buf_release(&name);
}

void
order_alias(struct order *order)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    struct buf name = BUF_INIT;
    struct move move = docket_move(docket, MOVE_ALIAS, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (!order_by_player(order)) {
        (void)order_answer(order, "signup_not_in");
    } else if (!name_clean(buf_text(&order->rest), &name) ||
               name.len > TABLE_ALIAS_MAX) {
        (void)order_answer(order, "alias_bad");
    } else if (order_name_is_free(order, buf_text(&name))) {
        (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
        (void)docket_play(docket, &move);
        order_acknowledge(order);
    }
    buf_release(&name);
}

void
order_leave(struct order *order)
{
    const struct post *post = order->hearing->post;
    const struct table *table = order->docket->table;
    bool reserve = table_reserve(table, post->author) != NO_SEAT;
    if (!order_by_player(order) && !reserve) {
        (void)order_answer(order, "signup_not_in");
        return;
    }
    if (!reserve && table_is_seated(table)) {
        order_ask_replacement(order);
        return;
    }
    struct move move = docket_move(order->docket, MOVE_LEAVE, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)docket_play(order->docket, &move);
    order_acknowledge(order);
    if (table->state == TABLE_CHECK && !reserve) {
        ready_left(order->docket, post->stamp);
    }
}

void
order_start(struct order *order)
{
    const struct table *table = order->docket->table;
    if (!signup_is_open(order)) {
        if (table_is_seated(table)) {
            (void)order_answer_quoting(order, "command_late");
        }
        return;
    }
    if (!order_by_moderator(order) &&
        strcmp(table->opener, order->hearing->post->author) != 0) {
        (void)order_answer(order, "signup_not_yours");
        return;
    }
    if (table->state == TABLE_CHECK) {
        ready_start(order);
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
    ready_end_signup(order->docket, order->hearing->post->stamp);
}

void
order_set_players(struct order *order, const char *value)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    int64_t stamp = order->hearing->post->stamp;
    struct move move = docket_move(docket, MOVE_PLAYERS, stamp);
    struct speech speech;
    if (!read_players(value, &move)) {
        struct buf problem = BUF_INIT;
        catalogue_text(docket->house->catalogue, "bad_players", NULL, &problem);
        order_refuse_setting(order, buf_text(&problem));
        buf_release(&problem);
    } else if (!table_may(table, &move)) {
        (void)order_answer(order, "set_players_joined");
    } else if (move.players_min == table->players_min &&
               move.players_max == table->players_max) {
        (void)order_answer(order, "set_same");
    } else {
        (void)docket_play(docket, &move);
        speech_init(&speech, docket->house, table, NULL);
        order_tell(order, &speech, "set_players");
        speech_release(&speech);
        if (table->state == TABLE_SIGNUP &&
            table->seated == table->players_max) {
            ready_end_signup(docket, stamp);
        }
    }
}

void
signup_name(struct docket *docket, const struct hearing *hearing)
{
    const struct table *table = docket->table;
    const struct post *post = hearing->post;
    unsigned seat = table_seat(table, post->author);
    struct move move = docket_move(docket, MOVE_RENAME, post->stamp);
    struct buf name = BUF_INIT;
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (seat != NO_SEAT && table_may(table, &move) &&
        name_clean(post->author_name, &name)) {
        const struct person *person = &table->people[seat];
        const char *known = person->now[0] != '\0' ? person->now : person->name;
        if (strcmp(known, buf_text(&name)) != 0) {
            (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
            (void)docket_play(docket, &move);
        }
    }
    buf_release(&name);
}
