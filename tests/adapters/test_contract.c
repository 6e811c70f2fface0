/*
 * The contract: the same cases against every adapter, each with a simulation of
 * its service.  To add an adapter, add its simulation and a row to the table.
 *
 * The cases know services by the interface alone.  Posts are plain words, which
 * every dialect leaves as they are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"
#include "adapters/doorbell.h"
#include "bot/base/civil.h"
#include "tests/support/effort.h"
#include "tests/support/fake_discord.h"
#include "tests/support/fake_discourse.h"
#include "tests/support/fake_matrix.h"
#include "tests/support/fake_nodebb.h"
#include "tests/support/fake_phpbb.h"
#include "tests/support/fake_presses.h"
#include "tests/support/recordings.h"
#include "tests/support/runner.h"

enum {
    CONTRACT_OPS = OP_ROLES + 1,
    SEEN_MAX = 512,
};

/* A simulated service. */
struct simulation {
    const char *adapter; /* its name in the registry */
    const char *base;    /* of the service's URLs */
    const char *address; /* of the thread, as the operator writes it */
    int posts;           /* more than come in one page */
    void *(*start)(const char *folder);
    void (*stop)(void *state, const char *folder);
    /* Answer a request as the service would at a time. */
    void (*serve)(void *state, int64_t now, const struct request *request,
                  struct buf *body, struct reply *reply);
    /* Somebody posts, in the thread or to the host in private. */
    void (*post)(void *state, const char *user, bool in_private,
                 const char *text, int64_t now);
    const char *anna;     /* the id of "Anna" */
    const char *password; /* of the bot, where it has to log in */
    /* Somebody edits a post, without a mark where that is possible there; NULL:
     * an edit comes by itself. */
    void (*change)(void *state, const char *id, const char *text, int64_t now);
    /* A user reacts to a post in the thread; NULL: nobody is told of that. */
    void (*react)(void *state, const char *user, const char *post, int64_t now);
    bool tells_dms; /* post.dm is set */
    bool hides_own; /* what the bot writes in a DM is not in its feed */
    bool lists;     /* the latest of the bot's own posts can be asked for */
    /* A user presses the button of that label in the thread, or ("") types
     * "/nominate" there: append what the doorbell hears.  NULL: nobody can. */
    void (*press)(void *state, const char *user, const char *label, int64_t now,
                  struct buf *heard);
};

/* ---- the board ----------------------------------------------------------- */

static void *
board_start(const char *folder)
{
    char path[64];
    struct buf why = BUF_INIT;
    struct board *board;

    snprintf(path, sizeof(path), "%s/board.db", folder);
    ck_assert_int_eq(board_open(path, true, &board, &why), ERR_NONE);
    return board;
}

static void
board_stop(void *state, const char *folder)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char path[64];

    board_close(state);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        snprintf(path, sizeof(path), "%s/board.db%s", folder, ends[i]);
        (void)unlink(path);
    }
}

static void
board_answer(void *state, int64_t now, const struct request *request,
             struct buf *body, struct reply *reply)
{
    board_serve(state, BOARD_HOST, now, request, body, reply);
}

static void
board_post_as(void *state, const char *user, bool in_private, const char *text,
              int64_t now)
{
    struct buf why = BUF_INIT;

    ck_assert_int_eq(
        board_write(state, user, in_private, text, NULL, now, NULL, &why),
        ERR_NONE);
}

/* ---- a Matrix homeserver ------------------------------------------------- */

static void *
matrix_start(const char *folder)
{
    (void)folder;
    return homeserver_new();
}

static void
matrix_stop(void *state, const char *folder)
{
    (void)folder;
    homeserver_free(state);
}

static void
matrix_answer(void *state, int64_t now, const struct request *request,
              struct buf *body, struct reply *reply)
{
    homeserver_serve(state, now, request, body, reply);
}

static void
matrix_post_as(void *state, const char *user, bool in_private, const char *text,
               int64_t now)
{
    homeserver_post(state, user, in_private, text, now);
}

static void
matrix_react_as(void *state, const char *user, const char *post, int64_t now)
{
    homeserver_react(state, user, post, now);
}

/* ---- a Discourse forum --------------------------------------------------- */

static void *
discourse_start(const char *folder)
{
    (void)folder;
    return discourse_new();
}

static void
discourse_stop(void *state, const char *folder)
{
    (void)folder;
    discourse_free(state);
}

static void
discourse_answer(void *state, int64_t now, const struct request *request,
                 struct buf *body, struct reply *reply)
{
    discourse_serve(state, now, request, body, reply);
}

static void
discourse_post_as(void *state, const char *user, bool in_private,
                  const char *text, int64_t now)
{
    (void)discourse_post(state, user, in_private, text, now);
}

static void
discourse_edit_as(void *state, const char *id, const char *text, int64_t now)
{
    discourse_change(state, strtoll(id, NULL, 10), text, false, now);
}

/* ---- a NodeBB forum ------------------------------------------------------ */

static void *
nodebb_start(const char *folder)
{
    (void)folder;
    return nodebb_new();
}

static void
nodebb_stop(void *state, const char *folder)
{
    (void)folder;
    nodebb_free(state);
}

static void
nodebb_answer(void *state, int64_t now, const struct request *request,
              struct buf *body, struct reply *reply)
{
    nodebb_serve(state, now, request, body, reply);
}

static void
nodebb_post_as(void *state, const char *user, bool in_private, const char *text,
               int64_t now)
{
    (void)nodebb_post(state, user, in_private, text, now);
}

static void
nodebb_edit_as(void *state, const char *id, const char *text, int64_t now)
{
    nodebb_change(state, strtoll(id, NULL, 10), text, now);
}

/* ---- Discord, and servers that are like it ------------------------------- */

struct guild {
    struct fake_discord *discord;
    struct fake_presses *presses;
};

static struct guild *
guild_new(void)
{
    struct guild *guild = calloc(1, sizeof(*guild));

    ck_assert_ptr_nonnull(guild);
    guild->discord = fake_discord_new();
    guild->presses = fake_presses_new(guild->discord);
    return guild;
}

static void *
discord_start(const char *folder)
{
    (void)folder;
    return guild_new();
}

/* All that differs elsewhere at once. */
static void *
compatible_start(const char *folder)
{
    struct guild *guild = guild_new();

    (void)folder;
    *fake_discord_habits(guild->discord) = (struct fake_discord_habits){
        .ascending = true,
        .spacebar = true,
        .nulls = true,
        .no_lists = true,
        .no_described = true,

        .may = fake_discord_habits(guild->discord)->may,
    };
    return guild;
}

/* The rest of what does. */
static void *
odd_start(const char *folder)
{
    struct guild *guild = guild_new();

    (void)folder;
    *fake_discord_habits(guild->discord) = (struct fake_discord_habits){
        .newest_after = true,
        .strict = true,
        .many_threads = true,
        .no_files = true,
        .no_roles = true,
        .counted = true,
        .may = fake_discord_habits(guild->discord)->may,
    };
    return guild;
}

static void
discord_stop(void *state, const char *folder)
{
    struct guild *guild = state;

    (void)folder;
    fake_presses_free(guild->presses);
    fake_discord_free(guild->discord);
    free(guild);
}

/* No recording has an interaction: what answers it is as documented. */
static bool
is_recorded(const char *url)
{
    return strstr(url, "/interactions/") == NULL &&
           strstr(url, "/webhooks/") == NULL &&
           strstr(url, "/commands") == NULL;
}

static void
discord_answer(void *state, int64_t now, const struct request *request,
               struct buf *body, struct reply *reply)
{
    struct guild *guild = state;

    fake_discord_habits(guild->discord)->unheld =
        !is_recorded(buf_text(&request->url));
    fake_discord_serve(guild->discord, now, request, body, reply);
}

static void
discord_post_as(void *state, const char *user, bool in_private,
                const char *text, int64_t now)
{
    struct guild *guild = state;

    (void)fake_discord_post(guild->discord, user,
                            in_private ? 0 : strtoull(GUILD_CHANNEL, NULL, 10),
                            text, now);
}

static void
discord_edit_as(void *state, const char *id, const char *text, int64_t now)
{
    struct guild *guild = state;

    fake_discord_edit(guild->discord, strtoull(id, NULL, 10), text, now);
}

static void
discord_press_as(void *state, const char *user, const char *label, int64_t now,
                 struct buf *heard)
{
    struct guild *guild = state;
    uint64_t channel = strtoull(GUILD_CHANNEL, NULL, 10);

    buf_add_text(heard,
                 "{\"op\":0,\"t\":\"INTERACTION_CREATE\",\"s\":7,\"d\":");
    ck_assert_ptr_nonnull(
        *label == '\0' ? fake_presses_type(guild->presses, user, channel,
                                           "nominate", "player", now, heard)
                       : fake_presses_press(guild->presses, user, channel,
                                            label, now, heard));
    buf_add_char(heard, '}');
}

/* ---- a phpBB board ------------------------------------------------------- */

static void *
phpbb_start(const char *folder)
{
    (void)folder;
    return phpbb_new();
}

static void
phpbb_stop(void *state, const char *folder)
{
    (void)folder;
    phpbb_free(state);
}

