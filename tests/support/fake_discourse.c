#include "tests/support/fake_discourse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>

#include "adapters/markup/dialects.h"
#include "adapters/markup/rich.h"
#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "tests/support/fake_request.h"
#include "tests/support/fake_service.h"
#include "tests/support/markdown/markdown_reader.h"
#include "tests/support/recordings.h"

enum {
    TOPICS_MAX = 128,
    USERS_MAX = 4,
    CATEGORY = 5,
    BOT_NUMBER = 2, /* the others' numbers follow */
    MEMBERS_MAX = 64,
    ADMITTED_MAX = 16,
    GRACE_MS = 300000, /* editing_grace_period */
    NAME_MAX_LEN = 64,
    FILES_MAX = 512,
    FILE_NAME_LEN = 17,
    MENTIONS = 10,
    PARTICIPANTS = 24, /* of a topic that are shown */
    CHUNK = 20,
    TABLE = 7,
    SHORTEST = 5, /* it was lowered, for votes */
    UNIQUE_MS = 300000,
    WAITING_MAX = 4,
    MEMOS = 64,
    MEMO_MS = 120000, /* a create's answer is remembered so long */
    JOB_MS = 5000,    /* until participants are counted again */
    EDITS_A_DAY = 30, /* max_edits_per_day */
    DM_FULL = 500     /* auto_close_messages_post_count */
};

struct topic_post {
    int64_t id, topic, number, stamp, updated;
    int version;
    bool deleted, locked, hidden;
    bool copied;        /* from another topic, where it was the first */
    const char *action; /* what a moderator has done; NULL: it was written */
    char user[NAME_MAX_LEN];
    char *raw;    /* owned */
    char *cooked; /* owned; NULL: not asked for yet */
};

/* A reply in the queue. */
struct waiting {
    int64_t id, topic, stamp; /* 0: nothing */
    char user[NAME_MAX_LEN];
    char *raw; /* owned */
};

/* An answer to a create that is given again to the same request. */
struct memo {
    char *request, *answer; /* owned */
    int64_t until;
    int status;
};

struct topic {
    int64_t id;
    bool dm, gone, closed, unlisted;
    int64_t category;
    char title[128], external[64];
    char users[USERS_MAX][NAME_MAX_LEN]; /* of a DM */
    unsigned user_count;
    int64_t posts; /* the highest number */
};

/* Somebody, by the name that they had at first, in lower case, as posts and
 * topics have it. */
struct member {
    char name[NAME_MAX_LEN], called[NAME_MAX_LEN];
};

struct discourse {
    struct member members[MEMBERS_MAX];
    unsigned member_count;
    struct topic topics[TOPICS_MAX];
    unsigned topic_count;
    struct topic_post *posts;
    size_t count;
    struct discourse_habits habits;
    char files[FILES_MAX][FILE_NAME_LEN]; /* their names, without the ending */
    unsigned file_count;
    unsigned bumps;
    unsigned storm, storms;
    size_t shortest, shortest_dm;
    char admitted[ADMITTED_MAX][NAME_MAX_LEN];
    unsigned admitted_count;
    unsigned edits; /* of the bot, as long as it is no staff */
    struct waiting waiting[WAITING_MAX];
    int64_t unapproved; /* so many there were */
    struct memo memos[MEMOS];
    unsigned memo_count;
    bool merged; /* a topic was, which was never recorded */
};

/* One request on its way. */
struct visit {
    struct discourse *forum;
    char user[NAME_MAX_LEN]; /* who asks, in lower case */
    const struct web *web;
    int64_t now;
    int status;
    json_object *answer;
    char headers[256];
    const char *page; /* no JSON but this; NULL: JSON */
    bool unheld;      /* it is not held against recordings */
};

/* ---- topics and posts ---------------------------------------------------- */

static struct topic *
find_topic(struct discourse *forum, int64_t id)
{
    for (unsigned i = 0; i < forum->topic_count; i++) {
        if (forum->topics[i].id == id) {
            return &forum->topics[i];
        }
    }
    return NULL;
}

static struct topic *
add_topic(struct discourse *forum, bool dm, const char *title)
{
    ck_assert_uint_lt(forum->topic_count, TOPICS_MAX);
    struct topic *topic = &forum->topics[forum->topic_count];

    topic->id = TABLE + (int64_t)forum->topic_count++;
    topic->dm = dm;
    topic->category = CATEGORY;
    snprintf(topic->title, sizeof(topic->title), "%s", title);
    return topic;
}

static void
lower(const char *user, char name[NAME_MAX_LEN])
{
    snprintf(name, NAME_MAX_LEN, "%.63s", user);
    for (char *at = name; *at >= 'A' && *at <= 'Z'; at++) {
        *at = (char)(*at | 0x20);
    }
}

static bool
is_same(const char *user, const char *name)
{
    char lowered[NAME_MAX_LEN];

    lower(user, lowered);
    return strcmp(lowered, name) == 0;
}

/* ---- members ------------------------------------------------------------- */

static struct member *
member_of(struct discourse *forum, const char *user)
{
    for (unsigned i = 0; i < forum->member_count; i++) {
        if (is_same(user, forum->members[i].name)) {
            return &forum->members[i];
        }
    }
    ck_assert_uint_lt(forum->member_count, MEMBERS_MAX);
    struct member *member = &forum->members[forum->member_count++];

    lower(user, member->name);
    snprintf(member->called, sizeof(member->called), "%s", user);
    return member;
}

static int64_t
number_of(struct discourse *forum, const char *user)
{
    return BOT_NUMBER + (member_of(forum, user) - forum->members);
}

/* Whoever is called so now; NULL: nobody.  Whoever is asked for is there, but
 * for "nobody", and for who has another name now. */
static struct member *
member_called(struct discourse *forum, const char *name)
{
    for (unsigned i = 0; i < forum->member_count; i++) {
        if (strcasecmp(forum->members[i].called, name) == 0) {
            return &forum->members[i];
        }
    }
    if (strncmp(name, "nobody", strlen("nobody")) == 0) {
        return NULL;
    }
    struct member *member = member_of(forum, name);

    return strcasecmp(member->called, name) == 0 ? member : NULL;
}

static void
add_user(struct topic *topic, const char *user)
{
    ck_assert_uint_lt(topic->user_count, USERS_MAX);
    lower(user, topic->users[topic->user_count++]);
}

static struct topic_post *
add_post(struct discourse *forum, struct topic *topic, const char *user,
         const char *raw, int64_t now)
{
    forum->posts =
        must_grow(forum->posts, (forum->count + 1) * sizeof(*forum->posts));
    struct topic_post *post = &forum->posts[forum->count];

    memset(post, 0, sizeof(*post));
    post->id = 1000 + (int64_t)forum->count++;
    post->topic = topic->id;
    post->number = ++topic->posts;
    post->stamp = now;
    post->updated = now;
    post->version = 1;
    snprintf(post->user, sizeof(post->user), "%s", user);
    post->raw = must_copy(raw);
    for (size_t len = strlen(raw); len > 0 && raw[len - 1] == '\n'; len--) {
        post->raw[len - 1] = '\0';
    }
    return post;
}

