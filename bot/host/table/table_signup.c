/* The sign-up: people come and go, the rules are agreed on, seats are fixed. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

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

/* With `vote_min` the host says when a vote is over, and not the engine. */
void
table_played_rules(const struct settings *settings, struct rules *rules)
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
    table_played_rules(&table->settings, &rules);
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
    table_played_rules(&table->settings, &rules);
    record_write_opened(lines, first, table->id, table->settings.preset, &rules,
                        table->fair ? commitment : NULL);
}

static void
apply_open(struct table *table, const struct move *move, struct buf *lines)
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
    table->opening = move->number == 1;
    table->announced = NO_SEAT;
    table->fair = move->fair;
    table->began = move->at;
    if (table->fair) {
        memcpy(table->secret, move->secret, sizeof table->secret);
    }
    table_write_opened(table, lines);
}

static void
apply_players(struct table *table, const struct move *move)
{
    table->players_min = move->players_min;
    table->players_max = move->players_max;
}

/* From now on the game is in a thread of its own, if that was opened in
 * time. */
static void
apply_thread(struct table *table, const struct move *move)
{
    assert(table->opening);
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
    person->held = move->number == 1;
}

static void
take_person(struct seat *list, unsigned *count, unsigned at)
{
    seat_release(&list[at]);
    --*count;
    memmove(&list[at], &list[at + 1], (*count - at) * sizeof list[0]);
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

static void
apply_join(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    unsigned reserve = table_reserve(table, move->user);
    if (table->state == TABLE_RUNNING) {
        assert(seat != NO_SEAT); /* somebody who was about to leave stays */
        table->leaving &= (seat_set)~seat_bit(seat);
        return;
    }
    assert(table_is_coming(table));
    assert(table->seated < table->players_max && seat == NO_SEAT);
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

static void
apply_reserve(struct table *table, const struct move *move)
{
    assert(table->state != TABLE_OVER);
    table_take_out(table, move->user);
    assert(table_seat(table, move->user) == NO_SEAT);
    assert(table->reserve_count < TABLE_RESERVES_MAX);
    table->reserves = table_grow(table->reserves, table->reserve_count,
                                 sizeof table->reserves[0]);
    sit_down(&table->reserves[table->reserve_count++], move);
}

/* In the game nobody leaves at once: they ask to be replaced. */
static void
apply_leave(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    if (table->state == TABLE_RUNNING && seat != NO_SEAT) {
        table->leaving |= seat_bit(seat);
    } else {
        table_take_out(table, move->user);
    }
}

static void
apply_alias(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    unsigned reserve = table_reserve(table, move->user);
    if (move->number == 1) {
        assert(table_is_coming(table) &&
               (seat != NO_SEAT || reserve != NO_SEAT));
        struct seat *person =
            seat != NO_SEAT ? &table->seats[seat] : &table->reserves[reserve];
        name_set(&person->name, move->name);
        person->held = false;
        return;
    }
    assert(seat != NO_SEAT);
    name_set(&table->seats[seat].alias, move->name);
}

static void
apply_luck(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    unsigned reserve = table_reserve(table, move->user);
    assert(seat != NO_SEAT || reserve != NO_SEAT);
    struct seat *person =
        seat != NO_SEAT ? &table->seats[seat] : &table->reserves[reserve];
    name_set(&person->words, move->text);
}

static void
apply_language(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    name_set(&table->seats[seat].language, move->text);
}

static void
apply_zone(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    name_set(&table->seats[seat].zone, move->text);
}

static void
apply_preference(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(seat != NO_SEAT);
    if (move->kind == MOVE_EMOJI) {
        table->seats[seat].no_emoji = move->number == 1;
    } else {
        table->seats[seat].reminders = (uint8_t)move->number;
    }
}

static void
apply_check(struct table *table, const struct move *move)
{
    assert(table_is_coming(table));
    table->state = TABLE_CHECK; /* who has passed it has passed it */
    table->opening = false;
    table->check_ends = move->until;
    table->remind = move->remind;
    table->opened = move->now;
}

/* Is the text of a start a key? */
static bool
has_key(const struct move *move)
{
    return strlen(move->text) == DEAL_HEX &&
           strspn(move->text, "0123456789abcdef") == DEAL_HEX;
}

static void
read_key(const char *hex, unsigned char key[DEAL_KEY])
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < DEAL_KEY; i++, hex += 2) {
        key[i] = (unsigned char)((strchr(digits, hex[0]) - digits) << 4 |
                                 (strchr(digits, hex[1]) - digits));
    }
}

