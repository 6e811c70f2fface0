/*
 * What the host answers is true of its reader: whatever somebody posts, in each
 * phase and whoever they are, the answer names an act that they can do now, or
 * a command that is obeyed as it is printed; or there is no answer.
 *
 * Posted are the sentences of all five catalogues and of PLAYERS.md, all
 * examples and commands in them, what the rules have the officers say, and
 * attempts at each act; a sample of them, and all with PLACARD_EFFORT.
 * PLACARD_POSTS names a file whose lines are posted too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/referee.h"
#include "tests/support/effort.h"
#include "tests/support/room.h"
#include "tests/support/runner.h"

enum {
    PLAYERS = 7,
    POSTS_MAX = 40000,
    SCENES = 10,
    ONE_IN = 40, /* of the posts, but for attempts, one is tried */
};

static struct room room;

/* ---- what is posted ------------------------------------------------------ */

static char *posts[POSTS_MAX];
static size_t post_count;

static void
add_post(const char *text, size_t len)
{
    struct buf post = BUF_INIT;
    buf_add(&post, text, len);
    if (len > 1 && post_count < POSTS_MAX) {
        posts[post_count++] = buf_take(&post);
    }
    buf_release(&post);
}

/* The same with "name" or another player's name for each placeholder. */
static void
add_filled(const char *text, size_t len)
{
    struct buf post = BUF_INIT;
    unsigned depth = 0;
    for (size_t i = 0; i < len; i++) {
        bool prefix = strncmp(text + i, "{prefix}", 8) == 0;
        if (text[i] == '{' && depth++ == 0) {
            buf_add_text(&post, prefix ? "!" : "Bob");
        } else if (text[i] == '}' && depth > 0) {
            depth--;
        } else if (depth == 0) {
            buf_add_char(&post, text[i]);
        }
    }
    add_post(buf_text(&post), post.len);
    buf_release(&post);
}

/* Each sentence of a text, and each piece of code in it. */
static void
add_text(const char *text)
{
    const char *begin = text;
    const char *code = NULL;
    for (const char *at = text;; at++) {
        if (*at == '`') {
            if (code != NULL) {
                add_filled(code, (size_t)(at - code));
                add_filled(code - 1, (size_t)(at - code) + 2);
            }
            code = code == NULL ? at + 1 : NULL;
        }
        if (*at == '\0' || *at == '\n' ||
            (strchr(".!?", *at) != NULL && at[1] == ' ')) {
            add_filled(begin, (size_t)(at - begin) + (*at != '\0'));
            begin = at + (*at != '\0');
        }
        if (*at == '\0') {
            return;
        }
    }
}

static void
add_file(const char *path)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    ck_assert_msg(file_read(path, &text, &why) == ERR_NONE, "%s",
                  buf_text(&why));
    add_text(buf_text(&text));
    buf_release(&text);
}

/* What is meant as an act: for each question, in the order below, posts that it
 * must not be silent about. */
enum act {
    ACT_NAME,
    ACT_VOTE,
    ACT_CARD,
    ACT_VETO,
    ACTS
};
static const struct {
    enum act act;
    const char *text;
} attempts[] = {
    {ACT_NAME, "I nominate Carl"},
    {ACT_NAME, "[b]Carl"},
    {ACT_NAME, "<b>Carl</b>"},
    {ACT_NAME, "`**Carl**`"},
    {ACT_NAME, "I nominate **Carl** as I said before"},
    {ACT_NAME, "**I want Carl**"},
    {ACT_NAME, "**Karl**"},
    {ACT_NAME, "!nominate Carl"},
    {ACT_NAME, "!carl"},
    {ACT_NAME, "[color=red]Carl[/color]"},
    {ACT_VOTE, "Ja!"},
    {ACT_VOTE, "Vote: Nein!"},
    {ACT_VOTE, "<b>Ja!</b>"},
    {ACT_VOTE, "`**Ja!**`"},
    {ACT_VOTE, "**Ja!"},
    {ACT_VOTE, "**I vote Ja!**"},
    {ACT_VOTE, "!vote ja"},
    {ACT_VOTE, "!ja"},
    {ACT_CARD, "discard 2"},
    {ACT_CARD, "enact 1"},
    {ACT_CARD, "!discard 2"},
    {ACT_CARD, "`discard 2`"},
    {ACT_VETO, "**I wish to veto this agenda.**"},
    {ACT_VETO, "I wish to veto this agenda."},
    {ACT_VETO, "veto"},
    {ACT_VETO, "!veto"},
    {ACT_VETO, "I agree to the veto."},
    {ACT_VETO, "**I do not agree to the veto, Madam President**"},
    {ACTS, "!help"},
};
enum {
    ATTEMPTS = sizeof attempts / sizeof attempts[0]
};

