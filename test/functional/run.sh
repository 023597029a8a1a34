#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Collective calls under mpirun, byte for byte; arguments: see ../mpi_suite.sh. A sample is of what an Open MPI's version may change:
# parameters, messages, hints, views, datatypes, nonblocking calls, windows.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
# Where something else is looked at than views and settings, every fifth combination of the two, and nonblocking calls with every sixth of the
# settings.
some=$(at_levels 7 5 5 5) few=$(at_levels 9 6 6 3)
[ "$full" != full ] || some=1 few=1

# with OPTION...: the cases that follow have these options of mpirun beside the suite's.
with() { arguments=("${plain[@]}" "$@"); }

# expect NAME PATTERN COMMAND...: the command's output holds the pattern, of a help message too (attempts).
expect() {
    local name=$1 pattern=$2 attempt
    shift 2
    for attempt in $(seq $attempts); do
        if "$@" 2>&1 | grep -aqE -- "$pattern"; then
            passed=$((passed + 1))
            echo "ok   $name"
            return
        fi
    done
    failed=$((failed + 1))
    echo "FAIL $name: \"$pattern\" is not in the output of: $*"
    end_if_first
}

# Mounts an XFS in a file of the scratch folder at $scratch/xfs; else says why not.
xfs_image() {
    local image=$scratch/xfs.image
    [ "$(id -u)" = 0 ] || { echo "it takes root"; return 1; }
    grep -qw xfs /proc/filesystems || modprobe xfs 2>/dev/null || { echo "the kernel has no XFS"; return 1; }
    command -v mkfs.xfs >/dev/null || { echo "xfsprogs is not installed"; return 1; }
    [ "$(free_mib "$scratch")" -gt 600 ] || { echo "it needs 600 MB of room in $scratch"; return 1; }
    # The smallest that mkfs.xfs makes is of 300 MB; most of it is a hole.
    truncate -s 320M "$image" && mkfs.xfs -q "$image" && mkdir -p "$scratch/xfs" && mount -o loop "$image" "$scratch/xfs" && return
    echo "it cannot be mounted"
    return 1
} 2>/dev/null

# calls_of_views ARGUMENT...: mpirun's; whether 200 views take less than one system call each, of all threads.
calls_of_views() {
    local trace=$scratch/views.trace calls
    timeout 120 "$mpirun" -n 1 "$@" strace -f -qq -o "$trace" "$build/installed" "$data" 200 || return 1
    calls=$(awk '/views end/ { exit } on { ++calls } /views begin/ { on = 1 } END { print on ? calls + 0 : "no" }' "$trace")
    echo "$calls system calls, expected fewer than 100"
    [ "$calls" -lt 100 ]
}

if [ "$fcoll" = overlap ]; then
    ompi_info=$(dirname "$(command -v "$mpirun")")/ompi_info
    info=("$ompi_info" --param fcoll overlap --level 9)
    [ "$component_path" = none ] || info=(env OMPI_MCA_mca_base_component_path="$component_path" "${info[@]}")
    "${info[@]}" >"$scratch/info" 2>&1
    for name in algorithm shuffle window_threshold put_threshold throttle writer slots partition placement holes reads node_merge topology topology_bandwidths aggregators_per_node \
        domains_per_rank eager_bytes rules report report_file trace trace_bytes roll_call priority; do
        expect "ompi_info lists $name" "\"fcoll_overlap_$name\"" cat "$scratch/info"
    done
    expect "ompi_info names the algorithms" 'write-comm, *write-comm-2' cat "$scratch/info"
    expect "ompi_info names the partitions" 'even, *static' cat "$scratch/info"
fi

# btl sm of 6.0.0rc2 loses messages where several threads of a process communicate at once: collectives of three threads, each on a
# communicator of its own and without a file, hang in one run of four. Threads go by TCP there, and not within programs of other cases.
of_threads=()
if [ "$version" -ge 6 ]; then
    of_threads=(--mca btl self,tcp)
    export TEST_THREADS=no
fi

plain=("${arguments[@]}")
puts=(--mca fcoll_overlap_window_threshold 0 --mca fcoll_overlap_put_threshold 0)
programs=(views calls nonblocking programs order holes hints end_of_file)
! from sample || programs+=(under_way threads)
! from all || programs+=(handles messages direct matrix boundary)
! from nightly || programs+=(large)
sources=("${programs[@]/#/"$here/"}" "$here/harness" "$here/patterns" "$here/pairwise")
suite_compile "${sources[@]/%/.cc}"
for program in "${programs[@]}"; do
    suite_build $program "$here/$program.cc" "$here/harness.cc" "$here/patterns.cc" "$here/pairwise.cc" || { suite_end; exit 1; }
