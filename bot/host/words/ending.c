#include "bot/host/words/ending.h"

#include <string.h>

#include "bot/host/words/speech.h"
#include "bot/host/words/stories.h"

/* One session: what was drawn, passed on, enacted. */
static void
say_session(const struct host_env *env, const struct table *table,
            const struct past_round *round, struct rich *out)
{
    struct buf drawn = BUF_INIT;
    struct buf passed = BUF_INIT;
    struct buf policy = BUF_INIT;
    speech_letters(env, round->drawn, &drawn);
    speech_letters(env, round->passed, &passed);
    if (round->outcome == PAST_ENACTED) {
        struct pile one = {round->liberal, 1};
        speech_letters(env, one, &policy);
    } else {
        catalogue_text(env->catalogue, "end_session_veto", NULL, &policy);
    }
    struct params params = {.count = 0};
    params_number(&params, "round", round->round);
    params_text(&params, "president",
                table_name_then(table, round->president, round->passed_was));
    params_text(
        &params, "chancellor",
        table_name_then(table, round->chancellor, round->chancellor_was));
    params_text(&params, "drawn", buf_text(&drawn));
    params_text(&params, "passed", buf_text(&passed));
    params_text(&params, "policy", buf_text(&policy));
    if (out->text.len > 0) {
        rich_add_text(out, "\n", 0);
    }
    catalogue_say(env->catalogue, "end_session", &params, out);
    buf_release(&drawn);
    buf_release(&passed);
    buf_release(&policy);
}

static void
say_sessions(struct speech *speech, struct rich *out)
{
    const struct table *table = speech->table;
    struct rich *sessions = speech_rich(speech, "sessions");
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        if (round->outcome == PAST_ENACTED || round->outcome == PAST_VETOED) {
            say_session(speech->env, table, round, sessions);
        }
    }
    if (sessions->text.len > 0) {
        speech_say(speech, "end_sessions", out);
    }
}

/* Does the report have to be asked for?  It tells secrets, if there are any. */
static const char *
offer_key(const struct host_env *env, const struct table *table)
{
    if (table->game.fascists == 0 || table->settings.reports) {
        return NULL;
    }
    return env->capabilities->pages ? "end_report" : "end_report_posts";
}

/* What was in the hands, and where to read more. */
static void
say_hands(struct speech *speech, struct rich *out)
{
    say_sessions(speech, out);
    const char *offer = offer_key(speech->env, speech->table);
    if (offer != NULL) {
        speech_say(speech, offer, out);
    }
}

static size_t
characters(const struct rich *rich)
{
    return length_of(LENGTH_POINTS, buf_text(&rich->text), rich->text.len);
}

/* Set who was what, and how the last vote went. */
static void
set_roles(struct speech *speech)
{
    const struct game *game = &speech->table->game;
    speech_roles(speech);
    params_number(&speech->params, "told",
                  game->ending == ENDING_HITLER_EXECUTED ||
                      game->ending == ENDING_HITLER_CHANCELLOR);
}

static void
set_last_vote(struct speech *speech, const struct table *table)
{
    const struct past_round *round = table_round(table);
    if (round == NULL) {
        return;
    }
    unsigned ja = speech_count(round->ja);
    speech_votes(speech, table, round, false);
    params_number(&speech->params, "ja", ja);
    params_number(&speech->params, "nein", speech_count(round->voted) - ja);
    params_number(&speech->params, "tie",
                  2 * ja == speech_count(round->present));
}

void
ending_begin(const struct host_env *env, const struct table *table,
             struct rich *out)
{
    struct speech speech;
    if (table->game.ending == ENDING_ABANDONED) {
        return;
    }
    speech_init(&speech, env, table, NULL);
    set_roles(&speech);
    set_last_vote(&speech, table);
    speech_say(&speech,
               catalogue_ending_key((enum ending)table->game.ending, false),
               out);
    speech_release(&speech);
}

void
ending_say(const struct host_env *env, const struct table *table,
           struct rich *out, struct rich *hands)
{
    const struct game *game = &table->game;
    struct rich thanks = {.count = 0};
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    set_roles(&speech);
    if (game->ending == ENDING_ABANDONED) {
        speech_say(&speech, "end_abandoned", out);
    }
    if (game->fascists != 0) { /* there was a deal */
        speech_say(&speech, "end_roles", out);
    }
    if (game->ending == ENDING_HITLER_CHANCELLOR) {
        set_last_vote(&speech, table);
        speech_say(&speech, "end_votes", out);
    }
    say_hands(&speech, hands);
    speech_moderators(&speech);
    speech_say(&speech, "end_thanks", &thanks);
    if (characters(out) + characters(hands) + characters(&thanks) <=
        ENDING_CHARACTERS) {
        rich_add_text(out, hands->text.len > 0 ? "\n\n" : "", 0);
        rich_add_rich(out, hands);
        rich_clear(hands);
    }
    rich_add_text(out, "\n\n", 0);
    rich_add_rich(out, &thanks);
    speech_release(&speech);
    rich_release(&thanks);
}

/* ---- the report ---------------------------------------------------------- */

/* The votes of each round, and what is claimed about it. */
static void
say_votes(const struct host_env *env, const struct table *table,
          struct rich *out)
{
    for (unsigned i = 0; i < table->past_count; i++) {
        const struct past_round *round = &table->past[i];
        struct speech speech;
        speech_init(&speech, env, table, round);
        speech_votes(&speech, table, round, false);
        rich_add_text(out, i == 0 ? "\n\n" : "\n", 0);
        speech_add(&speech, "votes", out);
        stories_add(env, table, round->round, out);
        speech_release(&speech);
    }
}

void
ending_report(const struct host_env *env, const struct table *table,
              struct rich *out)
{
    bool page = env->capabilities->pages;
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    params_text(&speech.params, "old", table->id);
    speech_say(&speech, page ? "page_here" : "page_posts", out);
    if (!page) {
        say_sessions(&speech, out);
        say_votes(env, table, out);
    }
    speech_release(&speech);
}

void
ending_post_report(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    if (!table->settings.reports || table->game.fascists == 0) {
        return;
    }
    ending_report(ruling->env, table, &text);
    struct message *message = ruling_post(ruling, &text);
    if (ruling->env->capabilities->pages) {
        message->report = must_copy(table->id);
    }
}
