/*
 * What the store's two files share; nobody else includes it.
 */
#ifndef BOT_STORE_INNER_H
#define BOT_STORE_INNER_H

#include "bot/base/db.h"
#include "bot/store.h"

struct store {
    struct db *db;
    int lock; /* -1: none */
    char id[9];
};

#endif