static struct topic_post *
find_post(struct discourse *forum, int64_t id)
{
    return id < 1000 || id >= 1000 + (int64_t)forum->count
               ? NULL
               : &forum->posts[id - 1000];
}

struct discourse *
discourse_new(void)
{
    struct discourse *forum = must_alloc(sizeof(*forum));

    forum->shortest = SHORTEST;
    forum->shortest_dm = SHORTEST;
    (void)member_of(forum, DISCOURSE_BOT);
    add_post(forum, add_topic(forum, false, "The table"), "Mo",
             "Here we play, once the host is with us.", 1000);
    return forum;
}

void
discourse_free(struct discourse *forum)
{
    for (size_t i = 0; i < forum->count; i++) {
        free(forum->posts[i].raw);
        free(forum->posts[i].cooked);
    }
    for (unsigned i = 0; i < forum->memo_count && i < MEMOS; i++) {
        free(forum->memos[i].request);
        free(forum->memos[i].answer);
    }
    for (unsigned i = 0; i < WAITING_MAX; i++) {
        free(forum->waiting[i].raw);
    }
    free(forum->posts);
    free(forum);
}

/* ---- JSON ---------------------------------------------------------------- */

static void
put_time(json_object *object, const char *key, int64_t time)
{
    struct buf text = BUF_INIT;

    instant_write(time, &text);
    buf_truncate(&text, text.len - 1);
    buf_addf(&text, ".%03dZ", (int)(time % 1000));
    web_put_text(object, key, buf_text(&text));
    buf_release(&text);
}

/* Straight apostrophes and quotation marks are shown as curved ones
 * (enable_markdown_typographer, on at first), but in code and tags. */
static void
curve(const char *html, struct buf *out)
{
    bool code = false;
    bool open = false;

    while (*html != '\0') {
        const char *end = *html == '<' ? strchr(html, '>') : NULL;
        size_t len = end == NULL ? 1 : (size_t)(end + 1 - html);

        if (*html == '<') {
            code = strncmp(html, "<code>", 6) == 0 ||
                   (code && strncmp(html, "</code>", 7) != 0);
            buf_add(out, html, len);
        } else if (*html == '\'' && !code) {
            buf_add_text(out, "’");
        } else if (*html == '"' && !code) {
            open = !open;
            buf_add_text(out, open ? "“" : "”");
        } else {
            buf_add_char(out, *html);
        }
        html += len;
    }
}

/* Without comments, as a forum shows it. */
static void
cook(const char *raw, struct buf *html)
{
    if (raw[0] == '<') {
        buf_add_text(html, raw);
        return;
    }
    struct rich rich = {.count = 0};
    bool unread = false;
    const char *comment = strstr(raw, "<!--");
    size_t len = comment == NULL ? strlen(raw) : (size_t)(comment - raw);

    struct buf straight = BUF_INIT;
    forum_markdown.read(raw, len, &rich, &unread);
    dialects_find("html")->write(&rich, &straight);
    curve(buf_text(&straight), html);
    buf_release(&straight);
    rich_release(&rich);
}

static json_object *
json_of_post(struct discourse *forum, struct topic_post *post, bool raw)
{
    json_object *object = json_object_new_object();

    if (post->cooked == NULL) {
        struct buf html = BUF_INIT;

        cook(post->raw, &html);
        post->cooked = buf_take(&html);
    }
    web_put_number(object, "id", post->id);
    web_put_number(object, "topic_id", post->topic);
    web_put_number(object, "post_number", post->number);
    web_put_number(object, "user_id", number_of(forum, post->user));
    web_put_text(object, "username", member_of(forum, post->user)->called);
    web_put_number(object, "post_type", post->action == NULL ? 1 : 3);
    if (post->action != NULL) {
        web_put_text(object, "action_code", post->action);
    }
    web_put_number(object, "version", post->version);
    put_time(object, "created_at", post->stamp);
    put_time(object, "updated_at", post->updated);
    web_put_text(object, "cooked", post->cooked);
    web_put(object, "deleted_at",
            post->deleted ? json_object_new_string("2026-11-22T17:46:40.517Z")
                          : NULL);
    web_put_bool(object, "hidden", post->hidden);
    web_put_bool(object, "user_deleted", false);
    if (raw) {
        web_put_text(object, "raw", post->raw);
    }
    return object;
}

/* `type` "": a create's refusal has none. */
static json_object *
json_of_errors(const char *words, const char *type)
{
    json_object *object = json_object_new_object();
    json_object *errors = json_object_new_array();

    json_object_array_add(errors, json_object_new_string(words));
    web_put(object, "errors", errors);
    if (*type == '\0') {
        web_put_text(object, "action", "create_post");
    } else {
        web_put_text(object, "error_type", type);
    }
    return object;
}

static void
refuse(struct visit *visit, int status, const char *words, const char *type)
{
    json_object_put(visit->answer);
    visit->status = status;
    visit->answer = json_of_errors(words, type);
}

/* A create is refused in the language of the site. */
static void
refuse_create(struct visit *visit, const char *words, const char *german)
{
    refuse(visit, 422, visit->forum->habits.german ? german : words, "");
}

static void
refuse_unknown(struct visit *visit)
{
    refuse(visit, 404, "The requested URL or resource could not be found.",
           "not_found");
}

static void
refuse_access(struct visit *visit)
{
    refuse(visit, 403, "You are not permitted to view the requested resource.",
           "invalid_access");
}

/* So it says of a topic that is closed, too, or to who is silenced. */
static void
refuse_reply(struct visit *visit)
{
    refuse_create(visit,
                  "Something has gone wrong. Perhaps this topic was closed or "
                  "deleted while you were looking at it?",
                  "Etwas ist schiefgelaufen. Wurde das Thema eventuell "
                  "geschlossen oder gelöscht, während du es angeschaut hast?");
}

/* ---- topics, asked for --------------------------------------------------- */

static bool
is_in(const struct topic *topic, const char *user)
{
    for (unsigned i = 0; i < topic->user_count; i++) {
        if (strcmp(topic->users[i], user) == 0) {
            return true;
        }
    }
    return !topic->dm;
}

static bool
is_staff(const struct visit *visit)
{
    return strcmp(visit->user, DISCOURSE_BOT) == 0 &&
           !visit->forum->habits.no_staff;
}

/* A topic that whoever asks may see: staff sees deleted ones; NULL: refused. */
static struct topic *
topic_of(struct visit *visit, const char *text)
{
    struct topic *topic = find_topic(visit->forum, strtoll(text, NULL, 10));

    if (topic == NULL || (topic->gone && !is_staff(visit)) ||
        !is_in(topic, visit->user)) {
        refuse_unknown(visit);
        return NULL;
    }
    return topic;
}

static bool
may_reply(const struct visit *visit, const struct topic *topic)
{
    bool silent = visit->forum->habits.silenced &&
                  strcmp(visit->user, DISCOURSE_BOT) == 0;

    return !topic->gone && !silent && (!topic->closed || is_staff(visit));
}

static bool
has_posted(const struct discourse *forum, const struct topic *topic,
           const struct member *member)
{
    size_t at = forum->count;

    while (at > 0 && (forum->posts[at - 1].topic != topic->id ||
                      !is_same(forum->posts[at - 1].user, member->name))) {
        at--;
    }
    return at > 0;
}

