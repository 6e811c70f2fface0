#include "bot/record/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/record/record_fields.h"

/* ---- one game ------------------------------------------------------------ */

static bool
read_time(json_object *line, int64_t *at)
{
    const char *text = jdoc_string(line, "at");
    return text != NULL && instant_read(text, at);
}

static bool
read_opened(struct result *result, json_object *line)
{
    const char *game = jdoc_string(line, "game");
    if (game == NULL || !read_time(line, &result->began)) {
        return false;
    }
    (void)snprintf(result->game, sizeof result->game, "%s", game);
    return true;
}

static bool
read_round(struct result *result, json_object *line)
{
    int64_t round = 0;
    bool good = jdoc_integer(line, "round", &round) && round > 0;
    result->rounds = good ? (unsigned)round : result->rounds;
    return good;
}

static bool
read_ended(struct result *result, json_object *line)
{
    const char *reason = jdoc_string(line, "reason");
    const struct record_word *word =
        reason == NULL ? NULL : record_word_find(record_endings, reason);
    if (word == NULL || !read_time(line, &result->ended)) {
        return false;
    }
    result->ending = (enum ending)word->value;
    return true;
}

/* Roles by the names held at the end; null if nothing was dealt. */
static bool
read_revealed(struct result *result, json_object *line)
{
    json_object *roles = jdoc_get(line, "roles");
    result->players = 0;
    if (roles == NULL) {
        return true;
    }
    if (!json_object_is_type(roles, json_type_object) ||
        json_object_object_length(roles) > PLAYERS_MAX) {
        return false;
    }
    struct json_object_iterator at = json_object_iter_begin(roles);
    struct json_object_iterator end = json_object_iter_end(roles);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        struct result_seat *seat = &result->seats[result->players];
        const char *name = json_object_iter_peek_name(&at);
        const char *role = jdoc_string(roles, name);
        const struct record_word *word =
            role == NULL ? NULL : record_word_find(record_roles, role);
        if (word == NULL) {
            return false;
        }
        (void)snprintf(seat->name, sizeof seat->name, "%s", name);
        seat->role = (enum role)word->value;
        result->players++;
    }
    return true;
}

static const struct kind {
    int kind;
    bool (*read)(struct result *result, json_object *line);
} kinds[] = {
    {RECORD_OPENED, read_opened},
    {EVENT_ROUND, read_round},
    {EVENT_ENDED, read_ended},
    {RECORD_REVEALED, read_revealed},
};
enum {
    KINDS = sizeof kinds / sizeof kinds[0]
};

/* What comes after a part of a text; NULL: the part is not there. */
static const char *
after(const char *text, const char *end, const char *part)
{
    size_t len = strlen(part);
    for (; len <= (size_t)(end - text); text++) {
        if (memcmp(text, part, len) == 0) {
            return text + len;
        }
    }
    return NULL;
}

/* The kind of a line that matters here; NULL: it does not.  Few do, so no other
 * is parsed. */
static const struct kind *
find_kind(const char *line, const char *end)
{
    const char *word = after(line, end, "\"event\":\"");
    for (unsigned i = 0; word != NULL && i < KINDS; i++) {
        const char *name = record_kind_name(kinds[i].kind);
        size_t len = strlen(name);
        if (len < (size_t)(end - word) && memcmp(word, name, len) == 0 &&
            word[len] == '"') {
            return &kinds[i];
        }
    }
    return NULL;
}

bool
result_is_told_by(const char *line, size_t len)
{
    return find_kind(line, line + len) != NULL;
}

bool
result_read_line(struct result *result, const char *line, size_t len)
{
    const struct kind *kind = find_kind(line, line + len);
    json_object *parsed = NULL;
    struct buf unsaid = BUF_INIT;
    bool good = kind == NULL ||
                (jdoc_parse(line, len, false, &parsed, &unsaid) == ERR_NONE &&
                 kind->read(result, parsed));
    json_object_put(parsed);
    buf_release(&unsaid);
    return good;
}

