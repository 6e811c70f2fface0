/*
 * The sender: what goes out next, in which form, and what comes of it.
 *
 * The outbox says what waits for what; here is which services take anything,
 * what goes first where one limits what is sent, and what is done about a
 * refusal.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/table/plainer.h"
#include "bot/loop/loop_inner.h"
#include "bot/loop/reader.h"

enum {
    RINGS_MAX = 64, /* of one message */
    TRIES = 3,      /* until something is done in another way */
};

/* A turn where a homeserver limits: 5 s, and a bit.  The status post waits no
 * longer than this for what is more urgent.  Reactions are of no use later. */
#define SOON_MS       (6 * SECOND_MS)
#define STATUS_LATEST (30 * SECOND_MS)
#define REACT_LATEST  (10 * MINUTE_MS)
#define DELETE_LATEST DAY_MS
#define OPEN_LATEST   MINUTE_MS
#define ALARM_AFTER   (10 * MINUTE_MS)
#define PROBE_FIRST   (15 * SECOND_MS)

/* The place of a message, by its number; PLACES_MAX: it is not configured. */
static unsigned
place_number(const struct loop *loop, const struct envelope *envelope)
{
    const struct place *place = desk_place(loop->desk, envelope->place);
    return place == NULL ? PLACES_MAX
                         : (unsigned)(place - loop->desk->conf->places);
}

/* ---- what goes next ------------------------------------------------------ */

/* What the game waits for goes first, then answers, the status post, and what
 * only marks posts of others. */
enum rank {
    RANK_GAME,
    RANK_ANSWER,
    RANK_STATUS,
    RANK_MARK,
};

static enum rank
rank_of(const struct envelope *envelope, int64_t now)
{
    switch (envelope->letter.kind) {
    case LETTER_STATUS:
        return now - envelope->waiting >= STATUS_LATEST ? RANK_GAME
                                                        : RANK_STATUS;
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_LOCK:
        return RANK_MARK;
    case LETTER_POST:
    case LETTER_PRIVATE:
    case LETTER_TRANSCRIPT:
    case LETTER_OPEN:
        break;
    }
    return envelope->batch > 0 ? RANK_GAME : RANK_ANSWER;
}

/* Where a service limits what is sent, a status post or a mark goes alone, and
 * only when nothing of a better rank is about to: it would take its turn. */
static bool
gives_way(const struct loop *loop, const struct envelope *envelope,
          const struct service *service, int64_t now)
{
    struct desk *desk = loop->desk;
    enum rank rank = rank_of(envelope, now);
    if (rank == RANK_GAME ||
        !loop->services[service - desk->services].limited) {
        return false;
    }
    for (size_t i = 0; rank > RANK_ANSWER && i < desk->outbox.count; i++) {
        const struct envelope *other = desk->outbox.list[i];
        if (other->state == ENVELOPE_IN_FLIGHT &&
            desk_service(desk, other->place) == service) {
            return true;
        }
    }
    int64_t soon = now + SOON_MS;
    const struct envelope *other = outbox_next(&desk->outbox, NULL, soon);
    while (other != NULL) {
        if (rank_of(other, now) < rank &&
            desk_service(desk, other->place) == service) {
            return true;
        }
        other = outbox_next(&desk->outbox, other, soon);
    }
    return false;
}

/* The next message that may go: one whose service is closed, or whose place has
 * left the configuration, waits, and so do those behind it alone. */
static struct envelope *
next_letter(const struct loop *loop, int64_t now)
{
    struct desk *desk = loop->desk;
    struct envelope *envelope = outbox_next(&desk->outbox, NULL, now);
    while (envelope != NULL) {
        const struct service *service = desk_service(desk, envelope->place);
        if (service != NULL && loop_is_open(loop, service) &&
            !gives_way(loop, envelope, service, now)) {
            break;
        }
        envelope = outbox_next(&desk->outbox, envelope, now);
    }
    return envelope;
}

bool
sender_is_ready(const struct loop *loop, int64_t now)
{
    return next_letter(loop, now) != NULL;
}

/* ---- what is asked for it ------------------------------------------------ */

/* A message that may have been sent is looked for.  One whose picture is a post
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

/* Is a status post posted anew?  One that refuses to be edited is, each other
 * time, unless the whole thread refuses: it would stand before what waits. */
static bool
is_posted_anew(const struct envelope *envelope)
{
    return envelope->letter.kind == LETTER_STATUS &&
           envelope->refused_at != 0 && !envelope->shut &&
           envelope->attempts >= TRIES && envelope->attempts % 2 == 1;
}

/* Is a post that was sent to be edited? */
static bool
is_edited(const struct envelope *envelope)
{
    bool there = envelope->letter.kind == LETTER_STATUS
                     ? envelope->sent[0] != '\0'
                     : envelope->delivered != 0;
    return there && envelope->queued == 0 && !is_posted_anew(envelope);
}

static enum errand_kind
kind_of_mark(enum letter_kind kind)
{
    return kind == LETTER_REACT  ? ERRAND_REACT
           : kind == LETTER_LOCK ? ERRAND_LOCK
                                 : ERRAND_DELETE;
}

