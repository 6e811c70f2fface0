#!/bin/sh
# Faults planted in the product, one at a time, and the tests that must find
# them: `make check-mutants`.
#
#   mutants.sh BUILD [TEXT]    only those whose name holds TEXT
#
# BUILD is the folder in which all is built; it and the sources are copied, and
# nothing is changed here.  A fault that no longer fits the source, one that its
# test does not find, and a test that fails without any, are failures.

build=${1:?name the folder of what is built}
wanted=$2
here=$(pwd)
tree=$(mktemp -d "${TMPDIR:-/tmp}/placard-mutants-XXXXXX") || exit 1
trap 'rm -rf "$tree"' EXIT
trap 'exit 1' INT TERM
planted=0
failed=0
healthy=

fail() {
    echo "    $*"
    failed=$((failed + 1))
}

# Run a test, PROGRAM or PROGRAM:CASE, as long as it may take; what takes samples
# takes the same ones each time.
run() {
    case $1 in *:*) only="CK_RUN_CASE=${1#*:}" ;; *) only= ;; esac
    (cd "$tree" &&
        env $only PLACARD_SEED=1 PLACARD_QUICK=1 PLACARD_DATA=config timeout 600 \
            "$build/tests/${1%:*}") \
        >"$tree/said" 2>&1
}

# A fault may leave something unused, and nothing is optimized as a whole: to link
# that takes longer than most tests.
rebuild() {
    make -C "$tree" -s -j2 DEVELOPER= WHOLE= BUILD="$build" "$build/placard" \
        "$build/tests/${1%:*}" >"$tree/said" 2>&1
}

# A test proves nothing that fails by itself.
check_healthy() {
    case " $healthy " in *" $1 "*) return 0 ;; esac
    healthy="$healthy $1"
    rebuild "$1" && run "$1" && return 0
    fail "$1 fails without any fault"
    cat "$tree/said"
}

# mutant NAME FILE TEST SCRIPT: TEST must find what sed -zE makes of FILE.
mutant() {
    case $1 in *"$wanted"*) ;; *) return ;; esac
    planted=$((planted + 1))
    echo "  MUTANT  $1"
    check_healthy "$3"
    sed -zE "$4" "$here/$2" >"$tree/$2"
    if cmp -s "$here/$2" "$tree/$2"; then
        fail "it does not fit $2 any more: mend it here"
    elif ! rebuild "$3"; then
        fail "it can't be built:"
        cat "$tree/said"
    elif run "$3"; then
        fail "$3 does not find it"
    else
        case $? in
        1 | 124) ;; # it fails, or goes on for ever
        *) fail "$3 did not come to its end" ;;
        esac
    fi
    cp -p "$here/$2" "$tree/$2"
    cp -p "$here/$build/${2%.c}.o" "$tree/$build/${2%.c}.o"
    touch "$tree/$build/${2%.c}.o" # so that the archive gets it back
}

mkdir -p "$tree/$build"
test ! -e local.mk || cp -p local.mk "$tree"
cp -pR Makefile bot engine adapters config tests "$tree"
for part in placard bot engine adapters config tests; do
    cp -pR "$build/$part" "$tree/$build"
done
cp -p "$build"/*.a "$tree/$build"

# ---- new files ----------------------------------------------------------------

mutant 'the switch to WAL is tried once' \
    bot/base/db.c base/test_db:many \
    's/waited < BUSY_MS;/waited < 1;/'

mutant 'whoever finds a new file makes its schema' \
    bot/base/db.c base/test_db:many \
    's/if \(is_new\(label\)\) \{/if (label != NULL) {/'

# ---- the disk -----------------------------------------------------------------

mutant 'the databases do without their syncs' \
    bot/base/db.c sim/test_kill_points:often \
    's/synchronous = FULL/synchronous = OFF/'

mutant 'a file is renamed before it is synced' \
    bot/base/files.c sim/test_kill_points:once \
    's/&& sync && fsync\(file\) != 0/\&\& sync \&\& false/'

mutant 'the folder of a new file is not synced' \
    bot/base/files.c sim/test_kill_points:syncs \
    's/fsync\(folder\) != 0/false/'

mutant 'a commit that fails is not noticed' \
    bot/store/store.c sim/test_faults:disk \
    's/    return db_err\(store->db, why\);/    (void)store;\n    (void)why;\n    return ERR_NONE;/'

mutant 'a page is not one transaction' \
    bot/store/store.c tables/test_tables \
    's/    db_(begin_unsynced|commit)\(store->db\);/    (void)store;/g'

mutant 'a second host gets the store' \
    bot/store/store_open.c store/test_store \
    's/enum err err = file_lock\(buf_text\(&lock\), &store->lock, why\);/enum err err = store == NULL || why == NULL ? ERR_DENIED : ERR_NONE;/'

mutant 'a store goes with any board' \
    bot/tables/turns/tables_open.c sim/test_faults:files \
    's/newest >= read/newest >= 0/'

mutant 'a status post that has changed is looked for as it is now' \
    bot/loop/sender.c loop/test_delivery \
    's/op->changed = [^;]*/op->changed = false/'

# ---- reading ------------------------------------------------------------------

mutant 'an edit is noticed by its mark alone' \
    bot/tables/turns/posts.c tables/test_edits \
    's/before == WORDING_OTHER/before == WORDING_UNKNOWN/'

mutant 'what a post says is never noted anew' \
    bot/store/store_posts.c tables/test_edits \
    's/again && fingerprint != 0 && old != fingerprint\)/again \&\& fingerprint != 0 \&\& old == 0)/'

mutant 'what the last post of a game says is kept' \
    bot/tables/turns/posts.c tables/test_edits \
    's/is_watched\(intake\) \? intake->fingerprint : 0/intake->fingerprint/'

mutant 'a press is set aside once the process has died on it' \
    bot/tables/turns/intake.c tables/test_poison \
    's/met, 0, ALONE_TRIES, now/met, 0, PAGE_POST_TRIES, now/'

mutant 'the cursor is saved before what was read' \
    bot/tables/turns/intake.c sim/test_kill_points:once \
    's/(    store_begin\(tables->store\);\n    for [^}]*\}\n)    save_reading\(tables, feed, outcome\);/    save_reading(tables, feed, outcome);\n    store_flush(tables->store, false);\n    store_gather(tables->store);\n\1/'

mutant 'a post that comes again is judged again' \
    bot/tables/turns/posts.c tables/test_edits \
    's/if \(!look\(&intake\)\) \{/if (!look(\&intake) || true) {/'

mutant 'a post that has to wait is forgotten' \
    bot/tables/turns/posts.c tables/test_tables \
    's/    deferred_add\(tables, &deferred, post\);/    (void)deferred;/'

mutant 'a post does not wait for what was deferred before it' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/first_for\(tables, hosted, NULL, post\) == NULL/(post != NULL || first_for(tables, hosted, NULL, post) == NULL)/'

mutant 'a post does not wait for a timer before it' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/if \(is_overtaken\(tables, hosted, deferred_time\(post\)\)\)/if (post == NULL)/'

mutant 'what was written before its author had the seat is an answer' \
    bot/host/judge/referee.c tables/test_arrival \
    's/seats\[judging\.seat\]\.came/seats[judging.seat].came * 0/'

mutant 'a vote overtakes a command' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/!has_before\(tables, post, true\)/(!has_before(tables, post, true) || post != NULL)/'

mutant 'a page tells of posts that the next one brings' \
    bot/tables/feeds/reached.c tables/test_arrival \
    's/outcome->through - capabilities->margin/outcome->through/'

mutant 'discourse is in order up to a second that is yet to come' \
    adapters/discourse/discourse.c adapters/test_contract \
    's/\.margin = FORUM_MARGIN_MS,/.margin = FORUM_MARGIN_MS + SECOND_MS,/'

mutant 'nothing waits for a dm' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/!feed_has_dms\(feed\) \|\| feed_is_lost\(feed\)/!feed_has_dms(feed) || feed_has_dms(feed)/'

mutant 'what is marked as code is no attempt' \
    bot/host/reading/intent_attempt.c host/test_intent_attempt \
    's/\(MARK_CODE \| MARK_SPOILER\);/MARK_SPOILER;/'

mutant 'a vote with words about voting is no attempt' \
    bot/host/reading/intent_votes.c host/test_intent_attempt \
    's/if \(meant_is_voting\(reading, word\)\)/if (words == NULL)/'

mutant 'who votes for a player is met with silence' \
    bot/host/reading/intent_votes.c host/test_intent_attempt \
    's/\(line->ordered \|\| said > 1\)/line->ordered/'

mutant 'an attempt that is all in a quote is met with silence' \
    bot/host/reading/intent_attempt.c host/test_intent_attempt \
    's/line->excluded = is_excluded\(post\);//'

mutant 'a quote that is answered is read as well' \
    bot/host/reading/intent_attempt.c host/test_intent_attempt \
    's/return only;/return true;/'

mutant 'who asks what to do is met with silence' \
    bot/host/judge/answer.c play/test_plays:plays \
    's/slip == SLIP_NONE \&\& intent_says/false \&\& intent_says/'

mutant 'an unknown command with a name is met with silence' \
    bot/host/judge/commands/chat_commands.c play/test_plays:plays \
    's/awaits.choices != 0 \&\& seat_in/awaits.choices == 0 \&\& seat_in/'

mutant 'who has lost the seat reads that the vote is in' \
    bot/host/judge/commands/questions.c play/test_plays:plays \
    's/return "seat_vacant";//'

mutant 'people are warned of somebody who is not Hitler' \
    bot/host/words/speech.c play/test_plays:plays \
    's/ \|\|[^|]*!seat_in\(round->chancellor, table_cleared\(table\)\)/ || round->round > 0/'

mutant 'the call of a declined veto names the next deadline' \
    bot/host/table/table.c play/test_plays:plays \
    's/ \&\& !game->veto_declined;/;/'

mutant 'an attempt is answered once a question' \
    bot/store/store_ruling.c host/test_referee \
    's/POSTS_MOST = 3,/POSTS_MOST = 1,/'

mutant 'attempts are answered in the thread without end' \
    bot/store/store_ruling.c host/test_referee \
    's/POSTS_MOST = 3,/POSTS_MOST = 300,/'

mutant 'attempts are answered as fast as they come' \
    bot/store/store_ruling.c host/test_referee \
    's/PAUSE_MS = 60 \* 1000/PAUSE_MS = 0/'

mutant 'a form that names a player is shown in the thread' \
    bot/host/judge/answer.c host/test_true_hints \
    's/answer_privately\(judging, "hint_paste", true\)/answer_there(judging, "hint_paste", AGAIN_ATTEMPT)/'

mutant 'whoever can not be named is shown how to be' \
    bot/host/judge/answer.c host/test_true_hints \
    's/slip != SLIP_TALK && is_refused_name\(judging, player\)/slip == SLIP_NONE/'

mutant 'a sealed vote in the thread is answered there' \
    bot/host/judge/answer.c host/test_true_hints \
    's/answer_privately\(judging, "hint_sealed", true\)/answer_there(judging, "hint_sealed", AGAIN_ATTEMPT)/'

mutant 'in a session an answer tells whose turn it is' \
    bot/host/judge/referee.c host/test_true_hints \
    's/if \(tells_turn\(&judging\)\)/if (tells_turn(\&judging) \&\& why == NULL)/'

mutant 'how a post was read tells whose turn it is' \
    bot/host/judge/referee.c host/test_true_hints \
    's/buf_clear\(why\);( [^\n]*\n *)buf_add_text\(why, REFEREE_NOT_AWAITED\);/\1/'

mutant 'a command that is none is met with silence' \
    bot/host/judge/commands/chat_commands.c play/test_plays:plays \
    's/(row == NULL \|\| answers\) && is_act\(chat\))/\1 \&\& chat->asked > 0/'

mutant 'whoever is awaited is told in private that nothing is asked' \
    bot/host/judge/answer.c play/test_plays:plays \
    's/"asks", asked\)/"asks", asked \&\& judging->seat == NO_SEAT)/'

# ---- time ---------------------------------------------------------------------

mutant 'a deadline fires before its feed is read up to it' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/timer->at <= through &&/timer->at <= through + 1000 \&\&/'

