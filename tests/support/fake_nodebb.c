#include "tests/support/fake_nodebb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "bot/base/json.h"
#include "tests/support/fake_request.h"
#include "tests/support/fake_service.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/recordings.h"

enum {
    PLACES_MAX_HERE = 256,
    MEMBERS_MAX = 4,
    USERS_MAX = 32,
    NAME_LEN = 64,
    PAGE = 20,
    CHAT_PAGE = 50,
    TABLE = 7,
    CATEGORY = 5,
    SHORTEST = 5, /* it was lowered, for votes */
    CHAT_MAX = 1000
};

/* A topic, or a chat; numbers of posts and messages count together. */
struct place_here {
    int64_t id;
    bool chat, hidden, deleted;
    char title[128];
    unsigned members[MEMBERS_MAX]; /* uids, of a chat */
    unsigned member_count;
};

struct hosted_table {
    int64_t id, place, stamp, edited;
    bool chat, deleted;
    unsigned uid;
    char *text;  /* owned */
    char *shown; /* owned; NULL: not asked for yet */
};

/* The uid of a user is his place in the list and 1 more; the bot's is 1. */
struct nodebb {
    char users[USERS_MAX][NAME_LEN];  /* as they were called at first */
    char called[USERS_MAX][NAME_LEN]; /* and are now */
    unsigned user_count;
    struct place_here places[PLACES_MAX_HERE];
    unsigned count[2]; /* of topics, of chats */
    unsigned place_count;
    struct hosted_table *entries;
    size_t entry_count;
    bool unapproved, no_chats, locked, muted, no_token;
    const char *words;   /* with which what the bot writes is refused; NULL: it
                            isn't */
    const char *blocker; /* who has blocked the bot; NULL: nobody */
    int slow;
    unsigned chat_max; /* characters of a message */
    unsigned storm, storms;
    size_t shortest;
    unsigned recent; /* topics on a page of the recent ones */
};

struct visit {
    struct nodebb *forum;
    unsigned uid; /* who asks */
    const struct web *web;
    int64_t now;
    int status;
    const char *code, *message;
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
    snprintf(forum->called[forum->user_count], NAME_LEN, "%s", name);
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

static struct hosted_table *
add_entry(struct nodebb *forum, const struct place_here *place, unsigned uid,
          const char *text, int64_t now)
{
    forum->entries = must_grow(forum->entries, (forum->entry_count + 1) *
                                                   sizeof(*forum->entries));
    struct hosted_table *entry = &forum->entries[forum->entry_count];

    memset(entry, 0, sizeof(*entry));
    entry->id = 100 + (int64_t)forum->entry_count++;
    entry->place = place->id;
    entry->chat = place->chat;
    entry->stamp = now;
    entry->uid = uid;
    entry->text = must_copy(text);
    return entry;
}

static struct hosted_table *
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
    forum->recent = PAGE;
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
        free(forum->entries[i].shown);
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

    slug_of(forum->called[uid - 1], slug);
    web_put_number(user, "uid", uid);
    web_put_text(user, "username", forum->called[uid - 1]);
    web_put_text(user, "userslug", slug);
    return user;
}

