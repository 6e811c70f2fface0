#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/host/judge/commands/chat_command.h"
#include "bot/host/judge/commands/chat_commands.h"
#include "bot/host/words/private.h"
#include "bot/host/words/status.h"
#include "bot/host/words/vocabulary.h"
#include "config/language.h"

void
order_status(struct order *order)
{
    const struct table *table = order->docket->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0') {
        order_answer_none(order);
        return;
    }
    status_say(order->docket->house, table, &text);
    (void)order_answer_text(order, &text);
    rich_release(&text);
}

/* What a player who is awaited can do now. */
static const char *
help_awaited(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "help_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "help_vote_sealed"
                                                   : "help_vote";
    case QUESTION_DISCARD:
    case QUESTION_ENACT:
        return "help_session";
    case QUESTION_VETO:
        return "help_veto";
    case QUESTION_INVESTIGATE:
    case QUESTION_SPECIAL_ELECTION:
    case QUESTION_EXECUTION:
        return "help_power";
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return "help_wait";
}

static const char *
help_key(const struct table *table, unsigned seat)
{
    const struct game *game = &table->game;
    if (table->state == TABLE_SIGNUP) {
        return "help_signup";
    }
    if (table->state == TABLE_CHECK) {
        return seat_in(seat, table->ready) ? "help_ready" : "help_check";
    }
    if (table->state == TABLE_SEATED) {
        return "help_wait";
    }
    if (!(game->living & seat_bit(seat))) {
        return "help_executed";
    }
    bool session =
        game->question == QUESTION_DISCARD || game->question == QUESTION_ENACT;
    /* In a session everybody gets the same answer: who is awaited is a tell. */
    if (session || (game_awaits(game).seats & seat_bit(seat))) {
        return help_awaited(game);
    }
    return game->question == QUESTION_VOTE ? "help_voted" : "help_wait";
}

void
order_help(struct order *order)
{
    const struct table *table = order->docket->table;
    unsigned seat = table_seat(table, order->hearing->post->author);
    struct speech speech;
    struct rich line = {.count = 0};
    speech_init(&speech, order->docket->house, table, NULL);
    bool open = table->id[0] != '\0';
    params_number(&speech.params, "signup",
                  open && table_is_coming(table) &&
                      table->seated < table->players_max);
    params_number(&speech.params, "running",
                  open && table->state != TABLE_OVER);
    const char *key = "help_out";
    if (open && seat != NO_SEAT && table->state != TABLE_OVER) {
        key = help_key(table, seat);
        status_line(order->docket->house, table, &line);
        params_rich(&speech.params, "line", &line);
        params_number(
            &speech.params, "voted",
            speech_count(table->game.voted & game_present(&table->game)));
    }
    (void)order_answer_speech(order, &speech, key);
    rich_release(&line);
    speech_release(&speech);
}

/* ---- what was
 * ---------------------------------------------------------------- */

/* Has the game begun?  Else say that there is nothing to tell. */
static bool
has_begun(struct order *order)
{
    if (order->docket->table->past_count > 0) {
        return true;
    }
    (void)order_answer(order, "not_begun");
    return false;
}

/* The votes of a round, the one that is on if none is named; of a secret ballot
 * only once it is closed. */
void
order_votes(struct order *order)
{
    const struct table *table = order->docket->table;
    const struct past_round *round = NULL;
    struct speech speech;
    if (!has_begun(order)) {
        return;
    }
    unsigned long number = strtoul(buf_text(&order->rest), NULL, 10);
    round = order->rest.len > 0 ? speech_round(table, (unsigned)number)
                                : table_round(table);
    if (round == NULL) {
        (void)order_answer(order, "votes_no_round");
        return;
    }
    bool open =
        round == table_round(table) && table->game.question == QUESTION_VOTE;
    bool secret = open && table->game.rules.ballot == BALLOT_SEALED;
    seat_set present =
        round->present != 0 ? round->present : game_present(&table->game);
    speech_init(&speech, order->docket->house, table, round);
    params_number(&speech.params, "secret", secret);
    params_number(&speech.params, "voted_count", speech_count(round->voted));
    if (!secret) {
        speech_seats(&speech, "ja_people", round->ja);
        speech_seats(&speech, "nein_people",
                     (seat_set)(round->voted & ~round->ja));
    }
    speech_seats(&speech, "missing", (seat_set)(present & ~round->voted));
    params_number(&speech.params, "named", round->chancellor != NO_SEAT);
    (void)order_answer_speech(order, &speech, "votes");
    speech_release(&speech);
}

