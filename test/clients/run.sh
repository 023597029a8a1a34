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

# looked_at NAME: a client that knows nothing of this component has reports and a timeline.
looked_at() {
    local saved=("${arguments[@]}")
    rm -f "$data/reports" "$data/trace.json"
    arguments+=(--mca fcoll_overlap_report json --mca fcoll_overlap_report_file "$data/reports" --mca fcoll_overlap_trace "$data/trace.json"
        --mca fcoll_overlap_writes collective)
    run_case 4 120 "$1" "$data/$1.out"
    arguments=("${saved[@]}")
    holds "$1 has a timeline" python3 "$suite_dir/functional/trace_check.py" "$data/trace.json" --ranks 4 --names shuffle,write
    if python3 -c 'import jsonschema' 2>/dev/null; then
        holds "$1 has reports" python3 "$suite_dir/functional/report_check.py" "$data/reports" "$(grep -c . "$data/reports")"
    else
        skip "the schema of reports: python3-jsonschema is not installed"
    fi
}

# shellcheck disable=SC2046
if build_client hdf5_client $(pkg-config --cflags --libs hdf5-openmpi); then run_client hdf5_client && looked_at hdf5_client; fi
if build_client pnetcdf_client -lpnetcdf; then run_client pnetcdf_client; fi
suite_end
