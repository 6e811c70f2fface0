#include "bot/local/guest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/civil.h"
#include "bot/host/words/speech.h"

void
guest_init(struct guest *guest)
{
    memset(guest, 0, sizeof(*guest));
    screen_init(&guest->screen, stdout);
    prompt_init(&guest->prompt, STDIN_FILENO);
}

void
guest_release(struct guest *guest)
{
    prompt_release(&guest->prompt);
}

static const struct table *
table_of(const struct guest *guest)
{
    return stage_table(guest->sim_table->stage);
}

/* Their seat's name; "": they have none. */
static const char *
seat_of(const struct guest *guest)
{
    return guest->sim_table->plan.seat;
}

/* ---- showing ------------------------------------------------------------- */

static void
show_post(void *context, const struct board_post *post)
{
    struct guest *guest = context;
    guest->shown = post->id;
    if (post->stamp >= guest->since) {
        screen_post(&guest->screen, post);
        guest->updates++;
    }
}

enum err
guest_show(struct guest *guest, struct buf *why)
{
    const char *seat = seat_of(guest);
    guest->updates = 0;
    enum err err =
        board_read(guest->sim_table->stage->board, guest->shown,
                   guest->reads_all ? "*" : seat, show_post, guest, why);
    (void)fflush(stdout);
    return err;
}

/* ---- saying -------------------------------------------------------------- */

/* Separate other text from the posts. */
static void
show_note(struct guest *guest, struct rich *note)
{
    if (note->text.len > 0) {
        screen_note(&guest->screen, note);
        (void)fflush(stdout);
    }
    rich_release(note);
}

void
guest_say(struct guest *guest, const char *key, const struct params *params)
{
    struct rich note = {.count = 0};
    catalogue_say(guest->screen.catalogue, key, params, &note);
    show_note(guest, &note);
}

static void
say(struct guest *guest, const char *key)
{
    guest_say(guest, key, NULL);
}

/* Posts that are shown once more, with their date. */
struct again {
    struct screen *screen;
    int64_t only;      /* the id of the only one; 0: any */
    const char *place; /* in which place */
};

static void
show_again(void *context, const struct board_post *post)
{
    const struct again *again = context;
    if ((again->only == 0 || again->only == post->id) &&
        strcmp(again->place, post->place) == 0) {
        screen_post(again->screen, post);
    }
}

static enum err
show_old(struct guest *guest, int64_t only, const char *place, struct buf *why)
{
    struct screen *screen = &guest->screen;
    struct again again = {screen, only, place};
    int64_t last = screen->last;
    screen->last = 0;
    screen->apart = true;
    enum err err =
        board_read(guest->sim_table->stage->board, only == 0 ? 0 : only - 1,
                   seat_of(guest), show_again, &again, why);
    screen->last = last;
    screen->apart = true;
    return err;
}

static enum err
show_private(struct guest *guest, struct buf *why)
{
    struct buf place = BUF_INIT;
    buf_addf(&place, "talk/%s", seat_of(guest));
    enum err err = show_old(guest, 0, buf_text(&place), why);
    buf_release(&place);
    return err;
}

/* The status post is edited in place: show it as it is now. */
static enum err
show_status(struct guest *guest, struct buf *why)
{
    const struct table *table = table_of(guest);
    struct store *store = guest->sim_table->stage->tables.store;
    struct buf post = BUF_INIT;
    enum err err = ERR_NONE;
    if (table != NULL) {
        store_status_post(store, table->id, table->thread, &post);
        err = store_err(store, why);
    }
    if (err == ERR_NONE && post.len > 0) {
        err =
            show_old(guest, strtoll(buf_text(&post), NULL, 10), "thread", why);
    } else if (err == ERR_NONE) {
        say(guest, "guest_no_status");
    }
    buf_release(&post);
    return err;
}

static void
show_help(struct guest *guest)
{
    struct params params = {.count = 0};
    params_text(&params, "prefix",
                guest->sim_table->stage->conf.settings.prefix);
    guest_say(guest, "guest_help", &params);
}

/* ---- asking -------------------------------------------------------------- */

/* The question to them, by the kind of answer: a card, a word, a name; NULL:
 * none. */
