/*
 * phpBB: writing, and finding what was written.
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

/* ---- forms --------------------------------------------------------------- */

/* The text, and what both kinds of forms have. */
static void
add_message(struct exchange *exchange, struct html_span form,
            struct buf *fields)
{
    static const char own[] =
        " message post preview save load topic_cur_post_id lastclick "
        "subject icon status_switch add_to ";
    struct buf text = BUF_INIT;

    page_add_hidden(form, own, fields);
    buf_add_text(&text, exchange->op->text);
    forum_add_mark(exchange->op, forum_phpbb.mark.before,
                   forum_phpbb.mark.after, &text);
    page_add_field(fields, "message", buf_text(&text));
    page_add_field(fields, "post", "Submit");
    buf_wipe(&text);
}

/* The form of a message on the page in the reply. */
static bool
find_form(const struct exchange *exchange, struct html_span *form)
{
    return exchange->reply->status == 200 &&
           page_find_form(phpbb_page(exchange), "message", form);
}

enum advance
phpbb_send_post(struct exchange *exchange,
                const struct forum_endpoint *endpoint,
                struct forum_values values, const char *title, forum_step *next)
{
    struct html_span form;
    struct buf fields = BUF_INIT;
    struct buf subject = BUF_INIT;

    if (!find_form(exchange, &form)) {
        return forum_refused(exchange);
    }
    add_message(exchange, form, &fields);
    /* 0: that somebody has posted since is no reason to ask back. */
    page_add_field(&fields, "topic_cur_post_id", "0");
    if (*title != '\0') {
        page_add_field(&fields, "subject", title);
    } else if (page_field_value(form, "subject", &subject)) {
        page_add_field(&fields, "subject", buf_text(&subject));
    }
    buf_release(&subject);
    return forum_send_form(exchange, endpoint, values, &fields, next);
}

static enum advance
send_message(struct exchange *exchange, const char *to, forum_step *next)
{
    static const struct forum_endpoint endpoint =
        PHPBB_SEND("/ucp.php?i=pm&mode=compose&action=post");
    struct html_span form;
    struct buf fields = BUF_INIT;
    struct buf text = BUF_INIT;

    if (!find_form(exchange, &form)) {
        return forum_refused(exchange);
    }
    add_message(exchange, form, &fields);
    buf_addf(&text, "address_list[u][%s]", to);
    page_add_field(&fields, buf_text(&text), "to");
    buf_clear(&text);
    forum_add_subject(exchange->op, &text);
    page_add_field(&fields, "subject", buf_text(&text));
    page_add_field(&fields, "icon", "0");
    page_add_field(&fields, "status_switch", "0");
    buf_release(&text);
    return forum_send_form(exchange, &endpoint, (struct forum_values){0},
                           &fields, next);
}

bool
phpbb_confirm(struct exchange *exchange, const struct forum_endpoint *endpoint,
              struct forum_values values, forum_step *next)
{
    static const char name[] = "confirm_key=";
    struct html_span form;
    struct buf fields = BUF_INIT;
    struct buf key = BUF_INIT;

    if (exchange->reply->status != 200 ||
        !page_find_form(phpbb_page(exchange), "confirm_uid", &form)) {
        return false;
    }
    page_add_hidden(form, " confirm cancel confirm_key delete_reason ",
                    &fields);
    (void)page_form_action(phpbb_page(exchange), "confirm_uid", &key);
    const char *at = strstr(buf_text(&key), name);

    if (at != NULL) {
        at += sizeof(name) - 1;
        char *value = must_copy(at);

        value[strcspn(value, "&#")] = '\0';
        page_add_field(&fields, "confirm_key", value);
        free(value);
    }
    page_add_field(&fields, "delete_reason", "");
    page_add_field(&fields, "confirm", "Yes");
    buf_release(&key);
    (void)forum_send_form(exchange, endpoint, values, &fields, next);
    return true;
}

/* Look through a page's posts: how many there are; what was found is in
 * out->id.  *younger: some of them are no older than the message. */
