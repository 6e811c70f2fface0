# placard: one Makefile, no recursion, no configure step.  `make help` lists the
# targets: each has its line in HELP.
define HELP
make                build build/placard
make demo           install what is missing, build, host one whole game
make play           the same table, with you in one seat
make test           install what is missing, run every test
make test-long      the tests that take samples, with five times as many
make check          all checks of the code, and the tests under the sanitizers
make check-live     whole games on real services (tests/README.md)
make check-sites    the same games on simulated services, in two minutes
make simulate-faults  SEEDS=1000 games in which everything goes wrong
make check-mutants  plant faults in a copy; the tests have to find them
make check-chance   plant faults by chance, and tell which no test finds
make bench          what it does in a second, beside the least possible
make fuzz           build the fuzz targets
make format         format the sources
make pictures       draw the README's picture of a thread again
make deps           install the libraries that are missing
make install        install under PREFIX (/usr/local); DESTDIR is honoured
make uninstall      remove what was installed
make dist           the sources as an archive, from git
make deb            a package for the Debian or Ubuntu that it is made on
make release        both, from a clean clone, once all checks pass
make check-release  make it twice in two folders, and compare
make check-package  make the package, install it, host and remove it in a bare root
make check-platforms  build and test it on other systems and machines, in such roots
make clean          remove what was built

V=1 shows the commands, DEVELOPER=1 turns warnings into errors,
SANITIZE=address,undefined builds with those, BUILD=folder builds elsewhere.
LTO=1 optimizes the program as a whole, as install, deb and bench do: that takes
three times as long, in build/whole.  -j1 does one thing at a time.
endef

# All processors, unless -j says how many.  A make under another one has its jobs.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS  += -j$(shell nproc)
endif

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
DATADIR    ?= $(PREFIX)/share/placard
MANDIR     ?= $(PREFIX)/share/man
UNITDIR    ?= $(PREFIX)/lib/systemd/system
CC         ?= cc
PKG_CONFIG ?= pkg-config
LTO        ?= $(if $(filter bench install,$(MAKECMDGOALS)),1)
BUILD      ?= $(if $(LTO),build/whole,build)
CFLAGS     ?= -O2 -g

-include local.mk                       # a developer's own knobs; ignored by git

STD   := -std=c11 -D_POSIX_C_SOURCE=200809L
WARN  := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
         -Wmissing-prototypes -Wold-style-definition -Wpointer-arith \
         -Wcast-qual -Wwrite-strings -Wvla -Wswitch-enum -Wformat=2 -Wundef \
         -Wimplicit-fallthrough -Wnull-dereference -Wconversion \
         -Wno-sign-conversion
# Does the compiler take these flags?
takes  = $(shell printf 'int main(void){return 0;}' | \
           $(CC) $(1) -Werror -x c -o /dev/null - 2>/dev/null && echo $(1))
HARD  := -fno-common -fstack-protector-strong -fPIE \
         $(call takes,-fstack-clash-protection) $(call takes,-fcf-protection)
RELRO := -pie -Wl,-z,relro,-z,now
ifdef DEVELOPER
WARN  += -Werror
endif
ifdef SANITIZE
HARD    += -fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
           -fno-omit-frame-pointer
LDFLAGS += -fsanitize=$(SANITIZE)
else
# Level 3 is known to gcc 12 and clang 15 on; others take it for level 2.
HARD    += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3
endif
ifndef V
Q := @
endif

# With LTO the program and the bench are optimized as a whole when they are linked,
# where the compiler is gcc.  Tests are not: the same objects hold plain code too.
ifneq ($(LTO),)
ifeq ($(DEVELOPER)$(SANITIZE),)
WHOLE := $(if $(findstring clang,$(shell $(CC) --version)),,-flto=auto)
endif
endif
LINK       = $(CC) $(RELRO) $(LDFLAGS) -fno-lto
LINK_WHOLE = $(CC) $(RELRO) $(LDFLAGS) \
             $(if $(WHOLE),$(CFLAGS) $(HARD) $(WHOLE),-fno-lto)
# gcc names what it keeps for the link by chance, unless it is given a seed.
FAT        = $(if $(WHOLE),$(WHOLE) -ffat-lto-objects -frandom-seed=$@)

# ---- what it stands on: pkg-config's name, Debian's package -------------------
PKGS       := json-c libconfig sqlite3 libsodium libutf8proc libcurl libcrypto \
              cairo cairo-ft freetype2 libpng zlib
# A variable that is worked out when it is first used, for the libraries may only
# just have been installed, and once.
once        = $(eval $(1) := $(2))$($(1))
LIBS        = $(call once,LIBS,$(shell $(PKG_CONFIG) --libs $(PKGS)) -lwslay -pthread)
LIB_FLAGS   = $(call once,LIB_FLAGS,$(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(PKGS))))
TEST_PKGS  := check md4c
CHECK_LIBS  = $(call once,CHECK_LIBS,$(shell $(PKG_CONFIG) --libs $(TEST_PKGS)))
TEST_LIBS   = $(CHECK_LIBS) -Wl,--wrap=_mark_point
TEST_FLAGS  = $(call once,TEST_FLAGS,$(patsubst -I%,-isystem%,$(shell $(PKG_CONFIG) --cflags $(TEST_PKGS))))

DEB_PKGS   := json-c:libjson-c-dev libconfig:libconfig-dev \
              sqlite3:libsqlite3-dev libsodium:libsodium-dev \
              libutf8proc:libutf8proc-dev libcurl:libcurl4-openssl-dev \
              cairo:libcairo2-dev freetype2:libfreetype-dev \
              libcrypto:libssl-dev libpng:libpng-dev zlib:zlib1g-dev \
              check:check md4c:libmd4c-dev
DEB_TOOLS  := pkg-config:pkg-config
DEV_TOOLS  := clang:clang clang-format:clang-format clang-tidy:clang-tidy \
              systemd-analyze:systemd

# ---- what is built: the table of contents, bottom layer first -----------------
BASE += bot/base/buf.c
BASE += bot/base/calendar.c
BASE += bot/base/civil.c
BASE += bot/base/db.c
BASE += bot/base/db_fail.c
BASE += bot/base/db_rows.c
BASE += bot/base/err.c
BASE += bot/base/files.c
BASE += bot/base/heap.c
BASE += bot/base/index.c
BASE += bot/base/job.c
BASE += bot/base/json.c
BASE += bot/base/log.c
BASE += bot/base/memory.c
BASE += bot/base/name.c
BASE += bot/base/pack.c
BASE += bot/base/seal.c
BASE += bot/base/text.c
BASE += bot/base/version.c
BASE += bot/base/zone.c

ENGINE += engine/awaits.c
ENGINE += engine/check.c
ENGINE += engine/election.c
ENGINE += engine/game.c
ENGINE += engine/legislation.c
ENGINE += engine/moves.c
ENGINE += engine/power.c
ENGINE += engine/round.c
ENGINE += engine/rules.c
ENGINE += engine/step.c

CONFIG += config/amend.c
CONFIG += config/config.c
CONFIG += config/language.c
CONFIG += config/secrets.c
CONFIG += config/sample.c
CONFIG += config/setting.c
CONFIG += config/settings.c

