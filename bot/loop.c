#include "bot/loop.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/feeds.h"
#include "bot/services.h"

/* Tickets: a letter's id is positive, feed n is -1 - n, and below all feeds lie
 * where a place is, where its moderators talk, who we are at a service, and
 * the news of a digest; lowest what nobody waits for: a status post is pinned.
 */
enum {
    TICKET_PLACE = -1000000,
    TICKET_MODERATORS = -1500000,
    TICKET_WHO = -2000000,
    TICKET_NEWS = -2500000,
    TICKET_PIN = -3000000,
    TICKET_PROBE = -3500000
};

enum {
    REFUSED_PAUSE_MS = 1000,
    SOON_MS = 6000, /* a turn where a homeserver limits: 5 s, and a bit */
};

/* ---- services ------------------------------------------------------------ */

static struct asking *
asking_of(struct loop *loop, const struct service *service)
{
    return &loop->services[service - loop->desk->services];
}

/* Has a service said who we are, and accepts it? */
static bool
is_open(const struct loop *loop, const struct service *service)
{
    return loop->services[service - loop->desk->services].done;
}

/* Save the notes of a finished errand; a token is used from now on. */
static enum err
take_notes(struct loop *loop, const struct service *service,
           const struct outcome *outcome, struct buf *why)
{
    service_authorize_by(service, outcome->notes, outcome->note_count,
                         loop->courier);
    return desk_note(loop->desk, service, outcome, why);
}

/* Its token is not accepted any more: find out, before anything else, whether a
 * new one can be had. */
static void
close_service(struct loop *loop, const struct service *service)
{
    struct asking *asking = asking_of(loop, service);
    if (asking->done) {
        asking->done = false;
        asking->failures = 0;
        asking->next = 0;
    }
}

/* ---- asking -------------------------------------------------------------- */

/* Submit an errand that has no letter, with the notes of its service. */
static enum err
ask(struct loop *loop, const struct service *service, struct errand *errand,
    int64_t ticket, struct buf *why)
{
    struct note notes[ADAPTER_NOTES_MAX];
    errand->notes = notes;
    errand->now = loop->now;
    enum err err = store_notes(loop->desk->store, service->name, notes,
                               &errand->note_count, why);
    if (err == ERR_NONE) {
        courier_submit(loop->courier, service, errand, ticket);
    }
    wipe(notes, sizeof notes);
    return err;
}

/* Who are we there?  Nothing else is asked of a service before it has said. */
static enum err
ask_services(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (unsigned i = 0; err == ERR_NONE && i < loop->desk->service_count;
         i++) {
        struct asking *asking = &loop->services[i];
        const struct service *service = &loop->desk->services[i];
        struct errand errand = {.kind = ERRAND_WHO};
        if (!asking->done && !asking->busy && asking->next <= now) {
            asking->busy = true;
            err = ask(loop, service, &errand, TICKET_WHO - (int64_t)i, why);
        }
    }
    return err;
}

/* Where are the places that were not found yet? */
static enum err
ask_places(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->desk->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->places[i];
        const struct service *service = desk_service_of(loop->desk, i);
        struct errand errand = {.kind = ERRAND_PLACE,
                                .text = conf->places[i].address};
        if (loop->desk->threads[i][0] == '\0' && is_open(loop, service) &&
            !asking->busy && asking->next <= now) {
            asking->busy = true;
            err = ask(loop, service, &errand, TICKET_PLACE - (int64_t)i, why);
        }
    }
    return err;
}

/* And where their moderators talk? */
static enum err
ask_talks(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->desk->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->talks[i];
        const struct service *service = desk_service_of(loop->desk, i);
        struct errand errand = {.kind = ERRAND_PLACE,
                                .text = conf->places[i].moderators_talk};
        if (errand.text[0] != '\0' && !asking->done && is_open(loop, service) &&
            !asking->busy && asking->next <= now) {
            asking->busy = true;
            err = ask(loop, service, &errand, TICKET_MODERATORS - (int64_t)i,
                      why);
        }
    }
    return err;
}

/* How long may posts be at the places that were found? */
static enum err
ask_lengths(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct conf *conf = loop->desk->conf;
    for (unsigned i = 0; err == ERR_NONE && i < conf->place_count; i++) {
        struct asking *asking = &loop->probes[i];
        const struct service *service = desk_service_of(loop->desk, i);
        struct errand errand = {.kind = ERRAND_PROBE,
                                .place = loop->desk->threads[i]};
        if (errand.place[0] != '\0' && !asking->done && !asking->busy &&
            asking->next <= now && is_open(loop, service)) {
            asking->busy = true;
            err = ask(loop, service, &errand, TICKET_PROBE - (int64_t)i, why);
        }
    }
    return err;
}

/* Has each place of a service been found, and where its moderators talk, or
 * could not be?  Else a feed in which the posts of several come would bring
 * some that are of no place yet, and they would be lost. */
static bool
knows_places(const struct loop *loop, const struct service *service)
{
    struct desk *desk = loop->desk;
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        const struct asking *talk = &loop->talks[i];
        bool place =
            desk->threads[i][0] != '\0' || loop->places[i].failures > 0;
        bool talks = desk->conf->places[i].moderators_talk[0] == '\0' ||
                     talk->done || talk->failures > 0;
        if ((!place || !talks) && desk_service_of(desk, i) == service) {
            return false;
        }
    }
    return true;
}

