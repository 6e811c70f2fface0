/*
 * Replies to presses: what their pressers alone are to see.  They are kept in
 * memory only, from the ruling that made them until the loop takes them; a host
 * that ends before that has said nothing, and what counted is in the thread.
 */
#ifndef BOT_TABLES_REPLIES_H
#define BOT_TABLES_REPLIES_H

#include "adapters/adapter.h"
#include "bot/host/table/ruling.h"

struct press_reply {
    const struct service *service;
    char press[ADAPTER_ID_MAX + 1];
    char *text; /* owned, and wiped: it may be secret */
    struct buttons buttons;
    bool noted; /* it waits for its turn: another reply follows */
    /* The table that was opened, whose link ends the text; "": none was. */
    char opened[TABLE_ID_MAX + 1];
};

/* Those that wait for the loop, which takes them all at once; zeroed: none. */
struct replies {
    struct press_reply *list; /* owned */
    size_t count;
};

/* Take the replies off a ruling, before it is saved.  `opened`: it has opened
 * its table; `noted`: others follow. */
void replies_take(struct replies *replies, const struct post *post,
                  struct ruling *ruling, bool opened, bool noted);

void reply_release(struct press_reply *reply);
void replies_release(struct replies *replies);

#endif
