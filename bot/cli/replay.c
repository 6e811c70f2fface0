/*
 * `play --replay FILE`: hosts a recorded game again.
 *
 * The lines that the host writes are compared with the recorded ones, as far as
 * both go.  Then the next recorded line is caused as its cue says (script.h):
 * by a post, by an answer, by the clock.  The replay stops at the first line
 * that differs, or that nothing causes.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/host/words/speech.h"
#include "bot/local/screen.h"
#include "bot/local/script.h"
#include "bot/local/stage.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/timers.h"

/* A game recorded before 2000 or after 2170 begins in 2000. */
#define DAWN (DAY_MS * 10957)
#define DUSK (DAY_MS * 73050)

/* Bytes of a file that is read: a long game has a few hundred thousand. */
enum {
    FILE_MAX = 16 << 20
};

struct replay {
    const char *file;               /* as named on the command line */
    const struct record_game *game; /* as it was recorded */
    struct script script;
    size_t at; /* its next line */
    struct stage stage;
    char id[TABLE_ID_MAX + 1];      /* of the game that is hosted; "": none */
    struct buf lines;               /* what the host has written */
    struct record made;             /* the same, read */
    size_t made_at;                 /* its next line */
    bool differs;                   /* the next two lines do */
    unsigned skipped[RECORD_KINDS]; /* recorded lines that are not hosted */
    struct screen screen;
    int64_t seen;      /* the newest post that was shown */
    const char *actor; /* who has just acted, or NULL */
    struct buf answer; /* the host's newest message to everybody or to the
                          actor: BBCode */
};

/* ---- the board ----------------------------------------------------------- */

static void
take_post(void *context, const struct board_post *post)
{
    struct replay *replay = context;
    bool in_thread = strcmp(post->place, "thread") == 0;
    bool to_actor = replay->actor != NULL &&
                    strncmp(post->place, "talk/", 5) == 0 &&
                    strcmp(post->place + 5, replay->actor) == 0;
    replay->seen = post->id;
    if (in_thread) {
        screen_post(&replay->screen, post);
    }
    if (strcmp(post->author, BOARD_HOST) == 0 && (in_thread || to_actor)) {
        buf_clear(&replay->answer);
        buf_add_text(&replay->answer, post->text);
    }
}

/* Read the record of the game that is hosted anew. */
static enum err
read_made(struct replay *replay, struct buf *why)
{
    const struct table *table = stage_table(&replay->stage);
    if (table != NULL) {
        (void)snprintf(replay->id, sizeof replay->id, "%s", table->id);
    }
    if (replay->id[0] == '\0') {
        return ERR_NONE;
    }
    buf_clear(&replay->lines);
    record_release(&replay->made);
    enum err err = store_record(replay->stage.tables.store, replay->id,
                                &replay->lines, why);
    ERR_THEN(err, record_read(buf_text(&replay->lines), replay->lines.len,
                              &replay->made, why));
    return err;
}

/* Take in the lines that the host has just written. */
static enum err
read_new(struct replay *replay, struct buf *why)
{
    buf_clear(&replay->answer);
    enum err err = board_read(replay->stage.board, replay->seen, "*", take_post,
                              replay, why);
    return err == ERR_NONE ? read_made(replay, why) : err;
}

static enum err
post(struct replay *replay, const char *author, bool in_private,
     const char *text, struct buf *why)
{
    replay->stage.now += MINUTE_MS;
    replay->actor = author;
    enum err err =
        stage_post(&replay->stage, author, in_private, text, NULL, why);
    ERR_THEN(err, stage_settle(&replay->stage, why));
    return err == ERR_NONE ? read_new(replay, why) : err;
}

static enum err
jump(struct replay *replay, struct buf *why)
{
    int64_t due = timers_due(&replay->stage.tables);
    enum err err = ERR_NONE;
    replay->actor = NULL;
    if (due != 0) {
        err = stage_jump(&replay->stage, due, why);
    }
    return err == ERR_NONE ? read_new(replay, why) : err;
}

/* ---- acts, as people write them ------------------------------------------ */

static enum err
open_table(struct replay *replay, struct buf *why)
{
    const struct record_game *game = replay->game;
    struct rules rules;
    struct buf text = BUF_INIT;
    bool known = rules_set_preset(&rules, game->preset);
    buf_addf(&text, "!new players=%u rules=%s", game->players,
             known ? game->preset : rules_preset_name(0));
    enum err err = post(replay, STAGE_MODERATOR, false, buf_text(&text), why);
    buf_release(&text);
    return err;
}

