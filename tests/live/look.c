#include "tests/live/look.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "bot/base/civil.h"
#include "bot/base/err.h"
#include "bot/base/json.h"

/* ---- rooms --------------------------------------------------------------- */

json_object *
look_rooms(const struct account *account)
{
    json_object *answer =
        account_ask(account, "GET", "/joined_rooms", NULL, NULL);
    json_object *rooms = json_object_get(jdoc_get(answer, "joined_rooms"));

    json_object_put(answer);
    return rooms;
}

const char *
look_at(json_object *rooms, size_t at)
{
    return json_object_get_string(json_object_array_get_idx(rooms, at));
}

json_object *
look_room(const struct account *account, const char *room)
{
    json_object *all = json_object_new_array();
    struct buf from = BUF_INIT;
    bool more = true;

    while (more) {
        struct buf path = BUF_INIT;

        buf_add_text(&path, "/rooms/");
        path_add(&path, room);
        buf_addf(&path, "/messages?dir=f&limit=1000%s%s",
                 from.len > 0 ? "&from=" : "", buf_text(&from));
        json_object *answer =
            account_ask(account, "GET", buf_text(&path), NULL, NULL);
        json_object *chunk = jdoc_get(answer, "chunk");
        const char *end = jdoc_string(answer, "end");

        for (size_t i = 0; i < json_object_array_length(chunk); i++) {
            json_object_array_add(
                all, json_object_get(json_object_array_get_idx(chunk, i)));
        }
        buf_clear(&from);
        buf_add_text(&from, end == NULL ? "" : end);
        more = end != NULL && json_object_array_length(chunk) > 0;
        json_object_put(answer);
        buf_release(&path);
    }
    buf_release(&from);
    return all;
}

json_object *
look_state(const struct account *account, const char *room, const char *type)
{
    struct buf path = BUF_INIT;
    long status = 0;

    buf_add_text(&path, "/rooms/");
    path_add(&path, room);
    buf_addf(&path, "/state/%s", type);
    json_object *content =
        account_ask(account, "GET", buf_text(&path), NULL, &status);

    ck_assert_msg(status == 200 || status == 404, "%s: %ld", buf_text(&path),
                  status);
    buf_release(&path);
    if (status == 404) {
        json_object_put(content);
        return NULL;
    }
    return content;
}

/* A room that the host has made says in its making whose it is. */
static bool
is_dm(const struct account *player, const char *room)
{
    json_object *create = look_state(player, room, "m.room.create");
    const char *whose = jdoc_string(create, "org.placard.talk");
    bool is = whose != NULL && strcmp(whose, player->user) == 0;

    json_object_put(create);
    return is;
}

void
look_dm(const struct group *group, unsigned player, char *room, size_t size)
{
    const struct account *account = group->players[player];
    json_object *rooms = look_rooms(account);

    room[0] = '\0';
    for (size_t i = 0; i < json_object_array_length(rooms); i++) {
        if (strcmp(look_at(rooms, i), group->room) != 0 &&
            is_dm(account, look_at(rooms, i))) {
            ck_assert_msg(room[0] == '\0', "%s has two talks", account->user);
            snprintf(room, size, "%s", look_at(rooms, i));
        }
    }
    json_object_put(rooms);
}

/* ---- events -------------------------------------------------------------- */

const char *
look_text(json_object *event)
{
    const char *text = jdoc_string(jdoc_get(event, "content"), "body");

    return text == NULL ? "" : text;
}

bool
look_is_by(json_object *event, const char *user)
{
    const char *sender = jdoc_string(event, "sender");

    return sender != NULL && strcmp(sender, user) == 0;
}

bool
look_is_edit(json_object *event)
{
    json_object *relation =
        jdoc_get(jdoc_get(event, "content"), "m.relates_to");
    const char *kind = jdoc_string(relation, "rel_type");

    return kind != NULL && strcmp(kind, "m.replace") == 0;
}

