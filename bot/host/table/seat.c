#include "bot/host/table/seat.h"

#include <string.h>

#include "bot/base/name.h"

void
seat_each_name(struct seat *seat, void (*each)(const char **name))
{
    const char **const names[] = {&seat->user,     &seat->name,  &seat->alias,
                                  &seat->post,     &seat->words, &seat->now,
                                  &seat->language, &seat->zone};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        each(names[i]);
    }
}

void
seat_init(struct seat *seat)
{
    memset(seat, 0, sizeof *seat);
    seat_each_name(seat, name_begin);
}

void
seat_clone(struct seat *to, const struct seat *from)
{
    *to = *from;
    seat_each_name(to, name_keep_again);
}

void
seat_release(struct seat *seat)
{
    seat_each_name(seat, name_drop);
    seat_init(seat);
}
