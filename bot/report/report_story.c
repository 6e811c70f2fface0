/* The report: the story, line by line of the record, and when it was. */
#include <string.h>

#include "bot/report/report_inner.h"

/* ---- one line ------------------------------------------------------------ */

/* The key of what a line says; NULL: nothing here.  The deck has a section of
 * its own, a round is a heading, votes are told with the election, powers with
 * their use, claims by themselves, and the end on top. */
static const char *
line_key(const struct record_line *line)
{
    static const char *const keys[RECORD_KINDS] = {
        [EVENT_NOMINATED] = "report_nominated",
        [EVENT_ELECTION] = "report_election",
        [EVENT_CLEARED] = "report_cleared",
        [EVENT_HAND] = "report_hand",
        [EVENT_PASSED] = "report_handed_on",
        [EVENT_VETO_ASKED] = "report_veto_asked",
        [EVENT_VETO_ANSWERED] = "report_veto_declined",
        [EVENT_ENACTED] = "report_policy",
        [EVENT_RESHUFFLED] = "report_reshuffled",
        [EVENT_INVESTIGATED] = "report_investigated",
        [EVENT_SPECIAL_CALLED] = "report_special",
        [EVENT_PEEKED] = "report_peeked",
        [EVENT_EXECUTED] = "report_executed",
        [EVENT_FORFEITED] = "report_forfeited",
        [EVENT_LOTS] = "report_lots",
        [EVENT_VACATED] = "report_vacated",
        [EVENT_FILLED] = "report_replaced",
        [RECORD_PAUSED] = "report_paused",
        [RECORD_RESUMED] = "report_resumed",
        [RECORD_EXTENDED] = "report_extended",
        [RECORD_NOTED] = "report_noted",
        [RECORD_REWOUND] = "report_rewound",
    };
    if (line->kind == EVENT_VETO_ANSWERED && line->event.yes) {
        return "report_veto_agreed";
    }
    if (line->kind == EVENT_ENACTED && line->event.by_chaos) {
        return "report_chaos";
    }
    return keys[line->kind];
}

/* Texts that the parameters of a sentence borrow. */
struct telling {
    struct params params;
    struct buf cards, discarded, policy, party, power, text;
    struct buf deadline;
};

static void
telling_release(struct telling *telling)
{
    buf_release(&telling->cards);
    buf_release(&telling->discarded);
    buf_release(&telling->policy);
    buf_release(&telling->party);
    buf_release(&telling->power);
    buf_release(&telling->text);
    buf_release(&telling->deadline);
}

/* Name those who voted at seats, or might have. */
static void
add_voters(struct report *report, struct params *params, const char *name,
           const struct told_round *round, seat_set seats)
{
    for (unsigned seat = 0; seat < report->story->game->players; seat++) {
        if (seat_in(seat, seats)) {
            report_person(report, params, name, round->voter_is[seat]);
        }
    }
}

/* How a round was voted on. */
static void
add_votes(struct report *report, const struct told_round *round,
          struct params *params)
{
    seat_set all = (seat_set)((1U << report->story->game->players) - 1);
    seat_set missing = all & (seat_set) ~(round->voted | round->executed);
    add_voters(report, params, "ja_people", round, round->ja);
    add_voters(report, params, "nein_people", round,
               round->voted & (seat_set)~round->ja);
    add_voters(report, params, "missing", round, missing);
    params_number(params, "named", round->chancellor != NO_SEAT);
}

/* What the game's own lines speak of. */
static void
add_event(struct report *report, const struct event *event,
          struct telling *telling)
{
    struct params *params = &telling->params;
    struct pile one = {0, 0};
    pile_add(&one, event->is_liberal);
    report_tiles(event->cards, &telling->cards);
    report_tiles(one, &telling->policy);
    report_tiles(one, &telling->discarded);
    if (event->power != POWER_NONE) {
        catalogue_text(report->page.catalogue,
                       catalogue_power_key((enum power)event->power, 0), NULL,
                       &telling->power);
    }
    catalogue_text(report->page.catalogue,
                   event->party == PARTY_LIBERAL ? "party_liberal"
                                                 : "party_fascist",
                   NULL, &telling->party);
    report_seat(report, params, "player", event->seat);
    report_seat(report, params, "target", event->target);
    params_number(params, "elected", event->yes);
    params_number(params, "ja", event->ja);
    params_number(params, "nein", event->nein);
    params_number(params, "late", event->reason == ELECTION_DEADLINE);
    params_number(params, "tracker", event->tracker);
    params_text(params, "policy", buf_text(&telling->policy));
    params_text(params, "cards", buf_text(&telling->cards));
    params_text(params, "discarded", buf_text(&telling->discarded));
    params_text(params, "party", buf_text(&telling->party));
    params_text(params, "power", buf_text(&telling->power));
    params_number(params, "discards", event->discarding);
}

/* What the host's lines speak of. */
static void
add_host_line(struct report *report, const struct record_line *line,
              struct telling *telling)
{
    struct params *params = &telling->params;
    if (line->text != NULL && report->story->numbered == NULL) {
        page_clean(line->text, &telling->text);
    }
    if (line->kind == EVENT_FILLED) {
        size_t holder = report->holders[line->event.seat];
        const char *in = story_person(report->story, holder);
        bool back = strcmp(line->out, line->in) == 0;
        params_text(params, "in", in);
        params_text(params, "out",
                    back ? in : story_before(report->story, holder));
    }
    if (line->deadline != 0) {
        catalogue_time(report->page.catalogue, line->deadline,
                       report->page.zone, &telling->deadline);
    }
    params_text(params, "text", buf_text(&telling->text));
    params_text(params, "deadline", buf_text(&telling->deadline));
}

