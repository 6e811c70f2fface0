#include "tests/support/runner.h"

#include <stdlib.h>

/* CK_VERBOSITY says how much is printed (unset: normal), CK_FORK=no keeps the
 * tests in this process; both are Check's own. */
int
main(void)
{
    /* Check's limits are wall time.  They are here to end a test that hangs, so
     * they are far beyond what a test takes on a busy machine. */
    if (setenv("CK_DEFAULT_TIMEOUT", "60", 0) != 0 ||
        setenv("CK_TIMEOUT_MULTIPLIER", "10", 0) != 0) {
        return EXIT_FAILURE;
    }
    SRunner *runner = srunner_create(test_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
