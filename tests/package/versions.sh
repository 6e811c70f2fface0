#!/bin/sh
# Do the places that name the version agree?  And does what we say of ourselves hold:
# each table of the store is told of in bot/PRIVACY.md, and the package isn't given
# out as the game's makers' work.
#   versions.sh VERSION
set -eu
version=${1:?name the version}
code=0
wrong() { echo "    $*"; code=1; }

changed=$(sed -n 's/^## \([0-9.]*\) .*/\1/p' CHANGELOG.md | head -n 1)
[ "$changed" = "$version" ] ||
    wrong "CHANGELOG.md begins with $changed, and bot/base/version.c has $version"
packaged=$(sed -n '1s/^placard (\(.*\)) .*/\1/p' config/debian/changelog)
[ "$packaged" = "$version" ] ||
    wrong "config/debian/changelog begins with $packaged, and bot/base/version.c has $version"
for table in $(sed -n 's/^CREATE TABLE IF NOT EXISTS \([a-z_]*\)(.*/\1/p' bot/store/schema.sql); do
    grep -q "\`$table\`" bot/PRIVACY.md || wrong "bot/PRIVACY.md doesn't tell of the table $table"
done
! grep -nE '^(Homepage|Maintainer):.*secrethitler' config/debian/control ||
    wrong "config/debian/control names the game's makers"
grep -q 'app store' LICENSE && grep -q 'app store' adapters/discord/GUIDE.md ||
    wrong "LICENSE and the Discord guide have to name the clause about app stores"
for form in .github/ISSUE_TEMPLATE/*.yml; do
    case $form in */config.yml) continue ;; esac
    grep -q 'placard doctor' "$form" || wrong "$form doesn't ask for placard doctor"
done
exit $code
