#include "config/settings.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "bot/base/civil.h"
#include "config/config.h"
#include "config/language.h"

#define IN(where, type, member)                                                \
    .scope = (where), .offset = offsetof(struct type, member),                 \
    .size = sizeof(((struct type *)NULL)->member)
#define IN_CONF(member)    IN(SCOPE_TOP, conf, member)
#define IN_ACCOUNT(member) IN(SCOPE_SERVICE, account, member)
#define IN_PLACE(member)   IN(SCOPE_PLACE, place, member)
#define IN_GAME(member)    IN(SCOPE_GAME, settings, member)

#define PHASE  .type = SETTING_DURATION, .min = SECOND_MS, .max = 30 * DAY_MS
#define OPTION .type = SETTING_CHOICE, .rule = true

static const struct setting table[] = {
    {.key = "store",
     .type = SETTING_FILE,
     IN_CONF(store),
     .normal = "placard.db",
     .help = "The file in which the games are kept, from this file's folder."},
    {.key = "key_file",
     .type = SETTING_FILE,
     IN_CONF(key_file),
     .normal = "",
     .help = "The file of the key with which the secrets in the store are "
             "sealed. It is made at the first start, beside the store and "
             "named after it where this is not set; keep a copy of it, apart "
             "from the backups of the store."},
    {.key = "board",
     .type = SETTING_FILE,
     IN_CONF(board),
     .normal = "board.db",
     .help = "The file in which the embedded board keeps its posts."},
    {.key = "alarm",
     .type = SETTING_TEXT,
     IN_CONF(alarm),
     .normal = "",
     .help = "Where the operator is told, beside the log, that a token is not "
             "accepted any more, that a place refuses the host, that a "
             "message has waited for ten minutes, or that the disk is nearly "
             "full: the name of a place, or such a name, a blank, and a user "
             "id there."},

    {.key = "election",
     PHASE,
     IN_GAME(election),
     .normal = "24h",
     .help = "Time from the post that opens a round to the end of its vote."},
    {.key = "nomination",
     PHASE,
     IN_GAME(nomination),
     .normal = "12h",
     .help = "Time from the post that opens a round in which the candidate "
             "must name a chancellor. Not longer than election: a part of it "
             "is kept for the vote."},
    {.key = "president",
     PHASE,
     IN_GAME(president),
     .normal = "12h",
     .help = "Time for the President to choose which policy to discard."},
    {.key = "chancellor",
     PHASE,
     IN_GAME(chancellor),
     .normal = "12h",
     .help = "Time for the Chancellor to choose which policy to enact."},
    {.key = "veto",
     PHASE,
     IN_GAME(veto),
     .normal = "12h",
     .help = "Time for the President to answer when the Chancellor asks for a "
             "veto."},
    {.key = "power",
     PHASE,
     IN_GAME(power),
     .normal = "24h",
     .help = "Time for the President to use a power."},
    {.key = "grace",
     .type = SETTING_DURATION,
     IN_GAME(grace),
     .max = 7 * DAY_MS,
     .normal = "0",
     .help = "How long an answer that is late still counts, for cards and "
             "powers. A late vote never counts."},
    {.key = "daily",
     .type = SETTING_HOUR,
     IN_GAME(daily),
     .normal = "",
     .help = "An hour of the day, such as \"21:00\": each deadline is set to "
             "it, at least the phase's time away. The nomination's alone is "
             "not, so that a round takes no day longer for it."},
    {.key = "quiet",
     .type = SETTING_HOURS,
     IN_GAME(quiet),
     .normal = "",
     .help = "Hours without reminders, such as \"23:00-07:00\". A deadline "
             "that would fall there is set to their end; who is asked there "
             "for a chancellor has the time from their end on, and never less "
             "than eight hours outside them (or all of the time, where "
             "nomination is shorter)."},
    {.key = "days_off",
     .type = SETTING_DAYS,
     IN_GAME(days_off),
     .normal = "",
     .help = "Days on which no deadline falls, such as \"Sat Sun\"."},
    {.key = "reminders",
     .type = SETTING_TIMES,
     IN_GAME(reminders),
     .normal = "6h, 1h",
     .help = "How long before a deadline those who are awaited are reminded; "
             "at most four times."},
    {.key = "prod",
     .type = SETTING_DURATION,
     IN_GAME(prod),
     .max = 30 * DAY_MS,
     .normal = "0",
     .help = "A player who has not posted for so long, quiet hours and pauses "
             "not counted, gets one private message, and after twice that the "
             "moderators get the name, once; such as \"36h\". 0: never. Votes "
             "that end early hide absences from misses; this finds them."},
    {.key = "second_thought",
     .type = SETTING_DURATION,
     IN_GAME(second_thought),
     .max = DAY_MS,
     .normal = "15m",
     .help = "An execution is announced, and done only after this time: until "
             "then the President may name another."},
    {.key = "undeliverable",
     .type = SETTING_DURATION,
     IN_GAME(undeliverable),
     .max = 7 * DAY_MS,
     .normal = "24h",
     .help = "How long a phase waits for a player whom private messages can't "
             "reach, once per player and game."},
    {.key = "cards_timeout",
     .type = SETTING_CHOICE,
     IN_GAME(cards_timeout),
     .choices = {"lots", "wait"},
     .normal = "lots",
     .help = "When the time for a choice of cards has run out: the host draws "
             "lots, or the game waits."},
    {.key = "power_timeout",
     .type = SETTING_CHOICE,
     IN_GAME(power_timeout),
     .choices = {"forfeit", "lots", "wait"},
     .normal = "forfeit",
     .help = "When the time for a power has run out twice: it is forfeited, "
             "the host draws lots, or the game waits."},
    {.key = "misses",
     .type = SETTING_NUMBER,
     IN_GAME(misses),
     .max = 99,
     .normal = "2",
     .help =
         "The seat of a player who misses this many deadlines becomes vacant; 0: never. Missed votes count in a row, all others over the game."},
    {.key = "moderation",
     .type = SETTING_BOOL,
     IN_GAME(table_moderates),
     .choices = {"moderators", "table"},
     .normal = "moderators",
     .help = "Who helps a game along: its moderators, or the players together, "
             "when more than half of them agree."},
    {.key = "ready_check",
     .type = SETTING_BOOL,
     IN_GAME(ready_check),
     .choices = {"off", "on"},
     .normal = "on",
     .help = "Before a game starts each player gets a word by private message "
             "to post in bold: so both are known to work."},
    {.key = "start_reminder",
     .type = SETTING_BOOL,
     IN_GAME(start_reminder),
     .choices = {"off", "on"},
     .normal = "off",
     .help = "Of a game that begins at a time: the day before, those who have "
             "joined are reminded. If too few have joined by that time, it "
             "moves by a day, once; without this the sign-up closes."},
    {.key = "removal",
     .type = SETTING_BOOL,
     IN_GAME(deletes),
     .choices = {"warn", "delete"},
     .normal = "warn",
     .help = "What becomes of posts that break the silence: a warning, or they "
             "are deleted too."},
    {.key = "edits",
     .type = SETTING_BOOL,
     IN_GAME(locks),
     .choices = {"warn", "lock"},
     .normal = "warn",
     .help = "What becomes of a post that has counted: whoever edits it is "
             "told that nothing changes, or it is locked against edits, where "
             "the service can."},
    {.key = "reactions",
     .type = SETTING_BOOL,
     IN_GAME(reactions),
     .choices = {"off", "on"},
     .normal = "on",
     .help = "Whether the host acknowledges a vote by a reaction, where the "
             "service has them."},
    {.key = "claims",
     .type = SETTING_BOOL,
     IN_GAME(claims),
     .choices = {"off", "on"},
     .normal = "on",
     .help = "Whether the host asks what people saw, once after each session, "
             "investigation and peek, and the status post has their answers, "
             "true or not. The history always has them."},
    {.key = "emoji",
     .type = SETTING_BOOL,
     IN_GAME(emoji),
     .choices = {"off", "on"},
     .normal = "on",
     .help = "Whether the boards are drawn with emoji as well as numbers."},
    {.key = "gallery",
     .type = SETTING_CHOICE,
     IN_GAME(gallery),
     .choices = {"off", "on", "roles"},
     .normal = "off",
     .help =
         "Whether the executed, and people who have no seat, are let into a "
         "place apart if they ask for it by `!gallery`, where the service "
         "has such places; with \"roles\" the executed are also told all "
         "roles, by private message. Who is let in takes no seat at that "
         "table again, and the game can't be taken back past the execution "
         "of one who was."},
    {.key = "report",
     .type = SETTING_BOOL,
     IN_GAME(reports),
     .choices = {"off", "on"},
     .normal = "off",
     .help = "Whether the host posts the report of a game at its end, which "
             "`!report` gives in any case: as one page where the service takes "
             "such files, elsewhere as posts with all hands, votes and "
             "claims."},
    {.key = "thread",
     .type = SETTING_BOOL,
     IN_GAME(new_thread),
     .choices = {"here", "new"},
     .normal = "new",
     .help = "A game opens a thread of its own where the service can, or is "
             "played where it was opened."},
    {.key = "vacancies",
     .type = SETTING_BOOL,
     IN_GAME(advertises),
     .choices = {"thread", "place"},
     .normal = "thread",
     .help = "Where a seat that is free in a game is offered: in the game's "
             "thread, or in the place too if the game has its own thread; "
             "that post is edited once the seat is taken."},
    {.key = "zone",
     .type = SETTING_ZONE,
     IN_GAME(zone),
     .normal = "UTC",
     .help = "The time zone in which times are shown and read, such as "
             "\"Europe/Berlin\"."},
    {.key = "language",
     .type = SETTING_LANGUAGE,
     IN_GAME(language),
     .normal = "en",
     .help = "The language of what the host writes."},
    {.key = "theme",
     .type = SETTING_THEME,
     IN_GAME(theme),
     .normal = THEME_ORIGINAL,
     .help = "The setting in which the game is played: its words for parties, "
             "roles, offices and policies."},
    {.key = "style",
     .type = SETTING_CHOICE,
     IN_GAME(style),
     .choices = {"auto", "full", "short"},
     .normal = "auto",
     .help = "How much the host's posts explain: full says how to do what is "
             "asked, short leaves that to reminders and help. auto is full in "
             "the first two rounds, and afterwards for whoever does a thing "
             "for the first or second time."},
    {.key = "prefix",
     .type = SETTING_WORD,
     IN_GAME(prefix),
     .min = 1,
     .normal = "!",
     .help = "What a command begins with."},
    {.key = "red",
     .type = SETTING_CHOICE,
     IN_GAME(red),
     .choices = {"required", "accepted"},
     .normal = "",
     .help = "How a player is named: in bold red (required), or also in bold "
             "alone on a line, or by a bold mention (accepted). Unset it is "
             "as usual at the service: required on the board and where forums "
             "have BBCode, accepted elsewhere."},
    {.key = "words",
     .type = SETTING_VOTES,
     IN_GAME(words),
     .normal = "",
     .help = "The words that are votes, those for the government first; more "
             "than one are parted by commas, and the first of each side is "
             "shown in examples: \"Oui/Non\", \"Ja/Nee,Nein\". "
             "\"language\": those of the place's language. Unset: Ja!/Nein!, "
             "or as the theme has them, or Oui/Non in French by the French "
             "rules. Ja! and Nein! count in any case."},
    {.key = "seats",
     .type = SETTING_BOOL,
     IN_GAME(random_seats),
     .choices = {"signup", "random"},
     .normal = "signup",
     .help = "The order of the seats: as people signed up, or drawn."},
    {.key = "rules",
     OPTION,
     IN_GAME(preset),
     .choices = {"play-by-post", "official", "french"},
     .normal = "play-by-post",
     .help = "The text of the rules by which games are played. Each of the "
             "options below can also be set by itself; unset, it is as this "
             "text has it."},
    {.key = "hitler_knows_fascists",
     OPTION,
     IN_GAME(rules[0]),
     .choices = {"never", "small"},
     .normal = "",
     .help = "Whether Hitler learns who the Fascists are: never, or in games "
             "of five or six."},
    {.key = "term_limit",
     OPTION,
     IN_GAME(rules[1]),
     .choices = {"last_enacted", "last_elected"},
     .normal = "",
     .help = "Who may not be named chancellor: the last government that "
             "enacted a policy, or the last that was elected."},
    {.key = "president_term_limit",
     OPTION,
     IN_GAME(rules[2]),
     .choices = {"always", "over_five_living", "over_six_seated"},
     .normal = "",
     .help = "When that holds for that government's President too: always, "
             "while more than five are living, or in games that began with "
             "more than six."},
    {.key = "tracker_resets_on",
     OPTION,
     IN_GAME(rules[3]),
     .choices = {"election", "policy"},
     .normal = "",
     .help = "When the election tracker returns to 0: when a government is "
             "elected, or only when a policy is enacted."},
    {.key = "ballot",
     OPTION,
     IN_GAME(rules[4]),
     .choices = {"open", "sealed"},
     .normal = "",
     .help = "Votes are posted in the thread, or sent to the host and shown "
             "when the vote ends. Sealed ones need vote_closes = \"all\"."},
    {.key = "vote_closes",
     OPTION,
     IN_GAME(rules[5]),
     .choices = {"majority", "decided", "all"},
     .normal = "",
     .help = "When a vote ends before its time: when more than half voted "
             "alike, also when half voted Nein, or only when all have voted."},
    {.key = "vote_min",
     .type = SETTING_DURATION,
     .rule = true,
     IN_GAME(vote_min),
     .max = 30 * DAY_MS,
     .normal = "0",
     .help = "A vote that ends before its time, because it is decided, stays "
             "open at least so long; once all have voted it ends at once. 8h "
             "suits tables with buttons, where a vote can be over before "
             "anybody has spoken."},
    {.key = "tie_elects_hitler",
     OPTION,
     IN_GAME(rules[6]),
     .choices = {"off", "on"},
     .normal = "",
     .help =
         "A house rule: with three or more Fascist policies on the board, a "
         "tied vote on Hitler elects Hitler, and the Fascists win; any "
         "other tie fails as usual."},
    {.key = "chaos_power",
     OPTION,
     IN_GAME(rules[7]),
     .choices = {"off", "on"},
     .normal = "",
     .help = "A house rule: a Fascist policy that is enacted because three "
             "governments in a row have failed brings its power, used by the "
             "candidate whose government failed last."},
    {.key = "first",
     OPTION,
     IN_GAME(rules[8]),
     .choices = {"lot", "seat 1"},
     .normal = "",
     .help = "Who is the first candidate: drawn by lot, or, as a house rule, "
             "whoever has the first seat."},

    {.key = "services",
     .type = SETTING_SERVICES,
     .scope = SCOPE_TOP,
     .normal = "",
     .help =
         "The accounts that the host has at services on the network; how to "
         "make one is told in the GUIDE.md of adapters/discord, adapters/forum "
         "(Discourse, NodeBB), adapters/matrix and adapters/phpbb. The embedded "
         "board needs none: it is always there, as \"board\"."},
    {.key = "name",
     .type = SETTING_WORD,
     IN_ACCOUNT(name),
     .min = 1,
     .normal = "",
     .sample = "\"matrix\"",
     .help = "What the service is called here: places name it."},
    {.key = "kind",
     .type = SETTING_WORD,
     IN_ACCOUNT(kind),
     .normal = "",
     .help = "What kind of service it is; without it, that of its name."},
    {.key = "url",
     .type = SETTING_URL,
     IN_ACCOUNT(url),
     .normal = "",
     .sample = "\"https://matrix.example\"",
     .help = "Where it is. Encrypted, unless it is on this machine. Discord "
             "needs none."},
    {.key = "token_file",
     .type = SETTING_FILE,
     IN_ACCOUNT(token_file),
     .normal = "",
     .sample = "\"matrix.token\"",
     .help = "The file with the account's token, from this file's folder. "
             "Nobody else may read it: chmod 600."},
    {.key = "token_env",
     .type = SETTING_WORD,
     IN_ACCOUNT(token_env),
     .normal = "",
     .help = "Or the environment variable with it."},
    {.key = "user",
     .type = SETTING_WORD,
     IN_ACCOUNT(user),
     .normal = "",
     .help = "The account, where the file or variable has its password and "
             "not a token: the host logs in with it."},
    {.key = "doorbell",
     .type = SETTING_BOOL,
     IN_ACCOUNT(doorbell),
     .choices = {"off", "on"},
     .normal = "on",
     .help = "A connection on which the service says that something is new, so "
             "that the host answers within a second. Without it, or where the "
             "service has none, the host looks every few seconds."},
    {.key = "buttons",
     .type = SETTING_BOOL,
     IN_ACCOUNT(buttons),
     .choices = {"off", "on"},
     .normal = "off",
     .sample = "\"on\"",
     .help = "Buttons under the host's posts, on Discord. They need the "
             "doorbell. Nobody has to press them: posts count as before. A "
             "place with buttons does well with vote_min = \"8h\"."},
    {.key = "commands",
     .type = SETTING_BOOL,
     IN_ACCOUNT(commands),
     .choices = {"off", "on"},
     .normal = "off",
     .sample = "\"on\"",
     .help = "Slash commands, on Discord: /join, /vote and others, for whoever "
             "likes them better than posts. They need the doorbell."},
    {.key = "bold_classes",
     .type = SETTING_TEXT,
     IN_ACCOUNT(bold_classes),
     .normal = "",
     .help =
         "Where a forum shows bold by classes of its own: their names, with "
         "blanks between, as they stand in class=\"...\" in a post's HTML. "
         "They count besides <b>, <strong> and the others in READING.md."},

    {.key = "places",
     .type = SETTING_PLACES,
     .scope = SCOPE_TOP,
     .normal = "",
     .help = "Where games are hosted. Each setting of a game may stand in a "
             "place too, and holds there."},
    {.key = "name",
     .type = SETTING_TEXT,
     IN_PLACE(name),
     .min = 1,
     .normal = "",
     .sample = "\"board\"",
     .help = "What the place is called here and on the command line."},
    {.key = "service",
     .type = SETTING_WORD,
     IN_PLACE(service),
     .min = 1,
     .normal = "",
     .sample = "\"board\"",
     .help = "Where it is: \"board\", the one in this program, or one of the "
             "services above."},
    {.key = "address",
     .type = SETTING_TEXT,
     IN_PLACE(address),
     .normal = "",
     .help = "The channel, room or topic: at Discord the channel's link, or "
             "its id; at Matrix the room's alias, "
             "\"#parlour:matrix.example\", or its id. The board needs none."},
    {.key = "moderators",
     .type = SETTING_LIST,
     IN_PLACE(moderators),
     .count = offsetof(struct place, moderator_count),
     .normal = "",
     .sample = "[ \"Mo\" ]",
     .help = "The user ids of those who may open and start games here, such as "
             "\"@mo:matrix.example\"; none: anybody may."},
    {.key = "moderator_role",
     .type = SETTING_TEXT,
     IN_PLACE(moderator_role),
     .normal = "",
     .help =
         "On Discord, a role whose people moderate here as well: its name, "
         "such as \"@Mods\", or its id; or \"manage-messages\": whoever may do "
         "that. They are known once they have posted or pressed something."},
    {.key = "min_account_age",
     .type = SETTING_DURATION,
     IN_PLACE(min_account_age),
     .max = 3650 * DAY_MS,
     .normal = "0",
     .help = "How old the account of somebody must be who joins a game here, "
             "such as \"30d\"; only Discord tells that."},
    {.key = "join_roles",
     .type = SETTING_LIST,
     IN_PLACE(join_roles),
     .count = offsetof(struct place, join_role_count),
     .normal = "",
     .sample = "[ \"81384788765712384\" ]",
     .help = "The ids of the roles of which somebody must have one who joins a "
             "game here; none: anybody may. Only Discord tells that, and only "
             "of whoever uses a button or a slash command, so it needs "
             "buttons or commands."},
    {.key = "recruit",
     .type = SETTING_WORD,
     IN_PLACE(recruit),
     .normal = "",
     .help = "Who is notified, once, when a table is opened here: "
             "\"everybody\", on Discord and Matrix, or on Discord the id of a "
             "role. The host's account needs the right to mention them."},
    {.key = "moderators_talk",
     .type = SETTING_TEXT,
     IN_PLACE(moderators_channel),
     .normal = "",
     .help = "The channel or room of this service in which the host passes "
             "players' questions on to the moderators, and says whom its "
             "private messages don't reach; none: in private, to each "
             "moderator who doesn't play, and in the thread."},
    {.key = "publish",
     .type = SETTING_CHOICE,
     IN_PLACE(publish),
     .choices = {"names", "seats", "off"},
     .normal = "off",
     .help = "What `placard report --site`, `placard stats` and `!stats` tell "
             "of the games that ended here: who played and won, by name; the "
             "games alone, with players by number; or nothing. It holds for "
             "earlier games too, so ask people before you name them."},
};

