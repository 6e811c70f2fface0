#include "bot/host/judge/answer.h"

#include <string.h>

#include "bot/host/reading/intent.h"

void
answer_end(struct judging *judging)
{
    if (judging->speaks) {
        speech_release(&judging->speech);
    }
    judging->speaks = false;
}

struct speech *
answer_begin(struct judging *judging)
{
    const struct game *game = &judging->table->game;
    struct speech *speech = &judging->speech;
    answer_end(judging);
    judging->speaks = true;
    speech_init_for(speech, judging->ruling->env, judging->table, NULL,
                    judging->seat);
    speech_seat(speech, "player", judging->seat);
    params_number(&speech->params, "veto_power",
                  game->veto_power && !game->veto_declined);
    return speech;
}

/* What the author has to mend need not be said once the question is over; but
 * who has lost their seat is told how to get it back. */
static struct message *
end_with_question(const struct judging *judging, struct message *message)
{
    if (!seat_in(judging->seat, judging->table->game.vacant)) {
        ruling_about(judging->ruling, message);
    }
    return message;
}

/* Answer by private message, once per matter and question; an attempt, once a
 * minute. */
static void
answer_privately(struct judging *judging, const char *key, bool attempt)
{
    struct ruling *ruling = judging->ruling;
    const struct post *post = judging->input->post;
    struct rich text = {.count = 0};
    struct buf matter = BUF_INIT;
    speech_say(&judging->speech, key, &text);
    if (attempt) {
        buf_addf(&matter, "attempt %lld",
                 (long long)(post_time(post) / MINUTE_MS));
    } else {
        buf_addf(&matter, "%s_private", key);
    }
    struct message *message =
        end_with_question(judging, ruling_private(ruling, post->author, &text));
    ruling_once(ruling, message, post->author, buf_text(&matter), AGAIN_DROP);
    buf_release(&matter);
}

static bool
is_pressed(const struct judging *judging)
{
    return judging->input->post->kind == POST_PRESSED;
}

/* Answer the author: in the thread once per matter and question, and after that
 * by private message; in a DM if the post came there; a press as often as it
 * comes.  AGAIN_DROP: only once in any case.  AGAIN_ATTEMPT: all matters are
 * one. */
static void
answer_there(struct judging *judging, const char *key, enum message_again again)
{
    struct ruling *ruling = judging->ruling;
    const char *user = judging->input->post->author;
    struct rich text = {.count = 0};
    bool dm = judging->input->post->dm;
    if (dm && again == AGAIN_ATTEMPT) {
        answer_privately(judging, key, true);
        return;
    }
    speech_say(&judging->speech, key, &text);
    if (is_pressed(judging)) {
        (void)ruling_reply(ruling, &text);
    } else {
        struct message *message =
            end_with_question(judging, dm ? ruling_private(ruling, user, &text)
                                          : ruling_post(ruling, &text));
        if (!dm &&
            strcmp(judging->input->post->place, judging->table->thread) != 0) {
            message->place = must_copy(judging->input->post->place);
        }
        if (!dm || again == AGAIN_DROP) {
            ruling_once(ruling, message, user,
                        again == AGAIN_ATTEMPT ? "attempt" : key, again);
        }
    }
}

enum judgement
answer_say(struct judging *judging, const char *key, enum message_again again)
{
    answer_there(judging, key, again);
    if (!judging->input->post->dm && !is_pressed(judging)) {
        answer_privately(judging, key, again == AGAIN_ATTEMPT);
    }
    answer_end(judging);
    return HEARD_ANSWERED;
}

enum judgement
answer_sealed(struct judging *judging)
{
    (void)answer_begin(judging);
    answer_privately(judging, "hint_sealed", true);
    answer_end(judging);
    return HEARD_ANSWERED;
}

/* Show in private how a player is named, by name: in the thread that could act
 * when it is copied. */
static void
show_name(struct judging *judging, const char *slip, unsigned player)
{
    struct speech *speech = answer_begin(judging);
    speech_slip(speech, slip);
    speech_example(speech, player);
    speech_seat(speech, "target", player);
    params_number(&speech->params, "nominates",
                  judging->reading.phase == PHASE_NOMINATION);
    answer_privately(judging, "hint_paste", true);
}

enum judgement
answer_simply(struct judging *judging, const char *key,
              enum message_again again)
{
    (void)answer_begin(judging);
    return answer_say(judging, key, again);
}