/* Can a feed be read now, if it is to be? */
static bool
can_read(const struct loop *loop, const struct feed *feed)
{
    return is_open(loop, feed->service) && knows_places(loop, feed->service);
}

/* By when a reading is to answer: when something is due, unless it has been for
 * a while and can't come for another reason. */
static int64_t
answer_due(const struct loop *loop)
{
    int64_t due = desk_due(loop->desk);
    return due > loop->now - MINUTE_MS / 2 ? due : 0;
}

static enum err
read_feed(struct loop *loop, size_t number, struct buf *why)
{
    struct feed *feed = &loop->desk->feeds[number];
    struct errand errand = {.kind = ERRAND_READ,
                            .feed = feed->name,
                            .cursor = feed->cursor,
                            .since = feeds_since(loop->desk, feed, loop->now),
                            .due = answer_due(loop)};
    feed->busy = true;
    return ask(loop, feed->service, &errand, -1 - (int64_t)number, why);
}

static enum err
ask_news(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < loop->desk->digest_count; i++) {
        struct digest *digest = &loop->desk->digests[i];
        struct errand errand = {.kind = ERRAND_NEWS, .feed = digest->name};
        if (digest->wanted && !digest->busy && digest->next <= now &&
            is_open(loop, digest->service)) {
            digest->busy = true;
            digest->wanted = false;
            err = ask(loop, digest->service, &errand, TICKET_NEWS - (int64_t)i,
                      why);
        }
    }
    return err;
}

static enum err
read_feeds(struct loop *loop, int64_t now, struct buf *why)
{
    struct desk *desk = loop->desk;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < desk->feed_count; i++) {
        struct feed *feed = &desk->feeds[i];
        if (!can_read(loop, feed) || !feeds_is_due(desk, feed, now)) {
            continue;
        }
        struct digest *digest = feeds_digest(desk, feed, now);
        if (digest != NULL) {
            feeds_look_up(desk, feed, digest, now);
        } else {
            err = read_feed(loop, i, why);
        }
    }
    return err == ERR_NONE ? ask_news(loop, now, why) : err;
}

/* ---- sending ------------------------------------------------------------- */

/* A letter that may have been sent is looked for.  One whose picture is a post
 * of its own may be there without it: it is sent once more for as long as its
 * key keeps the service from doubling it. */
static bool
is_looked_for(const struct envelope *envelope, const struct service *service,
              int64_t now)
{
    const struct traits *traits = &service->adapter->traits;
    bool again = envelope->letter.picture && traits->pictures_apart &&
                 now - envelope->letter.written < traits->dedupe;
    return envelope->doubtful && traits->finds && !again;
}

/* The errand for a letter; false: its private talk must be opened first.
 * `post`: on which a thread is to hang. */
static bool
letter_errand(const struct envelope *envelope, const struct service *service,
              const char *talk, const char *post, int64_t now,
              struct errand *errand)
{
    const struct letter *letter = &envelope->letter;
    errand->text = letter->text;
    errand->place = envelope->thread;
    errand->kind = ERRAND_SEND;
    errand->since = letter->written;
    switch (letter->kind) {
    case LETTER_POST:
    case LETTER_TRANSCRIPT:
        break;
    case LETTER_PRIVATE:
        errand->place = talk;
        errand->talk = true;
        errand->user = letter->user;
        if (talk[0] == '\0') {
            errand->kind = ERRAND_TALK;
            return false;
        }
        break;
    case LETTER_OPEN:
        errand->kind = ERRAND_OPEN;
        errand->post = post;
        return true;
    case LETTER_STATUS:
        if (envelope->sent[0] != '\0') {
            errand->kind = ERRAND_EDIT;
            errand->post = envelope->sent;
            return true;
        }
        break;
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_LOCK:
        errand->kind = letter->kind == LETTER_REACT  ? ERRAND_REACT
                       : letter->kind == LETTER_LOCK ? ERRAND_LOCK
                                                     : ERRAND_DELETE;
        errand->place = letter->place;
        errand->post = letter->post;
        return true;
    }
    if (is_looked_for(envelope, service, now)) {
        errand->kind = ERRAND_FIND;
    }
    return true;
}

/* Can it come later without harm? */
static bool
is_patient(const struct envelope *envelope)
{
    switch (envelope->letter.kind) {
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_STATUS:
    case LETTER_LOCK:
        return true;
    case LETTER_POST:
    case LETTER_PRIVATE:
    case LETTER_TRANSCRIPT:
    case LETTER_OPEN:
        break;
    }
    return false;
}

/* Where a service limits what is sent, whatever can come later goes alone, and
 * only when nothing else is about to: it would take its turn from that. */
static bool
gives_way(const struct loop *loop, const struct envelope *envelope,
          const struct service *service, int64_t now)
{
    struct desk *desk = loop->desk;
    const struct outbox *outbox = &desk->outbox;
    bool waits = false;
    if (!is_patient(envelope) ||
        !loop->services[service - desk->services].limited) {
        return false;
    }
    for (size_t i = 0; !waits && i < outbox->count; i++) {
        waits = outbox->list[i]->state == ENVELOPE_IN_FLIGHT &&
                desk_service(desk, outbox->list[i]->place) == service;
    }
    int64_t soon = now + SOON_MS;
    const struct envelope *other = outbox_next(&desk->outbox, NULL, soon);
    while (!waits && other != NULL) {
        waits =
            !is_patient(other) && desk_service(desk, other->place) == service;
        other = outbox_next(&desk->outbox, other, soon);
    }
    return waits;
}