/* The history of the game that was played in this thread, once it is over. */
static void
answer_past(struct order *order)
{
    const struct house *house = order->docket->house;
    const struct annals *annals = house->annals;
    const char *thread = order->hearing->post->place;
    struct table *old = must_alloc(sizeof *old);
    if (annals != NULL &&
        annals->last(annals->context, thread, house->place, old) &&
        strcmp(old->thread, thread) == 0 && old->past_count > 0) {
        struct rich text = {.count = 0};
        status_history(house, old, &text);
        (void)order_answer_text(order, &text);
        rich_release(&text);
    }
    wipe(old, sizeof *old);
    free(old);
}

void
order_history(struct order *order)
{
    const struct table *table = order->docket->table;
    struct rich text = {.count = 0};
    if (table->id[0] == '\0' || table->state == TABLE_OVER) {
        answer_past(order);
        return;
    }
    bool known = order_by_player(order) || order_by_moderator(order);
    if (!known || !has_begun(order)) {
        return;
    }
    status_history(order->docket->house, table, &text);
    (void)order_answer_text(order, &text);
    rich_release(&text);
}

void
order_rules(struct order *order)
{
    (void)order_answer(order, "rules_summary");
}

/* In private, what the host told that player before. */
void
order_role(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    unsigned seat = table_seat(table, post->author);
    struct rich text = {.count = 0};
    if (!post->talk) {
        (void)order_answer(order, "role_private");
        return;
    }
    if (seat == NO_SEAT || table->state != TABLE_RUNNING ||
        table->game.round == 0) {
        (void)order_answer(order, "not_begun");
        return;
    }
    secrets_memory(docket->house, table, seat, &text);
    docket_private(docket, post->author, &text);
    rich_wipe(&text);
}

/* ---- what players say
 * --------------------------------------------------------- */

/* The last session that a seat was in; NULL: none. */
static const struct past_round *
last_session(const struct table *table, unsigned seat)
{
    for (unsigned i = table->past_count; i-- > 0;) {
        const struct past_round *round = &table->past[i];
        if ((round->president == seat || round->chancellor == seat) &&
            (round->outcome == PAST_ENACTED || round->outcome == PAST_VETOED)) {
            return round;
        }
    }
    return NULL;
}

void
order_claim(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    unsigned seat = table_seat(table, post->author);
    const struct past_round *round =
        seat == NO_SEAT ? NULL : last_session(table, seat);
    struct buf word = BUF_INIT;
    struct buf cards = BUF_INIT;
    bool good = true;
    while (good && order_next_word(order, &word)) {
        if (cards.len > 0) {
            buf_add_char(&cards, ' ');
        }
        good = vocabulary_read_cards(docket->house->catalogue, buf_text(&word),
                                     &cards);
    }
    bool living = seat != NO_SEAT && seat_in(seat, table->game.living);
    struct move move = docket_move(docket, MOVE_CLAIM, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    if (table->state == TABLE_RUNNING && seat != NO_SEAT && !living) {
        (void)order_answer(order, "help_executed");
    } else if (round == NULL || table->state != TABLE_RUNNING) {
        (void)order_answer(order, "claim_no_session");
    } else if (!good || cards.len == 0 ||
               cards.len >= sizeof table->claims[0].cards) {
        (void)order_answer(order, "claim_bad");
    } else {
        move.number = round->round;
        (void)snprintf(move.text, sizeof move.text, "%s", buf_text(&cards));
        (void)docket_play(docket, &move);
        order_acknowledge(order);
    }
    buf_release(&word);
    buf_release(&cards);
}

/* Up to when what they miss does not count, under {excused}. */
static void
say_excuse(const struct order *order, struct speech *speech, struct buf *time)
{
    const struct table *table = order->docket->table;
    const struct post *post = order->hearing->post;
    unsigned seat = table_seat(table, post->author);
    if (seat != NO_SEAT && table->excused_until[seat] > post->stamp) {
        catalogue_time(order->docket->house->catalogue,
                       table->excused_until[seat], order->docket->house->zone,
                       time);
    }
    params_text(&speech->params, "excused", buf_text(time));
}

void
order_away(struct order *order)
{
    struct docket *docket = order->docket;
    const struct table *table = docket->table;
    const struct post *post = order->hearing->post;
    struct buf length = BUF_INIT;
    struct speech speech;
    int64_t time = 0;
    struct move move = docket_move(docket, MOVE_AWAY, post->stamp);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)order_next_word(order, &length);
    bool good = vocabulary_read_duration(docket->house->catalogue,
                                         buf_text(&length), &time) &&
                time >= HOUR_MS && time <= 30 * DAY_MS;
    speech_init(&speech, docket->house, table, NULL);
    if (!table_may(table, &move)) {
        (void)order_answer_quoting(order, "command_late");
    } else if (!good) {
        (void)order_answer(order, "away_bad");
    } else {
        struct buf until = BUF_INIT;
        struct buf excused = BUF_INIT;
        move.until = post->stamp + time;
        (void)snprintf(move.text, sizeof move.text, "%.200s",
                       buf_text(&order->rest));
        (void)docket_play(docket, &move);
        catalogue_time(docket->house->catalogue, move.until,
                       docket->house->zone, &until);
        params_text(&speech.params, "until", buf_text(&until));
        say_excuse(order, &speech, &excused);
        order_tell(order, &speech, "away");
        buf_release(&until);
        buf_release(&excused);
    }
    buf_release(&length);
    speech_release(&speech);
}