mutant 'a timer that was set is not looked at' \
    bot/tables/hosted.c tables/test_tables \
    's/heap_set\(heap, &hosted->due, hosted->timer.at\)/heap_remove(heap, \&hosted->due)/'

mutant 'at the start it is forgotten where a game went' \
    bot/tables/turns/tables_open.c tables/test_reachability \
    's/table_set_thread\(&table, game->thread\);/(void)game;/'

mutant 'the host wakes for feeds that find no room' \
    bot/loop/loop_time.c loop/test_loop \
    's/ &&\n *pages_have_room\(loop, service, \(enum feed_queue\)queue\)//'

mutant 'feeds leave no room for messages' \
    bot/loop/dispatch.c loop/test_dispatch \
    's/own \+ many < OPS_MAX - OPS_RESERVED/own + many < OPS_MAX/'

mutant 'a question opens in the past of its service' \
    bot/tables/tables.c tables/test_outage \
    's/return latest > time \? latest : time;/return time + 0 * latest;/'

# ---- sending ------------------------------------------------------------------

mutant 'a message is sent before it is saved' \
    bot/loop/sender.c loop/test_loop \
    's/(calls_deadline\([^;]*;\n *\}\n) *store_save_queued\([^;]*;\n/\1/'

mutant 'a message is sent before it is committed' \
    bot/loop/loop_turn.c loop/test_loop \
    's/( *)(store_flush\(store, synced )/\1dispatch_work(loop->dispatch, now, 0);\n\1\2/'

mutant 'a doubtful message is sent again without a look' \
    bot/loop/sender.c loop/test_loop \
    's/return queued->state == QUEUED_DOUBTFUL && capabilities->finds/return queued->state == QUEUED_DOUBTFUL \&\& capabilities == NULL/'

mutant 'a search that is cut short counts as one that has found nothing' \
    bot/loop/sent.c loop/test_search \
    's/\? delivery->outcome.found/? delivery->outcome.found - (delivery->outcome.found == FOUND_NOT_YET)/'

mutant 'a search that says nothing has an answer' \
    bot/loop/dispatch.c loop/test_search \
    's/if \(!outcome_answers\(out, &run->copy.op\)\)/if (out == NULL)/'

mutant 'a line that is down begins the search anew' \
    bot/loop/sent.c loop/test_search \
    's/!cut && queued->job.failures/queued->job.failures/'

mutant 'a look that fails begins the search anew' \
    bot/loop/sent.c loop/test_search \
    's/if \(!failed \|\| cursor->len > 0/if (true || cursor->len > 0/'

mutant 'each message of a restored host is looked for by itself' \
    bot/loop/sender.c loop/test_search \
    's/if \(op.kind == OP_FIND &&\s+searches_tell/if (op.kind == OP_SEND \&\& searches_tell/'

mutant 'what a search has not come to is not there' \
    bot/loop/searches.c loop/test_search \
    's/return search != NULL && search->tried != 0/return search != NULL/'

mutant 'what waits for approval is told as delivered' \
    adapters/forum/forum_shape.c adapters/test_phpbb_recorded \
    's/post.pending \? "" : post.id/post.id/'

mutant 'what waits for approval is known to be nowhere' \
    bot/loop/searches.c loop/test_search \
    's/return known->id.len > 0;/return true;/'

mutant 'what was sent since a thread was read back is not there' \
    bot/loop/searches.c loop/test_search \
    's/ \|\|\s+queued->lost_at != 0//'

mutant 'of a search without an end nobody is told' \
    bot/host/table/outbox.c loop/test_search \
    's/\(queued->job\.failures > 0 \|\| queued->searched != 0\)/queued->job.failures > 0/'

mutant 'Discord: a message is looked for in a hundred posts' \
    adapters/discord/discord_send.c adapters/test_contract \
    's/first >= exchange_since\(exchange\) - FIND_SLACK_MS/first < 0/'

mutant 'Matrix: a message is looked for in a hundred events' \
    adapters/matrix/matrix_send.c adapters/test_matrix \
    's/strcmp\(end, exchange->op->cursor\) != 0/strcmp(end, exchange->op->cursor) == 0/'

mutant 'Discourse: a message is looked for in two hundred posts' \
    adapters/discourse/discourse_write.c adapters/test_contract \
    's/message->from > 0 \? FOUND_NOT_YET/message->from > 9999 ? FOUND_NOT_YET/'

mutant 'Discourse: what waits is looked for by its number alone' \
    adapters/discourse/discourse_write.c adapters/test_discourse_write \
    's/ \|\|\s+\(raw != NULL && forum_is_marked\(exchange, raw, ""\)\)//'

mutant 'NodeBB: a message is looked for on ten pages' \
    adapters/forum/forum_find.c adapters/test_contract \
    's/goes_on && finding->page > 1;/goes_on \&\& finding->page > 66;/'

mutant 'NodeBB: behind a post that was moved a message is not found' \
    adapters/forum/forum_shape.c adapters/test_contract \
    's/bool goes_on = false;/bool goes_on = true;/
     s/goes_on \|\| post/goes_on \&\& post/'

mutant 'phpBB: a message is looked for on ten pages' \
    adapters/forum/forum_on.c adapters/test_contract \
    's/younger && start > 0/younger \&\& start > 1400/'

mutant 'phpBB: own posts are not looked through first' \
    adapters/forum/forum_on.c adapters/test_contract \
    's/return goes_on && !waits\s+\?/return waits \&\& !waits ?/'

mutant 'phpBB: a post that waits is looked for among own posts' \
    adapters/forum/forum_on.c adapters/test_phpbb_recorded \
    's/return goes_on && !waits\s+\?/return goes_on ?/'

mutant 'phpBB: a private message is looked for among the newest' \
    adapters/phpbb/phpbb_write.c adapters/test_phpbb \
    's/count > 0 && list->looked < list->all/list->looked < 0/'

mutant 'phpBB: behind messages that were read meanwhile one is passed over' \
    adapters/phpbb/phpbb_write.c adapters/test_phpbb \
    's/if \(gone > 0 && list.looked > 0\)/if (gone > 9999)/'

mutant 'a message in flight counts as sent at the start' \
    bot/store/store_messages.c loop/test_loop \
    's/WHERE state <> 2/WHERE state NOT IN (1, 2)/'

mutant 'a message in flight counts as never sent at the start' \
    bot/store/store_queued.c loop/test_loop \
    's/queued\.state = QUEUED_DOUBTFUL;/queued.state = QUEUED_WAITING;/'

mutant 'a message that was sent is not saved as sent' \
    bot/loop/sent.c loop/test_loop \
    's/(queued->state = again [^;]*;\n) *store_save_queued\([^;]*;\n/\1/'

mutant 'posts of a thread overtake each other' \
    bot/host/table/outbox.c host/test_outbox \
    's/return queued->before != NULL \|\|/return (queued->before != NULL \&\& outbox == NULL) ||/'

mutant 'answers wait for calls' \
    bot/host/table/outbox.c host/test_outbox \
    's/return queued->batch > 0 /return queued->batch != 0 /'

mutant 'what waits for a message is not told that it has gone' \
    bot/host/table/outbox.c host/test_outbox \
    's/    settle_batch\(outbox, queued\);\n    settle_threads\(outbox, queued\);\n    if \(queued->refused_at/    settle_threads(outbox, queued);\n    if (queued->refused_at/'

mutant 'what was sent in private is told before it was' \
    bot/host/table/outbox.c loop/test_loop \
    's/queued->message\.waits &&/queued->message.waits \&\& outbox == NULL \&\&/'

# ---- what is refused ----------------------------------------------------------

mutant 'what was refused is held for ever' \
    bot/host/table/queued.c loop/test_delivery \
    's/(fail_refused\(queued, refused_as\(queued, failure\), attempts, now\);)/\1\n        pause = 10000 * DAY_MS;/'

mutant 'a refusal is believed to last for as long as the service says' \
    bot/base/job.c host/test_outbox \
    's/wait < LIMIT_LONGEST \? wait : LIMIT_LONGEST/wait/'

mutant 'a line that took the place of a refused one has the key of the one before' \
    bot/host/table/queued.c loop/test_delivery \
    's/\(queued->shape == SHAPE_SPLIT \|\| queued_line\(queued\) > 0\)/queued->shape == SHAPE_SPLIT/'

mutant 'a long line is sent up to the end of another' \
    bot/host/table/plainer.c host/test_plainer \
    's/end = cut < end \? cut : end;/end = cut < end ? end : cut;/'

mutant 'that a right is back is not used' \
    bot/host/table/refusal.c loop/test_delivery \
    's/(\[REFUSED_RIGHT\] = [^,]*, [^,]*, )MINUTE_MS/\1HOUR_MS/'

mutant 'a warning tells when somebody has chosen in a session' \
    bot/tables/delivery/delivery.c loop/test_delivery \
    's/if \(!queued->hidden\)/if (queued != NULL)/'

mutant 'refused words are tried as they are' \
    bot/host/table/queued.c loop/test_delivery \
    's/reshape\(queued\);\n/(void)reshape;\n/'

mutant 'a status post that is gone is edited for ever' \
    bot/loop/sent.c loop/test_delivery \
    's/queued->sent\[0\] = .\\0.;\n *queued->part\+\+;/queued->part += 0;/'

mutant 'a token is left alone for as long as a password' \
    bot/loop/login.c loop/test_delivery \
    's/delivery->locked_out \? REFUSED_LOGIN/!delivery->locked_out ? REFUSED_LOGIN/'

mutant 'what a suspended account may not write is refused for the place' \
    bot/host/table/refusal.c loop/test_delivery \
    's/\[REFUSED_WRITING\] = \{REFUSAL_ACCOUNT/[REFUSED_WRITING] = {REFUSAL_PLACE/'

mutant 'the status post that was replaced stays pinned' \
    bot/loop/sent.c loop/test_delivery \
    's/if \(queued->replaces != NULL\) \{\n        buf_addf/if (queued->replaces != NULL \&\& queued->id < 0) {\n        buf_addf/'

mutant 'that a right is missing is told only after ten minutes' \
    bot/loop/waiting.c loop/test_delivery \
    's/bool lacks = queued->refused_at/bool lacks = queued->id < 0 \&\& queued->refused_at/'

mutant 'a call that was deleted is not put again' \
    bot/tables/turns/posts.c loop/test_delivery \
    's/post->kind == POST_DELETED && !post->dm\)/post->kind == POST_DELETED \&\& post->dm)/'

mutant 'a call is put again as often as it is deleted' \
    bot/store/store_messages.c loop/test_delivery \
    's/ AND part < \? END/ AND part < 1 + ? END/'

mutant 'a message that the room does not have counts as sent' \
    adapters/matrix/matrix_send.c adapters/test_matrix \
    's/if \(there \|\| is_refusal\(exchange, 403, ""\)\)/if (there || !is_refusal(exchange, 401, ""))/'

mutant 'a deleted message is edited for ever' \
    adapters/matrix/matrix_send.c adapters/test_matrix_recorded \
    's/"redacted_because"/"redacted_at"/'

