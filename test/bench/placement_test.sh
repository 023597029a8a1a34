#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/overlap-placement: its table, CSV and picture agree with each other, its figures with sums done by hand, and wrong input is refused
# with the place of the mistake. The last line is "N passed, N failed". No arguments.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
tool=$("$here/config/bench.sh" overlap-placement | tail -1)
topologies=$here/bench/placement.d/topologies

# answers CODE PATTERN OPTION...: the exit code, and the pattern in the output.
answers() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 180 "$tool" "$@" >"$scratch/answer" 2>&1 || actual=$?
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] && grep -qE -- "$pattern" "$scratch/answer"
}

# csv STRATEGY COLUMN OPTION...: one value.
csv() {
    local strategy=$1 column=$2
    shift 2
    timeout 180 "$tool" --csv "$@" |
        awk -F, -v s="$strategy" -v c="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i } $1 == s { print $at }'
}
equals() { echo "$1, expected $2" && [ "$1" = "$2" ]; }
# ordered VALUE...: none is larger than the next.
ordered() { echo "$*" && printf '%s\n' "$@" | sort -cg; }

cat >"$scratch/tree.conf" <<'END'
SwitchName=a Nodes=n[1-2]
SwitchName=b Nodes=n[3-4]
SwitchName=top Switches=a,b
END
# Domain 0 belongs to n3 and n4, but the rank with the most bytes is on n1.
printf '0 0 40\n2 0 35\n3 0 30\n1 1 8\n' >"$scratch/matrix"
job=(--topology "$scratch/tree.conf" --hosts 'n[1-4]' --ranks 4)

holds "version" answers 0 "^overlap $("$here/config/version.sh")\$" --version
holds "hop-bytes of lap" equals "$(csv lap hop_bytes "${job[@]}" matrix "$scratch/matrix")" 220
holds "hop-bytes of locality" equals "$(csv locality hop_bytes "${job[@]}" matrix "$scratch/matrix")" 260
holds "largest load" equals "$(csv locality largest_load_bytes "${job[@]}" matrix "$scratch/matrix")" 65
holds "predicted time" equals "$(csv locality predicted_seconds --latency 1e6 --bandwidth 1e-9,0.5e-9 "${job[@]}" matrix "$scratch/matrix")" 134
holds "placement" answers 0 '^lap: domain 0 rank 2 on n3$' --placement "${job[@]}" matrix "$scratch/matrix"
# Of two domains with stripes of 1 MiB each rank's block of 2 MiB lies half in each.
holds "static partition" equals "$(csv locality hop_bytes --ranks 2 --domains 2 --static ior --block 2m)" 4194304
holds "table" answers 0 '^tapioca +0\.000' "${job[@]}" matrix "$scratch/matrix"
machines=("inspur.conf n[01-80] 4 64 cube")
[ "$level" != nightly ] || machines=("inspur.conf n[01-80] 12 512 cube" "inspur.conf n[01-80] 12 625 btio"
    "bluelight.conf g[01-34]n[001-256] 16 512 cube" "bluelight.conf g[01-34]n[001-256] 16 625 btio")
for machine in "${machines[@]}"; do
    read -r file hosts each ranks kernel <<<"$machine"
    values=()
    for strategy in lap locality ompio; do
        values+=("$(csv $strategy hop_bytes --topology "$topologies/$file" --hosts "$hosts" --ranks "$ranks" --ranks-per-node "$each" \
            --candidates 0 "$kernel")")
    done
    holds "lap <= locality <= ompio: $kernel on $file" ordered "${values[@]}"
done

holds "picture" answers 0 '' --svg "$scratch/tree.svg" "${job[@]}" matrix "$scratch/matrix"
holds "picture shows two aggregators" equals "$(grep -c '#e80' "$scratch/tree.svg")" 2
holds "picture ends" equals "$(tail -1 "$scratch/tree.svg")" "</svg>"

holds "missing host" answers 2 'tree.conf: host n5 is missing' --topology "$scratch/tree.conf" --hosts 'n[4-5]' --ranks 2 ior
printf 'SwitchName=a Nodes=n[1-2\n' >"$scratch/broken.conf"
holds "broken topology" answers 2 'broken.conf:1: .* is no list of' --topology "$scratch/broken.conf" --hosts n1 --ranks 1 ior
printf '0 0 1\n9 0 1\n' >"$scratch/broken"
holds "broken matrix" answers 2 'broken:2: RANK DOMAIN BYTES' --ranks 4 matrix "$scratch/broken"
holds "ranks that do not fit" answers 2 'square number of ranks' --ranks 8 btio
holds "a rank that is not there" answers 2 'rank 8, which there is not' --ranks 8 --allowed 8 ior
holds "an option that is not there" answers 2 '^placement: .*--nonsense; overlap placement --help tells more$' --ranks 8 --nonsense ior
suite_end
