#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bot/base/civil.h"
#include "bot/base/json.h"
#include "bot/record/record_fields.h"

/* Reading one line after the other.  Functions that answer bool have said why
 * (garbled) when they answer false. */
struct reader {
    struct record *record;
    struct record_game *game;       /* the last of record, or NULL */
    const char *names[PLAYERS_MAX]; /* as held now, by seat */
    struct record_line line;        /* the one being read */
    json_object *object;            /* the same */
    struct buf *why;
};

/* ---- saying what is wrong ------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static bool
garbled(struct reader *reader, const char *format, ...)
{
    buf_addf(reader->why, "line %zu: ", reader->line.number);
    if (reader->line.kind != RECORD_KINDS) {
        buf_addf(reader->why, "%s: ", record_kind_name(reader->line.kind));
    }
    va_list args;
    va_start(args, format);
    buf_vaddf(reader->why, format, args);
    va_end(args);
    return false;
}

/* Quote what the file contains at this point, cut to the length of a name. */
static void
quote(struct buf *out, const char *text)
{
    jtext_string_len(out, text, strnlen(text, RECORD_NAME_MAX));
}

static bool
garbled_name(struct reader *reader, const char *key, const char *name,
             const char *what)
{
    struct buf quoted = BUF_INIT;
    quote(&quoted, name);
    garbled(reader, "`%s`: %s %s", key, buf_text(&quoted), what);
    buf_release(&quoted);
    return false;
}

/* Add a word to a list: "a", "b" or "c". */
static void
list_add(struct buf *list, const char *word, bool is_last)
{
    if (list->len > 0) {
        buf_add_text(list, is_last ? " or " : ", ");
    }
    quote(list, word);
}

static bool
garbled_word(struct reader *reader, const char *key,
             const struct record_word *words)
{
    struct buf list = BUF_INIT;
    for (const struct record_word *word = words; word->name != NULL; word++) {
        list_add(&list, word->name, word[1].name == NULL);
    }
    garbled(reader, "`%s` must be %s", key, buf_text(&list));
    buf_release(&list);
    return false;
}

static bool
garbled_option(struct reader *reader, const struct rules_option *option)
{
    struct buf list = BUF_INIT;
    for (unsigned i = 0; option->values[i] != NULL; i++) {
        list_add(&list, option->values[i], option->values[i + 1] == NULL);
    }
    garbled(reader, "`%s` must be %s", option->name, buf_text(&list));
    buf_release(&list);
    return false;
}

/* ---- what the record owns ------------------------------------------------ */

/* Make room for one item more. */
static void *
grow(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room) {
        return items;
    }
    *room = *room == 0 ? 16 : *room * 2;
    return must_grow(items, *room * size);
}

/* Copy a text into the record; borrowed from it. */
static const char *
keep(struct record *record, const char *text)
{
    record->texts = grow(record->texts, record->text_count, &record->text_room,
                         sizeof *record->texts);
    char *copy = must_copy(text);
    record->texts[record->text_count++] = copy;
    return copy;
}

void
record_release(struct record *record)
{
    for (size_t i = 0; i < record->game_count; i++) {
        free(record->games[i].lines);
    }
    for (size_t i = 0; i < record->text_count; i++) {
        free(record->texts[i]);
    }
    free(record->games);
    free(record->texts);
    memset(record, 0, sizeof *record);
}

/* ---- values -------------------------------------------------------------- */

/* A text without NUL, borrowed; NULL: it is none. */
static const char *
text_of(json_object *value)
{
    if (!json_object_is_type(value, json_type_string)) {
        return NULL;
    }
    const char *text = json_object_get_string(value);
    size_t len = (size_t)json_object_get_string_len(value);
    return strlen(text) == len ? text : NULL;
}

/* The seat of the player who has this name now, or NO_SEAT. */
static uint8_t
seat_of(const struct reader *reader, const char *name)
{
    for (unsigned seat = 0; seat < reader->game->players; seat++) {
        if (strcmp(reader->names[seat], name) == 0) {
            return (uint8_t)seat;
        }
    }
    return NO_SEAT;
}

static bool
read_number(struct reader *reader, const char *key, uint32_t most,
            uint32_t *number)
{
    int64_t value = 0;
    if (!jdoc_integer(reader->object, key, &value) || value < 0 ||
        value > most) {
        return garbled(reader, "`%s` must be a number from 0 to %u", key,
                       (unsigned)most);
    }
    *number = (uint32_t)value;
    return true;
}

