/*
 * What the account may do: stages, each of them a request and the rows that its
 * reply is read by.
 */
#include <string.h>

#include "adapters/forum/forum_inner.h"
#include "bot/base/text.h"

/* What the forum says of it, if it says anything. */
static void
add_said(const struct exchange *exchange, struct buf *out)
{
    struct buf said = BUF_INIT;

    forum_add_words(exchange, &said);
    while (said.len > 0 && said.data[said.len - 1] == '.') {
        buf_truncate(&said, said.len - 1);
    }
    if (said.len > 0) {
        buf_addf(out, " (the board says: %.200s)", buf_text(&said));
    }
    buf_release(&said);
}

/* Append a sentence with its places filled in. */
static void
add_sentence(const struct exchange *exchange, const char *sentence,
             int64_t number, struct buf *out)
{
    static const char account[] = "{account}";
    const struct service *service = exchange->service;
    static const char value[] = "{number}";
    static const char words[] = "{said}";

    while (*sentence != '\0') {
        if (text_begins(sentence, account)) {
            buf_add_text(out, *service->user != '\0' ? service->user
                                                     : service->self);
            sentence += sizeof(account) - 1;
        } else if (text_begins(sentence, value)) {
            buf_add_number(out, number);
            sentence += sizeof(value) - 1;
        } else if (text_begins(sentence, words)) {
            add_said(exchange, out);
            sentence += sizeof(words) - 1;
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

/* ---- stages -------------------------------------------------------------- */

static struct forum_probing *
probing_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(struct forum_probing));
}

static bool
has_effect(const struct forum_check *row)
{
    return row->notes != 0 || row->gives != 0 || row->takes != 0 ||
           row->limits != NULL || row->advice != NULL;
}

static void
check(struct exchange *exchange, const struct forum_check *rows)
{
    struct outcome *out = exchange->out;
    unsigned *facts = &probing_of(exchange)->facts;

    for (const struct forum_check *row = rows; has_effect(row); row++) {
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

static const struct forum_stage *
stage_of(const struct exchange *exchange)
{
    return &forum_of(exchange)->stages[probing_of(exchange)->stage];
}

static enum advance
take_more(struct exchange *exchange, const struct forum_stage *stage)
{
    enum advance advance =
        stage->take != NULL ? stage->take(exchange) : ADVANCE_DONE;

    if (advance != ADVANCE_DONE) {
        return advance;
    }
    if (stage->rows != NULL) {
        check(exchange, stage->rows);
    }
    return forum_probe_next(exchange);
}

static forum_step parse_stage;

/* Ask for the next stage; one about a category that is not known is left
 * out. */
static enum advance
ask_stage(struct exchange *exchange)
{
    struct forum_probing *probing = probing_of(exchange);
    const struct forum_stage *stage = stage_of(exchange);

    while ((stage->when != 0 && (stage->when & probing->facts) == 0) ||
           (stage->ask.method != NULL && probing->category == 0 &&
            strstr(stage->ask.path, "{number}") != NULL)) {
        probing->stage++;
        stage++;
    }
    if (stage->path == NULL) {
        return ADVANCE_DONE;
    }
    return stage->ask.method == NULL
               ? take_more(exchange, stage)
               : forum_ask_for(
                     exchange, &stage->ask,
                     (struct forum_values){.number = probing->category},
                     parse_stage);
}

/* Is the reply what the stage asks for, or kept from us by the forum? */
static bool
is_answer(struct exchange *exchange, const struct forum_stage *stage)
{
    unsigned *facts = &probing_of(exchange)->facts;
    int status = exchange->reply->status;
    const char *said = forum_of(exchange)->path.said;

    *facts &= ~(unsigned)FORUM_UNTOLD;
    bool told = forum_of(exchange)->login == NULL
                    ? exchange->value != NULL
                    : forum_get(exchange->value, said) != NULL;

    if (told && (status == stage->untold[0] || status == stage->untold[1])) {
        *facts |= FORUM_UNTOLD;
        return true;
    }
    if (stage->missing && forum_is_missing(exchange)) {
        return true;
    }
    return is_success(exchange) && !forum_is_guest(exchange) &&
           forum_get(exchange->value, stage->path) != NULL;
}

static enum advance
parse_stage(struct exchange *exchange)
{
    struct forum_probing *probing = probing_of(exchange);
    const struct forum_stage *stage = stage_of(exchange);

    if (!is_answer(exchange, stage)) {
        return forum_refused(exchange);
    }
    if (probing->stage == 0) {
        (void)forum_number(exchange->value, forum_of(exchange)->path.probed,
                           &probing->category);
    }
    return take_more(exchange, stage);
}

enum advance
forum_probe_next(struct exchange *exchange)
{
    probing_of(exchange)->stage++;
    return ask_stage(exchange);
}

enum advance
forum_probe(struct exchange *exchange)
{
    return ask_stage(exchange);
}
