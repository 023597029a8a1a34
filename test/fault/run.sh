#!/bin/bash
# Writes that fail, under mpirun; arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"

if suite_build fault "$suite_dir/fault/fault.cc" "$suite_dir/functional/harness.cc"; then
    for ranks in 1 4 7; do
        run_case $ranks 120 fault size-limit "$data"
        run_case $ranks 120 fault closed-descriptor "$data"
    done
    mkdir "$scratch/full"
    if mount -t tmpfs -o size=3m overlap-test "$scratch/full" 2>/dev/null; then
        mounted=$scratch/full
        for ranks in 1 4 7; do
            run_case $ranks 120 fault full-disk "$scratch/full"
        done
    else
        skip "full-disk: a small tmpfs can only be mounted as root"
    fi
fi
suite_end
