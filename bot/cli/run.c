#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "adapters/board/board_server.h"
#include "bot/base/civil.h"
#include "bot/base/files.h"
#include "bot/base/log.h"
#include "bot/cli/background_check.h"
#include "bot/cli/command.h"
#include "bot/loop/authorize.h"
#include "bot/loop/dispatch.h"
#include "bot/loop/loop.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/tables_open.h"

/* Set by signals, read once a turn.  A byte is also written to the bell, so
 * that a signal just before the host goes to sleep wakes it. */
static volatile sig_atomic_t told_to_stop;
static volatile sig_atomic_t told_to_reload;
static int bell[2]; /* set once, before signals are caught */

static void
on_signal(int number)
{
    int error = errno;
    if (number == SIGHUP) {
        told_to_reload = 1;
    } else {
        told_to_stop = 1;
    }
    (void)!write(bell[1], "", 1);
    errno = error;
}

static void
hang_bell(void)
{
    if (pipe(bell) != 0) {
        die("can't make a pipe: %s", strerror(errno));
    }
    for (unsigned i = 0; i < 2; i++) {
        (void)fcntl(bell[i], F_SETFD, FD_CLOEXEC);
        (void)fcntl(bell[i], F_SETFL, O_NONBLOCK);
    }
}

/* What rang is looked at now. */
static void
hush_bell(void)
{
    char bytes[64];
    while (read(bell[0], bytes, sizeof bytes) > 0) {
    }
}

static void
catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGHUP, &action, NULL);
    action.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &action, NULL);
}

/* Tell systemd, if it runs us (sd_notify(3): one datagram to the socket named
 * by NOTIFY_SOCKET; a leading @ stands for an abstract one). */
static void
notify_manager(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    if (path == NULL || strlen(path) >= sizeof address.sun_path) {
        return;
    }
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path, strlen(path));
    if (path[0] == '@') {
        address.sun_path[0] = '\0';
    }
    int end = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (end < 0) {
        return;
    }
    socklen_t size =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    (void)sendto(end, state, strlen(state), 0,
                 (const struct sockaddr *)&address, size);
    (void)!close(end);
}

/* The parts of a running host, opened and closed together. */
struct host {
    const struct conf *conf; /* borrowed */
    struct board *board;
    struct dispatch *dispatch;
    struct catalogues catalogues;
    struct tables tables;
    struct loop loop;
};

static void
host_close(struct host *host)
{
    loop_close(&host->loop);
    dispatch_free(host->dispatch);
    tables_close(&host->tables);
    catalogues_release(&host->catalogues);
    board_close(host->board);
    free(host);
}

/* Give the dispatch the known tokens: the configured ones, and those with which
 * the host was last logged in. */
static void
set_tokens(struct host *host, const struct secrets *secrets)
{
    for (unsigned i = 0; i < host->tables.services.count; i++) {
        const struct service *service = &host->tables.services.list[i];
        service_authorize(service, host->conf, secrets, host->dispatch);
        service_authorize_by(service,
                             &host->tables.services.states[service->number],
                             host->dispatch);
    }
}

/* *opened is NULL if it can't be. */
static enum err
host_open(const struct conf *conf, const struct secrets *secrets,
          struct host **opened, struct buf *why)
{
    struct host *host = must_alloc(sizeof *host);
    *opened = NULL;
    host->conf = conf;
    enum err err = conf_uses_board(conf)
                       ? board_open(conf->board, true, &host->board, why)
                       : ERR_NONE;
    ERR_THEN(err, tables_open(&host->tables, conf, &host->catalogues, secrets,
                              &dealer_fair, OPEN_UNCHECKED, why));
    ERR_THEN(err, tables_match(&host->tables, host->board, why));
    if (err == ERR_NONE) {
        host->dispatch = dispatch_new(host->board);
        dispatch_wake_by(host->dispatch, bell[0]);
        set_tokens(host, secrets);
    }
    if (err != ERR_NONE) {
        host_close(host);
        return err;
    }
    loop_open(&host->loop, &host->tables, host->dispatch);
    *opened = host;
    return ERR_NONE;
}

/* Sleep until `wake` or a signal or, while operations are under way, the first
 * reply (the dispatch waits for that itself). */
static void
sleep_until(int64_t wake, int64_t now)
{
    struct pollfd door = {.fd = bell[0], .events = POLLIN};
    int64_t pause = wake - now;
    if (pause > 0) {
        (void)poll(&door, 1, (int)(pause < MINUTE_MS ? pause : MINUTE_MS));
    }
}

