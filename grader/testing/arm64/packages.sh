#!/bin/sh
# packages.sh DIR: unpacks Debian's libraries for ARM into DIR, which a build for ARM links. It installs nothing, needs no root,
# and leaves this machine's own package lists alone.
set -eu
mkdir -p "$1"
root=$(cd "$1" && pwd)
packages="libseccomp-dev libseccomp2 libpng-dev libpng16-16 zlib1g zlib1g-dev libboost1.74-dev
    libboost-test1.74-dev libboost-test1.74.0 libboost-program-options1.74-dev libboost-program-options1.74.0 libarchive-dev
    libarchive13 libxml2 libicu72 libacl1 liblzma5 libzstd1 liblz4-1 libbz2-1.0 libnettle8 libfmt-dev libfmt9
    libtomlplusplus-dev libtomlplusplus3 libsqlite3-dev libsqlite3-0 libyaml-dev libyaml-0-2 libutf8proc-dev libutf8proc2 nettle-dev libhogweed6 libgmp10"
[ "$(cat "$root/complete" 2>/dev/null)" != "$packages" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/packages"
touch "$work/status"
set -- -o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=
echo "arm64: fetching Debian 12's libraries for ARM (25 MB) into $root"
apt-get "$@" update >"$work/log" 2>&1 || { cat "$work/log" >&2; echo "arm64: apt could not read the package lists" >&2; exit 1; }
# shellcheck disable=SC2086
(cd "$work/packages" && apt-get "$@" download $packages) >"$work/log" 2>&1 || {
    cat "$work/log" >&2; echo "arm64: apt could not fetch these packages; they are named as in Debian 12" >&2; exit 1; }
for package in "$work"/packages/*.deb; do dpkg-deb -x "$package" "$root"; done
echo "$packages" >"$root/complete"
