#include "tests/bench/players.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "bot/base/civil.h"
#include "bot/base/heap.h"
#include "bot/base/index.h"
#include "bot/base/splitmix.h"
#include "tests/bench/fake_gateway.h"
#include "tests/support/player.h"

enum {
    OPEN_APART_MS = 100, /* between the beginnings of the first games */
    JOIN_APART_MS = 100, /* between two who join */
};

#define UNANSWERED_MS (10 * MINUTE_MS)

struct game;

/* Somebody at a game.  Another takes the place when a new game begins. */
struct person {
    struct heap_item due; /* when they do what follows */
    struct game *game;
    unsigned number; /* in their name */
    enum deed next;
    char text[96];
    bool in_private;
    /* What was not answered yet. */
    uint64_t post; /* 0: nothing */
    enum deed done;
    int64_t since;
    bool read; /* by the host */
};

struct game {
    const struct fake_discord_guild *guild;
    uint64_t thread; /* 0: none yet */
    bool queued;     /* it is to be opened */
    bool asked;      /* a first question was put */
    struct person people[SEATS];
};

/* Games that are to be opened in a guild's channel: it has one at a time, until
 * that has its thread. */
struct queue {
    struct game **games;
    unsigned count;
};

struct players {
    struct fake_discord *discord;
    struct game *games;
    unsigned game_count, guild_count;
    struct heap due;
    struct index by_name, by_thread; /* numbers of people and games, from 1 */
    struct queue *opening;           /* by guild */
    const struct fake_discord_guild *guilds;
    unsigned named; /* so many names were given */
    int64_t think;  /* ms, at most */
    uint64_t chance;
    uint64_t page;    /* the channel of which a page was read last, */
    int64_t page_at;  /* and when */
    int64_t answered; /* the host has, last, */
    int64_t posted;   /* and what it answered was */
    struct players_count count;
};

/* ---- people -------------------------------------------------------------- */

static struct person *
person_at(struct players *players, size_t number)
{
    return &players->games[number / SEATS].people[number % SEATS];
}

static void
write_name(const struct person *person, char name[16])
{
    (void)snprintf(name, 16, "P%u", person->number);
}

/* NULL: nobody who sits at a game. */
static struct person *
find_person(struct players *players, const char *name)
{
    uintptr_t number = 0;
    size_t at = 0;
    char own[16];
    name += *name == '@' ? 1 : 0;
    while ((number = index_next(&players->by_name, index_key("", name), &at)) !=
           0) {
        struct person *person = person_at(players, number - 1);
        write_name(person, own);
        if (strcmp(own, name) == 0) {
            return person;
        }
    }
    return NULL;
}

/* A newcomer takes a seat. */
static void
seat_somebody(struct players *players, struct person *person)
{
    char name[16];
    size_t number = (size_t)(person->game - players->games) * SEATS +
                    (size_t)(person - person->game->people);
    if (person->number != 0) {
        write_name(person, name);
        index_remove(&players->by_name, index_key("", name), number + 1);
        heap_remove(&players->due, &person->due);
    }
    person->number = ++players->named;
    person->post = 0;
    write_name(person, name);
    index_add(&players->by_name, index_key("", name), number + 1);
}

static int64_t
think(struct players *players)
{
    return MINUTE_MS + (int64_t)(splitmix_next(&players->chance) %
                                 (uint64_t)players->think);
}

static void
plan(struct players *players, struct person *person, enum deed deed,
     bool in_private, const char *text, int64_t at)
{
    person->next = deed;
    person->in_private = in_private;
    (void)snprintf(person->text, sizeof person->text, "%s", text);
    heap_set(&players->due, &person->due, at);
}

/* ---- games --------------------------------------------------------------- */

/* The first of its people opens it. */
static void
ask_for_game(struct players *players, struct game *game, int64_t at)
{
    char text[64];
    (void)snprintf(text, sizeof text, "!new players=%u", SEATS);
    plan(players, &game->people[0], DEED_PUBLIC, false, text, at);
}

static void
begin_game(struct players *players, struct game *game, int64_t at)
{
    for (unsigned i = 0; i < SEATS; i++) {
        seat_somebody(players, &game->people[i]);
    }
    game->asked = false;
    game->thread = 0;
    ask_for_game(players, game, at);
}

