# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Liu, Zhou & Guo, "Topology-aware strategy for MPI-IO operations in clusters", Figure 9: hop-bytes on their two machines."""
import plots
from parts import Claim, figure, section, span
from runs import Placement

NAME = "tatp-hop-bytes"
# Section 5.1, as in docs/results/placement.rst.
MACHINES = {"inspur": ("Inspur", ["--hosts", "n[01-80]", "--bandwidth", "5,2.5", "--ranks-per-node", 12]),
            "bluelight": ("Bluelight", ["--hosts", "g[01-34]n[001-256]", "--scatter", 1, "--bandwidth", "5,1280", "--ranks-per-node", 16])}
# Section 5.3.
KERNELS = {"cube": 512, "btio": 625}
# By the names of the placements.
STRATEGIES = {"ompio": "OTP", "locality": "LATP", "lap": "TATP", "tapioca": "TAPIOCA"}
JOBS = {"one a node": [], "one a node, ranks dealt": ["--cyclic"], "8 in all": ["--domains", 8]}


def _name(machine, kernel, job):
    return "tatp/%s/%s/%s" % (machine, kernel, job.replace(", ", "-").replace(" ", "-"))


def runs(size, openmpi):
    return [Placement(_name(machine, kernel, job), machine + ".conf",
                      [*MACHINES[machine][1], "--ranks", ranks, "--candidates", 0, "--aggregators-per-node", 1, "--strategies", ",".join(STRATEGIES), *options, kernel])
            for machine in size.machines for kernel, ranks in KERNELS.items() for job, options in JOBS.items()]


def _relative(results, machine, kernel):
    """{job: {strategy: hop-bytes by those of OTP}}."""
    found = {}
    for job in JOBS:
        rows = {row["strategy"]: float(row["hop_bytes"]) for row in results.get(_name(machine, kernel, job), [])}
        if rows:
            found[job] = {STRATEGIES[name]: rows[name] / rows["ompio"] for name in STRATEGIES}
    return found


def claims(results, size):
    relative = [mine for machine in size.machines for kernel in KERNELS for mine in _relative(results, machine, kernel).values()]
    fewest = sum(mine["TATP"] <= min(mine["OTP"], mine["LATP"]) + 1e-9 for mine in relative)
    return [Claim("TATP has the fewest hop-bytes", "Liu, Zhou &amp; Guo, Figure 9", "yes, by far",
                  "in %d of %d, by %s" % (fewest, len(relative), span([100 * (1 - mine["TATP"]) for mine in relative], "%.0f", " %")) if relative else None)]


def page(results, size):
    figures = []
    for machine in size.machines:
        values = {}
        for kernel in KERNELS:
            for job, mine in _relative(results, machine, kernel).items():
                values["%s\n%s" % (kernel, job.replace(", ", ",\n"))] = mine
        if values:
            figures.append("<h3>%s</h3>" % MACHINES[machine][0] + figure(plots.bars(
                list(values), list(STRATEGIES.values()), values, "hop-bytes by OTP's", "hop-bytes on " + MACHINES[machine][0], "{:.2f}".format, line=1)))
    theirs = ("Figure 9: TATP's and LATP's hop-bytes by OTP's, cube (512 ranks) and BTIO (625), one aggregator a node. “Considerably reduced”, more on Bluelight, whose jobs "
              "are scattered, than on Inspur; its bars are lost in our copy, and which ranks were where is not told.")
    ours = ("Computed, not measured: the component's placements <code>ompio</code>, <code>locality</code>, <code>lap</code> and <code>tapioca</code> on the topologies of section 5.1 (overlap placement). With one aggregator on each "
            "node there is little to choose; with 8 in all, or ranks dealt round-robin, there is.")
    return section(NAME, "Hop-bytes", theirs, ours, *figures)
