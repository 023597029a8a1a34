#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/kernels: every pattern is written right by every contender, a wrong byte is found, the JSON says what was done.
# Arguments: see ../mpi_suite.sh; LEVEL=nightly and --full try each kernel with each contender, direction and kind of calls. The last line is
# "N passed, N failed, N skipped".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
overlap=("${arguments[@]}")
romio=romio321
[ "$version" = 4 ] || romio=romio341
file=$data/kernels

if ! bench=$("$suite_dir/../config/bench.sh" overlap-bench "$mpicxx" | tail -1); then
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
fi

# bench_run RANKS MCA... -- ARGUMENT...: its output in $scratch/answer.
bench_run() {
    local ranks=$1 mca=()
    shift
    while [ "$1" != -- ]; do mca+=("$1") && shift; done
    shift
    timeout -k 10 120 "$mpirun" --oversubscribe -n "$ranks" "${mca[@]}" "$bench" "$@" --file "$file" \
        </dev/null >"$scratch/answer" 2>&1
}

# writes NAME CODE PATTERN RANKS MCA... -- ARGUMENT...
writes() {
    local name=$1 code=$2 pattern=$3 actual=0
    shift 3
    bench_run "$@" || actual=$?
    if [ $actual = "$code" ] && grep -aqE -- "$pattern" "$scratch/answer"; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name: exit code $actual, expected $code and \"$pattern\": $*"
        tail -20 "$scratch/answer"
    fi
}

holds "version" is "$(timeout 60 "$mpirun" -n 1 "$bench" --version)" "overlap $("$suite_dir/../config/version.sh")"

every=(--verify --repetitions 1 --warm-ups 0 --checkpoints 2)
nonblocking=(--nonblocking --compute 0.002 --compute-by sleep)
# Contender, direction and kind of calls in turn with overlap alone, or all of them.
ways=("overlap" "overlap --read" "overlap ${nonblocking[*]}" "overlap --read ${nonblocking[*]}")
if [ "$full" = full ]; then ways+=(vulcan romio); fi
turn=0
while read -r ranks kernel; do
    chosen=("${ways[@]}")
    [ "$full" = full ] || chosen=("${ways[turn++ % 4]}")
    for way in "${chosen[@]}"; do
        read -r contender way <<<"$way"
        case $contender in
        overlap) mca=("${overlap[@]}") ;;
        vulcan) mca=(--mca io ompio --mca fcoll vulcan) ;;
        romio) mca=(--mca io $romio) ;;
        esac
        # shellcheck disable=SC2086
        writes "$contender $way: $kernel, $ranks ranks" 0 'every byte is right' "$ranks" "${mca[@]}" -- $kernel "${every[@]}" $way
    done
done <<END
3 ior --block 256k --transfer 64k --segments 2
4 ior --block 64k --segments 9 --view
6 tile --element 64k --tile-x 2 --tile-y 3 --tiles 3 2
4 flash --variables 3 --blocks 2
3 hpio --region-count 300 --memory-gap 8
3 hacc --particles 5001 --layout soa
4 btio --points 9
4 cube --part 17 11 13
4 lattice --part 3 4 5 6 --memory-gap 16 --memory-piece 100
4 lists --grid 5x200 --deal random --variables 2 --element-bytes 4 --memory-gap 4
4 lists --grid 5x200 --deal random --variables 3 --memory scattered
END
writes "two communicators, a file each" 0 'every byte is right' 4 "${overlap[@]}" -- tile --element 1k --tile-y 30 --groups 2 --verify --repetitions 1
writes "ranks that read what rank 0 has written" 0 'every byte is right' 4 "${overlap[@]}" -- ior --block 64k --read --common 3 --verify --repetitions 2
writes "groups of different size are refused" 2 'no multiple of --groups' 3 "${overlap[@]}" -- ior --block 64k --groups 2
writes "into the file that is there" 0 'every byte is right' 4 "${overlap[@]}" -- cube --part 17 11 13 --verify --repetitions 2 --keep-file --sync
# vulcan and ROMIO write into gaps of a fresh file.
writes "overlap: lists with holes in file and memory" 0 'every byte is right' 4 "${overlap[@]}" -- lists --grid 5x200 --deal random --holes 40 \
    --variables 2 --memory scattered "${every[@]}"
