#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# overlap-bench with its buffers on a device: on a GPU where there is one that this Open MPI knows, and everywhere on a stand-in for one, whose
# memory the CPU may not touch. Arguments: see ../mpi_suite.sh. The last line is "N passed, N failed, N skipped".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full

if ! bench=$("$suite_dir/../config/bench.sh" overlap-bench "$mpicxx" | tail -1); then
    echo "0 passed, 1 failed"
    exit 1
fi

# job RANKS COMMAND... -- ARGUMENT...: the command runs mpirun with the kernel, its buffers on the device.
job() {
    local ranks=$1 before=()
    shift
    while [ "$1" != -- ]; do before+=("$1") && shift; done
    shift
    timeout -k 10 120 "${before[@]}" "$mpirun" --oversubscribe -n "$ranks" "${arguments[@]}" "$bench" "$@" --file "$data/device" --device </dev/null
}

# what is printed of the job has the pattern as well; with 5.x mpirun puts a null byte behind messages.
says() {
    local code=$1 pattern=$2 actual=0
    shift 2
    job "$@" >"$scratch/answer" 2>&1 || actual=$?
    cat "$scratch/answer"
    echo "exit code $actual, expected $code and \"$pattern\""
    [ $actual = "$code" ] && grep -aqE -- "$pattern" "$scratch/answer"
}

# All bytes are right, and Open MPI has asked for copies.
copied() { says 0 'every byte is right' "$@" && grep -aqE 'stand-in: [1-9][0-9]* copies' "$scratch/answer"; }

# each_kernel WORD CHECK... : every kernel, by a schedule of each kind, and how each is looked at.
each_kernel() {
    local word=$1 kernel schedule each plain=("${arguments[@]}")
    shift
    while read -r schedule kernel; do
        for each in none write-comm dataflow; do
            [ "$full" = full ] || [ $each = "$schedule" ] || continue
            arguments=("${plain[@]}" --mca fcoll_overlap_algorithm $each)
            # shellcheck disable=SC2086
            holds "$kernel from $word, $each" "$@" -- $kernel --repetitions 1 --warm-ups 0 --checkpoints 2 --verify
        done
    done <<END
none tile --element 256 --tiles 4 1 --tile-y 512
write-comm tile --element 64k --tiles 2 2 --tile-y 8 --read
dataflow lattice --part 3 4 5 6 --memory-gap 16 --memory-piece 100
write-comm lists --grid 5x200 --deal random --variables 3 --memory scattered --read
dataflow flash --variables 3 --blocks 2 --nonblocking --compute 0.002 --compute-by sleep
END
    arguments=("${plain[@]}")
}

# What the makers' libraries take as an order to find none.
hidden=(env CUDA_VISIBLE_DEVICES=-1 HIP_VISIBLE_DEVICES=-1)
holds "without a GPU it says so" says 77 'overlap-bench: no GPU: libcuda\.so\.1.*; libamdhip64\.so' 2 "${hidden[@]}" -- ior --block 1k
holds "once" is "$(grep -ac 'no GPU' "$scratch/answer")" 1

if [ "$version" -lt 5 ]; then
    skip "device memory: Open MPI 4.1 knows none"
    suite_end
    exit $?
fi

known=$("$(dirname "$(command -v "$mpirun")")/ompi_info" --parsable | sed -n 's/^mca:accelerator:\([a-z_]*\):version.*/\1/p' | grep -v '^null$' | sort -u | paste -sd' ')
if [ -z "$known" ]; then
    skip "a GPU: this Open MPI was built without CUDA and ROCm"
elif ! job 1 -- ior --block 1k --repetitions 1 >"$scratch/answer" 2>&1 && grep -aq 'no GPU' "$scratch/answer"; then
    skip "$(grep -ao 'no GPU.*' "$scratch/answer")"
else
    each_kernel "the GPU" says 0 'every byte is right' 4
fi

internal_headers
mkdir "$scratch/cuda" "$scratch/hip"
if ! "$mpicc" -O1 -Wall -Wextra "${internals[@]}" -I"$suite_dir/functional" -shared -fPIC -o "$scratch/cuda/libcuda.so.1" \
    "$suite_dir/bench/stand_in_gpu.c" "$suite_dir/functional/fake_device.c" -lopen-pal; then
    holds "the stand-in compiles" false
    suite_end
    exit $?
fi
stand_in() { echo "LD_LIBRARY_PATH=$scratch/$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; }
cuda=(env "$(stand_in cuda)")
each_kernel "a stand-in" copied 4 "${cuda[@]}"
cp "$scratch/cuda/libcuda.so.1" "$scratch/hip/libamdhip64.so"
holds "by HIP" copied 3 env "$(stand_in hip)" -- hpio --region-count 300 --memory-gap 8 --repetitions 1 --verify
holds "and says by what" grep -aq 'mpiio from a device (libamdhip64.so)' "$scratch/answer"
holds "where one rank has none all end" says 77 'no GPU: another rank finds none' 3 "${cuda[@]}" STAND_IN_LACKS=2 -- ior --block 1k
(ulimit -c 0 && job 2 "${cuda[@]}" -- ior --block 64m --repetitions 1 >"$scratch/answer" 2>&1)
holds "memory that the device has not" grep -aq 'libcuda.so.1 has no 67108864 bytes on the device' "$scratch/answer"
suite_end
