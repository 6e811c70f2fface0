#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/index.h"
#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/problem.h"
#include "bot/host/words/proof.h"
#include "bot/host/words/times.h"

/* ---- opening a table ----------------------------------------------------- */

bool
chat_commands_players(const char *text, unsigned *least, unsigned *most)
{
    char *end = NULL;
    unsigned long first = strtoul(text, &end, 10);
    unsigned long last = first;
    if (end != text && *end == '-') {
        text = end + 1;
        last = strtoul(text, &end, 10);
    }
    if (end == text || *end != '\0' || first < PLAYERS_MIN ||
        last > PLAYERS_MAX || first > last) {
        return false;
    }
    *least = (unsigned)first;
    *most = (unsigned)last;
    return true;
}

/* Read one option=value of `!new`; otherwise append what is wrong with it. */
static bool
read_option(struct chat_command *chat, char *option, struct move *move,
            struct buf *problem)
{
    const struct catalogue *catalogue = chat->ruling->env->catalogue;
    char *value = strchr(option, '=');
    if (value == NULL) {
        struct params params = {.count = 0};
        params_text(&params, "word", option);
        catalogue_text(catalogue, "bad_word", &params, problem);
        return false;
    }
    *value++ = '\0';
    if (strcmp(option, "players") == 0) {
        if (!chat_commands_players(value, &move->players_min,
                                   &move->players_max)) {
            catalogue_text(catalogue, "bad_players", NULL, problem);
            return false;
        }
        return true;
    }
    if (strcmp(option, "start") == 0) {
        const struct host_env *env = chat->ruling->env;
        const struct times times = {catalogue, env->now, env->zone,
                                    NULL,      -1,       env->zones};
        size_t used = times_read_moment(&times, value, &move->until);
        if (used == 0 || value[used + times_gap(value + used)] != '\0') {
            catalogue_text(catalogue, "bad_start", NULL, problem);
            return false;
        }
        return true;
    }
    struct complaint complaint;
    struct buf plain = BUF_INIT; /* "24h" for "24 hours" */
    if (times_plain_length(catalogue, value, &plain)) {
        value = plain.data;
    }
    bool good = settings_try(&move->settings, option, value, &complaint);
    if (!good) {
        problem_say(catalogue, &complaint, &move->settings, problem);
    }
    buf_release(&plain);
    return good;
}

static bool
read_options(struct chat_command *chat, struct move *move, struct buf *problem)
{
    const char *rest = buf_text(&chat->rest);
    struct buf option = BUF_INIT;
    struct complaint complaint;
    /* What is configured was checked there; `play --replay` needs old rules. */
    bool unfit = !settings_fit(&chat->ruling->env->place->settings, &complaint);
    bool good = true;
    while (good && chat_next_option(&rest, &option)) {
        good = read_option(chat, option.data, move, problem);
    }
    buf_release(&option);
    if (good && !unfit && !settings_fit(&move->settings, &complaint)) {
        problem_say(chat->ruling->env->catalogue, &complaint, &move->settings,
                    problem);
        good = false;
    }
    return good;
}

static void
call_for_thread(struct ruling *ruling)
{
    struct speech speech;
    struct rich title = {.count = 0};
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_say(&speech, "thread_title", &title);
    ruling_open(ruling, &title);
    speech_release(&speech);
}

