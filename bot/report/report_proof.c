/* The report: was it played by the rules, and was the deal fair? */
#include "bot/record/verify.h"
#include "bot/report/report_inner.h"

/* A term and what it is, as exact text. */
static void
write_value(struct report *report, const char *key, const char *value)
{
    page_element(&report->page, "dt", key, NULL);
    page_raw(&report->page, "<dd><pre tabindex=\"0\">");
    page_text(&report->page, value);
    page_raw(&report->page, "</pre></dd>\n");
}

static void
write_command(struct report *report, const struct buf *command)
{
    page_raw(&report->page, "<pre tabindex=\"0\"><code>");
    page_text(&report->page, buf_text(command));
    page_raw(&report->page, "</code></pre>\n");
}

/* How to compute the commitment again with the tools of any system. */
static void
write_check(struct report *report)
{
    const struct record_game *game = report->story->game;
    struct params params = {.count = 0};
    struct buf command = BUF_INIT;
    params_text(&params, "table", game->id);
    page_element(&report->page, "h3", "report_check", NULL);
    page_element(&report->page, "p", "report_check_seed", NULL);
    buf_addf(&command, "printf 'SH-DEAL-1 %s %s\\n' | sha256sum", game->id,
             game->seed);
    write_command(report, &command);
    page_element(&report->page, "p", "report_check_all", &params);
    buf_clear(&command);
    buf_addf(&command,
             "placard record %s -o game.jsonl\nplacard verify game.jsonl",
             game->id);
    write_command(report, &command);
    page_element(&report->page, "p", "report_check_hand", NULL);
    buf_release(&command);
}

static const char *const proof_keys[] = {
    [PROOF_NONE] = "report_proof_none",
    [PROOF_OPEN] = "report_proof_open",
    [PROOF_KEY] = "report_proof_key",
    [PROOF_HOLDS] = "report_proof_holds",
};

static void
write_verdict(struct report *report)
{
    struct verdict verdict;
    struct params params = {.count = 0};
    struct buf why = BUF_INIT;
    verify_game(report->story->game, &verdict);
    if (verdict.legality == LEGALITY_BROKEN) {
        if (report->story->numbered == NULL) {
            page_clean(buf_text(&verdict.why), &why);
        }
        params_number(&params, "line", (int64_t)verdict.number);
        params_text(&params, "rule", verdict.rule);
        params_text(&params, "why", buf_text(&why));
        page_element(&report->page, "p", "report_illegal", &params);
    } else {
        page_element(&report->page, "p", "report_legal", NULL);
        page_element(&report->page, "p", proof_keys[verdict.proof], NULL);
    }
    buf_release(&why);
    verdict_release(&verdict);
}

void
report_proof(struct report *report)
{
    const struct record_game *game = report->story->game;
    struct buf transcript = BUF_INIT;
    write_verdict(report);
    if (game->commitment[0] == '\0') {
        return;
    }
    page_raw(&report->page, "<dl>\n");
    write_value(report, "report_commitment", game->commitment);
    if (game->transcript != NULL && report->story->numbered != NULL) {
        page_element(&report->page, "dt", "report_transcript", NULL);
        page_element(&report->page, "dd", "report_transcript_hidden", NULL);
    } else if (game->transcript != NULL) {
        page_clean(game->transcript, &transcript);
        write_value(report, "report_transcript", buf_text(&transcript));
    }
    if (game->seed[0] != '\0') {
        write_value(report, "report_seed", game->seed);
    }
    if (game->key[0] != '\0') {
        write_value(report, "report_key", game->key);
    }
    page_raw(&report->page, "</dl>\n");
    if (game->seed[0] != '\0') {
        write_check(report);
    }
    buf_release(&transcript);
}
