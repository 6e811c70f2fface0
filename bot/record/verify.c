#include "bot/record/verify.h"

#include <stdarg.h>
#include <string.h>

#include "bot/base/err.h"
#include "bot/base/json.h"
#include "bot/record/verify_inner.h"

/* ---- giving the verdict -------------------------------------------------- */

static const char *const rule_names[RULES] = {
    [RULE_WORDS] = "Words",
    [RULE_SETUP] = "Set-up",
    [RULE_ELECTION_1] = "Election 1",
    [RULE_ELECTION_2] = "Election 2",
    [RULE_ELECTION_3] = "Election 3",
    [RULE_ELECTION_4] = "Election 4",
    [RULE_ELECTION_5] = "Election 5",
    [RULE_ELECTION_6] = "Election 6",
    [RULE_ELECTION_7] = "Election 7",
    [RULE_SESSION_1] = "Legislative session 1",
    [RULE_SESSION_2] = "Legislative session 2",
    [RULE_SESSION_3] = "Legislative session 3",
    [RULE_SESSION_4] = "Legislative session 4",
    [RULE_SESSION_5] = "Legislative session 5",
    [RULE_ACTION] = "Executive action",
    [RULE_TIME] = "When time runs out",
    [RULE_ORDER] = "record: order within a round",
    [RULE_ROUND] = "record: round",
    [RULE_LOTS] = "record: lots",
    [RULE_REPLACED] = "record: replaced",
    [RULE_REWOUND] = "record: rewound",
    [RULE_AFTER_END] = "record: after the end",
    [RULE_REVEALED] = "record: revealed",
    [RULE_FAIR_1] = "fairness 1",
    [RULE_FAIR_2] = "fairness 2",
    [RULE_FAIR_4] = "fairness 4",
    [RULE_FAIR_5] = "fairness 5",
    [RULE_FAIR_6] = "fairness 6",
    [RULE_FAIR_7] = "fairness 7",
};

/* Name the line and the rule; the sentence is the caller's to add. */
static struct buf *
condemn(struct judge *judge, enum rule rule)
{
    struct verdict *verdict = judge->verdict;
    verdict->legality = LEGALITY_BROKEN;
    verdict->number = judge->line->number;
    verdict->seq = judge->line->seq;
    verdict->kind = record_kind_name(judge->line->kind);
    verdict->rule = rule_names[rule];
    return &verdict->why;
}

bool
fault(struct judge *judge, enum rule rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_vaddf(condemn(judge, rule), format, args);
    va_end(args);
    return false;
}

static void
add_name(struct buf *out, const struct judge *judge, unsigned seat)
{
    if (seat < judge->game->players) {
        jtext_string(out, judge->names[seat]);
    } else {
        buf_add_text(out, "nobody");
    }
}

bool
demand_seat(struct judge *judge, enum rule rule, const char *key, unsigned told,
            unsigned due)
{
    if (told == due) {
        return true;
    }
    struct buf *why = condemn(judge, rule);
    buf_addf(why, "`%s` must be ", key);
    add_name(why, judge, due);
    return false;
}

bool
demand_seats(struct judge *judge, enum rule rule, const char *key,
             seat_set told, seat_set due)
{
    if (told == due) {
        return true;
    }
    struct buf *why = condemn(judge, rule);
    buf_addf(why, "`%s` must be [", key);
    for (unsigned seat = 0; seat < judge->game->players; seat++) {
        if (seat_in(seat, due)) {
            jtext_comma(why);
            add_name(why, judge, seat);
        }
    }
    buf_add_char(why, ']');
    return false;
}

bool
demand_number(struct judge *judge, enum rule rule, const char *key,
              unsigned told, unsigned due)
{
    return told == due || fault(judge, rule, "`%s` must be %u", key, due);
}

bool
demand_flag(struct judge *judge, enum rule rule, const char *key, bool told,
            bool due)
{
    return told == due ||
           fault(judge, rule, "`%s` must be %s", key, due ? "true" : "false");
}

/* ---- order --------------------------------------------------------------- */

