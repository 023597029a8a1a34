#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The command overlap: helps that fit a screen, completion for bash, and overlap report. Without MPI. The last line is
# "N passed, N failed".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
overlap=$here/bench/overlap
read -ra commands <<<"$(sed -n 's/^commands="\(.*\)"$/\1/p' "$overlap")"

# fits COMMAND...: nothing is built for it, it is of at most 24 lines of 80 characters, and begins with how to call it.
fits() {
    OVERLAP_CACHE=$scratch/no-cache timeout 20 "$@" >"$scratch/help" || return
    cat "$scratch/help"
    [ ! -e "$scratch/no-cache" ] && [ "$(wc -l <"$scratch/help")" -le 24 ] && ! grep -qE '^.{81}' "$scratch/help" && head -1 "$scratch/help" | grep -q '^overlap '
}
holds "there are seven commands" is "${#commands[@]}" 7
holds "overlap help fits a screen" fits "$overlap" help
for command in "${commands[@]}"; do
    holds "overlap help $command fits a screen" fits "$overlap" help "$command"
    holds "overlap $command --help is the same" is "$("$overlap" "$command" --help)" "$("$overlap" help "$command")"
    holds "overlap help names $command" grep -qE "^  $command +" <("$overlap" help)
    holds "overlap $command --version" is "$("$overlap" "$command" --version)" "overlap $("$here/config/version.sh")"
    holds "the man page of overlap $command" test -s "$here/docs/reference/man/overlap-$command.rst"
done
holds "without a command it tells its usage" answers 2 'overlap COMMAND' "$overlap"
holds "an unknown command" answers 2 'no command "nonsense"; there are: doctor' "$overlap" nonsense

# documented COMMAND: each option that its help names is in its man page too.
documented() {
    local option missing=0
    for option in $("$overlap" help "$1" | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
        grep -qF -- "$option" "$here/docs/reference/man/overlap-$1.rst" || [[ $option =~ ^--(help|version)$ ]] || { echo "$option is missing" && missing=1; }
    done
    return $missing
}
for command in "${commands[@]}"; do holds "the man page of overlap $command has the options of its help" documented "$command"; done

# Options are alike: --name VALUE and --name=VALUE are the same, and one that is not known is refused in the same words. Those of compare's kernels,
# of placement and of simulate are refused in their own suites, which build them.
# alike COMMAND NAME VALUE [ARGUMENT...]
alike() {
    local command=$1 name=$2 value=$3 code=0 other=0
    shift 3
    "$overlap" "$command" "${first[@]}" "$name" "$value" "$@" >"$scratch/apart" 2>&1 || code=$?
    "$overlap" "$command" "${first[@]}" "$name=$value" "$@" >"$scratch/joined" 2>&1 || other=$?
    cat "$scratch/apart"
    [ -s "$scratch/apart" ] && is $other $code && diff "$scratch/apart" "$scratch/joined"
}
first=(run "$scratch/sweep")
holds "options of sweep are alike" alike sweep --repetitions none slots=1 -- true
holds "sweep refuses an option" answers 2 '^sweep: .*--nonsense; overlap sweep --help tells more$' "$overlap" sweep "${first[@]}" --nonsense
first=()
holds "options of doctor are alike" alike doctor --hints "$scratch/nowhere"
holds "options of compare are alike" alike compare --repetitions 0 -- true
holds "options of timeline are alike" alike timeline --width 0 trace.json
holds "options of report are alike" alike report --sort nothing reports
holds "doctor refuses an option" answers 2 '^doctor: "--nonsense" is not understood; overlap doctor --help tells more$' "$overlap" doctor --nonsense
holds "compare refuses an option" answers 2 '^compare: .*--nonsense; overlap compare --help tells more$' "$overlap" compare --nonsense -- true
for command in timeline report; do
    holds "$command refuses an option" answers 2 "^$command: .*--nonsense; overlap $command --help tells more\$" "$overlap" $command file --nonsense
done

# completes EXPECTED WORD...: of the last word.
completes() {
    local expected=$1
    shift
    PATH=$here/bench:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _overlap; echo "${COMPREPLY[@]}"' bash \
        "$here/bench/overlap.completion" "$@" >"$scratch/completed"
    is "$(cat "$scratch/completed")" "$expected"
}
holds "bash completes a command" completes doctor overlap "do"
holds "behind help as well" completes sweep overlap help sw
holds "options, those of the command" completes "--storage-latency-ms --storage-mbps" overlap compare --storage
holds "and those of another one" completes --hints overlap doctor --hi
holds "files" completes "$scratch/completed" overlap report "$scratch/compl"

# A report of two files, one among the lines of a job.
direction() {
    printf '{"calls": %s, "bytes": %s, "chosen": "schedule none", "overlap": {"gained": 0.5}, "seconds": {' "$1" "$2"
    printf '"shuffle": {"least": 0, "mean": 1, "most": 1}, "file": {"least": 0, "mean": 2, "most": 2}, "elapsed": {"least": 1, "mean": 4, "most": 5}}}'
}
{
    printf '{"overlap_report": 1, "file": "a", "ranks": 4, "writes": %s, "reads": %s}\n' "$(direction 3 5000000)" "$(direction 0 0)"
    echo "a line of the job"
    printf '[1,0]<stderr>: {"overlap_report": 1, "file": "b", "ranks": 8, "writes": %s, "reads": %s}\n' "$(direction 1 10000000)" "$(direction 2 15000000)"
} >"$scratch/reports"
printf 'file,what,ranks,calls,MB,seconds,MB/s,shuffle,file%%,gained\na,writes,4,3,5.0,5,1.0,25,50,50\nb,writes,8,1,10.0,5,2.0,25,50,50\nb,reads,8,2,15.0,5,3.0,25,50,50\n' >"$scratch/table"
holds "a report as values" diff <("$overlap" report --csv "$scratch/reports" | tr -d '\r') "$scratch/table"
holds "a report as a table, sorted" is "$("$overlap" report --sort MB "$scratch/reports" | awk 'NR > 1 { print $1 $2 }' | xargs)" "breads bwrites awrites"
holds "a report from the standard input, with what was chosen" answers 0 'schedule none' "$overlap" report --chosen - <"$scratch/reports"
echo "nothing" >"$scratch/nothing"
holds "no report" answers 1 'there is no report in' "$overlap" report "$scratch/nothing"
holds "no file" answers 2 'No such file' "$overlap" report "$scratch/nowhere"

# Each shell script that is installed, with what it sources.
read -ra scripts <<<"$(sed -n 's/^command_scripts = //p' "$here/Makefile.am")"
for script in "${scripts[@]}" overlap.completion; do
    case $(head -1 "$here/bench/$script") in *python3) continue ;; esac
    if command -v shellcheck >/dev/null; then
        holds "shellcheck $script" shellcheck --shell bash --external-sources "$here/bench/$script"
    else
        skip "shellcheck $script: shellcheck is missing"
    fi
done
suite_end
