#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Builds a program of bench/ below OVERLAP_CACHE (default ~/.cache/overlap) and prints its path on its last line.
#   config/bench.sh PROGRAM [MPICXX [GIO-PREFIX]]
# PROGRAM: overlap-bench (of the Open MPI whose C++ compiler is MPICXX, with GIO where that is given, see config/gio.sh), pieces-benchmark (of
# that Open MPI as well), storage-server, compare, against, never-slower, overlap-placement, topology, simulate, and those of
# bench/results: trend, plan-benchmark, holes. OVERLAP_BENCH_FLAGS: instead of -O2 -g1, in a folder of their own.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
program=$1
mpicxx=${2:-mpicxx.openmpi}
gio=${3:-}
top=${OVERLAP_CACHE:-$HOME/.cache/overlap}
# Of each checkout its own: objects made of another one's sources depend on those.
tree=$(printf '%s' "$here${OVERLAP_BENCH_FLAGS:-}" | cksum | cut -d' ' -f1)
build=$top/bench-$tree
options=("OPTIMISATION=${OVERLAP_BENCH_FLAGS:--O2 -g1}" "ENGINE_OPTIMISATION=${OVERLAP_BENCH_FLAGS:--O3}")
. "$here/config/compilers.sh"
if [ "$program" = overlap-bench ] || [ "$program" = pieces-benchmark ]; then
    command -v "$mpicxx" >/dev/null || { echo "bench: no such compiler: $mpicxx" >&2; exit 1; }
    mpicxx=$(command -v "$mpicxx")
    if [ -n "$gio" ] && [ ! -f "$gio/include/gio.h" ]; then echo "bench: no GIO in $gio, which has include/gio.h" >&2 && exit 1; fi
    build=$top/bench-$tree-$(printf '%s' "$mpicxx$gio" | cksum | cut -d' ' -f1)
    options+=("MPICXX=$mpicxx" "GIO=$gio")
    # Debian's parallel HDF5 belongs to Debian's Open MPI.
    if [[ $(readlink -f "$mpicxx") == /usr/bin/* ]] && pkg-config --exists hdf5-openmpi; then options+=(HDF5=hdf5-openmpi); fi
fi
mkdir -p "$build"
exec 9>"$build/lock"
flock 9
made=(make -C "$here" -f "$here/bench/programs.mk" BUILD="$build" "${options[@]}" "$program")
"${made[@]}" -q >/dev/null 2>&1 || echo "bench: building $program, which takes minutes the first time" >&2
# From one folder: compiler and ccache name headers relative to it.
if ! "${made[@]}" -j"$(nproc)" >"$build/$program.log" 2>&1; then
    echo "bench: $program does not build; the end of $build/$program.log:" >&2
    tail -30 "$build/$program.log" >&2
    exit 1
fi
echo "$build/$program"
