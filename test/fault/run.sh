#!/bin/bash
# Writes that fail, and calls that fail in the midst of one, under mpirun; arguments: see ../mpi_suite.sh. Where AFTER_ANOTHER is set
# another Open MPI has had all cases, and this one gets each setting once; where SAMPLE is set fewer of the calls that fail as well.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$full" = full ] || AFTER_ANOTHER=${AFTER_ANOTHER:-${SAMPLE:-}}

# Every two settings together with some ranks, each setting with others.
scenario() {
    local name=$1 folder=$2
    local choice=pairs
    [ -z "${AFTER_ANOTHER:-}" ] || choice=each
    [ "$full" != full ] || choice=full
    run_case 4 300 fault "$name" "$folder" $choice
    [ -z "${AFTER_ANOTHER:-}" ] || return
    for ranks in 1 5; do
        run_case $ranks 120 fault "$name" "$folder" each
    done
}

if suite_build fault "$suite_dir/fault/fault.cc" "$suite_dir/fault/storage_fault.cc" "$suite_dir/functional/harness.cc" \
    "$suite_dir/functional/pairwise.cc"; then
    # On a disk, which takes direct writes.
    mkdir "$scratch/disk"
    scenario size-limit "$scratch/disk"
    scenario closed-descriptor "$data"
    scenario read-closed-descriptor "$data"
    mkdir "$scratch/full"
    if mount -t tmpfs -o size=3m overlap-test "$scratch/full" 2>/dev/null; then
        mounted=$scratch/full
        scenario full-disk "$scratch/full"
        # Stripes dealt in turn, of one block: what is on file is no interval of the file.
        plain=("${arguments[@]}")
        arguments=("${plain[@]}" --mca fcoll_overlap_partition static)
        export TEST_STRIPING_UNIT=1
        for ranks in 4 7; do
            run_case $ranks 120 fault full-disk "$scratch/full" each
            run_case $ranks 120 fault size-limit "$data" each
        done
        unset TEST_STRIPING_UNIT
        arguments=("${plain[@]}")
    else
        skip "full-disk: a small tmpfs can only be mounted as root"
    fi
    if mount_storage "$scratch/server"; then
        for name in storage-full storage-error storage-short storage-stall; do
            scenario $name "$scratch/server"
        done
    fi
fi
if suite_build calls_fault -Wl,--export-dynamic "$suite_dir/fault/calls_fault.cc" "$suite_dir/fault/failing_calls.cc" \
    "$suite_dir/functional/harness.cc"; then
    cases=12
    [ -z "${SAMPLE:-}" ] || cases=4
    [ "$full" = short ] || cases=1000000
    for shuffle in two-sided put-fence put-lock; do
        for size in small large; do run_case 3 600 calls_fault "$data" datatype $shuffle $size $cases; done
        run_case 3 600 calls_fault "$data" start $shuffle small $cases
        run_case 3 600 calls_fault "$data" memory $shuffle small $((cases * 3))
    done
    for kind in datatype start memory; do run_case 3 600 calls_fault "$data" $kind two-sided small $((cases * 2)) nonblocking; done
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
        run_case 3 600 calls_fault "$data" datatype two-sided large $cases
    done
    arguments=("${plain[@]}")
fi
suite_end
