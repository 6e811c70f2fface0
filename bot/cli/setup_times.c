/* `placard setup`: in which language, at which hours, how long votes stay
 * open. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/base/zone.h"
#include "bot/cli/setup_inner.h"
#include "config/language.h"

#define ZONES "/usr/share/zoneinfo"

enum {
    LANGUAGES_MAX = 64,
    ZONES_FILE_MAX = 1 << 20
};

/* ---- the language -------------------------------------------------------- */

/* What its speakers call a language. */
static const struct {
    const char *code, *name;
} names[] = {
    {"en", "English"}, {"de", "Deutsch"},    {"fr", "français"},
    {"nb", "norsk"},   {"nl", "Nederlands"},
};

const char *
setup_language_name(const char *code)
{
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].code, code) == 0) {
            return names[i].name;
        }
    }
    return code;
}

/* The codes in `"de", "en"`, of which `list` is made. */
static unsigned
read_codes(char *list, const char **codes)
{
    char *rest = NULL;
    unsigned count = 0;
    for (char *code = strtok_r(list, "\", ", &rest);
         code != NULL && count < LANGUAGES_MAX;
         code = strtok_r(NULL, "\", ", &rest)) {
        codes[count++] = code;
    }
    return count;
}

enum answered
setup_language(struct setup *setup)
{
    struct settings *settings = &setup->place.settings;
    struct buf list = BUF_INIT;
    const char *codes[LANGUAGES_MAX];
    const char *labels[LANGUAGES_MAX];
    unsigned chosen = 0;
    *settings = setup->conf.settings;
    language_names(&list);
    unsigned count = read_codes(list.data, codes);
    unsigned normal = count;
    for (unsigned i = 0; i < count; i++) {
        labels[i] = setup_language_name(codes[i]);
        if (strcmp(codes[i], settings->language) == 0) {
            normal = i;
        }
    }
    questions_say(&setup->questions,
                  "\nIn which language does the host write?");
    enum answered answered =
        questions_choice(&setup->questions, labels, count, normal, &chosen);
    if (answered == ANSWERED) {
        (void)snprintf(settings->language, sizeof settings->language, "%s",
                       codes[chosen]);
    }
    buf_release(&list);
    return answered;
}

/* ---- the time zone ------------------------------------------------------- */

/* The zone of this machine; "": unknown. */
static void
own_zone(char *zone, size_t size)
{
    char path[512];
    ssize_t len = readlink("/etc/localtime", path, sizeof path - 1);
    zone[0] = '\0';
    if (len > 0) {
        path[len] = '\0';
        const char *name = strstr(path, "zoneinfo/");
        (void)snprintf(zone, size, "%s",
                       name == NULL ? "" : name + strlen("zoneinfo/"));
    }
    if (strncmp(zone, "Etc/", 4) == 0) {
        zone[0] = '\0'; /* a server's: nobody lives there */
    }
}

/* Does the zone "Europe/Berlin" have this name, or its last part? */
static bool
is_called(const char *zone, size_t len, const char *name)
{
    size_t name_len = strlen(name);
    return name_len > 0 && name_len <= len &&
           strncasecmp(zone + len - name_len, name, name_len) == 0 &&
           (name_len == len || zone[len - name_len - 1] == '/');
}

/* Find the zone whose name people have typed without its first part, or in
 * other letters: "berlin", "new york".  false: none, or several. */
static bool
complete_zone(struct buf *zone)
{
    struct buf table = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    struct buf found = BUF_INIT;
    unsigned count = 0;
    buf_init(&table, ZONES_FILE_MAX);
    for (size_t i = 0; i < zone->len; i++) {
        if (zone->data[i] == ' ') {
            zone->data[i] = '_';
        }
    }
    if (file_read(ZONES "/tzdata.zi", &table, &unsaid) != ERR_NONE) {
        buf_clear(&table);
    }
    for (const char *at = buf_text(&table); *at != '\0';
         at += strcspn(at, "\n"), at += *at == '\n') {
        /* "Z Europe/Berlin …", or a link, "L Europe/Berlin Europe/Bonn" */
        const char *name = at + 2;
        if (at[0] == 'L') {
            name += strcspn(name, " \n");
            name += *name == ' ';
        }
        size_t len = strcspn(name, " \n");
        if ((at[0] == 'L' || at[0] == 'Z') &&
            is_called(name, len, buf_text(zone)) &&
            memchr(name, '/', len) != NULL) {
            buf_clear(&found);
            buf_add(&found, name, len);
            count++;
        }
    }
    if (count == 1) {
        buf_clear(zone);
        buf_add_buf(zone, &found);
    }
    buf_release(&table);
    buf_release(&unsaid);
    buf_release(&found);
    return count == 1;
}

