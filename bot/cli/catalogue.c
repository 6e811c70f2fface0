/* `placard catalogue`: a language's file, checked or shown, for whoever
 * translates it. */
#include <stdio.h>
#include <string.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/host/words/translation.h"
#include "bot/local/screen.h"

/* ---- samples ------------------------------------------------------------- */

/* Samples of what is told by number, and of people who can be several. */
static const char numbers[] =
    "against agreed closed_round count deck discards earlier fallen fascist "
    "fascist_count games ja least liberal majority misses most moves needed "
    "nein number of_round present ready_count round rounds seats sessions "
    "shortest table to_round tracker tracker_next tracker_now voted "
    "voted_count weeks_least weeks_most";
static const char people[] =
    "awaited called came candidates choices eligible empty everybody fascists gained "
    "ja_people late liberals limited lost mates missing moderators movers "
    "nein_people order players reserves unheard unready voters";

enum {
    SAMPLE_BYTES = 48
};

/* Add the parameter of that name, `number` of it; what has no sample shows its
 * name, as `shown`. */
static void
add_sample(const char *name, const char *shown, const struct buf *time,
           unsigned number, struct params *params)
{
    const struct {
        const char *names, *text;
    } samples[] = {
        {people, "Anna"},
        {"player president leaver asker name", "Bob"},
        {"chancellor target newcomer candidate next", "Carl"},
        {"chooser first former hitler moderator opener other out", "Dora"},
        {"deadline due end from open_until pause_ends session_deadline since "
         "starts time to until",
         buf_text(time)},
        {"prefix", "!"},
        {"yes", "Ja"},
        {"no", "Nein"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        shown =
            catalogue_lists(samples[i].names, name) ? samples[i].text : shown;
    }
    if (catalogue_lists(numbers, name)) {
        params_number(params, name, number);
        return;
    }
    params_person(params, name, "", shown);
    if (number > 1 && catalogue_lists(people, name)) {
        params_person(params, name, "", "Emil");
    }
}

/* Append a line: a label, and a sentence without the parameters in `missing`.
 */
static void
add_line(struct rich *note, const char *label, const char *missing,
         const struct catalogue *catalogue, const char *key, unsigned number)
{
    const int64_t noon = 1795262400000; /* on 21 November 2026, UTC */
    const char *text = language_find(&catalogue->language, key);
    char names[PARAMS_MAX][2][SAMPLE_BYTES];
    struct params params = {.count = 0};
    struct buf seen = BUF_INIT;
    struct buf time = BUF_INIT;
    struct placeholder holder;
    catalogue_time(catalogue, noon, zone_utc(), &time);
    buf_add_text(&seen, missing);
    while (params.count < PARAMS_MAX &&
           (text = catalogue_placeholder(text, &holder)) != NULL) {
        char *name = names[params.count][0];
        char *shown = names[params.count][1];
        (void)snprintf(name, SAMPLE_BYTES, "%.*s", (int)holder.name_len,
                       holder.name);
        (void)snprintf(shown, SAMPLE_BYTES, "‹%.*s›", (int)holder.name_len,
                       holder.name);
        if (!catalogue_lists(buf_text(&seen), name)) {
            buf_addf(&seen, " %s", name);
            add_sample(name, shown, &time, number, &params);
        }
    }
    rich_add_text(note, label, MARK_BOLD);
    rich_add_text(note, missing, MARK_BOLD);
    rich_add_text(note, ": ", 0);
    catalogue_say(catalogue, key, &params, note);
    buf_release(&seen);
    buf_release(&time);
}

/* ---- a preview ----------------------------------------------------------- */

struct preview {
    struct catalogue english, own;
    struct screen screen;
};

/* Show a text: in English; with two of everything, or one; and without what
 * groups ask for, each and all. */
static void
show(struct preview *preview, const struct language_entry *entry)
{
    const char *key = entry->key;
    const char *english = language_find(&preview->english.language, key);
    const char *at = entry->text;
    struct placeholder holder;
    struct rich note = {.count = 0};
    struct buf groups = BUF_INIT;
    bool plural = false;
    rich_add_text(&note, key, MARK_BOLD);
    if (english != NULL && strcmp(english, entry->text) != 0) {
        add_line(&note, "\nEnglish", "", &preview->english, key, 2);
    }
    add_line(&note, "\nhere", "", &preview->own, key, 2);
    while ((at = catalogue_placeholder(at, &holder)) != NULL) {
        bool group = holder.sort == '?' || holder.sort == '!';
        char name[SAMPLE_BYTES];
        (void)snprintf(name, SAMPLE_BYTES, " %.*s", (int)holder.name_len,
                       holder.name);
        plural = plural || (holder.sort != '\0' && !group);
        if (group && !catalogue_lists(buf_text(&groups), name + 1)) {
            buf_add_text(&groups, name);
            add_line(&note, "\nwithout", name, &preview->own, key, 2);
        }
    }
    if (groups.len > 0 && strrchr(groups.data, ' ') != groups.data) {
        add_line(&note, "\nwithout", buf_text(&groups), &preview->own, key, 2);
    }
    if (plural) {
        add_line(&note, "\none", "", &preview->own, key, 1);
    }
    screen_note(&preview->screen, &note);
    rich_release(&note);
    buf_release(&groups);
}

/* Show a file's comments and texts, in its order. */
static void
show_lines(struct preview *preview, const char *text)
{
    const struct language *own = &preview->own.language;
    for (int line = 1; *text != '\0'; line++) {
        size_t len = strcspn(text, "\n");
        if (strncmp(text, "//", 2) == 0) {
            (void)printf("%s%.*s\n", strncmp(text, "// -", 4) == 0 ? "\n" : "",
                         (int)len, text);
        }
        for (size_t i = 0; i < own->count; i++) {
            if (own->entries[i].line == line) {
                show(preview, &own->entries[i]);
            }
        }
        text += len + (text[len] == '\n');
    }
}

static enum err
show_file(const char *language, struct buf *why)
{
    struct preview preview = {.screen.apart = false};
    struct buf path = BUF_INIT;
    struct buf text = BUF_INIT;
    language_path(language, &path);
    enum err err = catalogue_load(&preview.english, "en", THEME_ORIGINAL, why);
    err = err != ERR_NONE
              ? err
              : catalogue_load(&preview.own, language, THEME_ORIGINAL, why);
    err = err != ERR_NONE ? err : file_read(buf_text(&path), &text, why);
    screen_init(&preview.screen, stdout);
    show_lines(&preview, buf_text(&text));
    catalogue_release(&preview.own);
    catalogue_release(&preview.english);
    buf_release(&path);
    buf_release(&text);
    return err;
}

int
command_catalogue(int argc, char **argv)
{
    const char *check = NULL;
    const char *preview = NULL;
    const struct option_row rows[] = {{.name = "--check", .value = &check},
                                      {.name = "--preview", .value = &preview},
                                      {.name = NULL}};
    struct buf why = BUF_INIT;
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if ((check == NULL) == (preview == NULL)) {
        (void)fprintf(stderr, "placard catalogue: give it --check FILE or "
                              "--preview FILE\n");
        return EXIT_USAGE;
    }
    enum err err = check != NULL ? translation_check(check, &why)
                                 : show_file(preview, &why);
    if (err != ERR_NONE) {
        (void)fprintf(stderr, "%s\n", buf_text(&why));
    } else if (check != NULL) {
        (void)printf("%s: no mistakes\n", check);
    }
    buf_release(&why);
    return err == ERR_NONE || err == ERR_CONFIG ? err == ERR_CONFIG
                                                : EXIT_USAGE;
}