/* The errand for a message; false: its private talk must be opened first.
 * `post`: on which a thread is to hang. */
static bool
letter_errand(const struct envelope *envelope, const struct service *service,
              const char *talk, const char *post, int64_t now,
              struct errand *errand)
{
    const struct letter *letter = &envelope->letter;
    errand->place = envelope->thread;
    errand->kind = ERRAND_SEND;
    errand->since = letter->written;
    switch (letter->kind) {
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
    case LETTER_POST:
    case LETTER_STATUS:
        if (is_edited(envelope)) {
            errand->kind = ERRAND_EDIT;
            errand->post = envelope->sent;
            return true;
        }
        break;
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_LOCK:
        errand->kind = kind_of_mark(letter->kind);
        errand->place = letter->place;
        errand->post = letter->post;
        return true;
    }
    if (envelope->queued != 0 || is_looked_for(envelope, service, now)) {
        errand->kind = ERRAND_FIND;
        errand->post = envelope->queued != 0 ? envelope->sent : NULL;
    }
    return true;
}

/* The key of what is sent: each line of a message that is sent line by line has
 * its own, and so has each status post that takes the place of another. */
static void
letter_key(const struct envelope *envelope, struct buf *key)
{
    char part[16] = "";
    bool split = envelope->shape == SHAPE_SPLIT;
    if (split || envelope->part > 0 || envelope->shape == SHAPE_LINE) {
        (void)snprintf(part, sizeof part, ".%u", envelope->part + split);
    }
    size_t len = strlen(envelope->key);
    size_t over =
        len + strlen(part) > KEY_MAX ? len + strlen(part) - KEY_MAX : 0;
    buf_addf(key, "%s%s", envelope->key + over, part);
}

/* The text in the form in which it is tried. */
static void
letter_text(struct loop *loop, const struct envelope *envelope,
            const struct service *service, int64_t now, struct buf *text)
{
    const struct dialect *dialect = service->adapter->dialect;
    struct buf whole = BUF_INIT;
    bool more = false;
    bool words = envelope->letter.kind <= LETTER_STATUS ||
                 envelope->letter.kind == LETTER_TRANSCRIPT;
    desk_fill(loop->desk, envelope, now, &whole);
    switch (words ? envelope->shape : SHAPE_WHOLE) {
    case SHAPE_WHOLE:
        buf_add_buf(text, &whole);
        break;
    case SHAPE_PLAIN:
        plainer_text(dialect, buf_text(&whole), text);
        break;
    case SHAPE_SPLIT:
        (void)plainer_line(dialect, buf_text(&whole), envelope->part, text,
                           &more);
        break;
    case SHAPE_LINE:
        desk_say_refused(loop->desk, envelope, now, text);
        break;
    }
    buf_wipe(&whole);
}

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

/* What goes with a message. */
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

/* Was a picture, or a page, refused there of late? */
static bool
is_unpictured(const struct loop *loop, const struct envelope *envelope,
              bool page)
{
    unsigned number = place_number(loop, envelope);
    return number < PLACES_MAX && loop->now < loop->unpictured[number][page];
}

/* A refused picture is told once, and the next one is tried the next day. */
static void
note_unpictured(struct loop *loop, const struct envelope *envelope,
                const struct delivery *delivery, int64_t now)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    unsigned number = place_number(loop, envelope);
    bool page = envelope->letter.report != NULL && service != NULL &&
                service->adapter->traits.pages;
    if (delivery->kind != ERRAND_SEND || !delivery->outcome.unpictured ||
        number == PLACES_MAX || is_unpictured(loop, envelope, page)) {
        return;
    }
    loop->unpictured[number][page] = now + DAY_MS;
    log_line(LOG_LEVEL_WARNING,
             "place \"%s\": the service refused the %s that went with a post "
             "(%s); for a day, or until the host is started or reloads its "
             "configuration, posts go there without one",
             envelope->place, page ? "page" : "picture",
             buf_text(&delivery->outcome.shown));
}

/* Make what goes with a message, where its service takes that; without it the
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
    bool page = letter->report != NULL && traits->pages;
    if (errand->kind != ERRAND_SEND || envelope->shape != SHAPE_WHOLE ||
        is_unpictured(loop, envelope, page)) {
        return;
    }
    if (page) {
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

/* ---- sending ------------------------------------------------------------- */

/* Fill in what is sent, and to whom; *kept: it is saved that it is on its way.
 */
static enum err
prepare(struct loop *loop, struct envelope *envelope,
        const struct service *service, const char *talk, const char *post,
        struct errand *errand, struct buf *why)
{
    bool ready =
        letter_errand(envelope, service, talk, post, loop->now, errand);
    envelope->state = ENVELOPE_IN_FLIGHT;
    if (!ready) {
        return ERR_NONE;
    }
    if (!envelope->doubtful || envelope->in_flight == 0) {
        envelope->in_flight = loop->now;
    }
    if (!envelope->doubtful && envelope->letter.deadline != 0) {
        envelope->named = desk_names(loop->desk, envelope, loop->now);
    }
    return store_save_envelope(loop->desk->store, envelope, why);
}

