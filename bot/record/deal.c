#include "bot/record/deal.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "bot/base/err.h"
#include "bot/base/text.h"

_Static_assert(crypto_auth_hmacsha256_KEYBYTES == DEAL_KEY,
               "R and K are keys of HMAC-SHA256");
_Static_assert(crypto_auth_hmacsha256_BYTES == DEAL_KEY,
               "K is made by HMAC-SHA256");

void
deal_generate_secret(unsigned char secret[DEAL_SECRET])
{
    if (sodium_init() < 0) {
        die("the system's random generator is not to be had");
    }
    randombytes_buf(secret, DEAL_SECRET);
}

bool
deal_read_secret(const char *hex, unsigned char secret[DEAL_SECRET])
{
    size_t len = strlen(hex);
    bool good = len >= 1 && len <= DEAL_HEX;
    memset(secret, 0, DEAL_SECRET);
    for (size_t i = 0; good && i < len; i++) {
        unsigned char *byte = &secret[(DEAL_HEX - len + i) / 2];
        int value = text_hex_digit(hex[i]);
        good = value >= 0;
        *byte = (unsigned char)(*byte << 4 | (value & 15));
    }
    return good;
}

void
deal_key(const unsigned char secret[DEAL_SECRET], const char *transcript,
         size_t len, unsigned char key[DEAL_KEY])
{
    crypto_auth_hmacsha256(key, (const unsigned char *)transcript, len, secret);
}

/* ---- what was committed to ----------------------------------------------- */

static void
add_digest(struct buf *out, const struct buf *text)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)crypto_hash_sha256(digest, (const unsigned char *)buf_text(text),
                             text->len);
    buf_add_hex(out, digest, sizeof digest);
}

void
deal_commit(const unsigned char secret[DEAL_SECRET], const char *game,
            char commitment[DEAL_HEX + 1])
{
    struct buf text = BUF_INIT;
    struct buf hex = BUF_INIT;
    buf_addf(&text, "SH-DEAL-1 %s ", game);
    buf_add_hex(&text, secret, DEAL_SECRET);
    buf_add_char(&text, '\n');
    add_digest(&hex, &text);
    (void)snprintf(commitment, DEAL_HEX + 1, "%s", buf_text(&hex));
    buf_release(&hex);
    buf_wipe(&text);
}

/* ---- the transcript ------------------------------------------------------ */

void
deal_heading(const char *game, const char *commitment, const char *preset,
             const struct rules *rules, struct buf *out)
{
    struct buf options = BUF_INIT;
    buf_addf(&options, "preset=%s\n", preset);
    for (unsigned i = 0; i < RULES_OPTIONS; i++) {
        if (rules_is_named(rules, &rules_options[i])) {
            buf_addf(&options, "%s=%s\n", rules_options[i].name,
                     rules_get(rules, &rules_options[i]));
        }
    }
    buf_addf(out, "SH-DEAL-1\ngame: %s\ncommit: %s\nrules: ", game, commitment);
    add_digest(out, &options);
    buf_add_char(out, '\n');
    buf_release(&options);
}

/* An id as one word that a block of code shows as it is. */
static void
add_id(struct buf *out, const char *id)
{
    buf_add_text(out, *id == '\0' ? "-" : "");
    for (const char *at = id; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte <= ' ' || byte == 0x7F || byte == '`' || byte == '%') {
            buf_addf(out, "%%%02X", byte);
        } else {
            buf_add_char(out, *at);
        }
    }
}

void
deal_transcript(const char *game, const char *commitment, const char *preset,
                const struct rules *rules, const struct deal_player *players,
                unsigned count, struct buf *out)
{
    deal_heading(game, commitment, preset, rules, out);
    for (unsigned i = 0; i < count; i++) {
        buf_add_text(out, "player: ");
        add_id(out, players[i].user);
        buf_add_char(out, ' ');
        add_id(out, players[i].post);
        buf_add_char(out, '\n');
    }
    buf_add_text(out, "entropy:");
    for (unsigned i = 0; i < count; i++) {
        if (players[i].words[0] != '\0') {
            buf_addf(out, " %s", players[i].words);
        }
    }
    buf_add_char(out, '\n');
}

