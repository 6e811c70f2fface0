/*
 * The main of every test program.  A test file provides test_suite() and
 * nothing else; it is linked with runner.c.
 */
#ifndef TESTS_RUNNER_H
#define TESTS_RUNNER_H

#include <check.h>

/* The one suite of this test program, taken by the runner. */
Suite *test_suite(void);

#endif
