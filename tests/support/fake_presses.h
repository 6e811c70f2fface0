/*
 * Interactions of a Discord in memory (tests/support/fake_discord.h), as its
 * documentation has them ("Receiving and Responding", "Component Reference",
 * "Application Commands"): people press buttons of the bot's messages, and of
 * what they alone were shown, and give the slash commands that the bot has
 * registered.
 *
 * It holds the bot to what Discord demands.  Components are within their
 * limits. An interaction is acknowledged within three seconds, once, and
 * answered within a quarter of an hour; a second acknowledgement is refused
 * (40060), and one that is too late (10062).  Nobody can press what they are
 * not shown.
 */
#ifndef TESTS_FAKE_PRESSES_H
#define TESTS_FAKE_PRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/fake_discord.h"

struct fake_presses;

/* What its presser is shown: borrowed until the next press is made. */
struct fake_press {
    uint64_t id, channel;
    const char *user; /* a name */
    bool typed;       /* it asks what can be chosen */
    bool acknowledged;
    unsigned answers;      /* edits of what is shown */
    char *content;         /* NULL: nothing yet */
    char *components;      /* as JSON */
    struct fake_press *of; /* what is shown is under that one's answer; NULL */
    char token[48];
    int64_t made;
    int64_t answered; /* first; 0: not yet */
};

struct fake_presses *fake_presses_new(struct fake_discord *fake_discord);
void fake_presses_free(struct fake_presses *presses);

/* Somebody presses the button of that label, or chooses it from a menu: under
 * the newest message of a channel that has such a one; or under what they were
 * shown last (`channel` 0).  Appends the event's data.  NULL: there is none. */
struct fake_press *fake_presses_press(struct fake_presses *presses,
                                      const char *user, uint64_t channel,
                                      const char *label, int64_t now,
                                      struct buf *event);

enum {
    FAKE_LABEL_MAX = 81 /* with its end */
};

/* Copy the label that begins so under what somebody is shown; false: there is
 * none. */
bool fake_presses_label(const struct fake_press *press, const char *beginning,
                        char label[FAKE_LABEL_MAX]);

/* Is a slash command registered that takes that value, "": none? */
bool fake_presses_takes(const struct fake_presses *presses, const char *name,
                        const char *value);

/* Somebody gives a slash command, which MUST be taken, in a channel.  Appends
 * the event's data. */
struct fake_press *fake_presses_command(struct fake_presses *presses,
                                        const char *user, uint64_t channel,
                                        const char *name, const char *value,
                                        int64_t now, struct buf *event);

/* Somebody chooses a command in the menu of a person, which MUST be registered.
 * Appends the event's data. */
struct fake_press *fake_presses_ask_of(struct fake_presses *presses,
                                       const char *user, uint64_t channel,
                                       const char *name, const char *person,
                                       int64_t now, struct buf *event);

/* Somebody types a value for the option of a slash command, which need not be
 * registered, in a channel (D "Autocomplete").  Appends the event's data. */
struct fake_press *fake_presses_type(struct fake_presses *presses,
                                     const char *user, uint64_t channel,
                                     const char *name, const char *option,
                                     int64_t now, struct buf *event);

/* The bot has no slash commands in its servers, for want of the scope. */
void fake_presses_take_scope(struct fake_presses *presses, bool taken);

/* How often the list of commands was asked for, and replaced. */
unsigned fake_presses_listed(const struct fake_presses *presses);
unsigned fake_presses_replaced(const struct fake_presses *presses);

/* The nth that was made; NULL: there are not so many. */
const struct fake_press *fake_presses_at(const struct fake_presses *presses,
                                         size_t at);

/* How many were made, were not acknowledged in time, and how many requests
 * about them were refused. */
unsigned fake_presses_count(const struct fake_presses *presses);
unsigned fake_presses_failed(const struct fake_presses *presses, int64_t now);
unsigned fake_presses_refused(const struct fake_presses *presses);

/* Does anything that somebody was shown hold a text? */
bool fake_presses_showed(const struct fake_presses *presses, const char *user,
                         const char *text);

#endif
