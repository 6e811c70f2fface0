#include "bot/base/name.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/index.h"
#include "bot/base/memory.h"

struct name {
    size_t users, size;
    char text[];
};

static _Thread_local struct {
    struct index index;
    size_t count, size;
} names;

/* The one "", so that equal names are the same pointer. */
static const char nothing[] = "";

/* The kept name that is this text; NULL: none is. */
static struct name *
find(const char *text)
{
    uint64_t key = index_key("", text);
    size_t at = 0;
    struct name *name = index_next_pointer(&names.index, key, &at);
    while (name != NULL && strcmp(name->text, text) != 0) {
        name = index_next_pointer(&names.index, key, &at);
    }
    return name;
}

const char *
name_keep(const char *text)
{
    if (*text == '\0') {
        return nothing;
    }
    struct name *name = find(text);
    if (name == NULL) {
        size_t size = sizeof *name + strlen(text) + 1;
        name = must_alloc(size);
        name->size = size;
        memcpy(name->text, text, size - sizeof *name);
        index_add(&names.index, index_key("", text), (uintptr_t)name);
        names.count++;
        names.size += size;
    }
    name->users++;
    return name->text;
}

void
name_begin(const char **name)
{
    *name = nothing;
}

void
name_keep_again(const char **name)
{
    *name = name_keep(*name);
}

void
name_drop(const char **name)
{
    struct name *kept = **name == '\0' ? NULL : find(*name);
    *name = nothing;
    if (kept == NULL || --kept->users > 0) {
        return;
    }
    index_remove(&names.index, index_key("", kept->text), (uintptr_t)kept);
    names.count--;
    names.size -= kept->size;
    sodium_memzero(kept, kept->size);
    free(kept);
    if (names.count == 0) {
        index_release(&names.index);
    }
}

void
name_set(const char **name, const char *text)
{
    const char *old = *name;
    *name = name_keep(text);
    name_drop(&old);
}

size_t
names_count(void)
{
    return names.count;
}

size_t
names_size(void)
{
    return names.size;
}