/* Let everybody join, as long as anybody may. */
static enum err
join_table(struct replay *replay, struct buf *why)
{
    enum err err = ERR_NONE;
    const struct table *table = stage_table(&replay->stage);
    for (unsigned i = 0; err == ERR_NONE && table != NULL &&
                         table->seated == i && i < replay->game->players;
         i++) {
        err = post(replay, replay->game->names[i], false, "!join", why);
        table = stage_table(&replay->stage);
    }
    return err;
}

/* Post a text with marks, escaped as the board needs it. */
static enum err
post_marked(struct replay *replay, const char *author, const char *text,
            unsigned marks, struct buf *why)
{
    struct rich rich = {.count = 0};
    struct buf body = BUF_INIT;
    rich_add_text(&rich, text, marks);
    dialect_board.write(&rich, &body);
    enum err err = post(replay, author, false, buf_text(&body), why);
    buf_release(&body);
    rich_release(&rich);
    return err;
}

static enum err
post_card(struct replay *replay, const char *author, const struct game *game,
          const struct command *command, struct buf *why)
{
    bool enact = command->kind == COMMAND_ENACT;
    uint8_t order[3];
    char text[] = "discard 1";
    speech_order(game->hand, enact, order);
    unsigned shown = 0;
    while (shown < 2 && order[shown] != command->card) {
        shown++;
    }
    (void)snprintf(text, sizeof text, "%s %u", enact ? "enact" : "discard",
                   shown + 1);
    return post(replay, author, true, text, why);
}

static enum err
post_vote(struct replay *replay, const char *author, const struct game *game,
          bool ja, struct buf *why)
{
    if (game->rules.ballot == BALLOT_SEALED) {
        return post(replay, author, true, ja ? "Ja" : "Nein", why);
    }
    return post_marked(replay, author, ja ? "Ja!" : "Nein!", MARK_BOLD, why);
}

static enum err
act(struct replay *replay, const struct command *command,
    const struct game *game, struct buf *why)
{
    const char *author = replay->game->names[command->seat];
    switch ((enum command_kind)command->kind) {
    case COMMAND_NOMINATE:
    case COMMAND_TARGET:
        return post_marked(replay, author, replay->game->names[command->target],
                           MARK_BOLD | MARK_RED, why);
    case COMMAND_VOTE:
        return post_vote(replay, author, game, command->yes, why);
    case COMMAND_DISCARD:
    case COMMAND_ENACT:
        return post_card(replay, author, game, command, why);
    case COMMAND_ASK_VETO:
        return post(replay, author, true, "veto", why);
    case COMMAND_ANSWER_VETO:
        return post_marked(replay, author,
                           command->yes ? "Approved" : "Declined", MARK_BOLD,
                           why);
    case COMMAND_DEAL:
    case COMMAND_RESHUFFLE:
    case COMMAND_CLOSE:
    case COMMAND_FORFEIT:
    case COMMAND_VACATE:
    case COMMAND_FILL:
    case COMMAND_KNOWN:
    case COMMAND_ABANDON:
        break;
    }
    return ERR_NONE; /* not a player's act: no cue asks for it */
}

/* ---- comparing lines ----------------------------------------------------- */

/* Is there a recorded line left, or one that the host has made? */
static bool
any_recorded(const struct replay *replay)
{
    return replay->at < replay->game->line_count;
}

static bool
any_made(const struct replay *replay)
{
    return replay->made.game_count > 0 &&
           replay->made_at < replay->made.games[0].line_count;
}

/* The next one, which MUST be there. */
static const struct record_line *
recorded(const struct replay *replay)
{
    return &replay->game->lines[replay->at];
}

static const struct record_line *
made(const struct replay *replay)
{
    return &replay->made.games[0].lines[replay->made_at];
}

/* The line as the record has it, without its number and time.  A vote that was
 * pressed is posted here, for the board has no buttons. */
