# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Tessier et al., "TAPIOCA", Table I: the aggregator's buffer by the stripe of the file."""
import plots
from parts import Claim, figure, section
from runs import Comparison

NAME = "tapioca-buffers"
# Table I, GB/s on 512 nodes of Theta, by buffer : stripe.
THEIRS = {"1 : 8": 0.36, "1 : 4": 0.64, "1 : 2": 0.91, "1 : 1": 1.57, "2 : 1": 1.08, "4 : 1": 1.14}
STRIPE_KIB = 1024
MBIT, MBPS, STRIPES, LATENCY_MS = 800, 400, 4, 1
_RUN = "tapioca/buffers"


def _label(ratio):
    return ratio.replace(" : ", "to")


def runs(size, openmpi):
    contenders = []
    for ratio in THEIRS:
        buffer_, stripe = map(int, ratio.split(" : "))
        # Two buffers, as TAPIOCA has: each is a sub-buffer.
        contenders.append("%s=overlap:algorithm=write-comm-2:slots=2:partition=static:writes=collective:io_ompio_num_aggregators=%d:io_ompio_bytes_per_agg=%d" % (
            _label(ratio), STRIPES, 2 * STRIPE_KIB * 1024 * buffer_ // stripe))
    return [Comparison(_RUN, ["ior", "--block", "1m", "--segments", max(1, size.rank_kib // 1024), "--view", "--hint", "striping_unit=%d" % (STRIPE_KIB << 10),
                              "--hint", "striping_factor=%d" % STRIPES], contenders,
                       ["--cluster", "4x2", "--mbit", MBIT, "--storage-mbps", MBPS, "--storage-latency-ms", LATENCY_MS, "--storage-stripes", STRIPES,
                        "--storage-stripe-size", "%dk" % STRIPE_KIB], size.repetitions)]


def _ours(results):
    """Rates by that of 1 : 1."""
    rows = results.get(_RUN, {}).get("rows", {})
    one = rows.get(_label("1 : 1"), {}).get("median")
    return {ratio: one / rows[_label(ratio)]["median"] for ratio in THEIRS if rows.get(_label(ratio), {}).get("median")} if one else {}


def claims(results, size):
    mine = _ours(results)
    return [Claim("Best ratio of the aggregator's buffer to the stripe", "TAPIOCA, Table I", "1 : 1", max(mine, key=mine.get) if mine else None),
            Claim("A buffer of an eighth of a stripe, by one of a stripe", "TAPIOCA, Table I", "%.2f of the rate" % (THEIRS["1 : 8"] / THEIRS["1 : 1"]),
                  "%.2f of the rate" % mine["1 : 8"] if "1 : 8" in mine else None)]


def page(results, size):
    mine = _ours(results)
    values = {ratio: {"theirs": theirs / THEIRS["1 : 1"], "ours": mine.get(ratio)} for ratio, theirs in THEIRS.items()}
    drawn = figure(plots.bars(list(values), ["theirs", "ours"], values, "rate by that of 1 : 1", "rate by buffer and stripe", "{:.2f}".format, line=1)) if mine else ""
    theirs = "Table I: 512 nodes of Theta, 16 ranks a node, buffers of 4, 8 and 16 MB, the stripes of Lustre so that the ratio of buffer to stripe is what stands below."
    ours = ("8 ranks on 4 hosts write 1 MiB each in turn, %d MiB a rank; 4 aggregators, <code>partition static</code>, write-comm-2 with two sub-buffers of the buffer's size; NICs of %d Mbit/s, storage of %d MB/s "
            "over %d targets in stripes of 1 MiB, %d ms a request. The emulated storage has no locks, which are what a stripe that two share costs on Lustre." % (size.rank_kib >> 10, MBIT, MBPS, STRIPES, LATENCY_MS))
    return section(NAME, "Buffer and stripe", theirs, ours, drawn)
