/*
 * Matrix: the rooms that the account is in, or is invited to, to choose from.
 *
 * One sync without a cursor has their names, aliases and encryption; what a
 * room tells of itself to whoever is invited is less (C-S, "Stripped state").
 */
#include <string.h>

#include "adapters/matrix/matrix_inner.h"
#include "bot/base/json.h"

#define FILTER                                                                 \
    "{\"presence\":{\"types\":[]},\"account_data\":{\"types\":[]},"            \
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

/* A room that is encrypted, closed, the DM of a player, or a gallery, is none
 * to host in. */
static void
add_room(struct exchange *exchange, const char *id, json_object *events,
         bool invited)
{
    const char *alias = text_in(events, "m.room.canonical_alias", "alias");
    const char *name = text_in(events, "m.room.name", "name");
    struct buf shown = BUF_INIT;

    if (parse_state(events, "m.room.encryption", "") != NULL ||
        parse_state(events, "m.room.tombstone", "") != NULL ||
        text_in(events, "m.room.create", DM_KEY) != NULL ||
        text_in(events, "m.room.create", GALLERY_KEY) != NULL) {
        return;
    }
    if (name != NULL && alias != NULL) {
        buf_addf(&shown, "%s, %s", name, alias);
    } else {
        buf_add_text(&shown, name != NULL ? name : alias != NULL ? alias : id);
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