/* Open a table with the options of `move`, and those that are given. */
static bool
open_table(struct chat_command *chat, struct move *options)
{
    struct ruling *ruling = chat->ruling;
    const struct post *post = chat->input->post;
    struct move move = *options;
    struct buf problem = BUF_INIT;
    struct buf name = BUF_INIT;
    (void)snprintf(move.id, sizeof move.id, "%s", chat->next_id);
    (void)snprintf(move.place, sizeof move.place, "%s",
                   ruling->env->place->name);
    (void)snprintf(move.thread, sizeof move.thread, "%s",
                   ruling->env->home[0] != '\0' ? ruling->env->home
                                                : post->place);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (name_clean(post->author_name, &name) &&
        !chat_name_deceives(chat, buf_text(&name))) {
        (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
    }
    bool good = read_options(chat, &move, &problem);
    if (!good) {
        chat_answer_with(chat, "new_bad", "problem", buf_text(&problem));
    } else {
        const struct dealer *dealer = ruling->env->dealer;
        settings_complete(&move.settings);
        move.fair = dealer->generate_secret != NULL;
        if (move.fair) {
            dealer->generate_secret(dealer->context, move.secret);
        }
        move.own_thread =
            move.settings.new_thread && ruling->env->capabilities->threads;
        (void)ruling_play(ruling, &move);
        chat_acknowledge(chat);
        ruling->opened = true;
        if (ruling->table->opening) {
            call_for_thread(ruling);
        }
    }
    sodium_memzero(&move, sizeof move);
    buf_release(&problem);
    buf_release(&name);
    return good;
}

/* May the author open a table here, now?  If not, say why. */
static bool
may_open(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    const struct place *place = ruling->env->place;
    const struct table *table = ruling->table;
    bool barred = place_is_moderated(place) && !chat_by_moderator(chat);
    if (barred || (table->id[0] != '\0' && table->state != TABLE_OVER)) {
        struct speech *speech = chat_speech(chat);
        speech_moderators(speech);
        params_number(&speech->params, "coming", table_is_coming(table));
        (void)chat_answer(chat, barred ? "new_not_allowed" : "new_running");
    } else if (ruling->env->opens_too_many) {
        (void)chat_answer(chat, "new_enough");
    } else {
        return true;
    }
    return false;
}

void
chat_new(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    struct move move = chat_begin_move(chat, MOVE_OPEN);
    move.settings = ruling->env->place->settings;
    move.players_min = PLAYERS_MIN;
    move.players_max = PLAYERS_MAX;
    if (may_open(chat)) {
        (void)open_table(chat, &move);
    }
}

/* Call everybody who sat at a table that is over to the next one. */
static void
invite(struct chat_command *chat, const struct table *old)
{
    struct speech *speech = chat_speech(chat);
    params_text(&speech->params, "old", old->id);
    for (unsigned seat = 0; seat < old->seated; seat++) {
        params_person(&speech->params, "everybody", old->seats[seat].user,
                      old->seats[seat].name);
    }
    chat_post(chat, "again");
}

void
chat_again(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    const struct history *history = ruling->env->history;
    struct move move = chat_begin_move(chat, MOVE_OPEN);
    struct table old;
    if (!may_open(chat)) {
        return;
    }
    table_init(&old);
    if (history == NULL ||
        !history->last(history->context, chat->input->post->place,
                       ruling->env->place, &old) ||
        old.seated == 0) {
        (void)chat_answer(chat, "again_none");
    } else {
        move.settings = old.settings;
        move.players_min = old.players_min;
        move.players_max = old.players_max;
        if (open_table(chat, &move)) {
            invite(chat, &old);
        }
    }
    table_release(&old);
}

/* ---- coming and going ---------------------------------------------------- */

/* Can people still join?  If there is no table, say so. */
static bool
signup_is_open(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        chat_answer_none(chat);
        return false;
    }
    return table_is_coming(table);
}

static void
join(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct move move = chat_move(chat, MOVE_JOIN);
    if (!chat_take_own_name(chat, &move)) {
        return;
    }
    (void)ruling_play(ruling, &move);
    chat_acknowledge(chat);
    chat_ask_for_name(chat, &move);
    if (ruling->table->state == TABLE_CHECK) {
        ready_welcome(ruling, ruling->table->seated - 1);
    } else if (ruling->table->seated == ruling->table->players_max) {
        ready_end_signup(chat->ruling, chat->input->post->stamp);
    }
}

void
chat_join(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const struct post *post = chat->input->post;
    if (table->id[0] != '\0' && table->state == TABLE_RUNNING) {
        if (chat_may_join(chat)) {
            chat_take_seat(chat);
        }
        return;
    }
    if (!signup_is_open(chat)) {
        if (table_is_seated(table)) {
            (void)chat_answer(chat, "signup_too_late");
        }
        return;
    }
    if (!chat_may_join(chat)) {
        return;
    }
    if (table_seat(table, post->author) != NO_SEAT) {
        (void)chat_answer(chat, "signup_joined_already");
        return;
    }
    if (table->seated == table->players_max) {
        (void)chat_answer(chat, table->state == TABLE_CHECK
                                    ? "signup_full_check"
                                    : "signup_full");
        return;
    }
    join(chat);
}

void
chat_reserve(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    struct move move = chat_move(chat, MOVE_RESERVE);
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        chat_answer_none(chat);
    } else if (!table_may(table, &move)) {
        (void)chat_answer(
            chat, table_reserve(table, move.user) != NO_SEAT ? "reserve_already"
                  : table_is_former(table, move.user)        ? "join_former"
                  : table_is_watcher(table, move.user)       ? "join_gallery"
                                                             : "reserve_full");
    } else if (chat_may_join(chat) && chat_take_own_name(chat, &move)) {
        (void)ruling_play(ruling, &move);
        chat_acknowledge(chat);
        chat_ask_for_name(chat, &move);
    }
}

/* Has the host chosen a name for the author, which may still change? */
static bool
is_held(const struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    const char *author = chat->input->post->author;
    unsigned seat = table_seat(table, author);
    unsigned reserve = table_reserve(table, author);
    return table_is_coming(table) &&
           ((seat != NO_SEAT && table->seats[seat].held) ||
            (reserve != NO_SEAT && table->reserves[reserve].held));
}

