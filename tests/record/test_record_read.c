#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/record/deal.h"
#include "bot/record/record.h"
#include "tests/support/record_lines.h"
#include "tests/support/rewrite.h"
#include "tests/support/runner.h"

/* 2026-11-21T10:00:00Z */
#define AT INT64_C(1795255200000)

#define OPENED                                                                 \
    "{\"seq\":0,\"at\":\"2026-11-21T10:00:00Z\",\"event\":\"opened\","         \
    "\"format\":\"placard-record/1\",\"game\":\"g\",\"rules\":{"               \
    "\"preset\":\"french\",\"hitler_knows_fascists\":\"small\","               \
    "\"term_limit\":\"last_elected\","                                         \
    "\"president_term_limit\":\"over_six_seated\","                            \
    "\"tracker_resets_on\":\"election\",\"ballot\":\"sealed\","                \
    "\"vote_closes\":\"all\"},\"commitment\":null}\n"
#define SEATED                                                                 \
    "{\"seq\":1,\"at\":\"2026-11-21T10:00:00Z\",\"event\":\"seated\","         \
    "\"players\":[\"Ann\",\"Bob\",\"Cid\",\"Dan\",\"Eve\"],"                   \
    "\"transcript\":null}\n"

/* Read a text that is a record; yours to release. */
static struct record
read_good(const char *text, size_t len)
{
    struct record record;
    struct buf why = BUF_INIT;
    enum err err = record_read(text, len, &record, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    ck_assert_uint_eq(why.len, 0);
    buf_release(&why);
    return record;
}

/* A text is no record: why, up to what the JSON library has to say. */
static void
assert_garbled(const char *text, size_t len, const char *sentence)
{
    struct record record;
    struct buf why = BUF_INIT;
    ck_assert_uint_eq(record_read(text, len, &record, &why), ERR_GARBLED);
    if (strstr(sentence, "JSON: ") != NULL) {
        ck_assert_uint_ge(why.len, strlen(sentence));
        ck_assert_mem_eq(why.data, sentence, strlen(sentence));
    } else {
        ck_assert_str_eq(buf_text(&why), sentence);
    }
    buf_release(&why);
    record_release(&record);
}

static struct buf
load(const char *name)
{
    struct buf path = BUF_INIT;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    buf_addf(&path, "tests/fixtures/record/%s.jsonl", name);
    enum err err = file_read(buf_text(&path), &text, &why);
    ck_assert_msg(err == ERR_NONE, "%s", buf_text(&why));
    buf_release(&path);
    return text;
}

/* ---- what is wrong with a file ------------------------------------------- */

/* A file per way of being broken, and what is said of it. */
static const struct {
    const char *name;
    const char *sentence;
} broken_files[] = {
    {"empty", "line 1: no game is \"opened\""},
    {"no-final-line-feed", "line 2: the last line has no line feed"},
    {"not-json", "line 2: JSON: "},
    {"cut-off", "line 2: JSON: "},
    {"two-values-on-a-line", "line 2: JSON: "},
    {"blank-line", "line 2: empty, where a JSON object must be"},
    {"not-an-object", "line 2: not a JSON object"},
    {"null", "line 2: not a JSON object"},
    {"byte-order-mark", "line 1: JSON: "},
    {"invalid-utf8", "line 2: JSON: "},
    {"nul-byte", "line 2: JSON: "},
    {"too-deep", "line 2: JSON: "},
    {"doubled-key", "line 2: JSON: "},
    {"doubled-key-inside", "line 1: JSON: "},
    {"no-event", "line 2: `event` must be a text"},
    {"unknown-event", "line 2: `event`: \"shuffled\" is none of the record's"},
    {"not-opened", "line 1: `event`: \"seated\" before a game was \"opened\""},
    {"gap-in-seq", "line 3: noted: `seq` must be 2"},
    {"seq-goes-on-in-the-second-game", "line 3: opened: `seq` must be 0"},
    {"seated-twice", "line 3: seated: the players of this game sit already"},
    {"voter-before-seated",
     "line 2: voted: `player`: \"Ann\" is nobody at the table"},
    {"old-name-after-replaced",
     "line 4: voted: `player`: \"Ann\" is nobody at the table"},
};

START_TEST(a_broken_file_is_refused_with_the_line_and_the_reason)
{
    for (unsigned i = 0; i < sizeof broken_files / sizeof broken_files[0];
         i++) {
        struct buf text = load(broken_files[i].name);
        assert_garbled(text.data, text.len, broken_files[i].sentence);
        buf_release(&text);
    }
}
END_TEST

/* ---- what is wrong with a line ------------------------------------------- */

/* `line` comes third, after a head with its seq and time. */
static const struct {
    const char *line;
    const char *sentence; /* after "line 3: " */
} broken_lines[] = {
    {"'dealt','deck':[]", "dealt: `roles` must give each player a role"},
    {"'dealt','roles':null", "dealt: `roles` must give each player a role"},
    {"'dealt','roles':{'Ann':'liberal','Bob':'liberal','Cid':'liberal',"
     "'Dan':'fascist'}",
     "dealt: `roles` must give each player a role"},
    {"'dealt','roles':{'Ann':'liberal','Bob':'liberal','Cid':'liberal',"
     "'Dan':'fascist','Eve':'Hitler'}",
     "dealt: `roles` must be \"liberal\", \"fascist\" or \"hitler\""},
    {"'dealt','roles':{'Ann':'liberal','Bob':'liberal','Cid':'liberal',"
     "'Dan':'fascist','eve':'hitler'}",
     "dealt: `roles`: \"eve\" is nobody at the table"},
    {"'dealt','roles':{'Ann':'liberal','Bob':'liberal','Cid':'liberal',"
     "'Dan':'hitler','Eve':'hitler'}",
     "dealt: `roles` must have one \"hitler\""},
    {"'dealt','roles':{'Ann':'liberal','Bob':'liberal','Cid':'liberal',"
     "'Dan':'fascist','Eve':'hitler'},'deck':['L']",
     "dealt: `deck` must be 17 of \"L\" and \"F\""},
    {"'round','round':0.5", "round: `round` must be a number from 0 to "
                            "2147483647"},
    {"'round','round':2147483648",
     "round: `round` must be a number from 0 to 2147483647"},
    {"'round','round':1,'president':'Ann'",
     "round: `special` must be true or false"},
    {"'round','round':1,'president':'Ann','special':0",
     "round: `special` must be true or false"},
    {"'round','round':1,'president':'Ann','special':false,'eligible':'Bob'",
     "round: `eligible` must be a list of names"},
    {"'round','round':1,'president':'Ann','special':false,'eligible':[1]",
     "round: `eligible` must be a player's name"},
    {"'round','round':1,'president':'Ann','special':false,"
     "'eligible':['Bob','Bob']",
     "round: `eligible`: \"Bob\" stands there twice"},
    {"'round','round':1,'president':'Ann','special':false,"
     "'eligible':['Cid','Bob']",
     "round: `eligible` must be in seat order"},
    {"'nominated','president':'Ann'",
     "nominated: `chancellor` must be a player's name"},
    {"'nominated','president':'Ann','chancellor':3",
     "nominated: `chancellor` must be a player's name"},
    {"'nominated','president':'Ann\\u0000','chancellor':'Bob'",
     "nominated: `president` must be a player's name"},
    {"'nominated','president':'Ann','chancellor':'Bob','by':'press'",
     "nominated: `by` must be \"plan\" or left out"},
    {"'voted','player':'Zed','vote':'ja'",
     "voted: `player`: \"Zed\" is nobody at the table"},
    {"'voted','player':'Ann','vote':'yes'",
     "voted: `vote` must be \"ja\" or \"nein\""},
    {"'voted','player':'Ann','vote':true",
     "voted: `vote` must be \"ja\" or \"nein\""},
    {"'voted','player':'Ann','vote':null",
     "voted: `vote` must be \"ja\" or \"nein\""},
    {"'voted','player':'Ann','vote':'ja','by':'post'",
     "voted: `by` must be \"press\" or left out"},
    {"'voted','player':'Ann','vote':'ja','by':true",
     "voted: `by` must be \"press\" or left out"},
    {"'voted','player':'Ann'", "voted: `vote` must be \"ja\" or \"nein\""},
    {"'election','elected':'true'",
     "election: `elected` must be true or false"},
    {"'election','elected':true,'ja':256",
     "election: `ja` must be a number from 0 to 255"},
    {"'election','elected':true,'ja':-1",
     "election: `ja` must be a number from 0 to 255"},
    {"'election','elected':true,'ja':'5'",
     "election: `ja` must be a number from 0 to 255"},
    {"'election','elected':true,'ja':5,'nein':0,'reason':'draw'",
     "election: `reason` must be \"majority\", \"rejected\", \"deadline\" or "
     "\"tie\""},
    {"'election','elected':true,'ja':5,'nein':0,'reason':'majority'",
     "election: `tracker` must be a number from 0 to 255"},
    {"'cleared'", "cleared: `player` must be a player's name"},
    {"'hand','to':'Ann','cards':['L','F']",
     "hand: `cards` must be 3 of \"L\" and \"F\""},
    {"'hand','to':'Ann','cards':['L','F','f']",
     "hand: `cards` must be 3 of \"L\" and \"F\""},
    {"'hand','to':'Ann','cards':'LFF'",
     "hand: `cards` must be 3 of \"L\" and \"F\""},
    {"'passed','president':'Ann','discarded':'liberal'",
     "passed: `discarded` must be \"L\" or \"F\""},
    {"'passed','president':'Ann','discarded':'L','cards':['L','L','L']",
     "passed: `cards` must be 2 of \"L\" and \"F\""},
    {"'veto_asked','chancellor':''",
     "veto_asked: `chancellor`: \"\" is nobody at the table"},
    {"'veto_answered','president':'Ann','agreed':null",
     "veto_answered: `agreed` must be true or false"},
    {"'enacted','policy':'F','by':'president'",
     "enacted: `by` must be \"government\" or \"chaos\""},
    {"'reshuffled','deck':[]",
     "reshuffled: `deck` must be 1 to 17 of \"L\" and \"F\""},
    {"'reshuffled','deck':['F','F','F','F','F','F','F','F','F','F','F','F',"
     "'F','F','F','F','F','F']",
     "reshuffled: `deck` must be 1 to 17 of \"L\" and \"F\""},
    {"'power','power':'bullet'",
     "power: `power` must be \"investigate\", \"special_election\", \"peek\" "
     "or \"execution\""},
    {"'investigated','president':'Ann','target':'Bob','party':'hitler'",
     "investigated: `party` must be \"liberal\" or \"fascist\""},
    {"'lots','player':'Ann','for':'peek'",
     "lots: `for` must be \"discard\", \"enact\", \"investigate\", "
     "\"special_election\" or \"execution\""},
    {"'ended','winner':'liberal','reason':'abandoned'",
     "ended: `winner` must be null of an abandoned game"},
    {"'ended','winner':null,'reason':'six_fascist'",
     "ended: `winner` must be \"liberal\" or \"fascist\""},
    {"'ended','winner':'liberal','reason':'timeout'",
     "ended: `reason` must be \"five_liberal\", \"hitler_executed\", "
     "\"six_fascist\", \"hitler_chancellor\" or \"abandoned\""},
    {"'revealed','seed':'00'",
     "revealed: `seed` must be 64 digits of 0-9a-f, or null"},
    {"'revealed','seed':'000102030405060708090A0B0C0D0E0F"
     "101112131415161718191A1B1C1D1E1F'",
     "revealed: `seed` must be 64 digits of 0-9a-f, or null"},
    {"'revealed','seed':null,'roles':[]",
     "revealed: `roles` must give each player a role"},
    {"'paused','reason':1", "paused: `reason` must be a text or null"},
    {"'resumed','deadline':'tomorrow'",
     "resumed: `deadline` must be a time like 2026-11-21T10:00:00Z"},
    {"'reminded','players':['Ann','Ann']",
     "reminded: `players`: \"Ann\" stands there twice"},
    {"'noted'", "noted: `text` must be a text"},
    {"'noted','text':'a\\u0000b'", "noted: `text` must be a text"},
    {"'claimed','player':'Ann','round':1,'cards':['L','L','L','L']",
     "claimed: `cards` must be 1 to 3 of \"L\" and \"F\""},
    {"'claimed','player':'Ann','round':1,'cards':['L'],'of':'hand'",
     "claimed: `of` must be \"investigate\" or \"peek\""},
    {"'claimed','player':'Ann','round':1,'cards':['L'],'of':'investigate'",
     "claimed: `target` must be a player's name"},
    {"'replaced','out':'Zed','in':'Fay'",
     "replaced: `out`: \"Zed\" is nobody at the table"},
    {"'replaced','out':'Ann','in':'Bob'",
     "replaced: `in`: \"Bob\" is somebody else's name"},
    {"'replaced','out':'Ann','in':''",
     "replaced: `in`: a name must be 1 to 143 bytes"},
    {"'replaced','out':'Ann'", "replaced: `in` must be a text"},
    {"'rewound','to':-1",
     "rewound: `to` must be a number from 0 to 2147483647"},
};

/* Append a text, ' standing for ". */
static void
add_quoted(struct buf *out, const char *text)
{
    for (; *text != '\0'; text++) {
        char byte = *text;
        if (byte == '\'') {
            byte = '"';
        }
        buf_add_char(out, byte);
    }
}

/* Append a third line of that event. */
static void
add_line(struct buf *out, const char *line)
{
    add_quoted(out, "{'seq':2,'at':'2026-11-21T10:00:00Z','event':");
    add_quoted(out, line);
    buf_add_text(out, "}\n");
}

START_TEST(a_broken_line_is_refused_with_its_event_and_its_key)
{
    for (unsigned i = 0; i < sizeof broken_lines / sizeof broken_lines[0];
         i++) {
        struct buf text = BUF_INIT;
        buf_add_text(&text, OPENED SEATED);
        add_line(&text, broken_lines[i].line);
        struct buf sentence = BUF_INIT;
        buf_addf(&sentence, "line 3: %s", broken_lines[i].sentence);
        assert_garbled(text.data, text.len, buf_text(&sentence));
        buf_release(&sentence);
        buf_release(&text);
    }
}
END_TEST

/* In a whole head of a record the first text is put in the second's place. */
static const struct {
    const char *put;
    const char *place;
    const char *sentence;
} broken_heads[] = {
    {"'seq':'0'", "'seq':0",
     "line 1: opened: `seq` must be a number from 0 to 2147483647"},
    {"'sec':0", "'seq':0",
     "line 1: opened: `seq` must be a number from 0 to 2147483647"},
    {"'seq':1", "'seq':0", "line 1: opened: `seq` must be 0"},
    {"'at':1795255200", "'at':'2026-11-21T10:00:00Z'",
     "line 1: opened: `at` must be a time like 2026-11-21T10:00:00Z"},
    {"'2026-11-21 10:00'", "'2026-11-21T10:00:00Z'",
     "line 1: opened: `at` must be a time like 2026-11-21T10:00:00Z"},
    {"'2026-11-31T10:00:00Z'", "'2026-11-21T10:00:00Z'",
     "line 1: opened: `at` must be a time like 2026-11-21T10:00:00Z"},
    {"'placard-record/2'", "'placard-record/1'",
     "line 1: opened: `format` must be \"placard-record/1\""},
    {"'game':'G'", "'game':'g'",
     "line 1: opened: `game` must be 1 to 32 of a-z, 0-9, -"},
    {"'game':''", "'game':'g'",
     "line 1: opened: `game` must be 1 to 32 of a-z, 0-9, -"},
    {"'game':'abcdefghijklmnopqrstuvwxyz-012345'", "'game':'g'",
     "line 1: opened: `game` must be 1 to 32 of a-z, 0-9, -"},
    {"'rule':{", "'rules':{", "line 1: opened: `rules` must be an object"},
    {"'preset':null", "'preset':'french'",
     "line 1: opened: `preset` must be 1 to 15 of a-z, 0-9, -"},
    {"'ballot':'secret'", "'ballot':'sealed'",
     "line 1: opened: `ballot` must be \"open\" or \"sealed\""},
    {"'ballots':'sealed'", "'ballot':'sealed'",
     "line 1: opened: `ballot` must be \"open\" or \"sealed\""},
    {"'vote_closes':1", "'vote_closes':'all'",
     "line 1: opened: `vote_closes` must be \"majority\", \"decided\" or "
     "\"all\""},
    {"'vote_closes':'all','chaos_power':'yes'", "'vote_closes':'all'",
     "line 1: opened: `chaos_power` must be \"off\" or \"on\""},
    {"'commitment':0", "'commitment':null",
     "line 1: opened: `commitment` must be 64 digits of 0-9a-f, or null"},
    {"'players':{'Ann':1}", "'players':['Ann','Bob','Cid','Dan','Eve']",
     "line 2: seated: `players` must be 5 to 10 names"},
    {"'Dan']", "'Dan','Eve']",
     "line 2: seated: `players` must be 5 to 10 names"},
    {"'Eve','F','G','H','I','J','K']", "'Eve']",
     "line 2: seated: `players` must be 5 to 10 names"},
    {"'Dan','Ann']", "'Dan','Eve']",
     "line 2: seated: `players`: \"Ann\" is somebody else's name"},
    {"'Dan',null]", "'Dan','Eve']",
     "line 2: seated: `players`: a name must be 1 to 143 bytes"},
    {"'Dan','']", "'Dan','Eve']",
     "line 2: seated: `players`: a name must be 1 to 143 bytes"},
    {"'transcript':[]", "'transcript':null",
     "line 2: seated: `transcript` must be a text or null"},
};

/* The head of a record with its first `place` made `put`; yours to release. */
static struct buf
head_with(const char *put, const char *place)
{
    struct buf old = BUF_INIT;
    struct buf text = BUF_INIT;
    add_quoted(&old, place);
    const char *head = OPENED SEATED;
    const char *at = strstr(head, buf_text(&old));
    ck_assert_ptr_nonnull(at);
    buf_add(&text, head, (size_t)(at - head));
    add_quoted(&text, put);
    buf_add_text(&text, at + old.len);
    buf_release(&old);
    return text;
}

START_TEST(a_broken_head_is_refused_with_its_key)
{
    for (unsigned i = 0; i < sizeof broken_heads / sizeof broken_heads[0];
         i++) {
        struct buf text = head_with(broken_heads[i].put, broken_heads[i].place);
        assert_garbled(text.data, text.len, broken_heads[i].sentence);
        buf_release(&text);
    }
}
END_TEST

START_TEST(a_name_has_room_for_32_wide_characters)
{
    struct buf name = BUF_INIT;
    buf_add_char(&name, '\'');
    for (unsigned i = 0; i < 32; i++) {
        buf_add_text(&name, "\xF0\x9F\xA6\x8A");
    }
    buf_add_text(&name, " (10)'");
    struct buf text = head_with(buf_text(&name), "'Cid'");
    struct record record = read_good(text.data, text.len);
    ck_assert_uint_eq(strlen(record.games[0].names[2]), name.len - 2);
    record_release(&record);
    buf_release(&name);
    buf_release(&text);
}
END_TEST

START_TEST(a_longer_name_is_refused)
{
    struct buf name = BUF_INIT;
    buf_add_char(&name, '\'');
    for (unsigned i = 0; i <= RECORD_NAME_MAX; i++) {
        buf_add_char(&name, 'n');
    }
    buf_add_char(&name, '\'');
    struct buf text = head_with(buf_text(&name), "'Cid'");
    assert_garbled(text.data, text.len,
                   "line 2: seated: `players`: a name must be 1 to 143 bytes");
    buf_release(&name);
    buf_release(&text);
}
END_TEST

/* A third line of `len` bytes without its line feed; yours to release. */
static struct buf
text_with_line_of(size_t len)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, OPENED SEATED);
    size_t start = text.len;
    add_quoted(&text, "{'seq':2,'at':'2026-11-21T10:00:00Z',"
                      "'event':'noted','text':'");
    while (text.len - start + 2 < len) {
        buf_add_char(&text, 'x');
    }
    add_quoted(&text, "'}");
    buf_add_char(&text, '\n');
    return text;
}

