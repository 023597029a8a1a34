#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# What a file costs in collective operations beside those of OMPIO, as Open MPI's monitoring counts them. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
ranks=4

# collectives WRITES HINTS: of the file's communicator, on rank 0; nothing where the job fails.
collectives() {
    rm -f "$scratch"/counts.*
    timeout -k 10 60 "$mpirun" --oversubscribe -n $ranks "${arguments[@]}" --mca pml_monitoring_enable 1 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$scratch/counts" "$build/opens" "$data" "$@" </dev/null >"$scratch/output" 2>&1 &&
        awk -F'\t' '/^D/ { counts = /DUP FROM/ } /^(A2A|A2O|O2A)/ && counts { split($4, words, " "); sum += words[1] } END { print sum + 0 }' \
            "$scratch/counts.0.prof"
}

# cost COUNT WRITES HINTS: whether they are so many beside those of open and close.
cost() {
    local all
    all=$(collectives "${@:2}") && is "$((all - ompio))" "$1" || { tail -20 "$scratch/output" && false; }
}

if ! "$(dirname "$mpirun")/ompi_info" --parsable 2>/dev/null | grep -q '^mca:pml:monitoring:'; then
    skip "the costs of a file: this Open MPI has no pml monitoring"
elif suite_build opens "$here/opens.cc" "$here/harness.cc"; then
    ompio=$(collectives 0 alike) # nobody writes
    holds "the first write agrees on the engine and on itself" cost 2 1 alike
    holds "each write that follows agrees once" cost 6 5 alike
    holds "hints that are unlike cost a broadcast and two agreements" cost 9 5 unlike
fi
suite_end
