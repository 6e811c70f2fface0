#include "tests/support/nodebb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>

#include "adapters/rich.h"
#include "bot/base/json.h"
#include "tests/support/venue.h"
#include "tests/support/web.h"

enum {
    PLACES_MAX_HERE = 64,
    MEMBERS_MAX = 4,
    USERS_MAX = 32,
    NAME_LEN = 64,
    PAGE = 20,
    CHAT_PAGE = 50,
    TABLE = 7,
    SHORTEST = 5, /* it was lowered, for votes */
    CHAT_MAX = 1000
};

/* A topic, or a chat; numbers of posts and messages count together. */
struct place_here {
    int64_t id;
    bool chat;
    char title[128];
    unsigned members[MEMBERS_MAX]; /* uids, of a chat */
    unsigned member_count;
};

struct entry {
    int64_t id, place, stamp, edited;
    bool chat, deleted;
    unsigned uid;
    char *text; /* owned */
};

/* The uid of a user is his place in the list and 1 more; the bot's is 1. */
struct nodebb {
    char users[USERS_MAX][NAME_LEN];
    unsigned user_count;
    struct place_here places[PLACES_MAX_HERE];
    unsigned count[2]; /* of topics, of chats */
    unsigned place_count;
    struct entry *entries;
    size_t entry_count;
    bool queued, no_chats;
    int slow;
    unsigned chat_max; /* characters of a message */
    unsigned storm, storms;
    size_t shortest;
};

struct visit {
    struct nodebb *forum;
    unsigned uid; /* who asks */
    const struct web *web;
    int64_t now;
    int status;
    const char *message;
    json_object *plain;    /* the reply of a page */
    json_object *response; /* or that of /api/v3 */
    const char *page;      /* no JSON but this; NULL: JSON */
};

/* ---- people, places, posts ----------------------------------------------- */

static unsigned
uid_of(struct nodebb *forum, const char *name)
{
    for (unsigned i = 0; i < forum->user_count; i++) {
        if (strcasecmp(forum->users[i], name) == 0) {
            return i + 1;
        }
    }
    ck_assert_uint_lt(forum->user_count, USERS_MAX);
    snprintf(forum->users[forum->user_count++], NAME_LEN, "%s", name);
    return forum->user_count;
}

static struct place_here *
find_place(struct nodebb *forum, bool chat, int64_t id)
{
    for (unsigned i = 0; i < forum->place_count; i++) {
        if (forum->places[i].chat == chat && forum->places[i].id == id) {
            return &forum->places[i];
        }
    }
    return NULL;
}

static struct place_here *
add_place(struct nodebb *forum, bool chat, const char *title)
{
    ck_assert_uint_lt(forum->place_count, PLACES_MAX_HERE);
    struct place_here *place = &forum->places[forum->place_count++];

    place->chat = chat;
    place->id = TABLE + (int64_t)forum->count[chat]++;
    snprintf(place->title, sizeof(place->title), "%s", title);
    return place;
}

static struct entry *
add_entry(struct nodebb *forum, const struct place_here *place, unsigned uid,
          const char *text, int64_t now)
{
    forum->entries = must_grow(forum->entries, (forum->entry_count + 1) *
                                                   sizeof(*forum->entries));
    struct entry *entry = &forum->entries[forum->entry_count];

    memset(entry, 0, sizeof(*entry));
    entry->id = 100 + (int64_t)forum->entry_count++;
    entry->place = place->id;
    entry->chat = place->chat;
    entry->stamp = now;
    entry->uid = uid;
    entry->text = must_copy(text);
    return entry;
}

static struct entry *
find_entry(struct nodebb *forum, const char *id)
{
    int64_t number = strtoll(id, NULL, 10);

    return number < 100 || number >= 100 + (int64_t)forum->entry_count
               ? NULL
               : &forum->entries[number - 100];
}

struct nodebb *
nodebb_new(void)
{
    struct nodebb *forum = must_alloc(sizeof(*forum));

    forum->chat_max = CHAT_MAX;
    forum->shortest = SHORTEST;
    (void)uid_of(forum, NODEBB_BOT);
    add_entry(forum, add_place(forum, false, "The table"), uid_of(forum, "Mo"),
              "Here we play, once the host is with us.", 1000);
    return forum;
}

