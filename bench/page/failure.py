# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""How a tool ends: with a message, or by a signal."""
import signal
import sys


class Failure(Exception):
    """`code`: 1 something went wrong, 2 wrong arguments, 77 this machine cannot do it."""

    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code


def run(tool, work):
    """The exit code of work(). A signal ends it as an exception, so that the command that runs is ended as well."""
    for signal_ in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_, _end)
    try:
        return work()
    except Failure as failure:
        print("%s: %s" % (tool, failure), file=sys.stderr)
        return failure.code


def _end(number, _):
    sys.exit(128 + number)
