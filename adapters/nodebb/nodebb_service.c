#include "adapters/service.h"

const struct service_kind service_nodebb = {
    .adapter = &adapter_nodebb,
    .label = "NodeBB, a forum",
    .guide = "adapters/forum/GUIDE.md",
    .own_bold = true,
    .site = "forum",
    .pages = {"/topic/", "/category/", "/user/", "/recent"},
    .logins[0].secret = "Token",
    .logins[0].secret_help =
        "placard is an ordinary member of the forum. Sign up an account for "
        "it, named as players will see it. An admin then makes it a moderator "
        "of the category (Manage > Privileges), and makes its token: Admin > "
        "Settings > API Access > Create Token, with the account's user id, "
        "which Manage > Users shows. Copy the token.",
    .place = "topic",
};
