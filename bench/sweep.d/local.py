# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""A sweep that runs here, one run after another."""
import contextlib
import fcntl
import os

import job
import journal
from failure import Failure
from progress import Progress


@contextlib.contextmanager
def alone(folder):
    """Nobody else runs this sweep meanwhile. Raises Failure where somebody does."""
    with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Failure("another overlap sweep runs the sweep in %s" % folder) from None
        yield


def run(sweep, folder, results, missing):
    """Does the missing runs in their order; `results` gets theirs."""
    progress = Progress(sweep, results)
    try:
        for number in missing:
            progress.begins(number)
            result = job.run(sweep, number, folder)
            journal.append(journal.local_path(folder), result)
            results[number] = result
            progress.ended(result)
    finally:
        progress.close()
