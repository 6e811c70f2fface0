#include "config/setting.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "bot/base/civil.h"
#include "config/language.h"

enum {
    QUOTE_MAX = 40
};

bool
setting_stands_in(const struct setting *setting, enum setting_scope scope)
{
    return setting->scope == scope ||
           (setting->scope == SCOPE_GAME && scope != SCOPE_SERVICE);
}

/* ---- what would be right ------------------------------------------------- */

static void
say_choices(const struct setting *setting, struct buf *out)
{
    for (size_t i = 0; setting->choices[i] != NULL; i++) {
        if (i > 0) {
            buf_add_text(out, setting->choices[i + 1] == NULL ? " or " : ", ");
        }
        buf_addf(out, "\"%s\"", setting->choices[i]);
    }
}

static void
say_number(const struct setting *setting, struct buf *out)
{
    if (setting->type == SETTING_NUMBER) {
        buf_addf(out, "a whole number from %lld to %lld, such as %s",
                 (long long)setting->min, (long long)setting->max,
                 setting->normal);
        return;
    }
    buf_add_text(out, "a time from ");
    duration_write(setting->min, out);
    buf_add_text(out, " to ");
    duration_write(setting->max, out);
    buf_addf(out, ", such as \"%s\"",
             setting->min == 0 ? "90m" : setting->normal);
}

static void
say_file(const struct setting *setting, struct buf *out)
{
    buf_add_text(out, "a file's path, such as ");
    if (setting->sample != NULL) {
        buf_add_text(out, setting->sample);
    } else {
        buf_addf(out, "\"%s\"", setting->normal);
    }
}

/* What would be right for any setting of a type. */
static const char *
form_of(enum setting_type type)
{
    switch ((int)type) {
    case SETTING_URL:
        return "an address that begins with https://, or on this machine "
               "http://localhost, such as \"https://matrix.example\"";
    case SETTING_ZONE:
        return "a time zone, such as \"Europe/Berlin\"";
    case SETTING_HOUR:
        return "an hour of the day, such as \"21:00\"";
    case SETTING_HOURS:
        return "hours from and to, such as \"23:00-07:00\"";
    case SETTING_DAYS:
        return "days of the week, six at most, such as \"Sat Sun\"";
    case SETTING_SERVICES:
        return "a list of groups, such as ( { name = \"matrix\"; "
               "token_file = \"matrix.token\"; } )";
    default:
        return "a list of groups, such as ( { name = \"board\"; "
               "service = \"board\"; } )";
    }
}

bool
setting_is_groups(const struct setting *setting)
{
    return setting->type == SETTING_SERVICES || setting->type == SETTING_PLACES;
}

void
setting_say_right(const struct setting *setting, struct buf *out)
{
    switch (setting->type) {
    case SETTING_DURATION:
    case SETTING_NUMBER:
        say_number(setting, out);
        break;
    case SETTING_CHOICE:
    case SETTING_BOOL:
        say_choices(setting, out);
        break;
    case SETTING_TEXT:
        buf_addf(out, "a text of %lld to %zu bytes in quotes",
                 (long long)setting->min, setting->size - 1);
        break;
    case SETTING_WORD:
        buf_addf(out, "%lld to %zu bytes in quotes without a space",
                 (long long)setting->min, setting->size - 1);
        break;
    case SETTING_FILE:
        say_file(setting, out);
        break;
    case SETTING_TIMES:
        buf_addf(out, "at most %d times with commas, such as \"6h, 1h\"",
                 REMINDERS_MAX);
        break;
    case SETTING_VOTES:
        buf_addf(out,
                 "words of up to %d bytes, such as \"Oui/Non\" or "
                 "\"Ja/Nee,Nein\", or \"language\"",
                 VOTE_WORD_MAX);
        break;
    case SETTING_LIST:
        buf_addf(out, "a list of at most %d texts, such as [ \"Mo\" ]",
                 SETTING_LIST_MAX);
        break;
    case SETTING_LANGUAGE:
        buf_add_text(out, "one of the languages ");
        language_names(out);
        break;
    case SETTING_THEME:
        buf_add_text(out, "one of the themes ");
        theme_names(out);
        break;
    case SETTING_URL:
    case SETTING_ZONE:
    case SETTING_HOUR:
    case SETTING_HOURS:
    case SETTING_DAYS:
    case SETTING_SERVICES:
    case SETTING_PLACES:
        buf_add_text(out, form_of(setting->type));
        break;
    }
}

void
setting_quote(const char *value, char deferred[COMPLAINT_MAX + 1])
{
    size_t len = strlen(value);
    bool cut = len > QUOTE_MAX;

    if (cut) {
        len = QUOTE_MAX;
        while (len > 0 && ((unsigned char)value[len] & 0xC0) == 0x80) {
            len--; /* not in the middle of a letter */
        }
    }
    for (size_t i = 0; i < len; i++) {
        deferred[i] = value[i];
        if (iscntrl((unsigned char)value[i])) {
            deferred[i] = ' ';
        }
    }
    memcpy(deferred + len, cut ? "…" : "", cut ? sizeof("…") : 1);
}

