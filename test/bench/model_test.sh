#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/model and bench/results/trend: results whose times follow the model count as matches, turned around as mismatches, with overlapping spreads as neither. The last line is "N passed, N failed". No arguments.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
trend=$("$suite_dir/../config/bench.sh" trend | tail -1)
# result NAME MIB-OF-A-RANK RANKS SECONDS...: as overlap-bench writes it, tiles of 1 KiB from 4 nodes for 2 aggregators.
result() {
    local name=$1 mib=$2 ranks=$3 seconds
    shift 3
    {
        printf '{"kernel": "tile", "parameters": {"element": 1024, "tile": [%d, 1]}, "bytes": %d, "ranks": %d, "nodes": 4, "file_system": "tmpfs",' \
            $((mib << 10)) $(((mib << 20) * ranks)) "$ranks"
        printf '"mca": {"io_ompio_num_aggregators": "2", "io_ompio_bytes_per_agg": "2097152"}, "repetitions": ['
        for seconds in "$@"; do printf '{"seconds": %s},' "$seconds"; done | sed 's/,$//'
        echo ']}'
    } >"$scratch/$name.json"
}
result small 1 8 0.10 0.11
result large 4 8 0.40 0.41
result more 1 16 0.20 0.21
results=("$scratch/small.json" "$scratch/large.json" "$scratch/more.json")
holds "more bytes take longer" answers 0 '^bytes of a rank +1 +0 +0$' "$trend" "$scratch/small.json" "${results[@]}"
holds "more ranks take longer" answers 0 '^ranks +1 +0 +0$' "$trend" "$scratch/small.json" "${results[@]}"
result large 4 8 0.05 0.06
holds "what goes the other way is a mismatch" answers 0 '^bytes of a rank +0 +1 +0$' "$trend" "$scratch/small.json" "${results[@]}"
result large 4 8 0.10 0.90
holds "what is within the spread is neither" answers 0 '^bytes of a rank +0 +0 +1$' "$trend" "$scratch/small.json" "${results[@]}"
holds "a result that is none" answers 1 '^trend: ' "$trend" "$scratch/small.json" /dev/null
holds "no result" answers 2 'needs the result' "$trend"
suite_end
