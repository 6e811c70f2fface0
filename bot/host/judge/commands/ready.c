/* The ready check: before the game everybody shows that private messages reach
 * them.  Then sign-up ends, or continues. */
#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/proof.h"

static void
close_table(struct ruling *ruling, int64_t at)
{
    struct speech speech;
    struct rich text = {.count = 0};
    struct move move = ruling_move(ruling, MOVE_CLOSE, at);
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_number(&speech.params, "missing",
                  ruling->table->players_min - ruling->table->seated);
    speech_say(&speech, "signup_closed", &text);
    (void)ruling_play(ruling, &move);
    ruling_post(ruling, &text);
    rich_release(&text);
    speech_release(&speech);
}

enum {
    CODE_WORDS_MAX = 64,
    CHECK_LEAST_MS = 10 * 60 * 1000, /* of a check */
    NEW_LEAST_MS = 60 * 60 * 1000,   /* for somebody who joins later, or whose
                                        word is late */
    LATE_MS = 60 * 1000,             /* less is not worth a post */
};

/* The word that a person has to post: one of the catalogue's, chosen by the
 * game's secret so that nobody can pick it. */
static void
code_word(const struct ruling *ruling, unsigned person, struct buf *word)
{
    const struct table *table = ruling->table;
    const char *user = table->people[person].user;
    const char *starts[CODE_WORDS_MAX];
    unsigned count = 0;
    unsigned char hash[crypto_generichash_BYTES];
    struct buf words = BUF_INIT;
    catalogue_text(ruling->env->catalogue, "code_words", NULL, &words);
    for (const char *at = buf_text(&words);
         *at != '\0' && count < CODE_WORDS_MAX; at += strspn(at, " ")) {
        starts[count++] = at;
        at += strcspn(at, " ");
    }
    (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)user,
                             strlen(user), table->secret, sizeof table->secret);
    assert(count > 0); /* `make test` makes sure */
    const char *start = starts[(hash[0] << 8 | hash[1]) % count];
    buf_add(word, start, strcspn(start, " "));
    buf_release(&words);
}

static struct message *
send_word(struct ruling *ruling, unsigned person)
{
    const struct table *table = ruling->table;
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf word = BUF_INIT;
    speech_init_for(&speech, ruling->env, table, NULL, person);
    code_word(ruling, person, &word);
    params_text(&speech.params, "word", buf_text(&word));
    speech_say(&speech, "ready_word", &text);
    struct message *message =
        ruling_private(ruling, table->people[person].user, &text);
    rich_release(&text);
    buf_release(&word);
    speech_release(&speech);
    return message;
}

/* Time that was lost until they have it is made up for. */
static void
ask_for_word(struct ruling *ruling, unsigned person)
{
    send_word(ruling, person)->calls = CALLS_READY;
}

void
signup_send_words(struct ruling *ruling)
{
    for (unsigned i = 0; i < ruling->table->seated; i++) {
        if (!(ruling->table->ready & seat_bit(i))) {
            ask_for_word(ruling, i);
        }
    }
}

/* The people whom the check still waits for. */
static seat_set
unready(const struct table *table)
{
    return (seat_set)(((1U << table->seated) - 1) & ~(unsigned)table->ready);
}

/* Say how the check stands: `until` when it lasts, or the sign-up. */
static void
say_until(struct ruling *ruling, const char *key, int64_t until)
{
    const struct table *table = ruling->table;
    unsigned least = table->players_min;
    struct speech speech;
    struct buf time = BUF_INIT;
    speech_init(&speech, ruling->env, table, NULL);
    speech_time(ruling->env, table, until, &time);
    params_text(&speech.params, "until", buf_text(&time));
    params_number(&speech.params, "missing",
                  least > table->seated ? least - table->seated : 0);
    params_number(&speech.params, "ready_count", speech_count(table->ready));
    speech_seats(&speech, "unready", unready(table));
    speech_post(&speech, ruling, key);
    buf_release(&time);
    speech_release(&speech);
}

static void
say_check(struct ruling *ruling, const char *key)
{
    say_until(ruling, key, ruling->table->check_ends);
}

static void
begin_game(struct ruling *ruling, int64_t at)
{
    struct move move = ruling_move(ruling, MOVE_START, at);
    proof_post_transcript(ruling);
    (void)ruling_play(ruling, &move);
}

/* When a check that begins now ends.  However short the phases are, people have
 * to find the message first. */
