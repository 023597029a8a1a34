# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Liu, Zhou & Guo, Figure 12: what fewer hops make of the time of a write, measured behind slow uplinks."""
import plots
from parts import Claim, figure, section
from runs import Comparison

NAME = "tatp-time"
MBIT, UPLINK = 400, 100
SHAPES = {"cube": "4x2", "btio": "4x4"}
STRATEGIES = {"ompio": "OTP", "locality": "LATP", "lap": "TATP", "tapioca": "TAPIOCA"}
# Hosts 1 and 2 are behind one switch, 3 and 4 behind the other.
HOPS = "0 2 4 4\n2 0 4 4\n4 4 0 2\n4 4 2 0\n"


def _name(kernel):
    return "tatp-time/" + kernel


def _kernel(kernel, size):
    if kernel == "btio":
        return ["btio"]
    side = max(16, round((size.rank_kib * 128) ** (1 / 3)))
    return ["cube", "--part", side, side, side]


def runs(size, openmpi):
    # Two aggregators on four hosts: with one on each there is nothing to choose.
    contenders = ["%s=overlap:placement=%s:writes=collective:io_ompio_num_aggregators=2" % (paper, placement) for placement, paper in STRATEGIES.items()]
    return [Comparison(_name(kernel), _kernel(kernel, size), contenders,
                       ["--cluster", SHAPES[kernel], "--mbit", MBIT, "--switches", 2, "--uplink-mbit", UPLINK, "--dir", "/dev/shm"], size.repetitions,
                       {"OMPI_MCA_fcoll_overlap_topology": "matrix:{hops}"}, {"hops": HOPS}) for kernel in size.kernels]


def _relative(results, kernel):
    rows = results.get(_name(kernel), {}).get("rows", {})
    otp = rows.get("OTP", {}).get("median")
    return {name: row["median"] / otp for name, row in rows.items() if row["median"]} if otp else {}


def claims(results, size):
    relative = [(kernel, mine) for kernel, mine in ((kernel, _relative(results, kernel)) for kernel in size.kernels) if "TATP" in mine]
    return [Claim("A write by TATP takes less time than by OTP", "Liu, Zhou &amp; Guo, Figure 12", "yes",
                  ", ".join("%.2f of it (%s)" % (mine["TATP"], kernel) for kernel, mine in relative) if relative else None)]


def page(results, size):
    values = {kernel: mine for kernel, mine in ((kernel, _relative(results, kernel)) for kernel in size.kernels) if mine}
    drawn = figure(plots.bars(list(values), list(STRATEGIES.values()), values, "time by OTP's", "time of a write by placement", "{:.2f}".format, line=1)) if values else ""
    theirs = "Figure 12: TATP has the best aggregated speed of OTP, LATP and TATP for cube and BTIO at all numbers of processes. Its bars are lost in our copy."
    ours = ("4 hosts behind two switches, NICs of %d Mbit/s, uplinks of %d, 2 aggregators, a file in memory, so that the shuffle takes the time; the second write of a file." % (MBIT, UPLINK))
    return section(NAME, "Time of a write by placement", theirs, ours, drawn)