START_TEST(a_line_has_at_most_one_mebibyte)
{
    struct buf text = text_with_line_of(RECORD_LINE_MAX);
    struct record record = read_good(text.data, text.len);
    ck_assert_uint_eq(record.games[0].line_count, 3);
    record_release(&record);
    buf_release(&text);
    text = text_with_line_of(RECORD_LINE_MAX + 1);
    assert_garbled(text.data, text.len, "line 3: longer than 1048576 bytes");
    buf_release(&text);
}
END_TEST

START_TEST(what_was_read_before_the_broken_line_is_kept)
{
    static const char text[] = OPENED SEATED OPENED SEATED "oops\n";
    struct record record;
    struct buf why = BUF_INIT;
    enum err err = record_read(text, sizeof text - 1, &record, &why);
    ck_assert_uint_eq(err, ERR_GARBLED);
    ck_assert_ptr_nonnull(strstr(buf_text(&why), "line 5: "));
    ck_assert_uint_eq(record.game_count, 2);
    ck_assert_uint_eq(record.games[0].line_count, 2);
    ck_assert_uint_eq(record.games[1].line_count, 2);
    ck_assert_uint_eq(record.games[1].players, 5);
    buf_release(&why);
    record_release(&record);
    ck_assert_uint_eq(record.game_count, 0);
    record_release(&record);
}
END_TEST

