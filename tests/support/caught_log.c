#include "tests/support/caught_log.h"

#include <stdio.h>
#include <unistd.h>

#include "bot/base/log.h"
#include "bot/base/memory.h"

static FILE *file;
static int before;

void
caught_log_begin(void)
{
    caught_log_end();
    file = tmpfile();
    if (file == NULL) {
        die("no file can be made for the log");
    }
    (void)fflush(stderr);
    before = dup(STDERR_FILENO);
    (void)dup2(fileno(file), STDERR_FILENO);
    log_set_level(LOG_LEVEL_INFO);
}

void
caught_log_take(int64_t now, struct buf *out)
{
    char chunk[4096];
    size_t got = 0;
    (void)fflush(stderr);
    rewind(file);
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        if (now != 0) {
            buf_addf(out, "at %lld:\n", (long long)now);
        }
        now = 0;
        buf_add(out, chunk, got);
    }
    (void)!ftruncate(fileno(file), 0);
    rewind(file);
}

void
caught_log_end(void)
{
    if (file != NULL) {
        (void)fflush(stderr);
        (void)dup2(before, STDERR_FILENO);
        (void)close(before);
        (void)fclose(file);
        file = NULL;
    }
}
