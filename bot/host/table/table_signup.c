/* The sign-up: people come and go, the rules are agreed on, seats are fixed. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/base/text.h"
#include "bot/host/table/table_inner.h"

void
table_rules(const struct settings *settings, struct rules *rules)
{
    bool known = rules_set_preset(rules, settings->preset);
    assert(known);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        if (settings->rules[i][0] != '\0') {
            known = rules_set(rules, rules_options[i].name, settings->rules[i]);
            assert(known);
        }
    }
    (void)known;
}

/* The same as the engine plays them, and as the record has them: with
 * `vote_min` the host says when a vote is over, and not the engine. */
static void
played_rules(const struct settings *settings, struct rules *rules)
{
    table_rules(settings, rules);
    if (settings->vote_min > 0) {
        rules->vote_closes = VOTE_CLOSES_ALL;
    }
}

/* ---- the fair deal ------------------------------------------------------- */

void
table_commitment(const struct table *table, char commitment[DEAL_HEX + 1])
{
    assert(table->fair);
    deal_commit(table->secret, table->id, commitment);
}

void
table_transcript(const struct table *table, struct buf *out)
{
    struct deal_player players[PLAYERS_MAX];
    struct rules rules;
    char commitment[DEAL_HEX + 1];
    for (unsigned i = 0; i < table->seated; i++) {
        const struct seat *person = &table->seats[i];
        players[i] =
            (struct deal_player){person->user, person->post, person->words};
    }
    played_rules(&table->settings, &rules);
    table_commitment(table, commitment);
    deal_transcript(table->id, commitment, table->settings.preset, &rules,
                    players, table->seated, out);
}

/* ---- sign-up ------------------------------------------------------------- */

/* Before the start the record has no other line. */
void
table_write_opened(struct table *table, struct buf *lines)
{
    const struct record_head first = {0, table->began};
    char commitment[DEAL_HEX + 1] = "";
    struct rules rules;
    assert(table->seq <= 1 && table_is_coming(table));
    table->seq = 1;
    if (table->fair) {
        table_commitment(table, commitment);
    }
    played_rules(&table->settings, &rules);
    record_write_opened(lines, first, table->id, table->settings.preset, &rules,
                        table->fair ? commitment : NULL);
}

void
apply_open(struct table *table, const struct move *move, struct made *made)
{
    table_release(table);
    (void)snprintf(table->id, sizeof table->id, "%s", move->id);
    name_set(&table->place, move->place);
    name_set(&table->thread, move->thread);
    name_set(&table->opener, move->user);
    name_set(&table->opener_name, move->name);
    table->state = TABLE_SIGNUP;
    table->settings = move->settings;
    table->players_min = move->players_min;
    table->players_max = move->players_max;
    table->starts = move->until;
    table->opened = move->now;
    table->opening = move->own_thread;
    table->announced = NO_SEAT;
    table->fair = move->fair;
    table->began = move->at;
    if (table->fair) {
        memcpy(table->secret, move->secret, sizeof table->secret);
    }
    table_write_opened(table, made->lines);
}

bool
may_players(const struct table *table, const struct move *move)
{
    return move->players_min >= PLAYERS_MIN &&
           move->players_min <= move->players_max &&
           move->players_max <= PLAYERS_MAX &&
           table->seated <= move->players_max &&
           (table->state == TABLE_SIGNUP || move->players_min <= table->seated);
}

/* From now on the game is in a thread of its own, if that was opened in
 * time. */
void
apply_thread(struct table *table, const struct move *move, struct made *made)
{
    (void)made;
    table->opening = false;
    if (move->thread[0] != '\0') {
        name_set(&table->home, table->thread);
        name_set(&table->thread, move->thread);
    }
}

static void
sit_down(struct seat *person, const struct move *move)
{
    seat_init(person);
    name_set(&person->user, move->user);
    name_set(&person->name, move->name);
    name_set(&person->post, move->post);
    person->held = move->held;
}

static void
take_person(struct seat *list, unsigned *count, unsigned at)
{
    seat_release(&list[at]);
    table_cut(list, count, at, sizeof list[0]);
    seat_init(&list[*count]);
}

/* Take somebody off the table and the reserve, before the game. */
void
table_take_out(struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    unsigned reserve = table_reserve(table, user);
    if (reserve != NO_SEAT) {
        take_person(table->reserves, &table->reserve_count, reserve);
    }
    if (seat != NO_SEAT && table_is_coming(table)) {
        seat_set before = (seat_set)(seat_bit(seat) - 1);
        table->ready =
            (seat_set)((table->ready & before) | (table->ready >> 1 & ~before));
        take_person(table->seats, &table->seated, seat);
    }
}

/* In the game: may a player ask to be replaced, or stay after all? */
static bool
may_turn(const struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    bool present = table->state == TABLE_RUNNING && seat != NO_SEAT &&
                   seat_in(seat, game_present(&table->game));
    return present &&
           seat_in(seat, table->leaving) == (move->kind == MOVE_JOIN);
}

