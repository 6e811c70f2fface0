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
#include "bot/base/splitmix.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/timers.h"
#include "tests/support/caught_log.h"
#include "tests/support/engine_game.h"

static void
must(struct room *room, enum err err)
{
    ck_assert_msg(err == ERR_NONE, "%d: %s", (int)err, buf_text(&room->why));
}

/* ---- the dealer ---------------------------------------------------------- */

static struct command
known_deal(void *context, const struct table *table)
{
    const struct room *room = context;
    return room->cast != NULL ? *room->cast : deal(table->seated, room->deck);
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
        bool advance = command.tiles.count % 2 == 1;
        bool is_liberal = fascist == 0 || (liberal > 0 && advance);
        pile_add(&command.tiles, is_liberal);
        liberal -= is_liberal ? 1 : 0;
        fascist -= is_liberal ? 0 : 1;
    }
    return command;
}

static unsigned
known_lots(void *context, const struct table *table, unsigned choices)
{
    const struct room *room = context;
    (void)table;
    return room->lot % choices;
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
room_init(struct room *room)
{
    memset(room, 0, sizeof *room);
    TEXT_COPY(room->folder, folder_pattern());
    ck_assert_ptr_nonnull(mkdtemp(room->folder));
    ck_assert_int_eq(setenv("PLACARD_DATA", "config", 1), 0);
    ck_assert(instant_read("2026-11-21T10:00:00Z", &room->now));
    log_set_level(LOG_LEVEL_ERROR);
    stage_settings_plain(&room->settings);
    room->deck = "";
    room->publish = "off";
    room->seed = "1";
    room->thread = "thread";
}

void
room_set(struct room *room, const char *key, const char *value)
{
    must(room, settings_set(&room->settings, key, value, &room->why));
}

void
room_open(struct room *room)
{
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    stage->conf.settings = room->settings;
    if (room->fair) {
        ck_assert(stage_seed(stage, room->seed));
    } else {
        stage->dealer = known_dealer;
        stage->dealer.context = room;
    }
    stage->opening = room->checks ? OPEN_CHECKED : OPEN_UNCHECKED;
    must(room, stage_open(stage, room->folder, room->now, &room->why));
    room->stage = stage;
    TEXT_COPY(stage->conf.places[0].publish, room->publish);
    stage->loop.leaps = !room->no_leaps;
    room_settle(room);
}

void
room_shut(struct room *room)
{
    if (room->stage != NULL) {
        room->now = room->stage->now;
        stage_close(room->stage);
        free(room->stage);
        room->stage = NULL;
    }
}

void
room_reopen(struct room *room)
{
    room_shut(room);
    room_open(room);
}

static void
forget_posts(struct room *room)
{
    for (size_t i = 0; i < room->post_count; i++) {
        free(room->posts[i].place);
        free(room->posts[i].author);
        free(room->posts[i].raw);
        free(room->posts[i].text);
        free(room->posts[i].reactions);
    }
    room->post_count = 0;
}

void
room_release(struct room *room)
{
    room_shut(room);
    DIR *folder = opendir(room->folder);
    const struct dirent *entry;
    ck_assert_ptr_nonnull(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            (void)!remove(room_path(room, entry->d_name));
        }
    }
    closedir(folder);
    ck_assert_int_eq(rmdir(room->folder), 0);
    forget_posts(room);
    free(room->posts);
    buf_release(&room->why);
    buf_release(&room->log);
}

const char *
room_path(const struct room *room, const char *name)
{
    static char paths[4][384];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", room->folder, name);
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
room_open_file(const struct room *room, const char *file)
{
    sqlite3 *db = NULL;
    char key_file[400];
    snprintf(key_file, sizeof key_file, "%s.key", room_path(room, file));
    ck_assert_int_eq(sqlite3_open(room_path(room, file), &db), SQLITE_OK);
    ck_assert_int_eq(db_add_functions(db), SQLITE_OK);
    add_seal_function(key_file, db, "opened", sql_opened);
    add_seal_function(key_file, db, "closed", sql_closed);
    return db;
}

void
room_alter(const struct room *room, const char *file, const char *sql)
{
    sqlite3 *db = room_open_file(room, file);
    char *trouble = NULL;
    ck_assert_ptr_null(room->stage);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &trouble) == SQLITE_OK,
                  "%s", trouble);
    ck_assert_int_gt(sqlite3_changes(db), 0);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
}

