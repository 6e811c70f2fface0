#include "bot/host/words/speech.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/host/table/slot.h"
#include "bot/host/words/style.h"

enum {
    COMMAND_LENGTH = 5 /* of "!join" */
};

static const char *
word(const struct host_env *env, const char *key)
{
    const char *found = language_find(&env->catalogue->language, key);
    return found == NULL ? key : found;
}

const struct catalogue *
speech_catalogue(const struct host_env *env, const struct table *table,
                 unsigned seat)
{
    const struct catalogue *own = NULL;
    const char *language =
        seat < table->seated ? table->seats[seat].language : "";
    struct buf why = BUF_INIT;
    if (language[0] == '\0' || env->catalogues == NULL ||
        catalogues_open(env->catalogues, language, table->settings.theme, &own,
                        &why) != ERR_NONE) {
        own = env->catalogue; /* a theme need not exist in every language */
    }
    buf_release(&why);
    return own;
}

const struct zone *
speech_zone(const struct host_env *env, const struct table *table,
            unsigned seat)
{
    const char *name = seat < table->seated ? table->seats[seat].zone : "";
    const struct zone *own = NULL;
    if (name[0] != '\0' && env->zones != NULL) {
        own = zones_find(env->zones, name);
    }
    return own; /* the machine may know it no more */
}

const char *
speech_party(const struct host_env *env, bool liberal)
{
    return word(env, liberal ? "party_liberal" : "party_fascist");
}

const char *
speech_policy(const struct host_env *env, bool liberal, bool big)
{
    if (big) {
        return word(env, liberal ? "liberal_big" : "fascist_big");
    }
    return word(env, liberal ? "liberal" : "fascist");
}

void
speech_power(const struct host_env *env, enum power power, unsigned nth,
             struct buf *out)
{
    if (power != POWER_NONE) {
        buf_add_text(out, word(env, catalogue_power_key(power, nth)));
    }
}

unsigned
speech_count(seat_set seats)
{
    unsigned count = 0;
    for (seat_set rest = seats; rest != 0; rest &= (seat_set)(rest - 1)) {
        count++;
    }
    return count;
}

void
speech_letters(const struct host_env *env, struct pile pile, struct buf *out)
{
    for (unsigned i = 0; i < pile.count; i++) {
        buf_add_text(out,
                     word(env, pile_is_liberal(pile, i) ? "letter_liberal"
                                                        : "letter_fascist"));
    }
}

void
speech_order(struct pile hand, bool chancellor, uint8_t order[3])
{
    for (uint8_t i = 0; i < 3; i++) {
        order[i] = i;
    }
    /* The chancellor's two are shown Liberal first, whatever the order. */
    if (chancellor && !pile_is_liberal(hand, 0) && pile_is_liberal(hand, 1)) {
        order[0] = 1;
        order[1] = 0;
    }
}

const struct past_round *
speech_round(const struct table *table, unsigned round)
{
    for (unsigned i = table->past_count; i-- > 0;) {
        if (table->past[i].round == round) {
            return &table->past[i];
        }
    }
    return NULL;
}

struct buf *
speech_text(struct speech *speech, const char *name)
{
    assert(speech->text_count < SPEECH_OWN);
    struct buf *text = &speech->texts[speech->text_count++];
    params_buf(&speech->params, name, text);
    return text;
}

struct rich *
speech_rich(struct speech *speech, const char *name)
{
    assert(speech->rich_count < SPEECH_OWN);
    struct rich *rich = &speech->riches[speech->rich_count++];
    params_rich(&speech->params, name, rich);
    return rich;
}

void
speech_cut(struct speech *speech, const char *name, const char *text,
           size_t most)
{
    struct buf *cut = speech_text(speech, name);
    buf_init(cut, most);
    buf_add_text(cut, text);
}

