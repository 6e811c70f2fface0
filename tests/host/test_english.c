/*
 * The English catalogue against the code that speaks: each key that the code
 * says is there, each key that is there is said, and each placeholder is one
 * that the code supplies to that key.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/host/words/speech.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

static struct language english;

static void
set_up(void)
{
    struct buf why = BUF_INIT;
    ck_assert_msg(language_load(&english, "config/languages/en.cfg", &why) ==
                      ERR_NONE,
                  "%s", buf_text(&why));
}

static void
tear_down(void)
{
    language_release(&english);
}

/* ---- the words of the code ----------------------------------------------- */

enum {
    WORDS_MAX = 4096,
    WORD_MAX = 40
};

/* A set of words that could be keys. */
struct words {
    char list[WORDS_MAX][WORD_MAX];
    size_t count;
};

static bool
is_there(const struct words *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->list[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static void
add_word(struct words *words, const char *word, size_t len)
{
    char copy[WORD_MAX];
    if (len == 0 || len >= WORD_MAX) {
        return;
    }
    for (size_t i = 0; i < len; i++) {
        if (!islower((unsigned char)word[i]) && word[i] != '_') {
            return;
        }
    }
    memcpy(copy, word, len);
    copy[len] = '\0';
    if (!is_there(words, copy)) {
        ck_assert_uint_lt(words->count, WORDS_MAX);
        TEXT_COPY(words->list[words->count], copy);
        words->count++;
    }
}

/* Call `each` with every string literal of a C file that could be a key, and
 * with what stands before it since the last `;`, `{` or `}`. */
typedef void literal_reader(struct words *words, const char *literal,
                            size_t len, const char *statement);

static void
read_literals(const char *text, literal_reader *each, struct words *words)
{
    const char *from = text;
    for (const char *at = text; *at != '\0'; at++) {
        if (at[0] == '/' && at[1] == '*') {
            at = strstr(at, "*/");
            ck_assert_ptr_nonnull(at);
        } else if (strchr(";{}", *at) != NULL) {
            from = at + 1;
        } else if (*at == '\'') {
            at += at[1] == '\\' ? 3 : 2;
        } else if (*at == '"') {
            const char *end = at + 1;
            while (*end != '"') {
                end += *end == '\\' ? 2 : 1;
            }
            char *statement = strndup(from, (size_t)(at - from));
            each(words, at + 1, (size_t)(end - at - 1), statement);
            free(statement);
            at = end;
        }
    }
}

/* Does a source file speak?  The readers of posts, rows and translations do
 * not. */
static bool
speaks(const char *file)
{
    static const char *const others[] = {"intent", "names.c", "move.c",
                                         "translation"};
    size_t len = strlen(file);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strncmp(file, others[i], strlen(others[i])) == 0) {
            return false;
        }
    }
    return len > 2 && strcmp(file + len - 2, ".c") == 0;
}

static void
read_file(const char *path, literal_reader *each, struct words *words)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    read_literals(buf_text(&text), each, words);
    buf_release(&text);
}

/* All sources of a folder, and of those in it. */
static void
read_folder(const char *folder, literal_reader *each, struct words *words)
{
    DIR *open = opendir(folder);
    const struct dirent *entry = NULL;
    ck_assert_ptr_nonnull(open);
    while ((entry = readdir(open)) != NULL) {
        char path[400];
        struct stat found;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (speaks(entry->d_name)) {
            read_file(path, each, words);
        } else if (entry->d_name[0] != '.' && stat(path, &found) == 0 &&
                   S_ISDIR(found.st_mode)) {
            read_folder(path, each, words);
        }
    }
    closedir(open);
}

/* ---- keys that are made of parts ----------------------------------------- */

/* What the referee can never be refused for: chance, lots, what is no command,
 * come from the host. */
static const char *const unsaid_refusals[] = {"wrong_tiles", "wrong_roles",
                                              "no_lots", "malformed"};

static bool
is_unsaid(const char *refusal)
{
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(unsaid_refusals[i], refusal) == 0) {
            return true;
        }
    }
    return false;
}