static json_object *
json_of_participants(const struct discourse *forum, const struct topic *topic)
{
    json_object *people = json_object_new_array();

    for (unsigned i = 0; i < forum->member_count; i++) {
        const struct member *member = &forum->members[i];

        if (has_posted(forum, topic, member) &&
            json_object_array_length(people) < PARTICIPANTS) {
            json_object *person = json_object_new_object();

            web_put_number(person, "id", BOT_NUMBER + i);
            web_put_text(person, "username", member->called);
            json_object_array_add(people, person);
        }
    }
    return people;
}

static json_object *
json_of_details(const struct visit *visit, const struct topic *topic)
{
    json_object *details = json_object_new_object();
    json_object *users = json_object_new_array();

    for (unsigned i = 0; i < topic->user_count; i++) {
        json_object *user = json_object_new_object();

        web_put_number(user, "id", number_of(visit->forum, topic->users[i]));
        web_put_text(user, "username",
                     member_of(visit->forum, topic->users[i])->called);
        json_object_array_add(users, user);
    }
    if (may_reply(visit, topic)) {
        web_put_bool(details, "can_create_post", true);
    }
    web_put(details, "participants", json_of_participants(visit->forum, topic));
    if (topic->dm) {
        web_put(details, "allowed_users", users);
        web_put(details, "allowed_groups", json_object_new_array());
    } else {
        json_object_put(users);
    }
    return details;
}

/* Add a post that is shown.  Who has left a topic was recorded where that is
 * asked for from its first posts alone (talk_left); its last posts come from
 * the same place in the forum (topics/show). */
static void
show_post(struct visit *visit, struct topic_post *post, bool raw,
          json_object *posts)
{
    visit->unheld = visit->unheld || (post->action != NULL &&
                                      strcmp(post->action, "user_left") == 0);
    json_object_array_add(posts, json_of_post(visit->forum, post, raw));
}

static bool
stands_in_topic(const struct topic_post *post, const struct topic *topic)
{
    return post->topic == topic->id && !post->deleted;
}

/* How many posts are left out before those near a number: a quarter of them
 * stand before it (lib/topic_view.rb, get_minmax_ids). */
static size_t
count_left_out(const struct discourse *forum, const struct topic *topic,
               int64_t near)
{
    size_t before = 0;
    size_t all = 0;

    for (size_t i = 0; i < forum->count; i++) {
        if (stands_in_topic(&forum->posts[i], topic)) {
            before += forum->posts[i].number < near ? 1 : 0;
            all++;
        }
    }
    size_t most = all < CHUNK ? 0 : all - CHUNK;
    size_t from = before < CHUNK / 4 ? 0 : before - CHUNK / 4;

    return from < most ? from : most;
}

/* With its posts near a number. */
static void
show_topic(struct visit *visit, const struct topic *topic, int64_t near)
{
    bool raw = web_field(visit->web, "include_raw", 0) != NULL;
    struct discourse *forum = visit->forum;
    json_object *posts = json_object_new_array();
    json_object *stream = json_object_new_array();
    json_object *both = json_object_new_object();
    size_t left_out = count_left_out(forum, topic, near);

    for (size_t i = 0; i < forum->count; i++) {
        struct topic_post *post = &forum->posts[i];

        if (!stands_in_topic(post, topic)) {
            continue;
        }
        if (left_out > 0) {
            left_out--;
        } else if (json_object_array_length(posts) < CHUNK) {
            show_post(visit, post, raw, posts);
        }
        json_object_array_add(stream, json_object_new_int64(post->id));
    }
    web_put(both, "posts", posts);
    web_put(both, "stream", stream);
    visit->answer = json_object_new_object();
    web_put(visit->answer, "post_stream", both);
    web_put_number(visit->answer, "id", topic->id);
    web_put_text(visit->answer, "title", topic->title);
    web_put_text(visit->answer, "archetype",
                 topic->dm ? "private_message" : "regular");
    web_put_bool(visit->answer, "closed", topic->closed);
    web_put(visit->answer, "deleted_at",
            topic->gone ? json_object_new_string("2026-11-22T17:44:27.430Z")
                        : NULL);
    web_put_number(visit->answer, "highest_post_number", topic->posts);
    web_put_bool(visit->answer, "visible", !topic->unlisted);
    web_put(visit->answer, "category_id",
            topic->dm ? NULL : json_object_new_int64(topic->category));
    web_put(visit->answer, "details", json_of_details(visit, topic));
}

/* The last posts of one user and the first one, but for the topic's last
 * (lib/topic_view.rb, filter_posts_by_post_number), the newest first. */
static void
show_latest_of(struct visit *visit, const struct topic *topic, const char *user,
               json_object *posts)
{
    bool last = true;

    for (size_t i = visit->forum->count;
         i > 0 && json_object_array_length(posts) < CHUNK; i--) {
        struct topic_post *post = &visit->forum->posts[i - 1];

        if (stands_in_topic(post, topic)) {
            if (!last && (post->number == 1 || strcmp(post->user, user) == 0)) {
                show_post(visit, post, true, posts);
            }
            last = false;
        }
    }
}

static void
show_posts(struct visit *visit, const struct topic *topic)
{
    bool raw = web_field(visit->web, "include_raw", 0) != NULL;
    json_object *posts = json_object_new_array();
    json_object *both = json_object_new_object();
    const char *id;

    for (unsigned n = 0; (id = web_field(visit->web, "post_ids[]", n)) != NULL;
         n++) {
        struct topic_post *post =
            find_post(visit->forum, strtoll(id, NULL, 10));

        if (post != NULL && post->topic == topic->id &&
            (!post->deleted || is_staff(visit))) {
            show_post(visit, post, raw, posts);
        }
    }
    if (web_field(visit->web, "post_number", 0) != NULL) {
        ck_assert(raw);
        show_latest_of(visit, topic,
                       web_field(visit->web, "username_filters", 0), posts);
    }
    web_put(both, "posts", posts);
    visit->answer = json_object_new_object();
    web_put(visit->answer, "post_stream", both);
    web_put_number(visit->answer, "id", topic->id);
}

static void
lead_to(struct visit *visit, const char *external)
{
    char id[64];

    snprintf(id, sizeof(id), "%.*s", (int)strcspn(external, "."), external);
    for (unsigned i = 0; i < visit->forum->topic_count; i++) {
        const struct topic *topic = &visit->forum->topics[i];

        if (!topic->gone && strcmp(topic->external, id) == 0) {
            if (!is_in(topic, visit->user)) {
                refuse_access(visit);
                return;
            }
            visit->status = 301;
            snprintf(
                visit->headers, sizeof(visit->headers),
                "x-discourse-username: placard\nlocation: %s/t/some-name/%lld.json\n",
                DISCOURSE_BASE, (long long)topic->id);
            return;
        }
    }
    refuse_unknown(visit);
}

/* ---- the inbox ----------------------------------------------------------- */

/* A topic in a list.  The last one bumped comes first; what is noted in a topic
 * (an action) does not bump it (app/models/topic.rb, add_moderator_post). */
struct listed {
    int64_t id, last, bumped;
};

/* A DM in which nobody else has written is not in the inbox; a job counts who
 * has, some time later.  Among those that one has written in it stands at once.
 */