/* What is done once hosting has ended. */
enum next {
    NEXT_END,
    NEXT_RELOAD, /* SIGHUP came */
    NEXT_REOPEN  /* somebody is to be forgotten */
};

/* The check of the store has ended, or not yet.  Whoever hosts on a damaged
 * file may judge the same post twice. */
static enum err
take_check(struct host *host, struct background_check **check, struct buf *why)
{
    enum err found = ERR_NONE;
    struct buf trouble = BUF_INIT;
    enum err err = ERR_NONE;
    if (*check == NULL || !background_check_ended(*check, &found, &trouble)) {
        return ERR_NONE;
    }
    background_check_free(*check);
    *check = NULL;
    hush_bell();
    if (found == ERR_GARBLED) {
        err = store_note_damage(host->conf->store, why);
        buf_add_text(why, why->len > 0 ? "; " : "");
        buf_add_buf(why, &trouble);
        ERR_THEN(err, found);
    } else if (found != ERR_NONE) {
        log_line(LOG_LEVEL_WARNING, "the store was not checked: %s",
                 buf_text(&trouble));
    }
    buf_release(&trouble);
    return err;
}

/* Host until a signal, an error, or a reason to open the host anew. */
static enum err
host_work(struct host *host, struct background_check **check, enum next *next,
          struct buf *why)
{
    enum err err = ERR_NONE;
    *next = NEXT_END;
    notify_manager("READY=1");
    log_line(LOG_LEVEL_INFO, "hosting %u place%s, %zu game%s on",
             host->conf->place_count, host->conf->place_count == 1 ? "" : "s",
             host->tables.hosted.count,
             host->tables.hosted.count == 1 ? "" : "s");
    while (err == ERR_NONE && *next == NEXT_END && !told_to_stop &&
           !told_to_reload) {
        int64_t now = clock_now();
        bool waits = dispatch_waits(host->dispatch);
        int64_t wake = loop_wake(&host->loop, now);
        host->loop.disk_left = file_disk_left(host->conf->store);
        err = loop_turn(&host->loop, now, waits ? wake - now : 0, why);
        notify_manager("WATCHDOG=1");
        if (err == ERR_NONE && host->tables.upkeep.reopen) {
            *next = NEXT_REOPEN;
        }
        ERR_THEN(err, take_check(host, check, why));
        if (err == ERR_NONE && *next == NEXT_END &&
            !dispatch_waits(host->dispatch)) {
            now = clock_now();
            sleep_until(loop_wake(&host->loop, now), now);
        }
    }
    if (told_to_stop) {
        *next = NEXT_END;
    } else if (told_to_reload) {
        *next = NEXT_RELOAD;
    }
    told_to_reload = 0;
    hush_bell();
    return err;
}

static void
free_conf(struct conf *conf)
{
    if (conf != NULL) {
        conf_release(conf);
    }
    free(conf);
}

/* Log each line of a text that another text lacks; `what` is said behind it. */
static void
log_lines(enum log_level level, const char *text, const char *lacks,
          const char *what)
{
    struct buf others = BUF_INIT;
    struct buf line = BUF_INIT;
    buf_addf(&others, "\n%s", lacks);
    while (*text != '\0') {
        int len = (int)strcspn(text, "\n");
        buf_clear(&line);
        buf_addf(&line, "\n%.*s\n", len, text);
        if (strstr(buf_text(&others), buf_text(&line)) == NULL) {
            log_about(level, &(struct log_subject){.event = "configuration"},
                      "%.*s%s", len, text, what);
        }
        text += len + (text[len] == '\n');
    }
    buf_release(&others);
    buf_release(&line);
}

/* The configuration as it is now, owned, and its secrets; NULL: it has
 * mistakes, which are logged.  `old`: the one before, or NULL. */
static struct conf *
read_conf(const char *file, const struct conf *old, struct secrets *secrets)
{
    struct conf *conf = must_alloc(sizeof *conf);
    struct buf said = BUF_INIT;
    enum err err = options_load(file, conf, &said);
    ERR_THEN(err, secrets_load(secrets, conf, &said));
    log_lines(LOG_LEVEL_ERROR, buf_text(&said), "", "");
    buf_release(&said);
    if (err != ERR_NONE) {
        free_conf(conf);
        return NULL;
    }
    log_lines(LOG_LEVEL_INFO, conf->file, "", " is read");
    if (old != NULL) {
        const char *was = buf_text(&old->said);
        log_lines(LOG_LEVEL_INFO, was, buf_text(&conf->said), " is gone");
        log_lines(LOG_LEVEL_INFO, buf_text(&conf->said), was, " is new");
    }
    return conf;
}

