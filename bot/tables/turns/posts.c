#include <stdio.h>
#include <string.h>

#include "bot/base/log.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/conduct.h"
#include "bot/host/judge/press.h"
#include "bot/host/judge/reachability.h"
#include "bot/host/judge/referee.h"
#include "bot/host/judge/slash.h"
#include "bot/host/words/notice.h"
#include "bot/tables/delivery/calls.h"
#include "bot/tables/delivery/delivery.h"
#include "bot/tables/dms.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/tables_feeds.h"
#include "bot/tables/turns/deferred.h"
#include "bot/tables/turns/intake.h"
#include "bot/tables/turns/threads.h"
#include "bot/tables/turns/turns_inner.h"

/* A post on its way through the tables. */
struct intake {
    struct tables *tables;
    struct service *service;
    const struct post *post;
    struct rich rich;
    enum {
        READ_NOT_YET,
        READ_WELL,
        READ_IN_VAIN
    } read; /* rich was */
    int64_t now;
    struct buf verdict;             /* how it was read, as a line for people */
    unsigned signups;               /* as in struct host_env */
    char on_hold[TABLE_ID_MAX + 1]; /* the same; "": none */
    int64_t fingerprint; /* of what it says (store.h); 0: it is not kept */
    bool aside;          /* as in struct input */
    bool edited;         /* it is an edit: it changes nothing */
    bool moved;          /* as in struct input */
    bool elsewhere;      /* a slash command where no games are hosted */
};

/* How a post was read that stood in no running game's thread.  It is kept where
 * it may be moved into one. */
#define AT_NO_TABLE "at no table"

static void
hear_press(struct intake *intake, struct ruling *ruling,
           const struct input *input)
{
    struct buf next_id = BUF_INIT;
    if (intake->elsewhere) {
        slash_elsewhere(ruling, input);
        return;
    }
    if (press_is_command(intake->post)) {
        buf_add_number(&next_id, intake->tables->games + 1);
        slash_judge(ruling, input, buf_text(&next_id));
        buf_release(&next_id);
    } else {
        press_judge(ruling, input);
    }
    signup_name(ruling, input);
    notice_write(ruling);
}

/* Is a post in the place of a game that has a thread of its own?  Then it only
 * takes a seat: whatever else it says was not said at the table. */
static bool
is_beside(const struct intake *intake, const struct table *table)
{
    return !intake->post->dm && table->state == TABLE_RUNNING &&
           table->home[0] != '\0' &&
           strcmp(intake->post->place, table->home) == 0;
}

static void
hear(struct intake *intake, struct ruling *ruling, struct input *input)
{
    struct buf next_id = BUF_INIT;
    bool answered = false;
    if (intake->edited) {
        conduct_edited(ruling, input);
        return;
    }
    if (intake->post->kind == POST_PRESSED) {
        hear_press(intake, ruling, input);
        return;
    }
    buf_add_number(&next_id, intake->tables->games + 1);
    input->ordered =
        !intake->moved && chat_commands_run(ruling, input, buf_text(&next_id));
    if (input->ordered) {
        buf_add_text(&intake->verdict, "a command");
    }
    if (!intake->aside) {
        signup_greet(ruling, input, buf_text(&next_id));
    }
    buf_release(&next_id);
    if (intake->aside || is_beside(intake, ruling->table)) {
        referee_show_way(ruling, input);
        notice_write(ruling);
        return;
    }
    if (ruling->table->state == TABLE_CHECK && ruling->row_count == 0) {
        buf_clear(&intake->verdict);
        (void)signup_take(ruling, input, &intake->verdict);
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0) {
        buf_clear(&intake->verdict);
        answered =
            referee_judge(ruling, input, &intake->verdict) != HEARD_NOTHING;
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0 &&
        !intake->moved) { /* there everybody may speak */
        conduct_watch(ruling, input, answered);
    }
    signup_hint(ruling, input);
    signup_name(ruling, input);
    notice_write(ruling);
}