static void
write_seated(struct table *table, const struct move *move,
             const struct buf *transcript, struct buf *lines)
{
    const struct record_head head = table_head(table, move);
    const char *names[PLAYERS_MAX];
    table_names(table, names);
    if (table->fair && has_key(move)) {
        record_write_seated_by_key(lines, head, names, table->seated,
                                   move->text);
    } else {
        record_write_seated(lines, head, names, table->seated,
                            table->fair ? buf_text(transcript) : NULL);
    }
}

static void
apply_start(struct table *table, const struct move *move, struct buf *lines)
{
    struct buf transcript = BUF_INIT;
    assert(table_is_coming(table));
    assert(table->seated >= PLAYERS_MIN);
    if (table->fair && has_key(move)) {
        read_key(move->text, table->key);
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
    table_played_rules(&table->settings, &rules);
    game_init(&table->game, table->seated, &rules);
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        table->seats[seat].investigated_by = NO_SEAT;
    }
    table->ready = 0;
    table->announced = NO_SEAT;
    table->opening = false;
    table->since = move->at;
    table->state = TABLE_SEATED;
    write_seated(table, move, &transcript, lines);
    buf_release(&transcript);
}

static void
apply_ready(struct table *table, const struct move *move)
{
    unsigned seat = table_seat(table, move->user);
    assert(table->state == TABLE_CHECK && seat != NO_SEAT);
    if (move->number == 1) {
        table->seats[seat].reached = true;
    } else {
        table->ready |= seat_bit(seat);
    }
}

static void
apply_reopen(struct table *table, const struct move *move)
{
    assert(table->state == TABLE_CHECK);
    table->state = TABLE_SIGNUP;
    table->starts = move->until;
    table->check_ends = 0;
    table->opened = move->now;
}

static void
apply_close(struct table *table)
{
    assert(table_is_coming(table));
    table->state = TABLE_OVER;
    table->opening = false;
}

/* ---- which move it is ---------------------------------------------------- */

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

/* People come and go. */
bool
may_sign_up(const struct table *table, const struct move *move)
{
    bool coming = table_is_coming(table);
    bool running = table_is_seated(table);
    bool seated = table_seat(table, move->user) != NO_SEAT;
    bool reserve = table_reserve(table, move->user) != NO_SEAT;
    switch ((int)move->kind) {
    case MOVE_JOIN:
        return (coming && !seated && table->seated < table->players_max) ||
               may_turn(table, move);
    case MOVE_RESERVE:
        return (coming ||
                (running && !seated && table_is_outsider(table, move->user))) &&
               !reserve && table->reserve_count < TABLE_RESERVES_MAX;
    case MOVE_LEAVE:
        return (coming && seated) || reserve || may_turn(table, move);
    case MOVE_LUCK:
        return coming && (seated || reserve) &&
               strlen(move->text) <= DEAL_WORDS_MAX;
    case MOVE_CHECK:
        return coming && move->until != 0;
    case MOVE_READY:
        return table->state == TABLE_CHECK && seated;
    case MOVE_REOPEN:
        return table->state == TABLE_CHECK && move->until != 0;
    case MOVE_START:
        return coming && table->seated >= PLAYERS_MIN &&
               (move->text[0] == '\0' || has_key(move));
    case MOVE_PLAYERS:
        return coming && move->players_min >= PLAYERS_MIN &&
               move->players_min <= move->players_max &&
               move->players_max <= PLAYERS_MAX &&
               table->seated <= move->players_max &&
               (table->state == TABLE_SIGNUP ||
                move->players_min <= table->seated);
    default:
        return coming;
    }
}

void
apply_sign_up(struct table *table, const struct move *move, struct buf *lines)
{
    switch ((int)move->kind) {
    case MOVE_OPEN:
        apply_open(table, move, lines);
        break;
    case MOVE_THREAD:
        apply_thread(table, move);
        break;
    case MOVE_JOIN:
        apply_join(table, move);
        break;
    case MOVE_RESERVE:
        apply_reserve(table, move);
        break;
    case MOVE_LEAVE:
        apply_leave(table, move);
        break;
    case MOVE_ALIAS:
        apply_alias(table, move);
        break;
    case MOVE_LUCK:
        apply_luck(table, move);
        break;
    case MOVE_LANGUAGE:
        apply_language(table, move);
        break;
    case MOVE_ZONE:
        apply_zone(table, move);
        break;
    case MOVE_REMINDERS:
    case MOVE_EMOJI:
        apply_preference(table, move);
        break;
    case MOVE_PLAYERS:
        apply_players(table, move);
        break;
    case MOVE_CHECK:
        apply_check(table, move);
        break;
    case MOVE_READY:
        apply_ready(table, move);
        break;
    case MOVE_REOPEN:
        apply_reopen(table, move);
        break;
    case MOVE_START:
        apply_start(table, move, lines);
        break;
    case MOVE_CLOSE:
        apply_close(table);
        break;
    default:
        assert(false);
    }
}
