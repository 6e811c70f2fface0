/*
 * phpBB: what is done with messages by phpBB alone.
 *
 * A post has its mark on a line of its own.  A DM has it in its subject, since
 * the lists of sent ones show nothing else: it stays in the outbox until it is
 * read, then it is among the sent ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

/* ---- a topic for a game -------------------------------------------------- */

static int64_t *
forum_in(struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(int64_t));
}

static enum advance
parse_forum(struct exchange *exchange)
{
    return forum_open_unless(exchange, "rows", *forum_in(exchange));
}

/* It stands in the forum of the topic where the table was asked for: the last
 * of the links that lead down to that. */
static enum advance
parse_topic(struct exchange *exchange)
{
    static const struct forum_endpoint list =
        PHPBB_PAGE("/viewforum.php?f={number}");
    int64_t *forum = forum_in(exchange);

    (void)forum_number(exchange->value, "forum", forum);
    return exchange->reply->status != 200 || *forum == 0
               ? forum_refused(exchange)
               : forum_ask_for(exchange, &list,
                               (struct forum_values){.number = *forum},
                               parse_forum);
}

enum advance
phpbb_open(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_phpbb.ask.topic, parse_topic);
}

/* ---- finding a message --------------------------------------------------- */

/* How far the lists of sent messages were looked through: the cursor. */
struct sent_list {
    int64_t number;      /* 0: the outbox, then the others */
    int64_t looked, all; /* messages: of them so many, the newest */
};

/* Look through a page of a list; false: that was its last. */
static bool
look_through_list(struct exchange *exchange, json_object *rows,
                  struct sent_list *list)
{
    size_t count = json_object_array_length(rows);

    for (size_t i = 0; i < count; i++) {
        const char *subject =
            forum_text(json_object_array_get_idx(rows, i), "title");

        if (subject != NULL && forum_is_marked(exchange, subject, "")) {
            buf_clear(&exchange->out->id);
            buf_addf(&exchange->out->id, "pm-%s", exchange->op->key);
        }
    }
    list->looked += (int64_t)count;
    return count > 0 && list->looked < list->all;
}

static struct sent_list
list_of(const struct exchange *exchange)
{
    int64_t at[3] = {0, 0, 0};

    (void)forum_read_numbers(exchange->op->cursor, at, 3);
    return (struct sent_list){at[0] != 0, at[1], at[2]};
}

/* Its subject is the text of a link in one of the two lists; a message that is
 * read goes from the first into the second.  Those behind it move up then: so
 * many are looked at again. */
static enum advance
parse_list(struct exchange *exchange)
{
    struct sent_list list = list_of(exchange);
    json_object *rows = forum_list(exchange, "folder");
    int64_t all = 0;

    if (rows == NULL) {
        return forum_refused(exchange);
    }
    (void)forum_number(exchange->value, "total", &all);
    int64_t gone = list.all - all;
    bool goes_on = true;

    list.all = all;
    if (gone > 0 && list.looked > 0) {
        list.looked = list.looked > gone ? list.looked - gone : 0;
    } else if (!look_through_list(exchange, rows, &list)) {
        goes_on = list.number == 0;
        list = (struct sent_list){.number = 1};
    }
    buf_addf(&exchange->out->cursor, "%lld.%lld.%lld", (long long)list.number,
             (long long)list.looked, (long long)list.all);
    return exchange_looked(exchange, goes_on ? FOUND_NOT_YET : FOUND_NOTHING);
}

static enum advance
find_message(struct exchange *exchange)
{
    static const struct forum_endpoint lists[] = {
        PHPBB_PAGE("/ucp.php?i=pm&folder=outbox&start={number}"),
        PHPBB_PAGE("/ucp.php?i=pm&folder=sentbox&start={number}")};
    struct sent_list list = list_of(exchange);

    return forum_ask_for(exchange, &lists[list.number],
                         (struct forum_values){.number = list.looked},
                         parse_list);
}

enum advance
phpbb_find(struct exchange *exchange)
{
    bool dm;

    return forum_number_of(exchange->op->place, &dm) != NULL && dm
               ? find_message(exchange)
               : forum_find(exchange);
}

/* ---- DMs ------------------------------------------------------- */

/* Where the form has nobody to send to, and says nothing of it, the account is
 * a guest's or is gone. */
static enum advance
refuse_dm(struct exchange *exchange)
{
    if (exchange->reply->status != 200 ||
        forum_get(exchange->value, "said") != NULL ||
        forum_get(exchange->value, "form") == NULL) {
        return forum_refused(exchange);
    }
    exchange->out->refused = REFUSED_PERSON;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: user %s takes no private messages",
                        exchange->service->name, exchange->op->user);
}

static enum advance
parse_compose(struct exchange *exchange)
{
    struct html_span page = {exchange->reply->body, exchange->reply->len};
    struct html_span form;
    struct buf name = BUF_INIT;

    buf_addf(&name, "address_list[u][%s]", exchange->op->user);
    bool there = exchange->reply->status == 200 &&
                 page_find_form(page, buf_text(&name), &form);

    buf_release(&name);
    return there ? forum_answer_dm(exchange, exchange->op->user)
                 : refuse_dm(exchange);
}

/* A DM is the messages to and from a user; there is nothing to open, only to
 * check that the user accepts them. */
enum advance
phpbb_dm(struct exchange *exchange)
{
    static const struct forum_endpoint compose =
        PHPBB_FORM("/ucp.php?i=pm&mode=compose&u={user}");

    return forum_is_number(exchange->op->user)
               ? forum_ask(exchange, &compose, parse_compose)
               : outcome_fail(exchange->out, exchange->why, ERR_GONE,
                              "%s: there is no user %s",
                              exchange->service->name, exchange->op->user);
}