static bool
read_name(struct reader *reader, const char *key, json_object *value,
          uint8_t *seat)
{
    const char *name = text_of(value);
    if (name == NULL) {
        (void)garbled(reader, "`%s` must be a player's name", key);
        return false;
    }
    *seat = seat_of(reader, name);
    if (*seat == NO_SEAT) {
        (void)garbled_name(reader, key, name, "is nobody at the table");
        return false;
    }
    return true;
}

static bool
read_names(struct reader *reader, const struct record_field *field,
           seat_set *seats)
{
    json_object *list = jdoc_get(reader->object, field->key);
    if (!json_object_is_type(list, json_type_array)) {
        return garbled(reader, "`%s` must be a list of names", field->key);
    }
    *seats = 0;
    size_t count = json_object_array_length(list);
    for (size_t i = 0; i < count; i++) {
        uint8_t seat = NO_SEAT;
        if (!read_name(reader, field->key, json_object_array_get_idx(list, i),
                       &seat)) {
            return false;
        }
        if (seat_in(seat, *seats)) {
            return garbled_name(reader, field->key, reader->names[seat],
                                "stands there twice");
        }
        if (field->form == FORM_SEATS && *seats >> seat != 0) {
            return garbled(reader, "`%s` must be in seat order", field->key);
        }
        *seats |= seat_bit(seat);
    }
    return true;
}

/* One player's role; `hitlers` counts. */
static bool
read_role(struct reader *reader, const char *key, const char *name,
          json_object *value, unsigned *hitlers)
{
    struct event *event = &reader->line.event;
    uint8_t seat = seat_of(reader, name);
    if (seat == NO_SEAT) {
        return garbled_name(reader, key, name, "is nobody at the table");
    }
    const char *text = text_of(value);
    const struct record_word *word =
        text == NULL ? NULL : record_word_find(record_roles, text);
    if (word == NULL) {
        return garbled_word(reader, key, record_roles);
    }
    if (word->value == ROLE_HITLER) {
        event->target = seat;
        ++*hitlers;
    } else if (word->value == ROLE_FASCIST) {
        event->seats |= seat_bit(seat);
    }
    return true;
}

static bool
read_roles(struct reader *reader, const struct record_field *field)
{
    json_object *roles = jdoc_get(reader->object, field->key);
    if (roles == NULL && field->form == FORM_REVEAL) {
        reader->line.event.target = NO_SEAT;
        return true;
    }
    /* The parser has refused doubled names, so if each is a player's and
     * their number is right, all are there. */
    if (!json_object_is_type(roles, json_type_object) ||
        (unsigned)json_object_object_length(roles) != reader->game->players) {
        return garbled(reader, "`%s` must give each player a role", field->key);
    }
    unsigned hitlers = 0;
    struct json_object_iterator at = json_object_iter_begin(roles);
    struct json_object_iterator end = json_object_iter_end(roles);
    while (!json_object_iter_equal(&at, &end)) {
        if (!read_role(reader, field->key, json_object_iter_peek_name(&at),
                       json_object_iter_peek_value(&at), &hitlers)) {
            return false;
        }
        json_object_iter_next(&at);
    }
    if (hitlers != 1) {
        return garbled(reader, "`%s` must have one \"hitler\"", field->key);
    }
    return true;
}

static bool
read_tile(json_object *value, struct pile *pile)
{
    const char *text = text_of(value);
    const struct record_word *word =
        text == NULL ? NULL : record_word_find(record_tiles, text);
    if (word == NULL) {
        return false;
    }
    pile_add(pile, word->value);
    return true;
}

static bool
read_tiles(struct reader *reader, const struct record_field *field,
           struct pile *pile)
{
    json_object *list = jdoc_get(reader->object, field->key);
    bool ok = json_object_is_type(list, json_type_array);
    size_t count = ok ? json_object_array_length(list) : 0;
    ok = ok && count >= field->least && count <= field->most;
    for (size_t i = 0; ok && i < count; i++) {
        ok = read_tile(json_object_array_get_idx(list, i), pile);
    }
    if (ok) {
        return true;
    }
    if (field->least == field->most) {
        return garbled(reader, "`%s` must be %u of \"L\" and \"F\"", field->key,
                       field->most);
    }
    return garbled(reader, "`%s` must be %u to %u of \"L\" and \"F\"",
                   field->key, field->least, field->most);
}

static bool
read_word(struct reader *reader, const struct record_field *field,
          uint8_t *value)
{
    const char *text = jdoc_string(reader->object, field->key);
    const struct record_word *word =
        text == NULL ? NULL : record_word_find(field->words, text);
    if (word == NULL) {
        return garbled_word(reader, field->key, field->words);
    }
    *value = word->value;
    return true;
}

