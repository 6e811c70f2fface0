/* `placard setup`: where games are opened, and by whom. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bot/cli/enquiry.h"
#include "bot/cli/setup_inner.h"

enum {
    SHOWN_MAX = 30, /* places in the list */
    NAME_MAX_LEN = 24
};

/* ---- what there is to choose from ---------------------------------------- */

/* The places that the account can see; `list` points into the delivery. */
struct places {
    struct delivery delivery;
    unsigned count;
    const char *list[PLACES_MAX];
};

static void
find_places(struct setup *setup, struct places *places)
{
    struct op op = {.kind = OP_PLACES};
    places->count = 0;
    if (setup_ask(setup, &op, &places->delivery) != ERR_NONE) {
        questions_complain(&setup->questions,
                           "What there is to choose from can't be listed: %s",
                           buf_text(&places->delivery.why));
    }
    const char *at = buf_text(&places->delivery.outcome.places);
    while (*at != '\0' && places->count < PLACES_MAX) {
        places->list[places->count++] = at;
        at += strcspn(at, "\n") + 1;
    }
}

static void
show_places(const struct places *places)
{
    unsigned shown = places->count < SHOWN_MAX ? places->count : SHOWN_MAX;
    for (unsigned i = 0; i < shown; i++) {
        const char *name = places->list[i] + strcspn(places->list[i], "\t") + 1;
        (void)printf("%4u  %.*s\n", i + 1, (int)strcspn(name, "\n"), name);
    }
    if (shown < places->count) {
        (void)printf("      and %u more\n", places->count - shown);
    }
}

static void
explain_places(struct setup *setup, const struct places *places)
{
    static const char usual[] =
        "There is nothing to choose from yet. Write the topic in which people "
        "are to sign up, then press Enter here, to look again; or paste its "
        "link.";
    const struct service_kind *kind = setup->kind;
    questions_say(&setup->questions, "\nIn which %s are games opened?",
                  kind->place);
    if (places->count == 0) {
        setup_say(setup, kind->places_help == NULL ? usual : kind->places_help,
                  setup->service.self);
        return;
    }
    questions_say(&setup->questions,
                  "Type its number. If it is not here, %s; or press Enter to "
                  "look again.",
                  kind->place_help == NULL ? "paste its link"
                                           : kind->place_help);
    show_places(places);
}

/* ---- one of them --------------------------------------------------------- */

/* Without some rights no game can be hosted.  Others can be given later. */
static enum answered
take_rights(struct setup *setup, const struct outcome *out, bool *good)
{
    struct buf lacks = BUF_INIT;
    bool threads = setup->conf.settings.new_thread;
    enquiry_add_rights(enquiry_needed_rights(setup->kind->adapter, threads) &
                           ~out->rights,
                       &lacks);
    enum answered answered = ANSWERED;
    *good = lacks.len == 0;
    if (*good) {
        questions_say(&setup->questions, "Games can be hosted there.");
    } else {
        questions_complain(&setup->questions,
                           "No game can be hosted there yet, for the bot may "
                           "not %s.",
                           buf_text(&lacks));
    }
    if (out->advice.len > 0) {
        questions_complain(&setup->questions, "%s", buf_text(&out->advice));
    }
    if (out->limits.len > 0) {
        questions_say(&setup->questions, "%s", buf_text(&out->limits));
    }
    if (!*good) {
        answered = questions_yes(&setup->questions,
                                 "Take it all the same, and change that later?",
                                 false, good);
    }
    buf_release(&lacks);
    return answered;
}

/* Look at a place; *good: it is taken. */
static enum answered
try_place(struct setup *setup, const char *address, bool *good)
{
    struct op op = {.kind = OP_PLACE, .text = address};
    struct delivery found;
    struct delivery probed;
    enum answered answered = ANSWERED;
    *good = false;
    if (setup_ask(setup, &op, &found) != ERR_NONE) {
        enquiry_advise_place(found.err, &found.why);
        questions_complain(&setup->questions, "%s", buf_text(&found.why));
        delivery_release(&found);
        return ANSWERED;
    }
    buf_clear(&setup->place_id);
    buf_add_buf(&setup->place_id, &found.outcome.id);
    op = (struct op){.kind = OP_PROBE, .place = buf_text(&setup->place_id)};
    if (setup_ask(setup, &op, &probed) == ERR_NONE) {
        answered = take_rights(setup, &probed.outcome, good);
    } else {
        enquiry_advise_place(probed.err, &probed.why);
        questions_complain(&setup->questions, "%s", buf_text(&probed.why));
    }
    delivery_release(&probed);
    delivery_release(&found);
    return answered;
}