/* What the errand borrows while it is handed to the courier. */
struct parcel {
    struct note notes[ADAPTER_NOTES_MAX];
    const char *users[RINGS_MAX];
    struct buf talk, post, key, text;
    struct enclosure enclosure;
    char *rings;
};

static void
parcel_release(struct parcel *parcel)
{
    wipe(parcel->notes, sizeof parcel->notes);
    buf_release(&parcel->talk);
    buf_release(&parcel->post);
    buf_release(&parcel->key);
    buf_wipe(&parcel->text);
    enclosure_release(&parcel->enclosure);
    free(parcel->rings);
    free(parcel);
}

static enum err
look_up(struct loop *loop, const struct envelope *envelope,
        struct service *service, struct parcel *parcel, unsigned *note_count,
        struct buf *why)
{
    struct desk *desk = loop->desk;
    enum err err = ERR_NONE;
    if (envelope->letter.kind == LETTER_PRIVATE) {
        err =
            desk_talk(desk, service, envelope->letter.user, &parcel->talk, why);
    }
    if (err == ERR_NONE && envelope->letter.kind == LETTER_OPEN) {
        err = store_status_post(desk->store, envelope->game, envelope->thread,
                                &parcel->post, why);
    }
    return err == ERR_NONE ? store_notes(desk->store, service->name,
                                         parcel->notes, note_count, why)
                           : err;
}

/* Save that it is on its way, and hand it to the courier. */
static enum err
send_letter(struct loop *loop, struct envelope *envelope, struct buf *why)
{
    struct service *service = desk_service(loop->desk, envelope->place);
    struct parcel *parcel = must_alloc(sizeof *parcel);
    struct errand errand = {.notes = parcel->notes, .now = loop->now};
    enum err err =
        look_up(loop, envelope, service, parcel, &errand.note_count, why);
    if (err == ERR_NONE) {
        err = prepare(loop, envelope, service, buf_text(&parcel->talk),
                      buf_text(&parcel->post), &errand, why);
    }
    if (err == ERR_NONE) {
        letter_key(envelope, &parcel->key);
        if (errand.kind == ERRAND_TALK) {
            desk_topic(loop->desk, envelope, loop->now, &parcel->text);
        } else {
            letter_text(loop, envelope, service, loop->now, &parcel->text);
        }
        parcel->rings = envelope->letter.rings == NULL
                            ? NULL
                            : must_copy(envelope->letter.rings);
        errand.key = buf_text(&parcel->key);
        errand.text = buf_text(&parcel->text);
        errand.urgent = rank_of(envelope, loop->now) == RANK_GAME;
        errand.rings.users = parcel->users;
        errand.rings.count = split_lines(parcel->rings, parcel->users);
        enclose(loop, envelope, service, &parcel->enclosure, &errand);
        courier_submit(loop->courier, service, &errand, envelope->id);
    }
    parcel_release(parcel);
    return err;
}

enum err
sender_end_saving(struct loop *loop, enum err err, struct buf *why)
{
    if (err == ERR_NONE) {
        return store_commit(loop->desk->store, why);
    }
    store_rollback(loop->desk->store);
    return err;
}

/* Is it of no use any more? */
static bool
is_useless(const struct loop *loop, const struct envelope *envelope,
           int64_t now)
{
    const struct letter *letter = &envelope->letter;
    const struct service *service = desk_service(loop->desk, envelope->place);
    bool late =
        ((letter->kind == LETTER_REACT || letter->kind == LETTER_LOCK) &&
         now - letter->written >= REACT_LATEST) ||
        (letter->kind == LETTER_DELETE &&
         now - letter->written >= DELETE_LATEST);
    bool can_edit = envelope->delivered == 0 || service->adapter->traits.edits;
    return late || !can_edit || envelope_is_stale(envelope, now) ||
           !desk_wants(loop->desk, envelope);
}

/* It has ended. */
static enum err
end_letter(struct loop *loop, struct envelope *envelope, struct buf *why)
{
    envelope->state = ENVELOPE_SENT;
    enum err err = store_save_envelope(loop->desk->store, envelope, why);
    outbox_done(&loop->desk->outbox, envelope->id);
    return err;
}

/* All that may go are on their way in one transaction.  The courier has them,
 * but makes no request before the next time it works. */
enum err
sender_send(struct loop *loop, int64_t now, struct buf *why)
{
    struct envelope *envelope = next_letter(loop, now);
    if (envelope == NULL) {
        return ERR_NONE;
    }
    enum err err = store_begin(loop->desk->store, why);
    while (err == ERR_NONE && envelope != NULL) {
        err = is_useless(loop, envelope, now)
                  ? end_letter(loop, envelope, why)
                  : send_letter(loop, envelope, why);
        envelope = next_letter(loop, now);
    }
    return sender_end_saving(loop, err, why);
}

/* ---- failures ------------------------------------------------------------ */

