# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What the figures have to be that bench/simulate left in FOLDER (simulate_test.sh): simulate_check.py FOLDER"""
import json
import sys


def of(name):
    return json.load(open("%s/%s.json" % (sys.argv[1], name)))


def without_clock(figures):
    """All but what the simulation itself took."""
    for job in figures["jobs"]:
        del job["simulation_s"]
        for phase in ("open", "first", "repeated", "close"):
            del job[phase]["processor_us"]
    return figures


def ends(name):
    """All jobs of a file, that of fewest ranks and that of most."""
    jobs = of(name)["jobs"]
    return jobs, jobs[0], jobs[-1]


def seconds(name):
    return of(name)["jobs"][0]["repeated"]["seconds"]


checks = []


def check(name, holds):
    checks.append(bool(holds))
    if not holds:
        print("FAIL", name)


check("each run gives the same figures", without_clock(of("tile")) == without_clock(of("again")))
jobs, first, last = ends("tile")
check("one aggregator a node", [job["aggregators"] for job in jobs] == [job["ranks"] // 16 for job in jobs])
check("a repeated call sends no descriptions", last["repeated"]["description_bytes_sent"]["most"] == 0)
check("a repeated call has two agreements", last["repeated"]["collectives"]["most"] == 2)
check("a repeated call takes no memory that grows",
      last["repeated"]["memory"]["most_of_others"] <= 1.1 * first["repeated"]["memory"]["most_of_others"] + 16 * 64)
check("who only sends sends as many messages in a larger job",
      last["first"]["messages_sent"]["most_of_others"] <= 2 * first["first"]["messages_sent"]["most_of_others"])

# 64 KiB of each of 32 ranks on 8 nodes: every NIC moves 7 of 8 parts of 4 ranks' bytes out, and as many in.
jobs, first, _ = ends("network")
check("the busiest NIC moves what is not its own",
      abs(first["busiest_nic_s"] - 2 * 7 / 8 * 4 * 8 * 65536 / 1e8) < 0.1 * first["busiest_nic_s"])
check("a call takes as long as its NICs at least", first["repeated"]["seconds"] * 2 >= first["busiest_nic_s"] * 0.95)
check("a call takes as long as the bytes of all on the targets", seconds("storage") >= 0.99 * 32 * 8 * 65536 / 1e8)
check("congestion makes it slower", seconds("congested") > 1.2 * seconds("network"))
check("uplinks that all share are what a call waits for", seconds("uplinks") > 5 * seconds("network"))

# What NOTES.md of the component says of memory and messages, for P ranks and as many aggregators as there are: 8 bytes of a rank while a plan
# is made, of each aggregator what a domain takes.
jobs, first, last = ends("growth")
ranks, aggregators = last["ranks"] - first["ranks"], last["aggregators"] - first["aggregators"]
for phase, each in (("first", 8), ("repeated", 4)):
    check("who only sends takes %d bytes a rank at most, %s" % (each, phase),
          last[phase]["memory"]["most_of_others"] - first[phase]["memory"]["most_of_others"] <= each * ranks + 512 * aggregators)
check("it sends a letter and the data to each aggregator at most",
      all(job["first"]["messages_sent"]["most"] <= 2 * job["aggregators"] for job in jobs))
check("an aggregator hears each rank so often at most",
      all(job["first"]["messages_received"]["most"] <= 2 * (job["ranks"] - 1) for job in jobs))
check("and has no more under way than the throttle and its own sends",
      all(job["repeated"]["requests"]["most"] <= 64 + job["aggregators"] for job in jobs))
jobs, first, _ = ends("merged")
check("an aggregator hears a node and not its ranks",
      first["first"]["messages_received"]["most"] < 128 and first["repeated"]["messages_received"]["most"] < 128)

check("lists with holes leave gaps", ends("lists")[2]["repeated"]["extents"]["most"] > 8)
check("a schedule that overlaps is faster", seconds("dataflow") <= seconds("none"))
print("%d passed, %d failed" % (sum(checks), len(checks) - sum(checks)))
sys.exit(0 if all(checks) else 1)
