#include "bot/host/judge/commands/chat_commands.h"

#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/referee.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"

/* Who may give a command.  Most say nothing to strangers, who may be talking to
 * another bot. */
enum whose {
    ANYBODY,
    AT_THE_TABLE, /* players and moderators */
    READERS,      /* and whoever gives a slash command, which is ours alone */
    MODERATORS,
    MODERATORS_OR_TABLE, /* or the players together, if the table moderates
                            itself */
};

/* To add a command: its function, its row, its words in every catalogue. */
static const struct row {
    const char *words;   /* the catalogue's key */
    const char *english; /* always understood */
    bool in_private;     /* may be given in a DM too */
    enum whose whose;
    void (*obey)(struct chat_command *chat);
} commands[] = {
    {"command_new", "new", false, ANYBODY, chat_new},
    {"command_again", "again", false, ANYBODY, chat_again},
    {"command_join", "join", false, ANYBODY, chat_join},
    {"command_reserve", "reserve", false, ANYBODY, chat_reserve},
    {"command_leave", "leave", false, AT_THE_TABLE, chat_leave},
    {"command_alias", "alias", false, AT_THE_TABLE, chat_alias},
    {"command_start", "start", false, AT_THE_TABLE, chat_start},
    {"command_status", "status", true, READERS, chat_status},
    {"command_help", "help", true, ANYBODY, chat_help},
    {"command_rules", "rules", true, ANYBODY, chat_rules},
    {"command_tips", "tips", true, ANYBODY, chat_tips},
    {"command_fair", "fair", true, ANYBODY, chat_fair},
    {"command_luck", "luck", false, ANYBODY, chat_luck},
    {"command_report", "report", false, ANYBODY, chat_report},
    {"command_stats", "stats", true, ANYBODY, chat_stats},
    {"command_votes", "votes", true, READERS, chat_votes},
    {"command_history", "history", true, ANYBODY, chat_history},
    {"command_claim", "claim", false, AT_THE_TABLE, chat_claim},
    {"command_away", "away", false, AT_THE_TABLE, chat_away},
    {"command_catchup", "catchup", true, AT_THE_TABLE, chat_catchup},
    {"command_plan", "plan", true, AT_THE_TABLE, chat_plan},
    {"command_role", "role", true, AT_THE_TABLE, chat_role},
    {"command_gallery", "gallery", true, ANYBODY, chat_gallery},
    {"command_receipts", "receipts", true, AT_THE_TABLE, chat_receipts},
    {"command_ask", "ask", true, AT_THE_TABLE, chat_ask},
    {"command_flag", "flag", true, AT_THE_TABLE, chat_flag},
    {"command_answer", "answer", true, MODERATORS, chat_give_answer},
    {"command_language", "language", true, AT_THE_TABLE, chat_language},
    {"command_zone", "zone", true, AT_THE_TABLE, chat_zone},
    {"command_remind", "remind", true, AT_THE_TABLE, chat_remind},
    {"command_emoji", "emoji", true, AT_THE_TABLE, chat_emoji},
    {"command_why", "why", true, AT_THE_TABLE, chat_why},
    {"command_pause", "pause", false, MODERATORS_OR_TABLE, chat_pause},
    {"command_resume", "resume", false, MODERATORS_OR_TABLE, chat_resume},
    {"command_extend", "extend", false, MODERATORS_OR_TABLE, chat_extend},
    {"command_deadline", "deadline", false, MODERATORS, chat_deadline},
    {"command_vacate", "vacate", false, MODERATORS, chat_vacate},
    {"command_replace", "replace", false, MODERATORS_OR_TABLE, chat_replace},
    {"command_choose", "choose", false, MODERATORS, chat_choose},
    {"command_void", "void", false, MODERATORS, chat_void},
    {"command_count", "count", false, MODERATORS, chat_count},
    {"command_undo", "undo", false, MODERATORS, chat_undo},
    {"command_moderator", "moderator", false, MODERATORS, chat_moderator},
    {"command_set", "set", false, MODERATORS, chat_set},
    {"command_block", "block", false, MODERATORS, chat_block},
    {"command_unblock", "unblock", false, MODERATORS, chat_unblock},
    {"command_warn", "warn", false, MODERATORS, chat_warn},
    {"command_warnings", "warnings", false, MODERATORS, chat_warnings},
    {"command_end", "end", true, MODERATORS, chat_end},
    {"command_forget", "forget", true, ANYBODY, chat_forget},
    {"command_yes", "yes", true, AT_THE_TABLE, chat_yes},
    {"command_agree", "agree", false, AT_THE_TABLE, chat_agree},
};
enum {
    COMMAND_COUNT = sizeof commands / sizeof commands[0],
    NEAR_LEAST = 4, /* bytes of a word that is taken for a slip */
};

