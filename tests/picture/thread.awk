# Draws a round of a game in its thread, as one player sees it: an animated picture
# (SVG).  It reads what `placard play --auto` prints, in the locale C.
#   awk -v round=8 -v reader=Frida -f thread.awk GAME
# The picture needs no script, link or font, so that it may stand in a page as <img>.
# Whoever wants no motion sees how it ends.

BEGIN {
    WIDTH = 480; HEIGHT = 600; HEAD = 40
    LEFT = 62; RIGHT = 464; SIZE = 15; LINE = 21; BREAK = 10; GAP = 14
    TILE = 30; SMALL = 18; BESIDE = 5
    APPEAR = 0.3; SCROLL = 0.4; REST = 0.5; REST_LETTER = 0.009; REST_END = 5 # seconds
    COLUMNS = 80; MARGIN = 6                                 # of what is read
    LIBERAL = "\360\237\237\246"; FASCIST = "\360\237\237\245"; EMPTY = "\342\254\234"
    SQUARE = "(" LIBERAL "|" FASCIST "|" EMPTY ")"
    COUNTED = " (\342\234\205)"; DOT = "\302\267"
    # The ground, and what is on it, are those of bot/picture.
    GROUND = "#112233"; PANEL = "#223344"; EDGE = "#778899"; FAINT = "#bbccdd"
    BRIGHT = "#ffeedd"; BLUE = "#77bbff"; ORANGE = "#ff9966"; DARK = "#111122"
    RED = "#ff5555"; GREEN = "#66dd88"
    split("#cc99ff #66dd88 #ffdd55 #77ddcc #ffaa33 #ff99cc #ddaa77", colours)
}

# ---- reading ----------------------------------------------------------------------
/^\342\224\200/ { end_post(); gsub(/\342\224\200/, ""); gsub(/^ +| +$/, ""); day = $0; next }
/^[0-9][0-9]:[0-9][0-9] / {
    end_post()
    clock = substr($0, 1, 5)
    colon = index(substr($0, 7), ":") + 6
    whose = substr($0, 7, colon - 7)
    text = last = substr($0, colon + 2)
    taken = columns($0)
    next
}
/^(      |    [|])/ { add_line(substr($0, MARGIN + 1)); next }
/^$/ { add_line("") }
END {
    end_post()
    if (!over) {
        print "thread.awk: " reader " posts nothing after a round " round > "/dev/stderr"
        exit 1
    }
    draw()
}

function columns(s) { gsub(/[\200-\277]/, "", s); return length(s) }

# The program breaks a line where the next word has no room: such lines are joined.
function add_line(line,    word, broken) {
    word = line
    sub(/ .*/, "", word)
    broken = line != "" && last != "" && taken + 1 + columns(word) > COLUMNS
    text = text (text == "" ? "" : broken ? " " : "\n") line
    last = line
    taken = MARGIN + columns(line)
}

function opens(number) { return index(text, "**Round " number "** " DOT " @") }

# Of the private messages the reader sees what they wrote, and what holds a secret.
function is_seen(player) {
    return whose !~ / to / || player == reader || (whose ~ reader && text ~ /below/)
}

# Keep what is seen from the post that opens the round to the reader's first one
# after the round.
function end_post(    player) {
    if (whose == "") return
    player = whose
    sub(/ to .*/, "", player)
    if (!(player in colour)) colour[player] = colours[++people % 7 + 1]
    colour["placard"] = BRIGHT
    if (opens(round)) begun = 1
    if (begun && !over && is_seen(player)) {
        sub(/\n+$/, "", text)
        posts++
        author[posts] = player; said[posts] = text
        private[posts] = whose ~ / to /; at[posts] = clock; on[posts] = day
        over = closed && player == reader
    }
    if (opens(round + 1)) closed = 1
    whose = ""
}

# ---- letters ----------------------------------------------------------------------
# How wide a text is in a wide font (DejaVu Sans): others leave some room.
function width(s, bold,    i, c, sum) {
    sum = 0
    for (i = 1; i <= length(s); i++) {
        c = substr(s, i, 1)
        if (index("ijl'I.,:;!| ", c)) sum += 0.34
        else if (index("frt()-", c)) sum += 0.42
        else if (index("mMwW@", c)) sum += 0.95
        else sum += c ~ /[A-Z]/ ? 0.7 : 0.62
    }
    return sum * SIZE * (bold ? 1.12 : 1)
}

function escaped(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }

function put(s) { body = body s "\n" }

function put_text(x, baseline, class, s) {
    put(sprintf("<text%s x=\"%d\" y=\"%d\">%s</text>", \
        class == "" ? "" : " class=\"" class "\"", x, baseline, s))
}

