#include "tests/support/bare_host.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/board/board_server.h"
#include "bot/base/err.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/judge/conduct.h"
#include "bot/host/judge/referee.h"
#include "bot/host/judge/timers.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/notice.h"

/* ---- history ------------------------------------------------------------- */

static bool
find_post(void *context, const struct table *table, const char *id,
          struct read_post *post)
{
    const struct bare_host *bare_host = context;
    unsigned long number = strtoul(id, NULL, 10);
    if (number == 0 || number > bare_host->post_count) {
        return false;
    }
    const struct bare_host_post *found = &bare_host->posts[number - 1];
    memset(post, 0, sizeof *post);
    (void)snprintf(post->id, sizeof post->id, "%s", id);
    (void)snprintf(post->author, sizeof post->author, "%s", found->author);
    (void)snprintf(post->place, sizeof post->place, "%s",
                   found->dm ? "talk" : table->thread);
    return true;
}

static struct move
read_row(const struct bare_host *bare_host, unsigned row)
{
    struct move move;
    struct buf why = BUF_INIT;
    const char *text = bare_host->rows[row];
    enum err err = move_read(text, strlen(text), &move, &why);
    assert(err == ERR_NONE);
    (void)err;
    return move;
}

/* Backwards, past what was taken back already. */
static bool
find_before(void *context, const struct table *table, const char *id,
            unsigned asked, struct before *before)
{
    const struct bare_host *bare_host = context;
    unsigned row = bare_host->row_count;
    bool late = asked != 0 && id[0] == '\0'; /* behind the request */
    (void)table;
    while (row > 0) {
        struct move move = read_row(bare_host, --row);
        if (move.kind == MOVE_REWIND) {
            row = move.number;
            continue;
        }
        before->people_came =
            before->people_came || move.kind == MOVE_REPLACE ||
            (move.kind == MOVE_PLAY && move.command.kind == COMMAND_VACATE);
        bool seen = move_is_act(&move) && !move_is_hidden(&move);
        before->fallen += seen;
        late = late && (move.kind != MOVE_ASK || move.number != asked);
        if (row > 0 && seen && !late &&
            (id[0] == '\0' || strcmp(id, move.post) == 0)) {
            before->row = row;
            table_release(&before->table);
            table_clone(&before->table, &bare_host->tables[row - 1]);
            return true;
        }
    }
    return false;
}

/* ---- chance -------------------------------------------------------------- */

static void
own_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    const struct bare_host *bare_host = context;
    memcpy(secret, bare_host->secret, DEAL_SECRET);
}

/* ---- setting up ---------------------------------------------------------- */

/* No game ends at a bare host but to end the test. */
static bool
find_last(void *context, const char *thread, const struct place *place,
          struct table *table)
{
    (void)context;
    (void)thread;
    (void)place;
    (void)table;
    return false;
}

