#include "tests/support/room.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/db.h"
#include "bot/base/log.h"
#include "bot/base/seal.h"
#include "tests/support/trial.h"

static void
must(struct hall *hall, enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%s: %s", err_name(err),
                  buf_text(&hall->why));
}

/* ---- the dealer ---------------------------------------------------------- */

static struct command
known_deal(void *context, const struct table *table)
{
    const struct hall *hall = context;
    return hall->cast != NULL ? *hall->cast : deal(table->seated, hall->deck);
}

static struct command
known_reshuffle(void *context, const struct table *table)
{
    struct awaits awaits = game_awaits(&table->game);
    struct command command = {.kind = COMMAND_RESHUFFLE};
    (void)context;
    unsigned liberal = awaits.due_liberal;
    unsigned fascist = awaits.due_fascist;
    while (liberal + fascist > 0) {
        bool turn = command.tiles.count % 2 == 1;
        bool is_liberal = fascist == 0 || (liberal > 0 && turn);
        pile_add(&command.tiles, is_liberal);
        liberal -= is_liberal ? 1 : 0;
        fascist -= is_liberal ? 0 : 1;
    }
    return command;
}

static unsigned
known_lots(void *context, const struct table *table, unsigned choices)
{
    const struct hall *hall = context;
    (void)table;
    return hall->lot % choices;
}

static const struct dealer known_dealer = {
    NULL, NULL, known_deal, known_reshuffle, known_lots, NULL};

/* ---- opening ------------------------------------------------------------- */

/* In memory where there is such: what is tested is what is written, not how it
 * outlives a power cut. */
static const char *
folder_pattern(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm/placard-test-XXXXXX"
                                         : "/tmp/placard-test-XXXXXX";
}

void
hall_init(struct hall *hall)
{
    memset(hall, 0, sizeof *hall);
    TEXT_COPY(hall->folder, folder_pattern());
    ck_assert_ptr_nonnull(mkdtemp(hall->folder));
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
    ck_assert(instant_read("2026-11-21T10:00:00Z", &hall->now));
    log_set_level(LOG_LEVEL_ERROR);
    stage_settings_plain(&hall->settings);
    hall->deck = "";
    hall->seed = "1";
    hall->thread = "thread";
}

void
hall_set(struct hall *hall, const char *key, const char *value)
{
    must(hall, settings_set(&hall->settings, key, value, &hall->why));
}

void
hall_open(struct hall *hall)
{
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    stage->conf.settings = hall->settings;
    if (hall->fair) {
        ck_assert(stage_seed(stage, hall->seed));
    } else {
        stage->dealer = known_dealer;
        stage->dealer.context = hall;
    }
    must(hall, stage_open(stage, hall->folder, hall->now, &hall->why));
    hall->stage = stage;
    stage->loop.leaps = !hall->no_leaps;
    hall_settle(hall);
}

void
hall_shut(struct hall *hall)
{
    if (hall->stage != NULL) {
        hall->now = hall->stage->now;
        stage_close(hall->stage);
        free(hall->stage);
        hall->stage = NULL;
    }
}

void
hall_reopen(struct hall *hall)
{
    hall_shut(hall);
    hall_open(hall);
}

static void
forget_posts(struct hall *hall)
{
    for (size_t i = 0; i < hall->post_count; i++) {
        free(hall->posts[i].place);
        free(hall->posts[i].author);
        free(hall->posts[i].raw);
        free(hall->posts[i].text);
        free(hall->posts[i].reactions);
    }
    hall->post_count = 0;
}

void
hall_release(struct hall *hall)
{
    hall_shut(hall);
    DIR *folder = opendir(hall->folder);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            (void)!remove(hall_path(hall, entry->d_name));
        }
    }
    closedir(folder);
    ck_assert_int_eq(rmdir(hall->folder), 0);
    forget_posts(hall);
    free(hall->posts);
    buf_release(&hall->why);
}

const char *
hall_path(const struct hall *hall, const char *name)
{
    static char paths[4][384];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", hall->folder, name);
    return path;
}

/* opened(place, value): NULL where it can't be. */
static void
sql_opened(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    size_t len = (size_t)sqlite3_value_bytes(values[1]);
    if (count == 2 && len > 0 &&
        seal_take(sqlite3_user_data(context),
                  (const char *)sqlite3_value_text(values[0]),
                  sqlite3_value_blob(values[1]), len, &text,
                  &why) == ERR_NONE) {
        sqlite3_result_text(context, buf_text(&text), (int)text.len,
                            SQLITE_TRANSIENT);
    }
    buf_release(&text);
    buf_release(&why);
}

