#include "bot/loop/sending.h"

#include "bot/tables/delivery/delivery.h"
#include "bot/tables/tables.h"

struct loop_place *
sending_place(const struct loop *loop, const struct queued_message *queued)
{
    return &loop->places[places_find(&loop->tables->places, queued->place)
                             ->number];
}

struct service *
sending_service(const struct loop *loop, const struct queued_message *queued)
{
    return places_service(&loop->tables->places, queued->place);
}

bool
sending_is_unpictured(const struct loop *loop,
                      const struct queued_message *queued, bool page)
{
    return loop->steady < sending_place(loop, queued)->unpictured[page];
}

void
sending_log(const struct loop *loop, const struct queued_message *queued,
            enum log_level level, const char *event, const char *said)
{
    struct buf line = BUF_INIT;
    struct log_subject subject = delivery_subject(loop->tables, queued);
    subject.event = event;
    delivery_describe(queued, &line);
    log_about(level, &subject, "%s%s", buf_text(&line), said);
    buf_release(&line);
}
