#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/results/benchmarks/pieces.cc: the benchmark builds, each way moves every byte of each kind of list, and gives a time for a piece. Arguments: see
# ../mpi_suite.sh. The last line is "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
if ! program=$("$suite_dir/../config/bench.sh" pieces-benchmark "$mpicxx" | tail -1); then
    echo "0 passed, 1 failed"
    exit 1
fi

holds "all ways" answers 0 Benchmark "$program" --benchmark_filter='/8/(4|8192)$' --benchmark_min_time=0.001
cp "$scratch/answer" "$scratch/times"
# times NAME: as "piece=12.3ns", with the unit that the value has. Where a byte is not where it belongs there is no time.
times() { holds "$1" grep -qE "^$1 .*piece=[0-9.]+[pnum]?s" "$scratch/times"; }

# 4 pieces are one segment of a list, 8192 are packed.
for pieces in 4 8192; do
    for list in whole gaps mixed regular; do
        ways="receive-list receive-scatter"
        [ $list = gaps ] || ways="$ways send-list send-pack send-gather"
        for way in $ways; do times "$way/$list/8/$pieces"; done
    done
done
for copy in copy-blocks copy-pairs copy-memcpy; do times "$copy/8/8192"; done
holds "an option that is not there" answers 1 'unrecognized command-line flag' "$program" --pieces 3
suite_end