static void
add_built(struct words *words)
{
    for (int refusal = REFUSAL_NONE + 1; refusal < REFUSALS; refusal++) {
        const char *name = refusal_key((enum refusal)refusal);
        char key[WORD_MAX];
        snprintf(key, sizeof key, "refused_%s", name);
        if (!is_unsaid(name)) {
            add_word(words, key, strlen(key));
        }
    }
    /* notice.c says these by the table of events. */
    static const enum event_kind said[] = {
        EVENT_VETO_ASKED, EVENT_RESHUFFLED,     EVENT_PEEKED,
        EVENT_EXECUTED,   EVENT_SPECIAL_CALLED, EVENT_INVESTIGATED};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const char *key = event_facts[said[i]].notice;
        add_word(words, key, strlen(key));
    }
}

/* ---- the tests ----------------------------------------------------------- */

static void
take_any(struct words *words, const char *literal, size_t len,
         const char *statement)
{
    (void)statement;
    add_word(words, literal, len);
}

/* Does a text speak in this word, with a capital or without? */
static bool
is_word_of_a_text(const struct language_entry *word)
{
    char small[WORD_MAX];
    char capital[WORD_MAX];
    snprintf(small, sizeof small, "<%s>", word->key);
    TEXT_COPY(capital, small);
    capital[1] = (char)toupper((unsigned char)capital[1]);
    for (size_t i = 0; word->word && i < english.count; i++) {
        const char *text = english.entries[i].text;
        if (strstr(text, small) != NULL || strstr(text, capital) != NULL) {
            return true;
        }
    }
    return false;
}

START_TEST(every_key_is_said_by_the_code_or_in_a_text)
{
    static struct words used;
    used.count = 0;
    read_folder("bot/host/table", take_any, &used);
    read_folder("bot/host/judge", take_any, &used);
    read_folder("bot/host/words", take_any, &used);
    read_folder("bot/report", take_any, &used);
    read_folder("bot/tables", take_any, &used);
    read_folder("bot/loop", take_any, &used);
    read_folder("bot/store", take_any, &used);
    read_folder("bot/local", take_any, &used);
    read_file("bot/cli/play.c", take_any, &used);
    add_built(&used);
    for (size_t i = 0; i < english.count; i++) {
        ck_assert_msg(is_there(&used, english.entries[i].key) ||
                          is_word_of_a_text(&english.entries[i]),
                      "nobody says \"%s\"", english.entries[i].key);
    }
}
END_TEST

/* Is the literal after these words the name of a parameter? */
static bool
names_parameter(const char *statement)
{
    static const size_t len = sizeof "speech_text" - 1;
    const char *call = strrchr(statement, '(');
    return call != NULL && call >= statement + len &&
           (strncmp(call - len, "speech_text", len) == 0 ||
            strncmp(call - len, "speech_rich", len) == 0);
}

/* Does the statement say what is in the literal: is it a call that says a key?
 */
static bool
is_called(const char *statement)
{
    static const char *const calls[] = {
        "answer(",
        "answer_simply(",
        "answer_speech(",
        "answer_quoting(",
        "speech_say(",
        "speech_post(",
        "speech_begin_notice(",
        "speech_add(",
        "catalogue_say(",
        "catalogue_text(",
        "catalogue_time(",
        "add_time(",
        "add_nth_word(",
        "catalogue_is_word(",
        "language_find(",
        "word(",
        "add_both(",
        "send(",
        "say(",
        "page_element(",
        "write_column(",
        "write_value(",
    };
    bool called = false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        called = called || strstr(statement, calls[i]) != NULL;
    }
    return called && !names_parameter(statement);
}

/* What page_element is told beside a key. */
static bool
is_element(const char *literal, size_t len)
{
    static const char *const elements[] = {"p",    "h1",    "h2",   "h3",
                                           "li",   "dt",    "dd",   "em",
                                           "span", "small", "title"};
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        if (strlen(elements[i]) == len &&
            memcmp(elements[i], literal, len) == 0) {
            return true;
        }
    }
    return false;
}

static void
take_called(struct words *words, const char *literal, size_t len,
            const char *statement)
{
    if (is_called(statement) && !is_element(literal, len)) {
        add_word(words, literal, len);
    }
}

/* As that, and in the rooms where nothing else is told as a word: what a
 * function answers, and what it finds first. */
