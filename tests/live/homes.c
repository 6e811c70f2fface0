#include "tests/live/homes.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "bot/base/err.h"
#include "bot/base/files.h"
#include "bot/base/json.h"

enum {
    EXIT_NONE = 75,
    WORDS_MAX = 24
};

/* Homes are started before the tests, where Check's assertions don't work. */
static void
must(bool holds, const char *what)
{
    if (!holds) {
        die("%s: %s", what, strerror(errno));
    }
}

void
live_read(const char *path, struct buf *text)
{
    struct buf why = BUF_INIT;

    if (file_read(path, text, &why) != ERR_NONE) {
        die("%s", buf_text(&why));
    }
}

/* ---- processes ----------------------------------------------------------- */

/* Run a program with its output in a file, and what it says of errors as well
 * where that is wanted; its exit code. */
static int
run(const char *const *words, const char *output, bool errors)
{
    char *copies[WORDS_MAX] = {NULL};
    int status = 0;
    pid_t child = fork();

    must(child >= 0, "fork");
    if (child == 0) {
        int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);

        for (size_t i = 0; words[i] != NULL && i + 1 < WORDS_MAX; i++) {
            copies[i] = must_copy(words[i]);
        }
        (void)dup2(out, STDOUT_FILENO);
        if (errors) {
            (void)dup2(out, STDERR_FILENO);
        }
        (void)execv(copies[0], copies);
        _exit(127);
    }
    must(waitpid(child, &status, 0) == child, "waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void
nap(void)
{
    struct timespec time = {0, 20000000};

    (void)nanosleep(&time, NULL);
}

/* ---- the homeserver ------------------------------------------------------ */

/* A free port. */
static int
free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    int end = socket(AF_INET, SOCK_STREAM, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(bind(end, (struct sockaddr *)&address, size) == 0 &&
             getsockname(end, (struct sockaddr *)&address, &size) == 0,
         "a free port");
    (void)close(end);
    return ntohs(address.sin_port);
}

static const char *
cache(void)
{
    const char *folder = getenv("PLACARD_SYNAPSE_CACHE");

    return folder != NULL ? folder : "build/synapse";
}

static int
start(struct home *home)
{
    char port[16];
    char output[300];
    struct buf text = BUF_INIT;
    const char *const words[] = {getenv("PLACARD_SYNAPSE_UP"),
                                 cache(),
                                 "--port",
                                 port,
                                 "--state",
                                 home->folder,
                                 "--rates",
                                 home->rates,
                                 "--encrypt",
                                 home->encrypt,
                                 "--users",
                                 home->users,
                                 NULL};

    snprintf(port, sizeof(port), "%d", home->port);
    snprintf(output, sizeof(output), "%s.json", home->folder);
    int code = run(words, output, false);

    if (code == 0) {
        live_read(output, &text);
        json_object_put(home->told);
        home->told = json_tokener_parse(buf_text(&text));
        home->pid = json_object_get_int(jdoc_get(home->told, "pid"));
        must(home->pid > 1, output);
    }
    buf_release(&text);
    return code;
}

bool
home_start(struct home *home, const char *folder, const char *rates,
           const char *encrypt, const char *users)
{
    memset(home, 0, sizeof(*home));
    snprintf(home->folder, sizeof(home->folder), "%s", folder);
    home->rates = rates;
    home->encrypt = encrypt;
    home->users = users;
    home->port = free_port();
    snprintf(home->base, sizeof(home->base), "http://127.0.0.1:%d", home->port);
    int code = start(home);

    if (code == EXIT_NONE) {
        printf("  SKIP  live: there is no homeserver to be had here\n");
        return false;
    }
    if (code != 0) {
        die("%s: exit code %d", getenv("PLACARD_SYNAPSE_UP"), code);
    }
    return true;
}

void
home_stop(struct home *home)
{
    if (home->pid > 1) {
        (void)kill(home->pid, SIGTERM);
        for (int i = 0; i < 1000 && kill(home->pid, 0) == 0; i++) {
            nap();
        }
    }
    home->pid = 0;
}

void
home_restart(struct home *home)
{
    ck_assert_int_eq(start(home), 0);
}

void
home_release(struct home *home)
{
    home_stop(home);
    json_object_put(home->told);
}

struct account
home_account(const struct home *home, const char *name)
{
    json_object *told = jdoc_get(jdoc_get(home->told, "users"), name);
    struct account account = {.base = home->base, .accepts = true};

    ck_assert_msg(told != NULL, "no account %s", name);
    snprintf(account.user, sizeof(account.user), "%s",
             jdoc_string(told, "user_id"));
    snprintf(account.token, sizeof(account.token), "%s",
             jdoc_string(told, "access_token"));
    snprintf(account.name, sizeof(account.name), "%c%s", name[0] + 'A' - 'a',
             name + 1);
    return account;
}

/* ---- the host ------------------------------------------------------------ */

static void
write_file(const char *folder, const char *name, const char *text)
{
    char path[300];
    struct buf why = BUF_INIT;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    ck_assert_msg(file_write(path, text, strlen(text), 0600, &why) == ERR_NONE,
                  "%s", buf_text(&why));
}

void
host_set_at(struct host *host, const char *folder, const char *service,
            const char *secret, const char *places)
{
    struct buf text = BUF_INIT;

    memset(host, 0, sizeof(*host));
    snprintf(host->folder, sizeof(host->folder), "%s", folder);
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    write_file(folder, "bot.token", secret);
    buf_addf(&text,
             "services = ( { %s token_file = \"bot.token\"; } );\n"
             "places = (\n%s\n);\n",
             service, places);
    write_file(folder, "placard.cfg", buf_text(&text));
    buf_release(&text);
}

void
host_set(struct host *host, const char *folder, const struct home *home,
         const struct account *account, const char *places)
{
    char service[128];

    snprintf(service, sizeof(service), "name = \"matrix\"; url = \"%s\";",
             home->base);
    host_set_at(host, folder, service, account->token, places);
}

void
host_start(struct host *host)
{
    char conf[300];
    char log[300];

    ck_assert_int_eq(host->pid, 0);
    snprintf(conf, sizeof(conf), "%s/placard.cfg", host->folder);
    snprintf(log, sizeof(log), "%s/log", host->folder);
    host->pid = fork();
    ck_assert_int_ge(host->pid, 0);
    if (host->pid == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
        char *const words[] = {(char[]){TEST_PROGRAM}, (char[]){"run"},
                               (char[]){"-c"}, conf, NULL};

        (void)dup2(out, STDERR_FILENO);
        (void)setenv("PLACARD_DATA", "config", 1);
        (void)execv(words[0], words);
        _exit(127);
    }
    host->starts++;
}

void
host_kill(struct host *host)
{
    int status = 0;

    if (host->pid == 0) {
        return;
    }
    (void)kill(host->pid, SIGKILL);
    ck_assert_int_eq(waitpid(host->pid, &status, 0), host->pid);
    /* It must not have ended by itself. */
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    host->pid = 0;
}

int
host_stop(struct host *host)
{
    int status = 0;

    if (host->pid == 0) {
        return 0;
    }
    (void)kill(host->pid, SIGTERM);
    ck_assert_int_eq(waitpid(host->pid, &status, 0), host->pid);
    host->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
host_command(const struct host *host, const char *const *words,
             const char *output)
{
    const char *all[WORDS_MAX] = {TEST_PROGRAM};
    char conf[300];
    char path[300];
    size_t count = 1;

    snprintf(conf, sizeof(conf), "%s/placard.cfg", host->folder);
    snprintf(path, sizeof(path), "%s/%s", host->folder, output);
    for (; *words != NULL && count + 1 < WORDS_MAX; words++) {
        all[count++] = strcmp(*words, "CONF") == 0 ? conf : *words;
    }
    (void)setenv("PLACARD_DATA", "config", 1);
    return run(all, path, true);
}

void
host_usage(const struct host *host, long *cpu, long *memory)
{
    char path[64];
    struct buf text = BUF_INIT;
    unsigned long user = 0;
    unsigned long kernel = 0;

    snprintf(path, sizeof(path), "/proc/%ld/stat", (long)host->pid);
    live_read(path, &text);
    /* The 14th and 15th field, the second of which may hold anything in
     * brackets (proc(5)). */
    const char *at = strrchr(buf_text(&text), ')');

    for (int field = 2; at != NULL && field < 14; field++) {
        at = strchr(at + 1, ' ');
    }
    ck_assert_ptr_nonnull(at);
    char *end = NULL;

    user = strtoul(at, &end, 10);
    kernel = strtoul(end, NULL, 10);
    *cpu = (long)((user + kernel) * 1000 / (unsigned long)sysconf(_SC_CLK_TCK));
    buf_clear(&text);
    snprintf(path, sizeof(path), "/proc/%ld/status", (long)host->pid);
    live_read(path, &text);
    at = strstr(buf_text(&text), "VmHWM:");
    ck_assert_ptr_nonnull(at);
    *memory = strtol(at + strlen("VmHWM:"), NULL, 10);
    buf_release(&text);
}