enum {
    ROWS = sizeof(table) / sizeof(table[0])
};

const struct setting *
setting_at(size_t index)
{
    return index < ROWS ? &table[index] : NULL;
}

const struct setting *
setting_find(const char *key, enum setting_scope scope)
{
    const struct setting *found = NULL;

    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(table[i].key, key) == 0 &&
            (found == NULL || setting_stands_in(&table[i], scope))) {
            found = &table[i];
        }
    }
    return found;
}

/* ---- a game's settings --------------------------------------------------- */

/* The row of a game's setting; NULL: none. */
static const struct setting *
find_of_game(const char *key)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].scope == SCOPE_GAME &&
            strcasecmp(table[i].key, key) == 0) {
            return &table[i];
        }
    }
    return NULL;
}

void
settings_complete(struct settings *settings)
{
    if (settings->words[0] == '\0' && strcmp(settings->preset, "french") == 0 &&
        strcmp(settings->language, "fr") == 0 &&
        strcmp(settings->theme, THEME_ORIGINAL) == 0) {
        memcpy(settings->words, VOTE_WORDS_LANGUAGE,
               sizeof VOTE_WORDS_LANGUAGE);
    }
}

void
settings_defaults(struct settings *settings)
{
    struct buf why = BUF_INIT;

    memset(settings, 0, sizeof(*settings));
    for (size_t i = 0; i < ROWS; i++) {
        if (table[i].scope == SCOPE_GAME &&
            setting_read(&table[i], table[i].normal, settings, &why) !=
                ERR_NONE) {
            die("%s: %s", table[i].key, buf_text(&why));
        }
    }
    buf_release(&why);
}

