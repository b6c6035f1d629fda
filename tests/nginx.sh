#!/bin/sh
# Makes sure that nginx is here for the tests, which start servers of their own, with curl and
# openssl, which talk HTTP/2 and TLS to it. Debian's own one isn't started.
set -eu

# It is in a folder that only root's path has.
PATH=$PATH:/usr/sbin
command -v nginx >/dev/null && command -v curl >/dev/null && command -v openssl >/dev/null && exit 0

. "${0%/*}/root.sh"
need "The tests need the programs 'nginx', 'curl' and 'openssl': install your system's packages (on Debian: apt-get install nginx curl openssl)."

echo "Installing nginx for the tests"
$as_root apt-get update -qq || true
# nginx's script asks for its start through invoke-rc.d, which asks this one: 101 means no.
policy=/usr/sbin/policy-rc.d
if ! command -v nginx >/dev/null && [ ! -e "$policy" ]; then
    trap '$as_root rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
    $as_root chmod +x "$policy"
fi
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --no-install-recommends nginx curl openssl >/dev/null
