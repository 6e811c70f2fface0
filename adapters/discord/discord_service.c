#include "adapters/service.h"

static const struct service_kind elsewhere = {
    .adapter = &adapter_discord,
    .label = "Another server that speaks Discord's API, such as Spacebar",
    .site = "server",
    .pages = {"/channels/"},
    .logins[0].secret = "Token",
    .logins[0].secret_help = "Make an application with a bot there, and copy "
                             "the bot's token.",
    .place = "channel",
    .links = true,
};

const struct service_kind service_discord = {
    .adapter = &adapter_discord,
    .label = "Discord",
    .guide = "adapters/discord/GUIDE.md",
    .base = "https://discord.com",
    .logins[0].secret = "Token",
    .logins[0].secret_help =
        "Make the bot, in a browser:\n"
        "  1. Open https://discord.com/developers/applications and log in.\n"
        "  2. New Application; type the name that players will see; Create.\n"
        "  3. On the left: Bot. Turn \"Message Content Intent\" on, so that "
        "posts count\n"
        "     without a mention; an app whose servers have more than 10,000 "
        "users together\n"
        "     needs Discord's review for it, every year. Without it people play "
        "by buttons,\n"
        "     commands and mentions. Save Changes.\n"
        "  4. On the same page: Reset Token, \"Yes, do it!\", Copy.",
    .place = "channel",
    /* GUIDE.md explains the permissions. */
    .places_help =
        "The bot is in no server yet. Open this address in a browser, choose "
        "the server, Continue, Authorize:\n"
        "  https://discord.com/oauth2/authorize?client_id=%s&scope=bot+"
        "applications.commands&permissions=2252109051440192\n"
        "Then press Enter here, to look again.",
    .links = true,
    .elsewhere = &elsewhere,
};
