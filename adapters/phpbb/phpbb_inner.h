/*
 * What the files of the phpBB adapter share; nobody else includes it.
 *
 * phpBB has no API: the adapter does what a person would do in a browser, forms
 * and all.  Facts come from trying phpBB 3.3.15.
 */
#ifndef ADAPTERS_PHPBB_INNER_H
#define ADAPTERS_PHPBB_INNER_H

#include "adapters/forum/forum.h"
#include "adapters/forum/page.h"

enum {
    /* A form sent back in the same second in which it was fetched is refused.
     * And all forms that an account fetches in one second count as the same,
     * whatever they are for: the first one sent is accepted, the others are
     * refused (phpbb/lock/posting.php, since 3.3.12). */
    PHPBB_APART_MS = 1200
};

/* Requests for pages; for forms that will be sent, a while after the last one;
 * and for confirming on the page in the reply what can't be undone.  Forms have
 * a route of their own. */
#define PHPBB_PAGE(address)                                                    \
    {                                                                          \
        .method = "GET", .path = (address), .route = "page"                    \
    }
#define PHPBB_FORM(address)                                                    \
    {                                                                          \
        .method = "GET", .path = (address), .route = "form",                   \
        .apart = PHPBB_APART_MS                                                \
    }
#define PHPBB_CONFIRM(address)                                                 \
    .method = "POST", .path = (address), .form = "confirm_uid",                \
    .own = " confirm cancel confirm_key delete_reason ",                       \
    .body = "confirm_key={key}&delete_reason=&confirm=Yes", .route = "form",   \
    .apart = PHPBB_APART_MS

extern const struct forum forum_phpbb;
extern const struct forum_part phpbb_parts[];       /* phpbb_pages.c */
extern const struct forum_list phpbb_lists[];       /* … */
extern const struct forum_refusal phpbb_refusals[]; /* phpbb_refused.c */
extern const struct forum_stage phpbb_stages[];     /* phpbb_probe.c */

/* What the description names (forum.h). */
bool phpbb_is_inside(const struct exchange *exchange);
void phpbb_explain(struct exchange *exchange);
enum advance phpbb_check_page(struct exchange *exchange);
enum advance phpbb_date_edits(struct exchange *exchange);

/* When the post was written that a text quotes at its start, "[quote=Anna
 * time=1700000000 user_id=4]": milliseconds; false: it doesn't say. */
bool phpbb_quote_time(const char *text, int64_t *time);

enum advance phpbb_who(struct exchange *exchange);
enum advance phpbb_read(struct exchange *exchange);
enum advance phpbb_find(struct exchange *exchange);
enum advance phpbb_dm(struct exchange *exchange);
enum advance phpbb_open(struct exchange *exchange);

#endif
