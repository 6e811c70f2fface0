/*
 * `placard setup`: asks what a configuration needs in plain words, tries each
 * answer at once, and writes the file.  The questions are in setup_service.c
 * (whose account), setup_place.c (where, and who moderates) and setup_times.c
 * (language and hours); setup_write.c writes, and setup_unit.c starts the host.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bot/base/files.h"
#include "bot/cli/command.h"
#include "bot/cli/setup_inner.h"
#include "config/language.h"
#include "config/sample.h"

/* ---- the file ------------------------------------------------------------ */

/* Which file: the one named, the one that is there, or a new one. */
static bool
choose_file(struct setup *setup, const char *file)
{
    struct buf why = BUF_INIT;
    if (file == NULL) {
        file = conf_find();
    }
    if (file == NULL) {
        file = access(SETUP_SYSTEM_FOLDER, W_OK) == 0 ? SETUP_SYSTEM_FILE
                                                      : "placard.cfg";
    }
    size_t len = strlen(file);
    if (len + sizeof ".new" > sizeof setup->file) {
        buf_addf(&why, "%.40s…: the path is too long", file);
        (void)command_fail(&why);
        buf_release(&why);
        return false;
    }
    memcpy(setup->file, file, len + 1);
    return true;
}

/* Can it be written?  It is better to know that before all the questions. */
static bool
can_be_written(const struct setup *setup)
{
    char folder[sizeof setup->file + 1];
    struct buf why = BUF_INIT;
    const char *slash = strrchr(setup->file, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - setup->file) + 1;
    (void)snprintf(folder, sizeof folder, "%.*s", len == 0 ? 1 : (int)len,
                   len == 0 ? "." : setup->file);
    bool good = access(folder, W_OK) == 0 && access(folder, X_OK) == 0 &&
                (!setup->there || access(setup->file, W_OK) == 0);
    if (!good) {
        buf_addf(&why, "%s can't be written: %s; ", setup->file,
                 strerror(errno));
        buf_add_text(&why, strcmp(setup->file, SETUP_SYSTEM_FILE) == 0
                               ? "say `sudo placard setup`, or name another "
                                 "file: `placard setup -c FILE`"
                               : "name another file: `placard setup -c FILE`");
        (void)command_fail(&why);
    }
    buf_release(&why);
    return good;
}

/* The sample, as it is installed or else as it is built in. */
static void
read_sample(struct buf *sample)
{
    struct buf path = BUF_INIT;
    struct buf unsaid = BUF_INIT;
    sample_path(&path);
    if (file_read(buf_text(&path), sample, &unsaid) != ERR_NONE) {
        buf_clear(sample);
        conf_sample(sample);
    }
    buf_release(&path);
    buf_release(&unsaid);
}

/* What is there already; the exit code. */
static int
read_file(struct setup *setup)
{
    struct buf sample = BUF_INIT;
    struct buf why = BUF_INIT;
    int code = EXIT_DONE;
    setup->there = file_exists(setup->file);
    read_sample(&sample);
    if (setup->there) {
        code = options_conf(setup->file, &setup->conf);
        if (code == EXIT_DONE &&
            file_read(setup->file, &setup->text, &why) != ERR_NONE) {
            code = command_fail(&why);
        }
        setup->untouched = buf_equals(&setup->text, buf_text(&sample));
        if (code == EXIT_USAGE) {
            (void)fprintf(stderr, "Mend that in the file, or move the file "
                                  "away; then start `placard setup` again.\n");
        }
    } else {
        conf_defaults(&setup->conf);
    }
    if (!setup->there || setup->untouched) {
        buf_clear(&setup->text);
        buf_add_buf(&setup->text, &sample);
    }
    buf_release(&sample);
    buf_release(&why);
    return code;
}

/* ---- the conversation ---------------------------------------------------- */

static void
say_begin(struct setup *setup)
{
    struct questions *ask = &setup->questions;
    const struct conf *conf = &setup->conf;
    questions_say(ask,
                  "This asks where placard is to host games, tries each answer "
                  "at once, and writes the configuration, %s. Nothing is "
                  "written before you agree.\n",
                  setup->file);
    questions_say(ask, "Enter alone takes what is in [brackets]. `back` goes "
                       "to the question before, `quit` ends.");
    if (setup->there && !setup->untouched) {
        questions_say(ask,
                      "\nThat file is there already. What is in it stays as it "
                      "is, and a place is added. It has:");
        for (unsigned i = 0; i < conf->place_count; i++) {
            questions_say(ask, "  %s (%s) %s", conf->places[i].name,
                          conf->places[i].service, conf->places[i].address);
        }
    }
}

static enum answered
take_step(struct setup *setup)
{
    static enum answered (*const steps[])(struct setup * setup) = {
        [SETUP_SERVICE] = setup_service,
        [SETUP_URL] = setup_url,
        [SETUP_LOGIN] = setup_login,
        [SETUP_USER] = setup_user,
        [SETUP_SECRET] = setup_secret,
        [SETUP_PLACE] = setup_place,
        [SETUP_MODERATORS] = setup_moderators,
        [SETUP_LANGUAGE] = setup_language,
        [SETUP_ZONE] = setup_zone,
        [SETUP_QUIET] = setup_quiet,
        [SETUP_VOTES] = setup_votes,
        [SETUP_AGREE] = setup_agree,
    };
    setup->skipped = false;
    return steps[setup->step](setup);
}

