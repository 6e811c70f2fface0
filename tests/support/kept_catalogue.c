/*
 * The English catalogue, read once before the tests of a program fork, not once
 * by each host of each test: that took up to a third of their time.  The linker
 * puts this in the place of catalogues_open (--wrap in the Makefile).  Where
 * all samples are taken, as by CI, or tests share a process, every host reads
 * its own.
 */
#include <stdlib.h>
#include <string.h>

#include "bot/host/words/catalogue.h"
#include "tests/support/effort.h"

/* NOLINTBEGIN: the linker's names. */
enum err __real_catalogues_open(struct catalogues *catalogues,
                                const char *language, const char *theme,
                                const struct catalogue **catalogue,
                                struct buf *why);
enum err __wrap_catalogues_open(struct catalogues *catalogues,
                                const char *language, const char *theme,
                                const struct catalogue **catalogue,
                                struct buf *why);

static struct catalogues kept;

/* Is that the one which is kept, in the folder it was read from?  Tests may
 * change it, so each needs its own process. */
static bool
is_kept(const char *language, const char *theme)
{
    const char *data = getenv("PLACARD_DATA");
    const char *mode = getenv("CK_FORK");
    bool forks = mode == NULL || strcmp(mode, "no") != 0;

    return forks && effort_percent() < EFFORT_USUAL && data != NULL &&
           strcmp(data, "config") == 0 && strcmp(language, "en") == 0 &&
           strcmp(theme, THEME_ORIGINAL) == 0;
}

enum err
__wrap_catalogues_open(struct catalogues *catalogues, const char *language,
                       const char *theme, const struct catalogue **catalogue,
                       struct buf *why)
{
    return __real_catalogues_open(is_kept(language, theme) ? &kept : catalogues,
                                  language, theme, catalogue, why);
}

/* Before main.  A file that is wrong is told by the first test that needs it.
 */
__attribute__((constructor)) static void
keep(void)
{
    const struct catalogue *unused;
    struct buf why = BUF_INIT;

    if (is_kept("en", THEME_ORIGINAL)) {
        (void)__real_catalogues_open(&kept, "en", THEME_ORIGINAL, &unused,
                                     &why);
    }
    buf_release(&why);
}
/* NOLINTEND */
