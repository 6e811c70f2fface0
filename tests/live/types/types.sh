#!/bin/sh
# Check what the host and Discord say to each other in the games of a test
# against the type definitions that are published for Discord's API:
# types.sh TEST SCRATCH.
set -eu

test=$(realpath "$1")
scratch=$2
packages="discord-api-types@0.38 typescript@7"

if ! command -v npm >/dev/null || ! (cd "$scratch" &&
    npm install --no-save --no-audit --no-fund $packages >npm 2>&1); then
    echo "  SKIP  Discord's types: they are not to be had (tests/README.md says how)"
    exit 0
fi
PLACARD_PAYLOADS="$scratch/payloads" "$test"

# In JSON a string enum is a string, and so are sums of flags numbers.
{
    cat <<'TYPES'
import type * as Discord from "discord-api-types/v10";
type Json<T> = T extends string ? (string extends T ? string : `${T}`)
    : T extends readonly (infer U)[] ? Json<U>[]
    : T extends object
    ? { [K in keyof T]: K extends "flags" ? number | Exclude<T[K], number> : Json<T[K]> }
    : T;
TYPES
    # What differs in ids, numbers and words alone is looked at once.
    sed -E 's/[0-9]{15,}/1/g
            s/"s": ?[0-9]+/"s":1/
            s/"(content|nonce|timestamp|edited_timestamp|token)": ?"([^"\\]|\\.)*"/"\1":"-"/g
            s/[0-9]+\.[0-9]+\.[a-z][0-9]*!?/1.1.a/g' "$scratch/payloads" | sort -u |
    awk -F '\t' '{
        gsub(/[A-Za-z]+/, "Json<Discord.&>", $1)
        printf "export const said%d: %s = %s;\n", NR, $1, $2
    }'
} >"$scratch/payloads.ts"
(cd "$scratch" && node_modules/.bin/tsc --noEmit --strict --exactOptionalPropertyTypes \
    --skipLibCheck --module nodenext --moduleResolution nodenext payloads.ts) |
    cut -c1-2000 >"$scratch/errors"
if test -s "$scratch/errors"; then
    head -40 "$scratch/errors"
    exit 1
fi
echo "  $(wc -l <"$scratch/payloads") payloads are of Discord's types," \
    "$(grep -c '^export' "$scratch/payloads.ts") of them different"