ADAPTERS += adapters/adapter.c
ADAPTERS += adapters/doorbell.c
ADAPTERS += adapters/exchange.c
ADAPTERS += adapters/registry.c
ADAPTERS += adapters/states.c
ADAPTERS += adapters/board/board.c
ADAPTERS += adapters/board/board_file.c
ADAPTERS += adapters/board/board_server.c
ADAPTERS += adapters/discord/discord.c
ADAPTERS += adapters/discord/discord_account.c
ADAPTERS += adapters/discord/discord_api.c
ADAPTERS += adapters/discord/discord_gateway.c
ADAPTERS += adapters/discord/discord_places.c
ADAPTERS += adapters/discord/discord_press.c
ADAPTERS += adapters/discord/discord_probe.c
ADAPTERS += adapters/discord/discord_read.c
ADAPTERS += adapters/discord/discord_refusal.c
ADAPTERS += adapters/discord/discord_room.c
ADAPTERS += adapters/discord/discord_send.c
ADAPTERS += adapters/discord/discord_slash.c
ADAPTERS += adapters/discourse/discourse.c
ADAPTERS += adapters/discourse/discourse_bus.c
ADAPTERS += adapters/discourse/discourse_open.c
ADAPTERS += adapters/discourse/discourse_probe.c
ADAPTERS += adapters/discourse/discourse_quirks.c
ADAPTERS += adapters/discourse/discourse_read.c
ADAPTERS += adapters/discourse/discourse_write.c
ADAPTERS += adapters/forum/forum.c
ADAPTERS += adapters/forum/forum_address.c
ADAPTERS += adapters/forum/forum_find.c
ADAPTERS += adapters/forum/forum_inbox.c
ADAPTERS += adapters/forum/forum_job.c
ADAPTERS += adapters/forum/forum_people.c
ADAPTERS += adapters/forum/forum_probe.c
ADAPTERS += adapters/forum/forum_refused.c
ADAPTERS += adapters/forum/forum_shape.c
ADAPTERS += adapters/forum/forum_topic.c
ADAPTERS += adapters/forum/forum_updates.c
ADAPTERS += adapters/forum/forum_session.c
ADAPTERS += adapters/forum/forum_write.c
ADAPTERS += adapters/forum/page.c
ADAPTERS += adapters/http/http.c
ADAPTERS += adapters/http/http_curl.c
ADAPTERS += adapters/http/http_stream.c
ADAPTERS += adapters/http/http_transfer.c
ADAPTERS += adapters/http/http_url.c
ADAPTERS += adapters/http/rate_limits.c
ADAPTERS += adapters/http/web_socket.c
ADAPTERS += adapters/markup/bbcode.c
ADAPTERS += adapters/markup/bbcode_scan.c
ADAPTERS += adapters/markup/bbcode_write.c
ADAPTERS += adapters/markup/colour.c
ADAPTERS += adapters/markup/dialects.c
ADAPTERS += adapters/markup/discord.c
ADAPTERS += adapters/markup/discord_scan.c
ADAPTERS += adapters/markup/discord_things.c
ADAPTERS += adapters/markup/discord_write.c
ADAPTERS += adapters/markup/markdown.c
ADAPTERS += adapters/markup/markdown_text.c
ADAPTERS += adapters/markup/markdown_write.c
ADAPTERS += adapters/markup/nesting.c
ADAPTERS += adapters/markup/plain.c
ADAPTERS += adapters/markup/quotes.c
ADAPTERS += adapters/markup/rich.c
ADAPTERS += adapters/markup/rich_piece.c
ADAPTERS += adapters/markup/unicode.c
ADAPTERS += adapters/markup/html/html.c
ADAPTERS += adapters/markup/html/html_effect.c
ADAPTERS += adapters/markup/html/html_elements.c
ADAPTERS += adapters/markup/html/html_mention.c
ADAPTERS += adapters/markup/html/html_references.c
ADAPTERS += adapters/markup/html/html_tokens.c
ADAPTERS += adapters/markup/html/html_write.c
ADAPTERS += adapters/matrix/matrix.c
ADAPTERS += adapters/matrix/matrix_account.c
ADAPTERS += adapters/matrix/matrix_address.c
ADAPTERS += adapters/matrix/matrix_api.c
ADAPTERS += adapters/matrix/matrix_dm.c
ADAPTERS += adapters/matrix/matrix_event.c
ADAPTERS += adapters/matrix/matrix_places.c
ADAPTERS += adapters/matrix/matrix_send.c
ADAPTERS += adapters/matrix/matrix_sync.c
ADAPTERS += adapters/matrix/matrix_user.c
ADAPTERS += adapters/nodebb/nodebb.c
ADAPTERS += adapters/nodebb/nodebb_probe.c
ADAPTERS += adapters/nodebb/nodebb_quirks.c
ADAPTERS += adapters/phpbb/phpbb.c
ADAPTERS += adapters/phpbb/phpbb_open.c
ADAPTERS += adapters/phpbb/phpbb_page.c
ADAPTERS += adapters/phpbb/phpbb_probe.c
ADAPTERS += adapters/phpbb/phpbb_read.c
ADAPTERS += adapters/phpbb/phpbb_refused.c
ADAPTERS += adapters/phpbb/phpbb_updates.c
ADAPTERS += adapters/phpbb/phpbb_write.c

RECORD += bot/record/deal.c
RECORD += bot/record/record_board.c
RECORD += bot/record/record_fields.c
RECORD += bot/record/record_read.c
RECORD += bot/record/record_stream.c
RECORD += bot/record/record_write.c
RECORD += bot/record/result.c
RECORD += bot/record/verify.c
RECORD += bot/record/verify_election.c
RECORD += bot/record/verify_game.c
RECORD += bot/record/verify_host.c
RECORD += bot/record/verify_power.c
RECORD += bot/record/verify_proof.c
RECORD += bot/record/verify_session.c

PICTURE += bot/picture/board_picture.c
PICTURE += bot/picture/canvas.c
PICTURE += bot/picture/icons.c

HOST += bot/host/table/deadline.c
HOST += bot/host/table/message.c
HOST += bot/host/table/move.c
HOST += bot/host/table/outbox.c
HOST += bot/host/table/plainer.c
HOST += bot/host/table/queued.c
HOST += bot/host/table/refusal.c
HOST += bot/host/table/ruling.c
HOST += bot/host/table/seat.c
HOST += bot/host/table/slot.c
HOST += bot/host/table/table.c
HOST += bot/host/table/table_apply.c
HOST += bot/host/table/table_former.c
HOST += bot/host/table/table_host.c
HOST += bot/host/table/table_signup.c
HOST += bot/host/table/table_value.c
HOST += bot/host/reading/intent.c
HOST += bot/host/reading/intent_attempt.c
HOST += bot/host/reading/intent_cards.c
HOST += bot/host/reading/intent_command.c
HOST += bot/host/reading/intent_formula.c
HOST += bot/host/reading/intent_names.c
HOST += bot/host/reading/intent_players.c
HOST += bot/host/reading/intent_runs.c
HOST += bot/host/reading/intent_sentence.c
HOST += bot/host/reading/intent_votes.c
HOST += bot/host/reading/names.c
HOST += bot/host/reading/press.c
HOST += bot/host/words/absence.c
HOST += bot/host/words/board_words.c
HOST += bot/host/words/buttons.c
HOST += bot/host/words/catalogue.c
HOST += bot/host/words/catchup.c
HOST += bot/host/words/ending.c
HOST += bot/host/words/gallery.c
HOST += bot/host/words/notice.c
HOST += bot/host/words/private.c
HOST += bot/host/words/problem.c
HOST += bot/host/words/proof.c
HOST += bot/host/words/slash.c
HOST += bot/host/words/speech.c
HOST += bot/host/words/rulebook.c
HOST += bot/host/words/status.c
HOST += bot/host/words/stories.c
HOST += bot/host/words/translation.c
HOST += bot/host/words/style.c
HOST += bot/host/words/vacancy.c
HOST += bot/host/words/times.c
HOST += bot/host/words/vocabulary.c
HOST += bot/host/judge/answer.c
HOST += bot/host/judge/conduct.c
HOST += bot/host/judge/lots.c
HOST += bot/host/judge/prods.c
HOST += bot/host/judge/outage.c
HOST += bot/host/judge/press.c
HOST += bot/host/judge/reachability.c
HOST += bot/host/judge/referee.c
HOST += bot/host/judge/slash.c
HOST += bot/host/judge/timers.c
HOST += bot/host/judge/commands/address.c
HOST += bot/host/judge/commands/catchup.c
HOST += bot/host/judge/commands/chat_command.c
HOST += bot/host/judge/commands/chat_commands.c
HOST += bot/host/judge/commands/door.c
HOST += bot/host/judge/commands/fair.c
HOST += bot/host/judge/commands/false_names.c
HOST += bot/host/judge/commands/gallery.c
HOST += bot/host/judge/commands/joining.c
HOST += bot/host/judge/commands/mending.c
HOST += bot/host/judge/commands/moderators.c
HOST += bot/host/judge/commands/order.c
HOST += bot/host/judge/commands/own_names.c
HOST += bot/host/judge/commands/plans.c
HOST += bot/host/judge/commands/preferences.c
HOST += bot/host/judge/commands/questions.c
HOST += bot/host/judge/commands/claims.c
HOST += bot/host/judge/commands/ready.c
HOST += bot/host/judge/commands/seats.c
HOST += bot/host/judge/commands/settings.c
HOST += bot/host/judge/commands/signup.c
HOST += bot/host/judge/commands/stats.c

