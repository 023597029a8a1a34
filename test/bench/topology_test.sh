#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# overlap placement hops: the matrices it writes, which the component's reader has to take for the same distances, and the place of each mistake in its
# input. The last line is "N passed, N failed". No arguments.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
tool=("$here/bench/placement" hops)
placement=$("$here/config/bench.sh" overlap-placement | tail -1)

# answers CODE PATTERN OPTION...: the exit code, and the pattern in the output.
answers() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 300 "${tool[@]}" "$@" >"$scratch/answer" 2>&1 || actual=$?
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] && grep -qE -- "$pattern" "$scratch/answer"
}

# writes FILE EXPECTED OPTION...: the lines without comments.
writes() {
    local file=$1 expected=$2
    shift 2
    timeout 300 "${tool[@]}" "$@" >"$file" && diff <(grep -v '^#' "$file") - <<<"$expected"
}

# alike TOPOLOGY TOPOLOGY OPTION...: every placement, and its hop-bytes, are the same on both networks.
alike() {
    local topology each=()
    for topology in "$1" "$2"; do
        each+=("$(timeout 300 "$placement" --csv --placement --topology "$topology" "${@:3}" | cut -d, -f1-6)")
    done
    echo "${each[0]}"
    [ -n "${each[0]}" ] && [ "${each[0]}" = "${each[1]}" ]
}

# Two leaf switches, two cables from each to the spine; n2 has an adapter at either leaf.
cat >"$scratch/fabric" <<'END'
vendid=0x2c9
Switch	36 "S-a"		# "leaf A" enhanced port 0 lid 1 lmc 0
[1]	"H-1"[1](1) 		# "n1 HCA-1" lid 11 4xQDR
[2]	"H-2"[1](2) 		# "n2 HCA-1" lid 12 4xQDR
[19]	"S-c"[1]		# "spine" lid 3 4xSDR
[20]	"S-c"[2]		# "spine" lid 3 4xSDR

Switch	36 "S-b"		# "leaf B" enhanced port 0 lid 2 lmc 0
[1]	"H-3"[1](3) 		# "n3 HCA-1" lid 13 4xQDR
[2]	"H-4"[1](4) 		# "n2 HCA-2" lid 14 4xQDR
[19]	"S-c"[3]		# "spine" lid 3 4xSDR

Switch	36 "S-c"		# "spine" enhanced port 0 lid 3 lmc 0

Ca	1 "H-1"		# "n1 HCA-1"
Ca	1 "H-2"		# "n2 HCA-1"
Ca	1 "H-3"		# "n3 HCA-1"
Ca	1 "H-4"		# "n2 HCA-2"
END

holds "version" answers 0 "^overlap $("$here/config/version.sh")\$" --version
holds "a ring" writes "$scratch/ring" $'0 3 4 3\n3 0 3 4\n4 3 0 3\n3 4 3 0' torus 4
holds "names" writes "$scratch/named" $'a1 0 3 3\na2 3 0 4\nb 3 4 0' torus 2x2 --hosts 'a[1-2],b'
holds "a fabric" writes "$scratch/hops" $'n1 0 2 4\nn2 2 0 2\nn3 4 2 0' ibnetdiscover "$scratch/fabric"
holds "its slowest links of each level" grep -qx '# fcoll_overlap_topology_bandwidths 4000000000,1000000000' "$scratch/hops"
holds "some of its hosts" writes "$scratch/some" $'n3 0 4\nn1 4 0' ibnetdiscover "$scratch/fabric" --hosts n3,n1
holds "a torus to write" eval 'timeout 300 "${tool[@]}" torus 4x3x2 >"$scratch/torus"'
holds "a torus is read" alike torus:4x3x2 "matrix:$scratch/torus" --ranks 40 --ranks-per-node 2 --bandwidth 4,1 cube --points 60
holds "a fabric is read" alike "$scratch/fabric" "$scratch/hops" --hosts 'n[1-3]' --ranks 9 --ranks-per-node 3 --bandwidth 4,1 btio --points 60
holds "sizes of no torus" answers 2 'torus:4x0: sizes such as 4x4x2' torus 4x0
holds "more hosts than places" answers 2 'torus:2: it has 2 places for 3 nodes' torus 2 --hosts 'n[1-3]'
holds "a torus that is too large" answers 2 'more than 16384 nodes' torus 129x128
holds "hosts that are none" answers 2 'is no list of .* hosts' torus 2 --hosts 'n[1'
holds "a host that is a number" answers 2 'the matrix' torus 2 --hosts 1,2
holds "no such file" answers 2 "cannot read $scratch/nowhere" ibnetdiscover "$scratch/nowhere"
sed 's/"H-3"\[1\]/"H-9"[1]/' "$scratch/fabric" >"$scratch/broken"
holds "a cable to nowhere" answers 2 'broken:9: "H-9" is described nowhere' ibnetdiscover "$scratch/broken"
holds "no fabric" answers 2 'hops: there is neither a Switch nor a Ca in it' ibnetdiscover "$scratch/hops"
holds "a host that is not there" answers 2 'fabric: host n4 is missing' ibnetdiscover "$scratch/fabric" --hosts n4
holds "nothing to do" answers 2 '^hops: .*subcommand.*; overlap placement --help tells more$'
suite_end