static void
free_openings(struct players *players)
{
    for (unsigned i = 0; i < players->guild_count; i++) {
        free(players->opening[i].games);
    }
    free(players->opening);
}

static void watch(void *context, const struct fake_discord_message *message,
                  enum fake_discord_act act, int64_t now);

struct players *
players_new(struct fake_discord *discord,
            const struct fake_discord_guild *guilds, unsigned guild_count,
            unsigned games, int64_t begun, int64_t think)
{
    struct players *players = must_alloc(sizeof *players);
    players->discord = discord;
    players->game_count = games;
    players->guild_count = guild_count;
    players->guilds = guilds;
    players->games = must_alloc(games * sizeof *players->games);
    players->opening = must_alloc(guild_count * sizeof(struct queue));
    players->think = think;
    players->chance = 1;
    for (unsigned i = 0; i < guild_count; i++) {
        players->opening[i].games =
            must_alloc((games / guild_count + 1) * sizeof(struct game *));
    }
    for (unsigned i = 0; i < games; i++) {
        struct game *game = &players->games[i];
        game->guild = &guilds[i % guild_count];
        for (unsigned j = 0; j < SEATS; j++) {
            game->people[j].game = game;
            game->people[j].due.owner = &game->people[j];
            game->people[j].due.number = (uint64_t)i * SEATS + j;
        }
        begin_game(players, game, begun + (int64_t)i * OPEN_APART_MS);
    }
    fake_discord_tell(discord, watch, players);
    return players;
}

void
players_free(struct players *players)
{
    free_openings(players);
    free(players->games);
    heap_release(&players->due);
    index_release(&players->by_name);
    index_release(&players->by_thread);
    for (unsigned i = 0; i < DEEDS; i++) {
        free(players->count.delays[i].list);
    }
    free(players);
}

/* ---- answers ------------------------------------------------------------- */

static void
add_delay(struct delays *delays, double delay)
{
    if (delays->count == delays->room) {
        delays->room = delays->room == 0 ? 1024 : 2 * delays->room;
        delays->list =
            must_grow(delays->list, delays->room * sizeof *delays->list);
    }
    delays->list[delays->count++] = delay;
}

/* What somebody did was answered. */
static void
answered(struct players *players, struct person *person, int64_t now)
{
    if (person->post != 0) {
        unsigned missed = fake_gateway_misses(person->post) ? DEEDS_TOLD : 0;
        add_delay(&players->count.delays[person->done + missed],
                  (double)(now - person->since));
        players->answered = now;
        players->posted = person->since;
    }
    person->post = 0;
}

/* The host has posted something: that answers what was said there, but for
 * votes. */
static void
answer_all(struct players *players, struct game *game, int64_t now)
{
    for (unsigned i = 0; i < SEATS; i++) {
        if (game->people[i].done == DEED_PUBLIC) {
            answered(players, &game->people[i], now);
        }
    }
}

/* ---- reading ------------------------------------------------------------- */

/* What people see of a post: without marks, with names for mentions. */
static void
show(const struct players *players, const char *text, struct buf *out)
{
    struct rich rich = {.count = 0};
    bool unread = false;
    adapter_discord.dialect->read(text, strlen(text), &rich, &unread);
    for (size_t i = 0; i < rich.count; i++) {
        const struct run *run = &rich.runs[i];
        char id[32];
        if ((run->marks & MARK_MENTION) != 0) {
            (void)snprintf(id, sizeof id, "%.*s", (int)run->id_len,
                           rich_run_id(&rich, run));
            buf_add_text(out, fake_discord_name(players->discord, id));
        } else {
            buf_add(out, rich_run_text(&rich, run), run->len);
        }
    }
    rich_release(&rich);
}

static unsigned
worth(const void *context, const char *name)
{
    uint64_t mixed = *(const uint64_t *)context ^ index_key("", name);
    return 1 + (unsigned)(mixed % 64);
}

static void
choose(struct players *players, const struct task *task, int64_t now)
{
    uint64_t chance = splitmix_next(&players->chance);
    struct person *person = find_person(players, task->who);
    char chosen[64];
    char text[80];
    if (person != NULL) {
        player_choose(task->list, worth, &chance, chosen);
        (void)snprintf(text, sizeof text, "I take\n**%s**", chosen);
        plan(players, person, DEED_PUBLIC, false, text, now + think(players));
    }
}