/* The game that ended last here as a page: as a file where there are such, else
 * with how it is made. */
static void
answer_report(struct order *order, const struct table *old)
{
    const struct house *house = order->docket->house;
    bool pages = house->traits->pages;
    struct speech speech;
    speech_init(&speech, house, order->docket->table, NULL);
    params_text(&speech.params, "old", old->id);
    struct letter *letter =
        order_answer_speech(order, &speech, pages ? "page_here" : "page_how");
    if (pages) {
        letter->report = must_copy(old->id);
    }
    speech_release(&speech);
}

void
order_report(struct order *order)
{
    const struct docket *docket = order->docket;
    const struct annals *annals = docket->house->annals;
    struct table *old = NULL;
    if (docket->table->state == TABLE_RUNNING && docket->table->id[0] != '\0') {
        if (order_by_player(order) || order_by_moderator(order)) {
            (void)order_answer(order, "page_later");
        }
        return;
    }
    old = must_alloc(sizeof *old);
    if (annals == NULL ||
        !annals->last(annals->context, order->hearing->post->place,
                      docket->house->place, old) ||
        old->game.fascists == 0) {
        (void)order_answer(order, "page_none");
    } else {
        answer_report(order, old);
    }
    wipe(old, sizeof *old);
    free(old);
}

void
order_receipts(struct order *order)
{
    struct docket *docket = order->docket;
    const struct catalogue *catalogue = docket->house->catalogue;
    const struct post *post = order->hearing->post;
    struct move move = docket_move(docket, MOVE_RECEIPTS, post->stamp);
    struct buf word = BUF_INIT;
    (void)order_next_word(order, &word);
    const char *said = buf_text(&word);
    bool on = strcmp(said, "on") == 0 ||
              catalogue_is_word(catalogue, "word_on", said);
    bool off = strcmp(said, "off") == 0 ||
               catalogue_is_word(catalogue, "word_off", said);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    move.number = on;
    if (!table_may(docket->table, &move)) {
        (void)order_answer(order, "not_begun");
    } else if (!on && !off) {
        (void)order_answer(order, "receipts_bad");
    } else {
        (void)docket_play(docket, &move);
        (void)order_answer(order, on ? "receipts_on" : "receipts_off");
    }
    buf_release(&word);
}

/* ---- questions to the moderators --------------------------------------------
 */

enum {
    QUESTION_BYTES = 1000, /* of a question, or an answer */
};

/* Say a key with somebody's own words in it, to a seat's player in their
 * language, or to the moderators in the house's (NO_SEAT). */
static void
say_words(const struct house *house, const struct table *table, unsigned reader,
          const char *key, unsigned asker, const char *words, struct rich *out)
{
    struct speech speech;
    struct buf cut = BUF_INIT;
    buf_init(&cut, QUESTION_BYTES);
    buf_add_text(&cut, words);
    speech_init_for(&speech, house, table, NULL, reader);
    speech_seat(&speech, "asker", asker);
    params_text(&speech.params, "text", buf_text(&cut));
    speech_say(&speech, key, out);
    buf_release(&cut);
    speech_release(&speech);
}