static void
quote(const char *value, struct buf *out)
{
    char deferred[COMPLAINT_MAX + 1];

    setting_quote(value, deferred);
    buf_addf(out, "\"%s\"", deferred);
}

static enum err
say_wrong(const struct setting *setting, const char *value, struct buf *why)
{
    buf_add_text(why, "can't be ");
    quote(value, why);
    buf_add_text(why, "; write ");
    setting_say_right(setting, why);
    return ERR_CONFIG;
}

/* ---- reading and writing a value ----------------------------------------- */

/* The index of a choice; -1: none. */
static int
choice_of(const struct setting *setting, const char *value)
{
    for (int i = 0; setting->choices[i] != NULL; i++) {
        if (strcasecmp(setting->choices[i], value) == 0) {
            return i;
        }
    }
    return -1;
}

static bool
read_number(const char *value, int64_t *number)
{
    int64_t sum = 0;

    if (*value == '\0') {
        return false;
    }
    for (; *value != '\0'; value++) {
        if (!isdigit((unsigned char)*value) || sum > INT32_MAX) {
            return false;
        }
        sum = sum * 10 + (*value - '0');
    }
    *number = sum;
    return true;
}

/* Is it of the allowed length, and free of what would break a line? */
static bool
fits_text(const struct setting *setting, const char *value)
{
    size_t len = strlen(value);

    if (len < (size_t)setting->min || len >= setting->size) {
        return false;
    }
    for (; *value != '\0'; value++) {
        unsigned char byte = (unsigned char)*value;
        if (iscntrl(byte) || (setting->type == SETTING_WORD && byte == ' ')) {
            return false;
        }
    }
    return true;
}

/* Does a URL go on, after this much of it, with the end of a host's name? */
static bool
host_ends(const char *rest)
{
    return strchr(":/", *rest) != NULL;
}

/* Is it encrypted, or on this machine?  (The HTTP client looks again, and more
 * closely.)  No account, query or fragment is part of it. */
static bool
fits_url(const char *value)
{
    static const char *const here[] = {"http://localhost", "http://[::1]"};
    bool fits = strncmp(value, "https://", 8) == 0 && isgraph(value[8]);
    size_t digits = strspn(value + strcspn(value, "0123456789"), "0123456789.");

    for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++) {
        size_t len = strlen(here[i]);
        fits = fits ||
               (strncmp(value, here[i], len) == 0 && host_ends(value + len));
    }
    fits = fits || (strncmp(value, "http://127.", 11) == 0 &&
                    host_ends(value + strlen("http://") + digits));
    return fits && strpbrk(value, " @?#\\\"") == NULL;
}

static bool
fits_zone(const char *value)
{
    struct buf unsaid = BUF_INIT;
    struct zone *zone;
    enum err err = zone_load(value, &zone, &unsaid);

    zone_free(zone);
    buf_release(&unsaid);
    return err == ERR_NONE;
}

/* Is it of the allowed length, with a letter in it, and without a blank? */
static bool
fits_vote(const char *word, size_t len)
{
    bool letter = false;

    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)word[i];
        if (byte <= ' ' || byte == 0x7F) {
            return false;
        }
        letter = letter || isalnum(byte) || byte >= 0x80;
    }
    return letter && len <= VOTE_WORD_MAX;
}

/* Read the words of one side, `len` bytes with commas between them; returns
 * how many, 0: they are wrong. */
static unsigned
read_side(const char *text, size_t len, char words[][VOTE_WORD_MAX + 1])
{
    const char *end = text + len;
    unsigned count = 0;

    while (text <= end) {
        const char *comma = memchr(text, ',', (size_t)(end - text));
        size_t word = (size_t)((comma == NULL ? end : comma) - text);
        if (count == VOTE_WORDS_MAX || !fits_vote(text, word)) {
            return 0;
        }
        memcpy(words[count], text, word);
        words[count++][word] = '\0';
        text += word + 1;
    }
    return count;
}

bool
vote_words_read(const char *value, struct vote_words *words)
{
    size_t ja = strcspn(value, "/");

    if (value[ja] == '\0' || strchr(value + ja + 1, '/') != NULL) {
        return false;
    }
    const char *nein = value + ja + 1;
    words->ja_count = read_side(value, ja, words->ja);
    words->nein_count = read_side(nein, strlen(nein), words->nein);
    return words->ja_count > 0 && words->nein_count > 0;
}

