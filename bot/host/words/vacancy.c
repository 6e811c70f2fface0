#include "bot/host/words/vacancy.h"

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

void
vacancy_say_change(const struct ruling *ruling, struct speech *speech,
                   bool majority, struct rich *out)
{
    const struct game *game = &ruling->table->game;
    seat_set present = game_present(game);
    seat_set choices = game_awaits(game).choices;
    if (majority && present != ruling->first_present) {
        rich_add_text(out, " ", 0);
        speech_add(speech, "present_now", out);
    }
    if (ruling->table->phase == ruling->first_phase &&
        choices != ruling->first_choices) {
        speech_seats(speech, "gained",
                     (seat_set)(choices & ~ruling->first_choices));
        speech_seats(speech, "lost",
                     (seat_set)(ruling->first_choices & ~choices));
        rich_add_text(out, " ", 0);
        speech_add(speech, "choices_now", out);
    }
}
