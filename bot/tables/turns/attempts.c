#include "bot/base/log.h"
#include "bot/host/words/speech.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/turns_inner.h"

int64_t
attempt_begin(struct tables *tables, const char *what, const char *at)
{
    int64_t tries = store_try(tables->store, what, at);
    store_begin(tables->store);
    return tries;
}

void
attempt_end(struct tables *tables, const char *what)
{
    store_forget_attempt(tables->store, what);
    store_commit(tables->store);
    store_end_attempt(tables->store);
}

/* Say a line in a table's thread; `once`: never again. */
void
attempt_tell(struct tables *tables, struct table *table, const char *key,
             bool once, int64_t now)
{
    struct ruling ruling;
    struct rich text = {.count = 0};
    struct params params = {.count = 0};
    struct host_env env = tables_env(tables, table, now);
    params_text(&params, "table", table->id);
    ruling_init(&ruling, &env, table);
    catalogue_say(env.catalogue, key, &params, &text);
    struct message *message = ruling_post(&ruling, &text);
    if (once) {
        ruling_once(&ruling, message, "", key, AGAIN_DROP);
    }
    rule_save(tables, &ruling);
}

/* Take a table out for good; the others go on. */
void
attempt_hold(struct tables *tables, struct hosted_table *hosted, int64_t now)
{
    struct table *table = &hosted->table;
    attempt_tell(tables, table, "held", false, now);
    store_hold(tables->store, table->id);
    log_about(LOG_LEVEL_ERROR,
              &(struct log_subject){.table = table->id, .place = table->place},
              "table %s is on hold: placard has crashed on it", table->id);
    table->state = TABLE_OVER; /* so that it is cleared away */
    hosted_note(tables, hosted);
    tables->hosted.ended = true;
}

/* ---- posts on which the process dies ------------------------------------- */

/* Skip a post, and hold the game that would have got it. */
static void
set_aside(struct tables *tables, struct service *service,
          const struct post *post, int64_t now)
{
    struct hosted_table *hosted = posts_hosted(tables, service, post);
    log_about(LOG_LEVEL_ERROR, &(struct log_subject){.service = service->name},
              "%s: post %s is set aside: placard has died on it", service->name,
              post->id);
    (void)store_see(tables->store, service->name, post, 0,
                    "set aside: placard has died on it");
    if (hosted != NULL) {
        attempt_hold(tables, hosted, now);
    }
}

void
attempt_post(struct tables *tables, struct service *service,
             const struct post *post, int64_t deferred, int64_t most,
             int64_t now)
{
    struct buf what = BUF_INIT;
    buf_addf(&what, "post %s %s %s", service->name, post->place, post->id);
    int64_t tries = attempt_begin(tables, buf_text(&what), "");
    if (deferred != 0) {
        store_forget_deferred(tables->store, deferred);
    }
    if (tries > most) {
        set_aside(tables, service, post, now);
    } else if (deferred != 0) {
        posts_judge(tables, service, post, now);
    } else {
        posts_take(tables, service, post, now);
    }
    attempt_end(tables, buf_text(&what));
    buf_release(&what);
}
