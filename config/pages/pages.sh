#!/bin/sh
# Make the manual pages of the sub-commands, and what completes a line in bash and
# zsh, from what the program says with --help.
#   pages.sh PROGRAM FOLDER
set -eu
program=${1:?name the program}
folder=${2:?name a folder for the pages}
here=$(dirname "$0")
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -f "$folder/help" "$folder/options"' EXIT
: "$("$program" --version)"

names() {
    (cd "$here/../$1" && ls) | sed -n 's/\.cfg$//p' | tr '\n' ' ' | sed 's/ $//'
}
languages=$(names languages)
themes="original $(names themes)"
date=$(sed -n 's/^\.Dd //p' "$here/../placard.1")
commands=$("$program" --help | sed -n 's/^  placard \([a-z]*\) .*/\1/p')
: >"$folder/options"
for name in $commands; do
    "$program" "$name" --help >"$folder/help"
    awk -v date="$date" -v name="$name" -f "$here/page.awk" "$folder/help" \
        >"$folder/placard-$name.1"
    awk -f "$here/options.awk" "$folder/help" >>"$folder/options"
done
sed -i -e "s/|--language|[^|]*/|--language|($languages)/" \
    -e "s/|--theme|[^|]*/|--theme|($themes)/" \
    -e 's/|--rules|[^|]*/|--rules|(play-by-post official french)/' "$folder/options"

# ---- bash -------------------------------------------------------------------------
{
    sed "s/@COMMANDS@/$(echo $commands) --help --version/" "$here/bash.head"
    awk -F'|' '
    { all[$1] = all[$1] ($2 == "" ? "" : $2 " ") }
    $3 ~ /^[(]/ { gsub(/[()]/, "", $3)
                  print "    \"" $1 " " $2 "\") words=\"" $3 "\" ;;"; next }
    $2 == "--place" { print "    \"" $1 " " $2 "\") words=$(_placard_places) ;;" }
    $3 ~ /^(GAME\/)?FILE/ && $2 != "" { print "    \"" $1 " " $2 "\") files ;;" }
    $3 == "DIR" { print "    \"" $1 " " $2 "\") files -d ;;" }
    $3 ~ /^(GAME\/)?FILE/ && $2 == "" { takes[$1] = 1 }
    $2 != "" && $3 ~ /^[A-Za-z]/ && $3 !~ /^(FILE|DIR)/ && $2 != "--place" {
        print "    \"" $1 " " $2 "\") ;;" }
    END { for (name in all)
        print "    \"" name " \"*) words=\"" all[name] "--help\"" \
            (name in takes ? "; [[ $word == -* ]] || files" : "") " ;;" }' \
        "$folder/options" | LC_ALL=C sort -t'"' -k2,2r
    cat "$here/bash.tail"
} >"$folder/placard.bash"

# ---- zsh --------------------------------------------------------------------------
{
    echo '#compdef placard'
    echo '# Made from `placard --help`.'
    echo 'local -a commands'
    echo 'commands=('
    "$program" --help | sed -n "s/'//g; s/^  placard \([a-z]*\) *\(.*\)/    '\1:\2'/p"
    echo ')'
    echo 'if ((CURRENT == 2)); then'
    echo '    _describe command commands'
    echo '    return'
    echo 'fi'
    echo 'shift words'
    echo '((CURRENT--))'
    echo 'case $words[1] in'
    awk -F'|' '
    function after(value) {
        if (value ~ /^[(]/) return ":value:" value
        if (value ~ /^(GAME\/)?FILE/) return ":file:_files"
        if (value == "DIR") return ":folder:_files -/"
        return ":" value ": "
    }
    $1 != last { if (last) print " ;;"; printf "%s) _arguments", last = $1 }
    $2 == "" { printf " %c*%s%c", 39, after($3), 39; next }
    { printf " %c%s%s[%s]%s%c", 39, $2, $3 != "" && $2 ~ /^--/ ? "=" : "", $4,
          $3 == "" ? "" : after($3), 39 }
    END { print " ;;" }' "$folder/options"
    echo 'esac'
} >"$folder/_placard"