START_TEST(players_that_could_not_be_read_do_not_sit)
{
    static const char text[] = OPENED;
    struct buf broken = BUF_INIT;
    buf_add_text(&broken, text);
    add_quoted(&broken, "{'seq':1,'at':'2026-11-21T10:00:00Z',"
                        "'event':'seated','players':['A','B','C','D','A']}\n");
    struct record record;
    struct buf why = BUF_INIT;
    enum err err = record_read(broken.data, broken.len, &record, &why);
    ck_assert_uint_eq(err, ERR_GARBLED);
    ck_assert_uint_eq(record.games[0].players, 0);
    ck_assert_uint_eq(record.games[0].line_count, 1);
    record_release(&record);
    buf_release(&why);
    buf_release(&broken);
}
END_TEST

/* ---- what is right ------------------------------------------------------- */

START_TEST(the_members_of_a_game_are_those_of_its_lines)
{
    struct buf text = load("every-kind");
    struct record record = read_good(text.data, text.len);
    ck_assert_uint_eq(record.game_count, 1);
    const struct record_game *game = &record.games[0];
    ck_assert_str_eq(game->id, "every-kind");
    ck_assert_str_eq(game->preset, "play-by-post");
    ck_assert_uint_eq(game->rules.ballot, BALLOT_OPEN);
    ck_assert_uint_eq(game->players, 5);
    ck_assert_str_eq(game->names[1], "Bob");
    ck_assert_uint_eq(strspn(game->commitment, "0123456789abcdef"), 64);
    ck_assert_str_eq(
        game->seed,
        "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
    ck_assert_uint_eq(strncmp(game->transcript, "SH-DEAL-1\n", 10), 0);
    bool seen[RECORD_KINDS] = {false};
    for (size_t i = 0; i < game->line_count; i++) {
        ck_assert_uint_eq(game->lines[i].seq, i);
        ck_assert_uint_eq(game->lines[i].number, i + 1);
        seen[game->lines[i].kind] = true;
    }
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        ck_assert_msg(seen[kind], "no %s", record_kind_name(kind));
    }
    record_release(&record);
    buf_release(&text);
}
END_TEST

