#include "config/language.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
beside_program(struct buf *folder)
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
        buf_add(folder, languages.data, languages.len);
    }
    buf_release(&languages);
    return there;
}

static void
folder_path(struct buf *path)
{
    const char *data = getenv("PLACARD_DATA");

    if (data != NULL && data[0] != '\0') {
        buf_addf(path, "%s/languages", data);
    } else if (!beside_program(path)) {
        buf_add_text(path, PLACARD_DATADIR "/languages");
    }
}

void
language_path(const char *name, struct buf *path)
{
    folder_path(path);
    buf_addf(path, "/%s.cfg", name);
}

bool
language_exists(const char *name)
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
    language_path(name, &path);
    bool there = file_exists(buf_text(&path));
    buf_release(&path);
    return there;
}

static int
compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

void
language_names(struct buf *out)
{
    char names[NAMES_MAX][NAME_MAX_BYTES + 1];
    size_t count = 0;
    struct buf path = BUF_INIT;

    folder_path(&path);
    DIR *folder = opendir(buf_text(&path));
    buf_release(&path);
    if (folder == NULL) {
        buf_add_text(out, "\"en\"");
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

/* ---- one file ------------------------------------------------------------ */

static int
compare_entries(const void *a, const void *b)
{
    const struct language_entry *left = a;
    const struct language_entry *right = b;

    return strcmp(left->key, right->key);
}

/* Take over the parsed settings; the mistakes are collected. */
static enum err
read_entries(struct language *language, const config_setting_t *root,
             const char *file, struct buf *why)
{
    enum err err = ERR_NONE;
    int count = config_setting_length(root);

    language->entries = must_alloc((size_t)count * sizeof(*language->entries));
    for (int i = 0; i < count; i++) {
        const config_setting_t *setting =
            config_setting_get_elem(root, (unsigned)i);
        const char *key = config_setting_name(setting);
        const char *text = config_setting_get_string(setting);
        int line = (int)config_setting_source_line(setting);
        if (text == NULL) {
            err = err_say(why, ERR_CONFIG,
                          "%s%s:%d: %s: must be a text in quotes",
                          err == ERR_NONE ? "" : "\n", file, line, key);
            continue;
        }
        language->entries[language->count++] = (struct language_entry){
            .key = must_copy(key), .text = must_copy(text), .line = line};
    }
    qsort(language->entries, language->count, sizeof(*language->entries),
          compare_entries);
    return err;
}

enum err
language_load(struct language *language, const char *file, struct buf *why)
{
    struct buf text;
    config_t parsed;

    *language = (struct language){0};
    buf_init(&text, FILE_MAX);
    enum err err = file_read(file, &text, why);
    if (err != ERR_NONE) {
        buf_release(&text);
        return err;
    }
    config_init(&parsed);
    if (config_read_string(&parsed, buf_text(&text)) == CONFIG_TRUE) {
        err = read_entries(language, config_root_setting(&parsed), file, why);
    } else {
        err = err_say(why, ERR_CONFIG, "%s:%d: %s", file,
                      config_error_line(&parsed), config_error_text(&parsed));
    }
    config_destroy(&parsed);
    buf_release(&text);
    if (err != ERR_NONE) {
        language_release(language);
    }
    return err;
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

static int
compare_key(const void *key, const void *entry)
{
    return strcmp(key, ((const struct language_entry *)entry)->key);
}

const char *
language_find(const struct language *language, const char *key)
{
    if (language->count == 0) {
        return NULL;
    }
    const struct language_entry *found =
        bsearch(key, language->entries, language->count,
                sizeof(*language->entries), compare_key);
    return found == NULL ? NULL : found->text;
}