/* Judge a post at a table.  `table` may be a blank one (hosted: NULL), or one
 * whose game is over, which a command fills. */
static void
judge(struct intake *intake, struct hosted_table *hosted, struct table *table,
      struct hosted_place *place)
{
    struct tables *tables = intake->tables;
    struct ruling ruling;
    struct host_env env =
        tables_env_for(tables, place, &table->settings, intake->now);
    struct input input = {intake->post, &intake->rich, false, intake->aside,
                          intake->moved};
    char before[TABLE_ID_MAX + 1];
    env.signups = intake->signups;
    env.opens_too_many = flood_stops_opening(&tables->flood, intake->service,
                                             intake->post->author, intake->now);
    env.on_hold = intake->on_hold[0] == '\0' ? NULL : intake->on_hold;
    (void)snprintf(before, sizeof before, "%s", table->id);
    ruling_init(&ruling, &env, table);
    ruling.cause = intake->post->id;
    ruling.pressed = intake->post->kind == POST_PRESSED;
    hear(intake, &ruling, &input);
    flood_limit(&tables->flood, &tables->outbox, &ruling, &input);
    replies_take(&tables->replies, intake->post, &ruling,
                 strcmp(before, table->id) != 0, false);
    if (hosted != NULL && table->state == TABLE_OVER && table->game.round > 0 &&
        tables_feeds_is_gone(tables, hosted)) {
        reach_ended_unseen(&ruling, intake->post->author);
    }
    if (hosted != NULL) {
        hosted_note(tables, hosted);
    }
    rule_save(tables, &ruling);
    if (strcmp(before, table->id) != 0) {
        tables->games++;
        flood_opened(&tables->flood, intake->service, intake->post->author,
                     intake->now);
    }
    if (hosted == NULL && table->id[0] != '\0') {
        hosted_add(tables, table);
    }
}

/* The same at a table that is there. */
static void
judge_at(struct intake *intake, struct hosted_table *hosted)
{
    judge(intake, hosted, &hosted->table, hosted->place);
}

/* A thread has no table: take the place of the game that had it last, unless
 * the thread is a place's itself (NULL: none had it).  A game that is not over
 * and has no table is on hold. */
static void
look_back(struct intake *intake, struct hosted_place **place)
{
    struct tables *tables = intake->tables;
    struct store_game game;
    if (!store_game_of(tables->store, intake->post->place, &game) ||
        places_service(&tables->places, game.place) != intake->service) {
        return;
    }
    if (*place == NULL) {
        *place = places_find(&tables->places, game.place);
    }
    if (!game.over && hosted_named(tables, game.id) == NULL) {
        (void)snprintf(intake->on_hold, sizeof intake->on_hold, "%s", game.id);
    }
}

/* Any place of the service, in whose words somebody is answered; NULL: none. */
static struct hosted_place *
some_place(const struct intake *intake)
{
    const struct places *places = &intake->tables->places;
    for (unsigned i = 0; i < places->count; i++) {
        if (places->list[i]->service == intake->service) {
            return places->list[i];
        }
    }
    return NULL;
}

/* The table of that id, if it is for what is posted where the post stands, or
 * for what its author says in private; NULL: it is not. */
static struct hosted_table *
hosted_at(const struct intake *intake, const char *id)
{
    const struct post *post = intake->post;
    struct hosted_table *hosted = hosted_named(intake->tables, id);
    if (hosted == NULL || hosted->service != intake->service) {
        return NULL;
    }
    bool here = post->dm ? table_seat(&hosted->table, post->author) != NO_SEAT
                         : hosted_is_for(hosted, post->place);
    return here ? hosted : NULL;
}

/* The table whose post in the place is answered, if it takes people there; or
 * NULL. */
static struct hosted_table *
find_answered(const struct intake *intake)
{
    const struct post *post = intake->post;
    struct buf game = BUF_INIT;
    if (post->reply_to[0] != '\0') {
        store_game_of_post(intake->tables->store, post->place, post->reply_to,
                           &game);
    }
    struct hosted_table *hosted = hosted_at(intake, buf_text(&game));
    buf_release(&game);
    return hosted;
}

