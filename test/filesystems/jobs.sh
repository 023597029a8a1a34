# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by run.sh and table, after ../mpi_suite.sh: emulated hosts, each with its own client of a file system, and jobs on them.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034
here=$suite_dir/filesystems
filesystem=$suite_dir/../bench/filesystem
cluster=("$suite_dir/../bench/cluster" --name "d$$")
base=/var/tmp/overlap-filesystem
hosts=4
up=

suite_down() {
    "${cluster[@]}" down >/dev/null 2>&1
    [ -z "$up" ] || "$filesystem" down >/dev/null 2>&1
}

# Sets `job`, what is started on all hosts without its program.
job_on() { # VOLUME RANKS_PER_HOST
    job=("${cluster[@]}" run --ranks-per-host "$2" --mpirun "$mpirun" --mount "$base/$1/%:$base/here" -- "${arguments[@]}")
}

# run_coherence VOLUME RANKS_PER_HOST LOG MCA_OPTION... -- WORD...: the program coherence. Sets `code`, and `ended` where it came to its end.
run_coherence() {
    local volume=$1 ranks=$2 log=$3 options=() job
    shift 3
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    code=0
    job_on "$volume" "$ranks"
    "$suite_dir/within.sh" 300 "${job[@]}" "${options[@]}" "$build/coherence" "$base/here" "$base/$volume/checker" "$@" </dev/null >"$log" 2>&1 || code=$?
    ended=
    ! grep -qaE '^[0-9]+ passed, [0-9]+ failed$' "$log" || ended=yes
}

# raise KIND: brings it up. Sets `code` and `answer`.
raise() {
    code=0
    # What an earlier run left goes; one that is whole is in use.
    up=yes
    answer=$("$filesystem" up "$1" --clients $hosts 2>&1) || code=$?
    case $answer in *"is up already"*) up= ;; esac
}

volumes_of() {
    case $1 in
    glusterfs) at_levels distribute = = 'distribute replicate direct' ;;
    *) echo "$1" ;;
    esac
}

build_programs() {
    local each objects=()
    for each in coherence gap_cases plain_cases shared_file; do objects+=("$here/$each.cc"); done
    suite_build coherence "${objects[@]}" "$suite_dir/functional/harness.cc" &&
        suite_build failing "$here/failing.cc" "$here/shared_file.cc" "$suite_dir/functional/harness.cc"
}
