#include "bot/host/words/vacancy.h"

#include "bot/host/words/speech.h"

static void
say_vacancy(const struct ruling *ruling, unsigned seats, struct rich *out)
{
    const struct table *table = ruling->table;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    speech_link(&speech, table->thread, "");
    params_number(&speech.params, "seats", seats);
    params_number(&speech.params, "over", table->state == TABLE_OVER);
    speech_say(&speech, seats > 0 ? "vacancy" : "vacancy_over", out);
    speech_release(&speech);
}

void
vacancy_write(struct ruling *ruling)
{
    const struct table *table = ruling->table;
    bool over = table->state == TABLE_OVER;
    seat_set open = over ? 0 : table_open_seats(table);
    struct rich text = {.count = 0};
    struct buf once = BUF_INIT;
    if (table->home[0] == '\0' || !table->settings.advertises ||
        open == ruling->first_open) {
        return;
    }
    say_vacancy(ruling, speech_count(open), &text);
    buf_addf(&once, "%s/vacancy %u", table->id, table->vacancies);
    struct message *message = ruling_post(ruling, &text);
    message->place = must_copy(table->home);
    message->once = buf_take(&once);
    message->again = ruling->first_open == 0 ? AGAIN_DROP : AGAIN_EDIT;
}