void
speech_moderators(struct speech *speech)
{
    const struct place *place = speech->env->place;
    for (unsigned i = 0; i < place_moderators(place); i++) {
        const char *id = place->moderators[i];
        const char *name = place->moderator_names[i];
        params_person(&speech->params, "moderators", id,
                      name[0] != '\0' ? name : id);
        /* At many services an id is a number, which tells nobody anything. */
        if (name[0] != '\0' || id[strspn(id, "0123456789")] != '\0') {
            params_person(&speech->params, "called", id,
                          name[0] != '\0' ? name : id);
        }
    }
}

void
speech_seat(struct speech *speech, const char *name, unsigned seat)
{
    if (seat < speech->table->seated) {
        const struct seat *person = &speech->table->seats[seat];
        params_person(&speech->params, name, person->user, person->name);
    }
}

void
speech_seats(struct speech *speech, const char *name, seat_set seats)
{
    for (unsigned seat = 0; seat < speech->table->seated; seat++) {
        if (seats & seat_bit(seat)) {
            speech_seat(speech, name, seat);
        }
    }
}

void
speech_roles(struct speech *speech)
{
    const struct table *table = speech->table;
    const struct game *game = &table->game;
    seat_set all = (seat_set)((1U << table->seated) - 1);
    speech_seat(speech, "hitler", game->hitler);
    speech_seats(speech, "fascists", game->fascists);
    speech_seats(speech, "liberals",
                 (seat_set)(all & ~game->fascists & ~seat_bit(game->hitler)));
    params_number(&speech->params, "fascist_count",
                  game_fascist_count(table->seated));
}

void
speech_government(struct speech *speech, const struct past_round *round)
{
    const struct table *table = speech->table;
    params_text(&speech->params, "president",
                table_name_then(table, round->president, round->president_was));
    if (round->chancellor != NO_SEAT) {
        params_text(
            &speech->params, "chancellor",
            table_name_then(table, round->chancellor, round->chancellor_was));
    }
}

void
speech_voters(struct speech *speech, const char *name,
              const struct past_round *round, seat_set seats)
{
    for (unsigned seat = 0; seat < speech->table->seated; seat++) {
        if (seat_in(seat, seats)) {
            params_person(
                &speech->params, name, "",
                table_name_then(speech->table, seat, round->voter_was[seat]));
        }
    }
}

static void
add_vote(const struct speech *speech, const struct past_round *round,
         unsigned seat, struct rich *list)
{
    const struct host_env *env = speech->env;
    struct params params = speech->params;
    struct buf shown = BUF_INIT;
    struct rich time = {.count = 0};
    int64_t at = speech->table->voted_at[seat];
    speech_time(env, speech->table, at, &shown);
    rich_add_time(&time, at, buf_text(&shown), MARK_CLOCK);
    params_text(&params, "name",
                table_name_then(speech->table, seat, round->voter_was[seat]));
    params_number(&params, "agrees", seat_in(seat, round->ja));
    params_rich(&params, "time", &time);
    if (list->text.len > 0) {
        catalogue_say(env->catalogue, "list_separator", NULL, list);
    }
    catalogue_say(env->catalogue, "vote_one", &params, list);
    rich_release(&time);
    buf_release(&shown);
}

void
speech_order_votes(struct speech *speech, const struct past_round *round)
{
    const struct table *table = speech->table;
    seat_set left = round->voted;
    if (!speech->env->cards || table->game.rules.ballot == BALLOT_SEALED ||
        round->round != table->vote_round) {
        return;
    }
    struct rich *list = speech_rich(speech, "votes");
    while (left != 0) {
        unsigned next = NO_SEAT;
        for (unsigned seat = 0; seat < table->seated; seat++) {
            if (seat_in(seat, left) &&
                (next == NO_SEAT ||
                 table->voted_at[seat] < table->voted_at[next])) {
                next = seat;
            }
        }
        if (next == NO_SEAT) {
            return;
        }
        left &= (seat_set)~seat_bit(next);
        add_vote(speech, round, next, list);
    }
}

