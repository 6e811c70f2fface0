#!/bin/sh
# The manual pages of the sub-commands and what completes a line, made by a program:
# each sub-command and option is there, and nothing complains of them.
#   pages.sh PROGRAM
set -eu
program=$(realpath "${1:?name the program}")
pages=$(mktemp -d "${TMPDIR:-/tmp}/placard-pages-XXXXXX")
trap 'rm -rf "$pages"' EXIT
fail() { echo "$*"; exit 1; }

sh config/pages/pages.sh "$program" "$pages"
for name in $("$program" --help | sed -n 's/^  placard \([a-z]*\) .*/\1/p'); do
    page=$pages/placard-$name.1
    [ -s "$page" ] || fail "$name has no manual page"
    for option in $("$program" "$name" --help | sed -nE 's/^  (--?[a-z-]+)( .*|$)/\1/p'); do
        grep -qF ".It Fl $(echo "${option#-}" | sed 's/-/\\-/g')" "$page" ||
            fail "the page of $name lacks $option"
        grep -qE "\"$name .*words=\".*$option[ \"]" "$pages/placard.bash" ||
            fail "completion of $name lacks $option"
        grep -E "^$name\)" "$pages/_placard" | grep -qe "'$option" ||
            fail "zsh's completion of $name lacks $option"
    done
done
if command -v man >/dev/null && command -v groff >/dev/null; then
    said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l config/placard.1 \
        "$pages"/*.1 2>&1 >/dev/null) || fail "the pages can't be shown: $said"
    [ -z "$said" ] || fail "$said"
else
    echo "SKIP  no man and groff: pages are not shown"
fi

cat >"$pages/placard.cfg" <<'END'
services = ( { name = "discord"; } );
places = (
    # { name = "elsewhere"; }
    { name = "parlour"; service = "discord"; },
    { name = "attic"; service = "discord"; }
);
END
touch "$pages/game.jsonl"
mkdir "$pages/site"
bash -n "$pages/placard.bash"
# What a line of words is completed to; the last is the one at the cursor.
complete() {
    (cd "$pages" && bash -c '
        . ./placard.bash
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _placard 2>&1
        printf "%s\n" "${COMPREPLY[@]}" | sort | tr "\n" " "' bash "$@")
}
expect() {
    expected=$1
    shift
    said=$(complete "$@")
    [ "$said" = "$expected " ] || fail "$* is completed to \"$said\", not \"$expected\""
}
expect check placard che
expect '--help --version' placard --
expect 'read record report restore' placard re
expect 'journal json' placard run --log j
expect 'journal json' placard run --log = j
expect 'journal json text' placard run --log =
expect '--json' placard doctor --j
expect game.jsonl placard verify g
expect placard.cfg placard run -c placard.c
expect site placard report --site si
expect 'attic parlour' placard read --place ''
expect parlour placard read -c placard.cfg --place p
expect nb placard play --language nb
expect '' placard play --seed 5
if command -v zsh >/dev/null; then
    zsh -n "$pages/_placard"
    zsh -fc 'fpath=("$1" $fpath); autoload -Uz compinit; compinit -D -u
        [[ $_comps[placard] == _placard ]]' zsh "$pages" ||
        fail "zsh doesn't take the completion"
else
    echo "SKIP  no zsh"
fi
echo "Each sub-command has its page and is completed."