/* The next letter that may go: one whose service is closed waits, and so do
 * those behind it alone.  (A letter whose place has left the configuration is
 * taken up, to be held.) */
static struct envelope *
next_letter(const struct loop *loop, int64_t now)
{
    struct desk *desk = loop->desk;
    struct envelope *envelope = outbox_next(&desk->outbox, NULL, now);
    while (envelope != NULL) {
        const struct service *service = desk_service(desk, envelope->place);
        if (service == NULL || (is_open(loop, service) &&
                                !gives_way(loop, envelope, service, now))) {
            break;
        }
        envelope = outbox_next(&desk->outbox, envelope, now);
    }
    return envelope;
}

enum {
    RINGS_MAX = 64, /* of one letter */
};

/* Point at each line of a list, whose line feeds become ends. */
static unsigned
split_lines(char *list, const char *lines[RINGS_MAX])
{
    unsigned count = 0;
    char *save = NULL;
    for (char *line = list == NULL ? NULL : strtok_r(list, "\n", &save);
         line != NULL && count < RINGS_MAX;
         line = strtok_r(NULL, "\n", &save)) {
        lines[count++] = line;
    }
    return count;
}

/* What goes with a letter. */
struct enclosure {
    struct board_picture board;
    struct buf caption;
    struct buf page, name;
};

static void
enclosure_release(struct enclosure *enclosure)
{
    board_picture_release(&enclosure->board);
    buf_release(&enclosure->caption);
    buf_release(&enclosure->page);
    buf_release(&enclosure->name);
}

static enum err
enclose_board(struct loop *loop, const struct envelope *envelope,
              struct enclosure *enclosure, struct picture *picture,
              struct buf *why)
{
    struct board_picture *board = &enclosure->board;
    enum err err = desk_draw(loop->desk, envelope, loop->now, board,
                             &enclosure->caption, why);
    if (err == ERR_NONE) {
        *picture = (struct picture){
            .bytes = (const unsigned char *)board->png.data,
            .len = board->png.len,
            .width = board->width,
            .height = board->height,
            .caption = buf_text(&enclosure->caption),
        };
    }
    return err;
}

static enum err
enclose_report(struct loop *loop, const struct envelope *envelope,
               struct enclosure *enclosure, struct picture *picture,
               struct buf *why)
{
    enum err err =
        desk_report(loop->desk, envelope, loop->now, &enclosure->page, why);
    if (err == ERR_NONE) {
        buf_addf(&enclosure->name, "table-%s.html", envelope->letter.report);
        *picture = (struct picture){
            .bytes = (const unsigned char *)enclosure->page.data,
            .len = enclosure->page.len,
            .page = buf_text(&enclosure->name),
        };
    }
    return err;
}

/* Make what goes with a letter, where its service takes that; without it the
 * letter says as much as it can. */
static void
enclose(struct loop *loop, const struct envelope *envelope,
        const struct service *service, struct enclosure *enclosure,
        struct errand *errand)
{
    const struct letter *letter = &envelope->letter;
    struct buf why = BUF_INIT;
    enum err err = ERR_NONE;
    const struct traits *traits = &service->adapter->traits;
    if (errand->kind != ERRAND_SEND) {
        return;
    }
    if (letter->report != NULL && traits->pages) {
        err = enclose_report(loop, envelope, enclosure, &errand->picture, &why);
    } else if (letter->picture && traits->uploads) {
        err = enclose_board(loop, envelope, enclosure, &errand->picture, &why);
    }
    if (err != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "letter %lld goes with nothing: %s",
                 (long long)envelope->id, buf_text(&why));
    }
    buf_release(&why);
}

/* Save that it is on its way, and hand it to the courier. */
static enum err
send_letter(struct loop *loop, struct envelope *envelope, struct buf *why)
{
    struct desk *desk = loop->desk;
    struct service *service = desk_service(desk, envelope->place);
    struct note notes[ADAPTER_NOTES_MAX];
    struct errand errand = {.notes = notes};
    struct buf talk = BUF_INIT;
    struct buf post = BUF_INIT;
    struct buf key = BUF_INIT;
    const char *users[RINGS_MAX];
    struct enclosure enclosure = {.caption = BUF_INIT};
    enum err err = ERR_NONE;
    if (service == NULL) {
        /* Its place has left the configuration: it waits there. */
        envelope->state = ENVELOPE_HELD;
        return ERR_NONE;
    }
    if (envelope->letter.kind == LETTER_PRIVATE) {
        err = desk_talk(desk, service, envelope->letter.user, &talk, why);
    }
    if (err == ERR_NONE && envelope->letter.kind == LETTER_OPEN) {
        err = store_status_post(desk->store, envelope->game, envelope->thread,
                                &post, why);
    }
    if (err == ERR_NONE) {
        err = store_notes(desk->store, service->name, notes, &errand.note_count,
                          why);
    }
    if (err == ERR_NONE) {
        envelope->state = ENVELOPE_IN_FLIGHT;
        if (letter_errand(envelope, service, buf_text(&talk), buf_text(&post),
                          loop->now, &errand)) {
            err = store_save_envelope(desk->store, envelope, why);
        }
    }
    if (err == ERR_NONE) {
        store_letter_key(desk->store, envelope, &key);
        errand.key = buf_text(&key);
        errand.now = loop->now;
        char *rings = envelope->letter.rings == NULL
                          ? NULL
                          : must_copy(envelope->letter.rings);
        errand.rings.users = users;
        errand.rings.count = split_lines(rings, users);
        enclose(loop, envelope, service, &enclosure, &errand);
        courier_submit(loop->courier, service, &errand, envelope->id);
        free(rings);
    }
    wipe(notes, sizeof notes);
    buf_release(&talk);
    buf_release(&post);
    buf_release(&key);
    enclosure_release(&enclosure);
    return err;
}

