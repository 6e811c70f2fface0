# Bare roots of Debian and Ubuntu, for the scripts that source this.  They are made by
# debootstrap, which is installed, and kept for the next time as archives in
# ~/.cache/placard/roots, or below XDG_CACHE_HOME.  That needs root and a network.
#
# A script that sources it has set `title`, which is said with what is skipped or
# fails, and `log`, a file for what is done.  It gets the folder `roots`, which is
# removed when it ends.
#
# MIRROR names a mirror of the packages.  Without it, this machine's own is used, or
# the folder beside that for Ubuntu's on Debian, or else debootstrap's.

skip() {
    echo "  SKIP  $title: $*"
    exit 0
}

fail() {
    echo "    $title: $*"
    echo "    The log is $log."
    exit 1
}

[ "$(id -u)" = 0 ] || skip "it needs root, for chroot"
: >"$log"
kept=${XDG_CACHE_HOME:-$HOME/.cache}/placard/roots
roots=$(mktemp -d "${TMPDIR:-/tmp}/placard-roots-XXXXXX")
trap 'trap "" INT TERM; rm -rf --one-file-system "$roots"' EXIT
trap 'exit 1' INT TERM

# Print the mirror of debian or ubuntu that has a suite, or nothing.
mirror_of() {
    above=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' |
        sed -nE 's,/(debian|ubuntu)/?$,,p' | head -n 1)
    [ -z "$above" ] || ! /usr/lib/apt/apt-helper download-file \
        "$above/$1/dists/$2/Release" "$roots/Release" >>"$log" 2>&1 ||
        echo "$above/$1"
}

# Ubuntu's keys are in a package of Debian 13, too.
find_keys() {
    keys=/usr/share/keyrings/$1-archive-keyring.gpg
    [ "$1" = ubuntu ] && [ ! -e "$keys" ] || return 0
    named=${MIRROR-}
    MIRROR=
    unpack trixie "$(dpkg --print-architecture)" keys
    MIRROR=$named
    quietly keys apt-get install -y -q --no-install-recommends ubuntu-keyring
    keys=$roots/keys/usr/share/keyrings/ubuntu-archive-keyring.gpg
}

# make_root SUITE ARCHITECTURE
make_root() {
    command -v debootstrap >/dev/null ||
        { apt-get update -q && apt-get install -y -q debootstrap; } \
            >>"$log" 2>&1 || skip "no debootstrap can be installed"
    # Older ones don't know the suite, but how its kind is set up.
    case $1 in
    noble) find_keys ubuntu; system=ubuntu areas=main,universe script=gutsy ;;
    *) find_keys debian; system=debian areas=main script=sid ;;
    esac
    [ -e "$keys" ] || skip "there is no $keys to check its packages with"
    [ ! -e "/usr/share/debootstrap/scripts/$1" ] || script=$1
    from=${MIRROR:-$(mirror_of "$system" "$1")}
    debootstrap --arch="$2" --variant=minbase --components="$areas" --keyring="$keys" \
        "$1" "$roots/bare" "$from" "$script" >>"$log" 2>&1 ||
        skip "debootstrap fails: see $log"
    mkdir -p "$kept"
    tar -C "$roots/bare" -cf "$roots/bare.tar" .
    mv "$roots/bare.tar" "$kept/$1-$2.tar"
    rm -rf --one-file-system "$roots/bare"
}

# unpack SUITE ARCHITECTURE NAME: a root of that name, of bookworm or trixie (Debian 12
# and 13) or noble (Ubuntu 24.04).
unpack() {
    [ -e "$kept/$1-$2.tar" ] || make_root "$1" "$2"
    mkdir "$roots/$3"
    tar -C "$roots/$3" -xf "$kept/$1-$2.tar"
    cp /etc/resolv.conf /etc/hosts "$roots/$3/etc/"
    # A root that is thrown away need not be on the disk after each package.
    echo force-unsafe-io >"$roots/$3/etc/dpkg/dpkg.cfg.d/unsafe-io"
    echo "+ $3: apt-get update" >>"$log"
    inside "$3" apt-get update -q >>"$log" 2>&1 ||
        skip "no packages can be had in a bare root: see $log"
}

# Run a command in a root, with nothing of our environment but the proxies.  /proc and
# /dev are mounted for that command alone.  With `start=exec` it takes the place of a
# shell in the background, so that $! is it.
inside() {
    root=$1
    shift
    ${start:-} env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+"http_proxy=$http_proxy"} \
        ${https_proxy:+"https_proxy=$https_proxy"} \
        unshare --mount sh -c 'mount -t proc proc "$0/proc" &&
            mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"' \
        "$roots/$root" "$@" </dev/null
}

quietly() {
    echo "+ $*" >>"$log"
    inside "$@" >>"$log" 2>&1 || fail "failed: $*"
}