done

# Any component.
for ranks in $(at_levels 4 5 '1 3' '1 2 3 5 9'); do
    run_case $ranks 600 views "$data" "$full" $([ $ranks = 3 ] && echo 1 || echo $some)
done
for ranks in $([ "$full" = full ] && echo '1 2 3 5 8 31' || at_levels 4 = '1 5' '1 2 3 5 8 13'); do
    run_case $ranks 600 calls "$data" "$full" "$fcoll"
done
for ranks in $(at_levels 3 = 5 '3 7'); do run_case $ranks 600 nonblocking "$data" "$full" $few; done
if [ "$fcoll" != overlap ]; then
    suite_end
    exit
fi

for ranks in $(at_levels 4 4 '1 4' '1 4 7'); do run_case $ranks 120 end_of_file "$data"; done
# Locks, holes, the order of writes, UCX: of the two releases that have a sample, 6.0 is tried (and 4.1 with everything).
not_here=$(! from all && [ "$version" = 5 ] && echo yes)
for ranks in $(at_levels 2 3 '1 3' '1 3'); do run_case $ranks 60 hints "$data" "$version"; done
if [ -z "$not_here" ]; then
    for ranks in $(at_levels 4 = '1 4' '1 2 4 8'); do run_case $ranks 120 order "$data"; done
    run_case 8 120 holes "$data"
fi
for shuffle in put-fence put-lock; do
    with --mca fcoll_overlap_shuffle $shuffle "${puts[@]}"
    for ranks in $(at_levels 4 = 5 '2 5 7'); do
        run_case $ranks 300 views "$data" "$full" $some
        # shellcheck disable=SC2046
        run_case $ranks 300 calls "$data" "$full" "$fcoll" $(at_levels repeated-access '' = =)
    done
done
# Windows that the folder of their node's shared memory cannot hold: Open MPI tells the rank that makes it, and the others wait.
if mkdir -p "$scratch/small" && mount -t tmpfs -o size=64k overlap-test "$scratch/small" 2>/dev/null; then
    with --mca osc_sm_backing_directory "$scratch/small" --mca osc_rdma_backing_directory "$scratch/small" \
        --mca fcoll_overlap_shuffle put-fence "${puts[@]}"
    run_case 3 120 calls "$data" short "$fcoll" repeated-access
    expect "who has no room for windows is told" 'cannot make a$' \
        timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" "$build/calls" "$data" short "$fcoll" repeated-access
    umount "$scratch/small"
else
    skip "windows without room: a small tmpfs can only be mounted as root"
fi
# The same where a process may make no file of that size, or has no descriptor left.
if suite_build windows "$here/windows.cc" "$here/harness.cc"; then
    with --mca fcoll_overlap_shuffle put-fence "${puts[@]}"
    run_case 3 120 windows "$data" descriptors
    expect "windows cannot be made for want of a file's size" 'cannot make a$' \
        timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" "$build/windows" "$data" size
fi
# What a draw combines: settings, views, kinds of calls.
run_case $(at_levels 4 5 7 7) 900 programs "$data" $(at_levels 60 120 300 2000)
# On one node all bytes go through its first rank.
if [ "$level" != sample ]; then
    with --mca fcoll_overlap_node_merge on
    run_case 5 120 views "$data" short $some
fi
with
# What is written back, which locks it takes, and what others write into gaps meanwhile.
with_calls=("$here/system_calls.cc" "$here/harness.cc")
if [ -z "$not_here" ] && suite_build gaps -rdynamic "$here/gaps.cc" "$here/tiles.cc" "${with_calls[@]}"; then
    for ranks in $(at_levels 2 = 4 '1 2 4 8'); do run_case $ranks 300 gaps "$data"; done
fi
if [ -z "$not_here" ] && suite_build interrupted -rdynamic "$here/interrupted.cc" "${with_calls[@]}"; then
    for ranks in $(at_levels 4 = = '1 4'); do run_case $ranks 120 interrupted "$data"; done
fi
if ! from sample; then
    suite_end
    exit
fi

