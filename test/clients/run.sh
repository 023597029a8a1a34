#!/bin/bash
# Real clients of collective writes, from Debian's packages; arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/clients

# build_client NAME FLAGS...: Debian builds these libraries for its own Open MPI only.
build_client() {
    local name=$1
    shift
    if [ "$version" != 4 ]; then
        skip "$name: Debian's library is built for Open MPI 4.1"
        return 1
    fi
    if ! "$mpicc" -O2 -g -Wall -Wextra -o "$build/$name" "$here/$name.c" "$@"; then
        echo "FAIL $name does not compile"
        failed=$((failed + 1))
        return 1
    fi
}

run_client() {
    local name=$1 algorithm ranks
    local saved=("${arguments[@]}")
    for algorithm in none comm write write-comm write-comm-2; do
        # A small collective buffer, so that the little data of the tests takes many cycles.
        arguments=("${saved[@]}" --mca fcoll_overlap_algorithm $algorithm --mca io_ompio_bytes_per_agg 3000)
        for ranks in 1 4 7; do
            echo "     $algorithm"
            run_case $ranks 120 "$name" "$data/$name.out"
        done
    done
    arguments=("${saved[@]}")
}

# shellcheck disable=SC2046
if build_client hdf5_client $(pkg-config --cflags --libs hdf5-openmpi); then run_client hdf5_client; fi
if build_client pnetcdf_client -lpnetcdf; then run_client pnetcdf_client; fi
suite_end
