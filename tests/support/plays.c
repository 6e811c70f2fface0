#include "tests/support/plays.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"
#include "tests/support/caught_log.h"
#include "tests/support/plays_inner.h"

#define DAWN "2026-11-21T10:00:00Z" /* when every play begins: a Saturday */

bool
play_fault(struct play *play, const char *format, ...)
{
    va_list args;
    if (play->out->fault.len == 0) {
        buf_addf(&play->out->fault, "%s:%u: ", play->file, play->line);
        va_start(args, format);
        buf_vaddf(&play->out->fault, format, args);
        va_end(args);
    }
    return false;
}

bool
play_works(struct play *play, enum err err, struct buf *why)
{
    if (err != ERR_NONE) {
        play_fault(play, "%s", buf_text(why));
    }
    buf_release(why);
    return err == ERR_NONE;
}

/* ---- words --------------------------------------------------------------- */

unsigned
play_split(char *text, char *words[WORDS_MAX])
{
    unsigned count = 0;
    char *save = NULL;
    for (char *word = strtok_r(text, " \t", &save); word != NULL;
         word = strtok_r(NULL, " \t", &save)) {
        if (count == WORDS_MAX) {
            return 0;
        }
        words[count++] = word;
    }
    return count;
}

/* By the names held now: a seat may have changed hands. */
static unsigned
seat_of(const struct play *play, const char *name)
{
    const struct table *table =
        play->stage == NULL ? NULL : stage_table(play->stage);
    for (unsigned seat = 0; table != NULL && seat < table->seated; seat++) {
        if (strcmp(table->seats[seat].user, name) == 0) {
            return seat;
        }
    }
    for (unsigned seat = 0; seat < play->player_count; seat++) {
        if (strcmp(play->players[seat], name) == 0) {
            return seat;
        }
    }
    return NO_SEAT;
}

/* Who sits there now. */
static const char *
name_of(const struct play *play, unsigned seat)
{
    const struct table *table =
        play->stage == NULL ? NULL : stage_table(play->stage);
    return table != NULL && seat < table->seated ? table->seats[seat].user
                                                 : play->players[seat];
}

/* Find a player; false: there is none, which is a fault. */
static bool
find_player(struct play *play, const char *name, unsigned *seat)
{
    *seat = seat_of(play, name);
    return *seat != NO_SEAT || play_fault(play, "“%s” is not a player", name);
}

/* A number from 1 that is all of a text; 0: it is none. */
static unsigned
read_number(const char *text)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);
    bool whole = text[0] >= '0' && text[0] <= '9' && *end == '\0';
    return whole && number < 100 ? (unsigned)number : 0;
}

/* ---- setting up ---------------------------------------------------------- */

static bool
set_player(struct play *play, char *word)
{
    unsigned seat = play->player_count;
    char *role = strchr(word, '=');
    if (role != NULL) {
        *role++ = '\0';
    }
    if (seat == PLAYERS_MAX || strlen(word) >= WORD_MAX ||
        seat_of(play, word) != NO_SEAT) {
        return play_fault(play, "“%s” can't be at the table", word);
    }
    if (role != NULL && strcmp(role, "hitler") == 0) {
        play->deal.hitler = (uint8_t)seat;
    } else if (role != NULL && strcmp(role, "fascist") == 0) {
        play->deal.fascists |= seat_bit(seat);
    } else if (role != NULL) {
        return play_fault(play, "“%s” is no role: fascist or hitler", role);
    }
    snprintf(play->players[seat], sizeof play->players[seat], "%s", word);
    play->player_count++;
    return true;
}

static bool
scenario_players(struct play *play, char *rest)
{
    char *words[WORDS_MAX];
    unsigned count = play_split(rest, words);
    if (play->player_count > 0 || count < PLAYERS_MIN || count > PLAYERS_MAX) {
        return play_fault(play, "`players` names five to ten, once");
    }
    play->deal.hitler = NO_SEAT;
    for (unsigned i = 0; i < count; i++) {
        if (!set_player(play, words[i])) {
            return false;
        }
    }
    unsigned fascists = game_fascist_count(count);
    return (play->deal.hitler != NO_SEAT &&
            seat_count(play->deal.fascists) == fascists) ||
           play_fault(play, "of %u players one is hitler and %u fascist", count,
                      fascists);
}

