#include "adapters/http/http_curl.h"

#include <sys/select.h>

void
curl_set_safely(CURL *easy, bool encrypted)
{
    CURL_SET(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    CURL_SET(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    CURL_SET(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    CURL_SET(easy, CURLOPT_FOLLOWLOCATION, 0L);
    CURL_SET(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    /* An unencrypted request must not leave the machine for a proxy. */
    if (!encrypted) {
        CURL_SET(easy, CURLOPT_NOPROXY, "*");
    }
    CURL_SET(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_TIMEOUT_MS);
    CURL_SET(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    CURL_SET(easy, CURLOPT_NOSIGNAL, 1L);
    /* A name service that hangs must not keep the process from ending. */
    CURL_SET(easy, CURLOPT_QUICK_EXIT, 1L);
}

unsigned
curl_descriptors(CURLM *multi, struct curl_waitfd *descriptors, unsigned room,
                 int64_t *patience)
{
    fd_set in;
    fd_set out;
    fd_set odd;
    int highest = -1;
    long timeout = -1;
    unsigned count = 0;

    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&odd);
    (void)curl_multi_fdset(multi, &in, &out, &odd, &highest);
    for (int i = 0; i <= highest && count < room; i++) {
        int events = (FD_ISSET(i, &in) ? CURL_WAIT_POLLIN : 0) |
                     (FD_ISSET(i, &out) ? CURL_WAIT_POLLOUT : 0);
        if (events != 0) {
            descriptors[count++] =
                (struct curl_waitfd){.fd = i, .events = (short)events};
        }
    }
    (void)curl_multi_timeout(multi, &timeout);
    if (timeout >= 0 && timeout < *patience) {
        *patience = timeout;
    }
    return count;
}
