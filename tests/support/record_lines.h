/* Lines of a record that a host writes in other ways. */
#ifndef TESTS_SUPPORT_RECORD_LINES_H
#define TESTS_SUPPORT_RECORD_LINES_H

#include "bot/record/record.h"

static inline void
write_replaced(struct buf *out, struct record_head head, const char *out_name,
               const char *in_name)
{
    const struct record_line line = {.seq = head.seq,
                                     .at = head.at,
                                     .kind = EVENT_FILLED,
                                     .out = out_name,
                                     .in = in_name};
    record_write_line(out, &line, NULL, 0);
}

static inline void
write_noted(struct buf *out, struct record_head head, const char *text)
{
    const struct record_line line = {
        .seq = head.seq, .at = head.at, .kind = RECORD_NOTED, .text = text};
    record_write_line(out, &line, NULL, 0);
}

#endif