/* Where games have their own threads, people may also sign up in the place, or
 * take the seat that is offered there. */
static struct hosted_table *
find_in_place(struct intake *intake, struct hosted_place *place)
{
    struct tables *tables = intake->tables;
    const struct post *post = intake->post;
    struct host_env env =
        tables_env_for(tables, place, &place->conf->settings, intake->now);
    enum called_for called = post->kind == POST_PRESSED
                                 ? slash_call(post)
                                 : chat_commands_call(&env, &intake->rich);
    struct hosted_table *found = hosted_taking(
        tables, intake->service, post->place, true, &intake->signups);
    if (called == CALLED_SEAT && intake->signups == 0) {
        found = hosted_taking(tables, intake->service, post->place, false,
                              &intake->signups);
    }
    if (intake->signups != 1 || called == CALLED_TABLE) {
        found = NULL;
    }
    struct hosted_table *answered =
        called == CALLED_SEAT ? find_answered(intake) : NULL;
    return answered != NULL ? answered : found;
}

/* The table that a post in a thread is for, or which the button that was
 * pressed names, if it takes presses there; NULL: none. */
static struct hosted_table *
find_table(struct intake *intake, struct hosted_place *place)
{
    const struct post *post = intake->post;
    struct press press;
    if (post->kind == POST_PRESSED && !press_is_command(post)) {
        return press_read(post->body, &press) ? hosted_at(intake, press.table)
                                              : NULL;
    }
    struct hosted_table *hosted =
        hosted_of_thread(intake->tables, intake->service, post->place);
    return hosted != NULL || place == NULL ? hosted
                                           : find_in_place(intake, place);
}

/* Where nothing is hosted whoever gives a command is answered in their own
 * language, if there is such a catalogue. */
static void
take_language(struct intake *intake, struct settings *settings)
{
    const char *language = intake->post->language;
    const struct catalogue *own = NULL;
    struct buf why = BUF_INIT;
    if (intake->elsewhere && language != NULL && language[0] != '\0' &&
        catalogues_open(intake->tables->catalogues, language, settings->theme,
                        &own, &why) == ERR_NONE) {
        (void)snprintf(settings->language, sizeof settings->language, "%s",
                       language);
    }
    buf_release(&why);
}

/* Judge a post, or a press, where there is no table, in the words of a place
 * (NULL: of none, so it is not ours to judge). */
static void
judge_at_none(struct intake *intake, struct hosted_place *place,
              const char *thread)
{
    struct table blank;
    if (place == NULL) {
        return;
    }
    table_blank(&blank, &place->conf->settings, place->id, thread);
    take_language(intake, &blank.settings);
    judge(intake, NULL, &blank, place);
    table_release(&blank);
}

struct hosted_place *
posts_place(struct tables *tables, const struct service *service,
            const char *thread)
{
    struct hosted_place *place =
        places_at(&tables->places, service, PLACE_THREAD, thread);
    size_t at = 0;
    const struct hosted_table *hosted =
        place == NULL ? hosted_next_in_thread(tables, service, thread, &at)
                      : NULL;
    return hosted == NULL ? place : hosted->place;
}

/* Whoever presses an old button, or gives a slash command where nothing is
 * hosted, is answered in the words of any place. */
static void
judge_in_thread(struct intake *intake)
{
    const struct post *post = intake->post;
    struct hosted_place *place =
        posts_place(intake->tables, intake->service, intake->post->place);
    struct hosted_table *hosted = find_table(intake, place);
    if (hosted != NULL) {
        judge_at(intake, hosted);
        return;
    }
    look_back(intake, &place);
    if (place == NULL && post->kind == POST_PRESSED) {
        intake->elsewhere = press_is_command(post);
        place = some_place(intake);
    }
    judge_at_none(intake, place, post->place);
}

