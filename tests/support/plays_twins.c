/* Twins: a play that is performed twice, with the same public acts at the same
 * times, and something else in secret. */
#include <stdio.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/tables/turns/timers.h"
#include "tests/support/enquire.h"
#include "tests/support/plays_inner.h"

bool
play_in_session(const struct play *play)
{
    const struct game *game = play_game(play);
    return game != NULL && (game->question == QUESTION_DISCARD ||
                            game->question == QUESTION_ENACT);
}

/* The operator asks, too. */
static bool
ask_host(struct play *play)
{
    char path[sizeof play->folder + 16];
    struct buf conf = BUF_INIT;
    struct buf why = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s/placard.cfg", play->folder);
    buf_addf(&conf,
             "store = \"%s/store.db\";\n"
             "places = ( { name = \"board\"; service = \"board\"; } );\n",
             play->folder);
    enum err err = file_write(path, buf_text(&conf), conf.len, 0600, &why);
    buf_release(&conf);
    if (err == ERR_NONE) {
        enquire_host(path, &play->out->board);
    }
    return play_works(play, err, &why);
}

/* Somebody asks what they like, one of the government tries in the thread what
 * belongs in private, and a moderator does what they like, at the same moments
 * in both performances. */
static bool
disturb(struct play *play)
{
    static const char *const orders[] = {"!extend 1h", "!deadline 21:00",
                                         "!pause",     "!resume",
                                         "!status",    "!undo",
                                         "!votes",     "!history",
                                         "!order",     "!set reminders=3h",
                                         "!rules",     "!help",
                                         "!claims",    "!set chancellor=30h"};
    static const char *const attempts[] = {
        "discard 2", "**I wish to veto this agenda.**", "!enact 1", "veto?"};
    const struct table *table = stage_table(play->stage);
    unsigned seat = dice_below(&play->dice, table->seated);
    unsigned what =
        dice_below(&play->dice, sizeof orders / sizeof orders[0] + 5);
    char text[WORD_MAX + 20];
    switch (what) {
    case 0:
        (void)snprintf(text, sizeof text, "!choose %s lots",
                       table
                           ->seats[dice_below(&play->dice, 2) == 0
                                       ? table->game.president
                                       : table->game.chancellor]
                           .user);
        return play_post(play, STAGE_MODERATOR, false, text);
    case 1:
        return play_post(play, "Zed", false, "!status");
    case 2:
        return play_post(play, table->seats[seat].user, true, "!status");
    case 3:
        return ask_host(play);
    case 4:
        seat = dice_below(&play->dice, 2) == 0 ? table->game.president
                                               : table->game.chancellor;
        return play_post(play, table->seats[seat].user, false,
                         attempts[dice_below(&play->dice, 4)]);
    default:
        return play_post(play, STAGE_MODERATOR, false, orders[what - 5]);
    }
}

bool
play_disturb(struct play *play)
{
    bool good = true;
    while (good && play->twin != TWIN_NONE && play->trouble == TROUBLE_NONE &&
           play_in_session(play) && dice_below(&play->dice, 2) == 0) {
        good = disturb(play);
    }
    return good;
}

bool
play_holds_back(struct play *play, const char *who, const char *text)
{
    const struct game *game = play_game(play);
    if (play->twin != TWIN_LATE || play->trouble != TROUBLE_NONE ||
        play->held[0] != '\0' || game == NULL ||
        game->question != QUESTION_DISCARD ||
        strncmp(text, "discard ", 8) != 0 ||
        strcmp(stage_table(play->stage)->seats[game->president].user, who) !=
            0) {
        return false;
    }
    (void)snprintf(play->held, sizeof play->held, "%s", text);
    (void)snprintf(play->holder, sizeof play->holder, "%s", who);
    return true;
}

bool
play_let_go(struct play *play)
{
    const struct game *game = play_game(play);
    char text[sizeof play->held];
    bool due = play->held[0] != '\0' && game != NULL &&
               game->question == QUESTION_DISCARD;
    memcpy(text, play->held, sizeof text);
    play->held[0] = '\0';
    return !due || play_post(play, play->holder, true, text);
}

/* Must what was held back come before a line?  Whatever has its own outcome in
 * public waits for it: time that runs out, seats that change hands, what the
 * chancellor does. */
static bool
must_come(struct play *play, const char *line)
{
    static const char *const acts[] = {"!replace", "!reserve", "!vacate",
                                       "!leave",   "!end",     "!yes",
                                       "!agree",   "!join",    "!count"};
    size_t word = strcspn(line, " \t:<>!@~");
    int64_t time = 0;
    if (line[0] == '+') {
        int64_t due = timers_due(&play->stage->tables);
        return !duration_read(line + 1, &time) ||
               (due != 0 && due <= play->stage->now + time);
    }
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        if (strstr(line, acts[i]) != NULL) {
            return true;
        }
    }
    const struct game *game = play_game(play);
    const char *chancellor =
        stage_table(play->stage)->seats[game->chancellor].user;
    char what = line[word + strspn(line + word, " \t")];
    return (strncmp(line, chancellor, word) == 0 && chancellor[word] == '\0') ||
           what == '>' || what == '~' || strchr(":<!@", what) == NULL ||
           what == '\0';
}

bool
play_before_line(struct play *play, const char *line)
{
    if (play->twin == TWIN_NONE || play->stage == NULL) {
        return true;
    }
    if (play->held[0] != '\0' && play_in_session(play) &&
        must_come(play, line) && !play_let_go(play)) {
        return false;
    }
    return play_disturb(play);
}
