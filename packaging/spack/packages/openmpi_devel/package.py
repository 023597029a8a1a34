# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
from spack_repo.builtin.packages.openmpi.package import Openmpi

from spack.package import *


class OpenmpiDevel(Openmpi):
    """Open MPI with the internal headers that a component of one's own is built with.

    It has a name of its own, so that a site's openmpi stays what it is. A site whose Open MPI was configured
    --with-devel-headers names it in packages.yaml, as an external of openmpi-devel.
    """

    homepage = "https://www.open-mpi.org"

    def configure_args(self):
        return super().configure_args() + ["--with-devel-headers"]