REPORT += bot/report/page.c
REPORT += bot/report/report.c
REPORT += bot/report/report_proof.c
REPORT += bot/report/report_story.c
REPORT += bot/report/report_tables.c
REPORT += bot/report/site.c
REPORT += bot/report/story.c

STORE += bot/store/backup.c
STORE += bot/store/forget.c
STORE += bot/store/forget_asked.c
STORE += bot/store/forget_left.c
STORE += bot/store/forget_names.c
STORE += bot/store/recover.c
STORE += bot/store/results.c
STORE += bot/store/store.c
STORE += bot/store/store_check.c
STORE += bot/store/store_copied.c
STORE += bot/store/store_games.c
STORE += bot/store/store_journal.c
STORE += bot/store/store_messages.c
STORE += bot/store/store_notes.c
STORE += bot/store/store_open.c
STORE += bot/store/store_posts.c
STORE += bot/store/store_queued.c
STORE += bot/store/store_ruling.c
STORE += bot/store/store_schema.c
STORE += bot/store/store_sealed.c
STORE += bot/store/store_services.c
STORE += bot/store/store_session.c
STORE += bot/store/store_upgrade.c

PLACES += bot/tables/places/members.c
PLACES += bot/tables/places/places.c
PLACES += bot/tables/places/services.c

FEEDS += bot/tables/feeds/feed.c
FEEDS += bot/tables/feeds/feeds.c
FEEDS += bot/tables/feeds/feeds_read.c
FEEDS += bot/tables/feeds/reached.c
FEEDS += bot/tables/feeds/readings.c
FEEDS += bot/tables/feeds/service_clock.c

TABLES += bot/tables/turns/attempts.c
TABLES += bot/tables/delivery/buttons.c
TABLES += bot/tables/delivery/calls.c
TABLES += bot/tables/commands.c
TABLES += bot/tables/turns/deferred.c
TABLES += bot/tables/delivery/delivery.c
TABLES += bot/tables/dms.c
TABLES += bot/tables/hosted.c
TABLES += bot/tables/flood.c
TABLES += bot/tables/game_log.c
TABLES += bot/tables/turns/intake.c
TABLES += bot/tables/turns/outages.c
TABLES += bot/tables/turns/pending.c
TABLES += bot/tables/delivery/pictures.c
TABLES += bot/tables/turns/posts.c
TABLES += bot/tables/turns/presence.c
TABLES += bot/tables/turns/repeats.c
TABLES += bot/tables/turns/ripe.c
TABLES += bot/tables/replies.c
TABLES += bot/tables/rule.c
TABLES += bot/tables/tables.c
TABLES += bot/tables/tables_feeds.c
TABLES += bot/tables/turns/tables_open.c
TABLES += bot/tables/turns/threads.c
TABLES += bot/tables/turns/timers.c
TABLES += bot/tables/delivery/unreachable.c

LOOP += bot/loop/authorize.c
LOOP += bot/loop/bells.c
LOOP += bot/loop/dispatch.c
LOOP += bot/loop/locating.c
LOOP += bot/loop/login.c
LOOP += bot/loop/loop.c
LOOP += bot/loop/loop_time.c
LOOP += bot/loop/loop_turn.c
LOOP += bot/loop/notes.c
LOOP += bot/loop/op_copy.c
LOOP += bot/loop/pages.c
LOOP += bot/loop/presses.c
LOOP += bot/loop/reader.c
LOOP += bot/loop/sender.c
LOOP += bot/loop/searches.c
LOOP += bot/loop/sending.c
LOOP += bot/loop/sent.c
LOOP += bot/loop/waiting.c

LOCAL += bot/local/guest.c
LOCAL += bot/local/prompt.c
LOCAL += bot/local/screen.c
LOCAL += bot/local/script.c
LOCAL += bot/local/sim_players.c
LOCAL += bot/local/sim_table.c
LOCAL += bot/local/stage.c
LOCAL += bot/local/strategy.c

CLI += bot/cli/archive.c
CLI += bot/cli/background_check.c
CLI += bot/cli/backup.c
CLI += bot/cli/board.c
CLI += bot/cli/catalogue.c
CLI += bot/cli/check.c
CLI += bot/cli/check_bold.c
CLI += bot/cli/doctor.c
CLI += bot/cli/enquiry.c
CLI += bot/cli/forget.c
CLI += bot/cli/games.c
CLI += bot/cli/health.c
CLI += bot/cli/metrics.c
CLI += bot/cli/options.c
CLI += bot/cli/play.c
CLI += bot/cli/post.c
CLI += bot/cli/post_line.c
CLI += bot/cli/questions.c
CLI += bot/cli/read.c
CLI += bot/cli/record.c
CLI += bot/cli/recorded.c
CLI += bot/cli/replay.c
CLI += bot/cli/report.c
CLI += bot/cli/restore.c
CLI += bot/cli/rules.c
CLI += bot/cli/run.c
CLI += bot/cli/setup.c
CLI += bot/cli/setup_inner.c
CLI += bot/cli/setup_place.c
CLI += bot/cli/setup_service.c
CLI += bot/cli/setup_times.c
CLI += bot/cli/setup_unit.c
CLI += bot/cli/setup_write.c
CLI += bot/cli/show.c
CLI += bot/cli/simulate.c
CLI += bot/cli/site.c
CLI += bot/cli/stats.c
CLI += bot/cli/status.c
CLI += bot/cli/thread.c
CLI += bot/cli/undelivered.c
CLI += bot/cli/verify.c

# Files that become arrays of bytes in the program.
EMBEDDED += adapters/board/schema.sql
EMBEDDED += bot/report/report.css
EMBEDDED += bot/store/schema.sql

