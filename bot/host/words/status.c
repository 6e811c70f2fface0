#include "bot/host/words/status.h"

#include <string.h>

#include "bot/host/words/rulebook.h"
#include "bot/host/words/stories.h"

/* Was the sign-up closed, so that there was no game? */
static bool
was_closed(const struct table *table)
{
    return table->state == TABLE_OVER && table->game.players == 0;
}

static const char *
line_key(const struct table *table)
{
    if (table->state == TABLE_SIGNUP) {
        return "status_signup";
    }
    if (table->state == TABLE_CHECK) {
        return "status_check";
    }
    if (table->state == TABLE_SEATED) {
        return "status_seated";
    }
    if (was_closed(table)) {
        return "status_closed";
    }
    if (table->state == TABLE_RUNNING && table->paused) {
        return "status_paused";
    }
    if (table->state == TABLE_RUNNING && table->announced != NO_SEAT) {
        return "status_aim";
    }
    switch ((enum question)table->game.question) {
    case QUESTION_NOMINATE:
        return "status_nominate";
    case QUESTION_VOTE:
        return "status_vote";
    case QUESTION_DISCARD: /* must not show which of the two */
    case QUESTION_ENACT:
        return "status_session";
    case QUESTION_VETO:
        return "status_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "status_power";
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return "status_over";
}

void
status_line(const struct host_env *env, const struct table *table,
            struct rich *out)
{
    struct speech speech;
    uint8_t ending = table->game.ending;
    speech_init(&speech, env, table, NULL);
    params_number(&speech.params, "voted",
                  speech_count(table->game.voted & game_present(&table->game)));
    if (table->announced != NO_SEAT && table->state == TABLE_RUNNING) {
        speech_set_time(&speech, "until", table->announced_due);
        speech_seat(&speech, "target", table->announced);
    }
    if (table->state == TABLE_CHECK) {
        speech_set_time(&speech, "until", table->check_ends);
        speech_seats(
            &speech, "unready",
            (seat_set)(((1U << table->seated) - 1) & ~(unsigned)table->ready));
    }
    params_number(&speech.params, "liberals_won",
                  ending == ENDING_FIVE_LIBERAL ||
                      ending == ENDING_HITLER_EXECUTED);
    params_number(&speech.params, "policies",
                  ending == ENDING_FIVE_LIBERAL ||
                      ending == ENDING_SIX_FASCIST);
    params_number(&speech.params, "fascists_won",
                  ending == ENDING_SIX_FASCIST ||
                      ending == ENDING_HITLER_CHANCELLOR);
    speech_add(&speech, line_key(table), out);
    if (table->state == TABLE_RUNNING && !table->paused) {
        speech_add_close(&speech, out);
    }
    speech_release(&speech);
}

const char *
status_asks(const struct game *game)
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

/* The key of the note in brackets after a seat; NULL: none. */
static const char *
seat_mark(const struct game *game, unsigned seat)
{
    seat_set bit = seat_bit(seat);
    if (!(game->living & bit)) {
        return "mark_executed";
    }
    if (game->vacant & bit) {
        return "mark_vacant";
    }
    if (game->question == QUESTION_NONE || game->question == QUESTION_DEAL) {
        return NULL;
    }
    bool office = game->in_session || game->due_power != POWER_NONE;
    if (seat == game->president) {
        return office ? "mark_president" : "mark_candidate";
    }
    if (seat == game->chancellor) {
        return office ? "mark_chancellor" : "mark_nominee";
    }
    if (game->question == QUESTION_NOMINATE && !(game_eligible(game) & bit)) {
        return "mark_limited";
    }
    return NULL;
}

static void
add_mark(const struct host_env *env, const char *key,
         const struct params *params, struct rich *marks)
{
    if (marks->text.len > 0) {
        catalogue_say(env->catalogue, "list_separator", NULL, marks);
    }
    catalogue_say(env->catalogue, key, params, marks);
}

/* Append the notes in brackets after a seat. */
static void
add_marks(const struct host_env *env, const struct table *table, unsigned seat,
          struct rich *marks)
{
    const char *mark = seat_mark(&table->game, seat);
    struct params params = {.count = 0};
    struct rich until = {.count = 0};
    if (mark != NULL) {
        add_mark(env, mark, NULL, marks);
    }
    if (seat_in(seat, table_cleared(table) & table->game.living)) {
        add_mark(env, "mark_cleared", NULL, marks);
    }
    if (table->state == TABLE_RUNNING &&
        seat_in(seat, table_away(table, env->now))) {
        speech_add_time(env, table, table->seats[seat].away, &until);
        params_rich(&params, "until", &until);
        add_mark(env, "mark_away", &params, marks);
    }
    rich_release(&until);
}

static void
say_seats(const struct host_env *env, const struct table *table,
          struct rich *out)
{
    struct rich seats = {.count = 0};
    for (unsigned seat = 0; seat < table->seated; seat++) {
        struct params params = {.count = 0};
        struct rich marks = {.count = 0};
        add_marks(env, table, seat, &marks);
        params_number(&params, "number", seat + 1);
        params_text(&params, "name", table->seats[seat].name);
        params_text(&params, "now", table->seats[seat].now);
        params_rich(&params, "marks", &marks);
        if (seat > 0) {
            catalogue_say(env->catalogue, "list_separator", NULL, &seats);
        }
        catalogue_say(env->catalogue, "status_seat", &params, &seats);
        rich_release(&marks);
    }
    struct params params = {.count = 0};
    params_rich(&params, "seats", &seats);
    rich_add_text(out, "\n", 0);
    catalogue_say(env->catalogue, "status_seats", &params, out);
    rich_release(&seats);
}

static const char *
outcome_key(enum past_outcome outcome)
{
    switch (outcome) {
    case PAST_NOT_YET:
        break;
    case PAST_NO_NAME:
        return "past_no_name";
    case PAST_REJECTED:
        return "past_rejected";
    case PAST_ENACTED:
        return "past_enacted";
    case PAST_VETOED:
        return "past_vetoed";
    case PAST_WON:
        return "past_won";
    }
    return "past_not_yet";
}

void
status_round(const struct host_env *env, const struct table *table,
             const struct past_round *round, bool claims, struct rich *out)
{
    struct rich outcome = {.count = 0};
    struct rich link = {.count = 0};
    struct rich stories = {.count = 0};
    struct params params = {.count = 0};
    params_number(&params, "round", round->round);
    params_number(&params, "ja", speech_count(round->ja));
    params_number(&params, "nein", speech_count(round->voted & ~round->ja));
    params_text(&params, "policy", speech_policy(env, round->liberal, false));
    params_text(&params, "president",
                table_name_then(table, round->president, round->president_was));
    if (round->chancellor != NO_SEAT) {
        params_text(
            &params, "chancellor",
            table_name_then(table, round->chancellor, round->chancellor_was));
    }
    if (round->chaos) {
        params_text(&params, "chaos",
                    speech_policy(env, round->chaos_liberal, false));
    }
    catalogue_say(env->catalogue,
                  outcome_key((enum past_outcome)round->outcome), &params,
                  &outcome);
    params_rich(&params, "outcome", &outcome);
    if (round->post[0] != '\0') {
        speech_add_link(env, table->thread, round->post, &link);
    }
    params_rich(&params, "link", &link);
    if (claims) {
        stories_add(env, table, round->round, &stories);
    }
    params_rich(&params, "stories", &stories);
    rich_add_text(out, "\n", 0);
    catalogue_say(env->catalogue, "status_round", &params, out);
    rich_release(&stories);
    rich_release(&link);
    rich_release(&outcome);
}

/* Say the rounds that are over, from one of the list on, and what is claimed
 * about them. */
static void
say_rounds(const struct host_env *env, const struct table *table, unsigned from,
           bool claims, struct rich *out)
{
    bool said = false;
    for (unsigned i = from; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        if (round->outcome == PAST_NOT_YET) {
            continue;
        }
        if (!said) {
            rich_add_text(out, "\n\n", 0);
            struct params params = {.count = 0};
            params_number(&params, "earlier", from > 0 ? round->round - 1 : 0);
            params_text(&params, "prefix", table->settings.prefix);
            catalogue_say(env->catalogue, "status_rounds", &params, out);
            said = true;
        }
        status_round(env, table, round, claims, out);
    }
}

static bool
has_ended_round(const struct table *table)
{
    unsigned i = 0;
    while (i < table->past_count && table->past[i].outcome == PAST_NOT_YET) {
        i++;
    }
    return i < table->past_count;
}

/* At a place's first table it is asked what nobody has said: when people sleep,
 * and whether votes that are decided stay open. */
static void
set_questions(struct params *params, const struct host_env *env,
              const struct table *table)
{
    const struct settings *settings = &table->settings;
    const struct history *history = env->history;
    struct rules rules;
    bool first = history != NULL && history->hosted != NULL &&
                 !history->hosted(history->context, env->place);
    table_rules(settings, &rules);
    params_number(params, "night",
                  first && settings->quiet[0] == '\0' &&
                      strcmp(settings->zone, "UTC") == 0);
    params_number(params, "early",
                  first && settings->vote_min == 0 &&
                      rules.vote_closes != VOTE_CLOSES_ALL);
}

/* Say the status, with the rounds from one of the list on. */
static void
say_from(const struct host_env *env, const struct table *table, unsigned from,
         struct rich *out)
{
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    if (table_is_coming(table) && table->game.players == 0) {
        rulebook_set(&speech);
        if (table->state == TABLE_CHECK) {
            speech_seats(&speech, "ready", table->ready);
            status_line(env, table, speech_rich(&speech, "line"));
            speech_say(&speech, "status_ready", out);
        } else {
            set_questions(&speech.params, env, table);
            speech_say(&speech, "signup", out);
        }
        speech_release(&speech);
        return;
    }
    status_line(env, table, speech_rich(&speech, "line"));
    params_number(&speech.params, "over", table->state == TABLE_OVER);
    speech_say(&speech, "status_head", out);
    if (was_closed(table)) {
        speech_release(&speech);
        return;
    }
    say_seats(env, table, out);
    rich_add_text(out, "\n", 0);
    speech_add(&speech, "boards", out);
    speech_release(&speech);
    say_rounds(env, table, from, table->settings.claims, out);
}

void
status_say(const struct host_env *env, const struct table *table,
           struct rich *out)
{
    struct measure measure = capabilities_measure(env->capabilities, false);
    bool whole = false;
    /* It is one post and can't be split: if it is too long for the service, the
     * oldest rounds are left out. */
    for (unsigned from = 0; !whole && from <= table->past_count; from++) {
        size_t next = 0;
        rich_clear(out);
        say_from(env, table, from, out);
        whole =
            measure.longest == 0 || out->text.len == 0 ||
            rich_piece(out, 0, env->dialect, &measure, &next) == out->text.len;
    }
}

void
status_pointer(const struct host_env *env, const struct table *table,
               struct rich *out)
{
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    speech_link(&speech, table->thread, "");
    params_number(&speech.params, "coming", table->state == TABLE_SIGNUP);
    params_number(&speech.params, "closed", was_closed(table));
    params_number(&speech.params, "over",
                  table->state == TABLE_OVER && !was_closed(table));
    speech_say(&speech, "pointer", out);
    speech_release(&speech);
}

void
status_history(const struct host_env *env, const struct table *table,
               struct rich *out)
{
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    params_number(&speech.params, "none", !has_ended_round(table));
    speech_say(&speech, "history", out);
    speech_release(&speech);
    say_rounds(env, table, 0, true, out);
}