START_TEST(every_kind_of_line_is_written_as_it_was_read)
{
    struct buf text = load("every-kind");
    struct record record = read_good(text.data, text.len);
    struct buf again = BUF_INIT;
    rewrite_game(&record.games[0], &again);
    ck_assert_str_eq(buf_text(&again), buf_text(&text));
    record_release(&record);
    buf_release(&again);
    buf_release(&text);
}
END_TEST

START_TEST(keys_may_come_in_any_order_with_others_between)
{
    struct buf loose = load("any-order");
    struct buf strict = load("any-order-written");
    struct record record = read_good(loose.data, loose.len);
    struct buf again = BUF_INIT;
    rewrite_game(&record.games[0], &again);
    ck_assert_str_eq(buf_text(&again), buf_text(&strict));
    record_release(&record);
    buf_release(&again);
    buf_release(&loose);
    buf_release(&strict);
}
END_TEST

START_TEST(a_newcomer_has_the_seat_from_there_on)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, OPENED SEATED);
    add_line(&text, "'replaced','out':'Bob','in':'Bea'");
    add_quoted(&text, "{'seq':3,'at':'2026-11-21T10:00:00Z',"
                      "'event':'voted','player':'Bea','vote':'ja'}\n");
    /* Bob may come back, and take another's seat. */
    add_quoted(&text, "{'seq':4,'at':'2026-11-21T10:00:00Z',"
                      "'event':'replaced','out':'Cid','in':'Bob'}\n");
    add_quoted(&text, "{'seq':5,'at':'2026-11-21T10:00:00Z',"
                      "'event':'voted','player':'Bob','vote':'nein'}\n");
    struct record record = read_good(text.data, text.len);
    const struct record_game *game = &record.games[0];
    ck_assert_str_eq(game->names[1], "Bob");
    ck_assert_uint_eq(game->lines[2].kind, EVENT_FILLED);
    ck_assert_uint_eq(game->lines[2].event.kind, EVENT_FILLED);
    ck_assert_uint_eq(game->lines[2].event.seat, 1);
    ck_assert_str_eq(game->lines[2].out, "Bob");
    ck_assert_str_eq(game->lines[2].in, "Bea");
    ck_assert_uint_eq(game->lines[3].event.seat, 1);
    ck_assert_uint_eq(game->lines[5].event.seat, 2);
    record_release(&record);
    buf_release(&text);
}
END_TEST