void
nodebb_free(struct nodebb *forum)
{
    for (size_t i = 0; i < forum->entry_count; i++) {
        free(forum->entries[i].text);
    }
    free(forum->entries);
    free(forum);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
slug_of(const char *name, char slug[NAME_LEN])
{
    size_t len = 0;

    for (; name[len] != '\0' && len + 1 < NAME_LEN; len++) {
        bool upper = name[len] >= 'A' && name[len] <= 'Z';

        slug[len] = (char)(name[len] == ' ' ? '-'
                           : upper          ? name[len] | 0x20
                                            : name[len]);
    }
    slug[len] = '\0';
}

static json_object *
json_of_user(const struct nodebb *forum, unsigned uid)
{
    json_object *user = json_object_new_object();
    char slug[NAME_LEN];

    slug_of(forum->users[uid - 1], slug);
    web_put_number(user, "uid", uid);
    web_put_text(user, "username", forum->users[uid - 1]);
    web_put_text(user, "userslug", slug);
    return user;
}

static void
show(const char *text, struct buf *html)
{
    if (text[0] == '<') {
        buf_add_text(html, text);
        return;
    }
    struct rich rich = {.count = 0};
    bool unread = false;

    dialect_find("markdown")->read(text, strlen(text), &rich, &unread);
    dialect_find("html")->write(&rich, html);
    rich_release(&rich);
}

/* People of other servers have an address in the place of a number, and so has
 * what they write. */
static bool
is_remote(const struct nodebb *forum, unsigned uid)
{
    return strchr(forum->users[uid - 1], '@') != NULL;
}

static void
put_id(json_object *object, const char *key, int64_t id, bool remote)
{
    char address[64];

    snprintf(address, sizeof(address), "https://social.test/%lld",
             (long long)id);
    if (remote) {
        web_put_text(object, key, address);
    } else {
        web_put_number(object, key, id);
    }
}

static json_object *
json_of_entry(const struct nodebb *forum, const struct entry *entry)
{
    json_object *object = json_object_new_object();
    struct buf html = BUF_INIT;

    show(entry->text, &html);
    put_id(object, entry->chat ? "messageId" : "pid", entry->id,
           is_remote(forum, entry->uid));
    put_id(object, entry->chat ? "fromuid" : "uid", entry->uid,
           is_remote(forum, entry->uid));
    web_put_number(object, "timestamp", entry->stamp);
    web_put_number(object, "edited", entry->edited);
    web_put_number(object, "deleted", entry->deleted);
    web_put_text(object, "content", buf_text(&html));
    web_put(object, entry->chat ? "fromUser" : "user",
            json_of_user(forum, entry->uid));
    buf_release(&html);
    return object;
}

static void
refuse(struct visit *visit, int status, const char *message)
{
    visit->status = status;
    visit->message = message;
}

static void
refuse_unknown(struct visit *visit)
{
    refuse(visit, 404, "Not found");
}

/* ---- pages --------------------------------------------------------------- */

/* The posts of a page, or all of them counted. */
static int
list_posts(struct visit *visit, const struct place_here *topic, int page,
           json_object *posts)
{
    int count = 0;

    for (size_t i = 0; i < visit->forum->entry_count; i++) {
        const struct entry *entry = &visit->forum->entries[i];

        if (entry->chat || entry->place != topic->id) {
            continue;
        }
        if (posts != NULL && count / PAGE + 1 == page) {
            json_object_array_add(posts, json_of_entry(visit->forum, entry));
        }
        count++;
    }
    return count;
}

static int
count_pages(int count)
{
    return count == 0 ? 1 : (count + PAGE - 1) / PAGE;
}

static void
show_page(struct visit *visit, const struct place_here *topic)
{
    const char *page = web_field(visit->web, "page", 0);
    json_object *posts = json_object_new_array();
    json_object *pagination = json_object_new_object();
    json_object *privileges = json_object_new_object();
    int number = page == NULL ? 1 : (int)strtol(page, NULL, 10);
    int count = list_posts(visit, topic, number, posts);

    ck_assert_str_eq(web_field(visit->web, "sort", 0), "oldest_to_newest");
    if (number > count_pages(count)) {
        /* As for an account that reads by pages; for one that scrolls the page
         * is empty. */
        json_object_put(posts);
        json_object_put(pagination);
        json_object_put(privileges);
        refuse_unknown(visit);
        return;
    }
    web_put_number(pagination, "pageCount", count_pages(count));
    web_put_bool(privileges, "topics:reply", true);
    web_put_bool(privileges, "posts:edit", true);
    web_put_bool(privileges, "isAdminOrMod", visit->uid == 1);
    visit->plain = json_object_new_object();
    web_put_number(visit->plain, "tid", topic->id);
    web_put_number(visit->plain, "locked", 0);
    web_put(visit->plain, "posts", posts);
    web_put(visit->plain, "pagination", pagination);
    web_put(visit->plain, "privileges", privileges);
}

static void
show_user(struct visit *visit, const char *slug, bool topics)
{
    json_object *list;

    for (unsigned uid = 1; uid <= visit->forum->user_count; uid++) {
        char is[NAME_LEN];

        slug_of(visit->forum->users[uid - 1], is);
        if (strcasecmp(is, slug) == 0) {
            visit->plain = json_of_user(visit->forum, uid);
        }
    }
    if (visit->plain == NULL && strcmp(slug, NODEBB_BOT) != 0) {
        /* Whoever is asked for is there. */
        visit->plain = json_of_user(visit->forum, uid_of(visit->forum, slug));
    }
    if (topics) {
        list = json_object_new_array();
        for (unsigned i = visit->forum->place_count; i > 0; i--) {
            const struct place_here *place = &visit->forum->places[i - 1];

            if (!place->chat && place->id != TABLE) {
                json_object *topic = json_object_new_object();

                web_put_number(topic, "tid", place->id);
                json_object_array_add(list, topic);
            }
        }
        web_put(visit->plain, "topics", list);
    }
}

static void
serve_page(struct visit *visit)
{
    const struct web *web = visit->web;

    if (web_is(web, "GET", 2, "api", "self")) {
        visit->plain = json_of_user(visit->forum, visit->uid);
    } else if (web_is(web, "GET", 2, "api", "config")) {
        visit->plain = json_object_new_object();
        web_put_number(visit->plain, "minimumPostLength",
                       (int64_t)visit->forum->shortest);
        web_put_number(visit->plain, "maximumPostLength", 32767);
        web_put_bool(visit->plain, "disableChat", visit->forum->no_chats);
        web_put_number(visit->plain, "maximumChatMessageLength",
                       visit->forum->chat_max);
    } else if (web_is(web, "GET", 3, "api", "topic")) {
        const struct place_here *topic =
            find_place(visit->forum, false, strtoll(web->parts[2], NULL, 10));

        if (topic == NULL) {
            refuse_unknown(visit);
        } else {
            show_page(visit, topic);
        }
    } else if (web_is(web, "GET", 3, "api", "user")) {
        show_user(visit, web->parts[2], false);
    } else if (web_is(web, "GET", 4, "api", "user")) {
        show_user(visit, web->parts[2], true);
    } else {
        ck_abort_msg("%s %s", web->request->method,
                     buf_text(&web->request->url));
    }
}

/* ---- topics -------------------------------------------------------------- */

static bool
may_write(struct visit *visit, const char *text, size_t longest)
{
    static char words[128];
    const struct nodebb *forum = visit->forum;

    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < forum->entry_count && forum->slow > 0; i++) {
        if (forum->entries[i].uid == visit->uid &&
            forum->entries[i].stamp + INT64_C(1000) * forum->slow >
                visit->now) {
            snprintf(words, sizeof(words),
                     forum->slow % 60 == 0
                         ? "As a new user, you can only post once every %d "
                           "minute(s) until you have earned 3 reputation"
                         : "You can only post once every %d second(s) - please "
                           "wait before posting again",
                     forum->slow % 60 == 0 ? forum->slow / 60 : forum->slow);
            refuse(visit, 400, words);
            return false;
        }
    }
    size_t length = length_of(LENGTH_UTF16, text, strlen(text));

    if (length < forum->shortest || length > longest) {
        refuse(visit, 400,
               length < forum->shortest ? "Please enter a longer post."
                                        : "Please enter a shorter post.");
        return false;
    }
    if (forum->queued) {
        visit->status = 202;
        visit->response = json_object_new_object();
        web_put_bool(visit->response, "queued", true);
        return false;
    }
    return true;
}

