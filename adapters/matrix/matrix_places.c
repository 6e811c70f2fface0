/*
 * Matrix: what an account is set up with: which homeserver an address stands
 * for, and the rooms that the account is in, or is invited to, to choose from.
 *
 * One sync without a cursor has their names, aliases and encryption; what a
 * room tells of itself to whoever is invited is less (C-S, "Stripped state").
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define FILTER                                                                 \
    "{\"presence\":{\"types\":[]},"                                            \
    "\"account_data\":{\"types\":[\"m.direct\"]},"                             \
    "\"room\":{\"account_data\":{\"types\":[]},\"ephemeral\":{\"types\":[]},"  \
    "\"timeline\":{\"limit\":1,\"types\":[]},"                                 \
    "\"state\":{\"types\":[\"m.room.name\",\"m.room.canonical_alias\","        \
    "\"m.room.encryption\",\"m.room.create\",\"m.room.tombstone\"]}}}"

/* A text in the content of a state event; NULL: none. */
static const char *
text_in(json_object *events, const char *type, const char *key)
{
    const char *text = jdoc_string(parse_state(events, type, ""), key);

    return text != NULL && *text != '\0' ? text : NULL;
}

/* Is a room one to talk to a person in?  The account's apps say so, or whoever
 * invites it (C-S, "Direct Messaging"). */
static bool
is_direct(const struct exchange *exchange, const char *id, json_object *events)
{
    json_object *data =
        jdoc_get(jdoc_get(exchange->value, "account_data"), "events");
    json_object *own =
        parse_state(events, "m.room.member", exchange->service->self);
    bool direct = false;

    for (size_t i = 0; json_object_is_type(data, json_type_array) &&
                       i < json_object_array_length(data);
         i++) {
        json_object *people =
            jdoc_get(json_object_array_get_idx(data, i), "content");
        struct buf quoted = BUF_INIT;

        jtext_string(&quoted, id);
        direct = direct || strstr(json_object_to_json_string_ext(
                                      people, JSON_C_TO_STRING_NOSLASHESCAPE),
                                  buf_text(&quoted)) != NULL;
        buf_release(&quoted);
    }
    return direct || (jdoc_bool(own, "is_direct", &direct) && direct);
}

/* A room that is encrypted, closed, a DM, a gallery, or of a type of its own,
 * such as a Space, is none to host in. */
static void
add_room(struct exchange *exchange, const char *id, json_object *events,
         bool invited)
{
    const char *alias = text_in(events, "m.room.canonical_alias", "alias");
    const char *name = text_in(events, "m.room.name", "name");
    struct buf shown = BUF_INIT;

    if (parse_state(events, "m.room.encryption", "") != NULL ||
        parse_state(events, "m.room.tombstone", "") != NULL ||
        is_direct(exchange, id, events) ||
        text_in(events, "m.room.create", "type") != NULL ||
        text_in(events, "m.room.create", DM_KEY) != NULL ||
        text_in(events, "m.room.create", GALLERY_KEY) != NULL) {
        return;
    }
    if (name != NULL && alias != NULL) {
        buf_addf(&shown, "%s, %s", name, alias);
    } else {
        buf_add_text(&shown, name != NULL ? name : alias != NULL ? alias : id);
    }
    if (invited) {
        buf_add_text(&shown, " (an invitation)");
    }
    outcome_add_place(exchange->out,
                      alias != NULL && !invited && is_id(alias) ? alias : id,
                      buf_text(&shown));
    buf_release(&shown);
}

static void
add_rooms(struct exchange *exchange, const char *list, const char *state)
{
    json_object *rooms = jdoc_get(jdoc_get(exchange->value, "rooms"), list);

    if (!json_object_is_type(rooms, json_type_object)) {
        return;
    }
    json_object_object_foreach(rooms, id, room)
    {
        if (is_id(id)) {
            add_room(exchange, id, jdoc_get(jdoc_get(room, state), "events"),
                     strcmp(list, "invite") == 0);
        }
    }
}

enum advance
matrix_places(struct exchange *exchange)
{
    if (exchange->reply == NULL) {
        ask(exchange, "GET", "/_matrix/client/v3/sync");
        ask_query(exchange, "filter", FILTER);
        ask_query(exchange, "set_presence", "offline");
        ask_query(exchange, "timeout", "0");
        return ADVANCE_REQUEST;
    }
    if (!is_success(exchange)) {
        return exchange_refused(exchange);
    }
    add_rooms(exchange, "join", "state");
    add_rooms(exchange, "invite", "invite_state");
    return ADVANCE_DONE;
}

/* ---- which homeserver ---------------------------------------------------- */

#define WELL_KNOWN "/.well-known/matrix/client"
#define VERSIONS   "/_matrix/client/versions"

enum site_step {
    SITE_BEGIN,
    SITE_WELL_KNOWN,
    SITE_VERSIONS,
    SITE_GRANTS /* may the host log in by a browser? */
};

static enum advance
ask_site(struct exchange *exchange, const char *path)
{
    ask(exchange, "GET", path);
    exchange->out->request.authorized = false;
    return ADVANCE_REQUEST;
}

/* The base that a server's own file names, if it is another. */
static bool
parse_well_known(struct exchange *exchange)
{
    const char *url =
        parse_id(jdoc_get(exchange->value, "m.homeserver"), "base_url");
    struct buf *id = &exchange->out->id;

    buf_add_text(id, is_success(exchange) && url != NULL ? url : "");
    while (id->len > 0 && id->data[id->len - 1] == '/') {
        buf_truncate(id, id->len - 1);
    }
    return id->len > 0 && !buf_equals(id, exchange->service->base);
}

/* Can't it be told now? */
static bool
is_away(const struct exchange *exchange)
{
    enum err err = reply_err(exchange->reply);

    return err == ERR_LATER || err == ERR_LIMITED;
}

static enum advance
parse_versions(struct exchange *exchange)
{
    if (!is_success(exchange) ||
        !json_object_is_type(jdoc_get(exchange->value, "versions"),
                             json_type_array)) {
        return is_away(exchange)
                   ? exchange_refused(exchange)
                   : outcome_fail(exchange->out, exchange->why, ERR_GONE,
                                  "%s: there is no homeserver at %s",
                                  exchange->service->name,
                                  exchange->service->base);
    }
    buf_clear(&exchange->out->id);
    buf_add_text(&exchange->out->id, exchange->service->base);
    return ask_metadata(exchange);
}

/* Is a homeserver there (C-S, "Server Discovery")? */
enum advance
matrix_site(struct exchange *exchange)
{
    enum site_step *step = exchange_memory(exchange, sizeof(*step));

    switch ((*step)++) {
    case SITE_BEGIN:
        return ask_site(exchange, WELL_KNOWN);
    case SITE_WELL_KNOWN:
        if (is_away(exchange)) {
            return exchange_refused(exchange);
        }
        return parse_well_known(exchange) ? ADVANCE_DONE
                                          : ask_site(exchange, VERSIONS);
    case SITE_VERSIONS:
        return parse_versions(exchange);
    case SITE_GRANTS:
        break;
    }
    if (is_away(exchange)) {
        return exchange_refused(exchange);
    }
    exchange->out->grants = offers_grant(exchange);
    return ADVANCE_DONE;
}
