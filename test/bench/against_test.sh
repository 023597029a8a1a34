#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/against: what it concludes from given times, which jobs it runs again, failed jobs, and one case with the real programs. mpirun is a
# stand-in that says what a case tells it. No real time decides. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
program=$("$here/config/bench.sh" against | tail -1)
export STAND_IN=$scratch/stand-in FOLDERS=$scratch/folders TMPDIR=$scratch
mkdir "$STAND_IN"

shows() { cat "$scratch/answer" && grep -qE -- "$1" "$scratch/answer"; }

# Times of a component, one a line for each job, the last one for all that follow; "fails" for a job that leaves nothing.
cat >"$scratch/mpirun" <<'END'
#!/bin/bash
while [ "$1" != bench ]; do
    [ "$1" != mca_base_component_path ] || component=$2
    [ "$1" != pml_monitoring_filename ] || { echo "E	0	1	1048576 bytes	12 msgs sent	0" >"$2.0.prof" && counted=yes; }
    [ "$1" != fcoll_overlap_report_file ] || echo '{"writes":{"bytes_to_self":3145728,"bytes_to_node":0},"reads":{}}' >"$2"
    shift
done
if [ -n "${counted:-}" ]; then
    seconds=1
else
    echo "$component" >>"$STAND_IN/jobs"
    turn=$(grep -c "^$component\$" "$STAND_IN/jobs")
    seconds=$(sed -n "${turn}p" "$STAND_IN/$component" | grep . || tail -1 "$STAND_IN/$component")
fi
[ "$seconds" != fails ] || exit 3
while [ $# -gt 0 ]; do
    [ "$1" != --file ] || dirname "$2" >>"$FOLDERS"
    if [ "$1" = --json ]; then
        echo '{"peak_memory":2097152,"repetitions":[{"open":0.5,"close":0.25,"seconds":'"$seconds"'}]}' >"$2"
    fi
    shift
done
END
chmod +x "$scratch/mpirun"

# Lines of times for the component before and the one of now, then arguments.
given() {
    rm -f "$STAND_IN"/*
    tr ' ' '\n' <<<"$1" >"$STAND_IN/before"
    tr ' ' '\n' <<<"$2" >"$STAND_IN/now"
    shift 2
    "$program" --mpirun "$scratch/mpirun" --overlap-bench bench --tools "$here/bench" --before before --now now "$@"
}

wrong_arguments() {
    holds "without a commit it tells its usage" answers 2 'against COMMIT' "$here/bench/against"
    holds "--help tells its usage" answers 0 'against COMMIT' "$here/bench/against" --help
    holds "an unknown commit is refused" answers 2 'no commit "nowhere"' "$here/bench/against" nowhere
    holds "an unknown case is refused" answers 2 'no case "tile"' "$program" --only-check tile
    holds "so is a case on a setting that there is not" answers 2 'no case "hpio:3:tmpfs"' "$program" --only-check hpio:3:tmpfs
    holds "fewer than 5 alternations are refused" answers 2 '--alternations' "$program" --only-check --alternations 4
    holds "all cases are known" "$program" --only-check 256B 1MiB-read hpio lists:8:ext4 nonblocking small open
}

export -f given
export program here scratch
say() { answers "$1" "$2" bash -c 'given "$@"' given "${@:3}"; }

conclusions() {
    holds "a range that holds 1" say 0 '^hpio:4:tmpfs .*1\.0100 +1\.0000 +1\.000 +0\.952\.\.1\.000 .* no difference seen$' \
        "1 1.01 1.02 1.05 1" "0.99 1.01 1.02 1 1" hpio:4:tmpfs
    holds "twelve messages, 1 MiB sent, 3 exchanged, 2 of memory, the same of both" shows ' 12 +1\.0 +3\.0 +2\.0  no difference'
    holds "each component came first in its turn" is "$(tr '\n' ' ' <"$STAND_IN/jobs")" \
        "before now now before before now now before before now "
    holds "10 % slower" say 1 '^hpio:4:tmpfs .* 1\.100 .* SLOWER \(measured again, 20 times\)$' "1" "1.1" hpio:4:tmpfs
    holds "was measured 25 times" is "$(grep -c now "$STAND_IN/jobs")" 25
    holds "slower by chance: new times alone count" say 0 '1\.000 +1\.000\.\.1\.000 .* no difference seen \(measured again' \
        "1" "1.2 1.2 1.2 1.2 1.2 1" hpio:4:tmpfs
    holds "a median that is slower, and an outlier" say 1 '1\.100\.\.1\.100 .* SLOWER' "1 1 1 1 1.5 1" "1.1" hpio:4:tmpfs
    holds "three outliers of twenty are left out" say 1 '1\.100\.\.1\.100 .* SLOWER' "1 1 1 1 1 2 2 1 2 1" "1.1" hpio:4:tmpfs
    holds "four are not" say 0 '0\.550\.\.1\.100 .* no difference' "1 1 1 1 1 2 2 2 2 1" "1.1" hpio:4:tmpfs
    holds "2 % slower is tolerated" say 0 'slower by 3 % or less$' "1" "1.02" hpio:4:tmpfs
    holds "faster" say 0 ' faster$' "1" "0.9" hpio:4:tmpfs
    holds "open takes the time of open and close" say 0 '^open:8:ext4 +0\.7500 +0\.7500' "1" "1" open:8:ext4 --no-counts
    holds "without counts" shows ' - +- +- +- +-  no difference'
    holds "six cases at most are measured again" say 1 '^lists-read:.* perhaps slower, not measured again$' "1" "1.1" --no-counts \
        256B:4:tmpfs 1MiB:4:tmpfs hpio:4:tmpfs lists:4:tmpfs 256B-read:4:tmpfs 1MiB-read:4:tmpfs hpio-read:4:tmpfs lists-read:4:tmpfs
    holds "a job that fails" say 1 '^hpio:4:tmpfs .* FAILED$' "1" "fails" hpio:4:tmpfs
    holds "one of the other commit" say 1 'FAILED in the other commit$' "1 fails" "1" hpio:4:tmpfs
    holds "jobs have folders" grep -q '^/dev/shm/overlap-compare\.' "$FOLDERS"
    holds "of which nothing is left" is "$(sort -u "$FOLDERS" | xargs ls -d 2>/dev/null | wc -l)" 0
}

# The same component twice. Which of the two is slower this time is not asked.
real() {
    local path=$component_path bench
    bench=$("$here/config/bench.sh" overlap-bench "$mpicxx" | tail -1)
    "$program" --mpirun "$mpirun" --overlap-bench "$bench" --tools "$here/bench" --before "$path" --now "$path" \
        open:4:tmpfs >"$scratch/answer" 2>&1
    holds "it ends" [ $? -le 1 ]
    holds "a table with counts" shows '^open:4:tmpfs .*\.\.[0-9.]+ +[0-9/]+ +[0-9/]+ +[0-9./]+ +[0-9./]+ +[0-9./]+  '
    holds "without a failed job" is "$(grep -cE 'FAILED|exit code' "$scratch/answer")" 0
    holds "the stand-in for a slow commit applies" git -C "$here" apply --check test/bench/against_slower.patch
}

wrong_arguments
conclusions
if [ "$component_path" != none ]; then real; else skip "the real programs: no component of its own"; fi
suite_end
