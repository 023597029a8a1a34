#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/sweep: which values a list or a range stands for, what is refused, the order, sweeps that are ended and go on, runs that fail,
# and what the report holds. What is run is a stand-in, and its times are no matter; with a component one sweep is of a real write, and
# what its report says as a rule is one to the component. Arguments: see ../mpi_suite.sh; LEVEL=nightly and --full try more. The last line is
# "N passed, N failed[, N skipped]".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
[ "$level" != nightly ] || full=full
here=$(cd "$suite_dir/.." && pwd)
. "$here/test/bench/sweep_stand_in.sh"

# refused PATTERN ARGUMENT...: as a sweep of a command.
refused() {
    holds "run ${*:2} is refused" answers 2 "sweep: .*$1" "$sweep" run "$scratch/refused" "${@:2}" -- true
}

wrong_arguments() {
    refused 'did you mean algorithm' algoritm=none
    refused 'no value comms; there are none, comm, write' algorithm=comms
    refused '17 is not 0 or 2 to 16' slots=8..17
    if [ "$full" = full ]; then
        refused 'many is no number' slots=many
        refused 'never ends' "slots=0..8*2"
        refused 'is there twice' slots=2..4,3
        refused 'no MCA parameter carries; of hints there are cb_nodes and cb_buffer_size' striping_unit=1M
        refused 'no regular expression' slots=2 --metric '('
        refused 'unrecognized arguments: --repetition' slots=2 --repetition 3
    fi
    holds "a command that sets the parameter itself is refused" answers 2 'the command itself sets fcoll_overlap_slots' \
        "$sweep" run "$scratch/refused" slots=2 -- mpirun --mca fcoll_overlap_slots 4 true
    holds "so is a folder without a sweep" answers 2 'there is no sweep in' "$sweep" report "$scratch/refused"
    holds "nothing was made for that" [ ! -e "$scratch/refused/sweep.json" ]
    holds "without arguments it tells its usage" answers 2 'overlap sweep run FOLDER' "$sweep"
}

# means TEXT NAME VALUES: what Open MPI gets.
means() {
    rm -rf "$scratch/means"
    "$sweep" run "$scratch/means" "$1" --slurm -- true >"$scratch/answer" 2>&1
    holds "$1 means $3 of $2" is "$(python3 -c 'import json, sys; p = json.load(open(sys.argv[1]))["parameters"][0]; print(p["mca"], *p["values"])' \
        "$scratch/means/sweep.json")" "$2 $3"
}

values() {
    means algorithm=3..4,none fcoll_overlap_algorithm "write-comm write-comm-2 none"
    holds "names and bounds are those of the component" names_of_the_component
    [ "$full" = full ] || return
    means slots=0,2..8+3 fcoll_overlap_slots "0 2 5 8"
    means "cb_nodes=1..9*2" io_ompio_num_aggregators "1 2 4 8"
    means cb_buffer_size=1M,4MiB io_ompio_bytes_per_agg "1048576 4194304"
    means 'storage_nodes=a\,b,c' fcoll_overlap_storage_nodes "a,b c"
    means btl_tcp_eager_limit=1K..3K+1K btl_tcp_eager_limit "1024 2048 3072"
}

names_of_the_component() {
    python3 - "$here" <<'END'
import re, sys
here = sys.argv[1]
sys.dont_write_bytecode = True
sys.path[:0] = [here + "/bench/sweep.d", here + "/bench/page"]
import parameters
component = here + "/ompi/mca/fcoll/overlap/"
settings = open(component + "engine/base/settings.cc").read()
tables = {name: re.findall(r'"([^"]+)"', text) for name, text in re.findall(r"overlap_(\w+)_names\[\] = \{(.*?)\};", settings, re.DOTALL)}
table = open(component + "fcoll_overlap_params.c").read().partition("params[] = {\n")[2].partition("\n};")[0]
rows = {re.search(r'\((\w+)|"(\w+)"', row).expand(r"\1\2"): row for row in re.split(r"\n(?=    \S)", table)}
for name, names in parameters.NAMES.items():
    found = re.search(r"ONE_OF\(\w+, \w+, (\w+)|overlap_(\w+)_names", rows[name]).expand(r"\1\2")
    assert tables[found] == names, (name, tables[found], names)
assert set(rows) == set(parameters.NAMES) | set(parameters.NUMBERS) | set(parameters.TEXTS), set(rows)
constants = dict(re.findall(r"\b(OVERLAP_\w+) = (\d+)", open(component + "engine/base/settings.h").read()))
for name, (least, _, zero) in parameters.NUMBERS.items():
    bound = re.search(r"_FROM\(\w+, \w+, ([^,]+),", rows[name])
    assert least == (eval(constants.get(bound.group(1), bound.group(1))) if bound else 0), name
    kind = "BYTES_FROM" if name in parameters._BYTES else "ZERO_OR_FROM" if zero else "NUMBER"
    assert kind in rows[name], name
for name in parameters.TEXTS:
    assert re.search(r"TEXT_OF|PATH_OF|\.kind = TEXT", rows[name]), name
END
}

