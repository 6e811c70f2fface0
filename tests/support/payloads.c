#include "tests/support/payloads.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/base/memory.h"

/* The names are those of discord-api-types, version 10 of the API. */
static const struct {
    const char *method, *path, *type;
} requests[] = {
    {"POST", "channels/*/messages", "RESTPostAPIChannelMessageJSONBody"},
    {"PATCH", "channels/*/messages/*", "RESTPatchAPIChannelMessageJSONBody"},
    {"POST", "channels/*/messages/*/threads",
     "RESTPostAPIChannelMessagesThreadsJSONBody"},
    {"POST", "channels/*/threads",
     "RESTPostAPIGuildForumThreadsJSONBody | RESTPostAPIChannelThreadsJSONBody"},
    {"PATCH", "channels/*", "RESTPatchAPIChannelJSONBody"},
    {"POST", "users/@me/channels",
     "RESTPostAPICurrentUserCreateDMChannelJSONBody"},
    {"POST", "interactions/*/*/callback",
     "RESTPostAPIInteractionCallbackJSONBody"},
    {"PATCH", "webhooks/*/*/messages/@original",
     "RESTPatchAPIInteractionOriginalResponseJSONBody"},
    {"PUT", "applications/*/guilds/*/commands",
     "RESTPutAPIApplicationGuildCommandsJSONBody"},
};

/* A line with the type, and one with the value. */
static void
keep(const char *type, const char *json)
{
    const char *path = getenv("PLACARD_PAYLOADS");
    FILE *file = path == NULL ? NULL : fopen(path, "a");

    if (file == NULL) {
        die("no payload can be kept in %s", path == NULL ? "-" : path);
    }
    fprintf(file, "%s\t%s\n", type, json);
    if (fclose(file) != 0) {
        die("%s can't be written", path);
    }
}

static bool
is_wanted(void)
{
    return getenv("PLACARD_PAYLOADS") != NULL;
}

/* Is it the path of a request, whatever is asked for behind it? */
static bool
is_path(const char *pattern, const char *path)
{
    char plain[256];

    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(path, "?"), path);
    return fnmatch(pattern, plain, FNM_PATHNAME) == 0;
}

void
payloads_keep_request(const char *method, const char *path, const char *json)
{
    if (!is_wanted()) {
        return;
    }
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        if (strcmp(requests[i].method, method) == 0 &&
            is_path(requests[i].path, path)) {
            keep(requests[i].type, json);
            return;
        }
    }
    die("no type is known for %s %s", method, path);
}

void
payloads_keep_sent(const char *json)
{
    if (is_wanted()) {
        keep("GatewaySendPayload", json);
    }
}

/* Two have no data that means anything, and the types want it undefined, which
 * JSON can't say. */
void
payloads_keep_received(const char *json)
{
    static const char *const events[][2] = {
        {"\"op\":10,", "GatewayHello"},
        {"\"op\":9,", "GatewayInvalidSession"},
        {"\"op\":11", NULL},
        {"\"t\":\"READY\",", "GatewayReadyDispatch"},
        {"\"t\":\"RESUMED\",", NULL},
        {"\"t\":\"MESSAGE_CREATE\",", "GatewayMessageCreateDispatch"},
        {"\"t\":\"MESSAGE_DELETE\",", "GatewayMessageDeleteDispatch"},
        {"\"t\":\"INTERACTION_CREATE\",", "GatewayInteractionCreateDispatch"},
    };
    const size_t count = sizeof events / sizeof events[0];
    size_t i = 0;

    if (!is_wanted()) {
        return;
    }
    while (i < count && strstr(json, events[i][0]) == NULL) {
        i++;
    }
    if (i == count) {
        die("no type is known for %s", json);
    }
    if (events[i][1] != NULL) {
        keep(events[i][1], json);
    }
}
