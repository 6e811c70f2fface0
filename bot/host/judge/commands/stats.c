#include "bot/host/judge/commands/chat_command.h"

/* Answer in the thread where the place publishes names, else in private: what
 * only the asker is told of themself is not published. */
static void
answer(struct chat_command *chat)
{
    const struct post *post = chat->input->post;
    struct rich text = {.count = 0};
    if (post->dm || post->kind == POST_PRESSED ||
        place_publishes_names(chat->ruling->env->place)) {
        (void)chat_answer(chat, "stats_here");
        return;
    }
    params_person(&chat->speech.params, "player", post->author,
                  post->author_name);
    speech_say(&chat->speech, "stats_here", &text);
    (void)ruling_private(chat->ruling, post->author, &text);
    chat_acknowledge(chat);
}

static void
say_counts(struct chat_command *chat, const struct wins *wins,
           const struct score *own)
{
    static const struct {
        const char *games, *won;
    } roles[RESULT_ROLES] = {
        [ROLE_LIBERAL] = {"as_liberal", "won_liberal"},
        [ROLE_FASCIST] = {"as_fascist", "won_fascist"},
        [ROLE_HITLER] = {"as_hitler", "won_hitler"},
    };
    struct params *params = &chat_speech(chat)->params;
    params_set_number(params, "games", wins_games(wins));
    params_set_number(params, "liberal", wins->liberal);
    params_set_number(params, "fascist", wins->fascist);
    params_set_number(params, "abandoned", wins->abandoned);
    params_set_number(params, "own", score_games(own));
    params_set_number(params, "won", score_won(own));
    for (unsigned role = 0; role < RESULT_ROLES; role++) {
        params_set_number(params, roles[role].games, own->games[role]);
        params_set_number(params, roles[role].won, own->won[role]);
    }
    answer(chat);
}

/* The games that have ended at this place.  They are over, so that nothing is
 * told of one that is on. */
void
chat_stats(struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    const struct history *history = env->history;
    struct wins wins = {0};
    struct score own = {.games = {0}};
    if (history == NULL || history->counts == NULL ||
        !history->counts(history->context, env->place,
                         chat->input->post->author, &wins, &own) ||
        wins_games(&wins) == 0) {
        (void)chat_answer(chat, "stats_none");
        return;
    }
    say_counts(chat, &wins, &own);
}
