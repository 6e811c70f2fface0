/* `placard setup`: at which service, and by which account. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bot/base/files.h"
#include "bot/cli/enquiry.h"
#include "bot/cli/setup_inner.h"
#include "bot/tables/places/services.h"
#include "config/secrets.h"

enum {
    KINDS_MAX = 32,
    KNOWN_MAX = 16,
    LABEL_MAX = 400,
    SITES_MAX = 4 /* addresses of one, each named by the one before */
};

/* ---- what the steps share ------------------------------------------------ */

void
setup_say(struct setup *setup, const char *text, const char *account)
{
    const char *hole = strstr(text, "%s");
    if (hole == NULL) {
        questions_say(&setup->questions, "%s", text);
    } else {
        questions_say(&setup->questions, "%.*s%s%s", (int)(hole - text), text,
                      account, hole + 2);
    }
}

enum answered
setup_skip(struct setup *setup)
{
    setup->skipped = true;
    return ANSWERED;
}

/* ---- asking the service -------------------------------------------------- */

void
setup_close_service(struct setup *setup)
{
    if (setup->dispatch != NULL) {
        dispatch_free(setup->dispatch);
        setup->dispatch = NULL;
    }
    adapter_states_release(&setup->states);
}

/* Ask as this account from now on. */
static void
open_service(struct setup *setup)
{
    const char *secret = buf_text(&setup->secret);
    setup_close_service(setup);
    setup->dispatch = dispatch_new(NULL);
    service_init(&setup->service, setup->kind, &setup->account, secret);
    if (setup->service.password == NULL) {
        dispatch_set_token(setup->dispatch, setup->account.name, secret);
    }
}

const char *
setup_grant(const struct setup *setup)
{
    return adapter_states_find(setup->states.list, setup->states.count,
                               STATE_GRANT);
}

/* The token of a log-in by a browser lasts for minutes only. */
enum err
setup_ask(struct setup *setup, struct op *op, struct delivery *delivery)
{
    struct op who = {.kind = OP_WHO};
    enum err err =
        enquire(setup->dispatch, &setup->service, &setup->states, op, delivery);
    if (delivery->unauthorized && op->kind != OP_WHO &&
        setup_grant(setup)[0] != '\0') {
        delivery_release(delivery);
        (void)enquire(setup->dispatch, &setup->service, &setup->states, &who,
                      delivery);
        delivery_release(delivery);
        err = enquire(setup->dispatch, &setup->service, &setup->states, op,
                      delivery);
    }
    return err;
}

const char *
setup_secret_name(const struct setup *setup)
{
    return setup->login->grants              ? "log-in"
           : setup->service.password != NULL ? "password"
                                             : "token";
}

/* ---- which service ------------------------------------------------------- */

/* A name for the service, that no other has: "matrix", "matrix-2". */
static void
name_account(struct setup *setup)
{
    struct account *account = &setup->account;
    const char *kind = setup->kind->adapter->name;
    unsigned number = 1;
    (void)snprintf(account->kind, sizeof account->kind, "%s", kind);
    (void)snprintf(account->name, sizeof account->name, "%s", kind);
    while (conf_account(&setup->conf, account->name) != NULL) {
        (void)snprintf(account->name, sizeof account->name, "%s-%u", kind,
                       ++number);
    }
}

static enum answered
take_known(struct setup *setup, const struct account *account)
{
    const struct service_kind *kind = service_find(account->kind);
    if (account->url[0] != '\0' && kind->elsewhere != NULL) {
        kind = kind->elsewhere;
    }
    bool named = account->user[0] != '\0';
    bool usual = named == (kind->logins[0].user_help != NULL);
    setup->account = *account;
    setup->kind = kind;
    setup->login = &kind->logins[!usual && kind->logins[1].secret != NULL];
    setup->known = true;
    return ANSWERED;
}

static enum answered
take_kind(struct setup *setup, const struct service_kind *kind)
{
    bool presses = kind->adapter->capabilities.buttons;
    setup->account = (struct account){
        .doorbell = true, .buttons = presses, .commands = presses};
    setup->kind = kind;
    setup->login = kind->logins;
    setup->known = false;
    if (kind->embedded && !setup->untouched && conf_uses_board(&setup->conf)) {
        questions_complain(&setup->questions,
                           "A place on the board is there already, and there "
                           "is one board only. Choose another.");
        return setup_service(setup);
    }
    name_account(setup);
    return ANSWERED;
}

