#!/bin/sh
# The Debian package, made in one bare root and used in another: `make
# check-package`.  Installed, `placard setup` is answered by a script, for the
# board and for the tests' own services (BUILD/tests/live/site/site, on
# loopback); a table is opened and a game hosted; removed and purged, nothing of
# it is left but what should be.
#
#   package.sh BUILD [SUITE]    bookworm or trixie (Debian 12, 13), noble (Ubuntu 24.04)
#
# MIRROR names a mirror of its packages: see roots.sh.  BUILD/package has the log of
# what was done.

set -eu
build=${1:?name the folder of what is built}
suite=${2:-${SUITE:-bookworm}}
title="package on $suite"
mkdir -p "$build/package"
log=$(realpath "$build/package")/$suite.log
. tests/package/roots.sh
machine=$(dpkg --print-architecture)
host=
finish() {
    [ -z "$host" ] || kill "$host" 2>/dev/null || true
    rm -rf --one-file-system "$roots"
}
trap finish EXIT

# ---- the package ---------------------------------------------------------------

# From a copy of the sources without git, as somebody has who unpacked an archive.
build_package() {
    unpack "$suite" "$machine" make
    mkdir "$roots/make/src"
    { if [ -e .git ]; then git ls-files -z; else
        find . -path './build*' -prune -o ! -type d -print0
    fi; } | tar -c --null -T - | tar -x -C "$roots/make/src"
    quietly make apt-get install -y -q --no-install-recommends make lintian
    quietly make make -C /src deb
    ! grep -E '\.[ch]:[0-9:]+ warning:' "$log" || fail "the compiler warns of the above"
    cp "$roots"/make/src/build/placard_*.deb "$roots/placard.deb"
    quietly make sh -c \
        'lintian --allow-root --display-info --fail-on error,warning /src/build/deb/*.changes'
}

