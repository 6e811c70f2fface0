#!/bin/sh
# Play the games of tests/live at the tests' own services, which run beside it at
# a clock that goes faster: sites.sh BUILD SCRATCH.
set -eu

build=$1
scratch=$2

env -u CK_RUN_CASE "$build/tests/live/site/site" "$scratch/environment" "$scratch/clock" 20 &
site=$!
# It ends when what it has written is gone.
trap 'rm -f "$scratch/environment"; wait "$site" || true' EXIT
trap 'exit 1' INT TERM

tries=0
while ! test -s "$scratch/environment"; do
    tries=$((tries + 1))
    test "$tries" -lt 500 && kill -0 "$site"
    sleep 0.02
done
. "$scratch/environment"
export FAULT_CLOCK="$scratch/clock" FAULT_NAP=5 PLACARD_LIVE="$scratch"
# The sanitizers' own library wants to be first; the shim may be second.
export ASAN_OPTIONS="verify_asan_link_order=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
LD_PRELOAD="$(pwd)/$build/tests/support/fault_shim.so" \
    "$build/tests/live/test_games"
