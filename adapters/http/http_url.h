/*
 * What the HTTP client asks of a parsed URL.
 */
#ifndef ADAPTERS_HTTP_HTTP_URL_H
#define ADAPTERS_HTTP_HTTP_URL_H

#include <stdbool.h>

#include <curl/curl.h>

#include "bot/base/buf.h"

/* Append a part of a URL; nothing where it has none. */
void url_part(CURLU *url, CURLUPart part, struct buf *out);

/* Is that part so, in whatever case?  Is it the same in both? */
bool url_is(CURLU *url, CURLUPart part, const char *text);
bool url_shares(CURLU *a, CURLU *b, CURLUPart part);

/* Is its host this machine, whatever a name service says? */
bool url_is_loopback(CURLU *url);

/* Does its path begin with all the parts of another's? */
bool url_path_is_below(CURLU *url, CURLU *base);

#endif