static void
write_line(const struct record_game *game, const struct record_line *line,
           struct buf *out)
{
    const char *names[PLAYERS_MAX];
    const struct record_head head = {0, 0};
    struct buf text = BUF_INIT;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        names[seat] = game->names[seat];
    }
    if (line->kind == RECORD_OPENED) {
        record_write_opened(&text, head, "-", game->preset, &game->rules, NULL);
    } else if (line->kind == RECORD_SEATED) {
        record_write_seated(&text, head, names, game->players, NULL, NULL);
    } else if (line->kind == RECORD_REVEALED) {
        const struct game roles = {.players = (uint8_t)game->players,
                                   .round = line->event.target != NO_SEAT,
                                   .hitler = line->event.target,
                                   .fascists = line->event.seats};
        record_write_revealed(&text, head, NULL, &roles, names);
    } else {
        struct record_line bare = *line;
        bare.seq = 0;
        bare.at = 0;
        bare.by = line->by == RECORD_BY_PRESS ? RECORD_BY_POST : line->by;
        record_write_line(&text, &bare, names, game->players);
    }
    const char *event = strstr(buf_text(&text), "\"event\":");
    buf_addf(out, "{%.*s", (int)strcspn(event, "\n"), event);
    buf_release(&text);
}

/* Are they the same apart from times, the game's id and its proof? */
static bool
lines_agree(const struct replay *replay)
{
    const struct record_game *hosted = &replay->made.games[0];
    struct buf file = BUF_INIT;
    struct buf host = BUF_INIT;
    bool agree = recorded(replay)->kind == made(replay)->kind;
    if (agree && recorded(replay)->kind == RECORD_OPENED) {
        agree = memcmp(&replay->game->rules, &hosted->rules,
                       sizeof hosted->rules) == 0;
    } else if (agree) {
        write_line(replay->game, recorded(replay), &file);
        write_line(hosted, made(replay), &host);
        agree = buf_equals(&file, buf_text(&host));
    }
    buf_release(&file);
    buf_release(&host);
    return agree;
}

static void
skip(struct replay *replay)
{
    replay->skipped[recorded(replay)->kind]++;
    replay->at++;
}

/* Compare the lines as far as both go.  Who moved a deadline, and to when,
 * changes nothing in the game: an `extended` may be on one side only. */
static void
compare(struct replay *replay)
{
    replay->differs = false;
    while (any_recorded(replay)) {
        bool file = recorded(replay)->kind == RECORD_EXTENDED;
        bool host = any_made(replay) && made(replay)->kind == RECORD_EXTENDED;
        if (!script_has(recorded(replay)->kind) ||
            (file && any_made(replay) && !host)) {
            skip(replay);
            continue;
        }
        if (!any_made(replay)) {
            return;
        }
        if (!host && !lines_agree(replay)) {
            replay->differs = true;
            return;
        }
        replay->at += file == host;
        replay->made_at++;
    }
}

/* ---- saying where it stops ----------------------------------------------- */

static const char *const wanted[] = {
    [QUESTION_DEAL] = "players",
    [QUESTION_RESHUFFLE] = "players",
    [QUESTION_NOMINATE] = "a nomination by",
    [QUESTION_VOTE] = "a vote of",
    [QUESTION_DISCARD] = "a discard of",
    [QUESTION_ENACT] = "the card to enact of",
    [QUESTION_VETO] = "the answer to a veto by",
    [QUESTION_INVESTIGATE] = "whom to investigate, from",
    [QUESTION_SPECIAL_ELECTION] = "the next candidate, from",
    [QUESTION_EXECUTION] = "whom to execute, from",
    [QUESTION_NONE] = "players",
};

static void
add_awaited(struct replay *replay, struct buf *out)
{
    const struct table *table = stage_table(&replay->stage);
    struct awaits awaits = {.question = QUESTION_NONE};
    if (table == NULL) {
        buf_add_text(out, replay->id[0] == '\0' ? "has opened no table"
                                                : "awaits nothing: the game "
                                                  "is over");
        return;
    }
    if (table->state == TABLE_RUNNING) {
        awaits = game_awaits(&table->game);
    }
    buf_addf(out, "awaits %s", wanted[awaits.question]);
    const char *between = " ";
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (seat_in(seat, awaits.seats)) {
            buf_addf(out, "%s%s", between, table->seats[seat].name);
            between = ", ";
        }
    }
}

/* The host's message as people read it, on one line. */
static void
add_answer(const struct replay *replay, struct buf *out)
{
    struct rich rich = {.count = 0};
    bool unread = false;
    dialect_board.read(buf_text(&replay->answer), replay->answer.len, &rich,
                       &unread);
    buf_add_text(out, "says: ");
    for (size_t i = 0; i < rich.text.len; i++) {
        const char *byte = &rich.text.data[i];
        buf_add(out, *byte == '\n' ? " " : byte, 1);
    }
    rich_release(&rich);
}