static void
take_said(struct words *words, const char *literal, size_t len,
          const char *statement)
{
    bool told = strstr(statement, "return") != NULL ||
                strstr(statement, "key =") != NULL;
    if ((is_called(statement) || told) && strstr(statement, "strcmp") == NULL) {
        add_word(words, literal, len);
    }
}

/* The names of commands in judge/commands/chat_commands.c, and the ones of
 * enums elsewhere, stand in tables of their own. */
static void
take_commands(struct words *words, const char *literal, size_t len,
              const char *statement)
{
    (void)statement;
    if (len > 8 && strncmp(literal, "command_", 8) == 0) {
        add_word(words, literal, len);
    }
}

START_TEST(every_key_that_the_code_says_is_there)
{
    static struct words said;
    said.count = 0;
    read_folder("bot/host/table", take_said, &said);
    read_folder("bot/host/judge", take_said, &said);
    read_folder("bot/host/words", take_said, &said);
    read_folder("bot/report", take_called, &said);
    read_folder("bot/tables", take_called, &said);
    read_folder("bot/loop", take_called, &said);
    read_folder("bot/store", take_called, &said);
    read_file("bot/host/judge/commands/chat_commands.c", take_commands, &said);
    add_built(&said);
    ck_assert_uint_gt(said.count, 120);
    for (size_t i = 0; i < said.count; i++) {
        ck_assert_msg(language_find(&english, said.list[i]) != NULL,
                      "“%s” is not in the catalogue", said.list[i]);
    }
}
END_TEST

/* ---- how a post was read ------------------------------------------------- */

/* The numbers of rules of reading, as in "R10" or "R8: this post …". */
static void
assert_rule_is_told(const char *literal, size_t len, const char *mending)
{
    size_t digits = strspn(literal + 1, "0123456789");
    char sign[16];
    if (len < 2 || strchr("RDE", literal[0]) == NULL || digits == 0 ||
        (literal[1 + digits] != ':' && 1 + digits != len)) {
        return;
    }
    snprintf(sign, sizeof sign, "\"%.*s:\"", (int)(1 + digits), literal);
    ck_assert_msg(strstr(mending, sign) != NULL, "nobody tells of rule %s",
                  sign);
}

static struct buf mending;

static void
take_rule(struct words *words, const char *literal, size_t len,
          const char *statement)
{
    (void)words;
    (void)statement;
    assert_rule_is_told(literal, len, buf_text(&mending));
}

START_TEST(every_rule_of_reading_is_told_in_the_catalogues_words)
{
    static const char *const files[] = {
        "reading/intent_runs.c", "reading/intent_votes.c",
        "reading/intent_names.c", "reading/intent_cards.c", "judge/referee.c"};
    struct buf why = BUF_INIT;
    ck_assert_int_eq(
        file_read("bot/host/judge/commands/mending.c", &mending, &why),
        ERR_NONE);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "bot/host/%s", files[i]);
        read_file(path, take_rule, NULL);
    }
    buf_release(&mending);
}
END_TEST

/* ---- placeholders -------------------------------------------------------- */

/* What a sentence may speak of besides what every one may (speech.h), as the
 * function that says it sets it. */