/* Who has won?  False: nobody. */
static bool
find_winner(const struct result *result, enum party *winner)
{
    switch (result->ending) {
    case ENDING_FIVE_LIBERAL:
    case ENDING_HITLER_EXECUTED:
        *winner = PARTY_LIBERAL;
        return true;
    case ENDING_SIX_FASCIST:
    case ENDING_HITLER_CHANCELLOR:
        *winner = PARTY_FASCIST;
        return true;
    case ENDING_NONE:
    case ENDING_ABANDONED:
        break;
    }
    return false;
}

bool
result_is_won(const struct result *result)
{
    enum party winner;
    return find_winner(result, &winner);
}

bool
result_seat_won(const struct result *result, unsigned seat)
{
    enum party winner;
    bool liberal = result->seats[seat].role == ROLE_LIBERAL;
    return find_winner(result, &winner) && (winner == PARTY_LIBERAL) == liberal;
}

/* ---- many ---------------------------------------------------------------- */

void
wins_add(struct wins *wins, const struct result *result)
{
    enum party winner;
    if (!find_winner(result, &winner)) {
        wins->abandoned++;
    } else if (winner == PARTY_LIBERAL) {
        wins->liberal++;
    } else {
        wins->fascist++;
    }
}

unsigned
wins_games(const struct wins *wins)
{
    return wins->liberal + wins->fascist + wins->abandoned;
}

void
score_add(struct score *score, const struct result *result, unsigned seat)
{
    enum role role = result->seats[seat].role;
    if (result_is_won(result)) {
        score->games[role]++;
        score->won[role] += result_seat_won(result, seat);
    }
}

unsigned
score_games(const struct score *score)
{
    return score->games[ROLE_LIBERAL] + score->games[ROLE_FASCIST] +
           score->games[ROLE_HITLER];
}

unsigned
score_won(const struct score *score)
{
    return score->won[ROLE_LIBERAL] + score->won[ROLE_FASCIST] +
           score->won[ROLE_HITLER];
}

/* The standing of a player, who has one from now on. */
static struct standing *
find_standing(struct standings *standings, const char *group, const char *user)
{
    uint64_t key = index_key(group, user);
    uintptr_t number = 0;
    size_t at = 0;
    while ((number = index_next(&standings->index, key, &at)) != 0) {
        struct standing *standing = &standings->list[number - 1];
        if (strcmp(standing->group, group) == 0 &&
            strcmp(standing->user, user) == 0) {
            return standing;
        }
    }
    if (standings->count == standings->room) {
        standings->room = 2 * standings->room + 16;
        standings->list = must_grow(standings->list,
                                    standings->room * sizeof(struct standing));
    }
    struct standing *standing = &standings->list[standings->count++];
    *standing =
        (struct standing){.group = must_copy(group), .user = must_copy(user)};
    index_add(&standings->index, key, standings->count);
    return standing;
}

void
standings_add(struct standings *standings, const char *group,
              const struct result *result)
{
    for (unsigned i = 0; result_is_won(result) && i < result->players; i++) {
        if (result->seats[i].user[0] != '\0') {
            struct standing *standing =
                find_standing(standings, group, result->seats[i].user);
            free(standing->name);
            standing->name = must_copy(result->seats[i].name);
            score_add(&standing->score, result, i);
        }
    }
}

static int
compare(const void *a, const void *b)
{
    const struct standing *left = a;
    const struct standing *right = b;
    unsigned games[] = {score_games(&left->score), score_games(&right->score)};
    unsigned won[] = {score_won(&left->score), score_won(&right->score)};
    if (games[0] != games[1]) {
        return games[0] > games[1] ? -1 : 1;
    }
    if (won[0] != won[1]) {
        return won[0] > won[1] ? -1 : 1;
    }
    int order = strcmp(left->name, right->name);
    return order != 0 ? order : strcmp(left->user, right->user);
}

void
standings_sort(struct standings *standings)
{
    if (standings->count > 0) {
        qsort(standings->list, standings->count, sizeof *standings->list,
              compare);
    }
}

void
standings_release(struct standings *standings)
{
    for (size_t i = 0; i < standings->count; i++) {
        free(standings->list[i].group);
        free(standings->list[i].user);
        free(standings->list[i].name);
    }
    free(standings->list);
    index_release(&standings->index);
    *standings = (struct standings){.count = 0};
}
