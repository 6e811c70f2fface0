/*
 * phpBB: how a message is written, and what is done with it by phpBB alone.
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

/* ---- texts --------------------------------------------------------------- */

/* Tags that a board has not, until an administrator makes them
 * (phpbb/textformatter/s9e/factory.php): what is between them stays. */
static size_t
foreign_tag(const char *at)
{
    static const char *const tags[] = {"[/mention]", "[spoiler]", "[/spoiler]",
                                       "[s]", "[/s]"};
    static const char mention[] = "[mention=";

    if (strncmp(at, mention, sizeof(mention) - 1) == 0) {
        size_t len = strcspn(at, "]");

        return at[len] == ']' ? len + 1 : 0;
    }
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        if (strncmp(at, tags[i], strlen(tags[i])) == 0) {
            return strlen(tags[i]);
        }
    }
    return 0;
}

static bool
ends_line(const char *at)
{
    for (size_t len = foreign_tag(at); len > 0; len = foreign_tag(at)) {
        at += len;
    }
    return *at == '\0' || *at == '\n';
}

/* Append what is to be seen as it stands: an empty pair of tags after each "["
 * keeps it from being one, and is nothing to who copies it. */
static void
add_literal(const char *code, size_t len, struct buf *text)
{
    for (size_t i = 0; i < len; i++) {
        buf_add_char(text, code[i]);
        if (code[i] == '[') {
            buf_add_text(text, "[i][/i]");
        }
    }
}

/* Code is a box of its own at a board: within a line it is slanted instead.
 * Returns how much of the text that was. */
static size_t
add_code(const char *at, struct buf *text)
{
    static const char opening[] = "[code]";
    static const char closing[] = "[/code]";
    const char *end = strncmp(at, opening, sizeof(opening) - 1) == 0
                          ? strstr(at, closing)
                          : NULL;

    if (end == NULL) {
        return 0;
    }
    const char *code = at + sizeof(opening) - 1;
    size_t len = (size_t)(end - code);
    const char *behind = end + sizeof(closing) - 1;
    bool alone = (text->len == 0 || text->data[text->len - 1] == '\n') &&
                 ends_line(behind);

    if (alone || memchr(code, '\n', len) != NULL) {
        buf_add(text, at, (size_t)(behind - at));
    } else {
        buf_add_text(text, "[i]");
        add_literal(code, len, text);
        buf_add_text(text, "[/i]");
    }
    return (size_t)(behind - at);
}

/* A board shows emoji as pictures that another host has: where the host draws
 * with them, letters in colour stand in their place. */
static size_t
add_tile(const char *at, struct buf *text)
{
    static const struct {
        const char *emoji, *tile;
    } tiles[] = {
        {"\U0001F7E5", "[color=#D02020]\u25A0[/color]"}, /* red square */
        {"\U0001F7E6", "[color=#2060D0]\u25A0[/color]"}, /* blue */
        {"\U0001F7E7", "[color=#E07000]\u25A0[/color]"}, /* orange */
        {"\U0001F7E8", "[color=#D0B000]\u25A0[/color]"}, /* yellow */
        {"\U0001F7E9", "[color=#208020]\u25A0[/color]"}, /* green */
        {"\U0001F7EA", "[color=#8030C0]\u25A0[/color]"}, /* purple */
        {"\U0001F7EB", "[color=#804020]\u25A0[/color]"}, /* brown */
        {"\u2B1B", "\u25A0"},                            /* black */
        {"\u2B1C", "\u25A1"},                            /* white */
        {"\u2705", "\u2713"},                            /* a tick */
    };

    for (size_t i = 0; i < sizeof(tiles) / sizeof(tiles[0]); i++) {
        size_t len = strlen(tiles[i].emoji);

        if (strncmp(at, tiles[i].emoji, len) == 0) {
            buf_add_text(text, tiles[i].tile);
            return len;
        }
    }
    return 0;
}

/* The message as a board takes it.  What a player wrote has no tag that is one
 * (adapters/markup/bbcode.h). */
void
phpbb_show(const struct exchange *exchange, struct buf *text)
{
    for (const char *at = exchange->op->text; *at != '\0';) {
        size_t len = add_code(at, text);

        len = len > 0 ? len : add_tile(at, text);
        len = len > 0 ? len : foreign_tag(at);
        if (len == 0) {
            buf_add_char(text, *at);
            len = 1;
        }
        at += len;
    }
}

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
