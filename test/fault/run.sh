#!/bin/bash
# Writes that fail, under mpirun; arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
storage=$suite_dir/../bench/storage

suite_clean() {
    [ -z "${mounted:-}" ] || umount "$mounted"
    [ -z "${stored:-}" ] || "$storage" umount "$stored" >/dev/null
    rm -rf "$scratch" "$data"
}

# A server that is faster than the test needs it, so that only its faults count.
on_storage() {
    local answer code=0 scenario
    mkdir "$scratch/storage"
    answer=$("$storage" mount "$scratch/storage" --mbps 4000 2>&1) || code=$?
    if [ $code = 77 ]; then
        skip "faults of a storage server: $answer"
        return
    elif [ $code != 0 ]; then
        echo "FAIL bench/storage: $answer"
        failed=$((failed + 1))
        return
    fi
    stored=$scratch/storage
    for scenario in storage-full storage-error storage-stall; do
        for ranks in 1 4 7; do
            run_case $ranks 120 fault $scenario "$stored"
        done
    done
}

if suite_build fault "$suite_dir/fault/fault.cc" "$suite_dir/fault/storage_fault.cc" "$suite_dir/functional/harness.cc"; then
    for ranks in 1 4 7; do
        run_case $ranks 120 fault size-limit "$data"
        run_case $ranks 120 fault closed-descriptor "$data"
    done
    # Stripes dealt in turn, of one block: what is on file is no interval of the file.
    plain=("${arguments[@]}")
    dealt=("${plain[@]}" --mca fcoll_overlap_partition static)
    export TEST_STRIPING_UNIT=1
    arguments=("${dealt[@]}")
    for ranks in 4 7; do
        run_case $ranks 120 fault size-limit "$data"
    done
    arguments=("${plain[@]}")
    mkdir "$scratch/full"
    if mount -t tmpfs -o size=3m overlap-test "$scratch/full" 2>/dev/null; then
        mounted=$scratch/full
        for ranks in 1 4 7; do
            run_case $ranks 120 fault full-disk "$scratch/full"
            arguments=("${dealt[@]}")
            run_case $ranks 120 fault full-disk "$scratch/full"
            arguments=("${plain[@]}")
        done
    else
        skip "full-disk: a small tmpfs can only be mounted as root"
    fi
    on_storage
fi
suite_end