/* Judge a post in a thread.  One of which no verdict comes was at no table: one
 * of its author's may have been opened there, and await that in its own
 * thread. */
static void
judge_in_public(struct intake *intake)
{
    const struct post *post = intake->post;
    struct hosted_table *hosted = NULL;
    size_t at = 0;
    judge_in_thread(intake);
    if (intake->edited || intake->verdict.len > 0) {
        return;
    }
    if (intake->service->adapter->capabilities.merges) {
        buf_add_text(&intake->verdict, AT_NO_TABLE);
    }
    do {
        hosted = hosted_next_of_user(intake->tables, intake->service,
                                     post->author, &at);
    } while (hosted != NULL &&
             (strcmp(hosted->table.home, post->place) != 0 ||
              !seat_in(table_seat(&hosted->table, post->author),
                       table_awaited(&hosted->table))));
    if (hosted != NULL) {
        judge_at(intake, hosted);
    }
}

static void
ask_which(struct intake *intake, struct hosted_table *hosted)
{
    struct tables *tables = intake->tables;
    struct rule rule;
    rule_begin(tables, hosted, intake->now, &rule);
    dms_ask_which(tables, intake->service, &rule.ruling, intake->post->author);
    buf_add_text(&intake->verdict, "of which game it is was not told");
    rule_end(tables, &rule);
}

/* A moderator has answered somebody's question. */
static void
pass_on(struct intake *intake, struct hosted_table *hosted, const char *asker)
{
    struct tables *tables = intake->tables;
    struct input input = {.post = intake->post, .rich = &intake->rich};
    struct rule rule;
    rule_begin(tables, hosted, intake->now, &rule);
    chat_commands_pass_on(&rule.ruling, &input, asker,
                          buf_text(&intake->rich.text));
    rule_end(tables, &rule);
}

/* The table of a place where people may join, or NULL. */
static struct hosted_table *
open_table_of(const struct intake *intake, const char *thread)
{
    const struct tables *tables = intake->tables;
    unsigned count = 0;
    struct hosted_table *hosted =
        hosted_of_thread(tables, intake->service, thread);
    if (hosted == NULL) {
        hosted = hosted_taking(tables, intake->service, thread, true, &count);
    }
    return hosted != NULL && hosted->table.state == TABLE_SIGNUP ? hosted
                                                                 : NULL;
}

/* Somebody writes in private who is at no table: judge it at one that is open,
 * else as in the first place of the service that was found. */
static void
judge_stranger(struct intake *intake)
{
    struct tables *tables = intake->tables;
    struct hosted_place *first = NULL;
    for (unsigned i = 0; i < tables->places.count; i++) {
        struct hosted_place *place = tables->places.list[i];
        const char *thread = place->ids[PLACE_THREAD];
        if (thread[0] == '\0' || place->service != intake->service) {
            continue;
        }
        struct hosted_table *hosted = open_table_of(intake, thread);
        if (hosted != NULL) {
            judge_at(intake, hosted);
            return;
        }
        first = first == NULL ? place : first;
    }
    judge_at_none(intake, first, first == NULL ? "" : first->ids[PLACE_THREAD]);
}

static void
judge_in_dm(struct intake *intake)
{
    struct buf asker = BUF_INIT;
    bool unclear = false;
    struct hosted_table *hosted = dms_find_asker(
        intake->tables, intake->service, intake->post, &intake->rich, &asker);
    if (hosted != NULL) {
        pass_on(intake, hosted, buf_text(&asker));
        buf_release(&asker);
        return;
    }
    buf_release(&asker);
    hosted = dms_table_of_post(intake->tables, intake->service, intake->post,
                               &intake->rich, &unclear);
    const struct post *post = intake->post;
    if (hosted == NULL && post->dm &&
        places_at(&intake->tables->places, intake->service, PLACE_MODERATORS,
                  post->place) == NULL) {
        judge_stranger(intake);
    } else if (hosted != NULL && unclear) {
        ask_which(intake, hosted);
    } else if (hosted != NULL) {
        judge_at(intake, hosted);
    }
}