static const struct {
    const char *key; /* or how keys begin, with a * */
    const char *own;
} owns[] = {
    {"time", "weekday day month clock zone utc"},
    {"clock", "hour hour_two minute second"},
    {"duration", "days hours minutes seconds"},
    {"play_date", "weekday day month year"},
    {"play_*", "roles file"},
    {"guest_welcome", "players seat"},
    {"guest_prompt", "seat to_host"},
    {"guest_resumed", "file"},
    {"resumed", "line"},
    {"wrong_*", "key value right nearest election quiet theme language"},
    {"right_*", "least most choices"},
    {"language_*", "player languages"},
    {"signup", "reserves night early rules differences"},
    {"rules_*",
     "rules differences five seven nine large never small last_enacted "
     "last_elected over_five_living over_six_seated election open sealed "
     "majority decided all held vote_min tie_elects_hitler chaos_power "
     "for_name for_vote for_president for_chancellor for_veto for_power "
     "second_thought daily quiet days_off zone misses topic"},
    {"differences",
     "five never last_enacted always over_six_seated election open majority "
     "decided held vote_min tie_elects_hitler chaos_power first"},
    {"stranger_vote", "player"},
    {"warnings", "list strangers"},
    {"history", "none"},
    {"status_rounds", "earlier prefix"},
    {"status_ready", "line ready rules differences"},
    {"again", "everybody old"},
    {"again_none", "player"},
    {"ask_private", "player"},
    {"asks", "asker text"},
    {"answer_done", "target"},
    {"answered", "text"},
    {"alarm", "text"},
    {"which", "list"},
    {"which_table", "table place round"},
    {"pointer", "link coming over closed"},
    {"hint_stranger", "open link place"},
    {"signup_name_held", "player coming"},
    {"name_held", "number"},
    {"signup_*", "player other missing"},
    {"new_*", "player moderators called problem"},
    {"bad_word", "word"},
    {"unknown_command", "player word"},
    {"command_near", "player command"},
    {"command_*", "player word text moderated together"},
    {"reserve_*", "player"},
    {"not_begun", "player"},
    {"votes_no_round", "player"},
    {"votes_no_player", "player"},
    {"votes_of", "voter none"},
    {"vote_of_round", "voted ja was name"},
    {"votes", "named secret voted_count ja_people nein_people missing"},
    {"role_private", "player"},
    {"claim_bad", "player part governed peeked target"},
    {"claim_no_party", "player target"},
    {"claim_*", "player"},
    {"tell_party", "target"},
    {"fair", "player commitment"},
    {"luck_*", "player"},
    {"away", "excused partly player until waited remedy"},
    {"away_bad", "player part"},
    {"away_over", "player"},
    {"away_now", "list"},
    {"away_remedy", "together"},
    {"catchup", "since whole nothing left_out"},
    {"catchup_people", "came empty"},
    {"catchup_votes", "ja_people nein_people missing"},
    {"catchup_bad", "player part"},
    {"catchup_*", "player target"},
    {"plan_done", "plan"},
    {"plan_*", "player own target"},
    {"warn_*", "player"},
    {"edit_nothing", "player voted_before not_voted"},
    {"alias_bad", "player"},
    {"alias_taken", "player text other"},
    {"alias_word", "player text"},
    {"leave_running", "leaver moderators reserves"},
    {"ready_word", "word wrong"},
    {"ready_private", "link"},
    {"ready_missing", "unheard left movers"},
    {"ready_moved_up", "unheard left movers until"},
    {"ready_*", "player until unready unheard missing ready_count"},
    {"status_check", "until unready"},
    {"status_aim", "until target"},
    {"aimed", "again target until"},
    {"aimed_formula", "again target until"},
    {"aimed_late", "until"},
    {"press_*", "agrees target number policy done link"},
    {"vote_one", "name agrees time"},
    {"votes_so_far", "votes voted_count voters closed"},
    {"slash_claimed", "player claim"},
    {"remind_vote", "left late ja nein"},
    {"remind_*", "left late"},
    {"agree_*", "player list request word asker agreed needed"},
    {"yes_*", "player named request word"},
    {"ask_enough", "player"},
    {"alias_fell", "player other"},
    {"forget_*", "player plays request"},
    {"extend_reason", "by_table moderator"},
    {"extend_bad", "player part"},
    {"extend_*", "player"},
    {"will_extend", "length"},
    {"will_replace", "newcomer target"},
    {"will_choose", "lots session target chooser"},
    {"will_end", "running"},
    {"will_undo", "fallen session to_round"},
    {"deadline_bad", "player part"},
    {"paused", "reason until together"},
    {"will_pause", "until"},
    {"paused_long", "since"},
    {"paused_already", "player"},
    {"resume_nothing", "player"},
    {"choices_now", "gained lost"},
    {"new_running", "coming"},
    {"replaced", "out newcomer"},
    {"replace_*", "player"},
    {"vacate_vacant", "player target"},
    {"vacate_whom", "player"},
    {"replace_whom", "player"},
    {"vacated*", "player"},
    {"moderator_bad", "player"},
    {"moderator_unknown", "player text"},
    {"moderator_plays", "player text"},
    {"moderator_added", "moderator"},
    {"warnings", "list"},
    {"warnings_of", "name count"},
    {"choose_*", "player"},
    {"chosen", "player lots target chooser"},
    {"set_*", "player problem key value before changes"},
    {"ending", "player running reason"},
    {"post_unknown", "player"},
    {"post_position", "player"},
    {"why", "verdict rule"},
    {"why_past", "player"},
    {"why_unjudged", "player"},
    {"verdict_*", "text counts"},
    {"will_undo_moves", "moves"},
    {"undo_moves", "moves"},
    {"undo_nothing", "player"},
    {"undo_people", "player"},
    {"undo_gallery", "player"},
    {"gallery_roles", "hitler fascists liberals fascist_count"},
    {"gallery_coming", "player executed"},
    {"gallery_title", ""},
    {"gallery_opened", ""},
    {"gallery_over", ""},
    {"gallery_*", "player"},
    {"undo_*", "player target of_round"},
    {"undone", "fallen to_round known"},
    {"count_*", "player"},
    {"counted", "player target is_ja"},
    {"voided", "player target"},
    {"memory_party*", "target party former"},
    {"memory_*", "cards former"},
    {"started", "fascists liberals hitler_knows order first drawn gallery"},
    {"role", "is_liberal is_fascist is_hitler hitler_knows hitler mates"},
    {"call_*", "voters button"},
    {"elected",
     "votes ja nein ja_people nein_people missing cleared tracker_reset"},
    {"rejected", "votes ja nein ja_people nein_people missing tie tracker_now "
                 "tracker_two"},
    {"vote_timeout",
     "votes ja nein ja_people nein_people missing tie tracker_now "
     "tracker_two"},
    {"no_name", "tracker_now tracker_two"},
    {"chaos*", "policy over"},
    {"enacted", "policy over"},
    {"investigated", "target"},
    {"special_called", "target"},
    {"executed", "target gallery"},
    {"veto_agreed", "tracker_now"},
    {"veto_refused", "timeout"},
    {"lots_card", "player"},
    {"lots_target", "player"},
    {"vacated", "player misses"},
    {"hand*", "cards"},
    {"card", "number policy"},
    {"echo_ballot", "vote"},
    {"echo_discard", "discarded passed"},
    {"lots_discard", "discarded passed timeout"},
    {"echo_enact", "policy other"},
    {"lots_enact", "policy other timeout"},
    {"result_investigate", "target party"},
    {"result_peek", "cards"},
    {"end_thanks", "moderators called"},
    {"end_*",
     "votes hitler fascists liberals fascist_count sessions told ja nein tie "
     "ja_people nein_people missing"},
    {"end_session", "round president chancellor drawn passed policy"},
    {"status_head", "line over"},
    {"status_vote", "voted"},
    {"status_seats", "seats"},
    {"status_seat", "number name now marks"},
    {"status_round", "round president chancellor outcome chaos stories link"},
    {"told_*", "name target stories"},
    {"vote_ends", "open_until against"},
    {"prod*", "silent waits player"},
    {"past_*", "ja nein policy"},
    {"mark_away", "until"},
    {"away_one", "name until"},
    {"site_place_title", "place"},
    {"site_lead", "games liberal fascist abandoned"},
    {"site_table", "table"},
    {"stats_none", "player"},
    {"stats_here", "player games liberal fascist abandoned own won as_liberal "
                   "won_liberal as_fascist won_fascist as_hitler won_hitler"},
    {"report_round", "round president chancellor"},
    {"report_player_number", "number"},
    {"report_*",
     "table players rounds preset year round chaos other player target peek "
     "president "
     "chancellor cards discarded policy party power elected named late ja nein "
     "ja_people nein_people missing tracker out in text deadline line rule why "
     "changed planned pressed"},
    {"reshuffled", "shown"},
    {"page_*", "player old"},
    {"board_alt", "title liberal fascist powers tracker tiles seats"},
    {"board_alt_danger", "danger"},
    {"board_power", "number power"},
    {"board_*", "round liberal fascist tracker deck discards policies"},
    {"help_choices", "here claims returns"},
    {"help_*", "player line voted signup running coming gallery private"},
    {"ask_confirm", "player what request until"},
    {"ask_table", "player what request until"},
    {"ask_*",
     "player text word president_asks candidates number nominates slip "
     "veto_power"},
    {"hint_vote_early", "player candidate"},
    {"hint_beside", "player link"},
    {"hint_cards", "player president_asks slip veto_power"},
    {"hint_paste", "player slip nominates target paste"},
    {"hint_private", "player veto_power"},
    {"hint_*", "player closed_round slip"},
    {"private_nothing", "player asks votes vetoes"},
    {"talk_topic", ""},
    {"talk_back", "running"},
    {"talk_*", "player waits moderators"},
    {"reach_reason", "player"},
    {"extended", "reason"},
    {"seat_*", "player put_out"},
    {"stays", "player"},
    {"answers_enough", "player until"},
    {"returned", "newcomer"},
    {"join_former", "player"},
    {"join_gallery", "player"},
    {"join_blocked", "player"},
    {"join_young", "player length until"},
    {"join_press", "player"},
    {"join_role", "player"},
    {"flag_*", "player"},
    {"flags", "asker author link reason"},
    {"warn_bad", "player"},
    {"warned", "player target reason"},
    {"warnings_for", "name reason"},
    {"blocked", "list"},
    {"block_*", "player text target"},
    {"unblock_*", "player text target"},
    {"vacancy", "link seats"},
    {"vacancy_over", "link over"},
    {"start_near", "everybody missing"},
    {"start_moved", "everybody missing"},
    {"zone_done", "zone time"},
    {"zone_bad", "player"},
    {"preference_players", "player"},
    {"remind_bad", "player"},
    {"emoji_*", "player"},
    {"remind_own", "text"},
    {"status_over", "liberals_won fascists_won policies"},
    {"gap", "from to aim outage lost moved over still"},
    {"pending_post", "player link moderators"},
    {"pending_late", "player"},
    {"gap_coming", "from to end check outage lost moved over"},
    {"clock_wrong", "aim"},
    {"clock_wrong_coming", "end check"},
    {"gap_reason", "from outage to"},
    {"delivered_again", "from"},
    {"words_changed", "moderators words"},
    {"words_refused", "private"},
    {"deleted_post", "player"},
    {"sealed_*", "player"},
    {"room_encrypted", "moderators paused table"},
    {"room_moved", "table extended due"},
    {"thread_gone", "table"},
    {"hidden_*", "player"},
    {"refused_*", "player target"},
};