static int64_t
check_end(const struct ruling *ruling)
{
    const struct settings *settings = &ruling->table->settings;
    int64_t length = settings->election < CHECK_LEAST_MS ? CHECK_LEAST_MS
                                                         : settings->election;
    return deadline_from(ruling->env->now, length, settings, ruling->env->zone);
}

/* Sign-up ends: with the ready check, or at once if there is none. */
void
ready_end_signup(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    if (!table->settings.ready_check) {
        begin_game(ruling, at);
        return;
    }
    struct move move = ruling_move(ruling, MOVE_CHECK, at);
    move.until = check_end(ruling);
    (void)ruling_play(ruling, &move);
    signup_send_words(ruling);
    say_check(ruling, "ready_check");
}

static bool
all_are_ready(const struct table *table)
{
    return table->ready == (1U << table->seated) - 1;
}

static void
pass(struct ruling *ruling, const struct post *post)
{
    struct move move = ruling_move(ruling, MOVE_READY, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)ruling_play(ruling, &move);
    ruling_acknowledge(ruling, post);
    if (all_are_ready(ruling->table)) {
        begin_game(ruling, post->stamp);
    }
}

bool
signup_press(struct ruling *ruling, const struct post *post)
{
    const struct table *table = ruling->table;
    unsigned person = table_seat(table, post->author);
    if (table->state != TABLE_CHECK || person == NO_SEAT) {
        return false;
    }
    if (!seat_in(person, table->ready)) {
        pass(ruling, post);
    }
    return true;
}

bool
signup_take(struct ruling *ruling, const struct input *input, struct buf *why)
{
    const struct table *table = ruling->table;
    const char *user = input->post->author;
    unsigned person = table_seat(table, user);
    struct buf word = BUF_INIT;
    struct intent intent;
    if (table->state != TABLE_CHECK || person == NO_SEAT || input->post->dm ||
        (table->ready & seat_bit(person))) {
        return false;
    }
    code_word(ruling, person, &word);
    struct reading reading = {.phase = PHASE_VOTING,
                              .ja = {buf_text(&word)},
                              .ja_count = 1,
                              .nein = {"-"},
                              .nein_count = 1};
    intent_read(input->rich, &reading, &intent, why);
    bool passed = intent.kind == INTENT_VOTE && intent.yes;
    unsigned unused = 0;
    bool plain = !passed && intent_nearly(input->rich, &reading, &unused);
    buf_release(&word);
    if (passed) {
        pass(ruling, input->post);
    } else if (plain || intent.kind == INTENT_AMBIGUOUS) {
        struct speech speech;
        speech_init(&speech, ruling->env, table, NULL);
        speech_seat(&speech, "player", person);
        struct message *message = speech_post(&speech, ruling, "ready_bold");
        ruling_once(ruling, message, user, "ready", AGAIN_DROP);
        speech_release(&speech);
    }
    return passed;
}

/* The first of the reserve takes the seat that is free. */
static void
move_up(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_JOIN, at);
    (void)snprintf(move.user, sizeof move.user, "%s", table->reserves[0].user);
    (void)snprintf(move.name, sizeof move.name, "%s", table->reserves[0].name);
    move.number = table->reserves[0].held;
    (void)ruling_play(ruling, &move);
}

/* Too few are left: others may join for a day.  Those who have answered need
 * not do so again. */
static void
reopen(struct ruling *ruling, int64_t at)
{
    struct move move = ruling_move(ruling, MOVE_REOPEN, at);
    move.until = ruling->env->now + DAY_MS;
    (void)ruling_play(ruling, &move);
    say_until(ruling, "ready_reopened", ruling->table->starts);
}

/* Those who have not answered make room. */
static void
drop_unready(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    for (unsigned i = table->seated; i-- > 0;) {
        struct move move = ruling_move(ruling, MOVE_LEAVE, at);
        if (!(table->ready & seat_bit(i))) {
            (void)snprintf(move.user, sizeof move.user, "%s",
                           table->people[i].user);
            (void)ruling_play(ruling, &move);
        }
    }
}

/* Those who have not answered make room for the reserve, who are then checked
 * too.  If nobody is in reserve, the table gets smaller, or takes people
 * again. */
static void
end_check(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    int64_t at = table->check_ends;
    bool reserves = false;
    say_check(ruling, "ready_missing");
    drop_unready(ruling, at);
    while (table->reserve_count > 0 && table->seated < table->players_max) {
        move_up(ruling, at);
        reserves = true;
    }
    if (table->seated < table->players_min) {
        reopen(ruling, at);
    } else if (reserves) {
        ready_end_signup(ruling, at);
    } else {
        begin_game(ruling, at);
    }
}

