#!/bin/sh
# One test program, as `make test` runs many at a time: its words are kept until
# it has ended, and shown whole where it fails.  Exit code 255 stops the others.
#   run.sh NAME COMMAND [ARGUMENT...]
name=$1
shift
if said=$("$@" 2>&1); then
    echo "  TEST  $name: $(printf '%s\n' "$said" | tail -n 1)"
else
    code=$?
    printf '%s\n  FAIL  %s: exit code %s\n' "$said" "$name" "$code"
    exit 255
fi