/* The sentences that ask back. */
static const char *const asks[] = {
    [ASK_NONE] = "ask_not_alone",
    [ASK_BOTH] = "ask_both",
    [ASK_NOT_ALONE] = "ask_not_alone",
    [ASK_DM] = "ask_talk",
    [ASK_OTHER_WORDS] = "ask_other_words",
    [ASK_DISGUISE] = "ask_disguise",
    [ASK_SEVERAL_NAMES] = "ask_several_names",
    [ASK_UNCLEAR_NAME] = "ask_unclear_name",
    [ASK_UNKNOWN_NAME] = "ask_unknown_name",
    [ASK_OWN_LINE] = "ask_own_line",
    [ASK_TALKED_ABOUT] = "ask_talked_about",
    [ASK_SPOOFED] = "ask_spoofed",
    [ASK_CARDS] = "ask_cards",
    [ASK_NOT_IN_HAND] = "ask_not_in_hand",
    [ASK_ABSTAIN] = "ask_abstain",
    [ASK_BALLOT] = "ask_ballot",
};

static const char *
ask_key(const struct judging *judging)
{
    enum question_back question = judging->intent.question;
    bool veto = judging->reading.phase == PHASE_VETO_PRESIDENT;
    if (veto && question == ASK_DM) {
        return "ask_talk_veto";
    }
    return veto && (question == ASK_NOT_ALONE || question == ASK_NONE)
               ? "ask_not_alone_veto"
               : asks[question];
}

/* The card that a president has answered by its number alone, which says
 * neither to keep it nor to discard it; 0: it is something else. */
static unsigned
bare_number(const struct judging *judging)
{
    const char *text = judging->intent.text;
    bool bare = text[0] >= '1' && text[0] <= '3' && text[1] == '\0';
    return bare && judging->reading.phase == PHASE_DM_PRESIDENT
               ? (unsigned)(text[0] - '0')
               : 0;
}

/* Is it a vote in the thread that belongs in a private message? */
static bool
is_secret_vote(const struct judging *judging)
{
    return judging->reading.phase == PHASE_VOTING &&
           judging->table->game.rules.ballot == BALLOT_SEALED;
}

static void
ask_back(struct judging *judging)
{
    enum question_back question = judging->intent.question;
    if (is_secret_vote(judging)) {
        (void)answer_sealed(judging);
        return;
    }
    struct speech *speech = answer_begin(judging);
    struct params *params = &speech->params;
    params_text(params, "text", judging->intent.text);
    params_text(params, "word", judging->intent.word);
    params_number(params, "president_asks",
                  judging->reading.phase == PHASE_DM_PRESIDENT);
    params_number(params, "number", bare_number(judging));
    for (unsigned i = 0; i < judging->intent.player_count; i++) {
        speech_seat(speech, "candidates", judging->intent.players[i]);
    }
    params_number(params, "nominates",
                  judging->reading.phase == PHASE_NOMINATION);
    bool talk = question == ASK_DM || question == ASK_TALKED_ABOUT ||
                question == ASK_ABSTAIN;
    if (judging->input->post->dm) {
        answer_there(judging, ask_key(judging), AGAIN_PRIVATE);
    } else {
        answer_there(judging, ask_key(judging),
                     talk ? AGAIN_DROP : AGAIN_ATTEMPT);
        if (question == ASK_OWN_LINE) {
            show_name(judging, NULL, judging->intent.players[0]);
        } else {
            answer_privately(judging, ask_key(judging), true);
        }
    }
    answer_end(judging);
}

enum judgement
answer_refusal(struct judging *judging, enum refusal refusal, unsigned target)
{
    struct buf key = BUF_INIT;
    speech_seat(answer_begin(judging), "target", target);
    buf_addf(&key, "refused_%s", refusal_key(refusal));
    if (refusal == REFUSAL_VOTED_ALREADY) {
        answer_there(judging, buf_text(&key), AGAIN_PRIVATE);
    } else {
        (void)answer_say(judging, buf_text(&key), AGAIN_PRIVATE);
    }
    buf_release(&key);
    answer_end(judging);
    return HEARD_ANSWERED;
}

