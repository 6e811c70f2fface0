/* `placard setup`: the file that comes of the answers. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/cli/setup_inner.h"
#include "config/amend.h"
#include "config/sample.h"

enum {
    VALUES_MAX = 10
};

/* ---- before -------------------------------------------------------------- */

static bool
is_systems(const struct setup *setup)
{
    return strcmp(setup->file, SETUP_SYSTEM_FILE) == 0;
}

/* Is there a secret to write? */
static bool
has_secret(const struct setup *setup)
{
    return setup->typed && setup->account.token_file[0] != '\0';
}

static void
say_files(struct setup *setup)
{
    struct questions *ask = &setup->questions;
    bool kept = setup->there && !setup->untouched;
    questions_say(ask, "\nThis goes into %s%s.", setup->file,
                  kept
                      ? ", beside what is there; the file as it is now is kept "
                        "with .old behind its name"
                      : "");
    if (has_secret(setup)) {
        questions_say(ask,
                      "The %s goes into %s, which only the host can read%s.",
                      setup_secret_name(setup), setup->account.token_file,
                      !setup->known && file_exists(setup->account.token_file)
                          ? ", in the place of what that file has now"
                          : "");
    }
}

enum answered
setup_agree(struct setup *setup)
{
    struct questions *ask = &setup->questions;
    const struct settings *settings = &setup->place.settings;
    struct buf vote_min = BUF_INIT;
    bool yes = false;
    questions_say(ask, "\nSo this is it:");
    if (!setup->kind->embedded) {
        questions_say(ask, "  service      %s", setup->account.name);
        questions_say(ask, "  account      %s", setup->service.self);
    }
    questions_say(ask, "  place        %s%s", buf_text(&setup->place_name),
                  setup->made ? ", which is made then" : "");
    questions_say(ask, "  its name     %s, on the command line",
                  setup->place.name);
    questions_say(ask, "  moderators   %s",
                  setup->place.moderator_count == 0
                      ? "anybody"
                      : buf_text(&setup->moderators));
    questions_say(ask, "  language     %s",
                  setup_language_name(settings->language));
    questions_say(ask, "  time zone    %s", settings->zone);
    questions_say(ask, "  quiet hours  %s",
                  settings->quiet[0] == '\0' ? "none" : settings->quiet);
    (void)settings_get(settings, "vote_min", &vote_min);
    questions_say(ask, "  votes        open for %s at least",
                  buf_text(&vote_min));
    buf_release(&vote_min);
    say_files(setup);
    enum answered answered = questions_yes(ask, "Write it?", true, &yes);
    if (answered == ANSWERED && !yes) {
        questions_say(ask, "`back` leads to the questions before, `quit` "
                           "ends.");
        return setup_agree(setup);
    }
    return answered == ANSWERED && setup->made ? setup_make(setup) : answered;
}

/* ---- the text ------------------------------------------------------------ */

/* Values in quotes, as they stand in the file. */
struct values {
    struct conf_value list[VALUES_MAX + 1];
    struct buf texts[VALUES_MAX];
    unsigned count;
};

static struct buf *
add_value(struct values *values, const char *key)
{
    struct buf *text = &values->texts[values->count];
    values->list[values->count++].key = key;
    return text;
}

static void
add_quoted(struct values *values, const char *key, const char *value)
{
    if (value[0] != '\0') {
        conf_quote(add_value(values, key), value);
    }
}

/* Add the group to its list, and release the values. */
static void
add_group(struct buf *text, const char *list, enum setting_scope scope,
          struct values *values)
{
    struct buf group = BUF_INIT;
    for (unsigned i = 0; i < values->count; i++) {
        values->list[i].value = buf_text(&values->texts[i]);
    }
    conf_add_group(&group, scope, values->list);
    amend_add(text, list, buf_text(&group));
    for (unsigned i = 0; i < values->count; i++) {
        buf_release(&values->texts[i]);
    }
    buf_release(&group);
}

/* From the configuration's folder. */
static const char *
file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void
add_account(const struct setup *setup, struct buf *text)
{
    const struct account *account = &setup->account;
    struct values values = {.count = 0};
    add_quoted(&values, "name", account->name);
    if (strcmp(account->name, account->kind) != 0) {
        add_quoted(&values, "kind", account->kind);
    }
    add_quoted(&values, "url", account->url);
    add_quoted(&values, "token_file", file_name(account->token_file));
    add_quoted(&values, "user", account->user);
    if (account->buttons) {
        add_quoted(&values, "buttons", "on");
        add_quoted(&values, "commands", "on");
    }
    add_group(text, "services", SCOPE_SERVICE, &values);
}