bool
settings_try(struct settings *settings, const char *key, const char *value,
             struct complaint *complaint)
{
    const struct setting *setting = find_of_game(key);
    struct buf unsaid = BUF_INIT;
    bool good = setting != NULL &&
                setting_read(setting, value, settings, &unsaid) == ERR_NONE;

    *complaint = (struct complaint){.kind = COMPLAINT_NONE};
    buf_release(&unsaid);
    if (good) {
        return true;
    }
    complaint->kind = setting == NULL ? COMPLAINT_KEY : COMPLAINT_VALUE;
    complaint->setting = setting;
    setting_quote(setting == NULL ? key : value, complaint->text);
    return false;
}

static enum err say_complaint(const struct complaint *complaint,
                              const struct settings *settings, struct buf *why);

enum err
settings_set(struct settings *settings, const char *key, const char *value,
             struct buf *why)
{
    struct complaint complaint;

    return settings_try(settings, key, value, &complaint)
               ? ERR_NONE
               : say_complaint(&complaint, settings, why);
}

bool
settings_change(struct settings *settings, const char *key, const char *value,
                struct complaint *complaint)
{
    if (!settings_try(settings, key, value, complaint)) {
        return false;
    }
    if (strcasecmp(key, "rules") == 0) {
        memset(settings->rules, 0, sizeof(settings->rules));
    }
    return true;
}

