#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# 64 and 128 ranks, far more than there are processors: files byte for byte, on one node and as root between 16 emulated hosts, with 5.0 between 8. Arguments: see
# ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
cluster=("$suite_dir/../bench/cluster" --name "m$$")

suite_down() { "${cluster[@]}" down >/dev/null 2>&1; }

# Aggregators do it, whatever the file is on.
arguments+=(--mca fcoll_overlap_writes collective --mca fcoll_overlap_reads collective)
# The third is read.
patterns='one-rank-in-four-writes vector-with-gaps interleaved-256'
more='uneven-sizes adjacent-100-bytes random-indexed'
[ "$full" != full ] || more="$more contiguous interleaved-17-in-three-calls subarray-2d darray-block-cyclic more-ranks-than-blocks far-apart"

if suite_build many_ranks "$here/many_ranks.cc" "$here/harness.cc" "$here/patterns.cc"; then
    # shellcheck disable=SC2086
    run_case 64 300 many_ranks "$data" 4 $patterns $(at_levels '' '' '' "$more")
    if ! from nightly; then
        suite_end
        exit
    fi
    # shellcheck disable=SC2086
    run_case 128 300 many_ranks "$data" 2 $patterns
    # Between 16 of them a program of 128 ranks that does nothing but MPI_Allreduce does not come to its end in minutes with 5.0.
    hosts=16
    [ "$version" != 5 ] || hosts=8
    answer=$("${cluster[@]}" up --hosts $hosts --mbit 2000 2>&1)
    code=$?
    if [ $code = 77 ]; then
        skip "ranks of $hosts hosts: $answer"
    elif [ $code != 0 ]; then
        echo "FAIL bench/cluster: $answer"
        failed=$((failed + 1))
    else
        # shellcheck disable=SC2086
        run_command 300 "many_ranks, $hosts hosts x 8 ranks" "${cluster[@]}" run --ranks-per-host 8 --mpirun "$mpirun" -- "${arguments[@]}" \
            "$build/many_ranks" "$data" 16 $patterns
        # shellcheck disable=SC2086
        run_command 300 "many_ranks, $hosts hosts x 8 ranks, one for each host" "${cluster[@]}" run --ranks-per-host 8 --mpirun "$mpirun" -- \
            "${arguments[@]}" --mca fcoll_overlap_node_merge on "$build/many_ranks" "$data" 16 $patterns
        holds "ranks of a node are merged in each of three calls" answers 0 'merged 3: ' "${cluster[@]}" run --ranks-per-host 8 \
            --mpirun "$mpirun" -- "${arguments[@]}" --mca fcoll_overlap_node_merge on --mca fcoll_overlap_report text "$build/many_ranks" "$data" 16 \
            interleaved-17-in-three-calls
    fi
fi
suite_end
