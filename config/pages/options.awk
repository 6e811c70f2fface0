# A line for each option and word of a sub-command, from what its --help prints:
#   sub-command|option|value|what it is
# Of a word the option is empty.  Choices are a value such as "(text journal json)".
NR == 1 { name = $3 }
!seen && /./ { usage = usage " " $0 }
/^$/ { seen = 1 }
/^  [^ ]/ && seen {
    at = match($0, /[^ ]  +[^ ]/)
    count = split(substr($0, 3, at - 2), parts, " ")
    help = substr($0, at + RLENGTH - 1)
    sub(/ *[;:(].*/, "", help)
    gsub(/[][|'"\\`]/, "", help)
    option = parts[1] ~ /^-/ ? parts[1] : ""
    value = option == "" ? parts[1] : count > 1 ? parts[2] : ""
    if (option != "" && match(usage, option " [a-z]+([|][a-z]+)+")) {
        value = substr(usage, RSTART + length(option) + 1, RLENGTH - length(option) - 1)
        gsub(/[|]/, " ", value)
        value = "(" value ")"
    }
    gsub(/[|]/, "/", value)
    print name "|" option "|" value "|" help
}
