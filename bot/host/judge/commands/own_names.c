/*
 * Names at a table: which are free, and which give way.
 */
#include <assert.h>
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

/* Somebody at the table or in reserve but `user` whose name, or other name,
 * relates like that; NULL: nobody. */
static const char *
related_name(const struct table *table, const char *user, const char *name,
             enum name_relation relation)
{
    for (unsigned i = 0; i < table->seated; i++) {
        const struct person *person = &table->people[i];
        if (strcmp(person->user, user) != 0 &&
            (names_compare(person->name, name) == relation ||
             (person->alias[0] != '\0' &&
              names_compare(person->alias, name) == relation))) {
            return person->name;
        }
    }
    for (unsigned i = 0; i < table->reserve_count; i++) {
        const struct person *person = &table->reserves[i];
        if (strcmp(person->user, user) != 0 &&
            names_compare(person->name, name) == relation) {
            return person->name;
        }
    }
    return NULL;
}

/* Answer that a name reads like another's. */
static void
answer_clash(struct order *order, const char *key, const char *other)
{
    struct speech speech;
    speech_init(&speech, order->docket->house, order->docket->table, NULL);
    params_text(&speech.params, "other", other);
    (void)order_answer_speech(order, &speech, key);
    speech_release(&speech);
}

/* Is a name one of the words of a list in the catalogue? */
static bool
is_listed(const struct order *order, const char *list, const char *name)
{
    struct buf words = BUF_INIT;
    bool found = false;
    char *save = NULL;
    catalogue_text(order->docket->house->catalogue, list, NULL, &words);
    for (char *word = words.len == 0 ? NULL : strtok_r(words.data, " ", &save);
         word != NULL && !found; word = strtok_r(NULL, " ", &save)) {
        found = names_compare(word, name) == NAMES_CLASH;
    }
    buf_release(&words);
    return found;
}

/* Is a name one of the words of a list? */
static bool
is_answer(const char *list, const char *name)
{
    bool found = false;
    while (*list != '\0' && !found) {
        struct buf word = BUF_INIT;
        size_t len = strcspn(list, " ");
        buf_add(&word, list, len);
        found = names_compare(buf_text(&word), name) != NAMES_APART;
        buf_release(&word);
        list += len;
        list += strspn(list, " ");
    }
    return found;
}

/* Is a name what people post as a vote, or answer a veto with? */
static bool
is_vote_word(const struct order *order, const char *name)
{
    struct reading reading = {.phase = PHASE_VOTING};
    struct vocabulary words;
    bool found = names_compare("veto", name) != NAMES_APART;
    referee_words(order->docket, &words, &reading);
    for (unsigned i = 0; i < words.votes.ja_count; i++) {
        found = found || names_compare(words.votes.ja[i], name) != NAMES_APART;
    }
    for (unsigned i = 0; i < words.votes.nein_count; i++) {
        found =
            found || names_compare(words.votes.nein[i], name) != NAMES_APART;
    }
    return found || is_answer(reading.approved, name) ||
           is_answer(reading.declined, name);
}

/* Is a name free at this table?  Else say so; a look-alike is warned about, and
 * one that is a word which people write in bold. */
bool
order_name_is_free(struct order *order, const char *name)
{
    const struct table *table = order->docket->table;
    const char *user = order->hearing->post->author;
    const char *clash = related_name(table, user, name, NAMES_CLASH);
    const char *alike = related_name(table, user, name, NAMES_ALIKE);
    if (clash == NULL && alike == NULL &&
        (is_vote_word(order, name) || is_listed(order, "common_names", name))) {
        (void)order_answer(order, "signup_name_word");
    }
    if (clash != NULL) {
        answer_clash(order, "signup_name_clash", clash);
    } else if (alike != NULL) {
        answer_clash(order, "signup_name_alike", alike);
    }
    return clash == NULL;
}

/* Nobody keeps another from playing under their own name: an alias that reads
 * the same falls. */
static void
drop_alias(struct order *order, unsigned seat)
{
    struct docket *docket = order->docket;
    const struct person *person = &docket->table->people[seat];
    struct move move =
        docket_move(docket, MOVE_ALIAS, order->hearing->post->stamp);
    struct speech speech;
    struct rich text = {.count = 0};
    (void)snprintf(move.user, sizeof move.user, "%s", person->user);
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "player", seat);
    params_text(&speech.params, "other", person->alias);
    speech_say(&speech, "alias_fell", &text);
    (void)docket_play(docket, &move);
    docket_post(docket, &text);
    rich_release(&text);
    speech_release(&speech);
}

bool
order_own_name_is_free(struct order *order, const char *name)
{
    const struct table *table = order->docket->table;
    const char *user = order->hearing->post->author;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const struct person *person = &table->people[seat];
        if (strcmp(person->user, user) != 0 && person->alias[0] != '\0' &&
            names_compare(person->alias, name) == NAMES_CLASH) {
            drop_alias(order, seat);
        }
    }
    return order_name_is_free(order, name);
}
