#include "tests/support/fake_people.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <check.h>

#include "tests/support/markdown/markdown_reader.h"

const char *const people[PEOPLE] = {"Anna",  "Bob",  "Carl",  "Dora", "Emil",
                                    "Frida", "Gert", "Hanna", "Ida",  "Jan",
                                    "Kim",   "Lars", "Mia",   "Nils", "Olga"};
const char *const moderators[MODERATORS] = {"Mo", "Zoe"};

unsigned
people_find(const char *name)
{
    unsigned who = 0;
    name += *name == '@' ? 1 : 0;
    while (who < PEOPLE && strcasecmp(people[who], name) != 0) {
        who++;
    }
    return who;
}

/* Append a form, its placeholders filled in. */
void
people_fill(const struct fake_people *at, const char *way, const char *word,
            const char *name, struct buf *text)
{
    const char *const holes[] = {"{word}", "{name}", "{id}"};
    struct buf id = BUF_INIT;
    at->service->user(at->server, name, &id);
    const char *const values[] = {word, name, buf_text(&id)};
    while (*way != '\0') {
        unsigned hole = 0;
        while (hole < 3 &&
               strncmp(way, holes[hole], strlen(holes[hole])) != 0) {
            hole++;
        }
        if (hole < 3) {
            buf_add_text(text, values[hole]);
            way += strlen(holes[hole]);
        } else {
            buf_add_char(text, *way++);
        }
    }
    buf_release(&id);
}

unsigned
people_ways(const char *const *ways)
{
    unsigned count = 0;
    while (ways[count] != NULL) {
        count++;
    }
    ck_assert_uint_gt(count, 0);
    return count;
}

/* The number behind a text; 0: it is not there. */
unsigned
people_number(const char *text, const char *before)
{
    const char *found = strstr(text, before);
    return found == NULL ? 0
                         : (unsigned)strtoul(found + strlen(before), NULL, 10);
}

/* Whom a name means that nobody has now: who had it before, whose first name is
 * in it; PEOPLE: nobody. */
static unsigned
find_former(const char *name)
{
    unsigned found = PEOPLE;
    for (unsigned i = 0; i < PEOPLE; i++) {
        size_t len = strlen(people[i]);
        size_t at = 0;
        while (name[at] != '\0' &&
               strncasecmp(name + at, people[i], len) != 0) {
            at++;
        }
        if (name[at] != '\0' &&
            (found == PEOPLE || len > strlen(people[found]))) {
            found = i;
        }
    }
    return found;
}

static void
add_mentioned(const struct fake_people *at, const struct rich *rich,
              const struct run *run, struct buf *out)
{
    struct buf id = BUF_INIT;
    struct buf mentioned = BUF_INIT;
    const char *found = NULL;
    buf_add(&mentioned, rich_run_id(rich, run), run->id_len);
    for (unsigned i = 0; i < PEOPLE + MODERATORS; i++) {
        const char *name = i < PEOPLE ? people[i] : moderators[i - PEOPLE];
        buf_clear(&id);
        at->service->user(at->server, name, &id);
        found = buf_equals(&id, buf_text(&mentioned)) ? name : found;
    }
    unsigned former = find_former(buf_text(&mentioned));
    if (found == NULL && former < PEOPLE) {
        found = people[former];
    }
    buf_add_text(out, found == NULL ? "" : found);
    buf_release(&id);
    buf_release(&mentioned);
}

/* What people see of a post of the host: without marks, with names for
 * mentions, without the mark of its key. */
void
people_show(const struct fake_people *at, const char *text, struct buf *out)
{
    const struct dialect *dialect =
        shown_as(adapter_find(at->service->adapter)->dialect);
    const char *comment = strstr(text, "<!--");
    size_t len = comment == NULL ? strlen(text) : (size_t)(comment - text);
    struct rich rich = {.count = 0};
    bool unread = false;
    dialect->read(text, len, &rich, &unread);
    ck_assert(!unread);
    for (size_t i = 0; i < rich.count; i++) {
        const struct run *run = &rich.runs[i];
        if ((run->marks & MARK_MENTION) != 0) {
            add_mentioned(at, &rich, run, out);
        } else {
            buf_add(out, rich_run_text(&rich, run), run->len);
        }
    }
    rich_release(&rich);
    const char *last = strrchr(buf_text(out), '\n');
    if (last != NULL && last[1] == '#') {
        buf_truncate(out, (size_t)(last - buf_text(out)));
    }
}

/* How much of a key names the message: four parts (bot/store/store_ruling.c).
 * A fifth names the line of it. */
static size_t
message_len(const char *key)
{
    size_t len = 0;
    for (unsigned parts = 0; parts < 4 && key[len] != '\0'; parts++) {
        len += len > 0 ? 1 : 0;
        len += strcspn(key + len, ".");
    }
    return len;
}

/* Are two of the host's posts lines of one message, or one and the same? */
bool
people_see_one(const struct shown_post *one, const struct shown_post *other)
{
    size_t len = message_len(one->key);
    return one->author[0] == '\0' && other->author[0] == '\0' && len > 0 &&
           len == message_len(other->key) &&
           strncmp(one->key, other->key, len) == 0 &&
           strcmp(one->dm, other->dm) == 0 && one->topic == other->topic;
}

/* Append what people have read of the nth post's message, up to that post, and
 * to `before` what they had read without it: a message may be sent line by
 * line. */
void
people_show_message(const struct fake_people *at, size_t post,
                    struct buf *before, struct buf *out)
{
    struct shown_post last;
    struct shown_post shown;
    ck_assert(at->service->look(at->server, post, &last));
    for (size_t i = 0; i < post; i++) {
        (void)at->service->look(at->server, i, &shown);
        if (people_see_one(&shown, &last)) {
            people_show(at, shown.text, before);
            buf_add_char(before, '\n');
        }
    }
    buf_add_buf(out, before);
    people_show(at, last.text, out);
}
