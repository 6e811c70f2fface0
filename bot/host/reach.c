#include "bot/host/reach.h"

#include "bot/host/words/speech.h"

/* Say a key that speaks of a player. */
static void
say(const struct docket *docket, unsigned seat, const char *key,
    struct rich *text)
{
    struct speech speech;
    speech_init(&speech, docket->house, docket->table, NULL);
    speech_seat(&speech, "player", seat);
    speech_say(&speech, key, text);
    speech_release(&speech);
}

/* Once a round: until it is over, whoever does not come has been asked. */
static void
once_a_round(const struct docket *docket, struct letter *letter,
             const char *matter, const char *user)
{
    struct buf once = BUF_INIT;
    buf_addf(&once, "%s/round %u/%s/%s", docket->table->id, docket->first_round,
             matter, user);
    letter->once = buf_take(&once);
    letter->again = AGAIN_DROP;
}

void
reach_missed(struct docket *docket, const char *user, enum reach reach)
{
    const char *key = reach == REACH_UNSEEN ? "talk_unseen" : "talk_refused";
    unsigned seat = table_seat(docket->table, user);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT) {
        return;
    }
    say(docket, seat, key, &text);
    once_a_round(docket, docket_post(docket, &text), key, user);
    rich_release(&text);
}

void
reach_sealed(struct docket *docket, const struct post *post)
{
    unsigned seat = table_seat(docket->table, post->author);
    struct rich text = {.count = 0};
    if (seat == NO_SEAT) {
        return;
    }
    const char *key = post->kind == POST_HIDDEN ? "hidden_post"
                      : post->talk              ? "sealed_talk"
                                                : "sealed_post";
    say(docket, seat, key, &text);
    struct letter *letter = post->talk
                                ? docket_private(docket, post->author, &text)
                                : docket_post(docket, &text);
    once_a_round(docket, letter, key, post->author);
    rich_release(&text);
}