static void
phpbb_answer(void *state, int64_t now, const struct request *request,
             struct buf *body, struct reply *reply)
{
    phpbb_serve(state, now, request, body, reply);
}

static void
phpbb_post_as(void *state, const char *user, bool in_private, const char *text,
              int64_t now)
{
    (void)phpbb_write_as(state, user, in_private, text, now);
}

static void
phpbb_edit_as(void *state, const char *id, const char *text, int64_t now)
{
    phpbb_change(state, strtoll(id, NULL, 10), text, false, now);
}

/* ---- the table ----------------------------------------------------------- */

static const struct simulation simulations[] = {
    {"board", "board:", "discord_thread", 250, board_start, board_stop,
     board_answer, board_post_as, "Anna", NULL, NULL, NULL, true, false, false,
     NULL},
    {"matrix", HOMESERVER_BASE, HOMESERVER_ROOM, 250, matrix_start, matrix_stop,
     matrix_answer, matrix_post_as, "Anna", NULL, NULL, matrix_react_as, false,
     false, false, NULL},
    {"discourse", DISCOURSE_BASE, DISCOURSE_TOPIC, 250, discourse_start,
     discourse_stop, discourse_answer, discourse_post_as, "Anna", NULL,
     discourse_edit_as, NULL, true, false, true, NULL},
    {"nodebb", NODEBB_BASE, NODEBB_TOPIC, 250, nodebb_start, nodebb_stop,
     nodebb_answer, nodebb_post_as, "Anna", NULL, nodebb_edit_as, NULL, true,
     false, true, NULL},
    {"phpbb", PHPBB_BASE, PHPBB_TOPIC, 250, phpbb_start, phpbb_stop,
     phpbb_answer, phpbb_post_as, PHPBB_ANNA, PHPBB_PASSWORD, phpbb_edit_as,
     NULL, true, true, true, NULL},
    {"discord", GUILD_BASE, GUILD_CHANNEL, 250, discord_start, discord_stop,
     discord_answer, discord_post_as, "Anna", NULL, discord_edit_as, NULL, true,
     false, false, discord_press_as},
    {"discord", GUILD_OTHER, GUILD_OTHER "/channels/" GUILD_PLACE "/81", 250,
     compatible_start, discord_stop, discord_answer, discord_post_as, "Anna",
     NULL, discord_edit_as, NULL, true, false, false, NULL},
    {"discord", GUILD_OTHER, GUILD_CHANNEL, 250, odd_start, discord_stop,
     discord_answer, discord_post_as, "Anna", NULL, discord_edit_as, NULL, true,
     false, false, NULL},
};

enum {
    SIMULATIONS = sizeof(simulations) / sizeof(simulations[0])
};

/* ---- one service and the bot at it --------------------------------------- */

enum fault {
    FAULT_NONE,
    FAULT_UNHEARD, /* the service did it, the reply got lost */
    FAULT_CUT,     /* the reply's second half is missing */
    FAULT_HTML,    /* a proxy answers instead, with status 200 */
    FAULT_STATUS,  /* a proxy answers with `status` */
};

struct fixture {
    const struct simulation *simulation;
    char folder[32];
    void *state;
    struct service service;
    struct buf place;   /* the thread */
    struct buf feed;    /* its feed */
    struct buf updates; /* of that; empty: none */
    int64_t now;
    /* The fault that meets the request of this number in each operation (0:
     * the first), and whether one was met. */
    enum fault fault;
    int at, status;
    bool met;
    int requests;      /* in all operations */
    struct buf marks;  /* that the last search has told */
    struct buf secret; /* of the last press */
    /* As the host keeps them, such as a session; none: each operation begins
     * with the log-in that it may need. */
    struct adapter_states states;
    bool keeps_states;
};

/* What came of an operation. */
struct result {
    enum advance advance;
    struct outcome out;
    struct buf why;
};

static void
result_release(struct result *result)
{
    outcome_release(&result->out);
    buf_release(&result->why);
}

/* Let the service answer a request, or a fault. */
static void
answer(struct fixture *fixture, int number, const struct request *request,
       struct buf *body, struct reply *reply)
{
    static const char html[] = "<html><h1>Bad gateway</h1></html>";

    fixture->simulation->serve(fixture->state, fixture->now, request, body,
                               reply);
    ck_assert_int_ne(reply->status, 0);
    if (fixture->fault == FAULT_NONE || number != fixture->at) {
        return;
    }
    fixture->met = true;
    switch (fixture->fault) {
    case FAULT_NONE:
        break;
    case FAULT_UNHEARD:
        *reply = (struct reply){.trouble = "cut off", .retry_after = -1};
        break;
    case FAULT_CUT:
        /* What leads elsewhere says so in its headers. */
        reply->headers = reply->status / 100 == 3 ? NULL : reply->headers;
        reply->len /= 2;
        break;
    case FAULT_HTML:
        *reply = (struct reply){.status = 200,
                                .body = html,
                                .len = sizeof(html) - 1,
                                .retry_after = -1};
        break;
    case FAULT_STATUS:
        *reply = (struct reply){.status = fixture->status,
                                .body = html,
                                .len = sizeof(html) - 1,
                                .retry_after = -1};
        break;
    }
}

/* An operation as the dispatch hands it on: no text is NULL. */
static struct op
whole(const struct op *op)
{
    struct op copy = *op;
    const char **const texts[] = {&copy.feed, &copy.cursor, &copy.place,
                                  &copy.post, &copy.user,   &copy.text,
                                  &copy.key,  &copy.others, &copy.secret};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (*texts[i] == NULL) {
            *texts[i] = "";
        }
    }
    return copy;
}

static void
keep_states(struct fixture *fixture, const struct adapter_states *states)
{
    for (unsigned i = 0; i < states->count; i++) {
        ck_assert(adapter_states_set(&fixture->states, states->list[i].key,
                                     states->list[i].value));
    }
}

/* Run an operation to its end, from its beginning. */
static struct result
run(struct fixture *fixture, const struct op *given)
{
    struct op op = whole(given);
    struct result result = {0};
    struct buf scratch = BUF_INIT;
    struct buf body = BUF_INIT;
    struct reply reply;
    const struct service *service = &fixture->service;

    op.now = op.now == 0 ? fixture->now : op.now;
    op.states = fixture->states.list;
    op.state_count = fixture->states.count;

    result.advance = service->adapter->advance(service, &op, &scratch, NULL,
                                               &result.out, &result.why);
    for (int i = 0; result.advance == ADVANCE_REQUEST; i++) {
        ck_assert_int_lt(i, ADVANCES_MAX);
        fixture->requests++;
        ck_assert_int_eq(strncmp(buf_text(&result.out.request.url),
                                 service->base, strlen(service->base)),
                         0);
        answer(fixture, i, &result.out.request, &body, &reply);
        request_clear(&result.out.request);
        result.advance = service->adapter->advance(
            service, &op, &scratch, &reply, &result.out, &result.why);
    }
    ck_assert((result.advance == ADVANCE_FAILED) == (result.why.len > 0));
    ck_assert(result.advance == ADVANCE_DONE || result.out.err != ERR_NONE);
    ck_assert(result.advance != ADVANCE_DONE ||
              outcome_answers(&result.out, &op));
    ck_assert_uint_le(scratch.len, ADAPTER_SCRATCH_MAX);
    if (fixture->keeps_states && result.advance == ADVANCE_DONE) {
        keep_states(fixture, &result.out.states);
    }
    page_finish(&result.out.page);
    buf_release(&scratch);
    buf_release(&body);
    return result;
}

/* Run an operation that must succeed. */
static struct result
run_well(struct fixture *fixture, const struct op *op)
{
    struct result result = run(fixture, op);

    ck_assert_msg(result.advance == ADVANCE_DONE, "operation %d: %s",
                  (int)op->kind, buf_text(&result.why));
    return result;
}

/* Run an operation that must succeed, and keep its id alone. */
static void
run_for_id(struct fixture *fixture, const struct op *op, struct buf *id)
{
    struct result result = run_well(fixture, op);

    buf_clear(id);
    buf_add_buf(id, &result.out.id);
    ck_assert_uint_le(id->len, ADAPTER_ID_MAX);
    result_release(&result);
}

static void
fixture_open(struct fixture *fixture, const struct simulation *simulation)
{
    struct service *service = &fixture->service;

    *fixture = (struct fixture){.simulation = simulation,
                                .folder = "/tmp/placard-XXXXXX",
                                .now = INT64_C(1795276800000)};
    ck_assert_ptr_nonnull(mkdtemp(fixture->folder));
    fixture->state = simulation->start(fixture->folder);
    service->adapter = adapter_find(simulation->adapter);
    ck_assert_ptr_nonnull(service->adapter);
    snprintf(service->name, sizeof(service->name), "here");
    snprintf(service->base, sizeof(service->base), "%s", simulation->base);
    snprintf(service->user, sizeof(service->user), "placard");
    service->password = simulation->password;
    struct result who = run_well(fixture, &(struct op){.kind = OP_WHO});

    snprintf(service->self, sizeof(service->self), "%s", buf_text(&who.out.id));
    service->member = who.out.member;
    result_release(&who);
    run_for_id(fixture,
               &(struct op){.kind = OP_PLACE, .text = simulation->address},
               &fixture->place);
    service->adapter->feed(service, buf_text(&fixture->place), &fixture->feed);
    if (service->adapter->updates_feed != NULL) {
        service->adapter->updates_feed(service, buf_text(&fixture->feed),
                                       &fixture->updates);
    }
}