void
bare_host_init(struct bare_host *bare_host)
{
    struct buf why = BUF_INIT;
    memset(bare_host, 0, sizeof *bare_host);
    table_init(&bare_host->table);
    table_init(&bare_host->before);
    enum err err =
        catalogue_load(&bare_host->catalogue, "en", THEME_ORIGINAL, &why);
    if (err != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    bare_host->tables =
        must_alloc(BARE_HOST_ROWS_MAX * sizeof bare_host->tables[0]);
    bare_host->dealer = dealer_fair;
    bare_host->dealer.context = bare_host;
    bare_host->dealer.generate_secret = own_secret;
    bare_host->history = (struct history){
        .context = bare_host,
        .post = find_post,
        .before = find_before,
        .last = find_last,
    };
    (void)snprintf(bare_host->place.name, sizeof bare_host->place.name,
                   "board");
    (void)snprintf(bare_host->place.moderators[0],
                   sizeof bare_host->place.moderators[0], "Mo");
    bare_host->place.moderator_count = 1;
}

static void
forget_ruling(struct bare_host *bare_host)
{
    if (bare_host->has_ruling) {
        ruling_release(&bare_host->ruling);
        bare_host->has_ruling = false;
    }
}

static void
forget_rows(struct bare_host *bare_host)
{
    for (unsigned i = 0; i < bare_host->row_count; i++) {
        table_release(&bare_host->tables[i]);
        free(bare_host->rows[i]);
        free(bare_host->lines[i]);
    }
    bare_host->row_count = 0;
}

void
bare_host_release(struct bare_host *bare_host)
{
    forget_ruling(bare_host);
    forget_rows(bare_host);
    table_release(&bare_host->table);
    table_release(&bare_host->before);
    free(bare_host->tables);
    zone_free(bare_host->zone);
    catalogue_release(&bare_host->catalogue);
}

void
bare_host_clear(struct bare_host *bare_host, uint64_t seed, int64_t now)
{
    struct buf why = BUF_INIT;
    const char *zone = bare_host->place.settings.zone;
    forget_ruling(bare_host);
    forget_rows(bare_host);
    zone_free(bare_host->zone);
    bare_host->zone = NULL;
    if (strcmp(zone, "UTC") != 0 &&
        zone_load(zone, &bare_host->zone, &why) != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        bare_host->secret[i] = (unsigned char)(seed >> 8 * (i % 8) ^ i);
    }
    table_release(&bare_host->table);
    table_blank(&bare_host->table, &bare_host->place.settings, "board",
                "thread");
    bare_host->post_count = 0;
    bare_host->env = (struct host_env){
        .catalogue = &bare_host->catalogue,
        .dialect = &dialect_board,
        .capabilities = &adapter_board.capabilities,
        .zone = bare_host->zone == NULL ? zone_utc() : bare_host->zone,
        .dealer = &bare_host->dealer,
        .place = &bare_host->place,
        .self = BOARD_HOST,
        .home = "thread",
        .moderators_channel = "",
        .history = &bare_host->history,
        .now = now,
    };
}

/* ---- what the tables do -------------------------------------------------- */

static struct ruling *
begin(struct bare_host *bare_host, const char *author)
{
    forget_ruling(bare_host);
    table_release(&bare_host->before);
    table_clone(&bare_host->before, &bare_host->table);
    bare_host->author = author;
    ruling_init(&bare_host->ruling, &bare_host->env, &bare_host->table);
    bare_host->has_ruling = true;
    return &bare_host->ruling;
}

static char *
copy_buf(const struct buf *buf)
{
    return must_copy(buf_text(buf));
}

/* Keep the rows.  The table after each but the last is found by playing. */
static void
save(struct bare_host *bare_host)
{
    const struct ruling *ruling = &bare_host->ruling;
    struct table table;
    table_clone(&table, &bare_host->before);
    for (unsigned i = 0; i < ruling->row_count; i++) {
        struct events events;
        struct buf lines = BUF_INIT;
        unsigned row = bare_host->row_count++;
        assert(row < BARE_HOST_ROWS_MAX);
        bare_host->rows[row] = copy_buf(&ruling->rows[i].move);
        bare_host->lines[row] = copy_buf(&ruling->rows[i].lines);
        if (i + 1 < ruling->row_count) {
            struct move move = read_row(bare_host, row);
            if (move.kind == MOVE_REWIND) {
                move.past = &bare_host->tables[move.number - 1];
            }
            enum refusal refusal = table_apply(&table, &move, &events, &lines);
            assert(refusal == REFUSAL_NONE);
            (void)refusal;
            table_clone(&bare_host->tables[row], &table);
        } else {
            table_clone(&bare_host->tables[row], &bare_host->table);
        }
        buf_release(&lines);
    }
    table_release(&table);
}

static void
hear(struct ruling *ruling, struct input *input)
{
    struct buf why = BUF_INIT;
    bool answered = false;
    input->ordered = chat_commands_run(ruling, input, "1");
    if (ruling->table->state == TABLE_CHECK && ruling->row_count == 0) {
        (void)signup_take(ruling, input, &why);
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0) {
        answered = referee_judge(ruling, input, &why) != HEARD_NOTHING;
    }
    if (ruling->table->state == TABLE_RUNNING && ruling->row_count == 0) {
        conduct_watch(ruling, input, answered);
    }
    notice_write(ruling);
    buf_release(&why);
}

void
bare_host_post(struct bare_host *bare_host, const char *who, bool dm,
               const char *text, int64_t stamp)
{
    char id[24];
    struct rich rich = {.count = 0};
    bool unread = false;
    struct ruling *ruling = begin(bare_host, who);
    assert(bare_host->post_count < BARE_HOST_POSTS_MAX);
    struct bare_host_post *seen = &bare_host->posts[bare_host->post_count++];
    (void)snprintf(seen->author, sizeof seen->author, "%s", who);
    seen->dm = dm;
    (void)snprintf(id, sizeof id, "%u", bare_host->post_count);
    char *author = must_copy(who);
    char *place = must_copy(dm ? "talk" : "thread");
    char *body = must_copy(text);
    char none[] = "";
    struct post post = {.kind = POST_WRITTEN,
                        .id = id,
                        .place = place,
                        .author = author,
                        .author_name = author,
                        .body = body,
                        .body_len = strlen(text),
                        .reply_to = none,
                        .stamp = stamp,
                        .dm = dm};
    struct input input = {.post = &post, .rich = &rich};
    dialect_board.read(body, strlen(body), &rich, &unread);
    ruling->cause = id;
    hear(ruling, &input);
    ruling->cause = "";
    save(bare_host);
    rich_wipe(&rich);
    free(author);
    free(place);
    free(body);
}

void
bare_host_fire(struct bare_host *bare_host, int64_t through)
{
    struct ruling *ruling = begin(bare_host, NULL);
    timers_fire(ruling, through);
    notice_write(ruling);
    save(bare_host);
}

void
bare_host_deal(struct bare_host *bare_host)
{
    struct ruling *ruling = begin(bare_host, NULL);
    ruling_deal(ruling);
    notice_write(ruling);
    save(bare_host);
}

void
bare_host_called(struct bare_host *bare_host)
{
    const struct table *table = &bare_host->table;
    const struct zone *zone = bare_host->env.zone;
    int64_t due = deadline_called(table, bare_host->env.now, zone);
    if (due == table->deadline) {
        return;
    }
    struct ruling *ruling = begin(bare_host, NULL);
    struct move move = ruling_move(ruling, MOVE_CALLED, 0);
    move.until = due;
    if (table->game.question == QUESTION_DISCARD) {
        move.session = deadline_moved(
            table->session_ends, due - table->deadline, &table->settings, zone);
    }
    (void)ruling_play(ruling, &move);
    save(bare_host);
}

void
bare_host_gap(struct bare_host *bare_host, const struct outage *gap)
{
    outage_tell(begin(bare_host, NULL), gap);
    save(bare_host);
}

void
bare_host_missed(struct bare_host *bare_host, const char *user)
{
    reach_missed(begin(bare_host, NULL), user, REACH_REFUSED);
    save(bare_host);
}

/* ---- the journal --------------------------------------------------------- */

bool
bare_host_replay(const struct bare_host *bare_host, struct table *table)
{
    bool good = true;
    table_release(table);
    for (unsigned row = 0; good && row < bare_host->row_count; row++) {
        struct events events;
        struct buf lines = BUF_INIT;
        struct move move = read_row(bare_host, row);
        if (move.kind == MOVE_REWIND) {
            move.past = &bare_host->tables[move.number - 1];
        }
        good = table_may(table, &move) &&
               table_apply(table, &move, &events, &lines) == REFUSAL_NONE &&
               strcmp(buf_text(&lines), bare_host->lines[row]) == 0;
        buf_release(&lines);
    }
    return good;
}

void
bare_host_record(const struct bare_host *bare_host, struct buf *out)
{
    for (unsigned row = 0; row < bare_host->row_count; row++) {
        record_add(out, bare_host->lines[row], strlen(bare_host->lines[row]));
    }
}
