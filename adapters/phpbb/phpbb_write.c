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
phpbb_add_text(const struct exchange *exchange, struct buf *text)
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
    /* Too small to be seen, and still in the text that is looked through. */
    forum_add_mark(exchange->op, "[size=1]", "[/size]", text);
}

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
    phpbb_add_text(exchange, &text);
    page_add_field(fields, "message", buf_text(&text));
    page_add_field(fields, "post", "Submit");
    buf_wipe(&text);
}

bool
phpbb_send_post(struct exchange *exchange, const char *path, const char *title)
{
    struct html_span form;
    struct buf fields = BUF_INIT;
    struct buf subject = BUF_INIT;

    if (!page_find_form(phpbb_page(exchange), "message", &form)) {
        return false;
    }
    add_message(exchange, form, &fields);
    /* 0: that somebody has posted since is no reason to ask back. */
    page_add_field(&fields, "topic_cur_post_id", "0");
    if (*title != '\0') {
        page_add_field(&fields, "subject", title);
    } else if (page_field_value(form, "subject", &subject)) {
        page_add_field(&fields, "subject", buf_text(&subject));
    }
    phpbb_post(exchange, path, &fields);
    buf_release(&fields);
    buf_release(&subject);
    return true;
}

static bool
send_message(struct exchange *exchange, const char *path, const char *to)
{
    struct html_span form;
    struct buf fields = BUF_INIT;
    struct buf text = BUF_INIT;

    if (!page_find_form(phpbb_page(exchange), "message", &form)) {
        return false;
    }
    add_message(exchange, form, &fields);
    buf_addf(&text, "address_list[u][%s]", to);
    page_add_field(&fields, buf_text(&text), "to");
    buf_clear(&text);
    forum_add_subject(exchange->op, &text);
    page_add_field(&fields, "subject", buf_text(&text));
    page_add_field(&fields, "icon", "0");
    page_add_field(&fields, "status_switch", "0");
    phpbb_post(exchange, path, &fields);
    buf_release(&fields);
    buf_release(&text);
    return true;
}

bool
phpbb_confirm(struct exchange *exchange, const char *path)
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
    phpbb_post(exchange, path, &fields);
    buf_release(&fields);
    buf_release(&key);
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

static void
add_path(const struct exchange *exchange, bool dm, bool sent, char *path)
{
    bool unused;
    const char *number = forum_number_of(exchange->op->place, &unused);

    (void)snprintf(path, PHPBB_PATH_MAX,
                   !dm    ? "/posting.php?mode=reply&t=%.19s"
                   : sent ? "/ucp.php?i=pm&mode=compose&action=post"
                          : "/ucp.php?i=pm&mode=compose&u=%.19s",
                   number);
}

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
parse_sent(struct exchange *exchange, bool dm)
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
    return phpbb_refused(exchange);
}

/* The number of a post that waits for approval is not told; but its author sees
 * it at the topic's end, unless the board is set otherwise
 * (display_unapproved_posts). */
static enum advance
ask_newest(struct exchange *exchange)
{
    char path[PHPBB_PATH_MAX];

    /* The last post first: such posts are on no page's account. */
    (void)snprintf(path, sizeof(path), "/viewtopic.php?t=%.19s&st=0&sk=t&sd=d",
                   exchange->op->place);
    phpbb_get(exchange, path);
    return ADVANCE_REQUEST;
}

static enum advance
ask_unapproved(struct exchange *exchange, struct phpbb_form *form)
{
    form->step = FORM_UNAPPROVED;
    exchange->out->unapproved = true;
    return ask_newest(exchange);
}

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

/* Send what was asked for, from a form that was got, or once more from the new
 * one that came with a refusal: ADVANCE_REQUEST; ADVANCE_DONE: it was answered.
 */
static enum advance
send_form(struct exchange *exchange, struct phpbb_form *form)
{
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);
    char path[PHPBB_PATH_MAX];

    add_path(exchange, dm, true, path);
    if (exchange->reply->status != 200 ||
        !(dm ? send_message(exchange, path, number)
             : phpbb_send_post(exchange, path, ""))) {
        return phpbb_refused(exchange);
    }
    exchange->out->request.urgent = dm;
    form->step = FORM_SENT;
    form->tries++;
    return ADVANCE_REQUEST;
}

