#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The source package of this Debian's own release, of the version of the installed packages, below OVERLAP_CACHE (default ~/.cache/overlap).
#   config/debian-source.sh NAME
# Prints its unpacked folder on the last line. Ends with 77, and says why, where apt has no source to derive one for source packages from.
set -eu
name=$1
cache=${OVERLAP_CACHE:-$HOME/.cache/overlap}/source-$name
say() { echo "debian-source: $*" >&2; }

# apt's own sources with another type: no host is named here.
sources() {
    local file
    for file in /etc/apt/sources.list.d/debian*.sources /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        sed '/^#/d' "$file" | awk 'BEGIN { RS = ""; ORS = "\n\n" } /debian-archive-keyring/' | sed 's/^Types:.*/Types: deb-src/'
    done >"$cache/apt/list.sources"
    sed -n 's/^deb \(.*\/debian\/* .*\)/deb-src \1/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list >"$cache/apt/list.list" 2>/dev/null || true
    if [ -s "$cache/apt/list.sources" ]; then echo "$cache/apt/list.sources"; elif [ -s "$cache/apt/list.list" ]; then echo "$cache/apt/list.list"; fi
}

mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
exec 9>"$cache/lock"
flock 9
if [ ! -e "$cache/unpacked" ]; then
    list=$(sources)
    [ -n "$list" ] || { say "no source of this Debian's packages in /etc/apt" && exit 77; }
    options=(-o "Dir::Etc::sourcelist=$list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$cache/apt/lists" -o "Dir::Cache=$cache/apt/cache"
        -o APT::Sandbox::User=root)
    {
        apt-get "${options[@]}" update && cd "$cache" && rm -rf ./*-*/ && apt-get "${options[@]}" source "$name" && touch "$cache/unpacked"
    } >"$cache/log" 2>&1 || { tail -3 "$cache/log" >&2 && say "$name cannot be had now" && exit 77; }
fi
ls -d "$cache/"*-*/ | sed 's,/$,,'