START_TEST(a_seat_may_be_refilled_under_the_same_name)
{
    struct buf text = BUF_INIT;
    buf_add_text(&text, OPENED SEATED);
    add_line(&text, "'replaced','out':'Bob','in':'Bob'");
    struct record record = read_good(text.data, text.len);
    ck_assert_uint_eq(record.games[0].lines[2].event.seat, 1);
    record_release(&record);
    buf_release(&text);
}
END_TEST

START_TEST(a_file_may_hold_several_games)
{
    static const char text[] = OPENED SEATED OPENED OPENED SEATED;
    struct record record = read_good(text, sizeof text - 1);
    ck_assert_uint_eq(record.game_count, 3);
    ck_assert_uint_eq(record.games[0].line_count, 2);
    ck_assert_uint_eq(record.games[1].line_count, 1);
    ck_assert_uint_eq(record.games[1].players, 0);
    ck_assert_uint_eq(record.games[2].line_count, 2);
    ck_assert_uint_eq(record.games[2].lines[1].number, 5);
    record_release(&record);
}
END_TEST

/* ---- there and back ------------------------------------------------------ */

enum {
    LINES_MAX = 4096 /* of the games that are played here */
};

/* A game played at random, and its record. */
struct play {
    uint64_t random;
    unsigned char key[DEAL_KEY];
    unsigned reshuffles, newcomers;
    struct game game;
    char texts[PLAYERS_MAX][24];
    const char *names[PLAYERS_MAX];
    struct buf *out;
    struct record_head head;
    struct event events[LINES_MAX]; /* by seq; zero of the host's lines */
};