# What lies in the root, apart from the records of apt and dpkg.
snapshot() {
    (cd "$roots/use" && find . -xdev \( -path ./proc -o -path ./dev \
        -o -path ./tmp -o -path ./var/log -o -path ./var/cache \
        -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print |
        LC_ALL=C sort) >"$roots/$1"
}

# Fail unless what has come since the first snapshot matches a pattern, or is a
# lock or backup that belongs to the system's list of users.
left() {
    snapshot now
    if LC_ALL=C comm -13 "$roots/before" "$roots/now" |
        grep -vE '^\./(etc/(passwd|group|shadow|gshadow)-|run/adduser)$' |
        grep -vE "$2"; then
        fail "$1 has left the above"
    fi
    LC_ALL=C comm -23 "$roots/before" "$roots/now" | grep . &&
        fail "$1 has taken the above along" || true
}

# The libraries come first: what they leave is not the package's.
install_package() {
    unpack "$suite" "$machine" use
    cp "$roots/placard.deb" "$roots/use/tmp/"
    quietly use apt-get satisfy -y -q --no-install-recommends \
        "$(dpkg-deb -f "$roots/placard.deb" Depends)"
    snapshot before
    inside use apt-get install -y -q --no-install-recommends -o Dpkg::Use-Pty=0 \
        /tmp/placard.deb >"$roots/said" 2>&1 || { cat "$roots/said"; fail "not installed"; }
    cat "$roots/said" >>"$log"
    grep -q '^ *placard setup$' "$roots/said" ||
        fail "it doesn't say what to do next"
    [ ! -e "$roots/use/etc/systemd/system/multi-user.target.wants/placard.service" ] ||
        fail "it is enabled before it is configured"
    [ "$(inside use stat -c '%U %a' /var/lib/placard)" = "placard 700" ] ||
        fail "/var/lib/placard is not its own"
}

# ---- used ----------------------------------------------------------------------

# As the package's user, in the folder of its own.
as_user() {
    inside use setpriv --reuid=placard --regid=placard --clear-groups \
        env -C /var/lib/placard HOME=/var/lib/placard "$@"
}

# Somebody at a terminal answers `placard setup`: as whom, which file, and a line
# for each answer.
answer() {
    as=$1
    file=$2
    shift 2
    printf '%s\n' "$@" |
        env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
            LC_ALL=C.UTF-8 SHELL=/bin/sh script -qec \
            "chroot $roots/use $as placard setup -c $file" /dev/null \
            >>"$log" 2>&1 || fail "placard setup fails for $file"
}

# The tests' own services, each set up with the answers that it needs, and looked
# at with what has come of them.
set_up_services() {
    site=$build/tests/live/site/site
    [ -x "$site" ] || { echo "    no $site: services are left out"; return 0; }
    "$site" "$roots/services" "$roots/clock" 1 >>"$log" 2>&1 &
    services=$!
    for _ in $(seq 30); do [ -e "$roots/services" ] || sleep 1; done
    . "$roots/services"
    user='setpriv --reuid=placard --regid=placard --clear-groups
        env -C /var/lib/placard HOME=/var/lib/placard'
    user=$(echo $user)
    set_up() {
        answer "$user" "/var/lib/placard/$1.cfg" "$@" 1 Mo '' '' '' '' ''
        as_user placard check -c "/var/lib/placard/$1.cfg" >>"$log" 2>&1 ||
            fail "what setup has written for $1 does not work"
    }
    set_up matrix "$PLACARD_LIVE_MATRIX_URL" 1 placard \
        "${PLACARD_LIVE_MATRIX_HOST#*:}"
    set_up discourse "$PLACARD_LIVE_DISCOURSE_URL" placard key-of-placard
    set_up nodebb "$PLACARD_LIVE_NODEBB_URL" key-of-placard
    set_up phpbb "$PLACARD_LIVE_PHPBB_URL" placard \
        "${PLACARD_LIVE_PHPBB_HOST#*:}"
    set_up another "$PLACARD_LIVE_DISCORD_URL" "${PLACARD_LIVE_DISCORD_HOST#*:}"
    rm "$roots/services"
    wait "$services" || true
    (cd "$roots/use/var/lib/placard" && rm -- *.cfg *.token *.password)
}

# Wait half a minute for the thread to say something.
thread_says() {
    for _ in $(seq 30); do
        as_user placard thread >"$roots/thread" 2>&1
        ! grep -q "$1" "$roots/thread" || return 0
        sleep 1
    done
    cat "$roots/thread" >>"$log"
    fail "the thread doesn't say \"$1\""
}

host_games() {
    as_user placard check >>"$log" 2>&1 || fail "placard check fails"
    start=exec as_user placard run >>"$log" 2>&1 &
    host=$!
    as_user placard post --as Mo '!new players=5 ready_check=off' >>"$log"
    for name in Anna Bob Carl Dora Emil; do
        as_user placard post --as "$name" '!join' >>"$log"
    done
    thread_says 'Round 1'
    kill "$host"
    wait "$host" || fail "the host ends with exit code $?"
    host=
    as_user placard check --store >>"$log" 2>&1 || fail "the store is damaged"
    as_user placard play --auto --seed 5ec7e7 --pace 0 >"$roots/game" 2>&1 ||
        fail "no whole game is hosted"
    as_user sh -c 'placard verify .local/state/placard/play/*.jsonl' \
        >>"$log" 2>&1 || fail "the game's record is not legal"
}

# Installed over itself, it leaves the configuration as it was changed.
install_again() {
    echo '# changed' >>"$roots/use/etc/placard/placard.cfg"
    quietly use apt-get install -y -q --reinstall /tmp/placard.deb
    grep -q '^# changed' "$roots/use/etc/placard/placard.cfg" ||
        fail "the configuration is overwritten"
}

remove_package() {
    quietly use apt-get remove -y -q placard
    # Debian's tools remember until the purge whether a unit was enabled.
    left "removing it" \
        '^\./(etc|var/lib)/placard(/|$)|/deb-systemd-helper-enabled/placard'
    [ -e "$roots/use/etc/placard/placard.cfg" ] &&
        [ -e "$roots/use/var/lib/placard/placard.db" ] ||
        fail "removing it has lost the configuration or the games"
    quietly use apt-get purge -y -q placard
    left "purging it" '^$'
    ! inside use getent passwd placard >/dev/null || fail "its user is left"
}

# --------------------------------------------------------------------------------

# Say what is done, and how long it took.
since=$(date +%s)
done_with() {
    echo "    $*: $(($(date +%s) - since)) seconds"
    since=$(date +%s)
}

build_package
done_with "built on $suite, and lintian finds nothing"
install_package
done_with "installed"
answer '' /etc/placard/placard.cfg 7 Mo '' '' '' '' ''
host_games
done_with "set up for the board; a table and a whole game hosted"
set_up_services
done_with "set up for each service of the tests"
install_again
remove_package
done_with "installed again, removed and purged"