/* Commit what was saved of letters, or give it up. */
static enum err
end_saving(struct loop *loop, enum err err, struct buf *why)
{
    if (err == ERR_NONE) {
        return store_commit(loop->desk->store, why);
    }
    store_rollback(loop->desk->store);
    return err;
}

/* All that may go are on their way in one transaction.  The courier has them,
 * but makes no request before the next time it works. */
static enum err
send_letters(struct loop *loop, int64_t now, struct buf *why)
{
    struct outbox *outbox = &loop->desk->outbox;
    struct envelope *envelope = next_letter(loop, now);
    if (envelope == NULL) {
        return ERR_NONE;
    }
    enum err err = store_begin(loop->desk->store, why);
    while (err == ERR_NONE && envelope != NULL) {
        if (envelope_is_stale(envelope, now) ||
            !desk_wants(loop->desk, envelope)) {
            envelope->state = ENVELOPE_SENT;
            err = store_save_envelope(loop->desk->store, envelope, why);
            outbox_done(outbox, envelope->id);
        } else {
            err = send_letter(loop, envelope, why);
        }
        envelope = next_letter(loop, now);
    }
    return end_saving(loop, err, why);
}

/* ---- what comes back ----------------------------------------------------- */

/* How long to wait after so many failures in a row. */
static int64_t
pause_of(unsigned failures)
{
    int64_t steps = failures < 100 ? failures : 100;
    int64_t pause = steps * steps * SECOND_MS;
    return pause < 5 * MINUTE_MS ? pause : 5 * MINUTE_MS;
}

static int64_t
pause_after(unsigned failures, const struct delivery *delivery)
{
    return delivery->err == ERR_LIMITED ? delivery->outcome.wait
                                        : pause_of(failures);
}

/* The first failure of a row is told. */
static enum log_level
level_after(unsigned failures)
{
    return failures == 1 ? LOG_LEVEL_WARNING : LOG_LEVEL_DEBUG;
}

/* What is refused for the token's sake is told where the token is asked for,
 * and there alone. */
static enum log_level
level_of(unsigned failures, const struct delivery *delivery)
{
    return delivery->unauthorized ? LOG_LEVEL_DEBUG : level_after(failures);
}

static void
take_asking(struct asking *asking, const struct delivery *delivery, int64_t now)
{
    asking->busy = false;
    asking->done = delivery->err == ERR_NONE;
    if (asking->done) {
        asking->failures = 0;
        return;
    }
    asking->failures++;
    asking->next = now + pause_after(asking->failures, delivery);
}

/* The operator is told of the first failure of a row where that is said, too,
 * if somebody has to do something about it. */
static enum err
alarm_once(struct loop *loop, unsigned failures, enum err trouble,
           const char *sentence, int64_t now, struct buf *why)
{
    bool needs_somebody = trouble == ERR_DENIED || trouble == ERR_GONE;
    return failures == 1 && needs_somebody
               ? desk_alarm(loop->desk, sentence, now, why)
               : ERR_NONE;
}

/* A service that refuses us, or is not there: told once, and asked on. */
static void
tell_closed(struct loop *loop, const struct service *service,
            const struct delivery *delivery)
{
    const struct account *account =
        conf_account(loop->desk->conf, service->name);
    struct buf advice = BUF_INIT;
    if (delivery->err != ERR_LATER && delivery->err != ERR_LIMITED) {
        service_advise(service, loop->desk->conf, delivery->err, &advice);
    }
    if (delivery->err == ERR_DENIED && account != NULL &&
        account->token_env[0] == '\0') {
        buf_add_text(&advice, ", then reload (SIGHUP)");
    }
    log_line(level_after(asking_of(loop, service)->failures),
             "%s%s; it is asked again and again", buf_text(&delivery->why),
             buf_text(&advice));
    buf_release(&advice);
}

/* What the operator has to change at a service. */
static void
tell_advice(const struct service *service, const struct outcome *outcome)
{
    const char *at = buf_text(&outcome->advice);
    while (*at != '\0') {
        size_t len = strcspn(at, "\n");
        log_line(LOG_LEVEL_WARNING, "%s: %.*s", service->name, (int)len, at);
        at += len + (at[len] == '\n');
    }
}

/* A service that does not answer at all: none of its feeds can be read. */
static void
no_feed(struct loop *loop, const struct service *service, int64_t now)
{
    for (size_t i = 0; i < loop->desk->feed_count; i++) {
        struct feed *feed = &loop->desk->feeds[i];
        if (feed->service == service) {
            desk_waits(feed, now);
            feed->next_read =
                now + pause_of(asking_of(loop, service)->failures + 1);
        }
    }
}