# One column: two of the ranks have nothing.
writes "overlap: a scattered memory of nothing" 0 'every byte is right' 3 "${overlap[@]}" -- lists --grid 9x1 --memory scattered "${every[@]}"
writes "scattered memory has no gaps but those of the file" 2 'memory-gap goes with contiguous memory' 2 -- lists --memory scattered \
    --memory-gap 4
# A decomposition as PIO writes it: positions in any order, 0 for none, more ranks than the job has, and a trace of the stack at its end.
cat >"$scratch/decomposition.dat" <<END
version 2001 npes 4 ndims 2 
5 4 
0 6
1 3 5 7 9 0 
1 5
2 4 6 8 10 
2 5
20 19 18 17 16 
3 0

Obtained 10 stack frames.
END
writes "a decomposition of PIO" 0 'every byte is right' 3 "${overlap[@]}" -- lists --decomposition "$scratch/decomposition.dat" --variables 5 "${every[@]}"
writes "has the ranks that it says" 2 'is for 4 ranks, fewer than' 5 -- lists --decomposition "$scratch/decomposition.dat"
writes "a file that is none" 2 'is no decomposition of PIO' 2 -- lists --decomposition "$0"

while read -r ranks kernel; do
    # shellcheck disable=SC2086
    writes "alltoallv: $kernel, $ranks ranks" 0 'every byte is right' "$ranks" -- $kernel "${every[@]}" --method alltoallv
    # shellcheck disable=SC2086
    writes "only-write: $kernel, $ranks ranks" 0 'not verified' "$ranks" -- $kernel "${every[@]}" --only-write
done <<END
4 lists --grid 5x200 --deal random --variables 3 --memory scattered
END
writes "overlap: declared variables" 0 'every byte is right' 4 "${overlap[@]}" -- flash --variables 6 --blocks 2 "${every[@]}" --declare --sync
writes "overlap: declared members of records" 0 'every byte is right' 4 "${overlap[@]}" -- hacc --layout soa --particles 500 "${every[@]}" --declare
if [[ $(ldd "$bench") == *libhdf5* ]]; then
    writes "overlap: flash through HDF5" 0 'every byte is right' 4 "${overlap[@]}" -- flash --variables 3 --blocks 2 "${every[@]}" --method hdf5
    writes "a report by a hint of HDF5's property list" 0 'writes: 3 ' 4 "${overlap[@]}" -- flash --variables 3 --blocks 2 --verify \
        --repetitions 1 --warm-ups 0 --method hdf5 --hint fcoll_overlap_report=text
else
    skip "flash through HDF5: no HDF5 for this Open MPI"
    writes "without HDF5 it says so" 2 'without parallel HDF5' 2 -- flash --method hdf5
fi
writes "without GIO it says how to get it" 2 'built without GIO: config/bench.sh' 2 -- tile --method gio

# What has to be found.
leave=(--repetitions 1 --warm-ups 0 --leave-file)
hpio=(hpio --region-count 300)
bench_run 4 "${overlap[@]}" -- "${hpio[@]}" "${leave[@]}"
cp "$file" "$scratch/right"
# One in a gap (behind 488 bytes of 744), the last one.
for offset in $((744 * 70 + 500)) $((744 * 1199 + 487)); do
    cp "$scratch/right" "$file"
    byte=$(od -An -tu1 -j$offset -N1 "$file")
    printf "%b" "\\$(printf %03o $(((byte + 1) % 256)))" | dd of="$file" bs=1 seek=$offset conv=notrunc status=none
    writes "a wrong byte at $offset is found" 1 "wrong byte at offset $offset:" 4 -- "${hpio[@]}" --verify-only --leave-file
