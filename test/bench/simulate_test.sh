#!/bin/bash
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
# says NAME EXPRESSION: python's answer to what it says of the jobs of NAME.json (j), and of the phases of the first and the last.
says() {
    python3 - "$scratch/$1.json" "$2" <<'END'
import json, sys
j = json.load(open(sys.argv[1]))["jobs"]
first, last = j[0], j[-1]
holds = eval(sys.argv[2])
print(sys.argv[2], ":", holds)
sys.exit(0 if holds is True else 1)
END
}
same() { python3 - "$scratch/$1.json" "$scratch/$2.json" <<'END'
import json, sys
def of(path):
    figures = json.load(open(path))
    for job in figures["jobs"]:
        del job["simulation_s"]
        for phase in ("open", "first", "repeated", "close"):
            del job[phase]["processor_us"]
    return figures
sys.exit(0 if of(sys.argv[1]) == of(sys.argv[2]) else 1)
END
}

holds "version" answers 0 "^overlap $("$here/config/version.sh")\$" --version
holds "no pattern is refused" answers 2 "subcommand" --ranks 8
holds "a parameter that does not exist is refused" answers 2 "no NAME=VALUE" --ranks 8 --set slot=8 tile
holds "a value that does not exist is refused" answers 2 "no value of algorithm" --ranks 8 --set algorithm=fast tile
holds "a topology without the hosts is refused" answers 2 "." --ranks 8 --ranks-per-node 2 --set topology=slurm:/nowhere tile

tile=(--ranks $few --ranks-per-node 16 tile --tile-y 64)
holds "a tile" simulated tile "${tile[@]}"
holds "the same again" simulated again "${tile[@]}"
holds "each run gives the same figures" same tile again
holds "one aggregator a node" says tile '[job["aggregators"] for job in j] == [job["ranks"] // 16 for job in j]'
holds "a repeated call sends no descriptions" says tile 'last["repeated"]["description_bytes_sent"]["most"] == 0'
holds "a repeated call has two agreements" says tile 'last["repeated"]["collectives"]["most"] == 2'
holds "a repeated call takes no memory that grows" says tile \
    'last["repeated"]["memory"]["most_of_others"] <= 1.1 * first["repeated"]["memory"]["most_of_others"] + 16 * 64'
holds "who only sends sends as many messages in a larger job" says tile \
    'last["first"]["messages_sent"]["most_of_others"] <= 2 * first["first"]["messages_sent"]["most_of_others"]'

# 64 KiB of each of 32 ranks on 8 nodes: every NIC moves 7 of 8 parts of 4 ranks' bytes out, and as many in.
slow=(--ranks 32 --ranks-per-node 4 --nic-rate 1e8 --gap 0 --storage-rate 1e12 ior --block 65536 --segments 8)
holds "a network that is slow" simulated network "${slow[@]}"
holds "the busiest NIC moves what is not its own" says network 'abs(first["busiest_nic_s"] - 2 * 7 / 8 * 4 * 8 * 65536 / 1e8) < 0.1 * first["busiest_nic_s"]'
holds "a call takes as long as its NICs at least" says network 'first["repeated"]["seconds"] * 2 >= first["busiest_nic_s"] * 0.95'
holds "storage that is slow" simulated storage --ranks 32 --ranks-per-node 4 --storage-rate 1e8 ior --block 65536 --segments 8
holds "a call takes as long as the bytes of all on the targets" says storage \
    'first["repeated"]["seconds"] >= 0.99 * 32 * 8 * 65536 / 1e8'
holds "congestion makes it slower" simulated congested --congestion 0.5 "${slow[@]}"
holds "and only that" python3 -c "
import json
of = lambda name: json.load(open('$scratch/' + name + '.json'))['jobs'][0]['repeated']['seconds']
exit(0 if of('congested') > 1.2 * of('network') else 1)"

printf 'SwitchName=a Nodes=n[1-4]\nSwitchName=b Nodes=n[5-8]\nSwitchName=top Switches=a,b\n' >"$scratch/tree.conf"
holds "uplinks that all share" simulated uplinks --hosts 'n[1-8]' --set "topology=$scratch/tree.conf" --set topology_bandwidths=1e8,2e7 "${slow[@]}"
holds "are what a call waits for" python3 -c "
import json
of = lambda name: json.load(open('$scratch/' + name + '.json'))['jobs'][0]['repeated']['seconds']
exit(0 if of('uplinks') > 5 * of('network') else 1)"

# What the README of the component says of memory and messages, for P ranks and as many aggregators as there are: 8 bytes of a rank while a plan is made,
# of each aggregator what a domain takes.
holds "thousands of ranks" simulated growth --ranks $many --set node_merge=off lists
growth='(last["ranks"] - first["ranks"], last["aggregators"] - first["aggregators"])'
holds "who only sends takes 8 bytes a rank at most for a plan" says growth \
    "(lambda ranks, aggregators: last['first']['memory']['most_of_others'] - first['first']['memory']['most_of_others'] <= 8 * ranks + 512 * aggregators)(*$growth)"
holds "and 4 for what repeats it" says growth \
    "(lambda ranks, aggregators: last['repeated']['memory']['most_of_others'] - first['repeated']['memory']['most_of_others'] <= 4 * ranks + 512 * aggregators)(*$growth)"
holds "it sends a letter and the data to each aggregator at most" says growth \
    'all(job["first"]["messages_sent"]["most"] <= 2 * job["aggregators"] for job in j)'
holds "an aggregator hears each rank so often at most" says growth \
    'all(job["first"]["messages_received"]["most"] <= 2 * (job["ranks"] - 1) for job in j)'
holds "and has no more under way than the throttle and its own sends" says growth \
    'all(job["repeated"]["requests"]["most"] <= 64 + job["aggregators"] for job in j)'

holds "ranks that are merged" simulated merged --ranks 1024 --set node_merge=on --calls 3 lists
holds "an aggregator hears a node and not its ranks" says merged \
    'first["first"]["messages_received"]["most"] < 128 and first["repeated"]["messages_received"]["most"] < 128'

holds "lists with holes" simulated lists --ranks 64 --ranks-per-node 16 lists --columns 16 --holes 10
holds "which leave gaps" says lists 'last["repeated"]["extents"]["most"] > 8'
holds "a call for each variable" simulated flash --ranks 64 --ranks-per-node 16 --calls 4 flash --blocks 2
for algorithm in none comm write write-comm write-comm-2 dataflow; do
    holds "algorithm $algorithm" simulated "$algorithm" --ranks 32 --ranks-per-node 4 --set "algorithm=$algorithm" tile
done
holds "a schedule that overlaps is faster" python3 -c "
import json
of = lambda name: json.load(open('$scratch/' + name + '.json'))['jobs'][0]['repeated']['seconds']
exit(0 if of('dataflow') <= of('none') else 1)"
for placement in ompio locality lap tapioca; do
    holds "placement $placement" simulated "$placement" --ranks 32 --ranks-per-node 4 --set "placement=$placement" tile
done
suite_end
