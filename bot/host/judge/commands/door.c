/* Who may join games at a place. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/names.h"

/* ---- people who are blocked -----------------------------------------------
 */

/* One who is blocked is looked for by id, or by id or name; or all are
 * listed. */
struct search {
    const char *user; /* NULL: anybody's */
    const char *text; /* an id, or a name; NULL: whatever they are */
    struct block found;
    bool any;
    const struct catalogue *catalogue; /* of the list; NULL: none is made */
    struct rich list;                  /* of their names; owned */
};

static void
add_name(struct search *search, const char *name)
{
    if (search->list.text.len > 0) {
        catalogue_say(search->catalogue, "list_separator", NULL, &search->list);
    }
    rich_add_text(&search->list, name, 0);
}

static void
look_at(void *reader, const char *user, const char *name)
{
    struct search *search = reader;
    bool fits = search->user != NULL
                    ? strcmp(user, search->user) == 0
                    : search->text == NULL || strcmp(user, search->text) == 0 ||
                          names_compare(name, search->text) == NAMES_CLASH;
    if (!fits) {
        return;
    }
    search->any = true;
    (void)snprintf(search->found.user, sizeof search->found.user, "%s", user);
    (void)snprintf(search->found.name, sizeof search->found.name, "%s", name);
    if (search->catalogue != NULL) {
        add_name(search, name);
    }
}

static bool
search_blocked(const struct chat_command *chat, struct search *search)
{
    const struct host_env *env = chat->ruling->env;
    if (env->history != NULL && env->history->blocked != NULL) {
        env->history->blocked(env->history->context, env->place, look_at,
                              search);
    }
    return search->any;
}

/* ---- joining --------------------------------------------------------------
 */

/* When the author's account is old enough to join; 0: it is, or nobody
 * knows. */
static int64_t
too_young_until(const struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    const struct post *post = chat->input->post;
    int64_t made = 0;
    if (env->place->min_account_age > 0 && env->service != NULL &&
        env->service->adapter->account_made != NULL) {
        made = env->service->adapter->account_made(post->author);
    }
    int64_t until = made + env->place->min_account_age;
    return made != 0 && post->stamp < until ? until : 0;
}

static void
refuse_young(struct chat_command *chat, int64_t until)
{
    const struct host_env *env = chat->ruling->env;
    struct speech *speech = chat_speech(chat);
    catalogue_duration(env->catalogue, env->place->min_account_age,
                       speech_text(speech, "length"));
    catalogue_time(env->catalogue, until, env_reader_zone(env),
                   speech_text(speech, "until"));
    (void)chat_answer(chat, "join_young");
}

/* The key of why the author's roles keep them out; NULL: they don't, or this
 * service never tells them. */
static const char *
wrong_roles(const struct chat_command *chat)
{
    const struct host_env *env = chat->ruling->env;
    const struct post *post = chat->input->post;
    if (env->place->join_role_count == 0 || !env->capabilities->roles) {
        return NULL;
    }
    if (post->kind != POST_PRESSED) {
        return "join_press";
    }
    for (unsigned i = 0; post->roles != NULL && i < env->place->join_role_count;
         i++) {
        if (catalogue_lists(post->roles, env->place->join_roles[i])) {
            return NULL;
        }
    }
    return "join_role";
}

bool
chat_may_join(struct chat_command *chat)
{
    const char *author = chat->input->post->author;
    struct search search = {.user = author};
    bool seated = table_seat(chat->ruling->table, author) != NO_SEAT;
    int64_t until = seated ? 0 : too_young_until(chat);
    const char *wrong = seated ? NULL : wrong_roles(chat);
    if (search_blocked(chat, &search)) {
        (void)chat_answer(chat, "join_blocked");
        return false;
    }
    if (until != 0) {
        refuse_young(chat, until);
        return false;
    }
    if (wrong != NULL) {
        (void)chat_answer(chat, wrong);
        return false;
    }
    return true;
}

/* ---- blocking, and lifting it ---------------------------------------------
 */

