#include "bot/tables/delivery/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/plainer.h"
#include "bot/host/words/gallery.h"
#include "bot/host/words/notice.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"

bool
delivery_is_secret(const struct tables *tables,
                   const struct queued_message *queued)
{
    const struct hosted_table *hosted = queued->message.kind == MESSAGE_PRIVATE
                                            ? hosted_named(tables, queued->game)
                                            : NULL;
    return hosted != NULL && table_is_secret(&hosted->table);
}

void
delivery_describe(const struct queued_message *queued, struct buf *out)
{
    static const char *const kinds[] = {
        [MESSAGE_POST] = "a post",
        [MESSAGE_PRIVATE] = "a private message",
        [MESSAGE_STATUS] = "the status post",
        [MESSAGE_REACT] = "a reaction",
        [MESSAGE_DELETE] = "the deletion of a post",
        [MESSAGE_TRANSCRIPT] = "the transcript of the deal",
        [MESSAGE_OPEN] = "a thread of its own",
        [MESSAGE_LOCK] = "a lock on a post",
        [MESSAGE_INVITE] = "somebody's way into the gallery",
        [MESSAGE_BARE] = "the removal of buttons",
    };
    const struct message *message = &queued->message;
    if (queued->game[0] != '\0') {
        buf_addf(out, "table %s, ", queued->game);
    }
    buf_addf(out, "place \"%s\": %s", queued->place,
             message->kind == MESSAGE_POST && message->calls != 0
                 ? "a call"
                 : kinds[message->kind]);
    if (message->kind != MESSAGE_PRIVATE) {
        buf_addf(out, " in %s", queued->thread);
    }
    buf_add_text(out, " waits");
    if (!queued->hidden) { /* else it tells when somebody has chosen */
        buf_add_text(out, " since ");
        instant_write(message->written, out);
    }
}

struct log_subject
delivery_subject(const struct tables *tables,
                 const struct queued_message *queued)
{
    return (struct log_subject){
        .table = queued->game,
        .place = queued->place,
        .person =
            delivery_is_secret(tables, queued) ? NULL : queued->message.user,
    };
}

void
delivery_works_again(struct tables *tables, const struct queued_message *queued,
                     int64_t now)
{
    struct rule rule;
    if (!rule_begin_for(tables, queued, now, &rule)) {
        return;
    }
    reach_again(&rule.ruling, queued->thread, queued->message.written);
    rule_end(tables, &rule);
}

void
delivery_unapproved(struct tables *tables, const struct queued_message *queued,
                    int64_t now)
{
    struct rule rule;
    struct buf line = BUF_INIT;
    struct log_subject subject = delivery_subject(tables, queued);
    delivery_describe(queued, &line);
    buf_add_text(&line, " for a moderator's approval; approve it, and let the "
                        "host's account post without approval");
    if (rule_begin_for(tables, queued, now, &rule)) {
        reach_unapproved(&rule.ruling);
        rule_end(tables, &rule);
    }
    delivery_warn(tables, &subject, buf_text(&line), now);
    buf_release(&line);
}

/* Words that forums replace, and no game goes on without; and as they are
 * written so that they are not replaced. */
static const char *const needed[] = {"Nein", "Hitler"};
static const char *const spelt[] = {"N-e-i-n", "H-i-t-l-e-r"};

static unsigned
needed_in(const char *text)
{
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        found |= strstr(text, needed[i]) != NULL ? 1U << i : 0;
    }
    return found;
}

void
delivery_note_written(struct tables *tables,
                      const struct queued_message *queued, int64_t now)
{
    struct hosted_place *place = places_find(&tables->places, queued->place);
    struct buf text = BUF_INIT;
    if (queued->message.kind != MESSAGE_POST || queued->shape != SHAPE_WHOLE) {
        return;
    }
    calls_fill(tables, queued, now, &text);
    unsigned words = needed_in(buf_text(&text));
    if (words != 0) {
        places_note_written(place, queued->sent, words);
    }
    buf_release(&text);
}

