#!/bin/bash
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

# costs NAME WRITES HINTS COUNT: so many beside those of open and close.
costs() {
    local all beside
    all=$(collectives "$2" "$3") && beside=$((all - ompio))
    if [ "${beside:-}" = "$4" ]; then
        passed=$((passed + 1))
        echo "ok   $1: $beside"
    else
        failed=$((failed + 1))
        echo "FAIL $1: ${beside:-?} collective operations, $4 are right"
        tail -20 "$scratch/output"
    fi
}

if ! "$(dirname "$mpirun")/ompi_info" --parsable 2>/dev/null | grep -q '^mca:pml:monitoring:'; then
    skip "the costs of a file: this Open MPI has no pml monitoring"
elif suite_build opens "$here/opens.cc" "$here/harness.cc"; then
    ompio=$(collectives 0 alike) # nobody writes
    costs "the first write agrees on the engine and on itself" 1 alike 2
    costs "each write that follows agrees once" 5 alike 6
    costs "hints that are unlike cost a broadcast and two agreements" 5 unlike 9
fi
suite_end