void
chat_alias(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    struct buf name = BUF_INIT;
    struct move move = chat_move(chat, MOVE_ALIAS);
    bool held = is_held(chat);
    if (!chat_by_player(chat) && !held) {
        (void)chat_answer(chat, "signup_not_in");
    } else if (!name_clean(buf_text(&chat->rest), &name) ||
               name.len > SEAT_ALIAS_MAX ||
               chat_name_deceives(chat, buf_text(&name))) {
        (void)chat_answer(chat, "alias_bad");
    } else if (held) {
        if (chat_take_given_name(chat, buf_text(&name), &move)) {
            (void)ruling_play(ruling, &move);
            chat_acknowledge(chat);
        }
    } else if (chat_alias_is_free(chat, buf_text(&name))) {
        (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
        (void)ruling_play(ruling, &move);
        chat_acknowledge(chat);
    }
    buf_release(&name);
}

void
chat_leave(struct chat_command *chat)
{
    const struct post *post = chat->input->post;
    const struct table *table = chat->ruling->table;
    bool reserve = table_reserve(table, post->author) != NO_SEAT;
    if (!chat_by_player(chat) && !reserve) {
        (void)chat_answer(chat, "signup_not_in");
        return;
    }
    if (!reserve && table_is_seated(table)) {
        chat_ask_replacement(chat);
        return;
    }
    chat_acknowledge(chat);
    chat_take_off(chat, post->author);
}

/* ---- being forgotten ----------------------------------------------------- */

/* It is confirmed by a number that is the author's own, so that it needs no
 * table. */
void
chat_forget(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const char *author = chat->input->post->author;
    const char *said = strpbrk(buf_text(&chat->rest), "123456789");
    unsigned number =
        100000 + (unsigned)(index_key("who is forgotten", author) % 900000);
    bool confirms = said != NULL && strtoul(said, NULL, 10) == number;
    bool plays =
        chat_by_player(chat) || table_reserve(ruling->table, author) != NO_SEAT;
    if (confirms && plays) {
        chat_leave(chat);
    }
    if (confirms) {
        (void)snprintf(ruling->forgets, sizeof ruling->forgets, "%s", author);
    }
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "plays", plays);
    params_number(&speech->params, "request", number);
    (void)chat_answer(chat, confirms ? "forget_done" : "forget_asks");
}

void
chat_start(struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    if (!signup_is_open(chat)) {
        if (table_is_seated(table)) {
            (void)chat_answer_quoting(chat, "command_late");
        }
        return;
    }
    if (!chat_by_moderator(chat) &&
        strcmp(table->opener, chat->input->post->author) != 0) {
        (void)chat_answer(chat, "signup_not_yours");
        return;
    }
    if (table->state == TABLE_CHECK) {
        ready_start(chat);
        return;
    }
    if (table->seated < table->players_min) {
        params_number(&chat_speech(chat)->params, "missing",
                      table->players_min - table->seated);
        (void)chat_answer(chat, "signup_too_few");
        return;
    }
    ready_end_signup(chat->ruling, chat->input->post->stamp);
}

void
chat_set_players(struct chat_command *chat, const char *value)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    int64_t stamp = chat->input->post->stamp;
    struct move move = ruling_move(ruling, MOVE_PLAYERS, stamp);
    if (!chat_commands_players(value, &move.players_min, &move.players_max)) {
        struct buf problem = BUF_INIT;
        catalogue_text(ruling->env->catalogue, "bad_players", NULL, &problem);
        chat_refuse_setting(chat, buf_text(&problem));
        buf_release(&problem);
    } else if (!table_may(table, &move)) {
        (void)chat_answer(chat, "set_players_joined");
    } else if (move.players_min == table->players_min &&
               move.players_max == table->players_max) {
        (void)chat_answer(chat, "set_same");
    } else {
        (void)ruling_play(ruling, &move);
        chat_tell(chat, "set_players");
        if (table->state == TABLE_SIGNUP &&
            table->seated == table->players_max) {
            ready_end_signup(ruling, stamp);
        }
    }
}

/* Is it what somebody at a table is called by now? */
static bool
is_known_name(const struct seat *person, const char *name)
{
    const char *known = person->now[0] != '\0' ? person->now : person->name;
    return strcmp(known, name) == 0;
}

void
signup_name(struct ruling *ruling, const struct input *input)
{
    const struct table *table = ruling->table;
    const struct post *post = input->post;
    unsigned seat = table_seat(table, post->author);
    struct chat_command chat = {.ruling = ruling, .input = input};
    struct move move = chat_move(&chat, MOVE_RENAME);
    struct buf name = BUF_INIT;
    if (seat != NO_SEAT && !post->unmet && table_may(table, &move) &&
        name_clean(post->author_name, &name) &&
        !is_known_name(&table->seats[seat], buf_text(&name)) &&
        !chat_name_deceives(&chat, buf_text(&name))) {
        (void)snprintf(move.name, sizeof move.name, "%s", buf_text(&name));
        (void)ruling_play(ruling, &move);
    }
    buf_release(&name);
}