/* Kept in words, blanks apart?  Not what one service or another takes for a
 * mark even in a block of code, and so would not be shown as it is; nor what
 * Unicode does not know yet, of which NFC may change its mind. */
static bool
is_kept(utf8proc_int32_t codepoint)
{
    bool mark = codepoint < 0x80 && strchr("`[]<>@*|", (int)codepoint) != NULL;
    return !mark && utf8proc_category(codepoint) != UTF8PROC_CATEGORY_CN &&
           utf8proc_category(codepoint) < UTF8PROC_CATEGORY_CC;
}

static bool
is_blank(utf8proc_int32_t codepoint)
{
    utf8proc_category_t category = utf8proc_category(codepoint);
    return category == UTF8PROC_CATEGORY_ZS ||
           category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP || codepoint == '\t' ||
           codepoint == '\n' || codepoint == '\r';
}

/* Copy what is kept of a text in NFC. */
static void
copy_deferred(const utf8proc_uint8_t *text, struct buf *out)
{
    utf8proc_int32_t codepoint = 0;
    utf8proc_ssize_t len = utf8proc_iterate(text, -1, &codepoint);
    bool blank = false; /* one is due before the next word */
    while (len > 0 && codepoint != 0) {
        if (is_blank(codepoint)) {
            blank = out->len > 0;
        } else if (is_kept(codepoint)) {
            size_t more = (size_t)len + (blank ? 1 : 0);
            if (out->len + more > DEAL_WORDS_MAX) {
                return;
            }
            buf_add(out, " ", blank ? 1 : 0);
            buf_add(out, text, (size_t)len);
            blank = false;
        }
        text += len;
        len = utf8proc_iterate(text, -1, &codepoint);
    }
}

void
deal_clean(const char *words, char clean[DEAL_WORDS_MAX + 1])
{
    struct buf deferred = BUF_INIT;
    utf8proc_uint8_t *composed = utf8proc_NFC((const utf8proc_uint8_t *)words);
    if (composed != NULL) {
        copy_deferred(composed, &deferred);
    }
    free(composed);
    /* Characters that were separate may have become adjacent. */
    composed = utf8proc_NFC((const utf8proc_uint8_t *)buf_text(&deferred));
    buf_clear(&deferred);
    if (composed != NULL) {
        copy_deferred(composed, &deferred);
    }
    free(composed);
    memcpy(clean, buf_text(&deferred), deferred.len + 1);
    buf_release(&deferred);
}

/* ---- streams ------------------------------------------------------------- */

enum {
    WORD = 4, /* bytes */
    LABEL_MAX = 16
};

/* What chance gives for one label: block 0, 1, … of HMAC-SHA256(K, label "/"
 * block), in words of 32 bits, big-endian. */
struct stream {
    const unsigned char *key;
    char label[LABEL_MAX];
    unsigned blocks; /* made so far */
    unsigned used;   /* bytes of the last */
    unsigned char block[crypto_auth_hmacsha256_BYTES];
};

static struct stream
stream_open(const unsigned char key[DEAL_KEY], const char *label)
{
    struct stream stream = {.key = key, .used = sizeof stream.block};
    size_t len = strlen(label);
    assert(len < sizeof stream.label);
    memcpy(stream.label, label, len + 1);
    return stream;
}

static struct stream
stream_open_numbered(const unsigned char key[DEAL_KEY], const char *label,
                     unsigned k)
{
    char numbered[LABEL_MAX];
    int len = snprintf(numbered, sizeof numbered, "%s/%u", label, k);
    assert(len > 0 && (size_t)len < sizeof numbered);
    (void)len;
    return stream_open(key, numbered);
}

static uint32_t
stream_word(struct stream *stream)
{
    if (stream->used == sizeof stream->block) {
        char message[LABEL_MAX + sizeof "/4294967295"];
        int len = snprintf(message, sizeof message, "%s/%u", stream->label,
                           stream->blocks++);
        assert(len > 0 && (size_t)len < sizeof message);
        crypto_auth_hmacsha256(stream->block, (const unsigned char *)message,
                               (unsigned long long)len, stream->key);
        stream->used = 0;
    }
    const unsigned char *byte = stream->block + stream->used;
    stream->used += WORD;
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 |
           (uint32_t)byte[2] << 8 | byte[3];
}

