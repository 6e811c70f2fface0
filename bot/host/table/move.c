#include "bot/host/table/move.h"

#include <assert.h>
#include <string.h>

#include "bot/base/json.h"
#include "bot/base/text.h"

static const char *const words[MOVE_KINDS] = {
#define MOVE(kind, word, ...) word,
#include "bot/host/table/moves.def"
#undef MOVE
};

static const char *const commands[] = {
    [COMMAND_DEAL] = "deal",         [COMMAND_RESHUFFLE] = "reshuffle",
    [COMMAND_NOMINATE] = "nominate", [COMMAND_VOTE] = "vote",
    [COMMAND_DISCARD] = "discard",   [COMMAND_ENACT] = "enact",
    [COMMAND_ASK_VETO] = "ask_veto", [COMMAND_ANSWER_VETO] = "answer_veto",
    [COMMAND_TARGET] = "target",     [COMMAND_CLOSE] = "close",
    [COMMAND_FORFEIT] = "forfeit",   [COMMAND_VACATE] = "vacate",
    [COMMAND_FILL] = "fill",         [COMMAND_KNOWN] = "known",
    [COMMAND_ABANDON] = "abandon",
};
enum {
    COMMANDS = sizeof commands / sizeof commands[0]
};

/* ---- writing ------------------------------------------------------------- */

/* An absent key is read as zero, so zeroes are left out. */
static void
add_nonzero(struct buf *out, const char *key, int64_t number)
{
    if (number != 0) {
        jtext_add_number(out, key, number);
    }
}

static void
add_some_text(struct buf *out, const char *key, const char *text)
{
    if (*text != '\0') {
        jtext_add_text(out, key, text);
    }
}

/* Whatever is played, its text has one length. */
enum {
    COMMAND_LEN = 160
};

static void
write_command(const struct move *move, struct buf *out)
{
    const struct command *command = &move->command;
    size_t end = out->len + COMMAND_LEN;
    jtext_add_text(out, "do", commands[command->kind]);
    add_nonzero(out, "seat", command->seat);
    add_nonzero(out, "target", command->target);
    add_nonzero(out, "card", command->card);
    add_nonzero(out, "yes", command->yes);
    add_nonzero(out, "lots", command->lots);
    add_nonzero(out, "hitler", command->hitler);
    add_nonzero(out, "first", command->first);
    add_nonzero(out, "fascists", command->fascists);
    add_nonzero(out, "liberal", command->tiles.liberal);
    add_nonzero(out, "tiles", command->tiles.count);
    assert(out->len <= end);
    while (out->len < end) {
        buf_add_char(out, ' ');
    }
}

static void
write_settings(const struct settings *settings, struct buf *out)
{
    jtext_begin_object(out, "settings");
    const struct setting *setting = NULL;
    for (size_t i = 0; (setting = setting_at(i)) != NULL; i++) {
        struct buf value = BUF_INIT;
        if (setting->scope == SCOPE_GAME) {
            setting_write(setting, settings, &value);
            jtext_add_text(out, setting->key, buf_text(&value));
        }
        buf_release(&value);
    }
    buf_add_char(out, '}');
}

static void
write_players(const struct move *move, struct buf *out)
{
    jtext_add_number(out, "players_min", move->players_min);
    jtext_add_number(out, "players_max", move->players_max);
}

static void
write_thread(const struct move *move, struct buf *out)
{
    jtext_add_text(out, "thread", move->thread);
}

/* From 1; nobody is 0. */
static void
write_announced(const struct move *move, struct buf *out)
{
    add_nonzero(out, "number",
                move->announced == NO_SEAT ? 0 : move->announced + 1);
}

static void
write_opening(const struct move *move, struct buf *out)
{
    jtext_add_text(out, "id", move->id);
    jtext_add_text(out, "place", move->place);
    write_thread(move, out);
    write_players(move, out);
    if (move->fair) {
        jtext_key(out, "secret");
        buf_add_char(out, '"');
        buf_add_hex(out, move->secret, sizeof move->secret);
        buf_add_char(out, '"');
    }
    write_settings(&move->settings, out);
}