static bool
stands_in_list(const struct visit *visit, const struct topic *topic, bool sent,
               struct listed *row)
{
    const struct discourse *forum = visit->forum;
    bool listed = false;

    *row = (struct listed){.id = topic->id};
    for (size_t i = 0; i < forum->count; i++) {
        const struct topic_post *post = &forum->posts[i];

        if (post->topic == topic->id) {
            bool own = is_same(post->user, visit->user);

            row->last = post->deleted ? row->last : post->stamp;
            row->bumped = post->action == NULL ? row->last : row->bumped;
            listed = listed ||
                     (sent ? own : !own && post->stamp + JOB_MS <= visit->now);
        }
    }
    return topic->dm && !topic->gone && listed && is_in(topic, visit->user);
}

static void
show_list(struct visit *visit, bool sent)
{
    json_object *topics = json_object_new_array();
    json_object *list = json_object_new_object();
    struct listed rows[TOPICS_MAX];
    unsigned count = 0;
    const char *page = web_field(visit->web, "page", 0);
    unsigned from = page == NULL ? 0 : 30 * (unsigned)strtoul(page, NULL, 10);

    for (unsigned i = 0; i < visit->forum->topic_count; i++) {
        const struct topic *topic = &visit->forum->topics[i];
        struct listed row;

        if (stands_in_list(visit, topic, sent, &row)) {
            unsigned at = count++;

            for (; at > 0 && rows[at - 1].bumped < row.bumped; at--) {
                rows[at] = rows[at - 1];
            }
            rows[at] = row;
        }
    }
    for (unsigned i = from; i < count && i < from + 30; i++) {
        json_object *topic = json_object_new_object();

        web_put_number(topic, "id", rows[i].id);
        if (rows[i].last == 0) {
            web_put(topic, "last_posted_at", NULL);
        } else {
            put_time(topic, "last_posted_at", rows[i].last);
        }
        json_object_array_add(topics, topic);
    }
    web_put(list, "topics", topics);
    visit->answer = json_object_new_object();
    web_put(visit->answer, "topic_list", list);
}

/* ---- writing ------------------------------------------------------------- */

/* Of how many different people. */
static unsigned
count_mentions(const char *raw)
{
    char known[MENTIONS + 1][NAME_MAX_LEN];
    unsigned count = 0;

    for (const char *at = strchr(raw, '@'); at != NULL && count <= MENTIONS;
         at = strchr(at + 1, '@')) {
        size_t len = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
        unsigned same = 0;

        if (len == 0 || len >= NAME_MAX_LEN) {
            continue;
        }
        snprintf(known[count], NAME_MAX_LEN, "%.*s", (int)len, at + 1);
        while (strcmp(known[same], known[count]) != 0) {
            same++;
        }
        count += same == count ? 1 : 0;
    }
    return count;
}

/* Line feeds at the end are cut off. */
static bool
is_alike(const char *text, const char *raw)
{
    size_t len = strlen(text);

    return strncmp(raw, text, len) == 0 &&
           raw[len + strspn(raw + len, "\n")] == '\0';
}

/* The length without comments and blanks at the ends counts. */
static bool
may_write(struct visit *visit, const char *raw, bool dm)
{
    const char *comment = strstr(raw, "<!--");
    size_t len = comment == NULL ? strlen(raw) : (size_t)(comment - raw);
    char words[96];

    size_t least = dm ? visit->forum->shortest_dm : visit->forum->shortest;

    if (len < least) {
        snprintf(words, sizeof(words),
                 "Body is too short (minimum is %zu characters)", least);
        refuse(visit, 422, words, "");
        return false;
    }
    /* Of staff alone neither is asked. */
    if (visit->forum->habits.no_staff && count_mentions(raw) > MENTIONS) {
        refuse(visit, 422, "Sorry, you can only mention 10 users in a post.",
               "");
        return false;
    }
    for (size_t i = 0; visit->forum->habits.no_staff && i < visit->forum->count;
         i++) {
        const struct topic_post *post = &visit->forum->posts[i];

        if (is_same(post->user, visit->user) && !post->deleted &&
            post->stamp + UNIQUE_MS > visit->now && is_alike(post->raw, raw)) {
            refuse(visit, 422,
                   "Body is too similar to what you recently posted", "");
            return false;
        }
    }
    return true;
}

/* Does that person take no private messages? */
static bool
refuses_dms(const struct visit *visit, const char *user)
{
    const char *hermit = visit->forum->habits.hermit;

    return hermit != NULL && is_same(user, hermit);
}

static bool
may_dm(struct visit *visit, const char *user)
{
    const struct member *member = member_called(visit->forum, user);

    if (member == NULL) {
        refuse(visit, 422,
               "One of the users you are sending this message to could not be "
               "found.",
               "");
        return false;
    }
    if (refuses_dms(visit, member->name)) {
        refuse(visit, 422,
               "Sorry, hans is not accepting messages at the moment.", "");
        return false;
    }
    return true;
}

static struct topic *
new_topic(struct visit *visit)
{
    json_object *body = visit->web->body;
    const char *archetype = jdoc_string(body, "archetype");
    const char *external = jdoc_string(body, "external_id");
    const char *title = jdoc_string(body, "title");
    bool dm = archetype != NULL && strcmp(archetype, "private_message") == 0;

    if (title == NULL || strlen(title) < 15) {
        refuse(visit, 422, "Title is too short (minimum is 15 characters)", "");
        return NULL;
    }
    for (unsigned i = 0; i < visit->forum->topic_count; i++) {
        const struct topic *other = &visit->forum->topics[i];

        if (external != NULL && strcmp(other->external, external) == 0) {
            refuse_create(visit, "External has already been taken",
                          "External wird bereits verwendet");
            return NULL;
        }
        if (!dm && !other->dm && !other->gone &&
            strcasecmp(other->title, title) == 0) {
            refuse_create(visit, "Title has already been used",
                          "Titel wird bereits verwendet");
            return NULL;
        }
    }
    if (dm && !may_dm(visit, jdoc_string(body, "target_recipients"))) {
        return NULL;
    }
    struct topic *topic = add_topic(visit->forum, dm, title);

    snprintf(topic->external, sizeof(topic->external), "%s",
             external == NULL ? "" : external);
    if (dm) {
        add_user(topic, member_called(visit->forum,
                                      jdoc_string(body, "target_recipients"))
                            ->name);
        add_user(topic, visit->user);
    } else {
        int64_t category = 0;

        ck_assert(jdoc_integer(body, "category", &category) && category == 5);
    }
    return topic;
}

static json_object *
json_of_waiting(const struct waiting *waiting, const char *raw)
{
    json_object *pending = json_object_new_object();

    web_put_number(pending, "id", waiting->id);
    web_put_text(pending, raw, waiting->raw);
    put_time(pending, "created_at", waiting->stamp);
    return pending;
}