/* A private talk that is no more is opened anew. */
static enum err
forget_talk(struct loop *loop, const struct envelope *envelope, struct buf *why)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    return service == NULL ? ERR_NONE
                           : store_set_talk(loop->desk->store, service->name,
                                            envelope->letter.user, "", why);
}

/* That a service limits what is sent is told once: it is no fault of a message,
 * and goes on for as long as there is much to send. */
static void
tell_limit(struct loop *loop, const struct service *service,
           const struct delivery *delivery)
{
    struct asking *asking = loop_asking(loop, service);
    log_line(asking->limited ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
             "%s; whatever is to be sent there waits its turn, what is "
             "urgent first (this is told once)",
             buf_text(&delivery->why));
    asking->limited = true;
}

/* Of which table, what, since when, and why.  The first failure of a row is
 * told; in a session nothing that tells who has acted. */
static void
tell_failure(struct loop *loop, const struct envelope *envelope,
             const struct delivery *delivery)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    struct buf line = BUF_INIT;
    bool quiet = delivery->unauthorized || envelope->attempts > 1 ||
                 desk_is_secret(loop->desk, envelope);
    if (delivery->err == ERR_LIMITED && service != NULL) {
        tell_limit(loop, service, delivery);
        return;
    }
    /* A service may quote the words that it refuses. */
    bool words = envelope->letter.kind == LETTER_PRIVATE &&
                 envelope->refused == REFUSED_WORDS &&
                 (delivery->err == ERR_DENIED || delivery->err == ERR_FULL);
    desk_describe(loop->desk, envelope, &line);
    log_line(quiet ? LOG_LEVEL_DEBUG : LOG_LEVEL_WARNING,
             "%s: %s; it is tried again", buf_text(&line),
             words ? "its words are refused" : buf_text(&delivery->why));
    buf_release(&line);
}

/* The status post is not there any more, or refuses to be edited in a thread
 * that takes other posts: another takes its place. */
static void
replace_status(struct envelope *envelope)
{
    envelope->sent[0] = '\0';
    envelope->part++;
    envelope->attempts = 0;
    envelope->not_before = 0;
    envelope->doubtful = false;
}

/* Does what was refused end the message?  A post that is gone needs no mark,
 * and an edit that is refused again and again is given up: what it would have
 * said stands in the status post. */
static bool
ends_it(const struct envelope *envelope, const struct delivery *delivery)
{
    bool refused = delivery->err == ERR_DENIED || delivery->err == ERR_FULL;
    switch (envelope->letter.kind) {
    case LETTER_REACT:
    case LETTER_LOCK:
    case LETTER_DELETE:
        return delivery->err == ERR_GONE;
    case LETTER_POST:
        return envelope->delivered != 0 &&
               (delivery->err == ERR_GONE ||
                (refused && envelope->attempts >= TRIES));
    case LETTER_PRIVATE:
    case LETTER_STATUS:
    case LETTER_TRANSCRIPT:
    case LETTER_OPEN:
        break;
    }
    return false;
}

/* A game that can have no thread of its own is played where it was opened.  A
 * right that is missing for a moment only is waited for. */
static bool
stays_where_it_is(const struct envelope *envelope,
                  const struct delivery *delivery, int64_t now)
{
    bool refused = delivery->err == ERR_DENIED && !delivery->unauthorized;
    bool long_ago = now - envelope->refused_at >= OPEN_LATEST;
    return envelope->letter.kind == LETTER_OPEN &&
           (delivery->err == ERR_GONE || delivery->err == ERR_FULL ||
            delivery->err == ERR_CONFIG ||
            (refused && long_ago && envelope->attempts >= TRIES));
}

/* What a person does not take is told at their table, and counts as refused.
 * What is only to be put in other words is not told. */
static enum err
tell_refused(struct loop *loop, const struct envelope *envelope, int64_t now,
             struct buf *why)
{
    bool words = envelope->refused == REFUSED_WORDS ||
                 envelope->refused == REFUSED_EXTRA;
    enum reach reach =
        envelope->refused == REFUSED_PERSON ? REACH_REFUSED : REACH_BARRED;
    enum err err =
        words ? ERR_NONE : desk_missed(loop->desk, envelope, reach, now, why);
    return err == ERR_NONE && envelope->letter.calls != 0
               ? desk_called(loop->desk, envelope, true, now, now, why)
               : err;
}