# order FOLDER: of the runs of its sweep.
order() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["order"])' "$scratch/$1/sweep.json"; }

orders() {
    "$sweep" run "$scratch/order-a" slots=2..9 --repetitions 3 --seed 5 --slurm -- true >/dev/null
    "$sweep" run "$scratch/order-b" slots=2..9 --repetitions 3 --seed 5 --slurm -- true >/dev/null
    "$sweep" run "$scratch/order-c" slots=2..9 --repetitions 3 --seed 6 --slurm -- true >/dev/null
    holds "the same seed means the same order" is "$(order order-a)" "$(order order-b)"
    holds "another seed means another" [ "$(order order-a)" != "$(order order-c)" ]
    holds "each round has each setting once, in an order of its own" python3 -c '
order = eval(input())
rounds = [order[i:i + 8] for i in (0, 8, 16)]
for i, one in enumerate(rounds):
    assert sorted(one) == [[setting, i] for setting in range(8)], one
assert len({str([setting for setting, _ in one]) for one in rounds}) == 3' <<<"$(order order-a)"
}

environments() {
    # shellcheck disable=SC2016
    holds "a sweep" env OMPI_MCA_fcoll_overlap_slots=7 "$sweep" run "$scratch/environment" algorithm=none,default slots=2,default --repetitions 1 -- \
        sh -c 'echo $(env | grep ^OMPI_MCA_f | sort) >>"$STAND_IN/seen"'
    holds "values arrive, and default takes away even what stands in the environment" is "$(sort "$STAND_IN/seen")" "OMPI_MCA_fcoll=overlap
OMPI_MCA_fcoll=overlap OMPI_MCA_fcoll_overlap_algorithm=none
OMPI_MCA_fcoll=overlap OMPI_MCA_fcoll_overlap_algorithm=none OMPI_MCA_fcoll_overlap_slots=2
OMPI_MCA_fcoll=overlap OMPI_MCA_fcoll_overlap_slots=2"
    # shellcheck disable=SC2016
    holds "what the environment says of fcoll stays" answers 0 '^1 of 1 runs, 0 failed' env OMPI_MCA_fcoll=vulcan "$sweep" run "$scratch/environment2" \
        slots=2 --repetitions 1 -- sh -c '[ "$OMPI_MCA_fcoll" = vulcan ] && [ "$OMPI_MCA_io" = ompio ]'
}

results() {
    go_on whole >"$scratch/answer"
    holds "a sweep with a metric" grep -qE '^24 of 24 runs, 0 failed; .* in MB/s, more is better$' "$scratch/answer"
    holds "best first" is "$(sed -n 2p "$scratch/answer" | tr -s ' ')" "810 808 812 3 0 algorithm=comm slots=8"
    holds "CSV has a line for each run" is "$(wc -l <"$scratch/whole/results.csv")" 25
    holds "JSON has the settings, best first, and the runs" is \
        "$(json whole 'd["settings"][0]["values"], d["settings"][0]["median"], len(d["settings"]), len(d["runs"]), d["sweep"]["seed"]')" \
        "{'algorithm': 'comm', 'slots': '8'} 810.0 8 24 5"
    holds "elsewhere than on a terminal there is a line for each run" is "$(grep -cE '^[0-9]+/24 algorithm=.* MB/s; .* left$' "$scratch/whole.log")" 24
    holds "without an escape sequence" [ "$(grep -c $'\033' "$scratch/whole.log")" = 0 ]
    holds "the same arguments do as well, with the seed it had" answers 0 ' 0 of 24 runs to do, order of seed 5' \
        "$sweep" run "$scratch/whole" "${what[@]}" --timeout 60 -- "$scratch/app"
    holds "other arguments are refused" answers 2 'another sweep, its parameters differ' \
        "$sweep" run "$scratch/whole" slots=2 "${metric[@]}" --timeout 60 -- "$scratch/app"
    cp -r "$scratch/whole" "$scratch/more"
    holds "more repetitions add to it" answers 0 ' 8 of 32 runs to do' "$sweep" run "$scratch/more" --repetitions 4
    holds "and leave the runs that there were" is "$(table more | sed -n 1,24p)" "$(table whole)"
    holds "two at a time are refused" answers 1 'another overlap sweep runs' flock "$scratch/whole/lock" "$sweep" run "$scratch/whole"
    holds "the wall time is what counts without a metric" "$sweep" run "$scratch/wall" slots=2 --repetitions 1 -- sleep 0.2
    holds "in seconds" is "$(json wall '0.2 <= d["runs"][0]["value"] < 60, d["sweep"]["unit"]')" "True s"
    "$sweep" run "$scratch/last" --repetitions 1 --metric 'x=([0-9.e+-]+)' -- echo 'x=1 x=2 y x=3.5e-2 x=- ' >/dev/null 2>&1
    holds "of several matches the last number counts" is "$(json last 'd["runs"][0]["value"]')" 0.035
}