TESTS   := $(filter-out tests/live/%,$(wildcard tests/*/test_*.c))
LIVE    := $(wildcard tests/live/*.c tests/live/site/*.c)
MARKDOWN := $(wildcard tests/support/markdown/*.c)
SUPPORT := $(filter-out tests/support/corpus.c,$(wildcard tests/support/*.c)) \
           $(MARKDOWN)
FUZZ    := $(wildcard tests/fuzz/fuzz_*.c)
SIM     := $(filter-out tests/sim/test_%,$(wildcard tests/sim/*.c))
BENCH   := $(filter-out tests/bench/test_%,$(wildcard tests/bench/*.c))
MONTH   := $(addprefix tests/bench/,fake_curl.c fake_gateway.c month.c \
             players.c writes.c)
BENCH_SUPPORT := $(addprefix tests/support/,fake_discord.c payloads.c player.c \
                   recordings.c recordings_hold.c virtual_host.c)

BOT     := $(RECORD) $(PICTURE) $(HOST) $(REPORT) $(STORE) $(PLACES) $(FEEDS) \
           $(TABLES) $(LOOP) $(LOCAL) $(CLI)
LIBRARY := $(BASE) $(ENGINE) $(CONFIG) $(ADAPTERS) $(BOT)
SOURCES := $(LIBRARY) bot/cli/main.c
TARGET  := $(BUILD)/placard

all: $(TARGET)

export HELP
help:
	@printf '%s\n' "$$HELP"

# ---- building -----------------------------------------------------------------
# Before what it compiles or links: [ 87/331].  How many there will be is what `make
# -n` would do, asked for when there is something to do.
ifdef COUNTING
step   = @echo COUNTED
else
STEPS  = $(call once,STEPS,$(if $(filter check% fuzz,$(MAKECMDGOALS)),?,$(shell \
           $(MAKE) -n --no-print-directory COUNTING=1 $(MAKEOVERRIDES) \
           $(MAKECMDGOALS) 2>/dev/null | \
           grep -c COUNTED)))
step   = @$(eval DONE += x)printf '[%3d/%s] %s\n' $(words $(DONE)) $(STEPS) '$(1)'
endif
obj = $(patsubst %.c,$(BUILD)/%.o,$(1))

# The engine is small, and gains a tenth by it.
$(call obj,$(ENGINE)): CFLAGS += -O3

# An embedded file is a .c file under $(BUILD) first.
EMBEDDED_C  := $(EMBEDDED:%=$(BUILD)/%.c)
embedded_in  = $(filter $(BUILD)/$(1)/%,$(EMBEDDED_C:.c=.o))

$(BUILD)/libbase.a:     $(call obj,$(BASE))
$(BUILD)/libengine.a:   $(call obj,$(ENGINE))
$(BUILD)/libconf.a:     $(call obj,$(CONFIG))
$(BUILD)/libadapters.a: $(call obj,$(ADAPTERS)) $(call embedded_in,adapters)
$(BUILD)/libbot.a:      $(call obj,$(BOT)) $(call embedded_in,bot)
$(BUILD)/%.a: Makefile
	$(call step,AR    $@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# Who may need whom, left to right: bot, then engine and adapters, the floor.
ARCHIVES := $(BUILD)/libbot.a $(BUILD)/libengine.a $(BUILD)/libadapters.a \
            $(BUILD)/libconf.a $(BUILD)/libbase.a

$(TARGET): $(call obj,bot/cli/main.c) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK_WHOLE) -o $@ $^ $(LIBS)

# What `--version` calls the commit: git's, or what an archive says in
# config/commit, "$Format…" if it was made without git.
COMMIT_H := $(BUILD)/commit.h
$(BUILD)/bot/cli/main.o: $(COMMIT_H)
$(BUILD)/bot/cli/main.o: override CPPFLAGS += -include $(COMMIT_H)
$(COMMIT_H): FORCE
	$(Q)mkdir -p $(@D) && sh config/commit.sh | \
	  sed 's/.*/#define PLACARD_COMMIT "&, "/' >$@.new
	$(Q)if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
FORCE:

# Check's macros are not pedantic; tests see them alone.
TEST_CFLAGS = $(TEST_FLAGS) -Wno-pedantic -DTEST_PROGRAM='"$(TARGET)"'
DATA_FLAG   = -DPLACARD_DATADIR='"$(DATADIR)"'

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC    $<)
	$(Q)$(CC) $(STD) $(WARN) $(HARD) -I. -MMD -MP $(LIB_FLAGS) $(DATA_FLAG) \
	  $(if $(filter tests/%,$<),$(TEST_CFLAGS)) \
	  $(if $(filter tests/%,$(<:tests/bench/%=%)),,$(FAT)) \
	  $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# bot/store/schema.sql becomes the array bot_store_schema_sql, which ends with a
# zero byte.  An array, because C limits the length of string literals.
define embed
@mkdir -p $(@D)
$(call step,EMBED $<)
$(Q){ name=$$(printf %s $< | tr -c a-z0-9 _); \
  printf 'extern const char %s[];\nconst char %s[] = {\n' $$name $$name; \
  $(1) <$< | od -An -v -td1 | sed 's/[0-9][0-9]*/&,/g'; \
  echo '0};'; } >$@
endef

$(BUILD)/%.sql.c: %.sql
	$(call embed,cat)

# Each rule of a style sheet is embedded as one line, without comments, indents,
# and blanks after commas and colons.  A value may only be broken after a comma.
CSS_LINES := /^ *\/\*/ { inside = 1 } \
             inside { if (/\*\//) inside = 0; next } \
             { last = /^}/; sub(/^ +/, ""); sub(/ [{]$$/, "{"); \
               sub(/: /, ":"); gsub(/, /, ","); rule = rule $$0 } \
             last { gsub(/;}/, "}", rule); print rule; rule = "" }
$(BUILD)/%.css.c: %.css
	$(call embed,awk '$(CSS_LINES)')

$(EMBEDDED_C:.c=.o): %.o: %.c
	$(call step,CC    $<)
	$(Q)$(CC) $(STD) $(WARN) $(HARD) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# ---- setting up a fresh machine -------------------------------------------------
# Installs what is missing, and does nothing otherwise.  Root is only told; others are
# asked, at a terminal, and elsewhere told what to type.
deps:
	@$(call install_missing,$(DEB_TOOLS),$(DEB_PKGS))

deps-dev:
	@$(call install_missing,$(DEB_TOOLS) $(DEV_TOOLS),$(DEB_PKGS))
	@$(call install_runtime)

define install_missing
want=""; \
for pair in $(1); do \
  command -v "$${pair%%:*}" >/dev/null 2>&1 || want="$$want $${pair##*:}"; \
done; \
for pair in $(2); do \
  $(PKG_CONFIG) --exists "$${pair%%:*}" 2>/dev/null || \
    want="$$want $${pair##*:}$(DEB_ARCH:%=:%)"; \
done; \
test -e /usr/include/wslay/wslay.h || want="$$want libwslay-dev$(DEB_ARCH:%=:%)"; \
test -e /usr/share/zoneinfo/Europe/Berlin || want="$$want tzdata"; \
test -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf || want="$$want fonts-dejavu-core"; \
test -z "$$want" || { $(may_install); $(apt_install) $$want; }
endef

define install_runtime
mkdir -p $(dir $(BUILD)); \
printf 'int main(void){return 0;}' > $(BUILD)-probe.c; \
clang -fsanitize=fuzzer-no-link,address -o $(BUILD)-probe $(BUILD)-probe.c 2>/dev/null; \
found=$$?; rm -f $(BUILD)-probe $(BUILD)-probe.c; \
test $$found = 0 || { want=" libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev"; $(may_install); $(apt_install) $$want; }
endef

# make gives its standard input to one of the things that it does at a time.
at_terminal = $(shell test -t 0 && echo yes)
define may_install
if [ "$$(id -u)" = 0 ]; then root=; echo "Installing:$$want"; \
else \
  root=sudo; answer=n; echo "Missing:$$want"; \
  if [ -n "$(at_terminal)" ] && [ -t 1 ]; then \
    printf 'Install them with sudo apt-get? [Y/n] '; \
    read -r answer </dev/tty || answer=n; \
  fi; \
  case $$answer in ""|[Yy]*) ;; *) \
    printf '%s\n' 'To install them:' \
      "  sudo apt-get install --no-install-recommends$$want"; exit 1 ;; \
  esac; \
fi
endef
# Its output is shown where it fails alone.
apt_update  = apt_get() { $$root env DEBIAN_FRONTEND=noninteractive apt-get \
              -q "$$@" >$(DEPS_LOG) 2>&1 || { cat $(DEPS_LOG); return 1; }; }; \
              apt_get update
apt_install = $(apt_update) && apt_get install -y --no-install-recommends
DEPS_LOG    = $${TMPDIR:-/tmp}/placard-deps.log

# The goals that do all their own set-up build nothing before it is done.
ifneq ($(filter demo play test test-long simulate-faults bench deps pictures check-live check-types check-sites check-package,$(MAKECMDGOALS)),)
$(call obj,$(SOURCES) $(TESTS) $(LIVE) $(SUPPORT) $(SIM) $(FUZZ) $(BENCH) tests/support/corpus.c): | deps
endif
ifneq ($(filter check check-asan check-hardened check-mutants check-pictures fuzz,$(MAKECMDGOALS)),)
$(call obj,$(SOURCES) $(TESTS) $(SUPPORT) $(FUZZ) tests/support/corpus.c): | deps-dev
check-layers check-pure check-headers check-format check-hardened check-tidy \
check-warnings check-asan check-mutants check-pictures: | deps-dev
endif
# The tests have the machine to themselves.
ifneq ($(filter check,$(MAKECMDGOALS)),)
check-asan: | check-warnings check-tidy
endif

