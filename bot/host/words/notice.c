#include "bot/host/words/notice.h"

#include <assert.h>
#include <string.h>

#include "bot/host/table/slot.h"
#include "bot/host/words/absence.h"
#include "bot/host/words/ending.h"
#include "bot/host/words/gallery.h"
#include "bot/host/words/private.h"
#include "bot/host/words/proof.h"
#include "bot/host/words/speech.h"
#include "bot/host/words/status.h"
#include "bot/host/words/vacancy.h"

/* ---- calls --------------------------------------------------------------- */

/* The catalogue key of the call for the open question; NULL: none. */
static const char *
call_key(const struct game *game)
{
    switch ((enum question)game->question) {
    case QUESTION_NOMINATE:
        return "call_nominate";
    case QUESTION_VOTE:
        return game->rules.ballot == BALLOT_SEALED ? "call_vote_sealed"
                                                   : "call_vote";
    case QUESTION_DISCARD:
        return "call_session";
    case QUESTION_VETO:
        return "call_veto";
    case QUESTION_INVESTIGATE:
        return "call_investigate";
    case QUESTION_SPECIAL_ELECTION:
        return "call_special";
    case QUESTION_EXECUTION:
        return "call_execution";
    case QUESTION_ENACT: /* no public call: it would give away who is slow */
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
    return NULL;
}

bool
notice_call(const struct host_env *env, const struct table *table,
            struct rich *out)
{
    const char *key = call_key(&table->game);
    if (key == NULL) {
        return false;
    }
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    speech_open_slots(&speech);
    absence_call(&speech, "voters", game_present(&table->game));
    speech_say(&speech, key, out);
    if (table->game.question == QUESTION_VOTE &&
        game_tie_may_elect(&table->game)) {
        rich_add_text(out, " ", 0);
        speech_add(&speech, "call_tie", out);
    }
    speech_add_close(&speech, out);
    absence_add(&speech, out);
    if (env->cards && table->game.question == QUESTION_VOTE) {
        rich_add_text(out, SLOT_VOTES, 0);
    }
    speech_release(&speech);
    return true;
}

/* ---- what has happened, a paragraph each --------------------------------- */

/* The state shared by the paragraphs of one post. */
struct report {
    struct ruling *ruling;
    const struct past_round *round; /* the event's round */
    struct rich *out;
    struct rich *hands; /* of a game's end, if they need a post of their own */
    bool over;          /* the game has ended in this ruling */
};

static void
say(const struct report *report, struct speech *speech, const char *key)
{
    speech_say(speech, key, report->out);
}

/* Ask people what they saw, in the post that says that they saw it. */
static void
ask_for_claims(const struct report *report, struct speech *speech,
               const char *key)
{
    if (!report->over && report->ruling->table->settings.claims) {
        speech_add(speech, key, report->out);
    }
}

static bool
follows(const struct ruling *ruling, unsigned i, enum event_kind kind)
{
    return i + 1 < ruling->event_count && ruling->events[i + 1].kind == kind;
}

static bool
has_event(const struct ruling *ruling, enum event_kind kind)
{
    for (unsigned i = 0; i < ruling->event_count; i++) {
        if (ruling->events[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static const char *
election_key(const struct past_round *round, const struct event *event)
{
    switch ((enum election_reason)event->reason) {
    case ELECTION_MAJORITY:
    case ELECTION_TIE: /* elects nobody but Hitler: the end tells it */
        return "elected";
    case ELECTION_REJECTED:
        return "rejected";
    case ELECTION_DEADLINE:
        break;
    }
    return round->chancellor == NO_SEAT ? "no_name" : "vote_timeout";
}

static void
say_election(const struct report *report, struct speech *speech, unsigned i)
{
    const struct ruling *ruling = report->ruling;
    const struct event *event = &ruling->events[i];
    const struct past_round *round = report->round;
    struct params *params = &speech->params;
    seat_set missing = (seat_set)(round->present & ~round->voted);
    unsigned present = speech_count(round->present);
    params_number(params, "ja", event->ja);
    params_number(params, "nein", event->nein);
    speech_voters(speech, "ja_people", round, round->ja);
    speech_voters(speech, "nein_people", round,
                  (seat_set)(round->voted & ~round->ja));
    speech_voters(speech, "missing", round, missing);
    speech_order_votes(speech, round);
    params_number(params, "tie", 2U * event->ja == present);
    params_number(params, "cleared", follows(ruling, i, EVENT_CLEARED));
    params_number(params, "tracker_now",
                  event->tracker < 3 ? event->tracker : 0);
    params_number(params, "tracker_two", event->tracker == 2);
    params_number(params, "tracker_reset",
                  ruling->first_tracker > 0 && event->tracker == 0);
    say(report, speech, election_key(round, event));
}

/* The power may come after a reshuffle, so its event tells too late. */
static bool
chaos_brings_power(const struct table *table, const struct event *event)
{
    const struct game *game = &table->game;
    return game->rules.chaos_power == HOUSE_RULE_ON && !event->is_liberal &&
           event->fascist < FASCIST_WIN &&
           game_track_power(game->players, event->fascist) != POWER_NONE;
}

static void
say_enacted(const struct report *report, struct speech *speech, unsigned i)
{
    const struct event *event = &report->ruling->events[i];
    params_text(&speech->params, "policy",
                speech_policy(report->ruling->env, event->is_liberal, true));
    params_number(&speech->params, "over", report->over);
    if (!event->by_chaos) {
        say(report, speech, "enacted");
        ask_for_claims(report, speech, "tell_hand");
    } else if (report->round->outcome == PAST_VETOED) {
        say(report, speech, "chaos_veto");
    } else {
        say(report, speech,
            chaos_brings_power(report->ruling->table, event) ? "chaos_power"
                                                             : "chaos");
    }
}

static void
say_forfeited(const struct report *report, struct speech *speech,
              const struct event *event)
{
    speech_power(report->ruling->env, (enum power)event->power, 0,
                 speech_text(speech, "power"));
    say(report, speech, "forfeited");
}

static void
say_veto_answer(const struct report *report, struct speech *speech,
                const struct event *event)
{
    const struct game *game = &report->ruling->table->game;
    params_number(&speech->params, "tracker_now",
                  event->tracker < 3 ? event->tracker : 0);
    params_number(&speech->params, "timeout", report->ruling->timed_out);
    params_number(&speech->params, "vacant",
                  game->chancellor != NO_SEAT &&
                      seat_in(game->chancellor, game->vacant));
    say(report, speech, event->yes ? "veto_agreed" : "veto_refused");
    if (event->yes) {
        ask_for_claims(report, speech, "tell_hand");
    }
    if (event->yes && !has_event(report->ruling, EVENT_ENACTED)) {
        say(report, speech, "boards");
    }
}

static void
say_target(const struct report *report, struct speech *speech,
           const struct event *event)
{
    speech_seat(speech, "target", event->target);
    say(report, speech, event_facts[event->kind].notice);
    if (event->kind == EVENT_INVESTIGATED) {
        ask_for_claims(report, speech, "tell_party");
    }
}

/* Lots that a moderator has drawn are told already: no time was up. */
static void
say_lots(const struct report *report, struct speech *speech,
         const struct event *event)
{
    if (report->ruling->cause != NULL) {
        return;
    }
    speech_seat(speech, "player", event->seat);
    say(report, speech,
        event->power == POWER_NONE ? "lots_card" : "lots_target");
}

/* One sentence, at the first event, names all who lose their seats. */
static void
say_vacated(const struct report *report, struct speech *speech, unsigned first)
{
    const struct ruling *ruling = report->ruling;
    for (unsigned i = 0; i < ruling->event_count; i++) {
        if (ruling->events[i].kind != EVENT_VACATED) {
            continue;
        }
        if (i < first) {
            return;
        }
        speech_seat(speech, "player", ruling->events[i].seat);
    }
    params_number(&speech->params, "misses", ruling->table->settings.misses);
    /* By a moderator, or by the clock. */
    say(report, speech, ruling->cause != NULL ? "vacated_by" : "vacated");
    if (ruling->table->state != TABLE_RUNNING) {
        return;
    }
    vacancy_say_change(ruling, speech, false, report->out);
    rich_add_text(report->out, " ", 0);
    speech_add(speech, "seat_offered", report->out);
}

static void
say_event(const struct report *report, struct speech *speech, unsigned i)
{
    const struct event *event = &report->ruling->events[i];
    switch ((enum event_kind)event->kind) {
    case EVENT_ELECTION:
        if (!report->over || !event->yes) {
            say_election(report, speech, i);
        }
        break;
    case EVENT_RESHUFFLED:
        if (report->ruling->undone) {
            break; /* said together with what was taken back */
        }
        /* The boards say it too: after a veto, chaos may have taken one. */
        params_set_number(&speech->params, "deck", event->cards.count);
        params_number(&speech->params, "shown",
                      has_event(report->ruling, EVENT_ENACTED) ||
                          has_event(report->ruling, EVENT_VETO_ANSWERED));
        say(report, speech, event_facts[event->kind].notice);
        break;
    case EVENT_VETO_ASKED:
        say(report, speech, event_facts[event->kind].notice);
        break;
    case EVENT_PEEKED:
        say(report, speech, event_facts[event->kind].notice);
        ask_for_claims(report, speech, "tell_peek");
        break;
    case EVENT_VETO_ANSWERED:
        say_veto_answer(report, speech, event);
        break;
    case EVENT_ENACTED:
        say_enacted(report, speech, i);
        break;
    case EVENT_POWER:
        break; /* the call says it, or that it was used */
    case EVENT_FORFEITED:
        say_forfeited(report, speech, event);
        break;
    case EVENT_INVESTIGATED:
    case EVENT_SPECIAL_CALLED:
    case EVENT_EXECUTED:
        if (!report->over) {
            say_target(report, speech, event);
        }
        break;
    case EVENT_LOTS:
        say_lots(report, speech, event);
        break;
    case EVENT_VACATED:
        say_vacated(report, speech, i);
        break;
    case EVENT_ENDED:
        ending_say(report->ruling->env, report->ruling->table, report->out,
                   report->hands);
        break;
    case EVENT_DEALT: /* the start has a post of its own */
    case EVENT_ROUND: /* the calls say the rest */
    case EVENT_NOMINATED:
    case EVENT_VOTED:
    case EVENT_CLEARED:
    case EVENT_HAND:
    case EVENT_PASSED:
    case EVENT_FILLED:
    case EVENT_KINDS:
        break;
    }
}

/* Some parameters of the shared speech must describe the moment of the event,
 * not what came after it: set them again. */
static void
begin_event_speech(struct speech *speech, const struct report *report)
{
    const struct past_round *round = report->round;
    speech_init(speech, report->ruling->env, report->ruling->table, round);
    if (round != NULL && round->present != 0) {
        params_set_number(&speech->params, "majority",
                          speech_count(round->present) / 2 + 1);
    }
}

static void
say_events(struct ruling *ruling, struct rich *out, struct rich *hands)
{
    struct report report = {ruling, NULL, out, hands,
                            ruling->table->state == TABLE_OVER};
    report.round = speech_round(ruling->table, ruling->first_round);
    if (report.over && has_event(ruling, EVENT_ENDED)) {
        ending_begin(ruling->env, ruling->table, out);
    }
    for (unsigned i = 0; i < ruling->event_count; i++) {
        const struct event *event = &ruling->events[i];
        if (event->kind == EVENT_ROUND) {
            report.round = speech_round(ruling->table, event->round);
        }
        struct speech speech;
        begin_event_speech(&speech, &report);
        if (event->kind == EVENT_EXECUTED) {
            params_set_number(&speech.params, "majority",
                              game_majority(&ruling->table->game));
            params_number(&speech.params, "gallery",
                          gallery_is_offered(ruling->env, ruling->table));
        }
        say_event(&report, &speech, i);
        speech_release(&speech);
    }
}

/* ---- posts --------------------------------------------------------------- */

static void
post_start(struct ruling *ruling)
{
    struct table *table = ruling->table;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    unsigned fascists = game_fascist_count(table->seated);
    params_number(&speech.params, "fascists", fascists);
    params_number(&speech.params, "liberals", table->seated - fascists - 1);
    params_number(&speech.params, "hitler_knows",
                  game_hitler_knows(&table->game));
    for (unsigned seat = 0; seat < table->seated; seat++) {
        speech_seat(&speech, "order", seat);
    }
    speech_seat(&speech, "first", table->game.president);
    params_number(&speech.params, "drawn",
                  table->game.rules.first == FIRST_LOT);
    params_number(&speech.params, "gallery",
                  gallery_is_offered(ruling->env, table));
    speech_post(&speech, ruling, "started")->waits = true;
    speech_release(&speech);
}

/* What a moderator or the clock did, what came of it, and the next call. */
static void
post_notice(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    struct rich hands = {.count = 0};
    rich_add_rich(&text, &ruling->opening);
    say_events(ruling, &text, &hands);
    size_t call = text.text.len;
    bool calls = table->state == TABLE_RUNNING &&
                 table->phase != ruling->first_phase &&
                 notice_call(ruling->env, table, &text);
    if (text.text.len > 0) {
        bool waits = text.text.len > ruling->opening.text.len;
        struct message *message = ruling_post_call(ruling, &text, call);
        calls = calls || ruling->opening_calls;
        message->waits = waits;
        message->calls = calls ? table->phase : 0;
        message->about =
            !calls && table_in_session(table) && waits ? table_phase(table) : 0;
        message->deadline = calls ? table_told(table) : 0;
        message->picture = ruling->env->capabilities->uploads &&
                           has_event(ruling, EVENT_ENACTED);
    }
    if (hands.text.len > 0) {
        (void)ruling_post(ruling, &hands);
    }
    rich_release(&text);
    rich_release(&hands);
}

/* Show the votes under the call for them, if they have changed; and that it is
 * over. */
static void
renew_votes(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    const struct game *game = &table->game;
    const struct past_round *round = speech_round(table, table->vote_round);
    bool open = table->phase == ruling->first_phase;
    struct rich text = {.count = 0};
    struct speech speech;
    if (!ruling->env->cards || round == NULL ||
        table->vote_phase != ruling->first_phase ||
        (open && game->voted == ruling->first_voted &&
         game->ja == ruling->first_ja)) {
        return;
    }
    if (round->voted != 0 || !open) {
        speech_init(&speech, ruling->env, table, round);
        params_number(&speech.params, "closed", !open);
        speech_votes(&speech, table, round,
                     open && game->rules.ballot == BALLOT_SEALED);
        rich_add_text(&text, "\n\n", 0);
        speech_add(&speech, "votes_so_far", &text);
        speech_release(&speech);
    }
    ruling_votes(ruling, &text);
}

void
notice_write(struct ruling *ruling)
{
    renew_votes(ruling);
    private_write(ruling);
    if (has_event(ruling, EVENT_DEALT)) {
        post_start(ruling);
    }
    post_notice(ruling);
    if (has_event(ruling, EVENT_ENDED)) {
        proof_post_secret(ruling);
        ending_post_report(ruling);
        gallery_end(ruling);
    }
    if (ruling->row_count > 0) {
        notice_status(ruling);
        vacancy_write(ruling);
    }
    if (ruling->opened) {
        proof_post_commitment(ruling);
    }
}

/* Whom the opening of a table notifies, as far as the service can; NULL:
 * nobody.  Owned. */
static char *
recruits(const struct host_env *env)
{
    const char *recruit = env->place->recruit;
    struct buf pings = BUF_INIT;
    if (strcmp(recruit, RECRUIT_ALL) == 0 && env->capabilities->pings_all) {
        buf_add_text(&pings, PINGS_ALL);
    } else if (recruit[0] != '\0' && strcmp(recruit, RECRUIT_ALL) != 0 &&
               env->capabilities->pings_roles) {
        buf_addf(&pings, "%c%s", PINGS_ROLE, recruit);
    }
    return pings.len == 0 ? NULL : buf_take(&pings);
}

void
notice_status(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    struct rich text = {.count = 0};
    status_say(ruling->env, table, &text);
    struct message *status = ruling_status(ruling, NULL, &text);
    if (ruling->opened) {
        status->pings = recruits(ruling->env);
    }
    rich_release(&text);
    if (table->home[0] != '\0') {
        status_pointer(ruling->env, table, &text);
        (void)ruling_status(ruling, table->home, &text);
        rich_release(&text);
    }
}