static unsigned
below(struct play *play, unsigned bound)
{
    play->random ^= play->random << 13;
    play->random ^= play->random >> 7;
    play->random ^= play->random << 17;
    return (unsigned)((play->random >> 11) % bound);
}

static struct record_head
next_head(struct play *play)
{
    struct record_head head = play->head;
    ck_assert_uint_lt(head.seq, LINES_MAX);
    play->head.seq++;
    /* It may step back. */
    play->head.at += (int64_t)below(play, 9000) * 1000 - 2000000;
    return head;
}

static void
name_seat(struct play *play, unsigned seat, const char *stem, unsigned number)
{
    snprintf(play->texts[seat], sizeof play->texts[seat], "%s %u", stem,
             number);
    play->names[seat] = play->texts[seat];
}

static uint8_t
one_of(struct play *play, seat_set seats)
{
    unsigned nth = below(play, seat_count(seats));
    uint8_t seat = 0;
    while (!seat_in(seat, seats) || nth-- > 0) {
        seat++;
    }
    return seat;
}

/* An answer to what is awaited. */
static struct command
answer(struct play *play)
{
    struct awaits awaits = game_awaits(&play->game);
    struct command command = {.kind = COMMAND_CLOSE};
    if (awaits.seats != 0) {
        command.seat = one_of(play, awaits.seats);
    }
    if (awaits.choices != 0) {
        command.target = one_of(play, awaits.choices);
    }
    command.yes = below(play, 2) == 0;
    command.card = (uint8_t)below(play, awaits.cards + 1U);
    switch (awaits.question) {
    case QUESTION_DEAL:
        return deal_game(play->key, play->game.players);
    case QUESTION_RESHUFFLE:
        return deal_reshuffle(play->key, ++play->reshuffles, awaits.due_liberal,
                              awaits.due_fascist);
    case QUESTION_NOMINATE:
        command.kind = below(play, 16) > 0 ? COMMAND_NOMINATE : COMMAND_CLOSE;
        break;
    case QUESTION_VOTE:
        command.kind = below(play, 32) > 0 ? COMMAND_VOTE : COMMAND_CLOSE;
        break;
    case QUESTION_DISCARD:
        command.kind = COMMAND_DISCARD;
        command.lots = below(play, 4) == 0;
        break;
    case QUESTION_ENACT:
        command.kind = COMMAND_ENACT;
        if (awaits.may_veto && below(play, 3) == 0) {
            command.kind = COMMAND_ASK_VETO;
        } else {
            command.lots = below(play, 4) == 0;
        }
        break;
    case QUESTION_VETO:
        command.kind = COMMAND_ANSWER_VETO;
        break;
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        command.kind = below(play, 8) > 0 ? COMMAND_TARGET : COMMAND_FORFEIT;
        command.lots = command.kind == COMMAND_TARGET && below(play, 4) == 0;
        break;
    case QUESTION_NONE:
        break;
    }
    return command;
}