/* What can be chosen: what is embedded comes last, and what is rare before. */
static unsigned
list_kinds(const struct service_kind **kinds)
{
    unsigned count = 0;
    for (unsigned i = 0; service_kinds[i] != NULL; i++) {
        assert(i < KINDS_MAX / 2);
        if (!service_kinds[i]->embedded) {
            kinds[count++] = service_kinds[i];
        }
    }
    for (unsigned i = 0; service_kinds[i] != NULL; i++) {
        const struct service_kind *kind = service_kinds[i];
        kinds[count] = kind->embedded ? kind : kind->elsewhere;
        count += kinds[count] != NULL;
    }
    return count;
}

enum answered
setup_service(struct setup *setup)
{
    const struct conf *conf = &setup->conf;
    const struct service_kind *kinds[KINDS_MAX];
    const char *labels[KNOWN_MAX + KINDS_MAX];
    char known[KNOWN_MAX][LABEL_MAX];
    unsigned kind_count = list_kinds(kinds);
    unsigned count = 0;
    unsigned chosen = 0;
    for (; count < conf->account_count && count < KNOWN_MAX; count++) {
        const struct account *account = &conf->accounts[count];
        (void)snprintf(known[count], sizeof known[count],
                       "%s, as it is configured%s%s", account->name,
                       account->url[0] == '\0' ? "" : ": ", account->url);
        labels[count] = known[count];
    }
    for (unsigned i = 0; i < kind_count; i++) {
        labels[count + i] = kinds[i]->label;
    }
    questions_say(&setup->questions, "\nWhere do people play?");
    enum answered answered =
        questions_choice(&setup->questions, labels, count + kind_count,
                         count + kind_count, &chosen);
    if (answered != ANSWERED) {
        return answered;
    }
    buf_wipe(&setup->secret);
    setup->typed = false;
    return chosen < count ? take_known(setup, &conf->accounts[chosen])
                          : take_kind(setup, kinds[chosen - count]);
}

/* ---- its address --------------------------------------------------------- */

/* Cut a text where that begins. */
static void
cut_at(struct buf *text, const char *part)
{
    const char *found = strstr(buf_text(text), part);
    if (found != NULL) {
        buf_truncate(text, (size_t)(found - buf_text(text)));
    }
}

/* "forum.example/t/table/7" is https://forum.example, and so is an account
 * there,
 * "@placard:forum.example". */
static void
tidy_url(const struct service_kind *kind, struct buf *url)
{
    struct buf tidy = BUF_INIT;
    const char *text = buf_text(url);
    const char *server = *text == '@' ? strchr(text, ':') : NULL;
    if (strstr(text, "://") == NULL && url->len > 0) {
        buf_add_text(&tidy, "https://");
    }
    buf_add_text(&tidy, server == NULL ? text : server + 1);
    for (unsigned i = 0; i < SERVICE_PAGES_MAX && kind->pages[i] != NULL; i++) {
        cut_at(&tidy, kind->pages[i]);
    }
    cut_at(&tidy, "?");
    cut_at(&tidy, "#");
    while (tidy.len > 0 && tidy.data[tidy.len - 1] == '/') {
        buf_truncate(&tidy, tidy.len - 1);
    }
    buf_clear(url);
    buf_add_buf(url, &tidy);
    buf_release(&tidy);
}

/* Take the address as the account's, if it can be one. */
static bool
take_url(struct setup *setup, const char *url)
{
    struct buf why = BUF_INIT;
    bool good = setting_read(setting_find("url", SCOPE_SERVICE), url,
                             &setup->account, &why) == ERR_NONE;
    if (!good) {
        questions_complain(&setup->questions, "It %s", buf_text(&why));
    }
    buf_release(&why);
    return good;
}

