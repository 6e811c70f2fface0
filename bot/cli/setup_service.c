/* `placard setup`: at which service, and by which account. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bot/base/files.h"
#include "bot/cli/enquiry.h"
#include "bot/cli/setup_inner.h"
#include "bot/tables/places/services.h"
#include "config/secrets.h"

/* What can be chosen. */
static const struct kind {
    const char *label;
    const struct adapter *adapter;
    bool elsewhere;
} kinds[] = {
    {"Discord", &adapter_discord, false},
    {"Matrix", &adapter_matrix, false},
    {"Discourse, a forum", &adapter_discourse, false},
    {"NodeBB, a forum", &adapter_nodebb, false},
    {"phpBB, a forum", &adapter_phpbb, false},
    {"Another server that speaks Discord's API, such as Spacebar",
     &adapter_discord, true},
    {"Here, without a network: to try it out", &adapter_board, false},
};
enum {
    KINDS = sizeof kinds / sizeof kinds[0],
    KNOWN_MAX = 16,
    LABEL_MAX = 400
};

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

void
setup_open_service(struct setup *setup)
{
    const struct account *account = &setup->account;
    struct service *service = &setup->service;
    setup_close_service(setup);
    setup->dispatch = dispatch_new(NULL);
    *service = (struct service){.adapter = setup->adapter};
    (void)snprintf(service->name, sizeof service->name, "%s", account->name);
    (void)snprintf(service->base, sizeof service->base, "%s",
                   account->url[0] != '\0' ? account->url
                                           : setup->adapter->base);
    (void)snprintf(service->user, sizeof service->user, "%s", account->user);
    if (setup_has_password(setup)) {
        service->password = buf_text(&setup->secret);
    } else if (setup->secret.len > 0) {
        dispatch_set_token(setup->dispatch, service->name,
                           buf_text(&setup->secret));
    }
}

enum err
setup_ask(struct setup *setup, struct op *op, struct delivery *delivery)
{
    return enquire(setup->dispatch, &setup->service, &setup->states, op,
                   delivery);
}

/* ---- which service ------------------------------------------------------- */

static bool
has_board(const struct setup *setup)
{
    for (unsigned i = 0; !setup->untouched && i < setup->conf.place_count;
         i++) {
        if (strcmp(setup->conf.places[i].service, CONF_BOARD) == 0) {
            return true;
        }
    }
    return false;
}

/* A name for the service, that no other has: "matrix", "matrix-2". */
static void
name_account(struct setup *setup)
{
    struct account *account = &setup->account;
    const char *kind = setup->adapter->name;
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
    setup->account = *account;
    setup->adapter = adapter_find(account->kind);
    setup->known = true;
    return ANSWERED;
}

static enum answered
take_kind(struct setup *setup, const struct kind *kind)
{
    setup->account = (struct account){.doorbell = true};
    setup->adapter = kind->adapter;
    setup->elsewhere = kind->elsewhere;
    setup->known = false;
    if (setup_is_board(setup) && has_board(setup)) {
        questions_complain(&setup->questions,
                           "A place on the board is there already, and there "
                           "is one board only. Choose another.");
        return setup_service(setup);
    }
    name_account(setup);
    return ANSWERED;
}

enum answered
setup_service(struct setup *setup)
{
    const struct conf *conf = &setup->conf;
    const char *labels[KNOWN_MAX + KINDS];
    char known[KNOWN_MAX][LABEL_MAX];
    unsigned count = 0;
    unsigned chosen = 0;
    for (; count < conf->account_count && count < KNOWN_MAX; count++) {
        const struct account *account = &conf->accounts[count];
        (void)snprintf(known[count], sizeof known[count],
                       "%s, as it is configured%s%s", account->name,
                       account->url[0] == '\0' ? "" : ": ", account->url);
        labels[count] = known[count];
    }
    for (unsigned i = 0; i < KINDS; i++) {
        labels[count + i] = kinds[i].label;
    }
    questions_say(&setup->questions, "\nWhere do people play?");
    enum answered answered = questions_choice(
        &setup->questions, labels, count + KINDS, count + KINDS, &chosen);
    if (answered != ANSWERED) {
        return answered;
    }
    buf_wipe(&setup->secret);
    setup->typed = false;
    return chosen < count ? take_known(setup, &conf->accounts[chosen])
                          : take_kind(setup, &kinds[chosen - count]);
}

/* ---- its address --------------------------------------------------------- */

/* What a page of it has in its address behind the service's own. */
static const char *const inside[] = {
    "/t/",
    "/c/",
    "/u/",
    "/latest",
    "/topic/",
    "/category/",
    "/user/",
    "/recent",
    "/viewtopic.php",
    "/index.php",
    "/viewforum.php",
    "/ucp.php",
    "/_matrix",
    "/channels/",
    "?",
    "#",
};

