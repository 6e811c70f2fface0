#include "config/language.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

#include <libconfig.h>

#include "bot/base/files.h"

#ifndef PLACARD_DATADIR
#    define PLACARD_DATADIR "config"
#endif

enum {
    FILE_MAX = 1024 * 1024,
    NAME_MAX_BYTES = 15,
    NAMES_MAX = 64
};

/* ---- where they lie ------------------------------------------------------ */

/* `config` beside the folder in which the running program lies. */
static bool
beside_program(const char *kind, struct buf *folder)
{
    char program[4096];
    struct buf languages = BUF_INIT;
    ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);

    if (len <= 0) {
        return false;
    }
    program[len] = '\0';
    *strrchr(program, '/') = '\0';
    buf_addf(&languages, "%s/../config/languages", program);
    bool there = file_exists(buf_text(&languages));
    if (there) {
        buf_addf(folder, "%s/../config/%s", program, kind);
    }
    buf_release(&languages);
    return there;
}

/* The folder of a kind of file: "languages" or "themes". */
static void
folder_path(const char *kind, struct buf *path)
{
    const char *data = getenv("PLACARD_DATA");

    if (data != NULL && data[0] != '\0') {
        buf_addf(path, "%s/%s", data, kind);
    } else if (!beside_program(kind, path)) {
        buf_addf(path, PLACARD_DATADIR "/%s", kind);
    }
}

static void
file_path(const char *kind, const char *name, struct buf *path)
{
    folder_path(kind, path);
    buf_addf(path, "/%s.cfg", name);
}

void
sample_path(struct buf *path)
{
    folder_path("placard.cfg", path);
}

void
language_path(const char *name, struct buf *path)
{
    if (strpbrk(name, "./") != NULL) {
        buf_add_text(path, name);
    } else {
        file_path("languages", name, path);
    }
}

void
theme_path(const char *name, struct buf *path)
{
    file_path("themes", name, path);
}

static bool
exists(const char *kind, const char *name)
{
    struct buf path = BUF_INIT;
    size_t len = strlen(name);

    if (len < 2 || len > NAME_MAX_BYTES) {
        return false;
    }
    for (const char *next = name; *next != '\0'; next++) {
        if (!isalnum((unsigned char)*next) && *next != '-') {
            return false;
        }
    }
    file_path(kind, name, &path);
    bool there = file_exists(buf_text(&path));
    buf_release(&path);
    return there;
}

bool
language_exists(const char *name)
{
    return exists("languages", name);
}

bool
theme_exists(const char *name)
{
    return exists("themes", name);
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Append the names of a kind's files, by alphabet; `normal` where there is no
 * folder. */
static void
add_names(const char *kind, const char *normal, struct buf *out)
{
    char names[NAMES_MAX][NAME_MAX_BYTES + 1];
    size_t count = 0;
    struct buf path = BUF_INIT;

    folder_path(kind, &path);
    DIR *folder = opendir(buf_text(&path));
    buf_release(&path);
    if (folder == NULL) {
        buf_addf(out, "\"%s\"", normal);
        return;
    }
    const struct dirent *entry = readdir(folder);
    for (; entry != NULL && count < NAMES_MAX; entry = readdir(folder)) {
        const char *dot = strchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".cfg") != 0 ||
            dot - entry->d_name > NAME_MAX_BYTES || dot == entry->d_name) {
            continue;
        }
        size_t len = (size_t)(dot - entry->d_name);
        memcpy(names[count], entry->d_name, len);
        names[count++][len] = '\0';
    }
    (void)closedir(folder);
    qsort(names, count, sizeof(names[0]), compare_names);
    for (size_t i = 0; i < count; i++) {
        buf_addf(out, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
    }
}

void
language_names(struct buf *out)
{
    add_names("languages", "en", out);
}

void
theme_names(struct buf *out)
{
    buf_add_text(out, "\"" THEME_ORIGINAL "\"");
    struct buf others = BUF_INIT;
    add_names("themes", THEME_ORIGINAL, &others);
    if (others.len > 0) {
        buf_addf(out, ", %s", buf_text(&others));
    }
    buf_release(&others);
}

/* ---- one file ------------------------------------------------------------ */

static int
compare_entries(const void *a, const void *b)
{
    const struct language_entry *left = a;
    const struct language_entry *right = b;

    return strcmp(left->key, right->key);
}

