/* `!claim`: what players say that they saw, true or not. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/reading/names.h"
#include "bot/host/words/vocabulary.h"
#include "config/language.h"

/* The last round in which a seat has drawn or got cards, or has peeked; NULL:
 * there is none. */
static const struct past_round *
last_seen(const struct table *table, unsigned seat, bool peek)
{
    for (unsigned i = table->past_count; i-- > 0;) {
        const struct past_round *round = &table->past[i];
        bool governed =
            round->outcome == PAST_ENACTED || round->outcome == PAST_VETOED;
        if (peek ? round->peeked.count > 0 && round->president == seat
                 : governed && (round->president == seat ||
                                round->chancellor == seat)) {
            return round;
        }
    }
    return NULL;
}

/* Is a seat in the session that is on?  Its cards are not spoken of before the
 * policy is out. */
static bool
is_in_session(const struct game *game, unsigned seat)
{
    return game->in_session &&
           (seat == game->president || seat == game->chancellor);
}

bool
chat_may_claim(const struct table *table, unsigned seat)
{
    return seat_in(seat, table->game.living) && !table_in_session(table) &&
           last_seen(table, seat, false) != NULL;
}

/* No post shows a claim that was given as a slash command. */
static void
tell_claim(struct chat_command *chat, const char *claim)
{
    params_text(&chat_speech(chat)->params, "claim", claim);
    (void)chat_announce(chat, "slash_claimed");
}

static bool
is_called(const struct catalogue *catalogue, const char *key, const char *text)
{
    const char *word = language_find(&catalogue->language, key);
    return word != NULL && strcasecmp(word, text) == 0;
}

/* Append "L" or "F" of a party, given by its letter or its word. */
static bool
read_party(const struct catalogue *catalogue, const char *text,
           struct buf *cards)
{
    if (strcasecmp(text, "liberal") == 0 ||
        is_called(catalogue, "role_liberal", text)) {
        buf_add_char(cards, 'L');
        return true;
    }
    if (strcasecmp(text, "fascist") == 0 ||
        is_called(catalogue, "role_fascist", text)) {
        buf_add_char(cards, 'F');
        return true;
    }
    return vocabulary_read_cards(catalogue, text, cards) && cards->len == 1;
}

/* Read "FFL FL", all words of a text, as "FFL,FL". */
static bool
read_hand(const struct catalogue *catalogue, const char *text,
          struct buf *cards)
{
    struct buf word = BUF_INIT;
    bool good = true;
    while (good && *text != '\0') {
        size_t len = strcspn(text, " \t");
        buf_clear(&word);
        buf_add(&word, text, len);
        if (cards->len > 0) {
            buf_add_char(cards, ',');
        }
        good = vocabulary_read_cards(catalogue, buf_text(&word), cards);
        text += len + strspn(text + len, " \t");
    }
    buf_release(&word);
    return good && cards->len > 0 &&
           cards->len < sizeof((struct table_claim *)NULL)->cards;
}

static void
take_text(struct move *move, const struct buf *cards)
{
    (void)snprintf(move->text, sizeof move->text, "%s", buf_text(cards));
}

/* Say what this player can claim, and how; `part` is no claim. */
static void
answer_bad(struct chat_command *chat, unsigned seat, const char *part)
{
    const struct table *table = chat->ruling->table;
    bool any = last_seen(table, seat, false) != NULL;
    bool peeked = last_seen(table, seat, true) != NULL;
    struct speech *speech = chat_speech(chat);
    params_number(&speech->params, "governed", any);
    params_number(&speech->params, "peeked", peeked);
    speech_cut(speech, "part", part, 60);
    any = any || peeked;
    for (unsigned target = 0; target < table->seated; target++) {
        if (table->seats[target].investigated_by == seat &&
            table->seats[target].investigator_was == 0) {
            params_text(&speech->params, "target", table->seats[target].name);
            any = true;
        }
    }
    (void)chat_answer(chat, any ? "claim_bad" : "claim_no_session");
}

/* What a session held. */
static bool
claim_hand(struct chat_command *chat, unsigned seat, struct move *move)
{
    const struct table *table = chat->ruling->table;
    const struct past_round *round = last_seen(table, seat, false);
    struct buf cards = BUF_INIT;
    bool good =
        read_hand(chat->ruling->env->catalogue, buf_text(&chat->rest), &cards);
    if (!good) {
        answer_bad(chat, seat, buf_text(&chat->rest));
    } else if (round == NULL) {
        (void)chat_answer(chat, "claim_no_session");
    } else {
        move->round = round->round;
        take_text(move, &cards);
    }
    buf_release(&cards);
    return good && round != NULL;
}

