#include <stdio.h>

#include "bot/cli/archive.h"
#include "bot/host/words/status.h"
#include "bot/record/record.h"

static void
print_pile(const char *title, struct pile pile)
{
    (void)printf("%s", title);
    for (unsigned i = 0; i < pile.count; i++) {
        (void)printf("%s", pile_is_liberal(pile, i) ? "L" : "F");
    }
    (void)printf("%s\n", pile.count == 0 ? "(empty)" : "");
}

/* Print what only the host knows. */
static void
print_secrets(const struct table *table)
{
    const struct game *game = &table->game;
    (void)printf("\nSecrets:\n");
    if (table->state == TABLE_SIGNUP || game->question == QUESTION_DEAL) {
        (void)printf("Nothing is dealt yet.\n");
        return;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        (void)printf("%s: %s\n", table->seats[seat].name,
                     record_role_name(game_role(game, seat)));
    }
    print_pile("Deck, top first: ", game->draw);
    print_pile("Hand: ", game->hand);
    (void)printf("Discarded: %u liberal, %u fascist\n",
                 (unsigned)game->discarded_liberal,
                 (unsigned)game->discarded_fascist);
    if (game->question != QUESTION_VOTE) {
        return;
    }
    for (unsigned seat = 0; seat < table->seated; seat++) {
        if (game->voted & seat_bit(seat)) {
            (void)printf("%s has voted %s\n", table->seats[seat].name,
                         game->ja & seat_bit(seat) ? "ja" : "nein");
        }
    }
}

struct showing {
    const char *game;
    bool host; /* with what only the host knows */
};

static enum err
show_game(struct archive *archive, void *context, struct buf *why)
{
    const struct showing *showing = context;
    struct table table;
    struct buf text = BUF_INIT;
    table_init(&table);
    enum err err = archive_table(archive, showing->game, &table, why);
    if (err == ERR_NONE && showing->host && table.state == TABLE_RUNNING) {
        err = store_note_look(archive->conf.store, showing->game, why);
    }
    ERR_THEN(err, archive_say(archive, &table, status_say, &text, why));
    if (err == ERR_NONE) {
        (void)printf("%s\n", buf_text(&text));
        if (showing->host) {
            print_secrets(&table);
        }
    }
    table_release(&table);
    buf_release(&text);
    return err;
}

int
command_show(int argc, char **argv)
{
    const char *file = NULL;
    struct showing showing = {.game = NULL};
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--host", .flag = &showing.host},
        {.name = NULL},
    };
    showing.game = options_word(rows, argc, argv,
                                "which game? `placard games` lists them");
    return showing.game != NULL ? archive_do(file, show_game, &showing)
                                : EXIT_USAGE;
}
