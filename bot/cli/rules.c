/* `placard rules`: the text of `!rules`, for options that are given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "bot/cli/command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/words/rulebook.h"
#include "bot/local/screen.h"

/* Set "option=value", or how many play: "players=7", "players=7-10". */
static enum err
set_option(struct table *table, char *option, struct buf *why)
{
    char *value = strchr(option, '=');
    if (value == NULL) {
        return err_say(why, ERR_CONFIG, "\"%s\" is not option=value", option);
    }
    *value++ = '\0';
    if (strcmp(option, "players") != 0) {
        return settings_set(&table->settings, option, value, why);
    }
    return chat_commands_players(value, &table->players_min,
                                 &table->players_max)
               ? ERR_NONE
               : err_say(why, ERR_CONFIG,
                         "players is a number from 5 to 10, or two with a dash "
                         "between, such as 7-10");
}

static enum err
print_rules(const struct table *table, const char *topic, struct buf *why)
{
    const struct settings *settings = &table->settings;
    struct catalogue catalogue;
    struct screen screen;
    struct rich text = {.count = 0};
    enum err err =
        catalogue_load(&catalogue, settings->language, settings->theme, why);
    if (err == ERR_NONE) {
        const struct adapter *board = adapter_find(CONF_BOARD);
        const struct host_env env = {.catalogue = &catalogue,
                                     .dialect = board->dialect,
                                     .capabilities = &board->capabilities,
                                     .zone = zone_utc()};
        rulebook_say(&env, table, topic, &text);
        screen_init(&screen, stdout);
        rich_add_text(&text, "\n", 0);
        screen_note(&screen, &text);
        catalogue_release(&catalogue);
    }
    rich_release(&text);
    return err;
}

int
command_rules(int argc, char **argv)
{
    const char *language = NULL;
    const char *topic = "";
    const struct option_row rows[] = {
        {.name = "--language", .value = &language},
        {.name = "--topic", .value = &topic},
        {.name = NULL},
    };
    struct buf why = BUF_INIT;
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    struct table table;
    table_init(&table);
    settings_defaults(&table.settings);
    enum err err = language == NULL ? ERR_NONE
                                    : settings_set(&table.settings, "language",
                                                   language, &why);
    for (int i = 1; err == ERR_NONE && i < argc; i++) {
        err = set_option(&table, argv[i], &why);
    }
    ERR_THEN(err, settings_check(&table.settings, &why));
    if (err == ERR_NONE) {
        settings_complete(&table.settings);
        err = print_rules(&table, topic, &why);
    }
    table_release(&table);
    return command_end(err, &why);
}