static void
gather_posts(void)
{
    static const char *const languages[] = {"en", "nl", "nb", "fr", "de"};
    const char *own = getenv("PLACARD_POSTS");
    for (size_t i = 0; i < ATTEMPTS; i++) {
        add_post(attempts[i].text, strlen(attempts[i].text));
    }
    for (unsigned i = 0; i < 5; i++) {
        const struct catalogue *catalogue = NULL;
        struct buf why = BUF_INIT;
        ck_assert_msg(catalogues_open(&room.stage->catalogues, languages[i],
                                      THEME_ORIGINAL, &catalogue,
                                      &why) == ERR_NONE,
                      "%s", buf_text(&why));
        for (size_t k = 0; k < catalogue->language.count; k++) {
            if (!catalogue->language.entries[k].word) {
                add_text(catalogue->language.entries[k].text);
            }
        }
    }
    add_file("bot/host/PLAYERS.md");
    if (own != NULL) {
        add_file(own);
    }
}

/* ---- the scenes ---------------------------------------------------------- */

static struct table *scenes[SCENES];
static unsigned scene_count;

static void
keep_scene(void)
{
    scenes[scene_count] = must_alloc(sizeof *scenes[0]);
    table_clone(scenes[scene_count++], room_table(&room));
}

/* A moderator plays, and somebody is in reserve. */
static void
begin(void)
{
    room_says(&room, "Mo", "!new players=7");
    for (unsigned i = 0; i + 1 < PLAYERS; i++) {
        room_says(&room, room_player(i), "!join");
    }
    room_says(&room, "Jan", "!reserve");
    room_says(&room, "Mo", "!join");
}

/* Each question of a game, with and without a veto, and each vote. */
static void
play_scenes(void)
{
    begin();
    keep_scene(); /* nominate */
    room_names(&room, 1);
    keep_scene(); /* vote */
    keep_scene();
    scenes[scene_count - 1]->game.rules.ballot = BALLOT_SEALED;
    room_votes(&room, true);
    keep_scene(); /* discard */
    room_discards(&room, true);
    keep_scene(); /* enact */
    room_enacts(&room, false);
    room_govern_to(&room, 2);
    keep_scene(); /* investigate */
    room_names(&room, room_choice(&room));
    room_govern_to(&room, 4);
    keep_scene(); /* execution */
    room_names(&room, room_choice(&room));
    room_govern_to(&room, 5);
    room_names(&room, room_choice(&room));
    room_elects(&room, room_choice(&room));
    keep_scene(); /* discard, with the veto */
    room_discards(&room, false);
    keep_scene(); /* enact, with the veto */
    room_says(&room, room_awaited(&room), "**Veto**");
    keep_scene(); /* the veto */
    ck_assert_uint_eq(scene_count, SCENES);
}

/* ---- one post ------------------------------------------------------------ */

/* Who has posted what, where, and what came of it. */
struct trial {
    struct table table; /* a copy, which the post may change */
    const struct table *before;
    char who[64];
    unsigned seat;
    bool dm;
    const char *text;
    bool acted;
    struct buf public, private; /* what the author was answered */
    struct buf once;            /* the names of these messages */
    struct buf why;             /* how it was read, which anybody may ask */
};