/* It answers again: they are read at once. */
static void
read_at_once(struct loop *loop, const struct service *service, int64_t now)
{
    for (size_t i = 0; i < loop->desk->feed_count; i++) {
        struct feed *feed = &loop->desk->feeds[i];
        if (feed->service == service && feed->next_read > now) {
            feed->next_read = now;
        }
    }
}

static enum err
take_who(struct loop *loop, const struct delivery *delivery, int64_t now,
         struct buf *why)
{
    unsigned number = (unsigned)(TICKET_WHO - delivery->ticket);
    struct service *service = &loop->desk->services[number];
    bool failed_before = loop->services[number].failures > 0;
    if (delivery->err == ERR_LATER) {
        no_feed(loop, service, now);
    }
    take_asking(&loop->services[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        tell_closed(loop, service, delivery);
        return alarm_once(loop, loop->services[number].failures, delivery->err,
                          buf_text(&delivery->why), now, why);
    }
    if (failed_before) {
        log_line(LOG_LEVEL_INFO, "%s: answers now", service->name);
        read_at_once(loop, service, now);
    }
    (void)snprintf(service->self, sizeof service->self, "%s",
                   buf_text(&delivery->outcome.id));
    tell_advice(service, &delivery->outcome);
    return take_notes(loop, service, &delivery->outcome, why);
}

static enum err
take_place(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    unsigned number = (unsigned)(TICKET_PLACE - delivery->ticket);
    const struct service *service = desk_service_of(loop->desk, number);
    bool failed_before = loop->places[number].failures > 0;
    take_asking(&loop->places[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->places[number].failures, delivery),
                 "place \"%s\": %s", loop->desk->conf->places[number].name,
                 buf_text(&delivery->why));
        return delivery->unauthorized
                   ? ERR_NONE
                   : alarm_once(loop, loop->places[number].failures,
                                delivery->err, buf_text(&delivery->why), now,
                                why);
    }
    if (failed_before) {
        log_line(LOG_LEVEL_INFO, "place \"%s\": the host is there now",
                 loop->desk->conf->places[number].name);
    }
    enum err err = take_notes(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = desk_found(loop->desk, number, buf_text(&delivery->outcome.id),
                         why);
    }
    return err;
}

static enum err
take_talk(struct loop *loop, const struct delivery *delivery, int64_t now,
          struct buf *why)
{
    unsigned number = (unsigned)(TICKET_MODERATORS - delivery->ticket);
    const struct service *service = desk_service_of(loop->desk, number);
    take_asking(&loop->talks[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->talks[number].failures, delivery),
                 "place \"%s\", moderators_talk: %s",
                 loop->desk->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    enum err err = take_notes(loop, service, &delivery->outcome, why);
    if (err == ERR_NONE) {
        err = desk_found_talk(loop->desk, number,
                              buf_text(&delivery->outcome.id), why);
    }
    return err;
}

/* What the host may not do there shows when it is refused; `check` tells it. */
static enum err
take_probe(struct loop *loop, const struct delivery *delivery, int64_t now,
           struct buf *why)
{
    unsigned number = (unsigned)(TICKET_PROBE - delivery->ticket);
    const struct service *service = desk_service_of(loop->desk, number);
    take_asking(&loop->probes[number], delivery, now);
    if (delivery->err != ERR_NONE) {
        log_line(level_of(loop->probes[number].failures, delivery),
                 "place \"%s\": how long posts may be is not known yet: %s",
                 loop->desk->conf->places[number].name,
                 buf_text(&delivery->why));
        return ERR_NONE;
    }
    desk_measure(loop->desk, number, &delivery->outcome);
    return take_notes(loop, service, &delivery->outcome, why);
}

/* Is it the service's fault that nothing could be read? */
static bool
is_outage(const struct delivery *delivery)
{
    return delivery->err == ERR_LATER || delivery->err == ERR_LIMITED ||
           delivery->err == ERR_GARBLED;
}

static void
put_off(struct feed *feed, const struct delivery *delivery, int64_t now)
{
    if (is_outage(delivery)) {
        desk_waits(feed, now);
    }
    feed->failures++;
    feed->next_read = now + pause_after(feed->failures, delivery);
    log_line(level_of(feed->failures, delivery), "%s: reading %s: %s",
             feed->service->name, feed->name, buf_text(&delivery->why));
    bool denied = delivery->err == ERR_DENIED && !delivery->unauthorized;
    if (denied || delivery->err == ERR_GONE) {
        desk_lose(feed, buf_text(&delivery->why));
    }
}

/* A digest has answered for the feeds that wait for it, or has not. */
static enum err
answer_feeds(struct loop *loop, size_t number, const struct delivery *delivery,
             int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < loop->desk->feed_count; i++) {
        struct feed *feed = &loop->desk->feeds[i];
        if (feed->digest != number + 1) {
            continue;
        }
        if (delivery->err == ERR_NONE) {
            err = desk_reached(loop->desk, feed, &delivery->outcome, now, why);
        } else if (is_outage(delivery)) {
            desk_waits(feed, now);
        }
    }
    return err;
}

