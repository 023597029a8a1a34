#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/results/papers: what is measured, what a page says of it, runs that are ended and go on, and what fails. What is measured are stand-ins; with a
# component and as root two comparisons are real. Only with LEVEL=nightly or --full. Arguments: see ../mpi_suite.sh. The last line is "N passed, N failed[, N skipped]".
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
if [ "$level" != nightly ] && [ "$full" != full ]; then
    skip "bench/results/papers: LEVEL=nightly has it"
    echo "0 passed, 0 failed, 1 skipped"
    exit 77
fi
here=$(cd "$suite_dir/.." && pwd)
. "$here/test/bench/papers_stand_ins.sh"

wrong_arguments() {
    holds "without arguments it tells its usage" answers 2 'Usage: bench/results/papers FOLDER' "$papers"
    holds "--help tells it" answers 0 'Usage: bench/results/papers FOLDER' "$papers" --help
    holds "two sizes are refused" answers 2 'not allowed with' "$papers" "$scratch/refused" --quick --smallest
    holds "an unknown option is refused" answers 2 'unrecognized arguments: --quicker' "$papers" "$scratch/refused" --quicker
    holds "an unknown part is refused" answers 2 'there is no part feki; there are feki-schedules' "$papers" "$scratch/refused" --only feki
    holds "a folder that cannot be made is told" answers 1 'papers: /dev/null/x' "$papers" /dev/null/x
    holds "another size in the same folder is refused" answers 2 'begun with the size smallest' "$papers" "$scratch/whole" --quick
    holds "another Open MPI is" answers 2 'begun with the Open MPI 5' "$papers" "$scratch/whole" --openmpi 4
}

# says ID TEXT: of an element of the page.
says() { python3 "$here/test/bench/html_page.py" "$page" "$1" | tr -s ' \n' ' ' >"$scratch/says" && cat "$scratch/says" && grep -qF -- "$2" "$scratch/says"; }
whole_page() { holds "the page is whole ($1)" python3 "$here/test/bench/html_page.py" "$page"; }

measures() {
    page=$scratch/whole/papers.html
    times none 1.0 comm 0.9 write 0.8 write-comm 0.7 write-comm-2 0.75 put-fence 0.9 put-lock 0.7 default 0.7 romio 1.2 2-slots 1.0 4-slots 0.9 8-slots 0.8 \
        OTP 1.0 LATP 0.9 TATP 0.6 1to8 4 1to1 1 vulcan 2 overlap 0.5
    holds "everything of the smallest size is measured" answers 0 'papers: smallest, 13 of 13 comparisons to do' "$papers" "$scratch/whole" --smallest
    whole_page measured
    holds "by 13 calls" is "$(calls)" 13
    holds "ROMIO gets its hints, and placements their distances" grep -zqP 'cb_buffer_size 524288\ncb_nodes 4\n(.*\n)*0 2 4 4' "$STAND_IN/files"
    holds "it says which schedule is best, theirs and ours" says claims "251 of 352 (71 %) 1 of 1 (100 %)"
    holds "what overlap gains" says claims "8.6 to 22.3 % 10.0 to 30.0 %"
    holds "that a put was best" says claims "75 % 0 of 1 (0 %)"
    holds "what slots gain over ROMIO" says claims "up to 1.6 1.20 to 1.50"
    holds "how many hop-bytes are saved" says claims "in 6 of 6, by 25 %"
    holds "what that makes of the time" says claims "0.60 of it (cube)"
    holds "how good the model is" says claims "133 of 133 6 of 7"
    holds "which buffer is best" says claims "1 : 1 1 : 4"
    holds "how much faster HACC is" says claims "4.0 times vulcan; 2.4 times ROMIO"
    holds "shares of shuffle and file" says feki-share "25 %"
    holds "Table I has their numbers" says feki-schedules "31"
    holds "nothing is missing" fails says method "Missing"
    holds "again, nothing is left to do" answers 0 '0 of 13 comparisons' "$papers" "$scratch/whole"
    holds "and nothing is called" is "$(calls)" 13
}
fails() { ! "$@"; }

