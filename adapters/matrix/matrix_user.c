/*
 * Matrix: a person whom the operator has named.
 *
 * An id is looked up as a profile.  A name is tried as an account of the host's
 * own server, then as a name that is shown (the server's directory of users):
 * the id is what has to be configured, for a name is nobody's own.
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define PROFILE   "/_matrix/client/v3/profile"
#define DIRECTORY "/_matrix/client/v3/user_directory/search"

enum user_step {
    USER_BEGIN,
    USER_ID,    /* is there an account of that id? */
    USER_OWN,   /* or one of that name on the host's own server? */
    USER_SHOWN, /* or somebody who is shown by it? */
};

struct looking {
    enum user_step step;
    char id[ADAPTER_ID_MAX + 1];
};

static enum turn
ask_profile(struct trip *trip, struct looking *looking, enum user_step step,
            const char *id)
{
    looking->step = step;
    memcpy(looking->id, id, strlen(id) + 1);
    ask(trip, "GET", PROFILE);
    ask_part(trip, id);
    return TURN_REQUEST;
}

static enum turn
ask_directory(struct trip *trip, struct looking *looking)
{
    looking->step = USER_SHOWN;
    ask(trip, "POST", DIRECTORY);
    ask_text(trip, "search_term", trip->errand->text);
    ask_json(trip, "limit", "50");
    ask_end(trip, ROUTE_SEARCH);
    return TURN_REQUEST;
}

static enum turn
user_found(struct trip *trip, const char *id, const char *name)
{
    buf_add_text(&trip->out->id, id);
    buf_add_text(&trip->out->shown, name != NULL ? name : id);
    return TURN_DONE;
}

static enum turn
nobody(struct trip *trip)
{
    return outcome_fail(trip->out, trip->why, ERR_GONE,
                        "%s: nobody is called \"%s\"; write an id, "
                        "@name:server, which apps show in a person's profile",
                        trip->service->name, trip->errand->text);
}

/* An account's name has no blank and no sign before it (C-S appendices, "User
 * identifiers"). */
static bool
add_own(const struct trip *trip, struct buf *id)
{
    buf_addf(id, "@%s:%s", trip->errand->text, server_of(trip->service->self));
    return is_id(buf_text(id)) && strpbrk(trip->errand->text, "@#!:") == NULL;
}

static enum turn
begin(struct trip *trip, struct looking *looking)
{
    struct buf id = BUF_INIT;
    enum turn turn;

    if (read_user(trip->errand->text, &id)) {
        turn = ask_profile(trip, looking, USER_ID, buf_text(&id));
    } else {
        buf_clear(&id);
        turn = add_own(trip, &id)
                   ? ask_profile(trip, looking, USER_OWN, buf_text(&id))
                   : ask_directory(trip, looking);
    }
    buf_release(&id);
    return turn;
}

/* A server may keep profiles to itself, or not reach another server: then the
 * id is taken as it is. */
static enum turn
hear_profile(struct trip *trip, struct looking *looking)
{
    if (heard_well(trip)) {
        return user_found(trip, looking->id,
                          jdoc_string(trip->value, "displayname"));
    }
    if (looking->step == USER_OWN &&
        (heard_no(trip, 404, "") || heard_no(trip, 400, "") ||
         heard_no(trip, 403, ""))) {
        return ask_directory(trip, looking);
    }
    if (heard_no(trip, 404, "") || heard_no(trip, 400, "M_INVALID_PARAM")) {
        return nobody(trip);
    }
    return heard_no(trip, 403, "M_FORBIDDEN")
               ? user_found(trip, looking->id, NULL)
               : trip_refused(trip);
}

/* Exactly one who is shown by that name. */
static enum turn
hear_directory(struct trip *trip)
{
    json_object *results = jdoc_get(trip->value, "results");
    const char *id = NULL;
    unsigned found = 0;

    if (!heard_well(trip) || !json_object_is_type(results, json_type_array)) {
        return trip_refused(trip);
    }
    for (size_t i = 0; i < json_object_array_length(results); i++) {
        json_object *result = json_object_array_get_idx(results, i);
        const char *user = hear_id(result, "user_id");
        const char *name = jdoc_string(result, "display_name");

        if (user != NULL && name != NULL &&
            strcmp(name, trip->errand->text) == 0) {
            id = user;
            found++;
        }
    }
    return found == 1 ? user_found(trip, id, trip->errand->text) : nobody(trip);
}

enum turn
turn_user(struct trip *trip)
{
    struct looking *looking = trip_memory(trip, sizeof(*looking));

    switch (looking->step) {
    case USER_BEGIN:
        return begin(trip, looking);
    case USER_ID:
    case USER_OWN:
        return hear_profile(trip, looking);
    case USER_SHOWN:
        break;
    }
    return hear_directory(trip);
}