bool
settings_get(const struct settings *settings, const char *key, struct buf *out)
{
    const struct setting *setting = find_of_game(key);

    if (setting == NULL) {
        return false;
    }
    setting_write(setting, settings, out);
    return true;
}

bool
settings_is_rule(const char *key)
{
    const struct setting *setting = find_of_game(key);

    return setting != NULL && setting->rule;
}

/* The daily hour can't lie in the quiet ones: no deadline could be set. */
static bool
daily_is_quiet(const struct settings *settings)
{
    int daily;
    int from;
    int to;

    return hour_read(settings->daily, &daily) &&
           hours_read(settings->quiet, &from, &to) &&
           hours_hold(from, to, daily);
}

/* May sealed votes close early?  An option that is not set is as the preset has
 * it: `play-by-post` alone has open votes that close early. */
static bool
seals_early(const struct settings *settings)
{
    const char *ballot = settings->rules[4];
    const char *closes = settings->rules[5];
    bool open = strcmp(settings->preset, "play-by-post") == 0;

    return strcmp(*ballot == '\0' && !open ? "sealed" : ballot, "sealed") ==
               0 &&
           strcmp(*closes == '\0' && !open ? "all" : closes, "all") != 0;
}

bool
settings_fit(const struct settings *settings, struct complaint *complaint)
{
    *complaint = (struct complaint){.kind = COMPLAINT_NONE};
    if (settings->nomination > settings->election) {
        complaint->kind = COMPLAINT_NOMINATION;
    } else if (daily_is_quiet(settings)) {
        complaint->kind = COMPLAINT_DAILY;
    } else if (!theme_speaks(settings->theme, settings->language)) {
        complaint->kind = COMPLAINT_THEME;
    } else if (seals_early(settings)) {
        complaint->kind = COMPLAINT_SEALED;
    }
    return complaint->kind == COMPLAINT_NONE;
}