static int
compare_key(const void *key, const void *entry)
{
    return strcmp(key, ((const struct language_entry *)entry)->key);
}

struct language_entry *
language_entry(const struct language *language, const char *key)
{
    if (language->count == 0) {
        return NULL;
    }
    return bsearch(key, language->entries, language->count,
                   sizeof(*language->entries), compare_key);
}

enum err
language_fail(struct buf *why, const char *file, int line, const char *key,
              const char *wrong)
{
    return err_say(why, ERR_CONFIG, "%s%s:%d: %s: %s", why->len > 0 ? "\n" : "",
                   file, line, key, wrong);
}

static bool
is_words(const config_setting_t *setting)
{
    return strcmp(config_setting_name(setting), "words") == 0 &&
           config_setting_is_group(setting);
}

/* Take over the texts of a group and collect its mistakes. */
static enum err
read_texts(struct language *language, const config_setting_t *group,
           const char *file, bool words, struct buf *why)
{
    enum err err = ERR_NONE;

    for (int i = 0; i < config_setting_length(group); i++) {
        const config_setting_t *setting =
            config_setting_get_elem(group, (unsigned)i);
        const char *text = config_setting_get_string(setting);
        int line = (int)config_setting_source_line(setting);
        if (!words && is_words(setting)) {
            enum err wrong = read_texts(language, setting, file, true, why);
            err = wrong != ERR_NONE ? wrong : err;
        } else if (text == NULL) {
            err = language_fail(why, file, line, config_setting_name(setting),
                                "must be a text in quotes");
        } else {
            language->entries[language->count++] = (struct language_entry){
                .key = must_copy(config_setting_name(setting)),
                .text = must_copy(text),
                .line = line,
                .word = words};
        }
    }
    return err;
}

static enum err
read_entries(struct language *language, const config_setting_t *root,
             const char *file, struct buf *why)
{
    const config_setting_t *words = config_setting_get_member(root, "words");
    int count = config_setting_length(root) +
                (words == NULL ? 0 : config_setting_length(words));

    language->entries = must_alloc((size_t)count * sizeof(*language->entries));
    enum err err = read_texts(language, root, file, false, why);
    qsort(language->entries, language->count, sizeof(*language->entries),
          compare_entries);
    for (size_t i = 1; i < language->count; i++) {
        const struct language_entry *entry = &language->entries[i];
        if (strcmp(entry->key, entry[-1].key) == 0) {
            err = language_fail(why, file, entry->line, entry->key,
                                "is a word and a text");
        }
    }
    return err;
}

/* ---- themes -------------------------------------------------------------- */

/* Lay a theme's words over those of the language. */
static enum err
lay_over(struct language *language, const config_setting_t *section,
         const char *file, struct buf *why)
{
    struct language theme = {.count = 0};
    size_t room = (size_t)config_setting_length(section) + 1;

    theme.entries = must_alloc(room * sizeof(*theme.entries));
    enum err err = read_texts(&theme, section, file, true, why);
    for (size_t i = 0; i < theme.count; i++) {
        struct language_entry *own = &theme.entries[i];
        struct language_entry *entry = language_entry(language, own->key);
        if (entry == NULL || !entry->word) {
            err = language_fail(why, file, own->line, own->key,
                                "the language has no such word");
            continue;
        }
        char *text = entry->text;
        entry->text = own->text;
        own->text = text;
    }
    language_release(&theme);
    return err;
}

/* ---- words in texts ------------------------------------------------------ */

/* The length of `<word>` at the beginning of a text; 0: there is none. */
static size_t
word_len(const char *text)
{
    size_t len = 1;

    if (text[0] != '<' || !isalpha((unsigned char)text[1])) {
        return 0;
    }
    len += strspn(text + 2, "abcdefghijklmnopqrstuvwxyz_") + 1;
    return text[len] == '>' ? len + 1 : 0;
}

/* Append a text, its first letter as a capital if it is so in `<Word>`. */
static void
add_cased(const char *text, bool capital, struct buf *out)
{
    utf8proc_int32_t letter = 0;
    utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text, -1, &letter);

    if (!capital || used <= 0) {
        buf_add_text(out, text);
        return;
    }
    buf_add_codepoint(out, (uint32_t)utf8proc_toupper(letter));
    buf_add_text(out, text + used);
}