static void
vote(struct players *players, struct game *game, int64_t now)
{
    for (unsigned i = 0; i < SEATS; i++) {
        bool ja = splitmix_below(&players->chance, 4) > 0;
        plan(players, &game->people[i], DEED_VOTE, false,
             ja ? "**Ja!** says I" : "**Nein!** says I", now + think(players));
    }
}

static void
answer_veto(struct players *players, const struct task *task, int64_t now)
{
    struct person *person = find_person(players, task->president);
    if (person != NULL) {
        plan(players, person, DEED_PUBLIC, false, "**Declined**",
             now + think(players));
    }
}

static void
begin_anew(struct players *players, struct game *game, int64_t now)
{
    char thread[24];
    (void)snprintf(thread, sizeof thread, "%" PRIu64, game->thread);
    index_remove(&players->by_thread, index_key("", thread),
                 (uintptr_t)(game - players->games) + 1);
    players->count.ended++;
    begin_game(players, game, now + think(players));
}

/* The vote is over: nobody votes any more, and no vote is answered. */
static void
end_vote(struct players *players, struct game *game)
{
    for (unsigned i = 0; i < SEATS; i++) {
        struct person *person = &game->people[i];
        if (person->next == DEED_VOTE) {
            heap_remove(&players->due, &person->due);
        }
        if (person->done == DEED_VOTE) {
            person->post = 0;
        }
    }
}

static void
parse_public(struct players *players, struct game *game, const char *text,
             int64_t now)
{
    struct task task;
    player_read(text, &phrases_english, &task);
    if (task.kind != TASK_NOTHING) {
        end_vote(players, game);
    }
    if (task.kind != TASK_NOTHING && !game->asked) {
        game->asked = true;
        players->count.running++;
    }
    if (task.kind == TASK_OVER) {
        players->count.running--;
        begin_anew(players, game, now);
    } else if (task.kind == TASK_VETO) {
        answer_veto(players, &task, now);
    } else if (task.kind == TASK_VOTE) {
        vote(players, game, now);
    } else if (task.kind == TASK_NOMINEE || task.kind == TASK_TARGET) {
        choose(players, &task, now);
    }
}

/* The game that has waited longest in a guild has its thread: all join. */
static void
parse_open(struct players *players, uint64_t thread, const char *guild,
           int64_t now)
{
    unsigned number = 0;
    char id[24];
    while (strcmp(players->guilds[number].id, guild) != 0) {
        number++;
    }
    struct queue *queue = &players->opening[number];
    if (queue->count == 0) {
        return;
    }
    struct game *game = queue->games[0];
    queue->count--;
    memmove(queue->games, queue->games + 1,
            queue->count * sizeof(struct game *));
    if (queue->count > 0) {
        ask_for_game(players, queue->games[0], now + SECOND_MS);
    }
    game->queued = false;
    game->thread = thread;
    (void)snprintf(id, sizeof id, "%" PRIu64, thread);
    index_add(&players->by_thread, index_key("", id),
              (uintptr_t)(game - players->games) + 1);
    for (unsigned i = 0; i < SEATS; i++) {
        plan(players, &game->people[i], DEED_PUBLIC, false, "!join",
             now + 10 * SECOND_MS + (int64_t)i * JOIN_APART_MS);
    }
}

/* NULL: it is no thread of a game. */
static struct game *
find_game(struct players *players, uint64_t thread)
{
    uintptr_t number = 0;
    size_t at = 0;
    char id[24];
    (void)snprintf(id, sizeof id, "%" PRIu64, thread);
    while ((number = index_next(&players->by_thread, index_key("", id), &at)) !=
           0) {
        if (players->games[number - 1].thread == thread) {
            return &players->games[number - 1];
        }
    }
    return NULL;
}

static void
parse_private(struct players *players, const char *dm, const char *text,
              int64_t now)
{
    struct person *person = find_person(players, dm);
    struct task task;
    char word[80];
    if (person == NULL) {
        return;
    }
    if (person->done == DEED_CARD) {
        answered(players, person, now);
    }
    player_read_private(text, &phrases_english, &task);
    if (task.kind == TASK_WORD) {
        (void)snprintf(word, sizeof word, "**%s**", task.answer);
        plan(players, person, DEED_PUBLIC, false, word, now + think(players));
    } else if (task.answer[0] != '\0') {
        plan(players, person, DEED_CARD, true, task.answer,
             now + think(players));
    }
}

