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
#define QUEUED       "need to be approved by a moderator"

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
    {"username is currently inactive", ERR_DENIED, REFUSED_ACCOUNT},
    {"banned from this board", ERR_DENIED, REFUSED_ACCOUNT},
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
phpbb_add_words(const struct trip *trip, struct buf *words)
{
    struct html_span page = phpbb_page(trip);
    struct html_span found;

    /* Beside a form: login_body.html has a div, posting_editor.html a p. */
    if (page_find(page, "div", "error", &found) ||
        page_find(page, "p", "error", &found) ||
        page_find_message(page, &found) || find_panel_words(page, &found)) {
        page_add_text(found, words);
    }
    if (trip->service->password != NULL) {
        buf_hide(words, trip->service->password);
    }
}

static bool
says(const struct trip *trip, const char *phrase)
{
    struct buf words = BUF_INIT;
    bool does = false;

    if (trip->reply->status == 200) {
        phpbb_add_words(trip, &words);
        does = strstr(buf_text(&words), phrase) != NULL;
    }
    buf_release(&words);
    return does;
}

bool
phpbb_wants_new_form(const struct trip *trip)
{
    return says(trip, FORM_INVALID);
}

bool
phpbb_is_queued(const struct trip *trip)
{
    return says(trip, QUEUED);
}

static void
refuse_in_words(struct trip *trip, const char *words)
{
    enum err err = ERR_DENIED;

    trip->out->refused = REFUSED_RIGHT;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (strstr(words, refusals[i].words) != NULL) {
            err = refusals[i].err;
            trip->out->refused = refusals[i].refused;
            break;
        }
    }
    (void)outcome_fail(trip->out, trip->why, err, "%s: %.200s",
                       trip->service->name, words);
    /* Whatever is added to it goes on with a semicolon. */
    while (strchr(". ", trip->why->data[trip->why->len - 1]) != NULL) {
        buf_truncate(trip->why, trip->why->len - 1);
    }
    trip->out->wait = err == ERR_LIMITED ? FLOOD_MS : 0;
}

enum turn
phpbb_refused(struct trip *trip)
{
    struct buf words = BUF_INIT;

    if (trip->reply->status != 0) {
        phpbb_add_words(trip, &words);
    }
    if (reply_err(trip->reply) != ERR_NONE && trip->reply->status / 100 != 3) {
        trip->out->refused = REFUSED_RIGHT;
        (void)outcome_refused(trip->service, trip->reply, buf_text(&words),
                              trip->out, trip->why);
    } else if (words.len > 0) {
        refuse_in_words(trip, buf_text(&words));
    } else {
        (void)outcome_fail(trip->out, trip->why, ERR_GARBLED,
                           "%s: the page is not what was asked for",
                           trip->service->name);
    }
    buf_release(&words);
    return TURN_FAILED;
}