bool
answer_if_refused(struct judging *judging, const struct command *command)
{
    struct game tried = judging->table->game;
    struct events events;
    enum refusal refusal = game_step(&tried, command, &events);
    if (refusal != REFUSAL_NONE) {
        (void)answer_refusal(judging, refusal, command->target);
    }
    return refusal != REFUSAL_NONE;
}

/* Could the player whom the author means not be named? */
static bool
is_refused_name(struct judging *judging, unsigned player)
{
    struct command command = {
        .kind = (uint8_t)(judging->reading.phase == PHASE_NOMINATION
                              ? COMMAND_NOMINATE
                              : COMMAND_TARGET),
        .seat = (uint8_t)judging->seat,
        .target = (uint8_t)player};
    return answer_if_refused(judging, &command);
}

enum judgement
answer_unclear(struct judging *judging)
{
    if (judging->intent.question != ASK_OWN_LINE ||
        !is_refused_name(judging, judging->intent.players[0])) {
        ask_back(judging);
    }
    return HEARD_ANSWERED;
}
/* ---- attempts in private, or at another time ---------------------------- */

/* Is something in it marked as code, as the host's own examples are? */
static bool
has_code(const struct rich *rich)
{
    unsigned marks = 0;
    for (size_t i = 0; i < rich->count; i++) {
        marks |= rich->runs[i].marks;
    }
    return (marks & MARK_CODE) != 0;
}

/* A player who is asked for a card, or a sealed vote, and writes something else
 * is told so. */
static enum judgement
hint_private(struct judging *judging)
{
    struct speech *speech = answer_begin(judging);
    params_number(&speech->params, "president_asks",
                  judging->reading.phase == PHASE_DM_PRESIDENT);
    speech_slip(speech, has_code(judging->input->rich) ? "slip_code" : NULL);
    return answer_say(judging,
                      judging->reading.phase == PHASE_DM_BALLOT ? "ask_ballot"
                                                                : "hint_cards",
                      AGAIN_ATTEMPT);
}

/* What kind of act a text would be for another reading, by its words alone. */
static enum intent_kind
read_as(const struct judging *judging, const struct rich *rich,
        struct reading *reading)
{
    struct intent intent;
    struct buf why = BUF_INIT;
    vocabulary_lend(&judging->vocabulary, reading);
    intent_read(rich, reading, &intent, &why);
    buf_release(&why);
    return intent.kind;
}

/* Does the post speak of the veto? */
static bool
speaks_of_veto(const struct judging *judging)
{
    struct reading reading = {.phase = PHASE_VETO_CHANCELLOR};
    const struct rich *rich = judging->input->rich;
    unsigned player = 0;
    return read_as(judging, rich, &reading) != INTENT_NONE ||
           intent_nearly(rich, &reading, &player) != SLIP_NONE;
}

/* Does it choose a card, whatever is in the hand, in code or not? */
static bool
chooses_card(const struct judging *judging)
{
    struct reading president = {.phase = PHASE_DM_PRESIDENT, .hand = "FLF"};
    struct reading chancellor = {.phase = PHASE_DM_CHANCELLOR, .hand = "LF"};
    struct rich rich = {.count = 0};
    rich_add_rich(&rich, judging->input->rich);
    for (size_t i = 0; i < rich.count; i++) {
        rich.runs[i].marks &= ~(unsigned)MARK_CODE;
    }
    bool found = read_as(judging, &rich, &president) == INTENT_PASS ||
                 read_as(judging, &rich, &chancellor) == INTENT_ENACT;
    rich_release(&rich);
    return found;
}

/* Answer one of the government who posts in the session what belongs in a
 * private message.  Nothing of it may depend on the hand or on whose turn it
 * is. */
static bool
tell_private(struct judging *judging)
{
    const struct game *game = &judging->table->game;
    if (judging->input->post->dm || judging->input->ordered ||
        !table_in_session(judging->table) ||
        (judging->seat != game->president &&
         judging->seat != game->chancellor)) {
        return false;
    }
    bool card = chooses_card(judging);
    if (!card && !speaks_of_veto(judging)) {
        return false;
    }
    (void)answer_simply(judging,
                        card || game->veto_power ? "hint_private"
                                                 : "refused_veto_not_due",
                        AGAIN_ATTEMPT);
    return true;
}

/* Does the next candidate, or the one at the time of the post, name a
 * chancellor before the round is open? */