static bool
set(struct setup *setup, const char *key, const char *value)
{
    struct buf why = BUF_INIT;
    bool good =
        settings_set(&setup->place.settings, key, value, &why) == ERR_NONE;
    if (good) {
        good = settings_check(&setup->place.settings, &why) == ERR_NONE;
    }
    if (!good) {
        questions_complain(&setup->questions, "%s", buf_text(&why));
    }
    buf_release(&why);
    return good;
}

static bool
take_zone(struct setup *setup, struct buf *answer)
{
    struct buf unsaid = BUF_INIT;
    struct zone *zone = NULL;
    bool known = zone_load(buf_text(answer), &zone, &unsaid) == ERR_NONE;
    zone_free(zone);
    if (!known && complete_zone(answer)) {
        questions_say(&setup->questions, "That is %s.", buf_text(answer));
    }
    buf_release(&unsaid);
    return set(setup, "zone", buf_text(answer));
}

enum answered
setup_zone(struct setup *setup)
{
    char here[sizeof setup->place.settings.zone];
    struct buf answer = BUF_INIT;
    enum answered answered;
    own_zone(here, sizeof here);
    if (strcmp(setup->conf.settings.zone, "UTC") != 0 || here[0] == '\0') {
        (void)snprintf(here, sizeof here, "%s", setup->conf.settings.zone);
    }
    questions_say(
        &setup->questions,
        "\nIn which time zone do people there live? Type a city, or a "
        "zone such as Europe/Berlin.");
    do {
        answered =
            questions_text(&setup->questions, "Time zone", here, &answer);
    } while (answered == ANSWERED && !take_zone(setup, &answer));
    buf_release(&answer);
    return answered;
}

/* ---- quiet hours --------------------------------------------------------- */

/* Read "23", "7:30" or "07.30"; false: none. */
static bool
read_hour(const char **at, unsigned *hour, unsigned *minute)
{
    char *end = NULL;
    *at += strspn(*at, " ");
    if (!isdigit((unsigned char)**at)) {
        return false;
    }
    unsigned long number = strtoul(*at, &end, 10);
    *minute = 0;
    if ((*end == ':' || *end == '.') && isdigit((unsigned char)end[1])) {
        *minute = (unsigned)strtoul(end + 1, &end, 10);
    }
    *hour = number > 99 ? 99 : (unsigned)number;
    *at = end + strspn(end, " ");
    return true;
}

/* "23-7" and "23.00 to 7.00" as the setting has it; another text stays. */
static void
tidy_hours(struct buf *answer)
{
    static const char *const between[] = {"-", "–", "to "};
    const char *at = buf_text(answer);
    unsigned from[2];
    unsigned until[2];
    bool parted = false;
    if (strcasecmp(at, "none") == 0 || strcasecmp(at, "no") == 0) {
        buf_clear(answer);
        return;
    }
    if (!read_hour(&at, &from[0], &from[1])) {
        return;
    }
    for (unsigned i = 0; i < sizeof between / sizeof between[0]; i++) {
        size_t len = strlen(between[i]);
        if (!parted && strncmp(at, between[i], len) == 0) {
            at += len;
            parted = true;
        }
    }
    if (!parted || !read_hour(&at, &until[0], &until[1]) || *at != '\0') {
        return;
    }
    until[0] = until[0] == 24 ? 0 : until[0];
    from[0] = from[0] == 24 ? 0 : from[0];
    buf_clear(answer);
    buf_addf(answer, "%02u:%02u-%02u:%02u", from[0], from[1], until[0],
             until[1]);
}

enum answered
setup_quiet(struct setup *setup)
{
    const char *usual = setup->conf.settings.quiet[0] == '\0'
                            ? "23:00-07:00"
                            : setup->conf.settings.quiet;
    struct buf answer = BUF_INIT;
    enum answered answered;
    questions_say(&setup->questions,
                  "\nAt which hours do people there sleep? No reminder comes "
                  "and no deadline falls then. Type none if there are no such "
                  "hours.");
    do {
        answered =
            questions_text(&setup->questions, "Quiet hours", usual, &answer);
        tidy_hours(&answer);
    } while (answered == ANSWERED && !set(setup, "quiet", buf_text(&answer)));
    buf_release(&answer);
    return answered;
}

/* ---- votes --------------------------------------------------------------- */

enum answered
setup_votes(struct setup *setup)
{
    struct buf usual = BUF_INIT;
    struct buf answer = BUF_INIT;
    enum answered answered;
    (void)settings_get(&setup->conf.settings, "vote_min", &usual);
    questions_say(&setup->questions,
                  "\nA vote ends as soon as it is decided, so some players may "
                  "never get to vote, and votes tell the others something. How "
                  "long does it stay open at least? Type 0 to let it end at "
                  "once.");
    do {
        answered = questions_text(
            &setup->questions, "Votes stay open for",
            buf_equals(&usual, "0") ? "8h" : buf_text(&usual), &answer);
    } while (answered == ANSWERED &&
             !set(setup, "vote_min", buf_text(&answer)));
    buf_release(&usual);
    buf_release(&answer);
    return answered;
}
