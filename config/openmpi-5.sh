#!/bin/bash
# Builds Open MPI 5.0.7, from Debian 13's source package, with the component dropped in. The one build serves as the proof of the
# drop-in and as the installed 5.x that the standalone build is tried against. Everything is kept in OVERLAP_CACHE (default
# ~/.cache/overlap); a second run builds only what changed. Prints where it is installed on its last line.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=5.0.7
cache=${OVERLAP_CACHE:-$HOME/.cache/overlap}/openmpi-$version
source=$cache/source
build=$cache/build
prefix=$cache/install
jobs=$(nproc)
mkdir -p "$cache"

say() { echo "openmpi-5: $*" >&2; }

# A failed command's last lines are worth more than all of its output.
quietly() {
    local log=$cache/$1.log
    shift
    "$@" >"$log" 2>&1 || { say "failed: $*; the end of $log:"; tail -30 "$log" >&2; exit 1; }
}

# apt's own sources, with the suite and the type changed: no host is named here.
trixie_sources() {
    local list=$cache/apt/trixie
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/cache/archives/partial"
    : >"$list.sources"
    : >"$list.list"
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
        [ -e "$file" ] || continue
        # Stanzas of the release itself, not of its updates; their Signed-By stays.
        sed '/^#/d' "$file" | awk 'BEGIN { RS = ""; ORS = "\n\n" } /Suites:[^\n]*[[:space:]]bookworm([[:space:]]|$)/' |
            sed 's/^Types:.*/Types: deb-src/; s/^Suites:.*/Suites: trixie/' >>"$list.sources"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -e "$file" ] || continue
        grep -E '^deb .* bookworm ' "$file" | sed 's/^deb /deb-src /; s/ bookworm / trixie /' >>"$list.list" || true
    done
    if [ -s "$list.sources" ]; then echo "$list.sources"; else echo "$list.list"; fi
}

fetch_source() {
    [ -e "$cache/fetched" ] && return
    say "fetching the source of Open MPI $version"
    local sources
    sources=$(trixie_sources)
    local options=(-o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$cache/apt/lists"
        -o "Dir::Cache=$cache/apt/cache" -o APT::Sandbox::User=root)
    quietly update apt-get "${options[@]}" update
    (cd "$cache" && quietly source apt-get "${options[@]}" source --download-only "openmpi=$version-1")
    rm -rf "$source" "$cache/unpacked"
    mkdir "$cache/unpacked"
    tar xf "$cache/openmpi_$version.orig.tar.xz" -C "$cache/unpacked"
    mv "$cache/unpacked"/* "$source"
    touch "$cache/fetched"
}

# What decides whether Open MPI's build system has to be made anew.
build_files() { cat "$here/ompi/mca/fcoll/overlap/Makefile.am" "$here/ompi/mca/fcoll/overlap/configure.m4" "$0" | sha256sum; }

configure_and_build() {
    if [ -e "$cache/built" ] && [ "$(cat "$cache/built")" = "$(build_files)" ]; then
        return 1
    fi
    rm -f "$cache/built"
    say "making its build system (autogen.pl)"
    (cd "$source" && quietly autogen ./autogen.pl --force)
    # The stamp is of the configuration that the build folder has; make alone sees to the rest.
    say "configuring"
    mkdir -p "$build"
    # Fortran, OpenSHMEM and the manual take half of the time; Debian 12's PMIx is too old for its PRRTE.
    (cd "$build" && quietly configure "$source/configure" --prefix="$prefix" --with-devel-headers --disable-mpi-fortran \
        --disable-oshmem --disable-sphinx --with-hwloc=external --with-libevent=external --with-pmix=internal \
        --with-prrte=internal --with-ucx CFLAGS="-O2 -g")
    say "building (about ten minutes on two cores)"
    quietly make make -C "$build" -j"$jobs"
    quietly install make -C "$build" install
    build_files >"$cache/built"
}

fetch_source
"$here/config/dropin.sh" "$source" >/dev/null
if ! configure_and_build; then
    say "building the component in the tree that is there"
    quietly component make -C "$build/ompi/mca/fcoll/overlap" -j"$jobs" install
fi
"$prefix/bin/ompi_info" --param fcoll overlap --level 9 | grep -q algorithm || { say "ompi_info does not list the component"; exit 1; }
echo "$prefix"
