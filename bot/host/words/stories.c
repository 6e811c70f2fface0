#include "bot/host/words/stories.h"

#include "bot/host/words/speech.h"

static const char *
story_key(const struct table_claim *claim)
{
    switch ((enum power)claim->power) {
    case POWER_INVESTIGATE:
        return "told_party";
    case POWER_PEEK:
        return "told_peek";
    case POWER_NONE:
    case POWER_SPECIAL_ELECTION:
    case POWER_EXECUTION:
        break;
    }
    return "told_hand";
}

/* Append "FFL FL" in the letters of the catalogue. */
static void
add_cards(const struct host_env *env, const char *cards, struct buf *out)
{
    for (; *cards != '\0'; cards++) {
        struct pile card = {0, 0};
        if (*cards == ' ') {
            buf_add_char(out, ' ');
            continue;
        }
        pile_add(&card, *cards == 'L');
        speech_letters(env, card, out);
    }
}

/* Was the same thing told about before? */
static bool
is_told(const struct table *table, unsigned claim)
{
    for (unsigned i = 0; i < claim; i++) {
        if (table_is_same_story(&table->claims[i], &table->claims[claim])) {
            return true;
        }
    }
    return false;
}

/* All that one player has said about one thing, from their first story on. */
static void
add_story(const struct host_env *env, const struct table *table, unsigned first,
          struct rich *out)
{
    const struct table_claim *claim = &table->claims[first];
    struct params params = {.count = 0};
    struct buf stories = BUF_INIT;
    for (unsigned i = first; i < table->claim_count; i++) {
        if (!table_is_same_story(&table->claims[i], claim)) {
            continue;
        }
        if (i > first) {
            catalogue_text(env->catalogue, "told_then", NULL, &stories);
        }
        add_cards(env, table->claims[i].cards, &stories);
    }
    params_text(&params, "name",
                table_name_then(table, claim->seat, claim->was));
    params_text(&params, "target", table->seats[claim->target].name);
    params_text(&params, "stories", buf_text(&stories));
    catalogue_say(env->catalogue, story_key(claim), &params, out);
    buf_release(&stories);
}

void
stories_add(const struct host_env *env, const struct table *table,
            unsigned round, struct rich *out)
{
    for (unsigned i = 0; i < table->claim_count; i++) {
        if (table->claims[i].round == round && !is_told(table, i)) {
            add_story(env, table, i, out);
        }
    }
}