static void
note_failure(struct loop *loop, struct envelope *envelope,
             const struct delivery *delivery, int64_t now)
{
    struct failure failure = {
        .err = delivery->err,
        .refused = delivery->outcome.refused,
        .wait = delivery->outcome.wait,
        .chance = loop_chance(loop),
    };
    if (delivery->unauthorized && failure.refused != REFUSED_LOGIN) {
        failure.err = ERR_DENIED;
        failure.refused = REFUSED_ACCOUNT;
    }
    bool first = envelope->refused_at == 0;
    envelope_fail(envelope, &failure, now);
    if (first && delivery->unauthorized) {
        envelope->refused_at = 0; /* not for its own sake */
    }
    if (envelope->letter.kind == LETTER_STATUS &&
        envelope->shape == SHAPE_SPLIT) {
        envelope->shape = SHAPE_LINE;
    }
    envelope->shut =
        outbox_is_shut(&loop->desk->outbox, envelope->place, envelope->thread);
    envelope->part += is_posted_anew(envelope); /* another post, another key */
    if (envelope->letter.kind == LETTER_TRANSCRIPT &&
        envelope->shape == SHAPE_SPLIT) {
        envelope->shape = SHAPE_WHOLE; /* it is proved by its bytes */
    }
    if (delivery->kind == ERRAND_FIND) {
        envelope->doubtful = true; /* whatever became of looking for it */
    }
    (void)snprintf(envelope->trouble, sizeof envelope->trouble, "%s",
                   envelope->letter.kind == LETTER_PRIVATE
                       ? ""
                       : buf_text(&delivery->why));
}

static enum err
letter_failed(struct loop *loop, struct envelope *envelope,
              const struct delivery *delivery, int64_t now, struct buf *why)
{
    bool private = envelope->letter.kind == LETTER_PRIVATE;
    bool no_talk =
        delivery->err == ERR_GONE && delivery->kind == ERRAND_SEND && private;
    bool first = envelope->refused_at == 0;
    enum err err = ERR_NONE;
    note_failure(loop, envelope, delivery, now);
    tell_failure(loop, envelope, delivery);
    if (no_talk) {
        envelope->refused_at = first ? 0 : envelope->refused_at;
        envelope->not_before = now + 2 * SECOND_MS * envelope->attempts;
        return forget_talk(loop, envelope, why);
    }
    if (ends_it(envelope, delivery)) {
        return end_letter(loop, envelope, why);
    }
    if (stays_where_it_is(envelope, delivery, now)) {
        err = desk_opened(loop->desk, envelope, "", "", now, why);
        return err == ERR_NONE ? end_letter(loop, envelope, why) : err;
    }
    if (envelope->letter.kind == LETTER_STATUS && delivery->err == ERR_GONE &&
        delivery->kind == ERRAND_EDIT) {
        replace_status(envelope);
    }
    /* On disk one that waits for another reason stays in flight: it may have
     * arrived. */
    if (!envelope->doubtful) {
        err = store_save_envelope(loop->desk->store, envelope, why);
    }
    return err == ERR_NONE && private && first && envelope->refused_at != 0
               ? tell_refused(loop, envelope, now, why)
               : err;
}

/* ---- successes ----------------------------------------------------------- */

/* A status post is pinned where that is possible, in the place of those of
 * games that are over; where it is denied, it stands there all the same. */
static enum err
pin(struct loop *loop, const struct envelope *envelope, struct buf *why)
{
    const struct service *service = desk_service(loop->desk, envelope->place);
    struct errand errand = {
        .kind = ERRAND_PIN, .place = envelope->thread, .post = envelope->sent};
    struct buf old = BUF_INIT;
    if (service == NULL || !service->adapter->traits.pins) {
        return ERR_NONE;
    }
    enum err err =
        store_old_status(loop->desk->store, envelope->thread, &old, why);
    if (err == ERR_NONE) {
        errand.text = buf_text(&old);
        err = loop_ask(loop, service, &errand, TICKET_PIN, why);
    }
    buf_release(&old);
    return err;
}

void
sender_take_pin(const struct delivery *delivery)
{
    if (delivery->err != ERR_NONE) {
        log_line(LOG_LEVEL_DEBUG, "a status post is not pinned: %s",
                 buf_text(&delivery->why));
    }
}

/* Is it a line of a message, and are there others? */
static bool
goes_on(struct loop *loop, const struct envelope *envelope,
        const struct service *service, int64_t now)
{
    struct buf whole = BUF_INIT;
    struct buf line = BUF_INIT;
    bool more = false;
    if (envelope->shape == SHAPE_SPLIT && service != NULL) {
        desk_fill(loop->desk, envelope, now, &whole);
        (void)plainer_line(service->adapter->dialect, buf_text(&whole),
                           envelope->part, &line, &more);
    }
    buf_wipe(&whole);
    buf_wipe(&line);
    return more;
}

/* Is a call asked in several posts, and another of them not delivered? */
static bool
is_asked_in_part(const struct loop *loop, const struct envelope *envelope)
{
    const struct outbox *outbox = &loop->desk->outbox;
    bool more = false;
    for (size_t i = 0; !more && i < outbox->count; i++) {
        const struct envelope *other = outbox->list[i];
        more = other != envelope && other->delivered == 0 &&
               other->letter.calls == envelope->letter.calls &&
               other->letter.kind == envelope->letter.kind &&
               strcmp(other->game, envelope->game) == 0 &&
               (other->letter.user == NULL ||
                strcmp(other->letter.user, envelope->letter.user) == 0);
    }
    return more;
}

/* Messages that have waited for long are there: their thread is told, once the
 * last of them is. */