# A rank that does not come to a call. With "mixed" no rank ever ends.
if suite_build roll_call "$here/roll_call.cc" "$here/harness.cc"; then
    with --mca fcoll_overlap_roll_call 1
    for ranks in $(at_levels = 4 '2 5' '2 5 12'); do run_case $ranks 120 roll_call "$data"; done
    expect "ranks in different calls of a file are told" 'write_at_all .call 2 of the file. has waited 1 s: 3 of 4 ranks are in it; rank 2 on [^ ]+ is in MPI_File_read_at_all .call 2.' \
        timeout 60 "$mpirun" --oversubscribe -n 4 "${arguments[@]}" "$build/roll_call" "$data" mixed
    with
fi

# Settings that decide in the engine, which is the same with every release.
if from all; then
    with --mca fcoll_overlap_node_merge on
    run_case 4 300 nonblocking "$data" short $few
    ! from nightly || run_case 3 120 calls "$data" short "$fcoll"
    with --mca fcoll_overlap_writes independent --mca fcoll_overlap_reads independent
    run_case 5 120 views "$data" short $some
    run_case 3 120 nonblocking "$data" short $few
    with --mca fcoll_overlap_eager_bytes 0
    run_case 4 300 nonblocking "$data" short $few
fi
# What the releases of Open MPI differ in.
run_case 1 120 threads "$data"
with "${of_threads[@]}"
run_case 4 300 threads "$data" 5
with
run_case 4 300 under_way "$data" $(at_levels = 10 10 40)
expect "the hint striping_unit gives the stripes" 'static file domains of stripes of 8192 bytes' env TEST_STRIPING_UNIT=5000 \
    timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" --mca fcoll_overlap_partition static \
    --mca fcoll_base_verbose 10 "$build/calls" "$data" short overlap repeated-access
expect "the schedule that runs with puts is named" 'schedule write-comm-2 instead of dataflow .*shuffle put-lock,' \
    timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" --mca fcoll_overlap_shuffle put-lock "${puts[@]}" \
    --mca fcoll_base_verbose 10 "$build/calls" "$data" short overlap repeated-access
# shellcheck disable=SC2016
expect "a hint that is no size is not heard" 'no cycle of a byte' sh -c '"$@" >"$0" 2>&1
    grep -qa "cycles of at most" "$0" && ! grep -qa "cycles of at most 1 bytes" "$0" && echo no cycle of a byte' "$scratch/sizes" \
    timeout 60 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" --mca fcoll_base_verbose 10 "$build/hints" "$data" "$version"
