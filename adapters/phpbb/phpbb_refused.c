/*
 * phpBB: what a board refuses, and in which words.
 *
 * Nearly all of it comes with status 200, on a page of its own or beside the
 * form that was sent.  The words are those of phpBB's English language pack
 * (language/en, 3.3.15).  Those without a remark were seen at a real board and
 * recorded (tests/fixtures/phpbb); the others stand in that pack alone.
 */
#include <string.h>

#include "adapters/phpbb/phpbb_inner.h"
#include "bot/base/civil.h"

#define FORM_INVALID "submitted form was invalid"
#define UNAPPROVED   "need to be approved by a moderator"

enum {
    /* flood_interval is 15 s at first, and no page tells it. */
    FLOOD_MS = 15000
};

const struct forum_refusal phpbb_refusals[] = {
    {200, FORM_INVALID, ERR_LATER, REFUSED_RIGHT, 0},
    {200, "board is currently unavailable", ERR_LATER, REFUSED_RIGHT, 0},
    {200, "board is currently disabled", ERR_LATER, REFUSED_RIGHT,
     0}, /* not seen */
    {200, "board is temporarily unavailable", ERR_LATER, REFUSED_RIGHT,
     0}, /* not seen */
    {200, "so soon after your last", ERR_LIMITED, REFUSED_RIGHT, FLOOD_MS},
    {200, "pass the CAPTCHA", ERR_DENIED, REFUSED_LOGIN, 0},
    {200, "confirmation code you entered", ERR_DENIED, REFUSED_LOGIN,
     0}, /* not seen */
    {200, "specified an incorrect password", ERR_DENIED, REFUSED_ACCOUNT, 0},
    {200, "specified an incorrect username", ERR_DENIED, REFUSED_ACCOUNT, 0},
    {200, "username is currently inactive", ERR_DENIED, REFUSED_LOCKED, 0},
    {200, "banned from this board", ERR_DENIED, REFUSED_LOCKED, 0},
    {200, "maximum number of allowed characters", ERR_DENIED, REFUSED_WORDS, 0},
    {200, "too many characters", ERR_DENIED, REFUSED_WORDS, 0}, /* not seen */
    {200, "need to enter at least", ERR_DENIED, REFUSED_WORDS, 0},
    {200, "too few characters", ERR_DENIED, REFUSED_WORDS, 0},   /* not seen */
    {200, "must enter a message", ERR_DENIED, REFUSED_WORDS, 0}, /* not seen */
    {200, "too many smilies", ERR_DENIED, REFUSED_EXTRA, 0},     /* not seen */
    {200, "too many URLs", ERR_DENIED, REFUSED_EXTRA, 0},
    {200, "cannot use certain BBCodes", ERR_DENIED, REFUSED_EXTRA,
     0}, /* not seen */
    {200, "Some users couldn", ERR_DENIED, REFUSED_PERSON, 0},
    {200, "users to be added do not exist", ERR_DENIED, REFUSED_PERSON,
     0}, /* not seen */
    {0},
};

/* What a control panel says in place of a form stands in bold, alone in its
 * paragraph (ucp_pm_message_header.html). */
static bool
find_panel_words(struct html_span page, struct html_span *found)
{
    struct html_span panel;
    struct html_tag tag;

    if (!page_find_id(page, "cp-main", &panel)) {
        return false;
    }
    for (bool begun = false; page_next_tag(&panel, &tag);
         begun = !tag.closing && html_is(tag.name, "p")) {
        if (begun && !tag.closing && html_is(tag.name, "strong")) {
            *found = page_content(&tag, panel);
            return true;
        }
    }
    return false;
}

void
phpbb_add_words(const struct exchange *exchange, struct buf *words)
{
    struct html_span page = phpbb_page(exchange);
    struct html_span found;

    /* Beside a form: login_body.html has a div, posting_editor.html a p. */
    if (page_find(page, "div", "error", &found) ||
        page_find(page, "p", "error", &found) ||
        page_find_message(page, &found) || find_panel_words(page, &found)) {
        page_add_text(found, words);
    }
    if (exchange->service->password != NULL) {
        buf_hide(words, exchange->service->password);
    }
}

static bool
says(const struct exchange *exchange, const char *phrase)
{
    struct buf words = BUF_INIT;
    bool does = false;

    if (exchange->reply->status == 200) {
        phpbb_add_words(exchange, &words);
        does = strstr(buf_text(&words), phrase) != NULL;
    }
    buf_release(&words);
    return does;
}

bool
phpbb_wants_new_form(const struct exchange *exchange)
{
    return says(exchange, FORM_INVALID);
}

bool
phpbb_is_unapproved(const struct exchange *exchange)
{
    return says(exchange, UNAPPROVED);
}

/* phpBB itself says in words what is missing.  A 404 without any is its web
 * server's, and tells nothing of a person. */
void
phpbb_explain(struct exchange *exchange)
{
    const struct op *op = exchange->op;
    struct buf words = BUF_INIT;

    if (exchange->reply->status == 404 && (op->dm || op->kind == OP_DM)) {
        phpbb_add_words(exchange, &words);
        exchange->out->err = words.len == 0 ? ERR_LATER : exchange->out->err;
    }
    buf_release(&words);
}
