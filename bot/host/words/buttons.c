#include "bot/host/words/buttons.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Copy a text into a label; what is too long is cut at the end of a
 * character. */
static void
set_label(char label[4 * BUTTON_LABEL_MAX + 1], const char *text)
{
    size_t points = 0;
    size_t len = 0;
    while (text[len] != '\0' && len < 4 * (size_t)BUTTON_LABEL_MAX) {
        bool begins = ((unsigned char)text[len] & 0xC0) != 0x80;
        if (begins && points == BUTTON_LABEL_MAX) {
            break;
        }
        points += begins;
        len++;
    }
    memcpy(label, text, len);
    label[len] = '\0';
}

static struct button *
add(struct buttons *buttons, const struct press *press, const char *label)
{
    struct buf id = BUF_INIT;
    assert(buttons->count < BUTTONS_MAX);
    struct button *button = &buttons->list[buttons->count++];
    press_write(press, &id);
    assert(id.len <= BUTTON_ID_MAX);
    (void)snprintf(button->id, sizeof button->id, "%s", buf_text(&id));
    set_label(button->label, label);
    buf_release(&id);
    return button;
}

/* With a word of the catalogue on it. */
static void
add_word(struct buttons *buttons, const struct host_env *env,
         const struct press *press, const char *key)
{
    struct buf label = BUF_INIT;
    catalogue_text(env->catalogue, key, NULL, &label);
    (void)add(buttons, press, buf_text(&label));
    buf_release(&label);
}

static struct press
begin_press(const struct table *table, enum press_choice choice)
{
    struct press press = {.phase = table_phase(table), .choice = choice};
    (void)snprintf(press.table, sizeof press.table, "%s", table->id);
    return press;
}

static void
add_votes(const struct host_env *env, const struct table *table,
          struct buttons *buttons)
{
    struct press press = begin_press(table, PRESS_VOTE);
    struct speech speech;
    speech_init(&speech, env, table, NULL);
    press.number = 1;
    (void)add(buttons, &press, speech_vote(&speech, true));
    press.number = 0;
    (void)add(buttons, &press, speech_vote(&speech, false));
    speech_release(&speech);
}

static void
add_veto_answers(const struct host_env *env, const struct table *table,
                 struct buttons *buttons)
{
    struct press press = begin_press(table, PRESS_ANSWER_VETO);
    press.number = 1;
    add_word(buttons, env, &press, "button_approve");
    press.number = 0;
    add_word(buttons, env, &press, "button_decline");
}

/* A menu of the players who can be named. */
static void
add_names(const struct host_env *env, const struct table *table,
          const char *key, struct buttons *buttons)
{
    struct press press = begin_press(table, PRESS_NAME);
    struct buf menu = BUF_INIT;
    seat_set choices = game_awaits(&table->game).choices;
    catalogue_text(env->catalogue, key, NULL, &menu);
    set_label(buttons->menu, buf_text(&menu));
    for (unsigned seat = 0; seat < table->seated; seat++) {
        press.number = seat;
        if (seat_in(seat, choices)) {
            (void)add(buttons, &press, table->seats[seat].name);
        }
    }
    buf_release(&menu);
}

void
buttons_of_question(const struct host_env *env, const struct table *table,
                    struct buttons *buttons)
{
    memset(buttons, 0, sizeof *buttons);
    switch ((enum question)table->game.question) {
    case QUESTION_VOTE:
        add_votes(env, table, buttons);
        break;
    case QUESTION_NOMINATE:
        add_names(env, table, "menu_nominate", buttons);
        break;
    case QUESTION_INVESTIGATE:
        add_names(env, table, "menu_investigate", buttons);
        break;
    case QUESTION_SPECIAL_ELECTION:
        add_names(env, table, "menu_special", buttons);
        break;
    case QUESTION_EXECUTION:
        add_names(env, table, "menu_execution", buttons);
        break;
    case QUESTION_VETO:
        add_veto_answers(env, table, buttons);
        break;
    case QUESTION_DISCARD:
    case QUESTION_ENACT: {
        struct press press = begin_press(table, PRESS_SHOW_CARDS);
        add_word(buttons, env, &press, "button_cards");
        break;
    }
    case QUESTION_DEAL:
    case QUESTION_RESHUFFLE:
    case QUESTION_NONE:
        break;
    }
}

void
buttons_of_status(const struct host_env *env, const struct table *table,
                  struct buttons *buttons)
{
    struct press join = begin_press(table, PRESS_JOIN);
    struct press leave = begin_press(table, PRESS_LEAVE);
    struct press ready = begin_press(table, PRESS_READY);
    struct press role = begin_press(table, PRESS_SHOW_ROLE);
    memset(buttons, 0, sizeof *buttons);
    role.phase = 0; /* it is the same in every question */
    if (table->state == TABLE_SIGNUP) {
        add_word(buttons, env, &join, "button_join");
        add_word(buttons, env, &leave, "button_leave");
    } else if (table->state == TABLE_CHECK) {
        add_word(buttons, env, &ready, "button_ready");
        add_word(buttons, env, &leave, "button_leave");
    } else if (table->state == TABLE_RUNNING) {
        add_word(buttons, env, &role, "button_role");
    }
}

void
buttons_of_hand(const struct speech *speech, struct buttons *buttons)
{
    const struct table *table = speech->table;
    const struct game *game = &table->game;
    bool enacts = game->question == QUESTION_ENACT;
    struct press press = begin_press(table, PRESS_CARD);
    struct press veto = begin_press(table, PRESS_ASK_VETO);
    uint8_t order[3];
    memset(buttons, 0, sizeof *buttons);
    speech_order(game->hand, enacts, order);
    for (unsigned i = 0; i < game->hand.count; i++) {
        struct buf label = BUF_INIT;
        struct params params = {.count = 0};
        press.number = i;
        params_number(&params, "number", i + 1);
        params_text(&params, "policy",
                    speech_policy(speech->env,
                                  pile_is_liberal(game->hand, order[i]),
                                  false));
        catalogue_text(speech->env->catalogue, "card", &params, &label);
        (void)add(buttons, &press, buf_text(&label));
        buf_wipe(&label);
    }
    if (game_awaits(game).may_veto) {
        add_word(buttons, speech->env, &veto, "button_veto");
    }
}

void
buttons_to_confirm(const struct speech *speech, const struct press *press,
                   struct buttons *buttons)
{
    struct press confirmed = *press;
    struct press back = *press;
    bool card = press->choice == PRESS_CARD || press->choice == PRESS_ASK_VETO;
    memset(buttons, 0, sizeof *buttons);
    confirmed.confirmed = true;
    back.choice = card ? PRESS_SHOW_CARDS : PRESS_BACK;
    add_word(buttons, speech->env, &confirmed, "button_yes");
    buttons->list[0].alarming = true; /* it can't be taken back */
    add_word(buttons, speech->env, &back, "button_no");
}
