/*
 * Names: ids and names that many things keep, each stored once per thread.
 *
 * A kept name is a `const char *` that stays valid until as many have dropped
 * it as have kept it; then it is wiped.  Equal texts are the same pointer.  ""
 * is always there, and is not counted.  What one thread keeps MUST be dropped
 * by that thread.
 */
#ifndef BOT_BASE_NAME_H
#define BOT_BASE_NAME_H

#include <stddef.h>

/* Keep a name. */
const char *name_keep(const char *text);

/* Make *name "", whatever it was. */
void name_begin(const char **name);

/* *name, a kept name, was copied: keep it once more. */
void name_keep_again(const char **name);

/* Drop *name, which becomes "". */
void name_drop(const char **name);

/* Keep a text in place of *name, which is dropped.  The text may be the old
 * one. */
void name_set(const char **name, const char *text);

/* How many different names this thread keeps, and their bytes. */
size_t names_count(void);
size_t names_size(void);

#endif