/* closed(place, text) */
static void
sql_closed(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct buf sealed = BUF_INIT;
    size_t len = (size_t)sqlite3_value_bytes(values[1]);
    ck_assert_int_eq(count, 2);
    seal_put(sqlite3_user_data(context),
             (const char *)sqlite3_value_text(values[0]),
             sqlite3_value_blob(values[1]), len, len, &sealed);
    sqlite3_result_blob(context, sealed.data, (int)sealed.len,
                        SQLITE_TRANSIENT);
    buf_release(&sealed);
}

static void
close_seal(void *seal)
{
    seal_close(seal);
}

static void
add_seal_function(const char *key_file, sqlite3 *db, const char *name,
                  void (*function)(sqlite3_context *, int, sqlite3_value **))
{
    struct seal *seal = NULL;
    struct buf why = BUF_INIT;
    bool made = false;
    if (seal_open(key_file, false, &seal, &made, &why) == ERR_NONE) {
        ck_assert_int_eq(sqlite3_create_function_v2(db, name, 2, SQLITE_UTF8,
                                                    seal, function, NULL, NULL,
                                                    close_seal),
                         SQLITE_OK);
    }
    buf_release(&why);
}

sqlite3 *
hall_open_file(const struct hall *hall, const char *file)
{
    sqlite3 *db = NULL;
    char key_file[400];
    snprintf(key_file, sizeof key_file, "%s.key", hall_path(hall, file));
    ck_assert_int_eq(sqlite3_open(hall_path(hall, file), &db), SQLITE_OK);
    ck_assert_int_eq(db_add_functions(db), SQLITE_OK);
    add_seal_function(key_file, db, "opened", sql_opened);
    add_seal_function(key_file, db, "closed", sql_closed);
    return db;
}

void
hall_alter(const struct hall *hall, const char *file, const char *sql)
{
    sqlite3 *db = hall_open_file(hall, file);
    char *trouble = NULL;
    ck_assert_ptr_null(hall->stage);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &trouble) == SQLITE_OK,
                  "%s", trouble);
    ck_assert_int_gt(sqlite3_changes(db), 0);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

int64_t
hall_query(const struct hall *hall, const char *file, const char *sql)
{
    sqlite3 *db = hall_open_file(hall, file);
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(rows), SQLITE_ROW);
    int64_t found = sqlite3_column_int64(rows, 0);
    sqlite3_finalize(rows);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    return found;
}

/* ---- what people do ------------------------------------------------------ */

void
hall_posts(struct hall *hall, const char *who, const char *text)
{
    hall->stage->now += SECOND_MS;
    must(hall, stage_post(hall->stage, who, false, text, NULL, &hall->why));
}

void
hall_says_in(struct hall *hall, const char *thread, const char *who,
             const char *text)
{
    hall->stage->now += SECOND_MS;
    must(hall, board_write_in(hall->stage->board, who, thread, text, NULL,
                              hall->stage->now, NULL, &hall->why));
    hall_settle(hall);
}

void
hall_writes(struct hall *hall, const char *who, const char *text)
{
    hall->stage->now += SECOND_MS;
    must(hall, stage_post(hall->stage, who, true, text, NULL, &hall->why));
}

void
hall_delivers(struct hall *hall, const struct odd_post *odd)
{
    struct desk *desk = &hall->stage->desk;
    struct outcome outcome = {.err = ERR_NONE};
    struct post *post = page_add(&outcome.page);
    struct buf place = BUF_INIT;
    buf_addf(&place, odd->talk ? "talk/%s" : "thread", odd->who);
    post->kind = odd->kind;
    post->id = must_copy(odd->id);
    post->place = buf_take(&place);
    post->author = must_copy(odd->who);
    post->author_name = must_copy(odd->shown == NULL ? odd->who : odd->shown);
    post->body = must_copy(odd->text);
    post->body_len = strlen(odd->text);
    post->reply_to = odd->reply_to == NULL ? NULL : must_copy(odd->reply_to);
    post->stamp = odd->stamp;
    post->edited = odd->edited;
    post->pending = odd->pending;
    post->talk = odd->talk;
    post->own = odd->own;
    post->machine = odd->machine;
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, desk->feeds[0].cursor);
    must(hall, desk_fold(desk, &desk->feeds[0], &outcome, hall->stage->now,
                         &hall->why));
    outcome_release(&outcome);
    hall_settle(hall);
}

void
hall_settle(struct hall *hall)
{
    must(hall, stage_settle(hall->stage, &hall->why));
}

void
hall_says(struct hall *hall, const char *who, const char *text)
{
    hall_posts(hall, who, text);
    hall_settle(hall);
}

