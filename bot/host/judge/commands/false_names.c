/*
 * Names that would deceive.
 */
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/names.h"

/* Would a name, in a list of people or in a sentence of the host, look like
 * more than one name?  "Anna, Bob", "Carl. Nein: Dora", "Anna and Bob". */
static bool
looks_like_a_list(const struct chat_command *chat, const char *name)
{
    static const char *const joints[] = {
        ",", ";", ": ", "! ", "? ", "\xc2\xb7", "\xe3\x80\x81", "\xef\xbc\x8c"};
    static const char *const words[] = {"and", "or"};
    enum {
        SHORT = 3 /* letters of an abbreviation: "St. John" */
    };
    size_t len = strlen(name);
    const char *stop = strstr(name, ". ");
    bool found = len > 0 && name[len - 1] == ':';
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        found = found || strstr(name, joints[i]) != NULL;
    }
    for (; stop != NULL; stop = strstr(stop + 1, ". ")) {
        size_t word = 0;
        while (word < (size_t)(stop - name) && stop[-1 - (long)word] != ' ') {
            word++;
        }
        found = found || word > SHORT;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct buf word = BUF_INIT;
        catalogue_text(chat->ruling->env->catalogue, words[i], NULL, &word);
        found = found || strstr(name, buf_text(&word)) != NULL;
        buf_release(&word);
    }
    return found;
}

/* Does a name read, or look, like a user id without what services put around
 * it: "@mo:example.org"? */
static bool
looks_like_user(const char *name, const char *user)
{
    struct buf bare = BUF_INIT;
    user += *user == '@';
    buf_add(&bare, user, strcspn(user, ":"));
    bool alike =
        bare.len > 0 && names_compare(name, buf_text(&bare)) != NAMES_APART;
    buf_release(&bare);
    return alike;
}

/* Is it the host's name, or a moderator's, or does it look like one? */
static bool
looks_like_authority(const struct chat_command *chat, const char *name)
{
    const struct host_env *env = chat->ruling->env;
    const struct table *table = chat->ruling->table;
    const char *moderator = NULL;
    const char *author = chat->input->post->author;
    bool found =
        looks_like_user(name, "placard") || looks_like_user(name, env->self) ||
        (env->service != NULL && looks_like_user(name, env->service->user));
    for (unsigned i = 0;
         (moderator = place_moderator(env->place, table, i)) != NULL; i++) {
        found = found || (strcmp(moderator, author) != 0 &&
                          looks_like_user(name, moderator));
    }
    return found || (strcmp(table->opener, author) != 0 &&
                     looks_like_user(name, table->opener));
}

bool
chat_name_deceives(const struct chat_command *chat, const char *name)
{
    return looks_like_a_list(chat, name) || looks_like_authority(chat, name);
}
