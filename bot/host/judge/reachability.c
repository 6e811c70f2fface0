#include "bot/host/judge/reachability.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/table/deadline.h"
#include "bot/host/words/notice.h"
#include "bot/host/words/speech.h"

/* Have the moderators a talk of their own? */
static bool
have_talk(const struct docket *docket)
{
    return docket->house->moderators_talk[0] != '\0';
}

/* Say a key that speaks of a player.  Moderators who have no talk of their own
 * are rung. */
static void
say(const struct docket *docket, unsigned seat, const char *key, bool waits,
    struct rich *text)
{
    const struct place *place = docket->house->place;
    struct speech speech;
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "player", seat);
    params_number(&speech.params, "waits", waits);
    for (unsigned i = 0; !have_talk(docket) && i < place->moderator_count;
         i++) {
        params_person(&speech.params, "moderators", place->moderators[i],
                      place->moderators[i]);
    }
    speech_say(&speech, key, text);
    speech_release(&speech);
}

/* Once a round: until it is over, whoever does not come has been asked. */
static void
once_a_round(const struct docket *docket, struct letter *letter,
             const char *matter, const char *user)
{
    struct buf once = BUF_INIT;
    buf_addf(&once, "%s/round %u/%s/%s", docket->table->id, docket->first_round,
             matter, user);
    letter->once = buf_take(&once);
    letter->again = AGAIN_DROP;
}

/* Who is asked in private, and gets nothing, is waited for once a game. */
static bool
wait_for(struct docket *docket, unsigned seat)
{
    const struct table *table = docket->table;
    const struct house *house = docket->house;
    struct move move = docket_move(docket, MOVE_EXTEND, 0);
    struct speech speech;
    move.number = EXTENDED_FOR_PLAYER;
    move.until = deadline_moved(move.now, table->settings.undeliverable,
                                &table->settings, house->zone);
    if (!table_is_secret(table) ||
        !seat_in(seat, game_awaits(&table->game).seats) ||
        seat_in(seat, table->game.vacant | table->waited_for) ||
        move.until <= table->deadline || !table_may(table, &move)) {
        return false;
    }
    (void)snprintf(move.user, sizeof move.user, "%s", table->people[seat].user);
    speech_init(&speech, house, table, NULL);
    speech_seat(&speech, "player", seat);
    speech_reason(&speech, "reach_reason", &move);
    speech_release(&speech);
    (void)docket_play(docket, &move);
    notice_status(docket);
    return true;
}

void
reach_missed(struct docket *docket, const char *user, enum reach reach)
{
    static const char *const keys[][2] = {
        [REACH_UNSEEN] = {"talk_unseen", NULL},
        [REACH_REFUSED] = {"talk_refused", "talk_moderators"},
        [REACH_BARRED] = {"talk_barred", "talk_barred_moderators"},
    };
    const char *key = keys[reach][0];
    const char *to_moderators = keys[reach][1];
    unsigned seat = table_seat(docket->table, user);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT ||
        (docket->table->state == TABLE_RUNNING &&
         !seat_in(seat, game_present(&docket->table->game)))) {
        return; /* of who takes no part nothing is awaited */
    }
    bool waits = wait_for(docket, seat);
    say(docket, seat, key, waits, &text);
    struct letter *letter = docket_post(docket, &text);
    once_a_round(docket, letter, key, user);
    letter->again = waits ? AGAIN_POST : AGAIN_DROP;
    rich_release(&text);
    if (to_moderators != NULL && have_talk(docket)) {
        say(docket, seat, to_moderators, waits, &text);
        letter = docket_moderators(docket, &text);
        once_a_round(docket, letter, to_moderators, user);
        letter->again = waits ? AGAIN_POST : AGAIN_DROP;
        rich_release(&text);
    }
}

void
reach_left(struct docket *docket, const char *user)
{
    unsigned seat = table_seat(docket->table, user);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT ||
        (docket->table->state == TABLE_RUNNING &&
         !seat_in(seat, game_present(&docket->table->game)))) {
        return; /* of who takes no part nothing is awaited */
    }
    say(docket, seat, "talk_left", false, &text);
    once_a_round(docket, docket_post(docket, &text), "talk_left", user);
    rich_release(&text);
}

void
reach_back(struct docket *docket, const char *user)
{
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_say(&speech, "talk_back", &text);
    docket_private(docket, user, &text);
    speech_release(&speech);
    rich_release(&text);
}

void
reach_sealed(struct docket *docket, const struct post *post)
{
    unsigned seat = table_seat(docket->table, post->author);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT) {
        return;
    }
    /* A talk that a player has opened comes as a post of itself. */
    bool theirs = strcmp(post->id, post->place) == 0;
    const char *key = post->kind == POST_HIDDEN    ? "hidden_post"
                      : post->kind == POST_DELETED ? "deleted_post"
                      : !post->talk                ? "sealed_post"
                      : theirs                     ? "sealed_talk"
                                                   : "sealed_here";
    say(docket, seat, key, false, &text);
    struct letter *letter = post->talk
                                ? docket_private(docket, post->author, &text)
                                : docket_post(docket, &text);
    once_a_round(docket, letter, key, post->author);
    rich_release(&text);
}

bool
reach_awaits(const struct table *table, const struct post *post)
{
    unsigned seat = table_seat(table, post->author);
    return table->state == TABLE_RUNNING && !post->talk && seat != NO_SEAT &&
           seat_in(seat, game_awaits(&table->game).seats) &&
           post_time(post) >= table->since;
}

