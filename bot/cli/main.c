#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "bot/base/err.h"
#include "bot/base/version.h"
#include "bot/cli/command.h"
#include "bot/host/reading/names.h"
#include "bot/store/store.h"

/* The commit it was built from, as the Makefile knows it: "2b9b73bd, ". */
#ifndef PLACARD_COMMIT
#    define PLACARD_COMMIT ""
#endif

/* The sub-commands, in the order in which the help shows them. */
static const struct subcommand subcommands[] = {
    {"setup", "setup [-c FILE]",
     "ask what a configuration needs, try each answer, and write it",
     "  -c FILE  the configuration to make or to add to; default ./placard.cfg\n"
     "           or /etc/placard/placard.cfg, whichever is there\n\n"
     "Asks at a terminal where games are to be hosted, and by which account.\n"
     "What is in the file already stays as it is.\n",
     command_setup},
    {"run", "run [-c FILE] [--log text|journal|json]",
     "host the configured places until told to stop",
     "  -c FILE     the configuration; default ./placard.cfg, then\n"
     "              /etc/placard/placard.cfg\n"
     "  --log FORM  how the log is written: text, journal (with levels for\n"
     "              systemd) or json; default journal if standard error\n"
     "              leads there, else text\n\n"
     "SIGTERM and SIGINT end it when the current write is done, SIGHUP reads\n"
     "the configuration anew.  Killed at any moment it goes on where it was.\n",
     command_run},
    {"play",
     "play [--players N] [--seat NAME] [--language L] [--theme T]\n"
     "       [--rules PRESET] [--set option=value]… [--seed HEX] [--auto]\n"
     "       [--pace MS] [--record FILE] [--resume]\n"
     "  play --replay FILE [--record FILE]",
     "play a whole game in the terminal, or host a recorded one again",
     "  --players N     5 to 10; default 7\n"
     "  --seat NAME     your name at the table; default Newcomer, as the\n"
     "                  language has it\n"
     "  --language L    of what the host says; default en\n"
     "  --theme T       words of another setting, such as prison\n"
     "  --rules PRESET  play-by-post (default), official, french\n"
     "  --set o=v       one rule or time, as in the configuration\n"
     "  --seed HEX      1 to 64 hex digits: the same game again\n"
     "  --auto          nobody sits there: everybody is simulated\n"
     "  --pace MS       real milliseconds a post; 300 on a terminal, else 0\n"
     "  --record FILE   where the record is saved; default the state folder\n"
     "  --resume        go on with the game that was left\n"
     "  --replay FILE   host the game of this record again, move for move\n",
     command_play},
    {"post",
     "post [-c FILE] --as NAME [--private | --thread N | --reply N] TEXT",
     "write to the embedded board as a player",
     "  -c FILE     the configuration\n"
     "  --as NAME   who writes\n"
     "  --private   to the host alone, in NAME's DM\n"
     "  --thread N  in the thread of that number; 0: in the board's first one,\n"
     "              where tables are opened (without it, in the newest)\n"
     "  --reply N   in answer to the post of that number, where it stands\n"
     "  TEXT        what; - reads it from standard input\n",
     command_post},
    {"thread", "thread [-c FILE] [--as NAME]",
     "show the embedded board's threads, post by post with their numbers",
     "  -c FILE    the configuration\n"
     "  --as NAME  with NAME's DM\n",
     command_thread},
    {"read", "read [--place NAME [-c FILE]] [FILE]",
     "tell what the host reads in posts given as JSON Lines",
     "  --place NAME  with the settings of this place; default those of each\n"
     "                post's dialect\n"
     "  -c FILE       the configuration that has the place\n"
     "  FILE          one JSON object a line; default standard input, as is -\n\n"
     "Keys of a line: dialect, phase, players, text; also id, hand, words and\n"
     "red.  Prints id, kind, value and why of each, one JSON object a line.  A\n"
     "line that can't be read has the kind error, and the exit code is 1.\n",
     command_read},
    {"check", "check [-c FILE] [--store]",
     "prove a configuration, and what the bot may do in each place",
     "  -c FILE  the configuration\n"
     "  --store  check the store instead: is the file whole, and can each\n"
     "           running game go on?\n",
     command_check},
    {"status", "status [-c FILE] [--json | --prometheus] [-o FILE]",
     "tell in one line whether a host runs and reads",
     "  -c FILE       the configuration\n"
     "  --json        tell more, as one JSON object\n"
     "  --prometheus  the same as metrics, for the node exporter's textfile\n"
     "                collector\n"
     "  -o FILE       where to, replaced in one step; default standard output\n\n"
     "Exits 0 if it runs and has read each place within 15 minutes, else 1: fit\n"
     "for a health check.  With --prometheus it exits 0 in both cases: the\n"
     "metrics tell.  3: it can't be told now, for another program keeps the\n"
     "store to itself, or this user may not read it.\n",
     command_status},
    {"doctor", "doctor [-c FILE] [--json]",
     "tell how the host is, and what needs somebody",
     "  -c FILE  the configuration\n"
     "  --json   as one JSON object\n\n"
     "Exits 1 if anything needs somebody: its lines begin with \"!\".  3: it\n"
     "can't be told now, as with `placard status`.  Reads the store alone, also\n"
     "while a host runs, and tells no secret.\n",
     command_doctor},
    {"backup", "backup [-c FILE] [--replace] FILE",
     "copy the store into a file, also while a host runs",
     "  -c FILE    the configuration\n"
     "  --replace  in place of a file of that name\n"
     "  FILE       the copy\n\n"
     "The key that seals the secrets in it is a file of its own, and is not\n"
     "copied: keep a copy of that in another place.\n",
     command_backup},
    {"restore", "restore [-c FILE] FILE",
     "put a backup in the place of the store, while no host runs",
     "  -c FILE  the configuration\n"
     "  FILE     made by `placard backup`\n\n"
     "The backup is checked first, and the store that was there is kept.\n",
     command_restore},
    {"rules", "rules [--language L] [--topic T] [option=value…]",
     "tell the rules that options make, as `!rules` does in a game",
     "  --language L  default en\n"
     "  --topic T     in detail: powers, tracker, deck, veto, votes, times or\n"
     "                limits\n"
     "  option=value  as in `!new` and the configuration: rules=official,\n"
     "                ballot=open, election=2d; and players=7 or players=7-10\n",
     command_rules},
    {"catalogue", "catalogue --check FILE | --preview FILE",
     "help to translate: check a language's file, or show its sentences",
     "  --check FILE    say all that is wrong in a language's file\n"
     "  --preview FILE  show each of its sentences below the English one, with\n"
     "                  samples filled in\n\n"
     "FILE may also be the name of a language that is there, such as nl.\n",
     command_catalogue},
    {"games", "games [-c FILE] [--json]", "list the games in the store",
     "  -c FILE  the configuration\n"
     "  --json   as one JSON object, without who is awaited\n",
     command_games},
    {"undelivered", "undelivered [-c FILE] [--there NUMBER | --again NUMBER]",
     "list the messages that could not be delivered yet",
     "  -c FILE         the configuration\n"
     "  --there NUMBER  of a message that may have arrived: you see it there\n"
     "  --again NUMBER  it is not there: send it again\n\n"
     "A message may have arrived where the reply to it was lost.  The host\n"
     "looks for it by itself, and tells if it can't find out in a quarter of\n"
     "an hour.\n",
     command_undelivered},
    {"show", "show [-c FILE] GAME [--host]",
     "show one game as the public sees it",
     "  -c FILE  the configuration\n"
     "  --host   with its secrets; at a running game its thread is told\n",
     command_show},
    {"record", "record [-c FILE] GAME [-o FILE] [--host]",
     "export the record of a game",
     "  -c FILE  the configuration\n"
     "  -o FILE  where to; default standard output\n"
     "  --host   of a running game too (it holds all secrets); its thread is\n"
     "           told\n",
     command_record},
    {"board",
     "board [-c FILE] GAME|FILE [--line N | --round N] [--game ID]\n"
     "       [--language L] [--theme T] [-o FILE.png] [--alt]",
     "draw the board of a game as a picture, as everybody sees it",
     "  GAME|FILE     a game of the store, or a record; - reads standard input\n"
     "  -c FILE       the configuration, where it is a game of the store\n"
     "  --line N      as it was after line N of the record; default the last\n"
     "  --round N     as it was at the end of round N\n"
     "  --game ID     which game of a record that holds several\n"
     "  --language L  of the words; default the game's, of a record en\n"
     "  --theme T     of the words; default the game's, of a record none\n"
     "  -o FILE.png   where to; default standard output\n"
     "  --alt         say it in words, for those who can't see it\n",
     command_board},
    {"report",
     "report [-c FILE] GAME|FILE [--game ID] [--language L] [--theme T]\n"
     "       [-o FILE.html]\n"
     "  report [-c FILE] --site DIR [--language L] [--theme T]",
     "make one page of a finished game: story, votes, hands, fair play",
     "  GAME|FILE     a game of the store, or a record; - reads standard input\n"
     "  -c FILE       the configuration, where it is a game of the store\n"
     "  --game ID     which game of a record that holds several\n"
     "  --language L  of the page; default the game's, of a record en\n"
     "  --theme T     of the page; default the game's, of a record none\n"
     "  -o FILE.html  where to; default standard output\n"
     "  --site DIR    a folder of pages instead: an index, the places, and\n"
     "                every finished game; run again, it writes what is new;\n"
     "                of places whose `publish` is names or seats\n\n"
     "The page needs nothing but itself: it can be sent, read offline, "
     "printed.\n",
     command_report},
    {"stats", "stats [-c FILE] [--json]",
     "count the finished games: wins by side, by place, by player and role",
     "  -c FILE  the configuration\n"
     "  --json   tell it as JSON, with user ids\n\n"
     "A player is who held a seat at the end.  A game that nobody has won is\n"
     "counted as abandoned, and for no player.  Games are left out where\n"
     "`publish` is off, and players unless it is names.\n",
     command_stats},
    {"forget", "forget [-c FILE] [--service NAME] [--dry-run] ID",
     "give a person a pseudonym in all finished games, also beside a host",
     "  -c FILE         the configuration\n"
     "  --service NAME  at which service they have that id; needed where the\n"
     "                  id is in games of several\n"
     "  --dry-run       say what would change, and change nothing\n"
     "  ID              their user id; `placard stats --json` has the ids\n\n"
     "Records, reports and counts have the pseudonym from then on.  It can't be\n"
     "taken back.  What stands at the service, and older backups, stay.\n",
     command_forget},
    {"verify", "verify FILE", "judge each game of a record by the rules",
     "  FILE  a record; - reads standard input\n\n"
     "Says of each game that it is legal and finished, or legal so far, or\n"
     "which line is the first that breaks which rule; checks the fairness\n"
     "proof where there is one.  Exits 1 unless all are legal.\n",
     command_verify},
    {"simulate",
     "simulate [--games N] [--players P] [--rules PRESET]\n"
     "       [--set option=value]… [--seed HEX] [--record FILE|-] [--json]",
     "play random legal games and tell who won how",
     "  --games N        1 or more; default 1000\n"
     "  --players P      5 to 10; default 7\n"
     "  --rules PRESET   play-by-post (default), official, french\n"
     "  --set o=v        one rule, as in the configuration\n"
     "  --seed HEX       1 to 64 hex digits: the same games again\n"
     "  --record FILE    where the records are saved; - is standard output,\n"
     "                   what came of the games then goes to standard error\n"
     "  --json           tell it as JSON\n",
     command_simulate},
};
enum {
    SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0]
};

