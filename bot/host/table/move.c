#include "bot/host/table/move.h"

#include <assert.h>
#include <string.h>

#include "bot/base/json.h"

static const char *const kinds[] = {
    [MOVE_OPEN] = "open",       [MOVE_THREAD] = "thread",
    [MOVE_JOIN] = "join",       [MOVE_RESERVE] = "reserve",
    [MOVE_LEAVE] = "leave",     [MOVE_ALIAS] = "alias",
    [MOVE_LUCK] = "luck",       [MOVE_CHECK] = "check",
    [MOVE_READY] = "ready",     [MOVE_START] = "start",
    [MOVE_PLAY] = "play",       [MOVE_RING] = "ring",
    [MOVE_EXTEND] = "extend",   [MOVE_PAUSE] = "pause",
    [MOVE_RESUME] = "resume",   [MOVE_REMIND] = "remind",
    [MOVE_ANNOUNCE] = "aim",    [MOVE_REPLACE] = "replace",
    [MOVE_REWIND] = "rewind",   [MOVE_ASK] = "ask",
    [MOVE_AGREE] = "agree",     [MOVE_ANSWERED] = "answered",
    [MOVE_SET] = "set",         [MOVE_MODERATOR] = "moderator",
    [MOVE_AWAY] = "away",       [MOVE_CLAIM] = "claim",
    [MOVE_NOTE] = "note",       [MOVE_WARN] = "warn",
    [MOVE_CLOSE] = "close",     [MOVE_RECEIPTS] = "receipts",
    [MOVE_RENAME] = "rename",   [MOVE_LANGUAGE] = "language",
    [MOVE_PLAYERS] = "players", [MOVE_REOPEN] = "reopen",
    [MOVE_CALLED] = "called",   [MOVE_TOLD] = "told",
    [MOVE_PROD] = "prod",       [MOVE_GALLERY] = "gallery",
    [MOVE_ZONE] = "zone",       [MOVE_REMINDERS] = "reminders",
    [MOVE_FLAG] = "flag",       [MOVE_PLAN] = "plan",
    [MOVE_EMOJI] = "emoji",
};
enum {
    KINDS = sizeof kinds / sizeof kinds[0]
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
write_command(const struct command *command, struct buf *out)
{
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
write_open(const struct move *move, struct buf *out)
{
    jtext_add_text(out, "id", move->id);
    jtext_add_text(out, "place", move->place);
    jtext_add_text(out, "thread", move->thread);
    write_players(move, out);
    if (move->fair) {
        jtext_key(out, "secret");
        buf_add_char(out, '"');
        buf_add_hex(out, move->secret, sizeof move->secret);
        buf_add_char(out, '"');
    }
    write_settings(&move->settings, out);
}

void
move_write(const struct move *move, struct buf *out)
{
    buf_add_char(out, '{');
    jtext_add_text(out, "move", kinds[move->kind]);
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
    add_nonzero(out, "number", move->number);
    if (move->kind == MOVE_PLAY) {
        write_command(&move->command, out);
    }
    if (move->kind == MOVE_OPEN) {
        write_open(move, out);
    }
    if (move->kind == MOVE_THREAD || move->kind == MOVE_GALLERY) {
        jtext_add_text(out, "thread", move->thread);
    }
    if (move->kind == MOVE_PLAYERS) {
        write_players(move, out);
    }
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
read_command(struct row *row, struct command *command)
{
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

static int
hex_digit(char digit)
{
    const char *digits = "0123456789abcdef";
    const char *found = digit == '\0' ? NULL : strchr(digits, digit);
    return found == NULL ? -1 : (int)(found - digits);
}

static void
read_secret(struct row *row, struct move *move)
{
    const char *hex = jdoc_string(row->object, "secret");
    move->fair = jdoc_get(row->object, "secret") != NULL;
    if (!move->fair) {
        return;
    }
    if (hex == NULL || strlen(hex) != DEAL_HEX) {
        row->ok = false;
        return;
    }
    for (size_t i = 0; i < DEAL_SECRET; i++) {
        int high = hex_digit(hex[2 * i]);
        int low = hex_digit(hex[2 * i + 1]);
        row->ok = row->ok && high >= 0 && low >= 0;
        move->secret[i] = (unsigned char)((high & 15) << 4 | (low & 15));
    }
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
read_open(struct row *row, struct move *move)
{
    take_text(row, "id", move->id, sizeof move->id);
    take_text(row, "place", move->place, sizeof move->place);
    take_text(row, "thread", move->thread, sizeof move->thread);
    read_players(row, move);
    read_secret(row, move);
    read_settings(row, &move->settings);
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
    move->kind = (enum move_kind)take_name(&row, "move", kinds, KINDS);
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
    move->number = (unsigned)take_number(&row, "number", UINT32_MAX);
    if (move->kind == MOVE_PLAY) {
        read_command(&row, &move->command);
    }
    if (move->kind == MOVE_OPEN) {
        read_open(&row, move);
    }
    if (move->kind == MOVE_THREAD || move->kind == MOVE_GALLERY) {
        take_text(&row, "thread", move->thread, sizeof move->thread);
    }
    if (move->kind == MOVE_PLAYERS) {
        read_players(&row, move);
    }
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
             move->number != NOBODY_MISSED));
}

bool
move_is_hidden(const struct move *move)
{
    return move->kind == MOVE_PLAY && move->command.kind == COMMAND_DISCARD;
}

bool
move_outlives_rewind(const struct move *move)
{
    switch (move->kind) {
    case MOVE_RESERVE:
    case MOVE_JOIN:
    case MOVE_LEAVE:
    case MOVE_ALIAS:
    case MOVE_LUCK:
    case MOVE_LANGUAGE:
    case MOVE_ZONE:
    case MOVE_REMINDERS:
    case MOVE_EMOJI:
    case MOVE_PAUSE:
    case MOVE_RESUME:
    case MOVE_ASK:
    case MOVE_AGREE:
    case MOVE_ANSWERED:
    case MOVE_SET:
    case MOVE_MODERATOR:
    case MOVE_AWAY:
    case MOVE_PLAN:
    case MOVE_RECEIPTS:
    case MOVE_NOTE:
    case MOVE_WARN:
    case MOVE_FLAG:
    case MOVE_GALLERY:
    case MOVE_RENAME:
    case MOVE_PROD:
        return true;
    case MOVE_EXTEND: /* the rewind tells the new time */
        return move->number == EXTENDED_BY_MODERATOR ||
               move->number == EXTENDED_BY_TABLE;
    case MOVE_OPEN:
    case MOVE_THREAD:
    case MOVE_CHECK:
    case MOVE_READY:
    case MOVE_REOPEN:
    case MOVE_START:
    case MOVE_PLAY:
    case MOVE_RING:
    case MOVE_REMIND:
    case MOVE_CALLED:
    case MOVE_ANNOUNCE:
    case MOVE_REPLACE:
    case MOVE_REWIND:
    case MOVE_PLAYERS:
    case MOVE_CLAIM:
    case MOVE_CLOSE:
    case MOVE_TOLD:
        break;
    }
    return false;
}