/* What only some kinds of moves have. */
static void
write_fields(const struct move *move, struct buf *out)
{
    switch (move->kind) {
#define COMMON
#define NUMBER(type, member) add_nonzero(out, "number", move->member);
#define WITH(part)           write_##part(move, out);
#define MOVE(kind, word, fields, ...)                                          \
    case MOVE_##kind:                                                          \
        fields break;
#include "bot/host/table/moves.def"
#undef MOVE
#undef WITH
#undef NUMBER
    case MOVE_KINDS:
        assert(false);
    }
}

void
move_write(const struct move *move, struct buf *out)
{
    buf_add_char(out, '{');
    jtext_add_text(out, "move", words[move->kind]);
    jtext_add_number(out, "at", move->at);
    jtext_add_number(out, "now", move->now);
    add_some_text(out, "post", move->post);
    add_nonzero(out, "pressed", move->pressed);
    add_nonzero(out, "planned", move->planned);
    add_some_text(out, "user", move->user);
    add_some_text(out, "out", move->out);
    add_some_text(out, "name", move->name);
    add_some_text(out, "text", move->text);
    add_nonzero(out, "until", move->until);
    add_nonzero(out, "session", move->session);
    add_nonzero(out, "remind", move->remind);
    add_nonzero(out, "since", move->since);
    write_fields(move, out);
    buf_add_char(out, '}');
}

/* ---- reading ------------------------------------------------------------- */

/* What a row holds is checked before it is believed; `ok` becomes false once
 * and stays so. */
struct row {
    json_object *object;
    bool ok;
};

static void
take_text(struct row *row, const char *key, char *to, size_t size)
{
    json_object *value = jdoc_get(row->object, key);
    const char *text = jdoc_string(row->object, key);
    size_t len = text == NULL ? 0 : strlen(text);
    if ((value != NULL && text == NULL) || len >= size) {
        row->ok = false;
        return;
    }
    memcpy(to, text == NULL ? "" : text, len + 1);
}

static int64_t
take_number(struct row *row, const char *key, int64_t max)
{
    int64_t number = 0;
    if (jdoc_get(row->object, key) == NULL) {
        return 0;
    }
    if (!jdoc_integer(row->object, key, &number) || number < 0 ||
        number > max) {
        row->ok = false;
        return 0;
    }
    return number;
}