# ---- the newcomer's two commands -------------------------------------------------
DEMO = XDG_STATE_HOME=$(abspath $(BUILD))/$@ PLACARD_DATA=config \
       $(TARGET) play --auto --seed 5ec7e7
demo: deps $(TARGET)
	$(Q)$(DEMO)
	@printf '\n%s\n%s\n' 'To sit at the table:  make play' \
	  'To host tables:       $(TARGET) setup'

play: deps $(TARGET)
	$(Q)PLACARD_DATA=config $(TARGET) play

# A round of that game as a player sees it in the thread, drawn for the README.
THREAD := bot/cli/pictures/thread.svg
define draw_thread
$(DEMO) --set red=required >$(BUILD)/thread && \
LC_ALL=C awk -v round=8 -v reader=Frida -f tests/picture/thread.awk $(BUILD)/thread \
  >$(BUILD)/thread.svg
endef
pictures: deps $(TARGET)
	$(Q)$(draw_thread)
	$(Q)cp $(BUILD)/thread.svg $(THREAD)
	@echo "  DRAWN $(THREAD)"

check: check-pictures
check-pictures: $(TARGET)
	@echo "  PICTURES"
	@$(draw_thread)
	@cmp $(BUILD)/thread.svg $(THREAD) || \
	  { echo "The game is told differently now: make pictures, and look at it"; exit 1; }
	@test $$(wc -c <$(THREAD)) -lt 300000 || { echo "$(THREAD) has 300 kB or more"; exit 1; }

# ---- tests -----------------------------------------------------------------------
TEST_BINS := $(TESTS:%.c=$(BUILD)/%)

# Each folder links only the rooms it may see.
TEST_MAIN := $(BUILD)/tests/support/runner.o
KEPT      := $(BUILD)/tests/support/kept_catalogue.o
$(BUILD)/tests/engine/%: $(BUILD)/tests/engine/%.o $(TEST_MAIN) \
                         $(BUILD)/tests/support/engine_game.o $(BUILD)/libengine.a
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(TEST_LIBS)
$(BUILD)/tests/base/%: $(BUILD)/tests/base/%.o $(TEST_MAIN) $(BUILD)/libbase.a
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)
$(BUILD)/tests/config/%: $(BUILD)/tests/config/%.o $(TEST_MAIN) \
                         $(BUILD)/libconf.a $(BUILD)/libbase.a
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)
$(BUILD)/tests/adapters/%: $(BUILD)/tests/adapters/%.o $(TEST_MAIN) \
                           $(BUILD)/tests/support/httpd.o \
                           $(BUILD)/tests/support/web_server.o \
                           $(BUILD)/tests/support/fake_discourse.o \
                           $(BUILD)/tests/support/fake_discord.o \
                          $(BUILD)/tests/support/payloads.o \
                           $(BUILD)/tests/support/fake_matrix.o \
                           $(BUILD)/tests/support/fake_matrix_people.o \
                           $(BUILD)/tests/support/fake_nodebb.o \
                           $(BUILD)/tests/support/fake_phpbb.o \
                           $(BUILD)/tests/support/recordings.o \
                           $(BUILD)/tests/support/recordings_hold.o \
                           $(BUILD)/tests/support/fake_request.o \
                           $(call obj,$(MARKDOWN)) $(BUILD)/libadapters.a \
                           $(BUILD)/libconf.a $(BUILD)/libbase.a
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)
$(BUILD)/tests/bench/test_%: $(BUILD)/tests/bench/test_%.o $(TEST_MAIN) \
                             $(call obj,$(MONTH) $(BENCH_SUPPORT)) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)
# Through a gateway and a libcurl that are in memory.
$(BUILD)/tests/gateway/%: $(BUILD)/tests/gateway/%.o $(TEST_MAIN) \
                          $(BUILD)/tests/bench/fake_curl.o \
                          $(BUILD)/tests/bench/fake_gateway.o \
                          $(BUILD)/tests/support/fake_discord.o \
                          $(BUILD)/tests/support/payloads.o \
                          $(BUILD)/tests/support/fake_presses.o \
                          $(BUILD)/tests/support/recordings.o \
                          $(BUILD)/tests/support/recordings_hold.o \
                          $(BUILD)/tests/support/virtual_host.o $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)
# On a libcurl, a gateway and a disk that are in memory.
$(BUILD)/tests/sim/test_fault_games: \
        $(BUILD)/tests/sim/test_fault_games.o $(TEST_MAIN) $(call obj,$(SIM)) \
        $(BUILD)/tests/bench/fake_curl.o $(BUILD)/tests/bench/fake_gateway.o \
        $(filter-out $(TEST_MAIN) $(KEPT),$(call obj,$(SUPPORT))) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK_WHOLE) -o $@ $^ $(LIBS) $(TEST_LIBS)
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(TEST_MAIN) \
                  $(filter-out $(TEST_MAIN),$(call obj,$(SUPPORT))) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS) -Wl,--wrap=catalogues_open

# Corpora of the fuzz targets, fed to them without a fuzzer.
CORPUS_BINS := $(FUZZ:%.c=$(BUILD)/%)
$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o \
                       $(BUILD)/tests/support/corpus.o \
                       $(call obj,$(MARKDOWN)) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(CHECK_LIBS)

# The real program with an adapter more: a service that is made up.
TEST_TARGET := $(BUILD)/tests/support/placard
$(TEST_TARGET): $(call obj,bot/cli/main.c tests/support/program/registry.c \
                  tests/support/made_up.c) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# Laid under the real program, it kills, fails and shifts the clock.
SHIM := $(BUILD)/tests/support/fault_shim.so
$(SHIM): tests/support/shim/fault_shim.c
	@mkdir -p $(@D)
	$(call step,SHIM  $@)
	$(Q)$(CC) $(STD) $(WARN) -fno-common -fPIC -shared -O2 -g -o $@ $< -ldl

# One program more at a time than there are processors, since some only wait;
# those that take longest first.  One that fails does not keep the others from
# running.  A quarter of the samples is tried here, all of them by CI.
SAMPLED := $(patsubst %.c,$(BUILD)/%,$(shell grep -l effort $(TESTS)))
LONGEST := $(filter $(TEST_BINS),$(addprefix $(BUILD)/tests/, \
             cli/test_setup play/test_plays sim/test_fault_games \
             sim/test_kill_points sim/test_faults cli/test_play cli/test_replay \
             cli/test_sim_players store/test_whole_games adapters/test_contract \
             gateway/test_presses store/test_odd_rows tables/test_arrival \
             loop/test_services loop/test_loop host/test_intent))
