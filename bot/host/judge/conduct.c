#include "bot/host/judge/conduct.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/judge/referee.h"
#include "bot/host/reading/intent.h"
#include "bot/host/words/speech.h"

enum {
    /* The government may still end its sentence when the session opens. */
    SILENCE_AFTER_MS = 5 * 60 * 1000,
};

/* Does a post show anything? */
static bool
says_something(const struct rich *rich)
{
    for (size_t i = 0; i < rich->text.len; i++) {
        if (strchr(" \n\t", rich->text.data[i]) == NULL) {
            return true;
        }
    }
    return false;
}

/* Does a text hold what the host's private messages begin with in a language?
 */
static bool
holds_form(const struct docket *docket, const struct catalogue *catalogue,
           const char *text)
{
    static const char *const forms[] = {"private_form", "private_form_round"};
    bool found = false;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct buf form = BUF_INIT;
        struct params params = {.count = 0};
        params_text(&params, "table", docket->table->id);
        catalogue_text(catalogue, forms[i], &params, &form);
        found = found || strstr(text, buf_text(&form)) != NULL;
        buf_release(&form);
    }
    return found;
}

/* Is it, quoted or not, of the form that only the host's private messages have,
 * in the language of any of the players?  True or invented is not asked. */
static bool
quotes_host(const struct docket *docket, const struct rich *rich)
{
    const struct table *table = docket->table;
    const struct catalogue *last = docket->house->catalogue;
    bool found = holds_form(docket, last, buf_text(&rich->text));
    for (unsigned seat = 0; seat < table->seated && !found; seat++) {
        const struct catalogue *own =
            speech_catalogue(docket->house, table, seat);
        if (own != last) {
            found = holds_form(docket, own, buf_text(&rich->text));
            last = own;
        }
    }
    return found;
}

/* What a post would be as a vote of an open ballot that is on; false: none. */
static bool
reads_as_vote(const struct docket *docket, const struct hearing *hearing,
              bool *ja)
{
    const struct game *game = &docket->table->game;
    struct reading reading = {.phase = PHASE_VOTING};
    struct vocabulary words;
    struct intent intent;
    struct buf why = BUF_INIT;
    if (hearing->post->talk || game->question != QUESTION_VOTE ||
        game->rules.ballot == BALLOT_SEALED) {
        return false;
    }
    referee_words(docket, &words, &reading);
    intent_read(hearing->rich, &reading, &intent, &why);
    buf_release(&why);
    *ja = intent.yes;
    return intent.kind == INTENT_VOTE;
}

/* Has the author of a post been executed before it? */
static bool
is_executed(const struct table *table, unsigned seat)
{
    return seat != NO_SEAT && !(table->game.living & seat_bit(seat));
}

/* The key of the warning that is due; NULL: none. */
static const char *
warning_key(const struct docket *docket, const struct hearing *hearing,
            unsigned seat)
{
    const struct table *table = docket->table;
    const struct game *game = &table->game;
    bool governs = seat == game->president || seat == game->chancellor;
    if (quotes_host(docket, hearing->rich)) {
        return "warn_quote";
    }
    if (hearing->ordered) {
        return NULL;
    }
    if (is_executed(table, seat)) {
        return "warn_executed";
    }
    if (game->in_session && governs &&
        post_time(hearing->post) >= table->session_began + SILENCE_AFTER_MS) {
        return "warn_silence";
    }
    return NULL;
}

/* Does somebody vote once more, and otherwise? */
static bool
votes_again(const struct docket *docket, const struct hearing *hearing,
            unsigned seat)
{
    const struct game *game = &docket->table->game;
    bool ja = false;
    return seat_in(seat, game->voted) && reads_as_vote(docket, hearing, &ja) &&
           ja != seat_in(seat, game->ja);
}

/* Keep count, for the moderators. */
static void
count(struct docket *docket, const struct hearing *hearing, const char *matter)
{
    struct move move = docket_move(docket, MOVE_WARN, hearing->post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", hearing->post->author);
    (void)snprintf(move.text, sizeof move.text, "%s", matter);
    (void)docket_play(docket, &move);
}

/* Say it once a question: to each, or (`all`) to the first only. */
static void
say_once(struct docket *docket, const struct hearing *hearing, const char *key,
         bool all)
{
    const struct post *post = hearing->post;
    unsigned seat = table_seat(docket->table, post->author);
    struct speech speech;
    struct rich text = {.count = 0};
    speech_init(&speech, docket->house, docket->table, NULL);
    if (seat == NO_SEAT) {
        params_person(&speech.params, "player", post->author,
                      post->author_name);
    } else {
        speech_seat(&speech, "player", seat);
        /* What was posted for an earlier question says nothing of this one. */
        bool voted = seat_in(seat, docket->table->game.voted);
        bool now = post->stamp >= docket->table->since;
        params_number(&speech.params, "voted_before", now && voted);
        params_number(&speech.params, "not_voted", now && !voted);
    }
    speech_say(&speech, key, &text);
    docket_once(docket, docket_post(docket, &text), all ? "" : post->author,
                key, AGAIN_DROP);
    rich_release(&text);
    speech_release(&speech);
}

/* Somebody who is not at the table has voted all the same. */
static void
watch_stranger(struct docket *docket, const struct hearing *hearing)
{
    bool ja = false;
    if (reads_as_vote(docket, hearing, &ja)) {
        count(docket, hearing, "stranger");
        say_once(docket, hearing, "stranger_vote", true);
    }
}

static void
warn(struct docket *docket, const struct hearing *hearing, const char *key)
{
    count(docket, hearing, key);
    say_once(docket, hearing, key, false);
    if (docket->table->settings.deletes && docket->house->traits->deletes) {
        docket_delete(docket, hearing->post);
    }
}

void
manners_watch(struct docket *docket, const struct hearing *hearing,
              bool answered)
{
    const struct table *table = docket->table;
    unsigned seat = table_seat(table, hearing->post->author);
    if (hearing->post->talk || !says_something(hearing->rich)) {
        return;
    }
    if (seat == NO_SEAT) {
        watch_stranger(docket, hearing);
        return;
    }
    const char *key = warning_key(docket, hearing, seat);
    if (key == NULL) {
        if (votes_again(docket, hearing, seat)) {
            count(docket, hearing, "double"); /* the referee has answered */
        }
        return;
    }
    /* Who asks for a veto, or answers it, in unclear words is told so. */
    if (answered && strcmp(key, "warn_silence") == 0) {
        return;
    }
    warn(docket, hearing, key);
}

bool
manners_forbid(const struct table *table, const struct post *post)
{
    return table->state == TABLE_RUNNING && post_time(post) >= table->since &&
           is_executed(table, table_seat(table, post->author));
}

void
manners_reacted(struct docket *docket, const struct post *post)
{
    struct hearing hearing = {.post = post};
    warn(docket, &hearing, "warn_executed");
}

void
manners_edited(struct docket *docket, const struct hearing *hearing)
{
    const struct game *game = &docket->table->game;
    unsigned seat = table_seat(docket->table, hearing->post->author);
    bool ja = false;
    if (seat == NO_SEAT || !reads_as_vote(docket, hearing, &ja) ||
        (seat_in(seat, game->voted) && seat_in(seat, game->ja) == ja)) {
        return;
    }
    count(docket, hearing, "edit");
    say_once(docket, hearing, "edit_nothing", false);
}