static void
tell_changed(struct tables *tables, struct hosted_table *hosted,
             unsigned missing, int64_t now)
{
    const char *words = missing == 1   ? spelt[0]
                        : missing == 2 ? spelt[1]
                                       : "N-e-i-n, H-i-t-l-e-r";
    struct place *place = hosted->place->conf;
    struct buf line = BUF_INIT;
    struct rule rule;
    place->changed_words |= missing;
    buf_addf(&line,
             "place \"%s\": the forum changes words in posts (%s), so votes in "
             "such words can't be read; have them taken off its list of "
             "censored words",
             place->name, words);
    rule_begin_now(tables, hosted, now, &rule);
    reach_changed_words(&rule.ruling, words);
    rule_end(tables, &rule);
    delivery_warn(tables, &(struct log_subject){.place = place->name},
                  buf_text(&line), now);
    buf_release(&line);
}

void
delivery_compare(struct tables *tables, const struct service *service,
                 const struct post *post, int64_t now)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    unsigned written =
        hosted == NULL ? 0 : places_take_written(hosted->place, post->id);
    struct rich rich = {.count = 0};
    bool unread = false;
    if (written == 0) {
        return;
    }
    post_read(service, post, &rich, &unread);
    unsigned missing = written & ~needed_in(buf_text(&rich.text)) &
                       ~hosted->place->conf->changed_words;
    rich_wipe(&rich);
    if (missing != 0 && !unread) {
        tell_changed(tables, hosted, missing, now);
    }
}

void
delivery_alarm(struct tables *tables, const char *text, int64_t now)
{
    const char *user = NULL;
    const struct place *alarm = conf_alarm(tables->conf, &user);
    const struct hosted_place *place =
        alarm == NULL ? NULL : places_find(&tables->places, alarm->name);
    struct ruling ruling;
    if (place == NULL ||
        (user[0] == '\0' && place->ids[PLACE_THREAD][0] == '\0')) {
        return;
        /* it can't be told there: it is in the log */
    }
    struct table blank;
    table_blank(&blank, &place->conf->settings, place->id,
                place->ids[PLACE_THREAD]);
    struct host_env env =
        tables_env_for(tables, place, &place->conf->settings,
                       tables_asking_time(tables, place->service, now));
    ruling_init(&ruling, &env, &blank);
    reach_operator(&ruling, user, text);
    rule_save(tables, &ruling);
    table_release(&blank);
}

/* Append the line that stands for a message whose words are refused; its game
 * may be over. */
static void
say_refused(struct tables *tables, const struct queued_message *queued,
            int64_t now, struct buf *text)
{
    const struct table *table = hosted_find(tables, queued->game);
    const struct hosted_place *place =
        places_find(&tables->places, queued->place);
    struct table blank;
    struct rich said = {.count = 0};
    table_blank(&blank, &place->conf->settings, queued->place, "");
    table = table == NULL ? &blank : table;
    struct host_env env = tables_env_for(tables, place, &table->settings, now);
    reach_refused_words(&env, table, queued->message.kind == MESSAGE_PRIVATE,
                        &said);
    env.dialect->write(&said, text);
    rich_release(&said);
    table_release(&blank);
}

void
delivery_say(struct tables *tables, const struct queued_message *queued,
             const struct dialect *dialect, int64_t now, struct buf *text)
{
    struct buf whole = BUF_INIT;
    bool more = false;
    bool words = queued->message.kind <= MESSAGE_STATUS ||
                 queued->message.kind == MESSAGE_TRANSCRIPT;
    calls_fill(tables, queued, now, &whole);
    switch (words ? queued->shape : SHAPE_WHOLE) {
    case SHAPE_WHOLE:
        buf_add_buf(text, &whole);
        break;
    case SHAPE_PLAIN:
        plainer_text(dialect, buf_text(&whole), text);
        break;
    case SHAPE_SPLIT:
        (void)plainer_line(dialect, buf_text(&whole), queued_line(queued), text,
                           &more);
        break;
    case SHAPE_LINE:
        say_refused(tables, queued, now, text);
        break;
    }
    buf_wipe(&whole);
}