/* The row of a word, in a catalogue's language or in that of the table. */
static const struct row *
find_named(const struct catalogue *own, const struct catalogue *tables,
           const char *word)
{
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].english) == 0 ||
            catalogue_is_word(own, commands[i].words, word) ||
            catalogue_is_word(tables, commands[i].words, word)) {
            return &commands[i];
        }
    }
    return NULL;
}

static const struct row *
find_row(const struct chat_command *chat, const char *word)
{
    return find_named(chat->ruling->env->catalogue, chat->table_catalogue,
                      word);
}

bool
chat_needs_number(const struct chat_command *chat, const char *command)
{
    struct buf word = BUF_INIT;
    buf_add(&word, command, strcspn(command, " "));
    const struct row *row = find_row(chat, buf_text(&word));
    buf_release(&word);
    return row == NULL || row->obey == chat_end || row->obey == chat_replace ||
           row->obey == chat_undo;
}

/* Answer, once per person and question, that this is not possible. */
static void
answer_once(struct chat_command *chat, const char *key)
{
    struct message *message = chat_answer_quoting(chat, key);
    ruling_once(chat->ruling, message, chat->input->post->author, key,
                AGAIN_DROP);
}

/* May the author give this command?  Sets by_table. */
static bool
may_give(struct chat_command *chat, enum whose whose)
{
    const struct table *table = chat->ruling->table;
    switch (whose) {
    case ANYBODY:
        return true;
    case AT_THE_TABLE:
        return chat_by_player(chat) || chat_by_moderator(chat);
    case READERS:
        return chat_by_player(chat) || chat_by_moderator(chat) ||
               chat->ruling->pressed;
    case MODERATORS_OR_TABLE:
        chat->by_table = table->settings.table_moderates &&
                         chat_by_player(chat) && !chat_by_moderator(chat);
        if (chat->by_table) {
            return true;
        }
        break;
    case MODERATORS:
        break;
    }
    return chat_by_moderator(chat);
}

/* Is a word a command but for one slip?  Short words have too many neighbours,
 * and one with another letter is rather another bot's: "!play" for "!plan". */
static bool
is_near(const struct buf *word, const char *command, size_t len)
{
    unsigned others = 0;
    for (size_t i = 0; i < len && word->len == len; i++) {
        others += word->data[i] != command[i];
    }
    return len >= NEAR_LEAST && word->len >= NEAR_LEAST &&
           (others != 1 || len > NEAR_LEAST) &&
           name_is_slip(word->data, word->len, command, len);
}

/* Append the command that the author has nearly given, if they may. */
static bool
find_near(struct chat_command *chat, struct buf *found)
{
    const struct language *own = &chat->table_catalogue->language;
    for (unsigned i = 0; i < COMMAND_COUNT; i++) {
        const char *words = may_give(chat, commands[i].whose)
                                ? language_find(own, commands[i].words)
                                : NULL;
        while (words != NULL && *words != '\0' && found->len == 0) {
            size_t len = strcspn(words, " ");
            if (is_near(&chat->word, words, len)) {
                buf_add(found, words, len);
            }
            words += len + strspn(words + len, " ");
        }
    }
    chat->by_table = false;
    return found->len > 0;
}