unsigned
look_find(const struct account *account, const char *room, const char *user,
          const char *text, char *id)
{
    json_object *events = look_room(account, room);
    unsigned count = 0;

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);

        if (look_is_by(event, user) && !look_is_edit(event) &&
            strstr(look_text(event), text) != NULL) {
            snprintf(id, 128, "%s", jdoc_string(event, "event_id"));
            count++;
        }
    }
    json_object_put(events);
    return count;
}

unsigned
look_count(const struct group *group, const char *text)
{
    char id[128];

    return look_find(group->mo, group->room, group->bot, text, id);
}

/* ---- what was asked of a homeserver -------------------------------------- */

/* "2026-11-21 17:03:26,059": the days of a month count as 31, so that the order
 * holds at midnight, too. */
static int64_t
read_stamp(const char *line)
{
    static const int units[] = {12, 31, 24, 60, 60, 1000};
    char *rest = NULL;
    int64_t stamp = strtol(line, &rest, 10);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        stamp = stamp * units[i] + strtol(rest + 1, &rest, 10);
    }
    return stamp;
}

/* Read a line of the log: `… {USER} Processed request: 0.029sec/… 41B 200 "PUT
 * PATH HTTP/1.1" …`; false: it is none of that user's. */
static bool
read_asked(const char *line, const char *user, struct asked *asked)
{
    char who[160];

    snprintf(who, sizeof(who), "{%s} Processed request: ", user);
    const char *took = strstr(line, who);
    const char *quote = took == NULL ? NULL : strchr(took, '"');

    if (quote == NULL || quote - line < 4) {
        return false;
    }
    asked->end = read_stamp(line);
    asked->start =
        asked->end - (int64_t)(strtod(took + strlen(who), NULL) * 1000.0);
    asked->status = (int)strtol(quote - 4, NULL, 10);
    return sscanf(quote, "\"%7s %511s", asked->method, asked->path) == 2;
}

struct asked *
look_asked(const struct home *home, const char *user, size_t *count)
{
    struct asked *all = NULL;
    size_t room = 0;
    char path[300];
    char line[2048];

    *count = 0;
    snprintf(path, sizeof(path), "%s/synapse.log", home->folder);
    FILE *log = fopen(path, "r");

    ck_assert_ptr_nonnull(log);
    while (fgets(line, sizeof(line), log) != NULL) {
        if (*count == room) {
            room = room == 0 ? 256 : 2 * room;
            all = must_grow(all, room * sizeof(*all));
        }
        *count += read_asked(line, user, &all[*count]);
    }
    (void)fclose(log);
    return all;
}

/* ---- records ------------------------------------------------------------- */

json_object *
look_record(const char *path)
{
    json_object *lines = json_object_new_array();
    struct buf text = BUF_INIT;

    live_read(path, &text);
    for (const char *at = buf_text(&text); *at != '\0';) {
        size_t len = strcspn(at, "\n");
        json_object *line = NULL;
        struct buf why = BUF_INIT;

        ck_assert_msg(jdoc_parse(at, len, true, &line, &why) == ERR_NONE,
                      "%s: %s", path, buf_text(&why));
        json_object_array_add(lines, line);
        at += len + (at[len] == '\n');
    }
    buf_release(&text);
    return lines;
}

json_object *
look_line(json_object *lines, const char *event, size_t *from)
{
    json_object *line = NULL;

    for (; line == NULL && *from < json_object_array_length(lines); ++*from) {
        line = json_object_array_get_idx(lines, *from);
        if (strcmp(jdoc_string(line, "event"), event) != 0) {
            line = NULL;
        }
    }
    ck_assert_msg(line != NULL, "no %s in a record", event);
    return line;
}

int64_t
look_time(json_object *line)
{
    int64_t time = 0;

    ck_assert(instant_read(jdoc_string(line, "at"), &time));
    return time;
}

/* ---- what was told in secret --------------------------------------------- */

void
told_release(struct told *told)
{
    for (size_t i = 0; i < GROUP_PLAYERS_MAX; i++) {
        buf_release(&told->players[i]);
    }
}

