#include "bot/host/words/gallery.h"

#include <string.h>

#include "bot/base/civil.h"
#include "bot/host/words/speech.h"

bool
gallery_is_offered(const struct host_env *env, const struct table *table)
{
    return env->capabilities->galleries &&
           strcmp(table->settings.gallery, "off") != 0;
}

bool
gallery_has_something(const struct host_env *env, const struct table *table)
{
    return gallery_is_offered(env, table) ||
           strcmp(table->settings.gallery, "roles") == 0;
}

void
gallery_invite(struct ruling *ruling, const char *user)
{
    struct speech speech;
    struct rich title = {.count = 0};
    speech_init(&speech, ruling->env, ruling->table, NULL);
    speech_say(&speech, "gallery_title", &title);
    ruling_invite(ruling, user, &title);
    speech_release(&speech);
}

void
gallery_refuse(struct ruling *ruling, const char *user, bool none)
{
    const struct table *table = ruling->table;
    unsigned seat = table_seat(table, user);
    const char *name = seat == NO_SEAT ? user : table->seats[seat].name;
    struct speech speech;
    speech_init(&speech, ruling->env, table, NULL);
    params_person(&speech.params, "player", user, name);
    speech_post(&speech, ruling, none ? "gallery_none" : "gallery_refused");
    speech_release(&speech);
}

/* Somebody may have deleted the place: then it is not tried for ever. */
static void
say_there(struct ruling *ruling, const char *key)
{
    struct speech speech;
    speech_init(&speech, ruling->env, ruling->table, NULL);
    struct message *message = speech_post(&speech, ruling, key);
    message->place = must_copy(ruling->table->gallery_place);
    message->not_after = ruling->env->now + DAY_MS;
    speech_release(&speech);
}

void
gallery_begin(struct ruling *ruling)
{
    say_there(ruling, "gallery_opened");
}

void
gallery_end(struct ruling *ruling)
{
    if (ruling->table->gallery_place[0] != '\0') {
        say_there(ruling, "gallery_over");
    }
}
