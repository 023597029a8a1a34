# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""What is wrong with a set-up."""
import textwrap


class Finding:
    """`what` is wrong, its `consequence`, and the `line` for the job script. `stops`: no file is served while it is so."""

    def __init__(self, what, consequence, line, stops=False):
        self.what, self.consequence, self.line, self.stops = what, consequence, line, stops

    def text(self, number):
        wrapped = textwrap.fill(self.what, 78, initial_indent="%d. " % number, subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
        then = textwrap.fill(self.consequence, 78, initial_indent="   ", subsequent_indent="   ", break_long_words=False, break_on_hyphens=False)
        return "%s\n%s\n     %s" % (wrapped, then, "\n     ".join(self.line.splitlines()))
