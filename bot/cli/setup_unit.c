/* `placard setup`: the host as a service of systemd. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/cli/setup_inner.h"

enum {
    WORDS_MAX = 8
};

/* Run a program and wait for it; false: it failed. */
static bool
run(const char *const *words)
{
    char *copies[WORDS_MAX + 1] = {NULL};
    int status = 0;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        for (unsigned i = 0; i < WORDS_MAX && words[i] != NULL; i++) {
            copies[i] = must_copy(words[i]);
        }
        (void)execvp(copies[0], copies);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child &&
           WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
has_unit(void)
{
    static const char *const folders[] = {
        "/etc/systemd/system", "/usr/local/lib/systemd/system",
        "/usr/lib/systemd/system", "/lib/systemd/system"};
    char path[64];
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/placard.service", folders[i]);
        if (file_exists(path)) {
            return true;
        }
    }
    return false;
}

/* The user that the unit runs as; the package makes it as well. */
static bool
make_user(void)
{
    static const char *const words[] = {
        "useradd", "--system",          "--home-dir",      "/var/lib/placard",
        "--shell", "/usr/sbin/nologin", SETUP_SYSTEM_USER, NULL};
    return getpwnam(SETUP_SYSTEM_USER) != NULL || run(words);
}

/* Its secret was written by root. */
static bool
give_secret(const struct setup *setup)
{
    const char *const words[] = {"chown", SETUP_SYSTEM_USER ":",
                                 setup->account.token_file, NULL};
    return setup->account.token_file[0] == '\0' || run(words);
}

/* It runs already: it has to read the new configuration. */
static void
reload(struct setup *setup)
{
    static const char *const words[] = {"systemctl", "reload", "placard", NULL};
    bool yes = false;
    enum answered answered = questions_yes(
        &setup->questions, "The host runs. Let it read this now?", true, &yes);
    if (answered == ANSWERED && yes && run(words)) {
        questions_say(&setup->questions, "It has read it.");
    } else {
        questions_complain(&setup->questions,
                           "It has not read this yet. Say `systemctl reload "
                           "placard` to let it, and `journalctl -u placard` to "
                           "see what it does.");
    }
}

/* false: it does not run. */
static bool
enable(struct setup *setup)
{
    static const char *const words[] = {"systemctl", "enable", "--now",
                                        "placard", NULL};
    bool yes = false;
    enum answered answered = questions_yes(
        &setup->questions,
        "Start the host now, and whenever this machine starts?", true, &yes);
    if (answered != ANSWERED || !yes) {
        return false;
    }
    if (make_user() && give_secret(setup) && run(words)) {
        questions_say(&setup->questions,
                      "It runs. `journalctl -u placard` shows what it does.");
        return true;
    }
    questions_complain(&setup->questions,
                       "That has failed, as said above. `systemctl status "
                       "placard` may say more.");
    return false;
}

const char *
setup_unit(struct setup *setup)
{
    static const char *const active[] = {"systemctl", "is-active", "--quiet",
                                         "placard", NULL};
    bool systems = strcmp(setup->file, SETUP_SYSTEM_FILE) == 0;
    if (!systems || geteuid() != 0 || !file_exists("/run/systemd/system") ||
        !has_unit()) {
        return systems ? "runuser -u " SETUP_SYSTEM_USER " -- placard run"
                       : "placard run";
    }
    if (run(active)) {
        reload(setup);
        return NULL;
    }
    return enable(setup) ? NULL : "systemctl enable --now placard";
}
