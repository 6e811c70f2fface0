# The manual page of a sub-command, from what its --help prints.
#   awk -v date='November 21, 2026' -v name=run -f page.awk
function text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    gsub(/…/, " ...", line)
    return line ~ /^[.']/ ? "\\&" line : line
}
# A term: an option with its value, or a word.
function term(words,    parts, count) {
    count = split(words, parts, " ")
    if (parts[1] !~ /^-/) {
        return "Ar " text(words)
    }
    return "Fl " text(substr(parts[1], 2)) (count > 1 ? " Ar " text(parts[2]) : "")
}
function begin_list() {
    if (!list) { print ".Bl -tag -width Ds"; list = 1 }
}
function end_list() {
    if (list) { print ".El"; list = 0 }
}
NR == 1 {
    print ".Dd " date
    print ".Dt PLACARD-" toupper(name) " 1"
    print ".Os placard"
    sub(/^usage: /, "")
    synopsis = text($0)
    next
}
part == "" && /./ {
    sub(/^  /, /^  [a-z]/ ? "placard " : "  ")
    synopsis = synopsis "\n" text($0)
    next
}
part == "" { part = "summary"; next }
part == "summary" && /./ {
    summary = summary (summary == "" ? "" : " ") $0
    next
}
part == "summary" {
    part = "rest"
    sub(/\.$/, "", summary)
    print ".Sh NAME\n.Nm placard-" name "\n.Nd " text(summary)
    print ".Sh SYNOPSIS\n.Bd -literal\n" synopsis "\n.Ed\n.Sh DESCRIPTION"
    print text(toupper(substr(summary, 1, 1)) substr(summary, 2)) "."
    next
}
/^  [^ ]/ {
    begin_list()
    at = match($0, /[^ ]  +[^ ]/)
    print ".It " term(substr($0, 3, at - 2))
    print text(substr($0, at + RLENGTH - 1))
    next
}
/^   / { sub(/^ +/, ""); print text($0); next }
/^$/ { end_list(); print ".Pp"; next }
{ print text($0) }
END {
    end_list()
    print ".Sh EXIT STATUS"
    print "0: done; 1: it failed, or something is wrong; 2: it was used wrongly."
    print ".Sh SEE ALSO\n.Xr placard 1"
}