static void
fixture_close(struct fixture *fixture)
{
    fixture->simulation->stop(fixture->state, fixture->folder);
    ck_assert_int_eq(rmdir(fixture->folder), 0);
    buf_release(&fixture->place);
    buf_release(&fixture->feed);
    buf_release(&fixture->updates);
    buf_release(&fixture->marks);
    buf_release(&fixture->secret);
    adapter_states_release(&fixture->states);
}

/* Somebody posts, a second after what was before. */
static void
somebody_posts(struct fixture *fixture, const char *user, bool in_private,
               const char *text)
{
    fixture->now += 1000;
    fixture->simulation->post(fixture->state, user, in_private, text,
                              fixture->now);
}

/* The id of "Anna". */
static const char *
anna(const struct fixture *fixture)
{
    return fixture->simulation->anna;
}

static void
send_text(struct fixture *fixture, const char *place, const char *text,
          const char *key, struct buf *id)
{
    fixture->now += 1000;
    run_for_id(fixture,
               &(struct op){.kind = OP_SEND,
                            .place = place,
                            .user = anna(fixture), /* of a DM */
                            .text = text,
                            .key = key},
               id);
    ck_assert_uint_gt(id->len, 0);
}

static struct result
read_page(struct fixture *fixture, const char *feed, const struct buf *cursor)
{
    return run_well(fixture, &(struct op){.kind = OP_READ,
                                          .feed = feed,
                                          .cursor = buf_text(cursor),
                                          .now = fixture->now});
}

/* Every post reads as the interface says it must. */
static void
assert_sane_post(const struct post *post)
{
    ck_assert(post->id != NULL && *post->id != '\0');
    ck_assert(post->place != NULL && *post->place != '\0');
    ck_assert(post->author != NULL);
    ck_assert(*post->author != '\0' || post->kind == POST_DELETED);
    ck_assert(post->author_name != NULL && post->body != NULL);
    ck_assert_uint_le(strlen(post->id), ADAPTER_ID_MAX);
    ck_assert_uint_le(strlen(post->place), ADAPTER_ID_MAX);
    ck_assert_uint_le(strlen(post->author), ADAPTER_ID_MAX);
    ck_assert_int_eq(post->body[post->body_len], '\0');
    ck_assert_int_ge(post->stamp, 0);
    ck_assert_int_ge(post->edited, -1);
}

/* Read a feed to its end and hand every post on. */
static void
read_all(struct fixture *fixture, const char *feed, struct buf *cursor,
         void (*each)(void *context, const struct post *post), void *context)
{
    bool more = true;

    for (int pages = 0; more; pages++) {
        ck_assert_int_lt(pages, 100);
        struct result page = read_page(fixture, feed, cursor);

        for (size_t i = 0; i < page.out.page.count; i++) {
            assert_sane_post(&page.out.page.posts[i]);
            each(context, &page.out.page.posts[i]);
        }
        more = page.out.more;
        buf_clear(cursor);
        buf_add_buf(cursor, &page.out.cursor);
        result_release(&page);
    }
}

static void
ignore_post(void *context, const struct post *post)
{
    (void)context;
    (void)post;
}

/* Where the feed of the thread ends now. */
static void
read_to_the_end(struct fixture *fixture, struct buf *cursor)
{
    read_all(fixture, buf_text(&fixture->feed), cursor, ignore_post, NULL);
}

/* The ids that came already: a post may come again. */
struct seen {
    char ids[SEEN_MAX][ADAPTER_ID_MAX + 1];
    int count;
};

static bool
seen_before(struct seen *seen, const char *id)
{
    for (int i = 0; i < seen->count; i++) {
        if (strcmp(seen->ids[i], id) == 0) {
            return true;
        }
    }
    ck_assert_int_lt(seen->count, SEEN_MAX);
    snprintf(seen->ids[seen->count++], sizeof(seen->ids[0]), "%s", id);
    return false;
}

/* What is looked for among posts, and what was found: how many, and of the
 * last one how it came last. */
struct search {
    const char *text; /* part of the body */
    struct seen seen;
    int count;
    bool dm, own, edited;
    char author[ADAPTER_ID_MAX + 1];
    char place[ADAPTER_ID_MAX + 1];
    char id[ADAPTER_ID_MAX + 1];
};

static void
search_post(void *context, const struct post *post)
{
    struct search *search = context;

    if (strstr(post->body, search->text) == NULL) {
        return;
    }
    search->count += seen_before(&search->seen, post->id) ? 0 : 1;
    search->dm = post->dm;
    search->own = post->own;
    search->edited = post->edited != 0;
    snprintf(search->author, sizeof(search->author), "%s", post->author);
    snprintf(search->place, sizeof(search->place), "%s", post->place);
    snprintf(search->id, sizeof(search->id), "%s", post->id);
}

/* Look for a text in the feed of a place, from a cursor. */
static struct search
search_text(struct fixture *fixture, const char *place, const struct buf *from,
            const char *text)
{
    struct search search = {.text = text};
    struct buf cursor = BUF_INIT;
    struct buf feed = BUF_INIT;

    fixture->service.adapter->feed(&fixture->service, place, &feed);
    buf_add_buf(&cursor, from);
    read_all(fixture, buf_text(&feed), &cursor, search_post, &search);
    buf_release(&cursor);
    buf_release(&feed);
    return search;
}

/* ---- the cases ----------------------------------------------------------- */

START_TEST(the_capabilities_make_sense)
{
    const struct adapter *adapter = adapter_find(simulations[_i].adapter);
    const struct capabilities *capabilities = &adapter->capabilities;

    ck_assert(adapter->advance != NULL);
    ck_assert(adapter->feed != NULL);
    ck_assert_ptr_nonnull(adapter->dialect);
    ck_assert(capabilities->longest == 0 ||
              capabilities->longest > capabilities->shortest);
    ck_assert(capabilities->longest_private == 0 ||
              capabilities->longest_private > capabilities->shortest);
    ck_assert_uint_le(capabilities->mentions, MENTIONS_MAX);
    ck_assert_int_ge(capabilities->margin, 0);
    ck_assert_int_ge(capabilities->pause,
                     0); /* 0: its reads wait by themselves */
    /* A message that may have been sent can be told from one that was not.
     */
    ck_assert(capabilities->dedupe > 0 || capabilities->finds);
    ck_assert(simulations[_i].press == NULL ||
              (capabilities->buttons && capabilities->commands));
    ck_assert(!capabilities->red || adapter->dialect->red_example != NULL);
}
END_TEST

START_TEST(the_bot_learns_who_it_is)
{
    struct fixture fixture;

    fixture_open(&fixture, &simulations[_i]);
    struct result result = run_well(&fixture, &(struct op){.kind = OP_WHO});

    ck_assert_uint_gt(result.out.id.len, 0);
    ck_assert_uint_gt(result.out.shown.len, 0);
    ck_assert_str_eq(buf_text(&result.out.id), fixture.service.self);
    result_release(&result);
    fixture_close(&fixture);
}
END_TEST

static bool
agrees(unsigned rights, enum right right, bool trait)
{
    return trait || (rights & (unsigned)right) == 0;
}

START_TEST(the_rights_are_told_and_agree_with_the_capabilities)
{
    struct fixture fixture;

    fixture_open(&fixture, &simulations[_i]);
    struct result result =
        run_well(&fixture, &(struct op){.kind = OP_PROBE,
                                        .place = buf_text(&fixture.place)});
    const struct capabilities *capabilities =
        &fixture.service.adapter->capabilities;
    unsigned rights = result.out.rights;

    ck_assert((rights & RIGHT_READ) != 0 && (rights & RIGHT_POST) != 0);
    ck_assert(agrees(rights, RIGHT_EDIT, capabilities->edits));
    ck_assert(agrees(rights, RIGHT_REACT, capabilities->reactions));
    ck_assert(agrees(rights, RIGHT_DELETE, capabilities->deletes));
    ck_assert(agrees(rights, RIGHT_PIN, capabilities->pins));
    ck_assert(agrees(rights, RIGHT_UPLOAD, capabilities->uploads));
    ck_assert(agrees(rights, RIGHT_LOCK, capabilities->locks));
    result_release(&result);
    fixture_close(&fixture);
}
END_TEST

/* Posts "post 0!", "post 1!" … that must come in order, each as one post.
 */
struct row_of_posts {
    struct seen seen;
    int next;
    int64_t stamp;
    const char *place;
};

static void
expect_post(void *context, const struct post *post)
{
    struct row_of_posts *row = context;
    char text[32];

    if (seen_before(&row->seen, post->id)) {
        return;
    }
    snprintf(text, sizeof(text), "post %d!", row->next);
    ck_assert_ptr_nonnull(strstr(post->body, text));
    ck_assert_str_eq(post->place, row->place);
    ck_assert_int_ge(post->stamp, row->stamp);
    ck_assert(!post->dm && !post->own && !post->machine);
    row->stamp = post->stamp;
    row->next++;
}

