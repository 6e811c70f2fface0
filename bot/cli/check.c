#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/board/board_server.h"
#include "bot/base/civil.h"
#include "bot/cli/check_bold.h"
#include "bot/cli/command.h"
#include "bot/cli/enquiry.h"
#include "bot/cli/undelivered.h"
#include "bot/host/words/catalogue.h"
#include "bot/loop/authorize.h"
#include "bot/loop/dispatch.h"
#include "bot/store/store.h"
#include "bot/tables/places/services.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/tables_open.h"

/* A service that is checked. */
struct checked {
    struct service service;
    struct adapter_states states;
    bool good; /* it answered who we are */
};

/* A check under way. */
struct check {
    struct conf conf;
    struct secrets secrets;
    struct board *board; /* NULL: no place is on it */
    struct dispatch *dispatch;
    struct store *store; /* NULL: no service needs a log-in */
    bool store_is_ours;  /* no host is running: adapter states can be saved */
    struct checked *services; /* owned */
    unsigned service_count;
    bool good; /* nothing was wrong so far */
};

/* Say what is wrong with a service or a place. */
static void
complain(struct check *check, const char *what, const char *name,
         const struct buf *why)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "placard: %s \"%s\": %s\n", what, name,
                  buf_text(why));
    check->good = false;
}

/* ---- operations ---------------------------------------------------------- */

/* Does logging in to a service give a session rather than a token?  Then a
 * check uses its own session, which is not saved: the host's session may still
 * be good even if the password is wrong by now. */
static bool
has_session(const struct service *service)
{
    return service->password != NULL && service->adapter->token_header == NULL;
}

/* Run one operation to its end; release the delivery.  What it gives to keep is
 * kept for the host, too. */
static enum err
ask_op(struct check *check, struct checked *checked, struct op *op,
       struct delivery *delivery)
{
    const struct adapter_states *kept = &delivery->outcome.states;
    op->guest = !check->store_is_ours;
    enum err err = enquire(check->dispatch, &checked->service, &checked->states,
                           op, delivery);
    bool saves = check->store_is_ours && !has_session(&checked->service);
    for (unsigned i = 0; saves && i < kept->count; i++) {
        store_set_state(check->store, checked->service.name, &kept->list[i]);
    }
    return saves && err == ERR_NONE ? store_err(check->store, &delivery->why)
                                    : err;
}

/* The same; false: it failed, and a message was printed. */
static bool
run_op(struct check *check, struct checked *checked, struct op *op,
       const char *what, const char *name, struct delivery *delivery)
{
    enum err err = ask_op(check, checked, op, delivery);
    bool secret = service_doubts_secret(delivery->outcome.refused);
    if (delivery->err != ERR_NONE && op->kind == OP_WHO && secret) {
        service_advise(&checked->service, &check->conf, err, &delivery->why);
    } else if (delivery->err != ERR_NONE && secret) {
        enquiry_advise_place(err, &delivery->why);
    }
    if (err != ERR_NONE) {
        complain(check, what, name, &delivery->why);
    }
    return err == ERR_NONE;
}

/* ---- places -------------------------------------------------------------- */

static void
print_rights(unsigned held)
{
    struct buf names = BUF_INIT;
    if (held != 0) {
        enquiry_add_rights(held, &names);
        (void)printf("  may:     %s\n", buf_text(&names));
    }
    buf_clear(&names);
    enquiry_add_rights(~held, &names);
    if (names.len > 0) {
        (void)printf("  may not: %s\n", buf_text(&names));
    }
    buf_release(&names);
}

/* The length that the service told us, or else the adapter's. */
static void
print_length(const struct capabilities *capabilities,
             const struct outcome *outcome)
{
    size_t longest =
        outcome->longest > 0 ? outcome->longest : capabilities->longest;
    size_t shortest =
        outcome->shortest > 0 ? outcome->shortest : capabilities->shortest;
    if (longest > 0) {
        (void)printf("  posts:   %zu to %zu characters\n",
                     shortest == 0 ? (size_t)1 : shortest, longest);
    }
    if (shortest > strlen("!why")) {
        (void)printf(
            "  short:   a command alone, such as `!why`, is too short "
            "there: people add a few words, on its line or the next\n");
    }
}

/* How a player is named there. */
static void
print_colour(const struct capabilities *capabilities, const struct place *place)
{
    if (!capabilities->red) {
        (void)printf("  names:   in bold; people have no colour there\n");
    } else if (capabilities_require_red(capabilities, place->settings.red)) {
        (void)printf("  names:   in bold red\n");
    } else {
        (void)printf("  names:   in bold, red or not\n");
    }
}

