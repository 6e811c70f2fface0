#include "bot/host/judge/reachability.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/judge/outage.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/ending.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"

/* Do the moderators have a place of their own? */
static bool
have_moderators_channel(const struct ruling *ruling)
{
    return ruling->env->moderators_channel[0] != '\0';
}

/* Say a key about a player.  Moderators who have no place of their own get a
 * ping. */
static void
say(const struct ruling *ruling, unsigned seat, const char *key, bool waits,
    struct rich *text)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_seat(&speech, "player", seat);
    params_number(&speech.params, "waits", waits);
    if (!have_moderators_channel(ruling)) {
        speech_moderators(&speech);
    }
    speech_say(&speech, key, text);
    speech_release(&speech);
}

/* Once a round is enough for a player who does not come; once a game (round 0)
 * for one who can press. */
static void
once_a(unsigned round, const struct ruling *ruling, struct message *message,
       const char *matter, const char *user)
{
    struct buf once = BUF_INIT;
    buf_addf(&once, "%s/round %u/%s/%s", ruling->table->id, round, matter,
             user);
    message->once = buf_take(&once);
    message->again = AGAIN_DROP;
}

static void
once_a_round(const struct ruling *ruling, struct message *message,
             const char *matter, const char *user)
{
    once_a(ruling->first_round, ruling, message, matter, user);
}

/* The host waits once a game for a player who does not get a private
 * question. */
static bool
wait_for(struct ruling *ruling, unsigned seat)
{
    const struct table *table = ruling->table;
    const struct host_env *env = ruling->env;
    struct move move = ruling_move(ruling, MOVE_EXTEND, 0);
    struct speech speech;
    move.extended = EXTENDED_FOR_PLAYER;
    move.until = deadline_moved(move.now, table->settings.undeliverable,
                                &table->settings, env->zone);
    if (!table_is_secret(table) || table_waits(table) ||
        !seat_in(seat, game_awaits(&table->game).seats) ||
        seat_in(seat, table->game.vacant | table->waited_for) ||
        move.until <= table->deadline || !table_may(table, &move)) {
        return false;
    }
    (void)snprintf(move.user, sizeof move.user, "%s", table->seats[seat].user);
    speech_init(&speech, env, table, NULL);
    speech_seat(&speech, "player", seat);
    speech_reason(&speech, "reach_reason", &move);
    speech_release(&speech);
    (void)ruling_play(ruling, &move);
    notice_status(ruling);
    return true;
}

/* Nobody waits for somebody who doesn't. */
static bool
takes_part(const struct table *table, unsigned seat)
{
    return seat != NO_SEAT && (table->state != TABLE_RUNNING ||
                               seat_in(seat, game_present(&table->game)));
}

void
reach_missed(struct ruling *ruling, const char *user, enum reachability reach)
{
    static const char *const keys[][2] = {
        [REACH_UNSEEN] = {"talk_unseen", NULL},
        [REACH_REFUSED] = {"talk_refused", "talk_moderators"},
        [REACH_BARRED] = {"talk_barred", "talk_barred_moderators"},
    };
    static const char *const unpressed[] = {"talk_unpressed",
                                            "talk_unpressed_moderators"};
    bool lost = reach == REACH_REFUSED && ruling->env->presses_lost;
    const char *key = lost ? unpressed[0] : keys[reach][0];
    const char *to_moderators = lost ? unpressed[1] : keys[reach][1];
    unsigned seat = table_seat(ruling->table, user);
    struct rich text = {.count = 0};
    if (!takes_part(ruling->table, seat)) {
        return;
    }
    bool waits = wait_for(ruling, seat);
    say(ruling, seat, key, waits, &text);
    struct message *message = ruling_post(ruling, &text);
    once_a_round(ruling, message, key, user);
    message->again = waits ? AGAIN_POST : AGAIN_DROP;
    if (to_moderators != NULL && have_moderators_channel(ruling)) {
        say(ruling, seat, to_moderators, waits, &text);
        message = ruling_moderators(ruling, &text);
        once_a_round(ruling, message, to_moderators, user);
        message->again = waits ? AGAIN_POST : AGAIN_DROP;
    }
}