static void
say_nomination(const struct settings *settings, struct buf *why)
{
    buf_add_text(why, "nomination: is longer (");
    duration_write(settings->nomination, why);
    buf_add_text(why, ") than election (");
    duration_write(settings->election, why);
    buf_add_text(why, "), of which it is a part; write at most ");
    duration_write(settings->election, why);
}

/* Say a complaint as the operator reads it. */
static enum err
say_complaint(const struct complaint *complaint,
              const struct settings *settings, struct buf *why)
{
    const char *text = complaint->text;

    switch (complaint->kind) {
    case COMPLAINT_KEY:
        buf_addf(why, "\"%s\": unknown setting", text);
        settings_suggest(text, SCOPE_GAME, why);
        break;
    case COMPLAINT_VALUE:
        buf_addf(why, "%s: can't be \"%s\"; write ", complaint->setting->key,
                 text);
        setting_say_right(complaint->setting, why);
        break;
    case COMPLAINT_NOMINATION:
        say_nomination(settings, why);
        break;
    case COMPLAINT_DAILY:
        buf_addf(why,
                 "daily: \"%s\" lies in the quiet hours (\"%s\"), in which no "
                 "deadline falls; write another hour",
                 settings->daily, settings->quiet);
        break;
    case COMPLAINT_THEME:
        buf_addf(why,
                 "theme: \"%s\" has no words in the language \"%s\"; write "
                 "another theme, or another language",
                 settings->theme, settings->language);
        break;
    case COMPLAINT_SEALED:
        buf_add_text(why,
                     "ballot: sealed votes need vote_closes = \"all\": one "
                     "that can end early tells the last voters how the "
                     "others voted; set that too, or ballot = \"open\"");
        break;
    case COMPLAINT_NONE:
        break;
    }
    return ERR_CONFIG;
}