void
hall_tells(struct hall *hall, const char *who, const char *text)
{
    hall_writes(hall, who, text);
    hall_settle(hall);
}

void
hall_waits(struct hall *hall, int64_t time)
{
    must(hall, stage_jump(hall->stage, hall->stage->now + time, &hall->why));
}

void
hall_expires(struct hall *hall)
{
    int64_t due = stage_due(hall->stage);
    ck_assert_int_gt(due, 0);
    must(hall, stage_jump(hall->stage, due, &hall->why));
}

/* ---- the game ------------------------------------------------------------ */

const struct table *
hall_table(const struct hall *hall)
{
    const struct table *table = stage_table(hall->stage);
    ck_assert_ptr_nonnull(table);
    return table;
}

const struct game *
hall_game(const struct hall *hall)
{
    return &hall_table(hall)->game;
}

const char *
hall_player(unsigned number)
{
    static const char *const names[PLAYERS_MAX] = {
        "Anna",  "Bob",  "Carl",  "Dora", "Emil",
        "Frida", "Gert", "Hanna", "Ida",  "Jan",
    };
    ck_assert_uint_lt(number, PLAYERS_MAX);
    return names[number];
}

const char *
hall_name(const struct hall *hall, unsigned seat)
{
    ck_assert_uint_lt(seat, hall_table(hall)->seated);
    return hall_table(hall)->people[seat].name;
}

static unsigned
first_of(seat_set seats)
{
    unsigned seat = 0;
    while (!seat_in(seat, seats)) {
        seat++;
        ck_assert_uint_lt(seat, PLAYERS_MAX);
    }
    return seat;
}

const char *
hall_awaited(const struct hall *hall)
{
    return hall_name(hall, first_of(game_awaits(hall_game(hall)).seats));
}

void
hall_begin(struct hall *hall, unsigned players)
{
    char order[32];
    snprintf(order, sizeof order, "!new players=%u", players);
    hall_says(hall, STAGE_MODERATOR, order);
    for (unsigned i = 0; i < players; i++) {
        hall_says(hall, hall_player(i), "!join");
    }
    ck_assert_int_eq(hall_table(hall)->state, TABLE_RUNNING);
}

void
hall_names(struct hall *hall, unsigned seat)
{
    char text[RECORD_NAME_MAX + 32];
    snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
             hall_name(hall, seat));
    hall_says(hall, hall_awaited(hall), text);
}

void
hall_votes(struct hall *hall, bool ja)
{
    const struct table *table = hall_table(hall);
    uint32_t round = table->game.round;
    bool sealed = table->game.rules.ballot == BALLOT_SEALED;
    ck_assert_int_eq(table->game.question, QUESTION_VOTE);
    while ((table = stage_table(hall->stage)) != NULL &&
           table->game.question == QUESTION_VOTE &&
           table->game.round == round) {
        if (sealed) {
            hall_tells(hall, hall_awaited(hall), ja ? "Ja" : "Nein");
        } else {
            hall_says(hall, hall_awaited(hall), ja ? "**Ja!**" : "**Nein!**");
        }
    }
}

void
hall_elects(struct hall *hall, unsigned chancellor)
{
    hall_names(hall, chancellor);
    hall_votes(hall, true);
}

void
hall_rejects(struct hall *hall)
{
    hall_names(hall, first_of(game_eligible(hall_game(hall))));
    hall_votes(hall, false);
}

void
hall_discards(struct hall *hall, bool liberal)
{
    struct pile hand = hall_game(hall)->hand;
    char text[32];
    unsigned card = 0;
    ck_assert_int_eq(hall_game(hall)->question, QUESTION_DISCARD);
    while (pile_is_liberal(hand, card) != liberal) {
        card++;
        ck_assert_uint_lt(card, hand.count);
    }
    snprintf(text, sizeof text, "discard %u", card + 1);
    hall_tells(hall, hall_awaited(hall), text);
}

void
hall_enacts(struct hall *hall, bool liberal)
{
    struct pile hand = hall_game(hall)->hand;
    unsigned liberals = pile_liberals(hand);
    ck_assert_int_eq(hall_game(hall)->question, QUESTION_ENACT);
    ck_assert_uint_gt(liberal ? liberals : hand.count - liberals, 0);
    hall_tells(hall, hall_awaited(hall), liberal ? "enact L" : "enact F");
}

void
hall_governs(struct hall *hall, unsigned chancellor, bool liberal)
{
    hall_elects(hall, chancellor);
    struct pile hand = hall_game(hall)->hand;
    unsigned others =
        liberal ? hand.count - pile_liberals(hand) : pile_liberals(hand);
    hall_discards(hall, others > 0 ? !liberal : liberal);
    hall_enacts(hall, liberal);
}

