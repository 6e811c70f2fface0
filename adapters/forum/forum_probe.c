/*
 * What is told of the account's rights: by rows.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/text.h"

/* Append a sentence with its places filled in. */
static void
add_sentence(const struct exchange *exchange, const char *sentence,
             int64_t number, struct buf *out)
{
    static const char account[] = "{account}";
    const struct service *service = exchange->service;
    static const char value[] = "{number}";

    while (*sentence != '\0') {
        if (text_begins(sentence, account)) {
            buf_add_text(out, *service->user != '\0' ? service->user
                                                     : service->self);
            sentence += sizeof(account) - 1;
        } else if (text_begins(sentence, value)) {
            buf_add_number(out, number);
            sentence += sizeof(value) - 1;
        } else {
            buf_add_char(out, *sentence++);
        }
    }
    buf_add_char(out, '\n');
}

/* Is what a row asks for so?  *number: what the reply says. */
static bool
holds(const struct exchange *exchange, const struct forum_check *row,
      unsigned facts, int64_t *number)
{
    if ((row->when != 0 && (row->when & facts) == 0) ||
        (row->unless & facts) != 0) {
        return false;
    }
    if (row->path == NULL) {
        return true;
    }
    if (row->over == 0 && row->under == 0) {
        return forum_flag(exchange->value, row->path);
    }
    *number = row->otherwise;
    (void)forum_number(exchange->value, row->path, number);
    return *number > 0 && (row->over == 0 || *number > row->over) &&
           (row->under == 0 || *number < row->under);
}

void
forum_check(struct exchange *exchange, const struct forum_check *rows,
            unsigned *facts)
{
    struct outcome *out = exchange->out;

    for (const struct forum_check *row = rows;
         row->notes != 0 || row->gives != 0 || row->takes != 0 ||
         row->limits != NULL || row->advice != NULL;
         row++) {
        int64_t number = 0;

        if (!holds(exchange, row, *facts, &number)) {
            continue;
        }
        *facts |= row->notes;
        out->rights = (out->rights | row->gives) & ~row->takes;
        if (row->limits != NULL) {
            add_sentence(exchange, row->limits, number, &out->limits);
        }
        if (row->advice != NULL) {
            add_sentence(exchange, row->advice, number, &out->advice);
        }
    }
}
