#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/log.h"
#include "tests/support/caught_log.h"
#include "tests/support/plays_inner.h"
#include "tests/support/room.h"

/* ---- chance -------------------------------------------------------------- */

bool
play_tiles(const char *top, unsigned liberal, unsigned fascist,
           struct pile *tiles)
{
    memset(tiles, 0, sizeof *tiles);
    for (; *top != '\0'; top++) {
        unsigned *left = *top == 'L' ? &liberal : &fascist;
        if (*left == 0) {
            return false;
        }
        --*left;
        pile_add(tiles, *top == 'L');
    }
    while (liberal + fascist > 0) {
        pile_add(tiles, liberal > 0);
        unsigned *left = liberal > 0 ? &liberal : &fascist;
        --*left;
    }
    return true;
}

static struct command
play_deal(void *context, const struct table *table)
{
    const struct play *play = context;
    (void)table;
    return play->deal;
}

static struct command
play_reshuffle(void *context, const struct table *table)
{
    struct play *play = context;
    struct awaits awaits = game_awaits(&table->game);
    struct command command = {.kind = COMMAND_RESHUFFLE};
    const char *top = "";
    if (play->reshuffle_next < play->reshuffle_count) {
        top = play->reshuffles[play->reshuffle_next++];
    } else {
        play->mischance = "there is a reshuffle that no `reshuffle` tells of";
    }
    if (!play_tiles(top, awaits.due_liberal, awaits.due_fascist,
                    &command.tiles)) {
        play->mischance = "there are fewer tiles of a kind to reshuffle than "
                          "the next `reshuffle` tells";
        (void)play_tiles("", awaits.due_liberal, awaits.due_fascist,
                         &command.tiles);
    }
    return command;
}

static unsigned
play_lots(void *context, const struct table *table, unsigned choices)
{
    struct play *play = context;
    (void)table;
    if (play->lots_next == play->lots_count) {
        play->mischance = "lots are drawn that no `lots` tells of";
        return 0;
    }
    unsigned number = play->lots[play->lots_next++];
    if (number > choices) {
        play->mischance = "there are fewer choices than the next `lots` tells";
        return 0;
    }
    return number - 1;
}

/* ---- the host ------------------------------------------------------------ */

static bool
make_folder(struct play *play)
{
    const char *above = getenv("TMPDIR");
    if (access("/dev/shm", W_OK) == 0) {
        above = "/dev/shm";
    } else if (above == NULL || above[0] == '\0') {
        above = "/tmp";
    }
    int len = snprintf(play->folder, sizeof play->folder,
                       "%s/placard-play-XXXXXX", above);
    if (len >= (int)sizeof play->folder || mkdtemp(play->folder) == NULL) {
        play->folder[0] = '\0';
        return play_fault(play, "%s: no folder can be made there", above);
    }
    return true;
}

void
play_clear(struct play *play)
{
    DIR *folder = play->folder[0] == '\0' ? NULL : opendir(play->folder);
    const struct dirent *entry;
    if (folder == NULL) {
        return;
    }
    while ((entry = readdir(folder)) != NULL) {
        char path[sizeof play->folder + sizeof entry->d_name + 1];
        snprintf(path, sizeof path, "%s/%s", play->folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            (void)!unlink(path);
        }
    }
    closedir(folder);
    (void)!rmdir(play->folder);
}

void
play_close(struct play *play)
{
    if (play->stage != NULL) {
        play->now = play->stage->now;
        stage_close(play->stage);
        free(play->stage);
        play->stage = NULL;
    }
}

void
play_catch_log(struct play *play)
{
    if (play->twin != TWIN_NONE) {
        caught_log_take(play->stage->now, &play->log);
    }
}

static bool
settle(struct play *play)
{
    struct buf why = BUF_INIT;
    if (!play_works(play, stage_settle(play->stage, &why), &why)) {
        return false;
    }
    play_catch_log(play);
    return play->twin != TWIN_NONE || play->mischance == NULL ||
           play_fault(play, "%s", play->mischance);
}

bool
play_open(struct play *play)
{
    struct buf why = BUF_INIT;
    if (play->folder[0] == '\0' && !make_folder(play)) {
        return false;
    }
    struct stage *stage = must_alloc(sizeof *stage);
    conf_defaults(&stage->conf);
    stage->conf.settings = play->settings;
    stage->dealer =
        (struct dealer){play, NULL, play_deal, play_reshuffle, play_lots, NULL};
    if (!play_works(play, stage_open(stage, play->folder, play->now, &why),
                    &why)) {
        free(stage);
        return false;
    }
    play->stage = stage;
    memcpy(stage->conf.places[0].publish, play->publish, sizeof play->publish);
    play_trouble(play);
    stage->loop.leaps = !play->was_away;
    return settle(play);
}

