#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Tests that others wrote: HDF5's testpar and PnetCDF's, from the source packages of the installed libraries, whose versions they have. Arguments: see
# ../mpi_suite.sh. One that fails with this component and with vulcan as well is a skip. SUITES in the environment chooses among hdf5 and pnetcdf.
# Ends with 77 where there is none.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
plain=("${arguments[@]}")

# source_of NAME: sets `source`, or says why not.
source_of() {
    local answer code=0
    case $(command -v "$mpicc") in /usr/bin/*) ;; *) skip "$1: its library is of Debian's own Open MPI" && return 1 ;; esac
    answer=$("$suite_dir/../config/debian-source.sh" "$1" 2>&1) || code=$?
    source=$(tail -1 <<<"$answer")
    [ $code = 0 ] || { skip "$1: $source" && return 1; }
}

ends_well() { (cd "$data" && exec "$suite_dir/within.sh" 280 "$mpirun" --oversubscribe -n "$ranks" "${arguments[@]}" "$@" </dev/null) >"$scratch/other.log" 2>&1; }

# as_good NAME PROGRAM ARGUMENT...
as_good() {
    local name=$1 began=$SECONDS
    shift
    arguments=("${plain[@]}")
    if ends_well "$@"; then
        passed=$((passed + 1))
        echo "ok   $name: 1 passed, 0 failed ($((SECONDS - began)) s)"
        return
    fi
    cp "$scratch/other.log" "$scratch/ours.log"
    arguments=(--mca io ompio --mca fcoll vulcan)
    if ends_well "$@"; then
        failed=$((failed + 1))
        echo "FAIL $name, which vulcan passes"
        tail -30 "$scratch/ours.log"
        end_if_first
    else
        skip "$name: it fails with vulcan as well: $(grep -aiE 'error|fail' "$scratch/other.log" | head -1 | cut -c1-150)"
    fi
}

# The programs of testpar that write data; the others test HDF5's own caches. Their sources need no configure but for one name.
hdf5() {
    local source each objects flags
    source_of hdf5 || return
    echo "$source"
    echo "#define config_srcdir \"$source/test\"" >"$build/H5srcdir_str.h"
    read -ra flags <<<"$(pkg-config --cflags --libs hdf5-openmpi) -I$build -I$source/testpar -I$source/test -I$source/src"
    for each in test/h5test test/testframe testpar/t_{dset,file,file_image,mdset,ph5basic,coll_chunk,span_tree,chunk_alloc,filter_read,prop,coll_md_read}; do
        objects+=("$source/$each.c")
    done
    for each in "${objects[@]}" "$source"/testpar/{testphdf5,t_filters_parallel,t_pread,t_mpi,t_shapesame}.c; do
        "$mpicc" -O1 -w -c -o "$build/$(basename "$each" .c).o" "$each" "${flags[@]}" 2>"$scratch/compile.log" || { echo "no $each: $(head -1 "$scratch/compile.log")"; }
    done
    local common=("$build"/h5test.o "$build"/testframe.o)
    for each in testphdf5 t_filters_parallel t_pread t_mpi t_shapesame; do
        local more=()
        [ $each != testphdf5 ] || more=("$build"/t_{dset,file,file_image,mdset,ph5basic,coll_chunk,span_tree,chunk_alloc,filter_read,prop,coll_md_read}.o)
        if ! "$mpicc" -o "$build/$each" "$build/$each.o" "${more[@]}" "${common[@]}" "${flags[@]}" -lm 2>"$scratch/compile.log"; then
            skip "HDF5's $each does not compile: $(head -1 "$scratch/compile.log")"
            continue
        fi
        # HDF5's own number of processes is 6; t_pread wants no more than 4.
        ranks=4
        as_good "HDF5's $each" "$build/$each"
    done
}

pnetcdf() {
    local source each name
    source_of pnetcdf || return
    echo "$source"
    ranks=4
    for each in "$source"/test/testcases/*.c "$source"/test/nonblocking/*.c; do
        name=$(basename "$each" .c)
        # Those that need the results of its configure, or m4, are left out.
        "$mpicc" -O1 -w -I"$source/test/common" -I"$source/src/include" -o "$build/$name" "$each" "$source/test/common/testutils.c" -lpnetcdf 2>/dev/null || continue
        as_good "PnetCDF's $name" "$build/$name" "$data/$name.nc"
        rm -f "$data/$name.nc"
    done
}

for each in ${SUITES:-hdf5 pnetcdf}; do $each; done
code=0
suite_end || code=$?
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then code=77; fi
exit $code