static void
put_into_queue(struct visit *visit, const char *raw)
{
    struct discourse *forum = visit->forum;
    unsigned at = 0;

    while (forum->waiting[at].id != 0) {
        ck_assert_uint_lt(++at, WAITING_MAX);
    }
    struct waiting *waiting = &forum->waiting[at];

    waiting->id = ++forum->unapproved;
    waiting->stamp = visit->now;
    waiting->raw = must_copy(raw);
    snprintf(waiting->user, sizeof(waiting->user), "%s", visit->user);
    (void)jdoc_integer(visit->web->body, "topic_id", &waiting->topic);
    visit->answer = json_object_new_object();
    web_put_text(visit->answer, "action", "enqueued");
    web_put_bool(visit->answer, "success", true);
    web_put(visit->answer, "pending_post", json_of_waiting(waiting, "raw"));
}

static void
show_queue(struct visit *visit)
{
    json_object *list = json_object_new_array();

    for (unsigned i = 0; i < WAITING_MAX; i++) {
        const struct waiting *waiting = &visit->forum->waiting[i];

        if (waiting->id != 0 && is_same(visit->web->parts[1], waiting->user)) {
            json_object_array_add(list, json_of_waiting(waiting, "raw_text"));
        }
    }
    visit->answer = json_object_new_object();
    web_put(visit->answer, "pending_posts", list);
}

void
discourse_review(struct discourse *forum, bool approve, int64_t now)
{
    for (unsigned i = 0; i < WAITING_MAX; i++) {
        struct waiting *waiting = &forum->waiting[i];

        if (waiting->id != 0 && approve) {
            add_post(forum, find_topic(forum, waiting->topic), waiting->user,
                     waiting->raw, now);
        }
        free(waiting->raw);
        *waiting = (struct waiting){0};
    }
}

static void
write_post(struct visit *visit)
{
    json_object *body = visit->web->body;
    const char *raw = jdoc_string(body, "raw");
    int64_t id;
    struct topic *topic = NULL;

    ck_assert_ptr_nonnull(raw);
    if (visit->forum->habits.queue) {
        put_into_queue(visit, raw);
        return;
    }
    if (jdoc_integer(body, "topic_id", &id)) {
        topic = find_topic(visit->forum, id);
        if (topic == NULL || !is_in(topic, visit->user) ||
            !may_reply(visit, topic)) {
            refuse_reply(visit);
            return;
        }
    } else if (may_write(visit, raw, false)) {
        topic = new_topic(visit);
    }
    if (topic != NULL && may_write(visit, raw, topic->dm)) {
        visit->answer = json_of_post(
            visit->forum,
            add_post(visit->forum, topic, visit->user, raw, visit->now), true);
        topic->closed = topic->closed || (topic->dm && topic->posts >= DM_FULL);
    }
}

/* The same request is answered as the last time, where that was lately. */
static void
create_post(struct visit *visit)
{
    struct discourse *forum = visit->forum;
    struct buf request = BUF_INIT;

    buf_addf(&request, "%s %s", visit->user,
             json_object_to_json_string(visit->web->body));
    for (unsigned i = 0; i < forum->memo_count && i < MEMOS; i++) {
        const struct memo *memo = &forum->memos[i];

        if (memo->until > visit->now &&
            strcmp(memo->request, buf_text(&request)) == 0) {
            visit->status = memo->status;
            visit->answer = json_tokener_parse(memo->answer);
            buf_release(&request);
            return;
        }
    }
    write_post(visit);
    struct memo *memo = &forum->memos[forum->memo_count++ % MEMOS];

    free(memo->request);
    free(memo->answer);
    *memo = (struct memo){
        .request = buf_take(&request),
        .answer = must_copy(json_object_to_json_string(visit->answer)),
        .until = visit->now + MEMO_MS,
        .status = visit->status};
}

static void
refuse_edits(struct visit *visit)
{
    refuse(visit, 429,
           "You’ve reached the maximum number of daily edits. You can submit "
           "more edits in 24 hours.",
           "rate_limit");
    json_object *extras = json_object_new_object();

    web_put_number(extras, "wait_seconds", 86400);
    web_put(visit->answer, "extras", extras);
}

static void
edit_post(struct visit *visit, struct topic_post *post)
{
    const char *raw = jdoc_string(jdoc_get(visit->web->body, "post"), "raw");
    bool silent = false;

    bool quick = post != NULL && visit->now <= post->stamp + GRACE_MS &&
                 strcmp(visit->user, DISCOURSE_BOT) != 0;

    (void)jdoc_bool(visit->web->body, "bypass_bump", &silent);
    if (post == NULL || (post->deleted && !is_staff(visit))) {
        refuse_unknown(visit);
        return;
    }
    if (!is_same(post->user, visit->user)) {
        refuse_access(visit);
        return;
    }
    if (!is_staff(visit) && !quick && visit->forum->edits++ >= EDITS_A_DAY) {
        refuse_edits(visit);
        return;
    }
    silent = silent && is_staff(visit); /* else it is not heeded */
    ck_assert_ptr_nonnull(raw);
    visit->forum->bumps += silent ? 0 : 1;
    discourse_change(visit->forum, post->id, raw, !quick, visit->now);
    visit->answer = json_object_new_object();
    web_put(visit->answer, "post", json_of_post(visit->forum, post, true));
}

static void
delete_post(struct visit *visit, struct topic_post *post)
{
    if (post == NULL || (post->deleted && !is_staff(visit))) {
        refuse_unknown(visit);
        return;
    }
    post->deleted = true;
}

static void
lock_post(struct visit *visit, struct topic_post *post)
{
    const char *locked = jdoc_string(visit->web->body, "locked");

    ck_assert(locked != NULL && strcmp(locked, "true") == 0);
    if (post != NULL && !is_staff(visit)) {
        refuse_access(visit);
    } else if (post == NULL) {
        refuse_unknown(visit);
    } else {
        post->locked = true;
        visit->answer = json_object_new_object();
        web_put_bool(visit->answer, "locked", true);
    }
}

/* ---- files --------------------------------------------------------------- */

/* What was uploaded before is the same file. */
static void
take_file(struct visit *visit)
{
    struct discourse *forum = visit->forum;
    const struct web *web = visit->web;
    const char *type = web_field(web, "upload_type", 0);
    const char *synchronous = web_field(web, "synchronous", 0);
    uint64_t sum = UINT64_C(14695981039346656037);
    char name[FILE_NAME_LEN];
    char address[64];
    unsigned at = 0;

    ck_assert(web->file != NULL && type != NULL && synchronous != NULL);
    ck_assert_str_eq(web_field(web, "file", 0), "board.png");
    ck_assert_str_eq(type, "composer");
    ck_assert_str_eq(synchronous, "true");
    if (forum->habits.no_uploads) {
        json_object *answer = json_of_errors(
            "Sorry, the file you are trying to upload is not authorized "
            "(authorized extensions: jpg, jpeg, png, gif, heic, heif, webp, "
            "avif).",
            "");

        json_object_object_del(answer, "action");
        visit->status = 422;
        visit->answer = answer;
        return;
    }
    for (size_t i = 0; i < web->file_len; i++) {
        sum = (sum ^ (unsigned char)web->file[i]) * UINT64_C(1099511628211);
    }
    snprintf(name, sizeof(name), "%016llx", (unsigned long long)sum);
    while (at < forum->file_count && strcmp(forum->files[at], name) != 0) {
        at++;
    }
    ck_assert_uint_lt(at, FILES_MAX);
    memcpy(forum->files[at], name, sizeof(name));
    forum->file_count += at == forum->file_count ? 1 : 0;
    visit->answer = json_object_new_object();
    snprintf(address, sizeof(address), "upload://%s.png", name);
    web_put_number(visit->answer, "id", at + 1);
    web_put_text(visit->answer, "short_url", address);
}

