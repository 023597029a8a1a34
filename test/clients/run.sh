#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Real clients of collective writes, from Debian's packages; arguments: see ../mpi_suite.sh. LEVEL=nightly and --full try each schedule and more
# rank counts. Ends with 77 where there is none of their libraries.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
here=$suite_dir/clients

# Debian builds these libraries for its own Open MPI only. Where that is one in a folder of its own, they are there as well.
within=$(command -v "$(dirname "$(command -v "$mpicc")")/enter")
debians=$within
if [[ $(command -v "$mpicc") == /usr/bin/* ]]; then debians=yes; fi

# offered NAME PACKAGE: whether a client's library is there. A release that moves may lack one for a time (config/openmpi-debian.sh).
offered() {
    if [ -z "$debians" ]; then
        skip "$1: Debian's library is not built for this Open MPI"
    elif [ -n "$within" ] && grep -qsxF "$2" "$(dirname "$within")/../lacking"; then
        skip "$1: this Debian cannot install $2"
    else
        return 0
    fi
    return 1
}

# build_client NAME FLAGS...
build_client() {
    local name=$1
    shift
    if ! "$mpicc" -O2 -g -Wall -Wextra -o "$build/$name" "$here/$name.c" "$@"; then
        echo "FAIL $name does not compile"
        failed=$((failed + 1))
        return 1
    fi
}

# run_client NAME RANKS [mpirun option...]: with a small collective buffer, so that the little data of the tests takes many cycles.
run_client() {
    local saved=("${arguments[@]}")
    arguments+=(--mca io_ompio_bytes_per_agg 3000 "${@:3}")
    run_case "$2" 120 "$1" "$data/$1.out"
    arguments=("${saved[@]}")
}

# serve NAME: the default writes reports and a timeline of a client that knows nothing of this component.
serve() {
    local algorithm ranks
    rm -f "$data/reports" "$data/trace.json"
    run_client "$1" 4 --mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports" --mca fcoll_overlap_trace "$data/trace.json" \
        --mca fcoll_overlap_writes collective
    # PnetCDF of Debian unstable has GIO in the place of MPI-IO.
    if [ "$1" = hdf5_client ]; then
        holds "$1 has a timeline" python3 "$suite_dir/functional/trace_check.py" "$data/trace.json" --ranks 4 --names shuffle,write
        if python3 -c 'import jsonschema' 2>/dev/null; then
            holds "$1 has reports" python3 "$suite_dir/functional/report_check.py" "$data/reports" "$(grep -c . "$data/reports")"
        else
            skip "the schema of reports: python3-jsonschema is not installed"
        fi
    fi
    run_client "$1" 7 --mca fcoll_overlap_algorithm none
    [ "$full" = full ] || return 0
    for algorithm in comm write write-comm write-comm-2 dataflow; do
        for ranks in 1 4 7; do run_client "$1" $ranks --mca fcoll_overlap_algorithm $algorithm; done
    done
}

# shellcheck disable=SC2046
if offered hdf5_client libhdf5-openmpi-dev && build_client hdf5_client $($within pkg-config --cflags --libs hdf5-openmpi); then serve hdf5_client; fi
if offered pnetcdf_client libpnetcdf-dev && build_client pnetcdf_client -lpnetcdf; then serve pnetcdf_client; fi

# examples/checkpoint.py: three ranks write, two and five read; numbers of columns that the ranks cannot share evenly.
is_wrong() { ! "$@"; }
checkpoint() {
    local file=$data/model.safetensors program=$suite_dir/../examples/checkpoint.py ranks
    local size=(--layers 2 --width 50)
    holds "checkpoint.py with 3 ranks" "$suite_dir/within.sh" 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" "$1" "$program" save "$file" "${size[@]}"
    holds "it is a safetensors file with the right bytes" "$1" "$here/safetensors_check.py" "$file"
    holds "nothing else is left" is "$(find "$data" -name 'model*' | wc -l)" 1
    for ranks in 2 5; do
        holds "$ranks ranks read it" "$suite_dir/within.sh" 120 "$mpirun" --oversubscribe -n $ranks "${arguments[@]}" "$1" "$program" load "$file"
    done
    printf '\377\377\377\377' | dd of="$file" bs=1 seek=9000 conv=notrunc 2>/dev/null
    holds "a wrong byte is found" is_wrong "$1" "$here/safetensors_check.py" "$file"
    rm -f "$file"
}
if offered checkpoint.py python3-mpi4py && [ -z "$within" ]; then
    python=
    for each in python3 /usr/bin/python3; do
        if $each -c 'import mpi4py, numpy' 2>/dev/null; then python=$each && break; fi
    done
    if [ -n "$python" ]; then checkpoint "$python"; else skip "checkpoint.py: python3-mpi4py and python3-numpy are not installed"; fi
fi

code=0
suite_end || code=$?
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then code=77; fi
exit $code
