# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# Sourced by scripts that measure with an Open MPI that they are told.

# take_openmpi 4|5: builds what is missing, and sets `mpirun`, `component`, an array of what tells it where the component is, and `bench`,
# overlap-bench for it. 4: the installed package; 5: 5.0.7 with the component in its tree. Needs: `here`, the repository.
# shellcheck disable=SC2034
take_openmpi() {
    local prefix
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    component=()
    if [ "$1" = 5 ]; then
        prefix=$("$here/config/openmpi-5.sh" | tail -1)
        mpirun=$prefix/bin/mpirun
        bench=$("$here/config/bench.sh" overlap-bench "$prefix/bin/mpicxx" | tail -1)
    else
        read -r _ prefix <<<"$("$here/config/standalone.sh" compare | tail -1)"
        mpirun=mpirun.openmpi
        component=(--mca mca_base_component_path "$("$here/config/component-path.sh" "$prefix/lib/openmpi" mpicc.openmpi)")
        bench=$("$here/config/bench.sh" overlap-bench | tail -1)
    fi
}

# name_openmpi [PREFIX]: the Open MPI that is installed there, or Debian's. Sets `mpicc`, `release` and `openmpi`, an array of what tells
# config/standalone.sh of it. Builds nothing.
# shellcheck disable=SC2034
name_openmpi() {
    openmpi=()
    mpicc=$(type -P mpicc.openmpi) || true
    if [ -n "${1:-}" ]; then openmpi=("--with-openmpi-install=$1") mpicc=$1/bin/mpicc; fi
    [ -x "$mpicc" ] || { echo "no Open MPI${1:+ in $1}: ${mpicc:-mpicc.openmpi} is not there" >&2 && exit 2; }
    release=$("$mpicc" --showme:version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -1)
}

# beside_mpicc NAME: that program of the Open MPI of name_openmpi.
beside_mpicc() { echo "$(dirname "$mpicc")/$(basename "$mpicc" | sed "s/mpicc/$1/")"; }

# median FILE: of its lines; of an even number the lower of two.
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
