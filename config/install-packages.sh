#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Installs the Debian packages that building and testing need; those that are there are left alone.
#   config/install-packages.sh [--build-only | --docs-only | --programs | glusterfs | moosefs | cephfs]
# Neither the programs of test/programs nor the file systems of bench/filesystem are among those that are installed where nothing is named.
set -eu
build="autoconf automake libtool ccache g++ gcc make pkg-config perl flex xz-utils bzip2 git ca-certificates
       openmpi-bin libopenmpi-dev libpmix-dev libhwloc-dev libaio-dev nlohmann-json3-dev libgtest-dev"
# For Open MPI 5.0.7 from source, the clients, the checks.
test="dpkg-dev libevent-dev zlib1g-dev libucx-dev libhdf5-openmpi-dev libpnetcdf-dev iproute2 debootstrap xfsprogs fuse3 libfuse3-dev libcli11-dev
      libbenchmark-dev valgrind clang-format clang-tidy shellcheck gdb strace procps environment-modules
      python3-mpi4py python3-numpy python3-jsonschema python3-matplotlib python3-yaml chromium slurm-wlm rpm rpmlint lintian"
# For config/docs.sh.
docs="python3-sphinx python3-sphinx-rtd-theme"
# For test/programs: what writes files by MPI-IO, on Debian's own Open MPI, and what compares them.
programs="lammps hdf5-tools netcdf-bin libnetcdf-pnetcdf-dev libnetcdf-mpi-dev libpnetcdf-dev pnetcdf-bin python3-h5py python3-h5py-mpi python3-mpi4py
          python3-petsc4py python3-numpy"
glusterfs="glusterfs-server glusterfs-client xfsprogs iproute2"
moosefs="moosefs-master moosefs-chunkserver moosefs-client e2fsprogs iproute2"
cephfs="ceph-mon ceph-osd ceph-mds ceph-fuse iproute2"
case ${1:-} in
--build-only) want=$build ;;
--docs-only) want=$docs ;;
--programs) want=$programs ;;
glusterfs | moosefs | cephfs) want=${!1} ;;
*) want="$build $test $docs" ;;
esac

there=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p')
missing=
for package in $want; do
    if grep -qxF "$package" <<<"$there"; then continue; fi
    # Not every release has each of the programs.
    if [ "${1:-}" = --programs ] && ! apt-cache show "$package" >/dev/null 2>&1; then continue; fi
    missing="$missing $package"
done
[ -n "$missing" ] || { echo "packages: all there"; exit 0; }

as_root=
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "packages: missing are$missing; install them as root" >&2; exit 1; }
    as_root=sudo
fi
echo "packages: installing$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
$as_root apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 || {
    echo "packages: renewing apt's lists first"
    $as_root apt-get update -q >/dev/null
    $as_root apt-get install -y --no-install-recommends $missing >/dev/null
}
