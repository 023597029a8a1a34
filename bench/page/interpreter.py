# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""The python that has what charts need."""
import os
import sys

from failure import Failure


def need_matplotlib(tool, arguments):
    """
    Returns where matplotlib is there; otherwise begins `tool` with its arguments anew. The system's python has the package that the system has;
    another that stands before it in PATH does not. Raises Failure.
    """
    try:
        import matplotlib  # noqa: F401
        return
    except ImportError:
        pass
    system = "/usr/bin/python3"
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, tool, *arguments])
    raise Failure("the report needs matplotlib for python3 (Debian: python3-matplotlib)", 77)