static bool
scenario_first(struct play *play, char *rest)
{
    unsigned seat;
    if (!find_player(play, rest, &seat)) {
        return false;
    }
    play->deal.first = (uint8_t)seat;
    return true;
}

/* Take the blanks out of tiles in place; false: there are other messages, or
 * too many. */
static bool
read_tiles(char *text)
{
    size_t count = 0;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == 'L' || *from == 'F') {
            text[count++] = *from;
        } else if (*from != ' ') {
            return false;
        }
    }
    text[count] = '\0';
    return count <= TILES;
}

static bool
scenario_deck(struct play *play, char *rest)
{
    return (read_tiles(rest) && play_tiles(rest, LIBERAL_TILES, FASCIST_TILES,
                                           &play->deal.tiles)) ||
           play_fault(play, "no deck begins like that");
}

static bool
scenario_set(struct play *play, char *rest)
{
    struct buf why = BUF_INIT;
    char *value = strchr(rest, ' ');
    if (value == NULL) {
        return play_fault(play, "`set` has a setting and its value");
    }
    *value++ = '\0';
    if (strcmp(rest, "publish") == 0 && strlen(value) < sizeof play->publish) {
        memcpy(play->publish, value, strlen(value) + 1);
        return true;
    }
    return play_works(play, settings_set(&play->settings, rest, value, &why),
                      &why);
}

static bool
scenario_signup(struct play *play, char *rest)
{
    snprintf(play->signup, sizeof play->signup, "%s", rest);
    return *rest != '\0' || play_fault(play, "`signup` has how many may play");
}

static bool
join_all(struct play *play)
{
    for (unsigned seat = 0; seat < play->player_count; seat++) {
        if (!play_post(play, play->players[seat], false, "!join")) {
            return false;
        }
    }
    return play_game(play) != NULL ||
           play_fault(play, "the game does not begin");
}

/* Set up the game: the table is opened, everybody joins, it begins. */
static bool
open_table(struct play *play)
{
    char order[32];
    struct buf why = BUF_INIT;
    if (play->player_count == 0) {
        return play_fault(play, "nobody is at the table yet");
    }
    snprintf(order, sizeof order, "!new players=%u", play->player_count);
    if (play->signup[0] != '\0') {
        snprintf(order, sizeof order, "!new players=%s", play->signup);
    }
    if (!play_works(play, settings_check(&play->settings, &why), &why) ||
        !play_open(play) || !play_post(play, STAGE_MODERATOR, false, order)) {
        return false;
    }
    if (play->signup[0] == '\0' && !join_all(play)) {
        return false;
    }
    if (stage_table(play->stage) == NULL) {
        return play_fault(play, "no table is opened");
    }
    snprintf(play->id, sizeof play->id, "%s", stage_table(play->stage)->id);
    return play_end_act(play);
}

/* ---- chance, as told ----------------------------------------------------- */

static bool
tell_reshuffle(struct play *play, char *rest)
{
    if (!read_tiles(rest) || play->reshuffle_count == CHANCES_MAX) {
        return play_fault(play,
                          "`reshuffle` has tiles, such as FFL, top first");
    }
    snprintf(play->reshuffles[play->reshuffle_count++],
             sizeof play->reshuffles[0], "%s", rest);
    return true;
}

static bool
tell_lots(struct play *play, char *rest)
{
    unsigned number = read_number(rest);
    if (number == 0 || play->lots_count == CHANCES_MAX) {
        return play_fault(play, "`lots` has the number of the choice, from 1");
    }
    play->lots[play->lots_count++] = number;
    return true;
}

/* ---- acts ---------------------------------------------------------------- */

static bool
is_voting(const struct play *play, unsigned seat)
{
    const struct game *game = play_game(play);
    return game != NULL && game->question == QUESTION_VOTE &&
           seat_in(seat, game_awaits(game).seats);
}

static bool
cast_vote(struct play *play, unsigned seat, bool ja)
{
    const char *who = name_of(play, seat);
    const struct game *game = play_game(play);
    if (game == NULL || !is_voting(play, seat)) {
        return play_fault(play, "%s's vote is not awaited", who);
    }
    if (game->rules.ballot == BALLOT_SEALED) {
        return play_post(play, who, true, ja ? "Ja" : "Nein");
    }
    return play_post(play, who, false, ja ? "**Ja!**" : "**Nein!**");
}

