/*
 * NodeBB: who has left a chat.
 *
 * No message says so (rooms with joinLeaveMessages, which ours are not, are
 * asked for by whoever makes them), and a room goes on without them, with all
 * that is written there.  But the list of chats tells how many are in each, and
 * who is alone in one stays alone unless they ask somebody in.  So a chat in
 * which only the account is left was left by the other; those that were told of
 * are in the adapter state.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/nodebb/nodebb_inner.h"
#include "bot/base/json.h"

static const char state_left[] = "left";

void
nodebb_left_begin(const struct exchange *exchange, struct nodebb_left *left)
{
    const char *at = exchange_state(exchange, state_left);

    left->count = 0;
    while (*at != '\0' && left->count < NODEBB_LEFT_MAX) {
        char *end = NULL;

        left->rooms[left->count] = strtoll(at, &end, 10);
        if (end == at) {
            return;
        }
        left->count++;
        at = end + strspn(end, " ");
    }
}

static bool
is_known(const struct nodebb_left *left, int64_t room)
{
    for (unsigned i = 0; i < left->count; i++) {
        if (left->rooms[i] == room) {
            return true;
        }
    }
    return false;
}

/* The one that was told of first makes room. */
static void
know(struct nodebb_left *left, int64_t room)
{
    if (left->count == NODEBB_LEFT_MAX) {
        left->count--;
        memmove(&left->rooms[0], &left->rooms[1],
                left->count * sizeof(left->rooms[0]));
    }
    left->rooms[left->count++] = room;
    left->changed = true;
}

void
nodebb_left_look(struct exchange *exchange, struct nodebb_left *left,
                 json_object *rooms, int64_t date)
{
    for (size_t i = 0; i < json_object_array_length(rooms); i++) {
        json_object *room = json_object_array_get_idx(rooms, i);
        char number[FORUM_ID_MAX + 1];
        int64_t people = 0;

        if (!jdoc_integer(room, "userCount", &people) || people != 1 ||
            !forum_parse_number(room, "roomId", number) ||
            is_known(left, strtoll(number, NULL, 10))) {
            continue;
        }
        struct post *post = forum_add_post(&exchange->out->page, number, true);

        post->kind = POST_LEFT;
        post->id = must_copy(number);
        post->author = must_copy("");
        post->body = must_copy("");
        post->stamp = date;
        know(left, strtoll(number, NULL, 10));
    }
}

void
nodebb_left_end(struct exchange *exchange, const struct nodebb_left *left)
{
    struct buf value = BUF_INIT;

    for (unsigned i = 0; i < left->count; i++) {
        buf_add_text(&value, i == 0 ? "" : " ");
        buf_add_number(&value, left->rooms[i]);
    }
    if (left->changed) {
        (void)exchange_set_state(exchange, state_left, buf_text(&value));
    }
    buf_release(&value);
}