/* A draw below `bound` (MUST be at least 1): words from the last, incomplete
 * multiple of the bound on are passed over, so that each result is as likely
 * as any other. */
static unsigned
stream_draw(struct stream *stream, unsigned bound)
{
    assert(bound > 0);
    uint64_t words = (uint64_t)UINT32_MAX + 1;
    uint64_t end = words / bound * bound;
    uint32_t word;
    do {
        word = stream_word(stream);
    } while (word >= end);
    return word % bound;
}

/* Fisher-Yates from the end. */
static void
stream_shuffle(struct stream *stream, uint8_t *items, unsigned count)
{
    for (unsigned i = count - 1; i > 0 && i < count; i--) {
        unsigned j = stream_draw(stream, i + 1);
        uint8_t item = items[i];
        items[i] = items[j];
        items[j] = item;
    }
}

/* ---- what chance decides ------------------------------------------------- */

void
deal_seats(const unsigned char key[DEAL_KEY], unsigned players, uint8_t *order)
{
    assert(players <= PLAYERS_MAX);
    for (unsigned i = 0; i < players; i++) {
        order[i] = (uint8_t)i;
    }
    struct stream stream = stream_open(key, "seats");
    stream_shuffle(&stream, order, players);
}

/* Hitler, then the fascists, then the liberals, shuffled and dealt by seat. */
static void
deal_roles(const unsigned char key[DEAL_KEY], unsigned players,
           struct command *command)
{
    unsigned fascists = game_fascist_count(players);
    uint8_t roles[PLAYERS_MAX];
    for (unsigned i = 0; i < players; i++) {
        roles[i] = i == 0          ? ROLE_HITLER
                   : i <= fascists ? ROLE_FASCIST
                                   : ROLE_LIBERAL;
    }
    struct stream stream = stream_open(key, "roles");
    stream_shuffle(&stream, roles, players);
    for (unsigned seat = 0; seat < players; seat++) {
        if (roles[seat] == ROLE_HITLER) {
            command->hitler = (uint8_t)seat;
        } else if (roles[seat] == ROLE_FASCIST) {
            command->fascists |= seat_bit(seat);
        }
    }
}

/* Shuffle number k: the liberal tiles, then the fascist ones. */
static struct pile
deal_tiles(const unsigned char key[DEAL_KEY], unsigned k, unsigned liberal,
           unsigned fascist)
{
    assert(liberal <= LIBERAL_TILES && fascist <= FASCIST_TILES);
    uint8_t tiles[TILES];
    for (unsigned i = 0; i < liberal + fascist; i++) {
        tiles[i] = i < liberal;
    }
    struct stream stream = stream_open_numbered(key, "deck", k);
    stream_shuffle(&stream, tiles, liberal + fascist);
    struct pile pile = {0, 0};
    for (unsigned i = 0; i < liberal + fascist; i++) {
        pile_add(&pile, tiles[i]);
    }
    return pile;
}

struct command
deal_game(const unsigned char key[DEAL_KEY], unsigned players)
{
    assert(players >= PLAYERS_MIN && players <= PLAYERS_MAX);
    struct command command = {.kind = COMMAND_DEAL};
    deal_roles(key, players, &command);
    struct stream stream = stream_open(key, "first");
    command.first = (uint8_t)stream_draw(&stream, players);
    command.tiles = deal_tiles(key, 0, LIBERAL_TILES, FASCIST_TILES);
    return command;
}

struct command
deal_reshuffle(const unsigned char key[DEAL_KEY], unsigned k, unsigned liberal,
               unsigned fascist)
{
    assert(k > 0);
    struct command command = {.kind = COMMAND_RESHUFFLE};
    command.tiles = deal_tiles(key, k, liberal, fascist);
    return command;
}

unsigned
deal_lots(const unsigned char key[DEAL_KEY], unsigned k, unsigned choices)
{
    assert(k > 0);
    struct stream stream = stream_open_numbered(key, "lots", k);
    return stream_draw(&stream, choices);
}