START_TEST(every_post_is_read_and_in_order)
{
    struct fixture fixture;
    struct buf cursor = BUF_INIT;
    char text[32];

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &cursor);

    struct row_of_posts row = {.place = buf_text(&fixture.place)};
    const char *feed = buf_text(&fixture.feed);
    int posts = fixture.simulation->posts;

    for (int i = 0; i < posts; i++) {
        snprintf(text, sizeof(text), "post %d!", i);
        somebody_posts(&fixture, i % 2 == 0 ? "Anna" : "Ben", false, text);
    }
    read_all(&fixture, feed, &cursor, expect_post, &row);
    ck_assert_int_eq(row.next, posts);
    /* And what comes later, from there. */
    snprintf(text, sizeof(text), "post %d!", posts);
    somebody_posts(&fixture, "Anna", false, text);
    read_all(&fixture, feed, &cursor, expect_post, &row);
    read_all(&fixture, feed, &cursor, expect_post, &row);
    ck_assert_int_eq(row.next, posts + 1);
    buf_release(&cursor);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_feed_is_never_said_to_be_read_further_than_it_is)
{
    struct fixture fixture;
    struct buf cursor = BUF_INIT;
    struct seen seen = {.count = 0};
    bool more = true;
    int64_t through = -1;

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &cursor);
    for (int i = 0; i < fixture.simulation->posts; i++) {
        /* All at one time: a page may end between two of the same stamp. */
        fixture.simulation->post(fixture.state, "Anna", false, "many words",
                                 fixture.now + 1000);
    }
    fixture.now += 60000;
    for (int pages = 0; more; pages++) {
        ck_assert_int_lt(pages, 100);
        struct result page =
            read_page(&fixture, buf_text(&fixture.feed), &cursor);

        for (size_t i = 0; i < page.out.page.count; i++) {
            const struct post *post = &page.out.page.posts[i];

            /* Nothing new is of a time that was said to be read. */
            ck_assert(seen_before(&seen, post->id) || post->stamp > through);
        }
        through = page.out.through;
        more = page.out.more;
        buf_clear(&cursor);
        buf_add_buf(&cursor, &page.out.cursor);
        result_release(&page);
    }
    ck_assert_int_eq(seen.count, fixture.simulation->posts);
    /* At the end it is read up to now, less the margin, and less the part of a
     * second where a clock counts whole ones: no later, or the service's clock
     * would seem ahead. */
    int64_t margin = fixture.service.adapter->capabilities.margin;
    ck_assert_int_le(through, fixture.now - margin);
    ck_assert_int_ge(through, fixture.now - margin - 1000);
    buf_release(&cursor);
    fixture_close(&fixture);
}
END_TEST

START_TEST(the_same_message_sent_twice_is_one_post)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;
    struct buf first = BUF_INIT;
    struct buf second = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &start);

    const char *place = buf_text(&fixture.place);

    if (fixture.service.adapter->capabilities.dedupe > 0) {
        send_text(&fixture, place, "Round one begins.", "g1-31-0", &first);
        send_text(&fixture, place, "Round one begins.", "g1-31-0", &second);
        ck_assert_str_eq(buf_text(&first), buf_text(&second));
    }
    send_text(&fixture, place, "Round two begins.", "g1-32-0", &first);
    send_text(&fixture, place, "Round two begins.", "g1-32-1", &second);
    ck_assert_str_ne(buf_text(&first), buf_text(&second));

    struct search one = search_text(&fixture, place, &start, "Round one");
    struct search two = search_text(&fixture, place, &start, "Round two");

    ck_assert_int_eq(one.count,
                     fixture.service.adapter->capabilities.dedupe > 0 ? 1 : 0);
    ck_assert_int_eq(two.count, 2);
    ck_assert(two.own && !two.dm);
    ck_assert_str_eq(two.id, buf_text(&second));
    ck_assert_str_eq(two.place, place);
    buf_release(&start);
    buf_release(&first);
    buf_release(&second);
    fixture_close(&fixture);
}
END_TEST

/* Its key is as long as keys are. */
static void
send_longest(struct fixture *fixture, const char *place, bool dm)
{
    const struct capabilities *capabilities =
        &fixture->service.adapter->capabilities;
    struct measure measure = capabilities_measure(capabilities, dm);
    struct buf text = BUF_INIT;
    struct buf id = BUF_INIT;

    while (text.len < measure.longest) {
        buf_add_char(&text, "words "[text.len % 6]);
    }
    while (text.len > 0 && text.data[text.len - 1] == ' ') {
        text.data[text.len - 1] = 's';
    }
    send_text(fixture, place, buf_text(&text), "g1-31-0.123456789.1234567",
              &id);
    buf_release(&text);
    buf_release(&id);
}

START_TEST(the_longest_message_is_taken_in_the_thread_and_in_private)
{
    struct fixture fixture;
    struct buf dm = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    run_for_id(&fixture, &(struct op){.kind = OP_DM, .user = anna(&fixture)},
               &dm);
    send_longest(&fixture, buf_text(&fixture.place), false);
    send_longest(&fixture, buf_text(&dm), true);
    buf_release(&dm);
    fixture_close(&fixture);
}
END_TEST

/* Take a look for a message; does the search go on?  From the cursor, or from
 * the last one if something fails. */
static bool
look_for(struct fixture *fixture, const struct op *op, struct buf *cursor,
         struct buf *id)
{
    struct op find = *op;

    find.kind = OP_FIND;
    find.cursor = buf_text(cursor);
    struct result result = run(fixture, &find);
    bool done = result.advance == ADVANCE_DONE;

    if (done || result.out.cursor.len > 0) {
        buf_clear(cursor);
        buf_add_buf(cursor, &result.out.cursor);
    }
    if (done) {
        buf_add_buf(id, &result.out.id);
    }
    buf_add_buf(&fixture->marks, &result.out.marks);
    bool goes_on = !done || result.out.found == FOUND_NOT_YET;

    result_release(&result);
    return goes_on;
}

/* Look for a message as the host does: from one cursor to the next.  Every
 * second time something fails, if `faults`.  Puts its id into `id`; "": it is
 * not there. */
static void
search_message(struct fixture *fixture, const struct op *op, bool faults,
               struct buf *id)
{
    struct buf cursor = BUF_INIT;
    bool goes_on = true;

    buf_clear(&fixture->marks);
    buf_clear(id);
    for (int i = 0; goes_on; i++) {
        ck_assert_int_lt(i, 1000);
        fixture->fault = faults && i % 2 == 0
                             ? (enum fault)(FAULT_UNHEARD + i / 2 % 3)
                             : FAULT_NONE;
        fixture->at = i / 2 % 12;
        goes_on = look_for(fixture, op, &cursor, id);
        fixture->fault = FAULT_NONE;
    }
    buf_release(&cursor);
}

/* The same where the `nth` request of the whole search is met by a fault, and
 * before that look the host is killed: what it has kept is the cursor, or, if
 * `forgets`, nothing.  Returns whether there was such a request. */
static bool
search_cut_at(struct fixture *fixture, const struct op *op, int nth,
              bool forgets, struct buf *id)
{
    struct buf cursor = BUF_INIT;
    bool goes_on = true;
    bool cut = false;

    buf_clear(id);
    fixture->requests = 0;
    while (goes_on) {
        ck_assert_int_lt(fixture->requests, 1000);
        fixture->fault = (enum fault)(FAULT_UNHEARD + nth % 3);
        fixture->at = cut ? -1 : nth - fixture->requests;
        fixture->met = false;
        goes_on = look_for(fixture, op, &cursor, id);
        fixture->fault = FAULT_NONE;
        if (fixture->met) {
            cut = true;
            ck_assert(goes_on || nth + 1 < fixture->requests);
            cursor.len = forgets ? 0 : cursor.len;
        }
    }
    buf_release(&cursor);
    return cut;
}

START_TEST(what_was_sent_is_found_by_its_key)
{
    struct fixture fixture;
    struct buf sent = BUF_INIT;
    struct buf found = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.service.adapter->capabilities.finds) {
        struct op find = {.kind = OP_FIND,
                          .place = buf_text(&fixture.place),
                          .text = "Round one begins.",
                          .key = "g1-31-0"};

        search_message(&fixture, &find, false, &found);
        ck_assert_uint_eq(found.len, 0);
        send_text(&fixture, find.place, "Round one begins.", find.key, &sent);
        search_message(&fixture, &find, false, &found);
        ck_assert_str_eq(buf_text(&found), buf_text(&sent));
    }
    buf_release(&sent);
    buf_release(&found);
    fixture_close(&fixture);
}
END_TEST

