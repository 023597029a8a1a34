#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 The overlap project
#
# One collective write of two ranks, with the mpirun that belongs to an mpicc and no component path: says which component served
# it, and if that is not overlap, why (overlap doctor). Ends with 0 where overlap did, and the file is right.
#   config/check-installed.sh [MPICC [--by-default]]
# With --by-default it is not asked for: where a site has made it the first choice, it is that without.
#   config/check-installed.sh MPICC --installed FILE...
# FILE: where a build folder installs the component. The newest of those that are there has to be the one that serves: the prefix of Open
# MPI, which comes first in its component path, may have another one.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
mpicc=$(command -v "${1:-mpicc}") || { echo "check-installed: no ${1:-mpicc}" >&2; exit 1; }
command -v python3 >/dev/null || { echo "check-installed: python3 is missing" >&2; exit 1; }
# Debian keeps several MPIs apart by the end of the name.
mpirun=$(dirname "$mpicc")/$(basename "$mpicc" | sed 's/mpicc/mpirun/')
asked=(--mca io ompio --mca fcoll overlap)
[ "${2:-}" != --by-default ] || asked=()
installed=
if [ "${2:-}" = --installed ]; then
    for file in "${@:3}"; do
        if [ -e "$file" ] && { [ -z "$installed" ] || [ "$file" -nt "$installed" ]; }; then installed=$file; fi
    done
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$here/bench/doctor" "$scratch" -- "$mpirun" --oversubscribe -n 2 "${asked[@]}" | tee "$scratch/said"
[ "${2:-}" = --installed ] || exit 0
serves=$(sed -n 's|^Component \(.*/mca_fcoll_overlap\.so\).*|\1|p' "$scratch/said")
if [ -z "$installed" ]; then
    echo "check-installed: $serves serves, and this build folder has installed nothing. Type: make install-user" >&2
    exit 1
elif ! cmp -s "$serves" "$installed"; then
    echo "check-installed: $serves serves, and not $installed, which was installed. Type:" >&2
    echo "    export OMPI_MCA_mca_base_component_path=$("$here/config/component-path.sh" "$(dirname "$installed")" "$mpicc")" >&2
    exit 1
fi
