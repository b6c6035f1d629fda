#!/bin/sh
# Makes sure that PostgreSQL is here for the tests, which start servers of their own. Debian's own
# one isn't started.
set -eu

command -v postgres >/dev/null && exit 0
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && exit 0

. "${0%/*}/root.sh"
need "The tests need PostgreSQL's program 'postgres': install your system's package (on Debian: apt-get install postgresql)."

echo "Installing PostgreSQL for the tests"
config=/etc/postgresql-common/createcluster.conf
if [ ! -e "$config" ]; then
    $as_root mkdir -p "${config%/*}"
    echo "create_main_cluster = false" | $as_root tee "$config" >/dev/null
fi
$as_root apt-get update -qq || true
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --no-install-recommends -o Dpkg::Options::=--force-confold postgresql >/dev/null
