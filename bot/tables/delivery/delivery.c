#include "bot/tables/delivery/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/table/plainer.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"

bool
tables_is_secret(const struct tables *tables,
                 const struct queued_message *queued)
{
    const struct hosted_table *hosted = queued->message.kind == MESSAGE_PRIVATE
                                            ? hosted_named(tables, queued->game)
                                            : NULL;
    return hosted != NULL && table_is_secret(&hosted->table);
}

void
tables_describe(const struct tables *tables,
                const struct queued_message *queued, struct buf *out)
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
    };
    const struct message *message = &queued->message;
    (void)tables;
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
tables_subject(const struct tables *tables, const struct queued_message *queued)
{
    return (struct log_subject){
        .table = queued->game,
        .place = queued->place,
        .person =
            tables_is_secret(tables, queued) ? NULL : queued->message.user,
    };
}

enum err
tables_works_again(struct tables *tables, const struct queued_message *queued,
                   int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    struct rule rule;
    if (hosted == NULL) {
        return ERR_NONE; /* its game is over */
    }
    rule_begin_now(tables, hosted, now, &rule);
    reach_again(&rule.ruling, queued->thread, queued->message.written);
    return rule_end(tables, &rule, why);
}

enum err
tables_unapproved(struct tables *tables, const struct queued_message *queued,
                  int64_t now, struct buf *why)
{
    struct hosted_table *hosted = hosted_named(tables, queued->game);
    enum err err = ERR_NONE;
    struct buf line = BUF_INIT;
    tables_describe(tables, queued, &line);
    buf_add_text(&line, " for a moderator's approval; approve it, and let the "
                        "host's account post without approval");
    struct log_subject subject = tables_subject(tables, queued);
    log_about(LOG_LEVEL_WARNING, &subject, "%s", buf_text(&line));
    if (hosted != NULL) {
        struct rule rule;
        rule_begin_now(tables, hosted, now, &rule);
        reach_unapproved(&rule.ruling);
        err = rule_end(tables, &rule, why);
    }
    if (err == ERR_NONE) {
        err = tables_alarm(tables, buf_text(&line), now, why);
    }
    buf_release(&line);
    return err;
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
tables_note_written(struct tables *tables, const struct queued_message *queued,
                    int64_t now)
{
    struct hosted_place *place = places_find(&tables->places, queued->place);
    struct buf text = BUF_INIT;
    if (place == NULL || queued->message.kind != MESSAGE_POST ||
        queued->shape != SHAPE_WHOLE) {
        return;
    }
    tables_fill(tables, queued, now, &text);
    unsigned words = needed_in(buf_text(&text));
    if (words != 0) {
        places_note_written(place, queued->sent, words);
    }
    buf_release(&text);
}

static enum err
tell_changed(struct tables *tables, struct hosted_table *hosted,
             unsigned missing, int64_t now, struct buf *why)
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
    log_about(LOG_LEVEL_WARNING, &(struct log_subject){.place = place->name},
              "%s", buf_text(&line));
    rule_begin_now(tables, hosted, now, &rule);
    reach_changed_words(&rule.ruling, words);
    enum err err = rule_end(tables, &rule, why);
    if (err == ERR_NONE) {
        err = tables_alarm(tables, buf_text(&line), now, why);
    }
    buf_release(&line);
    return err;
}

enum err
tables_compare(struct tables *tables, const struct service *service,
               const struct post *post, int64_t now, struct buf *why)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    unsigned written =
        hosted == NULL ? 0 : places_take_written(hosted->place, post->id);
    struct rich rich = {.count = 0};
    bool unread = false;
    if (written == 0) {
        return ERR_NONE;
    }
    post_read(service, post, &rich, &unread);
    unsigned missing = written & ~needed_in(buf_text(&rich.text)) &
                       ~hosted->place->conf->changed_words;
    rich_wipe(&rich);
    return missing == 0 || unread
               ? ERR_NONE
               : tell_changed(tables, hosted, missing, now, why);
}

void
tables_say_refused(struct tables *tables, const struct queued_message *queued,
                   int64_t now, struct buf *text)
{
    const struct table *table = hosted_find(tables, queued->game);
    struct table blank;
    bool there = table != NULL;
    struct rich said = {.count = 0};
    if (!there) {
        const struct hosted_place *place =
            places_find(&tables->places, queued->place);
        table_blank(&blank,
                    place == NULL ? &tables->conf->settings
                                  : &place->conf->settings,
                    queued->place, "");
        table = &blank;
    }
    struct host_env env = tables_env(tables, table, now);
    reach_refused_words(&env, table, queued->message.kind == MESSAGE_PRIVATE,
                        &said);
    env.dialect->write(&said, text);
    rich_release(&said);
    if (!there) {
        table_release(&blank);
    }
}

enum err
tables_alarm(struct tables *tables, const char *text, int64_t now,
             struct buf *why)
{
    const char *user = NULL;
    const struct place *alarm = conf_alarm(tables->conf, &user);
    const struct hosted_place *place =
        alarm == NULL ? NULL : places_find(&tables->places, alarm->name);
    struct ruling ruling;
    if (place == NULL ||
        (user[0] == '\0' && place->ids[PLACE_THREAD][0] == '\0')) {
        return ERR_NONE; /* it can't be told there: it is in the log */
    }
    struct table blank;
    table_blank(&blank, &place->conf->settings, place->id,
                place->ids[PLACE_THREAD]);
    struct host_env env =
        tables_env_for(tables, place, &place->conf->settings,
                       tables_asking_time(tables, place->service, now));
    ruling_init(&ruling, &env, &blank);
    reach_operator(&ruling, user, text);
    enum err err = rule_save(tables, &ruling, why);
    table_release(&blank);
    return err;
}

void
tables_say(struct tables *tables, const struct queued_message *queued,
           const struct dialect *dialect, int64_t now, struct buf *text)
{
    struct buf whole = BUF_INIT;
    bool more = false;
    bool words = queued->message.kind <= MESSAGE_STATUS ||
                 queued->message.kind == MESSAGE_TRANSCRIPT;
    tables_fill(tables, queued, now, &whole);
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
        tables_say_refused(tables, queued, now, text);
        break;
    }
    buf_wipe(&whole);
}

bool
tables_says_more(struct tables *tables, const struct queued_message *queued,
                 const struct dialect *dialect, int64_t now)
{
    struct buf whole = BUF_INIT;
    struct buf line = BUF_INIT;
    bool more = false;
    if (queued_is_split(queued)) {
        tables_fill(tables, queued, now, &whole);
        (void)plainer_line(dialect, buf_text(&whole), queued_line(queued),
                           &line, &more);
    }
    buf_wipe(&whole);
    buf_wipe(&line);
    return more;
}