resumed() {
    local signal pid
    # The stand-in ends the sweep that runs it, in its seventh run.
    (killed_at=7 how=KILL go_on killed) >/dev/null 2>&1
    holds "a killed sweep has what it had" is "$(wc -l <"$scratch/killed/results.jsonl")" 6
    holds "status says what is missing" answers 0 '^6 of 24 runs, 0 failed, 18 missing' "$sweep" status "$scratch/killed"
    holds "it goes on where it was" answers 0 '18 of 24 runs to do' "$sweep" run "$scratch/killed"
    holds "to the same table as without" is "$(table killed)" "$(table whole)"

    for signal in $([ "$full" != full ] || echo KILL) TERM; do
        # shellcheck disable=SC2016
        "$sweep" run "$scratch/sleeper-$signal" slots=2 --repetitions 1 -- sh -c 'echo $$ >"$STAND_IN/sleeper"; exec sleep 600' >/dev/null 2>&1 &
        pid=$!
        holds "a run begins" within_a_minute test -s "$STAND_IN/sleeper"
        kill -$signal $pid
        wait $pid 2>/dev/null
        holds "with SIG$signal its command ends as well" within_a_minute gone "$(cat "$STAND_IN/sleeper")"
        holds "and has no result" [ ! -s "$scratch/sleeper-$signal/results.jsonl" ]
        rm -f "$STAND_IN/sleeper"
    done

    cp -r "$scratch/whole" "$scratch/torn"
    sed -i '20,$d' "$scratch/torn/results.jsonl"
    printf '{"run": 19, "repetition": 2, "val' >>"$scratch/torn/results.jsonl"
    holds "a torn last line counts for nothing" answers 0 '^19 of 24 runs' "$sweep" status "$scratch/torn"
    holds "and is no matter for who goes on" answers 0 ' 5 of 24 runs to do' "$sweep" run "$scratch/torn"
    holds "to the same table" is "$(table torn)" "$(table whole)"
    sed -i '3s/.*/no result/; 5s/"value": [^,]*/"value": null/' "$scratch/torn/results.jsonl"
    holds "a line in the middle that is no result is told" answers 0 'results.jsonl:3 is no result' "$sweep" status "$scratch/torn"
    holds "and both are done again" answers 0 ' 2 of 24 runs to do' "$sweep" run "$scratch/torn"
    holds "to the same table" is "$(table torn)" "$(table whole)"
}

# outcome SLOTS: of the runs with that, in the sweep with trouble.
outcome() { json trouble "{r['outcome'] + ': ' + r['note'] for r in d['runs'] if r['values']['slots'] == '$1'}"; }

failures() {
    cat >"$STAND_IN/trouble" <<'END'
case $2 in
2) kill -SEGV $$ ;;
4) echo nothing && exit ;;
6) # As mpirun does: in a process group of its own, which ignores what is gentle.
    set -m
    (trap '' TERM HUP && exec sleep 600) &
    echo $! >"$STAND_IN/child"
    wait ;;
