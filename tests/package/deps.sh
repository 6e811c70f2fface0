#!/bin/sh
# What `make deps` does when something is missing: root is only told, others are asked
# at a terminal, and elsewhere told what to type.  Nothing is installed here: what
# would do so is replaced.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL
work=$(mktemp -d "${TMPDIR:-/tmp}/placard-deps-XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '#!/bin/sh\necho "$USER_ID"\n' >"$work/bin/id"
printf '#!/bin/sh\necho "sudo $*" >>"%s"\n' "$work/called" >"$work/bin/sudo"
printf '#!/bin/sh\necho "apt-get $*" >>"%s"\n' "$work/called" >"$work/bin/apt-get"
chmod +x "$work/bin/"*
export PATH="$work/bin:$PATH" USER_ID
deps="make deps DEPS_LOG=$work/log PKG_CONFIG"

# expect WHAT CODE SAID CALLED: what the last run ended with, said, and called to
# install something; the latter two are patterns, and "" is nothing.
expect() {
    [ "$code" = "$2" ] || wrong "$1: it ends with $code, not $2"
    grep -q "$3" "$work/said" || wrong "$1: it doesn't say \"$3\""
    case $4 in
        "") [ ! -e "$work/called" ] || wrong "$1: it calls $(cat "$work/called")" ;;
        *) grep -q "$4" "$work/called" || wrong "$1: it doesn't call $4" ;;
    esac
    rm -f "$work/called"
}
wrong() { echo "    $*"; cat "$work/said"; exit 1; }
piped() { code=0; $deps="$1" >"$work/said" 2>&1 </dev/null || code=$?; }
typed() {
    code=0
    printf "$1" | timeout 60 script -qec "$deps=false" /dev/null >"$work/said" 2>&1 || code=$?
}

USER_ID=1000
piped false
expect "in a pipe" 2 'sudo apt-get install .* libconfig-dev' ''
typed 'n\n'
expect "answered no" 2 'sudo apt-get install .* libconfig-dev' ''
typed '\004'
expect "not answered" 2 'sudo apt-get install .* libconfig-dev' ''
typed '\n'
expect "answered with Enter" 0 'Missing: .* libconfig-dev' \
    '^sudo env .* apt-get .* install .* libconfig-dev'
USER_ID=0
piped false
expect "as root" 0 'Installing: .* libconfig-dev' '^apt-get .* install .* libconfig-dev'
piped true
[ "$code" = 0 ] && [ ! -s "$work/said" ] && [ ! -e "$work/called" ] ||
    wrong "with nothing missing: it ends with $code, and does or says something"