static void
add_told(struct told *told, unsigned player, const char *what,
         const char *secret)
{
    buf_addf(&told->players[player], "%s %s, ", what, secret);
}

/* Cards of a record, "FLF"; of those that are handed on, Liberal first. */
static void
add_cards(struct told *told, unsigned player, const char *what,
          json_object *cards, bool sorted)
{
    char text[4] = "";
    size_t count = json_object_array_length(cards);

    ck_assert_uint_lt(count, sizeof(text));
    for (size_t i = 0; i < count; i++) {
        text[i] = *look_at(cards, i);
    }
    if (sorted && text[0] == 'F' && text[1] == 'L') {
        text[0] = 'L';
        text[1] = 'F';
    }
    add_told(told, player, what, text);
}

static unsigned
seat_of(const struct group *group, json_object *line, const char *key)
{
    unsigned player = group_find(group, jdoc_string(line, key));

    ck_assert_uint_lt(player, group->count);
    return player;
}

static void
parse_line(struct told *told, const struct group *group, json_object *line,
           unsigned *chancellor)
{
    const char *event = jdoc_string(line, "event");
    json_object *roles = jdoc_get(line, "roles");

    if (strcmp(event, "dealt") == 0) {
        for (unsigned i = 0; i < group->count; i++) {
            add_told(told, i, "role",
                     jdoc_string(roles, group->players[i]->name));
        }
    } else if (strcmp(event, "nominated") == 0) {
        *chancellor = seat_of(group, line, "chancellor");
    } else if (strcmp(event, "hand") == 0) {
        add_cards(told, seat_of(group, line, "to"), "hand",
                  jdoc_get(line, "cards"), false);
    } else if (strcmp(event, "passed") == 0) {
        add_cards(told, *chancellor, "pass", jdoc_get(line, "cards"), true);
    }
    told->rounds += strcmp(event, "round") == 0;
    told->sessions += strcmp(event, "hand") == 0;
    told->policies += strcmp(event, "enacted") == 0;
}

bool
told_by_record(struct told *told, const struct group *group, json_object *lines)
{
    unsigned chancellor = group->count;
    size_t at = 0;
    json_object *players = jdoc_get(look_line(lines, "seated", &at), "players");

    if (group_find(group, look_at(players, 0)) == group->count) {
        return false;
    }
    for (size_t i = 0; i < json_object_array_length(lines); i++) {
        parse_line(told, group, json_object_array_get_idx(lines, i),
                   &chancellor);
    }
    return true;
}

/* The cards in "\n1 Fascist\n2 Liberal\n": their first messages. */
static void
add_cards_of(struct told *told, unsigned player, const char *what,
             const char *text)
{
    char cards[4] = "";

    for (unsigned i = 0; i < 3; i++) {
        char number[8];

        snprintf(number, sizeof(number), "\n%u ", i + 1);
        const char *card = strstr(text, number);

        if (card != NULL) {
            cards[i] = card[strlen(number)];
        }
    }
    add_told(told, player, what, cards);
}

static const char *
role_in(const char *text)
{
    if (strstr(text, "You are Hitler") != NULL) {
        return "hitler";
    }
    return strstr(text, "You are a Fascist") != NULL ? "fascist" : "liberal";
}

void
told_in_dm(struct told *told, const struct group *group, unsigned player)
{
    char room[128];

    look_dm(group, player, room, sizeof(room));
    ck_assert_str_ne(room, "");
    json_object *events = look_room(group->players[player], room);

    for (size_t i = 0; i < json_object_array_length(events); i++) {
        json_object *event = json_object_array_get_idx(events, i);
        const char *text = look_text(event);

        if (!look_is_by(event, group->bot)) {
            continue;
        }
        if (strstr(text, "your role is below") != NULL) {
            add_told(told, player, "role", role_in(text));
        } else if (strstr(text, "you're President,") != NULL) {
            add_cards_of(told, player, "hand", text);
        } else if (strstr(text, "two cards are below") != NULL) {
            add_cards_of(told, player, "pass", text);
        }
    }
    json_object_put(events);
}