8) echo "no space left" >&2 && exit 3 ;;
esac
END
    holds "failed runs are no stop" answers 0 '^10 of 10 runs, 8 failed' \
        "$sweep" run "$scratch/trouble" slots=2..10+2 --repetitions 2 --seed 1 --timeout 2 "${metric[@]}" -- "$scratch/app"
    rm "$STAND_IN/trouble"
    holds "an exit code is told, with the last line" is "$(outcome 8)" "{'failed: exit code 3: no space left'}"
    holds "a signal is told" is "$(outcome 2)" "{'failed: ended by SIGSEGV'}"
    holds "so is a timeout" is "$(outcome 6)" "{'timeout: it did not end within 2 s'}"
    holds "of which no process is left" gone "$(cat "$STAND_IN/child")"
    holds "so is an output without the metric" is "$(outcome 4)" "{'no metric: nothing in the output matches the metric'}"
    holds "they are behind those that did not fail" is "$(json trouble 'd["settings"][0]["values"]["slots"], d["settings"][0]["failed"]')" "10 0"
    holds "a resumed sweep leaves them" answers 0 ' 0 of 10 runs to do' "$sweep" run "$scratch/trouble"
    cp -r "$scratch/trouble" "$scratch/retried"
    holds "but with --retry-failed" answers 0 ' 8 of 10 runs to do' "$sweep" run "$scratch/retried" --retry-failed
    holds "after which none is failed" answers 0 '^10 of 10 runs, 0 failed' "$sweep" status "$scratch/retried"
    holds "a command that there is not" answers 0 '1 failed' "$sweep" run "$scratch/nowhere" --repetitions 1 -- /nowhere/app
    holds "says so" is "$(json nowhere 'd["runs"][0]["note"]')" "/nowhere/app: No such file or directory"
}

terminal() {
    command -v script >/dev/null || { skip "the progress bar: there is no script(1)"; return; }
    script -qec "$sweep run $scratch/bar slots=2..5 --repetitions 2 --seed 1 -- $scratch/app" /dev/null >"$scratch/bar.log" 2>&1 </dev/null
    holds "on a terminal there is a bar" grep -q '█' "$scratch/bar.log"
    holds "with the time left" grep -qE '[1-7]/8  [0-9]+ s left' "$scratch/bar.log"
    holds "and no line for each run" [ "$(grep -cE '^[0-9]+/8 slots' "$scratch/bar.log")" = 0 ]
}

# A hundred tasks at once, and an array that is too small for all, by a stand-in for scontrol.
slurm_scripts() {
    local bin=$scratch/slurm-bin
    mkdir -p "$bin"
    printf '#!/bin/sh\necho "MaxArraySize            = 10"\n' >"$bin/scontrol"
    chmod +x "$bin/scontrol"
    cp -r "$scratch/whole" "$scratch/array"
    sed -i '3d;5,6d;9,$d' "$scratch/array/results.jsonl"
    rm -f "$scratch/array/results.csv"
    holds "the script of what is missing" answers 0 '^#SBATCH --array=0,2-3,6-21%4$' "$sweep" run "$scratch/array" --slurm --at-once 4 \
        --sbatch "nodes=4 ntasks-per-node=16" --sbatch time=7
    holds "has what was asked for" [ "$(grep -cE '^#SBATCH --(nodes=4|ntasks-per-node=16|time=7)$' "$scratch/answer")" = 3 ]
    holds "each once" [ "$(grep -c -- '--time' "$scratch/answer")" = 1 ]
    holds "is one of bash" bash -n "$scratch/answer"
    holds "knows which task is which run" grep -qE "/sweep task $scratch/array \\\$\(\(SLURM_ARRAY_TASK_ID \+ 2\)\)$" "$scratch/answer"
    holds "what an array cannot hold is told" env PATH="$bin:$PATH" "$BASH" -c '"$1" run "$2" --slurm 2>&1 | grep "12 runs do not fit"' sh "$sweep" "$scratch/array"
    holds "nothing was run for that" [ ! -e "$scratch/array/tasks" ]
    holds "where there is no sbatch that is told" answers 77 'no sbatch' env PATH="$(no_slurm)" "$sweep" run "$scratch/array" --submit
    holds "a task has a line of its own" "$sweep" task "$scratch/array" 4
    holds "of its run" is "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["run"])' "$scratch/array/tasks/4.jsonl")" 4
    holds "a task that has one already does nothing" "$sweep" task "$scratch/array" 4
    holds "but leave it" is "$(wc -l <"$scratch/array/tasks/4.jsonl")" 1
    holds "it counts" answers 0 '^6 of 24 runs' "$sweep" status "$scratch/array"
    holds "a task that the sweep does not have is refused" answers 2 'has no run 24' "$sweep" task "$scratch/array" 24
    holds "what tasks leave goes on here" answers 0 '^24 of 24 runs' "$sweep" run "$scratch/array"
    holds "to the same table" is "$(table array)" "$(table whole)"
}
# The programs that the tool needs, and no Slurm.
no_slurm() {
    mkdir -p "$scratch/no-slurm"
    ln -sf "$(python3 -c 'import sys; print(sys.executable)')" "$scratch/no-slurm/python3"
    echo "$scratch/no-slurm"
}