bool
play_post(struct play *play, const char *who, bool in_private, const char *text)
{
    struct buf why = BUF_INIT;
    enum err err = stage_post(play->stage, who, in_private, text, NULL, &why);
    return play_works(play, err, &why) &&
           (play->trouble == TROUBLE_HOST || settle(play));
}

bool
play_post_in(struct play *play, const char *place, const char *who,
             const char *text)
{
    struct buf why = BUF_INIT;
    enum err err = board_write_in(play->stage->board, who, place, text, NULL,
                                  play->stage->now, NULL, &why);
    return play_works(play, err, &why) &&
           (play->trouble == TROUBLE_HOST || settle(play));
}

/* Once it is over the table is gone, and its thread still there. */
const char *
play_thread(struct play *play)
{
    const struct table *table = stage_table(play->stage);
    if (table != NULL) {
        (void)snprintf(play->thread, sizeof play->thread, "%s", table->thread);
    }
    return play->thread[0] == '\0' ? PLAY_PLACE : play->thread;
}

bool
play_jump(struct play *play, int64_t time)
{
    struct buf why = BUF_INIT;
    return play_works(play, stage_jump(play->stage, time, &why), &why) &&
           settle(play);
}

const struct game *
play_game(const struct play *play)
{
    const struct table *table = stage_table(play->stage);
    bool on = table != NULL && table->state == TABLE_RUNNING;
    return on ? &table->game : NULL;
}

/* ---- what an act brings -------------------------------------------------- */

static void
fold_blanks(const char *text, struct buf *out)
{
    for (; *text != '\0'; text++) {
        if (strchr(" \t\r\n", *text) == NULL) {
            buf_add_char(out, *text);
        } else if (out->len > 0 && out->data[out->len - 1] != ' ') {
            buf_add_char(out, ' ');
        }
    }
}

void
play_add_visible(const char *raw, struct buf *out)
{
    struct buf text = BUF_INIT;
    struct buf line = BUF_INIT;
    visible_text(raw, &text);
    fold_blanks(buf_text(&text), &line);
    buf_add_buf(out, &line);
    buf_release(&text);
    buf_release(&line);
}

struct answers *
play_answers(struct play *play, const char *place)
{
    for (unsigned i = 0; i < play->answers_count; i++) {
        if (strcmp(play->answers[i].place, place) == 0) {
            return &play->answers[i];
        }
    }
    if (play->answers_count == ANSWERS_MAX) {
        return NULL;
    }
    struct answers *answers = &play->answers[play->answers_count++];
    snprintf(answers->place, sizeof answers->place, "%s", place);
    return answers;
}

static void
parse_post(void *context, const struct board_post *seen)
{
    struct play *play = context;
    play->newest = seen->id;
    if (strcmp(seen->author, BOARD_HOST) != 0) {
        return;
    }
    if (play->status == 0 && strcmp(seen->place, play_thread(play)) == 0) {
        play->status = seen->id; /* the first: it is edited from then on */
        return;
    }
    struct answers *answers = play_answers(play, seen->place);
    if (answers == NULL) {
        play_fault(play, "%s: too many people talk to the host", seen->place);
        return;
    }
    play_add_visible(seen->text, &answers->said);
    buf_add_char(&answers->said, '\n');
}

void
play_begin_act(struct play *play)
{
    for (unsigned i = 0; i < play->answers_count; i++) {
        buf_clear(&play->answers[i].said);
        play->answers[i].found = 0;
    }
    play->record_act = play->record.len;
    play->record_found = play->record.len;
}

bool
play_end_act(struct play *play)
{
    struct buf why = BUF_INIT;
    enum err err = board_read(play->stage->board, play->newest, "*", parse_post,
                              play, &why);
    if (err == ERR_NONE && play->id[0] != '\0') {
        buf_clear(&play->record);
        err = store_record(play->stage->tables.store, play->id, &play->record,
                           &why);
    }
    if (!play_works(play, err, &why) || play->out->fault.len > 0 ||
        !play_check_facts(play)) {
        return false;
    }
    if (play->restarts && play->trouble == TROUBLE_NONE) {
        play_close(play);
        return play_open(play);
    }
    return true;
}