/* No host can be opened by the new configuration: open one by the old. */
static enum err
go_back(const struct conf *old, struct secrets *secrets, struct host **host,
        struct buf *why)
{
    log_line(LOG_LEVEL_ERROR, "%s", buf_text(why));
    log_line(LOG_LEVEL_WARNING, "hosting goes on with the old configuration");
    buf_clear(why);
    enum err err = secrets_load(secrets, old, why);
    return err == ERR_NONE ? host_open(old, secrets, host, why) : err;
}

/* Take in the configuration as it is now, unless it is wrong: that must not end
 * a running host. */
static enum err
host_reload(struct host **host, const char *file, struct conf **conf,
            struct secrets *secrets, struct buf *why)
{
    struct conf *new = read_conf(file, *conf, secrets);
    if (new == NULL) {
        log_line(LOG_LEVEL_WARNING, "the configuration has mistakes: "
                                    "hosting goes on with the old one");
        return ERR_NONE;
    }
    notify_manager("RELOADING=1");
    host_close(*host);
    if (host_open(new, secrets, host, why) != ERR_NONE) {
        free_conf(new);
        return go_back(*conf, secrets, host, why);
    }
    free_conf(*conf);
    *conf = new;
    return ERR_NONE;
}

static enum err
host_reopen(struct host **host, const struct conf *conf,
            struct secrets *secrets, struct buf *why)
{
    host_close(*host);
    *host = NULL;
    enum err err = secrets_load(secrets, conf, why);
    return err == ERR_NONE ? host_open(conf, secrets, host, why) : err;
}

/* Host until told to stop; *host is NULL if one could not be opened any
 * more. */
static enum err
host_on(struct host **host, const char *file, struct conf **conf,
        struct secrets *secrets, struct buf *why)
{
    struct background_check *check =
        background_check_begin((*conf)->store, bell[1]);
    enum next next = NEXT_RELOAD;
    enum err err = ERR_NONE;
    while (err == ERR_NONE && next != NEXT_END) {
        err = host_work(*host, &check, &next, why);
        if (err == ERR_NONE && next == NEXT_RELOAD) {
            err = host_reload(host, file, conf, secrets, why);
            background_check_free(check);
            check = background_check_begin((*conf)->store, bell[1]);
        } else if (err == ERR_NONE && next == NEXT_REOPEN) {
            err = host_reopen(host, *conf, secrets, why);
        }
    }
    background_check_free(check);
    return err;
}

static bool
set_log(const char *name)
{
    enum log_form form = LOG_FORM_TEXT;
    if (!log_find_form(name, &form)) {
        (void)fprintf(stderr,
                      "placard run: --log is text, journal or json, not %s\n",
                      name);
        return false;
    }
    log_set_form(form);
    log_set_level(LOG_LEVEL_INFO);
    return true;
}

/* Why the host ends is the last of the log. */
int
command_run(int argc, char **argv)
{
    const char *file = NULL;
    const char *log = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = "--log", .value = &log},
                                      {.name = NULL}};
    struct buf why = BUF_INIT;
    struct secrets secrets = {NULL};
    struct host *host = NULL;
    if (!options_alone(rows, argc, argv) || !set_log(log)) {
        return EXIT_USAGE;
    }
    hang_bell();
    catch_signals();
    struct conf *conf = read_conf(file, NULL, &secrets);
    enum err err =
        conf == NULL ? ERR_CONFIG : host_open(conf, &secrets, &host, &why);
    int code = err == ERR_CONFIG ? EXIT_USAGE : EXIT_FAULT;
    if (err == ERR_NONE) {
        err = host_on(&host, file, &conf, &secrets, &why);
        code = err == ERR_NONE ? EXIT_DONE : EXIT_FAULT;
    }
    if (host != NULL) {
        notify_manager("STOPPING=1");
        host_close(host);
    }
    if (why.len > 0) {
        log_line(LOG_LEVEL_ERROR, "%s", buf_text(&why));
    }
    free_conf(conf);
    secrets_release(&secrets);
    buf_release(&why);
    return code;
}
