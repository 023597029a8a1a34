#!/bin/bash
# Real clients of collective writes, from Debian's packages; arguments: see ../mpi_suite.sh. Where SAMPLE is set another Open MPI has had all
# of them, and this one gets a schedule of each kind.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/clients

# Debian builds these libraries for its own Open MPI only. Where that is one in a folder of its own, they are there as well.
within=$(command -v "$(dirname "$(command -v "$mpicc")")/enter")
debians=${within:-$([ "$version" != 4 ] || echo yes)}

# build_client NAME FLAGS...: a client where there is its library.
build_client() {
    local name=$1
    shift
    if [ -z "$debians" ]; then
        skip "$name: Debian's library is not built for this Open MPI"
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
    local saved=("${arguments[@]}") algorithms='none comm write write-comm write-comm-2' all_ranks='1 4 7'
    if [ -n "${SAMPLE:-}" ] && [ "$full" != full ]; then algorithms='none write-comm dataflow' all_ranks='1 4'; fi
    for algorithm in $algorithms; do
        # A small collective buffer, so that the little data of the tests takes many cycles.
        arguments=("${saved[@]}" --mca fcoll_overlap_algorithm $algorithm --mca io_ompio_bytes_per_agg 3000)
        for ranks in $all_ranks; do
            echo "     $algorithm"
            run_case $ranks 120 "$name" "$data/$name.out"
        done
    done
    arguments=("${saved[@]}")
}

# shellcheck disable=SC2046
if build_client hdf5_client $($within pkg-config --cflags --libs hdf5-openmpi); then run_client hdf5_client; fi
if build_client pnetcdf_client -lpnetcdf; then run_client pnetcdf_client; fi
suite_end
