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

static const struct {
    const char *words;
    enum err err;
    enum refused refused;
} refusals[] = {
    {FORM_INVALID, ERR_LATER, REFUSED_RIGHT},
    {"board is currently unavailable", ERR_LATER, REFUSED_RIGHT},
    {"board is currently disabled", ERR_LATER, REFUSED_RIGHT}, /* not seen */
    {"board is temporarily unavailable", ERR_LATER,
     REFUSED_RIGHT}, /* not seen */
    {"so soon after your last", ERR_LIMITED, REFUSED_RIGHT},
    {"pass the CAPTCHA", ERR_DENIED, REFUSED_LOGIN},
    {"confirmation code you entered", ERR_DENIED, REFUSED_LOGIN}, /* not seen */
    {"specified an incorrect password", ERR_DENIED, REFUSED_ACCOUNT},
    {"specified an incorrect username", ERR_DENIED, REFUSED_ACCOUNT},
    {"username is currently inactive", ERR_DENIED, REFUSED_LOCKED},
    {"banned from this board", ERR_DENIED, REFUSED_LOCKED},
    {"maximum number of allowed characters", ERR_DENIED, REFUSED_WORDS},
    {"too many characters", ERR_DENIED, REFUSED_WORDS}, /* not seen */
    {"need to enter at least", ERR_DENIED, REFUSED_WORDS},
    {"too few characters", ERR_DENIED, REFUSED_WORDS},   /* not seen */
    {"must enter a message", ERR_DENIED, REFUSED_WORDS}, /* not seen */
    {"too many smilies", ERR_DENIED, REFUSED_EXTRA},     /* not seen */
    {"too many URLs", ERR_DENIED, REFUSED_EXTRA},
    {"cannot use certain BBCodes", ERR_DENIED, REFUSED_EXTRA}, /* not seen */
    {"Some users couldn", ERR_DENIED, REFUSED_PERSON},
    {"users to be added do not exist", ERR_DENIED,
     REFUSED_PERSON}, /* not seen */
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

static void
refuse_in_words(struct exchange *exchange, const char *words)
{
    enum err err = ERR_DENIED;

    exchange->out->refused = REFUSED_RIGHT;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (strstr(words, refusals[i].words) != NULL) {
            err = refusals[i].err;
            exchange->out->refused = refusals[i].refused;
            break;
        }
    }
    (void)outcome_fail(exchange->out, exchange->why, err, "%s: %.200s",
                       exchange->service->name, words);
    /* More text is added after a semicolon. */
    while (strchr(". ", exchange->why->data[exchange->why->len - 1]) != NULL) {
        buf_truncate(exchange->why, exchange->why->len - 1);
    }
    exchange->out->wait = err == ERR_LIMITED ? FLOOD_MS : 0;
}

/* phpBB itself says in words what is missing.  A 404 without any is its web
 * server's, and tells nothing of a person. */
static bool
is_of_nobody(const struct exchange *exchange, const struct buf *words)
{
    const struct op *op = exchange->op;

    return exchange->reply->status == 404 && words->len == 0 &&
           (op->dm || op->kind == OP_DM);
}

enum advance
phpbb_refused(struct exchange *exchange)
{
    struct buf words = BUF_INIT;

    if (exchange->reply->status != 0) {
        phpbb_add_words(exchange, &words);
    }
    if (is_of_nobody(exchange, &words)) {
        (void)outcome_fail(exchange->out, exchange->why, ERR_LATER,
                           "%s: status 404", exchange->service->name);
    } else if (reply_err(exchange->reply) != ERR_NONE &&
               exchange->reply->status / 100 != 3) {
        exchange->out->refused = REFUSED_RIGHT;
        (void)outcome_refused(exchange->service, exchange->reply,
                              buf_text(&words), exchange->out, exchange->why);
    } else if (words.len > 0) {
        refuse_in_words(exchange, buf_text(&words));
    } else {
        (void)outcome_fail(exchange->out, exchange->why, ERR_GARBLED,
                           "%s: the page is not what was asked for",
                           exchange->service->name);
    }
    buf_release(&words);
    return ADVANCE_FAILED;
}