static unsigned
take_name(struct row *row, const char *key, const char *const *names,
          unsigned count)
{
    const char *text = jdoc_string(row->object, key);
    for (unsigned i = 0; text != NULL && i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    row->ok = false;
    return 0;
}

static void
read_command(struct row *row, struct move *move)
{
    struct command *command = &move->command;
    command->kind = (uint8_t)take_name(row, "do", commands, COMMANDS);
    command->seat = (uint8_t)take_number(row, "seat", NO_SEAT);
    command->target = (uint8_t)take_number(row, "target", NO_SEAT);
    command->card = (uint8_t)take_number(row, "card", TILES);
    command->yes = take_number(row, "yes", 1) != 0;
    command->lots = take_number(row, "lots", 1) != 0;
    command->hitler = (uint8_t)take_number(row, "hitler", NO_SEAT);
    command->first = (uint8_t)take_number(row, "first", NO_SEAT);
    command->fascists = (seat_set)take_number(row, "fascists", UINT16_MAX);
    command->tiles.liberal =
        (uint32_t)take_number(row, "liberal", (1 << TILES) - 1);
    command->tiles.count = (uint8_t)take_number(row, "tiles", TILES);
}

static void
read_secret(struct row *row, struct move *move)
{
    const char *hex = jdoc_string(row->object, "secret");
    move->fair = jdoc_get(row->object, "secret") != NULL;
    row->ok = row->ok &&
              (!move->fair ||
               (hex != NULL && text_read_hex(hex, move->secret, DEAL_SECRET)));
}

static void
read_settings(struct row *row, struct settings *settings)
{
    settings_defaults(settings);
    json_object *object = jdoc_get(row->object, "settings");
    if (!json_object_is_type(object, json_type_object)) {
        row->ok = false;
        return;
    }
    struct buf ignored = BUF_INIT;
    const struct setting *setting = NULL;
    for (size_t i = 0; (setting = setting_at(i)) != NULL; i++) {
        const char *value = setting->scope == SCOPE_GAME
                                ? jdoc_string(object, setting->key)
                                : NULL;
        if (value != NULL &&
            settings_set(settings, setting->key, value, &ignored) != ERR_NONE) {
            row->ok = false;
        }
    }
    buf_release(&ignored);
}

static void
read_players(struct row *row, struct move *move)
{
    move->players_min = (unsigned)take_number(row, "players_min", PLAYERS_MAX);
    move->players_max = (unsigned)take_number(row, "players_max", PLAYERS_MAX);
}

static void
read_thread(struct row *row, struct move *move)
{
    take_text(row, "thread", move->thread, sizeof move->thread);
}

static void
read_announced(struct row *row, struct move *move)
{
    int64_t number = take_number(row, "number", NO_SEAT);
    move->announced = number == 0 ? NO_SEAT : (uint8_t)(number - 1);
}

static void
read_opening(struct row *row, struct move *move)
{
    take_text(row, "id", move->id, sizeof move->id);
    take_text(row, "place", move->place, sizeof move->place);
    read_thread(row, move);
    read_players(row, move);
    read_secret(row, move);
    read_settings(row, &move->settings);
}

static void
read_fields(struct row *row, struct move *move)
{
    switch (move->kind) {
#define NUMBER(type, member)                                                   \
    move->member = (type)take_number(row, "number", UINT32_MAX);
#define WITH(part) read_##part(row, move);
#define MOVE(kind, word, fields, ...)                                          \
    case MOVE_##kind:                                                          \
        fields break;
#include "bot/host/table/moves.def"
#undef MOVE
#undef WITH
#undef NUMBER
    case MOVE_KINDS:
        assert(false);
    }
}

enum err
move_read(const char *text, size_t len, struct move *move, struct buf *why)
{
    struct row row = {NULL, true};
    enum err err = jdoc_parse(text, len, true, &row.object, why);
    if (err != ERR_NONE) {
        return err;
    }
    memset(move, 0, sizeof *move);
    move->kind = (enum move_kind)take_name(&row, "move", words, MOVE_KINDS);
    move->at = take_number(&row, "at", INT64_MAX);
    move->now = take_number(&row, "now", INT64_MAX);
    take_text(&row, "post", move->post, sizeof move->post);
    move->pressed = take_number(&row, "pressed", 1) != 0;
    move->planned = take_number(&row, "planned", 1) != 0;
    take_text(&row, "user", move->user, sizeof move->user);
    take_text(&row, "out", move->out, sizeof move->out);
    take_text(&row, "name", move->name, sizeof move->name);
    take_text(&row, "text", move->text, sizeof move->text);
    move->until = take_number(&row, "until", INT64_MAX);
    move->session = take_number(&row, "session", INT64_MAX);
    move->remind = take_number(&row, "remind", INT64_MAX);
    move->since = take_number(&row, "since", INT64_MAX);
    read_fields(&row, move);
    json_object_put(row.object);
    if (!row.ok) {
        return err_say(why, ERR_GARBLED,
                       "a row of the journal is not a move this version "
                       "knows");
    }
    return ERR_NONE;
}

bool
move_is_act(const struct move *move)
{
    return move->kind == MOVE_ANNOUNCE ||
           (move->kind == MOVE_PLAY && move->command.kind != COMMAND_DEAL &&
            move->command.kind != COMMAND_RESHUFFLE &&
            move->command.kind != COMMAND_VACATE &&
            (move->command.kind != COMMAND_CLOSE ||
             move->unasked != NOBODY_MISSED));
}

bool
move_is_hidden(const struct move *move)
{
    return move->kind == MOVE_PLAY && move->command.kind == COMMAND_DISCARD;
}