/* If a text names that person, that is who is meant. */
static bool
is_named(const char *user, const char *name, const char *text,
         struct block *block)
{
    bool named = strcmp(user, text) == 0 ||
                 names_compare(name, text) == NAMES_CLASH ||
                 (text[0] == '@' && strcmp(user, text + 1) == 0);
    if (named) {
        chat_keep_beginning(block->user, sizeof block->user, user);
        chat_keep_beginning(block->name, sizeof block->name, name);
    }
    return named;
}

/* The person whom a text names: somebody of this table, or the user of an id
 * who has been here; false: nobody. */
static bool
find_person(const struct chat_command *chat, const char *text,
            struct block *block)
{
    const struct table *table = chat->ruling->table;
    bool found = false;
    for (unsigned i = 0; !found && i < table->seated; i++) {
        found =
            is_named(table->seats[i].user, table->seats[i].name, text, block);
    }
    for (unsigned i = 0; !found && i < table->reserve_count; i++) {
        found = is_named(table->reserves[i].user, table->reserves[i].name, text,
                         block);
    }
    for (unsigned i = 0; !found && i < table->former_count; i++) {
        found =
            is_named(table->former[i].user, table->former[i].name, text, block);
    }
    if (!found && strpbrk(text, " \t") == NULL) {
        const char *id = chat_find_user(chat, text);
        found = id != NULL && is_named(id, id, id, block);
    }
    return found;
}

/* Answer about a person; {text} is what the command has named. */
static void
answer_about(struct chat_command *chat, const struct block *block,
             const char *key)
{
    struct speech *speech = chat_speech(chat);
    speech_cut(speech, "text", buf_text(&chat->rest), 60);
    params_person(&speech->params, "target", block->user, block->name);
    (void)chat_answer(chat, key);
}

static void
add_block(struct chat_command *chat, const struct block *block)
{
    struct ruling *ruling = chat->ruling;
    assert(ruling->block_count < RULING_BLOCKS_MAX);
    ruling->blocks[ruling->block_count++] = *block;
}

/* Does somebody sit here who is waited for, or will be? */
static bool
is_playing(const struct table *table, const char *user)
{
    unsigned seat = table_seat(table, user);
    return table_is_seated(table) && seat != NO_SEAT &&
           seat_in(seat, table->game.living & ~table->game.vacant);
}

/* Who is blocked is in no list of people who will play. */
static bool
will_play(const struct table *table, const char *user)
{
    return table_reserve(table, user) != NO_SEAT ||
           (table_is_coming(table) && table_seat(table, user) != NO_SEAT);
}

static void
list_blocked(struct chat_command *chat)
{
    struct search search = {.catalogue = chat->ruling->env->catalogue};
    (void)search_blocked(chat, &search);
    params_rich(&chat_speech(chat)->params, "list", &search.list);
    (void)chat_answer(chat, "blocked");
    rich_release(&search.list);
}

void
chat_block(struct chat_command *chat)
{
    struct block block = {.lifted = false};
    if (chat->rest.len == 0) {
        list_blocked(chat);
    } else if (!find_person(chat, buf_text(&chat->rest), &block)) {
        answer_about(chat, &block, "block_unknown");
    } else if (is_playing(chat->ruling->table, block.user)) {
        answer_about(chat, &block, "block_plays");
    } else {
        answer_about(chat, &block, "block_done");
        add_block(chat, &block);
        if (will_play(chat->ruling->table, block.user)) {
            chat_take_off(chat, block.user);
        }
    }
}

void
chat_unblock(struct chat_command *chat)
{
    const char *text = buf_text(&chat->rest);
    struct search search = {.text = text[0] == '@' ? text + 1 : text};
    struct search whole = {.text = text};
    if (chat->rest.len > 0 &&
        (search_blocked(chat, &whole) || search_blocked(chat, &search))) {
        struct block block = whole.any ? whole.found : search.found;
        block.lifted = true;
        answer_about(chat, &block, "unblock_done");
        add_block(chat, &block);
    } else {
        answer_about(chat, &search.found, "unblock_unknown");
    }
}
