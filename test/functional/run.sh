#!/bin/bash
# Collective writes under mpirun, byte for byte; arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional

# expect NAME PATTERN COMMAND...: the command's output holds the pattern. Several attempts: Open MPI 4.1.4 loses one help message in
# eight on its way to mpirun ("Data unpack would read past end of buffer").
expect() {
    local name=$1 pattern=$2 attempt
    shift 2
    for attempt in 1 2 3 4 5; do
        if "$@" 2>&1 | grep -aqE -- "$pattern"; then
            passed=$((passed + 1))
            echo "ok   $name"
            return
        fi
    done
    failed=$((failed + 1))
    echo "FAIL $name: \"$pattern\" is not in the output of: $*"
}

if [ "$fcoll" = overlap ]; then
    ompi_info=$(dirname "$(command -v "$mpirun")")/ompi_info
    info=("$ompi_info" --param fcoll overlap --level 9)
    [ "$component_path" = none ] || info=(env OMPI_MCA_mca_base_component_path="$component_path" "${info[@]}")
    for name in algorithm shuffle writer slots partition placement priority; do
        expect "ompi_info lists $name" "\"fcoll_overlap_$name\"" "${info[@]}"
    done
    expect "ompi_info names the algorithms" '3[^a-z]+write-comm' "${info[@]}"
fi

ok=yes
for program in views calls large matrix; do
    suite_build $program "$here/$program.cc" "$here/harness.cc" "$here/patterns.cc" "$here/pairwise.cc" || ok=no
done
if [ $ok = yes ]; then
    if [ "$fcoll" = overlap ]; then
        # A value that does not exist is named, with those that do.
        for bad in algorithm=fastest slots=99; do
            expect "the bad value $bad is reported" "fcoll_overlap_${bad%=*}" timeout 60 "$mpirun" --oversubscribe -n 1 \
                "${arguments[@]}" --mca "fcoll_overlap_${bad%=*}" "${bad#*=}" "$build/calls" "$data" short
        done
    fi
    for ranks in 1 2 3 5 7 8 13 16 31; do
        run_case $ranks 600 views "$data" "$full"
        run_case $ranks 600 calls "$data" "$full" "$fcoll"
    done
    # Never, the whole file (the default on NFS), ranges; an asynchronous write must not keep a lock that others wait for.
    plain=("${arguments[@]}")
    for lock in 1 2 3; do
        arguments=("${plain[@]}" --mca fs_ufs_lock_algorithm $lock)
        run_case 4 120 views "$data" short
        run_case 5 120 calls "$data" short "$fcoll"
    done
    # The write engines with everything else, on file systems in memory, on a disk, and of a server, with direct writes and without.
    arguments=("${plain[@]}")
    mkdir -p "$scratch/disk"
    folders=("$data" "$scratch/disk")
    if mount_storage "$scratch/server"; then folders+=("$scratch/server"); fi
    if mount_storage "$scratch/server-without-direct" --no-direct; then folders+=("$scratch/server-without-direct"); fi
    if [ "$full" = full ]; then run_case 4 14000 matrix full "${folders[@]}"; else run_case 4 600 matrix engines "${folders[@]}"; fi
    for ranks in 1 2 7; do
        run_case $ranks 300 matrix pairs "${folders[@]}"
    done
    umount_storage
    # The one-sided shuffles, with windows for the smallest write.
    for shuffle in put-fence put-lock; do
        arguments=("${plain[@]}" --mca fcoll_overlap_shuffle $shuffle --mca fcoll_overlap_window_threshold 0)
        for ranks in 1 2 5 16; do
            run_case $ranks 600 views "$data" "$full"
            run_case $ranks 600 calls "$data" "$full" "$fcoll"
        done
    done
    # UCX without a network card.
    if OMPI_MCA_osc=ucx "$(dirname "$(command -v "$mpirun")")/ompi_info" | grep -q 'MCA osc: ucx'; then
        for shuffle in two-sided put-fence put-lock; do
            arguments=("${plain[@]}" --mca fcoll_overlap_shuffle $shuffle --mca fcoll_overlap_window_threshold 0 --mca pml ucx
                --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any)
            run_case 5 300 views "$data" short
            run_case 4 300 calls "$data" short "$fcoll"
        done
    fi
    arguments=("${plain[@]}")
    memory=$(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    if [ "$(free_mib "$data")" -gt 6000 ] && [ "$memory" -gt 12000 ]; then
        run_case 2 600 large "$data"
    else
        skip "large: it needs 6 GB of room in $data and 12 GB of memory"
    fi
fi
suite_end
