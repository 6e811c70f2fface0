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

static enum err
show_game(struct archive *archive, const char *game, bool host, struct buf *why)
{
    struct table table;
    struct buf text = BUF_INIT;
    table_init(&table);
    enum err err = archive_table(archive, game, &table, why);
    if (err == ERR_NONE && host && table.state == TABLE_RUNNING) {
        err = archive_note_look(archive, game, why);
    }
    if (err == ERR_NONE) {
        err = archive_say(archive, &table, status_say, &text, why);
    }
    if (err == ERR_NONE) {
        (void)printf("%s\n", buf_text(&text));
        if (host) {
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
    bool host = false;
    const struct option_row rows[] = {
        {.name = "-c", .value = &file},
        {.name = "--host", .flag = &host},
        {.name = NULL},
    };
    struct archive *archive = NULL;
    struct buf why = BUF_INIT;
    if (!options_read(rows, &argc, argv)) {
        return EXIT_USAGE;
    }
    if (argc != 2) {
        (void)fprintf(stderr, "placard show: which game? `placard games` lists "
                              "them\n");
        return EXIT_USAGE;
    }
    int code = archive_open(file, &archive);
    if (code != EXIT_DONE) {
        return code;
    }
    code = show_game(archive, argv[1], host, &why) == ERR_NONE
               ? EXIT_DONE
               : command_fail(&why);
    buf_release(&why);
    archive_close(archive);
    return code;
}