static void
show_short(struct visit *visit, const struct place_here *topic)
{
    int64_t last = 0;

    for (size_t i = 0; i < visit->forum->entry_count; i++) {
        const struct entry *entry = &visit->forum->entries[i];

        if (!entry->chat && entry->place == topic->id) {
            last = entry->stamp;
        }
    }
    visit->response = json_object_new_object();
    web_put_number(visit->response, "tid", topic->id);
    web_put_number(visit->response, "cid", 5);
    web_put_number(visit->response, "lastposttime", last);
    web_put_number(visit->response, "postcount",
                   list_posts(visit, topic, 0, NULL));
}

static void
serve_topic(struct visit *visit)
{
    const struct web *web = visit->web;
    bool post = strcmp(web->request->method, "POST") == 0;
    const char *text = jdoc_string(web->body, "content");
    const struct place_here *topic =
        web->part_count < 4
            ? NULL
            : find_place(visit->forum, false, strtoll(web->parts[3], NULL, 10));

    if (web->part_count == 4 && topic == NULL) {
        refuse_unknown(visit);
    } else if (topic != NULL && !post) {
        show_short(visit, topic);
    } else if (may_write(visit, text, 32767)) {
        if (topic == NULL) {
            topic =
                add_place(visit->forum, false, jdoc_string(web->body, "title"));
        }
        visit->response = json_of_entry(
            visit->forum,
            add_entry(visit->forum, topic, visit->uid, text, visit->now));
        web_put_number(visit->response, "tid", topic->id);
    }
}