/* Is there a service of that kind?  It may say that it is elsewhere. */
static bool
find_site(struct setup *setup)
{
    bool there = false;
    bool good = true;
    for (unsigned i = 0; good && !there && i < SITES_MAX; i++) {
        struct op op = {.kind = OP_SITE};
        struct delivery delivery;
        open_service(setup);
        good = setup_ask(setup, &op, &delivery) == ERR_NONE;
        const char *base = buf_text(&delivery.outcome.id);
        there = strcmp(base, setup->account.url) == 0;
        if (!good) {
            questions_complain(&setup->questions, "%s",
                               buf_text(&delivery.why));
        } else if (!there) {
            questions_say(&setup->questions, "Its address is %s.", base);
            good = take_url(setup, base);
        }
        setup->grants = good && delivery.outcome.grants;
        delivery_release(&delivery);
    }
    return there;
}

/* Does anything answer there?  Without an account it can only refuse. */
static bool
answers(struct setup *setup)
{
    struct op op = {.kind = OP_WHO};
    struct delivery delivery;
    if (setup->kind->adapter->token_header == NULL) {
        return true; /* it would try to log in */
    }
    buf_wipe(&setup->secret);
    setup->account.user[0] = '\0';
    if (setup->kind->adapter->token_names_user) {
        (void)snprintf(setup->account.user, sizeof setup->account.user,
                       "placard");
    }
    if (setup->kind->adapter->capabilities.makes) {
        return find_site(setup);
    }
    open_service(setup);
    bool there = setup_ask(setup, &op, &delivery) != ERR_LATER;
    setup->account.user[0] = '\0';
    if (!there) {
        questions_complain(&setup->questions, "%s", buf_text(&delivery.why));
    }
    delivery_release(&delivery);
    return there;
}

/* Say a text of the description, after an empty line; NULL, "": nothing. */
static void
explain(struct setup *setup, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        questions_say(&setup->questions, "\n");
        setup_say(setup, text, setup->account.user);
    }
}

enum answered
setup_url(struct setup *setup)
{
    struct buf url = BUF_INIT;
    enum answered answered = ANSWERED;
    if (setup->known || setup->kind->base != NULL) {
        return setup_skip(setup);
    }
    explain(setup, setup->kind->address_help);
    if (setup->kind->address_help == NULL) {
        questions_say(&setup->questions,
                      "\nThe address of the %s, as it stands in the browser "
                      "on its first page.",
                      setup->kind->site);
    }
    for (bool good = false; !good && answered == ANSWERED;) {
        answered = questions_text(
            &setup->questions, "Address",
            setup->account.url[0] == '\0' ? NULL : setup->account.url, &url);
        if (answered != ANSWERED) {
            break;
        }
        tidy_url(setup->kind, &url);
        if (url.len == 0) {
            questions_complain(&setup->questions, "Type its address, such as "
                                                  "https://matrix.example.");
        } else {
            good = take_url(setup, buf_text(&url)) && answers(setup);
        }
    }
    buf_release(&url);
    return answered;
}

/* ---- by which account ---------------------------------------------------- */

enum answered
setup_login(struct setup *setup)
{
    const struct service_login *logins = setup->kind->logins;
    const char *const ways[] = {logins[0].label, logins[1].label,
                                logins[2].label};
    unsigned count = logins[2].grants && setup->grants ? 3 : 2;
    unsigned way = 0;
    if (setup->known || logins[1].secret == NULL) {
        return setup_skip(setup);
    }
    explain(setup, setup->kind->login_question);
    enum answered answered =
        questions_choice(&setup->questions, ways, count, 0, &way);
    setup->login = &logins[way];
    setup->account.user[0] = '\0';
    return answered;
}

enum answered
setup_user(struct setup *setup)
{
    struct buf user = BUF_INIT;
    enum answered answered = ANSWERED;
    if (setup->known || setup->login->user_help == NULL) {
        return setup_skip(setup);
    }
    explain(setup, setup->login->user_help);
    for (;;) {
        answered = questions_text(&setup->questions, "Name of the account",
                                  NULL, &user);
        const char *name = buf_text(&user);
        /* A Matrix id is taken whole; elsewhere people write "@name". */
        name += *name == '@' && strchr(name, ':') == NULL;
        if (answered != ANSWERED ||
            (name[0] != '\0' && strlen(name) < sizeof setup->account.user)) {
            (void)snprintf(setup->account.user, sizeof setup->account.user,
                           "%s", name);
            break;
        }
        questions_complain(&setup->questions,
                           "Type the name that it logs in with, such as "
                           "placard.");
    }
    buf_release(&user);
    return answered;
}

