#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# The pages that people look at, opened in a headless Chromium: the timeline, the page of a sweep, and the charts of README and docs/. No error in
# its console, axes and legends are there, and what is told apart by colours is told apart without them. Without MPI.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
looks=$here/test/bench/looks.py
chromium=$(command -v chromium || true)
[ -n "$chromium" ] || { skip "pages in a browser: there is no chromium"; suite_end; exit; }
python3 -c 'import matplotlib' 2>/dev/null || PATH=/usr/bin:$PATH
python3 -c 'import matplotlib' 2>/dev/null || { skip "pages in a browser: python3-matplotlib is not installed"; suite_end; exit; }

# opens FILE TEXT...: the browser has no complaint, and of the page that it made each of the texts.
opens() {
    local file=$1 text console
    shift
    console=$(timeout 120 "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/chromium" --enable-logging=stderr --dump-dom "file://$file" \
        2>&1 >"$scratch/dom" | grep -a CONSOLE)
    is "$console" "" || return
    for text; do grep -qF -- "$text" "$scratch/dom" || { echo "\"$text\" is not in the page"; return 1; }; done
}
printf '<main></main><script>nowhere()</script>' >"$scratch/wrong.html"
holds "Chromium tells an error of a page" eval '! opens "$scratch/wrong.html" "<main>"'

# A call of an aggregator with all that a timeline shows.
python3 - "$scratch/trace.json" <<'END'
import json, sys

parts = [("shuffle", 1, 0, 30), ("write", 2, 30, 70), ("agree", 0, 0, 2), ("plan", 0, 2, 4), ("wait for shuffle", 0, 4, 28), ("copy", 0, 28, 30),
         ("wait for write", 0, 30, 70), ("write call", 0, 0, 80)]
events = [{"ph": "X", "name": name, "pid": 0, "tid": track, "ts": 1e3 * begin, "dur": 1e3 * (end - begin),
           "args": {"call": 1, "cycle": 0, "bytes": 1, "offset": 0, "file": "f", "opened": "0.1"}} for name, track, begin, end in parts]
events.append({"ph": "M", "name": "process_sort_index", "pid": 0, "tid": 0, "args": {"sort_index": 0}})
json.dump({"traceEvents": events}, open(sys.argv[1], "w"))
END
holds "a timeline is drawn" "$here/bench/overlap" timeline "$scratch/trace.json" --output "$scratch/timeline.svg"
holds "it opens, with its axis and its legend" opens "$scratch/timeline.svg" '>milliseconds<' '>sub-buffer 0<' '>shuffle<' '>write<' '>plan<' '>copy<' \
    '>wait for other ranks<' '>wait for shuffle<' '>wait for write<'
holds "its parts are told apart without colours" "$looks" "$scratch/timeline.svg"

# shellcheck disable=SC2016
bash "$here/bench/overlap" sweep run "$scratch/sweep" algorithm=none,comm,write,dataflow --repetitions 3 --metric 'v=([0-9.]+)' --seed 1 -- \
    sh -c 'echo v=$((${#OMPI_MCA_fcoll_overlap_algorithm} * 10 + OVERLAP_SWEEP_REPETITION))' >"$scratch/log" 2>&1
holds "the page of a sweep is made" bash "$here/bench/overlap" sweep report "$scratch/sweep"
holds "it opens, with its axis and its legend" opens "$scratch/sweep/report.html" '</main>' '>metric, less is better<' '>dataflow<' 'Colour and pattern: algorithm'
holds "its boxes are told apart without colours" "$looks" "$scratch/sweep/report.html"
sed 's/url(#c1-h[0-9a-f]*)/#777777/' "$scratch/sweep/report.html" >"$scratch/plain.html"
holds "without patterns that fails" eval '! "$looks" "$scratch/plain.html"'

# Charts that stand in documents: an axis has numbers, a picture has texts.
charts=("$here"/docs/*.svg "$here"/docs/static/*.svg "$here"/docs/results/*.svg)
for chart in "${charts[@]}"; do
    [ ! -e "$chart" ] || holds "${chart#"$here/"} opens, and has texts" opens "$chart" '</text>' '</svg>'
done
suite_end