void
reach_left(struct ruling *ruling, const char *user)
{
    unsigned seat = table_seat(ruling->table, user);
    struct rich text = {.count = 0};
    if (!takes_part(ruling->table, seat)) {
        return;
    }
    say(ruling, seat, "talk_left", false, &text);
    once_a_round(ruling, ruling_post(ruling, &text), "talk_left", user);
}

void
reach_back(struct ruling *ruling, const char *user)
{
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_number(&speech.params, "running",
                  ruling->table->state == TABLE_RUNNING ||
                      ruling->table->state == TABLE_CHECK);
    speech_say(&speech, "talk_back", &text);
    ruling_private(ruling, user, &text);
    speech_release(&speech);
}

/* Why a post can't be read. */
static const char *
sealed_key(const struct post *post)
{
    /* A DM that a player has opened appears as a post that is its own place. */
    bool theirs = strcmp(post->id, post->place) == 0;
    return post->kind == POST_HIDDEN    ? "hidden_post"
           : post->kind == POST_DELETED ? "deleted_post"
           : post->company              ? "in_company"
           : !post->dm                  ? "sealed_post"
           : theirs                     ? "sealed_talk"
                                        : "sealed_here";
}

void
reach_sealed(struct ruling *ruling, const struct post *post)
{
    unsigned seat = table_seat(ruling->table, post->author);
    struct rich text = {.count = 0};
    /* Where there are buttons, most of what can't be seen is talk. */
    bool talk = post->kind == POST_HIDDEN && ruling->env->buttons;
    if (seat == NO_SEAT || (talk && !reach_awaits(ruling->table, post))) {
        return;
    }
    const char *key = sealed_key(post);
    say(ruling, seat, key, false, &text);
    struct message *message = post->dm
                                  ? ruling_private(ruling, post->author, &text)
                                  : ruling_post(ruling, &text);
    once_a(talk ? 0 : ruling->first_round, ruling, message, key, post->author);
}

bool
reach_awaits(const struct table *table, const struct post *post)
{
    unsigned seat = table_seat(table, post->author);
    return table->state == TABLE_RUNNING && !post->dm && seat != NO_SEAT &&
           seat_in(seat, game_awaits(&table->game).seats) &&
           post_time(post) >= table->since;
}

void
reach_pending(struct ruling *ruling, const struct post *post)
{
    unsigned seat = table_seat(ruling->table, post->author);
    struct rich text = {.count = 0};
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_seat(&speech, "player", seat);
    env_link(ruling->env, post->place, post->id, speech_text(&speech, "link"));
    if (!have_moderators_channel(ruling)) {
        speech_moderators(&speech);
    }
    speech_say(&speech, "pending_post", &text);
    if (have_moderators_channel(ruling)) {
        ruling_moderators(ruling, &text);
    } else {
        ruling_post(ruling, &text);
    }
    speech_release(&speech);
}

void
reach_approved_late(struct ruling *ruling, const struct post *post)
{
    unsigned seat = table_seat(ruling->table, post->author);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT) {
        return;
    }
    say(ruling, seat, "pending_late", false, &text);
    ruling_post(ruling, &text);
}

/* Pause a game in which nobody can post anything that counts. */
static bool
pause_encrypted(struct ruling *ruling)
{
    struct move move = ruling_move(ruling, MOVE_PAUSE, 0);
    struct speech speech;
    if (ruling->table->state != TABLE_RUNNING || ruling->table->paused) {
        return false;
    }
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_reason(&speech, "encrypted_reason", &move);
    speech_release(&speech);
    bool done = ruling_play(ruling, &move) == REFUSAL_NONE;
    if (done) {
        notice_status(ruling);
    }
    return done;
}

/* Say something about the room to the table and its moderators. */
static void
say_of_room(const struct ruling *ruling, const char *key, bool paused,
            bool extended, struct rich *text)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_number(&speech.params, "paused", paused);
    params_number(&speech.params, "extended", extended);
    params_text(&speech.params, "table", ruling->table->id);
    speech_moderators(&speech);
    speech_say(&speech, key, text);
    speech_release(&speech);
}

/* The moderators can act only in private, so each gets a message there, to
 * which they can reply. */
