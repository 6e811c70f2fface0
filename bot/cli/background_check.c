#include "bot/cli/background_check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/log.h"
#include "bot/store/store.h"

/* The thread writes `games`, `err` and `why` until it sets `ended`; the host
 * reads them after that. */
struct background_check {
    pthread_t thread;
    char *path, *key_file;
    int wake;
    atomic_bool stop, ended;
    struct buf games;
    enum err err;
    struct buf why;
};

static void
note_game(void *context, const char *game, const char *trouble)
{
    struct background_check *check = context;
    log_line(LOG_LEVEL_ERROR, "%s", trouble);
    buf_add(&check->games, game, game[0] == '\0' ? 0 : strlen(game) + 1);
}

static void *
work(void *context)
{
    struct background_check *check = context;
    const struct store_check how = {
        .path = check->path,
        .key_file = check->key_file,
        .stop = &check->stop,
        .each = note_game,
        .context = check,
    };
    unsigned count = 0;
    check->err = store_check(&how, &count, &check->why);
    atomic_store(&check->ended, true);
    (void)!write(check->wake, "", 1);
    return NULL;
}

/* Signals are for the thread that hosts. */
static bool
begin(struct background_check *check)
{
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&check->thread, NULL, work, check);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        log_line(LOG_LEVEL_WARNING, "%s is not checked: %s", check->path,
                 strerror(error));
    }
    return error == 0;
}

static void
free_all(struct background_check *check)
{
    free(check->path);
    free(check->key_file);
    buf_release(&check->games);
    buf_release(&check->why);
    free(check);
}

struct background_check *
background_check_begin(const char *path, const char *key_file, int wake)
{
    struct background_check *check = must_alloc(sizeof *check);
    check->path = must_copy(path);
    check->key_file = must_copy(key_file);
    check->wake = wake;
    if (!begin(check)) {
        free_all(check);
        return NULL;
    }
    return check;
}

bool
background_check_ended(struct background_check *check, struct buf *games,
                       enum err *err, struct buf *why)
{
    if (!atomic_load(&check->ended)) {
        return false;
    }
    *err = check->err;
    buf_add_buf(games, &check->games);
    buf_add_buf(why, &check->why);
    return true;
}

void
background_check_free(struct background_check *check)
{
    if (check != NULL) {
        atomic_store(&check->stop, true);
        (void)pthread_join(check->thread, NULL);
        free_all(check);
    }
}