/* Ask once per person and word whether they meant that command. */
static void
ask_whether(struct chat_command *chat, const struct buf *command)
{
    const struct table *table = chat->ruling->table;
    struct buf once = BUF_INIT;
    params_text(&chat_speech(chat)->params, "command", buf_text(command));
    struct message *message = chat_answer(chat, "command_near");
    buf_addf(&once, "%s/near %s/%s",
             table->id[0] == '\0' ? table->thread : table->id,
             buf_text(&chat->word), chat->input->post->author);
    message->once = buf_take(&once);
    message->again = AGAIN_DROP;
}

/* It is no command of ours.  Unless it nearly is one, or the host was spoken
 * to, it is for another bot. */
static void
answer_unknown(struct chat_command *chat, bool known_person)
{
    const struct input *input = chat->input;
    bool alone = input->post->dm || input->aside;
    struct buf command = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t line = 0;
    if (!alone && find_near(chat, &command)) {
        ask_whether(chat, &command);
    } else if (known_person &&
               (alone ||
                intent_command(input->rich, "", chat->ruling->env->self, &line,
                               &command, &rest))) {
        answer_once(chat, "unknown_command");
    }
    buf_release(&command);
    buf_release(&rest);
}

/* Is it to be an act, "!vote ja", of somebody in the game, or with a name,
 * "!special Bob", of who has to name somebody, or "!ready" of whom the ready
 * check waits for?  Whoever judges that says how it is done. */
static bool
is_act(const struct chat_command *chat)
{
    const struct table *table = chat->ruling->table;
    unsigned seat = table_seat(table, chat->input->post->author);
    struct vocabulary words;
    struct reading reading = {.player_count = 0};
    unsigned player = 0;
    if (table->state == TABLE_CHECK && seat != NO_SEAT) {
        bool says =
            chat_matches(chat, buf_text(&chat->word), "read_ready", "ready");
        return says && !seat_in(seat, table->ready);
    }
    if (table->state != TABLE_RUNNING || seat == NO_SEAT ||
        chat->input->aside || !seat_in(seat, game_present(&table->game))) {
        return false;
    }
    referee_words(chat->ruling, &words, &reading);
    referee_players(table, &reading);
    struct awaits awaits = game_awaits(&table->game);
    return intent_is_act_word(&reading, buf_text(&chat->word)) ||
           (awaits.choices != 0 && seat_in(seat, awaits.seats) &&
            intent_find_player(&reading, buf_text(&chat->rest), chat->rest.len,
                               &player));
}

bool
chat_obey(struct chat_command *chat)
{
    const struct row *row = find_row(chat, buf_text(&chat->word));
    bool known_person = chat_by_player(chat) || chat_by_moderator(chat);
    bool leaves = row != NULL && row->obey == chat_leave &&
                  table_reserve(chat->ruling->table,
                                chat->input->post->author) != NO_SEAT;
    bool answers = row != NULL && row->obey == chat_yes &&
                   chat->rest.len == 0 &&
                   !chat_by_moderator(chat); /* "!ja" is a vote, too */
    if ((row == NULL || answers) && is_act(chat)) {
        return false;
    }
    if (row == NULL) {
        answer_unknown(chat, known_person);
        return true;
    }
    if ((chat->input->post->dm || chat->input->aside) && !row->in_private) {
        if (known_person) {
            answer_once(chat, "command_in_thread");
        }
        return true;
    }
    if (chat->ruling->env->on_hold != NULL && row->whose != ANYBODY) {
        /* Who sits there isn't known. */
        chat_answer_none(chat);
    } else if (chat->confirmed || leaves || may_give(chat, row->whose)) {
        row->obey(chat);
        chat_end_speech(chat);
    } else if (known_person) {
        answer_once(chat, "command_moderators");
    }
    return true;
}

/* More commands than this in one post are ignored. */
enum {
    COMMANDS_A_POST = 4
};