test test-long: export FAILED_TESTS := $(BUILD)/failed-tests
test test-long: export DONE_TESTS := $(BUILD)/done-tests
test test-long: export ALL_TESTS = $(words $(CHOSEN) $(FED))
test: export PLACARD_EFFORT ?= 25
test-long: export PLACARD_EFFORT ?= 500
test-long: CHOSEN := $(SAMPLED)
test: CHOSEN := $(LONGEST) $(filter-out $(LONGEST),$(TEST_BINS))
test: FED := $(CORPUS_BINS)
test: $(CORPUS_BINS)
test test-long: deps $(TEST_BINS) $(TARGET) $(TEST_TARGET) $(SHIM)
	@rm -f $(FAILED_TESTS) $(DONE_TESTS)
	@{ printf '%s\n' $(CHOSEN); \
	  for t in $(FED); do \
	    echo $$t tests/fuzz/corpus/$${t##*/fuzz_}/*; done; } | \
	PLACARD_DATA=config xargs -P $$(($$(nproc) + 1)) -L 1 \
	  sh -c 'exec sh tests/run.sh "$${0#$(BUILD)/}" "$$0" "$$@"'
	@if test -e $(FAILED_TESTS); then \
	  echo "$$(grep -c . $(FAILED_TESTS)) of $$ALL_TESTS test programs have failed:"; \
	  sed 's/^/  /' $(FAILED_TESTS); exit 1; \
	fi
	@echo "All tests have passed: $$ALL_TESTS programs of $$ALL_TESTS."

test-programs: $(TEST_BINS) $(TARGET) $(TEST_TARGET) $(SHIM)

# Games in which everything goes wrong: SEEDS of them, from SEED on, a part in
# each process.  What fails is told on standard output.
SEED  ?= 1
SEEDS ?= 1000
FAULT_GAMES := $(BUILD)/tests/sim/test_fault_games
simulate-faults: deps $(FAULT_GAMES)
	@echo "  FAULTS"
	@parts=$$(nproc); each=$$((($(SEEDS) + parts - 1) / parts)); \
	for i in $$(seq 0 $$((parts - 1))); do echo $$(($(SEED) + i * each)) $$each; done | \
	PLACARD_DATA=config xargs -P $$parts -L 1 sh -c \
	  'PLACARD_SEED=$$0 PLACARD_SEEDS=$$1 CK_DEFAULT_TIMEOUT=0 exec $(FAULT_GAMES)'

# ---- the bench -------------------------------------------------------------------
# Its files lie in memory where that can be: the disk is not what is measured.
# Over HTTP they lie on the disk, for each sync costs the processor something.
BENCH_BIN := $(BUILD)/tests/bench/bench
$(BENCH_BIN): $(call obj,$(filter-out %/over_http.c,$(BENCH)) $(BENCH_SUPPORT)) \
               $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK_WHOLE) -o $@ $^ $(LIBS) $(TEST_LIBS)

# On the real libcurl, which the other one replaces.
BENCH_HTTP := $(BUILD)/tests/bench/over_http
$(BENCH_HTTP): $(call obj,$(addprefix tests/bench/,over_http.c bench.c writes.c) \
                 $(BENCH_SUPPORT) tests/support/httpd.c tests/support/web_server.c) \
               $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK_WHOLE) -Wl,--wrap=curl_multi_poll -o $@ $^ $(LIBS) $(TEST_LIBS)

# YARDSTICK=file.c names a program of one file to compare the engine with.
$(BUILD)/yardstick: $(YARDSTICK)
	@mkdir -p $(@D)
	$(Q)$(CC) -O3 -o $@ $<

bench: deps $(BENCH_BIN) $(BENCH_HTTP) $(TARGET) \
       $(if $(YARDSTICK),$(BUILD)/yardstick)
	$(Q)$(if $(YARDSTICK),export YARDSTICK=$(BUILD)/yardstick;) \
	begun=$$(date +%s); disk=$${TMPDIR:-/tmp}; \
	memory=/dev/shm; test -w $$memory || memory=$$disk; \
	scratch=$$(mktemp -d $$memory/placard-bench-XXXXXX) || exit 1; \
	trap 'rm -rf "$$scratch" "$$synced"' EXIT; trap 'exit 1' INT TERM; \
	synced=$$(mktemp -d $$disk/placard-bench-XXXXXX) || exit 1; \
	export PLACARD_DATA=config; \
	$(BENCH_BIN) "$$scratch" && $(BENCH_HTTP) "$$synced" && \
	echo && echo "The bench took $$(($$(date +%s) - begun)) seconds."

# Real services, in real time: minutes.  See tests/README.md.
LIVE_BINS := $(BUILD)/tests/live/test_matrix $(BUILD)/tests/live/test_games
LIVE_SITE := $(BUILD)/tests/live/site/site
LIVE_OBJ  := $(call obj,$(filter-out tests/live/test_% tests/live/site/%,$(LIVE)))
$(LIVE_BINS): $(BUILD)/tests/live/%: $(BUILD)/tests/live/%.o $(LIVE_OBJ) \
                                     $(call obj,tests/support/player.c) \
                                     $(TEST_MAIN) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(TEST_LIBS)

TYPED := $(BUILD)/tests/gateway/test_presses
check-types: deps $(TYPED)
	@echo "  TYPES"
	@scratch=$$(mktemp -d $${TMPDIR:-/tmp}/placard-types-XXXXXX) || exit 1; \
	PLACARD_DATA=config sh tests/live/types/types.sh $(TYPED) "$$scratch" || \
	{ echo "What was said is in $$scratch."; exit 1; }; \
	rm -rf "$$scratch"

check-live: deps check-types $(LIVE_BINS) $(TARGET)
	@for test in $(LIVE_BINS); do \
	  echo "  LIVE  $${test##*_}"; \
	  scratch=$$(mktemp -d $${TMPDIR:-/tmp}/placard-live-XXXXXX) || exit 1; \
	  PLACARD_LIVE=$$scratch $$test || \
	  { echo "Logs and databases are in $$scratch."; exit 1; }; \
	  rm -rf "$$scratch"; \
	done

# The same games at the tests' own services, at a clock that goes faster.
$(LIVE_SITE): $(call obj,$(filter tests/live/site/%,$(LIVE))) \
              $(filter-out $(TEST_MAIN) $(KEPT),$(call obj,$(SUPPORT))) $(ARCHIVES)
	$(call step,LINK  $@)
	$(Q)$(LINK) -o $@ $^ $(LIBS) $(CHECK_LIBS)

check-sites: deps $(LIVE_BINS) $(LIVE_SITE) $(SHIM) $(TARGET)
	@echo "  SITES"
	@scratch=$$(mktemp -d $${TMPDIR:-/tmp}/placard-sites-XXXXXX) || exit 1; \
	sh tests/live/site/sites.sh $(BUILD) "$$scratch" || \
	{ echo "Logs and databases are in $$scratch."; exit 1; }; \
	rm -rf "$$scratch"

# ---- checks: all that CI runs -----------------------------------------------------
check: deps-dev check-layers check-pure check-headers check-format check-hardened \
       check-warnings check-tidy check-asan