void
speech_votes(struct speech *speech, const struct table *table,
             const struct past_round *round, bool secret)
{
    seat_set present =
        round->present != 0 ? round->present : game_present(&table->game);
    params_number(&speech->params, "secret", secret);
    params_number(&speech->params, "voted_count", speech_count(round->voted));
    params_number(&speech->params, "voters", speech_count(present));
    if (!secret) {
        speech_order_votes(speech, round);
        speech_voters(speech, "ja_people", round, round->ja);
        speech_voters(speech, "nein_people", round,
                      (seat_set)(round->voted & ~round->ja));
    }
    speech_voters(speech, "missing", round,
                  (seat_set)(present & ~round->voted));
    speech_government(speech, round);
    params_number(&speech->params, "named", round->chancellor != NO_SEAT);
}

void
speech_add(struct speech *speech, const char *key, struct rich *out)
{
    catalogue_say(speech->env->catalogue, key, &speech->params, out);
}

void
speech_say(struct speech *speech, const char *key, struct rich *out)
{
    if (out->text.len > 0) {
        rich_add_text(out, "\n\n", 0);
    }
    speech_add(speech, key, out);
}

struct message *
speech_post(struct speech *speech, struct ruling *ruling, const char *key)
{
    struct rich text = {.count = 0};
    speech_say(speech, key, &text);
    return ruling_post(ruling, &text);
}

void
speech_begin_notice(struct speech *speech, struct ruling *ruling,
                    const char *key)
{
    struct rich text = {.count = 0};
    speech_add(speech, key, &text);
    ruling_begin_notice(ruling, &text);
}

void
speech_add_close(struct speech *speech, struct rich *out)
{
    const struct table *table = speech->table;
    const struct game *game = &table->game;
    int64_t held = table->held_until;
    unsigned present = speech_count(game_present(game));
    bool half =
        table->vote_closes == VOTE_CLOSES_DECIDED && !game_tie_may_elect(game);
    if (game->question != QUESTION_VOTE ||
        table->vote_closes == VOTE_CLOSES_ALL) {
        return;
    }
    speech_set_time(speech, "open_until",
                    held < table->deadline ? held : table->deadline);
    params_number(&speech->params, "against",
                  half ? (present + 1) / 2 : present / 2 + 1);
    speech_add(speech, "vote_ends", out);
}

void
speech_reason(const struct speech *speech, const char *key, struct move *move)
{
    struct buf reason = BUF_INIT;
    buf_init(&reason, sizeof move->text - 1);
    catalogue_text(speech->env->catalogue, key, &speech->params, &reason);
    memcpy(move->text, buf_text(&reason), reason.len + 1);
    buf_release(&reason);
}

/* ---- the shared parameters ----------------------------------------------- */

/* Add `text` as code, in the way people type `form` there.  If the service
 * accepts no post that short, add `more` after it ("": nothing may be added on
 * its line).  True: it is too short. */
static bool
add_example(struct rich *out, const struct host_env *env, const char *form,
            const char *text, const char *more)
{
    const char *hole = strstr(form, "%s");
    struct buf typed = BUF_INIT;
    buf_addf(&typed, "%.*s%s%s", (int)(hole - form), form, text, hole + 2);
    bool is_short = length_of(LENGTH_POINTS, buf_text(&typed), typed.len) <
                    env->capabilities->shortest;
    if (is_short && *more != '\0') {
        buf_addf(&typed, " %s", more);
    }
    rich_add(out, buf_text(&typed), typed.len, MARK_CODE);
    buf_release(&typed);
    return is_short;
}

/* Examples of an answer always show both words: if pasted back, they don't
 * count but are asked about. */
static bool
add_both(struct rich *out, const struct host_env *env, const char *one,
         const char *other, const char *more)
{
    const char *form = env->dialect->bold_example;
    bool is_short = add_example(out, env, form, one, more);
    rich_add_text(out, word(env, "or"), 0);
    return add_example(out, env, form, other, more) || is_short;
}

/* Say after an example that more has to be written on other lines. */
static void
add_longer(struct speech *speech, struct rich *out)
{
    struct buf text = BUF_INIT;
    catalogue_text(speech->env->catalogue, "example_longer", &speech->params,
                   &text);
    rich_add_text(out, " ", 0);
    rich_add(out, buf_text(&text), text.len, 0);
    buf_release(&text);
}