/* Does the value have the form that its type needs?  "" does not. */
static bool
fits_form(enum setting_type type, const char *value)
{
    struct vote_words words;
    int64_t times[REMINDERS_MAX];
    unsigned count;
    int from;
    int to;

    if (*value == '\0') {
        return true;
    }
    if (type == SETTING_VOTES) {
        return strcmp(value, VOTE_WORDS_LANGUAGE) == 0 ||
               vote_words_read(value, &words);
    }
    if (type == SETTING_HOUR) {
        return hour_read(value, &from);
    }
    if (type == SETTING_HOURS) {
        return hours_read(value, &from, &to);
    }
    if (type == SETTING_DAYS) {
        return weekdays_read(value, &count);
    }
    if (type == SETTING_TIMES) {
        return durations_read(value, times, REMINDERS_MAX, &count);
    }
    return true;
}

static bool
read_integer(const struct setting *setting, const char *value, void *member)
{
    int64_t number;
    bool read = setting->type == SETTING_DURATION
                    ? duration_read(value, &number)
                    : read_number(value, &number);

    if (!read || number < setting->min || number > setting->max) {
        return false;
    }
    memcpy(member, &number, sizeof(number));
    return true;
}

/* Fill the member to its end, so that equal settings are equal bytes. */
static void
keep_text(const struct setting *setting, const char *text, char *member)
{
    assert(strlen(text) < setting->size);
    memset(member, 0, setting->size);
    memcpy(member, text, strlen(text) + 1);
}

static bool
read_choice(const struct setting *setting, const char *value, void *member)
{
    int choice = choice_of(setting, value);

    if (setting->type == SETTING_BOOL) {
        *(bool *)member = choice == 1;
        return choice >= 0;
    }
    if (choice < 0 && strcmp(value, setting->normal) != 0) {
        return false;
    }
    keep_text(setting, choice < 0 ? "" : setting->choices[choice], member);
    return true;
}

static bool
read_text(const struct setting *setting, const char *value, char *member)
{
    /* The default is accepted even where this machine lacks the zone or the
     * language files. */
    bool normal = strcmp(value, setting->normal) == 0;

    if (!fits_text(setting, value) || !fits_form(setting->type, value)) {
        return false;
    }
    if (setting->type == SETTING_URL && !normal && !fits_url(value)) {
        return false;
    }
    if (setting->type == SETTING_ZONE && !normal && !fits_zone(value)) {
        return false;
    }
    if (setting->type == SETTING_LANGUAGE && !normal &&
        !language_exists(value)) {
        return false;
    }
    if (setting->type == SETTING_THEME && !normal && !theme_exists(value)) {
        return false;
    }
    keep_text(setting, value, member);
    return true;
}

enum err
setting_read(const struct setting *setting, const char *value, void *into,
             struct buf *why)
{
    void *member = (char *)into + setting->offset;
    bool read = false;

    switch (setting->type) {
    case SETTING_DURATION:
    case SETTING_NUMBER:
        read = read_integer(setting, value, member);
        break;
    case SETTING_CHOICE:
    case SETTING_BOOL:
        read = read_choice(setting, value, member);
        break;
    case SETTING_TEXT:
    case SETTING_WORD:
    case SETTING_FILE:
    case SETTING_URL:
    case SETTING_ZONE:
    case SETTING_HOUR:
    case SETTING_HOURS:
    case SETTING_DAYS:
    case SETTING_TIMES:
    case SETTING_LANGUAGE:
    case SETTING_THEME:
    case SETTING_VOTES:
        read = read_text(setting, value, member);
        break;
    case SETTING_LIST:
    case SETTING_SERVICES:
    case SETTING_PLACES:
        die("%s: is not read as one value", setting->key);
    }
    return read ? ERR_NONE : say_wrong(setting, value, why);
}

void
setting_write(const struct setting *setting, const void *from, struct buf *out)
{
    const char *member = (const char *)from + setting->offset;
    int64_t number;

    switch (setting->type) {
    case SETTING_DURATION:
        memcpy(&number, member, sizeof(number));
        duration_write(number, out);
        break;
    case SETTING_NUMBER:
        memcpy(&number, member, sizeof(number));
        buf_add_number(out, number);
        break;
    case SETTING_BOOL:
        buf_add_text(out, setting->choices[*(const bool *)member ? 1 : 0]);
        break;
    case SETTING_CHOICE:
    case SETTING_TEXT:
    case SETTING_WORD:
    case SETTING_FILE:
    case SETTING_URL:
    case SETTING_ZONE:
    case SETTING_HOUR:
    case SETTING_HOURS:
    case SETTING_DAYS:
    case SETTING_TIMES:
    case SETTING_LANGUAGE:
    case SETTING_THEME:
    case SETTING_VOTES:
        buf_add_text(out, member);
        break;
    case SETTING_LIST:
    case SETTING_SERVICES:
    case SETTING_PLACES:
        die("%s: is not written as one value", setting->key);
    }
}