enum called_for
chat_commands_call(const struct host_env *env, const struct rich *rich)
{
    const char *prefix = env->place->settings.prefix;
    struct buf word = BUF_INIT;
    struct buf rest = BUF_INIT;
    size_t line = 0;
    enum called_for called = CALLED_OTHER;
    while (called == CALLED_OTHER &&
           intent_command(rich, prefix, env->self, &line, &word, &rest)) {
        const struct row *row =
            find_named(env->catalogue, env->catalogue, buf_text(&word));
        if (row != NULL && row->obey == chat_new) {
            called = CALLED_TABLE;
        } else if (row != NULL &&
                   (row->obey == chat_join || row->obey == chat_reserve)) {
            called = CALLED_SEAT;
        }
        buf_clear(&word);
        buf_clear(&rest);
    }
    buf_release(&word);
    buf_release(&rest);
    return called;
}

static unsigned
obey_lines(struct chat_command *chat)
{
    const struct ruling *ruling = chat->ruling;
    const char *prefix = ruling->env->place->settings.prefix;
    size_t line = 0;
    unsigned count = 0;
    unsigned obeyed = 0;
    while (count < COMMANDS_A_POST &&
           intent_command(chat->input->rich, prefix, ruling->env->self, &line,
                          &chat->word, &chat->rest)) {
        obeyed += chat_obey(chat);
        buf_clear(&chat->word);
        buf_clear(&chat->rest);
        chat->by_table = false;
        chat->confirmed = false;
        chat->asked = 0;
        count++;
    }
    buf_release(&chat->word);
    buf_release(&chat->rest);
    return obeyed;
}

/* In private the host speaks the person's own language, and gives times in
 * their zone. */
static struct host_env
env_for(const struct ruling *ruling, const struct post *post)
{
    struct host_env env = *ruling->env;
    unsigned seat = table_seat(ruling->table, post->author);
    if (post->dm) {
        env.catalogue = speech_catalogue(ruling->env, ruling->table, seat);
        env.reader_zone = speech_zone(ruling->env, ruling->table, seat);
        env.no_emoji = seat != NO_SEAT && ruling->table->seats[seat].no_emoji;
    }
    return env;
}

bool
chat_commands_run(struct ruling *ruling, const struct input *input,
                  const char *next_id)
{
    const struct host_env *env = ruling->env;
    struct host_env private = env_for(ruling, input->post);
    struct chat_command chat = {.ruling = ruling,
                                .input = input,
                                .table_catalogue = env->catalogue,
                                .next_id = next_id};
    if (!input->post->dm) {
        return obey_lines(&chat) > 0;
    }
    ruling->env = &private;
    unsigned count = obey_lines(&chat);
    ruling->env = env;
    return count > 0;
}

void
chat_commands_enough(struct ruling *ruling, const struct input *input,
                     int64_t until)
{
    const struct host_env *env = ruling->env;
    struct host_env private = env_for(ruling, input->post);
    struct chat_command chat = {.ruling = ruling, .input = input};
    ruling->env = &private;
    speech_set_time(chat_speech(&chat), "until", until);
    (void)chat_answer(&chat, "answers_enough");
    ruling->env = env;
}

void
chat_commands_press(struct ruling *ruling, const struct input *input,
                    const char *word, const char *rest, const char *next_id)
{
    struct chat_command chat = {.ruling = ruling,
                                .input = input,
                                .table_catalogue = ruling->env->catalogue,
                                .next_id = next_id};
    buf_add_text(&chat.word, word);
    buf_add_text(&chat.rest, rest);
    (void)chat_obey(&chat);
    buf_release(&chat.word);
    buf_release(&chat.rest);
}

bool
chat_commands_find(struct ruling *ruling, const struct input *input,
                   const char *name, unsigned *seat)
{
    struct chat_command chat = {.ruling = ruling, .input = input};
    return chat_find_seat(&chat, name, strlen(name), seat);
}