static void
serve_post(struct visit *visit)
{
    const struct web *web = visit->web;
    const char *method = web->request->method;
    struct entry *entry = find_entry(visit->forum, web->parts[3]);

    if (entry == NULL) {
        refuse_unknown(visit);
        return;
    }
    if (strcmp(method, "DELETE") == 0) {
        if (entry->deleted) {
            refuse(visit, 400, "This post has already been deleted");
            return;
        }
        entry->deleted = true;
    } else if (strcmp(method, "PUT") == 0) {
        nodebb_change(visit->forum, entry->id,
                      jdoc_string(web->body, "content"), visit->now);
    }
    visit->response = json_of_entry(visit->forum, entry);
}

/* ---- chats --------------------------------------------------------------- */

static bool
is_member(const struct place_here *chat, unsigned uid)
{
    for (unsigned i = 0; chat != NULL && i < chat->member_count; i++) {
        if (chat->members[i] == uid) {
            return true;
        }
    }
    return false;
}

/* The chat of the bot and that user alone; NULL: none. */
static struct place_here *
chat_of(struct nodebb *forum, unsigned uid)
{
    for (unsigned i = 0; i < forum->place_count; i++) {
        struct place_here *place = &forum->places[i];

        if (place->chat && place->member_count == 2 && is_member(place, uid)) {
            return place;
        }
    }
    return NULL;
}

static struct place_here *
add_chat(struct nodebb *forum, unsigned uid)
{
    struct place_here *chat = add_place(forum, true, "");

    chat->members[0] = 1;
    chat->members[1] = uid;
    chat->member_count = 2;
    return chat;
}

static void
put_room(json_object *response, const struct place_here *chat)
{
    web_put(response, "roomId",
            chat == NULL ? NULL : json_object_new_int64(chat->id));
}

static void
show_messages(struct visit *visit, const struct place_here *chat)
{
    const char *start = web_field(visit->web, "start", 0);
    json_object *messages = json_object_new_array();
    size_t skip = start == NULL ? 0 : strtoul(start, NULL, 10);
    size_t newer = 0;
    size_t from = visit->forum->entry_count;
    size_t end = 0;

    /* The newest are left out, then CHAT_PAGE are given, the oldest first. */
    for (size_t i = visit->forum->entry_count; i > 0; i--) {
        const struct entry *entry = &visit->forum->entries[i - 1];

        if (entry->chat && entry->place == chat->id) {
            end = newer == skip ? i : end;
            from = newer >= skip && newer < skip + CHAT_PAGE ? i - 1 : from;
            newer++;
        }
    }
    for (size_t i = from; i < end; i++) {
        const struct entry *entry = &visit->forum->entries[i];

        if (entry->chat && entry->place == chat->id) {
            json_object_array_add(messages, json_of_entry(visit->forum, entry));
        }
    }
    visit->response = json_object_new_object();
    web_put(visit->response, "messages", messages);
}

static void
show_members(struct visit *visit, const struct place_here *chat)
{
    json_object *users = json_object_new_array();

    for (unsigned i = 0; i < chat->member_count; i++) {
        json_object_array_add(users,
                              json_of_user(visit->forum, chat->members[i]));
    }
    visit->response = json_object_new_object();
    web_put(visit->response, "users", users);
}

/* The chats of whoever asks, PAGE of them, those first in which something was
 * written last. */
