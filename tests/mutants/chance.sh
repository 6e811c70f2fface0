#!/bin/sh
# Faults planted by chance, one at a time, and the tests that run their lines:
# do they find them?
#
#   chance.sh FOLDER COUNT SEED [FILE…]    in these sources; else in the product's
#
# FOLDER has what reach.sh made.  Each fault is planted in a copy.  The tests that
# run its line are run, the quickest first, and at last games in which everything
# goes wrong, until one fails.  Each survivor is told with its line; faults that
# do not compile count for nothing.

folder=$(realpath "${1:?name a folder}")
count=${2:?say how many}
seed=${3:?name a seed}
shift 3
here=$(pwd)
test -d "$folder/lines" || { echo "First: sh tests/mutants/reach.sh $folder"; exit 2; }
[ $# -gt 0 ] || set -- $(git ls-files 'bot/*.c' 'engine/*.c' 'adapters/*.c' 'config/*.c')
tree=$folder/tree
plant=$folder/plant
rm -rf "$tree"
mkdir -p "$tree"
cp -pR Makefile bot engine adapters config tests "$tree"
test ! -e local.mk || cp -p local.mk "$tree"
cc -O2 -o "$plant" tests/mutants/plant.c || exit 1

build() { make -C "$tree" -s -j"$(nproc)" DEVELOPER= WHOLE= BUILD=build "$@" >"$folder/said" 2>&1; }

# Run a test that is built; what takes samples takes few.
run() {
    (cd "$tree" && PLACARD_SEED=1 PLACARD_EFFORT=10 PLACARD_DATA=config CK_FORK=yes \
        timeout 600 "build/tests/$1") >"$folder/said" 2>&1
}

build build/placard test-programs || { tail "$folder/said"; exit 1; }

# The tests that run a line, the quickest first.
reaching() {
    (cd "$folder/lines" && grep -rlFx "$1" .) | sed 's,^\./,,' |
        awk 'NR == FNR { time[$2] = $1; next } { print time[$1] + 0, $1 }' "$folder/times" - |
        sort -n | cut -d' ' -f2
}

found=0
survived=0
"$plant" --choose "$((count * 2))" "$seed" "$@" >"$folder/chosen"
while IFS='	' read -r file number line kind text; do
    [ $((found + survived)) -lt "$count" ] || break
    "$plant" "$file" "$number" >"$tree/$file"
    if build "build/${file%.c}.o"; then
        finder=
        for test in $(reaching "$file:$line"); do
            build "build/tests/$test" && run "$test" || { finder=$test; break; }
        done
        if [ -n "$finder" ]; then
            found=$((found + 1))
            echo "  found     $file:$line: $kind ($finder)"
        else
            survived=$((survived + 1))
            echo "  SURVIVED  $file:$line: $kind: $text"
        fi
    fi
    cp "$here/$file" "$tree/$file"
done <"$folder/chosen"
echo "  $((found + survived)) faults planted by chance, $found found, $survived survived"