/* Whatever a search is for, found or not: it tells of what it comes by. */
START_TEST(a_search_tells_what_else_of_the_hosts_is_there)
{
    struct fixture fixture;
    struct buf sent[3] = {BUF_INIT, BUF_INIT, BUF_INIT};
    struct buf found = BUF_INIT;
    static const char *const keys[] = {"g1-31-0", "g1-32-0", "g1-33-0"};
    static const char *const texts[] = {"One has begun.", "Two has begun.",
                                        "Three has begun."};

    fixture_open(&fixture, &simulations[_i]);
    struct op find = {.place = buf_text(&fixture.place),
                      .text = "Nobody has said this.",
                      .key = "g1-3-0"};
    bool forum =
        strstr("discourse nodebb phpbb", fixture.service.adapter->name) != NULL;

    for (int i = 0; i < 3; i++) {
        send_text(&fixture, find.place, texts[i], keys[i], &sent[i]);
        for (int j = 0; j < 30; j++) {
            somebody_posts(&fixture, "Ben", false, "Meanwhile");
        }
    }
    for (int j = 0; j < 2; j++) {
        search_message(&fixture, &find, false, &found);
        for (int i = 0; forum && i < 3; i++) {
            struct buf row = BUF_INIT;

            buf_addf(&row, "%s %s\n", keys[i], buf_text(&sent[i]));
            ck_assert_msg(strstr(buf_text(&fixture.marks), buf_text(&row)) !=
                              NULL,
                          "\"%s\" lacks \"%s\"", buf_text(&fixture.marks),
                          buf_text(&row));
            buf_release(&row);
        }
        find.text = texts[0];
        find.key = keys[0];
    }
    ck_assert_str_eq(buf_text(&found), buf_text(&sent[0]));
    for (int i = 0; i < 3; i++) {
        buf_release(&sent[i]);
    }
    buf_release(&found);
    fixture_close(&fixture);
}
END_TEST

/* What it knows of when that was, it knows by its own clock. */
START_TEST(what_was_sent_is_found_by_a_host_whose_clock_is_hours_ahead)
{
    struct fixture fixture;
    struct buf sent = BUF_INIT;
    struct buf found = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.service.adapter->capabilities.finds) {
        const char *place = buf_text(&fixture.place);
        int64_t ahead = 3 * HOUR_MS;
        int64_t written = fixture.now + ahead;

        send_text(&fixture, place, "Round one begins.", "g1-31-0", &sent);
        for (int i = 0; i < 40; i++) {
            fixture.now += 1000;
            fixture.simulation->post(fixture.state, "Ben", false, "Meanwhile",
                                     fixture.now);
        }
        search_message(&fixture,
                       &(struct op){.place = place,
                                    .text = "Round one begins.",
                                    .key = "g1-31-0",
                                    .since = written,
                                    .tried = written,
                                    .now = fixture.now + ahead},
                       false, &found);
        ck_assert_str_eq(buf_text(&found), buf_text(&sent));
    }
    buf_release(&sent);
    buf_release(&found);
    fixture_close(&fixture);
}
END_TEST

/* However many posts came since, and whichever reply is lost. */
static void
search_behind(struct fixture *fixture, const char *place, bool in_private,
              int posts)
{
    struct op find = {.place = place,
                      .user = anna(fixture),
                      .dm = in_private,
                      .text = "Round one begins.",
                      .key = "g1-31-0",
                      .since = fixture->now};
    struct buf sent = BUF_INIT;
    struct buf found = BUF_INIT;

    send_text(fixture, place, find.text, find.key, &sent);
    for (int i = 0; i < posts; i++) {
        somebody_posts(fixture, in_private ? "Anna" : "Ben", in_private,
                       "Meanwhile");
    }
    /* One that was moved there is older than its place. */
    fixture->simulation->post(fixture->state, in_private ? "Anna" : "Ben",
                              in_private, "Moved", find.since - HOUR_MS);
    fixture->now += HOUR_MS;
    fixture->requests = 0;
    search_message(fixture, &find, false, &found);
    ck_assert_str_eq(buf_text(&found), buf_text(&sent));
    int requests = fixture->requests;

    search_message(fixture, &find, true, &found);
    ck_assert_str_eq(buf_text(&found), buf_text(&sent));
    /* That something else is not there is known only as far back; but it is not
     * asked then who is in the DM. */
    fixture->requests = in_private;
    find.text = "Round two begins.";
    find.key = "g1-32-0";
    search_message(fixture, &find, false, &found);
    ck_assert_str_eq(buf_text(&found), "");
    ck_assert_int_ge(fixture->requests, requests);
    search_message(fixture, &find, true, &found);
    ck_assert_str_eq(buf_text(&found), "");
    buf_release(&sent);
    buf_release(&found);
}

/* Cut a search at its requests in turn, the host killed or not, while people go
 * on posting: at the first ones and some others, at a high effort at each, for
 * that takes as the square of them.  Returns how many it takes. */
static int
search_cut_everywhere(struct fixture *fixture, const struct op *op,
                      const char *id)
{
    struct buf found = BUF_INIT;
    unsigned long effort = effort_percent();
    int step = effort > EFFORT_USUAL ? 1 : effort == EFFORT_USUAL ? 11 : 40;
    int nth = 0;

    while (search_cut_at(fixture, op, nth, false, &found)) {
        ck_assert_str_eq(buf_text(&found), id);
        if (step == 1 || nth % 5 == 0) {
            (void)search_cut_at(fixture, op, nth, true, &found);
            ck_assert_str_eq(buf_text(&found), id);
        }
        somebody_posts(fixture, op->dm ? "Anna" : "Ben", op->dm, "And then");
        nth += nth < 5 ? 1 : step;
    }
    ck_assert_str_eq(buf_text(&found), id);
    buf_release(&found);
    return nth;
}

/* Send messages, the first of them looked for behind all the others and many
 * posts; more than the account's latest that a service lists.  Then look for
 * the first one, the last, and one that was never sent. */
static void
search_cut(struct fixture *fixture, const char *place, bool in_private,
           int posts)
{
    enum {
        SENT = 25
    };
    struct buf sent[SENT];
    char key[ADAPTER_ID_MAX + 1];
    struct op find = {.place = place,
                      .user = anna(fixture),
                      .dm = in_private,
                      .text = "Round one begins.",
                      .key = key,
                      .since = fixture->now};

    for (int i = 0; i < SENT; i++) {
        char text[32];

        sent[i] = (struct buf)BUF_INIT;
        snprintf(key, sizeof(key), "g1-%d-0", i);
        snprintf(text, sizeof(text), "Round %d begins.", i);
        send_text(fixture, place, text, key, &sent[i]);
        fixture->now += 1000;
    }
    for (int i = 0; i < posts; i++) {
        somebody_posts(fixture, in_private ? "Anna" : "Ben", in_private,
                       "Meanwhile");
    }
    fixture->now += HOUR_MS;
    snprintf(key, sizeof(key), "g1-0-0");
    find.text = "Round 0 begins.";
    int first = search_cut_everywhere(fixture, &find, buf_text(&sent[0]));

    snprintf(key, sizeof(key), "g1-%d-0", SENT - 1);
    find.text = "Round 24 begins.";
    int last = search_cut_everywhere(fixture, &find, buf_text(&sent[SENT - 1]));

    /* … which the service lists among the account's latest. */
    ck_assert(in_private || !fixture->simulation->lists ||
              (last <= 4 && first > last));
    snprintf(key, sizeof(key), "g1-99-0");
    find.text = "Nobody has said this.";
    (void)search_cut_everywhere(fixture, &find, "");
    for (int i = 0; i < SENT; i++) {
        buf_release(&sent[i]);
    }
}

/* Whichever request is cut off, and wherever the host dies: what is there is
 * found, what is not is not. */
START_TEST(a_search_that_is_cut_off_anywhere_has_the_same_answer)
{
    struct fixture fixture;
    struct buf dm = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    fixture.keeps_states = true;
    if (fixture.service.adapter->capabilities.finds) {
        search_cut(&fixture, buf_text(&fixture.place), false,
                   effort_percent() < EFFORT_USUAL ? 300 : 1500);
        run_for_id(&fixture,
                   &(struct op){.kind = OP_DM, .user = anna(&fixture)}, &dm);
        search_cut(&fixture, buf_text(&dm), true, 300);
    }
    buf_release(&dm);
    fixture_close(&fixture);
}
END_TEST

START_TEST(what_was_sent_is_found_behind_any_number_of_posts)
{
    struct fixture fixture;
    struct buf dm = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    fixture.keeps_states = true;
    if (fixture.service.adapter->capabilities.finds) {
        search_behind(&fixture, buf_text(&fixture.place), false, 1500);
        run_for_id(&fixture,
                   &(struct op){.kind = OP_DM, .user = anna(&fixture)}, &dm);
        search_behind(&fixture, buf_text(&dm), true, 300);
    }
    buf_release(&dm);
    fixture_close(&fixture);
}
END_TEST

START_TEST(an_edit_changes_the_text_and_may_be_repeated)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;
    struct buf id = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);

    const struct capabilities *capabilities =
        &fixture.service.adapter->capabilities;
    const char *place = buf_text(&fixture.place);

    if (capabilities->edits) {
        read_to_the_end(&fixture, &start);
        send_text(&fixture, place, "Three have voted.", "g1-31-0", &id);
        for (int i = 0; i < 2; i++) {
            fixture.now += 1000;
            struct result result =
                run_well(&fixture, &(struct op){.kind = OP_EDIT,
                                                .place = place,
                                                .post = buf_text(&id),
                                                .text = "Four have voted."});

            result_release(&result);
        }
        struct search search = search_text(&fixture, place, &start, "Four");

        ck_assert_int_ge(search.count, 1);
        ck_assert_str_eq(search.id, buf_text(&id));
        ck_assert(search.own);
        ck_assert(search.edited);
    }
    buf_release(&start);
    buf_release(&id);
    fixture_close(&fixture);
}
END_TEST

