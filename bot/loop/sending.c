#include "bot/loop/sending.h"

#include "bot/tables/entry.h"
#include "bot/tables/tables.h"

unsigned
sending_place(const struct loop *loop, const struct queued_message *queued)
{
    const struct hosted_place *place =
        places_find(&loop->tables->places, queued->place);
    return place == NULL ? NO_PLACE : place->number;
}

bool
sending_is_unpictured(const struct loop *loop,
                      const struct queued_message *queued, bool page)
{
    unsigned number = sending_place(loop, queued);
    return number != NO_PLACE &&
           loop->steady < loop->places[number].unpictured[page];
}