static void
print_usage(FILE *out)
{
    (void)fprintf(out, "placard hosts play-by-post games of Secret Hitler.\n\n"
                       "usage:\n");
    for (unsigned i = 0; i < SUBCOMMANDS; i++) {
        (void)fprintf(out, "  placard %-11s %s\n", subcommands[i].name,
                      subcommands[i].summary);
    }
    (void)fprintf(out, "\n`placard SUB-COMMAND --help` tells its options.\n");
}

static const struct subcommand *
find_subcommand(const char *name)
{
    for (unsigned i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(subcommands[i].name, name) == 0) {
            return &subcommands[i];
        }
    }
    return NULL;
}

/* Say that there is no such sub-command, and which is but one slip away. */
static void
print_unknown(const char *name)
{
    size_t len = strlen(name);
    for (unsigned i = 0; i < SUBCOMMANDS; i++) {
        const char *near = subcommands[i].name;
        if (name_is_slip(name, len, near, strlen(near))) {
            (void)fprintf(stderr,
                          "placard %s: there's no such command; did you mean "
                          "`%s`?\n",
                          name, near);
            return;
        }
    }
    (void)fprintf(stderr,
                  "placard %s: there's no such command; `placard --help` lists "
                  "them\n",
                  name);
}

static bool
is_one_of(const char *word, const char *one, const char *other)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

static bool
asks_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_one_of(argv[i], "--help", "-h")) {
            return true;
        }
    }
    return false;
}

/* Memory holds roles, hands and tokens: a crash must not write it to disk, nor
 * hand it to a program that collects core dumps and ignores the size limit. */
static void
forbid_core(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int
main(int argc, char **argv)
{
    forbid_core();
    if (sodium_init() < 0) {
        die("the random generator of the system can't be used");
    }
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (is_one_of(argv[1], "--help", "-h") || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (is_one_of(argv[1], "--version", "-V")) {
        (void)printf("placard %s (" PLACARD_COMMIT "store %d)\n",
                     placard_version, STORE_FORMAT);
        return EXIT_DONE;
    }
    const struct subcommand *subcommand = find_subcommand(argv[1]);
    if (subcommand == NULL) {
        print_unknown(argv[1]);
        return EXIT_USAGE;
    }
    if (asks_help(argc - 1, argv + 1)) {
        (void)printf("usage: placard %s\n\n%s.\n\n%s", subcommand->usage,
                     subcommand->summary, subcommand->help);
        return EXIT_DONE;
    }
    return subcommand->run(argc - 1, argv + 1);
}
