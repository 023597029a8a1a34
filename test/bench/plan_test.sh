#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/results/benchmarks/plan.cc: the benchmark builds, and each step of a plan gives a time for a piece. The last line is "N passed, N failed". No arguments.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
program=$("$suite_dir/../config/bench.sh" plan-benchmark | tail -1)
pieces=10000

holds "all steps" answers 0 'Benchmark' "$program" --benchmark_filter="^[a-z]+/(dealt|holes)/$pieces\$" --benchmark_min_time=0.001
cp "$scratch/answer" "$scratch/times"
# As "piece=12.3ns", with the unit that the value has.
for list in dealt holes; do
    for step in access shares describe read coverage cuts all; do
        holds "$step of $list" grep -qE "^$step/$list/$pieces .*piece=[0-9.]+[pnum]?s pieces=" "$scratch/times"
    done
done
holds "on new pages" answers 0 "^all/holes/$pieces .*piece=" \
    "$program" --fresh-memory --benchmark_filter="^all/holes/$pieces\$" --benchmark_min_time=0.001
holds "an option that is not there" answers 1 'unrecognized command-line flag' "$program" --pieces 3
suite_end