/* Sentences, one per line. */
static void
print_lines(const char *title, const char *text)
{
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        (void)printf("  %-8s %.*s\n", title, (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void
print_advice(const char *advice)
{
    print_lines("change:", advice);
}

/* Complain about rights that are needed and missing. */
static void
check_rights(struct check *check, const struct checked *checked,
             const struct place *place, unsigned held)
{
    unsigned lacks = enquiry_needed_rights(checked->service.adapter,
                                           place->settings.new_thread) &
                     ~held;
    struct buf why = BUF_INIT;
    buf_add_text(&why, "no game can be hosted there, for the bot may not ");
    enquiry_add_rights(lacks, &why);
    if (lacks == RIGHT_OPEN) {
        buf_add_text(&why, "; let it, or set thread = \"here\"");
    }
    if (lacks != 0) {
        complain(check, "place", place->name, &why);
    }
    buf_release(&why);
}

/* ---- people -------------------------------------------------------------- */

/* A person, or another place, that a setting of a place names. */
struct mention {
    const char *key, *text;
};

static void
complain_of(struct check *check, const struct place *place,
            const struct mention *mention, const char *trouble)
{
    struct buf why = BUF_INIT;
    buf_addf(&why, "%s \"%s\": %s", mention->key, mention->text, trouble);
    complain(check, "place", place->name, &why);
    buf_release(&why);
}

/* Show who has an id at the service; complain if it is not an id. */
static void
show_person(struct check *check, const struct place *place,
            const struct mention *mention, const struct outcome *out)
{
    const char *id = buf_text(&out->id);
    struct buf trouble = BUF_INIT;
    if (strcmp(id, mention->text) == 0) {
        (void)printf("  %-8s %s", mention->key, id);
        if (out->shown.len > 0 && !buf_equals(&out->shown, id)) {
            (void)printf(" (%s)", buf_text(&out->shown));
        }
        (void)printf("\n");
    } else {
        buf_addf(&trouble, "is no id there; that of %s is \"%s\": write that",
                 out->shown.len > 0 ? buf_text(&out->shown) : mention->text,
                 id);
        complain_of(check, place, mention, buf_text(&trouble));
    }
    buf_release(&trouble);
}

/* Look a person up.  If the service can't do that now, don't complain. */
static void
check_person(struct check *check, struct checked *checked,
             const struct place *place, const struct mention *mention)
{
    struct delivery delivery;
    struct op op = {.kind = OP_USER, .text = mention->text};
    if (ask_op(check, checked, &op, &delivery) == ERR_NONE) {
        show_person(check, place, mention, &delivery.outcome);
    } else if (delivery.err == ERR_GONE || delivery.err == ERR_CONFIG) {
        complain_of(check, place, mention, buf_text(&delivery.why));
    } else {
        (void)printf("  %-8s %s (not looked up)\n", mention->key,
                     mention->text);
    }
    delivery_release(&delivery);
}

/* In the moderators' place the bot must be able to post and read. */
static void
check_dm(struct check *check, struct checked *checked,
         const struct place *place)
{
    const unsigned needed = RIGHT_READ | RIGHT_POST;
    struct mention mention = {"moderators_talk", place->moderators_channel};
    struct op op = {.kind = OP_PLACE, .text = mention.text};
    struct delivery found;
    struct delivery probed;
    if (mention.text[0] == '\0') {
        return;
    }
    enum err err = ask_op(check, checked, &op, &found);
    if (err != ERR_NONE) {
        complain_of(check, place, &mention, buf_text(&found.why));
        delivery_release(&found);
        return;
    }
    op = (struct op){.kind = OP_PROBE, .place = buf_text(&found.outcome.id)};
    err = ask_op(check, checked, &op, &probed);
    if (err != ERR_NONE) {
        complain_of(check, place, &mention, buf_text(&probed.why));
    } else if ((probed.outcome.rights & needed) != needed) {
        complain_of(check, place, &mention,
                    "the bot may not read or post there");
    } else {
        (void)printf("  moderators talk in %s\n", buf_text(&found.outcome.id));
    }
    print_advice(buf_text(&found.outcome.advice));
    delivery_release(&probed);
    delivery_release(&found);
}

static void
check_people(struct check *check, struct checked *checked,
             const struct place *place)
{
    const char *user = "";
    for (unsigned i = 0; i < place->moderator_count; i++) {
        struct mention mention = {"moderator", place->moderators[i]};
        check_person(check, checked, place, &mention);
    }
    check_dm(check, checked, place);
    if (conf_alarm(&check->conf, &user) == place && user[0] != '\0') {
        struct mention mention = {"alarm", user};
        check_person(check, checked, place, &mention);
    }
}

/* ---- a place ------------------------------------------------------------- */

/* Say which settings about roles do nothing, or not enough. */
static void
check_roles(bool told, const struct account *account, const struct place *place)
{
    if (place->moderator_role[0] != '\0' && !told) {
        print_advice("The service doesn't tell people's roles, so "
                     "moderator_role does nothing there.\n");
    } else if (place->moderator_role[0] != '\0' &&
               place->moderators_channel[0] == '\0') {
        print_advice(
            "Moderators by a role are known once they have posted: set "
            "moderators_talk, or what is for them may reach nobody.\n");
    }
    if (place->member_role_count > 0 && !told) {
        print_advice("The bot can't give roles there, so member_roles does "
                     "nothing.\n");
    }
    if (place->join_role_count > 0 && !told) {
        print_advice("The service doesn't tell people's roles, so join_roles "
                     "does nothing there.\n");
    } else if (place->join_role_count > 0 && account != NULL &&
               !account->buttons && !account->commands) {
        print_advice("Roles are only told of whoever presses a button or gives "
                     "a slash command: with join_roles and neither buttons nor "
                     "commands nobody can join.\n");
    }
}

/* Say which settings of a place do nothing at its service. */
static void
check_settings(const struct adapter *adapter, const struct account *account,
               const struct place *place)
{
    const struct capabilities *can = &adapter->capabilities;
    bool all = strcmp(place->recruit, RECRUIT_ALL) == 0;
    if (place->min_account_age > 0 && adapter->account_made == NULL) {
        print_advice("The service doesn't tell how old accounts are, so "
                     "min_account_age does nothing there.\n");
    }
    check_roles(can->roles, account, place);
    if (place->recruit[0] != '\0' &&
        !(all ? can->pings_all : can->pings_roles)) {
        print_advice(all ? "A post can't notify everybody there, so recruit "
                           "does nothing.\n"
                         : "A post can't notify a role there, so recruit does "
                           "nothing.\n");
    }
    if (strcmp(place->settings.gallery, "off") != 0 && !can->galleries) {
        bool roles = strcmp(place->settings.gallery, "roles") == 0;
        print_advice(roles ? "The bot can't let people into a place apart "
                             "there: gallery = \"roles\" only tells the "
                             "executed the roles.\n"
                           : "The bot can't let people into a place apart "
                             "there, so gallery does nothing.\n");
    }
}

static void
probe_place(struct check *check, struct checked *checked,
            const struct place *place, const char *id)
{
    struct delivery delivery;
    struct buf roles = BUF_INIT;
    for (unsigned i = 0; i < place->member_role_count; i++) {
        buf_addf(&roles, "%s\n", place->member_roles[i]);
    }
    struct op op = {.kind = OP_PROBE,
                    .place = id,
                    .text = place->moderator_role,
                    .others = buf_text(&roles)};
    if (run_op(check, checked, &op, "place", place->name, &delivery)) {
        print_rights(delivery.outcome.rights);
        print_length(&checked->service.adapter->capabilities,
                     &delivery.outcome);
        print_colour(&checked->service.adapter->capabilities, place);
        print_lines("limits:", buf_text(&delivery.outcome.limits));
        print_advice(buf_text(&delivery.outcome.advice));
        if (place->settings.locks && !(delivery.outcome.rights & RIGHT_LOCK)) {
            print_advice("The bot can't lock posts there, so edits = \"lock\" "
                         "does no more than \"warn\".\n");
        }
        check_settings(checked->service.adapter,
                       conf_account(&check->conf, place->service), place);
        check_rights(check, checked, place, delivery.outcome.rights);
    }
    buf_release(&roles);
    delivery_release(&delivery);
}

/* How a site shows a bold word, by the last posts of the place. */
static void
check_bold(struct check *check, struct checked *checked,
           const struct place *place, const char *id)
{
    struct delivery delivery;
    struct op op = {.kind = OP_READ, .feed = id, .recent = true};
    if (!service_find(checked->service.adapter->name)->own_bold) {
        return;
    }
    if (run_op(check, checked, &op, "place", place->name, &delivery)) {
        struct buf said = BUF_INIT;
        struct buf advice = BUF_INIT;
        check_bold_say(&checked->service, &delivery.outcome.page, &said,
                       &advice);
        print_lines("bold:", buf_text(&said));
        print_advice(buf_text(&advice));
        buf_release(&advice);
        buf_release(&said);
    }
    delivery_release(&delivery);
}

/* Ask what the bot may do at a place. */
static void
check_place(struct check *check, struct checked *checked,
            const struct place *place)
{
    struct delivery delivery;
    struct op op = {.kind = OP_PLACE, .text = place->address};
    (void)printf("place %s (%s)\n", place->name, place->service);
    if (run_op(check, checked, &op, "place", place->name, &delivery)) {
        print_advice(buf_text(&delivery.outcome.advice));
        probe_place(check, checked, place, buf_text(&delivery.outcome.id));
        check_bold(check, checked, place, buf_text(&delivery.outcome.id));
    }
    check_people(check, checked, place);
    delivery_release(&delivery);
}

/* ---- services ------------------------------------------------------------ */

static void
check_service(struct check *check, struct checked *checked)
{
    struct delivery delivery;
    struct service *service = &checked->service;
    const struct account *account = conf_account(&check->conf, service->name);
    struct op op = {.kind = OP_WHO,
                    .presses = account != NULL &&
                               (account->buttons || account->commands)};
    if (run_op(check, checked, &op, "service", service->name, &delivery)) {
        const struct outcome *out = &delivery.outcome;
        (void)snprintf(service->self, sizeof service->self, "%s",
                       buf_text(&out->id));
        bool named =
            out->shown.len > 0 && !buf_equals(&out->shown, service->self);
        (void)printf("service %s: account %s%s%s%s\n", service->name,
                     named ? buf_text(&out->shown) : service->self,
                     named ? " (" : "", named ? service->self : "",
                     named ? ")" : "");
        print_lines("words:", buf_text(&out->limits));
        print_advice(buf_text(&out->advice));
        checked->good = true;
    }
    delivery_release(&delivery);
}

static struct checked *
find_service(struct check *check, const char *name)
{
    for (unsigned i = 0; i < check->service_count; i++) {
        if (strcmp(check->services[i].service.name, name) == 0) {
            return &check->services[i];
        }
    }
    return NULL;
}

static enum err
add_service(struct check *check, const char *name, struct buf *why)
{
    struct checked *checked = &check->services[check->service_count++];
    service_set(&checked->service, &check->conf, &check->secrets, name);
    service_authorize(&checked->service, &check->conf, &check->secrets,
                      check->dispatch);
    if (check->store == NULL || has_session(&checked->service)) {
        return ERR_NONE;
    }
    store_states(check->store, name, &checked->states);
    service_authorize_by(&checked->service, &checked->states, check->dispatch);
    return store_err(check->store, why);
}

/* ---- a check ------------------------------------------------------------- */

/* If the host logs in with a password, the store has the last token, and the
 * new one is saved there: services limit how often one may log in. */
static enum err
open_store(struct check *check, struct buf *why)
{
    const struct conf *conf = &check->conf;
    struct buf held = BUF_INIT;
    bool needed = false;
    enum err err = ERR_NONE;
    for (unsigned i = 0; i < conf->account_count; i++) {
        needed = needed || conf->accounts[i].user[0] != '\0';
    }
    if (needed) {
        err = store_open(conf->store, conf->key_file, STORE_HOST, &check->store,
                         &held);
        check->store_is_ours = err == ERR_NONE;
    }
    if (err == ERR_DENIED) {
        /* A host is running. */
        err = store_open(conf->store, conf->key_file, STORE_READ, &check->store,
                         why);
    } else {
        buf_add_buf(why, &held);
    }
    buf_release(&held);
    return err;
}

static enum err
open_all(struct check *check, struct buf *why)
{
    const struct conf *conf = &check->conf;
    bool board = conf_uses_board(conf);
    enum err err = ERR_NONE;
    if (board) {
        err = board_open(conf->board, true, &check->board, why);
    }
    ERR_THEN(err, open_store(check, why));
    check->dispatch = dispatch_new(check->board);
    check->services =
        must_alloc((conf->account_count + 1) * sizeof(struct checked));
    for (unsigned i = 0; err == ERR_NONE && i < conf->account_count; i++) {
        err = add_service(check, conf->accounts[i].name, why);
    }
    if (err == ERR_NONE && board) {
        err = add_service(check, CONF_BOARD, why);
    }
    return err;
}

static void
check_all(struct check *check)
{
    for (unsigned i = 0; i < check->service_count; i++) {
        check_service(check, &check->services[i]);
    }
    for (unsigned i = 0; i < check->conf.place_count; i++) {
        const struct place *place = &check->conf.places[i];
        struct checked *checked = find_service(check, place->service);
        /* the service's fault was reported already */
        if (checked != NULL && checked->good) {
            check_place(check, checked, place);
        }
    }
}

/* List the messages that a host has not delivered yet.  A store that is still
 * to be made, or that a host has to rebuild, has none. */
static enum err
check_messages(struct check *check, struct buf *why)
{
    struct store *opened = NULL;
    struct buf unsaid = BUF_INIT;
    enum err err = check->store != NULL
                       ? ERR_NONE
                       : store_open(check->conf.store, check->conf.key_file,
                                    STORE_READ, &opened, &unsaid);
    if (err == ERR_NONE) {
        err = undelivered_print(opened != NULL ? opened : check->store,
                                clock_now(), why);
    } else {
        err = ERR_NONE; /* tables_open has told of it */
    }
    store_close(opened);
    buf_release(&unsaid);
    return err;
}

static void
check_free(struct check *check)
{
    dispatch_free(check->dispatch);
    store_close(check->store);
    board_close(check->board);
    secrets_release(&check->secrets);
    for (unsigned i = 0; i < check->service_count; i++) {
        adapter_states_release(&check->services[i].states);
    }
    free(check->services);
    conf_release(&check->conf);
    wipe(check, sizeof *check);
    free(check);
}

/* ---- the store ----------------------------------------------------------- */

/* Count games, and what else is odd. */
static void
print_trouble(void *context, const char *game, const char *trouble)
{
    unsigned *counts = context;
    (void)printf("%s\n", trouble);
    counts[game[0] == '\0']++;
}

/* Say which of the running games the host can go on with. */
static void
print_store(const char *store, unsigned running, unsigned unhosted)
{
    (void)printf("%s: the file is whole", store);
    if (running == 0) {
        (void)printf("; no game is running\n");
    } else if (unhosted == 0 && running == 1) {
        (void)printf(", and the running game can go on\n");
    } else if (unhosted == 0) {
        (void)printf(", and all %u running games can go on\n", running);
    } else {
        (void)printf(", but %u of %u running games can't go on (see above)\n",
                     unhosted, running);
    }
}

/* `check --store`: the file alone, also beside a running host. */
static int
check_store(const char *file)
{
    struct conf *conf = must_alloc(sizeof *conf);
    struct buf why = BUF_INIT;
    unsigned count = 0;
    unsigned counts[2] = {0};
    int code = options_conf(file, conf);
    if (code == EXIT_DONE) {
        const struct store_check check = {.path = conf->store,
                                          .key_file = conf->key_file,
                                          .each = print_trouble,
                                          .context = counts};
        if (store_check(&check, &count, &why) != ERR_NONE) {
            code = command_fail(&why);
        } else {
            print_store(conf->store, count, counts[0]);
            code = counts[0] + counts[1] == 0 ? EXIT_DONE : EXIT_FAULT;
        }
    }
    conf_release(conf);
    free(conf);
    buf_release(&why);
    return code;
}

/* What `run` would refuse is told first, and once. */
static int
check_hosting(struct check *check)
{
    struct catalogues catalogues = {.count = 0};
    struct buf why = BUF_INIT;
    struct tables tables;
    enum err err = tables_open(&tables, &check->conf, &catalogues,
                               &check->secrets, &dealer_fair, OPEN_TRY, &why);
    int code = EXIT_DONE;
    if (err != ERR_NONE) {
        (void)command_fail(&why);
        code = err == ERR_CONFIG ? EXIT_USAGE : EXIT_FAULT;
    }
    buf_clear(&why);
    check->good = true;
    if (open_all(check, &why) == ERR_NONE) {
        check_all(check);
        check->good = check_messages(check, &why) == ERR_NONE && check->good;
    }
    if (code == EXIT_DONE && why.len > 0) {
        (void)command_fail(&why);
        check->good = false;
    }
    catalogues_release(&catalogues);
    buf_release(&why);
    return code == EXIT_DONE && !check->good ? EXIT_FAULT : code;
}

int
command_check(int argc, char **argv)
{
    const char *file = NULL;
    bool store = false;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = "--store", .flag = &store},
                                      {.name = NULL}};
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (store) {
        return check_store(file);
    }
    struct check *check = must_alloc(sizeof *check);
    int code = options_conf(file, &check->conf);
    if (code == EXIT_DONE) {
        code = options_secrets(&check->conf, &check->secrets);
    }
    if (code == EXIT_DONE) {
        (void)printf("%s: no mistakes\n", check->conf.file);
        code = check_hosting(check);
    }
    check_free(check);
    return code;
}