static void
stop(const struct replay *replay, const char *what, const struct buf *host)
{
    struct buf file = BUF_INIT;
    write_line(replay->game, recorded(replay), &file);
    (void)fflush(stdout);
    (void)fprintf(stderr,
                  "placard: %s, line %zu (seq %u): %s\n  recorded: %s\n"
                  "  the host %s\n",
                  replay->file, recorded(replay)->number, recorded(replay)->seq,
                  what, buf_text(&file), buf_text(host));
    buf_release(&file);
}

/* The next line differs from the one that the host has written. */
static void
stop_differing(const struct replay *replay)
{
    struct buf host = BUF_INIT;
    int kind = recorded(replay)->kind;
    if ((kind == EVENT_DEALT || kind == EVENT_RESHUFFLED) &&
        replay->script.fault != NULL) {
        buf_addf(&host, "can't deal that: %s", replay->script.fault);
    } else {
        buf_add_text(&host, "records: ");
        write_line(&replay->made.games[0], made(replay), &host);
    }
    stop(replay, "the game goes on otherwise", &host);
    buf_release(&host);
}

/* The next line was tried, and the host has written nothing. */
static void
stop_refused(struct replay *replay, const struct cue *cue)
{
    struct buf host = BUF_INIT;
    if (replay->answer.len > 0) {
        add_answer(replay, &host);
    } else {
        add_awaited(replay, &host);
    }
    stop(replay,
         cue->kind == CUE_CLOCK ? "no deadline brings this about"
                                : "the host refuses this",
         &host);
    buf_release(&host);
}

/* The next line can't be tried: no act causes it. */
static void
stop_helpless(struct replay *replay, const struct cue *cue)
{
    struct buf host = BUF_INIT;
    add_awaited(replay, &host);
    stop(replay, cue->why == NULL ? "nothing brings this about now" : cue->why,
         &host);
    buf_release(&host);
}

/* ---- the game ------------------------------------------------------------ */

/* Who planned it said so before, in private; then the time passes. */
static enum err
plan(struct replay *replay, const struct command *command, struct buf *why)
{
    struct buf text = BUF_INIT;
    buf_addf(&text, "!plan %s", replay->game->names[command->target]);
    enum err err = post(replay, replay->game->names[command->seat], true,
                        buf_text(&text), why);
    buf_release(&text);
    return err == ERR_NONE ? jump(replay, why) : err;
}

static enum err
vacate(struct replay *replay, const char *name, struct buf *why)
{
    struct buf text = BUF_INIT;
    buf_addf(&text, "!vacate %s", name);
    enum err err = post(replay, STAGE_MODERATOR, false, buf_text(&text), why);
    buf_release(&text);
    return err;
}

static enum err
obey_cue(struct replay *replay, const struct cue *cue, const struct game *game,
         struct buf *why)
{
    switch (cue->kind) {
    case CUE_OPEN:
        return open_table(replay, why);
    case CUE_JOIN:
        return join_table(replay, why);
    case CUE_PLAYER:
        return act(replay, &cue->command, game, why);
    case CUE_CLOCK:
        return jump(replay, why);
    case CUE_PLAN:
        return plan(replay, &cue->command, why);
    case CUE_VACATE:
        return vacate(replay, replay->game->names[cue->command.target], why);
    case CUE_NONE:
        break;
    }
    return ERR_NONE;
}

static bool
is_abandoned(const struct record_line *line)
{
    return line->kind == EVENT_ENDED && line->event.reason == ENDING_ABANDONED;
}

/* How a step ends. */
enum step {
    STEP_ON,
    STEP_STOPPED, /* and the reason was said */
    STEP_FAILED,  /* the board or the store did */
};

/* Cause the next recorded line. */
static enum step
step(struct replay *replay, struct buf *why)
{
    const struct table *table = stage_table(&replay->stage);
    const struct game none = {.question = QUESTION_NONE};
    const struct game game = table == NULL ? none : table->game;
    struct cue cue = script_cue(&replay->script, replay->at, &game);
    bool rung = table != NULL && table->rung;
    bool extended = recorded(replay)->kind == RECORD_EXTENDED;
    if (extended && (cue.kind == CUE_NONE || rung)) {
        skip(replay); /* a moderator did it: the clock never does */
        return STEP_ON;
    }
    if (cue.kind == CUE_NONE) {
        stop_helpless(replay, &cue);
        return STEP_STOPPED;
    }
    size_t before = replay->lines.len;
    if (obey_cue(replay, &cue, &game, why) != ERR_NONE) {
        return STEP_FAILED;
    }
    compare(replay);
    if (replay->differs) {
        stop_differing(replay);
        return STEP_STOPPED;
    }
    if (replay->lines.len == before) {
        stop_refused(replay, &cue);
        return STEP_STOPPED;
    }
    return STEP_ON;
}