enum err
settings_check(const struct settings *settings, struct buf *why)
{
    struct complaint complaint;

    return settings_fit(settings, &complaint)
               ? ERR_NONE
               : say_complaint(&complaint, settings, why);
}

/* ---- the nearest key ----------------------------------------------------- */

enum {
    KEY_MAX = 32
};

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be added, dropped, replaced, or swapped with their
 * neighbour to turn one key into another. */
static size_t
distance(const char *a, const char *b)
{
    size_t rows[KEY_MAX + 1][KEY_MAX + 1];
    size_t a_len = strlen(a);
    size_t b_len = strlen(b);

    assert(a_len <= KEY_MAX && b_len <= KEY_MAX);
    for (size_t i = 0; i <= a_len; i++) {
        for (size_t j = 0; j <= b_len; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            size_t differ = a[i - 1] != b[j - 1];
            size_t best = least(rows[i - 1][j], rows[i][j - 1]) + 1;
            best = least(best, rows[i - 1][j - 1] + differ);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1]) {
                best = least(best, rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    return rows[a_len][b_len];
}

const char *
settings_nearest(const char *key, enum setting_scope scope)
{
    char low[KEY_MAX + 1];
    size_t len = strlen(key);
    const char *nearest = NULL;
    size_t nearest_distance = least(len / 3, 3) + 1;

    if (len > KEY_MAX) {
        return NULL;
    }
    for (size_t i = 0; i <= len; i++) {
        low[i] = (char)tolower((unsigned char)key[i]);
    }
    for (size_t i = 0; i < ROWS; i++) {
        if (!setting_stands_in(&table[i], scope)) {
            continue;
        }
        size_t far = distance(low, table[i].key);
        if (far < nearest_distance) {
            nearest = table[i].key;
            nearest_distance = far;
        }
    }
    return nearest;
}

void
settings_suggest(const char *key, enum setting_scope scope, struct buf *out)
{
    const char *nearest = settings_nearest(key, scope);

    if (nearest != NULL) {
        buf_addf(out, "; did you mean \"%s\"?", nearest);
    }
}