void
order_ask(struct order *order)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    unsigned seat = table_seat(docket->table, post->author);
    struct rich text = {.count = 0};
    if (!post->talk) {
        (void)order_answer(order, "ask_private");
    } else if (order->rest.len == 0 || seat == NO_SEAT) {
        (void)order_answer(order, "ask_bad");
    } else {
        /* Alone with a player the host speaks their language. */
        struct house house = *docket->house;
        house.catalogue = order->table_catalogue;
        say_words(&house, docket->table, NO_SEAT, "asks", seat,
                  buf_text(&order->rest), &text);
        bool sent = docket_ask(docket, post->author, &text) > 0;
        (void)order_answer(order, sent ? "ask_sent" : "ask_nobody");
    }
    rich_wipe(&text);
}

void
office_pass_on(struct docket *docket, const struct hearing *hearing,
               const char *user, const char *text)
{
    struct order order = {.docket = docket, .hearing = hearing};
    struct speech speech;
    struct rich answer = {.count = 0};
    unsigned seat = table_seat(docket->table, user);
    if (seat == NO_SEAT) {
        (void)order_answer(&order, "answer_bad");
        return;
    }
    say_words(docket->house, docket->table, seat, "answered", seat, text,
              &answer);
    docket_private(docket, user, &answer);
    rich_wipe(&answer);
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "target", seat);
    (void)order_answer_speech(&order, &speech, "answer_done");
    speech_release(&speech);
}

/* The player whose name the rest of a line begins with, the longest that it
 * may be; *skip: the bytes of it.  NO_SEAT: nobody's. */
static unsigned
name_at_beginning(const struct order *order, size_t *skip)
{
    const struct table *table = order->docket->table;
    const char *text = buf_text(&order->rest);
    unsigned found = NO_SEAT;
    *skip = 0;
    for (unsigned seat = 0; seat < table->seated; seat++) {
        const char *const names[] = {table->people[seat].name,
                                     table->people[seat].alias};
        for (unsigned i = 0; i < 2; i++) {
            size_t len = strlen(names[i]);
            if (len > *skip && strncmp(text, names[i], len) == 0 &&
                strchr(" :,", text[len]) != NULL) {
                *skip = len;
                found = seat;
            }
        }
    }
    *skip += strspn(text + *skip, " :,");
    return found;
}

void
order_give_answer(struct order *order)
{
    const struct table *table = order->docket->table;
    size_t skip = 0;
    unsigned seat = name_at_beginning(order, &skip);
    const char *text = buf_text(&order->rest) + skip;
    if (seat == NO_SEAT || *text == '\0') {
        (void)order_answer(order, "answer_bad");
    } else {
        office_pass_on(order->docket, order->hearing, table->people[seat].user,
                       text);
    }
}

/* ---- a language of one's own -----------------------------------------------
 */

static void
answer_languages(struct order *order, const char *key)
{
    const struct docket *docket = order->docket;
    struct speech speech;
    struct buf languages = BUF_INIT;
    unsigned seat = table_seat(docket->table, order->hearing->post->author);
    speech_init_for(&speech, docket->house, docket->table, NULL, seat);
    language_names(&languages);
    params_text(&speech.params, "languages", buf_text(&languages));
    (void)order_answer_speech(order, &speech, key);
    speech_release(&speech);
    buf_release(&languages);
}

void
order_language(struct order *order)
{
    struct docket *docket = order->docket;
    const struct post *post = order->hearing->post;
    const char *theme = docket->table->settings.theme;
    struct buf language = BUF_INIT;
    struct move move = docket_move(docket, MOVE_LANGUAGE, post->stamp);
    (void)order_next_word(order, &language);
    (void)snprintf(move.user, sizeof move.user, "%s", post->author);
    (void)snprintf(move.text, sizeof move.text, "%s", buf_text(&language));
    if (!post->talk) {
        (void)order_answer(order, "language_private");
    } else if (!language_exists(move.text) || !theme_speaks(theme, move.text) ||
               !table_may(docket->table, &move)) {
        answer_languages(order, "language_bad");
    } else {
        (void)docket_play(docket, &move);
        answer_languages(order, "language_done");
    }
    buf_release(&language);
}