static long long
look_through(struct exchange *exchange, bool *younger)
{
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    struct buf text = BUF_INIT;
    long long count = 0;

    while (page_next_post(&rest, &post)) {
        char author[24];
        char id[24];
        int64_t stamp;

        count++;
        (void)snprintf(author, sizeof(author), "%lld", post.author);
        (void)snprintf(id, sizeof(id), "%lld", post.id);
        *younger = *younger || !timestamp_read(buf_text(&post.time), &stamp) ||
                   stamp + FORUM_FIND_SLACK_MS >= exchange_since(exchange);
        buf_clear(&text);
        page_add_text(post.content, &text);
        if (strcmp(author, exchange->service->self) == 0 &&
            forum_is_marked(exchange, buf_text(&text),
                            post.pending ? "" : id)) {
            answer_id(exchange, id);
            exchange->out->unapproved = post.pending;
        }
        page_post_release(&post);
    }
    buf_release(&text);
    return count;
}

/* ---- sending ------------------------------------------------------------- */

/* Is the page nothing but a message, with a link to something that has a
 * number? */
static bool
message_links_to(const struct exchange *exchange, const char *words,
                 const char *key)
{
    struct html_span message;
    struct buf href = BUF_INIT;
    bool links = exchange->reply->status == 200 &&
                 page_find_message(phpbb_page(exchange), &message) &&
                 page_find_link(message, words, &href) &&
                 page_number(buf_text(&href), key) > 0;

    buf_release(&href);
    return links;
}

/* A new post is led to by its number; of a message that was sent a page of its
 * own tells, with a link to it, which one that refuses has not
 * (ucp_pm_compose.php). */
static enum advance
parse_answer(struct exchange *exchange, bool dm)
{
    struct buf location = BUF_INIT;
    long long post = 0;

    if (exchange->reply->status / 100 == 3 &&
        reply_header(exchange->reply, "location", &location)) {
        post = page_number(buf_text(&location), "p=");
    }
    buf_release(&location);
    if (post != 0 && !dm) {
        buf_clear(&exchange->out->id);
        buf_addf(&exchange->out->id, "%lld", post);
        return ADVANCE_DONE;
    }
    if (dm && message_links_to(exchange, "mode=view", "p=")) {
        /* It has a number, but in the lists its key is looked for. */
        buf_clear(&exchange->out->id);
        buf_addf(&exchange->out->id, "pm-%s", exchange->op->key);
        return ADVANCE_DONE;
    }
    return forum_refused(exchange);
}

/* The number of a post that waits for approval is not told; but its author sees
 * it at the topic's end, unless the board is set otherwise
 * (display_unapproved_posts).  The last post first: such posts are on no page's
 * account. */
static const struct forum_endpoint newest =
    PHPBB_PAGE("/viewtopic.php?t={topic}&st=0&sk=t&sd=d");

static enum advance
parse_unapproved(struct exchange *exchange)
{
    bool younger = false;

    buf_clear(&exchange->out->id);
    if (exchange->reply->status == 200) {
        (void)look_through(exchange, &younger);
    }
    return ADVANCE_DONE;
}

/* The forms that were sent. */
static unsigned *
tries_of(const struct exchange *exchange)
{
    return forum_memory(exchange, sizeof(unsigned));
}

/* Is a form to be sent once more, from the new one that came with a refusal? */
static bool
is_to_try_again(const struct exchange *exchange)
{
    return *tries_of(exchange) < PHPBB_FORMS_MAX &&
           phpbb_wants_new_form(exchange);
}

static forum_step parse_sent;

/* Send what was asked for, from the form on the page in the reply. */
static enum advance
send_form(struct exchange *exchange)
{
    static const struct forum_endpoint reply =
        PHPBB_SEND("/posting.php?mode=reply&t={topic}");
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    ++*tries_of(exchange);
    enum advance advance =
        dm ? send_message(exchange, number, parse_sent)
           : phpbb_send_post(exchange, &reply, (struct forum_values){0}, "",
                             parse_sent);

    exchange->out->request.urgent = dm && advance == ADVANCE_REQUEST;
    return advance;
}

static enum advance
parse_sent(struct exchange *exchange)
{
    bool dm;

    (void)forum_number_of(exchange->op->place, &dm);
    if (is_to_try_again(exchange)) {
        return send_form(exchange);
    }
    if (!dm && phpbb_is_unapproved(exchange)) {
        exchange->out->unapproved = true;
        return forum_ask(exchange, &newest, parse_unapproved);
    }
    return parse_answer(exchange, dm);
}