/* At a forum, for `placard check`. */
START_TEST(the_last_page_can_be_read_at_once)
{
    struct fixture fixture;
    unsigned seen = 0;

    fixture_open(&fixture, &simulations[_i]);
    const struct dialect *dialect = fixture.service.adapter->dialect;
    if (dialect == &dialect_markdown || dialect == &dialect_nodebb ||
        dialect == &dialect_phpbb) {
        fixture.now += 1000;
        fixture.simulation->post(fixture.state, "Anna", false, "Early",
                                 fixture.now);
        struct result result =
            run_well(&fixture, &(struct op){.kind = OP_READ,
                                            .feed = buf_text(&fixture.feed),
                                            .recent = true});
        for (size_t i = 0; i < result.out.page.count; i++) {
            assert_sane_post(&result.out.page.posts[i]);
            seen += strstr(result.out.page.posts[i].body, "Early") != NULL;
        }
        ck_assert_uint_eq(seen, 1);
        result_release(&result);
    }
    fixture_close(&fixture);
}
END_TEST

/* However much was posted since, and whether it has a mark or not. */
START_TEST(an_edit_is_read_that_was_made_since_a_question_was_opened)
{
    struct fixture fixture;
    struct buf cursor = BUF_INIT;
    struct buf start = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &cursor);
    if (fixture.service.adapter->capabilities.rereads) {
        int64_t since = fixture.now += 60000;

        buf_add_buf(&start, &cursor);
        fixture.now += 1000;
        fixture.simulation->post(fixture.state, "Anna", false, "Early",
                                 fixture.now);
        for (int i = 0; i < 70; i++) {
            fixture.now += 1000;
            fixture.simulation->post(fixture.state, "Ben", false, "Meanwhile",
                                     fixture.now);
        }
        struct search search =
            search_text(&fixture, buf_text(&fixture.place), &start, "Early");

        read_to_the_end(&fixture, &cursor);
        fixture.now += 1000;
        fixture.simulation->change(fixture.state, search.id, "Altered",
                                   fixture.now);
        struct result result =
            run_well(&fixture, &(struct op){.kind = OP_READ,
                                            .feed = buf_text(&fixture.feed),
                                            .cursor = buf_text(&cursor),
                                            .since = since});
        unsigned altered = 0;

        for (size_t i = 0; i < result.out.page.count; i++) {
            const struct post *post = &result.out.page.posts[i];

            altered += strcmp(post->id, search.id) == 0 &&
                       strstr(post->body, "Altered") != NULL;
        }
        ck_assert_uint_eq(altered, 1);
        result_release(&result);
    }
    buf_release(&cursor);
    buf_release(&start);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_dm_goes_both_ways_and_is_told_from_the_thread)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;
    struct buf dm = BUF_INIT;
    struct buf id = BUF_INIT;
    struct op op = {.kind = OP_DM};

    fixture_open(&fixture, &simulations[_i]);
    op.user = anna(&fixture);
    run_for_id(&fixture, &op, &dm);
    run_for_id(&fixture, &op, &id);
    ck_assert_str_eq(buf_text(&dm), buf_text(&id));
    ck_assert_str_ne(buf_text(&dm), buf_text(&fixture.place));

    const char *place = buf_text(&dm);
    struct buf feed = BUF_INIT;

    fixture.service.adapter->feed(&fixture.service, place, &feed);
    read_all(&fixture, buf_text(&feed), &start, ignore_post, NULL);
    send_text(&fixture, place, "You hold three tiles.", "g1-31-0", &id);
    somebody_posts(&fixture, "Anna", true, "discard the second");

    struct search mine = search_text(&fixture, place, &start, "You hold");
    struct search hers = search_text(&fixture, place, &start, "discard");

    bool told = fixture.simulation->tells_dms;

    if (fixture.simulation->hides_own) {
        ck_assert_int_eq(mine.count, 0);
    } else {
        ck_assert_int_eq(mine.count, 1);
        ck_assert(mine.dm == told && mine.own);
        ck_assert_str_eq(mine.place, place);
        ck_assert_str_eq(mine.id, buf_text(&id));
    }
    ck_assert_int_eq(hers.count, 1);
    ck_assert(hers.dm == told && !hers.own);
    ck_assert_str_eq(hers.place, place);
    ck_assert_str_ne(hers.author, fixture.service.self);
    buf_release(&feed);
    buf_release(&start);
    buf_release(&dm);
    buf_release(&id);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_thread_is_opened_once_and_read_from_its_beginning)
{
    struct fixture fixture;
    struct buf post = BUF_INIT;
    struct buf id = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.service.adapter->capabilities.threads) {
        send_text(&fixture, buf_text(&fixture.place), "Table nine.", "g1-31-0",
                  &post);
        struct op op = {.kind = OP_OPEN,
                        .place = buf_text(&fixture.place),
                        .post = buf_text(&post),
                        .text = "Secret Hitler, table 9",
                        .key = "g1-32-0"};
        struct result first = run_well(&fixture, &op);
        struct result second = run_well(&fixture, &op);
        const char *thread = buf_text(&first.out.id);

        ck_assert_str_eq(thread, buf_text(&second.out.id));
        ck_assert_str_ne(thread, buf_text(&fixture.place));
        send_text(&fixture, thread, "Round one begins.", "g1-33-0", &id);

        struct search search =
            search_text(&fixture, thread, &first.out.cursor, "Round one");

        ck_assert_int_eq(search.count, 1);
        ck_assert_str_eq(search.place, thread);
        result_release(&first);
        result_release(&second);
    }
    buf_release(&post);
    buf_release(&id);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_gallery_is_opened_once_and_lets_people_in_later)
{
    struct fixture fixture;
    struct buf gallery = BUF_INIT;
    struct buf again = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    struct op op = {.kind = OP_INVITE,
                    .place = buf_text(&fixture.place),
                    .post = "",
                    .user = anna(&fixture),
                    .text = "Secret Hitler, table 9: gallery",
                    .key = "k3f9.9",
                    .since = fixture.now};
    struct result first = run(&fixture, &op);
    bool may = fixture.service.adapter->capabilities.galleries;

    /* Other servers of an API may lack what it takes. */
    ck_assert(first.advance == ADVANCE_DONE || !may ||
              first.out.err == ERR_CONFIG);
    if (first.advance == ADVANCE_DONE) {
        run_for_id(&fixture, &op, &gallery);
        ck_assert_str_eq(buf_text(&first.out.id), buf_text(&gallery));
        ck_assert_str_ne(buf_text(&gallery), buf_text(&fixture.place));
        op.post = buf_text(&first.out.id);
        run_for_id(&fixture, &op, &again);
        ck_assert_str_eq(buf_text(&again), buf_text(&gallery));
        op.post = "";
        op.key = "k3f9.10";
        op.text = "Secret Hitler, table 10: gallery";
        run_for_id(&fixture, &op, &again);
        ck_assert_str_ne(buf_text(&again), buf_text(&gallery));
        send_text(&fixture, buf_text(&gallery), "Nobody here plays.", "g1-33-0",
                  &again);
        ck_assert_uint_gt(again.len, 0);
    }
    result_release(&first);
    buf_release(&gallery);
    buf_release(&again);
    fixture_close(&fixture);
}
END_TEST

/* When updates say that something was last posted in the thread; -1: they don't
 * say. */
static int64_t
last_news(struct fixture *fixture, int64_t *through)
{
    struct result result =
        run_well(fixture, &(struct op){.kind = OP_UPDATES,
                                       .feed = buf_text(&fixture->updates)});
    int64_t last = -1;

    for (size_t i = 0; i < result.out.news_count; i++) {
        if (strcmp(result.out.updates[i].feed, buf_text(&fixture->feed)) == 0) {
            last = result.out.updates[i].last;
        }
    }
    *through = result.out.through;
    result_release(&result);
    return last;
}

START_TEST(news_says_where_something_was_posted)
{
    struct fixture fixture;
    int64_t through = 0;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.updates.len > 0) {
        for (int i = 0; i < 3; i++) {
            fixture.now += 60000;
            ck_assert_int_lt(last_news(&fixture, &through),
                             fixture.now - 30000);
            ck_assert_int_gt(through, fixture.now - 30000);
            ck_assert_int_lt(through, fixture.now);
            somebody_posts(&fixture, "Anna", false, "a word");
            ck_assert_int_eq(last_news(&fixture, &through), fixture.now);
        }
    }
    fixture_close(&fixture);
}
END_TEST

/* Reactions that came. */
struct reacted {
    struct seen seen;
    int count;
    char author[ADAPTER_ID_MAX + 1], to[ADAPTER_ID_MAX + 1];
};

static void
note_reaction(void *context, const struct post *post)
{
    struct reacted *reacted = context;

    if (post->kind == POST_REACTED) {
        reacted->count += seen_before(&reacted->seen, post->id) ? 0 : 1;
        snprintf(reacted->author, sizeof(reacted->author), "%s", post->author);
        snprintf(reacted->to, sizeof(reacted->to), "%s", post->reply_to);
    }
}

