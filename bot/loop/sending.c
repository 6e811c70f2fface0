#include "bot/loop/sending.h"

#include "bot/tables/hosted.h"
#include "bot/tables/tables.h"

struct loop_place *
sending_place(const struct loop *loop, const struct queued_message *queued)
{
    const struct hosted_place *place =
        places_find(&loop->tables->places, queued->place);
    return place == NULL ? NULL : &loop->places[place->number];
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
    const struct loop_place *place = sending_place(loop, queued);
    return place != NULL && loop->steady < place->unpictured[page];
}