unsigned
hall_choice(const struct hall *hall)
{
    const struct game *game = hall_game(hall);
    seat_set choices = game_awaits(game).choices;
    return first_of(choices & (seat_set)~seat_bit(game->hitler));
}

void
hall_govern_to(struct hall *hall, unsigned fascist)
{
    while (hall_game(hall)->fascist < fascist) {
        if (hall_game(hall)->due_power != POWER_NONE) {
            hall_names(hall, hall_choice(hall));
        } else {
            hall_governs(hall, hall_choice(hall), false);
        }
    }
}

/* ---- random players ------------------------------------------------------ */

/* SplitMix64. */
unsigned
dice_below(struct dice *dice, unsigned bound)
{
    dice->state += 0x9e3779b97f4a7c15U;
    uint64_t mixed = dice->state;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    mixed ^= mixed >> 31;
    return (unsigned)((mixed >> 32) * bound >> 32);
}

unsigned
dice_seat(struct dice *dice, seat_set seats)
{
    unsigned skip = dice_below(dice, seat_count(seats));
    unsigned seat = 0;
    while (!seat_in(seat, seats) || skip-- > 0) {
        seat++;
        ck_assert_uint_lt(seat, PLAYERS_MAX);
    }
    return seat;
}

/* A word in bold, alone on its line, in one of the forms that people use. */
static void
say_bold(struct dice *dice, const char *word, struct buf *out)
{
    static const char *const forms[] = {
        "[b]%s[/b]",
        "**%s**",
        "[b][color=red]%s[/color][/b]",
        "Well then.\n**%s**\nThat is that.",
        "[quote]**Ja!**[/quote]\n[b]%s[/b]",
    };
    const char *form = forms[dice_below(dice, 5)];
    const char *hole = strstr(form, "%s");
    buf_add(out, form, (size_t)(hole - form));
    buf_add_text(out, word);
    buf_add_text(out, hole + 2);
}

static void
say_cards(struct dice *dice, const struct awaits *awaits, struct buf *out)
{
    bool discards = awaits->question == QUESTION_DISCARD;
    if (awaits->may_veto && dice_below(dice, 2) == 0) {
        buf_add_text(out, "veto");
    } else {
        buf_addf(out, "%s %u", discards ? "discard" : "enact",
                 dice_below(dice, awaits->cards) + 1);
    }
}

