#!/bin/sh
# A release made twice, in two folders, from clones of what is committed: the archive and
# the package have to be the same, byte for byte, and say their commit.  Some minutes.
set -eu
commit=$(git rev-parse --short=8 HEAD)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/placard-release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "    $*"
    exit 1
}
for folder in one another/longer; do
    umask "$([ "$folder" = one ] && echo 022 || echo 077)"
    mkdir -p "$scratch/$folder"
    git clone -q . "$scratch/$folder/placard"
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DEVELOPER -u BUILD TZ="UTC-${#folder}" \
        make -C "$scratch/$folder/placard" release RELEASE_CHECKS= \
        >"$scratch/log" 2>&1 || { tail -n 30 "$scratch/log"; fail "no release is made"; }
done
one=$scratch/one/placard/build/release
another=$scratch/another/longer/placard/build/release
diff "$one/SHA256SUMS" "$another/SHA256SUMS" || fail "they differ"
for file in "$one"/*; do
    cmp "$file" "$another/${file##*/}" || fail "they differ"
done
dpkg-deb -x "$one"/placard_*.deb "$scratch/root"
"$scratch/root/usr/bin/placard" --version | grep -F "($commit, store" ||
    fail "the package doesn't say its commit"
[ -e "$scratch/root/usr/share/man/man1/placard-setup.1.gz" ] ||
    fail "the package lacks manual pages"
[ -e "$scratch/root/usr/share/bash-completion/completions/placard" ] ||
    fail "the package lacks completion"
mkdir "$scratch/archive"
tar -xzf "$one"/placard-*.tar.gz -C "$scratch/archive"
[ "$(sh "$scratch"/archive/*/config/commit.sh)" = "$commit" ] ||
    fail "the archive doesn't say its commit"
cat "$one/SHA256SUMS"
echo "Two releases are the same."
