#!/bin/sh
# Makes sure that Chromium is here for the browser tests: its headless shell, which needs a third
# of the time, or else the whole browser. Nothing is installed beside the one that is here, but
# by root: such a machine is mostly a container, made for the tests.
set -eu

command -v chromium-headless-shell >/dev/null && exit 0
here=$(command -v chromium || true)
[ -n "$here" ] && { [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; } && exit 0

. "${0%/*}/../root.sh"
need "The browser tests need Chromium as the command 'chromium': install your system's package (on Debian: apt-get install chromium)."

echo "Installing Chromium for the browser tests"
install() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --no-install-recommends "$@" fonts-liberation >/dev/null
}
$as_root apt-get update -qq || [ -n "$here" ]
install chromium-headless-shell || [ -n "$here" ] || install chromium