mutant 'a homeserver that has gone back is believed' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/goes_back\(reading->since, next\)\) \{/goes_back(next, next)) {/'

mutant 'after an outage a homeserver is not asked for the newest event' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/reading->last >= DOUBT_AGE_MS/reading->last >= 1000 * DOUBT_AGE_MS/'

mutant 'a sticker is nothing' \
    adapters/matrix/matrix_event.c adapters/test_matrix_sync \
    's/"m\.sticker"\) == 0/"m.stickers") == 0/'

mutant 'a caption votes' \
    adapters/matrix/matrix_event.c adapters/test_matrix_sync \
    's/\\n> %\.\*s/\\n%.*s/'

mutant 'a picture without words is nothing' \
    adapters/discord/discord_read.c adapters/test_discord_read \
    's/body\.len == 0 && !is_hidden/body.len == 1 \&\& !is_hidden/'

mutant 'whoever runs the host is told nothing' \
    bot/loop/waiting.c loop/test_delivery \
    's/now - SENDING_ALARM_AFTER/now - 10000 * DAY_MS/'

mutant 'that a private message waits tells who has acted' \
    bot/tables/delivery/delivery.c loop/test_delivery \
    's/return hosted != NULL && table_is_secret\(&hosted->table\);/return hosted != NULL \&\& table_is_secret(\&hosted->table) \&\& queued->id < 0;/'

mutant 'a message is sealed for nobody' \
    bot/store/store_sealed.h store/test_upgrade \
    's/PART_OF\(\(whom\) \? \(queued\)->message\.user : NULL\)/PART_OF(NULL)/'

mutant 'what is said otherwise has the same key' \
    bot/store/store_ruling.c store/test_store \
    's/PART_OF\(buf_text\(&text\)\)/PART_OF(NULL)/'

mutant 'a restored host looks for nothing that it has sent' \
    bot/store/store_ruling.c store/test_store \
    's/queued\.state =\s*store->copied != 0 \? QUEUED_DOUBTFUL : QUEUED_WAITING;//'

mutant 'a restored host looks for what it has sent from when it was started' \
    bot/loop/searches.c store/test_restore \
    's/copied != 0 && copied < tried/copied < 0/'

mutant 'a restored host sends what waited in its backup' \
    bot/store/store_messages.c store/test_restore \
    's/store->copied != 0 \? QUEUED_DOUBTFUL : queued\.state/queued.state/'

mutant 'a lost word of the ready check is not told again' \
    bot/host/judge/commands/questions.c host/test_ready \
    's/ready_repeat\(ruling, post->author\) \|\|/false ||/'

mutant "an older store's posts are in each place of their service" \
    bot/store/store_upgrade.c store/test_upgrade \
    's/USING \(service, place\)/USING (service)/'

mutant 'an older store forgets who has left their DM' \
    bot/store/store_upgrade.c store/test_upgrade \
    "s/'left ' \|\| dm_old/'none ' || dm_old/"

mutant 'a game goes back past somebody who was told the roles' \
    bot/host/judge/commands/mending.c play/test_plays:plays \
    's/\(table->gallery & before->table\.game\.living\) != 0/table == NULL/'

# ---- starting again -----------------------------------------------------------

mutant 'a replay that makes other lines goes on' \
    bot/store/recover.c store/test_recover \
    's/lines->len == row->lines_len &&\n *memcmp\([^;]*;/(lines->len == 0 || row != NULL);/'

mutant 'a row that follows nowhere is played' \
    bot/store/recover.c store/test_recover \
    's/table_may\(replay->table, move\)/(table_may(replay->table, move) || true)/'

mutant 'what others wrote keeps the name of who was forgotten' \
    bot/store/forget.c cli/test_forget \
    's/    if \(is_free_text\(move->kind\)\) \{/    if (is_free_text(move->kind) \&\& move->kind == MOVE_AWAY) {/'

mutant 'a transcript keeps the id of who was forgotten' \
    bot/store/forget.c cli/test_forget \
    's/table_seat\(table, changing->new_user\) != NO_SEAT/changing == NULL/'

mutant 'a held game is on again at the start' \
    bot/tables/turns/tables_open.c tables/test_poison \
    's/\} else if \(game->held\)/} else if (game->held \&\& game->over)/'

mutant 'an attempt is noted with what it comes to' \
    bot/tables/turns/attempts.c tables/test_poison \
    's/(    int64_t tries = store_try[^;]*;\n)(    store_begin[^;]*;\n)/\2\1/'

mutant 'an end by an error counts as a death' \
    bot/store/store_open.c tables/test_poison \
    's/mode != STORE_READ && !opened->died\)/mode != STORE_READ \&\& !opened->died \&\& opened == NULL)/'

mutant 'the last host counts as alive whatever it left' \
    bot/store/store_open.c tables/test_poison \
    's/holder\.len > 0/holder.len > 4096/'

mutant 'a question that comes late leaves its deadline' \
    bot/host/table/deadline.c tables/test_calls \
    's/if \(table->deadline == 0 \|\|/if (true || table->deadline == 0 ||/'

mutant 'a deadline fires though nobody was asked' \
    bot/tables/delivery/calls.c tables/test_calls \
    's/table_phase\(table\)\) != NULL\) \{\n        return false;/table_phase(table)) != NULL) {\n        return true;/'

mutant 'who was not asked has missed a deadline' \
    bot/host/judge/lots.c tables/test_calls \
    's/    move\.unasked = ruling->unasked;\n//'

mutant "it is told that the chancellor's cards are not delivered" \
    bot/tables/delivery/unreachable.c tables/test_calls \
    's/return table_in_session\(table\) && !asks &&/return false \&\&/'

mutant "the host's absence takes time" \
    bot/tables/turns/outages.c sim/test_absence \
    's/gap\.from != 0 &&/gap.from < 0 \&\&/'

mutant 'an outage counts again with the next absence' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/    feed->outage = 0;\n//'

mutant 'what the nomination is given is taken from the vote' \
    bot/host/table/table.c host/test_given_time \
    's/return from > opened \? from : opened;/return opened + 0 * from;/'

mutant 'an earlier end of the nomination is one of the vote, too' \
    bot/host/table/table.c play/test_plays \
    's/return from > opened \? from : opened;/return opened > 0 ? from : opened;/'

mutant 'a pause takes from the vote and from the session' \
    bot/host/table/table.c host/test_given_time \
    's/table->paused && !anew \? move->now - table->paused_at : 0/0/'

mutant 'more time for a choice is taken from the rest of the session' \
    bot/host/table/table_host.c host/test_given_time \
    's/table->session_ends \+ \(table->session_ends == 0 \? 0 : by\)/table->session_ends/'

mutant 'a session that people set an end to tells when the president chose' \
    bot/host/table/table.c play/test_plays \
    's/table->set_by_people = set;/table->set_by_people = set \&\& false;/'

mutant 'after a pause a deadline ends at night' \
    bot/host/judge/commands/moderators.c play/test_plays \
    's/deadline_moved\(table->deadline, by, &table->settings,\n *ruling->env->zone\)/table->deadline + by/'

mutant 'an outage that a late call made up for is made up for again' \
    bot/host/judge/outage.c tables/test_outage \
    's/: table->length;/: ends(table) - table->opened;/'

mutant 'an outage before the cards were there is made up for again' \
    bot/host/judge/outage.c tables/test_outage \
    's/early && outage->to <= soon/early \&\& outage->to <= soon - DAY_MS/'

mutant 'a clock that jumps ahead is believed' \
    bot/tables/feeds/service_clock.c loop/test_service_clock \
    's/clock->doubted = time > expected \|\| leaps;/clock->doubted = false;/'

mutant 'a vote that may end the vote does not wait for earlier ones' \
    engine/election.c engine/test_election \
    's/return (!nein_ends && [^;]*);/return (\1) || true;/'

mutant 'a gateway session is opened as often as it is closed' \
    adapters/discord/discord_gateway.c adapters/test_discord_gateway \
    's/identified > 0 && wait > 0/identified < 0 \&\& wait > 0/'

mutant 'a gateway that is dead is believed to be silent' \
    adapters/discord/discord_gateway.c adapters/test_discord_gateway \
    's/gateway->answered = false;//'

mutant 'the gateway is told something before it is saved' \
    bot/tables/places/services.c loop/test_bells \
    's/i < states->count; i\+\+/i + 1 < states->count; i++/'

mutant 'a doorbell that has fallen silent is still relied upon' \
    bot/loop/bells.c loop/test_bells \
    's/\*listens\(loop, bell\) = false;/*listens(loop, bell) = true;/'

mutant 'a damaged file is hosted on again' \
    bot/store/store_open.c cli/test_store_check \
    's/access\(buf_text\(&mark\), F_OK\) == 0/false/'

mutant 'a host that starts reads every feed itself' \
    bot/loop/reader.c loop/test_reader_start \
    's/feed->through != 0 \? feed->through : feed->saved/feed->through/'

mutant 'what an updates feed tells of is saved as read' \
    bot/loop/reader.c loop/test_reader_start \
    's/(\|\| feed->rung != NULL\) \{)/\1\nerr = tables_reached(tables, feed, outcome, updates->asked_at, now, why);/'

mutant 'a feed of which more is to be read is saved as read to its end' \
    bot/tables/feeds/readings.c loop/test_reader_start \
    's/taken && feed->state == FEED_CURRENT &&/taken \&\&/'

mutant 'a feed that is read no more counts as read with the others' \
    bot/tables/feeds/readings.c tables/test_readings \
    's/feed->heard >= reached->heard - BEHIND_MOST/feed->heard > 0/; s/feed->heard < \(\*last\)->heard/false/'

mutant 'a feed that the host does not read after a start counts as read' \
    bot/tables/feeds/readings.c tables/test_readings \
    's/feed->heard >= reached->heard - BEHIND_MOST/true/'

mutant 'the first cursor of a feed is not saved' \
    bot/tables/turns/intake.c tables/test_intake \
    's/feed->cursor\[0\] == .\\0. \|\| outcome->more/outcome->more/'

mutant 'a page that came late is saved with the time at which it came' \
    bot/tables/feeds/readings.c tables/test_outage \
    's/at < feed->read_at \? at : feed->read_at/feed->read_at/'

mutant 'what is ripe is read a poll later' \
    bot/loop/reader.c tables/test_arrival \
    's/if \(ripe < pause\)/if (ripe < pause \&\& ripe < 0)/'

mutant 'what was said while the doorbell was away is read in its turn' \
    bot/loop/bells.c bench/test_month \
    's/if \(output->missed\)/if (output->missed \&\& now < 0)/'

mutant 'feeds of one list are looked up one by one' \
    bot/loop/reader.c loop/test_reader_start \
    's/return in_step\(feed, pause, loop->steady\);/return pause > 0 ? pause : in_step(feed, pause, loop->steady);/'

mutant 'who joins elsewhere waits for a poll of the place' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/\*hosted_home\(hosted\) == .\\0.\s+\? NULL/feeds != NULL ? NULL/'

mutant 'what is new is read in its turn' \
    bot/tables/feeds/feeds.c tables/test_feeds \
    's/feed->hurried +\? QUEUE_NEWS/feed->hurried \&\& feed->busy ? QUEUE_NEWS/'

mutant 'what rings waits behind what is on lists' \
    bot/tables/feeds/feeds.c tables/test_feeds \
    's/feed->hurried && feed->rung != NULL +\? QUEUE_RUNG/feed->hurried \&\& feed->rung ? QUEUE_NEWS/'

mutant 'a list of news fills the rate' \
    bot/loop/dispatch.c loop/test_dispatch \
    's/\? NEWS_LEAST : 1/? OPS_MAX : 1/'

mutant 'a call for a table is judged before its place is found' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/own == NULL && may_be_hosted/own != NULL \&\& may_be_hosted/'

mutant 'a slash command waits for ever where another place is missing' \
    bot/tables/turns/deferred.c loop/test_slash \
    's/return thread && !place->missing/return thread/'

mutant 'who is asked alone waits for order' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/return \(only \|\| read\)/return read/'

mutant 'a topic that is on no list counts as quiet' \
    bot/loop/reader.c loop/test_reader \
    's/\(!feed->listed \|\| outcome->rest == 0\)/(outcome->rest == 0)/'

mutant 'what a list says of a topic counts as read though reading it failed' \
    bot/loop/reader.c loop/test_reader \
    's/feed_hear\(feed, update->state\);/feed->read_state = feed->heard_state;\n        feed_hear(feed, update->state);/'

mutant 'an unread message is forgotten while another one comes' \
    bot/tables/feeds/feed.c loop/test_reader \
    's/changes \? 0 : feed->heard_state/changes ? feed->heard_state : feed->heard_state/'

mutant 'a message that was opened in vain is never read' \
    bot/tables/feeds/feed.c loop/test_reader \
    's/feed_has_dms\(feed\) \? 0 : feed->read_state/feed->read_state/'

mutant 'an edit is looked for only when time is up' \
    bot/loop/reader.c loop/test_reader \
    's/return anyway != 0 && now - feed->asked_at/return anyway < 0 \&\& now - feed->asked_at/'

mutant 'a post that is taken away does not change the state of its topic' \
    adapters/forum/forum_updates.c adapters/test_nodebb_recorded \
    's/ \+ \(uint64_t\)topic->count/ + 0 * (uint64_t)topic->count/'

mutant 'an inbox counts as read though a message is unread' \
    adapters/forum/forum_updates.c adapters/test_phpbb_recorded \
    's/\(uint64_t\)\(unread \+ 1\)/unread < 0 ? 0 : 1/'

mutant 'a power cut takes back a vote of which its presser was told' \
    bot/loop/loop_turn.c loop/test_presses \
    's/ \|\| loop->tables->replies\.count > 0//'

mutant 'a message goes out before what it follows from is on disk' \
    bot/loop/loop_turn.c sim/test_kill_points \
    's/store_flush\(store, synced \|\|/store_flush(store, (synced \&\& now == 0) ||/'

mutant 'a replacement is taken for whoever had the seat before' \
    bot/host/words/style.c host/test_style \
    's/round->passed_was == 0/round->passed_was < 99/'

mutant 'the long form goes on for everybody' \
    bot/host/words/style.c host/test_brevity \
    's/round->round <= FIRST_ROUNDS/round->round <= 9/'

mutant 'who is new to a thing is not told how to do it' \
    bot/host/words/private.c host/test_style \
    's/( *)send_howtos\(ruling\);/\1if (table->phase == 0) send_howtos(ruling);/'

mutant 'everybody is told for ever how to do things' \
    bot/host/words/private.c host/test_style \
    's/style_is_full_for\(table, round/(round != NULL || style_is_full_for(table, round/; s/(game->question,\n *seat\))\)/\1))/'

mutant 'what a moderator did is a post of its own' \
    bot/host/judge/commands/chat_command.c host/test_notice \
    's/ruling_begin_notice\(ruling, &text\);/ruling_post(ruling, \&text);/'

mutant 'a press is judged before what was written before it' \
    bot/tables/turns/posts.c loop/test_presses \
    's/ && !press_waits\(post\)//'

mutant 'a press counts however late it comes' \
    bot/loop/presses.c loop/test_presses \
    's/age > FRESH_MS/age > 9999 * FRESH_MS/'

mutant 'a press counts that was not acknowledged' \
    bot/loop/presses.c loop/test_presses \
    's/(take_acknowledged.*)if \(delivery->err == ERR_NONE\)/\1if (delivery->err != ERR_LATER)/'

mutant 'a press that comes twice is acknowledged twice' \
    bot/loop/presses.c loop/test_presses \
    's/find\(&loop->presses, service, post->id\) != NULL/false/'

mutant 'a press waits for the next poll of its thread' \
    bot/loop/presses.c gateway/test_presses \
    's/reader_hurry_press\(loop, slot->service, post->place\);/(void)post;/'

mutant 'who was not answered before a restart goes on waiting' \
    bot/loop/presses.c gateway/test_presses \
    's/slot->stage == STAGE_TAKEN &&\s+!store_is_deferred/slot->stage == STAGE_DONE \&\& !store_is_deferred/'

mutant 'a settled question keeps its buttons' \
    bot/store/store_ruling.c gateway/test_presses \
    's/settled.len > 0 && ruling->env->buttons/settled.len > (size_t)-2/'

mutant 'buttons under private messages stay' \
    bot/store/store_session.c gateway/test_presses \
    's/if \(dm.len > 0\)/if (dm.len > (size_t)-2)/'

mutant 'each vote is an edit of its own' \
    adapters/discord/discord_send.c gateway/test_presses \
    's/channel, EDIT_APART_MS/channel, 0 * EDIT_APART_MS/'

mutant 'a slash command answers the question that came after it' \
    bot/host/judge/slash.c loop/test_slash \
    's/input->post->stamp < table->since/0/'

mutant 'a slash command opens a table where no games are hosted' \
    bot/tables/turns/posts.c loop/test_slash \
    's/intake->elsewhere = press_is_command\(post\);//'

mutant 'a claim by slash command is told to nobody' \
    bot/host/judge/commands/claims.c loop/test_slash \
    's/post->kind == POST_PRESSED/false/'

mutant 'who has not voted when a decided vote ends has missed it' \
    bot/host/table/ruling.c play/test_plays \
    's/move.unasked = NOBODY_MISSED;/move.unasked = 0;/'

mutant 'a vote that is held open goes on for ever' \
    bot/host/table/table.c play/test_plays \
    's/table_is_held\(table\) && table->held_until < table->deadline/false/'

mutant 'the moderators are told of a silence again and again' \
    bot/host/judge/prods.c play/test_plays \
    's/silence.done == PRODDED_MODERATORS\)/false)/'

mutant 'a pause counts as silence' \
    bot/host/table/deadline.c play/test_plays \
    's/from < due && from < pause->to/false/'

mutant 'who is called at night has no more time than others' \
    bot/host/table/deadline.c play/test_plays \
    's/int64_t from = quiet \? quiet_end\(opened, settings, zone\) : opened;/int64_t from = opened;/; s/bool quiet =/bool quiet __attribute__((unused)) =/'

mutant 'a nomination may have less than eight waking hours' \
    bot/host/table/deadline.c host/test_deadline \
    's/until > least \? until : least/until + 0 * least/'

mutant 'a changed story takes the place of the one before' \
    bot/host/table/table_host.c play/test_plays \
    's/told == TABLE_STORIES_MAX/told == 1/; s/told == 2 \? i/told == 1 ? i/'

mutant 'the list of slash commands is replaced each time' \
    adapters/discord/discord_slash.c adapters/test_discord_slash \
    's/advance = is_same\(exchange->value, buf_text\(&list\)\)/advance = list.cut/'

mutant 'a slash command that needs a permission is offered to all' \
    adapters/discord/discord_slash.c adapters/test_discord_slash \
    's/if \(command->moderators\)/if (false)/'

mutant 'who dies keeps the role of the living' \
    bot/host/table/table_former.c tables/test_member_roles \
    's/return PART_DEAD;/return PART_LIVING;/'

mutant 'players keep their roles after the end' \
    bot/tables/member_roles.c tables/test_member_roles \
    's/found = set_change\(user/found = *role == 0 \&\& set_change(user/'

mutant 'the votes of a round that is open are told with those before' \
    bot/host/judge/commands/questions.c loop/test_slash \
    's/!seat_in\(seat, round->present\)/false/'

mutant 'an old button answers the question of today' \
    bot/host/judge/press.c loop/test_presses \
    's/table_phase\(table\) != press->phase/0/'

mutant 'a vote is not confirmed' \
    bot/host/judge/referee.c loop/test_presses \
    's/!press->confirmed/0/'

mutant 'the times of a sealed ballot are told' \
    bot/host/words/speech.c loop/test_presses \
    's/ \|\| table->game.rules.ballot == BALLOT_SEALED//'

mutant 'a call for votes keeps its buttons when they are over' \
    bot/tables/delivery/buttons.c loop/test_presses \
    's/\(hosted == NULL \|\| message->calls != table_phase\(&hosted->table\)\)/false/'

mutant 'a press is judged before what its presser wrote' \
    bot/tables/turns/deferred.c loop/test_presses \
    's/\(!post->pressed \|\| post->quiet\)/true/'

mutant 'whoever waits for their turn is not told so' \
    bot/tables/turns/posts.c loop/test_presses \
    's/    note_press\(intake\);//'

mutant 'no card can be chosen under a private message' \
    bot/tables/delivery/buttons.c gateway/test_presses \
    's/message->calls != table->phase/true/'

mutant 'a question that somebody deletes on Discord is gone' \
    adapters/discord/discord_gateway.c gateway/test_presses \
    's/take_deleted\(data, output\);/;/'

mutant 'where buttons ask, the thread tells who takes no private messages' \
    bot/tables/delivery/unreachable.c loop/test_presses \
    's/reach == REACH_REFUSED &&/reach == REACH_UNSEEN \&\&/'

mutant 'a card that a button shows is waited for' \
    bot/tables/delivery/calls.c loop/test_presses \
    's/closed && buttons_ask\(tables, table\)/false/'

mutant 'what waits behind a refused message was refused by nobody' \
    bot/host/table/outbox.c loop/test_presses \
    's/(outbox_is_unwanted.*)refused_of\(queued\)/\1(queued->refused_at == 0 ? NULL : queued)/'

mutant 'everybody is shown the cards' \
    bot/host/judge/press.c loop/test_presses \
    's/private_question\(ruling->env, table, seat, &text\)/private_question(ruling->env, table, (unsigned)__builtin_ctz(game_awaits(game).seats), \&text)/'

mutant 'anybody chooses a card' \
    bot/host/judge/referee.c loop/test_presses \
    's/if \(!seat_in\(judging->seat, seats\)\)/if (!seat_in(judging->seat, seats) \&\& choice != PRESS_CARD)/'

mutant 'a host that is back in a room reads nothing of before' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/\? arrival : 0;\n    return first;/? 0 : 0;\n    return arrival;/'

mutant 'an invitation does not tell that the host is outside' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/\} else if \(event == NULL\) \{/} else if (event == NULL \&\& sender != NULL) {/'

mutant 'time is up in a room in which the host is not' \
    bot/tables/turns/deferred.c tables/test_reachability \
    's/feeds_is_unread\(&tables->feeds, place\)/false/'

mutant 'nobody is told of a thread that is gone' \
    bot/tables/feeds/feed.c tables/test_reachability \
    's/now >= feed->gone_at \+ GONE_MS/now >= feed->gone_at + 100 * GONE_MS/'

mutant 'a thread that is gone keeps a moderator from ending its game' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/!tables_feeds_is_gone\(tables, hosted\) &&\s+!is_due_at/!is_due_at/'

mutant 'a DM is read further than the clock of its service shows' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/through < time \? through : time/time > 0 ? through : time/'

mutant 'an inbox is read up to the time that its list tells' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/inbox->newest != 0 \&\& inbox->newest < through/inbox->newest < 0/'

mutant 'a vote that is voided late has no time' \
    bot/host/judge/commands/mending.c host/test_referee \
    's/until > least \? until : least/until > 0 ? until : least/'

mutant 'a question is closed as soon as its new room is open' \
    bot/host/judge/reachability.c tables/test_reachability \
    's/outage_leave_time\(ruling, "moved_reason"\)/false/'

mutant 'a game follows its room before what was written there is read' \
    bot/loop/locating.c tables/test_reachability \
    's/keeps_astray \|\|\s*feeds_is_unread\(&loop->tables->feeds, place\)/keeps_astray/'

mutant 'a page of a DM that is older than the list counts as new' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/date < inbox->date\)/date < 0)/'

