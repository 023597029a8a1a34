#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds the component outside an Open MPI tree and installs it, all in build-NAME of this checkout, which git ignores.
#   config/standalone.sh [--only-configure] NAME [configure option...]
# Prints the build folder and the prefix on its last line. What did not change since the last run with this name is not built again; a new
# checkout takes what ccache and configure know from OVERLAP_CACHE (default ~/.cache/overlap).
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
only_configure=
[ "$1" != --only-configure ] || { only_configure=yes && shift; }
name=$1
shift
cache=$here/build-$name
build=$cache/build
prefix=$cache/install
who=standalone-$name
. "$here/config/quietly.sh"
. "$here/config/compilers.sh"

# known_answers OPTION...: a file of answers of this configure to the same questions on a machine with the same packages; a run takes two thirds
# of its time for them. Without dpkg nothing tells whether the packages are the same.
known_answers() {
    local packages
    packages=$(dpkg-query -W 2>/dev/null) || return 0
    mkdir -p "$cache_of_all"
    echo "--cache-file=$cache_of_all/configure-$({
        echo "$* ${CC:-} ${CXX:-} ${CPPFLAGS:-} ${LDFLAGS:-} ${PATH} $packages"
        ls -lR /usr/local/include /usr/local/lib 2>/dev/null
        cat configure
    } | sha256sum | cut -c1-16)"
}

mkdir -p "$cache"
one_at_a_time "$cache/lock"

cd "$here"
# The source folder is one for all names. What changes in a Makefile.am make itself sees to.
exec 8<configure.ac
flock 8
stale=
for file in configure.ac config/overlap_*.m4; do
    if [ "$file" -nt configure ]; then stale=yes; fi
done
if [ -n "$stale" ]; then
    say "making configure"
    quietly autogen "$here" ./autogen.sh
fi
flock -u 8

configured="$here $* $(cat configure.ac config/overlap_*.m4 | sha256sum)"
if [ "$(cat "$cache/configured" 2>/dev/null)" != "$configured" ]; then
    say "configuring"
    rm -rf "$build" "$prefix" "$cache/configured"
    mkdir -p "$build"
    # shellcheck disable=SC2046
    quietly configure "$build" "$here/configure" --prefix="$prefix" $(known_answers "$@") "$@"
    echo "$configured" >"$cache/configured"
fi
if [ -z "$only_configure" ]; then
    say "building"
    quietly make "$build" make -j"$(nproc)"
    quietly install "$build" make install
fi
echo "$build $prefix"