renders() {
    anew
    page=$scratch/empty/papers.html
    holds "of a folder that is not there there is no page" answers 1 'nothing was measured' "$papers" "$scratch/empty" --smallest --render
    holds "and none is made" fails [ -e "$scratch/empty" ]
    holds "a list makes none either" answers 0 '^tapioca/buffers' "$papers" "$scratch/empty" --smallest --list
    holds "which has no folder then" fails [ -e "$scratch/empty" ]
    holds "nothing was called" [ ! -e "$STAND_IN/calls" ]
    page=$scratch/part/papers.html
    holds "one part alone" answers 0 '1 of 1 comparisons' "$papers" "$scratch/part" --smallest --only tapioca-buffers
    whole_page part
    holds "says of the others that they are not there" says claims "not measured"
    holds "and what is missing" says method "Missing"
    holds "again, without measuring" answers 0 papers.html "$papers" "$scratch/part" --render
    for size in full quick; do
        page=$scratch/$size/papers.html option=()
        [ $size = full ] || option=(--quick)
        holds "a whole $size page" answers 0 papers.html "$papers" "$scratch/$size" "${option[@]}"
        whole_page $size
    done
    holds "full has 20 series of schedules" is "$(find "$scratch/full/measured" -name 'feki-*' | wc -l)" 20
}

goes_on() {
    anew
    page=$scratch/ended/papers.html
    echo "^ior hang" >"$STAND_IN/trouble"
    "$papers" "$scratch/ended" --smallest >"$scratch/ended.log" 2>&1 &
    local process=$! end=$((SECONDS + 60))
    until [ -s "$STAND_IN/hanging" ] || [ $SECONDS -gt $end ]; do sleep 0.1; done
    kill -TERM $process
    wait $process
    holds "one that is ended has the exit code of the signal" is $? 143
    holds "and ends what it had begun" fails kill -0 "$(cat "$STAND_IN/hanging")"
    rm "$STAND_IN/trouble"
    local done_
    done_=$(find "$scratch/ended/measured" -name '*.json' | wc -l)
    holds "what it had is kept" [ "$done_" -gt 5 ]
    holds "the next one does the others" answers 0 "$((13 - done_)) of 13 comparisons to do" "$papers" "$scratch/ended"
    whole_page "gone on"
    echo torn >"$(find "$scratch/ended/measured" -name 'tatp-time*')"
    holds "a torn result is measured again" answers 0 '1 of 13 comparisons to do' "$papers" "$scratch/ended"
}

troubles() {
    anew
    page=$scratch/trouble/papers.html
    printf '%s\n' '^hpio 1' '^cube 124' >"$STAND_IN/trouble"
    holds "what fails is told, and the others go on" answers 1 'tsujita/512-kib: compare: it is out of order' "$papers" "$scratch/trouble" --smallest
    holds "so is a comparison that ends without a result" grep -q 'tatp-time/cube: compare: it is out of order' "$scratch/answer"
    whole_page "with failures"
    holds "the page names what is missing" says method "1 of 13: tatp-time/cube"
    holds "and what failed in part" says method "Failed in part tsujita/512-kib:"
    rm "$STAND_IN/trouble"
    holds "and they are measured again" answers 0 '2 of 13 comparisons to do' "$papers" "$scratch/trouble"
    echo ". 77" >"$STAND_IN/trouble"
    holds "where there can be no cluster the code says so" answers 77 'out of order' "$papers" "$scratch/cannot" --smallest
}

# Two comparisons of the smallest size, whatever they come to.
really() {
    local code=0 answer
    if [ "$component_path" = none ]; then
        skip "real comparisons: no component was given"
        return
    fi
    answer=$("$here/bench/cluster" --name "p$$" up --hosts 2 --mbit 100 2>&1) || code=$?
    "$here/bench/cluster" --name "p$$" down >/dev/null 2>&1
    if [ $code = 77 ]; then
        skip "real comparisons: $answer"
        return
    fi
    unset OVERLAP_PAPERS_TOOLS
    page=$scratch/real/papers.html
    holds "schedules on a real cluster" answers 0 '3 of 3 comparisons to do' "$papers" "$scratch/real" --smallest --openmpi 4 --only feki-schedules,tatp-time,jha-trends
    whole_page real
    holds "its schedules were told apart" says claims "of 1 ("
    holds "the component's report had shares" says feki-share "Tile 256 B, fast storage"
}

if ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
    skip "bench/results/papers: python3-matplotlib is not installed"
else
    measures
    wrong_arguments
    renders
    goes_on
    troubles
    really
fi
suite_end
