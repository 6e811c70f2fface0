#include "bot/host/words/slash.h"

#include <stdio.h>
#include <string.h>

#include "bot/host/reading/names.h"

/* To add a command: its row, its words in every catalogue and, if it is no chat
 * command, what it does (bot/host/judge/slash.c). */
static const struct row {
    const char *name; /* the catalogue's key of its words; the first counts */
    const char *text;
    const char *option; /* NULL: none */
    const char *option_text;
    bool required, suggests, moderators, person;
    const char *yes, *no; /* what can be chosen; NULL: anything */
} rows[] = {
    {"command_new", "slash_new", "slash_name_options", "slash_option_options",
     .required = false},
    {"command_join", "slash_join", NULL, NULL, .required = false},
    {"command_leave", "slash_leave", NULL, NULL, .required = false},
    {"command_status", "slash_status", NULL, NULL, .required = false},
    {"command_help", "slash_help", NULL, NULL, .required = false},
    {"slash_name_hand", "slash_hand", NULL, NULL, .required = false},
    {"slash_name_vote", "slash_vote", "slash_name_vote", "slash_option_vote",
     .required = true, .yes = "slash_yes", .no = "slash_no"},
    {"slash_name_nominate", "slash_nominate", "slash_name_player",
     "slash_option_player", .required = true, .suggests = true},
    {"slash_name_power", "slash_power", "slash_name_player",
     "slash_option_player", .required = true, .suggests = true},
    {"slash_name_veto", "slash_veto", "slash_name_answer",
     "slash_option_answer", .yes = "button_approve", .no = "button_decline"},
    {"slash_name_why", NULL, NULL, NULL, .required = false},
    {"slash_name_votes", NULL, NULL, NULL, .person = true},
    {"command_claim", "slash_claim", "slash_name_cards", "slash_option_cards",
     .required = true},
    {"command_away", "slash_away", "slash_name_time", "slash_option_time",
     .required = true},
    {"command_start", "slash_start", NULL, NULL, .moderators = true},
    {"command_pause", "slash_pause", NULL, NULL, .moderators = true},
    {"command_resume", "slash_resume", NULL, NULL, .moderators = true},
    {"command_extend", "slash_extend", "slash_name_time", "slash_option_time",
     .required = true, .moderators = true},
    {"command_deadline", "slash_deadline", "slash_name_time",
     "slash_option_deadline", .required = true, .moderators = true},
    {"command_undo", "slash_undo", NULL, NULL, .moderators = true},
    {"command_end", "slash_end", NULL, NULL, .moderators = true},
};
enum {
    ROWS = sizeof rows / sizeof rows[0]
};
_Static_assert((int)ROWS <= (int)SLASH_COMMANDS_MAX, "more commands than fit");

/* English first: its names are those that come back. */
static const char *const languages[] = {"en", "de", "fr", "nb", "nl"};
enum {
    LANGUAGES = sizeof languages / sizeof languages[0]
};
_Static_assert((int)LANGUAGES <= (int)SLASH_LANGUAGES_MAX,
               "more languages than fit");

/* Set the words of one thing in one language. */
static void
set_words(const struct catalogue *catalogue, const char *language,
          const char *name, const char *text, struct slash_words *words)
{
    struct buf list = BUF_INIT;
    struct buf said = BUF_INIT;
    catalogue_text(catalogue, name, NULL, &list);
    if (text != NULL) {
        catalogue_text(catalogue, text, NULL, &said);
    }
    (void)snprintf(words->language, sizeof words->language, "%s", language);
    (void)snprintf(words->name, sizeof words->name, "%.*s",
                   (int)strcspn(buf_text(&list), text == NULL ? "" : " "),
                   buf_text(&list));
    (void)snprintf(words->text, sizeof words->text, "%s", buf_text(&said));
    buf_release(&list);
    buf_release(&said);
}

static void
set_label(const struct catalogue *catalogue, const char *key, char *label,
          size_t size)
{
    struct buf text = BUF_INIT;
    catalogue_text(catalogue, key, NULL, &text);
    (void)snprintf(label, size, "%s", buf_text(&text));
    buf_release(&text);
}

static void
set_choices(const struct row *row, const struct catalogue *catalogue,
            unsigned language, struct slash_command *command)
{
    struct slash_choice *ja = &command->choices[0];
    struct slash_choice *nein = &command->choices[1];
    command->choice_count = 2;
    ja->value = "ja";
    nein->value = "nein";
    set_label(catalogue, row->yes, ja->labels[language],
              sizeof ja->labels[language]);
    set_label(catalogue, row->no, nein->labels[language],
              sizeof nein->labels[language]);
}

static void
set_command(const struct row *row, const struct catalogue *catalogue,
            unsigned language, struct slash_command *command)
{
    command->required = row->required;
    command->suggests = row->suggests;
    command->moderators = row->moderators;
    command->person = row->person;
    command->post = row->text == NULL && !row->person;
    set_words(catalogue, languages[language], row->name, row->text,
              &command->words[language]);
    if (row->option != NULL) {
        set_words(catalogue, languages[language], row->option, row->option_text,
                  &command->option[language]);
    }
    if (row->yes != NULL) {
        set_choices(row, catalogue, language, command);
    }
}

enum err
slash_commands_make(struct catalogues *catalogues,
                    struct slash_commands *commands, struct buf *why)
{
    memset(commands, 0, sizeof *commands);
    commands->count = ROWS;
    commands->languages = LANGUAGES;
    for (unsigned i = 0; i < LANGUAGES; i++) {
        const struct catalogue *catalogue = NULL;
        enum err err = catalogues_open(catalogues, languages[i], THEME_ORIGINAL,
                                       &catalogue, why);
        if (err != ERR_NONE) {
            return err;
        }
        for (unsigned row = 0; row < ROWS; row++) {
            set_command(&rows[row], catalogue, i, &commands->list[row]);
        }
    }
    return ERR_NONE;
}

/* ---- what can be chosen -------------------------------------------------- */

/* Does a name begin with what was typed? */
static bool
begins_with(const char *name, const char *typed)
{
    struct buf whole = BUF_INIT;
    struct buf part = BUF_INIT;
    name_loose_key(name, strlen(name), &whole);
    name_loose_key(typed, strlen(typed), &part);
    bool begins = strncmp(buf_text(&whole), buf_text(&part), part.len) == 0;
    buf_release(&whole);
    buf_release(&part);
    return begins;
}

void
slash_suggest(const struct table *table, const char *body,
              struct buttons *choices)
{
    const char *word =
        table->game.question == QUESTION_NOMINATE ? "/nominate " : "/power ";
    const char *typed = body + strlen(word);
    memset(choices, 0, sizeof *choices);
    if (table->state != TABLE_RUNNING ||
        strncmp(body, word, strlen(word)) != 0) {
        return;
    }
    seat_set eligible = game_awaits(&table->game).choices;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const char *name = table->seats[seat].name;
        if (seat_in(seat, eligible) && begins_with(name, typed)) {
            struct button *button = &choices->list[choices->count++];
            (void)snprintf(button->label, sizeof button->label, "%s", name);
        }
    }
}