mutant 'one DM with a wrong Date sets the time of all tables' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/time \+ CLOCK_FAR_BACK <\s+feeds->by_service\[feed->service->number\].latest/time + CLOCK_FAR_BACK < feed->through/'

mutant 'what waits goes by the clock that is set back' \
    bot/base/job.c loop/test_loop \
    's/return now \+ steady->back;/return now;/'

mutant 'at a start, what our clock showed while it was ahead is believed' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/last->read_at < steady \? last->read_at : steady/last->read_at/'

mutant 'an old page of a DM with a wrong date is believed' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/inbox->shown < last/inbox->shown < 0/'

mutant 'a post that its DM never shows is looked for for ever' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/last > inbox->date - FORUM_MISSING_MS/last > 0/'

mutant 'a log-in form that was cut off is sent' \
    adapters/forum/forum_session.c adapters/test_phpbb \
    's/page && !is_whole\(exchange\)/page \&\& !session->enters \&\& !is_whole(exchange)/'

mutant 'a power cut takes back what was sent' \
    bot/loop/loop_turn.c sim/test_fault_games \
    's/store_flush\(store, synced \|\|/store_flush(store, (synced \&\& now == 0) ||/'

mutant 'who takes another name is a stranger' \
    bot/tables/places/members.c tables/test_members \
    's/post->author = member->user;/(void)member->user;/'

mutant 'the new name of who is silent is never seen' \
    bot/tables/places/members.c tables/test_members \
    's/if \(member != NULL && strcmp\(member->name, name\) != 0\) \{/if (member != NULL \&\& name == NULL) {/'

