/*
 * How a service is described.
 *
 * What a service can do, where it is, how the host's account there is got, and
 * what people call things there is data.  Whoever needs it asks the
 * description: nothing outside a service's folder compares names of services or
 * adapters.
 *
 * Its capabilities belong to the adapter (adapters/adapter.h).  All else is in
 * a `struct service_kind`, most of it what `placard setup` says: in English, a
 * sentence or more, wrapped where it is shown, but for lines that begin with a
 * blank.  One "%s" in a text marked (*) stands for the account.
 */
#ifndef ADAPTERS_SERVICE_H
#define ADAPTERS_SERVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adapters/markup/rich.h"

struct adapter;

/* What a service can do, and within which limits. */
struct capabilities {
    size_t longest, shortest; /* of a post, as it is written; 0: no limit */
    size_t longest_private;   /* of a DM; 0: as of a post */
    unsigned mentions; /* people mentioned in one post, at most; 0: no limit */
    enum length unit;  /* of the lengths above */
    int64_t dedupe;    /* ms during which a repeated key does not post again */
    int64_t margin;    /* ms that posts may be out of order, for `through` */
    int64_t pause;     /* ms between two reads of a feed that had nothing new */
    unsigned rate;     /* requests a minute, at most; 0: no known limit */
    unsigned burst; /* of them, that may go at once after a rest; 0: a quarter
                       of a second's */
    bool reactions, edits, deletes, pins, threads;
    bool uploads;        /* accepts pictures */
    bool pages;          /* accepts HTML pages, as files */
    bool locks;          /* OP_LOCK works, if the account has the right */
    bool pictures_apart; /* a post's picture is a separate post after it */
    bool edits_follow;   /* a post comes as first written, then each edit of it:
                            if an edit comes first, its post is from before our
                            time */
    bool rereads;        /* an edit shows only if the post is read again */
    int64_t anyway;      /* ms: so long after a game's feed was read it is read
                            again, though its updates feed shows nothing new:
                            for edits, which do not show there; 0: it need not
                            be */
    bool feeds_apart;    /* each place and DM has a feed of its own */
    int64_t disorder; /* ms: a feed may bring a post stamped so long before one
                         it has already brought; 0: never.  Not more than the
                         margin */
    /* People can write in red there, and by default a name must be red
     * (READING.md R12). */
    bool red;
    bool finds;     /* OP_FIND works */
    bool moves;     /* a place may be replaced by another (POST_MOVED) */
    bool merges;    /* a post may be moved into another place, with its id */
    bool leaves;    /* people may leave their DM, or not enter it (POST_LEFT) */
    bool pings_all; /* a post can ping everybody in its place */
    bool pings_roles; /* … or all who have a role */
    bool roles;     /* a press and the doorbell tell the roles of an author, and
                       OP_ROLES works */
    bool buttons;   /* under posts; what is pressed comes by the doorbell */
    bool commands;  /* slash commands; they come by the doorbell */
    bool galleries; /* OP_INVITE works */
    bool makes;     /* OP_SITE, OP_MAKE and OP_APPOINT work, for setup */
};

/* What fits in one post, in a thread or in a DM; `longest` is 0 if there is no
 * limit. */
struct measure capabilities_measure(const struct capabilities *capabilities,
                                    bool dm);

/* Must a name be red to count at such a service?  `red` is the setting of that
 * name, "" if unset; ignored if people have no colours there. */
bool capabilities_require_red(const struct capabilities *capabilities,
                              const char *red);

/* A way for the host to log in. */
struct service_login {
    const char *label; /* where there are several: what the operator chooses */
    /* Said before the account's name is asked for, such as how to make one; "":
     * nothing; NULL: the name is not asked for. */
    const char *user_help;
    /* (*) Said before the secret is asked for; NULL: nothing. */
    const char *secret_help;
    const char *secret; /* what people call it: "API key" */
    bool grants;        /* by a browser, where the site grants it (OP_GRANT) */
};

enum {
    SERVICE_PAGES_MAX = 4,
    SERVICE_LOGINS_MAX = 3,
};

struct service_kind {
    const struct adapter *adapter; /* whose name is the kind's, too */
    const char *label;             /* "phpBB, a forum" */
    const char *guide; /* how the operator gets an account: a file's path */
    /* This program serves it: it has no address, no account, and one place. */
    bool embedded;
    /* Each site shows bold in its own way, so posts have to be looked at. */
    bool own_bold;

    /* Where it is: the base of all its URLs, if that is the same for everybody;
     * NULL: the operator configures it.  What people call that: "forum"; and
     * what is said of its address, where the usual won't do. */
    const char *base, *site, *address_help;
    /* What follows the base in the addresses of its pages, one of which may be
     * pasted: "/t/". */
    const char *pages[SERVICE_PAGES_MAX];

    /* Which account: the ways to log in, the usual one first, and what is asked
     * where there are several. */
    struct service_login logins[SERVICE_LOGINS_MAX];
    const char *login_question;

    /* Where games are hosted: what people call a place: "topic".  Where the
     * usual won't do: how one is named that is not in the list ("paste its
     * link"), and (*) what is to be done where the list is empty. */
    const char *place, *place_help, *places_help;
    bool links; /* a place is configured by its link: ids tell people nothing */

    /* Servers with the same API at an address of their own, and the same name
     * in the configuration; NULL: there are none. */
    const struct service_kind *elsewhere;
};

/* The tables of operations and the descriptions of all services. */
#define SERVICE(name)                                                          \
    extern const struct adapter adapter_##name;                                \
    extern const struct service_kind service_##name;
#include "adapters/service_list.h"
#undef SERVICE

/* All kinds but those elsewhere, in the order in which they are offered, NULL
 * after the last (adapters/service_list.h). */
extern const struct service_kind *const service_kinds[];

/* Find a kind by its name, or its adapter; NULL: none. */
const struct service_kind *service_find(const char *name);
const struct adapter *adapter_find(const char *name);

#endif
