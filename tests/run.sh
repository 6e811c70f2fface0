#!/bin/sh
# Run one test program, as `make test` runs many at a time: print its last line,
# or all that it printed if it fails.  Its name is then added to the file that
# FAILED_TESTS names, and the others go on.  DONE_TESTS names a file with a line
# for each program that has ended, of ALL_TESTS.  CK_FORK=no: its tests share a
# process, which must end within ten minutes; but for those that FORKED names.
#   run.sh NAME COMMAND [ARGUMENT...]
name=$1
shift
case " ${FORKED-} " in
*" $name "*) unset CK_FORK ;;
esac
[ "${CK_FORK-}" != no ] || set -- timeout 600 "$@"
code=0
said=$("$@" 2>&1) || code=$?
echo "$name" >>"$DONE_TESTS"
count=$(printf '[%3d/%d]' "$(grep -c . "$DONE_TESTS")" "$ALL_TESTS")
if [ "$code" = 0 ]; then
    echo "$count TEST  $name: $(printf '%s\n' "$said" | tail -n 1)"
else
    printf '%s\n%s FAIL  %s: exit code %s\n' "$said" "$count" "$name" "$code"
    echo "$name" >>"$FAILED_TESTS"
fi