static bool
read_lots(struct reader *reader, const struct record_field *field)
{
    uint8_t value = 0;
    if (!read_word(reader, field, &value)) {
        return false;
    }
    reader->line.event.power = value >> 1;
    reader->line.event.discarding = value & 1;
    return true;
}

/* An abandoned game has no winner; every other game has one. */
static bool
read_winner(struct reader *reader, const struct record_field *field,
            uint8_t *party)
{
    const char *reason = jdoc_string(reader->object, "reason");
    const char *abandoned = record_ending_name(ENDING_ABANDONED);
    if (reason == NULL || strcmp(reason, abandoned) != 0) {
        return read_word(reader, field, party);
    }
    if (jdoc_get(reader->object, field->key) != NULL) {
        return garbled(reader, "`%s` must be null of an abandoned game",
                       field->key);
    }
    return true;
}

static bool
read_time(struct reader *reader, const char *key, int64_t *instant)
{
    const char *text = jdoc_string(reader->object, key);
    if (text == NULL || !instant_read(text, instant)) {
        return garbled(reader, "`%s` must be a time like 2026-11-21T10:00:00Z",
                       key);
    }
    return true;
}

/* A text or, if that may be, null: *text is NULL then. */
static bool
read_text(struct reader *reader, const char *key, bool may_be_null,
          const char **text)
{
    *text = NULL;
    if (may_be_null && jdoc_get(reader->object, key) == NULL) {
        return true;
    }
    const char *value = jdoc_string(reader->object, key);
    if (value == NULL) {
        return garbled(reader, "`%s` must be a text%s", key,
                       may_be_null ? " or null" : "");
    }
    *text = keep(reader->record, value);
    return true;
}

static bool
read_small(struct reader *reader, const char *key, uint8_t *small)
{
    uint32_t number = 0;
    if (!read_number(reader, key, UINT8_MAX, &number)) {
        return false;
    }
    *small = (uint8_t)number;
    return true;
}

static bool
read_flag(struct reader *reader, const char *key, bool *flag)
{
    if (!jdoc_bool(reader->object, key, flag)) {
        return garbled(reader, "`%s` must be true or false", key);
    }
    return true;
}

static bool
read_by(struct reader *reader, const struct record_field *field,
        json_object *value, uint8_t *by)
{
    const char *word = jdoc_string(reader->object, field->key);
    const struct record_word *known = field->words;
    if (value != NULL && (word == NULL || strcmp(word, known->name) != 0)) {
        return garbled(reader, "`%s` must be \"%s\" or left out", field->key,
                       known->name);
    }
    *by = value == NULL ? RECORD_BY_POST : known->value;
    return true;
}

static bool
read_field(struct reader *reader, const struct record_field *field)
{
    void *member = (char *)&reader->line + field->offset;
    json_object *value = jdoc_get(reader->object, field->key);
    switch (field->form) {
    case FORM_SEAT:
        return read_name(reader, field->key, value, member);
    case FORM_SEATS:
    case FORM_PLAYERS:
        return read_names(reader, field, member);
    case FORM_ROLES:
    case FORM_REVEAL:
        return read_roles(reader, field);
    case FORM_FLAG:
        return read_flag(reader, field->key, member);
    case FORM_SMALL:
        return read_small(reader, field->key, member);
    case FORM_NUMBER:
        return read_number(reader, field->key, INT32_MAX, member);
    case FORM_WORD:
        return read_word(reader, field, member);
    case FORM_WINNER:
        return read_winner(reader, field, member);
    case FORM_LOTS:
        return read_lots(reader, field);
    case FORM_TILES:
        return read_tiles(reader, field, member);
    case FORM_TIME:
        return value == NULL || read_time(reader, field->key, member);
    case FORM_TEXT:
    case FORM_REASON:
        return read_text(reader, field->key, field->form == FORM_REASON,
                         member);
    case FORM_BY:
        return read_by(reader, field, value, member);
    case FORM_OF:
        return value == NULL || read_word(reader, field, member);
    case FORM_TARGET:
        return reader->line.event.power != POWER_INVESTIGATE ||
               read_name(reader, field->key, value, member);
    }
    return false;
}

static bool
read_fields(struct reader *reader)
{
    const struct record_field *field = record_fields(reader->line.kind);
    for (; field->key != NULL; field++) {
        if (!read_field(reader, field)) {
            return false;
        }
    }
    return true;
}

/* ---- lines that tell of the game ----------------------------------------- */