const char *
speech_vote(const struct speech *speech, bool ja)
{
    const struct vote_words *words = &speech->vocabulary.votes;
    return ja ? words->ja[0] : words->nein[0];
}

static void
speak_votes(struct speech *speech)
{
    vocabulary_bare(speech_vote(speech, true), speech_text(speech, "yes"));
    vocabulary_bare(speech_vote(speech, false), speech_text(speech, "no"));
    /* A sealed vote is one word. */
    (void)add_both(speech_rich(speech, "vote_example"), speech->env,
                   speech_vote(speech, true), speech_vote(speech, false),
                   speech->table->game.rules.ballot == BALLOT_SEALED
                       ? ""
                       : word(speech->env, "example_more"));
}

/* The first word of each answer is the one shown. */
static void
add_veto_example(struct speech *speech)
{
    const struct host_env *env = speech->env;
    struct rich *example = speech_rich(speech, "veto_example");
    struct buf approved = BUF_INIT;
    struct buf declined = BUF_INIT;
    const char *yes = word(env, "veto_approved");
    const char *no = word(env, "veto_declined");
    buf_add(&approved, yes, strcspn(yes, " "));
    buf_add(&declined, no, strcspn(no, " "));
    if (add_both(example, env, buf_text(&approved), buf_text(&declined), "")) {
        add_longer(speech, example);
    }
    buf_release(&approved);
    buf_release(&declined);
}

/* How the name of a player is typed. */
static void
add_name_example(struct speech *speech, const char *name, struct rich *out)
{
    const struct host_env *env = speech->env;
    bool red = capabilities_require_red(env->capabilities,
                                        speech->table->settings.red);
    if (add_example(out, env,
                    red ? env->dialect->red_example
                        : env->dialect->bold_example,
                    name, "")) {
        add_longer(speech, out);
    }
    params_number(&speech->params, "red", red);
}

void
speech_slip(struct speech *speech, const char *key)
{
    if (key != NULL) {
        speech_add(speech, key, speech_rich(speech, "slip"));
    }
}

void
speech_example(struct speech *speech, unsigned seat)
{
    add_name_example(speech, speech->table->seats[seat].name,
                     speech_rich(speech, "paste"));
}

static void
speak_examples(struct speech *speech)
{
    const struct host_env *env = speech->env;
    params_number(&speech->params, "shortest",
                  env->capabilities->shortest > COMMAND_LENGTH
                      ? (int64_t)env->capabilities->shortest
                      : 0);
    speak_votes(speech);
    add_veto_example(speech);
    add_name_example(speech, word(env, "example_name"),
                     speech_rich(speech, "name_example"));
}

static void
add_tiles(const struct host_env *env, bool wanted, const char *full,
          unsigned count, unsigned of, struct buf *out)
{
    for (unsigned i = 0; wanted && i < of; i++) {
        buf_add_text(out, word(env, i < count ? full : "tile_empty"));
    }
}

/* The number of discards that everybody may know: in a session, the number
 * before it, because one more would show that the president has chosen. */
static unsigned
known_discards(const struct game *game)
{
    unsigned discards = game->discarded_liberal + game->discarded_fascist;
    unsigned of_session = HAND_TILES - game->hand.count;
    return game->in_session ? discards - of_session : discards;
}

static void
speak_boards(struct speech *speech)
{
    const struct host_env *env = speech->env;
    const struct game *game = &speech->table->game;
    struct params *params = &speech->params;
    params_number(params, "liberal", game->liberal);
    params_number(params, "fascist", game->fascist);
    params_number(params, "deck", game->draw.count);
    params_number(params, "discards", known_discards(game));
    params_number(params, "tracker", game->tracker);
    params_number(params, "tracker_next", game->tracker + 1);
    params_number(params, "last_chance", game->tracker >= 2);
    bool tiles = speech->table->settings.emoji && !env->no_emoji;
    add_tiles(env, tiles, "tile_liberal", game->liberal, 5,
              speech_text(speech, "liberal_tiles"));
    add_tiles(env, tiles, "tile_fascist", game->fascist, 6,
              speech_text(speech, "fascist_tiles"));
    unsigned nth = game->fascist + 1U;
    if (nth <= 5 && !game_is_over(game)) {
        speech_power(env, game_track_power(game->players, nth), nth,
                     speech_text(speech, "next_power"));
    }
    params_number(params, "veto_open",
                  game->fascist == FASCIST_VETO && !game_is_over(game));
    speech_add(speech, "boards", speech_rich(speech, "boards"));
}

