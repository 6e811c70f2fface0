/*
 * Names at a table: which are free, and which give way.
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/reading/intent.h"
#include "bot/host/reading/names.h"
#include "bot/host/table/deadline.h"
#include "bot/host/words/problem.h"
#include "bot/host/words/proof.h"

/* ---- coming and going ---------------------------------------------------- */

/* Somebody at the table or in reserve, other than `user`, whose name or alias
 * relates in that way; NULL: nobody. */
static const char *
related_name(const struct table *table, const char *user, const char *name,
             enum name_relation relation)
{
    for (unsigned i = 0; i < table->seated; i++) {
        const struct seat *person = &table->seats[i];
        if (strcmp(person->user, user) != 0 &&
            (names_compare(person->name, name) == relation ||
             (person->alias[0] != '\0' &&
              names_compare(person->alias, name) == relation))) {
            return person->name;
        }
    }
    for (unsigned i = 0; i < table->reserve_count; i++) {
        const struct seat *person = &table->reserves[i];
        if (strcmp(person->user, user) != 0 &&
            names_compare(person->name, name) == relation) {
            return person->name;
        }
    }
    return NULL;
}

/* Answer what is wrong with a name; `other`: it reads like theirs. */
static void
answer_name(struct chat_command *chat, const char *key, const char *name,
            const char *other)
{
    struct speech *speech = chat_speech(chat);
    params_text(&speech->params, "text", name);
    params_text(&speech->params, "other", other == NULL ? "" : other);
    (void)chat_answer(chat, key);
}

/* Is a name one of the words of a list, or so near to it? */
static bool
is_listed(const char *list, const char *name, enum name_relation least)
{
    bool found = false;
    while (list != NULL && *list != '\0' && !found) {
        struct buf word = BUF_INIT;
        size_t len = strcspn(list, " ");
        buf_add(&word, list, len);
        found = names_compare(buf_text(&word), name) >= least;
        buf_release(&word);
        list += len;
        list += strspn(list, " ");
    }
    return found;
}

/* Is a name a word that people post as a vote, or as the answer to a veto? */
static bool
is_vote_word(const struct chat_command *chat, const char *name)
{
    struct reading reading = {.phase = PHASE_VOTING};
    struct vocabulary words;
    bool found = names_compare("veto", name) != NAMES_APART;
    referee_words(chat->ruling, &words, &reading);
    for (unsigned i = 0; i < words.votes.ja_count; i++) {
        found = found || names_compare(words.votes.ja[i], name) != NAMES_APART;
    }
    for (unsigned i = 0; i < words.votes.nein_count; i++) {
        found =
            found || names_compare(words.votes.nein[i], name) != NAMES_APART;
    }
    return found || is_listed(reading.approved, name, NAMES_ALIKE) ||
           is_listed(reading.declined, name, NAMES_ALIKE);
}

/* Is a name free at this table?  If not, say so.  A look-alike is warned about,
 * and so is a word that people write in bold. */
static bool
name_is_free(struct chat_command *chat, const char *name)
{
    const struct table *table = chat->ruling->table;
    const struct language *own = &chat->ruling->env->catalogue->language;
    const char *user = chat->input->post->author;
    const char *clash = related_name(table, user, name, NAMES_CLASH);
    const char *alike = related_name(table, user, name, NAMES_ALIKE);
    if (clash != NULL) {
        answer_name(chat, "signup_name_clash", name, clash);
    } else if (alike != NULL) {
        answer_name(chat, "signup_name_alike", name, alike);
    } else if (is_vote_word(chat, name) ||
               is_listed(language_find(own, "common_names"), name,
                         NAMES_CLASH)) {
        answer_name(chat, "signup_name_word", name, NULL);
    }
    return clash == NULL;
}

