#!/bin/bash
# Makes bench/timeline.d/example.svg, the picture in docs/guide/observe.rst: one collective write done by `none` and by `dataflow`, between four emulated hosts and onto
# an emulated storage server, as root.
#   bench/timeline.d/example.sh [OUT.svg]
# 32 MiB of four ranks, a rank a host, blocks of 64 KiB in turn; two aggregators of a collective buffer of 4 MiB; NICs of 800 Mbit/s and a
# storage server of two targets of 80 MB/s each. The file is there before, so that no write makes it longer.
# OVERLAP_BENCH names another program in the place of overlap-bench; with COMPONENT the component is taken from that folder.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$here/bench/timeline.d/example.svg}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
component=${COMPONENT:-$("$here/config/standalone.sh" compare | tail -1 | cut -d' ' -f2)/lib/openmpi}
path=$("$here/config/component-path.sh" "$component" mpicc.openmpi)
kernel=${OVERLAP_BENCH:-$("$here/config/bench.sh" overlap-bench mpicxx.openmpi | tail -1)}
work=$(mktemp -d "${TMPDIR:-/tmp}/overlap-timeline.XXXXXX")
cluster=("$here/bench/cluster" --name timeline)
clean() {
    "${cluster[@]}" down >/dev/null 2>&1 || true
    "$here/bench/storage" umount "$work/storage" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT TERM
mkdir "$work/storage"
"${cluster[@]}" up --hosts 4 --mbit 800 >/dev/null
"$here/bench/storage" mount "$work/storage" --mbps 160 --stripes 2 --stripe-size 1m >/dev/null

for algorithm in none dataflow; do
    timeout 300 "${cluster[@]}" run --mpirun "$(command -v mpirun.openmpi)" -- --mca mca_base_component_path "$path" \
        --mca io ompio --mca fcoll overlap --mca fcoll_overlap_algorithm $algorithm --mca fcoll_overlap_slots 4 \
        --mca io_ompio_num_aggregators 2 --mca io_ompio_bytes_per_agg $((4 << 20)) --mca fcoll_overlap_trace "$work/$algorithm.json" \
        "$kernel" ior --block 64k --segments 128 --view --keep-file --repetitions 1 --file "$work/storage/file" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
done
if [ -n "${KEEP:-}" ]; then cp "$work"/*.json "$KEEP/"; fi
"$here/bench/timeline" "$work/none.json" "$work/dataflow.json" --output "$out"
echo "$out"
