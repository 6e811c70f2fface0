/* Whether the fair deal is even: chi-square beside its degrees of freedom. */
#include <stdio.h>
#include <string.h>

#include "bot/record/deal.h"
#include "tests/bench/bench.h"

enum {
    DEALS = 100000,
    PLAYERS = 7,
    LOTS = 9,
};

/* How often each place came. */
struct tally {
    unsigned hitler[PLAYERS], first[PLAYERS], seat[PLAYERS], lots[LOTS];
    unsigned liberal[TILES]; /* on top of the deck, second … */
};

static double
chi_square(const unsigned *counts, unsigned places)
{
    double expected = (double)DEALS / places;
    double sum = 0;
    for (unsigned i = 0; i < places; i++) {
        double off = counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

/* Of 17 places 6 are liberal: what one has, the others have not. */
static double
chi_square_of_deck(const unsigned *counts)
{
    double chance = (double)LIBERAL_TILES / TILES;
    double sum = 0;
    for (unsigned i = 0; i < TILES; i++) {
        double off = counts[i] - DEALS * chance;
        sum += off * off / (DEALS * chance * (1 - chance));
    }
    return sum * (TILES - 1) / TILES;
}

static void
count_deal(unsigned number, struct tally *tally)
{
    unsigned char secret[DEAL_SECRET] = {0};
    unsigned char key[DEAL_KEY];
    uint8_t order[PLAYERS];
    memcpy(secret, &number, sizeof number);
    deal_key(secret, "", 0, key);
    struct command deal = deal_game(key, PLAYERS);
    deal_seats(key, PLAYERS, order);
    tally->hitler[deal.hitler]++;
    tally->first[deal.first]++;
    tally->seat[order[0]]++;
    tally->lots[deal_lots(key, 1, LOTS)]++;
    for (unsigned i = 0; i < TILES; i++) {
        tally->liberal[i] += pile_is_liberal(deal.tiles, i);
    }
}

void
bench_deals(void *unused)
{
    static const char beside[] = "its degrees of freedom";
    struct tally tally;
    (void)unused;
    memset(&tally, 0, sizeof tally);
    for (unsigned i = 0; i < DEALS; i++) {
        count_deal(i, &tally);
    }
    bench_heading("Chi-square of 100,000 fair deals");
    bench_row("Hitler's seat", chi_square(tally.hitler, PLAYERS), PLAYERS - 1,
              beside);
    bench_row("the first candidate", chi_square(tally.first, PLAYERS),
              PLAYERS - 1, beside);
    bench_row("who sits first, where seats are drawn",
              chi_square(tally.seat, PLAYERS), PLAYERS - 1, beside);
    bench_row("where liberal policies lie in the deck",
              chi_square_of_deck(tally.liberal), TILES - 1, beside);
    bench_row("lots among nine", chi_square(tally.lots, LOTS), LOTS - 1,
              beside);
}