# The tags before letters of a style: `style` is what the last ones had.
function styled(wanted,    tags) {
    if (wanted == style) return ""
    tags = (style == "" ? "" : "</tspan>") (wanted == "" ? "" : "<tspan class=\"" wanted "\">")
    style = wanted
    return tags
}

# A word; its marks hold on until they are closed.
function set_word(word,    out, called) {
    out = ""
    while (word != "") {
        if (sub(/^`/, "", word)) code = !code
        else if (!code && sub(/^[*][*]/, "", word)) bold = !bold
        else if (bold && sub(/^\[/, "", word)) red = 1
        else if (red && sub(/^\]/, "", word)) red = 0
        else {
            called = !code && word ~ /^@[A-Z]/
            match(word, called ? "^@[A-Za-z]+" : code ? "^[^`]+" : "^[^]`*[]+")
            if (RLENGTH < 1) RLENGTH = 1
            out = out styled(code ? "c" : red ? "r" : bold ? "b" : called ? "m" : "") \
                escaped(substr(word, 1, RLENGTH))
            word = substr(word, RLENGTH + 1)
        }
    }
    return out
}

function end_line() {
    put_text(LEFT, y + SIZE, "", line styled(""))
    y += LINE
    line = ""; reach = LEFT
}

# Words, in as many lines as they take; the last one is left open.
function set_words(s,    n, i, words, bare, long) {
    n = split(s, words, " ")
    line = ""; reach = LEFT; bold = code = red = 0; style = ""
    for (i = 1; i <= n; i++) {
        bare = words[i]
        if (!gsub(/`/, "", bare)) gsub(/[*][*]/, "", bare)
        long = width(bare, bold || words[i] ~ /^[*][*]/)
        if (reach + long > RIGHT) end_line()
        line = line (line == "" ? "" : " ") set_word(words[i])
        reach += long + width(" ")
    }
}

# A line with squares: each becomes a tile, and the words stay beside them.
function set_tiles(s,    x, size, words, kind) {
    size = s ~ /^[A-Z]/ ? TILE : SMALL
    x = LEFT
    while (s != "") {
        kind = sub("^" LIBERAL, "", s) ? "L" : sub("^" FASCIST, "", s) ? "F" : \
            sub("^" EMPTY, "", s) ? "E" : ""
        if (kind != "") {
            put(sprintf("<use href=\"#%s\" transform=\"translate(%d %d) scale(%.1f)\"/>", \
                kind, x, y, size / TILE))
            x += size + BESIDE
        } else {
            words = s
            sub(SQUARE ".*", "", words)
            s = substr(s, length(words) + 1)
            if (words ~ /^ /) x += BESIDE
            put_text(x, y + size / 2 + BESIDE, "", words)
            x += size == TILE ? 120 : 20
        }
    }
    y += size + BESIDE
}

# ---- posts ------------------------------------------------------------------------
function set_head(i,    name, whither) {
    name = author[i]
    whither = " " DOT " to " (name == "placard" ? reader : "placard") ", in private"
    put(sprintf("<circle cx=\"34\" cy=\"%d\" r=\"16\" fill=\"%s\"/>", y + 18, colour[name]))
    put_text(34, y + 24, "i", toupper(substr(name, 1, 1)))
    put_text(LEFT, y + 13, "b", "<tspan fill=\"" colour[name] "\">" name "</tspan>" \
        " <tspan class=\"f\">" at[i] (private[i] ? whither : "") "</tspan>")
    y += LINE
}

function set_body(i,    n, k, lines, words, counted) {
    words = said[i]
    counted = index(words, COUNTED)
    if (counted) words = substr(words, 1, counted - 1)
    n = split(words, lines, "\n")
    for (k = 1; k <= n; k++) {
        if (lines[k] == "") y += BREAK
        else if (lines[k] ~ SQUARE) set_tiles(lines[k])
        else {
            set_words(lines[k])
            if (counted) put(sprintf("<use href=\"#C\" x=\"%d\" y=\"%d\"/>", reach + 4, y))
            end_line()
        }
    }
}

function set_post(i,    top) {
    body = ""
    if (on[i] != on[i - 1]) {
        put_text(WIDTH / 2, y + 13, "d", on[i])
        y += 30
    }
    top = y
    set_head(i)
    set_body(i)
    if (private[i])
        body = sprintf("<rect class=\"p\" x=\"10\" y=\"%d\" width=\"460\" height=\"%d\"" \
            " rx=\"8\"/>\n", top - 7, y - top + 12) body
    y += GAP
}

# ---- the picture ------------------------------------------------------------------
function percent(seconds) { return sprintf("%.2f%%", 100 * seconds / total) }

function moved(offset) { return "{transform:translateY(-" offset "px)}" }

