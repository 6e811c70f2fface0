/*
 * The account, people, and configured topics.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/forum/forum_inner.h"

/* ---- who am I? ----------------------------------------------------------- */

/* Whose token it is, a name beside it need not say; it may not say another. */
static bool
is_named(const struct exchange *exchange, const char *id)
{
    char *named = forum_user(exchange->service->user);
    bool is = named == NULL || strcmp(named, id) == 0;

    free(named);
    return is;
}

static enum advance
parse_self(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    const struct service *service = exchange->service;
    struct forum_item self;

    forum_read_item(&forum->shape.person, exchange->value, &self);
    char *id = is_success(exchange) ? forum_user(self.slug) : NULL;

    if (id == NULL || self.name == NULL || self.member <= 0) {
        free(id);
        return forum->refuse_self(exchange);
    }
    exchange->out->member = self.member;
    if (forum->self_by_name || is_named(exchange, id)) {
        return forum_answer_user(exchange, id, self.name);
    }
    free(id);
    return outcome_fail(exchange->out, exchange->why, ERR_CONFIG,
                        "%s: the token is one for %s, not for %s: leave `user` "
                        "out, or put in %s's token",
                        service->name, self.name, service->user, service->user);
}

enum advance
forum_who(struct exchange *exchange)
{
    return forum_ask(exchange, &forum_of(exchange)->ask.self, parse_self);
}

/* ---- who is that? -------------------------------------------------------- */

enum advance
forum_nobody(struct exchange *exchange, const char *name)
{
    return outcome_fail(exchange->out, exchange->why, ERR_GONE,
                        "%s: nobody is called \"%s\" there",
                        exchange->service->name, name);
}

static const char *
name_in(const char *text)
{
    return text + (*text == '@' ? 1 : 0);
}

static forum_step parse_user;

/* In the nth way; the last is by number. */
static enum advance
ask_user(struct exchange *exchange, unsigned *way)
{
    const struct forum *forum = forum_of(exchange);
    const char *name = name_in(exchange->op->text);
    struct buf slug = BUF_INIT;
    unsigned nth = (*way)++;

    if (nth == FORUM_WAYS || forum->ask.users[nth].method == NULL) {
        return forum_nobody(exchange, exchange->op->text);
    }
    if (strstr(forum->ask.users[nth].path, "{number}") != NULL &&
        !forum_is_number(name)) {
        return ask_user(exchange, way);
    }
    if (nth == 0 && forum->add_slug != NULL) {
        forum->add_slug(name, &slug);
        name = buf_text(&slug);
    }
    enum advance advance =
        *name == '\0' ? forum_nobody(exchange, exchange->op->text)
                      : forum_ask_for(exchange, &forum->ask.users[nth],
                                      (struct forum_values){
                                          .user = name,
                                          .number = strtoll(name, NULL, 10)},
                                      parse_user);

    buf_release(&slug);
    return advance;
}

static bool
is_empty(const char *text)
{
    return text == NULL || *text == '\0';
}

static enum advance
parse_user(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    unsigned *way = forum_memory(exchange, sizeof(*way));
    struct forum_item user;

    if (forum_is_missing(exchange)) {
        return ask_user(exchange, way);
    }
    forum_read_item(&forum->shape.person, exchange->value, &user);
    if (!is_success(exchange) || !user.authored) {
        return forum_refused(exchange);
    }
    if (user.member <= 0 || (is_empty(user.slug) && forum->members == 0)) {
        /* deleted, or never there */
        return forum_nobody(exchange, exchange->op->text);
    }
    return forum_answer_user(exchange, forum_author(forum, &user),
                             user.name != NULL   ? user.name
                             : user.slug != NULL ? user.slug
                                                 : "");
}

enum advance
forum_user_of(struct exchange *exchange)
{
    return ask_user(exchange, forum_memory(exchange, sizeof(unsigned)));
}

/* ---- a configured topic -------------------------------------------------- */

char *
forum_topic_of(const char *address, const char *path)
{
    const char *at = strstr(address, path);
    const char *part = at == NULL ? address : at + strlen(path);
    struct buf number = BUF_INIT;

    for (int i = 0; i < (at == NULL ? 1 : 2); i++) {
        size_t len = strspn(part, "0123456789");

        if (len > 0 &&
            (part[len] == '\0' || strchr("/.?#", part[len]) != NULL)) {
            buf_add(&number, part, len);
            break;
        }
        part += strcspn(part, "/");
        part += *part == '/' ? 1 : 0;
    }
    if (!forum_is_number(buf_text(&number)) ||
        (at == NULL && strlen(address) != number.len)) {
        buf_release(&number);
        return NULL;
    }
    return buf_take(&number);
}

/* The number of the configured topic. */
static char *
number_in(const struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    const char *text = exchange->op->text;
    struct buf number = BUF_INIT;
    int64_t topic;

    if (forum->address.query == NULL || forum_is_number(text)) {
        return forum_topic_of(text, forum->address.topic);
    }
    if (page_number(text, forum->address.query, &topic)) {
        buf_add_number(&number, topic);
    }
    return number.len == 0 ? NULL : buf_take(&number);
}

static enum advance
parse_place(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    struct forum_item topic;
    int64_t pages;
    bool known = forum->login == NULL
                     ? forum_read_reply(exchange, &topic) && topic.number != 0
                     : forum_posts(exchange, &pages) != NULL;

    if (!known) {
        return forum_refused(exchange);
    }
    if (forum->check_place != NULL &&
        forum->check_place(exchange) != ADVANCE_DONE) {
        return ADVANCE_FAILED;
    }
    char *number = number_in(exchange);

    answer_id(exchange, number);
    free(number);
    return ADVANCE_DONE;
}

enum advance
forum_place(struct exchange *exchange)
{
    const struct forum *forum = forum_of(exchange);
    char *number = number_in(exchange);
    enum advance advance =
        number == NULL ? forum_no_topic(exchange, forum->address.form)
                       : forum_ask_for(exchange, &forum->ask.topic,
                                       (struct forum_values){.topic = number},
                                       parse_place);

    free(number);
    return advance;
}