/* Now and then somebody goes, comes, or the host gives up. */
static struct command
choose(struct play *play)
{
    unsigned chance = below(play, 200);
    struct command command = {.kind = COMMAND_ABANDON};
    if (chance < 4 && play->game.round > 0) {
        command.kind = COMMAND_VACATE;
        command.target = (uint8_t)below(play, play->game.players);
    } else if (chance < 12 && play->game.vacant != 0) {
        command.kind = COMMAND_FILL;
        command.target = one_of(play, play->game.vacant);
    } else if (chance != 199 || below(play, 8) != 0) {
        command = answer(play);
    }
    return command;
}

static void
tell(struct play *play, const struct event *event)
{
    if (event->kind != EVENT_FILLED) {
        play->events[play->head.seq] = *event;
        record_write_event(play->out, next_head(play), event, &play->game,
                           play->names);
        return;
    }
    char old[sizeof play->texts[0]];
    memcpy(old, play->texts[event->seat], sizeof old);
    name_seat(play, event->seat, "Newcomer", ++play->newcomers);
    play->events[play->head.seq] = *event;
    write_replaced(play->out, next_head(play), old, play->names[event->seat]);
}

static void
tell_of_the_host(struct play *play)
{
    struct record_line line = {
        .kind = RECORD_PAUSED + (int)below(play, RECORD_KINDS - RECORD_PAUSED)};
    struct record_head head = next_head(play);
    line.seq = head.seq;
    line.at = head.at;
    line.deadline = AT + (int64_t)below(play, 90000) * 1000;
    line.text = below(play, 2) == 0 ? "to be \"fair\"\n" : "\xE2\x82\xAC";
    line.event.seat = (uint8_t)below(play, play->game.players);
    line.event.seats = (seat_set)below(play, 1U << play->game.players);
    line.to = below(play, head.seq);
    line.event.round = 1 + below(play, 5);
    line.event.cards = (struct pile){below(play, 8), 3};
    record_write_line(play->out, &line, play->names, play->game.players);
}

static void
step(struct play *play)
{
    struct command command = choose(play);
    struct events events;
    if (game_step(&play->game, &command, &events) != REFUSAL_NONE) {
        return; /* a card too many, a seat that can't be vacated */
    }
    for (unsigned i = 0; i < events.count; i++) {
        tell(play, &events.list[i]);
    }
    if (below(play, 20) == 0) {
        tell_of_the_host(play);
    }
}

static void
play_game(struct play *play, unsigned number)
{
    const char *preset = rules_preset_name(number % RULES_PRESETS);
    unsigned players = PLAYERS_MIN + number % 6;
    struct rules rules;
    ck_assert(rules_set_preset(&rules, preset));
    game_init(&play->game, players, &rules);
    for (unsigned seat = 0; seat < players; seat++) {
        name_seat(play, seat, "Pl\xC3\xA4yer", seat + 1);
    }
    char id[16];
    snprintf(id, sizeof id, "play-%u", number);
    record_write_opened(play->out, next_head(play), id, preset, &rules, NULL);
    record_write_seated(play->out, next_head(play), play->names, players,
                        "two\nlines\n", NULL);
    unsigned char secret[DEAL_SECRET] = {(unsigned char)number};
    deal_key(secret, id, strlen(id), play->key);
    for (unsigned i = 0; i < 4000 && !game_is_over(&play->game); i++) {
        step(play);
    }
    ck_assert(game_is_over(&play->game));
    record_write_revealed(play->out, next_head(play), NULL, &play->game,
                          play->names);
}