static void
note_answers(struct trial *trial, const struct ruling *ruling)
{
    for (unsigned i = 0; i < ruling->message_count; i++) {
        const struct message *message = &ruling->messages[i];
        if (message->kind == MESSAGE_POST) {
            buf_addf(&trial->public, "%s\n", message->text);
        } else if (message->kind == MESSAGE_PRIVATE &&
                   strcmp(message->user, trial->who) == 0) {
            buf_addf(&trial->private, "%s\n", message->text);
        }
        buf_addf(&trial->once, "%s\n",
                 message->once == NULL ? "" : message->once);
    }
}

static void
try_post(struct trial *trial)
{
    char id[] = "p";
    char none[] = "";
    char *place = must_copy(trial->table.thread);
    struct post post = {.kind = POST_WRITTEN,
                        .id = id,
                        .place = place,
                        .author = trial->who,
                        .author_name = trial->who,
                        .reply_to = none,
                        .stamp = trial->table.since + 1000,
                        .dm = trial->dm};
    struct rich rich = {.count = 0};
    struct input input = {.post = &post, .rich = &rich};
    bool unread = false;
    struct ruling *ruling = must_alloc(sizeof *ruling);
    struct host_env env =
        tables_env(&room.stage->tables, &trial->table, post.stamp);
    dialect_board.read(trial->text, strlen(trial->text), &rich, &unread);
    ruling_init(ruling, &env, &trial->table);
    ruling->cause = post.id;
    input.ordered = chat_commands_run(ruling, &input, "2");
    if (ruling->row_count == 0) {
        (void)referee_judge(ruling, &input, &trial->why);
    }
    trial->acted = ruling->row_count > 0;
    note_answers(trial, ruling);
    ruling_release(ruling);
    free(ruling);
    free(place);
    rich_release(&rich);
}

static void
begin_trial(struct trial *trial, const struct table *table, const char *who,
            bool dm, const char *text)
{
    memset(trial, 0, sizeof *trial);
    table_clone(&trial->table, table);
    trial->before = table;
    TEXT_COPY(trial->who, who);
    trial->seat = table_seat(table, who);
    trial->dm = dm;
    trial->text = text;
    try_post(trial);
}

static void
end_trial(struct trial *trial)
{
    table_release(&trial->table);
    buf_release(&trial->public);
    buf_release(&trial->private);
    buf_release(&trial->once);
    buf_release(&trial->why);
}

/* ---- what must hold ------------------------------------------------------ */

static void
fail_trial(const struct trial *trial, const char *why)
{
    ck_abort_msg("%s, question %u, %s “%s”: %s:\n%s--\n%s", trial->who,
                 (unsigned)trial->before->game.question,
                 trial->dm ? "in private" : "in the thread", trial->text, why,
                 buf_text(&trial->public), buf_text(&trial->private));
}

static bool
has(const struct buf *text, const char *part)
{
    return strstr(buf_text(text), part) != NULL;
}

static bool
is_awaited(const struct trial *trial)
{
    return seat_in(trial->seat, game_awaits(&trial->before->game).seats);
}

static bool
names_now(const struct trial *trial)
{
    enum question question = (enum question)trial->before->game.question;
    return is_awaited(trial) &&
           (question == QUESTION_NOMINATE || question == QUESTION_INVESTIGATE ||
            question == QUESTION_EXECUTION);
}

/* The command itself, given where its reader is told to give it, must not be
 * refused to them. */
static void
check_command(const struct trial *trial, const char *command, size_t len)
{
    char text[80];
    bool obeyed = false;
    (void)snprintf(text, sizeof text, "%.*s", (int)len, command);
    for (unsigned dm = 0; dm < 2 && !obeyed; dm++) {
        struct trial given;
        begin_trial(&given, trial->before, trial->who, dm == 1, text);
        obeyed = !has(&given.once, "unknown_command") &&
                 !has(&given.once, "command_in_thread") &&
                 !has(&given.once, "command_moderators");
        end_trial(&given);
    }
    if (!obeyed) {
        fail_trial(trial, text);
    }
}