static void
say_skipped(const struct replay *replay)
{
    const char *between = "Not hosted again: ";
    bool any = false;
    for (int kind = 0; kind < RECORD_KINDS; kind++) {
        if (replay->skipped[kind] > 0) {
            (void)printf("%s%u %s", between, replay->skipped[kind],
                         record_kind_name(kind));
            between = ", ";
            any = true;
        }
    }
    if (any) {
        (void)printf(".\n");
    }
}

static void
say_end(const struct replay *replay)
{
    const struct record_game *game = replay->game;
    const struct event *ended = NULL;
    for (size_t i = 0; i < game->line_count; i++) {
        if (game->lines[i].kind == EVENT_ENDED) {
            ended = &game->lines[i].event;
        }
    }
    if (any_recorded(replay)) {
        (void)printf("\nThe game was abandoned at line %zu (seq %u); up to "
                     "there it goes as recorded.\n",
                     recorded(replay)->number, recorded(replay)->seq);
    } else if (ended == NULL) {
        (void)printf("\nThe record ends here; the game goes on.\n");
    } else {
        (void)printf("\nThe game ends as recorded: %s (%s).\n",
                     record_party_name((enum party)ended->party),
                     record_ending_name((enum ending)ended->reason));
    }
    say_skipped(replay);
}

static int
perform(struct replay *replay)
{
    struct buf why = BUF_INIT;
    enum step how = STEP_ON;
    compare(replay);
    while (how == STEP_ON && any_recorded(replay) &&
           !is_abandoned(recorded(replay))) {
        how = step(replay, &why);
    }
    int code = EXIT_FAULT;
    if (how == STEP_ON) {
        say_end(replay);
        code = EXIT_DONE;
    } else if (how == STEP_FAILED) {
        struct buf host = BUF_INIT;
        buf_addf(&host, "can't: %s", buf_text(&why));
        stop(replay, "this can't be hosted", &host);
        buf_release(&host);
    }
    buf_release(&why);
    return code;
}

/* ---- the stage ----------------------------------------------------------- */

static enum err
make_folder(struct buf *folder, struct buf *why)
{
    const char *above = getenv("TMPDIR");
    above = above == NULL || *above == '\0' ? "/tmp" : above;
    buf_addf(folder, "%s/placard-replay-XXXXXX", above);
    if (mkdtemp(folder->data) == NULL) {
        return err_say(why, ERR_DENIED,
                       "%s: no temporary folder can be made there; set TMPDIR "
                       "to one that can be written to",
                       above);
    }
    return ERR_NONE;
}

static void
remove_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry = NULL;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        struct buf path = BUF_INIT;
        buf_addf(&path, "%s/%s", folder, entry->d_name);
        (void)!unlink(buf_text(&path)); /* not "." and "..": refused */
        buf_release(&path);
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    (void)rmdir(folder);
}

/* The game begins at its recorded time, unless that is out of range. */
static int64_t
first_hour(const struct record_game *game)
{
    int64_t at = game->lines[0].at;
    return at >= DAWN && at <= DUSK ? at : DAWN;
}

static enum err
set_stage(struct replay *replay, const char *folder, struct buf *why)
{
    struct stage *stage = &replay->stage;
    const struct rules *rules = &replay->game->rules;
    enum err err = ERR_NONE;
    conf_defaults(&stage->conf);
    stage_settings_plain(&stage->conf.settings);
    for (unsigned i = 0; err == ERR_NONE && i < RULES_OPTIONS; i++) {
        const struct rules_option *option = &rules_options[i];
        if (rules_is_named(rules, option)) {
            err = settings_set(&stage->conf.settings, option->name,
                               rules_get(rules, option), why);
        }
    }
    if (replay->script.power_lots) {
        (void)snprintf(stage->conf.settings.power_timeout,
                       sizeof stage->conf.settings.power_timeout, "lots");
    }
    stage->dealer = script_dealer(&replay->script);
    return err == ERR_NONE
               ? stage_open(stage, folder, first_hour(replay->game), why)
               : err;
}

