/*
 * What the parts of `placard setup` share: the answers so far, and one function
 * a question.
 */
#ifndef BOT_CLI_SETUP_INNER_H
#define BOT_CLI_SETUP_INNER_H

#include <stdbool.h>

#include "adapters/adapter.h"
#include "bot/cli/questions.h"
#include "bot/loop/dispatch.h"
#include "config/config.h"

#define SETUP_SYSTEM_FOLDER "/etc/placard/"
#define SETUP_SYSTEM_FILE   SETUP_SYSTEM_FOLDER "placard.cfg"
#define SETUP_SYSTEM_USER   "placard"

/* The questions, in their order. */
enum setup_step {
    SETUP_SERVICE,
    SETUP_URL,
    SETUP_LOGIN,
    SETUP_USER,
    SETUP_SECRET,
    SETUP_PLACE,
    SETUP_MODERATORS,
    SETUP_LANGUAGE,
    SETUP_ZONE,
    SETUP_QUIET,
    SETUP_VOTES,
    SETUP_AGREE,
    SETUP_STEPS
};

struct setup {
    struct questions questions;
    char file[SETTING_TEXT_MAX];
    struct buf text;  /* of the file, or of the sample that it begins as */
    bool there;       /* the file exists, */
    bool untouched;   /* and is as it was installed */
    struct conf conf; /* what is in the text */

    enum setup_step step;
    bool skipped; /* the step had nothing to ask */

    const struct service_kind *kind;
    const struct service_login *login; /* one of the kind's */
    bool known;                        /* the account is configured already */
    struct account account;
    struct buf secret; /* as typed, or as the account's own file has it */
    bool typed;        /* the former: it has to be written */
    bool grants;       /* the site has log-ins by a browser */
    bool wrote;        /* one that was wrong has been replaced */

    struct dispatch *dispatch; /* NULL: no service was asked yet */
    struct service service;
    struct adapter_states states;

    bool made; /* the place is made here, */
    bool open; /* and anybody may enter it */
    struct place place;
    struct buf place_id;   /* the service's */
    struct buf place_name; /* what people call it */
    struct buf moderators; /* who they are, for people */
};

/* The questions.  ANSWERED: go on with setup->step + 1, unless the step itself
 * was set to another. */
enum answered setup_service(struct setup *setup);
enum answered setup_url(struct setup *setup);
enum answered setup_login(struct setup *setup);
enum answered setup_user(struct setup *setup);
enum answered setup_secret(struct setup *setup);
enum answered setup_place(struct setup *setup);
enum answered setup_moderators(struct setup *setup);
enum answered setup_language(struct setup *setup);
enum answered setup_zone(struct setup *setup);
enum answered setup_quiet(struct setup *setup);
enum answered setup_votes(struct setup *setup);

/* What its speakers call a language, by its code. */
const char *setup_language_name(const char *code);

/* Say a text of the description, with that account in the place of "%s". */
void setup_say(struct setup *setup, const char *text, const char *account);

/* What people call the secret, as it is to be written. */
const char *setup_secret_name(const struct setup *setup);

/* What a log-in by a browser has given to keep (STATE_GRANT); "": nothing. */
const char *setup_grant(const struct setup *setup);

/* Skip this question. */
enum answered setup_skip(struct setup *setup);

/* Ask the service with what is known of it; release the delivery.  What it
 * gives to keep is kept for the next operation. */
enum err setup_ask(struct setup *setup, struct op *op,
                   struct delivery *delivery);
/* Forget what the service was asked. */
void setup_close_service(struct setup *setup);

/* Make the place that was asked for, and invite its moderators. */
enum answered setup_make(struct setup *setup);

/* Show what will be written, and ask whether it should be; then make the place,
 * if it is one to be made. */
enum answered setup_agree(struct setup *setup);

/* Write the secret into the account's file, for the host alone to read. */
enum err setup_write_secret(struct setup *setup, struct buf *why) MUST_USE;

/* Write the secret and the configuration.  ERR_CONFIG: the file can't be added
 * to in that way, and is as it was. */
enum err setup_write(struct setup *setup, struct buf *why) MUST_USE;

/* Start the host by systemd, if that is there and somebody wants it, or let it
 * read the new configuration.  How it is started, where it does not run then;
 * NULL: it runs. */
const char *setup_unit(struct setup *setup);

#endif
