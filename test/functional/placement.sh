#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Who aggregates: every strategy, limits, topology files and plugins that are right and wrong. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
ranks=4
aggregators=(--mca io_ompio_num_aggregators 3)

# writes ARGUMENT...: the write under mpirun with these arguments and, behind "--", hints; its output is kept in $scratch/output.
writes() {
    local options=()
    while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    timeout -k 10 120 "$mpirun" --oversubscribe -n $ranks "${arguments[@]}" "${aggregators[@]}" --mca fcoll_base_verbose 1 \
        "${options[@]}" "$build/placement" "$data" "$@" </dev/null >"$scratch/output" 2>&1 &&
        grep -aqE '2 passed, 0 failed$' "$scratch/output"
}

# says NAME PATTERN ARGUMENT...: the write is right, and the output of one of the attempts has the pattern. Line breaks of the output are
# blanks to the pattern.
says() {
    local name=$1 pattern=$2 attempt
    shift 2
    for attempt in $(seq $attempts); do
        if ! writes "$@"; then break; fi
        if tr -s '\0\n ' '   ' <"$scratch/output" | grep -aqE -- "$pattern"; then
            passed=$((passed + 1))
            echo "ok   $name"
            return
        fi
    done
    failed=$((failed + 1))
    echo "FAIL $name: the write went wrong, or \"$pattern\" is not in the output: $*"
    tail -20 "$scratch/output"
}

# silent NAME ARGUMENT...: the write is right, and no help message comes.
silent() {
    local name=$1
    shift
    if writes "$@" && ! grep -aqE '^-{20}' "$scratch/output"; then
        passed=$((passed + 1))
        echo "ok   $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name: the write went wrong, or there is a message: $*"
        tail -20 "$scratch/output"
    fi
}