static const char *
question_key(const struct table *table)
{
    static const char *const keys[] = {
        [QUESTION_NOMINATE] = "guest_nominate",
        [QUESTION_VOTE] = "guest_vote",
        [QUESTION_DISCARD] = "guest_discard",
        [QUESTION_ENACT] = "guest_enact",
        [QUESTION_VETO] = "guest_veto",
        [QUESTION_INVESTIGATE] = "guest_investigate",
        [QUESTION_SPECIAL_ELECTION] = "guest_special",
        [QUESTION_EXECUTION] = "guest_execution",
        [QUESTION_NONE] = NULL,
    };
    return table->game.question == QUESTION_VOTE && table_is_secret(table)
               ? "guest_vote_sealed"
               : keys[table->game.question];
}

static void
add_question(const struct guest *guest, struct rich *note)
{
    struct stage *stage = guest->sim_table->stage;
    const struct table *table = table_of(guest);
    const char *key = question_key(table);
    const struct adapter *board = adapter_find(CONF_BOARD);
    struct host_env env = {.catalogue = stage_catalogue(stage, table),
                           .dialect = board->dialect,
                           .capabilities = &board->capabilities,
                           .zone = zone_utc(),
                           .now = stage->now};
    struct speech speech;
    if (key == NULL) {
        return;
    }
    speech_init(&speech, &env, table, NULL);
    speech_add(&speech, key, note);
    speech_release(&speech);
}

/* The newest round in which a policy was enacted, if they were in its
 * government; otherwise 0. */
static uint32_t
round_in_office(const struct guest *guest)
{
    const struct table *table = table_of(guest);
    unsigned seat = table == NULL ? NO_SEAT : table_seat(table, seat_of(guest));
    for (unsigned i = seat == NO_SEAT ? 0 : table->past_count; i-- > 0;) {
        const struct past_round *round = &table->past[i];
        bool governed = round->president == seat || round->chancellor == seat;
        if (round->outcome == PAST_ENACTED) {
            return governed ? round->round : 0;
        }
    }
    return 0;
}

void
guest_begin(struct guest *guest, struct sim_table *sim_table)
{
    guest->sim_table = sim_table;
    guest->screen.reader = sim_table->cast.human;
    guest->screen.catalogue =
        stage_catalogue(sim_table->stage, stage_table(sim_table->stage));
    guest->reads_all = sim_table->cast.human == NULL;
    guest->spoken = round_in_office(guest);
}

bool
guest_may_speak(const struct guest *guest)
{
    bool in_private = false;
    return guest->prompt.terminal && guest->sim_table->cast.human != NULL &&
           !sim_table_awaits(guest->sim_table, &in_private) &&
           round_in_office(guest) > guest->spoken;
}

/* Who is to type, and where the line goes. */
static void
print_prompt(const struct guest *guest, bool in_private)
{
    struct params params = {.count = 0};
    struct buf prompt = BUF_INIT;
    params_text(&params, "seat", seat_of(guest));
    params_number(&params, "to_host", in_private);
    catalogue_text(guest->screen.catalogue, "guest_prompt", &params, &prompt);
    (void)printf("%s> ", buf_text(&prompt));
    (void)fflush(stdout);
    buf_release(&prompt);
}

static void
ask(struct guest *guest, bool awaited, bool in_private)
{
    struct rich note = {.count = 0};
    if (awaited) {
        add_question(guest, &note);
    } else if (guest_may_speak(guest)) {
        catalogue_say(guest->screen.catalogue, "guest_may_speak", NULL, &note);
    }
    guest->spoken = round_in_office(guest);
    if (!guest->told_how) {
        rich_add_text(&note, note.text.len > 0 ? "\n" : "", 0);
        catalogue_say(guest->screen.catalogue, "guest_how", NULL, &note);
        guest->told_how = true;
    }
    show_note(guest, &note);
    print_prompt(guest, awaited && in_private);
}

/* ---- what was typed ------------------------------------------------------ */

/* Let the others go on until there is something to see. */
static enum err
let_go_on(struct guest *guest, enum patience patience, struct buf *why)
{
    enum sim_table_turn turn = SIM_TABLE_ACTED;
    enum err err = ERR_NONE;
    guest->updates = 0;
    while (err == ERR_NONE && turn == SIM_TABLE_ACTED && guest->updates == 0) {
        err = sim_table_step(guest->sim_table, patience, &turn, why);
        ERR_THEN(err, guest_show(guest, why));
    }
    if (turn == SIM_TABLE_AWAITS) {
        say(guest, "guest_awaited");
    }
    return err;
}