/* Where a digest can't be had at all, each of its feeds is read. */
static enum err
take_news(struct loop *loop, const struct delivery *delivery, int64_t now,
          struct buf *why)
{
    size_t number = (size_t)(TICKET_NEWS - delivery->ticket);
    struct digest *digest = &loop->desk->digests[number];
    enum err err = answer_feeds(loop, number, delivery, now, why);
    digest->busy = false;
    if (delivery->err == ERR_NONE) {
        feeds_take_news(loop->desk, digest, &delivery->outcome, now);
        return err;
    }
    digest->failures++;
    log_line(level_of(digest->failures, delivery), "%s: the news of %s: %s",
             digest->service->name, digest->name, buf_text(&delivery->why));
    feeds_lack_news(loop->desk, digest, pause_after(digest->failures, delivery),
                    delivery->err != ERR_LATER &&
                        delivery->err != ERR_LIMITED && !delivery->unauthorized,
                    now);
    return err;
}

static enum err
take_page(struct loop *loop, const struct delivery *delivery, int64_t now,
          struct buf *why)
{
    struct feed *feed = &loop->desk->feeds[-1 - delivery->ticket];
    feed->busy = false;
    feed->news = false;
    if (delivery->err != ERR_NONE) {
        put_off(feed, delivery, now);
        return delivery->unauthorized || feed->user[0] != '\0'
                   ? ERR_NONE
                   : alarm_once(loop, feed->failures, delivery->err,
                                buf_text(&delivery->why), now, why);
    }
    if (feed->failures > 0) {
        log_line(LOG_LEVEL_INFO, "%s: reading %s goes on", feed->service->name,
                 feed->name);
    }
    feed->failures = 0;
    feed->lost = false;
    service_authorize_by(feed->service, delivery->outcome.notes,
                         delivery->outcome.note_count, loop->courier);
    enum err err = desk_reached(loop->desk, feed, &delivery->outcome, now, why);
    if (err != ERR_NONE) {
        return err;
    }
    feed->next_read =
        delivery->outcome.more ? now : now + feeds_pause(loop->desk, feed);
    return desk_fold(loop->desk, feed, &delivery->outcome, now, why);
}

/* A private talk that is no more is opened anew. */
static enum err
forget_talk(struct loop *loop, const struct envelope *envelope, struct buf *why)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    return service == NULL ? ERR_NONE
                           : store_set_talk(loop->desk->store, service->name,
                                            envelope->letter.user, "", why);
}

/* A letter waits for a person.  The table is told of a private one; a game that
 * can have no thread of its own is played where it was opened. */
static enum err
letter_held(struct loop *loop, struct envelope *envelope, int64_t now,
            struct buf *why)
{
    bool opens = envelope->letter.kind == LETTER_OPEN;
    if (opens) {
        envelope->state = ENVELOPE_SENT;
    }
    enum err err = store_save_envelope(loop->desk->store, envelope, why);
    if (err == ERR_NONE && envelope->letter.kind == LETTER_PRIVATE) {
        err = desk_missed(loop->desk, envelope, REACH_REFUSED, now, why);
    }
    if (err == ERR_NONE && opens) {
        err = desk_opened(loop->desk, envelope, "", "", now, why);
        outbox_done(&loop->desk->outbox, envelope->id);
    }
    return err;
}

/* That a service limits what is sent is told once: it is no fault of a letter,
 * and goes on for as long as there is much to send. */
static void
tell_letter(struct loop *loop, const struct envelope *envelope,
            const struct delivery *delivery)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    enum log_level level =
        delivery->unauthorized ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING;
    if (delivery->err == ERR_LIMITED && service != NULL) {
        struct asking *asking = asking_of(loop, service);
        level = asking->limited ? LOG_LEVEL_DEBUG : level;
        asking->limited = true;
        log_line(level,
                 "%s; whatever is to be sent there waits its turn, what is "
                 "urgent first (this is told once)",
                 buf_text(&delivery->why));
        return;
    }
    log_line(level, "letter %lld (%s): %s", (long long)envelope->id,
             envelope->state == ENVELOPE_HELD ? "held" : "tried again later",
             buf_text(&delivery->why));
}

static enum err
letter_failed(struct loop *loop, struct envelope *envelope,
              const struct delivery *delivery, int64_t now, struct buf *why)
{
    bool no_talk = delivery->err == ERR_GONE && delivery->kind == ERRAND_SEND &&
                   envelope->letter.kind == LETTER_PRIVATE;
    if (no_talk) {
        envelope_fail(envelope, ERR_LATER, 0, now);
    } else if (delivery->unauthorized) {
        /* It was turned away, and not for its own sake. */
        envelope_fail(envelope, ERR_LIMITED,
                      ((int64_t)envelope->attempts + 1) * REFUSED_PAUSE_MS,
                      now);
    } else {
        envelope_fail(envelope, delivery->err, delivery->outcome.wait, now);
    }
    if (delivery->kind == ERRAND_FIND) {
        envelope->doubtful = true; /* whatever became of looking for it */
    }
    tell_letter(loop, envelope, delivery);
    if (no_talk) {
        return forget_talk(loop, envelope, why);
    }
    /* On disk one that waits again stays in flight: it may have arrived. */
    return envelope->state == ENVELOPE_HELD
               ? letter_held(loop, envelope, now, why)
               : ERR_NONE;
}

/* A status post is pinned where that is possible; where it is denied, it stands
 * there all the same. */