/* ---- its secret ---------------------------------------------------------- */

/* Does the account work?  Says who it is, or what is wrong. */
static enum err
sign_in(struct setup *setup)
{
    struct op op = {.kind = OP_WHO,
                    .presses =
                        setup->account.buttons || setup->account.commands};
    struct delivery delivery;
    open_service(setup);
    enum err err = setup_ask(setup, &op, &delivery);
    const struct outcome *out = &delivery.outcome;
    if (err == ERR_NONE) {
        (void)snprintf(setup->service.self, sizeof setup->service.self, "%s",
                       buf_text(&out->id));
        questions_say(&setup->questions, "It works: the account is %s.",
                      out->shown.len > 0 ? buf_text(&out->shown)
                                         : setup->service.self);
        if (out->limits.len > 0) {
            questions_say(&setup->questions, "%s", buf_text(&out->limits));
        }
        if (out->advice.len > 0) {
            questions_complain(&setup->questions, "%s", buf_text(&out->advice));
        }
    } else {
        questions_complain(&setup->questions, "%s", buf_text(&delivery.why));
    }
    delivery_release(&delivery);
    return err;
}

/* The secret of an account that is configured. */
static bool
read_secret(struct setup *setup)
{
    struct conf one = {.accounts = &setup->account, .account_count = 1};
    struct secrets secrets = {NULL};
    struct buf why = BUF_INIT;
    bool good = secrets_load(&secrets, &one, &why) == ERR_NONE;
    buf_wipe(&setup->secret);
    if (good) {
        buf_add_text(&setup->secret, secrets_find(&secrets, &setup->account));
    } else {
        questions_complain(&setup->questions, "%s", buf_text(&why));
    }
    secrets_release(&secrets);
    buf_release(&why);
    return good;
}

/* Where it is to be written: beside the configuration. */
static void
name_file(struct setup *setup)
{
    struct account *account = &setup->account;
    const char *slash = strrchr(setup->file, '/');
    int folder = slash == NULL ? 0 : (int)(slash - setup->file) + 1;
    if (account->token_file[0] == '\0') {
        (void)snprintf(account->token_file, sizeof account->token_file,
                       "%.*s%.64s.%s", folder, setup->file, account->name,
                       setup->login->grants ? "login"
                                            : setup_secret_name(setup));
    }
}

/* ---- a log-in by a browser ----------------------------------------------- */

/* Each log-in is for one program alone: one that is configured is the host's,
 * so that this is another. */
static enum answered
log_in_by_browser(struct setup *setup)
{
    char *user = setup->account.user;
    enum answered answered = ANSWERED;
    bool pending = true;
    open_service(setup);
    while (answered == ANSWERED && pending) {
        struct op op = {.kind = OP_GRANT};
        struct delivery delivery;
        struct buf typed = BUF_INIT;
        enum err err = setup_ask(setup, &op, &delivery);
        const char *id = buf_text(&delivery.outcome.id);
        pending = err == ERR_LATER || (err == ERR_NONE && id[0] == '\0');
        if (err != ERR_NONE) {
            questions_complain(&setup->questions, "%s",
                               buf_text(&delivery.why));
        } else if (pending) {
            questions_say(&setup->questions,
                          "\nOpen this in a private window of a browser, log "
                          "in there as the host's account, and allow it:\n  %s",
                          buf_text(&delivery.outcome.shown));
        } else if (setup->known && strcmp(id, user) != 0) {
            questions_complain(&setup->questions, "That is %s; log in as %s.",
                               id, user);
            err = ERR_DENIED;
        } else {
            (void)snprintf(user, sizeof setup->account.user, "%s", id);
            buf_wipe(&setup->secret);
            buf_add_text(&setup->secret, setup_grant(setup));
        }
        if (pending) {
            answered = questions_text(&setup->questions, "Then press Enter",
                                      NULL, &typed);
        } else if (err != ERR_NONE) {
            answered = ANSWERED_BACK;
        }
        buf_release(&typed);
        delivery_release(&delivery);
    }
    return answered;
}