if suite_build placement "$here/placement.cc" "$here/harness.cc"; then
    host=$("$mpirun" -n 1 hostname)
    printf 'SwitchName=leaf Nodes=%s,other[1-3]\nSwitchName=top Switches=leaf\n' "$host" >"$scratch/topology.conf"
    printf 'SwitchName=top Switches=leaf\nSwitchName=leaf Nodes=other[1-\n' >"$scratch/broken.conf"
    printf 'SwitchName=leaf Nodes=other[1-3]\n' >"$scratch/others.conf"
    printf 'other 0 2\n%s 2 0\n' "$host" >"$scratch/hops"

    for strategy in ompio spread locality lap tapioca; do
        silent "no message with $strategy" --mca fcoll_overlap_placement "$strategy" --
        holds "which is the placement" grep -aqE "placement $strategy( over flat|,)" "$scratch/output"
    done
    # Of four blocks of 600,000 bytes in three domains these go to another rank where a domain is aggregated by who has most of it. spread has more.
    for strategy in locality lap tapioca; do
        says "most bytes stay with $strategy" "placement $strategy over flat with 79[0-9]{4} hop-bytes" \
            --mca fcoll_overlap_placement "$strategy" --mca fcoll_overlap_writes collective --
    done
    says "the hint placement 3" "placement lap( over flat|,)" -- fcoll_overlap_placement=3
    for strategy in $(at_levels lap lap lap 'locality lap tapioca'); do
        for topology in $(at_levels "$scratch/topology.conf" = = "$scratch/topology.conf slurm:$scratch/topology.conf"); do
            says "$strategy over a Slurm file" "placement $strategy over tree" --mca fcoll_overlap_placement $strategy \
                --mca fcoll_overlap_topology "$topology" --mca fcoll_overlap_topology_bandwidths 1e9,2.5e8 --
        done
        says "$strategy over a matrix" "placement $strategy over matrix" --mca fcoll_overlap_topology "$scratch/hops" -- fcoll_overlap_placement=$strategy
        # The rest is the same with every Open MPI.
        from all || continue
        says "$strategy, a broken file" "broken.conf:2:.*equally far" --mca fcoll_overlap_placement $strategy \
            --mca fcoll_overlap_topology "$scratch/broken.conf" --
        says "$strategy, a file without this host" "$host" --mca fcoll_overlap_placement $strategy \
            --mca fcoll_overlap_topology "$scratch/others.conf" --
        says "$strategy, no such file" "nowhere: No such file.*placement $strategy over flat" --mca fcoll_overlap_placement $strategy \
            --mca fcoll_overlap_topology "$scratch/nowhere" --
        says "$strategy, a folder" "Is a directory" --mca fcoll_overlap_topology "$scratch/" -- fcoll_overlap_placement=$strategy
    done
    if from all; then
        says "a bad topology is flat" "star:3.*matrix:FILE.*over flat" --mca fcoll_overlap_topology star:3 -- fcoll_overlap_placement=lap
        says "a torus is flat, and the message names the tool" "torus:2x2.*overlap placement hops.*over flat" --mca fcoll_overlap_topology torus:2x2 \
            -- fcoll_overlap_placement=lap
    fi

    says "one aggregator on a node" " 1 aggregators" --mca fcoll_overlap_aggregators_per_node 1 --
    says "three domains on one rank" " 3 file domains of 1 aggregators" -- fcoll_overlap_aggregators_per_node=1 fcoll_overlap_domains_per_rank=3
    says "cb_config_list names the host" " 2 aggregators" -- "cb_config_list=$host:2"
    says "cb_config_list names ranks" " 1 aggregators" -- "cb_config_list=rank:2" fcoll_overlap_placement=tapioca
    says "cb_config_list that cannot be read" "two.*hint is ignored.* 3 aggregators" -- "cb_config_list=*:two"
    says "cb_config_list without a host of the job" "too few ranks" -- "cb_config_list=elsewhere:4"

    include=$(dirname "$(command -v "$mpicc")")/../include
    [ "$component_path" = none ] || include=${component_path%%:*}/../../include
    holds "the example plugin compiles against the installed header" \
        make -C "$scratch" -f "$suite_dir/../examples/placement/Makefile" INCLUDE="$include" CFLAGS="-Wall -Wextra -Werror"
    plugin=$scratch/greedy.so
    says "the example plugin places" " 3 aggregators \\(placement greedy \($plugin\) over flat with [0-9]+ hop-bytes" \
        --mca fcoll_overlap_placement "$plugin" --
    says "a plugin as a hint is ignored" "hint fcoll_overlap_placement is ignored.*placement spread" -- "fcoll_overlap_placement=$plugin"
    # The rest is the same with every Open MPI.
    if ! from all; then
        suite_end
        exit
    fi
    GREEDY_AVOID=0 silent "a plugin with its own setting" --mca fcoll_overlap_placement "$plugin" --
    GREEDY_AVOID=zero says "a plugin's own error" "init failed: GREEDY_AVOID is \"zero\".*placement spread" \
        --mca fcoll_overlap_placement "$plugin" --
    # What init and place answer, unit tests have as well.
    while read -r number reason; do
        [[ $number = [13689] ]] || from nightly || continue
        "$mpicxx" -std=c++17 -DWRONG="$number" -I"$include" -shared -fPIC -o "$scratch/wrong$number.so" "$here/wrong_plugin.cc"
        says "a plugin is refused: $reason" "wrong$number.so: .*$reason.*placement spread" \
            --mca fcoll_overlap_placement "$scratch/wrong$number.so" --
    done <<'END'
1 made for version 2
2 init failed: no licence
3 init threw an exception: nothing to begin with
4 place failed: no idea
5 place threw an exception: nowhere to go
6 domain 0 to rank 4 of 4
7 domain 0 to rank -1 of 4
8 domain 1 to rank 0 of 4, which the limits do not allow
9 does not define overlap_placement_plugin
END
    says "a plugin is refused: no such file" "missing.so: .*cannot open.*placement spread" \
        --mca fcoll_overlap_placement "$scratch/missing.so" --
    printf 'no shared object\n' >"$scratch/text.so"
    says "a plugin is refused: a text" "text.so: .*placement spread" --mca fcoll_overlap_placement "$scratch/text.so" --
fi
suite_end