static void
speak_people(struct speech *speech, const struct past_round *round)
{
    const struct table *table = speech->table;
    const struct game *game = &table->game;
    struct params *params = &speech->params;
    struct awaits awaits = game_awaits(game);
    params_number(params, "round", round == NULL ? 0 : round->round);
    if (round != NULL) {
        speech_seat(speech, "president", round->president);
        speech_seat(speech, "chancellor", round->chancellor);
    }
    params_number(params, "vacant",
                  game->president != NO_SEAT &&
                      seat_in(game->president, game->vacant));
    params_number(params, "present", speech_count(game_present(game)));
    params_number(params, "majority", game_majority(game));
    params_number(params, "special", game->special);
    params_number(params, "danger",
                  game->fascist >= FASCIST_DANGER &&
                      (round == NULL || round->chancellor == NO_SEAT ||
                       !seat_in(round->chancellor, table_cleared(table))));
    params_number(params, "may_veto", awaits.may_veto);
    params_number(params, "enacting",
                  game->rules.term_limit == TERM_LIMIT_LAST_ENACTED);
    speech_seats(speech, "choices", awaits.choices);
    speech_seats(speech, "awaited", awaits.seats);
    speech_seats(speech, "everybody", (seat_set)((1U << table->seated) - 1));
    if (table->state == TABLE_RUNNING) {
        unsigned next = game_next_candidate(game);
        speech_seat(speech, "next", next);
        params_number(params, "twice", next == game->president);
    }
}

static void
speak_nomination(struct speech *speech)
{
    const struct game *game = &speech->table->game;
    if (game->question != QUESTION_NOMINATE) {
        return;
    }
    seat_set eligible = game_eligible(game);
    seat_set limited =
        (seat_set)(game_present(game) & ~eligible & ~seat_bit(game->president));
    speech_seats(speech, "eligible", eligible);
    speech_seats(speech, "limited", limited);
}

/* Are a table's phases so short that minutes are too coarse? */
static bool
is_quick(const struct settings *settings)
{
    enum {
        QUICK_MS = 10 * 60 * 1000
    };
    return settings->nomination < QUICK_MS || settings->election < QUICK_MS ||
           settings->president < QUICK_MS || settings->chancellor < QUICK_MS ||
           settings->veto < QUICK_MS || settings->power < QUICK_MS;
}

void
speech_quote(const struct table *table, const char *text, struct buf *out)
{
    char user[ADAPTER_ID_MAX + 1];

    while (*text != '\0') {
        size_t digits = text[0] == '@' ? strspn(text + 1, "0123456789") : 0;
        unsigned seat = NO_SEAT;

        if (digits > 0 && digits < sizeof(user)) {
            (void)snprintf(user, sizeof(user), "%.*s", (int)digits, text + 1);
            seat = table_seat(table, user);
        }
        if (seat != NO_SEAT) {
            buf_add_text(out, table->seats[seat].name);
        } else {
            buf_add(out, text, 1 + digits);
        }
        text += 1 + digits;
    }
}

void
speech_time(const struct host_env *env, const struct table *table,
            int64_t instant, struct buf *out)
{
    if (is_quick(&table->settings)) {
        catalogue_time_exact(env->catalogue, instant, env_reader_zone(env),
                             out);
    } else {
        catalogue_time(env->catalogue, instant, env_reader_zone(env), out);
    }
}

