#!/bin/sh
# Run one test program, as `make test` runs many at a time: print its last line,
# or all that it printed if it fails.  Its name is then added to the file that
# FAILED_TESTS names, and the others go on.
#   run.sh NAME COMMAND [ARGUMENT...]
name=$1
shift
if said=$("$@" 2>&1); then
    echo "  TEST  $name: $(printf '%s\n' "$said" | tail -n 1)"
else
    code=$?
    printf '%s\n  FAIL  %s: exit code %s\n' "$said" "$name" "$code"
    echo "$name" >>"$FAILED_TESTS"
fi