bool
may_join(const struct table *table, const struct move *move)
{
    return (table_is_coming(table) && table->seated < table->players_max &&
            table_seat(table, move->user) == NO_SEAT) ||
           may_turn(table, move);
}

void
apply_join(struct table *table, const struct move *move, struct made *made)
{
    unsigned seat = made->seat;
    unsigned reserve = table_reserve(table, move->user);
    if (table->state == TABLE_RUNNING) {
        table->leaving &= (seat_set)~seat_bit(seat);
        return;
    }
    struct seat *person = &table->seats[table->seated];
    sit_down(person, move);
    if (reserve != NO_SEAT) {
        const struct seat *before = &table->reserves[reserve];
        name_set(&person->words, before->words);
        if (person->post[0] == '\0') { /* the clock moved them up */
            name_set(&person->post, before->post);
        }
    }
    table_take_out(table, move->user);
    table->seated++;
}

bool
may_reserve(const struct table *table, const struct move *move)
{
    bool seated = table_seat(table, move->user) != NO_SEAT;
    return (table_is_coming(table) ||
            (!seated && table_is_outsider(table, move->user))) &&
           table_reserve(table, move->user) == NO_SEAT &&
           table->reserve_count < TABLE_RESERVES_MAX;
}

void
apply_reserve(struct table *table, const struct move *move, struct made *made)
{
    (void)made;
    table_take_out(table, move->user);
    table->reserves = table_grow(table->reserves, table->reserve_count,
                                 sizeof table->reserves[0]);
    sit_down(&table->reserves[table->reserve_count++], move);
}

bool
may_leave(const struct table *table, const struct move *move)
{
    return (table_is_coming(table) &&
            table_seat(table, move->user) != NO_SEAT) ||
           table_reserve(table, move->user) != NO_SEAT || may_turn(table, move);
}

/* In the game nobody leaves at once: they ask to be replaced. */
void
apply_leave(struct table *table, const struct move *move, struct made *made)
{
    if (table->state == TABLE_RUNNING && made->seat != NO_SEAT) {
        table->leaving |= seat_bit(made->seat);
    } else {
        table_take_out(table, move->user);
    }
}

void
apply_alias(struct table *table, const struct move *move, struct made *made)
{
    (void)table;
    if (move->replaces_held) {
        name_set(&made->person->name, move->name);
        made->person->held = false;
    } else {
        name_set(&made->person->alias, move->name);
    }
}

/* Is the text of a start a key? */
static bool
has_key(const struct move *move)
{
    return strlen(move->text) == DEAL_HEX &&
           strspn(move->text, "0123456789abcdef") == DEAL_HEX;
}

static void
write_seated(struct table *table, const struct move *move,
             const struct buf *transcript, struct buf *lines)
{
    const struct record_head head = table_head(table, move);
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    bool by_key = table->fair && has_key(move);
    record_write_seated(lines, head, names, table->seated,
                        table->fair && !by_key ? buf_text(transcript) : NULL,
                        by_key ? move->text : NULL);
}

bool
may_start(const struct table *table, const struct move *move)
{
    return table->seated >= PLAYERS_MIN &&
           (move->text[0] == '\0' || has_key(move));
}

void
apply_start(struct table *table, const struct move *move, struct made *made)
{
    struct buf transcript = BUF_INIT;
    if (table->fair && has_key(move)) {
        (void)text_read_hex(move->text, table->key, DEAL_KEY);
    } else if (table->fair) {
        table_transcript(table, &transcript);
        deal_key(table->secret, buf_text(&transcript), transcript.len,
                 table->key);
    }
    if (table->settings.random_seats) {
        struct seat signed_up[PLAYERS_MAX];
        uint8_t order[PLAYERS_MAX];
        memcpy(signed_up, table->seats, sizeof signed_up);
        deal_seats(table->key, table->seated, order);
        for (unsigned seat = 0; seat < table->seated; seat++) {
            table->seats[seat] = signed_up[order[seat]];
        }
    }
    struct rules rules;
    table_rules(&table->settings, &rules);
    table->vote_closes = rules.vote_closes;
    played_rules(&table->settings, &rules);
    game_init(&table->game, table->seated, &rules);
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        table->seats[seat].investigated_by = NO_SEAT;
    }
    table->ready = 0;
    table->announced = NO_SEAT;
    table->opening = false;
    table->since = move->at;
    table->state = TABLE_SEATED;
    write_seated(table, move, &transcript, made->lines);
    buf_release(&transcript);
}

void
apply_ready(struct table *table, const struct move *move, struct made *made)
{
    if (move->reached) {
        made->person->reached = true;
    } else {
        table->ready |= seat_bit(made->seat);
    }
}
