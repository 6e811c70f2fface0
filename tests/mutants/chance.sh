#!/bin/sh
# Faults planted by chance, one at a time, and the tests that run their lines:
# do they find them?
#
#   chance.sh FOLDER COUNT SEED [FILE…]    in these sources; else in the product's
#
# FOLDER has what reach.sh made.  Each fault is planted in a copy, of which that
# one file is compiled, and the tests that run its line are linked anew and run:
# first those that are quick and know its file best, for PLACARD_SECONDS (60) in
# all, and at last games in which everything goes wrong.  Each survivor is told
# with its line; faults that do not compile, or change no code, count for nothing.
# A survivor may be found by a test that there was no time for, or whose processes
# are killed, so that nobody knows their lines: run those by hand.

folder=$(realpath "${1:?name a folder}")
count=${2:?say how many}
seed=${3:?name a seed}
shift 3
here=$(pwd)
test -d "$folder/lines" || { echo "First: sh tests/mutants/reach.sh $folder"; exit 2; }
[ $# -gt 0 ] || set -- $(git ls-files 'bot/*.c' 'engine/*.c' 'adapters/*.c' 'config/*.c')
tree=$folder/tree
plant=$folder/plant
games=sim/test_fault_games
most=$((${PLACARD_SECONDS:-60} * 1000))
mkdir -p "$tree"
cp -pRu Makefile bot engine adapters config tests "$tree"
test ! -e local.mk || cp -p local.mk "$tree"
cc -O2 -o "$plant" tests/mutants/plant.c || exit 1
tests=$(cd "$folder/lines" && find . -type f ! -name '*.new' | sed 's,^\./,,')
programs="build/placard build/tests/support/placard build/tests/support/fault_shim.so"
for test in $tests; do programs="$programs build/tests/$test"; done

# The tree's make; types must fit, though a fault may leave something unused.
build() { make -C "$tree" DEVELOPER= WHOLE= BUILD=build "$@"; }
flags='-O1 -Werror=incompatible-pointer-types -Werror=int-conversion -Werror=discarded-qualifiers'

build -s -j"$(nproc)" $programs >"$folder/said" 2>&1 || { tail "$folder/said"; exit 1; }
# How make links each program, and compiles a source.
build -n -B $programs 2>/dev/null | grep -v -- ' -c ' | grep -- ' -o build/' >"$folder/links"
build -n -B CFLAGS="$flags" build/bot/base/buf.o 2>/dev/null |
    sed -e ':a' -e '/\\$/N; s/\\\n//; ta' | sed -n 's/ -c -o .*//p' >"$folder/compiles"
(cd "$folder/lines" && awk -F: '{ lines[FILENAME " " $1]++ }
    END { for (pair in lines) print pair, lines[pair] }' $tests) >"$folder/weights"

compile() { (cd "$tree" && sh -c "$(cat "$folder/compiles") -c -o '$2' '$1'") >"$folder/said" 2>&1; }

# The planted object stands before the archive that has the right one.
link() {
    (cd "$tree" && sh -c "$(grep -- " -o $1 " "$folder/links" |
        sed "s, build/lib[a-z]*\.a, $folder/planted.o&,")") >"$folder/said" 2>&1
}

# Run a test; what takes samples takes few.
run() {
    case $1 in "$games") set -- "$1" CK_RUN_CASE=games PLACARD_SEEDS=16 PLACARD_QUICK=1 ;; esac
    test=$1
    shift
    (cd "$tree" && env PLACARD_SEED=1 PLACARD_EFFORT=10 PLACARD_DATA=config \
        CK_TIMEOUT_MULTIPLIER=8 "$@" timeout 600 "build/tests/$test") >"$folder/said" 2>&1
}

# The lines round one of which the compiler has made no code of its own.
near() { seq "$(($2 > 3 ? $2 - 3 : 1))" "$(($2 + 3))" | sed "s,^,$1:,"; }

# The tests that run a line of a file, by their time for each line of the file
# that they run, for as long as they may take; and the games, each in a process
# that leaves no counters.
reaching() {
    (cd "$folder/lines" && grep -lFx "$1:$2" $tests) >"$folder/reaching" ||
        (cd "$folder/lines" && grep -lFx "$(near "$1" "$2")" $tests) >"$folder/reaching"
    awk -v file="$1" 'FILENAME == ARGV[1] { time[$2] = $1; next }
        FILENAME == ARGV[2] { if ($2 == file) lines[$1] = $3; next }
        { print (time[$1] + 300) / lines[$1], time[$1] + 300, $1 }' \
        "$folder/times" "$folder/weights" "$folder/reaching" | sort -n |
        awk -v most="$most" -v games="$games" '$3 != games && (sum += $2) <= most { print $3 }
            END { print games }'
}

found=0
survived=0
"$plant" --choose "$((count * 2))" "$seed" "$@" >"$folder/chosen"
while IFS='	' read -r file number line kind text; do
    [ $((found + survived)) -lt "$count" ] || break
    cp -p "$here/$file" "$tree/$file"
    compile "$file" "$folder/right.o"
    "$plant" "$file" "$number" >"$tree/$file"
    if compile "$file" "$folder/planted.o" && ! cmp -s "$folder/right.o" "$folder/planted.o"; then
        finder=
        link build/placard && link build/tests/support/placard
        for test in $(reaching "$file" "$line"); do
            link "build/tests/$test" && run "$test" || { finder=$test; break; }
        done
        if [ -n "$finder" ]; then
            found=$((found + 1))
            echo "  found     $file:$line: $kind ($finder)"
        else
            survived=$((survived + 1))
            echo "  SURVIVED  $file:$line: $kind: $text"
        fi
    fi
    cp -p "$here/$file" "$tree/$file"
done <"$folder/chosen"
echo "  $((found + survived)) faults planted by chance, $found found, $survived survived"