static void
write_to_moderators(struct ruling *ruling, const char *key, bool paused)
{
    const struct place *place = ruling->env->place;
    for (unsigned i = 0; i < place_moderators(place); i++) {
        struct rich text = {.count = 0};
        say_of_room(ruling, key, paused, false, &text);
        struct message *message =
            ruling_private(ruling, place->moderators[i], &text);
        ruling_once(ruling, message, place->moderators[i], key, AGAIN_DROP);
    }
}

void
reach_encrypted(struct ruling *ruling)
{
    bool paused = pause_encrypted(ruling);
    struct rich text = {.count = 0};
    say_of_room(ruling, "room_encrypted", paused, false, &text);
    ruling_once(ruling, ruling_post(ruling, &text), "", "room_encrypted",
                AGAIN_DROP);
    write_to_moderators(ruling, "room_encrypted", paused);
}

void
reach_thread_gone(struct ruling *ruling)
{
    write_to_moderators(ruling, "thread_gone", false);
}

static void
tell_end(struct ruling *ruling, const char *user)
{
    struct rich intro = {.count = 0};
    struct rich end = {.count = 0};
    struct rich hands = {.count = 0};
    say_of_room(ruling, "thread_gone_end", false, false, &intro);
    ending_say(ruling->env, ruling->table, &end, &hands);
    ruling_private(ruling, user, &intro);
    ruling_private(ruling, user, &end);
    if (hands.text.len > 0) {
        ruling_private(ruling, user, &hands);
    }
    rich_release(&hands);
}

void
reach_ended_unseen(struct ruling *ruling, const char *user)
{
    const struct place *place = ruling->env->place;
    tell_end(ruling, user);
    for (unsigned i = 0; i < place_moderators(place); i++) {
        if (strcmp(place->moderators[i], user) != 0) {
            tell_end(ruling, place->moderators[i]);
        }
    }
}

void
reach_moved(struct ruling *ruling)
{
    struct rich text = {.count = 0};
    bool extended = outage_leave_time(ruling, "moved_reason");
    say_of_room(ruling, "room_moved", false,
                extended && ruling->table->state == TABLE_RUNNING, &text);
    ruling_post(ruling, &text);
}

void
reach_which(struct ruling *ruling, const char *user,
            const struct table *const *tables, unsigned count)
{
    const struct catalogue *catalogue = ruling->env->catalogue;
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, ruling->env, ruling->table, NULL);
    struct rich *list = speech_rich(&speech, "list");
    for (unsigned i = 0; i < count; i++) {
        struct params params = {.count = 0};
        if (i > 0) {
            catalogue_say(catalogue, "list_separator", NULL, list);
        }
        params_text(&params, "table", tables[i]->id);
        params_text(&params, "place", tables[i]->place);
        params_number(&params, "round", tables[i]->game.round);
        catalogue_say(catalogue, "which_table", &params, list);
    }
    speech_say(&speech, "which", &text);
    ruling_private(ruling, user, &text);
    speech_release(&speech);
}

void
reach_operator(struct ruling *ruling, const char *user, const char *text)
{
    struct speech speech;
    struct rich said = {.count = 0};
    speech_init(&speech, ruling->env, ruling->table, NULL);
    params_text(&speech.params, "text", text);
    speech_say(&speech, "alarm", &said);
    if (user[0] != '\0') {
        ruling_private(ruling, user, &said);
    } else {
        ruling_post(ruling, &said);
    }
    speech_release(&speech);
}

void
reach_again(struct ruling *ruling, const char *thread, int64_t since)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_set_time(&speech, "from", since);
    speech_post(&speech, ruling, "delivered_again")->place = must_copy(thread);
    speech_release(&speech);
}

void
reach_changed_words(struct ruling *ruling, const char *words)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_moderators(&speech);
    params_text(&speech.params, "words", words);
    speech_post(&speech, ruling, "words_changed");
    speech_release(&speech);
}

void
reach_unapproved(struct ruling *ruling)
{
    struct speech speech;
    struct rich text = {.count = 0};
    if (!have_moderators_channel(ruling)) {
        return;
    }
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_say(&speech, "host_queued", &text);
    ruling_moderators(ruling, &text);
    speech_release(&speech);
}

void
reach_refused_words(const struct host_env *env, const struct table *table,
                    bool dm, struct rich *out)
{
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    params_number(&speech.params, "private", dm);
    speech_say(&speech, "words_refused", out);
    speech_release(&speech);
}
