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
#include "bot/host/words/notice.h"

/* ---- annals ---------------------------------------------------------------
 */

static bool
find_post(void *context, const struct table *table, const char *id,
          struct read_post *post)
{
    const struct parlour *parlour = context;
    unsigned long number = strtoul(id, NULL, 10);
    if (number == 0 || number > parlour->post_count) {
        return false;
    }
    const struct parlour_post *found = &parlour->posts[number - 1];
    memset(post, 0, sizeof *post);
    (void)snprintf(post->id, sizeof post->id, "%s", id);
    (void)snprintf(post->author, sizeof post->author, "%s", found->author);
    (void)snprintf(post->place, sizeof post->place, "%s",
                   found->talk ? "talk" : table->thread);
    return true;
}

static struct move
read_row(const struct parlour *parlour, unsigned row)
{
    struct move move;
    struct buf why = BUF_INIT;
    const char *text = parlour->rows[row];
    enum err err = move_read(text, strlen(text), &move, &why);
    assert(err == ERR_NONE);
    (void)err;
    return move;
}

/* Backwards, past what was taken back already. */
static bool
find_before(void *context, const struct table *table, const char *id,
            struct before *before)
{
    const struct parlour *parlour = context;
    unsigned row = parlour->row_count;
    (void)table;
    memset(before, 0, sizeof *before);
    while (row > 0) {
        struct move move = read_row(parlour, --row);
        if (move.kind == MOVE_REWIND) {
            row = move.number;
            continue;
        }
        before->people_came =
            before->people_came || move.kind == MOVE_REPLACE ||
            (move.kind == MOVE_PLAY && move.command.kind == COMMAND_VACATE);
        bool seen = move_is_act(&move) && !move_is_hidden(&move);
        before->fallen += seen;
        if (row > 0 && seen && (id[0] == '\0' || strcmp(id, move.post) == 0)) {
            before->row = row;
            before->table = parlour->tables[row - 1];
            return true;
        }
    }
    return false;
}

/* ---- chance ----------------------------------------------------------------
 */

static void
own_secret(void *context, unsigned char secret[DEAL_SECRET])
{
    const struct parlour *parlour = context;
    memcpy(secret, parlour->secret, DEAL_SECRET);
}

/* ---- setting up ------------------------------------------------------------
 */