enum advance
phpbb_send(struct exchange *exchange)
{
    static const struct forum_endpoint reply =
        PHPBB_FORM("/posting.php?mode=reply&t={topic}");
    static const struct forum_endpoint compose =
        PHPBB_FORM("/ucp.php?i=pm&mode=compose&u={topic}");
    bool dm;

    if (forum_number_of(exchange->op->place, &dm) == NULL) {
        return forum_no_place(exchange);
    }
    enum advance advance =
        forum_ask(exchange, dm ? &compose : &reply, send_form);

    exchange->out->request.urgent = dm;
    return advance;
}

/* ---- changing ------------------------------------------------------------ */

static forum_step parse_edited;

static enum advance
send_edit(struct exchange *exchange)
{
    static const struct forum_endpoint edit =
        PHPBB_SEND("/posting.php?mode=edit&p={post}");

    ++*tries_of(exchange);
    return phpbb_send_post(exchange, &edit, (struct forum_values){0}, "",
                           parse_edited);
}

static enum advance
parse_edited(struct exchange *exchange)
{
    if (is_to_try_again(exchange)) {
        return send_edit(exchange);
    }
    return exchange->reply->status / 100 == 3 || phpbb_is_unapproved(exchange)
               ? ADVANCE_DONE
               : forum_refused(exchange);
}

enum advance
phpbb_edit(struct exchange *exchange)
{
    static const struct forum_endpoint edit =
        PHPBB_FORM("/posting.php?mode=edit&p={post}");

    return forum_is_number(exchange->op->post)
               ? forum_ask(exchange, &edit, send_edit)
               : outcome_fail(
                     exchange->out, exchange->why, ERR_DENIED,
                     "%s: a private message that was sent stays as it is",
                     exchange->service->name);
}

bool
phpbb_is_missing(const struct exchange *exchange)
{
    struct html_span found;
    struct buf words = BUF_INIT;

    if (!page_find_message(phpbb_page(exchange), &found)) {
        return false; /* a 404 may be another's than phpBB's */
    }
    page_add_text(found, &words);
    bool missing = exchange->reply->status == 404 ||
                   (exchange->reply->status == 200 &&
                    strstr(buf_text(&words), "does not exist") != NULL);
    buf_release(&words);
    return missing;
}

/* Only where it was deleted a link leads back to the forum. */
static enum advance
parse_deleted(struct exchange *exchange)
{
    return message_links_to(exchange, "viewforum.php", "f=")
               ? ADVANCE_DONE
               : forum_refused(exchange);
}

static int64_t
post_of(const struct exchange *exchange)
{
    const char *post = exchange->op->post;

    return forum_is_number(post) ? strtoll(post, NULL, 10) : 0;
}

static enum advance
confirm_deletion(struct exchange *exchange)
{
    static const struct forum_endpoint erase =
        PHPBB_SEND("/posting.php?mode=delete&p={number}");

    if (phpbb_is_missing(exchange)) {
        return ADVANCE_DONE;
    }
    return phpbb_confirm(exchange, &erase,
                         (struct forum_values){.number = post_of(exchange)},
                         parse_deleted)
               ? ADVANCE_REQUEST
               : forum_refused(exchange);
}

enum advance
phpbb_delete(struct exchange *exchange)
{
    static const struct forum_endpoint erase =
        PHPBB_FORM("/posting.php?mode=delete&p={number}");

    return forum_ask_for(exchange, &erase,
                         (struct forum_values){.number = post_of(exchange)},
                         confirm_deletion);
}

/* ---- finding ------------------------------------------------------------- */

/* The start of a page that was asked for; the last one of any topic if the
 * search begins. */
static int64_t
start_of(const struct exchange *exchange)
{
    int64_t start = PHPBB_BEHIND;

    (void)forum_read_numbers(exchange->op->cursor, &start, 1);
    return start;
}

