#include "bot/store/forget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/cli/command.h"

struct forget_request {
    const char *user, *service;
    bool dry_run;
    struct conf conf;
    struct store *store;
    char (*games)[TABLE_ID_MAX + 1]; /* that are over, at that service */
    size_t game_count, game_room;
    char found_at[64]; /* the service; "": not found yet */
    bool known;        /* it is configured */
    unsigned unread;
};

/* ---- which games --------------------------------------------------------- */

/* Whose ids a place's are: its service's.  Those of a place that is no longer
 * configured are its own. */
static const char *
ids_of(const struct forget_request *request, const char *place, bool *known)
{
    const struct place *found = conf_place(&request->conf, place);
    *known = found != NULL;
    return found == NULL ? place : found->service;
}

static enum err
take_game(void *context, const struct store_game *game, struct buf *why)
{
    struct forget_request *request = context;
    bool known = false;
    const char *service = ids_of(request, game->place, &known);
    if (request->service != NULL && strcmp(service, request->service) != 0) {
        return ERR_NONE;
    }
    if (request->found_at[0] != '\0' &&
        strcmp(service, request->found_at) != 0) {
        return err_say(why, ERR_CONFIG,
                       "%s: an id at %s and at %s, which may be two people; "
                       "say which with --service",
                       request->user, request->found_at, service);
    }
    (void)snprintf(request->found_at, sizeof request->found_at, "%s", service);
    request->known = known;
    if (!game->over) {
        return err_say(why, ERR_DENIED,
                       "%s: is in game %s, which is on; try again when it has "
                       "ended. A moderator may give the seat to somebody else "
                       "before: `!replace NAME`",
                       request->user, game->id);
    }
    if (request->game_count == request->game_room) {
        request->game_room = 2 * request->game_room + 16;
        request->games = must_grow(request->games,
                                   request->game_room * sizeof *request->games);
    }
    (void)snprintf(request->games[request->game_count++],
                   sizeof request->games[0], "%s", game->id);
    return ERR_NONE;
}

static enum err
find_games(struct forget_request *request, struct buf *why)
{
    enum err err = forget_find(request->store, request->user, take_game,
                               request, &request->unread, why);
    if (err == ERR_NONE && request->game_count == 0) {
        err = err_say(why, ERR_GONE,
                      "%s: nobody with this user id is in a game; it is the "
                      "service's id, as `placard record GAME` has it in the "
                      "transcript, and no name",
                      request->user);
    }
    return err;
}

/* ---- what is told -------------------------------------------------------- */

static void
print_games(const struct forget_request *request, const bool *keyed)
{
    bool first = true;
    for (size_t i = 0; i < request->game_count; i++) {
        if (keyed == NULL || keyed[i]) {
            (void)printf("%s %s", first ? "" : ",", request->games[i]);
            first = false;
        }
    }
    (void)printf(".\n");
}

static bool
has_keyed(const struct forget_request *request, const struct forgotten *done)
{
    bool found = false;
    for (size_t i = 0; i < request->game_count; i++) {
        found = found || done->keyed[i];
    }
    return found;
}

static void
print_done(const struct forget_request *request, const struct forgotten *done)
{
    (void)printf("%s %s %s in %zu finished game%s:", request->user,
                 request->dry_run ? "would be" : "is", done->name,
                 request->game_count, request->game_count == 1 ? "" : "s");
    print_games(request, NULL);
    if (has_keyed(request, done)) {
        (void)printf("The transcript of the deal has the id, so the record "
                     "keeps the deal's key instead. That the key is the right "
                     "one can be checked only with the transcript as it was "
                     "posted:");
        print_games(request, done->keyed);
    }
    if (done->messages > 0) {
        (void)printf("Messages to them that waited and %s deleted: %zu.\n",
                     request->dry_run ? "would be" : "are", done->messages);
    }
    (void)printf("Not changed: what stands at the service, reports that were "
                 "attached there, and backups made before. `placard report "
                 "--site` writes its pages anew.\n");
    if (request->dry_run) {
        (void)printf("Nothing is changed yet: leave out --dry-run.\n");
    }
}

/* ---- the command --------------------------------------------------------- */

/* Opening to host would make a store or a key that is missing. */
static enum err
open_store(struct forget_request *request, struct buf *why)
{
    const struct conf *conf = &request->conf;
    struct buf key = BUF_INIT;
    enum err err = ERR_NONE;
    buf_addf(&key, conf->key_file[0] == '\0' ? "%s.key" : "%s",
             conf->key_file[0] == '\0' ? conf->store : conf->key_file);
    if (!file_exists(conf->store)) {
        err = err_say(why, ERR_GONE, "%s: there is no store yet", conf->store);
    } else if (!file_exists(buf_text(&key))) {
        err = err_say(why, ERR_GONE,
                      "%s: the key is missing; without it no game can be read",
                      buf_text(&key));
    } else {
        err = store_open(conf->store, conf->key_file, STORE_HOST,
                         &request->store, why);
    }
    buf_release(&key);
    return err;
}

static enum err
forget(struct forget_request *request, struct buf *why)
{
    struct forgotten done = {.keyed = NULL};
    enum err err = open_store(request, why);
    if (err == ERR_NONE) {
        err = find_games(request, why);
    }
    if (err == ERR_NONE) {
        const struct forgetting forgetting = {
            .user = request->user,
            .service = request->known ? request->found_at : NULL,
            .games = (const char(*)[TABLE_ID_MAX + 1]) request->games,
            .game_count = request->game_count,
            .now = clock_now(),
            .only_try = request->dry_run};
        err = forget_person(request->store, &forgetting, &done, why);
    }
    if (err == ERR_NONE) {
        print_done(request, &done);
    }
    forgotten_release(&done);
    return err;
}

int
command_forget(int argc, char **argv)
{
    const char *file = NULL;
    struct forget_request request = {.user = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--service", .value = &request.service},
        {.name = "--dry-run", .flag = &request.dry_run},
        {.name = NULL}};
    struct buf why = BUF_INIT;
    int code = EXIT_FAULT;
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc != 2 || argv[1][0] == '\0') {
        (void)fprintf(stderr, "placard forget: whom? Name one user id\n");
        return EXIT_USAGE;
    }
    request.user = argv[1];
    if (options_conf(file, &request.conf)) {
        code =
            forget(&request, &why) == ERR_NONE ? EXIT_DONE : command_fail(&why);
    }
    if (request.unread > 0) {
        (void)fprintf(stderr,
                      "placard forget: %u game%s could not be read and %s as "
                      "before\n",
                      request.unread, request.unread == 1 ? "" : "s",
                      request.unread == 1 ? "is" : "are");
        code = EXIT_FAULT;
    }
    store_close(request.store);
    conf_release(&request.conf);
    free(request.games);
    buf_release(&why);
    return code;
}