/* After a failure: which question is to be asked anew? */
static enum answered
ask_again(struct setup *setup, enum err err)
{
    static const char *const ways[] = {"Try the same once more",
                                       "Type the token or password again",
                                       "Go back to the address and the name"};
    unsigned way = 0;
    bool address = !setup->known && (setup->kind->base == NULL ||
                                     setup->login->user_help != NULL);
    enum answered answered =
        questions_choice(&setup->questions, ways, address ? 3 : 2,
                         err == ERR_DENIED ? 1 : 0, &way);
    if (answered != ANSWERED) {
        return answered;
    }
    if (way == 1) {
        buf_wipe(&setup->secret);
    } else if (way == 2) {
        buf_wipe(&setup->secret);
        setup->step = SETUP_URL;
        return ANSWERED_BACK;
    }
    return ANSWERED;
}

static enum answered
type_secret(struct setup *setup)
{
    if (setup->known && setup->account.token_file[0] == '\0') {
        questions_complain(&setup->questions,
                           "The secret of %s is in the variable %s, which "
                           "must be set for this; say `quit`, set it, and "
                           "start anew.",
                           setup->account.name, setup->account.token_env);
    }
    return questions_secret(&setup->questions, setup->login->secret,
                            &setup->secret);
}

/* A secret that replaces a wrong one is of use by itself. */
static enum answered
replace_secret(struct setup *setup)
{
    struct buf why = BUF_INIT;
    bool yes = false;
    if (!setup->known || !setup->typed) {
        return ANSWERED;
    }
    bool grants = setup->login->grants;
    questions_say(&setup->questions, "The old one is in %s.%s",
                  setup->account.token_file,
                  grants ? " It goes on, unless the host was logged out." : "");
    enum answered answered =
        questions_yes(&setup->questions, "Put this one there in its place now?",
                      !grants, &yes);
    setup->typed = yes || !grants;
    if (answered == ANSWERED && yes) {
        setup->wrote = setup_write_secret(setup, &why) == ERR_NONE;
        if (setup->wrote) {
            questions_say(&setup->questions,
                          "Written. A host that runs takes it at a reload "
                          "(SIGHUP).%s",
                          grants ? "" : " Say `quit` if that was all.");
            /* It would be another's if it was used any more here. */
            answered = grants ? ANSWERED_QUIT : answered;
        } else {
            questions_complain(&setup->questions, "%s", buf_text(&why));
        }
        setup->typed = !setup->wrote;
    }
    buf_release(&why);
    return answered;
}

enum answered
setup_secret(struct setup *setup)
{
    enum answered answered = ANSWERED;
    if (setup->kind->embedded) {
        return setup_skip(setup);
    }
    if (setup->known) {
        setup->skipped = read_secret(setup);
        if (strncmp(buf_text(&setup->secret), GRANT_PREFIX,
                    strlen(GRANT_PREFIX)) == 0) {
            setup->login = &setup->kind->logins[2];
        }
    } else if (setup->login->grants) {
        buf_wipe(&setup->secret);
        setup->account.token_file[0] = '\0';
    } else {
        buf_wipe(&setup->secret);
        setup->account.token_file[0] = '\0';
        explain(setup, setup->login->secret_help);
        questions_say(&setup->questions,
                      "What you type or paste now is not shown. It goes into "
                      "a file that only the host can read.");
    }
    while (answered == ANSWERED && setup->step == SETUP_SECRET) {
        if (setup->login->grants) {
            setup->skipped = false;
            answered = log_in_by_browser(setup);
            setup->typed = true;
        } else if (setup->secret.len == 0) {
            answered = type_secret(setup);
            setup->typed = true;
        }
        if (answered != ANSWERED) {
            break;
        }
        enum err err = sign_in(setup);
        if (err == ERR_NONE) {
            name_file(setup);
            answered = replace_secret(setup);
            break;
        }
        answered = ask_again(setup, err);
        setup->skipped = false;
    }
    return answered;
}