/* All whose votes are awaited vote alike, until the vote is closed. */
static bool
vote_all(struct play *play, bool ja)
{
    unsigned cast = 0;
    for (unsigned seat = 0; seat < play->player_count; seat++) {
        if (is_voting(play, seat)) {
            if (!cast_vote(play, seat, ja)) {
                return false;
            }
            cast++;
        }
    }
    return cast > 0 || play_fault(play, "nobody's vote is awaited");
}

static bool
vote(struct play *play, char *rest, bool ja)
{
    char *words[WORDS_MAX];
    unsigned count = play_split(rest, words);
    play_begin_act(play);
    if (count == 0) {
        return play_fault(play, "who votes?");
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned seat;
        if (strcmp(words[i], "all") == 0) {
            if (!vote_all(play, ja)) {
                return false;
            }
        } else if (!find_player(play, words[i], &seat) ||
                   !cast_vote(play, seat, ja)) {
            return false;
        }
    }
    return play_end_act(play);
}

static bool
act_ja(struct play *play, char *rest)
{
    return vote(play, rest, true);
}

static bool
act_nein(struct play *play, char *rest)
{
    return vote(play, rest, false);
}

static bool
act_deadline(struct play *play, char *rest)
{
    int64_t due = timers_due(&play->stage->tables);
    if (rest[0] != '\0' || due == 0) {
        return play_fault(play, "no deadline is open");
    }
    play_begin_act(play);
    return play_jump(play, due) && play_end_act(play);
}

/* Time passes; the host is there all the while. */
static bool
act_wait(struct play *play, const char *text)
{
    int64_t time;
    if (!duration_read(text, &time)) {
        return play_fault(play, "“+%s” is no time, such as +3h", text);
    }
    play_begin_act(play);
    if (play->trouble != TROUBLE_NONE) {
        return play_pass_time(play, time) && play_end_act(play);
    }
    time += play->stage->now;
    for (;;) {
        int64_t due = timers_due(&play->stage->tables);
        if (due <= play->stage->now || due > time) {
            return play_jump(play, time) && play_end_act(play);
        }
        if (!play_jump(play, due)) {
            return false;
        }
    }
}

/* ---- whole rounds -------------------------------------------------------- */

static void
write_hand(struct pile hand, char out[TILES + 1])
{
    for (unsigned i = 0; i < hand.count; i++) {
        out[i] = pile_is_liberal(hand, i) ? 'L' : 'F';
    }
    out[hand.count] = '\0';
}