/* A link without width, as the bot's marks are, and the rest as Markdown. */
static void
show(const char *text, struct buf *html)
{
    static const char mark[] = "\n\n[\xE2\x80\x8B](#";
    const char *at = strstr(text, mark);
    size_t len = at == NULL ? strlen(text) : (size_t)(at - text);
    struct rich rich = {.count = 0};
    bool unread = false;

    if (text[0] == '<') {
        buf_add_text(html, text);
        return;
    }
    forum_markdown.read(text, len, &rich, &unread);
    dialects_find("html")->write(&rich, html);
    rich_release(&rich);
    if (at != NULL) {
        at += sizeof(mark) - 2;
        buf_addf(html,
                 "\n<p dir=\"auto\"><a href=\"%.*s\">\xE2\x80\x8B</a></p>\n",
                 (int)strcspn(at, ")"), at);
    }
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

/* What stands in the place of what was deleted; NULL: its words, which a
 * moderator of topics still sees. */
static const char *
withheld(const struct hosted_table *entry, unsigned uid)
{
    return !entry->deleted ? NULL
           : entry->chat   ? "<p>[[modules:chat.message-deleted]]</p>"
           : uid == 1      ? NULL
                           : "[[topic:post-is-deleted]]";
}

/* A post or message as the user sees it. */
static json_object *
json_of_entry(const struct nodebb *forum, struct hosted_table *entry,
              unsigned uid)
{
    json_object *object = json_object_new_object();
    const char *instead = withheld(entry, uid);

    if (entry->shown == NULL) {
        struct buf html = BUF_INIT;

        show(entry->text, &html);
        entry->shown = buf_take(&html);
    }
    put_id(object, entry->chat ? "messageId" : "pid", entry->id,
           is_remote(forum, entry->uid));
    put_id(object, entry->chat ? "fromuid" : "uid", entry->uid,
           is_remote(forum, entry->uid));
    web_put_number(object, "timestamp", entry->stamp);
    web_put_number(object, "edited", entry->edited);
    web_put_number(object, "deleted", entry->deleted);
    web_put_text(object, "content", instead == NULL ? entry->shown : instead);
    web_put(object, entry->chat ? "fromUser" : "user",
            json_of_user(forum, entry->uid));
    return object;
}

static void
refuse(struct visit *visit, int status, const char *message)
{
    visit->status = status;
    visit->code = status == 400   ? "bad-request"
                  : status == 401 ? "not-authorised"
                  : status == 403 ? "forbidden"
                                  : "not-found";
    visit->message = message;
}

/* There is no such page. */
static void
refuse_page(struct visit *visit)
{
    visit->status = 404;
    visit->plain = json_object_new_object();
    web_put_text(visit->plain, "title", "[[global:404.title]]");
}

/* ---- pages --------------------------------------------------------------- */

/* The posts of a page, or all of them counted. */
static int
list_posts(struct visit *visit, const struct place_here *topic, int page,
           json_object *posts)
{
    int count = 0;

    for (size_t i = 0; i < visit->forum->entry_count; i++) {
        struct hosted_table *entry = &visit->forum->entries[i];

        if (entry->chat || entry->place != topic->id) {
            continue;
        }
        if (posts != NULL && count / PAGE + 1 == page) {
            json_object *post = json_of_entry(visit->forum, entry, visit->uid);

            web_put_number(post, "index", count);
            json_object_array_add(posts, post);
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

/* A page by its number, or the one with the nth post. */
static int
page_wanted(const struct visit *visit)
{
    const char *page = web_field(visit->web, "page", 0);

    if (visit->web->part_count == 5) {
        return ((int)strtol(visit->web->parts[4], NULL, 10) - 1) / PAGE + 1;
    }
    return page == NULL ? 1 : (int)strtol(page, NULL, 10);
}

static void
show_page(struct visit *visit, const struct place_here *topic)
{
    json_object *posts = json_object_new_array();
    json_object *pagination = json_object_new_object();
    json_object *privileges = json_object_new_object();
    int number = page_wanted(visit);
    int count = list_posts(visit, topic, number, posts);

    ck_assert_str_eq(web_field(visit->web, "sort", 0), "oldest_to_newest");
    if (number > count_pages(count) && visit->web->part_count == 5) {
        json_object_put(posts);
        json_object_put(pagination);
        json_object_put(privileges);
        visit->plain = json_object_new_string("/topic/7/post/1");
        return;
    }
    if (number > count_pages(count)) {
        /* As for an account that reads by pages; for one that scrolls the page
         * is empty. */
        json_object_put(posts);
        json_object_put(pagination);
        json_object_put(privileges);
        refuse_page(visit);
        return;
    }
    web_put_number(pagination, "pageCount", count_pages(count));
    web_put_bool(privileges, "topics:reply", true);
    web_put_bool(privileges, "posts:edit", true);
    web_put_bool(privileges, "isAdminOrMod", visit->uid == 1);
    visit->plain = json_object_new_object();
    web_put_number(visit->plain, "tid", topic->id);
    web_put_number(visit->plain, "cid", CATEGORY);
    web_put_bool(visit->plain, "loggedIn", true);
    web_put_number(visit->plain, "deleted", topic->deleted);
    web_put_number(visit->plain, "locked", visit->forum->locked);
    web_put(visit->plain, "posts", posts);
    web_put(visit->plain, "pagination", pagination);
    web_put(visit->plain, "privileges", privileges);
}

/* When something was last posted in a topic. */
static int64_t
last_of(const struct nodebb *forum, const struct place_here *topic)
{
    int64_t last = 0;

    for (size_t i = 0; i < forum->entry_count; i++) {
        const struct hosted_table *entry = &forum->entries[i];

        if (!entry->chat && entry->place == topic->id) {
            last = entry->stamp;
        }
    }
    return last;
}

static json_object *
json_of_topic(struct visit *visit, const struct place_here *topic)
{
    json_object *object = json_object_new_object();

    web_put_number(object, "tid", topic->id);
    web_put_number(object, "cid", CATEGORY);
    web_put_text(object, "title", topic->title);
    web_put_number(object, "deleted", topic->deleted);
    web_put_number(object, "lastposttime", last_of(visit->forum, topic));
    web_put_number(object, "postcount", list_posts(visit, topic, 0, NULL));
    return object;
}

/* The topics of a page, those with the newest posts first, and the numbers of
 * all of them in that order. */
static void
show_recent(struct visit *visit)
{
    const struct place_here *topics[PLACES_MAX_HERE];
    json_object *list = json_object_new_array();
    json_object *numbers = json_object_new_array();
    unsigned count = 0;

    for (unsigned i = 0; i < visit->forum->place_count; i++) {
        const struct place_here *topic = &visit->forum->places[i];
        unsigned at = count;

        if (topic->chat || topic->hidden) {
            continue;
        }
        while (at > 0 && last_of(visit->forum, topics[at - 1]) <=
                             last_of(visit->forum, topic)) {
            topics[at] = topics[at - 1];
            at--;
        }
        topics[at] = topic;
        count++;
    }
    for (unsigned i = 0; i < count; i++) {
        json_object_array_add(numbers, json_object_new_int64(topics[i]->id));
        if (i < visit->forum->recent) {
            json_object_array_add(list, json_of_topic(visit, topics[i]));
        }
    }
    visit->plain = json_object_new_object();
    web_put_bool(visit->plain, "loggedIn", true);
    web_put(visit->plain, "topics", list);
    web_put(visit->plain, "tids", numbers);
}

/* The user whom an address names; 0: nobody.  Whoever is asked for is there,
 * but for "nobody", and for who has another name now. */
static unsigned
find_user(struct nodebb *forum, const char *slug)
{
    char is[NAME_LEN];

    for (unsigned uid = 1; uid <= forum->user_count; uid++) {
        slug_of(forum->called[uid - 1], is);
        if (strcasecmp(is, slug) == 0) {
            return uid;
        }
    }
    unsigned uid = strcmp(slug, "nobody") == 0 ? 0 : uid_of(forum, slug);

    return uid == 0 || strcmp(forum->called[uid - 1], slug) != 0 ? 0 : uid;
}

static void
list_topics(struct visit *visit)
{
    json_object *list = json_object_new_array();

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

/* The latest of somebody's posts, in all topics.  It does not say when they
 * were edited, nor where they stand. */
static void
list_own_posts(struct visit *visit, unsigned uid)
{
    json_object *list = json_object_new_array();

    for (size_t i = visit->forum->entry_count;
         i > 0 && json_object_array_length(list) < PAGE; i--) {
        struct hosted_table *entry = &visit->forum->entries[i - 1];

        if (!entry->chat && entry->uid == uid) {
            json_object *post = json_of_entry(visit->forum, entry, visit->uid);

            json_object_object_del(post, "edited");
            json_object_object_del(post, "deleted");
            web_put_bool(post, "deleted", entry->deleted);
            json_object_array_add(list, post);
        }
    }
    web_put(visit->plain, "posts", list);
}

static void
show_user(struct visit *visit)
{
    const struct web *web = visit->web;
    bool by_number = web->part_count == 4 && strcmp(web->parts[2], "uid") == 0;
    bool by_name =
        web->part_count == 4 && strcmp(web->parts[2], "username") == 0;
    unsigned uid = by_number
                       ? (unsigned)strtoul(web->parts[3], NULL, 10)
                       : find_user(visit->forum, web->parts[by_name ? 3 : 2]);

    if (uid == 0 || uid > visit->forum->user_count) {
        refuse_page(visit);
        return;
    }
    visit->plain = json_of_user(visit->forum, uid);
    if (by_number || by_name) {
        return;
    }
    web_put_number(visit->plain, "yourid", visit->uid);
    web_put_bool(visit->plain, "canChat",
                 uid != visit->uid && !visit->forum->no_chats);
    if (web->part_count == 4 && strcmp(web->parts[3], "posts") == 0) {
        list_own_posts(visit, uid);
    } else if (web->part_count == 4) {
        list_topics(visit);
    }
}

static void
show_config(struct visit *visit)
{
    const struct nodebb *forum = visit->forum;

    visit->plain = json_object_new_object();
    web_put_number(visit->plain, "minimumPostLength", (int64_t)forum->shortest);
    web_put_number(visit->plain, "maximumPostLength", 32767);
    web_put_bool(visit->plain, "disableChat", forum->no_chats);
    web_put_number(visit->plain, "maximumChatMessageLength", forum->chat_max);
    web_put_number(visit->plain, "postQueue", forum->unapproved);
}

static void
show_category(struct visit *visit)
{
    json_object *privileges = json_object_new_object();

    web_put_bool(privileges, "topics:create", true);
    visit->plain = json_object_new_object();
    web_put_number(visit->plain, "cid", CATEGORY);
    web_put(visit->plain, "privileges", privileges);
}

static void
show_self(struct visit *visit)
{
    if (visit->forum->no_token && visit->uid == 1) {
        visit->status = 401;
        visit->plain = json_object_new_string("not-authorized");
        return;
    }
    visit->plain = json_of_user(visit->forum, visit->uid);
    web_put_bool(visit->plain, "muted", visit->forum->muted);
    web_put_bool(visit->plain, "banned", false);
}

static void
serve_page(struct visit *visit)
{
    const struct web *web = visit->web;

    if (web_is(web, "GET", 2, "api", "self")) {
        show_self(visit);
    } else if (web_is(web, "GET", 2, "api", "config")) {
        show_config(visit);
    } else if (web_is(web, "GET", 2, "api", "recent")) {
        show_recent(visit);
    } else if (web_is(web, "GET", 3, "api", "category")) {
        show_category(visit);
    } else if (web_is(web, "GET", 3, "api", "topic") ||
               web_is(web, "GET", 5, "api", "topic")) {
        const struct place_here *topic =
            find_place(visit->forum, false, strtoll(web->parts[2], NULL, 10));

        if (topic == NULL) {
            refuse_page(visit);
        } else {
            show_page(visit, topic);
        }
    } else if (web_is(web, "GET", 3, "api", "user") ||
               web_is(web, "GET", 4, "api", "user")) {
        show_user(visit);
    } else {
        ck_abort_msg("%s %s", web->request->method,
                     buf_text(&web->request->url));
    }
}

/* ---- topics -------------------------------------------------------------- */

/* Is it too soon for another post? */
static bool
is_hasty(struct visit *visit)
{
    static char words[160];
    const struct nodebb *forum = visit->forum;

    for (size_t i = 0; i < forum->entry_count && forum->slow > 0; i++) {
        if (forum->entries[i].uid == visit->uid &&
            forum->entries[i].stamp + INT64_C(1000) * forum->slow >
                visit->now) {
            snprintf(words, sizeof(words),
                     forum->slow % 60 == 0
                         ? "As a new user, you can only post once every %d "
                           "second(s) until you have earned 3 reputation - "
                           "please wait before posting again"
                         : "You can only post once every %d second(s) - please "
                           "wait before posting again",
                     forum->slow);
            refuse(visit, 400, words);
            return true;
        }
    }
    return false;
}

/* Is the bot kept from writing at all? */
static bool
is_kept_off(struct visit *visit)
{
    const struct nodebb *forum = visit->forum;

    if (visit->uid == 1 && forum->no_token) {
        refuse(visit, 403,
               "You do not have enough privileges for this action.");
    } else if (visit->uid == 1 && forum->words != NULL) {
        refuse(visit, 400, forum->words);
    } else if (visit->uid == 1 && forum->locked) {
        refuse(visit, 400, "Topic locked");
    } else {
        return false;
    }
    return true;
}

static bool
may_post(struct visit *visit, const char *text)
{
    static char words[128];
    const struct nodebb *forum = visit->forum;

    ck_assert_ptr_nonnull(text);
    size_t length = length_of(LENGTH_UTF16, text, strlen(text));

    if (is_kept_off(visit) || is_hasty(visit)) {
        return false;
    }
    if (length < forum->shortest || length > 32767) {
        snprintf(words, sizeof(words),
                 length < forum->shortest
                     ? "Please enter a longer post. Posts should contain at "
                       "least %zu character(s)."
                     : "Please enter a shorter post. Posts can't be longer "
                       "than %zu character(s).",
                 length < forum->shortest ? forum->shortest : 32767);
        refuse(visit, 400, words);
    }
    return visit->status == 200;
}

static bool
may_whisper(struct visit *visit, const char *text)
{
    static char words[128];
    const struct nodebb *forum = visit->forum;

    ck_assert_ptr_nonnull(text);
    if (forum->no_chats) {
        refuse(visit, 400, "Chat system disabled");
    } else if (visit->uid == 1 && forum->muted) {
        refuse(visit, 400,
               "You have been muted, you will be able to post in 10 minute(s)");
    } else if (visit->uid == 1 && forum->no_token) {
        refuse(visit, 401,
               "A valid login session was not found. Please log in and try "
               "again.");
    } else if (length_of(LENGTH_UTF16, text, strlen(text)) > forum->chat_max) {
        snprintf(words, sizeof(words),
                 "Chat messages can not be longer than %u characters.",
                 forum->chat_max);
        refuse(visit, 400, words);
    } else {
        return !is_hasty(visit);
    }
    return false;
}

static void
show_short(struct visit *visit, const struct place_here *topic)
{
    visit->response = json_of_topic(visit, topic);
}

/* A post waits for a moderator; a topic is told of with another status. */
static void
take_in_queue(struct visit *visit, bool topic)
{
    visit->status = topic ? 202 : 200;
    visit->code = topic ? "accepted" : "ok";
    visit->message = topic ? "Accepted" : "OK";
    visit->response = json_object_new_object();
    web_put_text(visit->response, "type", topic ? "topic" : "reply");
    web_put_bool(visit->response, "queued", true);
}

static void
write_in_topic(struct visit *visit, const struct place_here *topic)
{
    const char *text = jdoc_string(visit->web->body, "content");
    bool opens = topic == NULL;

    if (!may_post(visit, text)) {
        return;
    }
    if (topic != NULL && topic->deleted) {
        refuse(visit, 400, "topic-deleted");
        return;
    }
    if (visit->forum->unapproved) {
        take_in_queue(visit, opens);
        return;
    }
    if (opens) {
        topic = add_place(visit->forum, false,
                          jdoc_string(visit->web->body, "title"));
    }
    struct hosted_table *entry =
        add_entry(visit->forum, topic, visit->uid, text, visit->now);
    json_object *made = json_of_entry(visit->forum, entry, visit->uid);

    if (opens) {
        /* A topic is told of, not its post. */
        json_object_object_del(made, "pid");
        json_object_object_del(made, "edited");
        json_object_object_del(made, "content");
    } else {
        json_object_object_del(made, "edited");
        web_put_bool(made, "deleted", false);
    }
    web_put_number(made, "tid", topic->id);
    visit->response = made;
}

static void
serve_topic(struct visit *visit)
{
    const struct web *web = visit->web;
    bool post = strcmp(web->request->method, "POST") == 0;
    const struct place_here *topic =
        web->part_count < 4
            ? NULL
            : find_place(visit->forum, false, strtoll(web->parts[3], NULL, 10));

    if (web->part_count == 4 && topic == NULL) {
        refuse(visit, 404, "Topic does not exist");
    } else if (topic != NULL && !post) {
        show_short(visit, topic);
    } else {
        write_in_topic(visit, topic);
    }
}

/* A post by its number, as it was written. */
static void
show_post(struct visit *visit, struct hosted_table *entry)
{
    json_object *post = json_of_entry(visit->forum, entry, visit->uid);

    json_object_object_del(post, "user");
    visit->response = post;
}

static void
serve_post(struct visit *visit)
{
    const struct web *web = visit->web;
    const char *method = web->request->method;
    struct hosted_table *entry = find_entry(visit->forum, web->parts[3]);

    if (strcmp(method, "PUT") == 0 && visit->uid == 1 &&
        visit->forum->no_token) {
        refuse(visit, 401,
               "A valid login session was not found. Please log in and try "
               "again.");
        return;
    }
    if (entry == NULL) {
        refuse(visit, 404, "Post does not exist");
        return;
    }
    if (strcmp(method, "DELETE") == 0) {
        if (entry->deleted) {
            refuse(visit, 400, "This post has already been deleted");
            return;
        }
        entry->deleted = true;
        visit->response = json_object_new_object();
        return;
    }
    if (strcmp(method, "PUT") == 0) {
        nodebb_change(visit->forum, entry->id,
                      jdoc_string(web->body, "content"), visit->now);
        visit->response = json_of_entry(visit->forum, entry, visit->uid);
        web_put_bool(visit->response, "deleted", entry->deleted);
        return;
    }
    show_post(visit, entry);
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
        const struct hosted_table *entry = &visit->forum->entries[i - 1];

        if (entry->chat && entry->place == chat->id) {
            end = newer == skip ? i : end;
            from = newer >= skip && newer < skip + CHAT_PAGE ? i - 1 : from;
            newer++;
        }
    }
    for (size_t i = from; i < end; i++) {
        struct hosted_table *entry = &visit->forum->entries[i];

        if (entry->chat && entry->place == chat->id) {
            json_object_array_add(
                messages, json_of_entry(visit->forum, entry, visit->uid));
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
        json_object *user = json_of_user(visit->forum, chat->members[i]);

        json_object_object_del(user, "userslug");
        json_object_array_add(users, user);
    }
    visit->response = json_object_new_object();
    web_put(visit->response, "users", users);
}

/* What was written last in a chat: its words as they were typed. */
static json_object *
json_of_teaser(const struct nodebb *forum, const struct hosted_table *entry)
{
    json_object *teaser = json_object_new_object();

    put_id(teaser, "fromuid", entry->uid, is_remote(forum, entry->uid));
    web_put_number(teaser, "timestamp", entry->stamp);
    web_put_text(teaser, "content", entry->text);
    web_put(teaser, "user", json_of_user(forum, entry->uid));
    return teaser;
}

/* A chat's number, and who is in it besides whoever asks. */
static void
put_occupants(const struct visit *visit, const struct place_here *chat,
              json_object *room)
{
    json_object *users = json_object_new_array();

    for (unsigned i = 0; i < chat->member_count; i++) {
        if (chat->members[i] != visit->uid) {
            json_object_array_add(users,
                                  json_of_user(visit->forum, chat->members[i]));
        }
    }
    web_put_number(room, "roomId", chat->id);
    web_put_number(room, "userCount", chat->member_count);
    web_put(room, "users", users);
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
        const struct hosted_table *entry = &visit->forum->entries[i - 1];

        const struct place_here *chat =
            !entry->chat || listed[entry->place - TABLE]
                ? NULL
                : find_place(visit->forum, true, entry->place);

        if (chat == NULL || !is_member(chat, visit->uid)) {
            continue;
        }
        listed[entry->place - TABLE] = true;
        if (count >= skip && count < skip + PAGE) {
            json_object *room = json_object_new_object();

            put_occupants(visit, chat, room);
            web_put(room, "teaser", json_of_teaser(visit->forum, entry));
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
    struct nodebb *forum = visit->forum;

    ck_assert_uint_eq(json_object_array_length(uids), 1);
    unsigned uid =
        (unsigned)json_object_get_int(json_object_array_get_idx(uids, 0));

    if (forum->blocker != NULL && uid == uid_of(forum, forum->blocker)) {
        refuse(visit, 400, "You have been blocked by this user.");
        return;
    }
    visit->response = json_object_new_object();
    put_room(visit->response, add_chat(forum, uid));
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

    if (chat == NULL) {
        refuse(visit, 404, "Chat room does not exist.");
    } else if (!is_member(chat, visit->uid)) {
        refuse(visit, 403,
               "You do not have enough privileges for this action.");
    } else if (web->part_count == 5) {
        (strcmp(web->parts[4], "users") == 0 ? show_members
                                             : show_messages)(visit, chat);
    } else if (web->part_count == 6) {
        nodebb_change(visit->forum, strtoll(web->parts[5], NULL, 10), text,
                      visit->now);
        visit->response = json_of_entry(
            visit->forum, find_entry(visit->forum, web->parts[5]), visit->uid);
    } else if (may_whisper(visit, text)) {
        visit->response = json_of_entry(
            visit->forum,
            add_entry(visit->forum, chat, visit->uid, text, visit->now),
            visit->uid);
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
queued(struct visit *visit)
{
    json_object *both = json_object_new_object();
    json_object *status = json_object_new_object();

    web_put_text(status, "code", visit->code == NULL ? "ok" : visit->code);
    web_put_text(status, "message",
                 visit->message == NULL ? "OK" : visit->message);
    web_put(both, "status", status);
    web_put(both, "response",
            visit->response == NULL ? json_object_new_object()
                                    : visit->response);
    return both;
}

/* All the ways in which a request is refused, by the forum and by a proxy. */
static void
turn_away(struct visit *visit)
{
    struct nodebb *forum = visit->forum;
    bool post = web_is(visit->web, "POST", 4, "api", "v3") &&
                strcmp(visit->web->parts[2], "topics") == 0;
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

/* Nothing may be answered that the real program was not seen to answer. */
static json_object *
held(struct visit *visit)
{
    const struct request *request = visit->web->request;
    json_object *answer = visit->plain != NULL ? visit->plain : queued(visit);

    if (visit->page == NULL) {
        recordings_hold_json(recordings_of("nodebb"), request->method,
                             buf_text(&request->url) + strlen(NODEBB_BASE),
                             visit->status, answer);
    }
    return answer;
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
    ck_assert(request->authorized);
    if (forum->storm > 0) {
        turn_away(&visit);
    } else if (strcmp(web.parts[1], "v3") == 0) {
        serve_api(&visit);
    } else {
        serve_page(&visit);
    }
    web_answer(visit.status, held(&visit), now, body, reply);
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

const char *
nodebb_called(struct nodebb *forum, const char *user)
{
    return forum->called[uid_of(forum, user) - 1];
}

void
nodebb_rename(struct nodebb *forum, const char *user, const char *name)
{
    snprintf(forum->called[uid_of(forum, user) - 1], NAME_LEN, "%s", name);
}

bool
nodebb_look(struct nodebb *forum, size_t at, struct shown_post *shown)
{
    if (at >= forum->entry_count) {
        return false;
    }
    const struct hosted_table *entry = &forum->entries[at];
    const struct place_here *place =
        find_place(forum, entry->chat, entry->place);
    bool own = entry->uid == 1;

    *shown = (struct shown_post){
        .id = (uint64_t)entry->id,
        .topic = (uint64_t)entry->place,
        .author = own ? "" : forum->users[entry->uid - 1],
        .dm = entry->chat ? forum->users[place->members[1] - 1] : "",
        .text = entry->text};
    if (own) {
        shown_post_set_key(shown, entry->text);
    }
    return true;
}

void
nodebb_delete_topic(struct nodebb *forum, int64_t topic, bool deleted)
{
    struct place_here *found = find_place(forum, false, topic);

    ck_assert_ptr_nonnull(found);
    found->deleted = deleted;
}

void
nodebb_merge(struct nodebb *forum, int64_t topic, int64_t into)
{
    nodebb_delete_topic(forum, topic, true);
    for (size_t i = 0; i < forum->entry_count; i++) {
        struct hosted_table *entry = &forum->entries[i];

        if (!entry->chat && entry->place == topic) {
            entry->place = into;
        }
    }
}

void
nodebb_move(struct nodebb *forum, int64_t id, int64_t into)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct hosted_table *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    entry->place = into;
}

void
nodebb_hide(struct nodebb *forum, int64_t topic, bool hidden)
{
    struct place_here *found = find_place(forum, false, topic);

    ck_assert_ptr_nonnull(found);
    found->hidden = hidden;
}

void
nodebb_show_recent(struct nodebb *forum, unsigned topics)
{
    forum->recent = topics;
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
    struct hosted_table *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    free(entry->text);
    free(entry->shown);
    entry->shown = NULL;
    entry->text = must_copy(text);
    entry->edited = now;
}

void
nodebb_remove(struct nodebb *forum, int64_t id)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct hosted_table *entry = find_entry(forum, number);

    ck_assert_ptr_nonnull(entry);
    entry->deleted = true;
}

void
nodebb_purge(struct nodebb *forum, int64_t id)
{
    char number[32];

    snprintf(number, sizeof(number), "%lld", (long long)id);
    struct hosted_table *entry = find_entry(forum, number);

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
nodebb_leave(struct nodebb *forum, const char *user)
{
    struct place_here *chat = chat_of(forum, uid_of(forum, user));

    ck_assert_ptr_nonnull(chat);
    chat->members[0] = 1;
    chat->member_count = 1;
}

int64_t
nodebb_begin_chat(struct nodebb *forum, const char *user, const char *text,
                  int64_t now)
{
    unsigned uid = uid_of(forum, user);

    return add_entry(forum, add_chat(forum, uid), uid, text, now)->id;
}

bool
nodebb_in_chat(struct nodebb *forum, const char *user)
{
    return chat_of(forum, uid_of(forum, user)) != NULL;
}

void
nodebb_block(struct nodebb *forum, const char *user)
{
    forum->blocker = user;
}

void
nodebb_queue(struct nodebb *forum, bool unapproved)
{
    forum->unapproved = unapproved;
}

void
nodebb_close_chats(struct nodebb *forum, bool closed)
{
    forum->no_chats = closed;
}

void
nodebb_lock(struct nodebb *forum, bool locked)
{
    forum->locked = locked;
}

void
nodebb_mute(struct nodebb *forum, bool muted)
{
    forum->muted = muted;
}

void
nodebb_reset_token(struct nodebb *forum, bool reset)
{
    forum->no_token = reset;
}

void
nodebb_refuse(struct nodebb *forum, const char *words)
{
    forum->words = words;
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
        const struct hosted_table *entry = &forum->entries[i];

        if (entry->chat == place->chat && entry->place == place->id &&
            !entry->deleted) {
            text = entry->text;
        }
    }
    return text;
}
