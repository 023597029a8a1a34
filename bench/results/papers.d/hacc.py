# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Tessier et al., "TAPIOCA", Figures 11 to 14: HACC-IO against the MPI-IO that was there."""
import plots
from parts import Claim, figure, section, span
from runs import Comparison

NAME = "tapioca-hacc"
MBIT, MBPS, STRIPES = 800, 400, 4
LAYOUTS = {"aos": "array of structures", "soa": "structure of arrays"}
CONTENDERS = {"vulcan": "vulcan", "romio": "ROMIO", "overlap": "overlap", "tapioca": "overlap, placement tapioca"}


def _name(layout, particles):
    return "hacc/%s/%d" % (layout, particles)


def runs(size, openmpi):
    contenders = ["vulcan", "romio", "overlap", "tapioca=overlap:placement=tapioca"]
    return [Comparison(_name(layout, particles), ["hacc", "--layout", layout, "--particles", particles], contenders,
                       ["--cluster", "4x2", "--mbit", MBIT, "--storage-mbps", MBPS, "--storage-stripes", STRIPES], size.repetitions)
            for layout in size.layouts for particles in size.particles]


def _rates(results, layout, particles):
    mine = results.get(_name(layout, particles), {})
    return {label: mine["bytes"] / row["median"] / 1e6 for label, row in mine.get("rows", {}).items() if row["median"]}


def claims(results, size):
    every = [rates for rates in (_rates(results, layout, particles) for layout in size.layouts for particles in size.particles) if "overlap" in rates]
    by = lambda whom: [rates["overlap"] / rates[whom] for rates in every if whom in rates]
    ours = "; ".join(span(by(whom), "%.1f", " times " + CONTENDERS[whom]) for whom in ("vulcan", "romio") if by(whom))
    return [Claim("HACC by the MPI-IO that was there", "TAPIOCA, V.D and VI", "7 and 4 times Cray's (Theta), up to 12 times MPICH's (Mira)", ours or None)]


def page(results, size):
    figures = []
    for layout in size.layouts:
        values = {"{:,} particles\n{:.1f} MB a rank".format(particles, particles * 38e-6): {CONTENDERS[label]: rate for label, rate in _rates(results, layout, particles).items()}
                  for particles in size.particles if _rates(results, layout, particles)}
        if values:
            figures.append("<h3>%s</h3>" % LAYOUTS[layout].capitalize() + figure(plots.bars(
                list(values), list(CONTENDERS.values()), values, "MB/s", "rates of HACC as " + LAYOUTS[layout], "{:.0f}".format)))
    theirs = ("Figures 11 to 14: HACC-IO, 38 bytes a particle, 5,000 to 100,000 of them a rank. On Theta about 7 times Cray MPI at 1 MB a rank with 1,024 nodes, and 4 times at 3.6 MB as records with 2,048; "
              "up to 12 times MPICH on Mira, as one layout. Its curves are lost in our copy.")
    ours = ("8 ranks on 4 hosts, NICs of %d Mbit/s, storage of %d MB/s over %d targets. Structure of arrays: nine calls, which TAPIOCA would have been told of before the first; overlap takes each as it comes." % (MBIT, MBPS, STRIPES))
    return section(NAME, "HACC", theirs, ours, *figures)
