#include "adapters/markup/dialects.h"

#include <string.h>

#include "adapters/markup/html/html.h"

static const struct dialect *const dialects[] = {
    &dialect_bbcode, &dialect_board,  &dialect_discord,
    &dialect_html,   &dialect_matrix, &dialect_plain,
};

const struct dialect *
dialects_at(size_t index)
{
    return index < sizeof dialects / sizeof dialects[0] ? dialects[index]
                                                        : NULL;
}

const struct dialect *
dialects_find(const char *name)
{
    for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
        if (strcmp(dialects[i]->name, name) == 0) {
            return dialects[i];
        }
    }
    return NULL;
}

void
dialects_read(const struct dialect *dialect, const char *body, size_t len,
              const char *bold_classes, struct rich *out, bool *unread)
{
    if (dialect == &dialect_html && bold_classes != NULL) {
        html_read(body, len, bold_classes, out, unread);
    } else {
        dialect->read(body, len, out, unread);
    }
}
