/*
 * The things that every sentence about a table may refer to: the parameters
 * that the catalogue's templates share, taken from the table as it is now.
 */
#ifndef BOT_HOST_WORDS_SPEECH_H
#define BOT_HOST_WORDS_SPEECH_H

#include "bot/host/table/ruling.h"
#include "bot/host/table/table.h"
#include "bot/host/words/catalogue.h"
#include "bot/host/words/vocabulary.h"

/*
 * Parameters and the texts they borrow.  It lives on the stack and MUST NOT be
 * copied. speech_init sets those that apply at that moment:
 *
 *   full (in the form that says how: bot/host/words/style.h)
 *   table round president vacant (that seat is) chancellor tracker
 *   tracker_next last_chance special
 *   majority present eligible limited enacting next twice (next is the same
 *   candidate again) danger choices power
 *   deadline session_deadline due (the one of them that is told in public)
 *   voted awaited everybody opener prefix least most fewer (there is a range)
 *   count players reserves starts quick round_length longer_length rests
 *   weeks_least weeks_most leisure seated red lots may_veto
 *   forfeits power_lots (what becomes of an unused power)
 *   free (anybody may open a table) paused pause_ends (by itself)
 *   shortest (post there, where a command alone may be too short)
 *   yes no vote_example veto_example name_example
 *   buttons (the host's posts have some) button join_button ready_button
 *   liberal fascist liberal_tiles fascist_tiles deck discards next_power
 *   veto_open boards
 *
 * Add a sentence's own parameters with params_…(&speech.params, …), or with
 * speech_….
 */
enum {
    SPEECH_OWN = 40 /* texts, and rich texts, that a speech may own */
};

struct speech {
    struct params params;
    const struct host_env *env; /* with the catalogue to use */
    const struct table *table;
    bool slots; /* deadlines are slots */
    struct host_env own;
    struct vocabulary vocabulary;
    struct buf texts[SPEECH_OWN];
    struct rich riches[SPEECH_OWN];
    unsigned text_count, rich_count;
};

/* Begin a speech about a round of the table (NULL: the current one). */
void speech_init(struct speech *speech, const struct host_env *env,
                 const struct table *table, const struct past_round *round);

/* Add a text of the speech's own under a name, to be filled in until something
 * is said.  Borrowed until the speech is released. */
struct buf *speech_text(struct speech *speech, const char *name);
struct rich *speech_rich(struct speech *speech, const char *name);

/* Set a text, cut to so many bytes; or an instant, as speech_add_time
 * does; 0: none. */
void speech_cut(struct speech *speech, const char *name, const char *text,
                size_t most);
void speech_set_time(struct speech *speech, const char *name, int64_t instant);

/* From here on the deadlines that are mentioned are slots
 * (bot/host/table/slot.h): in a message that asks a question, and nowhere
 * else. */
void speech_open_slots(struct speech *speech);

/* Whether the speech is full follows from what a seat's player has done of what
 * a question asks: in a private message to them. */
void speech_set_style(struct speech *speech, const struct past_round *round,
                      enum question question, unsigned seat);

/* Begin a speech to one seat's player, in their own language and zone. */
void speech_init_for(struct speech *speech, const struct host_env *env,
                     const struct table *table, const struct past_round *round,
                     unsigned seat);

/* The catalogue for a seat's player: in the language that they asked for, or
 * the table's. */
const struct catalogue *speech_catalogue(const struct host_env *env,
                                         const struct table *table,
                                         unsigned seat);

/* The zone that a seat's player asked for; NULL: none. */
const struct zone *speech_zone(const struct host_env *env,
                               const struct table *table, unsigned seat);
void speech_release(struct speech *speech);

/* Append a post's address, for people to follow; post "": that of the place.
 * Nothing where the service has no addresses.  Or set {link} to it, and return
 * that. */
void speech_add_link(const struct host_env *env, const char *place,
                     const char *post, struct rich *link);
