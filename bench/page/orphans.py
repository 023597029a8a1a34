# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Commands that are not to outlive who started them."""
import ctypes
import signal

_PR_SET_PDEATHSIG = 1
# Looked up here and not in the child of a process with threads.
_prctl = ctypes.CDLL(None).prctl


def ends_with_us():
    """In the child, before it becomes the command: SIGTERM when this process ends, however it does. One that went on would be measured beside the next."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
