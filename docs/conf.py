# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sphinx configuration. config/docs.sh builds the pages. Tables that describe the source are made
# from the source while Sphinx reads the pages: nothing in them is typed twice.
import pathlib
import subprocess
import sys

from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import gain  # noqa: E402
import internals  # noqa: E402
import parameters  # noqa: E402
import report_fields  # noqa: E402
import upstream  # noqa: E402

project = "overlap"
author = "The overlap project"
copyright = "2026, The overlap project"
version = release = subprocess.run(
    [str(HERE.parent / "config" / "version.sh")], stdout=subprocess.PIPE, check=True, text=True
).stdout.strip()

extensions = ["sphinx_rtd_theme"]
exclude_patterns = ["_build", "Thumbs.db"]
html_theme = "sphinx_rtd_theme"
html_title = f"overlap {release}"
html_static_path = ["static"]
html_css_files = ["overlap.css"]
html_show_sphinx = False
html_copy_source = False
smartquotes = False

# One page of section 1 for each tool. Each begins with "name - what it is for".
MAN_PAGES = HERE / "reference" / "man"
man_pages = []
for page in sorted(MAN_PAGES.glob("*.rst")):
    name = page.stem
    if name == "index":
        continue
    section = 3 if name == "overlap_declare" else 1
    title = page.read_text().splitlines()[0].split(" - ", 1)[1]
    man_pages.append((f"reference/man/{name}", name, title, [author], section))


def generated(lines):
    """A directive that stands for reStructuredText which `lines` returns."""

    class Generated(Directive):
        def run(self):
            text = StringList(lines(), source=f"<{lines.__module__}>")
            self.state_machine.insert_input(text, f"<{lines.__module__}>")
            return []

    return Generated


def setup(app):
    app.add_directive("overlap-parameters", generated(parameters.reference))
    app.add_directive("overlap-report-fields", generated(report_fields.reference))
    app.add_directive("overlap-variables", generated(report_fields.variables))
    app.add_directive("overlap-gain", generated(gain.table))
    app.add_directive("overlap-internals", generated(internals.reference))
    app.add_directive("overlap-upstream-page", generated(upstream.page))
    return {"parallel_read_safe": True}
