#!/bin/sh
# Which lines of the product each test program runs.
#
#   reach.sh FOLDER    for each test a file FOLDER/lines/<test>, with a sorted
#                      `file:line` a line, and FOLDER/times, milliseconds and test
#
# The folder gets a build of its own, with gcov's counters.  It takes a while;
# what is there already is not made again.

folder=$(realpath -m "${1:?name a folder}")
build=$folder/build
here=$(pwd)
effort=${PLACARD_EFFORT:-10}
mkdir -p "$folder/lines"

make -s -j"$(nproc)" BUILD="$build" DEVELOPER= WHOLE= \
    CFLAGS='-Og --coverage' LDFLAGS=--coverage test-programs >"$folder/said" 2>&1 ||
    { tail "$folder/said"; exit 1; }

# gcov's counters of a test lie in a folder of its own, beside links to what the
# compiler noted.  All are read at once.
count() {
    test=$1
    counters=$(mktemp -d "$folder/counters-XXXXXX") || exit 1
    begun=$(date +%s%N)
    GCOV_PREFIX=$counters PLACARD_SEED=1 PLACARD_EFFORT=$effort PLACARD_DATA=config \
        timeout 900 "$build/tests/$test" >"$counters/said" 2>&1 ||
        echo "    $test fails: $(tail -n 1 "$counters/said")"
    echo "$((($(date +%s%N) - begun) / 1000000)) $test" >>"$folder/times"
    (cd "$counters$build" 2>/dev/null || exit 0
        find bot engine adapters config -name '*.gcda' 2>/dev/null | while read -r counter; do
            ln -s "$build/${counter%.gcda}.gcno" "${counter%.gcda}.gcno"
            echo "$counters$build/$counter"
        done) >"$folder/counted"
    mkdir -p "$(dirname "$folder/lines/$test")"
    { [ ! -s "$folder/counted" ] || xargs gcov -t <"$folder/counted" 2>/dev/null; } |
        awk -F: '$2 + 0 == 0 && $3 == "Source" { file = $4; next }
            $1 !~ /[-#=]/ && file ~ /^(bot|engine|adapters|config)\// { print file ":" $2 + 0 }' |
        LC_ALL=C sort -u >"$folder/lines/$test.new"
    mv "$folder/lines/$test.new" "$folder/lines/$test"
    rm -rf "$counters"
}

for program in $(cd "$here" && find tests -name 'test_*.c' ! -path 'tests/live/*' | LC_ALL=C sort); do
    test=${program#tests/}
    test=${test%.c}
    [ -x "$build/tests/$test" ] || continue
    [ -e "$folder/lines/$test" ] || count "$test"
done
