# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Tessier et al., "TAPIOCA", sections V.B and V.D: how many aggregators."""
import plots
from parts import Claim, figure, section
from runs import Comparison

NAME = "tapioca-aggregators"
MBIT, MBPS, STRIPES = 800, 400, 4
_RUN = "tapioca/aggregators"


def runs(size, openmpi):
    contenders = ["%d=overlap:writes=collective:io_ompio_num_aggregators=%d" % (count, count) for count in size.aggregators]
    return [Comparison(_RUN, ["hacc", "--layout", "aos", "--particles", size.particles[-1]], contenders,
                       ["--cluster", "4x2", "--mbit", MBIT, "--storage-mbps", MBPS, "--storage-stripes", STRIPES], size.repetitions)]


def _rates(results, size):
    """MB/s by the number of aggregators."""
    mine = results.get(_RUN, {})
    rows = mine.get("rows", {})
    return {count: mine["bytes"] / rows[str(count)]["median"] / 1e6 for count in size.aggregators if rows.get(str(count), {}).get("median")}


def claims(results, size):
    rates = _rates(results, size)
    return [Claim("Aggregators by storage targets that are best", "TAPIOCA, V.B and V.D", "2, 4 or 8 a target (Theta)",
                  "%g a target" % (max(rates, key=rates.get) / STRIPES) if rates else None)]


def page(results, size):
    values = {str(count): {"ours": rate} for count, rate in _rates(results, size).items()}
    drawn = figure(plots.bars(list(values), ["ours"], values, "MB/s", "rate by the number of aggregators", "{:.0f}".format),
                   "By the number of aggregators.") if values else ""
    theirs = ("On Theta two aggregators a storage target give “a good increase” for IOR (V.B); HACC is best with 4 a target on 1,024 nodes and 8 on 2,048 (V.D). Rates by their number are not given.")
    ours = "HACC as records, %s particles a rank, 8 ranks on 4 hosts, NICs of %d Mbit/s, storage of %d MB/s over %d targets; the component's defaults." % (
        "{:,}".format(size.particles[-1]), MBIT, MBPS, STRIPES)
    return section(NAME, "How many aggregators", theirs, ours, drawn)
