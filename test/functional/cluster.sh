#!/bin/bash
# Collective writes between emulated hosts over TCP, with each shuffle. Root and iproute2 are needed. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$suite_dir/functional
cluster=("$suite_dir/../bench/cluster" --name "f$$")

suite_clean() {
    "${cluster[@]}" down >/dev/null 2>&1
    rm -rf "$scratch" "$data"
}

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
    [ "$version" != 4 ] || windows=(none pt2pt ucx)
    for program in views calls; do
        suite_build $program "$here/$program.cc" "$here/harness.cc" "$here/patterns.cc" || break
        for osc in "${windows[@]}"; do
            for shuffle in two-sided put-fence put-lock; do
                [ $osc = none ] || [ $shuffle != two-sided ] || continue
                mca=("${arguments[@]}" --mca fcoll_overlap_shuffle $shuffle --mca fcoll_overlap_window_threshold 0)
                [ $osc = none ] || mca+=(--mca osc $osc)
                run_command 300 "$program, $shuffle, osc $osc, 3 hosts x 2 ranks" \
                    "${cluster[@]}" run --ranks-per-host 2 --mpirun "$mpirun" -- "${mca[@]}" "$build/$program" "$data" short
            done
        done
    done
fi
suite_end
