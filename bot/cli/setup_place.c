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

/* The places that the account could see when it was last looked, a line each,
 * by their numbers: one that is gone leaves an empty line, and a new one comes
 * last. */
struct places {
    struct buf lines;
    unsigned count;
};

/* The line of a number, from 1. */
static const char *
place_line(const struct places *places, unsigned number)
{
    const char *line = buf_text(&places->lines);
    while (--number > 0) {
        line = strchr(line, '\n') + 1;
    }
    return line;
}

/* Is that a line of the text? */
static bool
has_line(const char *lines, const char *wanted, size_t len)
{
    while (*lines != '\0' && strncmp(lines, wanted, len) != 0) {
        lines = strchr(lines, '\n') + 1;
    }
    return *lines != '\0';
}

/* Append those lines of one text that the other has, too, or (`there` false)
 * has not. */
static void
add_lines(struct places *places, const char *from, const char *among,
          bool there)
{
    for (size_t len; *from != '\0'; from += len) {
        len = strcspn(from, "\n") + 1;
        bool has = has_line(among, from, len);
        if (has == there && places->count < PLACES_MAX) {
            buf_add(&places->lines, from, len);
            places->count++;
        } else if (there) {
            buf_add_char(&places->lines, '\n');
            places->count++;
        }
    }
}

static void
find_places(struct setup *setup, struct places *places)
{
    struct op op = {.kind = OP_PLACES};
    struct delivery delivery;
    if (setup_ask(setup, &op, &delivery) != ERR_NONE) {
        questions_complain(&setup->questions,
                           "What there is to choose from can't be listed: %s",
                           buf_text(&delivery.why));
    } else {
        const char *seen = buf_text(&delivery.outcome.places);
        struct places old = *places;
        *places = (struct places){.lines = BUF_INIT};
        add_lines(places, buf_text(&old.lines), seen, true);
        add_lines(places, seen, buf_text(&old.lines), false);
        buf_release(&old.lines);
    }
    delivery_release(&delivery);
}

static void
show_places(const struct places *places)
{
    for (unsigned i = 1; i <= places->count; i++) {
        const char *line = place_line(places, i);
        const char *name = line + strcspn(line, "\t\n") + 1;
        if (*line != '\n' && i <= SHOWN_MAX) {
            (void)printf("%4u  %.*s\n", i, (int)strcspn(name, "\n"), name);
        }
    }
    if (places->count > SHOWN_MAX) {
        (void)printf("      and %u more\n", places->count - SHOWN_MAX);
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
        const char *line = place_line(places, number);
        int len = (int)strcspn(line, "\t\n");
        if (len == 0) {
            questions_complain(&setup->questions,
                               "That one is not there any more.");
            return ANSWERED;
        }
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

/* One is to be made once everything is agreed to (setup_make). */
static enum answered
plan_place(struct setup *setup, bool *good)
{
    static const char *const who[] = {"Whoever is invited",
                                      "Anybody who has its address"};
    unsigned open = 0;
    enum answered answered =
        questions_text(&setup->questions, "What is it to be called",
                       "Secret Hitler", &setup->place_name);
    if (answered == ANSWERED) {
        questions_say(&setup->questions, "\nWho may enter it?");
        answered = questions_choice(&setup->questions, who, 2, 0, &open);
    }
    *good = answered == ANSWERED;
    setup->open = open == 1;
    setup->place.address[0] = '\0';
    buf_clear(&setup->place_id);
    name_place(setup, buf_text(&setup->place_name));
    return answered == ANSWERED_BACK ? ANSWERED : answered;
}

enum answered
setup_place(struct setup *setup)
{
    struct places places = {.lines = BUF_INIT};
    struct buf answer = BUF_INIT;
    enum answered answered = ANSWERED;
    bool good = false;
    if (setup->kind->embedded) {
        setup->made = false;
        keep_board(setup);
        return setup_skip(setup);
    }
    while (answered == ANSWERED && !good) {
        find_places(setup, &places);
        explain_places(setup, &places);
        answered = questions_text(&setup->questions, "Number or address", NULL,
                                  &answer);
        if (answered != ANSWERED || answer.len == 0) {
            continue;
        }
        setup->made = setup->kind->adapter->capabilities.makes &&
                      strcasecmp(buf_text(&answer), "new") == 0;
        answered = setup->made
                       ? plan_place(setup, &good)
                       : take_answer(setup, &places, buf_text(&answer), &good);
    }
    buf_release(&places.lines);
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

/* Whom is a place to be made for? */
static bool
has_people(struct setup *setup)
{
    bool good = setup->place.moderator_count > 0 || setup->open;
    if (!good) {
        questions_complain(&setup->questions,
                           "Nobody could enter it: name somebody.");
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
             (!find_moderators(setup, buf_text(&answer)) ||
              (setup->made && !has_people(setup))));
    if (answered == ANSWERED && setup->place.moderator_count == 0) {
        questions_say(&setup->questions, "Anybody may open games there.");
    } else if (answered == ANSWERED && !setup->kind->embedded) {
        questions_say(&setup->questions, "Found: %s.",
                      buf_text(&setup->moderators));
    }
    buf_release(&answer);
    return answered;
}

/* ---- a place that is made -------------------------------------------------
 */

/* Invite the moderators; those who can't be are left out if nobody wants to try
 * again: what was agreed to is written all the same. */
static void
appoint_moderators(struct setup *setup)
{
    struct questions *ask = &setup->questions;
    const struct place *place = &setup->place;
    for (unsigned i = 0; i < place->moderator_count;) {
        struct op op = {.kind = OP_APPOINT,
                        .place = buf_text(&setup->place_id),
                        .user = place->moderators[i]};
        struct delivery delivery;
        bool again = false;
        if (setup_ask(setup, &op, &delivery) == ERR_NONE) {
            questions_say(ask, "%s is invited, as a moderator.", op.user);
        } else {
            questions_complain(ask, "%s", buf_text(&delivery.why));
            again = questions_yes(ask, "Invite them once more?", true,
                                  &again) == ANSWERED &&
                    again;
        }
        i += !again;
        delivery_release(&delivery);
    }
}

/* Take the place that was made. */
static void
take_made(struct setup *setup, const char *address, const char *name)
{
    bool good = false;
    questions_say(&setup->questions, "The %s %s is there now.",
                  setup->kind->place, address);
    (void)try_place(setup, address, &good);
    keep_place(setup, address, name);
    appoint_moderators(setup);
}

enum answered
setup_make(struct setup *setup)
{
    struct buf name = BUF_INIT;
    enum answered answered = ANSWERED;
    buf_add_buf(&name, &setup->place_name);
    while (answered == ANSWERED && setup->place.address[0] == '\0') {
        struct op op = {
            .kind = OP_MAKE, .text = buf_text(&name), .everybody = setup->open};
        struct delivery made;
        if (setup_ask(setup, &op, &made) == ERR_NONE) {
            take_made(setup, buf_text(&made.outcome.id), op.text);
        } else {
            struct buf other = BUF_INIT;
            questions_complain(&setup->questions, "%s", buf_text(&made.why));
            answered = questions_text(
                &setup->questions, "What is it to be called", op.text, &other);
            buf_release(&name);
            name = other;
        }
        delivery_release(&made);
    }
    buf_release(&name);
    return answered;
}
