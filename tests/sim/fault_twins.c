#include "tests/sim/fault_twins.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bot/tables/hosted.h"
#include "tests/sim/fault_people.h"
#include "tests/sim/fault_world.h"
#include "tests/support/enquire.h"

static struct {
    FILE *file;                         /* NULL: nothing is kept */
    size_t most;                        /* tables that were there at once */
    unsigned enacted[FAULT_TABLES_MAX]; /* policies, when that was kept last */
    bool over;
} seen;

/* ---- what is secret ------------------------------------------------------ */

static struct command
deal_otherwise(void *context, const struct table *table)
{
    struct command deal = dealer_fair.deal(context, table);
    unsigned fascist = 0;
    unsigned liberal = 0;
    while (!seat_in(fascist, deal.fascists)) {
        fascist++;
    }
    while (seat_in(liberal, deal.fascists) || liberal == deal.hitler) {
        liberal++;
    }
    deal.fascists ^= seat_bit(fascist) | seat_bit(liberal);
    return deal;
}

const struct dealer *
fault_twins_dealer(void)
{
    static struct dealer dealer;
    dealer = dealer_fair;
    dealer.generate_secret = world_secret;
    if (world.plan->twin == 2) {
        dealer.deal = deal_otherwise;
    }
    return &dealer;
}

static bool
is_card(const char *text, unsigned number, bool liberal)
{
    char card[32];
    (void)snprintf(card, sizeof card, "\n%u %s", number,
                   liberal ? "Liberal" : "Fascist");
    return strstr(text, card) != NULL;
}

unsigned
fault_twins_discard(const char *text, bool *liberal)
{
    unsigned liberals = 0;
    unsigned card = 1;
    for (unsigned number = 1; number <= 3; number++) {
        liberals += is_card(text, number, true);
    }
    *liberal = liberals > 1;
    if (liberals == 0 || liberals == 3) {
        return world.plan->twin == 1 ? 1 : 3;
    }
    bool discarded = world.plan->twin == 1 ? *liberal : !*liberal;
    while (card < 3 && !is_card(text, card, discarded)) {
        card++;
    }
    return card;
}

unsigned
fault_twins_enact(const char *text, bool liberal)
{
    return is_card(text, 1, liberal) ? 1 : 2;
}

/* ---- what the public sees ------------------------------------------------ */

void
fault_twins_begin(void)
{
    seen.file = fopen(world.plan->seen, "w");
    if (seen.file == NULL) {
        world_fail("%s can't be written", world.plan->seen);
    }
}

/* So much is logged by now. */
static void
stop(void)
{
    if (seen.file != NULL && !seen.over) {
        (void)fflush(stderr);
        world.tally.logged = (size_t)lseek(STDERR_FILENO, 0, SEEK_CUR);
        seen.over = true;
    }
}

/* What is enacted stands in the file before anything is said of it. */
static void
note_policies(size_t table, const struct game *game)
{
    unsigned enacted = game->liberal * 16U + game->fascist;
    if (table < FAULT_TABLES_MAX && seen.file != NULL && !seen.over &&
        seen.enacted[table] != enacted) {
        seen.enacted[table] = enacted;
        (void)fprintf(seen.file, FAULT_TWINS_ENACTED "%lld: %u, %u\n",
                      (long long)world.now, game->liberal, game->fascist);
    }
}

void
fault_twins_look(const struct tables *tables)
{
    bool told = tables->hosted.count < seen.most;
    seen.most = told ? seen.most : tables->hosted.count;
    for (size_t i = 0; i < tables->hosted.count && !told; i++) {
        const struct table *table = &tables->hosted.list[i]->table;
        told = table->state == TABLE_OVER || table->lots > 0;
        note_policies(i, &table->game);
    }
    if (told) {
        stop();
    }
}

bool
fault_twins_is_private(const struct request *request)
{
    static const char *const routes[] = {"/chats", "i=pm", "/interactions/",
                                         "/webhooks/"};
    const struct fake_people *there = &world.people;
    const char *url = buf_text(&request->url);
    bool private = false;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        private = private || strstr(url, routes[i]) != NULL;
    }
    return private || (there->service->is_private != NULL &&
                       there->service->is_private(there->server, url,
                                                  buf_text(&request->body)));
}

void
fault_twins_note(const struct request *request)
{
    if (seen.file == NULL || seen.over || strcmp(request->method, "GET") == 0) {
        return;
    }
    if (fault_twins_is_private(request)) {
        (void)fprintf(seen.file, "%lld in private\n", (long long)world.now);
        return;
    }
    (void)fprintf(seen.file, "%lld %s %s %s\n", (long long)world.now,
                  request->method, buf_text(&request->url),
                  buf_text(&request->body));
}

void
fault_twins_ask(const char *conf)
{
    struct buf told = BUF_INIT;
    if (seen.file != NULL && !seen.over) {
        enquire_host(conf, &told);
        (void)fputs(buf_text(&told), seen.file);
    }
    buf_release(&told);
}

void
fault_twins_end(void)
{
    if (seen.file != NULL) {
        stop();
        (void)fclose(seen.file);
    }
}
