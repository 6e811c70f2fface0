/* The report: who was who, the board, the votes, hands and claims, the deck. */
#include "bot/report/report_inner.h"

/* ---- pieces of tables ---------------------------------------------------- */

/* Begin a table that can be scrolled sideways, by keyboard too. */
static void
begin_table(struct report *report, const char *class, const char *caption)
{
    struct page *page = &report->page;
    page_raw(page, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                   "aria-label=\"");
    page_say(page, caption, NULL);
    buf_addf(page->out, "\">\n<table class=\"%s\">\n<thead>\n<tr>", class);
}

static void
begin_rows(struct report *report)
{
    page_raw(&report->page, "</tr>\n</thead>\n<tbody>\n");
}

/* A cell that names somebody: with the number of the seat, which heads the
 * row. */
static void
write_row_head(struct report *report, size_t person)
{
    const struct story *story = report->story;
    buf_addf(report->page.out,
             "<tr><th scope=\"row\"><span class=\"seat\">%u</span> ",
             story->people[person].seat + 1);
    page_text(&report->page, story_person(story, person));
    page_raw(&report->page, "</th>");
}

static void
write_labelled(struct report *report, const char *key, const char *text)
{
    page_cell(&report->page, key);
    page_text(&report->page, text);
    page_raw(&report->page, "</td>");
}

/* Write words for people who use a screen reader, and a sign for those who
 * see the page. */
static void
write_sign(struct report *report, const char *class, const char *sign,
           const char *key, const struct params *params)
{
    buf_addf(report->page.out,
             "<td class=\"%s\"><span aria-hidden=\"true\">%s</span>"
             "<span class=\"heard\">",
             class, sign);
    page_say(&report->page, key, params);
    page_raw(&report->page, "</span></td>");
}

/* ---- who was who --------------------------------------------------------- */

/* What became of the player, below the role. */
static void
write_fate(struct report *report, unsigned seat)
{
    const struct story *story = report->story;
    struct page *page = &report->page;
    struct params params = {.count = 0};
    if (story->executed_in[seat] != 0) {
        params_number(&params, "round", story->executed_in[seat]);
        page_element(page, "small", "report_executed_in", &params);
    } else if (seat_in(seat, story->vacant)) {
        page_element(page, "small", "mark_vacant", &params);
    }
    const char *before = story_before(story, story->holders[seat]);
    if (*before != '\0') {
        params_text(&params, "player", before);
        page_element(page, "small", "report_in_place", &params);
    }
}

static void
write_role(struct report *report, unsigned seat)
{
    const struct story *story = report->story;
    enum role role = seat == story->hitler            ? ROLE_HITLER
                     : seat_in(seat, story->fascists) ? ROLE_FASCIST
                                                      : ROLE_LIBERAL;
    page_raw(&report->page, "<td>");
    if (story->hitler == NO_SEAT) {
        page_raw(&report->page, "–");
    } else {
        buf_addf(report->page.out, "<span class=\"role %s\">",
                 role == ROLE_LIBERAL ? "lib" : "fas");
        page_say(&report->page, catalogue_role_key(role), NULL);
        page_raw(&report->page, "</span>\n");
    }
    write_fate(report, seat);
    page_raw(&report->page, "</td></tr>\n");
}

void
report_who(struct report *report)
{
    begin_table(report, "who", "report_who");
    page_column(&report->page, "report_player");
    page_column(&report->page, "report_role");
    begin_rows(report);
    for (unsigned seat = 0; seat < report->story->game->players; seat++) {
        write_row_head(report, report->story->holders[seat]);
        write_role(report, seat);
    }
    page_end_table(&report->page);
}

/* ---- the board ----------------------------------------------------------- */

/* What the nth space of a track brings; NULL: nothing. */
static const char *
space_key(unsigned players, bool liberal, unsigned nth)
{
    if (nth == (liberal ? LIBERAL_WIN : FASCIST_WIN)) {
        return "board_wins";
    }
    return liberal ? NULL
                   : catalogue_power_key(game_track_power(players, nth), nth);
}

/* A space: filled or not, and what it brings.  Behind one of the fascist track
 * is the mark from which on electing Hitler ends the game. */
static void
write_space(struct report *report, bool liberal, unsigned nth, bool filled)
{
    struct page *page = &report->page;
    const char *key = space_key(report->story->game->players, liberal, nth);
    bool danger = !liberal && nth == FASCIST_DANGER;
    buf_addf(page->out, "<li class=\"%s%s\">", filled ? "full" : "empty",
             danger ? " danger" : "");
    if (filled) {
        page_text(page, liberal ? PAGE_LIBERAL : PAGE_FASCIST);
    } else {
        buf_addf(page->out, "<span class=\"seat\">%u</span>", nth);
    }
    if (key != NULL) {
        page_element(page, "small", key, NULL);
    }
    page_raw(page, "</li>\n");
}

