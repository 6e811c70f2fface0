#include "bot/cli/post_line.h"

#include <string.h>

#include "adapters/markup/dialects.h"
#include "bot/base/json.h"
#include "bot/host/reading/intent.h"

enum {
    PRESIDENTS_CARDS = 3,
    CHANCELLORS_CARDS = 2,
    SHOWN_MAX = 40 /* bytes of a wrong value that are shown */
};

static const struct phase_name {
    const char *name;
    enum phase phase;
} phase_names[] = {
    {"nomination", PHASE_NOMINATION},
    {"voting", PHASE_VOTING},
    {"executive", PHASE_EXECUTIVE},
    {"veto_chancellor", PHASE_VETO_CHANCELLOR},
    {"veto_president", PHASE_VETO_PRESIDENT},
    {"dm_president", PHASE_DM_PRESIDENT},
    {"dm_chancellor", PHASE_DM_CHANCELLOR},
    {"dm_ballot", PHASE_DM_BALLOT},
};

enum {
    PHASE_NAMES = sizeof phase_names / sizeof phase_names[0]
};

/* A line as it is read.  Texts are borrowed from the JSON. */
struct post_line {
    json_object *json;
    const struct dialect *dialect;
    const char *text;
    size_t len;
    struct reading reading;
};

/* ---- what is wrong ------------------------------------------------------- */

static bool
is_missing(const char *key, const char *right, struct buf *why)
{
    buf_addf(why, "\"%s\" is missing; write %s", key, right);
    return false;
}