/* Which of three cards is missing from the two, from 1; 0: none is. */
static unsigned
discarded_card(const char *hand, const char *passed)
{
    for (unsigned i = 0; i < 3; i++) {
        char rest[3] = {hand[i == 0 ? 1 : 0], hand[i == 2 ? 1 : 2], '\0'};
        if (strcmp(rest, passed) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/* A session as FFL>FL>F: drawn, passed on, enacted. */
static bool
act_session(struct play *play, const char *president, const char *chancellor,
            const char *cards)
{
    char hand[TILES + 1];
    char told[4];
    char passed[3];
    char text[16];
    char enacted[2];
    int end = 0;
    if (sscanf(cards, "%3[LF]>%2[LF]>%1[LF]%n", told, passed, enacted, &end) !=
            3 ||
        cards[end] != '\0') {
        return play_fault(play, "“%s” is no session, such as FFL>FL>F", cards);
    }
    const struct game *game = play_game(play);
    if (game == NULL || game->question != QUESTION_DISCARD) {
        return play_fault(play, "no session begins");
    }
    write_hand(game->hand, hand);
    unsigned card = discarded_card(told, passed);
    if (strcmp(hand, told) != 0) {
        return play_fault(play, "%s draws %s", president, hand);
    }
    if (card == 0 || strchr(passed, enacted[0]) == NULL) {
        return play_fault(play, "%s passes on what is not there", cards);
    }
    snprintf(text, sizeof text, "discard %u", card);
    if (!(play_holds_back(play, president, text) ||
          play_post(play, president, true, text)) ||
        !play_disturb(play) || !play_let_go(play)) {
        return false;
    }
    snprintf(text, sizeof text, "enact %s", enacted);
    return play_post(play, chancellor, true, text);
}

static bool
name_chancellor(struct play *play, unsigned president, unsigned chancellor)
{
    const struct game *game = play_game(play);
    char text[WORD_MAX + 32];
    if (game == NULL || game->question != QUESTION_NOMINATE ||
        game->president != president) {
        return play_fault(play, "%s is not to name a chancellor now",
                          name_of(play, president));
    }
    snprintf(text, sizeof text, "[b][color=red]%s[/color][/b]",
             name_of(play, chancellor));
    if (!play_post(play, name_of(play, president), false, text)) {
        return false;
    }
    game = play_game(play);
    return (game != NULL && game->question == QUESTION_VOTE &&
            game->chancellor == chancellor) ||
           play_fault(play, "%s can't name %s", name_of(play, president),
                      name_of(play, chancellor));
}

/* "Anna+Bob FFL>FL>F", "Anna+Bob elected", "Anna+Bob rejected" */
static bool
act_round(struct play *play, char *rest)
{
    char *words[WORDS_MAX];
    unsigned count = play_split(rest, words);
    char *second = count == 2 ? strchr(words[0], '+') : NULL;
    unsigned president;
    unsigned chancellor;
    if (second == NULL) {
        return play_fault(play, "`round` is like Anna+Bob FFL>FL>F");
    }
    *second++ = '\0';
    play_begin_act(play);
    bool rejected = strcmp(words[1], "rejected") == 0;
    if (!find_player(play, words[0], &president) ||
        !find_player(play, second, &chancellor) ||
        !name_chancellor(play, president, chancellor) ||
        !vote_all(play, !rejected)) {
        return false;
    }
    bool whole = !rejected && strcmp(words[1], "elected") != 0;
    if (whole && !act_session(play, words[0], second, words[1])) {
        return false;
    }
    return play_end_act(play);
}

/* ---- who says what ------------------------------------------------------- */

/* Make line breaks of \n, in place. */
static void
break_lines(char *text)
{
    char *to = text;
    while (*text != '\0') {
        *to = *text++;
        if (*to == '\\' && *text == 'n') {
            *to = '\n';
            text++;
        }
        to++;
    }
    *to = '\0';
}

static bool
speak(struct play *play, const char *who, bool in_private, char *text)
{
    break_lines(text);
    play_begin_act(play);
    if (in_private) {
        (void)snprintf(play->writer, sizeof play->writer, "%s", who);
    }
    if (in_private && play_holds_back(play, who, text)) {
        return true;
    }
    return play_post(play, who, in_private, text) && play_end_act(play);
}

static bool
check_dm(struct play *play, const char *who, bool wanted, const char *text)
{
    char place[WORD_MAX + 6];
    const struct table *table = stage_table(play->stage);
    bool reserve = table != NULL && table_reserve(table, who) != NO_SEAT;
    if (seat_of(play, who) == NO_SEAT && !reserve &&
        strcmp(who, STAGE_MODERATOR) != 0 && strcmp(who, play->writer) != 0) {
        return play_fault(play, "“%s” is not a player", who);
    }
    snprintf(place, sizeof place, "talk/%s", who);
    return play_check_answers(play, place, wanted, text);
}

/* Is it a check of what was said, and no act? */
static bool
is_check(const char *who, char what)
{
    static const char *const checked[] = {"host", "gallery", "place", "status",
                                          "record"};
    bool checks = what == '<' || what == '!';
    for (size_t i = 0; i < sizeof checked / sizeof checked[0]; i++) {
        checks = checks || (what == ':' && strcmp(who, checked[i]) == 0);
    }
    return checks;
}

/* What the host has said somewhere; false in *is: that is no such place. */
static bool
check_said(struct play *play, const char *who, bool wanted, const char *text,
           bool *is)
{
    *is = true;
    if (strcmp(who, "host") == 0) {
        return play_check_answers(play, play_thread(play), wanted, text);
    }
    if (strcmp(who, "gallery") == 0) {
        return play_check_answers(play, PLAY_GALLERY, wanted, text);
    }
    if (strcmp(who, "place") == 0) {
        return play_check_place(play, wanted, text);
    }
    if (strcmp(who, "status") == 0) {
        return play_check_status(play, wanted, text);
    }
    if (strcmp(who, "record") == 0) {
        return play_check_record(play, wanted, text);
    }
    *is = false;
    return true;
}

/* "host: …", "host! …", "Anna: …", "Anna > …", "Anna @ …", "Anna ~ …", "Anna <
 * …", "Anna ! …" */
static bool
obey_speech(struct play *play, const char *who, char what, char *text)
{
    bool wanted = what != '!';
    bool is = false;
    if (play->twin != TWIN_NONE && is_check(who, what)) {
        return true;
    }
    if (text[0] == '\0') {
        return play_fault(play, "there is nothing behind “%c”", what);
    }
    if (what == ':' || what == '!') {
        bool good = check_said(play, who, wanted, text, &is);
        if (is) {
            return good;
        }
    }
    if (what == '<' || what == '!') {
        return check_dm(play, who, wanted, text);
    }
    if (what == '@' || what == '~') {
        break_lines(text);
        play_begin_act(play);
        return play_post_in(play, what == '@' ? PLAY_PLACE : PLAY_GALLERY, who,
                            text) &&
               play_end_act(play);
    }
    return speak(play, who, what == '>', text);
}

/* ---- lines --------------------------------------------------------------- */

/* "end liberal five_liberal", "end unfinished" */
static bool
obey_end(struct play *play, char *rest)
{
    char *words[WORDS_MAX];
    unsigned count = play_split(rest, words);
    if (play->ended) {
        return play_fault(play, "a play has one `end`");
    }
    play->ended = true;
    if (play->twin != TWIN_NONE) {
        return true;
    }
    if (count == 1 && strcmp(words[0], "unfinished") == 0) {
        return play_game(play) != NULL || play_fault(play, "the game is over");
    }
    if (count != 2) {
        return play_fault(play,
                          "`end` has a winner and the reason, or unfinished");
    }
    return play_check_end(play, words[0], words[1]);
}

static const struct {
    const char *word;
    bool scenario; /* stands before the table opens */
    bool (*obey)(struct play *play, char *rest);
} verbs[] = {
    {"players", true, scenario_players}, {"first", true, scenario_first},
    {"deck", true, scenario_deck},       {"set", true, scenario_set},
    {"signup", true, scenario_signup},   {"ja", false, act_ja},
    {"nein", false, act_nein},           {"round", false, act_round},
    {"deadline", false, act_deadline},   {"host", false, act_host},
    {"service", false, act_service},     {"blocks", false, act_blocks},
    {"unblocks", false, act_unblocks},   {"end", false, obey_end},
};
enum {
    VERBS = sizeof verbs / sizeof verbs[0]
};

static bool
must_be_open(struct play *play)
{
    return play->id[0] != '\0' || open_table(play);
}

static bool
obey_verb(struct play *play, const char *word, char *rest)
{
    /* What chance gives may be told at any time. */
    if (strcmp(word, "reshuffle") == 0) {
        return tell_reshuffle(play, rest);
    }
    if (strcmp(word, "lots") == 0) {
        return tell_lots(play, rest);
    }
    for (unsigned i = 0; i < VERBS; i++) {
        if (strcmp(verbs[i].word, word) != 0) {
            continue;
        }
        if (verbs[i].scenario && play->id[0] != '\0') {
            return play_fault(play, "`%s` comes before the first act", word);
        }
        return (verbs[i].scenario || must_be_open(play)) &&
               verbs[i].obey(play, rest);
    }
    return play_fault(play, "“%s” is no word of a play", word);
}

static char *
skip_blanks(char *text)
{
    return text + strspn(text, " \t");
}

/* Obey one line, which is changed. */
static bool
obey_line(struct play *play, char *line)
{
    size_t len = strlen(line);
    while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL) {
        line[--len] = '\0';
    }
    line = skip_blanks(line);
    if (*line == '\0' || *line == '#') {
        return true;
    }
    if (!play_before_line(play, line)) {
        return false;
    }
    if (play->ended && play_game(play) != NULL) {
        return play_fault(play, "the play goes on behind its `end`");
    }
    if (*line == '+') {
        return must_be_open(play) && act_wait(play, line + 1);
    }
    char *end = line + strcspn(line, " \t:<>!@~");
    char *rest = skip_blanks(end);
    char what = *rest;
    if (end - line >= WORD_MAX) {
        return play_fault(play, "its first word is too long");
    }
    *end = '\0';
    if (what == '\0' || strchr(":<>!@~", what) == NULL) {
        return obey_verb(play, line, rest);
    }
    return must_be_open(play) &&
           obey_speech(play, line, what, skip_blanks(rest + 1));
}

static bool
obey_text(struct play *play, const char *text)
{
    bool good = true;
    while (good && *text != '\0') {
        struct buf line = BUF_INIT;
        size_t len = strcspn(text, "\n");
        play->line++;
        buf_add(&line, text, len);
        buf_add_text(&line, "");
        good = len == 0 || obey_line(play, line.data);
        buf_release(&line);
        text += len + (text[len] == '\n');
    }
    return good;
}

/* ---- the performance ----------------------------------------------------- */

/* Append a post that the public sees, but not which it is: ids count private
 * messages, too. */
static void
keep_public(void *context, const struct board_post *seen)
{
    struct buf *out = context;
    if (strncmp(seen->place, "talk/", 5) != 0) {
        buf_addf(out, "%s %s %lld %lld %s: %s\n", seen->place, seen->author,
                 (long long)seen->stamp, (long long)seen->edited,
                 seen->reactions, seen->text);
    }
}

static void
keep_post(void *context, const struct board_post *seen)
{
    struct buf *out = context;
    buf_addf(out, "%lld %s %s %lld %lld %s\n%s\n", (long long)seen->id,
             seen->place, seen->author, (long long)seen->stamp,
             (long long)seen->edited, seen->reactions, seen->text);
}

static bool
finish(struct play *play)
{
    struct buf why = BUF_INIT;
    if (!play->ended) {
        return play_fault(play, "the play has no `end`");
    }
    if (play->reshuffle_next < play->reshuffle_count ||
        play->lots_next < play->lots_count) {
        return play_fault(play,
                          "there is a `reshuffle` or `lots` that never came");
    }
    buf_add_buf(&play->out->record, &play->record);
    return play_works(play,
                      board_read(play->stage->board, 0, "*", keep_post,
                                 &play->out->board, &why),
                      &why);
}

static void
play_release(struct play *play)
{
    play_close(play);
    play_clear(play);
    for (unsigned i = 0; i < play->answers_count; i++) {
        buf_release(&play->answers[i].said);
    }
    buf_release(&play->record);
}

static void
play_begin(struct play *play, const char *file, struct performance *performance)
{
    memset(play, 0, sizeof *play);
    memset(performance, 0, sizeof *performance);
    play->file = file;
    play->out = performance;
    play->deal.kind = COMMAND_DEAL;
    (void)play_tiles("", LIBERAL_TILES, FASCIST_TILES, &play->deal.tiles);
    stage_settings_plain(&play->settings);
    (void)instant_read(DAWN, &play->now);
    (void)setenv("PLACARD_DATA", "config", 1);
    log_set_level(LOG_LEVEL_ERROR);
}

bool
play_perform(const char *file, const char *text, bool restarts,
             struct performance *performance)
{
    struct play play;
    play_begin(&play, file, performance);
    play.restarts = restarts;
    bool good = obey_text(&play, text) && finish(&play);
    play_release(&play);
    return good;
}

bool
play_twin(const char *file, const char *text, bool late, unsigned seed,
          struct performance *performance)
{
    struct play play;
    struct buf why = BUF_INIT;
    play_begin(&play, file, performance);
    play.twin = late ? TWIN_LATE : TWIN_EARLY;
    play.dice.state = seed;
    caught_log_begin();
    bool good = obey_text(&play, text);
    caught_log_end();
    buf_add_buf(&performance->board, &play.log);
    buf_release(&play.log);
    if (play.stage != NULL) {
        good = play_works(&play,
                          board_read(play.stage->board, 0, "*", keep_public,
                                     &performance->board, &why),
                          &why) &&
               good;
    }
    play_release(&play);
    return good;
}

void
performance_release(struct performance *performance)
{
    buf_release(&performance->record);
    buf_release(&performance->board);
    buf_release(&performance->fault);
}
