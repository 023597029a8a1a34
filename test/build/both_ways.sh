#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Open MPI with the component in its tree, built in the two ways that config/openmpi-5.sh does not: all components DSOs, and this one in
# libmpi. Each takes as long as all of Open MPI.
#   test/build/both_ways.sh FOLDER
# FOLDER is where that script keeps sources and build. The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
install=$scratch/install
component=$install/lib/openmpi/mca_fcoll_overlap.so
flags=()
eval "flags=($("$folder/build/config.status" --config))"
passed=0
failed=0

# result NAME CODE
result() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
    fi
}

# built OPTION: that is what is in $install afterwards.
built() {
    rm -rf "$scratch/build" "$install"
    mkdir "$scratch/build"
    (
        cd "$scratch/build" && "$folder/source/configure" "${flags[@]}" --prefix="$install" "$1" && make -j"$(nproc)" && make install
    ) >"$scratch/output" 2>&1 || { tail -30 "$scratch/output"; return 1; }
}

# serves: a collective write, by the component.
serves() {
    "$install/bin/mpicc" -O2 -o "$scratch/kernel" "$here/bench/demo_kernel.c" || return
    timeout 120 "$install/bin/mpirun" --oversubscribe -np 4 --mca mpi_yield_when_idle 1 --mca io ompio --mca fcoll overlap \
        --mca fcoll_base_verbose 10 "$scratch/kernel" "$scratch/written" 1000 2000 1 >"$scratch/output" 2>&1 &&
        grep -q 'fcoll:overlap: .*schedule' "$scratch/output" || { tail -30 "$scratch/output"; return 1; }
}

built --enable-mca-dso && ldd "$component" | grep -q libmca_common_ompio && serves
result "with --enable-mca-dso it is linked with common/ompio, and serves" $?
built --enable-mca-static=fcoll-overlap && [ ! -e "$component" ] && ldd "$install/lib/libmpi.so" | grep -q libstdc++ && serves
result "with --enable-mca-static=fcoll-overlap it is in libmpi, and serves" $?

echo "$passed passed, $failed failed"
[ $failed = 0 ]