static void
check_commands(const struct trial *trial, const struct buf *answer)
{
    const char *at = buf_text(answer);
    while ((at = strstr(at, "`!")) != NULL) {
        size_t len = strcspn(at + 1, "`");
        check_command(trial, at + 1, len);
        at += len + 2;
    }
}

static void
check_acts(const struct trial *trial, const struct buf *answer)
{
    const struct game *game = &trial->before->game;
    enum question question = (enum question)game->question;
    if (has(answer, "`**Ja!**`") &&
        (question != QUESTION_VOTE ||
         !seat_in(trial->seat, game_present(game)))) {
        fail_trial(trial, "there is no vote");
    }
    if (has(answer, "`**Approved**`") &&
        (question != QUESTION_VETO || !is_awaited(trial))) {
        fail_trial(trial, "they have no veto to answer");
    }
    bool quoted = strstr(trial->text, "the name in bold") != NULL;
    if ((has(answer, "`**name**`") ||
         (has(answer, "the name in bold") && !quoted)) &&
        !names_now(trial)) {
        fail_trial(trial, "they can't name anybody now");
    }
    if (has(answer, "`discard") &&
        (question != QUESTION_DISCARD || !is_awaited(trial))) {
        fail_trial(trial, "they have nothing to discard");
    }
    if (has(answer, "`enact") &&
        (question != QUESTION_ENACT || !is_awaited(trial))) {
        fail_trial(trial, "they have nothing to enact");
    }
}

/* A form that would act is shown in private, and of who may be named. */
static void
check_pasted(const struct trial *trial)
{
    struct awaits awaits = game_awaits(&trial->before->game);
    char form[64];
    for (unsigned seat = 0; seat < PLAYERS; seat++) {
        (void)snprintf(form, sizeof form, "`**%s**`",
                       trial->before->seats[seat].name);
        if (has(&trial->public, form) ||
            (has(&trial->private, form) && !seat_in(seat, awaits.choices))) {
            fail_trial(trial, form);
        }
    }
}

/* Only commands are answered to whoever is not in the game any more, or never
 * was. */
static bool
may_be_answered(const struct trial *trial)
{
    return trial->seat != NO_SEAT &&
           seat_in(trial->seat, trial->before->game.living);
}

static void
check(const struct trial *trial)
{
    bool sealed = trial->before->game.rules.ballot == BALLOT_SEALED;
    bool command = strchr(trial->text, '!') != NULL;
    if (trial->acted) {
        return;
    }
    if (!command && !may_be_answered(trial) &&
        trial->public.len + trial->private.len > 0) {
        fail_trial(trial, "they are not in the game");
    }
    if (!command && sealed && may_be_answered(trial) && !trial->dm &&
        seat_in(trial->seat, game_present(&trial->before->game)) &&
        trial->public.len > 0) {
        fail_trial(trial, "of a sealed vote nothing is said in public");
    }
    if (!command) {
        check_acts(trial, &trial->public);
        check_acts(trial, &trial->private);
    }
    check_commands(trial, &trial->public);
    check_commands(trial, &trial->private);
    check_pasted(trial);
}

/* ---- everybody ----------------------------------------------------------- */

static void
post_as(const struct table *table, const char *who, const char *text)
{
    for (unsigned dm = 0; dm < 2; dm++) {
        struct trial trial;
        begin_trial(&trial, table, who, dm == 1, text);
        check(&trial);
        end_trial(&trial);
    }
}

/* Whom the game waits for, and each kind of others; the last who is present is
 * executed, or loses the seat. */
static void
post_as_everybody(const struct table *table, const char *text)
{
    seat_set awaited = game_awaits(&table->game).seats;
    unsigned gone = NO_SEAT;
    for (unsigned seat = 0; seat < PLAYERS; seat++) {
        bool present = seat_in(seat, game_present(&table->game));
        post_as(table, table->seats[seat].user, text);
        gone = present && !seat_in(seat, awaited) &&
                       seat != table->game.president &&
                       seat != table->game.chancellor
                   ? seat
                   : gone;
    }
    post_as(table, "Jan", text);
    post_as(table, "Zed", text);
    if (gone != NO_SEAT) {
        struct table other = *table;
        other.game.living &= (seat_set)~seat_bit(gone);
        post_as(&other, table->seats[gone].user, text);
        other = *table;
        other.game.vacant |= seat_bit(gone);
        post_as(&other, table->seats[gone].user, text);
    }
}