enum advance
phpbb_send(struct exchange *exchange)
{
    struct phpbb_form *form = phpbb_memory(exchange, sizeof(*form));
    char path[PHPBB_PATH_MAX];
    bool dm;

    if (forum_number_of(exchange->op->place, &dm) == NULL) {
        return forum_no_place(exchange);
    }
    switch (form->step) {
    case FORM_BEGIN:
        form->step = FORM_GOT;
        add_path(exchange, dm, false, path);
        phpbb_get_form(exchange, path);
        exchange->out->request.urgent = dm;
        return ADVANCE_REQUEST;
    case FORM_GOT:
        return send_form(exchange, form);
    case FORM_UNAPPROVED:
        return parse_unapproved(exchange);
    case FORM_SENT:
        break;
    }
    if (form->tries < PHPBB_FORMS_MAX && phpbb_wants_new_form(exchange)) {
        return send_form(exchange, form);
    }
    return !dm && phpbb_is_unapproved(exchange) ? ask_unapproved(exchange, form)
                                                : parse_sent(exchange, dm);
}

/* ---- changing ------------------------------------------------------------ */

static enum advance
send_edit(struct exchange *exchange, struct phpbb_form *form, const char *path)
{
    if (exchange->reply->status != 200 ||
        !phpbb_send_post(exchange, path, "")) {
        return phpbb_refused(exchange);
    }
    form->step = FORM_SENT;
    form->tries++;
    return ADVANCE_REQUEST;
}

