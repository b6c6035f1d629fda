#!/bin/sh
# Makes sure that Chromium is here for the browser tests.
set -eu

command -v chromium >/dev/null && exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo -n"
else
    as_root="no"
fi
if [ "$as_root" = no ] || ! command -v apt-get >/dev/null; then
    echo "The browser tests need Chromium as the command 'chromium': install your system's package (on Debian: apt-get install chromium)."
    exit 1
fi

echo "Installing Chromium for the browser tests"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qq --no-install-recommends chromium fonts-liberation >/dev/null