int64_t
room_query(const struct room *room, const char *file, const char *sql)
{
    sqlite3 *db = room_open_file(room, file);
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
room_posts(struct room *room, const char *who, const char *text)
{
    room->stage->now += SECOND_MS;
    must(room, stage_post(room->stage, who, false, text, NULL, &room->why));
}

void
room_says_in(struct room *room, const char *thread, const char *who,
             const char *text)
{
    room->stage->now += SECOND_MS;
    must(room, board_write_in(room->stage->board, who, thread, text, NULL,
                              room->stage->now, NULL, &room->why));
    room_settle(room);
}

void
room_writes(struct room *room, const char *who, const char *text)
{
    room->stage->now += SECOND_MS;
    must(room, stage_post(room->stage, who, true, text, NULL, &room->why));
}

void
room_delivers(struct room *room, const struct odd_post *odd)
{
    struct tables *tables = &room->stage->tables;
    struct outcome outcome = {.err = ERR_NONE};
    struct post *post = page_add(&outcome.page);
    struct buf place = BUF_INIT;
    if (odd->dm) {
        buf_addf(&place, "talk/%s", odd->who);
    } else {
        buf_add_text(&place, odd->place == NULL ? "thread" : odd->place);
    }
    post->kind = odd->kind;
    post->id = must_copy(odd->id);
    post->place = buf_take(&place);
    post->author = must_copy(odd->nameless ? "" : odd->who);
    post->author_name = must_copy(odd->shown != NULL ? odd->shown
                                  : odd->nameless    ? ""
                                                     : odd->who);
    post->body = must_copy(odd->text);
    post->body_len = strlen(odd->text);
    post->reply_to = odd->reply_to == NULL ? NULL : must_copy(odd->reply_to);
    post->stamp = odd->stamp;
    post->edited = odd->edited;
    post->pending = odd->pending;
    post->member = odd->member;
    post->dm = odd->dm;
    post->company = odd->company;
    post->own = odd->own;
    post->machine = odd->machine;
    page_finish(&outcome.page);
    buf_add_text(&outcome.cursor, tables->feeds.list[0]->cursor);
    intake_take_page(tables, tables->feeds.list[0], &outcome, room->stage->now);
    outcome_release(&outcome);
    room_settle(room);
}

static void
keep_log(struct room *room)
{
    if (room->keeps_log) {
        caught_log_take(room->stage->now, &room->log);
    }
}

void
room_settle(struct room *room)
{
    must(room, stage_settle(room->stage, &room->why));
    keep_log(room);
}

void
room_says(struct room *room, const char *who, const char *text)
{
    room_posts(room, who, text);
    room_settle(room);
}

void
room_tells(struct room *room, const char *who, const char *text)
{
    room_writes(room, who, text);
    room_settle(room);
}

void
room_word(struct room *room, const char *key, const char *template)
{
    const struct language *language =
        &stage_catalogue(room->stage, NULL)->language;
    for (size_t i = 0; i < language->count; i++) {
        if (strcmp(language->entries[i].key, key) == 0) {
            free(language->entries[i].text);
            language->entries[i].text = must_copy(template);
            return;
        }
    }
    ck_abort_msg("there is no key %s", key);
}

void
room_waits(struct room *room, int64_t time)
{
    must(room, stage_jump(room->stage, room->stage->now + time, &room->why));
    keep_log(room);
}

void
room_expires(struct room *room)
{
    int64_t due = stage_due(room->stage);
    ck_assert_int_gt(due, 0);
    must(room, stage_jump(room->stage, due, &room->why));
    keep_log(room);
}

/* ---- the game ------------------------------------------------------------ */

const struct table *
room_table(const struct room *room)
{
    const struct table *table = stage_table(room->stage);
    ck_assert_ptr_nonnull(table);
    return table;
}

const struct game *
room_game(const struct room *room)
{
    return &room_table(room)->game;
}

const char *
room_player(unsigned number)
{
    static const char *const names[PLAYERS_MAX] = {
        "Anna",  "Bob",  "Carl",  "Dora", "Emil",
        "Frida", "Gert", "Hanna", "Ida",  "Jan",
    };
    ck_assert_uint_lt(number, PLAYERS_MAX);
    return names[number];
}

const char *
room_name(const struct room *room, unsigned seat)
{
    ck_assert_uint_lt(seat, room_table(room)->seated);
    return room_table(room)->seats[seat].name;
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
room_awaited(const struct room *room)
{
    return room_name(room, first_of(game_awaits(room_game(room)).seats));
}

void
room_begin(struct room *room, unsigned players)
{
    char order[32];
    snprintf(order, sizeof order, "!new players=%u", players);
    room_says(room, STAGE_MODERATOR, order);
    for (unsigned i = 0; i < players; i++) {
        room_says(room, room_player(i), "!join");
    }
    ck_assert_int_eq(room_table(room)->state, TABLE_RUNNING);
}

void
room_names(struct room *room, unsigned seat)
{
    char text[RECORD_NAME_MAX + 32];
    snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
             room_name(room, seat));
    room_says(room, room_awaited(room), text);
}

void
room_votes(struct room *room, bool ja)
{
    const struct table *table = room_table(room);
    uint32_t round = table->game.round;
    bool sealed = table->game.rules.ballot == BALLOT_SEALED;
    ck_assert_int_eq(table->game.question, QUESTION_VOTE);
    while ((table = stage_table(room->stage)) != NULL &&
           table->game.question == QUESTION_VOTE &&
           table->game.round == round) {
        if (sealed) {
            room_tells(room, room_awaited(room), ja ? "Ja" : "Nein");
        } else {
            room_says(room, room_awaited(room), ja ? "**Ja!**" : "**Nein!**");
        }
    }
}

void
room_elects(struct room *room, unsigned chancellor)
{
    room_names(room, chancellor);
    room_votes(room, true);
}

void
room_rejects(struct room *room)
{
    room_names(room, first_of(game_eligible(room_game(room))));
    room_votes(room, false);
}

void
room_discards(struct room *room, bool liberal)
{
    struct pile hand = room_game(room)->hand;
    char text[32];
    unsigned card = 0;
    ck_assert_int_eq(room_game(room)->question, QUESTION_DISCARD);
    while (pile_is_liberal(hand, card) != liberal) {
        card++;
        ck_assert_uint_lt(card, hand.count);
    }
    snprintf(text, sizeof text, "discard %u", card + 1);
    room_tells(room, room_awaited(room), text);
}

void
room_enacts(struct room *room, bool liberal)
{
    struct pile hand = room_game(room)->hand;
    unsigned liberals = pile_liberals(hand);
    ck_assert_int_eq(room_game(room)->question, QUESTION_ENACT);
    ck_assert_uint_gt(liberal ? liberals : hand.count - liberals, 0);
    room_tells(room, room_awaited(room), liberal ? "enact L" : "enact F");
}

void
room_governs(struct room *room, unsigned chancellor, bool liberal)
{
    room_elects(room, chancellor);
    struct pile hand = room_game(room)->hand;
    unsigned others =
        liberal ? hand.count - pile_liberals(hand) : pile_liberals(hand);
    room_discards(room, others > 0 ? !liberal : liberal);
    room_enacts(room, liberal);
}

unsigned
room_choice(const struct room *room)
{
    const struct game *game = room_game(room);
    seat_set choices = game_awaits(game).choices;
    return first_of(choices & (seat_set)~seat_bit(game->hitler));
}

void
room_govern_to(struct room *room, unsigned fascist)
{
    while (room_game(room)->fascist < fascist) {
        if (room_game(room)->due_power != POWER_NONE) {
            room_names(room, room_choice(room));
        } else {
            room_governs(room, room_choice(room), false);
        }
    }
}

/* ---- random players ------------------------------------------------------ */

unsigned
dice_below(struct dice *dice, unsigned bound)
{
    return splitmix_below(&dice->state, bound);
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
say_answer(const struct room *room, struct dice *dice,
           const struct awaits *awaits, struct buf *out)
{
    bool yes = dice_below(dice, 3) > 0;
    switch (awaits->question) {
    case QUESTION_VOTE:
        if (room_game(room)->rules.ballot == BALLOT_SEALED) {
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
        say_bold(dice, room_name(room, dice_seat(dice, awaits->choices)), out);
        return false;
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    ck_abort_msg("nobody is awaited");
}

bool
room_improvise(struct room *room, struct dice *dice)
{
    const struct table *table = stage_table(room->stage);
    struct buf text = BUF_INIT;
    if (table == NULL) {
        return false;
    }
    struct awaits awaits = game_awaits(&table->game);
    seat_set seats =
        awaits.seats & game_present(&table->game) & (seat_set)~room->silent;
    bool names = awaits.cards == 0 && awaits.question != QUESTION_VOTE &&
                 awaits.question != QUESTION_VETO;
    if (seats == 0 || (dice_below(dice, 24) == 0 && !room->prompt) ||
        (names && awaits.choices == 0)) {
        int64_t due = timers_due(&room->stage->tables);
        ck_assert_int_gt(due, 0);
        room->stage->now = due;
        return true;
    }
    const char *who = room_name(room, dice_seat(dice, seats));
    if (dice_below(dice, 8) == 0) {
        room_posts(room, room_name(room, dice_below(dice, table->seated)),
                   "What do you all think? I would say Ja, and 2 of them!");
    }
    if (say_answer(room, dice, &awaits, &text)) {
        room_writes(room, who, buf_text(&text));
    } else {
        room_posts(room, who, buf_text(&text));
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
    struct room *room = context;
    struct buf text = BUF_INIT;
    if (room->post_count == room->post_room) {
        room->post_room = room->post_room == 0 ? 64 : 2 * room->post_room;
        room->posts =
            must_grow(room->posts, room->post_room * sizeof room->posts[0]);
    }
    visible_text(post->text, &text);
    struct seen_post *seen = &room->posts[room->post_count++];
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
room_read(struct room *room)
{
    forget_posts(room);
    must(room,
         board_read(room->stage->board, 0, "*", keep_post, room, &room->why));
}

static bool
is_hosts(const struct seen_post *post, const char *place)
{
    return strcmp(post->author, BOARD_HOST) == 0 &&
           strcmp(post->place, place) == 0;
}

static void
dm_of(const char *who, char place[300])
{
    snprintf(place, 300, "talk/%s", who);
}

static const char *
newest_in(struct room *room, const char *place)
{
    const char *newest = "";
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        if (is_hosts(&room->posts[i], place)) {
            newest = room->posts[i].text;
        }
    }
    return newest;
}

const char *
room_said(struct room *room)
{
    return newest_in(room, room->thread);
}

const char *
room_told(struct room *room, const char *who)
{
    char place[300];
    dm_of(who, place);
    return newest_in(room, place);
}

static unsigned
count_in(struct room *room, const char *place, const char *text)
{
    unsigned count = 0;
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        count += is_hosts(&room->posts[i], place) &&
                 strstr(room->posts[i].text, text) != NULL;
    }
    return count;
}

unsigned
room_count_said(struct room *room, const char *text)
{
    return count_in(room, room->thread, text);
}

unsigned
room_count_told(struct room *room, const char *who, const char *text)
{
    char place[300];
    dm_of(who, place);
    return count_in(room, place, text);
}

static bool
is_status(const struct room *room, const struct seen_post *post)
{
    return is_hosts(post, room->thread) &&
           (strncmp(post->text, "Secret Hitler, table ", 21) == 0 ||
            strncmp(post->text, "A table of Secret Hitler is open", 32) == 0);
}

const struct seen_post *
room_status(struct room *room)
{
    const struct seen_post *status = NULL;
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        if (is_status(room, &room->posts[i])) {
            status = &room->posts[i];
        }
    }
    ck_assert_ptr_nonnull(status);
    return status;
}

void
room_record(struct room *room, const char *game, struct buf *out)
{
    must(room, store_record(room->stage->tables.store, game, out, &room->why));
}

void
room_transcript(struct room *room, const char *place, struct buf *out)
{
    room_read(room);
    for (size_t i = 0; i < room->post_count; i++) {
        const struct seen_post *post = &room->posts[i];
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