static enum err
tell_again(struct loop *loop, struct envelope *envelope, int64_t now,
           struct buf *why)
{
    const struct outbox *outbox = &loop->desk->outbox;
    bool more = false;
    for (size_t i = 0; i < outbox->count; i++) {
        const struct envelope *other = outbox->list[i];
        more = more || (other != envelope && other->alarmed &&
                        other->letter.kind == LETTER_POST &&
                        strcmp(other->place, envelope->place) == 0 &&
                        strcmp(other->thread, envelope->thread) == 0);
    }
    bool told = envelope->alarmed && envelope->letter.kind == LETTER_POST &&
                envelope->refused_at != 0 && !more;
    envelope->alarmed = false;
    return told ? desk_works_again(loop->desk, envelope, now, why) : ERR_NONE;
}

/* What is done once a message has arrived. */
static enum err
after_delivery(struct loop *loop, struct envelope *envelope,
               const struct delivery *delivery, int64_t now, struct buf *why)
{
    struct desk *desk = loop->desk;
    const struct service *service = desk_service(desk, envelope->place);
    enum err err = ERR_NONE;
    if (delivery->outcome.unseen && !envelope->opened) {
        err = desk_missed(desk, envelope, REACH_UNSEEN, now, why);
    }
    if (service != NULL && envelope->letter.kind == LETTER_PRIVATE) {
        feeds_hasten(desk, service, envelope->letter.user, now);
    }
    if (err == ERR_NONE && envelope->letter.kind == LETTER_TRANSCRIPT) {
        err = desk_deal(desk, envelope->game, now, why);
    }
    if (err == ERR_NONE && envelope->letter.kind == LETTER_STATUS &&
        delivery->kind != ERRAND_EDIT && desk_pins(desk, envelope)) {
        err = pin(loop, envelope, why);
    }
    if (err == ERR_NONE && delivery->kind == ERRAND_OPEN) {
        err = desk_opened(desk, envelope, buf_text(&delivery->outcome.id),
                          buf_text(&delivery->outcome.cursor), now, why);
    }
    return err == ERR_NONE ? tell_again(loop, envelope, now, why) : err;
}