void
reach_pending(struct docket *docket, const struct post *post)
{
    unsigned seat = table_seat(docket->table, post->author);
    const struct place *place = docket->house->place;
    struct rich text = {.count = 0};
    struct buf link = BUF_INIT;
    struct speech speech;
    house_link(docket->house, post->place, post->id, &link);
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "player", seat);
    params_text(&speech.params, "link", buf_text(&link));
    for (unsigned i = 0; !have_talk(docket) && i < place->moderator_count;
         i++) {
        params_person(&speech.params, "moderators", place->moderators[i],
                      place->moderators[i]);
    }
    speech_say(&speech, "pending_post", &text);
    if (have_talk(docket)) {
        docket_moderators(docket, &text);
    } else {
        docket_post(docket, &text);
    }
    speech_release(&speech);
    buf_release(&link);
    rich_release(&text);
}

void
reach_approved_late(struct docket *docket, const struct post *post)
{
    unsigned seat = table_seat(docket->table, post->author);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT) {
        return;
    }
    say(docket, seat, "pending_late", false, &text);
    docket_post(docket, &text);
    rich_release(&text);
}

/* Pause a game in which nobody can post what counts. */
static bool
pause_encrypted(struct docket *docket)
{
    struct move move = docket_move(docket, MOVE_PAUSE, 0);
    struct speech speech;
    if (docket->table->state != TABLE_RUNNING || docket->table->paused) {
        return false;
    }
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_reason(&speech, "encrypted_reason", &move);
    speech_release(&speech);
    bool done = docket_play(docket, &move) == REFUSAL_NONE;
    if (done) {
        notice_status(docket);
    }
    return done;
}

/* What is said of the room, to the table and its moderators. */
static void
say_of_room(const struct docket *docket, const char *key, bool paused,
            struct rich *text)
{
    const struct place *place = docket->house->place;
    struct speech speech;
    speech_init(&speech, docket->house, docket->table, NULL);
    params_number(&speech.params, "paused", paused);
    params_text(&speech.params, "table", docket->table->id);
    for (unsigned i = 0; i < place->moderator_count; i++) {
        params_person(&speech.params, "moderators", place->moderators[i],
                      place->moderators[i]);
    }
    speech_say(&speech, key, text);
    speech_release(&speech);
}

/* The moderators can act in private alone, so each gets a message there, to
 * which they can reply. */
static void
write_to_moderators(struct docket *docket, const char *key, bool paused)
{
    const struct place *place = docket->house->place;
    for (unsigned i = 0; i < place->moderator_count; i++) {
        struct rich text = {.count = 0};
        say_of_room(docket, key, paused, &text);
        struct letter *letter =
            docket_private(docket, place->moderators[i], &text);
        docket_once(docket, letter, place->moderators[i], key, AGAIN_DROP);
        rich_release(&text);
    }
}

void
reach_encrypted(struct docket *docket)
{
    bool paused = pause_encrypted(docket);
    struct rich text = {.count = 0};
    say_of_room(docket, "room_encrypted", paused, &text);
    docket_once(docket, docket_post(docket, &text), "", "room_encrypted",
                AGAIN_DROP);
    rich_release(&text);
    write_to_moderators(docket, "room_encrypted", paused);
}

void
reach_moved(struct docket *docket)
{
    struct rich text = {.count = 0};
    say_of_room(docket, "room_moved", false, &text);
    docket_post(docket, &text);
    rich_release(&text);
}

void
reach_which(struct docket *docket, const char *user,
            const struct table *const *tables, unsigned count)
{
    const struct catalogue *catalogue = docket->house->catalogue;
    struct speech speech;
    struct rich list = {.count = 0};
    struct rich text = {.count = 0};
    for (unsigned i = 0; i < count; i++) {
        struct params params = {.count = 0};
        if (i > 0) {
            catalogue_say(catalogue, "list_separator", NULL, &list);
        }
        params_text(&params, "table", tables[i]->id);
        params_text(&params, "place", tables[i]->place);
        params_number(&params, "round", tables[i]->game.round);
        catalogue_say(catalogue, "which_table", &params, &list);
    }
    speech_init(&speech, docket->house, docket->table, NULL);
    params_rich(&speech.params, "list", &list);
    speech_say(&speech, "which", &text);
    docket_private(docket, user, &text);
    rich_release(&text);
    rich_release(&list);
    speech_release(&speech);
}

void
reach_operator(struct docket *docket, const char *user, const char *text)
{
    struct speech speech;
    struct rich said = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    params_text(&speech.params, "text", text);
    speech_say(&speech, "alarm", &said);
    if (user[0] != '\0') {
        docket_private(docket, user, &said);
    } else {
        docket_post(docket, &said);
    }
    rich_release(&said);
    speech_release(&speech);
}

void
reach_again(struct docket *docket, const char *thread, int64_t since)
{
    struct speech speech;
    struct rich text = {.count = 0};
    struct buf from = BUF_INIT;
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_time(docket->house, docket->table, since, &from);
    params_text(&speech.params, "from", buf_text(&from));
    speech_say(&speech, "delivered_again", &text);
    struct letter *letter = docket_post(docket, &text);
    letter->place = must_copy(thread);
    speech_release(&speech);
    buf_release(&from);
}

void
reach_queued(struct docket *docket)
{
    struct speech speech;
    struct rich text = {.count = 0};
    if (!have_talk(docket)) {
        return;
    }
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_say(&speech, "host_queued", &text);
    docket_moderators(docket, &text);
    speech_release(&speech);
    rich_release(&text);
}

void
reach_refused_words(const struct house *house, const struct table *table,
                    bool talk, struct rich *out)
{
    struct speech speech;
    speech_init(&speech, house, table, NULL);
    params_number(&speech.params, "private", talk);
    speech_say(&speech, "words_refused", out);
    speech_release(&speech);
}
