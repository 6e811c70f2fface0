#include "config/secrets.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bot/base/files.h"

/* One that was read. */
struct secret {
    struct secret *next;
    char source[SETTING_TEXT_MAX]; /* the file, or the variable */
    bool variable;
    char text[SECRET_MAX + 1];
};

static void
secret_free(struct secret *secret)
{
    wipe(secret, sizeof(*secret));
    free(secret);
}

static void
free_list(struct secret *list)
{
    while (list != NULL) {
        struct secret *next = list->next;
        secret_free(list);
        list = next;
    }
}

void
secrets_release(struct secrets *secrets)
{
    free_list(secrets->list);
    *secrets = (struct secrets){0};
}

static struct secret *
find_secret(struct secret *list, const char *source, bool variable)
{
    while (list != NULL &&
           (list->variable != variable || strcmp(list->source, source) != 0)) {
        list = list->next;
    }
    return list;
}

/* Can it be sent in an HTTP header, or typed? */
static bool
is_secret(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (iscntrl((unsigned char)*at)) {
            return false;
        }
    }
    return *text != '\0';
}

/* Add a secret to the list, if it is valid. */
static enum err
keep(struct secret **list, struct secret *secret, const char *source,
     bool variable, const char *where, struct buf *why)
{
    assert(strlen(source) < sizeof(secret->source));
    memcpy(secret->source, source, strlen(source) + 1);
    secret->variable = variable;
    if (!is_secret(secret->text)) {
        secret_free(secret);
        return err_say(why, ERR_CONFIG,
                       "%s: %s must hold one line with the token, and "
                       "nothing else",
                       where, source);
    }
    secret->next = *list;
    *list = secret;
    return ERR_NONE;
}

/* Skip the word that an HTTP header has before a token, if it was copied
 * with it. */
static void
cut_scheme(char *text)
{
    static const char *const schemes[] = {"Bot ", "Bearer "};

    for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
        size_t len = strlen(schemes[i]);

        if (strncmp(text, schemes[i], len) == 0) {
            memmove(text, text + len, strlen(text + len) + 1);
        }
    }
}

/* ---- variables ----------------------------------------------------------- */

static enum err
take_variable(struct secret **list, const char *name, const char *where,
              struct buf *why)
{
    char *value = getenv(name);
    size_t len = value == NULL ? 0 : strlen(value);
    struct secret *secret = NULL;

    if (value == NULL) {
        return err_say(why, ERR_CONFIG,
                       "%s: the environment has no variable %s; set it to the "
                       "token",
                       where, name);
    }
    if (len <= SECRET_MAX) {
        secret = must_alloc(sizeof(*secret));
        memcpy(secret->text, value, len + 1);
    }
    /* Wipe the value where it lies: /proc/PID/environ shows it even after
     * unsetenv. */
    wipe(value, len);
    (void)unsetenv(name);
    if (secret == NULL) {
        return err_say(why, ERR_CONFIG, "%s: %s is longer than %d bytes", where,
                       name, SECRET_MAX);
    }
    return keep(list, secret, name, true, where, why);
}

/* ---- files --------------------------------------------------------------- */

/* Read an open file as a secret. */
static enum err
read_open(int file, const char *path, struct secret *secret, const char *where,
          struct buf *why)
{
    struct stat stat;
    size_t len = 0;
    ssize_t got = 1;

    if (fstat(file, &stat) != 0) {
        return err_say(why, ERR_CONFIG, "%s: %s: %s", where, path,
                       strerror(errno));
    }
    if ((stat.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return err_say(why, ERR_CONFIG,
                       "%s: others may read %s; type: chmod 600 %s", where,
                       path, path);
    }
    while (got > 0 && len < sizeof(secret->text)) {
        got = read(file, secret->text + len, sizeof(secret->text) - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (got < 0 || len == sizeof(secret->text)) {
        return err_say(why, ERR_CONFIG, "%s: %s: %s", where, path,
                       got < 0 ? strerror(errno)
                               : "is too long for a token; look whether it is "
                                 "the right file");
    }
    if (len > 0 && secret->text[len - 1] == '\n') {
        secret->text[--len] = '\0';
    }
    return memchr(secret->text, '\0', len) == NULL
               ? ERR_NONE
               : err_say(why, ERR_CONFIG, "%s: %s is no text", where, path);
}

static enum err
read_secret(struct secret **list, const char *path, const char *where,
            struct buf *why)
{
    struct buf said = BUF_INIT;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (file < 0) {
        (void)!file_fail(&said, path, errno);
        enum err err =
            err_say(why, ERR_CONFIG, "%s: %s", where, buf_text(&said));
        buf_release(&said);
        return err;
    }
    struct secret *secret = must_alloc(sizeof(*secret));
    enum err err = read_open(file, path, secret, where, why);
    (void)!close(file);
    if (err != ERR_NONE) {
        secret_free(secret);
        return err;
    }
    return keep(list, secret, path, false, where, why);
}

/* ---- all of them --------------------------------------------------------- */

/* Read an account's secret into the list, unless it is there. */
static enum err
load_one(struct secrets *secrets, struct secret **files,
         const struct account *account, struct buf *why)
{
    const char *name = account->token_env;
    const char *path = account->token_file;

    if (name[0] == '\0') {
        return find_secret(*files, path, false) != NULL
                   ? ERR_NONE
                   : read_secret(files, path, account->where, why);
    }
    if (getenv(name) == NULL &&
        find_secret(secrets->list, name, true) != NULL) {
        return ERR_NONE;
    }
    return take_variable(&secrets->list, name, account->where, why);
}

/* The same, but cut off a token what was copied with it. */
static enum err
load_account(struct secrets *secrets, struct secret **files,
             const struct account *account, struct buf *why)
{
    bool variable = account->token_env[0] != '\0';
    enum err err = load_one(secrets, files, account, why);
    struct secret *secret =
        variable ? find_secret(secrets->list, account->token_env, true)
                 : find_secret(*files, account->token_file, false);

    if (err == ERR_NONE && account->user[0] == '\0') {
        cut_scheme(secret->text);
    }
    return err;
}

/* Drop the files' secrets from a list. */
static void
drop_files(struct secret **list)
{
    while (*list != NULL) {
        struct secret *old = *list;
        if (old->variable) {
            list = &old->next;
        } else {
            *list = old->next;
            secret_free(old);
        }
    }
}

enum err
secrets_load(struct secrets *secrets, const struct conf *conf, struct buf *why)
{
    struct secret *files = NULL;
    struct buf wrong = BUF_INIT;
    enum err err = ERR_NONE;

    for (unsigned i = 0; i < conf->account_count; i++) {
        buf_clear(&wrong);
        if (load_account(secrets, &files, &conf->accounts[i], &wrong) !=
            ERR_NONE) {
            buf_addf(why, "%s%s", err == ERR_NONE ? "" : "\n",
                     buf_text(&wrong));
            err = ERR_CONFIG;
        }
    }
    buf_release(&wrong);
    if (err != ERR_NONE) {
        free_list(files);
        return err;
    }
    drop_files(&secrets->list);
    struct secret **end = &secrets->list;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = files;
    return ERR_NONE;
}

const char *
secrets_find(const struct secrets *secrets, const struct account *account)
{
    bool variable = account->token_env[0] != '\0';
    const struct secret *secret = find_secret(
        secrets->list, variable ? account->token_env : account->token_file,
        variable);

    assert(secret != NULL);
    return secret->text;
}