/* It is there: `at` is when it came there, as far as is known. */
static enum err
letter_delivered(struct loop *loop, struct envelope *envelope,
                 const struct delivery *delivery, int64_t now, struct buf *why)
{
    char game[TABLE_ID_MAX + 1];
    bool found = delivery->kind == ERRAND_FIND;
    bool call = envelope->letter.calls != 0 && envelope->delivered == 0;
    bool again =
        envelope->letter.kind == LETTER_STATUS && (envelope->changed || found);
    if (envelope->letter.kind != LETTER_STATUS && envelope->delivered == 0) {
        /* Nobody saw it before it was approved. */
        bool then = found && envelope->in_flight != 0 && envelope->queued == 0;
        envelope->delivered = then ? envelope->in_flight : now;
    }
    envelope->queued = 0;
    envelope->state = again ? ENVELOPE_WAITING : ENVELOPE_SENT;
    enum err err = store_save_envelope(loop->desk->store, envelope, why);
    envelope->changed = again;
    if (err == ERR_NONE && call && !is_asked_in_part(loop, envelope)) {
        err = desk_called(loop->desk, envelope, false, envelope->delivered, now,
                          why);
    }
    if (err == ERR_NONE) {
        err = after_delivery(loop, envelope, delivery, now, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    /* Its time may have been moved while nobody knew that it had arrived. */
    unsigned calls =
        desk_misnames(loop->desk, envelope, now) ? envelope->letter.calls : 0;
    (void)snprintf(game, sizeof game, "%s", envelope->game);
    outbox_done(&loop->desk->outbox, envelope->id);
    return calls == 0 ? ERR_NONE
                      : store_recall(loop->desk->store, game, calls,
                                     &loop->desk->outbox, why);
}

/* Does it lie there, and nobody sees it before it is approved?  What was queued
 * and is not found still is. */
static bool
is_queued(const struct envelope *envelope, const struct delivery *delivery,
          const struct service *service)
{
    bool lacks = delivery->kind == ERRAND_FIND && envelope->queued != 0 &&
                 delivery->outcome.id.len == 0;
    return service != NULL && service->adapter->traits.finds &&
           (delivery->outcome.queued || lacks);
}

/* It waits for a moderator, and is looked for now and then; another copy of it
 * would be approved, too. */
static enum err
letter_queued(struct loop *loop, struct envelope *envelope,
              const struct delivery *delivery, int64_t now, struct buf *why)
{
    unsigned number = place_number(loop, envelope);
    if (delivery->kind == ERRAND_SEND || delivery->outcome.id.len > 0) {
        (void)snprintf(envelope->sent, sizeof envelope->sent, "%s",
                       buf_text(&delivery->outcome.id));
    }
    if (envelope->queued == 0) {
        envelope->queued = now;
    }
    envelope->state = ENVELOPE_WAITING;
    envelope->doubtful = true;
    envelope->attempts = 0;
    envelope->trouble[0] = '\0';
    envelope->not_before =
        now +
        (now - envelope->queued < ALARM_AFTER ? MINUTE_MS : 5 * MINUTE_MS);
    enum err err = store_save_envelope(loop->desk->store, envelope, why);
    if (err != ERR_NONE || number == PLACES_MAX || loop->queued_told[number] ||
        desk_is_secret(loop->desk, envelope)) {
        return err;
    }
    loop->queued_told[number] = true;
    return desk_queued(loop->desk, envelope, now, why);
}

/* A moderator did not approve it: it is sent again, but not at once, for the
 * next copy will wait, too.  This is told where what is overdue is. */
static enum err
letter_rejected(struct loop *loop, struct envelope *envelope, int64_t now,
                struct buf *why)
{
    struct buf line = BUF_INIT;
    desk_describe(loop->desk, envelope, &line);
    log_line(LOG_LEVEL_WARNING,
             "%s: a moderator has not approved it; it is sent again in an "
             "hour, or at a start; let the host's account post without "
             "approval",
             buf_text(&line));
    buf_release(&line);
    envelope->queued = 0;
    envelope->sent[0] = '\0';
    envelope->doubtful = false;
    envelope->state = ENVELOPE_WAITING;
    envelope->attempts = 1;
    envelope->not_before = now + HOUR_MS;
    (void)snprintf(envelope->trouble, sizeof envelope->trouble,
                   "a moderator has not approved it");
    return store_save_envelope(loop->desk->store, envelope, why);
}

static enum err
letter_sent(struct loop *loop, struct envelope *envelope,
            const struct delivery *delivery, int64_t now, struct buf *why)
{
    const char *id = buf_text(&delivery->outcome.id);
    const struct service *service = desk_service(loop->desk, envelope->place);
    if (envelope->queued != 0 && delivery->outcome.rejected) {
        return letter_rejected(loop, envelope, now, why);
    }
    if (is_queued(envelope, delivery, service)) {
        return letter_queued(loop, envelope, delivery, now, why);
    }
    envelope->doubtful = false;
    if (delivery->kind == ERRAND_FIND && id[0] == '\0') {
        /* It never arrived: send it now. */
        envelope->state = ENVELOPE_WAITING;
        return ERR_NONE;
    }
    if (delivery->kind != ERRAND_EDIT) {
        (void)snprintf(envelope->sent, sizeof envelope->sent, "%s", id);
    }
    envelope->attempts = 0;
    envelope->trouble[0] = '\0';
    if (goes_on(loop, envelope, service, now)) {
        envelope->queued = 0;
        envelope->part++;
        envelope->state = ENVELOPE_WAITING;
        return store_save_envelope(loop->desk->store, envelope, why);
    }
    return letter_delivered(loop, envelope, delivery, now, why);
}

enum err
sender_take(struct loop *loop, const struct delivery *delivery, int64_t now,
            struct buf *why)
{
    struct envelope *envelope =
        outbox_find(&loop->desk->outbox, delivery->ticket);
    assert(envelope != NULL);
    if (delivery->err != ERR_NONE) {
        return letter_failed(loop, envelope, delivery, now, why);
    }
    struct service *service = desk_service(loop->desk, envelope->place);
    enum err err = loop_take_notes(loop, service, &delivery->outcome, why);
    if (err != ERR_NONE) {
        return err;
    }
    note_unpictured(loop, envelope, delivery, now);
    if (delivery->kind == ERRAND_TALK) {
        envelope->state = ENVELOPE_WAITING;
        envelope->opened = true;
        return desk_open_talk(loop->desk, service, envelope->letter.user,
                              buf_text(&delivery->outcome.id), why);
    }
    return letter_sent(loop, envelope, delivery, now, why);
}

/* ---- what waits ---------------------------------------------------------- */

/* Does a message wait for a right in its thread? */
static bool
waits_for_right(const struct envelope *envelope)
{
    enum letter_kind kind = envelope->letter.kind;
    return envelope->attempts > 0 && envelope->refused_at != 0 &&
           envelope->refused == REFUSED_RIGHT &&
           (kind == LETTER_POST || kind == LETTER_STATUS ||
            kind == LETTER_TRANSCRIPT || kind == LETTER_OPEN);
}

/* One probe of a place's thread asks for all that waits there. */
static enum err
probe(struct loop *loop, const struct envelope *envelope, int64_t now,
      struct buf *why)
{
    unsigned number = place_number(loop, envelope);
    const struct service *service = desk_service(loop->desk, envelope->place);
    if (number == PLACES_MAX || !loop_is_open(loop, service)) {
        return ERR_NONE;
    }
    struct asking *asking = &loop->rights[number];
    if (asking->next == 0) {
        asking->next = now + PROBE_FIRST;
    }
    if (asking->busy || asking->next > now) {
        return ERR_NONE;
    }
    struct errand errand = {.kind = ERRAND_PROBE, .place = envelope->thread};
    asking->busy = true;
    asking->next = now + MINUTE_MS;
    (void)snprintf(loop->refusing[number], sizeof loop->refusing[number], "%s",
                   envelope->thread);
    return loop_ask(loop, service, &errand, TICKET_RIGHT - (int64_t)number,
                    why);
}

void
sender_take_probe(struct loop *loop, const struct delivery *delivery)
{
    unsigned number = (unsigned)(TICKET_RIGHT - delivery->ticket);
    struct asking *asking = &loop->rights[number];
    bool may = delivery->err == ERR_NONE &&
               (delivery->outcome.rights & RIGHT_POST) != 0;
    bool came = may && !asking->done;
    asking->busy = false;
    /* A probe that does not see what is refused is no reason to try. */
    asking->done = may;
    for (size_t i = 0; came && i < loop->desk->outbox.count; i++) {
        struct envelope *envelope = loop->desk->outbox.list[i];
        if (waits_for_right(envelope) && envelope->state == ENVELOPE_WAITING &&
            place_number(loop, envelope) == number &&
            strcmp(envelope->thread, loop->refusing[number]) == 0) {
            envelope->not_before = 0;
        }
    }
}

/* Probe where rights are missing; places where none are begin anew. */
static enum err
probe_places(struct loop *loop, int64_t now, struct buf *why)
{
    bool lacking[PLACES_MAX] = {false};
    const struct outbox *outbox = &loop->desk->outbox;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < outbox->count; i++) {
        const struct envelope *envelope = outbox->list[i];
        unsigned number = place_number(loop, envelope);
        if (waits_for_right(envelope) && number < PLACES_MAX &&
            !lacking[number]) {
            lacking[number] = true;
            err = probe(loop, envelope, now, why);
        }
    }
    for (unsigned i = 0; i < PLACES_MAX; i++) {
        if (!lacking[i] && !loop->rights[i].busy) {
            loop->rights[i] = (struct asking){.next = 0};
        }
    }
    return err;
}

/* Is it time to tell that a message waits? */
static bool
is_overdue(const struct loop *loop, const struct envelope *envelope,
           int64_t now)
{
    switch (envelope->letter.kind) {
    case LETTER_REACT:
    case LETTER_DELETE:
    case LETTER_LOCK:
        return false;
    case LETTER_POST:
    case LETTER_PRIVATE:
    case LETTER_STATUS:
    case LETTER_TRANSCRIPT:
    case LETTER_OPEN:
        break;
    }
    return !envelope->alarmed && envelope->delivered == 0 &&
           envelope->attempts > 0 && envelope->game[0] != '\0' &&
           now - envelope->waiting >= ALARM_AFTER &&
           !desk_is_secret(loop->desk, envelope);
}

/* All that waits in that thread, or for that person, is told of. */
static enum err
mark_alarmed(struct loop *loop, const struct envelope *first, struct buf *why)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < loop->desk->outbox.count; i++) {
        struct envelope *other = loop->desk->outbox.list[i];
        bool private = first->letter.kind == LETTER_PRIVATE;
        bool same =
            (other->letter.kind == LETTER_PRIVATE) == private &&
            strcmp(other->place, first->place) == 0 &&
            (private ? strcmp(other->letter.user, first->letter.user) == 0
                     : strcmp(other->thread, first->thread) == 0);
        if (same && !other->alarmed) {
            other->alarmed = true;
            err = store_alarmed(loop->desk->store, other, why);
        }
    }
    return err;
}