/* Read what a post says, once; false: it can't be read at all. */
static bool
read_rich(struct intake *intake)
{
    const struct post *post = intake->post;
    bool unread = false;
    if (intake->read == READ_NOT_YET) {
        post_read(intake->service, post, &intake->rich, &unread);
        members_read_mentions(&intake->tables->members, intake->service,
                              &intake->rich);
        intake->read = unread ? READ_IN_VAIN : READ_WELL;
    }
    return intake->read == READ_WELL;
}

static void
judge_post(struct intake *intake)
{
    const struct post *post = intake->post;
    if (post->kind == POST_PRESSED) {
        buf_add_text(&intake->verdict, press_is_command(post)
                                           ? "a slash command was given"
                                           : "a button was pressed");
        judge_in_thread(intake);
        return;
    }
    if (!read_rich(intake)) {
        buf_add_text(&intake->verdict, "R0: can't be read at all");
        log_about(LOG_LEVEL_WARNING,
                  &(struct log_subject){.service = intake->service->name},
                  "%s: post %s can't be read", intake->service->name, post->id);
        return;
    }
    intake->aside =
        !post->dm &&
        places_at(&intake->tables->places, intake->service, PLACE_MODERATORS,
                  post->place) != NULL &&
        hosted_of_thread(intake->tables, intake->service, post->place) == NULL;
    if (post->dm || intake->aside) {
        judge_in_dm(intake);
    } else {
        judge_in_public(intake);
    }
}

static void
intake_release(struct intake *intake)
{
    rich_wipe(&intake->rich);
    buf_release(&intake->verdict);
}

/* Judge a post that was seen, and save how it was read. */
static void
judge_seen(struct intake *intake)
{
    judge_post(intake);
    if (intake->verdict.len > 0) {
        (void)store_see(intake->tables->store, intake->service->name,
                        intake->post, 0, buf_text(&intake->verdict));
    }
}

/* Was a post read in another place, from which it was moved here?  It is judged
 * here if it was read once and nothing was done with it. */
static bool
look_elsewhere(struct intake *intake)
{
    static const char *const idle[] = {AT_NO_TABLE, REFEREE_NO_PLAYER,
                                       REFEREE_NOT_AWAITED};
    struct read_post before;
    unsigned count = 0;
    if (!intake->post->dm && intake->service->adapter->capabilities.merges) {
        count =
            store_find_elsewhere(intake->tables->store, intake->service->name,
                                 intake->post, &before);
    }
    for (size_t i = 0; count == 1 && i < sizeof idle / sizeof idle[0]; i++) {
        intake->moved = intake->moved || strcmp(before.verdict, idle[i]) == 0;
    }
    return count > 0;
}

void
posts_judge(struct tables *tables, struct service *service,
            const struct post *post, int64_t now)
{
    struct intake intake = {
        .tables = tables, .service = service, .post = post, .now = now};
    (void)look_elsewhere(&intake);
    judge_seen(&intake);
    intake_release(&intake);
}

/* Did somebody write it whose words are kept from us?  That also holds if it
 * was deleted before it was ever read. */
static bool
is_unread(const struct post *post)
{
    return post->kind == POST_SEALED || post->kind == POST_HIDDEN ||
           (post->kind == POST_DELETED && post->author[0] != '\0');
}

/* What nobody wrote, or a machine did, does not count; and we are a machine. */
bool
posts_is_own(const struct post *post)
{
    return (post->kind != POST_WRITTEN && post->kind != POST_PRESSED &&
            !is_unread(post)) ||
           post->own || post->machine;
}

struct hosted_table *
posts_hosted(struct tables *tables, const struct service *service,
             const struct post *post)
{
    return post->dm ? dms_table(tables, service, post->author)
                    : hosted_of_thread(tables, service, post->place);
}

