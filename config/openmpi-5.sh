#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds Open MPI 5.0.7, from Debian 13's source package, with the component dropped in. The one build serves as the proof of the
# drop-in and as the installed 5.x that the standalone build is tried against. Everything is kept in OVERLAP_CACHE (default
# ~/.cache/overlap); a second run builds only what changed, and one that was interrupted is taken up where it was. Prints where it is
# installed on its last line.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=5.0.7
cache=${OVERLAP_CACHE:-$HOME/.cache/overlap}/openmpi-$version
source=$cache/source
# Fortran, OpenSHMEM and the manual take half of the time; Debian 12's PMIx is too old for this PRRTE.
flags=(--disable-mpi-fortran --disable-oshmem --disable-sphinx --with-hwloc=external
    --with-libevent=external --with-pmix=internal --with-prrte=internal --with-ucx CFLAGS="-O2 -g")

. "$here/config/quietly.sh"

# apt's own sources, with the suite and the type changed: no host is named here.
trixie_sources() {
    local list=$cache/apt/trixie file release
    # Unstable goes by the name of the release that it becomes, but in apt's sources.
    release="($(. /etc/os-release && echo "$VERSION_CODENAME")|unstable|sid)"
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
    : >"$list.sources"
    : >"$list.list"
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        # Stanzas of the release itself, not of its updates; their Signed-By stays.
        sed '/^#/d' "$file" |
            awk -v release="$release" 'BEGIN { RS = ""; ORS = "\n\n" } $0 ~ "Suites:([^\n]*[ \t])?" release "([ \t\n]|$)" && /Components:[^\n]*main/' |
            sed 's/^Types:.*/Types: deb-src/; s/^Suites:.*/Suites: trixie/; s/^Components:.*/Components: main/' >>"$list.sources"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$file" ] || continue
        sed -En "s/^deb[[:space:]]+((\[[^]]*\][[:space:]]+)?[^[:space:]]+)[[:space:]]+$release[[:space:]]+main.*/deb-src \1 trixie main/p" \
            "$file" >>"$list.list"
    done
    if [ -s "$list.sources" ]; then
        echo "$list.sources"
    elif [ -s "$list.list" ]; then
        echo "$list.list"
    else
        say "no source of this Debian's packages in /etc/apt to derive one for Debian 13 from"
        exit 1
    fi
}

fetch_source() {
    [ ! -e "$cache/fetched" ] || return 0
    say "fetching the source of Open MPI $version"
    local sources options unpacked=$cache/unpacked
    sources=$(trixie_sources)
    options=(-o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$cache/apt/lists"
        -o "Dir::Cache=$cache/apt/cache" -o APT::Sandbox::User=root)
    quietly update "$cache" apt-get "${options[@]}" update
    quietly source "$cache" apt-get "${options[@]}" source --download-only openmpi
    [ -e "$cache/openmpi_$version.orig.tar.xz" ] || { say "Debian 13 has another version: $(echo "$cache"/*.orig.tar.xz)"; exit 1; }
    rm -rf "$source" "$unpacked"
    mkdir "$unpacked"
    tar xf "$cache/openmpi_$version.orig.tar.xz" --no-same-owner -C "$unpacked"
    mv "$unpacked"/* "$source"
    rmdir "$unpacked"
    touch "$cache/fetched"
}

mkdir -p "$cache"
one_at_a_time "$cache/lock"

fetch_source
OPENMPI_BUILD=$cache exec "$here/config/openmpi-tree.sh" "$source" "${flags[@]}"
