/* The ready check: before the game everybody shows that private messages reach
 * them.  Then sign-up ends, or continues. */
#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/proof.h"

static void
close_table(struct ruling *ruling, int64_t at)
{
    struct speech speech;
    struct move move = ruling_move(ruling, MOVE_CLOSE, at);
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_number(&speech.params, "missing",
                  ruling->table->players_min - ruling->table->seated);
    (void)ruling_play(ruling, &move);
    speech_post(&speech, ruling, "signup_closed");
    speech_release(&speech);
}

enum {
    CODE_WORDS_MAX = 64,
    CHECK_LEAST_MS = 10 * 60 * 1000, /* of a check */
    NEW_LEAST_MS = 60 * 60 * 1000,   /* for somebody who joins later, or whose
                                        word is late */
    LATE_MS = 60 * 1000,             /* less is not worth a post */
};

/* The word that a person has to post: one of the catalogue's that none of those
 * before them has, chosen by the game's secret so that nobody can pick it. */
static void
code_word(const struct ruling *ruling, unsigned person, struct buf *word)
{
    const struct table *table = ruling->table;
    const char *starts[CODE_WORDS_MAX];
    bool given[CODE_WORDS_MAX] = {false};
    unsigned count = 0;
    unsigned at = 0;
    struct buf words = BUF_INIT;
    catalogue_text(ruling->env->catalogue, "code_words", NULL, &words);
    for (const char *next = buf_text(&words);
         *next != '\0' && count < CODE_WORDS_MAX; next += strspn(next, " ")) {
        starts[count++] = next;
        next += strcspn(next, " ");
    }
    assert(count > PLAYERS_MAX); /* `make test` makes sure */
    for (unsigned i = 0; i <= person; i++) {
        const char *user = table->seats[i].user;
        unsigned char hash[crypto_generichash_BYTES];
        (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)user,
                                 strlen(user), table->secret,
                                 sizeof table->secret);
        at = (unsigned)(hash[0] << 8 | hash[1]) % count;
        while (given[at]) {
            at = (at + 1) % count;
        }
        given[at] = true;
    }
    buf_add(word, starts[at], strcspn(starts[at], " "));
    buf_release(&words);
}

/* `wrong`: they have sent another. */
static struct message *
send_word(struct ruling *ruling, unsigned person, bool wrong)
{
    const struct table *table = ruling->table;
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf word = BUF_INIT;
    speech_init_for(&speech, ruling->env, table, NULL, person);
    code_word(ruling, person, &word);
    params_text(&speech.params, "word", buf_text(&word));
    params_number(&speech.params, "wrong", wrong);
    speech_say(&speech, "ready_word", &text);
    struct message *message =
        ruling_private(ruling, table->seats[person].user, &text);
    buf_release(&word);
    speech_release(&speech);
    return message;
}