/* ---- its name ------------------------------------------------------------ */

static bool
has_place(const struct setup *setup, const char *name)
{
    return !setup->untouched && conf_place(&setup->conf, name) != NULL;
}

/* A name for the command line, that no other place has: the letters of what
 * people call it, "secret-hitler". */
static void
name_place(struct setup *setup, const char *shown)
{
    char name[NAME_MAX_LEN + 1];
    size_t len = 0;
    unsigned number = 1;
    for (; *shown != '\0' && strchr(",:(\n", *shown) == NULL &&
           strncmp(shown, " in ", 4) != 0 && len < NAME_MAX_LEN;
         shown++) {
        unsigned char sign = (unsigned char)*shown;
        if (isalnum(sign)) {
            name[len++] = (char)tolower(sign);
        } else if (len > 0 && name[len - 1] != '-') {
            name[len++] = '-';
        }
    }
    while (len > 0 && name[len - 1] == '-') {
        len--;
    }
    name[len] = '\0';
    if (len == 0) {
        (void)snprintf(name, sizeof name, "%s", setup->kind->adapter->name);
    }
    (void)snprintf(setup->place.name, sizeof setup->place.name, "%s", name);
    while (has_place(setup, setup->place.name)) {
        (void)snprintf(setup->place.name, sizeof setup->place.name, "%s-%u",
                       name, ++number);
    }
}

static void
keep_place(struct setup *setup, const char *address, const char *shown)
{
    struct place *place = &setup->place;
    struct buf link = BUF_INIT;
    if (setup->kind->links) {
        setup->kind->adapter->link(&setup->service, buf_text(&setup->place_id),
                                   "", &link);
        address = buf_text(&link);
    }
    (void)snprintf(place->service, sizeof place->service, "%s",
                   setup->account.name);
    (void)snprintf(place->address, sizeof place->address, "%s", address);
    buf_clear(&setup->place_name);
    buf_add(&setup->place_name, shown, strcspn(shown, "\n"));
    name_place(setup, *shown == '#'                                   ? shown
                      : strstr(shown, "://") != NULL || *shown == '!' ? ""
                                                                      : shown);
    buf_release(&link);
}

/* The name of the place that is configured with this service and address; NULL:
 * none is. */
static const char *
name_of_same(const struct setup *setup)
{
    const struct conf *conf = &setup->conf;
    for (unsigned i = 0; !setup->untouched && i < conf->place_count; i++) {
        if (strcmp(conf->places[i].service, setup->place.service) == 0 &&
            strcmp(conf->places[i].address, setup->place.address) == 0) {
            return conf->places[i].name;
        }
    }
    return NULL;
}

static enum answered
take_answer(struct setup *setup, const struct places *places,
            const char *answer, bool *good)
{
    unsigned number = questions_number(answer, places->count);
    char address[SETTING_TEXT_MAX];
    const char *shown = answer;
    if (number > 0) {
        const char *line = places->list[number - 1];
        int len = (int)strcspn(line, "\t");
        (void)snprintf(address, sizeof address, "%.*s", len, line);
        shown = line + len + 1;
    } else if (strlen(answer) < sizeof address) {
        (void)snprintf(address, sizeof address, "%s", answer);
    } else {
        questions_complain(&setup->questions,
                           "That is too long for an address.");
        return ANSWERED;
    }
    enum answered answered = try_place(setup, address, good);
    if (answered == ANSWERED && *good) {
        keep_place(setup, address, shown);
        const char *same = name_of_same(setup);
        *good = same == NULL;
        if (!*good) {
            questions_complain(&setup->questions,
                               "That place is configured already, as \"%s\"",
                               same);
        }
    }
    return answered;
}

static void
keep_board(struct setup *setup)
{
    (void)snprintf(setup->place.service, sizeof setup->place.service,
                   CONF_BOARD);
    setup->place.address[0] = '\0';
    buf_clear(&setup->place_name);
    buf_add_text(&setup->place_name, "the board of this machine");
    name_place(setup, "board");
}