mutant 'people are mentioned by the names that they had' \
    bot/host/table/ruling.c tables/test_members \
    's/(size_t from = 0;\s+)renew_mentions\(ruling, text\);/\1(void)renew_mentions;/'

mutant 'private messages go to who has a name now' \
    adapters/discourse/discourse_quirks.c adapters/test_discourse \
    's/exchange->op->member != 0/exchange->op->member < 0/'

mutant 'a refusal that names the token is passed on' \
    adapters/discord/discord_press.c adapters/test_discord_press \
    's/exchange_refused_with\(exchange, ""\)/exchange_refused_with(exchange, jdoc_string(exchange->value, "message") != NULL ? jdoc_string(exchange->value, "message") : "")/'

mutant 'a message is looked for by our clock alone' \
    adapters/exchange.c adapters/test_contract \
    's/return op->tried != 0 && tried < op->since \? tried : op->since;/(void)tried;\n    return op->since;/'

mutant 'a wrong date moves the cursor beyond all posts' \
    adapters/discord/discord_read.c adapters/test_discord_read \
    's/reading->astray \|\| reading->after < cursor/reading->astray/'

mutant 'phpBB: any 404 means that a topic is gone' \
    adapters/forum/forum_refused.c adapters/test_phpbb \
    's/forum->path\.said\) != NULL/forum->path.posts) != NULL/'

mutant 'how the posts of a game that is over were read is kept' \
    bot/tables/rule.c host/test_referee \
    's/!is_played_in\(tables, service, table->thread, table->id\)/false/'

mutant 'the posts of a thread that is not read any more are kept' \
    bot/store/store_posts.c tables/test_threads \
    's/AND ended <> 0 AND ended <= \?/AND ended < 0 AND ended <= ?/'

mutant 'of a post of an earlier game it is told that nobody waited for it' \
    bot/host/judge/commands/mending.c host/test_referee \
    's/post\.stamp < chat->ruling->table->began/false/'

mutant 'posts of a game that is over are forgotten while one is looked for' \
    bot/store/store_queued.c store/test_store \
    's/kind <> 0 OR NOT EXISTS/kind <> 9 OR NOT EXISTS/'

mutant 'an empty DM begins at a wrong date' \
    adapters/discord/discord_read.c adapters/test_discord_read \
    's/where.guild == 0 \&\& last == 0/where.guild == 0 \&\& last == 1/'

mutant 'an inbox that was read at a wrong date stays there' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/ \|\| is_ahead\(inbox, exchange\)/ || (is_ahead(inbox, exchange) \&\& inbox->first)/'

mutant 'a thread that was never read has no outage' \
    bot/tables/turns/outages.c tables/test_outage \
    's/: first_question\(tables, feed\)/: 0/'

mutant 'a deadline is put into the year 10000' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/CLOCK_LAST_MS/TIME_LAST_MS/g'

mutant 'who joins where a table was opened is told nothing' \
    bot/tables/turns/posts.c loop/test_loop \
    's/return hosted == NULL \? place : hosted->place;/return hosted == NULL ? place : NULL;/'

mutant 'an absence is told at the time of the host' \
    bot/tables/turns/outages.c tables/test_outage \
    's/rule_begin_now\(tables, hosted, now/rule_begin(tables, hosted, now/'

mutant 'a history of no rounds says nothing' \
    bot/host/words/status.c host/test_status \
    's/"none", !has_ended_round\(table\)/"none", has_ended_round(table) \&\& false/'

mutant 'two hosts have one store' \
    bot/base/files.c sim/test_fault_games \
    's/flock\(file, LOCK_EX \| LOCK_NB\) != 0/file < 0/'

mutant 'a store of an earlier format loses how far it has read' \
    bot/store/store_upgrade.c sim/test_fault_games \
    's/"DROP TABLE dm_old;"/"DROP TABLE dm_old; DELETE FROM feed;"/'

mutant 'a game stays in the room that was replaced' \
    bot/tables/turns/threads.c tables/test_reachability \
    's/post->kind == POST_MOVED/post->kind == POST_LEFT \&\& post->stamp < 0/'

mutant 'a room that asks the bot back is read out of order' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/!gap\.arrived \&\& is_asked_back/gap.arrived \&\& is_asked_back/'

mutant 'a message is looked for from a time that was still to come' \
    bot/loop/sender.c loop/test_loop \
    's/op->tried = searches_tried\(loop, queued\);//'

mutant 'a call that is found is as old as when it was marked' \
    bot/loop/sent.c loop/test_loop \
    's/queued->lost_at = loop->now/queued->lost_at = 0/'

mutant 'a game waits for the thread of another, which is gone' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/post->dm && tables_feeds_is_gone\(tables, hosted\)/post->dm \&\& own == NULL/'

mutant 'posts count as read before they are saved' \
    bot/tables/turns/outages.c tables/test_readings \
    's/bool taken = outcome->page\.count == 0;/bool taken = true;/'

mutant 'how far a feed was read is not saved where it brings posts' \
    bot/tables/feeds/readings.c tables/test_readings \
    's/if \(outcome->page\.count == 0 \|\| /if (outcome->page.count > 0 || /'

mutant 'a question that came late is asked at an absurd time' \
    bot/tables/delivery/calls.c tables/test_calls \
    's/tables_service_now\(tables, hosted->service, now\) - \(now - at\)/tables_asking_time(tables, hosted->service, now) - (now - at)/'

mutant 'the ready check waits for no word' \
    bot/tables/delivery/calls.c loop/test_loop \
    's/return !outbox_awaits_private\(outbox, table->id, CALLS_READY\) \|\|/return !outbox_awaits_private(outbox, table->id, CALLS_READY + 1) ||/'

mutant 'nobody gets an hour for a word that is late' \
    bot/tables/delivery/calls.c loop/test_loop \
    's/ready_word_sent\(&rule.ruling, queued->message.user, asked\);/(void)asked;/'

mutant 'a power is used by what was posted before anybody could know of it' \
    bot/host/judge/referee.c tables/test_arrival \
    's/ruling_unseen\(judging->ruling, &move\);//'

mutant 'a thread that is gone is thought to be there after any other trouble' \
    bot/tables/turns/threads.c tables/test_reachability \
    's/if \(read == ERR_NONE\) \{\n        feed_find_again/if (read != ERR_GONE) {\n        feed_find_again/'