# text PAGE ID: of the element.
text() { python3 "$here/test/bench/html_page.py" "$1" "$2"; }
rule() { text "$1" rules | python3 -c 'import json, sys; print(json.load(sys.stdin)["collectives"]["write_all"])'; }

# report NAME...: of each sweep one whole page.
report() {
    local name
    for name; do
        holds "a report of $name" answers 0 "^$scratch/$name/report.html$" "$sweep" report "$scratch/$name"
        holds "is one whole page of HTML, with nothing from elsewhere" python3 "$here/test/bench/html_page.py" "$scratch/$name/report.html"
        [ "$full" != full ] || in_browser "$scratch/$name/report.html"
    done
}
# shown SWEEP ID PATTERN: the element of its report has it.
shown() { grep -qE "$3" <<<"$(text "$scratch/$1/report.html" "$2")"; }
# measured FOLDER ARGUMENT...: a sweep of a metric v.
measured() { "$sweep" run "$scratch/$1" --repetitions 5 --metric 'v=(.*)' "${@:2}" >/dev/null 2>&1; }

reports() {
    local page=$scratch/whole/report.html
    if ! python3 -c 'import matplotlib' 2>/dev/null && ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
        skip "the report: python3-matplotlib is missing"
        return
    fi
    cp -r "$scratch/whole" "$scratch/few"
    sed -i '11,$d' "$scratch/few/results.jsonl"
    report whole few trouble
    holds "the best setting" shown whole best 'algorithm +comm +slots +8'
    holds "its median and interval" shown whole best '810 MB/s +median of 3 runs, 95 % interval 808 to 812'
    holds "of three runs there is no confidence to tell" shown whole best '3 runs of a setting are too few to tell'
    holds "so that it is not called the best" shown whole best 'not shown to be the best setting'
    holds "box plots, effects and a pair" is "$(grep -c '<svg' "$page")" 3
    holds "what matters most" shown whole effects 'slots matters most'
    holds "lines for openmpi-mca-params.conf" is "$(text "$page" mca | tail -n +2)" "io = ompio
fcoll = overlap
fcoll_overlap_algorithm = comm
fcoll_overlap_slots = 8"
    holds "a rule" is "$(rule "$page")" "[{'algorithm': 'comm', 'slots': 8}]"
    holds "all settings, best first" is "$(text "$page" settings | tr -s ' \n' ' ' | grep -oE '(none|comm) [2-8] ' | head -3 | tr -d '\n')" "comm 8 none 8 comm 6 "
    holds "what failed is shown" shown trouble failures 'no space left'
    holds "and never best" shown trouble best 'slots +10'
    holds "what is missing is told" grep -q '14 runs are missing' "$scratch/few/report.html"
    [ "$full" = full ] || return
    # Of five draws from 1, 1, 1, 10, 10 three and more are 1, below the other's 5, with a probability of 0.683.
    # shellcheck disable=SC2016
    measured odds slots=2,4 -- sh -c \
        'if [ $OMPI_MCA_fcoll_overlap_slots = 4 ]; then echo v=5; elif [ $OVERLAP_SWEEP_REPETITION -lt 3 ]; then echo v=1; else echo v=10; fi'
    report odds
    holds "a confidence is what can be worked out" shown odds best '6[789] % +confidence'
    holds "five of two values do not tell whether they matter" shown odds effects 'too few runs to tell'
}

