#include "bot/base/log.h"
#include "bot/host/words/speech.h"
#include "bot/tables/hosted.h"
#include "bot/tables/rule.h"
#include "bot/tables/tables.h"
#include "bot/tables/turns/turns_inner.h"

enum err
attempt_begin(struct tables *tables, const char *what, const char *at,
              int64_t *tries, struct buf *why)
{
    enum err err = store_try(tables->store, what, at, tries, why);
    return err == ERR_NONE ? store_begin(tables->store, why) : err;
}

enum err
attempt_end(struct tables *tables, const char *what, enum err err,
            struct buf *why)
{
    if (err == ERR_NONE) {
        err = store_forget_attempt(tables->store, what, why);
    }
    err = tables_end(tables, err, why);
    return err == ERR_NONE ? store_end_attempt(tables->store, why) : err;
}

/* Say a line in a table's thread; `once`: never again. */
enum err
attempt_tell(struct tables *tables, struct table *table, const char *key,
             bool once, int64_t now, struct buf *why)
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
    return rule_save(tables, &ruling, why);
}

/* Take a table out for good; the others go on. */
enum err
attempt_hold(struct tables *tables, struct hosted_table *hosted, int64_t now,
             struct buf *why)
{
    struct table *table = &hosted->table;
    enum err err = attempt_tell(tables, table, "held", false, now, why);
    if (err == ERR_NONE) {
        err = store_hold(tables->store, table->id, why);
    }
    log_about(LOG_LEVEL_ERROR,
              &(struct log_subject){.table = table->id, .place = table->place},
              "table %s is on hold: placard has crashed on it", table->id);
    table->state = TABLE_OVER; /* so that it is cleared away */
    hosted_note(tables, hosted);
    tables->hosted.ended = true;
    return err;
}

/* ---- posts on which the process dies ------------------------------------- */

/* Skip a post, and hold the game that would have got it. */
static enum err
set_aside(struct tables *tables, struct service *service,
          const struct post *post, int64_t now, struct buf *why)
{
    bool again = false;
    struct hosted_table *hosted = posts_hosted(tables, service, post);
    log_about(LOG_LEVEL_ERROR, &(struct log_subject){.service = service->name},
              "%s: post %s is set aside: placard has died on it", service->name,
              post->id);
    enum err err = store_see(tables->store, service->name, post, 0,
                             "set aside: placard has died on it", &again, why);
    return err == ERR_NONE && hosted != NULL
               ? attempt_hold(tables, hosted, now, why)
               : err;
}

enum err
attempt_post(struct tables *tables, struct service *service,
             const struct post *post, int64_t deferred, int64_t most,
             int64_t now, struct buf *why)
{
    struct buf what = BUF_INIT;
    int64_t tries = 0;
    buf_addf(&what, "post %s %s %s", service->name, post->place, post->id);
    enum err err = attempt_begin(tables, buf_text(&what), "", &tries, why);
    if (err == ERR_NONE && deferred != 0) {
        err = store_forget_deferred(tables->store, deferred, why);
    }
    if (err == ERR_NONE) {
        err = tries > most    ? set_aside(tables, service, post, now, why)
              : deferred != 0 ? posts_judge(tables, service, post, now, why)
                              : posts_take(tables, service, post, now, why);
    }
    err = attempt_end(tables, buf_text(&what), err, why);
    buf_release(&what);
    return err;
}