static bool
is_of(const char *text, const char *letters, size_t least, size_t most)
{
    size_t len = strlen(text);
    return len >= least && len <= most && strspn(text, letters) == len;
}

/* 64 lower-case hexadecimal digits, or null: `hex` stays "". */
static bool
read_hex(struct reader *reader, const char *key, char hex[RECORD_HEX + 1])
{
    if (jdoc_get(reader->object, key) == NULL) {
        return true;
    }
    const char *text = jdoc_string(reader->object, key);
    if (text == NULL ||
        !is_of(text, "0123456789abcdef", RECORD_HEX, RECORD_HEX)) {
        return garbled(reader, "`%s` must be %d digits of 0-9a-f, or null", key,
                       RECORD_HEX);
    }
    memcpy(hex, text, RECORD_HEX + 1);
    return true;
}

static const char id_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

/* A short name of small letters, digits and hyphens, `most` bytes at most. */
static bool
read_id(struct reader *reader, json_object *object, const char *key, char *id,
        size_t most)
{
    const char *text = jdoc_string(object, key);
    if (text == NULL || !is_of(text, id_letters, 1, most)) {
        return garbled(reader, "`%s` must be 1 to %zu of a-z, 0-9, -", key,
                       most);
    }
    memcpy(id, text, strlen(text) + 1);
    return true;
}

static bool
read_rules(struct reader *reader, struct record_game *game)
{
    json_object *rules = jdoc_get(reader->object, "rules");
    if (!json_object_is_type(rules, json_type_object)) {
        return garbled(reader, "`rules` must be an object");
    }
    if (!read_id(reader, rules, "preset", game->preset, RECORD_PRESET_MAX)) {
        return false;
    }
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        const char *option = rules_options[i].name;
        const char *value = jdoc_string(rules, option);
        if (rules_options[i].is_house && jdoc_get(rules, option) == NULL) {
            continue; /* off */
        }
        if (value == NULL || !rules_set(&game->rules, option, value)) {
            return garbled_option(reader, &rules_options[i]);
        }
    }
    return true;
}

static bool
read_opened(struct reader *reader)
{
    const char *format = jdoc_string(reader->object, "format");
    if (format == NULL || strcmp(format, RECORD_FORMAT) != 0) {
        return garbled(reader, "`format` must be \"" RECORD_FORMAT "\"");
    }
    struct record_game game = {.players = 0};
    if (!read_id(reader, reader->object, "game", game.id, RECORD_GAME_MAX) ||
        !read_rules(reader, &game) ||
        !read_hex(reader, "commitment", game.commitment)) {
        return false;
    }
    struct record *record = reader->record;
    record->games = grow(record->games, record->game_count, &record->game_room,
                         sizeof game);
    reader->game = &record->games[record->game_count++];
    *reader->game = game;
    return true;
}

/* May `seat` have this name, NULL where there is none? */
static bool
check_name(struct reader *reader, const char *key, const char *name,
           uint8_t seat)
{
    if (name == NULL || *name == '\0' || strlen(name) > RECORD_NAME_MAX) {
        return garbled(reader, "`%s`: a name must be 1 to %d bytes", key,
                       RECORD_NAME_MAX);
    }
    uint8_t holder = seat_of(reader, name);
    if (holder != NO_SEAT && holder != seat) {
        return garbled_name(reader, key, name, "is somebody else's name");
    }
    return true;
}

/* One name more at the table. */
static bool
seat_name(struct reader *reader, json_object *value)
{
    struct record_game *game = reader->game;
    const char *name = text_of(value);
    if (!check_name(reader, "players", name, NO_SEAT)) {
        return false;
    }
    memcpy(game->names[game->players], name, strlen(name) + 1);
    reader->names[game->players] = game->names[game->players];
    game->players++;
    return true;
}

static bool
read_seated(struct reader *reader)
{
    struct record_game *game = reader->game;
    if (game->players > 0) {
        return garbled(reader, "the players of this game sit already");
    }
    json_object *list = jdoc_get(reader->object, "players");
    size_t count = json_object_is_type(list, json_type_array)
                       ? json_object_array_length(list)
                       : 0;
    if (count < PLAYERS_MIN || count > PLAYERS_MAX) {
        return garbled(reader, "`players` must be %d to %d names", PLAYERS_MIN,
                       PLAYERS_MAX);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = seat_name(reader, json_object_array_get_idx(list, i));
    }
    ok = ok && read_text(reader, "transcript", true, &game->transcript) &&
         read_hex(reader, "key", game->key);
    if (!ok) {
        game->players = 0;
    }
    return ok;
}