/* No game ends at a parlour but to end the test. */
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
parlour_init(struct parlour *parlour)
{
    struct buf why = BUF_INIT;
    memset(parlour, 0, sizeof *parlour);
    enum err err =
        catalogue_load(&parlour->catalogue, "en", THEME_ORIGINAL, &why);
    if (err != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    parlour->tables = must_alloc(PARLOUR_ROWS_MAX * sizeof parlour->tables[0]);
    parlour->dealer = dealer_fair;
    parlour->dealer.context = parlour;
    parlour->dealer.throw_secret = own_secret;
    parlour->annals = (struct annals){
        .context = parlour,
        .post = find_post,
        .before = find_before,
        .last = find_last,
    };
    (void)snprintf(parlour->place.name, sizeof parlour->place.name, "board");
    (void)snprintf(parlour->place.moderators[0],
                   sizeof parlour->place.moderators[0], "Mo");
    parlour->place.moderator_count = 1;
}

static void
forget_docket(struct parlour *parlour)
{
    if (parlour->has_docket) {
        docket_release(&parlour->docket);
        parlour->has_docket = false;
    }
}

static void
forget_rows(struct parlour *parlour)
{
    for (unsigned i = 0; i < parlour->row_count; i++) {
        free(parlour->rows[i]);
        free(parlour->lines[i]);
    }
    parlour->row_count = 0;
}

void
parlour_release(struct parlour *parlour)
{
    forget_docket(parlour);
    forget_rows(parlour);
    free(parlour->tables);
    zone_free(parlour->zone);
    catalogue_release(&parlour->catalogue);
}

void
parlour_clear(struct parlour *parlour, uint64_t seed, int64_t now)
{
    struct buf why = BUF_INIT;
    const char *zone = parlour->place.settings.zone;
    forget_docket(parlour);
    forget_rows(parlour);
    zone_free(parlour->zone);
    parlour->zone = NULL;
    if (strcmp(zone, "UTC") != 0 &&
        zone_load(zone, &parlour->zone, &why) != ERR_NONE) {
        die("%s", buf_text(&why));
    }
    for (unsigned i = 0; i < DEAL_SECRET; i++) {
        parlour->secret[i] = (unsigned char)(seed >> 8 * (i % 8) ^ i);
    }
    memset(&parlour->table, 0, sizeof parlour->table);
    parlour->table.settings = parlour->place.settings;
    (void)snprintf(parlour->table.place, sizeof parlour->table.place, "board");
    (void)snprintf(parlour->table.thread, sizeof parlour->table.thread,
                   "thread");
    parlour->post_count = 0;
    parlour->house = (struct house){
        .catalogue = &parlour->catalogue,
        .dialect = &dialect_board,
        .traits = &adapter_board.traits,
        .zone = parlour->zone == NULL ? zone_utc() : parlour->zone,
        .dealer = &parlour->dealer,
        .place = &parlour->place,
        .self = BOARD_HOST,
        .home = "thread",
        .moderators_talk = "",
        .annals = &parlour->annals,
        .now = now,
    };
}

/* ---- what a desk does ------------------------------------------------------
 */

static struct docket *
begin(struct parlour *parlour, const char *author)
{
    forget_docket(parlour);
    parlour->before = parlour->table;
    parlour->author = author;
    docket_init(&parlour->docket, &parlour->house, &parlour->table);
    parlour->has_docket = true;
    return &parlour->docket;
}

static char *
copy_buf(const struct buf *buf)
{
    return must_copy(buf_text(buf));
}

/* Keep the rows.  The table after each but the last is found by playing. */
static void
save(struct parlour *parlour)
{
    const struct docket *docket = &parlour->docket;
    struct table table = parlour->before;
    for (unsigned i = 0; i < docket->row_count; i++) {
        struct events events;
        struct buf lines = BUF_INIT;
        unsigned row = parlour->row_count++;
        assert(row < PARLOUR_ROWS_MAX);
        parlour->rows[row] = copy_buf(&docket->rows[i].move);
        parlour->lines[row] = copy_buf(&docket->rows[i].lines);
        if (i + 1 < docket->row_count) {
            struct move move = read_row(parlour, row);
            if (move.kind == MOVE_REWIND) {
                move.past = &parlour->tables[move.number - 1];
            }
            enum refusal refusal = table_apply(&table, &move, &events, &lines);
            assert(refusal == REFUSAL_NONE);
            (void)refusal;
            parlour->tables[row] = table;
        } else {
            parlour->tables[row] = parlour->table;
        }
        buf_release(&lines);
    }
}

static void
hear(struct docket *docket, struct hearing *hearing)
{
    struct buf why = BUF_INIT;
    bool answered = false;
    hearing->ordered = office_hear(docket, hearing, "1");
    if (docket->table->state == TABLE_CHECK && docket->row_count == 0) {
        (void)signup_hear(docket, hearing, &why);
    }
    if (docket->table->state == TABLE_RUNNING && docket->row_count == 0) {
        answered = referee_hear(docket, hearing, &why) != HEARD_NOTHING;
    }
    if (docket->table->state == TABLE_RUNNING && docket->row_count == 0) {
        manners_watch(docket, hearing, answered);
    }
    notice_write(docket);
    buf_release(&why);
}

void
parlour_post(struct parlour *parlour, const char *who, bool talk,
             const char *text, int64_t stamp)
{
    char id[24];
    struct rich rich = {.count = 0};
    bool unread = false;
    struct docket *docket = begin(parlour, who);
    assert(parlour->post_count < PARLOUR_POSTS_MAX);
    struct parlour_post *seen = &parlour->posts[parlour->post_count++];
    (void)snprintf(seen->author, sizeof seen->author, "%s", who);
    seen->talk = talk;
    (void)snprintf(id, sizeof id, "%u", parlour->post_count);
    char *author = must_copy(who);
    char *place = must_copy(talk ? "talk" : "thread");
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
                        .talk = talk};
    struct hearing hearing = {&post, &rich, false, false};
    dialect_board.read(body, strlen(body), &rich, &unread);
    docket->cause = id;
    hear(docket, &hearing);
    docket->cause = "";
    save(parlour);
    rich_wipe(&rich);
    free(author);
    free(place);
    free(body);
}

void
parlour_fire(struct parlour *parlour, int64_t through)
{
    struct docket *docket = begin(parlour, NULL);
    clock_fire(docket, through);
    notice_write(docket);
    save(parlour);
}

void
parlour_deal(struct parlour *parlour)
{
    struct docket *docket = begin(parlour, NULL);
    docket_deal(docket);
    notice_write(docket);
    save(parlour);
}

void
parlour_gap(struct parlour *parlour, const struct gap *gap)
{
    gap_tell(begin(parlour, NULL), gap);
    save(parlour);
}

void
parlour_missed(struct parlour *parlour, const char *user)
{
    reach_missed(begin(parlour, NULL), user, REACH_REFUSED);
    save(parlour);
}

/* ---- the journal -----------------------------------------------------------
 */

bool
parlour_replay(const struct parlour *parlour, struct table *table)
{
    bool good = true;
    memset(table, 0, sizeof *table);
    for (unsigned row = 0; good && row < parlour->row_count; row++) {
        struct events events;
        struct buf lines = BUF_INIT;
        struct move move = read_row(parlour, row);
        if (move.kind == MOVE_REWIND) {
            move.past = &parlour->tables[move.number - 1];
        }
        good = table_may(table, &move) &&
               table_apply(table, &move, &events, &lines) == REFUSAL_NONE &&
               strcmp(buf_text(&lines), parlour->lines[row]) == 0;
        buf_release(&lines);
    }
    return good;
}

void
parlour_record(const struct parlour *parlour, struct buf *out)
{
    for (unsigned row = 0; row < parlour->row_count; row++) {
        record_add(out, parlour->lines[row], strlen(parlour->lines[row]));
    }
}