static void
write_track(struct report *report, bool liberal, unsigned filled)
{
    struct page *page = &report->page;
    unsigned spaces = liberal ? LIBERAL_WIN : FASCIST_WIN;
    struct params params = {.count = 0};
    params_number(&params, "liberal", filled);
    params_number(&params, "fascist", filled);
    page_element(page, "h3", liberal ? "board_liberal" : "board_fascist",
                 &params);
    page_raw(page, liberal ? "<ol class=\"track lib\">\n"
                           : "<ol class=\"track fas\">\n");
    for (unsigned nth = 1; nth <= spaces; nth++) {
        write_space(report, liberal, nth, nth <= filled);
    }
    page_raw(page, "</ol>\n");
}

/* What the mark on the fascist track means. */
static void
write_danger(struct report *report)
{
    struct page *page = &report->page;
    struct params params = {.count = 0};
    params_number(&params, "danger", FASCIST_DANGER);
    page_element(page, "p class=\"key danger\"", "board_alt_danger", &params);
}

void
report_board(struct report *report)
{
    write_track(report, true, story_policies(report->story, true));
    write_track(report, false, story_policies(report->story, false));
    write_danger(report);
}

/* ---- votes --------------------------------------------------------------- */

static void
write_ballot(struct report *report, bool ja, bool pressed)
{
    struct params params = {.count = 0};
    params_number(&params, "pressed", pressed);
    if (ja) {
        write_sign(report, pressed ? "ja pressed" : "ja", "✓", "report_ja",
                   &params);
    } else {
        write_sign(report, pressed ? "nein pressed" : "nein", "✗",
                   "report_nein", &params);
    }
}

static void
write_vote(struct report *report, const struct told_round *round, size_t person)
{
    unsigned seat = report->story->people[person].seat;
    if (round->voter_is[seat] != person) {
        write_sign(report, "other", "·", "report_other_player", NULL);
    } else if (seat_in(seat, round->voted)) {
        write_ballot(report, seat_in(seat, round->ja),
                     seat_in(seat, round->pressed));
    } else if (seat_in(seat, round->executed)) {
        write_sign(report, "gone", "✝", "mark_executed", NULL);
    } else {
        write_sign(report, "none", "–", "report_no_vote", NULL);
    }
}

static void
write_votes_head(struct report *report)
{
    const struct story *story = report->story;
    page_column(&report->page, "report_player");
    for (size_t i = 0; i < story->round_count; i++) {
        buf_addf(report->page.out,
                 "<th scope=\"col\"><a href=\"#round-%u\">%u</a></th>",
                 story->rounds[i].round, story->rounds[i].round);
    }
    begin_rows(report);
}

static void
write_votes_foot(struct report *report)
{
    const struct story *story = report->story;
    page_raw(&report->page, "</tbody>\n<tfoot>\n<tr><th scope=\"row\">");
    page_say(&report->page, "report_enacted", NULL);
    page_raw(&report->page, "</th>");
    for (size_t i = 0; i < story->round_count; i++) {
        page_raw(&report->page, "<td>");
        report_write_tiles(report, report_policies(&story->rounds[i]));
        page_raw(&report->page, "</td>");
    }
    page_raw(&report->page, "</tr>\n</tfoot>\n</table>\n</div>\n");
}

/* A row for each who held a seat, one below the other. */
static void
write_voters(struct report *report, unsigned seat)
{
    const struct story *story = report->story;
    for (size_t person = 0; person < story->person_count; person++) {
        if (story->people[person].seat != seat) {
            continue;
        }
        write_row_head(report, person);
        for (size_t i = 0; i < story->round_count; i++) {
            write_vote(report, &story->rounds[i], person);
        }
        page_raw(&report->page, "</tr>\n");
    }
}

void
report_votes(struct report *report)
{
    const struct story *story = report->story;
    struct params params = {.count = 0};
    seat_set pressed = 0;
    for (size_t i = 0; i < story->round_count; i++) {
        pressed |= story->rounds[i].pressed;
    }
    params_number(&params, "changed",
                  story->person_count > story->game->players);
    params_number(&params, "pressed", pressed != 0);
    page_element(&report->page, "p class=\"key\"", "report_votes_key", &params);
    begin_table(report, "votes", "report_votes");
    write_votes_head(report);
    for (unsigned seat = 0; seat < story->game->players; seat++) {
        write_voters(report, seat);
    }
    write_votes_foot(report);
}

/* ---- hands and claims ---------------------------------------------------- */

