#include "adapters/service.h"

const struct service_kind service_matrix = {
    .adapter = &adapter_matrix,
    .label = "Matrix",
    .guide = "adapters/matrix/GUIDE.md",
    .address_help =
        "The homeserver that the account is at: its name, as it stands in "
        "@placard:matrix.org, or its address.",
    .pages = {"/_matrix"},
    .login_question =
        "placard is an ordinary user of the homeserver, with an account of its "
        "own. Sign it up in a browser, as a person would, and give it the "
        "display name that players will see. Don't set up encryption for it.\n"
        "How does it log in?",
    .logins[0].label = "With its password: the simplest",
    .logins[0].user_help = "",
    .logins[0].secret = "Password",
    .logins[1].label = "With an access token of its own, where the server has "
                       "no passwords",
    .logins[1].secret = "Access token",
    .logins[1].secret_help =
        "The guide to Matrix says how to get an access token; the one of a "
        "browser's session won't do for long.",
    .logins[2].label = "In a browser, where you log in as that account",
    .logins[2].secret = "Log-in",
    .logins[2].grants = true,
    .place = "room",
    .place_help = "type its address (#room:server), or `new`: then a room is "
                  "made, without encryption",
    .places_help = "%s is in no room yet. Type `new`, and one is made, without "
                   "encryption. If you make it in an app, turn encryption off "
                   "(later it can't be), and invite it; then press Enter here, "
                   "to look again. Element X encrypts every private room.",
};
