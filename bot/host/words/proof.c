#include "bot/host/words/proof.h"

#include <string.h>

#include "bot/host/words/speech.h"

enum {
    FOLDED = MARK_CODE | MARK_SPOILER
};

/* Say a key, followed by an exact text: in the same line, if that is one. */
static void
say_exact(const struct ruling *ruling, const char *key, const char *exact,
          size_t len, struct rich *out)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_say(&speech, key, out);
    rich_add_text(out, memchr(exact, '\n', len) == NULL ? " " : "\n", 0);
    rich_add(out, exact, len, FOLDED);
    speech_release(&speech);
}

void
proof_say_commitment(const struct table *table, struct rich *out)
{
    char commitment[DEAL_HEX + 1];
    table_commitment(table, commitment);
    rich_add_text(out, commitment, MARK_CODE);
}

void
proof_post_commitment(struct ruling *ruling)
{
    char commitment[DEAL_HEX + 1];
    struct rich text = {.count = 0};
    if (!ruling->table->fair) {
        return;
    }
    table_commitment(ruling->table, commitment);
    say_exact(ruling, "proof_commitment", commitment, DEAL_HEX, &text);
    ruling_post(ruling, &text)->waits = true; /* for the table's own post */
}

void
proof_post_transcript(struct ruling *ruling)
{
    struct buf transcript = BUF_INIT;
    struct rich text = {.count = 0};
    if (!ruling->table->fair) {
        return;
    }
    table_transcript(ruling->table, &transcript);
    /* The code block ends its last line itself. */
    say_exact(ruling, "proof_transcript", buf_text(&transcript),
              transcript.len - 1, &text);
    ruling_transcript(ruling, &text);
    buf_release(&transcript);
}

void
proof_post_secret(struct ruling *ruling)
{
    struct buf seed = BUF_INIT;
    struct rich text = {.count = 0};
    if (!ruling->table->fair) {
        return;
    }
    buf_add_hex(&seed, ruling->table->secret, DEAL_SECRET);
    say_exact(ruling, "proof_secret", buf_text(&seed), seed.len, &text);
    ruling_post(ruling, &text);
    buf_wipe(&seed);
}