/* "forum.example/t/table/7" is https://forum.example. */
static void
tidy_url(struct buf *url)
{
    struct buf tidy = BUF_INIT;
    if (strstr(buf_text(url), "://") == NULL && url->len > 0) {
        buf_add_text(&tidy, "https://");
    }
    buf_add_buf(&tidy, url);
    for (unsigned i = 0; i < sizeof inside / sizeof inside[0]; i++) {
        const char *found = strstr(buf_text(&tidy), inside[i]);
        if (found != NULL) {
            buf_truncate(&tidy, (size_t)(found - buf_text(&tidy)));
        }
    }
    while (tidy.len > 0 && tidy.data[tidy.len - 1] == '/') {
        buf_truncate(&tidy, tidy.len - 1);
    }
    buf_clear(url);
    buf_add_buf(url, &tidy);
    buf_release(&tidy);
}

/* Does anything answer there?  Without an account it can only refuse. */
static bool
answers(struct setup *setup)
{
    struct op op = {.kind = OP_WHO};
    struct delivery delivery;
    if (setup->adapter->token_header == NULL) {
        return true; /* it would try to log in */
    }
    buf_wipe(&setup->secret);
    setup->account.user[0] = '\0';
    if (setup->adapter->token_names_user) {
        (void)snprintf(setup->account.user, sizeof setup->account.user,
                       "placard");
    }
    setup_open_service(setup);
    bool there = setup_ask(setup, &op, &delivery) != ERR_LATER;
    setup->account.user[0] = '\0';
    if (!there) {
        questions_complain(&setup->questions, "%s", buf_text(&delivery.why));
    }
    delivery_release(&delivery);
    return there;
}

static void
explain_url(struct setup *setup)
{
    if (setup->adapter == &adapter_matrix) {
        questions_say(&setup->questions,
                      "\nThe address of the homeserver that the account is "
                      "at. For an account such as @placard:matrix.org, "
                      "https://matrix.org/.well-known/matrix/client names "
                      "it.");
    } else {
        questions_say(&setup->questions,
                      "\nThe address of the %s, as it stands in the browser "
                      "on its first page.",
                      setup->elsewhere ? "server" : "forum");
    }
}

enum answered
setup_url(struct setup *setup)
{
    struct buf url = BUF_INIT;
    struct buf why = BUF_INIT;
    enum answered answered = ANSWERED;
    if (setup_is_board(setup) || setup->known ||
        (setup->adapter->base != NULL && !setup->elsewhere)) {
        return setup_skip(setup);
    }
    explain_url(setup);
    for (bool good = false; !good && answered == ANSWERED;) {
        answered = questions_text(
            &setup->questions, "Address",
            setup->account.url[0] == '\0' ? NULL : setup->account.url, &url);
        if (answered != ANSWERED) {
            break;
        }
        tidy_url(&url);
        buf_clear(&why);
        if (url.len == 0) {
            questions_complain(&setup->questions, "Type its address, such as "
                                                  "https://matrix.example.");
        } else if (setting_read(setting_find("url", SCOPE_SERVICE),
                                buf_text(&url), &setup->account,
                                &why) == ERR_NONE) {
            good = answers(setup);
        } else {
            questions_complain(&setup->questions, "It %s", buf_text(&why));
        }
    }
    buf_release(&url);
    buf_release(&why);
    return answered;
}

/* ---- by which account ---------------------------------------------------- */

enum answered
setup_login(struct setup *setup)
{
    static const char *const ways[] = {
        "With its password: the simplest",
        "With an access token of its own, where the server has no passwords"};
    unsigned way = 0;
    if (setup->known || setup->adapter != &adapter_matrix) {
        return setup_skip(setup);
    }
    questions_say(
        &setup->questions,
        "\nplacard is an ordinary user of the homeserver, with an account of "
        "its own. Sign it up in a browser, as a person would, and give it the "
        "display name that players will see. Don't set up encryption for it.\n"
        "How does it log in?");
    enum answered answered =
        questions_choice(&setup->questions, ways, 2, 0, &way);
    setup->by_token = way == 1;
    setup->account.user[0] = '\0';
    return answered;
}

static bool
needs_user(const struct setup *setup)
{
    return setup->adapter == &adapter_discourse ||
           setup->adapter->token_header == NULL ||
           (setup->adapter == &adapter_matrix && !setup->by_token);
}

