#include "tests/support/service_game.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/files.h"
#include "bot/base/json.h"
#include "tests/base/scratch.h"
#include "tests/support/fake_people.h"
#include "tests/support/httpd.h"
#include "tests/support/player.h"
#include "tests/support/virtual_host.h"

enum {
    SHARED = 2, /* sit at both tables */
    ACTS_MAX = 512,
    QUIET = 4,       /* turns without any request: nothing is asked */
    JUMP_MS = 500,   /* where requests wait for a limit */
    STUCK = 30 * 60, /* minutes without a new post: nothing comes */
    LINGER = 10,     /* minutes after the end: nothing comes twice */
    HELD_MAX = 8,    /* requests that wait for something new */
    TRIES_MAX = 20,  /* to take back what was not counted yet */
    LINE_MIN = 30,   /* bytes of a private line that tells something */
};

#define HOLD_MS (10 * SECOND_MS) /* until held requests are looked at again */
#define START   INT64_C(1795276800000)

/* Memory that both processes share. */
struct shared {
    int64_t now;
    int64_t wake;   /* when the host has something to do again */
    unsigned turns; /* that it has taken */
    unsigned busy;  /* its operations under way */
};

/* What somebody will do. */
struct act {
    int64_t at;
    unsigned who, table, round;
    uint64_t topic; /* 0: in private */
    char text[512];
    uint64_t edits, deletes, moves; /* a post, instead of a new one */
    bool vote, marked;
    unsigned tries;
};

struct table_there {
    unsigned first, players; /* of the people */
    uint64_t topic;          /* 0: not open yet */
    size_t status;           /* the post that tells how things stand */
    unsigned hitler, roles, hands, rounds;
    char president[64];
    bool over;
};

/* A request that waits for something new. */
struct held {
    struct httpd_request *request;
    int64_t begun;
};

static struct {
    const struct service_game *plan;
    const struct fake_service *fake_service;
    void *server;
    struct fake_people people; /* at these */
    struct shared *shared;
    struct httpd *httpd;
    pid_t host;
    int wake_pipe[2]; /* the host takes a turn for each byte */
    int done_pipe[2]; /* and writes one when it has taken it */
    unsigned turns;   /* that it was told to take */
    struct act acts[ACTS_MAX];
    unsigned act_count;
    size_t taken; /* posts that the players have looked at */
    struct table_there tables[TABLES_MAX];
    bool begun;      /* the host has posted something */
    int64_t updates; /* when it did so last */
    unsigned starts;
    unsigned spared; /* requests until the host is killed */
    unsigned risked; /* requests at which it could have been */
    uint64_t chance;
    struct held held[HELD_MAX];
    unsigned held_count;
    struct refusing refusing;
} current;

static unsigned
dice(unsigned bound)
{
    current.chance = current.chance * UINT64_C(6364136223846793005) +
                     UINT64_C(1442695040888963407);
    return (unsigned)((current.chance >> 33) % bound);
}

static bool
happens(unsigned one_in)
{
    return one_in != 0 && dice(one_in) == 0;
}

/* ---- the host -------------------------------------------------------------
 */

/* Host until it is killed: what `run` does. */
static void
run_host(void)
{
    static struct virtual_host host;
    struct buf why = BUF_INIT;
    struct shared *shared = current.shared;
    enum err err = virtual_host_open(&host, scratch_path("placard.cfg"), &why);
    char byte = 0;
    while (err == ERR_NONE && read(current.wake_pipe[0], &byte, 1) == 1) {
        err = virtual_host_turn(&host, shared->now, &why);
        shared->busy = host.busy;
        shared->wake = host.wake;
        shared->turns++;
        (void)!write(current.done_pipe[1], "!", 1);
    }
    (void)fprintf(stderr, "%s\n", buf_text(&why));
    _exit(4);
}

static void
start_host(void)
{
    ck_assert_int_eq(pipe(current.wake_pipe), 0);
    ck_assert_int_eq(pipe(current.done_pipe), 0);
    current.turns = 0;
    current.shared->turns = 0;
    current.host = fork();
    ck_assert_int_ge(current.host, 0);
    if (current.host == 0) {
        /* Else it would not notice that the game is over. */
        (void)close(current.wake_pipe[1]);
        (void)close(current.done_pipe[0]);
        int log =
            open(scratch_path("log"), O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)dup2(log, STDERR_FILENO);
        (void)setenv("PLACARD_TEST_TOKEN", current.fake_service->secret, 1);
        (void)unsetenv("http_proxy");
        run_host();
    }
    (void)close(current.done_pipe[1]);
    current.starts++;
}

static void
kill_host(void)
{
    int status = 0;
    (void)kill(current.host, SIGKILL);
    ck_assert_int_eq(waitpid(current.host, &status, 0), current.host);
    (void)close(current.wake_pipe[0]);
    (void)close(current.wake_pipe[1]);
    (void)close(current.done_pipe[0]);
    if (!WIFSIGNALED(status)) {
        struct buf log = BUF_INIT;
        struct buf why = BUF_INIT;
        (void)!file_read(scratch_path("log"), &log, &why);
        ck_abort_msg("the host ended: %s", buf_text(&log));
    }
}

/* Let the host take a turn. */
static void
wake_host(void)
{
    current.turns++;
    ck_assert_int_eq(write(current.wake_pipe[1], "!", 1), 1);
}

/* ---- what people write ----------------------------------------------------
 */

static struct act *
plan_act(unsigned who, unsigned table, uint64_t topic, int64_t delay)
{
    struct act *act = &current.acts[current.act_count++];
    ck_assert_uint_lt(current.act_count, ACTS_MAX);
    memset(act, 0, sizeof *act);
    act->at = current.shared->now + delay;
    act->who = who;
    act->table = table;
    act->round = current.tables[table].rounds;
    act->topic = topic;
    return act;
}