/* From the last page back. */
static enum advance
parse_page(struct exchange *exchange)
{
    bool younger = false;
    int64_t start = start_of(exchange);
    int64_t total = page_total(phpbb_page(exchange));
    int64_t count = exchange->reply->status == 200 && total >= 0
                        ? look_through(exchange, &younger)
                        : 0;

    if (count == 0) {
        return forum_refused(exchange);
    }
    /* A page behind the end is the last one. */
    start = start < total - count ? start : total - count;
    bool goes_on = younger && start > 0;

    if (goes_on) {
        buf_add_number(&exchange->out->cursor,
                       start > count ? start - count : 0);
    }
    /* One that was seen waiting may be hidden by now. */
    return exchange_looked(exchange,
                           goes_on || forum_is_number(exchange->op->post)
                               ? FOUND_NOT_YET
                               : FOUND_NOTHING);
}

static enum advance
find_post(struct exchange *exchange)
{
    return forum_ask_for(exchange, &forum_phpbb.ask.page,
                         (struct forum_values){.number = start_of(exchange)},
                         parse_page);
}

/* Look for a post by its number; true: it is there, or an older one is, so that
 * it would be. */
static bool
look_for(struct exchange *exchange, long long number)
{
    struct html_span rest = phpbb_page(exchange);
    struct page_post post;
    bool reached = false;

    while (!reached && page_next_post(&rest, &post)) {
        reached = post.id <= number;
        if (post.id == number) {
            buf_addf(&exchange->out->id, "%lld", post.id);
            exchange->out->unapproved = post.pending;
        }
        page_post_release(&post);
    }
    return reached;
}

/* One that was seen waiting for approval is among the newest, or further back
 * than a page reaches, or a moderator has put it away. */
static enum advance
parse_newest(struct exchange *exchange)
{
    if (exchange->reply->status != 200 ||
        page_total(phpbb_page(exchange)) < 0) {
        return forum_refused(exchange);
    }
    return look_for(exchange, strtoll(exchange->op->post, NULL, 10))
               ? exchange_looked(exchange, FOUND_NOTHING)
               : find_post(exchange);
}

/* How far the lists of sent messages were looked through: the cursor. */
struct sent_list {
    int64_t number;      /* 0: the outbox, then the others */
    int64_t looked, all; /* messages: of them so many, the newest */
};

/* Look through a page of a list; false: that was its last. */
static bool
look_through_list(struct exchange *exchange, struct html_span rest,
                  struct sent_list *list)
{
    struct html_span subject;
    struct buf text = BUF_INIT;
    int64_t before = list->looked;

    page_add_text(rest, &text);
    for (; page_find(rest, "a", "topictitle", &subject); list->looked++) {
        page_pass(&rest, subject);
    }
    if (forum_is_marked(exchange, buf_text(&text), "")) {
        buf_addf(&exchange->out->id, "pm-%s", exchange->op->key);
    }
    buf_release(&text);
    return list->looked > before && list->looked < list->all;
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
    struct html_span rest;

    if (exchange->reply->status != 200 ||
        !page_find_id(phpbb_page(exchange), "viewfolder", &rest)) {
        return forum_refused(exchange);
    }
    int64_t all = page_total(rest) < 0 ? 0 : page_total(rest);
    int64_t gone = list.all - all;
    bool goes_on = true;

    list.all = all;
    if (gone > 0 && list.looked > 0) {
        list.looked = list.looked > gone ? list.looked - gone : 0;
    } else if (!look_through_list(exchange, rest, &list)) {
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
    const struct op *op = exchange->op;
    bool dm;

    if (forum_number_of(op->place, &dm) == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (dm) {
        return find_message(exchange);
    }
    return *op->cursor == '\0' && forum_is_number(op->post)
               ? forum_ask(exchange, &newest, parse_newest)
               : find_post(exchange);
}

/* ---- DMs ------------------------------------------------------- */

/* Where the form has nobody to send to, and says nothing of it, the account is
 * a guest's or is gone. */
static enum advance
refuse_dm(struct exchange *exchange)
{
    struct html_span form;
    struct buf words = BUF_INIT;

    phpbb_add_words(exchange, &words);
    bool silent = words.len == 0;

    buf_release(&words);
    if (exchange->reply->status != 200 || !silent ||
        !page_find_form(phpbb_page(exchange), "message", &form)) {
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
    struct html_span form;
    struct buf name = BUF_INIT;

    buf_addf(&name, "address_list[u][%s]", exchange->op->user);
    bool there = exchange->reply->status == 200 &&
                 page_find_form(phpbb_page(exchange), buf_text(&name), &form);

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