/* These are said with parameters of their own alone. */
static const char *const alone[] = {
    "time",           "bad_word",     "card",
    "end_session",    "status_seats", "status_seat",
    "status_rounds",  "status_round", "past_*",
    "bad_players",    "ring_reason",  "mark_*",
    "command_new",    "command_join", "and",
    "code_words",     "word_*",       "extend_reason",
    "bad_start",      "warnings_of",  "warnings_for",
    "told_*",         "or",           "play_*",
    "list_separator", "board_*",      "report_*",
    "site_*",         "clock",        "duration",
    "away_one",       "wrong_*",      "right_*",
    "common_names"};

static bool
fits(const char *pattern, const char *key)
{
    size_t len = strlen(pattern);
    return pattern[len - 1] == '*' ? strncmp(pattern, key, len - 1) == 0
                                   : strcmp(pattern, key) == 0;
}

/* Does a word stand in a list with blanks between? */
static bool
lists(const char *list, const char *word, size_t len)
{
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        size_t own = strcspn(at, " ");
        if (own == len && strncmp(at, word, len) == 0) {
            return true;
        }
        at += own;
    }
    return false;
}

/* The parameters that every sentence may speak of, from games in every state.
 */
static struct words shared;

static void
note_shared(const struct room *room)
{
    struct host_env env = {.catalogue = stage_catalogue(room->stage, NULL),
                           .dialect = &dialect_board,
                           .capabilities = &adapter_board.capabilities,
                           .zone = zone_utc()};
    struct speech speech;
    speech_init(&speech, &env, room_table(room), NULL);
    for (unsigned i = 0; i < speech.params.count; i++) {
        const char *name = speech.params.list[i].name;
        add_word(&shared, name, strlen(name));
    }
    speech_release(&speech);
}

