/* The desk: what is said where messages can't be delivered, or can again. */
#include <stdio.h>
#include <stdlib.h>

#include "bot/base/log.h"
#include "bot/tables/tables_inner.h"

bool
desk_is_secret(const struct desk *desk, const struct envelope *envelope)
{
    const struct table *table = desk_table_named(desk, envelope->game);
    return envelope->letter.kind == LETTER_PRIVATE && table != NULL &&
           table_is_secret(table);
}

void
desk_describe(const struct desk *desk, const struct envelope *envelope,
              struct buf *out)
{
    static const char *const kinds[] = {
        [LETTER_POST] = "a post",
        [LETTER_PRIVATE] = "a private message",
        [LETTER_STATUS] = "the status post",
        [LETTER_REACT] = "a reaction",
        [LETTER_DELETE] = "the deletion of a post",
        [LETTER_TRANSCRIPT] = "the transcript of the deal",
        [LETTER_OPEN] = "a thread of its own",
        [LETTER_LOCK] = "a lock on a post",
    };
    const struct letter *letter = &envelope->letter;
    (void)desk;
    if (envelope->game[0] != '\0') {
        buf_addf(out, "table %s, ", envelope->game);
    }
    buf_addf(out, "place \"%s\": %s", envelope->place,
             letter->kind == LETTER_POST && letter->calls != 0
                 ? "a call"
                 : kinds[letter->kind]);
    if (letter->kind != LETTER_PRIVATE) {
        buf_addf(out, " in %s", envelope->thread);
    }
    buf_add_text(out, " waits since ");
    instant_write(letter->written, out);
}

enum err
desk_works_again(struct desk *desk, const struct envelope *envelope,
                 int64_t now, struct buf *why)
{
    struct table *table = desk_table_named(desk, envelope->game);
    struct docket docket;
    if (table == NULL) {
        return ERR_NONE; /* its game is over */
    }
    struct house house = desk_house(desk, table, now);
    docket_init(&docket, &house, table);
    reach_again(&docket, envelope->thread, envelope->letter.written);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    return err;
}

enum err
desk_queued(struct desk *desk, const struct envelope *envelope, int64_t now,
            struct buf *why)
{
    struct table *table = desk_table_named(desk, envelope->game);
    enum err err = ERR_NONE;
    struct buf line = BUF_INIT;
    desk_describe(desk, envelope, &line);
    buf_add_text(&line, " for a moderator's approval; approve it, and let the "
                        "host's account post without approval");
    log_line(LOG_LEVEL_WARNING, "%s", buf_text(&line));
    if (table != NULL) {
        struct docket docket;
        struct house house = desk_house(desk, table, now);
        docket_init(&docket, &house, table);
        reach_queued(&docket);
        err = store_save_docket(desk->store, &docket, &desk->outbox, why);
        docket_release(&docket);
    }
    if (err == ERR_NONE) {
        err = desk_alarm(desk, buf_text(&line), now, why);
    }
    buf_release(&line);
    return err;
}

void
desk_say_refused(struct desk *desk, const struct envelope *envelope,
                 int64_t now, struct buf *text)
{
    const struct table *table = desk_table_named(desk, envelope->game);
    struct table *blank = NULL;
    struct rich said = {.count = 0};
    if (table == NULL) {
        const struct place *place = desk_place(desk, envelope->place);
        blank = must_alloc(sizeof *blank);
        blank->settings =
            place == NULL ? desk->conf->settings : place->settings;
        (void)snprintf(blank->place, sizeof blank->place, "%s",
                       envelope->place);
        table = blank;
    }
    struct house house = desk_house(desk, table, now);
    reach_refused_words(&house, table, envelope->letter.kind == LETTER_PRIVATE,
                        &said);
    house.dialect->write(&said, text);
    rich_release(&said);
    free(blank);
}

enum err
desk_alarm(struct desk *desk, const char *text, int64_t now, struct buf *why)
{
    const char *user = NULL;
    const struct place *place = conf_alarm(desk->conf, &user);
    struct docket docket;
    if (place == NULL) {
        return ERR_NONE;
    }
    unsigned number = (unsigned)(place - desk->conf->places);
    if (user[0] == '\0' && desk->threads[number][0] == '\0') {
        return ERR_NONE; /* it can't be told there: the log has it */
    }
    struct table *blank = must_alloc(sizeof *blank);
    blank->settings = place->settings;
    (void)snprintf(blank->place, sizeof blank->place, "%s", place->name);
    (void)snprintf(blank->thread, sizeof blank->thread, "%s",
                   desk->threads[number]);
    struct house house = desk_house_for(desk, desk_service_of(desk, number),
                                        place, &place->settings, now);
    docket_init(&docket, &house, blank);
    reach_operator(&docket, user, text);
    enum err err = store_save_docket(desk->store, &docket, &desk->outbox, why);
    docket_release(&docket);
    free(blank);
    return err;
}
