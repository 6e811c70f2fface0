/* R14, R16: the players' names, and whose a text is. */
#include <string.h>

#include "bot/host/reading/intent_inner.h"
#include "bot/host/reading/names.h"

enum {
    SLIP_LETTERS = 4,
    NEAR_LETTERS = 2,
};

struct slice
name_without_at(struct slice key)
{
    if (key.len > 0 && key.text[0] == '@') {
        return (struct slice){key.text + 1, key.len - 1};
    }
    return key;
}

static void
add_name(struct names *names, const char *name, unsigned player)
{
    struct known *known = &names->all[names->count++];
    struct buf key = BUF_INIT;
    size_t len = strlen(name);

    *known = (struct known){.player = player};
    name_key(name, len, &key);
    struct slice bare = name_without_at(slice_of(&key));
    buf_add(&known->key, bare.text, bare.len);
    buf_release(&key);
    name_loose_key(name, len, &known->loose);
    name_skeleton(name, len, &known->skeleton);
}

void
names_init(struct names *names, const struct reading *reading)
{
    names->reading = reading;
    names->count = 0;
    for (unsigned i = 0; i < reading->player_count; i++) {
        const struct nameable *player = &reading->players[i];
        add_name(names, player->name, i);
        for (unsigned k = 0; k < player->alias_count; k++) {
            add_name(names, player->aliases[k], i);
        }
    }
}

void
names_need(struct names *names, const struct reading *reading)
{
    if (names->count == 0) {
        names_init(names, reading);
    }
}

void
names_release(struct names *names)
{
    for (unsigned i = 0; i < names->count; i++) {
        buf_release(&names->all[i].key);
        buf_release(&names->all[i].loose);
        buf_release(&names->all[i].skeleton);
    }
}

uint32_t
player_bit(unsigned player)
{
    return UINT32_C(1) << player;
}

unsigned
players_first(uint32_t players)
{
    unsigned player = 0;

    while ((players & player_bit(player)) == 0) {
        player++;
    }
    return player;
}

uint32_t
players_exactly(const struct names *names, struct slice key)
{
    uint32_t players = 0;

    for (unsigned i = 0; key.len > 0 && i < names->count; i++) {
        if (slice_equals(key, slice_of(&names->all[i].key))) {
            players |= player_bit(names->all[i].player);
        }
    }
    return players;
}

/* R14 (2): whose name is it, if accents, blanks and punctuation are ignored? */
static uint32_t
players_loosely(const struct names *names, struct slice key)
{
    struct buf loose = BUF_INIT;
    uint32_t players = 0;

    name_loose_key(key.text, key.len, &loose);
    for (unsigned i = 0; loose.len > 0 && i < names->count; i++) {
        if (slice_equals(slice_of(&loose), slice_of(&names->all[i].loose))) {
            players |= player_bit(names->all[i].player);
        }
    }
    buf_release(&loose);
    return players;
}

uint32_t
players_named(const struct names *names, struct slice key)
{
    uint32_t players = players_exactly(names, key);

    if (players == 0 && memchr(key.text, '?', key.len) == NULL) {
        players = players_loosely(names, key);
    }
    return players;
}

/* R16: the players of the longest names that begin at a place, whole words;
 * moves past them. */
static uint32_t
players_at(const struct names *names, struct slice key, size_t *at)
{
    uint32_t players = 0;
    size_t longest = 0;

    for (unsigned i = 0; i < names->count; i++) {
        struct slice name = slice_of(&names->all[i].key);
        if (name.len >= longest && slice_word_at(key, *at, name)) {
            players = name.len > longest ? 0 : players;
            longest = name.len;
            players |= player_bit(names->all[i].player);
        }
    }
    *at += longest > 0 ? longest : 1;
    return players;
}

uint32_t
players_contained(const struct names *names, struct slice key)
{
    uint32_t players = 0;

    for (size_t at = 0; at < key.len;) {
        players |= players_at(names, key, &at);
    }
    return players;
}

uint32_t
players_begun(const struct names *names, struct slice key, size_t least)
{
    uint32_t players = 0;

    if (slice_codepoints(key) < least) {
        return 0;
    }
    for (unsigned i = 0; i < names->count; i++) {
        struct slice name = slice_of(&names->all[i].key);
        if (name.len > key.len && memcmp(name.text, key.text, key.len) == 0) {
            players |= player_bit(names->all[i].player);
        }
    }
    return players;
}

uint32_t
players_misspelt(const struct names *names, struct slice key)
{
    uint32_t players = 0;

    if (slice_codepoints(key) < SLIP_LETTERS) {
        return 0;
    }
    for (unsigned i = 0; i < names->count; i++) {
        struct slice name = slice_of(&names->all[i].key);
        if (slice_codepoints(name) >= SLIP_LETTERS &&
            name_is_slip(key.text, key.len, name.text, name.len)) {
            players |= player_bit(names->all[i].player);
        }
    }
    return players;
}

uint32_t
players_alike(const struct names *names, struct slice text)
{
    struct buf whole = BUF_INIT;
    uint32_t players = 0;

    name_skeleton(text.text, text.len, &whole);
    struct slice look = slice_core(slice_of(&whole));
    for (unsigned i = 0; look.len > 0 && i < names->count; i++) {
        struct slice name = slice_of(&names->all[i].skeleton);
        if (slice_equals(look, slice_core(name))) {
            players |= player_bit(names->all[i].player);
        }
    }
    buf_release(&whole);
    return players;
}

unsigned
player_with_id(const struct reading *reading, const char *id, size_t len)
{
    unsigned player = 0;

    while (player < reading->player_count) {
        const char *known = reading->players[player].id;
        if (known != NULL && strlen(known) == len &&
            memcmp(known, id, len) == 0) {
            break;
        }
        player++;
    }
    return player;
}

/* Does a word of a name begin with the key? */
static bool
word_begins(struct slice name, struct slice key)
{
    bool found = false;

    for (size_t at = 0; at + key.len <= name.len && !found;) {
        int32_t codepoint = 0;
        found = memcmp(name.text + at, key.text, key.len) == 0;
        do {
            at += letter_next(name.text, name.len, at, &codepoint);
        } while (at < name.len && letter_is_word(codepoint));
    }
    return found;
}

uint32_t
players_near(const struct names *names, struct slice key)
{
    uint32_t players = 0;
    size_t letters = slice_codepoints(key);

    for (unsigned i = 0; letters >= NEAR_LETTERS && i < names->count; i++) {
        struct slice name = slice_of(&names->all[i].key);
        bool slip = letters > NEAR_LETTERS &&
                    slice_codepoints(name) > NEAR_LETTERS &&
                    name_is_slip(key.text, key.len, name.text, name.len);
        if (slip || word_begins(name, key)) {
            players |= player_bit(names->all[i].player);
        }
    }
    return players;
}

bool
intent_find_player(const struct reading *reading, const char *name, size_t len,
                   unsigned *player)
{
    struct names names;
    struct buf key = BUF_INIT;

    names_init(&names, reading);
    name_key(name, len, &key);
    uint32_t players = players_named(&names, name_without_at(slice_of(&key)));
    buf_release(&key);
    names_release(&names);
    if (values_count(players) != 1) {
        return false;
    }
    *player = players_first(players);
    return true;
}
