#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Writes that fail, and calls that fail in the midst of one, under mpirun; arguments: see ../mpi_suite.sh. A sample has each setting once,
# LEVEL=nightly and --full the full product, and more calls that fail.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full

# scenarios RANKS NAME[,NAME...] FOLDER [CHOICE]: each setting with some other ones, unless CHOICE says more.
scenarios() {
    local choice=${4:-each}
    from all || choice=each
    [ "$full" != full ] || choice=full
    run_case "$1" 600 fault "$2" "$3" $choice
}

if suite_build fault "$suite_dir/fault/fault.cc" "$suite_dir/fault/storage_fault.cc" "$suite_dir/functional/harness.cc" \
    "$suite_dir/functional/pairwise.cc"; then
    # On a disk, which takes direct writes.
    mkdir "$scratch/disk"
    scenarios 4 size-limit "$scratch/disk" pairs
    scenarios 3 pending "$data"
    scenarios 4 closed-descriptor,read-closed-descriptor "$data" pairs
    if from all; then
        for ranks in 1 5; do scenarios $ranks size-limit,closed-descriptor,read-closed-descriptor "$data"; done
    fi
    mkdir "$scratch/full"
    if mount -t tmpfs -o size=3m overlap-test "$scratch/full" 2>/dev/null; then
        mounted=$scratch/full
        scenarios 4 full-disk "$scratch/full"
    else
        skip "full-disk: a small tmpfs can only be mounted as root"
    fi
    # Stripes dealt in turn, of one block: what is on file is no interval of the file.
    if [ -n "${mounted:-}" ] && from all; then
        plain=("${arguments[@]}")
        arguments=("${plain[@]}" --mca fcoll_overlap_partition static)
        export TEST_STRIPING_UNIT=1
        scenarios 7 full-disk,size-limit "$scratch/full"
        unset TEST_STRIPING_UNIT
        arguments=("${plain[@]}")
    fi
    if from all && mount_storage "$scratch/server"; then scenarios 4 storage-full,storage-error,storage-short,storage-stall "$scratch/server"; fi
fi
if suite_build calls_fault -Wl,--export-dynamic "$suite_dir/fault/calls_fault.cc" "$suite_dir/fault/failing_calls.cc" \
    "$suite_dir/functional/harness.cc"; then
    cases=12
    from all || cases=4
    [ "$full" != full ] || cases=1000000
    shuffles=two-sided,put-fence,put-lock
    run_case 3 600 calls_fault "$data" datatype,start,memory $shuffles small $((cases * 2))
    run_case 3 600 calls_fault "$data" datatype $shuffles large $((cases / 2))
    run_case 3 600 calls_fault "$data" datatype,start,memory two-sided small $cases nonblocking
    # A message by each way that drops its bytes where there is no room for them.
    plain=("${arguments[@]}")
    # The loopback, as an Open MPI that asks the kernel for routes, like Debian 13's, finds none from another interface to itself.
    ways=('--mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include lo')
    if OMPI_MCA_osc=ucx "$(dirname "$(command -v "$mpirun")")/ompi_info" | grep -q 'MCA osc: ucx'; then
        ways+=('--mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any')
    fi
    for way in "${ways[@]}"; do
        # shellcheck disable=SC2206
        arguments=("${plain[@]}" $way)
        run_case 3 600 calls_fault "$data" datatype two-sided large $((cases / 2))
    done
    arguments=("${plain[@]}")
fi
suite_end
