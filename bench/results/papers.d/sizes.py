# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""How much is measured."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Size:
    """
    `repetitions`: rounds that count of each comparison. `shapes`: of each cluster of feki.py, hosts and ranks of each in Feki & Gabriel's series. `rank_kib`: what a rank writes in
    most comparisons. `benchmarks`: of feki.py. `buffers_kib`: collective buffers of Tsujita's. `particles`: of a rank in HACC. `trend`: arguments of
    bench/results/trend. `machines`: of tatp_hop_bytes.py. `kernels`: of tatp_time.py.
    """

    repetitions: int
    shapes: dict
    rank_kib: int
    benchmarks: tuple
    buffers_kib: tuple
    particles: tuple
    layouts: tuple
    aggregators: tuple
    trend: tuple
    machines: tuple
    kernels: tuple


SIZES = {
    "full": Size(
        repetitions=3, shapes={"slow storage": ("4x1", "4x2", "4x4"), "fast storage": ("4x1", "4x2")}, rank_kib=4096, benchmarks=("ior", "tile-256", "tile-1m", "flash"),
        buffers_kib=(256, 512, 1024, 2048), particles=(25000, 100000, 200000), layouts=("aos", "soa"),
        aggregators=(1, 2, 4, 8), trend=("--bytes", "1m 4m 16m", "--ranks-per-host", "1 2 4", "--aggregators", "1 2 4 8", "--repetitions", "3"),
        machines=("inspur", "bluelight"), kernels=("cube", "btio")),
    "quick": Size(
        repetitions=1, shapes={"slow storage": ("4x2",), "fast storage": ("4x2",)}, rank_kib=2048, benchmarks=("ior", "tile-256", "tile-1m", "flash"),
        buffers_kib=(512,), particles=(25000,), layouts=("aos", "soa"),
        aggregators=(1, 2, 4), trend=("--bytes", "1m 2m", "--ranks-per-host", "1 2", "--aggregators", "1 2", "--repetitions", "1"),
        machines=("inspur", "bluelight"), kernels=("cube",)),
    "smallest": Size(
        repetitions=1, shapes={"fast storage": ("4x1",)}, rank_kib=1024, benchmarks=("tile-256",), buffers_kib=(512,), particles=(5000,),
        layouts=("aos",), aggregators=(1, 2), trend=("--bytes", "256k 512k", "--ranks-per-host", "1", "--aggregators", "1", "--repetitions", "1"),
        machines=("inspur",), kernels=("cube",)),
}