done
truncate -s -1 "$scratch/right"
cp "$scratch/right" "$file"
writes "a missing byte is found" 1 'bytes, expected' 4 -- "${hpio[@]}" --verify-only
rm -f "$file"


# What cannot be done is said, by rank 0 alone, and all ranks end.
file=$data/no/such/folder
writes "a folder that is not there" 1 'overlap-bench: rank [0-9]+: .*NO_SUCH_FILE' 2 "${overlap[@]}" -- cube --part 8 8 8
file=$data/kernels
writes "btio with 3 ranks" 2 'needs a square number of ranks, not 3' 3 -- btio
writes "an option that is not there" 2 'not expected' 2 -- ior --blocks 3

writes "a run with JSON" 0 'median' 3 "${overlap[@]}" --mca fcoll_overlap_algorithm comm -- ior --block 10k --segments 2 --checkpoints 3 \
    --repetitions 4 --hint cb_nodes=2 --verify --json "$scratch/json" --progress
if [ -e "$file" ]; then failed=$((failed + 1)) && echo "FAIL the file is still there"; fi
for expected in '"kernel": "ior"' '"block": 10240' '"ranks": 3' "\"bytes\": $((10240 * 2 * 3 * 3))" '"calls": 6' '"verified": true' \
    '"fcoll_overlap_algorithm": "comm"' '"cb_nodes=2"' '"mpi": "Open MPI v'"$version" '"cores":' '"file_system":' '"peak_memory": [1-9]'; do
    if grep -q -- "$expected" "$scratch/json"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL the JSON lacks $expected"
    fi
done
if [ "$(grep -c '"seconds"' "$scratch/json")" = 4 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAIL not all times are in the JSON"; fi

# parts EXPRESSION...: whether all hold of the repetition in the JSON, in perl: $w blocking, $c compute, $t both, $s start, $p of all.
# shellcheck disable=SC2016
parts() {
    local expression
    for expression; do
        if perl -MJSON::PP -e 'local $/; open F, "<", shift; my $j = decode_json(<F>); my $r = $j->{repetitions}[0]; my $p = $r->{nonblocking};
            my ($w, $c, $t, $s) = (@$p{qw(blocking compute)}, $r->{seconds}, $p->{start}); exit !eval(shift)' "$scratch/json" "$expression"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL the JSON of nonblocking calls: not $expression:" && grep -A6 '"nonblocking"' "$scratch/json"
        fi
    done
}

# Ten variables in ten calls.
flash=(flash --variables 10 --blocks 2)
one=(--verify --repetitions 1 --json "$scratch/json")
writes "ten calls and a computation" 0 '^ +median( +-?[0-9.]+){7}$' 4 "${overlap[@]}" -- "${flash[@]}" "${one[@]}" --nonblocking
# shellcheck disable=SC2016
parts 'abs($p->{hidden} - ($w + $c - $t) / ($w < $c ? $w : $c)) < 1e-6' 'abs($p->{start_share} - $s / $w) < 1e-6' '$s > 0 && $s < $t' \
    '$w > 0 && $c > 0' '$j->{verified}' '$j->{calls} == 10' '$j->{nonblocking}{compute_by} eq "spin"' '$j->{nonblocking}{test_every} == 0.0005'
writes "into the file that is there, without tests" 0 'every byte is right' 4 "${overlap[@]}" -- "${flash[@]}" "${one[@]}" \
    --nonblocking --keep-file --test-every 0 --checkpoints 2 --compute 0.1 --compute-by sleep
# shellcheck disable=SC2016
parts '$c >= 0.2' '$t >= 0.2' '$p->{tests} == 0' '$j->{nonblocking}{compute_by} eq "sleep"' '@{$r->{calls}} == 2'
writes "other methods have no nonblocking calls" 2 'mpiio: alltoallv has no' 2 -- "${flash[@]}" --nonblocking --method alltoallv
file=$data/no/such/folder
writes "a folder that is not there, nonblocking" 1 'overlap-bench: rank [0-9]+: .*NO_SUCH_FILE' 2 "${overlap[@]}" -- "${flash[@]}" --nonblocking
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
