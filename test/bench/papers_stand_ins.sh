# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by the suite of bench/results/papers, behind ../mpi_suite.sh and suite_begin: stand-ins for the tools that it calls, which do what a case tells
# them.
# shellcheck shell=bash disable=SC2034,SC2154
papers=$here/bench/results/papers
export STAND_IN=$scratch/stand-in OVERLAP_PAPERS_TOOLS=$scratch/tools
mkdir -p "$STAND_IN" "$OVERLAP_PAPERS_TOOLS/results"

# stand_in NAME: with the source from standard input.
stand_in() {
    cat >"$OVERLAP_PAPERS_TOOLS/$1"
    chmod +x "$OVERLAP_PAPERS_TOOLS/$1"
}

# Medians by contender and kernel are those of $STAND_IN/times, lines LABEL or KERNEL-ELEMENT/LABEL and seconds, 1 without one. A line of
# $STAND_IN/trouble is a pattern of command lines and what happens.
stand_in compare <<'END'
#!/usr/bin/env python3
import json, os, re, sys, time
words = sys.argv[1:]
stand_in = os.environ["STAND_IN"]
option = lambda name: words[words.index(name) + 1]
with open(stand_in + "/calls", "a") as calls:
    print(*words, file=calls)


def lines(name):
    try:
        return [line.split() for line in open(stand_in + "/" + name)]
    except OSError:
        return []


code = 0
for pattern, what in lines("trouble"):
    if re.search(pattern, " ".join(words)):
        if what == "hang":
            open(stand_in + "/hanging", "w").write(str(os.getpid()))
            time.sleep(600)
        print("compare: it is out of order")
        code = int(what)
        if code != 1:
            sys.exit(code)
times = dict(lines("times"))
kernel = words[0] + ("-" + option("--element") if "--element" in words else "")
results = []
for contender in option("--contenders").split(","):
    label, _, rest = contender.rpartition("=") if ":" not in contender else contender.partition("=")
    label = label or contender
    seconds = float(times.get(kernel + "/" + label, times.get(label, 1)))
    report = re.search(r"report_file=([^:]*)", contender)
    if report:
        for shuffle, file in ((1, 3), (0.5, 1.5)):
            with open(report.group(1), "a") as lines_:
                print(json.dumps({"writes": {"overlap": {"shuffle": shuffle, "file": file}}}), file=lines_)
    results.append({"label": label, "median": seconds, "least": 0.99 * seconds, "most": 1.01 * seconds})
named = os.environ.get("ROMIO_HINTS"), os.environ.get("OMPI_MCA_fcoll_overlap_topology")
for path in named:
    if path:
        with open(stand_in + "/files", "a") as files:
            print(open(path.replace("matrix:", "")).read(), file=files)
with open(option("--json"), "w") as out:
    json.dump({"results": results, "bytes": 10 ** 8, "openmpi": {"version": "9.9.9"}, "machine": {"cpu": "stand-in", "cores": 2}, "date": "2026-01-02T03:04:05",
               "left_out": []}, out)
sys.exit(code)
END
stand_in placement <<'END'
#!/bin/bash
echo "placement $*" >>"$STAND_IN/calls"
echo "strategy,ranks,nodes,domains,bytes,hop_bytes,largest_load_bytes,predicted_seconds,slowest_link,placing_seconds"
echo "ompio,1,1,1,1,200,1,1,x,1"
echo "locality,1,1,1,1,180,1,1,x,1"
echo "lap,1,1,1,1,150,1,1,x,1"
echo "tapioca,1,1,1,1,160,1,1,x,1"
END
stand_in results/trend <<'END'
#!/bin/bash
echo "trend $*" >>"$STAND_IN/calls"
echo "  bytes a rank  ranks  aggregators   median s       least .. most s  predicted"
echo "     1048576      4            1     0.1000     0.0900     0.1100     0.1000"
echo "     4194304      4            2     0.4000     0.3900     0.4100     0.3000"
echo
echo "what changes        match  mismatch    left out (spread)"
echo "bytes of a rank         6         1                    2"
echo "ranks                   5         0                    0"
echo "aggregators             7         3                    1"
END

# times LABEL SECONDS [LABEL SECONDS...]
times() { printf '%s %s\n' "$@" >"$STAND_IN/times"; }
calls() { wc -l <"$STAND_IN/calls"; }
anew() { rm -rf "${STAND_IN:?}" && mkdir "$STAND_IN"; }