/* Put the words into one text. */
static enum err
fill_text(const struct language *language, struct language_entry *entry,
          const char *file, struct buf *why)
{
    struct buf filled = BUF_INIT;
    enum err err = ERR_NONE;

    for (const char *at = entry->text; *at != '\0';) {
        size_t len = word_len(at);
        if (len == 0) {
            buf_add_char(&filled, *at++);
            continue;
        }
        char *word = must_copy(at + 1);
        bool capital = isupper((unsigned char)word[0]) != 0;
        word[len - 2] = '\0';
        word[0] = (char)tolower((unsigned char)word[0]);
        struct language_entry *found = language_entry(language, word);
        if (found == NULL || !found->word) {
            err = language_fail(why, file, entry->line, entry->key, "");
            buf_addf(why, "there is no word <%s>", word);
        } else {
            found->used = true;
            add_cased(found->text, capital, &filled);
        }
        free(word);
        at += len;
    }
    free(entry->text);
    entry->text = buf_take(&filled);
    return err;
}

enum err
language_fill(struct language *language, const char *file, struct buf *why)
{
    enum err err = ERR_NONE;

    for (size_t i = 0; i < language->count; i++) {
        struct language_entry *entry = &language->entries[i];
        enum err wrong =
            entry->word ? ERR_NONE : fill_text(language, entry, file, why);
        err = wrong != ERR_NONE ? wrong : err;
    }
    return err;
}

/* ---- loading ------------------------------------------------------------- */

/* Parse a file; `parsed` is to be destroyed where there is no error. */
static enum err
parse(const char *file, config_t *parsed, struct buf *why)
{
    struct buf text;

    buf_init(&text, FILE_MAX);
    enum err err = file_read(file, &text, why);
    if (err != ERR_NONE) {
        buf_release(&text);
        return err;
    }
    config_init(parsed);
    if (config_read_string(parsed, buf_text(&text)) != CONFIG_TRUE) {
        err = err_say(why, ERR_CONFIG, "%s:%d: %s", file,
                      config_error_line(parsed), config_error_text(parsed));
        config_destroy(parsed);
    }
    buf_release(&text);
    return err;
}

enum err
language_load(struct language *language, const char *file, struct buf *why)
{
    config_t parsed;

    *language = (struct language){0};
    enum err err = parse(file, &parsed, why);
    if (err != ERR_NONE) {
        return err;
    }
    err = read_entries(language, config_root_setting(&parsed), file, why);
    config_destroy(&parsed);
    if (err != ERR_NONE) {
        language_release(language);
    }
    return err;
}

/* The words that a theme has in a language; NULL: none. */
static const config_setting_t *
section_of(const config_t *theme, const char *name)
{
    const config_setting_t *section =
        config_setting_get_member(config_root_setting(theme), name);

    return section != NULL && config_setting_is_group(section) ? section : NULL;
}

static enum err
say_no_section(const char *file, const char *name, struct buf *why)
{
    return err_say(why, ERR_CONFIG, "%s: has no words in the language \"%s\"",
                   file, name);
}

enum err
language_dress(struct language *language, const char *file, const char *name,
               struct buf *why)
{
    config_t parsed;
    enum err err = parse(file, &parsed, why);

    if (err != ERR_NONE) {
        return err;
    }
    const config_setting_t *section = section_of(&parsed, name);
    err = section == NULL ? say_no_section(file, name, why)
                          : lay_over(language, section, file, why);
    config_destroy(&parsed);
    return err;
}

bool
theme_speaks(const char *theme, const char *language)
{
    struct buf path = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    config_t parsed;
    bool speaks = false;

    if (strcmp(theme, THEME_ORIGINAL) == 0) {
        return true;
    }
    theme_path(theme, &path);
    if (parse(buf_text(&path), &parsed, &unsaid) == ERR_NONE) {
        speaks = section_of(&parsed, language) != NULL;
        config_destroy(&parsed);
    }
    buf_release(&path);
    buf_release(&unsaid);
    return speaks;
}

void
language_release(struct language *language)
{
    for (size_t i = 0; i < language->count; i++) {
        free(language->entries[i].key);
        free(language->entries[i].text);
    }
    free(language->entries);
    *language = (struct language){0};
}

const char *
language_find(const struct language *language, const char *key)
{
    const struct language_entry *found = language_entry(language, key);

    return found == NULL ? NULL : found->text;
}
