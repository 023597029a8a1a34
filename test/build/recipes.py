#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
"""Prints, one a line, the configure options that the recipes of packaging/ give.

Spack is stood in for: what a recipe declares goes nowhere, and configure_args runs for every choice of its variants.
"""

import itertools
import pathlib
import re
import sys
import types

packaging = pathlib.Path(__file__).resolve().parents[2] / "packaging"


class Place:
    """A package's prefix."""

    def __str__(self):
        return "/place"


class Spec:
    def __init__(self, chosen):
        self.chosen = chosen

    def satisfies(self, constraint):
        return self.chosen[constraint.lstrip("+")]

    def __getitem__(self, package):
        return types.SimpleNamespace(prefix=Place())


def spack_options():
    variants = []
    spack = types.ModuleType("spack.package")
    for name in ("version", "license", "maintainers", "depends_on"):
        setattr(spack, name, lambda *positional, **named: None)
    spack.variant = lambda name, **named: variants.append(name)
    spack.run_after = lambda *positional, **named: lambda method: method
    autotools = types.ModuleType("spack_repo.builtin.build_systems.autotools")
    autotools.AutotoolsPackage = object
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules[spack.__name__] = spack
    sys.modules[autotools.__name__] = autotools
    recipe = {}
    exec((packaging / "spack/packages/openmpi_fcoll_overlap/package.py").read_text(), recipe)
    package = recipe["OpenmpiFcollOverlap"]()
    for choice in itertools.product((False, True), repeat=len(variants)):
        package.spec = Spec(dict(zip(variants, choice)))
        yield from package.configure_args()


def easybuild_options():
    (easyconfig,) = packaging.glob("easybuild/*.eb")
    values = {"SOURCE_TAR_GZ": "", "__builtins__": {}}
    exec(easyconfig.read_text(), values)
    yield from values["configopts"].split()


if __name__ == "__main__":
    compile((packaging / "spack/packages/openmpi_devel/package.py").read_text(), "openmpi_devel/package.py", "exec")
    for option in sorted({re.sub("=.*", "", option) for option in (*spack_options(), *easybuild_options())}):
        print(option)
