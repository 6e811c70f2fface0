/*
 * What services refuse, as they were seen to: a right that is missing, an
 * account, a flood, words, a form.
 */
#include "tests/support/evening.h"

#define JSON "content-type: application/json\r\n"
#define HTML "content-type: text/html; charset=utf-8\r\n"

/* Where each service takes posts, and where private messages. */
#define DISCORD .adapter = "discord", .method = "POST", .path = "/messages"
#define EDITS   .adapter = "discord", .method = "PATCH", .path = "/messages/"
#define DISCOURSE                                                              \
    .adapter = "discourse", .method = "POST", .path = "/posts.json"
#define NODEBB .adapter = "nodebb", .method = "POST", .path = "/api/v3/topics/"
#define CHATS  .adapter = "nodebb", .method = "POST", .path = "/api/v3/chats/"
#define PHPBB  .adapter = "phpbb", .method = "POST", .path = "/posting.php"

#define PAGE(content)                                                           \
    "<!DOCTYPE html>\n<html dir=\"ltr\" lang=\"en-gb\"><head><title>x</title>"  \
    "</head>\n<body id=\"phpbb\" class=\"nojs notouch section-posting ltr\">"   \
    "<ul id=\"nav-main\"><li><a href=\"./ucp.php?mode=logout&amp;sid=0f1e2d\" " \
    "title=\"Logout\" accesskey=\"x\"><span>Logout [ <span class="              \
    "\"username\">placard</span> ]</span></a></li></ul>\n" content              \
    "</body></html>\n"

const struct refused_request refused_requests[] = {
    {DISCORD, .status = 403, .headers = JSON, .lasts = 20000,
     .body = "{\"message\": \"Missing Permissions\", \"code\": 50013}"},
    {DISCORD, .status = 401, .headers = JSON, .lasts = 20000,
     .body = "{\"message\": \"401: Unauthorized\", \"code\": 0}"},
    {DISCORD, .status = 400, .headers = JSON,
     .body = "{\"message\": \"Message was blocked by automatic moderation\","
             " \"code\": 200000}"},
    {EDITS, .status = 403, .headers = JSON, .lasts = 20000,
     .body = "{\"message\": \"Missing Permissions\", \"code\": 50013}"},
    {PHPBB, .status = 200, .headers = HTML, .lasts = 20000,
     .body = PAGE("<div class=\"panel\" id=\"message\"><div class=\"inner\">"
                  "<h2 class=\"message-title\">Information</h2>\n<p>This topic "
                  "is locked, you cannot edit posts or make further "
                  "replies.</p></div></div>")},
    {DISCOURSE, .status = 403, .headers = JSON, .lasts = 20000,
     .body = "{\"errors\":[\"You are not permitted to view the requested "
             "resource.\"],\"error_type\":\"invalid_access\"}"},
    {DISCOURSE, .status = 429, .headers = JSON "retry-after: 17\r\n",
     .lasts = 17000,
     .body = "{\"errors\":[\"You’ve performed this action too many times, "
             "please try again later.\"],\"error_type\":\"rate_limit\","
             "\"extras\":{\"wait_seconds\":17,\"time_left\":\"17 "
             "seconds\"}}"},
    {NODEBB, .status = 403, .headers = JSON, .lasts = 20000,
     .body = "{\"status\":{\"code\":\"forbidden\",\"message\":\"You do not "
             "have enough privileges for this action.\"},\"response\":{}}"},
    {CHATS, .status = 403, .headers = JSON, .lasts = 20000,
     .body = "{\"status\":{\"code\":\"forbidden\",\"message\":\"You do not "
             "have enough privileges for this action.\"},\"response\":{}}"},
};

const unsigned refused_request_count =
    sizeof refused_requests / sizeof refused_requests[0];