/* An event as its line tells it. */
static struct event
told(struct event event)
{
    if (event.kind == EVENT_ELECTION) {
        event.seat = event.target = 0;
        event.seats = event.against = 0;
    } else if (event.kind == EVENT_ENACTED) {
        event.seat = event.target = 0;
    } else if (event.kind == EVENT_PASSED) {
        event.target = 0;
    }
    return event;
}

static void
assert_same_event(const struct event *got, const struct event *expected)
{
    struct event event = told(*expected);
    ck_assert_uint_eq(got->kind, event.kind);
    ck_assert_uint_eq(got->seat, event.seat);
    ck_assert_uint_eq(got->target, event.target);
    ck_assert_uint_eq(got->power, event.power);
    ck_assert_uint_eq(got->reason, event.reason);
    ck_assert_uint_eq(got->party, event.party);
    ck_assert_uint_eq(got->ja, event.ja);
    ck_assert_uint_eq(got->nein, event.nein);
    ck_assert_uint_eq(got->liberal, event.liberal);
    ck_assert_uint_eq(got->fascist, event.fascist);
    ck_assert_uint_eq(got->tracker, event.tracker);
    ck_assert_int_eq(got->yes, event.yes);
    ck_assert_int_eq(got->is_liberal, event.is_liberal);
    ck_assert_int_eq(got->by_chaos, event.by_chaos);
    ck_assert_int_eq(got->discarding, event.discarding);
    ck_assert_uint_eq(got->seats, event.seats);
    ck_assert_uint_eq(got->against, event.against);
    ck_assert_uint_eq(got->round, event.round);
    ck_assert_uint_eq(got->cards.liberal, event.cards.liberal);
    ck_assert_uint_eq(got->cards.count, event.cards.count);
}

static void
assert_same_game(const struct record_game *game, const struct play *play,
                 bool seen[RECORD_KINDS])
{
    ck_assert_uint_eq(game->line_count, play->head.seq);
    ck_assert_uint_eq(game->players, play->game.players);
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind < EVENT_KINDS) {
            assert_same_event(&game->lines[i].event, &play->events[i]);
        }
        seen[game->lines[i].kind] = true;
    }
}

START_TEST(games_played_at_random_are_read_as_they_were_written)
{
    enum {
        GAMES = 60
    };
    struct buf text = BUF_INIT;
    struct play *plays = must_alloc(GAMES * sizeof *plays);
    for (unsigned i = 0; i < GAMES; i++) {
        plays[i].random = i + 1;
        plays[i].out = &text;
        plays[i].head.at = AT;
        play_game(&plays[i], i);
    }
    struct record record = read_good(text.data, text.len);
    ck_assert_uint_eq(record.game_count, GAMES);
    struct buf again = BUF_INIT;
    bool seen[RECORD_KINDS] = {false};
    for (unsigned i = 0; i < GAMES; i++) {
        assert_same_game(&record.games[i], &plays[i], seen);
        rewrite_game(&record.games[i], &again);
    }
    ck_assert_str_eq(buf_text(&again), buf_text(&text));
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        ck_assert_msg(seen[kind], "no game has %s", record_kind_name(kind));
    }
    record_release(&record);
    buf_release(&again);
    buf_release(&text);
    free(plays);
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("record_read");
    TCase *tcase = tcase_create("refused");
    tcase_add_test(tcase,
                   a_broken_file_is_refused_with_the_line_and_the_reason);
    tcase_add_test(tcase, a_broken_line_is_refused_with_its_event_and_its_key);
    tcase_add_test(tcase, a_broken_head_is_refused_with_its_key);
    tcase_add_test(tcase, a_longer_name_is_refused);
    tcase_add_test(tcase, a_line_has_at_most_one_mebibyte);
    tcase_add_test(tcase, what_was_read_before_the_broken_line_is_kept);
    tcase_add_test(tcase, players_that_could_not_be_read_do_not_sit);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("read");
    tcase_add_test(tcase, the_members_of_a_game_are_those_of_its_lines);
    tcase_add_test(tcase, every_kind_of_line_is_written_as_it_was_read);
    tcase_add_test(tcase, keys_may_come_in_any_order_with_others_between);
    tcase_add_test(tcase, a_newcomer_has_the_seat_from_there_on);
    tcase_add_test(tcase, a_seat_may_be_refilled_under_the_same_name);
    tcase_add_test(tcase, a_file_may_hold_several_games);
    tcase_add_test(tcase, a_name_has_room_for_32_wide_characters);
    tcase_add_test(tcase, games_played_at_random_are_read_as_they_were_written);
    suite_add_tcase(suite, tcase);
    return suite;
}
