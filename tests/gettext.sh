#!/bin/sh
# Makes sure that msgfmt is here for the tests, which has the catalogues checked by GNU gettext.
set -eu

command -v msgfmt >/dev/null && exit 0

. "${0%/*}/root.sh"
need "The tests need the program 'msgfmt': install your system's package (on Debian: apt-get install gettext)."

echo "Installing gettext for the tests"
$as_root apt-get update -qq || true
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --no-install-recommends gettext >/dev/null