static bool
read_revealed(struct reader *reader)
{
    return read_fields(reader) && read_hex(reader, "seed", reader->game->seed);
}

static bool
read_replaced(struct reader *reader)
{
    const struct record_line *line = &reader->line;
    if (!read_fields(reader)) {
        return false;
    }
    uint8_t seat = seat_of(reader, line->out);
    if (seat == NO_SEAT) {
        return garbled_name(reader, "out", line->out, "is nobody at the table");
    }
    if (!check_name(reader, "in", line->in, seat)) {
        return false;
    }
    reader->line.event.seat = seat;
    reader->names[seat] = line->in;
    return true;
}

/* ---- lines --------------------------------------------------------------- */

static bool
read_kind(struct reader *reader)
{
    const char *name = jdoc_string(reader->object, "event");
    if (name == NULL) {
        return garbled(reader, "`event` must be a text");
    }
    int kind = record_kind_find(name);
    if (kind == RECORD_KINDS) {
        return garbled_name(reader, "event", name, "is none of the record's");
    }
    if (reader->game == NULL && kind != RECORD_OPENED) {
        return garbled_name(reader, "event", name,
                            "before a game was \"opened\"");
    }
    reader->line.kind = kind;
    if (kind < EVENT_KINDS) {
        reader->line.event.kind = (uint8_t)kind;
    }
    return true;
}

static bool
read_head(struct reader *reader)
{
    bool first = reader->line.kind == RECORD_OPENED;
    uint32_t due = first ? 0 : (uint32_t)reader->game->line_count;
    if (!read_number(reader, "seq", INT32_MAX, &reader->line.seq)) {
        return false;
    }
    if (reader->line.seq != due) {
        return garbled(reader, "`seq` must be %u", (unsigned)due);
    }
    return read_time(reader, "at", &reader->line.at);
}

/* Kinds of line that need more checks than those of their fields. */
static bool (*const bodies[RECORD_KINDS])(struct reader *reader) = {
    [RECORD_OPENED] = read_opened,
    [RECORD_SEATED] = read_seated,
    [RECORD_REVEALED] = read_revealed,
    [EVENT_FILLED] = read_replaced,
};

static bool
read_body(struct reader *reader)
{
    int kind = reader->line.kind;
    return bodies[kind] != NULL ? bodies[kind](reader) : read_fields(reader);
}

static bool
read_object(struct reader *reader)
{
    if (!json_object_is_type(reader->object, json_type_object)) {
        return garbled(reader, "not a JSON object");
    }
    if (!read_kind(reader) || !read_head(reader) || !read_body(reader)) {
        return false;
    }
    struct record_game *game = reader->game;
    game->lines = grow(game->lines, game->line_count, &game->line_room,
                       sizeof *game->lines);
    game->lines[game->line_count++] = reader->line;
    return true;
}

static bool
read_line(struct reader *reader, const char *text, size_t len)
{
    size_t number = reader->line.number + 1;
    reader->line = (struct record_line){.number = number, .kind = RECORD_KINDS};
    if (len == 0) {
        return garbled(reader, "empty, where a JSON object must be");
    }
    if (len > RECORD_LINE_MAX) {
        return garbled(reader, "longer than %d bytes", RECORD_LINE_MAX);
    }
    struct buf why = BUF_INIT;
    bool ok = jdoc_parse(text, len, true, &reader->object, &why) == ERR_NONE
                  ? read_object(reader)
                  : garbled(reader, "%s", buf_text(&why));
    buf_release(&why);
    json_object_put(reader->object);
    reader->object = NULL;
    return ok;
}

enum err
record_read(const char *text, size_t len, struct record *record,
            struct buf *why)
{
    return record_read_from(0, text, len, record, why);
}

enum err
record_read_from(size_t before, const char *text, size_t len,
                 struct record *record, struct buf *why)
{
    memset(record, 0, sizeof *record);
    struct reader reader = {
        .record = record, .why = why, .line = {.number = before}};
    if (len == 0) {
        return err_say(why, ERR_GARBLED, "line %zu: no game is \"opened\"",
                       before + 1);
    }
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        if (end == NULL) {
            return err_say(why, ERR_GARBLED,
                           "line %zu: the last line has no line feed",
                           reader.line.number + 1);
        }
        size_t line = (size_t)(end - text) - at;
        if (!read_line(&reader, text + at, line)) {
            return ERR_GARBLED;
        }
        at += line + 1;
    }
    return ERR_NONE;
}
