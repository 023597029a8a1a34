#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Functional tests under valgrind: no memory that this component allocated is lost; arguments: see ../mpi_suite.sh. What Open MPI
# itself loses is not counted. LEVEL=nightly and --full try more.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full

# loses_nothing NAME PROGRAM ARGUMENT...: with 2 ranks.
loses_nothing() {
    local name=$1 program=$2 code lost wild
    shift 2
    timeout -k 10 900 "$mpirun" --oversubscribe -n 2 "${arguments[@]}" valgrind --keep-debuginfo=yes --leak-check=full \
        --show-leak-kinds=definite,indirect --num-callers=40 --log-file="$scratch/valgrind.%p" \
        "$build/$program" "$data" short "$@" >"$scratch/output" 2>&1
    code=$?
    # A loss record is one paragraph; ours are those whose stack goes through the component, but not what Open MPI 4.1 loses of each message.
    # (The stacks of glibc's aio threads, which live on, are only possibly lost.)
    lost=$(cat "$scratch"/valgrind.* | sed 's/^==[0-9]*== \{0,1\}//' |
        awk 'BEGIN { RS = "" } /(definitely|indirectly) lost in loss record/ && /fcoll_overlap_|overlap::/ && !/orte_show_help/')
    # Reads and writes out of place count wherever they happen with the component on the stack.
    wild=$(cat "$scratch"/valgrind.* | sed 's/^==[0-9]*== \{0,1\}//' |
        awk 'BEGIN { RS = "" } /Invalid (read|write)/ && /fcoll_overlap_|overlap::/')
    rm -f "$scratch"/valgrind.*
    if [ $code = 0 ] && [ -z "$lost$wild" ]; then
        passed=$((passed + 1))
        echo "ok   no leak: $name"
    else
        failed=$((failed + 1))
        echo "FAIL $name under valgrind (exit code $code)"
        tail -5 "$scratch/output"
        echo "$lost$wild" | head -40
    fi
}

topics=(noncontiguous-memory)
every=36
if [ "$full" = full ]; then topics+=(repeated-access two-files-at-once) every=12; fi
if suite_build calls "$suite_dir/functional/calls.cc" "$suite_dir/functional/harness.cc"; then
    for topic in "${topics[@]}"; do loses_nothing "$topic" calls "$fcoll" "$topic"; done
fi
if suite_build nonblocking "$suite_dir/functional/nonblocking.cc" "$suite_dir/functional/harness.cc"; then
    loses_nothing "nonblocking calls" nonblocking $every
fi
suite_end
