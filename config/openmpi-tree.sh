#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds an Open MPI of the user's source tree, 5.0 or later, with the component dropped in, as who works on Open MPI has it.
#   config/openmpi-tree.sh SOURCE_TREE [OPTION of its configure...]
# It is built and installed in a folder of OVERLAP_CACHE (default ~/.cache/overlap) of its own; in OPENMPI_BUILD, where that is set. A second
# run builds only what changed, and one that was interrupted is taken up where it was. OPENMPI_AUTOGEN are words for its autogen.pl, as
# "--no-3rdparty prrte" where a system's own is to be taken. Prints where it is installed on its last line.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
component=ompi/mca/fcoll/overlap
if [ $# = 0 ] || [ ! -d "$1/ompi/mca/fcoll" ]; then
    echo "usage: config/openmpi-tree.sh SOURCE_TREE [OPTION...]   (the top folder of an Open MPI source tree; \"${1:-}\" has no ompi/mca/fcoll)" >&2
    exit 2
fi
source=$(cd "$1" && pwd)
shift
cache=${OPENMPI_BUILD:-${OVERLAP_CACHE:-$HOME/.cache/overlap}/tree-$(echo "$source" | cksum | cut -d' ' -f1)}
build=$cache/build
prefix=$cache/install
flags=(--prefix="$prefix" --with-devel-headers "$@")
# Words.
read -ra autogen_flags <<<"${OPENMPI_AUTOGEN:-}"

. "$here/config/quietly.sh"

# What decides whether Open MPI's build system has to be made anew. automake's own rules see to a changed Makefile.am, but for objects
# that were made with other flags.
build_files() { (cd "$source/$component" && sha256sum configure.m4 && echo "${flags[@]}" "${autogen_flags[@]}") | sha256sum; }

build_all() {
    rm -f "$cache/built"
    if [ "$(cat "$cache/configured" 2>/dev/null)" != "$wanted" ]; then
        rm -f "$cache/configured"
        say "making its build system (autogen.pl)"
        quietly autogen "$source" ./autogen.pl --force "${autogen_flags[@]}"
        say "configuring"
        mkdir -p "$build"
        quietly configure "$build" "$source/configure" "${flags[@]}"
        echo "$wanted" >"$cache/configured"
    fi
    say "building (five to ten minutes on two cores the first time)"
    quietly make "$build" make -j"$(nproc)"
    quietly install "$build" make install
    echo "$wanted" >"$cache/built"
}

mkdir -p "$cache"
one_at_a_time "$cache/lock.build"

"$here/config/dropin.sh" "$source" >/dev/null
wanted=$(build_files)
if [ "$(cat "$cache/built" 2>/dev/null)" != "$wanted" ]; then
    build_all
else
    say "bringing the component in the tree up to date"
    makefile=$(sha256sum <"$source/$component/Makefile.am")
    if [ "$(cat "$cache/makefile" 2>/dev/null)" != "$makefile" ]; then
        quietly component-clean "$build/$component" make clean
        echo "$makefile" >"$cache/makefile"
    fi
    quietly component "$build/$component" make -j"$(nproc)"
    quietly component-install "$build/$component" make install
fi
OMPI_MCA_fcoll=overlap "$prefix/bin/ompi_info" --param fcoll overlap --level 9 | grep -q fcoll_overlap_algorithm ||
    { say "ompi_info does not list the component"; exit 1; }
echo "$prefix"
