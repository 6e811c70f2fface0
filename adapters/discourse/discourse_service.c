#include "adapters/service.h"

const struct service_kind service_discourse = {
    .adapter = &adapter_discourse,
    .label = "Discourse, a forum",
    .guide = "adapters/forum/GUIDE.md",
    .own_bold = true,
    .site = "forum",
    .pages = {"/t/", "/c/", "/u/", "/latest"},
    .logins[0].user_help =
        "placard is an ordinary member of the forum. Sign up an account for "
        "it, named as players will see it. An admin then opens Admin > Users > "
        "the account, and under Permissions: Grant Moderation. Without that "
        "the forum takes three posts in a row and no more.",
    .logins[0].secret = "API key",
    .logins[0].secret_help =
        "An admin makes the key: Admin > API > Keys > Add API Key; User Level: "
        "Single User, %s; Scope: Global. It is shown once: copy it.",
    .place = "topic",
};