/* Somebody will post in one of the service's forms. */
static struct act *
plan_post(unsigned who, unsigned table, int64_t delay, const char *way,
          const char *word, const char *name)
{
    struct act *act = plan_act(who, table, current.tables[table].topic, delay);
    struct buf text = BUF_INIT;
    people_fill(&current.people, way, word, name, &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
    return act;
}

/* Somebody will answer in private; at one of two tables the answer says at
 * which. */
static void
plan_answer(unsigned who, unsigned table, const char *word)
{
    char answer[96];
    struct buf text = BUF_INIT;
    struct act *act = plan_act(who, table, 0, 1000 + dice(20000));
    (void)snprintf(answer, sizeof answer, "%s", word);
    if (current.plan->tables > 1) {
        (void)snprintf(answer, sizeof answer, "#%u %s", table + 1, word);
    }
    people_fill(&current.people, current.fake_service->answer, answer, "",
                &text);
    (void)snprintf(act->text, sizeof act->text, "%s", buf_text(&text));
    buf_release(&text);
}

static bool
sits(unsigned table, unsigned who)
{
    const struct table_there *there = &current.tables[table];
    return who >= there->first && who < there->first + there->players;
}

/* ---- what people read -----------------------------------------------------
 */

/* ---- what people do -------------------------------------------------------
 */

/* Hitler is named if nobody else may be. */
static unsigned
worth(const void *context, const char *name)
{
    unsigned table = *(const unsigned *)context;
    unsigned who = people_find(name);
    if (!sits(table, who)) {
        return 0;
    }
    return who == current.tables[table].hitler ? 1 : 2;
}

static void
choose(unsigned table, const struct task *task)
{
    char chosen[64];
    player_choose(task->list, worth, &table, chosen);
    unsigned named = people_find(chosen);
    const char *const *ways = current.fake_service->names;
    (void)plan_post(people_find(task->who), table, 1000 + dice(15000),
                    ways[named % people_ways(ways)], "", people[named]);
}

/* Each votes in another form; the executed try, too. */
static void
judge_vote(unsigned table, const struct task *task, const char *text)
{
    struct table_there *there = &current.tables[table];
    const struct fake_service *fake_service = current.fake_service;
    memcpy(there->president, task->president, sizeof there->president);
    there->rounds = people_number(text, "Round ");
    if (there->rounds == 1) {
        for (unsigned i = 0; fake_service->idle[i] != NULL; i++) {
            (void)plan_post(there->first + i % 4, table, 1,
                            fake_service->idle[i], "", "");
        }
        fake_service->intrude(current.server, there->topic,
                              current.shared->now);
    }
    for (unsigned i = 0; i < there->players; i++) {
        unsigned way = (i + there->rounds) % people_ways(fake_service->votes);
        plan_post(there->first + i, table, 1000 + dice(20000),
                  fake_service->votes[way], "Ja!",
                  people[there->first + (i + 1) % 7])
            ->vote = true;
    }
}

static void
parse_open(unsigned table, const struct shown_post *shown)
{
    struct table_there *there = &current.tables[table];
    /* The first such post is in the place; one more is in the table's own
     * topic. */
    bool own = current.plan->own && !current.plan->denied;
    if (own == (shown->topic == current.fake_service->topic)) {
        return;
    }
    ck_assert_uint_eq(there->topic, 0);
    there->topic = shown->topic;
    there->status = current.taken;
    for (unsigned i = 0; i < there->players; i++) {
        (void)plan_post(there->first + i, table, 20000 + 1000 * (int64_t)i,
                        current.fake_service->command, "!join", "");
    }
}

static unsigned
table_of(uint64_t topic)
{
    unsigned table = 0;
    while (table < current.plan->tables &&
           current.tables[table].topic != topic) {
        table++;
    }
    return table;
}

/* A question counts once its message is complete: it was not, `before`. */
static void
parse_public(const struct shown_post *shown, const char *before,
             const char *text)
{
    unsigned opened = people_number(text, " players: table ");
    unsigned table = table_of(shown->topic);
    struct task task;
    struct task already;
    if (opened != 0) {
        ck_assert_uint_le(opened, current.plan->tables);
        if (people_number(before, " players: table ") == 0) {
            parse_open(opened - 1, shown);
        }
        return;
    }
    player_read(before, &phrases_english, &already);
    player_read(text, &phrases_english, &task);
    if (table == current.plan->tables || task.kind == already.kind) {
        return;
    }
    if (task.kind == TASK_OVER) {
        current.tables[table].over = true;
    } else if (task.kind == TASK_VETO) {
        (void)plan_post(people_find(current.tables[table].president), table,
                        5000, current.fake_service->word, "Declined", "");
    } else if (task.kind == TASK_VOTE) {
        judge_vote(table, &task, text);
    } else if (task.kind == TASK_NOMINEE || task.kind == TASK_TARGET) {
        choose(table, &task);
    }
}

static void
parse_private(const char *dm, const char *before, const char *text)
{
    unsigned who = people_find(dm);
    unsigned table = people_number(text, ", table ");
    struct task task;
    struct task already;
    if (table == 0 || table > current.plan->tables) {
        return;
    }
    struct table_there *there = &current.tables[--table];
    if (strstr(text, "You are ") != NULL &&
        strstr(before, "You are ") == NULL) {
        there->roles++;
    }
    if (strstr(text, phrases_english.hitler) != NULL) {
        there->hitler = who;
    }
    player_read_private(before, &phrases_english, &already);
    player_read_private(text, &phrases_english, &task);
    if (task.kind == already.kind) {
        return;
    }
    if (task.kind == TASK_WORD) {
        (void)plan_post(who, table, 1000 + dice(20000),
                        current.fake_service->word, task.answer, "");
    } else if (task.answer[0] != '\0') {
        there->hands += task.kind == TASK_DISCARD;
        plan_answer(who, table, task.answer);
    }
}

/* Read what the host has posted since. */
static void
read_posts(void)
{
    struct shown_post shown;
    for (; current.fake_service->look(current.server, current.taken, &shown);
         current.taken++) {
        struct buf before = BUF_INIT;
        struct buf text = BUF_INIT;
        if (shown.author[0] != '\0') {
            continue;
        }
        current.begun = true;
        current.updates = current.shared->now;
        people_show_message(&current.people, current.taken, &before, &text);
        (void)current.fake_service->look(current.server, current.taken, &shown);
        if (*shown.dm != '\0') {
            parse_private(shown.dm, buf_text(&before), buf_text(&text));
        } else {
            parse_public(&shown, buf_text(&before), buf_text(&text));
        }
        buf_release(&before);
        buf_release(&text);
    }
}

/* Has the host counted a vote, as far as a player can see?  Its mark on the
 * post says so, or else the post that tells how things stand. */
static bool
seems_counted(const struct act *act)
{
    uint64_t id = act->edits != 0 ? act->edits : act->deletes;
    struct shown_post shown;
    struct buf text = BUF_INIT;
    char awaited[512];
    if (current.fake_service->counted != NULL) {
        return current.fake_service->counted(current.server, id);
    }
    ck_assert(current.fake_service->look(
        current.server, current.tables[act->table].status, &shown));
    people_show(&current.people, shown.text, &text);
    unsigned round = people_number(buf_text(&text), " · round ");
    bool naming = strstr(buf_text(&text), " has to name a Chancellor") != NULL;
    player_between(buf_text(&text), "Missing: ", ".", awaited, sizeof awaited);
    bool counted = round > act->round ||
                   strstr(buf_text(&text), "The game is over") != NULL ||
                   (round == act->round && !naming &&
                    strstr(awaited, people[act->who]) == NULL);
    buf_release(&text);
    return counted;
}

/* A vote is taken back only once the host shows that it was counted: a post
 * that the host never saw counts as none.  True: it is tried later, or given
 * up. */
static bool
comes_too_early(const struct act *act)
{
    if ((act->edits == 0 && act->deletes == 0) || seems_counted(act)) {
        return false;
    }
    if (act->tries < TRIES_MAX) {
        struct act *again = plan_act(act->who, act->table, act->topic, 0);
        *again = *act;
        again->at = current.shared->now + MINUTE_MS;
        again->tries++;
    }
    return true;
}

/* Some change their minds, too late, and some delete what they wrote. */
static void
regret(const struct act *act, uint64_t post)
{
    unsigned how = dice(5);
    const struct fake_service *fake_service = current.fake_service;
    if (how > 1) {
        return;
    }
    struct act *then = plan_post(act->who, act->table, 45000,
                                 fake_service->votes[0], "Nein!", "");
    then->round = act->round;
    then->marked = dice(2) == 0;
    *(how == 0 ? &then->edits : &then->deletes) = post;
}

/* Some vote where the game was opened, beside its own topic; a moderator moves
 * that there. */
static uint64_t
post_astray(const struct act *act)
{
    const struct fake_service *fake_service = current.fake_service;
    uint64_t home = fake_service->topic;
    uint64_t post = 0;
    if (act->vote && fake_service->move != NULL && act->topic != home &&
        dice(4) == 0) {
        post = fake_service->post(current.server, people[act->who], home,
                                  act->text, current.shared->now);
        plan_act(act->who, act->table, act->topic, 150000)->moves = post;
    }
    return post;
}

static void
perform(const struct act *act)
{
    const struct fake_service *fake_service = current.fake_service;
    int64_t now = current.shared->now;
    if (comes_too_early(act)) {
        return;
    }
    if (act->edits != 0) {
        fake_service->change(current.server, act->edits, act->text, act->marked,
                             now);
    } else if (act->deletes != 0) {
        fake_service->remove(current.server, act->deletes);
    } else if (act->moves != 0) {
        fake_service->move(current.server, act->moves, act->topic);
    } else if (post_astray(act) == 0) {
        uint64_t post = fake_service->post(current.server, people[act->who],
                                           act->topic, act->text, now);
        if (act->vote) {
            regret(act, post);
        }
    }
}

/* Do what is due; when the next is. */
static int64_t
perform_due(void)
{
    int64_t next = INT64_MAX;
    for (unsigned i = 0; i < current.act_count;) {
        if (current.acts[i].at > current.shared->now) {
            next = current.acts[i].at < next ? current.acts[i].at : next;
            i++;
            continue;
        }
        struct act act = current.acts[i];
        current.acts[i] = current.acts[--current.act_count];
        perform(&act);
        next = INT64_MAX;
        i = 0;
    }
    return next;
}

/* ---- over HTTP ------------------------------------------------------------
 */

/* Append its headers with names as they are mostly written. */
static void
add_headers(const struct buf *from, struct buf *to)
{
    bool begins = true;
    bool name = true;
    for (size_t i = 0; i < from->len; i++) {
        char byte = from->data[i];
        buf_add_char(
            to, (char)(name && begins ? toupper((unsigned char)byte) : byte));
        name = byte == '\n' || (name && byte != ':');
        begins = byte == '\n' || byte == '-';
    }
}

/* Does the token of the account come with it? */
static bool
is_authorized(const struct httpd_request *from)
{
    const char *form =
        adapter_find(current.fake_service->adapter)->token_header;
    char name[64];
    struct buf want = BUF_INIT;
    struct buf value = BUF_INIT;
    if (form == NULL) {
        return true;
    }
    size_t len = strcspn(form, ":");
    for (size_t i = 0; i < len; i++) {
        name[i] = (char)tolower((unsigned char)form[i]);
    }
    name[len] = '\0';
    const char *hole = strstr(form, "%s");
    buf_addf(&want, "%.*s%s", (int)(hole - form - (int)len - 2), form + len + 2,
             current.fake_service->secret);
    bool has =
        httpd_header(from, name, &value) && buf_equals(&value, buf_text(&want));
    buf_release(&want);
    buf_release(&value);
    return has;
}

static void
take_request(const struct httpd_request *from, struct request *to)
{
    struct buf type = BUF_INIT;
    memset(to, 0, sizeof *to);
    (void)snprintf(to->method, sizeof to->method, "%.7s", from->method);
    buf_addf(&to->url, "%s%s", current.fake_service->base,
             buf_text(&from->target));
    buf_add_buf(&to->body, &from->body);
    add_headers(&from->headers, &to->headers);
    if (httpd_header(from, "content-type", &type)) {
        (void)snprintf(to->type, sizeof to->type, "%s", buf_text(&type));
    }
    to->authorized = is_authorized(from);
    buf_release(&type);
}

/* Answer a request; `lost`: hang up instead, sometimes in the middle of the
 * answer. */
static void
answer_request(struct httpd_request *request, bool lost)
{
    struct request asked;
    struct reply reply;
    struct buf body = BUF_INIT;
    struct buf headers = BUF_INIT;
    take_request(request, &asked);
    current.fake_service->serve(current.server, current.shared->now, &asked,
                                &body, &reply);
    buf_add_text(&headers, reply.headers == NULL ? "" : reply.headers);
    if (reply.date != 0) {
        httpd_add_date(current.shared->now, &headers);
    }
    refusing_took(&current.refusing, current.shared->now, asked.method,
                  buf_text(&request->target), &request->body, reply.status);
    if (lost) {
        static const char begun[] = "HTTP/1.1 200 OK\r\nServer: x\r\n";
        enum loss loss = current.fake_service->losses;
        if (loss == LOSS_BEGUN || (loss == LOSS_EITHER && dice(2) == 0)) {
            httpd_send(request, begun, sizeof begun - 1);
        }
        httpd_hang_up(request);
    } else {
        httpd_answer_bytes(request, reply.status, buf_text(&headers),
                           buf_text(&body), body.len);
    }
    request_clear(&asked);
    buf_release(&asked.url);
    buf_release(&asked.body);
    buf_release(&asked.headers);
    buf_release(&body);
    buf_release(&headers);
}

/* Nothing goes wrong before the host's first post: it ignores what was posted
 * before it came. */
static bool
goes_wrong(unsigned one_in)
{
    return current.begun && happens(one_in);
}

/* Is the host killed at this request?  At one in `kills` on average, and never
 * later than after twice as many: chance alone might spare it for a whole
 * game. */
static bool
is_fatal(void)
{
    if (current.plan->kills == 0 || !current.begun) {
        return false;
    }
    if (current.spared == 0) {
        current.spared = 1 + dice(2 * current.plan->kills - 1);
    }
    current.risked++;
    return --current.spared == 0;
}

/* The headers of a recorded refusal, but for those of its own connection. */
static void
add_recorded_headers(const struct recording *recording, struct buf *headers)
{
    static const char *const own[] = {
        "date:",       "content-length:",   "connection:", "transfer-encoding:",
        "keep-alive:", "content-encoding:", "set-cookie:"};
    for (const char *line = buf_text(&recording->headers); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        bool keeps = len > 0;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
            keeps = keeps && strncmp(line, own[i], strlen(own[i])) != 0;
        }
        if (keeps) {
            buf_add(headers, line, len);
            buf_add_text(headers, "\n");
        }
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    httpd_add_date(current.shared->now, headers);
}

/* Refuse a request, where the plan says so. */
static bool
refuse(struct httpd_request *request)
{
    int64_t now = current.shared->now;
    struct buf headers = BUF_INIT;
    refusing_goes_on(&current.refusing, now);
    const struct recording *recording =
        current.begun
            ? refusing_strikes(&current.refusing, now, request->method,
                               buf_text(&request->target), &request->body)
            : NULL;
    if (recording != NULL) {
        add_recorded_headers(recording, &headers);
        httpd_answer_bytes(request, recording->status, buf_text(&headers),
                           recording->body.data, recording->body.len);
    }
    buf_release(&headers);
    return recording != NULL;
}

/* Answer a request as the plan says.  A host is killed before its request is
 * carried out, after that, or after the answer.  What a host had asked that was
 * killed meanwhile is nothing at which another can be killed. */
static void
answer(struct httpd_request *request)
{
    if (request->gone) {
        return;
    }
    const struct service_game *plan = current.plan;
    bool dies = is_fatal();
    unsigned when = dies ? dice(3) : 3;
    bool lost = when == 1 || goes_wrong(plan->losses);
    if (goes_wrong(plan->storms)) {
        current.fake_service->storm(current.server, 1 + dice(12));
    }
    if (when == 0) {
        httpd_hang_up(request);
    } else if (!refuse(request)) {
        answer_request(request, lost);
        read_posts();
    }
    if (dies) {
        httpd_work(current.httpd, 0);
        kill_host();
        start_host();
        httpd_work(current.httpd, 0);
        wake_host();
    }
}

/* Does a request wait for something new? */
static bool
is_held(const struct httpd_request *request, int64_t begun)
{
    const struct fake_service *fake_service = current.fake_service;
    return fake_service->holds != NULL && !request->gone &&
           fake_service->holds(current.server, current.shared->now,
                               buf_text(&request->target), begun);
}

/* Answer a request, or keep it until there is something new. */
static void
receive(struct httpd_request *request)
{
    if (is_held(request, current.shared->now)) {
        ck_assert_uint_lt(current.held_count, HELD_MAX);
        current.held[current.held_count++] =
            (struct held){request, current.shared->now};
    } else {
        answer(request);
    }
}

/* Answer requests for which there is something new; true: there were any. */
static bool
release_held(void)
{
    bool any = false;
    for (unsigned i = 0; i < current.held_count;) {
        struct held held = current.held[i];
        if (is_held(held.request, held.begun)) {
            i++;
            continue;
        }
        current.held[i] = current.held[--current.held_count];
        if (!held.request->gone) {
            answer(held.request);
            any = true;
        }
    }
    return any;
}

/* Wait until a request comes, or the host has taken its turn.  A host that ends
 * by itself says why in its log. */
static void
wait_for_host(void)
{
    struct pollfd waits[] = {
        {.fd = httpd_descriptor(current.httpd), .events = POLLIN},
        {.fd = current.done_pipe[0], .events = POLLIN}};
    char byte;
    ck_assert_int_gt(poll(waits, 2, -1), 0);
    ck_assert_msg(
        waits[1].revents == 0 || read(current.done_pipe[0], &byte, 1) == 1,
        "the host has ended by itself: see the log in %s", scratch_path("log"));
}

/* Answer what comes until the host has taken its turn; true: something came. */
static bool
serve(void)
{
    struct httpd_request *request;
    bool any = release_held();
    bool idle = false;
    while (!idle) {
        idle = current.shared->turns == current.turns;
        if (!idle) {
            wait_for_host();
        }
        httpd_work(current.httpd, 0);
        while ((request = httpd_next(current.httpd)) != NULL) {
            any = true;
            idle = false;
            receive(request);
        }
    }
    return any;
}

/* ---- the game -------------------------------------------------------------
 */

/* No requests come: go on to what is due next. */
static void
move_on(int64_t next)
{
    int64_t now = current.shared->now;
    int64_t wake = current.shared->busy > current.held_count
                       ? now + JUMP_MS
                       : current.shared->wake;
    if (current.held_count > 0 && wake > now + HOLD_MS) {
        wake = now + HOLD_MS;
    }
    wake = wake < next ? wake : next;
    current.shared->now = wake > now ? wake : now + 1;
}

static void
configure(void)
{
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    struct buf mo = BUF_INIT;
    current.fake_service->user(current.server, "Mo", &mo);
    buf_addf(
        &text,
        "store = \"placard.db\";\n"
        "services = ( { name = \"%s\"; url = \"%s\"; "
        "token_env = \"PLACARD_TEST_TOKEN\"; doorbell = \"off\"; %s } );\n"
        "places = ( { name = \"parlour\"; service = \"%s\"; "
        "address = \"%s\"; moderators = [ \"%s\" ]; thread = \"%s\"; } );\n"
        "edits = \"%s\";\n"
        "style = \"full\";\n",
        current.fake_service->adapter, httpd_url(current.httpd),
        current.fake_service->account, current.fake_service->adapter,
        current.fake_service->address, buf_text(&mo),
        current.plan->own ? "new" : "here",
        current.refusing.kind != NULL && current.refusing.kind->locks ? "lock"
                                                                      : "warn");
    ck_assert_int_eq(file_write(scratch_path("placard.cfg"), buf_text(&text),
                                text.len, 0600, &why),
                     ERR_NONE);
    buf_release(&text);
    buf_release(&mo);
}

static bool
all_are_over(void)
{
    for (unsigned i = 0; i < current.plan->tables; i++) {
        if (!current.tables[i].over) {
            return false;
        }
    }
    return true;
}

/* Tables are opened when the host has come, one after the other. */
static void
open_tables(unsigned *opened)
{
    static const int64_t delay = MINUTE_MS;
    struct buf text = BUF_INIT;
    if (*opened == current.plan->tables ||
        current.shared->now < START + (*opened + 1) * delay ||
        (*opened > 0 && current.tables[*opened - 1].topic == 0)) {
        return;
    }
    char command[64];
    (void)snprintf(command, sizeof command, "!new players=%u",
                   current.plan->players[(*opened)++]);
    people_fill(&current.people, current.fake_service->command, command, "",
                &text);
    (void)current.fake_service->post(current.server, "Mo",
                                     current.fake_service->topic,
                                     buf_text(&text), current.shared->now);
    buf_release(&text);
}

/* What the host has not delivered. */
static void
tell_undelivered(struct buf *out)
{
    sqlite3 *store = NULL;
    sqlite3_stmt *rows = NULL;
    (void)sqlite3_open_v2(scratch_path("placard.db"), &store,
                          SQLITE_OPEN_READONLY, NULL);
    (void)sqlite3_prepare_v2(
        store, "SELECT key, kind, trouble FROM message WHERE state <> 2", -1,
        &rows, NULL);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *trouble = (const char *)sqlite3_column_text(rows, 2);
        buf_addf(out, "undelivered: %s, of kind %d: %s\n",
                 (const char *)sqlite3_column_text(rows, 0),
                 sqlite3_column_int(rows, 1), trouble == NULL ? "" : trouble);
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(store);
}

/* Is a post undelivered that assert_in_order() requires? */
static bool
awaits_posts(void)
{
    sqlite3 *store = NULL;
    sqlite3_stmt *rows = NULL;
    ck_assert_int_eq(sqlite3_open_v2(scratch_path("placard.db"), &store,
                                     SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(
                         store,
                         "SELECT 1 FROM message WHERE kind = 0 AND state <> 2",
                         -1, &rows, NULL),
                     SQLITE_OK);
    int found = sqlite3_step(rows);
    ck_assert_msg(found == SQLITE_ROW || found == SQLITE_DONE,
                  "the host's messages can't be read: %s",
                  sqlite3_errmsg(store));
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(store);
    return found == SQLITE_ROW;
}

/* Fail, saying what a game that got stuck waits for. */
static void
fail_stuck(void)
{
    struct buf told = BUF_INIT;
    struct shown_post shown;
    for (unsigned i = 0; i < current.plan->tables; i++) {
        const struct table_there *there = &current.tables[i];
        buf_addf(&told, "table %u, round %u:\n", i + 1, there->rounds);
        if (there->topic != 0 &&
            current.fake_service->look(current.server, there->status, &shown)) {
            people_show(&current.people, shown.text, &told);
            buf_add_char(&told, '\n');
        }
    }
    tell_undelivered(&told);
    ck_abort_msg("for thirty hours nothing was posted; %u acts to do, %u "
                 "requests refused\n%s",
                 current.act_count, current.refusing.count, buf_text(&told));
}

/* Is anything to come?  A post that was refused last has as long as any other;
 * then a while passes, since nothing may come twice. */
static bool
is_more_to_come(int64_t *end)
{
    int64_t now = current.shared->now;
    bool waits =
        !all_are_over() ||
        (now >= *end && current.plan->refusal != NULL && awaits_posts());
    if (waits && now > current.updates + STUCK * MINUTE_MS) {
        fail_stuck();
    }
    *end = waits ? now + LINGER * MINUTE_MS : *end;
    return current.act_count > 0 || now < *end;
}

/* Let what is due next come. */
static void
pass_time(unsigned opened)
{
    int64_t next = perform_due();
    int64_t minute = current.shared->now + MINUTE_MS;
    move_on(opened < current.plan->tables && minute < next ? minute : next);
}

static void
play(void)
{
    unsigned quiet = 0;
    unsigned opened = 0;
    int64_t end = 0;
    struct shown_post shown;
    while (current.fake_service->look(current.server, current.taken, &shown)) {
        current.taken++;
    }
    current.updates = current.shared->now;
    configure();
    start_host();
    while (is_more_to_come(&end)) {
        open_tables(&opened);
        wake_host();
        quiet = serve() ? 0 : quiet + 1;
        if (quiet >= QUIET) {
            quiet = 0;
            pass_time(opened);
        }
    }
    kill_host();
}

/* ---- what came of it ------------------------------------------------------
 */

static void
assert_none_doubled(void)
{
    struct shown_post one;
    struct shown_post two;
    for (size_t i = 0; current.fake_service->look(current.server, i, &one);
         i++) {
        for (size_t j = 0; one.key[0] != '\0' && j < i; j++) {
            (void)current.fake_service->look(current.server, j, &two);
            if (strcmp(one.key, two.key) == 0) {
                ck_abort_msg("sent twice, %s:\n%s\n%s", one.key, two.text,
                             one.text);
            }
        }
    }
}

/* Is it the host's, and can somebody see it with whom `talk` is not? */
static bool
is_elsewhere(const struct shown_post *shown, const char *dm)
{
    return shown->author[0] == '\0' && strcmp(shown->dm, dm) != 0;
}

/* Nothing that the host told somebody in private stands anywhere else.  What
 * every player is told in the same words tells nothing. */
static void
assert_told_nobody_else(const struct shown_post *message)
{
    struct shown_post other;
    struct buf said = BUF_INIT;
    struct buf seen = BUF_INIT;
    people_show(&current.people, message->text, &said);
    /* A hand or a result names its round, so nobody else gets the same. */
    bool own = strstr(buf_text(&said), ", round ") != NULL;
    for (size_t i = 0; current.fake_service->look(current.server, i, &other);
         i++) {
        if (!is_elsewhere(&other, message->dm)) {
            continue;
        }
        buf_clear(&seen);
        people_show(&current.people, other.text, &seen);
        bool public = *other.dm == '\0';
        const char *line = buf_text(&said);
        if (!public && own &&
            strstr(buf_text(&seen), buf_text(&said)) != NULL) {
            ck_abort_msg("%s was told what is %s's:\n%s", other.dm, message->dm,
                         buf_text(&said));
        }
        while (public && *line != '\0') {
            char copy[512];
            size_t len = strcspn(line, "\n");
            (void)snprintf(copy, sizeof copy, "%.*s", (int)len, line);
            /* A hint may be given in private, and another time in public. */
            bool both = strstr(copy, "you posted with the sign-ups") != NULL ||
                        strstr(copy, "votes only count in bold") != NULL ||
                        strstr(copy, "names only count in bold") != NULL;
            if (len >= LINE_MIN && !both &&
                strstr(buf_text(&seen), copy) != NULL) {
                ck_abort_msg("in public stands what is %s's:\n%s", message->dm,
                             copy);
            }
            line += len + (line[len] == '\n' ? 1 : 0);
        }
    }
    buf_release(&said);
    buf_release(&seen);
}

static void
assert_nothing_told(void)
{
    static const char *const secrets[] = {"You are ", "your cards are below",
                                          "hands you two", "\n1 Fascist",
                                          "\n1 Liberal"};
    struct shown_post shown;
    for (size_t i = 0; current.fake_service->look(current.server, i, &shown);
         i++) {
        if (strstr(shown.text, current.fake_service->secret) != NULL) {
            ck_abort_msg("the token stands in: %s", shown.text);
        }
        if (shown.author[0] == '\0' && *shown.dm != '\0') {
            assert_told_nobody_else(&shown);
            continue;
        }
        for (size_t j = 0;
             shown.author[0] == '\0' && j < sizeof secrets / sizeof secrets[0];
             j++) {
            if (strstr(shown.text, secrets[j]) != NULL) {
                ck_abort_msg("%s", shown.text);
            }
        }
    }
}

/* A file of the host's does not hold a text. */
static void
assert_file_lacks(const char *name, const char *text)
{
    struct buf content = BUF_INIT;
    struct buf why = BUF_INIT;
    bool holds = false;
    if (file_read(scratch_path(name), &content, &why) == ERR_NONE) {
        size_t len = strlen(text);
        for (size_t i = 0; i + len <= content.len; i++) {
            holds = holds || memcmp(content.data + i, text, len) == 0;
        }
    }
    buf_release(&content);
    buf_release(&why);
    ck_assert_msg(!holds, "%s holds %s", name, text);
}

/* The log does not hold a role, but where the service quotes it as a word of a
 * public post that it refused. */
static void
assert_log_lacks(const char *role)
{
    struct buf log = BUF_INIT;
    struct buf why = BUF_INIT;
    const struct refused_request *kind = current.plan->refusal;
    const struct recording *refusal =
        kind == NULL
            ? NULL
            : recordings_named(recordings_of(kind->fake_service->adapter),
                               kind->recording);
    bool quoted =
        refusal != NULL && strstr(buf_text(&refusal->body), role) != NULL;
    if (!quoted) {
        assert_file_lacks("log", role);
        return;
    }
    ck_assert_int_eq(file_read(scratch_path("log"), &log, &why), ERR_NONE);
    for (const char *line = buf_text(&log); *line != '\0';) {
        char copy[1024];
        size_t len = strcspn(line, "\n");
        (void)snprintf(copy, sizeof copy, "%.*s", (int)len, line);
        ck_assert_msg(strstr(copy, role) == NULL ||
                          (strstr(copy, " waits since ") != NULL &&
                           strstr(copy, ": a private message") == NULL),
                      "the log tells: %s", copy);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    buf_release(&log);
}

/* Is the nth post the last of its message? */
static bool
is_last_line(size_t at)
{
    struct shown_post one;
    struct shown_post other;
    ck_assert(current.fake_service->look(current.server, at, &one));
    for (size_t i = at + 1;
         current.fake_service->look(current.server, i, &other); i++) {
        if (people_see_one(&one, &other)) {
            return false;
        }
    }
    return true;
}

/* How many of the host's messages to somebody about a table have some words. */
static unsigned
count_told(unsigned table, const char *user, const char *words)
{
    struct shown_post shown;
    unsigned count = 0;
    for (size_t i = 0; current.fake_service->look(current.server, i, &shown);
         i++) {
        struct buf before = BUF_INIT;
        struct buf text = BUF_INIT;
        if (shown.author[0] == '\0' && strcasecmp(shown.dm, user) == 0 &&
            is_last_line(i)) {
            people_show_message(&current.people, i, &before, &text);
            count += people_number(buf_text(&text), ", table ") == table + 1 &&
                     strstr(buf_text(&text), words) != NULL;
        }
        buf_release(&before);
        buf_release(&text);
    }
    return count;
}

/* How many lines of a record have all of two texts. */
static unsigned
count_lines(const struct buf *record, const char *one, const char *two)
{
    unsigned count = 0;
    for (const char *line = buf_text(record); *line != '\0';) {
        char copy[4096];
        size_t len = strcspn(line, "\n");
        (void)snprintf(copy, sizeof copy, "%.*s", (int)len, line);
        count += strstr(copy, one) != NULL && strstr(copy, two) != NULL;
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    return count;
}

/* Each player was told the role of the record once, and each hand once. */
static void
assert_told_all(unsigned table, const struct buf *record)
{
    static const struct {
        const char *role, *words;
    } roles[] = {{"liberal", "You are a Liberal"},
                 {"fascist", "You are a Fascist"},
                 {"hitler", "You are Hitler"}};
    const struct table_there *there = &current.tables[table];
    for (unsigned i = 0; i < there->players; i++) {
        const char *name = people[there->first + i];
        char hand[64];
        char role[64];
        ck_assert_uint_eq(count_told(table, name, "You are "), 1);
        for (unsigned j = 0; j < 3; j++) {
            (void)snprintf(role, sizeof role, "\"%s\":\"%s\"", name,
                           roles[j].role);
            ck_assert_uint_eq(count_told(table, name, roles[j].words),
                              count_lines(record, "\"dealt\"", role));
        }
        (void)snprintf(hand, sizeof hand, "\"to\":\"%s\"", name);
        ck_assert_uint_eq(count_told(table, name, "you're President, and"),
                          count_lines(record, "\"hand\"", hand));
    }
}

/* The real program exports the record and proves it; nothing that somebody did
 * was lost: nothing was rejected, closed by time or left to lots, and whoever
 * could discard a Liberal did. */
static void
assert_recorded(unsigned table)
{
    char command[1024];
    char name[32];
    struct buf record = BUF_INIT;
    struct buf why = BUF_INIT;
    (void)snprintf(name, sizeof name, "game-%u.jsonl", table + 1);
    (void)snprintf(command, sizeof command,
                   "PLACARD_DATA=config PLACARD_TEST_TOKEN=x %s record -c "
                   "%s/placard.cfg %u -o %s/%s && %s verify "
                   "%s/%s > /dev/null",
                   TEST_PROGRAM, scratch, table + 1, scratch, name,
                   TEST_PROGRAM, scratch, name);
    ck_assert_int_eq(system(command), 0);
    ck_assert_int_eq(file_read(scratch_path(name), &record, &why), ERR_NONE);
    static const char *const lost[] = {"\"deadline\"", "\"lots\"",
                                       "\"forfeited\"", "\"elected\":false",
                                       "\"vote\":\"nein\""};
    /* Whom a private message was refused is waited for. */
    size_t first = current.plan->refusal == NULL ? 0 : 1;
    ck_assert_uint_eq(count_lines(&record, ":\"deadline\"", ""), 0);
    for (size_t i = first; i < sizeof lost / sizeof lost[0]; i++) {
        ck_assert_msg(strstr(buf_text(&record), lost[i]) == NULL,
                      "something got lost: %s\n%.3000s", lost[i],
                      strstr(buf_text(&record), lost[i]) - 300);
    }
    ck_assert_uint_eq(count_lines(&record, "\"discarded\":\"F\"", "\"L\""), 0);
    ck_assert_uint_eq(current.tables[table].hands,
                      count_lines(&record, "\"hand\"", ""));
    assert_told_all(table, &record);
    buf_release(&record);
}

/* What stands where a table was asked for leads to it. */
static void
assert_led_to(unsigned table)
{
    struct shown_post shown;
    char topic[32];
    char title[64];
    bool led = false;
    (void)snprintf(topic, sizeof topic, "%" PRIu64,
                   current.tables[table].topic);
    (void)snprintf(title, sizeof title,
                   ", table %u is over there: ", table + 1);
    for (size_t i = 0; current.fake_service->look(current.server, i, &shown);
         i++) {
        struct buf text = BUF_INIT;
        if (shown.author[0] == '\0' && *shown.dm == '\0') {
            people_show(&current.people, shown.text, &text);
        }
        const char *link = strstr(buf_text(&text), title);
        led = led || (shown.topic == current.fake_service->topic &&
                      link != NULL && strstr(link, topic) != NULL);
        buf_release(&text);
    }
    ck_assert_msg(led, "nothing leads to table %u", table + 1);
}

/* Where the host's post with a key stands, from 1; 0: nowhere.  A message that
 * was sent line by line stands where its first line does. */
static size_t
place_of_key(const char *key)
{
    struct shown_post shown;
    size_t len = strlen(key);
    for (size_t i = 0; current.fake_service->look(current.server, i, &shown);
         i++) {
        if (strncmp(shown.key, key, len) == 0 &&
            (shown.key[len] == '\0' || shown.key[len] == '.')) {
            return i + 1;
        }
    }
    return 0;
}

/* Every call and result of a table was posted, in the order in which it was
 * written; the answers, too. */
static void
assert_in_order(void)
{
    sqlite3 *store = NULL;
    sqlite3_stmt *rows = NULL;
    size_t last[TABLES_MAX + 1][2] = {{0}};
    ck_assert_int_eq(sqlite3_open_v2(scratch_path("placard.db"), &store,
                                     SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_prepare_v2(store,
                           "SELECT key, CAST(game AS INTEGER), batch > 0, state"
                           " FROM message WHERE kind = 0 ORDER BY id",
                           -1, &rows, NULL),
        SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(rows, 0);
        int game = sqlite3_column_int(rows, 1);
        int calls = sqlite3_column_int(rows, 2);
        ck_assert_int_eq(sqlite3_column_int(rows, 3), 2);
        size_t at = place_of_key(key);
        ck_assert_int_le(game, TABLES_MAX);
        ck_assert_msg(!calls || at > 0, "never posted: %s", key);
        ck_assert_msg(at == 0 || at > last[game][calls], "out of order: %s",
                      key);
        last[game][calls] = at == 0 ? last[game][calls] : at;
    }
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(store);
}

static void
set_up(const struct service_game *plan, uint64_t seed)
{
    scratch_make();
    memset(&current, 0, sizeof current);
    current.plan = plan;
    current.fake_service = plan->fake_service;
    current.chance = seed;
    for (unsigned i = 0; i < plan->tables; i++) {
        current.tables[i].players = plan->players[i];
        current.tables[i].first =
            i == 0 ? 0 : current.tables[i - 1].players - SHARED;
    }
    int file = open(scratch_path("shared"), O_RDWR | O_CREAT, 0600);
    ck_assert_int_eq(ftruncate(file, sizeof *current.shared), 0);
    current.shared = mmap(NULL, sizeof *current.shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED, file, 0);
    (void)close(file);
    ck_assert_ptr_ne(current.shared, MAP_FAILED);
    current.shared->now = START;
    current.server = plan->fake_service->open();
    current.people = (struct fake_people){plan->fake_service, current.server};
    current.refusing.kind = plan->refusal;
    current.refusing.server = current.server;
    current.refusing.passed = true; /* the first is refused */
    current.httpd = httpd_new();
}

static void
tear_down(void)
{
    current.fake_service->close(current.server);
    httpd_free(current.httpd);
    (void)munmap(current.shared, sizeof *current.shared);
    scratch_remove();
}

void
service_game_play(const struct service_game *plan, uint64_t seed)
{
    static const char *const files[] = {"placard.db", "placard.db-wal", "log"};
    set_up(plan, seed);
    play();
    if (plan->kills > 0) {
        ck_assert_uint_gt(current.starts, 1);
        ck_assert_uint_gt(current.starts, current.risked / (2 * plan->kills));
    }
    for (unsigned i = 0; i < plan->tables; i++) {
        ck_assert_uint_eq(current.tables[i].roles, plan->players[i]);
        assert_recorded(i);
        if (plan->own && !plan->denied) {
            assert_led_to(i);
        }
    }
    assert_none_doubled();
    if (plan->refusal != NULL) {
        ck_assert_uint_gt(current.refusing.count, 0);
        assert_in_order();
    }
    assert_nothing_told();
    for (size_t i = 0; i < 3; i++) {
        assert_file_lacks(files[i], plan->fake_service->secret);
    }
    assert_log_lacks("Fascist");
    assert_log_lacks("Hitler");
    if (plan->fake_service->end != NULL) {
        /* What was recorded does not show this service's limits. */
        plan->fake_service->end(current.server,
                                plan->kills > 0 || plan->refusal != NULL);
    }
    tear_down();
}