/* Is it an edit of something written before our time?  Old posts are not
 * read. */
static bool
is_old(const struct service *service, const struct post *post)
{
    return post->edited != 0 && service->adapter->capabilities.edits_follow;
}

bool
posts_is_watched(const struct tables *tables, const struct service *service,
                 const struct post *post)
{
    const struct hosted_table *hosted = hosted_of_post(tables, service, post);
    return hosted != NULL && hosted->table.state == TABLE_RUNNING &&
           post->kind == POST_WRITTEN;
}

static bool
is_watched(const struct intake *intake)
{
    return posts_is_watched(intake->tables, intake->service, intake->post);
}

static void
take_fingerprint(struct intake *intake)
{
    struct buf words = BUF_INIT;
    if (is_watched(intake) && read_rich(intake)) {
        intent_words(&intake->rich, &words);
        intake->fingerprint = store_fingerprint(
            intake->tables->store, intake->service->name, intake->post, &words);
    }
    buf_release(&words);
}

/* Was a post read before?  In a running game's thread, does it say something
 * else than then?  If what it said was not saved, its service's mark must
 * tell. */
static bool
look(struct intake *intake)
{
    enum wording before = WORDING_UNKNOWN;
    take_fingerprint(intake);
    bool again = store_look(intake->tables->store, intake->service->name,
                            intake->post, intake->fingerprint, &before);
    intake->edited = is_watched(intake) && again &&
                     (before == WORDING_OTHER ||
                      (before == WORDING_UNKNOWN && intake->post->edited != 0));
    return again;
}

/* Save that a post was read for the first time, and how.  Once its game is over
 * what it says is not kept (store_forget_readings). */
static void
see(struct intake *intake)
{
    (void)store_see(intake->tables->store, intake->service->name, intake->post,
                    is_watched(intake) ? intake->fingerprint : 0,
                    buf_text(&intake->verdict));
}

/* A post in the thread of a running game was read before, and says something
 * else now: it is looked at once, whether its service marks edits or not.  If
 * it could not be judged yet, nobody has been told whether its author has
 * voted. */
static void
look_at_edit(struct intake *intake)
{
    if (!store_is_deferred(intake->tables->store, intake->service->name,
                           intake->post->id)) {
        judge_post(intake);
    }
}

/* A reaction is no act, but somebody who must keep silent is warned.  It waits
 * for no other post. */
static void
take_reaction(struct tables *tables, struct service *service,
              const struct post *post, int64_t now)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    if (hosted != NULL && conduct_forbid(&hosted->table, post) &&
        !store_see(tables->store, service->name, post, 0, "")) {
        rule_say(tables, hosted, post, conduct_reacted, now);
    }
}

/* Some posts of no person matter all the same. */
static void
take_event(struct tables *tables, struct service *service,
           const struct post *post, int64_t now)
{
    if (post->kind == POST_REACTED) {
        take_reaction(tables, service, post, now);
        return;
    }
    if (post->kind == POST_DELETED && !post->dm) {
        calls_deleted(tables, service, post);
        return;
    }
    if (post->kind == POST_ENCRYPTED) {
        threads_encrypt(tables, service, post, now);
        return;
    }
    if (post->own && post->kind == POST_WRITTEN && !post->dm) {
        delivery_compare(tables, service, post, now);
        return;
    }
    bool came = post->kind == POST_CAME && !post->machine;
    bool left = post->kind == POST_LEFT && post->dm;
    if (!post->own && (came || left)) {
        presence_note(tables, service, post, now);
    }
}

/* Does a post in a thread give a command there, other than one that is an
 * answer?  It matters only where posts come in disorder. */
static bool
gives_command(struct intake *intake)
{
    const struct service *service = intake->service;
    const struct post *post = intake->post;
    if (post->kind == POST_PRESSED) {
        return press_is_command(post) && !slash_is_answer(post);
    }
    const struct hosted_table *hosted =
        hosted_of_post(intake->tables, service, post);
    return service->adapter->capabilities.disorder > 0 &&
           post->kind == POST_WRITTEN && hosted != NULL && read_rich(intake) &&
           hosted_has_command(hosted, &intake->rich);
}