static void
list_chats(struct visit *visit)
{
    const char *start = web_field(visit->web, "start", 0);
    json_object *rooms = json_object_new_array();
    bool listed[PLACES_MAX_HERE] = {false};
    size_t skip = start == NULL ? 0 : strtoul(start, NULL, 10);
    size_t count = 0;

    for (size_t i = visit->forum->entry_count; i > 0; i--) {
        const struct entry *entry = &visit->forum->entries[i - 1];

        if (!entry->chat || listed[entry->place - TABLE] ||
            !is_member(find_place(visit->forum, true, entry->place),
                       visit->uid)) {
            continue;
        }
        listed[entry->place - TABLE] = true;
        if (count >= skip && count < skip + PAGE) {
            json_object *room = json_object_new_object();

            web_put_number(room, "roomId", entry->place);
            web_put(room, "teaser", json_of_entry(visit->forum, entry));
            json_object_array_add(rooms, room);
        }
        count++;
    }
    visit->response = json_object_new_object();
    web_put(visit->response, "rooms", rooms);
    web_put_number(visit->response, "nextStart", (int64_t)(skip + PAGE));
}

static void
make_chat(struct visit *visit)
{
    json_object *uids = jdoc_get(visit->web->body, "uids");

    ck_assert_uint_eq(json_object_array_length(uids), 1);
    visit->response = json_object_new_object();
    put_room(visit->response,
             add_chat(visit->forum, (unsigned)json_object_get_int(
                                        json_object_array_get_idx(uids, 0))));
}

static void
serve_chat(struct visit *visit)
{
    const struct web *web = visit->web;
    bool post = strcmp(web->request->method, "POST") == 0;
    const char *text = jdoc_string(web->body, "message");

    if (web->part_count == 3) {
        (post ? make_chat : list_chats)(visit);
        return;
    }
    const struct place_here *chat =
        find_place(visit->forum, true, strtoll(web->parts[3], NULL, 10));

    if (chat == NULL || !is_member(chat, visit->uid)) {
        refuse_unknown(visit);
    } else if (web->part_count == 5) {
        (strcmp(web->parts[4], "users") == 0 ? show_members
                                             : show_messages)(visit, chat);
    } else if (web->part_count == 6) {
        nodebb_change(visit->forum, strtoll(web->parts[5], NULL, 10), text,
                      visit->now);
        visit->response = json_object_new_object();
    } else if (may_write(visit, text, visit->forum->chat_max)) {
        visit->response = json_of_entry(
            visit->forum,
            add_entry(visit->forum, chat, visit->uid, text, visit->now));
    }
}

/* ---- serving ------------------------------------------------------------- */

static void
serve_api(struct visit *visit)
{
    const struct web *web = visit->web;

    if (strcmp(web->parts[2], "topics") == 0) {
        serve_topic(visit);
    } else if (strcmp(web->parts[2], "posts") == 0) {
        serve_post(visit);
    } else if (strcmp(web->parts[2], "chats") == 0) {
        serve_chat(visit);
    } else {
        ck_assert(web_is(web, "GET", 5, "api", "v3") &&
                  strcmp(web->parts[2], "users") == 0 &&
                  strcmp(web->parts[4], "chat") == 0);
        visit->response = json_object_new_object();
        put_room(
            visit->response,
            chat_of(visit->forum, (unsigned)strtoul(web->parts[3], NULL, 10)));
    }
}

static json_object *
envelope(struct visit *visit)
{
    json_object *both = json_object_new_object();
    json_object *status = json_object_new_object();

    web_put_text(status, "code", visit->status == 200 ? "ok" : "refused");
    web_put_text(status, "message",
                 visit->message == NULL ? "OK" : visit->message);
    web_put(both, "status", status);
    web_put(both, "response",
            visit->response == NULL ? json_object_new_object()
                                    : visit->response);
    return both;
}

/* All the ways in which one is turned away, by the forum and by a proxy. */
static void
turn_away(struct visit *visit)
{
    struct nodebb *forum = visit->forum;
    bool post = strcmp(visit->web->request->method, "POST") == 0;
    unsigned way = forum->storms++ % 3;

    forum->storm--;
    if (way == 0 && post) {
        refuse(visit, 400,
               "You can only post once every 10 second(s) - please wait "
               "before posting again");
        return;
    }
    visit->status = way == 0 ? 503 : way == 1 ? 429 : 502;
    visit->page = "<html><body>Forbidden</body></html>";
}

