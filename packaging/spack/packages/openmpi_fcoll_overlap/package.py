# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class OpenmpiFcollOverlap(AutotoolsPackage):
    """A component of Open MPI for collective reads and writes of MPI-IO that overlaps communication and file I/O."""

    homepage = "https://overlap.example"
    # The tarball of "make dist", in the folder where spack is called.
    url = f"file://{os.getcwd()}/overlap-0.1.0.tar.gz"
    manual_download = True

    maintainers("overlap")

    license("BSD-3-Clause", checked_by="overlap")

    # packaging/release writes the checksum of a tarball.
    version("0.1.0")

    variant("default", default=False, description="Make it the first choice of every job that loads it")
    variant("libaio", default=True, description="Write engine libaio")
    variant("rules", default=True, description="Read the rules of a site, which are JSON")
    variant("bench", default=False, description="Install the command overlap")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("openmpi-devel@4.1:6")
    depends_on("hwloc@2:")
    depends_on("libaio", when="+libaio")
    depends_on("nlohmann-json@3.9:", when="+rules", type="build")
    depends_on("nlohmann-json@3.9:", when="+bench", type="build")
    depends_on("cli11@2:", when="+bench", type="build")
    depends_on("libfuse@3.12:", when="+bench")
    depends_on("python@3.8:", when="+bench", type="run")
    depends_on("googletest", type="test")

    def configure_args(self):
        spec = self.spec
        args = [f"--with-openmpi-install={spec['openmpi-devel'].prefix}", f"--with-hwloc={spec['hwloc'].prefix}"]
        for variant_name, option, package in (
            ("libaio", "libaio", "libaio"),
            ("rules", "nlohmann", "nlohmann-json"),
        ):
            if spec.satisfies(f"+{variant_name}"):
                args.append(f"--with-{option}={spec[package].prefix}")
            else:
                args.append(f"--without-{option}")
        return args

    @run_after("install", when="+bench")
    def install_bench(self):
        with working_dir(self.build_directory):
            make("install-bench")

    def setup_run_environment(self, env):
        # Components of Open MPI itself are found only where their folder is in the path as well.
        env.prepend_path("OMPI_MCA_mca_base_component_path", self.spec["openmpi-devel"].prefix.lib.openmpi)
        env.prepend_path("OMPI_MCA_mca_base_component_path", self.prefix.lib.openmpi)
        if self.spec.satisfies("+default"):
            env.set("OMPI_MCA_fcoll_overlap_priority", "1000")