/* ---- serving ------------------------------------------------------------- */

/* All the ways in which a request is refused, by the forum and by a proxy. */
static void
turn_away(struct visit *visit)
{
    struct discourse *forum = visit->forum;
    unsigned way = forum->storms++ % 4;

    forum->storm--;
    if (way > 1) {
        visit->status = way == 2 ? 429 : 502;
        visit->page = "<html><head><title>nginx</title></head><body><h1>Not "
                      "now</h1></body></html>";
        return;
    }
    refuse(visit, 429,
           "You’ve performed this action too many times. Please wait 7 seconds "
           "before trying again.",
           "rate_limit");
    json_object *extras = json_object_new_object();

    web_put_number(extras, "wait_seconds", 7);
    web_put(visit->answer, "extras", extras);
    if (way == 1) {
        snprintf(visit->headers, sizeof(visit->headers), "retry-after: 7\n");
    }
}

static bool
is_admitted(const struct discourse *forum, const char *user)
{
    for (unsigned i = 0; i < forum->admitted_count; i++) {
        if (strcmp(forum->admitted[i], user) == 0) {
            return true;
        }
    }
    return strcmp(user, DISCOURSE_BOT) == 0;
}

static void
show_user(struct visit *visit, const char *file)
{
    char name[NAME_MAX_LEN];
    size_t len = strlen(file);

    snprintf(name, sizeof(name), "%.*s", (int)(len - strlen(".json")), file);
    const struct member *member = member_called(visit->forum, name);

    if (member == NULL) {
        refuse_unknown(visit);
        return;
    }
    bool bot = strcmp(member->name, DISCOURSE_BOT) == 0;
    json_object *user = json_object_new_object();

    web_put_number(user, "id", number_of(visit->forum, member->name));
    web_put_text(user, "username", member->called);
    web_put_number(user, "trust_level", 1);
    web_put_bool(user, "moderator", bot && !visit->forum->habits.no_staff);
    web_put_bool(user, "admin", false);
    web_put_bool(user, "can_send_private_messages", true);
    web_put_bool(user, "can_send_private_message_to_user",
                 !refuses_dms(visit, member->name) &&
                     !(visit->forum->habits.silenced &&
                       strcmp(visit->user, DISCOURSE_BOT) == 0));
    visit->answer = json_object_new_object();
    web_put(visit->answer, "user", user);
}

/* ---- the message bus ------------------------------------------------------
 */

static json_object *
bus_message(const char *channel, int64_t number, json_object *data)
{
    json_object *message = json_object_new_object();

    web_put_number(message, "global_id", number);
    web_put_number(message, "message_id", number);
    web_put_text(message, "channel", channel);
    web_put(message, "data", data);
    return message;
}

static json_object *
creation_of(struct discourse *forum, const struct topic_post *post)
{
    json_object *data = json_object_new_object();

    web_put_number(data, "id", post->id);
    web_put_number(data, "post_number", post->number);
    web_put_number(data, "user_id", number_of(forum, post->user));
    web_put_text(data, "type", "created");
    return data;
}

/* Add what was posted in a topic beyond a position; its end. */
static int64_t
add_creations(struct visit *visit, const char *channel, int64_t position)
{
    int64_t topic = strtoll(channel + strlen("/topic/"), NULL, 10);
    int64_t count = 0;

    for (size_t i = 0; i < visit->forum->count; i++) {
        const struct topic_post *post = &visit->forum->posts[i];

        if (post->topic == topic && ++count > position && position >= 0) {
            json_object_array_add(
                visit->answer,
                bus_message(channel, count, creation_of(visit->forum, post)));
        }
    }
    return count;
}

/* Long polling is off, and no private message is young enough to be told. */
static void
show_bus(struct visit *visit)
{
    json_object *status = json_object_new_object();

    visit->answer = json_object_new_array();
    for (unsigned i = 0; i < visit->web->field_count; i++) {
        const struct web_field *field = &visit->web->fields[i];
        int64_t position = strtoll(field->value, NULL, 10);

        if (strncmp(field->key, "/topic/", strlen("/topic/")) == 0) {
            int64_t count = add_creations(visit, field->key, position);

            if (position < 0) {
                web_put_number(status, field->key, count);
            }
        }
    }
    if (json_object_object_length(status) > 0) {
        json_object_array_add(visit->answer,
                              bus_message("/__status", -1, status));
    } else {
        json_object_put(status);
    }
}

/* A category, in which everybody may do everything. */
static void
show_category(struct visit *visit)
{
    json_object *category = json_object_new_object();

    web_put_number(category, "id", strtoll(visit->web->parts[1], NULL, 10));
    web_put_number(category, "permission", 1);
    visit->answer = json_object_new_object();
    web_put(visit->answer, "category", category);
}

/* The topics that everybody sees. */
static void
show_latest(struct visit *visit)
{
    json_object *list = json_object_new_object();
    json_object *topics = json_object_new_array();

    visit->answer = json_object_new_object();
    for (unsigned i = 0; i < visit->forum->topic_count; i++) {
        const struct topic *topic = &visit->forum->topics[i];
        json_object *shown = json_object_new_object();

        web_put_number(shown, "id", topic->id);
        web_put_text(shown, "title", topic->title);
        web_put_bool(shown, "closed", topic->closed);
        web_put_bool(shown, "archived", false);
        if (topic->dm || topic->gone) {
            json_object_put(shown);
        } else {
            json_object_array_add(topics, shown);
        }
    }
    web_put(list, "topics", topics);
    web_put(visit->answer, "topic_list", list);
}

static void
show_settings(struct visit *visit)
{
    visit->answer = json_object_new_object();
    web_put_number(visit->answer, "min_post_length",
                   (int64_t)visit->forum->shortest);
    web_put_number(visit->answer, "min_personal_message_post_length",
                   (int64_t)visit->forum->shortest_dm);
    web_put_number(visit->answer, "max_post_length", 32000);
}

static void
refuse_add(struct visit *visit, const char *words)
{
    json_object *errors = json_object_new_array();

    json_object_array_add(errors, json_object_new_string(words));
    json_object_put(visit->answer);
    visit->status = 422;
    visit->answer = json_object_new_object();
    web_put(visit->answer, "errors", errors);
}

/* Somebody is let into a private message: the answer is that of the API's
 * description (docs.discourse.org, "Invite to topic"); who is in it already is
 * refused, and so is who takes no messages (TopicsController#invite). */
static void
let_in(struct visit *visit, struct topic *topic)
{
    const char *user = jdoc_string(visit->web->body, "user");
    const struct member *member = member_called(visit->forum, user);

    ck_assert_ptr_nonnull(member);
    if (is_in(topic, member->name)) {
        refuse_add(visit, "Sorry, that user has already been invited. You may "
                          "only invite a user to a topic once.");
        return;
    }
    if (refuses_dms(visit, member->name)) {
        refuse_add(visit,
                   "Sorry, hans is not accepting messages at the moment.");
        return;
    }
    json_object *shown = json_object_new_object();

    add_user(topic, member->name);
    web_put_number(shown, "id", 1);
    web_put_text(shown, "username", user);
    web_put_text(shown, "name", user);
    web_put_text(shown, "avatar_template", "/letter_avatar_proxy/{size}.png");
    visit->answer = json_object_new_object();
    web_put(visit->answer, "user", shown);
}