/* As a mark if the service has such marks, which show no seconds. */
static void
add_time(const struct host_env *env, const struct table *table, int64_t instant,
         bool slot, struct rich *out)
{
    struct buf text = BUF_INIT;
    speech_time(env, table, instant, &text);
    if (slot) {
        slot_put(&text);
    }
    if (env->dialect->times && !is_quick(&table->settings)) {
        rich_add_time(out, instant, buf_text(&text), 0);
    } else {
        rich_add_text(out, buf_text(&text), 0);
    }
    buf_release(&text);
}

void
speech_add_time(const struct host_env *env, const struct table *table,
                int64_t instant, struct rich *out)
{
    add_time(env, table, instant, false, out);
}

void
speech_set_time(struct speech *speech, const char *name, int64_t instant)
{
    struct rich *out = speech_rich(speech, name);
    if (instant != 0) {
        add_time(speech->env, speech->table, instant, false, out);
    }
}

static void
speak_time(struct speech *speech, const char *name, int64_t instant)
{
    struct rich *out = speech_rich(speech, name);
    if (instant != 0) {
        add_time(speech->env, speech->table, instant, speech->slots, out);
    }
}

static void
speak_deadlines(struct speech *speech)
{
    const struct table *table = speech->table;
    int64_t deadline = table_waits(table) ? 0 : table->deadline;
    int64_t session = deadline != 0 ? table->session_ends : 0;
    speak_time(speech, "deadline", deadline);
    speak_time(speech, "session_deadline", session);
    bool secret = table->game.question == QUESTION_DISCARD ||
                  table->game.question == QUESTION_ENACT;
    speak_time(speech, "due", secret ? session : deadline);
}

static void
speak_times(struct speech *speech)
{
    const struct table *table = speech->table;
    params_number(&speech->params, "paused", table->paused);
    speech_set_time(speech, "pause_ends",
                    table->paused ? table->pause_ends : 0);
    speak_deadlines(speech);
}

void
speech_open_slots(struct speech *speech)
{
    speech->slots = true;
    speak_deadlines(speech);
}

/* The longest that a phase can take: to a daily hour, whole days. */
static int64_t
phase_length(const struct settings *settings, int64_t phase)
{
    bool daily = settings->daily[0] != '\0';
    return daily ? (phase + DAY_MS - 1) / DAY_MS * DAY_MS : phase;
}

/* The longest time of a round, and of one with a veto and a power; how long a
 * game of seven to fourteen such rounds is. */
static void
speak_pace(struct speech *speech)
{
    const struct settings *set = &speech->table->settings;
    const struct catalogue *catalogue = speech->env->catalogue;
    struct params *params = &speech->params;
    int64_t length = phase_length(set, set->election) +
                     phase_length(set, set->president) +
                     phase_length(set, set->chancellor);
    int64_t more = phase_length(set, set->veto) + phase_length(set, set->power);
    int64_t days = length + DAY_MS / 2;
    if (length > 0) {
        catalogue_duration(catalogue, length,
                           speech_text(speech, "round_length"));
        catalogue_duration(catalogue, length + more,
                           speech_text(speech, "longer_length"));
    }
    params_number(params, "quick", length < DAY_MS);
    params_number(params, "weeks_least", days / DAY_MS);
    params_number(params, "weeks_most", (days + length) / DAY_MS);
    params_number(params, "leisure",
                  set->nomination >= 12 * HOUR_MS &&
                      set->president >= 12 * HOUR_MS &&
                      set->chancellor >= 12 * HOUR_MS);
    params_number(params, "rests",
                  set->quiet[0] != '\0' || set->days_off[0] != '\0');
    params_number(params, "free",
                  speech->env->place == NULL ||
                      !place_is_moderated(speech->env->place));
}

static const char *
opener_name(const struct table *table)
{
    unsigned seat = table_seat(table, table->opener);
    if (seat != NO_SEAT) {
        return table->seats[seat].name;
    }
    return table->opener_name[0] == '\0' ? table->opener : table->opener_name;
}

