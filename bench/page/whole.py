# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Files that are there as a whole or not at all."""
import os

from failure import Failure


def write_whole(path_, text):
    """Old or new, whoever reads meanwhile and whenever the machine stops. Raises Failure."""
    part = "%s.%d.part" % (path_, os.getpid())
    try:
        with open(part, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path_)
    except OSError as error:
        raise Failure("%s cannot be written: %s" % (path_, error.strerror)) from None