/* Time that was lost until they have it is made up for. */
static void
ask_for_word(struct ruling *ruling, unsigned person)
{
    send_word(ruling, person, false)->calls = CALLS_READY;
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

/* Those of them who haven't even answered in private. */
static seat_set
unheard(const struct table *table)
{
    seat_set people = unready(table);
    for (unsigned i = 0; i < table->seated; i++) {
        people &= table->seats[i].reached ? (seat_set)~seat_bit(i) : people;
    }
    return people;
}

/* Say how the check stands: `until` when it lasts, or the sign-up.  {player} is
 * that person; NO_SEAT: nobody. */
static struct message *
say_until(struct ruling *ruling, const char *key, int64_t until,
          unsigned person)
{
    const struct table *table = ruling->table;
    unsigned least = table->players_min;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    speech_set_time(&speech, "until", until);
    params_number(&speech.params, "missing",
                  least > table->seated ? least - table->seated : 0);
    params_number(&speech.params, "ready_count",
                  table->seated - speech_count(unheard(table)));
    speech_seat(&speech, "player", person);
    speech_seats(&speech, "unready", unready(table));
    speech_seats(&speech, "unheard", unheard(table));
    struct message *message = speech_post(&speech, ruling, key);
    speech_release(&speech);
    return message;
}

static void
say_check(struct ruling *ruling, const char *key)
{
    say_until(ruling, key, ruling->table->check_ends, NO_SEAT);
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

/* When those who are not ready are next reminded: after half of the time, and
 * near its end, but not in the quiet hours; 0: no more. */
static int64_t
next_reminder(const struct ruling *ruling, int64_t began, int64_t ends)
{
    const int64_t times[] = {ends - (ends - began) / 2,
                             ends - (ends - began) / 6};
    for (unsigned i = 0; i < 2; i++) {
        int64_t at = deadline_moved(times[i], 0, &ruling->table->settings,
                                    ruling->env->zone);
        if (at > ruling->env->now && at < ends) {
            return at;
        }
    }
    return 0;
}

/* The check begins, or goes on, until then. */
static void
play_check(struct ruling *ruling, int64_t at, int64_t until)
{
    struct move move = ruling_move(ruling, MOVE_CHECK, at);
    move.until = until;
    move.remind = next_reminder(ruling, move.now, until);
    (void)ruling_play(ruling, &move);
}

static void
remind_unready(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_REMIND, table->remind);
    move.remind = next_reminder(ruling, table->opened, table->check_ends);
    (void)ruling_play(ruling, &move);
    say_check(ruling, "ready_remind");
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
    play_check(ruling, at, check_end(ruling));
    signup_send_words(ruling);
    say_check(ruling, "ready_check");
}

static void
pass(struct ruling *ruling, const struct post *post)
{
    struct move move = ruling_move(ruling, MOVE_READY, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)ruling_play(ruling, &move);
    ruling_acknowledge(ruling, post);
    if (unready(ruling->table) == 0) {
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

/* Somebody who is not ready writes in private.  That messages reach them is
 * known now if it is the word; the thread is to see it too. */
static void
take_privately(struct ruling *ruling, const struct input *input,
               unsigned person, bool right)
{
    const struct table *table = ruling->table;
    struct move move = ruling_move(ruling, MOVE_READY, input->post->stamp);
    struct speech speech;
    struct rich text = {.count = 0};
    if (!right) {
        (void)send_word(ruling, person, true);
        return;
    }
    (void)snprintf(move.user, sizeof move.user, "%s", input->post->author);
    move.reached = true;
    if (!table->seats[person].reached) {
        (void)ruling_play(ruling, &move);
    }
    speech_init_for(&speech, ruling->env, table, NULL, person);
    speech_link(&speech, table->thread, "");
    speech_say(&speech, "ready_private", &text);
    ruling_private(ruling, input->post->author, &text)->about = CALLS_READY;
    speech_release(&speech);
}

/* Tell somebody in the thread what was wrong with their word; from the second
 * time on in private. */
static void
tell_wrong(struct ruling *ruling, unsigned person, const char *key)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_seat(&speech, "player", person);
    struct message *post = speech_post(&speech, ruling, key);
    post->about = CALLS_READY;
    ruling_once(ruling, post, ruling->table->seats[person].user, key,
                AGAIN_PRIVATE);
    speech_release(&speech);
}

/* Is a post of one word, or has it something in bold: was it to be an answer?
 */
static bool
looks_like_answer(const struct rich *rich)
{
    const char *text = buf_text(&rich->text);
    size_t begin = strspn(text, " \n");
    size_t len = strcspn(text + begin, " \n");
    bool found = len > 0 &&
                 text[begin + len + strspn(text + begin + len, " \n")] == '\0';
    for (size_t i = 0; i < rich->count; i++) {
        unsigned marks = rich->runs[i].marks;
        found = found || ((marks & MARK_BOLD) && !(marks & MARKS_EXCLUDED));
    }
    return found;
}

bool
signup_take(struct ruling *ruling, const struct input *input, struct buf *why)
{
    const struct table *table = ruling->table;
    const struct buf *said = &input->rich->text;
    unsigned person = table_seat(table, input->post->author);
    struct buf word = BUF_INIT;
    struct buf loose[2] = {BUF_INIT, BUF_INIT};
    struct intent intent;
    const char *ready =
        language_find(&ruling->env->catalogue->language, "read_ready");
    if (table->state != TABLE_CHECK || person == NO_SEAT ||
        seat_in(person, table->ready) || (input->post->dm && input->ordered)) {
        return false;
    }
    code_word(ruling, person, &word);
    /* Whatever marks are around it, and beside it. */
    name_loose_key(buf_text(said), said->len, &loose[0]);
    name_loose_key(buf_text(&word), word.len, &loose[1]);
    bool right = strstr(buf_text(&loose[0]), buf_text(&loose[1])) != NULL;
    buf_release(&loose[0]);
    buf_release(&loose[1]);
    if (input->post->dm) {
        take_privately(ruling, input, person, right);
        buf_release(&word);
        return ruling->row_count > 0;
    }
    struct reading reading = {.phase = PHASE_VOTING,
                              .ja = {buf_text(&word)},
                              .ja_count = 1,
                              .nein = {"-"},
                              .nein_count = 1};
    intent_read(input->rich, &reading, &intent, why);
    bool passed = intent.kind == INTENT_VOTE && intent.yes;
    buf_release(&word);
    if (passed) {
        pass(ruling, input->post);
    } else if (right) {
        tell_wrong(ruling, person, "ready_bold");
    } else if (!input->ordered && (intent_says(input->rich, "", "", ready) ||
                                   looks_like_answer(input->rich))) {
        tell_wrong(ruling, person, "ready_wrong");
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
    move.held = table->reserves[0].held;
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
    struct message *message =
        say_until(ruling, "ready_reopened", ruling->table->starts, NO_SEAT);
    message->calls = CALLS_READY; /* with the buttons of the sign-up */
    message->waits = true;
}

/* Those who have not answered make room. */
static void
drop_unready(struct ruling *ruling, int64_t at)
{
    const struct table *table = ruling->table;
    for (unsigned i = table->seated; i-- > 0;) {
        struct move move = ruling_move(ruling, MOVE_LEAVE, at);
        if (seat_in(i, unheard(table))) {
            (void)snprintf(move.user, sizeof move.user, "%s",
                           table->seats[i].user);
            (void)ruling_play(ruling, &move);
        }
    }
}

/* Say what came of the check, if it has ended (`first`), and to whose seats the
 * first of the reserve move up, {left} of the speech, and by when they have to
 * answer; `until` 0: not yet.  All are still where they were. */
static void
say_moving_up(struct ruling *ruling, struct speech *speech, unsigned movers,
              int64_t until, const char *first)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    for (unsigned i = 0; i < movers; i++) {
        params_person(&speech->params, "movers", table->reserves[i].user,
                      table->reserves[i].name);
    }
    if (first != NULL) {
        speech_say(speech, first, &text);
    }
    if (until != 0) {
        speech_set_time(speech, "until", until);
        speech_say(speech, "ready_moved_up", &text);
    }
    (void)ruling_post(ruling, &text);
}

/* Those who have not answered make room for the reserve, who are then checked
 * too.  If nobody is in reserve, the table gets smaller, or takes people
 * again. */
static void
end_check(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    int64_t at = table->check_ends;
    seat_set missing = unheard(table);
    unsigned count = speech_count(missing);
    unsigned movers =
        count < table->reserve_count ? count : table->reserve_count;
    bool enough = table->seated - count + movers >= table->players_min;
    int64_t until = movers > 0 && enough ? check_end(ruling) : 0;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    speech_seats(&speech, "unheard", missing);
    for (unsigned i = 0, left = 0; left < movers; i++) {
        if (seat_in(i, missing)) {
            speech_seat(&speech, "left", i);
            left++;
        }
    }
    if (count > 0) {
        say_moving_up(ruling, &speech, movers, until, "ready_missing");
    }
    speech_release(&speech);
    drop_unready(ruling, at);
    for (unsigned i = 0; i < movers; i++) {
        move_up(ruling, at);
    }
    if (!enough) {
        reopen(ruling, at);
    } else if (movers == 0) {
        begin_game(ruling, at);
    } else {
        play_check(ruling, at, until);
        signup_send_words(ruling);
    }
}

/* The check goes on until then for somebody, to whom that is said. */
static void
go_on_for(struct ruling *ruling, unsigned person, int64_t until,
          const char *key)
{
    play_check(ruling, 0, until);
    say_until(ruling, key, ruling->table->check_ends, person);
}

void
ready_welcome(struct ruling *ruling, unsigned person)
{
    int64_t ends = ruling->table->check_ends;
    int64_t least = ruling->env->now + NEW_LEAST_MS;
    go_on_for(ruling, person, ends > least ? ends : least, "ready_welcome");
    ask_for_word(ruling, person);
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
    (void)send_word(ruling, person, false);
    return true;
}

void
ready_left(struct ruling *ruling, const struct seat *left, int64_t at)
{
    const struct table *table = ruling->table;
    if (table->reserve_count > 0) {
        int64_t whole = check_end(ruling);
        int64_t until = whole > table->check_ends ? whole : table->check_ends;
        struct speech speech;
        speech_init(&speech, ruling->env, table, NULL);
        params_person(&speech.params, "left", left->user, left->name);
        say_moving_up(ruling, &speech, 1, until, NULL);
        speech_release(&speech);
        move_up(ruling, at);
        play_check(ruling, at, until);
    } else if (table->seated < table->players_min) {
        reopen(ruling, at);
    } else if (unready(table) == 0) {
        begin_game(ruling, at);
    }
    if (table->state == TABLE_CHECK) {
        signup_send_words(ruling); /* a word may be another one now */
    }
}

void
chat_take_off(struct chat_command *chat, const char *user)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    unsigned seat = table_seat(table, user);
    struct move move = chat_begin_move(chat, MOVE_LEAVE);
    struct seat left;
    (void)snprintf(move.user, sizeof move.user, "%s", user);
    seat_init(&left);
    if (seat != NO_SEAT) {
        seat_clone(&left, &table->seats[seat]);
    }
    if (table_may(table, &move)) {
        (void)ruling_play(ruling, &move);
        if (table->state == TABLE_CHECK && seat != NO_SEAT) {
            ready_left(ruling, &left, chat->input->post->stamp);
        }
    }
    seat_release(&left);
}

void
ready_start(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    int64_t at = chat->input->post->stamp;
    if (table->seated - speech_count(unheard(table)) < table->players_min) {
        say_check(ruling, "ready_too_few");
        return;
    }
    if (unheard(table) != 0) {
        say_check(ruling, "ready_without");
    }
    drop_unready(ruling, at);
    begin_game(ruling, at);
}

void
ready_deadline(struct chat_command *chat, int64_t until)
{
    struct ruling *ruling = chat->ruling;
    play_check(ruling, chat->input->post->stamp, until);
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
    speech_seats(&speech, "everybody", (seat_set)((1U << table->seated) - 1));
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
    move.extended = EXTENDED_FOR_TOO_FEW;
    move.until = ruling->table->starts + DAY_MS;
    (void)ruling_play(ruling, &move);
    say_start(ruling, "start_moved");
}

void
signup_remind(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    if (table->state == TABLE_CHECK) {
        remind_unready(ruling);
        return;
    }
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