/* Append the beginning of a wrong value as it was written. */
static void
add_wrong(json_object *value, struct buf *why)
{
    const char *text = json_object_to_json_string_ext(
        value, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    size_t len = strlen(text);
    bool cut = len > SHOWN_MAX;

    if (cut) {
        for (len = SHOWN_MAX; ((unsigned char)text[len] & 0xC0) == 0x80;) {
            len--;
        }
    }
    buf_add(why, text, len);
    buf_add_text(why, cut ? "…" : "");
}

static bool
is_wrong(const char *key, json_object *value, const char *right,
         struct buf *why)
{
    buf_addf(why, "\"%s\" can't be ", key);
    add_wrong(value, why);
    buf_addf(why, "; write %s", right);
    return false;
}

/* ---- the keys of a line -------------------------------------------------- */

/* The text of a string without U+0000; NULL: it is not one. */
static const char *
plain_text(json_object *value)
{
    if (!json_object_is_type(value, json_type_string)) {
        return NULL;
    }
    const char *text = json_object_get_string(value);
    size_t len = (size_t)json_object_get_string_len(value);
    return strlen(text) == len ? text : NULL;
}

/* A non-empty text; NULL: it is not one. */
static const char *
word_of(json_object *value)
{
    const char *text = plain_text(value);

    return text != NULL && text[0] != '\0' ? text : NULL;
}

static bool
take_id(const struct post_line *line, struct buf *why)
{
    json_object *id = jdoc_get(line->json, "id");

    return id == NULL || json_object_is_type(id, json_type_string) ||
           json_object_is_type(id, json_type_int) ||
           is_wrong("id", id, "a text or a whole number", why);
}

static bool
take_text(struct post_line *line, struct buf *why)
{
    static const char right[] = "the post as it was typed, a text";
    json_object *text = jdoc_get(line->json, "text");

    if (text == NULL) {
        return is_missing("text", right, why);
    }
    if (!json_object_is_type(text, json_type_string)) {
        return is_wrong("text", text, right, why);
    }
    /* It may contain U+0000: never measure it by its end. */
    line->text = json_object_get_string(text);
    line->len = (size_t)json_object_get_string_len(text);
    return true;
}

/* Append "a", "b" or "c": the names that `name_at` gives for 0, 1 … */
static void
add_names(const char *(*name_at)(size_t index), struct buf *out)
{
    for (size_t i = 0; name_at(i) != NULL; i++) {
        const char *comma = name_at(i + 1) == NULL ? " or " : ", ";
        buf_addf(out, "%s\"%s\"", i == 0 ? "" : comma, name_at(i));
    }
}

static const char *
phase_at(size_t index)
{
    return index < PHASE_NAMES ? phase_names[index].name : NULL;
}

static const char *
dialect_name_at(size_t index)
{
    const struct dialect *dialect = dialects_at(index);

    return dialect == NULL ? NULL : dialect->name;
}

/* Complain about a key that must name one of a few things: it is missing, or
 * names none of them. */
static bool
is_none_of(const char *key, json_object *value,
           const char *(*name_at)(size_t index), struct buf *why)
{
    struct buf right = BUF_INIT;

    add_names(name_at, &right);
    if (value == NULL) {
        is_missing(key, buf_text(&right), why);
    } else {
        is_wrong(key, value, buf_text(&right), why);
    }
    buf_release(&right);
    return false;
}

static bool
take_phase(struct post_line *line, struct buf *why)
{
    json_object *value = jdoc_get(line->json, "phase");
    const char *name = plain_text(value);

    for (size_t i = 0; name != NULL && i < PHASE_NAMES; i++) {
        if (strcmp(name, phase_names[i].name) == 0) {
            line->reading.phase = phase_names[i].phase;
            return true;
        }
    }
    return is_none_of("phase", value, phase_at, why);
}

static bool
take_dialect(struct post_line *line, const struct manner *manner,
             struct buf *why)
{
    json_object *value = jdoc_get(line->json, "dialect");
    const char *name = plain_text(value);

    line->dialect = value == NULL ? manner->dialect : NULL;
    if (name != NULL) {
        line->dialect = dialects_find(name);
    }
    return line->dialect != NULL ||
           is_none_of("dialect", value, dialect_name_at, why);
}

static bool
take_aliases(struct nameable *player, json_object *list, struct buf *why)
{
    size_t count = 0;

    if (list == NULL) {
        return true;
    }
    if (json_object_is_type(list, json_type_array)) {
        count = json_object_array_length(list);
    }
    for (size_t i = 0; i < count && i < INTENT_ALIASES_MAX; i++) {
        const char *alias = word_of(json_object_array_get_idx(list, i));
        if (alias != NULL) {
            player->aliases[player->alias_count++] = alias;
        }
    }
    if (!json_object_is_type(list, json_type_array) ||
        player->alias_count != count) {
        return is_wrong("aliases", list, "a list of at most 8 names", why);
    }
    return true;
}

static bool
take_player(struct nameable *player, json_object *value, struct buf *why)
{
    if (!json_object_is_type(value, json_type_object)) {
        player->name = word_of(value);
        return player->name != NULL ||
               is_wrong("players", value,
                        "names, or objects of name, id and aliases", why);
    }
    json_object *name = jdoc_get(value, "name");
    json_object *id = jdoc_get(value, "id");
    player->name = word_of(name);
    player->id = word_of(id);
    if (player->name == NULL) {
        return name == NULL
                   ? is_missing("name", "what the player is called", why)
                   : is_wrong("name", name, "what the player is called", why);
    }
    if (id != NULL && player->id == NULL) {
        return is_wrong("id", id, "the player's user id, a text", why);
    }
    return take_aliases(player, jdoc_get(value, "aliases"), why);
}

static bool
take_players(struct post_line *line, struct buf *why)
{
    static const char right[] = "a list of 1 to 24 players, such as "
                                "[\"Anna\", \"Bob\"]";
    struct reading *reading = &line->reading;
    bool needed =
        reading->phase == PHASE_NOMINATION || reading->phase == PHASE_EXECUTIVE;
    json_object *list = jdoc_get(line->json, "players");

    if (list == NULL) {
        return !needed || is_missing("players", right, why);
    }
    size_t count = json_object_is_type(list, json_type_array)
                       ? json_object_array_length(list)
                       : INTENT_PLAYERS_MAX + 1;
    if (count > INTENT_PLAYERS_MAX || (needed && count == 0)) {
        return is_wrong("players", list, right, why);
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_player(&reading->players[i],
                         json_object_array_get_idx(list, i), why)) {
            return false;
        }
    }
    reading->player_count = (unsigned)count;
    return true;
}

