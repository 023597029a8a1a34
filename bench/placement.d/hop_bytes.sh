#!/bin/bash
# Hop-bytes of the kernels on the two machines of Liu, Zhou and Guo (Topology-aware strategy for MPI-IO operations in clusters, section 5):
# a table. hop_bytes.sh [MACHINE KERNEL]: inspur or bluelight, cube or btio (default: all)
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
tool=$("$here/config/bench.sh" overlap-placement | tail -1)
topologies=$here/bench/placement.d/topologies
inspur=(--topology "$topologies/inspur.conf" --hosts 'n[01-80]' --bandwidth 5,2.5 --ranks-per-node 12)
bluelight=(--topology "$topologies/bluelight.conf" --hosts 'g[01-34]n[001-256]' --scatter 1 --bandwidth 5,1280 --ranks-per-node 16)

# row MACHINE KERNEL RANKS MAPPING DOMAINS PER_NODE [option...]
row() {
    local machine=$1 kernel=$2 ranks=$3 mapping=$4 domains=$5 per_node=$6
    shift 6
    local -n options=$machine
    "$tool" --csv "${options[@]}" --ranks "$ranks" --candidates 0 --aggregators-per-node "$per_node" "$@" "$kernel" |
        awk -F, -v head="$machine | $kernel, $ranks ranks | $mapping | $domains" '
            NR > 1 { hops[$1] = $6; time[$1] = $8; count = $4 }
            END {
                printf "| %s | %d | %.2f", head, count, hops["ompio"] / 1e9
                n = split("spread locality lap tapioca", s, " ")
                for (i = 1; i <= n; i++) printf " | %.4f", hops[s[i]] / hops["ompio"]
                printf " | %.3f | %.3f | %.3f |\n", time["ompio"], time["locality"], time["lap"]
            }'
}

echo "| machine | kernel | ranks | aggregators | domains | ompio, 1e9 hop-bytes | spread | locality | lap | tapioca | ompio s | locality s | lap s |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for machine in ${1:-inspur bluelight}; do
    for job in "cube 512" "btio 625"; do
        read -r kernel ranks <<<"$job"
        [ "$kernel" = "${2:-$kernel}" ] || continue
        for per_node in 1 2 4; do
            row $machine "$kernel" "$ranks" "node by node" "$per_node a node" "$per_node"
        done
        for per_node in 1 2 4; do
            row $machine "$kernel" "$ranks" "round-robin" "$per_node a node" "$per_node" --cyclic
        done
        row $machine "$kernel" "$ranks" "node by node" "8 in all" 1 --domains 8
    done
done