static bool
names_early(const struct judging *judging)
{
    const struct game *game = &judging->table->game;
    struct reading reading = judging->reading;
    bool just_opened = game->question == QUESTION_NOMINATE &&
                       seat_in(judging->seat, judging->awaits.seats) &&
                       post_time(judging->input->post) < judging->table->since;
    if (judging->input->post->dm ||
        (!just_opened && judging->seat != game_next_candidate(game))) {
        return false;
    }
    reading.phase = PHASE_NOMINATION;
    return read_as(judging, judging->input->rich, &reading) == INTENT_NOMINATE;
}

/* The round whose vote was closed last; NULL: none was. */
static const struct past_round *
last_closed(const struct table *table)
{
    for (unsigned i = table->past_count; i-- > 0;) {
        if (table->past[i].present != 0) {
            return &table->past[i];
        }
    }
    return NULL;
}

/* Would the post be a vote if there were one? */
static bool
reads_as_vote(const struct judging *judging)
{
    struct reading reading = {
        .phase = judging->input->post->dm ? PHASE_DM_BALLOT : PHASE_VOTING};
    return read_as(judging, judging->input->rich, &reading) == INTENT_VOTE;
}

/* Is it a vote of somebody who has not voted, after the vote was closed? */
static bool
votes_late(const struct judging *judging)
{
    const struct game *game = &judging->table->game;
    const struct past_round *round = last_closed(judging->table);
    bool sealed = game->rules.ballot == BALLOT_SEALED;
    if (judging->input->post->dm != sealed || round == NULL ||
        game->question == QUESTION_VOTE || game->question == QUESTION_VETO ||
        round->chancellor == NO_SEAT ||
        !seat_in(judging->seat, round->present & (seat_set)~round->voted)) {
        return false;
    }
    return reads_as_vote(judging);
}

/* Say so once; in the thread to the first of them, below the result: it is the
 * same for all. */
static enum judgement
tell_closed(struct judging *judging)
{
    const struct past_round *round = last_closed(judging->table);
    struct ruling *ruling = judging->ruling;
    int64_t number = round == NULL ? 0 : round->round;
    if (judging->input->post->dm) {
        params_number(&answer_begin(judging)->params, "closed_round", number);
        return answer_say(judging, "hint_closed", AGAIN_DROP);
    }
    struct speech speech;
    speech_init(&speech, ruling->env, judging->table, NULL);
    speech_seat(&speech, "player", judging->seat);
    params_number(&speech.params, "closed_round", number);
    struct message *message = speech_post(
        &speech, ruling, judging->input->moved ? "hint_moved" : "hint_closed");
    message->waits = true;
    ruling_once(ruling, message, "", "hint_closed", AGAIN_DROP);
    speech_release(&speech);
    return HEARD_ANSWERED;
}

/* Is it a vote before anybody is nominated? */
static bool
votes_early(const struct judging *judging)
{
    return !judging->input->post->dm &&
           judging->table->game.question == QUESTION_NOMINATE &&
           judging->awaits.seats != 0 && reads_as_vote(judging);
}

static enum judgement
tell_early(struct judging *judging)
{
    speech_seat(answer_begin(judging), "candidate",
                judging->table->game.president);
    return answer_say(judging, "hint_vote_early", AGAIN_DROP);
}

/* Is it a command that is none, such as "!vote ja"? */
static bool
orders_act(const struct judging *judging)
{
    const char *prefix = judging->table->settings.prefix;
    return !judging->input->ordered &&
           strncmp(buf_text(&judging->input->rich->text), prefix,
                   strlen(prefix)) == 0;
}

/* Tell somebody who writes in private, and is asked nothing there, where what
 * they are asked belongs. */
static enum judgement
point_to_thread(struct judging *judging)
{
    enum question question = judging->awaits.question;
    bool asked = !table_in_session(judging->table) &&
                 seat_in(judging->seat, judging->awaits.seats);
    struct params *params = &answer_begin(judging)->params;
    params_number(params, "asks", asked);
    params_number(params, "votes", asked && question == QUESTION_VOTE);
    params_number(params, "vetoes", asked && question == QUESTION_VETO);
    return answer_say(judging, "private_nothing",
                      asked ? AGAIN_ATTEMPT : AGAIN_DROP);
}

