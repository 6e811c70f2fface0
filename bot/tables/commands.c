#include "bot/tables/commands.h"

#include <stdlib.h>

#include "bot/base/log.h"
#include "bot/host/words/slash.h"
#include "bot/tables/hosted.h"

const struct slash_commands *
commands_all(struct tables *tables)
{
    struct buf why = BUF_INIT;
    if (tables->commands == NULL) {
        tables->commands = must_alloc(sizeof *tables->commands);
        if (slash_commands_make(tables->catalogues, tables->commands, &why) !=
            ERR_NONE) {
            log_line(LOG_LEVEL_WARNING, "slash commands: %s", buf_text(&why));
            tables->commands->count = 0;
        }
    }
    buf_release(&why);
    return tables->commands->count > 0 ? tables->commands : NULL;
}

void
commands_suggest(struct tables *tables, const struct service *service,
                 const struct post *post, struct buttons *choices)
{
    struct hosted_table *hosted =
        hosted_of_thread(tables, service, post->place);
    if (hosted != NULL) {
        slash_suggest(&hosted->table, post->body, choices);
    }
}
