#!/bin/sh
# What the host decides and says, recorded, and held against another recording:
# a change that is to change nothing leaves them as they are.
#
#   recordings.sh record FOLDER [SEEDS]    of this tree, which is built
#   recordings.sh compare FOLDER OTHER     what differs in OTHER
#
# FOLDER, which must not be there yet, gets games in which everything goes wrong,
# from the seeds 1 to SEEDS (300), and 30 simulated games of `placard play`: sizes,
# presets and languages.  What both folders have is compared: records, rulings
# (public posts that tell them, without ids) and posts.  It fails where any
# differ; posts may where other requests were sent.
set -e
build=${BUILD:-build}

record() {
    folder=$(realpath -m "$1")
    mkdir -p "$(dirname "$folder")"
    mkdir "$folder"
    PLACARD_RECORDINGS=$folder PLACARD_SEED=1 PLACARD_SEEDS=${2:-300} PLACARD_QUICK=1 \
        CK_RUN_CASE=games CK_DEFAULT_TIMEOUT=0 PLACARD_DATA=config \
        "$build/tests/sim/test_fault_games"
    export TZ=UTC LC_ALL=C PLACARD_DATA="$PWD/config"
    placard=$PWD/$build/placard
    game=0
    while [ $game -lt 30 ]; do
        set -- play-by-post official french
        shift $((game % 3))
        preset=$1
        set -- en nb nl de fr
        shift $((game / 6))
        # Where the record is saved is said in the end: it must not tell of the folder.
        (cd "$folder" && "$placard" play --auto --seed "$(printf %x $((game + 1)))" \
            --players $((game % 6 + 5)) --rules "$preset" --language "$1" \
            --record "play-$game.record" >"play-$game.posts")
        game=$((game + 1))
    done
}

# Compare what both folders have of a kind.
compare() {
    differ=
    count=0
    for file in "$1"/*."$3"; do
        name=${file##*/}
        [ -e "$2/$name" ] || continue
        count=$((count + 1))
        cmp -s "$file" "$2/$name" || differ="$differ ${name%.*}"
    done
    set -- $3 $differ
    echo "$count $1, $(($# - 1)) differ$([ $# = 1 ] || echo ":$differ")"
    [ $# = 1 ] && [ $count -gt 0 ]
}

case $1 in
record) record "${2:?name a folder}" "$3" ;;
compare)
    code=0
    for kind in record rulings posts; do
        compare "${2:?name a folder}" "${3:?name another}" $kind || code=1
    done
    for file in "$2"/*.record; do
        [ -e "$3/${file##*/}" ] || missing="$missing $(basename "$file" .record)"
    done
    [ -z "$missing" ] || echo "not in $3:$missing"
    exit $code
    ;;
*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