static void
serve_topic(struct visit *visit)
{
    const struct web *web = visit->web;

    if (web_is(web, "GET", 3, "t", "external_id")) {
        lead_to(visit, web->parts[2]);
        return;
    }
    struct topic *topic = topic_of(visit, web->parts[1]);

    if (topic != NULL && web_is(web, "POST", 3, "t", NULL)) {
        ck_assert_str_eq(web->parts[2], "invite.json");
        let_in(visit, topic);
    } else if (topic != NULL && web_is(web, "GET", 2, "t", NULL)) {
        show_topic(visit, topic, 1);
    } else if (topic != NULL && web_is(web, "GET", 3, "t", NULL) &&
               strtoll(web->parts[2], NULL, 10) > 0) {
        show_topic(visit, topic, strtoll(web->parts[2], NULL, 10));
    } else if (topic != NULL) {
        ck_assert(web_is(web, "GET", 3, "t", NULL) &&
                  strcmp(web->parts[2], "posts.json") == 0);
        show_posts(visit, topic);
    }
}

static void
serve(struct visit *visit)
{
    const struct web *web = visit->web;
    struct topic_post *post =
        web->part_count >= 2
            ? find_post(visit->forum, strtoll(web->parts[1], NULL, 10))
            : NULL;

    if (web_is(web, "POST", 3, "message-bus", NULL)) {
        show_bus(visit);
    } else if (web_is(web, "GET", 2, "u", NULL)) {
        show_user(visit, web->parts[1]);
    } else if (strcmp(web->parts[0], "t") == 0) {
        serve_topic(visit);
    } else if (web_is(web, "GET", 3, "topics", "private-messages")) {
        show_list(visit, false);
    } else if (web_is(web, "GET", 3, "topics", "private-messages-sent")) {
        show_list(visit, true);
    } else if (web_is(web, "GET", 3, "c", NULL)) {
        show_category(visit);
    } else if (web_is(web, "GET", 1, "latest.json", NULL)) {
        show_latest(visit);
    } else if (web_is(web, "GET", 2, "site", "settings.json")) {
        show_settings(visit);
    } else if (web_is(web, "POST", 1, "posts.json", NULL)) {
        create_post(visit);
    } else if (web_is(web, "POST", 1, "uploads.json", NULL)) {
        take_file(visit);
    } else if (web_is(web, "GET", 3, "posts", NULL) &&
               strcmp(web->parts[2], "pending.json") == 0) {
        show_queue(visit);
    } else if (web_is(web, "PUT", 2, "posts", NULL)) {
        edit_post(visit, post);
    } else if (web_is(web, "PUT", 3, "posts", NULL) &&
               strcmp(web->parts[2], "locked.json") == 0) {
        lock_post(visit, post);
    } else if (web_is(web, "DELETE", 2, "posts", NULL)) {
        delete_post(visit, post);
    } else {
        ck_abort_msg("%s %s", web->request->method,
                     buf_text(&web->request->url));
    }
}

void
discourse_admit(struct discourse *forum, const char *user)
{
    ck_assert_uint_lt(forum->admitted_count, ADMITTED_MAX);
    lower(user, forum->admitted[forum->admitted_count++]);
}

/* It may answer as the real program was seen to, and not otherwise; a proxy
 * before it may say what it likes. */
static void
hold(const struct visit *visit)
{
    const struct request *request = visit->web->request;
    const struct recordings *recordings = recordings_of("discourse");
    const char *path = buf_text(&request->url) + strlen(DISCOURSE_BASE);

    if (visit->forum->merged || visit->unheld) {
        return;
    }
    if (visit->page == NULL && visit->answer != NULL) {
        recordings_hold_json(recordings, request->method, path, visit->status,
                             visit->answer);
    } else if (visit->page == NULL) {
        recordings_hold_text(recordings, request->method, path, visit->status,
                             "");
    }
}

void
discourse_serve(struct discourse *forum, int64_t now,
                const struct request *request, struct buf *body,
                struct reply *reply)
{
    static char headers[256];
    struct web web;
    struct buf room = BUF_INIT;
    struct visit visit = {
        .forum = forum, .web = &web, .now = now, .status = 200};

    web_open(&web, DISCOURSE_BASE, request);
    lower(web_header(&web, "Api-Username", &room), visit.user);
    if (!request->authorized || !is_admitted(forum, visit.user)) {
        refuse(&visit, 403,
               "You are not permitted to view the requested resource. The API "
               "username or key is invalid.",
               "invalid_access");
    } else if (forum->storm > 0) {
        turn_away(&visit);
    } else {
        snprintf(visit.headers, sizeof(visit.headers),
                 "x-discourse-username: %s\n", visit.user);
        serve(&visit);
    }
    hold(&visit);
    web_answer(visit.status, visit.answer, now, body, reply);
    if (visit.page != NULL) {
        buf_clear(body);
        buf_add_text(body, visit.page);
        reply->body = buf_text(body);
        reply->len = body->len;
    }
    memcpy(headers, visit.headers, sizeof(headers));
    reply->headers = headers[0] == '\0' ? NULL : headers;
    buf_release(&room);
    web_close(&web);
}

/* ---- what people do ------------------------------------------------------ */

/* The talk of the bot with a user, the newest; NULL: none. */
static struct topic *
dm_of(struct discourse *forum, const char *user)
{
    char name[NAME_MAX_LEN];

    lower(user, name);
    for (unsigned i = forum->topic_count; i > 0; i--) {
        struct topic *topic = &forum->topics[i - 1];

        if (topic->dm && strcmp(topic->users[0], name) == 0) {
            return topic;
        }
    }
    return NULL;
}

int64_t
discourse_post(struct discourse *forum, const char *user, bool in_private,
               const char *text, int64_t now)
{
    return discourse_write(forum, user, in_private ? 0 : TABLE, text, now);
}

int64_t
discourse_write(struct discourse *forum, const char *user, int64_t topic,
                const char *text, int64_t now)
{
    struct topic *where =
        topic == 0 ? dm_of(forum, user) : find_topic(forum, topic);

    ck_assert_ptr_nonnull(where);
    return add_post(forum, where, user, text, now)->id;
}

/* Put another name in the place of one that is mentioned; a text that is owned.
 * A link to somebody has the name in its address too. */
static void
rename_mentions(char **text, const char *old, const char *name)
{
    struct buf out = BUF_INIT;
    size_t len = strlen(old);
    const char *at = *text;

    while (*at != '\0') {
        size_t mark = *at == '@' ? 1 : strncmp(at, "/u/", 3) == 0 ? 3 : 0;
        bool is = mark > 0 && strncasecmp(at + mark, old, len) == 0 &&
                  strspn(at + mark + len, "abcdefghijklmnopqrstuvwxyz"
                                          "0123456789_") == 0;

        mark += mark == 0 ? 1 : 0;
        buf_add(&out, at, mark);
        buf_add_text(&out, is ? name : "");
        at += mark + (is ? len : 0);
    }
    free(*text);
    *text = buf_take(&out);
}