/* Tell whoever runs the host of what has waited for ten minutes. */
static enum err
raise_alarm(struct loop *loop, int64_t now, struct buf *why)
{
    const struct outbox *outbox = &loop->desk->outbox;
    enum err err = ERR_NONE;
    for (size_t i = 0; err == ERR_NONE && i < outbox->count; i++) {
        struct envelope *envelope = outbox->list[i];
        if (is_overdue(loop, envelope, now)) {
            struct buf line = BUF_INIT;
            desk_describe(loop->desk, envelope, &line);
            if (envelope->trouble[0] != '\0') {
                buf_addf(&line, ": %s", envelope->trouble);
            }
            log_line(LOG_LEVEL_WARNING, "%s", buf_text(&line));
            err = mark_alarmed(loop, envelope, why);
            if (err == ERR_NONE) {
                err = desk_alarm(loop->desk, buf_text(&line), now, why);
            }
            buf_release(&line);
        }
    }
    return err;
}

/* Where nothing waits for approval any more, the next that does is told. */
static void
forget_queues(struct loop *loop)
{
    bool queued[PLACES_MAX + 1] = {false};
    for (size_t i = 0; i < loop->desk->outbox.count; i++) {
        const struct envelope *envelope = loop->desk->outbox.list[i];
        bool waits = envelope->queued != 0;
        queued[place_number(loop, envelope)] |= waits;
    }
    for (unsigned i = 0; i < PLACES_MAX; i++) {
        loop->queued_told[i] = loop->queued_told[i] && queued[i];
    }
}

enum err
sender_look_after(struct loop *loop, int64_t now, struct buf *why)
{
    forget_queues(loop);
    enum err err = probe_places(loop, now, why);
    return err == ERR_NONE ? raise_alarm(loop, now, why) : err;
}