/* The check goes on until then for somebody, to whom that is said. */
static void
go_on_for(struct ruling *ruling, unsigned person, int64_t until,
          const char *key)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_CHECK, 0);
    struct speech speech;
    struct buf time = BUF_INIT;
    move.until = until;
    (void)ruling_play(ruling, &move);
    speech_init(&speech, ruling->env, table, NULL);
    speech_seat(&speech, "player", person);
    speech_time(ruling->env, table, table->check_ends, &time);
    params_text(&speech.params, "until", buf_text(&time));
    speech_post(&speech, ruling, key);
    buf_release(&time);
    speech_release(&speech);
}

void
ready_welcome(struct ruling *ruling, unsigned person)
{
    int64_t ends = ruling->table->check_ends;
    int64_t least = ruling->env->now + NEW_LEAST_MS;
    ask_for_word(ruling, person);
    go_on_for(ruling, person, ends > least ? ends : least, "ready_welcome");
}

void
ready_word_sent(struct ruling *ruling, const char *user, int64_t at)
{
    const struct table *table = ruling->table;
    unsigned person = table_seat(table, user);
    int64_t least = at + NEW_LEAST_MS;
    int64_t whole = check_end(ruling);
    int64_t until = least < whole ? least : whole;
    if (person != NO_SEAT && !(table->ready & seat_bit(person)) &&
        until - table->check_ends >= LATE_MS) {
        go_on_for(ruling, person, until, "ready_late");
    }
}

bool
ready_repeat(struct ruling *ruling, const char *user)
{
    const struct table *table = ruling->table;
    unsigned person = table_seat(table, user);
    if (table->state != TABLE_CHECK || person == NO_SEAT ||
        seat_in(person, table->ready)) {
        return false;
    }
    (void)send_word(ruling, person);
    return true;
}

void
ready_left(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    if (table->reserve_count > 0) {
        move_up(ruling, at);
        ready_welcome(ruling, table->seated - 1);
    } else if (table->seated < table->players_min) {
        reopen(ruling, at);
    } else if (all_are_ready(table)) {
        begin_game(ruling, at);
    }
}

void
ready_start(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    int64_t at = chat->input->post->stamp;
    if (speech_count(table->ready) < table->players_min) {
        say_check(ruling, "ready_too_few");
        return;
    }
    if (!all_are_ready(table)) {
        say_check(ruling, "ready_without");
    }
    drop_unready(ruling, at);
    begin_game(ruling, at);
}

void
ready_deadline(struct chat_command *chat, int64_t until)
{
    struct ruling *ruling = chat->ruling;
    struct move move =
        ruling_move(ruling, MOVE_CHECK, chat->input->post->stamp);
    move.until = until;
    (void)ruling_play(ruling, &move);
    say_check(ruling, "ready_moved");
}

/* Say when the game begins to all who have joined. */
static void
say_start(struct ruling *ruling, const char *key)
{
    const struct table *table = ruling->table;
    unsigned least = table->players_min;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    for (unsigned i = 0; i < table->seated; i++) {
        speech_seat(&speech, "everybody", i);
    }
    params_number(&speech.params, "missing",
                  least > table->seated ? least - table->seated : 0);
    speech_post(&speech, ruling, key);
    speech_release(&speech);
}

/* Too few have joined: there is another day, once. */
static void
postpone(struct ruling *ruling)
{
    struct move move = ruling_move(ruling, MOVE_EXTEND, ruling->table->starts);
    move.number = EXTENDED_FOR_TOO_FEW;
    move.until = ruling->table->starts + DAY_MS;
    (void)ruling_play(ruling, &move);
    say_start(ruling, "start_moved");
}

void
signup_remind(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move =
        ruling_move(ruling, MOVE_REMIND, table_remind_start(table));
    (void)ruling_play(ruling, &move);
    say_start(ruling, "start_near");
}

void
signup_time(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    if (table->state == TABLE_CHECK) {
        end_check(ruling);
    } else if (table->seated < table->players_min &&
               table->settings.start_reminder && !table->postponed) {
        postpone(ruling);
    } else if (table->seated < table->players_min) {
        close_table(ruling, table->starts);
    } else {
        ready_end_signup(ruling, table->starts);
    }
}