bool
delivery_says_more(struct tables *tables, const struct queued_message *queued,
                   const struct dialect *dialect, int64_t now)
{
    struct buf whole = BUF_INIT;
    struct buf line = BUF_INIT;
    bool more = false;
    if (queued_is_split(queued)) {
        calls_fill(tables, queued, now, &whole);
        (void)plainer_line(dialect, buf_text(&whole), queued_line(queued),
                           &line, &more);
    }
    buf_wipe(&whole);
    buf_wipe(&line);
    return more;
}

void
delivery_warn(struct tables *tables, const struct log_subject *subject,
              const char *text, int64_t now)
{
    log_about(LOG_LEVEL_WARNING, subject, "%s", text);
    delivery_alarm(tables, text, now);
}

/* ---- threads of games ---------------------------------------------------- */

void
delivery_opened(struct tables *tables, const struct queued_message *queued,
                const char *thread, const char *cursor, int64_t now)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL || !hosted->table.opening) {
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.table = queued->game,
                                        .place = queued->place},
                  "table %s has begun where it was opened: its own thread came "
                  "too late",
                  queued->game);
        return;
    }
    rule_begin_now(tables, hosted, now, &rule);
    struct move move = ruling_move(&rule.ruling, MOVE_THREAD, 0);
    (void)snprintf(move.thread, sizeof move.thread, "%s", thread);
    (void)ruling_play(&rule.ruling, &move);
    notice_status(&rule.ruling);
    rule_end(tables, &rule);
    if (hosted->table.home[0] != '\0') {
        tables_feeds_add_thread(tables, hosted, cursor);
    }
}

/* ---- galleries ----------------------------------------------------------- */

void
delivery_invited(struct tables *tables, const struct queued_message *queued,
                 const char *place, int64_t now)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL || strcmp(hosted->table.gallery_place, place) == 0) {
        return;
    }
    rule_begin_now(tables, hosted, now, &rule);
    struct move move = ruling_move(&rule.ruling, MOVE_GALLERY, 0);
    (void)snprintf(move.thread, sizeof move.thread, "%s", place);
    (void)ruling_play(&rule.ruling, &move);
    gallery_begin(&rule.ruling);
    rule_end(tables, &rule);
}

void
delivery_uninvited(struct tables *tables, const struct queued_message *queued,
                   bool none, int64_t now)
{
    struct rule rule;
    if (!rule_begin_for(tables, queued, now, &rule)) {
        return;
    }
    gallery_refuse(&rule.ruling, queued->message.user, none);
    rule_end(tables, &rule);
}

/* ---- what is still wanted ------------------------------------------------ */

/* Does a status post stand where its game is no more? */
static bool
is_left_behind(const struct queued_message *queued,
               const struct hosted_table *hosted)
{
    return queued->sent[0] != '\0' && hosted != NULL &&
           strcmp(queued->thread, hosted->table.thread) != 0 &&
           strcmp(queued->thread, hosted->table.home) != 0;
}

/* The same of what is said about a game.  One on hold has no table, either. */
static bool
is_wanted(struct tables *tables, const struct queued_message *queued,
          struct hosted_table *hosted)
{
    if (queued->message.calls == 0 && queued->message.about == 0) {
        return true;
    }
    bool known = hosted != NULL || store_is_over(tables->store, queued->game);
    return !known ||
           queued_is_wanted(queued, hosted == NULL ? NULL : &hosted->table);
}

bool
delivery_wants(struct tables *tables, const struct queued_message *queued)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    switch (queued->message.kind) {
    case MESSAGE_OPEN:
        return hosted != NULL && hosted->table.opening;
    case MESSAGE_STATUS:
        return !is_left_behind(queued, hosted);
    case MESSAGE_INVITE:
        return hosted != NULL;
    case MESSAGE_POST:
    case MESSAGE_PRIVATE:
        return is_wanted(tables, queued, hosted);
    case MESSAGE_TRANSCRIPT:
    case MESSAGE_REACT:
    case MESSAGE_LOCK:
    case MESSAGE_DELETE:
    case MESSAGE_BARE:
        break;
    }
    return true;
}

bool
delivery_pins(const struct tables *tables, const struct queued_message *queued)
{
    const struct hosted_table *hosted = hosted_named(tables, queued->game);
    return hosted == NULL ||
           (!hosted->table.opening &&
            strcmp(hosted->table.thread, queued->thread) == 0);
}