/* The tile that a president took out of a hand. */
static struct pile
discarded_of(const struct told_round *round)
{
    struct pile pile = {0, 0};
    if (round->passed.count > 0) {
        pile_add(&pile,
                 pile_liberals(round->drawn) > pile_liberals(round->passed));
    }
    return pile;
}

/* The claims of a round, or a dash; `*at`: the first that is not told yet. */
static void
write_claims(struct report *report, const struct told_round *round, size_t *at)
{
    const struct story *story = report->story;
    struct page *page = &report->page;
    page_cell(&report->page, "report_claims");
    while (*at < story->claim_count &&
           story->claims[*at].round < round->round) {
        ++*at;
    }
    if (*at == story->claim_count || story->claims[*at].round != round->round) {
        page_raw(page, "–");
    }
    for (; *at < story->claim_count && story->claims[*at].round == round->round;
         ++*at) {
        const struct told_claim *claim = &story->claims[*at];
        report_claim(report, "div", claim, 0);
    }
    page_raw(page, "</td></tr>\n");
}

static void
write_hand(struct report *report, const struct told_round *round, size_t *claim)
{
    const struct story *story = report->story;
    struct page *page = &report->page;
    struct pile enacted = {0, 0};
    if (round->enacted) {
        pile_add(&enacted, round->liberal);
    }
    page_raw(page, "<tr><th scope=\"row\" data-label=\"");
    page_say(page, "report_round_column", NULL);
    buf_addf(page->out, "\"><a href=\"#round-%u\">%u</a></th>", round->round,
             round->round);
    write_labelled(report, "report_president",
                   story_person(story, round->president_is));
    write_labelled(report, "report_chancellor",
                   round->chancellor == NO_SEAT
                       ? "–"
                       : story_person(story, round->chancellor_is));
    static const char *const keys[] = {"report_drawn", "report_discarded",
                                       "report_passed", "report_enacted"};
    const struct pile piles[] = {round->drawn, discarded_of(round),
                                 round->passed, enacted};
    for (unsigned i = 0; i < 4; i++) {
        page_cell(&report->page, keys[i]);
        report_write_tiles(report, piles[i]);
        page_raw(page, "</td>");
    }
    write_claims(report, round, claim);
}

void
report_hands(struct report *report)
{
    static const char *const columns[] = {
        "report_round_column", "report_president", "report_chancellor",
        "report_drawn",        "report_discarded", "report_passed",
        "report_enacted",      "report_claims"};
    const struct story *story = report->story;
    size_t claim = 0;
    bool any = false;
    for (size_t i = 0; i < story->round_count; i++) {
        any = any || story->rounds[i].drawn.count > 0;
    }
    page_element(&report->page, "p",
                 any ? "report_hands_key" : "report_no_hands", NULL);
    if (!any) {
        return;
    }
    begin_table(report, "hands", "report_hands");
    for (unsigned i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        page_column(&report->page, columns[i]);
    }
    begin_rows(report);
    for (size_t i = 0; i < story->round_count; i++) {
        if (story->rounds[i].drawn.count > 0) {
            write_hand(report, &story->rounds[i], &claim);
        }
    }
    page_end_table(&report->page);
}

/* ---- the deck ------------------------------------------------------------ */

/* Who drew the next tiles of a deck; those that nobody drew are left. */
static void
write_draws(struct report *report, size_t deck, size_t *at)
{
    const struct story *story = report->story;
    struct page *page = &report->page;
    struct pile left = story->decks[deck].tiles;
    page_raw(page, "<ol class=\"draws\">\n");
    for (; *at < story->draw_count && story->draws[*at].deck == deck; ++*at) {
        const struct told_draw *draw = &story->draws[*at];
        unsigned count = draw->count < left.count ? draw->count : left.count;
        struct params params = {.count = 0};
        params_number(&params, "round", draw->round);
        params_number(&params, "chaos", draw->chaos);
        page_raw(page, "<li>");
        report_write_tiles(report, pile_lift(&left, count));
        page_element(page, "small", "report_drawn_in", &params);
        page_raw(page, "</li>\n");
    }
    if (left.count > 0) {
        page_raw(page, "<li class=\"left\">");
        report_write_tiles(report, left);
        page_element(page, "small", "report_not_drawn", NULL);
        page_raw(page, "</li>\n");
    }
    page_raw(page, "</ol>\n");
}

void
report_deck(struct report *report)
{
    const struct story *story = report->story;
    size_t draw = 0;
    for (size_t i = 0; i < story->deck_count; i++) {
        struct params params = {.count = 0};
        params_number(&params, "round", story->decks[i].round);
        page_element(&report->page, "h3",
                     story->decks[i].round == 0 ? "report_dealt"
                                                : "report_shuffled",
                     &params);
        write_draws(report, i, &draw);
    }
}