static enum err
post_line(struct guest *guest, bool in_private, const char *text,
          struct buf *why)
{
    while (*text == ' ') {
        text++;
    }
    if (*text == '\0') {
        say(guest, "guest_nothing");
        return ERR_NONE;
    }
    enum err err = sim_table_say(guest->sim_table, in_private, text, why);
    return err == ERR_NONE ? guest_show(guest, why) : err;
}

/* The rest of the line after this command; NULL: it is another command. */
static const char *
after_command(const char *line, const char *command)
{
    size_t len = strlen(command);
    bool same = strncmp(line, command, len) == 0 &&
                (line[len] == '\0' || line[len] == ' ');
    return same ? line + len : NULL;
}

static enum err
obey_line(struct guest *guest, const char *line, struct buf *why)
{
    const char *text = after_command(line, "/say");
    if (text != NULL) {
        return post_line(guest, false, text, why);
    }
    text = after_command(line, "/dm");
    if (text != NULL) {
        return post_line(guest, true, text, why);
    }
    if (strcmp(line, "/wait") == 0) {
        return let_go_on(guest, PATIENCE_TIME, why);
    }
    if (strcmp(line, "/status") == 0) {
        return show_status(guest, why);
    }
    if (strcmp(line, "/private") == 0) {
        return show_private(guest, why);
    }
    if (strcmp(line, "/quit") == 0) {
        guest->leaves = true;
    } else if (strcmp(line, "/help") == 0) {
        show_help(guest);
    } else {
        say(guest, "guest_unknown");
    }
    return ERR_NONE;
}

static enum err
take_line(struct guest *guest, const struct buf *line, struct buf *why)
{
    bool in_private = false;
    bool awaited = sim_table_awaits(guest->sim_table, &in_private);
    if (line->cut) {
        say(guest, "guest_too_long");
    }
    if (line->len == 0) {
        return let_go_on(guest, PATIENCE_OTHERS, why);
    }
    if (line->data[0] == '/') {
        return obey_line(guest, line->data, why);
    }
    return post_line(guest, awaited && in_private, line->data, why);
}

static void
give_up_seat(struct guest *guest)
{
    (void)printf("\n");
    say(guest, "guest_end");
    sim_table_take_over(guest->sim_table);
}

/* Take a line, if one comes within `patience` ms (-1: whenever it comes); an
 * empty one before its time asks for the floor. */
static enum err
listen_for(struct guest *guest, int patience, struct buf *why)
{
    struct buf line = BUF_INIT;
    enum err err = ERR_NONE;
    enum prompt_answer answer = prompt_read(&guest->prompt, patience, &line);
    if (answer == PROMPT_END) {
        give_up_seat(guest);
    } else if (answer == PROMPT_LINE && line.len == 0 && patience >= 0) {
        err = guest_converse(guest, why);
    } else if (answer == PROMPT_LINE) {
        if (!guest->prompt.terminal) {
            (void)printf("\n"); /* nobody has typed a line end */
        }
        err = take_line(guest, &line, why);
    }
    buf_release(&line);
    return err;
}

enum err
guest_converse(struct guest *guest, struct buf *why)
{
    bool in_private = false;
    bool awaited = sim_table_awaits(guest->sim_table, &in_private);
    ask(guest, awaited, in_private);
    return listen_for(guest, -1, why);
}

/* ---- while the others talk ----------------------------------------------- */

/* Tell a person who is out of the game once that the rest goes on by itself. */
static void
tell_if_gone(struct guest *guest)
{
    const struct table *table = table_of(guest);
    if (guest->told_gone || table == NULL || table->state != TABLE_RUNNING ||
        guest->sim_table->cast.human == NULL) {
        return;
    }
    unsigned seat = table_seat(table, seat_of(guest));
    if (seat != NO_SEAT && !seat_in(seat, game_present(&table->game))) {
        guest->told_gone = true;
        say(guest, seat_in(seat, table->game.living) ? "guest_vacant"
                                                     : "guest_executed");
    }
}

enum err
guest_pause(struct guest *guest, int64_t pause, struct buf *why)
{
    tell_if_gone(guest);
    if (guest->prompt.terminal && guest->sim_table->cast.human != NULL) {
        return listen_for(guest, (int)pause, why);
    }
    prompt_pause(&guest->prompt, (int)pause);
    return ERR_NONE;
}
