#include "adapters/service.h"

const struct service_kind service_phpbb = {
    .adapter = &adapter_phpbb,
    .label = "phpBB, a forum",
    .guide = "adapters/phpbb/GUIDE.md",
    .own_bold = true,
    .site = "forum",
    .pages = {"/viewtopic.php", "/index.php", "/viewforum.php", "/ucp.php"},
    .logins[0].user_help =
        "placard is an ordinary member of the board. Register an account for "
        "it, named as players will see it, with British English as its "
        "language, and log in with it once. An admin then takes it out of the "
        "group Newly registered users, and makes it a moderator of the forum: "
        "Forum moderators > the forum > the role Standard Moderator.",
    .logins[0].secret = "Password",
    .place = "topic",
};