enum judgement
answer_unasked(struct judging *judging)
{
    const struct input *input = judging->input;
    const struct game *game = &judging->table->game;
    if (votes_late(judging)) {
        return tell_closed(judging);
    }
    if (input->moved) {
        return HEARD_NOTHING; /* it is no answer to what is asked by now */
    }
    if (input->post->dm && !input->ordered) {
        return point_to_thread(judging);
    }
    if (tell_private(judging)) {
        return HEARD_ANSWERED;
    }
    if (votes_early(judging)) {
        return tell_early(judging);
    }
    if (names_early(judging)) {
        return answer_simply(judging, "hint_early", AGAIN_DROP);
    }
    if (orders_act(judging)) {
        bool voted = game->question == QUESTION_VOTE &&
                     seat_in(judging->seat, game->voted);
        return answer_simply(
            judging, voted ? "refused_voted_already" : "refused_not_now",
            AGAIN_DROP);
    }
    return HEARD_NOTHING;
}

/* ---- attempts in the thread ---------------------------------------------- */

/* A vote, or the answer to a veto, is no name. */
bool
answer_guess(struct judging *judging)
{
    static const enum phase others[] = {PHASE_VOTING, PHASE_VETO_CHANCELLOR,
                                        PHASE_VETO_PRESIDENT};
    const struct rich *rich = judging->input->rich;
    bool other = false;
    bool votes = judging->reading.phase == PHASE_VOTING;
    for (size_t i = 0; !votes && i < sizeof others / sizeof others[0]; i++) {
        struct reading reading = {.phase = others[i]};
        other = other || read_as(judging, rich, &reading) != INTENT_NONE;
    }
    return !other && intent_guess(rich, &judging->reading, &judging->intent);
}

/* The sentences that say what was wrong; NULL: that it is not bold. */
static const char *const slips[] = {
    [SLIP_NONE] = NULL,
    [SLIP_BLACK] = "slip_black",
    [SLIP_THIN] = "slip_thin",
    [SLIP_UNCLOSED] = "slip_unclosed",
    [SLIP_MARKS] = "slip_marks",
    [SLIP_CODE] = "slip_code",
    [SLIP_HIDDEN] = "slip_hidden",
    [SLIP_COMMAND] = "slip_command",
};

/* Somebody is named as it doesn't count. */
static void
hint_name(struct judging *judging, enum slip slip, unsigned player)
{
    bool named = player < judging->reading.player_count;
    if (named && slip != SLIP_TALK && is_refused_name(judging, player)) {
        return;
    }
    struct speech *speech = answer_begin(judging);
    speech_slip(speech, slips[slip]);
    if (slip == SLIP_TALK) {
        speech_seat(speech, "candidates", player);
        (void)answer_say(judging, "ask_talked_about", AGAIN_DROP);
    } else if (!named) {
        (void)answer_say(judging, "hint_name", AGAIN_ATTEMPT);
    } else {
        answer_there(judging, "hint_name", AGAIN_ATTEMPT);
        show_name(judging, slips[slip], player);
        answer_end(judging);
    }
}

enum judgement
answer_attempt(struct judging *judging)
{
    enum phase phase = judging->reading.phase;
    unsigned player = judging->reading.player_count;
    const char *lost =
        language_find(&judging->ruling->env->catalogue->language, "read_lost");
    if (judging->input->post->dm) {
        return hint_private(judging);
    }
    if (!seat_in(judging->seat, judging->awaits.seats)) {
        return answer_unasked(judging);
    }
    if (answer_guess(judging)) {
        ask_back(judging);
        return HEARD_ANSWERED;
    }
    enum slip slip =
        intent_nearly(judging->input->rich, &judging->reading, &player);
    if (slip == SLIP_NONE && intent_says(judging->input->rich, "", "", lost)) {
        slip = SLIP_UNBOLD;
    }
    if (slip == SLIP_NONE) {
        return answer_unasked(judging);
    }
    if (is_secret_vote(judging)) {
        (void)answer_sealed(judging);
    } else if (phase == PHASE_VOTING || phase == PHASE_VETO_PRESIDENT) {
        speech_slip(answer_begin(judging), slips[slip]);
        (void)answer_say(judging,
                         phase == PHASE_VOTING ? "hint_vote" : "hint_veto",
                         AGAIN_ATTEMPT);
    } else {
        hint_name(judging, slip, player);
    }
    return HEARD_ANSWERED;
}