struct rich *speech_link(struct speech *speech, const char *place,
                         const char *post);

/* Say a key as a paragraph of its own: after a blank line, unless `out` is
 * empty. */
void speech_say(struct speech *speech, const char *key, struct rich *out);

/* Say a key in the thread; the message is the ruling's, as of ruling_post. */
struct message *speech_post(struct speech *speech, struct ruling *ruling,
                            const char *key);

/* Say a key at the beginning of the ruling's notice. */
void speech_begin_notice(struct speech *speech, struct ruling *ruling,
                         const char *key);

/* As speech_say, without the blank line. */
void speech_add(struct speech *speech, const char *key, struct rich *out);

/* Add what ends the vote that is open before its time, if anything does. */
void speech_add_close(struct speech *speech, struct rich *out);

/* Set a key's sentence as the text of a move: the reason for it. */
void speech_reason(const struct speech *speech, const char *key,
                   struct move *move);

/* {slip}: the sentence of that key; NULL: none.  {paste}: how a seat's player
 * is named in a post.  That acts when it is copied, so it MUST be said in
 * private alone. */
void speech_slip(struct speech *speech, const char *key);
void speech_example(struct speech *speech, unsigned seat);

/* Name one seat, or each of a set, under a parameter. */
void speech_seat(struct speech *speech, const char *name, unsigned seat);

/* {moderators}: those of the place; {called}: those of them whose names are
 * known. */
void speech_moderators(struct speech *speech);
void speech_seats(struct speech *speech, const char *name, seat_set seats);

/* Who is what: {hitler} {fascists} {liberals}, and {fascist_count}. */
void speech_roles(struct speech *speech);

/* Name who governed in a round, or voted at those seats: as they were then,
 * where a seat has another player now. */
void speech_government(struct speech *speech, const struct past_round *round);
void speech_voters(struct speech *speech, const char *name,
                   const struct past_round *round, seat_set seats);

/* {votes}: those of the newest vote, if that is the round's, as they came and
 * with their times, where calls show them (host_env.cards) and they are no
 * secret. */
void speech_order_votes(struct speech *speech, const struct past_round *round);

/* Who voted how in a round, and who did not; `secret`: only how many. */
void speech_votes(struct speech *speech, const struct table *table,
                  const struct past_round *round, bool secret);

/* The word for a vote, as it is shown. */
const char *speech_vote(const struct speech *speech, bool ja);

/* The catalogue's word for a party, as a party card shows it. */
const char *speech_party(const struct host_env *env, bool liberal);

/* The catalogue's word for a policy, in capitals or not. */
const char *speech_policy(const struct host_env *env, bool liberal, bool big);

/* Append the catalogue's word for a power; "" of none. */
void speech_power(const struct host_env *env, enum power power, unsigned nth,
                  struct buf *out);

/* Append somebody's text, with players' names in place of the ids that mention
 * them, "@300…": some services show only ids. */
void speech_quote(const struct table *table, const char *text, struct buf *out);

/* Append an instant of a table for people: to the second if one of its phases
 * is shorter than ten minutes. */
void speech_time(const struct host_env *env, const struct table *table,
                 int64_t instant, struct buf *out);
/* The same, to be shown in each reader's zone where the service can. */
void speech_add_time(const struct host_env *env, const struct table *table,
                     int64_t instant, struct rich *out);

/* Count the seats of a set. */
unsigned speech_count(seat_set seats);

/* Append a pile's cards as letters: "FFL". */
void speech_letters(const struct host_env *env, struct pile pile,
                    struct buf *out);

/* The cards of a hand in the order in which they are shown: a president's as
 * drawn, a chancellor's Liberal first.  order[i] is the position in the hand
 * of the i-th card shown. */
void speech_order(struct pile hand, bool chancellor, uint8_t order[3]);

/* Find the round with that number at a table, whose rounds are in order; or
 * NULL. */
const struct past_round *speech_round(const struct table *table,
                                      unsigned round);

#endif