/* Other people's come where the service brings them unasked; our own never. */
static void
assert_reactions(struct fixture *fixture, const char *post, struct buf *cursor)
{
    const struct simulation *simulation = fixture->simulation;
    struct reacted reacted = {.count = 0};

    if (simulation->react != NULL) {
        fixture->now += 1000;
        simulation->react(fixture->state, "Ben", post, fixture->now);
    }
    read_all(fixture, buf_text(&fixture->feed), cursor, note_reaction,
             &reacted);
    ck_assert_int_eq(reacted.count, simulation->react != NULL);
    if (reacted.count > 0) {
        ck_assert_str_eq(reacted.to, post);
        ck_assert_str_ne(reacted.author, fixture->service.self);
    }
}

START_TEST(a_reaction_may_be_repeated)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.service.adapter->capabilities.reactions) {
        read_to_the_end(&fixture, &start);
        somebody_posts(&fixture, "Anna", false, "a vote with a bold word");

        const char *place = buf_text(&fixture.place);
        struct search vote = search_text(&fixture, place, &start, "a vote");

        ck_assert_int_eq(vote.count, 1);
        for (int i = 0; i < 2; i++) {
            struct result result =
                run_well(&fixture, &(struct op){.kind = OP_REACT,
                                                .place = place,
                                                .post = vote.id,
                                                .text = "\xe2\x9c\x85"});

            result_release(&result);
        }
        assert_reactions(&fixture, vote.id, &start);
    }
    buf_release(&start);
    fixture_close(&fixture);
}
END_TEST

START_TEST(a_deleted_post_is_gone)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    if (fixture.service.adapter->capabilities.deletes) {
        read_to_the_end(&fixture, &start);
        somebody_posts(&fixture, "Anna", false, "words from the grave");

        const char *place = buf_text(&fixture.place);
        struct search words = search_text(&fixture, place, &start, "the grave");
        struct op op = {.kind = OP_DELETE, .place = place, .post = words.id};
        struct result first = run_well(&fixture, &op);
        struct result second = run(&fixture, &op);

        ck_assert_int_eq(words.count, 1);
        ck_assert(second.advance == ADVANCE_DONE || second.out.err == ERR_GONE);
        words = search_text(&fixture, place, &start, "the grave");
        /* A moderator of NodeBB still reads it. */
        ck_assert_int_eq(words.count,
                         strcmp(fixture.service.adapter->name, "nodebb") == 0);
        result_release(&first);
        result_release(&second);
    }
    buf_release(&start);
    fixture_close(&fixture);
}
END_TEST

static const struct buttons ja = {.list = {{.id = "1.1.v1", .label = "Ja"}},
                                  .count = 1};

/* An operation of each kind that succeeds, on a post of the bot's own; false:
 * the service has no such thing. */
static bool
likely_op(const struct fixture *fixture, enum op_kind kind, const char *post,
          struct op *op)
{
    static const struct slash_commands commands = {
        .list = {{.words = {{"en", "join", "Take a seat."},
                            {"de", "platz", "Platz nehmen."}}}},
        .count = 1,
        .languages = 2,
    };
    const struct capabilities *capabilities =
        &fixture->service.adapter->capabilities;

    *op = (struct op){
        .kind = kind,
        .feed = buf_text(&fixture->feed),
        .place = buf_text(&fixture->place),
        .post = post,
        .user = anna(fixture),
        .text = kind == OP_REACT   ? "\xe2\x9c\x85"
                : kind == OP_PLACE ? fixture->simulation->address
                                   : "Round nine begins.",
        .key = "g1-39-0",
        .buttons = kind == OP_REPLY || kind == OP_SUGGEST ? &ja : NULL,
        .secret = buf_text(&fixture->secret),
        .commands = &commands,
    };
    switch (kind) {
    case OP_WHO:
    case OP_PLACE:
    case OP_READ:
    case OP_SEND:
    case OP_DM:
    case OP_PROBE:
    case OP_PLACES: /* the board, which has one place, asks nothing */
        return true;
    case OP_USER:
        op->text = anna(fixture);
        return true;
    case OP_INVITE:
        op->post = "";
        op->since = fixture->now;
        return capabilities->galleries;
    case OP_BELL:
        return fixture->service.adapter->doorbell != NULL;
    case OP_ACKNOWLEDGE:
    case OP_REPLY:
    case OP_SUGGEST:
    case OP_COMMANDS:
        /* Other servers of Discord's API need not have them. */
        return fixture->simulation->press != NULL;
    case OP_OPEN:
        return capabilities->threads;
    case OP_EDIT:
        return capabilities->edits;
    case OP_FIND:
        return capabilities->finds;
    case OP_REACT:
        return capabilities->reactions;
    case OP_DELETE:
        return capabilities->deletes;
    case OP_PIN:
        return capabilities->pins;
    case OP_LOCK:
        return capabilities->locks;
    case OP_UPDATES:
        op->feed = buf_text(&fixture->updates);
        return *op->feed != '\0';
    case OP_MAKE:
        op->text = "\xe5\xbb\xb3"; /* no alias, which only one room can have */
        return capabilities->makes;
    case OP_APPOINT:
        op->user = "@Ben:hs.test"; /* a key among the levels, as at Matrix */
        return capabilities->makes;
    case OP_SITE:
        return capabilities->makes;
    case OP_ROLES:
        op->text = "Mods";
        return capabilities->roles;
    case OP_GRANT:
        return false; /* it is for setup alone */
    }
    return false;
}

/* Let somebody press a button under a new post, or type: `id` is that of the
 * press, whose secret is kept.  One that is replied to was acknowledged. */
static void
press(struct fixture *fixture, enum op_kind kind, const char *key,
      struct buf *id)
{
    const struct doorbell *doorbell = fixture->service.adapter->doorbell;
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    struct bell_output heard = {.rings = false};
    void *session = calloc(1, doorbell->size);

    ck_assert_ptr_nonnull(session);
    run_for_id(fixture,
               &(struct op){.kind = OP_SEND,
                            .place = buf_text(&fixture->place),
                            .text = "Do you agree?",
                            .key = key,
                            .buttons = &ja},
               id);
    fixture->simulation->press(fixture->state, "Anna",
                               kind == OP_SUGGEST ? "" : ja.list[0].label,
                               fixture->now, &text);
    doorbell->take(&fixture->service, session,
                   &(struct bell_input){.event = BELL_TEXT,
                                        .now = fixture->now,
                                        .text = buf_text(&text),
                                        .len = text.len},
                   &heard, &why);
    ck_assert_uint_eq(heard.pressed.count, 1);
    buf_clear(id);
    buf_add_text(id, heard.pressed.posts[0].id);
    buf_clear(&fixture->secret);
    buf_add_buf(&fixture->secret, &heard.secret);
    if (kind == OP_REPLY) {
        struct result result =
            run_well(fixture, &(struct op){.kind = OP_ACKNOWLEDGE,
                                           .post = buf_text(id),
                                           .secret = buf_text(&heard.secret)});

        result_release(&result);
    }
    bell_output_release(&heard);
    buf_release(&text);
    buf_release(&why);
    free(session);
}

/* Run an operation of each kind with a fault at each of its requests in turn,
 * and hand every result on. */
static void
run_with_faults(struct fixture *fixture, enum fault fault,
                void (*each)(struct fixture *fixture, const struct op *op,
                             const struct result *result))
{
    struct op op;
    struct buf post = BUF_INIT;
    char key[16];

    for (int kind = 0; kind < CONTRACT_OPS; kind++) {
        fixture->fault = FAULT_NONE;
        snprintf(key, sizeof(key), "g2-%d-0", kind);
        send_text(fixture, buf_text(&fixture->place), "Something.", key, &post);
        if (fixture->simulation->press != NULL &&
            (kind == OP_ACKNOWLEDGE || kind == OP_REPLY ||
             kind == OP_SUGGEST)) {
            snprintf(key, sizeof(key), "g4-%d-0", kind);
            press(fixture, (enum op_kind)kind, key, &post);
        }
        if (!likely_op(fixture, (enum op_kind)kind, buf_text(&post), &op)) {
            continue;
        }
        fixture->met = true;
        for (int at = 0; fixture->met; at++) {
            fixture->fault = fault;
            fixture->at = at;
            fixture->met = false;
            struct result result = run(fixture, &op);

            fixture->fault = FAULT_NONE;
            if (fixture->met) {
                each(fixture, &op, &result);
            }
            result_release(&result);
        }
    }
    buf_release(&post);
}

static void
expect_garbled(struct fixture *fixture, const struct op *op,
               const struct result *result)
{
    (void)fixture;
    /* A service may say nothing with success; then nothing can be garbled.
     */
    ck_assert_msg(result->advance == ADVANCE_DONE ||
                      result->out.err == ERR_GARBLED ||
                      result->out.err == ERR_GONE,
                  "operation %d: %s", (int)op->kind, buf_text(&result->why));
    if (op->kind == OP_WHO || op->kind == OP_READ || op->kind == OP_SEND ||
        op->kind == OP_DM) {
        ck_assert_int_eq(result->advance, ADVANCE_FAILED);
    }
}

START_TEST(a_garbled_reply_is_told_as_such)
{
    struct fixture fixture;

    fixture_open(&fixture, &simulations[_i]);
    run_with_faults(&fixture, FAULT_CUT, expect_garbled);
    run_with_faults(&fixture, FAULT_HTML, expect_garbled);
    fixture_close(&fixture);
}
END_TEST

