#include "bot/host/manners.h"

#include <stdio.h>
#include <string.h>

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

/* Is it, quoted or not, of the form that only the host's private messages have:
 * the line they begin with?  True or invented is not asked. */
static bool
quotes_host(const struct docket *docket, const struct rich *rich)
{
    struct buf form = BUF_INIT;
    struct params params = {.count = 0};
    params_text(&params, "table", docket->table->id);
    catalogue_text(docket->house->catalogue, "private_form", &params, &form);
    bool found = strstr(buf_text(&rich->text), buf_text(&form)) != NULL;
    buf_release(&form);
    return found;
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
    if (!(game->living & seat_bit(seat))) {
        return "warn_executed";
    }
    if (game->in_session && governs && game->question != QUESTION_VETO &&
        post_time(hearing->post) >= table->session_began + SILENCE_AFTER_MS) {
        return "warn_silence";
    }
    return NULL;
}

void
manners_watch(struct docket *docket, const struct hearing *hearing)
{
    const struct table *table = docket->table;
    const char *user = hearing->post->author;
    unsigned seat = table_seat(table, user);
    if (hearing->post->talk || seat == NO_SEAT ||
        !says_something(hearing->rich)) {
        return;
    }
    const char *key = warning_key(docket, hearing, seat);
    if (key == NULL) {
        return;
    }
    struct move move = docket_move(docket, MOVE_WARN, hearing->post->stamp);
    struct speech speech;
    struct rich text = {.count = 0};
    (void)snprintf(move.user, sizeof move.user, "%s", user);
    (void)snprintf(move.text, sizeof move.text, "%s", key);
    (void)docket_play(docket, &move);
    speech_init(&speech, docket->house, table, NULL);
    speech_seat(&speech, "player", seat);
    speech_say(&speech, key, &text);
    docket_once(docket, docket_post(docket, &text), user, key, AGAIN_DROP);
    if (table->settings.deletes && docket->house->traits->deletes) {
        docket_delete(docket, hearing->post);
    }
    rich_release(&text);
    speech_release(&speech);
}

void
manners_edited(struct docket *docket, const struct hearing *hearing)
{
    const struct table *table = docket->table;
    const struct game *game = &table->game;
    const char *user = hearing->post->author;
    unsigned seat = table_seat(table, user);
    struct reading reading = {.phase = PHASE_VOTING};
    struct intent intent;
    struct buf why = BUF_INIT;
    if (hearing->post->talk || seat == NO_SEAT ||
        game->question != QUESTION_VOTE ||
        game->rules.ballot == BALLOT_SEALED) {
        return;
    }
    intent_read(hearing->rich, &reading, &intent, &why);
    bool voted = (game->voted & seat_bit(seat)) != 0;
    bool ja = (game->ja & seat_bit(seat)) != 0;
    if (intent.kind == INTENT_VOTE && (!voted || intent.yes != ja)) {
        struct speech speech;
        struct rich text = {.count = 0};
        speech_init(&speech, docket->house, table, NULL);
        speech_seat(&speech, "player", seat);
        params_number(&speech.params, "voted_before", voted);
        speech_say(&speech, "edit_nothing", &text);
        docket_once(docket, docket_post(docket, &text), user, "edit",
                    AGAIN_DROP);
        rich_release(&text);
        speech_release(&speech);
    }
    buf_release(&why);
}
