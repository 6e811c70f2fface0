#!/bin/sh
# Run one test program, as `make test` runs many at a time: print its last line,
# or all that it printed if it fails.  Its name is then added to the file that
# FAILED_TESTS names, and the others go on.  CK_FORK=no: its tests share a
# process, which must end within ten minutes; but for those that FORKED names.
#   run.sh NAME COMMAND [ARGUMENT...]
name=$1
shift
case " ${FORKED-} " in
*" $name "*) unset CK_FORK ;;
esac
[ "${CK_FORK-}" != no ] || set -- timeout 600 "$@"
if said=$("$@" 2>&1); then
    echo "  TEST  $name: $(printf '%s\n' "$said" | tail -n 1)"
else
    code=$?
    printf '%s\n  FAIL  %s: exit code %s\n' "$said" "$name" "$code"
    echo "$name" >>"$FAILED_TESTS"
fi