static void
add_moderators(const struct place *place, struct buf *text)
{
    buf_add_text(text, "[");
    for (unsigned i = 0; i < place->moderator_count; i++) {
        buf_add_text(text, i == 0 ? " " : ", ");
        conf_quote(text, place->moderators[i]);
    }
    buf_add_text(text, " ]");
}

/* A setting of the games there, where it differs from that of all. */
static void
add_setting(const struct setup *setup, struct values *values, const char *key)
{
    struct buf here = BUF_INIT;
    struct buf all = BUF_INIT;
    (void)settings_get(&setup->place.settings, key, &here);
    (void)settings_get(&setup->conf.settings, key, &all);
    if (!buf_equals(&here, buf_text(&all))) {
        conf_quote(add_value(values, key), buf_text(&here));
    }
    buf_release(&here);
    buf_release(&all);
}

static void
add_place(const struct setup *setup, struct buf *text)
{
    const struct place *place = &setup->place;
    struct values values = {.count = 0};
    add_quoted(&values, "name", place->name);
    add_quoted(&values, "service", place->service);
    add_quoted(&values, "address", place->address);
    if (place->moderator_count > 0) {
        add_moderators(place, add_value(&values, "moderators"));
    }
    add_setting(setup, &values, "language");
    add_setting(setup, &values, "zone");
    add_setting(setup, &values, "quiet");
    add_setting(setup, &values, "vote_min");
    add_group(text, "places", SCOPE_PLACE, &values);
}

/* Where the unit runs, the host may not write beside the configuration. */
static void
place_stores(struct buf *text)
{
    amend_set_unset(text, "store", "\"/var/lib/placard/placard.db\"");
    amend_set_unset(text, "board", "\"/var/lib/placard/board.db\"");
}

static void
compose(const struct setup *setup, struct buf *text)
{
    buf_add_buf(text, &setup->text);
    if (!setup->there || setup->untouched) {
        amend_empty(text, "places");
        if (is_systems(setup)) {
            place_stores(text);
        }
    }
    if (!setup->kind->embedded && !setup->known) {
        add_account(setup, text);
    }
    add_place(setup, text);
}

/* ---- writing ------------------------------------------------------------- */

/* The host's own, where root sets it up for the host. */
static enum err
give_to_host(const struct setup *setup, struct buf *why)
{
    const char *path = setup->account.token_file;
    const struct passwd *user = getpwnam(SETUP_SYSTEM_USER);
    if (geteuid() != 0 || !is_systems(setup) || user == NULL) {
        return ERR_NONE;
    }
    return chown(path, user->pw_uid, user->pw_gid) == 0
               ? ERR_NONE
               : file_fail(why, path, errno);
}

enum err
setup_write_secret(struct setup *setup, struct buf *why)
{
    if (!has_secret(setup)) {
        return ERR_NONE;
    }
    struct buf line = BUF_INIT;
    const char *grant = setup_grant(setup);
    buf_addf(&line, "%s\n",
             grant[0] == '\0' ? buf_text(&setup->secret) : grant);
    enum err err = file_write(setup->account.token_file, buf_text(&line),
                              line.len, 0600, why);
    buf_wipe(&line);
    return err == ERR_NONE ? give_to_host(setup, why) : err;
}

/* Write the new text beside the file, and see whether it is understood. */
static enum err
write_new(const char *path, const struct buf *text, struct buf *why)
{
    enum err err = file_write(path, buf_text(text), text->len, 0644, why);
    if (err != ERR_NONE) {
        return err;
    }
    struct conf *conf = must_alloc(sizeof *conf);
    err = options_load(path, conf, why);
    conf_release(conf);
    free(conf);
    return err;
}

static enum err
keep_old(const struct setup *setup, struct buf *why)
{
    char old[sizeof setup->file + 8];
    (void)snprintf(old, sizeof old, "%s.old", setup->file);
    return !setup->there || setup->untouched
               ? ERR_NONE
               : file_write(old, buf_text(&setup->text), setup->text.len, 0644,
                            why);
}

enum err
setup_write(struct setup *setup, struct buf *why)
{
    char path[sizeof setup->file + 8];
    struct buf text = BUF_INIT;
    (void)snprintf(path, sizeof path, "%s.new", setup->file);
    compose(setup, &text);
    enum err err = write_new(path, &text, why);
    if (err == ERR_CONFIG) {
        buf_addf(why, "\nThe file is as it was. What was to be added is in %s",
                 path);
    }
    ERR_THEN(err, setup_write_secret(setup, why));
    ERR_THEN(err, keep_old(setup, why));
    ERR_THEN(err, file_rename(path, setup->file, why));
    if (err == ERR_NONE) {
        questions_say(&setup->questions, "Written.");
    }
    buf_release(&text);
    return err;
}
