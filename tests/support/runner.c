#include "tests/support/runner.h"

#include <stdlib.h>

#include "tests/support/effort.h"

/* Check would write a line to a file at every assertion that holds, to say
 * which was the last before a crash.  In tests with many that takes a third of
 * the time.  The linker puts this in its place (--wrap in the Makefile), by a
 * name of its own.  NOLINTBEGIN */
void __wrap__mark_point(const char *file, int line);

void
__wrap__mark_point(const char *file, int line)
{
    (void)file;
    (void)line;
}
/* NOLINTEND */

/* CK_VERBOSITY says how much is printed (unset: normal), CK_FORK=no keeps the
 * tests in this process; both are Check's own. */
int
main(void)
{
    /* Check's limit is wall time.  It ends a test that hangs, so it is far
     * beyond what any takes on a busy machine; long runs have none. */
    const char *limit = effort_percent() > EFFORT_LONG ? "0" : "1200";
    if (setenv("CK_DEFAULT_TIMEOUT", limit, 0) != 0) {
        return EXIT_FAILURE;
    }
    SRunner *runner = srunner_create(test_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