/* What a peek showed; `text`: "FFL". */
static bool
claim_peek(struct chat_command *chat, unsigned seat, const char *text,
           struct move *move)
{
    const struct past_round *round = last_seen(chat->ruling->table, seat, true);
    struct buf cards = BUF_INIT;
    bool good = round != NULL &&
                read_hand(chat->ruling->env->catalogue, text, &cards) &&
                cards.len == HAND_TILES;
    if (round == NULL) {
        (void)chat_answer(chat, "claim_no_peek");
    } else if (!good) {
        answer_bad(chat, seat, text);
    } else {
        move->round = round->round;
        (void)snprintf(move->name, sizeof move->name, "peek");
        take_text(move, &cards);
    }
    buf_release(&cards);
    return good;
}

/* What an investigation showed; `name_len`: of the name before `party`. */
static bool
claim_party(struct chat_command *chat, unsigned seat, size_t name_len,
            const struct buf *party, struct move *move)
{
    const struct table *table = chat->ruling->table;
    const char *name = buf_text(&chat->rest);
    unsigned target = NO_SEAT;
    if (!chat_find_seat(chat, name, name_len, &target)) {
        return false;
    }
    if (table->seats[target].investigated_by != seat ||
        table->seats[target].investigator_was != 0) {
        speech_seat(chat_speech(chat), "target", target);
        (void)chat_answer(chat, "claim_no_party");
        return false;
    }
    move->round = table->seats[target].investigated_in;
    (void)snprintf(move->out, sizeof move->out, "%s",
                   table->seats[target].user);
    take_text(move, party);
    return true;
}

/* The length of what stands before the last word of a text, without blanks and
 * a colon; 0: it is one word. */
static size_t
before_last_word(const char *text)
{
    size_t len = strlen(text);
    while (len > 0 && strchr(" \t", text[len - 1]) == NULL) {
        len--;
    }
    while (len > 0 && strchr(" \t:", text[len - 1]) != NULL) {
        len--;
    }
    return len;
}

/* Which of the three is it?  False: it is none, and the player is told. */
static bool
read_claim(struct chat_command *chat, unsigned seat, struct move *move)
{
    const struct catalogue *catalogue = chat->ruling->env->catalogue;
    const char *text = buf_text(&chat->rest);
    struct buf hand = BUF_INIT;
    struct buf party = BUF_INIT;
    struct buf first = BUF_INIT;
    size_t name = before_last_word(text);
    const char *last = text + name + strspn(text + name, " \t:");
    bool good = false;
    size_t len = strcspn(text, " \t");
    name_key(text, len, &first);
    if (catalogue_is_word(catalogue, "word_peek", buf_text(&first))) {
        good = claim_peek(chat, seat, text + len + strspn(text + len, " \t"),
                          move);
    } else if (name > 0 && !read_hand(catalogue, text, &hand) &&
               read_party(catalogue, last, &party)) {
        good = claim_party(chat, seat, name, &party, move);
    } else {
        good = claim_hand(chat, seat, move);
    }
    buf_release(&first);
    buf_release(&party);
    buf_release(&hand);
    return good;
}

void
chat_claim(struct chat_command *chat)
{
    struct ruling *ruling = chat->ruling;
    const struct table *table = ruling->table;
    const struct post *post = chat->input->post;
    unsigned seat = table_seat(table, post->author);
    struct move move = chat_move(chat, MOVE_CLAIM);
    if (table->state != TABLE_RUNNING || seat == NO_SEAT) {
        (void)chat_answer(chat, "claim_no_session");
    } else if (!seat_in(seat, table->game.living)) {
        /* The executed say nothing about the game, not even of a session that
         * they were in before: what they claimed while they lived stands. */
        (void)chat_answer(chat, "help_executed");
    } else if (is_in_session(&table->game, seat)) {
        (void)chat_answer(chat, "claim_in_session");
    } else if (read_claim(chat, seat, &move)) {
        bool repeats = table_repeats_claim(table, &move);
        (void)ruling_play(ruling, &move);
        chat_acknowledge(chat);
        if (post->kind == POST_PRESSED && !repeats) {
            tell_claim(chat, buf_text(&chat->rest));
        }
    }
}