more_reports() {
    local page=$scratch/whole/report.html
    holds "what is no text is refused" answers 2 'no text of one line' "$sweep" run "$scratch/bytes" "topology=$(printf 'a\377'),c" -- true
    "$sweep" run "$scratch/one" slots=2,4 --repetitions 1 -- true >/dev/null 2>&1
    measured equal slots=2,4 -- echo v=0
    "$sweep" run "$scratch/none" slots=2 --slurm -- true >/dev/null
    # shellcheck disable=SC2016
    measured apart slots=2,4 algorithm=none,comm -- sh -c 'echo v=$OMPI_MCA_fcoll_overlap_slots'
    # Runs that differ as those of one setting do: the largest and the smallest of six medians lie apart all the same.
    python3 -c 'import random; random.seed(7); [print(random.gauss(100, 5)) for _ in range(1000)]' >"$scratch/noise"
    # shellcheck disable=SC2016
    measured alike slots=2..7 algorithm=none..comm --seed 1 -- sh -c 'echo v=$(sed -n $((OVERLAP_SWEEP_RUN + 1))p "$1")' sh "$scratch/noise"
    report one equal nowhere none apart alike
    holds "of values that do not meet the others' something is told" shown apart effects 'slots matters most'
    holds "one run of each tells nothing" shown one best '1 run of a setting is too few to tell'
    holds "noise matters nowhere" shown alike effects 'No parameter is shown to matter'
    holds "equal settings have even chances" shown equal best '50 % +confidence'
    holds "and are called so" shown equal best 'No other setting can be told from it'
    holds "where all failed there is no best" grep -q 'No best setting' "$scratch/nowhere/report.html"
    "$sweep" report "$scratch/whole" --output "$scratch/again.html" >/dev/null
    holds "the same results are the same page" cmp "$page" "$scratch/again.html"
    holds "conditions of the rule and a title" "$sweep" report "$scratch/whole" --when ranks_min=16 --when file_system=lustre,gpfs --title 'a <b>'
    holds "stand in it" is "$(rule "$page")" "[{'ranks_min': 16, 'file_system': ['lustre', 'gpfs'], 'algorithm': 'comm', 'slots': 8}]"
    holds "a title is no markup" grep -q '<h1>a &lt;b&gt;</h1>' "$page"
    holds "a condition that there is not is refused" answers 2 'conditions are file_system=NAME' "$sweep" report "$scratch/whole" --when nodes=2
}

# What Chromium has to say of a page; what it says of itself stands elsewhere.
console() {
    timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/chromium" --enable-logging=stderr --dump-dom "file://$1" \
        2>&1 >"$scratch/dom" | grep -a CONSOLE
    grep -q '</main>' "$scratch/dom" || echo "no page"
}
in_browser() { [ -z "$chromium" ] || holds "which Chromium shows without an error" is "$(console "$1")" ""; }
chromium=$(command -v chromium || true)
find_browser() {
    [ -n "$chromium" ] || { skip "pages in a browser: there is no chromium"; return; }
    printf '<main></main><script>nowhere()</script>' >"$scratch/wrong.html"
    holds "Chromium tells an error of a page" grep -q 'nowhere is not defined' <<<"$(console "$scratch/wrong.html")"
}

# Of a real write, and what the component says of the rule.
real() {
    local where=() kernel=$scratch/demo_kernel
    [ "$component_path" != none ] || { skip "a sweep of a real write: no component was given"; return; }
    where=(--mca mca_base_component_path "$component_path")
    holds "a program" "$mpicc" -O1 -o "$kernel" "$here/bench/demo_kernel.c"
    holds "a sweep of a real write" answers 0 '^4 of 4 runs, 0 failed' "$sweep" run "$scratch/real" algorithm=none,write-comm slots=2 --repetitions 2 \
        --timeout 120 --metric '^[0-9.]+$' --unit s -- "$mpirun" --oversubscribe -n 2 "${where[@]}" "$kernel" "$data/file" 65536 16 1
    "$sweep" report "$scratch/real" >/dev/null || { skip "its rule: there is no report"; return; }
    text "$scratch/real/report.html" rules >"$scratch/rules.json"
    holds "its rule is one to the component" answers 0 'by rule [0-9]+ of the site' timeout 120 "$mpirun" --oversubscribe -n 2 "${arguments[@]}" \
        --mca fcoll_base_verbose 10 --mca fcoll_overlap_rules "$scratch/rules.json" "$kernel" "$data/file" 65536 16 1
    holds "without a complaint" [ "$(grep -c "rules.json: " "$scratch/answer")" = 0 ]
}

wrong_arguments
values
orders
environments
results
resumed
failures
[ "$full" != full ] || find_browser
reports
if [ "$full" = full ]; then
    more_reports
    terminal
    slurm_scripts
    real
fi
suite_end
