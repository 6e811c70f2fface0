#include "adapters/http/http_url.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

void
url_part(CURLU *url, CURLUPart part, struct buf *out)
{
    char *text = NULL;

    if (curl_url_get(url, part, &text, CURLU_DEFAULT_PORT) == CURLUE_OK) {
        buf_add_text(out, text);
    }
    curl_free(text);
}

bool
url_is(CURLU *url, CURLUPart part, const char *text)
{
    struct buf found = BUF_INIT;

    url_part(url, part, &found);
    bool same = strcasecmp(buf_text(&found), text) == 0;
    buf_release(&found);
    return same;
}

bool
url_shares(CURLU *a, CURLU *b, CURLUPart part)
{
    struct buf text = BUF_INIT;

    url_part(a, part, &text);
    bool same = url_is(b, part, buf_text(&text));
    buf_release(&text);
    return same;
}

bool
url_is_loopback(CURLU *url)
{
    struct in_addr address;
    struct buf host = BUF_INIT;

    url_part(url, CURLUPART_HOST, &host);
    bool here = inet_pton(AF_INET, buf_text(&host), &address) == 1
                    ? ntohl(address.s_addr) >> 24 == 127
                    : strcasecmp(buf_text(&host), "localhost") == 0 ||
                          strcmp(buf_text(&host), "[::1]") == 0;
    buf_release(&host);
    return here;
}

bool
url_path_is_below(CURLU *url, CURLU *base)
{
    struct buf path = BUF_INIT;
    struct buf above = BUF_INIT;

    /* Parsed paths have no "." and ".." any more. */
    url_part(url, CURLUPART_PATH, &path);
    url_part(base, CURLUPART_PATH, &above);
    while (above.len > 0 && above.data[above.len - 1] == '/') {
        buf_truncate(&above, above.len - 1);
    }
    bool below = strncmp(buf_text(&path), buf_text(&above), above.len) == 0 &&
                 strchr("/", buf_text(&path)[above.len]) != NULL;
    buf_release(&path);
    buf_release(&above);
    return below;
}
