#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/simulate: the same twice, figures that follow by hand, the engine's settings, and that nothing grows with the job but what has to.
# The last line is "N passed, N failed". No arguments.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
tool=$("$here/config/bench.sh" simulate | tail -1)
few=32,64,256 many=64,512,2048
[ "$level" != nightly ] || few=64,256,1024 many=256,4096,16384

# answers CODE PATTERN OPTION...: the exit code, and the pattern in the output.
answers() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 180 "$tool" "$@" >"$scratch/answer" 2>&1 || actual=$?
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] && grep -qE -- "$pattern" "$scratch/answer"
}

# simulated NAME OPTION...: leaves the figures in NAME.json.
simulated() {
    local name=$1
    shift
    timeout 180 "$tool" --json "$scratch/$name.json" "$@"
}
holds "version" answers 0 "^overlap $("$here/config/version.sh")\$" --version
holds "no pattern is refused" answers 2 '^simulate: .*subcommand.*; overlap simulate --help tells more$' --ranks 8
holds "a parameter that does not exist is refused" answers 2 "no NAME=VALUE" --ranks 8 --set slot=8 tile
holds "a value that does not exist is refused" answers 2 "no value of algorithm" --ranks 8 --set algorithm=fast tile
holds "a topology without the hosts is refused" answers 2 "." --ranks 8 --ranks-per-node 2 --set topology=slurm:/nowhere tile

tile=(--ranks $few --ranks-per-node 16 tile --tile-y 64)
holds "a tile" simulated tile "${tile[@]}"
holds "the same again" simulated again "${tile[@]}"
shuffled=(--ranks 32 --ranks-per-node 4 --set writes=collective)
slow=("${shuffled[@]}" --nic-rate 1e8 --gap 0 --storage-rate 1e12 ior --block 65536 --segments 8)
holds "a network that is slow" simulated network "${slow[@]}"
holds "storage that is slow" simulated storage "${shuffled[@]}" --storage-rate 1e8 ior --block 65536 --segments 8
holds "congestion" simulated congested --congestion 0.5 "${slow[@]}"
printf 'SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=top Switches=a,b\n' >"$scratch/tree.conf"
holds "uplinks that all share" simulated uplinks --hosts 'n[1-8]' --set "topology=$scratch/tree.conf" --set topology_bandwidths=1e8,2e7 "${slow[@]}"
holds "many ranks" simulated growth --ranks $many --set node_merge=off lists
holds "ranks that are merged" simulated merged --ranks 1024 --set node_merge=on --calls 3 lists
holds "lists with holes" simulated lists --ranks 64 --ranks-per-node 16 lists --columns 16 --holes 10
holds "a call for each variable" simulated flash --ranks 64 --ranks-per-node 16 --calls 4 flash --blocks 2
for algorithm in none comm write write-comm write-comm-2 dataflow; do
    holds "algorithm $algorithm" simulated "$algorithm" --ranks 32 --ranks-per-node 4 --set "algorithm=$algorithm" tile
done
for placement in ompio locality lap tapioca; do
    holds "placement $placement" simulated "$placement" --ranks 32 --ranks-per-node 4 --set "placement=$placement" tile
done
run_command 60 "what the figures have to be" python3 "$suite_dir/bench/simulate_check.py" "$scratch"
suite_end