/* Read the words of one side; returns their number, or 0 if they are wrong. */
static unsigned
take_side(json_object *list, const char **words)
{
    size_t count = 0;

    if (json_object_is_type(list, json_type_array)) {
        count = json_object_array_length(list);
    }
    for (size_t i = 0; i < count; i++) {
        const char *word = word_of(json_object_array_get_idx(list, i));
        if (word == NULL || i == INTENT_WORDS_MAX) {
            return 0;
        }
        words[i] = word;
    }
    return (unsigned)count;
}

static bool
take_words(struct post_line *line, const struct manner *manner, struct buf *why)
{
    struct reading *reading = &line->reading;
    json_object *words = jdoc_get(line->json, "words");
    json_object *ja = jdoc_get(words, "ja");
    json_object *nein = jdoc_get(words, "nein");

    vocabulary_lend(&manner->vocabulary, reading);
    if (words == NULL) {
        return true;
    }
    reading->ja_count = take_side(ja, reading->ja);
    reading->nein_count = take_side(nein, reading->nein);
    return (reading->ja_count > 0 && reading->nein_count > 0) ||
           is_wrong("words", words,
                    "two lists of 1 to 8 words, such as "
                    "{\"ja\": [\"oui\"], \"nein\": [\"non\"]}",
                    why);
}

static bool
take_red(struct post_line *line, const struct manner *manner, struct buf *why)
{
    json_object *value = jdoc_get(line->json, "red");
    struct reading *reading = &line->reading;
    bool red = true;

    reading->bold_names = manner->dialect == NULL ? line->dialect->bold_names
                                                  : !manner->red_required;
    reading->mention_names = line->dialect->mention_names;
    if (value == NULL) {
        return true;
    }
    if (!jdoc_bool(line->json, "red", &red)) {
        return is_wrong("red", value, "true or false", why);
    }
    reading->bold_names = !red;
    return true;
}

static bool
take_cards(struct post_line *line, json_object *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *card = plain_text(json_object_array_get_idx(list, i));
        if (card == NULL ||
            (strcmp(card, "F") != 0 && strcmp(card, "L") != 0)) {
            return false;
        }
        line->reading.hand[i] = card[0];
    }
    return true;
}

static bool
take_hand(struct post_line *line, struct buf *why)
{
    bool president = line->reading.phase == PHASE_DM_PRESIDENT;
    bool chancellor = line->reading.phase == PHASE_DM_CHANCELLOR;
    const char *right = president
                            ? "the three cards, such as [\"F\", \"L\", \"F\"]"
                            : "the two cards, such as [\"L\", \"F\"]";
    size_t count = president ? PRESIDENTS_CARDS : CHANCELLORS_CARDS;
    json_object *list = jdoc_get(line->json, "hand");

    if (!president && !chancellor) {
        return true;
    }
    if (list == NULL) {
        return is_missing("hand", right, why);
    }
    return (json_object_is_type(list, json_type_array) &&
            json_object_array_length(list) == count &&
            take_cards(line, list, count)) ||
           is_wrong("hand", list, right, why);
}

/* ---- the verdict --------------------------------------------------------- */

static bool
take_line(struct post_line *line, const char *from, size_t len,
          const struct manner *manner, struct buf *why)
{
    if (len == 0 || (len == 1 && *from == '\r')) {
        buf_add_text(why, "it is empty; write one post a line");
        return false;
    }
    if (jdoc_parse(from, len, true, &line->json, why) != ERR_NONE) {
        return false;
    }
    if (!json_object_is_type(line->json, json_type_object)) {
        buf_add_text(why, "it is no object; write {\"dialect\": …, \"phase\": "
                          "…, \"players\": […], \"text\": …}");
        return false;
    }
    return take_id(line, why) && take_phase(line, why) &&
           take_dialect(line, manner, why) && take_players(line, why) &&
           take_words(line, manner, why) && take_red(line, manner, why) &&
           take_hand(line, why) && take_text(line, why);
}