# What a site's rules say of writers stands in the line about the file, and what is wrong in them is said with its number.
printf '%s\n' '{"collectives": {"write_all": [' '{"ranks_max": 2, "writer": "libaio"},' '{"bytes_min": 1, "writer": "fbtl"}]}}' >"$data/rules.json"
printf '%s\n' '{"collectives": {"write_all": [' '{"ranks_min": 1,' '"writer": "quill"}]}}' >"$data/bad-rules.json"
ruled=(timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" --mca fcoll_base_verbose 10)
of_rules=("$build/calls" "$data" short overlap repeated-access)
expect "a rule of the site is followed" 'by rule 2 of the site.*writer fbtl' "${ruled[@]}" --mca fcoll_overlap_rules "$data/rules.json" "${of_rules[@]}"
expect "the user's word counts more than a rule" 'by rule 2 of the site.*writer thread' "${ruled[@]}" --mca fcoll_overlap_rules "$data/rules.json" \
    --mca fcoll_overlap_writer thread "${of_rules[@]}"
expect "a bad rule is reported" 'bad-rules.json: rule 1: .*quill' "${ruled[@]}" --mca fcoll_overlap_rules "$data/bad-rules.json" "${of_rules[@]}"
rm -f "$data/rules.json" "$data/bad-rules.json"
if "$mpicc" -O2 -o "$build/demo_kernel" "$suite_dir/../bench/demo_kernel.c"; then
    expect "large pieces to a page cache are written by their ranks" 'each rank transfers its own bytes' \
        "${ruled[@]}" "$build/demo_kernel" "$data/large-pieces" 65536 8 2
    expect "unless the user says otherwise" 'schedule .* shuffle' \
        "${ruled[@]}" --mca fcoll_overlap_writes collective "$build/demo_kernel" "$data/large-pieces" 65536 8 2
    rm -f "$data/large-pieces"
else
    expect "demo_kernel compiles" yes false
fi
# The header is what a program in C needs.
if "$mpicc" -std=c99 -pedantic -O1 -g1 -Wall -Wextra -Werror -I"$suite_dir/../ompi/mca/fcoll/overlap/include/overlap" -c -o "$build/declared_program.o" \
    "$here/declared_program.c" && suite_build declare "$build/declared_program.o" "$here/declare.cc" "$here/harness.cc"; then
    for ranks in $(at_levels = 3 = '1 4'); do run_case $ranks 120 declare "$data"; done
    run_case 3 120 declare "$data" threads
    if from all; then
        with --mca sharedfp lockedfile
        run_case 3 120 declare "$data"
        with
    fi
    expect "a call that is not as declared is reported" 'not done as declared|declared-otherwise' timeout 120 "$mpirun" \
        --oversubscribe -n 3 "${arguments[@]}" "$build/declare" "$data"
    expect "an error that MPI_File_close cannot return is on stderr" 'declare.errors.arrays: bytes of declared writes' \
        timeout 120 "$mpirun" --oversubscribe -n 3 "${arguments[@]}" "$build/declare" "$data"
else
    expect "the header for declarations compiles" yes false
fi
# What of 4.1 knows devices only its CUDA build has: the program brings it along.
if [ "$version" -lt 5 ]; then
    internal_headers
    if "$mpicc" -O1 -Wall -Wextra "${internals[@]}" -c -o "$build/fake_cuda.o" "$here/fake_cuda.c" &&
        suite_build refused_device -rdynamic "$build/fake_cuda.o" "$here/refused_device.cc" "$here/harness.cc"; then
        for ranks in $(at_levels = 3 = '1 3'); do run_case $ranks 60 refused_device "$data"; done
        expect "a device's memory is refused with a message" 'buffer in the memory of a GPU' timeout 60 "$mpirun" --oversubscribe -n 3 \
            "${arguments[@]}" "$build/refused_device" "$data"
    else
        expect "the fake of CUDA compiles" yes false
    fi
else
    # Open MPI has an accelerator framework from 5.0 on. The fake one replaces functions of it, for which it needs an internal header.
    internal_headers
    if "$mpicc" -O1 -Wall -Wextra "${internals[@]}" -c -o "$build/fake_device.o" "$here/fake_device.c" &&
        suite_build device -lopen-pal "$build/fake_device.o" "$here/device.cc" "$here/harness.cc" "$here/pairwise.cc"; then
        for ranks in $(at_levels = 4 '1 4' '1 4'); do run_case $ranks 300 device "$data"; done
    else
        expect "the fake device compiles" yes false
    fi
fi
# UCX without a network card. That of Debian 13 ends a program whose threads take turns to advance the windows of Open MPI 5.0.7: an assertion of its
# own (ucs_async_check_owner_thread), which other builds do not have.
[ "$version" -lt 5 ] || export TEST_THREADS=no
if [ -z "$not_here" ] && OMPI_MCA_osc=ucx "$(dirname "$(command -v "$mpirun")")/ompi_info" | grep -q 'MCA osc: ucx'; then
    for shuffle in $(at_levels = put-lock put-lock 'two-sided put-fence put-lock'); do
        with --mca fcoll_overlap_shuffle $shuffle "${puts[@]}" --mca pml ucx --mca osc ucx --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any
        run_case 5 300 views "$data" short $some
        run_case 4 300 calls "$data" short "$fcoll"
        ! from nightly || run_case 3 300 nonblocking "$data" short $few
    done
    with
fi
if ! from all; then
    suite_end
    exit
fi

# Never, the whole file (the default on NFS), ranges; an asynchronous write must not keep a lock that others wait for.
for lock in $(at_levels = = 3 '1 2 3'); do
    with --mca fs_ufs_lock_algorithm $lock --mca fcoll_overlap_writer fbtl
    run_case 4 120 views "$data" short $some
    run_case 3 120 nonblocking "$data" short $few
    with --mca fs_ufs_lock_algorithm $lock
    run_case 5 120 calls "$data" short "$fcoll"
done
# The write engines with everything else, on file systems in memory, on a disk, and of a server, with direct writes and without.
with
mkdir -p "$scratch/disk"
folders=("$data" "$scratch/disk")
if mount_storage "$scratch/server"; then folders+=("$scratch/server"); fi
if mount_storage "$scratch/server-without-direct" --no-direct; then folders+=("$scratch/server-without-direct"); fi
if [ "$full" = full ]; then run_case 4 1800 matrix full "${folders[@]}"; elif from nightly; then run_case 4 600 matrix engines "${folders[@]}"; fi
for ranks in $(at_levels = = '2 5' '1 2 7'); do run_case $ranks 300 matrix pairs "${folders[@]}"; done
umount_storage
# Gaps between the written bytes: by every writer, under every lock of OMPIO, and where the descriptor cannot be read.
for folder in $(at_levels = = "$scratch/disk" "$data $scratch/disk"); do
    for options in "--mca fcoll_overlap_writer fbtl --mca fs_ufs_lock_algorithm 2" "--mca fcoll_overlap_writer libaio --mca fs_ufs_lock_algorithm 3" \
        "--mca io_ompio_overwrite_amode 0"; do
        # shellcheck disable=SC2086
        with $options
        run_case 8 300 holes "$folder"
    done
done
with
! from nightly || run_case 4 300 gaps "$scratch/disk"
# No locks, and OMPIO's own of the whole file.
for algorithm in $(at_levels = = 1 '1 2'); do
    with --mca fs_ufs_lock_algorithm $algorithm
    run_case 4 300 gaps "$data"
    run_case 4 300 under_way "$scratch/disk" $(at_levels = = 10 30)
done
with "${of_threads[@]}"
run_case 4 300 gaps "$data" threads "$([ "$full" = full ] && echo 60 || at_levels = = 3 5)"
with
# Installed and not selected; the fifth argument names what is.
if suite_build installed -rdynamic "$here/installed.cc" "${with_calls[@]}"; then
    arguments[5]=^dynamic
    run_case 2 60 installed "$data"
    if timeout 60 "$mpirun" -n 1 strace -V >/dev/null 2>&1; then # mpirun of another Debian runs programs of its folder
        holds "200 views take no system call where the component is not selected" calls_of_views "${arguments[@]}"
    else
        skip "system calls of views: strace is not installed"
    fi
    with
fi
# Others who write into the gaps and take no lock.
run_case 8 300 handles "$scratch/disk" $(at_levels = = 10 34)
for folder in "$data" "$scratch/disk"; do
    # Where offsets end: tmpfs takes the largest, ext4 has an end of its own.
    for ranks in $(at_levels = = 2 '1 2 4'); do run_case $ranks 300 boundary "$folder"; done
done
! from nightly || run_case 4 300 under_way "$scratch/disk" 40
run_case 1 120 messages "$data" $(at_levels = = 100 400)
if from nightly; then
    for holes in list sieve; do
        with --mca fcoll_overlap_holes $holes --mca fcoll_overlap_writer thread --mca fs_ufs_lock_algorithm 2
        run_case 5 300 views "$data" short $some
        run_case 5 300 calls "$data" short "$fcoll"
    done
fi
# XFS, where direct writes are known to be taken.
mounted=$scratch/xfs
if why_not=$(xfs_image); then
    with --mca fcoll_overlap_writer libaio
    run_case 4 300 views "$mounted" short $some
    # One rank alone writes from its own memory, without a write engine.
    for ranks in $(at_levels = = 4 '2 4 5'); do run_case $ranks 120 direct "$mounted" past; done
    run_case 2 120 direct "$mounted" past away
    # What the test looks at tells a write through the page cache from one past it.
    with --mca fcoll_overlap_writer thread
    run_case 4 120 direct "$mounted" through
    umount "$mounted"
else
    skip "XFS on a loop device: $why_not"
fi
mounted=
# Stripes dealt in turn: the default, and those of a hint, which are made whole blocks.
choices=('5 put-fence fbtl 1' '2 two-sided fbtl 5000')
! from nightly || choices+=('3 put-lock thread 1' '8 two-sided thread 1' '5 two-sided fbtl 20000' '2 two-sided fbtl -' '9 put-lock fbtl 5000' '4 put-fence libaio -'
    '7 two-sided libaio 1' '1 two-sided fbtl 1')
for choice in "${choices[@]}"; do
    read -r ranks shuffle writer unit <<<"$choice"
    export TEST_STRIPING_UNIT=${unit#-}
    with --mca fcoll_overlap_partition static --mca fcoll_overlap_shuffle "$shuffle" --mca fcoll_overlap_writer "$writer" "${puts[@]}"
    run_case "$ranks" 600 views "$data" "$full" $some
    run_case "$ranks" 600 calls "$data" "$full" "$fcoll"
done
unset TEST_STRIPING_UNIT
if from nightly; then
    with --mca fcoll_overlap_partition static
    run_case 4 300 boundary "$data"
    with
    memory=$(awk '/MemAvailable/ { print int($2 / 1024) }' /proc/meminfo)
    if [ "$(free_mib "$data")" -gt 6000 ] && [ "$memory" -gt 12000 ]; then
        run_case 2 600 large "$data"
    else
        skip "large: it needs 6 GB of room in $data and 12 GB of memory"
    fi
fi
suite_end