enum advance
phpbb_edit(struct exchange *exchange)
{
    struct phpbb_form *form = phpbb_memory(exchange, sizeof(*form));
    char path[PHPBB_PATH_MAX];

    if (!forum_is_number(exchange->op->post)) {
        return outcome_fail(
            exchange->out, exchange->why, ERR_DENIED,
            "%s: a private message that was sent stays as it is",
            exchange->service->name);
    }
    (void)snprintf(path, sizeof(path), "/posting.php?mode=edit&p=%.19s",
                   exchange->op->post);
    switch (form->step) {
    case FORM_BEGIN:
        form->step = FORM_GOT;
        phpbb_get_form(exchange, path);
        return ADVANCE_REQUEST;
    case FORM_GOT:
        return send_edit(exchange, form, path);
    case FORM_SENT:
    case FORM_UNAPPROVED:
        break;
    }
    if (form->tries < PHPBB_FORMS_MAX && phpbb_wants_new_form(exchange)) {
        return send_edit(exchange, form, path);
    }
    return exchange->reply->status / 100 == 3 || phpbb_is_unapproved(exchange)
               ? ADVANCE_DONE
               : phpbb_refused(exchange);
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

enum advance
phpbb_delete(struct exchange *exchange)
{
    struct phpbb_form *form = phpbb_memory(exchange, sizeof(*form));
    char path[PHPBB_PATH_MAX];

    (void)snprintf(path, sizeof(path), "/posting.php?mode=delete&p=%.19s",
                   forum_is_number(exchange->op->post) ? exchange->op->post
                                                       : "0");
    switch (form->step) {
    case FORM_BEGIN:
        form->step = FORM_GOT;
        phpbb_get_form(exchange, path);
        return ADVANCE_REQUEST;
    case FORM_GOT:
        if (phpbb_is_missing(exchange)) {
            return ADVANCE_DONE;
        }
        form->step = FORM_SENT;
        return phpbb_confirm(exchange, path) ? ADVANCE_REQUEST
                                             : phpbb_refused(exchange);
    case FORM_SENT:
    case FORM_UNAPPROVED:
        break;
    }
    /* Only where it was deleted a link leads back to the forum. */
    return message_links_to(exchange, "viewforum.php", "f=")
               ? ADVANCE_DONE
               : phpbb_refused(exchange);
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

static enum advance
ask_page(struct exchange *exchange, const char *topic)
{
    char path[PHPBB_PATH_MAX];

    (void)snprintf(path, sizeof(path),
                   "/viewtopic.php?t=%.19s" PHPBB_ORDER "&start=%lld", topic,
                   (long long)start_of(exchange));
    phpbb_get(exchange, path);
    return ADVANCE_REQUEST;
}

/* From the last page back. */
static enum advance
find_post(struct exchange *exchange, const char *topic)
{
    bool younger = false;

    if (exchange->reply == NULL) {
        return ask_page(exchange, topic);
    }
    int64_t start = start_of(exchange);
    int64_t total = page_total(phpbb_page(exchange));
    int64_t count = exchange->reply->status == 200 && total >= 0
                        ? look_through(exchange, &younger)
                        : 0;

    if (count == 0) {
        return phpbb_refused(exchange);
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
find_queued(struct exchange *exchange, bool *newest, const char *topic)
{
    if (exchange->reply == NULL) {
        *newest = true;
        return ask_newest(exchange);
    }
    *newest = false;
    if (exchange->reply->status != 200 ||
        page_total(phpbb_page(exchange)) < 0) {
        return phpbb_refused(exchange);
    }
    if (look_for(exchange, strtoll(exchange->op->post, NULL, 10))) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    return ask_page(exchange, topic);
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
        rest.len -= (size_t)(subject.text + subject.len - rest.text);
        rest.text = subject.text + subject.len;
    }
    if (forum_is_marked(exchange, buf_text(&text), "")) {
        buf_addf(&exchange->out->id, "pm-%s", exchange->op->key);
    }
    buf_release(&text);
    return list->looked > before && list->looked < list->all;
}

/* Its subject is the text of a link in one of the two lists; a message that is
 * read goes from the first into the second.  Those behind it move up then: so
 * many are looked at again. */
static enum advance
find_message(struct exchange *exchange)
{
    static const char *const names[] = {"outbox", "sentbox"};
    int64_t at[3] = {0, 0, 0};
    char path[PHPBB_PATH_MAX];
    struct html_span rest;

    (void)forum_read_numbers(exchange->op->cursor, at, 3);
    struct sent_list list = {at[0] != 0, at[1], at[2]};

    if (exchange->reply == NULL) {
        (void)snprintf(path, sizeof(path), "/ucp.php?i=pm&folder=%s&start=%lld",
                       names[list.number], (long long)list.looked);
        phpbb_get(exchange, path);
        return ADVANCE_REQUEST;
    }
    if (exchange->reply->status != 200 ||
        !page_find_id(phpbb_page(exchange), "viewfolder", &rest)) {
        return phpbb_refused(exchange);
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

enum advance
phpbb_find(struct exchange *exchange)
{
    bool *newest = phpbb_memory(exchange, sizeof(*newest));
    bool dm;
    const char *number = forum_number_of(exchange->op->place, &dm);

    if (number == NULL) {
        return exchange_looked(exchange, FOUND_NOTHING);
    }
    if (dm) {
        return find_message(exchange);
    }
    return *newest ||
                   (exchange->reply == NULL && *exchange->op->cursor == '\0' &&
                    forum_is_number(exchange->op->post))
               ? find_queued(exchange, newest, number)
               : find_post(exchange, number);
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
        return phpbb_refused(exchange);
    }
    exchange->out->refused = REFUSED_PERSON;
    return outcome_fail(exchange->out, exchange->why, ERR_DENIED,
                        "%s: user %s takes no private messages",
                        exchange->service->name, exchange->op->user);
}

/* A DM is the messages to and from a user; there is nothing to open, only to
 * check that the user accepts them. */
enum advance
phpbb_dm(struct exchange *exchange)
{
    struct html_span form;
    struct buf name = BUF_INIT;
    char path[PHPBB_PATH_MAX];

    if (!forum_is_number(exchange->op->user)) {
        return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                            "%s: there is no user %s", exchange->service->name,
                            exchange->op->user);
    }
    if (exchange->reply == NULL) {
        (void)snprintf(path, sizeof(path), "/ucp.php?i=pm&mode=compose&u=%.19s",
                       exchange->op->user);
        phpbb_get_form(exchange, path);
        return ADVANCE_REQUEST;
    }
    buf_addf(&name, "address_list[u][%s]", exchange->op->user);
    bool there = exchange->reply->status == 200 &&
                 page_find_form(phpbb_page(exchange), buf_text(&name), &form);

    buf_release(&name);
    if (!there) {
        return refuse_dm(exchange);
    }
    return forum_answer_dm(exchange, exchange->op->user);
}
