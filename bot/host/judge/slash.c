#include "bot/host/judge/slash.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/judge/press.h"

/* The command's word, and what follows it. */
struct slash {
    struct buf word;
    const char *rest; /* borrowed from the post */
};

static void
read_slash(const struct post *post, struct slash *slash)
{
    const char *word = post->body + 1;
    size_t len = strcspn(word, " ");
    buf_add(&slash->word, word, len);
    slash->rest = word + len + strspn(word + len, " ");
}

/* Is a post the slash command of that word? */
static bool
is_slash(const struct post *post, const char *word)
{
    return press_is_command(post) && strcspn(post->body, " ") == strlen(word) &&
           strncmp(post->body, word, strlen(word)) == 0;
}

enum called_for
slash_call(const struct post *post)
{
    return is_slash(post, "/new")    ? CALLED_TABLE
           : is_slash(post, "/join") ? CALLED_SEAT
                                     : CALLED_OTHER;
}

bool
slash_is_answer(const struct post *post)
{
    return is_slash(post, "/vote") || is_slash(post, "/nominate");
}

/* ---- acts ---------------------------------------------------------------- */

/* An act answers the question that was open when it was given.  Whoever types a
 * command means it, so it is not asked about. */
static void
act(struct ruling *ruling, const struct input *input, struct press *press)
{
    const struct table *table = ruling->table;
    press->confirmed = true;
    if (table->state != TABLE_RUNNING || input->post->stamp < table->since) {
        press_answer(ruling, input->post, "press_not_asked");
    } else {
        referee_press(ruling, input, press);
    }
}

static void
vote(struct ruling *ruling, const struct input *input, const char *rest)
{
    struct press press = {.choice = PRESS_VOTE};
    press.number = strcmp(rest, "ja") == 0;
    if (press.number == 0 && strcmp(rest, "nein") != 0) {
        press_answer(ruling, input->post, "press_not_asked");
    } else {
        act(ruling, input, &press);
    }
}

static void
choose(struct ruling *ruling, const struct input *input, const char *rest,
       bool nominates)
{
    const struct table *table = ruling->table;
    struct press press = {.choice = PRESS_NAME};
    if (table->state != TABLE_RUNNING ||
        (table->game.question == QUESTION_NOMINATE) != nominates) {
        press_answer(ruling, input->post, "press_not_asked");
    } else if (chat_commands_find(ruling, input, rest, &press.number)) {
        act(ruling, input, &press);
    }
}

static void
nominate(struct ruling *ruling, const struct input *input, const char *rest)
{
    choose(ruling, input, rest, true);
}

static void
use_power(struct ruling *ruling, const struct input *input, const char *rest)
{
    choose(ruling, input, rest, false);
}

/* Without an answer it asks for one. */
static void
veto(struct ruling *ruling, const struct input *input, const char *rest)
{
    struct press press = {.choice = *rest == '\0' ? PRESS_ASK_VETO
                                                  : PRESS_ANSWER_VETO};
    press.number = strcmp(rest, "ja") == 0;
    act(ruling, input, &press);
}

static void
show_hand(struct ruling *ruling, const struct input *input, const char *rest)
{
    (void)rest;
    press_show_hand(ruling, input->post);
}

static const struct {
    const char *word;
    void (*obey)(struct ruling *ruling, const struct input *input,
                 const char *rest);
} acts[] = {
    {"vote", vote}, {"nominate", nominate}, {"power", use_power},
    {"veto", veto}, {"hand", show_hand},
};
enum {
    ACTS = sizeof acts / sizeof acts[0]
};

/* ---- commands ------------------------------------------------------------ */

void
slash_judge(struct ruling *ruling, const struct input *input,
            const char *next_id)
{
    struct slash slash = {.rest = ""};
    enum called_for called = slash_call(input->post);
    unsigned at = 0;
    read_slash(input->post, &slash);
    while (at < ACTS && strcmp(buf_text(&slash.word), acts[at].word) != 0) {
        at++;
    }
    if (at < ACTS && ruling->env->on_hold != NULL) {
        press_answer(ruling, input->post, "press_on_hold");
    } else if (at < ACTS) {
        acts[at].obey(ruling, input, slash.rest);
    } else {
        chat_commands_press(ruling, input, buf_text(&slash.word), slash.rest,
                            next_id);
    }
    press_tell_done(ruling, input->post,
                    called == CALLED_TABLE            ? "press_opened"
                    : called == CALLED_SEAT           ? "press_joined"
                    : is_slash(input->post, "/leave") ? "press_left"
                                                      : "press_counts",
                    "slash_not_yours");
    buf_release(&slash.word);
}

void
slash_elsewhere(struct ruling *ruling, const struct input *input)
{
    press_answer(ruling, input->post, "slash_elsewhere");
}