static void
explain_user(struct setup *setup)
{
    if (setup->adapter == &adapter_discourse) {
        questions_say(
            &setup->questions,
            "\nplacard is an ordinary member of the forum. Sign up an account "
            "for it, named as players will see it. An admin then opens Admin > "
            "Users > the account, and under Permissions: Grant Moderation. "
            "Without that the forum takes three posts in a row and no more.");
    } else if (setup->adapter == &adapter_phpbb) {
        questions_say(
            &setup->questions,
            "\nplacard is an ordinary member of the board. Register an account "
            "for it, named as players will see it, with British English as its "
            "language, and log in with it once. An admin then takes it out of "
            "the group Newly registered users, and makes it a moderator of the "
            "forum: Forum moderators > the forum > the role Standard "
            "Moderator.");
    }
}

enum answered
setup_user(struct setup *setup)
{
    struct buf user = BUF_INIT;
    enum answered answered = ANSWERED;
    if (setup_is_board(setup) || setup->known || !needs_user(setup)) {
        return setup_skip(setup);
    }
    explain_user(setup);
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

static void
explain_discord(struct questions *ask)
{
    questions_say(ask, "\nMake the bot, in a browser:");
    questions_say(ask,
                  "  1. Open https://discord.com/developers/applications and "
                  "log in.\n"
                  "  2. New Application; type the name that players will see; "
                  "Create.\n"
                  "  3. On the left: Bot. Turn \"Message Content Intent\" on. "
                  "Save Changes.\n"
                  "  4. On the same page: Reset Token, \"Yes, do it!\", Copy.");
}

static void
explain_secret(struct setup *setup)
{
    struct questions *ask = &setup->questions;
    if (setup->adapter == &adapter_discord && !setup->elsewhere) {
        explain_discord(ask);
    } else if (setup->adapter == &adapter_discord) {
        questions_say(ask, "\nMake an application with a bot there, and copy "
                           "the bot's token.");
    } else if (setup->adapter == &adapter_discourse) {
        questions_say(ask,
                      "\nAn admin makes the key: Admin > API > Keys > Add "
                      "API Key; User Level: Single User, %s; Scope: "
                      "Global. It is shown once: copy it.",
                      setup->account.user);
    } else if (setup->adapter == &adapter_nodebb) {
        questions_say(
            ask,
            "\nplacard is an ordinary member of the forum. Sign up an account "
            "for it, named as players will see it. An admin then makes it a "
            "moderator of the category (Manage > Privileges), and makes its "
            "token: Admin > Settings > API Access > Create Token, with the "
            "account's user id, which Manage > Users shows. Copy the token.");
    } else if (setup->by_token) {
        questions_say(ask,
                      "\nThe guide to Matrix says how to get an access token; "
                      "the one of a browser's session won't do for long.");
    }
    questions_say(ask, "What you type or paste now is not shown. It goes into "
                       "a file that only the host can read.");
}

/* Does the account work?  Says who it is, or what is wrong. */
static enum err
sign_in(struct setup *setup)
{
    struct op op = {.kind = OP_WHO};
    struct delivery delivery;
    setup_open_service(setup);
    enum err err = setup_ask(setup, &op, &delivery);
    const struct outcome *out = &delivery.outcome;
    if (err == ERR_NONE) {
        (void)snprintf(setup->service.self, sizeof setup->service.self, "%s",
                       buf_text(&out->id));
        questions_say(&setup->questions, "It works: the account is %s.",
                      out->shown.len > 0 ? buf_text(&out->shown)
                                         : setup->service.self);
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
                       setup_has_password(setup) ? "password" : "token");
    }
}

/* After a failure: which question is to be asked anew? */
static enum answered
ask_again(struct setup *setup, enum err err)
{
    static const char *const ways[] = {"Try the same once more",
                                       "Type the token or password again",
                                       "Go back to the address and the name"};
    unsigned way = 0;
    bool address = !setup->known && (setup->adapter->base == NULL ||
                                     setup->elsewhere || needs_user(setup));
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
    return questions_secret(&setup->questions,
                            setup_has_password(setup)              ? "Password"
                            : setup->adapter == &adapter_discourse ? "API key"
                            : setup->adapter == &adapter_matrix ? "Access token"
                                                                : "Token",
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
    questions_say(&setup->questions, "The old one is in %s.",
                  setup->account.token_file);
    enum answered answered = questions_yes(
        &setup->questions, "Put this one there in its place now?", true, &yes);
    if (answered == ANSWERED && yes) {
        setup->wrote = setup_write_secret(setup, &why) == ERR_NONE;
        if (setup->wrote) {
            questions_say(&setup->questions,
                          "Written. A host that runs takes it at a reload "
                          "(SIGHUP). Say `quit` if that was all.");
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
    if (setup_is_board(setup)) {
        return setup_skip(setup);
    }
    if (setup->known) {
        setup->skipped = read_secret(setup);
    } else {
        buf_wipe(&setup->secret);
        setup->account.token_file[0] = '\0';
        explain_secret(setup);
    }
    while (answered == ANSWERED && setup->step == SETUP_SECRET) {
        if (setup->secret.len == 0) {
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
