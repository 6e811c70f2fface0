#include "bot/report/report.h"

#include <string.h>

#include "bot/report/report_inner.h"
#include "bot/report/site.h"

/* ---- what sections share ------------------------------------------------- */

void
report_person(struct report *report, struct params *params, const char *name,
              size_t person)
{
    params_person(params, name, "", story_person(report->story, person));
}

void
report_seat(struct report *report, struct params *params, const char *name,
            unsigned seat)
{
    if (seat < report->story->game->players) {
        report_person(report, params, name, report->holders[seat]);
    }
}

void
report_government(struct report *report, struct params *params,
                  const struct told_round *round)
{
    params_number(params, "round", round->round);
    report_person(report, params, "president", round->president_is);
    if (round->chancellor != NO_SEAT) {
        report_person(report, params, "chancellor", round->chancellor_is);
    }
}

void
report_tiles(struct pile pile, struct buf *out)
{
    buf_add_text(out, PAGE_TILES);
    for (unsigned i = 0; i < pile.count; i++) {
        buf_add_text(out,
                     pile_is_liberal(pile, i) ? PAGE_LIBERAL : PAGE_FASCIST);
    }
    buf_add_text(out, PAGE_TILES_END);
}

void
report_write_tiles(struct report *report, struct pile pile)
{
    struct buf tiles = BUF_INIT;
    if (pile.count > 0) {
        report_tiles(pile, &tiles);
    } else {
        buf_add_text(&tiles, "–");
    }
    page_text(&report->page, buf_text(&tiles));
    buf_release(&tiles);
}

struct pile
report_policies(const struct told_round *round)
{
    struct pile pile = {0, 0};
    if (round->enacted) {
        pile_add(&pile, round->liberal);
    }
    if (round->chaos) {
        pile_add(&pile, round->chaos_liberal);
    }
    return pile;
}

/* Is a claim not what lay there?  Of three cards, the president's; of two, what
 * was handed on. */
static bool
differs(const struct story *story, const struct told_claim *claim)
{
    struct pile cards = claim->cards;
    if (claim->power == POWER_INVESTIGATE) {
        return story->hitler != NO_SEAT &&
               pile_is_liberal(cards, 0) ==
                   (claim->target == story->hitler ||
                    seat_in(claim->target, story->fascists));
    }
    if (claim->round == 0 || claim->round > story->round_count) {
        return false;
    }
    const struct told_round *round = &story->rounds[claim->round - 1];
    if (claim->power == POWER_PEEK) {
        struct pile seen = round->peeked;
        return round->round == claim->round && seen.count == cards.count &&
               seen.liberal != cards.liberal;
    }
    struct pile real = cards.count == HAND_TILES ? round->drawn : round->passed;
    return round->round == claim->round && real.count == cards.count &&
           pile_liberals(real) != pile_liberals(cards);
}

void
report_claim(struct report *report, const char *element,
             const struct told_claim *claim, uint32_t told_in)
{
    struct page *page = &report->page;
    struct params params = {.count = 0};
    struct buf tiles = BUF_INIT;
    report_tiles(claim->cards, &tiles);
    report_person(report, &params, "player", claim->player_is);
    if (claim->power == POWER_INVESTIGATE) {
        report_person(report, &params, "target", claim->target_is);
    } else {
        params_text(&params, "target", "");
    }
    params_number(&params, "peek", claim->power == POWER_PEEK);
    params_text(&params, "cards", buf_text(&tiles));
    params_number(&params, "other",
                  told_in == 0 || told_in == claim->round ? 0 : claim->round);
    buf_addf(page->out, "<%s>", element);
    page_say(page, "report_claim", &params);
    if (differs(report->story, claim)) {
        page_raw(page, " ");
        page_element(page, "em", "report_differs", NULL);
    }
    buf_addf(page->out, "</%s>\n", element);
    buf_release(&tiles);
}

/* ---- the page ------------------------------------------------------------ */

static const struct section {
    const char *id, *key;
    void (*write)(struct report *report);
} sections[] = {
    {"who", "report_who", report_who},
    {"board", "report_board", report_board},
    {"story", "report_story", report_story},
    {"votes", "report_votes", report_votes},
    {"hands", "report_hands", report_hands},
    {"deck", "report_deck", report_deck},
    {"times", "report_times", report_times},
    {"proof", "report_proof", report_proof},
};
enum {
    SECTIONS = sizeof sections / sizeof sections[0]
};

static void
write_top(struct report *report)
{
    struct page *page = &report->page;
    const struct story *story = report->story;
    struct params params = {.count = 0};
    struct buf preset = BUF_INIT;
    catalogue_preset(page->catalogue, story->game->preset, &preset);
    params_text(&params, "table", story->game->id);
    params_text(&params, "preset", buf_text(&preset));
    params_number(&params, "year", civil_at(story->began, page->zone).year);
    params_number(&params, "players", story->game->players);
    params_number(&params, "rounds", (int64_t)story->round_count);
    params_number(&params, "fascist", story_policies(story, false));
    report_seat(report, &params, "hitler", story->hitler);
    page_raw(page, "<header>\n");
    page_element(page, "h1", "report_title", &params);
    page_element(page, "p class=\"end\"",
                 catalogue_ending_key(story->ending, false), &params);
    page_raw(page, "<p class=\"lead\">");
    page_say(page, "report_lead", &params);
    page_raw(page, " <span class=\"when\">");
    page_time(page, story->began);
    page_raw(page, " – ");
    page_time(page, story->ended);
    page_raw(page, "</span></p>\n</header>\n");
    buf_release(&preset);
}

static void
write_contents(struct report *report, bool site)
{
    struct page *page = &report->page;
    page_raw(page, "<nav aria-labelledby=\"contents\">\n"
                   "<h2 id=\"contents\">");
    page_say(page, "report_contents", NULL);
    page_raw(page, "</h2>\n<ul>\n");
    if (site) {
        page_raw(page, "<li><a href=\"" SITE_INDEX "\">");
        page_say(page, "site_all", NULL);
        page_raw(page, "</a></li>\n");
    }
    for (unsigned i = 0; i < SECTIONS; i++) {
        buf_addf(page->out, "<li><a href=\"#%s\">", sections[i].id);
        page_say(page, sections[i].key, NULL);
        page_raw(page, "</a></li>\n");
    }
    page_raw(page, "</ul>\n</nav>\n");
}

static void
write_sections(struct report *report)
{
    struct page *page = &report->page;
    page_raw(page, "<main>\n");
    for (unsigned i = 0; i < SECTIONS; i++) {
        page_begin_section(page, sections[i].id, sections[i].key);
        sections[i].write(report);
        page_raw(page, "</section>\n");
    }
    page_raw(page, "</main>\n");
}

void
report_write(const struct record_game *game, const struct catalogue *catalogue,
             struct report_form form, const char *language,
             const struct zone *zone, struct buf *html)
{
    struct story story;
    struct params params = {.count = 0};
    struct report report = {.page = {html, catalogue, zone},
                            .story = &story,
                            .holders = story.holders};
    story_read(game, form.numbered ? catalogue : NULL, &story);
    params_text(&params, "table", game->id);
    page_begin(&report.page, language, "report_title", &params);
    write_top(&report);
    write_contents(&report, form.site);
    write_sections(&report);
    page_end(&report.page);
    story_release(&story);
}
