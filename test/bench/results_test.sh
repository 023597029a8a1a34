#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# bench/results/run: what it keeps of a run, the pages that it makes of that, and what stays where less is measured. One run is real, placement
# without MPI; the others are data. Arguments: see ../mpi_suite.sh.
. "$(dirname "$0")/../mpi_suite.sh"
suite_begin "$@"
here=$(cd "$suite_dir/.." && pwd)
out=$scratch/out
run=("$here/bench/results/run" --out "$out")

# kept EXPRESSION: of data/placement.json, as `run` its first run.
kept() { python3 -c 'import json, sys; run = json.load(open(sys.argv[1]))["runs"][0]; print(eval(sys.argv[2]))' "$out/data/placement.json" "$1"; }

holds "an unknown part is refused" answers 2 'no run "tapes"' "${run[@]}" --only tapes
holds "--list has commands" answers 0 'bench/never-slower' "${run[@]}" --list
holds "a part is measured" "${run[@]}" --quick --openmpi 4 --only placement/hop
for each in title command date commit machine openmpi seconds; do holds "its $each is kept" test -n "$(kept "run['$each'] or ''")"; done
holds "it says that it is a quick one" grep -q 'A quick run' "$out/placement.rst"
holds "its command stands on its page" grep -q '^   bench/results/hop_bytes inspur cube' "$out/placement.rst"
holds "its figures are a table" [ "$(grep -c '^   \* - inspur' "$out/placement.rst")" = 7 ]
holds "what was not measured says so" grep -q 'Not measured yet' "$out/placement.rst"
holds "the pages are those of the data" test -z "$("${run[@]}" --check | grep -v 'README.md\|gain.svg')"
sed -i 's/inspur/INSPUR/' "$out/placement.rst"
holds "a page that was changed is found" answers 1 '^placement.rst' "${run[@]}" --check
sed -i 's/"quick": true/"quick": false/' "$out/data/placement.json"
sed -i 's/"seconds": [0-9]*/"seconds": 12345/' "$out/data/placement.json"
holds "a quick run" "${run[@]}" --quick --openmpi 4 --only placement/hop
holds "does not take the place of another" is "$(kept "run['seconds']")" 12345

# What several measurements of never-slower keep, and what its page says of it.
cat >"$scratch/merge.py" <<'END'
import json, pathlib, sys, tempfile
sys.path[:0] = [sys.argv[1] + "/bench/results", sys.argv[1] + "/docs"]
import pages, results

def row(case, ratio, **more):
    sides = [{"label": "overlap", "seconds": [ratio], "median": ratio, "failed": False, "left_out": None},
             {"label": "romio", "seconds": [1], "median": 1.0, "failed": False, "left_out": None}]
    return {"case": case, "ranks": 4, "place": "tmpfs", "sides": sides, "best": "romio", "ratio": ratio, "least": ratio, "most": ratio,
            "tolerated": 1.05, "bad": ratio > 1.05, **more}

def measured(rows, alternations, old):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "out.json"
        path.write_text(json.dumps({"alternations": alternations, "openmpi": "9", "cluster": {}, "rows": rows}))
        return results.never_slower({"json": path, "commit": "abc"}, "", old)

first = measured([row("a", 1.2), row("b", 1.0)], 5, None)
second = measured([row("b", 0.9)], 5, first)
third = measured([row("a", 0.5)], 1, second)
assert [(each["case"], each["ratio"]) for each in third["rows"]] == [("a", 1.2), ("b", 0.9)], third
out = {}
text = "\n".join(pages.never_slower_page({"title": "All", "result": third}, "never-slower-0", out))
assert "in 1 overlap is more than 1.05" in " ".join(text.split()) and "**slower**" in text, text
assert "never-slower-0.svg" in out
END
holds "of never-slower what was not measured again stays" python3 "$scratch/merge.py" "$here"
suite_end