/* Do others read what was to be private?  Where moderators talk they may. */
static bool
is_in_company(const struct intake *intake)
{
    const struct post *post = intake->post;
    return post->company && places_at(&intake->tables->places, intake->service,
                                      PLACE_MODERATORS, post->place) == NULL;
}

/* Tell whoever has pressed something, in the words of its table. */
static void
tell_presser(struct intake *intake, struct hosted_table *hosted,
             const char *key, bool noted)
{
    const struct post *post = intake->post;
    struct rule rule;
    rule_begin(intake->tables, hosted, intake->now, &rule);
    rule.ruling.pressed = true;
    press_answer(&rule.ruling, post, key);
    replies_take(&intake->tables->replies, post, &rule.ruling, false, noted);
    ruling_release(&rule.ruling);
}

/* A press that waits for its turn: tell its author so. */
static void
note_press(struct intake *intake)
{
    struct hosted_table *hosted =
        intake->post->kind == POST_PRESSED
            ? find_table(intake, posts_place(intake->tables, intake->service,
                                             intake->post->place))
            : NULL;
    if (hosted != NULL) {
        tell_presser(intake, hosted, "press_noted", true);
    }
}

void
intake_lose_press(struct tables *tables, struct service *service,
                  const struct post *post, int64_t now)
{
    struct intake intake = {
        .tables = tables, .service = service, .post = post, .now = now};
    struct hosted_place *place = some_place(&intake);
    struct hosted_table hosted = {.place = place};
    struct hosted_table *there = hosted_of_thread(tables, service, post->place);
    if (there != NULL) {
        tell_presser(&intake, there, "press_lost", false);
    } else if (place != NULL) {
        table_blank(&hosted.table, &place->conf->settings, place->id,
                    post->place);
        tell_presser(&intake, &hosted, "press_lost", false);
        table_release(&hosted.table);
    }
}

/* A post is seen for the first time. */
static void
take_new(struct intake *intake)
{
    struct tables *tables = intake->tables;
    struct service *service = intake->service;
    const struct post *post = intake->post;
    struct deferred_post deferred;
    if (is_unread(post) || is_in_company(intake)) {
        struct hosted_table *hosted = posts_hosted(tables, service, post);
        if (hosted != NULL) {
            rule_say(tables, hosted, post, reach_sealed, intake->now);
        }
        return;
    }
    if (pending_approved(tables, service, post, intake->now)) {
        return;
    }
    deferred_describe(service, post, &deferred);
    deferred.command = gives_command(intake);
    bool at_once = post->kind == POST_PRESSED && !press_waits(post);
    if (at_once || deferred_is_due(tables, &deferred)) {
        judge_post(intake);
        return;
    }
    note_press(intake);
    deferred_add(tables, &deferred, post);
}

/* A post is seen that was not seen before.  If it was moved here, it counts
 * only if nothing was done with it before. */
static void
see_new(struct intake *intake)
{
    bool elsewhere = look_elsewhere(intake);
    presence_note(intake->tables, intake->service, intake->post, intake->now);
    if (elsewhere && !intake->moved) {
        buf_add_text(&intake->verdict, "moved here");
    } else if (!is_old(intake->service, intake->post)) {
        take_new(intake);
    }
    see(intake);
}

void
posts_take(struct tables *tables, struct service *service,
           const struct post *post, int64_t now)
{
    struct intake intake = {
        .tables = tables, .service = service, .post = post, .now = now};
    if (posts_is_own(post)) {
        take_event(tables, service, post, now);
        return;
    }
    if (post->pending) {
        pending_take(tables, service, post, now);
        return;
    }
    if (!look(&intake)) {
        see_new(&intake);
    } else if (intake.edited) {
        look_at_edit(&intake);
    }
    intake_release(&intake);
}