mutant 'a status post that replaces one is not looked for' \
    bot/loop/sent.c loop/test_delivery \
    's/queued->replaces != NULL && delivery->kind == OP_SEND/queued->replaces != NULL/
     s/\|\| !refused\) \{/|| (!refused \&\& queued->replaces == NULL)) {/'

mutant 'a game in an encrypted room waits for the room after a restart' \
    bot/loop/locating.c tables/test_reachability \
    's/delivery->err == ERR_CONFIG\) \{/delivery->err == ERR_NONE) {/'

mutant 'nobody is told of a thread that the host may not read' \
    bot/loop/pages.c loop/test_loop \
    's/delivery->err == ERR_DENIED && !delivery->unauthorized\)/false)/'

mutant 'phpBB: while messages are held back the last ones stay' \
    adapters/phpbb/phpbb_read.c adapters/test_phpbb \
    's/reading->held \? 0 : LEFT_MAX/LEFT_MAX/'

mutant 'phpBB: what came in late is opened before it is noted' \
    adapters/phpbb/phpbb_read.c adapters/test_phpbb \
    's/keep_lowest\(&reading->late, message\)/keep_lowest(\&reading->fresh, message)/'

mutant 'phpBB: notifications count as messages' \
    adapters/phpbb/phpbb_pages.c adapters/test_phpbb \
    's/"rows", "li\.row"/"rows", "li"/'

mutant 'what a look has renewed of the session is forgotten' \
    bot/loop/pages.c loop/test_reader \
    's/        loop_take_states\(loop, updates->service, &delivery->outcome\);\n//'

mutant 'that a vote had closed is told before its result' \
    bot/host/judge/answer.c host/test_referee \
    's/    message->waits = true;\n//'

mutant 'of two times outside of a room the first is not read' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/gap->out && own.came && own.stamp <= last/gap->out \&\& own.came/'

mutant 'a game is played on in a topic that was merged into another' \
    adapters/discourse/discourse_read.c adapters/test_discourse \
    's/return moved && /return moved \&\& posts == NULL \&\& /'

mutant 'a moderator plays on in a topic that was deleted' \
    adapters/forum/forum_topic.c adapters/test_nodebb \
    's/if \(topic\.deleted\)/if (false)/; s/shape\.topic\.deleted/shape.topic.machine/'

mutant 'a post is counted for a vote that opened after that was asked for' \
    bot/host/judge/commands/mending.c host/test_referee \
    's/chat->input->post->stamp < table->since \|\|/chat->input->post->stamp < 0 ||/'
mutant 'what is moved into a topic is judged there once more' \
    bot/store/store_posts.c tables/test_moved \
    's/ AND post_place\.place <> \?/ AND post_place.place <> ? AND 0/'
mutant 'a vote that is moved to its table never counts' \
    bot/tables/turns/posts.c tables/test_moved \
    's/intake->moved = intake->moved \|\|/intake->moved = false \&\&/'
mutant 'a post is judged anew each time that it is moved' \
    bot/tables/turns/posts.c tables/test_moved \
    's/count == 1 && i < sizeof idle/count > 0 \&\& i < sizeof idle/'
mutant 'a command that was moved is given again' \
    bot/tables/turns/posts.c tables/test_moved \
    's/!intake->moved && chat_commands_run/chat_commands_run/'
mutant 'who is executed is warned of what was moved' \
    bot/tables/turns/posts.c tables/test_moved \
    's/ruling->row_count == 0 &&\n *!intake->moved/ruling->row_count == 0/'
mutant 'a reason is told of a post that was not judged' \
    bot/host/judge/commands/mending.c tables/test_moved \
    's/if \(post\.verdict\[0\] == .\\0.\) \{/if (false) {/'
mutant 'who votes with the sign-ups is shown the way in a session' \
    bot/host/judge/referee.c play/test_plays \
    's/input->aside \|\| table_in_session\(table\) \|\|/input->aside ||/'
mutant 'what is moved among posts that were read is not read (NodeBB)' \
    adapters/forum/forum_topic.c adapters/test_nodebb \
    's/reading->moved > 0 && before > 0/before < 0/'
mutant 'what is moved among posts that were read is not read (phpBB)' \
    adapters/forum/forum_on.c adapters/test_phpbb \
    's/reading->last != 0 && reading->moved > 0/reading->last < 0/'
mutant 'a link whose words are a title leads to no post' \
    adapters/forum/forum_address.c adapters/test_discourse \
    's/close != NULL\) \{/close == NULL) {/'

mutant 'a private answer is judged though the thread was not read' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/\(only && \(post->pressed \|\| !post->dm\)\) \|\|/only ||/'

mutant 'a private answer waits for what order can not change' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/\? hosted->service->adapter->capabilities\.margin/? deferred_order_ahead(hosted->service)/'

mutant 'the thread is read again for a private answer that is judged' \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/feed->through < others_needed\(post, hosted\);/feed->through < time - deferred_order_ahead(feed->service);/'

mutant 'a private answer is judged though another page of the thread follows' \
    bot/tables/feeds/reached.c tables/test_arrival \
    's/outcome->through - capabilities->margin/outcome->through - deferred_order_ahead(feed->service)/'

mutant "time runs out for private answers while the host may read nobody's" \
    bot/tables/turns/deferred.c tables/test_arrival \
    's/\(!is_deaf\(tables, hosted\) &&/(true \&\&/'

mutant 'who has left many private messages gets no other' \
    adapters/discourse/discourse_open.c adapters/test_discourse \
    's/opening->asked \+= opening->taken - 1/opening->asked += 0/'

mutant 'the steps to the last private message are not halved' \
    adapters/discourse/discourse_open.c adapters/test_discourse \
    's/\(opening->vacant - opening->taken\) \/ 2/(opening->vacant - opening->taken - 1)/'

mutant 'behind deleted private messages one is opened each time' \
    adapters/discourse/discourse_open.c adapters/test_discourse \
    's/opening->passes = false/opening->passes = opening->passes/'

mutant 'a quiet poll of a bus that is not streamed ends the doorbell' \
    adapters/discourse/discourse_bus.c adapters/test_discourse_bus \
    's/bus->whole \? bus->polled_at : bus->opened_at/bus->opened_at/'

mutant 'a late secret vote is answered as if nobody had asked' \
    bot/host/judge/answer.c play/test_plays \
    's/post->dm != sealed/post->dm/'

mutant 'a deadline in curved quotation marks is not read' \
    bot/host/words/times.c play/test_plays \
    's/if \(letter_is_word\(letter\) \|\| letter_is_symbol\(letter\) \|\|/if (letter > 126 || letter_is_word(letter) || letter_is_symbol(letter) ||/'

mutant 'what time it was is only known from the feed that is read first' \
    bot/tables/feeds/reached.c tables/test_outage \
    's/last == NULL \|\| feed->saved > last->saved/i == feeds->count - 1/'

mutant 'what was asked by a clock that was behind is over too early' \
    bot/tables/turns/outages.c tables/test_outage \
    's/opened <= until;/opened <= until \&\& false;/'

mutant 'a question that begins anew takes posts from before it' \
    bot/host/table/table_host.c tables/test_outage \
    's/table->since > now \? 0 : table->since;/0;/'

mutant 'a long thread is read again from the same post without end' \
    bot/loop/reader.c loop/test_reader \
    's/feed->again > since \? feed->again : since/since/'

mutant 'a page that does not tell its end is read again without end' \
    bot/tables/feeds/feed.c loop/test_reader \
    's/outcome->through : -1/outcome->through : feed->again/'

mutant 'a post that our clock was ahead of is sent twice' \
    adapters/discord/discord_send.c adapters/test_discord \
    's/op->once \? FIND_SLACK_MS : ALIKE_SLACK_MS/op->once ? ALIKE_SLACK_MS : ALIKE_SLACK_MS/'

mutant 'no post of a game is looked for as one that is said once' \
    bot/loop/sender.c loop/test_loop \
    's/op->once =\s+message->kind == MESSAGE_POST/op->once = message->kind == MESSAGE_DELETE/'

mutant 'a question is put at a time that only the store knows' \
    bot/tables/feeds/service_clock.c loop/test_service_clock \
    's/clock->told \&\& //'

mutant 'an inbox that could not be read at first loses what was answered' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/since > 0 \&\& since < inbox->from/since < 0/'

mutant 'an inbox is first read from no earlier than ten minutes ago' \
    bot/loop/reader.c loop/test_reader \
    's/feed->shared \&\& feed->cursor\[0\]/false \&\& feed->cursor[0]/'

mutant 'posts of a game that is over are forgotten while an answer waits' \
    bot/store/store_queued.c store/test_store \
    's/AND \(kind <> 0 OR NOT EXISTS \(SELECT 1 FROM message"\n\s*" WHERE thread = \?2/AND (kind <> 0 OR NOT EXISTS (SELECT 1 FROM message WHERE thread = ?2 || 1/'

mutant 'an answer is taken for one that a game has given' \
    bot/store/store_messages.c store/test_store \
    's/ UNION SELECT game"/ UNION SELECT 2"/'

mutant 'answers to whoever is at no table are kept for ever' \
    bot/store/store_queued.c store/test_store \
    's/WHERE game = \x27\x27 AND thread = \?1"/WHERE game = 1 AND thread = ?1"/'

mutant 'phpBB: a missing page is taken for a person who can not be reached' \
    adapters/phpbb/phpbb_refused.c adapters/test_phpbb \
    's/!forum_is_missing\(exchange\)/forum_is_missing(exchange)/'

mutant 'a message is looked for too early where our clock is ahead' \
    adapters/exchange.c adapters/test_discord \
    's/return op->tried != 0 \&\& tried < op->since \? tried : op->since;/return op->since - (known ? op->now - reply->date : 0);/'

mutant 'Discourse tells nobody who has left a private message' \
    adapters/discourse/discourse_quirks.c adapters/test_discourse \
    's/strcmp\(action, "user_left"\) == 0/action[0] == 0/'

mutant 'NodeBB tells nobody who has left a chat' \
    adapters/nodebb/nodebb_quirks.c adapters/test_nodebb_recorded \
    's/room\.count != 1/room.count != 0/'

mutant 'NodeBB tells of a chat that was left again and again' \
    adapters/nodebb/nodebb_quirks.c adapters/test_nodebb \
    's/forum_note\(exchange, state_left, room\.id\);//'

mutant 'nobody knows whose DM was left where the service does not say' \
    bot/tables/turns/presence.c tables/test_reachability \
    's/post->author\[0\] == .\\0./false/'

mutant 'who gets another DM is asked back' \
    bot/store/store_services.c tables/test_reachability \
    's/iif\(place = excluded\.place, absent, 0\)/absent/'

mutant 'who has left the DM is not invited again' \
    adapters/matrix/matrix_send.c sim/test_fault_games \
    's/if \(there\.here \|\| there\.invited\) \{/if (true) {/'

mutant 'a confirmation counts only if it is read in time' \
    bot/host/judge/commands/moderators.c play/test_plays:plays \
    's/post_time\(chat->input->post\) < asked->until/chat->ruling->env->now < asked->until/'

mutant 'who resumes what somebody else has resumed is told nothing' \
    bot/host/judge/commands/moderators.c sim/test_fault_games \
    's/\(void\)chat_answer\(chat, "resume_nothing"\);//'

mutant 'a room in which the host is back is read no further back than one sync' \
    adapters/matrix/matrix_sync.c adapters/test_matrix_sync \
    's/if \(!gap.over && /if (!gap.over \&\& !gap.back \&\& /'

mutant "an undo to the Chancellor's choice opens a question of the same number" \
    bot/host/table/table_host.c play/test_plays \
    's/ \+\n *\(past->game\.question == QUESTION_ENACT \? 1 : 0\);/;/'

mutant 'where a table is on hold the host says that none is open' \
    bot/tables/turns/posts.c tables/test_threads \
    's/if \(!game\.over \&\& hosted_named/if (false \&\& hosted_named/'

mutant 'the ready check ends while a word that was refused before arrives' \
    bot/host/table/outbox.c loop/test_loop \
    's/refused == NULL \|\| is_retried\(refused\)/refused == NULL/'

mutant 'nobody is told how a game ended whose thread is gone' \
    bot/tables/turns/posts.c tables/test_arrival \
    's/reach_ended_unseen\(&ruling, intake->post->author\);/;/'

mutant 'whoever has a forgotten name next is written to where its owner was' \
    bot/store/forget.c cli/test_forget \
    's/"DELETE FROM dm WHERE service = \?1/"DELETE FROM dm WHERE 0 AND service = ?1/'

mutant "a single absurd date is believed while the host's clock is ahead" \
    bot/tables/feeds/service_clock.c loop/test_service_clock \
    's/time > expected \|\| leaps;/time > expected;/'

mutant 'nobody else is told of a vote with a button' \
    bot/host/words/notice.c loop/test_presses \
    's/    ruling_votes\(ruling, &text\);/    rich_release(\&text);/'

mutant 'an answer is taken for another of the same words' \
    adapters/discord/discord_send.c adapters/test_discord \
    's/!exchange_is_other\(exchange, id\)/id[0] != 0/'

mutant 'a letter is taken for another of the same words' \
    adapters/matrix/matrix_send.c adapters/test_matrix \
    's/!exchange_is_other\(exchange, event_id\)/event_id[0] != 0/'

mutant 'who looks for an answer knows no other' \
    bot/store/store_messages.c loop/test_delivery \
    's/LIMIT 200/LIMIT 0/'

mutant 'pings are answered though nobody reads the answers' \
    adapters/http/web_socket.c adapters/test_web_socket \
    's/return wslay_event_get_queued_msg_count[^;]*;/return true;/'

mutant 'long texts that nobody takes are read all the same' \
    adapters/http/web_socket.c adapters/test_web_socket \
    's/socket->waiting_bytes < SOCKET_BYTES_MAX/true/'

mutant 'answers in private go before the question of the game' \
    bot/host/table/outbox.c tables/test_flood \
    's/is_of_game\(queued\) \? "private game" : "private answers"/"private"/'

mutant 'the same answer waits once for each time that it was asked for' \
    bot/tables/flood.c tables/test_flood \
    's/\? full \|\| is_waiting\(outbox, ruling, message\)/? full/'

mutant 'moderators get every question of one person' \
    bot/tables/flood.c tables/test_flood \
    's/\(said \|\| asked\)/said/'

mutant 'a moderator opens any number of tables' \
    bot/tables/flood.c tables/test_flood \
    's/person->opened\[0\] != 0 &&/false \&\&/'

mutant 'a DM that the bus has told of is read as if it were all of them' \
    adapters/forum/forum_inbox.c adapters/test_discourse \
    's/buf_add_text\(&exchange->out->cursor, exchange->op->cursor\);/buf_addf(\&exchange->out->cursor, "%lld.%lld", (long long)exchange->reply->date, (long long)exchange->reply->date);/'

mutant 'a post that others have flagged counts as deleted' \
    adapters/discourse/discourse_quirks.c adapters/test_discourse \
    's/item->deleted \|\| jdoc_string/item->deleted || forum_is_set(item->from, "hidden") || jdoc_string/'

mutant 'of many new posts only those are read that came with the topic' \
    adapters/discourse/discourse_read.c adapters/test_discourse \
    's/added <= DISCOURSE_CHUNK && take_end/take_end/'

mutant 'a night of posts is asked for in many requests' \
    adapters/discourse/discourse_inner.h adapters/test_discourse \
    's/DISCOURSE_BATCH = 50/DISCOURSE_BATCH = DISCOURSE_CHUNK/'

mutant 'a second DM that rings is forgotten' \
    bot/loop/reader.c loop/test_reader_start \
    's/several \? "" : post/post/'

mutant 'who was replaced gets what did not reach them' \
    bot/host/table/queued.c play/test_plays \
    's/if \(private && seat == NO_SEAT\)/if (false)/'

mutant 'who was put out of the game is told its secrets' \
    bot/host/table/table.c play/test_plays \
    's/return seat != NO_SEAT && seat_in\(seat, table->game.vacant\) \? NO_SEAT\s*: seat;/return seat;/'

mutant 'what a message asks is settled, and it is sent' \
    bot/host/table/queued.c play/test_plays \
    's/number == table_phase_of\(table, seat\)/true/'

mutant 'a game that is over goes on in private' \
    bot/store/store_ruling.c play/test_plays \
    's/\(seat && ruling->table->state == TABLE_OVER\)/false/'

mutant 'somebody who has voted is told that they have not' \
    bot/store/store_ruling.c play/test_plays \
    's/bool answered = /bool answered = false \&\& /'

mutant "a session's message forgets which question it is about" \
    bot/store/store_session.c play/test_plays \
    's/store_set_question\(&queued->member, number\);/queued->member.calls = number > 0 ? (unsigned)number : 0;/'

mutant 'a message is not looked at before it goes out' \
    bot/tables/delivery/delivery.c loop/test_delivery \
    's/return !known \|\|\s+queued_is_wanted\([^;]*;/return true;/'

mutant 'what may be there is dropped without a look' \
    bot/loop/sender.c loop/test_delivery \
    's/ &&\s*!is_unsettled\(loop, queued\)//'

mutant 'what may be there is withdrawn without a look' \
    bot/store/store_ruling.c loop/test_delivery \
    's/queued->state == QUEUED_WAITING &&\s*\(answered/queued_waits(queued) \&\& (answered/'

mutant 'who only presses buttons counts as absent' \
    bot/tables/turns/posts.c loop/test_presses \
    's/    (presence_note\(intake->tables[^;]*;)/    if (intake->post->kind != POST_PRESSED) {\n        \1\n    }/'

mutant 'a private answer counts that others have read' \
    bot/tables/turns/posts.c tables/test_reachability \
    's/return post->company &&/return false \&\&/'

mutant 'a chat of three is private' \
    adapters/forum/forum_inbox.c adapters/test_nodebb \
    's/item\.count > 2/item.count > 3/'

mutant 'a message to three people is private' \
    adapters/discourse/discourse_quirks.c adapters/test_discourse \
    's/i >= 2/i >= 3/'

mutant 'a group that a message is for is nobody' \
    adapters/phpbb/phpbb_pages.c adapters/test_phpbb \
    's/p\.author a,span/p.author a.username,span/'

mutant 'a prod tells the government for whom the table waits' \
    bot/host/judge/prods.c play/test_plays \
    's/ &&\s*!table_in_session\(ruling->table\)//'

mutant 'moderators hear in a session who is slow' \
    bot/host/judge/prods.c play/test_plays \
    's/publicly && is_governing\(table, seat\)/false/'

mutant 'a prod tells when the president had chosen' \
    bot/host/judge/prods.c play/test_plays \
    's/round->told > since\)/false)/'

mutant "a session's post is edited only while the president is awaited" \
    bot/tables/rule.c host/test_leaks \
    's/table->phase == ruling->first_phase \|\|\s*//'

mutant 'a session tells how many liberal policies were discarded' \
    bot/host/words/speech.c sim/test_fault_games:twins \
    's/discards - of_session : discards/game->discarded_liberal : discards/'

mutant 'trouble with a private message tells who is awaited in a session' \
    bot/tables/delivery/unreachable.c host/test_leaks \
    's/return table_in_session\(table\) && !asks &&/return table->game.question == QUESTION_ENACT \&\&/'

mutant 'who lists games is told whose turn it is in a session' \
    bot/cli/health.c play/test_plays:twins \
    's/game->round = table.game.round/game->round = table.game.question/'

mutant 'lots are due from who is awaited in a session alone' \
    bot/host/judge/commands/moderators.c play/test_plays:twins \
    's/return lots && \(seat == game->president \|\| seat == game->chancellor\)/return lots \&\& seat_in(seat, awaits.seats)/'

mutant 'a choice in a session moves the end that was told' \
    bot/host/table/deadline.c host/test_leaks \
    's/return before->game.question == QUESTION_DISCARD &&/return before == NULL \&\&/'

mutant 'a pause in the grace tells whose turn it is' \
    bot/host/table/table_host.c play/test_plays:twins \
    's/move->session != 0/false/'

mutant 'a choice in a pause ends the session earlier' \
    bot/host/table/table.c play/test_plays:twins \
    's/table->session_ends \+= stood;//'

mutant 'sealed votes may end early' \
    config/settings.c host/test_chat_commands \
    's/\} else if \(seals_early\(settings\)\)/} else if (false \&\& seals_early(settings))/'

mutant 'an older game with sealed votes can not be set' \
    bot/host/judge/commands/settings.c host/test_chat_commands \
    's/good = !rules && complaint/good = rules \&\& complaint/'

mutant 'the host knows itself by its name alone' \
    adapters/forum/forum.c adapters/test_nodebb \
    's/member > 0 \&\& service->member > 0/member < 0/'

mutant 'a place that is polled is never said to be' \
    bot/tables/feeds/reached.c cli/test_doctor \
    's/feed->polled_at = now;//'

mutant 'what is not approved waits an hour' \
    bot/loop/sent.c loop/test_queue \
    's/job\.next = loop->steady;\n    \(void\)snprintf\(queued->trouble/job.next = loop->steady + HOUR_MS;\n    (void)snprintf(queued->trouble/'

mutant 'the mark of a post is in sight' \
    adapters/phpbb/phpbb.c adapters/test_phpbb \
    's/"\[size=1\]", \.after = "\[\/size\]"/"", .after = ""/'

mutant 'nobody is known by a new name' \
    bot/host/judge/referee.c tables/test_members \
    's/if \(is_called_alone\(table, seat\)\)/if (false \&\& is_called_alone(table, seat))/'

mutant 'a name is that of whoever took it later' \
    bot/host/judge/referee.c tables/test_members \
    's/names_compare\(now, person->name\) != NAMES_CLASH/true/'

mutant 'moderators are called by their numbers' \
    bot/tables/places/members.c tables/test_questions \
    's/call_moderator\(members, service, post->author, post->author_name\)/false/'

mutant 'moderators are called by their names in lower case' \
    bot/tables/places/members.c tables/test_members \
    's/(call_moderator\(members, service, post->author, post->author_name\)) \&\&\n( *)post->member == 0/post->member == 0 \&\&\n\2\1/'

mutant 'changed words are not told' \
    bot/tables/delivery/delivery.c tables/test_edits \
    's/~needed_in\(buf_text\(\&rich.text\)\)/0/'

mutant 'what the forum has changed is an edit' \
    bot/host/judge/conduct.c tables/test_edits \
    's/ \|\| by_forum//'

mutant 'the log of the store before is taken for the restored one' \
    bot/store/backup.c store/test_restore \
    's/enum err err = move_helper\(path, buf_text\(old\), "-wal", why\);/enum err err = ERR_NONE;/'

mutant 'a message without its text is taken up' \
    bot/store/store_messages.c store/test_odd_rows \
    's/WHERE state <> 2 AND " MESSAGE_FITS/WHERE state <> 2"/'

mutant 'a trigger of somebody else is taken for ours' \
    bot/store/store_schema.c cli/test_store_check \
    's/type IN \(.trigger., .view.\)/0/'

mutant 'a table that is gone is made anew' \
    bot/store/store_schema.c cli/test_store_check \
    's/WHERE value NOT IN/WHERE 0 AND value NOT IN/'

mutant 'a key is made for games of another' \
    bot/store/store_open.c store/test_sealed \
    's/err != ERR_NONE \|\| games == 0/err != ERR_NONE || games >= 0/'

mutant 'a name in another case is kept' \
    bot/store/forget_names.c cli/test_forget \
    's/name_key\(text, len, key\)/buf_add(key, text, len)/'

mutant 'whoever was forgotten comes back with a backup' \
    bot/store/forget_asked.c cli/test_forget \
    's/SELECT mark, .. FROM kept/SELECT mark, NULL FROM kept/'

mutant 'the marks are in the store alone' \
    bot/store/forget_asked.c cli/test_forget \
    's/FROM main.forgotten WHERE waits IS NULL/FROM main.forgotten WHERE 0/'

mutant 'where it was written to somebody in private is kept' \
    bot/store/forget.c cli/test_forget \
    's/"DELETE FROM post_place WHERE service = \?1/"DELETE FROM post_place WHERE 0 AND service = ?1/'

mutant 'what is left in journals is not looked for' \
    bot/store/forget_left.c cli/test_forget \
    's/!plain \&\& pack_take/false \&\& pack_take/'

mutant 'what is sealed is not searched for who is forgotten' \
    bot/store/forget_left.c cli/test_forget \
    's/\(seal != NULL \&\& seal_look\(seal, bytes, len, \&value\)\)/true/'

mutant 'a name with a sign that pages escape is not found in them' \
    bot/store/forget_left.c cli/test_forget \
    's/unescape\(&html, &text\);/buf_add_buf(\&text, \&html);(void)unescape;/'

mutant 'pages are not searched for who is forgotten' \
    bot/store/forget_left.c cli/test_forget \
    's/none == 0 \&\& i </none != 0 \&\& i </'

mutant 'where pages were written is not noted' \
    bot/cli/site.c cli/test_forget \
    's/        store_note_site\(/        0 \&\& store_note_site(/'

mutant "anybody confirms that somebody is forgotten by the other's number" \
    bot/host/judge/commands/signup.c cli/test_forget \
    's/strtoul\(said, NULL, 10\) == number/strtoul(said, NULL, 10) > 99999/'

mutant 'somebody in a game that is on is forgotten in it' \
    bot/store/forget.c cli/test_forget \
    's/\|\| game->len > 0/|| game->len > 4096/'

mutant 'status does not know that an account is refused' \
    bot/loop/login.c loop/test_delivery \
    's/bool lasts = [^;]*;/bool lasts = false;/'

mutant 'an account that was refused once is refused for ever' \
    bot/loop/login.c loop/test_delivery \
    's/service->name, 0, NULL\)/\"x\", 0, NULL)/'

mutant 'status does not know that an account may not write' \
    bot/loop/sent.c loop/test_delivery \
    's/(set_silenced\(loop, service, )buf_text\(&delivery->why\)/\1NULL/'

mutant 'status ends well while an account is refused' \
    bot/cli/status.c cli/test_doctor \
    's/health->refused.len == 0 \&\&//'

mutant 'a table or an index that was changed is hosted' \
    bot/store/store_schema.c cli/test_store_check \
    's/AND NOT instr\(made, plain\)/AND 0/'

mutant 'an index that refuses rows is hosted' \
    bot/store/store_schema.c cli/test_store_check \
    's/plain LIKE .CREATEUNIQUE%./0/'

mutant 'rows are looked at in the table of messages alone' \
    bot/store/store_check.c cli/test_store_check \
    's/AND t.name NOT LIKE .sqlite%. GROUP/AND t.name = \x27message\x27 GROUP/'

mutant 'a row that is of no game counts as a game that can not go on' \
    bot/cli/check.c cli/test_store_check \
    's/counts\[game\[0\] == .\\0.\]/counts[0]/'

mutant 'a game that can say nothing fills the memory with answers' \
    bot/tables/flood.c tables/test_flood \
    's/answers \? full \|\| is_waiting/answers ? is_waiting/'

mutant 'a game that can say nothing takes the answers of another' \
    bot/tables/flood.c tables/test_flood \
    's/return count == FLOOD_WAITING/return outbox->count >= FLOOD_WAITING/'

mutant 'the question is not edited at the end of a pause' \
    bot/host/table/ruling.c play/test_plays \
    's/ruling->first_paused = table->paused/ruling->first_paused = false/'

mutant 'a number is never said as a word' \
    bot/host/words/catalogue.c host/test_catalogue \
    "s/if \(sort == '&'\)/if (sort == 0x7f)/"

mutant 'who can be chosen now is told to nobody' \
    bot/host/words/vacancy.c play/test_plays \
    's/choices != ruling->first_choices\)/false)/'

mutant 'the majority that a taken seat changes is not told' \
    bot/host/words/vacancy.c play/test_plays \
    's/if \(majority \&\& /if (0 \&\& /'

mutant 'a round is told without its veto and its power' \
    bot/host/words/speech.c host/test_status \
    's/length \+ more,/length,/'

mutant 'there are votes before a name' \
    bot/host/judge/commands/questions.c play/test_plays \
    's/bool not_yet = now/bool not_yet = false \&\& now/'

mutant 'a name counts in any sentence' \
    bot/host/reading/intent_names.c host/test_intent \
    's/\(exact == 0 \|\| !is_in_formula\(post, names->reading, stretch\)\)/exact == 0/'

mutant 'a formula may begin in the middle of a line' \
    bot/host/reading/intent_formula.c host/test_intent \
    's/uint32_t places = 1;/uint32_t places = 7;/'

mutant 'a formula may go on behind its end' \
    bot/host/reading/intent_formula.c host/test_intent \
    's/return \(at & end\) != 0;/return at != 0;/'

mutant 'whoever is to be president is executed' \
    bot/host/reading/intent_names.c host/test_intent \
    's/\(reading->special \&\&/(true \&\&/'

mutant 'a formula in a special election is unknown' \
    bot/host/judge/referee.c play/test_plays \
    's/awaits\.question == QUESTION_SPECIAL_ELECTION;/awaits.question == QUESTION_NONE;/'

mutant 'the formulas of a language are not lent' \
    bot/host/words/vocabulary.c host/test_posts \
    's/memcpy\(reading->formulas,[^;]*;//'

mutant 'a theme has no words in a formula' \
    bot/host/reading/intent_formula.c host/test_posts \
    's/name_loose_key\(one\.text, one\.len, &keys\[0\]\);/buf_add(\&keys[0], one.text, one.len);/'

mutant 'a veto asked for in half-bold counts' \
    bot/host/reading/intent_formula.c host/test_intent \
    's/\(named \|\| line\.bold\) \&\&/true \&\&/'

mutant 'who is named for execution in a sentence dies at once' \
    bot/host/judge/referee.c play/test_plays \
    's/return least \? FORMULA_LEAST_MS : thought;/return thought;/'

mutant 'the time to take a sentence back is not kept' \
    bot/host/table/table_host.c tables/test_calls \
    's/table->thought = thought;/;/'

mutant 'a word in private is not enough to stay' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/seats\[i\]\.reached \?/seats[i].reached \&\& false ?/'

mutant 'a word in private begins the game' \
    bot/host/table/table_signup.c host/test_ready \
    's/if \(move->reached\)/if (!move->reached)/'

mutant 'a word in code marks is not seen' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/bool right = strstr\([^;]*;/bool right = false;/'

mutant 'a wrong word is not answered' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/\} else if \(!input->ordered && \(intent_says/} else if (false \&\& (intent_says/'

mutant 'two have the same word' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/while \(given\[at\]\)/while (false)/'

mutant 'who is not ready is reminded once' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/i < 2; i\+\+/i < 1; i++/'

mutant 'a reminder comes when the check is over' \
    bot/host/judge/timers.c host/test_ready \
    's/ends != 0 && ends <= through/ends == 1/'

mutant 'a reserve who moves up has no time of their own' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/int64_t whole = check_end\(ruling\);\n( *int64_t until = whole)/int64_t whole = 0;\n\1/'

mutant 'a reserve is told of the wrong seat' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/if \(seat_in\(i, missing\)\)/if (!seat_in(i, missing))/'

mutant 'a hint outlives its ready check' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/    post->about = CALLS_READY;//'

mutant 'whose word has changed is not told' \
    bot/host/judge/commands/ready.c host/test_ready \
    's/signup_send_words\(ruling\); \/\* a word/;\/* a word/'

mutant "what is another bot's is answered" \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/\(alone \|\|\s+intent_command\([^)]*\)\)/true/'

mutant 'a slip in a command is asked about again' \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/message->again = AGAIN_DROP;/message->again = AGAIN_POST;/'

mutant 'a slip is told of a command that is not theirs' \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/may_give\(chat, commands\[i\]\.whose\)(\s+\?)/true\1/'

mutant 'another letter is a slip' \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/\(others != 1 \|\| len > NEAR_LEAST\)/true/'

mutant 'a slip in a private message is asked about' \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/if \(!alone && find_near/if (find_near/'

mutant 'a bare yes ends the game' \
    bot/host/judge/commands/chat_commands.c host/test_chat_commands \
    's/return row == NULL \|\| row->obey == chat_end \|\|/return row == NULL ||/'

mutant 'a bare yes takes the last of several requests' \
    bot/host/judge/commands/moderators.c host/test_chat_commands \
    's/own > 1 \|\|/own > 9 ||/'

mutant 'an end is told after what brought it' \
    bot/host/words/notice.c host/test_ending \
    's/if \(report.over \&\& has_event\(ruling, EVENT_ENDED\)\) \{/if (report.over \&\& ruling->event_count == 0) {/'

mutant 'a fingerprint takes a line of its own' \
    bot/host/words/proof.c host/test_proof \
    's/len\) == NULL \? " "/len) == NULL ? "\\n"/'

mutant 'a difference from the printed rules is left out' \
    bot/host/words/rulebook.c host/test_rulebook \
    's/strcmp\(value, option->values\[j\]\) == 0/j == 0/'

mutant 'what differs from the printed rules begins with a semicolon' \
    bot/host/words/rulebook.c host/test_rulebook \
    's/ \+ times_gap\(buf_text\(\&list\)\)//'

mutant 'all of the rules are told in full detail' \
    bot/host/words/rulebook.c host/test_rulebook \
    's/"topic", \*topic/"topic", topic == NULL || *topic + 1/'

mutant 'coming back takes one of the excuses' \
    bot/host/table/table_host.c play/test_plays \
    's/ \|\|\s+move->until <= move->at//'

mutant 'who is back is away until the time that they said' \
    bot/host/judge/commands/questions.c play/test_plays \
    's/move\.until = post->stamp;/move.until = table->away[seat];/'

mutant 'how much time is left is told to the minute' \
    bot/host/judge/timers.c play/test_plays \
    's/: left < 3 \* HOUR_MS/: left > 0/'

mutant 'a vote that is held open is not told of' \
    bot/host/words/rulebook.c host/test_rulebook \
    's/vote_min > 0/vote_min < 0/'

mutant 'the powers are those of smaller games' \
    bot/host/words/rulebook.c host/test_rulebook \
    's/"nine", most >= 9/"nine", most >= 11/'

mutant 'a topic counts in small letters alone' \
    bot/host/words/rulebook.c play/test_plays \
    's/name_key\(topic, strlen\(topic\), \&word\)/buf_add_text(\&word, topic)/'

mutant 'placard rules leaves out how many play' \
    bot/cli/rules.c cli/test_rules \
    's/\&table->players_min,/\&table->past_count,/'

mutant 'the call says a Nein more than a vote takes to end' \
    bot/host/words/speech.c play/test_plays \
    's/half \? \(present \+ 1\) \/ 2 : present/present/'

mutant 'an early end is told of where there is none' \
    bot/host/words/speech.c play/test_plays \
    's/table->vote_closes == VOTE_CLOSES_ALL/0/'

mutant 'nobody is asked how long votes stay open' \
    bot/host/words/status.c play/test_plays \
    's/settings->vote_min == 0/settings->vote_min < 0/'

mutant 'setup forgets how long votes stay open' \
    bot/cli/setup_write.c cli/test_setup \
    's/add_setting\(setup, \&values, "vote_min"\);//'

mutant 'a seat is known not to be Hitler too early' \
    bot/host/table/table.c play/test_plays \
    's/governed \&\& fascist >= FASCIST_DANGER/governed/'

mutant 'a chancellor in session is not known not to be Hitler' \
    bot/host/table/table.c play/test_plays \
    's/table->game.in_session\);/false);/'

mutant 'votes stay German in a French game' \
    bot/host/judge/commands/signup.c play/test_plays \
    's/settings_complete\(\&move.settings\);//'

mutant 'emoji stay in private messages' \
    bot/host/judge/commands/chat_commands.c play/test_plays \
    's/seat != NO_SEAT \&\& ruling->table->seats\[seat\].no_emoji/false/'

mutant 'the boards always have emoji' \
    bot/host/words/speech.c play/test_plays \
    's/table->settings.emoji \&\&/true \&\&/'

mutant 'a board with a class of its own for bold has no votes' \
    adapters/markup/html/html_effect.c adapters/test_html \
    's/ noboldsig"/"/'

mutant "a site's own classes for bold are not read" \
    adapters/markup/html/html_effect.c adapters/test_html \
    's/html_class_has\(class, bold_classes\)/false/'

mutant "what begins like a class is that class" \
    adapters/markup/html/html_mention.c adapters/test_html \
    's/end - at == len \&\& //'

mutant "a service's own classes are lost before its posts are read" \
    adapters/adapter.c adapters/test_html \
    's/service->bold_classes,/NULL,/'

mutant "a service has none of its account's classes" \
    bot/tables/places/services.c cli/test_read \
    's/account->bold_classes;/NULL;/'

mutant "a place reads without its service's own classes" \
    bot/cli/read.c cli/test_read \
    's/account->bold_classes;/NULL;/'

mutant 'a week is no length of time' \
    bot/host/words/times.c host/test_times \
    "s/\\{\\\"read_weeks\\\", 'w'\\}/{\\\"read_days\\\", 'd'}/"

mutant "a zone is known by no name but the table's" \
    bot/host/words/times.c host/test_times \
    's/place_in\(names\[i\]\[0\], \&word, 0\) >= 0/false/'

mutant "a time in UTC is read by the thread's clocks" \
    bot/host/words/times.c host/test_times \
    's/said->zone = zone;/said->zone = times->zone;/'

mutant "a time beside a weekday that it isn't on counts" \
    bot/host/words/times.c host/test_times \
    's/said->weekday < 0 \|\| civil_at/said->weekday < 8 || civil_at/'

mutant 'what stands after a length of time is dropped unsaid' \
    bot/host/judge/commands/moderators.c play/test_plays \
    "s/if \\(\\*unread != '.0' \\|\\| length < SECOND_MS/if (length < SECOND_MS/"

mutant 'a day more is 24 hours when the clocks change' \
    bot/host/judge/commands/moderators.c play/test_plays \
    's/deadline_days_later\(time, by . DAY_MS, env->zone\)/time + by \/ DAY_MS * DAY_MS/'

mutant 'a pause does not end at its time' \
    bot/host/table/table.c play/test_plays \
    's/table->paused && table->pause_ends != 0/table->paused \&\& table->pause_ends == 1/'

mutant 'moderators never hear of a pause without an end' \
    bot/host/table/table.c play/test_plays \
    's/table->pause_told \+ 7 \* DAY_MS/0/'

mutant 'moderators hear once of a pause without an end, and never again' \
    bot/host/table/table_host.c play/test_plays \
    's/table->paused \? move->now : table->pause_told;/table->paused ? move->now + 900 * DAY_MS : table->pause_told;/'

mutant 'an undo takes the end from a pause' \
    bot/host/table/table_host.c play/test_plays \
    's/    table->game = past->game;\n/&    table->pause_ends = past->pause_ends;\n/'

mutant 'a day named as a reason ends a pause' \
    bot/host/judge/commands/chat_command.c play/test_plays \
    's/return sure \? used : 0;/return sure || used > 0 ? used : 0;/'

mutant 'red is no card' \
    bot/host/words/vocabulary.c play/test_plays \
    "s/letter\\[0\\] == 'b' \\|\\| letter\\[0\\] == 'r'/letter[0] == 'b'/"

mutant 'another name may be a vote' \
    bot/host/judge/commands/own_names.c play/test_plays \
    's/bool word = is_vote_word\(chat, name\);/bool word = false;/'

mutant 'settings in one command are judged one by one' \
    bot/host/judge/commands/settings.c play/test_plays \
    's/(good = settings_change\(&tried, option.data, buf_text\(&value\),\n *&complaint\))/\1 \&\& settings_fit(\&tried, \&complaint)/'

mutant 'who has acted is told the whole game' \
    bot/host/judge/commands/catchup.c play/test_plays \
    's/since = table->seats\[seat\]\.acted/since = 0/'

mutant 'help does not say what else can be done' \
    bot/host/judge/commands/questions.c play/test_plays \
    's/        add_choices\(speech, seat, &text\);/        (void)add_choices;/'

mutant 'help offers to leave to who has no seat any more' \
    bot/host/judge/commands/questions.c play/test_plays \
    's/seat_in\(seat, table_open_seats\(table\)\)/false/'

mutant 'a claim is asked for without saying which' \
    config/languages/en.cfg host/test_printed_commands \
    's/`\{prefix\}claim \{target\} <letter_liberal>`/`{prefix}claim {target}`/'

mutant 'all are asked to open a table that moderators open' \
    bot/host/words/speech.c host/test_printed_commands \
    's/(\"free\",\n *speech->env->place == NULL \|\|)/\1 true ||/'

mutant 'a replay does not vacate a seat as a moderator did' \
    bot/cli/replay.c cli/test_replay \
    's/"!vacate %s"/"!why %s"/'

mutant 'after an undo the board stays as it was told' \
    bot/host/judge/commands/mending.c play/test_plays \
    's/speech_say\(speech, "boards", \&text\);//'

mutant 'after a veto the piles stay as they were told' \
    bot/host/words/notice.c play/test_plays \
    's/event->yes \&\& !has_event\(report->ruling, EVENT_ENACTED\)/false/'

mutant 'the tracker is told one too low' \
    bot/host/words/notice.c play/test_plays \
    's/event->tracker < 3 \? event->tracker : 0\);/event->tracker < 3 ? event->tracker - 1 : 0);/'

mutant 'a first candidate is drawn where seat 1 begins' \
    engine/step.c play/test_plays \
    's/game->rules.first == FIRST_SEAT_1 \? 0U : //'

mutant 'a record in which seat 1 does not begin is legal' \
    bot/record/verify_election.c record/test_verify_rules \
    's/judge->game->rules.first == FIRST_SEAT_1/false/'

mutant 'a lot is told of where seat 1 begins' \
    bot/host/words/notice.c play/test_plays \
    's/table->game.rules.first == FIRST_LOT/true/'

echo "  $planted faults planted, $((planted - failed)) found"
test "$failed" -eq 0
