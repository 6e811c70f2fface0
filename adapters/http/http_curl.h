/*
 * What all connections of the HTTP client have in common, as libcurl's options.
 */
#ifndef ADAPTERS_HTTP_HTTP_CURL_H
#define ADAPTERS_HTTP_HTTP_CURL_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include <curl/curl.h>

#include "bot/base/memory.h"

enum {
    CONNECT_TIMEOUT_MS = 15000
};

/* Set an option.  Only a mistake of ours can make it fail. */
#define CURL_SET(easy, option, value)                                          \
    do {                                                                       \
        CURLcode set = curl_easy_setopt((easy), (option), (value));            \
        if (set == CURLE_OUT_OF_MEMORY) {                                      \
            die("out of memory");                                              \
        }                                                                      \
        assert(set == CURLE_OK);                                               \
    } while (0)

/* Check certificates, follow no redirect, give up connecting after
 * CONNECT_TIMEOUT_MS. */
void curl_set_safely(CURL *easy, bool encrypted);

/* Add the descriptors that a multi handle waits for, at most `room`, and cut
 * the patience (ms) to its next timeout.  Returns how many were added. */
unsigned curl_descriptors(CURLM *multi, struct curl_waitfd *descriptors,
                          unsigned room, int64_t *patience);

#endif