enum answered
setup_place(struct setup *setup)
{
    struct buf answer = BUF_INIT;
    enum answered answered = ANSWERED;
    bool good = false;
    if (setup->kind->embedded) {
        keep_board(setup);
        return setup_skip(setup);
    }
    while (answered == ANSWERED && !good) {
        struct places places;
        find_places(setup, &places);
        explain_places(setup, &places);
        answered = questions_text(&setup->questions, "Number or address", NULL,
                                  &answer);
        if (answered == ANSWERED && answer.len > 0) {
            answered = take_answer(setup, &places, buf_text(&answer), &good);
        }
        delivery_release(&places.delivery);
    }
    buf_release(&answer);
    return answered;
}

/* ---- moderators ---------------------------------------------------------- */

static void
add_moderator(struct setup *setup, const char *id, const char *shown)
{
    struct place *place = &setup->place;
    for (unsigned i = 0; i < place->moderator_count; i++) {
        if (strcmp(place->moderators[i], id) == 0) {
            return;
        }
    }
    (void)snprintf(place->moderators[place->moderator_count++],
                   sizeof place->moderators[0], "%s", id);
    buf_addf(&setup->moderators, "%s%s", setup->moderators.len > 0 ? ", " : "",
             shown[0] == '\0' ? id : shown);
    if (shown[0] != '\0' && strcmp(shown, id) != 0) {
        buf_addf(&setup->moderators, " (%s)", id);
    }
}

/* Look one up; false: there is no such person. */
static bool
find_moderator(struct setup *setup, const char *name)
{
    struct op op = {
        .kind = OP_USER, .text = name, .place = buf_text(&setup->place_id)};
    struct delivery delivery;
    if (setup->place.moderator_count == SETTING_LIST_MAX) {
        questions_complain(&setup->questions, "Name %d people at most.",
                           SETTING_LIST_MAX);
        return false;
    }
    if (setup->kind->embedded) {
        add_moderator(setup, name, "");
        return true;
    }
    enum err err = setup_ask(setup, &op, &delivery);
    if (err == ERR_NONE) {
        add_moderator(setup, buf_text(&delivery.outcome.id),
                      buf_text(&delivery.outcome.shown));
    } else {
        questions_complain(&setup->questions, "%s", buf_text(&delivery.why));
    }
    delivery_release(&delivery);
    return err == ERR_NONE;
}

static bool
is_nobody(const char *text)
{
    return text[0] == '\0' || strcasecmp(text, "none") == 0 ||
           strcasecmp(text, "nobody") == 0 || strcasecmp(text, "anybody") == 0;
}

/* "Mo, Anna"; false: somebody there is not found. */
static bool
find_moderators(struct setup *setup, const char *text)
{
    char name[SETTING_TEXT_MAX];
    bool good = true;
    setup->place.moderator_count = 0;
    buf_clear(&setup->moderators);
    while (good && *text != '\0' && !is_nobody(text)) {
        size_t len = strcspn(text, ",;");
        size_t from = strspn(text, " ");
        size_t end = len;
        while (end > from && text[end - 1] == ' ') {
            end--;
        }
        (void)snprintf(name, sizeof name, "%.*s",
                       from < end ? (int)(end - from) : 0, text + from);
        good = name[0] == '\0' || find_moderator(setup, name);
        text += len + (text[len] != '\0');
    }
    return good;
}

enum answered
setup_moderators(struct setup *setup)
{
    struct buf answer = BUF_INIT;
    enum answered answered;
    questions_say(&setup->questions,
                  "\nWho may open and start games there, and step in when one "
                  "is stuck? Type their names, as they are there, with commas "
                  "between. Enter alone: anybody may.");
    do {
        answered =
            questions_text(&setup->questions, "Moderators", NULL, &answer);
    } while (answered == ANSWERED &&
             !find_moderators(setup, buf_text(&answer)));
    if (answered == ANSWERED && setup->place.moderator_count == 0) {
        questions_say(&setup->questions, "Anybody may open games there.");
    } else if (answered == ANSWERED && !setup->kind->embedded) {
        questions_say(&setup->questions, "Found: %s.",
                      buf_text(&setup->moderators));
    }
    buf_release(&answer);
    return answered;
}