/* Write what a line says as an element; false: it says nothing here. */
static bool
write_line(struct report *report, const struct record_line *line,
           const struct told_round *round, const char *element)
{
    const char *key = line_key(line);
    struct telling telling = {.cards = BUF_INIT};
    if (key == NULL) {
        return false;
    }
    add_event(report, &line->event, &telling);
    add_host_line(report, line, &telling);
    params_number(&telling.params, "planned", line->by == RECORD_BY_PLAN);
    if (round != NULL) {
        report_government(report, &telling.params, round);
        add_votes(report, round, &telling.params);
    }
    page_element(&report->page, element, key, &telling.params);
    telling_release(&telling);
    return true;
}

/* ---- round by round ------------------------------------------------------ */

/* Which policies a round brought, beside its heading. */
static void
begin_round(struct report *report, const struct told_round *round)
{
    struct page *page = &report->page;
    struct params params = {.count = 0};
    struct pile pile = report_policies(round);
    report_government(report, &params, round);
    buf_addf(page->out, "<article id=\"round-%u\">\n<h3>", round->round);
    page_say(page, "report_round", &params);
    if (pile.count > 0) {
        page_raw(page, " ");
        report_write_tiles(report, pile);
    }
    page_raw(page, "</h3>\n<p class=\"when\">");
    page_time(page, round->at);
    page_raw(page, "</p>\n<ul>\n");
}

/* Who holds each seat at the line that is told: those at sign-up first. */
struct holders {
    size_t by_seat[PLAYERS_MAX];
    size_t next; /* of struct story's people */
};

static void
begin_holders(struct report *report, struct holders *holders)
{
    holders->next = report->story->game->players;
    for (unsigned seat = 0; seat < PLAYERS_MAX; seat++) {
        holders->by_seat[seat] = seat;
    }
    report->holders = holders->by_seat;
}

static void
change_holders(struct holders *holders, const struct record_line *line)
{
    if (line->kind == EVENT_FILLED && strcmp(line->out, line->in) != 0) {
        holders->by_seat[line->event.seat] = holders->next++;
    }
}

static void
end_holders(struct report *report)
{
    report->holders = report->story->holders;
}

void
report_story(struct report *report)
{
    const struct story *story = report->story;
    const struct told_round *round = NULL;
    struct holders holders;
    size_t next = 0;
    begin_holders(report, &holders);
    for (size_t i = 0; i < story->game->line_count; i++) {
        const struct record_line *line = &story->game->lines[i];
        if (!story->stands[i]) {
            continue;
        }
        change_holders(&holders, line);
        if (line->kind == EVENT_ROUND) {
            if (round != NULL) {
                page_raw(&report->page, "</ul>\n</article>\n");
            }
            round = &story->rounds[next++];
            begin_round(report, round);
        } else if (round != NULL && line->kind == RECORD_CLAIMED) {
            struct told_claim claim = {
                .round = line->event.round,
                .player_is = holders.by_seat[line->event.seat],
                .power = (enum power)line->event.power,
                .target = line->event.target,
                .target_is = holders.by_seat[line->event.target],
                .cards = line->event.cards};
            report_claim(report, "li", &claim, round->round);
        } else if (round != NULL) {
            (void)write_line(report, line, round, "li");
        }
    }
    page_raw(&report->page, round == NULL ? "" : "</ul>\n</article>\n");
    end_holders(report);
}

/* ---- when ---------------------------------------------------------------- */

/* Does a line belong in the timeline?  Rounds do, and what the host, the
 * clock or a moderator did. */
static bool
is_told_by_time(const struct record_line *line)
{
    switch (line->kind) {
    case EVENT_NOMINATED:
        return line->by == RECORD_BY_PLAN;
    case EVENT_FORFEITED:
    case EVENT_LOTS:
    case EVENT_VACATED:
    case EVENT_FILLED:
    case RECORD_PAUSED:
    case RECORD_RESUMED:
    case RECORD_EXTENDED:
    case RECORD_NOTED:
    case RECORD_REWOUND:
        return true;
    default:
        return false;
    }
}

static const char *
milestone_key(const struct record_line *line)
{
    switch (line->kind) {
    case RECORD_OPENED:
        return "report_opened";
    case RECORD_SEATED:
        return "report_seated";
    case EVENT_DEALT:
        return "report_started";
    case EVENT_ROUND:
        return "report_round";
    case EVENT_ENDED:
        return "report_over";
    default:
        return NULL;
    }
}

static void
write_milestone(struct report *report, const struct record_line *line,
                const struct told_round *round)
{
    const char *key = milestone_key(line);
    struct params params = {.count = 0};
    if (round != NULL) {
        report_government(report, &params, round);
    }
    page_element(&report->page, "span", key, &params);
}

void
report_times(struct report *report)
{
    const struct story *story = report->story;
    const struct told_round *round = NULL;
    struct page *page = &report->page;
    struct holders holders;
    size_t next = 0;
    begin_holders(report, &holders);
    page_raw(page, "<ol class=\"times\">\n");
    for (size_t i = 0; i < story->game->line_count; i++) {
        const struct record_line *line = &story->game->lines[i];
        bool milestone = milestone_key(line) != NULL;
        if (!story->stands[i] || (!milestone && !is_told_by_time(line))) {
            continue;
        }
        change_holders(&holders, line);
        if (line->kind == EVENT_ROUND) {
            round = &story->rounds[next++];
        }
        page_raw(page, "<li>");
        page_time(page, line->at);
        page_raw(page, " ");
        if (milestone) {
            write_milestone(report, line, round);
        } else {
            (void)write_line(report, line, round, "span");
        }
        page_raw(page, "</li>\n");
    }
    page_raw(page, "</ol>\n");
    end_holders(report);
}
