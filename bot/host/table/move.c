#include "bot/host/table/move.h"

#include <assert.h>
#include <sodium.h>
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

/* A row of the journal.  What is in it is listed once, by functions that write
 * a member, or read it: then it is checked before it is believed, and `ok`
 * becomes false once and stays so. */
struct row {
    struct buf *out;     /* to be written; NULL: it is read */
    json_object *object; /* which is read */
    bool ok;
};

static int64_t
read_number(struct row *row, const char *key, int64_t max)
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

/* An absent key is read as zero, so zeroes are left out. */
static int64_t
row_number(struct row *row, const char *key, int64_t number, int64_t max)
{
    if (row->out == NULL) {
        return read_number(row, key, max);
    }
    if (number != 0) {
        jtext_add_number(row->out, key, number);
    }
    return number;
}

static uint8_t
row_byte(struct row *row, const char *key, uint8_t byte, uint8_t max)
{
    return (uint8_t)row_number(row, key, byte, max);
}

static bool
row_flag(struct row *row, const char *key, bool flag)
{
    return row_number(row, key, flag, 1) != 0;
}

static void
read_text(struct row *row, const char *key, char *to, size_t size)
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

static void
row_text(struct row *row, const char *key, char *text, size_t size)
{
    if (row->out == NULL) {
        read_text(row, key, text, size);
    } else if (*text != '\0') {
        jtext_add_text(row->out, key, text);
    }
}

/* One of so many words. */
static unsigned
row_word(struct row *row, const char *key, unsigned word,
         const char *const *choices, unsigned count)
{
    if (row->out != NULL) {
        jtext_add_text(row->out, key, choices[word]);
        return word;
    }
    const char *text = jdoc_string(row->object, key);
    for (unsigned i = 0; text != NULL && i < count; i++) {
        if (strcmp(text, choices[i]) == 0) {
            return i;
        }
    }
    row->ok = false;
    return 0;
}

/* Whatever is played, its text has one length. */
enum {
    COMMAND_LEN = 160
};

static void
row_command(struct row *row, struct move *move)
{
    struct command *command = &move->command;
    size_t end = row->out == NULL ? 0 : row->out->len + COMMAND_LEN;
    command->kind =
        (uint8_t)row_word(row, "do", command->kind, commands, COMMANDS);
    command->seat = row_byte(row, "seat", command->seat, NO_SEAT);
    command->target = row_byte(row, "target", command->target, NO_SEAT);
    command->card = row_byte(row, "card", command->card, TILES);
    command->yes = row_flag(row, "yes", command->yes);
    command->lots = row_flag(row, "lots", command->lots);
    command->hitler = row_byte(row, "hitler", command->hitler, NO_SEAT);
    command->first = row_byte(row, "first", command->first, NO_SEAT);
    command->fascists =
        (seat_set)row_number(row, "fascists", command->fascists, UINT16_MAX);
    command->tiles.liberal = (uint32_t)row_number(
        row, "liberal", command->tiles.liberal, (1 << TILES) - 1);
    command->tiles.count =
        row_byte(row, "tiles", (uint8_t)command->tiles.count, TILES);
    assert(row->out == NULL || row->out->len <= end);
    while (row->out != NULL && row->out->len < end) {
        buf_add_char(row->out, ' ');
    }
}

static void
row_secret(struct row *row, struct move *move)
{
    if (row->out == NULL) {
        const char *hex = jdoc_string(row->object, "secret");
        move->fair = jdoc_get(row->object, "secret") != NULL;
        row->ok =
            row->ok &&
            (!move->fair ||
             (hex != NULL && text_read_hex(hex, move->secret, DEAL_SECRET)));
    } else if (move->fair) {
        jtext_key(row->out, "secret");
        buf_add_char(row->out, '"');
        buf_add_hex(row->out, move->secret, sizeof move->secret);
        buf_add_char(row->out, '"');
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
row_players(struct row *row, struct move *move)
{
    move->players_min = (unsigned)row_number(row, "players_min",
                                             move->players_min, PLAYERS_MAX);
    move->players_max = (unsigned)row_number(row, "players_max",
                                             move->players_max, PLAYERS_MAX);
}

/* "" is written, too. */
static void
row_thread(struct row *row, struct move *move)
{
    if (row->out == NULL) {
        read_text(row, "thread", move->thread, sizeof move->thread);
    } else {
        jtext_add_text(row->out, "thread", move->thread);
    }
}

/* From 1; nobody is 0. */
static void
row_announced(struct row *row, struct move *move)
{
    int64_t number = move->announced == NO_SEAT ? 0 : move->announced + 1;
    number = row_number(row, "number", number, NO_SEAT);
    move->announced = number == 0 ? NO_SEAT : (uint8_t)(number - 1);
}

static void
row_opening(struct row *row, struct move *move)
{
    row_text(row, "id", move->id, sizeof move->id);
    row_text(row, "place", move->place, sizeof move->place);
    row_thread(row, move);
    row_players(row, move);
    row_secret(row, move);
    if (row->out != NULL) {
        write_settings(&move->settings, row->out);
    } else {
        read_settings(row, &move->settings);
    }
}

/* What only some kinds of moves have. */
static void
row_fields(struct row *row, struct move *move)
{
    switch (move->kind) {
#define COMMON
#define NUMBER(type, member)                                                   \
    move->member = (type)row_number(row, "number", move->member, UINT32_MAX);
#define WITH(part) row_##part(row, move);
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

static void
row_move(struct row *row, struct move *move)
{
    move->kind =
        (enum move_kind)row_word(row, "move", move->kind, words, MOVE_KINDS);
    move->at = row_number(row, "at", move->at, INT64_MAX);
    move->now = row_number(row, "now", move->now, INT64_MAX);
    row_text(row, "post", move->post, sizeof move->post);
    move->pressed = row_flag(row, "pressed", move->pressed);
    move->planned = row_flag(row, "planned", move->planned);
    row_text(row, "user", move->user, sizeof move->user);
    row_text(row, "out", move->out, sizeof move->out);
    row_text(row, "name", move->name, sizeof move->name);
    row_text(row, "text", move->text, sizeof move->text);
    move->until = row_number(row, "until", move->until, INT64_MAX);
    move->session = row_number(row, "session", move->session, INT64_MAX);
    move->remind = row_number(row, "remind", move->remind, INT64_MAX);
    move->since = row_number(row, "since", move->since, INT64_MAX);
    row_fields(row, move);
}

void
move_write(const struct move *move, struct buf *out)
{
    struct row row = {.out = out, .ok = true};
    struct move copy = *move;
    buf_add_char(out, '{');
    row_move(&row, &copy);
    buf_add_char(out, '}');
    sodium_memzero(&copy, sizeof copy);
}

enum err
move_read(const char *text, size_t len, struct move *move, struct buf *why)
{
    struct row row = {.ok = true};
    enum err err = jdoc_parse(text, len, true, &row.object, why);
    if (err != ERR_NONE) {
        return err;
    }
    memset(move, 0, sizeof *move);
    row_move(&row, move);
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
