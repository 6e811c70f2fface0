#include "bot/host/reading/press.h"

#include <stdlib.h>
#include <string.h>

static const char letters[] = {
    [PRESS_JOIN] = 'j',      [PRESS_LEAVE] = 'l',
    [PRESS_READY] = 'r',     [PRESS_VOTE] = 'v',
    [PRESS_NAME] = 'n',      [PRESS_ANSWER_VETO] = 'a',
    [PRESS_SHOW_ROLE] = 's', [PRESS_SHOW_CARDS] = 'h',
    [PRESS_CARD] = 'c',      [PRESS_ASK_VETO] = 'w',
    [PRESS_BACK] = 'b',
};
enum {
    CHOICES = sizeof letters / sizeof letters[0],
    PHASE_DIGITS = 9,
};

void
press_write(const struct press *press, struct buf *id)
{
    buf_addf(id, "%s.%u.%c%u%s", press->table, press->phase,
             letters[press->choice], press->number,
             press->confirmed ? "!" : "");
}

static bool
read_choice(const char *text, struct press *press)
{
    const char *found =
        text[0] == '\0' ? NULL : memchr(letters, text[0], CHOICES);
    if (found == NULL || text[1] < '0' || text[1] > '9') {
        return false;
    }
    press->choice = (enum press_choice)(found - letters);
    press->number = (unsigned)(text[1] - '0');
    press->confirmed = text[2] == '!';
    return text[2] == '\0' || (press->confirmed && text[3] == '\0');
}

bool
press_read(const char *id, struct press *press)
{
    size_t table = strcspn(id, ".");
    memset(press, 0, sizeof *press);
    if (table == 0 || table > PRESS_TABLE_MAX || id[table] != '.') {
        return false;
    }
    const char *phase = id + table + 1;
    size_t digits = strspn(phase, "0123456789");
    if (digits == 0 || digits > PHASE_DIGITS || phase[digits] != '.') {
        return false;
    }
    memcpy(press->table, id, table);
    press->phase = (unsigned)strtoul(phase, NULL, 10);
    return read_choice(phase + digits + 1, press);
}

bool
press_is_final(const struct press *press)
{
    switch (press->choice) {
    case PRESS_VOTE:
    case PRESS_NAME:
    case PRESS_ANSWER_VETO:
    case PRESS_CARD:
    case PRESS_ASK_VETO:
        return true;
    case PRESS_JOIN:
    case PRESS_LEAVE:
    case PRESS_READY:
    case PRESS_SHOW_ROLE:
    case PRESS_SHOW_CARDS:
    case PRESS_BACK:
        break;
    }
    return false;
}

bool
press_moves(const struct press *press)
{
    bool shows = press->choice == PRESS_SHOW_ROLE ||
                 press->choice == PRESS_SHOW_CARDS ||
                 press->choice == PRESS_BACK;
    return !shows && (press->confirmed || !press_is_final(press));
}