/* What is due, and the rule that another line breaks, if it is always that. */
static const struct {
    const char *text;
    enum rule rule;
} due_facts[DUES] = {
    [DUE_SEATED] = {"`seated`", RULE_SETUP},
    [DUE_DEALT] = {"`dealt`", RULE_SETUP},
    [DUE_ROUND] = {"`round`", RULE_NONE},
    [DUE_NOMINATED] = {"`nominated` or `election`", RULE_NONE},
    [DUE_VOTED] = {"`voted` or `election`", RULE_NONE},
    [DUE_ELECTION] = {"`election`", RULE_ELECTION_3},
    [DUE_CLEARED] = {"`cleared`", RULE_ELECTION_4},
    [DUE_HAND] = {"`hand`", RULE_NONE},
    [DUE_PASSED] = {"`passed`", RULE_NONE},
    [DUE_ENACTED] = {"`enacted` by the government", RULE_NONE},
    [DUE_ANSWER] = {"`veto_answered`", RULE_SESSION_3},
    [DUE_CHAOS] = {"`enacted` by chaos", RULE_ELECTION_6},
    [DUE_POWER] = {"`power`", RULE_SESSION_5},
    [DUE_USE] = {"the use of the power", RULE_ACTION},
    [DUE_ENDED] = {"`ended`", RULE_NONE},
    [DUE_REVEALED] = {"nothing but `revealed`", RULE_AFTER_END},
    [DUE_NOTHING] = {"nothing", RULE_AFTER_END},
};

/* The rule about a kind of line, if there is exactly one. */
static enum rule
kind_rule(int kind)
{
    static const uint8_t rules[RECORD_KINDS] = {
        [EVENT_DEALT] = RULE_SETUP,
        [EVENT_VOTED] = RULE_ELECTION_3,
        [EVENT_CLEARED] = RULE_ELECTION_4,
        [EVENT_VETO_ASKED] = RULE_SESSION_3,
        [EVENT_VETO_ANSWERED] = RULE_SESSION_3,
        [EVENT_RESHUFFLED] = RULE_SESSION_4,
        [EVENT_POWER] = RULE_SESSION_5,
        [EVENT_INVESTIGATED] = RULE_ACTION,
        [EVENT_SPECIAL_CALLED] = RULE_ACTION,
        [EVENT_PEEKED] = RULE_ACTION,
        [EVENT_EXECUTED] = RULE_ACTION,
        [EVENT_FORFEITED] = RULE_TIME,
        [EVENT_LOTS] = RULE_TIME,
        [RECORD_SEATED] = RULE_SETUP,
    };
    return rules[kind] == RULE_NONE ? RULE_ORDER : (enum rule)rules[kind];
}

/* The rule by which a game ends so. */
enum rule
ending_rule(enum ending ending)
{
    static const enum rule rules[] = {
        [ENDING_NONE] = RULE_AFTER_END,
        [ENDING_FIVE_LIBERAL] = RULE_SESSION_2,
        [ENDING_HITLER_EXECUTED] = RULE_ACTION,
        [ENDING_SIX_FASCIST] = RULE_SESSION_2,
        [ENDING_HITLER_CHANCELLOR] = RULE_ELECTION_4,
        [ENDING_ABANDONED] = RULE_AFTER_END,
    };
    return rules[ending];
}

bool
out_of_order(struct judge *judge)
{
    const struct ledger *now = &judge->now;
    enum rule rule = due_facts[now->due].rule;
    if (now->shuffle != SHUFFLE_NONE) {
        rule =
            now->shuffle == SHUFFLE_SESSION ? RULE_SESSION_4 : RULE_ELECTION_6;
        return fault(judge, rule, "it stands where `reshuffled` is due");
    }
    if (now->due == DUE_ENDED) {
        rule = ending_rule((enum ending)now->ending);
    } else if (rule == RULE_NONE) {
        rule = kind_rule(judge->line->kind);
    }
    return fault(judge, rule, "it stands where %s is due",
                 due_facts[now->due].text);
}

bool
demand_due(struct judge *judge, unsigned dues)
{
    const struct ledger *now = &judge->now;
    bool due = now->shuffle == SHUFFLE_NONE && (dues >> now->due & 1U) != 0;
    return due || out_of_order(judge);
}

bool
demand_player(struct judge *judge, unsigned seat)
{
    bool there = judge->now.lots != LOTS_NONE ||
                 seat_in(seat, present_seats(&judge->now));
    return there || fault(judge, RULE_WORDS,
                          "a vacant seat can't act before it is filled");
}

/* ---- seats and tiles ----------------------------------------------------- */

/* The seats that are present: living and not vacant. */
seat_set
present_seats(const struct ledger *ledger)
{
    return ledger->living & (seat_set)~ledger->vacant;
}

bool
same_tiles(struct pile one, struct pile other)
{
    return one.count == other.count && one.liberal == other.liberal;
}

/* ---- lines --------------------------------------------------------------- */

void
verdict_release(struct verdict *verdict)
{
    buf_release(&verdict->why);
    memset(verdict, 0, sizeof *verdict);
}
