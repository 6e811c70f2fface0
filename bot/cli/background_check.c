#include "bot/cli/background_check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/log.h"
#include "bot/store/store.h"

/* The thread writes `err` and `why` until it sets `ended`; the host
 * reads them after that. */
struct background_check {
    pthread_t thread;
    char *path;
    int wake;
    atomic_bool stop, ended;
    enum err err;
    struct buf why;
};

static void
log_odd(void *context, const char *game, const char *trouble)
{
    (void)context;
    (void)game;
    log_line(LOG_LEVEL_ERROR, "%s", trouble);
}

static void *
work(void *context)
{
    struct background_check *check = context;
    const struct store_check how = {
        .path = check->path,
        .stop = &check->stop,
        .each = log_odd,
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
    buf_release(&check->why);
    free(check);
}

struct background_check *
background_check_begin(const char *path, int wake)
{
    struct background_check *check = must_alloc(sizeof *check);
    check->path = must_copy(path);
    check->wake = wake;
    if (!begin(check)) {
        free_all(check);
        return NULL;
    }
    return check;
}

bool
background_check_ended(struct background_check *check, enum err *err,
                       struct buf *why)
{
    if (!atomic_load(&check->ended)) {
        return false;
    }
    *err = check->err;
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
