#include "bot/store/forget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/cli/archive.h"
#include "bot/cli/command.h"

struct forget_request {
    struct forget whom;
    bool dry_run;
    struct archive *archive;
    struct forget_found found;
};

/* ---- what is told -------------------------------------------------------- */

static void
print_done(const struct forget_request *request)
{
    const struct forget_found *found = &request->found;
    (void)printf("%s %s Anon %u in finished games: %s.\n", request->whom.user,
                 request->dry_run ? "would be" : "is", found->number,
                 found->over.len > 0 ? buf_text(&found->over) : "none");
    (void)printf("Where the transcript of a deal has the id, the record keeps "
                 "the deal's key instead: that it is the right one can be "
                 "checked only with the transcript as it was posted. Not "
                 "changed: what stands at the service, reports that were "
                 "attached there, and logs. `placard report --site` writes its "
                 "pages anew. Backups that were made before have them still; "
                 "`placard restore` forgets them again.\n");
}

/* The proof: search all of the store, and its pages, and say what is there. */
static enum err
print_left(const struct forget_request *request, struct buf *why)
{
    struct buf left = BUF_INIT;
    enum err err =
        forget_left(&request->whom, &request->found.names, &left, why);
    if (err == ERR_NONE) {
        (void)printf("Their id and names in the store and its pages (others "
                     "may have the same; a block stays): %s\n",
                     left.len > 0 ? buf_text(&left) : "nothing");
        (void)printf(request->dry_run
                         ? "Nothing is changed yet: leave out --dry-run.\n"
                         : "");
    }
    buf_release(&left);
    return err;
}

/* ---- the command --------------------------------------------------------- */

/* Whom the id is of.  Without games it may still be known somewhere. */
static enum err
find(struct forget_request *request, struct buf *why)
{
    enum err err = store_require_key(request->whom.store, why);
    ERR_THEN(err, forget_find(&request->whom, &request->found, why));
    if (request->whom.service == NULL) {
        request->whom.service = request->found.service;
    }
    if (err == ERR_NONE && request->whom.service == NULL) {
        err = err_say(why, ERR_GONE,
                      "%s: nobody with this user id is in a game; it is the "
                      "service's id, as `placard record GAME` has it in the "
                      "transcript, and no name. If they were in none, say of "
                      "which service with --service",
                      request->whom.user);
    }
    return err;
}

enum err
forget_again(const struct conf *conf, unsigned *count, struct buf *why)
{
    struct forget forget = {.path = conf->store,
                            .service_of = conf_service_of,
                            .context = conf,
                            .now = clock_now()};
    enum err err =
        store_open(conf->store, conf->key_file, STORE_HOST, &forget.store, why);
    if (err == ERR_NONE) {
        err = forget_all(&forget, count, why);
        store_close(forget.store);
    }
    return err;
}

/* Do it ourselves; but a host that runs has the lock, and does it soon. */
static enum err
forget_now(const struct forget_request *request, bool *soon, struct buf *why)
{
    const struct conf *conf = &request->archive->conf;
    const struct forget *whom = &request->whom;
    struct buf trouble = BUF_INIT;
    unsigned count = 0;
    enum err err =
        forget_ask(whom->store, conf->store, whom->service, whom->user, why);
    if (err == ERR_NONE) {
        err = forget_again(conf, &count, &trouble);
        *soon = err == ERR_DENIED;
        err = *soon ? ERR_NONE : err;
    }
    if (err != ERR_NONE) {
        buf_add_buf(why, &trouble);
    }
    buf_release(&trouble);
    return err;
}

static enum err
forget(struct archive *archive, void *context, struct buf *why)
{
    struct forget_request *request = context;
    bool soon = false;
    request->archive = archive;
    request->whom.context = &archive->conf;
    request->whom.store = archive->store;
    enum err err = find(request, why);
    if (err == ERR_NONE && !request->dry_run) {
        err = forget_now(request, &soon, why);
    }
    if (err != ERR_NONE) {
        return err;
    }
    if (!request->dry_run && request->found.on.len > 0) {
        (void)printf("They are in a game that is on, and are forgotten within "
                     "two hours after it has ended; a moderator may give the "
                     "seat to somebody else before: `!replace NAME`. Games: "
                     "%s.\n",
                     buf_text(&request->found.on));
    } else if (soon) {
        (void)printf("The host that runs does it within ten minutes, and logs "
                     "what is left.\n");
    } else {
        print_done(request);
        err = print_left(request, why);
    }
    return err;
}

int
command_forget(int argc, char **argv)
{
    struct forget_request request = {.whom = {.service_of = conf_service_of}};
    const char *file = NULL;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--service", .value = &request.whom.service},
        {.name = "--dry-run", .flag = &request.dry_run},
        {.name = NULL}};
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc != 2 || argv[1][0] == '\0') {
        (void)fprintf(stderr, "placard forget: whom? Name one user id\n");
        return EXIT_USAGE;
    }
    request.whom.user = argv[1];
    int code = archive_do(file, forget, &request);
    code = request.found.unread ? EXIT_FAULT : code; /* which is logged */
    forget_found_release(&request.found);
    return code;
}
