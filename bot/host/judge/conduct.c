#include "bot/host/judge/conduct.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/judge/referee.h"
#include "bot/host/reading/intent.h"
#include "bot/host/words/speech.h"

enum {
    /* The government may still finish its sentence when the session opens. */
    SILENCE_AFTER_MS = 5 * 60 * 1000,
};

/* Does a post show anything? */
static bool
says_something(const struct rich *rich)
{
    for (size_t i = 0; i < rich->text.len; i++) {
        char byte = rich->text.data[i];
        if (byte != ' ' && byte != '\n' && byte != '\t' && byte != '\0') {
            return true;
        }
    }
    return false;
}

/* Does a text contain what the host's private messages begin with in a
 * language? */
static bool
holds_form(const struct ruling *ruling, const struct catalogue *catalogue,
           const char *text)
{
    static const char *const forms[] = {"private_form", "private_form_round"};
    struct params params = {.count = 0};
    bool found = false;
    params_text(&params, "table", ruling->table->id);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct buf form = BUF_INIT;
        catalogue_text(catalogue, forms[i], &params, &form);
        found = found || strstr(text, buf_text(&form)) != NULL;
        buf_release(&form);
    }
    return found;
}

/* Does it, quoted or not, have the form of the host's private messages, in any
 * player's language?  It does not matter whether it is true or invented. */
static bool
quotes_host(const struct ruling *ruling, const struct rich *rich)
{
    const struct table *table = ruling->table;
    const struct catalogue *last = ruling->env->catalogue;
    if (strstr(buf_text(&rich->text), table->id) == NULL) {
        return false; /* each form has the table's id: most posts don't */
    }
    bool found = holds_form(ruling, last, buf_text(&rich->text));
    for (unsigned seat = 0; seat < table->seated && !found; seat++) {
        const struct catalogue *own =
            speech_catalogue(ruling->env, table, seat);
        if (own != last) {
            found = holds_form(ruling, own, buf_text(&rich->text));
            last = own;
        }
    }
    return found;
}

/* Would a post be a vote in the open ballot that is running?  *ja: which. */
static bool
reads_as_vote(const struct ruling *ruling, const struct input *input, bool *ja)
{
    const struct game *game = &ruling->table->game;
    struct reading reading = {.phase = PHASE_VOTING};
    struct vocabulary words;
    struct intent intent;
    struct buf why = BUF_INIT;
    if (input->post->dm || game->question != QUESTION_VOTE ||
        game->rules.ballot == BALLOT_SEALED) {
        return false;
    }
    referee_words(ruling, &words, &reading);
    intent_read(input->rich, &reading, &intent, &why);
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
warning_key(const struct ruling *ruling, const struct input *input,
            unsigned seat)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    bool governs = seat == game->president || seat == game->chancellor;
    if (quotes_host(ruling, input->rich)) {
        return "warn_quote";
    }
    if (input->ordered) {
        return NULL;
    }
    if (is_executed(table, seat)) {
        return "warn_executed";
    }
    if (game->in_session && governs &&
        post_time(input->post) >= table->session_began + SILENCE_AFTER_MS) {
        return "warn_silence";
    }
    return NULL;
}

/* Does a player vote again, and differently? */
static bool
votes_again(const struct ruling *ruling, const struct input *input,
            unsigned seat)
{
    const struct game *game = &ruling->table->game;
    bool ja = false;
    return seat_in(seat, game->voted) && reads_as_vote(ruling, input, &ja) &&
           ja != seat_in(seat, game->ja);
}

/* Count, for the moderators. */
static void
count(struct ruling *ruling, const struct input *input, const char *matter)
{
    struct move move = ruling_move(ruling, MOVE_WARN, input->post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", input->post->author);
    (void)snprintf(move.text, sizeof move.text, "%s", matter);
    (void)ruling_play(ruling, &move);
}

/* Say it once per question: to each, or (`all`) only to the first. */
static void
say_once(struct ruling *ruling, const struct input *input, const char *key,
         bool all)
{
    const struct post *post = input->post;
    unsigned seat = table_seat(ruling->table, post->author);
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    if (seat == NO_SEAT) {
        params_person(&speech.params, "player", post->author,
                      post->author_name);
    } else {
        speech_seat(&speech, "player", seat);
        /* A post for an earlier question has nothing to do with this one. */
        bool voted = seat_in(seat, ruling->table->game.voted);
        bool now = post->stamp >= ruling->table->since;
        params_number(&speech.params, "voted_before", now && voted);
        params_number(&speech.params, "not_voted", now && !voted);
    }
    struct message *message = speech_post(&speech, ruling, key);
    ruling_once(ruling, message, all ? "" : post->author, key, AGAIN_DROP);
    speech_release(&speech);
}

/* A person who is not at the table has voted. */
static void
watch_stranger(struct ruling *ruling, const struct input *input)
{
    bool ja = false;
    if (reads_as_vote(ruling, input, &ja)) {
        count(ruling, input, "stranger");
        say_once(ruling, input, "stranger_vote", true);
    }
}

static void
warn(struct ruling *ruling, const struct input *input, const char *key)
{
    count(ruling, input, key);
    say_once(ruling, input, key, false);
    if (ruling->table->settings.deletes && ruling->env->capabilities->deletes) {
        ruling_delete(ruling, input->post);
    }
}

void
conduct_watch(struct ruling *ruling, const struct input *input, bool answered)
{
    const struct table *table = ruling->table;
    unsigned seat = table_seat(table, input->post->author);
    if (input->post->dm || !says_something(input->rich)) {
        return;
    }
    if (seat == NO_SEAT) {
        watch_stranger(ruling, input);
        return;
    }
    const char *key = warning_key(ruling, input, seat);
    if (key == NULL) {
        if (votes_again(ruling, input, seat)) {
            count(ruling, input, "double"); /* the referee has answered */
        }
        return;
    }
    /* A player who asks for a veto, or answers one, in unclear words is told
     * so. */
    if (answered && strcmp(key, "warn_silence") == 0) {
        return;
    }
    warn(ruling, input, key);
}

bool
conduct_forbid(const struct table *table, const struct post *post)
{
    return table->state == TABLE_RUNNING && post_time(post) >= table->since &&
           is_executed(table, table_seat(table, post->author));
}

void
conduct_reacted(struct ruling *ruling, const struct post *post)
{
    struct input input = {.post = post};
    warn(ruling, &input, "warn_executed");
}

void
conduct_edited(struct ruling *ruling, const struct input *input)
{
    const struct game *game = &ruling->table->game;
    unsigned seat = table_seat(ruling->table, input->post->author);
    bool ja = false;
    bool by_forum =
        ruling->env->place->changed_words != 0 && input->post->edited == 0;
    if (seat == NO_SEAT || by_forum || !reads_as_vote(ruling, input, &ja) ||
        (seat_in(seat, game->voted) && seat_in(seat, game->ja) == ja)) {
        return;
    }
    count(ruling, input, "edit");
    say_once(ruling, input, "edit_nothing", false);
}
