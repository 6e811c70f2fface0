#include "tests/support/enquire.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/memory.h"
#include "bot/cli/command.h"

/* Run a command while standard output leads to a file. */
static void
run(int (*command)(int count, char **words), const char *conf, bool json,
    FILE *file)
{
    char name[] = "placard";
    char option[] = "-c";
    char as_json[] = "--json";
    char path[512];
    char *words[] = {name, option, path, json ? as_json : NULL, NULL};
    (void)snprintf(path, sizeof path, "%s", conf);
    (void)fflush(stdout);
    int before = dup(STDOUT_FILENO);
    if (before < 0 || dup2(fileno(file), STDOUT_FILENO) < 0) {
        die("standard output can't be led elsewhere");
    }
    (void)command(json ? 4 : 3, words);
    (void)fflush(stdout);
    (void)dup2(before, STDOUT_FILENO);
    (void)close(before);
}

void
enquire_host(const char *conf, struct buf *out)
{
    char line[1024];
    FILE *file = tmpfile();
    if (file == NULL) {
        die("no file can be made for what is printed");
    }
    run(command_games, conf, false, file);
    run(command_games, conf, true, file);
    run(command_status, conf, false, file);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *ago = strstr(line, ": last read ");
        if (ago != NULL) {
            (void)strcpy(ago, "\n");
        }
        buf_add_text(out, line);
    }
    (void)fclose(file);
}
