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

enum {
    /* flood_interval is 15 s at first, and no page tells it. */
    FLOOD_MS = 15000
};

const struct forum_refusal phpbb_refusals[] = {
    {200, "submitted form was invalid", ERR_LATER, REFUSED_RIGHT, 0},
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

/* Only members can log out; and the link to it has the session's id
 * (functions.php), which nobody else can write into a post. */
bool
phpbb_is_inside(const struct exchange *exchange)
{
    const char *at = strstr(forum_cookies(exchange), "_sid=");
    const char *logout = forum_text(exchange->value, "logout");
    struct buf sid = BUF_INIT;

    if (at != NULL) {
        at += sizeof("_sid=") - 1;
        buf_addf(&sid, "sid=%.*s", (int)strcspn(at, ";"), at);
    }
    bool inside = exchange->reply->status == 200 && sid.len > 0 &&
                  logout != NULL && strstr(logout, buf_text(&sid)) != NULL;

    buf_wipe(&sid);
    return inside;
}

/* phpBB itself says in words what is missing.  A 404 without any is its web
 * server's, and tells nothing of a person. */
void
phpbb_explain(struct exchange *exchange)
{
    const struct op *op = exchange->op;

    if (exchange->reply->status == 404 && (op->dm || op->kind == OP_DM) &&
        !forum_is_missing(exchange)) {
        exchange->out->err = ERR_LATER;
    }
}

/* To moderators a board that is disabled shows what it has, below a notice:
 * nobody else can post there.  To all others it shows its administrator's
 * words, on a page of its own; what topics themselves refuse has another status
 * (viewtopic.php). */
enum advance
phpbb_check_page(struct exchange *exchange)
{
    const char *notice = forum_text(exchange->value, "notice");

    if (notice != NULL && strstr(notice, "currently disabled") != NULL) {
        return outcome_fail(exchange->out, exchange->why, ERR_LATER,
                            "%s: the board is disabled",
                            exchange->service->name);
    }
    if (forum_get(exchange->value, "total") != NULL) {
        return ADVANCE_DONE;
    }
    (void)forum_refused(exchange);
    if (exchange->reply->status == 200 && exchange->out->err == ERR_DENIED &&
        exchange->out->refused == REFUSED_RIGHT) {
        exchange->out->err = ERR_LATER;
    }
    return ADVANCE_FAILED;
}
