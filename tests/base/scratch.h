/*
 * A folder for one test's files: made by its set-up, emptied and removed after
 * it.  Static functions, since a test program is one source file.
 */
#ifndef TESTS_BASE_SCRATCH_H
#define TESTS_BASE_SCRATCH_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

static char scratch[64];

/* In memory where there is such: what is tested is what is written, not how it
 * outlives a power cut. */
static inline const char *
scratch_pattern(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm/placard-test-XXXXXX"
                                         : "/tmp/placard-test-XXXXXX";
}

static inline void
scratch_make(void)
{
    snprintf(scratch, sizeof scratch, "%s", scratch_pattern());
    ck_assert_ptr_nonnull(mkdtemp(scratch));
}

/* The path of a name in it, borrowed until the fourth call from here. */
static inline const char *
scratch_path(const char *name)
{
    static char paths[4][384];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
    return path;
}

/* How many files lie in it. */
static inline int
scratch_count(void)
{
    DIR *folder = opendir(scratch);
    int count = -2; /* itself and the one above */

    ck_assert_ptr_nonnull(folder);
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count;
}

/* Remove a folder with all that lies in it, or a file. */
static inline void
scratch_remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    char inside[384];

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0) {
            ck_assert_int_lt(
                snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name),
                (int)sizeof inside);
            scratch_remove_tree(inside);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    ck_assert_int_eq(remove(path), 0);
}

static inline void
scratch_remove(void)
{
    DIR *folder = opendir(scratch);
    const struct dirent *entry;

    ck_assert_ptr_nonnull(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0) {
            (void)!remove(scratch_path(entry->d_name));
        }
    }
    closedir(folder);
    ck_assert_int_eq(rmdir(scratch), 0);
}

#endif
