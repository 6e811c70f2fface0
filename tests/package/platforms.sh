#!/bin/sh
# placard on other machines: `make check-platforms`.  On each platform, in a bare root
# of its own, what is committed is built, by gcc for this machine once more with LTO=1,
# and tested.  A warning fails, too.
#
#   platforms.sh BUILD PLATFORM...
#
# A platform is a system and a machine: debian12, debian13 or ubuntu24.04, and this one
# with gcc12, gcc13, gcc14 or clang; or i386, which has 32 bits; or s390x, where the
# first byte of a number is the highest.  For that one it is compiled here, and run by
# qemu, which is slow: it is tested in the folders FEW alone, with a tenth of the samples
# (PLACARD_EFFORT).
#
# What can't be had is skipped, and the reason said.  BUILD/platforms has a log of each.

set -eu
build=${1:?name the folder of what is built}
shift
FEW="base config engine record store"
mkdir -p "$build/platforms"
logs=$(realpath "$build/platforms")
title=platforms
log=$logs/log
. tests/package/roots.sh

# ---- a root ---------------------------------------------------------------------

install() {
    quietly "$name" apt-get install -y -q --no-install-recommends "$@"
}

# The kernel hands s390x's programs to qemu, in each root.
find_qemu() {
    handed=/proc/sys/fs/binfmt_misc/qemu-s390x
    [ -e $handed ] || {
        mountpoint -q ${handed%/*} || mount -t binfmt_misc binfmt_misc ${handed%/*}
        apt-get install -y -q --no-install-recommends qemu-user-static binfmt-support
    } >>"$log" 2>&1 || true
    [ -e $handed ] || skip "qemu can't run programs for s390x here"
    quietly "$name" dpkg --add-architecture s390x
    quietly "$name" apt-get update -q
}

# A root for the platform, with the compiler, the libraries and the sources.
prepare() {
    architecture=$(dpkg --print-architecture)
    foreign= few= warned= whole=LTO=1 effort=${PLACARD_EFFORT:-100}
    case ${name%-*} in
    debian12) suite=bookworm ;;
    debian13) suite=trixie ;;
    ubuntu24.04) suite=noble ;;
    *) fail "there is no such platform" ;;
    esac
    case ${name##*-} in
    gcc[0-9]*) compiler=gcc-${name##*-gcc} packages=$compiler ;;
    clang) compiler=clang packages=clang whole= ;;
    i386) compiler=gcc packages=gcc architecture=i386 whole= ;;
    s390x)
        compiler=s390x-linux-gnu-gcc packages="gcc-s390x-linux-gnu libc6-dev-s390x-cross"
        foreign=s390x-linux-gnu whole= effort=${PLACARD_EFFORT:-10}
        few=$(for folder in $FEW; do echo "tests/$folder"/test_*.c; done)
        ;;
    *) fail "there is no such platform" ;;
    esac
    unpack "$suite" "$architecture" "$name"
    [ -z "$foreign" ] || find_qemu
    install make libc6-dev $packages
    mkdir "$roots/$name/src"
    git archive HEAD | tar -x -C "$roots/$name/src"
    makes deps
}

# ---- built and tested -----------------------------------------------------------

# Call make there.  What it says is in `said`, and how long it took, in `took`.
makes() {
    began=$(date +%s)
    echo "+ make $*" >>"$log"
    code=0
    inside "$name" env "PLACARD_EFFORT=$effort" ${foreign:+
        "PKG_CONFIG_LIBDIR=/usr/lib/$foreign/pkgconfig:/usr/share/pkgconfig"
        CK_TIMEOUT_MULTIPLIER=20} \
        $([ "$architecture" != i386 ] || echo linux32) \
        make -C /src "CC=$compiler" ${foreign:+"AR=$foreign-ar"} \
        ${foreign:+"DEB_ARCH=${foreign%%-*}"} ${few:+"TESTS=$few"} "$@" \
        >"$roots/said" 2>&1 || code=$?
    cat "$roots/said" >>"$log"
    took=$(($(date +%s) - began))
    [ $code = 0 ] || {
        sed -n '/^  FAIL /p; /^make.*\*\*\*/p' "$roots/said"
        fail "make $* fails"
    }
    ! grep -F 'warning:' "$roots/said" || warned=yes
}

try() {
    prepare
    makes all
    built=$took
    [ -z "$whole" ] || makes all "$whole"
    whole=${whole:+", $took with $whole"}
    makes test
    [ -z "$warned" ] || fail "there were the warnings above; all tests passed"
    echo "  PASS  $name: $(inside "$name" "$compiler" --version | head -n 1)"
    awk '/ TEST / { n++ } sub(/.*Checks: /, "") { tests += $1 }
        END { print "    no warning; " tests " tests passed, in " n " programs" }' "$roots/said"
    echo "    $built seconds to build$whole, $took to test"
}

bad=
for name; do
    title=$name log=$logs/$name.log
    : >"$log"
    set +e
    (set -e; try)
    [ $? = 0 ] || bad="$bad $name"
    set -e
    rm -rf --one-file-system "${roots:?}"/*
done
[ -z "$bad" ] || { echo "    These have failed:$bad"; exit 1; }
