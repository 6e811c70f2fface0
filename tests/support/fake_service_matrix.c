/* A Matrix homeserver as a fake service.  People write HTML, as their apps do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "tests/support/fake_matrix.h"
#include "tests/support/fake_service.h"

#define LINK "<a href=\"https://matrix.to/#/{id}\">{name}</a>"
#define HOST "<a href=\"https://matrix.to/#/@placard:hs.test\">placard</a>"

static const char *const votes[] = {
    "<strong>{word}</strong>",
    "<p>Well, then.</p>\n<p><strong>{word}</strong></p>\n",
    "<b>{word}</b>",
    HOST ": <strong>{word}</strong>",
    "<mx-reply><blockquote><a href=\"https://matrix.to/#/!r0:hs.test/$1\">In "
    "reply to</a><br><strong>Nein!</strong></blockquote></mx-reply>"
    "<strong>{word}</strong>",
    "<em><strong>{word}</strong></em> I say",
    "<ul>\n<li>so <strong>{word}</strong></li>\n</ul>",
    NULL,
};
static const char *const idle[] = {
    "<blockquote><strong>Nein!</strong></blockquote>hm",
    "<del><strong>Nein!</strong></del>",
    "<code>**Nein!**</code>",
    "**Nein!**",
    NULL,
};
/* A bold pill, or the bold name alone on its line. */
static const char *const names[] = {
    "I choose <strong>" LINK "</strong>",
    "<p>Well:</p>\n<p><strong>{name}</strong></p>",
    NULL,
};

static int64_t latest; /* when something was asked */

static void *
open_home(void)
{
    struct homeserver *server = homeserver_new();

    homeserver_sociable(server);
    return server;
}

static void
close_home(void *server)
{
    homeserver_free(server);
}

static void
serve(void *server, int64_t now, const struct request *request,
      struct buf *body, struct reply *reply)
{
    latest = now;
    homeserver_serve(server, now, request, body, reply);
}

static void
add_user(void *server, const char *name, struct buf *id)
{
    (void)server;
    buf_addf(id, "@%s:hs.test", name);
}

static const char *
id_of(const char *name)
{
    static char id[64];

    snprintf(id, sizeof(id), "@%s:hs.test", name);
    return id;
}

static uint64_t
post(void *server, const char *user, uint64_t topic, const char *text,
     int64_t now)
{
    return homeserver_write(server, id_of(user), topic, "m.text", text, now);
}

static void
change(void *server, uint64_t id, const char *text, bool marked, int64_t now)
{
    (void)marked; /* an edit is an event of its own */
    homeserver_change(server, id, "", text, now);
}

static void
remove_post(void *server, uint64_t id)
{
    homeserver_remove(server, id, latest);
}

static void
add_link(void *server, uint64_t id, struct buf *link)
{
    (void)server;
    buf_addf(link,
             "https://matrix.to/#/" HOMESERVER_ROOM "/$%" PRIu64 "?via=hs.test",
             id - 1);
}

/* A stranger; a notice of a player's; an edit of what is another's. */
static void
intrude(void *server, uint64_t topic, int64_t now)
{
    static const char text[] = "<strong>Nein!</strong>";
    uint64_t dm = homeserver_write(server, id_of("Bob"), topic, "m.text",
                                   "Let me think.", now);

    homeserver_change(server, dm, id_of("Carl"), text, now);
    (void)homeserver_write(server, id_of("Zoe"), topic, "m.text", text, now);
    (void)homeserver_write(server, id_of("Anna"), topic, "m.notice", text, now);
}

static bool
look(void *server, size_t at, struct shown_post *shown)
{
    return homeserver_look(server, at, shown);
}

static bool
is_counted(void *server, uint64_t id)
{
    return homeserver_counted(server, id);
}

static void
storm(void *server, unsigned requests)
{
    homeserver_storm(server, requests);
}

static bool
is_private(void *server, const char *target, const char *body)
{
    (void)body;
    return homeserver_is_dm(server, target);
}

static bool
holds(void *server, int64_t now, const char *url, int64_t begun)
{
    return homeserver_holds(server, now, url, begun);
}

const struct fake_service fake_service_matrix = {
    .adapter = "matrix",
    .base = HOMESERVER_BASE,
    .account = "",
    .secret = "syt_SECRET_0123456789",
    .address = HOMESERVER_ROOM,
    .topic = 1,
    .losses = LOSS_EITHER,
    .open = open_home,
    .close = close_home,
    .serve = serve,
    .user = add_user,
    .post = post,
    .change = change,
    .remove = remove_post,
    .intrude = intrude,
    .look = look,
    .counted = is_counted,
    .storm = storm,
    .is_private = is_private,
    .holds = holds,
    .link = add_link,
    .votes = votes,
    .idle = idle,
    .names = names,
    .word = "<strong>{word}</strong>",
    .command = "{word}",
    .answer = "{word}",
};