/* Nobody needs an alias that could be taken for something else. */
bool
chat_alias_is_free(struct chat_command *chat, const char *name)
{
    const struct table *table = chat->ruling->table;
    const char *user = chat->input->post->author;
    const char *other = related_name(table, user, name, NAMES_CLASH);
    other =
        other != NULL ? other : related_name(table, user, name, NAMES_ALIKE);
    bool word = is_vote_word(chat, name);
    if (other != NULL || word) {
        answer_name(chat, other != NULL ? "alias_taken" : "alias_word", name,
                    other);
    }
    return other == NULL && !word;
}

/* An alias must not keep others from playing under their own names: one that
 * reads the same is removed. */
static void
drop_alias(struct chat_command *chat, unsigned seat)
{
    struct ruling *ruling = chat->ruling;
    const struct seat *person = &ruling->table->seats[seat];
    struct move move = chat_begin_move(chat, MOVE_ALIAS);
    (void)snprintf(move.user, sizeof move.user, "%s", person->user);
    struct speech *speech = chat_speech(chat);
    speech_seat(speech, "player", seat);
    params_text(&speech->params, "other", person->alias);
    chat_post(chat, "alias_fell");
    (void)ruling_play(ruling, &move);
}

/* Is a name free for its owner?  Another player's alias gives way to it. */
static bool
own_name_is_free(struct chat_command *chat, const char *name)
{
    const struct table *table = chat->ruling->table;
    const char *user = chat->input->post->author;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const struct seat *person = &table->seats[seat];
        if (strcmp(person->user, user) != 0 && person->alias[0] != '\0' &&
            names_compare(person->alias, name) == NAMES_CLASH) {
            drop_alias(chat, seat);
        }
    }
    return name_is_free(chat, name);
}

/* ---- one's own name -------------------------------------------------------
 */

/* What somebody is called here who can't be called as they are: as before, or
 * by a name of the host's.  True: it is the host's. */
static bool
choose_name(const struct chat_command *chat, char *name, size_t size)
{
    const struct table *table = chat->ruling->table;
    const char *author = chat->input->post->author;
    unsigned seat = table_seat(table, author);
    unsigned reserve = table_reserve(table, author);
    unsigned number = 1;
    if (seat != NO_SEAT || reserve != NO_SEAT) {
        const struct seat *person =
            seat != NO_SEAT ? &table->seats[seat] : &table->reserves[reserve];
        (void)snprintf(name, size, "%s", person->name);
        return person->held;
    }
    do {
        struct params params = {.count = 0};
        struct buf text = BUF_INIT;
        params_number(&params, "number", number++);
        catalogue_text(chat->ruling->env->catalogue, "name_held", &params,
                       &text);
        (void)snprintf(name, size, "%s", buf_text(&text));
        buf_release(&text);
    } while (related_name(table, author, name, NAMES_CLASH) != NULL);
    return true;
}

bool
chat_take_own_name(struct chat_command *chat, struct move *move)
{
    struct buf name = BUF_INIT;
    bool good = name_clean(chat->input->post->author_name, &name);
    move->held = false;
    if (!good) {
        (void)chat_answer(chat, "signup_name_empty");
    } else if (chat_name_deceives(chat, buf_text(&name))) {
        move->held = choose_name(chat, move->name, sizeof move->name);
    } else {
        good = own_name_is_free(chat, buf_text(&name));
        (void)snprintf(move->name, sizeof move->name, "%s", buf_text(&name));
    }
    buf_release(&name);
    return good;
}

void
chat_ask_for_name(struct chat_command *chat, const struct move *move)
{
    const struct table *table = chat->ruling->table;
    struct rich text = {.count = 0};
    if (!move->held) {
        return;
    }
    struct speech *speech = chat_speech(chat);
    params_person(&speech->params, "player", move->user, move->name);
    params_number(&speech->params, "coming", table_is_coming(table));
    speech_say(speech, "signup_name_held", &text);
    (void)chat_answer_text(chat, &text);
}

bool
chat_take_given_name(struct chat_command *chat, const char *name,
                     struct move *move)
{
    if (!chat_alias_is_free(chat, name)) {
        return false;
    }
    (void)snprintf(move->name, sizeof move->name, "%s", name);
    move->replaces_held = true;
    return true;
}
