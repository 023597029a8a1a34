#!/bin/bash
# Placements where the network has a slow level: 4 emulated hosts of 2 ranks on two switches, whose uplinks have a quarter of a NIC's rate.
# Ranks go round the hosts, each writes one contiguous block of a file in memory. The time of a collective write, and the bytes that it
# sends over the uplinks. `spread` knows nothing of the switches; the others are given a topology.conf as Slurm has it.
#   bench/two_level.sh [4|5 [MBIT_OF_A_NIC [MIB_OF_A_RANK]]]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
version=${1:-5}
mbit=${2:-400}
mib=${3:-8}
repetitions=3
. "$here/bench/common/openmpi.sh"
take_openmpi "$version"
name=t$$
cluster=("$here/bench/cluster" --name $name)
work=$(mktemp -d /dev/shm/overlap-two-level.XXXXXX)
trap '"${cluster[@]}" down >/dev/null 2>&1; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"${cluster[@]}" up --hosts 4 --mbit "$mbit" --switches 2 --uplink-mbit $((mbit / 4)) >/dev/null
printf '%s\n' "SwitchName=s1 Nodes=overlap-$name-[1-2]" "SwitchName=s2 Nodes=overlap-$name-[3-4]" 'SwitchName=core Switches=s[1-2]' \
    >"$work/topology.conf"
topology=(--mca fcoll_overlap_topology "$work/topology.conf"
    --mca fcoll_overlap_topology_bandwidths "$((mbit * 125000)),$((mbit * 125000 / 4))")

# Bytes that have left the switches so far, acknowledgements and the job's own messages included.
over_uplinks() {
    local i sum=0
    for i in 1 2; do
        sum=$((sum + $(ip netns exec overlap-$name-fabric cat "/sys/class/net/up$i/statistics/tx_bytes")))
    done
    echo $sum
}

# once PLACEMENT ARGUMENT...: appends the seconds of each write, and the bytes over the uplinks of one.
once() {
    local placement=$1 before
    shift
    before=$(over_uplinks)
    timeout 200 "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- -n 8 --map-by node "${component[@]}" --mca io ompio --mca fcoll overlap \
        --mca fcoll_overlap_placement "$placement" "$@" "$bench" ior --block "${mib}m" --repetitions $repetitions --warm-ups 0 --verify \
        --file "$work/file" --json "$work/json" >"$work/output" 2>&1 || { cat "$work/output" >&2; exit 1; }
    echo $((($(over_uplinks) - before) / repetitions)) >>"$work/$placement.bytes"
    tr -d ' ,' <"$work/json" | awk -F: '/^"seconds"/ { print $2 }' >>"$work/$placement.seconds"
}

placements=(spread locality lap tapioca)
for _ in 1 2 3; do
    for placement in "${placements[@]}"; do
        if [ $placement = spread ]; then once spread; else once $placement "${topology[@]}"; fi
    done
done
echo "Open MPI $version, 4 hosts x 2 ranks round-robin, NICs of $mbit Mbit/s, uplinks of $((mbit / 4)), $mib MiB a rank, medians of 9 writes:"
for placement in "${placements[@]}"; do
    awk -v name="$placement" -v s="$(median "$work/$placement.seconds")" -v reference="$(median "$work/spread.seconds")" \
        -v bytes="$(median "$work/$placement.bytes")" \
        'BEGIN { printf "  %-10s %8.4f s  %5.2f times spread  %8.2f MB over the uplinks\n", name, s, reference / s, bytes / 1e6 }'
done