# Each post is faded in once the one before it has been read; the thread goes up to
# make room for it.
function animate(    i, rules, scroll) {
    total = start[posts] + REST_END
    scroll = "0%" moved(0)
    rules = ""
    for (i = 2; i <= posts; i++) {
        rules = rules sprintf("@keyframes p%d{0%%,%s{opacity:0}%s,100%%{opacity:1}}" \
            ".p%d{animation:p%d %.1fs infinite}\n", \
            i, percent(start[i] - APPEAR), percent(start[i]), i, i, total)
        if (offset[i] != offset[i - 1])
            scroll = scroll percent(start[i] - SCROLL) moved(offset[i - 1]) "\n" \
                percent(start[i]) moved(offset[i])
    }
    return rules "@keyframes t{" scroll "100%" moved(offset[posts]) "}\n" \
        sprintf(".t{animation:t %.1fs infinite}\n", total) \
        "@media (prefers-reduced-motion:reduce){*{animation:none!important}}"
}

function draw(    i) {
    y = HEAD + GAP
    for (i = 1; i <= posts; i++) {
        set_post(i)
        drawn[i] = body
        start[i] = i == 1 ? 0 : start[i - 1] + REST + length(said[i - 1]) * REST_LETTER
        offset[i] = y > HEIGHT ? y - HEIGHT : 0
    }
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " WIDTH " " HEIGHT "\"" \
        " width=\"" WIDTH "\" height=\"" HEIGHT "\" role=\"img\">"
    print "<title>Round " round " of a game of Secret Hitler in its thread, as " reader \
        " sees it</title>"
    print "<style>"
    print "text{font:" SIZE "px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;" \
        "fill:" BRIGHT "}"
    print ".b,.r,.i{font-weight:700}.r{fill:" RED "}.m{fill:" BLUE "}"
    print ".d,.f,.g{font-size:13px;font-weight:400;fill:" FAINT "}.d,.i{text-anchor:middle}" \
        ".g{text-anchor:end}.i{fill:" DARK "}.p{fill:" PANEL ";stroke:" EDGE "}"
    print ".c{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:" FAINT "}"
    print animate()
    print "</style>"
    draw_defs()
    print "<g clip-path=\"url(#card)\">"
    print "<rect width=\"" WIDTH "\" height=\"" HEIGHT "\" fill=\"" GROUND "\"/>"
    print "<g class=\"t\" transform=\"translate(0 -" offset[posts] ")\">"
    for (i = 1; i <= posts; i++) printf "<g class=\"p%d\">\n%s</g>\n", i, drawn[i]
    print "</g>"
    print "<rect width=\"" WIDTH "\" height=\"" HEAD "\" fill=\"" PANEL "\"/>"
    print "<text class=\"b\" x=\"18\" y=\"26\">Table 1</text>"
    print "<text class=\"g\" x=\"" WIDTH - 18 "\" y=\"26\">the thread as " reader " sees it</text>"
    print "</g>"
    print "<rect x=\"1\" y=\"1\" width=\"" WIDTH - 2 "\" height=\"" HEIGHT - 2 \
        "\" rx=\"10\" fill=\"none\" stroke=\"" EDGE "\" stroke-width=\"2\"/>"
    print "</svg>"
}

# Tiles as on the board's picture, and the mark of a vote that counts.
function draw_defs(    box) {
    box = "<rect width=\"30\" height=\"30\" rx=\"4\" fill=\""
    print "<defs><clipPath id=\"card\"><rect width=\"" WIDTH "\" height=\"" HEIGHT \
        "\" rx=\"11\"/></clipPath>"
    print "<g id=\"L\">" box BLUE "\"/><circle cx=\"15\" cy=\"15\" r=\"11\" fill=\"" DARK "\"/>" \
        line_of("M12 9v12h7", BRIGHT) "</g>"
    print "<g id=\"F\">" box ORANGE "\"/><path d=\"M15 2l13 24H2z\" fill=\"" DARK "\"/>" \
        line_of("M12.5 24V13h6M12.5 18.5h5", BRIGHT) "</g>"
    print "<rect id=\"E\" x=\"1\" y=\"1\" width=\"28\" height=\"28\" rx=\"4\" fill=\"" PANEL \
        "\" stroke=\"" EDGE "\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>"
    print "<g id=\"C\"><rect width=\"30\" height=\"20\" rx=\"10\" fill=\"" PANEL "\" stroke=\"" EDGE \
        "\"/>" line_of("M9.5 10l4 4 7-8", GREEN) "</g></defs>"
}

function line_of(path, ink) {
    return "<path d=\"" path "\" fill=\"none\" stroke=\"" ink "\" stroke-width=\"2.5\"/>"
}