static enum err
pin(struct loop *loop, const struct envelope *envelope, struct buf *why)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    struct errand errand = {
        .kind = ERRAND_PIN, .place = envelope->thread, .post = envelope->sent};
    return service == NULL || !service->adapter->traits.pins
               ? ERR_NONE
               : ask(loop, service, &errand, TICKET_PIN, why);
}

static void
take_pin(const struct delivery *delivery)
{
    if (delivery->err != ERR_NONE) {
        log_line(LOG_LEVEL_DEBUG, "a status post is not pinned: %s",
                 buf_text(&delivery->why));
    }
}

static enum err
letter_sent(struct loop *loop, struct envelope *envelope,
            const struct delivery *delivery, int64_t now, struct buf *why)
{
    const char *id = buf_text(&delivery->outcome.id);
    const struct service *service = desk_service(loop->desk, envelope->place);
    bool status = envelope->letter.kind == LETTER_STATUS;
    if (delivery->kind == ERRAND_FIND && id[0] == '\0') {
        /* It never arrived: send it now. */
        envelope->doubtful = false;
        envelope->state = ENVELOPE_WAITING;
        return ERR_NONE;
    }
    if (delivery->kind != ERRAND_EDIT) {
        (void)snprintf(envelope->sent, sizeof envelope->sent, "%s", id);
    }
    bool again = status && (envelope->changed || delivery->kind == ERRAND_FIND);
    envelope->doubtful = false;
    envelope->state = again ? ENVELOPE_WAITING : ENVELOPE_SENT;
    enum err err = store_save_envelope(loop->desk->store, envelope, why);
    envelope->changed = again;
    if (err == ERR_NONE && delivery->outcome.unseen && !envelope->opened) {
        err = desk_missed(loop->desk, envelope, REACH_UNSEEN, now, why);
    }
    if (service != NULL && envelope->letter.kind == LETTER_PRIVATE) {
        feeds_hasten(loop->desk, service, envelope->letter.user, now);
    }
    if (err == ERR_NONE && envelope->letter.kind == LETTER_TRANSCRIPT) {
        err = desk_deal(loop->desk, envelope->game, now, why);
    }
    if (err == ERR_NONE && status && delivery->kind != ERRAND_EDIT &&
        desk_pins(loop->desk, envelope)) {
        err = pin(loop, envelope, why);
    }
    if (err == ERR_NONE && delivery->kind == ERRAND_OPEN) {
        err = desk_opened(loop->desk, envelope, id,
                          buf_text(&delivery->outcome.cursor), now, why);
    }
    if (err == ERR_NONE) {
        outbox_done(&loop->desk->outbox, envelope->id);
    }
    return err;
}

static enum err
take_letter(struct loop *loop, const struct delivery *delivery, int64_t now,
            struct buf *why)
{
    struct envelope *envelope =
        outbox_find(&loop->desk->outbox, delivery->ticket);
    assert(envelope != NULL);
    if (delivery->err != ERR_NONE) {
        return letter_failed(loop, envelope, delivery, now, why);
    }
    struct service *service = desk_service(loop->desk, envelope->place);
    enum err err = take_notes(loop, service, &delivery->outcome, why);
    if (err != ERR_NONE) {
        return err;
    }
    if (delivery->kind == ERRAND_TALK) {
        envelope->state = ENVELOPE_WAITING;
        envelope->opened = true;
        return desk_open_talk(loop->desk, service, envelope->letter.user,
                              buf_text(&delivery->outcome.id), why);
    }
    return letter_sent(loop, envelope, delivery, now, why);
}

/* The service that a delivery comes from; NULL: that is not configured any
 * more. */
static const struct service *
service_of(struct loop *loop, const struct delivery *delivery)
{
    struct desk *desk = loop->desk;
    int64_t ticket = delivery->ticket;
    if (ticket > 0) {
        const struct envelope *envelope = outbox_find(&desk->outbox, ticket);
        assert(envelope != NULL);
        return desk_service(desk, envelope->place);
    }
    if (ticket > TICKET_PLACE) {
        return desk->feeds[-1 - ticket].service;
    }
    if (ticket <= TICKET_PROBE) {
        return desk_service_of(desk, (unsigned)(TICKET_PROBE - ticket));
    }
    if (ticket <= TICKET_NEWS) {
        return desk->digests[TICKET_NEWS - ticket].service;
    }
    if (ticket > TICKET_MODERATORS) {
        return desk_service_of(desk, (unsigned)(TICKET_PLACE - ticket));
    }
    return ticket > TICKET_WHO
               ? desk_service_of(desk, (unsigned)(TICKET_MODERATORS - ticket))
               : &desk->services[TICKET_WHO - ticket];
}

static enum err
take_delivery(struct loop *loop, const struct delivery *delivery, int64_t now,
              struct buf *why)
{
    if (delivery->ticket == TICKET_PIN) {
        take_pin(delivery);
        return ERR_NONE;
    }
    if (delivery->unauthorized) {
        close_service(loop, service_of(loop, delivery));
    }
    if (delivery->ticket <= TICKET_PROBE) {
        return take_probe(loop, delivery, now, why);
    }
    if (delivery->ticket <= TICKET_NEWS) {
        return take_news(loop, delivery, now, why);
    }
    if (delivery->ticket > 0) {
        return take_letter(loop, delivery, now, why);
    }
    if (delivery->ticket > TICKET_PLACE) {
        return take_page(loop, delivery, now, why);
    }
    if (delivery->ticket > TICKET_MODERATORS) {
        return take_place(loop, delivery, now, why);
    }
    if (delivery->ticket > TICKET_WHO) {
        return take_talk(loop, delivery, now, why);
    }
    return take_who(loop, delivery, now, why);
}