/* Ask one question after the other; those that are skipped are skipped on the
 * way back as well. */
static enum answered
converse(struct setup *setup)
{
    bool back = false;
    while (setup->step < SETUP_STEPS) {
        enum setup_step at = setup->step;
        enum answered answered = take_step(setup);
        if (answered == ANSWERED_QUIT) {
            return answered;
        }
        back = answered == ANSWERED_BACK || (setup->skipped && back);
        if (setup->step != at) {
            back = false; /* the step has said where to go on */
        } else if (!back) {
            setup->step++;
        } else if (at > SETUP_SERVICE) {
            setup->step--;
        } else {
            questions_say(&setup->questions, "This is the first question.");
        }
    }
    return ANSWERED;
}

/* ---- the end ------------------------------------------------------------- */

/* Before a command that reads or writes what is the host's own. */
static const char *
as_host(const struct setup *setup)
{
    return strcmp(setup->file, SETUP_SYSTEM_FILE) == 0
               ? "runuser -u " SETUP_SYSTEM_USER " -- "
               : "";
}

/* … and the option that names the configuration, where it is not found. */
static void
add_option(const struct setup *setup, struct buf *option)
{
    if (strcmp(setup->file, "placard.cfg") != 0 &&
        strcmp(setup->file, SETUP_SYSTEM_FILE) != 0) {
        buf_addf(option, " -c %s", setup->file);
    }
}

/* The board is written to from the command line. */
static void
say_board(struct setup *setup, const char *option)
{
    struct questions *ask = &setup->questions;
    const char *prefix = setup->conf.settings.prefix;
    const char *host = as_host(setup);
    const char *who =
        setup->place.moderator_count > 0 ? setup->place.moderators[0] : "Mo";
    questions_say(ask, "\nWhile it runs, in another terminal, open a table, "
                       "join it, and look at it:");
    questions_say(ask, "    %splacard post%s --as %s '%snew players=5'", host,
                  option, who, prefix);
    questions_say(ask, "    %splacard post%s --as Anna '%sjoin'", host, option,
                  prefix);
    questions_say(ask, "    %splacard thread%s", host, option);
}

/* What to post, and where. */
static void
say_end(struct setup *setup, const char *start)
{
    struct questions *ask = &setup->questions;
    const char *prefix = setup->conf.settings.prefix;
    struct buf option = BUF_INIT;
    add_option(setup, &option);
    if (start != NULL) {
        questions_say(ask, "\nNow start the host:");
        questions_say(ask, "    %s%s", start, buf_text(&option));
    }
    if (setup->kind->embedded) {
        say_board(setup, buf_text(&option));
    } else {
        questions_say(ask, "\nThen open a table: post this in %s:",
                      buf_text(&setup->place_name));
        questions_say(ask, "    %snew players=5-10", prefix);
        questions_say(ask,
                      "Whoever wants to play posts %sjoin there. `%splacard "
                      "doctor%s` says how the host is, and what needs you.",
                      prefix, as_host(setup), buf_text(&option));
    }
    buf_release(&option);
}

static int
finish(struct setup *setup)
{
    struct buf why = BUF_INIT;
    int code = EXIT_DONE;
    if (setup_write(setup, &why) != ERR_NONE) {
        code = command_fail(&why);
    } else {
        say_end(setup, setup_unit(setup));
    }
    buf_release(&why);
    return code;
}

/* ---- the sub-command ----------------------------------------------------- */

static int
refuse_pipe(void)
{
    struct buf sample = BUF_INIT;
    sample_path(&sample);
    (void)fprintf(stderr,
                  "placard setup asks its questions at a terminal, and there "
                  "is none. To write the\nconfiguration by hand instead:\n"
                  "    cp %s placard.cfg   # each setting is explained in it\n"
                  "    (umask 077; cat > placard.token)   # the account's "
                  "token, where it has one\n"
                  "    placard check                      # says what is wrong "
                  "in it\n",
                  buf_text(&sample));
    buf_release(&sample);
    return EXIT_FAULT;
}

static int
run_setup(struct setup *setup)
{
    questions_init(&setup->questions);
    say_begin(setup);
    int code = EXIT_FAULT;
    if (converse(setup) == ANSWERED) {
        code = finish(setup);
    } else {
        questions_say(&setup->questions, setup->wrote
                                             ? "Nothing else was written."
                                             : "Nothing was written.");
    }
    questions_release(&setup->questions);
    return code;
}

int
command_setup(int argc, char **argv)
{
    const char *file = NULL;
    const struct option_row rows[] = {{.name = "-c", .value = &file},
                                      {.name = NULL}};
    if (!options_alone(rows, argc, argv)) {
        return EXIT_USAGE;
    }
    if (!questions_can_be_asked()) {
        return refuse_pipe();
    }
    struct setup *setup = must_alloc(sizeof *setup);
    int code = choose_file(setup, file) ? read_file(setup) : EXIT_FAULT;
    if (code == EXIT_DONE) {
        code = can_be_written(setup) ? run_setup(setup) : EXIT_FAULT;
    }
    setup_close_service(setup);
    buf_wipe(&setup->secret);
    buf_release(&setup->text);
    buf_release(&setup->place_id);
    buf_release(&setup->place_name);
    buf_release(&setup->moderators);
    conf_release(&setup->conf);
    free(setup);
    return code;
}