static void
parse_post(struct players *players, const struct fake_discord_message *message,
           int64_t now)
{
    struct buf text = BUF_INIT;
    const char *dm = fake_discord_dm(players->discord, message->channel);
    struct game *game = find_game(players, message->channel);
    show(players, message->content, &text);
    if (*dm != '\0') {
        parse_private(players, dm, buf_text(&text), now);
    } else if (game != NULL) {
        answer_all(players, game, now);
        parse_public(players, game, buf_text(&text), now);
    } else if (strstr(buf_text(&text), " players: table ") != NULL) {
        const char *guild =
            fake_discord_guild_of(players->discord, message->channel);
        if (fake_discord_is_thread(players->discord, message->channel)) {
            parse_open(players, message->channel, guild, now);
        }
    }
    buf_release(&text);
}

/* A page brings a message: does it bring something new? */
static void
count_page(struct players *players, const struct fake_discord_message *message,
           int64_t now)
{
    struct person *person = find_person(players, message->author);
    bool same = players->page == message->channel && players->page_at == now;
    if (person != NULL && person->post == message->id && !person->read) {
        person->read = true;
        players->count.pages += !same;
        players->page = message->channel;
        players->page_at = now;
    }
}

static void
watch(void *context, const struct fake_discord_message *message,
      enum fake_discord_act act, int64_t now)
{
    struct players *players = context;
    struct person *person = NULL;
    switch (act) {
    case FAKE_DISCORD_WROTE:
        parse_post(players, message, now);
        break;
    case FAKE_DISCORD_REACTED:
        person = find_person(players, message->author);
        if (person != NULL && person->post == message->id) {
            answered(players, person, now);
        }
        break;
    case FAKE_DISCORD_READ:
        count_page(players, message, now);
        break;
    }
}

/* ---- acting -------------------------------------------------------------- */

int64_t
players_next(const struct players *players)
{
    const struct heap_item *first = heap_first(&players->due);
    return first == NULL ? INT64_MAX : first->at;
}

/* Is another game being opened in a game's channel?  Then it queues up. */
static bool
has_to_queue(struct players *players, struct game *game)
{
    struct queue *queue = &players->opening[game->guild - players->guilds];
    if (!game->queued) {
        game->queued = true;
        queue->games[queue->count++] = game;
    }
    return queue->games[0] != game;
}

static void
act(struct players *players, struct person *person, int64_t now)
{
    char name[16];
    struct game *game = person->game;
    bool opens = !person->in_private && game->thread == 0;
    uint64_t channel = person->in_private ? 0
                       : opens ? strtoull(game->guild->channel, NULL, 10)
                               : game->thread;
    if (opens && has_to_queue(players, game)) {
        return;
    }
    write_name(person, name);
    person->post =
        fake_discord_post(players->discord, name, channel, person->text, now)
            ->id;
    person->done = person->next;
    person->read = false;
    person->since = now;
    players->count.deeds++;
}

void
players_act(struct players *players, int64_t now)
{
    struct heap_item *first = NULL;
    while ((first = heap_first(&players->due)) != NULL && first->at <= now) {
        heap_remove(&players->due, first);
        act(players, first->owner, now);
    }
}

/* ---- what came of it ----------------------------------------------------- */

void
players_clear(struct players *players)
{
    for (unsigned i = 0; i < DEEDS; i++) {
        players->count.delays[i].count = 0;
    }
    players->count.deeds = 0;
    players->count.pages = 0;
    players->count.ended = 0;
}

int64_t
players_answered(const struct players *players, int64_t *posted)
{
    *posted = players->posted;
    return players->answered;
}

const struct players_count *
players_count(struct players *players, int64_t now)
{
    players->count.unanswered = 0;
    for (unsigned i = 0; i < players->game_count; i++) {
        for (unsigned j = 0; j < SEATS; j++) {
            const struct person *person = &players->games[i].people[j];
            players->count.unanswered +=
                person->post != 0 && person->since + UNANSWERED_MS < now;
        }
    }
    return &players->count;
}
