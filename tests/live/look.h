/*
 * Looking at a run afterwards: what accounts can see in their rooms, what a
 * homeserver answered, and which secrets a host's records and DMs reveal.
 */
#ifndef TESTS_LIVE_LOOK_H
#define TESTS_LIVE_LOOK_H

#include "tests/live/group.h"
#include "tests/live/homes.h"

/* The rooms that an account is in: an array of ids, yours to put. */
json_object *look_rooms(const struct account *account);
/* One of them; borrowed. */
const char *look_at(json_object *rooms, size_t at);

/* Every message that an account can see in a room, oldest first: an array of
 * events, yours to put. */
json_object *look_room(const struct account *account, const char *room);

/* A state event's content, yours to put; NULL: there is none. */
json_object *look_state(const struct account *account, const char *room,
                        const char *type);

/* The private room that the host has made for a player, "" if none; two fail
 * the test. */
void look_dm(const struct group *group, unsigned player, char *room,
             size_t size);

/* The text of a message; "" of any other event. */
const char *look_text(json_object *event);
bool look_is_by(json_object *event, const char *user);
bool look_is_edit(json_object *event);

/* How many messages of a user in a room, as an account sees it, hold a text;
 * the id of the last is written to `id` (128 bytes). */
unsigned look_find(const struct account *account, const char *room,
                   const char *user, const char *text, char *id);

/* How many posts of the host in a group's room hold a text. */
unsigned look_count(const struct group *group, const char *text);

/* A request that a homeserver has answered. */
struct asked {
    int64_t start, end; /* ms; by a clock of its log's own */
    int status;
    char method[8], path[512];
};

/* All those of an account, in the order of their answers; yours to free. */
struct asked *look_asked(const struct home *home, const char *user,
                         size_t *count);

/* A record's lines, yours to put. */
json_object *look_record(const char *path);

/* The first of them from one on that tells of an event, borrowed; its number is
 * written back.  Fails the test where there is none. */
json_object *look_line(json_object *lines, const char *event, size_t *from);

/* When that was, ms. */
int64_t look_time(json_object *line);

/* The roles and hands of each player in the order in which they were told, as
 * "role fascist, hand FLF, pass LF, …". */
struct told {
    struct buf players[GROUP_PLAYERS_MAX];
    unsigned rounds, sessions, policies; /* of the records */
};
void told_release(struct told *told);

/* Add what the record of a game says; false: it was not played by this group.
 */
bool told_by_record(struct told *told, const struct group *group,
                    json_object *lines);
/* Add what a player was told in private. */
void told_in_dm(struct told *told, const struct group *group, unsigned player);

#endif
