#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Collective accesses to real distributed file systems, each rank's host with a client of its own (bench/filesystem). Arguments: see ../mpi_suite.sh.
# Each case of coherence.cc is a test for each volume and setting. LEVEL=nightly has all of them; `known` has what is wrong, and why.
# KINDS and VOLUMES in the environment choose among local, glusterfs, moosefs, cephfs and their volumes. Ends with 77 where there can be none of them.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
. "$suite_dir/filesystems/jobs.sh"

# Sets `settings`, mpirun's options, and `words`, those of coherence.
setting() {
    settings=() words=()
    case $1 in
    defaults) ;;
    nonblocking) words=(nonblocking) ;;
    "many cycles"*)
        settings=(--mca io_ompio_bytes_per_agg 8192)
        [ "$1" = "many cycles" ] || settings+=(--mca fcoll_overlap_algorithm "${1##* }")
        ;;
    *) settings=(--mca "fcoll_overlap_${1% *}" "${1#* }") ;;
    esac
}

# verdict VOLUME SETTING NAME CASE VERDICT WHAT: counts one case.
verdict() {
    local reason
    reason=$(awk -v v="$1" -v s="${2// /-}" -v c="$4" -v r="$5" '
        function is(pattern, word) { return pattern == "*" || pattern == word }
        !/^#/ && is($1, v) && is($2, s) && is($3, c) && $4 == r { sub(/^([^ ]+ +){4}/, ""); print; exit }' "$here/known")
    if [ "$5" = right ]; then
        passed=$((passed + 1))
    elif [ -n "$reason" ]; then
        skip "$3, $4: $5: $reason"
    else
        failed=$((failed + 1))
        echo "FAIL $3, $4: $5${6:+: $6}"
        end_if_first
    fi
}

# coherence VOLUME RANKS_PER_HOST SETTING
coherence() {
    local name="$1, $3, $2 a host" began=$SECONDS log=$scratch/coherence.log
    local settings words word each result what code ended
    setting "$3"
    run_coherence "$1" "$2" "$log" "${settings[@]}" -- "${words[@]}"
    while read -r word each result what; do
        [ "$word" != case ] || verdict "$1" "$3" "$name" "$each" "${result%:}" "$what"
    done < <(tr -d '\0' <"$log")
    if [ -n "$ended" ]; then
        echo "ok   $name: $(grep -ac '^case .* right$' "$log") passed, 0 failed ($((SECONDS - began)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL $name ends in $(sed -n 's/^running //p' "$log" | tail -1) with exit code $code"
        tail -30 "$log"
        end_if_first
    fi
}

# on_failure VOLUME KIB NAME [nosync]: writes until it fails; where NAME is not "full" a server is killed after some steps. What was synced is there.
on_failure() {
    local file=$3${4:-}.$$ killer= synced job
    rm -f "$scratch/marker"
    if [ "$3" != full ]; then
        (
            eventually test -e "$scratch/marker" && "$filesystem" kill "$1" "$file"
        ) >"$scratch/killed" 2>&1 &
        killer=$!
    fi
    job_on "$1" 1
    run_command 200 "$1, $3${4:+, no sync}" "${job[@]}" "$build/failing" "${4:-write}" "$base/here/$file" 4000 "$2" "$scratch/marker"
    [ -z "$killer" ] || wait $killer
    synced=$(sed -n 's/^synced //p' "$scratch/case.log")
    grep -aE '^(write_all|sync) of step' "$scratch/case.log" | sed 's/^/     /'
    if [ "$3" != full ]; then holds "$1: the server comes back" "$filesystem" restart "$1"; fi
    [ -n "${4:-}" ] || run_command 60 "$1, $3: ${synced:-no} synced steps are there" "$build/failing" check "$base/$1/checker/$file" "${synced:-1}" "$2" $hosts
    rm -f "$base/$1/checker/$file"
}

serve_kind() {
    local kind=$1 volume each answer code
    raise "$kind"
    if [ $code = 77 ]; then
        skip "$kind: $(sed -n 's/^filesystem: //p' <<<"$answer" | head -1)"
        return
    elif [ $code != 0 ]; then
        failed=$((failed + 1))
        echo "FAIL bench/filesystem up $kind: $answer"
        return
    fi
    for volume in ${VOLUMES:-$(volumes_of "$kind")}; do
        coherence "$volume" 1 defaults
        if from all; then coherence "$volume" 1 "holes sieve"; fi
        # With cycles of 8 KiB the cases took 172 s on GlusterFS.
        if [ $kind = local ]; then
            for each in "many cycles" "many cycles write-comm" "many cycles comm"; do coherence "$volume" 1 "$each"; done
        fi
        from nightly || [ $kind = local ] || continue
        for each in "holes list" "writes independent" nonblocking; do coherence "$volume" 1 "$each"; done
        coherence "$volume" 2 defaults
    done
    case $kind in
    glusterfs)
        on_failure distribute 64 server-dies
        on_failure distribute 64 server-dies nosync
        on_failure small 1024 full
        on_failure small 1024 full nosync
        ;;
    moosefs) if from nightly; then on_failure moosefs 64 server-dies; fi ;;
    esac
    holds "$kind: down leaves nothing" bash -c '"$1" down && [ ! -e "$2" ] && [ ! -e /run/netns/overlap-filesystem ] && ! losetup -n -O BACK-FILE | grep "$2"' \
        sh "$filesystem" "$base"
    up=
}

# up is killed after so many tenths of a second.
killed_up() {
    local tenths=$1 job
    "$filesystem" up glusterfs >/dev/null 2>&1 &
    job=$!
    sleep "0.$tenths"
    kill -9 $job
    wait $job 2>/dev/null
    "$filesystem" down && [ ! -e "$base" ] && ! losetup -n -O BACK-FILE | grep "$base"
}

if build_programs; then
    code=0
    answer=$("${cluster[@]}" up --hosts $hosts --mbit 4000 2>&1) || code=$?
    if [ $code = 0 ]; then
        for kind in ${KINDS:-$(at_levels local = = 'local glusterfs moosefs cephfs')}; do serve_kind "$kind"; done
        if from nightly && [ "$failed" = 0 ]; then
            for tenths in 3 9; do holds "after up is killed, 0.$tenths s from its begin, down leaves nothing" killed_up $tenths; done
        fi
    elif [ $code = 77 ]; then
        skip "all file systems: $answer"
    else
        echo "FAIL bench/cluster: $answer"
        failed=$((failed + 1))
    fi
fi
code=0
suite_end || code=$?
if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then code=77; fi
exit $code