/* Letters that have come back together are saved together; a page is saved by
 * itself. */
static enum err
take_deliveries(struct loop *loop, int64_t now, struct buf *why)
{
    struct delivery delivery;
    bool saving = false;
    enum err err = ERR_NONE;
    while (err == ERR_NONE && courier_next(loop->courier, &delivery)) {
        bool letter = delivery.ticket > 0;
        if (letter && !saving) {
            err = store_begin(loop->desk->store, why);
        } else if (saving && !letter) {
            err = end_saving(loop, err, why);
        }
        saving = letter;
        if (err == ERR_NONE) {
            err = take_delivery(loop, &delivery, now, why);
        }
        delivery_release(&delivery);
    }
    return saving ? end_saving(loop, err, why) : err;
}

/* ---- turning ------------------------------------------------------------- */

/* Between two turns, and before the first, no time has passed in which somebody
 * could have been away. */
static void
leap(struct loop *loop, int64_t now)
{
    for (size_t i = 0; i < loop->desk->feed_count; i++) {
        struct feed *feed = &loop->desk->feeds[i];
        if (now > loop->now && feed->read_at != 0) {
            feed->read_at = now;
            feed->heard = now > feed->heard ? now : feed->heard;
            feed->failed_at = 0;
        }
    }
}

/* Where the clock was set back, whatever waits still waits as long as it would
 * have: else a host were deaf until the clock is again where it was. */
static void
follow_clock(struct loop *loop, int64_t now)
{
    int64_t back = loop->now - now;
    if (loop->leaps) {
        leap(loop, now);
    }
    loop->now = now;
    if (back <= 0) {
        return;
    }
    for (size_t i = 0; i < loop->desk->feed_count; i++) {
        struct feed *feed = &loop->desk->feeds[i];
        feed->next_read -= back;
        feed->read_at -= feed->read_at == 0 ? 0 : back;
        feed->failed_at -= feed->failed_at == 0 ? 0 : back;
    }
    for (size_t i = 0; i < loop->desk->digest_count; i++) {
        loop->desk->digests[i].next -= back;
        loop->desk->digests[i].off_until -= back;
    }
    for (size_t i = 0; i < PLACES_MAX; i++) {
        loop->services[i].next -= back;
        loop->places[i].next -= back;
        loop->talks[i].next -= back;
        loop->probes[i].next -= back;
    }
    outbox_set_back(&loop->desk->outbox, back);
}

enum err
loop_turn(struct loop *loop, int64_t now, int64_t patience, struct buf *why)
{
    follow_clock(loop, now);
    enum err err = ask_services(loop, now, why);
    if (err == ERR_NONE) {
        err = ask_places(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = ask_talks(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = ask_lengths(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = read_feeds(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = send_letters(loop, now, why);
    }
    if (err == ERR_NONE) {
        courier_work(loop->courier, now, patience);
        err = take_deliveries(loop, now, why);
    }
    if (err == ERR_NONE) {
        err = desk_time(loop->desk, now, why);
    }
    return err;
}

enum err
loop_settle(struct loop *loop, int64_t now, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; i < loop->desk->feed_count; i++) {
        loop->desk->feeds[i].next_read = now;
    }
    do {
        loop->desk->acted = false;
        err = loop_turn(loop, now, 0, why);
    } while (err == ERR_NONE &&
             (loop->desk->acted || courier_busy(loop->courier) > 0 ||
              loop_wake(loop, now) <= now));
    return err;
}

static int64_t
earlier_asking(const struct asking *asking, int64_t wake)
{
    return !asking->busy && asking->next < wake ? asking->next : wake;
}

int64_t
loop_wake(const struct loop *loop, int64_t now)
{
    struct desk *desk = loop->desk;
    int64_t wake = now + MINUTE_MS;
    int64_t letter = outbox_wake(&desk->outbox, now);
    if (next_letter(loop, now) != NULL) {
        return now;
    }
    if (letter != 0 && letter < wake) {
        wake = letter;
    }
    for (unsigned i = 0; i < desk->service_count; i++) {
        if (!loop->services[i].done) {
            wake = earlier_asking(&loop->services[i], wake);
        }
    }
    for (unsigned i = 0; i < desk->conf->place_count; i++) {
        bool found = desk->threads[i][0] != '\0';
        if (is_open(loop, desk_service_of(desk, i)) &&
            (!found || !loop->probes[i].done)) {
            wake = earlier_asking(found ? &loop->probes[i] : &loop->places[i],
                                  wake);
        }
    }
    for (size_t i = 0; i < desk->feed_count; i++) {
        const struct feed *feed = &desk->feeds[i];
        if (!feed->busy && feed->digest == 0 && feed->next_read < wake &&
            can_read(loop, feed)) {
            wake = feed->next_read;
        }
    }
    for (size_t i = 0; i < desk->digest_count; i++) {
        const struct digest *digest = &desk->digests[i];
        if (digest->wanted && !digest->busy && digest->next < wake &&
            is_open(loop, digest->service)) {
            wake = digest->next;
        }
    }
    return wake > now ? wake : now;
}
