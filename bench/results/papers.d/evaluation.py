# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The parts of the page. To import them takes matplotlib."""
import feki_gains
import feki_primitives
import feki_schedules
import feki_share
import hacc
import jha_trends
import tapioca_aggregators
import tapioca_buffers
import tatp_hop_bytes
import tatp_time
import tsujita_slots

# In the order of the page. A part has NAME, runs(size, openmpi), claims(results, size) and page(results, size); several may be of the same runs.
PARTS = [feki_schedules, feki_gains, feki_share, feki_primitives, tsujita_slots, tatp_hop_bytes, tatp_time, jha_trends,
         tapioca_buffers, tapioca_aggregators, hacc]
