/*
 * Posts that come again as they were.  A feed is read from a while before what
 * was read last (adapters/adapter.h, `margin`), so while people talk each page
 * brings most of the last one again.
 */
#ifndef BOT_TABLES_TURNS_REPEATS_H
#define BOT_TABLES_TURNS_REPEATS_H

#include "bot/tables/tables.h"

/* The posts of a page that its feed's last page did not have just so, in
 * `fresh`: its list is the caller's to free, the posts' texts are the page's.
 * From now on this page is the last one. */
void repeats_leave_out(struct tables *tables, struct feed *feed,
                       const struct page *page, struct page *fresh);

#endif