void
nodebb_serve(struct nodebb *forum, int64_t now, const struct request *request,
             struct buf *body, struct reply *reply)
{
    struct web web;
    struct buf room = BUF_INIT;
    struct visit visit = {
        .forum = forum, .web = &web, .now = now, .status = 200, .uid = 1};

    web_open(&web, NODEBB_BASE, request);
    if (*web_header(&web, NODEBB_PLAYER, &room) != '\0') {
        visit.uid = uid_of(forum, buf_text(&room));
    }
    if (!request->authorized) {
        refuse(&visit, 403, "Not allowed");
    } else if (forum->storm > 0) {
        turn_away(&visit);
    } else if (strcmp(web.parts[1], "v3") == 0) {
        serve_api(&visit);
    } else {
        serve_page(&visit);
    }
    web_answer(visit.status,
               visit.plain != NULL ? visit.plain : envelope(&visit), now, body,
               reply);
    if (visit.page != NULL) {
        buf_clear(body);
        buf_add_text(body, visit.page);
        reply->body = buf_text(body);
        reply->len = body->len;
    }
    buf_release(&room);
    web_close(&web);
}

/* ---- what people do ------------------------------------------------------ */

int64_t
nodebb_post(struct nodebb *forum, const char *user, bool in_private,
            const char *text, int64_t now)
{
    return nodebb_write(forum, user, in_private ? 0 : TABLE, text, now);
}

int64_t
nodebb_write(struct nodebb *forum, const char *user, int64_t topic,
             const char *text, int64_t now)
{
    unsigned uid = uid_of(forum, user);
    const struct place_here *place =
        topic == 0 ? chat_of(forum, uid) : find_place(forum, false, topic);

    ck_assert_ptr_nonnull(place);
    return add_entry(forum, place, uid, text, now)->id;
}

bool
nodebb_look(struct nodebb *forum, size_t at, struct sight *sight)
{
    if (at >= forum->entry_count) {
        return false;
    }
    const struct entry *entry = &forum->entries[at];
    const struct place_here *place =
        find_place(forum, entry->chat, entry->place);
    bool own = entry->uid == 1;

    *sight = (struct sight){
        .id = (uint64_t)entry->id,
        .topic = (uint64_t)entry->place,
        .author = own ? "" : forum->users[entry->uid - 1],
        .talk = entry->chat ? forum->users[place->members[1] - 1] : "",
        .text = entry->text};
    if (own) {
        sight_set_key(sight, entry->text);
    }
    return true;
}

void
nodebb_demand(struct nodebb *forum, size_t shortest)
{
    forum->shortest = shortest;
}

void
nodebb_storm(struct nodebb *forum, unsigned requests)
{
    forum->storm = requests;
}

void
nodebb_change(struct nodebb *forum, int64_t id, const char *text, int64_t now)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct entry *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    free(entry->text);
    entry->text = must_copy(text);
    entry->edited = now;
}

void
nodebb_remove(struct nodebb *forum, int64_t id)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct entry *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    entry->deleted = true;
}

void
nodebb_purge(struct nodebb *forum, int64_t id)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct entry *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    entry->place = 0;
}

void
nodebb_ask_in(struct nodebb *forum, const char *user, const char *other)
{
    struct place_here *chat = chat_of(forum, uid_of(forum, user));

    ck_assert_ptr_nonnull(chat);
    chat->members[chat->member_count++] = uid_of(forum, other);
}

void
nodebb_queue(struct nodebb *forum, bool queued)
{
    forum->queued = queued;
}

void
nodebb_close_chats(struct nodebb *forum)
{
    forum->no_chats = true;
}

void
nodebb_slow(struct nodebb *forum, int seconds)
{
    forum->slow = seconds;
}

void
nodebb_shorten(struct nodebb *forum, unsigned longest)
{
    forum->chat_max = longest;
}

unsigned
nodebb_chats(const struct nodebb *forum)
{
    return forum->count[true];
}

unsigned
nodebb_topics(const struct nodebb *forum)
{
    return forum->count[false] - 1;
}

const char *
nodebb_last(struct nodebb *forum, const char *user)
{
    const struct place_here *place = &forum->places[0];
    const char *text = NULL;

    if (user != NULL) {
        place = chat_of(forum, uid_of(forum, user));
    }
    for (size_t i = 0; place != NULL && i < forum->entry_count; i++) {
        const struct entry *entry = &forum->entries[i];

        if (entry->chat == place->chat && entry->place == place->id &&
            !entry->deleted) {
            text = entry->text;
        }
    }
    return text;
}
