#!/bin/sh
# Print which commit these sources are: "2b9b73bd", or "2b9b73bd with changes";
# nothing if that is not known.  In an archive that git made, config/commit says it.
cd "$(dirname "$0")/.." || exit
if [ -e .git ]; then
    commit=$(git rev-parse --short=8 HEAD 2>/dev/null) || exit 0
    git diff --quiet HEAD -- 2>/dev/null || commit="$commit with changes"
    echo "$commit"
else
    sed -nE '1s/^([0-9a-f]{8})[0-9a-f]*( with changes)?$/\1\2/p' config/commit
fi