static void
set_up(void)
{
    room_init(&room);
    room.deck = "FFLFFLFFLFFLFFLFL";
    room_open(&room);
    play_scenes();
    gather_posts();
}

static void
tear_down(void)
{
    for (size_t i = 0; i < post_count; i++) {
        free(posts[i]);
    }
    for (unsigned i = 0; i < scene_count; i++) {
        table_release(scenes[i]);
        free(scenes[i]);
    }
    post_count = 0;
    scene_count = 0;
    room_release(&room);
}

START_TEST(each_answer_names_what_its_reader_can_do_now)
{
    size_t every = effort_one_in(ONE_IN);
    for (unsigned i = 0; i < scene_count; i++) {
        for (size_t k = 0; k < post_count; k++) {
            if (k < ATTEMPTS || (k + i) % every == 0) {
                post_as_everybody(scenes[i], posts[k]);
            }
        }
    }
}
END_TEST

/* What is attempted for a question in the thread. */
static enum act
act_of(enum question question)
{
    switch (question) {
    case QUESTION_VOTE:
        return ACT_VOTE;
    case QUESTION_VETO:
        return ACT_VETO;
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        return ACT_CARD;
    case QUESTION_NOMINATE:
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return ACT_NAME;
}

START_TEST(whoever_is_awaited_is_never_met_with_silence)
{
    for (unsigned i = 0; i < scene_count; i++) {
        const struct game *game = &scenes[i]->game;
        seat_set awaited = game_awaits(game).seats;
        for (size_t k = 0; k < ATTEMPTS; k++) {
            unsigned seat = 0;
            while (!seat_in(seat, awaited)) {
                seat++;
            }
            if (attempts[k].act == act_of((enum question)game->question)) {
                struct trial trial;
                begin_trial(&trial, scenes[i], scenes[i]->seats[seat].user,
                            false, attempts[k].text);
                if (!trial.acted && trial.private.len == 0) {
                    fail_trial(&trial, "they are met with silence");
                }
                end_trial(&trial);
            }
        }
    }
}
END_TEST

/* Of a session's two, neither is told in public whose turn it is. */
START_TEST(in_a_session_both_get_the_same_answer)
{
    size_t every = effort_one_in(7);
    for (unsigned i = 0; i + 1 < scene_count; i++) {
        const struct table *one = scenes[i];
        const struct table *two = scenes[i + 1];
        if (one->game.question != QUESTION_DISCARD) {
            continue;
        }
        ck_assert_uint_eq(two->game.question, QUESTION_ENACT);
        for (size_t k = 0; k < post_count; k++) {
            for (unsigned seat = 0; seat < PLAYERS; seat++) {
                struct trial first;
                struct trial second;
                if (k >= ATTEMPTS && (k + seat) % every != 0) {
                    continue;
                }
                const char *who = one->seats[seat].user;
                begin_trial(&first, one, who, false, posts[k]);
                begin_trial(&second, two, who, false, posts[k]);
                if (!first.acted && !second.acted &&
                    (strcmp(buf_text(&first.public),
                            buf_text(&second.public)) != 0 ||
                     strcmp(buf_text(&first.why), buf_text(&second.why)) !=
                         0)) {
                    fail_trial(&second, buf_text(&first.why));
                }
                end_trial(&first);
                end_trial(&second);
            }
        }
    }
}
END_TEST

Suite *
test_suite(void)
{
    Suite *suite = suite_create("host/true_hints");
    TCase *tcase = tcase_create("true_hints");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, each_answer_names_what_its_reader_can_do_now);
    tcase_add_test(tcase, whoever_is_awaited_is_never_met_with_silence);
    tcase_add_test(tcase, in_a_session_both_get_the_same_answer);
    suite_add_tcase(suite, tcase);
    return suite;
}