const char *
discourse_called(struct discourse *forum, const char *user)
{
    return member_of(forum, user)->called;
}

void
discourse_rename(struct discourse *forum, const char *user, const char *name)
{
    struct member *member = member_of(forum, user);

    for (size_t i = 0; i < forum->count; i++) {
        struct topic_post *post = &forum->posts[i];

        rename_mentions(&post->raw, member->called, name);
        free(post->cooked);
        post->cooked = NULL;
    }
    snprintf(member->called, sizeof(member->called), "%s", name);
}

bool
discourse_look(struct discourse *forum, size_t at, struct shown_post *shown)
{
    if (at >= forum->count) {
        return false;
    }
    const struct topic_post *post = &forum->posts[at];
    const struct topic *topic = find_topic(forum, post->topic);
    bool own = strcmp(post->user, DISCOURSE_BOT) == 0;

    const char *author = post->copied ? "-" : own ? "" : post->user;

    *shown = (struct shown_post){.id = (uint64_t)post->id,
                                 .topic = (uint64_t)post->topic,
                                 .author = author,
                                 .dm = topic->dm ? topic->users[0] : "",
                                 .text = post->raw};
    if (own && !post->copied) {
        shown_post_set_key(shown, post->raw);
    }
    return true;
}

void
discourse_demand(struct discourse *forum, size_t shortest, size_t dm)
{
    forum->shortest = shortest;
    forum->shortest_dm = dm;
}

void
discourse_storm(struct discourse *forum, unsigned requests)
{
    forum->storm = requests;
}

void
discourse_change(struct discourse *forum, int64_t id, const char *text,
                 bool marked, int64_t now)
{
    struct topic_post *post = find_post(forum, id);

    ck_assert_ptr_nonnull(post);
    free(post->raw);
    free(post->cooked);
    post->cooked = NULL;
    post->raw = must_copy(text);
    post->updated = now;
    post->version += marked ? 1 : 0;
}

bool
discourse_is_locked(struct discourse *forum, int64_t id)
{
    const struct topic_post *post = find_post(forum, id);

    return post != NULL && post->locked;
}

void
discourse_remove(struct discourse *forum, int64_t id)
{
    struct topic_post *post = find_post(forum, id);

    ck_assert_ptr_nonnull(post);
    post->deleted = true;
}

void
discourse_hide(struct discourse *forum, int64_t id)
{
    struct topic_post *post = find_post(forum, id);

    ck_assert_ptr_nonnull(post);
    post->hidden = true;
}

void
discourse_ask_in(struct discourse *forum, const char *user, const char *other)
{
    add_user(dm_of(forum, user), other);
}

void
discourse_put_out(struct discourse *forum, const char *user)
{
    struct topic *topic = dm_of(forum, user);
    unsigned left = 0;

    ck_assert_ptr_nonnull(topic);
    for (unsigned i = 0; i < topic->user_count; i++) {
        if (strcmp(topic->users[i], DISCOURSE_BOT) != 0) {
            memmove(topic->users[left++], topic->users[i], NAME_MAX_LEN);
        }
    }
    topic->user_count = left;
}

void
discourse_throw_away(struct discourse *forum, const char *user)
{
    struct topic *topic = dm_of(forum, user);

    ck_assert_ptr_nonnull(topic);
    topic->gone = true;
}

void
discourse_delete_topic(struct discourse *forum, int64_t topic, bool deleted)
{
    struct topic *found = find_topic(forum, topic);

    ck_assert_ptr_nonnull(found);
    found->gone = deleted;
}

void
discourse_move_topic(struct discourse *forum, int64_t topic, bool elsewhere)
{
    struct topic *found = find_topic(forum, topic);

    ck_assert_ptr_nonnull(found);
    found->category = elsewhere ? CATEGORY + 1 : CATEGORY;
}

void
discourse_unlist(struct discourse *forum, int64_t topic, bool unlisted)
{
    struct topic *found = find_topic(forum, topic);

    ck_assert_ptr_nonnull(found);
    found->unlisted = unlisted;
}

/* The first post stays, and is written once more in the other topic. */
static void
move_post(struct discourse *forum, size_t at, struct topic *into)
{
    const struct topic_post first = forum->posts[at];

    if (first.number > 1) {
        forum->posts[at].topic = into->id;
        forum->posts[at].number = ++into->posts;
    } else {
        add_post(forum, into, first.user, first.raw, first.stamp)->copied =
            true;
    }
}

void
discourse_merge(struct discourse *forum, int64_t topic, int64_t into,
                int64_t now)
{
    struct topic *from = find_topic(forum, topic);
    struct topic *to = find_topic(forum, into);
    size_t count = forum->count;

    ck_assert(from != NULL && to != NULL && from != to);
    for (size_t i = 0; i < count; i++) {
        if (stands_in_topic(&forum->posts[i], from)) {
            move_post(forum, i, to);
        }
    }
    add_post(forum, from, "Mo", "", now)->action = "split_topic";
    add_post(forum, from, "Mo", "", now)->action = "closed.enabled";
    from->closed = forum->merged = true;
}

void
discourse_reopen(struct discourse *forum, int64_t topic)
{
    struct topic *found = find_topic(forum, topic);

    ck_assert_ptr_nonnull(found);
    found->closed = false;
}

void
discourse_close_dm(struct discourse *forum, const char *user)
{
    struct topic *topic = dm_of(forum, user);

    ck_assert_ptr_nonnull(topic);
    topic->closed = true;
}

void
discourse_leave(struct discourse *forum, const char *user, int64_t now)
{
    struct topic *topic = dm_of(forum, user);

    ck_assert_ptr_nonnull(topic);
    snprintf(topic->users[0], NAME_MAX_LEN, "%s",
             topic->users[--topic->user_count]);
    add_post(forum, topic, user, "", now)->action = "user_left";
}

int64_t
discourse_begin_dm(struct discourse *forum, const char *user, const char *text,
                   int64_t now)
{
    struct topic *topic = add_topic(forum, true, "A word in private, please");

    add_user(topic, user);
    add_user(topic, DISCOURSE_BOT);
    return add_post(forum, topic, user, text, now)->id;
}

bool
discourse_in_dm(struct discourse *forum, const char *user)
{
    return dm_of(forum, user) != NULL;
}

struct discourse_habits *
discourse_habits(struct discourse *forum)
{
    return &forum->habits;
}

unsigned
discourse_bumps(const struct discourse *forum)
{
    return forum->bumps;
}

unsigned
discourse_files(const struct discourse *forum)
{
    return forum->file_count;
}

unsigned
discourse_topics(const struct discourse *forum)
{
    return forum->topic_count - 1;
}

const char *
discourse_last(struct discourse *forum, const char *user)
{
    const struct topic *topic = &forum->topics[0];
    const char *raw = NULL;

    if (user != NULL) {
        topic = dm_of(forum, user);
    }
    for (size_t i = 0; topic != NULL && i < forum->count; i++) {
        if (forum->posts[i].topic == topic->id && !forum->posts[i].deleted) {
            raw = forum->posts[i].raw;
        }
    }
    return raw;
}