static bool
ends_revealed(const struct record_game *game)
{
    return game->line_count > 0 &&
           game->lines[game->line_count - 1].kind == RECORD_REVEALED;
}

/* How much of the host's record is the recorded game: if the file leaves out
 * the roles that the host reveals at the end, leave them out too. */
static size_t
record_len(const struct replay *replay)
{
    const char *lines = buf_text(&replay->lines);
    size_t len = replay->lines.len;
    if (ends_revealed(replay->game) || replay->made.game_count == 0 ||
        !ends_revealed(&replay->made.games[0])) {
        return len;
    }
    do {
        len--;
    } while (len > 0 && lines[len - 1] != '\n');
    return len;
}

/* Write the record that the host has made, if there is one. */
static int
save_record(const struct replay *replay, const char *to, int code)
{
    struct buf why = BUF_INIT;
    if (to != NULL && replay->lines.len > 0 &&
        file_write(to, buf_text(&replay->lines), record_len(replay), 0600,
                   &why) != ERR_NONE) {
        code = command_fail(&why);
    }
    buf_release(&why);
    return code;
}

static int
host_game(const char *file, const struct record_game *game, const char *to)
{
    struct replay *replay = must_alloc(sizeof *replay);
    struct buf folder = BUF_INIT;
    struct buf why = BUF_INIT;
    int code = EXIT_FAULT;
    replay->file = file;
    replay->game = game;
    script_init(&replay->script, game);
    screen_init(&replay->screen, stdout);
    if (make_folder(&folder, &why) != ERR_NONE) {
        code = command_fail(&why);
    } else {
        if (set_stage(replay, buf_text(&folder), &why) != ERR_NONE) {
            code = command_fail(&why);
        } else {
            replay->screen.catalogue = stage_catalogue(&replay->stage, NULL);
            code = save_record(replay, to, perform(replay));
            stage_close(&replay->stage);
        }
        remove_folder(buf_text(&folder));
    }
    record_release(&replay->made);
    buf_release(&replay->lines);
    buf_release(&replay->answer);
    buf_release(&folder);
    buf_release(&why);
    free(replay);
    return code;
}

/* ---- the file ------------------------------------------------------------ */

/* Can the game be hosted again?  If not, say why. */
static bool
may_be_hosted(const char *file, const struct record_game *game)
{
    bool dealt = false;
    for (size_t i = 0; i < game->line_count; i++) {
        const struct record_line *line = &game->lines[i];
        if (line->kind == EVENT_FILLED || line->kind == RECORD_REWOUND) {
            (void)fprintf(stderr,
                          "placard: %s, line %zu (seq %u): a game in which "
                          "%s can't be hosted again yet; nothing was played\n",
                          file, line->number, line->seq,
                          line->kind == EVENT_FILLED ? "somebody was replaced"
                                                     : "something was undone");
            return false;
        }
        dealt = dealt || line->kind == EVENT_DEALT;
    }
    if (game->players == 0 || !dealt) {
        (void)fprintf(stderr,
                      "placard: %s: this game was never dealt, so "
                      "there is nothing to host again\n",
                      file);
        return false;
    }
    return true;
}

static int
host_only_game(const char *file, const struct record *games, const char *to)
{
    if (games->game_count != 1) {
        (void)fprintf(stderr,
                      "placard: %s holds %zu games; one can be hosted again "
                      "at a time: put its lines into a file of their own\n",
                      file, games->game_count);
        return EXIT_FAULT;
    }
    return may_be_hosted(file, &games->games[0])
               ? host_game(file, &games->games[0], to)
               : EXIT_FAULT;
}

int
replay_file(const char *file, const char *record)
{
    struct record games = {.game_count = 0};
    struct buf text = BUF_INIT;
    struct buf why = BUF_INIT;
    int code = EXIT_FAULT;
    buf_init(&text, FILE_MAX);
    if (file_read(file, &text, &why) != ERR_NONE) {
        code = command_fail(&why);
    } else if (record_read(buf_text(&text), text.len, &games, &why) !=
               ERR_NONE) {
        (void)fprintf(stderr, "placard: %s: %s\n", file, buf_text(&why));
    } else {
        code = host_only_game(file, &games, record);
    }
    record_release(&games);
    buf_release(&text);
    buf_release(&why);
    return code;
}