# The table of rooms in CONTRIBUTING.md: which headers a folder's files include.
# `*` stands for the headers of a folder, `**` for those of its subfolders, too.
pattern      = $(subst @,[^"]*,$(subst *,[^"/]*,$(subst **,@,$(1))))
any_of       = $(subst $(space),|,$(strip $(foreach p,$(1),$(call pattern,$(p)))))
space       := $(subst ,, )
define may_include
! grep -nE '^#include "' $(wildcard $(addsuffix /*.[ch],$(1))) /dev/null | \
  grep -vE '#include "($(call any_of,$(addsuffix /*.h,$(firstword $(1))) $(addsuffix /*.def,$(firstword $(1))) $(2)))"'
endef
BASE_H      := bot/base/*.h
MARKUP_H    := adapters/markup/**.h
SERVICE_H   := adapters/*.h adapters/forum/*.h $(MARKUP_H) $(BASE_H)
HOST        := bot/host
check-layers:
	@echo "  LAYERS"
	@$(call may_include,engine)
	@$(call may_include,bot/base)
	@$(call may_include,config,$(BASE_H))
	@$(call may_include,adapters/markup adapters/markup/html,$(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters,$(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/http,adapters/*.h $(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/board,adapters/*.h $(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/forum,adapters/*.h $(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/discord,adapters/*.h $(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/matrix,adapters/*.h $(MARKUP_H) $(BASE_H))
	@$(call may_include,adapters/discourse,$(SERVICE_H))
	@$(call may_include,adapters/nodebb,$(SERVICE_H))
	@$(call may_include,adapters/phpbb,$(SERVICE_H))
	@$(call may_include,bot/record,engine/*.h $(BASE_H))
	@$(call may_include,bot/picture,bot/record/*.h engine/*.h $(BASE_H))
	@$(call may_include,$(HOST)/table,$(HOST)/words/catalogue.h adapters/adapter.h $(MARKUP_H) bot/record/*.h engine/*.h config/*.h $(BASE_H))
	@$(call may_include,$(HOST)/reading,$(MARKUP_H) $(BASE_H))
	@$(call may_include,$(HOST)/words,$(HOST)/table/*.h $(HOST)/reading/*.h bot/picture/*.h $(MARKUP_H) engine/*.h config/*.h $(BASE_H))
	@$(call may_include,$(HOST)/judge $(HOST)/judge/commands,$(HOST)/judge/commands/*.h $(HOST)/table/*.h $(HOST)/reading/*.h $(HOST)/words/*.h adapters/adapter.h config/*.h $(BASE_H))
	@$(call may_include,bot/report,$(HOST)/words/catalogue.h bot/record/*.h $(BASE_H))
	@$(call may_include,bot/store,adapters/markup/dialects.h $(HOST)/table/*.h $(HOST)/reading/names.h $(BASE_H))
	@$(call may_include,bot/tables/places,bot/store/*.h adapters/adapter.h config/*.h $(BASE_H))
	@$(call may_include,bot/tables/feeds,bot/tables/places/*.h bot/store/*.h adapters/adapter.h config/*.h $(BASE_H))
	@$(call may_include,bot/tables,bot/tables/feeds/*.h bot/tables/places/*.h $(HOST)/**.h bot/store/*.h adapters/adapter.h config/*.h $(BASE_H))
	@$(call may_include,bot/tables/delivery,bot/tables/*.h bot/tables/feeds/*.h bot/tables/places/*.h $(HOST)/**.h bot/picture/*.h bot/report/*.h bot/store/*.h adapters/adapter.h config/*.h $(BASE_H))
	@$(call may_include,bot/tables/turns,bot/tables/*.h bot/tables/delivery/*.h bot/tables/feeds/*.h bot/tables/places/*.h $(HOST)/**.h bot/store/*.h adapters/adapter.h adapters/board/board_server.h config/*.h $(BASE_H))
	@$(call may_include,bot/loop,bot/tables/*.h bot/tables/delivery/*.h bot/tables/turns/*.h bot/tables/feeds/*.h bot/tables/places/*.h $(HOST)/table/*.h adapters/adapter.h adapters/doorbell.h adapters/http/http.h adapters/http/web_socket.h adapters/board/board_server.h config/*.h $(BASE_H))
	@! grep -n '#include "bot/cli/' bot/local/*.[ch]
	@! grep -lE '<libconfig' $$(find . -name '*.[ch]' -not -path './config/*' -not -path './build/*')
	@! grep -lE '<(time|sys/time)\.h>|clock_now\(' $$(find $(HOST) bot/record adapters -name '*.[ch]')

# The engine may ask libc for these and nothing else: no clock, no I/O, no heap.
PURE := __assert_fail|__stack_chk_fail|mem[a-z]*|str[a-z]*|bcmp|__mem[a-z]*_chk|__popcountdi2|_GLOBAL_OFFSET_TABLE_
check-pure: $(BUILD)/libengine.a
	@echo "  PURE  engine"
	@ld -r -o $(BUILD)/engine.o --whole-archive $<
	@! nm -u $(BUILD)/engine.o | awk '{print $$2}' | grep -vxE '$(PURE)'

# Every header compiles on its own.
check-headers:
	@echo "  HEADERS"
	@for h in $$(find bot engine adapters config tests -name '*.h' ! -name '*_list.h'); do \
	  printf '#include "%s"\nstruct header;\n' $$h | $(CC) $(STD) $(WARN) -Werror -I. $(LIB_FLAGS) $(TEST_FLAGS) \
	    -x c -fsyntax-only - || exit 1; done

# gcc notes in each object how it was compiled.  systemd rates a service from 0,
# safe, to 10; --threshold is ten times that.
HARDENED := -fstack-protector-strong -fPIE -fstack-clash-protection \
            $(if $(filter x86_64,$(shell uname -m)),-fcf-protection=full)
check-hardened: $(TARGET)
	@echo "  HARDENED"
	@readelf --debug-dump=info $< | awk '/DW_AT_producer.*GNU C/ { objects++; \
	  $(foreach flag,$(HARDENED),if (!/ $(flag)/) lacks["$(flag)"]++;) } \
	  END { for (flag in lacks) print "$<: " lacks[flag] " objects lack " flag; \
	    if (!objects) print "$<: not built by gcc with -g"; \
	    for (flag in lacks) exit 1; exit !objects }'
	@readelf -ldW $< | awk '/GNU_RELRO/ { relro = 1 } / BIND_NOW/ { now = 1 } \
	  /Flags:.* PIE/ { pie = 1 } /GNU_STACK.* RW / { stack = 1 } \
	  END { if (relro && now && pie && stack) exit 0; \
	    print "$<: PIE, full RELRO or a stack without code is missing"; exit 1 }'
	@readelf -W --dyn-syms $< | grep -q '__memcpy_chk' || \
	  { echo "$<: built without _FORTIFY_SOURCE"; exit 1; }
	@systemd-analyze security --offline=true --threshold=10 config/placard.service \
	  >$(BUILD)/exposure 2>&1 || { cat $(BUILD)/exposure; exit 1; }

FORMATTED = $$(find bot engine adapters config tests -name '*.[ch]')
check-format:
	@echo "  FORMAT"
	@clang-format --dry-run --Werror $(FORMATTED)

format:
	@clang-format -i $(FORMATTED)

# One process a file: clang-tidy 14 misreads va_list in the second.  The
# analyzer, which takes most of the time, walks the product alone.
check-tidy:
	@echo "  TIDY"
	@{ printf '%s\n' $(SOURCES); \
	  printf '%s -checks=-clang-analyzer-*\n' \
	    $(TESTS) $(SUPPORT) $(SIM) $(FUZZ) $(BENCH) $(LIVE); } | \
	xargs -P $$(nproc) -L 1 sh -c \
	  'clang-tidy --quiet "$$0" $$1 -- $(STD) -I. $(LIB_FLAGS) $(TEST_FLAGS) \
	  -DPLACARD_DATADIR=__FILE__ -DTEST_PROGRAM=__FILE__ 2>/dev/null'

# gcc's warnings need its optimizer, clang's do not.  What DEVELOPER=1 has built
# is not built again.
WARNED := $(if $(DEVELOPER),$(BUILD),build/gcc)
check-warnings:
	$(Q)$(MAKE) --no-print-directory BUILD=$(WARNED) CC=gcc DEVELOPER=1 \
	  $(WARNED)/placard $(WARNED)/tests/bench/bench $(TESTS:%.c=$(WARNED)/%)
	@echo "  CLANG"
	@printf '%s\n' $(SOURCES) | xargs -P $$(nproc) -n 8 \
	  clang $(STD) $(WARN) -Werror -I. $(LIB_FLAGS) $(DATA_FLAG) -fsyntax-only
	@printf '%s\n' $(TESTS) $(SUPPORT) $(SIM) $(FUZZ) $(BENCH) $(LIVE) | \
	xargs -P $$(nproc) -n 8 \
	  clang $(STD) $(WARN) -Werror -I. $(LIB_FLAGS) $(TEST_CFLAGS) -fsyntax-only

# With a process for each test they would take half as long again.  These need
# one, for their tests leave something behind.
FORKED := tests/cli/test_doctor tests/cli/test_services tests/cli/test_setup \
          tests/gateway/test_presses tests/host/test_pasted_back \
          tests/tables/test_arrival tests/tables/test_poison
check-asan:
	$(Q)CK_FORK=no FORKED="$(FORKED)" PLACARD_EFFORT=$${PLACARD_EFFORT:-50} \
	  $(MAKE) --no-print-directory BUILD=build/asan DEVELOPER= \
	  SANITIZE=address,undefined CFLAGS='-O1 -g' test

# The tests find what is planted: faults of the kinds that kill points, failing
# disks and the clock are there for.
check-mutants: $(TEST_BINS) $(TARGET) $(SHIM)
	@sh tests/sim/mutants.sh $(BUILD)

# The same with faults planted by chance, PLANTED of them, from SEED, in the sources
# IN; else in all.  The first run finds out which test runs which line, in ten minutes
# or more.
PLANTED ?= 20
REACH   ?= build/reach
check-chance: deps-dev
	@sh tests/mutants/reach.sh $(REACH)
	@sh tests/mutants/chance.sh $(REACH) $(PLANTED) $(SEED) $(IN)

# ---- fuzzing: needs clang -----------------------------------------------------------
# With FUZZED= nothing is looked for but crashes and what the targets themselves
# assert, and inputs are tried several times as fast.
FUZZED ?= ,address,undefined
FUZZ_BUILD := build/fuzz$(if $(FUZZED),,-fast)
fuzz:
	$(Q)$(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC=clang DEVELOPER= \
	  SANITIZE=fuzzer-no-link$(FUZZED) CFLAGS='-O$(if $(FUZZED),1,2) -g' \
	  $(FUZZ:tests/fuzz/%.c=$(FUZZ_BUILD)/%)
$(BUILD)/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(call obj,$(MARKDOWN)) $(ARCHIVES)
	$(call step,FUZZ  $@)
	$(Q)$(LINK) -fsanitize=fuzzer -o $@ $^ $(LIBS) $(CHECK_LIBS)

# ---- installing ---------------------------------------------------------------------
# A manual page for each sub-command, and completion, from what --help prints.
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR  ?= $(PREFIX)/share/zsh/site-functions
PAGES   := $(BUILD)/pages
$(PAGES)/_placard: $(TARGET) config/placard.1 $(wildcard config/pages/*)
	@echo "  PAGES $(@D)"
	$(Q)sh config/pages/pages.sh $(TARGET) $(@D)

install: $(TARGET) $(PAGES)/_placard
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(DATADIR)/languages \
	  $(DESTDIR)$(DATADIR)/themes $(DESTDIR)$(BASHDIR) $(DESTDIR)$(ZSHDIR) \
	  $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(UNITDIR)
	install -m 755 $(TARGET) $(DESTDIR)$(BINDIR)/
	install -m 644 config/languages/*.cfg $(DESTDIR)$(DATADIR)/languages/
	install -m 644 config/themes/*.cfg $(DESTDIR)$(DATADIR)/themes/
	install -m 644 config/placard.cfg config/alerts.yml $(DESTDIR)$(DATADIR)/
	install -m 644 config/placard.1 $(PAGES)/*.1 $(DESTDIR)$(MANDIR)/man1/
	install -m 644 $(PAGES)/placard.bash $(DESTDIR)$(BASHDIR)/placard
	install -m 644 $(PAGES)/_placard $(DESTDIR)$(ZSHDIR)/
	install -m 644 config/placard.service $(DESTDIR)$(UNITDIR)/

uninstall:
	rm -f $(DESTDIR)$(BINDIR)/placard $(DESTDIR)$(MANDIR)/man1/placard.1 \
	  $(DESTDIR)$(MANDIR)/man1/placard-*.1 $(DESTDIR)$(BASHDIR)/placard \
	  $(DESTDIR)$(ZSHDIR)/_placard \
	  $(DESTDIR)$(UNITDIR)/placard.service
	rm -rf $(DESTDIR)$(DATADIR)

# ---- packages -----------------------------------------------------------------------
VERSION = $(shell sed -n 's/.*define PLACARD_VERSION "\(.*\)"/\1/p' bot/base/version.c)
DIST    = $(BUILD)/dist/placard-$(VERSION).tar
DEB     = $(BUILD)/deb/placard-$(VERSION)

# What is committed, in git's order and with the commit's time: the same bytes
# each time.  The list that is printed counts the files of each folder.
dist:
	@test -e .git || { echo "make dist packs what git knows: it needs a clone."; exit 1; }
	@mkdir -p $(dir $(DIST))
	$(Q)git -c tar.umask=0022 archive --prefix=placard-$(VERSION)/ -o $(DIST) HEAD
	$(Q)gzip -9nf $(DIST)
	@git diff --quiet HEAD || echo "What is not committed is not in it."
	@tar -tzf $(DIST).gz | awk -F/ \
	  '!/\/$$/ { n[$$2]++ } END { for (k in n) print n[k], k }' | LC_ALL=C sort -k2 | \
	  awk '{ printf "%6d  %s\n", $$1, $$2; sum += $$1 } END { printf "%6d  files in $(DIST).gz\n", sum }'

# Debian wants the folder debian at the top: it is moved there in a copy of the
# sources, so that here it may lie in config, with what else is for operators.
# The copy is built by nothing of this make's but the sources, and is meant for the
# distribution that it is built on.
deb:
	$(Q)rm -rf $(BUILD)/deb $(BUILD)/placard_*.deb && mkdir -p $(DEB)
	$(Q){ if test -e .git; then git ls-files -z; \
	  else find . -path "./build*" -prune -o ! -type d ! -path ./local.mk -print0; fi; } | \
	  tar -c --null -T - | tar -x -C $(DEB)
	$(Q)sh config/commit.sh >$(DEB)/config/commit
	$(Q)mv $(DEB)/config/debian $(DEB)/debian
	$(Q). /etc/os-release && \
	  sed -i "1s/unstable/$${VERSION_CODENAME:-unstable}/" $(DEB)/debian/changelog
	$(Q)cd $(DEB) && { $(install_build_deps); }
	$(Q)cd $(DEB) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DEVELOPER \
	  dpkg-buildpackage --build=binary --no-sign --jobs-try=auto
	$(Q)cp $(BUILD)/deb/placard_*.deb $(BUILD)/
	@echo "To install it: apt install ./$$(echo $(BUILD)/placard_*.deb)"

define install_build_deps
dpkg-checkbuilddeps >/dev/null 2>&1 || { \
  if [ "$$(id -u)" != 0 ]; then \
    echo "The libraries it is built with are missing. To install them:"; \
    echo "  sudo apt-get build-dep --no-install-recommends $$PWD"; exit 1; \
  fi; \
  echo "Installing what the package is built with"; \
  root=; $(apt_update) && \
  apt_get build-dep -y --no-install-recommends ./; }
endef

# What is missing is not installed unasked.
check: check-deps
check-deps:
	@echo "  DEPS"
	@sh tests/package/deps.sh

# The version stands in three places; and each table is told of in PRIVACY.md.
check: check-versions
check-versions:
	@sh tests/package/versions.sh $(VERSION)

# What is published: the archive and the package, from a clean clone, once all checks
# pass; RELEASE_CHECKS= leaves them out.  The same commit gives the same bytes.
RELEASE        := $(BUILD)/release
RELEASE_CHECKS ?= test check check-sites
release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
release:
	@test -e .git && test -z "$$(git status --porcelain)" || \
	  { echo "A release is made of what is committed: commit or stash the rest."; exit 1; }
	$(Q)$(MAKE) --no-print-directory check-versions $(RELEASE_CHECKS)
	$(Q)$(MAKE) --no-print-directory -j1 dist deb
	$(Q)rm -rf $(RELEASE) && mkdir -p $(RELEASE)
	$(Q)cp $(DIST).gz $(BUILD)/placard_*.deb $(RELEASE)/
	$(Q)cd $(RELEASE) && sha256sum placard* >SHA256SUMS && cat SHA256SUMS

check-release:
	@sh tests/package/release.sh

check-package: deps $(LIVE_SITE)
	@echo "  PACKAGE"
	@sh tests/package/package.sh $(BUILD)

# The compilers and machines that we promise.  It takes up to ten minutes each.
PLATFORMS ?= debian12-gcc12 debian12-clang debian12-i386 debian12-s390x \
             debian13-gcc12 debian13-gcc13 debian13-gcc14 debian13-clang \
             ubuntu24.04-gcc13 ubuntu24.04-clang
check-platforms:
	@echo "  PLATFORMS"
	@sh tests/package/platforms.sh $(BUILD) $(PLATFORMS)

clean:
	rm -rf build

.PHONY: all help deps deps-dev demo play pictures check-pictures check-deps test test-long bench check check-live check-types check-sites \
        check-layers check-pure check-headers check-format check-hardened check-tidy \
        check-warnings check-asan check-mutants check-chance test-programs simulate-faults format fuzz install uninstall dist deb \
        check-package check-platforms check-versions check-release release clean
.PRECIOUS: $(BUILD)/%.o
.DELETE_ON_ERROR:
-include $(shell find $(BUILD) -name synapse -prune -o -type f -name '*.d' -print 2>/dev/null)