static void
note_all_shared(void)
{
    struct room room;
    shared.count = 0;
    room_init(&room);
    room.deck = "FFLFFLFFL";
    room_open(&room);
    room_says(&room, "Mo", "!new");
    for (unsigned i = 0; i < 7; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Ida", "!reserve");
    note_shared(&room);
    room_says(&room, "Mo", "!start");
    room_governs(&room, 1, false);
    note_shared(&room);
    room_names(&room, 2);
    note_shared(&room);
    room_release(&room);
}

static bool
may_speak_of(const char *key, const char *name, size_t len)
{
    bool is_alone = false;
    char word[WORD_MAX];
    snprintf(word, sizeof word, "%.*s", (int)len, name);
    for (size_t i = 0; i < sizeof owns / sizeof owns[0]; i++) {
        if (fits(owns[i].key, key) && lists(owns[i].own, name, len)) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++) {
        is_alone = is_alone || fits(alone[i], key);
    }
    return !is_alone && is_there(&shared, word);
}

START_TEST(every_placeholder_is_supplied_to_its_key)
{
    note_all_shared();
    ck_assert_uint_gt(shared.count, 40);
    for (size_t i = 0; i < english.count; i++) {
        const char *key = english.entries[i].key;
        const char *at = english.entries[i].text;
        while ((at = strchr(at, '{')) != NULL) {
            at += at[1] == '@' ? 2 : 1;
            size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
            ck_assert_msg(may_speak_of(key, at, len),
                          "nobody tells \"%s\" what {%.*s} is", key, (int)len,
                          at);
        }
    }
}
END_TEST

START_TEST(every_parameter_of_a_sentences_own_is_in_the_code)
{
    static struct words words;
    words.count = 0;
    read_folder("bot/host/table", take_any, &words);
    read_folder("bot/host/judge", take_any, &words);
    read_file("bot/cli/play.c", take_any, &words);
    read_folder("bot/local", take_any, &words);
    read_folder("bot/host/words", take_any, &words);
    read_folder("bot/report", take_any, &words);
    read_file("engine/rules.c", take_any, &words); /* values of options */
    for (size_t i = 0; i < sizeof owns / sizeof owns[0]; i++) {
        const char *at = owns[i].own;
        while (*at != '\0') {
            char word[WORD_MAX];
            size_t len = strcspn(at, " ");
            snprintf(word, sizeof word, "%.*s", (int)len, at);
            ck_assert_msg(is_there(&words, word), "%s of %s", word,
                          owns[i].key);
            at += len;
            at += strspn(at, " ");
        }
    }
}
END_TEST

START_TEST(words_in_lists_are_as_many_as_are_asked_for)
{
    static const struct {
        const char *key;
        unsigned count;
    } wanted[] = {{"weekdays", 7}, {"months", 12}};
    for (size_t i = 0; i < 2; i++) {
        const char *at = language_find(&english, wanted[i].key);
        unsigned count = 0;
        ck_assert_ptr_nonnull(at);
        while (*(at += strspn(at, " ")) != '\0') {
            at += strcspn(at, " ");
            count++;
        }
        ck_assert_uint_eq(count, wanted[i].count);
    }
}
END_TEST

START_TEST(no_two_commands_have_a_word_in_common)
{
    static struct words words;
    words.count = 0;
    for (size_t i = 0; i < english.count; i++) {
        const char *at = english.entries[i].text;
        if (strncmp(english.entries[i].key, "command_", 8) != 0 ||
            strchr(at, '{') != NULL) {
            continue;
        }
        while (*at != '\0') {
            size_t len = strcspn(at, " ");
            size_t count = words.count;
            add_word(&words, at, len);
            ck_assert_uint_eq(words.count, count + 1);
            at += len;
            at += strspn(at, " ");
        }
    }
    ck_assert_uint_ge(words.count, 6);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/english");
    TCase *tcase = tcase_create("english");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_key_is_said_by_the_code_or_in_a_text);
    tcase_add_test(tcase, every_key_that_the_code_says_is_there);
    tcase_add_test(tcase,
                   every_rule_of_reading_is_told_in_the_catalogues_words);
    tcase_add_test(tcase, every_placeholder_is_supplied_to_its_key);
    tcase_add_test(tcase, every_parameter_of_a_sentences_own_is_in_the_code);
    tcase_add_test(tcase, words_in_lists_are_as_many_as_are_asked_for);
    tcase_add_test(tcase, no_two_commands_have_a_word_in_common);
    suite_add_tcase(suite, tcase);
    return suite;
}
