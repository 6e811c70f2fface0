/*
 * What runs beside the test: a real homeserver, and placard itself.
 *
 * The homeserver is started by the program that PLACARD_SYNAPSE_UP names:
 *     PROGRAM CACHE --port N --state FOLDER --rates relaxed|normal
 *         --encrypt off|invite|all --users "…"
 * which answers a JSON object with `base_url`, `pid` and, under `users`, each
 * account's `user_id` and `access_token`; 75 as its exit code says that there
 * is none to be had here.  CACHE is build/synapse, or PLACARD_SYNAPSE_CACHE.
 */
#ifndef TESTS_LIVE_HOMES_H
#define TESTS_LIVE_HOMES_H

#include <stdbool.h>
#include <sys/types.h>

#include "tests/live/account.h"

/* A homeserver. */
struct home {
    char folder[256], base[64];
    const char *rates, *encrypt, *users; /* names, a blank between */
    int port;
    pid_t pid;
    json_object *told; /* what the program answered */
};

/* False: there is none; why was printed. */
bool home_start(struct home *home, const char *folder, const char *rates,
                const char *encrypt, const char *users);
void home_stop(struct home *home);
/* Start one again that was stopped. */
void home_restart(struct home *home);
void home_release(struct home *home);

/* The account of that name. */
struct account home_account(const struct home *home, const char *name);

/* A host: `placard run` in a folder. */
struct host {
    char folder[256];
    pid_t pid; /* 0: it does not run */
    unsigned starts;
};

/* Write its configuration: the account, and places as libconfig has them. */
void host_set(struct host *host, const char *folder, const struct home *home,
              const struct account *account, const char *places);
/* The same at any service, as libconfig has that, with its token or password.
 */
void host_set_at(struct host *host, const char *folder, const char *service,
                 const char *secret, const char *places);
void host_start(struct host *host);
void host_kill(struct host *host); /* SIGKILL */
/* Stop it in an orderly way; its exit code. */
int host_stop(struct host *host);

/* Run another sub-command of placard on its configuration; its exit code.  Its
 * output goes to a file of its folder. */
int host_command(const struct host *host, const char *const *words,
                 const char *output);

/* What it has used: CPU time in ms and memory in KiB, of the process that runs
 * now. */
void host_usage(const struct host *host, long *cpu, long *memory);

/* Read a file whole. */
void live_read(const char *path, struct buf *text);

#endif