/* What an awaited person may answer; true: in private. */
static bool
say_answer(const struct hall *hall, struct dice *dice,
           const struct awaits *awaits, struct buf *out)
{
    bool yes = dice_below(dice, 3) > 0;
    switch (awaits->question) {
    case QUESTION_VOTE:
        if (hall_game(hall)->rules.ballot == BALLOT_SEALED) {
            buf_add_text(out, yes ? "Ja!" : "nein");
            return true;
        }
        say_bold(dice, yes ? "Ja!" : "Nein", out);
        return false;
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        say_cards(dice, awaits, out);
        return true;
    case QUESTION_VETO:
        say_bold(dice, yes ? "Declined" : "Approved!", out);
        return false;
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        say_bold(dice, hall_name(hall, dice_seat(dice, awaits->choices)), out);
        return false;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    ck_abort_msg("nobody is awaited");
}

bool
hall_improvise(struct hall *hall, struct dice *dice)
{
    const struct table *table = stage_table(hall->stage);
    struct buf text = BUF_INIT;
    if (table == NULL) {
        return false;
    }
    struct awaits awaits = game_awaits(&table->game);
    seat_set seats =
        awaits.seats & game_present(&table->game) & (seat_set)~hall->silent;
    bool names = awaits.cards == 0 && awaits.question != QUESTION_VOTE &&
                 awaits.question != QUESTION_VETO;
    if (seats == 0 || (dice_below(dice, 24) == 0 && !hall->prompt) ||
        (names && awaits.choices == 0)) {
        int64_t due = desk_due(&hall->stage->desk);
        ck_assert_int_gt(due, 0);
        hall->stage->now = due;
        return true;
    }
    const char *who = hall_name(hall, dice_seat(dice, seats));
    if (dice_below(dice, 8) == 0) {
        hall_posts(hall, hall_name(hall, dice_below(dice, table->seated)),
                   "What do you all think? I would say Ja, and 2 of them!");
    }
    if (say_answer(hall, dice, &awaits, &text)) {
        hall_writes(hall, who, buf_text(&text));
    } else {
        hall_posts(hall, who, buf_text(&text));
    }
    buf_release(&text);
    return true;
}

/* ---- what is to be seen -------------------------------------------------- */

void
add_without_guards(const char *text, size_t len, struct buf *out)
{
    for (size_t i = 0; i < len; i++) {
        if (strncmp(text + i, "\xE2\x80\x8B", 3) == 0) {
            i += 2;
        } else {
            buf_add_char(out, text[i]);
        }
    }
}

void
visible_text(const char *raw, struct buf *out)
{
    struct rich rich = {.count = 0};
    bool unread;
    dialect_board.read(raw, strlen(raw), &rich, &unread);
    ck_assert(!unread);
    add_without_guards(buf_text(&rich.text), rich.text.len, out);
    rich_release(&rich);
}

static void
keep_post(void *context, const struct board_post *post)
{
    struct hall *hall = context;
    struct buf text = BUF_INIT;
    if (hall->post_count == hall->post_room) {
        hall->post_room = hall->post_room == 0 ? 64 : 2 * hall->post_room;
        hall->posts =
            must_grow(hall->posts, hall->post_room * sizeof hall->posts[0]);
    }
    visible_text(post->text, &text);
    struct seen_post *seen = &hall->posts[hall->post_count++];
    *seen = (struct seen_post){.id = post->id,
                               .stamp = post->stamp,
                               .edited = post->edited,
                               .place = must_copy(post->place),
                               .author = must_copy(post->author),
                               .raw = must_copy(post->text),
                               .reactions = must_copy(post->reactions)};
    buf_add_text(&text, "");
    seen->text = buf_take(&text);
}

void
hall_read(struct hall *hall)
{
    forget_posts(hall);
    must(hall,
         board_read(hall->stage->board, 0, "*", keep_post, hall, &hall->why));
}

static bool
is_hosts(const struct seen_post *post, const char *place)
{
    return strcmp(post->author, BOARD_HOST) == 0 &&
           strcmp(post->place, place) == 0;
}

static void
talk_of(const char *who, char place[300])
{
    snprintf(place, 300, "talk/%s", who);
}

static const char *
newest_in(struct hall *hall, const char *place)
{
    const char *newest = "";
    hall_read(hall);
    for (size_t i = 0; i < hall->post_count; i++) {
        if (is_hosts(&hall->posts[i], place)) {
            newest = hall->posts[i].text;
        }
    }
    return newest;
}

const char *
hall_said(struct hall *hall)
{
    return newest_in(hall, hall->thread);
}

const char *
hall_told(struct hall *hall, const char *who)
{
    char place[300];
    talk_of(who, place);
    return newest_in(hall, place);
}

static unsigned
count_in(struct hall *hall, const char *place, const char *text)
{
    unsigned count = 0;
    hall_read(hall);
    for (size_t i = 0; i < hall->post_count; i++) {
        count += is_hosts(&hall->posts[i], place) &&
                 strstr(hall->posts[i].text, text) != NULL;
    }
    return count;
}

unsigned
hall_count_said(struct hall *hall, const char *text)
{
    return count_in(hall, hall->thread, text);
}

unsigned
hall_count_told(struct hall *hall, const char *who, const char *text)
{
    char place[300];
    talk_of(who, place);
    return count_in(hall, place, text);
}

static bool
is_status(const struct hall *hall, const struct seen_post *post)
{
    return is_hosts(post, hall->thread) &&
           (strncmp(post->text, "Secret Hitler, table ", 21) == 0 ||
            strncmp(post->text, "A table of Secret Hitler is open", 32) == 0);
}

const struct seen_post *
hall_status(struct hall *hall)
{
    const struct seen_post *status = NULL;
    hall_read(hall);
    for (size_t i = 0; i < hall->post_count; i++) {
        if (is_status(hall, &hall->posts[i])) {
            status = &hall->posts[i];
        }
    }
    ck_assert_ptr_nonnull(status);
    return status;
}

void
hall_record(struct hall *hall, const char *game, struct buf *out)
{
    must(hall, store_record(hall->stage->desk.store, game, out, &hall->why));
}

void
hall_transcript(struct hall *hall, const char *place, struct buf *out)
{
    hall_read(hall);
    for (size_t i = 0; i < hall->post_count; i++) {
        const struct seen_post *post = &hall->posts[i];
        if (strcmp(post->place, place) == 0) {
            buf_addf(out, "%s: %s\n%s\n", post->author, post->raw,
                     post->reactions);
        }
    }
}

/* ---- small things -------------------------------------------------------- */

void
assert_holds(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "“%s” is not in “%s”", part,
                  text);
}

void
assert_lacks(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) == NULL, "“%s” is in “%s”", part, text);
}