static void
add_id(json_object *json, struct buf *verdict)
{
    json_object *id = jdoc_get(json, "id");

    jtext_key(verdict, "id");
    if (json_object_is_type(id, json_type_string)) {
        jtext_string_len(verdict, json_object_get_string(id),
                         (size_t)json_object_get_string_len(id));
    } else if (json_object_is_type(id, json_type_int)) {
        buf_add_text(verdict, json_object_to_json_string(id));
    } else {
        buf_add_text(verdict, "null");
    }
}

static void
add_verdict(json_object *json, const char *kind, const struct buf *value,
            const struct buf *why, struct buf *verdict)
{
    buf_add_char(verdict, '{');
    add_id(json, verdict);
    jtext_add_text(verdict, "kind", kind);
    jtext_key(verdict, "value");
    if (value == NULL) {
        buf_add_text(verdict, "null");
    } else {
        jtext_string_len(verdict, buf_text(value), value->len);
    }
    jtext_key(verdict, "why");
    jtext_string_len(verdict, buf_text(why), why->len);
    buf_add_text(verdict, "}\n");
}

static void
add_error(json_object *json, size_t number, const struct buf *wrong,
          struct buf *verdict)
{
    struct buf why = BUF_INIT;

    buf_addf(&why, "line %zu: %s", number, buf_text(wrong));
    add_verdict(json, "error", NULL, &why, verdict);
    buf_release(&why);
}

/* R0: why a post is not read at all. */
static void
explain_unread(const struct post_line *line, struct buf *why)
{
    buf_add_text(why, "R0: the post is not read at all, for it ");
    if (memchr(line->text, '\0', line->len) != NULL) {
        buf_add_text(why, "holds a character U+0000");
    } else if (line->len > POST_MAX) {
        buf_addf(why, "is longer than %d bytes", POST_MAX);
    } else {
        buf_addf(why, "nests more than %d marks in one another",
                 RICH_DEPTH_MAX);
    }
}

static void
judge(const struct post_line *line, const struct manner *manner,
      struct buf *verdict)
{
    struct rich post = {.count = 0};
    struct intent intent = {.kind = INTENT_NONE};
    struct buf value = BUF_INIT;
    struct buf why = BUF_INIT;
    bool unread = false;

    dialects_read(line->dialect, line->text, line->len, manner->bold_classes,
                  &post, &unread);
    if (unread) {
        explain_unread(line, &why);
    } else {
        intent_read(&post, &line->reading, &intent, &why);
    }
    bool valued = intent_value(&intent, &line->reading, &value);
    add_verdict(line->json, intent_name(&intent), valued ? &value : NULL, &why,
                verdict);
    rich_release(&post);
    buf_release(&value);
    buf_release(&why);
}

bool
post_line_judge(const char *line, size_t len, size_t number,
                const struct manner *manner, struct buf *verdict)
{
    struct post_line taken = {.json = NULL};
    struct buf why = BUF_INIT;

    bool readable = take_line(&taken, line, len, manner, &why);
    if (readable) {
        judge(&taken, manner, verdict);
    } else {
        add_error(taken.json, number, &why, verdict);
    }
    json_object_put(taken.json);
    buf_release(&why);
    return readable;
}

void
post_line_refuse(size_t number, struct buf *verdict)
{
    struct buf why = BUF_INIT;

    buf_addf(&why, "it is longer than %d bytes, and a post is shorter",
             POST_LINE_MAX);
    add_error(NULL, number, &why, verdict);
    buf_release(&why);
}