static void
expect_later_and_try_again(struct fixture *fixture, const struct op *op,
                           const struct result *result)
{
    ck_assert_int_eq(result->advance, ADVANCE_FAILED);
    ck_assert_int_eq(result->out.err, ERR_LATER);
    struct result again = run(fixture, op);

    ck_assert_msg(again.advance == ADVANCE_DONE ||
                      (op->kind == OP_DELETE && again.out.err == ERR_GONE),
                  "operation %d: %s", (int)op->kind, buf_text(&again.why));
    result_release(&again);
}

START_TEST(an_operation_that_was_cut_off_can_be_begun_anew)
{
    struct fixture fixture;
    struct buf start = BUF_INIT;

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &start);
    run_with_faults(&fixture, FAULT_UNHEARD, expect_later_and_try_again);

    struct search sent = search_text(&fixture, buf_text(&fixture.place), &start,
                                     "Round nine begins.");

    /* The message, however often it was sent; and the edit, of another. */
    if (fixture.service.adapter->capabilities.dedupe > 0) {
        ck_assert_int_eq(sent.count,
                         fixture.service.adapter->capabilities.edits ? 2 : 1);
    }
    buf_release(&start);
    fixture_close(&fixture);
}
END_TEST

/* Send a message once more, as the host does with one that may have been sent.
 */
static void
send_again(struct fixture *fixture, const struct op *op)
{
    const struct capabilities *capabilities =
        &fixture->service.adapter->capabilities;
    struct op find = *op;
    struct buf id = BUF_INIT;

    find.kind = OP_FIND;
    if (capabilities->finds && !capabilities->pictures_apart) {
        search_message(fixture, &find, false, &id);
    }
    if (id.len == 0) {
        run_for_id(fixture, op, &id);
    }
    ck_assert_uint_gt(id.len, 0);
    buf_release(&id);
}

START_TEST(a_message_with_a_picture_is_one_post_whichever_reply_gets_lost)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G', 0, 1, 2, 3};
    struct fixture fixture;
    struct buf start = BUF_INIT;
    char text[32];
    char key[16];

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &start);
    struct op op = {
        .kind = OP_SEND,
        .place = buf_text(&fixture.place),
        .text = text,
        .key = key,
        .picture = {png, sizeof(png), 720, 944, "The board.", NULL}};

    fixture.met = fixture.service.adapter->capabilities.uploads;
    for (int at = 0; fixture.met; at++) {
        snprintf(text, sizeof(text), "Policy number %d!", at);
        snprintf(key, sizeof(key), "g3-%d-0", at);
        fixture.now += 1000;
        fixture.fault = FAULT_UNHEARD;
        fixture.at = at;
        fixture.met = false;
        struct result result = run(&fixture, &op);

        fixture.fault = FAULT_NONE;
        if (fixture.met) {
            ck_assert_int_eq(result.out.err, ERR_LATER);
            send_again(&fixture, &op);
        }
        struct search posts = search_text(&fixture, op.place, &start, op.text);

        ck_assert_int_eq(posts.count, 1);
        result_release(&result);
    }
    buf_release(&start);
    fixture_close(&fixture);
}
END_TEST

static void
expect_status(struct fixture *fixture, const struct op *op,
              const struct result *result)
{
    enum err expected = reply_err(&(struct reply){.status = fixture->status});
    /* What is denied by a page that is not the service's own may be tried
     * again. */
    bool doubted = expected == ERR_DENIED && result->out.err == ERR_LATER;

    if (op->kind == OP_PROBE && expected == ERR_DENIED &&
        result->advance == ADVANCE_DONE) {
        return; /* that is what a probe finds out */
    }
    /* Where nobody may search for people, nobody is found. */
    if (op->kind == OP_USER && expected == ERR_DENIED &&
        result->out.err == ERR_GONE) {
        return;
    }
    /* Who may not be told, or not be let in again, may be known all the same.
     */
    if ((op->kind == OP_SITE || op->kind == OP_APPOINT) &&
        expected != ERR_LATER && expected != ERR_LIMITED &&
        (result->advance == ADVANCE_DONE || result->out.err == ERR_GONE)) {
        return;
    }
    ck_assert_msg(result->advance == ADVANCE_FAILED &&
                      (result->out.err == expected || doubted),
                  "operation %d: %s", (int)op->kind, buf_text(&result->why));
    ck_assert(expected != ERR_LIMITED || result->out.wait > 0);
}

START_TEST(trouble_on_the_way_says_what_to_do)
{
    static const int statuses[] = {403, 429, 500, 502, 503};
    struct fixture fixture;

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        fixture_open(&fixture, &simulations[_i]);
        fixture.status = statuses[i];
        run_with_faults(&fixture, FAULT_STATUS, expect_status);
        fixture_close(&fixture);
    }
}
END_TEST

/* What a post reads as, in its adapter's dialect, must be what was written.
 */
struct round_trip {
    const struct dialect *dialect;
    const struct rich *written;
    int count;
};

static void
expect_same(void *context, const struct post *post)
{
    struct round_trip *exchange = context;
    struct rich rich = {0};
    bool unread = false;

    (post->dialect != NULL ? post->dialect : exchange->dialect)
        ->read(post->body, post->body_len, &rich, &unread);
    ck_assert(!unread);
    const char *read = buf_text(&rich.text);
    size_t len = exchange->written->text.len;

    /* Some services have no place for a key but the text, in a line behind
     * it.
     */
    ck_assert_msg(strncmp(read, buf_text(&exchange->written->text), len) == 0,
                  "%s", read);
    read += len + strspn(read + len, " \n");
    ck_assert_msg(*read == '\0' || *read == '#' ||
                      strcmp(read, "\xE2\x80\x8B") == 0,
                  "%s", read);
    exchange->count++;
    rich_release(&rich);
}

START_TEST(a_post_reads_as_it_was_written)
{
    struct fixture fixture;
    struct buf cursor = BUF_INIT;
    struct buf text = BUF_INIT;
    struct buf id = BUF_INIT;
    struct rich rich = {0};

    fixture_open(&fixture, &simulations[_i]);
    read_to_the_end(&fixture, &cursor);
    rich_add_text(&rich, "Anna", MARK_BOLD);
    rich_add_text(
        &rich,
        " said: \xE2\x80\x9CJa!\xE2\x80\x9D <b>&amp;\\ 100 %\n\xc3\x86gir", 0);
    /* A phpBB would make pictures of these; there they are letters. */
    if (strcmp(simulations[_i].adapter, "phpbb") != 0) {
        rich_add_text(&rich, " \xf0\x9f\x9f\xa5\xe2\xac\x9c", 0);
    }

    struct round_trip exchange = {.dialect = fixture.service.adapter->dialect,
                                  .written = &rich};

    exchange.dialect->write(&rich, &text);
    send_text(&fixture, buf_text(&fixture.place), buf_text(&text), "g1-31-0",
              &id);
    read_all(&fixture, buf_text(&fixture.feed), &cursor, expect_same,
             &exchange);
    ck_assert_int_eq(exchange.count, 1);
    rich_release(&rich);
    buf_release(&cursor);
    buf_release(&text);
    buf_release(&id);
    fixture_close(&fixture);
}
END_TEST

/* In the parent of all tests: read once, not by each. */
static void
read_recordings(void)
{
    static const char *const services[] = {"discord", "discourse", "matrix",
                                           "nodebb", "phpbb"};

    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        (void)recordings_of(services[i]);
    }
}

Suite *
test_suite(void)
{
    const TTest *const cases[] = {
        the_capabilities_make_sense,
        the_bot_learns_who_it_is,
        the_rights_are_told_and_agree_with_the_capabilities,
        every_post_is_read_and_in_order,
        a_feed_is_never_said_to_be_read_further_than_it_is,
        the_same_message_sent_twice_is_one_post,
        the_longest_message_is_taken_in_the_thread_and_in_private,
        what_was_sent_is_found_by_its_key,
        a_search_tells_what_else_of_the_hosts_is_there,
        what_was_sent_is_found_by_a_host_whose_clock_is_hours_ahead,
        what_was_sent_is_found_behind_any_number_of_posts,
        a_search_that_is_cut_off_anywhere_has_the_same_answer,
        an_edit_changes_the_text_and_may_be_repeated,
        the_last_page_can_be_read_at_once,
        an_edit_is_read_that_was_made_since_a_question_was_opened,
        a_dm_goes_both_ways_and_is_told_from_the_thread,
        a_thread_is_opened_once_and_read_from_its_beginning,
        a_gallery_is_opened_once_and_lets_people_in_later,
        news_says_where_something_was_posted,
        a_reaction_may_be_repeated,
        a_deleted_post_is_gone,
        a_garbled_reply_is_told_as_such,
        an_operation_that_was_cut_off_can_be_begun_anew,
        a_message_with_a_picture_is_one_post_whichever_reply_gets_lost,
        trouble_on_the_way_says_what_to_do,
        a_post_reads_as_it_was_written,
    };
    Suite *suite = suite_create("adapters/contract");
    TCase *tcase = tcase_create("contract");

    tcase_add_unchecked_fixture(tcase, read_recordings, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        tcase_add_loop_test(tcase, cases[i], 0, SIMULATIONS);
    }
    suite_add_tcase(suite, tcase);
    return suite;
}
