#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Collective writes between emulated hosts over TCP, with each shuffle. Root and iproute2 are needed. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
cluster=("$suite_dir/../bench/cluster" --name "f$$")

suite_down() { "${cluster[@]}" down >/dev/null 2>&1; }

answer=$("${cluster[@]}" up --hosts 3 --mbit 2000 2>&1)
code=$?
if [ $code = 77 ]; then
    skip "writes between hosts: $answer"
elif [ $code != 0 ]; then
    echo "FAIL bench/cluster: $answer"
    failed=$((failed + 1))
else
    # Debian's 4.1 leaves out the components that make windows between nodes; the first cases have to do without.
    windows=(none)
    [ "$version" != 4 ] || windows=($(at_levels none none 'none pt2pt' 'none pt2pt ucx'))
    programs=$(at_levels calls calls 'views calls' 'views calls')
    for program in $programs; do
        suite_build $program "$here/$program.cc" "$here/harness.cc" "$here/patterns.cc" || break
        for osc in "${windows[@]}"; do
            for shuffle in two-sided put-fence put-lock; do
                [ $osc = none ] || [ $shuffle != two-sided ] || continue
                mca=("${arguments[@]}" --mca fcoll_overlap_shuffle $shuffle --mca fcoll_overlap_window_threshold 0 --mca fcoll_overlap_put_threshold 0)
                [ $osc = none ] || mca+=(--mca osc $osc)
                # Over TCP a put of 5.0 waits for the other's progress: there one topic of each for the one-sided shuffles, and every fifth view.
                choice=()
                if { [ "$version" = 5 ] && [ $shuffle != two-sided ]; } || ! from nightly; then
                    case $program in views) choice=(5) ;; calls) choice=("$fcoll" repeated-access) ;; esac
                fi
                run_command 300 "$program, $shuffle, osc $osc, 3 hosts x 2 ranks" \
                    "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${mca[@]}" "$build/$program" "$data" short "${choice[@]}"
            done
        done
    done
    if suite_build programs "$here/programs.cc" "$here/harness.cc"; then
        run_command 300 "random programs, 3 hosts x 2 ranks" "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${arguments[@]}" \
            "$build/programs" "$data" $(at_levels 20 20 60 300)
    fi
    if suite_build roll_call "$here/roll_call.cc" "$here/harness.cc"; then
        run_command 120 "a rank that does not come, 3 hosts x 2 ranks" "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- \
            "${arguments[@]}" --mca fcoll_overlap_roll_call 1 "$build/roll_call" "$data"
    fi
    # Gaps are written back where the nodes see each other's writes, which is not known of FUSE, unless the user gives his word.
    if suite_build between_nodes "$here/between_nodes.cc" "$here/tiles.cc" "$here/system_calls.cc" "$here/harness.cc"; then
        gaps=("${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${arguments[@]}" --mca fcoll_base_verbose 1)
        holds "gaps are written back on a file system of this node" answers 0 'written bytes .holes auto.' "${gaps[@]}" "$build/between_nodes" "$data"
        if mount_storage "$scratch/storage"; then
            holds "gaps are listed between nodes that may not see each other's writes" answers 0 'holes list instead of auto: .* caches of several nodes' \
                "${gaps[@]}" "$build/between_nodes" "$scratch/storage"
            holds "the user's word has them written back" answers 0 'written bytes .holes sieve.' \
                "${gaps[@]}" --mca fcoll_overlap_holes sieve "$build/between_nodes" "$scratch/storage"
            umount_storage
        fi
    fi
    # Long pieces are their ranks', and what all ranks read is read once, whether the nodes are known to see each other's writes or not.
    if suite_build long_pieces "$here/long_pieces.cc" "$here/harness.cc"; then
        long=("${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${arguments[@]}" --mca fcoll_base_verbose 1)
        for why in 'long pieces' 'few or long pieces'; do # of the write, and of the read
            holds "by their ranks: $why" answers 0 "own bytes .$why" "${long[@]}" "$build/long_pieces" "$data"
        done
        if mount_storage "$scratch/storage"; then
            holds "what all ranks read goes round" answers 0 'all ranks that read ask for the same bytes' "${long[@]}" "$build/long_pieces" "$scratch/storage"
            umount_storage
        fi
    fi
    # Hosts are found in the file by the names that Open MPI gives them; that the choice follows from the distances, unit tests show.
    printf 'SwitchName=leaf1 Nodes=%s-1\nSwitchName=leaf2 Nodes=%s-[2-3]\nSwitchName=top Switches=leaf1,leaf2\n' \
        "overlap-f$$" "overlap-f$$" >"$scratch/topology.conf"
    if suite_build placement "$here/placement.cc" "$here/harness.cc"; then
        for strategy in $(at_levels lap = = 'locality lap tapioca'); do
            run=("${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${arguments[@]}" --mca fcoll_base_verbose 1
                --mca fcoll_overlap_writes collective --mca fcoll_overlap_placement $strategy --mca fcoll_overlap_topology "$scratch/topology.conf")
            run_command 300 "placement $strategy over two switches" "${run[@]}" "$build/placement" "$data"
            holds "$strategy finds the hosts in the topology file" \
                answers 0 "placement $strategy over tree of 3 switches" "${run[@]}" "$build/placement" "$data"
            # One aggregator for each of two nodes, and none elsewhere.
            holds "$strategy keeps to cb_config_list" answers 0 " 2 aggregators \\(placement $strategy" "${run[@]}" "$build/placement" \
                "$data" cb_nodes=6 "cb_config_list=overlap-f$$-3:1,overlap-f$$-1"
        done
    fi
fi
suite_end