static void
speak_signup(struct speech *speech)
{
    const struct table *table = speech->table;
    struct params *params = &speech->params;
    const char *timeout = table->settings.power_timeout;
    params_text(params, "table", table->id);
    params_text(params, "prefix", table->settings.prefix);
    params_text(params, "opener", opener_name(table));
    params_number(params, "least", table->players_min);
    params_number(params, "most", table->players_max);
    params_number(params, "fewer", table->players_min < table->players_max);
    params_number(params, "count", table->seated);
    params_number(params, "seated", table->seated);
    params_number(params, "lots",
                  strcmp(table->settings.cards_timeout, "lots") == 0);
    params_number(params, "forfeits", strcmp(timeout, "forfeit") == 0);
    params_number(params, "power_lots", strcmp(timeout, "lots") == 0);
    for (unsigned i = 0; i < table->seated; i++) {
        speech_seat(speech, "players", i);
    }
    for (unsigned i = 0; i < table->reserve_count; i++) {
        params_person(params, "reserves", table->reserves[i].user,
                      table->reserves[i].name);
    }
    speak_time(speech, "starts", table->starts);
    speak_pace(speech);
}

void
speech_set_style(struct speech *speech, const struct past_round *round,
                 enum question question, unsigned seat)
{
    params_set_number(&speech->params, "full",
                      style_is_full_for(speech->table, round, question, seat));
}

/* What buttons are called, where the host's posts have some. */
static void
speak_buttons(struct speech *speech)
{
    static const struct {
        const char *name, *key;
    } labels[] = {{"button", "button_cards"},
                  {"join_button", "button_join"},
                  {"ready_button", "button_ready"}};
    const struct language *language = &speech->env->catalogue->language;
    params_number(&speech->params, "buttons", speech->env->buttons);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        params_text(&speech->params, labels[i].name,
                    speech->env->buttons
                        ? language_find(language, labels[i].key)
                        : NULL);
    }
}

static void
fill(struct speech *speech, const struct past_round *round)
{
    const struct host_env *env = speech->env;
    const struct table *table = speech->table;
    speak_signup(speech);
    speak_buttons(speech);
    speak_examples(speech);
    round = round == NULL ? table_round(table) : round;
    params_number(&speech->params, "full", style_is_full(table, round));
    if (table->game.players == 0) {
        return;
    }
    speak_people(speech, round);
    speak_nomination(speech);
    speak_times(speech);
    speak_boards(speech);
    speech_power(env, (enum power)table->game.due_power,
                 table->game.fascist == 5 ? 0 : table->game.fascist,
                 speech_text(speech, "power"));
}

void
speech_init(struct speech *speech, const struct host_env *env,
            const struct table *table, const struct past_round *round)
{
    speech_init_for(speech, env, table, round, NO_SEAT);
}

void
speech_init_for(struct speech *speech, const struct host_env *env,
                const struct table *table, const struct past_round *round,
                unsigned seat)
{
    memset(speech, 0, sizeof *speech);
    speech->own = *env;
    speech->own.catalogue = speech_catalogue(env, table, seat);
    if (seat != NO_SEAT) {
        speech->own.reader_zone = speech_zone(env, table, seat);
        speech->own.no_emoji = table->seats[seat].no_emoji;
    }
    speech->env = &speech->own;
    speech->table = table;
    vocabulary_init(&speech->vocabulary, env->catalogue, &table->settings);
    fill(speech, round);
}

void
speech_add_link(const struct host_env *env, const char *place, const char *post,
                struct rich *link)
{
    struct buf text = BUF_INIT;
    env_link(env, place, post, &text);
    rich_add_text(link, buf_text(&text), MARK_ADDRESS);
    buf_release(&text);
}

struct rich *
speech_link(struct speech *speech, const char *place, const char *post)
{
    struct rich *link = speech_rich(speech, "link");
    speech_add_link(speech->env, place, post, link);
    return link;
}

void
speech_release(struct speech *speech)
{
    for (unsigned i = 0; i < speech->text_count; i++) {
        buf_wipe(&speech->texts[i]); /* cards may be among them */
    }
    for (unsigned i = 0; i < speech->rich_count; i++) {
        rich_wipe(&speech->riches[i]);
    }
}
